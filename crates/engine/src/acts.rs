//! What happens in a game, as acts: answers, executed orders, turns, phases and what the rules do,
//! each with its effects. Events are single changes; only this module puts them together to fights.

use risk_kernel::action::Action;
use risk_kernel::declare::{Declaration, SlotKind};
use risk_kernel::event::{Capture, Dice, Event, FightRound, PileOf, Status};
use risk_kernel::fault::FaultKind;
use risk_kernel::id::{Card, Counter, Phase, Player, Territory, Unit};
use risk_kernel::{EventFold, Moment};

/// Something that happened, with its effects in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// What led to the effects.
    pub cause: Cause,
    /// The phase; `None` before the first phase.
    pub phase: Option<Phase>,
    /// The effects, in the order in which they happened.
    pub effects: Vec<Effect>,
    /// Whether the act is one of several orders that were announced before their effects.
    pub is_batched: bool,
}

/// The cause of an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The rules, before the first answer or between answers.
    Rules,
    /// The beginning of a player's turn, or of a round of all players. It has no effects.
    Turn {
        /// The player whose turn it is; `None` if all players play simultaneously.
        player: Option<Player>,
        /// The number of this player-turn, from 1.
        turn: u32,
        /// The number of the round, from 1.
        round: u32,
    },
    /// The beginning of the act's phase. It has no effects.
    Phase(Option<Player>),
    /// An answer of this player.
    Answer(Player, Action),
    /// An order that this player gave earlier and that is executed now.
    Order(Player, Action),
}

/// An effect of an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A fight with its losses, and the units that moved in.
    Fight(Fight),
    /// A capture without a fight.
    Captured(Capture),
    /// Units moved from one territory to another.
    Moved(Move),
    /// The number of units changed, and no fight or move explains it.
    Units(UnitChange),
    /// A territory changed owner without a fight.
    Owner {
        /// The territory.
        at: Territory,
        /// The previous owner; `None` if the territory had no owner.
        from: Option<Player>,
        /// The new owner; `None` if the territory has no owner now.
        to: Option<Player>,
    },
    /// A counter changed.
    Counter {
        /// The counter.
        counter: Counter,
        /// The counter's owner; `None` for the table's counter.
        of: Option<Player>,
        /// The change of the value.
        by: i64,
        /// The new value.
        now: i64,
    },
    /// A card moved from one pile to another.
    Card {
        /// The card; `None` if hidden.
        card: Option<Card>,
        /// The pile that the card left.
        from: PileOf,
        /// The pile that the card reached.
        to: PileOf,
    },
    /// Chance that belongs to no fight.
    Chance(Chance),
    /// A player's status changed.
    Status(Player, Status),
    /// A player committed a fault.
    Fault {
        /// The player at fault.
        player: Player,
        /// The kind of fault.
        kind: FaultKind,
        /// The description of the fault; empty if it is hidden.
        text: String,
        /// The number of the player's strikes so far.
        strikes: u32,
    },
    /// The ruleset announced a message about a player, or about the game.
    Said(Option<Player>, String),
    /// An order was stored in the book.
    Stored(Player, Action),
    /// An order left the book.
    Unstored(Player, Action),
}

/// Units that moved between two territories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The territory that the units left.
    pub from: Territory,
    /// The territory that the units reached.
    pub to: Territory,
    /// The kind of unit.
    pub unit: Unit,
    /// The number of units, at least 1.
    pub count: i32,
    /// The owner of the territory that the units left, or else of the one that they reached.
    pub owner: Option<Player>,
}

/// A change of the units of one kind on a territory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitChange {
    /// The territory.
    pub at: Territory,
    /// The kind of unit.
    pub unit: Unit,
    /// The number of units before the change.
    pub before: i32,
    /// The number of units after the change.
    pub now: i32,
    /// The owner of the territory at that moment.
    pub owner: Option<Player>,
}

/// Chance: dice of the attacker and the defender, or tries of a chance in percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// The dice of one roll. If only one side's dice are known, the ruleset may have rolled both
    /// sides' dice like that, one roll after the other.
    Dice(Dice, Dice),
    /// Tries of a chance.
    Percent {
        /// The number of tries.
        tries: i32,
        /// The chance in percent.
        percent: i32,
        /// The number of successes.
        successes: i32,
    },
}

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
    fn of_round(chances: &[Chance]) -> Vec<Self> {
        let rolled = |chance: &Chance| match chance {
            Chance::Dice(attack, defend) => Some(Self {
                attack: attack.values().to_vec(),
                defend: defend.values().to_vec(),
                is_of_either: false,
            }),
            Chance::Percent { .. } => None,
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
    /// The rounds, at least one, each with its dice and chances.
    pub rounds: Vec<(FightRound, Vec<Chance>)>,
    /// The losses by kind, of the attacker and of the defender, as far as they are known.
    pub losses: [Vec<(Unit, i32)>; 2],
    /// What became of the territory.
    pub result: FightResult,
    /// The number of units that moved in.
    pub moved: i32,
    /// The losses of the last round that no change of units has shown yet.
    owed: [i32; 2],
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
    fn take_loss(&mut self, at: Territory, unit: Unit, lost: i32) -> i32 {
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
    fn take_owner(&mut self, at: Territory, owner: Option<Player>) -> bool {
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
}

impl Act {
    fn new(cause: Cause, phase: Option<Phase>) -> Self {
        Self {
            cause,
            phase,
            effects: Vec::new(),
            is_batched: false,
        }
    }

    /// Returns the player and the action of an answer or an order.
    #[must_use]
    pub const fn action(&self) -> Option<(Player, Action)> {
        match self.cause {
            Cause::Answer(player, action) | Cause::Order(player, action) => Some((player, action)),
            Cause::Rules | Cause::Turn { .. } | Cause::Phase(_) => None,
        }
    }

    /// Returns the values of the action's parameters of this kind.
    #[must_use]
    pub fn values(&self, decl: &Declaration, kind: SlotKind) -> Vec<i32> {
        let Some((_, action)) = self.action() else {
            return Vec::new();
        };
        let slots = &decl.verbs[action.verb.index()].slots;
        let values = slots.iter().zip(action.args());
        let values = values.filter(|(slot, _)| slot.1 == kind);
        values.map(|(_, &value)| value).collect()
    }

    /// Reports whether the action names this territory.
    #[must_use]
    pub fn names(&self, decl: &Declaration, at: Territory) -> bool {
        self.values(decl, SlotKind::Territory)
            .contains(&at.number())
    }

    /// Returns the last fight, unless units of a capture came after it.
    fn fight(&mut self) -> Option<&mut Fight> {
        self.effects
            .iter_mut()
            .rev()
            .find_map(|effect| match effect {
                Effect::Fight(fight) => Some(fight),
                _ => None,
            })
    }

    /// Reports whether nothing has come of an order so far.
    fn is_bare(&self) -> bool {
        let mut effects = self.effects.iter();
        effects.all(|effect| matches!(effect, Effect::Unstored(..)))
    }
}

/// The acts of a game, from its events.
#[derive(Clone, Debug, Default)]
pub struct Acts {
    open: Option<Act>,
    /// Whether each answer in an optional phase begins an act. Otherwise, it is part of the act
    /// before it.
    splits: bool,
}

impl Acts {
    /// Makes each answer in an optional phase an act of its own.
    #[must_use]
    pub fn of_steps() -> Self {
        Self {
            splits: true,
            ..Self::default()
        }
    }

    /// Returns the act that has begun, so that the acts so far are complete. Later effects of it
    /// are an act of the rules.
    pub fn rest(&mut self) -> Option<Act> {
        self.open.take()
    }

    /// Adds an event. Returns the acts that are complete.
    pub fn take(&mut self, moment: Moment<'_>, event: &Event) -> Vec<Act> {
        let before = moment.before();
        let is_optional = |phase: Phase| moment.decl().phases[phase.index()].optional;
        match *event {
            Event::TurnBegan {
                player,
                turn,
                round,
            } => self.mark(
                Cause::Turn {
                    player,
                    turn,
                    round,
                },
                before.phase,
            ),
            Event::PhaseBegan { phase, seat } if !is_optional(phase) => {
                self.mark(Cause::Phase(seat), Some(phase))
            }
            Event::Answered {
                player,
                phase,
                action,
                ..
            } if self.splits || !is_optional(phase) => {
                self.begin(Cause::Answer(player, action), Some(phase))
            }
            Event::Executed { player, action } => {
                let open = self.open.as_ref();
                let is_batched = open
                    .is_some_and(|open| matches!(open.cause, Cause::Order(..)) && open.is_bare());
                let done = self.begin(Cause::Order(player, action), before.phase);
                if let Some(open) = &mut self.open {
                    open.is_batched = is_batched;
                }
                done
            }
            Event::Status { now, .. } if now != Status::Playing => {
                let done = self.begin(Cause::Rules, before.phase);
                self.add(before, event);
                done
            }
            Event::Faulted { .. } => {
                let done = self.begin(Cause::Rules, before.phase);
                self.add(before, event);
                done
            }
            _ => {
                // Rulesets may announce all orders first. Later effects are not those of the last.
                let is_strange = self
                    .open
                    .as_ref()
                    .is_some_and(|open| open.is_batched && is_foreign(open, moment.decl(), event));
                let done = match is_strange {
                    true => self.begin(Cause::Rules, before.phase),
                    false => Vec::new(),
                };
                self.add(before, event);
                done
            }
        }
    }

    fn begin(&mut self, cause: Cause, phase: Option<Phase>) -> Vec<Act> {
        let done = self.open.replace(Act::new(cause, phase));
        done.into_iter().collect()
    }

    fn mark(&mut self, cause: Cause, phase: Option<Phase>) -> Vec<Act> {
        let done = self.open.take();
        done.into_iter().chain([Act::new(cause, phase)]).collect()
    }

    fn add(&mut self, before: &EventFold, event: &Event) {
        if matches!(
            event,
            Event::PhaseBegan { .. }
                | Event::Answered { .. }
                | Event::Filled { .. }
                | Event::Shuffled { .. }
                | Event::Ended { .. }
        ) {
            return;
        }
        let new = || Act::new(Cause::Rules, before.phase);
        self.open.get_or_insert_with(new).add(before, event);
    }
}

/// Reports whether an event has nothing to do with an order.
fn is_foreign(act: &Act, decl: &Declaration, event: &Event) -> bool {
    if let Event::Said { player, .. } = event {
        return *player != act.action().map(|(player, _)| player);
    }
    let places = match *event {
        Event::Fought(FightRound { from, to, .. })
        | Event::Captured(Capture { from, to, .. })
        | Event::Moved { from, to, .. } => [Some(from), Some(to)],
        Event::Units { at, .. } | Event::Owner { at, .. } => [Some(at), None],
        _ => [None, None],
    };
    places.iter().flatten().any(|&at| !act.names(decl, at))
}

impl Act {
    fn add(&mut self, before: &EventFold, event: &Event) {
        match *event {
            Event::Fought(round) => self.fought(before, round),
            Event::Captured(capture) => self.captured(capture),
            Event::Moved {
                from,
                to,
                unit,
                count,
            } => match self.fight() {
                // Units may move in before the territory changes hands.
                Some(fight) if (fight.from, fight.to) == (from, to) => fight.moved += count,
                _ => self.effects.push(Effect::Moved(Move {
                    from,
                    to,
                    unit,
                    count,
                    owner: before.owner(from).or(before.owner(to)),
                })),
            },
            Event::Units { at, unit, by, now } => {
                let fight = self.fight();
                let explained = fight.map_or(0, |fight| fight.take_loss(at, unit, -by));
                let earlier = now - by - explained;
                if earlier != now {
                    self.effects.push(Effect::Units(UnitChange {
                        at,
                        unit,
                        before: earlier,
                        now,
                        owner: before.owner(at),
                    }));
                }
            }
            Event::Owner { at, from, to } => {
                if !self.fight().is_some_and(|fight| fight.take_owner(at, to)) {
                    self.effects.push(Effect::Owner { at, from, to });
                }
            }
            _ => self.effects.extend(plain(event)),
        }
    }

    fn fought(&mut self, before: &EventFold, round: FightRound) {
        let FightRound { from, to, .. } = round;
        let by = before
            .owner(from)
            .or(self.action().map(|(player, _)| player));
        let mut chances = Vec::new();
        self.effects.retain(|effect| match effect {
            &Effect::Chance(chance) => {
                chances.push(chance);
                false
            }
            _ => true,
        });
        let mut fight = Fight {
            by,
            against: before.owner(to),
            from,
            to,
            rounds: vec![(round, chances)],
            losses: [Vec::new(), Vec::new()],
            result: FightResult::Held,
            moved: 0,
            owed: [round.attacker_lost, round.defender_lost],
        };
        // A ruleset may report a fight after its effects.
        self.effects.retain_mut(|effect| match effect {
            Effect::Units(change) => {
                let lost = change.before - change.now;
                change.before -= fight.take_loss(change.at, change.unit, lost);
                change.before != change.now
            }
            Effect::Owner { at, to, .. } => !fight.take_owner(*at, *to),
            _ => true,
        });
        // Without dice, each attack is a separate fight.
        let is_rolled = !fight.rolls().is_empty();
        match self.fight() {
            Some(known) if is_rolled && known.goes_on(&fight) => {
                known.owed = fight.owed;
                known.append(fight);
            }
            _ => self.effects.push(Effect::Fight(fight)),
        }
    }

    fn captured(&mut self, capture: Capture) {
        let Capture {
            from,
            to,
            unit,
            killed,
            moved,
            ..
        } = capture;
        match self.fight() {
            Some(fight)
                if fight.result != FightResult::Taken && (fight.from, fight.to) == (from, to) =>
            {
                fight.result = FightResult::Taken;
                fight.moved = moved;
                fight.take_loss(to, unit, killed);
            }
            _ => self.effects.push(Effect::Captured(capture)),
        }
    }
}

impl Fight {
    /// Reports whether `later` may be the next rounds of this fight.
    #[must_use]
    pub fn goes_on(&self, later: &Self) -> bool {
        self.result != FightResult::Taken
            && (self.by, self.from, self.to) == (later.by, later.from, later.to)
    }
}

/// Returns the effect of an event that stands alone.
fn plain(event: &Event) -> Option<Effect> {
    Some(match *event {
        Event::Counter {
            counter,
            of,
            by,
            now,
        } => Effect::Counter {
            counter,
            of,
            by,
            now,
        },
        Event::Card { card, from, to, .. } => Effect::Card { card, from, to },
        Event::Rolled { attack, defend } => Effect::Chance(Chance::Dice(attack, defend)),
        Event::Tried {
            tries,
            percent,
            successes,
        } => Effect::Chance(Chance::Percent {
            tries,
            percent,
            successes,
        }),
        Event::Status { player, now } => Effect::Status(player, now),
        Event::Faulted {
            player,
            kind,
            ref text,
            strikes,
            ..
        } => Effect::Fault {
            player,
            kind,
            text: text.clone(),
            strikes,
        },
        Event::Said { player, ref text } => Effect::Said(player, text.clone()),
        Event::Stored { player, action } => Effect::Stored(player, action),
        Event::Unstored { player, action, .. } => Effect::Unstored(player, action),
        _ => return None,
    })
}
