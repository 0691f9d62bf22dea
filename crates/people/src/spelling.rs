//! Typed words and the names that they match. Case, blanks, hyphens and slashes don't matter, and a
//! beginning is enough if no other name has it. Otherwise, beginnings of the words in a name are
//! enough, as in `w aus`, `waus`, `uk` or `guinea`.

use risk_text::plural::counted;

/// The maximum number of names in one sentence.
const MOST_NAMED: usize = 8;
/// The number of letters from which a word is enough for a later word of a name.
const LEAST_TELLING: usize = 3;

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

    /// Returns the words of the name.
    fn parts(&self) -> Vec<&str> {
        split(&self.letters, &self.breaks)
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

    /// Reports whether the typed words begin words of a name in their order, or whether one typed
    /// word consists of beginnings of all words of the name.
    fn abbreviates(&self, name: &Spelling) -> bool {
        let parts = name.parts();
        if parts.len() < 2 || self.letters.is_empty() {
            return false;
        }
        let typed = self.parts();
        if let [word] = typed.as_slice() {
            let mut starts = name.breaks.iter().map(|&at| &name.letters[at..]);
            let is_inner = is_telling(word) && starts.any(|rest| begins_part(rest, word));
            return is_inner || is_contraction(word, &parts);
        }
        let mut parts = parts.iter();
        let begins = |word: &&str| parts.any(|part| begins_part(part, word));
        typed.iter().all(begins)
    }

    fn parts(&self) -> Vec<&str> {
        split(&self.letters, &self.breaks)
    }

    fn is_long(&self) -> bool {
        self.letters.chars().count() >= self.shortest
    }
}

/// Splits letters at these places.
fn split<'a>(letters: &'a str, breaks: &[usize]) -> Vec<&'a str> {
    let begins = std::iter::once(0).chain(breaks.iter().copied());
    let ends = breaks.iter().copied().chain([letters.len()]);
    begins
        .zip(ends)
        .map(|(at, end)| &letters[at..end])
        .collect()
}

/// Reports whether a typed word begins a word of a name. Numbers must be whole.
fn begins_part(part: &str, word: &str) -> bool {
    let is_number = word.chars().all(char::is_numeric);
    part == word || (!is_number && part.starts_with(word))
}

/// Reports whether a single word is enough for a later word of a name.
fn is_telling(word: &str) -> bool {
    word.chars().count() >= LEAST_TELLING || word.chars().all(char::is_numeric)
}

/// Reports whether letters consist of beginnings of all parts, in their order.
fn is_contraction(letters: &str, parts: &[&str]) -> bool {
    // More letters than the name has are no abbreviation of it, however many were typed.
    if letters.len() > parts.iter().map(|part| part.len()).sum() {
        return false;
    }
    let letters: Vec<char> = letters.chars().collect();
    // Which numbers of letters the parts so far can account for.
    let mut reached = vec![false; letters.len() + 1];
    reached[0] = true;
    for part in parts {
        let mut next = vec![false; letters.len() + 1];
        for at in (0..letters.len()).filter(|&at| reached[at]) {
            let same = letters[at..].iter().zip(part.chars());
            let same = same.take_while(|(one, other)| *one == other).count();
            next[at + 1..=at + same].fill(true);
        }
        reached = next;
    }
    reached[letters.len()]
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
    matched(begun.map(|&(thing, _)| thing).collect())
}

fn matched<T: Copy>(all: Vec<T>) -> Found<T> {
    match all.as_slice() {
        [] => Found::None,
        &[only] => Found::One(only),
        _ => Found::Several(all),
    }
}

/// Returns the items for typed words: the first item with this name, or else all with names that
/// begin so or have a word that does.
pub(super) fn find_part<T: Copy>(typed: &Typed, things: &[(T, Vec<Spelling>)]) -> Found<T> {
    let is = |name: &Spelling| typed.is(name);
    if !typed.is_long() || things.iter().any(|(_, names)| names.iter().any(is)) {
        return find(typed, things);
    }
    let fits = |name: &Spelling| typed.begins(name) || typed.abbreviates(name);
    let like = things.iter().filter(|(_, names)| names.iter().any(fits));
    matched(like.map(|&(thing, _)| thing).collect())
}

/// Returns the items for typed words like [`find`], and if there are none, those with names that
/// the words abbreviate.
pub(super) fn find_name<T: Copy>(typed: &Typed, things: &[(T, Vec<Spelling>)]) -> Found<T> {
    let found = find(typed, things);
    if !matches!(found, Found::None) || !typed.is_long() {
        return found;
    }
    let like = things
        .iter()
        .filter(|(_, names)| names.iter().any(|name| typed.abbreviates(name)));
    matched(like.map(|&(thing, _)| thing).collect())
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
