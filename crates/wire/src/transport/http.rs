//! Bots that are HTTP servers. All parts of a reply have limits.

mod config;
mod join;
mod reply;
mod resolver;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::http::Uri;
use ureq::unversioned::transport::DefaultConnector;

pub use join::join;
pub use resolver::{find, host_and_port};

use super::interface::{
    Address, ConnectError, Framing, Greeting, GreetingReply, Places, ProtocolTraits, Route,
    Transport, TransportInfo, WireError,
};
use super::networks::Networks;
use crate::codec::Message;
use crate::quote::quoted;
use config::config;
use reply::{BROKEN, HttpReply};
use resolver::{ELSEWHERE, PinnedResolver};
use risk_engine::TimeLeft;
use risk_kernel::fault::Exchange;

/// The transport of bots that are HTTP servers.
pub static HTTP: TransportInfo = TransportInfo {
    scheme: "http",
    label: "HTTP",
    framing: Framing::Requests,
    places: Some(Places {
        parse,
        help: "write http://HOST:PORT, for example http://127.0.0.1:4444; a path may follow",
    }),
};

/// The route to a bot that is an HTTP server.
#[derive(Clone, Debug, Default)]
pub struct HttpRoute {
    /// The allowed networks for the bot, or `None` if all are allowed.
    pub within: Option<Arc<Networks>>,
}

impl Route for HttpRoute {
    fn info(&self) -> &'static TransportInfo {
        &HTTP
    }

    fn open(&self, address: &Address, speech: ProtocolTraits) -> Box<dyn Transport> {
        let resolver = PinnedResolver::new(self.within.clone());
        let agent = Agent::with_parts(
            config(address.timeout),
            DefaultConnector::default(),
            resolver,
        );
        Box::new(HttpClient {
            url: address.place.clone(),
            timeout: address.timeout,
            left: None,
            hint: speech.hint,
            agent,
            last: None,
            deaf: false,
            warm: false,
            answered: false,
        })
    }
}

/// The time limit for messages without an answer. Games do not wait longer for a slow bot.
const HEARING: Duration = Duration::from_secs(1);

/// Returns a server's address without a trailing slash, and the same address without `http://`.
fn parse(place: &str) -> Option<(String, String)> {
    let short = place
        .strip_prefix("http://")
        .unwrap_or_default()
        .trim_end_matches('/');
    let url = format!("http://{short}");
    is_url(&url).then(|| (url, short.to_owned()))
}

/// Reports whether the text is a server's address, which consists of `http://`, a host, an optional
/// port and an optional path.
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

/// The minimum time limit of a request, which applies even if the clock has run out.
const SHORTEST: Duration = Duration::from_millis(1);

struct HttpClient {
    url: String,
    timeout: Duration,
    /// The time left on the bot's clock, if it has a clock.
    left: Option<Duration>,
    /// A hint added to the errors of a bot whose first answers are invalid.
    hint: String,
    agent: Agent,
    last: Option<Exchange>,
    /// Whether the bot failed to receive a message. It receives no more messages until it answers a
    /// question.
    deaf: bool,
    /// Whether an open connection has already been used.
    warm: bool,
    /// Whether the bot has ever sent a valid HTTP answer.
    answered: bool,
}

impl HttpClient {
    fn get(&mut self, path: &str) -> Result<HttpReply, WireError> {
        let sent = self.agent.get(format!("{}/{path}", self.url)).call();
        let reply = HttpReply::read(sent, self.timeout);
        self.warm = reply.is_ok();
        reply
    }

    fn post(&mut self, message: &Message, timeout: Duration) -> Result<HttpReply, WireError> {
        let began = Instant::now();
        let once = |left: Duration| {
            let request = self
                .agent
                .post(format!("{}/{}", self.url, message.path))
                .content_type(message.content_type)
                .config()
                .timeout_global(Some(left))
                .build();
            HttpReply::read(request.send(&message.body), timeout)
        };
        let mut reply = once(timeout);
        // A server may close the connection after an answer. The closed connection is only noticed
        // at the next request.
        if self.warm && reply.as_ref().is_err_and(|error| error.text == BROKEN) {
            let left = timeout.saturating_sub(began.elapsed());
            reply = once(left.max(SHORTEST));
        }
        self.warm = reply.is_ok();
        reply
    }
}

impl Transport for HttpClient {
    fn greet(&mut self, greeting: Greeting) -> Result<(), ConnectError> {
        let reply = self.get(greeting.path);
        let url = &self.url;
        let gone = |error: WireError| {
            let public = if error.text == ELSEWHERE {
                ELSEWHERE
            } else {
                "no HTTP answer"
            };
            ConnectError {
                public: format!("can't reach the bot at {url}: {public}"),
                full: format!("can't reach the bot at {url}: {}", error.text),
            }
        };
        let HttpReply { status, bytes } = reply.map_err(gone)?;
        let text = reply::text(bytes).map_err(gone)?;
        let quoted = quoted(&text);
        let from = format!("from GET {url}/{}", greeting.path);
        let is_yes = || text.trim().trim_matches('"').eq_ignore_ascii_case("yes");
        match greeting.reply {
            GreetingReply::Any => Ok(()),
            _ if status != 200 => Err(ConnectError {
                public: format!("expected status 200 {from}, found {}xx", status / 100),
                full: format!("expected status 200 {from}, found {status}: {quoted}"),
            }),
            GreetingReply::Yes if !is_yes() => Err(ConnectError {
                public: format!("expected `yes` {from}"),
                full: format!("expected `yes` {from}, found {quoted}"),
            }),
            _ => Ok(()),
        }
    }

    fn begin(&mut self) {
        self.last = None;
        self.deaf = false;
    }

    fn has_left(&mut self, clock: TimeLeft) {
        self.left = Some(clock.left);
    }

    fn ask(
        &mut self,
        message: Message,
        _: &mut dyn FnMut(&str, bool) -> bool,
    ) -> Result<String, WireError> {
        // Questions are sent even to a bot without time left, because the clock only limits the
        // answers.
        let patience = self.left.map_or(self.timeout, |left| left.max(SHORTEST));
        let reply = self.post(&message, patience);
        let answer = reply
            .as_ref()
            .map(|reply| String::from_utf8_lossy(&reply.bytes).into_owned())
            .unwrap_or_default();
        self.last = Some(Exchange {
            request: message.body,
            answer,
        });
        // A bot that does not understand a question may crash or return a client error.
        let hint = if self.answered { "" } else { &self.hint };
        let HttpReply { status, bytes } = reply.map_err(|error| {
            let hint = if error.text == BROKEN { hint } else { "" };
            WireError {
                text: format!("{}{hint}", error.text),
                ..error
            }
        })?;
        self.deaf = false;
        let text = reply::text(bytes)?;
        if status == 200 {
            self.answered = true;
            return Ok(text);
        }
        let hint = if status >= 400 { hint } else { "" };
        Err(WireError::connection(format!(
            "expected status 200, found {status}{hint}: {}",
            quoted(&text)
        )))
    }

    fn notify(&mut self, message: &Message) {
        if !self.deaf {
            self.deaf = self.post(message, self.timeout.min(HEARING)).is_err();
        }
    }

    fn is_heard(&self) -> bool {
        !self.deaf
    }

    fn exchange(&self) -> Option<Exchange> {
        self.last.clone()
    }
}
