//! People at the table: whole sessions from a pipe, recorded and resumed.

mod kills;

use crate::support::library;
use std::path::Path;

use risk_engine::load::Kind;

use crate::support::{Ran, TINY, is_own, run_in, run_typed, words};
use risk_testing::by_case::each;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.yaml"), TINY).unwrap();
    folder
}

fn session(folder: &Path, args: &str, typed: &[&str]) -> Ran {
    let mut text = typed.join("\n");
    text.push('\n');
    run_typed(folder, &words(args), &text)
}

fn record(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn every_ruleset_is_played_to_its_end_and_verifies() {
    each(library().names(Kind::Ruleset), |ruleset| {
        let folder = folder();
        // In teams two players must be conquered, so the turn limit ends the game.
        let short = if *ruleset == "teams" {
            "-o max_turns=24"
        } else {
            ""
        };
        let line = format!("play -r {ruleset} {short} --bot human --seed 3 --record game.jsonl");
        let ran = session(folder.path(), &line, &vec!["auto"; 600]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        assert!(
            ran.out.contains(" wins: ")
                || ran.out.contains(" share the win: ")
                || ran.out.contains("undecided"),
            "{}",
            ran.out
        );
        assert!(
            ran.out
                .lines()
                .all(|line| line.chars().count() <= 80 || line.contains("auto"))
        );
        let verified = run_in(folder.path(), &["replay", "--verify", "game.jsonl"]);
        assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    });
}

/// At a terminal the seed is shown only after the game, and the record holds no salt: no commitment
/// was shown.
#[test]
fn the_seed_is_told_at_the_end() {
    let folder = folder();
    let line = "play -r codelab -m tiny.yaml --bot human --bot outnumber --record g.jsonl --force";
    // A file that other users may be able to read.
    std::fs::write(folder.path().join("g.jsonl"), "").unwrap();
    let ran = session(folder.path(), line, &vec!["auto"; 200]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let header = record(folder.path(), "g.jsonl");
    let header: serde_json::Value = serde_json::from_str(header.lines().next().unwrap()).unwrap();
    let seed = header["seed"].as_str().unwrap();
    let (before, last) = ran.out.split_once(" wins: ").unwrap();
    assert!(seed.len() > 20 && !before.contains(seed), "{before}");
    assert!(last.contains(seed), "{last}");
    assert!(header.get("salt").is_none(), "{header}");
    is_own(&folder.path().join("g.jsonl"));
}

const TINY_GAME: &str = "play -r codelab -m tiny.yaml --bot name=ann,bot=human --bot outnumber --seed 2 --record g.jsonl";

#[test]
fn what_is_said_wrongly_is_answered() {
    // The line typed at the first decision, and the reply.
    let rows = [
        (
            "attack a b",
            "`attack` is not possible now: you can say place, or ? for help",
        ),
        (
            "shoot a",
            "`shoot` is not a word that is known here: you can say place, or ? for help",
        ),
        ("place", "which territory `at`? It can be"),
        (
            "place zz",
            "`zz` can't be the territory `at` here: it can be",
        ),
        ("place a b c d", "that is too much: it is said as `place AT"),
        ("undo", "you have said nothing yet that could be taken back"),
        ("hint nobody", "there is no bot"),
        ("hint cmd:true", "is elsewhere, and is not asked for hints"),
        ("cards", "you see no cards"),
        ("orders", "no order of yours waits"),
        ("attacks", "no attack is possible now"),
        ("hint", "would say `place"),
        ("?", "what is suggested, until this phase is over"),
        ("players", "ann (you)"),
        ("\u{1b}[2J", "is not a word that is known here"),
        (
            "!",
            "`!` says nothing alone: behind an answer, as in `place … !`, it gives that answer again",
        ),
        ("shoot !", "`shoot` is not a word that is known here"),
    ];
    for (said, answer) in rows {
        let folder = folder();
        let ran = session(folder.path(), TINY_GAME, &[said, "quit"]);
        assert_eq!(ran.code, 0, "{said}: {}", ran.err);
        let text = ran.out.replace("\n  ", " ");
        assert!(text.contains(answer), "{said}: {}", ran.out);
        assert!(!ran.out.contains('\u{1b}'), "{said}");
        assert!(
            text.contains("the game is kept: `risk-cli play --resume g.jsonl` goes on with it")
        );
    }
}

#[test]
fn names_are_known_by_their_beginnings_and_numbers_by_words() {
    let folder = folder();
    let said = ["pl A 2", "pl B all", "auto", "quit"];
    let ran = session(folder.path(), TINY_GAME, &said);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let kept = record(folder.path(), "g.jsonl");
    for placed in ["place a 2", "place b 1"] {
        let line = format!("\"seat\":1,\"say\":\"{placed}\"");
        assert!(kept.contains(&line), "{kept}");
    }
    let line = "play -m tiny.yaml --bot human -p 3 --seed 2 --record h.jsonl";
    let mut said = vec!["auto"; 2];
    said.extend(["map", "place half", "quit"]);
    let ran = session(folder.path(), line, &said);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

/// A parameter with one possible value may be omitted at any position: after a conquest the number
/// of armies is enough.
#[test]
fn what_has_one_value_may_be_left_out() {
    let folder = folder();
    let line = "play -r codelab -m tiny.yaml --bot name=ann,bot=human --bot random --seats fixed \
                --seed 2 --record g.jsonl";
    let said = ["b 3", "attack b!", "1", "quit"];
    let ran = session(folder.path(), line, &said);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let kept = record(folder.path(), "g.jsonl");
    assert!(kept.contains("\"say\":\"place b 3\""), "{kept}");
    assert!(kept.contains("\"say\":\"move b "), "{kept}{}", ran.out);
}

#[test]
fn people_name_cards_in_any_order() {
    let folder = folder();
    let rules = "fn ruleset() { #{ extends: \"hasbro\", name: \"mine\" } }
fn setup(g) {
    for at in 0..TERRITORIES { g.give(at, at % PLAYERS); g.add_armies(at, 3); }
    g.fill(DECK, g.all_cards);
    for card in [0, 1, 2, 3, 4] { g.move_card(card, TABLE, DECK, 0, HAND); }
    g.next_turn(NOBODY);
}
";
    std::fs::write(folder.path().join("mine.rhai"), rules).unwrap();
    let line = "play -r ./mine.rhai -m tiny.yaml --bot human -p 3 --seats fixed --seed 2 \
                --record g.jsonl";
    let many = format!("trade{}", " a".repeat(17));
    let ran = session(folder.path(), line, &[&many, "trade c b a", "quit"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let kept = record(folder.path(), "g.jsonl");
    assert!(
        kept.contains("\"say\":\"trade a b c\""),
        "{kept}{}",
        ran.out
    );
}

#[test]
fn a_game_goes_on_from_wherever_it_was_cut() {
    let folder = folder();
    let typed = vec!["auto"; 60];
    let ran = session(folder.path(), TINY_GAME, &typed);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let whole = record(folder.path(), "g.jsonl");
    let ending = |ran: &Ran| {
        ran.out
            .lines()
            .rev()
            .take(4)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let first_line = whole.find('\n').unwrap() + 1;
    let cuts = (0..12).map(|cut| first_line + (whole.len() - first_line - 1) * cut / 12);
    for cut in cuts {
        std::fs::write(folder.path().join("cut.jsonl"), &whole[..cut]).unwrap();
        let resumed = session(folder.path(), "play --resume cut.jsonl", &typed);
        assert_eq!(
            resumed.code, 0,
            "cut at {cut}: {}{}",
            resumed.out, resumed.err
        );
        assert_eq!(record(folder.path(), "cut.jsonl"), whole, "cut at {cut}");
        assert_eq!(ending(&resumed), ending(&ran));
    }
    let over = session(folder.path(), "play --resume g.jsonl", &[]);
    assert_eq!(over.code, 2);
    assert!(
        over.err.contains("the game in g.jsonl is over"),
        "{}",
        over.err
    );
}

/// The program writes the answers of a pass one at a time, so a crash can come between two of them.
#[test]
fn a_record_that_ends_within_a_pass_asks_whose_answer_is_missing() {
    let folder = folder();
    let line = "play -r warzone -m tiny.yaml --bot outnumber --bot human --seats fixed --seed 2 \
                --record g.jsonl";
    let ran = session(folder.path(), line, &["", "quit"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let whole = record(folder.path(), "g.jsonl");
    let answer = whole.find("\"seat\":1,\"say\"").unwrap();
    let cut = answer + whole[answer..].find('\n').unwrap() + 1;
    assert!(whole[cut..].contains("\"seat\":2,\"say\""), "{whole}");
    std::fs::write(folder.path().join("g.jsonl"), &whole[..cut]).unwrap();
    let ran = session(folder.path(), "play --resume g.jsonl", &["quit"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(record(folder.path(), "g.jsonl"), whole[..cut]);
}

#[test]
fn an_answer_is_taken_back_where_chance_has_not_spoken() {
    let folder = folder();
    let line = "play -r warzone -m tiny.yaml --bot human --bot outnumber --seed 2 --record";
    let begin = |name: &str, said: &[&str]| {
        let ran = session(folder.path(), &format!("{line} {name}"), said);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        ran.out
    };
    begin("one", &["place 3", "undo", "place 2", "quit"]);
    begin("other", &["place 2", "quit"]);
    begin("none", &["place 2", "undo", "quit"]);
    assert_eq!(record(folder.path(), "one"), record(folder.path(), "other"));
    assert!(
        !record(folder.path(), "none").contains("answer"),
        "all is taken back"
    );
}

/// The bot that suggests answers has the same plans after `hint`, `undo` and `quit` as without
/// them.
#[test]
fn what_is_suggested_follows_from_the_game_alone() {
    let folder = folder();
    let line = "play -r warzone -m tiny.yaml -o fog=dense --bot human --seats fixed --seed 3";
    let played = |name: &str, said: &[&str]| {
        let line = format!("{line} --record {name}");
        let ran = session(folder.path(), &line, said);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        record(folder.path(), name)
    };
    let whole = played("whole", &[""; 400]);
    for before in [1, 5] {
        let mut said = vec![""; before];
        said.extend(["hint", "undo", "hint", "hint"]);
        said.extend([""; 400]);
        assert!(
            played(&format!("undo-{before}"), &said) == whole,
            "{before}"
        );
    }
    let name = "quit";
    let mut line = format!("{line} --record {name}");
    for _ in 0..400 {
        session(folder.path(), &line, &["", "hint", "", "", "", "", "quit"]);
        line = format!("play --resume {name}");
        if record(folder.path(), name).contains("\"line\":\"end\"") {
            break;
        }
    }
    assert!(record(folder.path(), name) == whole);
}

#[test]
fn what_is_taken_back_behind_chance_is_marked() {
    let folder = folder();
    let line = "play -m tiny.yaml --bot human -p 3 --seed 2 --record";
    let said = ["auto", "auto", "auto", "", "undo", "quit"];
    let refused = session(folder.path(), &format!("{line} free.jsonl"), &said);
    assert!(refused.out.contains("have spoken since"), "{}", refused.out);
    let taken = session(folder.path(), &format!("{line} g.jsonl --takeback"), &said);
    assert_eq!(taken.code, 0, "{}", taken.err);
    let kept = record(folder.path(), "g.jsonl");
    assert_eq!(kept.matches("\"line\":\"undo\"").count(), 1, "{kept}");
    let resumed = session(
        folder.path(),
        "play --resume g.jsonl --takeback",
        &vec!["auto"; 400],
    );
    assert_eq!(resumed.code, 0, "{}{}", resumed.out, resumed.err);
    let verified = run_in(folder.path(), &["replay", "--verify", "g.jsonl"]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    assert!(verified.out.contains("taken back        decisions, 1 time"));
    // A record can't hold an undo of more decisions than there are.
    let broken = kept.replace("\"line\":\"undo\",\"n\":", "\"line\":\"undo\",\"n\":9");
    std::fs::write(folder.path().join("broken.jsonl"), broken).unwrap();
    let broken = session(folder.path(), "play --resume broken.jsonl", &[]);
    assert_eq!(broken.code, 2, "{}", broken.err);
}

/// The second of two consecutive secret phases shows answers of the first, so they can't be undone.
#[test]
fn a_secret_round_is_open_where_the_next_one_shows_it() {
    let folder = folder();
    let rules = "fn ruleset() { #{
    name: \"mine\", about: \"Numbers in secret\", map: \"duel\", players: [2, 2], bots: [\"random\"],
    options: #{}, units: [\"army\"],
    counters: #{ hidden: \"owner\", shown: \"all\" },
    verbs: #{ hide: #{ number: \"count\" } },
    phases: #{ one: secret(script()), two: secret(script()), begin: script() },
    turn: [\"one\", \"two\", \"begin\"], max_turns: 9, strikes: #{ n: 3, per: \"game\" }, on_fault: \"neutral\",
} }
fn setup(g) { g.deal(); g.next_round(); }
fn begin_enter(g, me) { g.next_round(); }
fn one_options(g, me, out) { out.offer(HIDE, 1..=9); }
fn one_apply(g, me, said) { g.set(me, HIDDEN, said.number); g.done(me); }
fn two_enter(g, me) { for who in g.players { g.set(who, SHOWN, g.get(who, HIDDEN)); } }
fn two_options(g, me, out) { out.offer(HIDE, 1..=9); }
fn two_apply(g, me, said) { g.done(me); }
";
    std::fs::write(folder.path().join("mine.rhai"), rules).unwrap();
    let line =
        "play -r ./mine.rhai --bot human --bot random --seats fixed --seed 2 --record g.jsonl";
    let ran = session(folder.path(), line, &["hide 4", "undo", "quit"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("have spoken since"), "{}", ran.out);
    assert!(record(folder.path(), "g.jsonl").contains("\"say\":\"hide 4\""));
}

#[test]
fn a_secret_round_is_not_taken_back_once_it_is_open() {
    let folder = folder();
    let line = "play -r warzone -m tiny.yaml -o luck=0 -o move_order=fixed \
                --bot human --bot outnumber --seats fixed --seed 2 --record";
    let said = ["place 3", "done", "undo", "quit"];
    let refused = session(folder.path(), &format!("{line} free.jsonl"), &said);
    assert_eq!(refused.code, 0, "{}{}", refused.out, refused.err);
    assert!(refused.out.contains("have spoken since"), "{}", refused.out);
    let kept = record(folder.path(), "free.jsonl");
    assert!(kept.contains("\"say\":\"done\""), "{kept}");
    // During the round an undo is allowed.
    let free = session(
        folder.path(),
        &format!("{line} midst.jsonl"),
        &["place 3", "undo", "quit"],
    );
    assert!(!free.out.contains("have spoken since"), "{}", free.out);
    assert!(!record(folder.path(), "midst.jsonl").contains("\"say\""));
    // With `--takeback` the same undo is allowed, and the record counts it.
    let taken = session(
        folder.path(),
        &format!("{line} taken.jsonl --takeback"),
        &said,
    );
    assert_eq!(taken.code, 0, "{}{}", taken.out, taken.err);
    let kept = record(folder.path(), "taken.jsonl");
    assert_eq!(kept.matches("\"line\":\"undo\"").count(), 1, "{kept}");
}

#[test]
fn nobody_takes_back_what_another_has_said() {
    let folder = folder();
    let line = "play -r codelab -m tiny.yaml --bot name=ann,bot=human --bot name=bob,bot=human \
                --seats fixed --seed 2 --record g.jsonl";
    // The `undo` comes at bob's first decision.
    let ann = ["place a 3", "done", "done", "undo", "quit"];
    let ran = session(folder.path(), line, &ann);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let bobs = ran.out.rsplit("bob: deploy").next().unwrap();
    assert_ne!(bobs.len(), ran.out.len(), "{}", ran.out);
    assert!(
        bobs.contains("you have said nothing yet that could be taken back"),
        "{}",
        ran.out
    );
}

#[test]
fn people_at_one_screen_see_their_own_cards_alone() {
    let folder = folder();
    let line =
        "play --bot name=ann,bot=human --bot name=bob,bot=human -p 3 --seed 3 --record g.jsonl";
    let mut typed = Vec::new();
    for _ in 0..400 {
        typed.extend(["auto", "cards"]);
    }
    let ran = session(folder.path(), line, &typed);
    assert!(
        ran.out.contains("Pass to bob, who presses Enter"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("Pass to ann, who presses Enter"));
    // From "Pass to X" to the next such line, the output names only X's cards.
    let mut looks = 0;
    for page in ran.out.split("Pass to ").skip(1) {
        let (owner, other) = if page.starts_with("ann") {
            ("ann", "bob")
        } else {
            ("bob", "ann")
        };
        assert!(!page.contains(&format!("{other} (")), "{page}");
        let mut lines = page.lines();
        let mut speaker = owner;
        for line in lines.by_ref() {
            if let Some(name) = line.strip_prefix("● ") {
                speaker = if name == owner { owner } else { other };
            }
            if line.trim_start().starts_with("draws ") {
                let is_told = !line.ends_with("draws a card");
                assert_eq!(is_told, speaker == owner, "{line} in {page}");
                looks += 1;
            }
        }
    }
    assert!(looks > 4, "{looks} cards were drawn");
}

#[test]
fn a_record_of_a_stranger_runs_nothing() {
    let folder = folder();
    session(folder.path(), TINY_GAME, &["quit"]);
    let honest = "\"bot\":\"outnumber\"";
    let forged = "\"bot\":\"\\\"cmd:touch ran\\\"\"";
    let text = record(folder.path(), "g.jsonl").replace(honest, forged);
    assert!(text.contains(forged));
    let mut last = String::new();
    let mut lines = String::new();
    for line in text.lines() {
        let (body, _) = risk_engine::record::split_sum(line).unwrap();
        last = risk_engine::record::sum(&last, body);
        lines += &format!("{body},\"sum\":\"{last}\"}}\n");
    }
    std::fs::write(folder.path().join("g.jsonl"), lines).unwrap();
    let resumed = session(folder.path(), "play --resume g.jsonl", &["quit"]);
    assert_eq!(resumed.code, 2);
    assert!(
        resumed.err.contains("which is outside of this folder"),
        "{}",
        resumed.err
    );
    assert!(!folder.path().join("ran").exists());
}

#[test]
fn a_game_is_played_at_one_place_at_a_time() {
    let folder = folder();
    session(folder.path(), TINY_GAME, &["quit"]);
    let elsewhere = std::fs::File::open(folder.path().join("g.jsonl")).unwrap();
    elsewhere.lock().unwrap();
    let refused = session(folder.path(), "play --resume g.jsonl", &["quit"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("g.jsonl is played by another program"),
        "{}",
        refused.err
    );
    elsewhere.unlock().unwrap();
    let resumed = session(folder.path(), "play --resume g.jsonl", &["quit"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
}

#[test]
fn what_fog_hides_is_told_as_unknown() {
    let rows = [
        (
            "-r fog -o fog=heavy -p 3",
            "players",
            "random  land and armies unknown, reserve",
        ),
        (
            "-r fog -o fog=heavy -p 3",
            "land",
            "land and armies unknown, reserve",
        ),
        (
            "-r warzone -o fog=dense -p 2",
            "players",
            "random  21 territories, armies unknown",
        ),
        ("-r warzone -o fog=dense -p 2", "", "   ? armies"),
        (
            "-r warzone -o fog=none -p 2",
            "players",
            "random  21 territories, 21 armies in sight",
        ),
    ];
    for (rules, said, told) in rows {
        let folder = folder();
        let line = format!(
            "play {rules} --bot human --bot random --seats fixed --seed 1 --record g.jsonl"
        );
        let ran = session(folder.path(), &line, &[said, "quit"]);
        assert!(
            ran.out.contains(told),
            "{rules} {said}: {}{}",
            ran.out,
            ran.err
        );
    }
}

#[test]
fn a_line_that_is_no_text_is_told_with_its_place() {
    let folder = folder();
    let ran = run_typed(folder.path(), &words(TINY_GAME), b"?\nplace \xff\n");
    assert_eq!(ran.code, 2, "{}", ran.out);
    let told = "line 2 of the standard input is not UTF-8: byte 7 is 0xff";
    assert!(ran.err.contains(told), "{}", ran.err);
    assert!(
        ran.err.contains("the game is kept: go on with --resume"),
        "{}",
        ran.err
    );
}

#[test]
fn people_play_where_somebody_can_ask_them() {
    let rows = [
        (
            "play --bot human --games 3",
            "--games is not for games that people play",
        ),
        (
            "play --bot human --quiet",
            "--quiet is not for games that people play",
        ),
        (
            "play --bot human --format json",
            "--format is not for games that people play",
        ),
        (
            "play --bot human --clock move=1s,bank=2s",
            "a game with people has no clocks",
        ),
        (
            "play --takeback",
            "no person plays who could take anything back",
        ),
        (
            "compare human random",
            "a person plays in `risk-cli play` alone",
        ),
        ("play --resume nothing.jsonl", "nothing.jsonl"),
    ];
    for (args, wanted) in rows {
        let ran = session(folder().path(), args, &[]);
        assert_eq!(ran.code, 2, "{args}: {}{}", ran.out, ran.err);
        assert!(
            ran.err.replace("\n  │ ", " ").contains(wanted),
            "{args}: {}",
            ran.err
        );
    }
    let endless = session(folder().path(), TINY_GAME, &vec!["nonsense"; 1_001]);
    assert_eq!(endless.code, 2);
    assert!(
        endless.err.contains("1000 lines in a row"),
        "{}",
        endless.err
    );
}
