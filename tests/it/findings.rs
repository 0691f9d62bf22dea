//! Findings for programs: GitHub annotations and SARIF.

use std::path::Path;

use serde_json::{Value, json};

use risk_text::uri::reference;

use crate::support::{RunOutput, run_in, words};

/// Writes two faulty files, one with its fault after multi-byte letters and a comma in its text,
/// one in a folder whose name needs quoting; and a file without faults.
fn write(folder: &Path) {
    std::fs::create_dir(folder.join("a b")).unwrap();
    let first = "fn answer(view, ask) {\n    let what = \"äöü\"; nosuch(1, 2)\n}\n";
    std::fs::write(folder.join("first.rhai"), first).unwrap();
    std::fs::write(folder.join("a b/second.rhai"), "fn answer(view, ask) {\n").unwrap();
    std::fs::write(
        folder.join("fine.rhai"),
        "fn answer(view, ask) { ask.random() }\n",
    )
    .unwrap();
}

fn check(folder: &Path, files: &[&str], format: &str) -> RunOutput {
    let args: Vec<&str> = words("bot check --games 0 --format").into_iter().collect();
    run_in(folder, &[args, vec![format], files.to_vec()].concat())
}

#[test]
fn workflows_get_a_command_for_each_finding() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let ran = check(
        folder.path(),
        &["./first.rhai", "./a b/second.rhai", "./fine.rhai"],
        "github",
    );
    assert_eq!((ran.code, ran.err.as_str()), (1, ""), "{}", ran.out);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.out);
    assert!(
        lines[0].starts_with(
            "::error file=first.rhai,line=2,endLine=2,col=23,endColumn=29,title=script%3A%3A"
        ),
        "{}",
        lines[0]
    );
    // The text follows the two colons that end the properties.
    let (properties, text) = lines[0][2..].split_once("::").unwrap();
    assert!(
        !properties.contains(": ") && text.contains("nosuch"),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].starts_with("::error file=a b/second.rhai,line="),
        "{}",
        lines[1]
    );
    let fine = check(folder.path(), &["./fine.rhai"], "github");
    assert_eq!(
        (fine.code, fine.out.as_str(), fine.err.as_str()),
        (0, "", "")
    );
}

#[test]
fn editors_get_ranges_that_lie_in_the_files() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let ran = check(
        folder.path(),
        &["./first.rhai", "./a b/second.rhai", "./fine.rhai"],
        "sarif",
    );
    assert_eq!(ran.code, 1, "{}", ran.err);
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(value["version"], "2.1.0");
    let run = &value["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "risk-cli");
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        let rule = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
    }
    let place = |index: usize| &results[index]["locations"][0]["physicalLocation"];
    assert_eq!(place(0)["artifactLocation"]["uri"], "first.rhai");
    assert_eq!(place(1)["artifactLocation"]["uri"], "a%20b/second.rhai");
    assert_eq!(
        place(0)["region"],
        json!({ "startLine": 2, "startColumn": 23, "endLine": 2, "endColumn": 29 })
    );
    // The keys that SARIF's JSON Schema requires, exactly.
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(keys(&value), ["$schema", "version", "runs"]);
    assert_eq!(keys(run), ["tool", "columnKind", "results"]);
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    // A check that finds nothing is a run without results.
    let fine = check(folder.path(), &["./fine.rhai"], "sarif");
    let value: Value = serde_json::from_str(&fine.out).unwrap();
    assert_eq!(value["runs"][0]["results"], json!([]));
}

#[test]
fn maps_are_told_of_in_the_same_forms() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m,1.yaml"), "name: m\nterritories: 3\n").unwrap();
    for (format, begins) in [
        ("github", "::error file=m%2C1.yaml,line=2,"),
        ("sarif", "{\n  \"$schema\""),
    ] {
        let line = format!("map validate ./m,1.yaml --format {format}");
        let ran = run_in(folder.path(), &words(&line));
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(ran.out.starts_with(begins), "{}", ran.out);
    }
}

/// A program or a name is not a file, so it has no position in one.
#[test]
fn what_is_no_file_is_named_beside() {
    let folder = tempfile::tempdir().unwrap();
    let bot = "cmd:false --at a/b.py";
    let ran = check(folder.path(), &[bot], "github");
    assert_eq!(ran.code, 1, "{}", ran.err);
    let begins = "::error title=conformance%3A%3Ahello::cmd:false --at a/b.py: ";
    assert!(ran.out.starts_with(begins), "{}", ran.out);
    let ran = check(folder.path(), &[bot, "greedi"], "sarif");
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    let results = value["runs"][0]["results"].as_array().unwrap();
    for (result, name) in results.iter().zip([bot, "greedi"]) {
        let expected = json!([{ "logicalLocations": [{ "name": name }] }]);
        assert_eq!(result["locations"], expected);
    }
    // A missing file is still a file.
    let ran = check(folder.path(), &["./no such.rhai"], "sarif");
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    let place = &value["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    let expected = json!({ "artifactLocation": { "uri": "no%20such.rhai" } });
    assert_eq!(place, &expected);
}

/// Ranges count characters, not bytes, and can span lines.
#[test]
fn documents_have_ranges() {
    let folder = tempfile::tempdir().unwrap();
    let text = "fn answer(view, ask) {\n    let what = \"\u{1f600}\u{e4}\"; nosuch(1, 2)\n}\n";
    std::fs::write(folder.path().join("b.rhai"), text).unwrap();
    let ran = check(folder.path(), &["./b.rhai"], "json");
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        value["files"][0]["findings"][0]["place"],
        json!({
            "file": "./b.rhai", "line": 2, "column": 22, "end_line": 2, "end_column": 28,
            "length": 6,
        })
    );
    std::fs::write(
        folder.path().join("m.yaml"),
        "name: m\nterritories: [\n  {}]\n",
    )
    .unwrap();
    let ran = run_in(folder.path(), &words("map validate m.yaml --format json"));
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    for finding in value["files"][0]["findings"].as_array().unwrap() {
        let place = &finding["place"];
        let of = |key: &str| place[key].as_u64().unwrap();
        assert!(
            of("end_line") >= of("line") && of("end_column") >= 1,
            "{place}"
        );
    }
}

#[test]
fn paths_are_references_to_files() {
    for (path, windows, uri) in [
        ("a/b.rhai", false, "a/b.rhai"),
        ("./a/b.rhai", false, "a/b.rhai"),
        ("../b.rhai", false, "../b.rhai"),
        (
            "/home/\u{e4}/b c.rhai",
            false,
            "file:///home/%C3%A4/b%20c.rhai",
        ),
        ("a:b%.rhai", false, "a%3Ab%25.rhai"),
        (r"a\b.rhai", false, "a%5Cb.rhai"),
        (r".\a\b.rhai", true, "a/b.rhai"),
        (r"C:\my bots\b.rhai", true, "file:///C:/my%20bots/b.rhai"),
        (r"\\box\share\b.rhai", true, "file://box/share/b.rhai"),
    ] {
        assert_eq!(reference(path, windows), uri, "{path}");
    }
}
