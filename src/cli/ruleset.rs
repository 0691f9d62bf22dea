//! `risk-cli ruleset`.

use std::io;

use clap::Subcommand;

use super::{Done, Exit, paint, say, tell};
use crate::load::lint::Levels;
use crate::load::{self, Kind};
use crate::report::paint::pad;
use crate::script::{Budget, Ruleset};

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
    /// Load rulesets and report everything that is wrong with them
    Check {
        /// Names or paths
        #[arg(required = true)]
        files: Vec<String>,
    },
    /// Every function that scripts may call: rules, or bots
    Api {
        /// For whom
        #[arg(long, default_value = "rules", value_parser = ["rules", "bots"])]
        surface: String,
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
        RulesetCommand::Check { files } => check(files),
        RulesetCommand::Api { surface } => {
            for signature in crate::script::signatures(surface) {
                say(&signature)?;
            }
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

fn check(files: &[String]) -> Done {
    let mut refused = 0;
    for spec in files {
        let result = load::ruleset(spec).and_then(|ruleset| {
            let options = ruleset.options(&[]).expect("the defaults of options are values of options");
            let board = load::map(&ruleset.manifest.map, &Levels::default())?;
            for players in [ruleset.manifest.players.0, ruleset.manifest.players.1] {
                ruleset.bind(&board, &options, players, Budget::default())?;
            }
            Ok(())
        });
        match result {
            Ok(()) => say(&format!("{spec}: fine"))?,
            Err(failure) => {
                tell(&failure.findings);
                say(&format!("{spec}: {}", crate::suggest::counted(failure.findings.len(), "error")))?;
                refused += 1;
            }
        }
    }
    Ok(if refused == 0 { Exit::Fine } else { Exit::No })
}
