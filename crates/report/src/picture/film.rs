//! The frames of an animated picture of a game, each drawn as SVG.

use std::fmt::Write as _;

use super::reel::ReelFrame;
use super::strokes::{dice, result, strokes};
use super::totals::PlayerTotals;
use super::{
    COVER, FONTS, INK, NamedGame, Picture, SEA, Style, Theme, UnplacedTexts, fill_of, is_patterned,
    labels, names_in_pixels, patterns,
};
use crate::counts::moment;
use risk_kernel::event::Dice;
use risk_kernel::id::Territory;
use risk_kernel::state::GameState;
use risk_text::escape_control;
use risk_text::plural::counted;
use risk_text::xml;

/// The maximum width of the map, in pixels.
const WIDEST: u16 = 900;
/// The height of a row of text, in pixels.
const ROW: f64 = 22.0;
/// The length of a bar for a share of 100 %, in pixels.
const BAR: f64 = 80.0;

/// Draws the frames of a game one by one, from the first on.
pub struct Film<'a> {
    picture: Picture<'a>,
    names: Vec<String>,
    title: &'a str,
    /// The ending of the game in words.
    ending: Option<&'a str>,
    /// The last state of the game, but with the owners of the frame.
    board: GameState,
    /// The units of each territory in the frame, as short texts.
    units: Vec<String>,
}

impl<'a> Film<'a> {
    /// Prepares the film of a game with this last state. A map that would be wider than 900 pixels
    /// is drawn with that width.
    #[must_use]
    pub fn new(
        game: &'a GameState,
        names: &[String],
        title: &'a str,
        ending: Option<&'a str>,
    ) -> Self {
        let style = Style {
            theme: Theme::Light,
            pixels: true,
            ..Style::default()
        };
        let mut picture = Picture::new(game.board(), style);
        if picture.width > f64::from(WIDEST) {
            let width = Some(WIDEST);
            picture = Picture::new(game.board(), Style { width, ..style });
        }
        Self {
            picture,
            names: names_in_pixels(names),
            title,
            ending,
            board: game.clone(),
            units: vec![String::new(); game.board().len()],
        }
    }

    /// Draws a frame of `all`, after the frames before it.
    pub fn draw(&mut self, all: &[ReelFrame], index: usize) -> String {
        let frame = &all[index];
        for (at, (owner, units)) in &frame.lands {
            self.units[*at].clone_from(units);
            self.board.set_owner(Territory::from_index(*at), *owner);
        }
        let (picture, decl) = (&self.picture, self.board.decl());
        let held = NamedGame {
            names: &self.names,
            game: &self.board,
        };
        let mut body = patterns((0..self.names.len()).filter(|&seat| is_patterned(seat)));
        picture.ground(&mut body, Some(&held));
        // The film does not follow counters, so it shows all markers.
        picture.markers(&mut body, decl, |_, _| false);
        picture.names_of_markers(&mut body, &held);
        picture.lines(&mut body, Some(&self.board));
        strokes(picture, &mut body, frame, &self.units);
        let unplaced = self.armies(&mut body);
        let (wide, rows) = self.players(&mut body, &frame.players);
        let below = picture.height + rows + 6.0;
        let (legend_wide, legend) = picture.legend(&mut body, &unplaced, below);
        let width = picture.width.max(wide).max(legend_wide);
        let is_last = index + 1 == all.len();
        self.caption(&mut body, frame, self.ending.filter(|_| is_last), width);
        let passed = match is_last {
            true => 1.0,
            false => index as f64 / (all.len() - 1) as f64,
        };
        self.whole(&body, width, below + legend, passed)
    }

    /// Returns the whole picture. The time bar has the length `passed`, from 0 to 1.
    fn whole(&self, body: &str, width: f64, height: f64, passed: f64) -> String {
        let title = escape_control(self.title);
        // The dice are beside the title.
        let room = width - 60.0 - 18.0 * Dice::MOST as f64;
        let heading = xml(&labels::shortened(&title, 22.0, room));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"{FONTS}\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{SEA}\"/>\n\
             <text x=\"20\" y=\"34\" font-size=\"22\" font-weight=\"bold\" \
             fill=\"#22303c\">{heading}</text>\n{body}<rect y=\"{:.0}\" width=\"{:.0}\" \
             height=\"4\" fill=\"{INK}\" fill-opacity=\".4\"/>\n</svg>\n",
            height - 4.0,
            width * passed
        )
    }

    /// Draws each territory's armies and name. Returns the texts without room.
    fn armies(&self, body: &mut String) -> UnplacedTexts {
        let taken = self.picture.middles(self.board.decl());
        self.picture.marked(body, &taken, 15.0, |at, place| {
            let units = &self.units[at.index()];
            if units.is_empty() {
                return (String::new(), 15.0);
            }
            super::plate(at, place, units)
        })
    }

    /// Draws the players with their holdings. Returns the size of the drawing to the right and
    /// below.
    fn players(&self, body: &mut String, holdings: &[PlayerTotals]) -> (f64, f64) {
        let widths = self.names.iter().map(|name| labels::width(name, 13.0));
        let named = 24.0 + widths.fold(0.0, f64::max) + 14.0;
        let wide = named + BAR + 240.0;
        let columns = ((self.picture.width - 40.0) / wide).floor().max(1.0) as usize;
        for (seat, (name, held)) in self.names.iter().zip(holdings).enumerate() {
            let x = 20.0 + (seat % columns) as f64 * wide;
            let y = self.picture.height + (seat / columns) as f64 * (ROW + 2.0);
            let share = held.land as f64 / self.units.len().max(1) as f64 * BAR;
            let (bar, fill) = (x + named, fill_of(seat));
            let _ = writeln!(
                body,
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"16\" height=\"16\" rx=\"3\" \
                 fill=\"{fill}\" fill-opacity=\"{COVER}\" stroke=\"#22303c\" \
                 stroke-width=\"0.5\"/><text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" \
                 fill=\"#22303c\">{}</text><path d=\"M{bar:.1} {:.1}h{share:.1}v10h-{share:.1}z\" \
                 fill=\"{fill}\"/><text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" \
                 fill=\"#22303c\">{}</text>",
                y + 2.0,
                x + 24.0,
                y + 15.0,
                xml(name),
                y + 5.0,
                bar + share + 8.0,
                y + 15.0,
                xml(&escape_control(&held.text(&self.board)))
            );
        }
        let rows = self.names.len().div_ceil(columns) as f64;
        (wide + 20.0, rows * (ROW + 2.0) + 8.0)
    }

    /// Writes the moment of a frame and its last fight, or the end of the game.
    fn caption(&self, body: &mut String, frame: &ReelFrame, ending: Option<&str>, width: f64) {
        let made = counted(frame.when.answers, "decision");
        let now = moment(frame.when.round, frame.when.turn);
        let fight = frame.happened.last_fight.as_ref();
        let text = match (ending, fight) {
            (Some(ending), _) => {
                let rounds = counted(self.board.round(), "round");
                format!("after {rounds}: {ending}")
            }
            (None, Some(fight)) => {
                let (target, result) = (self.picture.name(fight.to), result(fight));
                let text = format!("{now}, after {made}: {target} {result}");
                match labels::width(&text, 13.0) <= width - 40.0 {
                    true => text,
                    false => format!("{now}: {result}"),
                }
            }
            (None, None) => format!("{now}, after {made}"),
        };
        if let Some(fight) = fight {
            dice(body, fight, width - 20.0);
        }
        let _ = writeln!(
            body,
            "<text x=\"20\" y=\"55\" font-size=\"13\" fill=\"#22303c\">{}</text>",
            xml(&escape_control(&text))
        );
    }
}
