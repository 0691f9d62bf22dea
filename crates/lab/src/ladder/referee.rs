//! Plays a block of a ladder. Each script runs in its own process, and each game has a record
//! without private data.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::tournament::log::BlockLine;
use crate::tournament::{GameLine, TournamentPlan};
use risk_engine::bot_spec::BotSpec;
use risk_engine::record::{Recorder, header_seated};
use risk_engine::{BotSource, GameResult, MatchFault, Setup, Worker};
use risk_kernel::event::Event;
use risk_kernel::{EventFilter, Moment, Sink, Tee};
use risk_text::diag::LoadError;
use risk_text::{beginning, escape_control};
use risk_wire::isolated::{Isolation, NO_PROCESS, isolate};

/// The maximum size of a record, in bytes. Longer records are discarded.
pub(super) const LARGEST_RECORD: usize = 16 << 20;
/// The maximum number of faults noted per seat and game, and the maximum length of each fault's
/// text in characters.
const MOST_NOTES: usize = 5;
const LONGEST_NOTE: usize = 400;
/// The time for a script's computation outside its clock, per game.
const LISTENING: Duration = Duration::from_secs(20);
/// The text that replaces the fault of a private script in records.
const PRIVATE: &str = "only the bot's owner can read this fault";

/// A fault as shown to the bot's owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultNote {
    /// The game, if the fault occurred in a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// The round of the game.
    pub round: u32,
    /// The kind of fault, in one word.
    pub kind: String,
    /// The description of the fault.
    pub text: String,
}

/// A viewer of a game, which is also notified of the game's end.
pub trait WatchedGame: Sink {
    /// Ends the viewing with the result, or with the reason that the game does not count.
    fn over(&mut self, finished: &risk_kernel::FinishedGame);
}

/// A function that opens a game for viewers. Its arguments are the game's number, the setup, and
/// the names by seat.
pub type OpenGame = dyn Fn(u64, &Setup, &[String]) -> Box<dyn WatchedGame> + Send + Sync;

#[derive(Clone, Debug)]
pub(super) struct Seat {
    pub(super) spec: BotSpec,
    /// Whether everyone may read the bot's faults.
    pub(super) public: bool,
    /// The bot's private folder, or an empty string if it has none.
    pub(super) home: String,
}

/// A played block, with the records of its games and the faults of its bots.
pub(super) struct PlayedBlock {
    pub(super) line: BlockLine,
    pub(super) records: Vec<(u64, Vec<u8>)>,
    pub(super) faults: Vec<Vec<FaultNote>>,
}

/// The reason that a block does not count.
pub(super) enum BlockFault {
    /// The index of a bot that can't be loaded, and the reason, which its owner sees.
    Unfit(usize, String),
    /// An error that was not caused by a submitted bot.
    Match(MatchFault),
}

/// Returns a ladder's bot under its name. Records do not contain the path of the bot's script.
pub(super) fn isolated(
    base: &Setup,
    program: &Path,
    seats: usize,
    folder: &Path,
    file: &str,
    id: &str,
) -> Result<BotSpec, LoadError> {
    let spec = BotSpec::parse_in(&base.rules.library, folder, &format!("./{file}"))?;
    let mut alone = base.with_bots([spec]);
    isolate(&mut alone, program, seats);
    let mut spec = alone.bots.remove(0);
    if let Some(isolation) = spec.source.factory::<Isolation>() {
        let mut isolation = isolation.clone();
        // Time outside the bot's turns does not count against its clock, but must be limited too.
        let of_game = base.clock.map_or(LISTENING, |clock| clock.bank + LISTENING);
        let seconds = (of_game.as_secs() * seats as u64).to_string();
        let words = ["--seconds".to_owned(), seconds];
        // The words follow the name of the command.
        isolation.arguments.splice(1..1, words);
        spec.source = BotSource::Made(Arc::new(isolation));
    }
    id.clone_into(&mut spec.name);
    id.clone_into(&mut spec.bot);
    Ok(spec)
}

pub(super) fn play(
    base: &Setup,
    hash: &str,
    number: u64,
    table: &[Seat],
    open: &OpenGame,
) -> Result<PlayedBlock, BlockFault> {
    let setup = Setup {
        bots: table.iter().map(|seat| seat.spec.clone()).collect(),
        // Records disclose the seed. Each block has a separate seed, so records do not reveal the
        // dice of other blocks.
        seed: base.seed.of_match(number),
        salt: Some(base.seed.salt_of_match(number)),
        ..base.clone()
    };
    let seats = table.len();
    let plan = TournamentPlan::one_table(setup, seats);
    let mut worker = match Worker::for_players(&plan.setup, seats) {
        Ok(worker) => worker,
        Err(failure) => return Err(whose(&plan.setup, seats, failure)),
    };
    let mut played = PlayedBlock {
        line: BlockLine {
            plan: hash.to_owned(),
            block: number,
            games: Vec::new(),
            ended: None,
        },
        records: Vec::new(),
        faults: vec![Vec::new(); seats],
    };
    for (index, seating) in plan.block(number).iter().enumerate() {
        let game = number * seats as u64 + index as u64 + 1;
        let bots = &seating.bots;
        let names: Vec<String> = (bots.iter())
            .map(|&bot| plan.setup.bots[bot].name.clone())
            .collect();
        let mut watched = open(game, &plan.setup, &names);
        let seated: Vec<&Seat> = bots.iter().map(|&bot| &table[bot]).collect();
        let (result, record, notes) =
            one_game(&mut worker, number, bots, &seated, watched.as_mut());
        let result = result.map_err(BlockFault::Match)?;
        played.line.games.push(GameLine::new(&result, names));
        played.records.extend(record.map(|record| (game, record)));
        for (&bot, notes) in bots.iter().zip(notes) {
            let notes = notes.into_iter().map(|note| FaultNote {
                game: Some(game),
                ..note
            });
            played.faults[bot].extend(notes);
        }
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    played.line.ended = now.ok().map(|now| now.as_secs());
    Ok(played)
}

/// The result of a game, its record unless the record is too long, and the faults by seat.
type OneGame = (
    Result<GameResult, MatchFault>,
    Option<Vec<u8>>,
    Vec<Vec<FaultNote>>,
);

fn one_game(
    worker: &mut Worker<'_>,
    number: u64,
    bots: &[usize],
    seated: &[&Seat],
    watched: &mut dyn WatchedGame,
) -> OneGame {
    let mut header = header_seated(worker, number, bots);
    for (player, seat) in header.players.iter_mut().zip(seated) {
        // The hash of a private script could be used to confirm a guess of its text.
        player.hash = player.hash.take().filter(|_| seat.public);
    }
    let mut redacted = RedactingRecorder {
        recorder: Recorder::new(CappedBuffer::default(), &header).with_most(u64::MAX),
        seated,
        notes: vec![Vec::new(); bots.len()],
    };
    let mut tee = Tee(vec![&mut redacted]);
    tee.0.push(&mut *watched);
    let finished = worker.play_seated(number, bots, &mut tee);
    let RedactingRecorder {
        recorder, notes, ..
    } = redacted;
    let lines = recorder.finish(finished.outcome.as_ref().ok(), &finished.game);
    watched.over(&finished);
    // Writing a record to memory can only fail because of its length.
    let record = lines.ok().and_then(CappedBuffer::whole);
    (worker.result_of(number, bots, finished), record, notes)
}

/// Finds the bot of a table that can't be loaded.
fn whose(setup: &Setup, seats: usize, failure: LoadError) -> BlockFault {
    for (index, spec) in setup.bots.iter().enumerate() {
        let alone = setup.with_bots([spec.clone()]);
        if let Err(failure) = Worker::for_players(&alone, seats) {
            // If no process could be started, none of the bots is at fault.
            if failure.findings.iter().all(|one| one.code != NO_PROCESS) {
                let texts = failure.findings.iter().map(|one| one.text.clone());
                let text = texts.collect::<Vec<_>>().join("; ");
                return BlockFault::Unfit(index, short(&text));
            }
        }
    }
    BlockFault::Match(MatchFault::Load(failure))
}

fn short(text: &str) -> String {
    escape_control(&beginning(text, LONGEST_NOTE, "")).into_owned()
}

/// A record in memory with a maximum size.
#[derive(Default)]
struct CappedBuffer {
    bytes: Vec<u8>,
    is_full: bool,
}

impl CappedBuffer {
    fn whole(self) -> Option<Vec<u8>> {
        (!self.is_full).then_some(self.bytes)
    }
}

impl Write for CappedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > LARGEST_RECORD {
            self.is_full = true;
            self.bytes = Vec::new();
        } else if !self.is_full {
            self.bytes.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A sink that writes a record without the fault texts of private scripts, and collects these texts
/// for the owners.
struct RedactingRecorder<'a> {
    recorder: Recorder<CappedBuffer>,
    seated: &'a [&'a Seat],
    notes: Vec<Vec<FaultNote>>,
}

impl Sink for RedactingRecorder<'_> {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        if !matches!(event, Event::Faulted { .. }) {
            self.recorder.event(game, event);
            return;
        }
        let mut event = event.clone();
        if let Event::Faulted {
            player,
            kind,
            text,
            exchange,
            ..
        } = &mut event
        {
            let seat = self.seated[player.index()];
            if !seat.home.is_empty() {
                *text = text.replace(&seat.home, "");
            }
            let notes = &mut self.notes[player.index()];
            if notes.len() < MOST_NOTES {
                notes.push(FaultNote {
                    game: None,
                    round: game.round(),
                    kind: kind.as_str().to_owned(),
                    text: short(text),
                });
            }
            if !seat.public {
                PRIVATE.clone_into(text);
                *exchange = None;
            }
        }
        self.recorder.event(game, &event);
    }

    fn wants(&self) -> EventFilter {
        EventFilter::Recorded
    }
}
