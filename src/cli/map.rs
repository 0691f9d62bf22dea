//! `risk-cli map`.

use std::io;

use clap::{Args, Subcommand};

use super::{Done, Error, Exit, paint, say, tell};
use crate::load::diag::Level;
use crate::load::lint::{self, Levels};
use crate::load::{self, Kind};
use crate::report::{board, paint::pad};
use crate::suggest::counted;

#[derive(Debug, Subcommand)]
pub(super) enum MapCommand {
    /// The maps that are built in
    List,
    /// A map's continents, territories and borders
    Show {
        /// A name or a path
        map: String,
    },
    /// Write a commented map that can be played on
    New(super::new::NewMap),
    /// Check map files: every finding with its place, and what to do
    Validate(ValidateArgs),
    /// What is checked, with codes and levels
    Lints,
}

#[derive(Args, Debug)]
pub(super) struct ValidateArgs {
    /// Names or paths
    #[arg(required = true)]
    files: Vec<String>,
    /// Don't report findings of this code; can be given several times
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,
    /// Make findings of this code errors; can be given several times
    #[arg(long, value_name = "CODE")]
    deny: Vec<String>,
    /// Make every warning an error
    #[arg(long)]
    strict: bool,
}

pub(super) fn run(command: &MapCommand) -> Done {
    match command {
        MapCommand::List => list(),
        MapCommand::Show { map } => {
            let board = load::map(map, &Levels::default())?;
            say(&board::text(&board, paint(&io::stdout())))?;
            Ok(Exit::Fine)
        }
        MapCommand::New(args) => super::new::map(args),
        MapCommand::Validate(args) => validate(args),
        MapCommand::Lints => {
            for lint in lint::LINTS {
                say(&format!("{} {} {}", pad(lint.code, 27), pad(lint.level.word(), 5), lint.about))?;
            }
            Ok(Exit::Fine)
        }
    }
}

fn list() -> Done {
    for name in Kind::Map.names() {
        let board = load::map(name, &Levels::default())?;
        say(&format!("{} {:>4} territories  {}", pad(name, 14), board.len(), board.about()))?;
    }
    Ok(Exit::Fine)
}

fn validate(args: &ValidateArgs) -> Done {
    let levels = Levels::new(&args.allow, &args.deny, args.strict)
        .map_err(|text| Error::input("map::level", text, "`risk-cli map lints` lists the codes"))?;
    let mut refused = 0;
    for spec in &args.files {
        let file = match load::text(Kind::Map, spec) {
            Ok(file) => file,
            Err(failure) => {
                tell(&failure.findings);
                refused += 1;
                continue;
            }
        };
        let checked = load::map::check(&file, &levels);
        tell(&checked.findings);
        let warnings = checked.findings.iter().filter(|finding| finding.level == Level::Warn).count();
        let errors = checked.findings.len() - warnings;
        refused += usize::from(errors > 0);
        let counts = checked.board.as_ref().map_or_else(String::new, |board| {
            format!(
                ": {} territories, {} borders, {} continents",
                board.len(),
                board.border_count(),
                board.continents().len()
            )
        });
        let verdict = if errors == 0 { "valid" } else { "invalid" };
        let found: String = [(errors, "error"), (warnings, "warning")]
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|&(count, word)| format!(", {}", counted(count, word)))
            .collect();
        say(&format!("{spec}: {verdict}{counts}{found}"))?;
    }
    Ok(if refused == 0 { Exit::Fine } else { Exit::No })
}
