//! Marks in the middle of borders that are not open to everybody, or only for attacks.

use std::fmt::Write as _;

use super::Picture;
use super::ink::INK;
use super::layout::Point;
use risk_kernel::state::GameState;

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BorderMark {
    Bombard,
    Condition,
    Closed,
}

impl BorderMark {
    pub(super) const fn meaning(self) -> &'static str {
        match self {
            Self::Bombard => "a border for attacks, not for moves",
            Self::Condition => "a border that is open to holders of something",
            Self::Closed => "a closed border",
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
    /// Returns the marks on borders, each once, with their places. `game` is the game, of which the
    /// picture shows a moment.
    pub(super) fn border_marks(&self, game: Option<&GameState>) -> Vec<(BorderMark, Point)> {
        let mut marks = Vec::new();
        for (from, to, one_way) in self.board.edges() {
            let back = self.board.border(to, from).filter(|_| !one_way);
            let infos = || self.board.border(from, to).into_iter().chain(back);
            let mark = if game.is_some_and(|game| !game.is_open(from, to)) {
                BorderMark::Closed
            } else if infos().any(|info| info.is_bombard) {
                BorderMark::Bombard
            } else if infos().any(|info| info.open_if.is_some()) {
                BorderMark::Condition
            } else {
                continue;
            };
            let middle = self.coast.middle(from.index(), to.index(), self.width);
            marks.push((mark, middle));
        }
        marks
    }
}
