//! `standard("defend")`: the owner of an attacked territory chooses the number of dice to roll.
//!
//! `attack` opens the phase if it has the parameter `defend: true`, with the two territories and
//! the attacker's dice. The owner may roll one die up to `defend_dice(armies)`. A player who can
//! roll only one number is not asked, unless `attack` has `always: true`. Neutral armies roll as
//! many dice as they can. Then the dice are rolled as in `attack`, so that the parameters `move_in`
//! and `always` of both phases should be the same.

use super::round::{RoundRules, mark_conquest, movable, settle};
use super::{Asked, BindError, PhaseBinder, PhaseRules, Turn, at};
use crate::action::{Bounds, Domain, LegalAction, Options};
use crate::declare::SlotKind;
use crate::fault::RuleResult;
use crate::id::{self, Counter, Player, Territory, Unit, Verb};
use crate::state::GameState;

/// The roll of an attack and what follows from it.
pub(super) struct Strike {
    pub(super) round: RoundRules,
    occupy: id::Phase,
    conquered: Option<Counter>,
    move_in: i32,
    /// Whether to ask players even if they have only one possible answer.
    pub(super) always: bool,
}

impl Strike {
    pub(super) fn bind(bind: &mut PhaseBinder<'_>) -> Result<Self, BindError> {
        Ok(Self {
            round: RoundRules::bind(bind)?,
            occupy: bind.phase("occupy")?,
            conquered: bind.counter_if_any("conquered"),
            move_in: bind.number("move_in", 0, 0)?,
            always: bind.flag("always", false)?,
        })
    }

    /// Rolls the attacker's dice and those of the defender, who rolls as many as possible or the
    /// given number, and captures the territory if no defender is left.
    pub(super) fn roll(
        &self,
        turn: Turn<'_>,
        attacker: Player,
        [from, to]: [Territory; 2],
        dice: i32,
        defend: Option<i32>,
    ) -> RuleResult {
        let game = turn.game;
        let losses = self.round.roll(game, from, to, dice, defend)?;
        if !settle(game, from, to, dice, losses)? {
            return Ok(());
        }
        let moved = if self.move_in > 0 { self.move_in } else { dice };
        game.capture(from, to, Unit::FIRST, movable(game, from, to, moved))?;
        mark_conquest(self.conquered, game, attacker)?;
        if self.always || game.armies(from) > 1 {
            game.push_for(self.occupy, attacker, [from.number(), to.number(), 0])?;
        }
        turn.hooks.on_conquest(game, attacker, to)
    }
}

pub(super) struct Defend {
    verbs: [Verb; 1],
    strike: Strike,
}

impl Defend {
    pub(super) fn bind(bind: &mut PhaseBinder<'_>) -> Result<Self, BindError> {
        Ok(Self {
            verbs: [bind.verb("defend", &[("dice", SlotKind::Count)])?],
            strike: Strike::bind(bind)?,
        })
    }

    /// Returns the most dice of the defender; 0 if the fight can't take place any more.
    fn most(&self, asked: Asked<'_>) -> RuleResult<i32> {
        let Asked { game, player, .. } = asked;
        let [from, to] = way(game, asked.frame.args)?;
        let attacker = game.owner(from);
        let is_on = game.owns(player, to) && attacker.is_some_and(|foe| game.is_foe(foe, to));
        if is_on {
            self.strike.round.defend_dice(game, from, to)
        } else {
            Ok(0)
        }
    }
}

/// Returns the two territories that the phase was opened with.
fn way(game: &GameState, args: [i32; 3]) -> RuleResult<[Territory; 2]> {
    super::check_territory(game, args[0])?;
    super::check_territory(game, args[1])?;
    Ok([at(args[0]), at(args[1])])
}

impl PhaseRules for Defend {
    fn options(&self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        let most = self.most(asked)?;
        if most > 0 {
            out.offer(self.verbs[0], &[Domain::up_to(most)]);
        }
        Ok(())
    }

    fn bounds_of(&self, asked: Asked<'_>, verb: Verb, given: &[i32]) -> RuleResult<Bounds> {
        match *given {
            [] if [verb] == self.verbs => self.most(asked).map(Bounds::up_to),
            _ => Ok(Bounds::NONE),
        }
    }

    fn verbs(&self) -> &[Verb] {
        &self.verbs
    }

    fn apply(&self, turn: Turn<'_>, action: LegalAction) -> RuleResult {
        let way = way(turn.game, turn.frame.args)?;
        let [dice, defend] = [turn.frame.args[2], action.args()[0]];
        turn.game.leave(turn.player);
        match turn.game.owner(way[0]) {
            Some(attacker) => self.strike.roll(turn, attacker, way, dice, Some(defend)),
            None => Ok(()),
        }
    }
}
