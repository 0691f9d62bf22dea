//! A bot's answer, with one or more actions.

use serde_json::{Map, Value};

use super::offers::Lexicon;
use crate::codec::{AnswerError, Failure};
use crate::json::{no_object, parse_unique_keys, unfit, whole_number};
use crate::quote::brief;
use risk_kernel::Answer;
use risk_kernel::action::Action;
use risk_kernel::declare::SlotKind;
use risk_kernel::fault::FaultKind;
use risk_kernel::id::Territory;
use risk_kernel::words::kind_word;
use risk_text::suggest;

/// The maximum number of actions in one answer.
const MOST_STEPS: usize = risk_kernel::MOST_STEPS;
/// The maximum length of a fault reported by a bot, in bytes of JSON.
pub(super) const LONGEST_FAULT: usize = 64 << 10;

/// Reports whether a line answers a question other than this question. A line that can't be an
/// answer counts as an answer to this question, so that the bot receives an error.
pub(super) fn is_for_another(id: u64, text: &str) -> bool {
    let value: Option<Value> = serde_json::from_str(text).ok();
    let given = value
        .as_ref()
        .and_then(|value| whole_number(value.get("id")?));
    given.is_some_and(|given| u64::try_from(given) != Ok(id))
}

/// Parses the actions in the answer to this question.
pub(super) fn answer(lexicon: Lexicon<'_>, id: u64, text: &str) -> Result<Answer, AnswerError> {
    let value = parse_unique_keys(text, "answer")?;
    let Value::Object(fields) = value else {
        return Err(no_object(&value).into());
    };
    check_id(&fields, id)?;
    if let Some(fault) = fields.get("fault") {
        return Err(failure(fault));
    }
    actions(lexicon, fields.get("do")).map_err(AnswerError::Wrong)
}

/// Parses a fault that a bot reports instead of an action.
fn failure(fault: &Value) -> AnswerError {
    if fault.to_string().len() > LONGEST_FAULT {
        return AnswerError::Wrong(format!("`fault` exceeds {LONGEST_FAULT} bytes"));
    }
    let failure: Failure = match serde_json::from_value(fault.clone()) {
        Ok(failure) => failure,
        Err(error) => return AnswerError::Wrong(format!("invalid `fault`: {error}")),
    };
    let own = [
        FaultKind::Script,
        FaultKind::Budget,
        FaultKind::Illegal,
        FaultKind::Connection,
    ];
    let Some(kind) = own.into_iter().find(|kind| kind.as_str() == failure.code) else {
        let code = brief(&failure.code);
        let own = own.map(FaultKind::as_str).join(" or ");
        return AnswerError::Wrong(format!("`code` of `fault` must be {own}, found `{code}`"));
    };
    AnswerError::Failed(kind, failure)
}

fn actions(lexicon: Lexicon<'_>, said: Option<&Value>) -> Result<Answer, String> {
    match said {
        None => Err("missing `do`".to_owned()),
        Some(Value::String(verb)) => lexicon.read(verb, &[]).map(Answer::One),
        Some(Value::Array(words)) => match words.as_slice() {
            [] => Err("`do` is empty: expected an action, which starts with a verb".to_owned()),
            [Value::String(verb), values @ ..] => lexicon.read(verb, values).map(Answer::One),
            steps if steps.len() > MOST_STEPS => {
                let found = steps.len();
                Err(format!(
                    "`do` must have at most {MOST_STEPS} actions, found {found}"
                ))
            }
            steps => steps
                .iter()
                .map(|step| lexicon.read_step(step))
                .collect::<Result<_, _>>()
                .map(Answer::Steps),
        },
        other => Err(unfit("do", "an action or a list of actions", other)),
    }
}

fn check_id(fields: &Map<String, Value>, id: u64) -> Result<(), String> {
    let given = fields
        .get("id")
        .ok_or_else(|| format!("missing `id`, expected {id}"))?;
    if whole_number(given).and_then(|given| u64::try_from(given).ok()) == Some(id) {
        return Ok(());
    }
    let given = brief(&given.to_string());
    Err(format!("`id` must be {id}, found {given}"))
}

impl Lexicon<'_> {
    pub(super) fn read_step(self, step: &Value) -> Result<Action, String> {
        match step.as_array().map(Vec::as_slice) {
            Some([Value::String(verb), values @ ..]) => self.read(verb, values),
            _ => Err(format!(
                "expected a list that starts with a verb, found `{}`",
                brief(&step.to_string())
            )),
        }
    }

    /// Parses an action from words and numbers.
    pub(super) fn read(self, verb: &str, values: &[Value]) -> Result<Action, String> {
        let Some(found) = self.decl.verb(verb) else {
            let verbs = self.decl.verbs.iter().map(|info| info.name.as_str());
            let help = suggest::help(verb, verbs.collect::<Vec<_>>());
            return Err(format!("unknown verb `{}`: {help}", brief(verb)));
        };
        let info = &self.decl.verbs[found.index()];
        if info.slots.len() != values.len() {
            let names: Vec<&str> = info.slots.iter().map(|slot| slot.0.as_str()).collect();
            return Err(format!(
                "`{verb}` takes {} ({}), found {}",
                risk_text::plural::counted(info.slots.len(), "parameter"),
                names.join(", "),
                values.len()
            ));
        }
        let mut args = Vec::with_capacity(values.len());
        for ((name, kind), value) in info.slots.iter().zip(values) {
            let read = self.value(*kind, value).ok_or_else(|| {
                let value = brief(&value.to_string());
                format!("`{name}` must be a {}, found `{value}`", kind_word(*kind))
            });
            args.push(read?);
        }
        Ok(Action::new(found, &args))
    }

    /// Parses a parameter's value from a word or a number.
    pub(super) fn value(self, kind: SlotKind, value: &Value) -> Option<i32> {
        match (whole_number(value), value.as_str()) {
            (Some(number), _) => i32::try_from(number).ok(),
            (None, word) => self.index(kind, word?),
        }
    }

    /// Returns the number of the object with this name.
    pub(super) fn index(self, kind: SlotKind, word: &str) -> Option<i32> {
        let index = match kind {
            SlotKind::Territory => return self.board.find(word).map(Territory::number),
            SlotKind::Continent => {
                let mut all = self.board.groups().iter();
                all.position(|continent| continent.id == word)
            }
            SlotKind::Card => self.decl.card(word).map(|card| card.index()),
            SlotKind::Unit => self.decl.unit(word).map(|unit| unit.index()),
            SlotKind::Player | SlotKind::Count => return word.parse().ok(),
        };
        index.and_then(|index| i32::try_from(index).ok())
    }
}
