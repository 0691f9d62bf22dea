//! The expected results of fights.

/// The expected result of a fight to the end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Odds {
    /// The chance that the attacker captures the territory.
    pub capture: f64,
    /// The expected number of attackers left, not counting armies that can't fight.
    pub attackers_left: f64,
    /// The expected number of attackers left given a capture; 0 if a capture is impossible.
    pub attackers_left_given_capture: f64,
    /// The expected number of defenders left.
    pub defenders_left: f64,
}
