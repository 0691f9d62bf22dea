//! The place of a bracket that is never closed.

use rhai_guard::Source;
use rhai_guard::syntax::draft;

/// Returns the code, the place and the quoted bracket of a script's syntax error.
fn fault(text: &str) -> (String, (usize, usize), String) {
    let fault = draft(&Source::new("s", text)).unwrap_err();
    let place = fault.place.expect("the error has a place");
    let quoted = fault.text.split('`').nth(1).unwrap_or_default().to_owned();
    (fault.code.into_owned(), (place.line, place.column), quoted)
}

#[test]
fn an_open_bracket_is_reported_at_its_own_place() {
    let rows = [
        // The brace of the inner block is aligned with the function.
        (
            "fn a() {\n    if true {\n        1;\n}\nfn b() { 2 }\n",
            (2, 13),
            "{",
        ),
        ("fn a() {\n    1\n\nfn b() { 2 }\n", (1, 8), "{"),
        ("fn a() {\n    f(0;\n    g()\n}\n", (2, 6), "("),
        ("fn a() { let x = [1, 2; x }\n", (1, 18), "["),
        ("fn ruleset() { #{ name: \"x\" }\n", (1, 14), "{"),
        // Brackets in strings, characters and comments don't count.
        (
            "fn a() { let s = \"}\"; let c = '}'; // }\n /* } /* } */ } */\n",
            (1, 8),
            "{",
        ),
        (
            "fn a() { let s = \"\\\"}\"; let t = #\"}\"#;\n",
            (1, 8),
            "{",
        ),
        (
            "fn a() { let s = `} ${ if true { `{` } else { \"}\" } } }`;\n",
            (1, 8),
            "{",
        ),
        ("fn a(x) { let u = \"é\"; f(\n", (1, 25), "("),
        // The alignment of the first function means nothing, because its brackets are closed.
        (
            "fn a() {\n    if true {\n  1;\n} }\nfn b( { }\n",
            (5, 5),
            "(",
        ),
    ];
    for (text, place, bracket) in rows {
        let expected = ("script::syntax".to_owned(), place, bracket.to_owned());
        assert_eq!(fault(text), expected, "{text}");
    }
}

#[test]
fn other_errors_keep_their_places() {
    let rows = [
        // All brackets have partners.
        ("fn a() {\n    let x = ;\n}\n", 2),
        // The error comes before the open bracket.
        ("fn a() { let = 1; }\nfn b() {\n", 1),
        // A closing bracket too many.
        ("fn a() { 1 } }\nfn b() { 2 }\n", 1),
    ];
    for (text, line) in rows {
        let (code, place, _) = fault(text);
        assert_eq!((code.as_str(), place.0), ("script::syntax", line), "{text}");
    }
}
