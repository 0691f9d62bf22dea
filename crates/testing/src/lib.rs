#![doc = include_str!("../README.md")]
#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]
#![allow(missing_docs, reason = "tests are its only readers")]

pub mod by_case;
#[cfg(feature = "web")]
pub mod dialling;
#[cfg(feature = "games")]
pub mod edits;
pub mod event_words;
pub mod facts;
pub mod fold;
#[cfg(feature = "games")]
pub mod games;
#[cfg(feature = "web")]
pub mod http;
#[cfg(feature = "games")]
pub mod leaks;
#[cfg(feature = "web")]
pub mod openapi;
pub mod scripts;
#[cfg(feature = "games")]
pub mod stepped;
pub mod toy;
pub mod watchdog;
#[cfg(feature = "web")]
pub mod web;
