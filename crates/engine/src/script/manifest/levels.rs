//! How strong the bots of free seats are in games with people.

risk_text::named! {
    /// The strength of the bots that people meet, measured by a player who takes every hint.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Level {
        /// They win most games.
        Easy = "easy",
        /// They win their share.
        Normal = "normal",
        /// The strongest bots of the ruleset.
        Hard = "hard",
    }
}
