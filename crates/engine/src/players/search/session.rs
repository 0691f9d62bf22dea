//! One search for the best plan of a turn.

use std::cell::Cell;
use std::rc::Rc;

use super::Search;
use super::kept_plan::Step;
use super::light_policy::samples;
use super::planned_turn::{Notes, Plan, PlannedTurn};
use super::worth::Start;
use crate::players::halving::Halving;
use crate::players::turn_rollout::{AssignedPlan, World, still_playing};
use crate::script::{OwnWorth, RulesSource};
use rhai_guard::meter;
use risk_kernel::action::{Action, Options};
use risk_kernel::board::Board;
use risk_kernel::fault::{RuleFault, RuleResult};
use risk_kernel::view::{Facts, View};
use risk_kernel::{Rules, interrupt};

/// The limits on the number of sampled plans.
const LEAST_SAMPLES: u64 = 3;
const MOST_SAMPLES: u64 = 48;
/// The number of different worlds in which plans are sampled.
const SAMPLED_WORLDS: u64 = 4;
/// The maximum number of imagined worlds, and of all numbers in them, which is a limit on memory.
const MOST_WORLDS: usize = 300;
const MOST_CELLS: usize = 4_000_000;
/// The rounds in which one decision of the best plan is changed.
const CHANGES: u64 = 2;
/// The least number of trials for each candidate in each stage.
const TRIALS: u64 = 3;
/// The maximum number of candidates.
const MOST_CANDIDATES: u64 = 96;
/// The number of imagined games that a search needs for each round that they last. The first rounds
/// need fewer: in some games, nothing that matters happens in one round.
const GAMES_FOR_ROUND: u64 = 150;
const GAMES_FOR_FIRST: u64 = 30;
const FIRST_ROUNDS: u64 = 3;
const MOST_ROUNDS: u64 = 12;
/// An imagined game may use this part of a search's work. It is judged where it stops.
const LONGEST: u64 = 8;

/// The limits of a session.
#[derive(Clone, Copy)]
pub(super) struct SessionLimits {
    /// The work, in operations of scripts.
    pub(super) work: u64,
    /// The number of imagined games.
    pub(super) games: u64,
}

pub(super) struct Session<'a> {
    search: &'a mut Search,
    view: &'a View,
    limits: SessionLimits,
    /// Compares positions instead of the ruleset.
    own_worth: Option<&'a OwnWorth<'a>>,
    spent: u64,
    games: u64,
    worlds: Vec<World>,
    start: Option<Start>,
    /// The number of rounds after which play-outs end.
    rounds: u32,
}

/// One imagined game in which a plan is followed.
#[derive(Clone, Copy, Default)]
struct Trial {
    /// The number of the guess at what is hidden.
    world: usize,
    /// The seed of the decisions that the plan leaves open.
    seed: u64,
    /// The decision of the plan that is changed.
    change: Option<usize>,
    /// True to end the game with the turn, and to note the positions of the turn.
    notes_positions: bool,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        search: &'a mut Search,
        view: &'a View,
        limits: SessionLimits,
        own_worth: Option<&'a OwnWorth<'a>>,
    ) -> Self {
        let cost = search.work.cost();
        let mut session = Self {
            search,
            view,
            limits,
            own_worth,
            spent: 0,
            games: 0,
            worlds: Vec::new(),
            start: None,
            rounds: 1,
        };
        if cost > 0 {
            session.set_rounds(cost);
        }
        session
    }

    pub(super) const fn spent(&self) -> u64 {
        self.spent
    }

    /// Returns the work of one imagined round.
    pub(super) fn cost(&self) -> u64 {
        self.spent / self.games.max(1) / u64::from(self.rounds)
    }

    /// Lets imagined games last as many rounds as the allowed work permits. `cost` is the work of
    /// one round.
    fn set_rounds(&mut self, cost: u64) {
        let games = self.limits.work / cost.max(1);
        let first = (games / GAMES_FOR_FIRST).min(FIRST_ROUNDS);
        self.rounds = (games / GAMES_FOR_ROUND).max(first).clamp(1, MOST_ROUNDS) as u32;
    }

    /// Returns the number of imagined games that this much work allows.
    fn affordable(&self, work: u64) -> u64 {
        let by_work = work / (self.spent / self.games.max(1)).max(1);
        let SessionLimits { work: all, games } = self.limits;
        by_work.min(games.saturating_mul(work) / all.max(1))
    }

    /// Reports whether the session must end.
    fn is_over(&self) -> bool {
        let is_spent = self.spent >= self.limits.work || self.games >= self.limits.games;
        is_spent || interrupt::is_raised()
    }

    /// Searches for the best plan.
    pub(super) fn best_plan(&mut self, options: &Options) -> RuleResult<Plan> {
        let mut plans = self.sampled(options)?;
        let trials = self.affordable(self.limits.work / 2);
        plans.truncate(candidates(trials));
        let mut best = self.best_of(&plans, trials)?;
        for _ in 0..CHANGES {
            let rest = self.limits.work.saturating_sub(self.spent) / 2;
            let trials = self.affordable(rest);
            let others = candidates(trials).saturating_sub(1);
            if trials < 8 || self.is_over() {
                break;
            }
            let changed = self.changed(&best, others as u64)?;
            best = self.best_of(&changed, trials)?;
        }
        Ok(best)
    }

    /// Returns plans: the rest of the current plan, those of other bots, and sampled plans that
    /// begin with different actions.
    fn sampled(&mut self, options: &Options) -> RuleResult<Vec<Plan>> {
        let mut plans = Vec::new();
        let kept = self.search.kept.actions();
        if !kept.is_empty() {
            plans.push(Plan::Actions(kept.into()));
        }
        let mut guided = Vec::new();
        for guide in self.search.guides.clone() {
            let plan = Plan::Guide(guide);
            if self.search.are_guides_asked {
                guided.push(plan);
            } else {
                let (steps, _) = self.play(&plan, Trial::default())?;
                guided.push(actions(&steps));
            }
        }
        let mut guided = guided.into_iter();
        let mut firsts = samples(options, &mut self.search.rng, 2, 16);
        firsts.dedup();
        let mut number = 0;
        while number < MOST_SAMPLES {
            if number == LEAST_SAMPLES && self.search.work.cost() == 0 {
                self.set_rounds(self.cost());
            }
            let most = candidates(self.affordable(self.limits.work / 2)) as u64;
            // There is always a plan to follow.
            if number > 0 && (number >= LEAST_SAMPLES.max(most) || self.is_over()) {
                break;
            }
            let first = firsts[number as usize % firsts.len()];
            let seed = self.search.rng.word();
            let trial = Trial {
                world: (number % SAMPLED_WORLDS) as usize,
                seed,
                ..Trial::default()
            };
            let (steps, _) = self.play(&Plan::Actions([first].into()), trial)?;
            plans.push(actions(&steps));
            plans.extend(guided.next());
            number += 1;
        }
        Ok(plans)
    }

    /// Returns the plan, followed by the same plan with one decision changed.
    fn changed(&mut self, best: &Plan, others: u64) -> RuleResult<Vec<Plan>> {
        let mut plans = vec![best.clone()];
        let (steps, _) = self.play(best, Trial::default())?;
        let free: Vec<usize> = (0..steps.len()).filter(|&at| steps[at].is_free).collect();
        if free.is_empty() {
            // Nothing can be changed.
            return Ok(plans);
        }
        let known = actions(&steps);
        for number in 0..others {
            if self.is_over() {
                break;
            }
            let which = self.search.rng.below(free.len() as u64) as usize;
            let trial = Trial {
                world: (number % SAMPLED_WORLDS) as usize,
                seed: self.search.rng.word(),
                change: Some(free[which]),
                ..Trial::default()
            };
            let (steps, _) = self.play(&known, trial)?;
            plans.push(actions(&steps));
        }
        Ok(plans)
    }

    fn best_of(&mut self, plans: &[Plan], trials: u64) -> RuleResult<Plan> {
        let trials = u32::try_from(trials).unwrap_or(u32::MAX);
        let most_worlds =
            (MOST_CELLS / cells(self.view)).clamp(SAMPLED_WORLDS as usize, MOST_WORLDS);
        let mut halving = Halving::new(plans.len(), trials.max(plans.len() as u32));
        while let Some((which, number)) = halving.next() {
            if number >= most_worlds || self.is_over() {
                break;
            }
            let trial = Trial {
                world: number,
                ..Trial::default()
            };
            let (_, worths) = self.play(&plans[which], trial)?;
            halving.add(which, worths[self.view.me().index()]);
        }
        Ok(plans[halving.best(0.0)].clone())
    }

    /// Plays the plan's turn once more, in another world, to note the positions.
    pub(super) fn noted(&mut self, plan: &Plan) -> RuleResult<Vec<Step>> {
        let trial = Trial {
            world: self.worlds.len(),
            notes_positions: true,
            ..Trial::default()
        };
        Ok(self.play(plan, trial)?.0)
    }

    fn world(&mut self, number: usize) -> RuleResult<World> {
        while self.worlds.len() <= number {
            let seed = self.search.rng.word();
            let view = self.view;
            let game = ask(&self.search.rules, |rules| view.imagine(rules, seed))?;
            self.worlds.push(World { game, seed });
        }
        Ok(self.worlds[number].clone())
    }

    fn play(&mut self, plan: &Plan, trial: Trial) -> RuleResult<(Vec<Step>, Vec<f64>)> {
        let before = (meter::all_ended(), meter::left());
        let world = self.world(trial.world)?;
        if self.start.is_none() {
            let facts = Facts::new(world.game.clone());
            let own = self.own_worths(&facts)?;
            let start = ask(&self.search.rules, |rules| Start::new(&facts, own, rules))?;
            self.start = Some(start);
        }
        let notes = Notes::default();
        let bot = PlannedTurn {
            plan: plan.clone(),
            done: 0,
            change: trial.change,
            light: self.search.light.with_seed(world.seed ^ trial.seed),
            notes: Rc::clone(&notes),
            notes_positions: trial.notes_positions,
        };
        let assigned = AssignedPlan {
            player: self.view.me(),
            bot: Box::new(bot),
        };
        self.search.learned.borrow_mut().begin();
        let turns = if trial.notes_positions {
            1
        } else {
            self.rounds * still_playing(self.view)
        };
        let until = self.view.turn() + turns;
        let unit = work_of_decision(self.view.board());
        let most = self.limits.work / LONGEST;
        let work = Cell::new(unit + cells(self.view) as u64 / meter::WORK);
        let halts = || {
            work.set(work.get() + unit);
            work.get() + meter::all_ended().wrapping_sub(before.0) > most
        };
        let stage = &mut self.search.stage;
        let game = ask(&self.search.rules, |rules| {
            stage.play(assigned, world, rules, until, &halts)
        })?;
        let game = Facts::new(game);
        let mut worths = Vec::new();
        if !trial.notes_positions {
            let own = self.own_worths(&game)?;
            if let Some(start) = &self.start {
                worths = ask(&self.search.rules, |rules| start.worths(&game, own, rules))?;
            }
            self.search.learned.borrow_mut().learn(&worths);
        }
        self.spent += work.get() + meter::all_ended().wrapping_sub(before.0);
        self.spent += before.1.saturating_sub(meter::left());
        self.games += 1;
        let steps = notes.take();
        Ok((steps, worths))
    }
}

impl Session<'_> {
    /// Returns what the bot's own function says of the position, for each player.
    fn own_worths(&self, game: &Facts) -> RuleResult<Option<Vec<i64>>> {
        let own = self.own_worth;
        own.map(|worth| game.seats().map(|player| worth(game, player)).collect())
            .transpose()
    }
}

/// Returns the number of candidates that this many trials can tell apart by halving.
fn candidates(trials: u64) -> usize {
    let needed = |count: u64| count * u64::from(count.ilog2() + 1) * TRIALS;
    let fits = (3..=MOST_CANDIDATES).take_while(|&count| needed(count) <= trials);
    fits.last().unwrap_or(2) as usize
}

/// Returns the work of a decision in Rust, as a number of operations of scripts.
pub(super) fn work_of_decision(board: &Board) -> u64 {
    24 + (board.len() + board.directed_borders()) as u64 / 4
}

/// Returns the number of values in a game that are copied for each imagined game.
fn cells(view: &View) -> usize {
    let decl = view.decl();
    let land = view.board().len() * (decl.units.len() + decl.marks.len() + 1);
    land + (view.players() + 1) * (decl.counters.len() + 1) + decl.cards.len()
}

fn actions(steps: &[Step]) -> Plan {
    let actions: Vec<Action> = steps.iter().map(|step| step.action).collect();
    Plan::Actions(actions.into())
}

fn ask<T>(rules: &RulesSource, ask: impl FnOnce(&mut dyn Rules) -> RuleResult<T>) -> RuleResult<T> {
    match meter::beside(|| rules.with(ask)) {
        Ok(Some(done)) => done,
        Ok(None) | Err(_) => Err(RuleFault::new("the rules are not available")),
    }
}
