//! `oracle`: weighs the plans of several generals by playing each plan in imagined games, with
//! hidden information dealt at random. Its level is a budget: the number of games per turn.

mod prospects;

use std::rc::Rc;

use super::halving::Halving;
use super::turn_rollout::{AssignedPlan, TurnRollout, World, still_playing};
use crate::script::RulesSource;
use risk_bots::{FightTable, General, GeneralProfile};
use risk_kernel::action::{Action, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::fault::{BotFault, RuleFault, RuleResult};
use risk_kernel::id::Verb;
use risk_kernel::interrupt;
use risk_kernel::odds::Fight;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::View;
use risk_kernel::{Aim, Answer, Bot, RuleQueries};

pub(super) const USUAL_BUDGET: u32 = 200;
pub(super) const BUDGETS: std::ops::RangeInclusive<u32> = 10..=100_000;

/// One decision may use a third of the games that remain in a turn's budget.
const PART: u32 = 3;
/// The number of standard errors by which another plan must beat the general's own plan.
const MARGIN: f64 = 1.0;

pub(super) struct Oracle {
    budget: u32,
    rules: RulesSource,
    /// Generals with several moods at the beginning of a plan, starting with the usual mood.
    fresh: Vec<General>,
    mind: General,
    stage: TurnRollout,
    rng: Stream,
    turn: u32,
    left: u32,
    verbs: [Option<Verb>; 2],
}

impl Oracle {
    pub(super) fn new(budget: u32, fight: Option<Fight>, rules: &RulesSource) -> Self {
        let chances = Rc::new(FightTable::new(fight));
        let fresh = GeneralProfile::ALL
            .map(|mood| General::with(mood, &chances))
            .to_vec();
        Self {
            budget,
            rules: rules.clone(),
            mind: fresh[0].clone(),
            stage: TurnRollout::new(rules.players(), || {
                General::with(GeneralProfile::QUICK, &chances)
            }),
            fresh,
            rng: Stream::new(0, 0, Purpose::Player(0)),
            turn: 0,
            left: 0,
            verbs: [None; 2],
        }
    }

    /// Returns the distinct actions that the generals choose now, starting with the action of the
    /// current general.
    fn candidates(&self, view: &View, options: &Options) -> Vec<Candidate> {
        let mut all: Vec<Candidate> = Vec::new();
        let minds = [&self.mind].into_iter().chain(&self.fresh);
        for mind in minds {
            let mut mind = mind.clone();
            let action = mind.decide(view, options);
            if all.iter().all(|other| other.action != action) {
                all.push(Candidate { action, mind });
            }
        }
        // Stopping now is also a candidate.
        if let Some(stop) = self.mind.stop(options)
            && all.iter().all(|other| other.action != stop)
        {
            let mut mind = self.mind.clone();
            mind.drop_aim();
            all.push(Candidate { action: stop, mind });
        }
        all
    }

    /// Reports whether this decision is important enough to be weighed in imagined games.
    fn is_weighed(&self, options: &Options) -> bool {
        let mut verbs = self.verbs.iter().flatten();
        verbs.any(|&verb| options.has(verb)) && !self.mind.is_placing()
    }

    /// Returns the index of the candidate with the best results.
    fn best(&mut self, view: &View, candidates: &[Candidate]) -> RuleResult<usize> {
        let mut halving = Halving::new(candidates.len(), (self.left / PART).max(1));
        self.left -= halving.budget().min(self.left);
        let until = view.turn() + still_playing(view);
        let mut worlds = Vec::new();
        while let Some((which, number)) = halving.next() {
            if interrupt::is_raised() {
                return Ok(0);
            }
            while worlds.len() <= number {
                let seed = self.rng.word();
                let game = self.rules.with(|rules| view.imagine(rules, seed));
                let game = answered(game)?;
                worlds.push(World { game, seed });
            }
            let plan = AssignedPlan {
                player: view.me(),
                bot: candidates[which].follow(),
            };
            let world = worlds[number].clone();
            let played = self.rules.with(|rules| {
                let stage = &mut self.stage;
                stage.play(plan, world, rules, until, &|| false)
            });
            let game = answered(played)?;
            halving.add(which, prospects::chance(game, view.me()));
        }
        Ok(halving.best(MARGIN))
    }
}

fn answered<T, E: std::fmt::Debug>(asked: Result<Option<RuleResult<T>>, E>) -> RuleResult<T> {
    match asked {
        Ok(Some(done)) => done,
        Ok(None) | Err(_) => Err(RuleFault::new("the rules are not available")),
    }
}

/// An action for the current decision, and the general that continues.
struct Candidate {
    action: Action,
    mind: General,
}

impl Candidate {
    fn follow(&self) -> Box<dyn Bot> {
        Box::new(FollowedPlan {
            first: Some(self.action),
            mind: self.mind.clone(),
        })
    }
}

/// Plays a candidate's action, and then what its general decides.
struct FollowedPlan {
    first: Option<Action>,
    mind: General,
}

impl Bot for FollowedPlan {
    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        if let Some(action) = self.first.take()
            && options.admit(action).is_ok()
        {
            return Ok(Answer::One(action));
        }
        self.mind.answer(view, options)
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        if self.first.is_some() {
            return None;
        }
        self.mind.try_next(view, rules)
    }
}

fn weighed(decl: &Declaration) -> [Option<Verb>; 2] {
    ["attack", "place"].map(|name| decl.verb(name))
}

impl Bot for Oracle {
    fn start(&mut self, view: &View, rng: Stream) {
        for mind in &mut self.fresh {
            mind.start(view, rng.clone());
        }
        self.mind = self.fresh[0].clone();
        self.verbs = weighed(view.decl());
        self.rng = rng;
        self.turn = 0;
        self.left = 0;
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        self.mind.try_next(view, rules)
    }

    fn aim(&mut self, view: &View, action: Action) -> Result<Option<Aim>, BotFault> {
        self.mind.aim(view, action)
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        if self.mind.is_stranger() || view.turn() == 0 {
            return self.mind.answer(view, options);
        }
        if view.turn() != self.turn {
            self.turn = view.turn();
            self.left = self.budget;
        }
        if self.left == 0 || !self.is_weighed(options) {
            return self.mind.answer(view, options);
        }
        let mut candidates = self.candidates(view, options);
        let best = if candidates.len() > 1 {
            // The general decides if games can't be imagined.
            self.best(view, &candidates).unwrap_or(0)
        } else {
            0
        };
        let Candidate { action, mind } = candidates.swap_remove(best);
        self.mind = mind;
        Ok(Answer::One(action))
    }
}
