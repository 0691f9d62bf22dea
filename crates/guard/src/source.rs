//! Texts of scripts, and what can be seen of them without reading them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use rhai::Position;

use super::entries::Indexed;

/// A script's text and the name it is known by: a path, or the name of a built-in file.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name, for messages.
    pub name: Arc<str>,
    /// All that it says: places are counted in its lines and characters.
    pub text: Arc<str>,
    /// How it is compiled, once somebody has asked.
    indexed: Arc<OnceLock<Indexed>>,
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.text) == (&other.name, &other.text)
    }
}

impl Eq for Source {}

impl Source {
    /// A text under a name.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            indexed: Arc::default(),
        }
    }

    fn indexed(&self) -> &Indexed {
        self.indexed.get_or_init(|| Indexed::new(&self.text))
    }

    /// What is compiled: the text, with its assignments to entries of maps written anew. All
    /// positions that Rhai tells are places in it.
    pub fn code(&self) -> &str {
        self.indexed().code(&self.text)
    }

    /// The line and the column of the text for a position of the code.
    pub fn place(&self, position: Position) -> Option<(usize, usize)> {
        self.indexed().place(position)
    }

    /// Is a position of the code that of a key behind a point, which is assigned to?
    pub fn is_assigned_key(&self, position: Position) -> bool {
        self.indexed().is_key(position)
    }
}

/// Where a script's `import "other"` finds other files: those of its own folder, handed over by
/// whoever reads files. The key is the file's name without `.rhai`.
pub type Siblings = Arc<BTreeMap<String, Source>>;

/// A script with the files it may import.
#[derive(Clone, Debug)]
pub struct Script {
    /// The script itself.
    pub source: Source,
    /// What it may import.
    pub siblings: Siblings,
    /// Of a bot: the settings that are not as the script has them.
    pub set: BTreeMap<String, i64>,
}

impl Script {
    /// A script that imports nothing.
    #[must_use]
    pub fn alone(name: &str, text: &str) -> Self {
        Self {
            source: Source::new(name, text),
            siblings: Siblings::default(),
            set: BTreeMap::new(),
        }
    }
}

/// Where a function's name stands in a script's code.
pub fn function_position(source: &Source, name: &str) -> Position {
    let wanted = format!("fn {name}(");
    for (line, content) in source
        .code()
        .lines()
        .enumerate()
        .take(usize::from(u16::MAX) - 1)
    {
        if let Some(start) = content.find(&wanted) {
            let column = content[..start].chars().count() + 4;
            return Position::new((line + 1) as u16, column.min(usize::from(u16::MAX)) as u16);
        }
    }
    Position::NONE
}

/// The lines of all functions of a script's text, each the first that has its name.
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
