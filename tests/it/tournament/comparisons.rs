//! `compare`: verdicts, exit codes, and tests that stop where they should.

use crate::support::{RunOutput, run, run_in, words};

const GAME: &str = "-r codelab -m grid:3x3 -o max_turns=30 -s 7";

fn compare(line: &str) -> RunOutput {
    let line = format!("compare {line} {GAME}");
    run(&words(&line))
}

#[test]
fn a_better_bot_is_found() {
    let ran = compare("outnumber random");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.contains("outnumber is better than random"),
        "{}",
        ran.out
    );
    let ran = compare("random outnumber");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(
        ran.out
            .contains("random is not better than outnumber by 5 percentage points or more"),
        "{}",
        ran.out
    );
    let ran = compare("outnumber random --replace -f holder");
    assert_eq!(ran.code, 0, "{}", ran.err);
}

/// Bots that play alike differ by exactly nothing, which the test reports after 67 blocks.
#[test]
fn twins_are_not_better() {
    let ran = compare("outnumber name=twin,bot=outnumber -j 1 --format json");
    assert_eq!(ran.code, 1, "{}", ran.err);
    let said: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(said["blocks"], 67);
    assert_eq!(said["identical_pairs"], said["pairs"]);
    assert_eq!(said["pairs"], 134);
    assert_eq!(said["difference"], 0.0);
    assert_eq!(said["verdict"], "not better");
    let again = compare("outnumber name=twin,bot=outnumber -j 3 --format json");
    assert_eq!(again.out, ran.out);
}

/// The interval is wider than the test needs. If it includes the bound that the verdict excludes,
/// the text says why.
#[test]
fn an_interval_beyond_the_verdict_is_explained() {
    for (line, bound) in [
        ("outnumber name=twin,bot=outnumber", Some("+5.0")),
        ("outnumber random --d0 0.3 --d1 0.5", Some("+30.0")),
        ("outnumber random", None),
        ("random outnumber", None),
    ] {
        let ran = compare(line);
        let text = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        let found = text.split_once("the interval includes ");
        let found = found.and_then(|(_, rest)| rest.split(',').next());
        assert_eq!(found, bound, "{line}: {text}");
        let json = compare(&format!("{line} --format json"));
        let said: serde_json::Value = serde_json::from_str(&json.out).unwrap();
        let bound = match said["verdict"].as_str() {
            Some("better") => &said["test"]["d0"],
            _ => &said["test"]["d1"],
        };
        let bound = bound.as_f64();
        let [low, high] = [0, 1].map(|end| said["interval"][end].as_f64());
        assert_eq!(low <= bound && bound <= high, found.is_some(), "{line}");
    }
}

#[test]
fn what_is_not_decided_is_not_claimed() {
    let ran = compare("greedy outnumber --max-blocks 12 --d1 0.01");
    assert_eq!(ran.code, 4, "{}", ran.out);
    assert!(ran.out.contains("undecided"), "{}", ran.out);
}

#[test]
fn an_invalid_test_is_refused() {
    for (line, code) in [
        ("--d0 0.1 --d1 0.05", "compare::test"),
        ("--alpha 0.5", "compare::test"),
        ("--beta 0", "compare::test"),
        ("-f random,random,random,random,random", "compare::players"),
    ] {
        compare(&format!("random outnumber {line}")).refuses(2, code);
    }
    let ran = compare("random outnumber --max-blocks 11");
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.err.contains("'11' for '--max-blocks"), "{}", ran.err);
}

/// A continued log gives the verdict of an uninterrupted run.
#[test]
fn a_comparison_goes_on_from_its_log() {
    let home = tempfile::tempdir().unwrap();
    let line = format!(
        "compare greedy outnumber --d1 0.03 --max-blocks 60 --log kept --format json {GAME}"
    );
    let first = run_in(home.path(), &words(&line));
    let path = home.path().join("kept/log.1-of-1.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    for part in [2, 3] {
        std::fs::write(&path, &text[..text.len() / part]).unwrap();
        let again = run_in(home.path(), &words(&line));
        assert_eq!(again, first);
    }
    let other = run_in(home.path(), &words(&line.replace("-s 7", "-s 8")));
    other.refuses(2, "tournament::plan-differs");
    assert!(other.err.contains("seed "), "{}", other.err);
}

#[test]
fn the_path_of_the_test_is_shown_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("compare outnumber random {GAME} --html page.html --format json");
    let ran = run_in(folder.path(), &words(&line));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let said: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let path = said["path"].as_array().unwrap();
    let last = path.last().unwrap();
    assert_eq!(last[0], said["blocks"]);
    assert_eq!(last[1], said["test"]["up"]);
    assert!(last[1].as_f64() >= said["test"]["bound_up"].as_f64());
    let others = &path[..path.len() - 1];
    assert!(
        others
            .iter()
            .all(|at| at[1].as_f64() < said["test"]["bound_up"].as_f64())
    );
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 3);
    let interval = &said["interval"];
    let limits = [0, 1].map(|at| format!("{:+.1}", 100.0 * interval[at].as_f64().unwrap()));
    let limits = format!("aria-label=\"from {} to {}\"", limits[0], limits[1]);
    assert!(page.contains(&limits), "{limits}");
    assert!(page.contains(">3.0</text>") && page.contains("outnumber is better than random"));
    for foreign in ["<script", "http:", "https:", "src=", "url("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    let text = compare("outnumber random");
    let text = text.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(" 3.0 and 3.0: "), "{text}");
    let end = format!("{}: {:+.1} and ", said["blocks"], last[1].as_f64().unwrap());
    assert!(text.contains(&end), "{text}");
    let again = run_in(folder.path(), &words(&line));
    again.refuses(2, "cli::exists");
}
