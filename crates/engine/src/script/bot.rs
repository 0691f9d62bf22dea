//! A bot that is a Rhai script.

use std::cell::RefCell;
use std::error::Error as _;
use std::rc::Rc;

use rhai::{Dynamic, INT, Map};

use super::TO_BIND;
use super::api::{
    self, ActionValue, AskValue, ImaginationContext, Policies, ReturnedValue, ScriptView,
};
use super::compile::{self, CompiledScript, Constants};
use super::engine::Sandbox;
use super::event_value::{self, EventMaps, EventValue};
use super::hooks::{self, HookInfo};
use super::sizes::sizes_of_bots;
use super::{RulesSource, Script, aims, lint, settings, syntax};
use crate::hosting::{HostedBot, Operations};
use rhai_guard::{Exceeded, ScriptFault, ScriptLimits, memory};
use risk_bots::fight_odds::FightOdds;
use risk_bots::{NextAnswer, Plan};
use risk_kernel::action::{Action, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, FaultKind};
use risk_kernel::id::{Phase, Verb};
use risk_kernel::odds::Fight;
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_kernel::{Aim, Answer, Bot, OptionalPhases, Plans, Preferences, RuleQueries};
use risk_text::suggest;

/// A bot written as a Rhai script. It plays one seat in the games of one thread.
pub struct ScriptBot {
    sandbox: Sandbox,
    file: CompiledScript,
    by_phase: Vec<Option<String>>,
    own_phases: Vec<Phase>,
    hooks: Vec<&'static HookInfo>,
    plans: bool,
    memory: Dynamic,
    plan: Plan,
    event_maps: EventMaps,
    rng: Rc<RefCell<Stream>>,
    chances: Rc<RefCell<FightOdds>>,
    room: Option<Rc<ImaginationContext>>,
    last_fault: Option<ScriptFault>,
    /// Whether the script was called for the last answer. Later steps of a plan need no call.
    was_asked: bool,
    operations: Operations,
    /// The options of the script's last decision. The next decision reuses their memory.
    asked: Rc<Options>,
}

impl ScriptBot {
    /// Compiles a bot for the ruleset in use.
    ///
    /// # Errors
    /// Returns the fault in the script.
    pub fn new(
        script: &Script,
        decl: &Declaration,
        territories: usize,
        players: usize,
        fight: Option<Fight>,
        limits: &ScriptLimits,
    ) -> Result<Self, Vec<ScriptFault>> {
        limits.check_memory()?;
        let mut sandbox = Sandbox::new(limits, super::api::name_types);
        let (array, map) = sizes_of_bots(territories);
        sandbox.engine.set_max_array_size(array);
        sandbox.engine.set_max_map_size(map);
        sandbox.share(TO_BIND);
        api::register_bots(&mut sandbox.engine);
        let mut constants = constants(territories, players);
        constants.extend(settings::constants(script)?);
        let file = compile::compile(&mut sandbox, script, &constants, &[])?;
        check_api(&file)?;
        check_names(&file, decl)?;
        let has = |hook: &HookInfo, name: &str| file.has(name, hook.parameters());
        let mut hooks = hooks::OF_BOTS.to_vec();
        hooks.retain(|hook| has(hook, hook.name) && hook.name != hooks::SETTINGS.name);
        let of_phase = |name: &str| has(&hooks::BOT_PHASE, name).then(|| name.to_owned());
        let by_phase = decl.phases.iter().map(|phase| of_phase(&phase.name));
        let by_phase: Vec<_> = by_phase.collect();
        if !has(&hooks::ANSWER, hooks::ANSWER.name) && by_phase.iter().all(Option::is_none) {
            return Err(no_answer(script, decl).into());
        }
        let called = syntax::call_names(&file.ast);
        let plans = ["plans", "random_plan", "has_plan"]
            .iter()
            .any(|name| called.contains(*name));
        Ok(Self {
            sandbox: sandbox.finish_setup(),
            file,
            plans,
            own_phases: named(&by_phase),
            by_phase,
            hooks,
            memory: Dynamic::from_map(Map::new()),
            plan: Plan::default(),
            event_maps: EventMaps::default(),
            rng: Rc::new(RefCell::new(Stream::new(0, 0, Purpose::Player(0)))),
            chances: Rc::new(RefCell::new(FightOdds::by_tables(fight))),
            room: None,
            last_fault: None,
            was_asked: true,
            operations: Operations::default(),
            asked: Rc::default(),
        })
    }

    #[must_use]
    pub(crate) fn imagines_by(mut self, rules: &RulesSource, policies: &'static Policies) -> Self {
        let fight = self.chances.borrow_mut().by_numbers().cloned();
        self.chances.replace(rules.chances(fight));
        self.room = Some(ImaginationContext::new(
            rules.clone(),
            policies,
            Rc::clone(&self.rng),
            Rc::clone(&self.chances),
            self.plans,
            self.own_phases.clone(),
        ));
        self
    }

    /// Reports whether the script has the hook `saw(event, view)`, which takes a view.
    #[must_use]
    pub fn watches(&self) -> bool {
        self.has(&hooks::SAW_WITH_VIEW)
    }

    /// Passes an event to the script. `view` is the position after the event. A script whose hook
    /// `saw` takes a view receives no event without a view.
    pub fn hear(&mut self, event: Vec<(impl AsRef<str>, EventValue)>, view: Option<&View>) {
        let map = self.event_maps.filled(event);
        let event = Dynamic::from_map(map);
        match view {
            Some(view) if self.watches() => {
                let view = Dynamic::from(self.looked_at(view));
                self.notify(&hooks::SAW_WITH_VIEW, (event, view));
            }
            _ => self.notify(&hooks::SAW, (event,)),
        }
    }

    /// Returns the names of the script's functions that this program calls in games.
    #[must_use]
    pub fn hook_names(&self) -> Vec<String> {
        let in_games = |hook: &&&HookInfo| hook.name != hooks::AIM.name;
        let hooks = self.hooks.iter().filter(in_games);
        let hooks = hooks.map(|hook| hook.name.to_owned());
        hooks
            .chain(self.by_phase.iter().flatten().cloned())
            .collect()
    }

    /// Returns all errors and unused parts in the script that can be found without running it.
    #[must_use]
    pub fn lints(&self, script: &Script, decl: &Declaration) -> Vec<ScriptFault> {
        lint::bot(&self.sandbox.engine, script, decl, &event_value::keys())
    }

    fn script_view(&self, view: &View) -> ScriptView {
        ScriptView {
            view: view.clone(),
            rng: Some(Rc::clone(&self.rng)),
            chances: Rc::clone(&self.chances),
            room: self.room.clone(),
        }
    }

    /// Returns a view for a call outside a decision. It can't imagine games, because no imagined
    /// game can continue from the middle of an action.
    fn looked_at(&self, view: &View) -> ScriptView {
        ScriptView {
            room: None,
            ..self.script_view(view)
        }
    }

    fn call(&mut self, name: &str, args: impl rhai::FuncArgs) -> Result<Dynamic, ScriptFault> {
        let ast = &self.file.ast;
        let result = self.sandbox.call(ast, name, Some(&mut self.memory), args);
        result.map_err(|error| {
            ScriptFault::of_running(&error, &self.file.sources, name, self.sandbox.budget())
        })
    }

    fn has(&self, hook: &HookInfo) -> bool {
        self.hooks
            .iter()
            .any(|has| has.name == hook.name && has.parameters() == hook.parameters())
    }

    fn notify(&mut self, hook: &HookInfo, args: impl rhai::FuncArgs) {
        if !self.has(hook) {
            return;
        }
        let before = memory::held();
        if let Err(fault) = self.call(hook.name, args) {
            // The fault is reported at the bot's next decision.
            self.last_fault.get_or_insert(fault);
        }
        self.operations.listen(self.sandbox.spent());
        self.sandbox.keep(before);
    }

    /// Returns the number of bytes that the script uses between calls in this game.
    #[must_use]
    pub fn kept(&self) -> i64 {
        self.sandbox.kept()
    }

    /// Returns the number of operations of the last call.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.sandbox.spent()
    }

    fn read(
        &mut self,
        returned: &Dynamic,
        view: &View,
        options: &Options,
    ) -> Result<Answer, String> {
        match ReturnedValue::of(returned) {
            Some(ReturnedValue::Action(action)) => return Ok(Answer::One(action)),
            Some(ReturnedValue::Plan(plan)) => {
                self.plan = plan;
                return match self.plan.next(view, &mut &*options) {
                    NextAnswer::Answer(action) => Ok(Answer::One(action)),
                    NextAnswer::Later | NextAnswer::Nothing => {
                        Err("the plan has no legal step for this decision".to_owned())
                    }
                };
            }
            Some(ReturnedValue::Steps(steps)) => {
                return steps.map(Answer::Steps).ok_or_else(|| {
                    "an answer that is an array must contain only actions".to_owned()
                });
            }
            None => {}
        }
        let verbs = (0..view.decl().verbs.len()).map(Verb::from_index);
        let offered = verbs.into_iter().find(|&verb| options.has(verb));
        let words = Words::new(view.board(), view.decl());
        let usage = offered.map_or_else(String::new, |verb| words.usage(verb));
        Err(format!(
            "expected an action (for example `{usage}`), an array of actions or a plan, found {}",
            api::kind(returned)
        ))
    }
}

fn no_answer(script: &Script, decl: &Declaration) -> ScriptFault {
    let phases = decl.phases.iter().map(|phase| phase.name.as_str());
    let phases = phases.collect::<Vec<_>>().join(", ");
    let text = format!(
        "{} has neither a function `answer(view, ask)` nor one for a phase of {}",
        script.source.name, decl.name
    );
    let help = format!(
        "write `fn answer(view, ask) {{ … }}`, or a function for one of the phases {phases}"
    );
    ScriptFault::new("bot::no-answer", text).help(help)
}

fn named(by_phase: &[Option<String>]) -> Vec<Phase> {
    let named = (0..by_phase.len()).filter(|&phase| by_phase[phase].is_some());
    named.map(Phase::from_index).collect()
}

fn constants(territories: usize, players: usize) -> Constants {
    let numbers = [
        ("TERRITORIES", territories as INT),
        ("PLAYERS", players as INT),
        ("NOBODY", -1),
        ("TABLE", -1),
    ];
    numbers
        .map(|(name, number)| (name.to_owned(), number.into()))
        .into()
}

/// Checks the API version that the bot was written for, if the bot declares it: `const API = 1;`.
fn check_api(file: &CompiledScript) -> Result<(), ScriptFault> {
    let Some((value, position)) = syntax::constant(&file.ast, "API") else {
        return Ok(());
    };
    match super::api_fault(value) {
        Some(fault) => Err(fault.at(&file.sources[0], position)),
        None => Ok(()),
    }
}

/// Returns an error if a function that is never called has a name similar to a hook or a phase.
fn check_names(file: &CompiledScript, decl: &Declaration) -> Result<(), ScriptFault> {
    let called = syntax::call_names(&file.ast);
    let phases = decl
        .phases
        .iter()
        .map(|phase| (phase.name.as_str(), &hooks::BOT_PHASE));
    let known: Vec<(&str, &HookInfo)> = hooks::OF_BOTS
        .map(|hook| (hook.name, hook))
        .into_iter()
        .chain(phases)
        .collect();
    let fits = |name: &str, parameters: usize| {
        let mut hooks = known.iter().filter(|(hook, _)| *hook == name);
        hooks.any(|(_, hook)| hook.parameters() == parameters)
    };
    for (name, parameters) in file.functions() {
        let exact = known.iter().find(|(hook, _)| *hook == name);
        let near = suggest::nearest(&name, known.iter().map(|(hook, _)| *hook));
        let fault = match (exact, near) {
            (Some(_), _) if fits(&name, parameters) || called.contains(&name) => continue,
            (Some((_, hook)), _) => hook.misfit("bot::hook-parameters", &name, parameters),
            (None, Some(near)) if !called.contains(&name) => ScriptFault::new(
                "bot::unknown-hook",
                format!("no hook or phase named `{name}`"),
            )
            .help(format!("did you mean `{near}`?")),
            _ => continue,
        };
        let source = &file.sources[0];
        return Err(fault.at(source, rhai_guard::function_position(source, &name)));
    }
    Ok(())
}

impl Bot for ScriptBot {
    fn start(&mut self, view: &View, rng: Stream) {
        *self.rng.borrow_mut() = rng;
        self.memory = Dynamic::from_map(Map::new());
        self.sandbox.forget();
        if let Some(room) = &self.room {
            room.forget();
        }
        self.plan = Plan::default();
        self.last_fault = None;
        self.operations = Operations::default();
        let view = Dynamic::from(self.looked_at(view));
        self.notify(&hooks::NEW_GAME, (view,));
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        // The engine owns this memory. The memory counted for a script thus does not depend on
        // earlier games.
        if let Some(asked) = Rc::get_mut(&mut self.asked) {
            asked.clone_from(options);
        }
        let before = memory::held();
        let answer = self.decide(view, options);
        // The script does not own the memory of the returned answer.
        let handed_on = match &answer {
            Ok(Answer::Steps(steps)) => steps.capacity() * size_of::<Action>(),
            Ok(Answer::One(_)) => 0,
            Err(fault) => size_of_fault(fault),
        };
        self.sandbox.keep(before + handed_on as i64);
        answer
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        if self.plan.is_empty() || self.last_fault.is_some() {
            return None;
        }
        match self.plan.next(view, rules) {
            NextAnswer::Answer(action) => {
                self.was_asked = false;
                Some(action)
            }
            NextAnswer::Later | NextAnswer::Nothing => None,
        }
    }

    fn aim(&mut self, view: &View, action: Action) -> Result<Option<Aim>, BotFault> {
        if !self.has(&hooks::AIM) {
            return Ok(None);
        }
        let seen = self.looked_at(view);
        let action = ActionValue::new(action, view.decl());
        // The bot gives the same answers whether it is asked for its aim or not.
        let memory = self.memory.clone();
        let rng = self.rng.borrow().clone();
        let returned = self.call(hooks::AIM.name, (seen, action));
        self.memory = memory;
        *self.rng.borrow_mut() = rng;
        aims::read(returned.map_err(broken)?, view)
            .map_err(|text| BotFault::strike(FaultKind::Illegal, text))
    }

    fn preferences(&self) -> Preferences<'_> {
        Preferences {
            plans: if self.plans {
                Plans::Beside
            } else {
                Plans::Ignored
            },
            optional: OptionalPhases::These(&self.own_phases),
            listens: self.has(&hooks::SAW) || self.watches(),
        }
    }

    fn saw(&mut self, view: &View, event: &Event) {
        self.hear(event_value::values(view, event), Some(view));
    }

    fn finish(&mut self, view: &View, _: &[i64], _: Option<&Outcome>) {
        let view = Dynamic::from(self.looked_at(view));
        self.notify(&hooks::GAME_OVER, (view,));
    }
}

impl HostedBot for ScriptBot {
    fn was_asked(&self) -> bool {
        self.was_asked
    }

    fn operations(&self) -> Option<&Operations> {
        Some(&self.operations)
    }
}

impl ScriptBot {
    fn decide(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        if !self.plan.is_empty()
            && let NextAnswer::Answer(action) = self.plan.next(view, &mut &*options)
            && options.admit(action).is_ok()
        {
            self.was_asked = false;
            return Ok(Answer::One(action));
        }
        self.was_asked = true;
        if let Some(fault) = self.last_fault.take() {
            return Err(broken(fault));
        }
        let phase = view.frame().map_or(usize::MAX, |frame| frame.phase.index());
        let name = match self.by_phase.get(phase).cloned().flatten() {
            Some(name) => name,
            None if self.has(&hooks::ANSWER) => hooks::ANSWER.name.to_owned(),
            None => {
                let phase = view.decl().phases.get(phase);
                let phase = phase.map_or("?", |phase| phase.name.as_str());
                let text =
                    format!("the bot has no function `{phase}(view, ask)` or `answer(view, ask)`");
                return Err(BotFault::strike(FaultKind::Script, text));
            }
        };
        if Rc::get_mut(&mut self.asked).is_none() {
            // The script still refers to the options of an earlier decision, so they count as its
            // memory.
            self.asked = Rc::new(options.clone());
        }
        let seen = self.script_view(view);
        let asked = AskValue::new(Rc::clone(&self.asked), seen.clone());
        let returned = self.call(&name, (seen, asked));
        self.operations.answer(self.sandbox.spent());
        let returned = returned.map_err(|fault| self.broken(fault))?;
        self.read(&returned, view, options)
            .map_err(|text| BotFault::strike(FaultKind::Illegal, text))
    }
}

impl ScriptBot {
    /// Converts a fault in a decision. If the ruleset failed in an imagined game, the fault is not
    /// the bot's.
    fn broken(&self, fault: ScriptFault) -> BotFault {
        let room = self.room.as_ref();
        let by_rules = room.is_some_and(|room| room.take_failure(&fault.text));
        match broken(fault) {
            BotFault::Strike { text, source, .. } if by_rules => BotFault::Strike {
                kind: FaultKind::Rules,
                text,
                source,
            },
            other => other,
        }
    }
}

impl std::fmt::Debug for ScriptBot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ScriptBot")
            .field("source", &self.file.sources[0].name)
            .finish_non_exhaustive()
    }
}

/// Converts a fault in a script into the fault of its bot.
fn broken(fault: ScriptFault) -> BotFault {
    let kind = if fault.exceeded.is_some_and(Exceeded::is_budget) {
        FaultKind::Budget
    } else {
        FaultKind::Script
    };
    let line = fault.place.as_ref().map_or_else(String::new, |place| {
        format!("{}:{}:{}: ", place.source.name, place.line, place.column)
    });
    let text = format!("{line}{fault}");
    BotFault::from_error(kind, text, fault)
}

/// Returns the memory of a returned fault, measured on a copy.
fn size_of_fault(fault: &BotFault) -> usize {
    let before = memory::held();
    let text = fault.to_string();
    let report = fault
        .source()
        .and_then(|source| source.downcast_ref::<ScriptFault>().cloned().map(Box::new));
    let size = memory::held() - before;
    drop((text, report));
    usize::try_from(size).unwrap_or(0)
}
