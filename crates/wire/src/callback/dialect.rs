//! The two dialects of the protocol.

use serde_json::{Value, json};

use crate::transport::{Greeting, GreetingReply};

risk_text::named! {
    /// The protocol's vocabulary: either that of the specification or that of existing bots.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Dialect {
        /// The vocabulary of the specification.
        #[default]
        Seed = "seed",
        /// The vocabulary of existing bots for Snow College's challenge.
        Snow = "snow",
    }
}

impl Dialect {
    pub(super) const fn either<T: Copy>(self, seed: T, snow: T) -> T {
        match self {
            Self::Seed => seed,
            Self::Snow => snow,
        }
    }

    /// Returns the greeting. The specification does not define a greeting, so any reply shows that
    /// the bot is there.
    pub(super) const fn greeting(self) -> Greeting {
        Greeting {
            path: self.either("", "areYouThere"),
            reply: self.either(GreetingReply::Any, GreetingReply::Yes),
            each_game: false,
        }
    }

    /// Returns the status in a question, which says whether the previous answer was refused.
    pub(super) fn status(self, placing: bool, failed: bool) -> Value {
        match (self, failed, placing) {
            (Self::Snow, failed, _) => json!(i32::from(failed)),
            (Self::Seed, false, _) => json!("Your turn"),
            (Self::Seed, true, true) => json!("Placement Failed. Try another territory."),
            (Self::Seed, true, false) => json!("Attack Failed. Try again."),
        }
    }
}
