//! Results as JSON documents, the output of `--format json`.

use serde_json::{Value, json};

use super::figures::Figure;
use risk_engine::record::hex;
use risk_engine::script::manifest::OptionValue;
use risk_engine::{Rate, Setup, Spread, Standings};
use risk_kernel::odds::Odds;
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;

/// The version of these documents. It increases when a key is renamed.
pub(super) const FORMAT: u32 = 1;

pub(super) fn options(setup: &Setup) -> Value {
    let value = |value: &OptionValue| match value {
        OptionValue::Number(number) => json!(number),
        OptionValue::Flag(flag) => json!(flag),
        OptionValue::Word(word) => json!(word),
    };
    let options = setup.rules.options.iter();
    options
        .map(|(name, option)| (name.clone(), value(option)))
        .collect()
}

/// Returns a finished game as a JSON object.
#[must_use]
pub fn game(
    setup: &Setup,
    number: u64,
    game: &GameState,
    outcome: &Outcome,
    figures: &[Figure],
) -> Value {
    let player = |(seat, &player): (usize, &usize)| {
        let spec = &setup.bots[player];
        let figure = figures[seat];
        let player = risk_kernel::id::Player::from_index(seat);
        json!({
            "seat": seat + 1,
            "name": spec.name,
            "bot": spec.bot,
            "status": game.status(player).as_str(),
            "territories": game.territory_count(player),
            "armies": game.strength(player),
            "captures": figure.captures,
            "territories_lost": figure.territories_lost,
            "attacks": figure.attacks,
            "armies_lost": figure.armies_lost,
            "armies_killed": figure.armies_killed,
            "decisions": figure.decisions,
            "faults": figure.faults,
            "out_in_turn": figure.out_in_turn,
        })
    };
    let ranking = outcome.ranking.iter().map(
        |rank| json!({ "seat": rank.player.index() + 1, "score": rank.score, "place": rank.place }),
    );
    json!({
        "format": FORMAT,
        "ruleset": setup.rules.ruleset_spec,
        "map": setup.rules.map_spec,
        "options": options(setup),
        "seed": setup.seed,
        "timed": setup.is_timed(),
        "reproducible": setup.why_not_reproducible().is_none(),
        "game": number,
        "players": setup.seating(number).iter().enumerate().map(player).collect::<Vec<_>>(),
        "outcome": {
            "reason": outcome.reason,
            "winners": outcome.winners.iter().map(|player| player.index() + 1).collect::<Vec<_>>(),
            "ranking": ranking.collect::<Vec<_>>(),
        },
        "rounds": game.round(),
        "turns": game.turn(),
        "decisions": game.answers(),
        "battle_rounds": game.battle_rounds(),
        "digest": hex(game.digest()),
    })
}

/// Rounds a number to six decimals, so the result is the same on every machine.
#[must_use]
pub fn round(value: f64) -> f64 {
    // Adding 0.0 turns -0.0 into 0.0.
    (value * 1e6).round() / 1e6 + 0.0
}

fn rate(rate: Rate) -> (f64, [f64; 2]) {
    (round(rate.rate), [round(rate.low), round(rate.high)])
}

fn spread(spread: Spread) -> Value {
    json!({ "mean": spread.mean, "median": spread.median, "p5": spread.p5, "p95": spread.p95 })
}

/// Returns the standings of a match as a JSON object.
#[must_use]
pub fn standings(setup: &Setup, standings: &Standings) -> Value {
    let bot = |bot: &risk_engine::Standing| {
        let (share, interval) = rate(bot.rate);
        json!({
            "name": bot.name, "bot": bot.bot, "wins": bot.wins, "draws": bot.draws,
            "win_rate": share, "interval": interval, "faults": bot.faults,
        })
    };
    let by_seat = |(seat, &wins): (usize, &u64)| {
        let (share, interval) = rate(Rate::new(wins, standings.games));
        json!({ "seat": seat + 1, "wins": wins, "win_rate": share, "interval": interval })
    };
    let by_bot_and_seat = standings.bots.iter().flat_map(|bot| {
        bot.by_seat.iter().enumerate().map(
            move |(seat, &(games, wins))| json!({ "bot": bot.name, "seat": seat + 1, "games": games, "wins": wins }),
        )
    });
    json!({
        "format": FORMAT,
        "ruleset": setup.rules.ruleset_spec,
        "map": setup.rules.map_spec,
        "options": options(setup),
        "seed": setup.seed,
        "timed": setup.is_timed(),
        "reproducible": setup.why_not_reproducible().is_none(),
        "games": standings.games,
        "bots": standings.bots.iter().map(bot).collect::<Vec<_>>(),
        "by_seat": standings.by_seat.iter().enumerate().map(by_seat).collect::<Vec<_>>(),
        "by_bot_and_seat": by_bot_and_seat.collect::<Vec<_>>(),
        "reasons": standings.reasons,
        "rounds": spread(standings.rounds),
        "turns": spread(standings.turns),
        "decisions": standings.decisions,
        "battle_rounds": standings.battle_rounds,
        "digest": hex(standings.digest),
    })
}

/// Returns the chance that one territory takes another, as a JSON object.
#[must_use]
pub fn odds_between(ruleset: &str, lands: [&str; 2], chance: f64) -> Value {
    json!({
        "format": FORMAT,
        "ruleset": ruleset,
        "from": lands[0],
        "to": lands[1],
        "capture": chance,
    })
}

/// Returns the odds of a fight as a JSON object.
#[must_use]
pub fn odds(ruleset: &str, attackers: i32, defenders: i32, odds: Odds) -> Value {
    json!({
        "format": FORMAT,
        "ruleset": ruleset,
        "attackers": attackers,
        "defenders": defenders,
        "capture": odds.capture,
        "attackers_left": odds.attackers_left,
        "attackers_left_given_capture": odds.attackers_left_given_capture,
        "defenders_left": odds.defenders_left,
    })
}
