//! The last broadcasts of a match, by number. A broadcast is the state after a decision or fault.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The maximum number of bytes stored for one match.
const MOST_BYTES: usize = 1 << 20;

#[derive(Default)]
pub(super) struct Broadcasts(Mutex<BroadcastBuffer>);

#[derive(Default)]
struct BroadcastBuffer {
    /// The number of the first stored text, from 1.
    first: u64,
    texts: VecDeque<String>,
    bytes: usize,
}

pub(super) enum BroadcastLookup {
    Here(String),
    /// The broadcast is no longer stored.
    Gone,
    /// No broadcast has this number yet.
    Not,
}

impl Broadcasts {
    pub(super) fn add(&self, number: u64, text: String) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.texts.is_empty() {
            kept.first = number;
        }
        kept.bytes += text.len();
        kept.texts.push_back(text);
        while kept.bytes > MOST_BYTES && kept.texts.len() > 1 {
            let old = kept.texts.pop_front().unwrap_or_default();
            kept.bytes -= old.len();
            kept.first += 1;
        }
    }

    pub(super) fn find(&self, number: u64) -> BroadcastLookup {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if number < kept.first && number > 0 {
            return BroadcastLookup::Gone;
        }
        let index = number.checked_sub(kept.first).filter(|_| number > 0);
        let index = index.and_then(|index| usize::try_from(index).ok());
        let text = index.and_then(|index| kept.texts.get(index));
        text.map_or(BroadcastLookup::Not, |text| {
            BroadcastLookup::Here(text.clone())
        })
    }
}
