//! `standard("muster")`: players place their reserves in turn, a few armies at a time.
//!
//! The phase is opened for no player, with the number of the first seat. That frame opens a frame
//! for each seat in rotation until no active player has both a reserve and a territory to place it
//! on. The parameter `at_a_time` is the number of armies for each turn (default: 1). With `on_free:
//! true`, players may also take free territories.

use super::claim::is_free;
use super::{Asked, BindError, Hooks, PLACE, PhaseBinder, PhaseRules, Turn, at, on_board};
use crate::action::{Bounds, Domain, LegalAction, Options};
use crate::fault::RuleResult;
use crate::id::{Counter, Player, PlayerSet, Territory, Unit, Verb};
use crate::state::{Frame, GameState};

pub(super) struct Muster {
    place: [Verb; 1],
    reserve: Counter,
    at_a_time: i32,
    on_free: bool,
}

impl Muster {
    pub(super) fn bind(bind: &mut PhaseBinder<'_>) -> Result<Self, BindError> {
        Ok(Self {
            place: [bind.verb("place", &PLACE)?],
            reserve: bind.counter("reserve")?,
            at_a_time: bind.number("at_a_time", 1, 1)?,
            on_free: bind.flag("on_free", false)?,
        })
    }

    fn is_open(&self, game: &GameState, player: Player, territory: Territory) -> bool {
        let may_hold = game.owns(player, territory) || (self.on_free && is_free(game, territory));
        may_hold && game.space(territory, Unit::FIRST) >= self.armies(game, player)
    }

    fn armies(&self, game: &GameState, player: Player) -> i32 {
        let reserve = game.counter(self.reserve, Some(player));
        reserve.min(i64::from(self.at_a_time)) as i32
    }

    fn can_place(&self, game: &GameState, player: Player) -> bool {
        game.playing().has(player)
            && game.counter(self.reserve, Some(player)) > 0
            && (game.territory_count(player) > 0 && !game.decl().limits_units()
                || ((self.on_free || game.decl().limits_units())
                    && game
                        .board()
                        .territories()
                        .any(|territory| self.is_open(game, player, territory))))
    }
}

impl PhaseRules for Muster {
    fn enter(&self, game: &mut GameState, frame: &Frame, _: &mut dyn Hooks) -> RuleResult {
        if frame.opened_for.is_some() {
            return Ok(());
        }
        let first = super::seat(game, frame.args[0]).index();
        let seats = (0..game.players()).map(|step| super::seat(game, (first + step) as i32));
        if let Some(player) = seats
            .into_iter()
            .find(|&player| self.can_place(game, player))
        {
            game.push_for(frame.phase, player, [0; 3])?;
            game.push(
                frame.phase,
                PlayerSet::default(),
                None,
                [player.number() + 1, 0, 0],
            )?;
        }
        Ok(())
    }

    fn options(&self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        let Asked { game, player, .. } = asked;
        let armies = self.armies(game, player);
        let territories = game
            .board()
            .territories()
            .filter(|&territory| self.is_open(game, player, territory));
        let territories = out.among(territories.map(Territory::number));
        out.offer(self.place[0], &[territories, Domain::Is(armies)]);
        Ok(())
    }

    fn bounds_of(&self, asked: Asked<'_>, verb: Verb, given: &[i32]) -> RuleResult<Bounds> {
        let Asked { game, player, .. } = asked;
        let open = |&territory: &Territory| self.is_open(game, player, territory);
        Ok(match *given {
            [territory]
                if [verb] == self.place && on_board(game, territory).filter(open).is_some() =>
            {
                Bounds::only(self.armies(game, player))
            }
            _ => Bounds::NONE,
        })
    }

    fn verbs(&self) -> &[Verb] {
        &self.place
    }

    fn apply(&self, turn: Turn<'_>, action: LegalAction) -> RuleResult {
        let Turn { game, player, .. } = turn;
        let [territory, armies] = [action.args()[0], action.args()[1]];
        game.add_counter(self.reserve, Some(player), -i64::from(armies))?;
        game.set_owner(at(territory), Some(player));
        game.add_units(at(territory), Unit::FIRST, armies)?;
        game.leave(player);
        Ok(())
    }
}
