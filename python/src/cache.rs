//! Values that are expensive to make, kept for the rest of the process.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The values made last, by key. If there are too many, the oldest value is dropped.
pub(crate) struct Cache<K, V> {
    most: usize,
    values: Mutex<Vec<(K, V)>>,
}

impl<K: PartialEq, V: Clone> Cache<K, V> {
    pub(crate) const fn new(most: usize) -> Self {
        Self {
            most,
            values: Mutex::new(Vec::new()),
        }
    }

    fn values(&self) -> MutexGuard<'_, Vec<(K, V)>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the value of a key. Makes it if it is not there, or if there is no key.
    pub(crate) fn get_or_make<E>(
        &self,
        key: Option<K>,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<V, E> {
        let Some(key) = key else { return make() };
        if let Some((_, value)) = self.values().iter().find(|(it, _)| *it == key) {
            return Ok(value.clone());
        }
        // The lock is not held: two threads may make the same value, which does no harm.
        let value = make()?;
        let mut values = self.values();
        if values.len() >= self.most {
            values.remove(0);
        }
        values.push((key, value.clone()));
        Ok(value)
    }
}
