//! The YAML form of maps as types, for the JSON Schema and for writing.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use crate::lint::LINTS;
use risk_kernel::board::{Board, Datum, Look};

/// A map for risk-cli: continents with their bonuses, territories with their borders.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(title = "A risk-cli map", deny_unknown_fields)]
pub(super) struct MapFile {
    /// The display name.
    #[schemars(with = "Name")]
    name: String,
    /// A description of the map, in one sentence.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    #[schemars(with = "Text")]
    about: String,
    /// The look of territories in pictures: land; land with water between continents; or discs with
    /// a lane for each border.
    #[serde(skip_serializing_if = "LookFile::is_usual", default)]
    #[schemars(with = "LookFile")]
    look: LookFile,
    /// The levels of findings in this map, by code; `risk-cli map lints` lists the codes.
    #[serde(skip_serializing_if = "Lints::is_empty", default)]
    pub(super) lints: Lints,
    /// Optional groups of territories, each with a bonus.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(with = "Option<Vec<ContinentFile>>", length(max = 1000))]
    continents: Vec<ContinentFile>,
    /// The territories, in the order of their numbers.
    #[schemars(length(min = 1, max = 10000))]
    territories: Vec<TerritoryFile>,
}

/// The look of territories in pictures.
#[derive(Clone, Copy, Debug, Default, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum LookFile {
    #[default]
    Land,
    Islands,
    Discs,
}

impl LookFile {
    fn is_usual(&self) -> bool {
        *self == Self::Land
    }
}

/// Levels of findings.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[schemars(deny_unknown_fields)]
pub(super) struct Lints {
    /// Codes of findings that are not reported.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(with = "Option<Vec<MildCode>>")]
    allow: Vec<String>,
    /// Codes of findings that are warnings: they are reported, but the map is used.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(with = "Option<Vec<MildCode>>")]
    pub(super) warn: Vec<String>,
    /// Codes of findings that are errors: they are reported, and the map is rejected.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(with = "Option<Vec<AnyCode>>")]
    deny: Vec<String>,
}

impl Lints {
    const fn is_empty(&self) -> bool {
        self.allow.is_empty() && self.warn.is_empty() && self.deny.is_empty()
    }
}

/// A continent in a map file.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(deny_unknown_fields)]
struct ContinentFile {
    /// The id that territories refer to.
    id: Id,
    /// The display name; by default the id.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Text")]
    name: Option<String>,
    /// Armies per turn for the player who owns the whole continent.
    #[schemars(range(min = -1_000_000, max = 1_000_000))]
    bonus: i32,
    /// The colour: # and six hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "String", regex(pattern = "^#[0-9a-fA-F]{6}$"))]
    colour: Option<String>,
}

/// A territory. Other keys are data for rulesets.
#[derive(Debug, JsonSchema, Serialize)]
struct TerritoryFile {
    /// The id in actions, records and scripts.
    id: Id,
    /// The display name; by default the id.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Text")]
    name: Option<Text>,
    /// The id of the continent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Id")]
    continent: Option<Id>,
    /// The position in pictures: the distances from the left and from the top.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "[Coordinate; 2]")]
    at: Option<[Coordinate; 2]>,
    /// The outline in pictures, as SVG path data: closed subpaths with coordinates from 0 to
    /// 10,000.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "String", length(max = 100000))]
    shape: Option<String>,
    /// Two-way borders, each listed at one end or at both.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(with = "Option<Vec<Id>>")]
    borders: Vec<Id>,
    /// One-way borders that lead from the territory.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(with = "Option<Vec<Id>>")]
    one_way: Vec<Id>,
    #[serde(flatten)]
    data: BTreeMap<String, Data>,
}

/// An id of letters, digits, `-`, `_`, `.` and `'`; a number is read as a string.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
enum Id {
    Word(
        #[schemars(
            length(min = 1, max = 80),
            regex(pattern = r"^[\p{Alphabetic}\p{N}\-_.']+$")
        )]
        String,
    ),
    #[expect(dead_code, reason = "numbers are read and written as words")]
    Number(i64),
}

/// A string; a number is read as a string.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
enum Text {
    Words(#[schemars(length(max = 200))] String),
    #[expect(dead_code, reason = "numbers are read and written as text")]
    Number(i64),
}

/// The name of a map; a number is read as a string.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "used only for the schema")]
enum Name {
    Words(#[schemars(length(min = 1, max = 200))] String),
    Number(i64),
}

/// The code of a finding that does not prevent a board.
struct MildCode;
/// The code of any finding.
struct AnyCode;

impl JsonSchema for MildCode {
    fn schema_name() -> Cow<'static, str> {
        "MildCode".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mild = LINTS.iter().filter(|lint| !lint.hard);
        json_schema!({ "enum": mild.map(|lint| lint.code).collect::<Vec<_>>() })
    }
}

impl JsonSchema for AnyCode {
    fn schema_name() -> Cow<'static, str> {
        "AnyCode".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "enum": LINTS.map(|lint| lint.code).to_vec() })
    }
}

#[derive(Debug, JsonSchema, Serialize)]
#[serde(transparent)]
struct Coordinate(#[schemars(range(min = -100000, max = 100000))] i32);

/// Data of a territory for rulesets.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
enum Data {
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<Data>),
}

impl From<&Datum> for Data {
    fn from(datum: &Datum) -> Self {
        match datum {
            Datum::Bool(flag) => Self::Bool(*flag),
            Datum::Number(number) => Self::Number(*number),
            Datum::Text(text) => Self::Text(text.clone()),
            Datum::List(list) => Self::List(list.iter().map(Self::from).collect()),
        }
    }
}

impl From<&Board> for MapFile {
    fn from(board: &Board) -> Self {
        let id = |id: &str| Id::Word(id.to_owned());
        let continents = board.continents().iter().map(|info| ContinentFile {
            id: id(&info.id),
            name: (info.name != info.id).then(|| info.name.clone()),
            bonus: info.bonus,
            colour: info.colour.clone(),
        });
        let territories = board.territories().map(|at| {
            let info = board.info(at);
            let (borders, one_way): (Vec<_>, Vec<_>) = board
                .neighbours(at)
                .iter()
                .partition(|&&to| board.borders(to, at));
            TerritoryFile {
                id: id(&info.id),
                name: (info.name != info.id).then(|| Text::Words(info.name.clone())),
                continent: info
                    .continent
                    .map(|continent| id(&board.continents()[continent.index()].id)),
                at: info.at.map(|(x, y)| [Coordinate(x), Coordinate(y)]),
                shape: (!info.shape.is_empty()).then(|| super::shape::write(&info.shape)),
                borders: borders
                    .into_iter()
                    .map(|to| id(&board.info(to).id))
                    .collect(),
                one_way: one_way
                    .into_iter()
                    .map(|to| id(&board.info(to).id))
                    .collect(),
                data: info
                    .data
                    .iter()
                    .map(|(key, datum)| (key.clone(), Data::from(datum)))
                    .collect(),
            }
        });
        Self {
            name: board.name().to_owned(),
            about: board.about().to_owned(),
            look: match board.look() {
                Look::Land => LookFile::Land,
                Look::Islands => LookFile::Islands,
                Look::Discs => LookFile::Discs,
            },
            lints: Lints::default(),
            continents: continents.collect(),
            territories: territories.collect(),
        }
    }
}

/// Returns the JSON Schema of the YAML form.
#[must_use]
pub fn schema() -> serde_json::Value {
    crate::typed_yaml::bounded::<MapFile>()
}
