//! The library of a program: named maps, rulesets and bots, and schemes for remote bots.

use std::fmt;
use std::ops::Deref;

use super::bot_spec::Scheme;
use crate::players::BuiltIn;
use risk_maps::files::{FileKind, Files, FindText};

/// The files that can be found by name, and the schemes for bots that are found by address. Cloning
/// is cheap.
///
/// The engine has no files of its own, so [`Library::default`] contains no names. Paths, generated
/// maps such as `grid:5x5` and bots in Rust work with any library.
///
/// ```
/// use risk_engine::Library;
/// use risk_maps::files::FileKind;
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
pub struct Library {
    files: Files,
    schemes: Vec<&'static Scheme>,
}

impl Library {
    /// Creates a library. For each kind, `files` returns names without extensions, each with its
    /// text.
    #[must_use]
    pub fn new(files: impl Fn(FileKind) -> Vec<(String, String)>) -> Self {
        Self {
            files: Files::new(files),
            schemes: Vec::new(),
        }
    }

    /// Returns a library with these files as well, as [`Files::adding`].
    #[must_use]
    pub fn adding(&self, files: impl Fn(FileKind) -> Vec<(String, String)>) -> Self {
        Self {
            files: self.files.adding(files),
            schemes: self.schemes.clone(),
        }
    }

    /// Returns the library with a search for names that are not listed.
    #[must_use]
    pub fn with_unlisted(mut self, unlisted: FindText) -> Self {
        self.files = self.files.with_unlisted(unlisted);
        self
    }

    /// Returns a library with the same files and these schemes for remote bots.
    #[must_use]
    pub fn with_schemes(&self, schemes: impl IntoIterator<Item = &'static Scheme>) -> Self {
        Self {
            files: self.files.clone(),
            schemes: schemes.into_iter().collect(),
        }
    }

    /// Returns the names of all bots, starting with the bots in Rust.
    pub fn bots(&self) -> impl Iterator<Item = &str> {
        let built_in = BuiltIn::ALL.into_iter();
        let scripts = self.names(FileKind::Bot);
        built_in.map(|bot| -> &str { bot.as_str() }).chain(scripts)
    }

    /// Returns the schemes of remote bots.
    #[must_use]
    pub fn schemes(&self) -> &[&'static Scheme] {
        &self.schemes
    }
}

impl Deref for Library {
    type Target = Files;

    fn deref(&self) -> &Files {
        &self.files
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.files.fmt(f)
    }
}
