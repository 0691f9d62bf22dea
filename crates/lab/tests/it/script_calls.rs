//! Script calls that are easy to get wrong: what a check finds, by reading and by playing.

use std::path::Path;

use risk_engine::{FirstFaults, Worker};
use risk_lab::check::{self, BotTrial, Report};
use risk_testing::games::{library, setup};
use risk_text::diag::{Finding, Level};

fn with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Checks a bot of the folder in games of a ruleset.
fn checked(folder: &Path, ruleset: &str, games: u64) -> Report {
    let trial = BotTrial {
        ruleset,
        alone: false,
        against: "random",
        games: Some(games),
    };
    let path = folder.join("s.rhai").display().to_string();
    check::bot(library(), &path, &trial)
}

/// Returns the line and the column of a finding.
fn place(finding: &Finding) -> (usize, usize) {
    finding.place.as_ref().unwrap().line_column()
}

/// Returns everything that a finding says.
fn said(finding: &Finding) -> String {
    let help = finding.help.as_deref().unwrap_or_default();
    format!("{}\n{help}", finding.text)
}

/// Code of a bot, the code of its error, and the name in quotes that the error mentions.
const BY_READING: [(&str, &str, &str); 18] = [
    (
        "let a = [[2], [1]]; a.sort_by(|q| -q[0]);",
        "script::function-parameters",
        "sort_by",
    ),
    (
        "let a = [1, 2].order_by(Fn(\"one\"));",
        "script::function-parameters",
        "order_by",
    ),
    (
        "let a = [1].map(|x, i, z| x);",
        "script::function-parameters",
        "map",
    ),
    (
        "let a = [1].reduce(|| 0, 0);",
        "script::function-parameters",
        "reduce",
    ),
    (
        "let a = global::TERRITORIES;",
        "script::namespace",
        "TERRITORIES",
    ),
    ("let a = global::one(1);", "script::namespace", "one"),
    ("let a = lib::hal(4);", "script::unknown-function", "hal"),
    ("let a = lib::half(4, 2);", "script::arguments", "lib::half"),
    ("let a = lib::HALF;", "script::unknown-name", "HALF"),
    ("let a = libb::half(4);", "script::namespace", "libb"),
    ("let a = base::half(4);", "script::namespace", "base"),
    // Functions of other files need their namespace.
    (
        "let a = half(4);",
        "script::unknown-function",
        "lib::half(…)",
    ),
    ("let a = halff(4);", "script::unknown-function", "lib::half"),
    ("let a = (2.0).sin();", "script::unknown-function", "sin"),
    (
        "let a = view.odds(0, 1);",
        "script::hidden-function",
        "odds",
    ),
    ("let a = LIST.len();", "script::constant", "LIST"),
    (
        "let a = LIST[0] == 1 && ask.all(\"x\") == [];",
        "script::constant",
        "let value = LIST;",
    ),
    ("let a = PLAYERS.abs();", "script::constant", "PLAYERS"),
];

#[test]
fn calls_that_can_not_be_are_found_by_reading() {
    let lib = "fn half(x) { x / 2 }";
    for (body, code, name) in BY_READING {
        let bot = format!(
            "import \"lib\" as lib;\nconst LIST = [1];\nfn one(x) {{ x }}\nfn odds(a, b) {{ a + b }}\nfn answer(view, ask) {{ one(odds(1, lib::half(2))); {body} ask.random() }}"
        );
        let folder = with(&[("lib.rhai", lib), ("s.rhai", &bot)]);
        let report = checked(folder.path(), "hasbro", 0);
        let [finding] = &report.findings[..] else {
            panic!("{body}: {:?}", report.findings)
        };
        assert!(report.fails() && finding.code == code, "{body}: {finding}");
        let text = said(finding);
        assert!(text.contains(&format!("`{name}`")), "{body}: {text}");
        assert_eq!(place(finding).0, 5, "{body}: {finding}");
    }
}

#[test]
fn functions_of_the_base_are_found_by_reading() {
    for (call, wanted) in [
        ("start_armies()", "base::start_armies()"),
        ("start_armie()", "base::start_armies"),
    ] {
        let ruleset = format!(
            "fn ruleset() {{ #{{ extends: \"hasbro\", name: \"mine\" }} }}\nfn setup(g) {{\n    let _n = {call};\n    base::setup(g);\n}}\n"
        );
        let folder = with(&[("r.rhai", &ruleset)]);
        let path = folder.path().join("r.rhai").display().to_string();
        let report = check::ruleset(library(), &path, Some(0), &mut |_, _| {});
        let wrong: Vec<_> = report
            .findings
            .iter()
            .filter(|finding| finding.place.is_some())
            .collect();
        let [finding] = wrong[..] else {
            panic!("{call}: {:?}", report.findings)
        };
        assert!(report.fails() && finding.code == "script::unknown-function");
        assert_eq!(place(finding), (3, 14), "{call}: {finding}");
        let text = said(finding);
        assert!(text.contains(&format!("`{wanted}`")), "{call}: {text}");
    }
}

/// A bot that lists more options than its arrays may hold fails at the call.
#[test]
fn long_lists_of_options_fail_at_the_call() {
    let ruleset = "fn ruleset() { #{
        name: \"many\", players: [2, 2], map: \"hacker-risk\", units: [\"army\"],
        phases: #{ p: script() }, turn: [\"p\"], verbs: #{ pick: #{ n: \"count\", m: \"count\" } },
        max_turns: 3,
    } }
    fn setup(g) { g.deal(); g.next_turn(NOBODY); }
    fn p_options(g, me, out) { out.offer(PICK, 1..=100, 1..=90); }
    fn p_apply(g, me, said) { g.done(me); g.next_turn(me); }";
    for list in ["ask.options(\"pick\")", "ask.plans()"] {
        let bot = format!(
            "fn answer(view, ask) {{\n    let _few = ask.most(\"pick\");\n    let _all =\n        {list};\n    ask.random()\n}}\n"
        );
        let folder = with(&[("r.rhai", ruleset), ("s.rhai", &bot)]);
        let path = folder.path().join("r.rhai").display().to_string();
        let report = checked(folder.path(), &path, 1);
        let [finding] = &report.findings[..] else {
            panic!("{list}: {:?}", report.findings)
        };
        assert!(report.fails() && finding.code == "script::failed");
        assert_eq!(place(finding).0, 4, "{list}: {finding}");
        assert!(said(finding).contains("`ask.random`"), "{list}: {finding}");
    }
}

/// Code that fails, and the call or property that does.
const AT_RUN_TIME: [(&str, &str); 13] = [
    (
        "let f = |q| -q[0]; let a = [[2], [1]]; a.sort_by(f);",
        "sort_by",
    ),
    ("let a = [2, 1]; a.sort(|x, y| \"no\");", "sort"),
    ("let a = [2, 1]; a.sort(|x, y| x.nothing);", "nothing"),
    ("let a = [2, 1]; a.dedup(|x, y| 1);", "dedup"),
    ("let a = [2, 1]; a.dedup(\"same\");", "dedup"),
    ("let a = [2, 1]; a.sort(\"absent\");", "sort"),
    ("const a = [1]; a.push(2);", "push"),
    ("const a = [1]; a.pop();", "pop"),
    ("const a = [2, 1]; a.sort(|x, y| x - y);", "sort"),
    ("let a = (0.0 / 0.0).to_int();", "to_int"),
    ("let a = (1.0e30).to_int();", "to_int"),
    ("let a = parse_int(\"x\");", "parse_int"),
    ("let a = (-1.0).sqrt();", "sqrt"),
];

const RIGHT: [(&str, &str); 2] = [
    (
        "let a = [2, 1]; if a.order(\"less\") != [1, 2] { throw \"by name\"; } throw \"by name, right\";",
        "by name, right",
    ),
    (
        "let a = [3, 1, 2]; a.sort(|x, y| y - x); if a != [3, 2, 1] { throw \"order\"; }
         let b = [[1, 1], [0, 2], [1, 3]].order_by(|x, y| x[0] - y[0]); if b != [[0, 2], [1, 1], [1, 3]] { throw \"stable\"; }
         let c = [2, 1, 2].order(|x, y| x < y); if c != [1, 2, 2] { throw \"flags\"; }
         let d = [1, 1, 2]; d.dedup(|x, y| x == y); if d != [1, 2] { throw \"dedup\"; }
         if (3.7).floor().to_int() + (3.2).ceiling().to_int() + (-3.5).round().to_int() != 3 { throw \"rounding\"; }
         throw \"all is right\";",
        "all is right",
    ),
];

/// Plays a bot with this code in its first round.
fn in_round_one(body: &str) -> (String, Finding) {
    let bot = format!(
        "fn same(a, b) {{ 1 }} fn less(a, b) {{ a < b }} fn answer(view, ask) {{ if view.round == 1 {{ {body} }} ask.random() }}"
    );
    let folder = with(&[("s.rhai", &bot)]);
    let path = folder.path().join("s.rhai").display().to_string();
    let bots = [path.as_str(), "random"];
    let setup = setup("codelab", None, &bots, 3, &[("max_turns", "4")]);
    let mut faults = FirstFaults::default();
    let finished = Worker::new(&setup).unwrap().play(0, &mut faults);
    assert!(finished.outcome.is_ok(), "{body}");
    let [first] = &faults.faults[..] else {
        panic!("{body}: {faults:?}")
    };
    let finding = first.finding("s", Level::Deny);
    assert_eq!(finding.code, "script::failed", "{body}: {finding}");
    (bot, finding)
}

/// Mistakes that only running the script finds, beside correct calls.
#[test]
fn functions_that_are_handed_over_fail_aloud() {
    for (body, fails) in AT_RUN_TIME {
        let (bot, finding) = in_round_one(body);
        let before = bot.find(body).unwrap() + body.rfind(fails).unwrap();
        assert_eq!(place(&finding), (1, before + 1), "{body}: {finding}");
    }
    for (body, thrown) in RIGHT {
        let (_, finding) = in_round_one(body);
        assert!(finding.text.contains(thrown), "{body}: {finding}");
    }
}

/// Checks a ruleset in this number of games, and returns a figure of its trial.
fn trial(ruleset: &str, games: Option<u64>) -> impl Fn(&str) -> Option<String> {
    let report = check::ruleset(library(), ruleset, games, &mut |_, _| {});
    move |name| {
        let mut facts = report.facts.iter();
        facts.find(|fact| fact.0 == name).map(|fact| fact.1.clone())
    }
}

#[test]
fn a_trial_plays_the_games_that_it_is_asked_for() {
    let usual = trial("hasbro", None);
    let left_out = usual("left out").unwrap();
    let wanted = "100 games at the first table, after 60000";
    assert!(left_out.contains(wanted), "{left_out}");
    assert!(usual("wins by seat").is_some());
    let asked = trial("hasbro", Some(16));
    assert!(asked("left out").is_none() && asked("wins by seat").is_some());
    let games = asked("games").unwrap();
    let played: u64 = games.split(',').next().unwrap().parse().unwrap();
    assert!((16..=16 + 4 * 4).contains(&played), "{games}");
    let few = trial("simplified", Some(3))("wins by seat").unwrap();
    assert!(few.contains("10"), "{few}");
    let many = trial("simplified", Some(60))("wins by seat").unwrap();
    assert!(many.starts_with("seat 1 "), "{many}");
}
