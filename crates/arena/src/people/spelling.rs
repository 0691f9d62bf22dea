//! Typed words and the names that they match. Case, blanks, hyphens and slashes don't matter, and a
//! beginning is enough if no other name has it.

use risk_text::plural::counted;

/// The maximum number of names in one sentence.
const MOST_NAMED: usize = 8;

/// A name reduced to its lower-case letters and digits.
pub(super) struct Spelling {
    letters: String,
    /// The places in the letters where a part of the name begins.
    breaks: Vec<usize>,
}

impl Spelling {
    pub(super) fn new(text: &str) -> Self {
        let mut letters = String::new();
        let mut breaks = Vec::new();
        let mut last = None;
        for c in text.chars() {
            if c.is_alphanumeric() {
                let begins = last.is_some_and(|last: char| {
                    !last.is_alphanumeric() || last.is_numeric() != c.is_numeric()
                });
                if begins && !letters.is_empty() {
                    breaks.push(letters.len());
                }
                letters.extend(c.to_lowercase());
            }
            last = Some(c);
        }
        Self { letters, breaks }
    }
}

/// One or several typed words that are taken as one name.
pub(super) struct Typed {
    letters: String,
    /// The places in the letters where a further word begins. Parts of a name must begin there, so
    /// `a b` is never the name `ab`.
    breaks: Vec<usize>,
    /// The number of letters from which a beginning is enough.
    shortest: usize,
}

impl Typed {
    pub(super) fn new(words: &[&str], shortest: usize) -> Self {
        let mut letters = String::new();
        let mut breaks = Vec::new();
        for word in words {
            if !letters.is_empty() {
                breaks.push(letters.len());
            }
            letters.push_str(&plain(word));
        }
        Self {
            letters,
            breaks,
            shortest,
        }
    }

    fn begins(&self, name: &Spelling) -> bool {
        !self.letters.is_empty()
            && name.letters.starts_with(&self.letters)
            && self.breaks.iter().all(|at| name.breaks.contains(at))
    }

    fn is(&self, name: &Spelling) -> bool {
        self.begins(name) && self.letters.len() == name.letters.len()
    }

    fn is_long(&self) -> bool {
        self.letters.chars().count() >= self.shortest
    }
}

/// The items that typed words match.
pub(super) enum Found<T> {
    None,
    One(T),
    Several(Vec<T>),
}

/// Returns the items for typed words: the first item with this name, or else all whose names begin
/// so.
pub(super) fn find<T: Copy>(typed: &Typed, things: &[(T, Vec<Spelling>)]) -> Found<T> {
    let mut whole = things
        .iter()
        .filter(|(_, names)| names.iter().any(|name| typed.is(name)));
    if let Some(&(thing, _)) = whole.next() {
        return Found::One(thing);
    }
    let begun = things
        .iter()
        .filter(|(_, names)| typed.is_long() && names.iter().any(|name| typed.begins(name)));
    let begun: Vec<T> = begun.map(|&(thing, _)| thing).collect();
    match begun.as_slice() {
        [] => Found::None,
        &[only] => Found::One(only),
        _ => Found::Several(begun),
    }
}

/// Reduces a word to its lower-case letters and digits.
pub(super) fn plain(word: &str) -> String {
    Spelling::new(word).letters
}

/// Joins at most `MOST_NAMED` names as in a sentence.
pub(super) fn either(names: &[impl AsRef<str>]) -> String {
    // One name more is as short as the sentence about it.
    let most = if names.len() == MOST_NAMED + 1 {
        MOST_NAMED + 1
    } else {
        MOST_NAMED
    };
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    let more = names.len() - shown.len();
    if more > 0 {
        return format!("{} or {}", shown.join(", "), counted(more, "other"));
    }
    match shown.split_last() {
        Some((only, [])) => (*only).to_owned(),
        Some((end, rest)) => format!("{} or {end}", rest.join(", ")),
        None => "nothing".to_owned(),
    }
}

/// Returns names in quotation marks, as in a question about what was meant.
pub(super) fn quoted(names: &[impl AsRef<str>]) -> String {
    let names = names.iter().map(|name| format!("`{}`", name.as_ref()));
    either(&names.collect::<Vec<_>>())
}

/// Returns what a message says was found.
pub(super) fn found(word: &str) -> String {
    if word.is_empty() {
        "nothing".to_owned()
    } else {
        format!("`{word}`")
    }
}
