//! The values that `range`, `chars` and `bits` return, for loops.
//!
//! Rhai's own types can be iterated only by its own loops.

use std::cmp::Ordering;
use std::ops::{Range, RangeInclusive};

use rhai::{Dynamic, EvalAltResult, FLOAT, INT, ImmutableString, Position};

use super::place::position;
use crate::NativeResult;
use crate::natives::Natives;

/// The values for a loop.
#[derive(Clone, Debug)]
pub(crate) enum Items {
    Numbers {
        next: Option<INT>,
        end: INT,
        step: INT,
    },
    Floats {
        next: Option<FLOAT>,
        end: FLOAT,
        step: FLOAT,
    },
    Bits {
        bits: INT,
        left: usize,
    },
    Characters(std::vec::IntoIter<char>),
}

impl Iterator for Items {
    type Item = Dynamic;

    fn next(&mut self) -> Option<Dynamic> {
        match self {
            Self::Numbers { next, end, step } => {
                let number = next.take()?;
                // Rhai leaves out a last number after which there can't be another one.
                let after = number.checked_add(*step)?;
                let goes_on = if *step > 0 {
                    after < *end
                } else {
                    after > *end
                };
                *next = goes_on.then_some(after);
                Some(Dynamic::from_int(number))
            }
            Self::Floats { next, end, step } => {
                let number = next.take()?;
                let after = number + *step;
                let ends = match step.partial_cmp(&&mut 0.0) {
                    Some(Ordering::Less) => after <= *end,
                    _ => after >= *end,
                };
                *next = (!ends).then_some(after);
                Some(Dynamic::from_float(number))
            }
            Self::Bits { bits, left } => {
                *left = left.checked_sub(1)?;
                let bit = *bits & 1 != 0;
                *bits >>= 1;
                Some(Dynamic::from_bool(bit))
            }
            Self::Characters(all) => all.next().map(Dynamic::from),
        }
    }
}

/// Registers replacements for the library's functions with the same names.
pub(crate) fn register(natives: &mut Natives) {
    natives.register_iterator::<Items>();
    natives.register_fn("range", numbers);
    natives.register_fn("range", |range: Range<INT>, step: INT| {
        numbers(range.start, range.end, step)
    });
    natives.register_fn("range", floats);
    natives.register_fn("range", |range: Range<FLOAT>, step: FLOAT| {
        floats(range.start, range.end, step)
    });
    let all = |text: ImmutableString| characters(&text, 0, INT::MAX);
    natives.register_fn("chars", all);
    natives.register_get("chars", all);
    natives.register_fn("chars", |text: ImmutableString, start: INT| {
        characters(&text, start, INT::MAX)
    });
    natives.register_fn("chars", |text: ImmutableString, start: INT, length: INT| {
        characters(&text, start, length)
    });
    natives.register_fn("chars", |text: ImmutableString, range: Range<INT>| {
        let (start, length) = part(&range);
        characters(&text, start, length)
    });
    natives.register_fn(
        "chars",
        |text: ImmutableString, range: RangeInclusive<INT>| {
            let (start, length) = inclusive_part(&range);
            characters(&text, start, length)
        },
    );
    let all = |bits: INT| self::bits(bits, 0, INT::MAX);
    natives.register_fn("bits", all);
    natives.register_get("bits", all);
    natives.register_fn("bits", |bits: INT, from: INT| {
        self::bits(bits, from, INT::MAX)
    });
    natives.register_fn("bits", bits);
    natives.register_fn("bits", |bits: INT, range: Range<INT>| {
        let (start, length) = part(&range);
        self::bits(bits, start, length)
    });
    natives.register_fn("bits", |bits: INT, range: RangeInclusive<INT>| {
        let (start, length) = inclusive_part(&range);
        self::bits(bits, start, length)
    });
}

fn part(range: &Range<INT>) -> (INT, INT) {
    let start = range.start.max(0);
    (start, range.end.max(start) - start)
}

fn inclusive_part(range: &RangeInclusive<INT>) -> (INT, INT) {
    let start = (*range.start()).max(0);
    let end = (*range.end()).max(start - 1).min(INT::MAX - 1);
    (start, end - start + 1)
}

fn no_step() -> Box<EvalAltResult> {
    let inner = EvalAltResult::ErrorArithmetic("step value cannot be zero".into(), Position::NONE);
    Box::new(EvalAltResult::ErrorInFunctionCall(
        "range".into(),
        String::new(),
        Box::new(inner),
        Position::NONE,
    ))
}

fn numbers(from: INT, end: INT, step: INT) -> NativeResult<Items> {
    if step == 0 {
        return Err(no_step());
    }
    let goes = from.checked_add(step).is_some() && (end > from) == (step > 0) && end != from;
    let next = goes.then_some(from);
    Ok(Items::Numbers { next, end, step })
}

fn floats(from: FLOAT, end: FLOAT, step: FLOAT) -> NativeResult<Items> {
    let after = from + step;
    if after == from {
        return Err(no_step());
    }
    let goes = match from.partial_cmp(&end) {
        Some(Ordering::Less) => after > from,
        Some(Ordering::Greater) => after < from,
        _ => false,
    };
    let next = goes.then_some(from);
    Ok(Items::Floats { next, end, step })
}

fn characters(text: &ImmutableString, start: INT, length: INT) -> NativeResult<Items> {
    crate::meter::afford(2 * text.len() as u64)?;
    let length = usize::try_from(length.max(0)).unwrap_or(usize::MAX);
    let start = if start < 0 {
        let back = usize::try_from(start.unsigned_abs()).unwrap_or(usize::MAX);
        text.chars().count().saturating_sub(back)
    } else {
        usize::try_from(start).unwrap_or(usize::MAX)
    };
    let part: Vec<char> = text.chars().skip(start).take(length).collect();
    Ok(Items::Characters(part.into_iter()))
}

fn bits(bits: INT, from: INT, length: INT) -> NativeResult<Items> {
    let count = INT::BITS as usize;
    let Some(from) = position(count, from, true) else {
        let error = EvalAltResult::ErrorBitFieldBounds(count, from, Position::NONE);
        return Err(Box::new(error));
    };
    let length = usize::try_from(length.max(0)).unwrap_or(usize::MAX);
    Ok(Items::Bits {
        bits: bits >> from,
        left: length.min(count - from),
    })
}
