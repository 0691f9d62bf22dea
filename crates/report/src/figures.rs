//! Statistics of one game, by player.

use risk_engine::acts::{Act, Acts, Effect, Fight, FightResult};
use risk_kernel::event::{Capture, Event, Status};
use risk_kernel::id::Player;
use risk_kernel::{Moment, Sink};

/// The statistics of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Figure {
    /// The number of territories taken in fights.
    pub captures: u32,
    /// The number of territories lost to others in fights.
    pub territories_lost: u32,
    /// The number of dice rounds as the attacker.
    pub attacks: u32,
    /// The number of armies lost, both as the attacker and as the defender.
    pub armies_lost: i64,
    /// The number of destroyed armies of other players.
    pub armies_killed: i64,
    /// The number of accepted answers.
    pub decisions: u64,
    /// The number of faults, with or without consequences.
    pub faults: u32,
    /// The player-turn in which the player was eliminated, or `None` if that did not happen.
    pub out_in_turn: Option<u32>,
}

/// A sink that collects the statistics of a game.
#[derive(Clone, Debug)]
pub struct Figures {
    players: Vec<Figure>,
    acts: Acts,
}

impl Figures {
    /// Creates the statistics of a game before its first event.
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self {
            players: vec![Figure::default(); players],
            acts: Acts::default(),
        }
    }

    /// Counts the last act, which no later event has ended. Returns the statistics by seat.
    pub fn finish(&mut self) -> &[Figure] {
        let last = self.acts.rest();
        last.into_iter().for_each(|act| self.count(&act));
        &self.players
    }

    fn count(&mut self, act: &Act) {
        for effect in &act.effects {
            match effect {
                Effect::Fight(fight) => self.fought(fight),
                Effect::Event(Event::Captured(Capture { by, loser, .. })) => {
                    self.captured(*by, *loser);
                }
                _ => {}
            }
        }
    }

    fn fought(&mut self, fight: &Fight) {
        let [lost, killed] = fight.lost().map(i64::from);
        let sides = [(fight.by, lost, killed), (fight.against, killed, lost)];
        for (player, lost, killed) in sides {
            if let Some(player) = player {
                let figure = &mut self.players[player.index()];
                figure.armies_lost += lost;
                figure.armies_killed += killed;
            }
        }
        if let Some(by) = fight.by {
            self.players[by.index()].attacks += fight.rounds.len() as u32;
            if fight.result == FightResult::Taken {
                self.captured(by, fight.against);
            }
        }
    }

    fn captured(&mut self, by: Player, loser: Option<Player>) {
        self.players[by.index()].captures += 1;
        if let Some(loser) = loser {
            self.players[loser.index()].territories_lost += 1;
        }
    }
}

impl Sink for Figures {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        match event {
            Event::Status {
                player,
                now: Status::Eliminated,
            } => self.players[player.index()].out_in_turn = Some(game.turn()),
            Event::Faulted { player, .. } => self.players[player.index()].faults += 1,
            Event::Answered { player, .. } => self.players[player.index()].decisions += 1,
            _ => {}
        }
        // Other events have no part in fights, and there are many in each game.
        if !matches!(
            event,
            Event::Answered { .. }
                | Event::Executed { .. }
                | Event::Fought(_)
                | Event::Captured(_)
                | Event::Owner { .. }
        ) {
            return;
        }
        self.acts.take(game, event);
        while let Some(act) = self.acts.next_complete() {
            self.count(&act);
        }
    }
}
