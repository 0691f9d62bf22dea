//! The rating of a bot in a frozen field: its share of wins, its Elo, what it loses to, its faults,
//! and a badge.

use serde_json::{Value, json};

use crate::json::{FORMAT, round};
use crate::tournament::document::{bot_value, interval};
use crate::tournament::{fault_lines, percent, points, warnings};
use risk_lab::tournament::results::{PairComparison, Results, TournamentTally, mark_sure};
use risk_stats::shares::{Share, elo, elo_limits};
use risk_stats::{Interval, StatsError};
use risk_text::columns;
use risk_text::paint::{Paint, pad};
use risk_text::plural::counted;
use risk_text::signed;

/// Says who wins more. A difference that may be chance has no winner.
fn verdict(pair: &PairComparison) -> &'static str {
    match pair.difference.mean > 0.0 {
        _ if !pair.sure => "undecided",
        true => "wins",
        false => "loses",
    }
}

/// Returns a share as Elo against the table, with its limits.
fn elo_words(share: &Share, seats: usize) -> String {
    let number = |elo: f64| signed(elo, 0);
    let middle = elo(share.share, seats)
        .ok()
        .flatten()
        .map_or_else(String::new, number);
    let limits = share.interval.ok().map(|limits| elo_limits(limits, seats));
    let limits = limits
        .and_then(Result::ok)
        .map(|it| (it.low.map(number), it.high.map(number)));
    match limits {
        Some((Some(low), Some(high))) => format!("Elo {middle}, from {low} to {high}"),
        Some((Some(low), None)) => format!("Elo above {low}"),
        Some((None, Some(high))) => format!("Elo below {high}"),
        _ => format!("Elo {middle}, without an interval"),
    }
}

fn from(interval: &Result<Interval, StatsError>) -> String {
    match interval {
        Ok(limits) => format!(", from {} to {}", percent(limits.low), percent(limits.high)),
        Err(why) => format!("; no interval: {why}"),
    }
}

/// The result of a rating, to be printed as text, as JSON or as a badge.
#[derive(Debug)]
pub struct RatingReport<'a> {
    field: &'a str,
    bot: &'a str,
    tally: &'a TournamentTally<'a>,
    results: Results,
    rated: usize,
}

impl<'a> RatingReport<'a> {
    /// Prepares the report of all games in a field. `bot` is the bot's own name, and `rated` its
    /// index in the plan.
    #[must_use]
    pub fn new(field: &'a str, bot: &'a str, tally: &'a TournamentTally<'a>, rated: usize) -> Self {
        Self {
            field,
            bot,
            tally,
            results: tally.results(),
            rated,
        }
    }

    /// Returns the comparisons with the opponents, starting with the one that is most ahead.
    fn opponents(&self) -> Vec<PairComparison> {
        let pairs = self.results.pairs.iter().copied();
        let pairs = pairs.filter(|pair| pair.has(self.rated));
        let seen = |pair: PairComparison| match pair.left == self.rated {
            true => pair,
            false => pair.exchanged(),
        };
        let mut pairs: Vec<_> = pairs.map(seen).collect();
        mark_sure(&mut pairs);
        pairs.sort_by(|a, b| a.difference.mean.total_cmp(&b.difference.mean));
        pairs
    }

    fn name(&self, bot: usize) -> &str {
        &self.tally.plan().setup.bots[bot].name
    }

    /// Formats the result for a terminal.
    #[must_use]
    pub fn text(&self, paint: Paint) -> String {
        let plan = self.tally.plan();
        let title = format!("{} in the field {}", self.bot, self.field);
        let mut lines = vec![paint.bold(&title)];
        if let Ok(share) = &self.results.shares[self.rated] {
            let wins = format!("{} of wins", percent(share.share));
            lines.extend(paint.indented(&paint.good(&format!("{wins}{}", from(&share.interval)))));
            let elo = elo_words(share, plan.seats);
            lines.extend(paint.indented(&format!("{elo}; 0 is an equal share")));
        }
        let rules = &plan.setup.rules;
        let text = format!(
            "{} of {} on {}, {} at a table, in every seat; each interval has 95 %",
            counted(self.tally.games, "game"),
            rules.ruleset.manifest.decl.name,
            rules.board.name(),
            plan.seats,
        );
        lines.extend(paint.indented(&text));
        lines.extend(warnings(plan, paint));
        lines.push(String::new());
        lines.extend(self.opponent_lines(paint));
        let faults = self.tally.bots[self.rated].faults;
        if faults == 0 {
            lines.extend(paint.indented("no faults"));
        }
        lines.extend(fault_lines(self.tally, &[self.rated], paint));
        let digest = format!("digest of all games {}", self.tally.digest());
        lines.extend(paint.painted(&digest, Paint::dim));
        lines.join("\n")
    }

    fn opponent_lines(&self, paint: Paint) -> Vec<String> {
        let opponents = self.opponents();
        let text = "its share less each opponent's, at common tables; verdicts are corrected";
        let mut lines = paint.painted(text, Paint::dim);
        let width = opponents.iter().map(|it| columns(self.name(it.right)));
        let width = width.max().unwrap_or(0);
        for pair in &opponents {
            let limits = match pair.difference.interval {
                Ok(limits) => format!("{} to {}", points(limits.low), points(limits.high)),
                Err(StatsError::NoVariation) => "the same in every block".to_owned(),
                Err(_) => "no interval".to_owned(),
            };
            let difference = points(pair.difference.mean);
            let text = format!("{difference:>6}  ({limits})  {}", verdict(pair));
            let head = format!("  {}  ", pad(self.name(pair.right), width));
            lines.extend(paint.hang(&head, &text));
        }
        lines
    }

    /// Returns the result as a JSON document.
    #[must_use]
    pub fn document(&self) -> Value {
        let plan = self.tally.plan();
        let mut value = bot_value(self.tally, &self.results, self.rated);
        let opponents = self.opponents();
        let opponents = opponents.iter().map(|pair| {
            json!({
                "name": self.name(pair.right),
                "difference": round(pair.difference.mean),
                "interval": interval(&pair.difference.interval),
                "verdict": verdict(pair),
            })
        });
        if let Some(keys) = value.as_object_mut() {
            // The opponents did not play without the rated bot, so they have no ranks.
            keys.remove("rank");
        }
        value["opponents"] = opponents.collect();
        value["type"] = json!("rating");
        value["format"] = json!(FORMAT);
        value["field"] = json!(self.field);
        value["name"] = json!(self.bot);
        value["seats_at_a_table"] = json!(plan.seats);
        value["reproducible"] = json!(plan.setup.why_not_reproducible().is_none());
        value["timed"] = json!(plan.setup.is_timed());
        value["unverified"] = json!(!plan.unverified().is_empty());
        value["undecided"] = json!(self.tally.undecided);
        value["digest"] = json!(self.tally.digest());
        value
    }

    /// Returns a line of Markdown for a README: a badge with the Elo, drawn by shields.io.
    #[must_use]
    pub fn badge(&self) -> String {
        let share = self.results.shares[self.rated].as_ref();
        let value = share.map_or_else(ToString::to_string, |share| {
            elo_words(share, self.tally.plan().seats)
        });
        let label = format!("risk-cli {}", self.field);
        let encoded = |text: &str| {
            let text = text.replace('-', "--").replace('_', "__").replace(' ', "_");
            text.replace('+', "%2B").replace('/', "%2F")
        };
        let picture = format!("{}-{}-blue", encoded(&label), encoded(&value));
        format!("![{label}: {value}](https://img.shields.io/badge/{picture})")
    }
}
