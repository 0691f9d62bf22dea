//! Requests and answers with random damage: no message over the wire crashes anything.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use risk_engine::{Worker, strikes};
use risk_kernel::NullSink;
use risk_kernel::rng::{Purpose, Stream};
use risk_testing::by_case::each;
use risk_testing::games::recorded;
use risk_testing::web::{Request, careful, modest, reply, server};
use serde_json::{Value, json};

use crate::server::{Server, setup, verified};

/// Collects the JSON pointers of all places in a document.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(keys) => {
            for (key, value) in keys {
                places(
                    value,
                    &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")),
                    found,
                );
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                places(value, &format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

/// Returns the text of a document with a random error in it.
fn damaged(value: &Value, luck: &mut Stream) -> String {
    let mut value = value.clone();
    let mut found = Vec::new();
    places(&value, "", &mut found);
    let at = found[luck.below(found.len() as u64) as usize].clone();
    let strange = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1_000_001),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1e300),
        json!(0.5),
        json!(""),
        json!("none"),
        json!("\u{0}\u{202e}\u{1b}[2J"),
        json!("x".repeat(70_000)),
        json!([]),
        json!({}),
        json!([[[[[[[[]]]]]]]]),
        json!({ "row": -9_223_372_036_854_775_808_i64, "column": 0 }),
        json!(["peru", "peru", "peru"]),
    ];
    match luck.below(4) {
        0 => {
            if let Some((parent, key)) = at.rsplit_once('/')
                && let Some(Value::Object(keys)) = value.pointer_mut(parent)
            {
                keys.shift_remove(&key.replace("~1", "/").replace("~0", "~"));
            }
        }
        1 => {
            let other = value
                .pointer(&found[luck.below(found.len() as u64) as usize])
                .cloned();
            if let (Some(place), Some(other)) = (value.pointer_mut(&at), other) {
                *place = other;
            }
        }
        _ => {
            if let Some(place) = value.pointer_mut(&at) {
                *place = strange[luck.below(strange.len() as u64) as usize].clone();
            }
        }
    }
    let mut text = value.to_string();
    match luck.below(12) {
        0 => {
            let end = luck.below(text.len() as u64 + 1) as usize;
            text.truncate(
                (0..=end)
                    .rev()
                    .find(|&end| text.is_char_boundary(end))
                    .unwrap(),
            );
        }
        1 => text = text.replacen(':', ",", 1 + luck.below(3) as usize),
        2 => text.push_str(&text.clone()),
        _ => {}
    }
    text
}

/// Collects the requests to a bot in a whole match: path and body.
fn questions(bot: impl Fn(&Request) -> String + Send + Sync + 'static) -> Vec<(String, Value)> {
    let heard: Arc<Mutex<Vec<(String, Value)>>> = Arc::default();
    let keep = Arc::clone(&heard);
    let address = server(move |request, stream| {
        if let Ok(body) = serde_json::from_str(&request.body) {
            keep.lock().unwrap().push((request.path.clone(), body));
        }
        reply(stream, &bot(request));
    });
    let bot = format!("name=me,bot={address},encoding=raw");
    let bots = ["random", "odds", bot.as_str()];
    let setup = setup("hasbro", None, &bots, 3, &[("max_turns", "60")]);
    let finished = Worker::new(&setup).unwrap().play(0, &mut NullSink);
    assert!(finished.outcome.is_ok(), "{:?}", finished.outcome);
    std::mem::take(&mut *heard.lock().unwrap())
}

#[test]
fn servers_survive_damaged_requests() {
    let risk = questions(|request| {
        if request.path == "/turn" {
            modest(&request.state()).to_string()
        } else {
            String::new()
        }
    });
    let turns: Vec<_> = risk
        .into_iter()
        .filter(|(path, _)| path == "/turn")
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let served = Server::bot(folder.path(), "greedy");
    let mut answered = 0;
    let all = each(0..1_500, |&number| {
        let mut luck = Stream::new(1, number, Purpose::Setup);
        let (path, body) = &turns[luck.below(turns.len() as u64) as usize];
        let (status, text) = served.post(path, &[], &damaged(body, &mut luck));
        assert!([200, 400, 413].contains(&status), "{status} {text}");
        answered += usize::from(status == 200);
    });
    assert!(
        !all || (50..1_450).contains(&answered),
        "{answered} were good all the same"
    );
    let (path, body) = &turns[0];
    assert_eq!(
        served.post(path, &[], &body.to_string()).0,
        200,
        "the bot is as well as ever"
    );
}

#[test]
fn arenas_survive_damaged_requests() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
    for (line, seed) in [
        ("--protocol hacker-risk", 3),
        ("--protocol callback --secret-file secret", 4),
    ] {
        let arena = Server::arena(folder.path(), &format!("{line} --rate 100000"));
        let good = [
            (
                "/join",
                json!({ "name": "ann", "url": "http://127.0.0.1:1", "encoding": "raw" }),
            ),
            (
                "/join",
                json!({ "name": "ann", "callback": "http://192.0.2.7/x" }),
            ),
            (
                "/join",
                json!({ "name": "ann", "callbackBaseAddress": "http://127.0.0.1:1" }),
            ),
            ("/start", json!({ "secret": "wrong-horse" })),
            ("/startgame", json!({ "secretCode": "wrong-horse" })),
            ("/restartgame", json!({ "secretCode": "wrong-horse" })),
        ];
        each(0..600, |&number| {
            let mut luck = Stream::new(seed, number, Purpose::Setup);
            let (path, body) = &good[luck.below(good.len() as u64) as usize];
            let (status, text) = arena.post(path, &[], &damaged(body, &mut luck));
            assert!(
                [400, 401, 403, 404, 413, 503].contains(&status),
                "{path}: {status} {text}"
            );
        });
        assert_eq!(arena.get("/").0, 200);
        assert!(!arena.said().contains("panicked"), "{}", arena.said());
    }
}

/// The matches of bots whose every second answer is damaged end, and replay.
#[test]
fn matches_survive_damaged_answers() {
    let count = Arc::new(AtomicU64::new(0));
    let damage = move |said: String| {
        let number = count.fetch_add(1, Ordering::Relaxed);
        let mut luck = Stream::new(5, number, Purpose::Setup);
        match serde_json::from_str(&said) {
            Ok(value) if number.is_multiple_of(2) => damaged(&value, &mut luck),
            _ => said,
        }
    };
    let careful = careful("me");
    let address = server(move |request, stream| {
        let text = match request.path.as_str() {
            "/turn" => damage(modest(&request.state()).to_string()),
            "/not_turn" | "/status" => String::new(),
            _ => damage(careful(request)),
        };
        reply(stream, &text);
    });
    let risk = format!("name=me,bot={address}");
    let callback = format!("dialect=snow,protocol=callback,name=me,bot={address}");
    for (ruleset, options, bots) in [
        (
            "hasbro",
            &[("max_turns", "60")][..],
            &["random", "odds", &risk][..],
        ),
        ("simplified", &[], &["random", &callback]),
    ] {
        let mut setup = setup(ruleset, None, bots, 3, options);
        setup.strikes = strikes(&setup.rules.ruleset, Some(1_000), None);
        let (finished, record) = recorded(&mut Worker::new(&setup).unwrap(), 0);
        assert!(
            finished.outcome.is_ok(),
            "{ruleset}: {:?}",
            finished.outcome
        );
        assert!(
            record.matches("\"line\":\"fault\"").count() > 5,
            "{ruleset}"
        );
        assert!(record.lines().all(|line| line.len() < 1 << 20));
        verified(&record);
    }
}
