//! Histograms with a bucket for each power of 2. 65 counts cover all `u64` values.

use crate::error::{StatsError, within};

/// The number of buckets: 0, 1, 2–3, 4–7, …, 2^63 and above.
const BUCKETS: usize = 65;

/// The counts of values by number of binary digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    counts: [u64; BUCKETS],
    most: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            counts: [0; BUCKETS],
            most: 0,
        }
    }
}

impl Histogram {
    /// Counts one value.
    pub fn add(&mut self, value: u64) {
        let digits = u64::BITS - value.leading_zeros();
        let count = &mut self.counts[digits as usize];
        *count = count.saturating_add(1);
        self.most = self.most.max(value);
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count = count.saturating_add(*more);
        }
        self.most = self.most.max(other.most);
    }

    /// Creates a histogram from its counts and the largest counted value. The counts start with the
    /// shortest numbers, and missing counts are 0.
    ///
    /// # Errors
    /// Returns an error if there are more than 65 counts, or if the largest value does not belong
    /// to the last count that is not 0.
    pub fn from_counts(counts: &[u64], most: u64) -> Result<Self, StatsError> {
        let lengths = crate::moments::count(counts.len());
        within("counts in a histogram", lengths, 0.0, 65.0)?;
        let mut found = Self {
            counts: [0; BUCKETS],
            most,
        };
        found.counts[..counts.len()].copy_from_slice(counts);
        let last = found.counts.iter().rposition(|count| *count > 0);
        let digits = (u64::BITS - most.leading_zeros()) as usize;
        if last.unwrap_or(0) != digits {
            return Err(StatsError::LengthsDiffer {
                what: "digits of a histogram's largest value",
                left: digits,
                right: last.unwrap_or(0),
            });
        }
        Ok(found)
    }

    /// Returns the counts by number of binary digits, from 0 digits (the value 0) to the last
    /// nonzero count.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        let used = self.counts.iter().rposition(|count| *count > 0);
        &self.counts[..used.map_or(0, |last| last + 1)]
    }

    /// Returns the number of values counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts
            .iter()
            .fold(0, |sum: u64, count| sum.saturating_add(*count))
    }

    /// Returns the largest counted value; 0 if there are no values.
    #[must_use]
    pub fn largest(&self) -> u64 {
        self.most
    }

    /// Estimates a quantile. A `chance` of .99 is the 99th percentile. The bucket is exact. Within
    /// the bucket, the values are assumed to be evenly spread, but not above the largest counted
    /// value.
    ///
    /// # Errors
    /// Returns an error if there are no values, or if `chance` is not from 0 to 1.
    pub fn quantile(&self, chance: f64) -> Result<f64, StatsError> {
        within("chance", chance, 0.0, 1.0)?;
        let total = as_number(self.total());
        if total == 0.0 {
            return Err(StatsError::NoData);
        }
        let wanted = chance * total;
        let mut below = 0.0;
        for (digits, count) in self.counts().iter().enumerate() {
            let here = as_number(*count);
            if *count > 0 && below + here >= wanted {
                let part = (wanted - below) / here;
                return Ok(self.inside(digits, if part > 0.0 { part } else { 0.0 }));
            }
            below += here;
        }
        Ok(as_number(self.most))
    }

    /// Returns the value at the fraction `part` of a bucket's range.
    fn inside(&self, digits: usize, part: f64) -> f64 {
        if digits == 0 {
            return 0.0;
        }
        let low = 1u64 << (digits - 1);
        let high = low + (low - 1);
        let high = high.min(self.most);
        as_number(low) + part * as_number(high - low)
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "an estimate doesn't need all bits"
)]
fn as_number(value: u64) -> f64 {
    value as f64
}
