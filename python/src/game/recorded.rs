//! Records of games played from Python, and games from records.

use crate::kit::GameSeed;
use crate::kit::library;
use std::collections::VecDeque;

use pyo3::PyResult;
use risk_engine::load::{lint::Levels, map as load_map, ruleset as load_ruleset};
use risk_engine::{
    Action, Answer, Bot, BotFault, FinishedGame, Header, HostedBot, NullSink, OptionalPhases,
    Options, Playback, Player, Preferences, Record, RecordLine, Recorder, Setup, Stepper,
    StopReason, View, Words, Worker, header, hosted, read_record, with_stack,
};

use super::table::{CallerPreferences, GameSession};
use crate::errors::{self, wrong};
use crate::kit::{self, Kit};

/// A bot that gives the caller's answers and then halts the game.
struct CallerBot {
    answers: VecDeque<Action>,
    wants: bool,
}

impl Bot for CallerBot {
    fn preferences(&self) -> Preferences<'_> {
        let optional = if self.wants {
            OptionalPhases::All
        } else {
            OptionalPhases::None
        };
        Preferences {
            optional,
            ..Preferences::default()
        }
    }

    fn answer(&mut self, _: &View, _: &Options) -> Result<Answer, BotFault> {
        self.answers
            .pop_front()
            .map_or(Err(BotFault::Halt), |action| Ok(Answer::One(action)))
    }
}

/// Returns the record of a game so far by replaying the game.
pub(super) fn record(table: &GameSession) -> PyResult<String> {
    let Some(answers) = &table.answers else {
        return Err(wrong(
            "the game has no record: it was reseeded, imagined, or cloned from a game with bots",
        ));
    };
    let mut setup = table.kit.setup.clone();
    setup.seed.clone_from(&table.seed.seed);
    let number = table.seed.number;
    let bots = table.bots.clone();
    let wants = table.ways.optional;
    // Script clones of this thread can't leave the thread, but those of a setup can.
    let text = with_stack(|| written(&setup, number, &bots, wants, answers))?;
    String::from_utf8(text).map_err(|_| wrong("a record is always text"))
}

fn written(
    setup: &Setup,
    number: u64,
    bots: &[bool],
    wants: bool,
    answers: &[(Player, Action)],
) -> PyResult<Vec<u8>> {
    let mut worker = Worker::new(setup).map_err(|failure| errors::load(&failure))?;
    let mut seats: Vec<Box<dyn HostedBot>> = Vec::new();
    for (seat, &is_bot) in bots.iter().enumerate() {
        if is_bot {
            let bot = worker
                .bot(&setup.bots[seat].bot)
                .map_err(|failure| errors::load(&failure))?;
            seats.push(bot);
            continue;
        }
        let own = answers.iter().filter(|(player, _)| player.index() == seat);
        let answers = own.map(|&(_, action)| action).collect();
        seats.push(hosted(CallerBot { answers, wants }));
    }
    let mut header = header(&worker, number);
    for (seat, &is_bot) in header.players.iter_mut().zip(bots) {
        if !is_bot {
            seat.hash = None;
        }
    }
    let mut recorder = Recorder::new(Vec::new(), &header);
    let finished = worker.play_with(number, &mut seats, &mut recorder);
    if let Err(StopReason::Rules(fault)) = &finished.outcome {
        return Err(errors::rules(fault));
    }
    recorder
        .finish(finished.outcome.as_ref().ok(), &finished.game)
        .map_err(|error| wrong(error.to_string()))
}

/// Loads the ruleset and map of a record.
fn setup(header: &Header, (ruleset, map): (Option<&str>, Option<&str>)) -> PyResult<Setup> {
    let ruleset_spec = kit::named(&header.ruleset, ruleset, "ruleset")?;
    let map_spec = kit::named(&header.map, map, "map")?;
    let loaded = with_stack(|| {
        Ok((
            load_ruleset(library(), ruleset_spec)?,
            load_map(library(), map_spec, &Levels::default())?,
        ))
    });
    let (ruleset, board) = loaded.map_err(|failure| errors::load(&failure))?;
    let setup = header
        .setup(library(), ruleset, board)
        .map_err(|unfit| wrong(unfit.to_string()))?;
    Ok(Setup {
        ruleset_spec: ruleset_spec.to_owned(),
        map_spec: map_spec.to_owned(),
        ..setup
    })
}

/// Returns the game of a record, before a decision or at the end.
pub(super) fn take_up(
    text: &str,
    decision: Option<u64>,
    given: (Option<&str>, Option<&str>),
) -> PyResult<GameSession> {
    let record = read_record(text).map_err(|broken| {
        wrong(format!(
            "line {} of the record: {}",
            broken.line, broken.text
        ))
    })?;
    let setup = setup(&record.header, given)?;
    if let Some(wanted) = decision.filter(|&wanted| wanted > record.answers()) {
        return Err(wrong(format!(
            "expected a record with at least {wanted} decisions, found {}",
            record.answers()
        )));
    }
    let kit = Kit::new(setup.clone())?;
    let header = &record.header;
    let game = kit.run(|| played(&setup, &record, decision))?;
    let ways = CallerPreferences {
        events: false,
        optional: true,
        plans: false,
    };
    let stepper = {
        let mut rules = kit.rules()?;
        kit.run(|| Stepper::new(game, &mut *rules, ways.settings()))
    };
    let stepper = stepper.map_err(|fault| errors::rules(&fault))?;
    let answers = answers(&kit, &record, stepper.game().answers());
    Ok(GameSession::taken_up(
        kit,
        stepper,
        GameSeed {
            seed: header.seed.clone(),
            number: header.game,
        },
        answers,
    ))
}

fn played(
    setup: &Setup,
    record: &Record,
    decision: Option<u64>,
) -> PyResult<risk_engine::GameState> {
    let mut worker = Worker::new(setup).map_err(|failure| errors::load(&failure))?;
    let mut playback = Playback::new(record, decision);
    let FinishedGame { game, outcome } =
        worker.play_with(record.header.game, &mut playback.seats, &mut NullSink);
    if let Some(mismatch) = playback.mismatch() {
        return Err(wrong(mismatch.to_string()));
    }
    match outcome {
        Err(StopReason::Rules(fault)) => Err(errors::rules(&fault)),
        _ => Ok(game),
    }
}

/// Returns the answers for replaying a game, or `None` if there were faults.
fn answers(kit: &Kit, record: &Record, count: u64) -> Option<Vec<(Player, Action)>> {
    let words = Words::new(&kit.names.board, kit.decl());
    let mut answers = Vec::new();
    for (_, line) in &record.lines {
        match line {
            RecordLine::Answer(it) if it.n > count => break,
            RecordLine::Answer(it) if !it.by_policy => {
                answers.push((Player::from_index(it.seat - 1), words.parse(&it.say).ok()?));
            }
            RecordLine::Answer(_) | RecordLine::Fault(_) => return None,
            _ => {}
        }
    }
    Some(answers)
}
