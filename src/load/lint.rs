//! The checks of maps: a code, a level, a reason and what to do, for each.

use std::collections::BTreeMap;

use super::diag::Level;
use crate::suggest;

/// A kind of finding about a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lint {
    /// Its code.
    pub code: &'static str,
    /// Its level when nobody says otherwise.
    pub level: Level,
    /// What is checked.
    pub about: &'static str,
    /// What to do about a finding.
    pub help: &'static str,
}

const fn lint(code: &'static str, level: Level, about: &'static str, help: &'static str) -> Lint {
    Lint { code, level, about, help }
}

/// All lints. Codes that can't be allowed, because no board can be made then, stand in [`HARD`].
pub const LINTS: [Lint; 29] = [
    lint(
        "syntax",
        Level::Deny,
        "the file is YAML of the form that maps have",
        "see `risk-cli map show world` for a map that is right",
    ),
    lint(
        "unknown-key",
        Level::Deny,
        "no key of the map or of a continent is unknown",
        "remove it, or correct its name",
    ),
    lint("value", Level::Deny, "every value is of the right kind", "correct the value"),
    lint("missing-key", Level::Deny, "nothing that a map needs is missing", "add it"),
    lint(
        "bad-id",
        Level::Deny,
        "an id is one word of letters, digits, `-` and `_`",
        "write it in lower case with `-` for blanks, north-africa say, and put the name people see under `name`",
    ),
    lint("no-territories", Level::Deny, "a map has territories", "list at least two under `territories`"),
    lint(
        "too-many-territories",
        Level::Deny,
        "a map has at most 10,000 territories and 1,000 continents",
        "make it smaller",
    ),
    lint("duplicate-territory", Level::Deny, "every territory has an id of its own", "give one of them another id"),
    lint("duplicate-continent", Level::Deny, "every continent has an id of its own", "give one of them another id"),
    lint(
        "unknown-continent",
        Level::Deny,
        "the continent of a territory is declared",
        "declare it under `continents`, or correct the name",
    ),
    lint(
        "territory-without-continent",
        Level::Deny,
        "where a map has continents, each territory is in one",
        "add `continent: …`",
    ),
    lint(
        "border-unknown-id",
        Level::Deny,
        "borders lead to territories of the map",
        "correct the id, or add the territory",
    ),
    lint("bonus-not-number", Level::Deny, "a bonus is a whole number", "write bonus: 2, say"),
    lint("self-loop", Level::Deny, "no territory borders itself", "remove it from its own borders"),
    lint(
        "disconnected-map",
        Level::Deny,
        "one can get from every territory to every other, ignoring direction",
        "add a border that joins the parts",
    ),
    lint(
        "disconnected-continent",
        Level::Deny,
        "the territories of a continent hang together, ignoring direction",
        "add a border, or make it two continents",
    ),
    lint("single-territory", Level::Deny, "a map has more than one territory", "add another"),
    lint("empty-continent", Level::Warn, "a continent has territories", "remove it, or put a territory into it"),
    lint("duplicate-border", Level::Warn, "a border is listed once at each end", "remove one of them"),
    lint(
        "one-way-border",
        Level::Warn,
        "a border can be crossed both ways",
        "list it under `borders` if it should be two-way",
    ),
    lint(
        "not-strongly-connected",
        Level::Warn,
        "one can get from every territory to every other in the direction of the borders",
        "make a border two-way",
    ),
    lint("zero-bonus", Level::Warn, "a bonus is above 0", "give holding the continent a worth"),
    lint("territory-without-borders", Level::Warn, "a territory has borders", "add one"),
    lint("duplicate-territory-name", Level::Warn, "no two territories have the same name", "rename one of them"),
    lint(
        "missing-coordinates",
        Level::Warn,
        "a territory has a position to be drawn at, or none has",
        "add `at: [x, y]`",
    ),
    lint("shared-coordinates", Level::Warn, "no two territories are drawn at the same place", "move one of them"),
    lint("missing-colour", Level::Allow, "a continent has a colour", "add colour: \"#4f7cac\", say"),
    lint(
        "no-continents",
        Level::Allow,
        "a map has continents",
        "add `continents`, if your rules have bonuses for them",
    ),
    lint(
        "near-key",
        Level::Warn,
        "data of a territory is not a misspelled key",
        "correct it, or choose a name that is less alike",
    ),
];

/// Codes that stay denied whatever is asked: without them there is no board.
pub const HARD: [&str; 13] = [
    "syntax",
    "unknown-key",
    "value",
    "missing-key",
    "bad-id",
    "no-territories",
    "too-many-territories",
    "duplicate-territory",
    "duplicate-continent",
    "unknown-continent",
    "border-unknown-id",
    "bonus-not-number",
    "self-loop",
];

/// The lint with a code.
#[must_use]
pub fn find(code: &str) -> Option<&'static Lint> {
    LINTS.iter().find(|lint| lint.code == code)
}

/// Levels that differ from the defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    said: BTreeMap<&'static str, Level>,
    strict: bool,
}

impl Levels {
    /// From what the user said: codes to allow, codes to deny, and whether every warning is an error.
    ///
    /// # Errors
    /// When a code is not known, or can't be allowed.
    pub fn new(allow: &[String], deny: &[String], strict: bool) -> Result<Self, String> {
        let mut said = BTreeMap::new();
        for (codes, level) in [(allow, Level::Allow), (deny, Level::Deny)] {
            for code in codes {
                let lint = find(code).ok_or_else(|| {
                    format!("there is no lint `{code}`; {}", suggest::help(code, LINTS.map(|lint| lint.code)))
                })?;
                if level == Level::Allow && HARD.contains(&lint.code) {
                    return Err(format!("`{code}` can't be allowed: there would be no board"));
                }
                said.insert(lint.code, level);
            }
        }
        Ok(Self { said, strict })
    }

    /// The level of a lint.
    #[must_use]
    pub fn of(&self, lint: &Lint) -> Level {
        let level = self.said.get(lint.code).copied().unwrap_or(lint.level);
        if self.strict && level == Level::Warn { Level::Deny } else { level }
    }
}
