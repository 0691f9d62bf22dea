//! Registered bots, and the refusals of bots that can't join.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::arena_config::ArenaConfig;
use super::random::token;
use risk_engine::bot_spec::BotSpec;
use risk_engine::names;
use risk_wire::transport::frames::{FrameLink, FrameRoute};
use risk_wire::transport::http::{self, HttpRoute};
use risk_wire::transport::{Address, ConnectError, GreetingReply, Networks, Route};
use risk_wire::{Endpoint, JoinRequest, Protocol, spec_settings};

/// The maximum length of a bot's address, in bytes.
const LONGEST_URL: usize = 500;
/// The text displayed instead of the address of a bot that dials in.
const DIALLED: &str = "websocket";

/// The reply to a player who has joined.
pub(super) struct JoinReply {
    pub(super) number: u64,
    pub(super) missing: usize,
    /// The token for reconnecting or leaving, or `None` for a bot that had already joined.
    pub(super) token: Option<String>,
    pub(super) commitment: String,
}

impl IntoResponse for JoinReply {
    fn into_response(self) -> Response {
        let mut reply = json!({
            "match": self.number, "missing": self.missing, "commitment": self.commitment,
        });
        if let Some(token) = self.token {
            reply["token"] = json!(token);
        }
        Json(reply).into_response()
    }
}

/// A bot that registered itself or was registered by a person.
#[derive(Clone, Debug)]
pub(super) struct Registration {
    pub(super) name: String,
    /// The bot's address, or an empty string for a bot that dials in.
    pub(super) url: String,
    /// The link of a bot that dials in, or `None` for other bots.
    pub(super) link: Option<Arc<FrameLink>>,
    /// The token for reconnecting or leaving.
    pub(super) token: String,
    pub(super) protocol: Protocol,
    /// The address that registered the bot.
    pub(super) from: IpAddr,
}

/// The reason why a player can't join or a match can't start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    /// The machine-readable reason, such as `arena::full`.
    pub(super) code: &'static str,
    pub(super) text: String,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, code: &'static str, text: impl Into<String>) -> Self {
        Self {
            status,
            code,
            text: text.into(),
        }
    }

    /// Refuses an invalid request.
    pub(super) fn bad(code: &'static str, text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, text)
    }

    /// Refuses a request that conflicts with another player or comes too late.
    pub(super) fn conflict(code: &'static str, text: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, text)
    }

    /// Refuses a request that is not possible now.
    pub(super) fn not_now(code: &'static str, text: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, text)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let document = json!({ "error": self.text, "code": self.code });
        (self.status, Json(document)).into_response()
    }
}

fn check_name(name: &str) -> Result<(), Refusal> {
    names::check(name).map_err(|text| Refusal::bad("arena::name", text))
}

impl Registration {
    /// Creates a registration after checking the name and the address.
    pub(super) fn new(
        request: JoinRequest,
        from: IpAddr,
        config: &ArenaConfig,
    ) -> Result<Self, Refusal> {
        let JoinRequest { name, url, value } = request;
        check_name(&name)?;
        if url.len() > LONGEST_URL || !http::is_url(&url) {
            let text = "`url` must be http:// with a host, and optionally a port and a path";
            return Err(Refusal::bad("arena::address", text));
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

    /// Creates the registration of a bot that dials in, after checking its name.
    pub(super) fn dialled(
        name: String,
        from: IpAddr,
        config: &ArenaConfig,
    ) -> Result<Self, Refusal> {
        check_name(&name)?;
        Ok(Self {
            name,
            url: String::new(),
            link: Some(Arc::default()),
            token: token(),
            protocol: Protocol::new(config.arena.protocol, 0),
            from,
        })
    }

    /// Reports whether both registrations are for the same bot, even under different names.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.url == other.url && !self.url.is_empty()
    }

    /// Returns the bot's location for display.
    pub(super) fn place(&self) -> &str {
        if self.link.is_some() {
            DIALLED
        } else {
            &self.url
        }
    }

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

    /// Returns the bot's specification as for the command line.
    pub(super) fn spec(&self, config: &ArenaConfig) -> BotSpec {
        BotSpec {
            name: self.name.clone(),
            bot: format!("{}{}", self.place(), spec_settings(self.protocol)),
            source: self.endpoint(config, config.timeout).into_source(),
            clock: None,
        }
    }
}

/// Checks whether a bot is reachable within these networks.
pub(super) fn look_for(endpoint: &Endpoint, within: &Networks) -> Result<(), ConnectError> {
    if endpoint.protocol.greeting().reply != GreetingReply::Any {
        return endpoint.reach();
    }
    // This protocol has no request that checks for a bot, and the bot may start listening later.
    http::find(&endpoint.address.place, within).map_err(|error| ConnectError {
        public: error.to_string(),
        full: error.to_string(),
    })
}

pub(super) fn taken(name: &str, by: &str) -> String {
    if name == by {
        format!("the name {name} is taken")
    } else {
        format!("the name {name} is too similar to {by}, which is taken")
    }
}
