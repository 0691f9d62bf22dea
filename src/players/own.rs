//! Bots that the program around the library makes.

use std::fmt;
use std::sync::Arc;

use crate::kernel::Bot;

/// How a bot of the program around the library is made: once for each thread that plays.
#[derive(Clone)]
pub struct OwnBot(Arc<dyn Fn() -> Box<dyn Bot> + Send + Sync>);

impl OwnBot {
    /// Bots that this makes.
    pub fn new(make: impl Fn() -> Box<dyn Bot> + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    pub(super) fn make(&self) -> Box<dyn Bot> {
        (self.0)()
    }
}

impl fmt::Debug for OwnBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnBot")
    }
}
