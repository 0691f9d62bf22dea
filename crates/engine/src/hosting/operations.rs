//! The work of a bot's script.

use serde::{Deserialize, Serialize};

/// The operations of a script in one game, as its budget counts them: its own steps, and the work
/// of the functions that it calls. They are the same on every machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Operations {
    /// All operations, including the operations of hooks that return no answer.
    pub all: u64,
    /// The largest number of operations used for one answer.
    pub most: u64,
    /// The number of answers that took from 2^(k-1) to 2^k - 1 operations, for each k. The last
    /// entry also counts all answers with more operations.
    pub answers: [u32; Self::SIZES],
}

impl Operations {
    /// The number of size classes. Budgets are below 2^24.
    pub const SIZES: usize = 25;

    /// Counts the operations of a call that returned an answer.
    pub fn answer(&mut self, operations: u64) {
        self.all += operations;
        self.most = self.most.max(operations);
        let size = (u64::BITS - operations.leading_zeros()) as usize;
        let answers = &mut self.answers[size.min(Self::SIZES - 1)];
        *answers = answers.saturating_add(1);
    }

    /// Counts the operations of a call that needed no answer.
    pub fn listen(&mut self, operations: u64) {
        self.all += operations;
    }
}
