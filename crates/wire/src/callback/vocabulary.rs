//! The parts of a ruleset that the protocol uses.

use crate::decl_lookup::DeclLookup;
use crate::error::ProtocolError;
use risk_kernel::declare::Declaration;
use risk_kernel::id::{Counter, Phase, Verb};

/// The parts of a ruleset that the protocol uses.
#[derive(Clone, Debug)]
pub struct CallbackVocabulary {
    pub(super) placement: Phase,
    pub(super) assault: Phase,
    pub(super) press_on: Phase,
    pub(super) place: Verb,
    pub(super) attack: Verb,
    pub(super) pass: Verb,
    pub(super) stop: Verb,
    pub(super) reserve: Counter,
}

impl CallbackVocabulary {
    /// Looks up the parts by name.
    ///
    /// # Errors
    /// Returns an error if the ruleset lacks one of the parts.
    pub fn new(decl: &Declaration) -> Result<Self, ProtocolError> {
        let parts = DeclLookup(decl);
        Ok(Self {
            placement: parts.phase("placement")?,
            assault: parts.phase("assault")?,
            press_on: parts.phase("press_on")?,
            place: parts.verb("place")?,
            attack: parts.verb("attack")?,
            pass: parts.verb("pass")?,
            stop: parts.verb("stop")?,
            reserve: parts.counter("reserve")?,
        })
    }
}
