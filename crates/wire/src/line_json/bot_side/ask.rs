//! A question, as a bot of ours is asked it.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{position, read};
use crate::codec::Failure;
use crate::error::ProtocolError;
use crate::line_json::message::Ask;
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
    /// Are the plans among the options told?
    pub tells_plans: bool,
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
        message: &str,
    ) -> Result<Self, ProtocolError> {
        let lexicon = Lexicon::new(board, decl);
        let ask: Ask<'_> = read(message)?;
        let asked = position::asked(lexicon, me, &ask)?;
        let position = position::position(lexicon, me, players, &ask.state, Some(asked))?;
        let facts = position.facts(board, decl).map_err(String::from)?;
        Ok(Self {
            id: ask.id,
            tells_plans: ask.plans.is_some(),
            facts,
            options: position::options(lexicon, players, &ask)?,
        })
    }

    /// The number of a question.
    ///
    /// # Errors
    /// When it has none.
    pub fn id(message: &str) -> Result<u64, ProtocolError> {
        #[derive(Deserialize)]
        struct Numbered {
            id: u64,
        }
        Ok(read::<Numbered>(message)?.id)
    }

    /// The message that answers it.
    #[must_use]
    pub fn answer(&self, answer: &Answer) -> Value {
        let lexicon = Lexicon::new(self.facts.board(), self.facts.decl());
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
