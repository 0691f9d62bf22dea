//! risk-cli: a scriptable engine and arena for Risk and its relatives.
//!
//! A map (a graph) and a ruleset (one Rhai script) go into a **fixed turn loop in Rust**; bots
//! play on it. This is the library behind the program of the same name: what the program does,
//! yours can do too.
//!
//! # Play
//!
//! A [`MatchSpec`] says in words what is played and by whom; loaded it is a [`Setup`], and a
//! [`Worker`] plays its games. The same words and the same seed give the same game, on any machine.
//!
//! ```
//! use risk_cli::{MatchSpec, NullSink, ScriptLimits, Worker};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let setup = MatchSpec::new("hasbro")
//!     .bots(["outnumber", "holder", "random"])
//!     .seed(7)
//!     .limits(ScriptLimits::unguarded())
//!     .load()?;
//! let mut worker = Worker::new(&setup)?;
//! let finished = worker.play(0, &mut NullSink);
//! assert!(finished.outcome.is_ok());
//! # Ok(())
//! # }
//! ```
//!
//! [`play_many`] plays many games on several threads, and [`Tally`] counts them:
//!
//! ```
//! use risk_cli::{MatchSpec, ScriptLimits, Tally, play_many};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let setup = MatchSpec::new("codelab")
//!     .bots(["outnumber", "random"])
//!     .limits(ScriptLimits::unguarded())
//!     .load()?;
//! let mut tally = Tally::new(&setup);
//! for result in play_many(&setup, 0, 20, 2, |_| {})? {
//!     tally.add(&result);
//! }
//! assert_eq!(tally.finish().games, 20);
//! # Ok(())
//! # }
//! ```
//!
//! # Maps and rulesets
//!
//! [`load_map()`] and [`load_ruleset`] take the names and paths that the program takes, and say all
//! that is wrong with a file at once, each finding with its place:
//!
//! ```
//! use risk_cli::{Levels, ScriptLimits, load_map, load_ruleset};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let board = load_map("world", &Levels::default())?;
//! let alaska = board.find("alaska").expect("the world has it");
//! assert_eq!(board.neighbours(alaska).len(), 3);
//! assert!(load_map("grid:0x0", &Levels::default()).is_err());
//!
//! // What a ruleset declares may depend on its options and on how many play.
//! let ruleset = load_ruleset("hasbro")?;
//! let options = ruleset.options(&[])?;
//! let bound = ruleset.bind(&board, &options, 3, &ScriptLimits::unguarded());
//! assert!(bound.is_ok_and(|bound| bound.decl.verbs.len() > 3));
//! # Ok(())
//! # }
//! ```
//!
//! # Step a game by hand
//!
//! A [`Stepper`] says who must decide what, and takes one action after the other. It clones, so
//! that a search can try what would come of them.
//!
//! ```
//! use risk_cli::{MatchSpec, ScriptLimits, StepperSettings, Worker};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let setup = MatchSpec::new("codelab")
//!     .option("max_turns", 20)
//!     .limits(ScriptLimits::unguarded())
//!     .load()?;
//! let mut worker = Worker::new(&setup)?;
//! let mut game = worker.stepper(0, StepperSettings::default())?;
//! while let Some(decision) = game.decisions().first() {
//!     let player = decision.player;
//!     let action = decision.options.nth(0);
//!     // What would come of it?
//!     let mut copy = game.clone();
//!     copy.apply(worker.rules_mut(), player, action)?;
//!     assert!(!copy.take_events().is_empty());
//!     game.apply(worker.rules_mut(), player, action)?;
//! }
//! assert!(game.outcome().is_some());
//! # Ok(())
//! # }
//! ```
//!
//! # Record and verify
//!
//! A [`Recorder`] is a [`Sink`] that writes down every answer; [`verify`] plays them again and
//! holds each line against what happens.
//!
//! ```
//! use risk_cli::{MatchSpec, Recorder, ScriptLimits, Worker, header, read_record, verify};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let setup = MatchSpec::new("codelab").limits(ScriptLimits::unguarded()).load()?;
//! let mut worker = Worker::new(&setup)?;
//! let header = header(&worker, 0);
//! let mut recorder = Recorder::new(Vec::new(), &header);
//! let finished = worker.play(0, &mut recorder);
//! let lines = recorder.finish(finished.outcome.as_ref().ok(), &finished.game)?;
//! let record = read_record(std::str::from_utf8(&lines)?).expect("it was just written");
//! assert!(verify(&record, &mut worker).is_ok_and(|verified| verified.whole));
//! # Ok(())
//! # }
//! ```
//!
//! # Scripts of others
//!
//! A script can't reach files, network or clock, and every call of one has a limit on its work. Its
//! memory is counted by the [`CountingAllocator`], which your program declares; without it, scripts
//! run under [`ScriptLimits::unguarded`] alone, as in these examples.
//!
//! # What is stable
//!
//! What this page lists. The modules behind it are public for the program and its tests, hidden
//! here, and change without notice. The folder `examples` of the repository has whole programs: a
//! match, a game stepped by hand, and a bot in Rust.
//!
//! # Features
//!
//! `cli` (the program), `serve` (arenas), `pictures` (PNG) and `watch`: all are on; a library
//! without them needs 84 packages instead of 223.
//!
//! # The architecture, read top-down
//!
//! A module uses those below it in this table, and no others: a test reads the table and holds the
//! source to it.
//!
//! | module | what it is for |
//! |---|---|
//! | `cli` | the command line: arguments, dispatch, exit codes; the only one that prints |
//! | `serve` | servers: the arenas with their page to watch, and a bot of ours that any arena can ask |
//! | `check` | what is wrong with a script: by reading it closely, then by playing with it; and with a program: by talking with it |
//! | `report` | events and standings as text and JSON, to a writer it is handed |
//! | `ladder` | people hand in scripts, which play all the time: who may what, and the standings |
//! | `tournament` | who meets whom, runs that can be taken up again, and what their games say |
//! | `analysis` | what a game says: luck apart from skill, and chances by playing on |
//! | `record` | versioned JSON Lines of a game; replay |
//! | `matches` | many games: who sits where, worker threads, standings |
//! | `load` | names and paths to checked values, every problem of a file at once, with its place |
//! | `players` | what decides: built-in bots, scripts in processes of their own, bots elsewhere |
//! | `protocol` | what is said on a wire, as values without clock or socket, and the transports that carry it |
//! | `script` | Rhai: engines, limits, every function a script may call, rulesets and bots as scripts |
//! | `odds` | the exact chances of a fight |
//! | `phases` | standard phases in Rust, with the same hooks that a script has; tables |
//! | `stats` | statistics of blocks: shares, ratings, tests, intervals |
//! | `memory` | how much memory a script holds |
//! | `text` | text on its way in and out: encodings, widths, colours, and nothing that steers a terminal |
//! | `kernel` | the loop, and the state it moves |
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
//! A bot that knows its next step, in the middle of a fight say, or from what the phase is for
//! ([`Rules::verbs`]), is asked for it first ([`Bot::try_next`]); the rules then check that step
//! alone ([`Rules::bounds_of`]), and nobody writes all options down. Where either can't tell, the
//! bot is asked in full.
//!
//! # Invariants
//!
//! Most of them say what is absent; a test greps for them.
//!
//! * Dependencies run down the table above only, and between files never in a circle.
//! * The kernel knows no Rhai, clap, miette, serde, file, clock, environment, hash map,
//!   float or printing.
//! * `rhai` appears under `script` alone, and functions for scripts are registered in `script::api`
//!   alone (what may be called inside `ruleset()`, and tables, beside it).
//! * What the program prints leaves through `cli::out` alone, which lets no control
//!   character out (`text::Outlet`).
//! * Input files are read in `load` alone; `record` reads the text of records, and `tournament`
//!   and `ladder` keep their own folders.
//! * An illegal move inside the kernel does not type-check: only [`Options::admit`],
//!   [`Options::admit_plan`] for a plan's first step, and [`Bounds::admit`] where rules can tell
//!   without all options, make a [`Legal`].
//! * Every change of a game goes through a mutator that checks it and pushes one event; the events
//!   alone rebuild the state.
//! * Bots get a [`View`], never the game. Hiding is data: declarations say who sees what.
//! * Same ruleset, map, options, bots and seed give the same game on any machine and any number of
//!   threads: no clock, no hash order, no float in a rule; script budgets count operations.
//! * What is said on a wire is made and read in `protocol` alone; its codecs know no clock,
//!   thread or socket.
//! * What leaves for another process is a view in numbers ([`View::numbers`]), from which
//!   everything hidden is gone.
//! * Every loop, queue, recursion, script and message has a limit.

#[doc(hidden)]
pub mod analysis;
#[doc(hidden)]
pub mod check;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod kernel;
#[doc(hidden)]
pub mod ladder;
#[doc(hidden)]
pub mod load;
#[doc(hidden)]
pub mod matches;
#[doc(hidden)]
pub mod memory;
#[doc(hidden)]
pub mod odds;
#[doc(hidden)]
pub mod phases;
#[doc(hidden)]
pub mod players;
#[doc(hidden)]
pub mod protocol;
#[doc(hidden)]
pub mod record;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod script;
#[cfg(feature = "serve")]
#[doc(hidden)]
pub mod serve;
#[doc(hidden)]
pub mod stats;
#[doc(hidden)]
pub mod text;
#[doc(hidden)]
pub mod tournament;

pub use kernel::action::{Action, Bounds, Domain, Illegal, Legal, Offer, Options};
pub use kernel::board::{Board, ContinentInfo, Datum, Ring, TerritoryInfo};
pub use kernel::declare::{
    CardInfo, CounterDecl, Declaration, OnFault, PhaseInfo, Sentences, Sight, SlotKind, Strikes,
    VerbInfo, Visibility,
};
pub use kernel::event::{Capture, Dice, Event, FightRound, PileOf, Status};
pub use kernel::fault::{BotFault, Exchange, FaultKind, RuleFault};
pub use kernel::id::{
    Card, Continent, Counter, Phase, Pile, Player, PlayerSet, Territory, Unit, Verb,
};
pub use kernel::outcome::{Outcome, Rank};
pub use kernel::position::Position;
pub use kernel::rng::{GameSeed, Purpose, Stream};
pub use kernel::state::{Ending, Frame, GameState, Order, OwnedTerritories};
pub use kernel::stepper::{Decision, MixedGame, StepError, Stepper, StepperSettings};
pub use kernel::view::{Facts, View};
pub use kernel::words::Words;
pub use kernel::{
    Answer, Aside, Bot, EventFilter, Finished, Limits, NullSink, Operations, RuleQueries, Rules,
    Sink, Stop, TimeControl, TimeLeft,
};
pub use load::bot_spec::BotSpec;
pub use load::diag::{Finding, Level, LoadError, Span, TextFile};
pub use load::lint::Levels;
pub use load::position::PositionFile;
pub use load::{map as load_map, ruleset as load_ruleset};
pub use matches::standings::{Rate, Spread, Standing, Standings, Tally};
pub use matches::{
    BotTime, GameResult, MatchFault, MatchSpec, RuleSetup, Seats, Setup, Worker, play_each,
    play_many, with_stack,
};
pub use memory::CountingAllocator;
pub use odds::{Fight, Odds};
pub use phases::table::NumberTable;
pub use players::{BotSource, BuiltIn, GeneralLevel, OwnBot};
pub use record::{
    Broken, Header, Mismatch, Playback, Record, RecordLine, RecordedExchange, RecordedPosition,
    RecordedRank, RecordedSeat, RecordedStrikes, Recorder, Refuted, Unfit, Verified, header,
    read as read_record, verify,
};
pub use report::Tee;
pub use script::tracer::{CallCost, DebugText, Readings, Tracer};
pub use script::{
    Bound, Budget, Exceeded, OptionValue, RulesSource, Ruleset, Script, ScriptFault, ScriptLimits,
    ScriptPlace, ScriptRules, Siblings, Source,
};
