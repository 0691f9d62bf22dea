//! Analysis of recorded games. Separates luck from skill, and estimates the chances of winning with
//! rollouts.
//!
//! Floating-point numbers are safe in this module because they never affect a game.

pub mod chances;
pub mod decisions;
pub mod luck;
pub mod rollouts;

use chances::Moments;
use luck::Luck;
use risk_engine::bot_spec::BotSpec;
use risk_engine::record::{Playback, Record};
use risk_engine::script::manifest::Manifest;
use risk_engine::{Library, Worker};
use risk_kernel::{FinishedGame, Tee};
use risk_text::diag::LoadError;

/// The number of rollouts from each moment, unless the user sets it.
pub const ROLLOUTS: u64 = 20;

/// A replayed record, with what an analysis needs of it.
pub struct Replayed {
    /// The end of the game.
    pub finished: FinishedGame,
    /// The answers of the record, and whether they fit the game.
    pub playback: Playback,
    /// The luck of its fights.
    pub luck: Luck,
    /// The starts of its rounds.
    pub moments: Moments,
}

/// Replays a record.
#[must_use]
pub fn replay(worker: &mut Worker<'_>, record: &Record) -> Replayed {
    let mut luck = Luck::new(worker);
    let mut moments = Moments::default();
    let mut playback = Playback::new(record, None);
    let mut both = Tee(vec![&mut luck, &mut moments]);
    let finished = worker.play_with(record.header.game, &mut playback.seats, &mut both);
    luck.finish();
    Replayed {
        finished,
        playback,
        luck,
        moments,
    }
}

/// Returns the bot for rollouts, unless the user names one: the first of the ruleset's bots, or
/// `outnumber` if games of that bot would take too long, since it searches.
///
/// # Errors
/// Returns an error if the bot can't be loaded.
pub fn rollout_bot(library: &Library, manifest: &Manifest) -> Result<String, LoadError> {
    let own = manifest.bots.first().map_or("random", String::as_str);
    let searches = BotSpec::parse(library, own)?.source.searches();
    Ok(if searches { "outnumber" } else { own }.to_owned())
}
