//! The types of bot and ruleset test files, with their JSON Schema.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_yaml::Spanned;

use risk_engine::Seed;
use risk_engine::bot_spec::BotInYaml;
use risk_maps::typed_yaml::{self, YamlString};
use risk_text::diag::{Finding, TextFile};

/// The maximum number of tests in a file.
pub const MOST_TESTS: usize = 1_000;

/// One text or several texts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a string or a list of strings")]
pub enum OneOrMore {
    /// A single text.
    One(String),
    /// A list of texts.
    More(#[schemars(length(min = 1))] Vec<String>),
}

impl OneOrMore {
    /// Returns all texts.
    #[must_use]
    pub fn all(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::More(texts) => texts,
        }
    }
}

/// Tests of a bot, for `risk-cli bot test`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(title = "Tests of a risk-cli bot")]
#[serde(deny_unknown_fields)]
pub struct BotTests {
    /// The bot, as in `play --bot`. A path is relative to the file's folder.
    pub bot: BotInYaml,
    /// The tests, which are independent of each other.
    #[schemars(length(min = 1, max = 1_000))]
    pub tests: Vec<BotTest>,
}

/// A position with the expected answers of the bot, which must have the first decision.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("anyOf" = [
    { "required": ["says"], "properties": { "says": { "not": { "type": "null" } } } },
    { "required": ["not"], "properties": { "not": { "not": { "type": "null" } } } },
]))]
pub struct BotTest {
    /// The name of the test, which --only can select.
    #[schemars(with = "YamlString")]
    pub name: Spanned<String>,
    /// A position as in `play --from`. A path is relative to the file's folder.
    #[schemars(with = "YamlString")]
    pub from: String,
    /// A seed that replaces the position's seed.
    pub seed: Option<Seed>,
    /// The expected answer, or a list of accepted answers. Separate consecutive answers with
    /// semicolons.
    pub says: Option<OneOrMore>,
    /// The answers that the bot must not give.
    pub not: Option<OneOrMore>,
}

/// Tests of a ruleset, for `risk-cli ruleset test`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(title = "Tests of a risk-cli ruleset")]
#[serde(deny_unknown_fields)]
pub struct RulesTests {
    /// The tests, which are independent of each other.
    #[schemars(length(min = 1, max = 1_000))]
    pub tests: Vec<RulesTest>,
}

/// A position with a list of answers and the expected state after them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RulesTest {
    /// The name of the test, which --only can select.
    #[schemars(with = "YamlString")]
    pub name: Spanned<String>,
    /// A position as in `play --from`. A path is relative to the file's folder.
    #[schemars(with = "YamlString")]
    pub from: String,
    /// A seed that replaces the position's seed.
    pub seed: Option<Seed>,
    /// The answers in order. Each is given by the player whose decision it is.
    #[serde(default)]
    #[schemars(with = "Option<Vec<YamlString>>")]
    pub say: Vec<String>,
    /// The answers that must be legal afterwards.
    pub can: Option<OneOrMore>,
    /// The answers that must be illegal afterwards.
    pub cannot: Option<OneOrMore>,
    /// The expected phase of the next decision.
    #[schemars(with = "Option<YamlString>")]
    pub phase: Option<String>,
    /// The name of the player who must decide next.
    #[schemars(with = "Option<YamlString>")]
    pub asks: Option<String>,
    /// The expected owners of territories by name, or `nobody` for a territory without an owner.
    #[schemars(with = "Option<BTreeMap<String, YamlString>>")]
    pub owner: Option<BTreeMap<String, String>>,
    /// The expected numbers of armies in territories.
    pub armies: Option<BTreeMap<String, i32>>,
    /// The expected marks by name and territory.
    #[schemars(with = "Option<BTreeMap<String, Option<BTreeMap<String, i32>>>>")]
    pub marks: Option<BTreeMap<String, BTreeMap<String, i32>>>,
    /// The expected counters by player, or for `table`.
    #[schemars(with = "Option<BTreeMap<String, Option<BTreeMap<String, i64>>>>")]
    pub counters: Option<BTreeMap<String, BTreeMap<String, i64>>>,
    /// The expected winners. The list is empty if the game must still be in progress.
    #[schemars(with = "Option<Vec<YamlString>>")]
    pub winners: Option<Vec<String>>,
    /// The expected word for the reason that the game is over.
    #[schemars(with = "Option<YamlString>")]
    pub ending: Option<String>,
}

/// Parses tests of a bot.
///
/// # Errors
/// Returns an error with its location if the file is invalid.
pub fn of_bot(file: &TextFile) -> Result<BotTests, Finding> {
    let tests: BotTests = typed_yaml::read(file, "a test file", "test::syntax")?;
    some(file, tests.tests.len())?;
    for test in &tests.tests {
        if test.says.is_none() && test.not.is_none() {
            let text = "the test has neither `says` nor `not`";
            let help = "write `says:` or `not:` with an answer";
            return Err(at(file, &test.name, "test::empty", text).help(help));
        }
        no_empty(file, &test.name, [&test.says, &test.not])?;
    }
    Ok(tests)
}

/// Parses tests of rules.
///
/// # Errors
/// Returns an error with its location if the file is invalid.
pub fn of_rules(file: &TextFile) -> Result<RulesTests, Finding> {
    let tests: RulesTests = typed_yaml::read(file, "a test file", "test::syntax")?;
    some(file, tests.tests.len())?;
    for test in &tests.tests {
        no_empty(file, &test.name, [&test.can, &test.cannot])?;
    }
    Ok(tests)
}

/// Returns a finding located at a test's name.
#[must_use]
pub fn at(file: &TextFile, name: &Spanned<String>, code: &str, text: impl Into<String>) -> Finding {
    let span = name.referenced.span();
    let start = span.byte_offset().map_or(0, |at| at as usize);
    let len = span.byte_len().map_or(0, |len| len as usize);
    Finding::error(code, text).at(file, start, len)
}

/// Rejects empty lists, because they would not test anything.
fn no_empty(
    file: &TextFile,
    name: &Spanned<String>,
    lists: [&Option<OneOrMore>; 2],
) -> Result<(), Finding> {
    let is_empty = |list: &&Option<OneOrMore>| list.as_ref().is_some_and(|it| it.all().is_empty());
    if lists.iter().any(is_empty) {
        let finding = at(file, name, "test::empty", "the test has an empty list");
        return Err(finding.help("remove the list, or add an entry"));
    }
    Ok(())
}

/// Rejects a file with no tests or with more than [`MOST_TESTS`] tests.
fn some(file: &TextFile, count: usize) -> Result<(), Finding> {
    if (1..=MOST_TESTS).contains(&count) {
        return Ok(());
    }
    let text = format!(
        "{} must have 1 to {MOST_TESTS} tests, found {count}",
        file.name
    );
    let help = "split the file, or add a test";
    Err(Finding::error("test::count", text).help(help))
}

/// Returns the JSON Schema of test files. A test file that names a bot contains tests of that bot.
#[must_use]
pub fn schema() -> serde_json::Value {
    let bots = typed_yaml::schema::<BotTests>();
    let rules = typed_yaml::schema::<RulesTests>();
    typed_yaml::either("Tests of a risk-cli bot or ruleset", "bot", bots, rules)
}
