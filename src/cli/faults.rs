//! Reports of failed scripts: the place, and how to reproduce the failure.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Error, print_findings};
use risk_engine::bot_spec::BotSpec;
use risk_engine::{BotSource, FirstFault, Setup, shell_quoted};
use risk_kernel::fault::RuleFault;
use risk_kernel::state::GameState;
use risk_lab::check;
use risk_text::diag::{Level, LoadError};
use risk_text::plural::counted;

/// Describes the failure of a ruleset: its place in the script and in the game, and the command
/// that reproduces it.
pub(super) fn rules_failed(
    fault: &RuleFault,
    game: Option<&GameState>,
    number: u64,
    record: Option<&Path>,
    setup: &Setup,
) -> Error {
    let place = game.map_or_else(
        || format!("in game {number}"),
        |game| {
            let phase = game.frame().map_or("set-up", |frame| {
                game.decl().phases[frame.phase.index()].name.as_str()
            });
            format!(
                "in round {}, turn {}, phase {phase}, after {}",
                game.round(),
                game.turn(),
                counted(game.answers(), "decision")
            )
        },
    );
    let mut help = format!(
        "the ruleset {} failed {place}; reproduce the failure with `{}`",
        setup.rules.ruleset_spec,
        setup.command(number)
    );
    if let (Some(record), Some(game)) = (record, game) {
        help.push_str(&format!(
            ", or go to it with `risk-cli replay {} --to {}`",
            record.display(),
            game.answers()
        ));
    }
    Error::Script(LoadError::one(check::rules_failed(fault).add_help(&help)))
}

/// Prints the faults of some games in full. The first fault of each player comes with the command
/// that asks the bot again.
pub(super) fn print_faults(games: &[(u64, Vec<FirstFault>)], setup: &Setup, record: Option<&Path>) {
    let mut explained = BTreeSet::new();
    let mut findings = Vec::new();
    for (number, faults) in games {
        let seating = setup.seating(*number);
        for fault in faults {
            let player = seating[fault.seat];
            let spec = &setup.bots[player];
            let finding = fault.finding(&spec.name, Level::Warn);
            findings.push(if matches!(spec.source, BotSource::BuiltIn(_)) {
                finding
            } else if explained.insert(player) {
                finding.add_help(&how_to_ask_again(fault, spec, setup, *number, record))
            } else {
                finding.add_help(&format!("in game {number}: `--first {number}`"))
            });
        }
    }
    print_findings(&findings);
}

fn how_to_ask_again(
    fault: &FirstFault,
    spec: &BotSpec,
    setup: &Setup,
    number: u64,
    record: Option<&Path>,
) -> String {
    let again = |record: &str| {
        format!(
            "`risk-cli replay {record} --at {} --bot {}`",
            fault.decision,
            shell_quoted(&spec.bot)
        )
    };
    match record {
        Some(record) => {
            let command = again(&record.display().to_string());
            format!("ask the bot again with {command}")
        }
        None => format!(
            "record the game with `{} --record game.jsonl`, then ask the bot again with {}",
            setup.command(number),
            again("game.jsonl")
        ),
    }
}
