//! One number for each factored action: all of them for small maps, or those over borders for maps
//! of any size.

use std::fmt::Display;

use pyo3::PyResult;
use risk_engine::{Action, Domain, Offer, Options};
use serde::{Deserialize, Serialize};

use super::factors::{Chosen, DigitLevel, Factors};
use crate::errors::{IllegalAction, wrong};
use crate::integers::{self, I32, Int};
use crate::names::Names;

pub(crate) const MOST_ACTIONS: usize = 1 << 20;

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

impl Numbering {
    /// Returns the numbering of two flags, of which at most one may be set.
    pub(crate) fn chosen(flat: bool, border: bool) -> PyResult<Self> {
        match (flat, border) {
            (false, false) => Ok(Self::Factored),
            (true, false) => Ok(Self::Flat),
            (false, true) => Ok(Self::Border),
            (true, true) => Err(wrong("expected flat=True or border=True, found both")),
        }
    }
}

/// A digit of a number.
#[derive(Clone, Copy, Debug)]
enum Digit {
    /// The value of a column, and the parameter that it means.
    Column {
        column: usize,
        slot: usize,
        size: usize,
    },
    /// The border from one territory to the next.
    Border {
        columns: [usize; 2],
        slots: [usize; 2],
        size: usize,
    },
    /// The part of an amount, in a column.
    Amount {
        column: usize,
        slot: usize,
        size: usize,
        level: DigitLevel,
    },
    /// The place in the list of all offered actions of the verb, like an amount's.
    Listed { size: usize },
}

impl Digit {
    const fn size(self) -> usize {
        match self {
            Self::Column { size, .. }
            | Self::Border { size, .. }
            | Self::Amount { size, .. }
            | Self::Listed { size } => size,
        }
    }
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
    /// The territory behind each border.
    ends: Vec<i32>,
    pub(crate) len: usize,
}

/// Returns the digits of a verb's numbers. `borders` is the number of borders if two territories
/// are one digit.
fn digits(factors: &Factors, verb: usize, borders: Option<usize>) -> Vec<Digit> {
    let digit = |(column, slot): (usize, usize)| {
        let size = factors.columns[column].size;
        if factors.is_amount(column) {
            let level = factors.level(column);
            Digit::Amount {
                column,
                slot,
                size,
                level,
            }
        } else {
            Digit::Column { column, slot, size }
        }
    };
    let used: Vec<(usize, usize)> = factors.used(verb).collect();
    let cards = |(column, _): &&(usize, usize)| factors.is_card(*column);
    if borders.is_some() && used.iter().filter(cards).count() > 1 {
        // Few of the sets of cards are ever in a hand.
        let size = factors.list_size();
        return vec![Digit::Listed { size }];
    }
    match used[..] {
        [(from, of), (to, slot), ref rest @ ..]
            if factors.is_territory(from) && factors.is_territory(to) && borders.is_some() =>
        {
            let border = Digit::Border {
                columns: [from, to],
                slots: [of, slot],
                // A map without borders has a number that is never offered.
                size: borders.unwrap_or(0).max(1),
            };
            let rest = rest.iter().copied().map(digit);
            std::iter::once(border).chain(rest).collect()
        }
        _ => used.into_iter().map(digit).collect(),
    }
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
        let mut ends: Vec<i32> = Vec::new();
        for from in board.territories() {
            ends.extend(board.neighbours(from).iter().map(|to| to.number()));
            borders.push(ends.len());
        }
        let all = ends.len();
        let mut verbs = Vec::new();
        let mut len = 0_usize;
        for verb in 0..factors.verbs() {
            let digits = digits(
                factors,
                verb,
                (numbering == Numbering::Border).then_some(all),
            );
            let size = digits
                .iter()
                .try_fold(1_usize, |size, digit| size.checked_mul(digit.size()));
            let amounts = |digit: &&Digit| matches!(digit, Digit::Amount { .. });
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

    /// Returns the number of the border between two territories, or `None` if they have none.
    #[inline]
    fn border(&self, from: i32, to: i32) -> Option<usize> {
        let index = from as usize;
        let (first, end) = (*self.borders.get(index)?, *self.borders.get(index + 1)?);
        let place = self.ends[first..end].iter().position(|&it| it == to)?;
        Some(first + place)
    }

    /// Returns the number of the action with these factors, if the factors alone determine it.
    pub(crate) fn index(&self, factors: &[i32]) -> Option<usize> {
        let verb = self.verbs.get(usize::try_from(*factors.first()?).ok()?)?;
        let mut index = 0;
        for digit in &verb.digits {
            let value = match *digit {
                Digit::Column { column, .. } | Digit::Amount { column, .. } => {
                    usize::try_from(*factors.get(column)?).ok()
                }
                Digit::Border {
                    columns: [from, to],
                    ..
                } => self.border(*factors.get(from)?, *factors.get(to)?),
                Digit::Listed { .. } => None,
            };
            index = index * digit.size() + value.filter(|&value| value < digit.size())?;
        }
        Some(verb.first + index)
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
        number: usize,
    ) -> Result<Action, String> {
        if number >= self.len {
            return Err(self.no_entry(number));
        }
        let verb = self.verb(number);
        let VerbNumbers { first, digits, .. } = &self.verbs[verb];
        let illegal = || format!("entry {number} of the flat table is illegal now");
        let mut known = Chosen::default();
        let mut rest = number - first;
        for digit in digits.iter().rev() {
            let value = rest % digit.size();
            rest /= digit.size();
            match *digit {
                Digit::Column { slot, .. } => known.fixed[slot] = Some(value as i32),
                Digit::Border { slots, .. } => {
                    let [from, to] = self.ends_of(value).ok_or_else(illegal)?;
                    known.fixed[slots[0]] = Some(from);
                    known.fixed[slots[1]] = Some(to);
                }
                Digit::Amount { column, .. } => known.parts[column] = value as i32,
                Digit::Listed { .. } => {
                    let listed = factors.listed(options, verb, value as u64);
                    return listed.ok_or_else(illegal);
                }
            }
        }
        factors.complete(options, verb, &known)
    }

    /// Returns the territories on both sides of a border.
    fn ends_of(&self, border: usize) -> Option<[i32; 2]> {
        let to = *self.ends.get(border)?;
        let from = self.borders.partition_point(|&first| first <= border) - 1;
        Some([from as i32, to])
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
        for digit in digits.iter().rev() {
            let value = rest % digit.size();
            rest /= digit.size();
            match *digit {
                Digit::Column { column, .. } | Digit::Amount { column, .. } => {
                    factors[column] = value as i32;
                }
                Digit::Border {
                    columns: [from, to],
                    ..
                } => {
                    let ends = self.ends_of(value)?;
                    factors[from] = ends[0];
                    factors[to] = ends[1];
                }
                Digit::Listed { .. } => return None,
            }
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
        self.mask(factors, options, &mut mask)?;
        let marked: Vec<usize> = (0..self.len).filter(|&number| mask[number]).collect();
        let place = below(marked.len() as u64);
        Ok(marked[place as usize])
    }

    /// Marks the numbers of offered actions.
    pub(crate) fn mask(
        &self,
        factors: &Factors,
        options: &Options,
        mask: &mut [bool],
    ) -> Result<(), String> {
        mask.fill(false);
        let mut marks = Marks {
            numbering: self,
            factors,
            options,
            mask,
            is_empty: true,
        };
        for offer in options.offers() {
            let verb = &self.verbs[offer.verb.index()];
            if !verb.is_simple || !marks.offer(offer, (verb.first, 0), &verb.digits) {
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
    is_empty: bool,
}

impl Marks<'_> {
    fn mark(&mut self, from: usize, count: usize) {
        self.mask[from..from + count].fill(true);
        self.is_empty &= count == 0;
    }

    /// Marks the numbers of an offer, given the verb's first number and the digits so far as one
    /// number. Returns `false` if it can't, because another offer may share an amount.
    fn offer(
        &mut self,
        offer: &Offer,
        (first, mut number): (usize, usize),
        mut digits: &[Digit],
    ) -> bool {
        let options = self.options;
        let slots = offer.slots();
        while let Some((&digit, rest)) = digits.split_first() {
            number *= digit.size();
            number += match digit {
                Digit::Column { slot, .. } => match slots[slot] {
                    Domain::Is(value) => value as usize,
                    domain => {
                        return (0..options.size(domain)).all(|index| {
                            let value = options.value(domain, index) as usize;
                            self.offer(offer, (first, number + value), rest)
                        });
                    }
                },
                Digit::Border {
                    slots: [of, to], ..
                } => match (slots[of], slots[to]) {
                    (Domain::Is(from), Domain::Is(to)) => match self.numbering.border(from, to) {
                        Some(border) => border,
                        None => return true,
                    },
                    (from, to) => {
                        return (0..options.size(from)).all(|at| {
                            let at = options.value(from, at);
                            (0..options.size(to)).all(|index| {
                                let border = self.numbering.border(at, options.value(to, index));
                                border.is_none_or(|it| self.rest(offer, first, number + it, rest))
                            })
                        });
                    }
                },
                Digit::Amount { slot, level, .. } => {
                    return self.amount(slots[slot], level, first + number);
                }
                Digit::Listed { .. } => {
                    let count = self.factors.list_len(options, offer.verb.index());
                    self.mark(first, count as usize);
                    return true;
                }
            };
            digits = rest;
        }
        self.mark(first + number, 1);
        true
    }

    /// Does the same as [`Self::offer`], without a call for the usual digits after a border.
    #[inline]
    fn rest(&mut self, offer: &Offer, first: usize, number: usize, digits: &[Digit]) -> bool {
        match *digits {
            [
                Digit::Amount {
                    slot, level, size, ..
                },
            ] => self.amount(offer.slots()[slot], level, first + number * size),
            _ => self.offer(offer, (first, number), digits),
        }
    }

    /// Marks the parts of an amount, which is always the last digit, from this number on.
    #[inline]
    fn amount(&mut self, domain: Domain, level: DigitLevel, from: usize) -> bool {
        if matches!(domain, Domain::Among { .. }) || self.mask[from] {
            return false;
        }
        let count = level.digits(self.options.size(domain));
        self.mark(from, count as usize);
        true
    }

    /// Marks the numbers of all actions with these first factors, digit by digit.
    fn descend(&mut self, given: &mut Vec<i32>) -> Result<(), String> {
        let column = given.len();
        if column == self.factors.columns.len() {
            if let Some(index) = self.numbering.index(given) {
                self.mark(index, 1);
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
