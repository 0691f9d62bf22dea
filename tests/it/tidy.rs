//! The architecture, held to by looking at the source.

mod circles;
mod exports;
mod shape;

use std::fs;
use std::path::{Path, PathBuf};

use crate::watchdog::watch;

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    watch();
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

/// The layer that a file is in: `kernel` for src/kernel.rs and src/kernel/….
fn layer(path: &Path) -> String {
    let inside = path
        .strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
        .unwrap();
    inside
        .components()
        .next()
        .unwrap()
        .as_os_str()
        .to_string_lossy()
        .trim_end_matches(".rs")
        .to_owned()
}

/// The lines of code: comments left out.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn check(wrong: &[String]) {
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn has_word(line: &str, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(joins) && !line[at + word.len()..].starts_with(joins))
}

/// The modules of the table in `src/lib.rs`, the highest first.
fn layers() -> Vec<String> {
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let rows = text
        .lines()
        .filter_map(|line| line.strip_prefix("//! | `")?.split_once('`'));
    let layers: Vec<String> = rows.map(|(name, _)| name.to_owned()).collect();
    let mut public: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    let mut told: Vec<&str> = layers.iter().map(String::as_str).collect();
    public.sort_unstable();
    told.sort_unstable();
    assert_eq!(
        told, public,
        "the table in src/lib.rs names each module once"
    );
    layers
}

#[test]
fn each_layer_knows_only_those_below_it() {
    let layers = layers();
    let mut wrong = Vec::new();
    for (path, text) in sources("src") {
        let layer = layer(&path);
        let Some(height) = layers.iter().position(|name| *name == layer) else {
            assert!(
                ["lib", "main"].contains(&layer.as_str()),
                "{layer} is in no row of the table in src/lib.rs"
            );
            continue;
        };
        for (number, line) in code(&text) {
            for (at, _) in line.match_indices("crate::") {
                let name: String = line[at + 7..]
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                if layers[..height].contains(&name) {
                    wrong.push(format!("{}:{number}: {layer} uses {name}", path.display()));
                }
            }
        }
    }
    check(&wrong);
}

/// What the kernel does not know: files, clocks, floating-point numbers, output.
const OUTSIDE_KERNEL: &[&str] = &[
    "rhai",
    "clap",
    "miette",
    "serde",
    "serde_json",
    "serde_yaml",
    "std::fs",
    "File",
    "Instant",
    "SystemTime",
    "std::env",
    "HashMap",
    "HashSet",
    "f32",
    "f64",
    "println",
    "print",
    "eprintln",
    "eprint",
    "stdout",
];

/// The words that do not stand in a file's code.
fn banned(path: &Path) -> Vec<&'static str> {
    let layer = layer(path);
    let mut banned = Vec::new();
    if layer == "kernel" {
        banned.extend(OUTSIDE_KERNEL);
    }
    if layer != "script" && layer != "lib" {
        banned.push("rhai::");
    }
    if layer != "cli" {
        banned.extend(["println", "eprintln", "print!", "clap::"]);
    }
    // What another process prints is not printed here.
    if layer != "cli" && !path.ends_with("transport/process.rs") {
        banned.push("stdout");
    }
    // Codecs are values; only transports have a clock, threads and sockets.
    if layer == "protocol" && !path.to_string_lossy().contains("protocol/transport") {
        banned.extend([
            "Instant",
            "SystemTime",
            "std::thread",
            "std::net",
            "std::io",
            "ureq",
        ]);
    }
    // A tournament and a ladder keep their own folders.
    // A keeper reads which processes there are.
    let is_keeper = path.ends_with("transport/keeper.rs");
    if !is_keeper && !["load", "cli", "tournament", "ladder"].contains(&layer.as_str()) {
        banned.extend(["std::fs", "File::open", "read_to_string", "read_dir"]);
    }
    if layer == "cli" {
        banned.extend(["File::open", "read_to_string", "fs::read"]);
    }
    // Text leaves through one place; the lines between processes are for no eyes.
    if !["cli/out.rs", "cli/isolated.rs"]
        .iter()
        .any(|file| path.ends_with(file))
    {
        banned.extend([
            "stdout().lock",
            "stderr().lock",
            "io::stderr(),",
            ".print_help",
            ".print()",
        ]);
    }
    if path.to_string_lossy().contains("script/") && !path.to_string_lossy().contains("script/api")
    {
        // Declarations and tables alone are registered elsewhere.
        if !path.ends_with("declare.rs") && !path.ends_with("tables.rs") {
            banned.push("register_fn");
        }
    }
    if layer == "phases" {
        banned.extend(["f32", "f64"]);
    }
    banned
}

#[test]
fn words_stay_in_their_layers() {
    let mut wrong = Vec::new();
    for (path, text) in sources("src") {
        let banned = banned(&path);
        for (number, line) in code(&text) {
            wrong.extend(
                banned
                    .iter()
                    .filter(|word| has_word(line, word))
                    .map(|word| format!("{}:{number}: {word}", path.display())),
            );
        }
    }
    check(&wrong);
}

#[test]
fn habits_are_kept() {
    let banned = [
        concat!("use super", "::*"),
        concat!("to", "do!"),
        concat!("dbg", "!("),
        concat!(".unwrap", "()"),
        concat!("unimple", "mented!"),
    ];
    let mut wrong = Vec::new();
    for (path, text) in sources("src") {
        for (number, line) in code(&text) {
            wrong.extend(
                banned
                    .iter()
                    .filter(|word| line.contains(**word))
                    .map(|word| format!("{}:{number}: {word}", path.display())),
            );
        }
        if !text.starts_with("//!") {
            wrong.push(format!(
                "{}: does not begin by saying why it is there",
                path.display()
            ));
        }
    }
    check(&wrong);
}

#[test]
fn built_in_scripts_are_short() {
    // A ruleset is one file, as a user would write it, and ends where every file does: Star Wars
    // says its game twice, as the document has it and as the code has it. Scripts are there to
    // learn from; those that are there to be beaten may be longer.
    let strong = ["marshal.rhai", "admiral.rhai", "agent.rhai", "partner.rhai"];
    for (folder, most) in [("scripts", 59), ("rulesets", 600)] {
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let lines = fs::read_to_string(&path).unwrap().lines().count();
                let strong = strong.iter().any(|name| path.ends_with(name));
                let most = if strong { 300 } else { most };
                assert!(
                    lines <= most,
                    "{} has {lines} lines, {most} are the most",
                    path.display()
                );
            }
        }
    }
}
