//! Randomness: dice, tries, random numbers and random orders, all drawn from the game's streams.

use super::fault;
use crate::event::{Dice, Event};
use crate::fault::RuleResult;
use crate::rng::{GameKey, Purpose, SecretStream};
use crate::state::GameState;
use risk_text::plural::counted;

/// The maximum number of dice in one [`GameState::roll`].
pub const MOST_ROLLED: usize = 100;

impl GameState {
    /// Rolls the attacker's and the defender's dice for a fight, each from 1 to `sides`, and
    /// returns the attacker's dice and the defender's dice. Each throw of up to [`Dice::MOST`] dice
    /// counts as one roll and has its own event. The attacker's dice are thrown first.
    ///
    /// # Errors
    /// Returns an error if there are no dice or more than [`MOST_ROLLED`] in total, or if `sides`
    /// is not from 2 to 100.
    pub fn roll(
        &mut self,
        sides: u32,
        attack: usize,
        defend: usize,
    ) -> RuleResult<(Vec<u8>, Vec<u8>)> {
        if !(2..=100).contains(&sides) {
            return Err(fault(format!(
                "dice must have 2 to 100 sides, found {sides}"
            )));
        }
        if !(1..=MOST_ROLLED).contains(&attack.saturating_add(defend)) {
            let found = match defend {
                0 => attack.to_string(),
                _ => format!("{attack} + {defend}"),
            };
            return Err(fault(format!(
                "expected 1 to {MOST_ROLLED} dice in one roll, found {found}"
            )));
        }
        let mut attacker = Vec::with_capacity(attack);
        let mut defender = Vec::with_capacity(defend);
        while attacker.len() < attack || defender.len() < defend {
            let more_attack = (attack - attacker.len()).min(Dice::MOST);
            let more_defend = (defend - defender.len()).min(Dice::MOST - more_attack);
            let throw = self.draw_throw(sides, more_attack, more_defend);
            let (attack, defend) = Dice::of_throw(throw, sides, more_attack, more_defend);
            attacker.extend_from_slice(attack.values());
            defender.extend_from_slice(defend.values());
        }
        Ok((attacker, defender))
    }

    /// Throws up to [`Dice::MOST`] dice and returns all dice as one number in base `sides`. Each
    /// die is one digit, from 0. The first die is the lowest digit. With a table of outcomes by
    /// this number, the caller need not decode the dice.
    ///
    /// # Errors
    /// Returns an error if there are more than [`Dice::MOST`] dice or if the attacker has no dice.
    #[inline]
    pub fn throw(&mut self, sides: u32, attack: usize, defend: usize) -> RuleResult<u64> {
        if attack + defend > Dice::MOST || attack == 0 {
            return Err(fault(format!("can't roll {attack} + {defend} dice")));
        }
        Ok(self.draw_throw(sides, attack, defend))
    }

    #[inline]
    fn draw_throw(&mut self, sides: u32, attack: usize, defend: usize) -> u64 {
        self.drew = true;
        self.rolls += 1;
        let throw = self
            .dice
            .below(u64::from(sides).pow((attack + defend) as u32));
        self.push_event(|| {
            let (attack, defend) = Dice::of_throw(throw, sides, attack, defend);
            Event::Rolled { attack, defend }
        });
        throw
    }

    /// Tries a chance of exactly `percent` percent `tries` times and returns the number of
    /// successes.
    ///
    /// # Errors
    /// Returns an error if the percentage is not from 0 to 100 or the number of tries is not from 0
    /// to 1,000,000.
    pub fn try_chance(&mut self, tries: i32, percent: i32) -> RuleResult<i32> {
        if !(0..=100).contains(&percent) || !(0..=1_000_000).contains(&tries) {
            return Err(fault(format!(
                "can't try a chance of {percent} percent {}",
                counted(tries, "time")
            )));
        }
        self.drew = true;
        self.rolls += 1;
        let successes = (0..tries)
            .filter(|_| self.dice.below(100) < percent as u64)
            .count() as i32;
        self.push_event(|| Event::Tried {
            tries,
            percent,
            successes,
        });
        Ok(successes)
    }

    /// Returns a random number below `bound` for a deal or a random set-up. This function pushes no
    /// event because the change that uses the number pushes one.
    ///
    /// # Errors
    /// Returns an error if the bound is 0.
    pub fn random(&mut self, bound: u64) -> RuleResult<u64> {
        if bound == 0 {
            return Err(fault("can't draw a random number below 0"));
        }
        self.drew = true;
        Ok(self.setup.below(bound))
    }

    /// Replaces the game's streams (dice, decks, set-up) with the streams of the key.
    pub fn reseed(&mut self, key: GameKey) {
        self.dice = SecretStream::new(key, Purpose::Dice);
        self.decks = SecretStream::new(key, Purpose::Decks);
        self.setup = SecretStream::new(key, Purpose::Setup);
        if self.is_summed {
            self.fingerprint = key.fingerprint();
        }
    }

    /// Shuffles `things` with the stream of [`GameState::random`]. All orders are equally likely.
    pub fn random_order<T>(&mut self, things: &mut [T]) {
        self.drew = true;
        self.setup.shuffle(things);
    }
}
