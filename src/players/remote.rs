//! A bot that is an HTTP server: it is asked and told as the Hacker Risk arena does it.

use std::io;
use std::time::Duration;

use serde_json::Value;
use ureq::Agent;

use super::hacker_risk::{self, Encoding, Told, Words};
use crate::kernel::action::Options;
use crate::kernel::declare::Declaration;
use crate::kernel::event::{Event, Status};
use crate::kernel::fault::{BotFault, FaultKind};
use crate::kernel::rng::Stream;
use crate::kernel::view::View;
use crate::kernel::{Answer, Bot, words};
use crate::script::ScriptFault;

/// The longest answer that is read, in bytes.
const LONGEST: u64 = 256 << 10;
/// How much of an answer is quoted in a fault, in characters.
const QUOTED: usize = 300;
/// How long it may take to hear what others did. Nobody waits for a bot that is slow to listen.
const HEARING: Duration = Duration::from_secs(1);

/// Where a bot is, and how it wants to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// `http://host:port/path`, without a slash at its end.
    pub url: String,
    /// How requests are encoded.
    pub encoding: Encoding,
    /// How long an answer may take.
    pub timeout: Duration,
}

/// A bot over HTTP, for one thread's games.
pub(super) struct Remote {
    at: Address,
    agent: Agent,
    words: Words,
    told: Told,
    errors: u32,
    /// Did it fail to listen? It is told nothing until it has answered again.
    deaf: bool,
}

/// What came back.
struct Reply {
    status: u16,
    text: String,
}

impl Remote {
    /// Looks whether the bot is there.
    pub(super) fn reach(at: &Address, decl: &Declaration) -> Result<Self, Vec<ScriptFault>> {
        let words = Words::of(decl).map_err(|text| {
            let text = format!("bots over HTTP can't play {}: {text}", decl.name);
            let help = "they speak the protocol of Hacker Risk: play hasbro, or a ruleset that extends it";
            vec![ScriptFault::new("bot::protocol", text).help(help)]
        })?;
        let agent = Agent::config_builder()
            .timeout_global(Some(at.timeout))
            // An answer that sends us elsewhere is none.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .proxy(None)
            .user_agent(concat!("risk-cli/", env!("CARGO_PKG_VERSION")))
            .build();
        let remote = Self { at: at.clone(), agent: agent.into(), words, told: Told::default(), errors: 0, deaf: false };
        match remote.get("status") {
            Ok(Reply { status: 200, .. }) => Ok(remote),
            Ok(Reply { status, .. }) => {
                let text = format!("the bot at {} answers GET /status with {status}, not 200", at.url);
                Err(vec![ScriptFault::new("bot::unreachable", text).help("is it ready, and is the address right?")])
            }
            Err((_, text)) => {
                let text = format!("the bot at {} is not there: {text}", at.url);
                Err(vec![ScriptFault::new("bot::unreachable", text).help("start it first; is the address right?")])
            }
        }
    }

    fn get(&self, path: &str) -> Result<Reply, (FaultKind, String)> {
        read(self.agent.get(format!("{}/{path}", self.at.url)).call(), self.at.timeout)
    }

    fn post(&self, path: &str, state: &Value, timeout: Duration) -> Result<Reply, (FaultKind, String)> {
        let (body, kind) = self.at.encoding.body(state);
        let request = self.agent.post(format!("{}/{path}", self.at.url)).content_type(kind);
        read(request.config().timeout_global(Some(timeout)).build().send(&body), timeout)
    }

    /// Tells the bot how things are.
    fn tell(&mut self, view: &View) {
        if self.deaf || view.status(view.me()) != Status::Playing {
            return;
        }
        let state = hacker_risk::state(&self.words, view, &self.told, &[]);
        // What it says to that does not matter.
        self.deaf = self.post("not_turn", &state, self.at.timeout.min(HEARING)).is_err();
    }

    fn ask(&mut self, view: &View, ask: &Options, available: &[&str]) -> Result<Answer, (FaultKind, String)> {
        let state = hacker_risk::state(&self.words, view, &self.told, available);
        let Reply { status, text } = self.post("turn", &state, self.at.timeout)?;
        self.deaf = false;
        if status != 200 {
            return Err((FaultKind::Connection, format!("the bot answered with status {status}: {}", quoted(&text))));
        }
        let answer = hacker_risk::answer(&self.words, view, ask, &text, available);
        answer.map_err(|wrong| (FaultKind::Illegal, format!("{wrong}; the answer was {}", quoted(&text))))
    }
}

/// Reads a reply to its end, but not further than its limit.
fn read(
    reply: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    timeout: Duration,
) -> Result<Reply, (FaultKind, String)> {
    let failed = |error: ureq::Error| match error {
        ureq::Error::Timeout(_) => (FaultKind::Timeout, format!("no answer within {} ms", timeout.as_millis())),
        ureq::Error::BodyExceedsLimit(_) => {
            (FaultKind::Connection, format!("the answer has more than {LONGEST} bytes"))
        }
        // In words of our own, so that the same fault is told alike on every system.
        ureq::Error::LargeResponseHeader(..) => {
            (FaultKind::Connection, "the head of the answer is too large".to_owned())
        }
        ureq::Error::Io(error) => (FaultKind::Connection, broken(&error).to_owned()),
        other => (FaultKind::Connection, format!("no answer: {other}")),
    };
    let mut reply = reply.map_err(failed)?;
    let status = reply.status().as_u16();
    let text = reply.body_mut().with_config().limit(LONGEST).read_to_vec().map_err(failed)?;
    let text =
        String::from_utf8(text).map_err(|_| (FaultKind::Connection, "the answer is not UTF-8 text".to_owned()))?;
    Ok(Reply { status, text })
}

/// A text in which whatever could steer a terminal is spelled out.
pub(super) fn tame(text: &str) -> String {
    let steers = |c: char| {
        c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
    };
    text.chars().map(|c| if steers(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

fn broken(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "nobody listens there",
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => "there is no way there",
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => "the connection broke off before the answer was through",
        _ => "the connection failed",
    }
}

/// The beginning of an answer, in one line.
fn quoted(text: &str) -> String {
    let more = if text.chars().count() > QUOTED { " …" } else { "" };
    format!("`{}`{more}", tame(&text.chars().take(QUOTED).collect::<String>()))
}

impl Bot for Remote {
    fn meet(&mut self, names: &[String]) {
        self.told.names = names.to_vec();
    }

    fn start(&mut self, view: &View, mut luck: Stream) {
        // Chance makes the word for a game, so that it is the same whenever the game is played again.
        let uid = format!("{:016x}{:016x}", luck.word(), luck.word());
        let names = std::mem::take(&mut self.told.names);
        let seats = (1..=view.players()).map(|seat| format!("player {seat}"));
        let names = if names.len() == view.players() { names } else { seats.collect() };
        self.told = Told { names, uid, ..Told::default() };
        (self.errors, self.deaf) = (0, false);
        // One that is not there any more shows itself when it is asked.
        let _ = self.get("status");
    }

    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault> {
        let Some(available) = self.words.available(view, ask) else {
            let unasked = self.words.unasked(ask).map(Answer::One);
            return unasked.ok_or_else(|| {
                BotFault::strike(FaultKind::Illegal, "the protocol has no words for what is to be decided here")
            });
        };
        self.ask(view, ask, &available).map_err(|(kind, text)| BotFault::strike(kind, text))
    }

    fn listens(&self) -> bool {
        true
    }

    fn saw(&mut self, view: &View, event: &Event) {
        let (who, said) = match event {
            Event::Answered { who, action, .. } => {
                let name = &self.told.names[who.index()];
                (*who, format!("{name}: {}", words::Words::new(view.board(), view.decl()).action(*action)))
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

    fn finish(&mut self, view: &View) {
        self.tell(view);
    }
}
