//! The protocols of the two Warlight AI Challenges (theaigames, 2014 and 2015), which send text
//! lines over a process's pipes. They were implemented from the published descriptions.
//! `docs/protocol.md` lists the differences.

mod codec;
mod map;
mod moves;
mod seen_moves;
mod vocabulary;

use super::info::ProtocolInfo;
use codec::Warlight;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Challenge {
    First,
    Second,
}

/// The protocol of the second challenge, in which players pick in turn and have a time bank.
pub(super) static SECOND: ProtocolInfo = ProtocolInfo {
    name: "warlight2",
    ruleset: "warlight2",
    codec: |decl, _| Ok(Box::new(Warlight::new(decl, Challenge::Second)?)),
    ..ProtocolInfo::PLAIN
};

/// The protocol of the first challenge, in which each player lists all preferred regions in one
/// answer.
pub(super) static FIRST: ProtocolInfo = ProtocolInfo {
    name: "warlight1",
    ruleset: "warlight1",
    codec: |decl, _| Ok(Box::new(Warlight::new(decl, Challenge::First)?)),
    ..ProtocolInfo::PLAIN
};
