//! Functions of lists and maps that this crate has instead of Rhai's packages.

use rhai::{Array, Dynamic, INT, Map};

use crate::cells::Contents;
use crate::sizes::{LARGEST_MAP, LONGEST_ARRAY};
use crate::{NativeResult, Natives, meter};

/// Registers the most common functions of arrays and maps. They are implemented directly, because a
/// guard would cost more than the functions themselves.
pub(crate) fn register(natives: &mut Natives) {
    natives.register_fn("len", |map: &mut Map| map.len() as INT);
    natives.register_fn("contains", |map: &mut Map, key: &str| map.contains_key(key));
    let length = |array: &mut Array| array.len() as INT;
    natives.register_fn("len", length);
    natives.register_get("len", length);
    natives.register_fn("is_empty", |array: &mut Array| array.is_empty());
    natives.register("pop", false, |array: &mut Array| {
        array.pop().unwrap_or(Dynamic::UNIT)
    });
    natives.register(
        "push",
        false,
        |array: &mut Array, item: Dynamic| -> NativeResult<()> {
            let fits = |has: Contents| has.elements <= LONGEST_ARRAY && has.entries <= LARGEST_MAP;
            if !Contents::of(&item).is_some_and(fits) {
                return Err(meter::too_large());
            }
            meter::make(1);
            array.push(item);
            Ok(())
        },
    );
}
