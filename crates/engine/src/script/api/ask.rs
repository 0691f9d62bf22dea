//! The object `ask` of a bot, and the plans that a bot may return as an answer.

use std::rc::Rc;
use std::sync::Arc;

use rhai::{Array, Dynamic, INT, ImmutableString};

use super::{BYTE, NativeResult, action_of, fail, int, number, numbers, verb_named};
use crate::script::api::actions::ActionValue;
use crate::script::api::view::ScriptView;
use crate::script::meter;
use crate::script::sizes::sizes_of_bots;
use rhai_guard::Natives;
use risk_bots::{FightRules, Plan};
use risk_kernel::action::{Action, Bounds, Domain, Offer, Options};
use risk_kernel::declare::{Declaration, SlotKind};
use risk_kernel::id::{Territory, Verb};
use risk_text::suggest;

/// The question to a bot.
#[derive(Clone)]
pub(crate) struct AskValue {
    pub(crate) options: Rc<Options>,
    pub(crate) decl: Arc<Declaration>,
    /// The view of the player who is asked.
    pub(crate) seen: ScriptView,
}

impl AskValue {
    pub(crate) fn new(options: Rc<Options>, seen: ScriptView) -> Self {
        Self {
            options,
            decl: Arc::clone(seen.view.decl()),
            seen,
        }
    }

    fn territories(&self) -> usize {
        self.seen.view.board().len()
    }

    /// Draws a random number below `count`.
    fn draw(&self, count: u64) -> u64 {
        let rng = self.seen.rng.as_ref();
        rng.map_or(0, |rng| rng.borrow_mut().below(count))
    }

    fn value(&self, action: Action) -> ActionValue {
        ActionValue::new(action, &self.decl)
    }

    /// Returns the verb with this name, or `None` if the game has no such verb. A missing verb is
    /// allowed because a bot may support several games. A name similar to one of the game's verbs
    /// is an error.
    fn known(&self, name: &str) -> NativeResult<Option<Verb>> {
        if let Some(verb) = self.decl.verb(name) {
            return Ok(Some(verb));
        }
        let verbs = self.decl.verbs.iter().map(|verb| verb.name.as_str());
        let work = super::SUGGEST * suggest::work(name, verbs.clone());
        meter::afford(work + BYTE * name.len() as u64)?;
        let near = suggest::nearest(name, verbs);
        if near.is_some() {
            verb_named(&self.decl, name).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Returns the whole actions and their number, restricted to those with a step of the verb
    /// `name` if it is given. If a phase has no plans, its options are its whole actions.
    fn whole(&self, name: Option<&str>) -> NativeResult<(Options, u64)> {
        meter::afford(self.options.weight() as u64)?;
        let mut options = Options::clone(&self.options);
        if options.plans() == 0 {
            options.plan_options();
        }
        if let Some(name) = name {
            let verb = verb_named(&self.decl, name)?;
            options.keep_plans(|steps| steps.iter().any(|step| step.verb == verb));
        }
        let count = options.plans();
        Ok((options, count))
    }

    /// Returns the maximum number of elements of an array of the bot, including nested arrays.
    fn longest_array(&self) -> usize {
        sizes_of_bots(self.territories()).0
    }

    fn steps(&self, options: &Options, which: u64) -> Dynamic {
        options
            .nth_plan(which)
            .into_iter()
            .map(|step| Dynamic::from(self.value(step)))
            .collect::<Array>()
            .into()
    }

    fn plans(&self, name: Option<&str>) -> NativeResult<Array> {
        let (options, count) = self.whole(name)?;
        let longest = self.longest_array();
        let too_many = || {
            fail(format!(
                "too many plans to list: an array has at most {longest} elements, counting the \
                 steps of the plans; use `ask.random_plan` or `ask.random`"
            ))
        };
        if count > longest as u64 {
            return too_many();
        }
        meter::afford(count.saturating_mul(options.weight() as u64) / 4)?;
        let mut plans = Array::new();
        let mut elements = 0;
        for which in 0..count {
            meter::check_memory()?;
            let steps = self.steps(&options, which);
            elements += 1 + steps.read_lock::<Array>().map_or(0, |steps| steps.len());
            if elements > longest {
                return too_many();
            }
            plans.push(steps);
        }
        Ok(plans)
    }

    fn has_plan(&self, name: &str) -> NativeResult<bool> {
        Ok(self.known(name)?.is_some() && self.whole(Some(name))?.1 > 0)
    }

    fn random_plan(&self, name: Option<&str>) -> NativeResult<Dynamic> {
        let (options, count) = self.whole(name)?;
        if count == 0 {
            return fail(format!(
                "no plan has `{}`: check `has_plan` first",
                name.unwrap_or_default()
            ));
        }
        Ok(self.steps(&options, self.draw(count)))
    }

    /// Lists the actions of a verb, with all counts or only the highest count.
    fn list(&self, name: &str, all_counts: bool) -> NativeResult<Array> {
        let wanted = verb_named(&self.decl, name)?;
        let kinds: Vec<SlotKind> = self.decl.verbs[wanted.index()]
            .slots
            .iter()
            .map(|slot| slot.1)
            .collect();
        let narrow = |offer: &Offer| {
            let slots = offer.slots().iter().zip(&kinds);
            let slots: Vec<Domain> = slots
                .map(|(&slot, &kind)| match slot {
                    Domain::Span { low, high }
                        if kind == SlotKind::Count && !all_counts && low <= high =>
                    {
                        Domain::Is(high)
                    }
                    slot => slot,
                })
                .collect();
            Offer::new(wanted, &slots)
        };
        meter::afford(self.options.offers().len() as u64)?;
        let offers = self.options.offers().iter();
        let offers: Vec<Offer> = offers
            .filter(|offer| offer.verb == wanted)
            .map(narrow)
            .collect();
        let sizes = offers.iter().map(|offer| self.options.offer_len(offer));
        let size = sizes.fold(0, u64::saturating_add);
        let longest = self.longest_array();
        if size > longest as u64 {
            let most = if all_counts { "`ask.most`, " } else { "" };
            return fail(format!(
                "`{name}` has {size} options, and an array at most {longest} elements: use \
                 {most}`ask.act` with `ask.limit`, `ask.nth` or `ask.random`"
            ));
        }
        meter::afford(4 * (offers.len() as u64 + size))?;
        let actions = offers.iter().flat_map(|offer| {
            (0..self.options.offer_len(offer))
                .map(|number| self.options.nth_of(offer, &mut { number }))
        });
        Ok(actions
            .map(|action| Dynamic::from(self.value(action)))
            .collect())
    }
}

#[derive(Clone)]
pub(crate) struct PlanValue(pub(crate) Plan);

/// What a script may return as its answer.
pub(crate) enum ReturnedValue {
    Action(Action),
    Plan(Plan),
    /// An array, or `None` if it contains anything but actions.
    Steps(Option<Vec<Action>>),
}

impl ReturnedValue {
    pub(crate) fn of(value: &Dynamic) -> Option<Self> {
        let action = |value: Dynamic| Some(value.try_cast::<ActionValue>()?.action());
        if let Some(action) = action(value.clone()) {
            return Some(Self::Action(action));
        }
        if let Some(plan) = value.clone().try_cast::<PlanValue>() {
            return Some(Self::Plan(plan.0));
        }
        let steps = value.clone().try_cast::<Array>()?;
        Some(Self::Steps(steps.into_iter().map(action).collect()))
    }
}

/// Registers a function that takes the name of a verb and these numbers of integers.
macro_rules! register_by_verb {
    ($engine:ident, $name:literal, $call:ident: $([$($value:ident),*])*) => {$(
        $engine.register_fn(
            $name,
            |it: &mut AskValue, verb: ImmutableString, $($value: INT),*| {
                $call(it, &verb, &[$($value),*])
            },
        );
    )*};
}

pub(super) fn register(engine: &mut Natives) {
    engine.register_type_with_name::<AskValue>("Ask");
    engine.register_type_with_name::<PlanValue>("Plan");
    engine.register_fn("then", |first: &mut PlanValue, second: ActionValue| {
        then(first, Plan::say(second.decl(), second.action()))
    });
    engine.register_fn("then", |first: &mut PlanValue, second: PlanValue| {
        then(first, second.0)
    });
    options(engine);
    whole_actions(engine);
    register_by_verb!(engine, "act", act: [] [a] [a, b] [a, b, c] [a, b, c, d]);
    register_by_verb!(engine, "act_most", act_most: [a] [a, b] [a, b, c]);
    fights(engine);
}

/// Concatenates two plans, and charges for copying both.
fn then(first: &PlanValue, second: Plan) -> PlanValue {
    meter::charge((first.0.len() + second.len()) as u64);
    PlanValue(first.0.clone().then(second))
}

fn options(engine: &mut Natives) {
    engine.register_get("len", |it: &mut AskValue| {
        it.options.len().min(INT::MAX as u64) as INT
    });
    engine.register_fn("nth", |it: &mut AskValue, which: INT| {
        match u64::try_from(which) {
            Ok(which) if which < it.options.len() => {
                meter::charge(it.options.offers().len() as u64 / 2);
                Ok(it.value(it.options.nth(which)))
            }
            _ => fail(format!(
                "no option {which}: expected 0 to {}",
                it.options.len() - 1
            )),
        }
    });
    engine.register_fn("random", |it: &mut AskValue| {
        let which = it.draw(it.options.len());
        meter::charge(it.options.offers().len() as u64 / 2);
        it.value(it.options.nth(which))
    });
    engine.register_fn("has", |it: &mut AskValue, name: ImmutableString| {
        meter::charge(it.options.offers().len() as u64 / 8);
        let known = it.known(&name);
        known.map(|verb| verb.is_some_and(|verb| it.options.has(verb)))
    });
    engine.register_fn("options", |it: &mut AskValue, name: ImmutableString| {
        it.list(&name, true)
    });
    engine.register_fn("most", |it: &mut AskValue, name: ImmutableString| {
        it.list(&name, false)
    });
    // The maximum of a verb's last parameter for the given parameters before it; -1 if not offered.
    register_by_verb!(engine, "limit", limit: [a] [a, b] [a, b, c]);
}

fn whole_actions(engine: &mut Natives) {
    // Each whole action is an array of steps.
    engine.register_fn("plans", |it: &mut AskValue| it.plans(None));
    engine.register_fn("plans", |it: &mut AskValue, name: ImmutableString| {
        it.plans(Some(&name))
    });
    // All plans are equally likely.
    engine.register_fn("random_plan", |it: &mut AskValue| it.random_plan(None));
    engine.register_fn("random_plan", |it: &mut AskValue, name: ImmutableString| {
        it.random_plan(Some(&name))
    });
    engine.register_fn("has_plan", |it: &mut AskValue, name: ImmutableString| {
        it.has_plan(&name)
    });
}

fn fights(engine: &mut Natives) {
    // Attacks until the territory is captured, fewer than `keep` armies may fight, or the attacker
    // no longer has `edge` more armies than the defender. After a capture, `move_in` armies move in
    // (-1: as many as possible).
    engine.register_fn(
        "fight",
        |it: &mut AskValue, from: INT, to: INT, rules: rhai::Map| -> NativeResult<PlanValue> {
            fight(it, from, to, fight_rules(&rules)?)
        },
    );
    engine.register_fn("fight", |it: &mut AskValue, from: INT, to: INT| {
        fight(it, from, to, FightRules::default())
    });
    // Fights by these rules until no such fight is possible. The first fight in map order comes
    // first.
    engine.register_fn(
        "fights",
        |it: &mut AskValue, rules: rhai::Map| -> NativeResult<PlanValue> {
            Ok(PlanValue(Plan::fights(&it.decl, fight_rules(&rules)?)))
        },
    );
}

fn act(ask: &AskValue, name: &str, args: &[INT]) -> NativeResult<ActionValue> {
    let verb = verb_named(&ask.decl, name)?;
    Ok(ask.value(action_of(&ask.decl, verb, args)?))
}

fn fight(ask: &AskValue, from: INT, to: INT, rules: FightRules) -> NativeResult<PlanValue> {
    let territory =
        |at: INT| super::index(at, ask.territories(), "territory").map(Territory::from_index);
    Ok(PlanValue(Plan::fight(
        &ask.decl,
        territory(from)?,
        territory(to)?,
        rules,
    )))
}

fn limit(ask: &AskValue, name: &str, given: &[INT]) -> NativeResult<INT> {
    let Some(verb) = ask.known(name)? else {
        return Ok(-1);
    };
    let given = numbers(given)?;
    meter::charge(ask.options.weight() as u64 / 2);
    match ask.options.bounds_of(verb, &given) {
        Bounds::Span { low, high } if low <= high => Ok(int(high)),
        _ => Ok(-1),
    }
}

fn act_most(ask: &AskValue, name: &str, given: &[INT]) -> NativeResult<ActionValue> {
    let most = limit(ask, name, given)?.max(0);
    act(ask, name, &[given, &[most]].concat())
}

fn fight_rules(map: &rhai::Map) -> NativeResult<FightRules> {
    let mut rules = FightRules::default();
    for (key, value) in map {
        meter::afford(BYTE * key.len() as u64)?;
        let Ok(value) = value.as_int() else {
            return fail(format!("`{key}` of a fight must be an integer"));
        };
        match key.as_str() {
            "keep" => rules.keep = number(value)?,
            "edge" => rules.edge = Some(number(value)?),
            "move_in" => rules.move_in = number(value)?,
            other => {
                let names = ["keep", "edge", "move_in"];
                return fail(format!(
                    "unknown rule `{other}` of a fight; {}",
                    risk_text::suggest::help(other, names)
                ));
            }
        }
    }
    Ok(rules)
}
