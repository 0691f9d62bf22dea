//! The phases of the code lab.

use risk_kernel::declare::Declaration;
use risk_kernel::id::Phase;

/// The kind of a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum CodelabPhase {
    /// Placing armies during the set-up or at the beginning of a turn.
    Place,
    Attack,
    /// Moving armies into a conquest.
    Occupy,
    /// Moving armies at the end of a turn.
    Fortify,
    /// A phase that does not exist in the code lab.
    #[default]
    Other,
}

impl CodelabPhase {
    /// Determines the kind of a phase from its name.
    pub(super) fn new(decl: &Declaration, phase: Phase) -> Self {
        match decl.phases[phase.index()].name.as_str() {
            "muster" | "deploy" => Self::Place,
            "attack" => Self::Attack,
            "occupy" => Self::Occupy,
            "fortify" => Self::Fortify,
            _ => Self::Other,
        }
    }
}
