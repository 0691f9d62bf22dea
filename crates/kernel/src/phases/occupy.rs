//! `standard("occupy")`: a player decides how many more armies move in after a capture. The phase
//! is opened with the two territories.

use super::{BindError, Hooks, PhaseBinder, PhaseRules, at};
use crate::action::{Bounds, Domain, LegalAction, Options};
use crate::declare::SlotKind;
use crate::fault::RuleFault;
use crate::id::{Player, Unit, Verb};
use crate::state::{Frame, GameState};

pub(super) struct Occupy {
    to_move: Verb,
}

impl Occupy {
    pub(super) fn bind(bind: &PhaseBinder<'_>) -> Result<Self, BindError> {
        let territory = SlotKind::Territory;
        Ok(Self {
            to_move: bind.verb(
                "move",
                &[
                    ("from", territory),
                    ("to", territory),
                    ("armies", SlotKind::Count),
                ],
            )?,
        })
    }
}

impl PhaseRules for Occupy {
    fn options(
        &self,
        game: &GameState,
        frame: &Frame,
        player: Player,
        out: &mut Options,
    ) -> Result<(), RuleFault> {
        let [from, to] = [frame.args[0], frame.args[1]];
        super::check_territory(game, from)?;
        super::check_territory(game, to)?;
        if game.owns(player, at(from)) && game.owns(player, at(to)) {
            let most = game.armies(at(from)) - 1;
            out.offer(
                self.to_move,
                &[
                    Domain::Is(from),
                    Domain::Is(to),
                    Domain::Span { low: 0, high: most },
                ],
            );
        }
        Ok(())
    }

    fn bounds_of(
        &self,
        game: &GameState,
        frame: &Frame,
        player: Player,
        verb: Verb,
        given: &[i32],
    ) -> Result<Bounds, RuleFault> {
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

    fn apply(
        &self,
        game: &mut GameState,
        _: &Frame,
        player: Player,
        action: LegalAction,
        _: &mut dyn Hooks,
    ) -> Result<(), RuleFault> {
        let [from, to, armies] = [action.args()[0], action.args()[1], action.args()[2]];
        if armies > 0 {
            game.move_units(at(from), at(to), Unit::FIRST, armies)?;
        }
        game.leave(player);
        Ok(())
    }
}
