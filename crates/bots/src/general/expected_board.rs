//! Estimates which territories the player can keep until its next turn, based on their neighbours.

use super::chains::{ChainStep, FIRST};
use super::evaluation_context::EvaluationContext;
use super::fight_table::ExpectedFight;
use super::position_model::{NOBODY, SEATS};
use risk_kernel::id::{Group, Territory};

/// The probability that a player who can attack does so.
const HOSTILITY: f32 = 0.9;
/// The maximum number of borders that are considered for guards.
const MOST_BORDERS: usize = 12;
const PARTS: i32 = 6;

#[derive(Clone, Debug)]
pub(super) struct ExpectedBoard {
    mine: Vec<bool>,
    armies: Vec<f32>,
}

impl ExpectedBoard {
    pub(super) fn new(study: &EvaluationContext<'_>) -> Self {
        let scene = &study.scene;
        let all = || scene.board.territories();
        Self {
            mine: all().map(|at| scene.is_mine(at)).collect(),
            armies: all().map(|at| scene.armies(at) as f32).collect(),
        }
    }

    pub(super) fn armies(&self, at: Territory) -> f32 {
        self.armies[at.index()]
    }

    pub(super) fn place(&mut self, at: Territory, armies: i32) {
        self.armies[at.index()] += armies as f32;
    }

    pub(super) fn conquer(&mut self, study: &EvaluationContext<'_>, step: &ChainStep) {
        let free = self.armies[step.from.index()] - 1.0;
        let defenders = self.armies[step.to.index()];
        let fight = study.expected(step.from, step.to, free, (defenders + 0.5) as i32);
        let (stays, moves) = after_conquest(fight, step);
        self.armies[step.from.index()] = stays;
        self.armies[step.to.index()] = moves;
        self.mine[step.to.index()] = true;
    }
}

/// Returns the expected armies that stay behind after a conquest, and those that move on.
pub(super) fn after_conquest(fight: ExpectedFight, step: &ChainStep) -> (f32, f32) {
    let left = fight.left.max(1.0);
    let must = left.min(FIRST);
    let moves = must + (left - must) * step.share;
    (1.0 + left - moves, moves)
}

pub(super) struct Outlook<'a> {
    study: &'a EvaluationContext<'a>,
    /// The armies that each player may place at any one border before its next attack, by seat.
    raid: [f32; SEATS],
    /// The groups with a bonus.
    groups: Vec<Group>,
}

impl<'a> Outlook<'a> {
    pub(super) fn new(study: &'a EvaluationContext<'a>) -> Self {
        let scene = &study.scene;
        let mut raid = [0.0; SEATS];
        for &seat in &scene.rivals {
            raid[seat] = study.temper.raid * scene.income(seat);
        }
        let all = (0..scene.board.groups().len()).map(Group::from_index);
        Self {
            study,
            raid,
            groups: all.filter(|&group| scene.bonus(group) > 0.0).collect(),
        }
    }

    /// Returns the chance that a territory falls before the player's next turn.
    fn risk(&self, position: &ExpectedBoard, at: Territory) -> f32 {
        let scene = &self.study.scene;
        let (mut most, mut source) = (0.0_f32, at);
        for from in scene.threats_to(at) {
            let owner = scene.owner(from);
            if position.mine[from.index()] || owner == NOBODY || !scene.decides[owner] {
                continue;
            }
            let stack = position.armies[from.index()] - 1.0 + self.raid[owner];
            if stack > most {
                (most, source) = (stack, from);
            }
        }
        if most < 1.0 {
            return 0.0;
        }
        let defenders = (position.armies[at.index()] + 0.5) as i32;
        let fight = self.study.expected(source, at, most, defenders.max(1));
        HOSTILITY * fight.capture
    }

    fn whole<'b>(&'b self, position: &'b ExpectedBoard) -> impl Iterator<Item = Group> + 'b {
        let scene = &self.study.scene;
        let is_mine = |at: &&Territory| position.mine[at.index()];
        let all = self.groups.iter().copied();
        all.filter(move |&group| {
            let members = scene.board.members(group).iter();
            members.filter(is_mine).count() >= scene.needed(group)
        })
    }

    /// Returns the value in armies of everything that the player is likely to keep.
    pub(super) fn kept(&self, position: &ExpectedBoard) -> f32 {
        let study = self.study;
        let board = study.scene.board;
        let mut kept = 0.0;
        for group in self.whole(position) {
            let mut holds = study.scene.bonus(group) * study.temper.keeps;
            let members = board.members(group).iter();
            for &at in members.filter(|at| position.mine[at.index()]) {
                holds *= 1.0 - self.risk(position, at);
            }
            kept += holds;
        }
        let mine = board.territories().filter(|at| position.mine[at.index()]);
        let exposed: f32 = mine.map(|at| self.risk(position, at)).sum();
        kept - study.temper.exposed * exposed
    }

    /// Places armies where they help most to keep continents. Returns the number of armies for each
    /// territory; the sum may be lower than `armies`.
    pub(super) fn guard(&self, position: &mut ExpectedBoard, armies: i32) -> Vec<(Territory, i32)> {
        let mut placed: Vec<(Territory, i32)> = Vec::new();
        let mut left = armies;
        let part = (armies / PARTS).max(1);
        while left > 0 {
            let count = part.min(left);
            let Some(at) = self.weakest(position, count) else {
                break;
            };
            position.place(at, count);
            left -= count;
            match placed.iter_mut().find(|(territory, _)| *territory == at) {
                Some((_, sum)) => *sum += count,
                None => placed.push((at, count)),
            }
        }
        placed
    }

    /// Returns the territory in the player's whole continents where these armies help most.
    fn weakest(&self, position: &mut ExpectedBoard, count: i32) -> Option<Territory> {
        let board = self.study.scene.board;
        let all = self.whole(position);
        let members = all.flat_map(|group| board.members(group).iter().copied());
        let open: Vec<Territory> = members
            .filter(|&at| self.risk(position, at) > 0.0)
            .collect();
        let kept = self.kept(position);
        let mut best: Option<(f32, Territory)> = None;
        for at in open.into_iter().take(MOST_BORDERS) {
            // Test two parts, because chances do not rise evenly and one part may show too little.
            position.place(at, 2 * count);
            let gain = self.kept(position) - kept;
            position.place(at, -2 * count);
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, at));
            }
        }
        best.filter(|(gain, _)| *gain > 0.01).map(|(_, at)| at)
    }
}
