//! Laws of the loop, with games of a few lines.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use risk_cli::kernel::action::{Action, Domain, Legal, Options};
use risk_cli::kernel::board::{Board, TerritoryInfo};
use risk_cli::kernel::declare::{
    CounterDecl, Declaration, OnFault, PhaseInfo, Sentences, Sight, SlotKind, Strikes, VerbInfo,
    Visibility,
};
use risk_cli::kernel::event::{Event, Status};
use risk_cli::kernel::fault::{BotFault, FaultKind, RuleFault};
use risk_cli::kernel::id::{Counter, Phase, Player, PlayerSet, Territory, Unit, Verb};
use risk_cli::kernel::state::{Frame, GameState};
use risk_cli::kernel::view::{Facts, View};
use risk_cli::kernel::{Answer, Bot, Finished, Limits, Rules, Sink, Stop, play};

const SAY: Verb = Verb(0);
const A: Phase = Phase(0);
const B: Phase = Phase(1);
const QUIET: Phase = Phase(2);
const SCORE: Counter = Counter(0);

type Log = Rc<RefCell<Vec<String>>>;
type Hook = fn(&mut GameState, &Frame) -> Result<(), RuleFault>;
type Apply = fn(&mut GameState, &Frame, Player, i32) -> Result<(), RuleFault>;

/// A game of numbers: `say` 0 to 9, with the given set-up, entry and effect.
struct Toy {
    setup: fn(&mut GameState) -> Result<(), RuleFault>,
    enter: Hook,
    offers: fn(&GameState, &Frame, Player) -> i32,
    apply: Apply,
    log: Log,
}

impl Rules for Toy {
    fn setup(&mut self, game: &mut GameState) -> Result<(), RuleFault> {
        (self.setup)(game)
    }

    fn enter(&mut self, game: &mut GameState, frame: &Frame) -> Result<(), RuleFault> {
        self.log.borrow_mut().push(format!(
            "enter {} {}",
            game.decl().phases[frame.phase.index()].name,
            frame.args[0]
        ));
        (self.enter)(game, frame)
    }

    fn options(
        &mut self,
        game: &Facts,
        frame: &Frame,
        who: Player,
        out: &mut Options,
    ) -> Result<(), RuleFault> {
        out.offer(
            SAY,
            &[Domain::Span {
                low: 1,
                high: (self.offers)(game, frame, who),
            }],
        );
        Ok(())
    }

    fn apply(
        &mut self,
        game: &mut GameState,
        frame: &Frame,
        who: Player,
        said: Legal,
    ) -> Result<(), RuleFault> {
        self.log
            .borrow_mut()
            .push(format!("{} says {}", who.0, said.args()[0]));
        (self.apply)(game, frame, who, said.args()[0])
    }

    fn fallen(
        &mut self,
        _: &mut GameState,
        who: Player,
        by: Option<Player>,
    ) -> Result<(), RuleFault> {
        self.log
            .borrow_mut()
            .push(format!("{} fell to {:?}", who.0, by.map(|by| by.0)));
        Ok(())
    }
}

/// Says the numbers it is given, in order, and then 1; notes what it was asked.
struct Script {
    says: VecDeque<Result<Answer, BotFault>>,
    log: Log,
}

impl Bot for Script {
    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault> {
        let sum: i64 = (0..view.players())
            .filter_map(|who| view.counter(SCORE, Some(Player::from_index(who))))
            .sum();
        self.log
            .borrow_mut()
            .push(format!("ask {} of {} at {sum}", view.me().0, ask.len()));
        self.says.pop_front().unwrap_or_else(|| Ok(say(1)))
    }
}

fn say(number: i32) -> Answer {
    Answer::One(Action::new(SAY, &[number]))
}

fn steps(numbers: &[i32]) -> Answer {
    Answer::Steps(
        numbers
            .iter()
            .map(|&number| Action::new(SAY, &[number]))
            .collect(),
    )
}

pub(crate) fn declaration(strikes: Strikes) -> Declaration {
    let phase = |name: &str, asks| PhaseInfo {
        name: name.to_owned(),
        secret: false,
        asks,
        optional: false,
    };
    Declaration {
        name: "toy".to_owned(),
        verbs: vec![VerbInfo {
            name: "say".to_owned(),
            slots: vec![("number".to_owned(), SlotKind::Count)],
        }],
        phases: vec![phase("a", true), phase("b", true), phase("quiet", false)],
        turn: vec![A],
        counters: vec![CounterDecl {
            name: "score".to_owned(),
            seen: Visibility::All,
        }],
        piles: Vec::new(),
        units: vec!["army".to_owned()],
        card_kinds: Vec::new(),
        cards: Vec::new(),
        owners_seen: Sight::All,
        units_seen: Sight::All,
        last_standing: true,
        max_turns: 0,
        strikes,
        sentences: Sentences::default(),
    }
}

pub(crate) const LENIENT: Strikes = Strikes {
    limit: 3,
    per_decision: false,
    then: OnFault::Skip,
};

pub(crate) fn board() -> Arc<Board> {
    let territory = |id: &str| TerritoryInfo {
        id: id.to_owned(),
        name: id.to_owned(),
        ..TerritoryInfo::default()
    };
    let pairs = [(0, 1), (1, 0), (1, 2), (2, 1)].map(|(a, b)| (Territory(a), Territory(b)));
    Arc::new(Board::new(
        "toy".to_owned(),
        String::new(),
        vec![territory("x"), territory("y"), territory("z")],
        Vec::new(),
        &pairs,
    ))
}

impl Toy {
    fn new(setup: fn(&mut GameState) -> Result<(), RuleFault>) -> Self {
        Self {
            setup,
            enter: |_, _| Ok(()),
            offers: |_, _, _| 9,
            apply: |_, _, _, _| Ok(()),
            log: Log::default(),
        }
    }

    fn play(mut self, says: &[&[i32]]) -> (Vec<String>, Finished) {
        let bots = says
            .iter()
            .map(|says| says.iter().map(|&number| Ok(say(number))).collect())
            .collect();
        self.play_with(bots, declaration(LENIENT), Limits::default(), &mut Silent)
    }

    fn play_with(
        &mut self,
        says: Vec<Vec<Result<Answer, BotFault>>>,
        decl: Declaration,
        limits: Limits,
        sink: &mut dyn Sink,
    ) -> (Vec<String>, Finished) {
        let game = GameState::new(board(), Arc::new(decl), says.len(), 1, 0);
        let log = Rc::clone(&self.log);
        let mut bots: Vec<Box<dyn Bot>> = says
            .into_iter()
            .map(|says| {
                Box::new(Script {
                    says: says.into(),
                    log: Rc::clone(&log),
                }) as Box<dyn Bot>
            })
            .collect();
        let finished = play(game, (1, 0), self, &mut bots, sink, limits);
        (std::mem::take(&mut self.log.borrow_mut()), finished)
    }
}

struct Silent;
impl Sink for Silent {
    fn event(&mut self, _: &GameState, _: &Event) {}
}

fn check(log: &[String], expected: &[&str]) {
    assert_eq!(log.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

fn reason(finished: &Finished) -> String {
    finished.outcome.as_ref().unwrap().reason.clone()
}

/// Everybody in one frame, the game over after it.
fn all_at_once(game: &mut GameState) -> Result<(), RuleFault> {
    game.push(A, game.playing(), [-1, 0, 0, 0])
}

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
        game.push(A, game.playing(), [-1, 0, 0, 0])?;
        game.push(QUIET, PlayerSet::default(), [-1, 0, 0, 0])
    });
    toy.apply = |game, _, who, said| {
        game.leave(who);
        game.store(who, Action::new(SAY, &[said]))
    };
    toy.enter = |game, frame| {
        while frame.phase == QUIET && !game.book().is_empty() {
            assert_eq!(game.counter(SCORE, Some(game.book()[0].who)), 0);
            let order = game.unstore(0)?;
            game.add_counter(SCORE, Some(order.who), order.action.args()[0].into())?;
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
            // Pushed by one hook: finished in the order pushed.
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
fn an_eliminated_player_leaves_all_frames_and_their_entry_still_runs() {
    let mut toy = Toy::new(|game| {
        for seat in 0..3 {
            game.set_owner(Territory(seat.into()), Some(Player(seat)));
            game.add_units(Territory(seat.into()), Unit(0), 2)?;
        }
        game.push(A, game.playing(), [-1, 0, 0, 0])?;
        game.push_for(B, Player(1), [0; 3])
    });
    toy.apply = |game, _, who, said| {
        if said == 7 {
            return game.capture(Territory(0), Territory(1), Unit(0), 1);
        }
        game.leave(who);
        Ok(())
    };
    let (log, finished) = toy.play(&[&[7, 1], &[5], &[1]]);
    check(
        &log,
        &[
            "enter a -1",
            "ask 0 of 9 at 0",
            "ask 1 of 9 at 0",
            "ask 2 of 9 at 0",
            "0 says 7",
            "1 fell to Some(0)",
            "2 says 1",
            "ask 0 of 9 at 0",
            "0 says 1",
            "enter b 1",
        ],
    );
    assert_eq!(finished.game.status(Player(1)), Status::Eliminated);
}

#[test]
fn the_last_one_standing_wins_at_once() {
    let mut toy = Toy::new(|game| {
        game.set_owner(Territory(0), Some(Player(0)));
        game.set_owner(Territory(1), Some(Player(1)));
        game.add_units(Territory(0), Unit(0), 5)?;
        game.push(A, game.playing(), [-1, 0, 0, 0])
    });
    toy.apply = |game, _, _, _| game.capture(Territory(0), Territory(1), Unit(0), 2);
    let (log, finished) = toy.play(&[&[1], &[1]]);
    assert_eq!(
        log.iter().filter(|line| line.contains("says")).count(),
        1,
        "the second answer is not applied any more"
    );
    let outcome = finished.outcome.unwrap();
    assert_eq!(
        (outcome.reason.as_str(), outcome.winners),
        ("conquest", PlayerSet::one(Player(0)))
    );
    assert_eq!(
        outcome
            .ranking
            .iter()
            .map(|rank| (rank.who.0, rank.place))
            .collect::<Vec<_>>(),
        [(0, 1), (1, 2)]
    );
}

#[test]
fn limits_are_reached_and_say_so() {
    // Answers: the game ends by its limit.
    let limits = Limits {
        answers: 5,
        ..Limits::default()
    };
    let (_, finished) = Toy::new(all_at_once).play_with(
        vec![vec![], vec![]],
        declaration(LENIENT),
        limits,
        &mut Silent,
    );
    assert_eq!(
        (reason(&finished).as_str(), finished.game.answers()),
        ("answer-limit", 5)
    );

    // Turns: the declared limit.
    let mut toy = Toy::new(|game| game.next_turn(None));
    toy.apply = |game, _, who, _| {
        game.leave(who);
        game.next_turn(Some(who))
    };
    let (_, finished) = toy.play_with(
        vec![vec![], vec![]],
        Declaration {
            max_turns: 7,
            ..declaration(LENIENT)
        },
        Limits::default(),
        &mut Silent,
    );
    assert_eq!(
        (
            reason(&finished).as_str(),
            finished.game.turn(),
            finished.game.round()
        ),
        ("limit", 7, 4)
    );

    // Phases without a decision.
    let mut toy = Toy::new(|game| game.push(QUIET, PlayerSet::default(), [-1, 0, 0, 0]));
    toy.enter = |game, _| game.push(QUIET, PlayerSet::default(), [-1, 0, 0, 0]);
    let (_, finished) = toy.play(&[&[], &[]]);
    let Err(Stop::Rules(fault)) = finished.outcome else {
        panic!("a phase that opens itself is a fault")
    };
    assert_eq!(
        fault.text,
        "10000 phases in a row were entered without a decision, the last is quiet"
    );

    // Open phases.
    let mut toy = Toy::new(|game| game.push_for(A, Player(0), [0; 3]));
    toy.apply = |game, _, who, _| game.push_for(A, who, [0; 3]);
    let (_, finished) = toy.play(&[&[], &[]]);
    let Err(Stop::Rules(fault)) = finished.outcome else {
        panic!("phases without end are a fault")
    };
    assert_eq!(
        fault.text,
        "more than 1000 phases are open: does a phase open itself for ever?"
    );

    // Quantities.
    let mut toy = Toy::new(|game| game.add_units(Territory(0), Unit(0), 1_000_000_000));
    toy.setup = |game| {
        game.add_units(Territory(0), Unit(0), 1_000_000_000)?;
        game.add_units(Territory(0), Unit(0), 1)
    };
    let (_, finished) = toy.play(&[&[], &[]]);
    let Err(Stop::Rules(fault)) = finished.outcome else {
        panic!("armies are limited")
    };
    assert_eq!(
        fault.text,
        "1 units can't be added to the 1000000000 on x: 0 to 1000000000 may be there"
    );
}

fn strike() -> Result<Answer, BotFault> {
    Err(BotFault::strike(FaultKind::Timeout, "no answer"))
}

#[test]
fn faults_follow_the_policy() {
    let illegal = || Ok(say(100));
    let rows: &[(OnFault, &str)] = &[
        (OnFault::Skip, "1 says 4, 1 says 1, 1 says 1"),
        (
            OnFault::FirstOption,
            "0 says 1, 1 says 4, 0 says 1, 1 says 1",
        ),
        (OnFault::Neutral, "1 says 4, 1 says 1, 1 says 1"),
        (OnFault::Forfeit, "1 says 4, 1 says 1, 1 says 1"),
    ];
    for &(then, expected) in rows {
        let mut toy = Toy::new(all_at_once);
        toy.apply = |game, _, who, said| {
            if said == 1 && game.answers() > 2 || game.answers() > 5 {
                game.leave(who);
            }
            Ok(())
        };
        let says = vec![vec![strike(), illegal()], vec![Ok(say(4))]];
        let strikes = Strikes {
            limit: 2,
            per_decision: false,
            then,
        };
        let (log, finished) =
            toy.play_with(says, declaration(strikes), Limits::default(), &mut Silent);
        let said: Vec<_> = log
            .iter()
            .filter(|line| line.contains("says"))
            .cloned()
            .collect();
        assert_eq!(said.join(", "), expected, "{then:?}");
        assert_eq!(finished.game.strikes(Player(0)), 2, "{then:?}");
        let status = finished.game.status(Player(0));
        let wanted = match then {
            OnFault::Neutral => Status::Neutral,
            OnFault::Forfeit => Status::Forfeited,
            _ => Status::Playing,
        };
        assert_eq!(status, wanted);
    }
}

#[test]
fn strikes_can_count_for_each_decision() {
    let mut toy = Toy::new(|game| game.push_for(A, Player(0), [0; 3]));
    toy.apply = |game, _, who, said| {
        if said == 9 {
            game.leave(who);
        }
        Ok(())
    };
    let says = vec![vec![strike(), Ok(say(2)), strike(), Ok(say(9))], vec![]];
    let strikes = Strikes {
        limit: 2,
        per_decision: true,
        then: OnFault::Neutral,
    };
    let (_, finished) = toy.play_with(says, declaration(strikes), Limits::default(), &mut Silent);
    assert_eq!(
        (
            finished.game.status(Player(0)),
            finished.game.strikes(Player(0))
        ),
        (Status::Playing, 2)
    );
}

/// Each answer takes its number from what is left of ten, and 9 rolls dice first.
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
        // Fits: done step by step without another question.
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
        // What comes after a die can't be known: done as far as it goes, no fault.
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
            &mut Silent,
        );
        let said: Vec<_> = log
            .iter()
            .filter(|line| line.contains("says"))
            .cloned()
            .collect();
        // Rehearsal calls the rules too; what was really done stands at the end.
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
        &mut Silent,
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
        &mut Silent,
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
fn turns_may_go_to_anybody_within_a_round() {
    let mut game = GameState::new(
        board(),
        Arc::new(Declaration {
            max_turns: 3,
            ..declaration(LENIENT)
        }),
        2,
        1,
        0,
    );
    game.new_round();
    game.turn_of(Player(1)).unwrap();
    assert_eq!(
        (game.round(), game.turn(), game.mover()),
        (1, 1, Some(Player(1)))
    );
    game.turn_of(Player(1)).unwrap();
    game.new_round();
    assert_eq!((game.round(), game.turn(), game.mover()), (2, 2, None));
    game.turn_of(Player(0)).unwrap();
    assert!(game.ending().is_none());
    game.turn_of(Player(1)).unwrap();
    assert_eq!(game.ending().unwrap().reason, "limit");
}

#[test]
fn rules_that_ask_faulty_players_for_ever_do_not_idle_but_end() {
    let mut toy = Toy::new(|game| game.push_for(QUIET, Player(0), [0; 3]));
    toy.enter = |game, frame| {
        if frame.phase == QUIET {
            game.push_for(A, Player(0), [0; 3])?;
            game.push_for(QUIET, Player(0), [0; 3])?;
        }
        Ok(())
    };
    let says = vec![(0..500).map(|_| Ok(say(77))).collect(), vec![]];
    let limits = Limits {
        answers: 400,
        idle: 100,
        ..Limits::default()
    };
    let strikes = Strikes {
        limit: 1,
        per_decision: true,
        then: OnFault::Skip,
    };
    let (_, finished) = toy.play_with(says, declaration(strikes), limits, &mut Silent);
    assert_eq!(reason(&finished), "fault-limit");
}

#[test]
fn a_view_that_is_kept_stays_as_it_was() {
    let mut game = GameState::new(board(), Arc::new(declaration(LENIENT)), 2, 1, 0);
    game.add_units(Territory(1), Unit(0), 3).unwrap();
    let facts = Facts::new(game);
    let view = View::new(&facts, Player(0));
    let mut later = facts.into_game();
    later.add_units(Territory(1), Unit(0), 4).unwrap();
    assert_eq!(
        (view.armies(Territory(1)), later.armies(Territory(1))),
        (Some(3), 7)
    );
}

#[test]
fn books_and_compound_answers_are_limited() {
    let mut game = GameState::new(board(), Arc::new(declaration(LENIENT)), 2, 1, 0);
    for _ in 0..100_000 {
        game.store(Player(0), Action::new(SAY, &[1])).unwrap();
    }
    let fault = game.store(Player(0), Action::new(SAY, &[1])).unwrap_err();
    assert_eq!(fault.text, "the book of orders holds 100000, and no more");

    let long = steps(&[1; 10_001]);
    let (_, finished) = spending().play_with(
        vec![vec![Ok(long)], vec![]],
        declaration(LENIENT),
        Limits::default(),
        &mut Silent,
    );
    assert_eq!(finished.game.strikes(Player(0)), 1);
}
