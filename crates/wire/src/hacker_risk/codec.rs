//! The arena's side of the protocol.

use super::answer::answer;
use super::encoding::BodyEncoding;
use super::state::{GameContext, state};
use super::vocabulary::Vocabulary;
use super::wire_action::WireAction;
use crate::codec::{AnswerError, Codec, GameOver, Message, Question};
use crate::error::ProtocolError;
use risk_kernel::action::Options;
use risk_kernel::declare::Declaration;
use risk_kernel::event::{Event, Status};
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_kernel::{Answer, Preferences};

pub(super) struct HackerRisk {
    encoding: BodyEncoding,
    vocabulary: Vocabulary,
    context: GameContext,
    errors: u32,
    /// The turn in which the bot was last asked to attack.
    attacking: Option<u32>,
}

impl HackerRisk {
    pub(super) fn new(decl: &Declaration, encoding: BodyEncoding) -> Result<Self, ProtocolError> {
        Ok(Self {
            encoding,
            vocabulary: Vocabulary::new(decl)?,
            context: GameContext::default(),
            errors: 0,
            attacking: None,
        })
    }

    fn message(&self, path: &'static str, view: &View, available: &[WireAction]) -> Message {
        let state = state(&self.vocabulary, view, &self.context, available);
        self.encoding.message(path, state)
    }

    /// Returns the state for a bot that has no decision to make. Eliminated players receive no
    /// state.
    fn news(&self, view: &View, is_heard: bool) -> Option<Message> {
        let is_told = is_heard && view.status(view.me()) == Status::Playing;
        is_told.then(|| self.message("not_turn", view, &[]))
    }
}

impl Codec for HackerRisk {
    fn start(&mut self, names: &[String], mut rng: Stream) {
        // The identifier comes from the random stream, so a replay of the game has the same
        // identifier.
        let uid = format!("{:016x}{:016x}", rng.word(), rng.word());
        self.context = GameContext {
            names: names.to_vec(),
            uid,
            ..GameContext::default()
        };
        self.errors = 0;
        self.attacking = None;
    }

    fn question(&mut self, view: &View, ask: &Options) -> Result<Question, ProtocolError> {
        let Some(available) = self.vocabulary.available(view, ask) else {
            let unasked = self.vocabulary.unasked(ask).map(Question::Known);
            return unasked.ok_or(ProtocolError::NoQuestion);
        };
        let phase = view.frame().map(|frame| frame.phase);
        if let Some(phase) = phase.filter(|phase| self.vocabulary.is_attack(*phase)) {
            // Some bots crash if they must attack but have no legal attack. Like the old arena,
            // this code skips an attack phase that begins without a legal attack. A phase that has
            // already begun continues until the bot ends it.
            let begun = self.attacking == Some(view.turn());
            if let Some(done) = self.vocabulary.no_attack(phase, ask).filter(|_| !begun) {
                return Ok(Question::Known(done));
            }
            self.attacking = Some(view.turn());
        }
        Ok(Question::Ask(self.message("turn", view, &available)))
    }

    fn answer(&mut self, view: &View, ask: &Options, text: &str) -> Result<Answer, AnswerError> {
        let available = self.vocabulary.available(view, ask).unwrap_or_default();
        Ok(answer(&self.vocabulary, view, ask, text, &available)?)
    }

    fn preferences(&self) -> Preferences<'_> {
        Preferences {
            listens: true,
            ..Preferences::default()
        }
    }

    fn saw(&mut self, view: &View, event: &Event, is_heard: bool) -> Option<Message> {
        let (player, last_action) = match event {
            Event::Answered { player, action, .. } => {
                let name = &self.context.names[player.index()];
                let action = Words::new(view.board(), view.decl()).action(*action);
                (*player, format!("{name}: {action}"))
            }
            Event::Faulted { player, .. } => {
                self.errors += 1;
                (*player, format!("error {}", self.errors))
            }
            _ => return None,
        };
        self.context.broadcasts += 1;
        self.context.last_action = last_action;
        self.news(view, is_heard && player != view.me())
    }

    fn finish(&mut self, view: &View, _: GameOver<'_>, is_heard: bool) -> Option<Message> {
        self.news(view, is_heard)
    }
}
