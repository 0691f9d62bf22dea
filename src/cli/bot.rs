//! `risk-cli bot`.

use clap::Subcommand;

use super::table::DEFAULT_RULESET;
use super::{Done, Exit, say, tell};
use crate::load::entrant::Entrant;
use crate::load::lint::Levels;
use crate::load::{self, Kind};
use crate::players::BUILT_IN;
use crate::report::paint::pad;
use crate::script::Budget;

#[derive(Debug, Subcommand)]
pub(super) enum BotCommand {
    /// The bots that are built in
    List,
    /// Load bots and report what is wrong with them
    Check {
        /// Names or paths
        #[arg(required = true)]
        files: Vec<String>,
        /// The ruleset they are to play
        #[arg(long, short, default_value = DEFAULT_RULESET)]
        ruleset: String,
    },
}

pub(super) fn run(command: &BotCommand) -> Done {
    match command {
        BotCommand::List => list(),
        BotCommand::Check { files, ruleset } => check(files, ruleset),
    }
}

fn list() -> Done {
    let names = BUILT_IN.iter().map(|(name, _)| *name).chain(Kind::Bot.names());
    let width = names.map(str::len).max().unwrap_or(0);
    for (name, about) in BUILT_IN {
        say(&format!("{} Rust  {about}", pad(name, width)))?;
    }
    for name in Kind::Bot.names() {
        let text = load::text(Kind::Bot, name)?.text;
        let about = text.lines().next().unwrap_or_default().trim_start_matches('/').trim().to_owned();
        say(&format!("{} Rhai  {about}", pad(name, width)))?;
    }
    Ok(Exit::Fine)
}

fn check(files: &[String], ruleset: &str) -> Done {
    let ruleset = load::ruleset(ruleset)?;
    let board = load::map(&ruleset.manifest.map, &Levels::default())?;
    let options = ruleset.options(&[]).expect("the defaults of options are values of options");
    let players = ruleset.manifest.players.1;
    let bound = ruleset.bind(&board, &options, players, Budget::default()).map_err(load::diag::Failure::from)?;
    let mut refused = 0;
    for spec in files {
        let result = Entrant::parse(spec).and_then(|entrant| {
            entrant
                .maker
                .build(&bound.decl, &board, players, None, Budget::default())
                .map_err(|fault| load::diag::Failure::one(fault.into()))
        });
        match result {
            Ok(_) => say(&format!("{spec}: fine"))?,
            Err(failure) => {
                tell(&failure.findings);
                say(&format!("{spec}: {}", crate::suggest::counted(failure.findings.len(), "error")))?;
                refused += 1;
            }
        }
    }
    Ok(if refused == 0 { Exit::Fine } else { Exit::No })
}
