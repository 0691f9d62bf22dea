//! The callback protocol: written requests, and the answers of a served bot.

use std::path::Path;

use serde_json::{Value, json};

use crate::programs::Program;

fn place(column: i64) -> Value {
    json!({ "row": 0, "column": column })
}

fn side(column: i64, armies: i64) -> Value {
    json!({ "location": place(column), "armies": armies })
}

/// A cell with its owner and armies; the owner of a free cell has no name.
fn cell(column: i64, (owner, armies): (&str, i64)) -> Value {
    let owner = Some(owner).filter(|owner| !owner.is_empty());
    json!({ "location": place(column), "ownerName": owner, "armies": armies })
}

/// A board of two cells. The bot owns the right one.
fn board(left: (&str, i64), right: (&str, i64)) -> Value {
    json!([cell(0, left), cell(1, right)])
}

fn taken() -> Value {
    board(("you", 2), ("me", 1))
}

fn strong() -> Value {
    board(("you", 2), ("me", 5))
}

fn fight() -> Value {
    board(("you", 1), ("me", 4))
}

fn served(folder: &Path) -> Program {
    Program::bot(
        folder,
        "outnumber --protocol callback --map grid:2x1 --name me",
    )
}

#[test]
fn a_served_bot_answers_callbacks_that_our_rules_do_not_have() {
    let folder = tempfile::tempdir().unwrap();
    let bot = served(folder.path());
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
            json!({ "board": fight(), "attackingTerritorry": side(0, 1), "defendingTerritorry": side(1, 4) }),
            json!({ "continueAttacking": false }),
        ),
        (
            "/placeArmy",
            json!({ "board": board(("you", 1), ("you", 1)), "armiesRemaining": 1 }),
            place(0),
        ),
        (
            "/placeArmy",
            json!({ "board": taken(), "armiesRemaining": 0 }),
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
    // A restarted bot doesn't know about earlier attacks.
    let fresh = served(folder.path());
    let body = json!({ "board": fight() }).to_string();
    assert_eq!(
        fresh.post("/continueAttack", &[], &body),
        (200, r#"{"continueAttack":false}"#.to_owned())
    );
}

/// Requests in either dialect with exactly one right answer: path, body, answer.
fn questions() -> Vec<(&'static str, Value, Value)> {
    vec![
        (
            "/placeArmy",
            json!({ "board": board(("you", 1), ("", 0)), "status": "Your turn", "armiesRemaining": 3 }),
            place(1),
        ),
        (
            "/placeArmy",
            json!({ "board": taken(), "status": "Placement Failed. Try another territory.", "armiesRemaining": 2 }),
            place(1),
        ),
        (
            "/deployArmy",
            json!({ "board": taken(), "status": 0, "armiesRemaining": 2 }),
            json!({ "desiredLocation": place(1) }),
        ),
        // Keys may have any case.
        (
            "/deployArmy",
            json!({ "Board": taken(), "Status": 1, "ArmiesRemaining": 2 }),
            json!({ "desiredLocation": place(1) }),
        ),
        (
            "/beginAttack",
            json!({ "board": strong(), "status": "Your turn" }),
            json!({ "fromLocation": place(1), "toLocation": place(0) }),
        ),
        (
            "/continueAttack",
            json!({ "board": fight() }),
            json!({ "continueAttack": true }),
        ),
        (
            "/beginAttack",
            json!({ "board": strong(), "status": 1 }),
            json!({ "from": place(1), "to": place(0) }),
        ),
        (
            "/continueAttacking",
            json!({ "board": fight(), "attackingTerritorry": side(1, 4), "defendingTerritorry": side(0, 1) }),
            json!({ "continueAttacking": true }),
        ),
        (
            "/continueAttacking",
            json!({ "board": board(("you", 6), ("me", 2)), "attackingTerritorry": side(1, 2), "defendingTerritorry": side(0, 6) }),
            json!({ "continueAttacking": false }),
        ),
    ]
}

/// Unreadable requests: path, body, and a word in the error.
fn unreadable() -> Vec<(&'static str, String, &'static str)> {
    vec![
        ("/placeArmy", "".to_owned(), "JSON"),
        ("/placeArmy", "[]".to_owned(), "object"),
        (
            "/placeArmy",
            json!({ "armiesRemaining": 1 }).to_string(),
            "`board`",
        ),
        (
            "/placeArmy",
            json!({ "board": taken() }).to_string(),
            "`armiesRemaining`",
        ),
        (
            "/beginAttack",
            json!({ "board": [cell(0, ("me", 3))] }).to_string(),
            "2",
        ),
        (
            "/beginAttack",
            json!({ "board": [cell(7, ("me", 3))] }).to_string(),
            "7",
        ),
        (
            "/beginAttack",
            json!({ "board": [cell(0, ("me", 3)), cell(0, ("me", 3))] }).to_string(),
            "cell",
        ),
        (
            "/beginAttack",
            json!({ "board": [cell(0, ("me", -3))] }).to_string(),
            "`armies`",
        ),
        (
            "/continueAttacking",
            json!({ "board": fight() }).to_string(),
            "`attackingTerritorry`",
        ),
    ]
}

#[test]
fn a_served_bot_answers_callbacks_in_both_dialects() {
    let folder = tempfile::tempdir().unwrap();
    let bot = served(folder.path());
    for (path, body, answer) in questions() {
        let (status, text) = bot.post(path, &[], &body.to_string());
        assert_eq!(
            (status, serde_json::from_str::<Value>(&text).ok()),
            (200, Some(answer)),
            "{path} {body}: {text}"
        );
    }
    assert_eq!(bot.post("/gameOver", &[], "{}").0, 200);
    for (path, body, text) in unreadable() {
        let (status, said) = bot.post(path, &[], &body);
        assert!(
            status == 400 && said.contains(text),
            "{path} {body}: {status} {said}"
        );
    }
    assert_eq!(bot.post("/elsewhere", &[], "{}").0, 404);
}
