//! Networks in which bots may be.

use std::net::IpAddr;

use ipnet::IpNet;

/// The networks in which bots may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Networks {
    /// Whether bots may be on this machine, at its loopback addresses.
    pub loopback: bool,
    /// The other allowed networks.
    pub others: Vec<IpNet>,
}

impl Networks {
    /// Reports whether a bot may be at this address.
    #[must_use]
    pub fn allow(&self, at: IpAddr) -> bool {
        let at = at.to_canonical();
        // The unspecified address reaches this machine too.
        let own = at.is_loopback() || at.is_unspecified();
        if own {
            self.loopback && at.is_loopback()
        } else {
            self.others.iter().any(|net| net.contains(&at))
        }
    }
}
