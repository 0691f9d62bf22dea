//! Games that are stepped manually, with the bots of a match.

use std::collections::VecDeque;
use std::sync::Arc;

use risk_engine::script::ScriptRules;
use risk_engine::{HostedBot, Setup};
use risk_kernel::action::Action;
use risk_kernel::id::Player;
use risk_kernel::rng::Purpose;
use risk_kernel::state::GameState;
use risk_kernel::stepper::{Decision, Stepper, StepperSettings};
use risk_kernel::{Answer, Plans};

/// Bots that answer a stepper as they answer the loop.
pub struct SteppedBots {
    bots: Vec<Box<dyn HostedBot>>,
    /// The remaining steps of a compound answer, by seat.
    steps: Vec<VecDeque<Action>>,
}

impl SteppedBots {
    pub fn answer(&mut self, stepper: &Stepper, decision: &Decision) -> Action {
        let seat = decision.player.index();
        if let Some(step) = self.steps[seat].pop_front() {
            if decision.options.admit(step).is_ok() {
                return step;
            }
            self.steps[seat].clear();
        }
        let view = stepper.view(decision.player);
        match self.bots[seat].answer(&view, &decision.options).unwrap() {
            Answer::One(action) => action,
            Answer::Steps(steps) => {
                self.steps[seat] = steps.into();
                self.steps[seat].pop_front().unwrap()
            }
        }
    }
}

/// Begins a match's game for manual steps. Returns its rules, the game at its first decision, and
/// its bots.
pub fn begin(setup: &Setup, number: u64) -> (ScriptRules, Stepper, SteppedBots) {
    let players = setup.bots.len();
    let bound = setup.rules.bind(players, &setup.limits).unwrap();
    let mut rules = bound.rules;
    let board = Arc::clone(&setup.rules.board);
    let game = GameState::new(board, Arc::clone(&bound.decl), players, setup.key(number));
    let mut bots: Vec<_> = setup
        .bots
        .iter()
        .map(|bot| {
            let made = bot
                .source
                .build(&bound.decl, None, &setup.rules_source(players));
            made.unwrap()
        })
        .collect();
    let settings = StepperSettings {
        plans: bots[0].preferences().plans != Plans::Ignored,
        ..StepperSettings::default()
    };
    let stepper = Stepper::new(game, &mut rules, settings).unwrap();
    for (seat, bot) in bots.iter_mut().enumerate() {
        let stream = setup.key(number).stream(Purpose::Player(seat as u8));
        bot.start(&stepper.view(Player::from_index(seat)), stream);
    }
    let steps = vec![VecDeque::new(); players];
    (rules, stepper, SteppedBots { bots, steps })
}
