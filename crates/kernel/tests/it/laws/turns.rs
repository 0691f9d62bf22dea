//! Who is asked, and the order in which answers are applied.

use std::sync::Arc;

use risk_kernel::action::{Action, Bounds, LegalAction, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::fault::{BotFault, RuleFault};
use risk_kernel::id::{Player, PlayerSet, Verb};
use risk_kernel::phases::Asked;
use risk_kernel::rng::GameKey;
use risk_kernel::state::{Frame, GameState};
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, Limits, RuleQueries, Rules, play};

use super::{
    A, B, LENIENT, Log, QUIET, SAY, SCORE, SilentSink, Toy, all_at_once, board, check, declaration,
    reason, say,
};

#[test]
fn a_sequential_turn_asks_one_player_until_it_stops() {
    let mut toy = Toy::new(|game| {
        game.push_for(A, Player(0), [0; 3])?;
        game.push_for(A, Player(1), [0; 3])
    });
    toy.apply = |game, _, who, said| {
        if said == 1 {
            game.leave(who);
        }
        Ok(())
    };
    let (log, finished) = toy.play(&[&[5, 1], &[1]]);
    check(
        &log,
        &[
            "enter a 0",
            "ask 0 of 9 at 0",
            "0 says 5",
            "ask 0 of 9 at 0",
            "0 says 1",
            "enter a 1",
            "ask 1 of 9 at 0",
            "1 says 1",
        ],
    );
    // An empty stack ends the game.
    assert_eq!(reason(&finished), "draw");
    assert!(finished.outcome.unwrap().winners.is_empty());
}

#[test]
fn in_rotation_each_player_sees_what_the_last_did() {
    let mut toy =
        Toy::new(|game| (0..3).try_for_each(|seat| game.push_for(A, Player(seat), [0; 3])));
    toy.apply = |game, _, who, said| {
        game.leave(who);
        game.add_counter(SCORE, Some(who), said.into())
    };
    let (log, _) = toy.play(&[&[3], &[4], &[5]]);
    let asks: Vec<_> = log
        .iter()
        .filter(|line| line.starts_with("ask"))
        .map(String::as_str)
        .collect();
    assert_eq!(
        asks,
        ["ask 0 of 9 at 0", "ask 1 of 9 at 3", "ask 2 of 9 at 7"]
    );
}

#[test]
fn a_simultaneous_choice_is_answered_from_the_same_state_and_applied_in_seat_order() {
    let mut toy = Toy::new(all_at_once);
    toy.apply = |game, _, who, said| {
        game.leave(who);
        game.add_counter(SCORE, Some(who), said.into())
    };
    let (log, finished) = toy.play(&[&[3], &[4], &[5]]);
    check(
        &log,
        &[
            "enter a -1",
            "ask 0 of 9 at 0",
            "ask 1 of 9 at 0",
            "ask 2 of 9 at 0",
            "0 says 3",
            "1 says 4",
            "2 says 5",
        ],
    );
    assert_eq!(finished.game.counter(SCORE, Some(Player(2))), 5);
}

#[test]
fn passes_go_on_until_every_player_has_left() {
    let mut toy = Toy::new(all_at_once);
    toy.apply = |game, _, who, said| {
        if said == 9 {
            game.leave(who);
        }
        Ok(())
    };
    let (log, _) = toy.play(&[&[2, 9], &[9], &[3, 4, 9]]);
    let says: Vec<_> = log
        .iter()
        .filter(|line| line.contains("says"))
        .map(String::as_str)
        .collect();
    assert_eq!(
        says,
        [
            "0 says 2", "1 says 9", "2 says 3", "0 says 9", "2 says 4", "2 says 9"
        ]
    );
}

#[test]
fn stored_orders_are_executed_later_in_the_order_given() {
    let mut toy = Toy::new(|game| {
        game.push(A, game.playing(), None, [0; 3])?;
        game.push(QUIET, PlayerSet::default(), None, [0; 3])
    });
    toy.apply = |game, _, who, said| {
        game.leave(who);
        game.store(who, Action::new(SAY, &[said]))
    };
    toy.enter = |game, frame| {
        while frame.phase == QUIET && !game.book().is_empty() {
            assert_eq!(game.counter(SCORE, Some(game.book()[0].player)), 0);
            let order = game.unstore(0)?;
            game.add_counter(SCORE, Some(order.player), order.action.args()[0].into())?;
        }
        Ok(())
    };
    let (log, finished) = toy.play(&[&[7], &[8]]);
    check(
        &log,
        &[
            "enter a -1",
            "ask 0 of 9 at 0",
            "ask 1 of 9 at 0",
            "0 says 7",
            "1 says 8",
            "enter quiet -1",
        ],
    );
    assert_eq!(finished.game.counter(SCORE, Some(Player(0))), 7);
    assert_eq!(finished.game.counter(SCORE, Some(Player(1))), 8);
}

#[test]
fn a_frame_pushed_for_another_player_is_finished_first() {
    let mut toy = Toy::new(|game| game.push_for(A, Player(0), [0; 3]));
    toy.apply = |game, frame, who, said| {
        if frame.phase == A && said == 7 {
            // Frames pushed by one hook are finished in the order pushed.
            game.push_for(B, Player(1), [1, 0, 0])?;
            return game.push_for(B, Player(2), [2, 0, 0]);
        }
        game.leave(who);
        Ok(())
    };
    let (log, _) = toy.play(&[&[7, 1], &[2], &[3]]);
    check(
        &log,
        &[
            "enter a 0",
            "ask 0 of 9 at 0",
            "0 says 7",
            "enter b 1",
            "ask 1 of 9 at 0",
            "1 says 2",
            "enter b 2",
            "ask 2 of 9 at 0",
            "2 says 3",
            "ask 0 of 9 at 0",
            "0 says 1",
        ],
    );
}

#[test]
fn turns_may_go_to_anybody_within_a_round() {
    let mut game = GameState::new(
        board(),
        Arc::new(Declaration {
            max_turns: 3,
            ..declaration(LENIENT)
        }),
        2,
        GameKey::of_numbers(1, 0),
    );
    game.new_round().unwrap();
    game.turn_of(Player(1)).unwrap();
    assert_eq!(
        (game.round(), game.turn(), game.mover()),
        (1, 1, Some(Player(1)))
    );
    game.turn_of(Player(1)).unwrap();
    game.new_round().unwrap();
    assert_eq!((game.round(), game.turn(), game.mover()), (2, 2, None));
    game.turn_of(Player(0)).unwrap();
    assert!(game.ending().is_none());
    game.turn_of(Player(1)).unwrap();
    assert_eq!(game.ending().unwrap().reason, "limit");
}

/// A toy whose bounds are known without its options.
struct KnownBoundsRules(Toy);

impl Rules for KnownBoundsRules {
    fn setup(&mut self, game: &mut GameState) -> Result<(), RuleFault> {
        self.0.setup(game)
    }

    fn enter(&mut self, game: &mut GameState, frame: &Frame) -> Result<(), RuleFault> {
        self.0.enter(game, frame)
    }

    fn options(&mut self, asked: Asked<'_>, out: &mut Options) -> Result<(), RuleFault> {
        self.0.options(asked, out)
    }

    fn bounds_of(&mut self, _: Asked<'_>, _: Verb, _: &[i32]) -> Result<Bounds, RuleFault> {
        Ok(Bounds::Span { low: 1, high: 9 })
    }

    fn apply(
        &mut self,
        game: &mut GameState,
        frame: &Frame,
        who: Player,
        said: LegalAction,
    ) -> Result<(), RuleFault> {
        self.0.apply(game, frame, who, said)
    }
}

/// Answers 3 when asked, and 5 through `try_next`.
struct QuickBot(Log);

impl Bot for QuickBot {
    fn answer(&mut self, view: &View, _: &Options) -> Result<Answer, BotFault> {
        self.0.borrow_mut().push(format!("ask {}", view.me().0));
        Ok(say(3))
    }

    fn try_next(&mut self, _: &View, _: &mut dyn RuleQueries) -> Option<Action> {
        Some(Action::new(SAY, &[5]))
    }
}

#[test]
fn where_several_decide_at_once_nobody_answers_before_all_were_asked() {
    let mut toy = Toy::new(|game| {
        game.push_for(B, Player(1), [0; 3])?;
        all_at_once(game)
    });
    toy.apply = |game, _, who, _| {
        game.leave(who);
        Ok(())
    };
    let log = Log::clone(&toy.log);
    let game = GameState::new(
        board(),
        Arc::new(declaration(LENIENT)),
        2,
        GameKey::of_numbers(1, 0),
    );
    let mut bots: Vec<Box<dyn Bot>> = vec![
        Box::new(QuickBot(Log::clone(&log))),
        Box::new(QuickBot(Log::clone(&log))),
    ];
    let rules = &mut KnownBoundsRules(toy);
    play(
        game,
        GameKey::of_numbers(1, 0),
        rules,
        &mut bots,
        &mut SilentSink,
        Limits::default(),
    );
    check(
        &log.borrow(),
        &[
            "enter b 1",
            "1 says 5",
            "enter a -1",
            "ask 0",
            "ask 1",
            "0 says 3",
            "1 says 3",
        ],
    );
}
