//! Lookup of a bot's host. Its addresses are checked after the lookup, so that no name leads
//! outside the allowed networks, then or later.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::{Arc, OnceLock};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

use crate::error::ProtocolError;
use crate::transport::networks::Networks;

/// The error text of a bot outside the allowed networks.
pub(super) const ELSEWHERE: &str =
    "the arena does not allow this network; its operator can, with --allow-callback";

/// Checks that the host of an address is known and within the allowed networks, without contacting
/// the bot.
///
/// # Errors
/// Returns why the host can't be asked.
pub fn find(url: &str, within: &Networks) -> Result<(), ProtocolError> {
    let place = url
        .strip_prefix("http://")
        .unwrap_or(url)
        .split('/')
        .next()
        .unwrap_or_default();
    let has_port = place
        .rsplit_once(':')
        .is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let place = if has_port {
        place.to_owned()
    } else {
        format!("{place}:80")
    };
    let mut found = place
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

/// A resolver that looks up a bot's host once, within the allowed networks.
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
        // Called before every request, and each real lookup costs a thread.
        let mut found = self.empty();
        match self.found.get() {
            Some(known) => known.iter().for_each(|at| found.push(*at)),
            None => {
                let new = self.find(uri, config, timeout)?;
                new.iter().for_each(|at| found.push(*at));
                // No other request can have found it meanwhile: requests come in sequence.
                let _ = self.found.set(new);
            }
        }
        Ok(found)
    }
}
