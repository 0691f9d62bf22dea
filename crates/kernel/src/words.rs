//! Conversion between actions and words, such as `attack alaska kamchatka 3`, based on the
//! declarations alone.

use super::action::{Action, AdmissionError, MAX_SLOTS, Options};
use super::board::Board;
use super::declare::{Declaration, SlotKind};
use super::error::KernelError;
use super::id::{Card, Counter, Group, MAX_PLAYERS, Mark, Pile, Player, Territory, Unit, Verb};
use risk_text::plural::counted;

/// A converter between actions and words, for one ruleset on one board.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    board: &'a Board,
    decl: &'a Declaration,
}

impl<'a> Words<'a> {
    /// Creates a converter for this board and these declarations.
    #[must_use]
    pub const fn new(board: &'a Board, decl: &'a Declaration) -> Self {
        Self { board, decl }
    }

    /// Returns a parameter as a word, or as a number if the parameter is out of range.
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
            (SlotKind::Continent, Some(index)) => {
                self.board.groups().get(index).map(|found| &found.id)
            }
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

    /// Returns the action in words.
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

    /// Returns the action as a sentence without its subject: `bombs Alaska`. If a verb has no
    /// sentence, returns its name and its parameters. `name` returns the name of a player.
    #[must_use]
    pub fn sentence_by(self, action: Action, name: &dyn Fn(Player) -> String) -> String {
        let Some(verb) = self.decl.verbs.get(action.verb.index()) else {
            return self.action(action);
        };
        let counts = verb.slots.iter().zip(action.args());
        let mut counts = counts.filter(|(slot, _)| slot.1 == SlotKind::Count);
        // A verb with one number says how many units there are.
        let units = match (counts.next(), counts.next()) {
            (Some((_, &count)), None) => count,
            _ => 1,
        };
        let value = |index: usize| {
            let kind = verb.slots.get(index).map_or(SlotKind::Count, |slot| slot.1);
            let value = action.args().get(index).copied();
            value.map_or_else(String::new, |value| match (kind, usize::try_from(value)) {
                (SlotKind::Unit, Ok(unit)) if unit < self.decl.units.len() => {
                    self.unit(Unit::from_index(unit), i64::from(units))
                }
                _ => self.title(kind, value, name),
            })
        };
        if let Some(template) = self.decl.sentences.of_verb(action.verb) {
            let slot = |key: &str| verb.slots.iter().position(|slot| slot.0 == key).map(value);
            return filled(template, &slot);
        }
        let values: Vec<String> = (0..action.args().len()).map(value).collect();
        let verb = verb.name.replace('_', " ");
        if values.is_empty() {
            verb
        } else {
            format!("{verb}: {}", values.join(", "))
        }
    }

    /// Returns the sentence as [`Words::sentence_by`] does, with seats as the names of players.
    #[must_use]
    pub fn sentence(self, action: Action) -> String {
        self.sentence_by(action, &|player| format!("player {}", player.0 + 1))
    }

    /// Returns the sentence that explains a verb. If the ruleset declares none, returns the
    /// sentence about its action with the names of the parameters: `attacks TO from FROM`.
    #[must_use]
    pub fn help(self, verb: Verb) -> Option<String> {
        let sentences = &self.decl.sentences;
        if let Some(help) = sentences.help_of_verb(verb) {
            return Some(help.to_owned());
        }
        let told = sentences.of_verb(verb)?;
        Some(filled(told, &|key| Some(key.to_uppercase())))
    }

    fn title(self, kind: SlotKind, value: i32, name: &dyn Fn(Player) -> String) -> String {
        let index = usize::try_from(value).ok();
        let title = match (kind, index) {
            (SlotKind::Territory, Some(index)) if index < self.board.len() => {
                Some(self.board.info(Territory::from_index(index)).name.clone())
            }
            (SlotKind::Continent, Some(index)) => {
                let group = self.board.groups().get(index);
                group.map(|group| group.name.clone())
            }
            (SlotKind::Card, Some(index)) if index < self.decl.cards.len() => {
                Some(self.card(Card::from_index(index)))
            }
            (SlotKind::Player, Some(index)) if index < MAX_PLAYERS => {
                Some(name(Player::from_index(index)))
            }
            _ => None,
        };
        title.unwrap_or_else(|| self.value(kind, value))
    }

    /// Returns a card's title. If the ruleset declares none, returns its territory, with its kind
    /// if there are several, or its name if it lacks a territory or a kind.
    #[must_use]
    pub fn card(self, card: Card) -> String {
        let Some(info) = self.decl.cards.get(card.index()) else {
            return "a card".to_owned();
        };
        let kind = usize::try_from(info.kind).ok();
        let kind = kind.and_then(|kind| {
            let titles = &self.decl.sentences.card_kinds;
            titles.get(kind).or_else(|| self.decl.card_kinds.get(kind))
        });
        match (&info.title, info.at, kind) {
            (Some(title), _, _) => title.clone(),
            // The only kind of card goes without saying.
            (_, Some(at), _) if self.decl.card_kinds.len() == 1 => self.board.info(at).name.clone(),
            (_, Some(at), Some(kind)) => format!("{} ({kind})", self.board.info(at).name),
            _ => info.name.clone(),
        }
    }

    /// Returns the title of a kind of unit, in the plural unless `count` is 1.
    #[must_use]
    pub fn unit(self, unit: Unit, count: i64) -> String {
        let title = self.decl.sentences.units.get(unit.index());
        match title {
            Some(title) if count == 1 => title.one.clone(),
            Some(title) => title.many.clone(),
            None => self.value(SlotKind::Unit, unit.number()),
        }
    }

    /// Returns the marks of a territory that are not 0, with their values: `poison 3`. `value`
    /// returns the value of a mark, or `None` if it is hidden.
    #[must_use]
    pub fn marks(self, value: impl Fn(Mark) -> Option<i32>) -> Vec<String> {
        let all = self.decl.marks.iter().enumerate();
        let set = all.filter_map(|(index, mark)| {
            let value = value(Mark::from_index(index)).filter(|&value| value != 0)?;
            Some(format!("{} {value}", mark.title))
        });
        set.collect()
    }

    /// Returns a number of units of one kind, as in `3 X-wings`.
    #[must_use]
    pub fn units(self, unit: Unit, count: i64) -> String {
        format!("{count} {}", self.unit(unit, count))
    }

    /// Returns the text about a counter's value, as in `3 armies to place`. Returns `None` for 0
    /// and for counters that screens don't show.
    #[must_use]
    pub fn counter(self, counter: Counter, value: i64) -> Option<String> {
        let index = counter.index();
        let name = &self.decl.counters.get(index)?.name;
        if value == 0 {
            return None;
        }
        let state = self.decl.sentences.counter_states.get(index);
        match state.and_then(Option::as_deref) {
            Some("") => None,
            Some(text) => Some(filled(text, &|key| {
                (key == "now").then(|| value.to_string())
            })),
            None => Some(format!("{}: {value}", name.replace('_', " "))),
        }
    }

    /// Returns the name of a counter with spaces, or `None` for a counter that screens don't show.
    #[must_use]
    pub fn counter_title(self, counter: Counter) -> Option<String> {
        let index = counter.index();
        let state = self.decl.sentences.counter_states.get(index);
        let is_shown = state.and_then(Option::as_deref) != Some("");
        let info = self.decl.counters.get(index).filter(|_| is_shown)?;
        Some(info.name.replace('_', " "))
    }

    /// Returns the title of a pile, or `None` for a pile that screens don't list.
    #[must_use]
    pub fn pile(self, pile: Pile) -> Option<String> {
        let index = pile.index();
        let title = self.decl.sentences.piles.get(index);
        title.cloned().unwrap_or_else(|| {
            let info = self.decl.piles.get(index);
            info.map(|info| info.name.replace('_', " "))
        })
    }

    /// Returns the sentence about a pile that contains these cards, such as `the card in play:
    /// Hat`. Returns `None` if the pile is empty or the ruleset declares no sentence.
    #[must_use]
    pub fn pile_state(self, pile: Pile, cards: &[Card]) -> Option<String> {
        let text = self.decl.sentences.state_of_pile(pile)?;
        let last = self.card(*cards.last()?);
        Some(filled(text, &|key| match key {
            "last" => Some(last.clone()),
            "count" => Some(cards.len().to_string()),
            "cards" => {
                let titles = cards.iter().map(|&card| self.card(card));
                Some(titles.collect::<Vec<_>>().join(", "))
            }
            _ => None,
        }))
    }

    fn parse_value(self, kind: SlotKind, word: &str) -> Option<i32> {
        match kind {
            SlotKind::Territory => self.board.find(word).map(Territory::number),
            SlotKind::Continent => {
                let mut groups = self.board.groups().iter();
                let found = groups.position(|group| group.id == word);
                found.map(|index| Group::from_index(index).number())
            }
            SlotKind::Card => self.decl.card(word).map(super::id::Card::number),
            SlotKind::Unit => self.decl.unit(word).map(super::id::Unit::number),
            SlotKind::Player => word
                .parse::<i32>()
                .ok()
                .filter(|&seat| seat >= 1)
                .map(|seat| seat - 1),
            SlotKind::Count => word.parse().ok(),
        }
    }

    /// Parses an action.
    ///
    /// # Errors
    /// Returns an error that names the first word that can't be parsed.
    pub fn parse(self, text: &str) -> Result<Action, KernelError> {
        self.read(text).map_err(KernelError::Action)
    }

    fn read(self, text: &str) -> Result<Action, String> {
        let mut words = text.split_ascii_whitespace();
        let name = words.next().ok_or("the action is empty")?;
        let verb = self.decl.verb(name).ok_or_else(|| {
            let verbs = self.decl.verbs.iter();
            let verbs: Vec<&str> = verbs.map(|verb| verb.name.as_str()).collect();
            format!("unknown verb `{name}`: expected {}", one_of(&verbs))
        })?;
        let slots = &self.decl.verbs[verb.index()].slots;
        let rest: Vec<&str> = words.collect();
        if rest.len() != slots.len() || rest.len() > MAX_SLOTS {
            return Err(format!(
                "expected {} for `{name}`, found {}: write `{}`",
                counted(slots.len(), "parameter"),
                rest.len(),
                self.usage(verb)
            ));
        }
        let mut args = [0; MAX_SLOTS];
        for (index, ((slot, kind), word)) in slots.iter().zip(&rest).enumerate() {
            args[index] = self.parse_value(*kind, word).ok_or_else(|| {
                format!(
                    "expected a {} for `{slot}` of `{name}`, found `{word}`",
                    kind_word(*kind)
                )
            })?;
        }
        Ok(Action::new(verb, &args[..rest.len()]))
    }

    /// Returns the syntax of a verb.
    #[must_use]
    pub fn usage(self, verb: Verb) -> String {
        let info = &self.decl.verbs[verb.index()];
        let slots: String = info
            .slots
            .iter()
            .map(|(name, _)| format!(" {}", name.to_uppercase()))
            .collect();
        format!("{}{slots}", info.name)
    }

    /// Returns a message that explains why an action was refused and what was offered instead.
    #[must_use]
    pub fn refusal(self, options: &Options, action: Action, why: AdmissionError) -> String {
        let text = self.action(action);
        match why {
            AdmissionError::Verb => {
                let mut verbs: Vec<&str> = Vec::new();
                for offer in options.offers() {
                    let name = self
                        .decl
                        .verbs
                        .get(offer.verb.index())
                        .map_or("?", |verb| verb.name.as_str());
                    if !verbs.contains(&name) {
                        verbs.push(name);
                    }
                }
                format!("illegal action `{text}`: expected {}", one_of(&verbs))
            }
            AdmissionError::Count { wants } => format!(
                "illegal action `{text}`: expected {}, found {}: write `{}`",
                counted(wants, "parameter"),
                action.args().len(),
                self.usage(action.verb)
            ),
            AdmissionError::Slot(index) => {
                let slot = self
                    .decl
                    .verbs
                    .get(action.verb.index())
                    .and_then(|verb| verb.slots.get(index));
                let (name, kind) =
                    slot.map_or(("?", SlotKind::Count), |slot| (slot.0.as_str(), slot.1));
                let fitting = self.fitting(options, action, index, kind);
                format!("illegal action `{text}`: `{name}` must be {fitting}")
            }
        }
    }

    /// Returns the values offered for one parameter, given the parameters before it.
    fn fitting(self, options: &Options, action: Action, index: usize, kind: SlotKind) -> String {
        const SHOWN: usize = 8;
        let mut values = std::collections::BTreeSet::new();
        for offer in options
            .offers()
            .iter()
            .filter(|offer| offer.verb == action.verb && offer.slots().len() > index)
        {
            let before = offer.slots().iter().zip(action.args()).take(index);
            if before
                .into_iter()
                .all(|(&slot, &value)| options.contains(slot, value))
            {
                let domain = offer.slots()[index];
                let size = options.size(domain);
                if kind == SlotKind::Count && size > 1 {
                    return format!(
                        "{} to {}",
                        options.value(domain, 0),
                        options.value(domain, size - 1)
                    );
                }
                values.extend(
                    (0..size.min(SHOWN as u64 + 1)).map(|index| options.value(domain, index)),
                );
            }
        }
        let mut words: Vec<String> = values
            .iter()
            .take(SHOWN)
            .map(|&value| self.value(kind, value))
            .collect();
        if values.len() > SHOWN {
            words.push("…".to_owned());
        }
        one_of(&words)
    }
}

/// Returns the word if there is only one, or a list of the words.
fn one_of(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words[..] {
        [word] => word.to_owned(),
        _ => format!("one of {}", words.join(", ")),
    }
}

/// Fills in the `{placeholders}` of a sentence. `{name:one|many}` becomes `one` if the value is 1,
/// else `many`. Unknown placeholders stay unchanged. They are checked when a ruleset is loaded.
#[must_use]
pub fn filled(template: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((key, behind)) = after.split_once('}') else {
            text.push('{');
            rest = after;
            continue;
        };
        let filled = match key.split_once(':') {
            None => value(key),
            Some((name, forms)) => value(name).and_then(|value| {
                let (one, many) = forms.split_once('|')?;
                Some(if value == "1" { one } else { many }.to_owned())
            }),
        };
        text.push_str(&filled.unwrap_or_else(|| format!("{{{key}}}")));
        rest = behind;
    }
    text + rest
}

/// Returns the names in the placeholders of a sentence; `None` if its braces do not match, or if a
/// placeholder with a `:` does not have two forms with a `|` between them.
#[must_use]
pub fn placeholders(template: &str) -> Option<Vec<&str>> {
    let mut keys = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        let (key, behind) = rest[at..].strip_prefix('{')?.split_once('}')?;
        keys.push(match key.split_once(':') {
            None => key,
            Some((name, forms)) if forms.matches('|').count() == 1 => name,
            Some(_) => return None,
        });
        rest = behind;
    }
    Some(keys)
}

/// Returns the name of a parameter's kind.
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
    text.push_str(itoa::Buffer::new().format(number));
}
