//! Tools for scripts: faults in full, `debug`, `--profile`, `replay --at`, completions and manuals.

use crate::support::{RunOutput, run, run_in, words};

fn with_bot(text: &str, args: &[&str]) -> (tempfile::TempDir, RunOutput) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("b.rhai"), text).unwrap();
    let ran = run_in(folder.path(), args);
    (folder, ran)
}

const FAILS: &str = "fn answer(view, ask) {\n    if view.turn == 8 { help(view); }\n    ask.random()\n}\nfn help(view) { view.armies(99) }\n";

/// The fault names its place in the script and in the game, and a command that reproduces it.
#[test]
fn a_fault_is_told_in_full_and_can_be_seen_again() {
    let args =
        words("play --quiet --seed 4 --bot random --bot ./b.rhai --bot random --record g.jsonl");
    let (folder, ran) = with_bot(FAILS, &[&args[..], &["--option", "max_turns=12"]].concat());
    assert_eq!(ran.code, 0);
    ran.refuses(0, "script::failed");
    assert_eq!(ran.places(), ["./b.rhai:5:22"], "{}", ran.err);
    let chain = words(&ran.err).join(" ");
    assert!(chain.contains("`answer` → `help`"), "{chain}");
    let command = ran
        .err
        .split('`')
        .find(|part| part.starts_with("risk-cli replay"))
        .unwrap()
        .replace("\n        ", " ");
    let again = run_in(folder.path(), &words(&command)[1..]);
    again.refuses(1, "script::failed");
    assert_eq!(again.places(), ["./b.rhai:5:22"], "{}", again.err);
    // In a series of games: the first fault of each player.
    let many = words(
        "play --games 6 --seed 4 --option max_turns=12 --bot random --bot ./b.rhai --bot random",
    );
    let ran = run_in(folder.path(), &many);
    let told = words(&ran.err).join(" ");
    assert_eq!(ran.codes()[0], "script::failed", "{told}");
    assert!(told.contains("territory 99"), "{told}");
    assert!(
        told.contains("--option max_turns=12 --seed 4 --bot random --bot ./b.rhai --bot random"),
        "{told}"
    );
    assert!(
        told.contains("--record game.jsonl`") && told.contains("`risk-cli replay"),
        "{told}"
    );
}

/// A bot asked again has the same view and options, and gives the same answer.
#[test]
fn a_bot_is_asked_again() {
    let bot = "fn new_game(view) { this.asked = 0; }\nfn answer(view, ask) { this.asked += 1; debug(this.asked); ask.nth(0) }\n";
    let args =
        words("play --quiet --seed 4 --bot ./b.rhai --bot random --bot random --record g.jsonl");
    let (folder, _) = with_bot(bot, &[&args[..], &["--option", "max_turns=4"]].concat());
    let ran = run_in(
        folder.path(),
        &["replay", "g.jsonl", "--at", "7", "--bot", "./b.rhai"],
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!("asked_again", ran.out);
    let recorded = ran
        .out
        .lines()
        .find_map(|line| line.strip_prefix("  in the record   "))
        .unwrap();
    assert!(
        ran.out.contains(&format!("b says          {recorded}\n")),
        "{}",
        ran.out
    );
    let shown = run_in(folder.path(), &["replay", "g.jsonl", "--at", "7"]);
    let (before, _) = ran.out.split_once("  debug ").unwrap();
    assert_eq!(
        (shown.code, shown.out.as_str()),
        (0, before),
        "nobody is asked"
    );
    for (args, code, name) in [
        (
            &["replay", "g.jsonl", "--at", "99999", "--bot", "greedy"][..],
            "cli::at",
            "99999",
        ),
        (
            &["replay", "g.jsonl", "--at", "7", "--bot", "gredy"],
            "load::unknown",
            "`greedy`",
        ),
    ] {
        let ran = run_in(folder.path(), args);
        ran.refuses(2, code);
        assert!(ran.err.contains(name), "{args:?}: {}", ran.err);
    }
    // The parser of arguments has no codes.
    let ran = run_in(
        folder.path(),
        &["replay", "g.jsonl", "--at", "0", "--bot", "greedy"],
    );
    assert!(ran.code == 2 && ran.err.contains("--at"), "{}", ran.err);
}

/// `debug` prints in place in one game, never in a series, and only a limited amount.
#[test]
fn debug_is_told_in_one_game() {
    let bot = "fn answer(view, ask) {\n    debug(`turn ${view.turn}`);\n    debug(\"\\x1b[2J\");\n    ask.random()\n}\n";
    let args = [
        "play",
        "--seed",
        "4",
        "--bot",
        "./b.rhai",
        "--bot",
        "random",
        "--bot",
        "random",
        "--option",
        "max_turns=3",
    ];
    let (folder, ran) = with_bot(bot, &args);
    assert!(
        ran.out.contains("./b.rhai:2: \"turn 1\"") && !ran.out.contains('\u{1b}'),
        "{}",
        ran.out
    );
    let quiet = run_in(folder.path(), &[&args[..], &["--quiet"]].concat());
    assert!(
        !quiet.out.contains("b.rhai:2") && quiet.err.contains("./b.rhai:2: \"turn 1\""),
        "{}",
        quiet.err
    );
    let many = run_in(folder.path(), &[&args[..], &["--games", "3"]].concat());
    assert!(
        !many.out.contains("b.rhai:2") && !many.err.contains("b.rhai:2"),
        "{}",
        many.err
    );
    let digest = |ran: &RunOutput| ran.out.split("digest ").nth(1).unwrap().to_owned();
    std::fs::write(
        folder.path().join("b.rhai"),
        "fn answer(view, ask) { ask.random() }",
    )
    .unwrap();
    assert_eq!(digest(&run_in(folder.path(), &args)), digest(&ran));
    std::fs::write(
        folder.path().join("b.rhai"),
        "fn answer(view, ask) { for i in 0..5000 { debug(i); } ask.random() }",
    )
    .unwrap();
    let ran = run_in(folder.path(), &args);
    assert!(ran.err.contains("debug messages") && ran.out.len() + ran.err.len() < 4_000_000);
}

/// Operations by function and line add up, and the line with the most comes first.
#[test]
fn a_profile_shows_where_operations_go() {
    let bot = "fn answer(view, ask) {\n    let sum = 0;\n    for i in 0..100 { sum += i; }\n    if sum > 0 { cheap(ask) } else { ask.nth(0) }\n}\nfn cheap(ask) { ask.random() }\n";
    let args = words(
        "play --quiet --profile --seed 4 --bot ./b.rhai --bot random --bot random --option max_turns=6",
    );
    let (folder, ran) = with_bot(bot, &args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines = ran.out.split("lines ──").nth(1).unwrap();
    let hot = lines.lines().nth(1).unwrap();
    assert!(
        hot.contains("./b.rhai:3") && hot.contains("for i in 0..100"),
        "{}",
        ran.out
    );
    let all: u64 = ran
        .out
        .lines()
        .find(|line| line.contains(" answer ./b.rhai"))
        .unwrap()
        .split_ascii_whitespace()
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let calls = |name: &str| {
        let line = ran
            .out
            .split("── ")
            .find(|part| part.starts_with("functions"))
            .unwrap()
            .lines()
            .find(|line| line.contains(&format!("calls  {name}")))
            .unwrap();
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        (
            words[0].parse::<u64>().unwrap(),
            words[2].parse::<u64>().unwrap(),
        )
    };
    let answer = calls("answer");
    let cheap = calls("cheap");
    assert_eq!(
        answer.1, cheap.1,
        "each answer calls cheap once\n{}",
        ran.out
    );
    assert!(
        answer.0 + cheap.0 <= all && (answer.0 + cheap.0) * 10 > all * 9,
        "{answer:?} {cheap:?} of {all}\n{}",
        ran.out
    );
    // The same game as without, and the same figures with several threads.
    let digest = |ran: &RunOutput| ran.out.split("digest ").nth(1).unwrap()[..16].to_owned();
    let without: Vec<&str> = args
        .iter()
        .copied()
        .filter(|&arg| arg != "--profile")
        .collect();
    assert_eq!(digest(&run_in(folder.path(), &without)), digest(&ran));
    let many = |jobs: &str| {
        let args: Vec<&str> = args
            .iter()
            .copied()
            .filter(|&arg| arg != "--quiet")
            .chain(["--games", "4", "-j", jobs])
            .collect();
        run_in(folder.path(), &args).out
    };
    assert_eq!(many("1"), many("2"));
}

#[test]
fn completions_know_names_and_manuals_all_commands() {
    for shell in ["powershell", "elvish"] {
        assert!(
            run(&["completions", shell]).out.contains("ruleset"),
            "{shell}"
        );
    }
    for shell in ["bash", "zsh", "fish"] {
        let ran = run(&["completions", shell]);
        assert_eq!(ran.code, 0);
        for name in ["warzone", "hacker-risk", "outnumber", "ruleset"] {
            assert!(ran.out.contains(name), "{shell} does not know {name}");
        }
    }
    // The script for bash is valid, and completes.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("c.bash"),
        run(&["completions", "bash"]).out,
    )
    .unwrap();
    let words = "source ./c.bash; COMP_WORDS=(risk-cli play --ruleset w); COMP_CWORD=3; _risk-cli risk-cli w --ruleset; echo \"${COMPREPLY[@]}\"";
    let output = std::process::Command::new("bash")
        .args(["-c", words])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "warlight1 warlight2 warzone\n"
    );
    assert!(run(&["man"]).out.contains(".TH risk-cli 1"));
    let ran = run_in(folder.path(), &["man", "--dir", "man"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for page in [
        "risk-cli.1",
        "risk-cli-play.1",
        "risk-cli-bot-check.1",
        "risk-cli-map-validate.1",
    ] {
        assert!(folder.path().join("man").join(page).is_file(), "{page}");
    }
}
