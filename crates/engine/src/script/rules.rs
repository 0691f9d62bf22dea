//! Implements the kernel's rules with a ruleset's hooks.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Dynamic, INT};

use super::api::{self, ActionValue, EntityCounts, GameHandle, Offers, ScriptView};
use super::bend::Bend;
use super::compile::CompiledScript;
use super::engine::Sandbox;
use super::hooks;
use crate::hosting::empty_game;
use rhai_guard::{ScriptFault, memory, meter};
use risk_bots::fight_odds::{FightOdds, RulesWithOdds};
use risk_kernel::action::{Action, Bounds, LegalAction, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::fault::RuleFault;
use risk_kernel::id::{self, Player, Territory, Verb};
use risk_kernel::odds::Fight;
use risk_kernel::phases::table::NumberTable;
use risk_kernel::phases::{Asked, ExecutionState, Hooks, PhaseRules, Turn};
use risk_kernel::rng::Stream;
use risk_kernel::state::{Frame, GameState};
use risk_kernel::view::{Facts, View};
use risk_kernel::{CardGroups, Rules};

/// A function in one of a ruleset's files.
#[derive(Clone, Debug)]
pub(super) struct Hook {
    pub(super) file: usize,
    pub(super) name: String,
}

#[derive(Debug, Default)]
pub(super) struct ScriptPhase {
    pub(super) enter: Option<Hook>,
    pub(super) options: Option<Hook>,
    pub(super) apply: Option<Hook>,
    pub(super) plans: Option<Hook>,
    /// The hook of a standard phase that leaves orders to the script.
    pub(super) play: Option<Hook>,
}

pub(super) enum PhaseImpl {
    Standard(Box<dyn PhaseRules>),
    Script(ScriptPhase),
}

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

/// A ruleset that is bound to a map. Each thread has its own instance and uses it for all its
/// games.
pub struct ScriptRules {
    pub(super) phases: Vec<PhaseImpl>,
    pub(super) caller: HookCaller,
    pub(super) tables: BTreeMap<String, NumberTable>,
    pub(super) fight: Option<Fight>,
    /// The groups of the kinds of cards by number of players, if a game was imagined without the
    /// hook `imagine`.
    pub(super) groups: Option<(usize, Rc<CardGroups>)>,
}

pub(super) struct HookCaller {
    pub(super) sandbox: Sandbox,
    pub(super) files: Vec<CompiledScript>,
    pub(super) hooks: GameHooks,
    /// For each phase, the hook that executes the orders of a standard phase.
    pub(super) plays: Vec<Option<Hook>>,
    /// How the ruleset bends each phase, if it does.
    pub(super) bends: Vec<Option<Rc<Bend>>>,
    /// A handle that contains the real game while a hook changes it, and a spare game at other
    /// times.
    pub(super) handle: GameHandle,
    pub(super) offers: Offers,
    /// The fights by the ruleset's tables, for the hook `chance`.
    pub(super) chances: Rc<RefCell<FightOdds>>,
}

impl HookCaller {
    pub(super) fn call(
        &self,
        hook: &Hook,
        args: impl rhai::FuncArgs,
    ) -> Result<Dynamic, RuleFault> {
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
    fn chance(
        &self,
        hook: &Hook,
        view: &View,
        from: Territory,
        to: Territory,
    ) -> Result<f64, RuleFault> {
        let look = ScriptView {
            view: view.clone(),
            rng: None,
            chances: Rc::clone(&self.chances),
            room: None,
        };
        let told = self.call(hook, (look, INT::from(from.0), INT::from(to.0)))?;
        let number = told.as_float().ok();
        let number = number.or_else(|| told.as_int().ok().map(|whole| whole as f64));
        let chance = number.filter(|it| (0.0..=1.0).contains(it));
        chance.ok_or_else(|| {
            let source = &self.files[hook.file].sources[0];
            let text = format!(
                "`{}` must return a number from 0 to 1, found {}",
                hooks::CHANCE.usage(),
                number.map_or_else(|| api::kind(&told).to_owned(), |it| it.to_string())
            );
            let place = rhai_guard::function_position(source, &hook.name);
            RuleFault::from_error(ScriptFault::new("ruleset::chance", text).at(source, place))
        })
    }

    /// Calls a hook that returns a number for a player.
    fn number(&self, hook: &Hook, game: &Facts, player: Player) -> Result<i64, RuleFault> {
        let value = self.call(hook, (game.clone(), INT::from(player.0)))?;
        value.as_int().map_err(|_| {
            let (name, kind) = (&hook.name, api::kind(&value));
            RuleFault::new(format!("`{name}` must return an integer, found {kind}"))
        })
    }

    pub(super) fn fill(
        &self,
        hook: Option<&Hook>,
        game: &Facts,
        player: Player,
        plans: bool,
        out: &mut Options,
    ) -> Result<(), RuleFault> {
        let Some(hook) = hook else { return Ok(()) };
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
    ) -> Result<Dynamic, RuleFault> {
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
    ) -> Result<(), RuleFault> {
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
    fn on_conquest(
        &mut self,
        game: &mut GameState,
        me: Player,
        at: Territory,
    ) -> Result<(), RuleFault> {
        let args = [seat(Some(me)), INT::from(at.0).into()];
        self.run(self.hooks.on_conquest.as_ref(), game, args)
    }

    fn on_exhausted(&mut self, game: &mut GameState) -> Result<(), RuleFault> {
        self.run(self.hooks.on_exhausted.as_ref(), game, [])
    }

    fn refusal(
        &mut self,
        game: &mut GameState,
        phase: id::Phase,
        me: Player,
        order: Action,
    ) -> Result<Option<String>, RuleFault> {
        match self.bends[phase.index()].as_deref() {
            Some(bend) => Self::refusal(self, bend, game, me, order, true),
            None => Ok(None),
        }
    }

    fn after(
        &mut self,
        game: &mut GameState,
        phase: id::Phase,
        me: Player,
        order: Action,
    ) -> Result<(), RuleFault> {
        match self.bends[phase.index()].as_deref() {
            Some(bend) => Self::after(self, bend, game, me, order),
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
    ) -> Result<(), RuleFault> {
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

impl ScriptRules {
    /// Returns the ruleset's tables by name.
    #[must_use]
    pub fn tables(&self) -> &BTreeMap<String, NumberTable> {
        &self.tables
    }

    /// Returns the fights by the ruleset's tables, see [`Fight::of`]. All bots of a thread share
    /// the chances that these fights have computed.
    #[must_use]
    pub fn fight(&self) -> Option<Fight> {
        self.fight.clone()
    }

    /// Returns the hooks that games call and that the ruleset's own file defines, as pairs of
    /// script and function.
    #[must_use]
    pub fn own_hooks(&self) -> Vec<(String, String)> {
        let hooks = &self.caller.hooks;
        let game = [
            &hooks.setup,
            &hooks.score,
            &hooks.on_conquest,
            &hooks.on_eliminated,
            &hooks.on_neutral,
            &hooks.on_exhausted,
            &hooks.on_fault_out,
        ];
        let phases = self.phases.iter().flat_map(|phase| match phase {
            PhaseImpl::Script(ScriptPhase {
                enter,
                options,
                apply,
                plans,
                play: _,
            }) => vec![enter, options, apply, plans],
            PhaseImpl::Standard(_) => Vec::new(),
        });
        let bent = self
            .caller
            .bends
            .iter()
            .flatten()
            .flat_map(|bend| bend.hooks());
        let own = game
            .into_iter()
            .chain(phases)
            .chain(&self.caller.plays)
            .flatten()
            .chain(bent)
            .filter(|hook| hook.file == 0);
        own.map(|hook| {
            (
                self.caller.files[0].sources[0].name.to_string(),
                hook.name.clone(),
            )
        })
        .collect()
    }

    /// Reports whether a standard phase has its own options.
    fn is_usual(&self, frame: &Frame) -> bool {
        let bend = self.caller.bends[frame.phase.index()].as_ref();
        bend.is_none_or(|bend| bend.is_usual())
    }

    pub(super) fn engine(&self) -> &rhai::Engine {
        &self.caller.sandbox.engine
    }

    /// Reports whether the ruleset has a hook for a player whose strikes are used up.
    #[must_use]
    pub const fn has_fault_hook(&self) -> bool {
        self.caller.hooks.on_fault_out.is_some()
    }

    /// Reports whether the ruleset has a hook that invents hidden information for imagined games.
    #[must_use]
    pub const fn imagines(&self) -> bool {
        self.caller.hooks.imagine.is_some()
    }

    /// Reports whether the ruleset compares positions for bots that search.
    #[must_use]
    pub const fn has_worth(&self) -> bool {
        self.caller.hooks.worth.is_some()
    }

    pub(super) fn spare_chances(tables: &BTreeMap<String, NumberTable>) -> Rc<RefCell<FightOdds>> {
        let fight = Fight::from_tables(tables).map(uncounted);
        Rc::new(RefCell::new(FightOdds::by_tables(fight)))
    }

    pub(super) fn spare(
        decl: &Arc<Declaration>,
        board: &Arc<risk_kernel::board::Board>,
    ) -> GameHandle {
        let spare = empty_game(board, decl, 1);
        GameHandle(Rc::new(RefCell::new(spare)), Rc::default())
    }
}

impl Rules for ScriptRules {
    fn setup(&mut self, game: &mut GameState) -> Result<(), RuleFault> {
        // The binder rejects rulesets without `setup`.
        self.caller.run(self.caller.hooks.setup.as_ref(), game, [])
    }

    fn enter(&mut self, game: &mut GameState, frame: &Frame) -> Result<(), RuleFault> {
        match &self.phases[frame.phase.index()] {
            PhaseImpl::Standard(phase) => phase.enter(game, frame, &mut self.caller),
            PhaseImpl::Script(phase) => {
                let args = [seat(frame.opened_for)];
                self.caller.run(phase.enter.as_ref(), game, args)
            }
        }
    }

    fn options(
        &mut self,
        game: &Facts,
        frame: &Frame,
        player: Player,
        out: &mut Options,
    ) -> Result<(), RuleFault> {
        match &self.phases[frame.phase.index()] {
            PhaseImpl::Standard(phase) => {
                phase.options(
                    Asked {
                        game,
                        frame,
                        player,
                    },
                    out,
                )?;
                match &self.caller.bends[frame.phase.index()] {
                    Some(bend) => self.caller.bend_options(bend, game, player, out),
                    None => Ok(()),
                }
            }
            PhaseImpl::Script(phase) => {
                let hook = phase.options.as_ref();
                self.caller.fill(hook, game, player, false, out)
            }
        }
    }

    #[inline]
    fn bounds_of(
        &mut self,
        game: &Facts,
        frame: &Frame,
        player: Player,
        verb: Verb,
        given: &[i32],
    ) -> Result<Bounds, RuleFault> {
        match &self.phases[frame.phase.index()] {
            PhaseImpl::Standard(phase) => {
                let asked = Asked {
                    game,
                    frame,
                    player,
                };
                let bounds = phase.bounds_of(asked, verb, given)?;
                match &self.caller.bends[frame.phase.index()] {
                    Some(bend) => self
                        .caller
                        .bend_bounds(bend, game, player, verb, given, bounds),
                    None => Ok(bounds),
                }
            }
            PhaseImpl::Script(_) => Ok(Bounds::Unknown),
        }
    }

    fn verbs(&self, frame: &Frame) -> &[Verb] {
        match &self.phases[frame.phase.index()] {
            PhaseImpl::Standard(phase) if self.is_usual(frame) => phase.verbs(),
            _ => &[],
        }
    }

    fn draw(
        &mut self,
        game: &Facts,
        frame: &Frame,
        player: Player,
        rng: &mut Stream,
    ) -> Result<Option<Action>, RuleFault> {
        match &self.phases[frame.phase.index()] {
            PhaseImpl::Standard(phase) if self.is_usual(frame) => phase.draw(
                Asked {
                    game,
                    frame,
                    player,
                },
                rng,
            ),
            _ => Ok(None),
        }
    }

    fn plans(
        &mut self,
        game: &Facts,
        frame: &Frame,
        player: Player,
        out: &mut Options,
    ) -> Result<(), RuleFault> {
        match &self.phases[frame.phase.index()] {
            PhaseImpl::Script(phase) => {
                self.caller
                    .fill(phase.plans.as_ref(), game, player, true, out)
            }
            PhaseImpl::Standard(_) => Ok(()),
        }
    }

    fn apply(
        &mut self,
        game: &mut GameState,
        frame: &Frame,
        player: Player,
        action: LegalAction,
    ) -> Result<(), RuleFault> {
        match &self.phases[frame.phase.index()] {
            PhaseImpl::Standard(phase) => {
                let said = action.action();
                let bend = self.caller.bends[frame.phase.index()].clone();
                if let Some(bend) = &bend {
                    if let Some(reason) = self.caller.refusal(bend, game, player, said, false)? {
                        HookCaller::refuse(game, player, said, &reason);
                        return Ok(());
                    }
                    if self.caller.apply_own(bend, game, player, said)? {
                        return self.caller.after(bend, game, player, said);
                    }
                }
                let hooks = &mut self.caller;
                phase.apply(
                    Turn {
                        game,
                        frame,
                        player,
                        hooks,
                    },
                    action,
                )?;
                bend.map_or(Ok(()), |bend| self.caller.after(&bend, game, player, said))
            }
            PhaseImpl::Script(phase) => {
                let action = Dynamic::from(ActionValue::new(action.action(), game.decl()));
                let args = [seat(Some(player)), action];
                self.caller.run(phase.apply.as_ref(), game, args)
            }
        }
    }

    fn fallen(
        &mut self,
        game: &mut GameState,
        player: Player,
        by: Option<Player>,
    ) -> Result<(), RuleFault> {
        let hook = self.caller.hooks.on_eliminated.as_ref();
        self.caller.run(hook, game, [seat(by), seat(Some(player))])
    }

    fn neutralised(&mut self, game: &mut GameState, player: Player) -> Result<(), RuleFault> {
        let hook = self.caller.hooks.on_neutral.as_ref();
        self.caller.run(hook, game, [seat(Some(player))])
    }

    fn fault_out(&mut self, game: &mut GameState, player: Player) -> Result<(), RuleFault> {
        let hook = self.caller.hooks.on_fault_out.as_ref();
        let hook = hook.ok_or(RuleFault::new(
            "`on_fault` is \"hook\", but the function `on_fault_out(g, who)` is missing",
        ))?;
        self.caller.run(Some(hook), game, [seat(Some(player))])
    }

    fn imagine(&mut self, game: &mut GameState, player: Player) -> Result<bool, RuleFault> {
        let hook = self.caller.hooks.imagine.as_ref();
        self.caller.run(hook, game, [seat(Some(player))])?;
        Ok(hook.is_some())
    }

    fn card_groups(&mut self, game: &GameState) -> Result<Rc<CardGroups>, RuleFault> {
        if let Some((players, groups)) = &self.groups
            && *players == game.players()
        {
            return Ok(Rc::clone(groups));
        }
        // Later games use the groups as well, so they cost none of them anything.
        let caller = &self.caller;
        let setup = |start: &mut GameState| caller.run(caller.hooks.setup.as_ref(), start, []);
        let groups = || CardGroups::after_setup(game, setup).map(Rc::new);
        let groups = || caller.sandbox.unwatched(groups);
        let groups = memory::uncounted(|| meter::apart(groups))?;
        self.groups = Some((game.players(), Rc::clone(&groups)));
        Ok(groups)
    }

    fn score(&mut self, game: &Facts, player: Player) -> Result<i64, RuleFault> {
        let Some(hook) = &self.caller.hooks.score else {
            return Ok(i64::from(game.territory_count(player)));
        };
        self.caller.number(hook, game, player)
    }

    fn worth(&mut self, game: &Facts, player: Player) -> Result<Option<i64>, RuleFault> {
        let hook = self.caller.hooks.worth.as_ref();
        let told = hook.map(|hook| self.caller.number(hook, game, player));
        told.transpose()
    }
}

impl std::fmt::Debug for ScriptRules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ScriptRules")
            .field("tables", &self.tables.keys())
            .finish_non_exhaustive()
    }
}

impl RulesWithOdds for ScriptRules {
    fn begin_game(&self) {
        self.caller.sandbox.forget();
    }

    fn chance(
        &self,
        view: &View,
        from: Territory,
        to: Territory,
    ) -> Option<Result<f64, RuleFault>> {
        let hook = self.caller.hooks.chance.as_ref()?;
        Some(self.caller.chance(hook, view, from, to))
    }
}
