//! All tests that run the program, or stand on several crates, as one program.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod analyse;
mod animation;
mod api;
mod arena;
mod axe;
mod boards;
mod bot_spec;
mod broken;
mod browser;
mod callback;
mod cases;
mod checks;
mod command;
mod compiled;
mod corpus;
mod costs;
mod declared;
mod feedback;
mod files_and_names;
mod findings;
mod guides;
mod http_twin;
mod imagined;
mod ladder;
mod live_viewer;
mod made_maps;
mod map_bytes;
mod map_files;
mod maps;
mod matches;
mod migration;
mod missions;
mod narrow;
mod offers;
mod old_arena;
mod openapi;
mod page;
mod people;
mod pipes;
mod play_page;
mod play_web;
mod played;
mod positions;
mod programs;
mod random_records;
mod random_requests;
mod random_scripts;
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
mod shapes;
mod story;
mod strangers;
mod support;
mod teams;
mod terminal;
mod text;
mod tidy;
mod tools;
mod tournament;
mod viewer;
mod web;
mod wire_inputs;

/// Scripts run where their memory is counted, as in the program.
#[global_allocator]
static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator;
