//! Lookup of the parts of a ruleset by name.

use crate::error::ProtocolError;
use risk_kernel::declare::Declaration;
use risk_kernel::id::{Counter, Phase, Pile, Verb};

/// A ruleset whose parts are looked up by name. Errors name the missing part.
pub(super) struct DeclLookup<'a>(pub(super) &'a Declaration);

impl DeclLookup<'_> {
    pub(super) fn verb(&self, name: &str) -> Result<Verb, ProtocolError> {
        self.0.verb(name).ok_or_else(|| missing("verb", name))
    }

    pub(super) fn phase(&self, name: &str) -> Result<Phase, ProtocolError> {
        self.0.phase(name).ok_or_else(|| missing("phase", name))
    }

    pub(super) fn counter(&self, name: &str) -> Result<Counter, ProtocolError> {
        self.0.counter(name).ok_or_else(|| missing("counter", name))
    }

    pub(super) fn pile(&self, name: &str) -> Result<Pile, ProtocolError> {
        let index = self.0.piles.iter().position(|pile| pile.name == name);
        index
            .map(Pile::from_index)
            .ok_or_else(|| missing("pile", name))
    }
}

fn missing(kind: &'static str, name: &str) -> ProtocolError {
    let name = name.to_owned();
    ProtocolError::Missing { kind, name }
}
