//! Integer arguments. Without limits of its own, PyO3 raises a bare `OverflowError`.

use std::ops::RangeInclusive;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::errors::wrong;

/// The limits of seeds and of the numbers of games, and those of factors.
pub(crate) const U64: RangeInclusive<i128> = 0..=u64::MAX as i128;
pub(crate) const I32: RangeInclusive<i128> = i32::MIN as i128..=i32::MAX as i128;

/// An integer argument before its limits are checked.
#[derive(Clone, Copy)]
pub(crate) struct Int(pub(crate) i128);

impl FromPyObject<'_, '_> for Int {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        // Most integers are short, and reading long ones is slow.
        let number = value.extract::<i64>().map(i128::from);
        match number.or_else(|_| value.extract::<i128>()) {
            // It is beyond all limits in any case.
            Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
                Ok(Self(if value.lt(0)? { i128::MIN } else { i128::MAX }))
            }
            number => number.map(Self),
        }
    }
}

impl Int {
    /// Returns the integer if it is within the limits of the argument with this name.
    pub(crate) fn within<T: TryFrom<i128>>(
        self,
        name: &str,
        limits: RangeInclusive<i128>,
    ) -> PyResult<T> {
        let number = Some(self.0).filter(|number| limits.contains(number));
        number.and_then(|it| it.try_into().ok()).ok_or_else(|| {
            let [least, most, found] = [*limits.start(), *limits.end(), self.0].map(grouped);
            wrong(format!(
                "`{name}` must be from {least} to {most}, found {found}"
            ))
        })
    }
}

/// Returns an optional argument, see [`Int::within`].
pub(crate) fn optional<T: TryFrom<i128>>(
    value: Option<Int>,
    name: &str,
    limits: RangeInclusive<i128>,
) -> PyResult<Option<T>> {
    value.map(|it| it.within(name, limits)).transpose()
}

/// Returns a list of integers, see [`Int::within`].
pub(crate) fn list<T: TryFrom<i128>>(
    values: Vec<Int>,
    name: &str,
    limits: &RangeInclusive<i128>,
) -> PyResult<Vec<T>> {
    let values = values.into_iter();
    values.map(|it| it.within(name, limits.clone())).collect()
}

/// Returns a number with commas.
fn grouped(number: i128) -> String {
    let digits = number.unsigned_abs().to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    format!("{}{}", if number < 0 { "-" } else { "" }, groups.join(","))
}
