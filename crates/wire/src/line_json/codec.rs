//! The program's side of the protocol.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::VERSION;
use super::answer::{self, LONGEST_FAULT};
use super::game::game;
use super::message::{Ask, ClockOut, ProgramMessage as Line, Want};
use super::offers::Lexicon;
use super::state::{State, state};
use crate::ProtocolError;
use crate::codec::{AnswerError, Codec, GameOver, Message, Question};
use crate::json::{parse_unique_keys, unfit, whole_number};
use crate::quote::brief;
use risk_engine::TimeLeft;
use risk_kernel::action::Options;
use risk_kernel::declare::Declaration;
use risk_kernel::event::Event;
use risk_kernel::id::{Phase, Player};
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, OptionalPhases, Plans, Preferences, Strike};

/// The maximum number of events in one message.
const MOST_EVENTS: usize = 256;

pub(super) struct LineJson {
    decl: Arc<Declaration>,
    names: Vec<String>,
    /// The player's own random stream in this game.
    stream: Option<Stream>,
    /// The number of games so far, including the current game.
    games: u64,
    /// The id of the last question.
    id: u64,
    /// Events that have not been sent yet. Empty if the bot does not want events.
    events: Vec<Event>,
    /// Whether the bot has stated its preferences.
    greeted: bool,
    wants: Vec<Want>,
    /// The optional phases in which the bot wants to decide.
    phases: Vec<Phase>,
    clock: Option<TimeLeft>,
}

impl LineJson {
    /// Creates a codec for a bot that has not received any messages.
    pub(super) fn new(decl: &Declaration) -> Self {
        Self {
            decl: Arc::new(decl.clone()),
            names: Vec::new(),
            stream: None,
            games: 0,
            id: 0,
            events: Vec::new(),
            greeted: false,
            wants: Vec::new(),
            phases: Vec::new(),
            clock: None,
        }
    }

    fn wants(&self, want: Want) -> bool {
        self.wants.contains(&want)
    }

    /// Returns the state for messages other than questions.
    fn state<'a>(&self, view: &'a View) -> State<'a> {
        let lexicon = lexicon(view).with_indices(self.wants(Want::Indices));
        state(view, lexicon, self.wants(Want::Course))
    }
}

pub(super) fn hello() -> Message {
    line(&Line::Hello {
        protocol: VERSION,
        program: format!("risk-cli {}", risk_engine::VERSION),
    })
}

fn line(message: &Line<'_>) -> Message {
    let body = serde_json::to_string(message).expect("a message is plain data");
    Message {
        path: "",
        body,
        content_type: "application/json",
    }
}

pub(super) fn lexicon(view: &View) -> Lexicon<'_> {
    Lexicon::new(view.board(), view.decl())
}

impl Codec for LineJson {
    fn greeted(&mut self, text: &str) -> Result<(), AnswerError> {
        let hello = parse_unique_keys(text, "answer to `hello`")?;
        if let Some(why) = hello.get("refuses").filter(|why| !why.is_null()) {
            if why.to_string().len() > LONGEST_FAULT {
                return Err(format!("`refuses` exceeds {LONGEST_FAULT} bytes").into());
            }
            let read = serde_json::from_value(why.clone());
            let why = read.map_err(|error| format!("invalid `refuses`: {error}"))?;
            return Err(AnswerError::Refused(why));
        }
        let version = hello
            .get("protocol")
            .ok_or("missing `protocol` in the answer to `hello`")?;
        if whole_number(version) != Some(i64::from(VERSION)) {
            return Err(format!(
                "expected version {VERSION} of the protocol, found {}",
                brief(&version.to_string())
            )
            .into());
        }
        let list = |key| match hello.get(key) {
            None | Some(Value::Null) => Ok(&[][..]),
            Some(Value::Array(list)) => Ok(&list[..]),
            other => Err(unfit(key, "a list", other)),
        };
        let (wants, phases) = (list("wants")?, list("phases")?);
        // Wants from later versions are ignored, and so are phases of other rulesets.
        let has = |want: &Want| wants.iter().any(|wanted| wanted == want.as_str());
        self.greeted = true;
        self.wants = Want::ALL.into_iter().filter(has).collect();
        let phases = phases.iter().filter_map(Value::as_str);
        self.phases = phases.filter_map(|name| self.decl.phase(name)).collect();
        Ok(())
    }

    fn start(&mut self, names: &[String], rng: Stream) {
        self.names = names.to_vec();
        self.stream = Some(rng);
        self.games += 1;
        self.events.clear();
    }

    fn has_left(&mut self, clock: TimeLeft) {
        self.clock = Some(clock);
    }

    fn game(&mut self, view: &View, resumed: bool) -> Option<Message> {
        let game = game(lexicon(view), view, &self.names);
        let stream = self.stream.clone()?;
        let has_course = self.wants(Want::Course);
        Some(line(&Line::Game(Box::new(super::message::Game {
            game: self.games,
            resumed,
            // JavaScript can represent every integer below 2^53.
            seed: stream.clone().word() >> 11,
            stream: has_course.then(|| stream_words(&stream)),
            state: has_course.then(|| self.state(view)),
            clock: self.clock.map(|clock| ClockOut {
                bank: millis(clock.control.bank),
                r#move: millis(clock.control.per_move),
            }),
            ..game
        }))))
    }

    fn question(&mut self, view: &View, options: &Options) -> Result<Question, ProtocolError> {
        let frame = *view.frame().ok_or("no decision is open")?;
        self.id += 1;
        let lexicon = lexicon(view).with_indices(self.wants(Want::Indices));
        let ask = Ask {
            game: self.games,
            id: self.id,
            phase: Cow::Borrowed(&lexicon.decl.phases[frame.phase.index()].name),
            args: frame.args,
            state: self.state(view),
            options: lexicon.offers(options),
            count: options.len(),
            plans: self.wants(Want::Plans).then(|| lexicon.plans(options)),
            actions: self.wants(Want::Actions).then(|| lexicon.actions(options)),
            time: self.clock.map(|clock| millis(clock.left)),
        };
        Ok(Question::Ask(line(&Line::Ask(Box::new(ask)))))
    }

    fn is_answer(&mut self, text: &str, early: bool) -> bool {
        !early && !answer::is_for_another(self.id, text)
    }

    fn answer(&mut self, view: &View, _: &Options, text: &str) -> Result<Answer, AnswerError> {
        answer::answer(lexicon(view), self.id, text)
    }

    fn preferences(&self) -> Preferences<'_> {
        Preferences {
            plans: if self.wants(Want::Plans) {
                Plans::Beside
            } else {
                Plans::Ignored
            },
            optional: OptionalPhases::These(&self.phases),
            // A bot might want events until its greeting says otherwise.
            listens: self.wants(Want::Events) || !self.greeted,
        }
    }

    fn saw(&mut self, view: &View, event: &Event, is_heard: bool) -> Option<Message> {
        if !is_heard || !self.wants(Want::Events) {
            return None;
        }
        if self.wants(Want::States) {
            return Some(line(&Line::Events {
                game: self.games,
                events: vec![lexicon(view).event(event)],
                state: Some(Box::new(self.state(view))),
            }));
        }
        self.events.push(event.clone());
        let is_full = self.events.len() >= MOST_EVENTS;
        is_full.then(|| self.unsaid(view)).flatten()
    }

    fn faulted(&mut self, view: &View, strike: &Strike<'_>) -> Option<Message> {
        let limit = view.decl().strikes.limit;
        Some(line(&Line::Fault {
            game: self.games,
            id: self.id,
            code: strike.kind.as_str(),
            text: strike.text.to_owned(),
            left: (limit > 0).then(|| limit.saturating_sub(strike.number)),
        }))
    }

    fn unsaid(&mut self, view: &View) -> Option<Message> {
        if self.events.is_empty() {
            return None;
        }
        let lexicon = lexicon(view);
        let events = self.events.iter().map(|event| lexicon.event(event));
        let message = line(&Line::Events {
            game: self.games,
            events: events.collect(),
            state: None,
        });
        self.events.clear();
        Some(message)
    }

    fn finish(&mut self, view: &View, over: GameOver<'_>, is_heard: bool) -> Option<Message> {
        is_heard.then(|| {
            let place = |outcome: &Outcome, seat: usize| {
                let mut ranks = outcome.ranking.iter();
                let rank = ranks.find(|rank| rank.player == Player::from_index(seat));
                rank.map_or(0, |rank| rank.place)
            };
            let seats = 0..view.players();
            let outcome = over.outcome;
            let winners = outcome.map(|outcome| outcome.winners.iter());
            line(&Line::Over {
                game: self.games,
                ranks: outcome.map(|outcome| seats.map(|seat| place(outcome, seat)).collect()),
                winners: winners
                    .into_iter()
                    .flatten()
                    .map(|player| player.index())
                    .collect(),
                scores: over.scores.to_vec(),
                reason: outcome.map_or_else(|| "stopped".to_owned(), |over| over.reason.clone()),
                state: self.wants(Want::Course).then(|| Box::new(self.state(view))),
            })
        })
    }

    fn bye(&self) -> Option<Message> {
        Some(line(&Line::Bye))
    }
}

/// Returns the state of a random stream's generator as words of 16 digits each.
fn stream_words(stream: &Stream) -> String {
    let generator = serde_json::to_value(stream.generator()).expect("a generator is plain data");
    let words = generator["s"].as_array().into_iter().flatten();
    let digits = words.map(|word| format!("{:016x}", word.as_u64().unwrap_or(0)));
    digits.collect::<Vec<_>>().concat()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
