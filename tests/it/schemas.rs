//! The JSON Schemas of the files that people write agree with the readers: on every example, and on
//! every example with one change.

use std::collections::BTreeSet;

use crate::support::library;
use jsonschema::Validator;
use risk_engine::{LoadError, Worker};
use risk_lab::test_files;
use risk_lab::tournament::{TournamentPlan, TournamentSpec};
use risk_maps::map;
use risk_maps::map::{CheckSettings, CheckedMap, check};
use risk_maps::position;
use risk_text::diag::TextFile;
use serde_json::{Map, Value, json};

use crate::support::{run, run_in, setup, words};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReaderVerdict {
    Accepts,
    /// The form is wrong, which a schema can check.
    Form,
    /// A name doesn't exist, or parts don't fit together.
    Content,
}

struct SchemaCase {
    name: &'static str,
    schema: Value,
    /// The examples of the documentation.
    examples: Vec<Value>,
    /// Files with every key, which the test changes.
    whole: Vec<Value>,
    /// The reader; on a valid file it may be superficial.
    read: fn(&TextFile, bool) -> ReaderVerdict,
}

fn value(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap()
}

fn of_map(file: &TextFile, _: bool) -> ReaderVerdict {
    let checked: CheckedMap = check(file, &CheckSettings::default());
    // Errors in the form of a file, rather than in its map.
    const FORM: [&str; 9] = [
        "map::syntax",
        "map::not-a-map",
        "map::value",
        "map::unknown-key",
        "map::missing-key",
        "map::no-territories",
        "map::bonus-not-number",
        "map::bonus-too-large",
        "map::bad-id",
    ];
    let of_form = |code: &String| FORM.contains(&code.as_str());
    match checked.board {
        Some(_) => ReaderVerdict::Accepts,
        None if checked.findings.iter().any(|it| of_form(&it.code)) => ReaderVerdict::Form,
        None => ReaderVerdict::Content,
    }
}

fn of_position(file: &TextFile, _: bool) -> ReaderVerdict {
    let said = |failure: LoadError| {
        // Names that don't exist, and parts that don't fit together.
        const CONTENT: [&str; 10] = [
            " named `",
            "duplicate",
            "a phase of a turn needs",
            "illegal action",
            "unknown verb",
            " for `",
            "number out of range in the order",
            "missing key `player`",
            "missing key `phase`",
            "the action is empty",
        ];
        let of_content = |text: &str| CONTENT.iter().any(|it| text.contains(it));
        if failure.findings.iter().all(|it| of_content(&it.text)) {
            ReaderVerdict::Content
        } else {
            ReaderVerdict::Form
        }
    };
    let read = match position::read(file) {
        Ok(read) => read,
        Err(failure) => return said(failure),
    };
    thread_local! {
        static HASBRO: Worker<'static> = {
            let setup = setup("hasbro", None, &["random"; 3], 1, &[]);
            Worker::new(Box::leak(Box::new(setup))).unwrap()
        };
    }
    HASBRO.with(|worker| {
        read.bind(&worker.setup().rules.board, worker.decl())
            .map_or_else(said, |_| ReaderVerdict::Accepts)
    })
}

fn of_tests(file: &TextFile, _: bool) -> ReaderVerdict {
    let has_bot = value(&file.text).get("bot").is_some();
    let read = if has_bot {
        test_files::of_bot(file).map(|_| ())
    } else {
        test_files::of_rules(file).map(|_| ())
    };
    read.map_or(ReaderVerdict::Form, |()| ReaderVerdict::Accepts)
}

fn of_tournament(file: &TextFile, valid: bool) -> ReaderVerdict {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tournament.yaml");
    std::fs::write(&path, &*file.text).unwrap();
    let read = TournamentSpec::file(&path).and_then(|file| TournamentSpec::parse(&file));
    match read {
        Err(_) => ReaderVerdict::Form,
        Ok(_) if valid || TournamentPlan::load(library(), &path).is_ok() => ReaderVerdict::Accepts,
        Ok(_) => ReaderVerdict::Content,
    }
}

fn arena_schema() -> Value {
    serde_json::from_str(&run(&["serve", "--config-schema"]).out).unwrap()
}

/// Ranges belong to the command line and are tested last.
fn of_arena(file: &TextFile, _: bool) -> ReaderVerdict {
    let accepted = if file.text.contains("18446744073709551615") {
        ReaderVerdict::Content
    } else {
        ReaderVerdict::Accepts
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("arena.yaml"), file.text.as_bytes()).unwrap();
    // No arena is opened, as the ruleset doesn't exist.
    let line = words("serve --config arena.yaml --ruleset nosuch");
    let ran = run_in(folder.path(), &line);
    assert_eq!(ran.code, 2, "{}: {}", file.text, ran.err);
    if ran.err.contains("serve::syntax") {
        ReaderVerdict::Form
    } else {
        accepted
    }
}

/// Returns the YAML files of the documents whose text has this key at the beginning of a line.
fn documented(key: &str) -> Vec<Value> {
    let mut texts: Vec<String> = Vec::new();
    for entry in std::fs::read_dir("docs").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "md") {
            let text = std::fs::read_to_string(path).unwrap();
            let blocks = text.split("```yaml").skip(1);
            texts.extend(blocks.map(|block| {
                block
                    .split_once('\n')
                    .unwrap()
                    .1
                    .split("```")
                    .next()
                    .unwrap()
                    .to_owned()
            }));
        }
    }
    let folders = ["docs/examples", "docs/arena"];
    for entry in folders.iter().flat_map(|it| std::fs::read_dir(it).unwrap()) {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "yaml") {
            texts.push(std::fs::read_to_string(path).unwrap());
        }
    }
    let begins = format!("{key}:");
    texts.retain(|text| text.lines().any(|line| line.starts_with(&begins)));
    assert!(!texts.is_empty(), "{key}");
    texts.iter().map(|text| value(text)).collect()
}

fn forms() -> Vec<SchemaCase> {
    let files = |texts: &[&str]| texts.iter().map(|text| value(text)).collect();
    let form = |name, schema, key, whole: &[&str], read| SchemaCase {
        name,
        schema,
        examples: documented(key),
        whole: files(whole),
        read,
    };
    vec![
        form(
            "map",
            map::schema(),
            "territories",
            &[include_str!("schemas/map.yaml")],
            of_map,
        ),
        form(
            "position",
            position::schema(),
            "position",
            &[include_str!("schemas/position.yaml")],
            of_position,
        ),
        form(
            "tests",
            test_files::schema(),
            "tests",
            &[
                include_str!("schemas/bot.tests.yaml"),
                include_str!("schemas/rules.tests.yaml"),
            ],
            of_tests,
        ),
        form(
            "tournament",
            TournamentSpec::schema(),
            "blocks",
            &[include_str!("schemas/tournament.yaml")],
            of_tournament,
        ),
        form(
            "arena",
            arena_schema(),
            "protocol",
            &[include_str!("schemas/arena.yaml")],
            of_arena,
        ),
    ]
}

fn others() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(3),
        json!(-7),
        json!(2.5),
        json!("text"),
        json!("3"),
        json!(""),
        json!([]),
        json!({}),
        json!(["text"]),
        json!({ "text": 3 }),
        json!(18_446_744_073_709_551_615_u64),
    ]
}

/// Returns the value with one part replaced, removed, or doubled under an unknown key: all such
/// changes, each with its place.
fn changed(value: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    let mut put =
        |place: &str, what: String, now: Value| all.push((format!("{place}: {what}"), now));
    match value {
        Value::Object(entries) => {
            let mut more = entries.clone();
            more.insert("quite_unknown".to_owned(), json!(1));
            put("", "a key more".to_owned(), Value::Object(more));
            for (key, inner) in entries {
                let with = |inner: Option<Value>| {
                    let mut now: Map<String, Value> = entries.clone();
                    match inner {
                        Some(inner) => drop(now.insert(key.clone(), inner)),
                        None => drop(now.remove(key)),
                    }
                    Value::Object(now)
                };
                put(key, "left out".to_owned(), with(None));
                for other in others() {
                    put(key, other.to_string(), with(Some(other)));
                }
                for (place, now) in changed(inner) {
                    put(key, place, with(Some(now)));
                }
            }
        }
        Value::Array(items) => {
            // The other items of a list are like its first and its last.
            let ends = [0, items.len().saturating_sub(1)];
            let ends = &ends[..items.len().min(2)];
            for &index in ends {
                let with = |inner: Value| {
                    let mut now = items.clone();
                    now[index] = inner;
                    Value::Array(now)
                };
                for other in others() {
                    put(&index.to_string(), other.to_string(), with(other));
                }
                for (place, now) in changed(&items[index]) {
                    put(&index.to_string(), place, with(now));
                }
            }
        }
        _ => {}
    }
    all
}

/// Describes the disagreement of schema and reader, if any.
fn apart(form: &SchemaCase, schema: &Validator, value: &Value) -> Option<String> {
    let file = TextFile::new("./file.yaml", &value.to_string());
    let valid = schema.is_valid(value);
    let said = (form.read)(&file, valid);
    let together = if valid {
        said != ReaderVerdict::Form
    } else {
        said != ReaderVerdict::Accepts
    };
    (!together).then(|| format!("the schema accepts: {valid}, the reader: {said:?}"))
}

#[test]
fn schemas_say_what_readers_accept() {
    for form in forms() {
        let schema = jsonschema::draft202012::new(&form.schema).unwrap();
        let mut wrong = Vec::new();
        let mut count = 0;
        for example in &form.examples {
            assert!(schema.is_valid(example), "{}: {example}", form.name);
            assert_eq!(apart(&form, &schema, example), None, "{example}");
        }
        for example in &form.whole {
            assert!(schema.is_valid(example), "{}: {example}", form.name);
            for (place, value) in changed(example) {
                count += 1;
                if let Some(text) = apart(&form, &schema, &value) {
                    wrong.push(format!("{place}: {text}"));
                }
            }
        }
        assert!(count > 100, "{}: {count}", form.name);
        let head = &wrong[..wrong.len().min(60)];
        assert!(
            wrong.is_empty(),
            "{}, {} of {count}:\n{}",
            form.name,
            wrong.len(),
            head.join("\n")
        );
    }
}

fn keys_of_schema(schema: &Value, keys: &mut BTreeSet<String>) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        keys.extend(properties.keys().cloned());
    }
    for inner in inside(schema) {
        keys_of_schema(inner, keys);
    }
}

fn keys_of_file(file: &Value, keys: &mut BTreeSet<String>) {
    keys.extend(file.as_object().into_iter().flat_map(Map::keys).cloned());
    for inner in inside(file) {
        keys_of_file(inner, keys);
    }
}

fn inside(value: &Value) -> Vec<&Value> {
    match value {
        Value::Object(entries) => entries.values().collect(),
        Value::Array(items) => items.iter().collect(),
        _ => Vec::new(),
    }
}

/// The changes cover only the keys of these files.
#[test]
fn the_examples_hold_every_key() {
    for form in forms() {
        let (mut known, mut held) = (BTreeSet::new(), BTreeSet::new());
        keys_of_schema(&form.schema, &mut known);
        for example in &form.whole {
            keys_of_file(example, &mut held);
        }
        let missing: Vec<_> = known.difference(&held).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", form.name);
    }
}

#[test]
fn ranges_of_arenas_are_those_of_the_command_line() {
    let schema = arena_schema();
    let mut count = 0;
    for (key, of) in schema["properties"].as_object().unwrap() {
        let (Some(low), Some(high)) = (of["minimum"].as_i64(), of["maximum"].as_i64()) else {
            continue;
        };
        let option = key.replace('_', "-");
        for (number, is_in) in [
            (low - 1, false),
            (low, true),
            (high, true),
            (high + 1, false),
        ] {
            // A value in range gets an error about the ruleset, so no arena is opened.
            let line = format!("serve --protocol json --ruleset nosuch --{option}={number}");
            let ran = run(&words(&line));
            let refused = ran.err.contains(&format!("--{option} <"));
            assert_eq!((ran.code, refused), (2, !is_in), "{line}: {}", ran.err);
        }
        count += 1;
    }
    assert!(count >= 8, "{count}");
}

#[test]
fn editors_get_schemas_and_settings() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let ran = run_in(folder, &words("ruleset api --definitions ."));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let settings: Value = serde_json::from_str(&text(".vscode/settings.json")).unwrap();
    let schemas = settings["yaml.schemas"].as_object().unwrap();
    assert_eq!(schemas.len(), forms().len());
    for (path, globs) in schemas {
        let schema: Value = serde_json::from_str(&text(path)).unwrap();
        assert!(jsonschema::draft202012::meta::is_valid(&schema), "{path}");
        assert!(
            globs.as_array().is_some_and(|globs| !globs.is_empty()),
            "{path}"
        );
        let form = forms()
            .into_iter()
            .find(|it| path.contains(it.name))
            .unwrap();
        assert_eq!(schema, form.schema, "{path}");
    }
    // Definitions are no scripts.
    let ran = run_in(folder, &words("bot check . --games 0"));
    ran.refuses(2, "load::file");
    // A second run changes nothing without `--force`, and never changes settings.
    let old = text("bots.d.rhai");
    std::fs::write(folder.join("bots.d.rhai"), "mine").unwrap();
    std::fs::remove_file(folder.join("rules.d.rhai")).unwrap();
    let ran = run_in(folder, &words("ruleset api --definitions ."));
    ran.refuses(2, "cli::exists");
    assert!(
        ran.out.is_empty() && ran.err.contains("bots.d.rhai"),
        "{}",
        ran.err
    );
    assert!(!folder.join("rules.d.rhai").exists() && text("bots.d.rhai") == "mine");
    std::fs::write(folder.join(".vscode/settings.json"), "{ \"mine\": 1 }").unwrap();
    let ran = run_in(folder, &words("ruleset api --definitions . --force"));
    assert!(
        ran.code == 0 && ran.out.contains("settings.json") && ran.out.contains("\n{"),
        "{}",
        ran.out
    );
    assert_eq!(text("bots.d.rhai"), old);
    assert_eq!(text(".vscode/settings.json"), "{ \"mine\": 1 }");
}
