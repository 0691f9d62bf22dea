//! Text from outside, on its way in and on its way to people, with its widths and colours.
//!
//! Every input file becomes text by `decode`. On the way out, whatever could steer a terminal, or
//! stand in a line unseen, is spelled out. File names, names in maps, texts of scripts and records
//! may hold anything. They pass [`Outlet`], the one way out of the program, which leaves no such
//! character as it is. Only [`style`] makes colours.
//!
//! # Invariants
//!
//! * What is spelled out holds no character that a terminal obeys or that can't be seen.
//! * Nothing here reads a file, an environment or a clock.
//!
//! ```
//! use risk_text::{escape_control, suggest};
//!
//! assert_eq!(escape_control("red \u{1b}[31m"), "red \\u{1b}[31m");
//! assert_eq!(suggest::nearest("alaksa", ["alaska", "kamchatka"]), Some("alaska"));
//! ```

mod decode;
mod escape;
mod outlet;
pub mod paint;
pub mod palette;
pub mod plural;
mod shorten;
pub mod suggest;
pub mod uri;
mod xml;

pub use decode::{NotText, decode, lines};
pub use escape::{escape_control, escape_json, escape_lines, is_control};
pub use outlet::{Outlet, adopt, columns, style};
pub use shorten::beginning;
pub use xml::xml;
