//! Statistics of one game, by player.

use risk_kernel::event::{Capture, Event, FightRound, Status};
use risk_kernel::id::{Player, Territory};
use risk_kernel::{Moment, Sink};

/// The statistics of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// The statistics by seat.
    pub players: Vec<Figure>,
    attacker: Option<Player>,
    /// The last fight since the last answer.
    fight: Option<LastFight>,
}

#[derive(Clone, Copy, Debug)]
struct LastFight {
    attacker: Player,
    target: Territory,
    /// The owner of the target before the fight.
    defender: Option<Player>,
}

impl Figures {
    /// Creates the statistics of a game before its first event.
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self {
            players: vec![Figure::default(); players],
            attacker: None,
            fight: None,
        }
    }

    fn count_capture(&mut self, by: Player, loser: Option<Player>) {
        self.figure_of(by).captures += 1;
        if let Some(loser) = loser {
            self.figure_of(loser).territories_lost += 1;
        }
        self.fight = None;
    }

    fn figure_of(&mut self, player: Player) -> &mut Figure {
        &mut self.players[player.index()]
    }
}

impl Sink for Figures {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        match event {
            Event::Answered { player, .. } => {
                self.figure_of(*player).decisions += 1;
                self.attacker = Some(*player);
                self.fight = None;
            }
            Event::Faulted { player, .. } => self.figure_of(*player).faults += 1,
            Event::Fought(FightRound {
                from,
                to,
                attacker_lost,
                defender_lost,
                ..
            }) => {
                let attacker = game.before().owner(*from).or(self.attacker);
                self.fight = attacker.map(|attacker| LastFight {
                    attacker,
                    target: *to,
                    defender: game.before().owner(*to),
                });
                if let Some(attacker) = attacker {
                    let figure = self.figure_of(attacker);
                    figure.attacks += 1;
                    figure.armies_lost += i64::from(*attacker_lost);
                    figure.armies_killed += i64::from(*defender_lost);
                }
                if let Some(defender) = game.before().owner(*to) {
                    let figure = self.figure_of(defender);
                    figure.armies_lost += i64::from(*defender_lost);
                    figure.armies_killed += i64::from(*attacker_lost);
                }
            }
            Event::Captured(Capture { by, loser, .. }) => {
                self.count_capture(*by, *loser);
            }
            // A script may give the target of a fight to the attacker.
            Event::Owner {
                at, to: Some(to), ..
            } => {
                let fight = self
                    .fight
                    .filter(|it| it.target == *at && it.attacker == *to);
                if let Some(fight) = fight {
                    self.count_capture(*to, fight.defender);
                }
            }
            Event::Status {
                player,
                now: Status::Eliminated,
            } => self.figure_of(*player).out_in_turn = Some(game.turn()),
            _ => {}
        }
    }
}
