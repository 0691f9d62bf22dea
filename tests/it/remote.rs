//! Bots over HTTP: real requests over loopback, against servers that answer well and badly.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::programs::{Process, Program};
use crate::support::{run, run_in, tiny, words};
use crate::web::{decoded, modest, read_request, reply, server};

/// What comes of a bot that does this whenever it is asked for an action: faults as the record has
/// them, and how the player ended.
fn outcome(
    action: &'static str,
    wrong: impl Fn(&mut TcpStream, &Value) + Send + Sync + 'static,
) -> String {
    let address = server(move |request, stream| {
        if request.path != "/turn" {
            return reply(stream, "ok");
        }
        let state = request.state();
        let asked = state["you"]["available_actions"]
            .as_array()
            .unwrap()
            .contains(&action.into());
        if asked {
            wrong(stream, &state)
        } else {
            reply(stream, &modest(&state).to_string())
        }
    });
    outcome_at(&address)
}

/// The same of the bot at this address.
fn outcome_at(address: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let bot = format!("name=wrong,bot={address},timeout=1");
    let line = "play --quiet --format json --seed 3 --bot random --bot random --option max_turns=12 --record g.jsonl --bot";
    let ran = run_in(folder.path(), &[words(line), vec![&bot]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let record = std::fs::read_to_string(folder.path().join("g.jsonl")).unwrap();
    let first = record.lines().find(|line| line.contains("\"fault\""));
    let status = serde_json::from_str::<Value>(&ran.out).unwrap()["players"][2].clone();
    // What was played is played again without the bot.
    let again = run_in(folder.path(), &words("replay g.jsonl --verify"));
    assert_eq!(again.code, 0, "{}", again.err);
    let text = first.map_or("no fault".to_owned(), |line| {
        let value: Value = serde_json::from_str(line).unwrap();
        // The record has what was said, the request as the bot got it.
        let request = decoded(
            value["exchange"]["request"]
                .as_str()
                .unwrap()
                .strip_prefix("risk=")
                .unwrap(),
        );
        assert!(serde_json::from_str::<Value>(&request).unwrap()["game"]["countries"].is_object());
        assert!(value["exchange"]["answer"].as_str().unwrap().len() <= 17_000);
        format!(
            "{}: {}",
            value["kind"].as_str().unwrap(),
            value["text"].as_str().unwrap()
        )
    });
    let port = address.rsplit(':').next().unwrap();
    format!(
        "{} faults, {}\n    {}",
        status["faults"],
        status["status"].as_str().unwrap(),
        text.replace(port, "PORT")
    )
}

fn says(action: &'static str, body: &str) -> String {
    let body = body.to_owned();
    outcome(action, move |stream, _| reply(stream, &body))
}

/// A bot that understands the JSON alone, and gets a form.
fn in_another_encoding() -> String {
    outcome_at(&server(|request, stream| {
        match serde_json::from_str::<Value>(&request.body) {
            _ if request.path != "/turn" => reply(stream, "ok"),
            Ok(state) => reply(stream, &modest(&state).to_string()),
            Err(_) => {
                let _ = stream.write_all(b"HTTP/1.1 500 Oh\r\nContent-Length: 8\r\n\r\nno JSON!");
            }
        }
    }))
}

/// A bot that is there for the first requests, and then gone.
fn gone_after(requests: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for _ in 0..requests {
            let (mut stream, _) = listener.accept().unwrap();
            let Some(request) = read_request(&stream) else {
                continue;
            };
            let turn = request.path == "/turn";
            reply(
                &mut stream,
                &if turn {
                    modest(&request.state()).to_string()
                } else {
                    String::new()
                },
            );
        }
    });
    outcome_at(&address)
}

/// Bytes as they are, and then the end.
fn sends(bytes: &'static [u8]) -> String {
    outcome("choose_country", move |stream, _| {
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Both);
    })
}

#[test]
fn bots_that_misbehave_lose_their_turns_and_nobody_elses() {
    let mut rows = broken_transport();
    rows.extend(wrong_words());
    rows.extend(wrong_moves());
    let text: String = rows
        .iter()
        .map(|(name, outcome)| format!("{name}: {outcome}\n"))
        .collect();
    assert!(rows.len() >= 30);
    insta::assert_snapshot!(text);
}

type Rows = Vec<(&'static str, String)>;

/// Answers that are no HTTP, or too slow, or too much.
fn broken_transport() -> Rows {
    let claim = "choose_country";
    vec![
        ("answers well", outcome(claim, |stream, state| reply(stream, &modest(state).to_string()))),
        ("status 500", sends(b"HTTP/1.1 500 Oh\r\nContent-Length: 5\r\n\r\nsorry")),
        ("status 404", sends(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")),
        ("status 204", sends(b"HTTP/1.1 204 None\r\n\r\n")),
        ("a redirect", sends(b"HTTP/1.1 302 There\r\nLocation: http://127.0.0.1:1/turn\r\nContent-Length: 0\r\n\r\n")),
        ("gone, so that connections are refused", gone_after(9)),
        ("asked in another encoding", in_another_encoding()),
        ("hangs up", sends(b"")),
        ("hangs up in the head", sends(b"HTTP/1.1 200 OK\r\nContent-")),
        ("less than it promised", sends(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"action\":")),
        ("no HTTP at all", sends(b"{\"action\":\"pass\"}\n")),
        ("a broken chunk", sends(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n{}")),
        ("a length that is none", sends(b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n{}")),
        ("silent", outcome(claim, |_, _| std::thread::sleep(Duration::from_millis(1_600)))),
        (
            "byte by byte",
            outcome(claim, |stream, _| {
                for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n" {
                    std::thread::sleep(Duration::from_millis(60));
                    let _ = stream.write_all(&[*byte]);
                }
            }),
        ),
        (
            "answers twice",
            outcome(claim, |stream, state| {
                reply(stream, &modest(state).to_string());
                reply(stream, &modest(state).to_string());
            }),
        ),
        (
            "closes behind each answer without a word",
            outcome(claim, |stream, state| {
                reply(stream, &modest(state).to_string());
                let _ = stream.shutdown(std::net::Shutdown::Both);
            }),
        ),
        ("huge", outcome(claim, |stream, _| reply(stream, &"x".repeat(2 << 20)))),
        (
            "without an end",
            outcome(claim, |stream, _| {
                let _ = write!(stream, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                while write!(stream, "400\r\n{}\r\n", "y".repeat(1024)).is_ok() {}
            }),
        ),
        (
            "a head without an end",
            outcome(claim, |stream, _| {
                let _ = write!(stream, "HTTP/1.1 200 OK\r\n");
                while write!(stream, "X-More: {}\r\n", "y".repeat(1024)).is_ok() {}
            }),
        ),
        ("not UTF-8", sends(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\xff\xfe{}")),
    ]
}

/// Answers that are not in the words of the protocol.
fn wrong_words() -> Rows {
    let claim = "choose_country";
    vec![
        ("nothing", says(claim, "")),
        ("not JSON", says(claim, "choose peru")),
        ("half JSON", says(claim, "{\"action\":\"choose_country\"")),
        (
            "more behind the JSON",
            says(
                claim,
                "{\"action\":\"choose_country\",\"data\":\"peru\"} {}",
            ),
        ),
        ("NaN", says(claim, "{\"action\":NaN}")),
        ("an array", says(claim, "[\"choose_country\",\"peru\"]")),
        ("nested too deep", says(claim, &"[".repeat(2_000))),
        ("no action", says(claim, "{\"data\":\"peru\"}")),
        ("an action that is no text", says(claim, "{\"action\":3}")),
        (
            "an action that is not offered",
            says(claim, "{\"action\":\"attack\",\"data\":{}}"),
        ),
        (
            "a key twice",
            says(
                claim,
                "{\"action\":\"choose_country\",\"data\":\"peru\",\"data\":\"japan\"}",
            ),
        ),
        ("no data", says(claim, "{\"action\":\"choose_country\"}")),
        (
            "an unknown country",
            says(
                claim,
                "{\"action\":\"choose_country\",\"data\":\"atlantis\"}",
            ),
        ),
        (
            "letters that look alike",
            says(
                claim,
                "{\"action\":\"choose_country\",\"data\":\"p\u{435}ru\"}",
            ),
        ),
        (
            "another case",
            says(claim, "{\"action\":\"choose_country\",\"data\":\"Peru\"}"),
        ),
        (
            "signs that steer a terminal",
            says(claim, "{\"action\":\"\\u001b[2J\\u202e\"}"),
        ),
    ]
}

/// Answers that are not allowed.
fn wrong_moves() -> Rows {
    let (claim, deploy) = ("choose_country", "deploy_troops");
    vec![
        (
            "a country that is taken",
            outcome(claim, |stream, state| {
                let lands = state["game"]["countries"].as_object().unwrap();
                let taken = lands
                    .iter()
                    .find(|(_, land)| land["owner"] != "none")
                    .map(|(name, _)| name.clone());
                reply(
                    stream,
                    &json!({ "action": "choose_country", "data": taken }).to_string(),
                );
            }),
        ),
        (
            "troops as a list",
            says(deploy, "{\"action\":\"deploy_troops\",\"data\":[1]}"),
        ),
        (
            "no troops",
            says(deploy, "{\"action\":\"deploy_troops\",\"data\":{}}"),
        ),
        (
            "a key of data twice",
            says(
                deploy,
                "{\"action\":\"deploy_troops\",\"data\":{\"peru\":1,\"peru\":2}}",
            ),
        ),
        (
            "too many troops",
            outcome(deploy, |stream, state| {
                let name = state["you"]["countries"][0].as_str().unwrap();
                reply(
                    stream,
                    &json!({ "action": "deploy_troops", "data": { name: 900 } }).to_string(),
                );
            }),
        ),
        (
            "less than no troops",
            outcome(deploy, |stream, state| {
                let (a, b) = (
                    state["you"]["countries"][0].as_str().unwrap(),
                    state["you"]["countries"][1].as_str().unwrap(),
                );
                reply(
                    stream,
                    &json!({ "action": "deploy_troops", "data": { a: 2, b: -1 } }).to_string(),
                );
            }),
        ),
        (
            "half a troop",
            outcome(deploy, |stream, state| {
                let name = state["you"]["countries"][0].as_str().unwrap();
                reply(
                    stream,
                    &json!({ "action": "deploy_troops", "data": { name: 0.5 } }).to_string(),
                );
            }),
        ),
        (
            "troops in quotes",
            outcome(deploy, |stream, state| {
                let name = state["you"]["countries"][0].as_str().unwrap();
                reply(
                    stream,
                    &json!({ "action": "deploy_troops", "data": { name: "1" } }).to_string(),
                );
            }),
        ),
        (
            "troops abroad",
            outcome(deploy, |stream, state| {
                let lands = state["game"]["countries"].as_object().unwrap();
                let me = &state["you"]["name"];
                let name = lands
                    .iter()
                    .find(|(_, land)| land["owner"] != *me)
                    .unwrap()
                    .0;
                reply(
                    stream,
                    &json!({ "action": "deploy_troops", "data": { name: state["you"]["troops_to_deploy"] } })
                        .to_string(),
                );
            }),
        ),
        (
            "an old name",
            says("attack", "{\"action\":\"end_attacking_phase\"}"),
        ),
        (
            "an attack from nowhere",
            says(
                "attack",
                "{\"action\":\"attack\",\"data\":{\"attacking_troops\":1}}",
            ),
        ),
        (
            "an attack with everything",
            outcome("attack", |stream, state| {
                let (own, lands) = (
                    state["you"]["countries"][0].as_str().unwrap(),
                    &state["game"]["countries"],
                );
                let data = json!({ "attacking_country": own, "defending_country": "peru", "attacking_troops": 1, "moving_troops": lands[own]["troops"] });
                reply(
                    stream,
                    &json!({ "action": "attack", "data": data }).to_string(),
                );
            }),
        ),
        (
            "an attack on itself",
            outcome("attack", |stream, state| {
                let lands = &state["game"]["countries"];
                let own = state["you"]["countries"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|name| name.as_str().unwrap());
                let own = own
                    .max_by_key(|name| lands[*name]["troops"].as_i64())
                    .unwrap();
                let data = json!({ "attacking_country": own, "defending_country": own, "attacking_troops": 1, "moving_troops": 0 });
                reply(
                    stream,
                    &json!({ "action": "attack", "data": data }).to_string(),
                );
            }),
        ),
    ]
}

/// Before anything is played: is the bot there, can it be asked, and is its address one?
#[test]
fn bots_that_are_not_there_are_told_of() {
    let gone = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let unready = server(|_, stream| {
        let _ = write!(stream, "HTTP/1.1 503 Wait\r\nContent-Length: 0\r\n\r\n");
    });
    let ready = server(|_, stream| reply(stream, "ok"));
    for (bot, ruleset, text) in [
        (format!("http://{gone}"), "hasbro", "is not there"),
        (unready, "hasbro", "answers GET /status with 503, not 200"),
        (
            ready.clone(),
            "warzone",
            "bots over HTTP that speak hacker-risk can't play warzone: it has no phase",
        ),
        (
            format!("{ready},encoding=xml"),
            "hasbro",
            "there is no encoding `xml`",
        ),
        (
            format!("{ready},timeout=0"),
            "hasbro",
            "a timeout is 1 to 600 seconds",
        ),
        (
            format!("{ready},colour=red"),
            "hasbro",
            "`colour` is no setting of http://",
        ),
        (
            "https://127.0.0.1:1".to_owned(),
            "hasbro",
            "are reached by http:// alone",
        ),
        ("http://".to_owned(), "hasbro", "is no address of a bot"),
        (
            "http://user@host/?x".to_owned(),
            "hasbro",
            "is no address of a bot",
        ),
        (
            "bot=greedy,timeout=3".to_owned(),
            "hasbro",
            "`timeout` is a setting of bots over HTTP",
        ),
    ] {
        let ran = run(&[
            "play",
            "--quiet",
            "--ruleset",
            ruleset,
            "--bot",
            &bot,
            "--bot",
            "random",
            "--bot",
            "random",
        ]);
        let told = words(&ran.err).join(" ").replace(" │", "");
        assert!(
            ran.code != 0 && told.contains(text),
            "{bot}: {} {told}",
            ran.code
        );
    }
    let line = format!("play --games 2 -j 2 --bot {ready} --bot random --bot random");
    let ran = run(&words(&line));
    assert!(
        ran.code == 2 && ran.err.contains("plays one game at a time"),
        "{}",
        ran.err
    );
}

/// The very bytes, in each encoding: written by hand from the description of the protocol.
#[test]
fn requests_are_as_the_protocol_says() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&seen);
    let address = server(move |request, stream| {
        let answer = if request.path == "/turn" {
            modest(&request.state()).to_string()
        } else {
            "ok".to_owned()
        };
        keep.lock().unwrap().push((
            request.path.clone(),
            request.kind.clone(),
            request.body.clone(),
        ));
        reply(stream, &answer);
    });
    let folder = tiny();
    for encoding in ["form", "raw", "wrapped"] {
        let bot = format!("name=a b,bot={address},encoding={encoding}");
        let line = "play --quiet --seed 1 --map ./tiny.yaml --option max_turns=1 --bot name=x,bot=random --bot name=y,bot=random --bot";
        let ran = run_in(folder.path(), &[words(line), vec![&bot]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let requests = std::mem::take(&mut *seen.lock().unwrap());
        let first = requests
            .iter()
            .find(|(path, _, _)| path == "/turn")
            .unwrap();
        let state = concat!(
            r#"{"game":{"countries":{"a":{"owner":"x","troops":1},"b":{"owner":"none","troops":0},"c":{"owner":"none","troops":0},"#,
            r#""d":{"owner":"y","troops":1},"e":{"owner":"none","troops":0},"f":{"owner":"none","troops":0}},"#,
            r#""players":{"x":{"cards":0,"is_eliminated":false,"is_neutral":false},"y":{"cards":0,"is_eliminated":false,"is_neutral":false},"#,
            r#""a b":{"cards":0,"is_eliminated":false,"is_neutral":false}},"cards_left":8,"turn":0,"uid":"UID","#,
            r#""last_action":"y: LAST","broadcast_count":2},"you":{"name":"a b","is_eliminated":false,"earned_cards_this_turn":false,"#,
            r#""cards":[],"countries":[],"troops_to_deploy":35,"available_actions":["choose_country"]}}"#
        );
        let (kind, body) = match encoding {
            "form" => (
                "application/x-www-form-urlencoded",
                decoded(first.2.strip_prefix("risk=").unwrap()),
            ),
            "raw" => ("application/json", first.2.clone()),
            _ => (
                "application/json",
                first
                    .2
                    .strip_prefix("{\"risk\":")
                    .unwrap()
                    .strip_suffix('}')
                    .unwrap()
                    .to_owned(),
            ),
        };
        assert_eq!(first.1, kind);
        let value: Value = serde_json::from_str(&body).unwrap();
        let wanted = state
            .replace("UID", value["game"]["uid"].as_str().unwrap())
            .replace("y: LAST", value["game"]["last_action"].as_str().unwrap());
        let same: Value = serde_json::from_str(&wanted).unwrap();
        let lands = |state: &Value| {
            state["game"]["countries"]
                .as_object()
                .unwrap()
                .keys()
                .cloned()
                .collect::<Vec<_>>()
        };
        assert_eq!(lands(&value), lands(&same));
        for key in ["players", "cards_left", "turn", "broadcast_count"] {
            assert_eq!(value["game"][key], same["game"][key], "{key}");
        }
        assert_eq!(value["you"], same["you"]);
        assert_eq!(requests[0].0, "/status");
        let count = |wanted: &str| {
            requests
                .iter()
                .filter(|(path, _, _)| path == wanted)
                .count()
        };
        assert!(count("/not_turn") > 10 && count("/turn") > 10, "{encoding}");
        let last = requests.last().unwrap();
        assert_eq!(last.0, "/not_turn", "the last word is how it ended");
    }
}

/// A bot of the documentation as a process of its own. Where there is no such interpreter there is
/// none, unless `RISK_NEEDS_PROGRAMS` says that there must be.
fn example(interpreter: &str, script: &str, arguments: &[&str]) -> Option<(Process, String)> {
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs/examples")
        .join(script);
    let started = std::process::Command::new(interpreter)
        .arg(path)
        .arg(port.to_string())
        .args(arguments)
        .spawn();
    let process = match started {
        Ok(child) => Process(child),
        Err(error) => {
            assert!(
                std::env::var("RISK_NEEDS_PROGRAMS").is_err(),
                "{interpreter}: {error}"
            );
            return None;
        }
    };
    for _ in 0..200 {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Some((process, format!("http://127.0.0.1:{port}")));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{script} does not listen");
}

/// The bots of the documentation: real processes in Python and Node at a table with our own.
#[test]
fn the_bots_of_the_documentation_play() {
    let folder = tempfile::tempdir().unwrap();
    let board = folder.path().join("board.graphml");
    assert_eq!(
        run_in(
            folder.path(),
            &words("map import hacker-risk -o board.graphml")
        )
        .code,
        0
    );
    let examples = [("python3", "bot.py"), ("node", "bot.mjs")]
        .map(|(interpreter, script)| example(interpreter, script, &[board.to_str().unwrap()]));
    for (_process, address) in examples.iter().flatten() {
        for encoding in ["form", "raw", "wrapped"] {
            let bot = format!("{address},encoding={encoding}");
            let line = "play --games 2 --seed 6 --format json --option max_turns=60 --bot greedy --bot odds --bot";
            let ran = run_in(folder.path(), &[words(line), vec![&bot]].concat());
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{bot}");
            let value: Value = serde_json::from_str(&ran.out).unwrap();
            assert_eq!(value["bots"][2]["faults"], 0, "{bot}: {value}");
        }
    }
    // All at one table, with a script of ours, to the end.
    if let [Some((_, python)), Some((_, node))] = &examples {
        let line = format!(
            "play --quiet --seed 9 --format json --bot {python} --bot {node} --bot turtle --bot odds --record g.jsonl"
        );
        let ran = run_in(folder.path(), &words(&line));
        let value: Value = serde_json::from_str(&ran.out).unwrap();
        let faults = value["players"]
            .as_array()
            .unwrap()
            .iter()
            .map(|player| player["faults"].as_u64().unwrap());
        assert_eq!((ran.code, faults.sum::<u64>()), (0, 0), "{}", ran.err);
        let again = run_in(folder.path(), &words("replay g.jsonl --verify"));
        assert_eq!(again.code, 0, "{}", again.err);
        arena_of_processes(folder.path(), python, node);
    }
}

/// Processes in Python and Node, a served bot of ours and a script of the house at the arena's
/// tables.
fn arena_of_processes(folder: &std::path::Path, python: &str, node: &str) {
    let ours = Program::bot(folder, "odds");
    let line = "--protocol hacker-risk --players 6 --bot greedy --rate 1000 --records records --seed 3 -o max_turns=120";
    let arena = Program::arena(folder, line);
    let ours = format!("http://{}", ours.address);
    let bots = [("python", python), ("node", node), ("ours", ours.as_str())];
    for (number, count) in [2, 3].into_iter().enumerate() {
        for (name, url) in &bots[3 - count..] {
            let form = format!(
                "name={name}&url={url}&encoding={}",
                ["form", "raw", "wrapped"][count - 1]
            );
            let kind = [("Content-Type", "application/x-www-form-urlencoded")];
            assert_eq!(arena.post("/join", &kind, &form).0, 200);
        }
        assert_eq!(arena.post("/start", &[], "").0, 200);
        arena.waits_for(&format!("match {}: ", number + 1));
        let name = format!("records/match-{:05}.jsonl", number + 1);
        let record = std::fs::read_to_string(folder.join(&name)).unwrap();
        assert!(
            record.contains("\"line\":\"end\"") && !record.contains("\"line\":\"fault\""),
            "{record}"
        );
        assert_eq!(run_in(folder, &["replay", &name, "--verify"]).code, 0);
    }
}

/// The callback arena with its documentation's bots, one for each dialect, and one of ours.
#[test]
fn the_callback_bots_of_the_documentation_play() {
    for map in ["grid:6x5", "hacker-risk"] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
        let line = format!(
            "--protocol callback --secret-file secret --bot odds --map {map} --records records --seed 3"
        );
        let arena = Program::arena(folder.path(), &line);
        let place = format!("http://{}", arena.address);
        let bots = [
            ("python3", "callback.py", "ann"),
            ("node", "callback.mjs", "bob"),
        ];
        let examples =
            bots.map(|(interpreter, script, name)| example(interpreter, script, &[name, &place]));
        for ((_, _, name), _) in bots
            .iter()
            .zip(&examples)
            .filter(|(_, started)| started.is_some())
        {
            arena.waits_for(&format!("{name} joins match 1"));
        }
        if examples.iter().any(Option::is_some) {
            let (status, text) = arena.post(
                "/startgame",
                &[],
                &json!({ "secretCode": "correct-horse" }).to_string(),
            );
            assert_eq!(status, 200, "{text}");
            let record =
                std::fs::read_to_string(folder.path().join("records/match-00001.jsonl")).unwrap();
            assert!(
                record.contains("\"line\":\"end\"") && !record.contains("\"line\":\"fault\""),
                "{record}"
            );
        }
    }
}

/// A server that closes each connection when a second request comes on it is as good as any: that
/// may happen to one whose patience with quiet connections is just over.
#[test]
fn servers_may_close_connections_between_requests() {
    thread_local!(static COUNT: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });
    let address = server(|request, stream| {
        // Each connection has a thread of its own.
        COUNT.set(COUNT.get() + 1);
        if COUNT.get() > 1 {
            let _ = stream.shutdown(std::net::Shutdown::Both);
        } else {
            reply(
                stream,
                &if request.path == "/turn" {
                    modest(&request.state()).to_string()
                } else {
                    String::new()
                },
            );
        }
    });
    let line = format!(
        "play --quiet --format json --seed 3 --bot {address} --bot random --bot random -o max_turns=9"
    );
    let ran = run(&words(&line));
    assert_eq!(
        serde_json::from_str::<Value>(&ran.out).unwrap()["players"][0]["faults"],
        0,
        "{}",
        ran.err
    );
}
