//! Acts from the events of a game.

use super::fight::{Fight, FightResult};
use super::sight::{Eyes, Sight};
use super::{Act, Cause, Effect, Move, UnitChange};
use risk_kernel::declare::Declaration;
use risk_kernel::event::{Capture, Event, FightRound, Status};
use risk_kernel::id::Phase;
use risk_kernel::{EventFold, Moment};
use std::collections::VecDeque;

/// The acts of a game, from its events.
#[derive(Clone, Debug, Default)]
pub struct Acts {
    sight: Sight,
    open: Option<Act>,
    /// The complete acts in order, until [`Acts::next_complete`] returns them.
    complete: VecDeque<Act>,
    /// Whether each answer in an optional phase begins an act. Otherwise, it is part of the act
    /// before it.
    splits: bool,
}

impl Acts {
    /// Creates the acts that a viewer sees.
    #[must_use]
    pub fn seen_by(eyes: Eyes) -> Self {
        let mut acts = Self::default();
        acts.sight.eyes = eyes;
        acts
    }

    /// Makes each answer in an optional phase an act of its own.
    #[must_use]
    pub fn of_steps(self) -> Self {
        Self {
            splits: true,
            ..self
        }
    }

    /// Returns the viewer.
    #[must_use]
    pub const fn eyes(&self) -> Eyes {
        self.sight.eyes
    }

    /// Returns the act that has begun, so that the acts so far are complete. Later effects of it
    /// are an act of the rules.
    pub fn rest(&mut self) -> Option<Act> {
        self.open.take()
    }

    /// Adds an event. Ask for the acts that it completes with [`Acts::next_complete`].
    pub fn take(&mut self, moment: Moment<'_>, event: &Event) {
        if self.sight.eyes == Eyes::All {
            return self.add_seen(moment, event);
        }
        let seen = self.sight.seen(moment, event);
        // The viewer does not see this action, which ends the one before it.
        if seen.is_empty() && matches!(event, Event::Answered { .. } | Event::Executed { .. }) {
            self.complete.extend(self.open.take());
        }
        for event in &seen {
            self.add_seen(moment, event);
        }
    }

    /// Returns the next complete act, in the order of the game.
    pub fn next_complete(&mut self) -> Option<Act> {
        self.complete.pop_front()
    }

    fn add_seen(&mut self, moment: Moment<'_>, event: &Event) {
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
                self.begin(Cause::Order(player, action), before.phase);
                if let Some(open) = &mut self.open {
                    open.is_batched = is_batched;
                }
            }
            _ => {
                let is_apart = match event {
                    Event::Status { now, .. } => *now != Status::Playing,
                    Event::Faulted { .. } => true,
                    // Rulesets may announce all orders first. Later effects are not the last one's.
                    _ => self.open.as_ref().is_some_and(|open| {
                        open.is_batched && is_foreign(open, moment.decl(), event)
                    }),
                };
                if is_apart {
                    self.begin(Cause::Rules, before.phase);
                }
                self.add(before, event);
            }
        }
    }

    fn begin(&mut self, cause: Cause, phase: Option<Phase>) {
        let done = self.open.replace(Act::new(cause, phase));
        self.complete.extend(done);
    }

    fn mark(&mut self, cause: Cause, phase: Option<Phase>) {
        self.complete.extend(self.open.take());
        self.complete.push_back(Act::new(cause, phase));
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
                let explained = fight.map_or(0, |fight| fight.apply_loss(at, unit, -by));
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
            Event::Owner { at, to, .. } => {
                if !self.fight().is_some_and(|fight| fight.apply_owner(at, to)) {
                    self.effects.push(Effect::Event(event.clone()));
                }
            }
            _ => self.effects.push(Effect::Event(event.clone())),
        }
    }

    fn fought(&mut self, before: &EventFold, round: FightRound) {
        let FightRound { from, to, .. } = round;
        let by = before
            .owner(from)
            .or(self.action().map(|(player, _)| player));
        let mut chances = Vec::new();
        self.effects.retain(|effect| match effect {
            Effect::Event(chance @ (Event::Rolled { .. } | Event::Tried { .. })) => {
                chances.push(chance.clone());
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
                change.before -= fight.apply_loss(change.at, change.unit, lost);
                change.before != change.now
            }
            Effect::Event(Event::Owner { at, to, .. }) => !fight.apply_owner(*at, *to),
            _ => true,
        });
        let is_fight = |effect: &Effect| matches!(effect, Effect::Fight(_));
        self.last_fight = self.effects.iter().rposition(is_fight);
        // Without dice, each attack is a separate fight.
        let chances = &fight.rounds[0].1;
        let is_rolled = chances.iter().any(|it| matches!(it, Event::Rolled { .. }));
        match self.fight() {
            Some(known) if is_rolled && known.goes_on(&fight) => {
                known.owed = fight.owed;
                known.append(fight);
            }
            _ => {
                self.last_fight = Some(self.effects.len());
                self.effects.push(Effect::Fight(fight));
            }
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
                fight.apply_loss(to, unit, killed);
            }
            _ => self.effects.push(Effect::Event(Event::Captured(capture))),
        }
    }
}
