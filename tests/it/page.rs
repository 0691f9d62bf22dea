//! The arena's page for spectators, in a real browser.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::play_web::values;
use crate::programs::Program;
use risk_testing::dialling::DialledBot;
use risk_testing::web::{modest, reply, server};

/// A bot that waits after its set-up while `held` is set, so that the match is under way until the
/// test has looked.
fn held_bot(held: &Arc<AtomicBool>) -> String {
    let (held, turns) = (Arc::clone(held), AtomicUsize::new(0));
    server(move |request, stream| {
        let asked = request.path == "/turn";
        if asked && turns.fetch_add(1, Ordering::SeqCst) >= 39 {
            while held.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        reply(
            stream,
            &if asked {
                modest(&request.state()).to_string()
            } else {
                String::new()
            },
        );
    })
}

/// Reads from the page the colour and armies of each territory, and the rows of the table.
const SHOWN: &str = "(() => ({
    lands: [...document.querySelectorAll('[id^=land-]')].map((land, index) =>
        [land.getAttribute('fill'), Number(document.getElementById(`armies-${index}`).textContent)]),
    rows: [...document.querySelectorAll('#players tr')].map((row) => [...row.cells].map((cell) => cell.textContent)),
    story: [...document.querySelectorAll('#lines > *')].map((text) => text.textContent),
    when: document.getElementById('when').textContent,
}))()";

#[test]
fn a_match_is_watched_in_a_browser() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let line = "--protocol hacker-risk --players 4 --bot outnumber --bot odds --bot greedy --seed 5 --rate 1000 --seats fixed \
                --timeout 600 -o max_turns=40";
    let held = Arc::new(AtomicBool::new(true));
    let arena = Program::arena(folder.path(), line);
    let page = format!("http://{}/", arena.address);
    browser.size(1400, 900, false);
    browser.call("Page.navigate", &json!({ "url": page }));
    browser.wait("document.getElementById('open')?.textContent.includes('3 of 4')");
    assert_eq!(
        browser.value("document.getElementById('when').textContent"),
        "No match has begun yet."
    );
    let visible = "document.querySelector('.controls').checkVisibility()";
    assert_eq!(browser.value(visible), false);
    the_form_registers(&mut browser, &page);
    // A name that would be a picture if the page didn't escape it.
    let name = "<img src=x onerror=alert(1)>";
    assert_eq!(
        arena
            .post(
                "/join",
                &[],
                &json!({ "name": name, "url": held_bot(&held) }).to_string()
            )
            .0,
        200
    );
    browser.wait("document.querySelectorAll('#players tr').length === 4");
    browser.value("document.body.dataset.kept = 'since the beginning'");
    browser.wait("document.getElementById('when').textContent.match(/turn \\d/) !== null");
    let early = browser.value(SHOWN);
    browser.picture("page-early.png");
    it_is_gone_through_while_it_goes_on(&mut browser, &held);
    browser.wait("/wins|share|nobody/.test(document.getElementById('when').textContent)");
    assert_eq!(
        browser.value("document.body.dataset.kept"),
        "since the beginning",
        "the page is not loaded again"
    );
    browser.picture("page-wide.png");
    let shown = browser.value(SHOWN);
    assert_ne!(early["lands"], shown["lands"]);
    let state: Value = serde_json::from_str(&arena.get("/match/1/state").1).unwrap();
    assert_eq!(shown["rows"][0][0], name);
    the_page_shows(&shown, &state);
    // The story of the page is that of the frames, with the players' names.
    let frames = state["timeline"]["frames"].as_array().unwrap();
    let texts = frames.iter().filter_map(|frame| frame["t"].as_array());
    let texts: Vec<&str> = texts.flatten().map(|it| it[1].as_str().unwrap()).collect();
    let story = shown["story"].as_array().unwrap().iter();
    let story = story.map(|text| text.as_str().unwrap());
    let known = story.filter(|text| texts.iter().any(|known| text.ends_with(known)));
    assert!(known.count() > 20, "{}", shown["story"]);
    assert_eq!(browser.value("document.querySelectorAll('img').length"), 0);
    it_fits_a_telephone(&mut browser);
    // The match has a page of its own, which shows the same without a game under way.
    browser.call("Page.navigate", &json!({ "url": format!("{page}match/1") }));
    browser.wait("document.querySelectorAll('#players tr').length === 4");
    browser.wait("/wins|share|nobody/.test(document.getElementById('when').textContent)");
    assert_eq!(browser.value(SHOWN)["lands"], shown["lands"]);
    nothing_is_asked_elsewhere(&browser, &page);
}

/// Registers through the form as a program would; nothing listens at the address.
fn the_form_registers(browser: &mut Browser, page: &str) {
    browser.value(
        "(() => { const { elements } = document.forms[0]; elements.name.value = 'ann'; \
         elements.url.value = 'http://127.0.0.1:1'; document.querySelector('form button').click(); return true; })()",
    );
    browser.wait("document.body?.textContent.includes('http://127.0.0.1:1:')");
    browser.call("Page.navigate", &json!({ "url": page }));
    browser.wait("document.getElementById('open')?.textContent.includes('3 of 4')");
    // The browser logs the refusal as well.
    browser
        .events
        .retain(|event| event["method"] != "Log.entryAdded");
}

/// Checks that the page stays at a chosen moment, and follows the game again from the last one.
fn it_is_gone_through_while_it_goes_on(browser: &mut Browser, held: &AtomicBool) {
    let visible = "document.querySelector('.controls').checkVisibility()";
    assert_eq!(browser.value(&format!("risk.following && {visible}")), true);
    browser.value("document.getElementById('first').click()");
    let count = browser
        .value("risk.timeline.frames.length")
        .as_u64()
        .unwrap();
    held.store(false, Ordering::SeqCst);
    browser.wait(&format!("risk.timeline.frames.length > {} + 5", count));
    assert_eq!(
        browser.value("[risk.now.at, risk.following]"),
        json!([0, false])
    );
    let seek = browser.value("Number(document.getElementById('seek').max) === risk.timeline.last");
    assert_eq!(seek, true);
    browser.value("document.getElementById('last').click()");
    browser.wait(&format!(
        "risk.now.at > {count} + 5 && risk.now.at === risk.timeline.last"
    ));
}

/// Reports whether a player has a fault, because the table of players has a column for them then.
fn has_faults(state: &Value) -> bool {
    let players = state["players"].as_array().unwrap();
    players.iter().any(|player| player["faults"] != 0)
}

fn the_page_shows(shown: &Value, state: &Value) {
    let rows = shown["rows"].as_array().unwrap();
    for (row, player) in rows.iter().zip(state["players"].as_array().unwrap()) {
        assert_eq!(row[0], player["name"]);
        if has_faults(state) {
            assert_eq!(row[3], player["faults"].to_string());
        }
    }
    let [lands, ..] = values(state);
    for (seat, row) in rows.iter().enumerate() {
        let own = lands.values().filter(|land| land[0] == json!(seat));
        let armies: i64 = own.clone().map(|land| land[1].as_i64().unwrap()).sum();
        let wanted = [own.count().to_string(), armies.to_string()];
        assert_eq!([&row[1], &row[2]], [&json!(wanted[0]), &json!(wanted[1])]);
    }
    for (land, told) in shown["lands"]
        .as_array()
        .unwrap()
        .iter()
        .zip(lands.values())
    {
        let owner = told[0].as_u64().unwrap() as usize;
        let wanted = (&state["players"][owner]["colour"], &told[1]);
        assert_eq!((&land[0], &land[1]), wanted);
    }
}

/// Checks that nothing is wider than a telephone's screen, and that the whole map is in sight.
fn it_fits_a_telephone(browser: &mut Browser) {
    browser.size(390, 844, true);
    browser.wait("document.documentElement.clientWidth === 390");
    assert_eq!(browser.value("document.documentElement.scrollWidth"), 390);
    // The whole map is in sight, with letters that can be read.
    let sizes = browser
        .value("(() => { const map = document.querySelector('.map'); return [map.clientWidth, map.scrollWidth]; })()");
    assert!(
        sizes[0].as_i64() < Some(390) && sizes[1] == sizes[0],
        "{sizes}"
    );
    browser.picture("page-phone.png");
}

fn nothing_is_asked_elsewhere(browser: &Browser, page: &str) {
    let mut asked = Vec::new();
    let mut wrong = Vec::new();
    for event in &browser.events {
        match event["method"].as_str().unwrap_or_default() {
            "Network.requestWillBeSent" => asked.push(
                event["params"]["request"]["url"]
                    .as_str()
                    .unwrap()
                    .to_owned(),
            ),
            "Log.entryAdded" | "Runtime.exceptionThrown" => wrong.push(event["params"].to_string()),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(asked.len() > 4);
    for url in asked {
        assert!(
            url.starts_with(page) || url.starts_with("data:"),
            "{url} is elsewhere"
        );
    }
}

/// Returns the columns after land, armies and faults: the values that the ruleset declares for
/// players and that some player has.
fn declared_columns(state: &Value) -> Vec<String> {
    let [_, numbers, piles] = values(state);
    let players = state["players"].as_array().unwrap().len() as u64;
    let all = [("counters", numbers, 3 * players), ("piles", piles, 0)];
    let mut heads = Vec::new();
    for (key, values, first) in all {
        let declared = state["timeline"]["head"][key].as_array().unwrap();
        for (index, one) in declared.iter().enumerate() {
            let from = first + index as u64 * (players + 1);
            let mut held = (from..from + players).map(|place| &values[&place]);
            if held.any(|value| *value != json!(0) && *value != json!([])) {
                heads.extend(one["title"].as_str().map(str::to_owned));
            }
        }
    }
    heads
}

#[test]
fn games_of_other_rules_are_watched_in_a_browser() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let rows = [
        ("starwars", 2),
        ("warzone", 3),
        ("warlight2", 2),
        ("hasbro", 3),
    ];
    for (ruleset, players) in rows {
        let folder = tempfile::tempdir().unwrap();
        let line =
            format!("--protocol json --ruleset {ruleset} --players {players} --seed 3 --rate 1000");
        let house = " --bot random".repeat(players - 1);
        // The state of a page holds a short game whole.
        let short = if ["hasbro", "warzone"].contains(&ruleset) {
            " -o max_turns=30"
        } else {
            ""
        };
        let arena = Program::arena(folder.path(), &format!("{line}{house}{short}"));
        let (mut bot, _) = DialledBot::join(&arena.address, "ann");
        bot.play(usize::MAX);
        arena.waits_for("match 1: ");
        let page = format!("http://{}/match/1", arena.address);
        browser.events.clear();
        browser.call("Page.navigate", &json!({ "url": page }));
        browser.wait(&format!(
            "document.querySelectorAll('#players tr').length === {players}"
        ));
        let state: Value = serde_json::from_str(&arena.get("/match/1/state").1).unwrap();
        let heads = browser
            .value("[...document.querySelectorAll('#heads th')].map((head) => head.textContent)");
        let head = &state["timeline"]["head"];
        let kinds = head["units"].as_array().unwrap().len();
        let armies = if kinds > 1 { "units" } else { "armies" };
        let mut wanted = ["player", "land", armies].map(str::to_owned).to_vec();
        if has_faults(&state) {
            wanted.push("faults".to_owned());
        }
        wanted.extend(declared_columns(&state));
        wanted.push("status".to_owned());
        assert_eq!(heads, json!(wanted), "{ruleset}");
        let cells = browser.value("document.querySelectorAll('#players tr')[0].cells.length");
        assert_eq!(cells, json!(wanted.len()), "{ruleset}");
        let lands = browser.value("document.querySelectorAll('[id^=land-]').length");
        assert_eq!(
            lands,
            json!(head["lands"].as_array().unwrap().len()),
            "{ruleset}"
        );
        let titles = browser.value("document.querySelectorAll('text title').length");
        assert_eq!(
            titles != json!(0),
            kinds > 1,
            "{ruleset}: what stands where is told"
        );
        browser.picture(&format!("page-{ruleset}.png"));
        let wrong = ["Log.entryAdded", "Runtime.exceptionThrown"];
        let wrong = browser
            .events
            .iter()
            .find(|event| wrong.contains(&event["method"].as_str().unwrap_or_default()));
        assert!(wrong.is_none(), "{ruleset}: {wrong:?}");
        // The page would report a lost connection when its arena ends.
        browser.call("Page.navigate", &json!({ "url": "about:blank" }));
        browser.wait("location.href === 'about:blank'");
    }
}
