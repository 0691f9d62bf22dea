//! `risk-cli odds`: the odds of a battle, as declared by the ruleset.

use std::io;
use std::path::Path;

use clap::Args;

use super::faults::rules_failed;
use super::format::Format;
use super::match_args::RulesArgs;
use super::{Error, cases, paint, say, say_json};
use risk_bots::fight_odds::ChanceError;
use risk_engine::Worker;
use risk_engine::script::ScriptLimits;
use risk_kernel::board::Board;
use risk_kernel::id::Territory;
use risk_kernel::odds::MOST_ARMIES;
use risk_kernel::stepper::StepperSettings;
use risk_report as report;
use risk_text::suggest;

#[derive(Args, Debug)]
pub(super) struct OddsArgs {
    /// Number of attacking armies, not counting armies that must stay behind; with --position, the
    /// attacking territory
    attackers: String,
    /// Number of defending armies; with --position, the defending territory
    defenders: String,
    #[command(flatten)]
    rules: RulesArgs,
    /// Position with the two territories, its ruleset and its map: a file written by `replay
    /// --position`, or game.jsonl@N for the position before decision N of a record
    #[arg(long, value_name = "POSITION", conflicts_with_all = ["ruleset", "map", "options"])]
    position: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(super) fn run(args: &OddsArgs) -> Result<(), Error> {
    match &args.position {
        Some(position) => between(args, position),
        None => of_numbers(args),
    }
}

fn of_numbers(args: &OddsArgs) -> Result<(), Error> {
    let attackers = armies(&args.attackers, 1)?;
    let defenders = armies(&args.defenders, 0)?;
    let rules = args.rules.load()?;
    let least = rules.ruleset.manifest.players.0;
    let bound = rules.bind(least, &ScriptLimits::default())?;
    let Some(mut fight) = bound.rules.fight() else {
        return Err(untold(&args.rules.ruleset, bound.decl.own_chances));
    };
    let mut odds = |attackers: i32| {
        fight.odds(attackers, defenders).map_err(|fault| {
            Error::input("odds::fault", fault.text(), "check the ruleset's tables")
        })
    };
    let found = odds(attackers)?;
    if args.format == Format::Json {
        let value = report::json::odds(&args.rules.ruleset, attackers, defenders, found);
        return say_json(&value);
    }
    let low = (attackers - 5).max(1);
    let high = (attackers + 5).min(MOST_ARMIES);
    let around = (low..=high)
        .map(|count| Ok((count, odds(count)?.capture)))
        .collect::<Result<Vec<_>, Error>>()?;
    say(&report::odds::text(
        attackers,
        defenders,
        found,
        &around,
        paint(&io::stdout()),
    ))
}

/// Prints the chance that one territory conquers another in a position.
fn between(args: &OddsArgs, position: &str) -> Result<(), Error> {
    let setup = cases::setup(Path::new(""), position, None, None)?;
    let mut worker = Worker::new(&setup)?;
    let stepper = worker.stepper(0, StepperSettings::default());
    let stepper = stepper.map_err(|fault| rules_failed(&fault, None, 0, None, &setup))?;
    let game = stepper.game();
    let from = territory(game.board(), &args.attackers)?;
    let to = territory(game.board(), &args.defenders)?;
    let [from_id, to_id] = [from, to].map(|at| game.board().info(at).id.clone());
    let Some(owner) = game.owner(from) else {
        let help = "choose a territory that a player owns";
        return Error::refuse("odds::from", format!("{from_id} has no owner"), help);
    };
    let mut chances = worker.chances();
    let view = stepper.view(owner);
    let told = chances.of_attack(&view, from, to).and_then(|chance| {
        let is_offered = chances.attacks(&view)?.contains(&(from, to));
        Ok((is_offered && game.owner(to) != Some(owner)).then_some(chance))
    });
    let told = told.map_err(|why| match why {
        ChanceError::Untold => untold(&setup.rules.ruleset_spec, false),
        ChanceError::Hidden => {
            let text = format!("fog hides the armies on {to_id}");
            let help = format!("choose a territory that the owner of {from_id} sees");
            Error::input("odds::hidden", text, help)
        }
        ChanceError::Failed(text) => {
            let help =
                "check this function of the ruleset, or choose a position in the phase for attacks";
            Error::input("odds::fault", text, help)
        }
    })?;
    let Some(chance) = told else {
        let text = format!("{from_id} can't attack {to_id}");
        let help = format!(
            "choose a territory of another player that {} lets {from_id} attack in this position",
            setup.rules.ruleset_spec
        );
        return Error::refuse("odds::to", text, help);
    };
    if args.format == Format::Json {
        let value =
            report::json::odds_between(&setup.rules.ruleset_spec, [&from_id, &to_id], chance);
        say_json(&value)?;
    } else {
        say(&format!("{from_id} takes {to_id}: {:.6} %", chance * 100.0))?;
    }
    Ok(())
}

fn armies(text: &str, least: i32) -> Result<i32, Error> {
    let number = text.parse().ok();
    number
        .filter(|it| (least..=MOST_ARMIES).contains(it))
        .ok_or_else(|| {
            let text = format!("expected {least} to {MOST_ARMIES} armies, found `{text}`");
            let help = "write for example `risk-cli odds 10 5`, or name two territories and a \
                        --position";
            Error::input("odds::armies", text, help)
        })
}

fn territory(board: &Board, id: &str) -> Result<Territory, Error> {
    /// The maximum number of territories to list.
    const MOST: usize = 8;
    board.find(id).ok_or_else(|| {
        let ids: Vec<&str> = board
            .territories()
            .map(|at| board.info(at).id.as_str())
            .collect();
        let text = format!("no territory named `{id}`");
        Error::input("odds::territory", text, suggest::help_up_to(MOST, id, ids))
    })
}

fn untold(ruleset: &str, has_own: bool) -> Error {
    if has_own {
        let text = format!(
            "the ruleset {ruleset} computes odds between territories, not from army counts"
        );
        let help = "run `risk-cli odds --position POSITION FROM TO`, where POSITION is a file of \
                    `replay --position`, or game.jsonl@N";
        return Error::input("odds::none", text, help);
    }
    let text = format!("the ruleset {ruleset} has no odds: a script resolves its battles");
    let help = "if the battles follow the ruleset's tables, declare it in the ruleset, as in \
                `attack: script().fights(\"dice\")`; if not, define `fn chance(view, from, to)`";
    Error::input("odds::none", text, help)
}
