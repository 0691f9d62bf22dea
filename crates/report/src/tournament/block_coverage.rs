//! The completed part of a tournament.

/// The completed part of a tournament, described by its gaps.
#[derive(Clone, Debug)]
pub struct BlockCoverage {
    /// The first and the last block of each gap.
    pub gaps: Vec<(u64, u64)>,
}

impl BlockCoverage {
    /// Reports whether blocks are missing.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// Returns the missing blocks as text, such as `0–12, 40`.
    #[must_use]
    pub fn words(&self) -> String {
        const MOST: usize = 20;
        let range = |&(first, last): &(u64, u64)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}–{last}")
            }
        };
        let mut ranges: Vec<String> = self.gaps.iter().take(MOST).map(range).collect();
        if self.gaps.len() > MOST {
            ranges.push(format!("and {} more ranges", self.gaps.len() - MOST));
        }
        ranges.join(", ")
    }
}
