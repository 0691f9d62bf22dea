//! The fixed turn loop of Risk and its relatives: a game is a stack of frames, asked in passes.
//!
//! A frame names a phase and the players who decide in it. The loop looks at the top frame: the
//! first time it runs the phase's `enter`; then every player with options answers from the same
//! state, and the answers are applied in seat order. A player leaves a frame by having no options
//! or by a rule's word; a frame without players is popped; frames that a rule pushes are finished
//! first. Sequential turns, placing in rotation, secret simultaneous choice, orders that are stored
//! and executed later, and interrupts for another player are all the same mechanism.
//!
//! [`play`] plays a whole game: [`Rules`] say what is possible and what it does, a [`Bot`] for each
//! player decides, a [`Sink`] hears what happens. With a [`Stepper`](stepper::Stepper) the caller
//! drives the same game decision by decision. [`phases`] has the standard phases, which take their
//! numbers from tables, and [`odds`] the exact chances of a fight.
//!
//! A bot that knows its next step, in the middle of a fight say, or from what the phase is for
//! ([`Rules::verbs`]), is asked for it first ([`Bot::try_next`]); the rules then check that step
//! alone ([`Rules::bounds_of`]), and all options are never written down. Where either can't tell,
//! the bot is asked in full.
//!
//! # Invariants
//!
//! * No script, file, clock, environment, hash map, thread or output is used here, and no float in
//!   a rule: only [`odds`] computes with them, and no rule reads it.
//! * An illegal move does not type-check: only [`Options::admit`](action::Options::admit),
//!   [`Options::admit_plan`](action::Options::admit_plan) for a plan's first step, and
//!   [`Bounds::admit`](action::Bounds::admit) where rules can tell without all options, make a
//!   [`Legal`](action::Legal).
//! * Every change of a game goes through a mutator that checks it and pushes one event; the events
//!   alone rebuild the state.
//! * Bots get a [`View`](view::View), never the game. Hiding is data: declarations say who sees
//!   what.
//! * Same rules, board, players and seed give the same game on any machine.
//! * Every loop, queue and recursion has a limit.
//!
//! # What may be done
//!
//! Options are products of ranges, never lists of actions; what they admit is legal.
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
pub mod answer_queue;
pub mod board;
mod bot;
pub mod declare;
pub mod digest;
mod error;
pub mod event;
mod event_fold;
pub mod fault;
pub mod id;
mod imagine;
mod limits;
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
pub mod turn_loop;
pub mod view;
pub mod words;

pub use bot::{Answer, Bot, Bots, OptionalPhases, Plans, Preferences, RuleQueries, Strike};
pub use error::KernelError;
pub use event::EventFilter;
pub use event_fold::EventFold;
pub use limits::{Limits, MOST_FAULTS};
pub use outcome::{Finished, Stop};
pub use rollout::{Rollout, Until};
pub use rules::Rules;
pub use sink::{NullSink, Sink, Tee};
pub use turn_loop::{play, play_on};
