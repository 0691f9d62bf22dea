//! Rhai with a cost for every call, limits on work and memory, and checks before a script runs.
//!
//! A [`Sandbox`](engine::Sandbox) is an engine that can only compute. It has no access to clocks,
//! files, output, evaluation of strings or sleep. The size of its arguments bounds the cost of each
//! of the language's functions ([`guard`]). A host's functions are charged for their work
//! ([`meter`]). [`compile`] rejects a script before it runs if the script calls functions that do
//! not exist, or if it is too large to be read safely. The crate is independent of games.
//!
//! # Invariants
//!
//! * Budgets count operations rather than time, so they are the same on every machine.
//! * Every function that a script can reach has a bound on its work and its memory.
//! * A stopped call stays stopped, even if the script catches errors.
//!
//! # Example
//!
//! ```
//! use rhai_guard::compile::{Constants, compile};
//! use rhai_guard::engine::Sandbox;
//! use rhai_guard::{Budget, Script, ScriptLimits};
//!
//! let limits = ScriptLimits { budget: Budget(10_000), ..ScriptLimits::default() };
//! let mut sandbox = Sandbox::new(&limits, |_| {});
//! let script = Script::alone("sums", "fn short() { 40 + 2 } fn endless() { loop { } }");
//! let constants = Constants::new();
//! let compiled = compile(&mut sandbox, &script, &constants, &["short", "endless"]).unwrap();
//! let call = |name| sandbox.call(&mut rhai::Scope::new(), &compiled.ast, name, None, ());
//! assert_eq!(call("short").expect("a call that ends").as_int(), Ok(42));
//! assert!(call("endless").is_err());
//!
//! // What is not there is found before anything runs.
//! let script = Script::alone("typo", "fn f() { pusch([]) }");
//! assert!(compile(&mut sandbox, &script, &constants, &["f"]).is_err());
//! ```

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
