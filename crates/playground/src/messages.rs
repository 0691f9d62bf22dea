//! Requests of a page, and replies.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Lists the rulesets, maps and bots that a game can name.
    Catalog {},
    /// Returns the catalog's entry of one ruleset.
    About {
        /// The name of a ruleset.
        ruleset: String,
    },
    /// Adds a ruleset, a map or a bot of the page's user. It can be named from now on.
    Add(OwnFile),
    /// Opens the game of a link. It replaces the game before.
    Open {
        /// The link without `#`, such as `ruleset=hasbro&bot=human&bot=general`.
        link: String,
    },
    /// Returns what changes in the open game, as one viewer sees it.
    Look {
        /// The seat of a person, from 0; none for spectators.
        seat: Option<usize>,
        /// The epoch of the frames that the viewer knows.
        epoch: u64,
        /// The number of frames that the viewer knows.
        from: usize,
    },
    /// Handles an answer of a person, or another request about the open question.
    Say {
        /// The seat of the person, from 0.
        seat: usize,
        /// The request, as docs/play.md describes it for `POST /say`.
        request: Value,
    },
    /// Returns the link of the open game at this moment.
    Link {
        /// `true` for a link with the user's files that the game needs.
        files: bool,
    },
    /// Returns the record of the open game.
    Record {},
    /// Verifies a record, and returns what a page needs to show its game.
    Replay {
        /// The text of the record.
        record: String,
    },
    /// Returns the record's game as a page that works offline.
    Page {
        /// The text of the record.
        record: String,
    },
    /// Returns the record's game as an animated picture (GIF), in base64.
    Gif {
        /// The text of the record.
        record: String,
    },
    /// Begins a match between the bots of a link: each game is a piece of work.
    Match {
        /// The link without `#`.
        link: String,
    },
    /// Begins a comparison of the first two bots of a link, with its other bots at the other seats:
    /// each block of games is a piece of work.
    Compare {
        /// The link without `#`.
        link: String,
    },
    /// Begins the rating of a bot in the newest field of a ruleset: each block of games is a piece
    /// of work.
    Rate {
        /// The name of a bot.
        bot: String,
        /// The name of a ruleset.
        ruleset: String,
    },
    /// Begins the analysis of a recorded game: each of its moments is a piece of work.
    Analyse {
        /// The text of the record.
        record: String,
    },
    /// Plays pieces of the work that has begun. Other instances may play others.
    Pieces {
        /// The number of the first piece, from 0.
        from: u64,
        /// The number of pieces, from 1 to 1,000.
        count: u64,
    },
    /// Counts the results of the next pieces, in order.
    Count {
        /// The results of `pieces`, from here or from other instances.
        results: Vec<String>,
    },
    /// Removes the files from a link, and the hashes, which other files would not match.
    Split {
        /// The link without `#`.
        link: String,
    },
    /// Puts files into a link.
    Join {
        /// The link without `#`.
        link: String,
        /// The files.
        files: Vec<OwnFile>,
    },
    /// Lists the functions, hooks and events that scripts can use.
    Reference {},
    /// Checks a ruleset: what it declares, and random games with it.
    CheckRuleset {
        /// The name of a ruleset.
        name: String,
        /// The number of games, up to 1,000; none for the program's usual number.
        games: Option<u64>,
    },
    /// Checks a bot in games of a ruleset.
    CheckBot {
        /// The name of a bot.
        name: String,
        /// The name of a ruleset.
        ruleset: String,
        /// The number of games, up to 1,000; none for the program's usual number.
        games: Option<u64>,
    },
    /// Checks a map.
    CheckMap {
        /// The name of a map.
        name: String,
    },
    /// Returns a map in YAML, as `map import` writes it.
    ImportMap {
        /// The name of a map.
        name: String,
    },
    /// Returns the rules of a ruleset in words.
    Rules {
        /// The name of a ruleset.
        ruleset: String,
    },
    /// Returns the exact odds of a fight to the end.
    Odds {
        /// The link of a game: its ruleset, map and options decide.
        link: String,
        /// The number of attacking units.
        attackers: i32,
        /// The number of defending units.
        defenders: i32,
    },
    /// Returns the picture of a map.
    Picture {
        /// The name of a map.
        map: String,
    },
    /// Returns the text of a ruleset, a map or a bot.
    Text {
        /// The kind of file.
        kind: Kind,
        /// The name of the file.
        name: String,
    },
}

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A ruleset in Rhai.
    Ruleset,
    /// A map, in any format that `risk-cli map validate` reads.
    Map,
    /// A bot in Rhai.
    Bot,
}

/// A file of the page's user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnFile {
    /// The kind of file.
    pub kind: Kind,
    /// The name by which games refer to it: letters, digits, `-` and `_`.
    pub name: String,
    /// The contents.
    pub text: String,
}

/// The reply to a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "reply", rename_all = "kebab-case")]
pub enum Reply {
    /// The request was fulfilled, and there is nothing to tell.
    Done,
    /// The request was not fulfilled.
    Error {
        /// The code of the error, as in the program.
        code: String,
        /// The error, with its place in a file if it has one, and what to do.
        text: String,
    },
    /// The files that a game can name.
    Catalog {
        /// The version of the program.
        version: String,
        /// The rulesets.
        rulesets: Vec<RulesetEntry>,
        /// The names of the maps.
        maps: Vec<String>,
        /// The names of the bots.
        bots: Vec<String>,
    },
    /// A ruleset.
    About {
        /// The entry of the catalog.
        entry: RulesetEntry,
    },
    /// A game was opened.
    Opened {
        /// The ruleset and the map.
        title: String,
        /// The map as SVG, which the page fills with what the viewer sees.
        map: String,
        /// The seats of people, from 0. The game of bots alone is over.
        people: Vec<usize>,
        /// The fixed properties of the game for each viewer: people in the order of `people`,
        /// followed by spectators. docs/play.md describes them at `GET /game`.
        games: Vec<Value>,
        /// Whether the game hides anything, so that people at one screen must take turns at it.
        hides: bool,
        /// The differences from the game of the link, as sentences without a full stop.
        differences: Vec<String>,
    },
    /// What has changed for a viewer, as docs/play.md describes it at `GET /now`.
    Sheet {
        /// The sheet.
        sheet: Value,
        /// The seats that are asked now.
        asked: Vec<usize>,
    },
    /// The request of a person was fulfilled.
    Said {
        /// The reply, as docs/play.md describes it for `POST /say`.
        said: Value,
        /// Whether links and the record contain all answers so far. The answers of a secret phase
        /// are missing there until everyone is ready.
        saved: bool,
    },
    /// A text: a link, a record, a page, a picture, or rules.
    Text {
        /// The text.
        text: String,
    },
    /// A verified game.
    Replay {
        /// The ruleset, the map and the seed.
        title: String,
        /// The map as SVG.
        map: String,
        /// What does not change in the game.
        head: Value,
        /// The frames of the game.
        frames: Vec<Value>,
        /// The digest of the last state, in hexadecimal.
        digest: String,
        /// The first line that differs from the game; none if the record is verified.
        differs: Option<String>,
    },
    /// Work has begun.
    Work {
        /// The number of pieces; none if there is no end.
        pieces: Option<u64>,
    },
    /// The results of pieces.
    Results {
        /// A text for each piece, for `count`.
        results: Vec<String>,
    },
    /// The state of the work.
    Summary {
        /// The number of counted pieces.
        pieces: u64,
        /// `true` if more pieces would change nothing.
        over: bool,
        /// The result as `play --games`, `compare`, `bot rate` or `analyse` prints it.
        text: String,
        /// The result as the command prints it with `--format json`.
        document: Value,
    },
    /// The findings in a file.
    Checked {
        /// `true` if there are no errors.
        fine: bool,
        /// The findings in words.
        text: String,
        /// The file's part of what the check prints with `--format json`.
        document: Value,
    },
    /// A link without files.
    Split {
        /// The link.
        link: String,
        /// Its files.
        files: Vec<OwnFile>,
    },
    /// The functions, hooks and events for scripts.
    Reference {
        /// Objects with the keys `name`, `call`, `meaning` and `of`, the list of those who may use
        /// it.
        entries: Vec<Value>,
    },
    /// The odds of a fight.
    Odds {
        /// The odds as `risk-cli odds --format json` prints them.
        odds: Value,
    },
}

/// A ruleset in the catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RulesetEntry {
    /// The name.
    pub name: String,
    /// A sentence about it.
    pub about: String,
    /// The minimum and the maximum number of players.
    pub players: (usize, usize),
    /// Its own map.
    pub map: String,
    /// Its own bots, in the order in which they fill seats.
    pub bots: Vec<String>,
    /// The bots at each seat that people meet, by level: `easy`, `normal` and `hard`. A table with
    /// more seats begins the list again.
    pub levels: BTreeMap<String, Vec<String>>,
    /// Its options, in alphabetical order.
    pub options: Vec<OptionEntry>,
}

/// An option of a ruleset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OptionEntry {
    /// The name.
    pub name: String,
    /// A description in one line; empty if the ruleset has none.
    pub about: String,
    /// The default value.
    pub default: String,
    /// The possible values; empty for numbers.
    pub values: Vec<String>,
    /// The range of a number, both ends included.
    pub range: (i64, i64),
}

/// Returns the JSON Schema of requests and replies.
#[must_use]
pub fn schema() -> Value {
    /// A request or a reply.
    #[derive(JsonSchema)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only its schema is used")]
    enum Message {
        Request(Request),
        Reply(Reply),
    }
    schemars::schema_for!(Message).into()
}
