//! `risk-cli play`: plays one game and shows it, or plays many games and counts the wins.

mod many;
mod one;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::bot_log::BotLogArg;
use super::format::MatchFormat;
use super::human::{self, PeopleOptions};
use super::level::LevelArg;
use super::match_args::{PlayersArgs, RulesArgs, print_strangers, print_without_walls};
use super::spectator::WatchArgs;
use super::{CommandResult, Error, ForceArg, note, paint, position, say};
use risk_engine::script::tracer::Tracer;
use risk_engine::{BotSource, Setup};
use risk_people::Onlookers;
use risk_report::profile;
use risk_text::escape_control;

const MOST_GAMES: u64 = 10_000_000;

#[derive(Args, Debug)]
pub(super) struct PlayArgs {
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    players: PlayersArgs,
    #[command(flatten)]
    level: LevelArg,
    /// Number of games; for more than one, the wins are counted and no game is shown
    #[arg(long, short, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: u64,
    /// Number of the first game, to play one game of a match again (default: 0, or the game of the
    /// position with --from)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=MOST_GAMES))]
    first: Option<u64>,
    /// Position to start from: a file written by `replay --position`, or game.jsonl@N for the
    /// position before decision N of a record
    #[arg(long, value_name = "POSITION", conflicts_with_all = ["ruleset", "map", "options", "players"])]
    from: Option<String>,
    /// Number of threads (default: one per core, or 1 with a bot over HTTP)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    jobs: Option<u16>,
    /// Write a record of the game to FILE, for `replay`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    bot_log: BotLogArg,
    #[command(flatten)]
    force: ForceArg,
    /// Output format
    #[arg(long, value_enum, default_value_t = MatchFormat::Text)]
    format: MatchFormat,
    /// Show where scripts spend their operations, by function and line (slow)
    #[arg(long)]
    profile: bool,
    /// Show only the result, without the story
    #[arg(long, short)]
    quiet: bool,
    /// Level of detail of the story (default: brief on a terminal and for people, full elsewhere)
    #[arg(long, value_enum, conflicts_with = "quiet")]
    story: Option<StoryForm>,
    #[command(flatten)]
    watch: WatchArgs,
    /// Resume a game with people from its record
    #[arg(long, value_name = "FILE", conflicts_with_all = ["bots", "players", "seed", "seats", "ruleset", "map", "options", "record", "games", "first", "format", "profile", "quiet", "jobs", "story", "clock", "on_fault", "strikes", "isolate", "budget", "from", "watch", "level"])]
    resume: Option<PathBuf>,
    /// With --resume: allow the record to name programs and addresses, and a ruleset, a map and
    /// scripts outside the current folder
    #[arg(long, requires = "resume")]
    programs: bool,
    /// Let people play in a browser on this machine, and print the address of each player's page
    #[arg(long)]
    web: bool,
    /// Port for the pages (default: any free port)
    #[arg(long, value_name = "N", requires = "web")]
    port: Option<u16>,
    /// View for spectators in the browser: everything that all players see (`public`), all
    /// territories, units and cards (`all`), the view of one player (the seat number, from 1), or
    /// no page for spectators (`none`)
    #[arg(long, value_name = "public|all|none|SEAT", requires = "web", default_value = "public", value_parser = human::onlookers)]
    onlookers: Onlookers,
    /// Let people undo actions even after a dice roll or a card draw; the record marks each undo
    #[arg(long)]
    takeback: bool,
}

/// The level of detail of a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StoryForm {
    /// One line per turn; your own actions in full
    Brief,
    /// Every battle, with its dice
    Full,
}

impl PlayArgs {
    /// Returns the number of the first game: the given number, or the position's game.
    fn first_of(&self, setup: &Setup) -> u64 {
        let from = setup.position.as_ref().map_or(0, |position| position.game);
        self.first.unwrap_or(from)
    }

    /// Reports whether an option changes how the game is shown.
    fn is_told_otherwise(&self) -> bool {
        let told = self.quiet || self.story.is_some() || self.profile;
        told || self.format != MatchFormat::Text
    }

    fn asked(&self) -> PeopleOptions {
        let port = self.web.then(|| self.port.unwrap_or(0));
        PeopleOptions {
            takeback: self.takeback,
            brief: self.story != Some(StoryForm::Full),
            port,
            // A salt would not hide a seed that someone chose.
            onlookers: self.onlookers,
            commits: self.web && self.players.seed.seed.is_none() && self.from.is_none(),
        }
    }
}

pub(super) fn run(args: &PlayArgs) -> CommandResult {
    if let Some(path) = &args.resume {
        return human::resume(path, args.asked(), args.programs);
    }
    let mut setup = match &args.from {
        Some(from) => (args.players).setup_from(position::named(from)?, &args.level)?,
        None => args.players.setup(&args.rules, &args.level)?,
    };
    print_without_walls(&setup.bots);
    print_strangers(&setup);
    if let Some(filled) = args.players.filled(&setup)? {
        let filled = escape_control(&filled);
        let text = format!("{filled}; --players sets the number");
        note(&paint(&io::stderr()).indented(&text).join("\n"));
    }
    if human::has_people(&setup) {
        return with_people(args, setup);
    }
    if args.asked().port.is_some() {
        let help = "add --bot human, or --bot name=ann,bot=human for each of several people";
        let text = "--web requires a human player";
        return Err(Error::input("cli::web", text, help));
    }
    if args.takeback {
        let help = "add --bot human, or omit --takeback";
        let text = "--takeback requires a human player";
        return Err(Error::input("cli::takeback", text, help));
    }
    if args.profile {
        setup.limits.tracer = Tracer::with_lines();
    } else if args.games == 1 && args.format != MatchFormat::Jsonl {
        setup.limits.tracer = Tracer::new();
    }
    let many = args.games > 1 || args.format == MatchFormat::Jsonl;
    if many && args.record.is_some() {
        let text = "--record requires a single game";
        let help = "play one game with the same seed and --first NUMBER, without --format jsonl";
        return Err(Error::input("cli::record", text, help));
    }
    if args.story.is_some() && (args.games > 1 || args.format != MatchFormat::Text) {
        let text = "--story requires a single game in text format";
        let help = "omit --story, or play a single game without --format";
        return Err(Error::input("cli::story", text, help));
    }
    if args.watch.watch && (many || args.is_told_otherwise()) {
        let text = "--watch can't be used with --games, --format, --story, --quiet or --profile";
        let help = "omit --watch, or the other options";
        return Err(Error::input("cli::watch", text, help));
    }
    let done = match (many, args.format) {
        (false, _) => one::run(args, &setup)?,
        (true, MatchFormat::Jsonl) => many::stream(args, &setup)?,
        (true, _) => many::run(args, &setup)?,
    };
    if args.profile {
        print_profile(&setup)?;
    }
    Ok(done)
}

/// Plays a single game with people, and shows it as it progresses.
fn with_people(args: &PlayArgs, setup: Setup) -> CommandResult {
    let wrong = [
        ("--games", args.games > 1),
        ("--format", args.format != MatchFormat::Text),
        ("--profile", args.profile),
        ("--quiet", args.quiet),
        ("--story", args.story.is_some() && args.web),
        ("--watch", args.watch.watch),
        ("--bot-log", args.bot_log.is_given()),
    ];
    if let Some((option, _)) = wrong.into_iter().find(|(_, is_given)| *is_given) {
        let text = format!("{option} can't be used in a game with people");
        let help = format!("omit {option}, or name a bot instead of `human`");
        return Err(Error::input("cli::human", text, help));
    }
    let record = args.record.as_deref();
    let first = args.first_of(&setup);
    human::begin(setup, first, record, args.force.force, args.asked())
}

/// If the same seed may produce a different game next time, prints why.
fn print_not_reproducible(setup: &Setup) -> Result<(), Error> {
    let Some(why) = setup.why_not_reproducible() else {
        return Ok(());
    };
    let timed = if setup.is_timed() { "timed, " } else { "" };
    let text = format!("{timed}not reproducible: {why}");
    say(&paint(&io::stdout()).indented(&text).join("\n"))
}

fn print_profile(setup: &Setup) -> Result<(), Error> {
    let bots = setup.bots.iter().filter_map(|spec| match &spec.source {
        BotSource::Script(script) => Some(&script.source),
        BotSource::BuiltIn(_) | BotSource::Made(_) | BotSource::Human => None,
    });
    let texts: BTreeMap<String, String> = setup
        .rules
        .ruleset
        .sources()
        .chain(bots)
        .map(|source| (source.name.to_string(), source.text.to_string()))
        .collect();
    if let Some(readings) = setup.limits.tracer.readings() {
        say(&profile::text(&readings, &texts, paint(&io::stdout())))?;
    }
    Ok(())
}
