//! A game as a page: one file that needs nothing else, with the map, a time line and the story, to
//! go through at will.
//!
//! The page holds the game as what each decision changed, packed; its script plays that forwards
//! from the beginning. Nothing is computed there that the rules know better.

mod frames;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::picture::{self, colour_of};
use super::story;
use risk_kernel::declare::{CounterDecl, Visibility};
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::GameKey;
use risk_kernel::state::GameState;
use risk_kernel::view::is_open;
use risk_text::{escape_control, xml};

pub use frames::Frames;

/// What all pages that show a game share: how a board, its players and the story are shown.
pub const BOARD_SCRIPT: &str = include_str!("viewer/board.js");
/// Colours and patterns of players, which people choose: with [`BOARD_SCRIPT`] before it.
pub const COLOURS_SCRIPT: &str = include_str!("viewer/colours.js");
/// The style of these pages.
pub const STYLE: &str = include_str!("viewer/board.css");
/// How a game is gone through: with these two before it, and behind it what brings the game.
pub const VIEWER_SCRIPT: &str = include_str!("viewer/viewer.js");
/// The style of that.
pub const VIEWER_STYLE: &str = include_str!("viewer/viewer.css");
/// What it works on: a part of a page, with the place `{map}` for the board's picture.
pub const VIEWER: &str = include_str!("viewer/viewer.html");
const SCRIPT: &str = include_str!("viewer/replay.js");
const FRAME: &str = include_str!("viewer/replay.html");

/// The most bytes of a page. What is larger is refused, and nothing is written.
pub const LARGEST_PAGE: usize = 64 << 20;

/// What a page says of a game beside what happened in it.
#[derive(Clone, Debug)]
pub struct About {
    /// The heading: ruleset, map, seed.
    pub title: String,
    /// Names of the players, by seat.
    pub names: Vec<String>,
    /// The bots that played, by seat.
    pub bots: Vec<String>,
}

/// The page of a game that [`Frames`] has heard, to its end or as far as it went: HTML that can be
/// opened from a file, without a network. `game` is its last state.
///
/// # Errors
/// When the page would be larger than [`LARGEST_PAGE`]: how large it would be.
pub fn page(
    frames: Frames,
    about: &About,
    game: &GameState,
    outcome: Option<&Outcome>,
) -> Result<String, usize> {
    let data = head(about, game, outcome);
    let text = frames.finish(game, &data);
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(text.as_bytes(), 9);
    let title = xml(&escape_control(&about.title)).replace('{', "&#123;");
    // The map is drawn empty: what is on it comes from the frames.
    let empty = GameState::new(
        game.board().clone(),
        game.decl().clone(),
        game.players(),
        GameKey::of_numbers(0, 0),
    );
    let map = picture::live(&empty, &about.names);
    let length = packed.len() / 3 * 4 + map.len() + FRAME.len();
    if length > LARGEST_PAGE {
        return Err(length);
    }
    // What is put in last may hold anything: nothing is looked for in it.
    Ok(FRAME
        .replace("{style}", &format!("{STYLE}{VIEWER_STYLE}"))
        .replace(
            "{script}",
            &format!("{BOARD_SCRIPT}{COLOURS_SCRIPT}{VIEWER_SCRIPT}{SCRIPT}"),
        )
        .replace("{viewer}", VIEWER)
        .replace("{nobody}", picture::NOBODY)
        .replace("{title}", &title)
        .replacen("{data}", &STANDARD.encode(packed), 1)
        .replacen("{map}", &map, 1))
}

/// What holds for the whole game, for the script of its page; with `outcome` how it ended, and the
/// digest of its last state.
pub fn head(about: &About, game: &GameState, outcome: Option<&Outcome>) -> serde_json::Value {
    let decl = game.decl();
    let seen = |seen: Visibility| match seen {
        Visibility::All => "all",
        Visibility::Owner => "owner",
        Visibility::Nobody => "nobody",
    };
    let declared = |all: &[CounterDecl]| {
        let each = all.iter();
        let each = each.map(|info| json!({ "name": info.name, "seen": seen(info.seen) }));
        each.collect::<Vec<_>>()
    };
    let place = |seat: usize| {
        let ranking = outcome.map(|outcome| &outcome.ranking);
        ranking.and_then(|ranking| {
            let rank = ranking.iter().find(|rank| rank.player.index() == seat)?;
            Some(json!([rank.place, rank.score]))
        })
    };
    let players = about.names.iter().zip(&about.bots).enumerate();
    let players = players.map(|(seat, (name, bot))| {
        json!({ "name": escape_control(name), "bot": escape_control(bot), "colour": colour_of(seat), "end": place(seat) })
    });
    let end = outcome.map(|outcome| {
        let winners = outcome.winners.iter();
        let winners: Vec<String> = winners
            .map(|player| about.names[player.index()].clone())
            .collect();
        let sentence = decl.sentences.of_ending(&outcome.reason);
        escape_control(&story::ending(&winners, sentence, frames::PAGE)).into_owned()
    });
    json!({
        "players": players.collect::<Vec<_>>(),
        "lands": game.board().territories().map(|at| escape_control(&game.board().info(at).name)).collect::<Vec<_>>(),
        "units": decl.units,
        "phases": decl.phases.iter().map(|phase| phase.name.replace('_', " ")).collect::<Vec<_>>(),
        "counters": declared(&decl.counters),
        "piles": declared(&decl.piles),
        "cards": decl.cards.iter().map(|card| &card.name).collect::<Vec<_>>(),
        "open": is_open(decl),
        "end": end,
        "digest": outcome.map(|_| risk_engine::record::hex(game.digest())),
    })
}
