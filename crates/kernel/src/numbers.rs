//! Numbers that another process sent, taken one by one.

/// A list of numbers that is read from its beginning.
pub(super) struct NumberReader<'a> {
    rest: std::slice::Iter<'a, i64>,
    /// What they tell of, for messages: `a view`.
    of: &'static str,
}

impl<'a> NumberReader<'a> {
    pub(super) fn new(numbers: &'a [i64], of: &'static str) -> Self {
        Self {
            rest: numbers.iter(),
            of,
        }
    }

    /// The next number, of the type that is wanted there.
    pub(super) fn next<T: TryFrom<i64>>(&mut self) -> Result<T, String> {
        let number = self
            .rest
            .next()
            .copied()
            .ok_or_else(|| format!("the numbers of {} end too early", self.of))?;
        T::try_from(number).map_err(|_| format!("{number} is out of place in {}", self.of))
    }

    /// How many are left.
    pub(super) fn len(&self) -> usize {
        self.rest.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
