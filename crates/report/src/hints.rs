//! What a ruleset's `board:` adds to pages, as data for their scripts.

use serde_json::{Value, json};

use risk_kernel::board::Board;
use risk_kernel::declare::Declaration;
use risk_kernel::id::{Counter, Unit};
use risk_kernel::words::Words;
use risk_text::escape_control;

/// Returns the badges, markers and tracks of a ruleset on a map. `web/types.d.ts` describes the
/// shape as `Hints`.
#[must_use]
pub fn for_page(decl: &Declaration, board: &Board) -> Value {
    let words = Words::new(board, decl);
    let name = |counter: Counter| &decl.counters[counter.index()].name;
    let badges = decl.hints.badges.iter().enumerate();
    let badges = badges.map(|(unit, badge)| {
        let title = words.unit(Unit::from_index(unit), 2);
        json!([escape_control(badge), escape_control(&title)])
    });
    let markers = decl.hints.markers.iter();
    let markers = markers.map(|marker| {
        let lands = marker.territories(board).map(|at| at.index());
        json!({
            "title": escape_control(&marker.title),
            "gone": marker.gone.map(name),
            "lands": lands.collect::<Vec<_>>(),
        })
    });
    let tracks = decl.hints.tracks.iter();
    let tracks = tracks.map(|track| {
        json!({
            "title": escape_control(&track.title),
            "counter": name(track.counter),
            "spaces": track.spaces.iter().map(|text| escape_control(text)).collect::<Vec<_>>(),
            "ahead": track.ahead.map(name),
            "players": track.of_players,
        })
    });
    json!({
        "units": decl.units,
        "badges": badges.collect::<Vec<_>>(),
        "markers": markers.collect::<Vec<_>>(),
        "tracks": tracks.collect::<Vec<_>>(),
    })
}
