//! What a viewer learns from the events of a game. In fog, a player's view at the end of a hook
//! hides events that the player took part in, because the hook may take the territory away. A
//! player also sees these: fights from and against own territories, and own moves and placements.

use risk_kernel::declare::SlotKind;
use risk_kernel::event::{Capture, Event, FightRound};
use risk_kernel::id::{Phase, Player, Territory, Unit};
use risk_kernel::view::{View, in_public, is_open};
use risk_kernel::{EventFold, Moment};

/// A viewer of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eyes {
    /// A viewer from whom nothing is hidden.
    #[default]
    All,
    /// A viewer who sees all territories, cards and counters, and orders after they are executed.
    Revealed,
    /// A viewer who sees what all players see.
    Public,
    /// A player.
    Player(Player),
}

/// The sight of a viewer, with what a player has a part in.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight {
    pub(super) eyes: Eyes,
    /// Dice of a fight that has not been reported, if the view hides them.
    dice: Vec<Event>,
    /// The last fight that the player took part in, with the losses that have no event yet.
    fight: Option<FightRound>,
}

impl Sight {
    /// Returns what the viewer learns from an event, in order.
    pub(super) fn seen(&mut self, moment: Moment<'_>, event: &Event) -> Vec<Event> {
        let is_secret = |phase: &Phase| moment.decl().phases[phase.index()].secret;
        let seen = match (self.eyes, event) {
            (Eyes::Player(player), _) => {
                let begins = match event {
                    Event::PhaseBegan { phase, .. } => {
                        !moment.decl().phases[phase.index()].optional
                    }
                    Event::Answered { .. } | Event::Executed { .. } | Event::TurnBegan { .. } => {
                        true
                    }
                    _ => false,
                };
                if begins {
                    self.dice.clear();
                    self.fight = None;
                }
                let view = View::new(moment.facts(), player);
                return self.seen_by_player(&view, moment.before(), event);
            }
            (Eyes::Public, _) => in_public(&moment, event),
            (Eyes::Revealed, Event::Stored { .. } | Event::Unstored { .. }) => None,
            (Eyes::Revealed, Event::Answered { phase, .. }) if is_secret(phase) => None,
            (Eyes::Revealed, Event::Faulted { .. }) => in_public(&moment, event),
            (Eyes::Revealed | Eyes::All, _) => Some(event.clone()),
        };
        seen.into_iter().collect()
    }

    fn seen_by_player(&mut self, view: &View, before: &EventFold, event: &Event) -> Vec<Event> {
        let redacted = view.redact_for(event);
        if is_open(view.decl()) {
            return redacted.into_iter().collect();
        }
        let me = Some(view.me());
        match *event {
            Event::Rolled { .. } if redacted.is_none() => {
                self.dice.push(event.clone());
                Vec::new()
            }
            Event::Fought(round) => {
                let is_own = [round.from, round.to]
                    .map(|at| before.owner(at))
                    .contains(&me);
                let mut seen = std::mem::take(&mut self.dice);
                self.fight = is_own.then_some(round);
                if !is_own {
                    seen.clear();
                }
                seen.extend(redacted.or_else(|| is_own.then(|| event.clone())));
                seen
            }
            Event::Units { at, by, .. } => {
                let is_own = self.is_loss(at, by) || before.owner(at) == me;
                one(redacted, is_own, event)
            }
            Event::Owner { from, to, .. } => one(redacted, from == me || to == me, event),
            Event::Moved { from, to, .. }
                if redacted.is_some() || before.owner(from) == me || before.owner(to) == me =>
            {
                one(redacted, true, event)
            }
            Event::Moved {
                from,
                to,
                unit,
                count,
            } => {
                let ends = [(from, -count), (to, count)];
                let changed = ends.map(|(at, by)| changed(view, before, at, unit, by));
                changed.into_iter().flatten().collect()
            }
            Event::Captured(capture) if redacted.is_none() => half_seen(view, before, capture),
            Event::Executed { ref action, .. } => {
                let slots = &view.decl().verbs[action.verb.index()].slots;
                let named = slots.iter().zip(action.args());
                let named = named.filter(|(slot, _)| slot.1 == SlotKind::Territory);
                let mut named = named.filter_map(|(_, &at)| usize::try_from(at).ok());
                // The effects on own territories show the order anyway.
                let is_own = named.any(|at| before.owner(Territory::from_index(at)) == me);
                one(redacted, is_own, event)
            }
            _ => redacted.into_iter().collect(),
        }
    }

    /// Reports whether units die that the last fight of the player has announced.
    fn is_loss(&mut self, at: Territory, by: i32) -> bool {
        let Some(round) = &mut self.fight else {
            return false;
        };
        let owed = match at {
            at if at == round.from => &mut round.attacker_lost,
            at if at == round.to => &mut round.defender_lost,
            _ => return false,
        };
        let is_loss = by < 0 && -by <= *owed;
        if is_loss {
            *owed += by;
        }
        is_loss
    }
}

/// Returns a change of units on a territory in sight.
fn changed(view: &View, before: &EventFold, at: Territory, unit: Unit, by: i32) -> Option<Event> {
    let now = before.units(at, unit) + by;
    let change = Event::Units { at, unit, by, now };
    view.redact_for(&change).filter(|_| by != 0)
}

/// Returns what is seen of a capture with only one of its territories in sight.
fn half_seen(view: &View, before: &EventFold, capture: Capture) -> Vec<Event> {
    let Capture {
        from,
        to,
        by,
        loser,
        unit,
        moved,
        ..
    } = capture;
    let handed = Event::Owner {
        at: to,
        from: loser,
        to: Some(by),
    };
    let arrived = moved - before.units(to, unit);
    let all = [
        changed(view, before, from, unit, -moved),
        view.redact_for(&handed).filter(|_| loser != Some(by)),
        changed(view, before, to, unit, arrived),
    ];
    all.into_iter().flatten().collect()
}

/// Returns the event as redacted, or whole if the player has a part in it.
fn one(redacted: Option<Event>, is_own: bool, event: &Event) -> Vec<Event> {
    let seen = redacted.or_else(|| is_own.then(|| event.clone()));
    seen.into_iter().collect()
}
