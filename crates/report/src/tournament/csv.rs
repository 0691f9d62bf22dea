//! A tournament as CSV: one table of bots and one table of games.

use super::luck;
use risk_lab::tournament::TournamentPlan;
use risk_lab::tournament::log::BlockLine;
use risk_lab::tournament::results::{Results, TournamentTally};
use risk_stats::shares::elo;
use risk_text::signed;

/// Quotes a cell if necessary (RFC 4180). Spreadsheets run text that begins like a formula, so such
/// text gets an apostrophe, which spreadsheets hide.
fn cell(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        return cell(&format!("'{text}"));
    }
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn number(value: Option<f64>) -> String {
    let digits = |value| signed(value, 6).trim_start_matches('+').to_owned();
    value.map_or_else(String::new, digits)
}

/// Returns a line for each bot, the best first.
#[must_use]
pub fn ranking(tally: &TournamentTally<'_>, results: &Results) -> String {
    let mut text =
        "bot,rank_best,rank_worst,games,wins,share,low,high,elo,elo_low,elo_high,mean_place,faults"
            .to_owned();
    if results.adjusted.is_some() {
        text += ",";
        text += &luck::HEADS.join(",");
    }
    text += "\n";
    let seats = tally.plan().seats;
    for bot in results.ranking() {
        let counted = &tally.bots[bot];
        let share = results.shares[bot].as_ref().ok();
        let limits = share.and_then(|share| share.interval.ok());
        let elo = |share: Option<f64>| number(share.and_then(|share| elo(share, seats).ok()?));
        let middle = share.map(|share| share.share);
        let low = limits.map(|limits| limits.low);
        let high = limits.map(|limits| limits.high);
        let place = counted.places as f64 / counted.games.max(1) as f64;
        let mut cells = vec![
            cell(&tally.plan().setup.bots[bot].name),
            results.ranks[bot].best.to_string(),
            results.ranks[bot].worst.to_string(),
            counted.games.to_string(),
            counted.wins.to_string(),
            number(middle),
            number(low),
            number(high),
            elo(middle),
            elo(low),
            elo(high),
            number((counted.games > 0).then_some(place)),
            counted.faults.to_string(),
        ];
        cells.extend(luck::cells(tally, results, bot));
        text += &(cells.join(",") + "\n");
    }
    text
}

/// Returns the column headers of [`games_rows`].
#[must_use]
pub fn games_head(plan: &TournamentPlan) -> String {
    let luck = if plan.luck { ",luck" } else { "" };
    format!(
        "block,game,seat,bot,place,share,out_in_round,faults,reason,rounds,turns,decisions,digest{luck}\n"
    )
}

/// Returns the games of a block, with one line per player and game.
#[must_use]
pub fn games_rows(block: &BlockLine) -> String {
    let mut text = String::new();
    for (number, game) in block.games.iter().enumerate() {
        for (seat, name) in game.seats.iter().enumerate() {
            let mut cells = vec![
                block.block.to_string(),
                (number + 1).to_string(),
                (seat + 1).to_string(),
                cell(name),
                game.places[seat].to_string(),
                format!("{:.6}", game.share(seat)),
                game.out_in_round[seat].map_or_else(String::new, |round| round.to_string()),
                game.faults[seat].to_string(),
                cell(&game.reason),
                game.rounds.to_string(),
                game.turns.to_string(),
                game.decisions.to_string(),
                game.digest.clone(),
            ];
            if let Some(luck) = &game.luck {
                cells.push(format!("{:.3}", luck[seat] as f64 / 1_000.0));
            }
            text += &(cells.join(",") + "\n");
        }
    }
    text
}
