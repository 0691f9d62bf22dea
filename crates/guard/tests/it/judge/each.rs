//! Functions of arrays and maps that call a script's function for each element. The library's
//! versions wrap every error of that function, so a script could catch a size error and continue
//! with a value that is too large. Here a size error ends the call. These functions also charge for
//! Rhai's size check of all elements after each call.

#![allow(
    clippy::needless_pass_by_value,
    reason = "Rhai passes arguments by value"
)]

use rhai::{
    Array, Dynamic, Engine, EvalAltResult, FnPtr, FuncRegistration, INT, ImmutableString, Map,
    NativeCallContext, RhaiNativeFunc, Variant,
};

use rhai_guard::guard::weigh;
use rhai_guard::{NativeResult, meter};

type Context<'a> = NativeCallContext<'a>;

fn charge(list: &Dynamic) -> NativeResult<()> {
    meter::charge(weigh(list)?);
    Ok(())
}

/// Registers replacements for the library's functions with the same names.
pub(crate) fn register(engine: &mut Engine) {
    add(
        engine,
        "for_each",
        false,
        |ctx: Context<'_>, list: &mut Array, function: FnPtr| for_each(&ctx, list, &function),
    );
    by_function(engine, "map", true, map);
    by_function(engine, "filter", true, filter);
    by_function(engine, "some", true, |ctx, list, test| {
        Ok(index_of_where(ctx, "some", list, test, 0, true)?.is_some())
    });
    by_function(engine, "all", true, |ctx, list, test| {
        Ok(index_of_where(ctx, "all", list, test, 0, false)?.is_none())
    });
    for (name, takes) in [("drain", true), ("retain", false)] {
        by_function(engine, name, false, move |ctx, list, test| {
            part(ctx, name, list, test, takes)
        });
    }
    from_start(engine, "find", find);
    from_start(engine, "find_map", find_map);
    from_start(engine, "index_of", index_of);
    add(
        engine,
        "index_of",
        true,
        |ctx: Context<'_>, list: &mut Array, text: &str| index_of_text(&ctx, list, text, 0),
    );
    add(
        engine,
        "index_of",
        true,
        |ctx: Context<'_>, list: &mut Array, text: &str, start: INT| {
            index_of_text(&ctx, list, text, start)
        },
    );
    register_fold(engine, "reduce", |ctx, list, by, from| {
        charge(&Dynamic::from_array(list.clone()))?;
        fold(ctx, "reduce", list.iter_mut().enumerate(), by, from)
    });
    register_fold(engine, "reduce_rev", |ctx, list, by, from| {
        charge(&Dynamic::from_array(list.clone()))?;
        let backwards = list.iter_mut().enumerate().rev();
        fold(ctx, "reduce_rev", backwards, by, from)
    });
    add(
        engine,
        "zip",
        true,
        |ctx: Context<'_>, list: &mut Array, other: Array, make: FnPtr| {
            zip(&ctx, list, other, &make)
        },
    );
    register_for_maps(engine);
}

/// Registers a function that takes a list and a function. Scripts pass that function as a value or
/// by its name.
pub(crate) fn by_function<R: Variant + Clone>(
    engine: &mut Engine,
    name: &str,
    of_constants: bool,
    run: impl Fn(&Context<'_>, &mut Array, &FnPtr) -> NativeResult<R> + Copy + 'static,
) {
    add(
        engine,
        name,
        of_constants,
        move |ctx: Context<'_>, list: &mut Array, function: FnPtr| run(&ctx, list, &function),
    );
    add(
        engine,
        name,
        of_constants,
        move |ctx: Context<'_>, list: &mut Array, function: &str| {
            run(&ctx, list, &FnPtr::new(function)?)
        },
    );
}

/// Registers two versions of a search: of the whole list, and from an index on.
fn from_start<R: Variant + Clone>(
    engine: &mut Engine,
    name: &str,
    run: impl Fn(&Context<'_>, &mut Array, &FnPtr, INT) -> NativeResult<R> + Copy + 'static,
) {
    add(
        engine,
        name,
        true,
        move |ctx: Context<'_>, list: &mut Array, test: FnPtr| run(&ctx, list, &test, 0),
    );
    add(
        engine,
        name,
        true,
        move |ctx: Context<'_>, list: &mut Array, test: FnPtr, start: INT| {
            run(&ctx, list, &test, start)
        },
    );
}

fn register_fold<F>(engine: &mut Engine, name: &str, run: F)
where
    F: Fn(&Context<'_>, &mut Array, &FnPtr, Dynamic) -> NativeResult<Dynamic> + Copy + 'static,
{
    by_function(engine, name, true, move |ctx, list, by| {
        run(ctx, list, by, Dynamic::UNIT)
    });
    add(
        engine,
        name,
        true,
        move |ctx: Context<'_>, list: &mut Array, by: FnPtr, from: Dynamic| {
            run(&ctx, list, &by, from)
        },
    );
    add(
        engine,
        name,
        true,
        move |ctx: Context<'_>, list: &mut Array, by: &str, from: Dynamic| {
            run(&ctx, list, &FnPtr::new(by)?, from)
        },
    );
}

fn register_for_maps(engine: &mut Engine) {
    add(
        engine,
        "map",
        true,
        |ctx: Context<'_>, map: &mut Map, make: FnPtr| -> NativeResult<Map> {
            charge(&Dynamic::from_map(map.clone()))?;
            map.iter_mut()
                .map(|(key, item)| Ok((key.clone(), of_entry(&ctx, "map", &make, key, item)?)))
                .collect()
        },
    );
    add(
        engine,
        "filter",
        true,
        |ctx: Context<'_>, map: &mut Map, test: FnPtr| -> NativeResult<Map> {
            charge(&Dynamic::from_map(map.clone()))?;
            let mut kept = Map::new();
            for (key, item) in map.iter_mut() {
                if is_true(&of_entry(&ctx, "filter", &test, key, item)?) {
                    kept.insert(key.clone(), item.clone());
                }
            }
            Ok(kept)
        },
    );
    for (name, takes) in [("drain", true), ("retain", false)] {
        let part = move |ctx: Context<'_>, map: &mut Map, test: FnPtr| -> NativeResult<Map> {
            charge(&Dynamic::from_map(map.clone()))?;
            let mut taken = Vec::new();
            for (key, item) in map.iter_mut() {
                if is_true(&of_entry(&ctx, name, &test, key, item)?) == takes {
                    taken.push(key.clone());
                }
            }
            Ok(taken
                .iter()
                .filter_map(|key| map.remove_entry(key))
                .collect())
        };
        add(engine, name, false, part);
    }
}

fn add<A: 'static, const N: usize, const X: bool, R: Variant + Clone, const F: bool>(
    engine: &mut Engine,
    name: &str,
    of_constants: bool,
    function: impl RhaiNativeFunc<A, N, X, R, F> + 'static,
) {
    FuncRegistration::new(name)
        .with_purity(of_constants)
        .register_into_engine(engine, function);
}

/// Calls a script's function for an element and returns its result. The function may replace the
/// element in the list.
fn call(
    ctx: &Context<'_>,
    name: &str,
    function: &FnPtr,
    index: usize,
    item: &mut Dynamic,
) -> NativeResult<Dynamic> {
    let place = [Dynamic::from_int(index as INT)];
    plain(function.call_raw_with_extra_args(name, ctx, Some(item), [], place, Some(0)))
}

fn of_entry(
    ctx: &Context<'_>,
    name: &str,
    function: &FnPtr,
    key: &str,
    item: &mut Dynamic,
) -> NativeResult<Dynamic> {
    let key = [Dynamic::from(ImmutableString::from(key))];
    plain(function.call_raw_with_extra_args(name, ctx, Some(item), key, [], Some(1)))
}

/// Ends the call after a size error. The library would wrap it as an error of the function, which a
/// script could catch.
fn plain(result: NativeResult<Dynamic>) -> NativeResult<Dynamic> {
    result.inspect_err(|error| {
        if let EvalAltResult::ErrorInFunctionCall(_, _, inner, _) = &**error
            && matches!(**inner, EvalAltResult::ErrorDataTooLarge(..))
        {
            drop(meter::too_large());
        }
    })
}

fn is_true(answer: &Dynamic) -> bool {
    answer.as_bool().unwrap_or(false)
}

/// Returns the index at which a search starts. A negative `start` counts from the end.
fn first(list: &Array, start: INT) -> usize {
    let from_end = usize::try_from(start.unsigned_abs()).unwrap_or(usize::MAX);
    if start < 0 {
        list.len().saturating_sub(from_end)
    } else {
        from_end
    }
}

fn for_each(ctx: &Context<'_>, list: &mut Array, function: &FnPtr) -> NativeResult<()> {
    charge(&Dynamic::from_array(list.clone()))?;
    for (index, item) in list.iter_mut().enumerate() {
        let place = [Dynamic::from_int(index as INT)];
        let _ =
            plain(function.call_raw_with_extra_args("for_each", ctx, Some(item), [], place, None))?;
    }
    Ok(())
}

fn map(ctx: &Context<'_>, list: &mut Array, make: &FnPtr) -> NativeResult<Array> {
    charge(&Dynamic::from_array(list.clone()))?;
    let items = list.iter_mut().enumerate();
    items
        .map(|(index, item)| call(ctx, "map", make, index, item))
        .collect()
}

fn filter(ctx: &Context<'_>, list: &mut Array, test: &FnPtr) -> NativeResult<Array> {
    charge(&Dynamic::from_array(list.clone()))?;
    let mut kept = Array::new();
    for (index, item) in list.iter_mut().enumerate() {
        if is_true(&call(ctx, "filter", test, index, item)?) {
            kept.push(item.clone());
        }
    }
    Ok(kept)
}

/// Returns the index of the first element at or after `start` for which the function returns true.
fn index_of_where(
    ctx: &Context<'_>,
    name: &str,
    list: &mut Array,
    test: &FnPtr,
    start: INT,
    wanted: bool,
) -> NativeResult<Option<usize>> {
    charge(&Dynamic::from_array(list.clone()))?;
    let start = first(list, start);
    for (index, item) in list.iter_mut().enumerate().skip(start) {
        if is_true(&call(ctx, name, test, index, item)?) == wanted {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

fn index_of(ctx: &Context<'_>, list: &mut Array, test: &FnPtr, start: INT) -> NativeResult<INT> {
    let found = index_of_where(ctx, "index_of", list, test, start, true)?;
    Ok(found.map_or(-1, |index| index as INT))
}

/// Searches with the script's function of this name, or for the string itself if no such function
/// exists.
fn index_of_text(ctx: &Context<'_>, list: &mut Array, text: &str, start: INT) -> NativeResult<INT> {
    let missing = |error: &EvalAltResult| match error {
        EvalAltResult::ErrorFunctionNotFound(of, _) => of.split(' ').next() == Some(text),
        _ => false,
    };
    charge(&Dynamic::from_array(list.clone()))?;
    if let Ok(test) = FnPtr::new(text) {
        match index_of(ctx, list, &test, start) {
            Err(error) if missing(&error) => {}
            Err(error) => match *error {
                EvalAltResult::ErrorInFunctionCall(_, _, inner, _) if missing(&inner) => {}
                other => return Err(Box::new(other)),
            },
            found => return found,
        }
    }
    let start = first(list, start);
    let text = Dynamic::from(text.to_owned());
    for (index, item) in list.iter_mut().enumerate().skip(start) {
        let same = ctx.call_native_fn_raw("==", true, &mut [item, &mut text.clone()]);
        let same = same.or_else(|error| match *error {
            EvalAltResult::ErrorFunctionNotFound(ref of, _) if of.starts_with("==") => {
                Ok(Dynamic::FALSE)
            }
            _ => Err(error),
        });
        if is_true(&same?) {
            return Ok(index as INT);
        }
    }
    Ok(-1)
}

fn find(ctx: &Context<'_>, list: &mut Array, test: &FnPtr, start: INT) -> NativeResult<Dynamic> {
    let found = index_of_where(ctx, "find", list, test, start, true)?;
    Ok(found.map_or(Dynamic::UNIT, |index| list[index].clone()))
}

fn find_map(
    ctx: &Context<'_>,
    list: &mut Array,
    make: &FnPtr,
    start: INT,
) -> NativeResult<Dynamic> {
    charge(&Dynamic::from_array(list.clone()))?;
    let start = first(list, start);
    for (index, item) in list.iter_mut().enumerate().skip(start) {
        let made = call(ctx, "find_map", make, index, item)?;
        if !made.is_unit() {
            return Ok(made);
        }
    }
    Ok(Dynamic::UNIT)
}

fn fold<'a>(
    ctx: &Context<'_>,
    name: &str,
    mut items: impl Iterator<Item = (usize, &'a mut Dynamic)>,
    by: &FnPtr,
    from: Dynamic,
) -> NativeResult<Dynamic> {
    items.try_fold(from, |sum, (index, item)| {
        let place = [Dynamic::from_int(index as INT)];
        plain(by.call_raw_with_extra_args(name, ctx, Some(item), [sum], place, Some(1)))
    })
}

fn zip(ctx: &Context<'_>, list: &mut Array, other: Array, make: &FnPtr) -> NativeResult<Array> {
    charge(&Dynamic::from_array(list.clone()))?;
    let pairs = list.iter().zip(other).enumerate();
    pairs
        .map(|(index, (one, two))| {
            let place = [Dynamic::from_int(index as INT)];
            let both = [one.clone(), two];
            plain(make.call_raw_with_extra_args("zip", ctx, None, both, place, None))
        })
        .collect()
}

/// Removes and returns the elements for which the function returns `takes`.
fn part(
    ctx: &Context<'_>,
    name: &str,
    list: &mut Array,
    test: &FnPtr,
    takes: bool,
) -> NativeResult<Array> {
    charge(&Dynamic::from_array(list.clone()))?;
    let mut taken = Array::new();
    let mut at = 0;
    for index in 0..list.len() {
        if is_true(&call(ctx, name, test, index, &mut list[at])?) == takes {
            taken.push(list.remove(at));
        } else {
            at += 1;
        }
    }
    Ok(taken)
}
