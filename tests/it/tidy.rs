//! The architecture, checked in the source.

mod circles;
mod shape;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

use risk_testing::watchdog::watch;

/// The crates, the highest first: each uses those below it and no others. The table in
/// docs/architecture.md says what they are for.
const CRATES: [&str; 14] = [
    "risk-playground",
    "risk-cli",
    "risk-arena",
    "risk-people",
    "risk-report",
    "risk-lab",
    "risk-wire",
    "risk-engine",
    "risk-bots",
    "rhai-guard",
    "risk-maps",
    "risk-kernel",
    "risk-stats",
    "risk-text",
];

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the folder of a crate's source, from the root.
fn folder_of(name: &str) -> String {
    match name.split_once('-') {
        Some((_, "cli")) => "src".to_owned(),
        Some((_, short)) => format!("crates/{short}/src"),
        None => unreachable!("crates have a prefix"),
    }
}

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    watch();
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

pub(crate) fn all_sources() -> Vec<(PathBuf, String)> {
    let folders = CRATES.into_iter().map(folder_of);
    folders.flat_map(|folder| sources(&folder)).collect()
}

/// Returns the crate of a file: `kernel` for crates/kernel/src/…, `cli` for src/….
fn crate_of(path: &Path) -> String {
    let inside = path.strip_prefix(root()).unwrap();
    let mut parts = inside
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    match parts.next().as_deref() {
        Some("crates") => parts.next().expect("a crate has a folder"),
        _ => "cli".to_owned(),
    }
}

/// Returns the numbered lines of code, without comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn check(wrong: &[String]) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn has_word(line: &str, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(joins) && !line[at + word.len()..].starts_with(joins))
}

/// Returns the crates of the workspace that a crate's `Cargo.toml` names, without those of its
/// tests.
fn used_crates(name: &str) -> Vec<&'static str> {
    let folder = folder_of(name);
    let folder = folder.strip_suffix("src").unwrap();
    let text = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
    let (_, rest) = text.split_once("\n[dependencies]\n").unwrap();
    let own = rest.split("\n[").next().unwrap();
    let used = own.lines().filter_map(|line| {
        let word = line.split(['.', ' ', '=']).next()?;
        CRATES.into_iter().find(|known| *known == word)
    });
    used.collect()
}

#[test]
fn each_crate_uses_only_those_below_it() {
    let mut wrong = Vec::new();
    let table = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    for (height, name) in CRATES.into_iter().enumerate() {
        if !table.contains(&format!("| `{name}` |")) {
            wrong.push(format!("{name} is in no row of docs/architecture.md"));
        }
        // The root package has the program too, which uses all crates; Cargo.toml makes them
        // optional, and the library of the package doesn't use them.
        if name != "risk-cli" {
            let above = used_crates(name).into_iter();
            let above = above.filter(|used| CRATES[..height].contains(used));
            wrong.extend(above.map(|used| format!("{name} uses {used}, which is above it")));
        }
    }
    check(&wrong);
    assert!(used_crates("risk-lab").contains(&"risk-wire"));
}

/// The picture has an arrow for each use that doesn't follow from two others.
#[test]
fn the_picture_of_the_crates_is_true() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let (_, picture) = page.split_once("```mermaid\n").unwrap();
    let (picture, _) = picture.split_once("```").unwrap();
    let name = |side: &str| side.trim().split('[').next().unwrap().to_owned();
    let arrows = picture.lines().filter_map(|line| line.split_once("-->"));
    let mut drawn: Vec<_> = arrows.map(|(from, to)| (name(from), name(to))).collect();
    let mut used = Vec::new();
    // The highest crate uses all others, and those below use what is below them.
    for (height, from) in CRATES.into_iter().enumerate() {
        let below = if height == 0 {
            CRATES[1..].to_vec()
        } else {
            used_crates(from)
        };
        let through = |to: &str| below.iter().any(|other| reaches(other, to));
        let direct = below.iter().filter(|&&to| !through(to));
        used.extend(direct.map(|&to| (from.to_owned(), to.to_owned())));
    }
    drawn.sort();
    used.sort();
    assert_eq!(drawn, used);
}

fn reaches(from: &str, to: &str) -> bool {
    let used = used_crates(from);
    used.contains(&to) || used.iter().any(|between| reaches(between, to))
}

#[test]
fn every_crate_is_known() {
    let folders = fs::read_dir(root().join("crates")).unwrap();
    let mut folders: Vec<String> = folders
        .map(|entry| {
            let name = entry.unwrap().file_name();
            format!("crates/{}/src", name.to_string_lossy())
        })
        .collect();
    folders.push("src".to_owned());
    folders.retain(|folder| folder != "crates/testing/src");
    folders.sort();
    let mut known: Vec<String> = CRATES.into_iter().map(folder_of).collect();
    known.sort();
    assert_eq!(folders, known);
}

/// Returns the words that a file's code must not have.
fn banned(path: &Path) -> Vec<&'static str> {
    let layer = crate_of(path);
    let text = path.to_string_lossy().replace('\\', "/");
    let is_in = |part: &str| text.contains(part);
    let mut banned = Vec::new();
    if layer != "guard" && !is_in("engine/src/script") {
        banned.push("rhai::");
    }
    // In these files `stdout` is that of another process.
    if layer != "cli" && !is_in("transport/process.rs") && !is_in("wire/src/isolated") {
        banned.push("stdout");
    }
    // Codecs are values; only their carriers have a clock, threads and sockets.
    let carries = [
        "transport",
        "remote.rs",
        "isolated",
        "files.rs",
        "schemes.rs",
    ];
    let is_carrier = carries
        .iter()
        .any(|part| is_in(&format!("wire/src/{part}")));
    if layer == "wire" && !is_carrier {
        banned.extend([
            "Instant",
            "SystemTime",
            "std::thread",
            "std::net",
            "std::io",
            "ureq",
        ]);
    }
    // Readers of files: a tournament and a ladder keep their own folders, a keeper reads the list
    // of processes and the files of a program, and the files of a remote bot are hashed.
    let readers = [
        "engine/src/load.rs",
        "maps/src/disk.rs",
        "maps/src/files.rs",
        "maps/src/piped.rs",
        "lab/src/tournament",
        "lab/src/ladder",
        "lab/src/plain_files.rs",
        "transport/keeper.rs",
        "transport/program_files.rs",
        "wire/src/files.rs",
    ];
    if layer != "cli" && !readers.iter().any(|part| is_in(part)) {
        banned.extend(["std::fs", "File::open", "read_to_string", "read_dir"]);
    }
    if layer == "cli" {
        banned.extend(["File::open", "read_to_string", "fs::read"]);
    }
    // Text leaves through one place; the lines between processes are not for people.
    if !["cli/out.rs", "cli/isolated.rs"]
        .iter()
        .any(|file| path.ends_with(file))
    {
        banned.extend([
            "stdout().lock",
            "stderr().lock",
            "io::stderr(),",
            ".print_help",
            ".print()",
        ]);
    }
    // Crates have versions of their own, and files name that of the program.
    if !["engine/src/lib.rs", "python/src/lib.rs"]
        .iter()
        .any(|file| is_in(file))
    {
        banned.push("CARGO_PKG_VERSION");
    }
    // Outside `script/api` only declarations and tables are registered.
    let registers = ["script/api", "script/declare.rs", "script/tables.rs"];
    if layer == "engine" && !registers.iter().any(|part| is_in(part)) {
        banned.push("register_fn");
    }
    banned
}

#[test]
fn words_stay_in_their_layers() {
    let mut wrong = Vec::new();
    for (path, text) in all_sources() {
        let banned = banned(&path);
        for (number, line) in code(&text) {
            wrong.extend(
                banned
                    .iter()
                    .filter(|word| has_word(line, word))
                    .map(|word| format!("{}:{number}: {word}", path.display())),
            );
        }
    }
    check(&wrong);
}

/// The map lists all borders that there may be, for those who draw, describe or check it. Rules,
/// bots and chances ask the game which are open.
#[test]
fn rules_and_bots_ask_which_borders_are_open() {
    let readers = [
        "crates/maps/",
        "crates/kernel/",
        "report/src/board.rs",
        "report/src/map_stats.rs",
        "report/src/picture",
        "people/src/terrain.rs",
        "engine/src/record/content.rs",
        "engine/src/script/api/board.rs",
        "callback/place.rs",
        "hacker_risk/board_graph.rs",
        "line_json/game.rs",
        "warlight/map.rs",
    ];
    let mut wrong = Vec::new();
    for (path, text) in all_sources() {
        let name = path.to_string_lossy().replace('\\', "/");
        if readers.iter().any(|part| name.contains(part)) {
            continue;
        }
        let reads = ["neighbours", "sources", "borders"];
        let reads = reads.map(|read| [format!("board.{read}"), format!("board().{read}")]);
        for (number, line) in code(&text) {
            let found = reads.iter().flatten().filter(|read| has_word(line, read));
            wrong.extend(found.map(|read| format!("{name}:{number}: {read}")));
        }
    }
    check(&wrong);
}

/// Games that the turn loop and the state must not name.
const GAMES: [&str; 6] = [
    "codelab", "hacker", "hasbro", "starwars", "warlight", "warzone",
];

/// The turn loop and the state know no game, and neither the standard phases nor the odds, which
/// are built on them. All of these are in one crate, so Cargo can't enforce the border.
#[test]
fn loop_and_state_use_neither_phases_nor_odds() {
    let folder = folder_of("risk-kernel");
    let mut wrong = circles::uses_of(&folder, &["phases", "odds"]);
    for (path, text) in sources(&folder) {
        let inside = path.strip_prefix(root().join(&folder)).unwrap();
        if !inside.starts_with("phases") && !inside.starts_with("odds") {
            let text = text.to_lowercase();
            let named = GAMES.into_iter().filter(|game| text.contains(game));
            wrong.extend(named.map(|game| format!("{}: {game}", path.display())));
        }
    }
    check(&wrong);
}

#[test]
fn each_file_begins_by_saying_why_it_is_there() {
    let mut files = all_sources();
    files.retain(|(_, text)| {
        !text.starts_with("//!") && !text.starts_with("#![doc = include_str!(")
    });
    let wrong: Vec<String> = files
        .iter()
        .map(|(path, _)| path.display().to_string())
        .collect();
    check(&wrong);
}

/// Returns the public errors of a file without an implementation of `Error`.
fn silent_errors(text: &str) -> Vec<&str> {
    let names = text.split("\npub ").skip(1).filter_map(|item| {
        let rest = item
            .strip_prefix("enum ")
            .or(item.strip_prefix("struct "))?;
        let name = rest.split(|c: char| !c.is_alphanumeric()).next()?;
        name.ends_with("Error").then_some((name, item))
    });
    let silent = names.filter(|(name, item)| {
        let before = text.len() - text[item.as_ptr() as usize - text.as_ptr() as usize..].len();
        let derives = text[..before].rsplit("\n\n").next().unwrap_or_default();
        !derives.contains("Error)]") && !text.contains(&format!("Error for {name}"))
    });
    silent.map(|(name, _)| name).collect()
}

#[test]
fn every_public_error_has_a_text() {
    let bare = "\n#[derive(Debug)]\npub enum BareError {}\n";
    assert_eq!(silent_errors(bare), ["BareError"]);
    assert!(silent_errors(&bare.replace("Debug", "Debug, thiserror::Error")).is_empty());
    let files = all_sources();
    let silent = files.iter().flat_map(|(path, text)| {
        let names = silent_errors(text).into_iter();
        names.map(move |name| format!("{}: {name}", path.display()))
    });
    check(&silent.collect::<Vec<_>>());
}

#[test]
fn built_in_scripts_are_short() {
    // A ruleset is one file, as a user would write it; its rules in plain text don't count. Star
    // Wars is the longest: it states its game twice, as the document has it and as the code has
    // it. Scripts are there to learn from; those that are there to be beaten may be longer.
    let strong = ["marshal.rhai", "admiral.rhai", "agent.rhai", "captain.rhai"];
    for (folder, most) in [("scripts", 75), ("rulesets", 700)] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let text = fs::read_to_string(&path).unwrap();
                let rules = text
                    .lines()
                    .skip_while(|line| !line.starts_with("    rules: `"));
                let rules = rules.take_while(|line| *line != "    `,").count();
                let lines = text.lines().count() - rules;
                let strong = strong.iter().any(|name| path.ends_with(name));
                let most = if strong { 300 } else { most };
                assert!(
                    lines <= most,
                    "{} has {lines} lines, {most} are the most",
                    path.display()
                );
            }
        }
    }
}
