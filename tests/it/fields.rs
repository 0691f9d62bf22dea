//! The frozen fields in which `bot rate` measures bots.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{run_in, words};
use risk_lab::tournament::TournamentPlan;
use risk_lab::tournament::run::BlockPlayer;
use risk_text::diag::TextFile;

const GOLDEN: &str = "golden.txt";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fields")
}

/// Returns a hash of all files of a field.
fn files_hash(field: &Path) -> String {
    let mut files = BTreeMap::new();
    let mut folders = vec![field.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with(GOLDEN) {
                let name = path.strip_prefix(field).unwrap().to_str().unwrap();
                let text = fs::read_to_string(&path).unwrap();
                files.insert(name.replace('\\', "/"), text.replace('\r', ""));
            }
        }
    }
    let text = format!("{files:?}");
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

/// Returns the blocks in which a bot of a field plays for the first time.
fn golden_blocks(plan: &TournamentPlan) -> Vec<u64> {
    let mut seen = BTreeSet::new();
    let mut is_new = |&block: &u64| {
        let known = seen.len();
        seen.extend(plan.design.table(block));
        seen.len() > known
    };
    (0..plan.blocks).filter(|block| is_new(block)).collect()
}

/// Returns the hash of a field's files, and the digests of its golden games.
fn golden(name: &str) -> String {
    let field = TextFile::new(name, risk_cli::field(name).unwrap());
    let plan = TournamentPlan::parse(risk_cli::library_with_fields(), Path::new(""), &field);
    let plan = plan.unwrap();
    let mut player = BlockPlayer::new(&plan).unwrap();
    let mut lines = vec![format!("files {}", files_hash(&folder().join(name)))];
    for block in golden_blocks(&plan) {
        for game in player.block(block).unwrap().games {
            lines.push(format!("{block} {} {}", game.seats.join(" "), game.digest));
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn fields_never_change() {
    for name in risk_cli::fields() {
        let file = folder().join(name).join(GOLDEN);
        let found = golden(name);
        if !file.exists() && std::env::var_os("RISK_RENEW").is_some() {
            fs::write(&file, &found).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        for (expected, found) in expected.lines().zip(found.lines()) {
            assert_eq!(
                found, expected,
                "the field {name} has changed. Ratings in it could no longer be compared: undo \
                 the change, or leave the field out and make the next one with fields/new"
            );
        }
        assert_eq!(
            found.len(),
            expected.len(),
            "{name}: golden games are missing"
        );
    }
}

#[test]
fn golden_games_have_every_bot() {
    for name in risk_cli::fields() {
        let field = TextFile::new(name, risk_cli::field(name).unwrap());
        let library = risk_cli::library_with_fields();
        let plan = TournamentPlan::parse(library, Path::new(""), &field).unwrap();
        let played = golden_blocks(&plan).into_iter();
        let mut bots: Vec<usize> = played.flat_map(|block| plan.design.table(block)).collect();
        bots.sort_unstable();
        bots.dedup();
        assert_eq!(
            bots,
            (0..plan.setup.bots.len()).collect::<Vec<_>>(),
            "{name}"
        );
    }
}

/// A field of a user, with 36 blocks of duels.
const OWN: &str = "ruleset: codelab
map: duel
options: { max_turns: 60 }
seats: 2
blocks: 36
seed: own
design: { gauntlet: [rated] }
bots: [{ name: rated, bot: random }, outnumber, greedy, holder]
";

#[test]
fn ratings_depend_on_nothing_but_the_field_and_the_bot() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("own.yaml"), OWN).unwrap();
    let copy = include_str!("../../scripts/greedy.rhai");
    fs::write(home.path().join("copy.rhai"), copy).unwrap();
    let rate = |line: &str| {
        let line = format!("bot rate --field ./own.yaml {line}");
        let ran = run_in(home.path(), &words(&line));
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        ran.out
    };
    for bot in ["greedy", "general:easy", "oracle:10"] {
        let alone = rate(&format!("{bot} --json -j 1"));
        assert_eq!(alone, rate(&format!("{bot} --format json -j 2")));
        let value: serde_json::Value = serde_json::from_str(&alone).unwrap();
        assert_eq!(value["games"], 72, "{alone}");
        assert_eq!(value["reproducible"], true);
        assert_eq!(value["opponents"].as_array().unwrap().len(), 3);
    }
    // The same script under another name plays the same games.
    let [shipped, copied] = ["greedy", "./copy.rhai"].map(|bot| rate(&format!("{bot} --json")));
    let [shipped, copied] = [shipped, copied].map(|text| {
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        (
            value["digest"].clone(),
            value["share"].clone(),
            value["opponents"].clone(),
        )
    });
    assert_eq!(shipped, copied);
    let badge = rate("greedy --badge");
    assert!(badge.starts_with("![risk-cli ./own.yaml: Elo "), "{badge}");
}

#[test]
fn ratings_name_losses_and_faults() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("own.yaml"), OWN).unwrap();
    let script = "fn answer(view, ask) { if view.turn > 3 { throw 1 } ask.nth(0) }
                  fn no_phase_of_it(view, ask) { ask.nth(0) }\n";
    fs::write(home.path().join("bad.rhai"), script).unwrap();
    let ran = run_in(
        home.path(),
        &words("bot rate ./bad.rhai --field ./own.yaml --json"),
    );
    let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(value["faults"].as_u64().unwrap() > 0, "{}", ran.out);
    assert!(ran.err.contains("1 warning in the script"), "{}", ran.err);
    let command = value["first_fault"]["command"].as_str().unwrap();
    let again = run_in(
        home.path(),
        &shlex::split(command)
            .unwrap()
            .iter()
            .skip(1)
            .map(String::as_str)
            .collect::<Vec<_>>(),
    );
    assert!(
        again.codes().contains(&"script::failed"),
        "{command}: {}",
        again.err
    );
    let opponents = value["opponents"].as_array().unwrap();
    assert!(
        opponents.iter().all(|it| it["verdict"] == "loses"),
        "{}",
        ran.out
    );
}

#[test]
fn a_rating_refuses_what_is_no_field_and_no_bot() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("own.yaml"), OWN).unwrap();
    let plain = OWN.replace("design: { gauntlet: [rated] }", "design: all");
    fs::write(home.path().join("plain.yaml"), plain).unwrap();
    for (line, code) in [
        ("human", "rating::person"),
        ("greedy --field ./plain.yaml", "rating::field"),
        ("greedy --field ./missing.yaml", "load::file"),
        ("greedy --field hasbro", "rating::field"),
        ("greedy --ruleset ./mine.rhai", "rating::field"),
        ("greedier", "load::unknown"),
    ] {
        let line = format!("bot rate --field ./own.yaml {line}");
        let line = match line.matches("--").count() {
            1 => line,
            _ => line.replacen("--field ./own.yaml ", "", 1),
        };
        run_in(home.path(), &words(&line)).refuses(2, code);
    }
}

#[test]
fn every_ruleset_has_a_field() {
    let rulesets = include_str!("../../README.md");
    let (_, table) = rulesets.split_once("| ruleset | what it is |").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    let names = table.lines().flat_map(|row| row.split('|').nth(1));
    let names = names
        .flat_map(|names| names.split(','))
        .filter_map(|name| name.trim().strip_prefix('`')?.strip_suffix('`'));
    let fields = risk_cli::fields();
    for name in names {
        assert!(
            fields.contains(&format!("{name}-1").as_str()),
            "{name} has no field"
        );
    }
}
