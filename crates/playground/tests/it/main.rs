//! Games in a page: links, people, records, and what a page must survive.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod hostile_links;
mod hostile_scripts;
mod links;
mod matches;
mod messages;
mod own_files;
mod page;
mod records;
mod secrets;
