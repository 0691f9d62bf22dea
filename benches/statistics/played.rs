//! How often games of equal seats are called unfair, in games that are really played: the same bot
//! is in all seats, and the seating is random, so that no player has an advantage in any game.

use risk_cli::library;
use risk_engine::bot_spec::BotSpec;
use risk_engine::{RuleSetup, Seats, Setup, play_many};
use risk_stats::fairness::{Fairness, fairness_of_counts};

use crate::random::percent;

/// Prints a row for each game of a ruleset that is wanted. `number` runs have their seeds from 1
/// on.
pub(crate) fn report(number: usize, wanted: impl Fn(&str) -> bool) {
    const GAMES: u64 = 300;
    println!("## Equal seats, played\n");
    println!(
        "{number} runs of {GAMES} games each, seeds 1 to {number}; alpha .05, tolerance .03.\n"
    );
    println!(
        "| ruleset, map | bot | players | \"unfair\" | some seat uneven | chi-square, p ≤ .05 |"
    );
    println!("|---|---|---|---|---|---|");
    let rows = [
        ("codelab", "duel", "outnumber", 2),
        ("codelab", "grid:4x4", "outnumber", 4),
        ("hasbro", "grid:3x3", "odds", 3),
        ("hasbro", "hacker-risk", "odds", 3),
    ];
    for (ruleset, map, bot, players) in rows.into_iter().filter(|row| wanted(row.0)) {
        let mut verdicts = Vec::new();
        for run in 1..=number {
            let rules =
                RuleSetup::load(library(), ruleset, Some(map), &[]).expect("a ruleset and a map");
            let bot = BotSpec::parse(library(), bot).expect("a bot");
            let setup = Setup {
                seed: (run as u64).into(),
                seats: Seats::Shuffle,
                ..Setup::new(rules, vec![bot; players])
            };
            let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            let games = play_many(&setup, 0, GAMES, cores, |_| ()).expect("games");
            let mut wins = vec![0.0; players];
            for game in &games {
                let seating = setup.seating(game.number);
                for winner in game.winners.iter() {
                    wins[seating[winner.index()]] += 1.0 / game.winners.len() as f64;
                }
            }
            verdicts.push(fairness_of_counts(&wins, 0.05, 0.03).expect("a verdict"));
        }
        let unfair = verdicts.iter().map(|it| it.fairness == Fairness::Unfair);
        let uneven = verdicts
            .iter()
            .map(|it| it.seats.iter().any(|seat| seat.uneven));
        let omnibus = verdicts
            .iter()
            .map(|it| it.omnibus.as_ref().is_ok_and(|p| *p <= 0.05));
        println!(
            "| {ruleset}, {map} | {bot} | {players} | {} | {} | {} |",
            percent(unfair),
            percent(uneven),
            percent(omnibus)
        );
    }
    println!();
}
