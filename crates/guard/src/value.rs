//! The values of a running script.

use std::any::TypeId;

use rhai::{Dynamic, INT};

use crate::cells;

/// A value. Integers and Booleans, the most common values, are stored without Rhai's own type.
#[derive(Debug, Default)]
pub enum Value {
    /// No value, `()`.
    #[default]
    Unit,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(INT),
    /// A value of another type.
    Other(Dynamic),
}

impl Clone for Value {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::Unit => Self::Unit,
            Self::Bool(flag) => Self::Bool(*flag),
            Self::Int(number) => Self::Int(*number),
            Self::Other(value) => copy(value),
        }
    }
}

#[inline(never)]
fn copy(value: &Dynamic) -> Value {
    Value::Other(cells::copy(value))
}

impl Value {
    /// Copies a value.
    #[inline]
    pub(crate) fn of(value: &Dynamic) -> Self {
        if let Ok(number) = value.as_int() {
            Self::Int(number)
        } else if let Ok(flag) = value.as_bool() {
            Self::Bool(flag)
        } else if value.is_unit() {
            Self::Unit
        } else {
            copy(value)
        }
    }

    /// Reports whether values are in this value.
    pub(crate) fn is_container(&self) -> bool {
        match self {
            Self::Other(value) => value.is_array() || value.is_map(),
            _ => false,
        }
    }

    /// Returns the identity of the value's type.
    #[inline]
    pub(crate) fn type_id(&self) -> TypeId {
        match self {
            Self::Unit => TypeId::of::<()>(),
            Self::Bool(_) => TypeId::of::<bool>(),
            Self::Int(_) => TypeId::of::<INT>(),
            Self::Other(value) => value.type_id(),
        }
    }

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
