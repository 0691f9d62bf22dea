//! The lints for maps. Each has a code, a level, a description and a help text.

use std::collections::BTreeMap;

use risk_text::diag::Level;
use risk_text::suggest;

/// A kind of finding about a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lint {
    /// The name in levels and messages, for example `one-way-border`.
    pub code: &'static str,
    /// The default level.
    pub level: Level,
    /// Whether the lint is always denied, because a map that violates it can't become a board.
    pub hard: bool,
    /// The property that is checked.
    pub about: &'static str,
    /// How to fix a finding.
    pub help: &'static str,
}

/// A table of lints: the level (`hard` if a map that violates the lint can't become a board), the
/// code, the property that is checked, and how to fix a finding.
macro_rules! lints {
    ($($level:ident $code:literal: $about:literal => $help:literal;)*) => {
        [$(Lint {
            code: $code,
            level: lints!(level $level),
            hard: lints!(hard $level),
            about: $about,
            help: $help,
        }),*]
    };
    (level hard) => { Level::Deny };
    (level deny) => { Level::Deny };
    (level warn) => { Level::Warn };
    (level allow) => { Level::Allow };
    (hard hard) => { true };
    (hard $level:ident) => { false };
}

/// All lints: first the lints that prevent a board, then the lints for all maps, then the lints for
/// a single form.
pub const LINTS: [Lint; 75] = lints! {
    hard "syntax": "the file has valid YAML, JSON or SVG syntax" =>
        "`risk-cli map new NAME` writes a valid map";
    hard "not-a-map": "the file is a map in YAML, region JSON or SVG, or a .map file of Domination or Conquest" =>
        "a YAML map has the keys `name` and `territories`; a .map file has sections in square brackets";
    hard "unknown-key": "all keys of the map and its groups are known" =>
        "remove the key, or correct its name";
    hard "value": "every value has the right type" =>
        "correct the value";
    hard "missing-key": "no required key is missing" =>
        "add the key";
    hard "bad-id": "an id is one word of letters, digits, `-` and `_`" =>
        "write the id in lower case with `-` for spaces, for example `north-africa`, and put the display name under `name`";
    hard "no-territories": "a map has territories" =>
        "list at least two territories";
    hard "too-many-territories": "a map has at most 10,000 territories, and 1,000 continents and other groups" =>
        "remove territories or groups";
    hard "too-long": "a map has at most 1,500,000 words and lines" =>
        "shorten the file";
    hard "too-many-borders": "a map lists at most 250,000 borders" =>
        "remove borders";
    hard "duplicate-territory": "every territory has a unique id" =>
        "give one of the territories another id";
    hard "duplicate-continent": "every continent and every other group has a unique id" =>
        "give one of them another id";
    hard "unknown-member": "groups name territories and groups of the map" =>
        "correct the id, or add the territory or group";
    hard "group-within-itself": "no group contains itself, directly or through other groups" =>
        "remove one of the groups from the list `groups`";
    hard "needs-too-many": "a group needs at most as many members as it has" =>
        "lower `needs`, or add members";
    hard "strength-too-high": "the class of every fight is at most 15: the strength of a territory, its groups and a border to it" =>
        "lower a strength";
    hard "too-many-members": "all groups have at most 250,000 members together, with those of groups within groups" =>
        "remove groups or members";
    hard "unknown-continent": "the continent of a territory is declared" =>
        "declare it under `continents`, or correct the name";
    hard "border-unknown-id": "borders refer to territories of the map" =>
        "correct the id, or add the territory";
    hard "border-unknown-name": "borders refer to territories of the map" =>
        "correct the name, or add the territory";
    hard "bonus-not-number": "a bonus is an integer" =>
        "write an integer, for example 2";
    hard "bonus-too-large": "a bonus is from -1,000,000 to 1,000,000" =>
        "write a bonus within this range";
    hard "missing-section": "no section of a .map file is missing" =>
        "add the section";
    hard "unknown-section": "all sections of a .map file are known" =>
        "remove the section, or correct its name; a saved game is not a map";
    hard "continent-fields": "a continent's line is NAME BONUS COLOUR in Domination, NAME=BONUS in Conquest" =>
        "write NAME BONUS COLOUR in Domination, NAME=BONUS in Conquest";
    hard "territory-fields": "a line is NUMBER NAME CONTINENT X Y in Domination, NAME,X,Y,CONTINENT,NEIGHBOUR,… in Conquest" =>
        "write NUMBER NAME CONTINENT X Y in Domination, NAME,X,Y,CONTINENT,NEIGHBOUR,… in Conquest";
    hard "coordinate-not-number": "coordinates are integers from -100,000 to 100,000" =>
        "give the position in pixels from the top left";
    hard "country-id-not-number": "in Domination a country's line begins with its number" =>
        "number the countries 1, 2, 3 …";
    hard "duplicate-country-id": "in Domination each country has a unique number" =>
        "number the countries 1, 2, 3 …";
    hard "continent-index-not-number": "in Domination a country names its continent by number" =>
        "count the continents from 1 in the order of the file";
    hard "continent-index-range": "in Domination a country's continent is declared in the file" =>
        "count the continents from 1 in the order of the file";
    hard "border-not-number": "in Domination borders are listed by number" =>
        "write the numbers of the countries";
    deny "territory-without-continent": "if a map has continents, each territory is in one of them" =>
        "give the territory a continent";
    deny "disconnected-map": "every territory can be reached from every other, ignoring direction" =>
        "add a border between the parts";
    deny "disconnected-continent": "the territories of a continent are connected, ignoring direction" =>
        "add a border, or split the continent";
    deny "single-territory": "a map has more than one territory" =>
        "add another territory";
    warn "self-loop": "no territory borders itself" =>
        "remove the border, which is ignored";
    warn "empty-continent": "a continent or another group has territories" =>
        "remove it, or add a territory to it";
    warn "duplicate-border": "a border is listed once at each end" =>
        "remove one of the borders";
    warn "one-way-border": "a border can be crossed in both directions" =>
        "to make the border two-way, list it at both ends (in YAML: under `borders`); FILE,borders=two-way makes all borders two-way";
    warn "not-strongly-connected": "every territory can be reached from every other in the direction of the borders" =>
        "make a border two-way";
    warn "zero-bonus": "the bonus of a continent is above 0" =>
        "write a bonus of at least 1";
    warn "repeated-member": "a group lists each member once" =>
        "remove one of them";
    warn "bonus-unusual": "a bonus is from -1,000 to 1,000" =>
        "correct the bonus, or allow `bonus-unusual`";
    warn "territory-without-borders": "a territory has borders" =>
        "add a border";
    warn "duplicate-territory-name": "no two territories have the same name" =>
        "rename one of the territories";
    warn "duplicate-continent-name": "no two continents have the same name" =>
        "rename one of the continents";
    warn "missing-coordinates": "a territory has a position for pictures" =>
        "add a position: `at: [x, y]` in YAML, two numbers in a .map file";
    warn "shared-coordinates": "no two territories have the same position" =>
        "move one of the territories";
    deny "shape-data": "a shape is SVG path data within the limits" =>
        "write path data of M, L, H, V, C, S, Q, T, A and Z, at most 100,000 bytes and 10,000 corners, for example `shape: \"M10 10 L60 10 L60 40 Z\"`";
    deny "shape-open": "each subpath of a shape is closed" =>
        "end the subpath with Z";
    deny "shape-outside": "shapes are inside the picture, from 0 to 10,000 in both directions" =>
        "move the shape, or scale the map down";
    warn "svg-left-out": "an SVG drawing has only shapes that are territories" =>
        "a territory is a shape with fill and area; to read only some layers, use --layers";
    warn "shape-missing": "either all territories have shapes, or none has" =>
        "add the missing shapes: until then no shapes are shown";
    warn "at-outside-shape": "the position of a territory is on its shape" =>
        "move `at` onto the shape";
    warn "line-over-land": "territories that share a border touch, or have only water between them" =>
        "make the territories touch, or leave only water between them";
    allow "dummy-coordinates": "territories have different positions" =>
        "give each territory a position";
    allow "missing-colour": "a continent has a colour" =>
        "add a colour, for example \"#4f7cac\"";
    warn "unknown-colour": "the colour of a continent is known" =>
        "write a colour such as #4f7cac; an unknown colour is ignored";
    allow "no-continents": "a map has continents" =>
        "add continents, if the rules give bonuses for them";
    warn "guessed": "a JSON board of another program says all that a map needs" =>
        "check the imported map, and correct it";
    warn "near-key": "territory data doesn't look like a misspelled key" =>
        "correct the key, or choose a name that is less similar";
    warn "country-id-not-sequential": "in Domination countries are numbered 1, 2, 3 … in the order of the file" =>
        "renumber the countries: Domination rejects any other order";
    warn "repeated-border-line": "in Domination a country's borders are on one line" =>
        "join the lines; the borders of all lines count";
    warn "section-order": "in Domination the order of sections is files, continents, countries, borders" =>
        "order the sections as files, continents, countries, borders";
    allow "no-files-section": "in Domination a map has a section [files]" =>
        "add the section for Domination; risk-cli doesn't need it";
    warn "files-unknown-key": "in Domination [files] has only pic, map, crd and prv" =>
        "remove the line, which is ignored";
    allow "no-map-section": "in Conquest a map has a section [Map]" =>
        "add the section for Conquest; risk-cli doesn't need it";
    warn "map-line-not-key-value": "in Conquest a line of [Map] is key=value" =>
        "correct or remove the line, which is ignored";
    warn "map-unknown-key": "in Conquest [Map] has only author, image, wrap, scroll and warn" =>
        "correct or remove the line, which is ignored";
    warn "case-mismatch": "in Conquest names are written in the same case everywhere" =>
        "write the name as declared";
    warn "empty-neighbour-field": "a list in a Conquest file has no empty fields" =>
        "remove the comma";
    warn "header-junk": "no text follows the name of a section or precedes the first section" =>
        "remove the text, which is ignored";
    allow "latin-1": "the file is in UTF-8" =>
        "save the file as UTF-8";
    allow "over-255-territories": "Conquest supports at most 255 territories" =>
        "remove territories if the map is for Conquest";
};

/// Returns the lint with this code.
#[must_use]
pub fn find(code: &str) -> Option<&'static Lint> {
    LINTS.iter().find(|lint| lint.code == code)
}

/// The level that was asked for a lint is not possible. The message gives the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LevelError(String);

/// Lint levels that differ from the defaults.
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
    /// Returns an error if a code is unknown, is given twice with different levels, or can't have
    /// its level.
    pub fn new<'a>(
        given: impl IntoIterator<Item = (&'a str, Level)>,
        strict: bool,
    ) -> Result<Self, LevelError> {
        let mut levels = Self {
            strict,
            ..Self::default()
        };
        for (code, level) in given {
            let known = settable(code, level).map_err(LevelError)?;
            if levels
                .by_user
                .insert(known, level)
                .is_some_and(|before| before != level)
            {
                return Err(LevelError(format!("conflicting levels for `{code}`")));
            }
        }
        Ok(levels)
    }

    /// Enables the slow checks, which are meant for map authors.
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

    /// Adds a level from the map's own file. Returns an error if the code is unknown, or if the
    /// lint can't have that level.
    pub(super) fn ask(&mut self, code: &str, level: Level) -> Result<(), String> {
        self.by_file.insert(settable(code, level)?, level);
        Ok(())
    }

    /// Returns the level of a lint: the user's level, else the file's level, else the default.
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
        format!("no lint named `{code}`{near}")
    };
    let lint = find(code).ok_or_else(unknown)?;
    if lint.hard && level != Level::Deny {
        return Err(format!(
            "`{code}` is always an error: a map with this finding can't be used"
        ));
    }
    Ok(lint.code)
}
