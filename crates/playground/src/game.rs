//! The open game. Its record is all that lasts between two requests: each request plays the game
//! again from the record, with the answers of bots in it, and stops at the next question.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::Value;

use crate::desk::{Desk, SharedDesk};
use crate::files::OwnFiles;
use crate::link::{Link, damaged, short};
use crate::linked_seat::{Answers, LinkedSeat};
use crate::messages::{Kind, OwnFile, Reply};
use risk_engine::record::{self, Header, Playback, Record, RecordLine, Recorder};
use risk_engine::{HostedBot, VERSION, Worker, adviser};
use risk_kernel::fault::RuleFault;
use risk_kernel::words::Words;
use risk_kernel::{NullSink, StopReason};
use risk_people::{
    GameEnd, PageCommand, PageReply, PageSheets, PeopleGame, PeopleTable, RecordInMemory,
    TableError, Viewer, hides_nothing,
};
use risk_report::viewer::timeline::Cursor;
use risk_text::diag::{Finding, LoadError};
use risk_text::escape_control;

/// The open game.
pub(crate) struct OpenGame {
    link: Link,
    files: OwnFiles,
    seated: &'static PeopleGame,
    worker: Worker<'static>,
    memory: RecordInMemory,
    desk: Rc<Desk>,
    /// The requests of a secret phase whose answers the record lacks until everyone is ready.
    pending: Vec<(usize, PageCommand)>,
    /// The record before these requests. A takeback among them may cut it.
    base: String,
    is_over: bool,
}

fn stopped(text: impl Into<String>) -> LoadError {
    LoadError::new(
        "playground::stopped",
        text.into(),
        "open the link again, or begin another game",
    )
}

fn of_table(error: TableError) -> LoadError {
    match error {
        TableError::Input(error) => error,
        TableError::Write(what, error) => stopped(format!("can't write {what}: {error}")),
    }
}

impl OpenGame {
    /// Opens the game of a link, and plays it to the first question behind the link's answers.
    /// Returns it with what a page needs to show it.
    pub(crate) fn new(mut link: Link, mut files: OwnFiles) -> Result<(Self, Reply), LoadError> {
        for file in std::mem::take(&mut link.files) {
            files.add(file)?;
        }
        let setup = link.spec()?.load(&files.library())?;
        if setup.is_timed() {
            let help = "leave out `clock=`: a page has no clock that two machines agree on";
            return LoadError::refuse("playground::clock", "a game in a page has no clocks", help);
        }
        let mut seated = PeopleGame::new(setup, link.game);
        seated.takeback = link.takeback;
        // A worker borrows its set-up. Both live until the page renews the instance.
        let seated: &'static PeopleGame = Box::leak(Box::new(seated));
        let mut worker = Worker::new(&seated.setup)?;
        let table = PeopleTable::details(seated, &worker);
        let desk = Rc::new(Desk::new(PageSheets::new(&table)));
        let memory = RecordInMemory::default();
        let mut differences = differences(&link, &seated.header(&worker));
        repeat(&link, seated, &mut worker, &memory, &mut differences)?;
        let mut game = Self {
            link,
            files,
            seated,
            worker,
            memory,
            desk,
            pending: Vec::new(),
            base: String::new(),
            is_over: false,
        };
        game.advance(None)?;
        let opened = Reply::Opened {
            title: table.title,
            map: table.map,
            people: table.people,
            games: table.games,
            hides: !hides_nothing(game.worker.decl()),
            differences,
        };
        Ok((game, opened))
    }

    /// Plays the game from its record with another request, up to the next question.
    fn advance(&mut self, request: Option<(usize, PageCommand)>) -> Result<(), LoadError> {
        match self.pending.is_empty() {
            true => self.base = self.memory.text(),
            false => self.memory.reset(&self.base),
        }
        let requests = self.pending.iter().cloned().chain(request.clone());
        self.desk.open(requests);
        let desk = Box::new(SharedDesk(Rc::clone(&self.desk)));
        let people = PeopleTable::at_desk(self.seated, &self.worker, desk);
        let played = risk_people::play(self.seated, &mut self.worker, &people, &mut self.memory);
        match played.map_err(of_table)? {
            GameEnd::Quit => {
                if people.unsaved().is_empty() {
                    self.pending.clear();
                } else {
                    self.pending.extend(request.filter(|_| self.desk.is_done()));
                }
                Ok(())
            }
            GameEnd::Over(game, outcome) => {
                self.is_over = true;
                self.pending.clear();
                people.show_end(self.seated, &game, &outcome, None);
                Ok(())
            }
            GameEnd::Rules(fault, _) => Err(LoadError::one(rules_failed(&fault))),
            GameEnd::Differs(found) => Err(stopped(format!("the game differs: {found}"))),
            GameEnd::Gone(name, why) => Err(stopped(format!("lost the bot {name}: {why}"))),
            GameEnd::Full => Err(stopped(
                "the record of the game has reached its maximum size",
            )),
        }
    }

    /// Returns what a viewer lacks of the game.
    pub(crate) fn look(&self, seat: Option<usize>, cursor: Cursor) -> Result<Reply, LoadError> {
        let people: Vec<usize> = self.seats();
        let at = match seat {
            Some(seat) => people.iter().position(|&it| it == seat),
            None => Some(people.len()),
        };
        let viewer = Viewer(at.ok_or_else(|| no_person(seat))?);
        let mut sheets = self.desk.sheets.borrow_mut();
        let sheet = sheets.sheet(viewer, None, cursor).unwrap_or_default();
        let sheet = serde_json::from_str(&sheet).expect("a sheet is JSON");
        let asked = people
            .into_iter()
            .filter(|&it| sheets.open_question(it).is_some());
        let asked = asked.collect();
        Ok(Reply::Sheet { sheet, asked })
    }

    fn seats(&self) -> Vec<usize> {
        let people = self.seated.seats().filter(|seat| seat.1);
        people.map(|seat| seat.0).collect()
    }

    /// Handles a person's request, as docs/play.md describes it.
    pub(crate) fn say(&mut self, seat: usize, request: &Value) -> Result<Reply, LoadError> {
        let refuse = |code: &str, text: String| LoadError::one(Finding::error(code, text));
        let read = PageCommand::read(&request.to_string());
        let (question, command) = read.map_err(|text| refuse("request::body", text))?;
        if !self.seats().contains(&seat) {
            return Err(no_person(Some(seat)));
        }
        if self.is_over {
            return Err(refuse("people::over", "the game is over".to_owned()));
        }
        let code = command.code();
        let is_open = self.desk.sheets.borrow_mut().open_question(seat) == Some(question);
        let reply = if is_open {
            let before = self.memory.text();
            if let Err(error) = self.advance(Some((seat, command))) {
                // The game goes on without the answer at which it failed.
                self.memory.reset(&before);
                self.advance(None)?;
                return Err(error);
            }
            self.desk.take_reply()
        } else {
            None
        };
        match reply.unwrap_or(PageReply::Stale).body(code, question) {
            Ok(said) => Ok(Reply::Said {
                said,
                saved: self.pending.is_empty(),
            }),
            Err((code, text)) => Err(refuse(code, text)),
        }
    }

    pub(crate) fn record(&self) -> String {
        self.memory.text()
    }

    /// Returns the link of the game at this moment.
    pub(crate) fn link(&mut self, with_files: bool) -> Result<String, LoadError> {
        let record = self.memory.record();
        let header = &record.header;
        let answers = answers(&record, self.seated, &self.worker)?;
        let mut playback = Playback::new(&record, None);
        let finished = self
            .worker
            .play_with(header.game, &mut playback.seats, &mut NullSink);
        let link = Link {
            answers,
            files: if with_files {
                self.own_files()
            } else {
                Vec::new()
            },
            hashes: hashes(header),
            digest: Some(record::hex(finished.game.digest())),
            version: Some(VERSION.to_owned()),
            seed: header.seed.to_string(),
            ..self.link.clone()
        };
        link.write_short("send the record as a file instead")
    }

    /// Returns the user's files that the game needs.
    fn own_files(&self) -> Vec<OwnFile> {
        let rules = &self.seated.setup.rules;
        let scripts = self.seated.setup.bots.iter();
        let scripts = scripts.filter_map(|bot| bot.source.script());
        let bots: Vec<String> = scripts.map(|it| it.source.name.to_string()).collect();
        let adviser = adviser(&rules.ruleset.manifest);
        let has_own = self.files.named(|file| {
            let is_adviser = file.name == adviser;
            file.kind == Kind::Bot && (is_adviser || bots.contains(&file.name))
        });
        self.files.named(|file| match file.kind {
            Kind::Ruleset => rules
                .ruleset
                .sources()
                .any(|source| *source.name == *file.name),
            Kind::Map => risk_maps::files::map_path(&rules.map_spec) == file.name,
            // A script may import the others.
            Kind::Bot => !has_own.is_empty(),
        })
    }
}

fn no_person(seat: Option<usize>) -> LoadError {
    let text = format!("no person sits at seat {}", seat.unwrap_or_default());
    LoadError::new("playground::seat", text, "choose a seat of `people`")
}

/// Returns a ruleset's fault with its place.
pub(crate) fn rules_failed(fault: &RuleFault) -> Finding {
    match risk_engine::script_fault(fault) {
        Some(fault) => fault.clone().into(),
        None => Finding::error("ruleset::failed", fault.text()),
    }
}

/// Returns the beginnings of the hashes of a game's ruleset, of its map, and of all its bots.
fn hashes(header: &Header) -> Vec<String> {
    let bots = header.players.iter();
    let bots: String = bots.filter_map(|player| player.hash.as_deref()).collect();
    let all = [
        &header.ruleset_hash,
        &header.map_hash,
        &record::sum("", &bots),
    ];
    all.map(|hash| short(hash)).to_vec()
}

/// Returns what of the rules, the map and the bots is not what the link was made with.
fn differences(link: &Link, header: &Header) -> Vec<String> {
    let whats = ["the ruleset", "the map", "a bot"];
    let found = hashes(header).into_iter().zip(&link.hashes).zip(whats);
    let changed = found.filter(|((found, expected), _)| found != *expected);
    let mut all: Vec<String> = changed
        .map(|(_, what)| format!("{what} has changed since the link was made"))
        .collect();
    if let Some(version) = link.version.as_deref().filter(|it| *it != VERSION) {
        let version = escape_control(version);
        all.push(format!(
            "the link is of version {version}, this page of {VERSION}"
        ));
    }
    all
}

/// Plays a game with the answers of its link, and writes its record.
fn repeat(
    link: &Link,
    seated: &PeopleGame,
    worker: &mut Worker<'_>,
    memory: &RecordInMemory,
    differences: &mut Vec<String>,
) -> Result<(), LoadError> {
    let Some(answers) = Answers::new(&link.answers, seated) else {
        return damaged("answers");
    };
    let answers = Rc::new(RefCell::new(answers));
    let seat = |(seat, is_person): (usize, bool)| -> Result<Box<dyn HostedBot>, LoadError> {
        let bot = (!is_person).then(|| worker.bot_of(seat)).transpose()?;
        Ok(match bot {
            Some(bot) if link.answers.is_empty() || !seated.is_held(seat) => bot,
            bot => Box::new(LinkedSeat {
                seat,
                answers: Rc::clone(&answers),
                bot,
            }),
        })
    };
    let mut bots = seated.seats().map(seat).collect::<Result<Vec<_>, _>>()?;
    let mut recorder = Recorder::new(memory.clone(), &seated.header(worker));
    let finished = worker.play_with(link.game, &mut bots, &mut recorder);
    if let Err(StopReason::Rules(fault)) = &finished.outcome {
        return Err(LoadError::one(rules_failed(fault)));
    }
    // The game goes on from this record, and writes the line of its end if it is over.
    let kept = recorder.finish(None, &finished.game);
    kept.map_err(|error| stopped(error.to_string()))?;
    let answers = answers.take();
    let of = answers.given;
    if let Some(why) = answers.why_wrong() {
        let text = format!("answer {of} of the link does not fit the game: {why}");
        let more: String = differences.iter().map(|it| format!("; {it}")).collect();
        let help = "open it with the page and the files that it came from";
        return LoadError::refuse("playground::link", format!("{text}{more}"), help);
    }
    let digest = record::hex(finished.game.digest());
    if link
        .digest
        .as_ref()
        .is_some_and(|expected| *expected != digest)
    {
        differences.push("the game at this moment is not the one of the link".to_owned());
    }
    Ok(())
}

/// Returns the answers that a link must contain, as [`Answers::new`] reads them.
fn answers(
    record: &Record,
    seated: &PeopleGame,
    worker: &Worker<'_>,
) -> Result<Vec<i32>, LoadError> {
    let board = &worker.setup().rules.board;
    let words = Words::new(board, worker.decl());
    let mut all = vec![Vec::new(); seated.people.len()];
    for (_, line) in &record.lines {
        match line {
            RecordLine::Answer(said) if !said.by_policy && seated.is_held(said.seat - 1) => {
                let action = words.parse(&said.say);
                let action = action.map_err(|error| stopped(error.to_string()))?;
                let all = &mut all[said.seat - 1];
                all.push(action.verb.index() as i32 + 1);
                all.extend(action.args());
            }
            RecordLine::Fault(fault) if seated.is_held(fault.seat - 1) => {
                all[fault.seat - 1].push(0);
            }
            _ => {}
        }
    }
    if all.iter().all(Vec::is_empty) {
        return Ok(Vec::new());
    }
    let all = all.into_iter().enumerate();
    let held = all.filter(|(seat, _)| seated.is_held(*seat));
    let numbers = held.map(|(_, all)| [vec![all.len() as i32], all].concat());
    Ok(numbers.collect::<Vec<_>>().concat())
}
