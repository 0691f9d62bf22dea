//! What is said on a wire, and what carries it.
//!
//! A [`Codec`] turns what a player may see into messages and answers into actions, without a clock,
//! a thread or a socket; a [`Transport`](transport::Transport) carries messages and knows none of
//! them. The [registry] lists both.

pub mod callback;
mod codec;
mod decl_lookup;
mod endpoint;
pub mod hacker_risk;
mod info;
pub mod isolated;
pub mod json;
pub mod names;
mod quote;
pub mod registry;
pub mod transport;

pub use codec::{Codec, Ending, Message, Question};
pub use endpoint::Endpoint;
pub use info::{JoinRequest, Protocol, ProtocolInfo, Setting};
pub use quote::{brief, quoted};
