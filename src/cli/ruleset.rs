//! `risk-cli ruleset`: lists, writes, shows, checks and packs rulesets.

mod pack;

use crate::cli::library;
use risk_maps::files::FileKind;
use std::io;
use std::path::PathBuf;

use clap::Subcommand;

use super::cases::{self, TestArgs};
use super::check::{self, CheckArgs, OpponentsArg};
use super::match_args::RulesArgs;
use super::threads::progress;
use super::{CommandResult, Error, Exit, ForceArg, editor, hand_over, hang, paint, remark, say};
use risk_engine::script::ScriptLimits;
use risk_engine::script::manifest::Manifest;
use risk_engine::script::reference::Surface;
use risk_engine::{load_ruleset, ruleset_path};
use risk_report::{api, api_search, declared};
use risk_text::paint::pad;
use risk_text::{beginning, suggest};

#[derive(Debug, Subcommand)]
pub(super) enum RulesetCommand {
    /// List the built-in rulesets
    List,
    /// Show the declarations of a ruleset: players, map, options, verbs, phases
    Show {
        /// Ruleset: a name or a path
        ruleset: String,
        /// Print the script
        #[arg(long)]
        source: bool,
        /// Print the rules for players
        #[arg(long, conflicts_with = "source")]
        rules: bool,
        /// Ruleset option as name=value, for texts that depend on it; may be given several times
        #[arg(
            long = "option",
            short = 'o',
            value_name = "K=V",
            conflicts_with = "source"
        )]
        options: Vec<String>,
    },
    /// Write a working, commented ruleset to start from
    New(super::new::NewRuleset),
    /// Write a ruleset, the scripts that it uses and its map to one zip, which plays like them
    Pack(pack::PackArgs),
    /// Check rulesets, report all problems, and try the rulesets in random games
    Check {
        #[command(flatten)]
        args: CheckArgs,
        #[command(flatten)]
        bots: OpponentsArg,
    },
    /// Run a ruleset's tests: positions, answers, and the expected results
    Test(TestArgs),
    /// List all functions that scripts may call, with their meaning and cost
    Api {
        /// List only functions with all of these words in their name, types or meaning
        #[arg(value_name = "WORD")]
        words: Vec<String>,
        /// Group of functions: for hooks that read the game (facts), for hooks that change it
        /// (game), for bots (view), or for tables (table)
        #[arg(long, value_parser = ["facts", "game", "view", "table"])]
        surface: Option<String>,
        /// Print the list as Markdown, as in docs/api.md
        #[arg(long, conflicts_with_all = ["words", "surface", "definitions"])]
        markdown: bool,
        /// Write files for your editor into DIR, the folder that you open in the editor:
        /// definitions of all functions for Rhai's language server, JSON Schemas of maps,
        /// positions, tests, tournaments and arenas, and VS Code settings that refer to them
        #[arg(long, value_name = "DIR", conflicts_with_all = ["words", "surface"])]
        definitions: Option<PathBuf>,
        #[command(flatten)]
        force: ForceArg,
    },
}

/// Returns a ruleset's declarations with its texts for these options, on its own map.
fn manifest(ruleset: &str, options: &[String]) -> Result<Manifest, Error> {
    let args = RulesArgs {
        ruleset: ruleset.to_owned(),
        map: None,
        options: options.to_vec(),
        usual: Vec::new(),
    };
    let rules = args.load()?;
    let least = rules.ruleset.manifest.players.0;
    let bound = rules.bind(least, &ScriptLimits::default())?;
    let mut manifest = rules.ruleset.manifest.clone();
    manifest.decl = (*bound.decl).clone();
    Ok(manifest)
}

fn source(ruleset: &str) -> Result<(), Error> {
    let path = ruleset_path(ruleset)?;
    hand_over(&risk_maps::text(library(), FileKind::Ruleset, &path)?.text)
}

fn list() -> Result<(), Error> {
    for name in library().names(FileKind::Ruleset) {
        let ruleset = load_ruleset(library(), name)?;
        let players = pad(&ruleset.manifest.players_range(), 7);
        let head = format!("{} {players} players  ", pad(name, 12));
        hang(&head, &ruleset.manifest.about)?;
    }
    remark("classic is another name of hasbro")
}

pub(super) fn run(command: &RulesetCommand) -> CommandResult {
    match command {
        RulesetCommand::Test(args) => return cases::rulesets(args),
        RulesetCommand::List => list(),
        RulesetCommand::Show {
            ruleset,
            source: true,
            ..
        } => source(ruleset),
        RulesetCommand::Show {
            ruleset,
            rules,
            options,
            ..
        } => {
            let manifest = manifest(ruleset, options)?;
            let paint = paint(&io::stdout());
            if *rules {
                say(&declared::rules(&manifest, paint))
            } else {
                say(&declared::text(&manifest, paint))
            }
        }
        RulesetCommand::New(args) => super::new::ruleset(args),
        RulesetCommand::Pack(args) => pack::run(args),
        RulesetCommand::Check { args, bots } => {
            return check::run(FileKind::Ruleset, args, |spec, games| {
                let bar = progress(0, "games");
                let mut report =
                    risk_lab::check::ruleset(library(), spec, games, &mut |done, all| {
                        bar.set_length(all);
                        bar.set_position(done);
                    });
                bar.finish_and_clear();
                bots.compare(&mut report);
                report
            });
        }
        RulesetCommand::Api {
            words,
            surface,
            markdown,
            definitions,
            force,
        } => {
            let surface = surface.as_deref().and_then(Surface::from_name);
            if let Some(folder) = definitions {
                return editor::write(folder, force.force).map(|()| Exit::Fine);
            }
            let text = match (*markdown, words.is_empty()) {
                (true, _) => api::markdown(),
                (false, true) => api::text(surface, paint(&io::stdout())),
                (false, false) => found(words, surface)?,
            };
            say(&text)
        }
    }
    .map(|()| Exit::Fine)
}

/// Returns the functions of the script API that match all words.
fn found(words: &[String], surface: Option<Surface>) -> Result<String, Error> {
    if words.iter().any(|word| word.trim().is_empty()) {
        let text = "empty search word";
        let help = "give a word, for example `risk-cli ruleset api draw`, or list everything with \
                    `risk-cli ruleset api`";
        return Error::refuse("cli::api", text, help);
    }
    api_search::search(words, surface, paint(&io::stdout()))
        .ok_or_else(|| nothing_found(words, surface))
}

/// The maximum number of letters of the search words that an error quotes.
const LONGEST: usize = 60;

fn nothing_found(words: &[String], surface: Option<Surface>) -> Error {
    let names = api_search::names(surface);
    let alone = |word: &&String| {
        let word = std::slice::from_ref(*word);
        api_search::search(word, surface, paint(&io::stdout())).is_none()
    };
    let text = format!(
        "no function, hook or event matches `{}`",
        beginning(&words.join(" "), LONGEST, "…")
    );
    let help = match words.iter().find(alone) {
        None => "no function matches all of these words: leave one out".to_owned(),
        Some(word) => match suggest::nearest(word, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "list everything with `risk-cli ruleset api`".to_owned(),
        },
    };
    Error::input("cli::api", text, help)
}
