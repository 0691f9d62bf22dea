//! The tests of texts and pictures.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod animation;
mod asides;
mod board_hints;
mod boards;
mod claims;
mod damaged_maps;
mod effects;
mod fights;
mod frames;
mod ledger;
mod live_viewer;
mod made_maps;
mod map_bytes;
mod map_messages;
mod numbers;
mod pages;
mod palette;
mod parts;
mod pictures;
mod screen;
mod shapes;
mod story;
mod story_words;
mod support;

#[global_allocator]
static ALLOCATOR: rhai_guard::CountingAllocator = rhai_guard::CountingAllocator::new();
