//! Names with a meaning for a wire protocol.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use crate::setup;
use risk_engine::Worker;
use risk_kernel::NullSink;
use risk_testing::web::{modest, reply, server};

/// A game that another program set up, with a player named like free land: on the wire the player's
/// territories are not free.
#[test]
fn free_land_and_players_are_told_apart_on_the_wire() {
    let owners: Arc<Mutex<BTreeSet<(String, bool)>>> = Arc::default();
    let keep = Arc::clone(&owners);
    let address = server(move |request, stream| {
        if request.path != "/turn" {
            return reply(stream, "");
        }
        let state = request.state();
        for land in state["game"]["countries"].as_object().unwrap().values() {
            let owner = land["owner"].as_str().unwrap().to_owned();
            keep.lock().unwrap().insert((owner, land["troops"] == 0));
        }
        reply(stream, &modest(&state).to_string());
    });
    let mut setup = setup(
        "hasbro",
        None,
        &["random", "random", &address],
        3,
        &[("max_turns", "6")],
    );
    for (spec, name) in setup.bots.iter_mut().zip(["none", "ann", "me"]) {
        spec.name = name.to_owned();
    }
    let finished = Worker::new(&setup).unwrap().play(0, &mut NullSink);
    assert!(finished.outcome.is_ok());
    let seen = owners.lock().unwrap().clone();
    let wanted = [
        ("ann", false),
        ("me", false),
        ("none", true),
        ("none (1)", false),
    ];
    assert_eq!(
        seen,
        wanted
            .into_iter()
            .map(|(name, free)| (name.to_owned(), free))
            .collect()
    );
}
