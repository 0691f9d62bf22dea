//! The cost of scripts in play: work is charged, and what does too much is stopped.

use std::fmt::Write as _;

use risk_engine::{FirstFaults, Worker, script_fault, strikes};
use risk_kernel::{NullSink, StopReason};
use risk_testing::games::{setup, tiny};
use risk_text::diag::{Finding, Level};

use crate::costs::{answering, numbers, unending};

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
        let path = folder.path().join("b.rhai").display().to_string();
        let bots = [path.as_str(), "outnumber", "outnumber"];
        let mut setup = setup("hasbro", None, &bots, 5, &[("max_turns", "1")]);
        setup.strikes = strikes(&setup.rules.ruleset, Some(1), None);
        let mut faults = FirstFaults::default();
        let finished = Worker::new(&setup).unwrap().play(0, &mut faults);
        assert!(finished.outcome.is_ok(), "{name}");
        let first = faults
            .faults
            .first()
            .map(|fault| fault.finding("b", Level::Deny));
        let numbers = numbers(first.as_ref().map_or("", |finding| &finding.text));
        let code = first.as_ref().map_or("nothing", |finding| &finding.code);
        writeln!(told, "{name}: {code}{numbers}").unwrap();
    }
    insta::assert_snapshot!(told);
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
        "fn p_options(g, me, out) { let all = many(); for i in 0..4000 { out.offer(V, i, all); } }\nfn p_apply(g, me, said) { g.end(\"draw\", []); }",
    ),
    (
        "many long offers",
        "fn p_options(g, me, out) { let all = []; for i in 0..5000 { all.push(i); } for i in 0..4000 { out.offer(V, i, all); } }\nfn p_apply(g, me, said) { g.end(\"draw\", []); }",
    ),
    (
        "many long offers in no order",
        "fn p_options(g, me, out) { let all = []; for i in 0..5000 { all.push(i * 7919 % 5000); } for i in 0..100 { out.offer(V, i, all); } }\nfn p_apply(g, me, said) { g.end(\"draw\", []); }",
    ),
];

/// The limit is a number of operations, so the speed of the machine doesn't matter.
#[test]
fn rulesets_that_do_too_much_are_stopped() {
    let mut told = String::new();
    for (name, hook) in UNENDING {
        let folder = tiny();
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("r.rhai"), unending(hook)).unwrap();
        let map = path("tiny.yaml");
        let setup = setup(&path("r.rhai"), Some(&map), &["random"; 3], 1, &[]);
        let finished = Worker::new(&setup).unwrap().play(0, &mut NullSink);
        let Err(StopReason::Rules(fault)) = finished.outcome else {
            panic!("{name}: {:?}", finished.outcome)
        };
        let fault = script_fault(&fault).unwrap();
        let finding = Finding::from(fault.clone());
        let (line, column) = finding.place.as_ref().unwrap().line_column();
        let numbers = numbers(&finding.text);
        writeln!(told, "{name}: {}{numbers}, {line}:{column}", finding.code).unwrap();
    }
    insta::assert_snapshot!(told);
}
