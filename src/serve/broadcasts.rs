//! The old broadcasts of Hacker Risk: the public part of the state behind each decision and fault,
//! by its number.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::hosted::Hosted;
use super::watch::{Shared, Watched};
use crate::kernel::Sink;
use crate::kernel::event::Event;
use crate::kernel::state::GameState;
use crate::kernel::view::{Facts, in_public};
use crate::kernel::words::Words;
use crate::protocol::hacker_risk::{Context, Vocabulary, broadcast};

/// The most of one match that is kept, in bytes: the last broadcasts.
const MOST_BYTES: usize = 1 << 20;

/// The last broadcasts of a match.
#[derive(Default)]
pub(super) struct Broadcasts(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    /// The number of the first that is kept, from 1.
    first: u64,
    texts: VecDeque<String>,
    bytes: usize,
}

/// What comes of looking for a broadcast.
enum Found {
    Here(String),
    /// It was there.
    Gone,
    /// It is not there yet.
    Not,
}

impl Broadcasts {
    fn add(&self, number: u64, text: String) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.texts.is_empty() {
            kept.first = number;
        }
        kept.bytes += text.len();
        kept.texts.push_back(text);
        while kept.bytes > MOST_BYTES && kept.texts.len() > 1 {
            let old = kept.texts.pop_front().unwrap_or_default();
            kept.bytes -= old.len();
            kept.first += 1;
        }
    }

    fn find(&self, number: u64) -> Found {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if number < kept.first && number > 0 {
            return Found::Gone;
        }
        let index = number.checked_sub(kept.first).filter(|_| number > 0);
        let index = index.and_then(|index| usize::try_from(index).ok());
        let text = index.and_then(|index| kept.texts.get(index));
        text.map_or(Found::Not, |text| Found::Here(text.clone()))
    }
}

/// `GET /game/<id>/<count>`: the id is the number of the match.
pub(super) async fn get_one(
    State(lobby): Shared,
    Path((number, count)): Path<(u64, u64)>,
) -> Response {
    let Some(hosted) = lobby.find(number) else {
        let text = format!("there is no match {number} here");
        return (StatusCode::NOT_FOUND, text).into_response();
    };
    match hosted.broadcasts.find(count) {
        Found::Here(text) => {
            let kind = [(header::CONTENT_TYPE, "application/json")];
            (kind, text).into_response()
        }
        Found::Gone => {
            let text = format!("the last broadcasts of a match are kept, and {count} is older");
            (StatusCode::GONE, text).into_response()
        }
        Found::Not => {
            let text = format!("match {number} has no broadcast {count}");
            (StatusCode::NOT_FOUND, text).into_response()
        }
    }
}

/// Keeps the broadcasts of one match.
struct Keeper {
    hosted: Arc<Hosted>,
    vocabulary: Option<Vocabulary>,
    context: Context,
    errors: u32,
}

/// What keeps the broadcasts of a match.
pub(super) fn keeper(hosted: &Arc<Hosted>) -> Box<dyn Sink + Send> {
    let context = Context {
        names: hosted.names.clone(),
        uid: hosted.number.to_string(),
        ..Context::default()
    };
    Box::new(Keeper {
        hosted: Arc::clone(hosted),
        vocabulary: None,
        context,
        errors: 0,
    })
}

impl Sink for Keeper {
    fn event(&mut self, game: &GameState, event: &Event) {
        let told = match event {
            Event::Answered { player, action, .. } => {
                let name = &self.context.names[player.index()];
                let words = Words::new(game.board(), game.decl());
                // What players do not all see is not told either.
                let action = in_public(game, event).map(|_| words.action(*action));
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
        // Another ruleset has no words for it, and can't be served here.
        let Some(vocabulary) = &self.vocabulary else {
            return;
        };
        let facts = Facts::new(game.clone());
        let text = broadcast(vocabulary, &facts, &self.context);
        self.hosted.broadcasts.add(self.context.broadcasts, text);
    }
}
