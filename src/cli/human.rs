//! `play` with people at the table: they are asked at this terminal, or at pages in a browser, and
//! every decision is in a record before the next question. Whatever stops a game, the record takes
//! it up again.

mod adviser;
mod attacks;
mod heard;
mod input;
mod kept;
mod page;
mod pages;
mod reading;
mod scene;
mod seat;
mod stopped;
mod table;
mod terminal;

use crate::cli::library;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::faults::rules_failed;
use super::recorded;
use super::{Done, Error, Exit, output, paint, say};
use adviser::Adviser;
use input::Input;
use kept::{create, cut, mark, open};
use page::AtPage;
use risk_engine::load::diag::LoadError;
use risk_engine::load::{self, bot_spec::BotSpec};
use risk_engine::matches::{Seats, Setup, Worker};
use risk_engine::players::{BotSource, BuiltIn};
use risk_engine::record::Playback;
use risk_engine::record::{self, Header, Recorder};
use risk_kernel::declare::{Declaration, Visibility};
use risk_kernel::odds::Fight;
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_kernel::view::is_open;
use risk_kernel::{Bot, Finished, Stop};
use risk_report::Tee;
use risk_report::story::Story;
use risk_report::story::ending;
use risk_text::escape_control;
use seat::Seat;
use stopped::{Stopped, Wish};
use table::{Front, Table, Watch, remark};
use terminal::AtTerminal;

/// How many lines of the story are told again where a game is taken up again.
const RECAP: usize = 15;

/// A game that people sit at.
struct Seated {
    /// By seat. Where people sit, a bot that is never asked stands for them.
    setup: Setup,
    people: Vec<bool>,
    /// The number of the game in its match.
    number: u64,
    path: PathBuf,
    asked: Asked,
}

/// How people are asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// May they take back what they said behind chance?
    pub(super) takeback: bool,
    /// The port of the pages at which they play, 0 for one that is free; at this terminal
    /// otherwise.
    pub(super) port: Option<u16>,
}

/// Does a person play?
pub(super) fn has_people(setup: &Setup) -> bool {
    setup.bots.iter().any(|spec| spec.source.is_person())
}

/// Plays a game from its beginning.
pub(super) fn begin(
    setup: Setup,
    number: u64,
    path: Option<&Path>,
    force: bool,
    asked: Asked,
) -> Done {
    let seated = Seated::new(setup, number, asked, PathBuf::new())?;
    let worker = Worker::new(&seated.setup)?;
    let header = seated.header(&worker);
    let (file, path) = create(path, &seated.setup, force)?;
    let board = worker.empty_board(number);
    let seated = Seated { path, ..seated };
    Recorder::new(file, &header)
        .finish(None, &board)
        .map_err(|error| Error::Write(seated.path.display().to_string(), error))?;
    let name = seated.path.display();
    say(&format!(
        "{} on {}, seed {}",
        seated.setup.ruleset_spec, seated.setup.map_spec, seated.setup.seed
    ))?;
    remark(
        paint(&io::stdout()),
        &format!(
            "every decision is kept in {name}: `risk-cli play --resume {name}` goes on with it"
        ),
    )?;
    play(&seated, usize::MAX)
}

/// Goes on with a game that was stopped.
pub(super) fn resume(path: &Path, asked: Asked, programs: bool) -> Done {
    let (file, record) = recorded::read(path)?;
    if record.is_whole() {
        let text = format!("the game in {} is over", file.name);
        let help = format!("`risk-cli replay {}` tells it again", path.display());
        return Err(Error::input("record::over", text, help));
    }
    let mut setup = recorded::setup(None, None, &file, &record.header)?;
    for (spec, seat) in setup.bots.iter_mut().zip(&record.header.players) {
        let found = named_bot(&seat.bot, programs)?;
        spec.source = found.source;
        spec.clock = found.clock;
        if record::bot_hash(&spec.source) != seat.hash {
            let text = format!(
                "the bot {} is not the one that the game was begun with",
                seat.bot
            );
            let help = "put the old bot back, or begin a new game";
            return Err(Error::input("record::differs", text, help));
        }
    }
    let seated = Seated::new(setup, record.header.game, asked, path.to_owned())?;
    let text = format!(
        "{} on {}, seed {}: goes on after decision {}",
        seated.setup.ruleset_spec,
        seated.setup.map_spec,
        seated.setup.seed,
        record.answers()
    );
    say(&text)?;
    play(&seated, RECAP)
}

/// A bot that a record names. Somebody else may have written it: it runs no programs, reaches no
/// addresses and reads scripts of this folder only, unless that is wanted.
fn named_bot(spec: &str, programs: bool) -> Result<BotSpec, Error> {
    let found = BotSpec::parse(library(), spec)?;
    let outside = match &found.source {
        BotSource::Made(_) => true,
        BotSource::Script(_) => load::is_path(spec) && !load::is_below_here(Path::new(spec)),
        _ => false,
    };
    if outside && !programs {
        let text = format!(
            "the record names the bot {}, which is outside of this folder",
            escape_control(spec)
        );
        let help = "if you trust the author of the record, add --programs to run or ask it";
        return Err(Error::input("record::bot", text, help));
    }
    Ok(found)
}

impl Seated {
    fn new(setup: Setup, number: u64, asked: Asked, path: PathBuf) -> Result<Self, Error> {
        if setup.is_timed() {
            let help = "leave out --clock and clock=";
            return Err(Error::input(
                "cli::clock",
                "a game with people has no clocks",
                help,
            ));
        }
        let seating = setup.seating(number);
        let bots: Vec<BotSpec> = seating.iter().map(|&it| setup.bots[it].clone()).collect();
        let people = bots.iter().map(|spec| spec.source.is_person()).collect();
        let stand_in = |mut spec: BotSpec| {
            if spec.source.is_person() {
                spec.source = BotSource::BuiltIn(BuiltIn::Random);
            }
            spec
        };
        Ok(Self {
            setup: Setup {
                bots: bots.into_iter().map(stand_in).collect(),
                seats: Seats::Fixed,
                ..setup
            },
            people,
            number,
            path,
            asked,
        })
    }

    fn header(&self, worker: &Worker<'_>) -> Header {
        let mut header = record::header(worker, self.number);
        for (seat, _) in self.seats().filter(|(_, person)| *person) {
            header.players[seat].hash = None;
        }
        header
    }

    /// Each seat, and whether a person sits there.
    fn seats(&self) -> impl Iterator<Item = (usize, bool)> + '_ {
        self.people.iter().copied().enumerate()
    }

    /// Do bots answer the same again when they are asked again? Those elsewhere may not.
    fn is_held(&self, seat: usize) -> bool {
        self.people[seat] || self.setup.bots[seat].source.is_elsewhere()
    }

    fn write_error(&self, error: io::Error) -> Error {
        Error::Write(self.path.display().to_string(), error)
    }
}

/// Plays the game in the record, from wherever it is, to its end or until somebody stops it.
fn play(seated: &Seated, recap: usize) -> Done {
    let mut worker = Worker::new(&seated.setup)?;
    let table = Rc::new(RefCell::new(table(seated, &worker, recap)?));
    loop {
        let (record, file) = open(seated)?;
        let written = file
            .metadata()
            .map_err(|error| seated.write_error(error))?
            .len();
        table.borrow_mut().begin_again();
        let mut recorder = Recorder::go_on(file, &record, written);
        let mut watch = Watch::new(&table);
        let bots = bots(seated, &worker, &table)?;
        let mut bots = record::hold(&record, bots, |seat| seated.is_held(seat));
        let mut sinks = Tee(vec![&mut watch, &mut recorder]);
        let mut onlooker = table.borrow().pages().map(pages::Onlooker);
        if let Some(onlooker) = &mut onlooker {
            sinks.0.push(onlooker);
        }
        let Finished { game, outcome } = worker.play_with(seated.number, &mut bots, &mut sinks);
        if let Some(found) = recorder.mismatch() {
            return Err(differs(seated, found));
        }
        let stopped = table.borrow_mut().stopped.take();
        let written = recorder.finish(outcome.as_ref().ok(), &game);
        let file = written.map_err(|error| seated.write_error(error))?;
        match (outcome, stopped) {
            (Ok(outcome), _) => {
                drop(file);
                return over(seated, &table, &mut worker, &game, &outcome);
            }
            (Err(Stop::Rules(fault)), _) => {
                let path = Some(seated.path.as_path());
                let setup = &seated.setup;
                let game = Some(&game);
                return Err(rules_failed(&fault, game, seated.number, path, setup));
            }
            (_, Some(Stopped::Error(error))) => return Err(error),
            (_, Some(Stopped::Wish(Wish::Quit))) => return quit(seated),
            (_, Some(Stopped::Wish(Wish::Undo(answer)))) => {
                drop(file);
                table.borrow_mut().recap = 0;
                cut(seated, answer)?;
            }
            (_, Some(Stopped::Wish(Wish::TakeBack(answer)))) => {
                drop(file);
                table.borrow_mut().recap = 0;
                mark(seated, answer)?;
            }
            (Err(Stop::Halted), None) if table.borrow().is_closed() => return quit(seated),
            (Err(Stop::Halted), None) => return Err(halted(&bots, seated)),
        }
    }
}

/// Tells how the game has ended.
fn over(
    seated: &Seated,
    table: &Rc<RefCell<Table>>,
    worker: &mut Worker<'_>,
    game: &GameState,
    outcome: &Outcome,
) -> Done {
    let names = table.borrow().names.clone();
    let story = Story::new(output(), paint(&io::stdout()), names);
    story.finish(game, outcome)?;
    if let Some(pages) = table.borrow().pages() {
        show_end(&pages, seated, worker, game, outcome)?;
    }
    Ok(Exit::Fine)
}

/// Shows on the pages how the game has ended, with a page of all of it to keep, until the program
/// is told to end.
fn show_end(
    pages: &pages::Pages,
    seated: &Seated,
    worker: &mut Worker<'_>,
    game: &GameState,
    outcome: &Outcome,
) -> Result<(), Error> {
    let (_, record) = recorded::read(&seated.path)?;
    let mut playback = Playback::new(&record, None);
    // What is too large for a page is kept in the record all the same.
    let page = super::replay::page(worker, &mut playback, &record, &seated.setup).ok();
    let sentence = game.decl().sentences.of_ending(&outcome.reason);
    let bots = &seated.setup.bots;
    let winners = outcome.winners.iter();
    let winners: Vec<String> = winners.map(|it| bots[it.index()].name.clone()).collect();
    let text = ending(&winners, sentence, pages::PAPER);
    pages.end(pages::ending(&text, outcome), page);
    remark(
        paint(&io::stdout()),
        "the pages show how it has ended; Ctrl-C ends the program",
    )?;
    pages.wait();
    Ok(())
}

fn quit(seated: &Seated) -> Done {
    let name = seated.path.display();
    let text = format!("the game is kept: `risk-cli play --resume {name}` goes on with it");
    say("")?;
    remark(paint(&io::stdout()), &text)?;
    Ok(Exit::Fine)
}

/// Why a game stopped that nobody stopped.
fn halted(bots: &[Box<dyn Bot>], seated: &Seated) -> Error {
    let gone = bots.iter().zip(&seated.setup.bots);
    let mut gone = gone.filter_map(|(bot, spec)| Some((spec, bot.gone()?)));
    let text = match gone.next() {
        Some((spec, why)) => format!("{} is gone: {why}", spec.name),
        None => format!(
            "{} has as many bytes as a record may have",
            seated.path.display()
        ),
    };
    Error::input("game::stopped", text, "the game is kept as far as it went")
}

fn differs(seated: &Seated, found: &record::Mismatch) -> Error {
    let text = format!("{}, {found}", seated.path.display());
    let help = "the game was begun with another version of this program or of a bot, or the file \
                was changed";
    Error::input("record::mismatch", text, help)
}

/// Everybody at the table, made anew.
fn bots(
    seated: &Seated,
    worker: &Worker<'_>,
    table: &Rc<RefCell<Table>>,
) -> Result<Vec<Box<dyn Bot>>, Error> {
    if let Some(pages) = table.borrow().pages() {
        pages.begin_again();
    }
    let mut all: Vec<Box<dyn Bot>> = Vec::new();
    for (seat, person) in seated.seats() {
        if person {
            let adviser = adviser(&table.borrow());
            if let Some(pages) = table.borrow().pages() {
                let page = AtPage::new(table, pages);
                all.push(Box::new(Seat::new(table, adviser, page)));
                continue;
            }
            all.push(Box::new(Seat::new(table, adviser, AtTerminal::new(table))));
        } else {
            all.push(worker.bot_of(seat)?);
        }
    }
    Ok(all)
}

/// Who has suggestions: the bot that plays this ruleset when nobody says who does, and behind it
/// one that has an answer to everything.
fn adviser(table: &Table) -> Adviser {
    let names = [table.adviser.as_str(), BuiltIn::Outnumber.as_str()];
    let bots = names.into_iter().filter_map(|name| table.bot(name).ok());
    Adviser::new(&table.adviser, bots.collect())
}

fn table(seated: &Seated, worker: &Worker<'_>, recap: usize) -> Result<Table, Error> {
    let decl = worker.decl();
    let make = maker(seated, worker);
    let front = match seated.asked.port {
        None => Front::Terminal(Input::open()?),
        Some(port) => Front::Pages(Rc::new(pages(seated, worker, port)?)),
    };
    Ok(Table {
        front,
        paint: paint(&io::stdout()),
        names: seated
            .setup
            .bots
            .iter()
            .map(|spec| spec.name.clone())
            .collect(),
        people: seated.people.clone(),
        fight: Fight::from_tables(worker.rules().tables()),
        adviser: seated
            .setup
            .ruleset
            .manifest
            .bots
            .first()
            .cloned()
            .unwrap_or_default(),
        make_bot: make,
        is_open: hides_nothing(decl),
        takeback: seated.asked.takeback,
        said: Vec::new(),
        is_recalling: false,
        queued: VecDeque::new(),
        settled: 0,
        recap,
        last: None,
        stopped: None,
    })
}

/// The pages of people who play in a browser.
fn pages(seated: &Seated, worker: &Worker<'_>, port: u16) -> Result<pages::Pages, Error> {
    let setup = &seated.setup;
    let played = pages::Played {
        title: format!(
            "{} on {}, seed {}",
            setup.ruleset_spec, setup.map_spec, setup.seed
        ),
        names: setup.bots.iter().map(|spec| spec.name.clone()).collect(),
        people: seated
            .seats()
            .filter(|seat| seat.1)
            .map(|seat| seat.0)
            .collect(),
        adviser: setup
            .ruleset
            .manifest
            .bots
            .first()
            .cloned()
            .unwrap_or_default(),
        record: seated.path.display().to_string(),
        takeback: seated.asked.takeback,
    };
    let board = worker.empty_board(seated.number);
    pages::Pages::open(port, played, board)
}

/// Makes bots for hints.
fn maker(seated: &Seated, worker: &Worker<'_>) -> table::MakeBot {
    let setup = &seated.setup;
    let decl = std::sync::Arc::clone(worker.decl());
    let rules = setup.rules_source(setup.bots.len());
    let tables = worker.rules().tables().clone();
    Box::new(move |spec| {
        let told = |failure: LoadError| {
            let texts = failure.findings.iter().map(|it| it.text.clone());
            texts.collect::<Vec<_>>().join("; ")
        };
        let spec = BotSpec::parse(library(), spec).map_err(told)?;
        if spec.source.is_elsewhere() {
            let name = escape_control(&spec.bot).into_owned();
            return Err(format!("{name} is elsewhere, and is not asked for hints"));
        }
        let fight = Fight::from_tables(&tables);
        let built = spec.source.build(&decl, fight, &rules);
        built.map_err(|faults| told(faults.into()))
    })
}

/// Does everybody see everything?
fn hides_nothing(decl: &Declaration) -> bool {
    let seen = |counter: &risk_kernel::declare::CounterDecl| counter.seen != Visibility::Owner;
    is_open(decl)
        && decl.counters.iter().all(seen)
        && decl.piles.iter().all(seen)
        && decl.phases.iter().all(|phase| !phase.secret)
}
