//! Sets: the parameters of a verb that may come in any order, such as the cards of a set. Some of
//! them are enough if only one set has them.

use std::collections::BTreeSet;

use risk_kernel::action::{Action, MAX_SLOTS};
use risk_kernel::declare::SlotKind;
use risk_kernel::id::Verb;
use risk_kernel::words::kind_word;

use super::offered::{Misread, Offered, what};
use super::spelling::{Found, Spelling, Typed, quoted};
use super::why_not::{NamedSlot, not_possible};

/// The maximum number of actions among which sets are found.
const MOST_ACTIONS: u64 = 20_000;
/// The maximum number of meanings of ambiguous words.
const MOST_MEANINGS: usize = 2_000;
/// The maximum number of words after a verb.
const MOST_WORDS: usize = 24;

/// Parses the values of a set. Returns `None` if the verb has no sets, or too many.
pub(super) fn action(
    offered: Offered<'_>,
    verb: Verb,
    words: &[&str],
    shortest: usize,
) -> Option<Result<Action, Misread>> {
    let sets = Sets::new(offered, verb)?;
    if words.len() > MOST_WORDS {
        return Some(Err(sets.too_many()));
    }
    Some(sets.read(words, shortest))
}

struct Sets<'a> {
    offered: Offered<'a>,
    verb: Verb,
    kind: SlotKind,
    size: usize,
    /// The offered actions in the order of the offers.
    all: Vec<Vec<i32>>,
    /// All values of these actions, each once.
    values: Vec<i32>,
}

/// The values that typed words may mean, in the order of the words.
struct Meaning<'a> {
    words: Vec<&'a [&'a str]>,
    values: Vec<Vec<i32>>,
}

impl<'a> Sets<'a> {
    fn new(offered: Offered<'a>, verb: Verb) -> Option<Self> {
        let kinds = offered.kinds(verb);
        let kind = kinds.first()?.1;
        let mut orders = offered.options.orders_of(verb, kinds.len());
        let is_turned = orders.nth(1).is_some();
        let is_same = kinds.iter().all(|slot| slot.1 == kind);
        if !is_turned || !is_same || kind == SlotKind::Count {
            return None;
        }
        let offers = offered.options.offers().iter();
        let offers: Vec<_> = offers.filter(|offer| offer.verb == verb).collect();
        let sizes = offers.iter().map(|offer| offered.options.offer_len(offer));
        if sizes.fold(0, u64::saturating_add) > MOST_ACTIONS {
            return None;
        }
        let mut all = Vec::new();
        for offer in offers {
            for number in 0..offered.options.offer_len(offer) {
                let mut number = number;
                let action = offered.options.nth_of(offer, &mut number);
                all.push(action.args().to_vec());
            }
        }
        let mut seen = BTreeSet::new();
        let flat = all.iter().flatten().copied();
        let values = flat.filter(|value| seen.insert(*value)).collect();
        Some(Self {
            offered,
            verb,
            kind,
            size: kinds.len(),
            all,
            values,
        })
    }

    fn too_many(&self) -> Misread {
        let usage = self.offered.words().usage(self.verb);
        Misread::new(format!("too many words: expected `{usage}`"))
    }

    fn read(&self, words: &[&str], shortest: usize) -> Result<Action, Misread> {
        let meaning = self.meaning(words, shortest)?;
        let chosen = self.choices(&meaning.values);
        let fits = chosen.iter().filter_map(|values| {
            let mut with = self.all.iter().filter(|set| has_all(set, values));
            with.next().map(|_| values)
        });
        let fits: Vec<&Vec<i32>> = fits.collect();
        let Some(first) = fits.first() else {
            return Err(self.no_set(&chosen));
        };
        let mut sets = BTreeSet::new();
        for values in &fits {
            let with = self.all.iter().filter(|set| has_all(set, values));
            sets.extend(with.map(|set| self.titles(set)));
        }
        if sets.len() > 1 {
            return Err(self.several(&meaning, &fits));
        }
        // The order of the words counts, then that of the offer.
        let with = self.all.iter().find(|set| has_all(set, first));
        let rest = with.into_iter().flatten();
        let rest = rest.filter(|value| !first.contains(value));
        let args: Vec<i32> = first.iter().chain(rest).copied().collect();
        if args.len() != self.size {
            return Err(self.no_set(&chosen));
        }
        let action = Action::new(self.verb, &args);
        self.offered.admitted(action).map_err(Misread::new)
    }

    /// Returns the sorted titles of values. Copies of a card have the same title.
    fn titles(&self, values: &[i32]) -> Vec<String> {
        let shown = values.iter().map(|&it| self.offered.shown(self.kind, it));
        let mut titles: Vec<String> = shown.collect();
        titles.sort();
        titles
    }

    /// Returns what the words may mean: first each word on its own, then several words as one name.
    fn meaning<'w>(&self, words: &'w [&'w str], shortest: usize) -> Result<Meaning<'w>, Misread> {
        let spelt = self.offered.spelt(self.kind, &self.values);
        let mut failed = 0;
        for is_joined in [false, true] {
            let mut meaning = Meaning {
                words: Vec::new(),
                values: Vec::new(),
            };
            let mut at = 0;
            while at < words.len() {
                let most = if is_joined { words.len() - at } else { 1 };
                let named = (1..=most).rev().find_map(|count| {
                    let group = &words[at..at + count];
                    let values = self.named(&spelt, group, shortest)?;
                    Some((group, values))
                });
                let Some((group, values)) = named else {
                    break;
                };
                at += group.len();
                meaning.words.push(group);
                meaning.values.push(values);
            }
            if at == words.len() && meaning.words.len() <= self.size {
                return Ok(meaning);
            }
            failed = failed.max(at);
        }
        if failed == words.len() {
            return Err(self.too_many());
        }
        let slot = NamedSlot {
            verb: self.verb,
            name: &self.offered.kinds(self.verb)[failed.min(self.size - 1)].0,
            kind: self.kind,
            given: &[],
            values: &self.values,
        };
        let (text, explained) = not_possible(&self.offered, &slot, &words[failed..]);
        Err(Misread {
            words: failed,
            explained,
            ..Misread::new(text)
        })
    }

    fn named(
        &self,
        spelt: &[(i32, Vec<Spelling>)],
        words: &[&str],
        shortest: usize,
    ) -> Option<Vec<i32>> {
        let found = self
            .offered
            .find(self.kind, spelt, &Typed::new(words, shortest));
        match found {
            Found::None => None,
            Found::Several(values) => Some(values),
            // A further copy of a card is meant if its title is named once more.
            Found::One(value) => {
                let title = self.offered.shown(self.kind, value);
                let others = self.values.iter().copied();
                let copies =
                    others.filter(|&it| it != value && self.offered.shown(self.kind, it) == title);
                Some(std::iter::once(value).chain(copies).collect())
            }
        }
    }

    /// Returns the choices of one value for each word, without repeated values.
    fn choices(&self, meanings: &[Vec<i32>]) -> Vec<Vec<i32>> {
        let mut all: Vec<Vec<i32>> = vec![Vec::new()];
        for values in meanings.iter().take(MAX_SLOTS) {
            let longer = all.iter().flat_map(|chosen| {
                let others = values.iter().filter(|value| !chosen.contains(value));
                others.map(|&value| chosen.iter().copied().chain([value]).collect())
            });
            all = longer.take(MOST_MEANINGS).collect();
        }
        all
    }

    /// Returns the message about values that are not together in any set.
    fn no_set(&self, chosen: &[Vec<i32>]) -> Misread {
        let Some(values) = chosen.first() else {
            return Misread::new(format!("the same {} is named twice", kind_word(self.kind)));
        };
        let verb = &self.offered.view.decl().verbs[self.verb.index()].name;
        let names = join(&self.offered.all_shown(self.kind, values));
        let text = format!("no `{verb}` has {names}");
        // The first of them that are together say what is missing.
        let most = (1..values.len())
            .rev()
            .find(|&count| self.all.iter().any(|set| has_all(set, &values[..count])));
        let text = match most {
            Some(count) => format!("{text}: {}", self.goes_with(&values[..count])),
            None => format!("{text}: expected {}", self.list(&self.values)),
        };
        Misread {
            words: values.len(),
            ..Misread::new(text)
        }
    }

    /// Returns the message about words that are in several sets.
    fn several(&self, meaning: &Meaning<'_>, fits: &[&Vec<i32>]) -> Misread {
        let meant = |place: usize| -> Vec<i32> {
            let values: BTreeSet<i32> = fits.iter().map(|values| values[place]).collect();
            values.into_iter().collect()
        };
        for (place, words) in meaning.words.iter().enumerate() {
            let names = self.offered.all_shown(self.kind, &meant(place));
            if names.len() > 1 {
                let word = words.join(" ");
                return Misread {
                    words: meaning.words.len(),
                    is_ambiguous: true,
                    ..Misread::new(format!("`{word}` is ambiguous: {}", quoted(&names)))
                };
            }
        }
        let place = meaning.words.len().min(self.size - 1);
        let slot = &self.offered.kinds(self.verb)[place];
        let what = what(&slot.0, slot.1);
        let text = match fits.first() {
            Some(values) if !values.is_empty() => {
                format!("missing {what}: {}", self.goes_with(values))
            }
            _ => format!("missing {what}: expected {}", self.list(&self.values)),
        };
        Misread {
            words: meaning.words.len(),
            ..Misread::new(text)
        }
    }

    /// Returns the sentence about the values that are in a set with these values.
    fn goes_with(&self, values: &[i32]) -> String {
        let with = self.all.iter().filter(|set| has_all(set, values));
        let with: BTreeSet<i32> = with.flatten().copied().collect();
        let others = with.into_iter().filter(|it| !values.contains(it));
        let others: Vec<i32> = others.collect();
        let verb = if values.len() == 1 { "goes" } else { "go" };
        let names = join(&self.offered.all_shown(self.kind, values));
        format!("{names} {verb} with {}", self.list(&others))
    }

    fn list(&self, values: &[i32]) -> String {
        self.offered.list(self.kind, values)
    }
}

fn has_all(set: &[i32], values: &[i32]) -> bool {
    values.iter().all(|value| set.contains(value))
}

fn join(names: &[String]) -> String {
    match names.split_last() {
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}
