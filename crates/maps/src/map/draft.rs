//! The draft of a map, which the readers of all forms fill, and the findings about it.

use crate::lint::{self, Levels};
pub(super) use crate::nodes::Extent;
use crate::nodes::{Node, NodeReader};
use risk_kernel::board::{Datum, Look, TerritoryInfo};
use risk_kernel::borders::BorderInfo;
use risk_kernel::groups::GroupInfo;
use risk_text::diag::{Finding, Level, TextFile};
use risk_text::suggest;
use std::collections::BTreeMap;

const MOST_TERRITORIES: usize = 10_000;
const MOST_CONTINENTS: usize = 1_000;
/// The largest bonus, and the largest bonus without a finding.
const MOST_BONUS: i64 = 1_000_000;
const USUAL_BONUS: i64 = 1_000;
/// The most armies that come or go each turn, or are there at the start.
pub(super) const MOST_ARMIES: i64 = 1_000_000;
const MOST_FINDINGS: usize = 5_000;
/// The maximum number of searches for similar names in one file. The time for each search is
/// proportional to the number of names.
const MOST_SEARCHES: usize = 100;

/// A map as its file describes it, with all names resolved.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) look: Look,
    pub(super) data: BTreeMap<String, Datum>,
    pub(super) continents: Vec<(GroupInfo, Extent)>,
    /// The groups that are no continents.
    pub(super) groups: Vec<(GroupInfo, Extent)>,
    pub(super) territories: Vec<TerritoryDraft>,
    /// Whether a border is two-way even if it is listed at one end only.
    pub(super) mutual: bool,
}

impl Draft {
    /// Returns the draft of a `.map` file if it has territories, which the file calls `what`. A
    /// lack of territories or continents is reported unless a section is missing.
    pub(super) fn unless_empty(
        self,
        is_missing: bool,
        has_no_lines: bool,
        what: &str,
        finder: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        if self.continents.is_empty() && !is_missing {
            finder.find("no-continents", "the map has no continents", (0, 0));
        }
        if self.territories.is_empty() && !is_missing && has_no_lines {
            finder.find("no-territories", format!("the map has no {what}"), (0, 0));
        }
        (!self.territories.is_empty()).then_some(self)
    }
}

#[derive(Debug)]
pub(super) struct TerritoryDraft {
    pub(super) info: TerritoryInfo,
    pub(super) place: Extent,
    /// Borders as listed: the index of the other territory, and the place of its name.
    pub(super) borders: Vec<(usize, Extent)>,
    pub(super) one_way: Vec<(usize, Extent)>,
    /// What the file says about borders that are listed above, by the index of the other territory.
    pub(super) special: Vec<(usize, BorderInfo)>,
}

impl TerritoryDraft {
    pub(super) const fn new(info: TerritoryInfo, place: Extent) -> Self {
        Self {
            info,
            place,
            borders: Vec::new(),
            one_way: Vec::new(),
            special: Vec::new(),
        }
    }
}

/// A group, and the lists of its file that can be read only when all ids are known.
pub(super) struct GroupEntry<'n> {
    pub(super) info: GroupInfo,
    pub(super) place: Extent,
    pub(super) later: Vec<(&'n str, &'n Node)>,
}

/// The numbers of territories and groups, by id.
pub(super) struct KnownIds {
    pub(super) territories: BTreeMap<String, usize>,
    pub(super) groups: BTreeMap<String, usize>,
}

impl KnownIds {
    pub(super) fn new(territories: &[TerritoryDraft], groups: &[GroupEntry<'_>]) -> Self {
        let all = territories.iter().enumerate();
        let groups = groups.iter().enumerate();
        Self {
            territories: all.map(|(at, it)| (it.info.id.clone(), at)).collect(),
            groups: groups.map(|(at, it)| (it.info.id.clone(), at)).collect(),
        }
    }
}

pub(super) struct Diagnostics<'a> {
    file: &'a TextFile,
    levels: Levels,
    findings: Vec<Finding>,
    more: usize,
    denied: bool,
    searches: usize,
}

impl NodeReader for Diagnostics<'_> {
    fn found(&mut self, code: &str, text: String, help: Option<String>, place: Extent) {
        self.find_with(code, text, help, place);
    }
}

impl<'a> Diagnostics<'a> {
    pub(super) const fn new(file: &'a TextFile, levels: Levels) -> Self {
        Self {
            file,
            levels,
            findings: Vec::new(),
            more: 0,
            denied: false,
            searches: MOST_SEARCHES,
        }
    }

    pub(super) fn find(&mut self, code: &str, text: impl Into<String>, place: Extent) {
        self.find_with(code, text, None, place);
    }

    pub(super) fn find_with(
        &mut self,
        code: &str,
        text: impl Into<String>,
        help: Option<String>,
        place: Extent,
    ) {
        let level = self.level(code);
        self.find_as(level, code, text.into(), help, place);
    }

    fn level(&self, code: &str) -> Level {
        let lint = lint::find(code).expect("every code belongs to a lint");
        self.levels.level_of(lint)
    }

    fn find_as(
        &mut self,
        level: Level,
        code: &str,
        text: String,
        help: Option<String>,
        place: Extent,
    ) {
        if level == Level::Allow {
            return;
        }
        self.denied |= level == Level::Deny;
        if self.findings.len() == MOST_FINDINGS {
            self.more += 1;
            return;
        }
        let usual = || lint::find(code).map_or("", |lint| lint.help).to_owned();
        let help = help.unwrap_or_else(usual);
        let finding = Finding::error(&format!("map::{code}"), text).level(level);
        let finding = finding.help(help).at(self.file, place.0, place.1);
        self.findings.push(finding);
    }

    /// Reports a key that looks like a known one, or means the same elsewhere. If the map lacks
    /// what is under it, refuses the map and returns true.
    pub(super) fn near_key(
        &mut self,
        key: &str,
        near: &str,
        count: usize,
        is_lost: bool,
        place: Extent,
    ) -> bool {
        let level = self.level("near-key");
        let is_lost = is_lost && level != Level::Allow;
        let times = if count > 1 {
            format!(" in {count} territories")
        } else {
            String::new()
        };
        let (level, text, help) = if is_lost {
            let text = format!("unknown key `{key}`{times}, and no territory has `{near}`");
            (Level::Deny, text, format!("did you mean `{near}`?"))
        } else {
            let text = format!("unknown key `{key}`{times} is passed to scripts as data");
            let help = "If not, choose a name that is less similar";
            (level, text, format!("did you mean `{near}`? {help}"))
        };
        self.find_as(level, "near-key", text, Some(help), place);
        is_lost
    }

    /// Reports whether a comment begins at this byte, after the colon of a key.
    pub(super) fn is_comment(&self, at: usize) -> bool {
        let rest = self.file.text.get(at..).unwrap_or_default();
        rest.trim_start_matches([':', ' ', '\t']).starts_with('#')
    }

    /// Refuses the whole file, which is no map after all, without the findings so far.
    pub(super) fn forget(&mut self) {
        self.findings.clear();
        self.refuse("not-a-map", format!("{} is not a map", self.file.name));
    }

    /// Refuses the whole file without quoting it, because it may be any file.
    pub(super) fn refuse(&mut self, code: &str, text: String) {
        let help = lint::find(code).expect("every code belongs to a lint").help;
        self.push(Finding::error(&format!("map::{code}"), text).help(help));
    }

    pub(super) fn push(&mut self, finding: Finding) {
        self.denied |= finding.level == Level::Deny;
        self.findings.push(finding);
    }

    /// Applies the levels from the file itself. Levels on the command line take precedence.
    pub(super) fn file_levels(&mut self, levels: Vec<(String, Extent, Result<Level, String>)>) {
        for (code, place, level) in levels {
            if let Err(text) = level.and_then(|level| self.levels.ask(&code, level)) {
                let help = "`risk-cli map lints` lists the codes".to_owned();
                self.find_with("value", text, Some(help), place);
            }
        }
    }

    /// Makes these lints warnings, unless the user set their levels.
    pub(super) fn warn_of(&mut self, codes: &[&str]) {
        for code in codes {
            let asked = self.levels.ask(code, Level::Warn);
            asked.expect("soft lints can be warnings");
        }
    }

    /// Reports whether a finding prevents a board.
    pub(super) fn is_hard(&self) -> bool {
        let is_hard = |finding: &Finding| {
            let code = finding.code.trim_start_matches("map::");
            lint::find(code).is_none_or(|lint| lint.hard)
        };
        let mut denied = self.findings.iter();
        denied.any(|finding| finding.level == Level::Deny && is_hard(finding))
    }

    pub(super) fn is_close(&self) -> bool {
        self.levels.is_close()
    }

    pub(super) const fn denied(&self) -> bool {
        self.denied
    }

    pub(super) fn fits(&mut self, territories: usize, continents: usize) -> bool {
        let mut fits = true;
        for (count, most, what) in [
            (territories, MOST_TERRITORIES, "territories"),
            (continents, MOST_CONTINENTS, "continents and groups"),
        ] {
            if count > most {
                self.find(
                    "too-many-territories",
                    format!("expected at most {most} {what}, found {count}"),
                    (0, 0),
                );
                fits = false;
            }
        }
        fits
    }

    pub(super) fn bonus(&mut self, bonus: i64, id: &str, place: Extent) -> i32 {
        if !(-MOST_BONUS..=MOST_BONUS).contains(&bonus) {
            let text = format!(
                "the bonus of `{id}` must be from -{MOST_BONUS} to {MOST_BONUS}, found {bonus}"
            );
            self.find("bonus-too-large", text, place);
            return 0;
        }
        if !(-USUAL_BONUS..=USUAL_BONUS).contains(&bonus) {
            self.find(
                "bonus-unusual",
                format!("the bonus of `{id}` is unusual: {bonus}"),
                place,
            );
        }
        if bonus <= 0 {
            self.find(
                "zero-bonus",
                format!("the bonus of `{id}` is {bonus}"),
                place,
            );
        }
        bonus as i32
    }

    /// Checks that a display name is short and on a single line.
    pub(super) fn readable(&mut self, text: &str, place: Extent) -> String {
        if text.chars().count() > 200 || text.chars().any(char::is_control) {
            self.find(
                "value",
                "a name must be one line of at most 200 characters",
                place,
            );
            return String::new();
        }
        text.to_owned()
    }

    /// Reports an unknown name, with a suggestion.
    pub(super) fn unknown<'n>(
        &mut self,
        code: &str,
        text: String,
        name: &str,
        known: impl Iterator<Item = &'n str>,
        place: Extent,
    ) {
        let mut help = None;
        if self.searches > 0 {
            self.searches -= 1;
            let known: Vec<&str> = known.collect();
            let few = (1..20).contains(&known.len());
            let near = suggest::nearest(name, known.iter().copied())
                .map(|near| format!("did you mean `{near}`?"));
            help = near.or_else(|| few.then(|| suggest::help(name, known)));
        }
        self.find_with(code, text, help, place);
    }

    /// Reports an undeclared continent, but only once if no continent is declared.
    pub(super) fn unknown_continent<'n>(
        &mut self,
        id: &str,
        known: impl Iterator<Item = &'n str>,
        place: Extent,
    ) {
        let mut known = known.peekable();
        let none = known.peek().is_none();
        if !(none
            && self
                .findings
                .iter()
                .any(|finding| finding.code == "map::unknown-continent"))
        {
            self.unknown(
                "unknown-continent",
                format!("no continent named `{id}`"),
                id,
                known,
                place,
            );
        }
    }

    /// Returns all findings in the order of the file, and whether one of them is denied.
    pub(super) fn finish(mut self) -> (Vec<Finding>, bool) {
        self.findings
            .sort_by_key(|finding| finding.place.as_ref().map_or(0, |place| place.start));
        if self.more > 0 {
            let text = format!("{} more findings", self.more);
            let level = if self.denied {
                Level::Deny
            } else {
                Level::Warn
            };
            let finding = Finding::error("map::more", text).level(level);
            self.findings
                .push(finding.help("fix the listed findings first"));
        }
        (self.findings, self.denied)
    }
}
