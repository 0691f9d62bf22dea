//! Orders that a ruleset offers although it never executes them.
//!
//! An order fails if the ruleset only announces something when its turn comes. If each order of
//! some kind fails, for example each attack on a partner, bots and people are offered what is
//! certain to fail.

use std::collections::BTreeMap;

use super::cut_games::place_of;
use risk_engine::script::Ruleset;
use risk_kernel::action::Action;
use risk_kernel::declare::{Declaration, SlotKind};
use risk_kernel::event::Event;
use risk_kernel::id::{Player, Territory, Verb};
use risk_kernel::view::Facts;
use risk_kernel::{Moment, Sink};
use risk_text::diag::{Finding, Level};

/// The least number of orders of a kind, all of which failed, for a finding.
const LEAST: u64 = 20;
/// The maximum number of orders of one turn that are watched.
const MOST_PENDING: usize = 10_000;

/// A property that not all orders with a verb have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    /// No property: all orders with the verb.
    None,
    /// The owner of the territory in this slot.
    Owner(usize, Whose),
    /// An earlier order of the player in the same turn has this verb and names the territory in
    /// this slot, or its owner.
    Earlier(usize, Verb),
}

risk_text::named! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    enum Whose {
        Own = "the player's own",
        Partner = "a partner's",
        Other = "another player's",
        Free = "free",
    }
}

/// An order in the book.
struct PendingOrder {
    player: Player,
    action: Action,
    marks: Vec<Mark>,
}

#[derive(Default)]
struct Fate {
    executed: u64,
    failed: u64,
    /// The ruleset's announcement at the last failure.
    said: String,
}

/// A sink that counts the orders that fail.
#[derive(Default)]
pub(super) struct OrderEffects {
    pending: Vec<PendingOrder>,
    /// The order that is being executed, and whether anything has happened.
    current: Option<(PendingOrder, bool)>,
    said: String,
    fates: BTreeMap<(Verb, Mark), Fate>,
}

impl Sink for OrderEffects {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        match event {
            Event::Stored { player, action } => self.stored(moment.facts(), *player, *action),
            Event::Executed { player, action } => {
                self.settle();
                let mut pending = self.pending.iter();
                let place = pending.position(|one| one.player == *player && one.action == *action);
                self.current = place.map(|place| (self.pending.remove(place), false));
            }
            Event::Said { text, .. } => self.said.clone_from(text),
            // A player without territories is out once the last order has failed.
            Event::Unstored { .. } | Event::Status { .. } => {}
            Event::TurnBegan { .. } => {
                self.settle();
                self.pending.clear();
            }
            Event::PhaseBegan { .. } | Event::Ended { .. } => self.settle(),
            _ => {
                if let Some((_, has_effect)) = &mut self.current {
                    *has_effect = true;
                }
            }
        }
    }
}

impl OrderEffects {
    fn stored(&mut self, game: &Facts, player: Player, action: Action) {
        if self.pending.len() >= MOST_PENDING {
            return;
        }
        let slots = &game.decl().verbs[action.verb.index()].slots;
        let mut marks = vec![Mark::None];
        for (slot, (_, kind)) in slots.iter().enumerate() {
            if *kind != SlotKind::Territory {
                continue;
            }
            let at = Territory::from_index(action.args()[slot] as usize);
            let owner = game.owner(at);
            marks.push(Mark::Owner(slot, whose(game, player, owner)));
            let mut earlier = self.pending.iter().filter(|one| one.player == player);
            let named = earlier.find(|one| names(game.decl(), &one.action, at, owner));
            marks.extend(named.map(|one| Mark::Earlier(slot, one.action.verb)));
        }
        self.pending.push(PendingOrder {
            player,
            action,
            marks,
        });
    }

    /// Counts the order that was being executed.
    fn settle(&mut self) {
        let said = std::mem::take(&mut self.said);
        let Some((order, has_effect)) = self.current.take() else {
            return;
        };
        let failed = !has_effect && !said.is_empty();
        for mark in order.marks {
            let fate = self.fates.entry((order.action.verb, mark)).or_default();
            fate.executed += 1;
            fate.failed += u64::from(failed);
            if failed {
                fate.said.clone_from(&said);
            }
        }
    }

    /// Returns a finding for each kind of order that always failed, without those of verbs whose
    /// orders all failed.
    pub(super) fn findings(&self, ruleset: &Ruleset) -> Vec<Finding> {
        let decl = &ruleset.manifest.decl;
        let always = |fate: &Fate| fate.executed >= LEAST && fate.failed == fate.executed;
        let of_verb = |verb| self.fates.get(&(verb, Mark::None)).is_some_and(always);
        let all = self.fates.iter().filter(|(_, fate)| always(fate));
        let all = all.filter(|((verb, mark), _)| *mark == Mark::None || !of_verb(*verb));
        all.map(|((verb, mark), fate)| {
            let declared = &decl.verbs[verb.index()];
            let slot = |slot: usize| declared.slots[slot].0.as_str();
            let name = &declared.name;
            let kind = match *mark {
                Mark::None => format!("`{name}`"),
                Mark::Owner(at, whose) => {
                    format!("`{name}` if `{}` is {}", slot(at), whose.as_str())
                }
                Mark::Earlier(at, verb) => {
                    let earlier = &decl.verbs[verb.index()].name;
                    let at = slot(at);
                    format!("`{name}` after an order `{earlier}` that names `{at}` or its owner")
                }
            };
            let count = fate.executed;
            let text = format!("all {count} orders {kind} failed: “{}”", fate.said);
            let help = "don't offer what is certain to fail: bots, hints and people take it for \
                        possible";
            let mut finding = Finding::error("trial::never-executed", text).help(help);
            finding.level = Level::Warn;
            finding.place = place_of(ruleset, "orders_options");
            finding
        })
        .collect()
    }
}

fn whose(game: &Facts, player: Player, owner: Option<Player>) -> Whose {
    match owner {
        None => Whose::Free,
        Some(owner) if owner == player => Whose::Own,
        Some(owner) if game.allied(player, owner) => Whose::Partner,
        Some(_) => Whose::Other,
    }
}

/// Reports whether an order names a territory, or the player who owns it.
fn names(decl: &Declaration, order: &Action, at: Territory, owner: Option<Player>) -> bool {
    let slots = decl.verbs[order.verb.index()].slots.iter();
    slots
        .zip(order.args())
        .any(|((_, kind), &value)| match kind {
            SlotKind::Territory => value == at.number(),
            SlotKind::Player => owner.is_some_and(|owner| owner.number() == value),
            _ => false,
        })
}
