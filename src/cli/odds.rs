//! `risk-cli odds`: the exact chances of a fight.

use std::io;

use clap::Args;

use super::format::Format;
use super::match_args::RulesArgs;
use super::{Done, Error, Exit, paint, say, say_json};
use risk_engine::script::ScriptLimits;
use risk_kernel::odds::{Fight, MOST_ARMIES};
use risk_report as report;

#[derive(Args, Debug)]
pub(super) struct OddsArgs {
    /// Armies that may fight, beyond any that must stay behind
    #[arg(value_parser = clap::value_parser!(i32).range(1..=i64::from(MOST_ARMIES)))]
    attackers: i32,
    /// Armies that defend
    #[arg(value_parser = clap::value_parser!(i32).range(0..=i64::from(MOST_ARMIES)))]
    defenders: i32,
    #[command(flatten)]
    rules: RulesArgs,
    /// Text for people, or one JSON document
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(super) fn run(args: &OddsArgs) -> Done {
    let rules = args.rules.load()?;
    let least = rules.ruleset.manifest.players.0;
    let bound = rules.bind(least, &ScriptLimits::default())?;
    let Some(mut fight) = Fight::from_tables(bound.rules.tables()) else {
        let text = format!(
            "the ruleset {} has no fight whose odds can be counted",
            args.rules.ruleset
        );
        let help = "odds need the tables attack_dice, defend_dice and pair_won, or kill_percent, \
                    kill_luck and kill_weighted";
        return Err(Error::input("odds::none", text, help));
    };
    let mut odds = |attackers: i32| {
        fight
            .odds(attackers, args.defenders)
            .map_err(|fault| Error::input("odds::fault", fault.text(), "see the ruleset's tables"))
    };
    let found = odds(args.attackers)?;
    if args.format == Format::Json {
        let value = report::json::odds(&args.rules.ruleset, args.attackers, args.defenders, found);
        say_json(&value)?;
        return Ok(Exit::Fine);
    }
    let low = (args.attackers - 5).max(1);
    let high = (args.attackers + 5).min(MOST_ARMIES);
    let around = (low..=high)
        .map(|count| Ok((count, odds(count)?.capture)))
        .collect::<Result<Vec<_>, Error>>()?;
    say(&report::odds::text(
        args.attackers,
        args.defenders,
        found,
        &around,
        paint(&io::stdout()),
    ))?;
    Ok(Exit::Fine)
}
