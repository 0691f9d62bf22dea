//! Adapts the options and the answers of standard phases.

use rhai::{Dynamic, INT};

use super::adaptation::{Adaptation, Targets};
use super::api::{self, ActionValue};
use super::caller::{HookCaller, seat};
use super::hooks::Hook;
use risk_kernel::action::narrow::narrowed_bounds;
use risk_kernel::action::{Action, Bounds, Options};
use risk_kernel::fault::{RuleFault, RuleResult};
use risk_kernel::id::{Player, Verb};
use risk_kernel::phases::Asked;
use risk_kernel::state::GameState;
use risk_kernel::view::Facts;
use risk_kernel::words::Words;

impl HookCaller {
    /// Calls the function that returns the targets, if there is one, by `call`.
    fn open_targets(
        &self,
        adaptation: &Adaptation,
        territories: usize,
        call: impl FnOnce(&Self, &Hook) -> RuleResult<Dynamic>,
    ) -> RuleResult<Option<Vec<bool>>> {
        let Some(Targets::Hook(hook)) = &adaptation.targets else {
            return Ok(None);
        };
        let value = call(self, hook)?;
        let wrong = |found: &str| {
            let name = &hook.name;
            let text = format!("`{name}` must return an array of territories, found {found}");
            self.wrong_result(hook, "ruleset::failed", text)
        };
        let kind = api::kind(&value);
        let all = value.into_typed_array::<INT>().map_err(|_| wrong(kind))?;
        let mut open = vec![false; territories];
        for at in all {
            let place = usize::try_from(at).ok().and_then(|at| open.get_mut(at));
            *place.ok_or_else(|| wrong(&format!("the number {at}")))? = true;
        }
        Ok(Some(open))
    }

    fn targets(
        &self,
        adaptation: &Adaptation,
        game: &Facts,
        player: Player,
    ) -> RuleResult<Option<Vec<bool>>> {
        self.open_targets(adaptation, game.board().len(), |caller, hook| {
            caller.call(hook, (game.clone(), INT::from(player.0)))
        })
    }

    /// Adapts the options of a standard phase.
    pub(super) fn adapt_options(
        &self,
        adaptation: &Adaptation,
        asked: Asked<'_>,
        out: &mut Options,
    ) -> RuleResult {
        let Asked { game, player, .. } = asked;
        if adaptation.narrows() {
            let open = self.targets(adaptation, game, player)?;
            let spare = &mut *self.spare.borrow_mut();
            out.narrowed(&game.decl().verbs, spare, |action| {
                adaptation.space(game, player, open.as_deref(), action)
            })?;
            std::mem::swap(out, spare);
        }
        let Some(own) = &adaptation.own else {
            return Ok(());
        };
        let before = out.offers().len();
        self.fill(Some(&own.options), asked, false, out)?;
        match out.offers()[before..]
            .iter()
            .find(|offer| !adaptation.has(offer.verb))
        {
            None => Ok(()),
            Some(offer) => Err(RuleFault::new(format!(
                "`{}` offers `{}`, which is not among the `verbs` of its standard phase",
                own.options.name,
                game.decl().verbs[offer.verb.index()].name
            ))),
        }
    }

    /// Adapts the bounds of a verb in a standard phase.
    pub(super) fn adapt_bounds(
        &self,
        adaptation: &Adaptation,
        asked: Asked<'_>,
        verb: Verb,
        given: &[i32],
        bounds: Bounds,
    ) -> RuleResult<Bounds> {
        let Asked { game, player, .. } = asked;
        if adaptation.has(verb) {
            return Ok(Bounds::Unknown);
        }
        if !adaptation.narrows() || matches!(bounds, Bounds::Unknown) || bounds == Bounds::NONE {
            return Ok(bounds);
        }
        let open = self.targets(adaptation, game, player)?;
        let verb = &game.decl().verbs[verb.index()];
        narrowed_bounds(bounds, verb, given, |action| {
            adaptation.space(game, player, open.as_deref(), action)
        })
    }

    /// Returns why an answer or an order has no effect; `None` if it has one.
    pub(super) fn refusal(
        &self,
        adaptation: &Adaptation,
        game: &mut GameState,
        player: Player,
        action: Action,
        is_order: bool,
    ) -> RuleResult<Option<String>> {
        let me = seat(Some(player));
        if is_order && adaptation.targets.is_some() {
            let open = self.open_targets(adaptation, game.board().len(), |caller, hook| {
                caller.change(hook, game, [me.clone()])
            })?;
            let verb = &game.decl().verbs[action.verb.index()];
            let (last, given) = action.args().split_last().unwrap_or((&0, &[]));
            let space = |action| adaptation.space(game, player, open.as_deref(), action);
            let bounds = narrowed_bounds(Bounds::only(*last), verb, given, space)?;
            if bounds == Bounds::NONE {
                return Ok(Some("that is no target".to_owned()));
            }
        }
        let Some(veto) = &adaptation.veto else {
            return Ok(None);
        };
        let said = Dynamic::from(ActionValue::new(action, game.decl()));
        let value = self.change(veto, game, [me, said])?;
        if value.is_unit() {
            return Ok(None);
        }
        let kind = api::kind(&value);
        value.into_string().map(Some).map_err(|_| {
            let text = format!("`{}` must return a reason or (), found {kind}", veto.name);
            self.wrong_result(veto, "ruleset::failed", text)
        })
    }

    /// Announces that an answer has no effect, and ends the phase for the player.
    pub(super) fn refuse(game: &mut GameState, player: Player, action: Action, reason: &str) {
        game.say_with(Some(player), |game| {
            let words = Words::new(game.board(), game.decl()).sentence(action);
            format!("{words}: not possible, {reason}")
        });
        game.leave(player);
    }

    /// Runs the effect after an answer or an order.
    pub(super) fn after(
        &self,
        adaptation: &Adaptation,
        game: &mut GameState,
        player: Player,
        action: Action,
    ) -> RuleResult {
        let Some(hook) = &adaptation.after else {
            return Ok(());
        };
        let said = Dynamic::from(ActionValue::new(action, game.decl()));
        self.run(Some(hook), game, [seat(Some(player)), said])
    }

    /// Executes an answer with a verb of the script's own in a standard phase. Returns whether it
    /// was one.
    pub(super) fn apply_own(
        &self,
        adaptation: &Adaptation,
        game: &mut GameState,
        player: Player,
        action: Action,
    ) -> RuleResult<bool> {
        let Some(own) = adaptation
            .own
            .as_ref()
            .filter(|own| own.verbs.contains(&action.verb))
        else {
            return Ok(false);
        };
        let said = Dynamic::from(ActionValue::new(action, game.decl()));
        self.run(Some(&own.apply), game, [seat(Some(player)), said])?;
        Ok(true)
    }
}
