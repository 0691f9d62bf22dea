//! Work in numbered pieces that several instances share: each plays some of them, and one counts
//! the results of all, in order. The result depends neither on the number of instances nor on who
//! played what.

#[cfg(feature = "tools")]
mod analysis;
#[cfg(feature = "tools")]
mod blocks;
mod games;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::game::rules_failed;
use crate::link::Link;
use crate::messages::Reply;
use crate::replies::MOST_GAMES;
use risk_engine::{Library, MatchFault, Setup};
use risk_text::diag::{Finding, LoadError};

#[cfg(feature = "tools")]
pub(crate) use analysis::AnalysisWork;
#[cfg(feature = "tools")]
pub(crate) use blocks::{comparison, rating};
pub(crate) use games::GamesWork;

/// Work in pieces, which are numbered from 0.
pub(crate) trait Work {
    /// Returns the number of pieces, or `None` if there is no end.
    fn pieces(&self) -> Option<u64>;

    /// Plays a piece. Its result is for [`Work::count`], here or in another instance.
    fn play(&mut self, piece: u64) -> Result<String, LoadError>;

    /// Counts the result of the next piece. Results after the end are left out.
    fn count(&mut self, result: &str) -> Result<(), LoadError>;

    /// Returns the [`Reply::Summary`] of the work.
    fn summary(&self) -> Result<Reply, LoadError>;
}

/// Plays pieces.
pub(crate) fn play(work: &mut dyn Work, from: u64, count: u64) -> Result<Reply, LoadError> {
    if !(1..=MOST_GAMES).contains(&count) {
        let text = format!("expected 1 to {MOST_GAMES} pieces, found {count}");
        return refuse(text, "ask for fewer pieces, several times");
    }
    let Some(end) = from.checked_add(count) else {
        let text = format!("the numbers of pieces end at {}", u64::MAX);
        return refuse(text, "ask for earlier pieces");
    };
    let end = work.pieces().map_or(end, |all| end.min(all));
    let results = (from..end).map(|piece| work.play(piece));
    Ok(Reply::Results {
        results: results.collect::<Result<_, _>>()?,
    })
}

/// Counts the results of the next pieces.
pub(crate) fn count(work: &mut dyn Work, results: &[String]) -> Result<Reply, LoadError> {
    for result in results {
        work.count(result)?;
    }
    work.summary()
}

pub(crate) fn refuse<T>(text: impl Into<String>, help: &str) -> Result<T, LoadError> {
    LoadError::refuse("playground::match", text.into(), help)
}

/// Returns the match of a link, which must be between bots. It lives until the page renews the
/// instance, since workers borrow it.
fn setup(library: &Library, link: &Link) -> Result<&'static Setup, LoadError> {
    let setup = link.spec()?.load(library)?;
    if setup.is_timed() || setup.bots.iter().any(|bot| bot.source.is_person()) {
        let text = "a match in a page is between bots without clocks";
        return refuse(text, "name a bot for each seat");
    }
    Ok(Box::leak(Box::new(setup)))
}

fn failed(fault: MatchFault) -> LoadError {
    match fault {
        MatchFault::Load(failure) => failure,
        MatchFault::Rules(_, fault) => LoadError::one(rules_failed(&fault)),
        fault => LoadError::one(Finding::error("playground::match", fault.to_string())),
    }
}

/// Returns a result as a text, since a page knows no integers beyond 2^53.
fn written(result: &impl Serialize) -> String {
    serde_json::to_string(result).expect("a result always serializes")
}

fn read<T: DeserializeOwned>(result: &str) -> Result<T, LoadError> {
    serde_json::from_str(result).or_else(|error| {
        let text = format!("can't read the result of a piece: {error}");
        refuse(text, "pass on what `pieces` has returned")
    })
}
