//! Checks of submitted scripts, as in `bot check`. Each check runs in a separate sandboxed process.

use std::path::{Path, PathBuf, absolute};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use risk_lab::ladder::LadderConfig;
use risk_maps::files::is_path;
use risk_wire::transport::process::{LineError, LineProcess};
use risk_wire::transport::reserve_little;

/// The maximum length of a report, in bytes.
const LONGEST: usize = 256 << 10;
/// The time limit of a check.
const PATIENCE: Duration = Duration::from_secs(90);

/// The result of a check: a document like the output of `bot check --format json` for one file.
pub(super) struct CheckedBot {
    /// Whether the bot is allowed to play.
    pub(super) fine: bool,
    /// The findings and the statistics of the trial.
    pub(super) report: Value,
}

/// Checks the script of a bot in its folder. An error is the reason why the check could not finish,
/// in words for the script's owner.
pub(super) fn check(config: &LadderConfig, folder: &Path, bot: &str) -> Result<CheckedBot, String> {
    let spec = &config.base.rules.ruleset_spec;
    // The process runs in the script's folder, so its output mentions no other folder.
    let ruleset = match is_path(spec).then(|| absolute(spec)) {
        Some(Ok(path)) => path,
        _ => PathBuf::from(spec),
    };
    let mut command = Command::new(&config.program);
    command
        .args(["checked", "--ruleset"])
        .arg(ruleset)
        .args(["--", &format!("./{bot}.rhai")])
        .current_dir(folder)
        .env_clear();
    reserve_little(&mut command);
    let started = LineProcess::start(&mut command, LONGEST);
    let mut process = started.map_err(|_| "failed to start the check; try again".to_owned())?;
    let line = process.receive(PATIENCE).map_err(|silence| match silence {
        LineError::Timeout => format!("the check took more than {} seconds", PATIENCE.as_secs()),
        LineError::Ended => "the check reached its time or memory limit".to_owned(),
        LineError::TooLong | LineError::NoLength => {
            "the check found too many errors to report".to_owned()
        }
    })?;
    let report: Value = serde_json::from_str(&line)
        .map_err(|_| "the check returned an invalid report".to_owned())?;
    let fine = report["fine"] == true;
    Ok(CheckedBot { fine, report })
}
