//! Maps as SVG pictures. A territory has the shape that the map specifies. Without a shape,
//! it is a square or hexagon of a board, the land around its place, or a disc.
//!
//! Touching territories have either a border or a wall between them. Every other border is a line.

mod chart;
mod coast;
mod coloured;
mod contours;
#[cfg(feature = "pictures")]
mod film;
#[cfg(feature = "pictures")]
pub mod gif;
mod hints;
mod ink;
mod key;
mod labels;
mod land;
mod lattice;
mod layout;
mod map_marks;
#[cfg(feature = "png")]
pub mod png;
mod preview;
#[cfg(feature = "pictures")]
mod reel;
mod seats;
#[cfg(feature = "pictures")]
mod strokes;
mod style;
mod terminal;
mod totals;

use std::borrow::Cow;
use std::fmt::Write as _;

use super::groups;

pub use chart::Outlines;
use coast::{Coast, LineKind};
pub use coloured::{Holder, Marks, coloured, letter};
#[cfg(feature = "pictures")]
pub use film::Film;
use hints::{is_gone, stack};
use ink::{COVER, DARK_SEA, INK, SEA, shaded, tamed};
use labels::{Area, NamedPlace};
use layout::{Point, distance};
pub use preview::{PREVIEW_HEIGHT, PREVIEW_WIDTH, preview};
#[cfg(feature = "pictures")]
pub use reel::{Reel, ReelFrame};
use risk_kernel::board::Board;
use risk_kernel::groups::GroupInfo;
use risk_kernel::id::{Group, Territory};
use risk_kernel::state::GameState;
use risk_text::plural::counted;
use risk_text::{escape_control, xml};
pub use seats::{PlayerPattern, colour_of, is_patterned, pattern_of};
use seats::{fill_of, patterns};
pub use style::{Style, Theme, names_in_pixels};
pub use terminal::{overview, seen};

/// The colours of the sea in light and in dark pictures.
pub const SEAS: [&str; 2] = [SEA, DARK_SEA];
/// Clearly different colours for continents without a colour.
const COLOURS: [&str; 12] = [
    "#d9a441", "#4f7cac", "#c8553d", "#5b8c5a", "#8e5572", "#4fb0ae", "#8c6d46", "#7a6fb0",
    "#b0b84f", "#d98aa8", "#6b7f8c", "#a3542c",
];
/// The colour of unowned territories.
pub const NOBODY: &str = "#aeb3a6";
const FONTS: &str = "Ubuntu, 'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif";
const TITLE: f64 = 54.0;

#[derive(Clone, Copy)]
struct NamedGame<'a> {
    names: &'a [String],
    game: &'a GameState,
}

/// Draws a map as SVG.
#[must_use]
pub fn map(board: &Board) -> String {
    map_with(board, Style::default())
}

/// Draws a map as SVG in a style.
#[must_use]
pub fn map_with(board: &Board, style: Style) -> String {
    Picture::new(board, style).draw(None)
}

/// Draws a game in progress: territories in their owners' colours, with armies. `names` contains
/// the players' names, by seat.
#[must_use]
pub fn game(game: &GameState, names: &[String]) -> String {
    game_with(game, names, Style::default())
}

/// Draws a game in progress in a style.
#[must_use]
pub fn game_with(game: &GameState, names: &[String], style: Style) -> String {
    let names = &style.players(names);
    Picture::new(game.board(), style).draw(Some(&NamedGame { names, game }))
}

/// Draws only the board of a game, for a page with its own title, players and labels. Each
/// territory has the id `land-N`, its place the id `mark-N`, the text for its armies the id
/// `armies-N`, and the pattern of each player the id `pattern-N`.
#[must_use]
pub fn live(game: &GameState, names: &[String]) -> String {
    Picture::new(game.board(), Style::default()).bare(&NamedGame { names, game })
}

struct Picture<'a> {
    board: &'a Board,
    coast: Coast,
    style: Style,
    width: f64,
    height: f64,
}

impl<'a> Picture<'a> {
    fn new(board: &'a Board, style: Style) -> Self {
        let coast = Coast::new(board, TITLE, style.width.map(f64::from));
        Self {
            board,
            width: coast.size.0,
            height: coast.size.1,
            coast,
            style,
        }
    }

    fn name(&self, at: Territory) -> Cow<'_, str> {
        let info = self.board.info(at);
        self.style.name(&info.name, || info.id.clone())
    }

    fn draw(&self, held: Option<&NamedGame<'_>>) -> String {
        let players = held.map_or(0, |held| held.names.len());
        let mut body = patterns((0..players).filter(|&seat| is_patterned(seat)));
        self.ground(&mut body, held);
        if let Some(held) = held {
            self.markers(&mut body, held.game.decl(), |marker, at| {
                is_gone(held.game, marker, at)
            });
            self.names_of_markers(&mut body, held);
        }
        self.lines(&mut body, held.map(|held| held.game));
        let mut unplaced = self.names(&mut body, held);
        if held.is_none() {
            // The key has all continents.
            unplaced.continents.clear();
        }
        let (wide, rows) = self.key(&mut body, held);
        let below = self.height + rows;
        let rows = rows + held.map_or(0.0, |held| self.hints_key(&mut body, held, below));
        let (legend_wide, legend) = self.legend(&mut body, &unplaced, self.height + rows);
        let width = self.width.max(wide).max(legend_wide);
        let height = self.height + rows + legend;
        let title = match held {
            None => self.board.name().replace('_', " "),
            Some(NamedGame { game, .. }) => {
                let when = super::counts::moment(game.round(), super::counts::turn_of(game));
                format!("{}, {when}", self.board.name())
            }
        };
        let about = match held {
            None => super::counts::counts(self.board),
            Some(NamedGame { game, .. }) => {
                format!("after {}", counted(game.answers(), "decision"))
            }
        };
        let style = self.style.theme.css();
        let scale = self
            .style
            .width
            .map_or(1.0, |shown| f64::from(shown) / width);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{:.0}\" height=\"{:.0}\" \
             font-family=\"{FONTS}\">\n<title>{}</title>\n{style}<rect class=\"sea\" \
             width=\"100%\" height=\"100%\" fill=\"{SEA}\"/>\n",
            width * scale,
            height * scale,
            xml(&escape_control(&title))
        );
        self.heading(&mut text, &escape_control(&title), &about);
        text.push_str(&body);
        text.push_str("</svg>\n");
        text
    }

    /// Writes the title and the line below it. Both end with `…` if they are too wide even in small
    /// letters.
    fn heading(&self, text: &mut String, title: &str, about: &str) {
        let room = self.width - 40.0;
        let lines = [
            (title, 22.0, "34", "#22303c", " font-weight=\"bold\""),
            (about, 13.0, "54", "#5a6a78", ""),
        ];
        for (line, most, y, ink, weight) in lines {
            let fitting = room / labels::width(line, 1.0).max(1.0);
            let size = fitting.clamp(labels::SMALLEST, most).floor();
            let _ = writeln!(
                text,
                "<text class=\"over\" x=\"20\" y=\"{y}\" font-size=\"{size:.0}\"{weight} \
                 fill=\"{ink}\">{}</text>",
                xml(&labels::shortened(line, size, room))
            );
        }
    }

    fn bare(&self, held: &NamedGame<'_>) -> String {
        // Readers may choose patterns for all players.
        let mut body = patterns(0..held.names.len());
        self.ground(&mut body, Some(held));
        self.markers(&mut body, held.game.decl(), |marker, at| {
            is_gone(held.game, marker, at)
        });
        // The page marks what is closed itself.
        self.lines(&mut body, None);
        body.push_str("<g id=\"marks\">\n");
        for at in self.board.territories() {
            let (x, y) = self.coast.places[at.index()];
            let (at, armies) = (at.index(), held.game.all_units(at));
            let _ = writeln!(
                body,
                "<g id=\"mark-{at}\" data-x=\"{x:.1}\" data-y=\"{y:.1}\">\
                 <rect/><text id=\"armies-{at}\" y=\"4.6\">{armies}</text></g>"
            );
        }
        body.push_str("</g>\n");
        let (width, height) = (self.width, self.height - TITLE);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"map\" viewBox=\"0 {TITLE:.0} \
             {width:.0} {height:.0}\" font-family=\"{FONTS}\">\n{body}</svg>\n"
        )
    }

    fn continent_colour(&self, at: usize) -> String {
        match self.board.info(Territory::from_index(at)).continent {
            None => "#b9c4b0".to_owned(),
            Some(continent) => self.colour(continent.index()),
        }
    }

    fn colour(&self, continent: usize) -> String {
        let given = self.board.continents()[continent].colour.as_deref();
        given.map_or_else(|| shaded(&COLOURS, continent), tamed)
    }

    /// Draws the land of each territory, and walls between touching territories without a border.
    fn ground(&self, body: &mut String, held: Option<&NamedGame<'_>>) {
        if self.coast.is_discs() {
            self.lanes(body);
        } else {
            self.coast.water(body);
        }
        for index in 0..self.board.len() {
            let at = Territory::from_index(index);
            let mut name = vec![self.board.info(at).name.clone()];
            name.extend(groups::rules_of(self.board, at));
            let fill = match held {
                None => self.continent_colour(index),
                Some(NamedGame { game, .. }) => game
                    .owner(Territory::from_index(index))
                    .map_or(NOBODY.to_owned(), |player| fill_of(player.index())),
            };
            let id = if held.is_some() {
                format!(" id=\"land-{index}\"")
            } else {
                String::new()
            };
            let _ = writeln!(
                body,
                "<path{id} class=\"land\" d=\"{}\" fill-rule=\"evenodd\" fill=\"{fill}\" \
                 fill-opacity=\"{COVER}\" stroke=\"#ffffff\" stroke-width=\"1.5\" \
                 stroke-linejoin=\"round\"><title>{}</title></path>",
                self.coast.path(index),
                xml(&escape_control(&name.join(", ")))
            );
        }
        self.walls(body);
    }

    /// Returns the colour and the width of the line between two touching territories, or `None` if
    /// no line is drawn.
    fn wall(&self, from: usize, to: usize) -> Option<(&'static str, f64)> {
        let continent = |at| self.board.continent(Territory::from_index(at));
        let abroad = continent(from) != continent(to);
        match (self.joined(from, to), abroad) {
            (false, _) => Some(("#22303c", 5.0)),
            (true, true) => Some(("#22303c", 1.5)),
            (true, false) => None,
        }
    }

    /// Reports whether there is a border between two territories, in either direction.
    fn joined(&self, from: usize, to: usize) -> bool {
        let (from, to) = (Territory::from_index(from), Territory::from_index(to));
        self.board.borders(from, to) || self.board.borders(to, from)
    }

    fn walls(&self, body: &mut String) {
        for ((from, to), lines) in self.coast.shores.common() {
            let Some((colour, wide)) = self.wall(from, to) else {
                continue;
            };
            for line in lines {
                let points: Vec<String> =
                    line.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
                let _ = writeln!(
                    body,
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" \
                     stroke-width=\"{wide}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
                    points.join(" ")
                );
            }
        }
    }

    /// Draws borders between territories that do not touch, and arrows for one-way borders.
    /// Marks borders that are not open to everybody, and those that rules closed in `game`.
    fn lines(&self, body: &mut String, game: Option<&GameState>) {
        if !self.coast.is_discs() {
            self.lanes(body);
        }
        for (mark, place) in self.map_marks(game) {
            mark.draw(body, place);
        }
        for (from, to, one_way) in self.board.edges() {
            if one_way {
                let place = |at: Territory| self.coast.places[at.index()];
                arrow(body, place(from), place(to));
            }
        }
    }

    /// Draws the lines of borders between territories that do not touch.
    fn lanes(&self, body: &mut String) {
        let line = |from, to, kind| line(body, from, to, kind);
        self.coast.lines(self.width, line);
    }

    /// Draws places, names and the plaques of continents. Returns the texts without room.
    fn names(&self, body: &mut String, held: Option<&NamedGame<'_>>) -> UnplacedTexts {
        let Some(NamedGame { game, .. }) = held else {
            return self.marked(body, &[], 6.0, |at, place| (dot(at, place), 6.0));
        };
        let mut taken = self.middles(game.decl());
        taken.extend(self.state_marks(body, game));
        self.marked(body, &taken, 15.0, |at, place| {
            let units = stack(game, at);
            if units.is_empty() {
                return (dot(at, place), 15.0);
            }
            plate(at, place, &units)
        })
    }

    /// Draws a mark at each place, the names at a distance of `gap` above or below the marks or
    /// beside them, and the plaques of continents. `mark` returns the mark and half its width. No
    /// text covers the areas that are `taken`. Returns the texts without room.
    fn marked(
        &self,
        body: &mut String,
        taken: &[Area],
        gap: f64,
        mark: impl Fn(Territory, Point) -> (String, f64),
    ) -> UnplacedTexts {
        let mut texts = Vec::new();
        for at in self.board.territories() {
            let place = self.coast.places[at.index()];
            let (mark, half) = mark(at, place);
            let _ = writeln!(body, "{mark}");
            texts.push(NamedPlace {
                at: place,
                name: self.name(at).into_owned(),
                half,
            });
        }
        if !self.style.names {
            return UnplacedTexts::default();
        }
        let frame = (2.0, TITLE + 2.0, self.width - 2.0, self.height - 2.0);
        let mut placed = labels::place(&texts, gap, frame, taken, self.style.width.is_some(), body);
        let mut continents = Vec::new();
        for (index, info) in self.board.continents().iter().enumerate() {
            let members = self.board.members(Group::from_index(index));
            let members: Vec<usize> = members.iter().map(|at| at.index()).collect();
            let text = with_bonus(self.style, info);
            if !placed.plaque(&text, &members, body) {
                continents.push(text);
            }
        }
        UnplacedTexts {
            names: placed.numbered,
            omitted: placed.omitted,
            continents,
        }
    }
}

/// The texts that have no room on the map.
#[derive(Default)]
struct UnplacedTexts {
    /// The names that numbers replace on the map, in numeric order.
    names: Vec<String>,
    /// The number of names that not even a number replaces.
    omitted: usize,
    /// Continents with their bonuses.
    continents: Vec<String>,
}

/// Returns the name of a group with its bonus.
fn with_bonus(style: Style, info: &GroupInfo) -> String {
    groups::with_bonus(info, &style.name(&info.name, || info.id.clone()))
}

/// Returns a spot at the place of a territory.
fn dot(at: Territory, place: Point) -> String {
    let (x, y) = place;
    let at = at.index();
    format!("<circle data-place=\"{at}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"#22303c\"/>")
}

/// Returns a plate with units, and half its width, but at least 15 pixels.
fn plate(at: Territory, place: Point, units: &str) -> (String, f64) {
    let ((x, y), half) = (place, plate_half(units));
    let plate = format!(
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"20\" rx=\"10\" fill=\"#ffffff\" \
         stroke=\"#22303c\"/><text id=\"armies-{}\" x=\"{x:.1}\" y=\"{:.1}\" font-size=\"13\" \
         font-weight=\"bold\" text-anchor=\"middle\" fill=\"#22303c\">{}</text>",
        x - half,
        y - 10.0,
        2.0 * half,
        at.index(),
        y + 4.6,
        xml(units)
    );
    (plate, half.max(15.0))
}

/// Returns half the width of the plate under units, in pixels.
fn plate_half(units: &str) -> f64 {
    (labels::width(units, 13.0) / 2.0 + 5.0).max(10.0)
}

fn line(body: &mut String, a: Point, b: Point, kind: LineKind) {
    let look = kind.look();
    let class = kind.class();
    if kind == LineKind::Crossing {
        let (x, y) = (f64::midpoint(a.0, b.0), f64::midpoint(a.1, b.1));
        let _ = writeln!(
            body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" {look} fill=\"{INK}\"/>"
        );
        return;
    }
    let _ = writeln!(
        body,
        "<line{class} x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" \
         stroke=\"{INK}\" {look}/>",
        a.0, a.1, b.0, b.1
    );
}

fn arrow(body: &mut String, a: Point, b: Point) {
    let length = distance(a, b).max(1e-6);
    let dx = (b.0 - a.0) / length;
    let dy = (b.1 - a.1) / length;
    let tip = (b.0 - dx * 12.0, b.1 - dy * 12.0);
    let side = |way: f64| {
        (
            tip.0 - dx * 11.0 - dy * 5.0 * way,
            tip.1 - dy * 11.0 + dx * 5.0 * way,
        )
    };
    let (lx, ly) = side(1.0);
    let (rx, ry) = side(-1.0);
    let _ = writeln!(
        body,
        "<polygon points=\"{:.1},{:.1} {lx:.1},{ly:.1} {rx:.1},{ry:.1}\" fill=\"{INK}\"/>",
        tip.0, tip.1
    );
}
