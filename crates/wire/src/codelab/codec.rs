//! Conversion of players' events to actions. As in the code lab, an impossible action is dropped.
//! It is not a fault, and the arena keeps waiting for the player.

use std::collections::BTreeMap;

use super::incoming::{PlayerAction, PlayerEvent, PlayerMessage};
use super::stage::CodelabPhase;
use super::territory;
use crate::codec::{AnswerError, Codec, GameOver, Message, Question};
use crate::decl_lookup::DeclLookup;
use crate::error::ProtocolError;
use risk_kernel::Answer;
use risk_kernel::action::{Action, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::id::Verb;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;

/// The maximum number of legal actions to search for a player's action.
const MOST: u64 = 1_000_000;

#[derive(Clone, Copy)]
struct Verbs {
    place: Verb,
    attack: Verb,
    moves: Verb,
    done: Verb,
}

pub(super) struct Codelab {
    verbs: Verbs,
    /// The territories of this game by name.
    territories: BTreeMap<String, i32>,
    stage: CodelabPhase,
    /// The conquest into which more armies can move: source and target.
    conquest: Option<(i32, i32)>,
    legal: Vec<Action>,
    chosen: Option<Action>,
    /// Whether the player ended the turn before its last phase.
    ends: bool,
}

impl Codelab {
    pub(super) fn new(decl: &Declaration) -> Result<Self, ProtocolError> {
        let parts = DeclLookup(decl);
        Ok(Self {
            verbs: Verbs {
                place: parts.verb("place")?,
                attack: parts.verb("attack")?,
                moves: parts.verb("move")?,
                done: parts.verb("done")?,
            },
            territories: BTreeMap::new(),
            stage: CodelabPhase::default(),
            conquest: None,
            legal: Vec::new(),
            chosen: None,
            ends: false,
        })
    }

    /// Returns the action for a player's event, and whether the turn ends after the action.
    fn action(&self, deed: &PlayerAction) -> Option<(Action, bool)> {
        let territory = |country: &String| self.territories.get(country).copied();
        let done = Action::new(self.verbs.done, &[]);
        let action = match deed {
            PlayerAction::PlaceArmy(at) => Action::new(self.verbs.place, &[territory(at)?, 1]),
            PlayerAction::Attack(from, to, armies) => Action::new(
                self.verbs.attack,
                &[territory(from)?, territory(to)?, *armies],
            ),
            PlayerAction::MoveArmy(from, to, armies) => {
                let between = (territory(from)?, territory(to)?);
                // The first army has already moved with the conquest.
                let more = match self.conquest {
                    Some(conquest) if conquest != between => return None,
                    Some(_) => armies.checked_sub(1)?,
                    None => *armies,
                };
                Action::new(self.verbs.moves, &[between.0, between.1, more])
            }
            PlayerAction::EndAttack => {
                return (self.stage == CodelabPhase::Attack).then_some((done, false));
            }
            PlayerAction::EndTurn => {
                let may_end = matches!(self.stage, CodelabPhase::Attack | CodelabPhase::Fortify);
                return may_end.then_some((done, true));
            }
        };
        Some((action, false))
    }
}

impl Codec for Codelab {
    fn start(&mut self, _: &[String], _: Stream) {
        self.ends = false;
        self.territories.clear();
    }

    fn question(&mut self, view: &View, options: &Options) -> Result<Question, ProtocolError> {
        let frame = view.frame().ok_or("no decision is open")?;
        if self.territories.is_empty() {
            let board = view.board();
            for at in board.territories() {
                for word in [board.info(at).id.clone(), super::country(board, at)] {
                    if territory(board, &word) == Some(at) {
                        self.territories.insert(word, at.number());
                    }
                }
            }
        }
        self.stage = CodelabPhase::new(view.decl(), frame.phase);
        if options.len() > MOST {
            return Err(format!("the decision has more than {MOST} actions").into());
        }
        self.legal = (0..options.len())
            .map(|number| options.nth(number))
            .collect();
        self.conquest =
            (self.stage == CodelabPhase::Occupy).then_some((frame.args[0], frame.args[1]));
        self.chosen = None;
        let done = Action::new(self.verbs.done, &[]);
        let ends = std::mem::take(&mut self.ends) && self.stage == CodelabPhase::Fortify;
        if ends && self.legal.contains(&done) {
            return Ok(Question::Known(done));
        }
        // Earlier events have already announced whose turn it is.
        Ok(Question::Ask(Message {
            path: "",
            body: String::new(),
            content_type: "application/json",
        }))
    }

    fn is_answer(&mut self, text: &str, _: bool) -> bool {
        let Ok(PlayerEvent {
            said: PlayerMessage::Play(deed),
            ..
        }) = PlayerEvent::read(text)
        else {
            return false;
        };
        let action = self.action(&deed);
        let action = action.filter(|(action, _)| self.legal.contains(action));
        if let Some((action, ends)) = action {
            self.chosen = Some(action);
            self.ends = ends;
        }
        self.chosen.is_some()
    }

    fn answer(&mut self, _: &View, _: &Options, _: &str) -> Result<Answer, AnswerError> {
        let chosen = self.chosen.take();
        chosen
            .map(Answer::One)
            .ok_or_else(|| "no action came".into())
    }

    fn finish(&mut self, _: &View, _: GameOver<'_>, _: bool) -> Option<Message> {
        None
    }
}
