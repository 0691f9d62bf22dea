//! The README is true: its files check, its commands run, and its samples are the real output.

use crate::support::{run, run_in};

const README: &str = include_str!("../../README.md");

/// Returns the first code block of this language with this text.
fn block(language: &str, text: &str) -> String {
    let found = README
        .split("```")
        .skip(1)
        .step_by(2)
        .find(|block| block.starts_with(language) && block.contains(text));
    let block = found.unwrap_or_else(|| panic!("the README has a {language} block with {text}"));
    block.split_once('\n').unwrap().1.to_owned()
}

#[test]
fn the_story_is_the_one_that_is_told() {
    let sample = block("console", "play --seed 7");
    let told = run(&["play", "--seed", "7"]).out;
    let shown: Vec<&str> = sample
        .lines()
        .skip(1)
        .take_while(|line| line.trim() != "…")
        .collect();
    assert!(shown.len() > 12);
    assert_eq!(told.lines().take(shown.len()).collect::<Vec<_>>(), shown);
}

#[test]
fn the_standings_are_the_ones_that_are_counted() {
    let sample = block("console", "--games 300");
    let mut lines = sample.lines();
    let command: Vec<&str> = lines
        .next()
        .unwrap()
        .trim_start_matches("$ risk-cli ")
        .split(' ')
        .collect();
    assert_eq!(
        run(&command).out.lines().collect::<Vec<_>>(),
        lines.collect::<Vec<_>>()
    );
}

#[test]
fn the_bot_the_ruleset_and_the_map_are_right() {
    let folder = tempfile::tempdir().unwrap();
    for (name, language, text) in [
        ("mine.rhai", "rhai", "fn attack(view, ask)"),
        ("quick.rhai", "rhai", "extends:"),
        ("crossing.yaml", "yaml", "name: crossing"),
    ] {
        std::fs::write(folder.path().join(name), block(language, text)).unwrap();
    }
    let sample = block("console", "bot check ./mine.rhai");
    let shown: Vec<&str> = sample
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with("$ "))
        .collect();
    assert_eq!(
        run_in(folder.path(), &["bot", "check", "./mine.rhai"])
            .out
            .lines()
            .collect::<Vec<_>>(),
        shown
    );
    for args in [
        &[
            "play",
            "--games",
            "20",
            "--seed",
            "1",
            "--bot",
            "./mine.rhai",
            "--bot",
            "random",
            "--bot",
            "random",
        ][..],
        &["ruleset", "check", "./quick.rhai"],
        &[
            "play",
            "--quiet",
            "--seed",
            "1",
            "--ruleset",
            "./quick.rhai",
        ],
        &["map", "validate", "crossing.yaml"],
        &["play", "--quiet", "--seed", "1", "--map", "./crossing.yaml"],
    ] {
        let ran = run_in(folder.path(), args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        assert!(!ran.out.contains("fault"), "{args:?}: {}", ran.out);
    }
}

#[test]
fn every_command_of_the_table_is_there() {
    for command in [
        "play",
        "replay",
        "map list",
        "map lints",
        "ruleset list",
        "ruleset api",
        "bot list",
        "odds",
    ] {
        let args: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        assert_eq!(run(&args).code, 0, "{command}");
    }
}

/// Returns the names of the visible subcommands in the program's help.
fn visible_commands() -> Vec<String> {
    let help = run(&["--help"]).out;
    let (_, listed) = help.split_once("\nPlay:\n").unwrap();
    let (listed, _) = listed.split_once("\nOptions:").unwrap();
    let rows = listed.lines().filter_map(|line| line.strip_prefix("  "));
    let rows = rows.filter(|row| !row.starts_with(' '));
    let names = rows.filter_map(|row| row.split_whitespace().next());
    names.map(str::to_owned).collect()
}

#[test]
fn every_visible_command_is_in_the_table() {
    let (_, table) = README.split_once("| command | what it does |\n").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let cells = table.lines().filter_map(|row| row.split('|').nth(1));
    let listed: Vec<&str> = cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .filter_map(|code| code.split(' ').next())
        .collect();
    let commands = visible_commands();
    assert!(commands.len() > 12, "{commands:?}");
    for command in commands.iter().filter(|name| *name != "help") {
        assert!(listed.contains(&command.as_str()), "{command}");
    }
}

/// The exit codes of `src/cli.rs` are all in the README.
#[test]
fn every_exit_code_is_listed() {
    let (_, listed) = README.split_once("Exit codes: ").unwrap();
    let (listed, _) = listed.split_once("\n\n").unwrap();
    let source = include_str!("../../src/cli.rs");
    let numbers = |text: &str| -> std::collections::BTreeSet<u32> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter_map(|word| word.parse().ok()).collect()
    };
    let (_, refusals) = source.split_once("fn refusal(").unwrap();
    let (refusals, _) = refusals.split_once("\n}").unwrap();
    let codes = refusals.lines().filter_map(|line| line.split_once("=> "));
    let mut codes: std::collections::BTreeSet<u32> =
        codes.flat_map(|(_, code)| numbers(code)).collect();
    codes.extend([0, 1, 2, 3, 4, 5, 101]);
    assert_eq!(numbers(listed), codes);
}
