//! A game with people, played to its end or until one of them stops it. The record contains every
//! decision before the next question, so the game can always be resumed from the record.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::io::Write;
use std::rc::Rc;

use super::adviser::HintBot;
use super::console::Console;
use super::desk::{Onlookers, PageDesk, TableDetails};
use super::interruption::{Interruption, TableCommand, TableError};
use super::page::PersonPage;
use super::page_prompt::PagePrompt;
use super::pages::{self, GameInfo, PageUpdater, Pages};
use super::seat::PersonSeat;
use super::shared_table::{AdviserFactory, ConsoleStories, Frontend, SharedTable, UndoBarrier};
use super::terminal::TerminalPrompt;
use risk_engine::bot_spec::BotSpec;
use risk_engine::record::{self, Header, Mismatch, Record, Recorder};
use risk_engine::{BotSource, BuiltIn, HostedBot, Seats, Setup, Worker, adviser};
use risk_kernel::declare::{CounterDecl, Declaration, Visibility};
use risk_kernel::fault::RuleFault;
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_kernel::view::is_open;
use risk_kernel::{Bot, FinishedGame, StopReason, Tee};
use risk_report::story::ending;
use risk_text::diag::LoadError;
use risk_text::escape_control;
use risk_text::paint::Paint;
use serde_json::json;

/// The work of an oracle for one hint: its imagined games per turn, times the players, times the
/// territories. In an unoptimised build, such a hint takes less than half a second on maps of up to
/// 1,000 territories. The limit counts work instead of time, so that a hint is the same on every
/// machine.
const ORACLE_WORK: usize = 80_000;
/// The minimum number of imagined games per turn.
const LEAST_IMAGINED: usize = 10;

/// A game with people at the table.
#[derive(Clone, Debug)]
pub struct PeopleGame {
    /// The setup, with bots by seat. The bot at a person's seat is never asked.
    pub setup: Setup,
    /// Whether a person sits at each seat.
    pub people: Vec<bool>,
    /// The number of the game in its match.
    pub number: u64,
    /// The name of the record as displayed to people.
    pub record: String,
    /// Whether people may take back answers even if a chance event followed them.
    pub takeback: bool,
    /// Whether a terminal describes the actions of others in the short form.
    pub brief: bool,
    /// The view of spectators on pages.
    pub onlookers: Onlookers,
}

impl PeopleGame {
    /// Prepares one game of a match, with stand-in bots in the seats of people. Nothing can be
    /// taken back after dice or cards, and spectators see what is public.
    #[must_use]
    pub fn new(setup: Setup, number: u64) -> Self {
        let seating = setup.seating(number);
        let bots: Vec<BotSpec> = seating.iter().map(|&it| setup.bots[it].clone()).collect();
        let people = bots.iter().map(|spec| spec.source.is_person()).collect();
        let stand_in = |mut spec: BotSpec| {
            if spec.source.is_person() {
                spec.source = BotSource::BuiltIn(BuiltIn::Random);
            }
            spec
        };
        Self {
            setup: Setup {
                bots: bots.into_iter().map(stand_in).collect(),
                seats: Seats::Fixed,
                ..setup
            },
            people,
            number,
            record: String::new(),
            takeback: false,
            brief: false,
            onlookers: Onlookers::Public,
        }
    }

    /// Returns the header of the game's record.
    #[must_use]
    pub fn header(&self, worker: &Worker<'_>) -> Header {
        let mut header = record::header(worker, self.number);
        for (seat, _) in self.seats().filter(|(_, person)| *person) {
            header.players[seat].hash = None;
        }
        header
    }

    /// Returns each seat and whether a person sits there.
    pub fn seats(&self) -> impl Iterator<Item = (usize, bool)> + '_ {
        self.people.iter().copied().enumerate()
    }

    /// Reports whether a seat must repeat its recorded answers. People and remote bots might answer
    /// differently, and bots that search would think as long as before.
    #[must_use]
    pub fn is_held(&self, seat: usize) -> bool {
        let source = &self.setup.bots[seat].source;
        self.people[seat] || source.searches() || source.is_elsewhere()
    }

    fn adviser(&self) -> String {
        adviser(&self.setup.rules.ruleset.manifest)
    }

    fn info(&self) -> GameInfo {
        let people = self.seats().filter(|seat| seat.1).map(|seat| seat.0);
        GameInfo {
            // The seed is omitted because a player could use it to predict all dice and cards.
            title: self.setup.rules.title(),
            names: self.setup.names(),
            people: people.collect(),
            adviser: self.adviser(),
            record: self.record.clone(),
            takeback: self.takeback,
            onlookers: self.onlookers,
            commitment: self.setup.commitment(),
        }
    }
}

/// The record of a game while people play it.
pub trait GameFile {
    /// The file to which lines are appended.
    type File: Write;
    /// The error of an operation on the record.
    type Error: From<TableError>;

    /// Returns the record so far, its file ready for the next line, and the file's length in bytes.
    ///
    /// # Errors
    /// Returns an error if the record can't be read, or if another program is writing to it.
    fn open(&mut self) -> Result<(Record, Self::File, u64), Self::Error>;

    /// Removes everything after an answer from the record.
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    fn cut(&mut self, answer: u64) -> Result<(), Self::Error>;

    /// Marks everything after an answer as taken back.
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    fn mark(&mut self, answer: u64) -> Result<(), Self::Error>;

    /// Converts an error from writing a line.
    fn failed(&self, error: std::io::Error) -> Self::Error;
}

/// The end of a game with people, or the reason why it stopped.
#[derive(Debug)]
pub enum GameEnd {
    /// The game is over.
    Over(Box<GameState>, Outcome),
    /// A person stopped the game. Its record is kept.
    Quit,
    /// The ruleset failed.
    Rules(RuleFault, Box<GameState>),
    /// The game differs from its record.
    Differs(Mismatch),
    /// A bot is no longer available: its name and the reason.
    Gone(String, String),
    /// The record has reached its maximum size.
    Full,
}

/// The people in one game, at a console or on pages.
pub struct PeopleTable(Rc<RefCell<SharedTable>>);

impl PeopleTable {
    /// Creates a table for people who share a console. A resumed game first shows `recap` lines of
    /// the story.
    #[must_use]
    pub fn at_console(
        seated: &PeopleGame,
        worker: &Worker<'_>,
        console: Rc<RefCell<dyn Console>>,
        paint: Paint,
        recap: usize,
    ) -> Self {
        Self::new(seated, worker, Frontend::Console(console), paint, recap)
    }

    /// Creates a table for people with separate pages, which `open` serves.
    ///
    /// # Errors
    /// Returns an error if the pages can't be served.
    pub fn at_pages(
        seated: &PeopleGame,
        worker: &Worker<'_>,
        open: impl FnOnce(TableDetails) -> Result<Box<dyn PageDesk>, TableError>,
    ) -> Result<Self, TableError> {
        let desk = open(Self::details(seated, worker))?;
        Ok(Self::at_desk(seated, worker, desk))
    }

    /// Returns the fixed properties of the table, for its pages.
    #[must_use]
    pub fn details(seated: &PeopleGame, worker: &Worker<'_>) -> TableDetails {
        let board = worker.empty_board(seated.number);
        seated.info().details(board)
    }

    /// Creates a table for people with separate pages that have these details.
    #[must_use]
    pub fn at_desk(seated: &PeopleGame, worker: &Worker<'_>, desk: Box<dyn PageDesk>) -> Self {
        let front = Frontend::Pages(Rc::new(Pages::new(seated.info(), desk)));
        Self::new(seated, worker, front, pages::PAPER, usize::MAX)
    }

    fn new(
        seated: &PeopleGame,
        worker: &Worker<'_>,
        front: Frontend,
        paint: Paint,
        recap: usize,
    ) -> Self {
        Self(Rc::new(RefCell::new(SharedTable {
            front,
            paint,
            names: seated.setup.names(),
            people: seated.people.clone(),
            chances: worker.chances(),
            adviser: seated.adviser(),
            make_bot: maker(seated, worker),
            rules: seated.setup.rules_source(seated.setup.bots.len()),
            is_open: hides_nothing(worker.decl()),
            brief: seated.brief,
            takeback: seated.takeback,
            said: Vec::new(),
            is_recalling: false,
            queued: VecDeque::new(),
            settled: 0,
            is_sealed: false,
            stories: Vec::new(),
            recap: vec![(recap < usize::MAX).then_some(recap); seated.people.len()],
            was_turned: Cell::default(),
            last: None,
            stopped: None,
            resigned: BTreeSet::new(),
        })))
    }

    /// Shows the ending on the pages, if there are any, with the seed, the salt and a page of the
    /// whole game for download.
    pub fn show_end(
        &self,
        seated: &PeopleGame,
        game: &GameState,
        outcome: &Outcome,
        replay: Option<String>,
    ) {
        let table = self.0.borrow();
        let Some(pages) = table.pages() else {
            return;
        };
        let sentence = game.decl().sentences.of_ending(&outcome.reason);
        let winners = outcome.winners.iter();
        let winners: Vec<String> = winners.map(|it| table.names[it.index()].clone()).collect();
        let text = ending(&winners, sentence, pages::PAPER);
        let mut end = pages::ending(&text, outcome);
        end["seed"] = json!(seated.setup.seed);
        end["salt"] = json!(seated.setup.salt);
        pages.end(game, end, replay);
    }

    /// Returns the number of answers in secret phases that the record does not contain yet, by the
    /// name of the player. They are lost if the game stops now.
    #[must_use]
    pub fn unsaved(&self) -> Vec<(String, usize)> {
        self.0.borrow().unsaved()
    }
}

/// Continues the game in the record to its end, or until a person stops it.
///
/// # Errors
/// Returns an error if people can't be asked, or if the record can't be read or written.
pub fn play<F: GameFile>(
    seated: &PeopleGame,
    worker: &mut Worker<'_>,
    people: &PeopleTable,
    file: &mut F,
) -> Result<GameEnd, F::Error> {
    let table = &people.0;
    loop {
        let (record, kept, written) = file.open()?;
        table.borrow_mut().begin_again();
        let mut recorder = Recorder::go_on(kept, &record, written);
        let bots = bots(seated, worker, table).map_err(TableError::Input)?;
        let mut bots = record::hold(&record, bots, |seat| seated.is_held(seat));
        let mut watch = UndoBarrier::new(table);
        let mut sinks = Tee(vec![&mut watch, &mut recorder]);
        let mut onlooker = table.borrow().pages().map(PageUpdater);
        let mut stories = ConsoleStories(Rc::clone(table));
        sinks.0.push(match &mut onlooker {
            Some(onlooker) => onlooker,
            None => &mut stories,
        });
        let FinishedGame { game, outcome } = worker.play_with(seated.number, &mut bots, &mut sinks);
        if let Some(found) = recorder.mismatch() {
            return Ok(GameEnd::Differs(found.clone()));
        }
        let stopped = table.borrow_mut().stopped.take();
        let kept = recorder.finish(outcome.as_ref().ok(), &game);
        drop(kept.map_err(|error| file.failed(error))?);
        match (outcome, stopped) {
            (Ok(outcome), _) => return Ok(GameEnd::Over(Box::new(game), outcome)),
            (Err(StopReason::Rules(fault)), _) => return Ok(GameEnd::Rules(fault, Box::new(game))),
            (_, Some(Interruption::Error(error))) => return Err(error.into()),
            (_, Some(Interruption::Wish(TableCommand::Quit))) => return Ok(GameEnd::Quit),
            (_, Some(Interruption::Wish(TableCommand::Undo(answer)))) => file.cut(answer)?,
            (_, Some(Interruption::Wish(TableCommand::TakeBack(answer)))) => file.mark(answer)?,
            (Err(StopReason::Halted), None) if table.borrow().is_closed() => {
                return Ok(GameEnd::Quit);
            }
            (Err(StopReason::Halted), None | Some(Interruption::Resign)) => {
                return Ok(halted(&bots, seated));
            }
        }
        table.borrow_mut().skip_story();
    }
}

/// Returns the reason why a game stopped, if no person stopped it.
fn halted(bots: &[Box<dyn HostedBot>], seated: &PeopleGame) -> GameEnd {
    let gone = bots.iter().zip(&seated.setup.bots);
    let mut gone = gone.filter_map(|(bot, spec)| Some((spec, bot.gone()?)));
    match gone.next() {
        Some((spec, why)) => GameEnd::Gone(spec.name.clone(), why.to_owned()),
        None => GameEnd::Full,
    }
}

/// Creates new bots and new seats for people.
fn bots(
    seated: &PeopleGame,
    worker: &Worker<'_>,
    table: &Rc<RefCell<SharedTable>>,
) -> Result<Vec<Box<dyn HostedBot>>, LoadError> {
    if let Some(pages) = table.borrow().pages() {
        pages.begin_again();
    }
    let seat = |(seat, person): (usize, bool)| -> Result<Box<dyn HostedBot>, LoadError> {
        if !person {
            return worker.bot_of(seat);
        }
        let adviser = table.borrow().make_adviser();
        let pages = table.borrow().pages();
        Ok(match pages {
            Some(pages) => {
                let page = PagePrompt(PersonPage::new(table, pages));
                Box::new(PersonSeat::new(table, adviser, page))
            }
            None => Box::new(PersonSeat::new(table, adviser, TerminalPrompt::new(table))),
        })
    };
    seated.seats().map(seat).collect()
}

/// Makes `oracle` quick enough for people who wait for its hint, if its budget is not part of the
/// specification.
fn hasten(spec: &mut BotSpec, players: usize, territories: usize) {
    let BotSource::BuiltIn(BuiltIn::Oracle(usual)) = spec.source else {
        return;
    };
    if spec.bot == BuiltIn::Oracle(usual).as_str() {
        let games = ORACLE_WORK / (players * territories).max(1);
        let games = games.clamp(LEAST_IMAGINED, usual as usize);
        spec.source = BotSource::BuiltIn(BuiltIn::Oracle(games as u32));
    }
}

/// Returns the function that creates bots for hints.
fn maker(seated: &PeopleGame, worker: &Worker<'_>) -> AdviserFactory {
    let setup = &seated.setup;
    let library = setup.rules.library.clone();
    let decl = std::sync::Arc::clone(worker.decl());
    let ruleset = setup.rules.ruleset.clone();
    let players = setup.bots.len();
    let territories = setup.rules.board.len();
    let rules = setup.rules_source(players);
    let fight = worker.rules().fight();
    Box::new(move |spec| {
        let told = |failure: LoadError| {
            let texts = failure.findings.iter().map(|it| it.text.clone());
            texts.collect::<Vec<_>>().join("; ")
        };
        let mut spec = BotSpec::parse(&library, spec).map_err(told)?;
        hasten(&mut spec, players, territories);
        if spec.source.is_elsewhere() {
            let name = escape_control(&spec.bot).into_owned();
            return Err(format!(
                "can't get hints from {name}: it is not part of this program"
            ));
        }
        let built = spec.source.build(&decl, fight.clone(), &rules);
        let bot: Box<dyn Bot> = built.map_err(|error| told(error.into()))?;
        let is_made_for_it = spec.source.is_made_for(&ruleset, &decl);
        Ok(HintBot {
            bot,
            is_made_for_it,
            searches: spec.source.searches(),
        })
    })
}

/// Reports whether all players see everything in games of these rules.
#[must_use]
pub fn hides_nothing(decl: &Declaration) -> bool {
    let seen = |counter: &CounterDecl| counter.seen != Visibility::Owner;
    is_open(decl)
        && decl.counters.iter().all(seen)
        && decl.piles.iter().all(seen)
        && decl.phases.iter().all(|phase| !phase.secret)
}
