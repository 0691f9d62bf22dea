//! Both evaluators agree on every operator with operands of every two types.

use crate::grammar::{Choices, Kind, Writer, bytes_of};
use crate::judge::{Comparison, Twins};

use Kind::{Array, Bool, Char, Float, Function, Int, Map, Range, Text, Thing, Unit};

const KINDS: [Kind; 11] = [
    Int, Float, Bool, Char, Text, Unit, Array, Map, Function, Range, Thing,
];
const BINARY: [&str; 22] = [
    "+", "-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=",
    "in", "..", "&&", "||", "??",
];
const ASSIGNMENTS: [&str; 11] = [
    "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", "&=", "|=", "^=",
];
const UNARY: [&str; 3] = ["-", "+", "!"];

/// Each script calculates with every two of this many values of two types.
const VALUES: usize = 8;
const SCRIPTS: u64 = 16;
/// The script with the functions that are called. The result may contain only short texts.
const OTHERS: &str = "fn f() { }
fn cut(c) { if type_of(c) == \"string\" && c.len > 40 { c.sub_string(0, 40) } else { c } }
";

/// Writes a list of values of a type.
fn values(kind: Kind, writer: &mut Writer<'_>) -> String {
    for number in 0..VALUES {
        writer.put(if number == 0 { "[" } else { ", " });
        writer.literal(kind, 5);
    }
    writer.put("]");
    std::mem::take(&mut writer.out)
}

/// Returns a function that calculates with all values and returns each result or error.
fn function(name: &str, operation: &str) -> String {
    format!(
        "fn {name}() {{\nlet all = [];\nfor a in left() {{\nfor b in right() {{\ntry {{ {operation} }} \
         catch (e) {{ all.push(e.error + e.message.len() + e.position); }}\n}}\n}}\nall\n}}\n"
    )
}

#[test]
fn both_evaluators_agree_on_every_operator() {
    let mut operations: Vec<String> = Vec::new();
    operations.extend(BINARY.map(|operator| format!("all.push(cut(a {operator} b));")));
    operations.extend(
        ASSIGNMENTS.map(|operator| format!("let c = a; c {operator} b; all.push(cut(c));")),
    );
    operations.extend(UNARY.map(|operator| format!("all.push(cut({operator}a));")));
    let functions: String = operations
        .iter()
        .enumerate()
        .map(|(number, operation)| function(&format!("e{number}"), operation))
        .collect();
    let is_long = std::env::var_os("RISK_EVERY_CASE").is_some();
    for (first, left) in KINDS.iter().enumerate() {
        for (second, right) in KINDS.iter().enumerate() {
            // Others mostly give an error.
            let is_usual = [Int, Float, Bool, Char, Text].contains(left)
                && [Int, Float, Bool, Char, Text].contains(right);
            let scripts = if is_usual || is_long {
                SCRIPTS
            } else {
                SCRIPTS / 8
            };
            let mut met = 0;
            for turn in 0..scripts {
                let seed = (first * KINDS.len() + second) as u64 * SCRIPTS + turn;
                let bytes = bytes_of(seed, 2_000);
                let mut writer = Writer::new(Choices::new(&bytes));
                let (left, right) = (values(*left, &mut writer), values(*right, &mut writer));
                let text = format!(
                    "{OTHERS}fn left() {{ {left} }}\nfn right() {{ {right} }}\n{functions}"
                );
                let twins = Twins::new(&text).unwrap_or_else(|faults| panic!("{faults}\n{text}"));
                for (number, operation) in operations.iter().enumerate() {
                    let name = format!("e{number}");
                    let (own, judge) = (twins.own_of(&name), twins.judge_of(&name));
                    let allowed = match operation.contains("**") {
                        true => Comparison::Power,
                        false => Comparison::Same,
                    };
                    let comparison = judge.compare(&own);
                    let agrees = [Comparison::Same, allowed].contains(&comparison);
                    assert!(
                        agrees,
                        "{left} {operation} {right}\njudge {judge:?}\nown   {own:?}"
                    );
                    // All calculations ran: each has a result.
                    assert!(own.result.is_ok(), "{operation} {own:?}");
                }
                met += VALUES * VALUES;
            }
            let least = if scripts == SCRIPTS { 1_000 } else { 100 };
            assert!(met >= least, "{met}");
        }
    }
}
