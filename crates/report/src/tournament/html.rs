//! A tournament as one HTML file without scripts or requests, for phones, dark mode and print.

use maud::{Markup, html};

use super::charts;
use super::crosstable;
use super::luck;
use super::times::{self, NOT_AGAIN, duration, timed};
use super::{
    BlockCoverage, chosen, elo_text, limits, name, percent, rank_text, rounds_text, unverified,
};
use crate::page::{Cell, document, heads, plain, section, table};
use risk_lab::tournament::results::{Results, TournamentTally};
use risk_lab::tournament::timing::{WallTime, WallTimes};
use risk_stats::fairness::SeatShare;
use risk_stats::shares::ELO_PER_NAT;
use risk_stats::{Interval, StatsError};
use risk_text::plural::counted;
use risk_text::signed;

/// Returns the whole page: the parts of the first stage, followed by those of the finals if there
/// are any.
#[must_use]
pub fn page(tally: &TournamentTally<'_>, first: &[Markup], finals: Option<&[Markup]>) -> String {
    let setup = &tally.plan().setup;
    let title = setup.rules.title();
    let body = html! {
        main {
            @for part in first { (part) }
            @for part in finals.unwrap_or_default() { (part) }
        }
    };
    document(&title, &body)
}

/// Returns a stage of a tournament, for its page.
#[must_use]
pub fn stage(tally: &TournamentTally<'_>, results: &Results, extent: &BlockCoverage) -> Markup {
    let order = results.ranking();
    let parts = [
        head(tally, extent),
        leader(tally, results, &order),
        ranking(tally, results, &order),
        charts::shares(tally, results, &order),
        lucks(tally, results, &order),
        crosstable::section_of_pairs(tally, results, &order),
        model(tally, results, &order),
        seats(tally, &order),
        charts::lengths(tally),
        charts::over_blocks(tally, &order),
        endings(tally, &order),
        costs(tally, &order),
        faults(tally, &order),
        plan(tally),
    ];
    html! { @for part in &parts { (part) } }
}

fn head(tally: &TournamentTally<'_>, extent: &BlockCoverage) -> Markup {
    let plan = tally.plan();
    let title = plan.setup.rules.title();
    let title = if plan.first_stage.is_some() {
        format!("Finals of {title}")
    } else {
        title
    };
    let facts = format!(
        "{} at tables of {}; {} of {}, {}; {}; {}; seed {}",
        counted(plan.setup.bots.len(), "bot"),
        plan.seats,
        tally.blocks,
        counted(plan.blocks, "block"),
        counted(tally.games, "game"),
        plan.design,
        plan.dice(),
        plan.setup.seed,
    );
    let reproducible = plan.setup.why_not_reproducible();
    html! {
        h1 { (plain(&title)) }
        p { (facts) }
        @if extent.is_partial() {
            p.bad { "Partial: missing blocks " (extent.words()) "." }
        }
        @if let Some(why) = reproducible {
            p.bad { "Not reproducible: " (why) "." }
        }
        @if let Some(line) = unverified(plan) {
            p.bad { (plain(&line)) "." }
        }
        @if tally.undecided > 0 {
            p { (counted(tally.undecided, "game")) " without a winner." }
        }
    }
}

/// Says which bot is ahead, and which other bots may be as good.
fn leader(tally: &TournamentTally<'_>, results: &Results, order: &[usize]) -> Markup {
    let Some((&first, others)) = order.split_first() else {
        return html! {};
    };
    let Ok(share) = &results.shares[first] else {
        return html! {};
    };
    let rivals = others.iter().copied();
    let rivals = rivals.filter(|&bot| results.ranks[bot].best == 1);
    let (known, unknown): (Vec<usize>, Vec<usize>) =
        rivals.partition(|&bot| results.is_known(first, bot));
    let few = results.unknown_pairs(Some(first), tally.blocks);
    html! {
        p.lead {
            strong { (plain(name(tally, first))) } " is ahead: it wins " (percent(share.share))
            " of its games. "
            @if results.ranks[first].worst == 1 {
                "With 95 % confidence, no other bot is as good."
            } @else if known.is_empty() && unknown.is_empty() {
                "That is not certain."
            } @else if !known.is_empty() {
                "That is not certain: " (plain(&some(tally, &known)))
                " may be as good or better, with 95 % confidence. "
            }
            @if !unknown.is_empty() {
                "Nothing is known yet of " (plain(&some(tally, &unknown))) " against it"
                @if let Some(few) = few { ": " (few) }
                "."
            }
        }
    }
}

/// Names some bots, or counts them if they are many.
fn some(tally: &TournamentTally<'_>, bots: &[usize]) -> String {
    /// The maximum number of other bots that are named.
    const NAMED: usize = 4;
    if bots.len() > NAMED {
        return counted(bots.len(), "other bot");
    }
    let names: Vec<&str> = bots.iter().map(|&bot| name(tally, bot)).collect();
    names.join(", ")
}

fn interval(limits: &Result<Interval, StatsError>) -> Cell {
    match limits {
        Ok(limits) => format!("{:.1} – {:.1}%", 100.0 * limits.low, 100.0 * limits.high).into(),
        Err(why) => html! { span.dim title=(plain(&why.to_string())) { "–" } }.into(),
    }
}

/// The columns of the ranking.
const RANKING: [&str; 10] = [
    "bot",
    "rank",
    "share",
    "95 % interval",
    "Elo against the table",
    "95 % interval",
    "wins",
    "games",
    "mean place",
    "faults",
];

fn ranking(tally: &TournamentTally<'_>, results: &Results, order: &[usize]) -> Markup {
    let row = |&bot: &usize| {
        let counted_bot = &tally.bots[bot];
        let mut row: Vec<Cell> = vec![name(tally, bot).into(), rank_text(results, bot).into()];
        if let Ok(share) = &results.shares[bot] {
            let (elo, limits) = elo_text(share.share, &share.interval, tally.plan().seats);
            let share_text = percent(share.share);
            row.extend([
                share_text.into(),
                interval(&share.interval),
                elo.into(),
                limits.into(),
            ]);
        } else {
            row.extend(["–", "–", "–", "–"].map(Cell::from));
        }
        let place = counted_bot.places as f64 / counted_bot.games.max(1) as f64;
        row.extend([
            counted_bot.wins.to_string().into(),
            counted_bot.games.to_string().into(),
            format!("{place:.2}").into(),
            counted_bot.faults.to_string().into(),
        ]);
        row
    };
    let rows: Vec<Vec<Cell>> = order.iter().map(row).collect();
    let mut shares = results.shares.iter().flatten();
    let few = shares.find_map(|share| share.interval.err());
    let chosen =
        chosen(tally, results).map(|line| format!("{}{}.", line[..1].to_uppercase(), &line[1..]));
    let body = html! {
        (table("Ranking", &heads(&RANKING), &rows))
        @if let Some(why) = few { p.dim { "No interval: " (plain(&why.to_string())) "." } }
        @if let Some(line) = chosen { p { (plain(&line)) } }
    };
    section("Ranking", &body)
}

fn model(tally: &TournamentTally<'_>, results: &Results, order: &[usize]) -> Markup {
    const HEADING: &str = "Elo from wins";
    let ratings = match &results.model {
        None => return Markup::default(),
        Some(Err(why)) => {
            return section(HEADING, &html! { p { (plain(&why.to_string())) } });
        }
        Some(Ok(ratings)) => ratings,
    };
    let elo = |nats: f64| signed(nats * ELO_PER_NAT, 0);
    let row = |&bot: &usize| {
        let name = Cell::from(name(tally, bot));
        if bot == ratings.anchor {
            return vec![name, "0".into(), Cell::words("reference")];
        }
        match &ratings.bots[bot].against_anchor {
            Ok(contrast) => {
                let [low, high] = [contrast.interval.low, contrast.interval.high].map(elo);
                let limits = format!("{low} to {high}");
                vec![name, elo(contrast.nats).into(), Cell::words(&limits)]
            }
            Err(why) => vec![name, "–".into(), Cell::words(&why.to_string())],
        }
    };
    let rows: Vec<Vec<Cell>> = order.iter().map(row).collect();
    let mut heads = heads(&["bot", HEADING]);
    heads.push(Cell::words("95 % interval"));
    section(HEADING, &table(HEADING, &heads, &rows))
}

/// Shows the share of each bot in each seat. Darker cells have higher shares.
fn seats(tally: &TournamentTally<'_>, order: &[usize]) -> Markup {
    const HEADING: &str = "Share of wins by seat";
    let share_of = |&(games, share): &(u64, f64)| (games > 0).then(|| share / games as f64);
    let shares = tally.bots.iter().flat_map(|bot| &bot.seats);
    let highest = shares.filter_map(share_of).fold(0.01, f64::max);
    let heat = |share: f64| 0.5 * share / highest;
    let cell = |share: Option<f64>| match share {
        None => Cell::from("–").class("dim"),
        Some(share) => Cell::from(percent(share)).heat(heat(share)),
    };
    let limits = tally.seat_shares().ok();
    let means = tally.seat_means().into_iter().enumerate();
    let all = means.map(|(seat, mean)| {
        let limits = limits.as_ref().map(|seats| limits_text(&seats[seat]));
        let text = html! { (percent(mean)) @if let Some(limits) = limits { small { (limits) } } };
        Cell::from(text).heat(heat(mean))
    });
    let mut rows: Vec<Vec<Cell>> = vec![[Cell::from("all")].into_iter().chain(all).collect()];
    for &bot in order {
        let seats = tally.bots[bot].seats.iter();
        let of_bot = seats.map(|seat| cell(share_of(seat)));
        let name = Cell::from(name(tally, bot));
        rows.push([name].into_iter().chain(of_bot).collect());
    }
    let mut heads = heads(&["seat"]);
    heads.extend((1..=tally.plan().seats).map(|seat| seat.to_string().into()));
    let body = html! {
        (table(HEADING, &heads, &rows))
        @if tally.undecided > 0 {
            p.dim { "The first row counts only games with a winner, the others all games of a bot." }
        }
        @if limits.is_some() {
            p.dim {
                "The small figures of the first row are simultaneous 95 % limits; * excludes an "
                "equal share."
            }
        }
    };
    section(HEADING, &body)
}

/// Formats the limits of a seat, marked if they exclude an equal share.
fn limits_text(seat: &SeatShare) -> String {
    let star = if seat.uneven { " *" } else { "" };
    format!(
        "{:.1}–{:.1}{star}",
        100.0 * seat.interval.low,
        100.0 * seat.interval.high
    )
}

/// Shows how often games ended for each reason, and how many of those games each bot won.
fn endings(tally: &TournamentTally<'_>, order: &[usize]) -> Markup {
    const HEADING: &str = "How games ended";
    let games = tally.games.max(1) as f64;
    let reasons: Vec<&String> = tally.reasons.keys().collect();
    let mut heads = heads(&["bot"]);
    heads.extend(reasons.iter().map(|reason| Cell::from(reason.as_str())));
    let all = tally.reasons.values().map(|&count| {
        let share = percent(count as f64 / games);
        html! { (count) small { (share) } }.into()
    });
    let mut rows: Vec<Vec<Cell>> = vec![[Cell::from("all games")].into_iter().chain(all).collect()];
    for &bot in order {
        let won_by = &tally.bots[bot].won_by;
        let wins = reasons
            .iter()
            .map(|reason| won_by.get(*reason).copied().unwrap_or(0).to_string());
        let name = Cell::from(name(tally, bot));
        let wins = wins.map(Cell::from);
        rows.push([name].into_iter().chain(wins).collect());
    }
    let body = html! {
        (table(HEADING, &heads, &rows))
        p.dim { "For a bot: the games with this bot as the only winner." }
    };
    section(HEADING, &body)
}

fn costs(tally: &TournamentTally<'_>, order: &[usize]) -> Markup {
    const HEADING: &str = "Script operations per answer";
    let budget = tally.plan().setup.limits.budget.0;
    let rows: Vec<Vec<Cell>> = order
        .iter()
        .filter(|&&bot| tally.bots[bot].answers.total() > 0)
        .map(|&bot| {
            let counted = &tally.bots[bot];
            let answers = counted.answers.total();
            let mean = counted.operations.unwrap_or(0) as f64 / answers.max(1) as f64;
            vec![
                name(tally, bot).into(),
                format!("{mean:.0}").into(),
                format!("{:.0}", counted.answers.quantile(0.99).unwrap_or(0.0)).into(),
                counted.most.to_string().into(),
                format!("{:.1}%", 100.0 * counted.most as f64 / budget.max(1) as f64).into(),
            ]
        })
        .collect();
    if rows.is_empty() {
        return Markup::default();
    }
    let heads = heads(&["bot", "mean", "99th percentile", "most", "of the budget"]);
    section(HEADING, &table(HEADING, &heads, &rows))
}

fn faults(tally: &TournamentTally<'_>, order: &[usize]) -> Markup {
    let plan = tally.plan();
    let faulty = order.iter().filter_map(|&bot| {
        let faulty = &tally.bots[bot];
        let (block, game) = faulty.first_fault?;
        let command = plan.command_at_home(block, game).unwrap_or_default();
        Some(html! {
            p {
                span.bad { (plain(name(tally, bot))) ": " (counted(faulty.faults, "fault")) }
                ", first in block " (block) "; in the tournament's folder:"
                br;
                code { (plain(&command)) }
            }
        })
    });
    let faulty: Vec<Markup> = faulty.collect();
    if faulty.is_empty() {
        return Markup::default();
    }
    section("Faults", &html! { @for of_bot in &faulty { (of_bot) } })
}

fn plan(tally: &TournamentTally<'_>) -> Markup {
    let plan = tally.plan();
    let body = html! {
        p {
            "Rounds: " (rounds_text(tally)) ". Plan "
            code { (plan.hash()) }
            ", digest of all games "
            code { (tally.digest()) }
            ". This report trusts the logs; "
            code { "risk-cli tournament verify" }
            " replays the games."
        }
        details {
            summary { "Plan" }
            p.dim {
                code {
                    @for (name, value) in &plan.parts { (plain(name)) ": " (plain(value)) br; }
                }
            }
        }
    };
    section("To reproduce this report", &body)
}

/// Returns the shares adjusted to average luck, or nothing if luck is not counted.
fn lucks(tally: &TournamentTally<'_>, results: &Results, order: &[usize]) -> Markup {
    const HEADING: &str = "Luck";
    let Some(adjusted) = &results.adjusted else {
        return Markup::default();
    };
    let row = |&bot: &usize| {
        let mut row = vec![Cell::from(name(tally, bot))];
        match &adjusted[bot] {
            Ok(found) => row.extend(
                [
                    percent(found.raw),
                    percent(found.share),
                    limits(&Ok(found.interval)),
                    signed(luck::mean(&tally.bots[bot]), 2),
                    luck::saved(found),
                ]
                .map(Cell::from),
            ),
            Err(why) => row.push(luck::why_none(&tally.bots[bot], why).into()),
        }
        row
    };
    let rows: Vec<Vec<Cell>> = order.iter().map(row).collect();
    let heads = heads(&[
        "bot",
        "share",
        "with average dice",
        "95 % interval",
        "luck, armies per game",
        "variance saved",
    ]);
    let body = html! {
        (table(HEADING, &heads, &rows))
        p.dim {
            "Luck: losses of opponents above the expected value of the dice, less the bot's own "
            "losses above it. Its mean is 0 for every bot."
        }
    };
    section(HEADING, &body)
}

/// Formats wall times for the page.
#[must_use]
pub fn times_html(tally: &TournamentTally<'_>, results: &Results, times: &WallTimes) -> Markup {
    const HEADING: &str = "Wall time";
    let row = |(bot, time): (usize, &WallTime)| -> Vec<Cell> {
        let [mean, most, all] = [times::mean(time), time.most, time.seconds].map(duration);
        vec![
            name(tally, bot).into(),
            mean.into(),
            most.into(),
            all.into(),
        ]
    };
    let rows: Vec<Vec<Cell>> = timed(tally, results, times).into_iter().map(row).collect();
    let heads = heads(&["bot", "an answer", "at most", "in all"]);
    let note = NOT_AGAIN.replacen("by the", "By the", 1);
    let body = html! { (table(HEADING, &heads, &rows)) p.dim { (note) "." } };
    section(HEADING, &body)
}
