//! A question as parsed by a bot.

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

/// A question parsed from a line.
#[derive(Debug)]
pub struct AskMessage {
    /// The question's id, which the answer repeats.
    pub id: u64,
    /// The game as seen by the player.
    pub facts: Facts,
    /// The legal actions.
    pub options: Options,
    /// Whether the question lists the plans among the options.
    pub tells_plans: bool,
}

impl AskMessage {
    /// Parses the message `ask` in a game with `players` players. The bot is player `me`.
    ///
    /// # Errors
    /// Returns an error if the message is invalid.
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

    /// Returns the id of a question.
    ///
    /// # Errors
    /// Returns an error if the question has no id.
    pub fn id(message: &str) -> Result<u64, ProtocolError> {
        #[derive(Deserialize)]
        struct IdField {
            id: u64,
        }
        Ok(read::<IdField>(message)?.id)
    }

    /// Returns the message that answers the question.
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

    /// Returns the message that reports a failure to answer a question.
    #[must_use]
    pub fn failure(id: u64, fault: &Failure) -> Value {
        json!({ "id": id, "fault": fault })
    }
}
