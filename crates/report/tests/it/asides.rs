//! What a sentence tells about the board, and what stands in brackets behind it.

use risk_kernel::action::Action;
use risk_kernel::declare::SlotKind;
use risk_kernel::id::{Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_text::paint::cut;

use crate::claims::Claims;
use crate::ledger::noun;

/// A sentence about an action.
pub(crate) struct Said {
    pub(crate) text: String,
    pub(crate) order: Action,
    pub(crate) done: Action,
    /// The kind of the units, if the sentence tells it although the action does not.
    pub(crate) unit: Option<Unit>,
}

impl Said {
    pub(crate) fn new(text: String, order: Action, done: Action) -> Self {
        let unit = None;
        Self {
            text,
            order,
            done,
            unit,
        }
    }

    fn values(&self, game: &GameState, kind: SlotKind) -> Vec<i32> {
        let slots = &game.decl().verbs[self.done.verb.index()].slots;
        let all = slots.iter().zip(self.done.args());
        let all = all.filter(move |(slot, _)| slot.1 == kind);
        all.map(|(_, &value)| value).collect()
    }

    /// Returns the sentence with each kind of unit after its only number, if the action has none.
    pub(crate) fn with_kinds(&self, game: &GameState) -> Vec<Self> {
        let counts = self.values(game, SlotKind::Count);
        let is_open = self.values(game, SlotKind::Unit).is_empty();
        let kinds = game.decl().units.len();
        let &[count] = counts.as_slice() else {
            return Vec::new();
        };
        if kinds == 1 || !is_open {
            return Vec::new();
        }
        let words: Vec<&str> = self.text.split(' ').collect();
        let number = count.to_string();
        let mut found = words
            .iter()
            .enumerate()
            .filter(|(_, word)| **word == number);
        let (Some((at, _)), None) = (found.next(), found.next()) else {
            return Vec::new();
        };
        let with = |unit: Unit| {
            let named = format!("{number} {}", noun(game, unit, count.into()));
            let mut words = words.clone();
            words[at] = &named;
            Self {
                unit: Some(unit),
                ..Self::new(words.join(" "), self.order, self.done)
            }
        };
        (0..kinds).map(Unit::from_index).map(with).collect()
    }
}

/// Splits ` (now 3)` or ` (none left)` off, and returns the number.
pub(crate) fn result_of(text: &str) -> Option<(i32, &str)> {
    let (inside, rest) = text.strip_prefix(" (")?.split_once(')')?;
    let now = match inside.strip_prefix("now ") {
        Some(now) => now.parse().ok().filter(|&now: &i32| now > 0)?,
        None => (inside == "none left").then_some(0)?,
    };
    Some((now, rest))
}

/// Reports whether a text has this word or these words.
fn has_words(text: &str, words: &str) -> bool {
    let plain = |text: &str| {
        let kept = text
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { ' ' });
        let kept: String = kept.collect();
        let words: Vec<&str> = kept.split_whitespace().collect();
        format!(" {} ", words.join(" "))
    };
    plain(text).contains(&plain(words))
}

impl Claims<'_> {
    /// Reports whether a text has the territory, the noun and the number of a change.
    fn tells(&self, text: &str, at: Territory, unit: Unit, by: i32) -> bool {
        let count = by.abs();
        count > 0
            && has_words(text, &cut(self.name(at), 24))
            && has_words(text, &noun(self.game, unit, count.into()))
            && (count == 1 || has_words(text, &count.to_string()))
    }

    /// Takes a change that a text tells and that leads to this number.
    pub(crate) fn take_result(&mut self, text: &str, now: i32) -> bool {
        let changes = self.facts.changes.clone();
        let mut open = changes.iter().filter(|change| !change.told);
        open.any(|it| {
            let by = now - it.before;
            self.tells(text, it.at, it.unit, by) && self.chain(it.at, it.unit, it.before, now)
        })
    }

    /// Reads what stands in brackets after a sentence. Without a number after a change, the change
    /// that the sentence tells began with no such units.
    pub(crate) fn asides<'t>(&mut self, said: &Said, text: &'t str) -> Option<&'t str> {
        let mut rest = text;
        if let Some((units, behind)) = rest
            .strip_prefix(" (")
            .and_then(|it| it.split_once(')'))
            .filter(|_| result_of(rest).is_none())
        {
            let (count, unit, end) = self.counted_units(units)?;
            (end.is_empty() && self.move_of(said, unit, count)).then_some(())?;
            rest = behind;
        }
        if let Some((now, behind)) = result_of(rest) {
            return self.take_result(&said.text, now).then_some(behind);
        }
        let changes = self.facts.changes.clone();
        for change in changes.iter().filter(|it| !it.told) {
            let fits = self.tells(&said.text, change.at, change.unit, change.now);
            if fits && self.chain(change.at, change.unit, 0, change.now) {
                break;
            }
        }
        Some(rest)
    }

    /// Reads a number of units with their noun, even if there is only one kind.
    fn counted_units<'t>(&self, text: &'t str) -> Option<(i32, Unit, &'t str)> {
        let (count, unit, rest) = self.units(text)?;
        let rest = match self.game.decl().units.len() {
            1 => rest.strip_prefix(&format!(" {}", noun(self.game, unit, count)))?,
            _ => rest,
        };
        Some((count.try_into().ok()?, unit, rest))
    }

    /// Takes a move of units between two territories of an action.
    fn move_of(&mut self, said: &Said, unit: Unit, count: i32) -> bool {
        let places = said.values(self.game, SlotKind::Territory);
        let found = self.facts.moves.iter_mut().find(|it| {
            let ends = [it.from, it.to];
            let named = ends.iter().all(|at| places.contains(&at.number()));
            !it.told && named && (it.unit, it.count) == (unit, count)
        });
        found.map(|found| found.told = true).is_some()
    }

    /// Takes the move of an action whose sentence tells its territories and its number of units.
    pub(crate) fn moved_by(&mut self, said: &Said) -> bool {
        let counts = said.values(self.game, SlotKind::Count);
        let kinds = said.values(self.game, SlotKind::Unit);
        if let (Some(unit), &[count]) = (said.unit, counts.as_slice()) {
            return self.move_of(said, unit, count);
        }
        // Otherwise what follows the sentence tells the kind.
        if kinds.is_empty() && self.game.decl().units.len() > 1 {
            return true;
        }
        let kind = kinds
            .first()
            .map_or(Unit::FIRST, |&kind| Unit::from_index(kind as usize));
        let is_moved = matches!(counts.as_slice(), &[count] if self.move_of(said, kind, count));
        is_moved || said.order == said.done
    }

    /// Reads a message, perhaps with the number after a change that it tells.
    pub(crate) fn take_text(&mut self, player: Option<Player>, text: &str) -> bool {
        let cut = text.rfind(" (").map(|at| text.split_at(at));
        self.take_message(player, text)
            || cut.is_some_and(|(text, result)| {
                let now = result_of(result).filter(|found| found.1.is_empty());
                now.is_some_and(|(now, _)| {
                    self.attempt(|all| all.take_message(player, text) && all.take_result(text, now))
                })
            })
    }

    /// Reports whether a line is the heading of a phase, which begins with the name that screens
    /// show.
    pub(crate) fn is_title(&self, text: &str) -> bool {
        let decl = self.game.decl();
        let mut all = decl.phases.iter().zip(&decl.sentences.phases);
        all.any(|(info, told)| {
            let rest = text.strip_prefix(&info.name.replace('_', " "));
            rest.is_some_and(|rest| text == told || rest.strip_prefix(": ") == Some(told))
        }) || text == "orders, as they are given"
    }
}
