//! Laws of the loop, with games of a few lines.

mod answers;
mod endings;
mod faults;
mod turns;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use risk_kernel::action::{Action, Domain, LegalAction, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, RuleFault};
use risk_kernel::id::{Counter, Phase, Player, Territory, Unit, Verb};
use risk_kernel::phases::Asked;
use risk_kernel::rng::GameKey;
use risk_kernel::state::{Frame, GameState};
use risk_kernel::view::{Facts, View};
use risk_kernel::{Answer, Bot, FinishedGame, Limits, Moment, Rules, Sink, play};

use risk_testing::fold::Fold;
use risk_testing::toy::{LENIENT, board, declaration, is_digest_of_all};

const SAY: Verb = Verb(0);
const A: Phase = Phase(0);
const B: Phase = Phase(1);
const QUIET: Phase = Phase(2);
const SCORE: Counter = Counter(0);

type Log = Rc<RefCell<Vec<String>>>;
type Hook = fn(&mut GameState, &Frame) -> Result<(), RuleFault>;
type ApplyHook = fn(&mut GameState, &Frame, Player, i32) -> Result<(), RuleFault>;

/// A game of numbers: `say` 0 to 9, with the given set-up, entry and effect.
struct Toy {
    setup: fn(&mut GameState) -> Result<(), RuleFault>,
    enter: Hook,
    offers: fn(&GameState, &Frame, Player) -> i32,
    apply: ApplyHook,
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
            frame.opened_for.map_or(-1, Player::number)
        ));
        (self.enter)(game, frame)
    }

    fn options(&mut self, asked: Asked<'_>, out: &mut Options) -> Result<(), RuleFault> {
        out.offer(
            SAY,
            &[Domain::Span {
                low: 1,
                high: (self.offers)(asked.game, asked.frame, asked.player),
            }],
        );
        Ok(())
    }

    fn apply(
        &mut self,
        game: &mut GameState,
        frame: &Frame,
        who: Player,
        said: LegalAction,
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

/// Answers with the given numbers in order, then with 1; notes what it was asked.
struct ScriptedBot {
    says: VecDeque<Result<Answer, BotFault>>,
    log: Log,
}

impl Bot for ScriptedBot {
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

    fn play(mut self, says: &[&[i32]]) -> (Vec<String>, FinishedGame) {
        let bots = says
            .iter()
            .map(|says| says.iter().map(|&number| Ok(say(number))).collect())
            .collect();
        self.play_with(
            bots,
            declaration(LENIENT),
            Limits::default(),
            &mut SilentSink,
        )
    }

    fn play_with(
        &mut self,
        says: Vec<Vec<Result<Answer, BotFault>>>,
        decl: Declaration,
        limits: Limits,
        sink: &mut dyn Sink,
    ) -> (Vec<String>, FinishedGame) {
        let game = GameState::new(
            board(),
            Arc::new(decl),
            says.len(),
            GameKey::of_numbers(1, 0),
        );
        let log = Rc::clone(&self.log);
        let mut bots: Vec<Box<dyn Bot>> = says
            .into_iter()
            .map(|says| {
                Box::new(ScriptedBot {
                    says: says.into(),
                    log: Rc::clone(&log),
                }) as Box<dyn Bot>
            })
            .collect();
        let mut both = FoldTee {
            fold: Fold::default(),
            sink,
        };
        let finished = play(
            game,
            GameKey::of_numbers(1, 0),
            self,
            &mut bots,
            &mut both,
            limits,
        );
        both.fold.check(&finished.game);
        is_digest_of_all(&finished.game);
        (std::mem::take(&mut self.log.borrow_mut()), finished)
    }
}

struct FoldTee<'a> {
    fold: Fold,
    sink: &'a mut dyn Sink,
}

impl Sink for FoldTee<'_> {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        self.fold.step(moment, event);
        self.sink.event(moment, event);
    }
}

struct SilentSink;
impl Sink for SilentSink {
    fn event(&mut self, _: Moment<'_>, _: &Event) {}
}

fn check(log: &[String], expected: &[&str]) {
    assert_eq!(log.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

fn reason(finished: &FinishedGame) -> String {
    finished.outcome.as_ref().unwrap().reason.clone()
}

fn all_at_once(game: &mut GameState) -> Result<(), RuleFault> {
    game.push(A, game.playing(), None, [0; 3])
}

#[test]
fn a_view_that_is_kept_stays_as_it_was() {
    let mut game = GameState::new(
        board(),
        Arc::new(declaration(LENIENT)),
        2,
        GameKey::of_numbers(1, 0),
    );
    game.add_units(Territory(1), Unit(0), 3).unwrap();
    let facts = Facts::new(game);
    let view = View::new(&facts, Player(0));
    let position = view.position();
    let mut later = facts.into_game();
    let digest = later.digest();
    later.add_units(Territory(1), Unit(0), 4).unwrap();
    later.set_owner(Territory(1), Some(Player(1)));
    later.set_counter(SCORE, Some(Player(0)), 5).unwrap();
    assert_eq!(
        (view.armies(Territory(1)), later.armies(Territory(1))),
        (Some(3), 7)
    );
    assert_eq!(view.position(), position, "all that the view shows");
    assert_ne!(later.digest(), digest);
    is_digest_of_all(&later);
}
