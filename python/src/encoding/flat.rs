//! One number for each factored action, for small maps.

use risk_engine::Options;

use super::factors::Factors;

pub(crate) const MOST_ACTIONS: usize = 1 << 20;

/// The numbers for all factored actions that a ruleset could offer.
#[derive(Clone, Debug)]
pub(crate) struct FlatNumbering {
    /// The first number of each verb, and the columns that the verb uses with their sizes.
    verbs: Vec<(usize, Vec<(usize, usize)>)>,
    pub(crate) len: usize,
}

impl FlatNumbering {
    pub(crate) fn new(factors: &Factors) -> Result<Self, String> {
        let mut verbs = Vec::new();
        let mut len = 0_usize;
        for verb in 0..factors.verbs() {
            let columns: Vec<(usize, usize)> = factors
                .used(verb)
                .map(|column| (column, factors.columns[column].size))
                .collect();
            let size = columns
                .iter()
                .try_fold(1_usize, |size, &(_, each)| size.checked_mul(each));
            verbs.push((len, columns));
            let sum = size.and_then(|size| len.checked_add(size));
            len = sum.filter(|&sum| sum <= MOST_ACTIONS).ok_or_else(|| {
                format!(
                    "a flat table would exceed {MOST_ACTIONS} entries: use a smaller map, fewer \
                     buckets (for example buckets=(4,)) or factored actions"
                )
            })?;
        }
        Ok(Self { verbs, len })
    }

    /// Returns the number of the action with these factors.
    pub(crate) fn index(&self, factors: &[i32]) -> Option<usize> {
        let (first, columns) = self.verbs.get(usize::try_from(*factors.first()?).ok()?)?;
        let mut index = 0;
        for &(column, size) in columns {
            let digit = usize::try_from(*factors.get(column)?)
                .ok()
                .filter(|&digit| digit < size)?;
            index = index * size + digit;
        }
        Some(first + index)
    }

    /// Writes the factors with this number.
    pub(crate) fn factors(&self, number: usize, factors: &mut [i32]) -> Option<()> {
        if number >= self.len {
            return None;
        }
        factors.fill(0);
        let verb = self.verbs.partition_point(|&(first, _)| first <= number) - 1;
        let (first, columns) = &self.verbs[verb];
        factors[0] = verb as i32;
        let mut rest = number - first;
        for &(column, size) in columns.iter().rev() {
            factors[column] = (rest % size) as i32;
            rest /= size;
        }
        Some(())
    }

    /// Marks the numbers of offered actions.
    pub(crate) fn mask(
        &self,
        factors: &Factors,
        options: &Options,
        mask: &mut [bool],
    ) -> Result<(), String> {
        mask.fill(false);
        let mut given = Vec::with_capacity(factors.columns.len());
        self.descend(factors, options, &mut given, mask)
    }

    fn descend(
        &self,
        factors: &Factors,
        options: &Options,
        given: &mut Vec<i32>,
        mask: &mut [bool],
    ) -> Result<(), String> {
        let column = given.len();
        if column == factors.columns.len() {
            if let Some(index) = self.index(given) {
                mask[index] = true;
            }
            return Ok(());
        }
        let mut here = vec![false; factors.columns[column].size];
        factors.mask(options, given, &mut here)?;
        for digit in (0..here.len()).filter(|&digit| here[digit]) {
            given.push(digit as i32);
            self.descend(factors, options, given, mask)?;
            given.pop();
        }
        Ok(())
    }
}
