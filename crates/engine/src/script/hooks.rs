//! The hooks and their parameters. A hook is a function of a script that this program calls.

use self::HookParameter::{Action, Ask, Event, Facts, Game, Number, Offers, View};
use rhai_guard::ScriptFault;
use risk_text::plural::counted;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HookParameter {
    Game,
    /// The game, read-only.
    Facts,
    /// A player or a territory.
    Number,
    Offers,
    Action,
    View,
    Ask,
    Event,
}

/// A hook. For a hook of a phase, the name is the suffix after the phase's name, or a placeholder.
#[derive(Debug)]
pub(super) struct HookInfo {
    pub(super) name: &'static str,
    pub(super) takes: &'static [(&'static str, HookParameter)],
}

impl HookInfo {
    const fn new(name: &'static str, takes: &'static [(&'static str, HookParameter)]) -> Self {
        Self { name, takes }
    }

    pub(super) const fn parameters(&self) -> usize {
        self.takes.len()
    }

    /// Returns the signature: `setup(g)`.
    pub(super) fn usage(&self) -> String {
        self.written(self.name)
    }

    /// Returns the name of this hook for one phase: `attack_apply`.
    pub(super) fn of_phase(&self, phase: &str) -> String {
        format!("{phase}_{}", self.name)
    }

    /// Returns the fault of a function that has the name of this hook, but another number of
    /// parameters.
    pub(super) fn misfit(&self, code: &'static str, name: &str, found: usize) -> ScriptFault {
        let parameters = counted(self.parameters(), "parameter");
        let text = format!("the hook `{name}` must have {parameters}, found {found}");
        ScriptFault::new(code, text).help(format!("write `fn {}`", self.written(name)))
    }

    /// Returns the signature under a name: `attack_apply(g, me, said)`.
    pub(super) fn written(&self, name: &str) -> String {
        let parameters: Vec<&str> = self.takes.iter().map(|(name, _)| *name).collect();
        format!("{name}({})", parameters.join(", "))
    }
}

/// A function in one of a ruleset's files.
#[derive(Clone, Debug)]
pub(super) struct Hook {
    pub(super) file: usize,
    pub(super) name: String,
}

const G: (&str, HookParameter) = ("g", Game);
const LOOK: (&str, HookParameter) = ("g", Facts);
const ME: (&str, HookParameter) = ("me", Number);
const WHO: (&str, HookParameter) = ("who", Number);
const OUT: (&str, HookParameter) = ("out", Offers);
const VIEW: (&str, HookParameter) = ("view", View);
const ASK: (&str, HookParameter) = ("ask", Ask);

pub(super) const RULESET: HookInfo = HookInfo::new("ruleset", &[]);
pub(super) const SETUP: HookInfo = HookInfo::new("setup", &[G]);
/// The hook that returns the cards, called before a game exists. A function of `g` has the same
/// name.
pub(super) const CARDS: HookInfo = HookInfo::new("cards", &[LOOK]);
pub(super) const SCORE: HookInfo = HookInfo::new("score", &[LOOK, WHO]);
/// The hook that evaluates a position for bots that search. Games never call it.
pub(super) const WORTH: HookInfo = HookInfo::new("worth", &[LOOK, WHO]);
pub(super) const ON_CONQUEST: HookInfo = HookInfo::new("on_conquest", &[G, ME, ("at", Number)]);
pub(super) const ON_ELIMINATED: HookInfo =
    HookInfo::new("on_eliminated", &[G, ME, ("foe", Number)]);
pub(super) const ON_NEUTRAL: HookInfo = HookInfo::new("on_neutral", &[G, WHO]);
pub(super) const ON_EXHAUSTED: HookInfo = HookInfo::new("on_exhausted", &[G]);
pub(super) const ON_FAULT_OUT: HookInfo = HookInfo::new("on_fault_out", &[G, WHO]);
pub(super) const IMAGINE: HookInfo = HookInfo::new("imagine", &[G, ME]);
/// The hook that returns the chance of an attack, for rulesets whose scripts resolve fights.
pub(super) const CHANCE: HookInfo =
    HookInfo::new("chance", &[VIEW, ("from", Number), ("to", Number)]);

pub(super) const OF_RULES: [&HookInfo; 12] = [
    &RULESET,
    &SETUP,
    &CARDS,
    &SCORE,
    &WORTH,
    &ON_CONQUEST,
    &ON_ELIMINATED,
    &ON_NEUTRAL,
    &ON_EXHAUSTED,
    &ON_FAULT_OUT,
    &IMAGINE,
    &CHANCE,
];

pub(super) const ENTER: HookInfo = HookInfo::new("enter", &[G, ME]);
pub(super) const OPTIONS: HookInfo = HookInfo::new("options", &[LOOK, ME, OUT]);
pub(super) const APPLY: HookInfo = HookInfo::new("apply", &[G, ME, ("said", Action)]);
pub(super) const PLANS: HookInfo = HookInfo::new("plans", &[LOOK, ME, OUT]);

/// The hooks of a ruleset for each phase. Each hook is named by the suffix after the phase's name.
pub(super) const OF_PHASES: [&HookInfo; 4] = [&ENTER, &OPTIONS, &APPLY, &PLANS];

/// The hook of a ruleset for each standard phase that leaves orders to the script.
pub(super) const PLAY: HookInfo = HookInfo::new("play", &[G, ME, ("order", Action)]);

/// The functions that adapt a standard phase: the targets, the reason why an answer has no effect,
/// and the effect after an answer. The ruleset names them.
pub(super) const TARGETS: HookInfo = HookInfo::new("targets", &[LOOK, ME]);
pub(super) const VETO: HookInfo = HookInfo::new("veto", &[G, ME, ("said", HookParameter::Action)]);
pub(super) const AFTER: HookInfo =
    HookInfo::new("after", &[G, ME, ("said", HookParameter::Action)]);

pub(super) const ANSWER: HookInfo = HookInfo::new("answer", &[VIEW, ASK]);
pub(super) const NEW_GAME: HookInfo = HookInfo::new("new_game", &[VIEW]);
pub(super) const GAME_OVER: HookInfo = HookInfo::new("game_over", &[VIEW]);
pub(super) const SAW: HookInfo = HookInfo::new("saw", &[("event", Event)]);
/// The hook `saw` of a bot that also takes the view after the event.
pub(super) const SAW_WITH_VIEW: HookInfo = HookInfo::new("saw", &[("event", Event), VIEW]);

/// The hook that returns what a bot is after with its last answer. Games never call it.
pub(super) const AIM: HookInfo = HookInfo::new("aim", &[VIEW, ("action", Action)]);

/// The hook that returns a bot's settings, called before a game exists.
pub(super) const SETTINGS: HookInfo = HookInfo::new("settings", &[]);

pub(super) const OF_BOTS: [&HookInfo; 7] = [
    &ANSWER,
    &NEW_GAME,
    &GAME_OVER,
    &SAW,
    &SAW_WITH_VIEW,
    &AIM,
    &SETTINGS,
];

/// The hook of a bot that is named after a phase.
pub(super) const BOT_PHASE: HookInfo = HookInfo::new("PHASE", &[VIEW, ASK]);

/// Returns the names of all hooks of bots and rulesets. `PHASE` replaces the name of a phase.
#[must_use]
pub fn names() -> Vec<String> {
    let of_bots = OF_BOTS.into_iter().chain([&BOT_PHASE]);
    let fixed = of_bots.chain(OF_RULES).map(|hook| hook.name.to_owned());
    let mut fixed: Vec<String> = fixed.collect();
    // A hook with several signatures is listed once.
    fixed.dedup();
    fixed
        .into_iter()
        .chain(OF_PHASES.map(|hook| hook.of_phase("PHASE")))
        .chain([PLAY.of_phase("PHASE")])
        .collect()
}
