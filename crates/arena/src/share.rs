//! A limited number of places, in total and per address, so one address can't exclude others.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// A limited number of places, and the addresses that hold them.
#[derive(Debug)]
pub struct AddressQuota {
    most: usize,
    most_of_one: usize,
    counts: Mutex<BTreeMap<IpAddr, usize>>,
}

/// One place, released on drop.
#[derive(Debug)]
pub struct QuotaPermit {
    shares: Arc<AddressQuota>,
    at: IpAddr,
}

/// The reason why no place is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuotaError {
    /// The address already has its maximum number of places.
    #[error("the address has its maximum number of places")]
    ForOne,
    /// All places are taken.
    #[error("all places are taken")]
    ForAll,
}

impl AddressQuota {
    /// Creates `most` places. One address can hold at most `most_of_one`.
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
    /// Returns an error if no place is available.
    pub fn take(self: &Arc<Self>, at: IpAddr) -> Result<QuotaPermit, QuotaError> {
        let at = household(at);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts
            .get(&at)
            .is_some_and(|count| *count >= self.most_of_one)
        {
            return Err(QuotaError::ForOne);
        }
        if counts.values().sum::<usize>() >= self.most {
            return Err(QuotaError::ForAll);
        }
        *counts.entry(at).or_insert(0) += 1;
        Ok(QuotaPermit {
            shares: Arc::clone(self),
            at,
        })
    }
}

impl AddressQuota {
    /// Returns the number of places taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.values().sum()
    }
}

impl Drop for QuotaPermit {
    fn drop(&mut self) {
        let counts = self.shares.counts.lock();
        let mut counts = counts.unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.at) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.at);
            }
        }
    }
}

/// Returns the address that represents one holder. IPv6 providers assign 64-bit networks as a
/// whole, so each network is represented by its first address.
#[must_use]
pub fn household(at: IpAddr) -> IpAddr {
    match at.to_canonical() {
        IpAddr::V6(at) => IpAddr::V6(Ipv6Addr::from_bits(at.to_bits() >> 64 << 64)),
        other => other,
    }
}
