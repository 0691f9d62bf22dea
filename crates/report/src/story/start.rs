//! The beginning of a story in the middle of a game. Events arrive after the state has changed, so
//! the board before them is found by undoing those that arrive with the first state.

use std::io::Write;

use super::Story;
use risk_kernel::EventFold;
use risk_kernel::event::{Capture, Event, Status};
use risk_kernel::state::GameState;

/// The first events of a game that goes on from a position.
#[derive(Debug)]
pub(super) struct Start {
    digest: u64,
    round: u32,
    /// The board after these events.
    fold: EventFold,
    events: Vec<Event>,
}

impl Start {
    /// Begins with the first event. Returns `None` for a new game, which begins with its set-up.
    pub(super) fn new(game: &GameState, first: &Event) -> Option<Self> {
        let goes_on = matches!(first, Event::Answered { .. } | Event::Faulted { .. });
        goes_on.then(|| Self {
            digest: game.digest(),
            round: game.round(),
            fold: EventFold::from_game(game),
            events: Vec::new(),
        })
    }

    /// Returns the round before the events. The turn of a later seat goes on with a round that has
    /// begun, so that its heading is not repeated.
    fn round(&self) -> u32 {
        let actor = self.events.iter().find_map(|event| match event {
            Event::Answered { player, .. } | Event::Faulted { player, .. } => Some(*player),
            _ => None,
        });
        let began = self.events.iter().find_map(|event| match event {
            Event::TurnBegan { round, player, .. } => {
                let goes_on = player.is_some() && *player > actor;
                Some(if goes_on {
                    *round
                } else {
                    round.saturating_sub(1)
                })
            }
            _ => None,
        });
        began.unwrap_or(self.round)
    }
}

impl<W: Write> Story<W> {
    /// Keeps an event of the first state. Returns false if the event is to be reported now.
    pub(super) fn keeps(&mut self, game: &GameState, event: &Event) -> bool {
        match &mut self.start {
            Some(start) if start.digest == game.digest() => {
                start.events.push(event.clone());
                true
            }
            _ => {
                self.go_on(game);
                false
            }
        }
    }

    /// Reports the stored events.
    pub(super) fn go_on(&mut self, game: &GameState) {
        let Some(mut start) = self.start.take() else {
            return;
        };
        for event in start.events.iter().rev() {
            for undone in undone(event) {
                start.fold.take(&undone);
            }
        }
        self.is_late = true;
        self.round = start.round();
        self.fold = Some(start.fold);
        for event in start.events {
            self.take(game, &event);
        }
    }
}

/// Returns events that undo what an event did to the board.
fn undone(event: &Event) -> Vec<Event> {
    match *event {
        Event::Owner { at, from, to } => vec![Event::Owner {
            at,
            from: to,
            to: from,
        }],
        Event::Units { at, unit, by, now } => vec![Event::Units {
            at,
            unit,
            by: -by,
            now: now - by,
        }],
        Event::Moved {
            from,
            to,
            unit,
            count,
        } => vec![Event::Moved {
            from: to,
            to: from,
            unit,
            count,
        }],
        Event::Captured(capture) => undone_capture(capture),
        Event::Card {
            card,
            from,
            to,
            under,
        } => vec![Event::Card {
            card,
            from: to,
            to: from,
            under,
        }],
        Event::Status { player, .. } => vec![Event::Status {
            player,
            now: Status::Playing,
        }],
        _ => Vec::new(),
    }
}

/// Returns events that undo a capture.
fn undone_capture(capture: Capture) -> Vec<Event> {
    let Capture {
        from,
        to,
        by,
        loser,
        unit,
        killed,
        moved,
    } = capture;
    vec![
        Event::Moved {
            from: to,
            to: from,
            unit,
            count: moved,
        },
        Event::Units {
            at: to,
            unit,
            by: killed,
            now: killed,
        },
        Event::Owner {
            at: to,
            from: Some(by),
            to: loser,
        },
    ]
}
