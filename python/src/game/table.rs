//! A game with its rules.

mod thread_game;

use std::sync::Arc;

use pyo3::PyResult;
use risk_engine::{
    Action, Decision, HostedSeats, Limits, MixedGame, Player, SeatFault, StepError, Stepper,
    StepperSettings, View, interrupt,
};
use risk_wire::line_json;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::history::{History, Step};
use crate::bots;
use crate::errors::{self, GameOver, IllegalAction, WrongThread, wrong};
use crate::kit::{Bots, Kit};
use crate::seating::Table;
use crate::seed::GameSeed;
use thread_game::ThreadGame;

/// The events and decisions that the caller requests.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct CallerPreferences {
    pub(crate) events: bool,
    pub(crate) optional: bool,
    pub(crate) plans: bool,
}

impl CallerPreferences {
    pub(crate) fn settings(self) -> StepperSettings {
        StepperSettings {
            limits: Limits::default(),
            asks_optional: self.optional,
            plans: self.plans,
            listens: self.events,
        }
    }
}

enum SessionGame {
    /// The caller plays all seats.
    Alone(Box<Stepper>),
    /// Bots play some of the seats.
    Mixed(ThreadGame),
}

/// The point at which a game began.
#[derive(Clone, Serialize, Deserialize)]
pub(super) enum Start {
    /// The first decision after the set-up. The value says whether the recipe's bots were seated.
    Setup { seated: bool },
    /// A decision of a record, or its end, and the caller's answers before it. The answers are
    /// `None` if they alone don't lead there.
    Record {
        decision: Option<u64>,
        #[serde(skip)]
        answers: Option<Arc<[(Player, Action)]>>,
    },
}

pub(crate) struct GameSession {
    pub(crate) kit: Arc<Kit>,
    play: SessionGame,
    /// The bot in each seat.
    pub(super) table: Table,
    pub(super) ways: CallerPreferences,
    pub(crate) seed: GameSeed,
    pub(super) start: Start,
    /// What has happened since the start.
    pub(super) history: History,
    /// The number of stored events that the caller has already had.
    pub(super) known_events: usize,
    /// The reason why the game can't go on, if an earlier call failed in the middle of its work.
    failed: Option<String>,
}

impl GameSession {
    /// Sets a game up. If it is not seated, the caller plays the seats of the bots.
    pub(crate) fn new(
        kit: Arc<Kit>,
        seated: bool,
        ways: CallerPreferences,
        seed: GameSeed,
    ) -> PyResult<Self> {
        Self::set_up(kit, (seated, Bots::new()), ways, seed)
    }

    fn set_up(
        kit: Arc<Kit>,
        (seated, mut spare): (bool, Bots),
        ways: CallerPreferences,
        seed: GameSeed,
    ) -> PyResult<Self> {
        let begun = kit.begin(&seed);
        let seated = seated && kit.seating.has_bots();
        let table = if seated {
            kit.seating.table(&seed)
        } else {
            vec![None; kit.players()]
        };
        let bots = kit.seated(&table, &mut spare)?;
        let mut rules = kit.rules()?;
        let play = kit.run(|| {
            Ok(if seated {
                let bots = HostedSeats::new(bots, &kit.names_at(&table));
                let game = MixedGame::new(begun, seed.key(), &mut *rules, bots, ways.settings())?;
                SessionGame::Mixed(ThreadGame::new(game, spare))
            } else {
                SessionGame::Alone(Box::new(Stepper::new(begun, &mut *rules, ways.settings())?))
            })
        });
        drop(rules);
        // An exception of a bot says more than what came of it.
        bots::raised()?;
        let play = play.map_err(|fault| errors::rules(&fault))?;
        let mut session = Self {
            kit,
            play,
            table,
            ways,
            seed,
            start: Start::Setup { seated },
            history: History::default(),
            known_events: 0,
            failed: None,
        };
        session.check_bots().map(|()| session)
    }

    /// Continues a game that has been played elsewhere. The caller plays all seats.
    pub(super) fn taken_up(
        kit: Arc<Kit>,
        stepper: Stepper,
        ways: CallerPreferences,
        seed: GameSeed,
        (start, history): (Start, History),
    ) -> Self {
        Self {
            table: vec![None; kit.players()],
            kit,
            play: SessionGame::Alone(Box::new(stepper)),
            ways,
            seed,
            start,
            history,
            known_events: 0,
            failed: None,
        }
    }

    pub(super) fn again(&self, seed: GameSeed) -> PyResult<Self> {
        Self::new(Arc::clone(&self.kit), self.is_seated(), self.ways, seed)
    }

    fn is_seated(&self) -> bool {
        self.table.iter().any(Option::is_some)
    }

    /// Replaces the game with another game with the same bots.
    pub(super) fn restart(&mut self, seed: GameSeed) -> PyResult<()> {
        let kit = Arc::clone(&self.kit);
        if self.failed.is_some() {
            *self = self.again(seed)?;
            return Ok(());
        }
        // If the next game can't be set up, the current game continues without its bots.
        let last = SessionGame::Alone(Box::new(self.stepper().clone()));
        let spare = match std::mem::replace(&mut self.play, last) {
            SessionGame::Alone(_) => Bots::new(),
            SessionGame::Mixed(game) => game.into_bots(&self.table),
        };
        *self = Self::set_up(kit, (self.is_seated(), spare), self.ways, seed)?;
        Ok(())
    }

    /// Returns a copy without bots.
    pub(super) fn copy(&mut self) -> Self {
        let mut history = self.history.share();
        if self.has_bots() {
            history.push(Step::Unseat);
        }
        Self {
            known_events: self.known_events,
            ..self.branch(self.stepper().clone(), history)
        }
    }

    /// Returns another game from the same start, with these steps. The caller plays all seats.
    fn branch(&self, stepper: Stepper, history: History) -> Self {
        let (kit, from) = (Arc::clone(&self.kit), (self.start.clone(), history));
        Self::taken_up(kit, stepper, self.ways, self.seed.clone(), from)
    }

    /// Returns the caller's answers since the set-up. Returns `None` if they alone don't lead to
    /// the game.
    pub(super) fn answers(&self) -> Option<Vec<(Player, Action)>> {
        let mut answers = match &self.start {
            Start::Setup { .. } => Vec::new(),
            Start::Record { answers, .. } => answers.as_ref()?.to_vec(),
        };
        for step in self.history.steps() {
            let Step::Act(player, action) = step else {
                return None;
            };
            answers.push((player, action));
        }
        Some(answers)
    }

    /// Makes the game unusable. `why` completes a sentence about an earlier call.
    pub(super) fn fail(&mut self, why: impl Into<String>) {
        self.failed = Some(why.into());
    }

    /// Checks that no earlier call has failed in the middle of its work.
    pub(super) fn check_intact(&self) -> PyResult<()> {
        match &self.failed {
            None => Ok(()),
            Some(why) => Err(wrong(format!(
                "the game is unusable because an earlier call {why}: call restart(), or reset() of \
                 its environment"
            ))),
        }
    }

    /// Checks that the game can be used on this thread.
    pub(super) fn check_thread(&self) -> PyResult<()> {
        match &self.play {
            SessionGame::Mixed(game) if !game.is_home() => Err(WrongThread::new_err(
                "a game with bots must stay on the thread that created it",
            )),
            _ => Ok(()),
        }
    }

    pub(crate) fn stepper(&self) -> &Stepper {
        match &self.play {
            SessionGame::Alone(stepper) => stepper,
            SessionGame::Mixed(game) => game,
        }
    }

    /// Returns who sits where, to describe faults.
    pub(super) fn seats(&self) -> (&Kit, &Table) {
        (&self.kit, &self.table)
    }

    /// Returns the names of the players.
    pub(super) fn names(&self) -> Vec<String> {
        self.kit.names_at(&self.table)
    }

    /// Says in a line which game this is and how it stands.
    pub(super) fn description(&self) -> String {
        let setup = &self.kit.setup;
        let stepper = self.stepper();
        let now = match (stepper.outcome(), stepper.decisions().first()) {
            (Some(outcome), _) => format!("over: {}", outcome.reason),
            (None, Some(first)) => format!(
                "turn {}, player {} decides",
                stepper.game().turn(),
                first.player.index()
            ),
            (None, None) => "stopped".to_owned(),
        };
        format!(
            "<Game {} on {}, seed {}: {now}>",
            setup.rules.ruleset_spec, setup.rules.map_spec, self.seed.seed
        )
    }

    pub(crate) fn has_bots(&self) -> bool {
        matches!(self.play, SessionGame::Mixed(_))
    }

    /// Returns the faults of the bots.
    pub(super) fn faults(&self) -> &[SeatFault] {
        match &self.play {
            SessionGame::Alone(_) => &[],
            SessionGame::Mixed(game) => game.bots().faults(),
        }
    }

    pub(crate) fn view(&self, player: Player) -> View {
        self.stepper().view(player)
    }

    /// Returns the decision of a player, or the first decision by default.
    pub(crate) fn decision(&self, player: Option<Player>) -> PyResult<&Decision> {
        self.check_intact()?;
        let decisions = self.stepper().decisions();
        let found = match player {
            None => decisions.first(),
            Some(player) => decisions.iter().find(|decision| decision.player == player),
        };
        found.ok_or_else(|| self.nothing_to_decide(player))
    }

    fn nothing_to_decide(&self, player: Option<Player>) -> pyo3::PyErr {
        match (self.stepper().outcome(), player) {
            (Some(_), _) => GameOver::new_err("the game is over"),
            (None, Some(player)) => {
                IllegalAction::new_err(format!("player {} has no decision now", player.index()))
            }
            (None, None) => wrong("the game has stopped"),
        }
    }

    pub(super) fn plans(&self, player: Option<Player>) -> PyResult<Vec<Vec<Action>>> {
        const MOST: u64 = 100_000;
        if !self.ways.plans {
            return Err(wrong("the game has no plans: create it with plans=True"));
        }
        let options = &self.decision(player)?.options;
        if options.plans() > MOST {
            return Err(wrong(format!(
                "too many plans for a list: {} exceeds {MOST}",
                options.plans()
            )));
        }
        Ok((0..options.plans())
            .map(|number| options.nth_plan(number))
            .collect())
    }

    pub(crate) fn apply(&mut self, player: Option<Player>, action: Action) -> PyResult<()> {
        let player = self.decision(player)?.player;
        self.step(player, action)
            .map_err(|error| errors::step(&error))?;
        self.history.push(Step::Act(player, action));
        if self.has_bots() {
            self.check_bots()
        } else {
            Ok(())
        }
    }

    fn step(&mut self, player: Player, action: Action) -> Result<(), StepError> {
        let rules = self.kit.rules();
        let mut rules = rules.map_err(|error| StepError::Refused(error.to_string()))?;
        let play = &mut self.play;
        self.kit.run(|| match play {
            SessionGame::Alone(stepper) => stepper.apply(&mut *rules, player, action),
            SessionGame::Mixed(game) => game.apply(&mut *rules, player, action),
        })
    }

    /// Returns an error if a bot has stopped the game.
    fn check_bots(&mut self) -> PyResult<()> {
        if let Err(error) = bots::raised() {
            self.fail("ended with an exception of a bot");
            return Err(error);
        }
        let SessionGame::Mixed(game) = &self.play else {
            return Ok(());
        };
        if game.outcome().is_some() || !game.decisions().is_empty() {
            return Ok(());
        }
        if interrupt::is_raised() {
            self.fail("was interrupted while a bot was choosing");
            return self.check_intact();
        }
        Err(wrong(format!(
            "the game has stopped: {}",
            game.bots().gone().unwrap_or("a bot has left")
        )))
    }

    /// Returns the number of events since the last call of [`Self::events`].
    pub(super) fn new_events(&self) -> usize {
        self.stepper().pending_events() - self.known_events
    }

    pub(super) fn events(&mut self, player: Option<Player>) -> PyResult<Vec<Value>> {
        if !self.ways.events {
            return Err(wrong(
                "the game keeps no events: create it with events=True",
            ));
        }
        let events = match &mut self.play {
            SessionGame::Alone(stepper) => stepper.take_events(),
            SessionGame::Mixed(game) => game.take_events(),
        };
        let known = std::mem::take(&mut self.known_events);
        let view = self.view(player.unwrap_or(Player(0)));
        let seen = events
            .into_iter()
            .skip(known)
            .filter_map(|event| match player {
                Some(_) => view.redact_for(&event),
                None => Some(event),
            });
        Ok(seen
            .map(|event| line_json::event_value(view.board(), view.decl(), &event))
            .collect())
    }

    pub(super) fn score(&mut self, player: Player) -> PyResult<i64> {
        let mut rules = self.kit.rules()?;
        let score = self.kit.run(|| self.stepper().score(&mut *rules, player));
        score.map_err(|fault| errors::rules(&fault))
    }

    /// Draws a game that looks the same to this player.
    pub(super) fn imagine(&mut self, player: Player, seed: u64) -> PyResult<Self> {
        if self.stepper().outcome().is_some() {
            return Err(GameOver::new_err("can't imagine the game: it is over"));
        }
        let mut rules = self.kit.rules()?;
        let imagined = self
            .kit
            .run(|| self.stepper().imagine(&mut *rules, player, seed));
        let stepper = imagined.map_err(|fault| errors::rules(&fault))?;
        drop(rules);
        let mut history = self.history.share();
        history.push(Step::Imagine(player, seed));
        Ok(self.branch(stepper, history))
    }

    /// Returns the position as text. It includes all hidden information.
    pub(super) fn position(&self) -> PyResult<String> {
        let stepper = self.stepper();
        if stepper.outcome().is_some() {
            return Err(GameOver::new_err("no position: the game is over"));
        }
        if !stepper.is_at_rest() {
            return Err(wrong(
                "no position while only some players have decided: apply the other actions first",
            ));
        }
        let setup = &self.kit.setup;
        let GameSeed { seed, number } = &self.seed;
        let text = setup.position_text(stepper.game(), seed, *number, &self.names(), "");
        text.map_err(wrong)
    }

    pub(super) fn reseed(&mut self, seed: u64) -> PyResult<()> {
        let SessionGame::Alone(stepper) = &mut self.play else {
            return Err(wrong("can't reseed a game with bots: reseed its clone()"));
        };
        stepper.reseed(seed);
        self.history.push(Step::Reseed(seed));
        Ok(())
    }
}
