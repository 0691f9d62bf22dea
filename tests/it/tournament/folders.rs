//! Several logs: shards, gaps, and duplicate blocks.

use std::fs;
use std::path::Path;

use crate::support::{RunOutput, is_own, run_in, words};

use super::{SMALL, folder, log, out, tournament};

/// Plays the shards of the small tournament, each in a folder of its own.
fn shards(count: usize) -> Vec<tempfile::TempDir> {
    let play = |index: usize| {
        let shard = folder(SMALL);
        let ran = tournament(shard.path(), &format!("run . --shard {index}/{count}"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        shard
    };
    (1..=count).map(play).collect()
}

fn merge(into: &Path, from: &[&Path]) -> RunOutput {
    let from: Vec<String> = from.iter().map(|path| path.display().to_string()).collect();
    tournament(into, &format!("merge {} -o .", from.join(" ")))
}

#[test]
fn shards_make_the_whole_in_any_order() {
    let whole = folder(SMALL);
    let said = tournament(whole.path(), "run .").out;
    let shards = shards(3);
    let paths: Vec<&Path> = shards.iter().map(|shard| shard.path()).collect();
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let into = folder(SMALL);
        let ran = merge(into.path(), &order.map(|index| paths[index]));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(ran.out, said);
        assert_eq!(out(into.path()), out(whole.path()));
        // A merged folder is a tournament of its own, as if played there.
        assert_eq!(log(into.path()), log(whole.path()));
        let again = tournament(into.path(), "run .");
        assert!(again.err.contains("  0 blocks "), "{}", again.err);
    }
    // Only the missing part of a tournament is played.
    let into = folder(SMALL);
    assert_eq!(merge(into.path(), &[paths[0], paths[2]]).code, 5);
    let ran = tournament(into.path(), "run .");
    assert!(ran.err.contains("  4 blocks "), "{}", ran.err);
    assert!(ran.err.contains("12 of 12"), "{}", ran.err);
    assert_eq!(ran.out, said);
    assert_eq!(merge(into.path(), &[into.path()]).code, 0);
    assert_eq!(log(into.path()), log(whole.path()));
}

#[test]
fn missing_blocks_are_listed() {
    let shards = shards(3);
    let into = folder(SMALL);
    let ran = merge(into.path(), &[shards[0].path(), shards[2].path()]);
    assert_eq!(ran.code, 5, "{}", ran.err);
    assert!(
        ran.out.contains("partial: missing blocks 1, 4, 7, 10"),
        "{}",
        ran.out
    );
    assert!(ran.err.contains("risk-cli tournament run"), "{}", ran.err);
    assert!(ran.out.contains("8 of 12 blocks"), "{}", ran.out);
}

#[test]
fn blocks_in_two_logs_must_be_equal() {
    let whole = folder(SMALL);
    tournament(whole.path(), "run . -q");
    let into = folder(SMALL);
    let ran = merge(into.path(), &[whole.path(), whole.path()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("  12 blocks "), "{}", ran.err);

    // The third block has another result, and its sum is right.
    let other = folder(SMALL);
    let mut lines: Vec<String> = log(whole.path()).lines().map(str::to_owned).collect();
    let (body, _) = lines[2].rsplit_once(",\"sum\"").unwrap();
    let (head, digest) = body.rsplit_once("\"digest\":\"").unwrap();
    let body = format!("{head}\"digest\":\"0{}", &digest[1..]);
    let sum = risk_engine::record::sum("", &body);
    lines[2] = format!("{body},\"sum\":\"{sum}\"}}");
    fs::write(
        other.path().join("log.1-of-1.jsonl"),
        lines.join("\n") + "\n",
    )
    .unwrap();
    let ran = merge(into.path(), &[whole.path(), other.path()]);
    ran.refuses(2, "tournament::nondeterministic");
    let text = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("block 2 ") && text.contains("game 3 "),
        "{text}"
    );
    assert!(text.contains("risk-cli play --ruleset codelab"), "{text}");
    assert_eq!(log(into.path()), log(whole.path()));
}

#[test]
fn a_damaged_line_is_named() {
    let held = folder(SMALL);
    tournament(held.path(), "run . -q");
    let text = log(held.path());
    let path = held.path().join("log.1-of-1.jsonl");
    for damaged in [
        text.replacen("\"places\":[1", "\"places\":[2", 1),
        text.replacen("\"sum\":", "\"s\":", 1),
        text.replacen("{\"plan\"", "\u{fffd}{\"plan\"", 1),
    ] {
        assert_ne!(damaged, text);
        fs::write(&path, &damaged).unwrap();
        for command in ["run .", "report ."] {
            let ran = tournament(held.path(), command);
            ran.refuses(2, "tournament::log-damaged");
            assert!(ran.err.contains("line 1 of "), "{}", ran.err);
        }
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            damaged,
            "nothing is lost"
        );
    }
}

#[test]
fn another_plan_is_refused() {
    // The changed part of the plan, its old value and its new one.
    for (old, new, part) in [
        ("seed: 4", "seed: 5", ["seed ", "4", "5"]),
        (
            "max_turns: 30",
            "max_turns: 31",
            ["option max_turns ", "30", "31"],
        ),
        ("blocks: 12", "blocks: 13", ["blocks ", "12", "13"]),
        ("random", "holder", ["bot 0001 ", "random", "holder"]),
        ("grid:3x3", "grid:3x4", ["map ", "", ""]),
    ] {
        let held = folder(SMALL);
        tournament(held.path(), "run . -q");
        let path = held.path().join("tournament.yaml");
        fs::write(&path, SMALL.replace(old, new)).unwrap();
        for command in ["run .", "report .", "plan ."] {
            let ran = tournament(held.path(), command);
            ran.refuses(2, "tournament::plan-differs");
            let text = ran.err.replace("│ ", "");
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            // The words come in this order.
            let mut rest = text.as_str();
            for word in part {
                let found = rest.split_once(word);
                rest = found.unwrap_or_else(|| panic!("{word}: {text}")).1;
            }
        }
    }
}

#[test]
fn results_do_not_depend_on_the_way_to_the_folder() {
    let home = tempfile::tempdir().unwrap();
    let cup = home.path().join("a/cup");
    fs::create_dir_all(&cup).unwrap();
    fs::write(
        cup.join("tournament.yaml"),
        SMALL.replace("greedy]", "./mine.rhai]"),
    )
    .unwrap();
    fs::write(
        cup.join("mine.rhai"),
        "fn answer(view, ask) { if view.round > 2 { throw \"no\" } ask.random() }\n",
    )
    .unwrap();
    assert_eq!(tournament(&cup, "run . -q").code, 0);
    let here = out(&cup);
    // The command is for the tournament's own folder.
    let report: serde_json::Value = serde_json::from_str(&here[2].1).unwrap();
    let bots = report["bots"].as_array().unwrap();
    let mine = bots.iter().find(|bot| bot["name"] == "mine").unwrap();
    let command = mine["first_fault"]["command"].as_str().unwrap();
    assert!(command.contains("--bot ./mine.rhai"), "{command}");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let again = crate::support::run_in(&cup, &words);
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(tournament(home.path(), "report a/cup").code, 0);
    assert_eq!(out(&cup), here);
}

#[test]
fn a_changed_script_is_another_plan() {
    let held = folder(&SMALL.replace("greedy]", "./mine.rhai]"));
    let bot = held.path().join("mine.rhai");
    let part = held.path().join("part.rhai");
    fs::write(&part, "fn choose(ask) { ask.random() }\n").unwrap();
    let text = "import \"part\" as part;\nfn answer(view, ask) { part::choose(ask) }\n";
    fs::write(&bot, text).unwrap();
    let ran = tournament(held.path(), "run . -q");
    assert_eq!(ran.code, 0, "{}", ran.err);
    for (path, new) in [
        (&part, "fn choose(ask) { let one = ask.random(); one }\n"),
        (&bot, "fn answer(view, ask) { ask.random() }\n"),
    ] {
        let old = fs::read_to_string(path).unwrap();
        fs::write(path, new).unwrap();
        let ran = tournament(held.path(), "run .");
        ran.refuses(2, "tournament::plan-differs");
        assert!(
            ran.err.contains("bot 0003 ") && ran.err.contains("mine"),
            "{}",
            ran.err
        );
        fs::write(path, old).unwrap();
    }
    assert_eq!(tournament(held.path(), "run . -q").code, 0);
}

#[test]
fn forged_games_are_refused() {
    let held = folder(SMALL);
    tournament(held.path(), "run . -q");
    let text = log(held.path());
    let (first, rest) = text.split_once('\n').unwrap();
    let (body, _) = first.rsplit_once(",\"sum\"").unwrap();
    let block: serde_json::Value = serde_json::from_str(&format!("{body}}}")).unwrap();
    let most = serde_json::json!(u64::MAX);
    for (key, value) in [
        ("winners", serde_json::json!([1, 1])),
        ("winners", serde_json::json!([2, 1])),
        ("out_in_round", serde_json::json!([null, 4_000, null])),
        ("out_in_round", serde_json::json!([null, null])),
        ("winners", serde_json::json!([4])),
        ("places", serde_json::json!([0, 1, 2])),
        ("places", serde_json::json!([1, 2, 4_000_000_000_u32])),
        ("places", serde_json::json!([1, 2])),
        ("reason", serde_json::json!("x".repeat(20_000))),
        ("decisions", most.clone()),
        (
            "operations",
            serde_json::json!([null, null, { "all": most, "most": 1, "answers": [] }]),
        ),
        (
            "operations",
            serde_json::json!([null, null, { "all": 1, "most": 2, "answers": [] }]),
        ),
    ] {
        let mut forged = block.clone();
        forged["games"][0][key] = value;
        let line = serde_json::to_string(&forged).unwrap();
        let body = line.strip_suffix('}').unwrap();
        let sum = risk_engine::record::sum("", body);
        let text = format!("{body},\"sum\":\"{sum}\"}}\n{rest}");
        fs::write(held.path().join("log.1-of-1.jsonl"), text).unwrap();
        for command in ["report .", "run ."] {
            let ran = tournament(held.path(), command);
            ran.refuses(2, "tournament::not-this-plan");
            assert!(ran.err.contains("block 0 "), "{key}: {}", ran.err);
        }
    }
}

/// Returns the names of everything in a folder, in order.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// All files of a tournament go into a folder beside its file, and none into the current folder.
#[test]
fn a_file_has_a_folder_beside_it() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let cups = home.join("cups");
    fs::create_dir(&cups).unwrap();
    fs::write(cups.join("a.yaml"), SMALL).unwrap();
    fs::write(cups.join("b.yaml"), SMALL.replace("seed: 4", "seed: 5")).unwrap();
    for command in ["report", "verify"] {
        tournament(home, &format!("{command} cups/a.yaml")).refuses(2, "tournament::empty");
    }
    for (at, file) in [(home, "cups/a.yaml"), (cups.as_path(), "b.yaml")] {
        let ran = tournament(at, &format!("run {file} -q"));
        assert_eq!(ran.code, 0, "{file}: {}", ran.err);
    }
    let expected = ["a.tournament", "a.yaml", "b.tournament", "b.yaml"];
    assert_eq!(names_in(home), ["cups"]);
    assert_eq!(names_in(&cups), expected);
    let own = cups.join("a.tournament");
    let whole = folder(SMALL);
    assert_eq!(tournament(whole.path(), "run . -q").code, 0);
    assert_eq!(log(&own), log(whole.path()));
    assert_eq!(out(&own), out(whole.path()));
    // The file and its folder are the same tournament for every command.
    for place in ["cups/a.yaml", "cups/a.tournament"] {
        for command in ["run", "plan", "report", "verify", "merge"] {
            let ran = tournament(home, &format!("{command} {place}"));
            assert_eq!(ran.code, 0, "{command} {place}: {}", ran.err);
        }
    }
    assert_eq!(names_in(&cups), expected);
    assert_eq!(log(&own), log(whole.path()));
    let other = tournament(home, "merge cups/a.tournament --output cups/b.yaml");
    other.refuses(2, "tournament::plan-differs");
}

/// A merge creates the folder of a file, and the files that a report names can be used.
#[test]
fn shards_are_merged_into_the_folder_of_a_file() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fs::write(home.join("cup.yaml"), SMALL).unwrap();
    let parts = shards(2);
    let path = |part: usize| parts[part].path().display().to_string();
    let line = format!("merge {} --output cup.yaml", path(0));
    let ran = tournament(home, &line);
    assert_eq!(ran.code, 5, "{}", ran.err);
    assert!(ran.err.contains("tournament run cup.yaml"), "{}", ran.err);
    let line = format!("merge {} {} --output cup.yaml", path(0), path(1));
    let ran = tournament(home, &line);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(names_in(home), ["cup.tournament", "cup.yaml"]);
}

/// The file of a new tournament quotes its seed where YAML needs it. Only its owner can read the
/// file and the records.
#[test]
fn a_new_tournament_keeps_its_seed() {
    for seed in ["null", "007", "1e5", "true", "0x10", "no", "autumn-2026"] {
        let folder = tempfile::tempdir().unwrap();
        let line = format!(
            "tournament new T -r codelab --option max_turns=8 --bot random --bot name=b,bot=random --blocks 1 --seed {seed}"
        );
        let made = run_in(folder.path(), &words(&line));
        assert_eq!(made.code, 0, "{}", made.err);
        let file = folder.path().join("T/tournament.yaml");
        is_own(&file);
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("# records: true", "records: true")).unwrap();
        let ran = run_in(folder.path(), &words("tournament run T --quiet"));
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        let record = folder.path().join("T/records/000000-1.jsonl");
        is_own(&record);
        let record = std::fs::read_to_string(record).unwrap();
        assert!(record.contains(&format!("\"seed\":\"{seed}\"")), "{record}");
    }
}

/// Runs the program, which must end within a minute.
#[cfg(unix)]
fn ends(folder: &Path, line: &str) -> RunOutput {
    let mut command = assert_cmd::Command::cargo_bin("risk-cli").unwrap();
    let command = command.args(words(line)).current_dir(folder);
    let output = command.timeout(std::time::Duration::from_secs(60)).output();
    let output = output.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    RunOutput {
        out: text(output.stdout),
        err: text(output.stderr),
        code: output.status.code().unwrap(),
    }
}

#[cfg(unix)]
fn pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

/// A folder from a stranger may have a pipe without a writer, or a link, in place of its files. The
/// program doesn't wait for the pipe, and doesn't write through the link.
#[cfg(unix)]
#[test]
fn links_and_pipes_are_no_logs() {
    use std::os::unix::fs::symlink;
    let elsewhere = tempfile::tempdir().unwrap();
    let other = elsewhere.path().join("other");
    let ladder = "serve --ladder . --open --port 0 --ruleset codelab --map grid:3x3";
    for (name, line, code) in [
        ("log.1-of-1.jsonl", "tournament run . -q", "tournament::log"),
        (
            "timing.1-of-1.jsonl",
            "tournament run . -q",
            "tournament::log",
        ),
        ("people.jsonl", ladder, "ladder::journal"),
        ("log.jsonl", ladder, "tournament::log"),
    ] {
        let held = folder(SMALL);
        pipe(&held.path().join(name));
        let ran = ends(held.path(), line);
        ran.refuses(2, code);
        assert!(ran.err.contains(name), "{}", ran.err);
        let held = folder(SMALL);
        fs::write(&other, "precious").unwrap();
        symlink(&other, held.path().join(name)).unwrap();
        let ran = ends(held.path(), line);
        ran.refuses(2, code);
        assert!(ran.err.contains(name), "{}", ran.err);
        assert_eq!(fs::read_to_string(&other).unwrap(), "precious", "{name}");
    }
    // A pipe among logs that are only read doesn't block.
    let held = folder(SMALL);
    pipe(&held.path().join("log.1-of-2.jsonl"));
    ends(held.path(), "tournament report .").refuses(2, "tournament::log");
}

/// The same for linked folders, and for links in a folder of replays.
#[cfg(unix)]
#[test]
fn links_are_no_folders() {
    use std::os::unix::fs::symlink;
    let elsewhere = tempfile::tempdir().unwrap();
    let recorded = format!("{SMALL}records: true\n");
    for (name, code) in [("records", "tournament::log"), ("out", "tournament::write")] {
        let held = folder(&recorded);
        symlink(elsewhere.path(), held.path().join(name)).unwrap();
        let ran = ends(held.path(), "tournament run . -q");
        ran.refuses(2, code);
        assert!(ran.err.contains(name), "{}", ran.err);
    }
    let held = folder(&recorded);
    assert_eq!(tournament(held.path(), "run . -q").code, 0);
    symlink(elsewhere.path(), held.path().join("page.games")).unwrap();
    let page = "tournament report . --html page.html --replays 1";
    let ran = ends(held.path(), page);
    ran.refuses(2, "cli::write");
    assert!(ran.err.contains("page.games"), "{}", ran.err);
    assert!(!held.path().join("page.html").exists());
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    // A linked file in the folder of replays is not written through either.
    fs::remove_file(held.path().join("page.games")).unwrap();
    assert_eq!(tournament(held.path(), &page[11..]).code, 0);
    let mut replays = fs::read_dir(held.path().join("page.games")).unwrap();
    let replay = replays.next().unwrap().unwrap().path();
    fs::remove_file(&replay).unwrap();
    let other = elsewhere.path().join("other");
    fs::write(&other, "precious").unwrap();
    symlink(&other, &replay).unwrap();
    ends(held.path(), &format!("{page} --force")).refuses(2, "cli::write");
    assert_eq!(fs::read_to_string(&other).unwrap(), "precious");
}
