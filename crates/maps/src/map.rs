//! Reads a map file in one of six forms, checks it and creates its board.
//!
//! The form is recognised by the text of the file, never by its name: a `.map` file has sections in
//! square brackets, a drawing begins with `<`, and JSON of regions contains the form's keys.
//! Anything else is YAML.

mod boards;
mod border_reader;
mod checks;
mod conquest;
mod domination;
mod draft;
mod groups;
mod regions;
mod schema;
mod sections;
mod shape;
mod shape_lints;
pub mod shores;
mod svg;
pub mod write;
mod yaml_reader;

use std::borrow::Cow;
use std::path::Path;

use super::lint::Levels;
use super::nodes;
use super::yaml_reader::YamlKind;
use draft::{Diagnostics, Draft};
use risk_kernel::board::Board;
use risk_text as text;
use risk_text::diag::{Finding, LoadError, TextFile};
pub use schema::schema;
use sections::{SectionDialect, Sections};
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

/// The maximum number of words and lines in a map, counted by their separators.
const MOST_WORDS: usize = 1_500_000;

/// The maximum number of keys, values and lists in a file. This is enough for the maximum number of
/// borders, with all data of the territories.
const MOST_VALUES: usize = 600_000;

risk_text::named! {
    /// The form of a map file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Form {
        /// The program's own YAML.
        Yaml = "YAML",
        /// `.map` of Domination.
        Domination = "Domination",
        /// `.map` of Conquest.
        Conquest = "Conquest",
        /// JSON of regions and super regions.
        Regions = "JSON of regions",
        /// A board of another program, in JSON.
        Board = "JSON board",
        /// An SVG drawing: paths are territories.
        Svg = "SVG",
    }
}

risk_text::named! {
    /// How the borders of a map are read.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Borders {
        /// In the direction in which the file lists them.
        #[default]
        AsListed = "as-listed",
        /// In both directions, even if the file lists them at one end only.
        TwoWay = "two-way",
    }
}

/// The settings of a check: by default each lint has its own level, borders are read as listed, and
/// all layers of a drawing are read.
#[derive(Clone, Debug, Default)]
pub struct CheckSettings {
    /// The levels of lints.
    pub levels: Levels,
    /// How borders are read.
    pub borders: Borders,
    /// The layers or groups of a drawing that are read; all if empty.
    pub layers: Vec<String>,
    /// Whether the map is imported to be completed later, so that in a drawing, parts without a
    /// connection are only warnings.
    pub is_import: bool,
}

impl From<Levels> for CheckSettings {
    fn from(levels: Levels) -> Self {
        Self {
            levels,
            ..Self::default()
        }
    }
}

/// The result of checking a map.
#[derive(Debug)]
pub struct CheckedMap {
    /// The board, if no finding is denied.
    pub board: Option<Board>,
    /// All findings, in the order of the file.
    pub findings: Vec<Finding>,
    /// The form of the file; `None` if it was not recognised.
    pub form: Option<Form>,
}

/// Decodes a map, and reports whether it is in Latin-1, the old encoding of `.map` files.
pub(super) fn decode(name: &str, bytes: Vec<u8>) -> Result<(TextFile, bool), LoadError> {
    match text::decode(bytes) {
        Ok(text) => Ok((TextFile::new(name, &text), false)),
        Err(refused) => {
            if let Some(bytes) = &refused.bytes {
                let text = risk_text::decode_windows_1252(bytes);
                if sections::dialect(&Sections::new(&text)).is_some() {
                    return Ok((TextFile::new(name, &text::lines(&text)), true));
                }
            }
            Err(crate::files::not_text(name, &refused))
        }
    }
}

/// Checks the text of a map.
#[must_use]
pub fn check(file: &TextFile, settings: &CheckSettings) -> CheckedMap {
    check_decoded(file, false, settings)
}

/// Checks a map from the bytes of a file, in any encoding for maps.
///
/// # Errors
/// Returns an error if the bytes are not text in such an encoding.
pub fn read(name: &str, bytes: Vec<u8>, settings: &CheckSettings) -> Result<CheckedMap, LoadError> {
    let (file, latin) = decode(name, bytes)?;
    Ok(check_decoded(&file, latin, settings))
}

/// Checks a map. `latin` is true if the text was in Latin-1.
fn check_decoded(file: &TextFile, latin: bool, settings: &CheckSettings) -> CheckedMap {
    let file = &composed(file);
    let mut finder = Diagnostics::new(file, settings.levels.clone());
    let (form, draft) = if can_be_read(file, &mut finder) {
        draft_of(file, latin, settings, &mut finder)
    } else {
        (None, None)
    };
    let board = draft.and_then(|draft| checks::board(draft, settings.borders, &mut finder));
    let (findings, denied) = finder.finish();
    CheckedMap {
        board: board.filter(|_| !denied),
        findings,
        form,
    }
}

/// Returns the text in NFC: an accent may be written in two ways that look the same.
fn composed(file: &TextFile) -> Cow<'_, TextFile> {
    if is_nfc_quick(file.text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(file);
    }
    Cow::Owned(TextFile::new(
        &file.name,
        &file.text.nfc().collect::<String>(),
    ))
}

fn can_be_read(file: &TextFile, finder: &mut Diagnostics<'_>) -> bool {
    let between = file
        .text
        .bytes()
        .filter(|byte| matches!(byte, b'\n' | b'\r' | b',' | b' ' | b'\t' | b'['));
    if between.count() > MOST_WORDS {
        let text = format!("the map has more than {MOST_WORDS} words and lines");
        finder.find("too-long", text, (0, 0));
        return false;
    }
    if file.text.trim().is_empty() {
        let text = format!("{} is not a map: the file is empty", file.name);
        finder.refuse("not-a-map", text);
        return false;
    }
    true
}

fn draft_of(
    file: &TextFile,
    latin: bool,
    settings: &CheckSettings,
    finder: &mut Diagnostics<'_>,
) -> (Option<Form>, Option<Draft>) {
    if file.text.trim_start().starts_with('<') && file.text.contains("<svg") {
        let stem = stem(file, finder);
        return (Some(Form::Svg), svg::read(file, &stem, settings, finder));
    }
    if let Some(form) = written_only(&file.text) {
        let text = format!("{} is a graph in {form}, a form for output only", file.name);
        let finding = Finding::error("map::not-a-map", text);
        finder.push(finding.help(
            "`risk-cli map import MAP -o map.yaml` writes a map that can be read again; so does \
             --to domination",
        ));
        return (None, None);
    }
    let sections = Sections::new(&file.text);
    let Some(dialect) = sections::dialect(&sections) else {
        return from_document(file, finder);
    };
    finder.file_levels(sections.levels());
    if latin {
        finder.find("latin-1", "the file is in Latin-1", (0, 0));
    }
    let stem = stem(file, finder);
    match dialect {
        SectionDialect::Domination => (
            Some(Form::Domination),
            domination::read(sections, &stem, finder),
        ),
        SectionDialect::Conquest => (
            Some(Form::Conquest),
            conquest::read(sections, &stem, finder),
        ),
    }
}

/// Returns the form of a graph: `map import` writes these forms, but doesn't read them.
fn written_only(text: &str) -> Option<&'static str> {
    let start = text.trim_start();
    if start.starts_with('<') && start.contains("<graphml") {
        return Some("GraphML");
    }
    let (head, _) = start.split_once('{')?;
    let mut words = head.split_whitespace().skip_while(|word| *word == "strict");
    matches!(words.next(), Some("graph" | "digraph")).then_some("DOT")
}

/// Returns the file's name without its folder and extension, for a map without a name.
fn stem(file: &TextFile, finder: &mut Diagnostics<'_>) -> String {
    let stem = Path::new(&*file.name)
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned());
    finder.readable(&stem.unwrap_or_default(), (0, 0))
}

fn not_a_map(file: &TextFile, finder: &mut Diagnostics<'_>) -> (Option<Form>, Option<Draft>) {
    finder.refuse("not-a-map", format!("{} is not a map", file.name));
    (Some(Form::Yaml), None)
}

/// Reads a document in YAML, or in JSON, which is also YAML.
fn from_document(file: &TextFile, finder: &mut Diagnostics<'_>) -> (Option<Form>, Option<Draft>) {
    let known = |line: &str| {
        let line = line.trim_start_matches(['{', ' ', '\t', '"', '\'', '-']);
        let mut keys = yaml_reader::KEYS.iter().chain(&regions::KEYS);
        keys.any(|key| line.starts_with(key))
    };
    let is_map = file.text.lines().any(known);
    if !is_map && !boards::may_fit(&file.text) {
        return not_a_map(file, finder);
    }
    let kind = YamlKind {
        name: "a map",
        code: "map::syntax",
        most: MOST_VALUES,
    };
    let root = match nodes::parse(file, kind) {
        Ok(root) => root,
        Err(finding) if is_map => {
            finder.push(finding);
            return (Some(Form::Yaml), None);
        }
        Err(_) => return not_a_map(file, finder),
    };
    if !regions::fits(&root) && boards::fits(&file.text, &root) {
        let stem = stem(file, finder);
        return (Some(Form::Board), boards::read(&root, &stem, finder));
    }
    if !is_map {
        return not_a_map(file, finder);
    }
    finder.file_levels(yaml_reader::levels(&root));
    if regions::fits(&root) {
        let stem = stem(file, finder);
        return (Some(Form::Regions), regions::read(&root, &stem, finder));
    }
    (Some(Form::Yaml), yaml_reader::read(&root, finder))
}
