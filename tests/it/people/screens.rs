//! What a person reads about a ruleset that is not Risk: titles, states, rules and help.

use super::{record, session};
use crate::support::run_in;

/// A ruleset with two kinds of units, cards with titles, counters with sentences, and a phase in
/// which all players order secretly.
const FLEET: &str = r#"
fn ruleset() { #{
    name: "fleet", about: "A fleet", players: [2, 2], map: "world", bots: ["random"],
    units: [#{ name: "xwing", title: "X-wing" }, #{ name: "cavalry", plural: "horsemen" }],
    counters: #{
        gold: #{ seen: "all", state: "{now} {now:coin|coins}" },
        kept: #{ seen: "all", state: "" },
        plain_one: "all",
    },
    card_kinds: ["aim"],
    piles: #{
        aims: #{ seen: "owner", title: "secret aims", state: "the aim: {last}" },
        bin: #{ seen: "all", title: "" },
    },
    verbs: #{
        send: #{
            kind: "unit", ships: "count", at: "territory",
            about: "sends units to a territory", tell: "sends {ships} {kind} to {at}",
        },
        done: #{},
    },
    phases: #{
        orders: secret(script().about("Choose where your units go.")),
        begin: script(),
    },
    turn: ["orders", "begin"], max_turns: 3,
    rules: `
Goal: have the most
coins.

Special: nothing.
- one item
`,
} }
fn cards(g) { [
    #{ name: "aim-1", kind: AIM, title: "Get rich", tell: "have 5 coins" },
    #{ name: "aim-2", kind: AIM, title: "Hold out", tell: "survive" },
] }
fn setup(g) {
    g.deal();
    for who in g.players {
        g.set(who, GOLD, 2 - who);
        g.set(who, KEPT, 7);
        g.set(who, PLAIN_ONE, 3);
        g.add_units(g.owned(who)[0], XWING, 3);
        g.add_units(g.owned(who)[0], CAVALRY, 2);
    }
    g.fill(AIMS, g.all_cards);
    for who in g.players { g.draw(who, AIMS, AIMS); }
    g.next_round();
}
fn begin_enter(g, me) { g.next_round(); }
fn orders_options(g, me, out) {
    if g.get(me, GOLD) > 0 { out.offer(SEND, [XWING, CAVALRY], 1..=3, g.owned(me)); }
    out.offer(DONE);
}
fn orders_apply(g, me, said) {
    if said.verb == DONE { g.done(me); } else { g.add(me, GOLD, -1); }
}
"#;

fn play(typed: &[&str]) -> (tempfile::TempDir, String) {
    let folder = super::folder();
    std::fs::write(folder.path().join("fleet.rhai"), FLEET).unwrap();
    let line = "play -r ./fleet.rhai --bot name=ann,bot=human --bot name=bob,bot=human \
                --seats fixed --seed 2 --record g.jsonl";
    let ran = session(folder.path(), line, typed);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    (folder, ran.out)
}

#[test]
fn screens_show_titles_states_and_meanings() {
    let commands = [
        "",
        "?",
        "rules",
        "cards",
        "players",
        "map",
        "land",
        "send cav 1 green",
        "quit",
    ];
    let (_folder, out) = play(&commands);
    for shown in [
        "Choose where your units go.",
        "2 coins, plain one: 3",
        "the aim: Hold out",
        "send KIND SHIPS AT",
        "sends units to a territory, as in",
        "  Goal: have the most coins.\n\n  Special: nothing.\n  - one item\n",
        "your secret aims: Hold out\n    survive\n",
        "secret aims: 1 card",
        "1 coin, plain one: 3",
        "24 X-wings, 2 horsemen",
        "Alaska: b 4 X-wings + 2 horsemen",
        "noted: sends 1 cavalry to Greenland",
    ] {
        assert!(out.contains(shown), "{shown}: {out}");
    }
    for hidden in ["aim-1", "kept", "bin", "attacks", "odds 7 3", "aims: aim"] {
        assert!(!out.contains(hidden), "{hidden}: {out}");
    }
}

/// Ann orders once, takes back a planned order, and is done; then Bob orders twice. The console is
/// passed on once for each.
#[test]
fn a_secret_phase_is_passed_on_once() {
    let typed = [
        "",
        "send xwing 1 greenland",
        "undo",
        "send xwing 2 greenland",
        "done",
        "",
        "send xwing 1 alaska",
        "done",
        "",
        "",
        "quit",
    ];
    let (folder, out) = play(&typed);
    let passed = out.matches("Pass to ").count();
    assert_eq!(passed, 3, "{out}");
    assert!(out.contains("taken back"), "{out}");
    assert_eq!(out.matches("Enter: hide this screen").count(), 1, "{out}");
    let kept = record(folder.path(), "g.jsonl");
    assert_eq!(kept.matches("send xwing 2 greenland").count(), 1, "{kept}");
    assert!(!kept.contains("send xwing 1 greenland"), "{kept}");
}

#[test]
fn planned_answers_are_those_of_the_record() {
    let typed: Vec<&str> = std::iter::once("")
        .chain(std::iter::repeat_n("auto", 60))
        .collect();
    let (folder, out) = play(&typed);
    let verified = run_in(folder.path(), &["replay", "--verify", "g.jsonl"]);
    assert_eq!(verified.code, 0, "{out}{}", verified.err);
    assert!(
        record(folder.path(), "g.jsonl").contains("\"line\":\"end\""),
        "{out}"
    );
}

#[test]
fn a_ruleset_without_rules_tells_its_phases_and_endings() {
    let folder = super::folder();
    let text = FLEET
        .replace("rules: `", "about: `")
        .replacen("about: \"A fleet\", ", "", 1);
    let text = text.replace(
        "about: `\nGoal: have the most\ncoins.\n\nSpecial: nothing.\n- one item\n`",
        "about: \"x\"",
    );
    std::fs::write(folder.path().join("fleet.rhai"), text).unwrap();
    let shown = run_in(
        folder.path(),
        &["ruleset", "show", "--rules", "./fleet.rhai"],
    );
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(
        shown.out.contains("The phases of a turn: orders, begin."),
        "{}",
        shown.out
    );
    let over = "fn ruleset() { #{ extends: \"hasbro\", name: \"mine\" } }\n";
    std::fs::write(folder.path().join("mine.rhai"), over).unwrap();
    let shown = run_in(
        folder.path(),
        &["ruleset", "show", "--rules", "./mine.rhai"],
    );
    let head = "These are the rules of `hasbro`, which this ruleset changes.";
    assert!(shown.out.contains(head), "{}", shown.out);
}

#[test]
fn the_events_of_a_record_are_printed() {
    let typed: Vec<&str> = std::iter::once("")
        .chain(std::iter::repeat_n("auto", 60))
        .collect();
    let (folder, _) = play(&typed);
    let shown = run_in(folder.path(), &["replay", "g.jsonl", "--events"]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    let kinds: Vec<String> = shown
        .out
        .lines()
        .map(|line| {
            let event: serde_json::Value = serde_json::from_str(line).unwrap();
            event["kind"].as_str().unwrap().to_owned()
        })
        .collect();
    for kind in ["units", "owner", "counter", "turn", "answer"] {
        assert!(kinds.iter().any(|it| it == kind), "{kind}: {kinds:?}");
    }
}

/// A person who stops within a secret phase learns which answers the record does not have.
#[test]
fn planned_answers_that_are_lost_are_counted() {
    let (folder, out) = play(&[
        "",
        "send xwing 1 greenland",
        "send xwing 1 greenland",
        "quit",
    ]);
    assert!(
        out.contains("2 orders of ann in this phase can't be saved"),
        "{out}"
    );
    assert!(
        !record(folder.path(), "g.jsonl").contains("greenland"),
        "{out}"
    );
}

/// A record of a ruleset elsewhere is resumed as the program says.
#[test]
fn a_ruleset_outside_the_folder_is_trusted_on_request() {
    let folder = super::folder();
    let elsewhere = tempfile::tempdir().unwrap();
    let ruleset = elsewhere.path().join("fleet.rhai");
    std::fs::write(&ruleset, FLEET).unwrap();
    let line = format!(
        "play -r {} --bot human --bot random --seed 2 --record g.jsonl",
        ruleset.display()
    );
    let ran = session(folder.path(), &line, &["quit"]);
    assert!(
        ran.out
            .replace("\n  ", " ")
            .contains("--resume g.jsonl --programs"),
        "{}",
        ran.out
    );
    session(folder.path(), "play --resume g.jsonl", &["quit"]).refuses(2, "record::outside");
    let resumed = session(folder.path(), "play --resume g.jsonl --programs", &["quit"]);
    assert_eq!(resumed.code, 0, "{}{}", resumed.out, resumed.err);
}

/// Armies that could still be placed are not given up by one word.
#[test]
fn armies_left_are_asked_about() {
    let folder = super::folder();
    let line = "play -r warlight2 --bot human --seed 5 --record g.jsonl";
    let ran = session(folder.path(), line, &["", "", "", "done", "done", "quit"]);
    assert!(
        ran.out.contains("5 armies to place; type `done` again"),
        "{}",
        ran.out
    );
    let kept = record(folder.path(), "g.jsonl");
    assert_eq!(
        kept.matches("\"seat\":1,\"say\":\"done\"").count(),
        1,
        "{kept}"
    );
}
