//! Hints: what they tell, that Enter takes them, and the territories that they mark.

use super::{TINY_GAME, folder, record, session};

/// Returns the reply to each typed line, with the suggestion below it.
fn replies(out: &str) -> Vec<&str> {
    out.split(")> ").skip(1).collect()
}

/// Returns the suggestion at the end of a reply.
fn suggested(reply: &str) -> &str {
    let (_, rest) = reply.split_once("  Enter: ").unwrap();
    rest.lines().next().unwrap()
}

#[test]
fn a_hint_tells_what_it_is_after_and_marks_it() {
    let folder = folder();
    let ran = session(
        folder.path(),
        TINY_GAME,
        &["map", "hint", "map", "", "map", "hint", "quit"],
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let replies = replies(&ran.out);
    let [before, hint, marked, _, after, attack, _] = &replies[..] else {
        panic!("{}", ran.out)
    };
    assert_eq!(
        *hint,
        "hint
  general would play `place b 3`
  it means to take c: 83 %, about 8 armies left
  Enter: place b 3
ann (deploy"
    );
    assert!(!before.contains('*'), "{before}");
    assert!(marked.contains("*b") && marked.contains("*c"), "{marked}");
    assert_eq!(marked.matches('*').count(), 2, "{marked}");
    assert!(!after.contains('*'), "{after}");
    // The first attack has the same plan.
    assert!(
        attack.contains("`attack b c 3`") && attack.contains("to take c: 83 %, about 8 armies"),
        "{attack}"
    );
}

#[test]
fn a_hint_of_a_bot_for_other_games_is_a_guess() {
    let folder = folder();
    let ruleset = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/engine/tests/rulesets/majority.rhai"
    );
    let game = format!("play --ruleset {ruleset} --bot human --bot random --seed 1");
    let ran = session(folder.path(), &game, &["hint", "quit"]);
    assert!(
        !replies(&ran.out)[0].contains("guess"),
        "`search` is made for any rules: {}",
        ran.out
    );
    let ran = session(folder.path(), &game, &["hint general", "quit"]);
    assert!(
        replies(&ran.out)[0].contains("this is a guess"),
        "{}",
        ran.out
    );
    let ran = session(folder.path(), TINY_GAME, &["hint", "quit"]);
    assert!(!replies(&ran.out)[0].contains("guess"), "{}", ran.out);
}

#[test]
fn enter_takes_the_hint_of_another_bot() {
    let folder = folder();
    let said = ["hint random", "hint", "hint random", "", "quit"];
    let ran = session(folder.path(), TINY_GAME, &said);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let replies = replies(&ran.out);
    let hinted = suggested(replies[0]);
    assert!(replies[0].contains(&format!("random would play `{hinted}`")));
    assert!(!replies[0].contains("it means"), "{}", replies[0]);
    // The suggestion of the adviser replaces the hint, and the other way round.
    assert_eq!(suggested(replies[1]), "place b 3");
    assert_eq!(suggested(replies[2]), hinted);
    let kept = record(folder.path(), "g.jsonl");
    let line = format!("\"seat\":1,\"say\":\"{hinted}\"");
    assert!(kept.contains(&line), "{kept}");
}

/// A hint of several steps is followed, a fault in its aim is no strike, and a resumed game
/// suggests what it would suggest without the hint.
#[test]
fn the_next_steps_of_a_hint_are_suggested() {
    let folder = folder();
    let bot = "fn deploy(view, ask) { [ask.act(\"place\", 0, 1), ask.act(\"place\", 5, 2)] }
fn answer(view, ask) { ask.nth(0) }
fn aim(view, action) { view.armies(99) }
";
    std::fs::write(folder.path().join("two.rhai"), bot).unwrap();
    let ran = session(folder.path(), TINY_GAME, &["hint ./two.rhai", "", "quit"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let said = replies(&ran.out);
    let hint: Vec<&str> = said[0].split_whitespace().collect();
    let hint = hint.join(" ");
    assert!(
        hint.contains("would play `place a 1`, then place f 2"),
        "{hint}"
    );
    assert!(
        hint.contains("no aim: ") && hint.contains("two.rhai:3:"),
        "{hint}"
    );
    assert_eq!(suggested(said[0]), "place a 1");
    assert_eq!(suggested(said[1]), "place f 2");
    let kept = record(folder.path(), "g.jsonl");
    assert!(!kept.contains("fault"), "{kept}");
    let resumed = session(folder.path(), "play --resume g.jsonl", &["quit"]);
    let (_, first) = resumed.out.split_once("  Enter: ").unwrap();
    let without = session(
        folder.path(),
        &TINY_GAME.replace("g.jsonl", "h.jsonl"),
        &["place a 1", "quit"],
    );
    let without = replies(&without.out);
    assert_eq!(first.lines().next().unwrap(), suggested(without[0]));
    // A hint leaves no trace in the record.
    assert_eq!(kept, record(folder.path(), "h.jsonl"));
}

/// Advice respects what the person has ordered: nobody attacks a player after making peace.
#[test]
fn advice_goes_on_from_the_orders_of_a_person() {
    let rules = "fn ruleset() { #{ extends: \"warzone\", name: \"wz\" } }
fn setup(g) { base::setup(g); for who in g.players { g.set(who, TRUCES, 1); } }
";
    let folder = super::folder();
    std::fs::write(folder.path().join("wz.rhai"), rules).unwrap();
    let line = "play -r ./wz.rhai --bot name=ann,bot=human --bot name=bob,bot=random --seats fixed \
                --seed 3 --record g.jsonl";
    for (typed, attacks) in [("negotiate bob", false), ("look ural", true)] {
        let ran = session(folder.path(), line, &[typed, "hint marshal", "quit"]);
        let (_, hint) = ran.out.split_once("marshal would play").unwrap();
        assert_eq!(hint.contains("attack "), attacks, "{typed}: {}", ran.out);
        std::fs::remove_file(folder.path().join("g.jsonl")).unwrap();
    }
}

/// Advice is as good as the bot's own play, where a bot chooses among plans of several steps: with
/// single steps, the rebels never attack and lose.
#[test]
fn advice_sees_the_plans_that_bots_see() {
    let folder = super::folder();
    let line = "play -r starwars --bot name=ann,bot=human --bot admiral --seats fixed --seed 7 \
                --record g.jsonl";
    let ran = session(folder.path(), line, &["auto turn"; 300]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("You win: the Death Star"), "{}", ran.out);
    // A fight in which the attacker chooses each hit is one sentence.
    assert!(!ran.out.contains("→ Sector"), "{}", ran.out);
}
