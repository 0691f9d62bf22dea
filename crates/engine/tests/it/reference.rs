//! The reference of the functions of scripts: complete, in step with docs/api.md, and its examples
//! run.

use std::collections::BTreeSet;

use risk_engine::script::manifest::KEYS;
use risk_engine::script::reference::{Surface, entries};
use risk_engine::script::{hook_names, signatures};

/// Every function of the engines has an entry, and every line of the text belongs to an entry.
#[test]
fn the_reference_is_complete() {
    for (rules, surfaces) in [
        (true, &[Surface::Facts, Surface::Game][..]),
        (false, &[Surface::View]),
    ] {
        let known: BTreeSet<String> = surfaces
            .iter()
            .flat_map(|&surface| entries(surface))
            .map(|entry| entry.signature)
            .collect();
        let all: BTreeSet<String> = signatures(rules).into_iter().collect();
        let missing: Vec<_> = all.difference(&known).collect();
        assert!(missing.is_empty(), "no entry for {missing:#?}");
    }
    let lines = include_str!("../../src/script/api/reference.txt").lines();
    let written = lines.filter(|line| !line.starts_with('#') && !line.is_empty());
    let used: BTreeSet<(&str, &str)> = Surface::ALL
        .into_iter()
        .flat_map(entries)
        .map(|entry| (entry.section, entry.meaning))
        .collect();
    let meanings: BTreeSet<&str> = used.iter().map(|(_, meaning)| *meaning).collect();
    for line in written {
        let columns: Vec<&str> = line.split(" | ").collect();
        assert!((4..=5).contains(&columns.len()), "{line}");
        assert!(meanings.contains(columns[2]), "the engine has no {line}");
        assert!(
            ["quick", "list", "board", "exact"].contains(&columns[1]),
            "{line}"
        );
    }
}

#[test]
fn the_hooks_are_all_described() {
    let text = include_str!("../../../report/src/api_else.md");
    let hooks = text
        .split("## Constants")
        .next()
        .unwrap()
        .replace("{events}", "");
    let rows = hooks
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('(').next());
    let described: BTreeSet<String> = rows.map(str::to_owned).collect();
    assert_eq!(described, hook_names().into_iter().collect());
}

#[test]
fn the_guide_names_each_key() {
    let guide = include_str!("../../../../docs/rulesets.md")
        .split("## What `ruleset()` declares")
        .nth(1)
        .unwrap();
    let guide = guide.split("\n## ").next().unwrap();
    let rows = guide
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let named: BTreeSet<&str> = rows
        .flat_map(|keys| keys.split(", "))
        .map(|key| key.trim_matches('`'))
        .collect();
    assert_eq!(named, BTreeSet::from(KEYS));
}
