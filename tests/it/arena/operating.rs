//! Operating an arena: a file of options, figures for Prometheus, and a health check.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::dialling::DialledBot;
use crate::programs::Program;
use crate::support::{run, run_in};

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
    let arena = Program::arena(
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

#[cfg(unix)]
#[test]
fn an_arena_says_whether_it_is_well() {
    let folder = tempfile::tempdir().unwrap();
    let mut arena = Program::arena(
        folder.path(),
        "--protocol json --players 2 --ruleset codelab --bot random",
    );
    assert_eq!(arena.get("/healthz"), (200, "ok".to_owned()));
    let (mut bot, _) = DialledBot::join(&arena.address, "ann");
    bot.play(0);
    arena.terminate();
    arena.waits_for(" under way)");
    assert_eq!(arena.get("/healthz"), (503, "closing".to_owned()));
    let answer = bot.choose();
    bot.say(&answer);
    bot.play(usize::MAX);
    assert!(arena.ends());
}

const CONFIG: &str = "protocol: json
ruleset: codelab
option: { max_turns: 5 }
players: 3
bot: ['name=house,bot=holder', { name: other, bot: odds }]
match_time: 60
forbid_loopback: true
rate: 77
";

/// A line of a file that is wrong, the code of the error, and a word in its text.
const BAD_LINES: [(&str, &str, &str); 10] = [
    ("plyers: 3", "serve::syntax", "plyers"),
    ("players: many", "serve::syntax", "players"),
    ("players: 99", "serve::config", "99"),
    ("timeout: 0", "serve::config", "--timeout"),
    ("seats: sideways", "serve::config", "sideways"),
    ("protocol: smoke", "serve::config", "smoke"),
    ("option: { max_turns: 0 }", "cli::option", "max_turns"),
    ("listen: here", "serve::config", "here"),
    ("players: 3\nplayers: 4", "serve::syntax", "players"),
    ("config: other.yaml", "serve::syntax", "config"),
];

#[test]
fn an_arena_is_set_up_by_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| std::fs::write(folder.path().join("arena.yaml"), text).unwrap();
    write(CONFIG);
    let arena = Program::arena(folder.path(), "--config arena.yaml");
    let overview: Value = serde_json::from_str(&arena.get("/matches").1).unwrap();
    assert_eq!(overview["ruleset"], "codelab");
    assert_eq!(
        (&overview["open"]["seats"], &overview["open"]["house"]),
        (&json!(3), &json!(["house", "other"]))
    );
    let body = json!({ "name": "ann", "url": "http://127.0.0.1:9" }).to_string();
    assert_eq!(
        arena.post("/join", &[], &body).0,
        400,
        "loopback is forbidden"
    );
    drop(arena);
    // The command line overrides the file.
    let arena = Program::arena(
        folder.path(),
        "--config arena.yaml --players 4 --bot random -o max_turns=7",
    );
    let overview: Value = serde_json::from_str(&arena.get("/matches").1).unwrap();
    assert_eq!(
        (
            &overview["open"]["seats"],
            overview["open"]["house"].as_array().unwrap().len()
        ),
        (&json!(4), 3)
    );
    drop(arena);
    for (line, code, word) in BAD_LINES {
        let key = line.split(':').next().unwrap();
        let rest: Vec<&str> = CONFIG
            .lines()
            .filter(|other| !other.starts_with(key))
            .collect();
        write(&format!("{}\n{line}\n", rest.join("\n")));
        let ran = run_in(
            folder.path(),
            &["serve", "--config", "arena.yaml", "--port", "0"],
        );
        ran.refuses(2, code);
        assert!(ran.err.contains(word), "{line}: {}", ran.err);
    }
    let ran = run_in(folder.path(), &["serve", "--config", "none.yaml"]);
    ran.refuses(2, "load::file");
    assert!(ran.err.contains("none.yaml"), "{}", ran.err);
    let ran = run_in(folder.path(), &["serve", "--port", "0"]);
    assert!(
        ran.code == 2 && ran.err.contains("--protocol"),
        "{}",
        ran.err
    );
}

/// The schema accepts the files in the documents, and has every option of the command line.
#[test]
fn the_schema_of_the_file_has_every_option() {
    let schema: Value = serde_json::from_str(&run(&["serve", "--config-schema"]).out).unwrap();
    let keys: BTreeSet<String> = schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    let help = run(&["serve", "--help"]).out;
    let long = help.lines().filter_map(|line| {
        let rest = line.trim_start();
        let rest = rest
            .split_once("--")
            .filter(|(before, _)| before.len() <= 4)?
            .1;
        let name: String = rest
            .chars()
            .take_while(|c| c.is_ascii_lowercase() || *c == '-')
            .collect();
        line.trim_start()
            .starts_with('-')
            .then_some(name.replace('-', "_"))
    });
    // A file can't declare itself trusted.
    let own = ["config", "config_schema", "programs", "help"];
    let long: BTreeSet<String> = long.filter(|name| !own.contains(&name.as_str())).collect();
    assert_eq!(keys, long);
    let valid = jsonschema::draft202012::new(&schema).unwrap();
    let text = include_str!("../../../docs/arena/arena.yaml");
    let value: Value = serde_yaml::from_str(text).unwrap();
    assert!(valid.is_valid(&value), "{text}");
    let guide = include_str!("../../../docs/arenas.md");
    let shown = guide.split("```yaml\n").nth(1).unwrap();
    let shown: Value = serde_yaml::from_str(shown.split("```").next().unwrap()).unwrap();
    assert!(valid.is_valid(&shown), "{shown}");
    assert!(!valid.is_valid(&json!({ "protocol": "json", "plyers": 3 })));
}
