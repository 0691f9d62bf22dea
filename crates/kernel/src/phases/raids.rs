//! Raids: units move along a path of territories and strike at most once from its end. The ruleset
//! defines the raids. This module offers them step by step, or as complete plans.

use crate::action::{Domain, Offer, Options};
use crate::id::{Territory, Unit, Verb};
use crate::routes::Region;
use crate::state::GameState;

/// A receiver of offers and plans, with a limit on their cost.
pub trait OfferSink {
    /// The error returned if the receiver accepts no more work, offers or plans.
    type Fault;

    /// Returns the options so far. Lists of values can be added to their pool.
    fn options(&mut self) -> &mut Options;

    /// Counts work before it is done. The work is about 1 for each value that is read or stored.
    ///
    /// # Errors
    /// Returns an error if the work exceeds the limit.
    fn spend(&mut self, work: usize) -> Result<(), Self::Fault>;

    /// Adds an offer.
    ///
    /// # Errors
    /// Returns an error if there are too many offers.
    fn offer(&mut self, offer: Offer) -> Result<(), Self::Fault>;

    /// Adds a plan.
    ///
    /// # Errors
    /// Returns an error if there are too many plans.
    fn plan(&mut self, steps: &[Offer]) -> Result<(), Self::Fault>;
}

/// A set of possible raids with the same rules.
#[derive(Clone, Debug)]
pub struct Raids {
    /// The verb of a step. If `moves` is true, its parameters are the origin, the destination, the
    /// kind and the number of units. If not, its only parameter is the territory where units
    /// appear.
    pub step: Verb,
    /// Whether units move from a territory in the first step. If false, units appear on a
    /// territory.
    pub moves: bool,
    /// The origins of the first step.
    pub from: Vec<Territory>,
    /// The possible destinations, in the order of the plans.
    pub to: Vec<Territory>,
    /// The kind of unit that moves.
    pub kind: Unit,
    /// The number of units that set out or appear; `None` for any number up to all units present.
    pub count: Option<i32>,
    /// The maximum number of moves after the first step.
    pub on: i32,
    /// The possible strikes at the end.
    pub strikes: Vec<RaidStrike>,
    /// The verb that ends a raid without a strike. It has no parameters.
    pub stop: Verb,
    /// Whether each plan without a strike is added twice.
    pub repeats: bool,
    /// Whether each destination has its own plan, in map order. If false, final moves to
    /// territories without targets may be combined into one plan, which follows the others.
    pub in_order: bool,
}

/// A way to strike from a territory.
#[derive(Clone, Debug)]
pub struct RaidStrike {
    /// The verb of the strike. Its parameters are the territory of the units, the target if `near`
    /// is present, and the number of units that strike if `fewer` is present.
    pub verb: Verb,
    /// The regions of possible targets. Neighbours in the first region come before neighbours in
    /// the second.
    pub near: Option<[Region; 2]>,
    /// The territories from which the strike is possible; `None` for all territories.
    pub on: Option<Region>,
    /// The exclusive maximum of the number of units that strike, if that number is a parameter. The
    /// number must also be less than the number of units that came. `None` if it is not a
    /// parameter.
    pub fewer: Option<i32>,
}

impl RaidStrike {
    fn targets(&self, game: &GameState, at: Territory) -> Option<Vec<i32>> {
        let [first, then] = self.near.as_ref()?;
        let near = game.open_borders(at);
        let mut targets: Vec<i32> = near
            .clone()
            .filter(|&to| first.has(to))
            .map(Territory::number)
            .collect();
        let others = near.filter(|&to| then.has(to) && !first.has(to));
        targets.extend(others.map(Territory::number));
        Some(targets)
    }
}

impl Raids {
    /// Offers the first steps.
    ///
    /// # Errors
    /// Returns an error if `out` accepts no more offers or plans.
    pub fn offer_first<O: OfferSink>(&self, game: &GameState, out: &mut O) -> Result<(), O::Fault> {
        if !self.moves {
            let to = self.to.iter().map(|at| at.number());
            let to = out.options().among(to);
            return out.offer(Offer::new(self.step, &[to]));
        }
        let mut raider = Raider::new(self, game, out);
        for &from in &self.from {
            let ends = raider.all_ends(from)?;
            let step = self.step_to(from, ends, self.count_from(game, from));
            raider.out.offer(step)?;
        }
        Ok(())
    }

    /// Offers the options after units have reached a territory: to move on, to strike, or to stop
    /// if there is another option. The number of units is `count`, or 1 if `count` is `None`.
    ///
    /// # Errors
    /// Returns an error if `out` accepts no more offers or plans.
    pub fn offer_from<O: OfferSink>(
        &self,
        game: &GameState,
        at: Territory,
        out: &mut O,
    ) -> Result<(), O::Fault> {
        let mut raider = Raider::new(self, game, out);
        let strikes = raider.strikes_from(at, self.count.unwrap_or(1))?;
        if self.on > 0 || !strikes.is_empty() {
            raider.out.offer(self.stop())?;
        }
        if self.on > 0 && self.moves {
            let ends = raider.all_ends(at)?;
            raider.out.offer(self.step_to(at, ends, Domain::Is(1)))?;
        }
        strikes
            .into_iter()
            .try_for_each(|strike| raider.out.offer(strike))
    }

    /// Plans complete raids.
    ///
    /// # Errors
    /// Returns an error if `out` accepts no more offers or plans.
    pub fn plan<O: OfferSink>(&self, game: &GameState, out: &mut O) -> Result<(), O::Fault> {
        let mut raider = Raider::new(self, game, out);
        if self.moves {
            for &from in &self.from {
                raider.plan_moves(from, self.on, self.count_from(game, from))?;
            }
            return Ok(());
        }
        for &at in &self.to {
            let begins = Offer::new(self.step, &[Domain::Is(at.number())]);
            raider.plan_from(begins, at, 0, self.count.unwrap_or(1))?;
        }
        Ok(())
    }

    fn count_from(&self, game: &GameState, from: Territory) -> Domain {
        let all = Domain::Span {
            low: 1,
            high: game.units(from, self.kind),
        };
        self.count.map_or(all, Domain::Is)
    }

    fn step_to(&self, from: Territory, to: Domain, count: Domain) -> Offer {
        let kind = Domain::Is(self.kind.index() as i32);
        Offer::new(self.step, &[Domain::Is(from.number()), to, kind, count])
    }

    fn stop(&self) -> Offer {
        Offer::new(self.stop, &[])
    }

    /// Reports whether the number of units is a parameter of any strike.
    fn counts(&self) -> bool {
        self.strikes.iter().any(|strike| strike.fewer.is_some())
    }
}

struct Raider<'a, O> {
    raids: &'a Raids,
    game: &'a GameState,
    out: &'a mut O,
    open: Region,
    /// The targets by strike and territory; `None` until they are computed.
    targets: Vec<Vec<Option<Domain>>>,
    /// Whether final moves to territories without targets are combined into one plan, after the
    /// others.
    merges: bool,
    steps: Vec<Offer>,
}

impl<'a, O: OfferSink> Raider<'a, O> {
    fn new(raids: &'a Raids, game: &'a GameState, out: &'a mut O) -> Self {
        let board = game.board();
        let ordered = raids.in_order || raids.repeats || raids.counts();
        Self {
            raids,
            game,
            out,
            open: Region::from_territories(board, raids.to.iter().copied()),
            targets: vec![vec![None; board.len()]; raids.strikes.len()],
            merges: !ordered && raids.strikes.len() < 2,
            steps: Vec::new(),
        }
    }

    fn ends(&mut self, from: Territory) -> Result<Vec<Territory>, O::Fault> {
        let near = self.game.open_borders(from);
        self.out
            .spend(4 * self.game.board().neighbours(from).len())?;
        Ok(near.filter(|&to| self.open.has(to)).collect())
    }

    fn all_ends(&mut self, from: Territory) -> Result<Domain, O::Fault> {
        let ends = self.ends(from)?;
        Ok(self
            .out
            .options()
            .among(ends.into_iter().map(Territory::number)))
    }

    /// Returns the strikes from a territory that `count` units have reached.
    fn strikes_from(&mut self, at: Territory, count: i32) -> Result<Vec<Offer>, O::Fault> {
        let near = self.game.board().neighbours(at).len();
        self.out.spend(self.raids.strikes.len() * (4 + near))?;
        let strikes = 0..self.raids.strikes.len();
        Ok(strikes
            .filter_map(|strike| self.strike(strike, at, count))
            .collect())
    }

    fn strike(&mut self, index: usize, at: Territory, count: i32) -> Option<Offer> {
        let strike = &self.raids.strikes[index];
        let high = strike.fewer.map_or(1, |most| count.min(most) - 1);
        if high < 1 || strike.on.as_ref().is_some_and(|on| !on.has(at)) {
            return None;
        }
        let mut slots = [Domain::Is(at.number()); 3];
        let mut len = 1;
        let known = &mut self.targets[index][at.index()];
        if known.is_none()
            && let Some(targets) = strike.targets(self.game, at)
        {
            *known = Some(self.out.options().among(targets));
        }
        if let Some(targets) = *known {
            if self.out.options().size(targets) == 0 {
                return None;
            }
            slots[len] = targets;
            len += 1;
        }
        if strike.fewer.is_some() {
            slots[len] = Domain::Span { low: 1, high };
            len += 1;
        }
        Some(Offer::new(strike.verb, &slots[..len]))
    }

    /// Plans a move from a territory to each possible destination, and the next steps.
    fn plan_moves(&mut self, from: Territory, left: i32, count: Domain) -> Result<(), O::Fault> {
        let mut quiet = Vec::new();
        for end in self.ends(from)? {
            let to = Domain::Is(end.number());
            if self.merges && left == 0 && self.strikes_from(end, 1)?.is_empty() {
                quiet.push(end.number());
                continue;
            }
            // If the next step depends on the number of units that came, each number has its own
            // plan.
            let counts = match count {
                Domain::Span { low, high } if self.raids.counts() => low..=high,
                _ => {
                    self.plan_from(self.raids.step_to(from, to, count), end, left, 1)?;
                    continue;
                }
            };
            for count in counts {
                let step = self.raids.step_to(from, to, Domain::Is(count));
                self.plan_from(step, end, left, count)?;
            }
        }
        if quiet.is_empty() {
            return Ok(());
        }
        let quiet = self.out.options().among(quiet);
        self.steps.push(self.raids.step_to(from, quiet, count));
        self.add_plan(None)?;
        self.steps.pop();
        Ok(())
    }

    /// Plans a step to a territory, followed by the end of the raid, another move, or a strike.
    fn plan_from(
        &mut self,
        step: Offer,
        at: Territory,
        left: i32,
        count: i32,
    ) -> Result<(), O::Fault> {
        self.steps.push(step);
        let strikes = self.strikes_from(at, count)?;
        let stop = (left > 0 || !strikes.is_empty()).then_some(self.raids.stop());
        for _ in 0..if self.raids.repeats { 2 } else { 1 } {
            self.add_plan(stop)?;
        }
        if left > 0 {
            self.plan_moves(at, left - 1, Domain::Is(1))?;
        }
        for strike in strikes {
            self.add_plan(Some(strike))?;
        }
        self.steps.pop();
        Ok(())
    }

    /// Adds a plan that consists of the steps and `last`.
    fn add_plan(&mut self, last: Option<Offer>) -> Result<(), O::Fault> {
        self.out.spend(16 * (self.steps.len() + 1))?;
        self.steps.extend(last);
        self.out.plan(&self.steps)?;
        let len = self.steps.len() - usize::from(last.is_some());
        self.steps.truncate(len);
        Ok(())
    }
}
