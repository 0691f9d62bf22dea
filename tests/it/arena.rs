//! `serve`: players who register over HTTP, the matches that come of it, and those who want to do
//! harm.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::programs::Program;
use crate::support::{run_in, words};
use crate::web::{careful, modest, reply, server};

/// A bot for Hacker Risk that does what is least, as a server.
fn modest_bot() -> String {
    server(|request, stream| {
        let text = if request.path == "/turn" {
            modest(&request.state()).to_string()
        } else {
            String::new()
        };
        reply(stream, &text);
    })
}

fn careful_bot(name: &'static str) -> String {
    let bot = careful(name);
    server(move |request, stream| reply(stream, &bot(request)))
}

/// Every record in the folder replays; their faults by file.
fn replayed(folder: &Path) -> BTreeMap<String, usize> {
    let mut faults = BTreeMap::new();
    for entry in std::fs::read_dir(folder.join("records")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let ran = run_in(folder, &["replay", &format!("records/{name}"), "--verify"]);
        assert_eq!(ran.code, 0, "{name}: {}{}", ran.out, ran.err);
        let text = std::fs::read_to_string(folder.join("records").join(&name)).unwrap();
        faults.insert(name, text.matches("\"line\":\"fault\"").count());
    }
    faults
}

#[test]
fn matches_of_hacker_risk_begin_when_they_are_full_or_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Program::arena(
        folder.path(),
        "--protocol hacker-risk --players 3 --bot name=house,bot=holder --seed 5 --records records -o max_turns=30",
    );
    let joins = |body: &str| {
        arena.post(
            "/join",
            &[("Content-Type", "application/x-www-form-urlencoded")],
            body,
        )
    };
    let bots = [modest_bot(), modest_bot()];
    let (status, text) = joins(&format!("name=ann+b&url={}&encoding=raw", bots[0]));
    assert_eq!((status, text.as_str()), (200, r#"{"match":1,"missing":1}"#));
    // Once more is no harm; another bot under that name is.
    assert_eq!(
        joins(&format!("name=ann+b&url={}/&encoding=raw", bots[0])).0,
        200
    );
    assert_eq!(joins(&format!("name=ann+b&url={}", bots[1])).0, 409);
    assert_eq!(joins(&format!("name=ann&url={}", bots[0])).0, 409);
    assert_eq!(joins(&format!("name=house&url={}", bots[1])).0, 409);
    let (status, text) = arena.post("/start", &[], "");
    assert!(
        status == 503 && text.contains("2 of at least 3 players"),
        "{status} {text}"
    );
    let json = json!({ "name": "bob", "url": bots[1] }).to_string();
    assert_eq!(
        arena.post("/join", &[("Content-Type", "application/json")], &json),
        (200, r#"{"match":1,"missing":0}"#.to_owned())
    );
    arena.waits_for("match 1: ");
    let overview: Value = serde_json::from_str(&arena.get("/matches").1).unwrap();
    assert_eq!(
        overview["matches"][0]["players"],
        json!(["ann b", "bob", "house"])
    );
    assert_eq!(overview["open"]["match"], 2);
    // Cards that are drawn are not shown to those who watch: they may play.
    let lines = arena.get("/match/1/state").1;
    assert!(lines.contains("draws a card"), "{lines}");
    assert_eq!(
        lines.matches("draws ").count(),
        lines.matches("draws a card").count(),
        "{lines}"
    );
    // Somebody at a browser is sent back to the page.
    let headers = [
        ("Content-Type", "application/x-www-form-urlencoded"),
        ("Accept", "text/html,*/*"),
    ];
    assert_eq!(
        arena
            .post("/join", &headers, &format!("name=ann&url={}", bots[0]))
            .0,
        303
    );
    assert_eq!(
        replayed(folder.path()),
        BTreeMap::from([("match-00001.jsonl".to_owned(), 0)])
    );
    let record = std::fs::read_to_string(folder.path().join("records/match-00001.jsonl")).unwrap();
    assert!(
        record.contains(&format!(r#""bot":"{},encoding=raw""#, bots[0])),
        "the bot is named as `play` names it"
    );
    drop(arena);
    // A new arena goes on behind the records that are there.
    let arena = Program::arena(
        folder.path(),
        "--protocol hacker-risk --players 4 --bot holder --bot odds --records records -o max_turns=30",
    );
    assert_eq!(
        arena.post("/join", &[], &json).1,
        r#"{"match":2,"missing":1}"#
    );
    assert_eq!(
        arena.post("/start", &[], "").1,
        r#"{"match":2}"#,
        "three are enough when somebody asks"
    );
    arena.waits_for("match 2: ");
    assert_eq!(replayed(folder.path()).len(), 2);
}

#[test]
fn who_can_not_join_is_told_why() {
    let folder = tempfile::tempdir().unwrap();
    let gone = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let sick = server(|_, stream| {
        drop(write!(
            stream,
            "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"
        ))
    });
    let away = server(|_, stream| {
        drop(write!(
            stream,
            "HTTP/1.1 302 There\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
        ));
    });
    let slow = server(|_, _| std::thread::sleep(Duration::from_secs(7)));
    let good = modest_bot();
    let arena = Program::arena(
        folder.path(),
        "--protocol hacker-risk --allow-callback 10.1.0.0/16",
    );
    let mut text = String::new();
    for (what, body) in [
        ("nothing", String::new()),
        ("not JSON", "name: ann".to_owned()),
        ("a list", "[]".to_owned()),
        ("no name", json!({ "url": good }).to_string()),
        ("no address", json!({ "name": "ann" }).to_string()),
        (
            "a name that is no text",
            json!({ "name": 7, "url": good }).to_string(),
        ),
        (
            "an empty name",
            json!({ "name": "", "url": good }).to_string(),
        ),
        (
            "a long name",
            json!({ "name": "n".repeat(31), "url": good }).to_string(),
        ),
        (
            "a name in two lines",
            json!({ "name": "ann\nbob", "url": good }).to_string(),
        ),
        (
            "a name that steers the terminal",
            json!({ "name": "\u{1b}[31mred", "url": good }).to_string(),
        ),
        (
            "a name that turns around",
            json!({ "name": "a\u{202e}b", "url": good }).to_string(),
        ),
        (
            "blanks around a name",
            json!({ "name": " ann", "url": good }).to_string(),
        ),
        (
            "an unknown key",
            json!({ "name": "ann", "url": good, "colour": "red" }).to_string(),
        ),
        (
            "an unknown encoding",
            json!({ "name": "ann", "url": good, "encoding": "xml" }).to_string(),
        ),
        (
            "https",
            json!({ "name": "ann", "url": "https://127.0.0.1:1" }).to_string(),
        ),
        (
            "a file",
            json!({ "name": "ann", "url": "file:///etc/passwd" }).to_string(),
        ),
        (
            "no host",
            json!({ "name": "ann", "url": "http://:80" }).to_string(),
        ),
        (
            "a user",
            json!({ "name": "ann", "url": "http://u@127.0.0.1:1" }).to_string(),
        ),
        (
            "a query",
            json!({ "name": "ann", "url": "http://127.0.0.1:1/?a=b" }).to_string(),
        ),
        (
            "a long address",
            json!({ "name": "ann", "url": format!("http://127.0.0.1/{}", "x".repeat(600)) })
                .to_string(),
        ),
        (
            "another host",
            json!({ "name": "ann", "url": "http://192.0.2.7:80" }).to_string(),
        ),
        (
            "a neighbour",
            json!({ "name": "ann", "url": "http://10.2.0.1:80" }).to_string(),
        ),
        (
            "no address at all",
            json!({ "name": "ann", "url": "http://0.0.0.0:80" }).to_string(),
        ),
        (
            "another host in new clothes",
            json!({ "name": "ann", "url": "http://[::ffff:192.0.2.7]:80" }).to_string(),
        ),
        (
            "another host as a number",
            json!({ "name": "ann", "url": "http://3221225991:80" }).to_string(),
        ),
        (
            "the data of the cloud",
            json!({ "name": "ann", "url": "http://169.254.169.254/latest" }).to_string(),
        ),
        (
            "nobody",
            json!({ "name": "ann", "url": format!("http://{gone}") }).to_string(),
        ),
        (
            "a sick bot",
            json!({ "name": "ann", "url": sick }).to_string(),
        ),
        (
            "a bot that sends away",
            json!({ "name": "ann", "url": away }).to_string(),
        ),
        (
            "a slow bot",
            json!({ "name": "ann", "url": slow }).to_string(),
        ),
    ] {
        let (status, said) = arena.post("/join", &[], &body);
        assert_eq!(status, 400, "{what}: {said}");
        let port = |url: &str| url.rsplit(':').next().unwrap().to_owned();
        let ports = [
            port(&sick),
            port(&away),
            port(&slow),
            gone.port().to_string(),
        ];
        let said = ports
            .iter()
            .fold(said, |said, port| said.replace(port, "PORT"));
        text.push_str(&format!("{what}: {said}\n"));
    }
    insta::assert_snapshot!(text);
    let (status, _) = arena.post(
        "/join",
        &[("Content-Type", "application/x-www-form-urlencoded")],
        "name=a&name=b",
    );
    assert_eq!(status, 400);
    let overview: Value = serde_json::from_str(&arena.get("/matches").1).unwrap();
    assert_eq!(
        overview["open"]["joined"],
        json!([]),
        "none of them sits at the table"
    );
}

/// What comes from outside has a size, a pace and an origin.
#[test]
fn requests_that_do_harm_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Program::arena(folder.path(), "--protocol hacker-risk --rate 5");
    assert_eq!(arena.post("/join", &[], &"x".repeat(2 << 20)).0, 413);
    assert_eq!(
        arena
            .post("/join", &[("Origin", "http://elsewhere.example")], "{}")
            .0,
        403
    );
    assert_eq!(
        arena
            .post(
                "/join",
                &[("Origin", &format!("http://{}", arena.address))],
                "{}"
            )
            .0,
        400
    );
    assert_eq!(arena.post("/join", &[("Origin", "null")], "{}").0, 403);
    let raw = |bytes: &[u8]| {
        let mut stream = TcpStream::connect(&arena.address).unwrap();
        // A server that has heard enough may close while it is still told more.
        let _ = stream.write_all(bytes);
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        String::from_utf8_lossy(&text)
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(
        raw(b"GET / HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n"),
        "HTTP/1.1 403 Forbidden"
    );
    assert_eq!(
        raw(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n"),
        "HTTP/1.1 403 Forbidden"
    );
    let behind = Program::arena(folder.path(), "--protocol hacker-risk --host risk.example");
    for (host, wanted) in [
        ("risk.example", 200),
        ("RISK.example:443", 200),
        ("[::1]:80", 200),
        ("localhost", 200),
        ("x.risk.example", 403),
    ] {
        assert_eq!(behind.as_host(host, "/"), wanted, "{host}");
    }
    let long = format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n",
        "x".repeat(40_000)
    );
    assert!(
        raw(long.as_bytes()).contains("431"),
        "a head that is too long"
    );
    let many = format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n",
        "X: y\r\n".repeat(200)
    );
    assert!(raw(many.as_bytes()).contains("431"), "too many fields");
    assert!(raw(b"nonsense\r\n\r\n").contains("400"));
    let (_, head) = arena.get_head("/");
    for wanted in ["default-src 'none'", "nosniff", "same-origin"] {
        assert!(head.contains(wanted), "{wanted}\n{head}");
    }
    assert_eq!(arena.get("/match/7").0, 404);
    assert_eq!(arena.get("/match/-1").0, 400);
    assert_eq!(arena.get("/elsewhere").0, 404);
    let refused = (0..80).filter(|_| arena.get("/matches").0 == 429).count();
    assert!(refused > 10, "{refused} of 80 requests were too many");
}

#[test]
fn the_callback_arena_wants_its_secret() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "correct-horse\n").unwrap();
    std::fs::write(folder.path().join("empty"), " \n").unwrap();
    std::fs::write(folder.path().join("short"), " bananas\n").unwrap();
    for (line, text) in [
        (
            "--protocol callback",
            "matches start when somebody says the secret",
        ),
        (
            "--protocol callback --secret-file empty",
            "a secret has 8 to 1000 characters, and this one has 0",
        ),
        (
            "--protocol callback --secret-file short",
            "a secret has 8 to 1000 characters, and this one has 7",
        ),
        ("--protocol callback --secret-file missing", "missing"),
        (
            "--protocol callback --secret-file secret --ruleset hasbro --players 4",
            "hasbro can't be played over this protocol",
        ),
        (
            "--protocol callback --secret-file secret --players 1",
            "is for 2 to 32 players",
        ),
        (
            "--protocol hacker-risk --players 3 --bot odds --bot odds --bot odds",
            "at least one of them must join",
        ),
        (
            "--protocol hacker-risk --allow-callback everywhere",
            "`everywhere` is no network",
        ),
        (
            "--protocol hacker-risk --bot nobody",
            "there is no bot named `nobody`",
        ),
    ] {
        let ran = run_in(folder.path(), &words(&format!("serve --port 0 {line}")));
        assert!(
            ran.code == 2 && ran.err.contains(text),
            "{line}: {} {}",
            ran.code,
            ran.err
        );
    }
    let arena = Program::arena(
        folder.path(),
        "--protocol callback --secret-file secret --option armies=9",
    );
    let join = |body: Value| arena.post("/join", &[], &body.to_string());
    let (ann, bob) = (careful_bot("ann"), careful_bot("bob"));
    assert_eq!(
        join(json!({ "name": "ann", "callback": ann })),
        (200, r#"{"match":1,"missing":7}"#.to_owned())
    );
    let (status, text) = join(json!({ "Name": "bob", "CallbackBaseAddress": bob }));
    let token: Value = serde_json::from_str(&text).unwrap();
    assert!(
        status == 200 && token["token"].as_str().unwrap().len() == 36,
        "{text}"
    );
    // Taken names: the two dialects say it each in their way.
    let other = careful_bot("ann");
    assert_eq!(join(json!({ "name": "ann", "callback": other })).0, 409);
    let (status, text) = join(json!({ "name": "ann", "callbackBaseAddress": other }));
    assert!(
        status == 400 && text.starts_with("Unable to join game"),
        "{status} {text}"
    );
    let (status, text) = join(json!({ "name": "far", "callback": "http://192.0.2.7:80" }));
    assert!(
        status == 400 && text.contains("bots may not be at that address here"),
        "{text}"
    );
    let (status, text) =
        join(json!({ "name": "nowhere", "callback": "http://nowhere.invalid:80" }));
    assert!(
        status == 400 && text.contains("there is no host at"),
        "{text}"
    );
    let mute = server(|_, stream| reply(stream, "no"));
    let (status, text) = join(json!({ "name": "mute", "callbackBaseAddress": mute }));
    assert!(status == 400 && text.contains("not with yes"), "{text}");
    let state = || serde_json::from_str::<Value>(&arena.get("/status").1).unwrap();
    assert_eq!(
        (state()["gameState"].clone(), state()["players"].clone()),
        (json!(1), json!(["ann", "bob"]))
    );
    for (headers, body, wanted) in [
        (vec![], String::new(), 401),
        (
            vec![("Authorization", "Bearer wrong-horse")],
            String::new(),
            403,
        ),
        (
            vec![("Authorization", "Basic eDp3cm9uZy1ob3JzZQ==")],
            String::new(),
            403,
        ),
        (vec![("Authorization", "Basic !")], String::new(), 403),
        (vec![("Authorization", "correct-horse")], String::new(), 403),
        (
            vec![],
            json!({ "secretCode": "wrong-horse" }).to_string(),
            400,
        ),
        (vec![], json!({ "secretCode": "" }).to_string(), 400),
        (
            vec![],
            json!({ "secretCode": ["correct-horse"] }).to_string(),
            400,
        ),
        (vec![], json!({ "code": "correct-horse" }).to_string(), 401),
        (vec![], "correct-horse".to_owned(), 400),
    ] {
        let (status, text) = arena.post("/startgame", &headers, &body);
        assert_eq!(status, wanted, "{headers:?} {body}: {text}");
    }
    // The one dialect hears of the end, the other of the beginning.
    let (status, text) = arena.post(
        "/startgame",
        &[],
        &json!({ "secretCode": "correct-horse" }).to_string(),
    );
    assert!(
        status == 200 && text.contains("nobody can attack any more"),
        "{status} {text}"
    );
    let over = state();
    assert_eq!(over["gameState"], 4);
    for (player, name) in over["playerStats"]
        .as_array()
        .unwrap()
        .iter()
        .zip(["ann", "bob"])
    {
        let [armies, territories, score] =
            ["armies", "territories", "score"].map(|key| player[key].as_i64().unwrap());
        let cells: Vec<&Value> = over["board"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|cell| cell["ownerName"] == name)
            .collect();
        let sum: i64 = cells
            .iter()
            .map(|cell| cell["armies"].as_i64().unwrap())
            .sum();
        assert_eq!(
            (armies, territories, score),
            (sum, cells.len() as i64, sum + 2 * cells.len() as i64),
            "{name}"
        );
    }
    assert_eq!(arena.post("/restartgame", &[], "{}").0, 401);
    assert_eq!(
        arena
            .post(
                "/restartgame",
                &[],
                &json!({ "secretCode": "correct-horse" }).to_string()
            )
            .0,
        200
    );
    assert_eq!(state()["gameState"], 1);
    // eDpjb3JyZWN0LWhvcnNl is x:correct-horse.
    assert_eq!(
        arena
            .post(
                "/startgame",
                &[("Authorization", "Basic eDpjb3JyZWN0LWhvcnNl")],
                ""
            )
            .1,
        r#"{"match":2}"#
    );
    arena.waits_for("match 2: ");
    assert!(
        !arena.said().contains("correct-horse"),
        "the secret is told nobody"
    );
}

/// Whole matches of two to eight players, of both dialects in turn and mixed, with one bot of ours
/// behind a server.
#[test]
fn callback_matches_are_played_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
    const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let arena = Program::arena(
        folder.path(),
        "--protocol callback --secret-file secret --players 8 --rate 1000 --option armies=12 --records records --seed 1",
    );
    let served = Program::bot(folder.path(), "odds --protocol callback --name h");
    for count in 2..=8 {
        for (index, name) in NAMES[8 - count..].iter().enumerate() {
            let url = if *name == "h" {
                format!("http://{}", served.address)
            } else {
                careful_bot(name)
            };
            let snow = match count % 3 {
                0 => true,
                1 => false,
                _ => index % 2 == 0,
            };
            let key = if snow {
                "callbackBaseAddress"
            } else {
                "callback"
            };
            let (status, text) =
                arena.post("/join", &[], &json!({ "name": name, key: url }).to_string());
            assert_eq!(status, 200, "{text}");
        }
        let (status, text) = arena.post(
            "/startgame",
            &[],
            &json!({ "secretCode": "correct-horse" }).to_string(),
        );
        assert_eq!(status, 200, "{text}");
    }
    let faults = replayed(folder.path());
    assert!(
        faults.len() == 7 && faults.values().all(|count| *count == 0),
        "{faults:?}"
    );
}

/// A bot that hangs loses its turns; a match beside it goes on, and another one begins.
#[test]
fn a_bot_that_hangs_stops_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--protocol hacker-risk --players 3 --bot outnumber --bot random --timeout 2 --records records --rate 1000 -o max_turns=2";
    let arena = Program::arena(folder.path(), line);
    let hangs = server(|request, stream| {
        if request.path == "/turn" {
            std::thread::sleep(Duration::from_secs(3));
        }
        reply(stream, "");
    });
    let join = |name: &str, url: &str| {
        arena.post(
            "/join",
            &[],
            &json!({ "name": name, "url": url }).to_string(),
        )
    };
    assert_eq!(join("hangs", &hangs).0, 200);
    for number in 0..5 {
        assert_eq!(join(&format!("good {number}"), &modest_bot()).0, 200);
    }
    for number in 2..=6 {
        arena.waits_for(&format!("match {number}: "));
    }
    assert!(
        !arena.said().contains("match 1: "),
        "the first is still waiting for its bot"
    );
    arena.waits_for("match 1: ");
    assert!(
        arena
            .said()
            .contains("match 1, first fault of hangs (timeout): no answer within 2000 ms")
    );
    let shown = arena.get("/match/1/state").1;
    assert!(
        shown.contains("fault 3 (timeout)") && !shown.contains("no answer"),
        "{shown}"
    );
    let faults = replayed(folder.path());
    assert_eq!(faults["match-00001.jsonl"], 3);
    assert_eq!(faults.values().sum::<usize>(), 3);
}

/// Told to end, the arena lets matches end, or stops them: what was played is in the record either
/// way.
#[cfg(unix)]
#[test]
fn an_arena_that_ends_loses_nothing() {
    let slow = || {
        server(|request, stream| {
            std::thread::sleep(Duration::from_millis(if request.path == "/turn" {
                20
            } else {
                0
            }));
            reply(
                stream,
                &if request.path == "/turn" {
                    modest(&request.state()).to_string()
                } else {
                    String::new()
                },
            );
        })
    };
    for (grace, whole) in [(60, true), (0, false)] {
        let folder = tempfile::tempdir().unwrap();
        let line = format!(
            "--protocol hacker-risk --players 3 --bot random --bot random --grace {grace} --records records -o max_turns=9"
        );
        let mut arena = Program::arena(folder.path(), &line);
        assert_eq!(
            arena
                .post(
                    "/join",
                    &[],
                    &json!({ "name": "slow", "url": slow() }).to_string()
                )
                .0,
            200
        );
        let lines = || {
            let record = folder.path().join("records/match-00001.jsonl");
            std::fs::read_to_string(record).map_or(0, |record| record.lines().count())
        };
        let began = Instant::now();
        while lines() <= 10 && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(20));
        }
        arena.terminate();
        arena.waits_for("matches under way are over: 1; Ctrl-C");
        if whole {
            let (status, text) = arena.post(
                "/join",
                &[],
                &json!({ "name": "late", "url": modest_bot() }).to_string(),
            );
            assert!(status == 503 && text.contains("closing"), "{status} {text}");
        }
        let began = Instant::now();
        assert!(arena.ends(), "it ends well\n{}", arena.said());
        assert!(began.elapsed() < Duration::from_secs(30));
        let record =
            std::fs::read_to_string(folder.path().join("records/match-00001.jsonl")).unwrap();
        assert_eq!(
            record.lines().last().unwrap().contains("\"line\":\"end\""),
            whole
        );
        let ran = run_in(
            folder.path(),
            &words("replay records/match-00001.jsonl --verify"),
        );
        let told = if whole {
            "replays exactly"
        } else {
            "the record ends before the game does"
        };
        assert!(
            format!("{}{}", ran.out, ran.err).contains(told),
            "{}{}",
            ran.out,
            ran.err
        );
        assert!(lines() > 10);
    }
}

/// A match that takes too long is stopped, and the arena goes on.
#[test]
fn a_match_has_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--protocol hacker-risk --players 3 --bot random --bot random --match-time 1 --matches 1 --records records";
    let arena = Program::arena(folder.path(), line);
    let slow = server(|request, stream| {
        std::thread::sleep(Duration::from_millis(if request.path == "/turn" {
            50
        } else {
            0
        }));
        reply(
            stream,
            &if request.path == "/turn" {
                modest(&request.state()).to_string()
            } else {
                String::new()
            },
        );
    });
    assert_eq!(
        arena
            .post(
                "/join",
                &[],
                &json!({ "name": "slow", "url": slow }).to_string()
            )
            .0,
        200
    );
    // As many matches as may be are played: nobody else can join.
    let (status, text) = arena.post(
        "/join",
        &[],
        &json!({ "name": "late", "url": modest_bot() }).to_string(),
    );
    assert!(
        status == 503 && text.contains("a match is being played"),
        "{status} {text}"
    );
    arena.waits_for("match 1: stopped after 1 second");
    assert_eq!(arena.get("/").0, 200);
}

/// What `--listen`, `--allow-callback` and the environment change.
#[test]
fn an_open_arena_warns_and_keeps_to_its_networks() {
    let folder = tempfile::tempdir().unwrap();
    let serve = |secret: &str, line: &str| {
        std::process::Command::new(assert_cmd::cargo::cargo_bin!("risk-cli"))
            .args(words(line))
            .env("RISK_CLI_SECRET", secret)
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    for secret in ["", " \t "] {
        let ran = serve(secret, "serve --protocol callback --port 0");
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(
            ran.status.code() == Some(2)
                && told.contains("RISK_CLI_SECRET: a secret has 8 to 1000 characters"),
            "{told}"
        );
    }
    // A secret in the environment is one: what is wrong is something else.
    let ran = serve(
        "correct-horse",
        "serve --protocol callback --port 0 --players 1",
    );
    assert!(String::from_utf8_lossy(&ran.stderr).contains("is for 2 to 32 players"));
    let open = Program::arena(
        folder.path(),
        "--protocol hacker-risk --listen 0.0.0.0 --players 3 --bot odds --bot random",
    );
    assert!(
        open.said()
            .contains("warning: everybody who reaches 0.0.0.0:"),
        "{}",
        open.said()
    );
    assert!(open.said().contains("can join"));
    let (status, text) = open.post("/start", &[], "");
    assert!(
        status == 403 && text.contains("no secret that could start it"),
        "{status} {text}"
    );
    // The document's dialect is not asked whether it is there, so these addresses need not be
    // anybody's.
    std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
    let line = "--protocol callback --secret-file secret --players 3 --allow-callback 192.0.2.0/28 --allow-callback 198.51.100.9";
    let arena = Program::arena(folder.path(), line);
    for (name, host, wanted) in [
        ("a", "192.0.2.7", 200),
        ("b", "192.0.2.16", 400),
        ("c", "[::ffff:192.0.2.8]:80", 200),
        ("d", "198.51.100.8", 400),
        ("e", "198.51.100.9:5000/bot", 200),
        ("f", "localhost", 400),
    ] {
        let (status, text) = arena.post(
            "/join",
            &[],
            &json!({ "name": name, "callback": format!("http://{host}") }).to_string(),
        );
        assert_eq!(status, wanted, "{host}: {text}");
        assert_eq!(
            text.contains("the table is full"),
            name == "f",
            "{host}: {text}"
        );
    }
}

/// There is room for so many who watch, and for the next one when somebody leaves.
#[test]
fn viewers_have_room_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Program::arena(folder.path(), "--protocol hacker-risk");
    let watch = || {
        let mut stream = TcpStream::connect(&arena.address).unwrap();
        stream
            .write_all(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        (stream, String::from_utf8_lossy(&status).into_owned())
    };
    let mut watching: Vec<_> = (0..65).map(|_| watch()).collect();
    let refused = watching
        .iter()
        .filter(|(_, status)| status.ends_with("429"))
        .count();
    assert_eq!((refused, watching[0].1.as_str()), (1, "HTTP/1.1 200"));
    watching.clear();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(watch().1, "HTTP/1.1 200");
}

/// What a process has used: processor time in hundredths of a second, and the most memory it had,
/// in KiB.
#[cfg(target_os = "linux")]
fn used(id: &str) -> (u64, u64) {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    let fields: Vec<u64> = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .map(|field| field.parse().unwrap_or(0))
        .collect();
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    (
        fields[11] + fields[12],
        peak.split_whitespace().next().unwrap().parse().unwrap(),
    )
}

/// Many matches at once, four bots each, every bot with connections of its own.
#[cfg(target_os = "linux")]
fn crowd(matches: usize, turns: u32) {
    let folder = tempfile::tempdir().unwrap();
    let requests = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let line = format!(
        "--protocol hacker-risk --players 4 --matches {matches} --rate 100000 --records records -o max_turns={turns} --seed 1"
    );
    let arena = Program::arena(folder.path(), &line);
    let count = std::sync::Arc::clone(&requests);
    let bot = server(move |request, stream| {
        count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let text = if request.path.ends_with("/turn") {
            modest(&request.state()).to_string()
        } else {
            String::new()
        };
        reply(stream, &text);
    });
    let began = Instant::now();
    let before = used("self").0;
    for number in 0..matches * 4 {
        let body = json!({ "name": format!("bot {number}"), "url": format!("{bot}/{number}"), "encoding": "raw" });
        let (status, text) = arena.post("/join", &[], &body.to_string());
        assert_eq!(status, 200, "{text}");
    }
    for number in 1..=matches {
        arena.waits_for(&format!("match {number}: "));
    }
    let seconds = began.elapsed().as_secs_f64();
    let ((own, peak), bots) = (used(&arena.id().to_string()), used("self").0 - before);
    let sent = requests.load(std::sync::atomic::Ordering::Relaxed);
    let rate = sent as f64 / seconds;
    let (own, bots) = (own as f64 / 100.0, bots as f64 / 100.0);
    let told = format!(
        "{matches} matches, {sent} requests in {seconds:.1} s: {rate:.0} a second\n\
         processor: arena {own:.1} s, bots {bots:.1} s; the arena's peak is {} MiB\n",
        peak >> 10
    );
    // With nobody to tell there is nothing left to do.
    let _ = std::io::stderr().write_all(told.as_bytes());
    let faults = replayed(folder.path());
    assert_eq!((faults.len(), faults.values().sum::<usize>()), (matches, 0));
}

#[cfg(target_os = "linux")]
#[test]
fn twelve_matches_at_once() {
    crowd(12, 8);
}

/// Run alone, in a release build: `cargo nextest run --release --run-ignored only --no-capture
/// two_hundred`.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "measures; run alone"]
fn two_hundred_matches_at_once() {
    crowd(200, 60);
}

/// Whoever is slow on purpose is left after ten seconds: before the head, within it, and within the
/// body.
#[test]
fn requests_that_never_end_are_ended() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Program::arena(folder.path(), "--protocol hacker-risk");
    let begun = [
        "",
        "POST /join HTTP/1.1\r\nHost: local",
        "POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"name\"",
    ];
    let began = Instant::now();
    let streams = begun.map(|text| {
        let mut stream = TcpStream::connect(&arena.address).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(40)))
            .unwrap();
        stream
    });
    for (text, mut stream) in begun.iter().zip(streams) {
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .unwrap_or_else(|error| panic!("{text:?} is still waited for: {error}"));
        assert!(
            answer.is_empty() || answer.contains("408"),
            "{text:?}: {answer}"
        );
    }
    assert!(
        began.elapsed() > Duration::from_secs(5),
        "there is time for what is honestly slow"
    );
    // One address has so many connections and no more.
    let idle: Vec<TcpStream> = (0..300)
        .map(|_| TcpStream::connect(&arena.address).unwrap())
        .collect();
    let closed = idle.iter().filter(|stream| {
        stream
            .set_read_timeout(Some(Duration::from_millis(300)))
            .unwrap();
        matches!((&mut &**stream).read(&mut [0]), Ok(0))
    });
    assert_eq!(closed.take(44).count(), 44);
    drop(idle);
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(arena.get("/").0, 200);
}

/// Under a ruleset with fog the page shows nothing of the board before the match is over: those who
/// watch may play.
#[test]
fn fog_hides_the_board_from_those_who_watch() {
    let folder = tempfile::tempdir().unwrap();
    let fog = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets/examples/fog.rhai");
    let line =
        "--protocol hacker-risk --players 3 --bot random --bot odds -o max_turns=9 --ruleset";
    let arena = Program::arena(folder.path(), &format!("{line} {}", fog.display()));
    let slow = server(|request, stream| {
        std::thread::sleep(Duration::from_millis(if request.path == "/turn" {
            30
        } else {
            0
        }));
        reply(
            stream,
            &if request.path == "/turn" {
                modest(&request.state()).to_string()
            } else {
                String::new()
            },
        );
    });
    assert_eq!(
        arena
            .post(
                "/join",
                &[],
                &json!({ "name": "slow", "url": slow }).to_string()
            )
            .0,
        200
    );
    std::thread::sleep(Duration::from_millis(400));
    let state = || serde_json::from_str::<Value>(&arena.get("/match/1/state").1).unwrap();
    let (hidden, page) = (state(), arena.get("/").1);
    assert!(
        hidden["end"].is_null() && hidden["players"].as_array().unwrap().len() == 3,
        "{hidden}"
    );
    assert!(
        hidden["lands"]
            .as_array()
            .unwrap()
            .iter()
            .all(|land| *land == json!([-1, 0])),
        "{hidden}"
    );
    assert_eq!(
        (&hidden["lines"], &hidden["players"][0]["armies"]),
        (&json!([]), &Value::Null)
    );
    let armies = page.matches("id=\"armies-").count();
    assert_eq!(
        (armies, page.matches(">0</text>").count()),
        (42, 42),
        "the picture tells nothing either"
    );
    arena.waits_for("match 1: ");
    let open = state();
    assert!(
        open["lands"]
            .as_array()
            .unwrap()
            .iter()
            .all(|land| land[0] != -1)
            && open["lines"] != json!([])
    );
}
