//! The error of a bot that can't be created.

use crate::script::ScriptFault;
use risk_text::diag::{Finding, LoadError};

/// The reason why a bot can't be created for a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// All faults of a script that can't be used.
    #[error("{}", texts(.0))]
    Script(Vec<ScriptFault>),
    /// The bot does not exist, or can't play in this match.
    #[error("{}", .0.text)]
    Bot(Box<Finding>),
}

fn texts(faults: &[ScriptFault]) -> String {
    let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
    texts.join("; ")
}

impl From<Finding> for BuildError {
    fn from(finding: Finding) -> Self {
        Self::Bot(Box::new(finding))
    }
}

impl From<Vec<ScriptFault>> for BuildError {
    fn from(faults: Vec<ScriptFault>) -> Self {
        Self::Script(faults)
    }
}

impl From<BuildError> for LoadError {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Script(faults) => faults.into(),
            BuildError::Bot(finding) => Self::one(*finding),
        }
    }
}
