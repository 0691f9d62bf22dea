//! Invalid command lines.

use super::{Row, check};

#[test]
fn mistakes_in_arguments() {
    let rows: Vec<_> = [options_and_players(), files_and_policies()]
        .into_iter()
        .flatten()
        .collect();
    insta::assert_snapshot!(check(&rows));
}

fn options_and_players() -> Vec<Row<'static>> {
    vec![
        Row {
            name: "an option misspelled",
            files: vec![],
            args: &["play", "--option", "roundign=floor"],
        },
        Row {
            name: "an option without a value",
            files: vec![],
            args: &["play", "--option", "rounding"],
        },
        Row {
            name: "an option's value",
            files: vec![],
            args: &["play", "--option", "rounding=up"],
        },
        Row {
            name: "an option out of range",
            files: vec![],
            args: &["play", "--option", "forced_trade_at=2"],
        },
        Row {
            name: "an option twice",
            files: vec![],
            args: &["play", "--option", "sixth_set=1", "--option", "sixth_set=2"],
        },
        Row {
            name: "a preset misspelled",
            files: vec![],
            args: &["play", "--option", "preset=upsteam"],
        },
        Row {
            name: "too many bots",
            files: vec![],
            args: &[
                "play",
                "--players",
                "3",
                "--bot",
                "random",
                "--bot",
                "random",
                "--bot",
                "random",
                "--bot",
                "random",
            ],
        },
        Row {
            name: "too many players",
            files: vec![],
            args: &["play", "--players", "7"],
        },
        Row {
            name: "no players",
            files: vec![],
            args: &["play", "--players", "0"],
        },
    ]
}

fn files_and_policies() -> Vec<Row<'static>> {
    vec![
        Row {
            name: "a person in a comparison",
            files: vec![],
            args: &["compare", "human", "random", "--ruleset", "codelab"],
        },
        Row {
            name: "a ruleset misspelled",
            files: vec![],
            args: &["play", "--ruleset", "hasbor"],
        },
        Row {
            name: "a policy misspelled",
            files: vec![],
            args: &["play", "--on-fault", "skipp"],
        },
        Row {
            name: "a policy without its hook",
            files: vec![("b.rhai", "fn answer(view, ask) { 1 }".to_owned())],
            args: &[
                "play",
                "--quiet",
                "--seed",
                "1",
                "--on-fault",
                "hook",
                "--strikes",
                "1",
                "--bot",
                "./b.rhai",
            ],
        },
        Row {
            name: "a record of many games",
            files: vec![],
            args: &["play", "--games", "2", "--record", "x.jsonl"],
        },
        Row {
            name: "a record that can't be written",
            files: vec![],
            args: &["play", "--quiet", "--record", "none/x.jsonl"],
        },
        Row {
            name: "odds of too many",
            files: vec![],
            args: &["odds", "2000", "1"],
        },
        Row {
            name: "a command misspelled",
            files: vec![],
            args: &["plya"],
        },
        Row {
            name: "a folder for a map",
            files: vec![],
            args: &["play", "--map", "./"],
        },
        Row {
            name: "a map that is not text",
            files: vec![("m.yaml", "name: \u{feff}".to_owned())],
            args: &["map", "validate", "m.yaml"],
        },
    ]
}
