//! Slips of strangers in files that the program reads, and maps from pipes.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::{run_in, words};

#[test]
fn scripts_name_what_can_not_be_seen() {
    let folder = tempfile::tempdir().unwrap();
    for (letter, name) in [
        ('\u{a0}', "a no-break space"),
        ('\u{ad}', "a soft hyphen"),
        ('\u{2009}', "a special space"),
    ] {
        let script = format!(
            "fn attack(view, ask) {{\n{letter}ask.act(\"done\")\n}}\nfn answer(view, ask) {{ ask.random() }}\n"
        );
        std::fs::write(folder.path().join("b.rhai"), script).unwrap();
        let ran = run_in(
            folder.path(),
            &words("bot check --games 0 -r codelab b.rhai"),
        );
        let shown = letter.escape_default().to_string();
        assert!(
            ran.code == 1 && ran.err.contains(name) && ran.err.contains(&shown),
            "{}",
            ran.err
        );
    }
}

/// Files that are read into types say the same.
#[test]
fn tournaments_name_leading_zeros_and_comments() {
    let folder = tempfile::tempdir().unwrap();
    let file = "ruleset: codelab\nbots: [random, greedy]\nstrikes: 03\n";
    for (text, said) in [
        (file, "write `3`"),
        (
            "bots: [{ name: #1 }]\nruleset: codelab\n",
            "`#` begins a comment",
        ),
    ] {
        std::fs::write(folder.path().join("tournament.yaml"), text).unwrap();
        let ran = run_in(folder.path(), &words("tournament run ."));
        assert!(
            ran.code == 2 && ran.err.contains(said),
            "{}: {}",
            ran.code,
            ran.err
        );
    }
}

/// Runs a command with a text as standard input.
fn piped(line: &str, input: &[u8]) -> (i32, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_risk-cli"))
        .args(words(line))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A map that is too large is not read to its end.
    let _ = child.stdin.take().unwrap().write_all(input);
    let out = child.wait_with_output().unwrap();
    let text = [out.stdout, out.stderr]
        .map(|text| String::from_utf8(text).unwrap())
        .concat();
    (out.status.code().unwrap(), text)
}

const COVE: &str = "name: cove\nterritories:\n  - { id: bay, borders: [hill] }\n  - { id: hill }\n";

#[test]
fn maps_are_read_from_pipes() {
    let large = vec![b' '; 5 << 20];
    let rows: &[(&str, &[u8], i32, &str)] = &[
        ("map validate -", COVE.as_bytes(), 0, "-: valid"),
        ("map import - --to dot", COVE.as_bytes(), 0, "digraph"),
        (
            "play -r codelab --map - --seed 1 --quiet --bot random --bot random",
            COVE.as_bytes(),
            0,
            "",
        ),
        (
            "play -r codelab --map - --seed 1 --isolate --bot random --bot random",
            COVE.as_bytes(),
            2,
            "save the map to a file",
        ),
        ("map validate -", b"", 1, "empty"),
        ("map validate -", b"nothing", 1, "stdin is not a map"),
        ("map validate -", &large, 1, "at most 4194304 bytes"),
        #[cfg(unix)]
        ("map validate /dev/stdin", COVE.as_bytes(), 0, "valid"),
    ];
    for (line, input, code, said) in rows {
        let (ended, text) = piped(line, input);
        assert!(
            ended == *code && text.contains(said),
            "{line}: {ended}\n{text}"
        );
    }
}

/// A record names its map: nobody else's standard input is read for it.
#[test]
fn a_record_does_not_name_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("g.jsonl").display().to_string();
    let line = format!(
        "play -r codelab --map - --seed 1 --quiet --bot random --bot random --record {record}"
    );
    assert_eq!(piped(&line, COVE.as_bytes()).0, 0);
    let (code, text) = piped(&format!("replay {record}"), COVE.as_bytes());
    assert!(code == 2 && text.contains("--map"), "{code}: {text}");
    let (code, text) = piped(&format!("replay {record} --map -"), COVE.as_bytes());
    assert_eq!(code, 0, "{text}");
}

#[test]
fn forms_for_output_alone_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["g.dot", "g.graphml"] {
        let ran = run_in(folder.path(), &words(&format!("map import duel -o {name}")));
        assert_eq!(ran.code, 0, "{}", ran.err);
        let ran = run_in(folder.path(), &words(&format!("map validate {name}")));
        assert!(
            ran.code == 1 && ran.err.contains("output only"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn findings_fit_on_a_screen() {
    let folder = tempfile::tempdir().unwrap();
    let bad =
        (0..60).map(|at| format!("  - {{ id: t{at}, borders: [nowhere{at}], bordrs: [x] }}\n"));
    let two = "name: m\nterritories:\n  - { id: 01, borders: [02] }\n  - { id: 02 }\n".to_owned();
    let many = format!("name: m\nterritories:\n{}", bad.collect::<String>());
    for (text, has) in [(many, "and "), (two, "4:11")] {
        std::fs::write(folder.path().join("m.yaml"), text).unwrap();
        for line in ["map validate m.yaml", "map show ./m.yaml"] {
            let ran = run_in(folder.path(), &words(line));
            let lines = ran.err.lines().count() + ran.out.lines().count();
            assert!(
                lines <= 24 && ran.err.contains(has),
                "{lines} lines\n{}",
                ran.err
            );
        }
    }
}
