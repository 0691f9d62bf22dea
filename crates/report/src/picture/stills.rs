//! The frames of an animation as pictures without motion.

use super::NamedGame;
use super::animation::AnimationSource;
use super::reel::{Garrison, ReelFrame};
use risk_kernel::id::Territory;
use risk_kernel::state::GameState;

/// Draws the frames of an animation one by one, from the first on.
pub(super) struct Stills<'a> {
    film: AnimationSource<'a>,
    /// The last state, but with the owners of the frame.
    board: GameState,
    lands: Vec<Garrison>,
}

impl<'a> Stills<'a> {
    pub(super) fn new(film: AnimationSource<'a>) -> Self {
        Self {
            film,
            board: film.held.game.clone(),
            lands: vec![(None, String::new()); film.held.game.board().len()],
        }
    }

    /// Draws the next of `all` frames as SVG.
    pub(super) fn draw(&mut self, all: &[ReelFrame], index: usize) -> String {
        let frame = &all[index];
        for (at, land) in &frame.lands {
            self.lands[*at].clone_from(land);
            self.board.set_owner(Territory::from_index(*at), land.0);
        }
        let last = all.len() - 1;
        let film = AnimationSource {
            held: NamedGame {
                game: &self.board,
                ..self.film.held
            },
            ending: self.film.ending.filter(|_| index == last),
            ..self.film
        };
        let mut whole = frame.clone();
        whole.lands = self.lands.iter().cloned().enumerate().collect();
        let passed = index as f64 / last.max(1) as f64;
        film.still(&whole, if last == 0 { 1.0 } else { passed })
    }
}
