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

impl PhaseRules for Occupy {
    fn options(&self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        let Asked {
            game,
            frame,
            player,
        } = asked;
        let [from, to] = [frame.args[0], frame.args[1]];
        super::check_territory(game, from)?;
        super::check_territory(game, to)?;
        if game.owns(player, at(from)) && game.owns(player, at(to)) {
            let most = game.armies(at(from)) - 1;
            let armies = Domain::Span { low: 0, high: most };
            out.offer(self.to_move, &[Domain::Is(from), Domain::Is(to), armies]);
        }
        Ok(())
    }

    fn bounds_of(&self, asked: Asked<'_>, verb: Verb, given: &[i32]) -> RuleResult<Bounds> {
        let Asked {
            game,
            frame,
            player,
        } = asked;
        let [from, to] = [frame.args[0], frame.args[1]];
        if verb != self.to_move || *given != [from, to] {
            return Ok(Bounds::NONE);
        }
        super::check_territory(game, from)?;
        super::check_territory(game, to)?;
        let own = game.owns(player, at(from)) && game.owns(player, at(to));
        Ok(if own {
            Bounds::Span {
                low: 0,
                high: game.armies(at(from)) - 1,
            }
        } else {
            Bounds::NONE
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
