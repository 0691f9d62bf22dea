//! A question, as a bot of ours is asked it.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Taken, number, object, position};
use crate::codec::Failure;
use crate::line_json::offers::Lexicon;
use risk_kernel::Answer;
use risk_kernel::action::Options;
use risk_kernel::board::Board;
use risk_kernel::declare::Declaration;
use risk_kernel::id::Player;
use risk_kernel::view::Facts;

/// A question as the bot's side reads it from a line.
#[derive(Debug)]
pub struct AskMessage {
    /// Its number, which the answer repeats.
    pub id: u64,
    /// As much of the game as the player sees.
    pub facts: Facts,
    /// What may be done.
    pub options: Options,
}

impl AskMessage {
    /// Reads the message `ask` of a game in which the bot is `me` of so many players.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(
        board: &Arc<Board>,
        decl: &Arc<Declaration>,
        me: Player,
        players: usize,
        message: &Map<String, Value>,
    ) -> Taken<Self> {
        let lexicon = Lexicon { board, decl };
        let asked = position::asked(lexicon, me, message)?;
        let state = object(message, "state")?;
        let position = position::position(lexicon, me, players, state, Some(asked))?;
        let facts = position.facts(board, decl)?;
        Ok(Self {
            id: Self::id(message)?,
            facts,
            options: position::options(lexicon, players, message)?,
        })
    }

    /// The number of a question.
    ///
    /// # Errors
    /// When it has none.
    pub fn id(message: &Map<String, Value>) -> Taken<u64> {
        number(message, "id")
    }

    /// The message that answers it.
    #[must_use]
    pub fn answer(&self, answer: &Answer) -> Value {
        let lexicon = Lexicon {
            board: self.facts.board(),
            decl: self.facts.decl(),
        };
        match answer {
            Answer::One(action) => json!({ "id": self.id, "do": lexicon.action(*action) }),
            Answer::Steps(steps) => {
                let steps = steps.iter().map(|step| lexicon.action(*step));
                json!({ "id": self.id, "do": steps.collect::<Vec<_>>() })
            }
        }
    }

    /// The message that says that the bot has no answer to a question, and why.
    #[must_use]
    pub fn failure(id: u64, fault: &Failure) -> Value {
        json!({ "id": id, "fault": fault })
    }
}
