//! `serve --ladder`: a ladder over HTTP.

use std::path::Path;
use std::time::Duration;

use super::super::match_args::{ClockArg, can_isolate};
use super::super::{CommandResult, Error, Exit, note, say};
use super::options::ServeArgs;
use crate::cli::seed_arg::any_seed;
use risk_arena::{self, LadderServer};
use risk_engine::{BotSource, Seats, Seed, Setup, TimeControl};
use risk_lab::ladder::{Ladder, LadderConfig};
use risk_text::escape_control;
use risk_wire::transport::has_sandbox;

/// The default clock of each bot, for a whole game.
const BANK: Duration = Duration::from_secs(20);
/// The default of `--disk`, in MiB.
const DISK: u64 = 1_024;
/// The default of `--registrations`.
const REGISTRATIONS: u32 = 5;
/// The default of `--enough`, in blocks.
const ENOUGH: u32 = 500;

impl ServeArgs {
    /// Refuses ladder options without `--ladder`.
    pub(super) fn check_no_ladder(&self) -> Result<(), Error> {
        let said = [
            ("--open", self.open),
            ("--registrations", self.registrations.is_some()),
            ("--enough", self.enough.is_some()),
            ("--disk", self.disk.is_some()),
            ("--clock", self.clock.is_some()),
        ];
        match said.into_iter().find(|(_, is_said)| *is_said) {
            None => Ok(()),
            Some((name, _)) => {
                let text = format!("{name} requires --ladder");
                let help = "remove it, or add --ladder FOLDER";
                Error::refuse("serve::ladder", text, help)
            }
        }
    }
}

/// Returns the given seed, else the seed saved in the folder, else a random seed.
fn seed(args: &ServeArgs, folder: &Path) -> Seed {
    let saved = risk_lab::tournament::folder::saved_part(folder, "seed");
    let saved = saved.and_then(|seed| seed.parse().ok());
    args.seed.clone().or(saved).unwrap_or_else(any_seed)
}

/// Checks that house bots are built-in or scripts, and that no name contains `@`, which marks
/// versions of registered bots.
fn check_house(setup: &Setup) -> Result<(), Error> {
    for spec in &setup.bots {
        let text = match &spec.source {
            BotSource::BuiltIn(_) | BotSource::Script(_) if spec.name.contains('@') => {
                format!(
                    "invalid name `{}` for a house bot: `@` is reserved for script versions",
                    spec.name
                )
            }
            BotSource::BuiltIn(_) | BotSource::Script(_) => continue,
            _ => format!(
                "house bots of a ladder must be built-in bots or scripts, found {}",
                spec.name
            ),
        };
        let help = "name a bot from `risk-cli bot list`, or the path of a script";
        return Error::refuse("serve::house", text, help);
    }
    Ok(())
}

/// Returns the number of players at a table.
fn seats(args: &ServeArgs, setup: &Setup) -> Result<usize, Error> {
    let (least, most) = setup.rules.players()?;
    let seats = args.players.map_or(4.clamp(least, most), usize::from);
    let least = least.max(2);
    if (least..=most).contains(&seats) {
        return Ok(seats);
    }
    let ruleset = &setup.rules.ruleset_spec;
    let text = format!("{ruleset} needs {least} to {most} players, found {seats}");
    let help = "set --players accordingly";
    Error::refuse("serve::players", text, help)
}

fn config(args: &ServeArgs, folder: &Path) -> Result<(LadderConfig, LadderServer), Error> {
    let secret = super::secret(args.secret_file.as_deref())?;
    if secret.is_none() && !args.open {
        let text = "missing secret: a ladder without --open needs one to register people";
        let help = "name its file with --secret-file, or add --open";
        return Error::refuse("serve::no-secret", text, help);
    }
    args.check_seed()?;
    let clock = ClockArg::new(args.clock.clone());
    let mut setup = args.setup_with(Some(seed(args, folder)), clock)?;
    check_house(&setup)?;
    let seats = seats(args, &setup)?;
    args.try_table(&setup.with_bots([]), seats)?;
    setup.seats = Seats::Fixed;
    setup.clock = setup.clock.or(Some(TimeControl {
        bank: BANK,
        per_move: Duration::ZERO,
    }));
    let program =
        std::env::current_exe().map_err(|error| Error::Write("this program".to_owned(), error))?;
    risk_wire::isolated::isolate(&mut setup, &program, seats);
    let house = std::mem::take(&mut setup.bots);
    let ladder = LadderConfig {
        base: setup,
        practice: args.practice,
        seats,
        house,
        enough: args.enough.unwrap_or(ENOUGH),
        disk: args.disk.unwrap_or(DISK) << 20,
        program,
    };
    let server = LadderServer {
        server: args.server(secret, 1),
        open: args.open,
        registrations: args.registrations.unwrap_or(REGISTRATIONS),
    };
    Ok((ladder, server))
}

pub(super) fn run(args: &ServeArgs, folder: &Path) -> CommandResult {
    can_isolate()?;
    if !has_sandbox() {
        let text = "can't isolate scripts on this system";
        let help = "run the ladder on Linux 6.12 or later";
        return Error::refuse("serve::walls", text, help);
    }
    let (ladder, server) = config(args, folder)?;
    if server.open && !server.server.hosts.is_empty() && args.registrations.is_none() {
        note(
            "  all people behind a proxy share its address, and only 5 can register in 24 hours: \
             set --registrations to raise the limit",
        );
    }
    let title = ladder.base.rules.title();
    let ladder = Ladder::open(ladder, folder)?;
    let (listener, place) = args.open(8080, "use the ladder")?;
    say(&format!(
        "a ladder of {title}{} at http://{place}, in {}; Ctrl-C ends",
        args.for_practice(),
        escape_control(&folder.display().to_string())
    ))?;
    let print = Box::new(|text: &str| drop(say(&escape_control(text))));
    risk_arena::ladder(ladder, server, print, listener)
        .map_err(|error| Error::Write(place.to_string(), error))?;
    Ok(Exit::Fine)
}
