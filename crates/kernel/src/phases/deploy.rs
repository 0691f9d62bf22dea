//! `standard("deploy")`: a player places the whole reserve on their own territories. With a verb
//! `buy`, the reserve also pays for units of other kinds, each at its price.

use super::{Asked, BindError, LARGE, PLACE, PhaseBinder, PhaseRules, Turn, at, on_board};
use crate::action::{Action, Bounds, Domain, LegalAction, Options};
use crate::declare::SlotKind;
use crate::fault::RuleResult;
use crate::id::{Counter, Territory, Unit, Verb};
use crate::rng::Stream;

pub(super) struct Deploy {
    place: [Verb; 1],
    /// The verb for other kinds of units.
    buy: Option<Verb>,
    reserve: Counter,
    /// The price of each kind of unit.
    prices: Vec<i32>,
}

const BUY: [(&str, SlotKind); 3] = [
    ("at", SlotKind::Territory),
    ("unit", SlotKind::Unit),
    ("units", SlotKind::Count),
];

impl Deploy {
    pub(super) fn bind(bind: &PhaseBinder<'_>) -> Result<Self, BindError> {
        Ok(Self {
            place: [bind.verb("place", &PLACE)?],
            buy: bind.verb_if_any("buy", &BUY),
            prices: bind.prices(),
            reserve: bind.counter("reserve")?,
        })
    }
}

impl Deploy {
    /// Returns how many units of a kind the reserve pays for.
    fn affordable(&self, asked: Asked<'_>, unit: Unit) -> i32 {
        let reserve = asked.game.counter(self.reserve, Some(asked.player)) as i32;
        reserve / self.prices[unit.index()]
    }
}

impl PhaseRules for Deploy {
    fn options(&self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        let Asked { game, player, .. } = asked;
        let armies = self.affordable(asked, Unit::FIRST);
        if armies > 0 {
            let territories = out.among(game.owned(player).map(Territory::number));
            out.offer(self.place[0], &[territories, Domain::up_to(armies)]);
        }
        let kinds = (1..self.prices.len()).map(Unit::from_index);
        for (unit, buy) in kinds.filter_map(|unit| Some((unit, self.buy?))) {
            let units = self.affordable(asked, unit);
            for at in game.owned(player).filter(|_| units > 0) {
                let most = units.min(game.space(at, unit));
                let kind = Domain::Is(unit.index() as i32);
                out.offer(buy, &[Domain::Is(at.number()), kind, Domain::up_to(most)]);
            }
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
                Ok(Bounds::up_to(self.affordable(asked, Unit::FIRST)))
            }
            _ if Some(verb) == self.buy => Ok(Bounds::Unknown),
            _ => Ok(Bounds::NONE),
        }
    }

    fn verbs(&self) -> &[Verb] {
        if self.buy.is_some() { &[] } else { &self.place }
    }

    fn draw(&self, asked: Asked<'_>, rng: &mut Stream) -> RuleResult<Option<Action>> {
        let Asked { game, player, .. } = asked;
        let territories = u64::from(game.territory_count(player));
        let reserve = self.affordable(asked, Unit::FIRST).max(0) as u64;
        if self.buy.is_some() || game.board().len() < LARGE || territories * reserve == 0 {
            return Ok(None);
        }
        let case = rng.below(territories * reserve);
        let territory = game.owned(player).nth((case / reserve) as usize);
        let armies = 1 + (case % reserve) as i32;
        Ok(territory.map(|territory| Action::new(self.place[0], &[territory.number(), armies])))
    }

    fn apply(&self, turn: Turn<'_>, action: LegalAction) -> RuleResult {
        let Turn { game, player, .. } = turn;
        let (territory, unit, units) = match *action.args() {
            [territory, kind, units] => (territory, Unit::from_index(kind as usize), units),
            _ => (action.args()[0], Unit::FIRST, action.args()[1]),
        };
        let price = i64::from(self.prices[unit.index()]);
        game.add_counter(self.reserve, Some(player), -i64::from(units) * price)?;
        game.add_units(at(territory), unit, units)?;
        if game.counter(self.reserve, Some(player)) == 0 {
            game.leave(player);
        }
        Ok(())
    }
}
