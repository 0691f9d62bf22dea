//! Arguments shared by several commands: the rules, the bots, and the resulting match.

use crate::cli::library;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::level::LevelArg;
use super::seed_arg::SeedArg;
use super::{Error, human, note};
use risk_engine::bot_spec::BotSpec;
use risk_engine::script::{Budget, ScriptLimits};
use risk_engine::{BotSource, MatchSpec, RuleSetup, Seats, Setup, TimeControl};
use risk_kernel::declare::OnFault;
use risk_maps::position::PositionFile;
use risk_text::escape_control;
use risk_wire::Endpoint;

pub(super) const DEFAULT_RULESET: &str = "hasbro";

/// A ruleset and its options.
#[derive(Args, Clone, Debug)]
pub(super) struct RulesArgs {
    /// Ruleset: a name (see `ruleset list`) or the path to a .rhai file
    #[arg(long, short, value_name = "R", default_value = DEFAULT_RULESET)]
    pub(super) ruleset: String,
    /// Map: a name (see `map list`) or a path (default: the ruleset's own). Append ,borders=two-way
    /// to make all borders two-way
    #[arg(long, short, value_name = "M")]
    pub(super) map: Option<String>,
    /// Ruleset option as name=value (see `ruleset show`); may be given several times
    #[arg(long = "option", short = 'o', value_name = "K=V")]
    pub(super) options: Vec<String>,
    /// Other defaults for some options, for bots that expect them.
    #[arg(skip)]
    pub(super) usual: Vec<(&'static str, &'static str)>,
}

/// The players, their seats, and the limits of scripts and faults.
#[derive(Args, Debug)]
pub(super) struct PlayersArgs {
    /// Bot for a seat: a name (see `bot list`), the path to a .rhai file, or a separate program
    /// ('cmd:python3 bot.py' or http://127.0.0.1:4444). For settings, write name=alice,bot=greedy.
    /// May be given several times
    #[arg(long = "bot", short, value_name = "B")]
    pub(super) bots: Vec<String>,
    /// Number of players; the ruleset's own bots fill the seats without a --bot (see `ruleset
    /// show`)
    #[arg(long, short, value_name = "N")]
    pub(super) players: Option<usize>,
    #[command(flatten)]
    pub(super) seed: SeedArg,
    /// Seating of the players (default: rotate, or fixed if the ruleset is asymmetric)
    #[arg(long, value_enum)]
    pub(super) seats: Option<SeatsArg>,
    /// Policy for a player with no strikes left (default: the ruleset's policy)
    #[arg(long, value_name = "POLICY")]
    pub(super) on_fault: Option<String>,
    /// Number of faults that use up a player's strikes, or 0 for no limit (default: the ruleset's
    /// number)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(super) strikes: Option<u32>,
    /// Run each script bot in its own process, without file access and with system limits (Unix
    /// only)
    #[arg(long)]
    pub(super) isolate: bool,
    #[command(flatten)]
    pub(super) budget: BudgetArg,
    #[command(flatten)]
    pub(super) clock: ClockArg,
}

/// The budget of scripts.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct BudgetArg {
    /// Maximum number of operations per call into a script, up to 10000000 (default: 300000)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1_000..=10_000_000))]
    budget: Option<u64>,
}

impl BudgetArg {
    /// Returns the limits of scripts.
    pub(super) fn limits(&self) -> ScriptLimits {
        ScriptLimits {
            budget: self.budget.map_or_else(Budget::default, Budget),
            ..ScriptLimits::default()
        }
    }
}

/// The time control of bots.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct ClockArg {
    /// Clock for each bot: a bank of time, and the time that each answer adds, for example
    /// move=1s,bank=10s. Results then depend on the machine and its load, and are marked as timed
    #[arg(long, value_name = "TIME")]
    clock: Option<String>,
}

impl ClockArg {
    pub(super) const fn new(clock: Option<String>) -> Self {
        Self { clock }
    }

    /// Parses the clock for bots that have no clock of their own.
    pub(super) fn control(&self) -> Result<Option<TimeControl>, Error> {
        let read = |text: &String| {
            let wrong = |text| {
                Error::input(
                    "cli::clock",
                    text,
                    "write --clock move=1s,bank=10s, for example",
                )
            };
            text.parse::<TimeControl>().map_err(wrong)
        };
        self.clock.as_ref().map(read).transpose()
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum SeatsArg {
    /// Move each player one seat further in each game
    Rotate,
    /// Keep the order in which the bots are given
    Fixed,
    /// Shuffle the players for each game, based on the seed
    Shuffle,
}

impl From<SeatsArg> for Seats {
    fn from(seats: SeatsArg) -> Self {
        match seats {
            SeatsArg::Rotate => Self::Rotate,
            SeatsArg::Fixed => Self::Fixed,
            SeatsArg::Shuffle => Self::Shuffle,
        }
    }
}

impl RulesArgs {
    pub(super) fn option_pairs(&self) -> Result<Vec<(String, String)>, Error> {
        let pair = |text: &String| {
            let (name, value) = text.split_once('=').ok_or_else(|| {
                Error::input(
                    "cli::option",
                    format!("expected NAME=VALUE for an option, found `{text}`"),
                    "write `--option NAME=VALUE`, for example `--option rounding=floor`",
                )
            })?;
            Ok((name.to_owned(), value.to_owned()))
        };
        self.options.iter().map(pair).collect()
    }

    /// Describes a match with these rules.
    pub(super) fn spec(&self) -> Result<MatchSpec, Error> {
        Ok(MatchSpec {
            map: self.map.clone(),
            options: self.option_pairs()?,
            usual: self.usual.clone(),
            ..MatchSpec::new(&self.ruleset)
        })
    }

    pub(super) fn load(&self) -> Result<RuleSetup, Error> {
        self.load_for(&[])
    }

    /// Loads the rules, with the options that these bots expect.
    pub(super) fn load_for(&self, bots: &[BotSpec]) -> Result<RuleSetup, Error> {
        let loaded = self.spec()?.rules(library(), bots)?;
        print_assumed(&loaded.assumed);
        print_without_walls(bots);
        Ok(loaded)
    }
}

/// Notes the options that differ from the ruleset's defaults although the user didn't set them.
pub(super) fn print_assumed(assumed: &[(&str, &str)]) {
    for (name, value) in assumed {
        note(&format!(
            "  {name}={value}, the default of this protocol; --option {name}=VALUE changes it"
        ));
    }
}

/// Notes if the system can't isolate programs, so that only limits apply to them.
pub(super) fn print_without_walls(bots: &[BotSpec]) {
    let mut programs = bots
        .iter()
        .filter_map(|bot| bot.source.factory::<Endpoint>());
    if programs.any(Endpoint::lacks_sandbox) {
        note(
            "  this system can't sandbox programs (Linux 6.12 or later can): bots run with limits \
             only, as with sandbox=open",
        );
    }
}

/// Notes the bots that are not made for the ruleset.
pub(super) fn print_strangers(setup: &Setup) {
    let particular = setup
        .bots
        .iter()
        .map(|spec| (spec.bot.as_str(), &spec.source));
    let particular: BTreeMap<_, _> = particular
        .filter(|(_, source)| !source.lists(&setup.rules.ruleset))
        .collect();
    if particular.is_empty() {
        return;
    }
    // The game reports the ruleset's faults.
    let players = setup.bots.len();
    let ruleset = &setup.rules.ruleset;
    let bound = ruleset.bind(
        &setup.rules.board,
        &setup.rules.options,
        players,
        &setup.limits,
    );
    let Ok(bound) = bound else { return };
    let name = escape_control(&ruleset.manifest.decl.name);
    for (bot, source) in particular {
        if source.is_made_for(ruleset, &bound.decl) {
            continue;
        }
        let effect = match source {
            BotSource::BuiltIn(_) => "it plays like outnumber",
            _ => "it may play badly, or commit faults",
        };
        let bot = escape_control(bot);
        let made_for = source.made_for().join(", ");
        let made_for = escape_control(&made_for);
        note(&format!(
            "  {bot} is not made for {name}: {effect}. It is made for {made_for}"
        ));
    }
}

impl PlayersArgs {
    pub(super) fn setup(&self, rules: &RulesArgs, level: &LevelArg) -> Result<Setup, Error> {
        let spec = MatchSpec {
            players: self.players,
            seed: self.seed.or_any(),
            ..rules.spec()?
        };
        self.setup_of(spec, level)
    }

    /// Loads games from a position. Its players keep their seats, and its seed stays in use unless
    /// another seed is given.
    pub(super) fn setup_from(
        &self,
        position: PositionFile,
        level: &LevelArg,
    ) -> Result<Setup, Error> {
        let mut spec = MatchSpec::from_position(position);
        spec.seed = self.seed.seed.clone().unwrap_or(spec.seed);
        self.setup_of(spec, level)
    }

    fn setup_of(&self, spec: MatchSpec, level: &LevelArg) -> Result<Setup, Error> {
        let spec = MatchSpec {
            bots: self.bots.clone(),
            seats: self.seats.map(Seats::from).or(spec.seats),
            strikes: self.strikes,
            on_fault: self.fault_policy()?,
            limits: self.budget.limits(),
            clock: self.clock.control()?,
            ..spec
        };
        let mut setup = level.load(spec)?;
        print_assumed(&setup.rules.assumed);
        if self.isolate {
            let players = setup.bots.len();
            isolate(&mut setup, players)?;
        }
        Ok(setup)
    }

    fn fault_policy(&self) -> Result<Option<OnFault>, Error> {
        let Some(word) = &self.on_fault else {
            return Ok(None);
        };
        OnFault::from_name(word).map(Some).ok_or_else(|| {
            let help = risk_text::suggest::help(word, OnFault::ALL.map(OnFault::as_str));
            let text = format!("no fault policy named `{word}`");
            Error::input("cli::on-fault", text, help)
        })
    }

    /// Names the bots that fill free seats, if bots were given without a number of players. The
    /// user may have meant to play with the given bots only. People know whom they meet.
    pub(super) fn filled(&self, setup: &Setup) -> Result<Option<String>, Error> {
        let given = self.bots.len();
        let is_full = given == setup.bots.len();
        if given == 0 || is_full || self.players.is_some() || human::has_people(setup) {
            return Ok(None);
        }
        let names: Vec<&str> = setup.bots[given..]
            .iter()
            .map(|spec| spec.name.as_str())
            .collect();
        let range = setup.rules.players_range()?;
        let verb = if names.len() == 1 { "fills" } else { "fill" };
        let seats = if names.len() == 1 { "seat" } else { "seats" };
        Ok(Some(format!(
            "{} needs {range} players: {} {verb} the free {seats}",
            setup.rules.ruleset.manifest.decl.name,
            names.join(" and ")
        )))
    }
}

/// Checks that the system can limit a process: `--isolate` must not run without limits.
pub(super) fn can_isolate() -> Result<(), Error> {
    if cfg!(unix) {
        return Ok(());
    }
    let text = "--isolate needs the process limits of a Unix system";
    let help = "remove --isolate: the limits on operations and memory of scripts still apply";
    Error::refuse("cli::isolate", text, help)
}

/// Gives every script its own process, for games with this number of players.
pub(super) fn isolate(setup: &mut Setup, players: usize) -> Result<(), Error> {
    can_isolate()?;
    if risk_maps::files::is_piped(&setup.rules.map_spec) {
        let text = format!(
            "the processes of --isolate can't read the map {}",
            setup.rules.map_spec
        );
        let help = "save the map to a file: a pipe can be read only once";
        return Error::refuse("cli::isolate", text, help);
    }
    let program = own_program("remove --isolate")?;
    risk_wire::isolated::isolate(setup, &program, players);
    Ok(())
}

/// Returns the path of this program, which runs each script in a process of its own.
pub(super) fn own_program(help: &str) -> Result<PathBuf, Error> {
    std::env::current_exe().map_err(|error| {
        let text = format!("can't find the program's executable: {error}");
        Error::input("cli::isolate", text, help)
    })
}
