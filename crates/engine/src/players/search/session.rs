//! One search for the best plan of a turn.

use std::rc::Rc;

use super::Search;
use super::kept_plan::{KeptPlan, Step};
use super::light_policy::samples;
use super::planned_turn::{Notes, Plan, PlannedTurn};
use super::worth::Start;
use crate::players::halving::Halving;
use crate::players::turn_rollout::{AssignedPlan, World};
use crate::script::RulesSource;
use rhai_guard::meter;
use risk_kernel::action::{Action, Options};
use risk_kernel::board::Board;
use risk_kernel::event::Status;
use risk_kernel::fault::RuleFault;
use risk_kernel::id::Player;
use risk_kernel::view::{Facts, View};
use risk_kernel::{Rules, interrupt};

/// The limits on the number of sampled plans.
const LEAST_SAMPLES: u64 = 3;
const MOST_SAMPLES: u64 = 48;
/// The number of different worlds in which plans are sampled.
const SAMPLED_WORLDS: u64 = 4;
/// The maximum number of imagined worlds.
const MOST_WORLDS: usize = 300;
/// The rounds in which one decision of the best plan is changed.
const CHANGES: u64 = 2;
/// The least number of trials for each candidate in each stage.
const TRIALS: f64 = 4.0;

pub(super) struct Session<'a> {
    search: &'a mut Search,
    view: &'a View,
    allowed: u64,
    spent: u64,
    games: u64,
    worlds: Vec<World>,
    start: Option<Start>,
    until: u32,
}

pub(super) fn knob(name: &str, usual: f64) -> f64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(usual)
}

/// How a plan is played out.
#[derive(Clone, Copy, Default)]
struct Trial {
    world: usize,
    seed: u64,
    change: Option<usize>,
    /// Whether only the turn is played and its positions are noted.
    looks: bool,
}

impl<'a> Session<'a> {
    pub(super) fn new(search: &'a mut Search, view: &'a View, allowed: u64) -> Self {
        Self {
            search,
            view,
            allowed,
            spent: 0,
            games: 0,
            worlds: Vec::new(),
            start: None,
            until: view.turn() + knob("S_H", 1.0) as u32 * still_playing(view),
        }
    }

    pub(super) const fn spent(&self) -> u64 {
        self.spent
    }

    pub(super) fn cost(&self) -> u64 {
        self.spent / self.games.max(1)
    }

    /// Returns the number of imagined games that this much work allows.
    fn affordable(&self, work: u64) -> u64 {
        work / (self.spent / self.games.max(1)).max(1)
    }

    /// Searches for the best plan.
    pub(super) fn best_plan(&mut self, options: &Options) -> Result<KeptPlan, RuleFault> {
        let mut plans = self.sampled(options)?;
        let trials = self.affordable(self.allowed / 2);
        plans.truncate(candidates(trials));
        let mut best = self.best_of(&plans, trials)?;
        for _ in 0..CHANGES {
            let rest = self.allowed.saturating_sub(self.spent) / 2;
            let trials = self.affordable(rest);
            let others = candidates(trials).saturating_sub(1);
            if trials < 8 {
                break;
            }
            let changed = self.changed(&best, others as u64)?;
            best = self.best_of(&changed, trials)?;
        }
        let steps = self.noted(&best)?;
        Ok(KeptPlan::new(steps))
    }

    /// Returns plans: the rest of the current plan, those of other bots, and sampled plans that
    /// begin with different actions.
    fn sampled(&mut self, options: &Options) -> Result<Vec<Plan>, RuleFault> {
        let mut plans = Vec::new();
        let kept = self.search.kept.actions();
        if !kept.is_empty() {
            plans.push(Plan::Actions(kept.into()));
        }
        let mut guided = Vec::new();
        for guide in self.search.guides.clone() {
            let plan = Plan::Guide(guide);
            if self.search.is_known {
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
            let most = candidates(self.affordable(self.allowed / 2)) as u64;
            if number >= LEAST_SAMPLES.max(most) || interrupt::is_raised() {
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
    fn changed(&mut self, best: &Plan, others: u64) -> Result<Vec<Plan>, RuleFault> {
        let mut plans = vec![best.clone()];
        let (steps, _) = self.play(best, Trial::default())?;
        let free: Vec<usize> = (0..steps.len()).filter(|&at| steps[at].is_free).collect();
        if free.is_empty() {
            return Ok(plans);
        }
        let known = actions(&steps);
        for number in 0..others {
            let which = self.search.rng.below(free.len() as u64) as usize;
            let trial = Trial {
                world: (number % SAMPLED_WORLDS) as usize,
                seed: self.search.rng.word(),
                change: Some(free[which]),
                looks: false,
            };
            let (steps, _) = self.play(&known, trial)?;
            plans.push(actions(&steps));
        }
        Ok(plans)
    }

    fn best_of(&mut self, plans: &[Plan], trials: u64) -> Result<Plan, RuleFault> {
        let trials = u32::try_from(trials).unwrap_or(u32::MAX);
        let mut halving = Halving::new(plans.len(), trials.max(plans.len() as u32));
        while let Some((which, number)) = halving.next() {
            if interrupt::is_raised() || number >= MOST_WORLDS || self.spent >= self.allowed {
                break;
            }
            let trial = Trial {
                world: number,
                ..Trial::default()
            };
            let (_, worths) = self.play(&plans[which], trial)?;
            halving.add(which, worths[self.view.me().index()]);
        }
        if std::env::var_os("SLOG").is_some() {
            let words = risk_kernel::words::Words::new(self.view.board(), self.view.decl());
            for (plan, values) in plans.iter().zip(halving.all()) {
                let text = match plan {
                    Plan::Actions(list) => list
                        .iter()
                        .map(|a| words.action(*a))
                        .collect::<Vec<_>>()
                        .join(", "),
                    Plan::Guide(_) => "guide".to_owned(),
                };
                eprintln!(
                    "  {:.4} n={} {text}",
                    values.iter().sum::<f64>() / values.len().max(1) as f64,
                    values.len()
                );
            }
            eprintln!(
                "turn {} me {} spent {} of {} games {} trials {trials} best {}",
                self.view.turn(),
                self.view.me().index(),
                self.spent,
                self.allowed,
                self.games,
                halving.best(0.0)
            );
        }
        Ok(plans[halving.best(0.0)].clone())
    }

    /// Plays the plan's turn once more, in another world, to note the positions.
    fn noted(&mut self, plan: &Plan) -> Result<Vec<Step>, RuleFault> {
        let trial = Trial {
            world: self.worlds.len(),
            looks: true,
            ..Trial::default()
        };
        Ok(self.play(plan, trial)?.0)
    }

    fn world(&mut self, number: usize) -> Result<World, RuleFault> {
        while self.worlds.len() <= number {
            let seed = self.search.rng.word();
            let view = self.view;
            let game = ask(&self.search.rules, |rules| view.imagine(rules, seed))?;
            self.worlds.push(World { game, seed });
        }
        Ok(self.worlds[number].clone())
    }

    fn play(&mut self, plan: &Plan, trial: Trial) -> Result<(Vec<Step>, Vec<f64>), RuleFault> {
        let before = meter::all_ended();
        let world = self.world(trial.world)?;
        if self.start.is_none() {
            let facts = Facts::new(world.game.clone());
            let start = ask(&self.search.rules, |rules| Start::new(&facts, rules))?;
            self.start = Some(start);
        }
        let notes = Notes::default();
        let bot = PlannedTurn {
            plan: plan.clone(),
            done: 0,
            change: trial.change,
            light: self.search.light.with_seed(world.seed ^ trial.seed),
            notes: Rc::clone(&notes),
            looks: trial.looks,
        };
        let assigned = AssignedPlan {
            player: self.view.me(),
            bot: Box::new(bot),
        };
        self.search.learned.borrow_mut().begin();
        let until = if trial.looks {
            self.view.turn() + 1
        } else {
            self.until
        };
        let most = self.allowed;
        let halts = || meter::all_ended().wrapping_sub(before) > most;
        let stage = &mut self.search.stage;
        let start = self.start.as_ref();
        let (decisions, worths) = ask(&self.search.rules, |rules| {
            let played = stage.play(assigned, world, rules, until, &halts)?;
            let worths = start.map(|start| start.worths(played.game, rules));
            Ok((played.decisions, worths.unwrap_or_else(|| Ok(Vec::new()))?))
        })?;
        if !trial.looks {
            self.search.learned.borrow_mut().learn(&worths);
        }
        let work = (u64::from(decisions) + 2) * work_of_decision(self.view.board());
        self.spent += work + meter::all_ended().wrapping_sub(before);
        self.games += 1;
        let steps = notes.take();
        Ok((steps, worths))
    }
}

/// Returns the number of candidates that this many trials can tell apart.
fn candidates(trials: u64) -> usize {
    let mut count = 2;
    while count < 96
        && (count + 1) as f64 * f64::from((count as u32 + 1).ilog2() + 1) * knob("S_T", TRIALS)
            <= trials as f64
    {
        count += 1;
    }
    count
}

/// Returns the work of a decision in Rust, as a number of operations of scripts.
fn work_of_decision(board: &Board) -> u64 {
    8 + (board.len() + board.directed_borders()) as u64 / 16
}

fn actions(steps: &[Step]) -> Plan {
    let actions: Vec<Action> = steps.iter().map(|step| step.action).collect();
    Plan::Actions(actions.into())
}

fn still_playing(view: &View) -> u32 {
    let seats = (0..view.players()).map(Player::from_index);
    let playing = seats.filter(|&player| view.status(player) == Status::Playing);
    playing.count() as u32
}

fn ask<T>(
    rules: &RulesSource,
    ask: impl FnOnce(&mut dyn Rules) -> Result<T, RuleFault>,
) -> Result<T, RuleFault> {
    match rules.with(ask) {
        Ok(Some(done)) => done,
        Ok(None) | Err(_) => Err(RuleFault::new("the rules are not available")),
    }
}
