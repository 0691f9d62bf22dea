//! Limited places, in all and for each address, so that no address shuts others out.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// A limited number of places, and the addresses that have them.
#[derive(Debug)]
pub struct Shares {
    most: usize,
    most_of_one: usize,
    counts: Mutex<BTreeMap<IpAddr, usize>>,
}

/// One place, released on drop.
#[derive(Debug)]
pub struct Share {
    shares: Arc<Shares>,
    at: IpAddr,
}

/// The reason that there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// The address has all the places that it may have.
    ForOne,
    /// All places are taken.
    ForAll,
}

impl Shares {
    /// Creates `most` places, of which one address can have `most_of_one`.
    #[must_use]
    pub fn new(most: usize, most_of_one: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            most_of_one,
            counts: Mutex::default(),
        })
    }

    /// Takes a place for an address.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn take(self: &Arc<Self>, at: IpAddr) -> Result<Share, Full> {
        let at = household(at);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts
            .get(&at)
            .is_some_and(|count| *count >= self.most_of_one)
        {
            return Err(Full::ForOne);
        }
        if counts.values().sum::<usize>() >= self.most {
            return Err(Full::ForAll);
        }
        *counts.entry(at).or_insert(0) += 1;
        Ok(Share {
            shares: Arc::clone(self),
            at,
        })
    }
}

impl Shares {
    /// Returns the number of places taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.values().sum()
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut counts = self
            .shares
            .counts
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.at) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.at);
            }
        }
    }
}

/// Returns the address that represents one holder. An IPv6 network of 64 bits is handed out whole,
/// so its first address represents it.
#[must_use]
pub fn household(at: IpAddr) -> IpAddr {
    match at.to_canonical() {
        IpAddr::V6(at) => IpAddr::V6(Ipv6Addr::from_bits(at.to_bits() >> 64 << 64)),
        other => other,
    }
}
