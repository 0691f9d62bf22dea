//! `standard("press_on")`: a player decides after each round of dice whether an attack continues.
//! `assault` and the phase itself open the phase with the two territories as long as armies are
//! left to attack with.

use super::dice::Losses;
use super::round::{RoundRules, mark_conquest, movable, settle};
use super::{Asked, BindError, PhaseBinder, PhaseRules, Turn, WAY, at};
use crate::action::{Bounds, Domain, LegalAction, Options};
use crate::declare::FightMethod;
use crate::fault::RuleResult;
use crate::id::{self, Counter, Unit, Verb};

pub(super) struct PressOn {
    attack: Verb,
    stop: Verb,
    battle: BattleRules,
}

pub(super) struct BattleRules {
    round: RoundRules,
    conquered: Option<Counter>,
}

impl BattleRules {
    pub(super) fn bind(bind: &PhaseBinder<'_>) -> Result<Self, BindError> {
        Ok(Self {
            round: RoundRules::bind(bind)?,
            conquered: bind.counter_if_any("conquered"),
        })
    }

    /// Fights one round with as many dice as possible. After a capture, all armies but one move in.
    /// A territory without armies is captured without dice.
    pub(super) fn fight(
        &self,
        turn: Turn<'_>,
        action: LegalAction,
        press_on: id::Phase,
    ) -> RuleResult {
        let Turn { game, player, .. } = turn;
        let [from, to] = [at(action.args()[0]), at(action.args()[1])];
        let losses = if game.armies(to) > 0 {
            let dice = self.round.attack_dice(game, from, to)?;
            self.round.roll(game, from, to, dice, None)?
        } else {
            Losses::default()
        };
        if !settle(game, from, to, game.armies(from), losses)? {
            if game.armies(from) > 1 {
                game.push_for(press_on, player, [from.number(), to.number(), 0])?;
            }
            return Ok(());
        }
        game.capture(from, to, Unit::FIRST, movable(game, from, to, i32::MAX))?;
        mark_conquest(self.conquered, game, player)?;
        turn.hooks.on_conquest(game, player, to)
    }
}

impl PressOn {
    pub(super) fn bind(bind: &PhaseBinder<'_>) -> Result<Self, BindError> {
        Ok(Self {
            attack: bind.verb("attack", &WAY)?,
            stop: bind.verb("stop", &[])?,
            battle: BattleRules::bind(bind)?,
        })
    }
}

/// Returns the two territories that the phase was opened with, if the player can still attack.
fn territories(asked: Asked<'_>) -> RuleResult<Option<[i32; 2]>> {
    let Asked { game, player, .. } = asked;
    let [from, to] = [asked.frame.args[0], asked.frame.args[1]];
    super::check_territory(game, from)?;
    super::check_territory(game, to)?;
    let able = game.owns(player, at(from))
        && game.armies(at(from)) > 1
        && game.is_foe(player, at(to))
        && game.can_attack_over(player, at(from), at(to));
    Ok(able.then_some([from, to]))
}

impl PhaseRules for PressOn {
    fn fights(&self) -> Option<FightMethod> {
        Some(FightMethod::Dice)
    }

    fn options(&self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        if let Some(territories) = territories(asked)? {
            out.offer(self.attack, &territories.map(Domain::Is));
            out.offer(self.stop, &[]);
        }
        Ok(())
    }

    fn bounds_of(&self, asked: Asked<'_>, verb: Verb, given: &[i32]) -> RuleResult<Bounds> {
        let Some([from, to]) = territories(asked)? else {
            return Ok(Bounds::NONE);
        };
        Ok(if verb == self.attack && *given == [from] {
            Bounds::only(to)
        } else if verb == self.stop && given.is_empty() {
            Bounds::OFFERED
        } else {
            Bounds::NONE
        })
    }

    fn apply(&self, turn: Turn<'_>, action: LegalAction) -> RuleResult {
        turn.game.leave(turn.player);
        if action.verb == self.stop {
            return Ok(());
        }
        let press_on = turn.frame.phase;
        self.battle.fight(turn, action, press_on)
    }
}
