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
