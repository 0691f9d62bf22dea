//! Functions of arrays and maps that call a script's function for each element, and sorts.
//!
//! Rhai's versions leave a list unsorted if the comparing function fails, and they hide errors of
//! sizes, which a script could catch. The sorts here cost the same number of operations with every
//! version of Rust.

use std::any::TypeId;

use rhai::{Array, Dynamic, EvalAltResult, FnPtr, INT, ImmutableString, Map, Position};

use super::call_back::Each;
use super::calls::NativePlace;
use super::machine::{Machine, Run};
use crate::natives::Natives;
use crate::{guard, kind, meter};

/// A function of lists. The last argument is neither the object nor the script's function.
#[derive(Clone, Copy)]
enum ListFunction {
    OfArray(fn(&mut Each<'_, '_>, &mut Array, Option<Dynamic>) -> Run<Dynamic>),
    OfMap(fn(&mut Each<'_, '_>, &mut Map) -> Run<Dynamic>),
    Sort(fn(&mut Each<'_, '_>, &mut Array) -> Run<Dynamic>),
    /// A search for a text that may be a function's name.
    Text,
}
use ListFunction::{OfArray, OfMap, Sort, Text};

/// The names of functions, whether the object may be a constant, and their signatures: an array
/// (`A`), a map (`M`), a function (`F`) or its name (`N`), an integer (`I`), and any value (`V`).
const FUNCTIONS: &[(&str, bool, &str, ListFunction)] = &[
    ("for_each", false, "AF", OfArray(for_each)),
    ("map", true, "AF AN", OfArray(map)),
    ("filter", true, "AF AN", OfArray(filter)),
    ("some all", true, "AF AN", OfArray(test)),
    ("drain retain", false, "AF AN", OfArray(part)),
    ("find", true, "AF AFI", OfArray(find)),
    ("find_map", true, "AF AFI", OfArray(find_map)),
    ("index_of", true, "AF AFI", OfArray(index_of)),
    ("index_of", true, "AN ANI", Text),
    ("reduce reduce_rev", true, "AF AN AFV ANV", OfArray(reduce)),
    ("zip", true, "AAF", OfArray(zip)),
    ("map", true, "MF", OfMap(map_entries)),
    ("filter", true, "MF", OfMap(filter_entries)),
    ("drain retain", false, "MF", OfMap(part_of_map)),
    ("sort sort_by", false, "AF AN", Sort(sort)),
    ("order order_by", true, "AF AN", Sort(sorted)),
    ("dedup", false, "AF AN", Sort(dedup)),
];

/// Returns the names and signatures of the functions, with their purity and their numbers.
fn functions() -> impl Iterator<Item = (&'static str, &'static str, bool, usize)> {
    FUNCTIONS
        .iter()
        .enumerate()
        .flat_map(|(number, (names, is_pure, signatures, _))| {
            let all = names.split(' ');
            all.flat_map(|name| {
                signatures
                    .split(' ')
                    .map(move |signature| (name, signature))
            })
            .map(move |(name, signature)| (name, signature, *is_pure, number))
        })
}

/// Returns the parameter of a letter, as Rhai writes it, and its type.
fn parameter(letter: char) -> (&'static str, TypeId) {
    match letter {
        'A' => ("_: &mut Array", TypeId::of::<Array>()),
        'M' => ("_: &mut Map", TypeId::of::<Map>()),
        'F' => ("_: FnPtr", TypeId::of::<FnPtr>()),
        'N' => ("_: &str", TypeId::of::<ImmutableString>()),
        'I' => ("_: i64", TypeId::of::<INT>()),
        _ => ("_: Dynamic", TypeId::of::<Dynamic>()),
    }
}

/// Returns the signatures of these functions, as Rhai writes those of a host's functions.
pub fn list_functions() -> impl Iterator<Item = String> {
    functions().map(|(name, signature, ..)| {
        let parameters = signature.chars().map(|letter| parameter(letter).0);
        let parameters: Vec<&str> = parameters.collect();
        format!("{name}({})", parameters.join(", "))
    })
}

/// Registers replacements for the library's functions with the same names.
pub(crate) fn register(natives: &Natives) {
    let table = natives.table();
    for (name, signature, is_pure, number) in functions() {
        let types = signature.chars().map(|letter| parameter(letter).1);
        table.add_list(name, types.collect(), is_pure, number);
    }
}

impl Machine<'_> {
    /// Calls the function of lists with this number.
    pub(crate) fn call_list(
        &mut self,
        number: usize,
        name: &str,
        args: &mut [&mut Dynamic],
        is_constant: bool,
        at: Position,
    ) -> Run<Dynamic> {
        let function = FUNCTIONS[number].3;
        let Some((object, rest)) = args.split_first_mut() else {
            return Ok(Dynamic::UNIT);
        };
        if let Text = function {
            return self.index_of_text(object, rest, is_constant, at);
        }
        let mut rest: Vec<Dynamic> = rest.iter_mut().map(|arg| std::mem::take(*arg)).collect();
        let is_function = |arg: &Dynamic| arg.is_fnptr() || arg.is_string();
        let place = rest.iter().position(is_function).unwrap_or(0);
        let called = rest.remove(place);
        let called = match called.read_lock::<FnPtr>().map(|known| known.clone()) {
            Some(known) => known,
            None => {
                let name = called.into_immutable_string().unwrap_or_default();
                self.received(FnPtr::new(name), at)?
            }
        };
        if !matches!(function, Sort(_)) {
            meter::charge(self.received(guard::weigh(object), at)?);
        }
        let mut each = Each::new(self, name, called, is_constant, at);
        match function {
            OfMap(run) => match object.as_map_mut() {
                Ok(mut map) => run(&mut each, &mut map),
                Err(_) => Ok(Dynamic::UNIT),
            },
            OfArray(run) => match object.as_array_mut() {
                Ok(mut array) => run(&mut each, &mut array, rest.pop()),
                Err(_) => Ok(Dynamic::UNIT),
            },
            Sort(run) => match object.as_array_mut() {
                Ok(mut array) => run(&mut each, &mut array),
                Err(_) => Ok(Dynamic::UNIT),
            },
            Text => Ok(Dynamic::UNIT),
        }
    }

    /// Searches with the script's function of this name, or for the text itself if there is no such
    /// function.
    fn index_of_text(
        &mut self,
        list: &mut Dynamic,
        rest: &mut [&mut Dynamic],
        is_constant: bool,
        at: Position,
    ) -> Run<Dynamic> {
        let work = self.received(guard::weigh(list), at)?;
        meter::charge(work);
        let text = std::mem::take(rest[0]);
        let start = rest.get_mut(1).map(|start| std::mem::take(*start));
        let Ok(mut array) = list.as_array_mut() else {
            return Ok(Dynamic::UNIT);
        };
        let name = text.clone().into_immutable_string().unwrap_or_default();
        if let Ok(function) = FnPtr::new(name.clone()) {
            meter::charge(work);
            let mut each = Each::new(self, "index_of", function, is_constant, at);
            let found = index_of(&mut each, &mut array, start.clone());
            if found.is_ok() || !each.is_missing() {
                return found;
            }
            self.halt = None;
        }
        let place = NativePlace::new("==".into(), at);
        let from = first(array.len(), start);
        for (index, item) in array.iter_mut().enumerate().skip(from) {
            self.step(at)?;
            let args = &mut [item, &mut text.clone()];
            let is_same = place.find(self, args).is_some()
                && is_true(&place.run(self, args, false, false)?.dynamic());
            if is_same {
                return Ok(Dynamic::from_int(index as INT));
            }
        }
        Ok(Dynamic::from_int(-1))
    }
}

fn is_true(answer: &Dynamic) -> bool {
    answer.as_bool().unwrap_or(false)
}

/// Returns the index at which a search starts. A negative one counts from the end.
fn first(length: usize, start: Option<Dynamic>) -> usize {
    let start = start.and_then(|start| start.as_int().ok()).unwrap_or(0);
    let distance = usize::try_from(start.unsigned_abs()).unwrap_or(usize::MAX);
    if start < 0 {
        length.saturating_sub(distance)
    } else {
        distance
    }
}

fn for_each(each: &mut Each<'_, '_>, list: &mut Array, _: Option<Dynamic>) -> Run<Dynamic> {
    for (index, item) in list.iter_mut().enumerate() {
        let _ = each.call(Some(item), None, None, Some(index))?;
    }
    Ok(Dynamic::UNIT)
}

fn map(each: &mut Each<'_, '_>, list: &mut Array, _: Option<Dynamic>) -> Run<Dynamic> {
    let items = list.iter_mut().enumerate();
    let made = items.map(|(index, item)| each.element(index, item));
    made.collect::<Run<Array>>().map(Dynamic::from_array)
}

fn filter(each: &mut Each<'_, '_>, list: &mut Array, _: Option<Dynamic>) -> Run<Dynamic> {
    let mut kept = Array::new();
    for (index, item) in list.iter_mut().enumerate() {
        if is_true(&each.element(index, item)?) {
            kept.push(item.clone());
        }
    }
    Ok(Dynamic::from_array(kept))
}

/// Returns the index of the first element for which the function returns this answer.
fn search(
    each: &mut Each<'_, '_>,
    list: &mut Array,
    start: Option<Dynamic>,
    wanted: bool,
) -> Run<Option<usize>> {
    let from = first(list.len(), start);
    for (index, item) in list.iter_mut().enumerate().skip(from) {
        if is_true(&each.element(index, item)?) == wanted {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

fn test(each: &mut Each<'_, '_>, list: &mut Array, _: Option<Dynamic>) -> Run<Dynamic> {
    let is_some = each.name == "some";
    let found = search(each, list, None, is_some)?;
    Ok((found.is_some() == is_some).into())
}

fn index_of(each: &mut Each<'_, '_>, list: &mut Array, start: Option<Dynamic>) -> Run<Dynamic> {
    let found = search(each, list, start, true)?;
    Ok(Dynamic::from_int(found.map_or(-1, |index| index as INT)))
}

fn find(each: &mut Each<'_, '_>, list: &mut Array, start: Option<Dynamic>) -> Run<Dynamic> {
    let found = search(each, list, start, true)?;
    Ok(found.map_or(Dynamic::UNIT, |index| list[index].clone()))
}

fn find_map(each: &mut Each<'_, '_>, list: &mut Array, start: Option<Dynamic>) -> Run<Dynamic> {
    let from = first(list.len(), start);
    for (index, item) in list.iter_mut().enumerate().skip(from) {
        let made = each.element(index, item)?;
        if !made.is_unit() {
            return Ok(made);
        }
    }
    Ok(Dynamic::UNIT)
}

fn reduce(each: &mut Each<'_, '_>, list: &mut Array, start: Option<Dynamic>) -> Run<Dynamic> {
    let count = list.len();
    let is_reverse = each.name == "reduce_rev";
    (0..count).try_fold(start.unwrap_or_default(), |sum, number| {
        let index = if is_reverse {
            count - 1 - number
        } else {
            number
        };
        each.call(Some(&mut list[index]), Some(sum), Some(1), Some(index))
    })
}

fn zip(each: &mut Each<'_, '_>, list: &mut Array, other: Option<Dynamic>) -> Run<Dynamic> {
    let other = other.and_then(|other| other.into_array().ok());
    let pairs = list.iter().zip(other.unwrap_or_default()).enumerate();
    let made = pairs.map(|(index, (first, second))| each.pair(first.clone(), second, index));
    made.collect::<Run<Array>>().map(Dynamic::from_array)
}

/// Removes and returns elements: with `drain` those for which the function returns true, with
/// `retain` the others.
fn part(each: &mut Each<'_, '_>, list: &mut Array, _: Option<Dynamic>) -> Run<Dynamic> {
    let takes = each.name == "drain";
    let mut taken = Array::new();
    let mut at = 0;
    for index in 0..list.len() {
        if is_true(&each.element(index, &mut list[at])?) == takes {
            taken.push(list.remove(at));
        } else {
            at += 1;
        }
    }
    Ok(Dynamic::from_array(taken))
}

fn map_entries(each: &mut Each<'_, '_>, map: &mut Map) -> Run<Dynamic> {
    let made = map
        .iter_mut()
        .map(|(key, item)| Ok((key.clone(), each.entry(key, item)?)));
    made.collect::<Run<Map>>().map(Dynamic::from_map)
}

fn filter_entries(each: &mut Each<'_, '_>, map: &mut Map) -> Run<Dynamic> {
    let mut kept = Map::new();
    for (key, item) in map.iter_mut() {
        if is_true(&each.entry(key, item)?) {
            kept.insert(key.clone(), item.clone());
        }
    }
    Ok(Dynamic::from_map(kept))
}

fn part_of_map(each: &mut Each<'_, '_>, map: &mut Map) -> Run<Dynamic> {
    let takes = each.name == "drain";
    let mut taken = Vec::new();
    for (key, item) in map.iter_mut() {
        if is_true(&each.entry(key, item)?) == takes {
            taken.push(key.clone());
        }
    }
    let taken = taken.iter().filter_map(|key| map.remove_entry(key));
    Ok(Dynamic::from_map(taken.collect()))
}

fn sort(each: &mut Each<'_, '_>, list: &mut Array) -> Run<Dynamic> {
    *list = merge_sort(each, list.clone())?;
    Ok(Dynamic::UNIT)
}

fn sorted(each: &mut Each<'_, '_>, list: &mut Array) -> Run<Dynamic> {
    merge_sort(each, list.clone()).map(Dynamic::from_array)
}

/// Sorts by merging pairs of runs, whose length doubles in each pass. Equal elements keep their
/// order.
fn merge_sort(each: &mut Each<'_, '_>, mut list: Array) -> Run<Array> {
    if let Err(error) = meter::afford(list.len() as u64) {
        return each.fail(error);
    }
    let mut length = 1;
    while length < list.len() {
        let mut runs = list.into_iter().peekable();
        let mut merged = Array::with_capacity(runs.len());
        while runs.peek().is_some() {
            let left: Array = runs.by_ref().take(length).collect();
            let right: Array = runs.by_ref().take(length).collect();
            let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
            while let (Some(first), Some(second)) = (left.peek(), right.peek()) {
                let takes = if is_before(each, second, first)? {
                    &mut right
                } else {
                    &mut left
                };
                merged.extend(takes.next());
            }
            merged.extend(left);
            merged.extend(right);
        }
        list = merged;
        length *= 2;
    }
    Ok(list)
}

/// Reports whether a value comes before another one. The script's function returns a negative
/// number or true if it does.
fn is_before(each: &mut Each<'_, '_>, first: &Dynamic, second: &Dynamic) -> Run<bool> {
    let answer = each.compare(first.clone(), second.clone())?;
    match (answer.as_int(), answer.as_bool()) {
        (Ok(number), _) => Ok(number < 0),
        (_, Ok(is_before)) => Ok(is_before),
        _ => each.fail(wrong("a sort must return an integer or a boolean", &answer)),
    }
}

fn dedup(each: &mut Each<'_, '_>, list: &mut Array) -> Run<Dynamic> {
    let mut kept = Array::new();
    for item in list.iter() {
        if let Some(last) = kept.last() {
            let answer = each.compare(Dynamic::clone(last), item.clone())?;
            match answer.as_bool() {
                Ok(true) => continue,
                Ok(false) => {}
                Err(_) => return each.fail(wrong("`dedup` must return a boolean", &answer)),
            }
        }
        kept.push(item.clone());
    }
    *list = kept;
    Ok(Dynamic::UNIT)
}

fn wrong(wanted: &str, found: &Dynamic) -> Box<EvalAltResult> {
    let found = kind(found);
    format!("the function passed to {wanted}, found {found}").into()
}
