//! `general`: plans chains of conquests from each front with exact chances, and evaluates what it
//! can keep after them. It eliminates players if it can. It places, attacks, follows and regroups
//! according to the best plan.

mod aim;
mod campaign;
mod cards;
mod chains;
mod conquest_values;
mod draft;
mod evaluation_context;
mod evaluation_weights;
mod expected_board;
mod fight_table;
mod forecast;
mod level;
mod position_model;
mod regroup;
mod turn_end;
mod turn_plan;
mod value_net;

use std::collections::VecDeque;
use std::rc::Rc;

use self::chains::{ChainStep, LEAST_CHANCE};
use self::evaluation_context::EvaluationContext;
pub use self::fight_table::FightTable;
pub use self::level::GeneralLevel;
pub use self::level::GeneralProfile;
use self::level::Skill;
pub use self::position_model::PositionModel;
pub use self::turn_end::{Features, TurnEnd};
use self::turn_plan::{TurnPlan, plan, plans};
use super::outnumber::OutnumberBot;
use crate::heuristics::{Heuristics, offer_of};
use risk_kernel::action::{Action, Bounds, Options};
use risk_kernel::declare::{Declaration, FightMethod, SlotKind};
use risk_kernel::fault::BotFault;
use risk_kernel::id::{Counter, Player, Territory};
use risk_kernel::odds::Fight;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Aim, Answer, Bot, RuleQueries};

/// A bot that plans campaigns: chains of conquests, eliminations, and what it can hold.
#[derive(Clone)]
pub struct General {
    skill: Skill,
    heuristics: Heuristics,
    /// The bot that plays games that the general does not understand.
    stranger: OutnumberBot,
    is_strange: bool,
    chances: Rc<FightTable>,
    reserve: Option<Counter>,
    /// The remaining conquests, starting with the current one.
    steps: VecDeque<ChainStep>,
    /// The value of a lost army during these conquests.
    loss: f32,
    /// The armies still to place, by territory.
    placing: VecDeque<(Territory, i32)>,
    /// The player whom these conquests eliminate, if that is the plan.
    victim: Option<Player>,
    /// The plan for which armies are placed, without its placements.
    prepared: TurnPlan,
    /// Whether the last answer followed a plan.
    is_planned: bool,
}

impl General {
    /// Creates a general of a level. `fight` has the odds of the ruleset, if there are any.
    #[must_use]
    pub fn new(level: GeneralLevel, fight: Option<Fight>) -> Self {
        Self::with_skill(level.skill(), Rc::new(FightTable::new(fight)))
    }

    /// Creates a general with this mood and with chances that were computed before.
    pub fn with(mood: GeneralProfile, chances: &Rc<FightTable>) -> Self {
        Self::with_skill(mood.skill(), Rc::clone(chances))
    }

    fn with_skill(skill: Skill, chances: Rc<FightTable>) -> Self {
        Self {
            skill,
            heuristics: Heuristics::default(),
            stranger: OutnumberBot::default(),
            is_strange: true,
            chances,
            reserve: None,
            steps: VecDeque::new(),
            loss: 1.0,
            placing: VecDeque::new(),
            victim: None,
            prepared: TurnPlan::default(),
            is_planned: false,
        }
    }

    /// Reports whether the general does not understand the ruleset and plays like
    /// [`OutnumberBot`].
    #[must_use]
    pub const fn is_stranger(&self) -> bool {
        self.is_strange
    }

    /// Reports whether the plan still has armies to place.
    pub fn is_placing(&self) -> bool {
        !self.placing.is_empty()
    }

    /// Returns the action that ends the phase, if there is one.
    #[must_use]
    pub fn stop(&self, options: &Options) -> Option<Action> {
        self.heuristics.stop(options)
    }

    /// Forgets which plan the last answer followed: another answer is given instead.
    pub const fn drop_aim(&mut self) {
        self.is_planned = false;
    }

    /// Chooses an action of the options.
    pub fn decide(&mut self, view: &View, options: &Options) -> Action {
        self.is_planned = false;
        if let Some(action) = self.place(view, options) {
            return action;
        }
        self.placing.clear();
        if self.heuristics.may_attack(options) {
            return self.attack(view, options);
        }
        let action = self
            .follow(view, options)
            .or_else(|| self.claim(view, options))
            .or_else(|| self.trade(view, options))
            .or_else(|| self.regroup(view, options));
        action.unwrap_or_else(|| self.heuristics.any(options))
    }

    fn claim(&self, view: &View, options: &Options) -> Option<Action> {
        let offer = offer_of(options, self.heuristics.verbs.claim)?;
        let slot = offer.slots()[0];
        let free = (0..options.size(slot))
            .map(|index| Territory::from_index(options.value(slot, index) as usize));
        let at = draft::claim(&PositionModel::new(view), free)?;
        Some(Action::new(offer.verb, &[at.number()]))
    }

    fn reserve(&self, view: &View) -> i32 {
        self.reserve
            .and_then(|counter| view.counter(counter, Some(view.me())))
            .map_or(1, |armies| armies.clamp(0, 1_000_000) as i32)
    }

    fn trade(&self, view: &View, options: &Options) -> Option<Action> {
        let trade = self.heuristics.verbs.trade?;
        let set = cards::best_set(view, options, trade)?;
        let Some(stop) = self.heuristics.stop(options) else {
            return Some(set);
        };
        let study = EvaluationContext::new(view, &self.chances, self.skill);
        let helps = cards::helps(&study, self.reserve(view));
        Some(if helps { set } else { stop })
    }

    fn place(&mut self, view: &View, options: &Options) -> Option<Action> {
        let place = self.heuristics.verbs.place?;
        if !options.has(place) {
            return None;
        }
        if self.placing.is_empty() {
            let study = EvaluationContext::new(view, &self.chances, self.skill);
            self.prepared = best_plan(&study, self.reserve(view)).unwrap_or_default();
            self.placing = std::mem::take(&mut self.prepared.placing).into();
        }
        while let Some((at, armies)) = self.placing.pop_front() {
            let bounds = options.bounds_of(place, &[at.number()]);
            let Bounds::Span { low, high } = bounds else {
                continue;
            };
            if low > high {
                continue;
            }
            let count = armies.clamp(low, high);
            if armies > count {
                self.placing.push_front((at, armies - count));
            }
            self.is_planned = true;
            return Some(Action::new(place, &[at.number(), count]));
        }
        let danger = |at: Territory| {
            let threat = view.bordering_units(at)?;
            Some(threat - i64::from(view.armies(at).unwrap_or(0)))
        };
        self.heuristics.place(view, options, danger)
    }

    fn attack(&mut self, view: &View, options: &Options) -> Action {
        let stop = self.heuristics.stop(options);
        let study = EvaluationContext::new(view, &self.chances, self.skill);
        let best = best_plan(&study, 0);
        let best = best.filter(|plan| stop.is_none() || plan.value > study.least());
        self.loss = study.temper.loss;
        let best = best.unwrap_or_default();
        self.victim = best.victim;
        self.steps = best.steps.into();
        if let Some(step) = self.steps.front()
            && let Some(action) = self.strike(step, &mut &*options)
        {
            self.is_planned = true;
            return action;
        }
        let chance = |from: Territory, to: Territory| {
            let free = study.scene.armies(from) - 1;
            let fight = study.expected(from, to, free as f32, study.scene.armies(to));
            f64::from(fight.capture)
        };
        let least_bad = || {
            let best = self.heuristics.best_attack(options, 0.0, chance);
            best.map(|(_, action)| action)
        };
        stop.or_else(least_bad).unwrap_or_else(|| options.nth(0))
    }

    /// Returns the attack of a step with the maximum number of dice, if the attack is possible.
    fn strike(&self, step: &ChainStep, rules: &mut dyn RuleQueries) -> Option<Action> {
        let attack = self.heuristics.verbs.attack?;
        let territories = [step.from.number(), step.to.number()];
        // The last parameter is the number of dice, if there are any, or else the target.
        for given in [&territories[..], &territories[..1]] {
            if let Bounds::Span { low, high } = rules.bounds_of(attack, given)
                && low <= high
            {
                let args = [territories[0], territories[1], high];
                let action = Action::new(attack, &args[..=given.len()]);
                return (given.len() == 2 || (low..=high).contains(&territories[1]))
                    .then_some(action);
            }
        }
        None
    }

    fn go_on(&self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        let step = self.steps.front()?;
        if !view.mine(step.from) || view.mine(step.to) {
            return None;
        }
        let free = (view.armies(step.from)? - 1) as f32;
        let class = self.chances.class(view, step.from, step.to);
        let fight = self.chances.expected(class, free, view.armies(step.to)?);
        let lost = (free - fight.left_in_all) * self.loss;
        if fight.capture < LEAST_CHANCE || fight.capture * step.prize <= lost {
            return None;
        }
        self.strike(step, rules)
    }

    /// Moves armies after a conquest according to the plan.
    fn follow(&mut self, view: &View, options: &Options) -> Option<Action> {
        let (verb, [from, to, most]) = self.heuristics.occupy(options)?;
        let step = self.steps.pop_front();
        if let Some(step) = step.filter(|step| step.to.number() == to)
            && !self.steps.is_empty()
        {
            let count = (most as f32 * step.share + 0.5) as i32;
            self.is_planned = true;
            return Some(Action::new(verb, &[from, to, count.clamp(0, most)]));
        }
        self.heuristics.follow(view, options)
    }

    fn regroup(&self, view: &View, options: &Options) -> Option<Action> {
        self.heuristics.move_or_stay(options, |verb| {
            let study = EvaluationContext::new(view, &self.chances, self.skill);
            let step = regroup::regroup(&study)?;
            let args = [step.from.number(), step.to.number(), step.armies];
            Some(Action::new(verb, &args))
        })
    }
}

fn best_plan(study: &EvaluationContext<'_>, reserve: i32) -> Option<TurnPlan> {
    if study.skill.compared == 0 {
        return plan(study, reserve);
    }
    forecast::best(study, plans(study, reserve))
}

/// Reports whether the general understands the game, which must have dice and territories.
pub fn understands(decl: &Declaration) -> bool {
    let is_territory = |(name, kind): &(String, SlotKind), known: &str| {
        name == known && *kind == SlotKind::Territory
    };
    let by_dice = decl.verb("attack").is_some_and(|verb| {
        let slots = &decl.verbs[verb.index()].slots;
        let territories =
            slots.len() >= 2 && is_territory(&slots[0], "from") && is_territory(&slots[1], "to");
        territories && (slots.len() == 2 || slots.len() == 3 && slots[2].0 == "dice")
    });
    // Which phases fight by tables is known once the ruleset is bound to a map.
    let fights = decl.turn.iter().any(|phase| {
        let phase = &decl.phases[phase.index()];
        phase.fights == Some(FightMethod::Dice) || phase.name == "attack"
    });
    by_dice && fights && decl.units.len() == 1 && decl.counter("reserve").is_some()
}

impl Bot for General {
    fn start(&mut self, view: &View, rng: Stream) {
        self.is_strange = !understands(view.decl());
        self.reserve = view.decl().counter("reserve");
        self.steps.clear();
        self.placing.clear();
        self.is_planned = false;
        self.heuristics = Heuristics::new(view, rng.clone());
        self.stranger.start(view, rng);
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        if self.is_strange {
            return self.stranger.try_next(view, rules);
        }
        let action = self.go_on(view, rules);
        self.is_planned = action.is_some();
        action
    }

    fn aim(&mut self, view: &View, action: Action) -> Result<Option<Aim>, BotFault> {
        let aim = self.is_planned.then(|| self.aim_of(view, action));
        Ok(aim.filter(|aim| !aim.is_empty()))
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        if self.is_strange {
            self.stranger.answer(view, options)
        } else {
            Ok(Answer::One(self.decide(view, options)))
        }
    }
}
