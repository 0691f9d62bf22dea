//! Both evaluators agree on every error that a script can meet.

use std::collections::BTreeMap;

use crate::grammar::{Choices, bytes_of};
use crate::judge::{Comparison, Twins};

/// The errors that a script can meet, with code that fails so. `NUM` is a number.
///
/// Scripts never meet the others. No function of the host returns `ErrorSystem`, `ErrorInModule` or
/// `ErrorIndexNotFound`; `ErrorMismatchOutputType` is for a host that calls scripts.
/// `ErrorVariableExists`, `ErrorForbiddenVariable` and `ErrorCustomSyntax` need settings that the
/// crate does not use, and `ErrorDataRace` needs closures that share variables.
/// `ErrorTooManyOperations` is `ErrorTerminated` here. This crate does not limit the imports in a
/// function as `ErrorTooManyModules` does: they only name files that the script imports anyway.
const FAILURES: &[(&str, &[&str])] = &[
    ("ErrorParsing", &["Fn(\"if\");", "Fn(\"while\").call(NUM);"]),
    ("ErrorVariableNotFound", &["C = NUM;", "C += NUM;"]),
    (
        "ErrorPropertyNotFound",
        &[
            "let m = #{ a: NUM }; m.b;",
            "let m = #{ a: #{} }; m.a.b.c = NUM;",
        ],
    ),
    (
        "ErrorFunctionNotFound",
        &[
            "NUM + [];",
            "Fn(\"none\").call(NUM);",
            "let x = true; x -= NUM;",
            "NUM.push(1);",
        ],
    ),
    (
        "ErrorModuleNotFound",
        &[
            "import \"none\" as none; a += 1;",
            "import \"noneNUM\"; a += 1;",
        ],
    ),
    (
        "ErrorInFunctionCall",
        &["[NUM].map(|x| x.y);", "fails(NUM);", "range(1, NUM, 0);"],
    ),
    (
        "ErrorUnboundThis",
        &[
            "this;",
            "this = NUM;",
            "this.a[NUM] = 1;",
            "g(this);",
            "this.push(NUM);",
        ],
    ),
    (
        "ErrorMismatchDataType",
        &[
            "if NUM + 1 { 2 }",
            "call(NUM);",
            "let x = [1]; x[[true].pop()];",
            "\"a\"[[()].pop()];",
        ],
    ),
    (
        "ErrorIndexingType",
        &[
            "true[NUM];",
            "thing(NUM)[\"a\"];",
            "let x = 1.5; x[NUM] = 2;",
        ],
    ),
    (
        "ErrorArrayBounds",
        &[
            "[1, 2][NUM + 2];",
            "let a = []; a[NUM] = 1;",
            "let a = [1]; a[-2 - NUM] += 1;",
        ],
    ),
    (
        "ErrorStringBounds",
        &["\"ab\"[NUM + 2];", "let s = \"\"; s[NUM] = 'a';"],
    ),
    (
        "ErrorBitFieldBounds",
        &[
            "5[64 + NUM];",
            "let x = 1; x[99 + NUM] = true;",
            "5[1..=70];",
        ],
    ),
    (
        "ErrorFor",
        &["for x in [NUM].pop() { }", "for (x, i) in [true].pop() { }"],
    ),
    (
        "ErrorNonPureMethodCallOnConstant",
        &[
            "const K = thing(NUM); K.reset();",
            "const K = [NUM]; K.push(1);",
            "const K = [[NUM]]; K[0].pop();",
        ],
    ),
    (
        "ErrorAssignmentToConstant",
        &[
            "const K = [NUM]; K.call(|| { this = 5; });",
            "const K = [NUM]; K.call(|| { this[0] += 1; });",
        ],
    ),
    (
        "ErrorDotExpr",
        &[
            "NUM.nothing;",
            "let t = thing(NUM); t.nothing += 1;",
            "let t = thing(1); t.number = NUM;",
            "let s = thing(NUM).sign; s.width += 1;",
        ],
    ),
    (
        "ErrorArithmetic",
        &[
            "9223372036854775807 + 1 + NUM;",
            "let x = NUM; x /= 0;",
            "let x = -9223372036854775807; x -= 2 + NUM;",
            "-(NUM - 9223372036854775807 - 1 - NUM);",
            "2 ** (64 + NUM);",
            "let x = NUM; x %= 0;",
        ],
    ),
    ("ErrorTooManyVariables", &["MANY"]),
    ("ErrorStackOverflow", &["endless(NUM);"]),
    (
        "ErrorDataTooLarge",
        &[
            "let s = \"abcNUM\"; loop { s += s; }",
            "let a = [NUM]; loop { a += a; }",
        ],
    ),
    (
        "ErrorTerminated",
        &["loop { }", "let x = NUM; while x >= 0 { x += 1; }"],
    ),
    (
        "ErrorRuntime",
        &[
            "throw NUM;",
            "throw;",
            "thing(NUM).broken;",
            "thing(9).checked(NUM);",
            "let s = thing(NUM).sign; s.width + s.width + s.depth;",
        ],
    ),
];

/// Code around code that fails.
const AROUND: [&str; 9] = [
    "{}",
    "let x = 5; { {} }",
    "for x in 0..3 { if x == 1 { {} } }",
    "let n = 0; while n < 9 { n += 3; {} }",
    "switch 3 { 1..=5 if true => { {} } _ => 1 }",
    "let y = if true { {} };",
    "do { {} } while true",
    "try { {} } catch (e) { throw; }",
    "try { throw 1; } catch { {} }",
];

/// The number of functions that fail for each error.
const EACH: usize = 1_000;
const IN_ONE_SCRIPT: usize = 10;

/// Returns the names of the errors in the text of an error.
fn kinds(error: &str) -> impl Iterator<Item = &str> {
    let words = error.split('(').map(|part| {
        let start = part.rfind(|letter: char| !letter.is_ascii_alphabetic());
        &part[start.map_or(0, |start| start + 1)..]
    });
    words.filter(|word| word.starts_with("Error"))
}

/// Returns a script of functions, each of which fails.
fn script(codes: &[&str], choices: &mut Choices<'_>) -> String {
    let mut text = "const C = 5;\nfn g(a) { a }\nfn fails(n) { throw n }\n\
                    fn endless(n) { endless(n + 1) }\nfn f() { }\n"
        .to_owned();
    for number in 0..IN_ONE_SCRIPT {
        let code = match choices.of(codes) {
            "MANY" => {
                let names = 0..501 + choices.below(9);
                let all: String = names.map(|name| format!("let v{name} = 0; ")).collect();
                all + "a += v0;"
            }
            code => code.replace("NUM", &choices.below(9).to_string()),
        };
        let around = choices.of(&AROUND).replacen("{}", &code, 1);
        let before = choices.below(3);
        text += &format!("fn e{number}() {{ let a = {before};\n{around}\n}}\n");
    }
    text
}

#[test]
fn both_evaluators_agree_on_every_error() {
    let mut met = BTreeMap::<String, usize>::new();
    for (number, (_, codes)) in FAILURES.iter().enumerate() {
        for turn in 0..EACH / IN_ONE_SCRIPT * 5 / 4 {
            let bytes = bytes_of((number * EACH + turn) as u64, 2_000);
            let text = script(codes, &mut Choices::new(&bytes));
            let twins = Twins::new(&text).unwrap_or_else(|faults| panic!("{faults}\n{text}"));
            for function in 0..IN_ONE_SCRIPT {
                let name = format!("e{function}");
                let (own, judge) = (twins.own_of(&name), twins.judge_of(&name));
                let comparison = judge.compare(&own);
                let agrees = [Comparison::Same, Comparison::Memory].contains(&comparison);
                assert!(agrees, "{name}\njudge {judge:?}\nown   {own:?}\n{text}");
                for kind in judge
                    .result
                    .as_ref()
                    .err()
                    .iter()
                    .flat_map(|error| kinds(error))
                {
                    *met.entry(kind.to_owned()).or_default() += 1;
                }
            }
        }
    }
    let counts = FAILURES
        .iter()
        .map(|(name, _)| (*name, met.get(*name).copied().unwrap_or(0)));
    let seldom: Vec<_> = counts.filter(|(_, count)| *count < EACH).collect();
    assert_eq!(seldom, [], "{met:#?}");
}
