//! Tables for numbers of armies, each computed at most once.

use std::cell::OnceCell;

use super::MOST_ARMIES;

/// The numbers of armies that tables reach. They are fixed, so that a result does not depend on the
/// fights that were asked for earlier.
const REACHES: [i32; 6] = [32, 64, 128, 256, 512, MOST_ARMIES];

/// A function that calls its argument, which fills a table: see [`Fight::filled_by`].
///
/// [`Fight::filled_by`]: super::Fight::filled_by
pub type Filler = fn(&mut dyn FnMut());

pub(super) fn fill_directly(fill: &mut dyn FnMut()) {
    fill();
}

/// A table for each of some numbers of armies, filled when it is first needed.
#[derive(Debug)]
pub(super) struct Levels<T>([OnceCell<T>; REACHES.len()]);

impl<T> Default for Levels<T> {
    fn default() -> Self {
        Self([const { OnceCell::new() }; REACHES.len()])
    }
}

impl<T> Levels<T> {
    /// Returns the smallest table that reaches this number of armies, at most [`MOST_ARMIES`].
    /// `fill` creates the table for a number of armies.
    pub(super) fn reaching(&self, armies: i32, filler: Filler, fill: impl Fn(i32) -> T) -> &T {
        let level = REACHES.iter().position(|&reach| armies <= reach);
        let level = level.expect("callers limit the number of armies");
        let table = &self.0[level];
        if table.get().is_none() {
            filler(&mut || {
                table.get_or_init(|| fill(REACHES[level]));
            });
        }
        table.get_or_init(|| fill(REACHES[level]))
    }
}
