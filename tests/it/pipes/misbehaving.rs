//! A misbehaving program: the fault is described, the game goes on for the others, and no process
//! is left running.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use super::{has, play, put};

/// The bot's mode, the exit code of the match, and the expected text; empty where nothing is wrong.
const ROWS: [(&str, i32, &str); 59] = [
    ("hello-never", 2, "no answer within 10 s: the bot hangs"),
    (
        "hello-exit",
        2,
        "the bot is gone: it has ended with exit code 3",
    ),
    ("hello-garbage", 2, "the answer to `hello` is not JSON"),
    ("hello-list", 2, "the bot's `hello` has no `protocol`"),
    ("hello-later", 2, "the bot speaks version 2 of the protocol"),
    ("hello-without", 2, "the bot's `hello` has no `protocol`"),
    (
        "hello-wants",
        2,
        "`wants` in the bot's `hello` is not a list",
    ),
    ("hello-refuses", 2, "bot::refuses"),
    ("hello-refuses-nothing", 2, "bot::unreachable"),
    ("hello-float", 0, ""),
    ("hello-more", 0, ""),
    ("hello-twice", 0, ""),
    ("binary", 0, "the answer is not JSON"),
    ("null", 0, "the answer is not an object"),
    ("empty", 0, "the answer is not JSON"),
    ("text", 0, "the answer is not JSON"),
    ("deep", 0, "the answer is not JSON"),
    ("id-text", 0, "and the question"),
    ("id-float", 0, ""),
    ("id-old", 0, "the bot hangs, and is started again"),
    ("id-next", 0, "the bot hangs, and is started again"),
    ("id-none", 0, "the answer has no `id`"),
    ("id-huge", 0, "and the question"),
    ("do-none", 0, "the answer has no `do`"),
    ("do-empty", 0, "`do` is empty"),
    ("do-number", 0, "`do` is neither an action nor a list"),
    ("do-verb", 0, "there is no verb `atack`"),
    ("do-few", 0, "parameters"),
    ("do-place", 0, "`\"atlantis\"` is not a territory"),
    ("do-fraction", 0, "`0.5` is not a territory"),
    ("do-many", 0, "more than 10000 actions"),
    ("do-second", 0, "there is no verb `atack`"),
    ("do-object", 0, "`do` is neither an action nor a list"),
    ("do-not-offered", 0, "first of 2 faults"),
    ("fault-told", 0, "a.py:3:7: no memory"),
    (
        "fault-kind",
        0,
        "`timeout` is not a fault that a bot can say it made",
    ),
    ("fault-text", 0, "`fault` is not as it should be"),
    ("fault-long", 0, "`fault` is longer than 65536 bytes"),
    ("key-twice", 0, "the key `id` is given twice"),
    ("twice", 0, ""),
    ("three-old", 0, ""),
    ("crlf", 0, ""),
    ("more-keys", 0, ""),
    ("float", 0, ""),
    ("long-line", 0, "more than 1048576 bytes in one line"),
    ("half-line", 0, "the bot hangs, and is started again"),
    ("half-exit", 0, "the answer is not JSON"),
    ("flood", 0, "the answer is not JSON"),
    ("flood-old", 0, "10000 lines, and no answer"),
    ("sleep", 0, "the bot hangs, and is started again"),
    ("late", 0, "the bot hangs, and is started again"),
    ("stop", 0, "the bot hangs, and is started again"),
    ("exit-0", 0, "it has ended with exit code 0"),
    ("signal", 0, "it was ended by signal 11"),
    (
        "traceback",
        0,
        "the last that it said aside is `KeyError: 'alaska'`",
    ),
    (
        "stack-trace",
        0,
        "said aside is `Exception in thread \"main\" Oops: alaska`",
    ),
    ("close-out", 0, "the bot is gone"),
    ("close-in", 0, "the bot hangs, and is started again"),
    ("stderr-flood", 0, ""),
];

/// Rows that need the keeper, which only Linux has.
const KEPT: [(&str, i32, &str); 6] = [
    ("daemon", 0, ""),
    ("ignore-all", 0, ""),
    ("orphan", 0, "it has ended with exit code 0"),
    ("kill-keeper", 0, "Operation not permitted"),
    ("fork-bomb", 0, "it has more than 256 processes"),
    ("many-processes", 0, "it has more than 256 processes"),
];

#[test]
fn whatever_a_program_does_the_game_goes_on() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(
        folder.path(),
        "misbehaving.py",
        include_str!("misbehaving.py"),
    );
    let mut rows = ROWS.to_vec();
    if cfg!(target_os = "linux") {
        rows.extend(KEPT);
    }
    // Signals are confined to the bot only where there are walls.
    rows.retain(|(mode, ..)| *mode != "kill-keeper" || risk_wire::transport::has_walls());
    let rows = Mutex::new(rows);
    let wrong = Mutex::new(BTreeSet::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let Some((mode, code, text)) = rows.lock().unwrap().pop() else {
                        return;
                    };
                    // Where no bot should hang, a busy machine may need more time.
                    let seconds = if text.contains("hangs") { 1 } else { 20 };
                    let bot =
                        format!("name=bot,bot=cmd:python3 misbehaving.py {mode},sandbox=open,timeout={seconds}");
                    let ran = play(folder.path(), &bot, &[]);
                    let told = one_line(&ran.err);
                    let is_told = if text.is_empty() {
                        told.is_empty()
                    } else {
                        told.contains(text)
                    };
                    if ran.code != code || !is_told || !is_over(folder.path(), mode) {
                        let all = format!("{mode}: {} {}\n{}", ran.code, ran.err, ran.out);
                        wrong.lock().unwrap().insert(all);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns a message without its line breaks and bars.
fn one_line(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| *word != "│");
    words.collect::<Vec<_>>().join(" ")
}

/// Reports whether all processes of the bot end, including those that it started.
fn is_over(folder: &std::path::Path, mode: &str) -> bool {
    let told = std::fs::read_to_string(folder.join(format!("pids.{mode}"))).unwrap_or_default();
    let lives = |pid: &&str| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.contains("misbehaving") || (stat.contains("(python3") && !stat.contains(") Z "))
    };
    for _ in 0..100 {
        if told.lines().filter(lives).count() == 0 {
            return !told.is_empty();
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    false
}
