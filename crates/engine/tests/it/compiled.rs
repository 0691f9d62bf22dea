//! Any text as a bot and as a ruleset: read, compiled and linted. A fuzz target uses this too.

use std::cell::OnceCell;

use rhai_guard::memory;
use risk_engine::load_ruleset;
use risk_engine::script::bot::ScriptBot;
use risk_engine::script::{BoundRuleset, Ruleset, Script, ScriptFault, ScriptLimits};
use risk_maps::lint::Levels;
use risk_testing::games::library;

/// Limit on the bytes held while a script is read, with its map and game.
pub(crate) const MOST_HELD: i64 = 64 << 20;

thread_local! {
    static RULES: OnceCell<BoundRuleset> = const { OnceCell::new() };
}

fn rules() -> BoundRuleset {
    let ruleset = load_ruleset(library(), "hasbro").expect("the ruleset is built in");
    let board =
        risk_maps::load(library(), "hacker-risk", &Levels::default()).expect("the map is built in");
    let options = ruleset.options(&[]).expect("the defaults are values");
    ruleset
        .bind(&board, &options, 3, &ScriptLimits::default())
        .expect("the ruleset is fine")
}

/// Returns the faults of a text as a bot, and the peak of bytes held.
pub(crate) fn bot(text: &str) -> (Vec<ScriptFault>, i64) {
    RULES.with(|rules_cell| {
        let rules = rules_cell.get_or_init(rules);
        let _ = memory::take_peak();
        let before = memory::held();
        let script = Script::alone("bot", text);
        let faults =
            match ScriptBot::new(&script, &rules.decl, 42, 3, None, &ScriptLimits::default()) {
                Ok(bot) => bot.lints(&script, &rules.decl),
                Err(faults) => faults,
            };
        (faults, memory::take_peak() - before)
    })
}

/// Returns the faults of a text as a ruleset, and the peak of bytes held.
pub(crate) fn ruleset(text: &str) -> (Vec<ScriptFault>, i64) {
    let _ = memory::take_peak();
    let before = memory::held();
    let script = Script::alone("rules", text);
    let bound = Ruleset::extends(&script)
        .map_err(|fault| vec![fault])
        .and_then(|_| Ruleset::read(vec![script]));
    let bound = bound.and_then(|ruleset| {
        let options = ruleset.options(&[]).unwrap_or_default();
        let board =
            risk_maps::load(library(), "grid:4x3", &Levels::default()).expect("a grid is a map");
        let bound = ruleset.bind(
            &board,
            &options,
            ruleset.manifest.players.0,
            &ScriptLimits::default(),
        )?;
        Ok(bound.lints(&ruleset))
    });
    (
        bound.unwrap_or_else(|faults| faults),
        memory::take_peak() - before,
    )
}

/// Reads a text as a bot and as a ruleset, and panics if either holds too many bytes.
pub(crate) fn read(text: &str) {
    for (what, (_, held)) in [("bot", bot(text)), ("ruleset", ruleset(text))] {
        assert!(held < MOST_HELD, "as a {what} it held {held} bytes");
    }
}
