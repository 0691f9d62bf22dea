//! Why a bot can't be made.

use crate::load::diag::{Finding, LoadError};
use crate::script::ScriptFault;

/// Why a bot can't be made for a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// Its script can't be used: everything that is wrong with it.
    #[error("{}", texts(.0))]
    Script(Vec<ScriptFault>),
    /// There is no such bot, or it can't play here.
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
