//! Options in words, as products of domains or as single actions.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::json::whole_number;
use risk_kernel::action::{Action, Domain, Offer, Options};
use risk_kernel::board::Board;
use risk_kernel::declare::{Declaration, SlotKind};
use risk_kernel::id::Territory;

/// The maximum number of actions to list individually.
const MOST_LISTED: u64 = 10_000;

/// A verb or a value in an action. Players and counts are numbers, and everything else is a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Word<'a> {
    /// The id of a territory or continent, or the name of a verb, card or kind of unit.
    Name(Cow<'a, str>),
    /// A count, or a player's index, counted from 0.
    Number(i32),
}

/// An action, as a verb followed by the values of its parameters.
pub(super) type WordList<'a> = SmallVec<[Word<'a>; 6]>;

impl<'de: 'a, 'a> Deserialize<'de> for Word<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WordVisitor(PhantomData))
    }
}

struct WordVisitor<'a>(PhantomData<&'a str>);

impl<'de: 'a, 'a> Visitor<'de> for WordVisitor<'a> {
    type Value = Word<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or an integer")
    }

    fn visit_borrowed_str<E>(self, word: &'de str) -> Result<Word<'a>, E> {
        Ok(Word::Name(Cow::Borrowed(word)))
    }

    fn visit_str<E>(self, word: &str) -> Result<Word<'a>, E> {
        Ok(Word::Name(Cow::Owned(word.to_owned())))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Word<'a>, E> {
        let read = i32::try_from(number);
        read.map(Word::Number)
            .map_err(|_| E::custom(format!("{number} is out of range")))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Word<'a>, E> {
        self.visit_i64(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// Accepts floats, because many programs write `3.0` for 3.
    fn visit_f64<E: Error>(self, number: f64) -> Result<Word<'a>, E> {
        match whole_number(&number.into()) {
            Some(whole) => self.visit_i64(whole),
            None => Err(E::custom(format!("{number} is not an integer"))),
        }
    }
}

/// The possible values of a parameter.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum DomainOut<'a> {
    /// Any value from this list.
    List(SmallVec<[Word<'a>; 4]>),
    /// Any integer from `min` to `max`, inclusive.
    Span {
        /// The smallest number.
        min: i32,
        /// The largest number.
        max: i32,
    },
}

impl<'de: 'a, 'a> Deserialize<'de> for DomainOut<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DomainVisitor(PhantomData))
    }
}

struct DomainVisitor<'a>(PhantomData<&'a str>);

impl<'de: 'a, 'a> Visitor<'de> for DomainVisitor<'a> {
    type Value = DomainOut<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of values or an object with `min` and `max`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<DomainOut<'a>, A::Error> {
        let mut all = SmallVec::new();
        while let Some(word) = access.next_element()? {
            all.push(word);
        }
        Ok(DomainOut::List(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<DomainOut<'a>, A::Error> {
        #[derive(Deserialize)]
        struct Ends {
            min: i32,
            max: i32,
        }
        let Ends { min, max } = Ends::deserialize(MapAccessDeserializer::new(access))?;
        Ok(DomainOut::Span { min, max })
    }
}

/// A verb with the possible values of each parameter.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(super) struct OfferOut<'a> {
    /// The verb.
    #[serde(borrow)]
    pub(super) verb: Cow<'a, str>,
    /// The possible values of each parameter of the verb, in order.
    pub(super) parameters: Vec<DomainOut<'a>>,
}

/// A converter between values and words for a board and a ruleset.
#[derive(Clone, Copy)]
pub(super) struct Lexicon<'a> {
    pub(super) board: &'a Board,
    pub(super) decl: &'a Declaration,
    /// Whether options contain numbers instead of words.
    indices: bool,
}

impl<'a> Lexicon<'a> {
    pub(super) const fn new(board: &'a Board, decl: &'a Declaration) -> Self {
        Self {
            board,
            decl,
            indices: false,
        }
    }

    /// Selects whether options contain numbers or words.
    pub(super) const fn with_indices(self, indices: bool) -> Self {
        Self { indices, ..self }
    }

    /// Returns a parameter's value in the format of actions.
    pub(super) fn word(self, kind: SlotKind, value: i32) -> Word<'a> {
        if self.indices {
            return Word::Number(value);
        }
        let name = usize::try_from(value).ok().and_then(|index| match kind {
            SlotKind::Territory if index < self.board.len() => {
                Some(&self.board.info(Territory::from_index(index)).id)
            }
            SlotKind::Continent => self.board.groups().get(index).map(|found| &found.id),
            SlotKind::Card => self.decl.cards.get(index).map(|card| &card.name),
            SlotKind::Unit => self.decl.units.get(index),
            _ => None,
        });
        name.map_or(Word::Number(value), |name| Word::Name(Cow::Borrowed(name)))
    }

    /// Returns an action as its verb followed by the values of its parameters.
    pub(super) fn action(self, action: Action) -> WordList<'a> {
        let verb = &self.decl.verbs[action.verb.index()];
        let values = verb.slots.iter().zip(action.args());
        let values = values.map(|(slot, &value)| self.word(slot.1, value));
        std::iter::once(Word::Name(Cow::Borrowed(&verb.name)))
            .chain(values)
            .collect()
    }

    /// Returns all options, as products of domains.
    pub(super) fn offers(self, options: &Options) -> Vec<OfferOut<'a>> {
        let offers = options.offers().iter();
        offers.map(|offer| self.offer(options, offer)).collect()
    }

    /// Returns the whole actions of several steps, with one product per step.
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
            verb: Cow::Borrowed(&verb.name),
            parameters: slots
                .map(|(slot, &domain)| self.domain(options, slot.1, domain))
                .collect(),
        }
    }

    fn domain(self, options: &Options, kind: SlotKind, domain: Domain) -> DomainOut<'a> {
        if let Domain::Span { low, high } = domain
            && (self.indices || kind == SlotKind::Count)
        {
            return DomainOut::Span {
                min: low,
                max: high,
            };
        }
        let values = (0..options.size(domain)).map(|index| options.value(domain, index));
        DomainOut::List(values.map(|value| self.word(kind, value)).collect())
    }

    /// Returns all options individually, or `None` if there are more than [`MOST_LISTED`].
    pub(super) fn actions(self, options: &Options) -> Option<Vec<WordList<'a>>> {
        let all = (0..options.len()).map(|number| self.action(options.nth(number)));
        (options.len() <= MOST_LISTED).then(|| all.collect())
    }
}
