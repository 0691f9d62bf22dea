//! The statistics of a trial, in words.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::{MOST_DECISIONS, Trial, USUAL_GAMES};
use crate::check::cut_games::MOST_ANSWERS;
use risk_engine::Rate;
use risk_stats::fairness::uneven_seats;
use risk_text::plural::counted;

/// The minimum number of games for statistics about seats.
const LEAST_BY_SEAT: u64 = 10;
/// The probability that a check of a fair ruleset reports an advantage of any seat.
const ALPHA_BY_SEAT: f64 = 0.01;

impl Trial<'_> {
    /// Explains why the trial played fewer games than the default.
    fn fact_of_length(&self, facts: &mut Vec<(&'static str, String)>) {
        let wanted = self.games.unwrap_or(USUAL_GAMES);
        let played = self.tally.first_played;
        if self.is_given_up() {
            let text = "the remaining games, after too many timeouts".to_owned();
            facts.push(("left out", text));
        } else if played < wanted && !self.tally.failed {
            let left = wanted - played;
            let most = MOST_DECISIONS[0];
            let text = format!(
                "{left} of {wanted} games at the first table, after {most} decisions; to play \
                 all, add --games {wanted}"
            );
            facts.push(("left out", text));
        }
    }

    pub(super) fn facts(
        &self,
        facts: &mut Vec<(&'static str, String)>,
        players: usize,
        other: &str,
    ) {
        let tally = &self.tally;
        let failed = if tally.failed { ", then a fault" } else { "" };
        let decisions = counted(tally.decisions, "decision");
        facts.push(("games", format!("{}, {decisions}{failed}", tally.games)));
        self.fact_of_length(facts);
        if tally.played > 0 {
            let rate = Rate::new(tally.wins, tally.played);
            let played = counted(tally.played, "game");
            let share = format!("{:.0}% of {played}", rate.rate * 100.0);
            let interval = format!("{:.0} – {:.0}%", rate.low * 100.0, rate.high * 100.0);
            facts.push(("wins", format!("{share} against {other} ({interval})")));
        }
        if players > 0 {
            facts.push(("wins by seat", self.wins_by_seat()));
        }
        if tally.cut.games > 0 {
            let games = counted(tally.cut.games, "game");
            let text = format!("{games}, after {MOST_ANSWERS} decisions");
            facts.push(("cut short", text));
        }
        if let Some(chances) = &tally.chances {
            facts.push(("chances checked", chances.clone()));
        }
        if let Some(guesses) = &tally.guesses {
            facts.push(("imagined games", guesses.clone()));
        }
        if let Some(slowest) = self.slowest_call() {
            facts.push(("slowest call", slowest));
        }
    }

    fn wins_by_seat(&self) -> String {
        let games = self.tally.first_games;
        if games < LEAST_BY_SEAT {
            let decided = counted(games, "game");
            return format!(
                "too few games with one winner at the first table: {decided}, expected at least \
                 {LEAST_BY_SEAT}; add --games N"
            );
        }
        let wins: Vec<f64> = self.tally.by_seat.iter().map(|&wins| wins as f64).collect();
        // A table with one seat has no advantages.
        let uneven = uneven_seats(&wins, ALPHA_BY_SEAT).unwrap_or_default();
        let shares = wins.iter().enumerate().map(|(seat, wins)| {
            let mark = match uneven.get(seat) {
                Some(Ordering::Greater) => ", an advantage",
                Some(Ordering::Less) => ", a disadvantage",
                _ => "",
            };
            format!(
                "seat {} {:.0}%{mark}",
                seat + 1,
                wins / games as f64 * 100.0
            )
        });
        shares.collect::<Vec<_>>().join("; ")
    }

    /// Returns the tested script's call with the most operations, and the number of operations.
    fn slowest_call(&self) -> Option<String> {
        let own: BTreeSet<String> = match self.script_name() {
            Some(name) => [name].into(),
            None => {
                let sources = self.ruleset.sources();
                sources.map(|source| source.name.to_string()).collect()
            }
        };
        let readings = self.limits.tracer.readings()?;
        let ((_, hook), tally) = readings
            .hooks
            .iter()
            .filter(|((script, _), _)| own.contains(script))
            .max_by_key(|(_, tally)| tally.most)?;
        let mean = tally.operations / tally.calls.max(1);
        Some(format!(
            "`{hook}`, at most {} of {} operations, {mean} on average",
            tally.most, self.limits.budget.0
        ))
    }
}
