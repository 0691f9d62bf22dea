//! Marks in the middle of borders that are not open to everybody, or only for attacks, marks of
//! what changes dice, and the marks that rules set.

use std::fmt::Write as _;

use super::ink::INK;
use super::labels::Area;
use super::layout::Point;
use super::{Picture, labels};
use risk_kernel::id::Territory;
use risk_kernel::state::GameState;
use risk_kernel::words::Words;
use risk_text::xml;

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MapMark {
    Bombard,
    Condition,
    Closed,
    /// A border that changes the dice.
    River,
    /// A territory that changes the dice of attacks on it.
    Height,
}

impl MapMark {
    pub(super) const fn meaning(self) -> &'static str {
        match self {
            Self::Bombard => "a border for attacks, not for moves",
            Self::Condition => "a border that is open to holders of something",
            Self::Closed => "a closed border",
            Self::River => "a border with a strength, which may change dice",
            Self::Height => "a territory with a strength, which may change dice",
        }
    }

    pub(super) fn draw(self, body: &mut String, middle: Point) {
        let (x, y) = middle;
        let _ = match self {
            Self::Bombard => writeln!(
                body,
                "<path d=\"M{:.1} {y:.1}h14M{x:.1} {:.1}v14\" stroke=\"{INK}\" stroke-width=\"2\"/>\
                 <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"#ffffff\" stroke=\"{INK}\" \
                 stroke-width=\"2\"/>",
                x - 7.0,
                y - 7.0
            ),
            Self::Condition => writeln!(
                body,
                "<path d=\"M{:.1} {:.1}v-3a4 4 0 0 1 8 0v3\" fill=\"none\" stroke=\"{INK}\" \
                 stroke-width=\"2\"/><rect x=\"{:.1}\" y=\"{:.1}\" width=\"12\" height=\"8\" \
                 rx=\"1.5\" fill=\"#ffffff\" stroke=\"{INK}\" stroke-width=\"2\"/>",
                x - 4.0,
                y - 1.0,
                x - 6.0,
                y - 1.0
            ),
            Self::River => writeln!(
                body,
                "<path d=\"M{:.1} {y:.1}q4 -7 8 0t8 0\" fill=\"none\" stroke=\"#ffffff\" \
                 stroke-width=\"6\"/><path d=\"M{:.1} {y:.1}q4 -7 8 0t8 0\" fill=\"none\" \
                 stroke=\"#1f5f8b\" stroke-width=\"3\"/>",
                x - 8.0,
                x - 8.0
            ),
            Self::Height => writeln!(
                body,
                "<path d=\"M{:.1} {:.1}l7 -12l7 12z\" fill=\"#ffffff\" stroke=\"{INK}\" \
                 stroke-width=\"2\" stroke-linejoin=\"round\"/>",
                x - 7.0,
                y + 6.0
            ),
            Self::Closed => writeln!(
                body,
                "<path d=\"M{:.1} {:.1}l12 12m0 -12l-12 12\" stroke=\"#ffffff\" \
                 stroke-width=\"6\"/><path d=\"M{:.1} {:.1}l12 12m0 -12l-12 12\" \
                 stroke=\"#b3261e\" stroke-width=\"3\"/>",
                x - 6.0,
                y - 6.0,
                x - 6.0,
                y - 6.0
            ),
        };
    }
}

impl Picture<'_> {
    /// Writes the marks that rules set, below the numbers of armies. Returns the areas of the
    /// texts.
    pub(super) fn state_marks(&self, body: &mut String, game: &GameState) -> Vec<Area> {
        let words = Words::new(self.board, game.decl());
        let mut areas = Vec::new();
        for at in self.board.territories() {
            let (x, y) = self.coast.places[at.index()];
            for (text, row) in std::iter::zip(words.marks(|mark| Some(game.mark(at, mark))), 0..) {
                let (half, top) = (
                    labels::width(&text, 11.0) / 2.0,
                    y + 10.0 + 13.0 * f64::from(row),
                );
                areas.push((x - half, top, x + half, top + 13.0));
                let _ = writeln!(
                    body,
                    "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"middle\" \
                     fill=\"{INK}\" stroke=\"#ffffff\" stroke-width=\"3\" \
                     paint-order=\"stroke\">{}</text>",
                    top + 10.0,
                    xml(&text)
                );
            }
        }
        areas
    }

    /// Returns the marks on borders and territories, each once, with their places. `game` is the
    /// game, of which the picture shows a moment.
    pub(super) fn map_marks(&self, game: Option<&GameState>) -> Vec<(MapMark, Point)> {
        let mut marks = Vec::new();
        for (from, to, one_way) in self.board.edges() {
            let back = self.board.border(to, from).filter(|_| !one_way);
            let infos = || self.board.border(from, to).into_iter().chain(back);
            let mark = if game.is_some_and(|game| !game.is_open(from, to)) {
                MapMark::Closed
            } else if infos().any(|info| info.is_bombard) {
                MapMark::Bombard
            } else if infos().any(|info| info.open_if.is_some()) {
                MapMark::Condition
            } else if infos().any(|info| info.strength > 0) {
                MapMark::River
            } else {
                continue;
            };
            let middle = self.coast.middle(from.index(), to.index(), self.width);
            marks.push((mark, middle));
        }
        let is_strong = |at: Territory| {
            let mut around = self.board.groups_around(at).iter();
            let of_group = around.any(|&group| self.board.group(group).strength > 0);
            self.board.info(at).strength > 0 || of_group
        };
        let strong = self.board.territories().filter(|&at| is_strong(at));
        marks.extend(strong.map(|at| {
            let (x, y) = self.coast.places[at.index()];
            // The number of armies is below it.
            (MapMark::Height, (x, y - 18.0))
        }));
        marks
    }
}
