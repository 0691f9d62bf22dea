//! What may be done, in words: products of domains, and single actions.

use schemars::JsonSchema;
use serde::Serialize;

use risk_kernel::action::{Action, Domain, Offer, Options};
use risk_kernel::board::Board;
use risk_kernel::declare::{Declaration, SlotKind};
use risk_kernel::id::Territory;

/// The most actions that are written out one by one.
const MOST_LISTED: u64 = 10_000;

/// A verb or a value in an action: a word, or a number where it is a player or a count.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Word<'a> {
    /// The id of a territory or a continent, the name of a verb, a card or a kind of unit.
    Name(&'a str),
    /// A player, counted from 0, or a count.
    Number(i32),
}

/// The values that one parameter may take.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum DomainOut<'a> {
    /// One of these.
    List(Vec<Word<'a>>),
    /// Every whole number from `min` to `max`, both included.
    Span {
        /// The least number that may be chosen.
        min: i32,
        /// The greatest number that may be chosen.
        max: i32,
    },
}

/// A verb, and what each of its parameters may be.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct OfferOut<'a> {
    /// What may be done.
    verb: &'a str,
    /// What may be chosen for each parameter of the verb, in their order.
    parameters: Vec<DomainOut<'a>>,
}

/// Words for what is played on a board under a ruleset.
#[derive(Clone, Copy)]
pub(super) struct Lexicon<'a> {
    pub(super) board: &'a Board,
    pub(super) decl: &'a Declaration,
}

impl<'a> Lexicon<'a> {
    /// A parameter's value as actions have it.
    pub(super) fn word(self, kind: SlotKind, value: i32) -> Word<'a> {
        let name = usize::try_from(value).ok().and_then(|index| match kind {
            SlotKind::Territory if index < self.board.len() => {
                Some(&self.board.info(Territory::from_index(index)).id)
            }
            SlotKind::Continent => self.board.continents().get(index).map(|found| &found.id),
            SlotKind::Card => self.decl.cards.get(index).map(|card| &card.name),
            SlotKind::Unit => self.decl.units.get(index),
            _ => None,
        });
        name.map_or(Word::Number(value), |name| Word::Name(name))
    }

    /// An action: the verb, and the values of its parameters.
    pub(super) fn action(self, action: Action) -> Vec<Word<'a>> {
        let verb = &self.decl.verbs[action.verb.index()];
        let values = verb.slots.iter().zip(action.args());
        let values = values.map(|(slot, &value)| self.word(slot.1, value));
        std::iter::once(Word::Name(&verb.name))
            .chain(values)
            .collect()
    }

    /// Everything that may be done, as products.
    pub(super) fn offers(self, options: &Options) -> Vec<OfferOut<'a>> {
        let offers = options.offers().iter();
        offers.map(|offer| self.offer(options, offer)).collect()
    }

    /// The whole actions of several steps, as products of each step.
    pub(super) fn plans(self, options: &Options) -> Vec<Vec<OfferOut<'a>>> {
        let offers = |steps: &[Offer]| {
            let steps = steps.iter();
            steps.map(|step| self.offer(options, step)).collect()
        };
        options.plan_offers().map(offers).collect()
    }

    fn offer(self, options: &Options, offer: &Offer) -> OfferOut<'a> {
        let verb = &self.decl.verbs[offer.verb.index()];
        let slots = verb.slots.iter().zip(offer.slots());
        OfferOut {
            verb: &verb.name,
            parameters: slots
                .map(|(slot, &domain)| self.domain(options, slot.1, domain))
                .collect(),
        }
    }

    fn domain(self, options: &Options, kind: SlotKind, domain: Domain) -> DomainOut<'a> {
        if let (SlotKind::Count, Domain::Span { low, high }) = (kind, domain) {
            return DomainOut::Span {
                min: low,
                max: high,
            };
        }
        let values = (0..options.size(domain)).map(|index| options.value(domain, index));
        DomainOut::List(values.map(|value| self.word(kind, value)).collect())
    }

    /// Everything that may be done, one by one; `None` where that is too much.
    pub(super) fn actions(self, options: &Options) -> Option<Vec<Vec<Word<'a>>>> {
        let all = (0..options.len()).map(|number| self.action(options.nth(number)));
        (options.len() <= MOST_LISTED).then(|| all.collect())
    }
}
