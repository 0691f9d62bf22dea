//! The reference of all functions that scripts may call. It combines `reference.txt` with the
//! signatures from the engines.

use std::collections::BTreeMap;

use super::{as_written, register_bots, register_rules};
use crate::script::engine::Sandbox;
use rhai_guard::{Natives, ScriptLimits};

const TEXT: &str = include_str!("reference.txt");
const LANGUAGE: &str = include_str!("language.txt");

risk_text::named! {
    /// A set of functions for one kind of script or hook.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Surface {
        /// The hooks `…_options(g, me, out)`, `…_plans`, `score` and `cards`: functions that read
        /// the game and offer actions.
        Facts = "facts",
        /// The hooks `setup(g)`, `…_enter`, `…_apply` and `on_…`: functions that change the game.
        Game = "game",
        /// Bots: functions of the player's view and of the decision.
        View = "view",
        /// Tables and the top level of a script: only the language's own functions.
        Language = "table",
    }
}

impl Surface {
    /// Returns a description of the scripts or hooks that can use the surface.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Facts => {
                "ruleset hooks that read the game: PHASE_options(g, me, out), \
                 PHASE_plans(g, me, out), score(g, who), worth(g, who), cards(g)"
            }
            Self::Game => {
                "ruleset hooks that change the game: setup(g), PHASE_enter(g, me), \
                 PHASE_apply(g, me, said), on_conquest(g, me, at) …"
            }
            Self::View => {
                "hooks of bots: PHASE(view, ask), answer(view, ask), new_game(view), \
                 game_over(view)"
            }
            Self::Language => "tables and ruleset(), which can use only the language itself",
        }
    }

    /// Returns the sections of the reference, each with the name of its object in scripts and the
    /// name of the object's type.
    const fn sections(self) -> &'static [(&'static str, &'static str, &'static str)] {
        match self {
            Self::Facts => &[
                ("facts", "g", "facts"),
                ("board", "g", "facts"),
                ("offers", "out", "offers"),
                ("action", "action", "action"),
            ],
            Self::Game => &[
                ("game", "g", "g"),
                ("facts", "g", "g"),
                ("board", "g", "g"),
                ("action", "action", "action"),
            ],
            Self::View => &[
                ("view", "view", "view"),
                ("imagined", "game", "imagined"),
                ("board", "view", "view"),
                ("ask", "ask", "ask"),
                ("plan", "plan", "plan"),
                ("action", "action", "action"),
            ],
            Self::Language => &[],
        }
    }
}

/// A function or a property that a script may call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReferenceEntry {
    /// The section of the reference: `facts`, `game`, `view`, `ask` …
    pub section: &'static str,
    /// The call with the types of its parameters and of its result: `view.armies(at: int) -> int`.
    pub call: String,
    /// The engine's signature, without parameter names: `view.armies(int) -> int`.
    pub signature: String,
    /// The cost: quick, list, board or exact.
    pub cost: &'static str,
    /// The description.
    pub meaning: &'static str,
    /// An example. The `g` in it may be any of several objects.
    pub example: String,
    /// The context in which the example runs; empty for the usual context of the section.
    pub place: &'static str,
}

/// Returns the signatures of a surface's engine, grouped by object, name and number of parameters.
fn signatures(surface: Surface) -> BTreeMap<(String, usize), Vec<String>> {
    let mut engine = Natives::new(super::name_types);
    match surface {
        Surface::Facts | Surface::Game => register_rules(&mut engine, Vec::new()),
        Surface::View => register_bots(&mut engine),
        Surface::Language => {}
    }
    let all = engine.gen_fn_signatures(false);
    let mut by_name: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for signature in all.iter().filter_map(|raw| as_written(raw)) {
        by_name.entry(key(&signature)).or_default().push(signature);
    }
    by_name
}

/// Returns the call and its number of parameters: `(view.armies, 1)` for `view.armies(int) -> int`,
/// and `(view.me, 0)` for `view.me -> int`.
fn key(signature: &str) -> (String, usize) {
    let call = signature.split(" -> ").next().unwrap_or(signature);
    match call.split_once('(') {
        Some((name, rest)) => (format!("{name}()"), parameters(rest).count()),
        None => (call.to_owned(), 0),
    }
}

fn parameters(rest: &str) -> impl Iterator<Item = &str> {
    rest.trim_end_matches(')')
        .split(", ")
        .filter(|parameter| !parameter.is_empty())
}

/// Returns the functions and properties of a surface, in the order of the reference.
#[must_use]
pub fn entries(surface: Surface) -> Vec<ReferenceEntry> {
    let signatures = signatures(surface);
    let mut entries = Vec::new();
    for &(section, object, of) in surface.sections() {
        let lines = TEXT
            .lines()
            .skip_while(|line| *line != format!("## {section}"))
            .skip(1);
        for line in lines
            .take_while(|line| !line.starts_with("## "))
            .filter(|line| !line.is_empty())
        {
            entries.extend(entry(line, section, object, of, &signatures));
        }
    }
    entries
}

/// Parses an entry from its line. Returns `None` if the engine has no such function; a test reports
/// such entries.
fn entry(
    line: &'static str,
    section: &'static str,
    object: &str,
    of: &str,
    signatures: &BTreeMap<(String, usize), Vec<String>>,
) -> Option<ReferenceEntry> {
    let mut columns = line.split(" | ");
    let call = columns.next()?;
    let cost = columns.next()?;
    let meaning = columns.next()?;
    let example = columns.next()?;
    let (name, names) = match call.split_once('(') {
        Some((name, rest)) => (
            format!("{of}.{name}()"),
            parameters(rest).collect::<Vec<_>>(),
        ),
        None => (format!("{of}.{call}"), Vec::new()),
    };
    // If several signatures match, the line names the right one: `offer(list: array)`.
    let fits = |signature: &&String| {
        let (types, _) = types_and_result(signature);
        names
            .iter()
            .zip(parameters(types))
            .all(|(name, of)| name.split_once(": ").is_none_or(|(_, kind)| kind == of))
    };
    let signature = signatures.get(&(name, names.len()))?.iter().find(fits)?;
    // Several objects can read the map, but its examples are written for one of them.
    let example = if section == "board" {
        example.replace("g.", &format!("{object}."))
    } else {
        example.to_owned()
    };
    let place = columns.next().unwrap_or_default();
    Some(ReferenceEntry {
        section,
        call: format!("{object}.{}", written(call, &names, signature)),
        signature: signature.clone(),
        cost,
        meaning,
        example,
        place,
    })
}

/// Returns the parameter types and the result type of a signature.
fn types_and_result(signature: &str) -> (&str, &str) {
    let (given, result) = signature.split_once(" -> ").unwrap_or((signature, ""));
    let types = given.split_once('(').map_or("", |(_, rest)| rest);
    (types, result)
}

/// Formats a call with the parameter names from its line and the types from its signature.
fn written(call: &str, names: &[&str], signature: &str) -> String {
    let (types, result) = types_and_result(signature);
    let named: Vec<String> = names
        .iter()
        .zip(parameters(types))
        .map(|(name, of)| format!("{}: {of}", name.split(": ").next().unwrap_or(name)))
        .collect();
    let mut written = call.split('(').next().unwrap_or(call).to_owned();
    if call.contains('(') {
        written.push_str(&format!("({})", named.join(", ")));
    }
    if !result.is_empty() {
        written.push_str(&format!(" -> {result}"));
    }
    written
}

const WORK_ON: [&str; 7] = [
    "numbers",
    "texts",
    "characters",
    "arrays",
    "maps",
    "ranges",
    "anything",
];

/// Returns the functions of the language's own library, grouped by the types that they work on.
/// Each name occurs once, with an example that evaluates to true.
#[must_use]
pub fn language() -> Vec<(&'static str, BTreeMap<String, Option<&'static str>>)> {
    let mut groups = WORK_ON.map(|of| (of, BTreeMap::new()));
    for signature in Sandbox::new(&ScriptLimits::default(), super::name_types)
        .engine
        .gen_fn_signatures(true)
    {
        let Some((name, parameters)) = signature.split_once('(') else {
            continue;
        };
        let first = parameters.split([',', ')']).next().unwrap_or_default();
        let first = first.rsplit(": ").next().unwrap_or_default();
        let first = first.trim_start_matches("&mut ");
        let group = match first.rsplit("::").next().unwrap_or(first) {
            "i64" | "f64" | "int" | "float" | "INT" | "FLOAT" => "numbers",
            "string" | "&str" | "String" | "ImmutableString" => "texts",
            "char" => "characters",
            "array" | "Array" => "arrays",
            "map" | "Map" => "maps",
            "range" | "range=" | "Range<i64>" => "ranges",
            "any" | "Dynamic" | "bool" | "Fn" => "anything",
            // Scripts never have these kinds of numbers.
            _ => continue,
        };
        let name = name.strip_prefix("get$").unwrap_or(name);
        let is_word =
            name != "print" && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_word && let Some((_, names)) = groups.iter_mut().find(|(of, _)| *of == group) {
            names.insert(name.to_owned(), example(group, name));
        }
    }
    groups.into()
}

fn example(group: &str, name: &str) -> Option<&'static str> {
    examples(group)
        .find(|(known, _)| *known == name)
        .map(|(_, example)| example)
}

/// Returns all examples of a group as pairs of name and text.
pub fn examples(group: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let heading = format!("## {group}");
    let lines = LANGUAGE
        .lines()
        .skip_while(move |line| *line != heading)
        .skip(1);
    lines
        .take_while(|line| !line.starts_with("## "))
        .filter_map(|line| line.split_once(" | "))
}

/// The constants of every script. Rulesets and settings add further constants.
const CONSTANTS: [(&str, &str); 4] = [
    ("TERRITORIES", "The number of territories of the map."),
    ("PLAYERS", "The number of players of the game."),
    ("NOBODY", "No player: -1."),
    ("TABLE", "The table, which holds what no player owns: -1."),
];

/// Returns the name of a type in definitions. The names of this program's types begin with a
/// capital.
fn defined(of: &str) -> &str {
    match of {
        "g" => "Game",
        "facts" => "Facts",
        "offers" => "Offers",
        "view" => "View",
        "ask" => "Ask",
        "plan" => "Plan",
        "imagined" => "Imagined",
        "action" => "Action",
        "function" => "FnPtr",
        "any" => "?",
        other => other,
    }
}

/// Returns the definitions of these surfaces for Rhai's language server.
#[must_use]
pub fn definitions(surfaces: &[Surface]) -> String {
    let mut text = "module static;\n".to_owned();
    for (name, meaning) in CONSTANTS {
        text.push_str(&format!("\n/// {meaning}\nconst {name}: int;\n"));
    }
    for entry in surfaces.iter().flat_map(|&surface| entries(surface)) {
        let Some((object, rest)) = entry.call.split_once('.') else {
            continue;
        };
        let of = defined(entry.signature.split('.').next().unwrap_or_default());
        let (call, result) = rest.split_once(" -> ").unwrap_or((rest, ""));
        let (head, given) = match call.split_once('(') {
            Some((name, given)) => (format!("fn {name}"), parameters(given).collect()),
            None => (format!("fn get {call}"), Vec::new()),
        };
        let mut typed = vec![format!("{object}: {of}")];
        typed.extend(given.into_iter().map(|parameter| {
            let (name, of) = parameter.split_once(": ").unwrap_or((parameter, "any"));
            format!("{name}: {}", defined(of))
        }));
        let result = match result {
            "" => String::new(),
            result => format!(" -> {}", defined(result)),
        };
        text.push_str(&format!(
            "\n/// {} Cost: {}.\n{head}({}){result};\n",
            entry.meaning,
            entry.cost,
            typed.join(", ")
        ));
    }
    text
}
