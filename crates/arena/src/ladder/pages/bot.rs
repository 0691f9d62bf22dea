//! The page of a bot: its figures, its games, and its faults for those who may see them.

use maud::{Markup, html};

use super::super::LadderService;
use super::{bot_link, encoded, framed, games, shown};
use risk_lab::ladder::{FaultNote, StandingRow, VersionTotals};
use risk_text::signed;

/// A bot as a client may see it.
pub(in super::super) struct ShownBot {
    /// The version, such as `swords@2`, or the name of a house bot.
    pub(in super::super) id: String,
    /// The owner. `None` for a house bot.
    pub(in super::super) owner: Option<String>,
    /// Whether the script and its faults are public.
    pub(in super::super) public: bool,
    /// Whether the version plays. Withdrawn and replaced versions do not.
    pub(in super::super) plays: bool,
    /// Whether the script failed to load.
    pub(in super::super) unfit: bool,
    /// The totals over all its games.
    pub(in super::super) totals: VersionTotals,
    /// The latest faults, if the client may see them.
    pub(in super::super) faults: Option<Vec<FaultNote>>,
}

/// Renders the page of a bot.
pub(in super::super) fn bot(served: &LadderService, bot: &ShownBot) -> String {
    let id = bot.id.as_str();
    let now = served.ladder.standings();
    let row = now.rows.iter().find(|row| row.id == id);
    let games = served.ladder.last_games(id);
    let of_bot = format!("/games?bot={}", encoded(id));
    let body = html! {
        p {
            @match &bot.owner {
                Some(owner) => { "Owner: " (shown(owner)) "." },
                None => "A house bot: it came with the ladder.",
            }
            @if !bot.plays { " It was withdrawn or replaced, and no longer plays." }
            @if bot.unfit { " It failed to load and is paused." }
        }
        (facts(bot, row))
        (versions(served, id))
        section {
            h2 { "Games" }
            ul.links {
                li { a href=(of_bot) { "All games" } }
                li { a href={ (of_bot) "&result=lost" } { "Lost games" } }
                li { a href={ (of_bot) "&result=won" } { "Won games" } }
            }
            @if games.is_empty() {
                p { "It has not played yet." }
            } @else {
                (games::table_of(id, &games))
            }
        }
        (faults(bot))
        @if bot.public {
            p { a href={ "/bots/" (encoded(id)) "/script" } { "Script" } }
        }
    };
    framed(served, &format!("/bots/{id}"), id, &body)
}

/// Shows the standing of an active bot, and the totals.
fn facts(bot: &ShownBot, row: Option<&StandingRow>) -> Markup {
    let totals = &bot.totals;
    let counts = [
        ("Games", totals.games),
        ("Wins", totals.wins),
        ("Faults", totals.faults),
    ];
    html! {
        dl.facts {
            @if let Some(row) = row { (standing(row)) }
            @for (name, count) in counts { (fact(name, &count.to_string(), None)) }
        }
    }
}

fn fact(name: &str, value: &str, limits: Option<[String; 2]>) -> Markup {
    html! {
        div {
            dt { (name) }
            dd {
                (value)
                @if let Some([low, high]) = limits { small { (low) " to " (high) } }
            }
        }
    }
}

fn standing(row: &StandingRow) -> Markup {
    let (best, worst) = row.rank;
    let rank = if best == worst {
        best.to_string()
    } else {
        format!("{best}–{worst}")
    };
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let limits = row.interval.ok();
    let limits = limits.map(|(low, high)| [low, high].map(percent));
    html! {
        (fact("Rank", &rank, None))
        @if let Some(share) = row.share { (fact("Share of wins", &percent(share), limits)) }
        @if let Some((elo, low, high)) = row.rating {
            @let limits = (low != high).then(|| [low, high].map(|elo| signed(elo, 0)));
            (fact("Elo from wins", &signed(elo, 0), limits))
        }
    }
}

/// Links to the other versions of a bot.
fn versions(served: &LadderService, id: &str) -> Markup {
    let name = id.split_once('@').map(|(name, _)| name);
    let others: Vec<String> = served.ladder.roster(|roster| {
        let of_bot = roster
            .versions
            .iter()
            .filter(|one| Some(one.bot.as_str()) == name);
        of_bot
            .map(|one| one.id())
            .filter(|other| other != id)
            .collect()
    });
    html! {
        @if !others.is_empty() {
            p {
                "Other versions: "
                @for (index, other) in others.iter().enumerate() {
                    @if index > 0 { ", " }
                    (bot_link(other))
                }
            }
        }
    }
}

/// Lists the faults, or renders the form with which the owner sees them. House bots have no owner.
fn faults(bot: &ShownBot) -> Markup {
    let (Some(_), id) = (&bot.owner, bot.id.as_str()) else {
        return Markup::default();
    };
    html! {
        section {
            h2 { "Latest faults" }
            @match &bot.faults {
                Some(faults) if faults.is_empty() => { p { "None." } },
                Some(faults) => { ul { @for fault in faults { (noted(fault)) } } },
                None => { p { "Only the owner can read them." } (look(id)) },
            }
        }
    }
}

fn noted(fault: &FaultNote) -> Markup {
    html! {
        li {
            @if let Some(game) = fault.game { a href={ "/match/" (game) } { "game " (game) } ", " }
            "round " (fault.round) " (" (shown(&fault.kind)) ")"
            pre { (shown(&fault.text)) }
        }
    }
}

/// Renders the form with which the owner sees the faults.
fn look(id: &str) -> Markup {
    html! {
        form method="post" action="/look" {
            input type="hidden" name="bot" value=(shown(id));
            label {
                "Owner's token"
                input name="token" type="password" required autocomplete="off";
            }
            button { "Show faults" }
        }
    }
}
