//! Arguments that several commands share: what is played, and by whom.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::Error;
use super::isolated::can_isolate;
use crate::kernel::board::Board;
use crate::kernel::declare::{OnFault, Strikes};
use crate::load::bot_spec::{self, BotSpec};
use crate::load::lint::Levels;
use crate::load::{self};
use crate::matches::{Seats, Setup};
use crate::players::BotSource;
use crate::players::isolated::Isolation;
use crate::script::tracer::Tracer;
use crate::script::{Budget, OptionValue, Ruleset, ScriptLimits};
use crate::text::plural::counted;

/// The ruleset that is played when nobody says otherwise.
pub(super) const DEFAULT_RULESET: &str = "hasbro";

/// A ruleset and its options.
#[derive(Args, Debug)]
pub(super) struct RulesArgs {
    /// The ruleset: a name (see `ruleset list`) or the path of a .rhai file
    #[arg(long, short, value_name = "R", default_value = DEFAULT_RULESET)]
    pub(super) ruleset: String,
    /// The map: a name (see `map list`) or a path; the ruleset's own when left out. With
    /// ,borders=two-way behind it, every border can be crossed both ways
    #[arg(long, short, value_name = "M")]
    pub(super) map: Option<String>,
    /// An option of the ruleset, name=value (see `ruleset show`); can be given several times
    #[arg(long = "option", short = 'o', value_name = "K=V")]
    pub(super) options: Vec<String>,
}

/// The players.
#[derive(Args, Debug)]
pub(super) struct PlayersArgs {
    /// A player: a bot's name (see `bot list`), the path of a .rhai file, http://127.0.0.1:4444 for
    /// a bot elsewhere, or with settings: name=alice,bot=greedy; once for each player
    #[arg(long = "bot", short, value_name = "B")]
    pub(super) bots: Vec<String>,
    /// How many players; seats without a --bot get the bots that the ruleset names (see `ruleset
    /// show`)
    #[arg(long, short, value_name = "N")]
    pub(super) players: Option<usize>,
    /// The seed of everything random; chosen and printed when left out
    #[arg(long, short, value_name = "S")]
    pub(super) seed: Option<u64>,
    /// Who sits where: as given, one seat further in each game, or drawn for each game
    #[arg(long, value_enum)]
    pub(super) seats: Option<SeatsArg>,
    /// What happens to a player whose strikes are used up, instead of what the ruleset says
    #[arg(long, value_name = "POLICY")]
    pub(super) on_fault: Option<String>,
    /// How many faults use up a player's strikes, instead of what the ruleset says; 0: asked again
    /// without end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(super) strikes: Option<u32>,
    /// Run each script bot in a process of its own, without files and with limits from the system;
    /// on Unix systems only
    #[arg(long)]
    pub(super) isolate: bool,
    /// Operations for each call into a script (the default is 300000)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1_000..=10_000_000))]
    pub(super) budget: Option<u64>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum SeatsArg {
    /// One seat further in each game
    Rotate,
    /// As given
    Fixed,
    /// Drawn from the seed for each game
    Shuffle,
}

/// A setup, and the names by which its ruleset and map were given.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) setup: Setup,
    pub(super) ruleset: String,
    pub(super) map: String,
    /// The least and the greatest number of players under the options.
    pub(super) range: (usize, usize),
    /// What to say of players whom nobody asked for.
    pub(super) filled: Option<String>,
}

impl Table {
    pub(super) fn specs(&self) -> (&str, &str) {
        (&self.ruleset, &self.map)
    }

    /// The command that plays a game again.
    pub(super) fn command(&self, number: u64) -> String {
        self.setup.command(self.specs(), number)
    }
}

/// `name=value` arguments as pairs.
pub(super) fn option_pairs(options: &[String]) -> Result<Vec<(String, String)>, Error> {
    let pair = |said: &String| {
        let (name, value) = said.split_once('=').ok_or_else(|| {
            Error::input(
                "cli::option",
                format!("the option `{said}` has no value"),
                "write --option name=value, rounding=floor say",
            )
        })?;
        Ok((name.to_owned(), value.to_owned()))
    };
    options.iter().map(pair).collect()
}

/// A ruleset, its options and a map.
pub(super) struct Rules {
    pub(super) ruleset: Ruleset,
    pub(super) options: BTreeMap<String, OptionValue>,
    pub(super) board: Arc<Board>,
    /// The map as it was given.
    pub(super) map: String,
}

/// Loads what is played.
pub(super) fn lay_rules(rules: &RulesArgs) -> Result<Rules, Error> {
    let ruleset = load::ruleset(&rules.ruleset)?;
    let options = ruleset
        .options(&option_pairs(&rules.options)?)
        .map_err(|text| {
            Error::input(
                "cli::option",
                text,
                format!(
                    "`risk-cli ruleset show {}` lists the options",
                    rules.ruleset
                ),
            )
        })?;
    let mut map = rules
        .map
        .clone()
        .unwrap_or_else(|| ruleset.manifest.map.clone());
    // A grid that does not say how many neighbours takes the ruleset's option of that name.
    if let (Some(rest), Some(neighbours)) =
        (map.strip_prefix("grid:"), options.get("neighbourhood"))
        && !rest.contains([':', ','])
    {
        map = format!("{map}:{neighbours}");
    }
    let board = load::map(&map, &Levels::default())?;
    Ok(Rules {
        ruleset,
        options,
        board,
        map,
    })
}

/// Gives every script a process of its own.
fn isolate(
    bots: &mut [BotSpec],
    rules: &RulesArgs,
    map: &str,
    budget: Option<u64>,
) -> Result<(), Error> {
    can_isolate()?;
    let program = std::env::current_exe().map_err(|error| {
        Error::input(
            "cli::isolate",
            format!("this program can't find itself: {error}"),
            "leave out --isolate",
        )
    })?;
    let players = bots.len();
    for spec in bots {
        if let BotSource::Script(script) = &spec.source {
            let script = script.clone();
            let mut arguments = [
                "isolated",
                "--ruleset",
                &rules.ruleset,
                "--map",
                map,
                "--players",
            ]
            .map(str::to_owned)
            .to_vec();
            arguments.extend([
                players.to_string(),
                "--budget".to_owned(),
                budget.unwrap_or(Budget::default().0).to_string(),
            ]);
            arguments.extend(
                rules
                    .options
                    .iter()
                    .flat_map(|option| ["--option".to_owned(), option.clone()]),
            );
            arguments.extend(["--".to_owned(), spec.bot.clone()]);
            spec.source = BotSource::Isolated(Isolation {
                script,
                program: program.clone(),
                arguments,
            });
        }
    }
    Ok(())
}

/// Loads everything that a match needs.
pub(super) fn lay(rules: &RulesArgs, players: &PlayersArgs) -> Result<Table, Error> {
    let Rules {
        ruleset,
        options,
        board,
        map,
    } = lay_rules(rules)?;
    let range = ruleset
        .players(&options)
        .map_err(crate::load::diag::Failure::from)?;
    let (mut bots, filled) = bots(players, &ruleset, range)?;
    if players.isolate {
        isolate(&mut bots, rules, &map, players.budget)?;
    }
    let asymmetric = ruleset.manifest.asymmetric;
    let seats = match players.seats {
        Some(SeatsArg::Rotate) => Seats::Rotate,
        Some(SeatsArg::Fixed) => Seats::Fixed,
        Some(SeatsArg::Shuffle) => Seats::Shuffle,
        None if asymmetric => Seats::Fixed,
        None => Seats::Rotate,
    };
    let setup = Setup {
        strikes: strikes(players, &ruleset)?,
        ruleset,
        board: Arc::clone(&board),
        options,
        bots,
        seed: players.seed.unwrap_or_else(any_seed),
        seats,
        limits: ScriptLimits {
            budget: players.budget.map_or_else(Budget::default, Budget),
            probe: Tracer::default(),
        },
    };
    Ok(Table {
        setup,
        ruleset: rules.ruleset.clone(),
        map,
        range,
        filled,
    })
}

/// The players, and what to say of those whom nobody asked for.
fn bots(
    players: &PlayersArgs,
    ruleset: &Ruleset,
    (least, most): (usize, usize),
) -> Result<(Vec<BotSpec>, Option<String>), Error> {
    let mut bots = players
        .bots
        .iter()
        .map(|spec| BotSpec::parse(spec))
        .collect::<Result<Vec<_>, _>>()?;
    let count = players.players.unwrap_or_else(|| bots.len().max(least));
    if bots.len() > count {
        let text = format!(
            "{} bots are given for {}",
            bots.len(),
            counted(count, "player")
        );
        return Err(Error::input(
            "cli::players",
            text,
            "leave out --players, or a --bot",
        ));
    }
    if count > crate::kernel::id::MAX_PLAYERS || count == 0 {
        return Err(Error::input(
            "cli::players",
            format!("{count} players can't play"),
            "a game has 1 to 32 players",
        ));
    }
    let given = bots.len();
    for spec in ruleset.manifest.bots.iter().cycle().take(count - given) {
        bots.push(BotSpec::parse(spec)?);
    }
    bot_spec::tell_apart(&mut bots);
    // Whoever names some players and no number may have meant these alone.
    let filled = (given > 0 && given < count && players.players.is_none()).then(|| {
        let names: Vec<&str> = bots[given..]
            .iter()
            .map(|spec| spec.name.as_str())
            .collect();
        let range = if least == most {
            least.to_string()
        } else {
            format!("{least} to {most}")
        };
        let verb = if names.len() == 1 { "plays" } else { "play" };
        format!(
            "{} is for {range} players here, so {} {verb} too",
            ruleset.manifest.name,
            names.join(" and ")
        )
    });
    Ok((bots, filled))
}

fn strikes(players: &PlayersArgs, ruleset: &Ruleset) -> Result<Option<Strikes>, Error> {
    if players.strikes.is_none() && players.on_fault.is_none() {
        return Ok(None);
    }
    let mut strikes = ruleset.manifest.strikes.unwrap_or(Strikes {
        limit: 3,
        per_decision: false,
        then: OnFault::Skip,
    });
    if let Some(limit) = players.strikes {
        strikes.limit = limit;
    }
    if let Some(word) = &players.on_fault {
        strikes.then = OnFault::named(word).ok_or_else(|| {
            let help = crate::suggest::help(word, OnFault::ALL.map(OnFault::word));
            Error::input(
                "cli::on-fault",
                format!("there is no fault policy `{word}`"),
                help,
            )
        })?;
    }
    Ok(Some(strikes))
}

/// A seed for a game that nobody gave one: short enough to type.
fn any_seed() -> u64 {
    std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish()
        % 1_000_000
}
