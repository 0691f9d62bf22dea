//! The form of messages. The tests validate each of their messages against the schema; here are
//! those that the schema refuses.

use risk_playground::{Kind, Playground, Request, playground_buffer, playground_handle};
use risk_playground::{playground_length, playground_room, schema};
use serde_json::{Value, json};

use crate::page::{Page, ask, is_request, own};

/// Requests that are not valid.
fn wrong() -> Vec<Value> {
    vec![
        json!(null),
        json!([]),
        json!("catalog"),
        json!({}),
        json!({ "ask": "nosuch" }),
        json!({ "ask": "Catalog" }),
        json!({ "ask": null }),
        json!({ "ask": "open" }),
        json!({ "ask": "open", "link": 1 }),
        json!({ "ask": "open", "link": "ruleset=hasbro", "more": 1 }),
        json!({ "ask": "look", "seat": -1, "epoch": 0, "from": 0 }),
        json!({ "ask": "look", "seat": "0", "epoch": 0, "from": 0 }),
        json!({ "ask": "look", "seat": 0, "epoch": 0.5, "from": 0 }),
        json!({ "ask": "look", "seat": 0, "from": 0 }),
        json!({ "ask": "say", "request": {} }),
        json!({ "ask": "pieces", "from": 0, "count": -1 }),
        json!({ "ask": "pieces", "from": "0", "count": 1 }),
        json!({ "ask": "count", "results": 1 }),
        json!({ "ask": "join", "link": "ruleset=hasbro" }),
        json!({ "ask": "odds", "link": "ruleset=hasbro", "attackers": 1 }),
        json!({ "ask": "text", "kind": "program", "name": "x" }),
        json!({ "ask": "add", "kind": "bot", "name": "x" }),
        json!({ "ask": "add", "kind": "bot", "name": "x", "text": 1 }),
        json!({ "ask": "link", "files": true, "seat": 0 }),
        json!({ "ask": "link" }),
        json!({ "ask": "catalog", "more": 1 }),
    ]
}

/// The code and the text of the error in a reply.
fn refused(reply: &str) -> (String, String) {
    let reply: Value = serde_json::from_str(reply).unwrap();
    assert_eq!(reply["reply"], "error", "{reply}");
    let [code, text] = ["code", "text"].map(|key| reply[key].as_str().unwrap().to_owned());
    (code, text)
}

#[test]
fn the_schema_and_the_page_refuse_the_same_requests() {
    let mut page = Page::new("ruleset=codelab&map=grid%3A3x3&bot=human&bot=random&seed=3");
    let link = page.link();
    for request in wrong() {
        assert!(!is_request(&request), "{request}");
        let (code, text) = refused(&page.0.handle(&request.to_string()));
        assert_eq!(code, "request::body", "{request}: {text}");
    }
    let texts = [
        "",
        "{",
        "\u{0}",
        "{\"ask\":\"catalog\"}x",
        &"[".repeat(1 << 20),
    ];
    for text in texts {
        assert_eq!(refused(&page.0.handle(text)).0, "request::body");
    }
    assert_eq!(page.link(), link);
}

#[test]
fn checks_play_at_most_a_thousand_games() {
    for request in [
        json!({ "ask": "check-ruleset", "name": "codelab", "games": 1_001 }),
        json!({ "ask": "check-bot", "name": "greedy", "ruleset": "codelab", "games": 1_001 }),
    ] {
        assert!(is_request(&request), "{request}");
        let mut page = Playground::default();
        assert_eq!(
            refused(&page.handle(&request.to_string())).0,
            "playground::match"
        );
    }
}

#[test]
fn the_catalog_lists_options_with_their_values() {
    let mut page = Playground::default();
    let reply = page.handle(&json!({ "ask": "about", "ruleset": "hasbro" }).to_string());
    let reply: Value = serde_json::from_str(&reply).unwrap();
    let options = reply["entry"]["options"].as_array().unwrap();
    let option = |name: &str| options.iter().find(|it| it["name"] == name).unwrap();
    assert_eq!(option("max_turns")["default"], "1000");
    assert_eq!(option("max_turns")["values"], json!([]));
    assert_eq!(option("two_players")["values"], json!(["false", "true"]));
    let trades = option("trades");
    assert!(
        trades["values"]
            .as_array()
            .unwrap()
            .contains(&trades["default"])
    );
}

#[test]
fn the_schema_describes_each_message() {
    let schema = schema();
    assert!(jsonschema::meta::is_valid(&schema));
    let kinds = |name: &str, key: &str| -> Vec<String> {
        let all = schema["$defs"][name]["oneOf"].as_array().unwrap();
        let kind = |it: &Value| it["properties"][key]["const"].as_str().unwrap().to_owned();
        all.iter().map(kind).collect()
    };
    let requests = [
        "catalog",
        "about",
        "add",
        "open",
        "look",
        "say",
        "link",
        "record",
        "replay",
        "page",
        "gif",
        "match",
        "compare",
        "rate",
        "analyse",
        "pieces",
        "count",
        "split",
        "join",
        "reference",
        "check-ruleset",
        "check-bot",
        "check-map",
        "import-map",
        "rules",
        "odds",
        "picture",
        "text",
    ];
    assert_eq!(kinds("Request", "ask"), requests);
    let replies = [
        "done",
        "error",
        "catalog",
        "about",
        "opened",
        "sheet",
        "said",
        "text",
        "replay",
        "work",
        "results",
        "summary",
        "checked",
        "split",
        "reference",
        "odds",
    ];
    assert_eq!(kinds("Reply", "reply"), replies);
}

/// Requests of a person that are not possible, with the code of the refusal.
fn impossible() -> Vec<(Value, &'static str)> {
    vec![
        (json!(null), "request::body"),
        (json!([]), "request::body"),
        (json!({}), "request::body"),
        (json!({ "question": 1 }), "request::body"),
        (json!({ "question": "1", "auto": true }), "request::body"),
        (json!({ "question": -1, "auto": true }), "request::body"),
        (json!({ "question": 1, "auto": false }), "request::body"),
        (
            json!({ "question": 1, "auto": true, "hint": true }),
            "request::body",
        ),
        (json!({ "question": 1, "quit": true }), "request::body"),
        (
            json!({ "question": 1, "to_the_end": true }),
            "request::body",
        ),
        (
            json!({ "question": 1, "auto": true, "to_the_end": true }),
            "request::body",
        ),
        (
            json!({ "question": 1, "say": "x".repeat(1_001) }),
            "request::body",
        ),
        (json!({ "question": 1, "odds": [1] }), "request::body"),
        (
            json!({ "question": 1, "odds": [1, i64::MAX] }),
            "request::body",
        ),
        (json!({ "question": 1, "odds": [-1, 1] }), "people::odds"),
        (json!({ "question": 1, "say": "quit" }), "people::typed"),
        (
            json!({ "question": 1, "say": "\u{1b}[2J" }),
            "people::typed",
        ),
        (json!({ "question": 1, "do": "place" }), "people::action"),
        (json!({ "question": 1, "do": [] }), "people::action"),
        (
            json!({ "question": 1, "do": ["place", 99, 1] }),
            "people::action",
        ),
        (json!({ "question": 1, "do": ["done"] }), "people::action"),
        (json!({ "question": 1, "undo": true }), "people::undo"),
        (json!({ "question": 1, "retract": 0 }), "people::retract"),
        (json!({ "question": 2, "auto": true }), "people::not-open"),
    ]
}

#[test]
fn requests_of_people_are_read_strictly() {
    let mut page = Page::new("ruleset=codelab&map=grid%3A3x3&bot=human&bot=random&seed=3");
    let record = page.record();
    for (request, code) in impossible() {
        let say = Request::Say {
            seat: 0,
            request: request.clone(),
        };
        let refusal = page.ask(say).unwrap_err();
        assert_eq!(refusal.0, code, "{request}: {}", refusal.1);
        assert!(!refusal.1.contains('\u{1b}'), "{request}");
        assert_eq!(page.record(), record, "{request}");
    }
    page.said(0, &json!({ "resign": true }));
    assert!(page.is_over());
    assert_eq!(
        page.say(0, &json!({ "auto": true })).unwrap_err().0,
        "people::over"
    );
}

/// Hands a request to the exported functions, as a page does.
#[allow(unsafe_code, reason = "a page writes to the module's memory")]
fn exported(request: &[u8]) -> Value {
    let room = playground_room(request.len());
    assert!(!room.is_null());
    // SAFETY: the room has as many bytes as were asked for, and nobody else uses it in this thread.
    unsafe { std::ptr::copy_nonoverlapping(request.as_ptr(), room, request.len()) };
    let length = playground_handle();
    assert_eq!(length, playground_length());
    // SAFETY: the buffer has this length until the next call.
    let reply = unsafe { std::slice::from_raw_parts(playground_buffer(), length) };
    serde_json::from_slice(reply).unwrap()
}

#[test]
fn the_exported_functions_hand_over_requests_and_replies() {
    let mut playground = Playground::default();
    let file = own(Kind::Bot, "x", "fn answer(view, ask) { ask.nth(0) } // ü");
    let requests = [
        Request::Catalog {},
        Request::Add(file),
        Request::Open {
            link: "ruleset=codelab&map=grid%3A3x3&bot=x&bot=random".to_owned(),
        },
        Request::Record {},
        Request::Pieces { from: 0, count: 1 },
    ];
    for request in requests {
        let text = serde_json::to_vec(&request).unwrap();
        let expected = serde_json::to_value(ask(&mut playground, request)).unwrap();
        assert_eq!(exported(&text), expected);
    }
    for broken in [&b""[..], b"\xff\xfe", b"{"] {
        assert_eq!(exported(broken)["code"], "request::body");
    }
    assert!(playground_room(usize::MAX).is_null());
    assert!(playground_room((64 << 20) + 1).is_null());
}
