//! `risk-cli odds`: the chances of a fight, as declared by the ruleset.

use std::io;
use std::sync::Arc;

use clap::Args;

use super::faults::rules_failed;
use super::format::Format;
use super::match_args::RulesArgs;
use super::{Done, Error, Exit, library, paint, position, say, say_json};
use risk_engine::matches::{MatchSpec, Setup, Worker};
use risk_engine::script::ScriptLimits;
use risk_engine::script::chances::NoChance;
use risk_kernel::board::Board;
use risk_kernel::id::Territory;
use risk_kernel::odds::{Fight, MOST_ARMIES};
use risk_kernel::stepper::StepperSettings;
use risk_report as report;
use risk_text::suggest;

#[derive(Args, Debug)]
pub(super) struct OddsArgs {
    /// Armies that may fight, beyond any that must stay behind; with --position, the territory that
    /// attacks
    attackers: String,
    /// Armies that defend; with --position, the territory that is attacked
    defenders: String,
    #[command(flatten)]
    rules: RulesArgs,
    /// Tell the chance between two territories in this position: a file of `replay --position`, or
    /// game.jsonl@N for the position before decision N of a record. It names ruleset and map
    #[arg(long, value_name = "POSITION", conflicts_with_all = ["ruleset", "map", "options"])]
    position: Option<String>,
    /// Text for people, or one JSON document
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(super) fn run(args: &OddsArgs) -> Done {
    match &args.position {
        Some(position) => between(args, position),
        None => of_numbers(args),
    }
}

fn of_numbers(args: &OddsArgs) -> Done {
    let attackers = armies(&args.attackers, 1)?;
    let defenders = armies(&args.defenders, 0)?;
    let rules = args.rules.load()?;
    let least = rules.ruleset.manifest.players.0;
    let bound = rules.bind(least, &ScriptLimits::default())?;
    let Some(mut fight) = Fight::of(&bound.decl, bound.rules.tables()) else {
        return Err(untold(&args.rules.ruleset, bound.decl.own_chances));
    };
    let mut odds = |attackers: i32| {
        fight
            .odds(attackers, defenders)
            .map_err(|fault| Error::input("odds::fault", fault.text(), "see the ruleset's tables"))
    };
    let found = odds(attackers)?;
    if args.format == Format::Json {
        let value = report::json::odds(&args.rules.ruleset, attackers, defenders, found);
        say_json(&value)?;
        return Ok(Exit::Fine);
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
    ))?;
    Ok(Exit::Fine)
}

/// Prints the chance that one territory takes another in a position.
fn between(args: &OddsArgs, position: &str) -> Done {
    let setup = setup_of(position)?;
    let mut worker = Worker::new(&setup)?;
    let stepper = worker.stepper(0, StepperSettings::default());
    let stepper = stepper.map_err(|fault| rules_failed(&fault, None, 0, None, &setup))?;
    let game = stepper.game();
    let from = territory(game.board(), &args.attackers)?;
    let to = territory(game.board(), &args.defenders)?;
    let [from_id, to_id] = [from, to].map(|at| game.board().info(at).id.clone());
    let Some(owner) = game.owner(from) else {
        let help = "name a territory that a player owns";
        return Err(Error::input(
            "odds::from",
            format!("nobody owns {from_id}"),
            help,
        ));
    };
    if game.owner(to) == Some(owner) || !game.board().neighbours(from).contains(&to) {
        let text = format!("{from_id} can't attack {to_id}");
        let help = "name a territory of somebody else that borders it";
        return Err(Error::input("odds::to", text, help));
    }
    let told = worker.chances().of_attack(&stepper.view(owner), from, to);
    let chance = told.map_err(|why| match why {
        NoChance::Untold => untold(&setup.ruleset_spec, false),
        NoChance::Hidden => {
            let text = format!("fog hides what stands on {to_id}");
            Error::input("odds::hidden", text, "name a territory that its owner sees")
        }
        NoChance::Failed(text) => Error::input("odds::fault", text, "see the ruleset's `chance`"),
    })?;
    if args.format == Format::Json {
        let value = report::json::odds_between(&setup.ruleset_spec, [&from_id, &to_id], chance);
        say_json(&value)?;
    } else {
        say(&format!("{from_id} takes {to_id}: {:.6} %", chance * 100.0))?;
    }
    Ok(Exit::Fine)
}

fn setup_of(position: &str) -> Result<Setup, Error> {
    let found = position::named(position)?;
    let spec = MatchSpec {
        map: found.map.clone(),
        options: found.options.clone(),
        players: Some(found.names.len()),
        seed: found.seed.clone(),
        ..MatchSpec::new(&found.ruleset)
    };
    let mut setup = spec.load(library())?;
    setup.position = Some(Arc::new(found));
    Ok(setup)
}

fn armies(text: &str, least: i32) -> Result<i32, Error> {
    let number = text.parse().ok();
    number
        .filter(|it| (least..=MOST_ARMIES).contains(it))
        .ok_or_else(|| {
            let text = format!("`{text}` is not a number of armies from {least} to {MOST_ARMIES}");
            let help = "write for example `odds 10 5`, or two territories and --position";
            Error::input("odds::armies", text, help)
        })
}

fn territory(board: &Board, id: &str) -> Result<Territory, Error> {
    board.find(id).ok_or_else(|| {
        let ids: Vec<&str> = board
            .territories()
            .map(|at| board.info(at).id.as_str())
            .collect();
        let text = format!("the map has no territory `{id}`");
        Error::input("odds::territory", text, suggest::help(id, ids))
    })
}

fn untold(ruleset: &str, has_own: bool) -> Error {
    let text = format!("the fights of the ruleset {ruleset} are its own");
    if has_own {
        let text = format!("{text}: it tells the chance between two territories, not of numbers");
        let help = "risk-cli odds --position POSITION FROM TO, where POSITION is a file of \
                    `replay --position`, or game.jsonl@N";
        return Error::input("odds::none", text, help);
    }
    let help = "no chances can be told, unless its script says that it fights by the ruleset's \
                tables, as in `attack: script().fights(\"dice\")`, or defines fn \
                chance(view, from, to)";
    Error::input("odds::none", text, help)
}
