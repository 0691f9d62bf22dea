//! What a story claims about changes of the board, held against the facts.

use risk_kernel::id::{Player, Territory, Unit};

use crate::asides::result_of;
use crate::claims::Claims;
use crate::ledger::noun;

/// Splits a number with the right form of a word off.
fn counted<'t>(text: &'t str, one: &str, many: &str) -> Option<(i64, &'t str)> {
    let (count, rest) = text.split_once(' ')?;
    let count = count.parse().ok()?;
    let rest = rest.strip_prefix(if count == 1 { one } else { many })?;
    let ends = rest.chars().next().is_none_or(|c| !c.is_alphanumeric());
    ends.then_some((count, rest))
}

impl Claims<'_> {
    /// Reads lines without the sentence of an action: moves, and captures without a fight.
    pub(crate) fn plain(&mut self, player: Player, text: &str) -> bool {
        if let Some(rest) = text.strip_prefix("moves ") {
            return self.moved(rest).is_some_and(str::is_empty);
        }
        let Some((to, rest)) = text.strip_prefix("takes ").and_then(|it| self.place(it)) else {
            return false;
        };
        let from = rest.strip_prefix(" from ").and_then(|it| self.place(it));
        let Some((from, rest)) = from else {
            return false;
        };
        let found = self.facts.captures.iter().position(|it| {
            let kind = match self.game.decl().units.len() {
                1 => String::new(),
                _ => format!(" {}", noun(self.game, it.unit, it.moved.into())),
            };
            let kills = match it.killed {
                0 => String::new(),
                killed => {
                    let noun = noun(self.game, it.unit, killed.into());
                    format!(" and kills {killed} {noun}")
                }
            };
            (it.from, it.to, it.by) == (from, to, player)
                && rest == format!(" with {}{kind}{kills}", it.moved)
        });
        found
            .map(|index| self.facts.captures.remove(index))
            .is_some()
    }

    /// Reads `3 from A to B`. Without a kind, it may be a sum.
    fn moved<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let (count, unit, rest) = self.units(text).or_else(|| {
            let (count, rest) = text.split_once(' ')?;
            let unit = Unit::FIRST;
            Some((
                count.parse().ok()?,
                unit,
                &text[text.len() - rest.len() - 1..],
            ))
        })?;
        let named = text.len() - rest.len() > count.to_string().len();
        let (from, rest) = self.place(rest.strip_prefix(" from ")?)?;
        let (to, rest) = self.place(rest.strip_prefix(" to ")?)?;
        let any = self.game.decl().units.len() > 1 && !named;
        let fits = |it: &&mut crate::ledger::Moved| {
            !it.told && (it.from, it.to) == (from, to) && (any || it.unit == unit)
        };
        let mut moves = self.facts.moves.iter_mut().filter(fits);
        if let Some(found) = moves.find(|it| i64::from(it.count) == count) {
            found.told = true;
            return Some(rest);
        }
        let mut left = count;
        for found in self.facts.moves.iter_mut().filter(fits) {
            found.told = true;
            left -= i64::from(found.count);
            if left == 0 {
                return Some(rest);
            }
        }
        None
    }

    /// Reads a list of effects in a line about `teller`.
    pub(crate) fn effects(&mut self, text: &str, teller: Option<Player>) -> bool {
        let mut rest = text;
        loop {
            let Some(behind) = self.effect(rest, teller) else {
                return false;
            };
            match behind.strip_prefix(", ") {
                Some(next) => rest = next,
                None => return behind.is_empty(),
            }
        }
    }

    fn effect<'t>(&mut self, text: &'t str, teller: Option<Player>) -> Option<&'t str> {
        type Read = for<'t> fn(&mut Claims<'_>, &'t str, Option<Player>) -> Option<&'t str>;
        let ways: [Read; 5] = [
            |all, text, teller| all.changed_hands(text, teller),
            |all, text, _| all.changed(text),
            |all, text, teller| all.summed(text, teller),
            |all, text, _| all.moved(text),
            |all, text, teller| all.reserve(text, teller),
        ];
        for read in ways {
            let mut copy = self.clone();
            let found = read(&mut copy, text, teller);
            if let Some(rest) = found.filter(|it| it.is_empty() || it.starts_with(", ")) {
                *self = copy;
                return Some(rest);
            }
        }
        None
    }

    /// Reads `+2 in A (now 5)`, or without the number if the territory had no such units.
    fn changed<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let (sign, rest) = match text.strip_prefix('+') {
            Some(rest) => (1, rest),
            None => (-1, text.strip_prefix('−')?),
        };
        let (count, unit, rest) = self.units(rest)?;
        let (at, rest) = self.place(rest.strip_prefix(" in ")?)?;
        let by = sign * i32::try_from(count).ok()?;
        let (now, rest) = match result_of(rest) {
            Some((now, _)) if now == by => return None,
            Some(found) => found,
            None => (by, rest),
        };
        (now >= 0 && self.chain(at, unit, now - by, now)).then_some(rest)
    }

    /// Takes changes of units on a territory that lead from one number to another.
    pub(crate) fn chain(&mut self, at: Territory, unit: Unit, before: i32, now: i32) -> bool {
        let mut here = before;
        let mut taken = Vec::new();
        for (index, change) in self.facts.changes.iter().enumerate() {
            let fits = (change.at, change.unit, change.before) == (at, unit, here);
            if fits && !change.told && change.before != change.now {
                taken.push(index);
                here = change.now;
                if here == now {
                    break;
                }
            }
        }
        let holds = !taken.is_empty() && here == now;
        for index in taken.into_iter().filter(|_| holds) {
            self.facts.changes[index].told = true;
        }
        holds
    }

    /// Reads `loses 12 armies in 7 territories` and its like.
    fn summed<'t>(&mut self, text: &'t str, teller: Option<Player>) -> Option<&'t str> {
        let own = [("gains ", true), ("loses ", false)];
        let own = own
            .iter()
            .find_map(|(verb, gains)| Some((text.strip_prefix(verb)?, *gains)));
        let (count, rest) = own.map_or(text, |found| found.0).split_once(' ')?;
        let count: i64 = count.parse().ok()?;
        let kinds = (0..self.game.decl().units.len()).map(Unit::from_index);
        let (unit, rest) = kinds.into_iter().find_map(|unit| {
            let rest = rest.strip_prefix(&noun(self.game, unit, count))?;
            Some((unit, rest.strip_prefix(' ')?))
        })?;
        let (gains, rest) = match own {
            Some((_, gains)) => (gains, rest),
            None => match rest.split_once(' ')? {
                ("more", rest) => (true, rest),
                ("fewer", rest) => (false, rest),
                _ => return None,
            },
        };
        let (places, rest) = counted(rest.strip_prefix("in ")?, "territory", "territories")?;
        let owner = |of: Option<Player>| (of == teller && teller.is_some()) == own.is_some();
        self.sum(unit, gains, &owner, [count, places])
            .then_some(rest)
    }

    /// Takes all changes of a kind and a direction in some successive hooks, if their sum and the
    /// number of their territories are these.
    fn sum(
        &mut self,
        unit: Unit,
        gains: bool,
        owner: &dyn Fn(Option<Player>) -> bool,
        sums: [i64; 2],
    ) -> bool {
        let changes = &self.facts.changes;
        let open: Vec<usize> = (0..changes.len())
            .filter(|&index| !changes[index].told && changes[index].unit == unit)
            .collect();
        for first in 0..open.len() {
            // A hook's changes are told together.
            if first > 0 && changes[open[first - 1]].hook == changes[open[first]].hook {
                continue;
            }
            for end in first + 1..=open.len() {
                let is_whole = open
                    .get(end)
                    .is_none_or(|&next| changes[next].hook != changes[open[end - 1]].hook);
                let found = is_whole
                    .then(|| self.summed_by(&open[first..end], gains, owner))
                    .filter(|found| found.0 == sums);
                if let Some((_, indices)) = found {
                    for index in indices {
                        self.facts.changes[index].told = true;
                    }
                    return true;
                }
            }
        }
        false
    }

    /// Sums changes in a direction, after those that follow each other have become one. Returns
    /// the sum, the number of territories, and the indices of the changes in it.
    fn summed_by(
        &self,
        indices: &[usize],
        gains: bool,
        owner: &dyn Fn(Option<Player>) -> bool,
    ) -> ([i64; 2], Vec<usize>) {
        let mut chains: Vec<(crate::ledger::Change, Vec<usize>)> = Vec::new();
        for &index in indices {
            let change = &self.facts.changes[index];
            let follows = |(known, _): &&mut (crate::ledger::Change, Vec<usize>)| {
                (known.at, known.now, known.owner) == (change.at, change.before, change.owner)
            };
            match chains.iter_mut().rfind(follows) {
                Some((known, all)) => {
                    known.now = change.now;
                    all.push(index);
                }
                None => chains.push((change.clone(), vec![index])),
            }
        }
        chains.retain(|(it, _)| it.now != it.before && (it.now > it.before) == gains);
        chains.retain(|(it, _)| owner(it.owner));
        let sum = chains
            .iter()
            .map(|(it, _)| i64::from(it.now - it.before).abs());
        let sum: i64 = sum.sum();
        let mut places: Vec<Territory> = chains.iter().map(|(it, _)| it.at).collect();
        places.sort_unstable();
        places.dedup();
        let taken = chains.into_iter().flat_map(|(_, all)| all).collect();
        ([sum, places.len() as i64], taken)
    }

    /// Reads `takes A`, `takes A and B from bob`, `A goes to ann` or `A has no owner now`.
    fn changed_hands<'t>(&mut self, text: &'t str, teller: Option<Player>) -> Option<&'t str> {
        let names = self.names;
        let named = |text: &'t str| {
            let seats = names.iter().enumerate();
            let found = seats.filter_map(|(seat, name)| {
                let rest = text.strip_prefix(name.as_str())?;
                let ends = rest.is_empty() || rest.starts_with(',');
                ends.then_some((Player::from_index(seat), rest))
            });
            found.fold(None, |_, it| Some(it))
        };
        if let Some(rest) = text.strip_prefix("takes ") {
            let (all, rest) = self.places(rest)?;
            let (from, rest) = match rest.strip_prefix(" from ") {
                Some(rest) => named(rest).map(|(player, rest)| (Some(player), rest))?,
                None => (None, rest),
            };
            let mut all = all.into_iter();
            return all
                .all(|at| self.handed(at, Some(from), teller))
                .then_some(rest);
        }
        let (all, rest) = self.places(text)?;
        let [none, goes] = match all.as_slice() {
            [_] => [" has no owner now", " goes to "],
            _ => [" have no owner now", " go to "],
        };
        let mut all = all.into_iter();
        if let Some(rest) = rest.strip_prefix(none) {
            return all.all(|at| self.handed(at, None, None)).then_some(rest);
        }
        let (to, rest) = named(rest.strip_prefix(goes)?)?;
        all.all(|at| self.handed(at, None, Some(to)))
            .then_some(rest)
    }

    /// Reads the name of a territory, or a list of names: `A, B and C`.
    fn places<'t>(&self, text: &'t str) -> Option<(Vec<Territory>, &'t str)> {
        let (first, after_first) = self.place(text)?;
        let mut all = vec![first];
        let mut rest = after_first;
        loop {
            if let Some((at, rest)) = rest.strip_prefix(" and ").and_then(|it| self.place(it)) {
                all.push(at);
                return Some((all, rest));
            }
            // Without an end, the next names are in other parts of the line.
            let Some((at, behind)) = rest.strip_prefix(", ").and_then(|it| self.place(it)) else {
                return Some((vec![first], after_first));
            };
            all.push(at);
            rest = behind;
        }
    }

    /// Takes changes of a territory's owner that lead to `to`, from `from` if the line says so.
    fn handed(&mut self, at: Territory, from: Option<Option<Player>>, to: Option<Player>) -> bool {
        let mut owner = from;
        for change in self.facts.owners.iter_mut() {
            let follows = owner.is_none_or(|owner| owner == change.from);
            if change.at == at && !change.told && follows {
                change.told = true;
                owner = Some(change.to);
                if change.to == to {
                    return true;
                }
            }
        }
        false
    }

    /// Reads what an answer adds to the reserve: `gets 6 armies`.
    fn reserve<'t>(&mut self, text: &'t str, teller: Option<Player>) -> Option<&'t str> {
        let (count, rest) = counted(text.strip_prefix("gets ")?, "army", "armies")?;
        let mut left = count;
        let mut taken = Vec::new();
        for (index, &(of, by)) in self.facts.reserves.iter().enumerate() {
            if Some(of) == teller && by <= left {
                left -= by;
                taken.push(index);
            }
            if left == 0 {
                break;
            }
        }
        for &index in taken.iter().rev().filter(|_| left == 0) {
            self.facts.reserves.remove(index);
        }
        (left == 0).then_some(rest)
    }
}
