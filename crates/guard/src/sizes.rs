//! The limits on the sizes of a script's values, and on the nesting of its expressions and calls.

use rhai::{Engine, OptimizationLevel};

/// The maximum nesting depth of calls of a script's functions.
pub(crate) const MOST_LEVELS: usize = 48;
/// The maximum nesting depth of arrays and maps in each other.
pub(crate) const MOST_NESTED: usize = 64;
/// The maximum number of variables of a function.
pub(crate) const MOST_VARIABLES: usize = 500;
/// The maximum nesting depth of the expressions and blocks of all functions that run.
pub(crate) const MOST_NESTING: usize = 1_000;
/// The maximum nesting depth of an expression.
pub const MOST_DEPTH: usize = 64;
/// The maximum length of a string, in bytes.
pub const LONGEST_STRING: usize = 4_200;
/// The maximum length of all strings in a value that declares something, in bytes. Other values
/// have the limit of one string.
pub const LONGEST_DECLARED: usize = 64 << 10;
/// The maximum length of a script's array. It is large enough for the territories of any map.
pub const LONGEST_ARRAY: usize = 10_000;
/// The maximum number of entries in a map, including nested maps.
pub const LARGEST_MAP: usize = 5_000;

/// Returns a bot's maximum number of array elements and of map entries, including nested values.
/// Both grow with the number of territories.
pub fn sizes_of_bots(territories: usize) -> (usize, usize) {
    (
        territories.saturating_mul(10).clamp(1_800, LONGEST_ARRAY),
        territories.saturating_mul(2).clamp(500, 1_400),
    )
}

/// Sets an engine's limits on sizes and nesting depths.
pub fn set_limits(engine: &mut Engine) {
    engine.set_max_call_levels(MOST_LEVELS);
    engine.set_max_expr_depths(MOST_DEPTH, MOST_DEPTH);
    engine.set_max_string_size(LONGEST_STRING);
    engine.set_max_array_size(LONGEST_ARRAY);
    engine.set_max_map_size(LARGEST_MAP);
    engine.set_max_variables(MOST_VARIABLES);
    engine.set_max_modules(50);
    engine.set_max_strings_interned(1_000);
    engine.set_fail_on_invalid_map_property(true);
    engine.set_optimization_level(OptimizationLevel::None);
    engine.on_print(|_| {}).on_debug(|_, _, _| {});
}
