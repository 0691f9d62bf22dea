//! Runs scripts.
//!
//! Rhai parses a script; this module compiles each function to closures once and runs these.
//! Variables are slots of a frame, constants are not copied to be read, and integers and Booleans
//! are stored without Rhai's type. Operations are counted as Rhai counts them.

mod branches;
mod call;
pub(crate) mod call_back;
mod calls;
mod chain;
mod compiler;
mod count;
mod link;
pub(crate) mod lists;
mod machine;
mod names;
mod operators;
mod path;
mod piece;
mod place;
mod program;
pub(crate) mod sequence;
mod statements;
mod text;

pub(crate) use machine::{File, Files, Machine, Runtime};
pub(crate) use program::{program, run_top};
