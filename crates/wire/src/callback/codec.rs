//! The arena's side of the protocol.

use serde_json::{Value, json};

use super::answer::answer;
use super::dialect::Dialect;
use super::place::{cell, location};
use super::vocabulary::CallbackVocabulary;
use crate::codec::{AnswerError, Codec, GameOver, Message, Question};
use crate::error::ProtocolError;
use risk_kernel::Answer;
use risk_kernel::action::Options;
use risk_kernel::declare::Declaration;
use risk_kernel::id::Territory;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;

pub(super) struct Callback {
    dialect: Dialect,
    vocabulary: CallbackVocabulary,
    names: Vec<String>,
    /// The number of answers in the game when the bot was last asked. An unchanged number means
    /// that the bot's last answer was refused.
    asked: Option<u64>,
}

impl Callback {
    pub(super) fn new(decl: &Declaration, dialect: Dialect) -> Result<Self, ProtocolError> {
        Ok(Self {
            dialect,
            vocabulary: CallbackVocabulary::new(decl)?,
            names: Vec::new(),
            asked: None,
        })
    }

    fn board(&self, view: &View) -> Value {
        let board = view.board();
        let cells = board.territories().map(|at| {
            let owner = view
                .owner(at)
                .map(|player| self.names[player.index()].as_str());
            let armies = view.armies(at).unwrap_or_default();
            cell(board, at, owner, i64::from(armies))
        });
        cells.collect()
    }
}

impl Codec for Callback {
    fn start(&mut self, names: &[String], _: Stream) {
        self.names = names.to_vec();
        self.asked = None;
    }

    fn question(&mut self, view: &View, _: &Options) -> Result<Question, ProtocolError> {
        let frame = *view.frame().ok_or("no decision is open")?;
        let dialect = self.dialect;
        let failed = self.asked.replace(view.answers()) == Some(view.answers());
        let mut body = json!({ "board": self.board(view) });
        let path = if frame.phase == self.vocabulary.placement {
            body["status"] = dialect.status(true, failed);
            let left = view.counter(self.vocabulary.reserve, Some(view.me()));
            body["armiesRemaining"] = json!(left);
            dialect.either("placeArmy", "deployArmy")
        } else if frame.phase == self.vocabulary.assault {
            body["status"] = dialect.status(false, failed);
            "beginAttack"
        } else if frame.phase == self.vocabulary.press_on {
            if dialect == Dialect::Snow {
                for (key, at) in [
                    ("attackingTerritorry", frame.args[0]),
                    ("defendingTerritorry", frame.args[1]),
                ] {
                    let at = Territory::from_index(at as usize);
                    let place = location(view.board(), at);
                    body[key] = json!({ "location": place, "armies": view.armies(at) });
                }
            }
            dialect.either("continueAttack", "continueAttacking")
        } else {
            return Err(ProtocolError::NoQuestion);
        };
        Ok(Question::Ask(Message::json(path, &body)))
    }

    fn answer(&mut self, view: &View, ask: &Options, text: &str) -> Result<Answer, AnswerError> {
        Ok(answer(&self.vocabulary, view, ask, text)?)
    }

    /// Names one winner: the player with the highest score, or the first such player by seat in a
    /// tie.
    fn finish(&mut self, view: &View, ending: GameOver<'_>, _: bool) -> Option<Message> {
        let scores = ending.scores;
        let best = scores.iter().max();
        let winner = scores.iter().position(|score| Some(score) == best);
        let players = self.names.iter().zip(scores);
        let scored: Vec<String> = players
            .map(|(name, score)| format!("{name} ({score})"))
            .collect();
        let seconds = ending.elapsed.as_secs();
        let duration = format!(
            "{:02}:{:02}:{:02}.{:03}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60,
            ending.elapsed.subsec_millis()
        );
        let body = json!({
            "winnerName": winner.map(|seat| &self.names[seat]),
            "finalBoard": self.board(view),
            "finalScores": scored,
            "gameDuration": duration,
        });
        Some(Message::json("gameOver", &body))
    }
}
