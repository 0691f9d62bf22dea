//! The texts of scripts, and searches in these texts that need no parser.

use std::collections::BTreeMap;
use std::sync::Arc;

use rhai::Position;

/// A script's text and its name: a path, or the name of a built-in file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name for messages.
    pub name: Arc<str>,
    /// The text.
    pub text: Arc<str>,
}

impl Source {
    /// Creates a source.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
        }
    }
}

/// The files that a script can import with `import "other"`: the files in its own folder, provided
/// by the program that reads them. The key is a file's name without `.rhai`.
pub type Siblings = Arc<BTreeMap<String, Source>>;

/// A script and the files that it may import.
#[derive(Clone, Debug)]
pub struct Script {
    /// The script itself.
    pub source: Source,
    /// The files that the script may import.
    pub siblings: Siblings,
    /// The changed settings of a bot; empty for other scripts.
    pub set: BTreeMap<String, i64>,
}

impl Script {
    /// Creates a script without files to import.
    #[must_use]
    pub fn alone(name: &str, text: &str) -> Self {
        Self {
            source: Source::new(name, text),
            siblings: Siblings::default(),
            set: BTreeMap::new(),
        }
    }
}

/// Returns the position of a function's name in a script's code.
pub fn function_position(source: &Source, name: &str) -> Position {
    let wanted = format!("fn {name}(");
    let lines = source.text.lines().enumerate();
    for (line, content) in lines.take(usize::from(u16::MAX) - 1) {
        if let Some(start) = content.find(&wanted) {
            let column = content[..start].chars().count() + 4;
            return Position::new((line + 1) as u16, column.min(usize::from(u16::MAX)) as u16);
        }
    }
    Position::NONE
}

/// Returns the line of the first function with each name in a script's text.
pub fn function_lines(text: &str) -> BTreeMap<&str, usize> {
    let mut lines = BTreeMap::new();
    for (line, content) in text.lines().enumerate().take(usize::from(u16::MAX) - 1) {
        for (at, _) in content.match_indices("fn ") {
            if let Some((name, _)) = content[at + 3..].split_once('(') {
                lines.entry(name).or_insert(line + 1);
            }
        }
    }
    lines
}
