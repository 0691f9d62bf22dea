//! Bots that registered, and what is said to those that can't.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use super::arena_config::ArenaConfig;
use super::random::token;
use risk_engine::load::bot_spec::BotSpec;
use risk_engine::players::names;
use risk_wire::transport::frames::{FrameLink, FrameRoute};
use risk_wire::transport::http::{self, HttpRoute};
use risk_wire::transport::{Address, GreetingReply, Networks, NotThere, Route};
use risk_wire::{Endpoint, JoinRequest, Protocol, spec_settings};

/// The longest address of a bot, in bytes.
const LONGEST_URL: usize = 500;
/// How a bot that dials in is named where others have an address.
const DIALLED: &str = "websocket";

/// A bot that registered itself, or was registered by somebody.
#[derive(Clone, Debug)]
pub(super) struct Registration {
    pub(super) name: String,
    /// Where it is asked; empty for one that dials in.
    pub(super) url: String,
    /// What has the connection of one that dials in.
    pub(super) link: Option<Arc<FrameLink>>,
    /// The word by which it comes back, or leaves again.
    pub(super) token: String,
    pub(super) protocol: Protocol,
    /// The address that registered it.
    pub(super) from: IpAddr,
}

/// Why somebody can't join, or a match can't start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// What was sent is not right.
    Bad(String),
    /// Somebody has the name, or the address.
    Taken(String),
    /// Nobody can join, or nothing can start, just now.
    NotNow(String),
    /// It was here, and is no more.
    Gone(String),
}

impl Refusal {
    /// What was sent is not right, in the words of what found it.
    pub(super) fn bad(error: impl Into<String>) -> Self {
        Self::Bad(error.into())
    }

    pub(super) fn text(&self) -> &str {
        match self {
            Self::Bad(text) | Self::Taken(text) | Self::NotNow(text) | Self::Gone(text) => text,
        }
    }
}

impl Registration {
    /// A registration whose name and address can be used.
    pub(super) fn new(
        request: JoinRequest,
        from: IpAddr,
        config: &ArenaConfig,
    ) -> Result<Self, Refusal> {
        let JoinRequest { name, url, value } = request;
        names::check(&name).map_err(Refusal::bad)?;
        if url.len() > LONGEST_URL || !http::is_url(&url) {
            return Err(Refusal::Bad(
                "the address of a bot is http://, a host, and perhaps a port and a path".to_owned(),
            ));
        }
        Ok(Self {
            name,
            url,
            link: None,
            token: token(),
            protocol: Protocol::new(config.arena.protocol, value),
            from,
        })
    }

    /// The registration of a bot that dials in, if its name can be used.
    pub(super) fn dialled(
        name: String,
        from: IpAddr,
        config: &ArenaConfig,
    ) -> Result<Self, Refusal> {
        names::check(&name).map_err(Refusal::bad)?;
        Ok(Self {
            name,
            url: String::new(),
            link: Some(Arc::default()),
            token: token(),
            protocol: Protocol::new(config.arena.protocol, 0),
            from,
        })
    }

    /// Is it the same bot, under whatever name?
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.url == other.url && !self.url.is_empty()
    }

    /// Where it is, for people.
    pub(super) fn place(&self) -> &str {
        if self.link.is_some() {
            DIALLED
        } else {
            &self.url
        }
    }

    /// Where the bot is asked.
    pub(super) fn endpoint(&self, config: &ArenaConfig, timeout: Duration) -> Endpoint {
        let route: Arc<dyn Route> = match &self.link {
            Some(link) => Arc::new(FrameRoute {
                link: Arc::clone(link),
                unasked: false,
            }),
            None => Arc::new(HttpRoute {
                within: Some(Arc::clone(&config.within)),
            }),
        };
        Endpoint {
            address: Address {
                place: self.place().to_owned(),
                timeout,
                farewell: None,
            },
            route,
            protocol: self.protocol,
            content: None,
            probed: false,
        }
    }

    /// The bot as the command line would name it.
    pub(super) fn spec(&self, config: &ArenaConfig) -> BotSpec {
        BotSpec {
            name: self.name.clone(),
            bot: format!("{}{}", self.place(), spec_settings(self.protocol)),
            source: self.endpoint(config, config.timeout).into_source(),
            clock: None,
        }
    }
}

/// Looks whether a bot is there, in these networks.
pub(super) fn look_for(endpoint: &Endpoint, within: &Networks) -> Result<(), NotThere> {
    if endpoint.protocol.greeting().reply != GreetingReply::Any {
        return endpoint.reach();
    }
    // The protocol has no words to ask whether a bot is there, and one may begin to listen later.
    http::find(&endpoint.address.place, within).map_err(|error| NotThere {
        public: error.to_string(),
        full: error.to_string(),
    })
}

/// That a name is taken, by this one.
pub(super) fn taken(name: &str, by: &str) -> String {
    if name == by {
        format!("the name {name} is taken")
    } else {
        format!("the name {name} looks like {by}, which is taken")
    }
}
