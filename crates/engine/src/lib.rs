#![doc = include_str!("../README.md")]
//!
//! # Invariants
//!
//! * The same map, ruleset, options, bots and seed produce the same game, on any machine and with
//!   any number of threads: rules use no clock, no hash order and no floats.
//! * Bots get a [`View`], never the game.
//! * One check of a file reports all problems in it, each with its place.
//! * Every loop, script and message has a limit.
//!
//! # Play
//!
//! A [`MatchSpec`] describes a match, including its ruleset and bots. Loading turns it into a
//! [`Setup`], and a [`Worker`] plays its games. The same description and seed produce the same game
//! on any machine.
//!
//! ```
//! use risk_engine::{MatchSpec, NullSink, Worker};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let setup = MatchSpec::new("hasbro")
//!     .bots(["outnumber", "holder", "random"])
//!     .seed(7)
//!     .load(risk_cli::library())?;
//! let mut worker = Worker::new(&setup)?;
//! let finished = worker.play(0, &mut NullSink);
//! assert!(finished.outcome.is_ok());
//! # Ok(())
//! # }
//! ```
//!
//! [`play_many`] plays many games on several threads, and [`Tally`] summarizes their results:
//!
//! ```
//! use risk_engine::{MatchSpec, Tally, play_many};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let setup = MatchSpec::new("codelab")
//!     .bots(["outnumber", "random"])
//!     .load(risk_cli::library())?;
//! let mut tally = Tally::new(&setup);
//! for result in play_many(&setup, 0, 20, 2, |_| {})? {
//!     tally.add(&result);
//! }
//! assert_eq!(tally.finish().games, 20);
//! # Ok(())
//! # }
//! ```
//!
//! # Names
//!
//! The engine has no files of its own. It looks up names in a [`Library`] that the caller provides.
//! `risk_cli::library()` contains the maps, rulesets and bots of the program; the crate `risk-cli`
//! provides it even without its default features. With the empty library, [`Library::default`],
//! paths and generated maps still work.
//!
//! # Maps and rulesets
//!
//! [`load_map()`] and [`load_ruleset`] accept the same names and paths as the program. They report
//! all problems in a file, each with its place:
//!
//! ```
//! use risk_engine::script::ScriptLimits;
//! use risk_engine::{Levels, load_map, load_ruleset};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let library = risk_cli::library();
//! let board = load_map(library, "world", &Levels::default())?;
//! let alaska = board.find("alaska").expect("the world has it");
//! assert_eq!(board.degree(alaska), 3);
//! assert!(load_map(library, "grid:0x0", &Levels::default()).is_err());
//!
//! // What a ruleset declares may depend on its options and on how many play.
//! let ruleset = load_ruleset(library, "hasbro")?;
//! let options = ruleset.options(&[])?;
//! let bound = ruleset.bind(&board, &options, 3, &ScriptLimits::default());
//! assert!(bound.is_ok_and(|bound| bound.decl.verbs.len() > 3));
//! # Ok(())
//! # }
//! ```
//!
//! # Step through a game
//!
//! A [`Stepper`] returns the decisions that players must make, and applies one action at a time. A
//! search can clone it to try actions.
//!
//! ```
//! use risk_engine::{MatchSpec, StepperSettings, Worker};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let setup = MatchSpec::new("codelab")
//!     .option("max_turns", 20)
//!     .load(risk_cli::library())?;
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
//! # Search in threads
//!
//! A state is plain data: a [`Stepper`] and a [`View`] can be sent to other threads. Rules are
//! scripts, so each thread creates its own [`Worker`] from a shared [`Setup`].
//!
//! ```
//! use risk_engine::{Action, MatchSpec, Setup, Stepper, StepperSettings, Worker, with_stack};
//!
//! /// Plays on after an action, each player taking the first option: the score of who acted.
//! fn score(setup: &Setup, mut game: Stepper, action: Action) -> Option<i64> {
//!     let mut worker = Worker::new(setup).ok()?;
//!     let player = game.decisions().first()?.player;
//!     game.apply(worker.rules_mut(), player, action).ok()?;
//!     while let Some(decision) = game.decisions().first() {
//!         let (player, action) = (decision.player, decision.options.nth(0));
//!         game.apply(worker.rules_mut(), player, action).ok()?;
//!     }
//!     Some(game.outcome()?.scores()[player.index()])
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let setup = &MatchSpec::new("codelab").option("max_turns", 10).load(risk_cli::library())?;
//! let game = Worker::new(setup)?.stepper(0, StepperSettings::default())?;
//! let options = &game.decisions()[0].options;
//! let scores: Vec<Option<i64>> = std::thread::scope(|scope| {
//!     let threads = [0, 1].map(|number| {
//!         let (copy, action) = (game.clone(), options.nth(number));
//!         scope.spawn(move || with_stack(|| score(setup, copy, action)))
//!     });
//!     threads.map(|thread| thread.join().expect("it does not panic")).into()
//! });
//! assert!(scores.iter().all(Option::is_some));
//! # Ok(())
//! # }
//! ```
//!
//! # Record and verify
//!
//! A [`Recorder`](record::Recorder) is a [`Sink`] that records every answer.
//! [`verify`](record::verify) replays the answers and compares each line with the game.
//!
//! ```
//! use risk_engine::record::{self, Recorder};
//! use risk_engine::{MatchSpec, Worker};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let setup = MatchSpec::new("codelab").load(risk_cli::library())?;
//! let mut worker = Worker::new(&setup)?;
//! let header = record::header(&worker, 0);
//! let mut recorder = Recorder::new(Vec::new(), &header);
//! let finished = worker.play(0, &mut recorder);
//! let lines = recorder.finish(finished.outcome.as_ref().ok(), &finished.game)?;
//! let record = record::read(std::str::from_utf8(&lines)?).expect("it was just written");
//! assert!(record::verify(&record, &mut worker).is_ok_and(|verified| verified.whole));
//! # Ok(())
//! # }
//! ```
//!
//! # Untrusted scripts
//!
//! A script can't access files, the network or a clock. Every call has limits on its work and on
//! the sizes of its strings, arrays and maps. Memory is counted only if the program declares the
//! [`CountingAllocator`]; without it, [`ScriptLimits::counted`](script::ScriptLimits::counted)
//! refuses to run scripts.

pub mod acts;
mod error;
mod hosting;
pub mod interrupt;
mod load;
mod matches;
mod players;
pub mod record;
pub mod script;

/// The version of the program, which records, tournaments and servers name. It is that of this
/// crate: a change of the engine may change games.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

pub use error::EngineError;
pub use hosting::{
    Aside, BotTime, HostedBot, HostedSeats, Operations, SeatFault, TimeControl, TimeLeft,
    empty_game, hosted,
};
pub use load::{Library, bot_spec, ruleset as load_ruleset, ruleset_path, script as load_script};
pub use matches::standings::{Rate, Spread, Standing, Standings, Tally};
pub use matches::{
    Asides, FirstFault, FirstFaults, GameNotes, GameResult, MatchFault, MatchSpec, Opening,
    Producer, RuleSetup, SCRIPT_STACK, Seats, Setup, Worker, in_order, play_each, play_each_noted,
    play_many, script_fault, shell_quoted, strikes, with_stack,
};
pub use players::{
    BotFactory, BotSource, BuildError, BuiltIn, GeneralLevel, OwnBot, adviser, level_bots,
    made_for, names, script_bot,
};
pub use rhai_guard::CountingAllocator;
pub use risk_kernel::action::{
    Action, AdmissionError, Bounds, Domain, LegalAction, Offer, Options,
};
pub use risk_kernel::board::{Board, Datum, Ring, TerritoryInfo};
pub use risk_kernel::declare::{
    CardInfo, CounterDecl, Declaration, MarkDecl, OnFault, PhaseInfo, Sentences, Sight, SlotKind,
    Strikes, VerbInfo, Visibility,
};
pub use risk_kernel::event::{Capture, Dice, Event, FightRound, PileOf, Status};
pub use risk_kernel::fault::{BotFault, Exchange, FaultKind, RuleFault};
pub use risk_kernel::groups::{BonusStep, GroupInfo};
pub use risk_kernel::id::{
    Card, Counter, Group, Mark, Phase, Pile, Player, PlayerSet, Territory, Unit, Verb,
};
pub use risk_kernel::odds::{Fight, Odds};
pub use risk_kernel::outcome::{Outcome, Rank};
pub use risk_kernel::phases::table::NumberTable;
pub use risk_kernel::position::Position;
pub use risk_kernel::rng::{GameKey, Purpose, Stream};
pub use risk_kernel::state::{Ending, Frame, GameState, Order, OwnedTerritories};
pub use risk_kernel::stepper::{Decision, MixedGame, StepError, Stepper, StepperSettings};
pub use risk_kernel::view::{Facts, View};
pub use risk_kernel::words::Words;
pub use risk_kernel::{
    Aim, Answer, Bot, Bots, EventFilter, FinishedGame, Limits, NullSink, OptionalPhases, Plans,
    Preferences, RuleQueries, Rules, Sink, StopReason, Strike, Tee,
};
pub use risk_maps::files::FileKind;
pub use risk_maps::lint::Levels;
pub use risk_maps::position::PositionFile;
pub use risk_maps::{LONGEST_SEED, Seed, SeedError, load as load_map};
pub use risk_text::diag::{Finding, Level, LoadError, Span, TextFile};
