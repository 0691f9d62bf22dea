//! Conversions between floating-point numbers and integers. This module contains only functions
//! with exact results, which are the same on every machine, unlike sines and logarithms.

use rhai::{FLOAT, INT, ImmutableString};

use super::{NativeResult, fail};
use crate::Natives;
use crate::meter;

/// The smallest floating-point number above all integers, 2⁶³. The next smaller number can be
/// converted to an integer without loss.
const BEYOND: FLOAT = 9_223_372_036_854_775_808.0;

/// Registers the functions for every script, including tables.
pub fn register(engine: &mut Natives) {
    engine.register_fn("floor", |value: FLOAT| value.floor());
    engine.register_fn("ceiling", |value: FLOAT| value.ceil());
    // Halves are rounded away from zero.
    engine.register_fn("round", |value: FLOAT| value.round());
    engine.register_fn("to_int", to_int);
    engine.register_fn("to_int", |value: INT| value);
    engine.register_fn("to_float", |value: INT| value as FLOAT);
    engine.register_fn("to_float", |value: FLOAT| value);
    engine.register_fn("sqrt", |value: FLOAT| -> NativeResult<FLOAT> {
        if value < 0.0 {
            fail(format!("no square root of the negative number {value}"))
        } else {
            Ok(value.sqrt())
        }
    });
    engine.register_fn("parse_int", |text: ImmutableString| -> NativeResult<INT> {
        meter::afford(text.len() as u64)?;
        text.trim()
            .parse()
            .or_else(|_| fail(format!("`{}` is not an integer", shown(&text))))
    });
}

/// Truncates a floating-point number to an integer.
fn to_int(value: FLOAT) -> NativeResult<INT> {
    if value.is_nan() {
        return fail("can't convert NaN (0.0 / 0.0) to an integer");
    }
    if (-BEYOND..BEYOND).contains(&value) {
        Ok(value as INT)
    } else {
        fail(format!("{value} is too large for an integer"))
    }
}

fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}
