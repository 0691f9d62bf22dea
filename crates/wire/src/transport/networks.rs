//! Where bots may be.

use std::net::IpAddr;

use ipnet::IpNet;

/// The networks in which bots may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Networks {
    /// May they be on this machine, at its loopback addresses?
    pub loopback: bool,
    /// Networks beside it.
    pub others: Vec<IpNet>,
}

impl Networks {
    /// May a bot be at this address?
    #[must_use]
    pub fn allow(&self, at: IpAddr) -> bool {
        let at = at.to_canonical();
        // Whoever asks the address that stands for all of them reaches this machine.
        let own = at.is_loopback() || at.is_unspecified();
        if own {
            self.loopback && at.is_loopback()
        } else {
            self.others.iter().any(|net| net.contains(&at))
        }
    }
}
