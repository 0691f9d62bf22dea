//! The configuration of HTTP requests.

use std::time::Duration;

use ureq::Agent;
use ureq::config::Config;

/// The time that an idle connection is kept open. Some servers close idle connections after two
/// seconds.
const IDLE: Duration = Duration::from_secs(1);

pub(super) fn config(timeout: Duration) -> Config {
    Agent::config_builder()
        .timeout_global(Some(timeout))
        // A redirect does not count as an answer.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .max_idle_age(IDLE)
        .proxy(None)
        .user_agent(format!("risk-cli/{}", risk_engine::VERSION))
        .build()
}
