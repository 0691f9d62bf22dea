//! Parsing of a bot's answers in either dialect.

use serde_json::Value;

use super::place::{field, territory};
use super::vocabulary::CallbackVocabulary;
use crate::error::ProtocolError;
use crate::json;
use risk_kernel::Answer;
use risk_kernel::action::{Action, Options};
use risk_kernel::board::Board;
use risk_kernel::id::Territory;
use risk_kernel::view::View;

/// Parses an answer in either dialect.
///
/// # Errors
/// Returns an error if the answer is invalid.
pub fn answer(
    vocabulary: &CallbackVocabulary,
    view: &View,
    ask: &Options,
    text: &str,
) -> Result<Answer, ProtocolError> {
    let answer = json::parse_unique_keys(text, "answer")?;
    let board = view.board();
    let frame = view.frame().ok_or("no decision is open")?;
    let number = |at: Territory| i32::from(at.0);
    let action = if frame.phase == vocabulary.placement {
        Action::new(vocabulary.place, &[number(placed(board, &answer)?), 1])
    } else if frame.phase == vocabulary.assault {
        match attack(board, &answer)? {
            Some((from, to)) => Action::new(vocabulary.attack, &[number(from), number(to)]),
            None if ask.has(vocabulary.pass) => Action::new(vocabulary.pass, &[]),
            None => return Err("the answer is a pass, which is not allowed now".into()),
        }
    } else if goes_on(&answer)? {
        Action::new(vocabulary.attack, &frame.args[..2])
    } else {
        Action::new(vocabulary.stop, &[])
    };
    Ok(Answer::One(action))
}

/// Parses the location of a placed army: a bare location, or an object with the key of either
/// dialect.
fn placed(board: &Board, answer: &Value) -> Result<Territory, String> {
    let inner = match answer {
        Value::Object(object) => field(object, &["location", "desiredLocation"])?,
        _ => None,
    };
    territory(board, inner.unwrap_or(answer))
}

/// Parses the two territories of an attack. Returns `None` for a pass.
fn attack(board: &Board, answer: &Value) -> Result<Option<(Territory, Territory)>, String> {
    let object = match answer {
        Value::Null => return Ok(None),
        Value::Object(object) => object,
        other => return Err(json::no_object(other)),
    };
    let some = |value: Option<&Value>| value.filter(|value| !value.is_null()).cloned();
    let from = some(field(object, &["from", "fromLocation"])?);
    let to = some(field(object, &["to", "toLocation"])?);
    match (from, to) {
        (None, None) => Ok(None),
        (Some(from), Some(to)) => Ok(Some((territory(board, &from)?, territory(board, &to)?))),
        (None, Some(_)) => Err("missing `from` in the attack".to_owned()),
        (Some(_), None) => Err("missing `to` in the attack".to_owned()),
    }
}

fn goes_on(answer: &Value) -> Result<bool, String> {
    let Value::Object(object) = answer else {
        return Err(json::no_object(answer));
    };
    let value = field(object, &["continueAttack", "continueAttacking"])?;
    json::fitting("continueAttack", "true or false", value, Value::as_bool)
}
