//! The arrays that a step writes.

use numpy::{PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray3};
use pyo3::prelude::*;

use crate::errors::contiguous;

/// Declares the arrays once: as the caller passes them, as rows of some games, and the lengths of
/// their rows.
macro_rules! outputs {
    ($($name:ident: $array:ident<$value:ty>,)*) => {
        /// The caller's arrays for the results.
        #[derive(FromPyObject)]
        pub(super) struct OutputArrays<'py>($($array<'py, $value>,)*);

        /// Arrays with one row for each of some games.
        pub(super) struct OutputRows<'a> {
            $(pub(super) $name: &'a mut [$value],)*
        }

        /// The length of a row of each array.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct OutputSizes {
            $(pub(super) $name: usize,)*
        }

        impl OutputArrays<'_> {
            pub(super) fn rows(&mut self) -> PyResult<OutputRows<'_>> {
                let Self($($name,)*) = self;
                $(let $name = contiguous($name.as_slice_mut())?;)*
                Ok(OutputRows { $($name,)* })
            }
        }

        impl OutputRows<'_> {
            /// Splits off the next `rows` rows.
            pub(super) fn split(&mut self, sizes: &OutputSizes, rows: usize) -> Option<Self> {
                $(let $name = self.$name.split_off_mut(..rows * sizes.$name)?;)*
                Some(Self { $($name,)* })
            }

            pub(super) fn fit(&self, sizes: &OutputSizes, games: usize) -> bool {
                true $(&& self.$name.len() == games * sizes.$name)*
            }
        }
    };
}

outputs! {
    territories: PyReadwriteArray3<i32>,
    globals: PyReadwriteArray2<i32>,
    rewards: PyReadwriteArray2<f32>,
    terminated: PyReadwriteArray1<bool>,
    truncated: PyReadwriteArray1<bool>,
    players: PyReadwriteArray1<i32>,
    mask: PyReadwriteArray2<bool>,
    features: PyReadwriteArray2<f32>,
}

impl OutputRows<'_> {
    /// Clears the results of the last step of a game.
    pub(super) fn clear(&mut self, index: usize, sizes: &OutputSizes) {
        self.rewards[index * sizes.rewards..][..sizes.rewards].fill(0.0);
        self.terminated[index] = false;
        self.truncated[index] = false;
    }
}
