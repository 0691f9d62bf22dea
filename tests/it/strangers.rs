//! What strangers may do to an arena or to a served bot, and what they may learn: names, other
//! people's servers, shares, logs and heads of requests.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{IpAddr, TcpStream};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use risk_cli::kernel::NullSink;
use risk_cli::matches::Worker;
use risk_cli::players::names;
use risk_cli::serve::bounded::Bounded;
use risk_cli::serve::share::{Full, Shares, household};
use serde_json::json;

use crate::programs::Program;
use crate::support::{run_in, setup, words};
use crate::web::{modest, reply, server};

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

#[test]
fn names_that_mean_something_are_refused() {
    for name in [
        "ann",
        "Ann B",
        "Zoë",
        "玩家",
        "none of us",
        "nonesuch",
        "a'b",
        "<b>",
        "1",
    ] {
        assert_eq!(names::check(name), Ok(()), "{name}");
    }
    for name in [
        "none",
        "None",
        "NONE",
        "n one",
        "null",
        "nil",
        "undefined",
        "__proto__",
        "toString",
        "constructor",
    ] {
        let text = names::check(name).unwrap_err();
        assert_eq!(
            text,
            format!("no player can be named `{name}`: other programs take that for something else")
        );
    }
    let invisible = [
        "no\u{200b}ne",
        "no\u{ad}ne",
        "\u{feff}none",
        "a\u{202e}b",
        "a\u{fe0f}",
        "\u{3164}",
        "\u{e0041}x",
    ];
    let broken = [
        "",
        " ",
        " a",
        "a ",
        "a  b",
        "a\tb",
        "a\nb",
        "a\u{a0}b",
        "a\u{3000}b",
        "\u{1b}[31m",
    ];
    for name in invisible
        .into_iter()
        .chain(broken)
        .chain(["n".repeat(31).as_str()])
    {
        let text = names::check(name).unwrap_err();
        assert!(
            text.starts_with("a player's name has 1 to 30 characters that can be seen"),
            "{name:?}: {text}"
        );
    }
    for (a, b, alike) in [
        ("ann", "ann", true),
        ("ann", "ANN", true),
        ("ann b", "Ann  B", true),
        ("annb", "ann b", true),
        ("ann", "a\u{200d}nn", true),
        ("straße", "STRASSE", true),
        ("ΣΑΣ", "σας", true),
        ("ann", "anna", false),
        ("ann", "bob", false),
    ] {
        assert_eq!(names::are_alike(a, b), alike, "{a} {b}");
    }
    let owned = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    for (given, told) in [
        (&["ann", "bob"][..], &["ann", "bob"][..]),
        (&["none", "bob"], &["none (1)", "bob"]),
        (
            &["bob", "null", "bob", ""],
            &["bob", "null (2)", "bob (3)", " (4)"],
        ),
        (&["a (2)", "a", "a"], &["a (2)", "a", "a (3)"]),
        (&["none (2)", "none"], &["none (2)", "none (3)"]),
    ] {
        assert_eq!(names::on_wire(&owned(given)), owned(told));
    }
    for (given, told) in [
        (&["a", "a", "a"][..], &["a", "a 2", "a 3"][..]),
        (&["a", "a 2", "a"], &["a", "a 2", "a 3"]),
        (&["a", "b", "A"], &["a", "b", "A 2"]),
        (&["a 2", "a", "a"], &["a 2", "a", "a 3"]),
    ] {
        let mut all = owned(given);
        names::tell_apart(&mut all);
        assert_eq!(all, owned(told));
    }
}

#[test]
fn refused_names_are_told_where_they_are_given() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("none.rhai"),
        "fn answer(view, ask) { ask.random() }",
    )
    .unwrap();
    for line in [
        "play --bot name=none,bot=random",
        "play --bot ./none.rhai",
        "play --bot http://none/",
        "bot serve greedy --port 0 --name NULL",
        "serve --protocol hacker-risk --port 0 --bot name=None,bot=odds",
    ] {
        let ran = run_in(folder.path(), &words(line));
        assert!(
            ran.code == 2 && ran.err.contains("no player can be named `"),
            "{line}: {} {}",
            ran.code,
            ran.err
        );
    }
    let fine = "play --quiet --bot name=some,bot=./none.rhai --option max_turns=3";
    assert_eq!(run_in(folder.path(), &words(fine)).code, 0);
    let arena = Program::arena(
        folder.path(),
        "--protocol hacker-risk --bot name=House,bot=odds",
    );
    let (ann, other) = (modest_bot(), modest_bot());
    let join = |name: &str, url: &str| {
        arena.post(
            "/join",
            &[],
            &json!({ "name": name, "url": url }).to_string(),
        )
    };
    assert_eq!(join("ann", &ann).0, 200);
    for (name, status, text) in [
        ("none", 400, "no player can be named `none`"),
        ("ANN", 409, "the name ANN looks like ann, which is taken"),
        ("an n", 409, "the name an n looks like ann, which is taken"),
        ("ann", 409, "the name ann is taken"),
        (
            "house",
            409,
            "the name house looks like House, which is taken by a bot of the arena",
        ),
    ] {
        let (told, said) = join(name, &other);
        assert!(
            told == status && said.contains(text),
            "{name}: {told} {said}"
        );
    }
}

/// A game that another program set up, with a player of this name: on the wire they are not free
/// land.
#[test]
fn free_land_and_players_are_told_apart_on_the_wire() {
    let owners: Arc<Mutex<BTreeSet<(String, bool)>>> = Arc::default();
    let keep = Arc::clone(&owners);
    let address = server(move |request, stream| {
        if request.path != "/turn" {
            return reply(stream, "");
        }
        let state = request.state();
        for land in state["game"]["countries"].as_object().unwrap().values() {
            let owner = land["owner"].as_str().unwrap().to_owned();
            keep.lock().unwrap().insert((owner, land["troops"] == 0));
        }
        reply(stream, &modest(&state).to_string());
    });
    let mut setup = setup(
        "hasbro",
        None,
        &["random", "random", &address],
        3,
        &[("max_turns", "6")],
    );
    for (spec, name) in setup.bots.iter_mut().zip(["none", "ann", "me"]) {
        spec.name = name.to_owned();
    }
    let finished = Worker::new(&setup).unwrap().play(0, &mut NullSink);
    assert!(finished.outcome.is_ok());
    let seen = owners.lock().unwrap().clone();
    let wanted = [
        ("ann", false),
        ("me", false),
        ("none", true),
        ("none (1)", false),
    ];
    assert_eq!(
        seen,
        wanted
            .into_iter()
            .map(|(name, free)| (name.to_owned(), free))
            .collect()
    );
}

/// Whoever registers an address hears nothing of what is there; whoever runs the arena does.
#[test]
fn nothing_of_a_foreign_answer_is_quoted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
    let arena = Program::arena(folder.path(), "--protocol callback --secret-file secret");
    let sends =
        |answer: &'static str| server(move |_, stream| drop(stream.write_all(answer.as_bytes())));
    let gone = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let rows = [
        (
            sends("HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\nkey=\u{1b}[31mhush"),
            "not with yes",
        ),
        (
            sends("HTTP/1.1 401 hush\r\nX: hush\r\nContent-Length: 8\r\n\r\nhush-key"),
            "a status of the 400s, not with 200",
        ),
        (sends("220 hush ESMTP\r\n"), "no answer in HTTP came"),
        (format!("http://{gone}"), "no answer in HTTP came"),
    ];
    for (index, (url, wanted)) in rows.iter().enumerate() {
        let body =
            json!({ "name": format!("bot {index}"), "callbackBaseAddress": url }).to_string();
        let (status, text) = arena.post("/join", &[], &body);
        assert!(status == 400 && text.contains(wanted), "{status} {text}");
        assert!(
            !text.contains("hush") && !text.contains("401") && !text.contains("key"),
            "{text}"
        );
    }
    let key = "bot 0 can't join from 127.0.0.1: the bot at ";
    arena.waits_for(key);
    arena.waits_for("answers GET /areYouThere with 401, not 200: `hush-key`");
    arena.waits_for("nobody listens there");
    assert!(
        arena.said().contains("key=\\u{1b}[31mhush"),
        "{}",
        arena.said()
    );
}

#[test]
fn bots_on_this_machine_can_be_forbidden() {
    let folder = tempfile::tempdir().unwrap();
    let line =
        "--protocol hacker-risk --forbid-loopback --allow-callback 0.0.0.0/0 --allow-callback ::/0";
    let arena = Program::arena(folder.path(), line);
    let port = modest_bot().rsplit(':').next().unwrap().to_owned();
    for host in [
        "127.0.0.1",
        "127.9.9.9",
        "localhost",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "2130706433",
    ] {
        let body = json!({ "name": "ann", "url": format!("http://{host}:{port}") }).to_string();
        let (status, text) = arena.post("/join", &[], &body);
        assert!(
            status == 400 && text.contains("bots may not be at that address"),
            "{host}: {status} {text}"
        );
    }
    let ran = run_in(
        folder.path(),
        &words(
            "serve --protocol hacker-risk --port 0 --forbid-loopback --allow-callback 127.0.0.0/8",
        ),
    );
    assert!(
        ran.code == 2
            && ran
                .err
                .contains("--forbid-loopback refuses bots in 127.0.0.0/8"),
        "{}",
        ran.err
    );
}

#[test]
fn shares_count_for_each_address_first() {
    let at = |text: &str| text.parse::<IpAddr>().unwrap();
    let shares = Shares::new(3, 2);
    let one = shares.take(at("10.0.0.1")).unwrap();
    let two = shares.take(at("::ffff:10.0.0.1")).unwrap();
    assert_eq!(shares.take(at("10.0.0.1")).unwrap_err(), Full::ForOne);
    let three = shares.take(at("10.0.0.2")).unwrap();
    assert_eq!(shares.take(at("10.0.0.3")).unwrap_err(), Full::ForAll);
    drop((one, three));
    let four = shares.take(at("10.0.0.3")).unwrap();
    drop((two, four));
    // A network of 64 bits is one household.
    assert_eq!(
        household(at("2001:db8::1")),
        household(at("2001:db8::ffff:1"))
    );
    assert_ne!(
        household(at("2001:db8::1")),
        household(at("2001:db8:0:1::1"))
    );
}

/// A connection from another of this machine's addresses.
fn connect(from: &str, to: &str) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
        socket
            .connect(to.parse().unwrap())
            .await
            .unwrap()
            .into_std()
            .unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    stream
}

/// The first line of what comes back.
fn answer(stream: &mut TcpStream, request: &str) -> String {
    stream.write_all(request.as_bytes()).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let mut begun = [0; 12];
    stream.read_exact(&mut begun).unwrap();
    String::from_utf8_lossy(&begun[9..]).into_owned()
}

// Other systems have 127.0.0.1 alone.
#[cfg(target_os = "linux")]
#[test]
fn one_address_shuts_nobody_out() {
    let folder = tempfile::tempdir().unwrap();
    let arena = Program::arena(
        folder.path(),
        "--protocol hacker-risk --rate 1000 --players 6",
    );
    let watch = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut watching: Vec<_> = (0..80)
        .map(|_| connect("127.0.0.1", &arena.address))
        .collect();
    let seen: Vec<String> = watching
        .iter_mut()
        .map(|stream| answer(stream, watch))
        .collect();
    assert_eq!(
        seen.iter().filter(|status| *status == "200").count(),
        64,
        "{seen:?}"
    );
    assert!(
        seen.iter().skip(64).all(|status| status == "429"),
        "{seen:?}"
    );
    assert_eq!(
        answer(&mut connect("127.0.0.2", &arena.address), watch),
        "200",
        "there is room for others"
    );
    drop(watching);

    // Joins that point at a port which says nothing.
    let held = Arc::new((Mutex::new((0, false)), Condvar::new()));
    let hold = Arc::clone(&held);
    let silent = server(move |_, _| {
        let (state, changed) = &*hold;
        let mut state = state.lock().unwrap();
        state.0 += 1;
        changed.notify_all();
        drop(changed.wait_while(state, |(_, over)| !*over).unwrap());
    });
    let join = |name: &str, url: &str| {
        let body = json!({ "name": name, "url": url }).to_string();
        format!(
            "POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let mut waiting: Vec<_> = (0..8)
        .map(|number| {
            let mut stream = connect("127.0.0.1", &arena.address);
            stream
                .write_all(
                    join(&format!("slow {number}"), &format!("{silent}/{number}")).as_bytes(),
                )
                .unwrap();
            stream
        })
        .collect();
    let (state, changed) = &*held;
    drop(
        changed
            .wait_while(state.lock().unwrap(), |(count, _)| *count < 8)
            .unwrap(),
    );
    assert_eq!(
        answer(
            &mut connect("127.0.0.1", &arena.address),
            &join("late", &format!("{silent}/x"))
        ),
        "503"
    );
    assert_eq!(
        answer(
            &mut connect("127.0.0.2", &arena.address),
            &join("ann", &modest_bot())
        ),
        "200"
    );
    state.lock().unwrap().1 = true;
    changed.notify_all();
    waiting
        .iter_mut()
        .for_each(|stream| assert_eq!(answer(stream, ""), "400"));
}

/// On an open arena the bots of one address can't take all seats: others find some while those
/// play.
#[cfg(target_os = "linux")]
#[test]
fn one_address_does_not_take_all_seats() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--protocol hacker-risk --players 3 --bot random --bot odds --matches 4 --rate 1000 --listen 0.0.0.0 \
                --allow-callback 127.0.0.0/8";
    let arena = Program::arena(folder.path(), line);
    let place = arena.address.replace("0.0.0.0", "127.0.0.1");
    // Bots that think until the arena ends.
    let held = server(|request, stream| {
        if request.path == "/turn" {
            std::thread::park();
        }
        reply(stream, "");
    });
    let join = |from: &str, name: &str| {
        let body = json!({ "name": name, "url": format!("{held}/{name}") }).to_string();
        let head = "POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json";
        answer(
            &mut connect(from, &place),
            &format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()),
        )
    };
    // Four seats in four matches, and half of them for one.
    assert_eq!(
        ["a", "b", "c"].map(|name| join("127.0.0.1", name)),
        ["200", "200", "503"]
    );
    assert_eq!(
        ["d", "e"].map(|name| join("127.0.0.2", name)),
        ["200", "200"]
    );
}

/// Two arenas write into one folder: each record has a number of its own, and none is written over.
#[test]
fn two_arenas_can_share_a_folder_of_records() {
    let folder = tempfile::tempdir().unwrap();
    let line = "--protocol hacker-risk --players 3 --bot random --bot random --records records -o max_turns=3 --seed 1";
    let arenas = [
        Program::arena(folder.path(), line),
        Program::arena(folder.path(), line),
    ];
    let mut texts: Vec<String> = Vec::new();
    for (index, number) in [0, 1, 1, 0, 0].into_iter().zip(1..) {
        let body = json!({ "name": format!("p{number}"), "url": modest_bot() }).to_string();
        assert_eq!(arenas[index].post("/join", &[], &body).0, 200);
        arenas[index].waits_for(&format!("match {number}: "));
        let read = |number: i32| std::fs::read_to_string(record(folder.path(), number)).unwrap();
        texts.push(read(number));
        let same = texts
            .iter()
            .zip(1..)
            .all(|(text, number)| *text == read(number));
        assert!(
            same && texts[texts.len() - 1].contains(&format!("\"p{number}\"")),
            "no record was written over"
        );
        let ran = run_in(
            folder.path(),
            &["replay", record(Path::new(""), number).as_str(), "--verify"],
        );
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    // The last number that there is can't be followed by another.
    std::fs::write(
        folder
            .path()
            .join("records/match-18446744073709551615.jsonl"),
        "",
    )
    .unwrap();
    let ran = run_in(folder.path(), &words(&format!("serve --port 0 {line}")));
    assert!(
        ran.code == 2 && ran.err.contains("the last number that there is"),
        "{}",
        ran.err
    );
}

fn record(folder: &Path, number: i32) -> String {
    folder
        .join(format!("records/match-{number:05}.jsonl"))
        .to_str()
        .unwrap()
        .to_owned()
}

#[test]
fn what_strangers_cause_is_told_in_bounds() {
    let (mut log, began) = (Bounded::default(), Instant::now());
    let mut lines = 0;
    for number in 0..100 {
        lines += log
            .lines(
                &format!("line {number}"),
                began + Duration::from_millis(number),
            )
            .len();
    }
    assert_eq!(lines, 21, "twenty, and that there are more");
    assert_eq!(
        log.lines("later", began + Duration::from_secs(61)),
        ["80 more messages of this kind were left out", "later"]
    );
    assert_eq!(
        log.lines(&"x".repeat(5_000), began + Duration::from_secs(62))[0]
            .chars()
            .count(),
        602
    );

    let folder = tempfile::tempdir().unwrap();
    let bot = Program::bot(folder.path(), "greedy");
    for number in 0..200 {
        let (status, text) = bot.post(
            "/turn",
            &[],
            &format!("{{\"{}{number}\":1,", "k".repeat(2_000)),
        );
        assert!(status == 400 && text.len() < 300, "{text}");
    }
    let twice = format!("{{\"{0}\":1,\"{0}\":2}}", "k".repeat(100_000));
    assert!(bot.post("/turn", &[], &twice).1.len() < 300);
    bot.waits_for("more of them in this minute are left out");
    assert!(bot.said().lines().count() < 30, "{}", bot.said());
}

/// A request says once where it goes, from where it comes and what it may.
#[test]
fn heads_that_contradict_themselves_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
    let arena = Program::arena(folder.path(), "--protocol callback --secret-file secret");
    let bot = Program::bot(folder.path(), "greedy --host behind.example");
    let status = |program: &Program, head: &str| {
        let mut stream = TcpStream::connect(&program.address).unwrap();
        answer(&mut stream, &format!("{head}\r\nConnection: close\r\n\r\n"))
    };
    let home = "GET / HTTP/1.1\r\nHost: localhost";
    for program in [&arena, &bot] {
        let fine = status(program, home);
        assert!(["200", "404"].contains(&fine.as_str()), "{fine}");
        for more in [
            "Host: localhost",
            "Host: rebound.example",
            "Origin: http://localhost\r\nOrigin: http://elsewhere.example",
            "Authorization: Bearer a\r\nAuthorization: Bearer correct-horse",
            "Content-Type: text/plain\r\nContent-Type: application/json",
        ] {
            assert_eq!(
                status(program, &format!("{home}\r\n{more}")),
                "400",
                "{more}"
            );
        }
        assert_eq!(
            status(
                program,
                "GET http://rebound.example/ HTTP/1.1\r\nHost: localhost"
            ),
            "400"
        );
        assert_eq!(
            status(program, "GET / HTTP/1.1\r\nHost: rebound.example"),
            "403"
        );
    }
    for (host, wanted) in [
        ("localhost", 200),
        ("127.0.0.1:4444", 200),
        ("behind.example", 200),
        ("x.example", 403),
    ] {
        assert_eq!(bot.as_host(host, "/status"), wanted, "{host}");
    }
}
