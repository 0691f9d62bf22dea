//! The standings over generated logs, whose results are known.

use std::path::Path;

use risk_engine::bot_spec::BotSpec;
use risk_lab::ladder::{Ladder, LadderConfig, LadderStandings};
use risk_lab::tournament::GameLine;
use risk_lab::tournament::log::{BlockLine, LogWriter};

use crate::support::{library, setup};

fn duels(folder: &Path, house: &[&str]) -> Ladder {
    let named = |name: &&str| BotSpec {
        name: (*name).to_owned(),
        ..BotSpec::parse(library(), "random").unwrap()
    };
    let mut base = setup("codelab", None, &["random"; 2], 0, &[]);
    base.bots.clear();
    let config = LadderConfig {
        base,
        practice: false,
        seats: 2,
        house: house.iter().map(named).collect(),
        enough: 1,
        disk: 1 << 30,
        program: "none".into(),
    };
    Ladder::open(config, folder).unwrap()
}

/// Returns the standings after one block for each duel, the first of the pair winning both games.
fn after(house: &[&str], duels_won: &[(&str, &str)]) -> LadderStandings {
    let home = tempfile::tempdir().unwrap();
    let plan = duels(home.path(), house).plan().to_owned();
    let (mut log, _) = LogWriter::open(&home.path().join("log.jsonl"), |_| Ok(())).unwrap();
    for (block, (winner, loser)) in duels_won.iter().enumerate() {
        let game = |seats: [&str; 2], seat: usize| GameLine {
            seats: seats.map(str::to_owned).to_vec(),
            places: if seat == 1 { vec![1, 2] } else { vec![2, 1] },
            out_in_round: vec![None; 2],
            winners: vec![seat],
            reason: "elimination".to_owned(),
            rounds: 5,
            turns: 10,
            decisions: 20,
            faults: vec![0; 2],
            operations: vec![None; 2],
            luck: None,
            digest: format!("{block:016x}"),
        };
        let games = vec![game([winner, loser], 1), game([loser, winner], 2)];
        let (plan, block) = (plan.clone(), block as u64);
        let ended = None;
        log.add(&BlockLine {
            plan,
            block,
            games,
            ended,
        })
        .unwrap();
    }
    log.sync().unwrap();
    drop(log);
    duels(home.path(), house).standings()
}

/// Returns a bot's games, wins and share, and whether it has a rating.
fn row(standings: &LadderStandings, id: &str) -> (u64, u64, Option<f64>, bool) {
    let row = standings.rows.iter().find(|row| row.id == id).unwrap();
    (row.games, row.wins, row.share, row.rating.is_some())
}

#[test]
fn what_was_played_stays_when_an_opponent_has_gone() {
    let played = [
        ("ann", "bob@1"),
        ("ann", "bob@1"),
        ("bob@1", "ann"),
        ("ann", "cy"),
    ];
    let found = after(&["ann", "cy"], &played);
    assert_eq!((found.blocks, found.games), (4, 8));
    assert_eq!(row(&found, "ann"), (8, 6, Some(0.75), false));
    assert_eq!(row(&found, "cy"), (2, 0, Some(0.0), false));
    // Games between two bots that have left don't count.
    let played = [("ann", "cy"), ("bob@1", "dan@1")];
    let found = after(&["ann", "cy"], &played);
    assert_eq!((found.blocks, found.games), (1, 2));
}

/// Only the last 500 blocks of a bot count: in earlier ones it is an unknown bot.
#[test]
fn the_last_blocks_of_each_bot_count() {
    let mut played = vec![("ann", "bob"); 120];
    played.extend([("bob", "ann"); 500]);
    played.extend([("cy", "bob"); 3]);
    let found = after(&["ann", "bob", "cy"], &played);
    assert_eq!(row(&found, "ann"), (1_000, 0, Some(0.0), false));
    assert_eq!(row(&found, "cy"), (6, 6, Some(1.0), false));
    assert_eq!(row(&found, "bob").0, 1_000);
    assert_eq!(row(&found, "bob").1, 994);
    assert_eq!((found.blocks, found.games), (503, 1_006));
}

/// A bot that is new, or met only bots that have left, doesn't remove the ratings of others.
#[test]
fn bots_that_met_each_other_are_rated() {
    let house = ["new", "lone", "ann", "bob", "cy"];
    let mut played = Vec::new();
    for block in 0..40 {
        played.push(if block % 3 == 0 {
            ("ann", "bob")
        } else {
            ("bob", "ann")
        });
        played.push(if block % 4 == 0 {
            ("bob", "cy")
        } else {
            ("cy", "bob")
        });
        played.push(("lone", "gone@1"));
    }
    let found = after(&house, &played);
    let rated = house.map(|id| row(&found, id).3);
    assert_eq!(rated, [false, false, true, true, true]);
    assert_eq!(found.anchor.as_deref(), Some("ann"));
    let nats = |id: &str| found.rows.iter().find(|row| row.id == id).unwrap().rating;
    let (ann, bob, cy) = (
        nats("ann").unwrap(),
        nats("bob").unwrap(),
        nats("cy").unwrap(),
    );
    assert!(ann.0 == 0.0 && bob.0 > 0.0 && cy.0 > bob.0, "{found:?}");
    assert_eq!(row(&found, "lone"), (80, 80, Some(1.0), false));
}

/// One block between two groups would give limits that are much too narrow, so it doesn't join
/// them.
#[test]
fn groups_that_one_block_joins_are_not_rated_together() {
    let mut played = vec![("cy", "ann")];
    for block in 0..40 {
        let [first, second] = [block % 2, 1 - block % 2];
        played.push((["ann", "bob"][first], ["ann", "bob"][second]));
        played.push((["cy", "dan"][first], ["cy", "dan"][second]));
    }
    let house = ["ann", "bob", "cy", "dan"];
    let found = after(&house, &played);
    assert_eq!(
        house.map(|id| row(&found, id).3),
        [true, true, false, false]
    );
    played.extend([("cy", "ann"); 9]);
    let found = after(&house, &played);
    assert_eq!(house.map(|id| row(&found, id).3), [true; 4]);
}

#[test]
fn a_whole_table_is_rated_when_others_have_gone() {
    let mut played = vec![("ann", "gone@1"); 30];
    for block in 0..40 {
        played.push(if block % 4 == 0 {
            ("ann", "cy")
        } else {
            ("cy", "ann")
        });
    }
    let found = after(&["ann", "cy"], &played);
    let cy = found.rows.iter().find(|row| row.id == "cy").unwrap();
    assert!(cy.rating.unwrap().1 > 0.0, "{found:?}");
    assert_eq!(row(&found, "cy").2, Some(0.75));
}

/// Pairs that met in few blocks are no evidence that the two bots are equally good.
#[test]
fn bots_that_hardly_met_the_best_one_are_unknown() {
    let mut played = vec![("ann", "cy"); 3];
    for block in 0..40 {
        played.push(if block % 5 == 0 {
            ("bob", "ann")
        } else {
            ("ann", "bob")
        });
    }
    let found = after(&["ann", "bob", "cy"], &played);
    assert_eq!(found.rows[0].id, "ann");
    assert_eq!(found.unknown, ["cy"]);
    let pairs = found.unknown_pairs.unwrap();
    assert_eq!((pairs.pairs, pairs.met, pairs.needed), (1, 3, 10));
}

/// Where nothing is rated, a reason is given.
#[test]
fn ratings_or_the_reason_why_there_are_none() {
    for played in [vec![], vec![("ann", "bob"); 3], vec![("ann", "bob"); 20]] {
        let found = after(&["ann", "bob", "cy"], &played);
        assert_ne!(
            found.anchor.is_some(),
            found.no_ratings.is_some(),
            "{found:?}"
        );
    }
}
