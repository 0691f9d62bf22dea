//! How requests are sent, whatever they ask.

use std::time::Duration;

use ureq::Agent;
use ureq::config::Config;

/// How long a connection is kept on which nothing is said. Some servers close a quiet one
/// after two seconds.
const IDLE: Duration = Duration::from_secs(1);

/// Requests of which each may take this long.
pub(super) fn config(timeout: Duration) -> Config {
    Agent::config_builder()
        .timeout_global(Some(timeout))
        // An answer that sends us elsewhere is none.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .max_idle_age(IDLE)
        .proxy(None)
        .user_agent(concat!("risk-cli/", env!("CARGO_PKG_VERSION")))
        .build()
}
