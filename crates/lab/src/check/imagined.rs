//! A trial of a ruleset's hook `imagine`: games of chance, imagined every few decisions.

use risk_engine::matches::Worker;
use risk_kernel::fault::RuleFault;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::state::GameState;
use risk_kernel::stepper::{StepError, Stepper, StepperSettings};

/// How many decisions are made.
const DECISIONS: u64 = 300;
/// One in so many of them is imagined by whoever makes it.
const STRIDE: u64 = 7;
/// How far an imagined game is played on.
const AHEAD: u64 = 20;

/// What the hook fails at, and in which state; nothing where a ruleset has none, or where a game
/// fails before: that is told of the games themselves.
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

/// What comes of it when everybody who decides now imagines the game, and it is played on so.
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

/// Any answer; nothing when the game is over.
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
