//! The library of a program: named maps, rulesets and bots, and schemes for remote bots.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::FileKind;
use super::bot_spec::Scheme;
use crate::players::BuiltIn;

/// The files that can be found by name, and the schemes for bots that are found by address. Cloning
/// is cheap.
///
/// The engine has no files of its own, so [`Library::default`] contains no names. Paths, generated
/// maps such as `grid:5x5` and bots in Rust work with any library.
///
/// ```
/// use risk_engine::load::{FileKind, Library};
///
/// let library = Library::new(|kind| match kind {
///     FileKind::Bot => {
///         vec![("idle".to_owned(), "fn answer(view, ask) { ask.nth(0) }".to_owned())]
///     }
///     FileKind::Map | FileKind::Ruleset => Vec::new(),
/// });
/// assert_eq!(library.names(FileKind::Bot), ["idle"]);
/// ```
#[derive(Clone, Default)]
pub struct Library(Arc<LibraryData>);

#[derive(Clone, Default)]
struct LibraryData {
    files: [BTreeMap<String, String>; 3],
    schemes: Vec<&'static Scheme>,
}

impl Library {
    /// Creates a library. For each kind, `files` returns names without extensions, each with its
    /// text.
    #[must_use]
    pub fn new(files: impl Fn(FileKind) -> Vec<(String, String)>) -> Self {
        let files = FileKind::ALL.map(|kind| files(kind).into_iter().collect());
        Self(Arc::new(LibraryData {
            files,
            schemes: Vec::new(),
        }))
    }

    /// Returns a library with the same files and these schemes for remote bots.
    #[must_use]
    pub fn with_schemes(&self, schemes: impl IntoIterator<Item = &'static Scheme>) -> Self {
        Self(Arc::new(LibraryData {
            schemes: schemes.into_iter().collect(),
            ..(*self.0).clone()
        }))
    }

    /// Returns the names of all files of a kind, sorted.
    #[must_use]
    pub fn names(&self, kind: FileKind) -> Vec<&str> {
        let files = self.files(kind);
        files.keys().map(String::as_str).collect()
    }

    /// Returns the names of all bots, starting with the bots in Rust.
    pub fn bots(&self) -> impl Iterator<Item = &str> {
        let scripts = self.files(FileKind::Bot).keys().map(String::as_str);
        let built_in = BuiltIn::ALL.into_iter();
        built_in.map(|bot| -> &str { bot.as_str() }).chain(scripts)
    }

    /// Returns the text of a file, or `None` if there is no such name.
    #[must_use]
    pub fn text(&self, kind: FileKind, name: &str) -> Option<&str> {
        self.files(kind).get(name).map(String::as_str)
    }

    /// Returns the schemes of remote bots.
    #[must_use]
    pub fn schemes(&self) -> &[&'static Scheme] {
        &self.0.schemes
    }

    fn files(&self, kind: FileKind) -> &BTreeMap<String, String> {
        &self.0.files[kind as usize]
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(FileKind::ALL.map(|kind| self.names(kind)))
            .finish()
    }
}
