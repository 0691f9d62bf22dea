//! The kernel: a game is a stack of frames, asked in passes.
//!
//! It knows players, land, units, counters, cards and orders, and nothing of any one game. It knows
//! no script, file, clock, environment or output either; the `tidy` test holds it to that.
//!
//! [`play`] plays a whole game: [`Rules`] say what may be done and what it does, a [`Bot`] for each
//! player decides, a [`Sink`] hears what happens. With a [`Stepper`](stepper::Stepper) the caller
//! drives the same game by hand, decision by decision.

pub mod action;
pub mod answer_queue;
pub mod board;
mod bot;
pub mod declare;
pub mod digest;
pub mod event;
pub mod fault;
pub mod id;
mod imagine;
mod limits;
pub mod mutators;
mod numbers;
mod operations;
pub mod outcome;
pub mod position;
pub mod reason;
pub mod rng;
mod rollout;
pub mod routes;
mod rules;
mod sink;
mod snapshot;
pub mod state;
pub mod stepper;
mod time_control;
pub mod turn_loop;
pub mod view;
pub mod words;

pub use bot::{Answer, Aside, Bot, RuleQueries};
pub use event::EventFilter;
pub use limits::{Limits, MOST_FAULTS};
pub use operations::Operations;
pub use outcome::{Finished, Stop};
pub use rollout::{Rollout, Until};
pub use rules::Rules;
pub use sink::{NullSink, Sink, Tee};
pub use time_control::{TimeControl, TimeLeft};
pub use turn_loop::{play, play_on};
