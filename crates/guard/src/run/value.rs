//! The values of a running script.

use rhai::{Dynamic, INT};

/// A value. Integers and Booleans, the most common values, are stored without Rhai's own type.
#[derive(Clone, Debug, Default)]
pub(crate) enum Value {
    /// No value, `()`.
    #[default]
    Unit,
    Bool(bool),
    Int(INT),
    /// A value of another type.
    Other(Dynamic),
}

impl Value {
    #[inline]
    pub(crate) fn dynamic(self) -> Dynamic {
        match self {
            Self::Unit => Dynamic::UNIT,
            Self::Bool(flag) => Dynamic::from_bool(flag),
            Self::Int(number) => Dynamic::from_int(number),
            Self::Other(value) => value,
        }
    }

    /// Returns the name of the value's type in Rhai.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Unit => "()",
            Self::Bool(_) => "bool",
            Self::Int(_) => "i64",
            Self::Other(value) => value.type_name(),
        }
    }

    /// Removes the value and leaves `()`.
    #[inline]
    pub(crate) fn take(&mut self) -> Self {
        std::mem::take(self)
    }
}

impl From<Dynamic> for Value {
    #[inline]
    fn from(value: Dynamic) -> Self {
        if let Ok(number) = value.as_int() {
            Self::Int(number)
        } else if let Ok(flag) = value.as_bool() {
            Self::Bool(flag)
        } else if value.is_unit() {
            Self::Unit
        } else {
            Self::Other(value)
        }
    }
}
