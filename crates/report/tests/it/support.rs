//! A referee for the invented ruleset of moves and supports: equal strengths stop each other, which
//! the story of the game says.

use risk_engine::Worker;
use risk_kernel::action::Action;
use risk_kernel::event::Event;
use risk_kernel::id::Player;
use risk_kernel::state::GameState;
use risk_kernel::{Moment, Sink};

use crate::numbers::invented_setup;

/// The orders of a round in their order, and the moves that succeeded, as pairs of territories.
#[derive(Default)]
struct Referee {
    orders: Vec<(Player, Action)>,
    moved: Vec<(i32, i32)>,
    /// The numbers of contested territories that were taken, and of moves that stopped each other.
    taken: usize,
    stopped: usize,
}

impl Sink for Referee {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let game: &GameState = &moment;
        match event {
            Event::Executed { player, action } => self.orders.push((*player, *action)),
            Event::Moved { from, to, .. } => self.moved.push((from.number(), to.number())),
            Event::TurnBegan { .. } => self.check(game),
            _ => {}
        }
    }
}

impl Referee {
    /// Checks a round: who enters a contested territory has more support than any other has.
    fn check(&mut self, game: &GameState) {
        let orders = std::mem::take(&mut self.orders);
        let moved = std::mem::take(&mut self.moved);
        let name = |action: &Action| game.decl().verbs[action.verb.index()].name.as_str();
        let moves: Vec<(i32, i32)> = orders
            .iter()
            .filter(|(_, order)| name(order) == "move")
            .map(|(_, order)| (order.args()[0], order.args()[1]))
            .collect();
        // All supports of a move, even those that count for nothing.
        let supports = |it: (i32, i32)| {
            let all = orders.iter().filter(|(_, order)| {
                name(order) == "support" && (order.args()[1], order.args()[2]) == it
            });
            all.count()
        };
        for &it in &moves {
            let rivals = moves
                .iter()
                .filter(|other| **other != it && other.1 == it.1);
            if rivals.count() == 0 {
                continue;
            }
            let entered = moved.iter().filter(|other| other.1 == it.1).count();
            assert!(
                entered <= 1,
                "{entered} armies entered {}: {orders:?}",
                it.1
            );
            if moved.contains(&it) {
                assert!(supports(it) > 0, "{it:?} has no support: {orders:?}");
                self.taken += 1;
            } else {
                self.stopped += 1;
            }
        }
    }
}

#[test]
fn equal_strengths_stop_each_other() {
    let mut referee = Referee::default();
    for seed in 1..=6 {
        let setup = invented_setup("support", seed);
        let played = Worker::new(&setup).unwrap().play(0, &mut referee);
        played.outcome.unwrap();
    }
    let Referee { taken, stopped, .. } = referee;
    assert!(
        taken > 20 && stopped > 200,
        "{taken} taken, {stopped} stopped"
    );
}
