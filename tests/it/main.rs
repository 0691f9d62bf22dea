//! All integration tests, as one program.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod api;
mod arena;
mod bot_spec;
mod broken;
mod by_case;
mod callback;
mod chances;
mod checks;
mod codelab;
mod command;
mod compiled;
mod corpus;
mod costs;
mod declared;
mod digest;
mod event_words;
mod golden;
mod guides;
mod hasbro;
mod http_twin;
mod invariants;
mod kernel_rows;
mod laws;
mod leaks;
mod legality;
mod limits;
mod made_maps;
mod map_bytes;
mod map_files;
mod maps;
mod matches;
mod mutators;
mod narrow;
mod numbers;
mod offers;
mod old_arena;
mod openapi;
mod options;
mod page;
mod pictures;
mod programs;
mod random_records;
mod random_requests;
mod random_scripts;
mod reach;
mod readme;
mod record_lines;
mod records;
mod referee;
mod reference;
mod registry;
mod remote;
mod routes;
mod sandbox;
mod served;
mod sights;
mod simplified;
mod starwars;
mod stepper;
mod story;
mod strangers;
mod support;
mod text;
mod tidy;
mod tools;
mod twin;
mod upstream;
mod warzone;
mod watchdog;
mod web;
mod wire_inputs;

/// Scripts run where their memory is counted, as in the program.
#[global_allocator]
static ALLOCATOR: risk_cli::CountingAllocator = risk_cli::CountingAllocator;
