//! One number for each factored action: all of them for small maps, or those over borders for maps
//! of any size.

use std::fmt::Display;

use pyo3::PyResult;
use risk_engine::{Action, Domain, Offer, Options, SlotKind};
use serde::{Deserialize, Serialize};

use super::MAX_SLOTS;
use super::factors::{DigitLevel, Factors, MOST_COLUMNS};
use crate::errors::IllegalAction;
use crate::integers::{self, I32, Int};
use crate::names::Names;

const MOST_ACTIONS: usize = 1 << 20;

/// The actions that have a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Numbering {
    /// None.
    Factored,
    /// All actions that the factors express.
    Flat,
    /// Those whose first two territories, if there are two, are neighbours.
    Border,
}

/// A digit of a number: the value of a column, for a parameter.
#[derive(Clone, Copy, Debug)]
struct Digit {
    column: usize,
    slot: usize,
    size: usize,
    /// The difference between the numbers of two neighbouring values.
    weight: usize,
    kind: DigitKind,
}

#[derive(Clone, Copy, Debug)]
enum DigitKind {
    Value,
    /// The border from the territory of the column to that of another column and parameter.
    Border {
        column: usize,
        slot: usize,
    },
    /// The part of an amount.
    Amount(DigitLevel),
    /// The place in the list of all offered actions of the verb, like an amount's.
    Listed,
}

/// Numbers in a row that an offer has marked. A policy that plays by masks chooses one, whose
/// action is read from the offer alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marked {
    first: u32,
    count: u32,
    /// The index of the offer.
    offer: usize,
}

/// The numbers of a verb's actions.
#[derive(Clone, Debug)]
struct VerbNumbers {
    first: usize,
    digits: Vec<Digit>,
    /// Whether an offer alone determines its numbers: at most one part of an amount, at the end.
    is_simple: bool,
}

/// The numbers for the factored actions that a ruleset could offer.
#[derive(Clone, Debug)]
pub(crate) struct FlatNumbering {
    verbs: Vec<VerbNumbers>,
    /// The number of the first border from each territory, and of all borders.
    borders: Vec<usize>,
    /// The territories on both sides of each border.
    ends: Vec<[i32; 2]>,
    pub(crate) len: usize,
}

/// Returns the digits of a verb's numbers. `borders` is the number of borders if two territories
/// are one digit.
fn digits(factors: &Factors, verb: usize, borders: Option<usize>) -> Vec<Digit> {
    let digit = |(column, slot): (usize, usize)| Digit {
        column,
        slot,
        size: factors.columns[column].size,
        weight: 1,
        kind: factors.columns[column]
            .level
            .map_or(DigitKind::Value, DigitKind::Amount),
    };
    let mut digits: Vec<Digit> = factors.used(verb).map(digit).collect();
    let is = |digit: &Digit, kind| factors.columns[digit.column].kind == kind;
    let Some(borders) = borders else {
        return digits;
    };
    let cards = |digit: &&Digit| is(digit, SlotKind::Card);
    if digits.iter().filter(cards).count() > 1 {
        // Few of the sets of cards are ever in a hand.
        digits.truncate(1);
        digits[0].kind = DigitKind::Listed;
        digits[0].size = factors.list_size();
    } else if let [from, to, ..] = &mut digits[..]
        && is(from, SlotKind::Territory)
        && is(to, SlotKind::Territory)
    {
        // A map without borders has a number that is never offered.
        from.size = borders.max(1);
        from.kind = DigitKind::Border {
            column: to.column,
            slot: to.slot,
        };
        digits.remove(1);
    }
    digits
}

impl FlatNumbering {
    /// Returns the numbers of a ruleset's actions, or `None` if they are to have none.
    pub(crate) fn new(
        factors: &Factors,
        names: &Names,
        numbering: Numbering,
    ) -> Result<Option<Self>, String> {
        if numbering == Numbering::Factored {
            return Ok(None);
        }
        let board = &names.board;
        let mut borders = vec![0];
        let mut ends: Vec<[i32; 2]> = Vec::new();
        for from in board.territories() {
            let near = board.neighbours(from).iter();
            ends.extend(near.map(|to| [from.number(), to.number()]));
            borders.push(ends.len());
        }
        let all = (numbering == Numbering::Border).then_some(ends.len());
        let mut verbs = Vec::new();
        let mut len = 0_usize;
        for verb in 0..factors.verbs() {
            let mut digits = digits(factors, verb, all);
            let mut size = Some(1_usize);
            for digit in digits.iter_mut().rev() {
                digit.weight = size.unwrap_or(0);
                size = size.and_then(|size| size.checked_mul(digit.size));
            }
            let amounts = |digit: &&Digit| matches!(digit.kind, DigitKind::Amount(_));
            verbs.push(VerbNumbers {
                first: len,
                is_simple: digits.iter().filter(amounts).count() <= 1,
                digits,
            });
            let sum = size.and_then(|size| len.checked_add(size));
            len = sum.filter(|&sum| sum <= MOST_ACTIONS).ok_or_else(|| {
                let hint = match numbering {
                    Numbering::Flat => "actions over borders, a smaller map, ",
                    _ => "a smaller map, ",
                };
                format!(
                    "a flat table would exceed {MOST_ACTIONS} entries: use {hint}fewer buckets \
                     (for example buckets=(4,)) or factored actions"
                )
            })?;
        }
        Ok(Some(Self {
            verbs,
            borders,
            ends,
            len,
        }))
    }

    /// Returns the number of the first border from a territory, and its borders.
    #[inline]
    fn borders_of(&self, from: i32) -> Option<(usize, &[[i32; 2]])> {
        let (&first, &end) = (
            self.borders.get(from as usize)?,
            self.borders.get(from as usize + 1)?,
        );
        Some((first, &self.ends[first..end]))
    }

    /// Returns the number of the action with these factors, if the factors alone determine it.
    pub(crate) fn index(&self, factors: &[i32]) -> Option<usize> {
        let verb = self.verbs.get(usize::try_from(*factors.first()?).ok()?)?;
        let mut index = verb.first;
        for digit in &verb.digits {
            let value = *factors.get(digit.column)?;
            let value = match digit.kind {
                DigitKind::Value | DigitKind::Amount(_) => usize::try_from(value).ok(),
                DigitKind::Border { column, .. } => {
                    let to = *factors.get(column)?;
                    let (first, ends) = self.borders_of(value)?;
                    ends.iter().position(|it| it[1] == to).map(|it| first + it)
                }
                DigitKind::Listed => None,
            };
            index += digit.weight * value.filter(|&value| value < digit.size)?;
        }
        Some(index)
    }

    /// Returns the number of the action with these factors. `count` is how many an action has.
    pub(crate) fn checked_index(&self, factors: Vec<Int>, count: usize) -> PyResult<usize> {
        let factors: Vec<i32> = integers::list(factors, "factors", &I32)?;
        let index = self.index(&factors).filter(|_| factors.len() == count);
        let none = format!("for {} of {count} factors: {factors:?}", factors.len());
        index.ok_or_else(|| IllegalAction::new_err(format!("no entry in the flat table {none}")))
    }

    /// Returns a number of the table from a caller's number.
    pub(crate) fn place(&self, number: i128) -> PyResult<usize> {
        let place = usize::try_from(number).ok();
        let place = place.filter(|&place| place < self.len);
        place.ok_or_else(|| IllegalAction::new_err(self.no_entry(number)))
    }

    /// Returns the reason why there is no such number.
    pub(crate) fn no_entry(&self, number: impl Display) -> String {
        let entries = self.len;
        format!("no entry {number} in the flat table of {entries} entries")
    }

    /// Returns the action with this number, or the reason why there is none.
    pub(crate) fn decode(
        &self,
        factors: &Factors,
        options: &Options,
        number: impl Copy + Display + TryInto<usize>,
    ) -> Result<Action, String> {
        let entry = number.try_into().ok();
        let entry = entry.filter(|&entry| entry < self.len);
        let entry = entry.ok_or_else(|| self.no_entry(number))?;
        let illegal = || format!("entry {number} of the flat table is illegal now");
        let mut given = [0; MOST_COLUMNS];
        let given = &mut given[..factors.columns.len()];
        if self.factors(entry, given).is_some() {
            return factors.decode(options, given);
        }
        let verb = self.verb(entry);
        let place = (entry - self.verbs[verb].first) as u64;
        let listed = factors.listed(options, verb, place);
        listed.ok_or_else(illegal)
    }

    /// Returns the action with this number if it is among those that [`Self::mask`] has marked for
    /// these options.
    pub(crate) fn marked(
        &self,
        options: &Options,
        marked: &[Marked],
        number: i32,
    ) -> Option<Action> {
        let known = |it: &&Marked| (number as u32).wrapping_sub(it.first) < it.count;
        let offer = options.offers().get(marked.iter().find(known)?.offer)?;
        let VerbNumbers { first, digits, .. } = &self.verbs[offer.verb.index()];
        let mut args = [0; MAX_SLOTS];
        let mut rest = number as usize - first;
        for digit in digits {
            let value = rest / digit.weight;
            rest %= digit.weight;
            args[digit.slot] = match digit.kind {
                DigitKind::Value => value as i32,
                DigitKind::Border { slot, .. } => {
                    let [from, to] = self.ends[value];
                    args[slot] = to;
                    from
                }
                DigitKind::Amount(level) => {
                    let domain = offer.slots()[digit.slot];
                    let (place, _) = level.range(options.size(domain), value as u64);
                    options.value(domain, place)
                }
                DigitKind::Listed => return None,
            };
        }
        Some(Action::new(offer.verb, &args[..offer.slots().len()]))
    }

    /// Returns the verb of a number.
    fn verb(&self, number: usize) -> usize {
        self.verbs.partition_point(|verb| verb.first <= number) - 1
    }

    /// Writes the factors with this number, if they don't depend on what is offered.
    pub(crate) fn factors(&self, number: usize, factors: &mut [i32]) -> Option<()> {
        if number >= self.len {
            return None;
        }
        factors.fill(0);
        let verb = self.verb(number);
        let VerbNumbers { first, digits, .. } = &self.verbs[verb];
        factors[0] = verb as i32;
        let mut rest = number - first;
        for digit in digits {
            let value = rest / digit.weight;
            rest %= digit.weight;
            factors[digit.column] = match digit.kind {
                DigitKind::Value | DigitKind::Amount(_) => value as i32,
                DigitKind::Border { column, .. } => {
                    let [from, to] = *self.ends.get(value)?;
                    factors[column] = to;
                    from
                }
                DigitKind::Listed => return None,
            };
        }
        Some(())
    }

    /// Draws the number of an offered action. `below` draws a number below its argument.
    pub(crate) fn draw(
        &self,
        factors: &Factors,
        options: &Options,
        mut below: impl FnMut(u64) -> u64,
    ) -> Result<usize, String> {
        let mut mask = vec![false; self.len];
        self.mask(factors, options, (&mut mask, &mut Vec::new()))?;
        let marked: Vec<usize> = (0..self.len).filter(|&number| mask[number]).collect();
        let place = below(marked.len() as u64);
        Ok(marked[place as usize])
    }

    /// Marks the numbers of offered actions, and lists those that an offer alone determines.
    pub(crate) fn mask(
        &self,
        factors: &Factors,
        options: &Options,
        (mask, marked): (&mut [bool], &mut Vec<Marked>),
    ) -> Result<(), String> {
        mask.fill(false);
        marked.clear();
        let mut marks = Marks {
            numbering: self,
            factors,
            options,
            mask,
            marked,
            index: 0,
            is_empty: true,
        };
        for (index, offer) in options.offers().iter().enumerate() {
            marks.index = index;
            let verb = &self.verbs[offer.verb.index()];
            if !verb.is_simple || !marks.offer(offer, verb.first, &verb.digits) {
                let is_other = |it: &Marked| options.offers()[it.offer].verb != offer.verb;
                marks.marked.retain(is_other);
                marks.descend(&mut vec![offer.verb.number()])?;
            }
        }
        if marks.is_empty && !options.is_empty() {
            return Err(
                "no legal action is over a border: use flat or factored actions".to_owned(),
            );
        }
        Ok(())
    }
}

/// A mask that is being filled.
struct Marks<'a> {
    numbering: &'a FlatNumbering,
    factors: &'a Factors,
    options: &'a Options,
    mask: &'a mut [bool],
    marked: &'a mut Vec<Marked>,
    /// The index of the offer whose numbers are being marked.
    index: usize,
    is_empty: bool,
}

impl Marks<'_> {
    /// Marks the numbers in a row from this one on. Returns `false` if another offer has marked it.
    #[inline(always)]
    fn mark(&mut self, from: usize, count: usize) -> bool {
        let cells = &mut self.mask[from..from + count];
        // Usually there are few, for which a call of `fill` takes longer.
        match cells {
            [true, ..] => return false,
            [one] => *one = true,
            [one, two] => [*one, *two] = [true; 2],
            [one, two, three] => [*one, *two, *three] = [true; 3],
            [one, two, three, four] => [*one, *two, *three, *four] = [true; 4],
            cells => cells.fill(true),
        }
        self.marked.push(Marked {
            first: from as u32,
            count: count as u32,
            offer: self.index,
        });
        self.is_empty = false;
        true
    }

    /// Returns how many numbers of an offer are in a row, if these are its last digits.
    #[inline]
    fn in_a_row(&self, offer: &Offer, digits: &[Digit]) -> Option<usize> {
        let (level, domain) = match digits {
            [] => return Some(1),
            &[
                Digit {
                    kind: DigitKind::Amount(level),
                    slot,
                    ..
                },
            ] => (level, offer.slots()[slot]),
            _ => return None,
        };
        let is_range = !matches!(domain, Domain::Among { .. });
        is_range.then(|| level.digits(self.options.size(domain)) as usize)
    }

    /// Marks the numbers of an offer, given the number of the digits so far. Returns `false` if it
    /// can't, because another offer may share an amount.
    fn offer(&mut self, offer: &Offer, number: usize, digits: &[Digit]) -> bool {
        let [digit, rest @ ..] = digits else {
            return self.mark(number, 1);
        };
        let options = self.options;
        let row = self.in_a_row(offer, rest);
        let domain = &offer.slots()[digit.slot];
        match digit.kind {
            DigitKind::Value => {
                let mut values = 0..options.size(*domain);
                values.all(|index| {
                    let value = options.value(*domain, index) as usize;
                    self.rest(offer, number + value * digit.weight, (row, rest))
                })
            }
            DigitKind::Border { slot, .. } => {
                let to = options.list(&offer.slots()[slot]);
                let (Some(from), Some(to)) = (options.list(domain), to) else {
                    return false;
                };
                for &from in from {
                    let (first, ends) = self.numbering.borders_of(from).unwrap_or_default();
                    let mut next = 0;
                    for &to in to {
                        // They are usually in the order of the borders.
                        let mut ahead = next..ends.len();
                        let place = ahead.find(|&place| ends[place][1] == to);
                        let behind = || (0..next).find(|&place| ends[place][1] == to);
                        let Some(place) = place.or_else(behind) else {
                            continue;
                        };
                        next = place + 1;
                        let number = number + (first + place) * digit.weight;
                        if !self.rest(offer, number, (row, rest)) {
                            return false;
                        }
                    }
                }
                true
            }
            DigitKind::Listed => {
                let count = self.factors.list_len(options, offer.verb.index());
                self.mask[number..][..count as usize].fill(true);
                self.is_empty = false;
                true
            }
            DigitKind::Amount(_) => {
                let count = self.in_a_row(offer, digits);
                count.is_some_and(|count| self.mark(number, count))
            }
        }
    }

    /// Marks the numbers of an offer by its last digits, or as many as are in a row.
    #[inline(always)]
    fn rest(
        &mut self,
        offer: &Offer,
        number: usize,
        (row, digits): (Option<usize>, &[Digit]),
    ) -> bool {
        match row {
            Some(count) => self.mark(number, count),
            None => self.offer(offer, number, digits),
        }
    }

    /// Marks the numbers of all actions with these first factors, digit by digit.
    fn descend(&mut self, given: &mut Vec<i32>) -> Result<(), String> {
        let column = given.len();
        if column == self.factors.columns.len() {
            if let Some(index) = self.numbering.index(given) {
                self.mask[index] = true;
                self.is_empty = false;
            }
            return Ok(());
        }
        let mut here = vec![false; self.factors.columns[column].size];
        self.factors.mask(self.options, given, &mut here)?;
        for digit in (0..here.len()).filter(|&digit| here[digit]) {
            given.push(digit as i32);
            self.descend(given)?;
            given.pop();
        }
        Ok(())
    }
}
