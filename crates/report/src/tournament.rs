//! The results of a tournament as text, JSON, CSV and an HTML page.

mod block_coverage;
#[cfg(feature = "pages")]
mod charts;
#[cfg(feature = "pages")]
mod crosstable;
mod csv;
pub(crate) mod document;
#[cfg(feature = "pages")]
mod games;
#[cfg(feature = "pages")]
mod html;
mod luck;
mod times;

pub use block_coverage::BlockCoverage;
pub use csv::{games_head, games_rows, ranking};
pub use document::document;
#[cfg(feature = "pages")]
pub use games::{GameLinks, games};
#[cfg(feature = "pages")]
pub use html::{page, stage, times_html};
pub use times::{times_text, times_value};

use risk_lab::tournament::TournamentPlan;
use risk_lab::tournament::results::{PairComparison, Results, TournamentTally};
use risk_stats::places::PlaceRatings;
use risk_stats::ratings::Ratings;
use risk_stats::shares::{ELO_PER_NAT, elo, elo_limits};
use risk_stats::{Interval, StatsError};
use risk_text::columns;
use risk_text::names::{LEAST_NAME, name_column};
use risk_text::paint::{Paint, pad};
use risk_text::plural::counted;
use risk_text::signed;

/// Formats the report for a terminal.
#[must_use]
pub fn text(
    tally: &TournamentTally<'_>,
    results: &Results,
    extent: &BlockCoverage,
    paint: Paint,
) -> String {
    let mut lines = head(tally, extent, paint);
    let order = results.ranking();
    lines.extend(ranking_lines(tally, results, paint));
    lines.extend(luck::lines(tally, results, paint));
    lines.extend(pair_lines(tally, results, paint));
    lines.extend(model_lines(tally, results, paint));
    lines.extend(seat_lines(tally, &order, paint));
    lines.extend(ending_lines(tally, paint));
    lines.extend(cost_lines(tally, &order, paint));
    lines.extend(fault_lines(tally, &order, paint));
    lines.join("\n")
}

fn name<'a>(tally: &'a TournamentTally<'_>, bot: usize) -> &'a str {
    &tally.plan().setup.bots[bot].name
}

/// Returns the names of all bots at the start of a line, and a heading above them.
fn names(tally: &TournamentTally<'_>, room: usize) -> (String, Vec<String>) {
    let bots = tally.plan().setup.bots.iter();
    name_column("bot   ", bots.map(|bot| bot.name.as_str()), room)
}

/// Returns the start of each bot's line, for text that wraps beside or below it.
fn line_heads(tally: &TournamentTally<'_>, paint: Paint) -> Vec<String> {
    let (_, names) = names(tally, paint.width.saturating_sub(4));
    names.iter().map(|name| format!("  {name}  ")).collect()
}

fn title(tally: &TournamentTally<'_>) -> String {
    let plan = tally.plan();
    let setup = &plan.setup;
    let finals = if plan.first_stage.is_some() {
        "finals of "
    } else {
        ""
    };
    format!("{finals}{}, seed {}", setup.rules.title(), setup.seed)
}

/// Names the bots in the finals, and warns that the qualifying games overstate them.
fn chosen(tally: &TournamentTally<'_>, results: &Results) -> Option<String> {
    let finals = tally.plan().finals.as_ref()?;
    let order = results.ranking();
    let best = order.iter().take(finals.best);
    let names: Vec<&str> = best.map(|&bot| name(tally, bot)).collect();
    Some(format!(
        "in the finals: {}; chosen by the games above, which overstate their strength",
        names.join(", ")
    ))
}

fn head(tally: &TournamentTally<'_>, extent: &BlockCoverage, paint: Paint) -> Vec<String> {
    let plan = tally.plan();
    let setup = &plan.setup;
    let mut lines = vec![paint.bold(&title(tally))];
    let text = format!(
        "{} at tables of {}, {} of {}, {}: {}; {}",
        counted(setup.bots.len(), "bot"),
        plan.seats,
        tally.blocks,
        counted(plan.blocks, "block"),
        counted(tally.games, "game"),
        plan.design,
        plan.dice(),
    );
    lines.extend(paint.indented(&text));
    if extent.is_partial() {
        let text = format!("partial: missing blocks {}", extent.words());
        lines.extend(paint.painted(&text, Paint::bad));
    }
    lines.extend(warnings(plan, paint));
    let text = format!(
        "plan {}, digest of all games {}",
        plan.hash(),
        tally.digest()
    );
    lines.extend(paint.painted(&text, Paint::dim));
    lines.push(String::new());
    lines
}

pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// Formats a difference in shares, in percentage points.
pub(crate) fn points(difference: f64) -> String {
    signed(100.0 * difference, 1)
}

fn limits(interval: &Result<Interval, StatsError>) -> String {
    match interval {
        Ok(limits) => format!(
            "{:>5.1} – {:>5.1}%",
            100.0 * limits.low,
            100.0 * limits.high
        ),
        Err(_) => "–".to_owned(),
    }
}

/// Formats a bot's Elo against the table with its limits. A dash means an unbounded value.
fn elo_text(share: f64, interval: &Result<Interval, StatsError>, seats: usize) -> (String, String) {
    let number = |elo: Option<f64>| elo.map_or_else(|| "–".to_owned(), |elo| signed(elo, 0));
    let middle = number(elo(share, seats).ok().flatten());
    let Some(Ok(limits)) = interval
        .as_ref()
        .ok()
        .map(|limits| elo_limits(*limits, seats))
    else {
        return (middle, String::new());
    };
    let both = format!("{} to {}", number(limits.low), number(limits.high));
    (middle, both)
}

fn ranking_lines(tally: &TournamentTally<'_>, results: &Results, paint: Paint) -> Vec<String> {
    /// The number of columns beside the names.
    const BESIDE: usize = 66;
    let (heading, names) = names(tally, paint.width.saturating_sub(11));
    let wide = paint.width >= columns(&heading) + BESIDE;
    let mut lines = Vec::new();
    if wide {
        let head = format!(
            "  rank   {heading}  {:>6}  {:>6}  {:>6}  {:<14}  {:>5}  {:<14}  place",
            "games", "wins", "share", "95 % interval", "Elo", "95 % interval"
        );
        lines.push(paint.dim(head.trim_end()));
    }
    for bot in results.ranking() {
        let rank = rank_text(results, bot);
        let head = format!("  {rank:<5}  {}  ", names[bot]);
        lines.extend(ranking_row(tally, results, bot, &head, paint, wide));
    }
    let mut shares = results.shares.iter().flatten();
    let few = shares.find_map(|share| share.interval.err());
    if let Some(why) = few {
        let text = format!("no interval: {why}");
        lines.extend(paint.indented(&text));
    }
    if tally.undecided > 0 {
        let text = format!("{} without a winner", counted(tally.undecided, "game"));
        lines.extend(paint.indented(&text));
    }
    if let Some(text) = chosen(tally, results) {
        lines.extend(paint.indented(&text));
    }
    lines.push(String::new());
    lines
}

/// Formats the rank of a bot, as a range if the rank is uncertain.
fn rank_text(results: &Results, bot: usize) -> String {
    let range = results.ranks[bot];
    if range.best == range.worst {
        range.best.to_string()
    } else {
        format!("{}–{}", range.best, range.worst)
    }
}

/// Formats a bot's place in the ranking, in columns if `wide`.
fn ranking_row(
    tally: &TournamentTally<'_>,
    results: &Results,
    bot: usize,
    head: &str,
    paint: Paint,
    wide: bool,
) -> Vec<String> {
    let counted_bot = &tally.bots[bot];
    let Ok(share) = &results.shares[bot] else {
        return vec![format!("{head}no games yet")];
    };
    let (elo, elo_limits) = elo_text(share.share, &share.interval, tally.plan().seats);
    let limits = limits(&share.interval);
    let percent = percent(share.share);
    let games = counted_bot.games;
    if !wide {
        let limits = limits.replace(" – ", " to ");
        let text = format!("{percent} of {games} games, from {limits}; Elo {elo}");
        return paint.hang(head, &text);
    }
    let place = counted_bot.places as f64 / counted_bot.games.max(1) as f64;
    let wins = counted_bot.wins;
    let line = format!(
        "{head}{games:>6}  {wins:>6}  {percent:>6}  {limits:<14}  {elo:>5}  {elo_limits:<14}  \
         {place:.2}"
    );
    vec![paint.seat(bot, line.trim_end())]
}

/// Returns the pairs in the order of the ranking, the better bot of each at the left.
fn pairs_in_order(results: &Results) -> Vec<PairComparison> {
    let order = results.ranking();
    let place = |bot: usize| order.iter().position(|&other| other == bot).unwrap_or(0);
    let mut pairs = results.pairs.clone();
    for pair in &mut pairs {
        if place(pair.left) > place(pair.right) {
            *pair = pair.exchanged();
        }
    }
    pairs.sort_by_key(|pair| (place(pair.left), place(pair.right)));
    pairs
}

/// Compares each pair of bots at the tables where both played.
fn pair_lines(tally: &TournamentTally<'_>, results: &Results, paint: Paint) -> Vec<String> {
    /// The maximum number of pairs in the text. Other formats contain all pairs.
    const MOST: usize = 45;
    let mut lines = Vec::new();
    if results.pairs.len() > MOST {
        let text = format!(
            "{} of bots met; --format json lists the differences",
            counted(results.pairs.len(), "pair")
        );
        lines.extend(paint.indented(&text));
        lines.push(String::new());
        return lines;
    }
    let text = "head to head: difference in win shares at common tables, with the 95 % interval of \
                each pair alone; * significant, corrected for the number of pairs";
    lines.extend(paint.painted(text, Paint::dim));
    let pairs = pairs_in_order(results);
    let (_, names) = names(tally, paint.width.saturating_sub(7) / 2);
    let both = pairs.iter().map(|pair| {
        let [left, right] = [pair.left, pair.right].map(|bot| names[bot].trim_end());
        format!("{left} – {right}")
    });
    let both: Vec<String> = both.collect();
    let width = both.iter().map(|text| columns(text)).max().unwrap_or(0);
    for (pair, both) in pairs.iter().zip(&both) {
        let limits = match &pair.difference.interval {
            Ok(limits) => format!("{} to {}", points(limits.low), points(limits.high)),
            Err(StatsError::NoVariation) => "the same in every block".to_owned(),
            Err(_) => "no interval".to_owned(),
        };
        let mark = if pair.sure { " *" } else { "" };
        let text = format!("{}  ({limits}){mark}", points(pair.difference.mean));
        let head = format!("  {}  ", pad(both, width));
        lines.extend(paint.hang(&head, &text));
    }
    if let Some(unknown) = results.unknown_pairs(None, tally.blocks) {
        let pairs = counted(unknown.pairs, "pair");
        let text = format!("no statement about {pairs}: {unknown}");
        lines.extend(paint.indented(&text));
    }
    lines.push(String::new());
    lines
}

/// Formats ratings based on who won against whom, if not all bots meet at every table.
fn model_lines(tally: &TournamentTally<'_>, results: &Results, paint: Paint) -> Vec<String> {
    let ratings = match &results.model {
        None => return Vec::new(),
        Some(Err(why)) => {
            let text = format!("no Elo from wins: {why}");
            let mut lines = paint.indented(&text);
            lines.push(String::new());
            return lines;
        }
        Some(Ok(ratings)) => ratings,
    };
    let text = format!(
        "Elo from wins, relative to {}, corrected for seats; the Elo above is against the table",
        name(tally, ratings.anchor)
    );
    let mut lines = paint.painted(&text, Paint::dim);
    let heads = line_heads(tally, paint);
    for bot in results.ranking() {
        lines.extend(paint.hang(&heads[bot], &rating_text(ratings, bot)));
    }
    lines.push(String::new());
    lines
}

/// Formats a bot's rating, relative to the anchor.
fn rating_text(ratings: &Ratings, bot: usize) -> String {
    let elo = |nats: f64| signed(nats * ELO_PER_NAT, 0);
    match &ratings.bots[bot].against_anchor {
        _ if bot == ratings.anchor => "0".to_owned(),
        Err(why) => why.to_string(),
        Ok(contrast) => format!(
            "{}  ({} to {})",
            elo(contrast.nats),
            elo(contrast.interval.low),
            elo(contrast.interval.high)
        ),
    }
}

/// Says why games may differ next time, and which bots are unverified.
#[must_use]
pub fn warnings(plan: &TournamentPlan, paint: Paint) -> Vec<String> {
    let why = plan.setup.why_not_reproducible();
    let why = why.map(|why| format!("not reproducible: {why}"));
    let texts = why.into_iter().chain(unverified(plan));
    texts.flat_map(|text| paint.indented(&text)).collect()
}

/// Formats ratings based on final places, and their misfit to the wins.
#[must_use]
pub fn places(
    tally: &TournamentTally<'_>,
    results: &Results,
    ratings: &Result<PlaceRatings, StatsError>,
    paint: Paint,
) -> String {
    /// The misfit, in standard errors, beyond which places do not measure winning.
    const MISFIT: f64 = 3.0;
    let mut lines = vec![String::new()];
    let ratings = match ratings {
        Ok(ratings) => ratings,
        Err(why) => {
            lines.extend(paint.indented(&format!("no Elo from places: {why}")));
            return lines.join("\n");
        }
    };
    let text = format!(
        "Elo from places, relative to {}; misfit: wins less expected wins, in standard errors",
        name(tally, ratings.ratings.anchor)
    );
    lines.extend(paint.painted(&text, Paint::dim));
    let mut fits = true;
    let heads = line_heads(tally, paint);
    for bot in results.ranking() {
        let elo = rating_text(&ratings.ratings, bot);
        let misfit = match &ratings.misfit[bot] {
            Ok(misfit) => {
                fits &= misfit.abs() <= MISFIT;
                format!("misfit {}", signed(*misfit, 1))
            }
            Err(_) => "no misfit".to_owned(),
        };
        lines.extend(paint.hang(&heads[bot], &format!("{elo}; {misfit}")));
    }
    if !fits {
        lines.push("  in these games, places are a poor predictor of wins".to_owned());
    }
    lines.join("\n")
}

fn seat_lines(tally: &TournamentTally<'_>, order: &[usize], paint: Paint) -> Vec<String> {
    let seats = tally.plan().seats;
    let beside = 4 + 7 * (seats + 1);
    let room = paint.width.saturating_sub(beside).max(LEAST_NAME);
    let (heading, names) = names(tally, room);
    let width = columns(&heading);
    let shares = tally.seat_means();
    let all: Vec<String> = shares
        .iter()
        .map(|&share| format!("{:>6}", percent(share)))
        .collect();
    let mut lines = vec![paint.dim("  share of wins by seat")];
    if paint.width < width + beside {
        for (seat, share) in all.iter().enumerate() {
            lines.push(format!("  seat {:<2} {share}", seat + 1));
        }
        lines.push(String::new());
        return lines;
    }
    let heads: String = (1..=seats).map(|seat| format!("{seat:>7}")).collect();
    lines.push(paint.dim(&format!("  {} {heads}", pad("seat", width))));
    lines.push(format!("  {}  {}", pad("all", width), all.join(" ")));
    lines.extend(seat_limits(tally, paint));
    if tally.undecided > 0 {
        let text = "games without a winner count for the bots, but not for \"all\"";
        lines.extend(paint.wrapped("    ", "    ", text));
    }
    for &bot in order {
        let cells: Vec<String> = tally.bots[bot]
            .seats
            .iter()
            .map(|&(games, share)| {
                let share = if games == 0 {
                    "–".to_owned()
                } else {
                    percent(share / games as f64)
                };
                format!("{share:>6}")
            })
            .collect();
        lines.push(format!("  {}  {}", names[bot], cells.join(" ")));
    }
    lines.push(String::new());
    lines
}

/// Formats the simultaneous limits for the line above, and marks seats that are significantly
/// uneven.
fn seat_limits(tally: &TournamentTally<'_>, paint: Paint) -> Vec<String> {
    let Ok(seats) = tally.seat_shares() else {
        return Vec::new();
    };
    let text = seats.iter().map(|seat| {
        let limits = limits(&Ok(seat.interval));
        let mark = if seat.uneven { " *" } else { "" };
        format!("{}{mark}", limits.trim_start())
    });
    let text: Vec<String> = text.collect();
    let text = format!("{}; * excludes an equal share", text.join(", "));
    paint.hang("    95 % at once  ", &text)
}

fn ending_lines(tally: &TournamentTally<'_>, paint: Paint) -> Vec<String> {
    let games = tally.games.max(1) as f64;
    let reasons: Vec<String> = tally
        .reasons
        .iter()
        .map(|(reason, &count)| format!("{reason} {}", percent(count as f64 / games)))
        .collect();
    let mut lines = paint.hang("  games ended by  ", &reasons.join("   "));
    let rounds = rounds_text(tally);
    lines.extend(paint.hang("  rounds          ", &rounds));
    lines
}

fn rounds_text(tally: &TournamentTally<'_>) -> String {
    let all: u64 = tally.rounds.values().sum();
    let at = |place: u64| {
        let mut below = 0;
        let found = tally.rounds.iter().find(|(_, count)| {
            below += **count;
            below > place
        });
        found.map_or(0, |(rounds, _)| *rounds)
    };
    let last = all.saturating_sub(1);
    // The limits are rounded outwards: of few games, they hold all.
    let (low, high) = (at(last * 5 / 100), at((last * 95).div_ceil(100)));
    format!("median {}, 90 % from {low} to {high}", at(last / 2))
}

fn cost_lines(tally: &TournamentTally<'_>, order: &[usize], paint: Paint) -> Vec<String> {
    let budget = tally.plan().setup.limits.budget.0;
    let counted_bots = order
        .iter()
        .filter(|&&bot| tally.bots[bot].answers.total() > 0);
    let heads = line_heads(tally, paint);
    let mut lines = Vec::new();
    for &bot in counted_bots {
        let bot_tally = &tally.bots[bot];
        let answers = bot_tally.answers.total();
        let mean = bot_tally.operations.unwrap_or(0) as f64 / answers.max(1) as f64;
        let p99 = bot_tally.answers.quantile(0.99).unwrap_or(0.0);
        let most = 100.0 * bot_tally.most as f64 / budget.max(1) as f64;
        let text = format!(
            "mean {mean:.0}, 99th percentile {p99:.0}, maximum {} ({most:.1} % of the budget)",
            bot_tally.most
        );
        if lines.is_empty() {
            lines.push(paint.dim("  script operations per answer"));
        }
        lines.extend(paint.hang(&heads[bot], &text));
    }
    if !lines.is_empty() {
        lines.insert(0, String::new());
    }
    lines
}

pub(crate) fn fault_lines(
    tally: &TournamentTally<'_>,
    order: &[usize],
    paint: Paint,
) -> Vec<String> {
    let mut lines = Vec::new();
    for &bot in order {
        let faulty = &tally.bots[bot];
        let Some((block, game)) = faulty.first_fault else {
            continue;
        };
        let text = format!(
            "{}: {}, first in block {block}",
            name(tally, bot),
            counted(faulty.faults, "fault")
        );
        lines.extend(paint.painted(&text, Paint::bad));
        // The command is not wrapped, so it can be copied.
        lines.extend(
            tally
                .plan()
                .command(block, game)
                .map(|command| format!("    {command}")),
        );
    }
    if !lines.is_empty() {
        lines.insert(0, String::new());
    }
    lines
}

/// Names the unverified bots and the remedy. Returns `None` if all bots are verified.
fn unverified(plan: &TournamentPlan) -> Option<String> {
    let names = plan.unverified();
    let text = format!(
        "unverified: {}; list the files of such a bot with `files=`",
        names.join(", ")
    );
    (!names.is_empty()).then_some(text)
}
