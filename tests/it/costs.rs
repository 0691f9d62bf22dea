//! The cost of scripts: before their first call, and in each call.

use std::fmt::Write as _;

use risk_engine::Worker;
use risk_kernel::{Limits, NullSink};

use crate::compiled::{self, MOST_HELD};
use risk_testing::by_case::{each, files};

const ANSWER: &str = "fn answer(view, ask) { ask.random() }\n";

fn many(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

fn answering(body: &str) -> String {
    format!("fn answer(view, ask) {{ {body} ask.random() }}\n")
}

fn doubled(count: usize) -> String {
    let next = |index: usize| format!("const a{}=`${{a{index}}}${{a{index}}}`; ", index + 1);
    format!("const a0=\"xxxxxxxxxx\"; {}", many(count, next))
}

fn functions(body: &str) -> String {
    let four = many(4, |index| format!("fn _f{index}(x) {{ {body} 1 }}\n"));
    format!("{four}{ANSWER}")
}

/// Scripts that are costly to read, a few of them where they are still allowed.
fn costly() -> Vec<(&'static str, String)> {
    [texts_and_arrays(), names_and_branches(), too_much()]
        .into_iter()
        .flatten()
        .collect()
}

/// Strings and arrays that grow while a script is read.
fn texts_and_arrays() -> Vec<(&'static str, String)> {
    let numbers = many(1_200, |_| "1,".to_owned());
    vec![
        ("texts doubled at the top", doubled(31) + ANSWER),
        ("texts doubled in a function", answering(&doubled(31))),
        (
            "texts doubled by +",
            answering("const a = \"xxxxxxxxxx\"; const b = a + a + a + a; const c = b + b + b;"),
        ),
        ("a large text, used often", {
            let uses = many(150, |index| {
                format!("let _v{index} = `${{S}}${{S}}${{S}}${{S}}`; ")
            });
            format!("const S = \"{}\";\n{}", "x".repeat(3_700), functions(&uses))
        }),
        ("a large array, used often", {
            let uses = many(500, |index| format!("let _v{index} = S; "));
            format!("const S = [{numbers}];\n{}", answering(&uses))
        }),
        (
            "arrays of arrays",
            format!("const A = [{numbers}];\nconst B = [A, A];\n{ANSWER}"),
        ),
        (
            "more constants than fit",
            many(90, |index| {
                format!("const A{index} = \"{}\";\n", "x".repeat(3_700))
            }) + ANSWER,
        ),
    ]
}

/// As many names and branches as fit.
fn names_and_branches() -> Vec<(&'static str, String)> {
    vec![
        (
            "functions that there are not",
            functions(&many(800, |index| format!("no_such_{index}(1); "))),
        ),
        (
            "properties that there are not",
            answering(&many(900, |index| format!("view.no_such_{index}; "))),
        ),
        (
            "a large switch",
            answering(&format!(
                "switch view.me {{ {} _ => 0 }};",
                many(1_200, |at| format!("{at} => 1, "))
            )),
        ),
        (
            "many variables",
            functions(&many(900, |index| format!("let v{index} = x; "))),
        ),
        ("many variables, often used", {
            let used = many(1_100, |index| format!("v{}; ", index % 500));
            functions(&(many(500, |index| format!("let v{index} = x; ")) + used.as_str()))
        }),
        (
            "many constants",
            functions(&many(900, |index| format!("const C{index} = 1; "))),
        ),
        (
            "many constants at the top",
            many(499, |index| format!("const C{index} = 1;\n")) + ANSWER,
        ),
        (
            "many parameters",
            format!(
                "fn _f({}) {{ 1 }}\n{ANSWER}",
                many(2_400, |index| format!("a{index}, ")) + "z"
            ),
        ),
        (
            "many functions",
            many(480, |index| {
                format!("fn f{index}() {{ f{}() }}\n", index + 1)
            }) + "fn f480() { 1 }\n"
                + ANSWER,
        ),
    ]
}

/// Scripts with parts that are too long, too many or too deep.
fn too_much() -> Vec<(&'static str, String)> {
    vec![
        (
            "too many functions",
            many(600, |index| format!("fn _f{index}() {{ 1 }}\n")) + ANSWER,
        ),
        (
            "too long a function",
            answering(&many(70_000, |index| format!("no_such_{index}(1); "))),
        ),
        ("too long a function, in a text", {
            let uses = many(900, |index| {
                format!("let _v{index} = `${{view}} ${{view}} ${{view}}`; ")
            });
            answering(&uses)
        }),
        (
            "too long a text behind a value",
            answering(&format!("let a = `${{view}}{}`;", "x".repeat(5_000))),
        ),
        (
            "too long a script",
            many(40, |at| {
                format!("fn _f{at}() {{ {} }}\n", many(900, |_| "1; ".to_owned()))
            }) + ANSWER,
        ),
        (
            "a long name",
            answering(&format!("let {} = 1;", "a".repeat(200_000))),
        ),
        (
            "a long text",
            answering(&format!("let a = \"{}\";", "a".repeat(200_000))),
        ),
        (
            "deep",
            answering(&format!(
                "{}1{}",
                "if true { ".repeat(400),
                " }".repeat(400)
            )),
        ),
        (
            "a loop at the top",
            format!("const A = {{ let x = 0; loop {{ x += 1; }} }};\n{ANSWER}"),
        ),
    ]
}

/// Returns the numbers in a message, each after a blank: the limits that it names.
fn numbers(text: &str) -> String {
    let words = text.split_whitespace().map(|word| word.trim_matches(','));
    let is_number = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_digit() || c == ',')
    };
    words
        .filter(is_number)
        .map(|word| format!(" {word}"))
        .collect()
}

#[test]
fn no_script_costs_much_to_read() {
    let mut told = String::new();
    for (name, text) in costly() {
        let (faults, held) = compiled::bot(&text);
        assert!(held < MOST_HELD, "{name}: {held} bytes");
        // Which of many equal faults comes first differs between runs, so places are left out.
        let first = faults.first().map_or_else(
            || "fine".to_owned(),
            |fault| format!("{}{}", fault.code, numbers(&fault.text)),
        );
        let last = faults
            .last()
            .filter(|_| faults.len() > 100)
            .map_or_else(String::new, |last| format!(" … {}", last.code));
        writeln!(told, "{name}\n    {first}{last}").unwrap();
        let (_, held) = compiled::ruleset(&text);
        assert!(held < MOST_HELD, "{name} as a ruleset: {held} bytes");
    }
    insta::assert_snapshot!(told);
}

/// The seeds are texts that once did harm.
#[test]
fn seeds_of_the_fuzz_target_do_no_harm() {
    let mut count = 0;
    let all = each(files("fuzz/seeds/compile"), |path| {
        compiled::read(&std::fs::read_to_string(path).unwrap());
        count += 1;
    });
    assert!(!all || count >= 8, "{count} seeds");
}

/// A name, and the code that a bot runs in each answer. Operations count even if it catches errors.
const DEAR: [(&str, &str); 46] = [
    (
        "contains",
        "let s = \"\"; s.pad(3700, 'x'); let t = \"\"; t.pad(1900, 'x'); t += \"y\"; loop { s.contains(t); }",
    ),
    (
        "a text less a part",
        "let s = \"\"; s.pad(3700, 'x'); for i in 0..20000 { s - \"x\"; }",
    ),
    (
        "a text less a letter",
        "let s = \"\"; s.pad(3700, 'x'); for i in 0..20000 { s - 'x'; }",
    ),
    (
        "a text lessened",
        "let s = \"\"; s.pad(3700, 'x'); for i in 0..20000 { let t = s; t -= \"x\"; }",
    ),
    (
        "a text lessened by a letter",
        "let s = \"\"; s.pad(3700, 'x'); for i in 0..20000 { let t = s; t -= 'x'; }",
    ),
    (
        "a text less one of a map",
        "let s = \"\"; s.pad(3700, 'x'); let m = #{ armies: |at| \"x\" }; for i in 0..20000 { s - m.armies(1); }",
    ),
    (
        "a text less one of a function",
        "let s = \"\"; s.pad(3700, 'x'); let f = |n| \"x\"; for i in 0..20000 { let p = f.call(1); s - p; }",
    ),
    (
        "a text less one that was a number",
        "let s = 1; let p = 1; if view.round < 1000 { s = \"\"; s.pad(3700, 'x'); p = \"x\"; } for i in 0..20000 { s - p; }",
    ),
    (
        "a text less one of a list",
        "let s = \"\"; s.pad(3700, 'x'); for p in [\"x\"] { for i in 0..20000 { s - p; } }",
    ),
    (
        "a text less what a function put there",
        "let s = \"\"; s.pad(3700, 'x'); let p = 1; p.call(|| { this = \"x\"; }); for i in 0..20000 { s - p; }",
    ),
    (
        "a text less what was caught",
        "let s = \"\"; s.pad(3700, 'x'); try { throw \"x\"; } catch (p) { for i in 0..20000 { s - p; } }",
    ),
    (
        "a text less a sum",
        "let s = \"\"; s.pad(3700, 'x'); let p = 'x' + 'x'; for i in 0..20000 { s - p; }",
    ),
    (
        "numbers less numbers",
        "let s = 9; for i in 0..20000 { let t = 5; t -= 1; s - t; }",
    ),
    (
        "replace",
        "let s = \"\"; s.pad(3700, 'x'); loop { let t = s; t.replace(\"x\", \"y\"); }",
    ),
    (
        "to_upper",
        "let s = \"\"; s.pad(3700, 'x'); loop { s.to_upper(); }",
    ),
    (
        "split",
        "let s = \"\"; s.pad(1700, 'x'); loop { s.split(\"x\"); }",
    ),
    (
        "index_of",
        "let s = \"\"; s.pad(3700, 'x'); loop { s.index_of(\"xy\"); }",
    ),
    ("sort", "let a = []; a.pad(1700, 1); loop { a.sort(); }"),
    (
        "reverse",
        "let a = []; a.pad(1700, 1); loop { a.reverse(); }",
    ),
    (
        "insert",
        "let a = []; a.pad(1700, 1); loop { a.insert(0, 1); a.pop(); }",
    ),
    ("equals", "let a = []; a.pad(1700, 1); loop { a == a; }"),
    (
        "a large map's length",
        "let m = #{}; for i in 0..480 { m[`k${i}`] = i; } for i in 0..30000 { m.len(); }",
    ),
    (
        "a key of a large map",
        "let m = #{}; for i in 0..480 { m[`k${i}`] = i; } for i in 0..30000 { \"k7\" in m; }",
    ),
    (
        "a map of a bot that is too large",
        "let m = #{}; for i in 0..800 { m[`k${i}`] = i; } m.len();",
    ),
    (
        "mixin",
        "let m = #{}; for i in 0..480 { m[`k${i}`] = i; } let n = m; loop { m.mixin(n); }",
    ),
    (
        "keys",
        "let m = #{}; for i in 0..480 { m[`k${i}`] = i; } loop { m.keys(); }",
    ),
    ("len", "let a = []; a.pad(1700, 1); loop { a.len(); }"),
    (
        "push",
        "let a = []; a.pad(1700, 1); loop { a.push(1); a.pop(); }",
    ),
    (
        "to_string",
        "let a = []; a.pad(1700, 1); loop { try { a.to_string(); } catch { } }",
    ),
    (
        "find",
        "loop { try { view.find(\"nowhere_at_all\"); } catch { } }",
    ),
    ("all_armies", "loop { view.all_armies; }"),
    (
        "options",
        "let v = \"\"; for n in [\"place\", \"attack\", \"move\"] { if ask.has(n) { v = n; } } if v != \"\" { loop { ask.most(v); } }",
    ),
    // A value one step too large is refused for good; the work is in checking it again and again.
    (
        "a map grown too large, changed in for_each",
        "let a = [#{}]; for i in 0..800 { a[0][`k${i}`] = i; } loop { try { a.for_each(|| { this.k0 = 1; }); } catch { } }",
    ),
    (
        "a map grown too large, changed in map by a name",
        "let a = [#{}]; for i in 0..800 { a[0][`k${i}`] = i; } loop { try { a.map(\"change\"); } catch { } }",
    ),
    (
        "a map grown too large, changed in a map",
        "let m = #{ a: #{} }; for i in 0..800 { m.a[`k${i}`] = i; } loop { try { m.filter(|key| { this.k0 = 1; true }); } catch { } }",
    ),
    (
        "some",
        "let a = []; a.pad(1700, 1); loop { a.some(|x| true); }",
    ),
    (
        "a text doubled, in a closure",
        "let a = [\"xx\"]; a.for_each(|| { let s = this; loop { try { s = s + s; } catch { } } });",
    ),
    (
        "texts put together, caught outside",
        "let s = \"\"; s.pad(3700, 'x'); loop { try { [s].for_each(|| { `${this}${this}`; }); } catch { } }",
    ),
    (
        "arrays put together",
        "let a = []; a.pad(1700, 1); loop { try { [a, a]; } catch { } }",
    ),
    // A refused size ends the call, even if the script catches the error.
    (
        "a bomb of texts",
        "let s = \"\"; s.pad(3700, 'x'); try { s.replace(\"x\", s); } catch { } loop { }",
    ),
    (
        "a bomb in for_each",
        "let a = [\"\"]; try { a.for_each(|| { this.pad(3700, 'x'); let t = this; this.replace(\"x\", t); }); } catch { } loop { }",
    ),
    (
        "a text of a gigabyte",
        "let s = \"\"; try { s.pad(1000000000, 'x'); } catch { } loop { }",
    ),
    (
        "an array of a gigabyte",
        "let a = []; try { a.pad(100000000, 1); } catch { } loop { }",
    ),
    (
        "an array of arrays, padded",
        "let a = []; a.pad(1700, 1); let b = []; try { b.pad(5000, a); } catch { } loop { }",
    ),
    (
        "deeper and deeper",
        "let a = [1]; loop { let b = [a.pop()]; a.push(b); try { a.to_string(); } catch { } }",
    ),
    (
        "larger and larger",
        "let a = []; a.pad(100, 1); let b = []; b.pad(1700, 1); for i in 0..100 { a[i] = b; } try { a.reverse(); } catch { } loop { }",
    ),
];

#[test]
fn work_is_charged_and_refused_sizes_end_the_call() {
    let mut told = String::new();
    for (name, body) in DEAR {
        let folder = tempfile::tempdir().unwrap();
        let text = answering(body) + "fn change() { this.k0 = 1; }\n";
        std::fs::write(folder.path().join("b.rhai"), text).unwrap();
        let line = "play --seed 5 --bot ./b.rhai --bot outnumber --bot outnumber --option max_turns=1 --strikes 1 --quiet";
        let ran = crate::support::run_in(folder.path(), &crate::support::words(line));
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
        let first = ran
            .err
            .lines()
            .find(|line| line.trim().starts_with(['×', '⚠']));
        let numbers = numbers(first.unwrap_or_default());
        let code = ran.codes().first().copied().unwrap_or("nothing");
        writeln!(told, "{name}: {code}{numbers}").unwrap();
    }
    insta::assert_snapshot!(told);
}

/// To be reviewed when a function or a version of the language is added.
#[test]
fn every_function_of_the_language_is_bounded() {
    let mut by_bound: std::collections::BTreeMap<String, Vec<String>> =
        std::collections::BTreeMap::new();
    for (signature, bound) in risk_engine::script::bounds() {
        by_bound.entry(bound).or_default().push(signature);
    }
    let mut text = String::new();
    for (bound, signatures) in by_bound {
        writeln!(text, "{bound}\n    {}", signatures.join("\n    ")).unwrap();
    }
    insta::assert_snapshot!(text);
}

const UNENDING: [(&str, &str); 7] = [
    (
        "hits in the set-up",
        "fn setup(g) { for i in 0..100000 { g.hits(1000000, 50); } }",
    ),
    (
        "hits in a turn",
        "fn p_enter(g, me) { for i in 0..100000 { g.hits(1000000, 50); } }",
    ),
    (
        "long offers",
        "fn p_options(g, me, out) { for i in 0..50 { out.offer(V, i, many()); } }",
    ),
    (
        "long offers that overlap",
        "fn p_options(g, me, out) { for i in 0..50 { out.offer(V, 0, many()); } }",
    ),
    (
        "long offers from one list",
        "fn p_options(g, me, out) { let all = many(); for i in 0..50 { out.offer(V, i, all); } }\nfn p_apply(g, me, said) { g.end(\"draw\", []); }",
    ),
    (
        "many long offers",
        "fn p_options(g, me, out) { let all = []; for i in 0..5000 { all.push(i); } for i in 0..400 { out.offer(V, i, all); } }\nfn p_apply(g, me, said) { g.end(\"draw\", []); }",
    ),
    (
        "many long offers in no order",
        "fn p_options(g, me, out) { let all = []; for i in 0..5000 { all.push(i * 7919 % 5000); } for i in 0..100 { out.offer(V, i, all); } }\nfn p_apply(g, me, said) { g.end(\"draw\", []); }",
    ),
];

/// Returns a ruleset with this hook, and the usual ones beside it.
fn unending(hook: &str) -> String {
    let mut text = "fn ruleset() { #{\n    name: \"r\", players: [2, 4], map: \"./tiny.yaml\", units: [\"army\"],\n    \
                    verbs: #{ v: #{ i: \"count\", n: \"count\" }, done: #{} }, phases: #{ p: script() }, turn: [\"p\"],\n} }\n\
                    fn many() { let all = []; for i in 0..9999 { all.push(i); } all }\n"
        .to_owned();
    for usual in [
        "fn setup(g) { g.deal(); g.push(P_PHASE, 0); }",
        "fn p_options(g, me, out) { out.offer(DONE); }",
        "fn p_apply(g, me, said) { for i in 0..100 { g.add_units(0, ARMY, 1); g.add_units(0, ARMY, -1); } }",
    ] {
        let name = usual.split('(').next().unwrap();
        if !hook.contains(&format!("{name}(")) {
            writeln!(text, "{usual}").unwrap();
        }
    }
    text + hook + "\n"
}

/// The limit is a number of operations, so the speed of the machine doesn't matter.
#[test]
fn rulesets_that_do_too_much_are_stopped() {
    let mut told = String::new();
    for (name, hook) in UNENDING {
        let folder = crate::support::tiny();
        std::fs::write(folder.path().join("r.rhai"), unending(hook)).unwrap();
        let line = "play --quiet --ruleset ./r.rhai --map ./tiny.yaml --seed 1 -p 3";
        let ran = crate::support::run_in(folder.path(), &crate::support::words(line));
        let (codes, places) = (ran.codes().join(", "), ran.places().join(", "));
        let numbers = numbers(
            ran.err
                .lines()
                .find(|line| line.contains('×'))
                .unwrap_or_default(),
        );
        writeln!(
            told,
            "{name}: exit code {}, {codes}{numbers}, {places}",
            ran.code
        )
        .unwrap();
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_game_without_end_is_ended_by_its_limit() {
    let folder = crate::support::tiny();
    let path = folder.path().join("r.rhai");
    std::fs::write(&path, unending("// nothing more")).unwrap();
    let map = folder.path().join("tiny.yaml");
    let setup = crate::support::setup(path.to_str().unwrap(), map.to_str(), &["random"; 3], 1, &[]);
    let mut worker = Worker::new(&setup).unwrap();
    for (limits, reason, answers) in [
        (
            Limits {
                events: 5_000,
                ..Limits::default()
            },
            "event-limit",
            25,
        ),
        (
            Limits {
                answers: 20,
                ..Limits::default()
            },
            "answer-limit",
            20,
        ),
    ] {
        worker.limits = limits;
        let finished = worker.play(0, &mut NullSink);
        assert_eq!(finished.outcome.unwrap().reason, reason);
        assert_eq!(finished.game.answers(), answers);
        let sentence = finished.game.decl().sentences.of_ending(reason);
        assert_ne!(sentence, reason, "a sentence for the reason");
    }
}
