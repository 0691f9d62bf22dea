//! The cost of scripts: before their first call, and in each call.

use std::fmt::Write as _;

use risk_engine::Worker;
use risk_kernel::{Limits, NullSink};
use risk_testing::by_case::{each, files, root};

use crate::compiled::{self, MOST_HELD};

const ANSWER: &str = "fn answer(view, ask) { ask.random() }\n";

fn many(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

pub(crate) fn answering(body: &str) -> String {
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
pub(crate) fn numbers(text: &str) -> String {
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
        compiled::read(&std::fs::read_to_string(root().join(path)).unwrap());
        count += 1;
    });
    assert!(!all || count >= 8, "{count} seeds");
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

/// Returns a ruleset with this hook, and the usual ones beside it.
pub(crate) fn unending(hook: &str) -> String {
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

#[test]
fn a_game_without_end_is_ended_by_its_limit() {
    let folder = risk_testing::games::tiny();
    let path = folder.path().join("r.rhai");
    std::fs::write(&path, unending("// nothing more")).unwrap();
    let map = folder.path().join("tiny.yaml");
    let setup =
        risk_testing::games::setup(path.to_str().unwrap(), map.to_str(), &["random"; 3], 1, &[]);
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
