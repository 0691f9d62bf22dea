//! Tests of the engine: rulesets, bots and records, without the program.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod aims;
mod asked;
mod assault;
mod board_hints;
mod chances;
mod charges;
mod codelab;
mod cold_and_warm;
mod compiled;
mod costs;
mod costs_at_play;
mod declared;
mod dice_rule;
mod digest;
mod draws;
mod foretold;
mod general;
mod golden;
mod hasbro;
mod imagine;
mod imagined;
mod interrupts;
mod invariants;
mod known_options;
mod legality;
mod limits;
mod many_dice;
mod map_rules;
mod matches;
mod missions;
mod mixed_games;
mod names;
mod natives;
mod notes;
mod options;
mod oracle;
mod orders;
mod own_files;
mod random_records;
mod random_scripts;
mod record_lines;
mod records;
mod referee;
mod reference;
mod registry;
mod rule_traps;
mod search;
mod search_by_script;
mod simplified;
mod starwars;
mod stepper;
mod strength;
mod teams;
mod twin;
mod upstream;
mod warlight;
mod warzone;
mod warzone_twin;
mod yardstick;

#[global_allocator]
static ALLOCATOR: rhai_guard::CountingAllocator = rhai_guard::CountingAllocator::new();
