//! Raids: units move along a path of territories, and strike at most once from its end. The ruleset
//! defines them; this module offers them step by step, or plans them completely.

use crate::action::{Domain, Offer, Options};
use crate::board::Board;
use crate::id::{Territory, Unit, Verb};
use crate::routes::Region;
use crate::state::GameState;

/// The receiver of offers and plans, with a limit on their cost.
pub trait Offering {
    /// The reason why no more is accepted.
    type Fault;

    /// Returns the options so far, whose pool takes lists of values.
    fn options(&mut self) -> &mut Options;

    /// Counts work before it is done: about one unit for each value that is read or stored.
    ///
    /// # Errors
    /// When the work exceeds the limit.
    fn spend(&mut self, work: usize) -> Result<(), Self::Fault>;

    /// Adds an offer.
    ///
    /// # Errors
    /// When too much is offered.
    fn offer(&mut self, offer: Offer) -> Result<(), Self::Fault>;

    /// Adds a plan.
    ///
    /// # Errors
    /// When too much is planned.
    fn plan(&mut self, steps: &[Offer]) -> Result<(), Self::Fault>;
}

/// The raids that are possible together.
#[derive(Clone, Debug)]
pub struct Raids {
    /// The verb of a step. Its parameters are the origin, the destination, the kind and the number
    /// of units; or only the territory where units appear, see `moves`.
    pub step: Verb,
    /// Whether the first step leaves a territory; if not, units appear.
    pub moves: bool,
    /// The origins of the first step.
    pub from: Vec<Territory>,
    /// The possible destinations, in the order in which plans have them.
    pub to: Vec<Territory>,
    /// The kind of unit that moves.
    pub kind: Unit,
    /// The number of units that set out or appear; `None` for any number up to all that are there.
    pub count: Option<i32>,
    /// The maximum number of moves after the first.
    pub on: i32,
    /// The possible strikes at the end.
    pub strikes: Vec<Strike>,
    /// The verb that ends a raid without a strike; it has no parameters.
    pub stop: Verb,
    /// Whether a plan that stops counts twice.
    pub repeats: bool,
    /// Whether each end has its own plan, in map order. If not, last moves to territories without
    /// targets may be one plan after all others.
    pub in_order: bool,
}

/// A way to strike from a territory.
#[derive(Clone, Debug)]
pub struct Strike {
    /// The verb. Its parameters are the territory of the units, the target if `near` is present,
    /// and the number of units that strike if `fewer` is present.
    pub verb: Verb,
    /// The targets: neighbours in the first region, then those in the second.
    pub near: Option<[Region; 2]>,
    /// The territories from which it is possible; `None` for all.
    pub on: Option<Region>,
    /// If present, the number of units that strike is a parameter: it is less than the number that
    /// came, of whom at most this many count.
    pub fewer: Option<i32>,
}

impl Strike {
    fn targets(&self, board: &Board, at: Territory) -> Option<Vec<i32>> {
        let [first, then] = self.near.as_ref()?;
        let near = board.neighbours(at).iter().copied();
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
    /// When the offering takes no more.
    pub fn offer_first<O: Offering>(&self, game: &GameState, out: &mut O) -> Result<(), O::Fault> {
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

    /// Offers the options after units have reached a territory: to stop, if there is another
    /// option, to move on, and to strike. `count` units have come, or one if it is `None`.
    ///
    /// # Errors
    /// When the offering takes no more.
    pub fn offer_from<O: Offering>(
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
    /// When the offering takes no more.
    pub fn plan<O: Offering>(&self, game: &GameState, out: &mut O) -> Result<(), O::Fault> {
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

    /// Reports whether a strike has the number of units as a parameter.
    fn counts(&self) -> bool {
        self.strikes.iter().any(|strike| strike.fewer.is_some())
    }
}

struct Raider<'a, O> {
    raids: &'a Raids,
    game: &'a GameState,
    out: &'a mut O,
    open: Region,
    /// By strike and territory, once they are known.
    targets: Vec<Vec<Option<Domain>>>,
    /// Whether last moves to territories without targets are one plan, after all others.
    merges: bool,
    steps: Vec<Offer>,
}

impl<'a, O: Offering> Raider<'a, O> {
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
        let near = self.game.board().neighbours(from);
        self.out.spend(4 * near.len())?;
        let open = near.iter().copied().filter(|&to| self.open.has(to));
        Ok(open.collect())
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
            && let Some(targets) = strike.targets(self.game.board(), at)
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

    /// Plans a move from a territory to each of its ends, and what follows.
    fn plan_moves(&mut self, from: Territory, left: i32, count: Domain) -> Result<(), O::Fault> {
        let mut quiet = Vec::new();
        for end in self.ends(from)? {
            let to = Domain::Is(end.number());
            if self.merges && left == 0 && self.strikes_from(end, 1)?.is_empty() {
                quiet.push(end.number());
                continue;
            }
            // Where the next step depends on how many units came, each number has its own plan.
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

    /// Plans a step to a territory, and what follows: nothing, another move, or a strike.
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

    /// Adds the steps as a plan, followed by `last`.
    fn add_plan(&mut self, last: Option<Offer>) -> Result<(), O::Fault> {
        self.out.spend(16 * (self.steps.len() + 1))?;
        self.steps.extend(last);
        self.out.plan(&self.steps)?;
        let len = self.steps.len() - usize::from(last.is_some());
        self.steps.truncate(len);
        Ok(())
    }
}
