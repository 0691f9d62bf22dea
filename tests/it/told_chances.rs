//! Chances are shown where a ruleset's phases declare that they fight by its tables, or where its
//! hook `chance` gives them, and nowhere else.

use std::path::Path;

use crate::support::{RunOutput, TINY, run_in, run_typed, words};
use risk_testing::scripts::{LOSES, TOSSES, fighting_ruleset};

/// Makes a folder with a ruleset, a small map, and a bot that asks for chances.
fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("r.rhai", text);
    write("tiny.yaml", TINY);
    write(
        "asks.rhai",
        "fn answer(view, ask) {
    for option in ask.options(\"attack\") {
        if view.odds(option.from, option.to) > 0.5 { return option; }
    }
    ask.random()
}
",
    );
    folder
}

fn ran(folder: &Path, line: &str) -> RunOutput {
    run_in(folder, &words(line))
}

/// Returns the output for a person about the attacks of some turns.
fn shown(folder: &Path) -> String {
    let line = "play -r ./r.rhai -m tiny.yaml --bot human --bot random --seed 3";
    let typed = "auto\n".repeat(60) + "quit\n";
    let ran = run_typed(folder, &words(line), typed);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let attacks = ran.out.lines().filter(|line| line.contains(" v "));
    let attacks: Vec<&str> = attacks.collect();
    assert!(!attacks.is_empty(), "{}", ran.out);
    attacks.join("\n")
}

#[test]
fn a_script_that_fights_in_its_own_way_has_no_chances() {
    let text = fighting_ruleset("script()", LOSES);
    let folder = folder(&text);
    let folder = folder.path();
    let odds = ran(folder, "odds 10 5 -r ./r.rhai");
    assert_eq!(odds.code, 2, "{}{}", odds.out, odds.err);
    assert!(odds.err.contains("odds::none"), "{}", odds.err);
    assert!(!shown(folder).contains('%'));
    let check = ran(folder, "ruleset check ./r.rhai --games 2");
    assert_eq!(check.code, 0, "{}{}", check.out, check.err);
    // The check finds the bot's request by reading it, and the bot faults when it asks.
    let read = ran(folder, "bot check ./asks.rhai -r ./r.rhai --games 0");
    assert_eq!(read.code, 1, "{}{}", read.out, read.err);
    assert!(read.err.contains("bot::no-chances"), "{}", read.err);
    assert!(read.err.contains("asks.rhai:3:17"), "{}", read.err);
    let play =
        "play -r ./r.rhai -m tiny.yaml -b ./asks.rhai -b random -s 3 --games 5 --format jsonl";
    let apart = ran(folder, &format!("{play} --isolate"));
    let play = ran(folder, play);
    assert!(play.out.contains("\"faults\":[3"), "{}", play.out);
    assert!(apart.out.contains("\"faults\":[3"), "{}", apart.out);
    // A bot that checks `has_odds` first does not.
    let asks = std::fs::read_to_string(folder.join("asks.rhai")).unwrap();
    let first = asks.replace("if view", "if view.has_odds && view");
    std::fs::write(folder.join("asks.rhai"), first).unwrap();
    let read = ran(folder, "bot check ./asks.rhai -r ./r.rhai --games 3");
    assert_eq!(read.code, 0, "{}{}", read.out, read.err);
}

/// Scripts that ask for chances play without a fault where there are none, and where only attacks
/// have them.
#[test]
fn scripts_that_ask_for_chances_play_where_there_are_none() {
    let half = "fn chance(view, from, to) { 1.0 - 0.5 ** (view.armies(from) - 1) }";
    let rules = [LOSES.to_owned(), format!("{TOSSES}\n{half}")];
    for functions in rules {
        let folder = folder(&fighting_ruleset("script()", &functions));
        for bot in ["planner", "captain", "agent", "turtle", "grudge"] {
            let line = format!(
                "play -r ./r.rhai -m tiny.yaml -b {bot} -b random -s 3 --games 5 -o max_turns=30 --format jsonl"
            );
            let apart = ran(folder.path(), &format!("{line} --isolate"));
            let ran = ran(folder.path(), &line);
            assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
            let digests = |text: &str| {
                let lines = text.lines().skip(1);
                let digest = lines.map(|line| line.split_once("\"digest\"").unwrap().1.to_owned());
                digest.collect::<Vec<_>>()
            };
            assert_eq!(digests(&apart.out), digests(&ran.out), "{bot} apart");
            let games = ran.out.lines().skip(1);
            for game in games {
                assert!(game.contains("\"faults\":[0,0]"), "{bot}: {game}");
            }
        }
    }
}

/// A phase that a ruleset inherits and never opens says nothing of its fights; with a hook
/// `chance`, the tables say nothing.
#[test]
fn tables_of_phases_that_nothing_opens_tell_nothing() {
    let rules = "fn ruleset() { #{ extends: \"simplified\", name: \"mine\", phases: #{ assault: script() } } }
fn assault_options(g, me, out) {
    for from in g.owned(me) { if g.armies(from) > 1 { out.offer(ATTACK, from, g.foes(me, from)); } }
    out.offer(STOP);
}
fn assault_apply(g, me, said) {
    if said.verb == STOP { g.done(me); return; }
    if g.random(10) == 0 { g.capture(said.from, said.to, 1); } else { g.add_armies(said.from, -1); }
}
";
    let chance = "fn chance(view, from, to) { 0.1 }";
    let own = fighting_ruleset("standard(\"attack\", #{ move_in: 1 })", chance);
    let own = own.split("fn attack_options").next().unwrap().to_owned() + chance;
    for text in [rules.to_owned(), format!("{rules}{chance}"), own] {
        let folder = folder(&text);
        let odds = ran(folder.path(), "odds 9 1 -r ./r.rhai");
        assert_eq!(odds.code, 2, "{}{}", odds.out, odds.err);
        assert!(odds.err.contains("odds::none"), "{}", odds.err);
    }
}

#[test]
fn a_ruleset_may_tell_its_own_chances() {
    let chance = "fn chance(view, from, to) { 1.0 - 0.5 ** (view.armies(from) - 1) }";
    let folder = folder(&fighting_ruleset(
        "script()",
        &format!("{TOSSES}\n{chance}"),
    ));
    let folder = folder.path();
    assert!(shown(folder).contains('%'));
    let odds = ran(folder, "odds 10 5 -r ./r.rhai");
    assert_eq!(odds.code, 2, "{}{}", odds.out, odds.err);
    assert!(odds.err.contains("--position"), "{}", odds.err);
    let line = "play -r ./r.rhai -m tiny.yaml -b ./asks.rhai -b odds -s 3 --record g.jsonl -q";
    let played = ran(folder, line);
    assert_eq!(played.code, 0, "{}{}", played.out, played.err);
    let record = std::fs::read_to_string(folder.join("g.jsonl")).unwrap();
    assert!(record.contains("\"attack "), "the bots attack by it");
    assert!(!record.contains("\"line\":\"fault\""), "{record}");
    let [mut told, mut refused] = [0, 0];
    let around = ["a", "b", "c", "d", "e", "f", "a"];
    let pairs = around.windows(2).map(|pair| (pair[0], pair[1]));
    for (from, to) in pairs.clone().chain(pairs.map(|(from, to)| (to, from))) {
        let line = format!("odds {from} {to} --position g.jsonl@1 --format json");
        let ran = ran(folder, &line);
        if ran.code == 0 {
            let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
            let chance = value["capture"].as_f64().unwrap();
            assert!(chance > 0.0 && chance < 1.0, "{}", ran.out);
            told += 1;
        } else {
            assert_eq!(ran.code, 2, "{}", ran.err);
            assert!(ran.err.contains("odds::"), "{}", ran.err);
            refused += 1;
        }
    }
    assert!(told > 0 && refused > 0, "{told} told, {refused} refused");
    let wrong = ran(folder, "odds a zz --position g.jsonl@1");
    assert!(wrong.err.contains("odds::territory"), "{}", wrong.err);
    // A map may have far more territories than a message can list.
    let play = "play -q -r hasbro -s 1 -o max_turns=3 --force --record h.jsonl";
    assert_eq!(ran(folder, play).code, 0);
    let wrong = ran(folder, "odds alaska zz --position h.jsonl@120");
    wrong.refuses(2, "odds::territory");
    let text = wrong.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(text.matches(',').count(), 7, "{text}");
    assert!(text.ends_with(" 34 more"), "{text}");
}

/// A chance by the tables comes with the armies that fight, without other units; where the script
/// fights, a mark says that there are other units.
#[test]
fn a_person_reads_the_armies_that_a_chance_is_of() {
    let beside = |text: &str| {
        let units = "units: [\"army\", \"tank\"], advice: \"outnumber\", name:";
        let setup = "fn setup(g) {
    for at in 0..TERRITORIES { g.give(at, at % PLAYERS); g.add_armies(at, 4); g.add_units(at, TANK, 50); }
    g.next_turn(NOBODY);
}";
        let folder = folder(&format!("{}\n{setup}", text.replace("name:", units)));
        shown(folder.path())
    };
    let by_tables = beside("fn ruleset() { #{ extends: \"codelab\", name: \"mine\" } }");
    assert!(
        by_tables.contains("v 4 ") && by_tables.contains('%'),
        "{by_tables}"
    );
    assert!(!by_tables.contains("v 54"), "{by_tables}");
    let own = beside(&fighting_ruleset("script()", LOSES));
    assert!(own.contains("v 4+50") && !own.contains('%'), "{own}");
}

/// Chances are for attacks that the ruleset offers now or would offer in its attack phase.
#[test]
fn a_closed_border_has_no_chance() {
    let closed = |g: &str| {
        format!(
            "fn ruleset() {{ #{{
    extends: \"codelab\", name: \"mine\", phases: #{{ attack: script().fights(\"dice\") }},
}} }}
fn setup(g) {{
    for at in 0..TERRITORIES {{ g.give(at, at % 2); g.add_armies(at, 5); }}
    g.next_turn(NOBODY);
}}
fn attack_options(g, me, out) {{
    for from in g.owned(me) {{
        for to in g.foes(me, from) {{ if {g} {{ out.offer(ATTACK, from, to, 1); }} }}
    }}
    out.offer(DONE);
}}
fn attack_apply(g, me, said) {{ g.done(me); }}
"
        )
    };
    for (rule, is_closed) in [("from + to != 1", true), ("true", false)] {
        let folder = folder(&closed(rule));
        let folder = folder.path();
        let typed = "look a\nlook b\nplace a 3\nlook a\nquit\n";
        let bots = "play -r ./r.rhai -m tiny.yaml -b human -b random -s 3 --seats fixed";
        let seen = run_typed(folder, &words(bots), typed).out;
        // The borders of a and of b, three times in all, while one deploys and while one attacks.
        let told = seen.matches("to take it").count() + seen.matches("from there").count();
        assert_eq!(told, if is_closed { 3 } else { 6 }, "{seen}");

        let play = "play -q -r ./r.rhai -m tiny.yaml -b random -b random -s 3 --record g.jsonl";
        assert_eq!(ran(folder, play).code, 0);
        for (from, to, is_told) in [("a", "b", !is_closed), ("a", "f", true), ("a", "d", false)] {
            let odds = ran(folder, &format!("odds {from} {to} --position g.jsonl@1"));
            if is_told {
                assert_eq!(odds.code, 0, "{}", odds.err);
            } else {
                odds.refuses(2, "odds::to");
            }
        }
    }
}
