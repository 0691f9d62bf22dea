//! `--bot-log`: files for the standard error of bot processes.

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::{Error, not_created};
use risk_engine::{Asides, Setup};
use risk_lab::tournament::bot_log::BotLog;

#[derive(Args, Clone, Debug)]
pub(super) struct BotLogArg {
    /// Folder for the standard error of bot processes: one file for each game and each bot with
    /// output, with at most the last 64 KiB
    #[arg(long, value_name = "DIR")]
    bot_log: Option<PathBuf>,
}

impl BotLogArg {
    pub(super) const fn is_given(&self) -> bool {
        self.bot_log.is_some()
    }

    pub(super) fn open(&self, prefix: &str, force: bool) -> Result<Option<BotLog>, Error> {
        let folder = self.bot_log.as_ref();
        let open = |folder: &PathBuf| BotLog::open(folder, prefix, force).map_err(unwritten);
        folder.map(open).transpose()
    }
}

/// Writes the standard error of the bots in one game.
pub(super) fn write(log: &BotLog, setup: &Setup, number: u64, said: &Asides) -> Result<(), Error> {
    for (player, aside) in said {
        let name = &setup.bots[*player].name;
        log.write(&number.to_string(), *player, name, aside)
            .map_err(unwritten)?;
    }
    Ok(())
}

fn unwritten(failed: (PathBuf, io::Error)) -> Error {
    not_created(&failed.0, failed.1)
}
