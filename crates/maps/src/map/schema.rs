//! The YAML form of maps as types, for the JSON Schema and for writing.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use crate::lint::LINTS;
use risk_kernel::board::{Board, Datum, Look};
use risk_kernel::borders::Holding;
use risk_kernel::groups::{BonusStep, GroupInfo};
use risk_kernel::id::{Group, Territory};

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
    /// Data of the whole map for rulesets.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    data: BTreeMap<String, Data>,
    /// Optional groups of territories that don't overlap, each with a bonus.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(with = "Option<Vec<ContinentFile>>", length(max = 1000))]
    continents: Vec<ContinentFile>,
    /// Optional groups of territories that may overlap and contain each other.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(with = "Option<Vec<GroupFile>>", length(max = 1000))]
    groups: Vec<GroupFile>,
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
    #[serde(flatten)]
    holding: HoldingFile,
}

/// A group of territories in a map file.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(deny_unknown_fields)]
struct GroupFile {
    /// The id that other groups refer to. No continent has it.
    id: Id,
    /// The display name; by default the id.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Text")]
    name: Option<String>,
    /// Armies per turn for the player who holds the group; 0 by default.
    #[serde(skip_serializing_if = "is_zero", default)]
    #[schemars(with = "i32", range(min = -1_000_000, max = 1_000_000))]
    bonus: i32,
    /// The colour: # and six hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "String", regex(pattern = "^#[0-9a-fA-F]{6}$"))]
    colour: Option<String>,
    /// The territories that are members.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(with = "Option<Vec<Id>>")]
    territories: Vec<Id>,
    /// The continents and other groups that are members. Each counts once, if it is held.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(with = "Option<Vec<Id>>")]
    groups: Vec<Id>,
    #[serde(flatten)]
    holding: HoldingFile,
}

/// The keys that continents and other groups have in common, about the player who holds them.
#[derive(Debug, JsonSchema, Serialize)]
struct HoldingFile {
    /// The number of members that a player needs to hold the group; by default all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "u32", range(min = 1, max = 250_000))]
    needs: Option<u32>,
    /// Further bonuses for numbers of members. All that a player reaches are paid.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(with = "Option<Vec<StepFile>>")]
    steps: Vec<StepFile>,
    /// The continents and groups whose bonuses are not paid to a player who holds this group.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(with = "Option<Vec<Id>>")]
    overrides: Vec<Id>,
    /// Armies that come to each territory of its holder, or leave it, when the holder's turn
    /// begins.
    #[serde(skip_serializing_if = "is_zero", default)]
    #[schemars(with = "i32", range(min = -1_000_000, max = 1_000_000))]
    each_turn: i32,
    /// The territory on which the armies of the bonus appear.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Id")]
    deploys: Option<Id>,
    /// What the group adds to the class of fights for its territories, which dice may depend on.
    #[serde(skip_serializing_if = "is_none", default)]
    #[schemars(with = "u8", range(max = 15))]
    strength: u8,
    /// Data for rulesets.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    data: BTreeMap<String, Data>,
}

/// A bonus for a number of members of a group.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(deny_unknown_fields)]
struct StepFile {
    /// The number of members.
    #[schemars(range(min = 1, max = 250_000))]
    needs: u32,
    /// Armies per turn.
    #[schemars(range(min = -1_000_000, max = 1_000_000))]
    bonus: i32,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_zero(number: &i32) -> bool {
    *number == 0
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_none(strength: &u8) -> bool {
    *strength == 0
}

/// A territory. Other keys are data for rulesets.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(extend(
    "if" = { "required": ["resets"], "properties": { "resets": { "const": true } } },
    "then" = { "required": ["neutral"] },
))]
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
    #[schemars(with = "Option<Vec<BorderFile>>")]
    borders: Vec<BorderFile>,
    /// One-way borders that lead from the territory.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(with = "Option<Vec<BorderFile>>")]
    one_way: Vec<BorderFile>,
    /// Armies that come to the territory, or leave it, when its owner's turn begins. One stays.
    #[serde(skip_serializing_if = "is_zero", default)]
    #[schemars(with = "i32", range(min = -1_000_000, max = 1_000_000))]
    each_turn: i32,
    /// The territory on which the armies of `each_turn` appear; by default the territory itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Id")]
    deploys: Option<Id>,
    /// What the territory adds to the class of fights for it, which dice may depend on.
    #[serde(skip_serializing_if = "is_none", default)]
    #[schemars(with = "u8", range(max = 15))]
    strength: u8,
    /// The number of armies with which the territory begins without an owner. It is then not
    /// claimed or dealt.
    #[serde(skip_serializing_if = "is_zero", default)]
    #[schemars(with = "i32", range(min = 1, max = 1_000_000))]
    neutral: i32,
    /// Whether the territory loses its owner, and has the armies of `neutral` again, when the
    /// owner's turn begins.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[schemars(with = "bool")]
    resets: bool,
    #[serde(flatten)]
    data: BTreeMap<String, Data>,
}

/// The territory at the other end of a border, with more about the border if there is more to say.
/// What one end says holds in both directions, unless the other end says something itself.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
enum BorderFile {
    Plain(Id),
    Special {
        /// The territory at the other end.
        to: Id,
        /// `bombard`: armies attack over the border, but don't go over it.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[schemars(with = "BorderKind")]
        kind: Option<BorderKind>,
        /// Whether the border leads in one direction only.
        #[serde(skip_serializing_if = "std::ops::Not::not", default)]
        #[schemars(with = "bool")]
        one_way: bool,
        /// What a player must hold for the border to be open.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[schemars(with = "ConditionFile")]
        open_if: Option<ConditionFile>,
        /// What the border adds to the class of fights over it, which dice may depend on.
        #[serde(skip_serializing_if = "is_none", default)]
        #[schemars(with = "u8", range(max = 15))]
        strength: u8,
        #[serde(flatten)]
        data: BTreeMap<String, Data>,
    },
}

/// The kind of a border.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
enum BorderKind {
    Bombard,
}

/// A condition on the player.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(deny_unknown_fields)]
struct ConditionFile {
    /// The territory, continent or group that the player must hold.
    holds: Id,
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

/// A value for rulesets.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
enum Data {
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<Data>),
    Map(BTreeMap<String, Data>),
}

impl From<&Datum> for Data {
    fn from(datum: &Datum) -> Self {
        match datum {
            Datum::Bool(flag) => Self::Bool(*flag),
            Datum::Number(number) => Self::Number(*number),
            Datum::Text(text) => Self::Text(text.clone()),
            Datum::List(list) => Self::List(list.iter().map(Self::from).collect()),
            Datum::Map(map) => Self::Map(all_data(map)),
        }
    }
}

impl From<&Board> for MapFile {
    fn from(board: &Board) -> Self {
        let id = |id: &str| Id::Word(id.to_owned());
        let place = |at: Territory| id(&board.info(at).id);
        let named = |group: &Group| id(&board.group(*group).id);
        let holding = |info: &GroupInfo| HoldingFile {
            needs: info.needs,
            steps: (info.steps.iter())
                .map(|&BonusStep { needs, bonus }| StepFile { needs, bonus })
                .collect(),
            overrides: info.overrides.iter().map(named).collect(),
            each_turn: info.each_turn,
            deploys: info.deploys.map(place),
            strength: info.strength,
            data: all_data(&info.data),
        };
        let continents = board.continents().iter().map(|info| ContinentFile {
            id: id(&info.id),
            name: (info.name != info.id).then(|| info.name.clone()),
            bonus: info.bonus,
            colour: info.colour.clone(),
            holding: holding(info),
        });
        let groups = board.groups().iter().skip(continents.len());
        let groups = groups.map(|info| GroupFile {
            id: id(&info.id),
            name: (info.name != info.id).then(|| info.name.clone()),
            bonus: info.bonus,
            colour: info.colour.clone(),
            territories: info.territories.iter().copied().map(place).collect(),
            groups: info.groups.iter().map(named).collect(),
            holding: holding(info),
        });
        let territories = board.territories().map(|at| territory(board, at));
        Self {
            name: board.name().to_owned(),
            about: board.about().to_owned(),
            look: match board.look() {
                Look::Land => LookFile::Land,
                Look::Islands => LookFile::Islands,
                Look::Discs => LookFile::Discs,
            },
            lints: Lints::default(),
            data: all_data(board.data()),
            continents: continents.collect(),
            groups: groups.collect(),
            territories: territories.collect(),
        }
    }
}

/// Describes a territory.
fn territory(board: &Board, at: Territory) -> TerritoryFile {
    let id = |id: &str| Id::Word(id.to_owned());
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
            .map(|to| border(board, at, to))
            .collect(),
        one_way: one_way
            .into_iter()
            .map(|to| border(board, at, to))
            .collect(),
        each_turn: info.each_turn,
        deploys: info.deploys.map(|at| id(&board.info(at).id)),
        strength: info.strength,
        neutral: info.neutral,
        resets: info.resets,
        data: all_data(&info.data),
    }
}

fn all_data(data: &BTreeMap<String, Datum>) -> BTreeMap<String, Data> {
    let data = data.iter();
    data.map(|(key, datum)| (key.clone(), Data::from(datum)))
        .collect()
}

/// Describes the border from one territory to another, also if only the other direction is special.
fn border(board: &Board, from: Territory, to: Territory) -> BorderFile {
    let id = |id: &str| Id::Word(id.to_owned());
    let end = id(&board.info(to).id);
    let info = match (board.border(from, to), board.border(to, from)) {
        (None, None) => return BorderFile::Plain(end),
        (info, _) => info.cloned().unwrap_or_default(),
    };
    let holds = info.open_if.map(|holding| match holding {
        Holding::Territory(at) => id(&board.info(at).id),
        Holding::Group(group) => id(&board.group(group).id),
    });
    BorderFile::Special {
        to: end,
        kind: info.is_bombard.then_some(BorderKind::Bombard),
        one_way: false,
        open_if: holds.map(|holds| ConditionFile { holds }),
        strength: info.strength,
        data: all_data(&info.data),
    }
}

/// Returns the JSON Schema of the YAML form.
#[must_use]
pub fn schema() -> serde_json::Value {
    crate::typed_yaml::bounded::<MapFile>()
}
