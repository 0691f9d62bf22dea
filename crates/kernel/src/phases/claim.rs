//! `standard("claim")`: players take free territories in turn, one at a time.
//!
//! The phase is opened for no player, with the number of the first seat. That frame opens a frame
//! for each seat in rotation until no territory is free. A seat that no longer plays receives a
//! random free territory.

use super::{Asked, BindError, Hooks, PhaseBinder, PhaseRules, Turn, at};
use crate::action::{LegalAction, Options};
use crate::declare::SlotKind;
use crate::event::Status;
use crate::fault::RuleResult;
use crate::id::{Counter, Player, PlayerSet, Territory, Unit, Verb};
use crate::state::{Frame, GameState};

pub(super) struct Claim {
    claim: Verb,
    reserve: Counter,
}

impl Claim {
    pub(super) fn bind(bind: &PhaseBinder<'_>) -> Result<Self, BindError> {
        Ok(Self {
            claim: bind.verb("claim", &[("at", SlotKind::Territory)])?,
            reserve: bind.counter("reserve")?,
        })
    }

    fn take(&self, game: &mut GameState, player: Player, territory: Territory) -> RuleResult {
        game.set_owner(territory, Some(player));
        game.add_units(territory, Unit::FIRST, 1)?;
        game.add_counter(self.reserve, Some(player), -1)
    }
}

/// Reports whether a territory can be claimed or dealt: it has no owner, and no armies by the map.
#[inline]
pub(super) fn is_free(game: &GameState, at: Territory) -> bool {
    game.owner(at).is_none()
        && game.board().info(at).neutral == 0
        && game.space(at, Unit::FIRST) > 0
}

/// Returns the territories that can be claimed or dealt.
pub(super) fn free(game: &GameState) -> impl Iterator<Item = Territory> + '_ {
    let all = game.board().territories();
    all.filter(|&at| is_free(game, at))
}

impl PhaseRules for Claim {
    fn enter(&self, game: &mut GameState, frame: &Frame, _: &mut dyn Hooks) -> RuleResult {
        if frame.opened_for.is_some() || free(game).next().is_none() {
            return Ok(());
        }
        let seat = super::seat(game, frame.args[0]);
        match game.status(seat) {
            Status::Playing => game.push_for(frame.phase, seat, [0; 3])?,
            Status::Neutral | Status::Forfeited => {
                let territories: Vec<Territory> = free(game).collect();
                let pick = game.random(territories.len() as u64)?;
                self.take(game, seat, territories[pick as usize])?;
            }
            Status::Eliminated => {}
        }
        game.push(
            frame.phase,
            PlayerSet::default(),
            None,
            [seat.number() + 1, 0, 0],
        )
    }

    fn options(&self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        let Asked { game, .. } = asked;
        let territories = out.among(free(game).map(Territory::number));
        out.offer(self.claim, &[territories]);
        Ok(())
    }

    fn apply(&self, turn: Turn<'_>, action: LegalAction) -> RuleResult {
        let Turn { game, player, .. } = turn;
        self.take(game, player, at(action.args()[0]))?;
        game.leave(player);
        Ok(())
    }
}
