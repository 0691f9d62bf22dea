//! Luck in fights, measured by comparing actual losses with average losses.
//!
//! The average losses of a round are computed before the round from the number of dice, the armies
//! in the two territories and the ruleset's own tables. The luck of each round, and of a whole
//! game, therefore has mean 0, regardless of how the players play.

use std::collections::BTreeMap;

use risk_engine::matches::Worker;
use risk_kernel::declare::FightMethod;
use risk_kernel::event::{Event, FightRound};
use risk_kernel::id::{Phase, Player, Territory, Unit, Verb};
use risk_kernel::odds::{ExpectedLosses, Rounds};
use risk_kernel::{EventFold, Moment, Sink};

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

/// The kind of round to expect after an answer or an order.
#[derive(Clone, Copy, Debug)]
enum ExpectedRound {
    /// A round with these numbers of dice, or `None` if no dice were rolled.
    Dice(Option<(i32, i32)>),
    Percent,
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
    decision: u64,
    turn: (u32, u32),
    /// Whether a phase with percentage fights is executing orders.
    executing: bool,
    expecting: Option<ExpectedRound>,
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
            decision: 0,
            turn: (0, 0),
            executing: false,
            expecting: None,
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
        self.decision = 0;
        self.turn = (0, 0);
        self.executing = false;
        self.expecting = None;
    }

    /// Returns the luck of each seat, in thousandths of an army. The numbers are the same on every
    /// machine, and their mean over many games is 0, regardless of how the players play.
    #[must_use]
    pub fn thousandths(&self) -> Vec<i64> {
        let part = MILLIONTHS as i64 / THOUSANDTHS;
        let rounded = |sum: &i64| (sum + sum.signum() * part / 2) / part;
        self.millionths.iter().map(rounded).collect()
    }

    fn is_by(&self, phase: Phase, by: FightMethod) -> bool {
        self.fights[phase.index()] == Some(by)
    }

    /// Returns the average losses of the current round, or the reason that they are unknown.
    fn expected(&mut self, land: &EventFold, fight: FightRound) -> Result<ExpectedLosses, String> {
        let known = match self.expecting.take() {
            None => return Err("the ruleset's script resolves the fights".to_owned()),
            Some(ExpectedRound::Percent) => self.rounds.percent(fight.attackers, fight.defenders),
            Some(ExpectedRound::Dice(Some((attack, defend)))) => {
                let free = land.units(fight.from, Unit::FIRST) - 1;
                self.rounds
                    .dice(attack, defend, free, land.units(fight.to, Unit::FIRST))
            }
            // Without dice, the round has no luck.
            Some(ExpectedRound::Dice(None)) => {
                return Ok(ExpectedLosses {
                    attacker: f64::from(fight.attacker_lost),
                    defender: f64::from(fight.defender_lost.min(fight.defenders)),
                });
            }
        };
        known.map_err(|fault| fault.text().to_owned())
    }

    fn fought(&mut self, land: &EventFold, fight: FightRound) {
        let attacker = land.owner(fight.from);
        let attacker = attacker.ok_or_else(|| "the attacking territory has no owner".to_owned());
        match self
            .expected(land, fight)
            .and_then(|it| Ok((it, attacker?)))
        {
            Ok((expected, attacker)) => self.count(fight, expected, attacker, land.owner(fight.to)),
            Err(reason) => *self.unknown.entry(reason).or_default() += 1,
        }
    }

    fn count(
        &mut self,
        fight: FightRound,
        expected: ExpectedLosses,
        attacker: Player,
        defender: Option<Player>,
    ) {
        let lost = LossTotals {
            real: i64::from(fight.attacker_lost),
            expected: expected.attacker,
        };
        let killed = LossTotals {
            real: i64::from(fight.defender_lost.min(fight.defenders)),
            expected: expected.defender,
        };
        let gained = millionths(killed) - millionths(lost);
        self.millionths[attacker.index()] += gained;
        if let Some(defender) = defender {
            self.millionths[defender.index()] -= gained;
        }
        let (round, turn) = self.turn;
        // Each executed order is a separate fight.
        if !self.executing
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
            decision: self.decision,
            round,
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
        match *event {
            Event::TurnBegan { turn, round, .. } => self.turn = (round, turn),
            Event::PhaseBegan { phase, .. } => {
                self.executing = self.is_by(phase, FightMethod::Percent);
                self.expecting = None;
            }
            Event::Answered { phase, number, .. } => {
                self.decision = number;
                self.executing = false;
                let dice = self.is_by(phase, FightMethod::Dice);
                self.expecting = dice.then_some(ExpectedRound::Dice(None));
            }
            Event::Executed { action, .. } => {
                let fights = self.executing && self.advances.contains(&action.verb);
                self.expecting = fights.then_some(ExpectedRound::Percent);
            }
            Event::Rolled { attack, defend } => {
                let dice = (attack.values().len() as i32, defend.values().len() as i32);
                if let Some(ExpectedRound::Dice(rolled @ None)) = &mut self.expecting {
                    *rolled = Some(dice);
                }
            }
            Event::Fought(fight) => self.fought(moment.before(), fight),
            _ => {}
        }
    }
}
