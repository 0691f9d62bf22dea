//! The search as a function of scripts: `ask.search(…)`.

use super::Search;
use super::kept_plan::Step;
use super::light_policy::LightPolicy;
use super::session::{Session, SessionLimits, work_of_decision};
use crate::players::BuiltIn;
use crate::script::{FoundPlan, OwnWorth, PlanSearch, RulesSource, SearchLimits};
use risk_kernel::Bot;
use risk_kernel::action::{Action, Options};
use risk_kernel::fault::RuleResult;
use risk_kernel::odds::Fight;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::View;

/// The least number of decisions for which a search has to pay. With less work left, it would look
/// at nothing.
const LEAST_DECISIONS: u64 = 40;
/// The number of imagined games that show which steps of a plan depend on luck.
const CONFIRMED: usize = 3;

impl Search {
    /// Creates a search for a script. `policy` plays imagined games on; `None` for the policy of
    /// the built-in bot.
    pub(in crate::players) fn for_script(
        policy: Option<BuiltIn>,
        fight: Option<Fight>,
        rules: &RulesSource,
        view: &View,
    ) -> Self {
        let numbers = fight.clone();
        let mut search = match policy {
            None => Self::by(0, fight, rules, LightPolicy::clone),
            Some(bot) => Self::by(0, fight, rules, |_| bot.without_rules(numbers.clone())),
        };
        search.start(view, Stream::new(0, 0, Purpose::Player(0)));
        search
    }
}

impl PlanSearch for Search {
    fn best_plan(
        &mut self,
        view: &View,
        options: &Options,
        limits: &SearchLimits,
        worth: Option<&OwnWorth<'_>>,
    ) -> RuleResult<FoundPlan> {
        self.rng = Stream::new(limits.seed, 0, Purpose::Player(0));
        if self.work.renew(view) {
            self.learned.borrow_mut().fade();
        }
        let mut steps = Vec::new();
        let mut spent = 0;
        if limits.work >= LEAST_DECISIONS * work_of_decision(view.board()) {
            // The games that show what is certain come on top, each with an eighth of this work.
            let within = SessionLimits {
                work: limits.work / 3 * 2,
                games: limits.rollouts,
            };
            let mut session = Session::new(self, view, within, worth);
            steps = certain_steps(&mut session, options)?;
            spent = session.spent();
            let cost = session.cost();
            self.work.subtract(0, cost);
        }
        let mut actions: Vec<Action> = steps.into_iter().map(|step| step.action).collect();
        if actions.is_empty() {
            // There was too little work for an imagined turn.
            actions.push(self.light.with_seed(limits.seed).choose(view, options));
        }
        Ok(FoundPlan { actions, spent })
    }
}

/// Returns the best plan's first step, and the steps after it that are the same in several imagined
/// games.
fn certain_steps(session: &mut Session<'_>, options: &Options) -> RuleResult<Vec<Step>> {
    let best = session.best_plan(options)?;
    let mut steps = session.noted(&best)?;
    for _ in 1..CONFIRMED {
        let others = session.noted(&best)?;
        let pairs = steps.iter().zip(&others);
        let same = pairs.take_while(|(one, other)| one.is_same(other)).count();
        steps.truncate(same.max(1));
    }
    Ok(steps)
}
