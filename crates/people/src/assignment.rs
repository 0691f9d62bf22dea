//! The assignment of typed words to the parameters of a verb. Words count in their order, several
//! words may be one name, and words may come in another order if their kinds decide where they
//! belong.

use std::cell::Cell;

use risk_kernel::action::Action;
use risk_kernel::declare::SlotKind;
use risk_kernel::id::Verb;
use risk_text::suggest;

use super::offered::{Misread, Offered, ParameterValues, what};
use super::spelling::{Found, Spelling, Typed, found, quoted};
use super::why_not::{NamedSlot, fact, is_number, known_territory, not_possible};

/// The maximum number of words after a verb: four titles of several words each.
const MOST_WORDS: usize = 24;
/// The maximum number of parameters to try. It bounds the work for lines of many words.
const MOST_STEPS: u32 = 120;

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

/// Parses the parameters of a verb. Parameters with only one possible value can be omitted.
///
/// # Errors
/// Returns the message of the reading that got furthest.
pub(super) fn action(offered: Offered<'_>, said: SaidWords<'_>) -> Result<Action, Misread> {
    let kinds = offered.kinds(said.verb);
    if said.words.len() > MOST_WORDS {
        return Err(too_many(offered, said.verb));
    }
    let mut best = why_number_first(offered, said);
    let mut plain = None;
    for is_joined in [false, true] {
        match Reader::new(offered, said, is_joined).in_order(0, &[]) {
            Ok(action) => return Ok(action),
            Err(why) => {
                plain.get_or_insert(why.clone());
                put_further(&mut best, why);
            }
        }
        if said.words.len() < 2 {
            break;
        }
    }
    let orders = offered.options.orders_of(said.verb, said.words.len());
    for order in orders.skip(1) {
        let words: Vec<&str> = order.iter().map(|&at| said.words[at]).collect();
        let words = &words[..];
        let reader = Reader::new(offered, SaidWords { words, ..said }, false);
        if let Ok(action) = reader.in_order(0, &[]) {
            return Ok(action);
        }
    }
    for is_joined in [false, true] {
        let mut found = ByKind::default();
        Reader::new(offered, said, is_joined).by_kind(0, &[], &mut found);
        if let [only] = found.actions.as_slice() {
            return Ok(*only);
        }
        if let Some(why) = found.why {
            put_further(&mut best, why);
        }
    }
    let plain = plain.filter(|why| is_usual(offered, said) && !why.is_ambiguous);
    let best = plain
        .or(best)
        .filter(|best| said.words.len() <= kinds.len() || best.is_joined);
    Err(best.unwrap_or_else(|| too_many(offered, said.verb)))
}

/// Returns the message about the names after a number, where the number belongs after them.
fn why_number_first(offered: Offered<'_>, said: SaidWords<'_>) -> Option<Misread> {
    let is_first = said.words.first().is_some_and(|word| is_number(word));
    let kinds = offered.kinds(said.verb);
    let ends = |slot: Option<&(String, SlotKind)>| slot.is_some_and(|it| it.1 == SlotKind::Count);
    if !is_first || said.words.len() < 2 || ends(kinds.first()) || !ends(kinds.last()) {
        return None;
    }
    let words: Vec<&str> = said.words[1..]
        .iter()
        .chain(&said.words[..1])
        .copied()
        .collect();
    let words = &words[..];
    let mut best = None;
    for is_joined in [false, true] {
        let reader = Reader::new(offered, SaidWords { words, ..said }, is_joined);
        if let Err(why) = reader.in_order(0, &[]) {
            put_further(&mut best, why);
        }
    }
    best
}

/// Reports whether there is one word for each parameter in the usual order, except for numbers at
/// the end. The first is the name of a territory or a slip of it, and no two of them are one name.
/// The mistake is then in one of these words.
fn is_usual(offered: Offered<'_>, said: SaidWords<'_>) -> bool {
    let kinds = offered.kinds(said.verb);
    let board = offered.view.board();
    let is_known = |words: &[&str]| known_territory(offered.view, words).is_some();
    let is_name = |word: &&str| {
        let ids = board.territories().map(|at| board.info(at).id.as_str());
        is_known(&[word]) || suggest::nearest(word, ids).is_some()
    };
    let mut pairs = kinds.iter().zip(said.words);
    let rest = kinds.get(said.words.len()..);
    rest.is_some_and(|rest| rest.iter().all(|it| it.1 == SlotKind::Count))
        && said.words.first().is_some_and(is_name)
        && !said.words.windows(2).any(is_known)
        && pairs.all(|((_, kind), word)| match kind {
            SlotKind::Count => is_number(word) || !is_name(word),
            SlotKind::Territory => !is_number(word),
            _ => false,
        })
}

fn too_many(offered: Offered<'_>, verb: Verb) -> Misread {
    let usage = offered.words().usage(verb);
    Misread::new(format!("too many words: expected `{usage}`"))
}

/// Replaces the message by that of a reading that got further.
fn put_further(best: &mut Option<Misread>, other: Misread) {
    if best.as_ref().is_none_or(|best| other.rank > best.rank) {
        *best = Some(other);
    }
}

/// Why words are no value of a parameter.
enum Missed {
    /// No value has this name.
    Name,
    Several(Vec<i32>),
    Number(String),
}

/// What was found in another order of the words.
#[derive(Default)]
struct ByKind {
    actions: Vec<Action>,
    why: Option<Misread>,
}

/// The values of a parameter, each with its names.
struct Slot<'a> {
    name: &'a str,
    kind: SlotKind,
    values: ParameterValues,
    spelt: Vec<(i32, Vec<Spelling>)>,
}

struct Reader<'a> {
    offered: Offered<'a>,
    said: SaidWords<'a>,
    kinds: &'a [(String, SlotKind)],
    /// Whether several words may be one name.
    is_joined: bool,
    steps: Cell<u32>,
}

impl<'a> Reader<'a> {
    fn new(offered: Offered<'a>, said: SaidWords<'a>, is_joined: bool) -> Self {
        Self {
            offered,
            said,
            kinds: offered.kinds(said.verb),
            is_joined,
            steps: Cell::new(MOST_STEPS),
        }
    }

    /// Returns the next parameter, or `None` if there is none or after too much work.
    fn slot(&self, args: &[i32]) -> Option<Slot<'a>> {
        self.steps.set(self.steps.get().checked_sub(1)?);
        let (name, kind) = self.kinds.get(args.len())?;
        let values = self.offered.values(self.said.verb, args);
        let spelt = match &values {
            ParameterValues::Numbers { .. } => Vec::new(),
            ParameterValues::Named(values) => self.offered.spelt(*kind, values),
        };
        Some(Slot {
            name,
            kind: *kind,
            values,
            spelt,
        })
    }

    /// Parses the words from `at` as the parameters after `args`.
    fn in_order(&self, at: usize, args: &[i32]) -> Result<Action, Misread> {
        let place = args.len();
        let rest = &self.said.words[at..];
        let misread = |text| Misread {
            rank: (at, 0, place),
            is_joined: at > place,
            ..Misread::new(text)
        };
        if place == self.kinds.len() && rest.is_empty() {
            let action = Action::new(self.said.verb, args);
            return self.offered.admitted(action).map_err(misread);
        }
        let slot = self.slot(args);
        let slot = slot.ok_or_else(|| too_many(self.offered, self.said.verb))?;
        let goes_on = |count: usize, value: i32| {
            let args: Vec<i32> = args.iter().copied().chain([value]).collect();
            self.in_order(at + count, &args)
        };
        let mut best: Option<Misread> = None;
        let most = if self.is_joined { rest.len() } else { 1 };
        let mut missed = Some(Missed::Name);
        let mut is_long_name = false;
        for count in (1..=most.min(rest.len())).rev() {
            match self.value(&slot, &rest[..count]) {
                Ok(value) => match goes_on(count, value) {
                    Ok(action) => return Ok(action),
                    Err(why) => {
                        put_further(&mut best, why);
                        is_long_name |= count > 1;
                        missed = None;
                    }
                },
                Err(why) if count == 1 => missed = Some(why),
                Err(_) => {}
            }
        }
        if !rest.is_empty() && !is_long_name {
            let is_read = missed.is_none();
            let why = self.why(&slot, args, missed.unwrap_or(Missed::Name), &rest[..most]);
            // A name where a number belongs is about an earlier parameter.
            let is_name =
                matches!(slot.values, ParameterValues::Numbers { .. }) && !is_number(rest[0]);
            let why = why.after(at, if is_name { 0 } else { place });
            let is_joined = why.is_joined || at > place;
            let why = Misread { is_joined, ..why };
            if !is_read || why.rank.1 > 1 {
                put_further(&mut best, why);
            }
        }
        if self.is_joined || rest.len() < self.kinds.len() - place {
            let is_greatest = self.said.to_the_end && rest.is_empty();
            let only = self.only(&slot, is_greatest).map_err(misread);
            match only.and_then(|value| goes_on(0, value)) {
                Ok(action) => return Ok(action),
                Err(why) => put_further(&mut best, why),
            }
        }
        Err(best.unwrap_or_else(|| misread("missing words".to_owned())))
    }

    /// Collects the actions in which each word is the value of some parameter. Words for parameters
    /// of the same kind stay in their order.
    fn by_kind(&self, used: u32, assigned: &[(i32, Option<usize>)], found: &mut ByKind) {
        let count = self.said.words.len();
        let args: Vec<i32> = assigned.iter().map(|it| it.0).collect();
        if args.len() == self.kinds.len() {
            let action = Action::new(self.said.verb, &args);
            let is_whole = used.count_ones() as usize == count;
            if is_whole
                && let Ok(action) = self.offered.admitted(action)
                && !found.actions.contains(&action)
            {
                found.actions.push(action);
            }
            return;
        }
        let Some(slot) = self.slot(&args) else {
            return;
        };
        let same = self.kinds.iter().zip(assigned);
        let same = same.filter(|((_, kind), _)| *kind == slot.kind);
        let after = same.filter_map(|(_, (_, at))| *at).max();
        let goes_on = |used: u32, value: i32, at: Option<usize>, found: &mut ByKind| {
            let mut assigned = assigned.to_vec();
            assigned.push((value, at));
            self.by_kind(used, &assigned, found);
        };
        for at in after.map_or(0, |after| after + 1)..count {
            let most = if self.is_joined { count - at } else { 1 };
            for length in 1..=most {
                let mask = ((1_u32 << length) - 1) << at;
                if used & mask != 0 {
                    break;
                }
                let words = &self.said.words[at..at + length];
                match self.value(&slot, words) {
                    Ok(value) => goes_on(used | mask, value, Some(at), found),
                    // A number out of range is the likeliest reason if all other words fit.
                    Err(Missed::Number(text)) if is_number(words[0]) => {
                        let text = self.with_fact(text, &args);
                        let reached = used.count_ones() as usize;
                        if reached + 1 == count && found.why.is_none() {
                            let rank = (reached, 0, args.len());
                            let why = Misread::new(text);
                            found.why = Some(Misread { rank, ..why });
                        }
                    }
                    Err(_) => {}
                }
            }
        }
        if let Ok(value) = self.only(&slot, false) {
            goes_on(used, value, None, found);
        }
    }

    /// Returns the value that these words name.
    fn value(&self, slot: &Slot<'_>, words: &[&str]) -> Result<i32, Missed> {
        if let &ParameterValues::Numbers { low, high } = &slot.values {
            let [word] = words else {
                return Err(Missed::Name);
            };
            return number(slot.name, low, high, word).map_err(Missed::Number);
        }
        let typed = Typed::new(words, self.said.shortest);
        match self.offered.find(slot.kind, &slot.spelt, &typed) {
            Found::One(value) => Ok(value),
            Found::Several(values) => Err(Missed::Several(values)),
            Found::None => Err(Missed::Name),
        }
    }

    /// Returns the message about the first word, or about several words that are one known name.
    fn why(&self, slot: &Slot<'_>, given: &[i32], missed: Missed, words: &[&str]) -> Misread {
        let (all, missed) = match (&slot.values, missed) {
            (_, Missed::Number(text)) => return Misread::new(self.with_fact(text, given)),
            (ParameterValues::Numbers { .. }, _) => {
                return Misread::new(format!("missing `{}`", slot.name));
            }
            (ParameterValues::Named(all), missed) => (all, missed),
        };
        let named = NamedSlot {
            verb: self.said.verb,
            name: slot.name,
            kind: slot.kind,
            given,
            values: all,
        };
        let (text, explained) = not_possible(&self.offered, &named, words);
        match missed {
            Missed::Several(values) if explained < 2 => {
                let names = self.offered.all_shown(slot.kind, &values);
                Misread {
                    rank: (0, 1, 0),
                    is_ambiguous: true,
                    ..Misread::new(format!("`{}` is ambiguous: {}", words[0], quoted(&names)))
                }
            }
            _ => Misread {
                rank: (0, explained, 0),
                ..Misread::new(text)
            },
        }
    }

    /// Adds what limits a number to the message about it.
    fn with_fact(&self, text: String, given: &[i32]) -> String {
        match fact(&self.offered, self.said.verb, given) {
            Some(fact) => format!("{text} ({fact})"),
            None => text,
        }
    }

    /// Returns the value of an omitted parameter if only one value is possible. With `is_greatest`,
    /// and for dice, it returns the maximum if several numbers are possible.
    fn only(&self, slot: &Slot<'_>, is_greatest: bool) -> Result<i32, String> {
        let name = slot.name;
        match &slot.values {
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
                what(name, slot.kind),
                self.offered.list(slot.kind, values)
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

/// Returns the value of one word for the next parameter, as for the completion of words.
pub(super) fn value(offered: Offered<'_>, verb: Verb, args: &[i32], word: &str) -> Option<i32> {
    let words = [word];
    let said = SaidWords {
        verb,
        words: &words,
        to_the_end: false,
        shortest: 1,
    };
    let reader = Reader::new(offered, said, false);
    let slot = reader.slot(args)?;
    reader.value(&slot, &words).ok()
}
