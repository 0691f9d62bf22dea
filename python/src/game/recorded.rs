//! Records of games played from Python, and games from records.

use std::collections::VecDeque;
use std::sync::Arc;

use pyo3::PyResult;
use risk_engine::record::{Playback, Record, RecordLine, Recorder, header};
use risk_engine::{
    Action, Answer, Bot, BotFault, FinishedGame, HostedBot, NullSink, OptionalPhases, Options,
    Player, Preferences, Setup, Stepper, StopReason, View, Words, Worker, hosted, with_stack,
};

use super::history::History;
use super::table::{CallerPreferences, GameSession, Start};
use crate::bots::{self, BotThread};
use crate::errors::{self, wrong};
use crate::kit::{self, Kit};
use crate::recipe::Recipe;
use crate::seed::GameSeed;

/// A bot that gives the caller's answers and then halts the game.
struct CallerBot {
    answers: VecDeque<Action>,
    wants: bool,
}

impl Bot for CallerBot {
    fn preferences(&self) -> Preferences<'_> {
        Preferences {
            optional: match self.wants {
                true => OptionalPhases::All,
                false => OptionalPhases::None,
            },
            ..Preferences::default()
        }
    }

    fn answer(&mut self, _: &View, _: &Options) -> Result<Answer, BotFault> {
        self.answers
            .pop_front()
            .map_or(Err(BotFault::Halt), |action| Ok(Answer::One(action)))
    }
}

/// Returns the record of a game so far by replaying the game. Its bots are asked again.
pub(super) fn record(table: &GameSession) -> PyResult<String> {
    let Some(answers) = table.answers() else {
        return Err(wrong(
            "the game has no record: it was reseeded, imagined, or cloned from a game with bots",
        ));
    };
    let mut setup = table.kit.setup_at(&table.table);
    setup.seed.clone_from(&table.seed.seed);
    let number = table.seed.number;
    let bots: Vec<bool> = table.table.iter().map(Option::is_some).collect();
    let wants = table.ways.optional;
    // Script clones of this thread can't leave the thread, but those of a setup can.
    let (text, again) = with_stack(|| written(&setup, number, &bots, wants, &answers))?;
    if again != table.stepper().game().digest() {
        return Err(wrong(
            "the game has no record: a bot answers differently when the game is played again",
        ));
    }
    String::from_utf8(text).map_err(|_| wrong("a record is always text"))
}

fn written(
    setup: &Setup,
    number: u64,
    bots: &[bool],
    wants: bool,
    answers: &[(Player, Action)],
) -> PyResult<(Vec<u8>, u64)> {
    let mut worker = Worker::new(setup).map_err(|failure| errors::load(&failure))?;
    let mut seats: Vec<Box<dyn HostedBot>> = Vec::new();
    for (seat, &is_bot) in bots.iter().enumerate() {
        if is_bot {
            let bot = worker.bot_of(seat);
            seats.push(bot.map_err(|failure| errors::load(&failure))?);
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
    bots::raised()?;
    if let Err(StopReason::Rules(fault)) = &finished.outcome {
        return Err(errors::rules(fault));
    }
    let digest = finished.game.digest();
    let text = recorder.finish(finished.outcome.as_ref().ok(), &finished.game);
    let text = text.map_err(|error| wrong(error.to_string()))?;
    Ok((text, digest))
}

/// Returns the game of a record, before a decision or at the end.
pub(super) fn take_up(
    text: &str,
    decision: Option<u64>,
    (ruleset, map): (Option<&str>, Option<&str>),
) -> PyResult<GameSession> {
    let recipe = Recipe::Record {
        text: text.to_owned(),
        ruleset: ruleset.map(str::to_owned),
        map: map.map(str::to_owned),
    };
    let kit = Kit::of(recipe, &BotThread::Here)?;
    take_up_kit(kit, &kit::record(text)?, decision)
}

/// Returns the game of a record, which has led to this kit.
pub(super) fn take_up_kit(
    kit: Arc<Kit>,
    record: &Record,
    decision: Option<u64>,
) -> PyResult<GameSession> {
    if let Some(wanted) = decision.filter(|&wanted| wanted > record.answers()) {
        return Err(wrong(format!(
            "expected a record with at least {wanted} decisions, found {}",
            record.answers()
        )));
    }
    let game = kit.run(|| played(&kit.setup, record, decision))?;
    let ways = CallerPreferences {
        optional: true,
        ..CallerPreferences::default()
    };
    let stepper = {
        let mut rules = kit.rules()?;
        kit.run(|| Stepper::new(game, &mut *rules, ways.settings()))
    };
    let stepper = stepper.map_err(|fault| errors::rules(&fault))?;
    let answers = answers(&kit, record, stepper.game().answers());
    let start = Start::Record {
        decision,
        answers: answers.map(Arc::from),
    };
    let seed = GameSeed {
        seed: record.header.seed.clone(),
        number: record.header.game,
    };
    let from = (start, History::default());
    Ok(GameSession::taken_up(kit, stepper, ways, seed, from))
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
