//! A self-contained page for stepping through a game: the map, a timeline and the story.
//!
//! The page contains the packed changes of each decision. Its script applies the changes from the
//! beginning, and contains no rules.

mod frames;
pub mod timeline;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::picture::{self, colour_of};
use super::{groups, hints, story, web};
use risk_kernel::declare::{CounterDecl, MarkDecl, Visibility};
use risk_kernel::id::{Card, Counter, Group, Pile, Player, Unit};
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::GameKey;
use risk_kernel::state::GameState;
use risk_kernel::view::is_open;
use risk_kernel::words::Words;
use risk_text::plural::counted;
use risk_text::{escape_control, isolated, xml};

pub use frames::Frames;

/// The HTML that shows the command to go on from the moment that is shown.
const GO_ON: &str = "<p>Play on from here: <code id=\"from\"></code></p>\n";
const FRAME: &str = include_str!("../web/replay.html");

/// The maximum size of a page, in bytes.
pub const LARGEST_PAGE: usize = 64 << 20;

/// The facts about a game for its page, apart from its events.
#[derive(Clone, Debug, Default)]
pub struct GamePageInfo {
    /// The ruleset and the map.
    pub game: String,
    /// The seed of the game; empty if it is private.
    pub seed: String,
    /// The players' names, by seat.
    pub names: Vec<String>,
    /// The command that plays on from a decision, with `{decision}` in place of its number.
    pub command: Option<String>,
    /// The chances to win and the turning points, from [`super::analysis::for_page`].
    pub chances: Option<serde_json::Value>,
    /// The address of the page, if it will be published.
    pub address: Option<PageAddress>,
}

/// The addresses at which a page and its picture will be published. Chats show a preview of the
/// page, with the picture.
#[derive(Clone, Debug)]
pub struct PageAddress {
    /// The URL of the page.
    pub page: String,
    /// The URL of the picture, a PNG of [`preview`].
    pub picture: String,
}

impl PageAddress {
    /// Returns the elements of the page's head that lead chats to the picture.
    fn head(&self, escape: impl Fn(&str) -> String) -> String {
        let (page, picture) = (escape(&self.page), escape(&self.picture));
        let (width, height) = (picture::PREVIEW_WIDTH, picture::PREVIEW_HEIGHT);
        format!(
            "<meta property=\"og:url\" content=\"{page}\">\n\
             <meta property=\"og:image\" content=\"{picture}\">\n\
             <meta property=\"og:image:width\" content=\"{width}\">\n\
             <meta property=\"og:image:height\" content=\"{height}\">\n\
             <meta name=\"twitter:card\" content=\"summary_large_image\">\n"
        )
    }
}

impl GamePageInfo {
    /// Returns the title of a game's page, with the players and the result.
    fn title(&self, outcome: Option<&Outcome>) -> String {
        format!("{}: {}", self.heading(outcome), self.game)
    }

    /// Returns the players and the result.
    fn heading(&self, outcome: Option<&Outcome>) -> String {
        let is_winner = |seat: &usize| {
            outcome.is_some_and(|outcome| outcome.winners.has(Player::from_index(*seat)))
        };
        let named = |seats: &[usize]| {
            let names = seats.iter().map(|&seat| self.names[seat].clone());
            let names: Vec<String> = names.collect();
            match names.split_last() {
                Some((last, [])) => last.clone(),
                Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
                None => String::new(),
            }
        };
        let (winners, others): (Vec<usize>, Vec<usize>) =
            (0..self.names.len()).partition(is_winner);
        match (winners.len(), others.len()) {
            (0, _) | (_, 0) => self.names.join(" v "),
            (1, _) => format!("{} wins against {}", named(&winners), named(&others)),
            _ => format!("{} win against {}", named(&winners), named(&others)),
        }
    }

    /// Returns a sentence about the game: its ending, its length and its seed.
    fn description(&self, game: &GameState, outcome: Option<&Outcome>) -> String {
        let end = outcome.map(|outcome| self.ending(game, outcome));
        let end = end.unwrap_or_else(|| "The game goes on".to_owned());
        let length = format!(
            "{}, {}",
            counted(game.round(), "round"),
            counted(game.answers(), "decision")
        );
        let seed = match self.seed.as_str() {
            "" => String::new(),
            seed => format!("; seed {seed}"),
        };
        format!(
            "{}. {}, {length}{seed}.",
            end.trim_end_matches('.'),
            self.game
        )
    }

    fn ending(&self, game: &GameState, outcome: &Outcome) -> String {
        let winners = outcome.winners.iter();
        let winners: Vec<String> = winners
            .map(|player| self.names[player.index()].clone())
            .collect();
        let sentence = game.decl().sentences.of_ending(&outcome.reason);
        story::ending(&winners, sentence, story::ONE_LINE)
    }
}

/// Returns the continents and groups, with their bonuses and the numbers of their territories.
fn all_groups(game: &GameState) -> serde_json::Value {
    let all = game.board().groups().iter().enumerate();
    let all = all.map(|(at, info)| {
        let members = game.board().members(Group::from_index(at)).iter();
        let members: Vec<usize> = members.map(|at| at.index()).collect();
        let name = shown(&info.name);
        json!({ "text": groups::with_bonus(info, &name), "name": name, "members": members })
    });
    all.collect()
}

/// Returns what the map says about territories beside their places, by number.
fn notes(game: &GameState) -> serde_json::Value {
    let board = game.board();
    let notes = board
        .territories()
        .map(|at| (at, groups::rules_of(board, at)));
    let notes = notes.filter(|(_, rules)| !rules.is_empty());
    let notes = notes.map(|(at, rules)| (at.index().to_string(), shown(&rules.join(", ")).into()));
    notes.collect::<serde_json::Map<_, _>>().into()
}

/// Draws the picture for previews of a game's page as SVG, which is meant to become pixels: the
/// board, the players and the result.
#[must_use]
pub fn preview(about: &GamePageInfo, game: &GameState, outcome: Option<&Outcome>) -> String {
    let names = picture::names_in_pixels(&about.names);
    let about = GamePageInfo {
        names,
        ..about.clone()
    };
    let line = about.description(game, outcome);
    picture::preview(game, &about.names, &about.heading(outcome), &line)
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
    let text = |text: &str| xml(&shown(text)).replace('{', "&#123;");
    let address = about.address.as_ref();
    let published = address.map_or_else(String::new, |address| address.head(text));
    let title = text(&about.title(outcome));
    let description = text(&about.description(game, outcome));
    // The map is drawn empty because its contents come from the frames.
    let empty = GameState::new(
        game.board().clone(),
        game.decl().clone(),
        game.players(),
        GameKey::of_numbers(0, 0),
    );
    let map = picture::live(&empty, &about.names);
    let modules = web::import_map(&[&web::MODULES[..], &web::REPLAY].concat());
    let more = match about.command {
        Some(_) => GO_ON,
        None => "",
    };
    let length = packed.len() / 3 * 4 + map.len() + modules.len() + FRAME.len();
    if length > LARGEST_PAGE {
        return Err(length);
    }
    // The last parts may contain placeholders, so nothing is replaced after them.
    Ok(FRAME
        .replace("{style}", &format!("{}{}", web::STYLE, web::VIEWER_STYLE))
        .replace("{modules}", &modules)
        .replace("{viewer}", &web::viewer(more))
        .replace("{nobody}", picture::NOBODY)
        .replace("{published}", &published)
        .replace("{title}", &title)
        .replace("{about}", &description)
        .replacen("{data}", &STANDARD.encode(packed), 1)
        .replacen("{map}", &map, 1))
}

/// Returns a text as pages show it.
fn shown(text: &str) -> String {
    isolated(&escape_control(text)).into_owned()
}

/// Returns the word for who sees a value.
const fn seen(seen: Visibility) -> &'static str {
    match seen {
        Visibility::All => "all",
        Visibility::Owner => "owner",
        Visibility::Nobody => "nobody",
    }
}

/// Returns the data about the whole game for the page's script. With `outcome`, it includes the
/// ending and the digest of the last state.
pub fn head(
    about: &GamePageInfo,
    game: &GameState,
    outcome: Option<&Outcome>,
) -> serde_json::Value {
    let decl = game.decl();
    let words = Words::new(game.board(), decl);
    // A part without a title isn't shown.
    let declared = |all: &[CounterDecl], title: &dyn Fn(usize) -> Option<String>| {
        let each = all.iter().enumerate().map(
            |(at, info)| json!({ "name": info.name, "title": title(at), "seen": seen(info.seen) }),
        );
        each.collect::<Vec<_>>()
    };
    let counters = |at| words.counter_title(Counter::from_index(at));
    let piles = |at| words.pile(Pile::from_index(at));
    let cards = (0..decl.cards.len()).map(|at| words.card(Card::from_index(at)));
    let units = (0..decl.units.len()).map(|at| words.unit(Unit::from_index(at), 2));
    let mark = |mark: &MarkDecl| {
        let seen = if mark.in_sight {
            "sight"
        } else {
            seen(mark.seen)
        };
        json!({ "title": shown(&mark.title), "seen": seen })
    };
    let place = |seat: usize| {
        let ranking = outcome.map(|outcome| &outcome.ranking);
        ranking.and_then(|ranking| {
            let rank = ranking.iter().find(|rank| rank.player.index() == seat)?;
            Some(json!([rank.place, rank.score]))
        })
    };
    let players = about.names.iter().enumerate().map(|(seat, name)| {
        json!({ "name": shown(name), "colour": colour_of(seat), "end": place(seat) })
    });
    let end = outcome.map(|outcome| shown(&about.ending(game, outcome)));
    json!({
        "players": players.collect::<Vec<_>>(),
        "from": about.command,
        "chances": about.chances,
        "groups": all_groups(game),
        "board": hints::for_page(decl, game.board()),
        "notes": notes(game),
        "lands": game.board().territories().map(|at| shown(&game.board().info(at).name)).collect::<Vec<_>>(),
        "units": units.collect::<Vec<_>>(),
        "marks": decl.marks.iter().map(mark).collect::<Vec<_>>(),
        "phases": decl.phases.iter().map(|phase| phase.name.replace('_', " ")).collect::<Vec<_>>(),
        "counters": declared(&decl.counters, &counters),
        "piles": declared(&decl.piles, &piles),
        "cards": cards.collect::<Vec<_>>(),
        "open": is_open(decl),
        "end": end,
        "digest": outcome.map(|_| risk_engine::record::hex(game.digest())),
    })
}
