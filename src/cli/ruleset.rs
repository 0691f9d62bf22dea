//! `risk-cli ruleset`.

use std::io;
use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::check::{self, CheckArgs};
use super::{Done, Error, Exit, paint, say};
use crate::load::{self, Kind};
use crate::report::{api, paint::pad};
use crate::script::Ruleset;
use crate::script::reference::{self, Surface};

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
    /// Every function that scripts may call, with its meaning and cost
    Api {
        /// Which functions: those of hooks that read the game, that change it, of bots, or of tables
        #[arg(long, value_parser = ["facts", "game", "view", "table"])]
        surface: Option<String>,
        /// As Markdown: docs/api.md
        #[arg(long, conflicts_with_all = ["surface", "definitions"])]
        markdown: bool,
        /// Write definition files for the language server of Rhai into this folder
        #[arg(long, value_name = "DIR")]
        definitions: Option<PathBuf>,
    },
}

pub(super) fn run(command: &RulesetCommand) -> Done {
    match command {
        RulesetCommand::List => {
            for name in Kind::Ruleset.names() {
                let ruleset = load::ruleset(name)?;
                say(&format!(
                    "{} {} players  {}",
                    pad(name, 12),
                    pad(&ruleset.manifest.players_range(), 7),
                    ruleset.manifest.about
                ))?;
            }
            Ok(Exit::Fine)
        }
        RulesetCommand::Show { ruleset, source: true } => {
            say(load::text(Kind::Ruleset, ruleset)?.text.trim_end())?;
            Ok(Exit::Fine)
        }
        RulesetCommand::Show { ruleset, source: false } => {
            say(&show(&load::ruleset(ruleset)?))?;
            Ok(Exit::Fine)
        }
        RulesetCommand::New(args) => super::new::ruleset(args),
        RulesetCommand::Check(args) => check::run(args, crate::check::ruleset),
        RulesetCommand::Api { surface, markdown, definitions } => {
            let surface = surface.as_deref().and_then(|word| Surface::ALL.into_iter().find(|of| of.word() == word));
            if let Some(folder) = definitions {
                return write_definitions(folder);
            }
            say(&if *markdown { api::markdown() } else { api::text(surface, paint(&io::stdout())) })?;
            Ok(Exit::Fine)
        }
    }
}

fn show(ruleset: &Ruleset) -> String {
    let manifest = &ruleset.manifest;
    let paint = paint(&io::stdout());
    let mut lines = vec![paint.bold(&manifest.name), manifest.about.clone()];
    lines.push(format!("{} players, on the map {} unless another is given", manifest.players_range(), manifest.map));
    lines.push(String::new());
    lines.push(paint.rule("options"));
    for (name, info) in &manifest.options {
        lines.push(format!("  {} {} {}", pad(name, 18), pad(&info.default.to_string(), 8), paint.dim(&info.domain())));
    }
    for (name, values) in &manifest.presets {
        let values: Vec<String> = values.iter().map(|(name, value)| format!("{name}={value}")).collect();
        lines.push(format!("  {} {}", pad(&format!("preset={name}"), 18), values.join(" ")));
    }
    lines.push(String::new());
    lines.push(paint.rule("verbs"));
    for verb in &manifest.verbs {
        let slots: Vec<String> = verb
            .slots
            .iter()
            .map(|(name, kind)| format!("{name}: {}", crate::kernel::words::kind_word(*kind)))
            .collect();
        lines.push(format!("  {} {}", pad(&verb.name, 18), slots.join(", ")));
    }
    lines.push(String::new());
    lines.push(paint.rule("phases"));
    let phases: Vec<&str> = manifest.phases.iter().map(|(info, _)| info.name.as_str()).collect();
    lines.push(format!("  {}", phases.join(", ")));
    lines.push(format!("  of a turn: {}", manifest.turn.join(", ")));
    lines.join("\n")
}

fn write_definitions(folder: &Path) -> Done {
    let failed = |error: io::Error| Error::Write(folder.display().to_string(), error);
    std::fs::create_dir_all(folder).map_err(failed)?;
    for (name, surfaces) in [("rules.d.rhai", &[Surface::Facts, Surface::Game][..]), ("bots.d.rhai", &[Surface::View])]
    {
        std::fs::write(folder.join(name), reference::definitions(surfaces)).map_err(failed)?;
        say(&format!("wrote {}", folder.join(name).display()))?;
    }
    Ok(Exit::Fine)
}
