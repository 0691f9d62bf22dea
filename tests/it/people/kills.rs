//! Games with people whose program is killed at random moments: no answer is lost.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use super::{folder, record};
use crate::programs::Process;
use crate::support::{run_in, words};
use risk_testing::by_case::{each, runs_every_case};

/// Random numbers, the same in every run.
struct TestRandom(u64);

impl TestRandom {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % most.max(1)
    }
}

/// Presses Enter at each question and kills the program after `most` bytes of output. Returns the
/// output, and whether the program ended by itself.
fn shown(folder: &Path, line: &str, most: usize) -> (String, bool) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("risk-cli"));
    let command = command.args(words(line)).current_dir(folder);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let piped = piped.stderr(Stdio::null());
    let mut process = Process(piped.spawn().unwrap());
    // The pipe's buffer holds all of them, so the write doesn't block.
    let mut input = process.0.stdin.take().unwrap();
    input.write_all(&[b'\n'; 4_000]).unwrap();
    drop(input);
    let mut output = process.0.stdout.take().unwrap();
    let mut bytes = Vec::new();
    output
        .by_ref()
        .take(most as u64)
        .read_to_end(&mut bytes)
        .unwrap();
    let is_cut = bytes.len() == most;
    if is_cut {
        process.0.kill().unwrap();
    }
    output.read_to_end(&mut bytes).unwrap();
    let ended = process.0.wait().unwrap();
    assert!(is_cut || ended.success(), "{line}: {ended}");
    (String::from_utf8_lossy(&bytes).into_owned(), !is_cut)
}

/// Counts the person's answers in a record, without a torn line.
fn answers(text: &str) -> usize {
    let whole = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    whole
        .filter(|line| line.contains("\"seat\":1,\"say\""))
        .count()
}

/// Checks that a game that is killed `kills` times and resumed each time equals an undisturbed one:
/// no answer is lost, and the bot that suggests answers has the same plans.
fn survives(ruleset: &str, options: &str, kills: usize) {
    let folder = folder();
    let folder = folder.path();
    let begin = |name: &str| {
        format!(
            "play -r {ruleset} {options} --bot name=ann,bot=human --seats fixed --seed 3 \
             --record {name}"
        )
    };
    let (all, _) = shown(folder, &begin("whole.jsonl"), usize::MAX);
    let whole = record(folder, "whole.jsonl");
    let mut lot = TestRandom(ruleset.len() as u64 + 7);
    let mut killed = 0;
    for game in 0.. {
        let name = format!("{game}.jsonl");
        let mut line = begin(&name);
        loop {
            let before = std::fs::read_to_string(folder.join(&name)).unwrap_or_default();
            let most = if killed < kills {
                1 + lot.below(all.len() / 2)
            } else {
                usize::MAX
            };
            let (seen, is_over) = shown(folder, &line, most);
            killed += usize::from(!is_over);
            let kept = record(folder, &name);
            // An answer's line is shown before it is written; all lines before it are on disk.
            let questions = seen
                .lines()
                .filter(|line| line.starts_with("ann (") && line.contains(")>"));
            let sure = answers(&before) + questions.count().saturating_sub(1);
            assert!(
                answers(&kept) >= sure,
                "{ruleset}: {sure} answers were given, {kept}"
            );
            assert!(
                kept.starts_with(before.trim_end_matches(|it| it != '\n')),
                "{ruleset}: {kept}"
            );
            // A kill may come after the end of the game; there is nothing to resume then.
            if is_over || kept.contains("{\"line\":\"end\"") {
                break;
            }
            // Before the first line is complete, there is no game to resume.
            line = if kept.contains('\n') {
                format!("play --resume {name}")
            } else {
                format!("{} --force", begin(&name))
            };
        }
        assert!(
            record(folder, &name) == whole,
            "{ruleset}: after {killed} kills"
        );
        let verified = run_in(folder, &["replay", "--verify", &name]);
        assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
        if killed >= kills {
            break;
        }
    }
}

const GAMES: [(&str, &str); 10] = [
    ("codelab", "-m tiny.yaml -o max_turns=20"),
    ("warzone", "-m tiny.yaml -o fog=dense"),
    ("hasbro", "-o max_turns=12"),
    ("fog", "-o max_turns=12"),
    ("missions", "-o max_turns=12"),
    ("teams", "-o max_turns=12"),
    ("simplified", "-m tiny.yaml"),
    ("warlight1", "-o max_turns=12"),
    ("warlight2", "-o max_turns=12"),
    ("starwars", "-o max_turns=30"),
];

/// The checks of each change kill two rulesets three times; `RISK_EVERY_CASE` kills each fifty
/// times.
#[test]
fn nothing_answered_is_lost_where_the_program_is_killed() {
    let (rulesets, kills) = if runs_every_case() { (10, 50) } else { (2, 3) };
    let games = &GAMES[..rulesets];
    each(games.iter().map(|game| game.0), |ruleset| {
        let (_, options) = games.iter().find(|game| game.0 == *ruleset).unwrap();
        survives(ruleset, options, kills);
    });
}
