//! Parsing of a bot's moves, as lenient as the contest's engine: numbers may be texts, extra keys
//! are ignored, and the kind of a move may be missing. Moves that the engine refused are refused.

use serde_json::{Map, Value};

use crate::codec::AnswerError;
use crate::json::{fitting, no_object, parse_unique_keys, unfit, whole_number};
use risk_kernel::id::{Counter, Mark, Pile, Territory};
use risk_kernel::view::View;

/// A move, which is a JSON object.
pub(super) struct Move(Map<String, Value>);

impl Move {
    /// Parses a move of one of these kinds by this player.
    pub(super) fn read(view: &View, text: &str, kinds: &[&str]) -> Result<Self, AnswerError> {
        let found = match parse_unique_keys(text.trim(), "move")? {
            Value::Object(keys) => Self(keys),
            other => return Err(no_object(&other).into()),
        };
        if found.number("move_by_player")? != view.me().index() as i64 {
            return Err("the move is that of another player".into());
        }
        match found.0.get("record_type") {
            Some(kind) if !kinds.iter().any(|known| kind == known) => {
                Err(unfit("record_type", &kinds.join(" or "), Some(kind)).into())
            }
            _ => Ok(found),
        }
    }

    /// Reports whether the move is of this kind, or says no kind and has this field.
    pub(super) fn is(&self, kind: &str, field: &str) -> bool {
        match self.0.get("record_type") {
            Some(found) => found == kind,
            None => self.0.contains_key(field),
        }
    }

    /// Returns a whole number, which may also be a text, `8.0` or `true`.
    fn number(&self, key: &str) -> Result<i64, AnswerError> {
        Ok(fitting(key, "a whole number", self.0.get(key), number)?)
    }

    pub(super) fn small(&self, key: &str) -> Result<i32, AnswerError> {
        let small = |value| i32::try_from(number(value)?).ok();
        Ok(fitting(
            key,
            "a number in the game",
            self.0.get(key),
            small,
        )?)
    }

    /// Checks that the move echoes a field of its question.
    pub(super) fn echoes(&self, key: &str, expected: &Value) -> Result<(), AnswerError> {
        let is_same = |found: &Value| {
            let is_number = expected.is_number() && number(found) == expected.as_i64();
            (found == expected || is_number).then_some(())
        };
        Ok(fitting(
            key,
            &format!("`{expected}`"),
            self.0.get(key),
            is_same,
        )?)
    }

    /// Returns the sets of a trade. Too many cards can't be left, nor, after an elimination, too
    /// few.
    pub(super) fn trades(&self, view: &View, hand: Pile) -> Result<Vec<[i32; 3]>, AnswerError> {
        let set = |set: &Value| {
            let cards: Option<Vec<i32>> = set.as_array()?.iter().map(card).collect();
            <[i32; 3]>::try_from(cards?).ok()
        };
        let sets = |sets: &Value| sets.as_array()?.iter().map(set).collect();
        let expected = "a list of sets of three cards";
        let sets: Vec<[i32; 3]> = fitting("sets", expected, self.0.get("sets"), sets)?;
        let hand = view.pile(hand, Some(view.me())).unwrap_or_default();
        let mut left: Vec<i32> = hand.iter().map(|card| card.number()).collect();
        for set in &sets {
            for card in set {
                let place = left.iter().position(|held| held == card);
                left.remove(place.ok_or_else(|| format!("no card {card} in the hand"))?);
            }
            let [a, b, c] = set.map(|card| kind(view, card));
            if !(a == b && b == c || a != b && b != c && a != c || [a, b, c].contains(&None)) {
                return Err(format!("{set:?} is not a set").into());
            }
        }
        let is_forced = view.frame().is_some_and(|frame| frame.args[0] == 1);
        let least = if is_forced { 2 } else { 0 };
        match left.len() {
            cards if (least..5).contains(&cards) => Ok(sets),
            cards => Err(format!("expected {least} to 4 cards left, found {cards}").into()),
        }
    }

    /// Returns the territories and armies of a distribution. If territories are marked, the first
    /// two armies go to one of them.
    pub(super) fn places(
        &self,
        view: &View,
        reserve: Counter,
        marked: Option<Mark>,
    ) -> Result<Vec<[i32; 2]>, AnswerError> {
        let place = |(at, armies): (&String, &Value)| {
            let at = at.trim().parse::<usize>().ok();
            let at = at.filter(|&at| at < view.board().len());
            let at = at.map(Territory::from_index).filter(|&at| view.mine(at))?;
            let armies = i32::try_from(number(armies)?).ok();
            Some([at.number(), armies.filter(|&armies| armies > 0)?])
        };
        let all = |places: &Value| places.as_object()?.iter().map(place).collect();
        let expected = "an object of own territories and numbers of armies";
        let given = self.0.get("distributions");
        let mut places: Vec<[i32; 2]> = fitting("distributions", expected, given, all)?;
        let sum: i64 = places.iter().map(|place| i64::from(place[1])).sum();
        let due = view.counter(reserve, Some(view.me())).unwrap_or_default();
        if sum != due {
            return Err(format!("expected {due} armies in all, found {sum}").into());
        }
        if let Some(mark) = marked {
            let is_marked =
                |at: i32| view.mark(Territory::from_index(at as usize), mark) == Some(1);
            let fits = |&[at, armies]: &[i32; 2]| is_marked(at) && armies >= 2;
            let first = places.iter().position(fits);
            let first = first.ok_or("two armies must go to one territory of the traded cards")?;
            places[first][1] -= 2;
            places.insert(0, [places[first][0], 2]);
            places.retain(|place| place[1] > 0);
        }
        Ok(places)
    }
}

fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Bool(is_true) => Some(i64::from(*is_true)),
        Value::String(text) => text.trim().parse().ok(),
        _ => whole_number(value),
    }
}

fn card(value: &Value) -> Option<i32> {
    i32::try_from(number(value)?).ok()
}

/// Returns the kind of a card in a hand; `None` for a wildcard.
fn kind(view: &View, card: i32) -> Option<i32> {
    let info = &view.decl().cards[card as usize];
    info.at.map(|_| info.kind)
}
