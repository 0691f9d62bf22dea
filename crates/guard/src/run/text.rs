//! Values as texts, in strings such as `` `${x}` ``.

use std::fmt::Write as _;

use super::calls::NativePlace;
use super::machine::{Machine, Run};
use crate::value::Value;

/// Writes a value. Values other than strings are converted by the function `to_string`.
pub(crate) fn write(
    machine: &mut Machine<'_>,
    text: &mut String,
    value: Value,
    place: &NativePlace,
) -> Run<()> {
    let mut value = match value {
        Value::Int(number) => {
            machine.step(place.at)?;
            // Writing to a string can't fail.
            let _ = write!(text, "{number}");
            return Ok(());
        }
        other => other.dynamic(),
    };
    if let Ok(part) = value.as_immutable_string_ref() {
        text.push_str(&part);
        return Ok(());
    }
    let made = place.call_by_reference(machine, &mut value, &mut []);
    match made {
        Ok(Value::Other(made)) if made.is_string() => {
            text.push_str(
                &made
                    .as_immutable_string_ref()
                    .map(|it| it.to_string())
                    .unwrap_or_default(),
            );
        }
        Ok(made) => text.push_str(machine.engine.map_type_name(made.type_name())),
        Err(_) => {
            machine.halt = None;
            let shown = value.to_string();
            text.push_str(machine.engine.map_type_name(&shown));
        }
    }
    Ok(())
}
