//! `standard("deploy")`: a player places the whole reserve on their own territories.

use super::{Asked, BindError, LARGE, PLACE, PhaseBinder, PhaseRules, Turn, at, on_board};
use crate::action::{Action, Bounds, Domain, LegalAction, Options};
use crate::fault::RuleResult;
use crate::id::{Counter, Territory, Unit, Verb};
use crate::rng::Stream;

pub(super) struct Deploy {
    place: [Verb; 1],
    reserve: Counter,
}

impl Deploy {
    pub(super) fn bind(bind: &PhaseBinder<'_>) -> Result<Self, BindError> {
        Ok(Self {
            place: [bind.verb("place", &PLACE)?],
            reserve: bind.counter("reserve")?,
        })
    }
}

impl PhaseRules for Deploy {
    fn options(&self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        let Asked { game, player, .. } = asked;
        let reserve = game.counter(self.reserve, Some(player)) as i32;
        if reserve > 0 {
            let territories = out.among(game.owned(player).map(Territory::number));
            out.offer(self.place[0], &[territories, Domain::up_to(reserve)]);
        }
        Ok(())
    }

    fn bounds_of(&self, asked: Asked<'_>, verb: Verb, given: &[i32]) -> RuleResult<Bounds> {
        let Asked { game, player, .. } = asked;
        match *given {
            [territory]
                if [verb] == self.place
                    && on_board(game, territory)
                        .is_some_and(|territory| game.owns(player, territory)) =>
            {
                Ok(Bounds::up_to(
                    game.counter(self.reserve, Some(player)) as i32
                ))
            }
            _ => Ok(Bounds::NONE),
        }
    }

    fn verbs(&self) -> &[Verb] {
        &self.place
    }

    fn draw(&self, asked: Asked<'_>, rng: &mut Stream) -> RuleResult<Option<Action>> {
        let Asked { game, player, .. } = asked;
        let territories = u64::from(game.territory_count(player));
        let reserve = game.counter(self.reserve, Some(player)).max(0) as u64;
        if game.board().len() < LARGE || territories * reserve == 0 {
            return Ok(None);
        }
        let case = rng.below(territories * reserve);
        let territory = game.owned(player).nth((case / reserve) as usize);
        let armies = 1 + (case % reserve) as i32;
        Ok(territory.map(|territory| Action::new(self.place[0], &[territory.number(), armies])))
    }

    fn apply(&self, turn: Turn<'_>, action: LegalAction) -> RuleResult {
        let Turn { game, player, .. } = turn;
        let [territory, armies] = [action.args()[0], action.args()[1]];
        game.add_counter(self.reserve, Some(player), -i64::from(armies))?;
        game.add_units(at(territory), Unit::FIRST, armies)?;
        if game.counter(self.reserve, Some(player)) == 0 {
            game.leave(player);
        }
        Ok(())
    }
}
