//! The games of one thread.

mod finals;
mod opponents;
mod softmax;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use pyo3::{PyErr, PyResult};
use risk_engine::{
    Action, Decision, HostedSeats, MixedGame, Player, Purpose, Seed, StepError, Stepper, Stream,
    interrupt,
};

use crate::encoding::{Encoding, EncodingSettings, Marked};
use crate::errors::{self, IllegalAction, wrong};
use crate::faults::OnOpponentFault;
use crate::game::CallerPreferences;
use crate::kit::{self, Bots, Kit};
use crate::recipe::Recipe;
use crate::reward;
use crate::seating::Table;
use crate::seed::GameSeed;
use crate::vector::outputs::{OutputRows, OutputSizes};

#[derive(Clone)]
pub(crate) struct LaneConfig {
    pub(crate) recipe: Recipe,
    pub(crate) seed: Seed,
    pub(crate) games: usize,
    pub(crate) encoding: EncodingSettings,
    /// Whether observations are rows of floats.
    pub(crate) features: bool,
    /// The maximum number of steps in a game before it is truncated.
    pub(crate) max_steps: u32,
    /// Whether an illegal action ends its game. If not, it raises an exception.
    pub(crate) illegal_ends: bool,
    pub(crate) on_opponent_fault: OnOpponentFault,
}

enum LaneGame {
    Alone(Stepper),
    Mixed(MixedGame<HostedSeats>),
    Nothing,
}

/// One game of the vector, and its state between steps.
struct LaneRow {
    play: LaneGame,
    table: Table,
    seed: Seed,
    number: u64,
    /// The number of the caller's actions since the set-up.
    steps: u32,
    /// Whether the game is over or truncated. The next step sets up another game.
    over: bool,
}

pub(crate) struct Lane {
    kit: Arc<Kit>,
    encoding: Encoding,
    sizes: OutputSizes,
    /// The number of factors in an action.
    factors: usize,
    plan: LaneConfig,
    /// The bots without a seat now.
    spare: Bots,
    first: usize,
    rows: Vec<LaneRow>,
    /// One sampler per row, so samples do not depend on the number of threads.
    samplers: Vec<Stream>,
    /// The last sampled actions, by row. If the next step receives the same numbers, they need no
    /// decoding.
    drawn: Vec<Option<Action>>,
    numbers: Vec<i32>,
    /// The numbers in the last masks of actions, by row.
    marked: Vec<Vec<Marked>>,
    /// The checked actions of the next step, by row.
    checked: Vec<Option<Action>>,
    /// The reason why the games can only be set up again, if a step failed in the middle.
    pub(super) failed: Option<String>,
}

thread_local!(static LANE: RefCell<Option<Lane>> = const { RefCell::new(None) });

pub(super) fn keep(lane: Lane) {
    LANE.set(Some(lane));
}

/// Calls `work` with the lane of this thread. The lane is lost if the work panics.
pub(super) fn with<R>(work: impl FnOnce(&mut Lane) -> PyResult<R>) -> PyResult<R> {
    let mut lane = LANE.take().ok_or_else(failed)?;
    let done = catch_unwind(AssertUnwindSafe(|| work(&mut lane)))
        .map_err(|panic| errors::panicked(&*panic))?;
    LANE.set(Some(lane));
    done
}

pub(super) fn failed() -> PyErr {
    wrong("the games are unusable because an earlier call failed: make them again")
}

impl Lane {
    /// Checks the bots. Returns the sizes of a row, and the number of factors in an action.
    pub(super) fn sizes(plan: &LaneConfig, kit: &Kit) -> PyResult<(OutputSizes, usize)> {
        if kit.seating.is_full() {
            return Err(wrong(
                "every seat has a bot: leave at least one seat without a bot",
            ));
        }
        kit.check_bots()?;
        let encoding = Encoding::of(&kit.names, plan.encoding.clone())?;
        let verbs = encoding.factors.columns[0].size;
        let layout = &encoding.layout;
        let integers = usize::from(!plan.features);
        let flat = encoding.flat.as_ref();
        let sizes = OutputSizes {
            territories: integers * layout.rows() * layout.columns(),
            globals: integers * layout.globals,
            rewards: kit.players(),
            terminated: 1,
            truncated: 1,
            players: 1,
            mask: flat.map_or(verbs, |flat| flat.len),
            features: usize::from(plan.features) * encoding.features.len,
        };
        Ok((sizes, flat.map_or(encoding.factors.columns.len(), |_| 1)))
    }

    pub(super) fn new(
        plan: &LaneConfig,
        kit: &Arc<Kit>,
        (sizes, factors): (OutputSizes, usize),
        (first, count): (usize, usize),
    ) -> PyResult<Self> {
        let row = |row: usize| LaneRow {
            play: LaneGame::Nothing,
            table: Table::new(),
            seed: plan.seed.clone(),
            number: (first + row) as u64,
            steps: 0,
            over: true,
        };
        let mut lane = Self {
            encoding: Encoding::of(&kit.names, plan.encoding.clone())?,
            spare: Bots::new(),
            kit: Arc::clone(kit),
            sizes,
            factors,
            plan: plan.clone(),
            first,
            rows: (0..count).map(row).collect(),
            samplers: Vec::new(),
            drawn: vec![None; count],
            numbers: vec![0; count * factors],
            marked: vec![Vec::new(); count],
            checked: vec![None; count],
            failed: None,
        };
        lane.seed_samplers(None);
        Ok(lane)
    }

    /// Seeds the samplers. By default, their seed is that of the match.
    pub(super) fn seed_samplers(&mut self, seed: Option<u64>) {
        let of_match = &self.plan.seed;
        let stream = |row: u64| match seed {
            None => of_match.key(row).stream(Purpose::Player(31)),
            Some(seed) => Stream::new(seed, row, Purpose::Player(31)),
        };
        let numbers = self.first..self.first + self.rows.len();
        self.samplers = numbers.map(|row| stream(row as u64)).collect();
    }

    /// Writes the digests of the games. Rows without a game are skipped.
    pub(super) fn digests(&self, texts: &mut [String]) {
        for (row, text) in self.rows.iter().zip(texts) {
            *text = row.digest().unwrap_or_default();
        }
    }

    /// Sets up all games, or those of the mask: the first games of the seed if there is one, or
    /// else the next games. The mask is that of all lanes.
    pub(super) fn reset(
        &mut self,
        seed: Option<&Seed>,
        mask: Option<&[bool]>,
        mut out: OutputRows<'_>,
    ) -> PyResult<()> {
        if mask.is_none() {
            self.failed = None;
        }
        self.check_intact()?;
        for index in 0..self.rows.len() {
            if mask.is_some_and(|mask| !mask[self.first + index]) {
                continue;
            }
            out.clear(index, &self.sizes);
            self.drawn[index] = None;
            let row = &mut self.rows[index];
            if let Some(seed) = seed {
                row.seed.clone_from(seed);
                row.number = (self.first + index) as u64;
            } else if !matches!(row.play, LaneGame::Nothing) {
                row.number += self.plan.games as u64;
            }
            self.begin(index)?;
            self.check_opponents(index)?;
            self.check_interrupt()?;
            self.write(index, &mut out)?;
        }
        Ok(())
    }

    fn check_intact(&self) -> PyResult<()> {
        match &self.failed {
            None => Ok(()),
            Some(why) => Err(wrong(format!(
                "the games are unusable because {why}: call reset()"
            ))),
        }
    }

    /// Returns an error if a signal or an exception of a bot has halted the games.
    fn check_interrupt(&mut self) -> PyResult<()> {
        if interrupt::is_raised() {
            self.failed = Some("an earlier call was interrupted".to_owned());
        }
        self.check_intact()
    }

    fn begin(&mut self, index: usize) -> PyResult<()> {
        let seed = GameSeed {
            seed: self.rows[index].seed.clone(),
            number: self.rows[index].number,
        };
        let begun = self.kit.begin(&seed);
        let settings = CallerPreferences::default().settings();
        let row = &mut self.rows[index];
        let last = std::mem::replace(&mut row.play, LaneGame::Nothing);
        if let LaneGame::Mixed(game) = last {
            self.spare.extend(kit::unseated(game, &row.table));
        }
        row.table = self.kit.seating.table(&seed);
        let bots = self.kit.seated(&row.table, &mut self.spare)?;
        let mut rules = self.kit.rules()?;
        let play = if self.kit.seating.has_bots() {
            let bots = HostedSeats::new(bots, &self.kit.names_at(&row.table));
            let game = MixedGame::new(begun, seed.key(), &mut *rules, bots, settings);
            game.map(LaneGame::Mixed)
        } else {
            Stepper::new(begun, &mut *rules, settings).map(LaneGame::Alone)
        };
        row.play = play.map_err(|fault| errors::rules(&fault))?;
        row.steps = 0;
        row.over = row.stepper().is_none_or(|game| game.outcome().is_some());
        Ok(())
    }

    /// Writes the view of the next player to decide, or a view of the end of the game.
    fn write(&mut self, index: usize, out: &mut OutputRows<'_>) -> PyResult<()> {
        let sizes = self.sizes;
        let row = &self.rows[index];
        let Some(game) = row.stepper() else {
            return Ok(());
        };
        let decision = game.decisions().first();
        let last = usize::try_from(out.players[index]).unwrap_or(0);
        let own = row.table.iter().position(Option::is_none).unwrap_or(0);
        let player = match decision {
            Some(decision) => decision.player,
            None if self.kit.seating.has_bots() => Player::from_index(own),
            None => Player::from_index(last.min(sizes.rewards - 1)),
        };
        out.players[index] = i32::from(player.0);
        let encoding = &self.encoding;
        let view = game.view(player);
        if self.plan.features {
            let row = &mut out.features[index * sizes.features..][..sizes.features];
            encoding.features.write(&encoding.layout, &view, row);
        } else {
            let land = &mut out.territories[index * sizes.territories..][..sizes.territories];
            let rest = &mut out.globals[index * sizes.globals..][..sizes.globals];
            let written = encoding.layout.write(&view, land, rest);
            written.map_err(wrong)?;
        }
        let mask = &mut out.mask[index * sizes.mask..][..sizes.mask];
        let Some(decision) = decision.filter(|_| !row.over) else {
            only_first(mask);
            return Ok(());
        };
        let options = &decision.options;
        let masked = match &encoding.flat {
            Some(flat) => {
                let marked = &mut self.marked[index];
                flat.mask(&encoding.factors, options, (mask, marked))
            }
            None => encoding.factors.mask(options, &[], mask),
        };
        masked.map_err(wrong)
    }

    /// Checks the actions of a step, and keeps them for [`Self::step`]. Nothing else changes.
    pub(super) fn check(&mut self, actions: &[i32]) -> PyResult<()> {
        self.check_intact()?;
        for index in 0..self.rows.len() {
            self.checked[index] = None;
            if self.rows[index].over {
                continue;
            }
            let action = self.read(index, actions)?;
            self.checked[index] = Some(action.map_err(|text| illegal(self.first + index, &text))?);
        }
        Ok(())
    }

    /// Returns the action of a game that is not over, or the reason why it is not legal.
    fn read(&self, index: usize, actions: &[i32]) -> PyResult<Result<Action, String>> {
        let each = self.factors;
        let numbers = &actions[index * each..][..each];
        if let Some(drawn) = self.drawn[index]
            && self.numbers[index * each..].starts_with(numbers)
        {
            return Ok(Ok(drawn));
        }
        let decision = self.rows[index].decision(self.first + index)?;
        let options = &decision.options;
        let marked = self.encoding.flat.as_ref();
        let marked = marked.and_then(|it| it.marked(options, &self.marked[index], numbers[0]));
        Ok(marked.map_or_else(|| self.encoding.read(options, numbers), Ok))
    }

    /// Steps every game. The actions must have been checked, or drawn as samples, unless an
    /// illegal action ends its game.
    pub(super) fn step(&mut self, actions: &[i32], mut out: OutputRows<'_>) -> PyResult<()> {
        self.check_intact()?;
        for index in 0..self.rows.len() {
            out.clear(index, &self.sizes);
            let checked = self.checked[index].take();
            if self.rows[index].over {
                self.rows[index].number += self.plan.games as u64;
                self.begin(index)?;
                self.check_opponents(index)?;
            } else {
                let action = match checked {
                    Some(action) => Ok(action),
                    None => self.read(index, actions)?,
                };
                self.play(index, action, &mut out)?;
            }
            self.drawn[index] = None;
            self.check_interrupt()?;
            self.write(index, &mut out)?;
        }
        Ok(())
    }

    /// Performs a step of a game that is not over.
    fn play(
        &mut self,
        index: usize,
        action: Result<Action, String>,
        out: &mut OutputRows<'_>,
    ) -> PyResult<()> {
        let row = &mut self.rows[index];
        let player = row.decision(self.first + index)?.player;
        out.players[index] = i32::from(player.0);
        let stepped = match action {
            Ok(action) => row.apply(&self.kit, player, action)?,
            Err(text) => Err(text),
        };
        let players = self.sizes.rewards;
        let rewards = &mut out.rewards[index * players..][..players];
        if let Err(text) = stepped {
            if !self.plan.illegal_ends {
                return Err(illegal(self.first + index, &text));
            }
            rewards[player.index()] = -1.0;
            out.terminated[index] = true;
            row.over = true;
            return Ok(());
        }
        let is_truncated = self.check_opponents(index)?;
        let row = &mut self.rows[index];
        if is_truncated {
            out.truncated[index] = true;
            row.over = true;
        } else if let Some(outcome) = row.stepper().and_then(Stepper::outcome) {
            for (seat, reward) in rewards.iter_mut().enumerate() {
                *reward = reward::of(outcome, seat);
            }
            let is_truncated = reward::is_truncated(outcome);
            out.truncated[index] = is_truncated;
            out.terminated[index] = !is_truncated;
            row.over = true;
        } else if row.steps >= self.plan.max_steps {
            out.truncated[index] = true;
            row.over = true;
        }
        Ok(())
    }

    /// Draws a legal action for each game, and writes zeros for games that are over.
    pub(super) fn sample(&mut self, numbers: &mut [i32]) -> PyResult<()> {
        self.check_intact()?;
        let each = self.factors;
        let mut factors = vec![0; self.encoding.factors.columns.len()];
        numbers.fill(0);
        for (index, row) in self.rows.iter().enumerate() {
            self.drawn[index] = None;
            let Some(decision) = row.open_decision() else {
                continue;
            };
            let (encoding, options) = (&self.encoding, &decision.options);
            let stream = &mut self.samplers[index];
            let below = |count| Ok(stream.below(count));
            let mut drawn = encoding.factors.draw(options, &mut factors, below)?;
            let out = &mut self.numbers[index * each..][..each];
            match &encoding.flat {
                None => out.copy_from_slice(&factors),
                Some(flat) => {
                    out[0] = match flat.index(&factors) {
                        Some(number) => number as i32,
                        // The action is not over a border. Another one is drawn in its place, so
                        // that all of them are equally likely.
                        None => {
                            drawn = None;
                            let below = |count| stream.below(count);
                            let number = flat.draw(&encoding.factors, options, below);
                            number.map_err(wrong)? as i32
                        }
                    }
                }
            }
            self.drawn[index] = drawn;
            numbers[index * each..][..each].copy_from_slice(out);
        }
        Ok(())
    }

    /// Marks the values that may follow these factors in each game.
    pub(super) fn masks(
        &self,
        given: &[i32],
        columns: usize,
        mask: &mut [bool],
        size: usize,
    ) -> PyResult<()> {
        let column = self.encoding.factors.columns.get(columns);
        if column.is_none_or(|column| column.size != size) {
            return Err(wrong(format!("no factor {columns} with {size} values")));
        }
        mask.fill(false);
        for (index, row) in self.rows.iter().enumerate() {
            let mask = &mut mask[index * size..][..size];
            let Some(decision) = row.open_decision() else {
                only_first(mask);
                continue;
            };
            let given = &given[index * columns..][..columns];
            let masked = self.encoding.factors.mask(&decision.options, given, mask);
            masked.map_err(|text| illegal(self.first + index, &text))?;
        }
        Ok(())
    }
}

/// Marks the action of a game that has ended: any is ignored, and a policy that draws by masks
/// needs one.
fn only_first(mask: &mut [bool]) {
    mask.fill(false);
    if let Some(first) = mask.first_mut() {
        *first = true;
    }
}

impl LaneRow {
    fn stepper(&self) -> Option<&Stepper> {
        match &self.play {
            LaneGame::Alone(stepper) => Some(stepper),
            LaneGame::Mixed(game) => Some(game),
            LaneGame::Nothing => None,
        }
    }

    fn digest(&self) -> Option<String> {
        let game = self.stepper()?.game();
        Some(risk_engine::record::hex(game.digest()))
    }

    /// Returns the decision of the game unless it is over.
    fn open_decision(&self) -> Option<&Decision> {
        let game = self.stepper().filter(|_| !self.over)?;
        game.decisions().first()
    }

    /// Returns the decision of a game that is not over. `number` is the number of its row.
    fn decision(&self, number: usize) -> PyResult<&Decision> {
        let decision = self.open_decision();
        decision.ok_or_else(|| wrong(format!("game {number}: a bot stopped the game")))
    }

    /// Applies an action. A refusal is returned as the inner error.
    fn apply(&mut self, kit: &Kit, player: Player, action: Action) -> PyResult<Result<(), String>> {
        let mut rules = kit.rules()?;
        let stepped = match &mut self.play {
            LaneGame::Alone(stepper) => stepper.apply(&mut *rules, player, action),
            LaneGame::Mixed(game) => game.apply(&mut *rules, player, action),
            LaneGame::Nothing => return Ok(Err("no game is running".to_owned())),
        };
        match stepped {
            Ok(()) => {
                self.steps += 1;
                Ok(Ok(()))
            }
            Err(StepError::Refused(text)) => Ok(Err(text)),
            Err(StepError::Rules(fault)) => Err(errors::rules(&fault)),
        }
    }
}

/// Returns the exception for a refused action of a game.
fn illegal(game: usize, text: &str) -> PyErr {
    IllegalAction::new_err(format!("game {game}: {text}"))
}
