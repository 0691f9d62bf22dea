//! Sorts lists by a script's own function. If that function fails or has a wrong number of
//! parameters, the library's sorts silently leave the list unchanged, but these functions report
//! the error. They implement the sort themselves, so a sort costs the same number of operations
//! with every version of Rust.

use std::cmp::Ordering;

use rhai::{Array, Dynamic, Engine, FnPtr, NativeCallContext};

use super::each::by_function;
use rhai_guard::{NativeResult, fail, kind, meter};

/// Registers replacements for the library's functions with the same names.
pub(crate) fn register(engine: &mut Engine) {
    for name in ["sort", "sort_by"] {
        by_function(engine, name, false, |ctx, list, comparer| {
            *list = sorted(ctx, list.clone(), comparer)?;
            Ok(())
        });
    }
    for name in ["order", "order_by"] {
        by_function(engine, name, true, |ctx, list, comparer| {
            sorted(ctx, list.clone(), comparer)
        });
    }
    by_function(engine, "dedup", false, dedup);
}

fn dedup(ctx: &NativeCallContext<'_>, list: &mut Array, comparer: &FnPtr) -> NativeResult<()> {
    let mut kept = Array::new();
    for item in list.iter() {
        let same = match kept.last() {
            Some(last) => {
                let answer = comparer.call_raw(ctx, None, [last.clone(), item.clone()])?;
                answer
                    .as_bool()
                    .or_else(|_| fail(no_verdict(kind(&answer))))?
            }
            None => false,
        };
        if !same {
            kept.push(item.clone());
        }
    }
    *list = kept;
    Ok(())
}

/// Sorts by merging pairs of runs, whose length doubles in each pass. Equal elements keep their
/// order.
fn sorted(ctx: &NativeCallContext<'_>, mut list: Array, comparer: &FnPtr) -> NativeResult<Array> {
    meter::afford(list.len() as u64)?;
    let mut length = 1;
    while length < list.len() {
        let mut runs = list.into_iter();
        let mut merged = Array::with_capacity(runs.len());
        while runs.len() > 0 {
            let mut left = runs
                .by_ref()
                .take(length)
                .collect::<Array>()
                .into_iter()
                .peekable();
            let mut right = runs
                .by_ref()
                .take(length)
                .collect::<Array>()
                .into_iter()
                .peekable();
            while let (Some(first), Some(second)) = (left.peek(), right.peek()) {
                let takes = if compare(ctx, comparer, second, first)? == Ordering::Less {
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

/// Calls the comparer, which returns a negative or positive number, or whether `a` comes before
/// `b`.
fn compare(
    ctx: &NativeCallContext<'_>,
    comparer: &FnPtr,
    a: &Dynamic,
    b: &Dynamic,
) -> NativeResult<Ordering> {
    let answer = comparer.call_raw(ctx, None, [a.clone(), b.clone()])?;
    match (answer.as_int(), answer.as_bool()) {
        (Ok(number), _) => Ok(number.cmp(&0)),
        (_, Ok(true)) => Ok(Ordering::Less),
        (_, Ok(false)) => Ok(Ordering::Greater),
        _ => fail(format!(
            "the function passed to a sort must return an integer or a boolean, found {}",
            kind(&answer)
        )),
    }
}

fn no_verdict(kind: &str) -> String {
    format!("the function passed to `dedup` must return a boolean, found {kind}")
}
