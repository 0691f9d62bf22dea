//! A conversation with one bot in a game that advances one decision at a time.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{CaseError, CaseErrorKind, SEED};
use risk_engine::{Setup, Worker};
use risk_kernel::action::Options;
use risk_kernel::event::Event;
use risk_kernel::fault::FaultKind;
use risk_kernel::id::Player;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::stepper::{Decision, Stepper, StepperSettings};
use risk_kernel::words::Words;
use risk_kernel::{Answer, Strike};
use risk_text::diag::{Finding, LoadError};
use risk_wire::json::whole_number;
use risk_wire::transport::{ExitReport, Transport, WireError};
use risk_wire::{Codec, Endpoint, GameOver, Message, Question, quoted};

/// The maximum number of decisions by other players before the bot's next decision.
const MOST_STEPS: u32 = 20_000;
/// The maximum number of consecutive games without a decision for the bot.
const MOST_GAMES: u32 = 10;

/// A line that did not answer any question.
#[derive(Debug)]
pub(super) struct Surplus {
    pub(super) id: Option<i64>,
    text: String,
}

impl Surplus {
    pub(super) fn quoted(&self) -> String {
        const BEGUN: usize = 60;
        let begun: String = self.text.chars().take(BEGUN).collect();
        let more = if begun.len() < self.text.len() {
            " …"
        } else {
            ""
        };
        format!("{}{more}", quoted(&begun))
    }
}

pub(super) struct SentQuestion {
    pub(super) message: Message,
    /// The id that the bot receives.
    pub(super) id: i64,
    /// The id that the codec uses.
    number: i64,
    options: Options,
}

impl SentQuestion {
    pub(super) fn renumber(&mut self, id: i64) {
        self.message = with_key(&self.message, "id", id.into());
        self.id = id;
    }
}

pub(super) fn with_key(message: &Message, key: &str, value: Value) -> Message {
    let mut body = parsed(&message.body);
    body[key] = value;
    Message {
        body: body.to_string(),
        ..message.clone()
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

fn id_of(value: &Value) -> Option<i64> {
    whole_number(value.get("id")?)
}

pub(super) struct Conversation<'a> {
    endpoint: &'a Endpoint,
    worker: Worker<'a>,
    codec: Box<dyn Codec>,
    transport: Box<dyn Transport>,
    /// The bot's current game, if there is one.
    game: Option<Stepper>,
    games: u64,
    me: Player,
    rng: Stream,
    ids: BTreeSet<i64>,
    /// The id in a message that is not a question.
    foreign: Option<i64>,
    /// The lines that did not answer any question.
    pub(super) surplus: Vec<Surplus>,
    /// The deadline of the case.
    pub(super) until: Instant,
}

impl<'a> Conversation<'a> {
    /// Creates a conversation without sending anything.
    pub(super) fn new(endpoint: &'a Endpoint, setup: &'a Setup) -> Result<Self, LoadError> {
        let worker = Worker::new(setup)?;
        let codec = endpoint.protocol.codec(worker.decl());
        let codec = codec.map_err(|text| LoadError::one(Finding::error("bot::protocol", text)))?;
        Ok(Self {
            endpoint,
            worker,
            codec,
            transport: endpoint.open(),
            game: None,
            games: 0,
            me: Player(0),
            rng: Stream::new(SEED, 0, Purpose::Seats),
            ids: BTreeSet::new(),
            foreign: None,
            surplus: Vec::new(),
            until: Instant::now(),
        })
    }

    /// Reports whether the bot communicates in lines. With other framings, each message has its own
    /// answer.
    pub(super) fn is_in_lines(&self) -> bool {
        self.endpoint.transport().is_own()
    }

    /// Sends the greeting to the bot after applying `change` to it.
    pub(super) fn greet(&mut self, change: fn(&Message) -> Message) -> Result<(), CaseError> {
        let Some(hello) = self.endpoint.protocol.info().hello else {
            return Ok(());
        };
        let mut before = Vec::new();
        let mut is_answer = |line: &str, _: bool| {
            let is_one = parsed(line).get("protocol").is_some();
            if !is_one {
                before.push(line.to_owned());
            }
            is_one
        };
        let heard = self.transport.ask(change(&hello()), &mut is_answer);
        if let Some(first) = before.first() {
            let text = format!(
                "unexpected output before the reply to `hello`: {}",
                quoted(first)
            );
            let kind = match heard {
                Ok(_) => CaseErrorKind::Said,
                Err(_) => CaseErrorKind::Silent,
            };
            return Err(CaseError::new(kind, text));
        }
        let text = heard.map_err(|error| CaseError::silent(error.text))?;
        let greeted = self.codec.greeted(&text);
        greeted.map_err(|wrong| CaseError::silent(format!("{wrong}; found {}", quoted(&text))))
    }

    pub(super) fn open(&mut self, change: fn(&Message) -> Message) -> Result<(), CaseError> {
        self.transport.begin();
        self.greet(change)
    }

    /// Creates `count` questions without sending them.
    pub(super) fn skip_ids(&mut self, count: usize) -> Result<(), CaseError> {
        (0..count).try_for_each(|_| self.question().map(drop))
    }

    /// Begins a game, using a new process if the old process has ended.
    pub(super) fn new_game(&mut self) -> Result<(), CaseError> {
        self.transport.begin();
        if self.transport.is_fresh() {
            self.greet(Message::clone)?;
        }
        let number = self.games;
        self.games += 1;
        let players = self.worker.players();
        self.me = Player::from_index((number % players as u64) as usize);
        let bots = self.worker.setup().bots.iter();
        let mut names: Vec<String> = bots.map(|bot| bot.name.clone()).collect();
        names.rotate_right(self.me.index());
        let own = Purpose::Player(self.me.0);
        self.codec.start(&names, Stream::new(SEED, number, own));
        let game = self.worker.stepper(number, StepperSettings::default());
        self.game = Some(game.map_err(|fault| CaseError::silent(fault.to_string()))?);
        self.send_game(false);
        Ok(())
    }

    /// Sends the game to the bot. `resumed` marks a repeated message.
    pub(super) fn send_game(&mut self, resumed: bool) {
        if let Some(game) = &self.game {
            let message = self.codec.game(&game.view(self.me), resumed);
            self.send(message);
        }
    }

    pub(super) fn end_game(&mut self) {
        if let Some(game) = self.game.take() {
            let view = game.view(self.me);
            let over = GameOver {
                outcome: game.outcome(),
                scores: &vec![0; view.players()],
                elapsed: Duration::ZERO,
            };
            let unsaid = self.codec.unsaid(&view);
            self.send(unsaid);
            let message = self.codec.finish(&view, over, true);
            self.send(message);
        }
    }

    pub(super) fn send(&mut self, message: Option<Message>) {
        if let Some(message) = message {
            self.transport.notify(&message);
        }
    }

    /// Returns the bot's next decision. Other players decide until then. Starts a new game if the
    /// current game ends.
    pub(super) fn decision(&mut self) -> Result<Decision, CaseError> {
        for _ in 0..MOST_GAMES {
            if let Some(own) = self.decision_in_game()? {
                return Ok(own);
            }
            self.end_game();
            self.new_game()?;
        }
        Err(CaseError::silent(
            "the bot gets no decisions in this ruleset",
        ))
    }

    /// Returns the bot's next decision in this game, or `None` if the game ends first.
    pub(super) fn decision_in_game(&mut self) -> Result<Option<Decision>, CaseError> {
        for _ in 0..MOST_STEPS {
            let Some(game) = &mut self.game else {
                return Ok(None);
            };
            let decisions = game.decisions();
            if let Some(own) = decisions.iter().find(|one| one.player == self.me) {
                return Ok(Some(own.clone()));
            }
            let Some(other) = decisions.first() else {
                return Ok(None);
            };
            let number = self.rng.below(other.options.len());
            let action = other.options.nth(number);
            let done = game.apply(self.worker.rules_mut(), other.player, action);
            done.map_err(|fault| CaseError::silent(fault.to_string()))?;
            self.send_events();
        }
        Ok(None)
    }

    /// Sends the events so far if the bot wants events.
    fn send_events(&mut self) {
        let Some(game) = &mut self.game else {
            return;
        };
        let events = game.take_events();
        let view = game.view(self.me);
        for event in events.iter().filter_map(|event| view.redact_for(event)) {
            if let Some(message) = self.codec.saw(&view, &event, true) {
                self.transport.notify(&message);
            }
        }
    }

    /// Returns the next question without sending it.
    pub(super) fn question(&mut self) -> Result<SentQuestion, CaseError> {
        let decision = self.decision()?;
        self.question_of(decision.options)
    }

    /// Returns a question for the bot's next decision with the given options.
    pub(super) fn question_of(&mut self, options: Options) -> Result<SentQuestion, CaseError> {
        let Some(game) = &self.game else {
            return Err(CaseError::silent("no game in progress"));
        };
        let view = game.view(self.me);
        let unsaid = self.codec.unsaid(&view);
        let question = self.codec.question(&view, &options);
        self.send(unsaid);
        let Ok(Question::Ask(message)) = question else {
            return Err(CaseError::silent(
                "the protocol has no message for this decision",
            ));
        };
        let number = id_of(&parsed(&message.body)).unwrap_or_default();
        Ok(SentQuestion {
            message,
            id: number,
            number,
            options,
        })
    }

    /// Sends the next question and applies the answer.
    pub(super) fn ask(&mut self) -> Result<(), CaseError> {
        let asked = self.question()?;
        let said = self.answer(&asked, None)?;
        self.carry_out(&asked, &said)
    }

    /// Sends a question and waits for a line with its id. A line with the id of the earlier
    /// question `late` is not reported as surplus.
    pub(super) fn answer(
        &mut self,
        asked: &SentQuestion,
        late: Option<i64>,
    ) -> Result<String, CaseError> {
        if Instant::now() >= self.until {
            return Err(CaseError::silent(
                "too slow: reached the time limit of the case",
            ));
        }
        let ids = &self.ids;
        let surplus = &mut self.surplus;
        let foreign = self.foreign;
        let before = surplus.len();
        let mut wrong_id = None;
        let mut is_answer = |line: &str, early: bool| {
            let value = parsed(line);
            let id = id_of(&value);
            if !early && id != Some(asked.id) && (id.is_none() || id != late) {
                let shown = |raw: &Value| match id {
                    Some(id) => id.to_string(),
                    None => quoted(&raw.to_string()),
                };
                wrong_id = wrong_id.take().or(value.get("id").map(shown));
            }
            let is_known = |id: i64| id == asked.id || ids.contains(&id) || Some(id) == foreign;
            let is_other = id.is_some_and(|id| !is_known(id));
            if !early && (id == Some(asked.id) || (is_other && id != late)) {
                return true;
            }
            if id.is_none() || id != late {
                surplus.push(Surplus {
                    id,
                    text: line.to_owned(),
                });
            }
            false
        };
        let heard = self.transport.ask(asked.message.clone(), &mut is_answer);
        self.ids.insert(asked.id);
        let said = heard.map_err(|error| match wrong_id {
            Some(found) if error.kind == FaultKind::Hung => self.old_id(asked.id, &found, before),
            _ => self.no_answer(error, before),
        })?;
        match id_of(&parsed(&said)) {
            Some(id) if id == asked.id => Ok(said),
            Some(id) => {
                let text = format!("expected `id` {}, found {id}", asked.id);
                Err(CaseError::new(CaseErrorKind::Id, text))
            }
            None => Err(CaseError::in_answer(format!(
                "missing `id` in {}",
                quoted(&said)
            ))),
        }
    }

    /// Returns the error for a missing answer to question `id`, to which the bot replied with the
    /// id `found`. Drops the surplus lines at or after index `before`.
    fn old_id(&mut self, id: i64, found: &str, before: usize) -> CaseError {
        self.game = None;
        self.surplus.truncate(before);
        let text = format!("expected `id` {id}, found {found}");
        CaseError::new(CaseErrorKind::OldId, text)
    }

    /// Returns the error for a missing answer. Includes the first surplus line at or after index
    /// `before`, if there is one.
    fn no_answer(&mut self, error: WireError, before: usize) -> CaseError {
        self.game = None;
        let mut lines = self.surplus.drain(before.min(self.surplus.len())..);
        let text = match lines.next() {
            Some(first) => format!("{}; found {} instead", error.text, first.quoted()),
            None => error.text,
        };
        CaseError::silent(text)
    }

    /// Parses an answer and applies it if the question's options contain it.
    pub(super) fn carry_out(&mut self, asked: &SentQuestion, said: &str) -> Result<(), CaseError> {
        let Some(game) = &mut self.game else {
            return Ok(());
        };
        let view = game.view(self.me);
        let mut own = parsed(said);
        if asked.id != asked.number {
            own["id"] = asked.number.into();
        }
        // Unchanged messages are parsed in their original form to detect duplicate keys.
        let read = if asked.id == asked.number {
            self.codec.answer(&view, &asked.options, said)
        } else {
            self.codec.answer(&view, &asked.options, &own.to_string())
        };
        let answer =
            read.map_err(|wrong| CaseError::in_answer(format!("{wrong}; found {}", quoted(said))))?;
        let steps = match answer {
            Answer::One(action) => vec![action],
            Answer::Steps(steps) => steps,
        };
        let words = Words::new(view.board(), view.decl());
        for (index, action) in steps.into_iter().enumerate() {
            let own = |one: &&Decision| one.player == self.me;
            let options = match game.decisions().iter().find(own) {
                _ if index == 0 => &asked.options,
                Some(own) => &own.options,
                None => break,
            };
            if let Err(why) = options.admit(action) {
                // The remaining steps are dropped if a die roll has made a step impossible.
                if index > 0 {
                    break;
                }
                return Err(CaseError::in_answer(words.refusal(options, action, why)));
            }
            let done = game.apply(self.worker.rules_mut(), self.me, action);
            done.map_err(|fault| CaseError::silent(fault.to_string()))?;
        }
        self.send_events();
        Ok(())
    }

    pub(super) fn report_fault(&mut self, kind: FaultKind, text: &str) {
        if let Some(game) = &self.game {
            let strike = Strike {
                kind,
                text,
                number: 1,
            };
            let message = self.codec.faulted(&game.view(self.me), &strike);
            self.send(message);
        }
    }

    /// Returns a message with an event, which bots only receive if they want events.
    pub(super) fn events(&self) -> Option<Message> {
        let game = self.game.as_ref()?;
        let mut codec = self.endpoint.protocol.codec(self.worker.decl()).ok()?;
        codec
            .greeted(r#"{"protocol": 1, "wants": ["events"]}"#)
            .ok()?;
        codec.start(&[], self.rng.clone());
        let view = game.view(self.me);
        let event = Event::Said {
            player: None,
            text: "news".to_owned(),
        };
        let message = codec
            .saw(&view, &event, true)
            .or_else(|| codec.unsaid(&view));
        Some(with_key(&message?, "game", self.games.into()))
    }

    /// Sends a message between two questions. Returns the first line that the bot sends in reply.
    /// Lines that the bot sends after every question are not included, because another case tests
    /// them.
    pub(super) fn said_to(
        &mut self,
        message: Option<Message>,
    ) -> Result<Option<String>, CaseError> {
        let before = self.surplus.len();
        self.ask()?;
        let usual = self.strange(before);
        let before = self.surplus.len();
        self.foreign = message
            .as_ref()
            .and_then(|message| id_of(&parsed(&message.body)));
        self.send(message);
        let asked = self.ask();
        let found = self.strange(before);
        let more = found > usual;
        let mut behind = self.surplus.iter().skip(before);
        let first = behind.find(|line| self.is_strange(line));
        let said = first.filter(|_| more).map(Surplus::quoted);
        if more {
            self.surplus.truncate(before);
        }
        asked.map(|()| said)
    }

    /// Returns the number of surplus lines from index `from` without the id of a known question.
    fn strange(&self, from: usize) -> usize {
        let lines = self.surplus.iter().skip(from);
        lines.filter(|line| self.is_strange(line)).count()
    }

    fn is_strange(&self, line: &Surplus) -> bool {
        line.id.is_none_or(|id| !self.ids.contains(&id))
    }

    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.rng.below(bound)
    }

    pub(super) fn decl(&self) -> &risk_kernel::declare::Declaration {
        self.worker.decl()
    }

    pub(super) fn leave_unanswered(&mut self, asked: &SentQuestion) -> Result<(), CaseError> {
        if self.is_in_lines() {
            self.send(Some(asked.message.clone()));
            self.ids.insert(asked.id);
            return Ok(());
        }
        self.answer(asked, None).map(drop)
    }

    pub(super) fn bye(&mut self) {
        let bye = self.codec.bye();
        self.send(bye);
    }

    /// Ends the conversation and returns the bot's behaviour afterwards.
    pub(super) fn part(&mut self) -> Result<Option<ExitReport>, CaseError> {
        if !self.transport.is_heard() {
            self.new_game()?;
        }
        self.end_game();
        self.bye();
        Ok(self.transport.part())
    }
}
