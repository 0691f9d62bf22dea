//! Values that stay on the thread that made them. Python may hand an object to any thread; what a
//! script holds may not leave its own.
//!
//! The value lies in a slot of its thread, and the object has the number of the slot alone. So
//! nothing here needs a promise that the compiler can't check, and a wrong thread is an exception.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::LocalKey;

use pyo3::prelude::*;

use crate::errors::{WrongThread, wrong};

/// Slots that are to be emptied by their own thread.
type Returned = Arc<Mutex<Vec<usize>>>;

/// A thread's slots for one type.
pub(crate) struct House<T> {
    number: u64,
    slots: RefCell<Vec<Option<Box<T>>>>,
    free: RefCell<Vec<usize>>,
    returned: Returned,
}

impl<T> Default for House<T> {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            slots: RefCell::default(),
            free: RefCell::default(),
            returned: Returned::default(),
        }
    }
}

impl<T> House<T> {
    fn put(&self, value: T) -> usize {
        let given_back = {
            let mut returned = self.returned.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *returned)
        };
        for slot in given_back {
            self.clear(slot);
        }
        let value = Some(Box::new(value));
        let slot = self.free.borrow_mut().pop();
        let mut slots = self.slots.borrow_mut();
        match slot {
            Some(slot) => {
                slots[slot] = value;
                slot
            }
            None => {
                slots.push(value);
                slots.len() - 1
            }
        }
    }

    fn clear(&self, slot: usize) {
        // What it holds may have rooms of its own.
        let value = self.slots.borrow_mut()[slot].take();
        drop(value);
        self.free.borrow_mut().push(slot);
    }
}

/// A type that has slots on each thread.
pub(crate) trait Housed: Sized + 'static {
    /// What it is, for messages: `a game`.
    const WHAT: &'static str;

    fn house() -> &'static LocalKey<House<Self>>;
}

/// The place of a value on its thread.
pub(crate) struct Room<T: Housed> {
    house: u64,
    slot: usize,
    returned: Returned,
    of: PhantomData<fn() -> T>,
}

impl<T: Housed> Room<T> {
    /// Puts a value into a slot of this thread.
    pub(crate) fn new(value: T) -> Self {
        T::house().with(|house| Self {
            house: house.number,
            slot: house.put(value),
            returned: Arc::clone(&house.returned),
            of: PhantomData,
        })
    }

    /// Works with the value: on its own thread, and one at a time.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> PyResult<R>) -> PyResult<R> {
        let mut value = T::house().with(|house| {
            if house.number != self.house {
                return Err(WrongThread::new_err(format!(
                    "{} is used on another thread than the one that made it",
                    T::WHAT
                )));
            }
            let value = house.slots.borrow_mut()[self.slot].take();
            value.ok_or_else(|| wrong(format!("{} is in the middle of a call", T::WHAT)))
        })?;
        let result = work(&mut value);
        T::house().with(|house| house.slots.borrow_mut()[self.slot] = Some(value));
        result
    }
}

impl<T: Housed> Drop for Room<T> {
    fn drop(&mut self) {
        let is_home = T::house().try_with(|house| {
            let is_home = house.number == self.house;
            if is_home {
                house.clear(self.slot);
            }
            is_home
        });
        if is_home != Ok(true) {
            // Its own thread drops it; if that has ended, it is gone already.
            let mut returned = self.returned.lock().unwrap_or_else(PoisonError::into_inner);
            returned.push(self.slot);
        }
    }
}
