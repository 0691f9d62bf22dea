//! Rhai with a price for every call, limits on work and memory, and checks before anything runs.
//!
//! A [`Sandbox`](engine::Sandbox) is an engine that can only compute: it has no clock, file,
//! output, evaluation or sleep. The cost of each function of the language is bounded by the size of
//! its arguments ([`guard`]), a host's functions are charged by the work that they do ([`meter`]),
//! and [`compile`] refuses a script before it runs if it calls functions that do not exist, or is
//! too large to be read safely. The crate knows nothing of games.
//!
//! # Invariants
//!
//! * Budgets count operations, never time, so they are the same on every machine.
//! * Every function that a script can reach has a bound on its work and its memory.
//! * A call that was stopped stays stopped, no matter what the script catches.
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
pub use fault::{ScriptFault, ScriptPlace};
pub use guard::bounds;
pub use memory::CountingAllocator;
pub use native::{NativeResult, fail, kind};
pub use script_limits::ScriptLimits;
pub use source::{Script, Siblings, Source};
