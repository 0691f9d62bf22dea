//! The code lab's kinds of phases.

use risk_kernel::declare::Declaration;
use risk_kernel::id::Phase;

/// The kind of a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// Placing armies: in the set-up, or at the beginning of a turn.
    Place,
    Attack,
    /// Moving armies in after a conquest.
    Occupy,
    /// Moving armies at the end of a turn.
    Fortify,
    /// A phase for which the code lab has no word.
    #[default]
    Other,
}

impl Stage {
    /// Finds the kind of a phase by its name.
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
