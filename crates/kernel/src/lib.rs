#![doc = include_str!("../README.md")]
//!
//! # The turn loop
//!
//! A game is a stack of frames, played in passes. A frame names a phase and the players who decide
//! in it. The loop processes the top frame. The first time, it runs the phase's `enter`. Then every
//! player with options answers from the same state, and the answers are applied in seat order. A
//! player leaves a frame when no options remain or when a rule removes the player. The loop pops a
//! frame without players. Frames that a rule pushes are finished first. Sequential turns, placement
//! in rotation, secret simultaneous choices, orders that are stored and executed later, and
//! interrupts for another player all use this mechanism.
//!
//! [`play`] plays a whole game: [`Rules`] define the legal actions and their effects, a [`Bot`]
//! decides for each player, and a [`Sink`] receives the events. With a
//! [`Stepper`](stepper::Stepper), the caller drives the same game decision by decision. [`phases`]
//! contains the standard phases, which read their numbers from tables. [`odds`] computes the exact
//! chances of a fight.
//!
//! The loop first asks a bot for its next step without options ([`Bot::try_next`]). The bot may
//! know this step in the middle of a fight or from the verbs of the phase ([`Rules::verbs`]). The
//! rules then check that step alone ([`Rules::bounds_of`]), without computing all options. If the
//! bot has no step or the rules can't check it, the loop asks the bot with all options.
//!
//! # Invariants
//!
//! * The crate uses no scripts, files, clocks, environment variables, hash maps, threads or output.
//!   Rules use no floats: only [`odds`] computes with floats, and no rule reads its results.
//! * An illegal move does not type-check. Only three functions create a
//!   [`LegalAction`](action::LegalAction): [`Options::admit`](action::Options::admit),
//!   [`Options::admit_plan`](action::Options::admit_plan) for the first step of a plan, and
//!   [`Bounds::admit`](action::Bounds::admit) if the rules need not compute all options.
//! * Every change of a game goes through a mutator that checks the change and pushes one event. The
//!   events alone are sufficient to rebuild the state.
//! * Bots get a [`View`](view::View), never the game. Declarations define which facts are hidden
//!   from which players.
//! * The same rules, board, players and seed produce the same game on any machine.
//! * Every loop, queue and recursion has a limit.
//!
//! # Options
//!
//! Options are products of domains, never lists of actions. An action is legal if the options admit
//! it.
//!
//! ```
//! use risk_kernel::action::{Action, Domain, Options};
//! use risk_kernel::id::Verb;
//!
//! let attack = Verb(0);
//! let mut options = Options::new();
//! let neighbours = options.among([2, 5, 7]);
//! options.offer(attack, &[neighbours, Domain::Span { low: 1, high: 3 }]);
//! assert_eq!(options.len(), 9);
//! assert!(options.admit(Action::new(attack, &[5, 3])).is_ok());
//! assert!(options.admit(Action::new(attack, &[4, 3])).is_err());
//! ```

pub mod action;
mod aim;
pub mod answer_queue;
pub mod board;
pub mod borders;
mod bot;
mod card_groups;
pub mod declare;
pub mod digest;
mod error;
pub mod event;
mod event_filter;
mod event_fold;
pub mod fault;
pub mod fight_class;
mod finished_game;
pub mod groups;
pub mod hints;
pub mod id;
mod imagine;
pub mod interrupt;
mod limits;
pub mod marks;
pub mod mutators;
pub mod odds;
pub mod outcome;
pub mod phases;
pub mod position;
pub mod reason;
pub mod rng;
mod rollout;
pub mod routes;
mod rules;
mod sink;
pub mod state;
pub mod stepper;
mod turn_loop;
pub mod unit_rules;
pub mod view;
pub mod words;

pub use aim::Aim;
pub use bot::{Answer, Bot, Bots, OptionalPhases, Plans, Preferences, RuleQueries, Strike};
pub use card_groups::CardGroups;
pub use error::KernelError;
pub use event_filter::EventFilter;
pub use event_fold::EventFold;
pub use finished_game::{FinishedGame, StopReason};
pub use imagine::HiddenFacts;
pub use limits::{Limits, MOST_FAULTS};
pub use rollout::{Rollout, StopPoint};
pub use rules::{Asked, Rules};
pub use sink::{Moment, NullSink, Sink, Tee};
pub use turn_loop::{MOST_STEPS, play, play_on};
