//! Limits on the length of files, functions and lines, and on the depth of functions.

use std::fs;
use std::path::{Path, PathBuf};

use super::{all_sources, check, root, sources};

const LONGEST_FILE: usize = 600;
const LONGEST_FUNCTION_IN_SRC: usize = 60;
const LONGEST_FUNCTION_IN_TESTS: usize = 80;
/// The deepest indentation of a line in `src` within its function: the body, and five levels in it.
const DEEPEST: usize = 6 * 4;
const WIDEST: usize = 100;

#[derive(Debug, PartialEq)]
struct Function {
    /// The line of its `fn`, from 1.
    line: usize,
    lines: usize,
    /// The most indented line, from 1, and its indentation relative to the function.
    deepest: (usize, usize),
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Reports whether a function begins in this line, with any words before its `fn`.
fn begins(line: &str) -> bool {
    let mut rest = line.trim_start();
    if let Some(behind) = rest.strip_prefix("pub") {
        rest = behind.trim_start();
        if rest.starts_with('(') {
            rest = rest.split_once(')').map_or("", |(_, rest)| rest);
        }
    }
    rest.split_whitespace()
        .find(|word| !["const", "async", "unsafe", "extern", "\"C\"", "default"].contains(word))
        == Some("fn")
}

/// Finds the functions of a file formatted by `rustfmt`: each ends in the first line with a brace
/// in the column in which the function begins.
fn functions(text: &str) -> Vec<Function> {
    let mut found = Vec::new();
    let mut open: Vec<(usize, Function)> = Vec::new();
    for ((number, line), in_text) in (1..).zip(text.lines()).zip(begins_within_a_literal(text)) {
        let column = indent(line);
        if !in_text && begins(line) && !line.ends_with([';', '}']) {
            let function = Function {
                line: number,
                lines: 0,
                deepest: (number, 0),
            };
            open.push((column, function));
        }
        let word = line.trim_start();
        if let Some((at, function)) = open.last_mut()
            && !in_text
            && !word.is_empty()
            && column.saturating_sub(*at) > function.deepest.1
        {
            function.deepest = (number, column - *at);
        }
        // A declaration without a body ends with its last line.
        let declared = word.starts_with(')') && line.ends_with(';');
        if in_text || !(declared || word.starts_with('}')) {
            continue;
        }
        while let Some((at, mut function)) = open.pop_if(|(at, _)| *at >= column) {
            if at == column {
                if !declared {
                    function.lines = number + 1 - function.line;
                    found.push(function);
                }
                break;
            }
        }
    }
    found
}

/// Returns the length of the opening of a string literal that begins here, and the text that closes
/// it: a quote, and as many hashes as a raw one has.
fn literal(rest: &str) -> Option<(usize, String)> {
    let raw = rest
        .strip_prefix('r')
        .map(|behind| behind.trim_start_matches('#'));
    match raw {
        Some(behind) if behind.starts_with('"') => {
            let hashes = rest.len() - behind.len() - 1;
            Some((hashes + 2, format!("\"{}", "#".repeat(hashes))))
        }
        _ => rest.starts_with('"').then(|| (1, "\"".to_owned())),
    }
}

/// Returns the text after the end of a literal; `None` if the end is not in this line.
fn behind_literal<'a>(rest: &'a str, end: &str) -> Option<&'a str> {
    if end.len() > 1 {
        return rest.split_once(end).map(|(_, behind)| behind);
    }
    let mut escaped = false;
    let at = rest.find(|sign| {
        let ends = sign == '"' && !escaped;
        escaped = sign == '\\' && !escaped;
        ends
    })?;
    Some(&rest[at + 1..])
}

fn begins_within_a_literal(text: &str) -> Vec<bool> {
    let mut end: Option<String> = None;
    let mut within = Vec::new();
    for line in text.lines() {
        within.push(end.is_some());
        let mut rest = line;
        while !rest.is_empty() {
            if let Some(quote) = &end {
                let Some(behind) = behind_literal(rest, quote) else {
                    break;
                };
                rest = behind;
                end = None;
            } else if rest.starts_with("//") {
                break;
            } else if let Some(behind) = ["'\"'", "'\\\"'"]
                .iter()
                .find_map(|quote| rest.strip_prefix(*quote))
            {
                rest = behind;
            } else if let Some((length, quote)) = literal(rest) {
                rest = &rest[length..];
                end = Some(quote);
            } else {
                rest = &rest[rest.chars().next().map_or(0, char::len_utf8)..];
            }
        }
    }
    within
}

fn test_sources() -> Vec<(PathBuf, String)> {
    let crates = fs::read_dir(root().join("crates")).unwrap();
    let folders = crates.map(|entry| entry.unwrap().path().join("tests"));
    let folders = folders.filter(|folder| folder.is_dir());
    let folders = folders.map(|folder| {
        let inside = folder.strip_prefix(root()).unwrap();
        inside.to_string_lossy().into_owned()
    });
    let own = ["tests", "benches"].map(str::to_owned);
    let all = own.into_iter().chain(folders);
    all.flat_map(|folder| sources(&folder)).collect()
}

#[test]
fn files_and_functions_are_short() {
    let mut wrong = Vec::new();
    for is_test in [false, true] {
        let (longest, files) = if is_test {
            (LONGEST_FUNCTION_IN_TESTS, test_sources())
        } else {
            (LONGEST_FUNCTION_IN_SRC, all_sources())
        };
        for (path, text) in files {
            let path = path.display();
            let lines = text.lines().count();
            if lines > LONGEST_FILE {
                wrong.push(format!("{path}: {lines} lines"));
            }
            for Function {
                line,
                lines,
                deepest,
            } in functions(&text)
            {
                if lines > longest {
                    wrong.push(format!("{path}:{line}: a function of {lines} lines"));
                }
                if !is_test && deepest.1 > DEEPEST {
                    wrong.push(format!(
                        "{path}:{}: {} columns deep in its function",
                        deepest.0, deepest.1
                    ));
                }
            }
        }
    }
    check(&wrong);
}

/// Reports whether a function destructures a parameter in its signature: `(a, b): (u8, u8)`.
fn takes_a_tuple(signature: &str) -> bool {
    let mut ends = signature.match_indices("): ");
    ends.any(|(end, _)| {
        let mut open = 0;
        let begin = signature[..=end].rfind(|sign| {
            open += i32::from(sign == ')') - i32::from(sign == '(');
            open == 0
        });
        let before = begin.map(|at| signature[..at].trim_end());
        before.is_some_and(|before| before.ends_with(['(', ',', '&']))
    })
}

#[test]
fn each_parameter_has_a_name() {
    let mut wrong = Vec::new();
    for (path, text) in all_sources() {
        let lines: Vec<&str> = text.lines().collect();
        for function in functions(&text) {
            let all = lines[function.line - 1..].iter();
            let end = all.clone().position(|line| line.ends_with('{'));
            let signature: Vec<&str> = all.take(end.unwrap_or(0) + 1).copied().collect();
            if takes_a_tuple(&signature.join("\n")) {
                wrong.push(format!("{}:{}: a tuple", path.display(), function.line));
            }
        }
    }
    check(&wrong);
    for tuple in [
        "fn a((b, c): (u8, u8)) {",
        "fn a(self, d: u8, &(b, c): &Pair) {",
        "fn a(\n    d: impl Fn(u8),\n    (b, (c, _)): Pair,\n) {",
    ] {
        assert!(takes_a_tuple(tuple), "{tuple}");
    }
    for fine in [
        "fn a(State(b): State<u8>, c: (u8, u8)) -> (u8, u8) {",
        "fn a() {",
    ] {
        assert!(!takes_a_tuple(fine), "{fine}");
    }
}

/// Only string literals and table rows in comments may be wider.
#[test]
fn lines_are_not_wide() {
    let mut wrong = Vec::new();
    for (path, text) in all_sources().into_iter().chain(test_sources()) {
        for ((number, line), within) in (1..).zip(text.lines()).zip(begins_within_a_literal(&text))
        {
            let width = line.chars().count();
            let free = within || line.contains('"') || line.trim_start().starts_with("//! | ");
            if width > WIDEST && !free {
                wrong.push(format!("{}:{number}: {width} columns", path.display()));
            }
        }
    }
    check(&wrong);
}

#[test]
fn the_layout_is_that_of_rustfmt() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rustfmt.toml");
    assert_eq!(
        fs::read_to_string(rules).unwrap(),
        format!("max_width = {WIDEST}\n")
    );
}

#[test]
fn every_function_is_seen() {
    for line in [
        "fn a() {",
        "    pub fn a(",
        "pub(crate) fn a() {",
        "pub(in crate::kernel) fn a() {",
        "pub(super) async fn a() {",
        "const fn a() -> u8 {",
        "pub const unsafe extern \"C\" fn a() {",
    ] {
        assert!(begins(line), "{line}");
    }
    for line in [
        "// fn a() {",
        "let fn_a = 1;",
        "type A = fn(u8) -> u8;",
        "pub struct A {",
        "say(fn_a, fn (a)",
    ] {
        assert!(!begins(line), "{line}");
    }
}

#[test]
fn functions_are_measured() {
    let text = "impl A {
    fn declared(
        &self,
    ) -> u8;
    fn short() {}
    async fn long() {
        let brace = \"
}
\";
        if brace.is_empty() {
            say(r#\"
            }\"#);
        }
    }
}
";
    let long = Function {
        line: 6,
        lines: 9,
        deepest: (11, 8),
    };
    assert_eq!(functions(text), [long]);
    let within: Vec<usize> = (1..)
        .zip(begins_within_a_literal(text))
        .filter_map(|(number, within)| within.then_some(number))
        .collect();
    assert_eq!(within, [8, 9, 12]);
}
