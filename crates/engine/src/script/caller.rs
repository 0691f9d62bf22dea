//! Calls a ruleset's hooks.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Dynamic, INT};

use super::adaptation::Adaptation;
use super::api::{self, ActionValue, EntityCounts, GameHandle, Offers, ScriptView};
use super::compile::CompiledScript;
use super::engine::Sandbox;
use super::hooks::{self, Hook};
use rhai_guard::{ScriptFault, memory};
use risk_bots::fight_odds::FightOdds;
use risk_kernel::action::{Action, Options};
use risk_kernel::fault::{RuleFault, RuleResult};
use risk_kernel::id::{self, Player, Territory};
use risk_kernel::odds::Fight;
use risk_kernel::phases::{Asked, ExecutionState, Hooks};
use risk_kernel::state::GameState;
use risk_kernel::view::{Facts, View};

#[derive(Debug, Default)]
pub(super) struct GameHooks {
    pub(super) setup: Option<Hook>,
    pub(super) score: Option<Hook>,
    pub(super) worth: Option<Hook>,
    pub(super) on_conquest: Option<Hook>,
    pub(super) on_eliminated: Option<Hook>,
    pub(super) on_neutral: Option<Hook>,
    pub(super) on_exhausted: Option<Hook>,
    pub(super) on_fault_out: Option<Hook>,
    pub(super) imagine: Option<Hook>,
    pub(super) chance: Option<Hook>,
}

pub(super) struct HookCaller {
    pub(super) sandbox: Sandbox,
    pub(super) files: Vec<CompiledScript>,
    pub(super) hooks: GameHooks,
    /// For each phase, the hook that executes the orders of a standard phase.
    pub(super) plays: Vec<Option<Hook>>,
    /// What the ruleset changes in each standard phase, if anything.
    pub(super) adaptations: Vec<Option<Rc<Adaptation>>>,
    /// A handle that contains the real game while a hook changes it, and a spare game at other
    /// times.
    pub(super) handle: GameHandle,
    pub(super) offers: Offers,
    /// Memory for the options of adapted phases.
    pub(super) spare: RefCell<Options>,
    /// The fights by the ruleset's tables, for the hook `chance`.
    pub(super) chances: Rc<RefCell<FightOdds>>,
}

impl HookCaller {
    pub(super) fn call(&self, hook: &Hook, args: impl rhai::FuncArgs) -> RuleResult<Dynamic> {
        let file = &self.files[hook.file];
        self.sandbox
            .call(&file.ast, &hook.name, None, args)
            .map_err(|error| {
                let fault = ScriptFault::of_running(
                    &error,
                    &file.sources,
                    &hook.name,
                    self.sandbox.budget(),
                );
                RuleFault::from_error(fault)
            })
    }

    /// Calls the hook `chance`, which can't draw random numbers or imagine games.
    pub(super) fn chance(
        &self,
        hook: &Hook,
        view: &View,
        from: Territory,
        to: Territory,
    ) -> RuleResult<f64> {
        let look = ScriptView {
            view: view.clone(),
            rng: None,
            chances: Rc::clone(&self.chances),
            room: None,
        };
        let returned = self.call(hook, (look, INT::from(from.0), INT::from(to.0)))?;
        let number = returned.as_float().ok();
        let number = number.or_else(|| returned.as_int().ok().map(|whole| whole as f64));
        let chance = number.filter(|it| (0.0..=1.0).contains(it));
        chance.ok_or_else(|| {
            let found = number.map_or_else(|| api::kind(&returned).to_owned(), |it| it.to_string());
            let usage = hooks::CHANCE.usage();
            let text = format!("`{usage}` must return a number from 0 to 1, found {found}");
            self.wrong_result(hook, "ruleset::chance", text)
        })
    }

    /// Returns the fault of a hook that must return something else.
    pub(super) fn wrong_result(&self, hook: &Hook, code: &'static str, text: String) -> RuleFault {
        let source = &self.files[hook.file].sources[0];
        let place = rhai_guard::function_position(source, &hook.name);
        RuleFault::from_error(ScriptFault::new(code, text).at(source, place))
    }

    /// Calls a hook that returns a number for a player.
    pub(super) fn number(&self, hook: &Hook, game: &Facts, player: Player) -> RuleResult<i64> {
        let value = self.call(hook, (game.clone(), INT::from(player.0)))?;
        value.as_int().map_err(|_| {
            let kind = api::kind(&value);
            let text = format!("`{}` must return an integer, found {kind}", hook.name);
            self.wrong_result(hook, "ruleset::failed", text)
        })
    }

    pub(super) fn fill(
        &self,
        hook: Option<&Hook>,
        asked: Asked<'_>,
        plans: bool,
        out: &mut Options,
    ) -> RuleResult {
        let Some(hook) = hook else { return Ok(()) };
        let Asked { game, player, .. } = asked;
        let offers = self.offers.clone();
        std::mem::swap(out, &mut offers.options.borrow_mut());
        offers.counts.set(EntityCounts::new(game));
        offers.fills.replace(Some((Arc::clone(game.decl()), plans)));
        let result = self.call(hook, (game.clone(), INT::from(player.0), offers.clone()));
        offers.fills.replace(None);
        std::mem::swap(out, &mut offers.options.borrow_mut());
        result.map(drop)
    }

    /// Calls a hook that changes the game. The script's handle contains the game during the call.
    pub(super) fn change<const N: usize>(
        &self,
        hook: &Hook,
        game: &mut GameState,
        args: [Dynamic; N],
    ) -> RuleResult<Dynamic> {
        std::mem::swap(game, &mut self.handle.0.borrow_mut());
        let mut all = Vec::with_capacity(N + 1);
        all.push(Dynamic::from(self.handle.clone()));
        all.extend(args);
        let result = self.call(hook, all);
        std::mem::swap(game, &mut self.handle.0.borrow_mut());
        result
    }

    /// Calls a hook that changes the game, if the ruleset has it.
    pub(super) fn run<const N: usize>(
        &self,
        hook: Option<&Hook>,
        game: &mut GameState,
        args: [Dynamic; N],
    ) -> RuleResult {
        hook.map_or(Ok(()), |hook| self.change(hook, game, args).map(drop))
    }
}

/// Excludes the tables of chances from the memory of the script whose call fills them. The tables
/// outlive the call, and other scripts use them as well.
pub(super) fn uncounted(fight: Fight) -> Fight {
    fight.filled_by(|fill| memory::uncounted(fill))
}

pub(super) fn seat(player: Option<Player>) -> Dynamic {
    player.map_or(-1, |player| INT::from(player.0)).into()
}

impl Hooks for HookCaller {
    fn on_conquest(&mut self, game: &mut GameState, me: Player, at: Territory) -> RuleResult {
        let args = [seat(Some(me)), INT::from(at.0).into()];
        self.run(self.hooks.on_conquest.as_ref(), game, args)
    }

    fn on_exhausted(&mut self, game: &mut GameState) -> RuleResult {
        self.run(self.hooks.on_exhausted.as_ref(), game, [])
    }

    fn refusal(
        &mut self,
        game: &mut GameState,
        phase: id::Phase,
        me: Player,
        order: Action,
    ) -> RuleResult<Option<String>> {
        match self.adaptations[phase.index()].as_deref() {
            Some(adaptation) => Self::refusal(self, adaptation, game, me, order, true),
            None => Ok(None),
        }
    }

    fn after(
        &mut self,
        game: &mut GameState,
        phase: id::Phase,
        me: Player,
        order: Action,
    ) -> RuleResult {
        match self.adaptations[phase.index()].as_deref() {
            Some(adaptation) => Self::after(self, adaptation, game, me, order),
            None => Ok(()),
        }
    }

    fn play(
        &mut self,
        game: &mut GameState,
        phase: id::Phase,
        me: Player,
        order: Action,
        now: Option<&mut ExecutionState>,
    ) -> RuleResult {
        let Some(Some(hook)) = self.plays.get(phase.index()) else {
            return Ok(());
        };
        let order = Dynamic::from(ActionValue::new(order, game.decl()));
        let args = [seat(Some(me)), order];
        let Some(now) = now else {
            return self.run(Some(hook), game, args);
        };
        // During the call, the script's handle also contains the current execution of orders.
        let lent = &self.handle.1;
        lent.replace(Some(now.clone()));
        let result = self.run(Some(hook), game, args);
        if let Some(after) = lent.take() {
            *now = after;
        }
        result
    }
}
