#![doc = include_str!("../README.md")]
//!
//! # Invariants
//!
//! * Escaped text contains no characters that control a terminal or are invisible. Only
//!   [`isolated`] adds invisible characters, around text from right to left.
//! * Only [`style`] creates colours.
//! * The crate does not read files, the environment or a clock.

mod date;
mod decode;
pub mod diag;
mod direction;
mod escape;
mod named;
pub mod names;
mod number;
mod outlet;
pub mod paint;
pub mod palette;
pub mod plural;
mod shorten;
pub mod suggest;
pub mod uri;
mod xml;

pub use date::utc;
pub use decode::{DecodeError, decode, decode_windows_1252, lines};
pub use direction::{isolated, isolated_html, without_isolates};
pub use escape::{
    escape_control, escape_json, escape_lines, escape_unseen, is_control, is_unseen, unseen,
};
pub use number::signed;
pub use outlet::{Outlet, adopt, columns, style, without_marks};
pub use shorten::beginning;
pub use xml::xml;
