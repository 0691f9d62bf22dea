//! The Hacker Risk arena. Players register with a name and an address, and a request can start a
//! match. Old broadcasts can be read by number. A broadcast is the public part of the state after a
//! decision or fault.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::arena_protocol::{ArenaDefaults, ArenaProtocol};
use super::broadcasts::BroadcastLookup;
use super::forms;
use super::hosted::{Listener, PublishedMatch};
use super::joining;
use super::lobby::{Lobby, SharedLobby};
use super::match_server::MatchServer;
use risk_engine::Seats;
use risk_kernel::event::Event;
use risk_kernel::view::in_public;
use risk_kernel::words::Words;
use risk_kernel::{Moment, Sink};
use risk_wire::hacker_risk::{GameContext, PROTOCOL, Vocabulary, broadcast, read_join};

pub(super) static ARENA: ArenaProtocol = ArenaProtocol {
    protocol: &PROTOCOL,
    about: "Hacker Risk, with the ruleset hasbro",
    defaults: ArenaDefaults {
        table: 4,
        seats: Seats::Shuffle,
        timeout: 30,
        at_once: 16,
    },
    starts_when_full: true,
    listener: Some(keeper),
    shows_scores: false,
    form: forms::join,
    read_join,
};

pub(super) fn routes() -> Router<Arc<Lobby>> {
    joining::routes().route("/game/{match}/{count}", get(get_one))
}

/// Responds to `GET /game/<id>/<count>`. The id is the number of the match.
async fn get_one(State(lobby): SharedLobby, Path((number, count)): Path<(u64, u64)>) -> Response {
    let Some(hosted) = lobby.find(number) else {
        let text = format!("no match {number}");
        return (StatusCode::NOT_FOUND, text).into_response();
    };
    match hosted.broadcasts.find(count) {
        BroadcastLookup::Here(text) => {
            let kind = [(header::CONTENT_TYPE, "application/json")];
            (kind, text).into_response()
        }
        BroadcastLookup::Gone => {
            let text = format!("broadcast {count} is no longer available");
            (StatusCode::GONE, text).into_response()
        }
        BroadcastLookup::Not => {
            let text = format!("match {number} has no broadcast {count}");
            (StatusCode::NOT_FOUND, text).into_response()
        }
    }
}

/// The sink that stores the broadcasts of one match.
struct BroadcastSink {
    hosted: Arc<PublishedMatch>,
    vocabulary: Option<Vocabulary>,
    context: GameContext,
    errors: u32,
}

fn keeper(hosted: &Arc<PublishedMatch>) -> Listener {
    let context = GameContext {
        names: hosted.names.clone(),
        uid: hosted.number.to_string(),
        ..GameContext::default()
    };
    Box::new(BroadcastSink {
        hosted: Arc::clone(hosted),
        vocabulary: None,
        context,
        errors: 0,
    })
}

impl Sink for BroadcastSink {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        let told = match event {
            Event::Answered { player, action, .. } => {
                let name = &self.context.names[player.index()];
                let words = Words::new(game.board(), game.decl());
                // An action that is hidden from a player is omitted.
                let action = in_public(&game, event).map(|_| words.action(*action));
                format!("{name}: {}", action.unwrap_or_default())
            }
            Event::Faulted { .. } => {
                self.errors += 1;
                format!("error {}", self.errors)
            }
            _ => return,
        };
        self.context.broadcasts += 1;
        self.context.last_action = told;
        if self.vocabulary.is_none() {
            self.vocabulary = Vocabulary::new(game.decl()).ok();
        }
        // Other rulesets lack the protocol's vocabulary, so they can't be served here.
        let Some(vocabulary) = &self.vocabulary else {
            return;
        };
        let text = broadcast(vocabulary, game.facts(), &self.context);
        self.hosted.broadcasts.add(self.context.broadcasts, text);
    }
}
