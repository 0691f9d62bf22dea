//! The events that a receiver wants.

/// A filter for events. Events that it excludes are never built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventFilter {
    /// No events.
    Nothing,
    /// Only faults: [`Event::Faulted`](crate::event::Event::Faulted).
    Faults,
    /// Faults and the rest of a record: answers, the beginnings of turns, and notes.
    Recorded,
    /// All events.
    All,
}
