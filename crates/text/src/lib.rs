//! Decoding of input text and safe output of text, with widths and colours.
//!
//! Every input file becomes text by `decode`. File names, names in maps, texts of scripts and
//! records may hold anything, so all output goes through [`Outlet`], which escapes the characters
//! that could control a terminal or be invisible. Only [`style`] makes colours.
//!
//! # Invariants
//!
//! * Escaped text has no character that controls a terminal or is invisible.
//! * Nothing here reads a file, the environment or a clock.
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
