//! Servers in this process: arenas, their pages, and served bots.

#![allow(clippy::unwrap_used, reason = "a test that panics fails, as it should")]

mod answers;
mod callback;
mod code_lab;
mod crowd;
mod cuts;
mod ending;
mod joining;
mod live_viewer;
mod matches;
mod openapi;
mod operating;
mod random_requests;
mod requests;
mod served;
mod served_arenas;
mod server;
mod shares;
mod sockets;
mod strangers;
mod unruly;
mod watching;
mod wire_inputs;

/// Scripts run with counted memory, as in the program.
#[global_allocator]
static ALLOCATOR: risk_engine::CountingAllocator = risk_engine::CountingAllocator::new();
