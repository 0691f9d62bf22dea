//! The program's output about games of the shipped rulesets.

use crate::setup;
use risk_engine::Worker;
use risk_engine::record::header;
use risk_wire::Endpoint;

#[test]
fn a_header_has_hashes_of_the_bots_that_are_known() {
    let mut setup = setup(
        "hasbro",
        None,
        &[
            "random",
            "holder",
            "random",
            "greedy",
            "http://127.0.0.1:9/",
        ],
        1,
        &[],
    );
    for spec in &mut setup.bots {
        if let Some(endpoint) = spec.source.factory::<Endpoint>() {
            // No server is needed.
            let unprobed = Endpoint {
                probed: false,
                ..endpoint.clone()
            };
            spec.source = unprobed.into_source();
        }
    }
    let worker = Worker::new(&setup).unwrap();
    let head = header(&worker, 0);
    let mut hashes: Vec<(String, Option<String>)> = head
        .players
        .into_iter()
        .map(|seat| (seat.bot, seat.hash))
        .collect();
    hashes.sort();
    hashes.dedup();
    // Each bot has one hash, different bots have different ones, and a remote bot has none.
    assert_eq!(hashes.len(), 4, "{hashes:?}");
    for (bot, hash) in &hashes {
        assert_eq!(
            hash.as_ref().map(String::len),
            (!bot.starts_with("http")).then_some(32),
            "{bot}"
        );
    }
    hashes.sort_by(|a, b| a.1.cmp(&b.1));
    hashes.dedup_by(|a, b| a.1 == b.1);
    assert_eq!(hashes.len(), 4, "{hashes:?}");
}
