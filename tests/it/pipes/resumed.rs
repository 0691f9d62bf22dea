//! A game of a person and a program is resumed: the program gets a notice and the events so far.

use serde_json::Value;

use super::{has, put};
use crate::support::{TINY, run_in, run_typed};

/// A bot that takes the first option, and logs its messages.
const FIRST: &str = r#"
import json, sys
log = open("log", "a")
for line in sys.stdin:
    log.write(line)
    log.flush()
    m = json.loads(line)
    if m["type"] == "hello": print(json.dumps({"protocol": 1, "wants": ["events"]}), flush=True)
    if m["type"] == "ask":
        o = m["options"][0]
        first = lambda d: d[0] if isinstance(d, list) else d["min"]
        print(json.dumps({"id": m["id"], "do": [o["verb"]] + [first(d) for d in o["parameters"]]}), flush=True)
"#;

#[test]
fn a_program_hears_that_a_game_goes_on() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    put(folder, "first.py", FIRST);
    put(folder, "tiny.yaml", TINY);
    let heard = || {
        let text = std::fs::read_to_string(folder.join("log")).unwrap();
        std::fs::remove_file(folder.join("log")).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.collect::<Vec<Value>>()
    };
    let kinds = |heard: &[Value]| {
        let kinds = heard
            .iter()
            .map(|it| it["type"].as_str().unwrap().to_owned());
        kinds.collect::<Vec<_>>()
    };
    let line = [
        "play",
        "-r",
        "codelab",
        "-m",
        "tiny.yaml",
        "--bot",
        "human",
        "--bot",
        "cmd:python3 first.py,sandbox=open",
        "--seats",
        "fixed",
        "--seed",
        "2",
        "--record",
        "g.jsonl",
    ];
    let ran = run_typed(folder, &line, "auto\nauto\nauto\nquit\n");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let resumed = |heard: &[Value]| {
        let game = heard.iter().find(|it| it["type"] == "game");
        game.map(|game| game["resumed"].clone())
    };
    let first = heard();
    assert_eq!(resumed(&first), Some(Value::from(false)), "{first:?}");
    let asked = kinds(&first).iter().filter(|kind| *kind == "ask").count();
    assert!(asked > 1, "{first:?}");
    let again = ["play", "--resume", "g.jsonl"];
    let ran = run_typed(folder, &again, "quit\n");
    assert_eq!(ran.code, 2, "a record runs no program unasked");
    let again = ["play", "--resume", "g.jsonl", "--programs"];
    let ran = run_typed(folder, &again, "auto\nauto\nauto\nauto\nauto\nquit\n");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let second = heard();
    assert_eq!(resumed(&second), Some(Value::from(true)), "{second:?}");
    let kinds = kinds(&second);
    let question = kinds.iter().position(|kind| kind == "ask");
    let question = question.unwrap_or(kinds.len());
    // The bot's earlier answers are among the events, and the bot is not asked for them again.
    let told = second[..question]
        .iter()
        .flat_map(|it| it["events"].as_array().into_iter().flatten());
    let own = told.filter(|event| event["kind"] == "answer" && event["player"] == 1);
    assert!(own.count() >= asked, "{second:?}");
    let whole = run_in(folder, &["replay", "--verify", "g.jsonl"]);
    assert!(whole.code < 2, "{}{}", whole.out, whole.err);
}
