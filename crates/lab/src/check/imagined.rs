//! A trial of a ruleset's hook `imagine`. It plays random games and calls the hook every few
//! decisions.

use risk_engine::Worker;
use risk_kernel::fault::RuleFault;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::state::GameState;
use risk_kernel::stepper::{StepError, Stepper, StepperSettings};

const DECISIONS: u64 = 300;
/// The number of decisions between two calls of the hook.
const STRIDE: u64 = 7;
/// The number of decisions to play in an imagined game.
const AHEAD: u64 = 20;

/// Returns the first fault of the hook, with the state. Returns `None` if the ruleset does not
/// define the hook, or if the game fails earlier. Other games of the trial report such failures.
pub(super) fn fault(worker: &mut Worker<'_>, number: u64) -> Option<(RuleFault, GameState)> {
    if !worker.rules().imagines() {
        return None;
    }
    let settings = StepperSettings {
        listens: false,
        ..StepperSettings::default()
    };
    let mut stepper = worker.stepper(number, settings).ok()?;
    let mut luck = Stream::new(number, 0, Purpose::Setup);
    for decision in 0..DECISIONS {
        if decision % STRIDE == 0
            && let Some(fault) = fault_now(&stepper, worker, decision)
        {
            return Some((fault, stepper.game().clone()));
        }
        step(&mut stepper, worker, &mut luck)?.ok()?;
    }
    None
}

/// Imagines the game as each deciding player sees it, and continues the imagined games.
/// Returns the first fault.
fn fault_now(stepper: &Stepper, worker: &mut Worker<'_>, seed: u64) -> Option<RuleFault> {
    let players: Vec<_> = stepper.decisions().iter().map(|it| it.player).collect();
    let mut faults = players.into_iter().map(|player| {
        let mut game = stepper.imagine(worker.rules_mut(), player, seed)?;
        let mut luck = Stream::new(seed, 1, Purpose::Setup);
        for _ in 0..AHEAD {
            match step(&mut game, worker, &mut luck) {
                Some(Err(StepError::Rules(fault))) => return Err(fault),
                Some(_) => {}
                None => break,
            }
        }
        Ok(())
    });
    faults.find_map(Result::err)
}

/// Takes a random step. Returns `None` if the game is over.
fn step(
    stepper: &mut Stepper,
    worker: &mut Worker<'_>,
    luck: &mut Stream,
) -> Option<Result<(), StepError>> {
    let decision = stepper.decisions().first()?;
    let player = decision.player;
    let action = decision.options.nth(luck.below(decision.options.len()));
    Some(stepper.apply(worker.rules_mut(), player, action))
}
