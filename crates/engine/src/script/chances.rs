//! Chances of fights, where a ruleset gives them.

use std::fmt::Debug;
use std::rc::Rc;

use risk_kernel::Rules;
use risk_kernel::fault::RuleFault;
use risk_kernel::id::Territory;
use risk_kernel::odds::Fight;
use risk_kernel::view::View;

/// The chances of fights under the ruleset in force: by its tables, where its phases declare that
/// they fight by them, or by its own hook `chance`. There are none where a script fights in its own
/// way and declares nothing about it.
#[derive(Clone, Debug, Default)]
pub struct FightChances {
    fight: Option<Fight>,
    own: Option<Rc<dyn OwnChances>>,
}

/// Rules that have chances of their own if their ruleset has the hook `chance`.
pub trait RulesWithChances: Rules {
    /// Returns the chance that an attack takes a territory, as the hook gives it to the player of
    /// this view; `None` if there is no such hook.
    ///
    /// # Errors
    /// Returns an error if the hook fails or returns no number from 0 to 1.
    fn chance(&self, view: &View, from: Territory, to: Territory)
    -> Option<Result<f64, RuleFault>>;
}

/// Access to rules that may have chances of their own.
pub trait OwnChances: Debug {
    /// Returns the chance of an attack by the ruleset's hook `chance`.
    ///
    /// # Errors
    /// Returns an error if there is no such hook, if it failed, or if the rules are in the middle
    /// of another call.
    fn chance(&self, view: &View, from: Territory, to: Territory) -> Result<f64, NoChance>;
}

/// The reason for a missing chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoChance {
    /// The ruleset fights in its own way and gives no chances.
    Untold,
    /// Fog hides armies that the chance depends on.
    Hidden,
    /// The ruleset's hook failed with this message.
    Failed(String),
}

impl FightChances {
    /// Creates the chances of a ruleset without a hook `chance`, or for a caller that can't ask it.
    #[must_use]
    pub const fn by_tables(fight: Option<Fight>) -> Self {
        Self { fight, own: None }
    }

    /// Creates the chances of these rules, whose fights by tables are `fight`, see [`Fight::of`].
    #[must_use]
    pub fn new(fight: Option<Fight>, rules: Rc<dyn OwnChances>) -> Self {
        Self {
            fight,
            own: Some(rules),
        }
    }

    /// Returns the fights by the ruleset's tables, if it fights by them, for chances of given
    /// numbers of armies.
    pub const fn by_numbers(&mut self) -> Option<&mut Fight> {
        self.fight.as_mut()
    }

    /// Returns the chance, from 0 to 1, that an attack takes a territory if it is fought to its
    /// end, as the player of this view knows it.
    ///
    /// # Errors
    /// Returns an error if there is no chance.
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

    /// Returns the chance of an attack that is offered in the phase of the view, which may fight in
    /// its own way. See [`FightChances::of_attack`].
    ///
    /// # Errors
    /// Returns an error if there is no chance.
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

    /// Reports whether attacks offered in the phase of the view fight by the ruleset's tables. Only
    /// armies fight this way, no other units.
    #[must_use]
    pub fn is_by_tables(view: &View) -> bool {
        let by_tables = |phase| view.decl().fights_by_tables(phase);
        !view.decl().own_chances && view.frame().is_none_or(|frame| by_tables(frame.phase))
    }
}
