//! What happened, as a script of ours hears it.

use serde_json::{Map, Value};

use super::{GameMessage, Taken, list, number, text};
use crate::json::whole_number;
use crate::line_json::offers::Lexicon;
use risk_engine::script::event_value::{EventValue, named};
use risk_kernel::board::Board;
use risk_kernel::declare::{Declaration, SlotKind};
use risk_kernel::view::View;
use risk_kernel::words::Words;

/// An event in a script's words: the names of its values, and the values.
type ScriptEvent = Vec<(&'static str, EventValue)>;

impl GameMessage {
    /// The events of a message `events`, in a script's words. Kinds that a later version may have
    /// are `other`.
    ///
    /// # Errors
    /// What is wrong with the message.
    pub fn events(view: &View, message: &Map<String, Value>) -> Taken<Vec<ScriptEvent>> {
        let reader = Reader {
            board: view.board(),
            decl: view.decl(),
        };
        let events = list(message, "events")?.iter();
        events
            .map(|event| reader.event(event.as_object().ok_or("an event is not an object")?))
            .collect()
    }
}

#[derive(Clone, Copy)]
struct Reader<'a> {
    board: &'a Board,
    decl: &'a Declaration,
}

impl Reader<'_> {
    fn event(self, event: &Map<String, Value>) -> Taken<ScriptEvent> {
        let int = |key: &str| number(event, key).map(EventValue::Number);
        let words = |key: &str| words(event, key);
        let seat = |key: &str| seat(event, key);
        let at = |key: &str| self.known(SlotKind::Territory, event, key);
        Ok(match text(event, "kind")? {
            "turn" => named("turn", vec![seat("player"), int("turn")?, int("round")?]),
            "answer" => {
                let lexicon = Lexicon::new(self.board, self.decl);
                let action = lexicon.read_step(event.get("action").unwrap_or(&Value::Null))?;
                let words = Words::new(self.board, self.decl).action(action);
                named("answer", vec![seat("player"), EventValue::Words(words)])
            }
            "captured" => {
                let players = vec![seat("player"), seat("loser")];
                let territories = vec![at("from")?, at("to")?, int("moved")?];
                named("capture", [players, territories].concat())
            }
            "fought" => {
                let territories = vec![at("from")?, at("to")?];
                let lost = vec![int("attacker_lost")?, int("defender_lost")?];
                named("fight", [territories, lost].concat())
            }
            "units" => named(
                "armies",
                vec![at("at")?, int("by")?, int("now")?, words("unit")?],
            ),
            "moved" => {
                let values = vec![at("from")?, at("to")?, int("count")?, words("unit")?];
                named("moved", values)
            }
            "owner" => named("owner", vec![at("at")?, seat("to"), seat("from")]),
            "counter" => {
                let values = vec![words("counter")?, seat("player"), int("by")?, int("now")?];
                named("counter", values)
            }
            "status" => named("status", vec![seat("player"), words("now")?]),
            "card" => self.card(event)?,
            "ended" => {
                let winners = list(event, "winners")?.iter().filter_map(whole_number);
                let winners = EventValue::Numbers(winners.collect());
                named("end", vec![words("reason")?, winners])
            }
            "said" => named("said", vec![seat("player"), words("text")?]),
            _ => named("other", Vec::new()),
        })
    }

    fn card(self, event: &Map<String, Value>) -> Taken<ScriptEvent> {
        let card = match event.get("card") {
            None | Some(Value::Null) => EventValue::Number(-1),
            Some(_) => self.known(SlotKind::Card, event, "card")?,
        };
        let players = vec![card, seat(event, "from_player"), seat(event, "to_player")];
        let piles = vec![words(event, "from")?, words(event, "to")?];
        Ok(named("card", [players, piles].concat()))
    }

    /// The number of what a word names.
    fn known(self, kind: SlotKind, event: &Map<String, Value>, key: &str) -> Taken<EventValue> {
        let lexicon = Lexicon::new(self.board, self.decl);
        let word = text(event, key)?;
        let number = lexicon.value(kind, &word.into());
        let number = number.ok_or_else(|| format!("`{key}` is nothing of this game"))?;
        Ok(EventValue::Number(i64::from(number)))
    }
}

fn words(event: &Map<String, Value>, key: &str) -> Taken<EventValue> {
    text(event, key).map(|text| EventValue::Words(text.to_owned()))
}

/// A player's number, -1 for nobody.
fn seat(event: &Map<String, Value>, key: &str) -> EventValue {
    let seat = event.get(key).and_then(whole_number);
    EventValue::Number(seat.unwrap_or(-1))
}
