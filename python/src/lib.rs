//! Python bindings for Risk and similar games. The rules themselves are part of the library.

#![allow(
    clippy::needless_pass_by_value,
    reason = "Python passes arguments by value"
)]
#![allow(
    clippy::needless_range_loop,
    reason = "each index applies to several lists"
)]

mod action;
mod arena;
mod bots;
mod cache;
mod encoding;
mod errors;
mod faults;
mod game;
mod integers;
mod interrupt;
mod json;
mod kit;
mod legal;
mod names;
mod random;
mod recipe;
mod reward;
mod seating;
mod seed;
mod stack;
mod vector;

use mimalloc::MiMalloc;
use pyo3::prelude::*;
use risk_engine::CountingAllocator;

/// The allocator that counts allocations, so scripts can't exhaust the memory.
#[global_allocator]
static ALLOCATOR: CountingAllocator<MiMalloc> = CountingAllocator::over(MiMalloc);

/// The part of the `risk_cli` package that is written in Rust.
#[pymodule]
fn _risk_cli(module: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::register(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<action::PyAction>()?;
    module.add_class::<encoding::Encoding>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<vector::VectorGames>()?;
    module.add_class::<legal::Legal>()?;
    module.add_class::<random::Random>()?;
    module.add_class::<bots::Turn>()?;
    module.add_function(wrap_pyfunction!(arena::play_match, module)?)?;
    module.add_function(wrap_pyfunction!(arena::tournament, module)?)?;
    module.add_function(wrap_pyfunction!(arena::_compare, module)?)?;
    #[cfg(debug_assertions)]
    module.add_function(wrap_pyfunction!(_compilations, module)?)?;
    Ok(())
}

/// Returns the number of rulesets compiled so far, for a test.
#[cfg(debug_assertions)]
#[pyfunction]
fn _compilations() -> u64 {
    kit::COMPILATIONS.load(std::sync::atomic::Ordering::Relaxed)
}
