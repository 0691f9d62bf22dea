//! Attacks by hostile scripts: a match always goes on, and the program never crashes.

use std::fmt::Write as _;

use risk_maps::files::FileKind;
use risk_testing::games::library;

use crate::support::{run_in, words};

const ATTACKS: [(&str, &str); 48] = [
    (
        "read a file",
        "fn answer(view, ask) { open_file(\"/etc/passwd\"); ask.random() }",
    ),
    (
        "import a file of the machine",
        "import \"/etc/passwd\" as p;\nfn answer(view, ask) { ask.random() }",
    ),
    (
        "import a folder up",
        "import \"../secret\" as p;\nfn answer(view, ask) { ask.random() }",
    ),
    (
        "import inside a function",
        "fn answer(view, ask) { import \"secret\" as s; ask.random() }",
    ),
    (
        "import by a computed name",
        "import \"se\" + \"cret\" as s;\nfn answer(view, ask) { ask.random() }",
    ),
    (
        "read the clock",
        "fn answer(view, ask) { timestamp().elapsed; ask.random() }",
    ),
    (
        "sleep",
        "fn answer(view, ask) { sleep(1000); ask.random() }",
    ),
    ("exit", "fn answer(view, ask) { exit(3); ask.random() }"),
    (
        "read the environment",
        "fn answer(view, ask) { env(\"HOME\"); ask.random() }",
    ),
    (
        "run a program",
        "fn answer(view, ask) { system(\"true\"); ask.random() }",
    ),
    (
        "evaluate text",
        "fn answer(view, ask) { eval(\"1\"); ask.random() }",
    ),
    (
        "evaluate text by a pointer",
        "fn answer(view, ask) { let f = Fn(\"eval\"); f.call(\"1\"); ask.random() }",
    ),
    (
        "print",
        "fn answer(view, ask) { print(\"x\"); ask.random() }",
    ),
    (
        "change the game",
        "fn answer(view, ask) { view.add_armies(0, 100); ask.random() }",
    ),
    (
        "change its view",
        "fn answer(view, ask) { view.me = 1; ask.random() }",
    ),
    (
        "change an action",
        "fn answer(view, ask) { let a = ask.nth(0); a.at = 99; a }",
    ),
    (
        "see another's hand",
        "fn answer(view, ask) { view.cards(\"hand\").len() + view.get(1, \"hand\"); ask.random() }",
    ),
    (
        "see the deck",
        "fn answer(view, ask) { view.cards(\"deck\"); ask.random() }",
    ),
    (
        "a territory beyond the map",
        "fn answer(view, ask) { view.armies(9999999); ask.random() }",
    ),
    (
        "a negative territory",
        "fn answer(view, ask) { view.owner(-9223372036854775807); ask.random() }",
    ),
    (
        "a player beyond the table",
        "fn answer(view, ask) { view.get(400, \"reserve\"); ask.random() }",
    ),
    (
        "an option beyond the list",
        "fn answer(view, ask) { ask.nth(9223372036854775807) }",
    ),
    (
        "odds of a million armies",
        "fn answer(view, ask) { view.chance(1000000, 1000000); ask.random() }",
    ),
    (
        "a random number below nothing",
        "fn answer(view, ask) { view.random(0); ask.random() }",
    ),
    ("loop for ever", "fn answer(view, ask) { loop { } }"),
    (
        "loop for ever in a closure",
        "fn answer(view, ask) { [1].map(|x| { loop { } }); ask.random() }",
    ),
    (
        "loop in a filter of many",
        "fn answer(view, ask) { let a = []; a.pad(10000, 1); loop { a.filter(|x| x > 0); } }",
    ),
    (
        "recurse for ever",
        "fn answer(view, ask) { answer(view, ask) }",
    ),
    (
        "recurse in turns",
        "fn answer(view, ask) { a(view) }\nfn a(view) { b(view) }\nfn b(view) { a(view) }",
    ),
    (
        "a text without end",
        "fn answer(view, ask) { let s = \"x\"; loop { s += s; } }",
    ),
    (
        "an array without end",
        "fn answer(view, ask) { let a = []; loop { a.push(a.len()); } }",
    ),
    (
        "an array of arrays",
        "fn answer(view, ask) { let a = [1]; loop { a = [a, a]; } }",
    ),
    (
        "a map without end",
        "fn answer(view, ask) { let m = #{}; let i = 0; loop { m[`k${i}`] = i; i += 1; } }",
    ),
    (
        "memory that grows from turn to turn",
        "fn new_game(view) { this.all = []; }\nfn answer(view, ask) { let s = \"\"; s.pad(9000, 'x'); for i in 0..1000 { this.all.push(s + i); } ask.random() }",
    ),
    (
        "a number too large",
        "fn answer(view, ask) { 9223372036854775807 + 1; ask.random() }",
    ),
    (
        "divide by nothing",
        "fn answer(view, ask) { let n = 0; 1 % n; ask.random() }",
    ),
    (
        "shift too far",
        "fn answer(view, ask) { let n = 1 << 70; ask.random() }",
    ),
    (
        "an answer of a thousand thousand steps",
        "fn answer(view, ask) { let a = []; a.pad(1799, ask.nth(0)); a }",
    ),
    (
        "steer the terminal",
        "fn answer(view, ask) { throw \"\\x1b[2J\\x07\\r\"; }",
    ),
    (
        "steer the terminal by debug",
        "fn answer(view, ask) { debug(\"\\x1b]0;owned\\x07\"); ask.random() }",
    ),
    // Each counts as one operation, however much data it handles.
    (
        "copy without end",
        "fn answer(view, ask) { let a = []; a.pad(1700, 1); loop { let b = a; } }",
    ),
    (
        "hand much to a function",
        "fn f(x) { 1 }\nfn answer(view, ask) { let a = []; a.pad(1700, 1); loop { f(a); } }",
    ),
    (
        "copy from a nest",
        "fn answer(view, ask) { let a = []; a.pad(1700, 1); let c = [a]; loop { c[0]; } }",
    ),
    (
        "sort without end",
        "fn answer(view, ask) { let a = []; a.pad(1700, 1); loop { a.sort(); } }",
    ),
    (
        "turn without end",
        "fn answer(view, ask) { let a = []; a.pad(1700, 1); loop { a.reverse(); } }",
    ),
    (
        "search long texts",
        "fn answer(view, ask) { let s = \"\"; s.pad(3700, 'x'); let t = \"\"; t.pad(1900, 'x'); t += \"y\"; loop { s.contains(t); } }",
    ),
    (
        "split without end",
        "fn answer(view, ask) { let s = \"\"; s.pad(3700, 'x'); loop { s.split(\"x\"); } }",
    ),
    (
        "mix large maps",
        "fn answer(view, ask) { let m = #{}; for i in 0..480 { m[`k${i}`] = i; } let n = m; loop { m.mixin(n); } }",
    ),
];

fn outcome(script: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("b.rhai"), script).unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    let args = words(
        "play --seed 5 --bot ./b.rhai --bot outnumber --bot outnumber --option max_turns=9 --format json",
    );
    let ran = run_in(folder.path(), &args);
    let told = run_in(
        folder.path(),
        &[&args[..10], &["--option", "max_turns=3"]].concat(),
    );
    for text in [&ran.out, &ran.err, &told.out, &told.err] {
        assert!(
            !text.contains(['\u{1b}', '\u{7}', '\r']),
            "{script} steers the terminal"
        );
    }
    let place = ran.places().first().copied().unwrap_or_default();
    let first = match ran.codes()[..] {
        [] => "nothing".to_owned(),
        [code, ..] => format!("{code} {place}").trim_end().to_owned(),
    };
    match ran.code {
        0 => {
            let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
            let player = &value["players"][0];
            format!(
                "played, {} faults, then {}: {first}",
                player["faults"],
                player["status"].as_str().unwrap()
            )
        }
        2 => format!("not loaded: {first}"),
        code => panic!("{script}: exit code {code}\n{}", ran.err),
    }
}

#[test]
fn attacks_come_to_nothing() {
    let mut text = String::new();
    for (name, script) in ATTACKS {
        writeln!(text, "{name}\n    {}", outcome(script)).unwrap();
    }
    insta::assert_snapshot!(text);
}

/// A bot for any ruleset that uses all it may: events, random numbers, imagined games, plans and
/// memory. It fails at times, by its script and by its budget.
const CURIOUS: &str = r#"
fn new_game(view) { this.heard = 0; this.asked = 0; this.round = view.round; }
fn saw(event, view) {
    this.heard += 1 + view.round;
    if "player" in event { this.heard += event.player; }
    if this.heard % 997 == 0 { throw "it heard " + this.heard; }
}
fn answer(view, ask) {
    this.asked += 1;
    if this.asked % 41 == 0 { loop { } }
    if this.asked % 43 == 0 { view.armies(99999); }
    if this.asked % 47 == 0 { return 7; }
    let some = ask.random();
    if this.asked % 5 == 0 {
        let game = view.imagine();
        game.play_out("random", 1);
        this.heard += game.score(0);
    }
    let plans = ask.plans();
    if plans.len() > 0 && this.asked % 3 == 0 { return plans[this.heard % plans.len()]; }
    if (this.heard + view.random(10)) % 7 == 0 { ask.nth(0) } else { some }
}
fn game_over(view) { this.round = view.round; }
"#;

/// An isolated script sees only the data that it is handed; the games and the faults are the same.
#[test]
fn isolated_bots_play_the_same_games() {
    let games = [
        "hasbro --option max_turns=45 --bot grudge --bot turtle --bot greedy",
        "fog --option max_turns=20 --bot planner --bot dice-roller --bot greedy",
        "warzone --option fog=dense --option max_turns=30 --bot warlord --bot dice-roller",
        "starwars --bot starwars-shield --bot starwars-attack",
    ];
    let rulesets = library().names(FileKind::Ruleset);
    assert!(rulesets.len() > 10);
    let of_each = rulesets.into_iter().map(|name| {
        let ruleset = risk_engine::load_ruleset(library(), name).unwrap();
        let others = " --bot ./curious.rhai".repeat(ruleset.manifest.players.0 - 1);
        format!(
            "{name} --option max_turns=30 --strikes 12 --budget 40000 --bot ./curious.rhai{others}"
        )
    });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("curious.rhai"), CURIOUS).unwrap();
    let mut faults = 0;
    for game in games.into_iter().map(str::to_owned).chain(of_each) {
        let line = format!("play --quiet --force --seed 8 --format json --ruleset {game} --record");
        let play = |record: &str, more: &str| {
            let ran = run_in(folder.path(), &words(&format!("{line} {record} {more}")));
            assert_eq!(ran.code, 0, "{game} {more}: {}", ran.err);
            let record = std::fs::read_to_string(folder.path().join(record)).unwrap();
            (ran.out, record)
        };
        let alone = play("alone.jsonl", "");
        assert!(alone == play("apart.jsonl", "--isolate"), "{game}");
        faults += alone.1.matches("curious.rhai:").count();
    }
    assert!(faults > 20, "{faults} faults with lines");
}

#[test]
fn isolated_bots_that_fail_are_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let args = words(
        "play --quiet --seed 8 --isolate --bot ./b.rhai --bot random --bot random --option max_turns=9",
    );
    for (script, exit, code, place) in [
        (
            "fn answer(view, ask) { ask.randm() }",
            2,
            "script::unknown-function",
            Some("./b.rhai:1:28"),
        ),
        (
            "fn answer(view, ask) { loop { } }",
            0,
            "script::budget",
            Some("./b.rhai:1:4"),
        ),
        (
            "fn answer(view, ask) { view.armies(99) }",
            0,
            "script::failed",
            Some("./b.rhai:1:29"),
        ),
        ("fn answer(view, ask) { 3 }", 0, "bot::illegal", None),
    ] {
        std::fs::write(folder.path().join("b.rhai"), script).unwrap();
        let ran = run_in(folder.path(), &args);
        ran.refuses(exit, code);
        assert_eq!(ran.places(), Vec::from_iter(place), "{script}: {}", ran.err);
    }
}

/// An isolated process can open no file, write none, and has no more memory than it needs.
#[cfg(target_os = "linux")]
#[test]
fn an_isolated_process_is_held_in() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("risk-cli"))
        .args(words(
            "isolated --ruleset hasbro --map hacker-risk --players 3 --budget 300000 -- greedy",
        ))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let hello = "{\"type\":\"hello\",\"protocol\":1}\n";
    let input = child.stdin.as_mut().unwrap();
    std::io::Write::write_all(input, hello.as_bytes()).unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let hello = lines.next().unwrap().unwrap();
    assert!(hello.contains("\"course\""), "{hello}");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
    let limit = |name: &str| {
        let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
        line[name.len()..]
            .split_ascii_whitespace()
            .next()
            .unwrap()
            .to_owned()
    };
    let held: Vec<String> = [
        "Max open files",
        "Max file size",
        "Max processes",
        "Max address space",
    ]
    .map(limit)
    .to_vec();
    assert_eq!(held, ["0", "0", "0", "1073741824"]);
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The games of a block share their dice, which is fair only among bots without memory of earlier
/// games. Scripts have none, whether isolated or not.
#[test]
fn scripts_remember_no_game() {
    let folder = tempfile::tempdir().unwrap();
    let bot = "fn new_game(view) { this.games = if \"games\" in this { this.games + 1 } else { 1 }; this.asked = 0; }\n\
               fn answer(view, ask) { this.asked += 1; if this.games > 1 { throw \"I remember\"; } ask.random() }\n\
               fn game_over(view) { this.games += 1; }\n";
    std::fs::write(folder.path().join("m.rhai"), bot).unwrap();
    let line = "play --games 3 --seed 1 -j 1 --option max_turns=6 --format json --bot ./m.rhai --bot ./m.rhai --bot random";
    for more in [&[][..], &["--isolate"]] {
        let ran = run_in(folder.path(), &[&words(line)[..], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        for bot in value["bots"].as_array().unwrap() {
            assert_eq!(bot["faults"], 0, "{more:?}: {bot}\n{}", ran.err);
        }
    }
}
