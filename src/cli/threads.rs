//! Work on many threads: their number, the progress bar, and errors.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Error;
use super::faults::rules_failed;
use risk_engine::{MatchFault, Setup};
use risk_lab::tournament::run::RunFault;
use risk_text::diag::{Finding, LoadError};
use risk_text::plural::counted;
use risk_wire::Endpoint;

/// The maximum number of threads on a machine with fewer cores.
const MOST_JOBS: usize = 64;

/// Returns the number of cores of this machine.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

pub(super) fn threads(given: Option<u16>, setup: &Setup) -> Result<usize, Error> {
    let cores = cores();
    // A remote bot is one program that plays one game at a time.
    let remote = setup.bots.iter().find(|spec| {
        let at = spec.source.factory::<Endpoint>();
        at.is_some_and(|at| !at.transport().is_own())
    });
    if let Some(remote) = remote {
        if given.is_some_and(|jobs| jobs > 1) {
            let text = format!(
                "{} is a bot over HTTP and plays one game at a time",
                remote.name
            );
            return Error::refuse("cli::jobs", text, "omit --jobs");
        }
        return Ok(1);
    }
    let jobs = given.map_or(cores, usize::from);
    let most = cores.max(MOST_JOBS);
    if jobs > most {
        let text = format!(
            "expected at most {most} threads, found {jobs}; this machine has {}",
            counted(cores, "core")
        );
        let help = format!("omit --jobs, or lower it to {most}");
        return Error::refuse("cli::jobs", text, help);
    }
    Ok(jobs)
}

/// Converts the fault that stopped a match into an error.
pub(super) fn stopped(fault: MatchFault, setup: &Setup) -> Error {
    match fault {
        MatchFault::Load(failure) => Error::Input(failure),
        MatchFault::Rules(number, fault) => rules_failed(&fault, None, number, None, setup),
        MatchFault::Gone(name, why) => Error::Script(LoadError::new(
            "bot::gone",
            format!("lost the bot {name}: {why}"),
            "run `risk-cli bot check` to test the bot; finished games are kept",
        )),
        MatchFault::Broken(text) => {
            Error::Broken(Finding::error("cli::threads", text).help("lower --jobs and try again"))
        }
    }
}

/// Converts the fault that stopped a run of blocks into an error.
pub(super) fn unfinished(fault: RunFault, setup: &Setup) -> Error {
    match fault {
        RunFault::Input(failure) => Error::Input(failure),
        RunFault::Match(fault) => stopped(fault, setup),
    }
}

/// Returns a progress bar, which is hidden if standard error is not a terminal.
pub(super) fn progress(count: u64, what: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template(&format!(
        "  {{bar:30}} {{pos}}/{{len}} {what}, {{per_sec}}, {{eta}} left  {{msg}}"
    ));
    ProgressBar::new(count).with_style(style.expect("the template is valid"))
}
