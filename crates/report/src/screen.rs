//! A game as a full terminal screen: the map, the players, the last action and the story so far.

use super::counts::{moment, turn_of};
use super::decision;
use super::picture::{Holder, Marks, Outlines, coloured, letter};
use risk_kernel::event::Status;
use risk_kernel::id::{Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::view::is_open;
use risk_kernel::words::Words;
use risk_text::names::name_column;
use risk_text::paint::{Paint, cut};
use risk_text::{columns, escape_control};

/// The minimum number of columns and of lines of a screen.
pub const LEAST: (usize, usize) = (40, 12);
const MOST_STORY: usize = 8;
/// The maximum number of lines of a map alone.
const MOST_MAP: usize = 32;
/// The number of spaces between players side by side.
const GAP: usize = 3;

/// A moment of a game that is being watched.
pub struct Screen<'a> {
    /// The game at this moment.
    pub game: &'a GameState,
    /// The player whose view is displayed, or `None` to display everything.
    pub seat: Option<Player>,
    /// The players' names, by seat.
    pub names: &'a [String],
    /// The ruleset, the map and the seed.
    pub title: &'a str,
    /// The last action and its player.
    pub done: Option<&'a (Player, String)>,
    /// The ending of the game, or `None` while it is running.
    pub ending: Option<&'a str>,
    /// The lines of the story, of any length, the oldest first.
    pub story: &'a [String],
    /// The parts of the last line, such as keys.
    pub keys: &'a [String],
}

/// Draws the map of a game as a player sees it, or all of it without a player, as in a [`Screen`].
/// The picture is as wide as the page. The territories in `marked` stand out, without colours by an
/// asterisk before their names.
#[must_use]
pub fn map(
    game: &GameState,
    seat: Option<Player>,
    names: &[String],
    marked: &[Territory],
    paint: Paint,
) -> Vec<String> {
    let screen = Screen {
        game,
        seat,
        names,
        title: "",
        done: None,
        ending: None,
        story: &[],
        keys: &[],
    };
    let lines = (paint.width / 4).clamp(LEAST.1, MOST_MAP);
    screen.map(
        &Outlines::new(game.board()),
        (paint.width, lines),
        marked,
        paint.colour,
    )
}

impl Screen<'_> {
    /// Draws the screen in exactly `high` lines of at most `wide` columns. A screen smaller than
    /// [`LEAST`] only asks for a larger screen.
    #[must_use]
    pub fn lines(
        &self,
        outlines: &Outlines,
        wide: usize,
        high: usize,
        colour: bool,
    ) -> Vec<String> {
        let paint = Paint {
            colour,
            width: wide,
        };
        if wide < LEAST.0 || high < LEAST.1 {
            let text = format!("needs at least {} columns and {} lines", LEAST.0, LEAST.1);
            let mut lines: Vec<String> = text.split(' ').map(|word| cut(word, wide)).collect();
            lines.truncate(high);
            lines.resize(high, String::new());
            return lines;
        }
        let players = self.players(paint);
        // The heading, the last action, the keys, and a blank line below the map.
        let room = high - 4 - players.len().min(high / 3);
        let told = room.saturating_sub(6).min(MOST_STORY).min(room / 4 + 1);
        let map = self.map(outlines, (wide, room - told), &[], colour);
        let story = self.story(paint, (room - map.len()).min(MOST_STORY));
        let mut lines = vec![self.heading(paint)];
        lines.extend(map);
        lines.push(String::new());
        lines.extend(players.into_iter().take(high / 3));
        lines.push(self.done(paint));
        lines.extend(story);
        lines.resize(high - 1, String::new());
        lines.push(paint.dim(&fitting(self.keys, wide, "  ")));
        lines
    }

    fn heading(&self, paint: Paint) -> String {
        let game = self.game;
        let when = moment(game.round(), turn_of(game));
        let mut parts = vec![escape_control(self.title).into_owned(), when];
        // The number of decisions may reveal secret decisions.
        parts.push(match self.seat {
            Some(seat) => format!("as {} sees it", self.name(seat)),
            None => format!("decision {}", game.answers()),
        });
        paint.bold(&fitting(&parts, paint.width, " · "))
    }

    fn name(&self, player: Player) -> String {
        let name = self.names.get(player.index());
        let name = name.map_or_else(|| "?".into(), |name| escape_control(name));
        name.into_owned()
    }

    fn sees_owner(&self, at: Territory) -> bool {
        let own = |seat| self.game.owner(at) == Some(seat) || self.game.sees_owner(seat, at);
        self.seat.is_none_or(own)
    }

    fn sees_armies(&self, at: Territory) -> bool {
        let own = |seat| self.game.owner(at) == Some(seat) || self.game.sees_units(seat, at);
        self.seat.is_none_or(own)
    }

    fn kinds(&self) -> impl Iterator<Item = Unit> + use<> {
        (0..self.game.decl().units.len()).map(Unit::from_index)
    }

    fn map(
        &self,
        outlines: &Outlines,
        size: (usize, usize),
        marked: &[Territory],
        colour: bool,
    ) -> Vec<String> {
        let holder = |at: Territory| match self.game.owner(at) {
            _ if !self.sees_owner(at) => Holder::Unseen,
            Some(player) => Holder::Seat(player.index()),
            None => Holder::Nobody,
        };
        let armies = |at: Territory| {
            // A name is placed beside the number.
            if self.sees_armies(at) {
                decision::short(self.kinds().map(|kind| self.game.units(at, kind)))
            } else {
                "?".to_owned()
            }
        };
        let marks = Marks {
            holder: &holder,
            armies: &armies,
            marked,
            colour,
        };
        let lines = coloured(outlines, self.game.board(), size.0, size.1, &marks);
        let widest = lines.iter().map(|line| columns(line)).max().unwrap_or(0);
        let before = " ".repeat(size.0.saturating_sub(widest) / 2);
        lines
            .iter()
            .map(|line| format!("{before}{line}").trim_end().to_owned())
            .collect()
    }

    /// Formats the players, side by side if they fit.
    fn players(&self, paint: Paint) -> Vec<String> {
        let names: Vec<String> = self.game.seats().map(|player| self.name(player)).collect();
        let (_, names) = name_column("", names.iter(), paint.width / 3);
        let seats = self.game.seats();
        let texts: Vec<String> = seats
            .map(|player| self.player(player, &names[player.index()], paint))
            .collect();
        let widest = texts.iter().map(|text| columns(text)).max().unwrap_or(0);
        let across = ((paint.width + GAP) / (widest + GAP)).max(1);
        let rows = texts.len().div_ceil(across);
        let across = texts.len().div_ceil(rows.max(1)).max(1);
        let row = |row: &[(usize, String)]| {
            let parts: Vec<String> = row
                .iter()
                .map(|(seat, text)| {
                    let blanks = widest.saturating_sub(columns(text));
                    let text = format!("{text}{}", " ".repeat(blanks));
                    if self.game.status(Player::from_index(*seat)) == Status::Eliminated {
                        paint.dim(&text)
                    } else {
                        paint.seat(*seat, &text)
                    }
                })
                .collect();
            parts.join(&" ".repeat(GAP)).trim_end().to_owned()
        };
        let texts: Vec<(usize, String)> = texts.into_iter().enumerate().collect();
        texts.chunks(across).map(row).collect()
    }

    /// Formats a player and the visible part of its holdings.
    fn player(&self, player: Player, name: &str, paint: Paint) -> String {
        let game = self.game;
        let mark = match (paint.colour, game.mover() == Some(player)) {
            (true, true) => "▶".to_owned(),
            (true, false) => "●".to_owned(),
            (false, true) => format!("{}>", letter(player.index())),
            (false, false) => format!("{} ", letter(player.index())),
        };
        if game.status(player) == Status::Eliminated {
            return format!("{mark} {name}  eliminated");
        }
        let board = game.board();
        let land = board
            .territories()
            .filter(|&at| game.owner(at) == Some(player));
        let seen: Vec<Territory> = land.filter(|&at| self.sees_owner(at)).collect();
        let armies = seen.iter().filter(|&&at| self.sees_armies(at));
        let armies: i64 = armies.map(|&at| i64::from(game.all_units(at))).sum();
        // Units of different kinds have no name in common.
        let units = match game.decl().units.len() {
            1 => Words::new(board, game.decl()).unit(Unit(0), 2),
            _ => "units".to_owned(),
        };
        let hidden = self.seat.is_some_and(|seat| seat != player) && !is_open(game.decl());
        let more = if hidden { "+" } else { " " };
        let cards = game.decl().pile("hand").map_or_else(String::new, |hand| {
            match game.pile(hand, Some(player)).len() {
                1 => "   1 card".to_owned(),
                cards => format!("  {cards:>2} cards"),
            }
        });
        let status = match game.status(player) {
            Status::Playing => String::new(),
            status => format!("  {}", status.as_str()),
        };
        let text = format!(
            "{mark} {name} {:>3}{more}land {armies:>5}{more}{units}{cards}{status}",
            seen.len()
        );
        fitting(&[text], paint.width, "")
    }

    fn done(&self, paint: Paint) -> String {
        if let Some(ending) = self.ending {
            return paint.bold(&fitting(
                &[escape_control(ending).into_owned()],
                paint.width,
                "",
            ));
        }
        let Some((player, text)) = self.done else {
            return String::new();
        };
        let text = format!("{} {text}", self.name(*player));
        let text = fitting(&[escape_control(&text).into_owned()], paint.width, "");
        paint.seat(player.index(), &text)
    }

    fn story(&self, paint: Paint, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for told in self.story.iter().rev() {
            let wrapped = paint.wrapped("", "    ", told);
            if lines.len() + wrapped.len() > most {
                break;
            }
            lines.splice(0..0, wrapped.iter().map(|line| cut_marked(line, paint)));
        }
        lines
    }
}

/// Replaces a line with an ellipsis if it contains a word wider than the screen.
fn cut_marked(line: &str, paint: Paint) -> String {
    if columns(line) <= paint.width {
        line.to_owned()
    } else {
        "…".to_owned()
    }
}

/// Joins as many parts as fit into a line. If no part fits, the line contains as many words
/// of the first part as possible.
fn fitting(parts: &[String], width: usize, between: &str) -> String {
    let mut line = String::new();
    for part in parts {
        let with = if line.is_empty() {
            part.clone()
        } else {
            format!("{line}{between}{part}")
        };
        if columns(&with) > width {
            if line.is_empty() {
                line = words(part, width);
            }
            break;
        }
        line = with;
    }
    line
}

/// Returns as many words of a text as fit, followed by an ellipsis.
fn words(text: &str, width: usize) -> String {
    let mut line = String::new();
    for word in text.split(' ') {
        let with = format!("{line}{word} ");
        if columns(&with) + 1 > width {
            break;
        }
        line = with;
    }
    if line.trim().is_empty() {
        return cut(text, width);
    }
    format!("{line}…")
}
