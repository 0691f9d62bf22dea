//! Games with people: what they type, see and may take back.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod enter;
mod secrets;
mod table;
mod typed;
