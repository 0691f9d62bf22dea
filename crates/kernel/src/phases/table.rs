//! Pure integer functions of a ruleset, computed once over their declared ranges.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::fault::{RuleFault, RuleResult};

/// The maximum number of entries in a table.
pub const MOST_ENTRIES: usize = 1_000_000;

/// A function of 1 to 4 integers as a table. Clones are cheap because they share the values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberTable {
    name: Rc<str>,
    ranges: Rc<[(i32, i32)]>,
    values: Rc<[i32]>,
}

impl NumberTable {
    /// Creates a table over these inclusive ranges. The last parameter varies fastest.
    ///
    /// # Panics
    /// Panics if the number of values differs from the number of points in the ranges.
    #[must_use]
    pub fn new(name: &str, ranges: &[(i32, i32)], values: &[i32]) -> Self {
        assert_eq!(
            size(ranges),
            Some(values.len()),
            "a value for each point of the ranges"
        );
        Self {
            name: name.into(),
            ranges: ranges.into(),
            values: values.into(),
        }
    }

    /// Returns the function's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the inclusive ranges of the parameters.
    #[must_use]
    pub fn ranges(&self) -> &[(i32, i32)] {
        &self.ranges
    }

    /// Returns the greatest value.
    #[must_use]
    pub fn most(&self) -> i32 {
        self.values.iter().copied().max().unwrap_or(0)
    }

    /// Returns the value at a point.
    ///
    /// # Errors
    /// Returns an error if the point is outside the declared range.
    #[inline]
    pub fn get(&self, point: &[i32]) -> RuleResult<i32> {
        let mut index = 0_usize;
        for (&(low, high), &value) in self.ranges.iter().zip(point) {
            if value < low || value > high {
                return Err(self.outside(point));
            }
            index = index * (high - low + 1) as usize + (value - low) as usize;
        }
        Ok(self.values[index])
    }

    /// Returns the value at a point of a table with one parameter. The last entry also applies to
    /// larger numbers, such as 3 dice for 3 or more armies.
    ///
    /// # Errors
    /// Returns an error if the point is below the declared range.
    #[inline]
    pub fn get_or_last(&self, point: i32) -> RuleResult<i32> {
        let (low, high) = self.ranges[0];
        match self.values.get(point.min(high).wrapping_sub(low) as usize) {
            Some(&value) if self.ranges.len() == 1 && point >= low => Ok(value),
            _ => self.get(&[point.min(high)]),
        }
    }

    /// Returns the table without its last parameter, which has this value.
    fn at_last(&self, last: i32) -> Option<Self> {
        let (&(low, high), ranges) = self.ranges.split_last()?;
        let skip = usize::try_from(last.checked_sub(low)?).ok()?;
        let step = usize::try_from(high - low).ok()? + 1;
        let values: Vec<i32> = self
            .values
            .iter()
            .skip(skip)
            .step_by(step)
            .copied()
            .collect();
        (last <= high).then(|| Self::new(&self.name, ranges, &values))
    }

    #[cold]
    fn outside(&self, point: &[i32]) -> RuleFault {
        let text = |numbers: Vec<String>| numbers.join(", ");
        let given = text(point.iter().map(i32::to_string).collect());
        let ranges = text(
            self.ranges
                .iter()
                .map(|(low, high)| format!("{low}..={high}"))
                .collect(),
        );
        RuleFault::new(format!(
            "{}({given}) is outside the range declared in `tables`: [{ranges}]",
            self.name
        ))
    }
}

/// Returns the table with this name and this number of parameters.
#[must_use]
pub fn find<'a>(
    tables: &'a BTreeMap<String, NumberTable>,
    name: &str,
    parameters: usize,
) -> Option<&'a NumberTable> {
    tables
        .get(name)
        .filter(|table| table.ranges.len() == parameters)
}

/// Returns the table with this name and this number of parameters, for fights of a class. If it has
/// one parameter more, this is the class.
#[must_use]
pub fn of_class(
    tables: &BTreeMap<String, NumberTable>,
    name: &str,
    parameters: usize,
    class: u32,
) -> Option<NumberTable> {
    match find(tables, name, parameters) {
        Some(table) => Some(table.clone()),
        None => find(tables, name, parameters + 1)?.at_last(class as i32),
    }
}

/// The tables that a fight may use, with their numbers of parameters without the class.
pub const FIGHT_TABLES: [(&str, usize); 8] = [
    ("attack_dice", 1),
    ("defend_dice", 1),
    ("pair_won", 2),
    ("most_pairs", 1),
    ("compares", 3),
    ("kill_percent", 1),
    ("kill_luck", 1),
    ("kill_weighted", 1),
];

/// Returns the classes of fights that all these tables cover: only 0 if no table has the class as a
/// parameter.
#[must_use]
pub fn classes(tables: &BTreeMap<String, NumberTable>) -> std::ops::RangeInclusive<u32> {
    let last = |&(name, parameters): &(&str, usize)| {
        let table = find(tables, name, parameters + 1)?;
        u32::try_from(table.ranges.last()?.1).ok()
    };
    0..=FIGHT_TABLES.iter().filter_map(last).min().unwrap_or(0)
}

/// Returns the element for fights of this class. One element serves for all classes.
///
/// # Errors
/// Returns an error if there is no element for the class.
#[inline(always)]
pub fn in_class<T>(all: &[T], class: impl FnOnce() -> u32) -> RuleResult<&T> {
    match all {
        [one] => Ok(one),
        _ => {
            let class = class();
            let found = all.get(class as usize);
            found.ok_or_else(|| RuleFault::new(format!("no table covers fights of class {class}")))
        }
    }
}

/// Returns the number of points in the ranges; `None` if there are more than [`MOST_ENTRIES`] or if
/// a range is empty.
#[must_use]
pub fn size(ranges: &[(i32, i32)]) -> Option<usize> {
    let mut size = 1_usize;
    for &(low, high) in ranges {
        let len = usize::try_from(i64::from(high) - i64::from(low) + 1)
            .ok()
            .filter(|&len| len > 0)?;
        size = size.checked_mul(len).filter(|&size| size <= MOST_ENTRIES)?;
    }
    Some(size)
}
