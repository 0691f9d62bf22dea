//! Remote bots. A codec creates the messages, and a transport carries them.

use std::time::Instant;

use crate::codec::{AnswerError, Failure};
use crate::transport::{Greeting, Transport, WireError};
use crate::{Codec, Endpoint, GameOver, Message, Protocol, Question, quoted};
use risk_engine::script::RulesSource;
use risk_engine::{Aside, BotFactory, BuildError, HostedBot, TimeLeft, names};
use risk_kernel::action::Options;
use risk_kernel::declare::Declaration;
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, Exchange, FaultKind};
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, Preferences, Strike};
use risk_text::diag::Finding;

/// A remote bot for the games of one thread.
pub(super) struct Remote {
    codec: Box<dyn Codec>,
    transport: Box<dyn Transport>,
    greeting: Greeting,
    hello: Option<fn() -> Message>,
    /// Whether the protocol supports only one game per connection.
    one_game: bool,
    /// The players' names by seat, as sent to the bot.
    names: Vec<String>,
    began: Instant,
    /// The reason that the match gave up on the bot.
    gone: Option<String>,
    /// Whether the bot was asked for its last answer.
    was_asked: bool,
    /// A hint added to the faults of a bot that may expect another protocol. Empty after the first
    /// message that shows that the bot uses this protocol.
    hint: String,
    /// The bot's reasons for being unable to play.
    refusal: Vec<Failure>,
    /// The failure that the bot reported with its last answer.
    failure: Option<Failure>,
}

impl Remote {
    /// Creates a bot at an endpoint for games of a ruleset. Checks that the bot is there if the
    /// endpoint is probed. Returns an error if the protocol does not support the ruleset, or if the
    /// bot is not there.
    pub(super) fn new(endpoint: &Endpoint, decl: &Declaration) -> Result<Self, Finding> {
        let protocol = endpoint.protocol;
        let codec = protocol.codec(decl).map_err(|text| {
            let info = protocol.info();
            let text = format!("can't play {} over {}: {text}", decl.name, info.name);
            let help = format!("play {}, or a ruleset that extends it", info.ruleset);
            Finding::error("bot::protocol", text).help(help)
        })?;
        let mut bot = Self::speaking(protocol, codec, endpoint.open());
        bot.hint = endpoint.protocol_hint();
        if endpoint.probed {
            bot.look_for(endpoint)?;
        }
        Ok(bot)
    }

    /// Creates a bot on an unused transport.
    pub(super) fn speaking(
        protocol: Protocol,
        codec: Box<dyn Codec>,
        transport: Box<dyn Transport>,
    ) -> Self {
        Self {
            codec,
            transport,
            greeting: protocol.greeting(),
            hello: protocol.info().hello,
            one_game: protocol.info().one_game,
            names: Vec::new(),
            began: Instant::now(),
            gone: None,
            was_asked: true,
            hint: String::new(),
            refusal: Vec::new(),
            failure: None,
        }
    }

    /// Starts the bot if necessary and greets it.
    pub(super) fn greet(&mut self) -> Result<(), GreetingError> {
        let there = self.transport.greet(self.greeting);
        there.map_err(|not_there| GreetingError::NotThere(not_there.full))?;
        self.say_hello()
            .map_err(|error| match std::mem::take(&mut self.refusal) {
                all if all.is_empty() => GreetingError::Strange(error.text),
                all => GreetingError::Refused(all),
            })
    }

    /// Checks that the bot is there, with a greeting message if the protocol has one.
    fn look_for(&mut self, endpoint: &Endpoint) -> Result<(), Finding> {
        let unreachable = |text| Finding::error("bot::unreachable", text);
        if self.hello.is_some() {
            let hello = self.say_hello();
            let refusal = std::mem::take(&mut self.refusal);
            return hello.map_err(|error| {
                let place = &endpoint.address.place;
                if !refusal.is_empty() {
                    let why: Vec<String> = refusal.iter().map(ToString::to_string).collect();
                    let text = format!("{place} can't play: {}", why.join("; "));
                    let help = "fix the problem that the bot reports, or choose another bot";
                    return Finding::error("bot::refuses", text).help(help);
                }
                unreachable(format!("no valid `hello` from {place}: {}", error.text))
                    .help("see docs/protocol.md for a minimal bot")
            });
        }
        let found = if endpoint.transport().is_own() {
            self.transport.greet(self.greeting)
        } else {
            endpoint.reach()
        };
        found.map_err(|not_there| {
            unreachable(not_there.full).help("start the bot, or correct its address")
        })
    }

    /// Greets the bot on a new connection if the protocol has a greeting message.
    fn say_hello(&mut self) -> Result<(), WireError> {
        let Some(hello) = self.hello else {
            return Ok(());
        };
        let asked = self.transport.ask(hello(), &mut |_, early| !early);
        let text = asked.map_err(|error| self.hinted(error))?;
        let refusal = &mut self.refusal;
        self.codec.greeted(&text).map_err(|no_answer| {
            let AnswerError::Wrong(wrong) = no_answer else {
                let text = no_answer.to_string();
                if let AnswerError::Refused(why) = no_answer {
                    *refusal = why;
                }
                return WireError::connection(text);
            };
            // An object shows that the bot understood the greeting.
            let is_object = text.trim_start().starts_with('{');
            let hint = if is_object { "" } else { &self.hint };
            let answer = quoted(&text);
            WireError::connection(format!("{wrong}{hint}; the answer was {answer}"))
        })?;
        self.hint.clear();
        self.transport.greeted();
        Ok(())
    }

    /// Adds the hint if no answer arrived. A bot that has never answered may expect lines of
    /// another protocol.
    fn hinted(&self, mut error: WireError) -> WireError {
        if matches!(error.kind, FaultKind::Hung | FaultKind::Timeout) {
            if !self.hint.is_empty() {
                error.text += "; a bot must end each answer with a line break and flush its output";
            }
            error.text += &self.hint;
        }
        error
    }

    fn introduce(&mut self, view: &View) -> Result<(), WireError> {
        if self.transport.is_fresh() {
            self.say_hello()?;
            self.send_game(view, true);
        }
        Ok(())
    }

    /// Begins or resumes a game.
    fn open(&mut self, view: &View, rng: Stream, resumed: bool) {
        if self.names.len() != view.players() {
            let seats = 1..=view.players();
            self.names = seats.map(|seat| format!("player {seat}")).collect();
        }
        self.codec.start(&self.names, rng);
        self.began = Instant::now();
        self.transport.begin();
        if self.greeting.each_game {
            // A missing bot is detected at its next question.
            let _ = self.transport.greet(self.greeting);
        }
        // A bot that can't greet is detected at its next question too.
        let _ = self.begin(view, resumed);
    }

    /// Sends the game to the bot, preceded by a greeting on a new connection.
    fn begin(&mut self, view: &View, resumed: bool) -> Result<(), WireError> {
        if self.transport.is_fresh() {
            self.say_hello()?;
        }
        self.send_game(view, resumed);
        Ok(())
    }

    fn send_game(&mut self, view: &View, resumed: bool) {
        if let Some(message) = self.codec.game(view, resumed) {
            self.transport.notify(&message);
        }
    }

    fn notify(&mut self, message: Option<Message>) {
        if let Some(message) = message {
            self.transport.notify(&message);
        }
    }

    /// Asks for the bot's answer, which has not been checked against the rules.
    fn ask_once(&mut self, view: &View, options: &Options) -> Result<Answer, WireError> {
        let illegal = |text| WireError {
            kind: FaultKind::Illegal,
            text,
        };
        self.ready(view)?;
        let question = self.codec.question(view, options);
        let message = match question.map_err(|error| illegal(error.to_string()))? {
            Question::Ask(message) => message,
            Question::Known(action) => {
                self.was_asked = false;
                return Ok(Answer::One(action));
            }
        };
        self.was_asked = true;
        let heard = self.heard(view, &message);
        let text = heard.map_err(|error| self.hinted(error))?;
        self.hint.clear();
        let answer = self.codec.answer(view, options, &text);
        answer.map_err(|no_answer| match no_answer {
            AnswerError::Wrong(wrong) => {
                illegal(format!("{wrong}; the answer was {}", quoted(&text)))
            }
            AnswerError::Failed(kind, failure) => {
                let text = failure.to_string();
                self.failure = Some(failure);
                WireError { kind, text }
            }
            AnswerError::Refused(_) => WireError::connection(no_answer.to_string()),
        })
    }
}

/// The reason that a greeting failed.
pub(super) enum GreetingError {
    /// The bot can't be started or reached.
    NotThere(String),
    /// The bot is there but greets incorrectly.
    Strange(String),
    /// The bot reports that it can't play, with the reasons.
    Refused(Vec<Failure>),
}

/// The maximum number of reconnections during one question.
const RETURNS: u32 = 20;

impl Remote {
    /// Prepares the bot for a question by sending the game and recent events if necessary.
    fn ready(&mut self, view: &View) -> Result<(), WireError> {
        for _ in 0..RETURNS {
            match self.introduce(view) {
                Err(_) if self.transport.comes_back() => {}
                Err(error) => return Err(error),
                Ok(()) => {
                    let unsaid = self.codec.unsaid(view);
                    self.notify(unsaid);
                    return Ok(());
                }
            }
        }
        Err(restless())
    }

    /// Returns the bot's reply to a question. Repeats the question if the bot reconnects.
    fn heard(&mut self, view: &View, message: &Message) -> Result<String, WireError> {
        for _ in 0..RETURNS {
            let codec = &mut self.codec;
            let mut is_answer = |text: &str, early: bool| codec.is_answer(text, early);
            match self.transport.ask(message.clone(), &mut is_answer) {
                Err(_) if self.transport.comes_back() => self.ready(view)?,
                heard => return heard,
            }
        }
        Err(restless())
    }
}

fn restless() -> WireError {
    WireError::connection(format!(
        "the connection broke {RETURNS} times during one question"
    ))
}

impl BotFactory for Endpoint {
    fn build(&self, decl: &Declaration, _: &RulesSource) -> Result<Box<dyn HostedBot>, BuildError> {
        let remote = Remote::new(self, decl);
        Ok(remote.map(Box::new)?)
    }

    fn usual_options(&self) -> &'static [(&'static str, &'static str)] {
        self.protocol.info().options
    }

    fn content(&self) -> Option<(&str, &str)> {
        Some((&self.address.place, self.content.as_ref()?))
    }
}

impl HostedBot for Remote {
    fn meet(&mut self, names: &[String]) {
        self.names = names::on_wire(names);
    }

    fn has_left(&mut self, clock: TimeLeft) {
        self.transport.has_left(clock);
        self.codec.has_left(clock);
    }

    fn resume(&mut self, view: &View, rng: Stream) {
        self.open(view, rng, true);
    }

    fn was_asked(&self) -> bool {
        self.was_asked
    }

    fn faulted(&mut self, view: &View, strike: &Strike<'_>) -> Option<Exchange> {
        let exchange = self.transport.exchange();
        if self.transport.is_heard() {
            let message = self.codec.faulted(view, strike);
            self.notify(message);
        }
        exchange
    }

    fn take_aside(&mut self) -> Option<Aside> {
        self.transport.take_aside()
    }

    fn gone(&self) -> Option<&str> {
        self.gone.as_deref()
    }
}

impl Bot for Remote {
    fn start(&mut self, view: &View, rng: Stream) {
        self.open(view, rng, false);
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        let answer = self.ask_once(view, options);
        answer.map_err(|error| {
            self.gone = self.transport.given_up();
            match (&self.gone, self.failure.take()) {
                (Some(_), _) => BotFault::Halt,
                (None, None) => BotFault::strike(error.kind, error.text),
                (None, Some(failure)) => BotFault::from_error(error.kind, error.text, failure),
            }
        })
    }

    fn preferences(&self) -> Preferences<'_> {
        self.codec.preferences()
    }

    fn saw(&mut self, view: &View, event: &Event) {
        let is_heard = self.transport.is_heard();
        let message = self.codec.saw(view, event, is_heard);
        self.notify(message);
    }

    fn finish(&mut self, view: &View, scores: &[i64], outcome: Option<&Outcome>) {
        let over = GameOver {
            outcome,
            scores,
            elapsed: self.began.elapsed(),
        };
        let is_heard = self.transport.is_heard();
        let unsaid = self.codec.unsaid(view);
        self.notify(unsaid);
        let message = self.codec.finish(view, over, is_heard);
        self.notify(message);
        if self.one_game {
            self.transport.hang_up();
        }
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        if self.transport.is_heard() {
            let bye = self.codec.bye();
            self.notify(bye);
        }
    }
}
