//! The parts of a ruleset that the protocol uses, and the corresponding terms of the protocol.

use super::wire_action::WireAction;
use crate::decl_lookup::DeclLookup;
use crate::error::ProtocolError;
use risk_kernel::action::{Action, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::id::{Counter, Phase, Pile, Verb};
use risk_kernel::view::View;

/// The kind of a decision in the terms of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionKind {
    /// Taking a free country.
    Claim,
    /// Placing armies.
    Place,
    /// Trading cards for armies.
    Trade,
    /// Attacking a neighbour.
    Attack,
    /// Moving armies at the end of a turn.
    Fortify,
}

impl DecisionKind {
    pub(super) const ALL: [Self; 5] = [
        Self::Claim,
        Self::Place,
        Self::Trade,
        Self::Attack,
        Self::Fortify,
    ];

    /// Returns the protocol's actions for this kind of decision.
    pub(super) const fn actions(self) -> &'static [WireAction] {
        match self {
            Self::Claim => &[WireAction::ChooseCountry],
            Self::Place => &[WireAction::DeployTroops],
            Self::Trade => &[WireAction::SpendCards, WireAction::Pass],
            Self::Attack => &[WireAction::Attack, WireAction::EndAttackPhase],
            Self::Fortify => &[WireAction::Reinforce, WireAction::EndTurn],
        }
    }
}

/// The parts of a ruleset that the protocol uses.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    phases: Vec<(Phase, Option<DecisionKind>)>,
    pub(super) claim: Verb,
    /// The verb that places armies.
    pub place: Verb,
    pub(super) trade: Verb,
    pub(super) attack: Verb,
    /// The verb that moves armies, including after a conquest.
    pub movement: Verb,
    pub(super) pass: Verb,
    pub(super) done: Verb,
    /// The counter of armies that a player has left to place.
    pub reserve: Counter,
    pub(super) conquered: Counter,
    pub(super) deck: Pile,
    pub(super) hand: Pile,
    pub(super) muster: Phase,
}

impl Vocabulary {
    /// Looks up the parts by name.
    ///
    /// # Errors
    /// Returns an error if the ruleset lacks one of the parts.
    pub fn new(decl: &Declaration) -> Result<Self, ProtocolError> {
        let parts = DeclLookup(decl);
        let decisions = [
            ("claim", Some(DecisionKind::Claim)),
            ("muster", Some(DecisionKind::Place)),
            ("deploy", Some(DecisionKind::Place)),
            ("trade", Some(DecisionKind::Trade)),
            ("attack", Some(DecisionKind::Attack)),
            ("fortify", Some(DecisionKind::Fortify)),
            ("occupy", None),
        ];
        Ok(Self {
            phases: decisions
                .into_iter()
                .map(|(name, decision)| Ok((parts.phase(name)?, decision)))
                .collect::<Result<_, ProtocolError>>()?,
            claim: parts.verb("claim")?,
            place: parts.verb("place")?,
            trade: parts.verb("trade")?,
            attack: parts.verb("attack")?,
            movement: parts.verb("move")?,
            pass: parts.verb("pass")?,
            done: parts.verb("done")?,
            reserve: parts.counter("reserve")?,
            conquered: parts.counter("conquered")?,
            deck: parts.pile("deck")?,
            hand: parts.pile("hand")?,
            muster: parts.phase("muster")?,
        })
    }

    fn decision(&self, phase: Phase) -> Option<DecisionKind> {
        self.phases
            .iter()
            .find(|(known, _)| *known == phase)
            .and_then(|(_, decision)| *decision)
    }

    /// Returns the actions available to a player in the protocol's terms. Returns `None` if the
    /// protocol has no question for the decision.
    #[must_use]
    pub fn available(&self, view: &View, ask: &Options) -> Option<Vec<WireAction>> {
        // H14: The protocol offers an attack even if none is possible. Bots check for the name
        // `attack`.
        let mut actions = self.decision(view.frame()?.phase)?.actions().to_vec();
        actions.retain(|action| *action != WireAction::Pass || ask.has(self.pass));
        Some(actions)
    }

    /// Reports whether players attack in this phase.
    #[must_use]
    pub fn is_attack(&self, phase: Phase) -> bool {
        self.decision(phase) == Some(DecisionKind::Attack)
    }

    /// Returns the action that ends an attack phase without legal attacks, or `None` in any other
    /// phase.
    #[must_use]
    pub fn no_attack(&self, phase: Phase, ask: &Options) -> Option<Action> {
        let done = Action::new(self.done, &[]);
        (self.is_attack(phase) && !ask.has(self.attack) && ask.admit(done).is_ok()).then_some(done)
    }

    /// Returns the action for a decision without a question in the protocol. The action moves no
    /// more armies into a conquest.
    #[must_use]
    pub fn unasked(&self, ask: &Options) -> Option<Action> {
        let first = ask.has(self.movement).then(|| ask.nth(0))?;
        let none = Action::new(
            self.movement,
            &[*first.args().first()?, *first.args().get(1)?, 0],
        );
        ask.admit(none).ok().map(|_| none)
    }

    /// Returns the number of armies that a player deploys in one answer: one army during the
    /// set-up, or all remaining armies later.
    pub(super) fn due(&self, view: &View) -> i64 {
        let reserve = view.counter(self.reserve, Some(view.me()));
        let reserve = reserve.unwrap_or_default();
        let mustering = view.frame().is_some_and(|frame| frame.phase == self.muster);
        if mustering { reserve.min(1) } else { reserve }
    }

    /// Returns the protocol's action for a verb at this kind of decision.
    #[must_use]
    pub fn wire_action(&self, decision: DecisionKind, verb: Verb) -> Option<WireAction> {
        let mut actions = decision.actions().iter().copied();
        actions.find(|action| self.verb(*action) == verb)
    }

    const fn verb(&self, action: WireAction) -> Verb {
        match action {
            WireAction::ChooseCountry => self.claim,
            WireAction::DeployTroops => self.place,
            WireAction::SpendCards => self.trade,
            WireAction::Pass => self.pass,
            WireAction::Attack => self.attack,
            WireAction::Reinforce => self.movement,
            WireAction::EndAttackPhase | WireAction::EndTurn => self.done,
        }
    }
}
