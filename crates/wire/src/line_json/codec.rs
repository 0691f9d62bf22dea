//! The program's side of the protocol: what a bot is asked and told in the course of a game.

use std::time::Duration;

use serde_json::Value;

use super::VERSION;
use super::answer;
use super::game::game;
use super::message::{Ask, ClockOut, Message as Line, Want};
use super::offers::Lexicon;
use super::state::state;
use crate::codec::{Codec, GameOver, Message, Question};
use crate::json::{parse_unique_keys, whole_number};
use crate::quote::brief;
use risk_kernel::action::Options;
use risk_kernel::event::Event;
use risk_kernel::fault::FaultKind;
use risk_kernel::id::Player;
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, TimeLeft};

/// How many events are told at once.
const MOST_EVENTS: usize = 256;

/// What is said to one bot.
#[derive(Default)]
pub(super) struct LineJson {
    names: Vec<String>,
    seed: u64,
    /// How many games there were, this one among them.
    games: u64,
    /// The id of the last question.
    id: u64,
    /// Events that are not told yet, if they are wanted.
    events: Vec<Event>,
    /// Has the bot said what it wants?
    greeted: bool,
    wants_events: bool,
    wants_actions: bool,
    clock: Option<TimeLeft>,
}

/// The first message of a connection.
pub(super) fn hello() -> Message {
    line(&Line::Hello {
        protocol: VERSION,
        program: concat!("risk-cli ", env!("CARGO_PKG_VERSION")),
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
    Lexicon {
        board: view.board(),
        decl: view.decl(),
    }
}

impl Codec for LineJson {
    fn greeted(&mut self, text: &str) -> Result<(), String> {
        let hello = parse_unique_keys(text, "answer to `hello`")?;
        let version = hello
            .get("protocol")
            .ok_or("the bot's `hello` has no `protocol`")?;
        if whole_number(version) != Some(i64::from(VERSION)) {
            return Err(format!(
                "the bot speaks version {} of the protocol, and this program version {VERSION}",
                brief(&version.to_string())
            ));
        }
        let wants = match hello.get("wants") {
            None | Some(Value::Null) => &[][..],
            Some(Value::Array(wants)) => wants,
            Some(_) => return Err("`wants` in the bot's `hello` is not a list".to_owned()),
        };
        // What a later version may bring is left alone.
        let has = |want: &str| wants.iter().any(|wanted| wanted == want);
        self.greeted = true;
        self.wants_events = has(Want::Events.as_str());
        self.wants_actions = has(Want::Actions.as_str());
        Ok(())
    }

    fn start(&mut self, names: &[String], mut rng: Stream) {
        self.names = names.to_vec();
        // Every number below 2^53 is a number of JavaScript too.
        self.seed = rng.word() >> 11;
        self.games += 1;
        self.events.clear();
    }

    fn has_left(&mut self, clock: TimeLeft) {
        self.clock = Some(clock);
    }

    fn game(&mut self, view: &View, resumed: bool) -> Option<Message> {
        let game = game(lexicon(view), view, &self.names);
        Some(line(&Line::Game(Box::new(super::message::Game {
            game: self.games,
            resumed,
            seed: self.seed,
            clock: self.clock.map(|clock| ClockOut {
                bank: millis(clock.control.bank),
                r#move: millis(clock.control.per_move),
            }),
            ..game
        }))))
    }

    fn question(&mut self, view: &View, options: &Options) -> Result<Question, String> {
        let frame = *view.frame().ok_or("nothing is asked")?;
        self.id += 1;
        let lexicon = lexicon(view);
        let ask = Ask {
            game: self.games,
            id: self.id,
            phase: &lexicon.decl.phases[frame.phase.index()].name,
            args: frame.args,
            state: state(view, lexicon),
            options: lexicon.offers(options),
            count: options.len(),
            actions: self.wants_actions.then(|| lexicon.actions(options)),
            time: self.clock.map(|clock| millis(clock.left)),
        };
        Ok(Question::Ask(line(&Line::Ask(Box::new(ask)))))
    }

    fn is_answer(&mut self, text: &str, early: bool) -> bool {
        !early && !answer::is_for_another(self.id, text)
    }

    fn answer(&mut self, view: &View, _: &Options, text: &str) -> Result<Answer, String> {
        answer::answer(lexicon(view), self.id, text)
    }

    fn listens(&self) -> bool {
        self.wants_events || !self.greeted
    }

    fn saw(&mut self, view: &View, event: &Event, is_heard: bool) -> Option<Message> {
        if !is_heard || !self.wants_events {
            return None;
        }
        self.events.push(event.clone());
        let is_full = self.events.len() >= MOST_EVENTS;
        is_full.then(|| self.unsaid(view)).flatten()
    }

    fn faulted(
        &mut self,
        view: &View,
        kind: FaultKind,
        text: &str,
        strikes: u32,
    ) -> Option<Message> {
        let limit = view.decl().strikes.limit;
        Some(line(&Line::Fault {
            game: self.games,
            id: self.id,
            code: kind.as_str(),
            text: text.to_owned(),
            left: (limit > 0).then(|| limit.saturating_sub(strikes)),
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
            })
        })
    }

    fn bye(&self) -> Option<Message> {
        Some(line(&Line::Bye))
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
