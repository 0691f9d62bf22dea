//! risk-cli: a scriptable engine and arena for Risk and its relatives.
//!
//! A map (a graph) and a ruleset (one Rhai script) go into a **fixed turn loop in Rust**; bots play
//! on it.
//!
//! # The house, read top-down
//!
//! A module uses those below it in this table, and no others: a test reads the table and holds the
//! source to it.
//!
//! | module | what it is for |
//! |---|---|
//! | [`cli`] | the command line: arguments, dispatch, exit codes; the only one that prints |
//! | [`serve`] | servers: the arenas with their page to watch, and a bot of ours that any arena can ask |
//! | [`check`] | what is wrong with a script: by reading it closely, then by playing with it |
//! | [`report`] | events and standings as text and JSON, to a writer it is handed |
//! | [`record`] | versioned JSON Lines of a game; replay |
//! | [`matches`](mod@matches) | many games: who sits where, worker threads, standings |
//! | [`load`] | names and paths to checked values, every problem of a file at once, with its place |
//! | [`players`] | what decides: built-in bots, scripts in processes of their own, bots elsewhere |
//! | [`protocol`] | what is said on a wire, as values without clock or socket, and the transports that carry it |
//! | [`script`] | Rhai: engines, limits, every function a script may call, rulesets and bots as scripts |
//! | [`odds`] | the exact chances of a fight |
//! | [`phases`] | standard phases in Rust, with the same hooks that a script has; tables |
//! | [`memory`] | how much memory a script holds |
//! | [`suggest`] | “did you mean” |
//! | [`text`] | text on its way in and out: encodings, and nothing that steers a terminal |
//! | [`kernel`] | the loop, and the state it moves |
//!
//! # The loop
//!
//! A game is a stack of frames, asked in passes. A frame names a phase and the players who decide
//! in it. The loop looks at the top frame: the first time it runs the phase's `enter`; then every
//! player with options answers from the same state, and the answers are applied in seat order. A
//! player leaves a frame by having no options or by a rule's word; a frame without players is
//! popped; frames that a rule pushes are finished first. Sequential turns, placing in rotation,
//! secret simultaneous choice, orders that are stored and executed later, and interrupts for
//! another player are all the same mechanism.
//!
//! A bot that knows its next step, in the middle of a fight say, is asked for it first
//! ([`Bot::try_next`](kernel::Bot::try_next)); the rules then check that step alone
//! ([`Rules::bounds_of`](kernel::Rules::bounds_of)), and nobody writes all options down. Where
//! either can't tell, the bot is asked in full.
//!
//! # Invariants
//!
//! Most of them say what is absent; a test greps for them.
//!
//! * Dependencies run down the table above only.
//! * The kernel knows no Rhai, clap, miette, serde, file, clock, environment, hash map, float or
//!   printing.
//! * `rhai` appears under `script` alone, and functions for scripts are registered in `script::api`
//!   alone (what may be called inside `ruleset()`, and tables, beside it).
//! * What the program prints leaves through `cli::out` alone, which lets no control character out
//!   ([`text::Outlet`]).
//! * Input files are read in `load` alone; `record` reads the text of records.
//! * An illegal move inside the kernel does not type-check: only
//!   [`Options::admit`](kernel::action::Options::admit), and
//!   [`Bounds::admit`](kernel::action::Bounds::admit) where rules can tell without all options,
//!   make a [`Legal`](kernel::action::Legal).
//! * Every change of a game goes through a mutator that checks it and pushes one event; the events
//!   alone rebuild the state.
//! * Bots get a [`View`](kernel::view::View), never the game. Hiding is data: declarations say who
//!   sees what.
//! * Same ruleset, map, options, bots and seed give the same game on any machine and any number of
//!   threads: no clock, no hash order, no float in a rule; script budgets count operations.
//! * What is said on a wire is made and read in `protocol` alone; its codecs know no clock, thread or
//!   socket.
//! * What leaves for another process is a view in numbers
//!   ([`View::numbers`](kernel::view::View::numbers)), from which everything hidden is gone.
//! * Every loop, queue, recursion, script and message has a limit.

pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod kernel;
pub mod load;
pub mod matches;
pub mod memory;
pub mod odds;
pub mod phases;
pub mod players;
pub mod protocol;
pub mod record;
pub mod report;
pub mod script;
#[cfg(feature = "serve")]
pub mod serve;
pub mod suggest;
pub mod text;

pub use memory::CountingAllocator;
