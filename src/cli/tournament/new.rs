//! `risk-cli tournament new`: writes a tournament file.

use crate::cli::library;
use crate::cli::seed_arg::any_seed;
use risk_engine::Seed;
use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use clap::Args;

use crate::cli::match_args::RulesArgs;
use crate::cli::{Error, ForceArg, create_own, note};
use risk_engine::RuleSetup;
use risk_engine::bot_spec::BotSpec;
use risk_lab::tournament::folder::FILE;
use risk_lab::tournament::{Design, DesignFault, MOST_BLOCKS, TournamentPlan};
use risk_maps::files::from_folder;
use risk_text::diag::{LoadError, TextFile};

#[derive(Args, Debug)]
pub(in crate::cli) struct NewArgs {
    /// Tournament folder, created if it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    rules: RulesArgs,
    /// Bot to add, as for `play --bot`; may be given several times
    #[arg(long = "bot", short, value_name = "B")]
    bots: Vec<String>,
    /// Number of seats at a table (default: one for each bot)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=32))]
    seats: Option<u8>,
    /// Number of blocks: a multiple of the number of tables in a cycle. A block is one table under
    /// one seed, played once in every seating (default: 100, or the next valid number)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    blocks: Option<u64>,
    /// Seed of the tournament (default: a random seed)
    #[arg(long, short, value_name = "S")]
    seed: Option<Seed>,
    #[command(flatten)]
    force: ForceArg,
}

/// The number of blocks, unless `--blocks` sets it or the cycle requires another number.
const BLOCKS: u64 = 100;

pub(super) fn run(args: &NewArgs) -> Result<(), Error> {
    let rules = args.rules.load()?;
    let bots = if args.bots.is_empty() {
        &rules.ruleset.manifest.bots
    } else {
        &args.bots
    };
    let plan = NewPlan {
        args,
        rules: &rules,
        bots,
        blocks: blocks(args, &rules, bots.len())?,
    };
    plan.check()?;
    let text = plan.text(&way_back(&args.folder)?)?;
    fs::create_dir_all(&args.folder).map_err(Error::writing(&args.folder))?;
    // Only the owner can read the file, because its seed decides all dice.
    let file = args.folder.join(FILE);
    create_own(&file, args.force.force)?
        .write_all(text.as_bytes())
        .map_err(Error::writing(&file))?;
    let folder = args.folder.display();
    if args.blocks.is_none() && plan.blocks != BLOCKS {
        let blocks = plan.blocks;
        note(&format!(
            "  {blocks} blocks instead of {BLOCKS}, so that all tables are played equally often"
        ));
    }
    note(&format!(
        "  wrote {folder}/{FILE}\n  check it with `risk-cli tournament plan {folder}`, then play \
         with `risk-cli tournament run {folder}`"
    ));
    Ok(())
}

/// Returns the number of blocks, which must form complete cycles. Chooses the number unless it is
/// given.
fn blocks(args: &NewArgs, rules: &RuleSetup, bots: usize) -> Result<u64, Error> {
    let (_, most) = rules.players()?;
    let seats = args.seats.map_or_else(|| bots.min(most), usize::from);
    let wanted = args.blocks.unwrap_or(BLOCKS);
    let design = Design::usual(bots, seats, wanted);
    let Err(DesignFault::RaggedCycle { cycle, least }) = design else {
        return Ok(wanted);
    };
    if args.blocks.is_none() {
        return Ok(least);
    }
    let text = format!("expected a number of blocks that is a multiple of {cycle}, found {wanted}");
    let before = wanted / cycle * cycle;
    let valid = [before, least].into_iter();
    let valid: Vec<String> = valid
        .filter(|blocks| (1..=MOST_BLOCKS).contains(blocks))
        .map(|blocks| format!("--blocks {blocks}"))
        .collect();
    let help = format!(
        "write {}, so that all tables are played equally often",
        valid.join(" or ")
    );
    Error::refuse("tournament::ragged-cycle", text, help)
}

/// The content of the file.
struct NewPlan<'a> {
    args: &'a NewArgs,
    rules: &'a RuleSetup,
    bots: &'a [String],
    blocks: u64,
}

impl NewPlan<'_> {
    /// Checks that `tournament run` accepts the file.
    fn check(&self) -> Result<(), Error> {
        // The tournament's folder may not exist yet, so all paths are relative to this folder.
        let here = Path::new("");
        let file = TextFile::new(FILE, &self.text(here)?);
        let plan = TournamentPlan::parse(library(), Path::new(FILE), &file);
        plan.map_err(|failure| {
            let mut findings = failure.findings;
            findings.iter_mut().for_each(|finding| finding.place = None);
            Error::Input(LoadError { findings })
        })?;
        Ok(())
    }

    /// Returns the text of the file for the folder from which `here` leads back to the current
    /// folder. Options that are not given become comments.
    fn text(&self, here: &Path) -> Result<String, Error> {
        let args = self.args;
        let mut listed = String::new();
        for bot in self.bots {
            BotSpec::parse(library(), bot)?;
            // Paths in the file are relative to its folder.
            let bot = BotSpec::words_from(library(), here, bot)?;
            listed += &format!("  - {}\n", quoted(&bot));
        }
        let seats = args
            .seats
            .map_or_else(|| NO_SEATS.to_owned(), |seats| format!("seats: {seats}"));
        let map = args.rules.map.as_ref().map_or_else(
            || format!("# map: {}", self.rules.map_spec),
            |map| format!("map: {}", quoted(&from_folder(here, map))),
        );
        let pairs = args.rules.option_pairs()?;
        let options: Vec<String> = pairs
            .iter()
            .map(|(name, value)| format!("{name}: {}", quoted(value)))
            .collect();
        let options = if options.is_empty() {
            "# options: { max_turns: 300 }".to_owned()
        } else {
            format!("options: {{ {} }}", options.join(", "))
        };
        Ok(format!(
            "# A tournament of risk-cli. To play it, run `risk-cli tournament run .` in this folder.\n\
             ruleset: {}\n\
             {map}\n\
             {options}\n\
             {seats}\n\
             blocks: {:<17} # a block: one table under one seed, played once in every seating\n\
             seed: {}\n\
             bots:                     # names, or paths relative to this folder: name=mine,bot=./mine.rhai\n\
             {listed}{LEFT_OUT}",
            quoted(&from_folder(here, &args.rules.ruleset)),
            self.blocks,
            quoted(args.seed.clone().unwrap_or_else(any_seed).as_str()),
        ))
    }
}

const NO_SEATS: &str = "# seats: 4                # seats at a table (default: one for each bot)";
/// Keys that most tournaments leave out.
const LEFT_OUT: &str = "\
# design: all             # the tables: all, balanced, or { gauntlet: [mine] }
# finals: { best: 4, blocks: 200 } # a second stage for the best bots, under another seed
# anchor: greedy          # the bot to which ratings compare all others
# budget: 300000          # maximum number of operations per call into a script
# strikes: 3              # number of faults that use up a player's strikes
# on_fault: skip          # policy for a player with no strikes left
# luck: true              # measure dice luck, and add win shares adjusted to average luck
# isolate: true           # run each script in its own process
# records: true           # write a record of every game into the folder records
";

/// Returns the path from a folder to the current folder: `..` for each named folder, so that the
/// whole tree can be moved, or else an absolute path.
fn way_back(folder: &Path) -> Result<PathBuf, Error> {
    let mut back = PathBuf::new();
    for part in folder.components() {
        match part {
            Component::Normal(_) => back.push(".."),
            Component::CurDir => {}
            _ => {
                return std::env::current_dir().map_err(Error::writing(folder));
            }
        }
    }
    Ok(back)
}

/// Quotes a text for YAML, if needed.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    let is_word = text.starts_with(|c: char| c.is_alphabetic() || c == '.' || c == '/');
    let is_number = text.parse::<i64>().is_ok();
    let means_more = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let means_more = means_more
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word));
    let is_flag = text == "true" || text == "false";
    if is_number || is_flag || (is_word && !means_more && text.chars().all(plain)) {
        text.to_owned()
    } else {
        serde_json::to_string(text).expect("a string always serializes")
    }
}
