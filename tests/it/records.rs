//! Records: written, replayed, verified.

pub(crate) mod damage;
pub(crate) mod forgeries;

use std::path::Path;

use risk_engine::record::{RecordLine, read, verify};
use risk_engine::{RuleSetup, Worker};
use risk_testing::edits::{chained, find, line};

use crate::support::{library, run_in, tiny, words};

/// Returns the message of a finding in one line, without the code, the quoted lines and the help.
pub(crate) fn message(err: &str) -> String {
    let lines = err.lines().map(str::trim_start);
    let lines = lines
        .skip_while(|line| !line.starts_with(['×', '⚠']))
        .take_while(|line| !line.starts_with("╭─[") && !line.starts_with("help:"));
    lines
        .flat_map(str::split_whitespace)
        .filter(|word| *word != "│")
        .collect::<Vec<_>>()
        .join(" ")
}

pub(crate) fn recorded(folder: &Path, seed: &str, bots: &[&str]) -> String {
    let mut args = vec![
        "play",
        "--quiet",
        "--force",
        "--map",
        "./tiny.yaml",
        "--seed",
        seed,
        "--record",
        "game.jsonl",
    ];
    for bot in bots {
        args.extend(["--bot", bot]);
    }
    let ran = run_in(folder, &args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    std::fs::read_to_string(folder.join("game.jsonl")).unwrap()
}

#[test]
fn a_record_replays_to_the_last_digest() {
    let folder = tiny();
    for (seed, bots) in [
        ("1", ["random", "outnumber", "holder"]),
        ("2", ["greedy", "turtle", "odds"]),
    ] {
        let text = recorded(folder.path(), seed, &bots);
        let record = read(&text).unwrap();
        assert!(record.is_whole());
        let ran = run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let lines = text.lines().count();
        let answers = record.answers();
        let counts = format!("{lines} lines, {answers} decisions");
        let facts = ["game.jsonl", &counts, &record.last_sum];
        assert!(
            facts.iter().all(|fact| ran.out.contains(fact)),
            "{}",
            ran.out
        );
        // The sums are as docs/records.md says.
        assert_eq!(chained(&text), text);
    }
}

#[test]
fn a_replay_tells_the_same_story() {
    let folder = tiny();
    let args = [
        "play",
        "--map",
        "./tiny.yaml",
        "--seed",
        "4",
        "--record",
        "game.jsonl",
    ];
    let played = run_in(folder.path(), &args);
    let replayed = run_in(folder.path(), &["replay", "game.jsonl"]);
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    let tail = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(tail(&played.out), tail(&replayed.out));
    assert!(played.out.lines().count() > 30);
}

#[test]
fn a_replay_can_stop_early() {
    let folder = tiny();
    recorded(folder.path(), "1", &["random", "outnumber", "holder"]);
    let ran = run_in(folder.path(), &["replay", "game.jsonl", "--to", "108"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.out.contains("108 decisions") && ran.out.contains("round 1"),
        "{}",
        ran.out
    );
}

#[test]
fn faults_are_recorded_and_replayed_without_the_bot() {
    let folder = tiny();
    let bot =
        "fn answer(view, ask) { if view.turn < 2 { ask.random() } else { throw \"I give up\" } }";
    std::fs::write(folder.path().join("quitter.rhai"), bot).unwrap();
    for policy in ["skip", "first-option", "neutral", "forfeit"] {
        let args = [
            "play",
            "--quiet",
            "--force",
            "--map",
            "./tiny.yaml",
            "--seed",
            "6",
            "--record",
            "game.jsonl",
            "--bot",
            "./quitter.rhai",
            "--bot",
            "outnumber",
            "--bot",
            "random",
            "--on-fault",
            policy,
            "--option",
            "max_turns=30",
        ];
        let ran = run_in(folder.path(), &args);
        assert_eq!(ran.code, 0, "{policy}: {}", ran.err);
        let text = std::fs::read_to_string(folder.path().join("game.jsonl")).unwrap();
        let record = read(&text).unwrap();
        let faults = record.lines.iter().filter(|(_, line)| matches!(line, RecordLine::Fault(it) if it.kind == "script" && it.text.contains("I give up")));
        assert!(faults.count() >= 3, "{policy}");
        let by_policy = |line: &RecordLine| matches!(line, RecordLine::Answer(it) if it.by_policy);
        let by_policy = record.lines.iter().any(|(_, line)| by_policy(line));
        assert_eq!(by_policy, policy == "first-option");
        std::fs::rename(
            folder.path().join("quitter.rhai"),
            folder.path().join("away"),
        )
        .unwrap();
        let ran = run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{policy}");
        std::fs::rename(
            folder.path().join("away"),
            folder.path().join("quitter.rhai"),
        )
        .unwrap();
    }
}

/// No replay can verify names and texts of faults. Only the sums protect them, so users publish the
/// last sum.
#[test]
fn what_no_replay_can_know_changes_the_last_sum() {
    let folder = tiny();
    let text = recorded(folder.path(), "1", &["random", "outnumber", "holder"]);
    let forged = chained(&text.replacen("\"name\":\"random\"", "\"name\":\"alice\"", 1));
    std::fs::write(folder.path().join("game.jsonl"), &forged).unwrap();
    let ran = run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let sum = |text: &str| read(text).unwrap().last_sum;
    assert_ne!(sum(&text), sum(&forged));
    assert!(ran.out.contains(&sum(&forged)), "{}", ran.out);
}

#[test]
fn notes_are_made_again() {
    let folder = tiny();
    let args = "play --quiet --ruleset starwars --seed 3 --option max_turns=80 --record game.jsonl";
    assert_eq!(run_in(folder.path(), &words(args)).code, 0);
    let text = std::fs::read_to_string(folder.path().join("game.jsonl")).unwrap();
    let note = find(&text, "\"line\":\"note\"");
    let forged = chained(&line(&text, note, |old| {
        format!(
            "{}\"text\":\"a lie\"}}",
            old.split("\"text\"").next().unwrap()
        )
    }));
    std::fs::write(folder.path().join("game.jsonl"), forged).unwrap();
    let ran = run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
    ran.refuses(1, "record::mismatch");
    let found = message(&ran.err);
    assert!(
        found.contains("`text`") && found.contains("\"a lie\""),
        "{found}"
    );
}

/// Files of a game: the script, the scripts that it extends, and the files that they import.
#[test]
fn a_changed_import_is_another_ruleset() {
    let folder = tiny();
    let rules = "import \"more\" as more;\nfn ruleset() { #{ extends: \"hasbro\", name: \"mine\", options: #{ max_turns: 6 } } }\n\
                 fn on_conquest(g, me, at) { more::nothing(); }\n";
    let write = |file: &str, text: &str| std::fs::write(folder.path().join(file), text).unwrap();
    write("mine.rhai", rules);
    write("more.rhai", "fn nothing() { 1 }\n");
    write("other.rhai", "fn nobody_imports_this() { 1 }\n");
    let play = "play --quiet --ruleset ./mine.rhai --map ./tiny.yaml --seed 1 --record game.jsonl";
    let ran = run_in(folder.path(), &words(play));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let verified = || run_in(folder.path(), &["replay", "game.jsonl", "--verify"]);
    assert_eq!(verified().code, 0);
    write("other.rhai", "fn nobody_imports_this() { 2 }\n");
    assert_eq!(verified().code, 0, "{}", verified().err);
    write("more.rhai", "fn nothing() { 2 }\n");
    let ran = verified();
    ran.refuses(2, "record::differs");
    assert!(ran.err.contains("./mine.rhai"), "{}", ran.err);
}

/// A record that is handed on with its ruleset and its map is replayed in any folder.
#[test]
fn the_files_of_a_record_may_lie_beside_it() {
    let folder = tiny();
    let rules = "fn ruleset() { #{ extends: \"hasbro\", map: \"./tiny.yaml\", options: #{ max_turns: 6 } } }";
    std::fs::write(folder.path().join("mine.rhai"), rules).unwrap();
    let ran = run_in(
        folder.path(),
        &words("play --quiet --ruleset ./mine.rhai --seed 1 --record game.jsonl"),
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let other = tempfile::tempdir().unwrap();
    let game = folder.path().join("game.jsonl");
    let line = ["replay", "--verify", game.to_str().unwrap()];
    let ran = run_in(other.path(), &line);
    assert_eq!(ran.code, 0, "{}", ran.err);
    // A file in the current folder comes first.
    std::fs::write(other.path().join("mine.rhai"), rules.replace('6', "7")).unwrap();
    run_in(other.path(), &line).refuses(2, "record::differs");
}

#[test]
fn nothing_is_written_over_without_force() {
    let folder = tiny();
    assert_eq!(
        run_in(
            folder.path(),
            &words("play --quiet --seed 1 --map ./tiny.yaml --record g.jsonl")
        )
        .code,
        0
    );
    for (line, file) in [
        (
            "play --quiet --seed 2 --map ./tiny.yaml --record g2.jsonl",
            "g2.jsonl",
        ),
        ("map render tiny.yaml -o t.svg", "t.svg"),
        ("map import tiny.yaml -o t.map --to domination", "t.map"),
        ("replay g.jsonl --to 5 --render then.svg", "then.svg"),
        ("bot new my-bot", "my-bot.rhai"),
        ("ruleset new mine", "mine.rhai"),
        ("map new own", "own.yaml"),
        ("ruleset api --definitions defs", "defs/rules.d.rhai"),
        ("man --dir pages", "pages/risk-cli"),
    ] {
        let ran = run_in(folder.path(), &words(line));
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        let path = folder.path().join(file);
        let before = std::fs::read(&path).ok();
        let ran = run_in(folder.path(), &words(line));
        ran.refuses(2, "cli::exists");
        assert!(message(&ran.err).contains(file), "{line}: {}", ran.err);
        assert_eq!(std::fs::read(&path).ok(), before, "{line}");
        let ran = run_in(folder.path(), &words(&format!("{line} --force")));
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
    }
}

#[test]
fn what_is_whole_of_a_damaged_record_is_told() {
    let folder = tiny();
    let text = recorded(folder.path(), "1", &["random", "outnumber", "holder"]);
    std::fs::write(
        folder.path().join("game.jsonl"),
        &text[..text.len() * 9 / 10],
    )
    .unwrap();
    let ran = run_in(folder.path(), &["replay", "game.jsonl"]);
    ran.refuses(1, "record::damaged");
    assert!(ran.out.contains("Round 1"), "{}", ran.out);
    let decisions = read(&std::fs::read_to_string(folder.path().join("game.jsonl")).unwrap());
    let decisions = format!("{} decisions", decisions.unwrap().answers());
    assert!(ran.err.contains(&decisions), "{}", ran.err);
}

/// Cuts include the middle of a pass in which all players answer, and the place after faults.
#[test]
fn a_record_that_ends_anywhere_holds_as_far_as_it_goes() {
    let folder = tiny();
    let bot =
        "fn answer(view, ask) { if view.round % 2 == 1 { ask.random() } else { throw \"no\" } }";
    std::fs::write(folder.path().join("half.rhai"), bot).unwrap();
    let args = "play --quiet --ruleset warzone --map ./tiny.yaml --seed 6 --option max_turns=12 --strikes 2 --on-fault \
                first-option --record game.jsonl --bot ./half.rhai --bot random --bot ./half.rhai";
    let ran = run_in(folder.path(), &words(args));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = std::fs::read_to_string(folder.path().join("game.jsonl")).unwrap();
    let record = read(&text).unwrap();
    assert!(text.contains("\"line\":\"fault\""));
    let map = folder.path().join("tiny.yaml");
    let rules = RuleSetup::load(library(), "warzone", map.to_str(), &[]).unwrap();
    let setup = record.header.setup(rules).unwrap();
    let mut worker = Worker::new(&setup).unwrap();
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    for (lines, &end) in ends.iter().enumerate().map(|(index, end)| (index + 1, end)) {
        let cut = read(&text[..end]).unwrap();
        let verified = verify(&cut, &mut worker)
            .unwrap_or_else(|refuted| panic!("after line {lines}: {refuted:?}"));
        assert_eq!((verified.lines, verified.whole), (lines, end == text.len()));
    }
}
