//! The actions of the protocol.

/// An action of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireAction {
    /// Takes a free country.
    ChooseCountry,
    /// Places armies during the set-up or at the beginning of a turn.
    DeployTroops,
    /// Trades cards for armies.
    SpendCards,
    /// Declines to trade cards.
    Pass,
    /// Attacks a neighbour.
    Attack,
    /// Ends the attacks.
    EndAttackPhase,
    /// Moves armies at the end of a turn.
    Reinforce,
    /// Ends the turn without moving armies.
    EndTurn,
}

impl WireAction {
    /// Returns the action's name in the protocol.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ChooseCountry => "choose_country",
            Self::DeployTroops => "deploy_troops",
            Self::SpendCards => "spend_cards",
            Self::Pass => "pass",
            Self::Attack => "attack",
            Self::EndAttackPhase => "end_attack_phase",
            Self::Reinforce => "reinforce",
            Self::EndTurn => "end_turn",
        }
    }
}
