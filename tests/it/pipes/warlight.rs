//! Bots of the Warlight AI Challenges: a bot that checks every line, and the effect of invalid
//! answers.

use risk_engine::{Setup, Worker};
use risk_kernel::Answer;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::stepper::{Decision, Stepper, StepperSettings};
use risk_kernel::words::Words;
use risk_wire::protocol_named;

use super::misbehaving::one_line;
use super::{has, put};
use crate::support::{run_in, setup};

/// A bot written from the protocol's description alone, which checks every line against it. Unlike
/// the original, our server doesn't report the other player's moves from territories in fog.
const STRICT: &str = include_str!("strict_warlight.py");

/// Plays the strict bot in a mood; returns its complaints and the program's output.
fn strict(games: &str, mood: &str) -> (String, crate::support::RunOutput) {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "strict.py", STRICT);
    let seconds = if mood == "late" { 1 } else { 20 };
    let bot =
        format!("cmd:python3 strict.py complaints 1 {mood},protocol=warlight2,timeout={seconds}");
    let args = [
        "play",
        "--ruleset",
        "warlight2",
        "--map",
        "world",
        "--seed",
        "5",
        "-j",
        "1",
        "--games",
        games,
        "--bot",
        &bot,
        "--bot",
        "marshal",
    ];
    let ran = run_in(folder.path(), &args);
    let complaints = std::fs::read_to_string(folder.path().join("complaints"));
    (complaints.unwrap_or_default(), ran)
}

#[test]
fn a_strict_bot_has_nothing_to_complain_of() {
    if !has("python3") {
        return;
    }
    let games = match std::env::var("RISK_EVERY_CASE") {
        Ok(_) => "100",
        Err(_) => "12",
    };
    let (complaints, ran) = strict(games, "");
    assert_eq!(complaints, "");
    assert_eq!((ran.code, ran.err.contains('⚠')), (0, false), "{}", ran.err);
}

#[test]
fn a_late_a_talkative_and_a_dying_bot_play_on() {
    if !has("python3") {
        return;
    }
    for (mood, codes, part) in [
        ("late", &["bot::hung"][..], " 1 s"),
        ("chatty", &[], ""),
        ("dies", &["bot::connection"], "code 1"),
    ] {
        let (complaints, ran) = strict("1", mood);
        assert_eq!(
            (complaints.as_str(), ran.code),
            ("", 0),
            "{mood}: {}",
            ran.err
        );
        assert_eq!(ran.codes(), codes, "{mood}: {}", ran.err);
        assert!(one_line(&ran.err).contains(part), "{mood}: {}", ran.err);
    }
}

/// The reply to `go place_armies`, or to `go attack/transfer` after armies were placed, and the
/// actions taken. The player owns 2 and 4 of four territories in a row, with 2 armies each.
const ANSWERS: [(&str, &str, &str); 17] = [
    ("placing", "player1 place_armies 2 5", "place b 5; done"),
    (
        "placing",
        "player1 place_armies 2 3, player1 place_armies 4 9,",
        "place b 3; place d 2; done",
    ),
    (
        "placing",
        " player1  place_armies 2 1 ,player1 place_armies 2 1",
        "place b 1; place b 1; done",
    ),
    ("placing", "No moves", "done"),
    ("placing", "NO MOVES", "done"),
    ("placing", "", "done"),
    ("placing", "x", "done"),
    ("placing", "player2 place_armies 2 5", "done"),
    ("placing", "player1 place_armies 1 5", "done"),
    (
        "placing",
        "player1 place_armies 9 5,player1 place_armies 4 1",
        "place d 1; done",
    ),
    (
        "placing",
        "player1 place_armies 2 x,player1 place_armies 2 0",
        "done",
    ),
    (
        "placing",
        "player1 place_armies 4 1,player1 place_armies 2,player1 place_armies 4 1",
        "place d 1; done",
    ),
    (
        "placing",
        "player1 fly 2 3,player1 place_armies 4 1",
        "place d 1; done",
    ),
    (
        "orders",
        "player1 attack/transfer 2 1 1",
        "attack b a 1; done",
    ),
    (
        "orders",
        "player1 attack/transfer 2 1 7",
        "attack b a 1; done",
    ),
    (
        "orders",
        "player1 attack/transfer 2 4 1,player1 attack/transfer 1 2 1",
        "done",
    ),
    (
        "orders",
        "player1 attack/transfer 2 3 1, player1 attack/transfer 2 1 1",
        "attack b c 1; done",
    ),
];

const ROW: &str = "name: row
continents:
  - { id: x, bonus: 1 }
  - { id: y, bonus: 1 }
territories:
  - { id: a, continent: x, borders: [b] }
  - { id: b, continent: x, borders: [c] }
  - { id: c, continent: y, borders: [d] }
  - { id: d, continent: y, borders: [] }
";

/// Returns a match on the row without fog.
fn on_the_row() -> Setup {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "row.yaml", ROW);
    let map = folder.path().join("row.yaml");
    let bots = ["random", "random"];
    setup("warlight1", map.to_str(), &bots, 1, &[("fog", "none")])
}

/// Plays until the first player has a decision in a phase. That player picks b and d, and the other
/// one picks the rest; in all other phases both answer `done`.
fn play_until(worker: &mut Worker<'_>, game: &mut Stepper, phase: &str) -> Decision {
    loop {
        let decision = game.decisions()[0].clone();
        let view = game.view(decision.player);
        let words = Words::new(view.board(), view.decl());
        let now = &view.decl().phases[view.frame().unwrap().phase.index()].name;
        if decision.player.0 == 0 && now == phase {
            return decision;
        }
        let all = || (0..decision.options.len()).map(|number| decision.options.nth(number));
        let wish = |land: char| all().find(|one| words.action(*one) == format!("claim {land}"));
        let wishes = ["bdac", "acbd"][decision.player.index()];
        let action = if now == "wishing" {
            wishes.chars().find_map(wish)
        } else {
            all().next_back()
        };
        game.apply(worker.rules_mut(), decision.player, action.unwrap())
            .unwrap();
    }
}

/// Late lines are discarded, as many as answers are missing, and so are unrequested lines.
#[test]
fn late_lines_answer_nothing() {
    let setup = on_the_row();
    let mut worker = Worker::new(&setup).unwrap();
    let mut codec = (protocol_named("warlight1").unwrap().codec)(worker.decl(), 0).unwrap();
    codec.start(&[], Stream::new(1, 1, Purpose::Player(0)));
    let mut game = worker.stepper(0, StepperSettings::default()).unwrap();
    assert!(!codec.is_answer("nobody asked", true));
    for phase in ["placing", "orders"] {
        let decision = play_until(&mut worker, &mut game, phase);
        let view = game.view(decision.player);
        codec.question(&view, &decision.options).unwrap();
    }
    assert!(!codec.is_answer("Java VM warning: be careful", false));
    assert!(!codec.is_answer("the answer to the first question", false));
    assert!(codec.is_answer("the answer to the second", false));
    assert!(!codec.is_answer("one more", true));
}

#[test]
fn answers_are_read_as_the_engines_read_them() {
    let setup = on_the_row();
    let mut wrong = Vec::new();
    for (phase, said, wanted) in ANSWERS {
        let mut worker = Worker::new(&setup).unwrap();
        let mut codec = (protocol_named("warlight1").unwrap().codec)(worker.decl(), 0).unwrap();
        codec.start(&[], Stream::new(1, 1, Purpose::Player(0)));
        let mut game = worker.stepper(0, StepperSettings::default()).unwrap();
        let decision = play_until(&mut worker, &mut game, phase);
        let view = game.view(decision.player);
        let words = Words::new(view.board(), view.decl());
        let steps = match codec.answer(&view, &decision.options, said).unwrap() {
            Answer::One(one) => vec![one],
            Answer::Steps(steps) => steps,
        };
        let told: Vec<String> = steps.iter().map(|one| words.action(*one)).collect();
        if told.join("; ") != wanted {
            wrong.push(format!("{said}: {}", told.join("; ")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A bot that waits for the lines of its protocol, or answers every message with such a line, and
/// that has no `protocol` setting: the fault names the setting.
#[test]
fn a_bot_whose_protocol_nobody_named_is_told_of_the_setting() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let waits = "import sys\nfor line in sys.stdin: pass\n";
    let says = "import sys\nfor line in sys.stdin: print('No moves', flush=True)\n";
    let object = "import sys\nfor line in sys.stdin: print('{}', flush=True)\n";
    put(folder.path(), "waits.py", waits);
    put(folder.path(), "says.py", says);
    put(folder.path(), "object.py", object);
    // A bot that answers in JSON does speak the protocol, if badly.
    for (bot, code, named) in [
        ("cmd:python3 waits.py", "bot::unreachable", 3),
        ("cmd:python3 says.py", "bot::unreachable", 3),
        (
            "cmd:python3 waits.py,protocol=warlight2,timeout=1",
            "bot::hung",
            3,
        ),
        ("cmd:python3 object.py", "bot::unreachable", 0),
    ] {
        let words = "play --ruleset warlight2 --games 1 --strikes 1 --bot marshal --bot";
        let mut args: Vec<&str> = words.split(' ').collect();
        args.push(bot);
        let ran = run_in(folder.path(), &args);
        assert_eq!(ran.codes(), [code], "{bot}: {}", ran.err);
        let (fault, _) = ran.err.split_once("help:").unwrap();
        let settings = ["protocol=json", "protocol=warlight2", "protocol=warlight1"];
        let found = settings.iter().filter(|setting| fault.contains(**setting));
        assert_eq!(found.count(), named, "{bot}: {}", ran.err);
        // Silence is most often output that was not flushed.
        let flush = fault.find("flush").unwrap_or(usize::MAX);
        let other = fault.find("protocol=").unwrap_or(0);
        assert_eq!(flush < other, bot.contains("waits.py"), "{fault}");
    }
}
