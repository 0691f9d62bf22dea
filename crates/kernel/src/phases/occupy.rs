//! `standard("occupy")`: a player decides how many more armies move in after a capture. The phase
//! is opened with the two territories.

use super::{Asked, BindError, MOVE, PhaseBinder, PhaseRules, Turn, at};
use crate::action::{Bounds, Domain, LegalAction, Options};
use crate::fault::RuleResult;
use crate::id::{Unit, Verb};

pub(super) struct Occupy {
    to_move: Verb,
}

impl Occupy {
    pub(super) fn bind(bind: &PhaseBinder<'_>) -> Result<Self, BindError> {
        Ok(Self {
            to_move: bind.verb("move", &MOVE)?,
        })
    }
}

/// Returns the two territories and the most armies that may move; `None` if the player lacks one of
/// the territories.
fn captured(asked: Asked<'_>) -> RuleResult<Option<([i32; 2], i32)>> {
    let Asked { game, player, .. } = asked;
    let [from, to] = [asked.frame.args[0], asked.frame.args[1]];
    super::check_territory(game, from)?;
    super::check_territory(game, to)?;
    let own = game.owns(player, at(from)) && game.owns(player, at(to));
    Ok(own.then(|| ([from, to], game.armies(at(from)) - 1)))
}

impl PhaseRules for Occupy {
    fn options(&self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        if let Some((way, high)) = captured(asked)? {
            let [from, to] = way.map(Domain::Is);
            out.offer(self.to_move, &[from, to, Domain::Span { low: 0, high }]);
        }
        Ok(())
    }

    fn bounds_of(&self, asked: Asked<'_>, verb: Verb, given: &[i32]) -> RuleResult<Bounds> {
        Ok(match captured(asked)? {
            Some((way, high)) if verb == self.to_move && *given == way => {
                Bounds::Span { low: 0, high }
            }
            _ => Bounds::NONE,
        })
    }

    fn apply(&self, turn: Turn<'_>, action: LegalAction) -> RuleResult {
        let Turn { game, player, .. } = turn;
        let [from, to, armies] = [action.args()[0], action.args()[1], action.args()[2]];
        if armies > 0 {
            game.move_units(at(from), at(to), Unit::FIRST, armies)?;
        }
        game.leave(player);
        Ok(())
    }
}
