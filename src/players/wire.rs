//! How bots over HTTP are reached: requests with limits on everything that may come back.

use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ipnet::IpNet;
use serde_json::Value;
use ureq::Agent;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};

use super::callback::Dialect;
use super::hacker_risk::Encoding;
use crate::kernel::fault::{Exchange, FaultKind};
use crate::text::escape_control;

/// The longest answer that is read, in bytes.
const LONGEST: u64 = 256 << 10;
/// How long a connection is kept on which nothing is said.
const IDLE: Duration = Duration::from_secs(1);
/// How much of an answer is quoted in a fault, in characters.
const QUOTED: usize = 300;
/// How much of one word of it is, in characters.
const WORD: usize = 60;
/// How long it may take to hear what others did. Nobody waits for a bot that is slow to listen.
const HEARING: Duration = Duration::from_secs(1);

/// What is spoken with a bot over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The protocol of the Hacker Risk arena, in an encoding.
    HackerRisk(Encoding),
    /// The protocol of the callback arena, in a dialect.
    Callback(Dialect),
}

impl Protocol {
    /// How a bot was asked, and how that is set: for a bot whose first answers are none.
    fn hint(self) -> String {
        let (key, word, others) = match self {
            Self::HackerRisk(encoding) => (
                "encoding",
                encoding.word(),
                Encoding::ALL.map(Encoding::word).to_vec(),
            ),
            Self::Callback(dialect) => (
                "dialect",
                dialect.word(),
                Dialect::ALL.map(Dialect::word).to_vec(),
            ),
        };
        let others = others
            .iter()
            .filter(|other| **other != word)
            .map(|other| format!("{key}={other}"));
        let others = others.collect::<Vec<_>>().join(" or ");
        format!(" (it was asked with {key}={word}; if it reads another, set {others})")
    }
}

/// How long an arena may take to let a bot join: it looks for the bot meanwhile.
const JOINING: Duration = Duration::from_secs(20);

/// Where bots may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Networks {
    /// May they be on this machine, at its loopback addresses?
    pub loopback: bool,
    /// Networks beside it.
    pub others: Vec<IpNet>,
}

impl Networks {
    /// May a bot be at this address?
    #[must_use]
    pub fn allow(&self, at: IpAddr) -> bool {
        let at = at.to_canonical();
        // Whoever asks the address that stands for all of them reaches this machine.
        let own = at.is_loopback() || at.is_unspecified();
        if own {
            self.loopback && at.is_loopback()
        } else {
            self.others.iter().any(|net| net.contains(&at))
        }
    }
}

/// Where a bot is, and how it wants to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// `http://host:port/path`, without a slash at its end.
    pub url: String,
    /// How it is spoken to.
    pub speaks: Protocol,
    /// How long an answer may take.
    pub timeout: Duration,
    /// The only networks that it may be in; anywhere when left out.
    pub within: Option<Arc<Networks>>,
    /// Is it looked for before a match? Otherwise one that is gone shows itself when it is asked.
    pub probed: bool,
}

impl Address {
    /// Is this the address of a server: `http://`, a host, and perhaps a port and a path?
    #[must_use]
    pub fn is_url(url: &str) -> bool {
        let place = url.strip_prefix("http://").unwrap_or_default();
        let host = place.split('/').next().unwrap_or_default();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._~/:[]%".contains(c);
        !host.is_empty()
            && !host.starts_with(':')
            && place.chars().all(plain)
            && url.parse::<Uri>().is_ok()
    }
}

/// What came back.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) text: String,
}

/// A fault, and its kind.
pub(super) type WireError = (FaultKind, String);

/// One bot's connection.
pub(super) struct HttpClient {
    pub(super) at: Address,
    agent: Agent,
    last: Option<Exchange>,
    /// Did it fail to listen? It is told nothing until it has answered again.
    deaf: bool,
    /// Is there a connection that was used before?
    warm: bool,
    /// Has it ever answered as it should?
    answered: bool,
}

impl HttpClient {
    pub(super) fn new(at: &Address) -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(at.timeout))
            // An answer that sends us elsewhere is none.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            // Some servers close a quiet connection after two seconds.
            .max_idle_age(IDLE)
            .proxy(None)
            .user_agent(concat!("risk-cli/", env!("CARGO_PKG_VERSION")))
            .build();
        let guide = PinnedResolver {
            within: at.within.clone(),
            finder: DefaultResolver::default(),
            found: OnceLock::new(),
        };
        let agent = Agent::with_parts(config, DefaultConnector::default(), guide);
        Self {
            at: at.clone(),
            agent,
            last: None,
            deaf: false,
            warm: false,
            answered: false,
        }
    }

    pub(super) fn get(&mut self, path: &str) -> Result<Reply, WireError> {
        let came = read(
            self.agent.get(format!("{}/{path}", self.at.url)).call(),
            self.at.timeout,
        );
        self.warm = came.is_ok();
        let (bytes, status) = came?;
        Ok(Reply {
            status,
            text: text(bytes)?,
        })
    }

    fn post(
        &mut self,
        path: &str,
        (body, kind): (&str, &str),
        timeout: Duration,
    ) -> Result<(Vec<u8>, u16), WireError> {
        let began = Instant::now();
        let once = |left: Duration| {
            let request = self
                .agent
                .post(format!("{}/{path}", self.at.url))
                .content_type(kind);
            read(
                request
                    .config()
                    .timeout_global(Some(left))
                    .build()
                    .send(body),
                timeout,
            )
        };
        let mut came = once(timeout);
        // A server may close a connection behind an answer, and we hear of that only with the next
        // request.
        if self.warm && came.as_ref().is_err_and(|(_, text)| text == BROKEN) {
            came = once(
                timeout
                    .saturating_sub(began.elapsed())
                    .max(Duration::from_millis(1)),
            );
        }
        self.warm = came.is_ok();
        came
    }

    /// Asks the bot, and keeps what was said.
    pub(super) fn ask(
        &mut self,
        path: &str,
        (body, kind): (String, &str),
    ) -> Result<String, WireError> {
        let came = self.post(path, (&body, kind), self.at.timeout);
        let answer = came
            .as_ref()
            .map(|(bytes, _)| String::from_utf8_lossy(bytes).into_owned())
            .unwrap_or_default();
        self.last = Some(Exchange {
            request: body,
            answer,
        });
        // A bot that is asked in words which it does not know falls over, or says that it is no
        // good request.
        let hint = if self.answered {
            String::new()
        } else {
            self.at.speaks.hint()
        };
        let (bytes, status) = came.map_err(|(kind, text)| {
            let hint = if text == BROKEN { hint.as_str() } else { "" };
            (kind, format!("{text}{hint}"))
        })?;
        self.deaf = false;
        let text = text(bytes)?;
        if status == 200 {
            self.answered = true;
            return Ok(text);
        }
        let hint = if status >= 400 { hint.as_str() } else { "" };
        Err((
            FaultKind::Connection,
            format!(
                "the bot answered with status {status}{hint}: {}",
                quoted(&text)
            ),
        ))
    }

    /// Tells the bot something. What it says to that does not matter.
    pub(super) fn tell(&mut self, path: &str, (body, kind): (String, &str)) {
        if !self.deaf {
            self.deaf = self
                .post(path, (&body, kind), self.at.timeout.min(HEARING))
                .is_err();
        }
    }

    /// A new game: what was before does not count any more.
    pub(super) fn begin(&mut self) {
        (self.last, self.deaf) = (None, false);
    }

    /// Is the bot thought not to listen?
    pub(super) fn is_deaf(&self) -> bool {
        self.deaf
    }

    /// What was last said.
    pub(super) fn exchange(&mut self) -> Option<Exchange> {
        self.last.clone()
    }
}

/// A bot that is not there: what a stranger may hear of that, and what whoever runs the program
/// may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotThere {
    /// Without a word of what was answered: whoever registers a bot may have named somebody else's
    /// server.
    pub told: String,
    /// The whole reason.
    pub why: String,
}

/// Looks whether a bot is there, as its protocol says.
///
/// # Errors
/// What it answers instead.
pub fn reach(at: &Address) -> Result<(), NotThere> {
    let mut wire = HttpClient::new(at);
    let url = &at.url;
    let gone = |(_, text): WireError| {
        let told = if text == ELSEWHERE {
            ELSEWHERE
        } else {
            "no answer in HTTP came"
        };
        NotThere {
            told: format!("the bot at {url} is not there: {told}"),
            why: format!("the bot at {url} is not there: {text}"),
        }
    };
    let path = match at.speaks {
        Protocol::HackerRisk(_) => "status",
        // This dialect has no words for it; any answer at all shows that somebody is there.
        Protocol::Callback(Dialect::Seed) => return wire.get("").map(drop).map_err(gone),
        Protocol::Callback(Dialect::Snow) => "areYouThere",
    };
    let Reply { status, text } = wire.get(path).map_err(gone)?;
    let (class, said) = (status / 100, quoted(&text));
    if status != 200 {
        return Err(NotThere {
            told: format!(
                "the bot at {url} answers GET /{path} with a status of the {class}00s, not with 200"
            ),
            why: format!("the bot at {url} answers GET /{path} with {status}, not 200: {said}"),
        });
    }
    let yes = text.trim().trim_matches('"').eq_ignore_ascii_case("yes");
    if path == "areYouThere" && !yes {
        return Err(NotThere {
            told: format!("the bot at {url} answers GET /{path} not with yes"),
            why: format!("the bot at {url} answers GET /{path} with {said}, not with yes"),
        });
    }
    Ok(())
}

/// Looks whether a bot's host is known and may be asked, without asking the bot.
///
/// # Errors
/// Why not.
pub fn find(at: &Address) -> Result<(), String> {
    let place = at
        .url
        .strip_prefix("http://")
        .unwrap_or(&at.url)
        .split('/')
        .next()
        .unwrap_or_default();
    let port = place
        .rsplit_once(':')
        .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let place = if port {
        place.to_owned()
    } else {
        format!("{place}:80")
    };
    let found: Vec<SocketAddr> = place
        .to_socket_addrs()
        .map_err(|_| format!("there is no host at {}", at.url))?
        .collect();
    let within = at.within.as_ref();
    if within.is_some_and(|within| !found.iter().all(|at| within.allow(at.ip()))) {
        return Err(format!("the bot at {} can't be asked: {ELSEWHERE}", at.url));
    }
    Ok(())
}

/// What is said of a bot outside the networks that are allowed.
const ELSEWHERE: &str =
    "bots may not be at that address here, unless the arena has --allow-callback for its network";

/// Registers a bot at an arena.
///
/// # Errors
/// What the arena says instead of yes.
pub fn join(at: &str, body: &Value) -> Result<(), String> {
    let speaks = Protocol::HackerRisk(Encoding::Raw);
    let at = Address {
        url: at.to_owned(),
        speaks,
        timeout: JOINING,
        within: None,
        probed: false,
    };
    let wire = HttpClient::new(&at);
    let (body, kind) = json(body);
    let sent = wire
        .agent
        .post(&at.url)
        .content_type(kind)
        .header("accept", "application/json")
        .send(&body);
    let (bytes, status) = read(sent, JOINING).map_err(|(_, text)| text)?;
    // Arenas elsewhere may say 201, or 204.
    let taken = (200..300).contains(&status);
    if taken {
        Ok(())
    } else {
        Err(format!(
            "{status} {}",
            quoted(&String::from_utf8_lossy(&bytes))
        ))
    }
}

/// JSON as a body.
pub(super) fn json(value: &Value) -> (String, &'static str) {
    (value.to_string(), "application/json")
}

/// Finds a bot's host once, and keeps to the networks that are allowed: looked at behind the name,
/// so that no name leads elsewhere, then or later.
#[derive(Debug)]
struct PinnedResolver {
    within: Option<Arc<Networks>>,
    finder: DefaultResolver,
    found: OnceLock<Vec<SocketAddr>>,
}

impl PinnedResolver {
    fn find(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<Vec<SocketAddr>, ureq::Error> {
        let found = self.finder.resolve(uri, config, timeout)?.to_vec();
        match &self.within {
            Some(within) if !found.iter().all(|at| within.allow(at.ip())) => {
                Err(ureq::Error::Other(Box::new(io::Error::other(ELSEWHERE))))
            }
            _ => Ok(found),
        }
    }
}

impl Resolver for PinnedResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        // Asked before every request, and each time it is really looked for costs a thread.
        let mut found = self.empty();
        match self.found.get() {
            Some(known) => known.iter().for_each(|at| found.push(*at)),
            None => {
                let new = self.find(uri, config, timeout)?;
                new.iter().for_each(|at| found.push(*at));
                // Another request can't have found it meanwhile: they come one after the other.
                let _ = self.found.set(new);
            }
        }
        Ok(found)
    }
}

fn text(bytes: Vec<u8>) -> Result<String, WireError> {
    String::from_utf8(bytes).map_err(|_| {
        (
            FaultKind::Connection,
            "the answer is not UTF-8 text".to_owned(),
        )
    })
}

/// Reads a reply to its end, but not further than its limit.
fn read(
    reply: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    timeout: Duration,
) -> Result<(Vec<u8>, u16), WireError> {
    let failed = |error: ureq::Error| match error {
        ureq::Error::Timeout(_) => (
            FaultKind::Timeout,
            format!("no answer within {} ms", timeout.as_millis()),
        ),
        ureq::Error::BodyExceedsLimit(_) => (
            FaultKind::Connection,
            format!("the answer has more than {LONGEST} bytes"),
        ),
        // In words of our own, so that the same fault is told alike on every system.
        ureq::Error::LargeResponseHeader(..) => (
            FaultKind::Connection,
            "the head of the answer is too large".to_owned(),
        ),
        ureq::Error::Io(error) => (FaultKind::Connection, broken(&error).to_owned()),
        ureq::Error::Other(error) => (FaultKind::Connection, error.to_string()),
        other => (FaultKind::Connection, format!("no answer: {other}")),
    };
    let mut reply = reply.map_err(failed)?;
    let status = reply.status().as_u16();
    let bytes = reply
        .body_mut()
        .with_config()
        .limit(LONGEST)
        .read_to_vec()
        .map_err(failed)?;
    Ok((bytes, status))
}

/// The beginning of somebody's word, for a message: harmless, and not long.
#[must_use]
pub fn brief(text: &str) -> String {
    let begun: String = text.chars().take(WORD).collect();
    if begun.len() < text.len() {
        escape_control(&begun).into_owned() + " …"
    } else {
        escape_control(&begun).into_owned()
    }
}

const BROKEN: &str = "the connection broke off before the answer was through";

fn broken(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "nobody listens there",
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
            "there is no way there"
        }
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => BROKEN,
        _ => "the connection failed",
    }
}

/// The beginning of an answer, in one line.
pub(super) fn quoted(text: &str) -> String {
    let more = if text.chars().count() > QUOTED {
        " …"
    } else {
        ""
    };
    format!(
        "`{}`{more}",
        escape_control(&text.chars().take(QUOTED).collect::<String>())
    )
}
