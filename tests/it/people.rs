//! People at the table: whole sessions from a pipe, recorded and resumed.

mod dialogue;
mod hints;
mod kills;
mod levels;
mod screens;
mod stories;

use std::collections::BTreeSet;
use std::path::Path;

use risk_maps::files::FileKind;

use crate::support::{RunOutput, TINY, is_own, library, run_in, run_typed, words};
use risk_testing::by_case::each;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.yaml"), TINY).unwrap();
    folder
}

fn session(folder: &Path, args: &str, typed: &[&str]) -> RunOutput {
    let mut text = typed.join("\n");
    text.push('\n');
    run_typed(folder, &words(args), &text)
}

fn record(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn every_ruleset_is_played_to_its_end_and_verifies() {
    each(library().names(FileKind::Ruleset), |ruleset| {
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
                || ran.out.contains("You win: ")
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
    let (before, last) = ran.out.split_once("── The end").unwrap();
    assert!(seed.len() > 20 && !before.contains(seed), "{before}");
    assert!(last.contains(seed), "{last}");
    assert!(header.get("salt").is_none(), "{header}");
    is_own(&folder.path().join("g.jsonl"));
}

const TINY_GAME: &str = "play -r codelab -m tiny.yaml --bot name=ann,bot=human --bot outnumber --seed 2 --record g.jsonl";

/// Lines typed at the first decision that play nothing, and facts in the reply.
const REPLIES: [(&str, &[&str]); 16] = [
    ("attack a b", &["`attack`", "place"]),
    ("shoot a", &["`shoot`", "place"]),
    ("place", &["`at`", "a, b"]),
    ("place zz", &["`zz`", "`at`", "a, b"]),
    ("place a b c d", &["`place AT ARMIES`"]),
    ("undo", &[]),
    ("hint nobody", &["`nobody`"]),
    ("hint cmd:true", &["cmd:true"]),
    ("cards", &[]),
    ("orders", &[]),
    ("attacks", &["→", "%"]),
    ("continents", &["`bonuses`"]),
    ("hint", &["`place b 3`", "to take c: 83 %"]),
    ("?", &["place AT ARMIES", "auto", "undo", "quit"]),
    ("players", &["ann", "outnumber", "40 armies"]),
    ("!", &["`!`", "`place … !`"]),
];

/// Returns the reply to each line that was typed in the phase `deploy` of a game.
fn replies(out: &str) -> Vec<String> {
    let typed = out.split(" (deploy)> ").skip(1);
    let replies = typed.map(|text| {
        let (_, reply) = text.split_once('\n').unwrap();
        reply.split("  Enter: ").next().unwrap()
    });
    replies
        .map(|reply| reply.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn what_is_said_wrongly_is_answered() {
    let folder = folder();
    let rows = REPLIES.iter().map(|row| row.0);
    let typed: Vec<&str> = rows.chain(["shoot !", "\u{1b}[2J", "quit"]).collect();
    let ran = session(folder.path(), TINY_GAME, &typed);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(!ran.out.contains('\u{1b}'), "{}", ran.out);
    assert!(!record(folder.path(), "g.jsonl").contains("\"say\""));
    let replies = replies(&ran.out);
    let mut different = BTreeSet::new();
    for ((typed, facts), reply) in REPLIES.iter().zip(&replies) {
        for fact in *facts {
            assert!(reply.contains(fact), "{typed}: {reply}");
        }
        let word = typed.split(' ').next().unwrap();
        let bare = reply.replace(word, "");
        assert!(
            !bare.is_empty() && different.insert(bare),
            "{typed}: {reply}"
        );
    }
    let [.., unknown, escaped, quit] = &replies[..] else {
        panic!("{replies:?}")
    };
    assert_eq!(*unknown, replies[1]);
    assert_eq!(escaped.replace(r"\u{1b}[2J", "shoot"), replies[1]);
    assert!(!replies[5].contains("--takeback"), "{}", replies[5]);
    assert!(quit.contains("`risk-cli play --resume g.jsonl`"), "{quit}");
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
    let ending = |ran: &RunOutput| {
        ran.out
            .lines()
            .rev()
            .take(4)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let first_line = whole.find('\n').unwrap() + 1;
    let cuts = (0..12).map(|cut| first_line + (whole.len() - first_line - 1) * cut / 12);
    let before_line_end = first_line + whole[first_line..].find('\n').unwrap();
    for cut in cuts.chain([before_line_end, before_line_end + 1]) {
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
    over.refuses(2, "record::over");
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
fn an_undo_after_chance_is_marked() {
    let folder = folder();
    let line = "play -m tiny.yaml --bot human -p 3 --seed 2 --record";
    let said = ["auto", "auto", "auto", "", "undo", "quit"];
    let refused = session(folder.path(), &format!("{line} free.jsonl"), &said);
    assert!(refused.out.contains("`--takeback`"), "{}", refused.out);
    assert!(!record(folder.path(), "free.jsonl").contains("\"line\":\"undo\""));
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
    assert!(verified.out.contains("1 time"), "{}", verified.out);
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
    assert!(ran.out.contains("`--takeback`"), "{}", ran.out);
    assert!(record(folder.path(), "g.jsonl").contains("\"say\":\"hide 4\""));
}

#[test]
fn a_secret_round_is_not_taken_back_once_it_is_open() {
    let folder = folder();
    let line = "play -r warzone -m tiny.yaml -o luck=0 -o move_order=fixed \
                --bot human --bot outnumber --seats fixed --seed 2 --record";
    let said = ["place b 3", "done", "done", "undo", "quit"];
    let refused = session(folder.path(), &format!("{line} free.jsonl"), &said);
    assert_eq!(refused.code, 0, "{}{}", refused.out, refused.err);
    assert!(refused.out.contains("`--takeback`"), "{}", refused.out);
    let kept = record(folder.path(), "free.jsonl");
    assert!(kept.contains("\"say\":\"done\""), "{kept}");
    // During the round an undo is allowed.
    let free = session(
        folder.path(),
        &format!("{line} midst.jsonl"),
        &["place 3", "undo", "quit"],
    );
    assert!(!free.out.contains("--takeback"), "{}", free.out);
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
    let kept = record(folder.path(), "g.jsonl");
    assert!(kept.contains("\"say\":\"place a 3\""), "{kept}");
    // The reply is that of an `undo` before any answer.
    let line = line.replace("g.jsonl", "h.jsonl");
    let first = session(folder.path(), &line, &["undo", "quit"]);
    assert_eq!(replies(bobs)[0], replies(&first.out)[0]);
    assert!(!bobs.contains("--takeback"), "{bobs}");
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
    assert!(ran.out.contains("Pass to bob"), "{}", ran.err);
    assert!(ran.out.contains("Pass to ann"));
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
    resumed.refuses(2, "record::outside");
    assert!(resumed.err.contains("cmd:touch ran"), "{}", resumed.err);
    assert!(!folder.path().join("ran").exists());
}

#[test]
fn a_game_is_played_at_one_place_at_a_time() {
    let folder = folder();
    session(folder.path(), TINY_GAME, &["quit"]);
    let elsewhere = std::fs::File::open(folder.path().join("g.jsonl")).unwrap();
    elsewhere.lock().unwrap();
    let refused = session(folder.path(), "play --resume g.jsonl", &["quit"]);
    refused.refuses(2, "record::busy");
    elsewhere.unlock().unwrap();
    let resumed = session(folder.path(), "play --resume g.jsonl", &["quit"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
}

/// A game, a line typed in it, and facts that one line of its output has.
const FOGGED: [(&str, &str, &[&str]); 5] = [
    (
        "-r fog -o fog=heavy -p 3",
        "players",
        &["random  ", "unknown, 35 armies to place"],
    ),
    ("-r fog -o fog=heavy -p 3", "land", &["unknown, 35 armies"]),
    (
        "-r warzone -o fog=dense -p 2",
        "players",
        &["random ", "21 territories", "unknown"],
    ),
    ("-r warzone -o fog=dense -p 2", "", &["   ? armies"]),
    (
        "-r warzone -o fog=none -p 2",
        "players",
        &["random ", "21 territories, 21 armies"],
    ),
];

#[test]
fn what_fog_hides_is_told_as_unknown() {
    for (rules, typed, facts) in FOGGED {
        let folder = folder();
        let line = format!(
            "play {rules} --bot human --bot random --seats fixed --seed 1 --record g.jsonl"
        );
        let ran = session(folder.path(), &line, &[typed, "quit"]);
        let mut lines = ran.out.lines();
        let found = lines.find(|line| facts.iter().all(|fact| line.contains(fact)));
        let found = found.unwrap_or_else(|| panic!("{rules} {typed}: {}{}", ran.out, ran.err));
        // Heavy fog hides the number of territories too.
        let (known, _) = found.split_once("unknown").unwrap_or_default();
        let counts = known.contains(|c: char| c.is_ascii_digit());
        assert!(!counts || rules.contains("warzone"), "{found}");
    }
}

#[test]
fn a_line_that_is_no_text_is_told_with_its_place() {
    let folder = folder();
    let ran = run_typed(folder.path(), &words(TINY_GAME), b"?\nplace \xff\n");
    ran.refuses(2, "cli::input");
    for fact in ["line 2", "byte 7", "0xff", "--resume"] {
        assert!(ran.err.contains(fact), "{fact}: {}", ran.err);
    }
}

#[test]
fn people_play_where_somebody_can_ask_them() {
    let rows = [
        ("play --bot human --games 3", "cli::human", "--games"),
        ("play --bot human --quiet", "cli::human", "--quiet"),
        ("play --bot human --format json", "cli::human", "--format"),
        (
            "play --bot human --clock move=1s,bank=2s",
            "cli::clock",
            "--clock",
        ),
        ("play --takeback", "cli::takeback", "--bot human"),
        ("compare human random", "bot::human", "risk-cli play"),
        ("play --resume nothing.jsonl", "load::file", "nothing.jsonl"),
    ];
    for (args, code, fact) in rows {
        let ran = session(folder().path(), args, &[]);
        ran.refuses(2, code);
        let text = ran.err.replace("\n  │ ", " ");
        assert!(text.contains(fact), "{args}: {}", ran.err);
    }
    let endless = session(folder().path(), TINY_GAME, &vec!["nonsense"; 1_001]);
    endless.refuses(2, "cli::input");
    assert!(endless.err.contains("1000"), "{}", endless.err);
}
