//! The callback protocol: questions asked by hand, and what a served bot answers.

use serde_json::{Value, json};

use crate::programs::Program;

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
