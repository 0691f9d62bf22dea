//! The tests of texts and pictures.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod asides;
mod claims;
mod effects;
mod fights;
mod frames;
mod ledger;
mod numbers;
mod pages;
mod palette;
mod parts;
mod pictures;
mod screen;
mod shapes;
mod support;

#[global_allocator]
static ALLOCATOR: rhai_guard::CountingAllocator = rhai_guard::CountingAllocator;
