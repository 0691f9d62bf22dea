//! Operating an arena: a file of options, figures for Prometheus, and a health check.

use std::collections::BTreeSet;

use risk_testing::dialling::DialledBot;
use serde_json::{Value, json};

use crate::programs::Program;
use crate::support::{run, run_in};

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
