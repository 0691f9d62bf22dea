//! The basis of one decision: the board, the values on it, and the limits of the search.

use super::conquest_values::ConquestValues;
use super::evaluation_weights::EvaluationWeights;
use super::fight_table::FightTable;
use super::level::Skill;
use super::position_model::PositionModel;
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

    /// Returns the value that a plan must exceed, in the units in which plans are compared.
    pub(super) const fn least(&self) -> f32 {
        if self.skill.compared == 0 {
            self.temper.least
        } else {
            0.0
        }
    }
}
