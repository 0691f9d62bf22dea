//! A bot served to callback arenas. Requests don't name their game, so the bot plays one game at a
//! time.

use super::decision_point::DecisionPoint;
use super::served::{Answerer, RulesByCount, ServedBot, begin};
use super::served_protocol::ServedProtocol;
use risk_engine::matches::HostedBot;
use risk_kernel::answer_queue::AnswerQueue;
use risk_wire::ProtocolError;
use risk_wire::callback::{CallbackVocabulary, PROTOCOL, RequestKind, Tracker};

pub(super) static SERVED: ServedProtocol = ServedProtocol {
    protocol: &PROTOCOL,
    about: "Place-then-attack arenas, with the ruleset simplified",
    over_lines: false,
    at_root: false,
    greeting: ("/areYouThere", "yes"),
    notices: &[],
    answerer: |served| Box::new(CallbackBot::new(served.spec.name.clone())),
};

pub(crate) struct CallbackBot {
    rules: RulesByCount<CallbackVocabulary>,
    tracker: Tracker,
    queue: AnswerQueue,
    /// The tracker's game count for the game that `queue` belongs to.
    queued: u64,
    seated: Option<CachedBot>,
    /// The number of bots created so far.
    bots: u64,
}

/// A bot, with the tracker's game count and players at its creation.
struct CachedBot {
    bot: Box<dyn HostedBot>,
    made_for: (u64, Vec<String>),
}

impl CallbackBot {
    pub(crate) fn new(name: String) -> Self {
        Self {
            rules: RulesByCount::default(),
            tracker: Tracker::new(name),
            queue: AnswerQueue::default(),
            queued: 0,
            seated: None,
            bots: 0,
        }
    }
}

impl Answerer for CallbackBot {
    fn answer(
        &mut self,
        served: &ServedBot,
        path: &str,
        body: &str,
    ) -> Result<String, ProtocolError> {
        if path == "gameOver" {
            self.tracker.leave();
            return Ok(String::new());
        }
        let (decision, dialect) =
            RequestKind::from_path(path).ok_or(ProtocolError::NoSuchRequest)?;
        let request = self
            .tracker
            .read(&served.rules.board, decision, dialect, body)?;
        if self.queued != self.tracker.games() {
            self.queued = self.tracker.games();
            self.queue = AnswerQueue::default();
        }
        let names = self.tracker.players();
        let (bound, vocabulary) = self
            .rules
            .bind(served, names.len(), CallbackVocabulary::new)?;
        let board = &served.rules.board;
        let game = self
            .tracker
            .position(&request, vocabulary, board, &bound.decl)?;
        let made_for = (self.tracker.games(), names);
        if self
            .seated
            .as_ref()
            .is_none_or(|seated| seated.made_for != made_for)
        {
            self.bots += 1;
            let uid = self.bots.to_string();
            let bot = begin(served, bound, &made_for.1, &game, Tracker::ME, &uid)?;
            self.seated = Some(CachedBot { bot, made_for });
        }
        let seated = self
            .seated
            .as_mut()
            .ok_or("the game is no longer in memory")?;
        let decision = DecisionPoint::new(game, Tracker::ME, &mut bound.rules)?;
        if decision.options.is_empty() || request.is_void() {
            return Ok(request.fallback(&decision.facts).to_string());
        }
        let action = decision.ask(seated.bot.as_mut(), &mut self.queue)?.action();
        let answer = self.tracker.reply(&request, vocabulary, board, action);
        Ok(answer.to_string())
    }
}
