//! The games of a ladder or of one bot, in tables and on pages.

use maud::{Markup, html};

use super::super::LadderService;
use super::{bot_link, encoded, framed, replays, shown};
use risk_lab::ladder::{GameFilter, GameOutcome, Page, PlayedGame, Version};
use risk_text::utc;

/// A request for a page of games.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct GamesQuery {
    pub(in super::super) filter: GameFilter,
    /// The number of games on the page, if the request has one.
    pub(in super::super) count: Option<usize>,
}

impl GamesQuery {
    /// Returns the address of the games before `before`, or of the newest games.
    pub(in super::super) fn address(&self, before: Option<u64>) -> String {
        let mut parts = Vec::new();
        parts.extend(before.map(|before| format!("before={before}")));
        parts.extend(self.count.map(|count| format!("count={count}")));
        let bot = self.filter.bot.as_ref();
        parts.extend(bot.map(|bot| format!("bot={}", encoded(bot))));
        let outcome = self.filter.outcome;
        parts.extend(outcome.map(|outcome| format!("result={}", outcome.as_str())));
        if parts.is_empty() {
            return "/games".to_owned();
        }
        format!("/games?{}", parts.join("&"))
    }
}

/// Formats a time in UTC to the minute.
pub(super) fn time(seconds: u64) -> Markup {
    let exact = utc(seconds);
    let minute = exact.replace('T', " ");
    // The seconds and the Z are the last four characters.
    let minute = &minute[..minute.len().saturating_sub(4)];
    html! { time datetime=(exact) { (minute) } }
}

/// Links to a game's replay if the game can be replayed.
fn link(game: &PlayedGame) -> Markup {
    html! {
        @if game.has_record {
            a href={ "/match/" (game.game) } {
                span.hidden { "Replay of game " } (game.game)
            }
        } @else {
            (game.game)
        }
    }
}

fn ended(game: &PlayedGame) -> Markup {
    html! { @match game.ended { Some(ended) => (time(ended)), None => "–" } }
}

/// Lists bots: `a, b and c`.
pub(super) fn list(bots: &[&String]) -> Markup {
    listed(bots, |bot| bot_link(bot))
}

fn listed(bots: &[&String], show: impl Fn(&String) -> Markup) -> Markup {
    html! {
        @for (index, bot) in bots.iter().enumerate() {
            @if index > 0 { (if index + 1 == bots.len() { " and " } else { ", " }) }
            (show(bot))
        }
    }
}

/// Says who won against whom.
fn result(game: &PlayedGame) -> Markup {
    let (winners, others): (Vec<&String>, Vec<&String>) = game
        .seats
        .iter()
        .partition(|bot| game.winners.contains(bot));
    html! {
        @if winners.is_empty() {
            "No winner: " (list(&others))
        } @else {
            b { (list(&winners)) }
            @if others.is_empty() { " shared the win" } @else { " won against " (list(&others)) }
        }
    }
}

/// Renders games with their players.
pub(super) fn table(games: &[PlayedGame]) -> Markup {
    const HEADS: [(&str, &str); 5] = [
        ("", "game"),
        ("words", "ended (UTC)"),
        ("words", "result"),
        ("words more", "reason"),
        ("more", "rounds"),
    ];
    let rows = html! {
        @for game in games {
            tr {
                th scope="row" { (link(game)) }
                td.date { (ended(game)) }
                td.words { (result(game)) }
                td.words.more { (shown(&game.reason)) }
                td.more { (game.rounds) }
            }
        }
    };
    super::table("Games", &replays(), &HEADS, &rows)
}

/// Formats a bot's result: `won`, `lost, place 3 of 4`, `no winner`.
fn result_of(game: &PlayedGame, bot: &str) -> Markup {
    let seat = game.seats.iter().position(|name| name == bot);
    let place = seat.and_then(|seat| game.places.get(seat));
    let of = game.seats.len();
    match game.outcome_of(bot) {
        Some(GameOutcome::Won) if game.winners.len() > 1 => html! { b.good { "shared win" } },
        Some(GameOutcome::Won) => html! { b.good { "won" } },
        Some(GameOutcome::Lost) => html! {
            b.bad { "lost" }
            @if let Some(place) = place { small { "place " (place) " of " (of) } }
        },
        Some(GameOutcome::Undecided) | None => html! { "no winner" },
    }
}

/// Lists the opponents of a bot, with the winners among them.
fn opponents(game: &PlayedGame, bot: &str) -> Markup {
    let others: Vec<&String> = game.seats.iter().filter(|name| *name != bot).collect();
    listed(&others, |other| {
        let won = game.winners.contains(other);
        html! { @if won { b { (bot_link(other)) " (won)" } } @else { (bot_link(other)) } }
    })
}

fn faults_of(game: &PlayedGame, bot: &str) -> u32 {
    let mut seats = game.seats.iter().zip(&game.faults);
    let found = seats.find(|(name, _)| *name == bot);
    found.map_or(0, |(_, &faults)| faults)
}

/// Renders the games of a bot with their results for the bot.
pub(super) fn table_of(bot: &str, games: &[PlayedGame]) -> Markup {
    const HEADS: [(&str, &str); 7] = [
        ("", "game"),
        ("words", "ended (UTC)"),
        ("words", "result"),
        ("words", "opponents"),
        ("words more", "reason"),
        ("more", "rounds"),
        ("more", "faults"),
    ];
    let rows = html! {
        @for game in games {
            tr {
                th scope="row" { (link(game)) }
                td.date { (ended(game)) }
                td.result { (result_of(game, bot)) }
                td.words { (opponents(game, bot)) }
                td.words.more { (shown(&game.reason)) }
                td.more { (game.rounds) }
                td.more { (faults_of(game, bot)) }
            }
        }
    };
    super::table(&format!("Games of {bot}"), &replays(), &HEADS, &rows)
}

fn heading(filter: &GameFilter) -> String {
    match (&filter.bot, filter.outcome) {
        (None, _) => "Games".to_owned(),
        (Some(bot), None) => format!("Games of {bot}"),
        (Some(bot), Some(GameOutcome::Won)) => format!("Won games of {bot}"),
        (Some(bot), Some(GameOutcome::Lost)) => format!("Lost games of {bot}"),
        (Some(bot), Some(GameOutcome::Undecided)) => format!("Games of {bot} without a winner"),
    }
}

/// Renders the form that chooses a bot and a result.
fn chooser(served: &LadderService, filter: &GameFilter) -> Markup {
    let config = &served.ladder.config;
    let mut bots: Vec<String> = config.house.iter().map(|spec| spec.name.clone()).collect();
    bots.extend(
        served
            .ladder
            .roster(|roster| roster.playing().map(Version::id).collect::<Vec<_>>()),
    );
    bots.extend(filter.bot.clone().filter(|bot| !bots.contains(bot)));
    bots.sort();
    let results = [
        (None, "any"),
        (Some(GameOutcome::Won), "won"),
        (Some(GameOutcome::Lost), "lost"),
        (Some(GameOutcome::Undecided), "no winner"),
    ];
    let bots = html! {
        option value="" { "all" }
        @for bot in &bots {
            option value=(shown(bot)) selected[filter.bot.as_ref() == Some(bot)] { (shown(bot)) }
        }
    };
    let results = html! {
        @for (outcome, text) in results {
            option value=(outcome.map_or("", GameOutcome::as_str))
                selected[filter.outcome == outcome] { (text) }
        }
    };
    html! {
        form method="get" action="/games" {
            label { "Bot" select name="bot" { (bots) } }
            label { "Result for the bot" select name="result" { (results) } }
            button { "Show" }
        }
    }
}

/// Renders a page of the latest games.
pub(in super::super) fn games(served: &LadderService, query: &GamesQuery, page: &Page) -> String {
    let filter = &query.filter;
    let body = html! {
        (chooser(served, filter))
        @if page.games.is_empty() {
            p { "There are no such games among the latest 2,000 games." }
        } @else if let Some(bot) = &filter.bot {
            (table_of(bot, &page.games))
        } @else {
            (table(&page.games))
        }
        nav aria-label="More games" {
            ul.links {
                @if filter.before.is_some() {
                    li { a href=(query.address(None)) { "Newest games" } }
                }
                @if page.before.is_some() {
                    li { a href=(query.address(page.before)) rel="next" { "Older games" } }
                }
                @if let Some(bot) = &filter.bot {
                    li { a href={ "/bots/" (encoded(bot)) } { "Page of " (shown(bot)) } }
                }
            }
        }
    };
    let address = query.address(filter.before);
    framed(served, &address, &heading(filter), &body)
}
