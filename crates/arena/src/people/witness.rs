//! What one player learns from the events of a game. In fog, a player's view at the end of a hook
//! hides events that the player took part in, because the hook may take the territory away. A
//! person also sees these: fights from and against own territories, and own moves and placements.

use risk_kernel::EventFold;
use risk_kernel::declare::SlotKind;
use risk_kernel::event::{Capture, Event, FightRound};
use risk_kernel::id::{Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::view::{View, is_open};

/// What the player has a part in.
#[derive(Debug, Default)]
pub(super) struct Witness {
    /// The player whose action has its effects now.
    actor: Option<Player>,
    /// Dice of a fight that has not been reported, if the view hides them.
    dice: Vec<Event>,
    /// The last fight that the player took part in, with the losses that have no event yet.
    fight: Option<FightRound>,
}

impl Witness {
    /// Prepares for an event. Call it before the other functions.
    pub(super) fn begin(&mut self, game: &GameState, event: &Event) {
        let decl = game.decl();
        let actor = match event {
            Event::Answered { player, phase, .. } => {
                let is_secret = decl.phases[phase.index()].secret;
                (!is_secret).then_some(*player)
            }
            Event::Executed { player, .. } => Some(*player),
            Event::PhaseBegan { phase, .. } if decl.phases[phase.index()].optional => return,
            Event::PhaseBegan { .. } | Event::TurnBegan { .. } => None,
            _ => return,
        };
        self.actor = actor;
        self.dice.clear();
        self.fight = None;
    }

    /// Returns the player whose action has its effects now.
    pub(super) const fn actor(&self) -> Option<Player> {
        self.actor
    }

    /// Returns what the player of this view learns from the event, in order.
    pub(super) fn seen(&mut self, view: &View, before: &EventFold, event: &Event) -> Vec<Event> {
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
