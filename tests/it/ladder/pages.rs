//! The pages of a ladder, compared with its data.

use std::collections::BTreeSet;
use std::time::SystemTime;

use serde_json::{Value, json};

use super::{bearer, got, hand_in, ladder, person, rested};
use crate::axe::{axe, is_fine};
use crate::browser::Browser;
use crate::programs::Program;

const BROWSER: (&str, &str) = ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
const GOOD: &str = "fn answer(view, ask) { ask.random() }";

fn now() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    risk_text::utc(now.unwrap().as_secs())
}

fn page(ladder: &Program, path: &str) -> String {
    let (status, text) = ladder.get_as(path, &[BROWSER]);
    assert_eq!(status, 200, "{path}: {text}");
    assert!(text.starts_with("<!DOCTYPE html>"), "{path}: {text}");
    text
}

/// Returns the addresses of a page's links.
fn links(page: &str) -> Vec<String> {
    let after = page.split("href=\"").skip(1);
    let links = after.map(|rest| rest.split('"').next().unwrap());
    links.map(|link| link.replace("&amp;", "&")).collect()
}

/// Returns the parts of a page's tables from one row to the next, without heads.
fn rows(page: &str) -> Vec<&str> {
    let bodies = page.split("<tbody>").skip(1);
    let bodies = bodies.map(|rest| rest.split("</tbody>").next().unwrap());
    bodies.flat_map(|body| body.split("<tr>").skip(1)).collect()
}

fn numbers(games: &[Value]) -> Vec<u64> {
    let numbers = games.iter().map(|game| game["game"].as_u64().unwrap());
    numbers.collect()
}

fn names(value: &Value) -> Vec<&str> {
    let names = value.as_array().unwrap().iter();
    names.map(|name| name.as_str().unwrap()).collect()
}

/// Returns a list of games, following its pages.
fn all_games(ladder: &Program, first: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut next = Some(first.to_owned());
    while let Some(path) = next {
        let listed = got(ladder, &path);
        found.extend(listed["games"].as_array().unwrap().iter().cloned());
        next = listed["next"].as_str().map(str::to_owned);
    }
    found
}

#[test]
fn each_bot_lists_its_games_with_opponents_results_and_dates() {
    let home = tempfile::tempdir().unwrap();
    let rules = "--ruleset codelab -o max_turns=40 --players 3";
    let line = format!("{rules} --bot outnumber --bot random --enough 8");
    let program = ladder(home.path(), &line);
    let before = now();
    let ann = person(&program, "Ann <i>");
    assert_eq!(hand_in(&program, &ann, "fish", GOOD).0, 200);
    rested(&program, home.path(), "fish@1");
    let all = all_games(&program, "/games?count=5");
    let count = all.len();
    let distinct: BTreeSet<u64> = numbers(&all).into_iter().collect();
    assert_eq!((count, distinct.len()), (24, 24));
    for game in &all {
        let ended = game["ended"].as_str().unwrap();
        assert!(*before <= *ended && *ended <= *now(), "{ended}");
    }
    for bot in ["fish@1", "outnumber", "random"] {
        results_are_those_of_the_games(&program, bot, &all);
        let of_bot = page(&program, &format!("/bots/{bot}"));
        let last = got(&program, &format!("/bots/{bot}"))["last_games"].clone();
        let rows = rows(&of_bot);
        assert_eq!(rows.len(), 20);
        for (row, number) in rows.iter().zip(last.as_array().unwrap()) {
            let game = all.iter().find(|game| game["game"] == *number).unwrap();
            is_row_of(row, game, bot);
        }
    }
    // The standings link the lost games of each bot, and so does the bot's page.
    let standings = page(&program, "/");
    for bot in ["fish@1", "outnumber", "random"] {
        let lost = format!("/games?bot={bot}&result=lost");
        assert!(links(&standings).contains(&lost), "{lost}: {standings}");
        let of_bot = format!("/bots/{bot}");
        assert!(links(&standings).contains(&of_bot), "{of_bot}");
        assert!(links(&page(&program, &of_bot)).contains(&lost), "{lost}");
    }
    assert!(standings.contains("Ann &lt;i&gt;") && !standings.contains("<i>"));
    drop(program);
    times_are_those_of_the_log(home.path(), &line, &all);
}

/// Checks the lists of a bot's won, lost and undecided games, as JSON and as pages.
fn results_are_those_of_the_games(program: &Program, bot: &str, all: &[Value]) {
    for result in ["won", "lost", "undecided"] {
        let found = all_games(
            program,
            &format!("/games?count=2&bot={bot}&result={result}"),
        );
        let is_so = |game: &&Value| {
            let winners = names(&game["winners"]);
            let found = match (winners.is_empty(), winners.contains(&bot)) {
                (true, _) => "undecided",
                (false, true) => "won",
                (false, false) => "lost",
            };
            found == result && names(&game["bots"]).contains(&bot)
        };
        let expected: Vec<Value> = all.iter().filter(is_so).cloned().collect();
        assert_eq!(numbers(&found), numbers(&expected), "{bot} {result}");
        let listed = page(program, &format!("/games?bot={bot}&result={result}"));
        let rows = rows(&listed);
        assert_eq!(rows.len(), expected.len(), "{bot} {result}");
        for (row, game) in rows.iter().zip(&expected) {
            is_row_of(row, game, bot);
        }
    }
}

/// Checks a row of a bot's games: the replay, the time, the result and the opponents.
fn is_row_of(row: &str, game: &Value, bot: &str) {
    let links = links(row);
    assert_eq!(links[0], format!("/match/{}", game["game"]), "{row}");
    let opponents = names(&game["bots"]).into_iter().filter(|name| *name != bot);
    let opponents: Vec<String> = opponents.map(|name| format!("/bots/{name}")).collect();
    assert_eq!(links[1..], opponents, "{row}");
    let time = format!("datetime=\"{}\"", game["ended"].as_str().unwrap());
    assert!(row.contains(&time), "{row}");
    let winners = names(&game["winners"]);
    let class = match (winners.is_empty(), winners.contains(&bot)) {
        (true, _) => None,
        (false, true) => Some("class=\"good\""),
        (false, false) => Some("class=\"bad\""),
    };
    for other in ["class=\"good\"", "class=\"bad\""] {
        assert_eq!(row.contains(other), class == Some(other), "{row}");
    }
}

/// A restarted ladder shows the same times, and a log without times can still be read.
fn times_are_those_of_the_log(home: &std::path::Path, line: &str, all: &[Value]) {
    let again = ladder(home, line);
    assert_eq!(all_games(&again, "/games"), all);
    drop(again);
    let path = home.join("L/log.jsonl");
    let mut old = String::new();
    risk_lab::tournament::log::read(&path, |_, mut block| {
        assert!(block.ended.take().is_some());
        old += &risk_lab::tournament::log::line(&block);
        Ok(())
    })
    .unwrap();
    assert!(!old.contains("ended"));
    std::fs::write(&path, old).unwrap();
    let again = ladder(home, line);
    let found = all_games(&again, "/games");
    assert_eq!(numbers(&found), numbers(all));
    assert!(found.iter().all(|game| game["ended"].is_null()));
    let rows = page(&again, "/bots/fish");
    assert!(!rows.contains("<time"), "{rows}");
}

/// Mistakes in addresses: JSON for programs, and a page for browsers.
#[test]
fn mistaken_addresses_are_refused_in_the_form_that_the_client_wants() {
    let home = tempfile::tempdir().unwrap();
    let program = ladder(home.path(), "--ruleset simplified --bot random");
    for (path, wanted, reason) in [
        ("/bots/nobody", 404, "ladder::unknown"),
        ("/bots/random@1", 404, "ladder::unknown"),
        ("/games?bot=nobody", 404, "ladder::unknown"),
        ("/games?result=lost", 400, "request::query"),
        ("/games?bot=random&result=drawn", 400, "request::query"),
        ("/games?bot=random&bot=random", 400, "request::query"),
        ("/games?before=x", 400, "request::query"),
        ("/games?count=0", 400, "request::query"),
        ("/games?colour=red", 400, "request::query"),
    ] {
        let (status, text) = program.get(path);
        let found: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((status, &found["code"]), (wanted, &json!(reason)), "{path}");
        let (status, text) = program.get_as(path, &[BROWSER]);
        assert_eq!(status, wanted, "{path}");
        assert!(text.starts_with("<!DOCTYPE html>"), "{path}: {text}");
    }
    // The form of the page sends its empty fields.
    for path in ["/games?bot=&result=", "/games?bot=random&result="] {
        assert_eq!(got(&program, path)["games"], json!([]), "{path}");
    }
    let (key, wrong) = bearer("nobody");
    let (status, _) = program.get_as("/bots/random", &[(key, &wrong), BROWSER]);
    assert_eq!(status, 401);
    // A house bot has a page, and nothing to read.
    let house = got(&program, "/bots/random");
    super::check_ladder(&[("Bot", &house)]);
    assert_eq!(
        (&house["by"], &house["plays"]),
        (&Value::Null, &json!(true))
    );
    assert_eq!(program.get("/bots/random/script").0, 404);
    assert!(!page(&program, "/bots/random").contains("token"));
}

/// Each page is accessible, narrow and wide, light and dark.
#[test]
fn axe_finds_nothing_serious_on_the_pages() {
    let Some(axe) = axe() else {
        return;
    };
    let mut browser = Browser::start().unwrap();
    let home = tempfile::tempdir().unwrap();
    let rules = "--ruleset codelab -o max_turns=40 --players 3";
    let line = format!("{rules} --bot outnumber --bot greedy --enough 20 --open");
    let program = ladder(home.path(), &line);
    let ann = person(&program, "Ann");
    let long = "a-name-of-20-letters";
    assert_eq!(hand_in(&program, &ann, long, GOOD).0, 200);
    rested(&program, home.path(), &format!("{long}@1"));
    for (name, path) in [
        ("ladder", "/".to_owned()),
        ("games", "/games".to_owned()),
        ("lost", format!("/games?bot={long}&result=lost")),
        ("bot", format!("/bots/{long}")),
        ("refused", "/bots/nobody".to_owned()),
    ] {
        let page = format!("http://{}{path}", program.address);
        let ready = "document.querySelector('main h1') !== null";
        is_fine(&mut browser, &axe, &page, ready, &format!("ladder-{name}"));
    }
}
