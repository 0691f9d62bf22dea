//! Bots of the callback protocol over loopback: their requests, and the results of bad answers.

use std::io::Write;
use std::net::TcpStream;
use std::sync::{Arc, Mutex};

use risk_kernel::id::Player;
use risk_testing::web::{Request, careful, reply, server};
use serde_json::{Value, json};

use crate::{played, setup};

fn cell(row: i64, column: i64, owner: Option<&str>, armies: i64) -> Value {
    json!({ "location": { "row": row, "column": column }, "ownerName": owner, "armies": armies })
}

/// Requests to two players up to the first dice, written manually from the description.
fn written(seed: bool) -> Vec<(&'static str, &'static str, Value)> {
    let board = |a: i64, b: i64| {
        let owner = |name: &'static str, armies: i64| Some(name).filter(|_| armies > 0);
        json!([
            cell(0, 0, owner("ann", a), a),
            cell(0, 1, owner("bob", b), b)
        ])
    };
    let (place, first, again) = if seed {
        (
            "/placeArmy",
            json!("Your turn"),
            json!("Placement Failed. Try another territory."),
        )
    } else {
        ("/deployArmy", json!(0), json!(1))
    };
    let failed = if seed {
        json!("Attack Failed. Try again.")
    } else {
        json!(1)
    };
    let placing = |status: &Value, a: i64, b: i64, left: i64| json!({ "board": board(a, b), "status": status, "armiesRemaining": left });
    vec![
        // The first answer names no cell of the board.
        ("ann", place, placing(&first, 0, 0, 2)),
        ("ann", place, placing(&again, 0, 0, 2)),
        ("bob", place, placing(&first, 1, 0, 2)),
        ("ann", place, placing(&first, 1, 1, 1)),
        ("bob", place, placing(&first, 2, 1, 1)),
        // The first attack is on the player's own cell.
        (
            "ann",
            "/beginAttack",
            json!({ "board": board(2, 2), "status": first }),
        ),
        (
            "ann",
            "/beginAttack",
            json!({ "board": board(2, 2), "status": failed }),
        ),
    ]
}

/// Player, path and body of a request.
type RecordedRequest = (&'static str, String, Value);

/// Ann's first army goes off the board, and her first attack is on herself.
fn player(name: &'static str, heard: &Arc<Mutex<Vec<RecordedRequest>>>) -> String {
    let keep = Arc::clone(heard);
    let bot = careful(name);
    let mut misplaced = name != "ann";
    let mut misled = name != "ann";
    let answer = move |request: &Request| {
        let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
        keep.lock()
            .unwrap()
            .push((name, request.path.clone(), body));
        let nowhere = json!({ "row": 7, "column": 0 });
        if !misplaced && ["/placeArmy", "/deployArmy"].contains(&request.path.as_str()) {
            misplaced = true;
            return json!({ "desiredLocation": nowhere }).to_string();
        }
        if !misled && request.path == "/beginAttack" {
            misled = true;
            let own = json!({ "row": 0, "column": 0 });
            return json!({ "from": own, "to": own }).to_string();
        }
        bot(request)
    };
    let answer = Mutex::new(answer);
    server(move |request, stream| {
        let text = answer.lock().unwrap()(request);
        reply(stream, &text);
    })
}

#[test]
fn requests_are_as_the_protocol_says() {
    for dialect in ["seed", "snow"] {
        let heard: Arc<Mutex<Vec<RecordedRequest>>> = Arc::default();
        let ann = player("ann", &heard);
        let bob = player("bob", &heard);
        let how = format!("protocol=callback,dialect={dialect}");
        let bots = [
            format!("name=ann,bot={ann},{how}"),
            format!("name=bob,bot={bob},{how}"),
        ];
        let bots = bots.each_ref().map(String::as_str);
        let options = [("armies", "2")];
        played(&setup("simplified", Some("grid:2x1"), &bots, 3, &options));
        let heard = std::mem::take(&mut *heard.lock().unwrap());
        let seed = dialect == "seed";
        let probes: Vec<&str> = heard
            .iter()
            .take(2)
            .map(|(_, path, _)| path.as_str())
            .collect();
        assert_eq!(
            probes,
            if seed {
                ["/", "/"]
            } else {
                ["/areYouThere"; 2]
            },
            "they are looked for first"
        );
        let expected = written(seed);
        for (said, wanted) in heard[2..].iter().zip(&expected) {
            assert_eq!(
                (said.0, said.1.as_str(), &said.2),
                (wanted.0, wanted.1, &wanted.2),
                "{dialect}"
            );
        }
        the_fight_goes_on(seed, &heard[2 + expected.len()]);
        both_hear_how_it_ended(&heard);
    }
}

/// One army of 2 against 2 falls, so the attacker goes on or the other player attacks.
fn the_fight_goes_on(seed: bool, after: &RecordedRequest) {
    let (path, mut keys) = if seed {
        ("/continueAttack", vec!["board"])
    } else {
        ("/continueAttacking", vec!["board"])
    };
    if !seed {
        keys.extend(["attackingTerritorry", "defendingTerritorry"]);
    }
    if after.1 == path {
        assert_eq!(
            after.2.as_object().unwrap().keys().collect::<Vec<_>>(),
            keys
        );
        assert_eq!(
            after.2["board"],
            json!([cell(0, 0, Some("ann"), 2), cell(0, 1, Some("bob"), 1)])
        );
        if !seed {
            assert_eq!(
                after.2["attackingTerritorry"],
                json!({ "location": { "row": 0, "column": 0 }, "armies": 2 })
            );
            assert_eq!(
                after.2["defendingTerritorry"],
                json!({ "location": { "row": 0, "column": 1 }, "armies": 1 })
            );
        }
    } else {
        assert_eq!((after.0, after.1.as_str()), ("bob", "/beginAttack"));
    }
}

fn both_hear_how_it_ended(heard: &[RecordedRequest]) {
    let over: Vec<_> = heard
        .iter()
        .filter(|(_, path, _)| path == "/gameOver")
        .collect();
    assert_eq!(over.len(), 2, "both hear how it ended");
    let end = over[0].2.as_object().unwrap();
    assert_eq!(
        end.keys().collect::<Vec<_>>(),
        ["winnerName", "finalBoard", "finalScores", "gameDuration"]
    );
    let armies: i64 = end["finalBoard"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cell| cell["armies"].as_i64().unwrap())
        .sum();
    let scores: Vec<&str> = end["finalScores"]
        .as_array()
        .unwrap()
        .iter()
        .map(|score| score.as_str().unwrap())
        .collect();
    let points = |score: &str| {
        score
            .split(['(', ')'])
            .nth(1)
            .unwrap()
            .parse::<i64>()
            .unwrap()
    };
    assert_eq!(
        scores.iter().map(|score| points(score)).sum::<i64>(),
        armies + 4,
        "{scores:?}"
    );
    assert!(scores[0].starts_with("ann (") && scores[1].starts_with("bob ("));
}

const SCORED: &str = "fn ruleset() { #{ extends: \"simplified\" } }\nfn score(g, who) { 100 - g.territories(who) }\n";

#[test]
fn the_final_scores_are_the_rulesets() {
    let heard: Arc<Mutex<Vec<RecordedRequest>>> = Arc::default();
    let ann = player("ann", &heard);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scored.rhai"), SCORED).unwrap();
    let ruleset = folder.path().join("scored.rhai").display().to_string();
    let ann = format!("name=ann,bot={ann},protocol=callback");
    let bots = [ann.as_str(), "name=bob,bot=random"];
    let options = [("armies", "2")];
    played(&setup(&ruleset, Some("grid:2x1"), &bots, 3, &options));
    let heard = heard.lock().unwrap();
    let (_, path, end) = heard.last().unwrap();
    assert_eq!(path, "/gameOver");
    let owned = |name: &str| {
        let cells = end["finalBoard"].as_array().unwrap().iter();
        cells.filter(|cell| cell["ownerName"] == name).count()
    };
    let wanted = ["ann", "bob"].map(|name| format!("{name} ({})", 100 - owned(name)));
    assert_eq!(end["finalScores"], json!(wanted), "{end}");
}

/// Returns the status and the first fault of a bot that does this on each request to a path.
fn outcome(path: &'static str, wrong: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> String {
    let bot = careful("wrong");
    let address = server(move |request, stream| {
        if request.path == path {
            wrong(stream)
        } else {
            reply(stream, &bot(request))
        }
    });
    let dialect = if ["/placeArmy", "/continueAttack"].contains(&path) {
        "seed"
    } else {
        "snow"
    };
    let bot = format!("name=wrong,bot={address},protocol=callback,dialect={dialect},timeout=1");
    let bots = [bot.as_str(), "random", "random"];
    let options = [("armies", "9")];
    let (finished, record) = played(&setup("simplified", Some("grid:3x3"), &bots, 3, &options));
    let is_fault = |line: &&str| line.contains("\"line\":\"fault\"");
    let faults = record.lines().filter(is_fault).count();
    let first = record.lines().find(is_fault);
    let text = first.map_or("no fault".to_owned(), |line| {
        let value: Value = serde_json::from_str(line).unwrap();
        // The record has the request and the answer as they were sent.
        let request: Value =
            serde_json::from_str(value["exchange"]["request"].as_str().unwrap()).unwrap();
        assert!(request["board"].is_array());
        let shown: String = value["exchange"]["answer"]
            .as_str()
            .unwrap()
            .chars()
            .take(30)
            .collect();
        format!(
            "{}: {}\n    answer kept: {shown:?}",
            value["kind"].as_str().unwrap(),
            value["text"].as_str().unwrap()
        )
    });
    let port = address.rsplit(':').next().unwrap();
    format!(
        "{faults} faults, {}\n    {}",
        finished.game.status(Player::from_index(0)).as_str(),
        text.replace(port, "PORT")
    )
}

fn says(path: &'static str, body: &'static str) -> String {
    outcome(path, move |stream| reply(stream, body))
}

/// Sends raw bytes, then closes the connection.
fn sends(path: &'static str, bytes: &'static [u8]) -> String {
    outcome(path, move |stream| {
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Both);
    })
}

const PLACE: &str = "/placeArmy";

const DEPLOY: &str = "/deployArmy";

const ATTACK: &str = "/beginAttack";

const GO_ON: &str = "/continueAttack";

const GOING_ON: &str = "/continueAttacking";

/// Returns all outcomes: bots that misbehave get new requests, and then lose.
fn outcomes() -> String {
    let rows = [broken_transport(), wrong_locations(), wrong_attacks()];
    let rows = rows.into_iter().flatten();
    rows.map(|(name, outcome)| format!("{name}: {outcome}\n"))
        .collect()
}

/// Answers that are not HTTP, too slow, too large, or not JSON.
fn broken_transport() -> Vec<(&'static str, String)> {
    vec![
        ("answers well", says("/never", "")),
        (
            "status 500",
            sends(PLACE, b"HTTP/1.1 500 Oh\r\nContent-Length: 5\r\n\r\nsorry"),
        ),
        (
            "a redirect",
            sends(
                DEPLOY,
                b"HTTP/1.1 302 There\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
            ),
        ),
        ("hangs up", sends(ATTACK, b"")),
        (
            "not UTF-8",
            sends(
                DEPLOY,
                b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\xff\xfe{}",
            ),
        ),
        (
            "silent",
            outcome(GO_ON, |_| {
                std::thread::sleep(std::time::Duration::from_millis(1_200))
            }),
        ),
        (
            "huge",
            outcome(ATTACK, |stream| reply(stream, &"x".repeat(300 << 10))),
        ),
        ("not JSON", says(PLACE, "row 1")),
        ("nothing", says(DEPLOY, "")),
        ("null", says(PLACE, "null")),
        ("an array", says(DEPLOY, "[1,1]")),
    ]
}

fn wrong_locations() -> Vec<(&'static str, String)> {
    vec![
        (
            "a bare location off the board",
            says(PLACE, r#"{"row":3,"column":0}"#),
        ),
        (
            "a negative row",
            says(DEPLOY, r#"{"desiredLocation":{"row":-1,"column":0}}"#),
        ),
        (
            "half a column",
            says(DEPLOY, r#"{"desiredLocation":{"row":1,"column":0.5}}"#),
        ),
        (
            "a row in quotes",
            says(PLACE, r#"{"location":{"row":"1","column":0}}"#),
        ),
        ("no column", says(PLACE, r#"{"location":{"row":1}}"#)),
        (
            "a key twice",
            says(PLACE, r#"{"row":1,"row":2,"column":0}"#),
        ),
        (
            "a key twice but for its letters",
            says(
                DEPLOY,
                r#"{"desiredLocation":{"row":1,"Row":2,"column":0}}"#,
            ),
        ),
        ("a territory's id that is none", says(PLACE, r#""alaska""#)),
    ]
}

/// Invalid attacks, and invalid answers to whether an attack goes on.
fn wrong_attacks() -> Vec<(&'static str, String)> {
    vec![
        (
            "an attack from nowhere",
            says(ATTACK, r#"{"to":{"row":1,"column":1}}"#),
        ),
        (
            "an attack on nothing",
            says(ATTACK, r#"{"from":{"row":1,"column":1}}"#),
        ),
        ("a pass that is not allowed", says(ATTACK, "{}")),
        (
            "an attack on itself",
            says(
                ATTACK,
                r#"{"from":{"row":1,"column":1},"to":{"row":1,"column":1}}"#,
            ),
        ),
        (
            "an attack too far",
            says(
                ATTACK,
                r#"{"from":{"row":0,"column":0},"to":{"row":2,"column":2}}"#,
            ),
        ),
        ("perhaps", says(GO_ON, r#"{"continueAttack":"perhaps"}"#)),
        ("one for yes", says(GOING_ON, r#"{"continueAttacking":1}"#)),
        ("no answer to going on", says(GOING_ON, "{}")),
    ]
}

/// Where passing is allowed, an attack without territories is a pass, with or without braces.
#[test]
fn a_pass_is_an_answer_where_it_is_allowed() {
    for pass in ["null", "{}", r#"{"from":null,"to":null}"#] {
        let bot = careful("idle");
        let address = server(move |request, stream| {
            let idle = request.path == "/beginAttack";
            reply(stream, &if idle { pass.to_owned() } else { bot(request) });
        });
        let idle = format!("name=idle,bot={address},protocol=callback");
        let options = [("allow_pass", "true"), ("armies", "9")];
        let bots = [idle.as_str(), "random"];
        let (_, record) = played(&setup("simplified", Some("grid:3x3"), &bots, 3, &options));
        assert!(
            record.contains(r#""seat":1,"say":"pass""#) && !record.contains("\"line\":\"fault\""),
            "{pass}\n{record}"
        );
    }
}

/// On a map with names a location is a territory's id, and each cell lists its neighbours.
#[test]
fn maps_with_names_are_told_by_ids() {
    let bot = careful("named");
    let seen = Arc::new(Mutex::new(Value::Null));
    let keep = Arc::clone(&seen);
    let address = server(move |request, stream| {
        if request.path == "/placeArmy" {
            *keep.lock().unwrap() =
                serde_json::from_str::<Value>(&request.body).unwrap()["board"][1].clone();
        }
        reply(stream, &bot(request));
    });
    let folder = risk_testing::games::tiny();
    let map = folder.path().join("tiny.yaml").display().to_string();
    let named = format!("name=named,bot={address},protocol=callback");
    let bots = [named.as_str(), "random"];
    let (_, record) = played(&setup(
        "simplified",
        Some(&map),
        &bots,
        3,
        &[("armies", "9")],
    ));
    assert!(!record.contains("\"line\":\"fault\""), "{record}");
    let cell = seen.lock().unwrap().clone();
    assert_eq!(
        (cell["location"].as_str(), cell["neighbours"].is_array()),
        (Some("b"), true),
        "{cell}"
    );
}

#[test]
fn servers_that_misbehave() {
    insta::assert_snapshot!(outcomes());
}
