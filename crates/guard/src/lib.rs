#![doc = include_str!("../README.md")]
//!
//! # Where to find what
//!
//! [`guard`] bounds the language's functions, [`meter`] charges a host's functions for their work,
//! and [`compile`](mod@compile) checks a script before it runs in a [`Sandbox`](engine::Sandbox).
//! [`internals`] lists what the crate relies on in Rhai.
//!
//! # Invariants
//!
//! * Budgets count operations rather than time, so they are the same on every machine.
//! * Every function that a script can reach has a bound on its work and its memory.
//! * A stopped call stays stopped, even if the script catches errors.

mod brackets;
pub mod budget;
mod callbacks;
pub mod comparers;
pub mod compile;
pub mod constant_limits;
pub mod each;
pub mod engine;
mod entries;
pub mod fault;
pub mod guard;
pub mod internals;
mod known_calls;
mod limits;
pub mod memory;
pub mod meter;
mod native;
pub mod numbers;
mod operators;
mod qualified;
pub mod script_limits;
pub mod sizes;
pub mod source;
pub mod syntax;
pub mod tracer;

pub use budget::{Budget, Exceeded};
pub use compile::imports;
pub use fault::{RESERVED, ScriptFault, ScriptPlace};
pub use guard::bounds;
pub use memory::CountingAllocator;
pub use native::{NativeResult, fail, kind};
pub use script_limits::ScriptLimits;
pub use source::{Script, Siblings, Source};
