//! Bots of SYNCS Bot Battle 2024: whole matches of clients that were written from the description,
//! with a referee of their own, and how their moves are read.

use std::path::{Path, PathBuf};
use std::process::Command;

use risk_engine::{MatchSpec, Worker};
use risk_kernel::Answer;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::stepper::StepperSettings;
use risk_kernel::words::Words;
use risk_maps::position;
use risk_wire::{Question, protocol_named};

use super::{has, put};
use crate::support::{RunOutput, library, run_in};

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it")
        .join(name)
}

/// Plays a match of five clients with these arguments. Returns the program's output, and what the
/// referee says to the clients' logs with these options.
fn play(
    clients: [&str; 5],
    more: &[&str],
    referee: &[&str],
) -> (RunOutput, Result<String, String>) {
    let folder = tempfile::tempdir().unwrap();
    let client = here("pipes/syncs/client.py");
    let logs = (0..5).map(|seat| folder.path().join(format!("{seat}.jsonl")));
    let logs: Vec<String> = logs.map(|log| log.display().to_string()).collect();
    let mut args = vec![
        "play".to_owned(),
        "-q".to_owned(),
        "--ruleset=syncs2024".to_owned(),
    ];
    for (seat, mood) in clients.into_iter().enumerate() {
        let command = format!(
            "cmd:python3 -B {} {mood} --log {}",
            client.display(),
            logs[seat]
        );
        let settings = "protocol=syncs,timeout=20,sandbox=off";
        args.push(format!("--bot=name=bot{seat},bot=\"{command}\",{settings}"));
    }
    args.extend(more.iter().map(|&word| word.to_owned()));
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let ran = run_in(folder.path(), &args);
    let mut command = Command::new("python3");
    command.arg("-B").arg(here("pipes/syncs/referee.py"));
    let judged = command.args(referee).args(&logs).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let said = text(&judged.stdout) + text(&judged.stderr).as_str();
    let verdict = if judged.status.success() {
        Ok(said)
    } else {
        Err(said)
    };
    (ran, verdict)
}

#[test]
fn the_referee_accepts_whole_matches() {
    if !has("python3") {
        return;
    }
    let short = ["--seed=3", "--option=max_records=900"];
    for (clients, more, end) in [
        ([""; 5], &["--seed=2"][..], "won"),
        (
            [
                "--random 1",
                "--random 2",
                "--sloppy",
                "--sloppy --random 4",
                "",
            ],
            &short,
            "any",
        ),
    ] {
        let limit = if more.len() > 1 { "900" } else { "15000" };
        let (ran, verdict) = play(clients, more, &["--end", end, "--limit", limit]);
        assert!(ran.code == 0 && !ran.err.contains('⚠'), "{}", ran.err);
        assert!(verdict.is_ok(), "{verdict:?}\n{}", ran.out);
    }
}

/// The match goes on without a bot that ends, in the records as well.
#[test]
fn a_bot_that_ends_turns_neutral() {
    if !has("python3") {
        return;
    }
    let clients = ["", "--dies 60", "", "", ""];
    let (ran, verdict) = play(clients, &["--seed=2"], &["--end", "any"]);
    assert_eq!(ran.codes(), ["bot::connection"], "{}", ran.err);
    assert!(verdict.is_ok(), "{verdict:?}");
    // In the contest, the first fault ended the match.
    let (ran, _) = play(clients, &["--seed=2", "--option=fault=cancels"], &[]);
    assert!(ran.out.contains("cancelled after an error"), "{}", ran.out);
}

/// A client that sends one text, and then ends.
const SENDS: &str = "import sys
out = open('./io/to_engine.pipe', 'w')
open('./io/from_engine.pipe').read(1)
print('noise on stdout', flush=True)
out.write(open(sys.path[0] + '/text').read())
out.flush()
";

#[test]
fn messages_begin_with_their_lengths() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "sends.py", SENDS);
    let claim = |territory: &str| {
        format!(
            "{{\"record_type\":\"move_claim_territory\",\"move_by_player\":3,\"territory\":{territory}}}"
        )
    };
    let framed = |text: &str| format!("{},{text}", text.len());
    let padded = |length: usize| framed(&format!("{:length$}", claim("5")));
    // A fault after the claim is that of the end.
    for (text, is_read) in [
        (framed(&claim("5")), true),
        (format!(" {}", framed(&claim("5"))), true),
        (padded(999), true),
        (padded(1000), false),
        (format!("ab,{}", claim("5")), false),
        (claim("5"), false),
        ("-1,{}".to_owned(), false),
        ("73".to_owned(), false),
    ] {
        put(folder.path(), "text", &text);
        let bot = "--bot=bot=\"cmd:python3 sends.py\",protocol=syncs";
        let position = format!("--from={}", here("syncs2024/claiming.yaml").display());
        // Player 3 acts first.
        let random = "--bot=random";
        let args = ["play", "-q", &position, random, random, random, bot, random];
        let ran = run_in(folder.path(), &args);
        let is_told = ran.err.contains("must begin with its length");
        assert_eq!(ran.codes(), ["bot::connection"], "{text}: {}", ran.err);
        if text != "73" {
            assert_eq!(is_told, !is_read, "{text}: {}", ran.err);
        }
    }
}

/// A position, the actions before the question, the fields of a move, and the first action that is
/// taken; none if the move is refused.
type Case = (
    &'static str,
    &'static [&'static str],
    &'static str,
    Option<&'static str>,
);

const CLAIM: &str = "claiming";
const CASES: [Case; 47] = [
    // The contest's engine was lenient in these ways.
    (
        CLAIM,
        &[],
        r#""territory":41"#,
        Some("claim western-australia"),
    ),
    (
        CLAIM,
        &[],
        r#""territory":"41""#,
        Some("claim western-australia"),
    ),
    (
        CLAIM,
        &[],
        r#""territory":8.0"#,
        Some("claim western-united-states"),
    ),
    (
        CLAIM,
        &[],
        r#""territory":true,"more":[1]"#,
        Some("claim alberta"),
    ),
    (
        CLAIM,
        &[],
        r#""territory":8,"record_type":"move_claim_territory""#,
        Some("claim western-united-states"),
    ),
    (CLAIM, &[], r#""territory":8.5"#, None),
    (CLAIM, &[], r#""territory":"x""#, None),
    (CLAIM, &[], r#""territory":99999999999"#, None),
    (CLAIM, &[], r#""land":8"#, None),
    (
        CLAIM,
        &[],
        r#""territory":8,"record_type":"move_fortify""#,
        None,
    ),
    (CLAIM, &[], r#""territory":8,"record_type":5"#, None),
    (CLAIM, &[], r#""territory":8,"territory":9"#, None),
    // Sets: no set leaves too many cards, and so does one.
    (
        "trade-start",
        &[],
        r#""sets":[],"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        &[],
        r#""sets":[[4,7,12]],"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        &[],
        r#""sets":[[4,7,12],[0,1,2]],"cause":"turn_started""#,
        Some("trade greenland quebec scandinavia"),
    ),
    (
        "trade-start",
        &[],
        r#""sets":[[4,7,42],["0",1,2.0]],"cause":"turn_started""#,
        Some("trade greenland quebec wildcard1"),
    ),
    (
        "trade-start",
        &[],
        r#""sets":[[0,42,43],[4,7,12]],"cause":"turn_started""#,
        Some("trade alaska wildcard1 wildcard2"),
    ),
    (
        "trade-start",
        &[],
        r#""sets":[[0,4,7],[12,42,43]],"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        &[],
        r#""sets":[[4,4,4],[0,1,2]],"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        &[],
        r#""sets":[[4,7,12],[4,1,42]],"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        &[],
        r#""sets":[[4,7,99],[0,1,2]],"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        &[],
        r#""sets":[[4,7],[0,1,2]],"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        &[],
        r#""sets":[[4,7,12,0],[1,2,42]],"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        &[],
        r#""sets":5,"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        &[],
        r#""sets":[[4,7,12],[0,1,2]],"cause":"player_eliminated""#,
        None,
    ),
    ("trade-start", &[], r#""sets":[[4,7,12],[0,1,2]]"#, None),
    // After an elimination, with eight cards of one kind: two sets, no more and no fewer.
    (
        "forced-8",
        &[],
        r#""sets":[[10,17,21]],"cause":"turn_started""#,
        None,
    ),
    (
        "forced-8",
        &[],
        r#""sets":[[10,17,21],[22,23,24]],"cause":"turn_started""#,
        Some("trade iceland china kamchatka"),
    ),
    // The armies of two sets: two of them on Greenland or Quebec.
    (
        "trade-start",
        TRADES,
        r#""distributions":{"4":12},"cause":"turn_started""#,
        Some("place greenland 2"),
    ),
    (
        "trade-start",
        TRADES,
        r#""distributions":{"4":1,"7":11},"cause":"turn_started""#,
        Some("place quebec 2"),
    ),
    (
        "trade-start",
        TRADES,
        r#""distributions":{"4":6,"7":"6"},"cause":"turn_started""#,
        Some("place greenland 2"),
    ),
    (
        "trade-start",
        TRADES,
        r#""distributions":{"4":1,"7":1},"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        TRADES,
        r#""distributions":{"4":11},"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        TRADES,
        r#""distributions":{},"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        TRADES,
        r#""distributions":{"4":12,"7":0},"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        TRADES,
        r#""distributions":{"4":13,"7":-1},"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        TRADES,
        r#""distributions":{"0":12},"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        TRADES,
        r#""distributions":{"4":1,"7":1,"28":10},"cause":"turn_started""#,
        None,
    ),
    (
        "trade-start",
        TRADES,
        r#""distributions":{"x":12},"cause":"turn_started""#,
        None,
    ),
    // Attacks, and moves without a kind.
    (
        "attack",
        &[],
        r#""attacking_territory":1,"defending_territory":0,"attacking_troops":3"#,
        Some("attack alberta alaska 3"),
    ),
    (
        "attack",
        &[],
        r#""attacking_territory":1,"defending_territory":0"#,
        None,
    ),
    (
        "attack",
        &[],
        r#""record_type":"move_attack_pass","attacking_territory":1"#,
        Some("done"),
    ),
    ("attack", &[], "", Some("done")),
    (
        "fortify",
        &[],
        r#""source_territory":1,"target_territory":0,"troop_count":3"#,
        Some("move alberta alaska 3"),
    ),
    (
        "fortify",
        &[],
        r#""source_territory":1,"target_territory":0,"troop_count":0"#,
        Some("done"),
    ),
    (
        "fortify",
        &[],
        r#""source_territory":1,"target_territory":1,"troop_count":0"#,
        Some("move alberta alberta 0"),
    ),
    ("fortify", &[], "", Some("done")),
];
const TRADES: &[&str] = &[
    "trade greenland quebec scandinavia",
    "trade alaska alberta central-america",
];

/// Returns the first action of a move, or `None` if it is refused.
fn taken((from, before, fields, _): &Case) -> Option<String> {
    let found = position::file(&here(&format!("syncs2024/{from}.yaml")));
    let setup = MatchSpec::from_position(found.unwrap())
        .load(library())
        .unwrap();
    let mut worker = Worker::new(&setup).unwrap();
    let mut game = worker.stepper(0, StepperSettings::default()).unwrap();
    for step in *before {
        let decision = game.decisions()[0].clone();
        let view = game.view(decision.player);
        let words = Words::new(view.board(), view.decl());
        let mut all = (0..decision.options.len()).map(|number| decision.options.nth(number));
        let action = all.find(|action| words.action(*action) == *step).unwrap();
        game.apply(worker.rules_mut(), decision.player, action)
            .unwrap();
    }
    let decision = game.decisions()[0].clone();
    let view = game.view(decision.player);
    let mut codec = (protocol_named("syncs").unwrap().codec)(worker.decl(), 0).unwrap();
    codec.start(&[], Stream::new(1, 1, Purpose::Player(0)));
    let question = codec.question(&view, &decision.options).unwrap();
    assert!(matches!(question, Question::Ask(_)), "{from}: {question:?}");
    let comma = if fields.is_empty() { "" } else { "," };
    let me = view.me().index();
    let text = format!("{{\"move_by_player\":{me}{comma}{fields}}}");
    let wrong = text.replace(&format!("player\":{me}"), &format!("player\":{}", 4 - me));
    assert!(me == 2 || codec.answer(&view, &decision.options, &wrong).is_err());
    let answer = codec.answer(&view, &decision.options, &text).ok()?;
    let Answer::One(action) = answer else {
        panic!("{text}: {answer:?}");
    };
    Some(Words::new(view.board(), view.decl()).action(action))
}

#[test]
fn moves_are_read_as_the_engine_read_them() {
    let mut wrong = Vec::new();
    for case in &CASES {
        let found = taken(case);
        if found.as_deref() != case.3 {
            wrong.push(format!("{} {}: {found:?}", case.0, case.2));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
