//! Orders and fog: each page shows what its viewer may see, and no more.

use serde_json::{Value, json};

use super::{WebTable, values};

/// The text of no other viewer has a person's orders, or anything about territories that only that
/// person sees.
#[test]
fn orders_and_fog_are_told_to_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let line = "-r warlight2 -m four-corners --bot name=ann,bot=human --bot name=bob,bot=human \
                --seed 3 --record g.jsonl";
    let table = WebTable::start(folder.path(), line);
    let viewers = [Some(0), Some(1), None];
    let mut seen = 0;
    let mut has_undone = false;
    while seen < 12 {
        let is_asked = |person: &usize| !table.now(Some(*person), 0)["question"].is_null();
        let Some(asked) = (0..2).find(is_asked) else {
            continue;
        };
        // The game waits for the answer, so all sheets are of one moment.
        let sheets = viewers.map(|viewer| table.now(viewer, 0));
        for (person, viewer) in [(0, 1), (0, 2), (1, 0), (1, 2)] {
            for order in sheets[person]["orders"].as_array().unwrap() {
                seen += 1;
                let told = |sheet: &Value| sheet.to_string().contains(&order.to_string());
                let sheet = &sheets[viewer];
                assert!(!told(sheet), "{viewer} is told of {order}: {sheet}");
                let mut leaky = sheet.clone();
                leaky["orders"] = json!([order]);
                assert!(told(&leaky), "a planted leak is found");
            }
        }
        let [fog, ..] = values(&sheets[2]);
        assert!(
            fog.values().all(|land| *land == json!([-1, -1])),
            "whoever looks on sees no land"
        );
        // Spectators don't see that an order is taken back, not even by the version of the sheet.
        let orders = sheets[asked]["orders"].as_array().unwrap().len();
        if orders > 0 && !has_undone {
            has_undone = true;
            let undo = table.says(asked, &sheets[asked], "undo", json!(true));
            assert_eq!(undo.0, 200);
            let again = table.asked(asked);
            assert_eq!(again["orders"].as_array().unwrap().len(), orders - 1);
            assert_eq!(table.now(None, 0), sheets[2]);
            continue;
        }
        let suggested = sheets[asked]["question"]["suggested"].clone();
        assert_eq!(table.says(asked, &sheets[asked], "say", suggested).0, 200);
    }
    assert!(has_undone);
    table.ends();
}

/// In a secret phase, each person answers on the own page without waiting for others, who learn
/// neither how many answers there were nor when.
#[test]
fn people_answer_at_the_same_time_in_secret() {
    let folder = tempfile::tempdir().unwrap();
    let line = "-r warzone -m four-corners --bot name=ann,bot=human --bot name=bob,bot=human \
                --seed 3 --record g.jsonl";
    let mut table = WebTable::start(folder.path(), line);
    let is_asked = |table: &WebTable, person| !table.now(Some(person), 0)["question"].is_null();
    let orders = |sheet: &Value| sheet["orders"].as_array().map_or(0, Vec::len);
    let mut rounds = 0;
    let mut has_resumed = false;
    while rounds < 6 {
        let [first, second] = [table.asked(0), table.asked(1)];
        assert_eq!(first["waits"], json!({ "seat": 0 }));
        assert!(first["question"]["secret"] == true && second["question"]["secret"] == true);
        // The person at the later seat gives all answers before the other one gives any.
        let before = [Some(0), None].map(|viewer| table.now(viewer, 0));
        let mut given = 0;
        while let sheet = table.now(Some(1), 0)
            && !sheet["question"].is_null()
        {
            let suggested = sheet["question"]["suggested"].clone();
            assert_eq!(table.says(1, &sheet, "say", suggested).0, 200);
            given += 1;
            if given == 2 && orders(&table.now(Some(1), 0)) == 2 {
                // The first of two orders is taken back, and given again later.
                let sheet = table.now(Some(1), 0);
                let kept = sheet["orders"][1].clone();
                assert_eq!(table.says(1, &sheet, "retract", json!(0)).0, 200);
                assert_eq!(table.now(Some(1), 0)["orders"], json!([kept]));
            }
        }
        assert!(given > 0);
        assert_eq!([Some(0), None].map(|viewer| table.now(viewer, 0)), before);
        let ready = table.now(Some(1), 0);
        assert_eq!(ready["waits"], json!({ "seat": null }));
        assert_eq!(table.says(1, &second, "undo", json!(true)).0, 409);
        if rounds == 2 && !has_resumed {
            // Answers that the record does not contain yet are given again.
            has_resumed = true;
            table.program.terminate();
            assert!(table.program.ends());
            assert!(
                table.program.said().contains("orders of bob"),
                "{}",
                table.program.said()
            );
            table = WebTable::start(folder.path(), "--resume g.jsonl");
            continue;
        }
        while is_asked(&table, 0) {
            let sheet = table.asked(0);
            assert_eq!(table.says(0, &sheet, "auto", json!(true)).0, 200);
            if !is_asked(&table, 1) {
                continue;
            }
            break;
        }
        rounds += 1;
    }
    assert!(has_resumed);
    table.ends();
}
