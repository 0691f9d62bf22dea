//! Operations that are counted at once.

use rhai::Position;

/// Operations that are counted at once, as the lines of their nodes.
#[derive(Default)]
pub(crate) struct Count(Box<[u16]>);

impl Count {
    pub(crate) fn new(operations: &[Position]) -> Self {
        let lines = operations.iter().map(|at| at.line().unwrap_or(0) as u16);
        Self(lines.collect())
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline]
    pub(crate) fn operations(&self) -> u64 {
        self.0.len() as u64
    }

    /// Returns the lines, counted from 1; 0 is an unknown line.
    pub(crate) fn lines(&self) -> &[u16] {
        &self.0
    }
}
