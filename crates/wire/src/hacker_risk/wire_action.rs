//! The actions of the protocol.

risk_text::named! {
    /// An action of the protocol.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum WireAction {
        /// Takes a free country.
        ChooseCountry = "choose_country",
        /// Places armies during the set-up or at the beginning of a turn.
        DeployTroops = "deploy_troops",
        /// Trades cards for armies.
        SpendCards = "spend_cards",
        /// Declines to trade cards.
        Pass = "pass",
        /// Attacks a neighbour.
        Attack = "attack",
        /// Ends the attacks.
        EndAttackPhase = "end_attack_phase",
        /// Moves armies at the end of a turn.
        Reinforce = "reinforce",
        /// Ends the turn without moving armies.
        EndTurn = "end_turn",
    }
}
