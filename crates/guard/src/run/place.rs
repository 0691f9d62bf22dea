//! Parts of values that are no values of their own: the bits of integers, the characters of strings
//! and the bytes of blobs.

use std::ops::{Range, RangeInclusive};

use rhai::{Dynamic, EvalAltResult, INT, ImmutableString, Position, Target};

use super::machine::{Machine, Run};

/// The number of bits of an integer.
const BITS: usize = INT::BITS as usize;

/// Returns the position of an element, or `None` if it is outside. A negative index counts from the
/// end if `from_end` is true.
pub(crate) fn position(length: usize, index: INT, from_end: bool) -> Option<usize> {
    if index >= 0 {
        return usize::try_from(index).ok().filter(|index| *index < length);
    }
    let back = usize::try_from(index.unsigned_abs()).ok()?;
    length.checked_sub(back).filter(|_| from_end)
}

impl Machine<'_> {
    pub(crate) fn mismatch<T, R>(&mut self, found: &str, at: Position) -> Run<R> {
        let wanted = std::any::type_name::<T>();
        let wanted = self.engine.map_type_name(wanted).to_owned();
        self.fail(EvalAltResult::ErrorMismatchDataType(
            wanted,
            found.to_owned(),
            at,
        ))
    }

    /// Returns a value that must be a text.
    pub(crate) fn text(&mut self, value: Dynamic, at: Position) -> Run<ImmutableString> {
        let text = value.into_immutable_string();
        text.or_else(|found| self.mismatch::<ImmutableString, _>(found, at))
    }

    /// Returns a part of a value, or `None` if values of the type have no parts.
    pub(crate) fn part<'t>(
        &mut self,
        of: &'t mut Dynamic,
        index: &Dynamic,
        at: Position,
    ) -> Run<Option<Target<'t>>> {
        if let Ok(number) = of.as_int() {
            return self.bits(of, number, index, at).map(Some);
        }
        if of.is_string() {
            return self.characters(of, index, at).map(Some);
        }
        if of.is_blob() {
            let Ok(number) = index.as_int() else {
                return self.mismatch::<INT, _>(index.type_name(), at);
            };
            let length = of.as_blob_ref().map_or(0, |blob| blob.len());
            let Some(place) = position(length, number, true) else {
                return self.fail(EvalAltResult::ErrorArrayBounds(length, number, at));
            };
            let byte = of.as_blob_ref().map_or(0, |blob| blob[place]);
            return Ok(Some(Target::BlobByte {
                source: of,
                value: Dynamic::from_int(INT::from(byte)),
                index: place,
            }));
        }
        Ok(None)
    }

    fn bits<'t>(
        &mut self,
        of: &'t mut Dynamic,
        number: INT,
        index: &Dynamic,
        at: Position,
    ) -> Run<Target<'t>> {
        let range = match ends(index) {
            None => {
                let Ok(bit) = index.as_int() else {
                    return self.mismatch::<INT, _>(index.type_name(), at);
                };
                let Some(place) = position(BITS, bit, true) else {
                    return self.fail(EvalAltResult::ErrorBitFieldBounds(BITS, bit, at));
                };
                return Ok(Target::Bit {
                    source: of,
                    value: Dynamic::from_bool(number & (1 << place) != 0),
                    bit: place as u8,
                });
            }
            Some(range) => range,
        };
        let (first, last, exclusive) = range;
        let Some(first) = position(BITS, first, false) else {
            return self.fail(EvalAltResult::ErrorBitFieldBounds(BITS, first, at));
        };
        // The range is converted to one without its end.
        let last = match (last, exclusive) {
            (INT::MAX, _) => BITS as INT,
            (last, true) => last,
            (last, false) if position(BITS, last, false).is_some() => last + 1,
            (last, false) => return self.fail(EvalAltResult::ErrorBitFieldBounds(BITS, last, at)),
        };
        let Some(last) = usize::try_from(last).ok().filter(|last| *last <= BITS) else {
            return self.fail(EvalAltResult::ErrorBitFieldBounds(BITS, last, at));
        };
        let (shift, mask) = if last <= first {
            (0, 0)
        } else if (first, last) == (0, BITS) {
            (0, -1)
        } else {
            (first, (((1_u64 << (last - first)) - 1) << first) as INT)
        };
        Ok(Target::BitField {
            source: of,
            value: Dynamic::from_int((number & mask) >> shift),
            mask,
            shift: shift as u8,
        })
    }

    fn characters<'t>(
        &mut self,
        of: &'t mut Dynamic,
        index: &Dynamic,
        at: Position,
    ) -> Run<Target<'t>> {
        let text = of
            .as_immutable_string_ref()
            .map(|text| text.clone())
            .unwrap_or_default();
        let count = text.chars().count();
        let outside = |index| EvalAltResult::ErrorStringBounds(count, index, at);
        if let Ok(number) = index.as_int() {
            let Some(place) = position(count, number, true) else {
                return self.fail(outside(number));
            };
            let found = text.chars().nth(place).unwrap_or_default();
            // Rhai changes the character that is this far from the start, also if the index counts
            // from the end.
            let index = usize::try_from(number.unsigned_abs()).unwrap_or(place);
            return Ok(Target::StringChar {
                source: of,
                value: found.into(),
                index,
            });
        }
        let Some(range) = ends(index) else {
            return self.mismatch::<INT, _>(index.type_name(), at);
        };
        match slice(&text, range) {
            Ok((part, start, end)) => Ok(Target::StringSlice {
                source: of,
                value: part.into(),
                start,
                end,
                exclusive: count == 0 || range.2,
            }),
            Err(index) => self.fail(outside(index)),
        }
    }
}

/// Returns a part of a string with its start and end, or the index that is outside.
fn slice(
    text: &ImmutableString,
    range: (INT, INT, bool),
) -> Result<(ImmutableString, usize, usize), INT> {
    let (first, last, exclusive) = range;
    let count = text.chars().count();
    if count == 0 {
        return Ok((text.clone(), 0, 0));
    }
    let from_start = |index: INT| {
        if index < 0 {
            position(count, index, true)
        } else {
            Some(usize::try_from(index).unwrap_or(usize::MAX))
        }
    };
    let start = from_start(first).ok_or(first)?;
    let end = from_start(last).unwrap_or(0);
    let after = end.saturating_add(usize::from(!exclusive));
    if start == 0 && after >= count {
        return Ok((text.clone(), start, end));
    }
    let is_empty = !exclusive && end <= start;
    let length = if is_empty {
        0
    } else {
        after.saturating_sub(start)
    };
    let part: String = text.chars().skip(start).take(length).collect();
    Ok((part.into(), start, end))
}

/// Returns the start and the end of a range, and whether it excludes its end.
fn ends(range: &Dynamic) -> Option<(INT, INT, bool)> {
    if let Some(range) = range.read_lock::<Range<INT>>() {
        return Some((range.start, range.end, true));
    }
    let range = range.read_lock::<RangeInclusive<INT>>()?;
    Some((*range.start(), *range.end(), false))
}
