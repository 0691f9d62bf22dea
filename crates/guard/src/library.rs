//! Functions of lists and maps that this crate has instead of Rhai's packages.

use rhai::{Array, Dynamic, INT, Map};

use crate::guard::{charge_list, charge_map};
use crate::{NativeResult, Natives};

/// Registers the most common functions of arrays and maps. They are implemented directly, because a
/// guard would cost more than the functions themselves.
pub(crate) fn register(natives: &mut Natives) {
    natives.register_fn("len", |map: &mut Map| {
        charge_map(map).map(|()| map.len() as INT)
    });
    natives.register_fn("contains", |map: &mut Map, key: &str| {
        charge_map(map).map(|()| map.contains_key(key))
    });
    let length = |array: &mut Array| charge_list(array).map(|()| array.len() as INT);
    natives.register_fn("len", length);
    natives.register_get("len", length);
    natives.register_fn("is_empty", |array: &mut Array| {
        charge_list(array).map(|()| array.is_empty())
    });
    natives.register("pop", false, |array: &mut Array| -> NativeResult<Dynamic> {
        charge_list(array).map(|()| array.pop().unwrap_or(Dynamic::UNIT))
    });
    natives.register(
        "push",
        false,
        |array: &mut Array, item: Dynamic| -> NativeResult<()> {
            charge_list(array)?;
            array.push(item);
            Ok(())
        },
    );
}
