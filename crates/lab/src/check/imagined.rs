//! A trial of imagined games. It plays random games and imagines them every few decisions.

use risk_engine::Worker;
use risk_kernel::declare::Declaration;
use risk_kernel::fault::RuleFault;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::state::GameState;
use risk_kernel::stepper::{StepError, Stepper, StepperSettings};
use risk_kernel::view::Facts;
use risk_kernel::{HiddenFacts, Rules};
use risk_text::diag::{Finding, Level};

const DECISIONS: u64 = 300;
/// The number of decisions between two imagined games.
const STRIDE: u64 = 7;
/// The number of decisions to play in an imagined game.
const AHEAD: u64 = 20;

/// Returns the hidden facts that imagined games guess if the ruleset has no hook `imagine`, in
/// words. Returns `None` if the ruleset hides nothing but cards.
pub(super) fn guesses(decl: &Declaration) -> Option<String> {
    let hidden = HiddenFacts::of(decl);
    let fog = hidden.land.then(|| "territories in fog".to_owned());
    let counters = hidden.counters.iter();
    let counters = counters.map(|counter| format!("`{}`", decl.counters[counter.index()].name));
    let marks = hidden.marks.iter();
    let marks = marks.map(|mark| format!("`{}`", decl.marks[mark.index()].name));
    let phases = hidden.phases.iter();
    let phases = phases.map(|phase| format!("answers in `{}`", decl.phases[phase.index()].name));
    let all: Vec<String> = fog
        .into_iter()
        .chain(counters)
        .chain(marks)
        .chain(phases)
        .collect();
    let all = all.join(", ");
    (!all.is_empty()).then(|| format!("guess {all}; `imagine(g, me)` can do better"))
}

/// Adds to a finding that it is about an imagined game. It is a warning if hidden facts were only
/// guessed, because real games can still be played.
pub(super) fn placed(finding: Finding, by_hook: bool) -> Finding {
    let mut finding = finding.add_help("there, a bot imagined the game");
    if !by_hook {
        finding.level = Level::Warn;
        return finding.add_help("hidden facts were guessed: write `imagine(g, me)`");
    }
    finding
}

/// Returns the first fault of the rules in an imagined game, with the state of the real game.
pub(super) fn fault(worker: &mut Worker<'_>, number: u64) -> Option<(RuleFault, GameState)> {
    first_fault(worker, number, fault_now)
}

/// Returns the first fault of the hook `worth`, which only bots that search call, with the state of
/// the game.
pub(super) fn worth_fault(worker: &mut Worker<'_>, number: u64) -> Option<(RuleFault, GameState)> {
    first_fault(worker, number, |stepper, worker, _| {
        let game = Facts::new(stepper.game().clone());
        let mut players = game.seats();
        players.find_map(|player| worker.rules_mut().worth(&game, player).err())
    })
}

/// Plays a random game until `fails` returns a fault. Returns `None` if the real game fails
/// earlier. Other games of the trial report such failures.
fn first_fault(
    worker: &mut Worker<'_>,
    number: u64,
    fails: impl Fn(&Stepper, &mut Worker<'_>, u64) -> Option<RuleFault>,
) -> Option<(RuleFault, GameState)> {
    let settings = StepperSettings {
        listens: false,
        ..StepperSettings::default()
    };
    let mut stepper = worker.stepper(number, settings).ok()?;
    let mut luck = Stream::new(number, 0, Purpose::Setup);
    for decision in 0..DECISIONS {
        if decision % STRIDE == 0
            && let Some(fault) = fails(&stepper, worker, decision)
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
