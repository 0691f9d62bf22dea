//! Reports of failed scripts: the place, and how to reproduce the failure.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Error, tell};
use risk_engine::load::diag::{Finding, Level, LoadError};
use risk_engine::matches::{FirstFault, Setup, quoted, script_fault};
use risk_engine::players::BotSource;
use risk_kernel::fault::RuleFault;
use risk_kernel::state::GameState;
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
    let finding = match script_fault(fault) {
        Some(script) => Finding::from(script.clone()),
        None => Finding::error("ruleset::failed", fault.text()),
    };
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
        setup.ruleset_spec,
        setup.command(number)
    );
    if let (Some(record), Some(game)) = (record, game) {
        help.push_str(&format!(
            ", or go to it with `risk-cli replay {} --to {}`",
            record.display(),
            game.answers()
        ));
    }
    Error::Script(LoadError::one(finding.add_help(&help)))
}

/// Prints faults of a game in full. The first fault of each player comes with the command that asks
/// the bot again; `explained` contains the players whose first fault was in an earlier game.
pub(super) fn tell_faults(
    faults: &[FirstFault],
    setup: &Setup,
    number: u64,
    record: Option<&Path>,
    explained: &mut BTreeSet<usize>,
) {
    let seating = setup.seating(number);
    let findings = faults.iter().map(|fault| {
        let spec = &setup.bots[seating[fault.seat]];
        let finding = fault.finding(&spec.name, Level::Warn);
        if matches!(spec.source, BotSource::BuiltIn(_)) {
            return finding;
        }
        if !explained.insert(seating[fault.seat]) {
            return finding.add_help(&format!("in game {number}: `--first {number}`"));
        }
        let again = |record: &str| {
            format!(
                "`risk-cli replay {record} --at {} --bot {}`",
                fault.decision,
                quoted(&spec.bot)
            )
        };
        let line = match record {
            Some(record) => {
                let command = again(&record.display().to_string());
                format!("ask the bot again with {command}")
            }
            None => format!(
                "record the game with `{} --record game.jsonl`, then ask the bot again with {}",
                setup.command(number),
                again("game.jsonl")
            ),
        };
        finding.add_help(&line)
    });
    tell(&findings.collect::<Vec<_>>());
}
