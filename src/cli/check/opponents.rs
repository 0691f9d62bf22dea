//! `ruleset check --bots`: compares the bots that can play by a ruleset.

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;

use crate::cli::library;
use crate::cli::threads::{cores, progress};
use crate::cli::{Error, row};
use risk_engine::Rate;
use risk_engine::interrupt::{current_check, with_check};
use risk_lab::check::{MOST_GAMES, OpponentResult, Opponents, Report};
use risk_text::plural::counted;

/// The time for the games, unless their number is given.
const USUAL_TIME: Duration = Duration::from_secs(60);

#[derive(Args, Debug)]
pub(in crate::cli) struct OpponentsArg {
    /// Also play games between the bots that can play by these rules, to find the best opponent:
    /// for 60 seconds, or this number of games
    #[arg(long, value_name = "GAMES", num_args = 0..=1, require_equals = true, conflicts_with = "watch", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    #[allow(
        clippy::option_option,
        reason = "the option may be absent, or present without a number"
    )]
    bots: Option<Option<u64>>,
}

impl OpponentsArg {
    /// Compares the bots if it was asked for, and if the ruleset has no errors.
    pub(in crate::cli) fn compare(&self, report: &mut Report) {
        let Some(games) = self.bots else { return };
        if report.fails() {
            return;
        }
        let outer = current_check();
        let end = Instant::now() + USUAL_TIME;
        let is_over = move || {
            let is_late = games.is_none() && Instant::now() > end;
            is_late || outer.as_ref().is_some_and(|outer| outer())
        };
        let bar = progress(games.unwrap_or(0), "games between bots");
        with_check(Some(Arc::new(is_over)), || {
            let most = games.unwrap_or(MOST_GAMES);
            report.compare_bots(library(), most, cores(), |played| {
                bar.set_position(played);
                bar.set_length(games.unwrap_or(played));
            });
        });
        bar.finish_and_clear();
    }
}

fn percent(rate: Rate) -> String {
    let (share, low, high) = (100.0 * rate.rate, 100.0 * rate.low, 100.0 * rate.high);
    format!("{share:.0}% ({low:.0} – {high:.0}%)")
}

/// Prints the results, and the lines to paste into the ruleset.
pub(super) fn print(found: &Opponents) -> Result<(), Error> {
    let games = counted(found.games as usize, "game");
    let players = counted(found.players, "player");
    row(
        "bots",
        &format!("{games} of {players}; --bots={} repeats them", found.games),
    )?;
    for result in &found.results {
        let mut text = format!(
            "wins {} of {}",
            percent(result.share()),
            counted(result.games as usize, "game")
        );
        if result.duels.0 > 0 {
            let rate = percent(result.against_random());
            text += &format!("; {rate} against random");
        }
        row(&result.bot, &text)?;
    }
    row("best opponent", &advice(found))
}

fn advice(found: &Opponents) -> String {
    let Some(best) = found.best() else {
        return "no bot is certain to beat random. More games may help, or the hook `worth` \
                (docs/search-bots.md)"
            .to_owned();
    };
    let name = &best.bot;
    let share = |result: &OpponentResult| 100.0 * result.share().rate;
    let next = found.results.iter().find(|result| result.bot != *name);
    let lead = next.map_or_else(String::new, |next| {
        let points = share(best) - share(next);
        format!(", {points:.0} points before {}", next.bot)
    });
    if found.named.first() == Some(name) {
        return format!("{name}{lead}, which the ruleset has already");
    }
    format!("{name}{lead}; write in the ruleset: bots: [\"{name}\"], advice: \"{name}\",")
}
