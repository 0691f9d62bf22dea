//! No circles between files: if a file uses another, the other doesn't use it.
//!
//! A file uses the files that declare the names in its `use` lines and paths, wherever they are
//! exported from. A module may use its own parts, and they may use it; so the search runs twice,
//! once without each direction.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::Graph;
use petgraph::algo::tarjan_scc;
use petgraph::graph::NodeIndex;

use super::{CRATES, code, folder_of, root, sources};

/// The names on the way to an item, from the root of the crate.
type ItemPath = Vec<String>;

#[derive(Default)]
struct Module {
    uses: BTreeSet<ItemPath>,
    /// The exported names, and their origins.
    exports: BTreeMap<String, ItemPath>,
}

struct CrateModules(BTreeMap<ItemPath, Module>);

impl CrateModules {
    /// Builds the modules of the files: `kernel::view` for src/kernel/view.rs, nothing for
    /// src/lib.rs.
    fn new(files: &[(&str, &str)]) -> Self {
        let path = |name: &str| name.split_terminator("::").map(str::to_owned).collect();
        let names: BTreeSet<ItemPath> = files.iter().map(|(name, _)| path(name)).collect();
        let modules = files.iter().map(|(name, text)| {
            let here: ItemPath = path(name);
            let module = Module::read(text, &here, &names);
            (here, module)
        });
        Self(modules.collect())
    }

    fn declared_in(&self, path: &ItemPath) -> &ItemPath {
        let mut path = path.clone();
        // A name passes through a few exports at most.
        for _ in 0..9 {
            let depth = (0..=path.len()).rev();
            let mut known = depth.filter_map(|end| self.0.get_key_value(&path[..end]));
            let (module, said) = known.next().expect("the root holds everything");
            let name = path.get(module.len());
            let Some(from) = name.and_then(|name| said.exports.get(name)) else {
                return module;
            };
            path = [from, &path[module.len() + 1..]].concat();
        }
        panic!("{} is exported in a circle", path.join("::"));
    }

    /// Returns the circles as sets of modules. Ignores either the uses of a module's parts by the
    /// module, or those of the module by its parts.
    fn circles(&self, without_parts: bool) -> Vec<BTreeSet<String>> {
        let mut graph = Graph::new();
        let nodes: BTreeMap<&ItemPath, _> = self
            .0
            .keys()
            .map(|path| (path, graph.add_node(path)))
            .collect();
        for (from, module) in &self.0 {
            for to in module.uses.iter().map(|path| self.declared_in(path)) {
                let is_part = if without_parts {
                    to.starts_with(from)
                } else {
                    from.starts_with(to)
                };
                if !from.is_empty() && !to.is_empty() && !is_part {
                    graph.add_edge(nodes[from], nodes[to], ());
                }
            }
        }
        circles_of(&graph)
    }

    /// Returns the circles of the rooms of a crate: the modules below `house`, each with its parts.
    fn circles_of_rooms(&self, house: &[String]) -> Vec<BTreeSet<String>> {
        let depth = house.len() + 1;
        let room = |path: &ItemPath| {
            let room = path.get(..depth).filter(|room| room.starts_with(house));
            room.map(<[String]>::to_vec)
        };
        let rooms: BTreeSet<ItemPath> = self.0.keys().filter_map(room).collect();
        let mut graph = Graph::new();
        let nodes: BTreeMap<_, _> = rooms
            .iter()
            .map(|room| (room, graph.add_node(room)))
            .collect();
        for (from, module) in &self.0 {
            for to in module.uses.iter().map(|path| self.declared_in(path)) {
                if let (Some(from), Some(to)) = (room(from), room(to))
                    && from != to
                {
                    graph.add_edge(nodes[&from], nodes[&to], ());
                }
            }
        }
        circles_of(&graph)
    }
}

fn circles_of(graph: &Graph<&ItemPath, ()>) -> Vec<BTreeSet<String>> {
    let circles = tarjan_scc(graph);
    let circles = circles.iter().filter(|modules| modules.len() > 1);
    let name = |node: &NodeIndex| graph[*node].join("::");
    circles.map(|all| all.iter().map(name).collect()).collect()
}

impl Module {
    fn read(text: &str, here: &ItemPath, names: &BTreeSet<ItemPath>) -> Self {
        let lines: Vec<&str> = code(text).map(|(_, line)| line).collect();
        let text = lines.join("\n");
        let mut module = Self::default();
        for statement in text.split(';') {
            let mut rest = statement;
            if let Some((exports, tree)) = use_tree(statement) {
                rest = "";
                let mut paths = Vec::new();
                leaves(tree, &Vec::new(), &mut paths);
                for path in paths.iter().filter_map(|path| absolute(path, here, names)) {
                    if exports && let Some(name) = path.last() {
                        module.exports.insert(name.clone(), path.clone());
                    }
                    module.uses.insert(path);
                }
            }
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            let words = rest.split(|c| !is_part(c));
            let words = words.filter(|word| word.contains("::"));
            let paths = words.map(|word| word.split("::").map(str::to_owned).collect());
            let paths = paths.filter_map(|path: ItemPath| absolute(&path, here, names));
            module.uses.extend(paths);
        }
        module
    }
}

/// Returns whether the statement exports its names, and its tree; `None` for other statements.
fn use_tree(statement: &str) -> Option<(bool, &str)> {
    let mut lines = statement.lines();
    let begins = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("use ") || (line.starts_with("pub") && line.contains(" use "))
    };
    let first = lines.find(begins)?;
    let at = first.as_ptr() as usize - statement.as_ptr() as usize;
    let (before, tree) = statement[at..].split_once("use ")?;
    Some((before.trim_start().starts_with("pub"), tree))
}

fn leaves(tree: &str, before: &ItemPath, found: &mut Vec<ItemPath>) {
    let mut depth = 0;
    let branches = tree.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    for branch in branches.map(str::trim).filter(|branch| !branch.is_empty()) {
        let (path, inner) = match branch.split_once('{') {
            Some((path, inner)) => (path, inner.strip_suffix('}')),
            None => (branch, None),
        };
        let path = path.split(" as ").next().unwrap_or_default();
        let names = path.split("::").filter(|name| !name.is_empty());
        let path: ItemPath = before
            .iter()
            .cloned()
            .chain(names.map(str::to_owned))
            .collect();
        match inner {
            Some(inner) => leaves(inner, &path, found),
            None => found.push(path),
        }
    }
}

/// Returns the path from the root for a path in a module; `None` for a path into another crate, or
/// of a name that a `use` line brought.
fn absolute(path: &ItemPath, here: &ItemPath, names: &BTreeSet<ItemPath>) -> Option<ItemPath> {
    let (first, rest) = path.split_first()?;
    let ups = path.iter().take_while(|name| *name == "super").count();
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "self" => Some([here, rest].concat()),
        "super" => Some([&here[..here.len().checked_sub(ups)?], &path[ups..]].concat()),
        _ => {
            let part = [here, std::slice::from_ref(first)].concat();
            names
                .contains(&part)
                .then(|| [here, path.as_slice()].concat())
        }
    }
}

/// Returns the files of a folder by their modules, such as `mutators::dice`; the root's name is
/// empty.
fn modules(folder: &str) -> Vec<(String, String)> {
    let root = root().join(folder);
    let files = sources(folder).into_iter().map(|(path, text)| {
        let name = path.strip_prefix(&root).unwrap().with_extension("");
        let name = name.to_string_lossy().replace(['/', '\\'], "::");
        let is_root = ["lib", "main"].contains(&name.as_str());
        (if is_root { String::new() } else { name }, text)
    });
    files.collect()
}

fn as_texts(files: &[(String, String)]) -> Vec<(&str, &str)> {
    let files = files.iter();
    files
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect()
}

/// Returns the modules of a folder that use one of these, except their own parts and the root.
pub(super) fn uses_of(folder: &str, walled: &[&str]) -> Vec<String> {
    uses_in(&as_texts(&modules(folder)), walled)
}

fn uses_in(files: &[(&str, &str)], walled: &[&str]) -> Vec<String> {
    let house = CrateModules::new(files);
    let is_walled = |path: &ItemPath| path.first().is_some_and(|top| walled.contains(&&**top));
    let mut found = Vec::new();
    for (from, module) in &house.0 {
        if from.is_empty() || is_walled(from) {
            continue;
        }
        let used = module.uses.iter().map(|path| house.declared_in(path));
        let used = used.filter(|to| is_walled(to));
        found.extend(used.map(|to| format!("{} uses {}", from.join("::"), to.join("::"))));
    }
    found
}

#[test]
fn a_use_of_what_is_walled_off_is_found() {
    let root = (
        "",
        "pub mod phases;\npub mod state;\npub use phases::Table;\n",
    );
    let uses = |text| uses_in(&[root, ("phases", ""), ("state", text)], &["phases"]);
    for breach in [
        "use super::phases::Kind;",
        "use crate::Table;",
        "fn a() -> super::phases::A {}",
    ] {
        assert_eq!(uses(breach), ["state uses phases"], "{breach}");
    }
    assert!(uses("fn a(decl: &Declaration) { decl.phases.len() }").is_empty());
}

/// Returns the circles without uses of parts, those without uses by parts, and those of the rooms
/// of the crate.
fn all_circles(files: &[(&str, &str)]) -> Vec<BTreeSet<String>> {
    let house = CrateModules::new(files);
    let rooms = house.circles_of_rooms(&[]);
    [house.circles(true), house.circles(false), rooms].concat()
}

#[test]
fn no_file_uses_itself_by_way_of_others() {
    let mut wrong = Vec::new();
    for name in CRATES {
        let mut files = modules(&folder_of(name));
        // The library of the root package has one file, which the program uses from outside.
        files.retain(|(path, text)| {
            !path.is_empty() || name != "risk-cli" || text.contains("\nmod cli;")
        });
        wrong.extend(all_circles(&as_texts(&files)).iter().map(|circle| {
            let all: Vec<&str> = circle.iter().map(String::as_str).collect();
            format!(
                "{name}: a circle of {}: move what closes it to a file below them",
                all.join(", ")
            )
        }));
    }
    super::check(&wrong);
}

/// Files of two rooms may use each other's without a circle of files.
#[test]
fn a_circle_of_rooms_is_found() {
    let root = ("", "mod load;\nmod play;");
    let files = |text| {
        let load = [("load", "mod names;\nmod files;"), ("load::names", text)];
        let rest = [("load::files", ""), ("play", "mod seats;\nmod spec;")];
        let parts = [
            ("play::seats", ""),
            ("play::spec", "use crate::load::files;"),
        ];
        all_circles(&[&[root], &load[..], &rest, &parts].concat())
    };
    assert!(files("use super::files;").is_empty());
    let expected: BTreeSet<String> = ["load".to_owned(), "play".to_owned()].into();
    assert_eq!(files("use crate::play::seats;"), [expected]);
}

#[test]
fn a_circle_is_found_through_exports() {
    let root = ("", "pub mod room;");
    let room = ("room", "mod a;\nmod b;\nmod c;\npub use b::Thing;\n");
    let a = (
        "room::a",
        "use super::Thing;\nuse super::c::{self, Other};\n",
    );
    let b = ("room::b", "use std::fmt;\npub struct Thing;\n");
    let circle = |b| all_circles(&[root, room, a, b, ("room::c", "")]);
    assert!(circle(b).is_empty());
    let expected: BTreeSet<String> = ["room::a".to_owned(), "room::b".to_owned()].into();
    for closing in [
        "use crate::room::a::Other;\npub struct Thing;",
        "pub struct Thing(super::a::Other);",
        "use super::{\n    a::{\n        Other as Name,\n    },\n    c,\n};",
    ] {
        assert_eq!(circle(("room::b", closing))[0], expected, "{closing}");
    }
    for open in [
        "// use super::a::Other;",
        "use other::room::a;",
        "let a = 1;",
    ] {
        assert!(circle(("room::b", open)).is_empty(), "{open}");
    }
}
