//! `serve --ladder`: people submit scripts, and private data stays private.

mod misuse;
mod pages;
mod standings;

use crate::support::library;
use std::collections::BTreeSet;
use std::path::Path;

use risk_engine::bot_spec::BotSpec;
use risk_engine::{Seed, Setup};
use risk_lab::tournament::log::BlockLine;
use risk_lab::tournament::results::TournamentTally;
use risk_lab::tournament::{Design, TournamentPlan, log};
use serde_json::{Value, json};

use crate::programs::Program;
use crate::support::{is_own, setup};
use risk_testing::openapi::Api;

/// A few rounds a game, to keep games short.
const RULES: &str = "--ruleset codelab -o max_turns=12 --players 4";
const SECRET: &str = "correct-horse";

fn ladder(folder: &Path, line: &str) -> Program {
    std::fs::write(folder.join("secret"), SECRET).unwrap();
    Program::arena(
        folder,
        &format!("--ladder L --secret-file secret --rate 10000 {line}"),
    )
}

fn bearer(token: &str) -> (&'static str, String) {
    ("Authorization", format!("Bearer {token}"))
}

/// Registers a person, and returns the token.
fn person(ladder: &Program, name: &str) -> String {
    let (key, secret) = bearer(SECRET);
    let body = json!({ "name": name }).to_string();
    let (status, text) = ladder.post("/people", &[(key, &secret)], &body);
    assert_eq!(status, 200, "{text}");
    let told: Value = serde_json::from_str(&text).unwrap();
    told["token"].as_str().unwrap().to_owned()
}

fn hand_in(ladder: &Program, token: &str, bot: &str, script: &str) -> (u16, Value) {
    let (key, token) = bearer(token);
    let (status, text) = ladder.post(&format!("/bots/{bot}"), &[(key, &token)], script);
    (status, serde_json::from_str(&text).unwrap_or(json!(text)))
}

fn got(ladder: &Program, path: &str) -> Value {
    let (status, text) = ladder.get(path);
    assert_eq!(status, 200, "{path}: {text}");
    serde_json::from_str(&text).unwrap()
}

/// Returns the standings once no game is left to play and the bot is in them.
fn rested(ladder: &Program, home: &Path, id: &str) -> Value {
    for _ in 0..6_000 {
        let now = got(ladder, "/standings");
        let over = now["rests"]
            .as_str()
            .is_some_and(|why| why.starts_with("all bots"));
        let counted = now["blocks"].as_u64() == Some(log_lines(&home.join("L"), &now));
        if over && counted && ids(&now).contains(&id.to_owned()) {
            return now;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("it does not rest: {}", got(ladder, "/standings"));
}

/// Counts the blocks of the log with a bot that is in the standings.
fn log_lines(folder: &Path, standings: &Value) -> u64 {
    let ids = ids(standings);
    let mut count = 0;
    log::read(&folder.join("log.jsonl"), |_, block| {
        let sits = |name: &String| ids.contains(name);
        count += u64::from(block.games[0].seats.iter().any(sits));
        Ok(())
    })
    .unwrap();
    count
}

fn ids(standings: &Value) -> Vec<String> {
    let bots = standings["bots"].as_array().unwrap().iter();
    bots.map(|bot| bot["bot"].as_str().unwrap().to_owned())
        .collect()
}

/// Passes its check, at tables of three, and throws its secret at tables of four.
const PRIVATE: &str = r#"
const HIDDEN = "swordfish";
fn answer(view, ask) {
    if view.players.len() == 4 && view.round > 0 { throw "my plan is swordfish"; }
    ask.random()
}
"#;
const PUBLIC: &str = "// halibut\nfn answer(view, ask) { if view.players.len() == 4 && view.round > 1 { throw \"halibut\"; } ask.random() }";

/// Returns a tournament's figures over the same games, by name: games, wins, share, limits and
/// faults. The tournament has all bots that ever played.
fn of_a_tournament(folder: &Path, standings: &Value) -> Value {
    let ids = ids(standings);
    let mut all = BTreeSet::new();
    let look = |_, block: BlockLine| {
        all.extend(block.games[0].seats.clone());
        Ok(())
    };
    log::read(&folder.join("log.jsonl"), look).unwrap();
    let all: Vec<String> = all.into_iter().collect();
    let base = setup("codelab", None, &["random"; 4], 0, &[]);
    let bots = all.iter().map(|id| BotSpec {
        name: id.clone(),
        ..BotSpec::parse(library(), "random").unwrap()
    });
    let setup = Setup {
        bots: bots.collect(),
        ..base
    };
    let plan = TournamentPlan::new(setup, 4, 1, Design::all(4, 4, 1).unwrap());
    let mut tally = TournamentTally::new(&plan);
    log::read(&folder.join("log.jsonl"), |_, block| {
        tally.add(&block);
        Ok(())
    })
    .unwrap();
    let results = tally.results();
    let round = |value: f64| (value * 1e6).round() / 1e6;
    let rows = ids.iter().map(|id| {
        let bot = all.iter().position(|other| other == id).unwrap();
        let share = results.shares[bot].as_ref().unwrap();
        let limits = share.interval.as_ref().ok();
        json!({
            "bot": id,
            "games": tally.bots[bot].games,
            "wins": tally.bots[bot].wins,
            "faults": tally.bots[bot].faults,
            "share": round(share.share),
            "interval": limits.map(|limits| [round(limits.low), round(limits.high)]),
        })
    });
    rows.collect()
}

/// Returns the figures of each bot that [`of_a_tournament`] has too.
fn figures(standings: &Value) -> Value {
    let keys = ["bot", "games", "wins", "faults", "share", "interval"];
    let bots = standings["bots"].as_array().unwrap().iter();
    let figures = bots.map(|bot| keys.map(|key| (key.to_owned(), bot[key].clone())));
    figures
        .map(|row| Value::Object(row.into_iter().collect()))
        .collect()
}

/// Returns everything that is shown without a token.
fn seen(ladder: &Program, standings: &Value) -> String {
    let mut all = String::new();
    let mut look = |path: &str| {
        let (status, text) = ladder.get(path);
        all += &format!("{path} {status}\n{text}\n");
    };
    for path in [
        "/",
        "/watch",
        "/standings",
        "/games?count=500",
        "/matches",
        "/metrics",
    ] {
        look(path);
    }
    for id in ids(standings) {
        look(&format!("/bots/{id}"));
        look(&format!("/bots/{id}/script"));
    }
    for game in got(ladder, "/games?count=500")["games"].as_array().unwrap() {
        let game = &game["game"];
        look(&format!("/games/{game}"));
        look(&format!("/match/{game}"));
        look(&format!("/match/{game}/state"));
    }
    all
}

#[test]
fn a_ladder_plays_and_is_the_same_after_it_was_killed() {
    let home = tempfile::tempdir().unwrap();
    let line = &format!("{RULES} --bot random --bot outnumber --enough 4");
    let mut program = ladder(home.path(), line);
    let (ann, bob) = (person(&program, "Ann"), person(&program, "Bob <b>"));
    let (status, told) = hand_in(&program, &ann, "swords", PRIVATE);
    assert_eq!((status, &told["bot"]), (200, &json!("swords@1")), "{told}");
    let (status, told) = hand_in(&program, &bob, "fish?public=true", PUBLIC);
    assert_eq!((status, &told["public"]), (200, &json!(true)), "{told}");
    let now = rested(&program, home.path(), "fish@1");
    let folder = home.path().join("L");
    assert_eq!(figures(&now), of_a_tournament(&folder, &now));
    assert!(
        now["bots"]
            .as_array()
            .unwrap()
            .iter()
            .all(|bot| bot["games"].as_u64() >= Some(16))
    );
    let faults = |id: &str| {
        got(&program, &format!("/bots/{id}"))["faults"]
            .as_u64()
            .unwrap()
    };
    assert!(faults("swords@1") > 0 && faults("fish@1") > 0);

    check_ladder(&[
        ("HandedIn", &told),
        ("Standings", &now),
        ("Games", &got(&program, "/games?count=3")),
        ("Bot", &got(&program, "/bots/fish")),
        ("Refused", &hand_in(&program, &bob, "none", PUBLIC).1),
    ]);
    // Neither the script nor its faults are shown to others.
    let all = seen(&program, &now);
    assert!(all.contains("halibut"), "what is public is shown");
    assert!(
        !all.contains("swordfish") && !all.contains("my plan"),
        "{all}"
    );
    assert!(!all.contains(&ann) && !all.contains(&bob));
    let place = home.path().to_str().unwrap();
    let told = all.lines().find(|line| line.contains(place));
    assert_eq!(told, None, "where the ladder lives is nobody's business");
    let page = program.get("/").1;
    assert!(!page.contains("<b>") && page.contains("Bob &lt;b&gt;"));
    let (key, token) = bearer(&ann);
    let own = program.get_as("/bots/swords@1", &[(key, &token)]).1;
    assert!(own.contains("my plan is swordfish"), "{own}");
    assert_eq!(
        program.get_as("/bots/swords/script", &[(key, &token)]).1,
        PRIVATE
    );
    let (key, token) = bearer(&bob);
    assert_eq!(
        program.get_as("/bots/swords/script", &[(key, &token)]).0,
        403
    );
    let other = program.get_as("/bots/swords@1", &[(key, &token)]).1;
    assert!(!other.contains("swordfish"), "{other}");

    program.kill();
    goes_on(home.path(), line, (&ann, &now, &all));
}

/// Two bots of one person at a table could help each other.
#[test]
fn nobody_has_two_bots_at_a_table() {
    let home = tempfile::tempdir().unwrap();
    let line = "--ruleset codelab -o max_turns=6 --players 3 --bot random --bot outnumber";
    let program = ladder(home.path(), &format!("{line} --enough 6"));
    let (ann, bob) = (person(&program, "Ann"), person(&program, "Bob"));
    for (who, bot) in [(&ann, "swords"), (&ann, "shields"), (&bob, "fish")] {
        let (status, told) = hand_in(&program, who, bot, "fn answer(view, ask) { ask.random() }");
        assert_eq!(status, 200, "{told}");
    }
    rested(&program, home.path(), "fish@1");
    let mut played = BTreeSet::new();
    log::read(&home.path().join("L/log.jsonl"), |_, block| {
        let seats = &block.games[0].seats;
        let of_ann = seats.iter().filter(|name| name.starts_with('s'));
        assert!(of_ann.count() < 2, "{seats:?}");
        played.extend(seats.iter().cloned());
        Ok(())
    })
    .unwrap();
    assert_eq!(played.len(), 5, "{played:?}");
}

/// The record keeps to its game's commitment, and no page about games shows a seed or a salt.
#[test]
fn each_game_of_a_ladder_holds_to_what_settled_its_dice() {
    let home = tempfile::tempdir().unwrap();
    let line = "--ruleset codelab -o max_turns=12 --players 2 --bot random --bot outnumber";
    let program = ladder(home.path(), &format!("{line} --enough 3"));
    let mut said = String::new();
    let states = loop {
        let pages = ["/", "/watch", "/standings", "/metrics", "/games"];
        said += &pages.map(|it| program.get(it).1).concat();
        let states = (1..=6).map(|game| program.get(&format!("/match/{game}/state")).1);
        let states: Vec<String> = states.collect();
        said += &states.concat();
        let read = |text: &String| serde_json::from_str(text).unwrap_or(Value::Null);
        let states: Vec<Value> = states.iter().map(read).collect();
        if states.iter().all(|state| state["end"].is_string()) {
            break states;
        }
    };
    rested(&program, home.path(), "outnumber");
    for state in &states {
        let number = &state["match"];
        let told = state["commitment"].as_str().unwrap();
        let page = program.get(&format!("/match/{number}")).1;
        assert!(page.contains(told), "{page}");
        said += &page;
        let record = program.get(&format!("/games/{number}")).1;
        let header: Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
        assert_eq!(header["commitment"], told);
        let read = |key: &str| header[key].as_str().unwrap().parse::<Seed>().unwrap();
        assert_eq!(read("seed").commitment(&read("salt")), told);
        for key in ["seed", "salt"] {
            assert!(!said.contains(header[key].as_str().unwrap()), "{key}");
        }
    }
    let plan = std::fs::read_to_string(home.path().join("L/plan.json")).unwrap();
    let plan: Value = serde_json::from_str(&plan).unwrap();
    let secret = plan["parts"]["seed"].as_str().unwrap();
    assert!(secret.len() > 20 && !said.contains(secret));
    is_own(&home.path().join("L/plan.json"));
}

/// Restarts a killed ladder: its standings are the same, and it accepts new versions.
fn goes_on(home: &Path, line: &str, (ann, now, all): (&str, &Value, &str)) {
    let again = ladder(home, line);
    let folder = home.join("L");
    assert_eq!(&rested(&again, home, "fish@1"), now);
    assert_eq!(
        seen(&again, now).matches("halibut").count(),
        all.matches("halibut").count()
    );
    // A new version plays in place of the first one, whose games stay separate.
    let (status, told) = hand_in(
        &again,
        ann,
        "swords",
        "fn answer(view, ask) { ask.random() }",
    );
    assert_eq!((status, &told["bot"]), (200, &json!("swords@2")), "{told}");
    let later = rested(&again, home, "swords@2");
    assert!(!ids(&later).contains(&"swords@1".to_owned()));
    assert_eq!(figures(&later), of_a_tournament(&folder, &later));
    // Earlier games of the others count as before, plus those with the new version.
    assert_eq!(now_games(&later, "swords@2"), Some(16));
    for id in ["random", "outnumber", "fish@1"] {
        let before = now_games(now, id).unwrap();
        assert_eq!(now_games(&later, id), Some(before + 16), "{id}");
    }
    let before = got(&again, "/bots/swords@1");
    assert_eq!(
        (&before["plays"], before["games"].as_u64()),
        (&json!(false), now_games(now, "swords@1"))
    );
}

fn now_games(standings: &Value, id: &str) -> Option<u64> {
    let bots = standings["bots"].as_array().unwrap();
    bots.iter().find(|bot| bot["bot"] == id)?["games"].as_u64()
}

/// Checks values against the description of the ladder.
fn check_ladder(said: &[(&str, &Value)]) {
    let ladder = Api::read("ladder");
    said.iter()
        .for_each(|(name, value)| ladder.check(name, value));
}
