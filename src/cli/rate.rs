//! `risk-cli bot rate`: the strength of a bot as one number, from games in a frozen field.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use clap::Args;

use super::format::Format;
use super::match_args::DEFAULT_RULESET;
use super::threads::{progress, stopped, threads};
use super::{CommandResult, Error, Exit, library, note, paint, say, say_json};
use risk_engine::bot_spec::BotSpec;
use risk_engine::{BotSource, RuleSetup};
use risk_lab::check::{self, BotTrial};
use risk_lab::rating;
use risk_lab::tournament::TournamentPlan;
use risk_lab::tournament::TournamentSpec;
use risk_lab::tournament::results::TournamentTally;
use risk_lab::tournament::run::{self, BlockNumbers};
use risk_maps::files::is_path;
use risk_report::rating::RatingReport;
use risk_text::diag::TextFile;
use risk_text::plural::counted;
use risk_text::suggest;

/// The time after which a long rating says how long it takes.
const SOON: Duration = Duration::from_secs(10);
/// The time in all from which a rating counts as long.
const LONG: Duration = Duration::from_secs(60);

#[derive(Args, Debug)]
pub(super) struct RateArgs {
    /// Bot to rate, as for `play --bot`
    bot: String,
    /// Ruleset in whose newest field the bot is rated
    #[arg(long, short, value_name = "R", default_value = DEFAULT_RULESET, conflicts_with = "field")]
    ruleset: String,
    /// Field by its name, or a field of your own: the tournament.yaml of a gauntlet of the bot
    /// `rated`
    #[arg(long, value_name = "FIELD")]
    field: Option<String>,
    /// Number of threads (default: one per core, or 1 with a bot over HTTP)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    jobs: Option<u16>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Print a JSON document, like --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Print only a line of Markdown with a badge for a README
    #[arg(long, conflicts_with_all = ["format", "json"])]
    badge: bool,
}

pub(super) fn run(args: &RateArgs) -> CommandResult {
    let bot = BotSpec::parse(library(), &args.bot)?;
    let name = bot.name.clone();
    let field = field(args)?;
    let is_script = matches!(bot.source, BotSource::Script(_));
    let (plan, rated) = rating::plan(library(), &field, bot)?;
    if is_script {
        warn(&args.bot, &plan.setup.rules);
    }
    let jobs = threads(args.jobs, &plan.setup)?;
    let tally = play(&plan, jobs)?;
    let field = field.name.trim_end_matches("/tournament.yaml");
    let report = RatingReport::new(field, &name, &tally, rated);
    if args.badge {
        say(&report.badge())?;
    } else if args.json || args.format == Format::Json {
        say_json(&report.document())?;
    } else {
        say(&report.text(paint(&io::stdout())))?;
    }
    Ok(Exit::Fine)
}

/// Says so if `bot check` has warnings. A script that is made for other phases plays by chance.
fn warn(bot: &str, rules: &RuleSetup) {
    let trial = BotTrial {
        ruleset: &rules.ruleset_spec,
        alone: true,
        against: "random",
        games: Some(0),
    };
    let report = check::bot(library(), bot, &trial);
    // An error stops the rating, and is reported there.
    if !report.findings.is_empty() && !report.fails() {
        let warnings = counted(report.findings.len() as u64, "warning");
        let ruleset = trial.ruleset;
        note(&format!(
            "  {warnings} in the script: see `risk-cli bot check {bot} --ruleset {ruleset}`"
        ));
    }
}

/// Returns the tournament of a field.
fn field(args: &RateArgs) -> Result<TextFile, Error> {
    let name = match &args.field {
        Some(file) if is_path(file) => return Ok(TournamentSpec::file(Path::new(file))?),
        Some(name) => name,
        None => match risk_cli::newest_field(&args.ruleset) {
            Some(name) => name,
            None => return unknown(&args.ruleset),
        },
    };
    let file = |text| TextFile::new(&format!("{name}/tournament.yaml"), text);
    risk_cli::field(name)
        .map(file)
        .map_or_else(|| unknown(name), Ok)
}

fn unknown<T>(name: &str) -> Result<T, Error> {
    let text = format!("no field for `{name}`");
    let guess = suggest::help(name, risk_cli::fields());
    let stop = if guess.ends_with('?') { "" } else { "." };
    let help = format!("{guess}{stop} To make a field of your own, see docs/tournaments.md");
    Error::refuse("rating::field", text, help)
}

fn play(plan: &TournamentPlan, jobs: usize) -> Result<TournamentTally<'_>, Error> {
    let mut tally = TournamentTally::new(plan);
    let bar = progress(plan.blocks, "blocks");
    let began = Instant::now();
    let mut is_said = false;
    let blocks = BlockNumbers::From(0, plan.blocks);
    let played = run::play(plan, blocks, jobs, |block, _| {
        tally.add(&block);
        bar.set_position(tally.blocks);
        let passed = began.elapsed();
        let all = passed.mul_f64(plan.blocks as f64 / tally.blocks as f64);
        if !is_said && passed > SOON && all > LONG {
            is_said = true;
            let minutes = all.as_secs().div_ceil(60);
            bar.suspend(|| note(&format!("  about {} in all", counted(minutes, "minute"))));
        }
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    played.map_err(|fault| stopped(fault, &plan.setup))?;
    let games = counted(tally.games, "game");
    note(&format!(
        "  {games} in {:.1} s",
        began.elapsed().as_secs_f64()
    ));
    Ok(tally)
}
