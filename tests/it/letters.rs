//! Names in the letters of many scripts, on every surface.

use std::fs;

use serde_json::Value;

use crate::narrow::run_at;
use crate::support::{run_in, words};

/// A name in each script, and whether pictures as pixels have its letters.
const NAMES: [(&str, bool); 12] = [
    ("Hà Nội", true),
    ("Αθήνα", true),
    ("Київ", true),
    ("Երևան", true),
    ("თბილისი", true),
    ("חיפה", true),
    ("أسوان", true),
    ("🎲 top", true),
    ("東京", false),
    ("서울", false),
    ("ไทย", false),
    ("दिल्ली", false),
];

/// Each surface shows each name. PNG and GIF name the letters that they lack.
#[test]
fn names_of_twelve_scripts_are_shown_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut bots = Vec::new();
    for (name, _) in NAMES {
        bots.extend(["--bot".to_owned(), format!("name={name},bot=random")]);
    }
    let run = |line: &str, more: &[String]| {
        let mut args = words(line);
        args.extend(more.iter().map(String::as_str));
        let ran = run_in(folder.path(), &args);
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        ran
    };
    let has_all = |text: &str, of: &str| {
        let missing = NAMES.iter().filter(|(name, _)| !text.contains(name));
        let missing: Vec<_> = missing.collect();
        assert!(missing.is_empty(), "{of}: {missing:?}");
    };
    let play = "play --ruleset simplified --map grid:5x5 -o max_turns=24 --seed 5";
    has_all(
        &run(&format!("{play} --record g.jsonl"), &bots).out,
        "terminal",
    );
    has_all(&run(&format!("{play} -g 12"), &bots).out, "standings");
    has_all(
        &run(&format!("{play} -g 12 --format json"), &bots).out,
        "JSON",
    );
    let read = |file: &str| fs::read_to_string(folder.path().join(file)).unwrap();
    has_all(&read("g.jsonl"), "record");
    run("replay g.jsonl --render g.svg", &[]);
    has_all(&read("g.svg"), "SVG");
    for line in [
        "replay g.jsonl --render g.png",
        "replay g.jsonl --animation g.gif",
        "replay g.jsonl --html p.html --url https://example.org/p.html",
    ] {
        let ran = run(line, &[]);
        assert_eq!(ran.codes(), ["picture::letters"], "{line}");
        let told = ran.err.split("ids and numbers").next().unwrap();
        for (name, is_drawn) in NAMES {
            let is_told = name.chars().any(|c| told.contains(&format!("`{c}`")));
            assert!(!(is_told && is_drawn), "{line}: {name}: {told}");
        }
        assert!(told.contains('`'), "{told}");
    }
    let names: Vec<String> = NAMES
        .map(|(name, _)| format!("\"name={name},bot=random\""))
        .to_vec();
    let text = format!(
        "ruleset: simplified\nmap: grid:5x5\noptions: {{ max_turns: 24 }}\nseed: 1\nseats: 12\nblocks: 1\nbots: [{}]\n",
        names.join(", ")
    );
    fs::write(folder.path().join("tournament.yaml"), text).unwrap();
    run("tournament run . -q", &[]);
    has_all(&read("out/ranking.csv"), "CSV");
    has_all(&read("out/games.csv"), "CSV of games");
    run("tournament report . --html page.html", &[]);
    let page = risk_text::without_isolates(&read("page.html"));
    has_all(&page, "page");
    let report: Value = serde_json::from_str(&read("out/report.json")).unwrap();
    has_all(&report.to_string(), "report");
}

/// No spreadsheet runs a name.
#[test]
fn names_are_no_formulas() {
    let folder = tempfile::tempdir().unwrap();
    let text = "ruleset: codelab\nmap: duel\nseed: 1\nblocks: 2\n\
                bots: ['name==1+1,bot=random', 'name=@SUM(1),bot=greedy', 'name=-x,bot=random']\n";
    fs::write(folder.path().join("tournament.yaml"), text).unwrap();
    let ran = run_in(folder.path(), &["tournament", "run", ".", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for (file, column) in [("out/ranking.csv", 0), ("out/games.csv", 3)] {
        let text = fs::read_to_string(folder.path().join(file)).unwrap();
        let mut names: Vec<&str> = text
            .lines()
            .skip(1)
            .map(|line| line.split(',').nth(column).unwrap())
            .collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names, ["'-x", "'=1+1", "'@SUM(1)"], "{text}");
    }
}

/// Versions of a bot whose long names differ only at the end are told apart in every table.
#[test]
fn long_names_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["41", "42", "43"].map(|version| format!("conquistador-deep-search-v{version}"));
    let mut bots = Vec::new();
    for name in &names {
        bots.extend(["--bot".to_owned(), format!("name={name},bot=random")]);
    }
    let text = format!(
        "ruleset: codelab\nmap: duel\nseed: 1\nseats: 2\nblocks: 3\nbots: [{}]\n",
        names
            .clone()
            .map(|name| format!("'name={name},bot=random'"))
            .join(", ")
    );
    fs::write(folder.path().join("tournament.yaml"), text).unwrap();
    let play = "play --ruleset codelab --map europe --seed 2";
    for (columns, line) in [
        (80, "tournament run ."),
        (60, "tournament report ."),
        (160, "tournament report ."),
        (80, &format!("{play} -g 4")),
        (60, &format!("{play} -g 4")),
        (80, &format!("{play} --record g.jsonl --force")),
        (60, &format!("{play} --story brief")),
        (80, "analyse g.jsonl"),
        (60, "analyse g.jsonl"),
    ] {
        let mut args = words(line);
        if line.starts_with("play") {
            args.extend(bots.iter().map(String::as_str));
        }
        let out = run_at(columns, folder.path(), &args);
        for version in ["v41", "v42", "v43"] {
            assert!(out.contains(version), "{line} at {columns}: {out}");
        }
        assert!(!out.contains("searc…"), "{line} at {columns}: {out}");
    }
}
