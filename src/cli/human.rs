//! `play` with people, at this terminal or on pages in a browser. Every decision is written to the
//! record before the next question, so an interrupted game can be resumed.

mod console;
mod record_file;

use risk_maps::files;
use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::rc::Rc;

use super::faults::rules_failed;
use super::recorded;
use super::replay::{LoadedRecord, PageExtras};
use super::seed_arg::any_seed;
use super::spectator::no_seat;
use super::{CommandResult, Error, Exit, library, output, paint, remark, say};
use console::OwnConsole;
use record_file::{RecordFile, create};
use risk_arena::people::serve_table;
use risk_engine::bot_spec::BotSpec;
use risk_engine::record::{self, Recorder};
use risk_engine::{BotSource, Setup, Worker};
use risk_kernel::id::{MAX_PLAYERS, Player};
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_people::{GameEnd, Onlookers, PeopleGame, PeopleTable, TableError};
use risk_report::story::Story;
use risk_text::escape_control;
use risk_text::plural::counted;

/// The number of story lines that are repeated when a game is resumed.
const RECAP: usize = 15;

#[derive(Clone, Copy, Debug)]
pub(super) struct PeopleOptions {
    /// Whether people may undo decisions after dice or cards.
    pub(super) takeback: bool,
    /// Whether the terminal describes the actions of others in the short form.
    pub(super) brief: bool,
    /// The port of the pages: 0 for any free port, `None` to play at this terminal.
    pub(super) port: Option<u16>,
    /// Whether the pages publish a commitment to the seed.
    pub(super) commits: bool,
    pub(super) onlookers: Onlookers,
}

pub(super) fn onlookers(text: &str) -> Result<Onlookers, String> {
    match text {
        "public" => Ok(Onlookers::Public),
        "all" => Ok(Onlookers::All),
        "none" => Ok(Onlookers::None),
        number => match number.parse() {
            Ok(seat @ 1..=MAX_PLAYERS) => Ok(Onlookers::Seat(seat - 1)),
            _ => Err("expected `public`, `all`, `none` or a seat number from 1".to_owned()),
        },
    }
}

pub(super) fn has_people(setup: &Setup) -> bool {
    setup.bots.iter().any(|spec| spec.source.is_person())
}

impl From<TableError> for Error {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Input(failure) => Self::Input(failure),
            TableError::Write(what, error) => Self::Write(what, error),
        }
    }
}

pub(super) fn begin(
    mut setup: Setup,
    number: u64,
    path: Option<&Path>,
    force: bool,
    asked: PeopleOptions,
) -> CommandResult {
    if asked.commits {
        setup.salt = Some(any_seed());
    }
    let mut seated = seat(setup, number, asked)?;
    let worker = Worker::new(&seated.setup)?;
    let header = seated.header(&worker);
    let (file, path) = create(path, &seated.setup, force)?;
    let board = worker.empty_board(number);
    let name = path.display().to_string();
    Recorder::new(file, &header)
        .finish(None, &board)
        .map_err(|error| Error::Write(name.clone(), error))?;
    drop(worker);
    seated.record.clone_from(&name);
    // The seed is only shown after the game: it decides all dice and cards.
    say(&seated.setup.rules.title())?;
    remark(&format!(
        "the game is saved in {name}: {}",
        resume_hint(&seated)
    ))?;
    play(&seated, &path, asked, usize::MAX)
}

/// Resumes a game from its record.
pub(super) fn resume(path: &Path, asked: PeopleOptions, programs: bool) -> CommandResult {
    let (file, record) = recorded::read(path)?;
    if record.is_whole() {
        let text = format!("the game in {} is over", file.name);
        let help = format!("run `risk-cli replay {}` to see it again", path.display());
        return Err(Error::input("record::over", text, help));
    }
    let header = &record.header;
    for (what, spec) in [("ruleset", &header.ruleset), ("map", &header.map)] {
        if recorded::is_outside(spec) && !programs {
            let spec = escape_control(spec);
            let what = format!("a {what} outside this folder: {spec}");
            return Err(untrusted(&what));
        }
    }
    let trusted = |spec| Some(spec).filter(|_| programs);
    let (ruleset, map) = (trusted(&*header.ruleset), trusted(&*header.map));
    let mut setup = recorded::setup(ruleset, map, &file, header)?;
    for (spec, seat) in setup.bots.iter_mut().zip(&record.header.players) {
        let found = named_bot(&seat.bot, programs)?;
        spec.source = found.source;
        spec.clock = found.clock;
        if record::bot_hash(&spec.source) != seat.hash {
            let text = format!("the bot {} has changed since the game began", seat.bot);
            let help = "restore the old bot, or start a new game";
            return Err(Error::input("record::differs", text, help));
        }
    }
    let mut seated = seat(setup, record.header.game, asked)?;
    seated.record = path.display().to_string();
    let text = format!(
        "{}: resumed after decision {}",
        seated.setup.rules.title(),
        record.answers()
    );
    say(&text)?;
    play(&seated, path, asked, RECAP)
}

/// Parses a bot named in a record. The record may come from someone else. Therefore, unless
/// `programs` is set, the bot must not be a program, an address, or a script outside the current
/// folder.
fn named_bot(spec: &str, programs: bool) -> Result<BotSpec, Error> {
    let found = BotSpec::parse(library(), spec)?;
    let outside = match &found.source {
        BotSource::Made(_) => true,
        BotSource::Script(_) => files::is_path(spec) && !files::is_below_here(Path::new(spec)),
        _ => false,
    };
    if outside && !programs {
        let text = format!("a bot outside this folder: {}", escape_control(spec));
        return Err(untrusted(&text));
    }
    Ok(found)
}

/// Returns the error for a record that names a file or program that needs trust.
fn untrusted(what: &str) -> Error {
    let text = format!("the record names {what}");
    let help = "if you trust the author of the record, add --programs to allow it";
    Error::input("record::outside", text, help)
}

/// Returns how a game in the current folder can be continued.
fn resume_hint(seated: &PeopleGame) -> String {
    let command = resume_command(seated);
    let why = match command.ends_with("--programs") {
        true => " (--programs allows the files outside this folder)",
        false => "",
    };
    format!("`{command}` continues it{why}")
}

/// Returns the command that resumes a game in the current folder.
fn resume_command(seated: &PeopleGame) -> String {
    let setup = &seated.setup;
    let is_elsewhere = |spec: &BotSpec| match &spec.source {
        BotSource::Made(_) => true,
        BotSource::Script(_) => recorded::is_outside(&spec.bot),
        _ => false,
    };
    let outside = recorded::is_outside(&setup.rules.ruleset_spec)
        || recorded::is_outside(&setup.rules.map_spec)
        || setup.bots.iter().any(is_elsewhere);
    let trust = if outside { " --programs" } else { "" };
    format!("risk-cli play --resume {}{trust}", seated.record)
}

/// Prepares one game of a match, with stand-in bots in the seats of people.
fn seat(setup: Setup, number: u64, asked: PeopleOptions) -> Result<PeopleGame, Error> {
    if setup.is_timed() {
        let help = "omit --clock and `clock=`";
        return Error::refuse("cli::clock", "a game with people can't have clocks", help);
    }
    if let Onlookers::Seat(seat) = asked.onlookers
        && seat >= setup.bots.len()
    {
        return Err(no_seat("cli::onlookers", seat + 1, setup.bots.len()));
    }
    Ok(PeopleGame {
        takeback: asked.takeback,
        brief: asked.brief,
        onlookers: asked.onlookers,
        ..PeopleGame::new(setup, number)
    })
}

/// Plays the game from the end of its record, until the game is over or someone stops it.
fn play(seated: &PeopleGame, path: &Path, asked: PeopleOptions, recap: usize) -> CommandResult {
    let mut worker = Worker::new(&seated.setup)?;
    let mut server = None;
    let table = match asked.port {
        None => {
            let console = Rc::new(RefCell::new(OwnConsole::open()?));
            PeopleTable::at_console(seated, &worker, console, paint(&io::stdout()), recap)
        }
        Some(port) => PeopleTable::at_pages(seated, &worker, |table| {
            let (served, desk) = serve_table(port, table, &mut |text| console::say_line(text))?;
            server = Some(served);
            Ok(desk)
        })?,
    };
    let end = risk_people::play(seated, &mut worker, &table, &mut RecordFile { path })?;
    match end {
        GameEnd::Over(game, outcome) => {
            over(seated, &game, &outcome)?;
            if let Some(server) = server {
                let replay = replay(path, &mut worker)?;
                table.show_end(seated, &game, &outcome, replay);
                remark("the pages show the result; press Ctrl-C to quit")?;
                server.wait();
            }
            Ok(Exit::Fine)
        }
        GameEnd::Quit => quit(seated, &table),
        GameEnd::Rules(fault, game) => {
            let setup = &seated.setup;
            let game = Some(&*game);
            Err(rules_failed(&fault, game, seated.number, Some(path), setup))
        }
        GameEnd::Differs(found) => Err(differs(seated, &found)),
        GameEnd::Gone(name, why) => Err(stopped(format!("lost the bot {name}: {why}"))),
        GameEnd::Full => Err(stopped(format!(
            "{} reached the maximum size of a record",
            seated.record
        ))),
    }
}

fn over(seated: &PeopleGame, game: &GameState, outcome: &Outcome) -> Result<(), Error> {
    let people: Vec<usize> = seated
        .seats()
        .filter_map(|(seat, is_person)| is_person.then_some(seat))
        .collect();
    let reader = match people.as_slice() {
        &[only] => Some(Player::from_index(only)),
        _ => None,
    };
    let story = Story::new(output(), paint(&io::stdout()), seated.setup.names());
    story.read_by(reader).finish(game, outcome)?;
    let of_salt = |salt| format!("; the salt of the commitment was {salt}");
    let salt = seated.setup.salt.as_ref().map_or_else(String::new, of_salt);
    remark(&format!("the seed was {}{salt}", seated.setup.seed))
}

/// Returns a page of the whole game, or `None` if the game is too large for a page. Its record
/// still contains it.
fn replay(path: &Path, worker: &mut Worker<'_>) -> Result<Option<String>, Error> {
    let (file, record) = recorded::read(path)?;
    let mut replay = LoadedRecord::new(&file, &record, worker, None);
    let page = replay.page(PageExtras::default()).ok();
    Ok(page.map(|page| page.html))
}

fn quit(seated: &PeopleGame, people: &PeopleTable) -> CommandResult {
    for (name, count) in people.unsaved() {
        let orders = counted(count, "order");
        let name = escape_control(&name);
        remark(&format!(
            "{orders} of {name} in this phase can't be saved: give them again after you resume"
        ))?;
    }
    let text = format!("game saved: {}", resume_hint(seated));
    say("")?;
    remark(&text)?;
    Ok(Exit::Fine)
}

/// Returns the error for a game that stopped on its own.
fn stopped(text: String) -> Error {
    Error::input(
        "game::stopped",
        text,
        "the record holds the game up to this point",
    )
}

fn differs(seated: &PeopleGame, found: &record::Mismatch) -> Error {
    let text = format!("{}, {found}", seated.record);
    let help = "restore the file, or the version of the program and the bots that wrote it";
    Error::input("record::mismatch", text, help)
}
