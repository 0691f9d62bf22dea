//! What the library shows can be named from outside: no public function of an exported type takes
//! or gives a type that is not exported too.

use std::collections::BTreeSet;
use std::path::Path;

use super::{check, sources};

/// The words of a text that are written like types.
fn type_names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| {
        let lower = word.chars().any(char::is_lowercase);
        lower && word.starts_with(|c: char| c.is_uppercase())
    })
}

/// The types that a file declares for others.
fn declared(text: &str) -> impl Iterator<Item = &str> {
    let kinds = ["struct ", "enum ", "trait ", "type "];
    text.lines().filter_map(move |line| {
        let item = line.strip_prefix("pub ")?;
        let named = kinds.iter().find_map(|kind| item.strip_prefix(kind))?;
        type_names(named).next()
    })
}

/// What a file shows of types: the type, where it says so, and the text of a signature or a field.
/// What documents hide is left out.
fn shown(text: &str) -> Vec<(&str, usize, String)> {
    let mut found: Vec<(&str, usize, String)> = Vec::new();
    let mut of = None;
    let mut is_hidden = false;
    let mut is_open = false;
    for (number, line) in (1..).zip(text.lines()) {
        if !line.starts_with([' ', '}', '#', '/']) {
            let block = line
                .split_once("impl")
                .filter(|(before, _)| before.is_empty());
            let block = block.filter(|_| !line.contains(" for "));
            let block = block
                .map(|(_, rest)| rest)
                .or(line.strip_prefix("pub struct "));
            of = block
                .filter(|_| line.ends_with('{'))
                .and_then(|it| type_names(it).next());
        }
        let word = line.trim_start();
        let is_item = line.starts_with("    ") && word.len() + 4 == line.len();
        if is_item && word.starts_with("pub ") && !is_open {
            if let Some(of) = of.filter(|_| !is_hidden) {
                found.push((of, number, String::new()));
                is_open = true;
            }
            is_hidden = false;
        } else if is_item && word.starts_with("#[doc(hidden)]") {
            is_hidden = true;
        }
        if is_open && let Some((_, _, signature)) = found.last_mut() {
            // The value of a constant is none of its type.
            let (shows, value) = word.split_once(" = ").unwrap_or((word, ""));
            signature.push_str(shows);
            let ends = word.ends_with(['{', ';', '}']) || is_item && word.ends_with(',');
            is_open = !ends && value.is_empty();
        }
    }
    found
}

#[test]
fn what_is_shown_can_be_named() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = sources("src");
    let text_of = |name: &str| files.iter().find(|(path, _)| *path == root.join(name));
    let uses = text_of("lib.rs").unwrap().1.split("\npub use ").skip(1);
    let uses = uses.filter_map(|rest| rest.split(';').next());
    let exported: BTreeSet<&str> = uses.flat_map(type_names).collect();
    let inner = ["cli", "serve"].map(|room| root.join(room));
    let files = files
        .iter()
        .filter(|(path, _)| !inner.iter().any(|room| path.starts_with(room)));
    let declared: BTreeSet<&str> = files.clone().flat_map(|(_, text)| declared(text)).collect();
    let mut wrong = Vec::new();
    for (path, text) in files {
        for (of, line, signature) in shown(text) {
            if exported.contains(of) {
                let unnamed = type_names(&signature)
                    .filter(|name| declared.contains(name) && !exported.contains(name));
                wrong.extend(unnamed.map(|name| {
                    format!(
                        "{}:{line}: {of} shows {name}, which is not exported",
                        path.display()
                    )
                }));
            }
        }
    }
    check(&wrong);
}

#[test]
fn signatures_and_fields_are_read() {
    let text = "pub struct Thing {
    pub field: Other,
    own: Hidden,
}

impl<'a> Thing<'a> {
    pub const NINE: Nine = [
        Ten,
    ];
    pub fn one(
        &self,
        two: Two,
    ) -> Three {
        Four::new()
    }

    #[doc(hidden)]
    #[must_use]
    pub fn five(&self) -> Five {}
    fn six(&self) -> Six {}
}

impl Seven for Thing {
    pub fn eight() -> Eight {}
}
";
    let expected = [
        ("Thing", 2, "pub field: Other,".to_owned()),
        ("Thing", 7, "pub const NINE: Nine".to_owned()),
        (
            "Thing",
            10,
            "pub fn one(&self,two: Two,) -> Three {".to_owned(),
        ),
    ];
    assert_eq!(shown(text), expected);
    assert_eq!(declared(text).collect::<Vec<_>>(), ["Thing"]);
}
