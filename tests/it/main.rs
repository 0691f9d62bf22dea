//! All integration tests, as one program.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod arena;
mod broken;
mod callback;
mod chances;
mod checks;
mod codelab;
mod command;
mod corpus;
mod digest;
mod declared;
mod golden;
mod guides;
mod hasbro;
mod http_twin;
mod invariants;
mod laws;
mod leaks;
mod made_maps;
mod map_files;
mod maps;
mod openapi;
mod options;
mod page;
mod programs;
mod random_requests;
mod random_scripts;
mod readme;
mod records;
mod referee;
mod reference;
mod registry;
mod remote;
mod sandbox;
mod served;
mod simplified;
mod starwars;
mod support;
mod tidy;
mod tools;
mod twin;
mod warzone;
mod web;
