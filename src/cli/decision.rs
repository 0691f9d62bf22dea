//! `replay --at N`: shows one decision of a recorded game and, on request, a bot's answer to it.

use crate::cli::library;
use std::io;

use super::faults::rules_failed;
use super::{CommandResult, Error, Exit, paint, print_findings, say};
use risk_engine::bot_spec::BotSpec;
use risk_engine::record::{Cost, Record, ReviewError, ask_again};
use risk_engine::script::tracer::Tracer;
use risk_engine::{BuiltIn, Setup};
use risk_kernel::view::View;
use risk_report::decision;
use risk_text::escape_control;
use risk_text::paint::pad;

pub(super) fn run(record: &Record, setup: &Setup, at: u64, bot: Option<&str>) -> CommandResult {
    // If no bot is to be asked, any built-in bot can take the seat.
    let spec = BotSpec::parse(library(), bot.unwrap_or(BuiltIn::Random.as_str()))?;
    let tracer = Tracer::new();
    let asked = ask_again(record, setup, at, &spec, &tracer)
        .map_err(|unasked| error(unasked, record, setup, at))?;
    let header = &record.header;
    let names: Vec<String> = header.players.iter().map(|it| it.name.clone()).collect();
    let paint = paint(&io::stdout());
    say(&paint.rule(&title(&asked.view, &names, at)))?;
    say(&decision::text(&asked.view, &asked.options, &names, paint))?;
    say("")?;
    say(&format!("  in the record   {}", asked.recorded))?;
    if bot.is_none() {
        return Ok(Exit::Fine);
    }
    for debug in tracer.take_texts() {
        say(&format!(
            "  debug           {}:{} {}",
            debug.script,
            debug.line,
            escape_control(&debug.text)
        ))?;
    }
    let exit = match asked.answer {
        Ok(answer) => {
            let says = pad(&format!("{} says", spec.name), 15);
            say(&format!("  {says} {answer}"))?;
            Exit::Fine
        }
        Err(finding) => {
            print_findings(&[finding]);
            Exit::No
        }
    };
    say(&paint.dim(&match asked.cost {
        Cost::Operations(count) => format!("  {count} of {} operations", setup.limits.budget.0),
        Cost::Earlier { what, decision } => {
            format!("  not called: continues {what} of decision {decision}")
        }
    }))?;
    Ok(exit)
}

fn title(view: &View, names: &[String], at: u64) -> String {
    let phase = view.frame().map_or("?", |frame| {
        view.decl().phases[frame.phase.index()].name.as_str()
    });
    let name = &names[view.me().index()];
    let round = view.round();
    format!("decision {at}: {name}, in round {round}, phase {phase}")
}

fn error(unasked: ReviewError, record: &Record, setup: &Setup, at: u64) -> Error {
    match unasked {
        ReviewError::NoDecision => {
            let (first, last) = (record.header.answers_before() + 1, record.answers());
            let help = if first > last {
                "the record has no decisions".to_owned()
            } else {
                format!("choose a decision from {first} to {last}")
            };
            Error::input("cli::at", format!("no decision {at} in the record"), help)
        }
        ReviewError::NoPlayer => Error::input(
            "cli::at",
            format!("decision {at} was made by the rules or the fault policy"),
            "choose a decision that a player made",
        ),
        ReviewError::Load(failure) => failure.into(),
        ReviewError::Rules(fault, game) => {
            rules_failed(&fault, Some(&game), record.header.game, None, setup)
        }
    }
}
