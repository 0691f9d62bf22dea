//! A bot that is an HTTP server: it is asked and told as the Hacker Risk arena does it.

use super::hacker_risk::{self, Encoding, Told, Words};
use super::names;
use super::wire::{Address, HttpClient, WireError, quoted};
use crate::kernel::action::Options;
use crate::kernel::declare::Declaration;
use crate::kernel::event::{Event, Status};
use crate::kernel::fault::{BotFault, Exchange, FaultKind};
use crate::kernel::rng::Stream;
use crate::kernel::view::View;
use crate::kernel::{Answer, Bot, words};

/// A bot over HTTP, for one thread's games.
pub(super) struct Remote {
    wire: HttpClient,
    encoding: Encoding,
    words: Words,
    told: Told,
    errors: u32,
    /// The turn in which the bot was last asked to attack.
    attacking: Option<u32>,
}

impl Remote {
    /// A bot at an address, for games of a ruleset.
    ///
    /// # Errors
    /// What the protocol has no words for.
    pub(super) fn new(
        at: &Address,
        encoding: Encoding,
        decl: &Declaration,
    ) -> Result<Self, String> {
        let words = Words::of(decl)?;
        Ok(Self {
            wire: HttpClient::new(at),
            encoding,
            words,
            told: Told::default(),
            errors: 0,
            attacking: None,
        })
    }

    /// Tells the bot how things are.
    fn tell(&mut self, view: &View) {
        if !self.wire.is_deaf() && view.status(view.me()) == Status::Playing {
            let state = hacker_risk::state(&self.words, view, &self.told, &[]);
            self.wire.tell("not_turn", self.encoding.body(state));
        }
    }

    fn ask(&mut self, view: &View, ask: &Options, available: &[&str]) -> Result<Answer, WireError> {
        let state = hacker_risk::state(&self.words, view, &self.told, available);
        let text = self.wire.ask("turn", self.encoding.body(state))?;
        let answer = hacker_risk::answer(&self.words, view, ask, &text, available);
        answer.map_err(|wrong| {
            (
                FaultKind::Illegal,
                format!("{wrong}; the answer was {}", quoted(&text)),
            )
        })
    }
}

impl Bot for Remote {
    fn meet(&mut self, names: &[String]) {
        self.told.names = names::on_wire(names);
    }

    fn start(&mut self, view: &View, mut luck: Stream) {
        // Chance makes the word for a game, so that it is the same whenever the game is played
        // again.
        let uid = format!("{:016x}{:016x}", luck.word(), luck.word());
        let names = std::mem::take(&mut self.told.names);
        let seats = (1..=view.players()).map(|seat| format!("player {seat}"));
        let names = if names.len() == view.players() {
            names
        } else {
            seats.collect()
        };
        self.told = Told {
            names,
            uid,
            ..Told::default()
        };
        (self.errors, self.attacking) = (0, None);
        self.wire.begin();
        // One that is not there any more shows itself when it is asked.
        let _ = self.wire.get("status");
    }

    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault> {
        let Some(available) = self.words.available(view, ask) else {
            let unasked = self.words.unasked(ask).map(Answer::One);
            return unasked.ok_or_else(|| {
                BotFault::strike(
                    FaultKind::Illegal,
                    "the protocol has no words for what is to be decided here",
                )
            });
        };
        if let Some(phase) = view
            .frame()
            .map(|frame| frame.phase)
            .filter(|phase| self.words.is_attack(*phase))
        {
            // Some bots fall over when they are to attack and can't. A phase that begins so is
            // skipped, as in the old arena; one that has begun goes on under the same names until
            // the bot ends it.
            let begun = self.attacking == Some(view.turn());
            if let Some(done) = self.words.no_attack(phase, ask).filter(|_| !begun) {
                return Ok(Answer::One(done));
            }
            self.attacking = Some(view.turn());
        }
        self.ask(view, ask, &available)
            .map_err(|(kind, text)| BotFault::strike(kind, text))
    }

    fn listens(&self) -> bool {
        true
    }

    fn saw(&mut self, view: &View, event: &Event) {
        let (who, said) = match event {
            Event::Answered { who, action, .. } => {
                let name = &self.told.names[who.index()];
                (
                    *who,
                    format!(
                        "{name}: {}",
                        words::Words::new(view.board(), view.decl()).action(*action)
                    ),
                )
            }
            Event::Faulted { who, .. } => {
                self.errors += 1;
                (*who, format!("error {}", self.errors))
            }
            _ => return,
        };
        self.told.broadcasts += 1;
        self.told.last_action = said;
        if who != view.me() {
            self.tell(view);
        }
    }

    fn exchange(&mut self) -> Option<Exchange> {
        self.wire.exchange()
    }

    fn finish(&mut self, view: &View) {
        self.tell(view);
    }
}
