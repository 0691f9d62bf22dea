//! A second implementation of Star Wars Risk, in Rust: a referee that follows the events of a game
//! and works out the result of every roll. It knows nothing of the ruleset's script.

use std::collections::BTreeMap;

use risk_kernel::event::{Event, FightRound};
use risk_kernel::id::{Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::{Moment, Sink};

const KINDS: [&str; 6] = ["xwing", "ywing", "bwing", "falcon", "tie", "executor"];
/// The least die that hits each kind.
const NEEDS: [u8; 6] = [3, 4, 5, 5, 3, 5];
/// The order in which dice take what they can hurt.
const ORDER: [usize; 6] = [0, 4, 1, 2, 3, 5];
/// The least die for each space of the shield track.
pub(crate) const TRACK: [u8; 28] = [
    2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5,
];

type Ships = [i32; 6];

/// Assigns dice in ascending order, each to the first kind in [`ORDER`] that it can hurt and that
/// is left.
fn assign(mut ships: Ships, dice: &[u8]) -> Ships {
    let mut dice = dice.to_vec();
    dice.sort_unstable();
    for die in dice {
        if let Some(&kind) = ORDER
            .iter()
            .find(|&&kind| die >= NEEDS[kind] && ships[kind] > 0)
        {
            ships[kind] -= 1;
        }
    }
    ships
}

/// Returns how many spaces the dice buy, with the smallest sufficient die for each next space.
pub(crate) fn steps(at: usize, troopers: usize, dice: &[u8]) -> usize {
    let mut dice = dice.to_vec();
    dice.sort_unstable();
    let mut steps = 0;
    while at + steps < TRACK.len() {
        let need = TRACK[at + steps] + u8::from(steps < troopers);
        let Some(which) = dice.iter().position(|&die| die >= need) else {
            break;
        };
        dice.remove(which);
        steps += 1;
    }
    steps
}

/// Results of the rolls of some games, for statistics.
#[derive(Default)]
pub(crate) struct Counts {
    /// Shots of the Death Star, and hits.
    pub(crate) shots: (u32, u32),
    /// Attacks on the Death Star by dice, and those with a six.
    pub(crate) storms: BTreeMap<usize, (u32, u32)>,
    /// Lightsaber actions, and hits.
    pub(crate) sabers: (u32, u32),
    /// Attacks, shield runs, spawned groups, stormtrooper actions, hats.
    pub(crate) others: BTreeMap<&'static str, u32>,
}

#[derive(Default)]
pub(crate) struct Referee {
    pub(crate) counts: Counts,
    ships: BTreeMap<Territory, Ships>,
    counters: BTreeMap<String, i64>,
    verb: String,
    args: Vec<i32>,
    /// Kind and number of the ships that may attack now.
    moved: (usize, i32),
    attacked: Option<(Territory, Ships, Ships)>,
    expected: BTreeMap<String, i64>,
    bonus: i64,
    drawn: i64,
    ends: bool,
    turns: Vec<usize>,
}

impl Referee {
    fn counter(&self, name: &str) -> i64 {
        self.counters.get(name).copied().unwrap_or(0)
    }

    fn answered(&mut self, verb: &str, args: &[i32]) {
        if verb == "hit" {
            return;
        }
        self.settled();
        (self.verb, self.args) = (verb.to_owned(), args.to_vec());
        match verb {
            "move" => {
                self.moved = (args[2] as usize, args[3]);
                assert!(args[1] > 5, "a mothership was entered");
            }
            "spawn" => self.moved = (4, 4),
            "stormtroopers" => {
                let there = self.counter("troopers");
                let more = 3.min(9 - there).min(28 - self.counter("track") - there);
                assert!(more > 0);
                self.expected.insert("troopers".to_owned(), there + more);
            }
            "lightning" => self.wound(0, 2, 4),
            "hat" => {
                assert!((1..=3).contains(&self.counter("health 1")));
                self.wound(1, 3, 5);
            }
            _ => {}
        }
        for name in ["spawn", "stormtroopers", "hat", "shield", "attack"] {
            if name == verb {
                *self.counts.others.entry(name).or_default() += 1;
            }
        }
    }

    fn wound(&mut self, foe: usize, hits: i64, bonus: i64) {
        let left = (self.counter(&format!("health {foe}")) - hits).max(0);
        self.expected.insert(format!("health {foe}"), left);
        if left == 0 {
            self.bonus += bonus;
        }
    }

    fn rolled(&mut self, game: &GameState, dice: &[u8]) {
        match self.verb.as_str() {
            "attack" => {
                let count = match KINDS[self.moved.0] {
                    "falcon" => 2,
                    "executor" => 4,
                    _ => self.moved.1.min(5),
                };
                assert_eq!(dice.len() as i32, count);
                let target = Territory(self.args[1] as u16);
                let before = self.ships[&target];
                self.attacked = Some((target, before, assign(before, dice)));
            }
            "shield" => {
                let at = self.counter("track");
                let troopers = self.counter("troopers");
                let steps = steps(at as usize, troopers as usize, dice) as i64;
                self.expected.insert("track".to_owned(), at + steps);
                self.expected
                    .insert("troopers".to_owned(), (troopers - steps).max(0));
            }
            "lightsaber" => {
                let hits = dice.iter().filter(|&&die| die >= 4).count();
                self.counts.sabers.0 += 1;
                self.counts.sabers.1 += hits as u32;
                let me = game.mover().unwrap().index();
                self.wound(1 - me, hits as i64, if me == 1 { 4 } else { 3 });
            }
            "fire_deathstar" => {
                let target = Territory(self.args[0] as u16);
                let hit = dice.iter().any(|&die| die >= 5);
                self.counts.shots.0 += 1;
                self.counts.shots.1 += u32::from(hit);
                let before = self.ships.get(&target).copied().unwrap_or_default();
                assert!(target.0 > 5 || self.counter("destroyed") >> target.0 & 1 == 0);
                assert!(
                    target.0 <= 5
                        || (self.counter("destroyed") == 63 && before.iter().sum::<i32>() > 0)
                );
                self.attacked = Some((target, before, if hit { [0; 6] } else { before }));
                if hit && target.0 <= 5 {
                    self.expected.insert(
                        "destroyed".to_owned(),
                        self.counter("destroyed") | 1 << target.0,
                    );
                } else if hit {
                    self.bonus += if before[3] > 0 { 3 } else { 1 };
                }
            }
            "attack_deathstar" => {
                let entry = self.counts.storms.entry(dice.len()).or_default();
                entry.0 += 1;
                self.ends = dice.contains(&6);
                entry.1 += u32::from(self.ends);
                assert!((22..=27).contains(&self.args[0]) && self.counter("track") == 28);
            }
            other => panic!("dice for {other}"),
        }
    }

    fn fought(&mut self, killed: i32) {
        let (target, before, after) = self.attacked.unwrap();
        assert_eq!(
            killed,
            before.iter().sum::<i32>() - after.iter().sum::<i32>()
        );
        assert_eq!(self.ships[&target], after, "{before:?}");
        self.bonus += if after.iter().sum::<i32>() == 0 { 1 } else { 0 };
        self.bonus += if before[3] > 0 && after[3] == 0 { 2 } else { 0 };
    }

    /// Checks that everything expected of the last answer has happened.
    fn settled(&mut self) {
        if let Some((target, _, after)) = self.attacked.take() {
            assert_eq!(
                self.ships.get(&target).copied().unwrap_or_default(),
                after,
                "{}",
                self.verb
            );
        }
        for (name, value) in std::mem::take(&mut self.expected) {
            assert_eq!(self.counter(&name), value, "{name} after {}", self.verb);
        }
        assert_eq!(self.bonus, self.drawn, "bonus cards after {}", self.verb);
        (self.bonus, self.drawn) = (0, 0);
    }

    /// Checks that the rebels turn first, then both in turn as long as both have cards.
    fn turn(&mut self, game: &GameState, seat: usize) {
        let stack = game.decl().pile("stack").unwrap();
        if let Some(&last) = self.turns.last() {
            let other = game.seats().nth(1 - last).unwrap();
            assert!(
                seat != last || game.pile(stack, Some(other)).is_empty(),
                "player {last} turned twice"
            );
        } else {
            assert!(seat == 0 || game.pile(stack, game.seats().next()).is_empty());
        }
        self.turns.push(seat);
    }
}

impl Sink for Referee {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let game: &GameState = &moment;
        let decl = game.decl();
        match event {
            Event::TurnBegan { player: None, .. } => self.turns.clear(),
            Event::TurnBegan {
                player: Some(who), ..
            } => {
                self.settled();
                self.turn(game, who.index());
            }
            Event::Answered { action, .. } => {
                self.answered(&decl.verbs[action.verb.index()].name, action.args());
            }
            Event::Rolled { attack, .. } => self.rolled(game, attack.values()),
            Event::Fought(FightRound { defender_lost, .. }) => self.fought(*defender_lost),
            Event::Units { at, unit, by, .. } => {
                if *by > 0 && game.turn() > 0 {
                    assert_eq!((KINDS[unit.index()], *by), ("tie", 4));
                    assert!(self.ships.values().map(|ships| ships[4]).sum::<i32>() <= 52);
                }
                self.ships.entry(*at).or_default()[unit.index()] += by;
            }
            Event::Moved {
                from,
                to,
                unit,
                count,
            } => {
                self.ships.entry(*from).or_default()[unit.index()] -= count;
                self.ships.entry(*to).or_default()[unit.index()] += count;
            }
            Event::Counter {
                counter, of, now, ..
            } => {
                let name = &decl.counters[counter.index()].name;
                let name = of.map_or_else(|| name.clone(), |who| format!("{name} {}", who.index()));
                self.counters.insert(name, *now);
            }
            Event::Card {
                from, to, under, ..
            } => {
                let name = |pile: risk_kernel::id::Pile| decl.piles[pile.index()].name.as_str();
                if (name(from.0), name(to.0)) == ("deck", "stack") {
                    assert!(under, "bonus cards go under the stack");
                    self.drawn += 1;
                }
            }
            Event::Ended { reason, .. } => {
                assert_eq!(reason == "death-star", self.ends);
                let rebels = self
                    .ships
                    .values()
                    .map(|ships| ships[..4].iter().sum::<i32>())
                    .sum::<i32>();
                assert_eq!(reason == "no-rebels", rebels == 0);
            }
            _ => {}
        }
        self.conserved(game);
    }
}

impl Referee {
    /// Checks each side's 30 cards, and that no sector has ships of both sides.
    fn conserved(&self, game: &GameState) {
        for who in game.seats() {
            let piles = (0..game.decl().piles.len()).map(risk_kernel::id::Pile::from_index);
            assert_eq!(
                piles
                    .map(|pile| game.pile(pile, Some(who)).len())
                    .sum::<usize>()
                    % 30,
                0
            );
        }
        for at in game.board().territories() {
            let count = |kind: usize| game.units(at, Unit::from_index(kind));
            let rebels = (0..4).map(count).sum::<i32>();
            let empire = (4..6).map(count).sum::<i32>();
            let owner = match (rebels, empire) {
                (0, 0) => None,
                (_, 0) => Some(0),
                (0, _) => Some(1),
                _ => panic!("two sides on {}", game.board().info(at).id),
            };
            assert_eq!(game.owner(at).map(risk_kernel::id::Player::index), owner);
        }
    }
}
