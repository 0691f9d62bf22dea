//! The frames of a game's animation: the board after each turn, or after every n-th turn, and what
//! happened in that turn.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::hints::stack_of;
use super::totals::PlayerTotals;
use crate::counts::turn_of;
use risk_engine::acts::{Act, Acts, Effect, Fight, Move};
use risk_kernel::declare::Declaration;
use risk_kernel::event::{Capture, Event};
use risk_kernel::id::{Player, Territory};
use risk_kernel::state::GameState;
use risk_kernel::{EventFold, Moment, Sink};

const MOST_FRAMES: usize = 500;
/// The maximum number of territory changes, in all frames together.
const MOST_CHANGES: usize = 300_000;

/// The owner of a territory, and its units as a short text.
pub(super) type Garrison = (Option<Player>, String);

/// A sink that keeps the board before the first decision after each turn and at the end. If there
/// are too many turns, it drops every second frame, repeatedly if necessary.
#[derive(Debug)]
pub struct Reel {
    /// The board in the last frame.
    known: Vec<Option<Garrison>>,
    decl: Arc<Declaration>,
    /// The start of a turn without a decision so far.
    begun: Option<FrameTime>,
    /// The last turn with a decision.
    played: FrameTime,
    acts: Acts,
    happened: TurnActs,
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

/// The fights and moves of a turn.
#[derive(Clone, Debug, Default)]
pub(super) struct TurnActs {
    /// Who fought or moved from one territory to another, and whether it was a fight.
    pub(super) strokes: BTreeMap<(Territory, Territory), (Option<Player>, bool)>,
    pub(super) last_fight: Option<Fight>,
}

/// The board at a moment, as changes from the previous frame.
#[derive(Clone, Debug)]
pub struct ReelFrame {
    number: u64,
    pub(super) when: FrameTime,
    /// The changed territories, by index, each at most once.
    pub(super) lands: Vec<(usize, Garrison)>,
    pub(super) players: Vec<PlayerTotals>,
    pub(super) happened: TurnActs,
}

impl Reel {
    /// Creates a reel of a game that begins with this state: an empty board or a position.
    #[must_use]
    pub fn new(game: &GameState) -> Self {
        let begun = FrameTime {
            answers: game.answers(),
            round: game.round(),
            turn: turn_of(game),
        };
        Self {
            known: vec![None; game.board().len()],
            decl: Arc::clone(game.decl()),
            begun: Some(begun),
            played: begun,
            acts: Acts::default(),
            happened: TurnActs::default(),
            frames: Vec::new(),
            every: 1,
            count: 0,
            changes: 0,
        }
    }

    /// Adds a frame of the current state. Returns all frames and the number of turns per frame.
    pub fn finish(&mut self, game: &GameState) -> (&[ReelFrame], u64) {
        let last = self.acts.rest();
        last.into_iter().for_each(|act| self.happened.add(act));
        self.push(game.answers(), &EventFold::new(game));
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

    fn push(&mut self, answers: u64, board: &EventFold) {
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
        let when = FrameTime {
            answers,
            ..self.played
        };
        let frame = ReelFrame {
            number: self.count,
            when,
            lands,
            players: players.collect(),
            happened: std::mem::take(&mut self.happened),
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
            self.changes -= last.lands.len() + last.happened.strokes.len();
            let mut lands: BTreeMap<usize, Garrison> = last.lands.into_iter().collect();
            lands.extend(std::mem::take(&mut frame.lands));
            frame.lands = lands.into_iter().collect();
        }
        self.changes += frame.lands.len() + frame.happened.strokes.len();
        self.frames.push(frame);
    }
}

impl TurnActs {
    fn add(&mut self, act: Act) {
        for effect in act.effects {
            let is_fight = matches!(effect, Effect::Fight(_));
            let (by, from, to) = match effect {
                Effect::Fight(fight) => {
                    let stroke = (fight.by, fight.from, fight.to);
                    match &mut self.last_fight {
                        Some(known) if known.goes_on(&fight) => known.append(fight),
                        last => *last = Some(fight),
                    }
                    stroke
                }
                Effect::Moved(Move {
                    from, to, owner, ..
                }) => (owner, from, to),
                Effect::Event(Event::Captured(Capture { by, from, to, .. })) => {
                    (Some(by), from, to)
                }
                _ => continue,
            };
            self.strokes.entry((from, to)).or_insert((by, false)).1 |= is_fight;
        }
    }
}

impl Sink for Reel {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        self.acts.take(moment, event);
        while let Some(act) = self.acts.next_complete() {
            self.happened.add(act);
        }
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
                    self.push(number - 1, moment.before());
                    self.played = begun;
                }
            }
            _ => {}
        }
    }
}
