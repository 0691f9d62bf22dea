//! How much of a tournament was played.

/// How much of a tournament was played.
#[derive(Clone, Debug)]
pub struct Extent {
    /// First and last of each run of blocks that is missing.
    pub gaps: Vec<(u64, u64)>,
}

impl Extent {
    /// Is something missing?
    #[must_use]
    pub fn is_partial(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// The missing blocks, `0–12, 40` say.
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
