//! What imagined games have shown about kinds of moves, as in the move-average sampling technique
//! (Finnsson and Björnsson 2008, "Simulation-Based Approach to General Game Playing").

use risk_kernel::action::Action;
use risk_kernel::declare::SlotKind;
use risk_kernel::id::{Card, Player, Territory, Unit};
use risk_kernel::rng::mix;
use risk_kernel::view::View;

/// The number of kinds. Kinds with the same hash are counted together.
const KINDS: usize = 1 << 12;
/// The weight of the average result for a kind.
const PRIOR: f64 = 2.0;
/// The part of the experience that remains in the next turn.
const KEPT: f64 = 0.9;

#[derive(Clone, Copy, Default)]
struct Results {
    sum: f64,
    count: f64,
}

/// The results of kinds of moves, compared with the average of their player.
pub(super) struct LearnedMoves {
    kinds: Vec<Results>,
    players: Vec<Results>,
    /// The squared differences from the averages.
    spread: Results,
    /// The moves of the current game, with their players.
    moves: Vec<(Player, u16)>,
}

impl Default for LearnedMoves {
    fn default() -> Self {
        Self {
            kinds: vec![Results::default(); KINDS],
            players: Vec::new(),
            spread: Results::default(),
            moves: Vec::new(),
        }
    }
}

impl LearnedMoves {
    /// Reduces the weight of what is known, because the position has changed.
    pub(super) fn fade(&mut self) {
        for results in &mut self.kinds {
            results.sum *= KEPT;
            results.count *= KEPT;
        }
        self.players.clear();
        self.spread = Results::default();
    }

    /// Reports whether there are results.
    pub(super) fn knows(&self) -> bool {
        self.spread.count > 0.0
    }

    /// Notes a move in the current game.
    pub(super) fn note(&mut self, player: Player, kind: u16) {
        self.moves.push((player, kind));
    }

    /// Forgets the moves of the current game.
    pub(super) fn begin(&mut self) {
        self.moves.clear();
    }

    /// Ends the current game with these results by seat.
    pub(super) fn learn(&mut self, values: &[f64]) {
        self.players.resize(values.len(), Results::default());
        let mut gains = Vec::with_capacity(values.len());
        for (player, &value) in self.players.iter_mut().zip(values) {
            player.sum += value;
            player.count += 1.0;
            let gain = value - player.sum / player.count;
            self.spread.sum += gain * gain;
            self.spread.count += 1.0;
            gains.push(gain);
        }
        for (player, kind) in self.moves.drain(..) {
            let results = &mut self.kinds[usize::from(kind)];
            results.sum += gains[player.index()];
            results.count += 1.0;
        }
    }

    /// Returns the estimated gain by a kind of move, with noise that decreases with experience.
    /// `noise` is from -1 to 1.
    pub(super) fn estimate(&self, kind: u16, noise: f64) -> f64 {
        let Results { sum, count } = self.kinds[usize::from(kind)];
        let spread = (self.spread.sum / self.spread.count.max(1.0)).sqrt();
        let mean = sum / (count + PRIOR);
        mean + noise * 2.0 * spread / (count + 1.0).sqrt()
    }
}

/// Returns the kind of a move: its verb, whose its places are and how strong, and its amounts.
pub(super) fn kind(view: &View, action: &Action) -> u16 {
    let slots = &view.decl().verbs[action.verb.index()].slots;
    let mut sum = action.verb.index() as u64 + 1;
    let mut add = |value: u64| sum = mix(sum ^ value);
    let mut before = None;
    for ((_, slot), &arg) in slots.iter().zip(action.args()) {
        match slot {
            SlotKind::Territory => {
                let at = Territory::from_index(arg as usize);
                add(whose(view, at));
                let units = all_units(view, at);
                match before {
                    Some(other) => add(compared(other, units)),
                    None => {
                        let near = view.bordering_units(at);
                        add(near.map_or(9, |near| compared(units, near)));
                    }
                }
                before = Some(units);
            }
            SlotKind::Player => add(relation(view, Player::from_index(arg as usize))),
            SlotKind::Count => add(size(arg)),
            SlotKind::Card => {
                let card = view
                    .decl()
                    .cards
                    .get(Card::from_index(arg as usize).index());
                add(card.map_or(0, |card| card.kind as u64));
            }
            SlotKind::Unit => add(Unit::from_index(arg as usize).index() as u64),
            SlotKind::Continent => add(0),
        }
    }
    (sum % KINDS as u64) as u16
}

fn whose(view: &View, at: Territory) -> u64 {
    match view.owner(at) {
        Some(owner) if owner == view.me() => 10 + u64::from(view.is_front(at)),
        Some(owner) => relation(view, owner),
        None => 5,
    }
}

fn relation(view: &View, player: Player) -> u64 {
    if player == view.me() {
        0
    } else if view.partners().has(player) {
        1
    } else {
        2
    }
}

fn all_units(view: &View, at: Territory) -> i64 {
    let units = 0..view.decl().units.len();
    units
        .filter_map(|unit| view.units(at, Unit::from_index(unit)))
        .map(i64::from)
        .sum()
}

fn compared(own: i64, other: i64) -> u64 {
    if own > 2 * other {
        3
    } else if own > other {
        2
    } else {
        u64::from(own == other)
    }
}

fn size(amount: i32) -> u64 {
    let log = amount.clamp(0, 31).unsigned_abs().checked_ilog2();
    u64::from(log.map_or(0, |log| log + 1))
}
