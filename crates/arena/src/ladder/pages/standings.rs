//! The first page: who leads, how sure that is, the latest games, and how to take part.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::super::LadderService;
use super::{bot_link, encoded, framed, games, shown};
use risk_lab::ladder::{GameFilter, LadderStandings, PlayedGame, StandingRow};
use risk_text::plural::counted;
use risk_text::signed;

/// The number of games on the page.
const LATEST: usize = 10;
/// The maximum number of bots that the sentence about the leader names.
const NAMED: usize = 3;

/// Renders the standings, the latest games and the forms.
pub(in super::super) fn standings(served: &LadderService) -> String {
    let now = served.ladder.standings();
    let latest = served.ladder.games(&GameFilter::default(), LATEST).games;
    let owners = owners(served);
    let rests = served.ladder.rests();
    let body = html! {
        (leader(&now, &owners))
        (status(served, &now, &latest))
        @if let Some(why) = &rests {
            p.note role="status" { "The ladder is paused: " (shown(why)) "." }
        }
        (table(served, &now, &owners))
        section {
            h2 { "Latest games" }
            @if latest.is_empty() {
                p { "No games have been played yet." }
            } @else {
                (games::table(&latest))
                p { a href="/games" { "All games" } }
            }
        }
        (forms(served))
    };
    framed(served, "/", "Standings", &body)
}

/// Returns the owner of each active version.
fn owners(served: &LadderService) -> BTreeMap<String, String> {
    served.ladder.roster(|roster| {
        let playing = roster.playing();
        playing.map(|one| (one.id(), one.person.clone())).collect()
    })
}

/// Says which bot leads, and which other bots may be better.
fn leader(now: &LadderStandings, owners: &BTreeMap<String, String>) -> Markup {
    let Some((first, share)) = now.rows.first().and_then(|row| Some((row, row.share?))) else {
        return html! { p.lead { "No bot leads yet." } };
    };
    let rivals = now.rows[1..].iter().filter(|row| row.rank.0 == 1);
    let rivals: Vec<&String> = rivals.map(|row| &row.id).collect();
    let (unknown, rivals): (Vec<&String>, Vec<&String>) =
        rivals.into_iter().partition(|id| now.unknown.contains(id));
    html! {
        p.lead {
            (bot_link(&first.id))
            @if let Some(owner) = owners.get(&first.id) { " by " (shown(owner)) }
            " leads: it wins " (percent(share)) " of its games."
        }
        p {
            @if first.rank.1 == 1 {
                "That is certain: with 95 % confidence, no other bot is as good."
            } @else if !rivals.is_empty() {
                "That is not certain yet: " (some(&rivals))
                " may be as good or better, with 95 % confidence. "
            } @else if unknown.is_empty() {
                "That is not certain yet."
            }
            @if !unknown.is_empty() {
                "Nothing is known yet of " (some(&unknown)) " against it"
                @if let Some(pairs) = now.unknown_pairs { ": " (pairs) }
                "."
            }
        }
    }
}

/// Names some bots, or counts them if they are many.
fn some(bots: &[&String]) -> Markup {
    match bots.len() {
        count if count > NAMED => html! { (counted(count, "other bot")) },
        _ => games::list(bots),
    }
}

/// Says how much has been played, and when.
fn status(served: &LadderService, now: &LadderStandings, latest: &[PlayedGame]) -> Markup {
    let ended = latest.first().and_then(|game| game.ended);
    html! {
        p.dim {
            (counted(now.games, "game")) " in " (counted(now.blocks, "block")) " count, with "
            (served.ladder.config.seats) " bots at each table. "
            @if now.undecided > 0 { (counted(now.undecided, "game")) " had no winner. " }
            @if let Some(ended) = ended { "The latest game ended on " (games::time(ended)) " UTC." }
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Formats a rating and its limits. The rating of the anchor is exact.
fn rating(row: &StandingRow) -> Markup {
    match row.rating {
        None => html! { "–" },
        Some((_, low, high)) if low == high => html! { "0" small { "reference" } },
        Some((elo, low, high)) => html! {
            (signed(elo, 0)) small { (signed(low, 0)) " to " (signed(high, 0)) }
        },
    }
}

fn table(
    served: &LadderService,
    now: &LadderStandings,
    owners: &BTreeMap<String, String>,
) -> Markup {
    let even = 1.0 / served.ladder.config.seats as f64;
    let highest = now.rows.iter().filter_map(|row| {
        let share = row.share?;
        Some(row.interval.map_or(share, |(_, high)| high))
    });
    let top = highest.fold(even, f64::max);
    let elo = now.anchor.as_ref();
    let elo = elo.map(|anchor| format!("Elo against {anchor}"));
    let mut heads = vec![
        ("", "rank"),
        ("words", "bot"),
        ("", "share of wins"),
        ("more", ""),
    ];
    heads.extend(elo.as_deref().map(|elo| ("more", elo)));
    heads.extend([("", "games"), ("more", "wins"), ("more", "faults")]);
    let caption = html! {
        "Share of won games in the latest games of each bot, with 95 % limits. "
        span.more { "The broken line is an equal share, " (percent(even)) "." }
    };
    let rows = html! {
        @for row in &now.rows { (standing(row, owners, now.anchor.is_some(), [even, top])) }
    };
    super::table("Standings", &caption, &heads, &rows)
}

/// Renders a row. `even` and `top` are an equal share and the end of the chart's axis.
fn standing(
    row: &StandingRow,
    owners: &BTreeMap<String, String>,
    rates: bool,
    [even, top]: [f64; 2],
) -> Markup {
    let (best, worst) = row.rank;
    let id = encoded(&row.id);
    html! {
        tr {
            td { (best) @if best != worst { "–" (worst) } }
            th.words scope="row" {
                (bot_link(&row.id))
                small { (owners.get(&row.id).map_or("house bot".into(), |one| shown(one))) }
            }
            td {
                @match row.share {
                    Some(share) => (percent(share)),
                    None => "–",
                }
                @if let Ok((low, high)) = row.interval {
                    small { (format!("{:.1} – {:.1} %", 100.0 * low, 100.0 * high)) }
                }
            }
            td.chart.more { (chart(row, even, top)) }
            @if rates { td.more { (rating(row)) } }
            td {
                a href={ "/games?bot=" (id) } { (row.games) }
                small { a href={ "/games?bot=" (id) "&result=lost" } { "lost games" } }
            }
            td.more { (row.wins) }
            td.more { (row.faults) }
        }
    }
}

/// Draws a share and its limits on an axis from 0 to `top`.
fn chart(row: &StandingRow, even: f64, top: f64) -> Markup {
    let x = |share: f64| format!("{:.1}", 6.0 + 188.0 * share / top);
    html! {
        svg viewBox="0 0 200 20" aria-hidden="true" {
            line.even x1=(x(even)) x2=(x(even)) y1="0" y2="20" {}
            @if let Ok((low, high)) = row.interval {
                line.mark x1=(x(low)) x2=(x(high)) y1="10" y2="10" {}
            }
            @if let Some(share) = row.share { circle.mark cx=(x(share)) cy="10" r="5" {} }
        }
    }
}

/// Renders the forms to register and to hand in a script.
fn forms(served: &LadderService) -> Markup {
    let open = served.config.open;
    html! {
        section id="join" {
            h2 { "Take part" }
            p {
                "Write a bot as a script and hand it in with your token. The ladder checks the "
                "script, and then it plays at once. "
                @if open { "Register to get a token." } @else {
                    "Ask the ladder's operator for a token."
                }
            }
            p {
                "A script is written in Rhai. " code { "risk-cli bot new NAME" }
                " writes one to start from, " code { "risk-cli bot check FILE" }
                " tests it, and " code { "risk-cli ruleset api" }
                " lists all functions. This is a whole bot, which takes the first option each time:"
            }
            pre { "fn answer(view, ask) {\n    ask.nth(0)\n}" }
            @if open { details { summary { "Register" } (registration()) } }
            details { summary { "Hand in a script" } (submission()) }
        }
    }
}

fn registration() -> Markup {
    html! {
        form method="post" action="/people" {
            label {
                "Your public name"
                input name="name" required maxlength="30" autocomplete="off";
            }
            button { "Register" }
        }
    }
}

fn submission() -> Markup {
    html! {
        form method="post" action="/bots" {
            label {
                "Your token"
                input name="token" type="password" required maxlength="100" autocomplete="off";
            }
            label {
                "Name of the bot"
                input name="bot" required maxlength="20" pattern="[a-z][a-z0-9_\\-]*"
                    autocomplete="off" title="a-z, 0-9, - and _, a letter first";
            }
            label {
                "Visible to"
                select name="public" {
                    option value="false" { "only me" }
                    option value="true" { "everyone" }
                }
            }
            label.whole {
                "Script"
                textarea name="script" required rows="12" spellcheck="false" {}
            }
            button { "Hand in" }
        }
    }
}
