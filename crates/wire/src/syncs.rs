//! The protocol of SYNCS Bot Battle 2024, in which messages with their lengths pass through two
//! pipes in the bot's folder. It was implemented from the facts about the contest's engine.
//! `docs/protocol.md` lists the differences.

mod codec;
mod moves;
mod records;

use super::info::ProtocolInfo;
use codec::Syncs;

pub(super) static PROTOCOL: ProtocolInfo = ProtocolInfo {
    name: "syncs",
    aliases: &["syncs2024"],
    ruleset: "syncs2024",
    options: &[("asks", "always")],
    timeout: 1,
    folder_pipes: true,
    only_own_map: true,
    codec: |decl, _| Ok(Box::new(Syncs::new(decl)?)),
    ..ProtocolInfo::PLAIN
};

/// The number of territories of the contest's board, which bots know by heart.
const TERRITORIES: usize = 42;
/// The number of players of a match.
const PLAYERS: usize = 5;
/// The number of armies that each player begins with.
const ARMIES: i64 = 25;
/// The phases of the ruleset in which bots decide, and the others that records need.
const PHASES: [&str; 12] = [
    "claim", "muster", "income", "trade", "bonus", "deploy", "attack", "defend", "occupy", "card",
    "fortify", "turn_end",
];
