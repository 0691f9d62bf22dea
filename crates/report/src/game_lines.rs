//! The games of a match as JSON Lines, the output of `play --games N --format jsonl`.

use serde_json::{Value, json};

use super::json::{FORMAT, options};
use risk_engine::record::{bot_hash, map_hash, ruleset_hash};
use risk_engine::{GameResult, Setup};
use risk_lab::tournament::GameLine;

/// Returns the first line: the match and its bots. It includes content hashes of everything read
/// from files, imports included. A remote bot has a hash only if its files are named.
#[must_use]
pub fn match_line(setup: &Setup) -> Value {
    let bots = setup
        .bots
        .iter()
        .map(|spec| json!({ "name": spec.name, "bot": spec.bot, "hash": bot_hash(&spec.source) }));
    json!({
        "type": "match",
        "format": FORMAT,
        "version": risk_engine::VERSION,
        "ruleset": setup.rules.ruleset_spec,
        "ruleset_hash": ruleset_hash(&setup.rules.ruleset),
        "map": setup.rules.map_spec,
        "map_hash": map_hash(&setup.rules.board),
        "options": options(setup),
        "seed": setup.seed,
        "seats": setup.seats.as_str(),
        "timed": setup.is_timed(),
        "reproducible": setup.why_not_reproducible().is_none(),
        "budget": setup.limits.budget.0,
        "bots": bots.collect::<Vec<_>>(),
    })
}

/// Returns the line of a game.
#[must_use]
pub fn game_line(setup: &Setup, result: &GameResult) -> Value {
    let name = |player: usize| setup.bots[player].name.clone();
    let seats = setup.seating(result.number).into_iter().map(name).collect();
    let mut line = json!({ "type": "game", "game": result.number });
    let game = serde_json::to_value(GameLine::new(result, seats));
    if let (Value::Object(line), Ok(Value::Object(game))) = (&mut line, game) {
        line.extend(game);
    }
    line
}
