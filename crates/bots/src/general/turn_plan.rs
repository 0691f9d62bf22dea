//! The plan for a turn or for the rest of a turn: the best chain, or the elimination of a player.

use super::campaign::Trees;
use super::chains::{Chain, ChainStep, Search};
use super::conquest_values::PriorConquests;
use super::evaluation_context::EvaluationContext;
use super::expected_board::{ExpectedBoard, Outlook};
use risk_kernel::id::{Player, Territory};

/// The maximum number of fronts whose chains are weighed with all of their consequences.
const FRONTS: usize = 4;
/// The minimum chance at which the elimination of a player is attempted.
const GOOD_CHANCE: f32 = 0.5;
const MOST_LANDS: i32 = 16;

#[derive(Clone, Debug, Default)]
pub(super) struct TurnPlan {
    /// The value in armies, or the gain in the chance to win once plans are compared by it.
    pub(super) value: f32,
    pub(super) placing: Vec<(Territory, i32)>,
    pub(super) steps: Vec<ChainStep>,
    /// The player whom the steps eliminate; `None` if they are a chain.
    pub(super) victim: Option<Player>,
}

struct Front {
    at: Territory,
    /// The best chain if armies are placed first. The next field is the value without them.
    with: Chain,
    without: f32,
}

/// Returns the best plan with this reserve, or `None` if nothing can be attacked.
pub(super) fn plan(study: &EvaluationContext<'_>, reserve: i32) -> Option<TurnPlan> {
    let chain = best_chains(study, reserve, 1).pop();
    if !study.skill.kills {
        return chain;
    }
    let kill = best_kill(study, reserve);
    match (chain, kill) {
        (Some(chain), Some(kill)) if kill.value <= chain.value => Some(chain),
        (chain, kill) => kill.or(chain),
    }
}

/// Returns several good plans with this reserve, the best first. The last plan eliminates a player,
/// if there is such a plan.
pub(super) fn plans(study: &EvaluationContext<'_>, reserve: i32) -> Vec<TurnPlan> {
    let mut plans = best_chains(study, reserve, study.skill.compared);
    plans.extend(best_kill(study, reserve));
    plans
}

fn best_chains(study: &EvaluationContext<'_>, reserve: i32, most: usize) -> Vec<TurnPlan> {
    let mut search = Search::new(study);
    let mut fronts = fronts(study, &mut search, reserve);
    if study.skill.patience {
        fronts.truncate(FRONTS);
        return PlanSearch::new(study, &mut search, reserve, most).best(fronts);
    }
    let first = fronts.into_iter().take(1);
    let plans = first.map(|first| TurnPlan {
        value: first.with.value,
        placing: vec![(first.at, reserve)],
        steps: first.with.steps,
        victim: None,
    });
    plans.collect()
}

/// Returns all fronts with a target to attack, starting with the front where the reserve helps
/// most.
fn fronts(study: &EvaluationContext<'_>, search: &mut Search<'_>, reserve: i32) -> Vec<Front> {
    let scene = &study.scene;
    let mut fronts = Vec::new();
    for at in scene.fronts() {
        let armies = scene.armies(at);
        let with = search.from(at, armies.saturating_add(reserve));
        if with.steps.is_empty() {
            continue;
        }
        let without = if reserve > 0 {
            search.from(at, armies).value.max(0.0)
        } else {
            0.0
        };
        fronts.push(Front { at, with, without });
    }
    let gain = |front: &Front| front.with.value - front.without;
    fronts.sort_by(|a, b| gain(b).total_cmp(&gain(a)).then(a.at.cmp(&b.at)));
    fronts
}

struct PlanSearch<'a, 'b> {
    study: &'a EvaluationContext<'a>,
    search: &'b mut Search<'a>,
    outlook: Outlook<'a>,
    reserve: i32,
    now: f32,
    /// The maximum number of plans to return.
    most: usize,
    /// The best plans so far with their gains, the best first.
    best: Vec<(f32, TurnPlan)>,
}

impl<'a, 'b> PlanSearch<'a, 'b> {
    fn new(
        study: &'a EvaluationContext<'a>,
        search: &'b mut Search<'a>,
        reserve: i32,
        most: usize,
    ) -> Self {
        let outlook = Outlook::new(study);
        let now = outlook.kept(&ExpectedBoard::new(study));
        Self {
            study,
            search,
            outlook,
            reserve,
            now,
            most,
            best: Vec::new(),
        }
    }

    /// Returns the best plans that begin on one of these fronts, or that guard the player's
    /// territories.
    fn best(mut self, fronts: Vec<Front>) -> Vec<TurnPlan> {
        if self.reserve > 0 {
            let mut position = ExpectedBoard::new(self.study);
            if let Some(placing) = self.guards(&mut position, self.reserve) {
                let gain = self.outlook.kept(&position) - self.now;
                self.offer(gain, gain, placing, &[]);
            }
        }
        for front in fronts {
            if self.reserve > 3 && self.now > 0.0 {
                for quarters in [2, 1] {
                    let armies = (self.reserve * quarters + 3) / 4;
                    let there = self.study.scene.armies(front.at);
                    let chain = self.search.from(front.at, there + armies);
                    self.weigh(&front, armies, &chain);
                }
            }
            self.weigh(&front, self.reserve, &front.with);
        }
        self.best.into_iter().map(|(_, plan)| plan).collect()
    }

    /// Places guards. Returns `None` if some of the armies have nothing to guard.
    fn guards(&self, position: &mut ExpectedBoard, armies: i32) -> Option<Vec<(Territory, i32)>> {
        let placing = self.outlook.guard(position, armies);
        let placed: i32 = placing.iter().map(|&(_, armies)| armies).sum();
        (placed == armies).then_some(placing)
    }

    /// Weighs a chain and all of its prefixes with these armies placed for it. All other armies
    /// serve as guards.
    fn weigh(&mut self, front: &Front, armies: i32, chain: &Chain) {
        let mut position = ExpectedBoard::new(self.study);
        position.place(front.at, armies);
        let mut placing = vec![(front.at, armies)];
        match self.guards(&mut position, self.reserve - armies) {
            Some(guards) => placing.extend(guards),
            None => return,
        }
        let mut chance = 1.0;
        for (index, step) in chain.steps.iter().enumerate() {
            chance *= step.capture;
            position.conquer(self.study, step);
            let value = step.value + chance * (self.outlook.kept(&position) - self.now);
            let steps = &chain.steps[..=index];
            self.offer(value - front.without, value, placing.clone(), steps);
        }
    }

    fn offer(
        &mut self,
        gain: f32,
        value: f32,
        placing: Vec<(Territory, i32)>,
        steps: &[ChainStep],
    ) {
        let place = self.best.partition_point(|(other, _)| *other >= gain);
        if place < self.most {
            let plan = TurnPlan {
                value,
                placing,
                steps: steps.to_vec(),
                victim: None,
            };
            self.best.insert(place, (gain, plan));
            self.best.truncate(self.most);
        }
    }
}

/// Returns the most valuable elimination of a player, if a good elimination is possible.
fn best_kill(study: &EvaluationContext<'_>, reserve: i32) -> Option<TurnPlan> {
    let scene = &study.scene;
    let mut trees = Trees::new(study);
    let mut best: Option<TurnPlan> = None;
    let supply = scene.strength[scene.me] + i64::from(reserve);
    for &victim in &scene.rivals {
        let territories = scene.territories[victim];
        if territories > MOST_LANDS || scene.strength[victim] + i64::from(territories) > supply {
            continue;
        }
        let all = scene.board.territories();
        let targets: Vec<Territory> = all.filter(|&at| scene.owner(at) == victim).collect();
        let campaign = trees.plan(&targets, reserve);
        let Some(campaign) = campaign.filter(|campaign| campaign.chance >= GOOD_CHANCE) else {
            continue;
        };
        let mut won = 0.0;
        for (index, &at) in campaign.territories.iter().enumerate() {
            let before = campaign.territories[..index].iter().copied();
            if let Some(taken) = PriorConquests::before(scene, before, at) {
                won += study.worth.of_taking(scene, at, taken);
            }
        }
        let value = campaign.chance * won - study.temper.loss * campaign.cost;
        if best.as_ref().is_none_or(|most| value > most.value) {
            best = Some(TurnPlan {
                value,
                placing: campaign.placing,
                steps: campaign.steps,
                victim: Some(Player::from_index(victim)),
            });
        }
    }
    best
}
