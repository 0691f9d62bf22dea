//! The text shown without a command, and the program's help.

use std::fmt::Write as _;

use clap::{Command, CommandFactory};

use super::{Cli, Error, paint, say};

const FIRST: &str = "\
risk-cli plays Risk and its relatives, with bots, scripts and people.
  risk-cli play                    watch a game
  risk-cli play --bot human        play one yourself
  risk-cli play --games 1000       play many and count the wins
  risk-cli bot new mine            write a bot; `risk-cli --help` lists all commands";

/// The commands by purpose. Commands without a group come last.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["play", "replay", "analyse", "odds"]),
    ("Create", &["bot", "ruleset", "map"]),
    ("Measure", &["compare", "balance", "tune", "tournament"]),
    ("Connect", &["serve", "protocol"]),
    ("Setup", &["completions", "man", "help"]),
];

const EXAMPLES: &str = "  risk-cli play --ruleset warzone --seed 7
  risk-cli play --games 1000 --bot greedy --bot ./mine.rhai
  risk-cli bot check ./mine.rhai
  risk-cli map render europe -o europe.png

You can give a map, ruleset or bot by name or by the path to its file.
`risk-cli COMMAND --help` lists the options of a command.";

pub(super) fn command() -> Command {
    let command = Cli::command();
    let template = template(&command);
    command.help_template(template)
}

/// Prints a few commands to try first, if no command is given.
pub(super) fn run() -> Result<(), Error> {
    let paint = paint(&std::io::stdout());
    let mut lines = FIRST.lines();
    let mut text = paint.bold(lines.next().unwrap_or_default());
    for line in lines {
        let _ = write!(text, "\n{line}");
    }
    say(&text)
}

fn template(command: &Command) -> String {
    // The same style as clap's own headings. clap strips it from output without colour.
    let heading = |text: &str| format!("\u{1b}[1m\u{1b}[4m{text}:\u{1b}[0m");
    let about = |name: &str| {
        let sub = command.get_subcommands().find(|sub| sub.get_name() == name);
        let about = sub.and_then(|sub| sub.get_about().map(ToString::to_string));
        match (about, name) {
            (None, "help") => Some("Print help for a command".to_owned()),
            (about, _) => about,
        }
    };
    let grouped = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let others: Vec<&str> = command
        .get_subcommands()
        .filter(|sub| !sub.is_hide_set() && !grouped(sub.get_name()))
        .map(Command::get_name)
        .collect();
    let groups = GROUPS.into_iter().chain([("Others", others.as_slice())]);
    let mut paint = paint(&std::io::stdout());
    paint.width = paint.width.saturating_sub(15);
    let mut text = "{about}\n\n{usage-heading} {usage}\n".to_owned();
    for (group, names) in groups {
        let rows: Vec<String> = names
            .iter()
            .filter_map(|name| {
                // clap doesn't wrap templates.
                let about = paint.wrapped("", "", &about(name)?);
                let about = about.join(&format!("\n{:15}", ""));
                Some(format!("\n  \u{1b}[1m{name:<12}\u{1b}[0m {about}"))
            })
            .collect();
        if !rows.is_empty() {
            let _ = write!(text, "\n{}{}\n", heading(group), rows.concat());
        }
    }
    let options = heading("Options");
    let examples = heading("Examples");
    let _ = write!(text, "\n{options}\n{{options}}\n\n{examples}\n{EXAMPLES}\n");
    text
}
