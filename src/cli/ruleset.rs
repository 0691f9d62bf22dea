//! `risk-cli ruleset`: what a user does with rulesets: list, write, show and check them.

use std::io;
use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::cases::{self, TestArgs};
use super::check::{self, CheckArgs};
use super::{Done, Error, Exit, ForceArg, hand_over, paint, save, say};
use crate::load::{self, Kind};
use crate::report::{api, declared};
use crate::script::reference::{self, Surface};
use crate::text::paint::pad;

#[derive(Debug, Subcommand)]
pub(super) enum RulesetCommand {
    /// The rulesets that are built in
    List,
    /// What a ruleset declares: players, map, options, verbs, phases
    Show {
        /// A name or a path
        ruleset: String,
        /// Print the script itself
        #[arg(long)]
        source: bool,
    },
    /// Write a commented ruleset that plays
    New(super::new::NewRuleset),
    /// Report everything that is wrong with rulesets, and try them in random games
    Check(CheckArgs),
    /// Run tests of rules: positions, answers, and what is so then
    Test(TestArgs),
    /// Every function that scripts may call, with its meaning and cost
    Api {
        /// Which functions: those of hooks that read the game, that change it, of bots,
        /// or of tables
        #[arg(long, value_parser = ["facts", "game", "view", "table"])]
        surface: Option<String>,
        /// As Markdown: docs/api.md
        #[arg(long, conflicts_with_all = ["surface", "definitions"])]
        markdown: bool,
        /// Write definition files for the language server of Rhai into this folder
        #[arg(long, value_name = "DIR")]
        definitions: Option<PathBuf>,
        #[command(flatten)]
        force: ForceArg,
    },
}

pub(super) fn run(command: &RulesetCommand) -> Done {
    match command {
        RulesetCommand::Test(args) => cases::rulesets(args),
        RulesetCommand::List => {
            for name in Kind::Ruleset.names() {
                let ruleset = load::ruleset(name)?;
                let players = pad(&ruleset.manifest.players_range(), 7);
                let head = format!("{} {players} players  ", pad(name, 12));
                say(&paint(&io::stdout())
                    .hang(&head, &ruleset.manifest.about)
                    .join("\n"))?;
            }
            Ok(Exit::Fine)
        }
        RulesetCommand::Show {
            ruleset,
            source: true,
        } => {
            hand_over(&load::text(Kind::Ruleset, ruleset)?.text)?;
            Ok(Exit::Fine)
        }
        RulesetCommand::Show {
            ruleset,
            source: false,
        } => {
            say(&declared::text(
                &load::ruleset(ruleset)?.manifest,
                paint(&io::stdout()),
            ))?;
            Ok(Exit::Fine)
        }
        RulesetCommand::New(args) => super::new::ruleset(args),
        RulesetCommand::Check(args) => check::run(Kind::Ruleset, args, crate::check::ruleset),
        RulesetCommand::Api {
            surface,
            markdown,
            definitions,
            force,
        } => {
            let surface = surface
                .as_deref()
                .and_then(|word| Surface::ALL.into_iter().find(|of| of.as_str() == word));
            if let Some(folder) = definitions {
                return write_definitions(folder, force.force);
            }
            say(&if *markdown {
                api::markdown()
            } else {
                api::text(surface, paint(&io::stdout()))
            })?;
            Ok(Exit::Fine)
        }
    }
}

fn write_definitions(folder: &Path, force: bool) -> Done {
    let failed = |error: io::Error| Error::Write(folder.display().to_string(), error);
    std::fs::create_dir_all(folder).map_err(failed)?;
    for (name, surfaces) in [
        ("rules.d.rhai", &[Surface::Facts, Surface::Game][..]),
        ("bots.d.rhai", &[Surface::View]),
    ] {
        save(
            &folder.join(name),
            reference::definitions(surfaces).as_bytes(),
            force,
        )?;
        say(&format!("wrote {}", folder.join(name).display()))?;
    }
    Ok(Exit::Fine)
}
