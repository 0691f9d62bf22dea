//! A self-contained page for stepping through a game: the map, a timeline and the story.
//!
//! The page contains the packed changes of each decision. Its script applies the changes from the
//! beginning, and contains no rules.

mod frames;
mod moment;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::picture::{self, colour_of};
use super::story;
use risk_kernel::declare::{CounterDecl, Visibility};
use risk_kernel::id::{Card, Counter, Pile, Unit};
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::GameKey;
use risk_kernel::state::GameState;
use risk_kernel::view::is_open;
use risk_kernel::words::Words;
use risk_text::{escape_control, xml};

pub use frames::Frames;

/// The script of all pages that display a game: the board, its players and the story.
pub const BOARD_SCRIPT: &str = include_str!("viewer/board.js");
/// The script for choosing players' colours and patterns. It follows [`BOARD_SCRIPT`].
pub const COLOURS_SCRIPT: &str = include_str!("viewer/colours.js");
/// The style of all pages that display a game.
pub const STYLE: &str = include_str!("viewer/board.css");
/// The script for stepping through a game. It follows [`BOARD_SCRIPT`] and [`COLOURS_SCRIPT`], and
/// precedes the script that provides the game.
pub const VIEWER_SCRIPT: &str = include_str!("viewer/viewer.js");
/// The style for [`VIEWER_SCRIPT`].
pub const VIEWER_STYLE: &str = include_str!("viewer/viewer.css");
/// The HTML for [`VIEWER_SCRIPT`], with the placeholder `{map}` for the board's picture.
pub const VIEWER: &str = include_str!("viewer/viewer.html");
const SCRIPT: &str = include_str!("viewer/replay.js");
const FRAME: &str = include_str!("viewer/replay.html");

/// The maximum size of a page, in bytes.
pub const LARGEST_PAGE: usize = 64 << 20;

/// The facts about a game for its page, apart from its events.
#[derive(Clone, Debug)]
pub struct GamePageInfo {
    /// The heading: the ruleset, the map and the seed.
    pub title: String,
    /// The players' names, by seat.
    pub names: Vec<String>,
    /// The players' bots, by seat.
    pub bots: Vec<String>,
}

/// Returns the HTML page of a game from its [`Frames`], which may stop before the game ends. The
/// page can be opened from a file, without a network. `game` is the last state.
///
/// # Errors
/// Returns the page's size if it would be larger than [`LARGEST_PAGE`].
pub fn page(
    frames: Frames,
    about: &GamePageInfo,
    game: &GameState,
    outcome: Option<&Outcome>,
) -> Result<String, usize> {
    let data = head(about, game, outcome);
    let text = frames.finish(game, &data);
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(text.as_bytes(), 9);
    let title = xml(&escape_control(&about.title)).replace('{', "&#123;");
    // The map is drawn empty because its contents come from the frames.
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
    // The last parts may contain placeholders, so nothing is replaced after them.
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

/// Returns the data about the whole game for the page's script. With `outcome`, it includes the
/// ending and the digest of the last state.
pub fn head(
    about: &GamePageInfo,
    game: &GameState,
    outcome: Option<&Outcome>,
) -> serde_json::Value {
    let decl = game.decl();
    let seen = |seen: Visibility| match seen {
        Visibility::All => "all",
        Visibility::Owner => "owner",
        Visibility::Nobody => "nobody",
    };
    let words = Words::new(game.board(), decl);
    // A part without a title isn't shown.
    let declared = |all: &[CounterDecl], title: &dyn Fn(usize) -> Option<String>| {
        let each = all.iter().enumerate();
        let each = each.map(|(at, info)| json!({ "title": title(at), "seen": seen(info.seen) }));
        each.collect::<Vec<_>>()
    };
    let counters = |at| words.counter_title(Counter::from_index(at));
    let piles = |at| words.pile(Pile::from_index(at));
    let cards = (0..decl.cards.len()).map(|at| words.card(Card::from_index(at)));
    let units = (0..decl.units.len()).map(|at| words.unit(Unit::from_index(at), 2));
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
        "units": units.collect::<Vec<_>>(),
        "phases": decl.phases.iter().map(|phase| phase.name.replace('_', " ")).collect::<Vec<_>>(),
        "counters": declared(&decl.counters, &counters),
        "piles": declared(&decl.piles, &piles),
        "cards": cards.collect::<Vec<_>>(),
        "open": is_open(decl),
        "end": end,
        "digest": outcome.map(|_| risk_engine::record::hex(game.digest())),
    })
}
