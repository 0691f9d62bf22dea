//! Marks: numbers of territories that rules set, such as poison, forts or fields that burn.

use super::declare::MarkDecl;
use super::id::{Mark, Player, Territory};
use super::state::GameState;
use super::view::{View, may_see};

impl MarkDecl {
    /// Checks a value.
    ///
    /// # Errors
    /// Returns a sentence if the value is outside the declared range.
    pub fn check(&self, value: impl Into<i64>) -> Result<(), String> {
        let (least, most) = self.range;
        let value = value.into();
        if (i64::from(least)..=i64::from(most)).contains(&value) {
            return Ok(());
        }
        Err(format!(
            "the mark {} must be {least} to {most}, found {value}",
            self.name
        ))
    }
}

impl GameState {
    /// Returns the value of a mark of a territory.
    #[inline]
    #[must_use]
    pub fn mark(&self, at: Territory, mark: Mark) -> i32 {
        self.marks[at.index() * self.decl.marks.len() + mark.index()]
    }

    /// Reports whether a player sees the value of a mark of a territory.
    #[must_use]
    pub fn sees_mark(&self, player: Player, at: Territory, mark: Mark) -> bool {
        let decl = &self.decl.marks[mark.index()];
        may_see(decl.seen, self.owner(at), player)
            && (!decl.in_sight || self.sees_units(player, at))
    }
}

impl View {
    /// Returns the value of a mark of a territory, or `None` if it is hidden.
    #[must_use]
    pub fn mark(&self, at: Territory, mark: Mark) -> Option<i32> {
        let sees = self.facts.sees_mark(self.me(), at, mark);
        sees.then(|| self.facts.mark(at, mark))
    }

    /// Returns the values of all marks that are not 0 and that the player sees.
    pub fn marks(&self) -> impl Iterator<Item = (Territory, Mark, i32)> + '_ {
        let marks = self.decl().marks.len();
        let all = move |at| (0..marks).map(move |mark| (at, Mark::from_index(mark)));
        let all = self.board().territories().flat_map(all);
        let seen = all.filter_map(|(at, mark)| Some((at, mark, self.mark(at, mark)?)));
        seen.filter(|&(_, _, value)| value != 0)
    }

    /// Returns the values by territory and mark, with 0 for those that are hidden.
    pub(super) fn seen_marks(&self) -> Vec<i32> {
        let marks = self.decl().marks.len();
        let mut all = vec![0; self.board().len() * marks];
        for (at, mark, value) in self.marks() {
            all[at.index() * marks + mark.index()] = value;
        }
        all
    }
}
