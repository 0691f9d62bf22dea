//! A bot elsewhere: a codec says what it is asked and told, a transport carries that.

use std::time::Instant;

use crate::kernel::action::Options;
use crate::kernel::declare::Declaration;
use crate::kernel::event::Event;
use crate::kernel::fault::{BotFault, Exchange, FaultKind};
use crate::kernel::rng::Stream;
use crate::kernel::view::View;
use crate::kernel::{Answer, Bot};
use crate::protocol::transport::{Greeting, Transport};
use crate::protocol::{Codec, Endpoint, GameOver, Question, names, quoted};
use crate::script::ScriptFault;

/// A bot elsewhere, for one thread's games.
pub(super) struct Remote {
    codec: Box<dyn Codec>,
    transport: Box<dyn Transport>,
    greeting: Greeting,
    /// The players' names by seat, as they go onto the wire.
    names: Vec<String>,
    began: Instant,
}

impl Remote {
    /// A bot at an endpoint, for games of a ruleset.
    ///
    /// # Errors
    /// When the protocol has no words for the ruleset, or the bot is not there.
    pub(super) fn new(endpoint: &Endpoint, decl: &Declaration) -> Result<Self, ScriptFault> {
        let protocol = endpoint.protocol;
        let codec = protocol.codec(decl).map_err(|text| {
            let info = protocol.info();
            let text = format!(
                "bots over {} that speak {} can't play {}: {text}",
                endpoint.transport.label, info.name, decl.name
            );
            let help = format!("play {}, or a ruleset that extends it", info.ruleset);
            ScriptFault::new("bot::protocol", text).help(help)
        })?;
        if endpoint.probed {
            endpoint.reach().map_err(|not_there| {
                ScriptFault::new("bot::unreachable", not_there.full)
                    .help("start it first; is the address right?")
            })?;
        }
        Ok(Self {
            codec,
            transport: endpoint.open(),
            greeting: protocol.greeting(),
            names: Vec::new(),
            began: Instant::now(),
        })
    }
}

impl Bot for Remote {
    fn meet(&mut self, names: &[String]) {
        self.names = names::on_wire(names);
    }

    fn start(&mut self, view: &View, rng: Stream) {
        if self.names.len() != view.players() {
            let seats = 1..=view.players();
            self.names = seats.map(|seat| format!("player {seat}")).collect();
        }
        self.codec.start(&self.names, rng);
        self.began = Instant::now();
        self.transport.begin();
        if self.greeting.each_game {
            // One that is not there any more shows itself when it is asked.
            let _ = self.transport.greet(self.greeting);
        }
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        let illegal = |text| BotFault::strike(FaultKind::Illegal, text);
        let message = match self.codec.question(view, options).map_err(illegal)? {
            Question::Ask(message) => message,
            Question::Known(action) => return Ok(Answer::One(action)),
        };
        let text = self
            .transport
            .ask(message)
            .map_err(|error| BotFault::strike(error.kind, error.text))?;
        let answer = self.codec.answer(view, options, &text);
        answer.map_err(|wrong| illegal(format!("{wrong}; the answer was {}", quoted(&text))))
    }

    fn listens(&self) -> bool {
        self.codec.listens()
    }

    fn saw(&mut self, view: &View, event: &Event) {
        let is_heard = self.transport.is_heard();
        if let Some(message) = self.codec.saw(view, event, is_heard) {
            self.transport.tell(&message);
        }
    }

    fn exchange(&mut self) -> Option<Exchange> {
        self.transport.exchange()
    }

    fn finish(&mut self, view: &View, scores: &[i64]) {
        let ending = GameOver {
            scores,
            elapsed: self.began.elapsed(),
        };
        let is_heard = self.transport.is_heard();
        if let Some(message) = self.codec.finish(view, ending, is_heard) {
            self.transport.tell(&message);
        }
    }
}
