//! `completions` and `man`: shell completions and manual pages.

use crate::cli::library;
use std::io;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::Shell;

use super::{Error, ForceArg, exists, hand_over, say};
use risk_maps::files::FileKind;
use risk_text::plural::counted;

#[derive(Args, Debug)]
pub(super) struct CompletionsArgs {
    /// Shell that reads the script
    shell: Shell,
}

#[derive(Args, Debug)]
pub(super) struct ManArgs {
    /// Write a page for each command into DIR, instead of printing the program's page
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
}

/// Adds the names of maps, rulesets and bots to the command line as possible values. This is only
/// for completion, because each of these arguments also accepts a path.
fn with_names(command: Command) -> Command {
    let bots: Vec<&str> = library().bots().collect();
    let names = |argument: &str| match argument {
        "ruleset" | "extends" => Some(library().names(FileKind::Ruleset)),
        "map" => Some(library().names(FileKind::Map)),
        "bots" | "bot" => Some(bots.clone()),
        _ => None,
    };
    let command = command.mut_args(|argument| match names(argument.get_id().as_str()) {
        Some(names) => argument.value_parser(PossibleValuesParser::new(names)),
        None => argument,
    });
    command.mut_subcommands(with_names)
}

pub(super) fn completions(args: &CompletionsArgs, command: Command) -> Result<(), Error> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut with_names(command), "risk-cli", &mut text);
    hand_over(&String::from_utf8_lossy(&text))
}

pub(super) fn man(args: &ManArgs, command: Command) -> Result<(), Error> {
    let Some(folder) = &args.dir else {
        let mut text = Vec::new();
        clap_mangen::Man::new(command).render(&mut text)?;
        return hand_over(&String::from_utf8_lossy(&text));
    };
    if !args.force.force {
        nothing_there(folder)?;
    }
    let pages = pages(command, folder).map_err(Error::writing(folder))?;
    say(&format!(
        "wrote {} to {}",
        counted(pages, "page"),
        folder.display()
    ))
}

/// Checks that the folder has no manual pages: only `--force` overwrites them.
fn nothing_there(folder: &Path) -> Result<(), Error> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(());
    };
    let is_page = |name: &str| name.starts_with("risk-cli") && name.ends_with(".1");
    let page = entries
        .flatten()
        .find(|entry| entry.file_name().to_str().is_some_and(is_page));
    page.map_or(Ok(()), |page| {
        Err(exists(&page.path().display().to_string()))
    })
}

fn pages(command: Command, folder: &Path) -> io::Result<usize> {
    std::fs::create_dir_all(folder)?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    clap_mangen::generate_to(command, folder)?;
    Ok(std::fs::read_dir(folder)?.count())
}
