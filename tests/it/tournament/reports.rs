//! Reports: the page for people, and the numbers for other programs.

use std::fs;

use risk_stats::fairness::fairness_of_blocks;

use super::{SMALL, folder, log, out, tournament};

/// The page loads no other files, and a name in it stays text.
#[test]
fn the_page_loads_nothing_and_escapes_names() {
    let held = folder(&SMALL.replace("greedy]", "'name=<i>&x,bot=greedy']"));
    assert_eq!(tournament(held.path(), "run . -q").code, 0);
    let ran = tournament(held.path(), "report . --html page.html");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let page = fs::read_to_string(held.path().join("page.html")).unwrap();
    for foreign in [
        "<script", "http:", "https:", "src=", "url(", "@import", "<i>",
    ] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.contains("&lt;i&gt;&amp;x"), "{page}");
    for tag in [
        "section", "table", "tr", "td", "th", "svg", "p", "h2", "tbody", "thead", "div",
    ] {
        let opened =
            page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    let again = tournament(held.path(), "report . --html page.html");
    again.refuses(2, "cli::exists");
}

#[test]
fn the_numbers_are_those_of_the_log() {
    let held = folder(SMALL);
    tournament(held.path(), "run . -q");
    let mut wins = std::collections::BTreeMap::<String, f64>::new();
    let mut games = 0.0;
    for line in log(held.path()).lines() {
        let block: serde_json::Value = serde_json::from_str(line).unwrap();
        for game in block["games"].as_array().unwrap() {
            games += 1.0;
            let winners = game["winners"].as_array().unwrap();
            for winner in winners {
                let seat = winner.as_u64().unwrap() as usize - 1;
                let name = game["seats"][seat].as_str().unwrap();
                *wins.entry(name.to_owned()).or_default() += 1.0 / winners.len() as f64;
            }
        }
    }
    let report: serde_json::Value = serde_json::from_str(&out(held.path())[2].1).unwrap();
    let bots = report["bots"].as_array().unwrap();
    assert_eq!(bots.len(), 3);
    let mut sum = 0.0;
    for bot in bots {
        let share = bot["share"].as_f64().unwrap();
        let counted = wins
            .get(bot["name"].as_str().unwrap())
            .copied()
            .unwrap_or(0.0)
            / games;
        assert!((share - counted).abs() < 1e-6, "{bot}");
        let interval = &bot["interval"];
        assert!(interval[0].as_f64().unwrap() <= share && share <= interval[1].as_f64().unwrap());
        sum += share;
    }
    let undecided = report["undecided"].as_f64().unwrap() / games;
    assert!((sum + undecided - 1.0).abs() < 1e-5);
    assert_eq!(report["games"].as_f64(), Some(games));
    let csv = &out(held.path())[0].1;
    assert_eq!(csv.lines().count(), 1 + 36 * 3);
}

/// Bots that met in few blocks are not called equally good: the report says how many they need.
#[test]
fn pairs_without_a_statement_are_no_evidence() {
    let held = folder(&SMALL.replace("greedy]", "greedy, turtle]\nseats: 2\ndesign: all"));
    assert_eq!(tournament(held.path(), "run . -q").code, 0);
    let ran = tournament(held.path(), "report . --html page.html");
    let remedy =
        "two bots must have met in 10 blocks, and some met in 2; about 60 blocks are enough";
    let shown = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        shown.contains(&format!("no statement about 6 pairs: {remedy}")),
        "{shown}"
    );
    let page = fs::read_to_string(held.path().join("page.html")).unwrap();
    assert!(page.contains(remedy), "{page}");
    assert!(!page.contains("may be as good"), "{page}");
    assert!(risk_report::json::round(-1e-9).is_sign_positive());
}

/// Shares of seats count only decided games, as their limits do.
#[test]
fn shares_of_seats_lie_within_their_limits() {
    let held = folder(&SMALL.replace("max_turns: 30", "max_turns: 15"));
    let ran = tournament(held.path(), "run .");
    assert!(ran.out.contains("not for \"all\""), "{}", ran.out);
    let report: serde_json::Value = serde_json::from_str(&out(held.path())[2].1).unwrap();
    let undecided = report["undecided"].as_u64().unwrap();
    assert!(undecided > 8, "{undecided}");
    let mut sum = 0.0;
    for seat in report["seats"].as_array().unwrap() {
        let share = seat["share"].as_f64().unwrap();
        sum += share;
        let limit = |side: usize| seat["interval_at_once"][side].as_f64().unwrap();
        assert!(limit(0) <= share && share <= limit(1), "{seat}");
    }
    assert!((sum - 1.0).abs() < 1e-5, "{sum}");
}

/// Each seat has limits that hold for all seats simultaneously, in all forms of the report.
#[test]
fn seats_have_limits_at_once() {
    let held = folder(&SMALL.replace("max_turns: 30", "max_turns: 3000"));
    let ran = tournament(held.path(), "run .");
    assert!(ran.out.contains("    95 % at once  "), "{}", ran.out);
    assert!(!ran.out.contains("not for \"all\""), "{}", ran.out);
    let report: serde_json::Value = serde_json::from_str(&out(held.path())[2].1).unwrap();
    assert_eq!(report["undecided"], 0);
    let seats = report["seats"].as_array().unwrap();
    assert_eq!(seats.len(), 3);
    // The expected values come from the lines of the log.
    let wins = |line: &str| {
        let block: serde_json::Value = serde_json::from_str(line).unwrap();
        let mut wins = vec![0.0; 3];
        for game in block["games"].as_array().unwrap() {
            let winners = game["winners"].as_array().unwrap();
            for winner in winners {
                wins[winner.as_u64().unwrap() as usize - 1] += 1.0 / winners.len() as f64;
            }
        }
        wins
    };
    let blocks: Vec<Vec<f64>> = log(held.path()).lines().map(wins).collect();
    let fairness = fairness_of_blocks(&blocks, 0.05, 0.03).unwrap();
    for (seat, expected) in seats.iter().zip(&fairness.seats) {
        let limits = [expected.interval.low, expected.interval.high];
        for (told, limit) in seat["interval_at_once"]
            .as_array()
            .unwrap()
            .iter()
            .zip(limits)
        {
            assert!((told.as_f64().unwrap() - limit).abs() < 1e-6, "{seat}");
        }
        assert!((seat["share"].as_f64().unwrap() - expected.share).abs() < 1e-6);
        assert_eq!(seat["uneven"], expected.uneven);
    }
    tournament(held.path(), "report . --html page.html");
    let page = fs::read_to_string(held.path().join("page.html")).unwrap();
    let low = 100.0 * seats[0]["interval_at_once"][0].as_f64().unwrap();
    assert!(page.contains(&format!("<small>{low:.1}–")), "{page}");
}

/// The wins of many bots against each other are in tables as wide as a page, and each pair of bots
/// is there twice.
#[test]
fn many_bots_are_compared_in_several_tables() {
    let eleven = "random, outnumber, odds, holder, dice-roller, greedy, grudge, planner, turtle, \
                  starwars-random, starwars-attack";
    let spec = SMALL
        .replace("random, outnumber, greedy", eleven)
        .replace("blocks: 12", "blocks: 55\nseats: 2");
    let held = folder(&spec);
    let ran = tournament(held.path(), "run . -q");
    assert_eq!(ran.code, 0, "{}", ran.err);
    tournament(held.path(), "report . --html page.html");
    let page = fs::read_to_string(held.path().join("page.html")).unwrap();
    let pairs = page
        .split("<h2>")
        .find(|part| part.starts_with("Head to head"));
    let tables: Vec<&str> = pairs.unwrap().split("<table>").skip(1).collect();
    let columns = |table: &&str| table.matches("<th scope=\"col\">").count() - 1;
    assert_eq!(tables.iter().map(columns).collect::<Vec<_>>(), [6, 5]);
    for table in tables {
        assert_eq!(table.matches("<tr>").count(), 1 + 11);
        assert!(table.contains("<th scope=\"row\">11 "), "{table}");
    }
}

#[test]
fn few_blocks_give_no_interval() {
    let held = folder(&SMALL.replace("blocks: 12", "blocks: 9"));
    let ran = tournament(held.path(), "run .");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("no interval: "), "{}", ran.out);
    let reason = ran.out.split_once("no interval: ").unwrap().1;
    assert!(reason.lines().next().unwrap().contains('9'), "{reason}");
    tournament(held.path(), "report . --html page.html");
    let page = fs::read_to_string(held.path().join("page.html")).unwrap();
    assert!(!page.contains('±') && !page.contains("-0.0"), "{page}");
    let report: serde_json::Value = serde_json::from_str(&out(held.path())[2].1).unwrap();
    assert!(report["bots"][0]["interval"].is_null());
    assert!(report["bots"][0]["share"].is_number());
}

#[test]
fn faults_come_with_the_command_that_shows_them() {
    let held = folder(&SMALL.replace("greedy]", "./mine.rhai]"));
    fs::write(
        held.path().join("mine.rhai"),
        "fn answer(view, ask) { throw \"no\" }\n",
    )
    .unwrap();
    let ran = tournament(held.path(), "run .");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let command = ran
        .out
        .lines()
        .find(|line| line.trim_start().starts_with("risk-cli play"))
        .unwrap();
    let args: Vec<&str> = command.split_whitespace().skip(1).collect();
    let again = crate::support::run_in(held.path(), &args);
    assert!(
        again.err.contains("throw") || again.out.contains("fault"),
        "{}{}",
        again.out,
        again.err
    );
    // The replayed game has the digest in the log.
    let block: serde_json::Value =
        serde_json::from_str(log(held.path()).lines().next().unwrap()).unwrap();
    let digest = block["games"][0]["digest"].as_str().unwrap();
    assert!(again.out.contains(digest), "{}", again.out);
}

/// Places are a second table, with its own misfit.
#[test]
fn places_come_with_their_misfit() {
    let held = folder(&SMALL.replace("blocks: 12", "blocks: 60"));
    tournament(held.path(), "run . -q");
    let ran = tournament(held.path(), "report . --rate places");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.contains("Elo from places, relative to random"),
        "{}",
        ran.out
    );
    assert_eq!(ran.out.matches("misfit").count() - 1, 3, "{}", ran.out);
    let plain = tournament(held.path(), "report .");
    assert!(ran.out.starts_with(plain.out.trim_end()), "{}", ran.out);
}

/// Wall times are separate from all that two runs have in common.
#[test]
fn times_are_for_information() {
    let held = folder(&SMALL.replace("greedy]", "./mine.rhai]"));
    let bot = "fn answer(view, ask) { ask.random() }\n";
    fs::write(held.path().join("mine.rhai"), bot).unwrap();
    let ran = tournament(held.path(), "run . -j 2");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let before = out(held.path());
    let timing = held.path().join("timing.1-of-1.jsonl");
    let lines: Vec<serde_json::Value> = fs::read_to_string(&timing)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    // Bots in Rust are timed in every eighth block.
    for line in &lines {
        let often = line["block"].as_u64().unwrap() % 8 == 0;
        assert_eq!(line["bots"]["random"].is_object(), often, "{line}");
        assert!(
            line["bots"]["mine"]["answers"].as_u64().unwrap() > 0,
            "{line}"
        );
    }
    let times = tournament(held.path(), "report . --times");
    assert!(times.out.starts_with(ran.out.trim_end()), "{}", times.out);
    assert!(times.out.contains("wall time") && times.out.contains("not reproducible"));
    assert_eq!(
        times.out.matches(" per answer, ").count(),
        3,
        "{}",
        times.out
    );
    let json = tournament(
        held.path(),
        "report . --times --format json --html page.html",
    );
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["wall_time"]["reproducible"], false);
    let sum: u64 = lines
        .iter()
        .map(|line| line["bots"]["mine"]["answers"].as_u64().unwrap())
        .sum();
    assert_eq!(json["wall_time"]["bots"]["mine"]["answers"], sum);
    assert!(
        fs::read_to_string(held.path().join("page.html"))
            .unwrap()
            .contains("Wall time")
    );
    assert_eq!(out(held.path()), before);
    // A broken timing file doesn't prevent the report.
    fs::write(&timing, "{\"block\":0}\n\u{0}nonsense").unwrap();
    let bare = tournament(held.path(), "report . --times");
    assert_eq!(bare.code, 0, "{}", bare.err);
    fs::remove_file(&timing).unwrap();
    assert_eq!(tournament(held.path(), "report .").out, ran.out);
}

fn links(page: &str) -> Vec<&str> {
    let after = page.split("<a href=\"").skip(1);
    after.map(|rest| rest.split('"').next().unwrap()).collect()
}

/// The page links the requested number of replays, and all records.
#[test]
fn the_page_links_the_games_that_were_recorded() {
    let held = folder(
        &format!("{SMALL}records: true\nfinals: {{ best: 2, blocks: 1 }}\n")
            .replace("blocks: 12", "blocks: 2"),
    );
    assert_eq!(tournament(held.path(), "run . -q").code, 0);
    fs::create_dir(held.path().join("a b")).unwrap();
    let line = "report . --html";
    let ran = tournament(held.path(), &format!("{line} page.html --replays 3"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("3 replays in page.games"), "{}", ran.err);
    let page = fs::read_to_string(held.path().join("page.html")).unwrap();
    let found = links(&page);
    let replays = found.iter().filter(|link| link.ends_with(".html")).count();
    // Two blocks of three games, and one of two.
    assert_eq!((replays, found.len()), (3, 3 + 8), "{found:?}");
    for link in found {
        assert!(held.path().join(link).is_file(), "{link}");
    }
    let replay = held.path().join("page.games/finals-000000-1.html");
    let replay = fs::read_to_string(replay).unwrap();
    assert!(replay.starts_with("<!doctype html>") && replay.contains("codelab on grid:3x3"));
    let again = tournament(held.path(), "report . --html other.html --replays 1");
    assert_eq!(again.code, 0, "{}", again.err);
    // Existing files are not overwritten, and then no page is written either.
    fs::remove_file(held.path().join("other.html")).unwrap();
    let again = tournament(held.path(), "report . --html other.html --replays 1");
    again.refuses(2, "cli::exists");
    assert!(!held.path().join("other.html").exists());
}

/// The report names a record that is damaged or of another game; links are relative to the page.
#[test]
fn records_that_cannot_be_replayed_are_marked() {
    let held = folder(&format!("{SMALL}records: true\n").replace("blocks: 12", "blocks: 1"));
    assert_eq!(tournament(held.path(), "run . -q").code, 0);
    let record = |game: &str| held.path().join(format!("records/000000-{game}.jsonl"));
    let text = fs::read_to_string(record("1")).unwrap();
    fs::write(record("1"), &text[..text.len() / 2]).unwrap();
    fs::copy(record("3"), record("2")).unwrap();
    fs::create_dir(held.path().join("sub")).unwrap();
    let ran = tournament(held.path(), "report . --html sub/page.html");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("2 records"), "{}", ran.err);
    let page = fs::read_to_string(held.path().join("sub/page.html")).unwrap();
    assert_eq!(page.matches("<small class=\"bad\">").count(), 2, "{page}");
    let found = links(&page);
    assert!(found.contains(&"../records/000000-1.jsonl"), "{found:?}");
    assert!(found.contains(&"page.games/000000-3.html"), "{found:?}");
    assert_eq!(found.len(), 4);
}
