//! Chances of fights, where a ruleset tells them.

use std::fmt::Debug;
use std::rc::Rc;

use risk_kernel::Rules;
use risk_kernel::fault::RuleFault;
use risk_kernel::id::Territory;
use risk_kernel::odds::Fight;
use risk_kernel::view::View;

/// The chances of fights under the ruleset in force: by its tables, where its phases declare that
/// they fight by them, or by its own hook `chance`. Where a script fights in a way of its own and
/// says nothing of it, there are none.
#[derive(Clone, Debug, Default)]
pub struct FightChances {
    fight: Option<Fight>,
    own: Option<Rc<dyn OwnChances>>,
}

/// Rules that tell chances of their own, where their ruleset has the hook `chance`.
pub trait RulesWithChances: Rules {
    /// The chance that an attack takes a territory, as the hook tells it to the player whose view
    /// this is; `None` where there is no such hook.
    ///
    /// # Errors
    /// When the hook fails, or returns no number from 0 to 1.
    fn chance(&self, view: &View, from: Territory, to: Territory)
    -> Option<Result<f64, RuleFault>>;
}

/// Somebody who knows rules that may tell chances of their own.
pub trait OwnChances: Debug {
    /// The chance of an attack by the ruleset's hook `chance`.
    ///
    /// # Errors
    /// When there is no such hook, it failed, or the rules are in the middle of another call.
    fn chance(&self, view: &View, from: Territory, to: Territory) -> Result<f64, NoChance>;
}

/// Why there is no chance to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoChance {
    /// The ruleset fights in a way of its own, and tells none.
    Untold,
    /// Fog hides armies that it depends on.
    Hidden,
    /// The ruleset's hook failed: what it said.
    Failed(String),
}

impl FightChances {
    /// Those of a ruleset without a hook `chance`, or of nobody who can ask it.
    #[must_use]
    pub const fn by_tables(fight: Option<Fight>) -> Self {
        Self { fight, own: None }
    }

    /// Those of these rules, in which fights go like this by their tables, see [`Fight::of`].
    #[must_use]
    pub fn new(fight: Option<Fight>, rules: Rc<dyn OwnChances>) -> Self {
        Self {
            fight,
            own: Some(rules),
        }
    }

    /// Fights by the ruleset's tables, where it fights by them: for chances of so many armies
    /// against so many.
    pub const fn by_numbers(&mut self) -> Option<&mut Fight> {
        self.fight.as_mut()
    }

    /// The chance, from 0 to 1, that an attack takes a territory if it is fought to its end, as
    /// the player knows it whose view this is.
    ///
    /// # Errors
    /// When there is none to tell.
    pub fn of_attack(
        &mut self,
        view: &View,
        from: Territory,
        to: Territory,
    ) -> Result<f64, NoChance> {
        if view.decl().own_chances {
            let own = self.own.as_ref().ok_or(NoChance::Untold)?;
            return own.chance(view, from, to);
        }
        let fight = self.fight.as_mut().ok_or(NoChance::Untold)?;
        let armies = |at| view.armies(at).ok_or(NoChance::Hidden);
        let attackers = armies(from)?.max(1) - 1;
        let chance = fight.chance(attackers, armies(to)?);
        chance.map_err(|fault| NoChance::Failed(fault.text().to_owned()))
    }

    /// As [`FightChances::of_attack`], of an attack that is offered in the phase of the view: that
    /// phase may be one that fights in a way of its own.
    ///
    /// # Errors
    /// When there is none to tell.
    pub fn of_offer(
        &mut self,
        view: &View,
        from: Territory,
        to: Territory,
    ) -> Result<f64, NoChance> {
        if view.decl().own_chances || Self::is_by_tables(view) {
            return self.of_attack(view, from, to);
        }
        Err(NoChance::Untold)
    }

    /// Do attacks that are offered in the phase of the view fight by the ruleset's tables? Armies
    /// alone fight so, no other units.
    #[must_use]
    pub fn is_by_tables(view: &View) -> bool {
        let by_tables = |phase| view.decl().fights_by_tables(phase);
        !view.decl().own_chances && view.frame().is_none_or(|frame| by_tables(frame.phase))
    }
}
