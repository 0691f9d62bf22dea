//! Maps as pictures: SVG, with each territory in the shape that the map has for it, or as the land
//! around its place.
//!
//! Land that touches can be crossed unless a wall is drawn between; every other border is
//! a dashed line.

mod animation;
mod cells;
mod chart;
mod coast;
mod coloured;
mod ink;
mod labels;
mod layout;
#[cfg(feature = "pictures")]
pub mod png;
mod reel;
mod terminal;

use std::fmt::Write as _;

use crate::kernel::board::{Board, ContinentInfo};
use crate::kernel::event::Status;
use crate::kernel::id::{Player, Territory};
use crate::kernel::state::GameState;
use crate::text::plural::counted;
use crate::text::{escape_control, xml};
pub use animation::{Animation, LARGEST_ANIMATION, TooLarge, animation};
use cells::Cell;
pub use chart::Outlines;
use coast::Coast;
pub use coloured::{Holder, Marks, coloured, letter};
use ink::{COVER, DARK, INK, SEA, readable};
use layout::{Point, distance};
pub use reel::Reel;
pub use terminal::{overview, seen};

/// Colours of continents that have none, and of players: far apart.
const COLOURS: [&str; 12] = [
    "#d9a441", "#4f7cac", "#c8553d", "#5b8c5a", "#8e5572", "#4fb0ae", "#8c6d46", "#7a6fb0",
    "#b0b84f", "#d98aa8", "#6b7f8c", "#a3542c",
];
/// The colour of land that nobody has.
pub const NOBODY: &str = "#c9c9c4";
/// How far two neighbours are from each other, as a rule, in pixels.
const STEP: f64 = 96.0;
const FONTS: &str = "Ubuntu, 'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif";
const MARGIN: f64 = 96.0;
const TITLE: f64 = 54.0;
/// How far the places of two territories are apart at least, in pixels.
const APART: f64 = 16.0;
/// The longest side of a picture, in pixels.
const LARGEST: f64 = 12_000.0;

/// Who holds what, for a picture of a game.
struct Held<'a> {
    names: &'a [String],
    game: &'a GameState,
}

/// A picture of a map.
#[must_use]
pub fn map(board: &Board) -> String {
    Picture::new(board).draw(None)
}

/// A picture of a game under way: territories in their owners' colours, with armies. `names` are
/// those of the players, by seat.
#[must_use]
pub fn game(game: &GameState, names: &[String]) -> String {
    Picture::new(game.board()).draw(Some(&Held { names, game }))
}

/// The same to be put into a page, which has title and players itself: only the board. Each land
/// has the id `land-N`, its armies `armies-N`.
#[must_use]
pub fn live(game: &GameState, names: &[String]) -> String {
    Picture::new(game.board()).bare(&Held { names, game })
}

/// The colour of a player, or of a continent that has none: darker and then lighter where there are
/// many. Ink can be read on it.
#[must_use]
pub fn colour_of(index: usize) -> String {
    let colour = COLOURS[index % COLOURS.len()];
    let shade = index / COLOURS.len() % 3;
    let toward = [None, Some(0x18), Some(0xf4)][shade];
    let channel = |at: usize| {
        let value = u32::from_str_radix(&colour[at..at + 2], 16).unwrap_or_default();
        toward.map_or(value, |toward| (value * 5 + toward * 4) / 9)
    };
    readable(&format!(
        "#{:02x}{:02x}{:02x}",
        channel(1),
        channel(3),
        channel(5)
    ))
}

struct Picture<'a> {
    board: &'a Board,
    cells: Vec<Cell>,
    /// The shapes of the lands, where the map has such.
    coast: Option<Coast>,
    width: f64,
    height: f64,
}

impl<'a> Picture<'a> {
    fn new(board: &'a Board) -> Self {
        Coast::new(board, TITLE, LARGEST).map_or_else(
            || Self::of_cells(board),
            |coast| Self {
                board,
                cells: coast.places.iter().map(|&place| Cell::at(place)).collect(),
                width: coast.size.0.max(420.0),
                height: coast.size.1,
                coast: Some(coast),
            },
        )
    }

    fn of_cells(board: &'a Board) -> Self {
        let mut places = layout::places(board);
        let mut lengths: Vec<f64> = board
            .edges()
            .map(|(from, to, _)| distance(places[from.index()], places[to.index()]))
            .collect();
        lengths.sort_by(f64::total_cmp);
        let usual = lengths
            .get(lengths.len() / 2)
            .copied()
            .unwrap_or(1.0)
            .max(1e-6);
        let least = (f64::INFINITY, f64::INFINITY);
        let least = places.iter().fold(least, |least, place| {
            (least.0.min(place.0), least.1.min(place.1))
        });
        let most = places.iter().fold((0.0_f64, 0.0_f64), |most, place| {
            (most.0.max(place.0 - least.0), most.1.max(place.1 - least.1))
        });
        let scale = (STEP / usual).min((LARGEST - 2.0 * MARGIN) / most.0.max(most.1).max(1e-6));
        for place in &mut places {
            *place = (
                (place.0 - least.0) * scale + MARGIN,
                (place.1 - least.1) * scale + MARGIN + TITLE,
            );
        }
        layout::push_apart(&mut places, APART);
        let width = (most.0 * scale + 2.0 * MARGIN).max(420.0);
        let height = most.1 * scale + 2.0 * MARGIN + TITLE;
        let cells = cells::cells(board, &places);
        Self {
            board,
            cells,
            coast: None,
            width,
            height,
        }
    }

    fn draw(&self, held: Option<&Held<'_>>) -> String {
        let mut body = String::new();
        self.ground(&mut body, held);
        self.lines(&mut body);
        let numbered = self.names(&mut body, held);
        let (wide, rows) = self.key(&mut body, held);
        let (legend_wide, legend) = self.legend(&mut body, &numbered, self.height + rows);
        let width = self.width.max(wide).max(legend_wide);
        let height = self.height + rows + legend;
        let title = match held {
            None => self.board.name().to_owned(),
            Some(Held { game, .. }) => format!(
                "{}, round {}, turn {}",
                self.board.name(),
                game.round(),
                game.turn()
            ),
        };
        let about = match held {
            None => super::counts::counts(self.board),
            Some(Held { game, .. }) => format!("after {}", counted(game.answers(), "decision")),
        };
        let name = xml(&escape_control(&title));
        // Where lines run over land and sea alike, both stay light.
        let style = if self.coast.is_some() {
            format!("<style>{DARK}</style>\n")
        } else {
            String::new()
        };
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" \
             font-family=\"{FONTS}\">\n<title>{name}</title>\n{style}<rect class=\"sea\" \
             width=\"100%\" height=\"100%\" fill=\"{SEA}\"/>\n"
        );
        let _ = writeln!(
            text,
            "<text class=\"over\" x=\"20\" y=\"34\" font-size=\"22\" font-weight=\"bold\" \
             fill=\"#22303c\">{name}</text>\n<text class=\"over\" x=\"20\" y=\"54\" \
             font-size=\"13\" fill=\"#5a6a78\">{}</text>",
            xml(&about)
        );
        text.push_str(&body);
        text.push_str("</svg>\n");
        text
    }

    fn bare(&self, held: &Held<'_>) -> String {
        let mut body = String::new();
        self.ground(&mut body, Some(held));
        self.lines(&mut body);
        let numbered = self.names(&mut body, Some(held));
        let (wide, legend) = self.legend(&mut body, &numbered, self.height);
        let width = self.width.max(wide);
        let height = self.height - TITLE + legend;
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
        given.map_or_else(|| colour_of(continent), readable)
    }

    /// The land of each territory, and the walls between those that touch and have no border.
    fn ground(&self, body: &mut String, held: Option<&Held<'_>>) {
        if let Some(coast) = &self.coast {
            coast.water(body);
        }
        for (index, cell) in self.cells.iter().enumerate() {
            let info = self.board.info(Territory::from_index(index));
            let fill = match held {
                None => self.continent_colour(index),
                Some(Held { game, .. }) => game
                    .owner(Territory::from_index(index))
                    .map_or(NOBODY.to_owned(), |player| colour_of(player.index())),
            };
            let id = if held.is_some() {
                format!(" id=\"land-{index}\"")
            } else {
                String::new()
            };
            // In a game the rim tells the continent, where no line between continents does.
            let rim = if held.is_some() && self.coast.is_none() {
                self.continent_colour(index)
            } else {
                "#ffffff".to_owned()
            };
            let look = format!(
                "fill=\"{fill}\" fill-opacity=\"{COVER}\" stroke=\"{rim}\" stroke-width=\"1.5\" \
                 stroke-linejoin=\"round\"><title>{}</title>",
                xml(&escape_control(&info.name))
            );
            let _ = match &self.coast {
                Some(coast) => {
                    let data = coast.path(index);
                    writeln!(
                        body,
                        "<path{id} class=\"land\" d=\"{data}\" fill-rule=\"evenodd\" {look}</path>"
                    )
                }
                None => {
                    let points = cell.points();
                    writeln!(body, "<polygon{id} points=\"{points}\" {look}</polygon>")
                }
            };
        }
        self.walls(body);
    }

    /// How a line between two lands that touch is drawn: colour and width, if it is at all.
    fn wall(&self, from: usize, to: usize) -> Option<(&'static str, f64)> {
        let here = Territory::from_index(from);
        let there = Territory::from_index(to);
        let joined = self.board.borders(here, there) || self.board.borders(there, here);
        let abroad = self.board.info(here).continent != self.board.info(there).continent;
        match (joined, abroad) {
            (false, _) => Some(("#22303c", 5.0)),
            (true, true) => Some(("#22303c", 1.5)),
            (true, false) => None,
        }
    }

    fn walls(&self, body: &mut String) {
        if let Some(coast) = &self.coast {
            for ((from, to), lines) in coast.shores.common() {
                let Some((colour, wide)) = self.wall(from, to) else {
                    continue;
                };
                for line in lines {
                    let points: Vec<String> =
                        line.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
                    let _ = writeln!(
                        body,
                        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" \
                         stroke-width=\"{wide}\" stroke-linecap=\"round\" \
                         stroke-linejoin=\"round\"/>",
                        points.join(" ")
                    );
                }
            }
            return;
        }
        for (from, cell) in self.cells.iter().enumerate() {
            for (to, (x1, y1), (x2, y2)) in cell.sides(&self.cells, from) {
                let Some((colour, wide)) = self.wall(from, to) else {
                    continue;
                };
                let _ = writeln!(
                    body,
                    "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" \
                     stroke=\"{colour}\" stroke-width=\"{wide}\" stroke-linecap=\"round\"/>"
                );
            }
        }
    }

    /// Borders between territories that do not touch, and arrows for those that go one way.
    fn lines(&self, body: &mut String) {
        let class = self.coast.as_ref().map_or("", |_| " class=\"dash\"");
        self.lanes(|from, to| dashed(body, from, to, class));
        for (from, to, one_way) in self.board.edges() {
            if one_way {
                let place = |at: Territory| self.cells[at.index()].place;
                arrow(body, place(from), place(to));
            }
        }
    }

    /// The lines of borders between territories that do not touch.
    fn lanes(&self, mut line: impl FnMut(Point, Point)) {
        if let Some(coast) = &self.coast {
            return coast.lines(self.width, line);
        }
        for (from, to, one_way) in self.board.edges() {
            let from = from.index();
            let to = to.index();
            let a = self.cells[from].place;
            let b = self.cells[to].place;
            if self.cells[from].touches(&self.cells, from, to) && !one_way {
                continue;
            }
            // One that runs across the whole picture goes out at its sides.
            if (a.0 - b.0).abs() > self.width * 0.6 {
                let (left, right) = if a.0 < b.0 { (a, b) } else { (b, a) };
                line(left, (0.0, left.1));
                line((self.width, right.1), right);
            } else {
                line(a, b);
            }
        }
    }

    /// Places and names; the names for which there are numbers, in their order.
    fn names(&self, body: &mut String, held: Option<&Held<'_>>) -> Vec<String> {
        let Some(Held { game, .. }) = held else {
            return self.marked(body, 6.0, |_, (x, y)| {
                format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"#22303c\"/>")
            });
        };
        self.marked(body, 15.0, |at, (x, y)| {
            let armies = game.all_units(at).to_string();
            let radius = bubble(&armies);
            format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#ffffff\" \
                 stroke=\"#22303c\"/><text id=\"armies-{}\" x=\"{x:.1}\" y=\"{:.1}\" \
                 font-size=\"13\" font-weight=\"bold\" text-anchor=\"middle\" \
                 fill=\"#22303c\">{armies}</text>",
                at.index(),
                y + 4.6
            )
        })
    }

    /// A mark at each place, and the names beside them, so far away; the names for which there are
    /// numbers, in their order.
    fn marked(
        &self,
        body: &mut String,
        gap: f64,
        mark: impl Fn(Territory, Point) -> String,
    ) -> Vec<String> {
        let mut texts = Vec::new();
        for at in self.board.territories() {
            let place = self.cells[at.index()].place;
            let _ = writeln!(body, "{}", mark(at, place));
            let name = escape_control(&self.board.info(at).name).into_owned();
            texts.push((place, name));
        }
        let frame = (2.0, TITLE + 2.0, self.width - 2.0, self.height - 2.0);
        labels::place(&texts, gap, frame, body)
    }

    /// The names that are numbers on the map; how much room they take to the right and below.
    fn legend(&self, body: &mut String, names: &[String], top: f64) -> (f64, f64) {
        if names.is_empty() {
            return (0.0, 0.0);
        }
        let entries: Vec<String> = names
            .iter()
            .enumerate()
            .map(|(index, name)| format!("{}  {name}", index + 1))
            .collect();
        let widest = entries
            .iter()
            .map(|text| labels::width(text, 12.0))
            .fold(0.0, f64::max)
            + 24.0;
        let columns = ((self.width - 40.0) / widest).floor().max(1.0) as usize;
        let rows = entries.len().div_ceil(columns);
        for (index, text) in entries.iter().enumerate() {
            let x = 20.0 + (index / rows) as f64 * widest;
            let y = top + 12.0 + (index % rows) as f64 * 18.0;
            let _ = writeln!(
                body,
                "<text class=\"over\" data-number=\"{}\" x=\"{x:.1}\" y=\"{y:.1}\" \
                 font-size=\"12\" fill=\"{INK}\">{}</text>",
                index + 1,
                xml(text)
            );
        }
        (widest + 20.0, rows as f64 * 18.0 + 12.0)
    }

    /// The colours of the key, each with what it stands for: continents, or players.
    fn entries(&self, held: Option<&Held<'_>>) -> Vec<(String, String)> {
        match held {
            None => {
                let continents = self.board.continents().iter().enumerate();
                let entry = |(index, info): (usize, &ContinentInfo)| {
                    let text = format!("{}  +{}", info.name, info.bonus);
                    (self.colour(index), text.replace("+-", "-"))
                };
                continents.map(entry).collect()
            }
            Some(Held { names, game }) => {
                let entry = |player: Player| {
                    let count = counted(game.territory_count(player), "territory");
                    let status = match game.status(player) {
                        Status::Playing => String::new(),
                        status => format!(", {}", status.as_str()),
                    };
                    let text = format!("{}  {count}{status}", names[player.index()]);
                    (colour_of(player.index()), text)
                };
                game.seats().map(entry).collect()
            }
        }
    }

    /// What the colours mean; how much room it takes to the right and below.
    fn key(&self, body: &mut String, held: Option<&Held<'_>>) -> (f64, f64) {
        let entries = self.entries(held);
        let mut bottom: f64 = 10.0;
        let widest = entries
            .iter()
            .map(|(_, text)| labels::width(text, 13.0))
            .fold(0.0, f64::max)
            + 50.0;
        let columns = ((self.width - 40.0) / widest).floor().max(1.0) as usize;
        for (index, (colour, text)) in entries.iter().enumerate() {
            let x = 20.0 + (index % columns) as f64 * widest;
            let y = self.height + (index / columns) as f64 * 24.0;
            bottom = bottom.max(y + 36.0 - self.height);
            let _ = writeln!(
                body,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"16\" height=\"16\" rx=\"3\" \
                 fill=\"{colour}\" fill-opacity=\"{COVER}\" stroke=\"#22303c\" \
                 stroke-width=\"0.5\"/><text class=\"over\" x=\"{:.1}\" y=\"{:.1}\" \
                 font-size=\"13\" fill=\"#22303c\">{}</text>",
                x + 24.0,
                y + 12.5,
                xml(&escape_control(text))
            );
        }
        let y = self.height + bottom;
        let _ = writeln!(
            body,
            "<line x1=\"20\" y1=\"{y:.1}\" x2=\"48\" y2=\"{y:.1}\" stroke=\"{INK}\" \
             stroke-width=\"1.6\" stroke-dasharray=\"6 5\" class=\"dash\"/><text class=\"over\" \
             x=\"54\" y=\"{:.1}\" font-size=\"12\" fill=\"#5a6a78\">a border between lands \
             apart</text><line x1=\"232\" y1=\"{y:.1}\" x2=\"256\" y2=\"{y:.1}\" \
             stroke=\"#22303c\" stroke-width=\"5\" stroke-linecap=\"round\" class=\"dash\"/><text \
             class=\"over\" x=\"264\" y=\"{:.1}\" font-size=\"12\" fill=\"#5a6a78\">no way \
             through</text>",
            y + 4.0,
            y + 4.0
        );
        (widest + 20.0, bottom + 22.0)
    }
}

/// The radius of the circle around a number, in pixels.
fn bubble(number: &str) -> f64 {
    6.0 + 4.2 * number.len() as f64
}

fn dashed(body: &mut String, a: Point, b: Point, class: &str) {
    let _ = writeln!(
        body,
        "<line{class} x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{INK}\" \
         stroke-width=\"1.6\" stroke-dasharray=\"6 5\"/>",
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
