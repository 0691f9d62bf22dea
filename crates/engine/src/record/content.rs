//! Hashes of what a game is played with: of the content alone, in a form of our own, so that no
//! name of a file, no order of reading and no version of the compiler is in them.

use crate::players::BotSource;
use crate::script::{Ruleset, Script, imports};
use risk_kernel::board::{Board, Datum};

/// How many hexadecimal digits a hash has.
const DIGITS: usize = 32;

/// Takes values one by one; each is written so that it can't run into the next.
struct Content(blake3::Hasher);

impl Content {
    /// Of one kind of thing: another kind never has the same hash.
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
        }
    }

    /// A script and the files that it imports, by the names it calls them.
    fn script(&mut self, script: &Script) {
        self.text(&script.source.text);
        let imports = imports(script);
        self.list(imports.len());
        for (name, source) in imports {
            self.text(&name);
            self.text(&source.text);
        }
    }

    /// A bot's script, and the settings that are not as it has them.
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

/// A hash of a ruleset: its script and those it extends, each with the files that it imports.
#[must_use]
pub fn ruleset_hash(ruleset: &Ruleset) -> String {
    let mut content = Content::new("ruleset");
    content.list(ruleset.scripts().len());
    ruleset
        .scripts()
        .iter()
        .for_each(|script| content.script(script));
    content.finish()
}

/// A hash of everything that a board says of its continents, territories and borders, in their
/// order. The map's own name and what it says of itself are not in it.
#[must_use]
pub fn map_hash(board: &Board) -> String {
    let mut content = Content::new("map");
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
        content.list(info.data.len());
        for (key, datum) in &info.data {
            content.text(key);
            content.datum(datum);
        }
        content.list(board.neighbours(at).len());
        board
            .neighbours(at)
            .iter()
            .for_each(|to| content.number(i64::from(to.0)));
    }
    content.finish()
}

/// A hash of what a bot is made of: name and version of a built-in one, a script with its imports.
/// What a bot elsewhere is made of, nobody here knows, unless its files are named: they and its
/// address or command are hashed then. Nor does anybody know it of bots of the program around the
/// library. An isolated one is its script.
#[must_use]
pub fn bot_hash(source: &BotSource) -> Option<String> {
    let mut content = Content::new("bot");
    match (source, source.script()) {
        (BotSource::BuiltIn(bot), _) => {
            content.text(&bot.content());
            content.text(env!("CARGO_PKG_VERSION"));
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
