//! Lookup of a bot's host. The addresses are checked after a single lookup, so no name can resolve
//! to an address outside the allowed networks later.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::{Arc, OnceLock};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

use crate::error::ProtocolError;
use crate::transport::networks::Networks;

/// The error text for a bot outside the allowed networks.
pub(super) const ELSEWHERE: &str =
    "the arena does not allow this network; its operator can, with --allow-callback";

/// Returns the host of an address, and its port if it has one.
#[must_use]
pub fn host_and_port(url: &str) -> (&str, Option<u16>) {
    let place = url.strip_prefix("http://").unwrap_or(url);
    let place = place.split('/').next().unwrap_or_default();
    let split = place.rsplit_once(':');
    let split = split.and_then(|(host, port)| Some((host, port.parse().ok()?)));
    split.map_or((place, None), |(host, port)| (host, Some(port)))
}

/// Checks that the host of an address can be resolved and is within the allowed networks. Does not
/// contact the bot.
///
/// # Errors
/// Returns an error if the host can't be used.
pub fn find(url: &str, within: &Networks) -> Result<(), ProtocolError> {
    let (host, port) = host_and_port(url);
    let mut found = format!("{host}:{}", port.unwrap_or(80))
        .to_socket_addrs()
        .map_err(|_| ProtocolError::Refused(format!("unknown host in {url}")))?;
    if found.all(|at| within.allow(at.ip())) {
        Ok(())
    } else {
        Err(ProtocolError::Refused(format!(
            "can't reach the bot at {url}: {ELSEWHERE}"
        )))
    }
}

/// A resolver that looks up a bot's host once and accepts only addresses in the allowed networks.
#[derive(Debug)]
pub(super) struct PinnedResolver {
    within: Option<Arc<Networks>>,
    finder: DefaultResolver,
    found: OnceLock<Vec<SocketAddr>>,
}

impl PinnedResolver {
    pub(super) fn new(within: Option<Arc<Networks>>) -> Self {
        Self {
            within,
            finder: DefaultResolver::default(),
            found: OnceLock::new(),
        }
    }

    fn find(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<Vec<SocketAddr>, ureq::Error> {
        let found = self.finder.resolve(uri, config, timeout)?.to_vec();
        match &self.within {
            Some(within) if !found.iter().all(|at| within.allow(at.ip())) => {
                Err(ureq::Error::Other(Box::new(io::Error::other(ELSEWHERE))))
            }
            _ => Ok(found),
        }
    }
}

impl Resolver for PinnedResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        // The client calls this function before every request, and each real lookup starts a
        // thread.
        let mut found = self.empty();
        match self.found.get() {
            Some(known) => known.iter().for_each(|at| found.push(*at)),
            None => {
                let new = self.find(uri, config, timeout)?;
                new.iter().for_each(|at| found.push(*at));
                // No other request can have set the addresses, because requests are sequential.
                let _ = self.found.set(new);
            }
        }
        Ok(found)
    }
}
