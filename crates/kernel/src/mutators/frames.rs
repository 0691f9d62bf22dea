//! The stack of frames: the open phases and the players who decide in them.

use super::fault;
use crate::fault::RuleResult;
use crate::id::{Phase, Player, PlayerSet};
use crate::state::{Frame, GameState};

/// The maximum number of frames on the stack.
pub const MOST_FRAMES: usize = 1_000;

impl GameState {
    /// Opens a frame for some players, except those who no longer play. The frame is put on top of
    /// the stack when the hook returns. `opened_for` is the player whom the frame is about, if
    /// there is one. `args` are numbers for the frame's rules.
    ///
    /// # Errors
    /// Returns an error if the stack already has [`MOST_FRAMES`] frames.
    pub fn push(
        &mut self,
        phase: Phase,
        players: PlayerSet,
        opened_for: Option<Player>,
        args: [i32; 3],
    ) -> RuleResult {
        if self.stack.len() + self.pending.len() >= MOST_FRAMES {
            return Err(fault(format!(
                "reached the limit of {MOST_FRAMES} open phases: a phase may open itself endlessly"
            )));
        }
        let asks = self.decl.phases[phase.index()].asks;
        let players = if asks {
            players.and(self.playing())
        } else {
            PlayerSet::default()
        };
        self.pending.push(Frame {
            phase,
            players,
            opened_for,
            args,
            entered: false,
        });
        Ok(())
    }

    /// Opens a frame for one player.
    ///
    /// # Errors
    /// Returns an error if the stack is full: see [`GameState::push`].
    pub fn push_for(&mut self, phase: Phase, player: Player, args: [i32; 3]) -> RuleResult {
        self.push(phase, PlayerSet::one(player), Some(player), args)
    }

    /// Removes a player from the frame being decided.
    pub fn leave(&mut self, player: Player) {
        if let Some(frame) = self.stack.last_mut() {
            frame.players = frame.players.without(player);
        }
    }

    /// Moves a game to the middle of a turn: `turn` turns have begun, and the last of these turns
    /// belongs to `player`, who decides in `phase`. Use this for positions outside the loop.
    pub fn resume(&mut self, turn: u32, player: Player, phase: Phase, args: [i32; 3]) {
        self.turn = turn;
        self.round = turn.div_ceil(self.players as u32);
        self.mover = Some(player);
        self.stack = vec![Frame {
            phase,
            players: PlayerSet::one(player),
            opened_for: Some(player),
            args,
            entered: true,
        }];
    }
}
