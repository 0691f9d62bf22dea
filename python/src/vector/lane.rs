//! The games of one thread.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use pyo3::{PyErr, PyResult};
use risk_engine::Seed;
use risk_engine::{
    Action, HostedBot, HostedSeats, MixedGame, Options, Player, Purpose, StepError, Stepper,
    StepperSettings, Stream,
};

use super::illegal;
use crate::encoding::Encoding;
use crate::errors::{self, wrong};
use crate::kit::GameSeed;
use crate::kit::{self, Kit, LoadedSpec, Spec};

#[derive(Clone)]
pub(crate) struct LaneConfig {
    pub(crate) spec: Spec,
    pub(crate) bots: Vec<Option<String>>,
    pub(crate) seed: Seed,
    pub(crate) games: usize,
    pub(crate) buckets: Option<Vec<u64>>,
    /// The capacities of observations for cards and for orders.
    pub(crate) room: (Option<usize>, Option<usize>),
    pub(crate) flat: bool,
    /// The maximum number of steps in a game before it is truncated.
    pub(crate) max_steps: u32,
    /// Whether an illegal action ends its game. If not, it raises an exception.
    pub(crate) illegal_ends: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) territories: usize,
    pub(crate) globals: usize,
    pub(crate) players: usize,
    /// The number of factors in an action.
    pub(crate) factors: usize,
    pub(crate) mask: usize,
}

/// Buffers with one row for each of the lane's games.
pub(crate) struct OutputRows<'a> {
    pub(crate) territories: &'a mut [i32],
    pub(crate) globals: &'a mut [i32],
    pub(crate) rewards: &'a mut [f32],
    pub(crate) terminated: &'a mut [bool],
    pub(crate) truncated: &'a mut [bool],
    pub(crate) players: &'a mut [i32],
    pub(crate) mask: &'a mut [bool],
}

impl OutputRows<'_> {
    fn clear(&mut self) {
        self.rewards.fill(0.0);
        self.terminated.fill(false);
        self.truncated.fill(false);
    }
}

enum LaneGame {
    Alone(Stepper),
    Mixed(MixedGame<HostedSeats>),
    Nothing,
}

/// One game of the vector, and its state between steps.
struct LaneRow {
    play: LaneGame,
    number: u64,
    steps: u32,
    /// Whether the game is over or truncated. The next step sets up another game.
    over: bool,
}

pub(crate) struct Lane {
    kit: Arc<Kit>,
    encoding: Encoding,
    sizes: Sizes,
    plan: LaneConfig,
    seats: Vec<bool>,
    seed: Seed,
    first: usize,
    rows: Vec<LaneRow>,
    /// One sampler per row, so samples do not depend on the number of threads.
    samplers: Vec<Stream>,
    /// The last sampled actions, by row. If the next step receives the same numbers, they need no
    /// decoding.
    drawn: Vec<Option<Action>>,
    numbers: Vec<i32>,
}

thread_local!(static LANE: RefCell<Option<Lane>> = const { RefCell::new(None) });

pub(super) fn keep(lane: Lane) {
    LANE.set(Some(lane));
}

/// Calls `work` with the lane of this thread. The lane is lost if the work panics.
pub(super) fn with<R>(work: impl FnOnce(&mut Lane) -> PyResult<R>) -> PyResult<R> {
    let mut lane = LANE.take().ok_or_else(failed)?;
    let done = catch_unwind(AssertUnwindSafe(|| work(&mut lane))).map_err(|_| failed())?;
    LANE.set(Some(lane));
    done
}

pub(super) fn failed() -> PyErr {
    wrong("a game thread failed")
}

impl Lane {
    fn kit(plan: &LaneConfig, loaded: &LoadedSpec) -> PyResult<(Arc<Kit>, Vec<bool>)> {
        let players = loaded.players;
        if plan.bots.len() > players {
            return Err(wrong(format!(
                "expected at most {players} bots, found {}",
                plan.bots.len()
            )));
        }
        let seats: Vec<Option<String>> = (0..players)
            .map(|seat| plan.bots.get(seat).cloned().flatten())
            .collect();
        if seats.iter().all(Option::is_some) {
            return Err(wrong(
                "every seat has a bot: leave at least one seat without a bot",
            ));
        }
        let kit = Kit::new(loaded.clone().setup(kit::specs(&seats)?, None)?)?;
        Ok((kit, seats.iter().map(Option::is_some).collect()))
    }

    fn encoding(plan: &LaneConfig, kit: &Kit) -> PyResult<Encoding> {
        Encoding::of(
            &kit.names,
            kit.players(),
            plan.buckets.as_deref(),
            plan.room,
            plan.flat,
        )
    }

    pub(super) fn sizes(plan: &LaneConfig, loaded: &LoadedSpec) -> PyResult<Sizes> {
        let (kit, seats) = Self::kit(plan, loaded)?;
        for (spec, _) in kit
            .setup
            .bots
            .iter()
            .zip(&seats)
            .filter(|(_, is_bot)| **is_bot)
        {
            kit.bot(spec)?;
        }
        let encoding = Self::encoding(plan, &kit)?;
        let verbs = encoding.factors.columns[0].size;
        Ok(Sizes {
            territories: encoding.layout.rows() * encoding.layout.columns(),
            globals: encoding.layout.globals,
            players: loaded.players,
            factors: if plan.flat {
                1
            } else {
                encoding.factors.columns.len()
            },
            mask: encoding.flat.as_ref().map_or(verbs, |flat| flat.len),
        })
    }

    pub(super) fn new(
        plan: &LaneConfig,
        loaded: &LoadedSpec,
        (first, count): (usize, usize),
    ) -> PyResult<Self> {
        let sizes = Self::sizes(plan, loaded)?;
        let (kit, seats) = Self::kit(plan, loaded)?;
        let encoding = Self::encoding(plan, &kit)?;
        let mut lane = Self {
            kit,
            encoding,
            sizes,
            plan: plan.clone(),
            seats,
            seed: plan.seed.clone(),
            first,
            rows: Vec::new(),
            samplers: Vec::new(),
            drawn: vec![None; count],
            numbers: vec![0; count * sizes.factors],
        };
        for row in 0..count {
            lane.rows.push(LaneRow {
                play: LaneGame::Nothing,
                number: (first + row) as u64,
                steps: 0,
                over: true,
            });
        }
        lane.draw_samplers(|row| plan.seed.key(row).stream(Purpose::Player(31)));
        Ok(lane)
    }

    pub(super) fn seed_samplers(&mut self, seed: u64) {
        self.draw_samplers(|row| Stream::new(seed, row, Purpose::Player(31)));
    }

    fn draw_samplers(&mut self, of_row: impl Fn(u64) -> Stream) {
        let numbers = self.first..self.first + self.rows.len();
        self.samplers = numbers.map(|row| of_row(row as u64)).collect();
    }

    /// Writes the digests of the games. Rows without a game are skipped.
    pub(super) fn digests(&self, texts: &mut [String]) {
        for (row, text) in self.rows.iter().zip(texts) {
            if let Some(game) = row.stepper() {
                *text = risk_engine::record::hex(game.game().digest());
            }
        }
    }

    /// Sets up all games: the first games of the seed if there is one, or else the next games.
    pub(super) fn reset(&mut self, seed: Option<&Seed>, mut out: OutputRows<'_>) -> PyResult<()> {
        if let Some(seed) = seed {
            self.seed.clone_from(seed);
        }
        out.clear();
        self.drawn.fill(None);
        for index in 0..self.rows.len() {
            if seed.is_some() {
                self.rows[index].number = (self.first + index) as u64;
            } else if !matches!(self.rows[index].play, LaneGame::Nothing) {
                self.rows[index].number += self.plan.games as u64;
            }
            self.begin(index)?;
            self.write(index, &mut out)?;
        }
        Ok(())
    }

    fn begin(&mut self, index: usize) -> PyResult<()> {
        let seed = GameSeed {
            seed: self.seed.clone(),
            number: self.rows[index].number,
        };
        let begun = self.kit.begin(&seed);
        let settings = StepperSettings {
            limits: Kit::limits(),
            asks_optional: false,
            plans: false,
            listens: false,
        };
        if self.seats.contains(&true) {
            let bots = match std::mem::replace(&mut self.rows[index].play, LaneGame::Nothing) {
                LaneGame::Mixed(game) => game.into_bots().into_inner(),
                _ => self.bots()?,
            };
            let bots = HostedSeats::new(bots, &self.kit.setup.names());
            let mut rules = self.kit.rules()?;
            let game = MixedGame::new(begun, seed.key(), &mut *rules, bots, settings)
                .map_err(|fault| errors::rules(&fault))?;
            self.rows[index].play = LaneGame::Mixed(game);
        } else {
            let mut rules = self.kit.rules()?;
            let game = Stepper::new(begun, &mut *rules, settings)
                .map_err(|fault| errors::rules(&fault))?;
            self.rows[index].play = LaneGame::Alone(game);
        }
        let row = &mut self.rows[index];
        row.steps = 0;
        row.over = row.stepper().is_none_or(|game| game.outcome().is_some());
        Ok(())
    }

    fn bots(&self) -> PyResult<Vec<Option<Box<dyn HostedBot>>>> {
        let seats = self.seats.iter().zip(&self.kit.setup.bots);
        seats
            .map(|(&is_bot, spec)| is_bot.then(|| self.kit.bot(spec)).transpose())
            .collect()
    }

    /// Writes the view of the next player to decide, or a view of the end of the game.
    fn write(&self, index: usize, out: &mut OutputRows<'_>) -> PyResult<()> {
        let sizes = self.sizes;
        let row = &self.rows[index];
        let Some(game) = row.stepper() else {
            return Ok(());
        };
        let decision = game.decisions().first();
        let last = usize::try_from(out.players[index]).unwrap_or(0);
        let own = self.seats.iter().position(|is_bot| !is_bot).unwrap_or(0);
        let player = match decision {
            Some(decision) => decision.player,
            None if self.seats.contains(&true) => Player::from_index(own),
            None => Player::from_index(last.min(sizes.players - 1)),
        };
        out.players[index] = i32::from(player.0);
        let land = &mut out.territories[index * sizes.territories..][..sizes.territories];
        let rest = &mut out.globals[index * sizes.globals..][..sizes.globals];
        self.encoding
            .layout
            .write(&game.view(player), land, rest)
            .map_err(wrong)?;
        let mask = &mut out.mask[index * sizes.mask..][..sizes.mask];
        let none = Options::new();
        let options = decision
            .filter(|_| !row.over)
            .map_or(&none, |decision| &decision.options);
        match &self.encoding.flat {
            Some(flat) => flat
                .mask(&self.encoding.factors, options, mask)
                .map_err(wrong),
            None => self
                .encoding
                .factors
                .mask(options, &[], mask)
                .map_err(wrong),
        }
    }

    pub(super) fn step(&mut self, actions: &[i32], mut out: OutputRows<'_>) -> PyResult<()> {
        out.clear();
        let each = self.sizes.factors;
        let mut refused = None;
        for index in 0..self.rows.len() {
            if self.rows[index].over {
                self.rows[index].number += self.plan.games as u64;
                self.begin(index)?;
            } else if let Err(error) = self.play(index, &actions[index * each..][..each], &mut out)
            {
                refused.get_or_insert(error);
            }
            self.drawn[index] = None;
            self.write(index, &mut out)?;
        }
        refused.map_or(Ok(()), Err)
    }

    /// Performs a step of a game that is not over.
    fn play(&mut self, index: usize, action: &[i32], out: &mut OutputRows<'_>) -> PyResult<()> {
        let row = &mut self.rows[index];
        let Some(decision) = row.stepper().and_then(|game| game.decisions().first()) else {
            return Err(wrong(format!(
                "game {}: a bot stopped the game",
                self.first + index
            )));
        };
        let player = decision.player;
        out.players[index] = i32::from(player.0);
        let drawn =
            self.drawn[index].filter(|_| self.numbers[index * action.len()..].starts_with(action));
        let said = drawn.map_or_else(|| read(&self.encoding, &decision.options, action), Ok);
        let stepped = match said {
            Ok(action) => row.apply(&self.kit, player, action)?,
            Err(text) => Err(text),
        };
        let players = self.sizes.players;
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
        row.steps += 1;
        if let Some(outcome) = row.stepper().and_then(Stepper::outcome) {
            for (seat, reward) in rewards.iter_mut().enumerate() {
                *reward = crate::reward::of(outcome, seat);
            }
            out.terminated[index] = true;
            row.over = true;
        } else if row.steps >= self.plan.max_steps {
            out.truncated[index] = true;
            row.over = true;
        }
        Ok(())
    }

    /// Draws a legal action for each game, and writes zeros for games that are over.
    pub(super) fn sample(&mut self, numbers: &mut [i32]) -> PyResult<()> {
        let each = self.sizes.factors;
        let mut factors = vec![0; self.encoding.factors.columns.len()];
        numbers.fill(0);
        for (index, row) in self.rows.iter().enumerate() {
            self.drawn[index] = None;
            let decision = row.stepper().and_then(|game| game.decisions().first());
            let Some(decision) = decision.filter(|_| !row.over) else {
                continue;
            };
            let stream = &mut self.samplers[index];
            let options = &decision.options;
            let action = options.nth(stream.below(options.len()));
            let encoding = &self.encoding;
            if encoding
                .factors
                .encode(options, action, &mut factors)
                .is_some()
            {
                self.drawn[index] = Some(action);
            } else {
                walk(encoding, options, stream, &mut factors).map_err(wrong)?;
            }
            let out = &mut self.numbers[index * each..][..each];
            match &self.encoding.flat {
                None => out.copy_from_slice(&factors),
                Some(flat) => {
                    let index = flat
                        .index(&factors)
                        .ok_or_else(|| wrong("an action is missing from the flat table"))?;
                    out[0] = index as i32;
                }
            }
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
            let decision = row.stepper().and_then(|game| game.decisions().first());
            let Some(decision) = decision.filter(|_| !row.over) else {
                continue;
            };
            let given = &given[index * columns..][..columns];
            let mask = &mut mask[index * size..][..size];
            let masked = self.encoding.factors.mask(&decision.options, given, mask);
            masked.map_err(|text| illegal(self.first + index, &text))?;
        }
        Ok(())
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

    /// Applies an action. A refusal is returned as the inner error.
    fn apply(&mut self, kit: &Kit, player: Player, action: Action) -> PyResult<Result<(), String>> {
        let mut rules = kit.rules()?;
        let stepped = match &mut self.play {
            LaneGame::Alone(stepper) => stepper.apply(&mut *rules, player, action),
            LaneGame::Mixed(game) => game.apply(&mut *rules, player, action),
            LaneGame::Nothing => return Ok(Err("no game is running".to_owned())),
        };
        match stepped {
            Ok(()) => Ok(Ok(())),
            Err(StepError::Refused(text)) => Ok(Err(text)),
            Err(StepError::Rules(fault)) => Err(errors::rules(&fault)),
        }
    }
}

/// Decodes the action of a row.
fn read(encoding: &Encoding, options: &Options, numbers: &[i32]) -> Result<Action, String> {
    let Some(flat) = &encoding.flat else {
        return encoding.factors.decode(options, numbers);
    };
    let mut factors = vec![0; encoding.factors.columns.len()];
    let number = numbers
        .first()
        .and_then(|&number| usize::try_from(number).ok());
    number
        .and_then(|number| flat.factors(number, &mut factors))
        .ok_or_else(|| "no such entry in the flat table".to_owned())?;
    encoding.factors.decode(options, &factors)
}

/// Draws an action factor by factor, for amounts without their own bucket.
fn walk(
    encoding: &Encoding,
    options: &Options,
    stream: &mut Stream,
    factors: &mut [i32],
) -> Result<(), String> {
    for column in 0..factors.len() {
        let mut mask = vec![false; encoding.factors.columns[column].size];
        encoding
            .factors
            .mask(options, &factors[..column], &mut mask)?;
        let open: Vec<usize> = (0..mask.len()).filter(|&digit| mask[digit]).collect();
        if open.is_empty() {
            return Err("no value is legal for the next factor".to_owned());
        }
        factors[column] = open[stream.below(open.len() as u64) as usize] as i32;
    }
    Ok(())
}
