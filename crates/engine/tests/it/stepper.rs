//! A game driven step by step equals the game that the loop plays.

use risk_testing::games::library;

use risk_engine::script::ScriptRules;
use risk_engine::{Setup, Worker};
use risk_kernel::action::Action;
use risk_kernel::event::Event;
use risk_kernel::id::{Player, Verb};
use risk_kernel::stepper::{StepError, Stepper};
use risk_kernel::{FinishedGame, Moment, Sink};
use risk_maps::files::FileKind;

use risk_testing::by_case::each;
use risk_testing::facts::has_words;
use risk_testing::games as support;
use risk_testing::stepped::begin;

#[derive(Default)]
struct EventLog(Vec<Event>);

impl Sink for EventLog {
    fn event(&mut self, _: Moment<'_>, event: &Event) {
        self.0.push(event.clone());
    }
}

/// Checks that an illegal answer changes nothing, and that the refusal has a text.
fn check_refusals(stepper: &mut Stepper, rules: &mut ScriptRules) {
    let before = (stepper.game().digest(), stepper.decisions().len());
    let players = stepper.game().players();
    let deciding: Vec<Player> = stepper.decisions().iter().map(|ask| ask.player).collect();
    for player in (0..players).map(Player::from_index) {
        let refused = stepper
            .apply(rules, player, Action::new(Verb(250), &[1]))
            .unwrap_err();
        let StepError::Refused(text) = refused else {
            panic!("a ruleset's fault: {refused}");
        };
        // The refusal names the player without a decision, and nobody where the action is illegal.
        let name = format!("player {}", player.index() + 1);
        let is_named = has_words(&text, &name);
        assert_eq!(is_named, !deciding.contains(&player), "{text}");
        assert_eq!(stepper.game().strikes(player), 0);
    }
    let after = (stepper.game().digest(), stepper.decisions().len());
    assert_eq!(before, after, "a refused answer changes nothing");
    assert!(stepper.take_events().is_empty());
}

/// Plays the game with this number in the loop and in the stepper.
fn check(setup: &Setup, worker: &mut Worker<'_>, number: u64) {
    let mut heard = EventLog::default();
    let FinishedGame { game, outcome } = worker.play(number, &mut heard);
    let (mut rules, mut stepper, mut table) = begin(setup, number);
    let mut events = stepper.take_events();
    let mut decided = 0;
    let mut forks: Vec<(Stepper, u64)> = Vec::new();
    while !stepper.decisions().is_empty() {
        let decisions = stepper.decisions().to_vec();
        if decided < 20 {
            check_refusals(&mut stepper, &mut rules);
            forks.push((stepper.clone(), stepper.game().digest()));
        }
        let answers: Vec<(Player, Action)> = decisions
            .iter()
            .map(|decision| (decision.player, table.answer(&stepper, decision)))
            .collect();
        let before = stepper.game().digest();
        // The last player asked may answer first.
        for (place, &(player, action)) in answers.iter().rev().enumerate() {
            assert_eq!(
                stepper.game().digest(),
                before,
                "answers wait for the others"
            );
            assert_eq!(stepper.decisions().len(), answers.len() - place);
            stepper.apply(&mut rules, player, action).unwrap();
        }
        decided += answers.len();
        events.append(&mut stepper.take_events());
    }
    let first = events.iter().zip(&heard.0).position(|(a, b)| a != b);
    assert_eq!(
        (first, events.len()),
        (None, heard.0.len()),
        "the first event that differs, and how many there are"
    );
    assert_eq!(stepper.game().digest(), game.digest());
    assert_eq!(stepper.outcome(), Some(&outcome.unwrap()));
    for (fork, digest) in forks {
        assert_eq!(fork.game().digest(), digest, "a fork stays where it is");
    }
}

fn walk(ruleset: &str) {
    let folder = support::tiny();
    let tiny = folder.path().join("tiny.yaml");
    let manifest = risk_engine::load_ruleset(library(), ruleset)
        .unwrap()
        .manifest;
    let maps: &[&str] = match ruleset {
        // Only its own map has its motherships and its Death Star.
        "starwars" => &["starwars"],
        _ => &[manifest.map.as_str(), tiny.to_str().unwrap()],
    };
    for &map in maps {
        for count in [manifest.players.0, manifest.players.1.min(5)] {
            for bot in ["random", "random-action", "outnumber"] {
                let bots = vec![bot; count];
                let setup = support::setup(ruleset, Some(map), &bots, 7, &[("max_turns", "16")]);
                let mut worker = Worker::new(&setup).unwrap();
                (0..2).for_each(|number| check(&setup, &mut worker, number));
            }
        }
    }
}

#[test]
fn every_ruleset_plays_the_same_by_hand() {
    each(library().names(FileKind::Ruleset), |ruleset| walk(ruleset));
}

#[test]
fn a_clone_goes_its_own_way() {
    let setup = support::setup("hasbro", None, &["random"; 3], 3, &[("max_turns", "30")]);
    let (mut rules, mut stepper, _) = begin(&setup, 0);
    for _ in 0..200 {
        let Some(decision) = stepper.decisions().first().cloned() else {
            break;
        };
        let action = decision.options.nth(decision.options.len() - 1);
        stepper.apply(&mut rules, decision.player, action).unwrap();
    }
    let play_on = |mut stepper: Stepper, rules: &mut ScriptRules| {
        while let Some(decision) = stepper.decisions().first().cloned() {
            let action = decision.options.nth(0);
            stepper.apply(rules, decision.player, action).unwrap();
        }
        (stepper.game().digest(), stepper.outcome().cloned().unwrap())
    };
    let digest = stepper.game().digest();
    let ended = play_on(stepper.clone(), &mut rules);
    assert_eq!(stepper.game().digest(), digest);
    assert_eq!(play_on(stepper.clone(), &mut rules), ended, "the same dice");
    let mut other = stepper.clone();
    other.reseed(99);
    other.set_listening(false);
    other.take_events();
    assert_ne!(play_on(other, &mut rules).0, ended.0, "other dice");
}
