//! Fights in the story, from events as scripts may report them.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use risk_engine::Worker;
use risk_kernel::action::Action;
use risk_kernel::event::{Dice, Event, FightRound};
use risk_kernel::id::{Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::stepper::StepperSettings;
use risk_report::story::Story;
use risk_testing::games::feed;
use risk_text::paint::Paint;

use crate::numbers::invented_setup;

#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the story of a charge with these rolls, in which the defender loses an army.
fn charge(game: &GameState, rolls: &[(&[u8], &[u8])]) -> String {
    let board = game.board();
    let mut lands = board.territories();
    let from = lands.find(|&at| game.owner(at) == Some(Player(0))).unwrap();
    let is_foe = |at: &Territory| game.owner(*at) == Some(Player(1)) && game.armies(*at) > 1;
    let to = board.territories().find(is_foe).unwrap();
    let verb = game.decl().verb("charge").unwrap();
    let phase = game.decl().phase("charge").unwrap();
    let before = game.armies(to);
    let mut events = vec![Event::Answered {
        player: Player(0),
        phase,
        action: Action::new(verb, &[from.number(), to.number()]),
        number: 1,
        chosen: true,
    }];
    events.extend(rolls.iter().map(|(attack, defend)| Event::Rolled {
        attack: Dice::new(attack),
        defend: Dice::new(defend),
    }));
    events.push(Event::Units {
        at: to,
        unit: Unit::FIRST,
        by: -1,
        now: before - 1,
    });
    // The ruleset reports the fight after its effect.
    events.push(Event::Fought(FightRound {
        from,
        to,
        attackers: 2,
        standing: 3,
        defenders: before,
        attacker_lost: 0,
        defender_lost: 1,
    }));
    let pages = Shared::default();
    let paint = Paint {
        colour: false,
        width: 200,
    };
    let names = ["ann", "bob"].map(str::to_owned).to_vec();
    let mut story = Story::new(pages.clone(), paint, names);
    feed(&mut story, game, &events);
    story.pause();
    let text = pages.0.borrow().clone();
    let text = String::from_utf8(text).unwrap();
    text.lines().last().unwrap().trim().to_owned()
}

/// Dice have a side only if the ruleset says whose they are.
#[test]
fn dice_of_the_defender_are_not_the_attackers() {
    let setup = invented_setup("own_dice", 4);
    let mut worker = Worker::new(&setup).unwrap();
    let stepper = worker.stepper(0, StepperSettings::default()).unwrap();
    let game = stepper.game();
    for (rolls, expected) in [
        // One roll of both sides.
        (&[(&[8, 2][..], &[5][..])][..], "82|5"),
        // A roll of each side, which the ruleset names.
        (&[(&[2, 8], &[]), (&[], &[5])], "82|5"),
        // Two rolls without a side: nobody says which is the defender's.
        (&[(&[2, 8], &[]), (&[5], &[])], ", dice 2 8, 5: hits"),
        // One roll of the attacker alone.
        (&[(&[2, 8], &[])], " with 2 8: hits"),
    ] {
        let line = charge(game, rolls);
        assert!(line.contains(expected), "{rolls:?}: {line}");
    }
}
