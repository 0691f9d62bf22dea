//! The values of a running script.

use std::any::TypeId;
use std::rc::Rc;

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
    /// An array or a map that several variables or constants share until one of them changes it.
    Shared(Rc<Dynamic>),
    /// A value of another type, or one that nothing shares.
    Other(Dynamic),
}

impl Clone for Value {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::Unit => Self::Unit,
            Self::Bool(flag) => Self::Bool(*flag),
            Self::Int(number) => Self::Int(*number),
            Self::Shared(value) => Self::Shared(Rc::clone(value)),
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
        Self::small(value).unwrap_or_else(|| copy(value))
    }

    /// Copies an integer, a Boolean or `()`.
    #[inline]
    fn small(value: &Dynamic) -> Option<Self> {
        if let Ok(number) = value.as_int() {
            Some(Self::Int(number))
        } else if let Ok(flag) = value.as_bool() {
            Some(Self::Bool(flag))
        } else {
            value.is_unit().then_some(Self::Unit)
        }
    }

    /// Reports whether values are in this value.
    pub(crate) fn is_container(&self) -> bool {
        match self {
            Self::Shared(_) => true,
            Self::Other(value) => value.is_array() || value.is_map(),
            _ => false,
        }
    }

    /// Makes an array or a map one that can be shared.
    pub(crate) fn share(&mut self) {
        if let Self::Other(value) = self
            && (value.is_array() || value.is_map())
        {
            *self = Self::Shared(Rc::new(std::mem::take(value)));
        }
    }

    /// Returns the value to be changed. If others share it, it is copied. Returns `None` for
    /// integers, Booleans and `()`.
    #[inline]
    pub(crate) fn own(&mut self) -> Option<&mut Dynamic> {
        if let Self::Shared(_) = self {
            *self = Self::Other(self.take().dynamic());
        }
        match self {
            Self::Other(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the value to be read. Returns `None` for integers, Booleans and `()`.
    #[inline]
    pub(crate) fn inner(&self) -> Option<&Dynamic> {
        match self {
            Self::Shared(value) => Some(value),
            Self::Other(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the identity of the value's type.
    #[inline]
    pub(crate) fn type_id(&self) -> TypeId {
        match self {
            Self::Unit => TypeId::of::<()>(),
            Self::Bool(_) => TypeId::of::<bool>(),
            Self::Int(_) => TypeId::of::<INT>(),
            Self::Shared(value) => value.type_id(),
            Self::Other(value) => value.type_id(),
        }
    }

    #[inline]
    pub(crate) fn dynamic(self) -> Dynamic {
        match self {
            Self::Unit => Dynamic::UNIT,
            Self::Bool(flag) => Dynamic::from_bool(flag),
            Self::Int(number) => Dynamic::from_int(number),
            Self::Shared(value) => Rc::try_unwrap(value).unwrap_or_else(|it| cells::copy(&it)),
            Self::Other(value) => value,
        }
    }

    /// Returns the name of the value's type in Rhai.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Unit => "()",
            Self::Bool(_) => "bool",
            Self::Int(_) => "i64",
            Self::Shared(value) => value.type_name(),
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
        Self::small(&value).unwrap_or_else(|| Self::Other(value))
    }
}
