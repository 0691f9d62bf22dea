//! What to expect of a fight.

/// What to expect of a fight to the end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Odds {
    /// The chance that the attacker takes the land.
    pub capture: f64,
    /// Expected attackers left, of those that could fight.
    pub attackers_left: f64,
    /// The same, given that the land is taken; 0 if it can't be.
    pub attackers_left_given_capture: f64,
    /// Expected defenders left.
    pub defenders_left: f64,
}
