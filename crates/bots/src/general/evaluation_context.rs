//! The basis of one decision: the board, the values on it, and the limits of the search.

use super::conquest_values::ConquestValues;
use super::evaluation_weights::EvaluationWeights;
use super::fight_table::{ExpectedFight, FightTable};
use super::level::Skill;
use super::position_model::PositionModel;
use risk_kernel::id::Territory;
use risk_kernel::view::View;

pub(super) struct EvaluationContext<'a> {
    pub(super) scene: PositionModel<'a>,
    pub(super) temper: EvaluationWeights,
    pub(super) worth: ConquestValues,
    pub(super) chances: &'a FightTable,
    pub(super) skill: Skill,
}

impl<'a> EvaluationContext<'a> {
    pub(super) fn new(view: &'a View, chances: &'a FightTable, skill: Skill) -> Self {
        let scene = PositionModel::new(view);
        let temper = EvaluationWeights::suiting(&scene).bolder(skill.boldness);
        let worth = ConquestValues::new(&scene, temper);
        Self {
            scene,
            temper,
            worth,
            chances,
            skill,
        }
    }

    /// Returns the expected outcome of an attack, as [`FightTable::expected`] does.
    #[inline]
    pub(super) fn expected(
        &self,
        from: Territory,
        to: Territory,
        attackers: f32,
        defenders: i32,
    ) -> ExpectedFight {
        let class = self.chances.class(self.scene.view, from, to);
        self.chances.expected(class, attackers, defenders)
    }

    /// Returns the defenders of a territory as a number of defenders of class 0.
    pub(super) fn plain_defenders(&self, from: Territory, to: Territory) -> i32 {
        let class = self.chances.class(self.scene.view, from, to);
        self.chances.plain_defenders(class, self.scene.armies(to))
    }

    /// Returns the value that a plan must exceed, in the units in which plans are compared.
    pub(super) const fn least(&self) -> f32 {
        if self.skill.compared == 0 {
            self.temper.least
        } else {
            0.0
        }
    }
}
