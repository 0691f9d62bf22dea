//! Luck: integers, the same for any course of a run, and subtracted from the shares.

use std::fs;

use super::{SMALL, folder, log, out, tournament};
use crate::support::run_in;

fn lucky() -> String {
    format!("{SMALL}luck: true\n")
}

/// Returns the games of a log: by game the names, the winners, and the luck of each seat.
fn games(log: &str) -> Vec<serde_json::Value> {
    let blocks = log.lines().map(|line| serde_json::from_str(line).unwrap());
    blocks
        .flat_map(|block: serde_json::Value| block["games"].as_array().unwrap().clone())
        .collect()
}

#[test]
fn luck_is_that_of_the_record() {
    let held = folder(&format!("{}records: true\n", lucky()));
    assert_eq!(tournament(held.path(), "run . -q").code, 0);
    let games = games(&log(held.path()));
    assert_eq!(games.len(), 36);
    for (number, record) in [(0, "000000-1"), (7, "000002-2"), (35, "000011-3")] {
        let path = format!("records/{record}.jsonl");
        let ran = run_in(held.path(), &["analyse", &path, "--format", "json"]);
        let said: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        for (seat, player) in said["players"].as_array().unwrap().iter().enumerate() {
            let told = player["luck"].as_f64().unwrap();
            let logged = games[number]["luck"][seat].as_i64().unwrap() as f64 / 1_000.0;
            assert!(
                (told - logged).abs() < 0.0011,
                "{record} {seat}: {told} and {logged}"
            );
        }
    }
    let sums = games.iter().map(|game| {
        let seats = game["luck"].as_array().unwrap().iter();
        seats.map(|luck| luck.as_i64().unwrap()).sum::<i64>()
    });
    // One seat's gain is another's loss, except for rounding.
    assert!(
        sums.clone().all(|sum| sum.abs() <= 1),
        "{:?}",
        sums.collect::<Vec<_>>()
    );
    assert!(
        games
            .iter()
            .any(|game| game["luck"][0].as_i64().unwrap().abs() > 100)
    );
}

#[test]
fn luck_is_the_same_however_a_run_goes() {
    let one = folder(&lucky());
    let four = folder(&format!("{}records: true\n", lucky()));
    let ran = tournament(one.path(), "run . -j 1");
    assert_eq!(tournament(four.path(), "run . -j 4").out, ran.out);
    assert_eq!(log(one.path()), log(four.path()));
    assert_eq!(out(one.path()), out(four.path()));
    let plain = folder(SMALL);
    let plainly = tournament(plain.path(), "run . -j 2");
    assert!(!plainly.out.contains("average dice"), "{}", plainly.out);
    let digests = |text: &str| -> Vec<String> {
        games(text)
            .iter()
            .map(|game| game["digest"].to_string())
            .collect()
    };
    assert_eq!(digests(&log(one.path())), digests(&log(plain.path())));
    // Whether luck is counted belongs to the plan.
    fs::write(plain.path().join("tournament.yaml"), lucky()).unwrap();
    let ran = tournament(plain.path(), "run .");
    ran.refuses(2, "tournament::plan-differs");
    assert!(
        ran.err.contains("luck ") && ran.err.contains("counted"),
        "{}",
        ran.err
    );
    // A log without luck doesn't fit this plan.
    let text = log(one.path());
    let (first, rest) = text.split_once('\n').unwrap();
    let (body, _) = first.rsplit_once(",\"sum\"").unwrap();
    let mut block: serde_json::Value = serde_json::from_str(&format!("{body}}}")).unwrap();
    block["games"][1].as_object_mut().unwrap().remove("luck");
    let line = serde_json::to_string(&block).unwrap();
    let body = line.strip_suffix('}').unwrap();
    let sum = risk_engine::record::sum("", body);
    let text = format!("{body},\"sum\":\"{sum}\"}}\n{rest}");
    fs::write(one.path().join("log.1-of-1.jsonl"), text).unwrap();
    let ran = tournament(one.path(), "report .");
    ran.refuses(2, "tournament::not-this-plan");
}

/// The expected share with average luck is recomputed as that of a line through the blocks.
#[test]
fn luck_is_taken_off_the_shares() {
    let held = folder(&lucky().replace("blocks: 12", "blocks: 60"));
    let ran = tournament(held.path(), "run .");
    assert!(ran.out.contains("with average dice"), "{}", ran.out);
    assert_eq!(ran.out.matches(", saved ").count(), 3, "{}", ran.out);
    let games = games(&log(held.path()));
    let report: serde_json::Value = serde_json::from_str(&out(held.path())[2].1).unwrap();
    for bot in report["bots"].as_array().unwrap() {
        let mut points = Vec::new();
        for block in games.chunks(3) {
            let mut share = 0.0;
            let mut luck = 0.0;
            for game in block {
                let seats = game["seats"].as_array().unwrap();
                let seat = seats.iter().position(|name| *name == bot["name"]).unwrap();
                let winners = game["winners"].as_array().unwrap();
                if winners.contains(&(seat + 1).into()) {
                    share += 1.0 / winners.len() as f64 / 3.0;
                }
                luck += game["luck"][seat].as_f64().unwrap() / 3_000.0;
            }
            points.push((luck, share));
        }
        let count = points.len() as f64;
        let z = points.iter().map(|point| point.0).sum::<f64>() / count;
        let x = points.iter().map(|point| point.1).sum::<f64>() / count;
        let both: f64 = points
            .iter()
            .map(|point| (point.0 - z) * (point.1 - x))
            .sum();
        let squares: f64 = points.iter().map(|point| (point.0 - z).powi(2)).sum();
        let share = x - both / squares * z;
        let told = &bot["luck"];
        assert!(
            (told["armies"].as_f64().unwrap() - z).abs() < 1e-6,
            "{told}"
        );
        assert!(
            (told["share"].as_f64().unwrap() - share.clamp(0.0, 1.0)).abs() < 1e-6,
            "{told}"
        );
        assert!(told["variance_saved"].is_number(), "{told}");
    }
    let csv = &out(held.path())[1].1;
    assert!(
        csv.lines()
            .next()
            .unwrap()
            .ends_with(",faults,luck,adjusted_share,adjusted_low,adjusted_high,variance_saved")
    );
    assert!(
        csv.lines().all(|line| line.split(',').count() == 18),
        "{csv}"
    );
    tournament(held.path(), "report . --html page.html");
    let page = fs::read_to_string(held.path().join("page.html")).unwrap();
    assert!(page.contains("<h2>Luck</h2>"));
}

/// A ruleset that fights by rules of its own has no known luck.
#[test]
fn unknown_luck_is_marked() {
    let held = folder(
        "ruleset: starwars\nblocks: 10\nseed: 1\nbots: [random, 'name=b,bot=random']\nluck: true\n",
    );
    let ran = tournament(held.path(), "run .");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.out.matches("luck unknown").count(), 2, "{}", ran.out);
}
