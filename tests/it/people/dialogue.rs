//! Lines that need the lines before them: numbers that complete an action, counters that change,
//! and answers that are taken back.

use super::{record, session};

/// Each player marches from Alaska alone, and then says how many follow.
const MARCH: &str = r#"fn ruleset() { #{
    name: "march", about: "Marches", players: [2, 2], map: "world", bots: ["random"],
    units: ["army", "fort"],
    counters: #{ steps: #{ seen: "all", state: "{now} steps taken" } },
    verbs: #{
        march: #{ from: "territory", to: "territory", armies: "count" },
        follow: #{ armies: "count" },
    },
    phases: #{ first: script(), then: script(), begin: script() },
    turn: ["first", "then", "begin"], max_turns: 9,
} }
fn setup(g) {
    for at in 0..42 { g.give(at, if at == 0 { 0 } else { 1 }); g.add_armies(at, 3); }
    g.add_units(1, FORT, 2);
    g.push(FIRST_PHASE, 0); g.push(THEN_PHASE, 0); g.push(BEGIN_PHASE, NOBODY);
}
fn begin_enter(g, me) { g.next_round(); }
fn first_options(g, me, out) {
    if g.get(me, STEPS) < 2 { out.offer(MARCH, [0], [1, 5], 1..=3); }
    if g.get(me, STEPS) == 1 { out.offer(FOLLOW, 1..=2); }
}
fn first_apply(g, me, said) { g.add(me, STEPS, 1); if g.get(me, STEPS) == 2 { g.done(me); } }
fn then_options(g, me, out) { out.offer(FOLLOW, 0..=3); }
fn then_apply(g, me, said) { g.done(me); }
"#;

fn play(lines: &[&str]) -> (String, String) {
    let folder = super::folder();
    std::fs::write(folder.path().join("march.rhai"), MARCH).unwrap();
    let line = "play -r ./march.rhai -m hacker-risk --bot name=ann,bot=human --bot \
                name=bob,bot=random --seats fixed --seed 2 --record g.jsonl";
    let ran = session(folder.path(), line, lines);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    (ran.out, record(folder.path(), "g.jsonl"))
}

#[test]
fn a_number_completes_the_line_before() {
    let lines = ["march northwest", "2", "march alaska northwest", "quit"];
    let (out, record) = play(&lines);
    assert!(out.contains("missing `armies`"), "{out}");
    let said = "\"say\":\"march alaska northwest-territory 2\"";
    assert!(record.contains(said), "{record}");
    // So does a second number if the first was too large.
    let (out, record) = play(&["march northwest", "50", "2", "quit"]);
    assert!(record.contains(said), "{out}{record}");
    // A number after a command completes nothing.
    let (out, record) = play(&["march northwest", "players", "2", "quit"]);
    assert!(!record.contains("\"say\""), "{out}{record}");
}

#[test]
fn a_single_start_is_named_in_messages() {
    let lines = [
        "march ontario northwest 2",
        "march alaska xyz 2",
        "march 1 northwest",
        "quit",
    ];
    let (out, record) = play(&lines);
    let out: Vec<&str> = out.split_whitespace().collect();
    let out = out.join(" ");
    let text = "`ontario` is not possible for the territory `from`";
    assert!(out.contains(text), "{out}");
    assert!(out.contains("no territory is called `xyz`"), "{out}");
    assert!(
        record.contains("march alaska northwest-territory 1"),
        "{record}"
    );
}

#[test]
fn done_means_that_no_more_follow() {
    let lines = ["march eastern 1", "march eastern 1", "done", "quit"];
    let (out, record) = play(&lines);
    assert!(out.contains("follow ARMIES: 0 to 3"), "{out}");
    assert!(record.contains("\"say\":\"follow 0\""), "{out}{record}");
    // Where at least one must follow, it is no answer.
    let (_, record) = play(&["march eastern 1", "done", "quit"]);
    assert!(!record.contains("follow"), "{record}");
}

/// After each answer in a phase, what has changed is shown: counters and further actions.
#[test]
fn changes_are_shown_within_a_phase() {
    let (out, _) = play(&["march eastern 1", "undo", "march northwest 1", "quit"]);
    let asked = out
        .matches("type march FROM TO ARMIES · ? for help")
        .count();
    let again = "type march FROM TO ARMIES · follow ARMIES · ? for help";
    assert_eq!(out.matches("1 steps taken").count(), 2, "{out}");
    assert!(
        out.contains("taken back: march alaska eastern-canada 1"),
        "{out}"
    );
    assert!(out.contains(again), "{out}");
    assert!(asked >= 1, "{out}");
}

/// Units of different kinds are not summed up.
#[test]
fn attacks_mark_units_of_other_kinds() {
    let (out, _) = play(&["map", "look northwest", "quit"]);
    assert!(out.contains("3 v 3+2"), "{out}");
    assert!(out.contains("3 v 3\n"), "{out}");
    assert!(out.contains("3 armies + 2 forts"), "{out}");
}

/// Armies that orders place and send away are shown where a person looks.
#[test]
fn orders_count_before_they_are_executed() {
    let folder = super::folder();
    let line = "play -r warzone --bot name=ann,bot=human --bot outnumber --seats \
                fixed --seed 3 --record g.jsonl";
    let lines = [
        "place ukraine 5",
        "look ukraine",
        "attack ukraine ural 4",
        "look ural",
        "quit",
    ];
    let ran = session(folder.path(), line, &lines);
    let shown: Vec<&str> = ran.out.split_whitespace().collect();
    let shown = shown.join(" ");
    assert!(
        shown.contains("Ukraine (ukraine): you, 1 army (+5 by your orders)"),
        "{shown}"
    );
    assert!(
        shown.contains("(+5 by your orders, 4 with orders to leave)"),
        "{shown}"
    );
}

/// What others may do in a planned phase is not what they did.
#[test]
fn a_plan_imagines_nothing_of_others_that_is_shown() {
    let folder = super::folder();
    let line = "play -r warzone --bot name=ann,bot=human --bot name=bob,bot=human --seats fixed \
                --seed 3 --record g.jsonl";
    let lines = [
        "",
        "players",
        "place ukraine 2",
        "place ukraine 3",
        "players",
        "quit",
    ];
    let ran = session(folder.path(), line, &lines);
    let bob = |line: &&str| line.trim_start().starts_with("bob") && line.contains("to place");
    let rows: Vec<&str> = ran.out.lines().filter(bob).collect();
    let [before, after] = rows.as_slice() else {
        panic!("{}", ran.out);
    };
    assert_eq!(before, after, "{}", ran.out);
    assert!(ran.out.contains("armies to place\n"), "{}", ran.out);
}

/// Whoever quits is asked once more if that loses the orders of others.
#[test]
fn planned_orders_are_not_lost_by_one_word() {
    let folder = super::folder();
    let line = "play -r warzone --bot name=ann,bot=human --bot name=bob,bot=human --seats fixed \
                --seed 3 --record g.jsonl";
    // At the hand-over, at the next question, and anew after an order.
    let lines = [
        "",
        "auto",
        "quit",
        "",
        "quit",
        "place alaska 1",
        "quit",
        "players",
        "QUIT",
    ];
    let ran = session(folder.path(), line, &lines);
    assert_eq!(
        ran.out.matches("type `quit` again").count(),
        3,
        "{}",
        ran.out
    );
    assert!(ran.out.contains("bob (you)"), "{}", ran.out);
    assert!(
        ran.out.contains("of ann in this phase can't be saved"),
        "{}",
        ran.out
    );
}

/// The orders of the person who quits count too.
#[test]
fn own_planned_orders_are_not_lost_by_one_word() {
    let folder = super::folder();
    let line = "play -r warzone --bot name=ann,bot=human --bot human --seats fixed --seed 3 \
                --record g.jsonl";
    let lines = ["", "place ontario 2", "quit", "players", "quit", "players"];
    let ran = session(folder.path(), line, &lines);
    assert!(ran.out.contains("ann in this phase can't"), "{}", ran.out);
    assert_eq!(ran.out.matches("ann (you)").count(), 1, "{}", ran.out);
}

/// A game that was left before its first answer has no story to go on with.
#[test]
fn a_game_without_a_story_is_resumed() {
    let folder = super::folder();
    let line = "play -r simplified --bot human --bot human --record g.jsonl";
    let ran = session(folder.path(), line, &["quit"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let ran = session(folder.path(), "play --resume g.jsonl", &["", "quit"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

/// Words that begin an action are not a command, even if a name in them is misspelt.
#[test]
fn a_misspelt_action_is_not_a_command() {
    let folder = super::folder();
    let line =
        "play -r simplified --bot human --bot random --seats fixed --seed 3 --record g.jsonl";
    let ran = session(folder.path(), line, &["pla r0c77 3", "quit"]);
    assert!(!ran.out.contains("takes no other words"), "{}", ran.out);
    assert!(ran.out.contains("`r0c77`: `at` must be"), "{}", ran.out);
}

/// The beginning of a command is enough, but not for what ends the game.
#[test]
fn commands_can_be_abbreviated() {
    let (out, _) = play(&["bonus", "pla", "loo alas", "rul", "qui", "quit"]);
    assert!(out.contains("North America, bonus 5"), "{out}");
    assert!(out.contains("ann (you)"), "{out}");
    assert!(out.contains("Alaska (alaska): you"), "{out}");
    assert!(out.contains("did you mean `quit`?"), "{out}");
}

/// People who see the same screen read each action once.
#[test]
fn a_shared_screen_tells_each_action_once() {
    let folder = super::folder();
    let line = "play -r simplified --bot name=ann,bot=human --bot name=bob,bot=human --seats fixed \
                --seed 3 --record g.jsonl";
    let ran = session(
        folder.path(),
        line,
        &["auto turn", "auto turn", "auto turn", "quit"],
    );
    assert_eq!(ran.out.matches("── Round 1 ").count(), 1, "{}", ran.out);
    let (_, round) = ran.out.split_once("── Round 1 ").unwrap();
    assert_eq!(round.matches("● ann").count(), 1, "{}", ran.out);
    assert!(round.contains("── bob: "), "{}", ran.out);
}

/// While armies are placed, a person wants to know which attacks could follow.
#[test]
fn attacks_that_could_follow_are_listed_while_armies_are_placed() {
    let folder = super::folder();
    let line = "play -r codelab --bot name=ann,bot=human --bot random --seats fixed --seed 3";
    let attacks = |typed: &[&str]| {
        let ran = session(folder.path(), line, typed);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        ran.out.lines().filter(|line| line.contains(" v ")).count()
    };
    assert_eq!(attacks(&["quit"]), 0);
    assert!(attacks(&["attacks", "quit"]) > 0);
}

#[test]
fn continents_lead_to_bonuses() {
    let (out, _) = play(&["continents", "quit"]);
    assert!(out.contains("`bonuses`"), "{out}");
}
