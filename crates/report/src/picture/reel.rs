//! What a game's animation shows: the board at the beginning of each turn, or of every few.

use risk_kernel::event::{Event, Status};
use risk_kernel::id::{Player, Territory};
use risk_kernel::state::GameState;
use risk_kernel::{EventFold, Sink};

/// The most frames.
const MOST_FRAMES: usize = 500;
/// The most changes of territories that are kept, in all frames together.
const MOST_CHANGES: usize = 300_000;

/// Who holds a territory, and with how many units.
pub(super) type Land = (Option<Player>, i32);

/// Hears a game and keeps the board as it is when the first decision of each turn is asked, and at
/// the end. Where there are too many turns, every second is left out, and so on.
#[derive(Debug)]
pub struct Reel {
    fold: EventFold,
    /// The board in the last frame.
    known: Vec<Land>,
    /// A turn in which nobody has decided yet.
    begun: Option<When>,
    frames: Vec<Frame>,
    /// Each turn with a number that this divides has a frame.
    every: u64,
    /// How many frames there were, those that were left out as well.
    count: u64,
    changes: usize,
}

/// A moment of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct When {
    /// How many decisions were made.
    pub(super) answers: u64,
    pub(super) round: u32,
    pub(super) turn: u32,
}

/// The board at a moment, as what differs from the frame before.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    number: u64,
    pub(super) when: When,
    /// By the territories' indices, each once.
    pub(super) lands: Vec<(usize, Land)>,
    /// What each player has then, by seat.
    pub(super) players: Vec<Standing>,
}

/// What a player has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) land: usize,
    pub(super) armies: i64,
    pub(super) status: Status,
}

impl Reel {
    /// Nothing heard yet of a game that begins like this: on an empty board, or from a position.
    #[must_use]
    pub fn new(game: &GameState) -> Self {
        Self {
            fold: EventFold::from_game(game),
            known: vec![(None, -1); game.board().len()],
            begun: Some(When {
                answers: game.answers(),
                round: game.round(),
                turn: game.turn(),
            }),
            frames: Vec::new(),
            every: 1,
            count: 0,
            changes: 0,
        }
    }

    /// The frames, the last of them how the game stands now, and how many turns each stands for.
    pub(super) fn finish(&mut self, game: &GameState) -> (&[Frame], u64) {
        self.push(When {
            answers: game.answers(),
            round: game.round(),
            turn: game.turn(),
        });
        (&self.frames, self.every)
    }

    /// The frames that are left when every second is left out.
    pub(super) fn thin(&mut self) -> (&[Frame], u64) {
        self.every *= 2;
        self.changes = 0;
        for frame in std::mem::take(&mut self.frames) {
            self.keep(frame);
        }
        (&self.frames, self.every)
    }

    fn push(&mut self, when: When) {
        let mut lands = Vec::new();
        for (index, known) in self.known.iter_mut().enumerate() {
            let at = Territory::from_index(index);
            let now = (self.fold.owner(at), self.fold.armies(at));
            if *known != now {
                *known = now;
                lands.push((index, now));
            }
        }
        let players = self.fold.players().map(|player| Standing {
            land: self.fold.owned(player).count(),
            armies: self.fold.strength(player),
            status: self.fold.status(player),
        });
        let frame = Frame {
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

    /// Are there frames to leave out?
    pub(super) const fn has_many(&self) -> bool {
        self.frames.len() > 2
    }

    /// Puts a frame behind the others, in the place of one that is left out.
    fn keep(&mut self, mut frame: Frame) {
        let is_left_out = |last: &mut Frame| !last.number.is_multiple_of(self.every);
        if let Some(last) = self.frames.pop_if(is_left_out) {
            self.changes -= last.lands.len();
            let mut lands: std::collections::BTreeMap<usize, Land> =
                last.lands.into_iter().collect();
            lands.extend(std::mem::take(&mut frame.lands));
            frame.lands = lands.into_iter().collect();
        }
        self.changes += frame.lands.len();
        self.frames.push(frame);
    }
}

impl Sink for Reel {
    fn event(&mut self, _: &GameState, event: &Event) {
        match event {
            Event::TurnBegan { turn, round, .. } => {
                self.begun = Some(When {
                    answers: 0,
                    round: *round,
                    turn: *turn,
                });
            }
            Event::Answered { number, .. } => {
                if let Some(begun) = self.begun.take() {
                    self.push(When {
                        answers: number - 1,
                        ..begun
                    });
                }
            }
            _ => self.fold.take(event),
        }
    }
}
