//! Winning shares adjusted to average luck, beside the actual shares.

use serde_json::{Value, json};

use super::{limits, line_heads, percent};
use crate::json::round;
use risk_lab::tournament::results::{BotTally, Results, TournamentTally};
use risk_stats::StatsError;
use risk_stats::adjusted::AdjustedShare;
use risk_text::paint::Paint;
use risk_text::signed;

/// Returns the luck of a bot's dice, in armies a game.
pub(super) fn mean(bot: &BotTally) -> f64 {
    bot.luck.iter().sum::<f64>() / bot.luck.len().max(1) as f64
}

/// Explains why there is no share adjusted to average luck.
pub(super) fn why_none(bot: &BotTally, why: &StatsError) -> String {
    if bot.luck.iter().all(|&luck| luck == 0.0) {
        "luck unknown: the ruleset's script resolves the fights".to_owned()
    } else {
        why.to_string()
    }
}

/// Formats the saved share of the variance, which is also the saved share of games.
pub(super) fn saved(adjusted: &AdjustedShare) -> String {
    format!("{:.0} %", 100.0 * adjusted.saved)
}

/// Formats the shares adjusted to average luck for a terminal. Empty if luck is not counted.
pub(super) fn lines(tally: &TournamentTally<'_>, results: &Results, paint: Paint) -> Vec<String> {
    let Some(adjusted) = &results.adjusted else {
        return Vec::new();
    };
    let text = "with average dice: win share, 95 % interval, luck in armies per game, \
                variance saved";
    let mut lines = paint.painted(text, Paint::dim);
    let heads = line_heads(tally, paint);
    for bot in results.ranking() {
        let text = match &adjusted[bot] {
            Ok(found) => format!(
                "{}  {}  luck {}, saved {}",
                percent(found.share),
                limits(&Ok(found.interval)),
                signed(mean(&tally.bots[bot]), 2),
                saved(found)
            ),
            Err(why) => why_none(&tally.bots[bot], why),
        };
        lines.extend(paint.hang(&heads[bot], &text));
    }
    lines.push(String::new());
    lines
}

/// Returns a bot's share adjusted to average luck as JSON, or `None` if luck is not counted.
pub(super) fn value(tally: &TournamentTally<'_>, results: &Results, bot: usize) -> Option<Value> {
    let luck = round(mean(&tally.bots[bot]));
    Some(match &results.adjusted.as_ref()?[bot] {
        Ok(found) => json!({
            "armies": luck,
            "share": round(found.share),
            "interval": [round(found.interval.low), round(found.interval.high)],
            "share_of_an_army": found.coefficients.first().map(|&it| round(it)),
            "variance_saved": round(found.saved),
        }),
        Err(why) => json!({ "armies": luck, "missing": why_none(&tally.bots[bot], why) }),
    })
}

/// The column headers of [`cells`].
pub(super) const HEADS: [&str; 5] = [
    "luck",
    "adjusted_share",
    "adjusted_low",
    "adjusted_high",
    "variance_saved",
];

/// Returns a bot's share adjusted to average luck as table cells. Empty if luck is not counted.
pub(super) fn cells(tally: &TournamentTally<'_>, results: &Results, bot: usize) -> Vec<String> {
    let Some(adjusted) = &results.adjusted else {
        return Vec::new();
    };
    let mut cells = vec![format!("{:.6}", mean(&tally.bots[bot]))];
    match &adjusted[bot] {
        Ok(found) => cells.extend(
            [
                found.share,
                found.interval.low,
                found.interval.high,
                found.saved,
            ]
            .map(|number| format!("{number:.6}")),
        ),
        Err(_) => cells.extend([const { String::new() }; 4]),
    }
    cells
}
