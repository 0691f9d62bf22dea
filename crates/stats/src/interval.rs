//! The limits of an estimate.

/// A lower and an upper limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower limit.
    pub low: f64,
    /// The upper limit, at least `low`.
    pub high: f64,
}

impl Interval {
    /// Returns the limits `middle` − `half` and `middle` + `half`.
    #[must_use]
    pub fn around(middle: f64, half: f64) -> Self {
        Self {
            low: middle - half,
            high: middle + half,
        }
    }

    #[must_use]
    pub(crate) fn kept_within(self, low: f64, high: f64) -> Self {
        Self {
            low: self.low.clamp(low, high),
            high: self.high.clamp(low, high),
        }
    }

    /// Reports whether a value is within the limits, inclusive.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        value >= self.low && value <= self.high
    }

    /// Returns half the distance between the limits.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        0.5 * (self.high - self.low)
    }
}
