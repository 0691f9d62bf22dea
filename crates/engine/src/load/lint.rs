//! The lints of maps: a code, a level, a reason and a help text for each.

use std::collections::BTreeMap;

use super::diag::Level;
use crate::error::EngineError;
use risk_text::suggest;

/// A kind of finding about a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lint {
    /// The name in levels and messages, for example `one-way-border`.
    pub code: &'static str,
    /// The default level.
    pub level: Level,
    /// Whether the lint is always denied, because there can be no board.
    pub hard: bool,
    /// The property that is checked.
    pub about: &'static str,
    /// How to fix a finding.
    pub help: &'static str,
}

const fn hard(code: &'static str, about: &'static str, help: &'static str) -> Lint {
    Lint {
        code,
        level: Level::Deny,
        hard: true,
        about,
        help,
    }
}

const fn deny(code: &'static str, about: &'static str, help: &'static str) -> Lint {
    Lint {
        code,
        level: Level::Deny,
        hard: false,
        about,
        help,
    }
}

const fn warn(code: &'static str, about: &'static str, help: &'static str) -> Lint {
    Lint {
        code,
        level: Level::Warn,
        hard: false,
        about,
        help,
    }
}

const fn allow(code: &'static str, about: &'static str, help: &'static str) -> Lint {
    Lint {
        code,
        level: Level::Allow,
        hard: false,
        about,
        help,
    }
}

/// All lints: first those without which there is no board, then those of all maps, then those of
/// one form.
pub const LINTS: [Lint; 69] = [
    hard(
        "syntax",
        "the file is YAML of the form that maps have",
        "`risk-cli map new NAME` writes a map that is right",
    ),
    hard(
        "not-a-map",
        "the file is a map in YAML, of Domination, of Conquest, in JSON of regions or in SVG",
        "a YAML map has the keys name and territories; a .map file has sections in square brackets",
    ),
    hard(
        "unrecognised-dialect",
        "the sections of a .map file are those of Domination or of Conquest",
        "Domination has [continents], [countries] and [borders], Conquest [Map], [Continents] and \
         [Territories]",
    ),
    hard(
        "unknown-key",
        "no key of the map or of a continent is unknown",
        "remove it, or correct its name",
    ),
    hard(
        "value",
        "every value is of the right kind",
        "correct the value",
    ),
    hard(
        "missing-key",
        "nothing that a map needs is missing",
        "add it",
    ),
    hard(
        "bad-id",
        "an id is one word of letters, digits, `-` and `_`",
        "write it in lower case with `-` for blanks, for example north-africa, and put the \
         displayed name under `name`",
    ),
    hard(
        "no-territories",
        "a map has territories",
        "list at least two of them",
    ),
    hard(
        "too-many-territories",
        "a map has at most 10,000 territories and 1,000 continents",
        "make it smaller",
    ),
    hard(
        "too-long",
        "a map has at most 1,500,000 words and lines",
        "make it smaller",
    ),
    hard(
        "too-many-borders",
        "a map lists at most 250,000 borders",
        "make it smaller",
    ),
    hard(
        "duplicate-territory",
        "every territory has an id of its own",
        "give one of them another id",
    ),
    hard(
        "duplicate-continent",
        "every continent has an id of its own",
        "give one of them another id",
    ),
    hard(
        "unknown-continent",
        "the continent of a territory is declared",
        "declare it under `continents`, or correct the name",
    ),
    hard(
        "border-unknown-id",
        "borders lead to territories of the map",
        "correct the id, or add the territory",
    ),
    hard(
        "border-unknown-name",
        "borders lead to territories of the map",
        "correct the name, or add the territory",
    ),
    hard(
        "bonus-not-number",
        "a bonus is a whole number",
        "write 2, for example",
    ),
    hard(
        "bonus-too-large",
        "a bonus is from -1,000,000 to 1,000,000",
        "make it smaller",
    ),
    hard(
        "missing-section",
        "a .map file has all its sections",
        "add it: without it there is no map",
    ),
    hard(
        "unknown-section",
        "a .map file has no other sections than its own",
        "remove it, or correct its name; a saved game is not a map",
    ),
    hard(
        "continent-fields",
        "a continent's line is NAME BONUS COLOUR in Domination, NAME=BONUS in Conquest",
        "write the line in that form",
    ),
    hard(
        "territory-fields",
        "a line is NUMBER NAME CONTINENT X Y in Domination, NAME,X,Y,CONTINENT,NEIGHBOUR,… in \
         Conquest",
        "write the line in that form",
    ),
    hard(
        "coordinate-not-number",
        "coordinates are whole numbers from -100,000 to 100,000",
        "write pixels from the left and from the top",
    ),
    hard(
        "country-id-not-number",
        "in Domination a country's line begins with its number",
        "number them 1, 2, 3 …",
    ),
    hard(
        "duplicate-country-id",
        "in Domination each country has a number of its own",
        "number them 1, 2, 3 …",
    ),
    hard(
        "continent-index-not-number",
        "in Domination a country names its continent by number",
        "count the continents from 1 in the order of the file",
    ),
    hard(
        "continent-index-range",
        "in Domination a continent's number is one of those of the file",
        "count the continents from 1 in the order of the file",
    ),
    hard(
        "border-not-number",
        "in Domination borders are listed by number",
        "write the numbers of the countries",
    ),
    deny(
        "territory-without-continent",
        "where a map has continents, each territory is in one",
        "say in which continent it is",
    ),
    deny(
        "disconnected-map",
        "one can get from every territory to every other, ignoring direction",
        "add a border that joins the parts",
    ),
    deny(
        "disconnected-continent",
        "the territories of a continent hang together, ignoring direction",
        "add a border, or make it two continents",
    ),
    deny(
        "single-territory",
        "a map has more than one territory",
        "add another",
    ),
    warn(
        "self-loop",
        "no territory borders itself",
        "remove it from its own borders: it is left out",
    ),
    warn(
        "empty-continent",
        "a continent has territories",
        "remove it, or put a territory into it",
    ),
    warn(
        "duplicate-border",
        "a border is listed once at each end",
        "remove one of them",
    ),
    warn(
        "one-way-border",
        "a border can be crossed both ways",
        "list it at both ends if it should be two-way (in YAML: under `borders`); \
         FILE,borders=two-way makes all so",
    ),
    warn(
        "not-strongly-connected",
        "one can get from every territory to every other in the direction of the borders",
        "make a border two-way",
    ),
    warn(
        "zero-bonus",
        "a bonus is above 0",
        "give holding the continent a worth",
    ),
    warn(
        "bonus-unusual",
        "a bonus is from -1,000 to 1,000",
        "is it a slip? If it is meant, allow it",
    ),
    warn(
        "territory-without-borders",
        "a territory has borders",
        "add one",
    ),
    warn(
        "duplicate-territory-name",
        "no two territories have the same name",
        "rename one of them",
    ),
    warn(
        "duplicate-continent-name",
        "no two continents have the same name",
        "rename one of them",
    ),
    warn(
        "missing-coordinates",
        "a territory has a position to be drawn at",
        "say where it is drawn: at: [x, y] in YAML, two numbers in a .map file",
    ),
    warn(
        "shared-coordinates",
        "no two territories are drawn at the same place",
        "move one of them",
    ),
    deny(
        "shape-data",
        "a shape is SVG path data, and not too much of it",
        "write shape: \"M10 10 L60 10 L60 40 Z\", for example: M, L, H, V, C, S, Q, T, A and Z are \
         read; 100,000 bytes and 10,000 corners are the most",
    ),
    deny(
        "shape-open",
        "each part of a shape is closed",
        "end it with Z",
    ),
    deny(
        "shape-outside",
        "shapes lie inside the picture, which goes from 0 to 10,000 each way",
        "move it, or draw the map smaller",
    ),
    warn(
        "svg-left-out",
        "what is drawn in an SVG is paths and polygons",
        "in Inkscape, Path > Object to Path makes a path of it",
    ),
    warn(
        "shape-missing",
        "all territories have shapes, or none",
        "draw those that are missing: without them no shape is shown",
    ),
    warn(
        "at-outside-shape",
        "the place of a territory is on its shape",
        "move `at` onto the land",
    ),
    warn(
        "line-over-land",
        "territories with a border touch, or a line over water leads from one to the other",
        "draw them so that they touch, or leave water between them",
    ),
    allow(
        "dummy-coordinates",
        "not all territories are drawn at the same place",
        "give them positions",
    ),
    allow(
        "missing-colour",
        "a continent has a colour",
        "write \"#4f7cac\", for example",
    ),
    warn(
        "unknown-colour",
        "a continent's colour is one that is known",
        "write #4f7cac, for example: it is left out",
    ),
    allow(
        "no-continents",
        "a map has continents",
        "add some, if your rules have bonuses for them",
    ),
    warn(
        "near-key",
        "data of a territory is not a misspelled key",
        "correct it, or choose a name that is less alike",
    ),
    warn(
        "country-id-not-sequential",
        "in Domination countries are numbered 1, 2, 3 … in the order of the file",
        "number them so: Domination refuses any other order",
    ),
    warn(
        "repeated-border-line",
        "in Domination a country's borders stand in one line",
        "join the lines: all of them count",
    ),
    warn(
        "section-order",
        "in Domination the sections are files, continents, countries, borders",
        "put them in that order",
    ),
    allow(
        "no-files-section",
        "in Domination a map has a section [files]",
        "add it for Domination; it is not needed here",
    ),
    warn(
        "files-unknown-key",
        "in Domination [files] has pic, map, crd and prv alone",
        "remove the line: it is left out",
    ),
    allow(
        "no-map-section",
        "in Conquest a map has a section [Map]",
        "add it for Conquest; it is not needed here",
    ),
    warn(
        "map-line-not-key-value",
        "in Conquest a line of [Map] is key=value",
        "correct or remove it: it is left out",
    ),
    warn(
        "map-unknown-key",
        "in Conquest [Map] has author, image, wrap, scroll and warn alone",
        "correct or remove it: it is left out",
    ),
    warn(
        "case-mismatch",
        "in Conquest names are written in the same case everywhere",
        "write it as where it is declared",
    ),
    warn(
        "empty-neighbour-field",
        "in Conquest no comma is followed by nothing",
        "remove a comma",
    ),
    warn(
        "header-junk",
        "there may be nothing beside a section's name or before the first",
        "remove it: it is left out",
    ),
    allow(
        "latin-1",
        "a file is UTF-8",
        "save it as UTF-8, so that every program reads its letters alike",
    ),
    allow(
        "over-255-territories",
        "Conquest itself plays with at most 255 territories",
        "make it smaller for Conquest",
    ),
];

/// Returns the lint with a code.
#[must_use]
pub fn find(code: &str) -> Option<&'static Lint> {
    LINTS.iter().find(|lint| lint.code == code)
}

/// Levels that differ from the defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    by_user: BTreeMap<&'static str, Level>,
    by_file: BTreeMap<&'static str, Level>,
    strict: bool,
    closely: bool,
}

impl Levels {
    /// Creates levels from the user's codes and levels. `strict` makes every warning an error.
    ///
    /// # Errors
    /// When a code is unknown, given twice with different levels, or can't have its level.
    pub fn new<'a>(
        given: impl IntoIterator<Item = (&'a str, Level)>,
        strict: bool,
    ) -> Result<Self, EngineError> {
        let mut levels = Self {
            strict,
            ..Self::default()
        };
        for (code, level) in given {
            let known = settable(code, level).map_err(EngineError::Level)?;
            if levels
                .by_user
                .insert(known, level)
                .is_some_and(|before| before != level)
            {
                return Err(EngineError::Level(format!("`{code}` is given two levels")));
            }
        }
        Ok(levels)
    }

    /// Adds the slow checks, for a map's author.
    #[must_use]
    pub fn closely(self) -> Self {
        Self {
            closely: true,
            ..self
        }
    }

    pub(super) const fn is_close(&self) -> bool {
        self.closely
    }

    /// Adds a level from the map's own file.
    ///
    /// # Errors
    /// When the code is unknown, or can't have that level.
    pub(super) fn ask(&mut self, code: &str, level: Level) -> Result<(), String> {
        self.by_file.insert(settable(code, level)?, level);
        Ok(())
    }

    /// Returns the level of a lint: the user's, else the file's, else the default.
    pub(super) fn level_of(&self, lint: &Lint) -> Level {
        let set = self
            .by_user
            .get(lint.code)
            .or_else(|| self.by_file.get(lint.code));
        let level = set.copied().unwrap_or(lint.level);
        if self.strict && level == Level::Warn {
            Level::Deny
        } else {
            level
        }
    }
}

fn settable(code: &str, level: Level) -> Result<&'static str, String> {
    let unknown = || {
        let near = suggest::nearest(code, LINTS.map(|lint| lint.code));
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        format!("there is no lint `{code}`{near}")
    };
    let lint = find(code).ok_or_else(unknown)?;
    if lint.hard && level != Level::Deny {
        return Err(format!(
            "`{code}` is always an error: there would be no board"
        ));
    }
    Ok(lint.code)
}
