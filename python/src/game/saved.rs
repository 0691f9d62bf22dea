//! Games as text for `pickle`: what they are made of, and the steps since their start. To restore
//! a game, the steps are played again.

use std::sync::Arc;

use pyo3::prelude::*;
use risk_engine::Seed;
use serde::{Deserialize, Serialize};

use super::history::{Step, WrittenStep};
use super::recorded::take_up_kit;
use super::table::{CallerPreferences, GameSession, Start};
use crate::bots::BotThread;
use crate::errors::{self, wrong};
use crate::kit::{self, Kit};
use crate::recipe::Recipe;
use crate::seed::GameSeed;

#[derive(Serialize, Deserialize)]
struct SavedGame {
    recipe: Recipe,
    start: Start,
    seed: Seed,
    number: u64,
    ways: CallerPreferences,
    steps: Vec<WrittenStep>,
    /// The number of events that the caller has not had yet, and the digest of the state. They are
    /// `None` if the game was saved on another thread than its own.
    check: Option<(usize, String)>,
}

/// The callables of the Python bots in a game, in the order of their seats.
type Callables = Vec<Arc<Py<PyAny>>>;

/// Returns the text of a game, and the callables that it lacks.
pub(super) fn save(table: &GameSession) -> PyResult<(String, Callables)> {
    table.check_intact()?;
    let is_home = table.check_thread();
    if table.ways.events {
        is_home.as_ref().map_err(|error| wrong(error.to_string()))?;
    }
    let mut recipe = table.kit.recipe.clone();
    let callables = recipe.callables().filter_map(Option::take).collect();
    let saved = SavedGame {
        recipe,
        start: table.start.clone(),
        seed: table.seed.seed.clone(),
        number: table.seed.number,
        ways: table.ways,
        steps: table.history.steps().into_iter().map(Into::into).collect(),
        check: is_home.ok().map(|()| (table.new_events(), digest(table))),
    };
    Ok((errors::saved(&saved)?, callables))
}

fn digest(table: &GameSession) -> String {
    risk_engine::record::hex(table.stepper().game().digest())
}

/// Returns the game of a text and its callables.
pub(super) fn restore(text: &str, callables: Callables) -> PyResult<GameSession> {
    let mut saved: SavedGame = errors::restored(text, "game")?;
    for (place, call) in saved.recipe.callables().zip(callables) {
        *place = Some(call);
    }
    let kit = Kit::of(saved.recipe, &BotThread::Here)?;
    let mut table = start(&kit, &saved.start, saved.ways, (saved.seed, saved.number))?;
    for step in &saved.steps {
        let step = step
            .step()
            .ok_or_else(|| wrong("invalid step in a saved game"))?;
        match step {
            Step::Act(player, action) => table.apply(Some(player), action)?,
            Step::Imagine(player, seed) => table = table.imagine(player, seed)?,
            Step::Reseed(seed) => table.reseed(seed)?,
            Step::Unseat => table = table.copy(),
        }
    }
    let Some((events, digest_before)) = saved.check else {
        return Ok(table);
    };
    let found = digest(&table);
    if found != digest_before {
        return Err(wrong(format!(
            "expected a game with the digest {digest_before}, found {found}: its files have \
             changed, or a bot answers differently"
        )));
    }
    table.known_events = 0;
    table.known_events = table.new_events().saturating_sub(events);
    Ok(table)
}

fn start(
    kit: &Arc<Kit>,
    start: &Start,
    ways: CallerPreferences,
    (seed, number): (Seed, u64),
) -> PyResult<GameSession> {
    match (start, &kit.recipe) {
        (Start::Setup { seated }, _) => {
            let seed = GameSeed { seed, number };
            GameSession::new(Arc::clone(kit), *seated, ways, seed)
        }
        (Start::Record { decision, .. }, Recipe::Record { text, .. }) => {
            take_up_kit(Arc::clone(kit), &kit::record(text)?, *decision)
        }
        (Start::Record { .. }, Recipe::Spec { .. }) => {
            Err(wrong("invalid game: the record is missing"))
        }
    }
}
