//! The parser for typed input: the grammar of records with shortcuts. Names can be abbreviated to a
//! unique prefix, `all` and `half` are numbers, and a word with only one possible value can be
//! omitted.

use risk_kernel::action::{Action, Domain, MAX_SLOTS, Options};
use risk_kernel::declare::SlotKind;
use risk_kernel::id::{Territory, Verb};
use risk_kernel::view::View;
use risk_kernel::words::{Words, kind_word};
use risk_text::plural::counted;

/// The maximum number of values to try for one parameter. No map has more territories.
const MOST_VALUES: usize = 20_000;
/// The maximum number of names in one sentence.
const MOST_NAMED: usize = 8;

/// A parsed answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ParsedAnswer {
    pub(super) action: Action,
    /// Whether to repeat the action until it is impossible. A `!` after the answer requests this.
    pub(super) to_the_end: bool,
}

/// The context for parsing an answer to one decision.
#[derive(Clone, Copy)]
pub(super) struct AnswerParser<'a> {
    pub(super) view: &'a View,
    pub(super) options: &'a Options,
    pub(super) names: &'a [String],
}

/// The possible values of a parameter, given the parameters before it.
enum ParameterValues {
    Numbers { low: i32, high: i32 },
    Named(Vec<i32>),
}

impl AnswerParser<'_> {
    /// Parses an action from words.
    ///
    /// # Errors
    /// Returns a message about what is unknown or impossible, and about what is possible.
    pub(super) fn read(&self, text: &str) -> Result<ParsedAnswer, String> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let mut to_the_end = false;
        if let Some(last) = words.last_mut()
            && let Some(rest) = last.strip_suffix('!')
        {
            to_the_end = true;
            *last = rest;
            words.retain(|word| !word.is_empty());
        }
        if to_the_end && words.is_empty() {
            let first = self.verbs().into_iter().next();
            let verb = first.map_or_else(|| "attack".to_owned(), |(_, name)| name);
            return Err(format!(
                "`!` requires an action: `{verb} … !` repeats it while it is possible"
            ));
        }
        let (&first, rest) = words
            .split_first()
            .ok_or("no suggestion for this decision: type an action, or ? for help")?;
        let action = match self.verb(first) {
            Ok(verb) => self.in_any_order(verb, rest, to_the_end)?,
            // The verb may be omitted if the words fit only one.
            Err(why) => {
                let verbs = self.verbs().into_iter();
                let read = verbs
                    .filter(|(verb, _)| !self.kinds(*verb).is_empty())
                    .filter_map(|(verb, _)| self.in_any_order(verb, &words, to_the_end).ok());
                match read.collect::<Vec<Action>>().as_slice() {
                    [only] => *only,
                    _ => return Err(why),
                }
            }
        };
        Ok(ParsedAnswer { action, to_the_end })
    }

    /// Parses the parameters of a verb. If any order is allowed, it uses the first order that
    /// works.
    fn in_any_order(&self, verb: Verb, said: &[&str], to_the_end: bool) -> Result<Action, String> {
        let mut orders = self.options.orders_of(verb, said.len());
        let turned =
            |order: Vec<usize>| -> Vec<&str> { order.iter().map(|&at| said[at]).collect() };
        let as_said = orders.next().map(turned).unwrap_or_default();
        self.action(verb, &as_said, to_the_end).or_else(|why| {
            let mut others = orders.map(turned);
            let found = others.find_map(|words| self.action(verb, &words, to_the_end).ok());
            found.ok_or(why)
        })
    }

    /// Parses the parameters of a verb. Parameters with only one possible value can be omitted.
    fn action(&self, verb: Verb, said: &[&str], to_the_end: bool) -> Result<Action, String> {
        let kinds = self.kinds(verb);
        let too_much = || {
            let usage = self.words().usage(verb);
            Err(format!("too many words: expected `{usage}`"))
        };
        if said.len() > kinds.len() {
            return too_much();
        }
        let mut said = said.iter();
        let mut args = [0; MAX_SLOTS];
        for (place, (name, kind)) in kinds.iter().enumerate() {
            let values = self.values(verb, &args[..place]);
            let is_short = said.len() < kinds.len() - place;
            args[place] = match said.as_slice().first() {
                None => self.only(name, *kind, &values, to_the_end)?,
                Some(word) => match self.value(name, *kind, &values, word) {
                    Ok(value) => {
                        said.next();
                        value
                    }
                    Err(why) if is_short => self.only(name, *kind, &values, false).or(Err(why))?,
                    Err(why) => return Err(why),
                },
            };
        }
        if said.len() > 0 {
            return too_much();
        }
        let action = Action::new(verb, &args[..kinds.len()]);
        let admitted = self.options.admit(action);
        let refused = |why| self.words().refusal(self.options, action, why);
        admitted.map(|legal| legal.action()).map_err(refused)
    }

    /// Returns the words that may follow the given words.
    pub(super) fn next_words(&self, before: &[&str]) -> Vec<String> {
        let Some((&first, rest)) = before.split_first() else {
            return self.verbs().into_iter().map(|(_, name)| name).collect();
        };
        let Ok(verb) = self.verb(first) else {
            return Vec::new();
        };
        let kinds = self.kinds(verb);
        let mut args = Vec::new();
        for ((name, kind), word) in kinds.iter().zip(rest) {
            let values = self.values(verb, &args);
            match self.value(name, *kind, &values, word) {
                Ok(value) => args.push(value),
                Err(_) => return Vec::new(),
            }
        }
        let Some((_, kind)) = kinds.get(rest.len()) else {
            return Vec::new();
        };
        match self.values(verb, &args) {
            ParameterValues::Numbers { .. } => ["all", "half"].map(str::to_owned).to_vec(),
            ParameterValues::Named(values) => values
                .into_iter()
                .map(|value| self.named(*kind, value))
                .collect(),
        }
    }

    fn words(&self) -> Words<'_> {
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

    fn verb(&self, word: &str) -> Result<Verb, String> {
        let verbs = self.verbs();
        let named = verbs.iter().map(|(verb, name)| (*verb, name.clone()));
        let spelt: Vec<_> = named.map(|(verb, name)| (verb, vec![name])).collect();
        match chosen(word, &spelt) {
            Ok(verb) => Ok(verb),
            Err(found) if found.is_empty() => {
                let names: Vec<&str> = verbs.iter().map(|(_, name)| name.as_str()).collect();
                let known = self.view.decl().verb(word).is_some();
                let what = if known {
                    format!("`{word}` is not possible now")
                } else {
                    format!("unknown action `{word}`")
                };
                Err(format!("{what}: type {}, or ? for help", either(&names)))
            }
            Err(found) => Err(format!("`{word}` is ambiguous: {}", either(&found))),
        }
    }

    fn kinds(&self, verb: Verb) -> Vec<(String, SlotKind)> {
        self.view.decl().verbs[verb.index()].slots.clone()
    }

    /// Returns the possible values of the next parameter after the given values.
    fn values(&self, verb: Verb, given: &[i32]) -> ParameterValues {
        let place = given.len();
        let offers = self.options.offers().iter().filter(|offer| {
            let slots = offer.slots();
            offer.verb == verb
                && slots.len() > place
                && slots
                    .iter()
                    .zip(given)
                    .all(|(&slot, &value)| self.options.contains(slot, value))
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

    fn named(&self, kind: SlotKind, value: i32) -> String {
        let player = usize::try_from(value)
            .ok()
            .and_then(|it| self.names.get(it));
        match (kind, player) {
            (SlotKind::Player, Some(name)) => name.replace(' ', "_"),
            _ => self.words().value(kind, value),
        }
    }

    /// Returns the names that people may type for a value.
    fn spellings(&self, kind: SlotKind, value: i32) -> Vec<String> {
        let mut all = vec![self.named(kind, value), self.words().value(kind, value)];
        if kind == SlotKind::Territory
            && let Ok(index) = usize::try_from(value)
        {
            let at = Territory::from_index(index);
            all.push(self.view.board().info(at).name.clone());
        }
        all
    }

    fn value(
        &self,
        name: &str,
        kind: SlotKind,
        values: &ParameterValues,
        word: &str,
    ) -> Result<i32, String> {
        match values {
            &ParameterValues::Numbers { low, high } => number(name, low, high, word),
            ParameterValues::Named(values) => {
                let spelt = values
                    .iter()
                    .map(|&value| (value, self.spellings(kind, value)));
                chosen(word, &spelt.collect::<Vec<_>>()).map_err(|found| {
                    if found.is_empty() {
                        let names: Vec<String> =
                            values.iter().map(|&it| self.named(kind, it)).collect();
                        let names: Vec<&str> = names.iter().map(String::as_str).collect();
                        format!(
                            "`{word}` is not possible for the {}: expected {}",
                            what(name, kind),
                            either(&names)
                        )
                    } else {
                        format!("`{word}` is ambiguous: {}", either(&found))
                    }
                })
            }
        }
    }

    /// Returns the value of an omitted parameter if only one value is possible. With `greatest`, it
    /// returns the maximum if several numbers are possible.
    fn only(
        &self,
        name: &str,
        kind: SlotKind,
        values: &ParameterValues,
        greatest: bool,
    ) -> Result<i32, String> {
        match values {
            &ParameterValues::Numbers { low, high } if low == high || (greatest && low < high) => {
                Ok(high)
            }
            &ParameterValues::Numbers { low, high } => Err(format!(
                "missing `{name}`: expected {low} to {high}, `all` or `half`"
            )),
            ParameterValues::Named(values) if values.len() == 1 => Ok(values[0]),
            ParameterValues::Named(values) => {
                let names: Vec<String> = values.iter().map(|&it| self.named(kind, it)).collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                Err(format!(
                    "missing {}: expected {}",
                    what(name, kind),
                    either(&names)
                ))
            }
        }
    }
}

/// Returns the territory with this name or id. It can be abbreviated.
///
/// # Errors
/// Returns a message with the territories that match, if there are several.
pub(super) fn territory(view: &View, word: &str) -> Result<Territory, String> {
    let board = view.board();
    let spelt = board.territories().map(|at| {
        let info = board.info(at);
        (at, vec![info.id.clone(), info.name.clone()])
    });
    chosen(word, &spelt.collect::<Vec<_>>()).map_err(|found| {
        if word.is_empty() {
            "missing a territory: type `look`, and a name or its beginning".to_owned()
        } else if found.is_empty() {
            format!("unknown territory `{word}`: `land` lists all of them")
        } else {
            format!("`{word}` is ambiguous: {}", either(&found))
        }
    })
}

/// Returns the same action with the maximum possible amount, or `None` if the action is no longer
/// possible.
pub(super) fn again(last: Action, options: &Options) -> Option<Action> {
    let lands = last.args().len().min(2);
    let again = options
        .offers()
        .iter()
        .filter(|offer| offer.verb == last.verb && offer.slots().len() >= lands)
        .filter_map(|offer| {
            let size = options.offer_len(offer);
            let fits = offer.slots()[..lands]
                .iter()
                .zip(last.args())
                .all(|(&slot, &value)| options.contains(slot, value));
            let greatest = options.nth_of(offer, &mut size.checked_sub(1)?);
            let mut args = greatest.args().to_vec();
            args[..lands].copy_from_slice(&last.args()[..lands]);
            fits.then(|| Action::new(last.verb, &args))
        })
        .max_by_key(|action| action.args().last().copied());
    again.filter(|&action| options.admit(action).is_ok())
}

fn what(name: &str, kind: SlotKind) -> String {
    format!("{} `{name}`", kind_word(kind))
}

fn number(name: &str, low: i32, high: i32, word: &str) -> Result<i32, String> {
    let value = match word.to_lowercase().as_str() {
        "all" | "max" => high,
        "half" => (high / 2).max(low),
        other => other.parse().map_err(|_| {
            format!("`{name}` must be {low} to {high}, `all` or `half`, found `{word}`")
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

/// Reduces a word to its lower-case letters and digits.
fn plain(word: &str) -> String {
    let letters = word.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns the item for a word. The word is either a complete spelling or a unique prefix.
///
/// # Errors
/// Returns the names of all matching items. The list is empty if no item matches.
fn chosen<T: Copy>(word: &str, things: &[(T, Vec<String>)]) -> Result<T, Vec<String>> {
    let word = plain(word);
    if word.is_empty() {
        return Err(Vec::new());
    }
    let mut found: Vec<(T, &String)> = Vec::new();
    for (thing, spellings) in things {
        if spellings.iter().any(|spelling| plain(spelling) == word) {
            return Ok(*thing);
        }
        if spellings
            .iter()
            .any(|spelling| plain(spelling).starts_with(&word))
        {
            found.push((*thing, &spellings[0]));
        }
    }
    match found.as_slice() {
        [(only, _)] => Ok(*only),
        several => Err(several.iter().map(|(_, name)| (*name).clone()).collect()),
    }
}

/// Joins at most `MOST_NAMED` names as in a sentence.
fn either(names: &[impl AsRef<str>]) -> String {
    // One name more is as short as the sentence about it.
    let most = if names.len() == MOST_NAMED + 1 {
        MOST_NAMED + 1
    } else {
        MOST_NAMED
    };
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    let more = names.len() - shown.len();
    if more > 0 {
        return format!("{} or {}", shown.join(", "), counted(more, "other"));
    }
    match shown.split_last() {
        Some((only, [])) => (*only).to_owned(),
        Some((end, rest)) => format!("{} or {end}", rest.join(", ")),
        None => "nothing".to_owned(),
    }
}
