//! The figures of an arena for Prometheus.

use std::collections::{BTreeMap, BTreeSet};

use risk_testing::dialling::DialledBot;
use serde_json::json;

use crate::server::Server;

/// Parses the text format of Prometheus strictly: samples by name and labels.
fn samples(text: &str) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::new();
    let mut family: Option<(String, String)> = None;
    let mut known = BTreeSet::new();
    let is_name = |name: &str| {
        let first = |c: char| c.is_ascii_alphabetic() || c == '_';
        name.starts_with(first) && name.chars().all(|c| first(c) || c.is_ascii_digit())
    };
    assert!(text.ends_with('\n') && !text.contains('\r'), "{text}");
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let (name, help) = rest.split_once(' ').unwrap();
            assert!(
                is_name(name) && !help.is_empty() && known.insert(name.to_owned()),
                "{line}"
            );
            family = Some((name.to_owned(), String::new()));
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            let (open, known) = family.as_mut().unwrap();
            assert!(name == open && known.is_empty(), "{line}");
            assert!(["counter", "gauge"].contains(&kind), "{line}");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{line}");
            *known = kind.to_owned();
        } else {
            let (series, value) = line.rsplit_once(' ').unwrap();
            let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
            assert!(
                family
                    .as_ref()
                    .is_some_and(|(open, kind)| open == name && !kind.is_empty()),
                "{line}"
            );
            let labels = labels.strip_suffix('}').unwrap();
            for label in labels.split(',').filter(|label| !label.is_empty()) {
                let (key, value) = label.split_once('=').unwrap();
                let value = value.strip_prefix('"').unwrap().strip_suffix('"').unwrap();
                assert!(is_name(key) && !value.contains(['"', '\\']), "{line}");
            }
            let value: f64 = value.parse().unwrap();
            assert!(
                value >= 0.0 && found.insert(series.to_owned(), value).is_none(),
                "{line}"
            );
        }
    }
    found
}

#[test]
fn figures_are_told_as_prometheus_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Server::arena(
        folder.path(),
        "--protocol json --ruleset codelab --players 2 --bot random -o max_turns=6 --rate 1000",
    );
    let now = || {
        let (status, head) = arena.get_head("/metrics");
        assert!(
            status == 200 && head.contains("text/plain; version=0.0.4"),
            "{head}"
        );
        samples(&arena.get("/metrics").1)
    };
    let before = now();
    assert_eq!(before["risk_matches_begun_total"], 0.0);
    assert_eq!(before["risk_sockets"], 0.0);
    assert!(before["risk_start_time_seconds"] > 1.7e9);
    let info = before
        .keys()
        .find(|key| key.starts_with("risk_arena_info{"))
        .unwrap();
    assert!(
        info.contains("protocol=\"json\"") && info.contains("ruleset=\"codelab\""),
        "{info}"
    );
    assert_eq!(arena.get("/nowhere").0, 404);
    let (mut bot, _) = DialledBot::join(&arena.address, "ann");
    bot.play(0);
    assert_eq!(
        (now()["risk_sockets"], now()["risk_matches_running"]),
        (1.0, 1.0)
    );
    bot.say(&json!({ "id": bot.asked["id"], "do": ["dance"] }));
    bot.play(usize::MAX);
    arena.waits_for("match 1: ");
    // The line is printed before the match is counted.
    let ended = "risk_matches_ended_total{end=\"outcome\"}";
    let is_over = |figures: &BTreeMap<String, f64>| figures[ended] == 1.0;
    let after = (0..1_000).map(|_| now()).find(is_over).unwrap();
    let one = [
        "risk_matches_begun_total",
        "risk_matches_ended_total{end=\"outcome\"}",
        "risk_faults_total{kind=\"illegal\"}",
        "risk_sockets_opened_total",
        "risk_requests_total{status=\"4xx\"}",
    ];
    for name in one {
        assert_eq!(after[name], 1.0, "{name}");
    }
    let none = [
        "risk_matches_running",
        "risk_players_waiting",
        "risk_matches_ended_total{end=\"stopped\"}",
    ];
    for name in none {
        assert_eq!(after[name], 0.0, "{name}");
    }
    assert!(after["risk_answers_total"] > 10.0);
    assert!(
        after["risk_requests_total{status=\"2xx\"}"]
            > before["risk_requests_total{status=\"2xx\"}"]
    );
}
