//! The opponent's visible moves in a round.

use super::moves::Move;
use super::vocabulary::{WarlightVocabulary, name, region};
use risk_kernel::event::{Capture, Event, FightRound};
use risk_kernel::id::Territory;
use risk_kernel::view::View;

/// The opponent's moves that the player has seen since the last report.
#[derive(Clone, Debug, Default)]
pub(super) struct SeenMoves {
    moves: Vec<Move>,
    /// The move being executed. A move that can't be executed is not reported.
    pending: Option<(Territory, Territory)>,
    /// Whether each territory was visible at the beginning of the round. Placements come before all
    /// moves.
    visible: Vec<bool>,
}

impl SeenMoves {
    /// Records an event that is a move or that shows how many armies moved.
    pub(super) fn see(&mut self, vocabulary: &WarlightVocabulary, view: &View, event: &Event) {
        match event {
            Event::Executed { player, .. } if *player == view.me() => self.pending = None,
            Event::Executed { action, .. } => {
                self.pending = None;
                let at = |index: usize| Territory::from_index(action.args()[index] as usize);
                if action.verb == vocabulary.place {
                    if !self.visible.get(at(0).index()).copied().unwrap_or_default() {
                        return;
                    }
                    self.moves
                        .push(Move::Place(at(0), i64::from(action.args()[1])));
                } else if [vocabulary.attack, vocabulary.transfer].contains(&action.verb) {
                    self.pending = Some((at(0), at(1)));
                }
            }
            Event::Moved {
                from, to, count, ..
            } => self.went(*from, *to, *count),
            Event::Fought(FightRound {
                from,
                to,
                attackers,
                ..
            }) => self.went(*from, *to, *attackers),
            // The loser of a territory sees the origin of the attack, even though the other
            // territories are in the fog by then.
            Event::Captured(Capture {
                from,
                to,
                moved,
                loser: Some(loser),
                ..
            }) if *loser == view.me() && !self.has(*from, *to) => {
                self.moves.push(Move::Go(*from, *to, i64::from(*moved)));
            }
            _ => {}
        }
    }

    fn has(&self, from: Territory, to: Territory) -> bool {
        let is_it = |one: &Move| matches!(*one, Move::Go(a, b, _) if (a, b) == (from, to));
        self.moves.iter().any(is_it)
    }

    /// Records how many of the ordered armies moved.
    fn went(&mut self, from: Territory, to: Territory, armies: i32) {
        if self.pending.take_if(|way| *way == (from, to)).is_some() {
            self.moves.push(Move::Go(from, to, i64::from(armies)));
        }
    }

    /// Records which territories are visible at the beginning of a round.
    pub(super) fn look(&mut self, view: &View) {
        let territories = view.board().territories();
        self.visible = territories.map(|at| view.armies(at).is_some()).collect();
    }

    /// Writes the moves and clears the list.
    pub(super) fn line(&mut self, view: &View, lines: &mut String) {
        let other = name(risk_kernel::id::Player(1 - view.me().0));
        *lines += "opponent_moves";
        for one in self.moves.drain(..) {
            *lines += &match one {
                Move::Place(at, armies) => format!(" {other} place_armies {} {armies}", region(at)),
                Move::Go(from, to, armies) => {
                    let from = region(from);
                    let to = region(to);
                    format!(" {other} attack/transfer {from} {to} {armies}")
                }
            };
        }
        lines.push('\n');
    }
}
