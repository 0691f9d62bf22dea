//! Actions in words and back: `attack alaska kamchatka 3`. Made from the declarations alone.

use super::action::{Action, Illegal, MAX_SLOTS, Options};
use super::board::Board;
use super::declare::{Declaration, SlotKind};
use super::id::{Continent, Territory, Verb};

/// Names for actions under one ruleset on one board.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    board: &'a Board,
    decl: &'a Declaration,
}

impl<'a> Words<'a> {
    /// Names for this board and these declarations.
    #[must_use]
    pub const fn new(board: &'a Board, decl: &'a Declaration) -> Self {
        Self { board, decl }
    }

    /// One parameter as a word. Out of its range, the bare number.
    #[must_use]
    pub fn value(self, kind: SlotKind, value: i32) -> String {
        let mut text = String::new();
        self.write_value(kind, value, &mut text);
        text
    }

    fn write_value(self, kind: SlotKind, value: i32, text: &mut String) {
        let index = usize::try_from(value).ok();
        let name = match (kind, index) {
            (SlotKind::Territory, Some(index)) if index < self.board.len() => {
                Some(&self.board.info(Territory::from_index(index)).id)
            }
            (SlotKind::Continent, Some(index)) => self.board.continents().get(index).map(|found| &found.id),
            (SlotKind::Card, Some(index)) => self.decl.cards.get(index).map(|card| &card.name),
            (SlotKind::Unit, Some(index)) => self.decl.units.get(index),
            _ => None,
        };
        match (name, kind) {
            (Some(name), _) => text.push_str(name),
            (None, SlotKind::Player) if value >= 0 => push_number(text, i64::from(value) + 1),
            (None, _) => push_number(text, i64::from(value)),
        }
    }

    /// The action in words.
    #[must_use]
    pub fn action(self, action: Action) -> String {
        let mut text = String::new();
        self.write_action(action, &mut text);
        text
    }

    /// Appends the action in words.
    pub fn write_action(self, action: Action, text: &mut String) {
        let Some(verb) = self.decl.verbs.get(action.verb.index()) else {
            text.push_str("verb ");
            push_number(text, i64::from(action.verb.0));
            return;
        };
        text.push_str(&verb.name);
        for (index, &value) in action.args().iter().enumerate() {
            let kind = verb.slots.get(index).map_or(SlotKind::Count, |slot| slot.1);
            text.push(' ');
            self.write_value(kind, value, text);
        }
    }

    fn parse_value(self, kind: SlotKind, word: &str) -> Option<i32> {
        match kind {
            SlotKind::Territory => self.board.find(word).map(Territory::number),
            SlotKind::Continent => {
                let found = self.board.continents().iter().position(|continent| continent.id == word);
                found.map(|index| Continent::from_index(index).number())
            }
            SlotKind::Card => self.decl.card(word).map(super::id::Card::number),
            SlotKind::Unit => self.decl.unit(word).map(super::id::Unit::number),
            SlotKind::Player => word.parse::<i32>().ok().filter(|&seat| seat >= 1).map(|seat| seat - 1),
            SlotKind::Count => word.parse().ok(),
        }
    }

    /// The action that these words say.
    ///
    /// # Errors
    /// Says which word is not understood.
    pub fn parse(self, text: &str) -> Result<Action, String> {
        let mut words = text.split_ascii_whitespace();
        let name = words.next().ok_or("the action is empty")?;
        let verb = self.decl.verb(name).ok_or_else(|| {
            let verbs: Vec<&str> = self.decl.verbs.iter().map(|verb| verb.name.as_str()).collect();
            format!("there is no verb `{name}`; the ruleset {} has {}", self.decl.name, verbs.join(", "))
        })?;
        let slots = &self.decl.verbs[verb.index()].slots;
        let rest: Vec<&str> = words.collect();
        if rest.len() != slots.len() || rest.len() > MAX_SLOTS {
            return Err(format!("`{name}` is said as `{}`", self.usage(verb)));
        }
        let mut args = [0; MAX_SLOTS];
        for (index, ((slot, kind), word)) in slots.iter().zip(&rest).enumerate() {
            args[index] = self
                .parse_value(*kind, word)
                .ok_or_else(|| format!("`{word}` is no {} for `{slot}` of `{name}`", kind_word(*kind)))?;
        }
        Ok(Action::new(verb, &args[..rest.len()]))
    }

    /// How a verb is said.
    #[must_use]
    pub fn usage(self, verb: Verb) -> String {
        let info = &self.decl.verbs[verb.index()];
        let slots: String = info.slots.iter().map(|(name, _)| format!(" {}", name.to_uppercase())).collect();
        format!("{}{slots}", info.name)
    }

    /// Why an action was refused, in words, with what was offered instead.
    #[must_use]
    pub fn refusal(self, options: &Options, said: Action, why: Illegal) -> String {
        let text = self.action(said);
        match why {
            Illegal::Verb => {
                let mut verbs: Vec<&str> = Vec::new();
                for offer in options.offers() {
                    let name = self.decl.verbs.get(offer.verb.index()).map_or("?", |verb| verb.name.as_str());
                    if !verbs.contains(&name) {
                        verbs.push(name);
                    }
                }
                format!("`{text}` is not offered here; offered: {}", verbs.join(", "))
            }
            Illegal::Count { wants } => format!(
                "`{text}` has {} parameters, the offer has {wants}: `{}`",
                said.args().len(),
                self.usage(said.verb)
            ),
            Illegal::Slot(index) => {
                let slot = self.decl.verbs.get(said.verb.index()).and_then(|verb| verb.slots.get(index));
                let (name, kind) = slot.map_or(("?", SlotKind::Count), |slot| (slot.0.as_str(), slot.1));
                let fitting = self.fitting(options, said, index, kind);
                format!("`{text}` is not allowed: `{name}` can be {fitting} there")
            }
        }
    }

    /// The values offered for one parameter, given those before it.
    fn fitting(self, options: &Options, said: Action, index: usize, kind: SlotKind) -> String {
        const SHOWN: usize = 8;
        let mut values = std::collections::BTreeSet::new();
        for offer in options.offers().iter().filter(|offer| offer.verb == said.verb && offer.slots().len() > index) {
            let before = offer.slots().iter().zip(said.args()).take(index);
            if before.into_iter().all(|(&slot, &value)| options.contains(slot, value)) {
                let domain = offer.slots()[index];
                let size = options.size(domain);
                if kind == SlotKind::Count && size > 1 {
                    return format!("{} to {}", options.value(domain, 0), options.value(domain, size - 1));
                }
                values.extend((0..size.min(SHOWN as u64 + 1)).map(|index| options.value(domain, index)));
            }
        }
        let mut words: Vec<String> = values.iter().take(SHOWN).map(|&value| self.value(kind, value)).collect();
        if values.len() > SHOWN {
            words.push("…".to_owned());
        }
        words.join(", ")
    }
}

/// A kind of parameter in one word.
#[must_use]
pub const fn kind_word(kind: SlotKind) -> &'static str {
    match kind {
        SlotKind::Territory => "territory",
        SlotKind::Continent => "continent",
        SlotKind::Player => "player",
        SlotKind::Count => "count",
        SlotKind::Card => "card",
        SlotKind::Unit => "unit",
    }
}

fn push_number(text: &mut String, number: i64) {
    use std::fmt::Write as _;
    let _ = write!(text, "{number}");
}
