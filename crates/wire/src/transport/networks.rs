//! Networks from which bots are allowed.

use std::net::IpAddr;

use ipnet::IpNet;

/// The networks from which bots are allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Networks {
    /// Whether bots may run on this machine, at its loopback addresses.
    pub loopback: bool,
    /// The other allowed networks.
    pub others: Vec<IpNet>,
}

impl Networks {
    /// Reports whether a bot at this address is allowed.
    #[must_use]
    pub fn allow(&self, at: IpAddr) -> bool {
        let at = at.to_canonical();
        // The unspecified address also reaches this machine.
        let own = at.is_loopback() || at.is_unspecified();
        if own {
            self.loopback && at.is_loopback()
        } else {
            self.others.iter().any(|net| net.contains(&at))
        }
    }
}
