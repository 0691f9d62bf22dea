//! Implements the kernel's rules with a ruleset's hooks.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use rhai::Dynamic;

use super::api::{ActionValue, GameHandle};
use super::caller::{HookCaller, seat, uncounted};
use super::hooks::Hook;
use crate::hosting::empty_game;
use rhai_guard::{memory, meter};
use risk_bots::fight_odds::{FightOdds, RulesWithOdds};
use risk_kernel::action::{Action, Bounds, LegalAction, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::fault::{RuleFault, RuleResult};
use risk_kernel::id::{Player, Territory, Verb};
use risk_kernel::odds::Fight;
use risk_kernel::phases::table::NumberTable;
use risk_kernel::phases::{Asked, PhaseRules, Turn};
use risk_kernel::rng::Stream;
use risk_kernel::state::{Frame, GameState};
use risk_kernel::view::{Facts, View};
use risk_kernel::{CardGroups, Rules};

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
        let adapted = self
            .caller
            .adaptations
            .iter()
            .flatten()
            .flat_map(|adaptation| adaptation.hooks());
        let own = game
            .into_iter()
            .chain(phases)
            .chain(&self.caller.plays)
            .flatten()
            .chain(adapted)
            .filter(|hook| hook.file == 0);
        own.map(|hook| {
            (
                self.caller.files[0].sources[0].name.to_string(),
                hook.name.clone(),
            )
        })
        .collect()
    }

    /// Reports whether a standard phase offers no verbs of the script.
    fn has_only_usual_verbs(&self, frame: &Frame) -> bool {
        let adaptation = self.caller.adaptations[frame.phase.index()].as_ref();
        adaptation.is_none_or(|it| it.own.is_none())
    }

    /// Reports whether a standard phase has its own options.
    fn is_usual(&self, frame: &Frame) -> bool {
        let adaptation = self.caller.adaptations[frame.phase.index()].as_ref();
        adaptation.is_none_or(|adaptation| adaptation.is_usual())
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
    fn setup(&mut self, game: &mut GameState) -> RuleResult {
        // The binder rejects rulesets without `setup`.
        self.caller.run(self.caller.hooks.setup.as_ref(), game, [])
    }

    fn enter(&mut self, game: &mut GameState, frame: &Frame) -> RuleResult {
        match &self.phases[frame.phase.index()] {
            PhaseImpl::Standard(phase) => phase.enter(game, frame, &mut self.caller),
            PhaseImpl::Script(phase) => {
                let args = [seat(frame.opened_for)];
                self.caller.run(phase.enter.as_ref(), game, args)
            }
        }
    }

    fn options(&mut self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        let phase = asked.frame.phase.index();
        match &self.phases[phase] {
            PhaseImpl::Standard(rules) => {
                rules.options(asked, out)?;
                match &self.caller.adaptations[phase] {
                    Some(adaptation) => self.caller.adapt_options(adaptation, asked, out),
                    None => Ok(()),
                }
            }
            PhaseImpl::Script(script) => {
                self.caller.fill(script.options.as_ref(), asked, false, out)
            }
        }
    }

    #[inline]
    fn bounds_of(&mut self, asked: Asked<'_>, verb: Verb, given: &[i32]) -> RuleResult<Bounds> {
        let phase = asked.frame.phase.index();
        match &self.phases[phase] {
            PhaseImpl::Standard(rules) => {
                let bounds = rules.bounds_of(asked, verb, given);
                match &self.caller.adaptations[phase] {
                    Some(adaptation) => self
                        .caller
                        .adapt_bounds(adaptation, asked, verb, given, bounds?),
                    None => bounds,
                }
            }
            PhaseImpl::Script(_) => Ok(Bounds::Unknown),
        }
    }

    fn verbs(&self, frame: &Frame) -> &[Verb] {
        match &self.phases[frame.phase.index()] {
            PhaseImpl::Standard(phase) if self.has_only_usual_verbs(frame) => phase.verbs(),
            _ => &[],
        }
    }

    fn draw(&mut self, asked: Asked<'_>, rng: &mut Stream) -> RuleResult<Option<Action>> {
        match &self.phases[asked.frame.phase.index()] {
            PhaseImpl::Standard(phase) if self.is_usual(asked.frame) => phase.draw(asked, rng),
            _ => Ok(None),
        }
    }

    fn plans(&mut self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        match &self.phases[asked.frame.phase.index()] {
            PhaseImpl::Script(phase) => self.caller.fill(phase.plans.as_ref(), asked, true, out),
            PhaseImpl::Standard(_) => Ok(()),
        }
    }

    fn apply(
        &mut self,
        game: &mut GameState,
        frame: &Frame,
        player: Player,
        action: LegalAction,
    ) -> RuleResult {
        match &self.phases[frame.phase.index()] {
            PhaseImpl::Standard(phase) => {
                let said = action.action();
                let adaptation = self.caller.adaptations[frame.phase.index()].clone();
                if let Some(adaptation) = &adaptation {
                    if let Some(reason) =
                        self.caller.refusal(adaptation, game, player, said, false)?
                    {
                        HookCaller::refuse(game, player, said, &reason);
                        return Ok(());
                    }
                    if self.caller.apply_own(adaptation, game, player, said)? {
                        return self.caller.after(adaptation, game, player, said);
                    }
                }
                let turn = Turn {
                    game,
                    frame,
                    player,
                    hooks: &mut self.caller,
                };
                let Some(adaptation) = adaptation else {
                    return phase.apply(turn, action);
                };
                phase.apply(turn, action)?;
                self.caller.after(&adaptation, game, player, said)
            }
            PhaseImpl::Script(phase) => {
                let action = Dynamic::from(ActionValue::new(action.action(), game.decl()));
                let args = [seat(Some(player)), action];
                self.caller.run(phase.apply.as_ref(), game, args)
            }
        }
    }

    fn fallen(&mut self, game: &mut GameState, player: Player, by: Option<Player>) -> RuleResult {
        let hook = self.caller.hooks.on_eliminated.as_ref();
        self.caller.run(hook, game, [seat(by), seat(Some(player))])
    }

    fn neutralised(&mut self, game: &mut GameState, player: Player) -> RuleResult {
        let hook = self.caller.hooks.on_neutral.as_ref();
        self.caller.run(hook, game, [seat(Some(player))])
    }

    fn fault_out(&mut self, game: &mut GameState, player: Player) -> RuleResult {
        let hook = self.caller.hooks.on_fault_out.as_ref();
        let hook = hook.ok_or(RuleFault::new(
            "`on_fault` is \"hook\", but the function `on_fault_out(g, who)` is missing",
        ))?;
        self.caller.run(Some(hook), game, [seat(Some(player))])
    }

    fn imagine(&mut self, game: &mut GameState, player: Player) -> RuleResult<bool> {
        let hook = self.caller.hooks.imagine.as_ref();
        self.caller.run(hook, game, [seat(Some(player))])?;
        Ok(hook.is_some())
    }

    fn card_groups(&mut self, game: &GameState) -> RuleResult<Rc<CardGroups>> {
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

    fn score(&mut self, game: &Facts, player: Player) -> RuleResult<i64> {
        let Some(hook) = &self.caller.hooks.score else {
            return Ok(i64::from(game.territory_count(player)));
        };
        self.caller.number(hook, game, player)
    }

    fn worth(&mut self, game: &Facts, player: Player) -> RuleResult<Option<i64>> {
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

    fn chance(&self, view: &View, from: Territory, to: Territory) -> Option<RuleResult<f64>> {
        let hook = self.caller.hooks.chance.as_ref()?;
        Some(self.caller.chance(hook, view, from, to))
    }
}
