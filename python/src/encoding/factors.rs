//! Actions as a few small numbers: the verb, followed by a value for each kind of parameter.
//!
//! The values allowed for a factor depend on the factors before it. Amounts are chosen in levels.
//! The first level divides the offered values into as many ranges as it has buckets. The next level
//! divides the chosen range again. Once there are no more values than buckets, each value has its
//! own bucket.

use pyo3::PyResult;
use risk_engine::{Action, Declaration, Domain, Options, SlotKind, Verb};

use super::MAX_SLOTS;
use crate::errors::wrong;
use crate::names::Names;

/// One number of a factored action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// The exclusive upper bound of the values.
    pub(crate) size: usize,
    /// The kind of its parameters.
    pub(super) kind: SlotKind,
    /// The division of an amount into digits.
    pub(super) level: Option<DigitLevel>,
}

/// The factors of a ruleset's actions.
#[derive(Clone, Debug)]
pub(crate) struct Factors {
    pub(crate) columns: Vec<Column>,
    /// The division of the list of a verb's offered actions, which is that of an amount of one
    /// level.
    list: DigitLevel,
    /// The parameter that belongs to a column, by verb and column.
    slots: Vec<Vec<Option<usize>>>,
    /// The number of parameters of each verb.
    counts: Vec<usize>,
}

/// The maximum number of columns. The verb, two territories and four amounts with three levels need
/// fewer.
pub(crate) const MOST_COLUMNS: usize = 24;

/// The values of a parameter as ordered, separate ranges. Usually there is only one range.
#[derive(Clone)]
enum Values {
    One([(i64, i64); 1]),
    Several(Vec<(i64, i64)>),
}

impl std::ops::Deref for Values {
    type Target = [(i64, i64)];

    fn deref(&self) -> &[(i64, i64)] {
        match self {
            Self::One(range) => range,
            Self::Several(ranges) => ranges,
        }
    }
}

fn count(values: &[(i64, i64)]) -> u64 {
    values
        .iter()
        .map(|&(low, high)| (high - low + 1) as u64)
        .sum()
}

fn value(values: &[(i64, i64)], mut place: u64) -> Option<i32> {
    for &(low, high) in values {
        let len = (high - low + 1) as u64;
        if place < len {
            return i32::try_from(low + place as i64).ok();
        }
        place -= len;
    }
    None
}

fn place(values: &[(i64, i64)], wanted: i32) -> Option<u64> {
    let mut before = 0;
    for &(low, high) in values {
        if (low..=high).contains(&i64::from(wanted)) {
            return Some(before + (i64::from(wanted) - low) as u64);
        }
        before += (high - low + 1) as u64;
    }
    None
}

/// The division of values into digits at one level of an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DigitLevel {
    buckets: u64,
    is_first: bool,
    is_last: bool,
}

impl DigitLevel {
    #[inline]
    pub(super) fn digits(self, len: u64) -> u64 {
        if len <= self.buckets {
            len
        } else if self.is_last {
            self.buckets
        } else {
            len.div_ceil(len.div_ceil(self.buckets))
        }
    }

    /// Returns the start and the number of the values for a digit.
    #[inline]
    pub(super) fn range(self, len: u64, digit: u64) -> (u64, u64) {
        if len <= self.buckets {
            (digit, 1)
        } else if self.is_last {
            (self.shown(len, digit), 1)
        } else {
            let each = len.div_ceil(self.buckets);
            (digit * each, each.min(len - digit * each))
        }
    }

    /// Returns the value that represents a range at the last level. The first range is represented
    /// by its first value, and the last range by its last value.
    fn shown(self, len: u64, digit: u64) -> u64 {
        (u128::from(digit) * u128::from(len - 1) / u128::from(self.buckets - 1)) as u64
    }

    /// Returns the digit of a value, or `None` if another value represents the range.
    fn digit(self, len: u64, place: u64) -> Option<u64> {
        if len <= self.buckets {
            Some(place)
        } else if self.is_last {
            let near =
                (u128::from(place) * u128::from(self.buckets - 1) / u128::from(len - 1)) as u64;
            (near..self.buckets.min(near + 2)).find(|&digit| self.shown(len, digit) == place)
        } else {
            Some(place / len.div_ceil(self.buckets))
        }
    }
}

/// The part of an action that is determined by its first factors.
struct Prefix {
    verb: Verb,
    fixed: [Option<i32>; MAX_SLOTS],
    /// The values of the amount that is being chosen, with the remaining part: start and length.
    amount: Option<(Values, u64, u64)>,
}

impl Prefix {
    /// Adds the next part of an amount. `choose` returns its digit, given the values of the amount,
    /// and the start and the length of the choices that are left.
    fn part(
        &mut self,
        options: &Options,
        (slot, level): (usize, DigitLevel),
        choose: impl FnOnce(&Values, u64, u64) -> Option<u64>,
    ) -> Option<u64> {
        let (values, start, len) = amount(options, self, slot, level);
        let digit = choose(&values, start, len)?;
        let (from, left) = level.range(len, digit);
        if level.is_last {
            self.fixed[slot] = value(&values, start + from);
        } else {
            self.amount = Some((values, start + from, left));
        }
        Some(digit)
    }
}

/// Returns the remaining choices for an amount: values, start and length.
fn amount(
    options: &Options,
    prefix: &Prefix,
    slot: usize,
    level: DigitLevel,
) -> (Values, u64, u64) {
    match &prefix.amount {
        Some(left) if !level.is_first => left.clone(),
        _ => {
            let values = values(options, prefix.verb, &prefix.fixed, slot);
            let len = count(&values);
            (values, 0, len)
        }
    }
}

impl Factors {
    /// Returns the factors of a ruleset, with these numbers of buckets for the levels of amounts.
    pub(crate) fn new(names: &Names, buckets: &[u64]) -> Result<Self, String> {
        let levels = buckets.len();
        if !(1..=4).contains(&levels) || buckets.iter().any(|&each| !(2..=4_096).contains(&each)) {
            return Err("`buckets` must be one to four integers from 2 to 4,096".to_owned());
        }
        let decl = &names.decl;
        let list = DigitLevel {
            buckets: buckets[0],
            is_first: true,
            is_last: true,
        };
        let amounts = buckets.iter().enumerate().map(|(level, &buckets)| {
            Some(DigitLevel {
                buckets,
                is_first: level == 0,
                is_last: level + 1 == levels,
            })
        });
        let amounts: Vec<_> = amounts.collect();
        let mut columns = vec![Column {
            name: "verb".to_owned(),
            size: decl.verbs.len(),
            kind: SlotKind::Count,
            level: None,
        }];
        let mut slots = vec![vec![None]; decl.verbs.len()];
        let order = [
            SlotKind::Territory,
            SlotKind::Unit,
            SlotKind::Card,
            SlotKind::Player,
            SlotKind::Continent,
            SlotKind::Count,
        ];
        for kind in order {
            let own: Vec<Vec<usize>> = decl.verbs.iter().map(|verb| of_kind(verb, kind)).collect();
            let levels = if kind == SlotKind::Count {
                &amounts[..]
            } else {
                &[None]
            };
            for nth in 0..own.iter().map(Vec::len).max().unwrap_or(0) {
                for (number, &level) in levels.iter().enumerate() {
                    columns.push(Column {
                        name: column_name(kind, nth, number),
                        size: level.map_or(size_of(names, kind), |it| it.buckets as usize),
                        kind,
                        level,
                    });
                    for (slots, own) in slots.iter_mut().zip(&own) {
                        slots.push(own.get(nth).copied());
                    }
                }
            }
        }
        if columns.len() > MOST_COLUMNS {
            return Err(format!(
                "an action needs {} factors, more than the maximum of {MOST_COLUMNS}",
                columns.len()
            ));
        }
        Ok(Self {
            columns,
            list,
            slots,
            counts: decl.verbs.iter().map(|verb| verb.slots.len()).collect(),
        })
    }

    /// Returns how many places of a list of offered actions have a number.
    pub(super) fn list_size(&self) -> usize {
        self.list.buckets as usize
    }

    /// Returns how many of a verb's offered actions have a number now.
    pub(super) fn list_len(&self, options: &Options, verb: usize) -> u64 {
        self.list.digits(offered(options, verb))
    }

    /// Returns the offered action of a verb at this place of their list.
    pub(super) fn listed(&self, options: &Options, verb: usize, digit: u64) -> Option<Action> {
        let len = offered(options, verb);
        let known = (digit < self.list.digits(len)).then_some(digit)?;
        let (mut place, _) = self.list.range(len, known);
        for offer in offers(options, verb) {
            let size = options.offer_len(offer);
            if place < size {
                return Some(options.nth_of(offer, &mut place));
            }
            place -= size;
        }
        None
    }

    /// Marks the values of the next factor that lead to an offered action, given the previous
    /// factors.
    pub(crate) fn mask(
        &self,
        options: &Options,
        given: &[i32],
        mask: &mut [bool],
    ) -> Result<(), String> {
        mask.fill(false);
        let column = given.len();
        if column == 0 {
            for offer in options.offers() {
                mask[offer.verb.index()] = true;
            }
            return Ok(());
        }
        let prefix = self.prefix(options, given)?;
        let Some(slot) = self.slots[prefix.verb.index()][column] else {
            mask[0] = true;
            return Ok(());
        };
        if let Some(level) = self.columns[column].level {
            let (_, _, len) = amount(options, &prefix, slot, level);
            mask[..level.digits(len) as usize].fill(true);
            return Ok(());
        }
        for offer in fitting(options, prefix.verb, &prefix.fixed) {
            let domain = offer.slots()[slot];
            for index in 0..options.size(domain) {
                if let Ok(value) = usize::try_from(options.value(domain, index))
                    && let Some(cell) = mask.get_mut(value)
                {
                    *cell = true;
                }
            }
        }
        Ok(())
    }

    fn refused(&self, column: usize, digit: i32) -> String {
        format!(
            "{digit} is illegal for the factor `{}` given the previous factors",
            self.columns[column].name
        )
    }

    /// Decodes the first factors of an action.
    fn prefix(&self, options: &Options, given: &[i32]) -> Result<Prefix, String> {
        let verb = given.first().and_then(|&verb| usize::try_from(verb).ok());
        let verb = verb.filter(|&verb| verb < self.slots.len());
        let verb = verb.ok_or_else(|| self.refused(0, given.first().copied().unwrap_or(-1)))?;
        let mut prefix = Prefix {
            verb: Verb::from_index(verb),
            fixed: [None; MAX_SLOTS],
            amount: None,
        };
        for (column, &digit) in given.iter().enumerate().skip(1) {
            match (self.slots[verb][column], self.columns[column].level) {
                (None, _) if digit == 0 => {}
                (None, _) => return Err(self.refused(column, digit)),
                (Some(slot), None) => prefix.fixed[slot] = Some(digit),
                (Some(slot), Some(level)) => {
                    let given = |_: &Values, _, len| {
                        let digit = u64::try_from(digit).ok()?;
                        (digit < level.digits(len)).then_some(digit)
                    };
                    let part = prefix.part(options, (slot, level), given);
                    part.ok_or_else(|| self.refused(column, digit))?;
                }
            }
        }
        Ok(prefix)
    }

    /// Returns the action of a prefix without open parameters.
    fn action(&self, prefix: &Prefix) -> Result<Action, String> {
        let mut args = [0; MAX_SLOTS];
        let slots = self.counts[prefix.verb.index()];
        for (arg, fixed) in args[..slots].iter_mut().zip(prefix.fixed) {
            *arg = fixed.ok_or_else(|| "the factors don't form an action".to_owned())?;
        }
        Ok(Action::new(prefix.verb, &args[..slots]))
    }

    pub(crate) fn decode(&self, options: &Options, factors: &[i32]) -> Result<Action, String> {
        if factors.len() != self.columns.len() {
            return Err(format!(
                "expected {} factors, found {}",
                self.columns.len(),
                factors.len()
            ));
        }
        self.action(&self.prefix(options, factors)?)
    }

    /// Encodes an action. Returns `None` if an amount has no bucket of its own.
    pub(crate) fn encode(
        &self,
        options: &Options,
        action: Action,
        factors: &mut [i32],
    ) -> Option<()> {
        factors.fill(0);
        *factors.first_mut()? = action.verb.number();
        let mut prefix = Prefix {
            verb: action.verb,
            fixed: [None; MAX_SLOTS],
            amount: None,
        };
        for column in 1..self.columns.len() {
            let Some(slot) = self.slots[action.verb.index()][column] else {
                continue;
            };
            let arg = action.args()[slot];
            let Some(level) = self.columns[column].level else {
                factors[column] = arg;
                prefix.fixed[slot] = Some(arg);
                continue;
            };
            let of_arg = |values: &Values, start, len| {
                level.digit(len, place(values, arg)?.checked_sub(start)?)
            };
            factors[column] = prefix.part(options, (slot, level), of_arg)? as i32;
        }
        Some(())
    }

    /// Draws an action and writes its factors. Returns the action, unless it shares its bucket with
    /// others: its factors are then drawn one by one. `below` draws a number below its argument.
    pub(crate) fn draw(
        &self,
        options: &Options,
        factors: &mut [i32],
        mut below: impl FnMut(u64) -> PyResult<u64>,
    ) -> PyResult<Option<Action>> {
        let action = options.nth(below(options.len())?);
        if self.encode(options, action, factors).is_some() {
            return Ok(Some(action));
        }
        for column in 0..factors.len() {
            let mut open = vec![false; self.columns[column].size];
            self.mask(options, &factors[..column], &mut open)
                .map_err(wrong)?;
            let open: Vec<usize> = (0..open.len()).filter(|&digit| open[digit]).collect();
            if open.is_empty() {
                return Err(wrong("no value is legal for the next factor"));
            }
            factors[column] = open[below(open.len() as u64)? as usize] as i32;
        }
        Ok(None)
    }

    /// Reports whether a verb has an amount. Its values come from the offers that fit the other
    /// parameters, so that each action that [`Self::decode`] returns is an offered one.
    pub(super) fn has_amount(&self, verb: Verb) -> bool {
        let mut used = self.used(verb.index());
        used.any(|(column, _)| self.columns[column].level.is_some())
    }

    /// Returns the columns that a verb uses, except the verb column, with their parameters.
    pub(super) fn used(&self, verb: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let slots = self.slots[verb].iter().enumerate().skip(1);
        slots.filter_map(|(column, slot)| Some((column, (*slot)?)))
    }

    pub(super) fn verbs(&self) -> usize {
        self.slots.len()
    }
}

/// Returns the offers of a verb.
fn offers(options: &Options, verb: usize) -> impl Iterator<Item = &risk_engine::Offer> {
    let offers = options.offers().iter();
    offers.filter(move |offer| offer.verb.index() == verb)
}

/// Returns the number of a verb's offered actions.
fn offered(options: &Options, verb: usize) -> u64 {
    offers(options, verb)
        .map(|offer| options.offer_len(offer))
        .sum()
}

/// Returns the parameters of a verb that have this kind.
fn of_kind(verb: &risk_engine::VerbInfo, kind: SlotKind) -> Vec<usize> {
    let slots = verb.slots.iter().enumerate();
    let own = slots.filter(|(_, slot)| slot.1 == kind);
    own.map(|(index, _)| index).collect()
}

/// Returns the number of values of a kind but amounts.
fn size_of(names: &Names, kind: SlotKind) -> usize {
    let decl: &Declaration = &names.decl;
    match kind {
        SlotKind::Territory => names.board.len(),
        SlotKind::Continent => names.board.groups().len().max(1),
        SlotKind::Player => risk_kernel::id::MAX_PLAYERS,
        SlotKind::Card => decl.cards.len().max(1),
        SlotKind::Unit => decl.units.len(),
        SlotKind::Count => 0,
    }
}

fn column_name(kind: SlotKind, nth: usize, level: usize) -> String {
    let name = match (kind, nth) {
        (SlotKind::Territory, 0) => return "from".to_owned(),
        (SlotKind::Territory, 1) => return "to".to_owned(),
        (SlotKind::Territory, _) => "territory",
        (SlotKind::Continent, _) => "continent",
        (SlotKind::Player, _) => "player",
        (SlotKind::Card, _) => "card",
        (SlotKind::Unit, _) => "unit",
        (SlotKind::Count, _) => "amount",
    };
    let nth = if nth > 0 {
        format!("_{}", nth + 1)
    } else {
        String::new()
    };
    let level = if level > 0 {
        format!("_part_{}", level + 1)
    } else {
        String::new()
    };
    format!("{name}{nth}{level}")
}

/// Returns the offers of a verb that allow these values.
fn fitting<'a>(
    options: &'a Options,
    verb: Verb,
    fixed: &'a [Option<i32>; MAX_SLOTS],
) -> impl Iterator<Item = &'a risk_engine::Offer> {
    options.offers().iter().filter(move |offer| {
        offer.verb == verb
            && offer
                .slots()
                .iter()
                .zip(fixed)
                .all(|(&slot, fixed)| fixed.is_none_or(|value| options.contains(slot, value)))
    })
}

/// Returns a domain without a list as a range.
#[inline]
fn range(domain: Domain) -> Option<(i64, i64)> {
    match domain {
        Domain::Is(value) => Some((value.into(), value.into())),
        Domain::Span { low, high } => Some((low.into(), high.into())),
        Domain::Among { .. } => None,
    }
}

/// Returns the possible values of a parameter, given the values of other parameters.
fn values(options: &Options, verb: Verb, fixed: &[Option<i32>; MAX_SLOTS], slot: usize) -> Values {
    let domains = || fitting(options, verb, fixed).map(|offer| offer.slots()[slot]);
    let mut fits = domains();
    if let (Some(first), None) = (fits.next().and_then(range), fits.next()) {
        return Values::One([first]);
    }
    let mut values: Vec<(i64, i64)> = Vec::new();
    for domain in domains() {
        match range(domain) {
            Some(range) => values.push(range),
            None => values.extend((0..options.size(domain)).map(|index| {
                let value = i64::from(options.value(domain, index));
                (value, value)
            })),
        }
    }
    values.sort_unstable();
    let mut joined: Vec<(i64, i64)> = Vec::new();
    for (low, high) in values {
        match joined.last_mut() {
            Some(last) if low <= last.1 + 1 => last.1 = last.1.max(high),
            _ => joined.push((low, high)),
        }
    }
    Values::Several(joined)
}
