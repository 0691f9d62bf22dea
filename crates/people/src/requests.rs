//! The requests of pages and the replies, as JSON: docs/play.md describes them.

use serde_json::{Map, Value, json};

use super::desk::{PageCommand, PageReply};
use risk_text::{escape_control, without_isolates};
use risk_wire::json::{parse_unique_keys, whole_number};

/// The maximum length of typed text, in characters.
const LONGEST_SAID: usize = 1_000;

/// The code of an error: the question of the request is no longer open.
pub const NOT_OPEN: &str = "people::not-open";

impl PageCommand {
    /// Parses a request into the number of its question and the command.
    ///
    /// # Errors
    /// Returns the reason why the text is not a request.
    pub fn read(text: &str) -> Result<(u64, Self), String> {
        // Names and ids come back as the page shows them.
        let text = without_isolates(text);
        let Value::Object(mut fields) = parse_unique_keys(&text, "request")? else {
            return Err("the request must be a JSON object".to_owned());
        };
        let question = fields.remove("question");
        let question = question.as_ref().and_then(whole_number);
        let question = question
            .and_then(|number| u64::try_from(number).ok())
            .ok_or("`question` must be the `id` of a question")?;
        let to_the_end = flag(&mut fields, "to_the_end")?;
        let mut all = fields.into_iter();
        let (Some((key, value)), None) = (all.next(), all.next()) else {
            return Err(
                "expected `question` and one of `do`, `say`, `undo`, `retract`, `resign`, `hint`, \
                 `auto` and `odds`"
                    .to_owned(),
            );
        };
        let wish = match key.as_str() {
            "do" => Self::Do(value, to_the_end),
            "say" => Self::Say(said(&value)?),
            "undo" | "resign" | "hint" | "auto" if value != true => {
                return Err(format!("`{key}` must be true"));
            }
            "undo" => Self::Undo,
            "resign" => Self::Resign,
            "hint" => Self::Hint,
            "auto" => Self::Auto,
            "retract" => Self::Retract(
                whole_number(&value)
                    .and_then(|number| usize::try_from(number).ok())
                    .ok_or("`retract` must be the number of an order, counted from 0")?,
            ),
            "odds" => fight(&value)?,
            other => {
                let other = escape_control(other);
                return Err(format!(
                    "unknown key `{other}`: expected `do`, `say`, `undo`, `retract`, `resign`, `hint`, \
                     `auto` or `odds`"
                ));
            }
        };
        if to_the_end && !matches!(wish, Self::Do(..)) {
            return Err("`to_the_end` requires `do`".to_owned());
        }
        Ok((question, wish))
    }

    /// Returns the code of the error if the game refuses this.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Do(..) | Self::Resign => "people::action",
            Self::Say(_) => "people::typed",
            Self::Undo => "people::undo",
            Self::Retract(_) => "people::retract",
            Self::Hint => "people::hint",
            Self::Auto => "people::auto",
            Self::Odds(..) => "people::odds",
        }
    }
}

impl PageReply {
    /// Returns the reply as a JSON object. `refused` is the [`code`](PageCommand::code) of the
    /// command, and `question` the number of its question.
    ///
    /// # Errors
    /// Returns the code and the text of an error if the request was not fulfilled.
    pub fn body(
        self,
        refused: &'static str,
        question: u64,
    ) -> Result<Value, (&'static str, String)> {
        match self {
            Self::Done => Ok(json!({ "done": true })),
            Self::Hint {
                text,
                aim,
                suggested,
                marks,
            } => Ok(json!({ "told": text, "aim": aim, "suggested": suggested, "marks": marks })),
            Self::Odds {
                capture,
                attackers_left,
                defenders_left,
            } => Ok(json!({
                "capture": capture,
                "attackers_left": attackers_left,
                "defenders_left": defenders_left,
            })),
            Self::Stale => {
                let text = format!("question {question} is not open at this seat: read /now again");
                Err((NOT_OPEN, text))
            }
            Self::Refused(text) => Err((refused, text)),
        }
    }
}

fn flag(fields: &mut Map<String, Value>, key: &str) -> Result<bool, String> {
    match fields.remove(key) {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(flag),
        Some(_) => Err(format!("`{key}` must be true or false")),
    }
}

fn fight(value: &Value) -> Result<PageCommand, String> {
    let number = |value: &Value| whole_number(value).and_then(|it| i32::try_from(it).ok());
    match value.as_array().map(Vec::as_slice) {
        Some([attackers, defenders]) => number(attackers)
            .zip(number(defenders))
            .map(|(attackers, defenders)| PageCommand::Odds(attackers, defenders)),
        _ => None,
    }
    .ok_or_else(|| "`odds` must be a list of two integers, attackers and defenders".to_owned())
}

fn said(value: &Value) -> Result<String, String> {
    let text = value.as_str().ok_or("`say` must be a string")?;
    if text.chars().count() > LONGEST_SAID {
        return Err(format!("`say` exceeds {LONGEST_SAID} characters"));
    }
    Ok(text.to_owned())
}
