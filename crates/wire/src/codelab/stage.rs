//! The phases of a ruleset as the code lab knows them.

use risk_kernel::declare::Declaration;
use risk_kernel::id::Phase;

/// What is done in a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// Armies are placed: in the set-up, or at the beginning of a turn.
    Place,
    /// A neighbour is attacked.
    Attack,
    /// Armies follow a conquest.
    Occupy,
    /// Armies are moved at the end of a turn.
    Fortify,
    /// Nothing that the code lab has a word for.
    #[default]
    Other,
}

impl Stage {
    /// What a phase is, by its name.
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
