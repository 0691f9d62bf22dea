//! What a program brings along: maps, rulesets and bots by name, and the kinds of bots that it
//! can reach.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::Kind;
use super::bot_spec::Scheme;
use crate::players::BuiltIn;

/// The files that are found by name, and the bots that are found by an address. Cloning is cheap.
///
/// The engine has no files of its own, so a name finds nothing in [`Library::default`]; paths,
/// made maps such as `grid:5x5` and bots in Rust work with any library.
///
/// ```
/// use risk_engine::load::{Kind, Library};
///
/// let library = Library::new(|kind| match kind {
///     Kind::Bot => vec![("idle".to_owned(), "fn answer(view, ask) { ask.nth(0) }".to_owned())],
///     Kind::Map | Kind::Ruleset => Vec::new(),
/// });
/// assert_eq!(library.names(Kind::Bot), ["idle"]);
/// ```
#[derive(Clone, Default)]
pub struct Library(Arc<Inner>);

#[derive(Clone, Default)]
struct Inner {
    /// Texts by kind and name.
    files: [BTreeMap<String, String>; 3],
    schemes: Vec<&'static Scheme>,
}

impl Library {
    /// A library of these files: names without ending, and their texts, for each kind.
    #[must_use]
    pub fn new(files: impl Fn(Kind) -> Vec<(String, String)>) -> Self {
        let files = Kind::ALL.map(|kind| files(kind).into_iter().collect());
        Self(Arc::new(Inner {
            files,
            schemes: Vec::new(),
        }))
    }

    /// The same files, and bots outside the program that addresses of these schemes reach.
    #[must_use]
    pub fn with_schemes(&self, schemes: impl IntoIterator<Item = &'static Scheme>) -> Self {
        Self(Arc::new(Inner {
            schemes: schemes.into_iter().collect(),
            ..(*self.0).clone()
        }))
    }

    /// The names of a kind, sorted.
    #[must_use]
    pub fn names(&self, kind: Kind) -> Vec<&str> {
        let files = self.files(kind);
        files.keys().map(String::as_str).collect()
    }

    /// The names of all bots, those in Rust first.
    pub fn bots(&self) -> impl Iterator<Item = &str> {
        let scripts = self.files(Kind::Bot).keys().map(String::as_str);
        let built_in = BuiltIn::ALL.into_iter();
        built_in.map(|bot| -> &str { bot.as_str() }).chain(scripts)
    }

    /// The text of a file. `None` if there is no such name.
    #[must_use]
    pub fn text(&self, kind: Kind, name: &str) -> Option<&str> {
        self.files(kind).get(name).map(String::as_str)
    }

    /// The schemes of bots outside the program.
    #[must_use]
    pub fn schemes(&self) -> &[&'static Scheme] {
        &self.0.schemes
    }

    fn files(&self, kind: Kind) -> &BTreeMap<String, String> {
        &self.0.files[kind as usize]
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(Kind::ALL.map(|kind| self.names(kind)))
            .finish()
    }
}
