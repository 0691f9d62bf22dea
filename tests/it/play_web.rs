//! People at pages: everything over HTTP, by a client that knows docs/play.md alone.

use crate::support::library;
use std::collections::BTreeMap;
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;

use serde_json::{Value, json};

use crate::programs::Program;
use crate::support::{TINY, run_in, words};
use risk_maps::files::FileKind;
use risk_testing::by_case::{each, runs_every_case};

mod secrets;

pub(crate) struct WebTable {
    pub(crate) program: Program,
    tokens: Vec<String>,
}

impl WebTable {
    pub(crate) fn start(folder: &Path, line: &str) -> Self {
        let program = Program::people(folder, line);
        let said = program.said();
        let links = said.lines().filter_map(|line| line.split_once("/#"));
        let tokens = links.map(|(_, token)| token.trim().to_owned()).collect();
        Self { program, tokens }
    }

    /// Returns the address of a person's page, or of the page for spectators.
    pub(crate) fn link(&self, person: Option<usize>) -> String {
        let token = person.map_or("", |person| &self.tokens[person]);
        format!("http://{}/#{token}", self.program.address)
    }

    fn head(&self, person: Option<usize>) -> Vec<(&'static str, String)> {
        let bearer = |person: usize| ("Authorization", format!("Bearer {}", self.tokens[person]));
        let mut head = vec![("Content-Type", "application/json".to_owned())];
        head.extend(person.map(bearer));
        head
    }

    pub(crate) fn get(&self, person: Option<usize>, path: &str) -> (u16, String) {
        let head = self.head(person);
        let head: Vec<(&str, &str)> = head.iter().map(|(key, it)| (*key, it.as_str())).collect();
        self.program.get_as(path, &head)
    }

    /// Waits for a version after this one, and returns the person's sheet.
    pub(crate) fn now(&self, person: Option<usize>, after: u64) -> Value {
        loop {
            let (status, text) = self.get(person, &format!("/now?after={after}"));
            match status {
                200 => return serde_json::from_str(&text).unwrap(),
                204 => {}
                _ => panic!("{status} {text}"),
            }
        }
    }

    /// Waits for a question to the person or the end of the game, and returns the sheet.
    pub(crate) fn asked(&self, person: usize) -> Value {
        let mut version = 0;
        loop {
            let now = self.now(Some(person), version);
            if !now["question"].is_null() || !now["end"].is_null() {
                return now;
            }
            version = now["version"].as_u64().unwrap();
        }
    }

    /// Posts a person's answer; returns its status and body.
    pub(crate) fn say(&self, person: Option<usize>, body: &str) -> (u16, Value) {
        let head = self.head(person);
        let head: Vec<(&str, &str)> = head.iter().map(|(key, it)| (*key, it.as_str())).collect();
        let (status, text) = self.program.post("/say", &head, body);
        let value = serde_json::from_str(&text).unwrap_or(Value::String(text));
        (status, value)
    }

    fn says(&self, person: usize, now: &Value, key: &str, value: Value) -> (u16, Value) {
        let mut body = json!({ "question": now["question"]["id"] });
        body[key] = value;
        self.say(Some(person), &body.to_string())
    }

    /// Ends the program as Ctrl-C does.
    fn ends(mut self) {
        self.program.terminate();
        assert!(self.program.ends(), "{}", self.program.said());
    }
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.yaml"), TINY).unwrap();
    folder
}

fn pick(question: &Value, number: usize) -> Value {
    let offers = question["options"].as_array().unwrap();
    let offer = &offers[number % offers.len()];
    let mut action = vec![offer["verb"].clone()];
    for domain in offer["parameters"].as_array().unwrap() {
        action.push(match domain.as_array() {
            Some(values) => values[number / 3 % values.len()].clone(),
            None => domain["max"].clone(),
        });
    }
    action.into()
}

/// Plays a person's game to its end: sometimes a picked action, else the suggested one.
fn play(table: &WebTable, person: usize) -> Value {
    for number in 0.. {
        let now = table.asked(person);
        if !now["end"].is_null() {
            return now;
        }
        let suggested = &now["question"]["suggested"];
        let (status, answer) = if number % 4 == 0 || suggested.is_null() {
            table.says(person, &now, "do", pick(&now["question"], number))
        } else if number % 4 == 1 {
            table.says(person, &now, "auto", json!(true))
        } else {
            table.says(person, &now, "say", suggested.clone())
        };
        assert_eq!(status, 200, "{answer} to {}", now["question"]);
    }
    unreachable!("a game has an end")
}

#[test]
fn whole_games_are_played_over_http_and_verify() {
    let few = ["codelab", "warlight2"];
    let all = library().names(FileKind::Ruleset);
    let cases = if runs_every_case() { all } else { few.to_vec() };
    each(cases, |ruleset| {
        let folder = folder();
        let short = match *ruleset {
            "hasbro" | "fog" | "syncs2024" => "-o max_turns=30",
            "codelab" | "capital" => "-o max_turns=12",
            "warlight2" => "-m four-corners -o max_turns=8",
            "warzone" | "warlight1" => "-o max_turns=12",
            _ => "",
        };
        let line = format!("-r {ruleset} --bot human --seed 3 --record g.jsonl {short}");
        let table = WebTable::start(folder.path(), &line);
        let end = play(&table, 0);
        assert!(end["end"]["text"].as_str().unwrap().len() > 5, "{end}");
        let (status, page) = table.get(None, "/replay");
        assert_eq!(status, 200);
        assert!(page.contains("<svg"), "a page of the whole game");
        table.ends();
        let verified = run_in(folder.path(), &words("replay --verify g.jsonl"));
        assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    });
}

const TWO: &str = "-r codelab -m tiny.yaml --bot name=ann,bot=human --bot name=bob,bot=human --seed 2 --record g.jsonl";

/// The sender (`-` for a spectator), the body in place of GOOD or for question ID, and the status
/// and code of the refusal with a word in its text.
const REFUSED: &str = r#"
- | GOOD | 401 | people::spectator |
1 | GOOD | 409 | people::not-open |
0 | {"question":99,"undo":true} | 409 | people::not-open |
0 | {"question":-1,"undo":true} | 400 | request::body | `question`
0 | {"undo":true} | 400 | request::body | `question`
0 | {"question":ID,"do":["place","a",1] | 400 | request::body | JSON
0 | | 400 | request::body | JSON
0 | [] | 400 | request::body | object
0 | {"question":ID,"say":"LONG"} | 413 | request::too-large | 16384
0 | {"question":ID,"do":DEEP} | 400 | request::body | JSON
0 | {"question":ID,"dew":true} | 400 | request::body | `dew`
0 | {"question":ID,"undo":true,"hint":true} | 400 | request::body | `retract`
0 | {"question":ID,"question":1,"undo":true} | 400 | request::body | `question`
0 | {"question":ID,"do":["shoot","a",1]} | 422 | people::action | `shoot`
0 | {"question":ID,"do":["attack","a",1]} | 422 | people::action | 3
0 | {"question":ID,"do":["place","a",999]} | 422 | people::action | 999
0 | {"question":ID,"do":["place","zz",1]} | 422 | people::action | zz
0 | {"question":ID,"do":7} | 422 | people::action |
0 | {"question":ID,"do":["place","a",1],"to_the_end":1} | 400 | request::body | `to_the_end`
0 | {"question":ID,"undo":true,"to_the_end":true} | 400 | request::body | `do`
0 | {"question":ID,"say":"place zz"} | 422 | people::typed | `zz`
0 | {"question":ID,"say":7} | 400 | request::body | `say`
0 | {"question":ID,"undo":true} | 422 | people::undo |
0 | {"question":ID,"undo":1} | 400 | request::body | `undo`
0 | {"question":ID,"retract":0} | 422 | people::retract |
0 | {"question":ID,"odds":[1]} | 400 | request::body | `odds`
0 | {"question":ID,"odds":[5000,1]} | 422 | people::odds | 1000
"#;

/// A hint names the territories that a page marks.
#[test]
fn a_hint_has_its_territories() {
    let folder = folder();
    let table = WebTable::start(folder.path(), TWO);
    let now = table.asked(0);
    let (status, hint) = table.says(0, &now, "hint", json!(true));
    assert_eq!(status, 200, "{hint}");
    let suggested = now["question"]["suggested"].as_str().unwrap();
    let marks: Vec<&str> = (hint["marks"].as_array().unwrap().iter())
        .map(|id| id.as_str().unwrap())
        .collect();
    // The action places at a territory.
    let place = suggested.split(' ').nth(1).unwrap();
    assert!(marks.contains(&place), "{suggested}: {hint}");
}

#[test]
fn what_is_forged_stale_or_broken_changes_nothing() {
    let folder = folder();
    let table = WebTable::start(folder.path(), TWO);
    let now = table.asked(0);
    let id = now["question"]["id"].to_string();
    let before = std::fs::read_to_string(folder.path().join("g.jsonl")).unwrap();
    let good = format!("{{\"question\":{id},\"do\":[\"place\",\"a\",1]}}");
    let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
    for row in REFUSED.trim().lines() {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let body = cells[1].replace("GOOD", &good).replace("ID", &id);
        let body = body
            .replace("LONG", &"a".repeat(20_000))
            .replace("DEEP", &deep);
        let (status, answer) = table.say(cells[0].parse().ok(), &body);
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(
            status.to_string() == cells[2]
                && answer["code"] == cells[3]
                && error.contains(cells[4]),
            "{row}: {status} {answer}"
        );
    }
    let forged = table
        .program
        .post("/say", &[("Authorization", "Bearer x")], &good);
    assert_eq!(forged.0, 401, "{}", forged.1);
    let head = format!("Bearer {}", table.tokens[0]);
    let head = [("Authorization", head.as_str())];
    assert_eq!(table.program.post("/say", &head, &good).0, 415);
    let foreign = [
        head[0],
        ("Content-Type", "application/json"),
        ("Origin", "http://evil.example"),
    ];
    assert_eq!(table.program.post("/say", &foreign, &good).0, 403);
    assert_eq!(table.program.as_host("evil.example", "/now"), 403);
    assert_eq!(table.get(Some(0), "/now?before=1").0, 400);
    assert_eq!(table.get(Some(0), "/replay").0, 404);
    assert_eq!(table.now(Some(0), 0), now, "nothing has changed");
    let after = std::fs::read_to_string(folder.path().join("g.jsonl")).unwrap();
    assert_eq!(before, after);
    assert_eq!(table.say(Some(0), &good).0, 200);
    assert_eq!(table.say(Some(0), &good).0, 409, "it is answered");
    table.ends();
}

#[test]
fn a_page_that_comes_back_finds_everything_and_a_game_is_taken_up_again() {
    let folder = folder();
    let line = "-r warzone -m tiny.yaml --bot human --bot outnumber --seed 2 --record g.jsonl";
    let table = WebTable::start(folder.path(), line);
    let first = table.asked(0);
    let place = |now: &Value, armies: i32| {
        let at = now["question"]["options"][0]["parameters"][0][0].clone();
        table.says(0, now, "do", json!(["place", at, armies]))
    };
    assert_eq!(place(&first, 1).0, 200);
    let second = table.asked(0);
    assert_eq!(place(&second, 2).0, 200);
    let third = table.asked(0);
    assert_eq!(third["orders"].as_array().unwrap().len(), 2);
    assert_eq!(
        table.now(Some(0), 0),
        third,
        "whoever loads the page again sees the same"
    );
    assert_eq!(table.says(0, &third, "retract", json!(0)).0, 200);
    let fourth = table.asked(0);
    assert_eq!(fourth["orders"], json!([third["orders"][1]]));
    let id = |now: &Value| now["question"]["id"].as_u64();
    assert!(
        id(&fourth) > id(&third),
        "an old question is never open again"
    );
    assert_eq!(table.says(0, &fourth, "undo", json!(true)).0, 200);
    let fifth = table.asked(0);
    assert_eq!(values(&fifth), values(&first));
    assert_eq!(place(&fifth, 3).0, 200);
    let orders = table.asked(0)["orders"].clone();
    table.ends();
    let again = WebTable::start(folder.path(), "--resume g.jsonl");
    assert_eq!(again.asked(0)["orders"], orders);
    again.ends();
}

#[test]
fn nothing_hidden_is_told_to_anybody_else() {
    let folder = folder();
    let line = "-m tiny.yaml --bot name=ann,bot=human --bot name=bob,bot=human -p 3 --seed 3 \
                --record g.jsonl -o max_turns=60";
    let table = WebTable::start(folder.path(), line);
    let mut cards = 0;
    for _ in 0..2_000 {
        let all = [
            table.now(Some(0), 0),
            table.now(Some(1), 0),
            table.now(None, 0),
        ];
        for (viewer, now) in all.iter().enumerate() {
            for other in (0..2).filter(|&other| other != viewer) {
                // The hand is a pile of each of three players and the table.
                let hand = hand_of(&all[other], other);
                let own = hand.as_array().expect("an own hand is seen").len();
                cards += own;
                assert!(
                    hand_of(now, other).is_number(),
                    "{viewer} is told {other}'s cards: {now}"
                );
            }
        }
        let Some(asked) = (0..2).find(|&seat| !all[seat]["question"].is_null()) else {
            if !all[0]["end"].is_null() {
                break;
            }
            continue;
        };
        // Only this test answers for the seat, so the question is still open.
        assert_eq!(table.says(asked, &all[asked], "auto", json!(true)).0, 200);
    }
    assert!(cards > 4, "{cards} cards were in hands");
    table.ends();
}

/// The guide names each key of `GET /game` that line-JSON doesn't have.
#[test]
fn the_guide_names_all_keys_of_a_game() {
    let guide = include_str!("../../docs/play.md");
    let row = guide
        .lines()
        .find(|line| line.starts_with("| `GET /game` |"));
    let row = row.unwrap();
    let protocol = include_str!("../../docs/protocol.md");
    let folder = folder();
    let line = "-m tiny.yaml --bot name=ann,bot=human --bot outnumber --seed 3 --record g.jsonl";
    let table = WebTable::start(folder.path(), line);
    let of_seats: [&[&str]; 2] = [&["adviser", "record"], &[]];
    for (viewer, more) in [Some(0), None].into_iter().zip(of_seats) {
        let game: Value = serde_json::from_str(&table.get(viewer, "/game").1).unwrap();
        let game = game.as_object().unwrap();
        for key in game.keys() {
            let quoted = format!("`{key}`");
            let known = protocol.contains(&quoted) || protocol.contains(&format!("\"{key}\""));
            assert!(known || row.contains(&quoted), "{key}");
        }
        for key in ["takeback", "commitment", "odds"].iter().chain(more) {
            assert!(game.contains_key(*key), "{key}");
            assert!(row.contains(&format!("`{key}`")), "{key}");
        }
        assert_eq!(game.contains_key("adviser"), viewer.is_some());
    }
    table.ends();
}

/// A held key or a reloading page may ask as often as it can.
#[test]
fn a_page_is_never_refused_for_asking_often() {
    let folder = folder();
    let line = "-m tiny.yaml --bot human --bot random --bot random -p 3 --seed 1";
    let table = WebTable::start(folder.path(), line);
    assert!((0..1_500).all(|_| table.get(Some(0), "/game").0 == 200));
}

/// All viewers get the commitment to the dice before the first question, and seed and salt only
/// after the game. The record matches the commitment, also in a resumed game.
#[test]
fn dice_are_settled_before_people_play() {
    let folder = folder();
    let line = "-m tiny.yaml --bot name=ann,bot=human --bot name=bob,bot=human -p 3 \
                --record g.jsonl -o max_turns=30";
    let viewers = [Some(0), Some(1), None];
    let mut table = WebTable::start(folder.path(), line);
    let mut told = Vec::new();
    let mut said = String::new();
    let end = loop {
        let all = viewers.map(|viewer| table.now(viewer, 0));
        if !all[0]["end"].is_null() {
            break all;
        }
        // The game may end between two looks.
        let under_way = all.iter().filter(|now| now["end"].is_null());
        said.extend(under_way.map(Value::to_string));
        for viewer in viewers {
            said += &table.get(viewer, "/").1;
            let game: Value = serde_json::from_str(&table.get(viewer, "/game").1).unwrap();
            told.push(game["commitment"].as_str().unwrap().to_owned());
            said += &game.to_string();
        }
        if told.len() == 30 {
            table.ends();
            table = WebTable::start(folder.path(), "--resume g.jsonl");
            continue;
        }
        if let Some(asked) = (0..2).find(|&seat| !all[seat]["question"].is_null()) {
            assert_eq!(table.says(asked, &all[asked], "auto", json!(true)).0, 200);
        }
    };
    assert!(told.len() > 30, "{} looks", told.len());
    let record = std::fs::read_to_string(folder.path().join("g.jsonl")).unwrap();
    let header: Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    for it in &told {
        assert_eq!(header["commitment"], it.as_str());
    }
    for key in ["seed", "salt"] {
        let secret = header[key].as_str().unwrap();
        assert!(secret.len() > 20 && !said.contains(secret), "{key}");
        assert!(end.iter().all(|now| now["end"][key] == secret), "{key}");
    }
    table.ends();
    let verified = run_in(folder.path(), &words("replay --verify g.jsonl"));
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    assert!(verified.out.contains(&told[0]), "{}", verified.out);
}

/// The user who opens the table chooses what spectators see; a view of what is hidden from players
/// takes a link of its own.
#[test]
fn spectators_see_what_was_chosen_for_them() {
    let folder = folder();
    let start = |onlookers: &str| {
        let line = "-r warlight2 -m four-corners --bot name=ann,bot=human --bot name=bob,bot=human \
                    --seed 3 --record g.jsonl --force";
        WebTable::start(folder.path(), &format!("{line} --onlookers {onlookers}"))
    };
    let hidden = |now: &Value| {
        let [lands, ..] = values(now);
        lands.values().filter(|land| land[1] == -1).count()
    };
    for (onlookers, has_link) in [
        ("public", false),
        ("none", false),
        ("all", true),
        ("2", true),
    ] {
        let table = start(onlookers);
        let asked = table.asked(0);
        assert!(hidden(&asked) > 0, "there is fog");
        assert_eq!(
            table.tokens.len() == 3,
            has_link,
            "{}",
            table.program.said()
        );
        let (status, text) = table.get(None, "/now");
        assert_eq!(status == 200, onlookers == "public", "{onlookers}: {text}");
        assert_eq!(table.get(None, "/game").0, status);
        assert_eq!(table.get(None, "/replay").0 == 401, status == 401);
        if has_link {
            let seen = table.now(Some(2), 0);
            let of_bob = table.now(Some(1), 0);
            let game: Value = serde_json::from_str(&table.get(Some(2), "/game").1).unwrap();
            assert_eq!(game["you"], Value::Null);
            assert_eq!(table.says(2, &asked, "say", json!("done")).0, 401);
            assert!(seen["question"].is_null());
            match onlookers {
                "all" => assert_eq!(hidden(&seen), 0),
                _ => assert_eq!(seen["timeline"], of_bob["timeline"]),
            }
        }
        table.ends();
    }
    let line =
        "play --web -r warlight2 -m four-corners --bot human --bot random --seed 3 --onlookers";
    for wrong in ["3", "0", "ann", "-1"] {
        let words = [crate::support::words(line), vec![wrong]].concat();
        assert_eq!(
            crate::support::run_in(folder.path(), &words).code,
            2,
            "{wrong}"
        );
    }
}

/// Returns the territories, numbers and piles after all frames of a sheet, by place.
pub(crate) fn values(now: &Value) -> [BTreeMap<u64, Value>; 3] {
    let frames = now["timeline"]["frames"].as_array().unwrap();
    ["l", "n", "p"].map(|key| {
        let changes = frames.iter().filter_map(|frame| frame[key].as_array());
        let value = |change: &Value| match change.as_array().unwrap().as_slice() {
            [at, value] => (at.as_u64().unwrap(), value.clone()),
            [at, land @ ..] => (at.as_u64().unwrap(), json!(land)),
            [] => panic!("an empty change"),
        };
        changes.flatten().map(value).collect()
    })
}

/// Returns a player's hand, or its number of cards, in a game of hasbro with three players.
fn hand_of(now: &Value, player: usize) -> Value {
    let [.., piles] = values(now);
    piles[&(HAND * 4 + player as u64)].clone()
}

/// The place of `hand` among the piles that hasbro declares.
const HAND: u64 = 2;

/// Incomplete requests don't keep complete ones out: of the waiting heads and bodies, the oldest is
/// dropped.
#[test]
fn half_written_requests_shut_nobody_out() {
    let folder = folder();
    let table = WebTable::start(
        folder.path(),
        "-r codelab -m tiny.yaml --bot human --seed 1 --bot random",
    );
    let before = table.asked(0);
    let heads = [
        "GET /now HTTP/1.1\r\nHost: 127",
        "POST /say HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{",
    ];
    // More connections than one address may have.
    let half = |number: usize| {
        let mut stream = TcpStream::connect(&table.program.address).unwrap();
        stream.write_all(heads[number % 2].as_bytes()).unwrap();
        stream
    };
    let waiting: Vec<TcpStream> = (0..300).map(half).collect();
    assert_eq!(table.get(None, "/").0, 200);
    assert_eq!(table.asked(0), before);
    drop(waiting);
}
