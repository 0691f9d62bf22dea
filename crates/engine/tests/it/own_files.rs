//! The files that a ruleset names: its base and its map.

use risk_maps::files::FileKind;
use std::fs;
use std::path::Path;

use risk_engine::RuleSetup;
use risk_testing::games::library;

/// Returns the code of the first problem of a ruleset, and the line to which it points.
fn problem(folder: &Path, script: &str) -> Option<(String, usize)> {
    let path = folder.join("club.rhai");
    fs::write(&path, script).unwrap();
    let error = RuleSetup::load(library(), path.to_str().unwrap(), None, &[]).err()?;
    let finding = &error.findings[0];
    let line = finding.place.as_ref().unwrap().line_column().0;
    Some((finding.code.clone(), line))
}

#[test]
fn errors_about_named_files_have_a_place() {
    let folder = tempfile::tempdir().unwrap();
    for (key, code) in [
        ("extends: \"./club.rhai\"", "ruleset::extends"),
        ("extends: \"../club.rhai\"", "ruleset::extends"),
        ("extends: \"hasbor\"", "load::unknown"),
        ("extends: \"./none.rhai\"", "load::file"),
        ("extends: \"hasbro\", map: \"./none.yaml\"", "load::file"),
        ("extends: \"hasbro\", map: \"wrold\"", "load::unknown"),
    ] {
        let script = format!("// A club's rules.\nfn ruleset() {{ #{{\n  {key} }} }}\n");
        let found = problem(folder.path(), &script);
        assert_eq!(found, Some((code.to_owned(), 3)), "{key}");
    }
}

#[test]
fn a_map_lies_beside_its_ruleset() {
    let folder = tempfile::tempdir().unwrap();
    let map = library().text(FileKind::Map, "world");
    fs::write(folder.path().join("x.yaml"), map.unwrap()).unwrap();
    for map in [
        "./x.yaml",
        "x.yaml",
        "./x.yaml,borders=two-way",
        "random:42:7",
        "duel",
    ] {
        let script = format!("fn ruleset() {{ #{{ extends: \"hasbro\", map: \"{map}\" }} }}");
        assert_eq!(problem(folder.path(), &script), None, "{map}");
    }
}
