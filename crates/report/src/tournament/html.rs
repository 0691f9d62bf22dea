//! A tournament as one HTML file without scripts or requests, for phones, dark mode and print.

use super::charts;
use super::crosstable;
use super::luck;
use super::markup::{STYLE, escaped, heads, section, table, words};
use super::{BlockCoverage, chosen, elo_text, name, percent, rank_text, rounds_text, unverified};
use risk_lab::tournament::results::{Results, TournamentTally};
use risk_stats::StatsError;
use risk_stats::fairness::SeatShare;
use risk_stats::moments::Interval;
use risk_stats::shares::ELO_PER_NAT;
use risk_text::plural::counted;
use risk_text::signed;

/// Returns the whole page: the first stage, followed by the finals if there are any.
#[must_use]
pub fn page(tally: &TournamentTally<'_>, first: &str, finals: Option<String>) -> String {
    let setup = &tally.plan().setup;
    let title = escaped(&format!("{} on {}", setup.ruleset_spec, setup.map_spec));
    let finals = finals.unwrap_or_default();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title><style>{STYLE}</style></head>\n<body><main>\n{first}\n{finals}</main></body></html>\n"
    )
}

/// Returns a stage of a tournament, for its page.
#[must_use]
pub fn stage(tally: &TournamentTally<'_>, results: &Results, extent: &BlockCoverage) -> String {
    let order = results.ranking();
    let parts = [
        head(tally, extent),
        ranking(tally, results, &order),
        charts::shares(tally, results, &order),
        luck::html(tally, results, &order),
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
    parts.join("\n")
}

fn head(tally: &TournamentTally<'_>, extent: &BlockCoverage) -> String {
    let plan = tally.plan();
    let title = format!("{} on {}", plan.setup.ruleset_spec, plan.setup.map_spec);
    let title = if plan.first_stage.is_some() {
        format!("Finals of {title}")
    } else {
        title
    };
    let mut text = format!("<h1>{}</h1>\n", escaped(&title));
    text += &format!(
        "<p>{} at tables of {}; {} of {}, {}; {}; {}; seed {}</p>\n",
        counted(plan.setup.bots.len(), "bot"),
        plan.seats,
        tally.blocks,
        counted(plan.blocks, "block"),
        counted(tally.games, "game"),
        plan.design,
        plan.dice(),
        plan.setup.seed,
    );
    if extent.is_partial() {
        text += &format!(
            "<p class=\"bad\">Partial: missing blocks {}.</p>\n",
            extent.words()
        );
    }
    if let Some(why) = plan.setup.why_not_reproducible() {
        text += &format!("<p class=\"bad\">Not reproducible: {why}.</p>\n");
    }
    if let Some(line) = unverified(plan) {
        text += &format!("<p class=\"bad\">{}.</p>\n", escaped(&line));
    }
    if tally.undecided > 0 {
        text += &format!(
            "<p>{} without a winner.</p>\n",
            counted(tally.undecided, "game")
        );
    }
    text
}

fn interval(limits: &Result<Interval, StatsError>) -> String {
    match limits {
        Ok(limits) => format!("{:.1} – {:.1}%", 100.0 * limits.low, 100.0 * limits.high),
        Err(why) => format!(
            "<span class=\"dim\" title=\"{}\">–</span>",
            escaped(&why.to_string())
        ),
    }
}

fn ranking(tally: &TournamentTally<'_>, results: &Results, order: &[usize]) -> String {
    let row = |&bot: &usize| {
        let counted_bot = &tally.bots[bot];
        let rank = rank_text(results, bot);
        let mut row = vec![escaped(name(tally, bot)), rank];
        if let Ok(share) = &results.shares[bot] {
            let (elo, limits) = elo_text(share.share, &share.interval, tally.plan().seats);
            row.extend([percent(share.share), interval(&share.interval), elo, limits]);
        } else {
            row.extend(["–", "–", "–", "–"].map(str::to_owned));
        }
        let place = counted_bot.places as f64 / counted_bot.games.max(1) as f64;
        row.extend([
            counted_bot.wins.to_string(),
            counted_bot.games.to_string(),
            format!("{place:.2}"),
            counted_bot.faults.to_string(),
        ]);
        row
    };
    let rows: Vec<Vec<String>> = order.iter().map(row).collect();
    let heads = heads(&[
        "bot",
        "rank",
        "share",
        "95 % interval",
        "Elo",
        "95 % interval",
        "wins",
        "games",
        "mean place",
        "faults",
    ]);
    let few = results
        .shares
        .iter()
        .flatten()
        .find_map(|share| share.interval.err());
    let few = few.map_or_else(String::new, |why| {
        format!(
            "<p class=\"dim\">No interval: {}.</p>",
            escaped(&why.to_string())
        )
    });
    let chosen = chosen(tally, results).map_or_else(String::new, |line| {
        let line = format!("{}{}.", line[..1].to_uppercase(), &line[1..]);
        format!("<p>{}</p>", escaped(&line))
    });
    section("Ranking", &format!("{}{few}{chosen}", table(&heads, &rows)))
}

fn model(tally: &TournamentTally<'_>, results: &Results, order: &[usize]) -> String {
    let ratings = match &results.model {
        None => return String::new(),
        Some(Err(why)) => {
            return section(
                "Elo from wins",
                &format!("<p>{}</p>", escaped(&why.to_string())),
            );
        }
        Some(Ok(ratings)) => ratings,
    };
    let elo = |nats: f64| signed(nats * ELO_PER_NAT, 0);
    let row = |&bot: &usize| {
        let name = escaped(name(tally, bot));
        if bot == ratings.anchor {
            return vec![name, "0".to_owned(), words("reference")];
        }
        match &ratings.bots[bot].against_anchor {
            Ok(contrast) => vec![
                name,
                elo(contrast.nats),
                format!(
                    "{} to {}",
                    elo(contrast.interval.low),
                    elo(contrast.interval.high)
                ),
            ],
            Err(why) => vec![name, "–".to_owned(), words(&why.to_string())],
        }
    };
    let rows: Vec<Vec<String>> = order.iter().map(row).collect();
    section(
        "Elo from wins",
        &table(&heads(&["bot", "Elo", "95 % interval"]), &rows),
    )
}

/// Shows the share of each bot in each seat. Darker cells have higher shares.
fn seats(tally: &TournamentTally<'_>, order: &[usize]) -> String {
    let share_of = |&(games, share): &(u64, f64)| (games > 0).then(|| share / games as f64);
    let shares = tally.bots.iter().flat_map(|bot| &bot.seats);
    let highest = shares.filter_map(share_of).fold(0.01, f64::max);
    let colour = |share: f64| format!("background:rgba(var(--heat),{:.2})", 0.5 * share / highest);
    let cell = |share: Option<f64>| match share {
        None => "<td class=\"dim\">–</td>".to_owned(),
        Some(share) => format!("<td style=\"{}\">{}</td>", colour(share), percent(share)),
    };
    let limits = tally.seat_shares().ok();
    let all = tally
        .seat_means()
        .into_iter()
        .enumerate()
        .map(|(seat, mean)| {
            let limits = limits.as_ref().map(|seats| limits_text(&seats[seat]));
            format!(
                "<td style=\"{}\">{}{}</td>",
                colour(mean),
                percent(mean),
                limits.unwrap_or_default()
            )
        });
    let mut rows: Vec<Vec<String>> = vec![["all".to_owned()].into_iter().chain(all).collect()];
    let note = if limits.is_some() {
        "<p class=\"dim\">The first row counts the games with a winner; its small figures are \
         simultaneous 95 % limits; * excludes an equal share.</p>"
    } else {
        ""
    };
    for &bot in order {
        let of_bot = tally.bots[bot]
            .seats
            .iter()
            .map(|seat| cell(share_of(seat)));
        let name = escaped(name(tally, bot));
        rows.push([name].into_iter().chain(of_bot).collect());
    }
    let mut heads = vec!["seat".to_owned()];
    heads.extend((1..=tally.plan().seats).map(|seat| seat.to_string()));
    section(
        "Share of wins by seat",
        &format!("{}{note}", table(&heads, &rows)),
    )
}

/// Formats the limits of a seat, marked if they exclude an equal share.
fn limits_text(seat: &SeatShare) -> String {
    let star = if seat.uneven { " *" } else { "" };
    format!(
        "<small>{:.1}–{:.1}{star}</small>",
        100.0 * seat.interval.low,
        100.0 * seat.interval.high
    )
}

/// Shows how often games ended for each reason, and how many of those games each bot won.
fn endings(tally: &TournamentTally<'_>, order: &[usize]) -> String {
    let games = tally.games.max(1) as f64;
    let reasons: Vec<&String> = tally.reasons.keys().collect();
    let mut heads = vec!["bot".to_owned()];
    heads.extend(reasons.iter().map(|reason| escaped(reason)));
    let all = tally.reasons.values().map(|&count| {
        let share = percent(count as f64 / games);
        format!("{count}<small>{share}</small>")
    });
    let mut rows: Vec<Vec<String>> =
        vec![["all games".to_owned()].into_iter().chain(all).collect()];
    for &bot in order {
        let won_by = &tally.bots[bot].won_by;
        let wins = reasons
            .iter()
            .map(|reason| won_by.get(*reason).copied().unwrap_or(0).to_string());
        let name = escaped(name(tally, bot));
        rows.push([name].into_iter().chain(wins).collect());
    }
    let note = "<p class=\"dim\">For a bot: the games with this bot as the only winner.</p>";
    section("How games ended", &(table(&heads, &rows) + note))
}

fn costs(tally: &TournamentTally<'_>, order: &[usize]) -> String {
    let budget = tally.plan().setup.limits.budget.0;
    let rows: Vec<Vec<String>> = order
        .iter()
        .filter(|&&bot| tally.bots[bot].answers.total() > 0)
        .map(|&bot| {
            let counted = &tally.bots[bot];
            let answers = counted.answers.total();
            let mean = counted.operations.unwrap_or(0) as f64 / answers.max(1) as f64;
            vec![
                escaped(name(tally, bot)),
                format!("{mean:.0}"),
                format!("{:.0}", counted.answers.quantile(0.99).unwrap_or(0.0)),
                counted.most.to_string(),
                format!("{:.1}%", 100.0 * counted.most as f64 / budget.max(1) as f64),
            ]
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let heads = heads(&["bot", "mean", "99th percentile", "most", "of the budget"]);
    section("Script operations per answer", &table(&heads, &rows))
}

fn faults(tally: &TournamentTally<'_>, order: &[usize]) -> String {
    let mut text = String::new();
    for &bot in order {
        let faulty = &tally.bots[bot];
        let Some((block, game)) = faulty.first_fault else {
            continue;
        };
        let command = tally
            .plan()
            .command_at_home(block, game)
            .unwrap_or_default();
        text += &format!(
            "<p><span class=\"bad\">{}: {}</span>, first in block {block}; in the tournament's \
             folder:<br><code>{}</code></p>\n",
            escaped(name(tally, bot)),
            counted(faulty.faults, "fault"),
            escaped(&command)
        );
    }
    if text.is_empty() {
        return text;
    }
    section("Faults", &text)
}

fn plan(tally: &TournamentTally<'_>) -> String {
    let plan = tally.plan();
    let parts: String = plan
        .parts
        .iter()
        .map(|(name, value)| format!("{}: {}<br>", escaped(name), escaped(value)))
        .collect();
    let body = format!(
        "<p>Rounds: {}. Plan <code>{}</code>, digest of all games \
         <code>{}</code>. This report trusts the logs; <code>risk-cli tournament verify</code> \
         replays the games.</p>\n<details><summary>Plan</summary><p \
         class=\"dim\"><code>{parts}</code></p></details>",
        rounds_text(tally),
        plan.hash(),
        tally.digest()
    );
    section("To reproduce this report", &body)
}
