//! What is offered at one decision, and the names of the values.

use risk_kernel::action::{Action, Domain, Options};
use risk_kernel::declare::SlotKind;
use risk_kernel::id::{Card, Group, Territory, Unit, Verb};
use risk_kernel::view::View;
use risk_kernel::words::{Words, kind_word};

use super::spelling::{Found, Spelling, Typed, either, find, find_name, find_part};

/// The maximum number of values to try for one parameter. No map has more territories.
const MOST_VALUES: usize = 20_000;

/// The possible values of a parameter, given the parameters before it.
pub(super) enum ParameterValues {
    Numbers { low: i32, high: i32 },
    Named(Vec<i32>),
}

/// The offers of one decision, for one player.
#[derive(Clone, Copy)]
pub(super) struct Offered<'a> {
    pub(super) view: &'a View,
    pub(super) options: &'a Options,
    pub(super) names: &'a [String],
}

/// A message about words that are not an action.
#[derive(Clone, Debug)]
pub(super) struct Misread {
    pub(super) text: String,
    /// The number of words that were understood before the failure.
    pub(super) words: usize,
    /// The number of words that the message explains.
    pub(super) explained: usize,
    pub(super) is_ambiguous: bool,
}

impl Misread {
    pub(super) const fn new(text: String) -> Self {
        Self {
            text,
            words: 0,
            explained: 0,
            is_ambiguous: false,
        }
    }
}

impl<'a> Offered<'a> {
    pub(super) fn words(&self) -> Words<'a> {
        Words::new(self.view.board(), self.view.decl())
    }

    /// Returns the offered verbs, in the order of the offers.
    pub(super) fn verbs(&self) -> Vec<(Verb, String)> {
        let mut all: Vec<(Verb, String)> = Vec::new();
        for offer in self.options.offers() {
            if all.iter().all(|(verb, _)| *verb != offer.verb) {
                let info = &self.view.decl().verbs[offer.verb.index()];
                all.push((offer.verb, info.name.clone()));
            }
        }
        all
    }

    pub(super) fn kinds(&self, verb: Verb) -> &'a [(String, SlotKind)] {
        &self.view.decl().verbs[verb.index()].slots
    }

    /// Returns the possible values of the next parameter after the given values.
    pub(super) fn values(&self, verb: Verb, given: &[i32]) -> ParameterValues {
        let known: Vec<Option<i32>> = given.iter().copied().map(Some).collect();
        self.values_at(verb, given.len(), &known)
    }

    /// Returns the possible values of a parameter, given the values of some others.
    pub(super) fn values_at(
        &self,
        verb: Verb,
        place: usize,
        known: &[Option<i32>],
    ) -> ParameterValues {
        let offers = self.options.offers().iter().filter(|offer| {
            let slots = offer.slots();
            let mut given = slots.iter().zip(known);
            offer.verb == verb
                && slots.len() > place
                && given.all(|(&slot, known)| {
                    known.is_none_or(|value| self.options.contains(slot, value))
                })
        });
        let domains: Vec<Domain> = offers.map(|offer| offer.slots()[place]).collect();
        if self.kinds(verb)[place].1 == SlotKind::Count {
            let mut low = i32::MAX;
            let mut high = i32::MIN;
            for domain in domains {
                for end in [0, self.options.size(domain).saturating_sub(1)] {
                    let value = self.options.value(domain, end);
                    low = low.min(value);
                    high = high.max(value);
                }
            }
            return ParameterValues::Numbers { low, high };
        }
        let mut all = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for domain in domains {
            let size = self.options.size(domain).min(MOST_VALUES as u64);
            for index in 0..size {
                let value = self.options.value(domain, index);
                if seen.len() < MOST_VALUES && seen.insert(value) {
                    all.push(value);
                }
            }
        }
        ParameterValues::Named(all)
    }

    /// Returns a value as one word that can be typed.
    pub(super) fn named(&self, kind: SlotKind, value: i32) -> String {
        let player = usize::try_from(value)
            .ok()
            .and_then(|it| self.names.get(it));
        match (kind, player) {
            (SlotKind::Player, Some(name)) => name.replace(' ', "_"),
            _ => self.words().value(kind, value),
        }
    }

    /// Returns the name of a value in messages, which for cards is the title that screens show.
    pub(super) fn shown(&self, kind: SlotKind, value: i32) -> String {
        let card = usize::try_from(value)
            .ok()
            .filter(|_| kind == SlotKind::Card);
        let info = card.and_then(|card| self.view.decl().cards.get(card));
        match info.and_then(|info| info.title.clone()) {
            Some(title) => title,
            None => self.named(kind, value),
        }
    }

    /// Returns the names of these values in messages, each once.
    pub(super) fn all_shown(&self, kind: SlotKind, values: &[i32]) -> Vec<String> {
        let mut seen = std::collections::BTreeSet::new();
        let names = values.iter().map(|&value| self.shown(kind, value));
        names.filter(|name| seen.insert(name.clone())).collect()
    }

    /// Returns these values as in a sentence.
    pub(super) fn list(&self, kind: SlotKind, values: &[i32]) -> String {
        either(&self.all_shown(kind, values))
    }

    /// Returns the names that people may type for a value.
    fn spellings(&self, kind: SlotKind, value: i32) -> Vec<Spelling> {
        let words = self.words();
        let mut all = vec![self.named(kind, value), words.value(kind, value)];
        let board = self.view.board();
        let decl = self.view.decl();
        match (kind, usize::try_from(value)) {
            (SlotKind::Territory, Ok(index)) if index < board.len() => {
                all.push(board.info(Territory::from_index(index)).name.clone());
            }
            (SlotKind::Continent, Ok(index)) if index < board.groups().len() => {
                let index = Group::from_index(index).index();
                all.push(board.groups()[index].name.clone());
            }
            (SlotKind::Card, Ok(index)) if index < decl.cards.len() => {
                all.push(words.card(Card::from_index(index)));
            }
            (SlotKind::Unit, Ok(index)) if index < decl.units.len() => {
                let unit = Unit::from_index(index);
                all.extend([1, 2].map(|count| words.unit(unit, count)));
            }
            _ => {}
        }
        all.iter().map(|name| Spelling::new(name)).collect()
    }

    /// Returns these values with all their names.
    pub(super) fn spelt(&self, kind: SlotKind, values: &[i32]) -> Vec<(i32, Vec<Spelling>)> {
        let spelt = |&value: &i32| (value, self.spellings(kind, value));
        values.iter().map(spelt).collect()
    }

    /// Returns the values that typed words match. Copies of a card count as one value, the first.
    pub(super) fn find(
        &self,
        kind: SlotKind,
        spelt: &[(i32, Vec<Spelling>)],
        typed: &Typed,
    ) -> Found<i32> {
        let mut found = find(typed, spelt);
        // Words that begin the name of another territory don't abbreviate this one.
        let is_free = || {
            let all = || find(typed, &spelt_board(self.view));
            kind != SlotKind::Territory || matches!(all(), Found::None)
        };
        if matches!(found, Found::None) && is_free() {
            found = find_name(typed, spelt);
        }
        // A card is named by any of its parts.
        if matches!(found, Found::One(_)) && kind == SlotKind::Card {
            found = find_part(typed, spelt);
        }
        match found {
            Found::Several(values) if self.all_shown(kind, &values).len() == 1 => {
                Found::One(values[0])
            }
            found => found,
        }
    }

    /// Returns the action as it is offered. An error says what is offered instead.
    pub(super) fn admitted(&self, action: Action) -> Result<Action, String> {
        let admitted = self.options.admit(action);
        let refused = |why| self.words().refusal(self.options, action, why);
        admitted.map(|legal| legal.action()).map_err(refused)
    }
}

/// Returns the territories of the board with the names that people may type.
pub(super) fn spelt_board(view: &View) -> Vec<(Territory, Vec<Spelling>)> {
    let board = view.board();
    let spelt = board.territories().map(|at| {
        let info = board.info(at);
        let names = [&info.id, &info.name];
        (at, names.map(|name| Spelling::new(name)).into())
    });
    spelt.collect()
}

/// Returns a parameter with its kind, as in messages.
pub(super) fn what(name: &str, kind: SlotKind) -> String {
    format!("{} `{name}`", kind_word(kind))
}
