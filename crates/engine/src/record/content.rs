//! Hashes of rulesets, maps and bots. They cover only content, in a fixed encoding, so they do not
//! depend on file names, reading order or compiler versions.

use std::collections::BTreeMap;

use crate::players::BotSource;
use crate::script::{Ruleset, Script, imports};
use risk_kernel::board::{Board, Datum};
use risk_kernel::borders::Holding;
use risk_kernel::id::Territory;

const DIGITS: usize = 32;

/// A hash of a sequence of values. The encoding makes the boundaries between values unambiguous.
struct ContentHasher(blake3::Hasher);

impl ContentHasher {
    /// Starts a hash for one kind of content. Different kinds of content never have the same hash.
    fn new(kind: &str) -> Self {
        let mut content = Self(blake3::Hasher::new());
        content.text(kind);
        content
    }

    fn number(&mut self, number: i64) {
        self.0.update(b"n");
        self.0.update(&number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.0.update(b"t");
        self.0.update(&(text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
    }

    fn list(&mut self, len: usize) {
        self.0.update(b"l");
        self.0.update(&(len as u64).to_le_bytes());
    }

    fn optional_number(&mut self, number: Option<i64>) {
        self.list(usize::from(number.is_some()));
        number.into_iter().for_each(|number| self.number(number));
    }

    fn datum(&mut self, datum: &Datum) {
        match datum {
            Datum::Bool(value) => {
                self.0.update(if *value { b"y" } else { b"f" });
            }
            Datum::Number(value) => self.number(*value),
            Datum::Text(value) => self.text(value),
            Datum::List(values) => {
                self.list(values.len());
                values.iter().for_each(|value| self.datum(value));
            }
            Datum::Map(values) => {
                self.0.update(b"m");
                self.data(values);
            }
        }
    }

    fn data(&mut self, data: &BTreeMap<String, Datum>) {
        self.list(data.len());
        for (key, datum) in data {
            self.text(key);
            self.datum(datum);
        }
    }

    /// Adds a script and the files that it imports, with the names that its imports use.
    fn script(&mut self, script: &Script) {
        self.text(&script.source.text);
        let imports = imports(script);
        self.list(imports.len());
        for (name, source) in imports {
            self.text(&name);
            self.text(&source.text);
        }
    }

    /// Adds a bot's script and the settings that differ from the script's defaults.
    fn bot(&mut self, script: &Script) {
        self.script(script);
        if !script.set.is_empty() {
            self.list(script.set.len());
            for (name, &value) in &script.set {
                self.text(name);
                self.number(value);
            }
        }
    }

    fn finish(self) -> String {
        self.0.finalize().to_hex()[..DIGITS].to_owned()
    }
}

/// Hashes a ruleset: its script and the scripts that it extends, each with the files that it
/// imports.
#[must_use]
pub fn ruleset_hash(ruleset: &Ruleset) -> String {
    let mut content = ContentHasher::new("ruleset");
    content.list(ruleset.scripts().len());
    ruleset
        .scripts()
        .iter()
        .for_each(|script| content.script(script));
    content.finish()
}

/// Hashes a board's continents, territories, borders and rules in order, with all their data. The
/// name and description of the map are excluded.
#[must_use]
pub fn map_hash(board: &Board) -> String {
    let mut content = ContentHasher::new("map");
    content.list(board.continents().len());
    for continent in board.continents() {
        content.text(&continent.id);
        content.text(&continent.name);
        content.number(i64::from(continent.bonus));
        content.text(continent.colour.as_deref().unwrap_or_default());
    }
    content.list(board.len());
    for at in board.territories() {
        let info = board.info(at);
        content.text(&info.id);
        content.text(&info.name);
        content.optional_number(info.continent.map(|continent| i64::from(continent.0)));
        content.optional_number(info.at.map(|(x, _)| i64::from(x)));
        content.optional_number(info.at.map(|(_, y)| i64::from(y)));
        content.data(&info.data);
        content.list(board.neighbours(at).len());
        board
            .neighbours(at)
            .iter()
            .for_each(|to| content.number(i64::from(to.0)));
    }
    content.rules_of_map(board);
    content.finish()
}

impl ContentHasher {
    /// Hashes what a map says beside its continents, territories and borders. The hash of a map
    /// that says no more than these remains.
    fn rules_of_map(&mut self, board: &Board) {
        let number = |at: &Territory| i64::from(at.0);
        for (from, to, info) in board.special_borders() {
            self.number(number(&from));
            self.number(number(&to));
            self.number(info.is_bombard.into());
            self.number(info.strength.into());
            let (territory, group) = match info.open_if {
                Some(Holding::Territory(at)) => (Some(number(&at)), None),
                Some(Holding::Group(group)) => (None, Some(i64::from(group.0))),
                None => (None, None),
            };
            self.optional_number(territory);
            self.optional_number(group);
            self.data(&info.data);
        }
        for at in board.territories() {
            let info = board.info(at);
            let numbers = info.rule_numbers();
            if numbers != [0; 4] || info.deploys.is_some() {
                self.number(number(&at));
                numbers.iter().for_each(|&it| self.number(it.into()));
                self.optional_number(info.deploys.as_ref().map(number));
            }
        }
        if !board.has_plain_groups() {
            self.groups(board);
        }
        let of_groups = board.groups().iter().map(|it| &it.data);
        for (index, data) in (0..).zip([board.data()].into_iter().chain(of_groups)) {
            if !data.is_empty() {
                self.text("data");
                self.number(index);
                self.data(data);
            }
        }
    }

    fn groups(&mut self, board: &Board) {
        let number = |at: &Territory| i64::from(at.0);
        self.list(board.groups().len());
        for info in board.groups() {
            self.text(&info.id);
            self.text(&info.name);
            self.text(info.colour.as_deref().unwrap_or_default());
            self.optional_number(info.needs.map(i64::from));
            let groups = [&info.groups, &info.overrides];
            let groups = groups.map(|list| list.iter().map(|it| i64::from(it.0)).collect());
            let territories: Vec<i64> = info.territories.iter().map(number).collect();
            let steps = info.steps.iter();
            let steps = steps.flat_map(|step| [i64::from(step.needs), step.bonus.into()]);
            let numbers = vec![
                info.bonus.into(),
                info.each_turn.into(),
                info.strength.into(),
            ];
            let [groups, overrides]: [Vec<i64>; 2] = groups;
            for list in [territories, groups, overrides, steps.collect(), numbers] {
                self.list(list.len());
                list.into_iter().for_each(|number| self.number(number));
            }
            self.optional_number(info.deploys.as_ref().map(number));
        }
    }
}

/// Hashes the content of a bot: the name and version of a built-in bot, or a script with its
/// imports, even if the script is isolated. A remote bot has a hash only if its files are named;
/// the hash covers the files and the address or command. Bots of the program that uses this library
/// have no hash.
#[must_use]
pub fn bot_hash(source: &BotSource) -> Option<String> {
    let mut content = ContentHasher::new("bot");
    match (source, source.script()) {
        (BotSource::BuiltIn(bot), _) => {
            content.text(&bot.content());
            content.text(crate::VERSION);
        }
        (_, Some(script)) => content.bot(script),
        (BotSource::Made(factory), None) => {
            let (place, hash) = factory.content()?;
            content.text(place);
            content.text(hash);
        }
        (BotSource::Human | BotSource::Script(_), None) => return None,
    }
    Some(content.finish())
}
