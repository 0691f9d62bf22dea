//! The answers of one person in a secret phase, given one after another before the next person is
//! asked. People at a shared console then pass it on once a phase.

use risk_engine::script::RulesSource;
use risk_kernel::action::{Action, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::id::{Phase, Player};
use risk_kernel::stepper::{Stepper, StepperSettings};
use risk_kernel::view::View;

/// The seed of the imagined games. What a person sees does not depend on it.
const SEED: u64 = 0;
/// The maximum number of answers in one plan. The game asks for further answers as usual.
const MOST_ANSWERS: usize = 1_000;

/// A game imagined from one player's view, in which the player answers until the phase ends for
/// that player. Other players choose their first option.
pub(super) struct PhasePlan {
    rules: RulesSource,
    /// The imagined game before the first answer.
    start: Stepper,
    game: Stepper,
    me: Player,
    place: (u32, Phase),
    actions: Vec<Action>,
}

impl PhasePlan {
    /// Imagines the game at a player's decision. Returns `None` if the ruleset fails there.
    pub(super) fn begin(view: &View, rules: &RulesSource) -> Option<Self> {
        let settings = StepperSettings {
            asks_optional: true,
            plans: true,
            listens: false,
            ..StepperSettings::default()
        };
        let game = rules.with(|rules| {
            let game = view.imagine_visible(rules, SEED)?;
            Stepper::new(game, rules, settings)
        });
        let game = game.ok()??.ok()?;
        Some(Self {
            rules: rules.clone(),
            start: game.clone(),
            game,
            me: view.me(),
            place: place(view)?,
            actions: Vec::new(),
        })
    }

    /// Returns the player's next decision in the phase, or `None` if the phase is over for the
    /// player.
    pub(super) fn question(&self) -> Option<(View, &Options)> {
        let mut all = self.game.decisions().iter();
        let mine = all.find(|decision| decision.player == self.me)?;
        let goes_on = self.is_in_phase() && self.actions.len() < MOST_ANSWERS;
        goes_on.then(|| (self.game.view(self.me), &mine.options))
    }

    /// Adds the answer to the current question. Returns `false` if the ruleset fails in the
    /// imagined game, which ends the plan.
    pub(super) fn take(&mut self, action: Action) -> bool {
        self.actions.push(action);
        let rules = self.rules.clone();
        let applied = rules.with(|rules| {
            self.game.apply(rules, self.me, action).ok()?;
            for _ in 0..MOST_ANSWERS {
                let mut all = self.game.decisions().iter();
                let is_asked = all.any(|decision| decision.player == self.me);
                if is_asked || !self.is_in_phase() {
                    break;
                }
                let decision = self.game.decisions().first()?;
                let (other, first) = (decision.player, decision.options.nth(0));
                self.game.apply(rules, other, first).ok()?;
            }
            Some(())
        });
        matches!(applied, Ok(Some(Some(()))))
    }

    fn is_in_phase(&self) -> bool {
        place(&self.game.view(self.me)) == Some(self.place)
    }

    /// Drops all answers.
    pub(super) fn begin_again(&mut self) {
        self.actions.clear();
        self.game = self.start.clone();
    }

    /// Returns the last answer so far.
    pub(super) fn last(&self) -> Option<Action> {
        self.actions.last().copied()
    }

    /// Returns the answers so far, in order.
    pub(super) fn actions(&self) -> &[Action] {
        &self.actions
    }
}

fn place(view: &View) -> Option<(u32, Phase)> {
    let frame = view.frame()?;
    Some((view.turn(), frame.phase))
}

/// Reports whether answers in this phase are hidden from others.
pub(super) fn is_secret(decl: &Declaration, phase: Option<Phase>) -> bool {
    phase.is_some_and(|phase| decl.phases[phase.index()].secret)
}
