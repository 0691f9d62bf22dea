//! `ruleset api --definitions`: definitions and schemas for editors.

use risk_maps::files;
use std::path::Path;

use serde_json::{Value, json};

use super::{Error, exists, save, say, serve};
use risk_engine::script::reference::{self, Surface};
use risk_lab::test_files;
use risk_lab::tournament::TournamentSpec;
use risk_maps::map;
use risk_maps::position;

/// The kinds of YAML files: schema name, schema, and file globs.
const KINDS: [(&str, fn() -> Value, &[&str]); 5] = [
    ("map", map::schema, &["maps/*.yaml", "*.map.yaml"]),
    (
        "position",
        position::schema,
        &["positions/*.yaml", "*.position.yaml"],
    ),
    ("tests", test_files::schema, &["*.tests.yaml"]),
    (
        "tournament",
        TournamentSpec::schema,
        &["tournament.yaml", "*.tournament.yaml"],
    ),
    ("arena", serve::schema, &["arena.yaml", "*.arena.yaml"]),
];

const SETTINGS: &str = ".vscode/settings.json";

fn pretty(value: &Value) -> String {
    let text = serde_json::to_string_pretty(value).expect("settings always serialize");
    format!("{text}\n")
}

fn files() -> Vec<(String, String)> {
    let mut files = vec![
        (
            "rules.d.rhai".to_owned(),
            reference::definitions(&[Surface::Facts, Surface::Game]),
        ),
        (
            "bots.d.rhai".to_owned(),
            reference::definitions(&[Surface::View]),
        ),
    ];
    for (name, schema, _) in KINDS {
        files.push((format!("schemas/{name}.schema.json"), pretty(&schema())));
    }
    files
}

fn settings() -> Value {
    let schemas: serde_json::Map<String, Value> = KINDS
        .iter()
        .map(|(name, _, globs)| (format!("./schemas/{name}.schema.json"), json!(globs)))
        .collect();
    // Rhai's language server reads every definition file in the open folder.
    json!({ "yaml.schemas": schemas, "files.associations": { "*.rhai": "rhai" } })
}

/// Writes all files, or none if one of them already exists. Existing editor settings may contain
/// other entries, so they are never changed; the missing entries are printed instead.
pub(super) fn write(folder: &Path, force: bool) -> Result<(), Error> {
    let files = files();
    let there = files.iter().map(|(name, _)| folder.join(name));
    if let Some(path) = there.filter(|_| !force).find(|path| path.exists()) {
        return Err(exists(&path.display().to_string()));
    }
    for (name, text) in &files {
        put(&folder.join(name), text, force)?;
    }
    let path = folder.join(SETTINGS);
    let wanted = settings();
    if !path.exists() {
        put(&path, &pretty(&wanted), false)?;
    } else if read(&path).as_ref() != Some(&wanted) {
        say(&format!(
            "{} was not changed: add these settings\n{}",
            path.display(),
            pretty(&wanted).trim_end()
        ))?;
    }
    Ok(())
}

/// Parses a settings file; `None` if it is not plain JSON.
fn read(path: &Path) -> Option<Value> {
    let file = files::file(path, 1 << 20).ok()?;
    serde_json::from_str(&file.text).ok()
}

fn put(path: &Path, text: &str, force: bool) -> Result<(), Error> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(Error::writing(folder))?;
    }
    save(path, text.as_bytes(), force)?;
    say(&format!("wrote {}", path.display()))
}
