//! Many games: who sits where, worker threads, results in the order of the games.

pub mod standings;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};

use crate::kernel::board::Board;
use crate::kernel::declare::{Declaration, OnFault, Strikes};
use crate::kernel::fault::RuleFault;
use crate::kernel::id::PlayerSet;
use crate::kernel::rng::{Purpose, Stream};
use crate::kernel::state::GameState;
use crate::kernel::{Bot, Finished, Limits, NullSink, Sink, Stop, play};
use crate::load::bot_spec::BotSpec;
use crate::load::diag::{Failure, Finding};
use crate::odds::Fight;
use crate::players::BotSource;
use crate::script::{Budget, OptionValue, Ruleset, ScriptFault, ScriptLimits, ScriptRules};

/// Scripts may call each other deep; the threads they run on have room for it.
pub const STACK: usize = 64 << 20;

/// How players are seated in the games of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seats {
    /// As given, in every game.
    Fixed,
    /// One seat further in every game, so that after as many games as players all sat everywhere.
    Rotate,
    /// Drawn from the seed for every game.
    Shuffle,
}

/// Everything that a match is made of.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The ruleset.
    pub ruleset: Ruleset,
    /// The map.
    pub board: Arc<Board>,
    /// The values of all options.
    pub options: BTreeMap<String, OptionValue>,
    /// The players.
    pub bots: Vec<BotSpec>,
    /// The seed.
    pub seed: u64,
    /// Where the players sit.
    pub seats: Seats,
    /// What each call into a script may use.
    pub limits: ScriptLimits,
    /// Another fault policy than the ruleset's.
    pub strikes: Option<Strikes>,
}

impl Setup {
    /// Which player sits on each seat of a game.
    #[must_use]
    pub fn seating(&self, number: u64) -> Vec<usize> {
        let count = self.bots.len();
        let mut seats: Vec<usize> = (0..count).collect();
        match self.seats {
            Seats::Fixed => {}
            Seats::Rotate => seats.rotate_left((number % count as u64) as usize),
            Seats::Shuffle => Stream::new(self.seed, number, Purpose::Seats).shuffle(&mut seats),
        }
        seats
    }

    /// The command that plays a game of the match again. Only what differs from what holds anyway
    /// is said.
    #[must_use]
    pub fn command(&self, (ruleset, map): (&str, &str), number: u64) -> String {
        let mut words: Vec<String> = ["risk-cli", "play", "--ruleset", ruleset, "--map", map]
            .map(quoted)
            .to_vec();
        let preset: Vec<_> = self.options.get_key_value("preset").into_iter().collect();
        let said: Vec<_> = preset
            .iter()
            .map(|(name, value)| ((*name).clone(), value.to_string()))
            .collect();
        let without = |name: &str| name != "preset";
        let known = self.ruleset.options(&said).unwrap_or_default();
        let differ = self
            .options
            .iter()
            .filter(|(name, value)| without(name) && known.get(*name) != Some(value));
        for (name, value) in preset.into_iter().chain(differ) {
            words.extend(["--option".to_owned(), quoted(&format!("{name}={value}"))]);
        }
        words.extend(["--seed".to_owned(), self.seed.to_string()]);
        if number > 0 {
            let seats = match self.seats {
                Seats::Fixed => "fixed",
                Seats::Rotate => "rotate",
                Seats::Shuffle => "shuffle",
            };
            words.extend(["--first", &number.to_string(), "--seats", seats].map(str::to_owned));
        } else if self.seats == Seats::Shuffle {
            words.extend(["--seats", "shuffle"].map(str::to_owned));
        }
        if let Some(strikes) = self.strikes {
            let then = strikes.then.word();
            words.extend(
                ["--strikes", &strikes.limit.to_string(), "--on-fault", then].map(str::to_owned),
            );
        }
        if self.limits.budget != Budget::default() {
            words.extend(["--budget".to_owned(), self.limits.budget.0.to_string()]);
        }
        if self
            .bots
            .iter()
            .any(|spec| matches!(spec.source, BotSource::Isolated(_)))
        {
            words.push("--isolate".to_owned());
        }
        words.extend(
            self.bots
                .iter()
                .flat_map(|spec| ["--bot".to_owned(), quoted(&spec.bot)]),
        );
        words.join(" ")
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// One thread's rules and bots, used for all its games.
pub struct Worker<'a> {
    setup: &'a Setup,
    decl: Arc<Declaration>,
    rules: ScriptRules,
    /// How long a game may go on.
    pub limits: Limits,
    /// By player; lent to the seats for a game.
    bots: Vec<Option<Box<dyn Bot>>>,
}

impl<'a> Worker<'a> {
    /// Compiles everything.
    ///
    /// # Errors
    /// Everything that is wrong with the scripts.
    pub fn new(setup: &'a Setup) -> Result<Self, Failure> {
        let players = setup.bots.len();
        let mut bound = setup
            .ruleset
            .bind(&setup.board, &setup.options, players, &setup.limits)?;
        if let Some(strikes) = setup.strikes {
            if strikes.then == OnFault::Hook && !bound.rules.has_fault_hook() {
                let text = format!(
                    "the ruleset {} has no function on_fault_out(g, who) that could decide",
                    bound.decl.name
                );
                return Err(Failure::one(
                    Finding::error("ruleset::missing-hook", text)
                        .help("choose another fault policy"),
                ));
            }
            Arc::make_mut(&mut bound.decl).strikes = strikes;
        }
        let fight = Fight::of(bound.rules.tables());
        let (mut bots, mut findings) = (Vec::new(), Vec::new());
        for spec in &setup.bots {
            match spec.source.build(
                &bound.decl,
                &setup.board,
                players,
                fight.clone(),
                &setup.limits,
            ) {
                Ok(bot) => bots.push(Some(bot)),
                Err(faults) => {
                    for finding in faults.into_iter().map(Finding::from) {
                        if !findings.contains(&finding) {
                            findings.push(finding);
                        }
                    }
                }
            }
        }
        if findings.is_empty() {
            Ok(Self {
                setup,
                decl: bound.decl,
                rules: bound.rules,
                limits: Limits::default(),
                bots,
            })
        } else {
            Err(Failure { findings })
        }
    }

    /// What the ruleset declares.
    #[must_use]
    pub fn decl(&self) -> &Arc<Declaration> {
        &self.decl
    }

    /// The rules.
    #[must_use]
    pub const fn rules(&self) -> &ScriptRules {
        &self.rules
    }

    /// The rules, to ask them.
    pub const fn rules_mut(&mut self) -> &mut ScriptRules {
        &mut self.rules
    }

    /// Plays the game with this number.
    pub fn play(&mut self, number: u64, sink: &mut dyn Sink) -> Finished {
        let seating = self.setup.seating(number);
        let mut seated: Vec<Box<dyn Bot>> = seating
            .iter()
            .map(|&player| {
                self.bots[player]
                    .take()
                    .expect("each player sits on one seat")
            })
            .collect();
        let names: Vec<String> = seating
            .iter()
            .map(|&player| self.setup.bots[player].name.clone())
            .collect();
        for bot in &mut seated {
            bot.meet(&names);
        }
        let finished = self.play_with(number, &mut seated, sink);
        for (player, bot) in seating.into_iter().zip(seated) {
            self.bots[player] = Some(bot);
        }
        finished
    }

    /// Plays the game with this number with other bots than the players' own: those of a record,
    /// say.
    pub fn play_with(
        &mut self,
        number: u64,
        seated: &mut [Box<dyn Bot>],
        sink: &mut dyn Sink,
    ) -> Finished {
        let seed = self.setup.seed;
        let game = GameState::new(
            Arc::clone(&self.setup.board),
            Arc::clone(&self.decl),
            seated.len(),
            seed,
            number,
        );
        play(
            game,
            (seed, number),
            &mut self.rules,
            seated,
            sink,
            self.limits,
        )
    }
}

/// What is kept of one game of many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The number of the game, from 0.
    pub number: u64,
    /// The winning seats.
    pub winners: PlayerSet,
    /// Why it ended.
    pub reason: Arc<str>,
    /// Rounds.
    pub rounds: u32,
    /// Player-turns.
    pub turns: u32,
    /// Answers.
    pub decisions: u64,
    /// Dice rounds.
    pub battle_rounds: u64,
    /// Faults of the players, by seat.
    pub faults: Vec<u32>,
    /// The digest of the last state.
    pub digest: u64,
}

/// Why a match stopped.
#[derive(Debug)]
pub enum MatchFault {
    /// Something could not be compiled.
    Load(Failure),
    /// The ruleset failed in this game.
    GameState(u64, RuleFault),
    /// This program failed, or the system has no more threads: what happened.
    Broken(String),
}

/// Plays so many games, from the number `first` on, on several threads. The results are the same
/// whatever their number.
///
/// # Errors
/// As [`play_each`].
pub fn play_many(
    setup: &Setup,
    first: u64,
    games: u64,
    jobs: usize,
    mut progress: impl FnMut(u64),
) -> Result<Vec<GameResult>, MatchFault> {
    let mut results = Vec::new();
    play_each(setup, (first, games), jobs, |result| {
        results.push(result);
        progress(results.len() as u64);
        ControlFlow::Continue(())
    })?;
    Ok(results)
}

/// How far games are played ahead of the first whose result is still out: so many results wait at
/// most.
const AHEAD: u64 = 16_384;

/// Plays so many games, from a number on, on several threads, and hands over their results one by
/// one in the order of the games, until one of them is answered with a break. What it holds does
/// not grow with the games.
///
/// # Errors
/// When a script does not compile, or the ruleset fails: in the first game in which it does. When a
/// thread can't be had, or panics.
pub fn play_each(
    setup: &Setup,
    (first, games): (u64, u64),
    jobs: usize,
    mut each: impl FnMut(GameResult) -> ControlFlow<()>,
) -> Result<(), MatchFault> {
    let course = Course::new(first, games);
    let mut fault: Option<MatchFault> = None;
    std::thread::scope(|scope| {
        // Whatever happens here, no thread waits for ever.
        let _end = EndOnPanic(&course);
        let (sender, receiver) = mpsc::sync_channel::<Batch>(64);
        let (mut threads, gate) = (Vec::new(), course.lock());
        for _ in 0..jobs.max(1) {
            let (sender, course) = (sender.clone(), &course);
            let builder = std::thread::Builder::new().stack_size(STACK);
            match builder.spawn_scoped(scope, move || work(setup, course, &sender)) {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    let text = format!(
                        "the system gives {} of {jobs} threads: {error}",
                        threads.len()
                    );
                    fault = Some(MatchFault::Broken(text));
                    // Those that are there wait at the gate.
                    course.stop.store(0, Ordering::SeqCst);
                    break;
                }
            }
        }
        drop((gate, sender));
        let (mut order, mut over) = (
            InOrder {
                next: first,
                waiting: BTreeMap::new(),
            },
            false,
        );
        for result in receiver.iter().flatten() {
            match result {
                Ok(result) => {
                    if !over && order.hand(result, &mut each).is_break() {
                        over = true;
                        course.stop_at(0);
                    }
                    course.handed(order.next);
                }
                Err(new) => fault = Some(earlier(fault.take(), new)),
            }
        }
        for thread in threads {
            if let Err(panic) = thread.join() {
                fault = Some(earlier(fault.take(), MatchFault::Broken(told(&*panic))));
            }
        }
    });
    fault.map_or(Ok(()), Err)
}

/// What a panic says.
fn told(panic: &dyn std::any::Any) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!(
        "a thread that plays games failed: {}",
        text.unwrap_or("it does not say why")
    )
}

/// Results that wait for those of earlier games.
struct InOrder {
    next: u64,
    waiting: BTreeMap<u64, GameResult>,
}

impl InOrder {
    fn hand(
        &mut self,
        result: GameResult,
        each: &mut impl FnMut(GameResult) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.waiting.insert(result.number, result);
        while let Some(result) = self.waiting.remove(&self.next) {
            self.next += 1;
            each(result)?;
        }
        ControlFlow::Continue(())
    }
}

/// How far a match is, for all its threads.
struct Course {
    next: AtomicU64,
    stop: AtomicU64,
    /// Below this number all results have been handed over.
    handed: Mutex<u64>,
    room: Condvar,
}

impl Course {
    fn new(first: u64, games: u64) -> Self {
        let stop = first.saturating_add(games);
        Self {
            next: first.into(),
            stop: stop.into(),
            handed: Mutex::new(first),
            room: Condvar::new(),
        }
    }

    /// No game from this number on is begun.
    fn stop_at(&self, number: u64) {
        self.stop.fetch_min(number, Ordering::SeqCst);
        // Whoever is about to wait has looked at `stop` under the lock.
        drop(self.lock());
        self.room.notify_all();
    }

    fn stops(&self, number: u64) -> bool {
        number >= self.stop.load(Ordering::SeqCst)
    }

    fn handed(&self, number: u64) {
        *self.lock() = number;
        self.room.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.handed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_room(&self, number: u64) -> bool {
        number < self.lock().saturating_add(AHEAD) || self.stops(number)
    }

    fn wait(&self, number: u64) {
        let full = |handed: &mut u64| number >= handed.saturating_add(AHEAD) && !self.stops(number);
        drop(self.room.wait_while(self.lock(), full));
    }
}

/// Stops a match whose thread panics.
struct EndOnPanic<'a>(&'a Course);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop_at(0);
        }
    }
}

/// The fault of the earlier game.
fn earlier(old: Option<MatchFault>, new: MatchFault) -> MatchFault {
    match (old, new) {
        (Some(MatchFault::GameState(a, old)), MatchFault::GameState(b, new)) => {
            if a < b {
                MatchFault::GameState(a, old)
            } else {
                MatchFault::GameState(b, new)
            }
        }
        (Some(MatchFault::Broken(old)), _) | (_, MatchFault::Broken(old)) => {
            MatchFault::Broken(old)
        }
        (Some(MatchFault::Load(old)), _) | (_, MatchFault::Load(old)) => MatchFault::Load(old),
        (None, new) => new,
    }
}

/// Results are handed over several at a time: waking somebody for each short game would cost more
/// than it.
type Batch = Vec<Result<GameResult, MatchFault>>;
/// Answers after which a batch is full.
const BATCH: u64 = 20_000;

fn work(setup: &Setup, course: &Course, sender: &mpsc::SyncSender<Batch>) {
    let _end = EndOnPanic(course);
    // Nobody takes memory before all are there: what is left may be too little.
    drop(course.lock());
    if course.stops(0) {
        return;
    }
    // A receiver that is gone has heard enough.
    let mut worker = match Worker::new(setup) {
        Ok(worker) => worker,
        Err(failure) => return drop(sender.send(vec![Err(MatchFault::Load(failure))])),
    };
    let (mut batch, mut answers) = (Batch::new(), 0);
    loop {
        let number = course.next.fetch_add(1, Ordering::Relaxed);
        if course.stops(number) {
            return drop(sender.send(batch));
        }
        if !course.has_room(number) {
            // The result that the others wait for may be in here.
            if sender.send(std::mem::take(&mut batch)).is_err() {
                return;
            }
            course.wait(number);
            if course.stops(number) {
                return;
            }
        }
        let finished = worker.play(number, &mut NullSink);
        let result = match finished.outcome {
            Ok(outcome) => Ok(result(
                number,
                &finished.game,
                outcome.reason.as_str().into(),
                outcome.winners,
            )),
            Err(Stop::Rules(fault)) => {
                course.stop_at(number);
                Err(MatchFault::GameState(number, fault))
            }
            Err(Stop::Halted) => unreachable!("no bot of a match halts it"),
        };
        answers += finished.game.answers();
        batch.push(result);
        if answers >= BATCH {
            answers = 0;
            if sender.send(std::mem::take(&mut batch)).is_err() {
                return;
            }
        }
    }
}

fn result(number: u64, game: &GameState, reason: Arc<str>, winners: PlayerSet) -> GameResult {
    GameResult {
        number,
        winners,
        reason,
        rounds: game.round(),
        turns: game.turn(),
        decisions: game.answers(),
        battle_rounds: game.battle_rounds(),
        faults: game.seats().map(|who| game.strikes(who)).collect(),
        digest: game.digest(),
    }
}

/// Runs something that calls scripts on a thread with a large stack.
pub fn with_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let spawned = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, run);
        match spawned.expect("the system gives a thread").join() {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The script's own report inside a ruleset's fault, where there is one.
#[must_use]
pub fn script_fault(fault: &RuleFault) -> Option<&ScriptFault> {
    fault.source.as_ref()?.downcast_ref()
}
