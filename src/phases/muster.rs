//! `standard("muster")`: players place their reserve in turn, a few armies at a time.
//!
//! Opened for nobody, with the seat that begins: that frame opens one frame for each seat in rotation
//! until nobody who plays has a reserve. Parameter `at_a_time`: armies for each turn (1).

use super::{Bind, Hooks, Phase, Unbound, at};
use crate::kernel::action::{Domain, Legal, Options};
use crate::kernel::declare::SlotKind;
use crate::kernel::fault::RuleFault;
use crate::kernel::id::{Counter, Player, PlayerSet, Territory, Unit, Verb};
use crate::kernel::state::{Frame, Game};

pub(super) struct Muster {
    place: Verb,
    reserve: Counter,
    at_a_time: i32,
}

impl Muster {
    pub(super) fn bind(bind: &mut Bind<'_>) -> Result<Self, Unbound> {
        Ok(Self {
            place: bind.verb("place", &[("at", SlotKind::Territory), ("armies", SlotKind::Count)])?,
            reserve: bind.counter("reserve")?,
            at_a_time: bind.number("at_a_time", 1)?,
        })
    }
}

impl Phase for Muster {
    fn enter(&self, game: &mut Game, frame: &Frame, _: &mut dyn Hooks) -> Result<(), RuleFault> {
        if frame.seat().is_some() {
            return Ok(());
        }
        let first = super::seat(game, frame.args[1]).index();
        let seats = (0..game.players()).map(|step| super::seat(game, (first + step) as i32));
        let has = |&who: &Player| {
            game.playing().has(who) && game.counter(self.reserve, Some(who)) > 0 && game.territory_count(who) > 0
        };
        if let Some(who) = seats.into_iter().find(has) {
            game.push_for(frame.phase, who, [0; 3])?;
            game.push(frame.phase, PlayerSet::default(), [-1, who.number() + 1, 0, 0])?;
        }
        Ok(())
    }

    fn options(&self, game: &Game, _: &Frame, who: Player, out: &mut Options) -> Result<(), RuleFault> {
        let armies = game.counter(self.reserve, Some(who)).min(i64::from(self.at_a_time)) as i32;
        let lands = out.among(game.owned(who).map(Territory::number));
        out.offer(self.place, &[lands, Domain::Is(armies)]);
        Ok(())
    }

    fn apply(&self, game: &mut Game, _: &Frame, who: Player, said: Legal, _: &mut dyn Hooks) -> Result<(), RuleFault> {
        let [land, armies] = [said.args()[0], said.args()[1]];
        game.add_counter(self.reserve, Some(who), -i64::from(armies))?;
        game.add_units(at(land), Unit(0), armies)?;
        game.leave(who);
        Ok(())
    }
}
