//! Fights: consecutive rounds between two territories.

use risk_kernel::event::{Event, FightRound};
use risk_kernel::id::{Player, Territory, Unit};

/// The dice of one roll in a fight, in the order in which they were rolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    /// The attacker's dice.
    pub attack: Vec<u8>,
    /// The defender's dice.
    pub defend: Vec<u8>,
    /// Whether `attack` may be the defender's dice: the ruleset rolled several times for this
    /// round, and did not say for whom.
    pub is_of_either: bool,
}

impl Roll {
    /// Returns the rolls of a round. Separate rolls of both sides become one.
    fn of_round(chances: &[Event]) -> Vec<Self> {
        let rolled = |chance: &Event| match chance {
            Event::Rolled { attack, defend } => Some(Self {
                attack: attack.values().to_vec(),
                defend: defend.values().to_vec(),
                is_of_either: false,
            }),
            _ => None,
        };
        let mut all: Vec<Self> = chances.iter().filter_map(rolled).collect();
        if all.len() > 1 {
            if all.iter().all(|roll| roll.defend.is_empty()) {
                all.iter_mut().for_each(|roll| roll.is_of_either = true);
            } else if all.iter().any(|roll| roll.attack.is_empty()) {
                let later = all.split_off(1);
                for roll in later {
                    all[0].attack.extend(roll.attack);
                    all[0].defend.extend(roll.defend);
                }
            }
        }
        all
    }
}

/// Consecutive rounds of a fight between two territories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fight {
    /// The attacker: the owner of the attacking territory, or else the player who acts.
    pub by: Option<Player>,
    /// The defender; `None` if the territory had no owner.
    pub against: Option<Player>,
    /// The attacking territory.
    pub from: Territory,
    /// The attacked territory.
    pub to: Territory,
    /// The rounds, at least one, each with its dice and tries: [`Event::Rolled`] and
    /// [`Event::Tried`].
    pub rounds: Vec<(FightRound, Vec<Event>)>,
    /// The losses by kind, of the attacker and of the defender, as far as they are known.
    pub losses: [Vec<(Unit, i32)>; 2],
    /// What became of the territory.
    pub result: FightResult,
    /// The number of units that moved in.
    pub moved: i32,
    /// The losses of the last round that no change of units has shown yet.
    pub(super) owed: [i32; 2],
}

/// What became of an attacked territory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FightResult {
    /// The defender held it.
    Held,
    /// The defender lost it, and it has no owner.
    Emptied,
    /// The attacker took it.
    Taken,
}

impl Fight {
    /// Returns the losses of the attacker and of the defender in all rounds.
    #[must_use]
    pub fn lost(&self) -> [i32; 2] {
        let rounds = self.rounds.iter().map(|(round, _)| round);
        rounds.fold([0, 0], |[lost, killed], round| {
            [lost + round.attacker_lost, killed + round.defender_lost]
        })
    }

    /// Returns the rolls of all rounds.
    #[must_use]
    pub fn rolls(&self) -> Vec<Roll> {
        let rounds = self.rounds.iter();
        rounds
            .flat_map(|(_, chances)| Roll::of_round(chances))
            .collect()
    }

    /// Counts a loss of units as one of the announced losses. Returns how many it explains.
    pub(super) fn apply_loss(&mut self, at: Territory, unit: Unit, lost: i32) -> i32 {
        let Some(side) = [self.from, self.to].iter().position(|&it| it == at) else {
            return 0;
        };
        let explained = lost.min(self.owed[side]).max(0);
        if explained > 0 {
            self.owed[side] -= explained;
            self.losses[side].push((unit, explained));
        }
        explained
    }

    /// Notes that a territory changed hands. Returns `false` if that is no result of this fight.
    pub(super) fn apply_owner(&mut self, at: Territory, owner: Option<Player>) -> bool {
        if at != self.to || (owner.is_some() && owner != self.by) {
            return false;
        }
        self.result = match owner {
            Some(_) => FightResult::Taken,
            None => FightResult::Emptied,
        };
        true
    }

    /// Adds the next rounds of the same fight.
    pub fn append(&mut self, later: Self) {
        self.rounds.extend(later.rounds);
        for (side, losses) in self.losses.iter_mut().zip(later.losses) {
            side.extend(losses);
        }
        (self.result, self.moved) = (later.result, self.moved + later.moved);
    }

    /// Reports whether `later` may be the next rounds of this fight.
    #[must_use]
    pub fn goes_on(&self, later: &Self) -> bool {
        self.result != FightResult::Taken
            && (self.by, self.from, self.to) == (later.by, later.from, later.to)
    }
}
