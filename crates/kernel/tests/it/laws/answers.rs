//! Answers of several steps, and answers left to the rules.

use std::sync::Arc;

use risk_kernel::action::{Action, Options};
use risk_kernel::fault::BotFault;
use risk_kernel::id::Player;
use risk_kernel::rng::GameKey;
use risk_kernel::state::GameState;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, Limits, OptionalPhases, Preferences, play};

use super::{A, B, LENIENT, SAY, SCORE, SilentSink, Toy, board, check, declaration, say, steps};
use risk_testing::facts::has_words;

/// Returns a game in which each answer takes its number from what is left of ten, and 2 rolls dice
/// first.
fn spending() -> Toy {
    let mut toy = Toy::new(|game| {
        game.set_counter(SCORE, Some(Player(0)), 10)?;
        game.push_for(A, Player(0), [0; 3])?;
        game.push_for(B, Player(1), [0; 3])
    });
    toy.offers = |game, frame, who| {
        if frame.phase == A {
            game.counter(SCORE, Some(who)) as i32
        } else {
            9
        }
    };
    toy.apply = |game, frame, who, said| {
        if frame.phase == B {
            game.leave(who);
            return Ok(());
        }
        if said == 2 {
            game.roll(6, 1, 1)?;
        }
        game.add_counter(SCORE, Some(who), -i64::from(said))
    };
    toy
}

#[test]
fn a_compound_answer_is_checked_whole_before_anything_is_done() {
    let rows: &[(&[i32], &str)] = &[
        // Fits: done step by step without another request.
        (&[3, 3, 4], "0 says 3, 0 says 3, 0 says 4, 1 says 1"),
        // The last step does not fit: all refused as one fault, then asked again.
        (
            &[3, 3, 5],
            "0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 1 says 1",
        ),
        // More steps than decisions: refused.
        (
            &[5, 5, 1],
            "0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 1 says 1",
        ),
        // What comes after a die can't be known: done until a step does not fit, no fault.
        (
            &[2, 9, 1],
            "0 says 2, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 0 says 1, 1 says 1",
        ),
    ];
    for (index, (numbers, expected)) in rows.iter().enumerate() {
        let (log, finished) = spending().play_with(
            vec![vec![Ok(steps(numbers))], vec![]],
            declaration(LENIENT),
            Limits::default(),
            &mut SilentSink,
        );
        let said: Vec<_> = log
            .iter()
            .filter(|line| line.contains("says"))
            .cloned()
            .collect();
        // The rehearsal calls the rules too; the real answers are at the end.
        let count = expected.split(", ").count();
        assert_eq!(said[said.len() - count..].join(", "), *expected);
        assert_eq!(finished.game.answers(), count as u64);
        assert_eq!(
            finished.game.strikes(Player(0)),
            u32::from(index == 1 || index == 2)
        );
    }
}

#[test]
fn an_answer_without_steps_is_a_fault() {
    let (_, finished) = spending().play_with(
        vec![vec![Ok(steps(&[]))], vec![]],
        declaration(LENIENT),
        Limits::default(),
        &mut SilentSink,
    );
    assert_eq!(finished.game.strikes(Player(0)), 1);
}

#[test]
fn what_may_be_left_to_the_rules_is_answered_with_the_first_option() {
    let mut toy = Toy::new(|game| {
        game.push_for(A, Player(0), [0; 3])?;
        game.push_for(B, Player(0), [0; 3])
    });
    toy.apply = |game, _, who, _| {
        game.leave(who);
        Ok(())
    };
    let mut decl = declaration(LENIENT);
    decl.phases[B.index()].optional = true;
    let (log, finished) = toy.play_with(
        vec![vec![Ok(say(5)), Ok(say(6))], vec![]],
        decl,
        Limits::default(),
        &mut SilentSink,
    );
    check(
        &log,
        &[
            "enter a 0",
            "ask 0 of 9 at 0",
            "0 says 5",
            "enter b 0",
            "0 says 1",
        ],
    );
    assert_eq!(finished.game.answers(), 2);
}

#[test]
fn books_and_compound_answers_are_limited() {
    let mut game = GameState::new(
        board(),
        Arc::new(declaration(LENIENT)),
        2,
        GameKey::of_numbers(1, 0),
    );
    for _ in 0..100_000 {
        game.store(Player(0), Action::new(SAY, &[1])).unwrap();
    }
    let fault = game.store(Player(0), Action::new(SAY, &[1])).unwrap_err();
    assert!(has_words(fault.text(), "100000 orders"), "{fault}");

    let long = steps(&[1; 10_001]);
    let (_, finished) = spending().play_with(
        vec![vec![Ok(long)], vec![]],
        declaration(LENIENT),
        Limits::default(),
        &mut SilentSink,
    );
    assert_eq!(finished.game.strikes(Player(0)), 1);
}

/// A bot that may decide in optional phases, and gives these steps as one answer.
struct Steps(bool, Vec<i32>);

impl Bot for Steps {
    fn preferences(&self) -> Preferences<'_> {
        Preferences {
            optional: if self.0 {
                OptionalPhases::All
            } else {
                OptionalPhases::None
            },
            ..Preferences::default()
        }
    }

    fn answer(&mut self, _: &View, _: &Options) -> Result<Answer, BotFault> {
        Ok(steps(&self.1))
    }
}

#[test]
fn a_compound_answer_has_a_step_for_an_optional_phase_where_the_bot_decides_in_it() {
    let rows: [(bool, &[i32], Option<&str>); 4] = [
        // Left to the rules, which decide the step in between.
        (false, &[3, 4], Some("0 says 3, 0 says 1, 0 says 4")),
        (false, &[3, 2, 4], None),
        // Wanted by the bot, which decides it.
        (true, &[3, 2, 4], Some("0 says 3, 0 says 2, 0 says 4")),
        (true, &[3, 4], None),
    ];
    for (wants, numbers, expected) in rows {
        let mut toy = Toy::new(|game| {
            game.push_for(A, Player(0), [0; 3])?;
            game.push_for(B, Player(0), [0; 3])?;
            game.push_for(A, Player(0), [0; 3])
        });
        toy.offers = |_, frame, _| if frame.phase == B { 2 } else { 9 };
        toy.apply = |game, _, who, _| {
            game.leave(who);
            Ok(())
        };
        let mut decl = declaration(LENIENT);
        decl.phases[B.index()].optional = true;
        let game = GameState::new(board(), Arc::new(decl), 2, GameKey::of_numbers(1, 0));
        let mut bots: Vec<Box<dyn Bot>> = vec![
            Box::new(Steps(wants, numbers.to_vec())),
            Box::new(Steps(false, vec![1])),
        ];
        let finished = play(
            game,
            GameKey::of_numbers(1, 0),
            &mut toy,
            &mut bots,
            &mut SilentSink,
            Limits::default(),
        );
        let log = toy.log.borrow();
        let said: Vec<&str> = log
            .iter()
            .map(String::as_str)
            .filter(|line| line.contains("says"))
            .collect();
        // The rehearsal's lines come first.
        let done = said[said.len() - finished.game.answers() as usize..].join(", ");
        let taken = (finished.game.strikes(Player(0)) == 0).then_some(done.as_str());
        assert_eq!(taken, expected, "{wants} {numbers:?}");
    }
}
