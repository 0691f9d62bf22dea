//! Messages to and from programs fit the schema in every game; and one strategy plays the same game
//! over pipes, over HTTP, and in this process.

use std::sync::Mutex;

use risk_engine::record::{Recorder, header};
use risk_engine::{Worker, hosted};
use risk_kernel::action::{Action, Options};
use risk_kernel::fault::BotFault;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot};
use serde_json::{Value, json};

use super::{has, put};
use crate::support::{run, run_in, setup, without_sum};
use risk_testing::web::{reply, server};

const GAMES: [(&str, &str, &str); 6] = [
    ("hasbro", "3", "max_turns=9"),
    ("simplified", "2", "max_turns=20"),
    ("warzone", "2", "max_turns=12"),
    ("codelab", "2", "max_turns=8"),
    ("starwars", "2", "max_turns=12"),
    ("warlight2", "2", "max_turns=12"),
];

const LOGGER: &str = r#"
import json, random, sys
log = open(sys.argv[1], "a")
def pick(d): return random.choice(d) if isinstance(d, list) else random.randint(d["min"], d["max"])
def say(m):
    log.write("< " + json.dumps(m) + "\n")
    print(json.dumps(m), flush=True)
for line in sys.stdin:
    log.write("> " + line)
    m = json.loads(line)
    if m["type"] == "hello": say({"protocol": 1, "name": "logger", "wants": ["events", "actions"]})
    if m["type"] == "game": random.seed(m["seed"])
    if m["type"] == "ask":
        if m["id"] % 40 == 7: say({"id": m["id"], "do": ["nothing"]}); continue
        if m["actions"] and m["id"] % 2: say({"id": m["id"], "do": random.choice(m["actions"])}); continue
        o = random.choice(m["options"])
        say({"id": m["id"], "do": [o["verb"]] + [pick(d) for d in o["parameters"]]})
"#;

#[test]
fn all_that_is_said_fits_the_schema() {
    if !has("python3") {
        return;
    }
    let schema: Value = serde_json::from_str(&run(&["protocol", "schema"]).out).unwrap();
    let ours = jsonschema::validator_for(&schema["program"]).unwrap();
    let theirs = jsonschema::validator_for(&schema["bot"]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "logger.py", LOGGER);
    for (ruleset, players, short) in GAMES {
        let args = [
            "play",
            "--ruleset",
            ruleset,
            "--players",
            players,
            "--option",
            short,
            "--seed",
            "4",
            "--strikes",
            "1000",
            "--games",
            "2",
            "-j",
            "1",
            "--bot",
            "cmd:python3 logger.py log,sandbox=open",
        ];
        let ran = run_in(folder.path(), &args);
        assert_eq!(ran.code, 0, "{ruleset}: {}", ran.err);
        let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
        std::fs::remove_file(folder.path().join("log")).unwrap();
        let mut kinds = std::collections::BTreeMap::new();
        // Whether the log has territories without an owner, and with an owner hidden by fog.
        let mut unowned = (false, false);
        for line in log.lines() {
            let (from, text) = line.split_at(2);
            let value: Value = serde_json::from_str(text).unwrap();
            let fits = if from == "> " { &ours } else { &theirs };
            assert!(fits.is_valid(&value), "{ruleset}: {line}");
            for owner in value["state"]["owners"].as_array().into_iter().flatten() {
                unowned.0 |= *owner == -1;
                unowned.1 |= owner.is_null();
            }
            let kind = value["type"].as_str().unwrap_or("answer").to_owned();
            *kinds.entry(kind).or_insert(0) += 1;
        }
        let count = |kind: &str| kinds.get(kind).copied().unwrap_or(0);
        if ruleset == "warlight2" {
            assert_eq!(unowned, (true, true), "-1 is nobody's, null is not seen");
        }
        // The first game with a fault is played again to describe the fault.
        let games = count("game");
        let processes = count("hello");
        assert!((2..=3).contains(&games), "{kinds:?}");
        assert_eq!((count("over"), processes), (games, games - 1), "{kinds:?}");
        assert_eq!(count("bye"), processes, "{kinds:?}");
        assert_eq!(count("ask"), count("answer") - processes, "{kinds:?}");
        assert!(
            count("events") > 10 && count("ask") > 10,
            "{ruleset}: {kinds:?}"
        );
    }
    // The schema also refuses messages that are not in the protocol.
    assert!(!ours.is_valid(&json!({ "type": "ask", "id": "x" })));
    assert!(!ours.is_valid(&json!({ "type": "order" })));
    assert!(!theirs.is_valid(&json!({ "do": ["done"] })));
}

/// Picks a value of a domain, by the rule that all three bots share.
fn which(size: u64, turn: u64, slot: u64) -> u64 {
    (turn * 7 + slot * 3) % size
}

struct LocalTwin;

impl Bot for LocalTwin {
    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        let turn = u64::from(view.turn());
        let offers = options.offers();
        let offer = &offers[which(offers.len() as u64, turn, 0) as usize];
        let values = offer.slots().iter().zip(1..).map(|(&slot, index)| {
            let size = options.size(slot);
            options.value(slot, which(size, turn, index))
        });
        Ok(Answer::One(Action::new(
            offer.verb,
            &values.collect::<Vec<_>>(),
        )))
    }
}

fn there(message: &Value) -> Value {
    match message["type"].as_str().unwrap() {
        "hello" => json!({ "protocol": 1 }),
        "ask" => {
            let turn = message["state"]["turn"].as_u64().unwrap();
            let offers = message["options"].as_array().unwrap();
            let offer = &offers[which(offers.len() as u64, turn, 0) as usize];
            let mut words = vec![offer["verb"].clone()];
            for (domain, slot) in offer["parameters"].as_array().unwrap().iter().zip(1..) {
                words.push(match domain.as_array() {
                    Some(all) => all[which(all.len() as u64, turn, slot) as usize].clone(),
                    None => {
                        let least = domain["min"].as_i64().unwrap();
                        let size = domain["max"].as_i64().unwrap() - least + 1;
                        json!(least + which(size as u64, turn, slot) as i64)
                    }
                });
            }
            json!({ "id": message["id"], "do": words })
        }
        _ => Value::Null,
    }
}

/// The strategy as a Python program, for pipes.
const TWIN: &str = r#"
import json, sys
def which(size, turn, slot): return (turn * 7 + slot * 3) % size
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello": print('{"protocol": 1}', flush=True)
    if m["type"] == "ask":
        turn = m["state"]["turn"]
        o = m["options"][which(len(m["options"]), turn, 0)]
        do = [o["verb"]]
        for slot, d in enumerate(o["parameters"], 1):
            if isinstance(d, list): do.append(d[which(len(d), turn, slot)])
            else: do.append(d["min"] + which(d["max"] - d["min"] + 1, turn, slot))
        print(json.dumps({"id": m["id"], "do": do}), flush=True)
"#;

/// Returns the record of a game of the strategy against `random`, without the header, which names
/// the bots.
fn record(ruleset: &str, option: (&str, &str), bot: Option<&str>) -> Vec<String> {
    let specs = [bot.unwrap_or("random"), "random", "random"];
    let players = if ruleset == "hasbro" { 3 } else { 2 };
    let setup = setup(ruleset, None, &specs[..players], 3, &[option]);
    let mut worker = Worker::new(&setup).unwrap();
    let head = header(&worker, 0);
    let mut recorder = Recorder::new(Vec::new(), &head);
    let finished = match bot {
        Some(_) => worker.play(0, &mut recorder),
        None => {
            let others = (1..players).map(|_| worker.bot("random").unwrap());
            let mut seated = vec![hosted(LocalTwin)];
            seated.extend(others.collect::<Vec<_>>());
            worker.play_with(0, &mut seated, &mut recorder)
        }
    };
    let lines = recorder
        .finish(finished.outcome.as_ref().ok(), &finished.game)
        .unwrap();
    let lines = String::from_utf8(lines).unwrap();
    let lines = lines.lines().skip(1);
    lines.map(|line| without_sum(line).to_owned()).collect()
}

#[test]
fn the_same_strategy_plays_the_same_game_wherever_it_is() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "twin.py", TWIN);
    let place = folder.path().join("twin.py");
    let over_pipes = format!("\"cmd:python3 {}\"", place.display());
    let url = server(|request, stream| {
        let message: Value = serde_json::from_str(&request.body).unwrap();
        reply(stream, &there(&message).to_string());
    });
    let over_http = format!("{url},protocol=json");
    let wrong = Mutex::new(Vec::new());
    for (ruleset, _, short) in GAMES {
        let option = short.split_once('=').unwrap();
        let here = record(ruleset, option, None);
        assert!(here.len() > 20, "{ruleset}: {} lines", here.len());
        for bot in [&over_pipes, &over_http] {
            if record(ruleset, option, Some(bot)) != here {
                wrong.lock().unwrap().push((ruleset, bot.clone()));
            }
        }
    }
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn the_examples_play_every_game() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples");
    for (program, script) in [("python3", "pick.py"), ("node", "pick.mjs")] {
        if !has(program) {
            continue;
        }
        let text = std::fs::read_to_string(examples.join(script)).unwrap();
        assert!(text.lines().count() < 60, "{script}");
        for (ruleset, players, short) in GAMES {
            let bot = format!("\"cmd:{program} {}\"", examples.join(script).display());
            let args = [
                "play",
                "--ruleset",
                ruleset,
                "--players",
                players,
                "--option",
                short,
                "--bot",
                &bot,
            ];
            let ran = run(&args);
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{script}, {ruleset}");
        }
    }
}
