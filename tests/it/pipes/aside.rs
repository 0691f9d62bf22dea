//! The standard error of programs is logged, one file a game, where the user wants it.

use std::collections::BTreeMap;
use std::path::Path;

use super::{has, play, put};
use crate::support::run_in;

/// A bot that prints the beginning and end of each game to stderr. The first of all processes
/// prints ten megabytes more.
const TALKER: &str = r#"
import json, os, sys
def aside(text): print(text, file=sys.stderr, flush=True)
def is_first():
    try: return os.open("flooded", os.O_CREAT | os.O_EXCL) > 0
    except FileExistsError: return False
asked = 0
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello": print('{"protocol": 1}', flush=True)
    if m["type"] == "game": aside(f"seed {m['seed']}"); asked = 0
    if m["type"] == "over": aside("over")
    if m["type"] == "ask":
        asked += 1
        if asked == 2 and is_first(): aside("noise\n" * 1_800_000)
        o = m["options"][0]
        do = [o["verb"]] + [d[0] if isinstance(d, list) else d["min"] for d in o["parameters"]]
        print(json.dumps({"id": m["id"], "do": do}), flush=True)
"#;

fn files(folder: &Path) -> BTreeMap<String, String> {
    let all = std::fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(path).unwrap())
    });
    all.collect()
}

#[test]
fn what_is_said_aside_is_written_down_game_by_game() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "talker.py", TALKER);
    let bot = "name=ann.b,bot=cmd:python3 talker.py,sandbox=open";
    let log = "--games 3 --jobs 2 --bot-log logs/new".split(' ');
    let log: Vec<&str> = log.collect();
    let ran = play(folder.path(), bot, &log);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let told = files(&folder.path().join("logs/new"));
    let names: Vec<&str> = told.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "game-0.ann_b.1.log",
            "game-1.ann_b.1.log",
            "game-2.ann_b.1.log"
        ]
    );
    let (cut, whole): (Vec<&String>, Vec<&String>) =
        told.values().partition(|text| text.starts_with('['));
    assert_eq!((cut.len(), whole.len()), (1, 2));
    assert!(cut[0].ends_with("noise\n\nover\n") && cut[0].len() < 70_000);
    for text in &whole {
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines.len() == 2 && lines[0].starts_with("seed ") && lines[1] == "over",
            "{text}"
        );
    }
    assert_ne!(whole[0], whole[1]);

    let again = play(folder.path(), bot, &log);
    again.refuses(2, "cli::exists");
    let forced = play(folder.path(), bot, &[&log[..], &["--force"]].concat());
    assert_eq!(forced.code, 0, "{}", forced.err);
    let forced = files(&folder.path().join("logs/new"));
    assert!(forced.len() == 3 && forced.values().all(|text| text.starts_with("seed ")));
    let alone = play(folder.path(), bot, &["--bot-log", "one"]);
    assert_eq!(alone.code, 0, "{}", alone.err);
    assert_eq!(files(&folder.path().join("one")).len(), 1);
}

/// A crash is what users most want to read about: its output is logged also in the last game, which
/// ends the match.
#[test]
fn the_last_words_are_written_down() {
    if !has("python3") {
        return;
    }
    const CRASHES: &str = "import json, sys\nfor line in sys.stdin:\n    m = json.loads(line)\n    if m['type'] == 'hello': print('{\"protocol\": 1}', flush=True)\n    if m['type'] == 'ask': sys.exit('lost')\n";
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "crashes.py", CRASHES);
    let bot = "name=ann,bot=cmd:python3 crashes.py,sandbox=open";
    let more = ["--games", "9", "--jobs", "1", "--bot-log", "logs"];
    let ran = play(folder.path(), bot, &more);
    assert_eq!(ran.code, 3, "{}", ran.err);
    let told = files(&folder.path().join("logs"));
    let names: Vec<&str> = told.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        ["game-0.ann.log", "game-1.ann.log", "game-2.ann.log"]
    );
    assert!(told.values().all(|text| text == "lost\n"), "{told:?}");
}

#[test]
fn tournaments_write_it_down_too() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "talker.py", TALKER);
    put(folder.path(), "flooded", "");
    let cup = "ruleset: codelab\nmap: grid:3x3\noptions: { max_turns: 6 }\nblocks: 1\nbots:\n  - 'name=ann,bot=cmd:python3 talker.py'\n  - random\n";
    put(folder.path(), "cup.yaml", cup);
    let args = [
        "tournament",
        "run",
        "--programs",
        "cup.yaml",
        "--quiet",
        "--bot-log",
        "logs",
    ];
    let ran = run_in(folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let told = files(&folder.path().join("logs"));
    let names: Vec<&str> = told.keys().map(String::as_str).collect();
    assert_eq!(names, ["game-000000-1.ann.log", "game-000000-2.ann.log"]);
    assert!(
        told.values().all(|text| text.ends_with("over\n")),
        "{told:?}"
    );
}
