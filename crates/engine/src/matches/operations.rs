//! The work of a bot's script.

/// The operations of a script in one game: its steps, and the work of the functions that it calls,
/// as its budget counts them. The same on every machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// All operations, including those of hooks that only listen.
    pub all: u64,
    /// The most operations for one answer.
    pub most: u64,
    /// How many answers took from 2^(k-1) to 2^k - 1 operations, by k; the last entry also counts
    /// all larger ones.
    pub answers: [u32; Self::SIZES],
}

impl Operations {
    /// The number of size classes: budgets end below 2^24.
    pub const SIZES: usize = 25;

    /// Counts a call that answered.
    pub fn answer(&mut self, operations: u64) {
        self.all += operations;
        self.most = self.most.max(operations);
        let size = (u64::BITS - operations.leading_zeros()) as usize;
        let answers = &mut self.answers[size.min(Self::SIZES - 1)];
        *answers = answers.saturating_add(1);
    }

    /// Counts a call that needed no answer.
    pub fn listen(&mut self, operations: u64) {
        self.all += operations;
    }
}
