//! One thread's games.

use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender};

use pyo3::{PyErr, PyResult};
use risk_cli::{
    Action, Bot, GameSeed, MixedGame, Options, Player, Purpose, RuleSetup, StepError, Stepper,
    StepperSettings, Stream,
};

use super::{failed, illegal};
use crate::encoding::Encoding;
use crate::errors::wrong;
use crate::kit::{self, Kit, Spec};

/// What is played in all rows.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) spec: Spec,
    pub(crate) bots: Vec<Option<String>>,
    pub(crate) seed: u64,
    pub(crate) games: usize,
    pub(crate) buckets: Option<Vec<u64>>,
    /// Cards and orders that observations have room for.
    pub(crate) room: (Option<usize>, Option<usize>),
    pub(crate) flat: bool,
    /// Steps after which a game is cut off.
    pub(crate) max_steps: u32,
    /// Does an illegal action end its game? Otherwise it is an exception.
    pub(crate) illegal_ends: bool,
}

/// How much there is in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) territories: usize,
    pub(crate) globals: usize,
    pub(crate) players: usize,
    /// Numbers of an action.
    pub(crate) factors: usize,
    pub(crate) mask: usize,
}

/// What a thread is to do.
pub(crate) enum Order {
    /// Sets all games up, under a seed.
    Reset(Option<u64>),
    /// A step of every game.
    Step(Vec<i32>),
    /// A legal action for each game.
    Sample,
    SeedSampler(u64),
    /// What may follow these factors.
    Masks {
        given: Vec<i32>,
        columns: usize,
        size: usize,
    },
    Digests,
    /// The memory of the last reply, to be used again.
    TakeBack(Batch),
}

pub(crate) enum Reply {
    Done(Batch),
    Failed(PyErr),
}

/// Rows of a thread's games.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) territories: Vec<i32>,
    pub(crate) globals: Vec<i32>,
    pub(crate) rewards: Vec<f32>,
    pub(crate) terminated: Vec<bool>,
    pub(crate) truncated: Vec<bool>,
    pub(crate) players: Vec<i32>,
    pub(crate) mask: Vec<bool>,
    pub(crate) actions: Vec<i32>,
    pub(crate) masks: Vec<bool>,
    pub(crate) texts: Vec<String>,
}

enum Play {
    Alone(Stepper),
    Mixed(MixedGame),
    /// Between two games.
    Nothing,
}

/// One game of the vector, and what it needs from step to step.
struct Row {
    play: Play,
    number: u64,
    steps: u32,
    /// Is the game over, or cut off? The next step sets up another.
    over: bool,
}

pub(crate) struct Lane {
    kit: Rc<Kit>,
    encoding: Encoding,
    sizes: Sizes,
    plan: Plan,
    seats: Vec<bool>,
    seed: u64,
    first: usize,
    rows: Vec<Row>,
    /// One for each row, so that draws do not hang on how many threads there are.
    samplers: Vec<Stream>,
    /// Has anybody asked for samples? Then they are drawn with each step.
    draws_ahead: bool,
    batch: Batch,
}

impl Lane {
    fn kit(plan: &Plan, rules: RuleSetup, players: usize) -> PyResult<(Rc<Kit>, Vec<bool>)> {
        if plan.bots.len() > players {
            return Err(wrong(format!(
                "{} bots are given for {players} players",
                plan.bots.len()
            )));
        }
        let seats: Vec<Option<String>> = (0..players)
            .map(|seat| plan.bots.get(seat).cloned().flatten())
            .collect();
        if seats.iter().all(Option::is_some) {
            return Err(wrong("all seats have bots: leave at least one to yourself"));
        }
        let kit = Kit::new(rules, kit::specs(&seats)?, None)?;
        Ok((kit, seats.iter().map(Option::is_some).collect()))
    }

    fn encoding(plan: &Plan, kit: &Kit) -> PyResult<Encoding> {
        Encoding::of(
            &kit.names,
            kit.players(),
            plan.buckets.as_deref(),
            plan.room,
            plan.flat,
        )
    }

    /// How much a row holds.
    pub(super) fn sizes(plan: &Plan, rules: &RuleSetup, players: usize) -> PyResult<Sizes> {
        let (kit, seats) = Self::kit(plan, rules.clone(), players)?;
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
            players,
            factors: if plan.flat {
                1
            } else {
                encoding.factors.columns.len()
            },
            mask: encoding.flat.as_ref().map_or(verbs, |flat| flat.len),
        })
    }

    pub(super) fn new(
        plan: &Plan,
        rules: RuleSetup,
        players: usize,
        (first, count): (usize, usize),
    ) -> PyResult<Self> {
        let sizes = Self::sizes(plan, &rules, players)?;
        let (kit, seats) = Self::kit(plan, rules, players)?;
        let encoding = Self::encoding(plan, &kit)?;
        let mut lane = Self {
            kit,
            encoding,
            sizes,
            plan: plan.clone(),
            seats,
            seed: plan.seed,
            first,
            rows: Vec::new(),
            samplers: Vec::new(),
            draws_ahead: false,
            batch: Batch::default(),
        };
        for row in 0..count {
            lane.rows.push(Row {
                play: Play::Nothing,
                number: (first + row) as u64,
                steps: 0,
                over: true,
            });
        }
        lane.seed_samplers(plan.seed);
        Ok(lane)
    }

    fn seed_samplers(&mut self, seed: u64) {
        let numbers = self.first..self.first + self.rows.len();
        self.samplers = numbers
            .map(|row| Stream::new(seed, row as u64, Purpose::Player(31)))
            .collect();
    }

    /// Does what it is told, until nobody tells it anything more.
    pub(super) fn run(mut self, orders: &Receiver<Order>, replies: &Sender<Reply>) {
        while let Ok(order) = orders.recv() {
            if let Order::TakeBack(batch) = order {
                self.batch = batch;
                continue;
            }
            let done = self.obey(order);
            let reply = done.map_or_else(Reply::Failed, |()| {
                Reply::Done(std::mem::take(&mut self.batch))
            });
            if replies.send(reply).is_err() {
                return;
            }
        }
    }

    fn obey(&mut self, order: Order) -> PyResult<()> {
        match order {
            Order::Reset(seed) => self.reset(seed),
            Order::Step(actions) => {
                self.step(&actions)?;
                if self.draws_ahead {
                    self.sample()
                } else {
                    Ok(())
                }
            }
            Order::Sample => {
                self.draws_ahead = true;
                self.sample()
            }
            Order::SeedSampler(seed) => {
                self.seed_samplers(seed);
                Ok(())
            }
            Order::Masks {
                given,
                columns,
                size,
            } => self.masks(&given, columns, size),
            Order::Digests => {
                let rows = self.rows.iter();
                self.batch.texts = rows
                    .map(|row| {
                        row.stepper().map_or_else(String::new, |game| {
                            risk_cli::record::hex(game.game().digest())
                        })
                    })
                    .collect();
                Ok(())
            }
            Order::TakeBack(batch) => {
                self.batch = batch;
                Ok(())
            }
        }
    }

    fn make_room(&mut self) {
        self.batch.actions.clear();
        let (rows, sizes) = (self.rows.len(), self.sizes);
        self.batch.territories.resize(rows * sizes.territories, 0);
        self.batch.globals.resize(rows * sizes.globals, 0);
        self.batch.rewards.clear();
        self.batch.rewards.resize(rows * sizes.players, 0.0);
        self.batch.terminated.clear();
        self.batch.terminated.resize(rows, false);
        self.batch.truncated.clear();
        self.batch.truncated.resize(rows, false);
        self.batch.players.resize(rows, 0);
        self.batch.mask.resize(rows * sizes.mask, false);
    }

    fn reset(&mut self, seed: Option<u64>) -> PyResult<()> {
        if let Some(seed) = seed {
            self.seed = seed;
        }
        self.make_room();
        for index in 0..self.rows.len() {
            if seed.is_some() {
                self.rows[index].number = (self.first + index) as u64;
            } else if !matches!(self.rows[index].play, Play::Nothing) {
                self.rows[index].number += self.plan.games as u64;
            }
            self.begin(index)?;
            self.write(index)?;
        }
        Ok(())
    }

    /// Sets the game of a row up.
    fn begin(&mut self, index: usize) -> PyResult<()> {
        let seed = GameSeed {
            seed: self.seed,
            number: self.rows[index].number,
        };
        let empty = self.kit.empty(seed.seed, seed.number);
        let settings = StepperSettings {
            limits: Kit::limits(),
            asks_optional: false,
            plans: false,
            listens: false,
        };
        let mut rules = self.kit.rules()?;
        if self.seats.contains(&true) {
            let mut bots = match std::mem::replace(&mut self.rows[index].play, Play::Nothing) {
                Play::Mixed(game) => game.into_bots(),
                _ => self.bots()?,
            };
            meet(&self.kit, &mut bots);
            let game = MixedGame::new(empty, seed, &mut *rules, bots, settings)
                .map_err(|fault| failed(&fault))?;
            self.rows[index].play = Play::Mixed(game);
        } else {
            let game =
                Stepper::new(empty, &mut *rules, settings).map_err(|fault| failed(&fault))?;
            self.rows[index].play = Play::Alone(game);
        }
        let row = &mut self.rows[index];
        row.steps = 0;
        row.over = row.stepper().is_none_or(|game| game.outcome().is_some());
        Ok(())
    }

    fn bots(&self) -> PyResult<Vec<Option<Box<dyn Bot>>>> {
        let seats = self.seats.iter().zip(&self.kit.setup.bots);
        seats
            .map(|(&is_bot, spec)| is_bot.then(|| self.kit.bot(spec)).transpose())
            .collect()
    }

    /// Writes what whoever decides next in a row sees, or what everybody may see of its end.
    fn write(&mut self, index: usize) -> PyResult<()> {
        let sizes = self.sizes;
        let row = &self.rows[index];
        let Some(game) = row.stepper() else {
            return Ok(());
        };
        let decision = game.decisions().first();
        let last = usize::try_from(self.batch.players[index]).unwrap_or(0);
        let own = self.seats.iter().position(|is_bot| !is_bot).unwrap_or(0);
        let player = match decision {
            Some(decision) => decision.player,
            None if self.seats.contains(&true) => Player::from_index(own),
            None => Player::from_index(last.min(sizes.players - 1)),
        };
        self.batch.players[index] = i32::from(player.0);
        let land = &mut self.batch.territories[index * sizes.territories..][..sizes.territories];
        let rest = &mut self.batch.globals[index * sizes.globals..][..sizes.globals];
        self.encoding
            .layout
            .write(&game.view(player), land, rest)
            .map_err(wrong)?;
        let mask = &mut self.batch.mask[index * sizes.mask..][..sizes.mask];
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

    fn step(&mut self, actions: &[i32]) -> PyResult<()> {
        self.make_room();
        let each = self.sizes.factors;
        let mut refused = None;
        for index in 0..self.rows.len() {
            if self.rows[index].over {
                self.rows[index].number += self.plan.games as u64;
                self.begin(index)?;
            } else if let Err(error) = self.play(index, &actions[index * each..][..each]) {
                refused.get_or_insert(error);
            }
            self.write(index)?;
        }
        refused.map_or(Ok(()), Err)
    }

    /// One step of a game that goes on.
    fn play(&mut self, index: usize, action: &[i32]) -> PyResult<()> {
        let row = &mut self.rows[index];
        let Some(decision) = row.stepper().and_then(|game| game.decisions().first()) else {
            return Err(wrong(format!(
                "game {}: a bot has stopped it",
                self.first + index
            )));
        };
        let player = decision.player;
        self.batch.players[index] = i32::from(player.0);
        let said = read(&self.encoding, &decision.options, action);
        let stepped = match said {
            Ok(action) => row.apply(&self.kit, player, action)?,
            Err(text) => Err(text),
        };
        let players = self.sizes.players;
        let rewards = &mut self.batch.rewards[index * players..][..players];
        if let Err(text) = stepped {
            if !self.plan.illegal_ends {
                return Err(illegal(self.first + index, &text));
            }
            rewards[player.index()] = -1.0;
            self.batch.terminated[index] = true;
            row.over = true;
            return Ok(());
        }
        row.steps += 1;
        if let Some(outcome) = row.stepper().and_then(Stepper::outcome) {
            for (seat, reward) in rewards.iter_mut().enumerate() {
                *reward = crate::reward::of(outcome, seat);
            }
            self.batch.terminated[index] = true;
            row.over = true;
        } else if row.steps >= self.plan.max_steps {
            self.batch.truncated[index] = true;
            row.over = true;
        }
        Ok(())
    }

    fn sample(&mut self) -> PyResult<()> {
        let each = self.sizes.factors;
        let count = self.encoding.factors.columns.len();
        self.batch.actions.clear();
        self.batch.actions.resize(self.rows.len() * each, 0);
        let mut factors = vec![0; count];
        for (index, row) in self.rows.iter().enumerate() {
            let decision = row.stepper().and_then(|game| game.decisions().first());
            let Some(decision) = decision.filter(|_| !row.over) else {
                continue;
            };
            let stream = &mut self.samplers[index];
            let options = &decision.options;
            let action = options.nth(stream.below(options.len()));
            if self
                .encoding
                .factors
                .encode(options, action, &mut factors)
                .is_none()
            {
                walk(&self.encoding, options, stream, &mut factors).map_err(wrong)?;
            }
            let out = &mut self.batch.actions[index * each..][..each];
            match &self.encoding.flat {
                None => out.copy_from_slice(&factors),
                Some(flat) => {
                    let index = flat
                        .index(&factors)
                        .ok_or_else(|| wrong("an action is in no table"))?;
                    out[0] = index as i32;
                }
            }
        }
        Ok(())
    }

    fn masks(&mut self, given: &[i32], columns: usize, size: usize) -> PyResult<()> {
        let column = self.encoding.factors.columns.get(columns);
        if column.is_none_or(|column| column.size != size) {
            return Err(wrong(format!(
                "there is no factor behind {columns} others with {size} values"
            )));
        }
        self.batch.masks.clear();
        self.batch.masks.resize(self.rows.len() * size, false);
        for (index, row) in self.rows.iter().enumerate() {
            let decision = row.stepper().and_then(|game| game.decisions().first());
            let Some(decision) = decision.filter(|_| !row.over) else {
                continue;
            };
            let given = &given[index * columns..][..columns];
            let mask = &mut self.batch.masks[index * size..][..size];
            let masked = self.encoding.factors.mask(&decision.options, given, mask);
            masked.map_err(|text| illegal(self.first + index, &text))?;
        }
        Ok(())
    }
}

impl Row {
    fn stepper(&self) -> Option<&Stepper> {
        match &self.play {
            Play::Alone(stepper) => Some(stepper),
            Play::Mixed(game) => Some(game),
            Play::Nothing => None,
        }
    }

    /// Applies an action; a refusal is a result.
    fn apply(&mut self, kit: &Kit, player: Player, action: Action) -> PyResult<Result<(), String>> {
        let mut rules = kit.rules()?;
        let stepped = match &mut self.play {
            Play::Alone(stepper) => stepper.apply(&mut *rules, player, action),
            Play::Mixed(game) => game.apply(&mut *rules, player, action),
            Play::Nothing => return Ok(Err("there is no game".to_owned())),
        };
        match stepped {
            Ok(()) => Ok(Ok(())),
            Err(StepError::Refused(text)) => Ok(Err(text)),
            Err(StepError::Rules(fault)) => Err(failed(&fault)),
        }
    }
}

fn meet(kit: &Kit, bots: &mut [Option<Box<dyn Bot>>]) {
    let names: Vec<String> = kit.setup.bots.iter().map(|bot| bot.name.clone()).collect();
    for bot in bots.iter_mut().flatten() {
        bot.meet(&names);
    }
}

/// The action that a row's numbers say.
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
        .ok_or_else(|| "there is no such entry in the flat table".to_owned())?;
    encoding.factors.decode(options, &factors)
}

/// Draws factor by factor: for amounts that have no bucket of their own.
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
            return Err("nothing may follow these factors".to_owned());
        }
        factors[column] = open[stream.below(open.len() as u64) as usize] as i32;
    }
    Ok(())
}
