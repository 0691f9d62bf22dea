//! The common form of `.map` files: lines in sections, with the place of each word.

use std::collections::BTreeMap;

use super::draft::{Diagnostics, Extent};
use crate::synonyms::meant;
use risk_text::diag::Level;
use risk_text::suggest::nearest;

/// A line or part of a line, trimmed, with its offset in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedText<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
}

impl<'a> PlacedText<'a> {
    pub(super) const fn place(self) -> Extent {
        (self.start, self.text.len())
    }

    pub(super) fn words(self) -> Vec<PlacedText<'a>> {
        self.text
            .split_whitespace()
            .map(|word| self.part(word))
            .collect()
    }

    /// Returns the trimmed fields between occurrences of this character.
    pub(super) fn fields(self, between: char) -> Vec<PlacedText<'a>> {
        self.text
            .split(between)
            .map(|field| self.part(field.trim()))
            .collect()
    }

    /// Reads the bonus of a continent, and reports it if it is no integer.
    pub(super) fn bonus(self, id: &str, finder: &mut Diagnostics<'_>) -> i32 {
        if let Ok(bonus) = self.text.parse() {
            return finder.bonus(bonus, id, self.place());
        }
        let found = self.text;
        let text = format!("the bonus of `{id}` must be an integer, found `{found}`");
        finder.find("bonus-not-number", text, self.place());
        0
    }

    fn part(self, part: &'a str) -> Self {
        // The part is a slice of the text, so the difference of the pointers is its offset.
        let offset = (part.as_ptr() as usize)
            .saturating_sub(self.text.as_ptr() as usize)
            .min(self.text.len());
        PlacedText {
            text: part,
            start: self.start + offset,
        }
    }
}

/// A section: its name as written, and its lines without blank lines and comments.
#[derive(Debug)]
pub(super) struct Section<'a> {
    pub(super) name: PlacedText<'a>,
    pub(super) lines: Vec<PlacedText<'a>>,
}

#[derive(Debug, Default)]
pub(super) struct Sections<'a> {
    pub(super) head: Vec<PlacedText<'a>>,
    pub(super) sections: Vec<Section<'a>>,
    /// Texts after a section's name, on the same line.
    pub(super) junk: Vec<PlacedText<'a>>,
    comments: Vec<PlacedText<'a>>,
}

impl<'a> Sections<'a> {
    /// Parses a text. Lines end with CR, LF or both, and comments begin with `;`.
    pub(super) fn new(text: &'a str) -> Self {
        let mut all = Self::default();
        let mut start = 0;
        for raw in text.split(['\n', '\r']) {
            let line = PlacedText { text: raw, start }.part(raw.trim());
            start += raw.len() + 1;
            if line.text.starts_with(';') {
                all.comments.push(line);
            } else if let Some((name, rest)) = header(line) {
                all.sections.push(Section {
                    name,
                    lines: Vec::new(),
                });
                all.junk.extend((!rest.text.is_empty()).then_some(rest));
            } else if !line.text.is_empty() {
                match all.sections.last_mut() {
                    Some(section) => section.lines.push(line),
                    None => all.head.push(line),
                }
            }
        }
        all
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.sections.iter().any(|section| section.is(name))
    }

    pub(super) fn lines(&self, name: &str) -> Vec<PlacedText<'a>> {
        self.sections
            .iter()
            .filter(|section| section.is(name))
            .flat_map(|section| section.lines.clone())
            .collect()
    }

    /// Returns the levels that comments set: `; risk-cli: allow one-way-border, zero-bonus`.
    pub(super) fn levels(&self) -> Vec<(String, Extent, Result<Level, String>)> {
        let mut levels = Vec::new();
        for comment in &self.comments {
            let Some(asked) = comment
                .text
                .trim_start_matches([';', ' '])
                .strip_prefix("risk-cli:")
            else {
                continue;
            };
            let asked = comment.part(asked.trim());
            let (word, codes) = asked
                .text
                .split_at(asked.text.find(' ').unwrap_or(asked.text.len()));
            let level = Level::from_name(word)
                .ok_or_else(|| format!("expected allow, warn or deny, found `{word}`"));
            for code in comment.part(codes.trim()).fields(',') {
                levels.push((code.text.to_owned(), code.place(), level.clone()));
            }
        }
        levels
    }

    /// Reports unknown sections, in the order of the file. A section whose name is nearly a known
    /// one is read as that one.
    pub(super) fn unknown(&mut self, known: &[&'a str], game: &str, finder: &mut Diagnostics<'_>) {
        for section in &mut self.sections {
            let name = section.name;
            if known.iter().any(|known| section.is(known)) {
                continue;
            }
            let lower = name.text.to_lowercase();
            let saved = ["player", "game", "turn", "save"]
                .iter()
                .any(|word| lower.contains(word));
            let near =
                nearest(name.text, known.iter().copied()).or_else(|| meant(name.text, known));
            let start = format!("unknown section [{}]", name.text);
            let (text, help) = match near.filter(|_| !saved) {
                Some(near) => {
                    section.name.text = near;
                    let text = format!("{start}: did you mean [{near}]?");
                    (text, Some("correct the name of the section".to_owned()))
                }
                None if saved => (format!("{start}: the file looks like a saved game"), None),
                None => (format!("{start} in a map of {game}"), None),
            };
            finder.find_with("unknown-section", text, help, name.place());
        }
        for junk in &self.junk {
            finder.find(
                "header-junk",
                "unexpected text after the name of a section",
                junk.place(),
            );
        }
    }

    /// Reports missing sections, and returns whether there are any.
    pub(super) fn missing(&self, needed: &[&str], finder: &mut Diagnostics<'_>) -> bool {
        let missing: Vec<&&str> = needed.iter().filter(|name| !self.has(name)).collect();
        for name in &missing {
            finder.find(
                "missing-section",
                format!("missing section [{name}]"),
                (0, 0),
            );
        }
        !missing.is_empty()
    }
}

impl Section<'_> {
    fn is(&self, name: &str) -> bool {
        self.name.text.eq_ignore_ascii_case(name)
    }
}

/// Splits the line of a section into its name and the rest.
fn header(line: PlacedText<'_>) -> Option<(PlacedText<'_>, PlacedText<'_>)> {
    let (name, rest) = line.text.strip_prefix('[')?.split_once(']')?;
    Some((line.part(name.trim()), line.part(rest.trim())))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SectionDialect {
    Domination,
    Conquest,
}

/// Recognises the form of a file by its sections. Returns `None` if no section could be part of a
/// map.
pub(super) fn dialect(sections: &Sections<'_>) -> Option<SectionDialect> {
    let any = |names: &[&str]| names.iter().any(|name| sections.has(name));
    if any(&["countries", "borders", "files"]) {
        Some(SectionDialect::Domination)
    } else if any(&["territories", "map", "territory"])
        || sections
            .lines("continents")
            .iter()
            .any(|line| line.text.contains('='))
    {
        Some(SectionDialect::Conquest)
    } else {
        any(&["continents", "continent", "country", "border"]).then_some(SectionDialect::Domination)
    }
}

/// Creates ids from names. An id is in lower case, has `-` in place of all characters except
/// letters and digits, and ends with a number if it would not be unique.
#[derive(Default)]
pub(super) struct Ids(BTreeMap<String, usize>);

impl Ids {
    pub(super) fn id(&mut self, name: &str) -> String {
        // İ in lower case is an i with a dot of its own.
        let name = name.to_lowercase().replace('\u{307}', "");
        let words = name
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let mut id = words.collect::<Vec<_>>().join("-");
        while id.len() > 70 {
            id.pop();
        }
        if id.is_empty() {
            "unnamed".clone_into(&mut id);
        }
        let first = id.clone();
        while let Some(number) = self.0.get_mut(&first) {
            *number += 1;
            id = format!("{first}-{number}");
            if !self.0.contains_key(&id) {
                break;
            }
        }
        self.0.insert(id.clone(), 1);
        id
    }
}
