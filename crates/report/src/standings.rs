//! The standings of a match as text.

use risk_engine::{Rate, Spread, Standing, Standings};
use risk_text::columns;
use risk_text::names::{LEAST_NAME, name_column};
use risk_text::paint::{Paint, bar};
use risk_text::plural::counted;

/// Formats wins with confidence intervals by bot and by seat, endings and game lengths.
#[must_use]
pub fn text(standings: &Standings, paint: Paint) -> String {
    let mut lines = vec![paint.rule(&counted(standings.games, "game"))];
    lines.extend(by_bot(standings, paint));
    lines.push(String::new());
    lines.push(paint.dim("  wins by seat, 95 % interval"));
    lines.extend(by_seat(standings));
    lines.push(String::new());
    lines.extend(endings(standings, paint));
    lines.extend(paint.hang("  rounds         ", &spread(standings.rounds)));
    lines.extend(paint.hang("  turns          ", &spread(standings.turns)));
    lines.extend(counts(standings, paint));
    lines.join("\n")
}

fn by_bot(standings: &Standings, paint: Paint) -> Vec<String> {
    /// The number of columns beside the names.
    const BESIDE: usize = 46;
    let names = || standings.bots.iter().map(|bot| bot.name.as_str());
    let room = paint.width.saturating_sub(BESIDE).max(LEAST_NAME);
    let (heading, short) = name_column("player", names(), room);
    if paint.width >= columns(&heading) + BESIDE {
        return table(&standings.bots, &heading, &short, paint);
    }
    let (_, names) = name_column("player", names(), paint.width.saturating_sub(4));
    let rows = names.iter().zip(&standings.bots);
    rows.flat_map(|(name, bot)| in_words(name, bot, paint))
        .collect()
}

/// Formats a bot's wins for a page that is too narrow for a table.
fn in_words(name: &str, bot: &Standing, paint: Paint) -> Vec<String> {
    let faults = if bot.faults > 0 {
        format!(", {}", counted(bot.faults, "fault"))
    } else {
        String::new()
    };
    let wins = counted(bot.wins, "win");
    let drawn = counted(bot.draws, "draw");
    let [share, low, high] = percent(bot.rate);
    let text = format!("{wins}, {drawn}: {share:.1}%, from {low:.1} to {high:.1}%{faults}");
    paint.hang(&format!("  {name}  "), &text)
}

fn table(bots: &[Standing], heading: &str, names: &[String], paint: Paint) -> Vec<String> {
    let drawn = bots.iter().any(|bot| bot.draws > 0);
    let draws = |text: String| {
        if drawn {
            format!("{text:>7}  ")
        } else {
            String::new()
        }
    };
    let heads = format!(
        "  {heading}  {:>7}  {}{:>6}  95 % interval",
        "wins",
        draws("draws".to_owned()),
        "share"
    );
    let mut lines = vec![paint.dim(&heads)];
    // The width is 0 if there is no space for bars.
    let bars = paint.width.saturating_sub(columns(heading) + 56).min(24);
    for (seat, bot) in bots.iter().enumerate() {
        let [share, low, high] = percent(bot.rate);
        let mut line = format!(
            "  {}  {:>7}  {}{share:>5.1}%  {low:>5.1} – {high:>5.1}%  {}",
            names[seat],
            bot.wins,
            draws(bot.draws.to_string()),
            bar(bot.rate.rate, bars)
        );
        if bot.faults > 0 {
            line = format!("{}  {}", line.trim_end(), counted(bot.faults, "fault"));
        }
        lines.push(paint.seat(seat, line.trim_end()));
    }
    lines
}

fn by_seat(standings: &Standings) -> impl Iterator<Item = String> {
    let wins = standings.by_seat.iter().enumerate();
    wins.map(|(seat, &wins)| {
        let [share, low, high] = percent(Rate::new(wins, standings.games));
        format!(
            "  seat {:<2} {share:>5.1}%  {low:>5.1} – {high:>5.1}%",
            seat + 1
        )
    })
}

fn endings(standings: &Standings, paint: Paint) -> Vec<String> {
    let games = standings.games.max(1) as f64;
    let reasons: Vec<String> = standings
        .reasons
        .iter()
        .map(|(reason, &count)| format!("{reason} {:.1}%", 100.0 * count as f64 / games))
        .collect();
    paint.hang("  games ended by ", &reasons.join("   "))
}

fn counts(standings: &Standings, paint: Paint) -> Vec<String> {
    let decisions = counted(standings.decisions, "decision");
    // Rulesets roll dice, try chances in percent, do both, or neither.
    let rolled = match standings.battle_rounds {
        0 => String::new(),
        many => format!("{}, ", counted(many, "random roll")),
    };
    let digest = risk_engine::record::hex(standings.digest);
    let text = format!("{decisions}, {rolled}digest {digest}");
    paint.painted(&text, Paint::dim)
}

/// Returns a rate and the limits of its confidence interval, in percent.
fn percent(rate: Rate) -> [f64; 3] {
    [rate.rate, rate.low, rate.high].map(|share| share * 100.0)
}

fn spread(spread: Spread) -> String {
    format!(
        "mean {:.1}, median {:.1}, 90 % from {} to {}",
        spread.mean, spread.median, spread.p5, spread.p95
    )
}
