//! Hacker Risk: written requests, and the answers of a served bot.

use risk_testing::games::TINY;
use serde_json::{Value, json};

use crate::server::Server;

/// Builds a state on the small map: owners and troops of a to f, then `you` and the turn.
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

fn on_the_small_map(line: &str) -> (tempfile::TempDir, Server) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.yaml"), TINY).unwrap();
    let bot = Server::bot(folder.path(), &format!("{line} --map ./tiny.yaml"));
    (folder, bot)
}

/// Returns the bot's answer to a state, and checks that each encoding gets the same.
fn ask(bot: &Server, state: &Value) -> Value {
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
}

type Lands = [(&'static str, i64); 6];

const OWN: Lands = [("x", 1), ("me", 1), ("x", 1), ("y", 1), ("y", 1), ("x", 1)];

/// Builds a state with these cards, troops to place and available actions.
fn asked(lands: Lands, cards: &Value, troops: i64, offered: &[&str], turn: i64) -> Value {
    let you = json!({ "cards": cards, "troops_to_deploy": troops, "available_actions": offered });
    state(lands, you, turn)
}

/// Only one country is free, and it must be chosen.
fn claim() -> Value {
    let free = [
        ("x", 1),
        ("me", 1),
        ("x", 1),
        ("y", 1),
        ("none", 0),
        ("x", 1),
    ];
    asked(free, &json!([]), 1, &["choose_country"], 0)
}

/// A set must be spent. The player owns the country of its second card, not that of its first.
fn spend() -> Value {
    let hand = json!([
        { "country_name": "a", "value": "soldier" },
        { "country_name": "b", "value": "horse" },
        { "country_name": "c", "value": "cannon" },
    ]);
    asked(OWN, &hand, 0, &["spend_cards"], 4)
}

/// Every kind of question with exactly one right answer.
#[test]
fn a_served_bot_answers_in_the_words_of_the_protocol() {
    let (_folder, bot) = on_the_small_map("outnumber");
    let none = json!([]);
    let both = ["attack", "end_attack_phase"];
    let rows = [
        (claim(), json!({ "action": "choose_country", "data": "e" })),
        (
            asked(OWN, &none, 1, &["deploy_troops"], 0),
            json!({ "action": "deploy_troops", "data": { "b": 1 } }),
        ),
        (
            asked(OWN, &none, 7, &["deploy_troops"], 4),
            json!({ "action": "deploy_troops", "data": { "b": 7 } }),
        ),
        // The card of an own country comes first: that country gets two troops.
        (
            spend(),
            json!({ "action": "spend_cards", "data": ["b", "a", "c"] }),
        ),
        (
            asked(OWN, &none, 0, &both, 4),
            json!({ "action": "end_attack_phase" }),
        ),
        (
            asked(OWN, &none, 0, &["reinforce", "end_turn"], 4),
            json!({ "action": "end_turn" }),
        ),
    ];
    for (state, wanted) in rows {
        assert_eq!(ask(&bot, &state), wanted, "{state}");
    }
    let strong = [
        ("x", 1),
        ("me", 9),
        ("me", 1),
        ("me", 1),
        ("me", 1),
        ("me", 1),
    ];
    let said = ask(&bot, &asked(strong, &none, 0, &both, 4));
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
}

#[test]
fn a_served_bot_goes_on_after_what_it_can_not_read() {
    let (_folder, bot) = on_the_small_map("outnumber");
    let weak = asked(OWN, &json!([]), 0, &["attack", "end_attack_phase"], 4);
    assert_eq!(bot.post("/not_turn", &[], &weak.to_string()).0, 200);
    refused(&bot, &claim(), &spend());
    assert_eq!(bot.post("/turn", &[], &"x".repeat(2 << 20)).0, 413);
    assert_eq!(bot.post("/elsewhere", &[], "").0, 404);
    assert_eq!(ask(&bot, &claim())["data"], "e");
    // A `Host` header of another site is refused.
    assert_eq!(bot.as_host("elsewhere.example", "/status"), 403);
}

/// Checks that an unreadable request gets an error, and that the bot goes on.
fn refused(bot: &Server, claim: &Value, spend: &Value) {
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
        (String::new(), "JSON"),
        ("risk=%7B".to_owned(), "JSON"),
        ("[]".to_owned(), "`game.players`"),
        (
            claim.to_string().replace("\"me\",", "\"who\","),
            "`you.name`",
        ),
        (lost.to_string(), "`c`"),
        (crowd.to_string(), "players"),
        (
            claim
                .to_string()
                .replace("\"turn\":0", "\"turn\":0,\"turn\":0"),
            "`turn`",
        ),
        (
            claim.to_string().replace("\"choose_country\"", ""),
            "`you.available_actions`",
        ),
        (
            claim.to_string().replace("\"choose_country\"", "7"),
            "`you.available_actions`",
        ),
        (
            spend
                .to_string()
                .replace("\"country_name\":\"c\"", "\"country_name\":\"b\""),
            "`b`",
        ),
        (
            claim.to_string().replace("\"troops\":1", "\"troops\":-1"),
            "`troops`",
        ),
        (
            claim
                .to_string()
                .replace("\"cards_left\":3", "\"cards_left\":300"),
            "`game.cards_left`",
        ),
    ] {
        let (status, said) = bot.post("/turn", &[], &body);
        assert!(
            status == 400 && said.contains(text),
            "{text}: {status} {said}"
        );
    }
}

const STRONG: Lands = [("x", 1), ("me", 9), ("me", 3), ("y", 1), ("y", 1), ("x", 1)];

const MINE: Lands = [("me", 2); 6];

const GONE: Lands = [("x", 1), ("x", 1), ("x", 1), ("y", 1), ("y", 1), ("x", 1)];

const NONE: &[&str] = &[];

/// Soldier, horse, soldier, horse: no set by our rules, and a set in the old arena.
const PAIRS: &[&str] = &["a", "b", "d", "e"];

/// Owners and armies of a to f, the cards in the hand, troops to place, the available actions, and
/// the right answer, or its action where several answers are right.
type OfferCase = (
    Lands,
    &'static [&'static str],
    i64,
    &'static [&'static str],
    Value,
);

fn act(action: &str) -> Value {
    json!({ "action": action })
}

fn offered_cards() -> Vec<OfferCase> {
    vec![
        (OWN, PAIRS, 0, &["spend_cards", "pass"], act("pass")),
        (OWN, NONE, 0, &["spend_cards", "pass"], act("pass")),
        (OWN, NONE, 0, &["pass"], act("pass")),
        (
            OWN,
            PAIRS,
            0,
            &["spend_cards"],
            json!({ "action": "spend_cards", "data": ["a", "b", "d"] }),
        ),
        (
            OWN,
            &["a", "d"],
            0,
            &["spend_cards"],
            json!({ "action": "spend_cards", "data": ["a", "d"] }),
        ),
        (OWN, NONE, 0, &["reinforce", "end_turn"], act("end_turn")),
        (OWN, NONE, 0, &["end_turn"], act("end_turn")),
        (STRONG, NONE, 0, &["end_turn"], act("end_turn")),
        (
            STRONG,
            NONE,
            0,
            &["reinforce"],
            json!({ "action": "reinforce", "data": Value::Null }),
        ),
        (GONE, NONE, 0, &["reinforce"], act("reinforce")),
    ]
}

fn offered_moves() -> Vec<OfferCase> {
    vec![
        (
            OWN,
            NONE,
            0,
            &["attack", "end_attack_phase"],
            act("end_attack_phase"),
        ),
        (
            STRONG,
            NONE,
            0,
            &["end_attack_phase"],
            act("end_attack_phase"),
        ),
        (
            STRONG,
            NONE,
            0,
            &["attack"],
            json!({ "action": "attack", "data": Value::Null }),
        ),
        (
            OWN,
            NONE,
            0,
            &["attack"],
            json!({ "action": "attack", "data": Value::Null }),
        ),
        (MINE, NONE, 0, &["attack"], act("attack")),
        (OWN, NONE, 0, &["attack", "end_turn"], act("end_turn")),
        (
            OWN,
            NONE,
            0,
            &["deploy_troops"],
            json!({ "action": "deploy_troops", "data": {} }),
        ),
        (
            GONE,
            NONE,
            3,
            &["deploy_troops"],
            json!({ "action": "deploy_troops", "data": {} }),
        ),
        (
            OWN,
            NONE,
            0,
            &["choose_country"],
            json!({ "action": "choose_country", "data": "a" }),
        ),
        (OWN, NONE, 0, &["dance", "end_turn"], act("end_turn")),
        (OWN, NONE, 0, &["dance"], act("dance")),
        (OWN, NONE, 0, &["sing", "dance"], act("sing")),
    ]
}

fn fields(action: &Value) -> Vec<&String> {
    action.as_object().unwrap().keys().collect()
}

/// Rules of arenas differ: the bot must always pick from the actions that are offered.
#[test]
fn a_served_bot_answers_with_what_is_offered() {
    let rows = [offered_cards(), offered_moves()].concat();
    for bot in ["outnumber", "random", "planner", "holder"] {
        let (_folder, served) = on_the_small_map(bot);
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
}

/// During setup several armies at once; later one territory at a time, up to a limit.
#[test]
fn a_served_bot_places_all_that_it_is_asked_to() {
    let (_folder, served) = on_the_small_map("random");
    for (turn, troops) in [(0, 4), (7, 1_000_000)] {
        let you = json!({ "cards": [], "troops_to_deploy": troops, "available_actions": ["deploy_troops"] });
        let (status, text) = served.post("/turn", &[], &state(MINE, you, turn).to_string());
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

/// The owner `none` may be a player's name or mark free territories.
#[test]
fn a_player_who_is_called_as_free_land_is_told_apart() {
    let (_folder, served) = on_the_small_map("outnumber");
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
