//! `bot serve`: our bots as servers, asked by hand and by our own arena.

use serde_json::{Value, json};

use crate::programs::Program;
use crate::support::{TINY, run_in, without_sum, words};
use crate::web::{modest, reply, server};

/// A state on the small map, written by hand: owners and troops of a to f, then what is asked.
fn state(lands: [(&str, i64); 6], you: Value, turn: i64) -> Value {
    let countries: serde_json::Map<String, Value> = ["a", "b", "c", "d", "e", "f"]
        .iter()
        .zip(lands)
        .map(|(name, (owner, troops))| {
            (
                (*name).to_owned(),
                json!({ "owner": owner, "troops": troops }),
            )
        })
        .collect();
    let player =
        |cards: usize| json!({ "cards": cards, "is_eliminated": false, "is_neutral": false });
    let cards = you["cards"].as_array().map_or(0, Vec::len);
    let mut you = you;
    for (key, value) in [
        ("name", json!("me")),
        ("is_eliminated", json!(false)),
        ("earned_cards_this_turn", json!(false)),
        ("countries", json!([])),
    ] {
        you[key] = value;
    }
    json!({
        "game": {
            "countries": countries, "players": { "x": player(1), "me": player(cards), "y": player(0) },
            "cards_left": 3, "turn": turn, "uid": "u1", "last_action": "", "broadcast_count": 0,
        },
        "you": you,
    })
}

/// Every kind of question, where only one answer is right.
#[test]
fn a_served_bot_answers_in_the_words_of_the_protocol() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.yaml"), TINY).unwrap();
    let bot = Program::bot(folder.path(), "outnumber --map ./tiny.yaml");
    let ask = |state: &Value| -> Value {
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("risk", &state.to_string())
            .finish();
        let answers = [
            state.to_string(),
            json!({ "risk": state }).to_string(),
            form,
        ]
        .map(|body| bot.post("/turn", &[], &body));
        assert_eq!(answers[0], answers[1], "raw and wrapped");
        assert_eq!(answers[0], answers[2], "raw and form");
        assert_eq!(answers[0].0, 200, "{}", answers[0].1);
        serde_json::from_str(&answers[0].1).unwrap()
    };
    let own = [("x", 1), ("me", 1), ("x", 1), ("y", 1), ("y", 1), ("x", 1)];
    let free = [
        ("x", 1),
        ("me", 1),
        ("x", 1),
        ("y", 1),
        ("none", 0),
        ("x", 1),
    ];
    let none = json!([]);
    let claim = state(
        free,
        json!({ "cards": none, "troops_to_deploy": 1, "available_actions": ["choose_country"] }),
        0,
    );
    assert_eq!(
        ask(&claim),
        json!({ "action": "choose_country", "data": "e" })
    );
    let place = state(
        own,
        json!({ "cards": none, "troops_to_deploy": 1, "available_actions": ["deploy_troops"] }),
        0,
    );
    assert_eq!(
        ask(&place),
        json!({ "action": "deploy_troops", "data": { "b": 1 } })
    );
    let deploy = state(
        own,
        json!({ "cards": none, "troops_to_deploy": 7, "available_actions": ["deploy_troops"] }),
        4,
    );
    assert_eq!(
        ask(&deploy),
        json!({ "action": "deploy_troops", "data": { "b": 7 } })
    );
    // The country of the first card is the player's own; that is the card that gets two troops.
    let hand = json!([
        { "country_name": "a", "value": "soldier" },
        { "country_name": "b", "value": "horse" },
        { "country_name": "c", "value": "cannon" },
    ]);
    let spend = state(
        own,
        json!({ "cards": hand, "troops_to_deploy": 0, "available_actions": ["spend_cards"] }),
        4,
    );
    assert_eq!(
        ask(&spend),
        json!({ "action": "spend_cards", "data": ["b", "a", "c"] })
    );
    let both = ["attack", "end_attack_phase"];
    let strong = [
        ("x", 1),
        ("me", 9),
        ("me", 1),
        ("me", 1),
        ("me", 1),
        ("me", 1),
    ];
    let attack = state(
        strong,
        json!({ "cards": none, "troops_to_deploy": 0, "available_actions": both }),
        4,
    );
    let said = ask(&attack);
    assert_eq!(said["action"], "attack");
    let data = &said["data"];
    assert_eq!(
        (&data["attacking_country"], &data["defending_country"]),
        (&"b".into(), &"a".into())
    );
    assert_eq!(data["attacking_troops"], 3);
    assert!(
        (0..=5).contains(&data["moving_troops"].as_i64().unwrap()),
        "{data}"
    );
    let weak = state(
        own,
        json!({ "cards": none, "troops_to_deploy": 0, "available_actions": both }),
        4,
    );
    assert_eq!(ask(&weak), json!({ "action": "end_attack_phase" }));
    let idle = state(
        own,
        json!({ "cards": none, "troops_to_deploy": 0, "available_actions": ["reinforce", "end_turn"] }),
        4,
    );
    assert_eq!(
        ask(&idle),
        json!({ "action": "end_turn" }),
        "there is nothing to reinforce"
    );
    assert_eq!(bot.post("/not_turn", &[], &weak.to_string()).0, 200);
    refused(&bot, &claim, &spend);
    assert_eq!(bot.post("/turn", &[], &"x".repeat(2 << 20)).0, 413);
    assert_eq!(bot.post("/elsewhere", &[], "").0, 404);
    assert_eq!(ask(&claim)["data"], "e");
    // Pages elsewhere whose name leads here are not answered.
    assert_eq!(bot.as_host("elsewhere.example", "/status"), 403);
}

/// What can't be read is told, and the bot goes on.
fn refused(bot: &Program, claim: &Value, spend: &Value) {
    let mut crowd = claim.clone();
    for number in 0..40 {
        crowd["game"]["players"][format!("p{number}")] = crowd["game"]["players"]["x"].clone();
    }
    let mut lost = claim.clone();
    lost["game"]["countries"]
        .as_object_mut()
        .unwrap()
        .remove("c");
    for (body, text) in [
        (String::new(), "the request is not JSON"),
        ("risk=%7B".to_owned(), "the request is not JSON"),
        ("[]".to_owned(), "the state has no object `game.players`"),
        (
            claim.to_string().replace("\"me\",", "\"who\","),
            "`you.name` is not among `game.players`",
        ),
        (
            lost.to_string(),
            "the state has no country `c`: is it another map?",
        ),
        (crowd.to_string(), "players"),
        (
            claim
                .to_string()
                .replace("\"turn\":0", "\"turn\":0,\"turn\":0"),
            "the key `turn` stands twice",
        ),
        (
            claim.to_string().replace("\"choose_country\"", ""),
            "`you.available_actions` offers nothing",
        ),
        (
            claim.to_string().replace("\"choose_country\"", "7"),
            "`you.available_actions` offers nothing",
        ),
        (
            spend
                .to_string()
                .replace("\"country_name\":\"c\"", "\"country_name\":\"b\""),
            "there is no card `b`, or it is twice",
        ),
        (
            claim.to_string().replace("\"troops\":1", "\"troops\":-1"),
            "`troops` is not a whole number from 0",
        ),
        (
            claim
                .to_string()
                .replace("\"cards_left\":3", "\"cards_left\":300"),
            "`game.cards_left` is not a whole number",
        ),
    ] {
        let (status, said) = bot.post("/turn", &[], &body);
        assert!(
            status == 400 && said.contains(text),
            "{text}: {status} {said}"
        );
    }
}

/// What our rules don't allow is answered all the same, when an arena of the callback protocol asks
/// for it.
#[test]
fn a_served_bot_answers_callbacks_that_our_rules_do_not_have() {
    let folder = tempfile::tempdir().unwrap();
    let bot = Program::bot(
        folder.path(),
        "outnumber --protocol callback --map grid:2x1 --name me",
    );
    let place = |column: i64| json!({ "row": 0, "column": column });
    let side = |column: i64, armies: i64| json!({ "location": place(column), "armies": armies });
    let cell = |column: i64, (owner, armies): (&str, i64)| json!({ "location": place(column), "ownerName": owner, "armies": armies });
    let board = |a: (&str, i64), b: (&str, i64)| json!([cell(0, a), cell(1, b)]);
    let (fight, taken) = (board(("you", 1), ("me", 4)), board(("you", 2), ("me", 1)));
    for (path, body, answer) in [
        (
            "/beginAttack",
            json!({ "board": board(("you", 1), ("me", 1)) }),
            json!({}),
        ),
        (
            "/beginAttack",
            json!({ "board": board(("me", 1), ("me", 7)), "status": 0 }),
            json!({}),
        ),
        (
            "/continueAttack",
            json!({ "board": board(("me", 1), ("me", 7)) }),
            json!({ "continueAttack": false }),
        ),
        (
            "/continueAttacking",
            json!({ "board": fight, "attackingTerritorry": side(0, 1), "defendingTerritorry": side(1, 4) }),
            json!({ "continueAttacking": false }),
        ),
        (
            "/placeArmy",
            json!({ "board": board(("you", 1), ("you", 1)), "armiesRemaining": 1 }),
            place(0),
        ),
        (
            "/placeArmy",
            json!({ "board": taken, "armiesRemaining": 0 }),
            place(1),
        ),
    ] {
        let (status, text) = bot.post(path, &[], &body.to_string());
        assert_eq!(
            (status, serde_json::from_str::<Value>(&text).ok()),
            (200, Some(answer)),
            "{path} {body}: {text}"
        );
    }
    // After a new start of the bot nobody knows what was attacked.
    let fresh = Program::bot(
        folder.path(),
        "outnumber --protocol callback --map grid:2x1 --name me",
    );
    let body = json!({ "board": fight }).to_string();
    assert_eq!(
        fresh.post("/continueAttack", &[], &body),
        (200, r#"{"continueAttack":false}"#.to_owned())
    );
}

/// Whatever an arena offers is answered with something that it offered: rules differ. Land and
/// armies of a to f, the cards in the hand, what is offered, and the answer that is right, or its
/// action where there are several.
#[test]
fn a_served_bot_answers_with_what_is_offered() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.yaml"), TINY).unwrap();
    let own = [("x", 1), ("me", 1), ("x", 1), ("y", 1), ("y", 1), ("x", 1)];
    let strong = [("x", 1), ("me", 9), ("me", 3), ("y", 1), ("y", 1), ("x", 1)];
    let mine = [("me", 2); 6];
    let gone = [("x", 1), ("x", 1), ("x", 1), ("y", 1), ("y", 1), ("x", 1)];
    let none: &[&str] = &[];
    // Soldier, horse, soldier, horse: no set by our rules, and one for the old arena.
    let pairs = &["a", "b", "d", "e"][..];
    let act = |action: &str| json!({ "action": action });
    let rows = [
        (own, pairs, 0, &["spend_cards", "pass"][..], act("pass")),
        (own, none, 0, &["spend_cards", "pass"], act("pass")),
        (own, none, 0, &["pass"], act("pass")),
        (
            own,
            pairs,
            0,
            &["spend_cards"],
            json!({ "action": "spend_cards", "data": ["a", "b", "d"] }),
        ),
        (
            own,
            &["a", "d"],
            0,
            &["spend_cards"],
            json!({ "action": "spend_cards", "data": ["a", "d"] }),
        ),
        (own, none, 0, &["reinforce", "end_turn"], act("end_turn")),
        (own, none, 0, &["end_turn"], act("end_turn")),
        (strong, none, 0, &["end_turn"], act("end_turn")),
        (
            strong,
            none,
            0,
            &["reinforce"],
            json!({ "action": "reinforce", "data": Value::Null }),
        ),
        (gone, none, 0, &["reinforce"], act("reinforce")),
        (
            own,
            none,
            0,
            &["attack", "end_attack_phase"],
            act("end_attack_phase"),
        ),
        (
            strong,
            none,
            0,
            &["end_attack_phase"],
            act("end_attack_phase"),
        ),
        (
            strong,
            none,
            0,
            &["attack"],
            json!({ "action": "attack", "data": Value::Null }),
        ),
        (
            own,
            none,
            0,
            &["attack"],
            json!({ "action": "attack", "data": Value::Null }),
        ),
        (mine, none, 0, &["attack"], act("attack")),
        (own, none, 0, &["attack", "end_turn"], act("end_turn")),
        (
            own,
            none,
            0,
            &["deploy_troops"],
            json!({ "action": "deploy_troops", "data": {} }),
        ),
        (
            gone,
            none,
            3,
            &["deploy_troops"],
            json!({ "action": "deploy_troops", "data": {} }),
        ),
        (
            own,
            none,
            0,
            &["choose_country"],
            json!({ "action": "choose_country", "data": "a" }),
        ),
        (own, none, 0, &["dance", "end_turn"], act("end_turn")),
        (own, none, 0, &["dance"], act("dance")),
        (own, none, 0, &["sing", "dance"], act("sing")),
    ];
    let fields = |action: &Value| {
        action
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    for bot in ["outnumber", "random", "planner", "holder"] {
        let served = Program::bot(folder.path(), &format!("{bot} --map ./tiny.yaml"));
        for (index, (lands, hand, troops, offered, wanted)) in rows.iter().enumerate() {
            let cards: Vec<Value> = hand
                .iter()
                .map(|name| json!({ "country_name": name, "value": "horse" }))
                .collect();
            let you =
                json!({ "cards": cards, "troops_to_deploy": troops, "available_actions": offered });
            let mut state = state(*lands, you, 4);
            state["game"]["uid"] = json!(format!("row {index}"));
            let (status, text) = served.post("/turn", &[], &state.to_string());
            let said: Value = serde_json::from_str(&text).unwrap_or_default();
            let right = if wanted["data"].is_null() {
                said["action"] == wanted["action"] && fields(&said) == fields(wanted)
            } else {
                said == *wanted
            };
            assert!(
                status == 200 && right,
                "{bot}, {offered:?}, {hand:?}: {status} {text}, not {wanted}"
            );
        }
        assert_eq!(
            served.said().matches("wrong").count(),
            0,
            "{}",
            served.said()
        );
    }
    // Several armies at once while the board is set up, and one land after the other up to a bound.
    let served = Program::bot(folder.path(), "random --map ./tiny.yaml");
    for (turn, troops) in [(0, 4), (7, 1_000_000)] {
        let you = json!({ "cards": [], "troops_to_deploy": troops, "available_actions": ["deploy_troops"] });
        let (status, text) = served.post("/turn", &[], &state(mine, you, turn).to_string());
        let said: Value = serde_json::from_str(&text).unwrap_or_default();
        let sum: i64 = said["data"]
            .as_object()
            .unwrap()
            .values()
            .map(|count| count.as_i64().unwrap())
            .sum();
        assert_eq!((status, sum), (200, troops), "{text}");
    }
}

/// An arena with a player called as free land is: their land is theirs, and free land is free.
#[test]
fn a_player_who_is_called_as_free_land_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.yaml"), TINY).unwrap();
    let served = Program::bot(folder.path(), "outnumber --map ./tiny.yaml");
    let lands = [
        ("x", 1),
        ("me", 1),
        ("none", 1),
        ("none", 1),
        ("none", 0),
        ("x", 1),
    ];
    let you =
        json!({ "cards": [], "troops_to_deploy": 1, "available_actions": ["choose_country"] });
    let text = state(lands, you, 0)
        .to_string()
        .replace("\"y\":{", "\"none\":{");
    assert_eq!(
        served.post("/turn", &[], &text),
        (200, r#"{"action":"choose_country","data":"e"}"#.to_owned())
    );
}

/// Whole games at one table: every bot of ours as a server, in each encoding, without a fault.
#[test]
fn our_bots_play_as_servers() {
    let folder = tempfile::tempdir().unwrap();
    let bots = ["random", "outnumber", "odds", "holder", "greedy", "planner"];
    let served: Vec<Program> = bots
        .iter()
        .map(|bot| Program::bot(folder.path(), bot))
        .collect();
    let mut line =
        "play --format json --quiet --seed 4 --option max_turns=60 --record g.jsonl".to_owned();
    for (index, (bot, served)) in bots.iter().zip(&served).enumerate() {
        let encoding = ["form", "raw", "wrapped"][index % 3];
        line.push_str(&format!(
            " --bot name={bot},bot=http://{},encoding={encoding}",
            served.address
        ));
    }
    let ran = run_in(folder.path(), &words(&line));
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    for player in value["players"].as_array().unwrap() {
        assert_eq!(player["faults"], 0, "{player}\n{}", ran.err);
    }
    assert!(value["decisions"].as_u64().unwrap() > 300);
    assert_eq!(
        run_in(folder.path(), &words("replay g.jsonl --verify")).code,
        0
    );
}

/// A bot that says with each attack how many move in: whether it is served or not, it is the same
/// game.
const COMMITS: &str = r#"
fn claim(view, ask) { ask.nth(0) }
fn muster(view, ask) { ask.nth(ask.len - 1) }
fn trade(view, ask) { ask.nth(0) }
fn deploy(view, ask) {
    for at in view.fronts { return ask.act("place", at, view.get("reserve")); }
    ask.act("place", view.owned[0], view.get("reserve"))
}
fn attack(view, ask) {
    for option in ask.most("attack") {
        let armies = view.armies(option.from);
        if armies > view.armies(option.to) + 1 {
            return [option, ask.act("move", option.from, option.to, armies - 1 - option.dice)];
        }
    }
    ask.act("done")
}
fn occupy(view, ask) { ask.nth(0) }
fn fortify(view, ask) { ask.act("done") }
"#;

#[test]
fn a_served_bot_plays_the_same_game() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("commits.rhai"), COMMITS).unwrap();
    let play = "play --quiet --seed 21 --option max_turns=200 --record";
    let here = "--bot name=a,bot=./commits.rhai --bot name=b,bot=./commits.rhai --bot name=c,bot=./commits.rhai";
    let ran = run_in(folder.path(), &words(&format!("{play} here.jsonl {here}")));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let served = Program::bot(folder.path(), "./commits.rhai");
    let at = format!("bot=http://{}", served.address);
    let there = format!(
        "--bot name=a,{at} --bot name=b,{at},encoding=raw --bot name=c,{at},encoding=wrapped"
    );
    let ran = run_in(
        folder.path(),
        &words(&format!("{play} there.jsonl {there}")),
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let read = |file: &str| {
        let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
        text.lines()
            .skip(1)
            .map(|line| without_sum(line).to_owned())
            .collect::<Vec<_>>()
    };
    let (here, there) = (read("here.jsonl"), read("there.jsonl"));
    assert!(here.len() > 300, "{}", here.len());
    assert_eq!(here, there);
}

#[test]
fn what_can_not_be_served_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("bad.rhai"),
        "fn answer(view, ask) { ask.randm() }",
    )
    .unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    for (line, text) in [
        (
            "nobody --port 0".to_owned(),
            "there is no bot named `nobody`",
        ),
        (
            "./bad.rhai --port 0".to_owned(),
            "there is no method `randm`",
        ),
        (
            "greedy --port 0 --ruleset warzone".to_owned(),
            "warzone can't be played over this protocol",
        ),
        (
            "http://127.0.0.1:1 --port 0".to_owned(),
            "is served already",
        ),
        (format!("greedy --port {port}"), "can't listen on 127.0.0.1"),
    ] {
        let ran = run_in(folder.path(), &words(&format!("bot serve {line}")));
        assert!(
            ran.code == 2 && ran.err.contains(text),
            "{line}: {} {}",
            ran.code,
            ran.err
        );
    }
}

/// What an arena of the callback protocol asks, on a board of two cells, where only one answer is
/// right.
#[test]
fn a_served_bot_answers_callbacks_in_both_dialects() {
    let folder = tempfile::tempdir().unwrap();
    let bot = Program::bot(
        folder.path(),
        "outnumber --protocol callback --map grid:2x1 --name me",
    );
    let cell = |column: i64, owner: Value, armies: i64| json!({ "location": { "row": 0, "column": column }, "ownerName": owner, "armies": armies });
    let board = |a: (Value, i64), b: (Value, i64)| json!([cell(0, a.0, a.1), cell(1, b.0, b.1)]);
    let (me, you, none) = (|| json!("me"), || json!("you"), || Value::Null);
    let place = |column: i64| json!({ "row": 0, "column": column });
    // The right one is mine; free land comes first where there is any.
    let taken = board((you(), 2), (me(), 1));
    let strong = board((you(), 2), (me(), 5));
    let fight = board((you(), 1), (me(), 4));
    let side = |column: i64, armies: i64| json!({ "location": place(column), "armies": armies });
    for (path, body, answer) in [
        (
            "/placeArmy",
            json!({ "board": board((you(), 1), (none(), 0)), "status": "Your turn", "armiesRemaining": 3 }),
            place(1),
        ),
        (
            "/placeArmy",
            json!({ "board": taken, "status": "Placement Failed. Try another territory.", "armiesRemaining": 2 }),
            place(1),
        ),
        (
            "/deployArmy",
            json!({ "board": taken, "status": 0, "armiesRemaining": 2 }),
            json!({ "desiredLocation": place(1) }),
        ),
        // Keys may be written as anybody likes.
        (
            "/deployArmy",
            json!({ "Board": taken, "Status": 1, "ArmiesRemaining": 2 }),
            json!({ "desiredLocation": place(1) }),
        ),
        (
            "/beginAttack",
            json!({ "board": strong, "status": "Your turn" }),
            json!({ "fromLocation": place(1), "toLocation": place(0) }),
        ),
        (
            "/continueAttack",
            json!({ "board": fight }),
            json!({ "continueAttack": true }),
        ),
        (
            "/beginAttack",
            json!({ "board": strong, "status": 1 }),
            json!({ "from": place(1), "to": place(0) }),
        ),
        (
            "/continueAttacking",
            json!({ "board": fight, "attackingTerritorry": side(1, 4), "defendingTerritorry": side(0, 1) }),
            json!({ "continueAttacking": true }),
        ),
        (
            "/continueAttacking",
            json!({ "board": board((you(), 6), (me(), 2)), "attackingTerritorry": side(1, 2), "defendingTerritorry": side(0, 6) }),
            json!({ "continueAttacking": false }),
        ),
    ] {
        let (status, text) = bot.post(path, &[], &body.to_string());
        assert_eq!(
            (status, serde_json::from_str::<Value>(&text).ok()),
            (200, Some(answer)),
            "{path} {body}: {text}"
        );
    }
    assert_eq!(bot.post("/gameOver", &[], "{}").0, 200);
    for (path, body, text) in [
        ("/placeArmy", "".to_owned(), "the request is not JSON"),
        (
            "/placeArmy",
            "[]".to_owned(),
            "the request is not a JSON object",
        ),
        (
            "/placeArmy",
            json!({ "armiesRemaining": 1 }).to_string(),
            "the request has no list `board`",
        ),
        (
            "/placeArmy",
            json!({ "board": taken }).to_string(),
            "`armiesRemaining` is not a whole number",
        ),
        (
            "/beginAttack",
            json!({ "board": [cell(0, me(), 3)] }).to_string(),
            "the board has 1 cells, and the map 2",
        ),
        (
            "/beginAttack",
            json!({ "board": [cell(7, me(), 3)] }).to_string(),
            "is it another map?",
        ),
        (
            "/beginAttack",
            json!({ "board": [cell(0, me(), 3), cell(0, me(), 3)] }).to_string(),
            "stands twice",
        ),
        (
            "/beginAttack",
            json!({ "board": [cell(0, me(), -3)] }).to_string(),
            "`armies` is not a whole number",
        ),
        (
            "/continueAttacking",
            json!({ "board": fight }).to_string(),
            "no `attackingTerritorry` with a `location`",
        ),
    ] {
        let (status, said) = bot.post(path, &[], &body);
        assert!(
            status == 400 && said.contains(text),
            "{path} {body}: {status} {said}"
        );
    }
    assert_eq!(bot.post("/elsewhere", &[], "{}").0, 404);
}

/// A bot that registers itself plays; one that is not taken says why, and ends.
#[test]
fn served_bots_join_arenas() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
    let arena = Program::arena(
        folder.path(),
        "--protocol hacker-risk --players 3 --bot random -o max_turns=20",
    );
    let _bots = ["ann", "bob"].map(|name| {
        Program::bot(
            folder.path(),
            &format!("greedy --name {name} --join http://{}", arena.address),
        )
    });
    arena.waits_for("match 1: ");
    assert!(arena.said().contains("ann joins match 1"));
    let callback = Program::arena(
        folder.path(),
        "--protocol callback --secret-file secret --option armies=5",
    );
    let _callers = ["seed", "snow"].map(|dialect| {
        Program::bot(
            folder.path(),
            &format!(
                "odds --protocol callback --name {dialect} --dialect {dialect} --join http://{}",
                callback.address
            ),
        )
    });
    callback.waits_for("seed joins match 1");
    callback.waits_for("snow joins match 1");
    let (status, text) = callback.post(
        "/startgame",
        &[],
        &json!({ "secretCode": "correct-horse" }).to_string(),
    );
    assert!(
        status == 200 && text.contains("nobody can attack any more"),
        "{text}"
    );
    for (line, text) in [
        (
            format!("--join http://{} --name {}", arena.address, "n".repeat(31)),
            "a player's name has 1 to 30 characters",
        ),
        (
            "--join http://127.0.0.1:1".to_owned(),
            "nobody listens there",
        ),
        (
            "--join 127.0.0.1:1".to_owned(),
            "`127.0.0.1:1` is no address",
        ),
        (
            "--join http://127.0.0.1:1 --listen 0.0.0.0".to_owned(),
            "say with --address how it reaches this machine",
        ),
        (
            "--join http://127.0.0.1:1 --dialect snow".to_owned(),
            "hacker-risk has no dialects",
        ),
        ("--dialect snow".to_owned(), "--join"),
    ] {
        let ran = run_in(
            folder.path(),
            &words(&format!("bot serve greedy --port 0 {line}")),
        );
        let told = words(&ran.err).join(" ").replace(" │", "");
        assert!(
            ran.code == 2 && told.contains(text),
            "{line}: {} {told}",
            ran.code
        );
    }
}

/// The arena of Hacker Risk draws who begins, from the seed and for each match; the other one goes
/// by joining.
#[test]
fn seats_are_drawn_for_each_match() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "correct-horse").unwrap();
    for (line, drawn) in [
        ("--protocol hacker-risk -o max_turns=1", true),
        ("--protocol hacker-risk -o max_turns=1 --seats fixed", false),
        (
            "--protocol callback --secret-file secret -o armies=1 --timeout 1",
            false,
        ),
    ] {
        let arena = || {
            Program::arena(
                folder.path(),
                &format!("{line} --players 3 --bot random --seed 3 --rate 1000"),
            )
        };
        let (first, second) = (arena(), arena());
        let orders: Vec<String> = (1..=5).map(|number| seated(&first, line, number)).collect();
        let different: std::collections::BTreeSet<&String> = orders.iter().collect();
        assert_eq!(different.len() > 1, drawn, "{line}: {orders:?}");
        assert!(
            drawn || orders[0] == "ann, bob, random",
            "{line}: {orders:?}"
        );
        assert_eq!(
            seated(&second, line, 1),
            orders[0],
            "{line}: the seed draws the seats"
        );
    }
}

/// Two join an arena, and a match is played; who sits where in it.
fn seated(arena: &Program, line: &str, number: u32) -> String {
    let callback = line.contains("callback");
    for name in ["ann", "bob"] {
        let url = server(|request, stream| {
            let asked = request.path == "/turn";
            reply(
                stream,
                &if asked {
                    modest(&request.state()).to_string()
                } else {
                    String::new()
                },
            );
        });
        let key = if callback { "callback" } else { "url" };
        let (status, text) =
            arena.post("/join", &[], &json!({ "name": name, key: url }).to_string());
        assert_eq!(status, 200, "{text}");
    }
    if callback {
        let (status, text) = arena.post(
            "/startgame",
            &[],
            &json!({ "secretCode": "correct-horse" }).to_string(),
        );
        assert_eq!(status, 200, "{text}");
    }
    arena.waits_for(&format!("match {number}: "));
    let (said, begins) = (arena.said(), format!("match {number} begins: "));
    said.lines()
        .find_map(|line| line.strip_prefix(&begins))
        .unwrap()
        .to_owned()
}

/// Without a limit on strikes a bot is asked again, until there are as many faults as a game may
/// have.
#[test]
fn an_arena_may_ask_again_without_end() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("never.rhai"),
        "fn answer(view, ask) { throw \"no\" }\n",
    )
    .unwrap();
    let line = "--protocol hacker-risk --players 3 --bot ./never.rhai --bot random --seed 3 --seats fixed --strikes 0 --records games";
    let arena = Program::arena(folder.path(), line);
    let _bot = Program::bot(
        folder.path(),
        &format!("greedy --name ann --join http://{}", arena.address),
    );
    arena.waits_for("match 1: ");
    assert!(
        arena.said().contains("the limit on faults"),
        "{}",
        arena.said()
    );
    let record = std::fs::read_to_string(folder.path().join("games/match-00001.jsonl")).unwrap();
    assert!(
        record.contains("\"strikes\":{\"limit\":0,")
            && record.contains("\"reason\":\"fault-limit\"")
    );
    assert_eq!(
        record.matches("\"line\":\"fault\"").count() as u64,
        risk_cli::kernel::MOST_FAULTS
    );
    let ran = run_in(
        folder.path(),
        &words("serve --protocol hacker-risk --strikes 1001"),
    );
    assert!(
        ran.code == 2 && ran.err.contains("1001 is not in 0..=1000"),
        "{}",
        ran.err
    );
}
