//! The frames of a game's animation: the board at the beginning of each turn, or of every n-th
//! turn.

use std::sync::Arc;

use super::hints::stack_of;
use crate::counts::turn_of;
use risk_kernel::declare::Declaration;
use risk_kernel::event::{Event, Status};
use risk_kernel::id::{Player, Territory};
use risk_kernel::state::GameState;
use risk_kernel::{EventFold, Moment, Sink};

const MOST_FRAMES: usize = 500;
/// The maximum number of territory changes, in all frames together.
const MOST_CHANGES: usize = 300_000;

/// The owner of a territory, and its units as a short text.
pub(super) type Garrison = (Option<Player>, String);

/// A sink that keeps the board at the first decision of each turn and at the end. If there are too
/// many turns, it drops every second frame, repeatedly if necessary.
#[derive(Debug)]
pub struct Reel {
    /// The board in the last frame.
    known: Vec<Option<Garrison>>,
    decl: Arc<Declaration>,
    /// The start of a turn without a decision so far.
    begun: Option<FrameTime>,
    frames: Vec<ReelFrame>,
    /// The number of turns per frame. A frame is kept if this divides its number.
    every: u64,
    /// The number of frames, including dropped ones.
    count: u64,
    changes: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FrameTime {
    /// The number of decisions so far.
    pub(super) answers: u64,
    pub(super) round: u32,
    pub(super) turn: Option<u32>,
}

/// The board at a moment, as changes from the previous frame.
#[derive(Clone, Debug)]
pub(super) struct ReelFrame {
    number: u64,
    pub(super) when: FrameTime,
    /// The changed territories, by index, each at most once.
    pub(super) lands: Vec<(usize, Garrison)>,
    pub(super) players: Vec<PlayerTotals>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlayerTotals {
    pub(super) land: usize,
    pub(super) armies: i64,
    pub(super) status: Status,
}

impl Reel {
    /// Creates a reel of a game that begins with this state: an empty board or a position.
    #[must_use]
    pub fn new(game: &GameState) -> Self {
        Self {
            known: vec![None; game.board().len()],
            decl: Arc::clone(game.decl()),
            begun: Some(FrameTime {
                answers: game.answers(),
                round: game.round(),
                turn: turn_of(game),
            }),
            frames: Vec::new(),
            every: 1,
            count: 0,
            changes: 0,
        }
    }

    /// Adds a frame of the current state. Returns all frames and the number of turns per frame.
    pub(super) fn finish(&mut self, game: &GameState) -> (&[ReelFrame], u64) {
        let when = FrameTime {
            answers: game.answers(),
            round: game.round(),
            turn: turn_of(game),
        };
        self.push(when, &EventFold::new(game));
        (&self.frames, self.every)
    }

    /// Drops every second frame. Returns the remaining frames and the number of turns per frame.
    pub(super) fn thin(&mut self) -> (&[ReelFrame], u64) {
        self.every *= 2;
        self.changes = 0;
        for frame in std::mem::take(&mut self.frames) {
            self.keep(frame);
        }
        (&self.frames, self.every)
    }

    fn push(&mut self, when: FrameTime, board: &EventFold) {
        let mut lands = Vec::new();
        for (index, known) in self.known.iter_mut().enumerate() {
            let at = Territory::from_index(index);
            let owner = board.owner(at);
            let units = |unit| board.units(at, unit);
            let now = (owner, stack_of(&self.decl, owner.is_none(), units));
            if known.as_ref() != Some(&now) {
                *known = Some(now.clone());
                lands.push((index, now));
            }
        }
        let players = board.players().map(|player| PlayerTotals {
            land: board.owned(player).count(),
            armies: board.strength(player),
            status: board.status(player),
        });
        let frame = ReelFrame {
            number: self.count,
            when,
            lands,
            players: players.collect(),
        };
        self.count += 1;
        self.keep(frame);
        while self.frames.len() > MOST_FRAMES || (self.changes > MOST_CHANGES && self.has_many()) {
            self.thin();
        }
    }

    /// Reports whether more frames can be dropped.
    pub(super) const fn has_many(&self) -> bool {
        self.frames.len() > 2
    }

    /// Appends a frame. It replaces the last frame if that one has to be dropped.
    fn keep(&mut self, mut frame: ReelFrame) {
        let is_left_out = |last: &mut ReelFrame| !last.number.is_multiple_of(self.every);
        if let Some(last) = self.frames.pop_if(is_left_out) {
            self.changes -= last.lands.len();
            let mut lands: std::collections::BTreeMap<usize, Garrison> =
                last.lands.into_iter().collect();
            lands.extend(std::mem::take(&mut frame.lands));
            frame.lands = lands.into_iter().collect();
        }
        self.changes += frame.lands.len();
        self.frames.push(frame);
    }
}

impl Sink for Reel {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        match event {
            Event::TurnBegan {
                turn,
                round,
                player,
                ..
            } => {
                self.begun = Some(FrameTime {
                    answers: 0,
                    round: *round,
                    turn: player.map(|_| *turn),
                });
            }
            Event::Answered { number, .. } => {
                if let Some(begun) = self.begun.take() {
                    let answers = number - 1;
                    self.push(FrameTime { answers, ..begun }, moment.before());
                }
            }
            _ => {}
        }
    }
}
