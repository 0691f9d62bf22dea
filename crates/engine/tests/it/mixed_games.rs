//! A game with bots on some seats and a caller on the others equals the game that the loop plays.

use risk_engine::{BotFault, Options, View, Worker, hosted};
use risk_kernel::event::Event;
use risk_kernel::stepper::StepperSettings;
use risk_kernel::{Answer, Bot, NullSink};
use risk_maps::files::FileKind;
use risk_testing::games::library;

use risk_testing::by_case::each;
use risk_testing::games as support;

/// Takes an option that depends on the number of answers so far.
struct VaryingBot;

impl Bot for VaryingBot {
    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        Ok(Answer::One(options.nth(choice(view, options))))
    }
}

fn choice(view: &View, options: &Options) -> u64 {
    view.answers().wrapping_mul(7_919) % options.len()
}

/// Gives the caller each seat in turn, beside a faulty bot and one that listens to events.
fn check(ruleset: &str, number: u64) {
    let least = risk_engine::load_ruleset(library(), ruleset)
        .unwrap()
        .manifest
        .players
        .0;
    let bots = vec!["random"; least.max(2)];
    let setup = support::setup(ruleset, None, &bots, 41, &[("max_turns", "30")]);
    let mut worker = Worker::new(&setup).unwrap();
    let players = setup.bots.len();
    let own = number as usize % players;
    let others = ["outnumber", "random", "grudge", "holder"];
    let bot = |worker: &Worker<'_>, seat: usize| worker.bot(others[seat % others.len()]).unwrap();
    let mut all: Vec<_> = (0..players).map(|seat| bot(&worker, seat)).collect();
    all[own] = hosted(VaryingBot);
    let played = worker.play_with(number, &mut all, &mut NullSink);

    let bots = (0..players).map(|seat| (seat != own).then(|| bot(&worker, seat)));
    let bots = bots.collect();
    let mut game = worker
        .mixed_game(number, bots, StepperSettings::default())
        .unwrap();
    let mut answered = 0;
    while let Some(decision) = game.decisions().first() {
        assert_eq!(decision.player.index(), own, "{ruleset}");
        let view = game.view(decision.player);
        let action = decision.options.nth(choice(&view, &decision.options));
        drop(view);
        let player = decision.player;
        game.apply(worker.rules_mut(), player, action).unwrap();
        let events = game.take_events();
        answered += events
            .iter()
            .filter(|event| matches!(event, Event::Answered { .. }))
            .count();
    }
    assert!(answered > 0, "{ruleset}: the caller hears of all answers");
    assert_eq!(game.outcome(), played.outcome.as_ref().ok(), "{ruleset}");
    assert_eq!(game.game().digest(), played.game.digest(), "{ruleset}");
    let back = game.into_bots().into_inner();
    assert!(back[own].is_none() && back.iter().flatten().count() == players - 1);
}

#[test]
fn every_ruleset_plays_the_same_with_a_caller_at_the_table() {
    each(library().names(FileKind::Ruleset), |ruleset| {
        for number in 0..3 {
            check(ruleset, number);
        }
    });
}
