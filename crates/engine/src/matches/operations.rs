//! How much work a bot's script has done.

/// Operations of a script in one game: steps of the script, and work of the functions that it
/// calls, as its budget counts them. The same on every machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// All of them, those of functions that only listen included.
    pub all: u64,
    /// The most for one answer.
    pub most: u64,
    /// How many answers took from 2^(k-1) to 2^k - 1 operations, by k; the last one stands for all
    /// that took more.
    pub answers: [u32; Self::SIZES],
}

impl Operations {
    /// How many sizes of answers are told apart: budgets end below 2^24.
    pub const SIZES: usize = 25;

    /// Counts a call that answered.
    pub fn answer(&mut self, operations: u64) {
        self.all += operations;
        self.most = self.most.max(operations);
        let size = (u64::BITS - operations.leading_zeros()) as usize;
        let answers = &mut self.answers[size.min(Self::SIZES - 1)];
        *answers = answers.saturating_add(1);
    }

    /// Counts a call that was told something.
    pub fn listen(&mut self, operations: u64) {
        self.all += operations;
    }
}
