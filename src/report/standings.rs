//! The standings of a match as text.

use super::paint::{Paint, bar, pad};
use crate::matches::standings::{Rate, Spread, Standings};
use crate::text::plural::counted;

/// Wins with intervals by bot and by seat, lengths, endings.
#[must_use]
pub fn text(standings: &Standings, paint: Paint) -> String {
    let mut lines = Vec::new();
    let width = standings
        .bots
        .iter()
        .map(|bot| bot.name.chars().count())
        .max()
        .unwrap_or(0)
        .clamp(6, 24);
    let games = standings.games;
    lines.push(paint.rule(&counted(games, "game")));
    let drawn = standings.bots.iter().any(|bot| bot.draws > 0);
    let draws = |text: String| {
        if drawn {
            format!("{text:>7}  ")
        } else {
            String::new()
        }
    };
    let heads = format!(
        "  {}  {:>7}  {}{:>6}  95 % interval",
        pad("player", width),
        "wins",
        draws("draws".to_owned()),
        "share"
    );
    // Narrow pages have no room for a table.
    let narrow = paint.width < width + 46;
    if !narrow {
        lines.push(paint.dim(&heads));
    }
    // What has no room for a bar goes without.
    let bars = paint.width.saturating_sub(width + 56).min(24);
    for (seat, bot) in standings.bots.iter().enumerate() {
        if narrow {
            let faults = if bot.faults > 0 {
                format!(", {}", counted(bot.faults, "fault"))
            } else {
                String::new()
            };
            let wins = counted(bot.wins, "win");
            let drawn = counted(bot.draws, "draw");
            let shares = [bot.rate.rate, bot.rate.low, bot.rate.high].map(|share| share * 100.0);
            let text = format!(
                "{wins}, {drawn}: {:.1}%, from {:.1} to {:.1}%{faults}",
                shares[0], shares[1], shares[2]
            );
            lines.extend(paint.hang(&format!("  {}  ", pad(&bot.name, width)), &text));
            continue;
        }
        let mut line = format!(
            "  {}  {:>7}  {}{:>5.1}%  {:>5.1} – {:>5.1}%  {}",
            pad(&bot.name, width),
            bot.wins,
            draws(bot.draws.to_string()),
            bot.rate.rate * 100.0,
            bot.rate.low * 100.0,
            bot.rate.high * 100.0,
            bar(bot.rate.rate, bars)
        );
        if bot.faults > 0 {
            line = format!("{}  {}", line.trim_end(), counted(bot.faults, "fault"));
        }
        lines.push(paint.seat(seat, line.trim_end()));
    }
    lines.push(String::new());
    let seats: Vec<String> = standings
        .by_seat
        .iter()
        .enumerate()
        .map(|(seat, &wins)| {
            let rate = Rate::of(wins, games);
            let percent = [rate.rate, rate.low, rate.high].map(|share| share * 100.0);
            format!(
                "  seat {:<2} {:>5.1}%  {:>5.1} – {:>5.1}%",
                seat + 1,
                percent[0],
                percent[1],
                percent[2]
            )
        })
        .collect();
    lines.push(paint.dim("  wins by seat, 95 % interval"));
    lines.extend(seats);
    lines.push(String::new());
    let reasons: Vec<String> = standings
        .reasons
        .iter()
        .map(|(reason, &count)| {
            format!(
                "{reason} {:.1}%",
                100.0 * count as f64 / games.max(1) as f64
            )
        })
        .collect();
    lines.extend(paint.hang("  games ended by ", &reasons.join("   ")));
    lines.extend(paint.hang("  rounds         ", &spread(standings.rounds)));
    lines.extend(paint.hang("  turns          ", &spread(standings.turns)));
    let decisions = counted(standings.decisions, "decision");
    let rolled = counted(standings.battle_rounds, "dice round");
    let told = format!(
        "{decisions}, {rolled}, digest {}",
        crate::record::hex(standings.digest)
    );
    lines.extend(
        paint
            .wrapped("  ", "  ", &told)
            .iter()
            .map(|line| paint.dim(line)),
    );
    lines.join("\n")
}

fn spread(spread: Spread) -> String {
    format!(
        "mean {:.1}, median {:.1}, nine in ten from {} to {}",
        spread.mean, spread.median, spread.p5, spread.p95
    )
}
