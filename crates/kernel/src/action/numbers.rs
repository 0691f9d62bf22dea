//! Options as plain numbers, to hand them to another process.

use super::options::sum;
use super::{Domain, MAX_SLOTS, Offer, Options};
use crate::id::Verb;
use crate::numbers::NumberReader;

impl Options {
    /// The options as numbers, from which [`Options::from_numbers`] makes them again.
    #[must_use]
    pub fn numbers(&self) -> Vec<i64> {
        let mut all = vec![self.offers.len() as i64];
        for offer in self.offers.iter().chain(&self.steps) {
            all.extend([i64::from(offer.verb.0), i64::from(offer.count)]);
            for slot in offer.slots() {
                all.extend(match *slot {
                    Domain::Is(value) => [0, i64::from(value), 0],
                    Domain::Span { low, high } => [1, i64::from(low), i64::from(high)],
                    Domain::Among { start, len } => [2, i64::from(start), i64::from(len)],
                });
            }
        }
        // How many steps there are stands behind them: the ends say it.
        all.push(self.ends.len() as i64);
        all.extend(self.ends.iter().map(|&end| end as i64));
        all.extend(self.pool.iter().map(|&value| i64::from(value)));
        let steps = self.ends.last().map_or(0, |&end| end as i64);
        [vec![steps], all].concat()
    }

    /// The options that these numbers tell of.
    ///
    /// # Errors
    /// When they are those of no options.
    pub fn from_numbers(numbers: &[i64]) -> Result<Self, String> {
        let mut from = NumberReader::new(numbers, "options");
        let steps = small(&mut from, numbers.len())?;
        let offers = small(&mut from, numbers.len())?;
        let read = (0..steps + offers)
            .map(|_| read_offer(&mut from))
            .collect::<Result<Vec<_>, _>>()?;
        let plans = small(&mut from, numbers.len())?;
        let ends = (0..plans)
            .map(|_| small(&mut from, numbers.len()))
            .collect::<Result<Vec<_>, _>>()?;
        let mut options = Self::default();
        while !from.is_empty() {
            options.pool.push(from.next()?);
        }
        let ordered = ends.is_sorted() && ends.last().copied().unwrap_or(0) == steps;
        let within = |offer: &Offer| offer.slots().iter().all(|slot| options.has_listed(slot));
        if !ordered || !read.iter().all(within) {
            return Err(out_of_range());
        }
        options.add_all(&read[..offers], &read[offers..], &ends)?;
        Ok(options)
    }

    /// Is the list of this domain in the pool?
    fn has_listed(&self, slot: &Domain) -> bool {
        match *slot {
            Domain::Among { start, len } => start as usize + len as usize <= self.pool.len(),
            _ => true,
        }
    }

    fn add_all(&mut self, offers: &[Offer], steps: &[Offer], ends: &[usize]) -> Result<(), String> {
        let mut total = 0_u64;
        for offer in offers {
            total = sum(total, self.offer_len(offer)).ok_or_else(out_of_range)?;
            self.offer(offer.verb, offer.slots());
        }
        let mut start = 0;
        let mut plans = 0_u64;
        for &end in ends {
            let steps = &steps[start..end];
            plans = sum(plans, self.plan_len(steps)).ok_or_else(out_of_range)?;
            self.plan(steps);
            start = end;
        }
        Ok(())
    }
}

fn out_of_range() -> String {
    "a number of options is out of range".to_owned()
}

/// A number of things, of which there can't be more than numbers.
fn small(from: &mut NumberReader<'_>, most: usize) -> Result<usize, String> {
    let number = from.next::<usize>()?;
    if number > most {
        return Err(out_of_range());
    }
    Ok(number)
}

fn read_offer(from: &mut NumberReader<'_>) -> Result<Offer, String> {
    let verb = Verb(from.next()?);
    let count = small(from, MAX_SLOTS)?;
    let mut domains = [Domain::Is(0); MAX_SLOTS];
    for domain in &mut domains[..count] {
        *domain = read_domain(from)?;
    }
    Ok(Offer::new(verb, &domains[..count]))
}

fn read_domain(from: &mut NumberReader<'_>) -> Result<Domain, String> {
    match from.next()? {
        0_i64 => {
            let value = from.next()?;
            from.next::<i64>()?;
            Ok(Domain::Is(value))
        }
        1 => Ok(Domain::Span {
            low: from.next()?,
            high: from.next()?,
        }),
        2 => Ok(Domain::Among {
            start: from.next()?,
            len: from.next()?,
        }),
        _ => Err(out_of_range()),
    }
}
