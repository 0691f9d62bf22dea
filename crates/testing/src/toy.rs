//! A small declaration and a small board, for games whose rules are in the test.

use std::sync::Arc;

use risk_kernel::board::{Board, TerritoryInfo};
use risk_kernel::declare::{
    CounterDecl, Declaration, OnFault, PhaseInfo, SlotKind, Strikes, VerbInfo, Visibility,
};
use risk_kernel::id::{Phase, Territory};
use risk_kernel::state::GameState;

use crate::watchdog::watch;

pub fn declaration(strikes: Strikes) -> Declaration {
    watch();
    let quiet = PhaseInfo {
        asks: false,
        ..PhaseInfo::new("quiet")
    };
    Declaration {
        verbs: vec![VerbInfo::new("say", &[("number", SlotKind::Count)])],
        phases: vec![PhaseInfo::new("a"), PhaseInfo::new("b"), quiet],
        turn: vec![Phase(0)],
        counters: vec![CounterDecl {
            name: "score".to_owned(),
            seen: Visibility::All,
        }],
        last_standing: Some("conquest".to_owned()),
        strikes,
        ..Declaration::new("toy")
    }
}

pub const LENIENT: Strikes = Strikes {
    limit: 3,
    per_decision: false,
    then: OnFault::Skip,
};

pub fn board() -> Arc<Board> {
    let territory = |id: &str| TerritoryInfo {
        id: id.to_owned(),
        name: id.to_owned(),
        ..TerritoryInfo::default()
    };
    let pairs = [(0, 1), (1, 0), (1, 2), (2, 1)].map(|(a, b)| (Territory(a), Territory(b)));
    Arc::new(Board::new(
        "toy".to_owned(),
        String::new(),
        vec![territory("x"), territory("y"), territory("z")],
        Vec::new(),
        &pairs,
    ))
}

/// Asserts that a game's digest is that of its whole state, summed up from scratch.
pub fn is_digest_of_all(game: &GameState) {
    let cells = game.cells().into_iter();
    let sum = cells.fold(0, |sum: u64, (cell, value)| {
        sum.wrapping_add(cell.term(value))
    });
    assert_eq!(game.digest(), sum);
}
