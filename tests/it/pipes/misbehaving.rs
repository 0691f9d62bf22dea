//! A misbehaving program: the fault is described, the game goes on for the others, and no process
//! is left running.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use super::{has, play, put};

/// A mode of the bot, the exit code of the match, and the expected finding: its code and a part of
/// it, words of the bot or a number. Both are empty if nothing is wrong.
type Case = (&'static str, i32, &'static str, &'static str);

const ROWS: [Case; 59] = [
    ("hello-never", 2, "bot::unreachable", " 10 s"),
    ("hello-exit", 2, "bot::unreachable", "code 3"),
    ("hello-garbage", 2, "bot::unreachable", "`hi there`"),
    ("hello-list", 2, "bot::unreachable", "`[]`"),
    ("hello-later", 2, "bot::unreachable", "`{\"protocol\": 2}`"),
    (
        "hello-without",
        2,
        "bot::unreachable",
        "`{\"type\": \"hello\"}`",
    ),
    ("hello-wants", 2, "bot::unreachable", "`wants`"),
    ("hello-refuses", 2, "bot::refuses", "no memory"),
    ("hello-refuses-nothing", 2, "bot::unreachable", "`refuses`"),
    ("hello-float", 0, "", ""),
    ("hello-more", 0, "", ""),
    ("hello-twice", 0, "", ""),
    ("binary", 0, "bot::illegal", "JSON"),
    ("null", 0, "bot::illegal", "`null`"),
    ("empty", 0, "bot::illegal", "JSON"),
    ("text", 0, "bot::illegal", "`thinking ...`"),
    ("deep", 0, "bot::illegal", "JSON"),
    ("id-text", 0, "bot::illegal", "\"1\""),
    ("id-float", 0, "", ""),
    ("id-old", 0, "bot::hung", " 1 s"),
    ("id-next", 0, "bot::hung", " 1 s"),
    ("id-none", 0, "bot::illegal", "`id`"),
    ("id-huge", 0, "bot::illegal", "99999999999999999999"),
    ("do-none", 0, "bot::illegal", "`do`"),
    ("do-empty", 0, "bot::illegal", "`do`"),
    ("do-number", 0, "bot::illegal", "`do`"),
    ("do-verb", 0, "bot::illegal", "`atack`"),
    ("do-few", 0, "bot::illegal", "(at, armies)"),
    ("do-place", 0, "bot::illegal", "`\"atlantis\"`"),
    ("do-fraction", 0, "bot::illegal", "`0.5`"),
    ("do-many", 0, "bot::illegal", "10000"),
    ("do-second", 0, "bot::illegal", "`atack`"),
    ("do-object", 0, "bot::illegal", "`do`"),
    ("do-not-offered", 0, "bot::illegal", "2000000000"),
    ("fault-told", 0, "bot::script", "a.py:3:7"),
    ("fault-kind", 0, "bot::illegal", "`timeout`"),
    ("fault-text", 0, "bot::illegal", "`fault`"),
    ("fault-long", 0, "bot::illegal", "65536"),
    ("key-twice", 0, "bot::illegal", "`id`"),
    ("twice", 0, "", ""),
    ("three-old", 0, "", ""),
    ("crlf", 0, "", ""),
    ("more-keys", 0, "", ""),
    ("float", 0, "", ""),
    ("long-line", 0, "bot::connection", "1048576"),
    ("half-line", 0, "bot::hung", " 1 s"),
    ("half-exit", 0, "bot::illegal", "JSON"),
    ("flood", 0, "bot::illegal", "JSON"),
    ("flood-old", 0, "bot::connection", "10000"),
    ("sleep", 0, "bot::hung", " 1 s"),
    ("late", 0, "bot::hung", " 1 s"),
    ("stop", 0, "bot::hung", " 1 s"),
    ("exit-0", 0, "bot::connection", "code 0"),
    ("signal", 0, "bot::connection", "signal 11"),
    ("traceback", 0, "bot::connection", "`KeyError: 'alaska'`"),
    (
        "stack-trace",
        0,
        "bot::connection",
        "`Exception in thread \"main\" Oops: alaska`",
    ),
    ("close-out", 0, "bot::connection", ""),
    ("close-in", 0, "bot::hung", " 1 s"),
    ("stderr-flood", 0, "", ""),
];

/// Rows that need the keeper, which only Linux has.
const KEPT: [Case; 6] = [
    ("daemon", 0, "", ""),
    ("ignore-all", 0, "", ""),
    ("orphan", 0, "bot::connection", "code 0"),
    (
        "kill-keeper",
        0,
        "bot::connection",
        "Operation not permitted",
    ),
    ("fork-bomb", 0, "bot::connection", " 256 "),
    ("many-processes", 0, "bot::connection", " 256 "),
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
    rows.retain(|(mode, ..)| *mode != "kill-keeper" || risk_wire::transport::has_sandbox());
    let rows = Mutex::new(rows);
    let wrong = Mutex::new(BTreeSet::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let Some(row) = rows.lock().unwrap().pop() else {
                        return;
                    };
                    if let Err(all) = check(folder.path(), row) {
                        wrong.lock().unwrap().insert(all);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Plays one row. Returns the output if it differs from what is expected.
fn check(folder: &std::path::Path, (mode, exit, code, part): Case) -> Result<(), String> {
    // Where no bot should hang, a busy machine may need more time.
    let may_hang = mode == "hello-never" || code == "bot::hung";
    let seconds = if may_hang { 1 } else { 20 };
    let bot =
        format!("name=bot,bot=cmd:python3 misbehaving.py {mode},sandbox=open,timeout={seconds}");
    let ran = play(folder, &bot, &[]);
    let codes: Vec<&str> = Some(code)
        .filter(|code| !code.is_empty())
        .into_iter()
        .collect();
    let is_named = match code {
        "" => ran.err.is_empty(),
        _ => one_line(&ran.err).contains(part),
    };
    if ran.code == exit && ran.codes() == codes && is_named && is_over(folder, mode) {
        return Ok(());
    }
    Err(format!("{mode}: {} {}\n{}", ran.code, ran.err, ran.out))
}

/// Returns a message without its line breaks and bars.
pub(super) fn one_line(text: &str) -> String {
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

/// The mark that some systems write before all output is skipped before the first line, and only
/// there.
#[test]
fn a_byte_order_mark_is_skipped_before_the_first_line() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let bot = "import json, sys\n\
        out = sys.stdout.buffer\n\
        def pick(domain): return domain[0] if isinstance(domain, list) else domain['min']\n\
        def say(first, message):\n    \
            out.write((b'\\xef\\xbb\\xbf' if first in sys.argv[1:] else b'') + json.dumps(message).encode() + b'\\n')\n    \
            out.flush()\n\
        for line in sys.stdin:\n    \
            message = json.loads(line)\n    \
            if message['type'] == 'hello': say('hello', {'protocol': 1})\n    \
            if message['type'] == 'ask': \n        \
                offer = message['options'][-1]\n        \
                say('answer', {'id': message['id'], 'do': [offer['verb']] + [pick(d) for d in offer['parameters']]})\n";
    put(folder.path(), "mark.py", bot);
    for (marked, faults) in [("none", false), ("hello", false), ("answer", true)] {
        let ran = play(
            folder.path(),
            &format!("cmd:python3 mark.py {marked}"),
            &["--quiet"],
        );
        assert_eq!(ran.code, 0, "{marked}: {}", ran.err);
        assert_eq!(!ran.codes().is_empty(), faults, "{marked}: {}", ran.err);
    }
}
