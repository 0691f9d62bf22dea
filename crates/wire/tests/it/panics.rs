//! A bot that panics.

use crate::{library, setup};
use risk_engine::bot_spec::BotSpec;
use risk_engine::{MatchFault, play_many};
use risk_wire::{Endpoint, PROTOCOLS, Protocol, ProtocolInfo};

#[test]
fn a_thread_that_panics_ends_the_match() {
    let mut setup = setup(
        "codelab",
        Some("grid:3x3"),
        &["random", "random"],
        3,
        &[("max_turns", "20")],
    );
    let elsewhere = BotSpec::parse(library(), "http://127.0.0.1:9").unwrap();
    let endpoint = elsewhere.source.factory::<Endpoint>();
    let mut endpoint = endpoint
        .expect("a bot with an address is elsewhere")
        .clone();
    let panics = Box::leak(Box::new(ProtocolInfo {
        codec: |_, _| panic!("the codec panics"),
        ..*PROTOCOLS[0]
    }));
    endpoint.protocol = Protocol::new(panics, 0);
    setup.bots[1].source = endpoint.into_source();
    for jobs in [1, 4] {
        match play_many(&setup, 0, 1 << 40, jobs, |_| ()) {
            Err(MatchFault::Broken(text)) => {
                assert!(text.contains("the codec panics"), "{text}");
            }
            other => panic!("{other:?}"),
        }
    }
}
