//! The work that a search may do in a turn, and how it is divided among the searches of the turn.

use risk_kernel::view::View;

/// The expected number of searches in a turn, before there is experience.
const EXPECTED: u64 = 3;
/// The least number of imagined games for which a search is worthwhile.
const LEAST_GAMES: u64 = 10;
/// The number of answers after which a turn that goes on counts as a new one. Some rulesets have no
/// turns.
const MOST_ANSWERS: u64 = 200;

/// The work in a turn, in operations of scripts.
pub(super) struct TurnWork {
    in_turn: u64,
    /// The turn and the round that `left` belongs to.
    turn: (u32, u32),
    /// The number of answers at the beginning of the turn.
    since: u64,
    left: u64,
    /// The number of searches that this turn has needed so far.
    searches: u64,
    /// The average number of searches in recent turns.
    usual: u64,
    /// The work of one imagined round; 0 if it is not known.
    cost: u64,
}

impl TurnWork {
    pub(super) const fn new(in_turn: u64) -> Self {
        Self {
            in_turn,
            turn: (0, 0),
            since: 0,
            left: in_turn,
            searches: 0,
            usual: EXPECTED,
            cost: 0,
        }
    }

    /// Returns the work for a game that begins.
    pub(super) const fn begin(&self) -> Self {
        Self::new(self.in_turn)
    }

    /// Begins a new turn if there is one. Reports whether there is.
    pub(super) fn renew(&mut self, view: &View) -> bool {
        let turn = (view.turn(), view.round());
        let answers = view.answers();
        if turn == self.turn && answers < self.since + MOST_ANSWERS {
            return false;
        }
        self.turn = turn;
        self.since = answers;
        self.left = self.in_turn;
        self.usual = u64::midpoint(self.usual, self.searches).max(1);
        self.searches = 0;
        true
    }

    /// Returns the work for the next search of the turn; `None` if too little is left. The first
    /// search of a turn always gets some.
    pub(super) fn for_search(&mut self) -> Option<u64> {
        let expected = self.usual.saturating_sub(self.searches).max(1);
        self.searches += 1;
        let least = self.cost * LEAST_GAMES;
        let is_enough = self.left >= least || self.searches == 1;
        is_enough.then(|| (self.left / expected).max(least).min(self.left))
    }

    /// Subtracts the work of a search. `cost` is the work of one imagined round.
    pub(super) const fn subtract(&mut self, work: u64, cost: u64) {
        self.left = self.left.saturating_sub(work);
        self.cost = cost;
    }

    pub(super) const fn cost(&self) -> u64 {
        self.cost
    }
}
