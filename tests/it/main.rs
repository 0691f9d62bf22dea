//! All tests that run the program or use several crates, as one program.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod analyse;
mod animation;
mod api;
mod arena;
mod axe;
mod bot_spec;
mod browser;
mod cases;
mod checks;
mod command;
mod declared;
mod drawings;
mod feedback;
mod fields;
mod files_and_names;
mod findings;
mod gallery;
mod guides;
mod imagined;
mod ladder;
mod layout;
mod letters;
mod made_maps;
mod map_files;
mod map_slips;
mod maps;
mod matches;
mod migration;
mod missions;
mod narrow;
mod offers;
mod old_arena;
mod packs;
mod page;
mod people;
mod pipes;
mod play_page;
mod play_web;
mod played;
mod positions;
mod programs;
mod reach;
mod readme;
mod readme_pictures;
mod records;
mod reference;
mod remote;
mod rule_traps;
mod sandbox;
mod schemas;
mod served;
mod settings;
mod story;
mod strangers;
mod support;
mod syncs2024;
mod teams;
mod terminal;
mod text;
mod tidy;
mod told_chances;
mod tools;
mod tournament;
mod viewer;

/// Scripts run with counted memory, as in the program.
#[global_allocator]
static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator::new();
