//! Luck in fights, measured by comparing actual losses with average losses.
//!
//! The average losses of a round are computed before the round from the number of dice, the armies
//! in the two territories and the ruleset's own tables. The luck of each round, and of a whole
//! game, therefore has mean 0, regardless of how the players play.

use std::collections::{BTreeMap, VecDeque};

use risk_engine::Worker;
use risk_engine::acts::{Act, Acts, Cause, Effect, Fight};
use risk_kernel::declare::FightMethod;
use risk_kernel::event::{Event, FightRound};
use risk_kernel::id::{Player, Territory, Verb};
use risk_kernel::odds::{ExpectedLosses, Rounds};
use risk_kernel::{Moment, Sink};

/// Actual and average losses, in armies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossTotals {
    /// The number of armies lost.
    pub real: i64,
    /// The average number of armies lost.
    pub expected: f64,
}

impl LossTotals {
    /// Returns the actual losses minus the average losses.
    #[must_use]
    pub fn excess(self) -> f64 {
        self.real as f64 - self.expected
    }

    fn add(&mut self, other: Self) {
        self.real += other.real;
        self.expected += other.expected;
    }
}

/// A fight, which consists of consecutive rounds between the same two territories in one turn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Battle {
    /// The number of the decision that started the fight, counted from 1. For executed orders, this
    /// is the last decision before the fight.
    pub decision: u64,
    /// The round of the game, counted from 1, or 0 before the first round.
    pub round: u32,
    /// The player's turn, counted from 1, or 0 before the first turn.
    pub turn: u32,
    /// The attacking player.
    pub attacker: Player,
    /// The defending player, or `None` if the territory had no owner.
    pub defender: Option<Player>,
    /// The attacking territory.
    pub from: Territory,
    /// The attacked territory.
    pub to: Territory,
    /// The number of rounds included in the losses.
    pub rounds: u32,
    /// The attacker's losses.
    pub lost: LossTotals,
    /// The defender's losses.
    pub killed: LossTotals,
}

impl Battle {
    /// Returns the attacker's luck, in armies. It is the defender's excess losses minus the
    /// attacker's excess losses, relative to the average. The defender's luck is the negative of
    /// this number.
    #[must_use]
    pub fn luck(&self) -> f64 {
        self.killed.excess() - self.lost.excess()
    }
}

/// The luck of one player over all fights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PlayerLuck {
    /// The number of fights as the attacker.
    pub attacks: u32,
    /// The number of fights as the defender.
    pub defences: u32,
    /// The player's losses.
    pub lost: LossTotals,
    /// The losses of the player's enemies.
    pub killed: LossTotals,
}

impl PlayerLuck {
    /// Returns the player's luck, in armies.
    #[must_use]
    pub fn luck(&self) -> f64 {
        self.killed.excess() - self.lost.excess()
    }
}

/// The number of units per army in [`Luck::thousandths`] and in the internal sum.
const THOUSANDTHS: i64 = 1_000;
const MILLIONTHS: f64 = 1e6;

/// A sink that measures the luck during a game.
#[derive(Clone, Debug)]
pub struct Luck {
    /// The fights in chronological order.
    pub battles: Vec<Battle>,
    /// The number of rounds with unknown average losses, by reason.
    pub unknown: BTreeMap<String, u64>,
    rounds: Rounds,
    /// The fighting method of each phase.
    fights: Vec<Option<FightMethod>>,
    /// The verbs of orders that cause fights.
    advances: Vec<Verb>,
    /// The luck of each seat, in millionths of an army. The sum of integers does not depend on
    /// their order.
    millionths: Vec<i64>,
    acts: Acts,
    /// The classes of the rounds that `acts` has not completed.
    classes: VecDeque<u32>,
    /// The numbers of the decision, the round and the turn before the last event.
    when: (u64, u32, u32),
}

impl Luck {
    /// Creates a counter for one game of the worker, starting at its beginning.
    #[must_use]
    pub fn new(worker: &Worker<'_>) -> Self {
        let rules = worker.rules();
        let decl = worker.decl();
        let verbs = decl.verbs.iter().enumerate();
        Self {
            battles: Vec::new(),
            unknown: BTreeMap::new(),
            rounds: Rounds::from_tables(rules.tables()),
            fights: decl.phases.iter().map(|phase| phase.fights).collect(),
            advances: verbs
                .filter(|(_, verb)| ["attack", "move"].contains(&verb.name.as_str()))
                .map(|(index, _)| Verb::from_index(index))
                .collect(),
            millionths: vec![0; worker.players()],
            acts: Acts::default().of_steps(),
            classes: VecDeque::new(),
            when: (0, 0, 0),
        }
    }

    /// Returns the luck of each seat.
    #[must_use]
    pub fn players(&self) -> Vec<PlayerLuck> {
        let mut players = vec![PlayerLuck::default(); self.millionths.len()];
        for battle in &self.battles {
            let attacker = &mut players[battle.attacker.index()];
            attacker.attacks += 1;
            attacker.lost.add(battle.lost);
            attacker.killed.add(battle.killed);
            if let Some(defender) = battle.defender {
                let defender = &mut players[defender.index()];
                defender.defences += 1;
                defender.lost.add(battle.killed);
                defender.killed.add(battle.lost);
            }
        }
        players
    }

    /// Resets the counter for another game of the same worker.
    pub fn begin(&mut self) {
        self.battles.clear();
        self.unknown.clear();
        self.millionths.fill(0);
        self.classes.clear();
        self.acts.rest();
    }

    /// Counts the fights of the last act, which no event has ended. `battles` and `unknown` are
    /// complete only then.
    pub fn finish(&mut self) {
        let last = self.acts.rest();
        last.into_iter().for_each(|act| self.acted(&act));
    }

    /// Finishes, and returns the luck of each seat in thousandths of an army. The numbers are the
    /// same on every machine, and their mean over many games is 0, regardless of how the players
    /// play.
    #[must_use]
    pub fn thousandths(&mut self) -> Vec<i64> {
        self.finish();
        let part = MILLIONTHS as i64 / THOUSANDTHS;
        let rounded = |sum: &i64| (sum + sum.signum() * part / 2) / part;
        self.millionths.iter().map(rounded).collect()
    }

    fn acted(&mut self, act: &Act) {
        let fights = act.effects.iter().filter_map(|effect| match effect {
            Effect::Fight(fight) => Some(fight),
            _ => None,
        });
        let rounds = fights.flat_map(|fight| fight.rounds.iter().map(move |round| (fight, round)));
        for (index, (fight, (round, chances))) in rounds.enumerate() {
            match self.expected(act, index == 0, *round, chances) {
                Ok(expected) => self.count(act, fight, *round, expected),
                Err(reason) => *self.unknown.entry(reason).or_default() += 1,
            }
        }
    }

    /// Returns the average losses of a round, or the reason that they are unknown.
    fn expected(
        &mut self,
        act: &Act,
        is_first: bool,
        round: FightRound,
        chances: &[Event],
    ) -> Result<ExpectedLosses, String> {
        let class = self.classes.pop_front().unwrap_or(0);
        let phase = act.phase.filter(|_| is_first);
        let known = match (phase.and_then(|it| self.fights[it.index()]), act.cause) {
            (Some(FightMethod::Percent), Cause::Order(_, action))
                if self.advances.contains(&action.verb) =>
            {
                self.rounds.percent(class, round.attackers, round.defenders)
            }
            (Some(FightMethod::Dice), Cause::Answer(..)) => {
                let rolled = chances.iter().find_map(|chance| match chance {
                    Event::Rolled { attack, defend } => Some([attack, defend]),
                    _ => None,
                });
                // Without dice, the round has no luck.
                let Some(rolled) = rolled else {
                    return Ok(ExpectedLosses {
                        attacker: f64::from(round.attacker_lost),
                        defender: f64::from(round.defender_lost.min(round.defenders)),
                    });
                };
                let dice = rolled.map(|dice| dice.values().len() as i32);
                let free = round.standing - 1;
                self.rounds.dice(class, dice, free, round.defenders)
            }
            _ => return Err("the ruleset's script resolves the fights".to_owned()),
        };
        known.map_err(|fault| fault.text().to_owned())
    }

    fn count(&mut self, act: &Act, fight: &Fight, round: FightRound, expected: ExpectedLosses) {
        let (by, defender) = (fight.by, fight.against);
        let attacker = by.expect("the player of an answer or an order fights");
        let losses = |real, expected| LossTotals {
            real: i64::from(real),
            expected,
        };
        let lost = losses(round.attacker_lost, expected.attacker);
        let killed = losses(round.defender_lost.min(round.defenders), expected.defender);
        let gained = millionths(killed) - millionths(lost);
        self.millionths[attacker.index()] += gained;
        if let Some(defender) = defender {
            self.millionths[defender.index()] -= gained;
        }
        let (decision, game_round, turn) = self.when;
        // Each executed order is a separate fight.
        if matches!(act.cause, Cause::Answer(..))
            && let Some(last) = self.battles.last_mut()
            && (last.from, last.to, last.turn) == (fight.from, fight.to, turn)
            && (last.attacker, last.defender) == (attacker, defender)
        {
            last.rounds += 1;
            last.lost.add(lost);
            last.killed.add(killed);
            return;
        }
        self.battles.push(Battle {
            decision,
            round: game_round,
            turn,
            attacker,
            defender,
            from: fight.from,
            to: fight.to,
            rounds: 1,
            lost,
            killed,
        });
    }
}

/// Returns the losses above the average, in millionths of an army.
fn millionths(losses: LossTotals) -> i64 {
    losses.real * MILLIONTHS as i64 - (losses.expected * MILLIONTHS).round() as i64
}

impl Sink for Luck {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let before = moment.before();
        self.when = (before.answers, before.round, before.turn);
        // The effects on the board matter to no round, and there are many in each game.
        let matters = matches!(
            event,
            Event::TurnBegan { .. }
                | Event::PhaseBegan { .. }
                | Event::Answered { .. }
                | Event::Executed { .. }
                | Event::Rolled { .. }
                | Event::Fought(_)
        );
        if let Event::Fought(round) = event {
            let class = before.fight_class(&moment, round.from, round.to);
            self.classes.push_back(class);
        }
        if matters {
            self.acts.take(moment, event);
            while let Some(act) = self.acts.next_complete() {
                self.acted(&act);
            }
        }
    }
}
