//! The permissions of a program in a sandbox; docs/protocol.md has the same table.

use std::path::Path;

use crate::programs::skip;
use crate::support::words;

use super::{has, put};

const PROBE: &str = include_str!("probe.py");

/// Whether a program may do it with the sandbox on, open and off.
const TABLE: &[(&str, [bool; 3])] = &[
    ("read what it is made of", [true, true, true]),
    ("read the folder that read= names", [true, true, true]),
    ("write into a folder of its own", [true, true, true]),
    ("start a program of the system", [true, true, true]),
    ("join two sockets of its own", [true, true, true]),
    ("begin a session of its own", [false, true, true]),
    ("read a file beside", [false, true, true]),
    ("read a home", [false, true, true]),
    ("write where it was started", [false, true, true]),
    ("write beside its program", [false, true, true]),
    ("list the temporary folder", [false, true, true]),
    ("open a socket to the network", [false, true, true]),
    ("open a socket of the machine", [false, true, true]),
    ("open a socket to the kernel", [false, true, true]),
    ("read the environment of its keeper", [false, true, true]),
    ("send a signal to its keeper", [false, false, true]),
    ("send a signal above its keeper", [false, false, true]),
    ("begin asynchronous calls", [false, true, true]),
    ("read a secret of ours", [false, false, false]),
    ("read a variable that env= names", [true, true, true]),
];

/// Attempts that the sandbox refuses. Elsewhere they would do harm, or be for others to allow.
const REFUSED: &[&str] = &[
    "read the system's secrets",
    "change who may use its program",
    "change who may use its program, by a newer call",
    "remove its program",
    "limit its keeper",
    "trace its keeper",
];

fn probed(folder: &Path, sandbox: &str) -> String {
    std::fs::create_dir_all(folder.join("bots")).unwrap();
    put(&folder.join("bots"), "probe.py", PROBE);
    for (name, file) in [("given", "open.txt"), ("secret", "hidden.txt")] {
        std::fs::create_dir_all(folder.join(name)).unwrap();
        put(&folder.join(name), file, "text\n");
    }
    let line = format!(
        "play -r codelab -m duel --seed 1 -o max_turns=4 --quiet --bot random --bot-log {sandbox} --seats fixed --bot"
    );
    let bot = format!(
        "name=probe,bot=cmd:python3 bots/probe.py {sandbox},sandbox={sandbox},read=given,env=GIVEN"
    );
    let ran = assert_cmd::Command::cargo_bin("risk-cli")
        .unwrap()
        .args(words(&line))
        .arg(&bot)
        .current_dir(folder)
        .env("RISK_CLI_SECRET", "correct-horse")
        .env("GIVEN", "here")
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    std::fs::read_to_string(folder.join(sandbox).join("game-0.probe.log")).unwrap()
}

#[test]
fn what_a_program_may_do_is_in_the_table() {
    if !risk_wire::transport::sandbox::are_possible() {
        skip("Landlock of Linux 6.12");
        return;
    }
    if !has("python3") {
        return;
    }
    for (at, sandbox) in ["on", "open", "off"].into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let told = probed(folder.path(), sandbox);
        for (attempt, may) in TABLE {
            let word = if may[at] { "done" } else { "refused" };
            let row = format!("{attempt}: {word}");
            assert!(
                told.lines().any(|line| line == row),
                "{sandbox}: {row}\n{told}"
            );
        }
        for attempt in REFUSED.iter().filter(|_| sandbox == "on") {
            let row = format!("{attempt}: refused");
            assert!(told.lines().any(|line| line == row), "{row}\n{told}");
        }
    }
}

/// Files that can't be counted end a bot, and are removed after it.
#[test]
fn hidden_files_are_removed() {
    if !risk_wire::transport::sandbox::are_possible() {
        skip("Landlock of Linux 6.12");
        return;
    }
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "hiding.py", include_str!("hiding.py"));
    let temporary = folder.path().join("temporary");
    std::fs::create_dir(&temporary).unwrap();
    for (mode, is_stopped) in [
        ("deep", true),
        ("shut", false),
        ("unlinked", true),
        ("links", false),
    ] {
        let line =
            "play -r codelab -m duel --seed 1 -o max_turns=2 --quiet --bot random --strikes 1";
        // A busy machine needs long to write 512 MiB; bots that aren't stopped never answer.
        let timeout = if is_stopped { 60 } else { 2 };
        let bot = format!("name=bot,bot=cmd:python3 hiding.py {mode},timeout={timeout}");
        let ran = assert_cmd::Command::cargo_bin("risk-cli")
            .unwrap()
            .args(words(line))
            .args(["--bot", &bot])
            .current_dir(folder.path())
            .env("TMPDIR", &temporary)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        let said = said.replace(['\n', '│'], " ");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(ran.status.success(), "{mode}: {said}");
        let is_named = said.contains("bot::connection") && said.contains("512 MiB");
        assert!(is_named || !is_stopped, "{mode}: {said}");
        let left = |_| std::fs::read_dir(&temporary).unwrap().count() > 0;
        let pause = |_| std::thread::sleep(std::time::Duration::from_millis(50));
        // The keeper may end later than the game.
        let is_left = (0..200).take_while(|at| left(*at)).map(pause).count() == 200;
        assert!(!is_left, "{mode} has left files behind");
    }
}

/// On a system without walls, programs of the user play with limits alone and a warning; programs
/// on which strangers play are refused.
#[test]
fn without_walls_it_is_said_or_refused() {
    if !cfg!(target_os = "linux") || !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(
        folder.path(),
        "without.py",
        include_str!("without_walls.py"),
    );
    let program = assert_cmd::cargo::cargo_bin("risk-cli");
    let serve = format!(
        "name=served,bot=cmd:{} bot serve random --protocol json --stdio",
        program.display()
    );
    let run = |line: &str, bot: &str| {
        let mut command = assert_cmd::Command::new("python3");
        let command = command.arg("without.py").arg(&program).args(words(line));
        command
            .args(Some(bot).filter(|bot| !bot.is_empty()))
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    for (line, bot, code, told) in [
        (
            "play -r codelab -m duel --seed 1 --quiet --bot random --bot",
            serve.as_str(),
            0,
            "sandbox=open",
        ),
        (
            "compare -r codelab -m duel --seed 1 -o max_turns=4 --max-blocks 12 random",
            &serve,
            4,
            "sandbox=open",
        ),
        (
            "serve --protocol json -r codelab --players 2 --port 0 --bot",
            &serve,
            2,
            "serve::walls",
        ),
        ("serve --ladder L --open --port 0", "", 2, "serve::walls"),
    ] {
        let ran = run(line, bot);
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(code), "{line}: {said}");
        assert_eq!(said.matches(told).count(), 1, "{line}: {said}");
    }
}
