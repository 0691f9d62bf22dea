//! The language's own functions, each with a bounded cost. The cost depends on the arguments and
//! the result. A call whose result would be too large is rejected in advance.
//!
//! Rhai checks sizes only after a function returns, and counts a call as one operation regardless
//! of its work. Here the arguments of the packages' functions are examined and charged first.

use std::any::TypeId;

use rhai::{Array, Blob, Dynamic, EvalAltResult, FnPtr, ImmutableString, Map};

use super::meter;
use super::sizes::{LARGEST_MAP, LONGEST_ARRAY, LONGEST_STRING};

type NativeResult<T> = Result<T, Box<EvalAltResult>>;

/// The limit on a function's work and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostBound {
    /// A few instructions, regardless of the arguments.
    Constant,
    /// The calls of the closure for each element. Each of these calls is counted.
    Calls,
    /// The sizes of the arguments and the result, multiplied by this factor.
    Charged(u64),
    /// The same as `Charged`. In addition, the call is rejected if its result would be too large.
    Measured(u64),
}

/// The functions whose result can be far larger than their arguments.
const MULTIPLY: [&str; 2] = ["pad", "replace"];
/// The functions that do more than examine each element once, each with the factor of its work.
const MORE: [(&str, u64); 8] = [
    ("sort", 32),
    ("sort_desc", 32),
    ("order", 32),
    ("order_desc", 32),
    // Entries are inserted into maps one at a time.
    ("mixin", 3),
    ("fill_with", 3),
    // This function creates a string for each key.
    ("keys", 2),
    ("+", 3),
];
const BYTE: u64 = 2;
const ENTRY: u64 = 8;

/// Returns the cost bound of a function with this name and these parameter types.
pub fn bound(name: &str, types: &[TypeId]) -> CostBound {
    let sized = [
        TypeId::of::<Array>(),
        TypeId::of::<Map>(),
        TypeId::of::<Blob>(),
        TypeId::of::<ImmutableString>(),
        TypeId::of::<&str>(),
        TypeId::of::<String>(),
    ];
    let is_sized = |of: &TypeId| sized.contains(of);
    let first_is = |of: TypeId| types.first() == Some(&of);
    let is_text =
        |of: &TypeId| [TypeId::of::<ImmutableString>(), TypeId::of::<&str>()].contains(of);
    // Scripts can also pass a function by its name.
    let by_name = first_is(TypeId::of::<Array>()) && types.iter().any(is_text);
    if types.contains(&TypeId::of::<FnPtr>()) || by_name {
        return if types.iter().any(is_sized) {
            CostBound::Calls
        } else {
            CostBound::Constant
        };
    }
    if !types.iter().any(is_sized) {
        return CostBound::Constant;
    }
    if MULTIPLY.contains(&name) {
        return CostBound::Measured(1);
    }
    CostBound::Charged(
        MORE.iter()
            .find(|(known, _)| *known == name)
            .map_or(1, |(_, factor)| *factor),
    )
}

/// Charges for the arguments of a package's function, and checks the size of its result.
///
/// # Errors
/// Ends the call without enough fuel, or if an argument or the result is too large.
pub fn charge_arguments(
    name: &str,
    args: &[&mut Dynamic],
    measured: bool,
    factor: u64,
) -> NativeResult<()> {
    let mut work = 0;
    for arg in args {
        work += weigh(arg)?;
    }
    meter::afford(work * factor)?;
    if measured {
        measure(name, args)?;
    }
    Ok(())
}

/// Returns the work of examining a value once, including nested values.
///
/// # Errors
/// Ends the call if the value exceeds the limits on size or nesting.
pub fn weigh(value: &Dynamic) -> NativeResult<u64> {
    if let Ok(text) = value.as_immutable_string_ref() {
        return Ok(text.len() as u64 * BYTE);
    }
    if value.is_array() || value.is_map() {
        let mut seen = (0, 0);
        let work = look(value, 0, &mut seen)?;
        return Ok(work);
    }
    Ok(value.as_blob_ref().map_or(0, |blob| blob.len() as u64))
}

/// Returns the number of elements and entries of a value, including nested values.
fn elements(value: &Dynamic) -> NativeResult<usize> {
    let mut seen = (0, 0);
    look(value, 0, &mut seen)?;
    Ok(1 + seen.0 + seen.1)
}

const DEEPEST: usize = 64;

fn look(value: &Dynamic, depth: usize, seen: &mut (usize, usize)) -> NativeResult<u64> {
    if let Ok(array) = value.as_array_ref() {
        seen.0 += array.len();
        return look_at(array.len() as u64, array.iter(), depth, seen);
    }
    if let Ok(map) = value.as_map_ref() {
        seen.1 += map.len();
        return look_at(map.len() as u64 * ENTRY, map.values(), depth, seen);
    }
    let text = value.as_immutable_string_ref();
    Ok(text.map_or(0, |text| text.len() as u64 / 16))
}

/// Looks at the items of an array or a map, which itself takes `work`.
fn look_at<'v>(
    mut work: u64,
    items: impl Iterator<Item = &'v Dynamic>,
    depth: usize,
    seen: &mut (usize, usize),
) -> NativeResult<u64> {
    if depth > DEEPEST || seen.0 > LONGEST_ARRAY || seen.1 > LARGEST_MAP {
        return Err(meter::too_large());
    }
    for item in items.filter(|item| !item.is_int()) {
        work += look(item, depth + 1, seen)?;
    }
    Ok(work)
}

fn measure(name: &str, args: &[&mut Dynamic]) -> NativeResult<()> {
    let text = |index: usize| match args.get(index) {
        Some(arg) if arg.is_string() => arg
            .as_immutable_string_ref()
            .map(|text| text.to_string())
            .unwrap_or_default(),
        Some(arg) => arg.as_char().map(String::from).unwrap_or_default(),
        None => String::new(),
    };
    let is_text = args.first().is_some_and(|first| first.is_string());
    let length = || {
        let length = args.get(1).and_then(|length| length.as_int().ok());
        // A length beyond the memory of a 32-bit machine is too large there, too.
        usize::try_from(length.unwrap_or(0).max(0)).unwrap_or(usize::MAX)
    };
    let (size, most) = match name {
        "pad" if is_text => (length(), LONGEST_STRING),
        "pad" => {
            let has = args[0].as_array_ref().map_or(0, |array| array.len());
            let more = length().saturating_sub(has);
            let each = args.get(2).map_or(Ok(1), |item| elements(item))?;
            (has.saturating_add(more.saturating_mul(each)), LONGEST_ARRAY)
        }
        _ => {
            let whole = text(0);
            let find = text(1);
            let by = text(2);
            let found = if find.is_empty() {
                whole.len() + 1
            } else {
                whole.matches(&find).count()
            };
            (
                whole.len() + found * by.len().saturating_sub(find.len()),
                LONGEST_STRING,
            )
        }
    };
    if size > most {
        Err(meter::too_large())
    } else {
        Ok(())
    }
}
