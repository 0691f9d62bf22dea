//! The basis of one decision: the board, the values on it, and the limits of the search.

use super::chances::Chances;
use super::level::Skill;
use super::scene::Scene;
use super::temper::Temper;
use super::worth::Worth;
use risk_kernel::view::View;

pub(super) struct Study<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) temper: Temper,
    pub(super) worth: Worth,
    pub(super) chances: &'a Chances,
    pub(super) skill: Skill,
}

impl<'a> Study<'a> {
    pub(super) fn new(view: &'a View, chances: &'a Chances, skill: Skill) -> Self {
        let scene = Scene::new(view);
        let temper = Temper::suiting(&scene).bolder(skill.boldness);
        let worth = Worth::new(&scene, temper);
        Self {
            scene,
            temper,
            worth,
            chances,
            skill,
        }
    }
}
