//! The table of transports, and the lists that depend on it.

use std::collections::BTreeSet;

use risk_wire::transport::TRANSPORTS;
use risk_wire::{SCHEMES, protocols_over};

#[test]
fn each_transport_has_a_scheme_of_its_own_and_carries_a_protocol() {
    let schemes: BTreeSet<&str> = TRANSPORTS.iter().map(|info| info.scheme).collect();
    assert_eq!(schemes.len(), TRANSPORTS.len());
    for info in TRANSPORTS {
        assert!(protocols_over(info).next().is_some(), "{info:?}");
    }
}

#[test]
fn command_lines_name_the_transports_whose_bots_have_places() {
    let named = TRANSPORTS.iter().filter(|info| info.places.is_some());
    let named: Vec<_> = named.map(|info| (info.scheme, info.label)).collect();
    let schemes = SCHEMES.iter().map(|scheme| (scheme.name, scheme.label));
    assert_eq!(named, schemes.collect::<Vec<_>>());
    assert!(named.len() < TRANSPORTS.len());
}
