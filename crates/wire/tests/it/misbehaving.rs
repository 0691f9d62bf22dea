//! Servers that answer badly, and the faults that result.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use risk_kernel::id::Player;
use serde_json::{Value, json};

use crate::{played, setup};
use risk_testing::web::{decoded, modest, read_request, reply, reserved, server};

/// Plays a bot with this reply to each request for an action. Returns its faults, as the record has
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

/// Plays the bot at this address, and returns the same.
fn outcome_at(address: &str) -> String {
    let bot = format!("name=wrong,bot={address},timeout=1");
    let bots = ["random", "random", bot.as_str()];
    let (finished, record) = played(&setup("hasbro", None, &bots, 3, &[("max_turns", "12")]));
    let is_fault = |line: &&str| line.contains("\"line\":\"fault\"");
    let faults = record.lines().filter(is_fault).count();
    let first = record.lines().find(is_fault);
    let text = first.map_or("no fault".to_owned(), |line| {
        let value: Value = serde_json::from_str(line).unwrap();
        // The record has the request as the bot got it.
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
        "{faults} faults, {}\n    {}",
        finished.game.status(Player::from_index(2)).as_str(),
        text.replace(port, "PORT")
    )
}

fn says(action: &'static str, body: &str) -> String {
    let body = body.to_owned();
    outcome(action, move |stream, _| reply(stream, &body))
}

/// A bot that understands JSON alone, and gets a form.
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

/// A bot that disappears after this number of requests.
fn gone_after(requests: usize) -> String {
    let (_ours, address) = reserved();
    let listener = TcpListener::bind(address).unwrap();
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
    outcome_at(&format!("http://{address}"))
}

/// A bot that sends these bytes and closes.
fn sends(bytes: &'static [u8]) -> String {
    outcome("choose_country", move |stream, _| {
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Both);
    })
}

/// Returns all outcomes: bots that misbehave lose their own turns only.
fn outcomes() -> String {
    let mut rows = broken_transport();
    rows.extend(wrong_words());
    rows.extend(wrong_moves());
    assert!(rows.len() >= 30);
    let rows = rows.iter();
    rows.map(|(name, outcome)| format!("{name}: {outcome}\n"))
        .collect()
}

type Rows = Vec<(&'static str, String)>;

/// Replies that are not HTTP, or too slow, or too large.
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

fn wrong_moves() -> Rows {
    [wrong_deployments(), wrong_attacks()]
        .into_iter()
        .flatten()
        .collect()
}

/// A bot that deploys this number of troops to the first country of the player.
fn deploys(troops: Value) -> String {
    outcome("deploy_troops", move |stream, state| {
        let name = state["you"]["countries"][0].as_str().unwrap();
        let said = json!({ "action": "deploy_troops", "data": { name: troops } });
        reply(stream, &said.to_string());
    })
}

fn wrong_deployments() -> Rows {
    let deploy = "deploy_troops";
    vec![
        (
            "a country that is taken",
            outcome("choose_country", |stream, state| {
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
        ("too many troops", deploys(json!(900))),
        (
            "less than no troops",
            outcome(deploy, |stream, state| {
                let a = state["you"]["countries"][0].as_str().unwrap();
                let b = state["you"]["countries"][1].as_str().unwrap();
                reply(
                    stream,
                    &json!({ "action": "deploy_troops", "data": { a: 2, b: -1 } }).to_string(),
                );
            }),
        ),
        ("half a troop", deploys(json!(0.5))),
        ("troops in quotes", deploys(json!("1"))),
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
    ]
}

fn wrong_attacks() -> Rows {
    vec![
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
                let own = state["you"]["countries"][0].as_str().unwrap();
                let lands = &state["game"]["countries"];
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

#[test]
fn servers_that_misbehave() {
    insta::assert_snapshot!(outcomes());
}
