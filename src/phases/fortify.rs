//! `standard("fortify")`: at most one move between two own neighbouring territories. Skipped when
//! there is none to make. With `anywhere: true` the two need not be neighbours, where the phase
//! is not skipped.

use super::{Bind, Hooks, Phase, Unbound, at};
use crate::kernel::action::{Domain, Legal, Options};
use crate::kernel::declare::SlotKind;
use crate::kernel::fault::RuleFault;
use crate::kernel::id::{Player, Territory, Unit, Verb};
use crate::kernel::state::{Frame, GameState};

pub(super) struct Fortify {
    to_move: Verb,
    done: Verb,
    anywhere: bool,
}

impl Fortify {
    pub(super) fn bind(bind: &mut Bind<'_>) -> Result<Self, Unbound> {
        let land = SlotKind::Territory;
        Ok(Self {
            to_move: bind.verb(
                "move",
                &[("from", land), ("to", land), ("armies", SlotKind::Count)],
            )?,
            done: bind.verb("done", &[])?,
            anywhere: bind.flag("anywhere", false)?,
        })
    }
}

impl Phase for Fortify {
    fn options(
        &self,
        game: &GameState,
        _: &Frame,
        player: Player,
        out: &mut Options,
    ) -> Result<(), RuleFault> {
        let near = |from| {
            game.board()
                .neighbours(from)
                .iter()
                .copied()
                .filter(|&to| game.owns(player, to))
        };
        if self.anywhere
            && !game
                .owned(player)
                .any(|from| game.armies(from) > 1 && near(from).next().is_some())
        {
            return Ok(());
        }
        for from in game.owned(player) {
            let most = game.armies(from) - 1;
            if most < 1 {
                continue;
            }
            let own = if self.anywhere {
                out.among(
                    game.owned(player)
                        .filter(|&to| to != from)
                        .map(Territory::number),
                )
            } else {
                out.among(near(from).map(Territory::number))
            };
            out.offer(
                self.to_move,
                &[
                    Domain::Is(from.number()),
                    own,
                    Domain::Span { low: 1, high: most },
                ],
            );
        }
        if !out.is_empty() {
            out.offer(self.done, &[]);
        }
        Ok(())
    }

    fn apply(
        &self,
        game: &mut GameState,
        _: &Frame,
        player: Player,
        action: Legal,
        _: &mut dyn Hooks,
    ) -> Result<(), RuleFault> {
        if action.verb != self.done {
            let [from, to, armies] = [action.args()[0], action.args()[1], action.args()[2]];
            game.move_units(at(from), at(to), Unit::FIRST, armies)?;
        }
        game.leave(player);
        Ok(())
    }
}
