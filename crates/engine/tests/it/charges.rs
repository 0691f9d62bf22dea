//! Functions that look at the whole board are charged by its size.

use risk_engine::script::tracer::Tracer;
use risk_engine::{MatchSpec, Worker};
use risk_kernel::NullSink;
use risk_testing::games::library;

/// Functions that look at every territory, or at every border of a player's territories.
const LOOKS: [&str; 3] = ["view.owned", "view.fronts", "view.inland"];

/// Returns the operations of an answer that makes this call a hundred times.
fn operations(map: &str, call: &str) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bot.rhai");
    let text =
        format!("fn answer(view, ask) {{ for i in 0..100 {{ let seen = {call}; }} ask.random() }}");
    std::fs::write(&path, text).unwrap();
    let mut setup = MatchSpec::new("codelab")
        .on(map)
        .bots([path.to_str().unwrap(), "random"])
        .load(library())
        .unwrap();
    setup.limits.tracer = Tracer::new();
    let mut worker = Worker::new(&setup).unwrap();
    worker.limits.answers = 4;
    worker.play(0, &mut NullSink);
    let readings = setup.limits.tracer.readings().unwrap();
    let most = readings.hooks.values().map(|tally| tally.most).max();
    most.unwrap()
}

#[test]
fn looks_at_the_board_cost_more_where_it_is_larger() {
    for call in LOOKS {
        let small = operations("grid:4x4", call);
        let large = operations("grid:64x64", call);
        // A look at 8,192 territories costs 32 operations, a hundred times.
        assert!(large >= small + 3_200, "{call}: {small} and {large}");
    }
}
