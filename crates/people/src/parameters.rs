//! The typed parameters of a verb.
//!
//! ```text
//! answer = verb { value } [ "!" ]
//! value  = number | "all" | "half" | name
//! name   = the id or the title of a territory, a card, a unit …, or a unique beginning of it;
//!          as many words as belong to one name
//! ```
//!
//! A number belongs to the next parameter that is a number, and a name to the next parameter that
//! is not. A name that no value of that parameter has belongs to the next parameter of another
//! kind, so the order of kinds does not matter. A parameter with only one possible value can be
//! omitted, and so can the number of dice.

use risk_kernel::action::Action;
use risk_kernel::declare::SlotKind;
use risk_kernel::id::Verb;

use super::offered::{Misread, Offered, ParameterValues, what};
use super::spelling::{Found, Typed, found, quoted};
use super::why_not::{NamedSlot, fact, is_number, not_possible};

/// The maximum number of words after a verb: four titles of several words each.
const MOST_WORDS: usize = 24;

/// Typed words after a verb.
#[derive(Clone, Copy)]
pub(super) struct SaidWords<'a> {
    pub(super) verb: Verb,
    pub(super) words: &'a [&'a str],
    /// Whether the action is repeated, each time with the maximum amount.
    pub(super) to_the_end: bool,
    /// The number of letters from which a beginning of a name is enough.
    pub(super) shortest: usize,
}

/// Parses the parameters of a verb.
pub(super) fn action(offered: Offered<'_>, said: SaidWords<'_>) -> Result<Action, Misread> {
    let mut reader = Reader::new(offered, said);
    let mut at = 0;
    while at < said.words.len() {
        at += reader
            .read(&said.words[at..])
            .map_err(|why| Misread { words: at, ..why })?;
    }
    let action = reader.action().map_err(|text| Misread {
        words: at,
        ..Misread::new(text)
    })?;
    offered.admitted(action).map_err(Misread::new)
}

/// Returns the value of one word for the next parameter, as for the completion of words.
pub(super) fn value(offered: Offered<'_>, verb: Verb, args: &[i32], word: &str) -> Option<i32> {
    let words = [word];
    let said = SaidWords {
        verb,
        words: &words,
        to_the_end: false,
        shortest: 1,
    };
    let mut reader = Reader::new(offered, said);
    for (known, &value) in reader.known.iter_mut().zip(args) {
        *known = Some(value);
    }
    match (reader.values(args.len()), reader.kinds.get(args.len())?) {
        (ParameterValues::Numbers { low, high }, (name, _)) => number(name, low, high, word).ok(),
        (ParameterValues::Named(_), _) => match reader.find(args.len(), &words) {
            Found::One(value) => Some(value),
            Found::Several(_) | Found::None => None,
        },
    }
}

struct Reader<'a> {
    offered: Offered<'a>,
    said: SaidWords<'a>,
    kinds: &'a [(String, SlotKind)],
    /// The values of the named parameters that were read.
    known: Vec<Option<i32>>,
    /// The words of the numbers that were read.
    numbers: Vec<Option<&'a str>>,
}

impl<'a> Reader<'a> {
    fn new(offered: Offered<'a>, said: SaidWords<'a>) -> Self {
        let kinds = offered.kinds(said.verb);
        Self {
            offered,
            said,
            kinds,
            known: vec![None; kinds.len()],
            numbers: vec![None; kinds.len()],
        }
    }

    fn values(&self, place: usize) -> ParameterValues {
        self.offered.values_at(self.said.verb, place, &self.known)
    }

    fn find(&self, place: usize, words: &[&str]) -> Found<i32> {
        let ParameterValues::Named(values) = self.values(place) else {
            return Found::None;
        };
        let kind = self.kinds[place].1;
        let spelt = self.offered.spelt(kind, &values);
        let typed = Typed::new(words, self.said.shortest);
        self.offered.find(kind, &spelt, &typed)
    }

    /// Returns the parameters that the next word may belong to: the next one of each kind, and
    /// those after it if it can be omitted.
    fn open(&self) -> Vec<usize> {
        let mut closed: Vec<SlotKind> = Vec::new();
        let is_open = |&place: &usize| {
            let kind = self.kinds[place].1;
            let is_free = self.known[place].is_none() && self.numbers[place].is_none();
            if !is_free || closed.contains(&kind) {
                return false;
            }
            if self.only(place, false).is_err() || kind == SlotKind::Count {
                closed.push(kind);
            }
            true
        };
        (0..self.kinds.len()).filter(is_open).collect()
    }

    /// Reads the next value. Returns the number of its words.
    fn read(&mut self, words: &[&'a str]) -> Result<usize, Misread> {
        let open = self.open();
        let is_count = |place: &&usize| self.kinds[**place].1 == SlotKind::Count;
        let number = open.iter().find(is_count).copied();
        if let Some(place) = number.filter(|_| is_number(words[0])) {
            self.numbers[place] = Some(words[0]);
            return Ok(1);
        }
        let names: Vec<usize> = open.iter().filter(|it| !is_count(it)).copied().collect();
        let mut several = None;
        let most = words.len().min(MOST_WORDS);
        for &place in &names {
            for count in (1..=most).rev() {
                match self.find(place, &words[..count]) {
                    Found::One(value) => {
                        self.known[place] = Some(value);
                        return Ok(count);
                    }
                    Found::Several(values) => {
                        several.get_or_insert((place, count, values));
                    }
                    Found::None => {}
                }
            }
        }
        let why = names.first().map(|&place| self.not_possible(place, words));
        Err(match (several, why, number) {
            (Some((place, count, values)), Some(why), _) if why.explained <= count => {
                self.ambiguous(place, &words[..count], &values)
            }
            (_, Some(why), _) => why,
            (_, None, Some(place)) if words.len() == 1 => {
                self.numbers[place] = Some(words[0]);
                return Ok(1);
            }
            _ => {
                let usage = self.offered.words().usage(self.said.verb);
                Misread::new(format!("too many words: expected `{usage}`"))
            }
        })
    }

    fn ambiguous(&self, place: usize, words: &[&str], values: &[i32]) -> Misread {
        let names = self.offered.all_shown(self.kinds[place].1, values);
        let words = words.join(" ");
        Misread {
            is_ambiguous: true,
            ..Misread::new(format!("`{words}` is ambiguous: {}", quoted(&names)))
        }
    }

    /// Returns the message about words that are no possible value.
    fn not_possible(&self, place: usize, words: &[&str]) -> Misread {
        let (name, kind) = &self.kinds[place];
        let ParameterValues::Named(values) = self.values(place) else {
            return Misread::new(format!("missing `{name}`"));
        };
        let given: Vec<i32> = self.known[..place].iter().flatten().copied().collect();
        let named = NamedSlot {
            verb: self.said.verb,
            name,
            kind: *kind,
            given: &given,
            values: &values,
        };
        let (text, explained) = not_possible(&self.offered, &named, words);
        Misread {
            explained,
            ..Misread::new(text)
        }
    }

    /// Returns the action of all values, with those of omitted parameters.
    fn action(&self) -> Result<Action, String> {
        let mut args = Vec::new();
        for (place, (name, _)) in self.kinds.iter().enumerate() {
            let values = self.offered.values(self.said.verb, &args);
            let value = match (values, self.numbers[place], self.known[place]) {
                (ParameterValues::Numbers { low, high }, Some(word), _) => {
                    number(name, low, high, word).map_err(|text| self.with_fact(text, &args))?
                }
                (_, _, Some(value)) => value,
                (values, ..) => self.only_of(place, &values, self.said.to_the_end)?,
            };
            args.push(value);
        }
        Ok(Action::new(self.said.verb, &args))
    }

    /// Adds what limits a number to the message about it.
    fn with_fact(&self, text: String, given: &[i32]) -> String {
        match fact(&self.offered, self.said.verb, given) {
            Some(fact) => format!("{text} ({fact})"),
            None => text,
        }
    }

    fn only(&self, place: usize, is_greatest: bool) -> Result<i32, String> {
        self.only_of(place, &self.values(place), is_greatest)
    }

    /// Returns the value of an omitted parameter if only one value is possible. With `is_greatest`,
    /// and for dice, it returns the maximum if several numbers are possible.
    fn only_of(
        &self,
        place: usize,
        values: &ParameterValues,
        is_greatest: bool,
    ) -> Result<i32, String> {
        let (name, kind) = &self.kinds[place];
        match values {
            &ParameterValues::Numbers { low, high }
                if low == high || (low < high && (is_greatest || name == "dice")) =>
            {
                Ok(high)
            }
            &ParameterValues::Numbers { low, high } => Err(format!(
                "missing `{name}`: expected {low} to {high}, `all` or `half`"
            )),
            ParameterValues::Named(values) if values.len() == 1 => Ok(values[0]),
            ParameterValues::Named(values) => Err(format!(
                "missing {}: expected {}",
                what(name, *kind),
                self.offered.list(*kind, values)
            )),
        }
    }
}

fn number(name: &str, low: i32, high: i32, word: &str) -> Result<i32, String> {
    let value = match word.to_lowercase().as_str() {
        "all" | "max" => high,
        "half" => (high / 2).max(low),
        other => other.parse().map_err(|_| {
            let found = found(word);
            format!("`{name}` must be {low} to {high}, `all` or `half`, found {found}")
        })?,
    };
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    Err(if low == high {
        format!("`{name}` must be {low}, found {value}")
    } else {
        format!("`{name}` must be {low} to {high}, found {value}")
    })
}
