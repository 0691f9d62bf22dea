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
mod budget;
mod callbacks;
mod cells;
pub mod compile;
pub mod constant_limits;
mod counting_allocator;
pub mod direct;
pub mod engine;
mod fault;
mod finder;
pub mod guard;
pub mod internals;
mod known_calls;
mod library;
mod limits;
pub mod memory;
pub mod meter;
mod native;
pub mod natives;
pub mod numbers;
mod packages;
mod qualified;
mod readers;
mod run;
mod script_limits;
pub mod sizes;
mod source;
pub mod syntax;
pub mod tracer;
mod value;

pub use budget::{Budget, Exceeded};
pub use counting_allocator::CountingAllocator;
pub use fault::{MOST_FINDINGS, RESERVED, ScriptFault, ScriptPlace, and_more};
pub use native::{NativeResult, fail, kind};
pub use natives::Natives;
pub use packages::{NameTypes, bounds};
pub use run::call_back::call as call_back;
pub use run::lists::list_functions;
pub use script_limits::ScriptLimits;
pub use source::{Script, Siblings, Source, function_lines, function_position};
pub use value::Value;
