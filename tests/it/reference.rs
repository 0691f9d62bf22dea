//! The reference of the functions of scripts: complete, in step with docs/api.md, and its examples
//! run.

use std::collections::{BTreeMap, BTreeSet};

use risk_engine::script::reference::{ReferenceEntry, Surface, entries, examples, language};

use crate::support::{run, run_in, words};

/// `risk-cli ruleset api --markdown > docs/api.md` renews it.
#[test]
fn the_documentation_is_in_step() {
    assert_eq!(
        run(&["ruleset", "api", "--markdown"]).out,
        include_str!("../../docs/api.md")
    );
}

#[test]
fn the_terminal_and_the_language_server_get_it_too() {
    let ran = run(&["ruleset", "api", "--surface", "view"]);
    assert!(
        ran.out
            .contains("view.odds(from: int, to: int) -> float\n    Returns the chance"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("g.capture"));
    let all = run(&["ruleset", "api"]).out;
    for surface in Surface::ALL {
        assert!(all.contains(&format!("── {}: ", surface.as_str())));
        assert!(
            entries(surface)
                .iter()
                .all(|entry| all.contains(&entry.call))
        );
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        run_in(folder.path(), &["ruleset", "api", "--definitions", "defs"]).code,
        0
    );
    let bots = std::fs::read_to_string(folder.path().join("defs/bots.d.rhai")).unwrap();
    assert!(
        bots.contains("\nfn armies(view: View, at: int) -> int;\n"),
        "{bots}"
    );
    assert!(
        bots.contains("\nconst NOBODY: int;\n")
            && bots.contains("\nfn get me(view: View) -> int;\n")
            && bots.contains("\nfn random(ask: Ask) -> Action;\n")
    );
    let rules = std::fs::read_to_string(folder.path().join("defs/rules.d.rhai")).unwrap();
    assert!(
        rules.contains("\nfn deal(g: Game);\n") && rules.contains("(g: Facts, at: int)"),
        "{rules}"
    );
}

/// The search ignores case. Functions with a matching name come first, each with its object.
#[test]
fn the_reference_is_searched() {
    let found = |line: &str| run(&words(&format!("ruleset api {line}"))).out;
    let armies = found("ARMIES");
    assert!(armies.starts_with("g.armies(at: int) -> int"), "{armies}");
    assert_eq!(armies.matches("\ng.armies(").count(), 0, "{armies}");
    assert!(
        armies.contains("view.armies(at: int) -> int  (bots)\n"),
        "{armies}"
    );
    // Both words match only in the description.
    let both = found("attack chance --surface view");
    assert!(
        both.contains("view.odds(") && !both.contains("g."),
        "{both}"
    );
    assert!(!both.contains("view.armies("), "{both}");
    // The search also covers hooks, events and the language.
    assert!(found("on_conquest").starts_with("on_conquest(g, me, at)  (hooks of rulesets)\n"));
    assert!(found("attacker_lost").starts_with("fought { from, to, attackers"));
    assert!(found("--surface table split").starts_with("split  (the language)\n"));
    for (line, sought, help) in [
        ("amries", "`amries`", "`armies`"),
        (
            "armies qqqqqqqq",
            "`armies qqqqqqqq`",
            "`risk-cli ruleset api`",
        ),
        ("armies split", "`armies split`", ""),
        ("zzzzzzzzzzzz", "`zzzzzzzzzzzz`", "`risk-cli ruleset api`"),
        ("on_conquest --surface view", "`on_conquest`", ""),
    ] {
        let ran = run(&words(&format!("ruleset api {line}")));
        ran.refuses(2, "cli::api");
        assert_eq!(ran.out, "", "{line}");
        let named = ran.err.contains(sought) && ran.err.contains(help);
        assert!(named, "{line}: {}", ran.err);
    }
    assert_eq!(run(&words("ruleset api armies --markdown")).code, 2);
    for blank in ["", " "] {
        let ran = run(&["ruleset", "api", "armies", blank]);
        ran.refuses(2, "cli::api");
        assert_eq!(ran.out, "");
    }
    let long = run(&["ruleset", "api", &"q".repeat(5_000)]);
    assert!(long.code == 2 && long.err.len() < 500, "{}", long.err);
}

/// Places where examples run: sections, place, the ruleset, the bots, and the script around the
/// example. A script with `answer` is a bot on the first seat, any other is a variant of the
/// ruleset.
const PLACES: [(&[&str], &str, &str, [&str; 2], &str); 11] = [
    (
        &["imagined"],
        "",
        "hasbro",
        ["", "random"],
        "fn answer(view, ask) { if view.phase == \"attack\" && view.round < 3 { let game = view.imagine(); EXAMPLE; debug(\"ran\"); } ask.random() }",
    ),
    (
        &["view", "ask", "plan", "action"],
        "starwars",
        "starwars",
        ["", "random"],
        "fn answer(view, ask) { if view.phase == \"action\" { EXAMPLE; debug(\"ran\"); } ask.random() }",
    ),
    (
        &["view", "ask", "plan", "action"],
        "",
        "hasbro",
        ["", "random"],
        "fn answer(view, ask) { if view.phase == \"attack\" { EXAMPLE; debug(\"ran\"); } ask.random() }",
    ),
    (
        &["facts"],
        "out",
        "warzone",
        ["random", "random"],
        "fn orders_options(g, me, out) { EXAMPLE; debug(\"ran\"); out.offer(DONE); }\nfn orders_apply(g, me, said) { g.done(me); }",
    ),
    (
        &["offers"],
        "",
        "warzone",
        ["random", "random"],
        "fn orders_options(g, me, out) { EXAMPLE; debug(\"ran\"); out.offer(DONE); }\nfn orders_apply(g, me, said) { g.done(me); }",
    ),
    (
        &["offers"],
        "moves",
        "starwars",
        ["random", "random"],
        "fn action_options(g, me, out) { EXAMPLE; debug(\"ran\"); out.offer(DONE); }\nfn action_apply(g, me, said) { g.done(me); }",
    ),
    (
        &["offers"],
        "plans",
        "starwars",
        ["starwars-attack", "starwars-shield"],
        "fn action_plans(g, me, out) { EXAMPLE; debug(\"ran\"); base::action_plans(g, me, out); }",
    ),
    (
        &["facts", "game"],
        "said",
        "warzone",
        ["outnumber", "random"],
        "fn orders_options(g, me, out) { out.offer(DONE); }\nfn orders_apply(g, me, said) { g.store(me, said); EXAMPLE; debug(\"ran\"); g.done(me); while g.orders > 0 { g.unbook(0); } }",
    ),
    (
        &["game"],
        "play",
        "warzone",
        ["random", "random"],
        "fn setup(g) { base::setup(g); for who in g.players { g.set(who, TRUCES, 9); } }\nfn execution_play(g, me, order) { EXAMPLE; debug(\"ran\"); }",
    ),
    (
        &["facts", "board"],
        "",
        "hasbro",
        ["outnumber", "random"],
        "fn score(g, me) { EXAMPLE; debug(\"ran\"); g.territories(me) }",
    ),
    (
        &["game", "facts"],
        "",
        "hasbro",
        ["outnumber", "random"],
        "fn on_conquest(g, me, at) { EXAMPLE; debug(\"ran\"); g.end(\"enough\", [me]); }",
    ),
];

/// Sections whose examples change nothing, so that many run in one call.
const CHANGE_NOTHING: [&str; 5] = ["view", "plan", "action", "facts", "board"];

fn place_of(entry: &ReferenceEntry) -> usize {
    // Bots and hooks that change the game have the same functions of the map.
    let (section, place) = match (entry.section, entry.place) {
        ("board", _) if entry.call.starts_with("view.") => ("view", ""),
        ("facts", "game") => ("game", ""),
        other => other,
    };
    PLACES
        .iter()
        .position(|known| known.0.contains(&section) && known.1 == place)
        .unwrap_or_else(|| panic!("{section} {place} runs nowhere"))
}

/// Plays a game that runs the examples in order, and returns its output.
fn run_examples(
    place: usize,
    examples: &[&str],
    folder: &std::path::Path,
) -> crate::support::RunOutput {
    let (_, _, ruleset, bots, script) = &PLACES[place];
    let each: Vec<String> = examples
        .iter()
        .enumerate()
        .map(|(number, example)| format!("{{ {example}; }} debug(\"ran {number}.\");"))
        .collect();
    let script = script.replace("EXAMPLE; debug(\"ran\");", &each.join("\n"));
    let is_bot = bots[0].is_empty();
    let phases = if script.contains("fn orders_apply") {
        ", phases: #{ orders: secret(script()) }"
    } else {
        ""
    };
    let head = format!(
        "fn ruleset() {{ #{{ extends: \"{ruleset}\", name: \"mine\", marks: #{{ poison: \"all\" }}\
         {phases} }} }}\n"
    );
    let (rules, first, bot) = if is_bot {
        (head, "./s.rhai", script)
    } else {
        (format!("{head}{script}"), bots[0], String::new())
    };
    std::fs::write(folder.join("s.rhai"), bot).unwrap();
    std::fs::write(folder.join("r.rhai"), rules).unwrap();
    let options = "play --quiet --seed 7 --option max_turns=12";
    let line = format!(
        "{options} --ruleset ./r.rhai --bot {first} --bot {}",
        bots[1]
    );
    run_in(folder, &words(&line))
}

#[test]
fn every_example_runs() {
    let folder = tempfile::tempdir().unwrap();
    let all: Vec<ReferenceEntry> = Surface::ALL.into_iter().flat_map(entries).collect();
    let mut seen = BTreeSet::new();
    let mut together: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    let mut runs: Vec<(usize, Vec<&str>)> = Vec::new();
    for entry in &all {
        if !seen.insert((entry.section, &entry.example)) {
            continue;
        }
        if CHANGE_NOTHING.contains(&entry.section) {
            let of_place = together.entry(place_of(entry)).or_default();
            of_place.push(&entry.example);
        } else {
            runs.push((place_of(entry), vec![&entry.example]));
        }
    }
    for (place, examples) in runs.into_iter().chain(together) {
        let ran = run_examples(place, &examples, folder.path());
        assert!(
            ran.code == 0 && !ran.err.contains("script::"),
            "{examples:?}\n{}",
            ran.err
        );
        for (number, example) in examples.iter().enumerate() {
            assert!(
                ran.err.contains(&format!("\"ran {number}.\"")),
                "{example} was never reached\n{}{}",
                ran.out,
                ran.err
            );
        }
    }
    assert!(seen.len() > 150, "{}", seen.len());
}

/// Each function of the language has an example, and each example is of a function that exists, and
/// is true.
#[test]
fn the_language_is_as_described() {
    let mut script = "fn answer(view, ask) {\n".to_owned();
    for (of, functions) in language() {
        let written: Vec<&str> = examples(of).map(|(name, _)| name).collect();
        assert_eq!(written, functions.keys().collect::<Vec<_>>(), "{of}");
        for (name, example) in functions {
            let example = example.unwrap();
            script.push_str(&format!(
                "    if !({example}) {{ throw \"{name} of {of}\"; }}\n"
            ));
        }
    }
    script.push_str("    debug(\"ran\");\n    ask.random()\n}\n");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("s.rhai"), script).unwrap();
    let ran = run_in(
        folder.path(),
        &words(
            "play --quiet --seed 3 -o max_turns=2 --ruleset codelab --bot ./s.rhai --bot random",
        ),
    );
    assert!(
        ran.code == 0 && ran.err.contains("\"ran\"") && !ran.err.contains("script::"),
        "{}",
        ran.err
    );
}
