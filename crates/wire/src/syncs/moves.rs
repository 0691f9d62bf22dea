//! Parsing of a bot's moves, as lenient as the contest's engine: numbers may be texts, extra keys
//! are ignored, and the kind of a move may be missing. Moves that the engine refused are refused.

use serde_json::{Map, Value};

use super::records::Names;
use crate::codec::AnswerError;
use crate::json::{no_object, parse_unique_keys, unfit, whole_number};
use risk_kernel::action::Action;
use risk_kernel::id::{Card, Phase, Territory};
use risk_kernel::view::View;

/// A move, which is a JSON object.
pub(super) struct Move(Map<String, Value>);

impl Move {
    /// Parses a move of one of these kinds by this player. The first of the kinds fits any object
    /// without a kind that has all its fields.
    pub(super) fn read(view: &View, text: &str, kinds: &[&str]) -> Result<Self, AnswerError> {
        let value = parse_unique_keys(text.trim(), "move")?;
        let Value::Object(keys) = value else {
            return Err(no_object(&value).into());
        };
        let found = Self(keys);
        if found.number("move_by_player")? != view.me().index() as i64 {
            return Err("the move is that of another player".into());
        }
        match found.0.get("record_type") {
            None => {}
            Some(Value::String(kind)) if kinds.contains(&kind.as_str()) => {}
            kind => {
                let expected = kinds.join(" or ");
                return Err(unfit("record_type", &expected, kind).into());
            }
        }
        Ok(found)
    }

    /// Reports whether the move is of this kind, or says no kind and has this field.
    pub(super) fn is(&self, kind: &str, field: &str) -> bool {
        match self.0.get("record_type") {
            Some(found) => found == kind,
            None => self.0.contains_key(field),
        }
    }

    /// Returns a whole number, which may also be a text, `8.0` or `true`.
    pub(super) fn number(&self, key: &str) -> Result<i64, AnswerError> {
        let found = self.0.get(key);
        let number = found.and_then(number);
        number.ok_or_else(|| unfit(key, "a whole number", found).into())
    }

    pub(super) fn small(&self, key: &str) -> Result<i32, AnswerError> {
        let number = i32::try_from(self.number(key)?).ok();
        number.ok_or_else(|| unfit(key, "a number in the game", self.0.get(key)).into())
    }

    /// Checks that the move echoes a field of its question.
    pub(super) fn echoes(&self, key: &str, expected: &Value) -> Result<(), AnswerError> {
        let found = self.0.get(key);
        let is_same = found == Some(expected)
            || (expected.is_number() && found.and_then(number) == expected.as_i64());
        match is_same {
            true => Ok(()),
            false => Err(unfit(key, &format!("`{expected}`"), found).into()),
        }
    }

    /// Returns the steps of a trade: a set of three cards each, and `pass` if the player may.
    pub(super) fn trades(&self, view: &View, names: &Names) -> Result<Vec<Action>, AnswerError> {
        let found = self.0.get("sets");
        let wrong = || AnswerError::from(unfit("sets", "a list of sets of three cards", found));
        let sets = found.and_then(Value::as_array).ok_or_else(wrong)?;
        let mut left = view
            .pile(names.hand, Some(view.me()))
            .unwrap_or_default()
            .to_vec();
        let after_elimination = view.frame().is_some_and(|frame| frame.args[0] == 1);
        let mut steps = Vec::new();
        for set in sets {
            let numbers = set.as_array().ok_or_else(wrong)?;
            let numbers: Option<Vec<i64>> = numbers.iter().map(number).collect();
            let numbers: [i64; 3] = numbers
                .and_then(|numbers| numbers.try_into().ok())
                .ok_or_else(wrong)?;
            for number in numbers {
                let place = left.iter().position(|card| card.index() as i64 == number);
                let place = place.ok_or_else(|| format!("no card {number} in the hand"))?;
                left.remove(place);
            }
            let [a, b, c] = numbers.map(|number| kind(view, number));
            if !(a == b && b == c || a != b && b != c && a != c || [a, b, c].contains(&None)) {
                return Err(format!("{numbers:?} is not a set").into());
            }
            steps.push(Action::new(
                names.trading,
                &numbers.map(|number| number as i32),
            ));
        }
        let fits = if after_elimination { 2..5 } else { 0..5 };
        if !fits.contains(&left.len()) {
            let (least, most) = (fits.start, fits.end - 1);
            let text = format!(
                "expected {least} to {most} cards left, found {}",
                left.len()
            );
            return Err(text.into());
        }
        steps.push(Action::new(names.pass, &[]));
        Ok(steps)
    }

    /// Returns the steps of a distribution: two armies on a territory of a traded card if there is
    /// one, and then all others.
    pub(super) fn places(
        &self,
        view: &View,
        names: &Names,
        phase: Phase,
    ) -> Result<Vec<Action>, AnswerError> {
        let found = self.0.get("distributions");
        let wrong = || {
            let expected = "an object of territories and numbers of armies";
            AnswerError::from(unfit("distributions", expected, found))
        };
        let given = found.and_then(Value::as_object).ok_or_else(wrong)?;
        let mut places: Vec<(Territory, i32)> = Vec::new();
        for (at, armies) in given {
            let at = at.trim().parse::<usize>().ok();
            let at = at.filter(|&at| at < view.board().len()).ok_or_else(wrong)?;
            let armies = number(armies).and_then(|armies| i32::try_from(armies).ok());
            places.push((Territory::from_index(at), armies.ok_or_else(wrong)?));
        }
        let fits = |&(at, armies): &(Territory, i32)| view.mine(at) && armies > 0;
        if !places.iter().all(fits) {
            return Err("armies can go to own territories only, at least one to each".into());
        }
        let sum: i64 = places.iter().map(|&(_, armies)| i64::from(armies)).sum();
        let reserve = view
            .counter(names.reserve, Some(view.me()))
            .unwrap_or_default();
        if sum != reserve {
            return Err(format!("expected {reserve} armies in all, found {sum}").into());
        }
        let place = |at: Territory, armies| Action::new(names.placing, &[at.number(), armies]);
        let mut steps = Vec::new();
        if phase == names.bonus {
            let is_due = |at| view.mark(at, names.marked) == Some(1);
            let due = places
                .iter_mut()
                .find(|&&mut (at, armies)| is_due(at) && armies >= 2);
            let Some((at, armies)) = due else {
                return Err("two armies must go to one territory of the traded cards".into());
            };
            *armies -= 2;
            steps.push(place(*at, 2));
        }
        let rest = places.into_iter().filter(|&(_, armies)| armies > 0);
        steps.extend(rest.map(|(at, armies)| place(at, armies)));
        Ok(steps)
    }
}

fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Bool(is_true) => Some(i64::from(*is_true)),
        Value::String(text) => text.trim().parse().ok(),
        _ => whole_number(value),
    }
}

/// Returns the kind of a card; `None` for a wildcard.
fn kind(view: &View, number: i64) -> Option<i32> {
    let info = &view.decl().cards[Card::from_index(number as usize).index()];
    info.at.map(|_| info.kind)
}
