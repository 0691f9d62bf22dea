//! Rolls of more dice than one event holds.

use risk_engine::{Worker, script_fault};
use risk_kernel::event::Event;
use risk_kernel::{Moment, NullSink, Sink, StopReason};
use risk_testing::facts::has_words;
use risk_testing::games::position;

/// The number of dice of each roll before the first decision.
#[derive(Default)]
struct Rolls {
    dice: Vec<usize>,
    answered: bool,
}

impl Sink for Rolls {
    fn event(&mut self, _: Moment<'_>, event: &Event) {
        match event {
            Event::Answered { .. } => self.answered = true,
            Event::Rolled { attack, defend } if !self.answered => {
                self.dice
                    .push(attack.values().len() + defend.values().len());
            }
            _ => {}
        }
    }
}

fn set_up(rolls: &str) -> String {
    let land: String = (0..6)
        .map(|at| format!(" g.give({at}, {}); g.add_armies({at}, 3);", at % 3))
        .collect();
    format!("{rolls}\n{land} g.push(BEGIN_PHASE, NOBODY);")
}

#[test]
fn a_hundred_dice_are_rolled_at_once() {
    let rolls = "let dice = g.roll(6, 100); let fight = g.roll(20, 60, 40); ".to_owned();
    let checks = "if dice.len() != 100 { throw `dice: ${dice.len()}`; } \
                  for die in dice { if die < 1 || die > 6 { throw `die: ${die}`; } } \
                  if fight[0].len() != 60 || fight[1].len() != 40 { throw \"sides\"; } \
                  for side in fight { for i in 1..side.len() { \
                  if side[i - 1] < side[i] { throw \"order\"; } } }";
    let text = set_up(&(rolls + checks));
    let (_folder, setup) = position(&text, 3, &[("max_turns", "1")]);
    let mut worker = Worker::new(&setup).unwrap();
    let mut sink = Rolls::default();
    let finished = worker.play(0, &mut sink);
    assert!(finished.outcome.is_ok(), "{:?}", finished.outcome.err());
    let hundred = [vec![7; 14], vec![2]].concat();
    assert_eq!(sink.dice, [hundred.clone(), hundred].concat());
}

#[test]
fn more_than_a_hundred_dice_are_refused_at_the_call() {
    for (call, numbers) in [
        ("g.roll(6, 101)", "100 101"),
        ("g.roll(6, 60, 41)", "100 60 41"),
        ("g.roll(6, 0)", "1 100 0"),
        ("g.roll(6, 9000000000)", "9000000000"),
    ] {
        let (_folder, setup) = position(&set_up(&format!("{call};")), 3, &[]);
        let mut worker = Worker::new(&setup).unwrap();
        let Err(StopReason::Rules(fault)) = worker.play(0, &mut NullSink).outcome else {
            panic!("{call} was done");
        };
        let fault = script_fault(&fault).unwrap();
        assert!(has_words(&fault.text, numbers), "{call}: {fault}");
        assert_eq!(fault.place.as_ref().unwrap().line, 3, "{call}");
    }
}
