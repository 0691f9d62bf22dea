//! The shared state of all games that a bot imagines: the rules, the policies, and whether a policy
//! of the script is being called.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::plan_search::PlanSearch;
use crate::script::api::{NativeResult, fail, unknown};
use crate::script::{RulesSource, meter};
use rhai::EvalAltResult;
use rhai_guard::memory;
use risk_bots::fight_odds::FightOdds;
use risk_kernel::action::{Action, Options};
use risk_kernel::board::Board;
use risk_kernel::fault::RuleResult;
use risk_kernel::id::Phase;
use risk_kernel::odds::Fight;
use risk_kernel::rng::Stream;
use risk_kernel::stepper::{Stepper, StepperSettings};
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, Rollout, Rules, StopPoint};

/// The work of a decision in Rust: `STEP` for each territory and border, plus `AROUND`.
const STEP: u64 = 4;
const AROUND: u64 = 256;

/// Returns the cost of a decision, excluding the scripts that it calls.
pub(super) fn step_work(board: &Board) -> u64 {
    AROUND + STEP * (board.len() + board.directed_borders()) as u64
}

/// The policy of `search`, which learns which kinds of moves do well.
pub(super) const LIGHT: &str = "light";

/// Creates a search for the game of the view, with this policy in imagined games; `None` for the
/// search's own.
type MakeSearch = fn(&RulesSource, Option<Fight>, &View, Option<&str>) -> Box<dyn PlanSearch>;

#[derive(Debug)]
pub(crate) struct Policies {
    /// The policies' names, each with the cost factor of the policy's decisions.
    pub(crate) names: &'static [(&'static str, u64)],
    pub(crate) make: fn(&str, Option<Fight>) -> Option<Box<dyn Bot>>,
    pub(crate) search: MakeSearch,
}

pub(crate) struct ImaginationContext {
    pub(crate) rng: Rc<RefCell<Stream>>,
    pub(crate) chances: Rc<RefCell<FightOdds>>,
    rules: RulesSource,
    policies: &'static Policies,
    ready: RefCell<BTreeMap<String, Policy>>,
    searches: RefCell<BTreeMap<Option<String>, Box<dyn PlanSearch>>>,
    /// Whether a function of the script is being called as a policy.
    asking: Rc<Cell<bool>>,
    plans: bool,
    /// The phases in which the script may decide but need not.
    optional: Vec<Phase>,
    /// The text of the last fault of the rules in an imagined game, if there was one.
    failed: RefCell<Option<String>>,
}

struct Policy {
    rollout: Rollout,
    bots: Vec<Box<dyn Bot>>,
}

/// A guard that exists while a function of the script is being called as a policy.
pub(super) struct PolicyGuard(Rc<Cell<bool>>);

impl Drop for PolicyGuard {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl ImaginationContext {
    pub(crate) fn new(
        rules: RulesSource,
        policies: &'static Policies,
        rng: Rc<RefCell<Stream>>,
        chances: Rc<RefCell<FightOdds>>,
        plans: bool,
        optional: Vec<Phase>,
    ) -> Rc<Self> {
        Rc::new(Self {
            rng,
            chances,
            rules,
            policies,
            ready: RefCell::default(),
            searches: RefCell::default(),
            asking: Rc::default(),
            plans,
            optional,
            failed: RefCell::default(),
        })
    }

    pub(super) fn settings(&self, view: &View) -> StepperSettings {
        let frame = view.frame();
        StepperSettings {
            asks_optional: frame.is_some_and(|frame| self.optional.contains(&frame.phase)),
            plans: self.plans,
            listens: false,
            ..StepperSettings::default()
        }
    }

    /// Returns an error while a function of the script is being called as a policy. Such a policy
    /// decides one step. It must not play imagined games itself, because their decisions could call
    /// the policy again.
    pub(super) fn check_free(&self) -> NativeResult<()> {
        if self.asking.get() {
            return fail("a policy can't play or imagine games");
        }
        Ok(())
    }

    pub(super) fn begin_asking(&self) -> NativeResult<PolicyGuard> {
        self.check_free()?;
        self.asking.set(true);
        Ok(PolicyGuard(Rc::clone(&self.asking)))
    }

    /// Calls the rules and charges for the work of their scripts.
    pub(super) fn rules<T>(
        &self,
        ask: impl FnOnce(&mut dyn Rules) -> RuleResult<T>,
    ) -> NativeResult<T> {
        match meter::within(|| self.rules.with(ask)) {
            Ok(Some(done)) => self.checked(done),
            Ok(None) => fail("can't call the rules while another call is in progress"),
            Err(faults) => fail(faults.first().map_or_else(String::new, ToString::to_string)),
        }
    }

    /// Notes that a fault is one of the rules.
    pub(super) fn checked<T>(&self, done: RuleResult<T>) -> NativeResult<T> {
        done.or_else(|fault| {
            let text = fault.text().to_owned();
            memory::uncounted(|| self.failed.replace(Some(text.clone())));
            fail(text)
        })
    }

    /// Forgets the last fault of the rules. Reports whether it had this text.
    pub(crate) fn take_failure(&self, text: &str) -> bool {
        memory::uncounted(|| self.failed.take()).is_some_and(|failed| failed == text)
    }

    /// Begins a new game, in which policies are made anew.
    pub(crate) fn forget(&self) {
        self.ready.borrow_mut().clear();
        self.searches.borrow_mut().clear();
        self.rules.begin_game();
    }

    /// Returns an error if no policy has this name.
    pub(super) fn check_policy(&self, name: &str) -> NativeResult<()> {
        let known = self.policies.names.iter().map(|(name, _)| *name);
        let known: Vec<&str> = [LIGHT].into_iter().chain(known).collect();
        if known.contains(&name) {
            return Ok(());
        }
        Err(unknown(name, "policy", &known))
    }

    /// Calls the search with this policy, which remembers what it has learned in the game.
    pub(super) fn with_search<T>(
        &self,
        policy: &str,
        view: &View,
        search: impl FnOnce(&mut dyn PlanSearch) -> T,
    ) -> T {
        let policy = Some(policy.to_owned()).filter(|name| name != LIGHT);
        let mut searches = self.searches.borrow_mut();
        let found = searches.entry(policy).or_insert_with_key(|policy| {
            let fight = self.chances.borrow_mut().by_numbers().cloned();
            (self.policies.search)(&self.rules, fight, view, policy.as_deref())
        });
        search(&mut **found)
    }

    pub(super) fn policy(&self, name: &str) -> NativeResult<()> {
        if self.ready.borrow().contains_key(name) {
            return Ok(());
        }
        let names = self.policies.names.iter().map(|(name, _)| *name);
        let players = self.rules.players();
        // Policies serve the whole game, so no call is charged for their memory.
        let made = memory::uncounted(|| {
            let fight = self.chances.borrow_mut().by_numbers().cloned();
            let make = || (self.policies.make)(name, fight.clone());
            let bots = || (0..players).map(|_| make()).collect::<Option<Vec<_>>>();
            let known = names.clone().any(|known| known == name);
            let bots = known.then(|| Some((bots()?, bots()?))).flatten();
            let policy = bots.map(|(bots, others)| Policy {
                rollout: Rollout::new(bots),
                bots: others,
            });
            policy.map(|policy| {
                let mut ready = self.ready.borrow_mut();
                ready.insert(name.to_owned(), policy);
            })
        });
        match made {
            Some(()) => Ok(()),
            None => {
                let known: Vec<&str> = names.collect();
                Err(unknown(name, "policy", &known))
            }
        }
    }

    pub(super) fn ask_policy(&self, name: &str, view: &View, options: &Options) -> Action {
        let mut ready = self.ready.borrow_mut();
        let bot = ready
            .get_mut(name)
            .and_then(|policy| policy.bots.get_mut(view.me().index()));
        let first = options.nth(0);
        let Some(bot) = bot else { return first };
        let stream = Stream::from_generator(self.rng.borrow().generator().clone());
        let action = memory::uncounted(|| {
            bot.start(view, stream);
            match bot.answer(view, options) {
                Ok(Answer::One(action)) => action,
                Ok(Answer::Steps(steps)) => steps.first().copied().unwrap_or(first),
                Err(_) => first,
            }
        });
        if options.admit(action).is_ok() {
            action
        } else {
            first
        }
    }

    pub(super) fn play_out(
        &self,
        name: &str,
        game: &mut Stepper,
        until: StopPoint,
    ) -> NativeResult<()> {
        let mut names = self.policies.names.iter();
        let times = names
            .find(|known| known.0 == name)
            .map_or(1, |known| known.1);
        let work = times * step_work(game.game().board());
        meter::afford(2 * work)?;
        let affordable = meter::left().saturating_mul(meter::WORK) / work;
        let left = Cell::new(affordable);
        let most = meter::left();
        let before = meter::all_ended();
        let seed = self.rng.borrow_mut().word();
        let halts = || {
            let spent = left.get() == 0 || meter::all_ended().wrapping_sub(before) > most;
            left.set(if spent { 0 } else { left.get() - 1 });
            spent
        };
        let mut ready = self.ready.borrow_mut();
        let Some(policy) = ready.get_mut(name) else {
            return fail("unknown policy");
        };
        // Only the resulting game belongs to the script. The game of the policies does not, and
        // neither does what they keep for later games.
        let played = memory::uncounted(|| {
            let mut played = game.clone();
            self.rules(|rules| (policy.rollout).play_in(&mut played, seed, rules, until, &halts))?;
            Ok::<_, Box<EvalAltResult>>(played)
        })?;
        *game = played.with_own_decisions();
        memory::uncounted(|| drop(played));
        meter::charge(match left.get() {
            // The game was stopped or is about to stop.
            0 => u64::MAX,
            left => (affordable - left).saturating_mul(work),
        });
        meter::check()
    }
}
