//! What the loop counts, reports and refuses, in a game of one number.

use std::sync::Arc;

use risk_kernel::action::{Action, Domain, Offer, Options};
use risk_kernel::declare::Declaration;
use risk_kernel::event::Event;
use risk_kernel::fault::RuleFault;
use risk_kernel::id::{Phase, Player, PlayerSet, Territory, Verb};
use risk_kernel::phases::Asked;
use risk_kernel::rng::GameKey;
use risk_kernel::state::{Frame, GameState};
use risk_kernel::view::{Facts, View};
use risk_kernel::{
    Answer, Bot, FinishedGame, Limits, Moment, Plans, Preferences, Rules, Sink, StopReason, play,
};

use super::{A, B, QUIET, say};
use risk_testing::facts::has_words;
use risk_testing::toy::{LENIENT, board, declaration, is_digest_of_all};

/// A game of one number, 1 to 9, in the phases that the set-up opens.
struct Toy {
    setup: fn(&mut GameState) -> Result<(), RuleFault>,
    enter: fn(&mut GameState, Phase) -> Result<(), RuleFault>,
    apply: fn(&mut GameState, Player, i32) -> Result<(), RuleFault>,
    fallen: fn(&mut GameState, Player) -> Result<(), RuleFault>,
    plan: &'static [i32],
}

const TOY: Toy = Toy {
    setup: |game| game.push_for(A, Player(0), [0; 3]),
    enter: |_, _| Ok(()),
    apply: |game, who, _| {
        game.leave(who);
        Ok(())
    },
    fallen: |_, _| Ok(()),
    plan: &[],
};

impl Rules for Toy {
    fn setup(&mut self, game: &mut GameState) -> Result<(), RuleFault> {
        (self.setup)(game)
    }

    fn enter(&mut self, game: &mut GameState, frame: &Frame) -> Result<(), RuleFault> {
        (self.enter)(game, frame.phase)
    }

    fn options(&mut self, _: Asked<'_>, out: &mut Options) -> Result<(), RuleFault> {
        out.offer(Verb(0), &[Domain::Span { low: 1, high: 9 }]);
        Ok(())
    }

    fn plans(&mut self, _: Asked<'_>, out: &mut Options) -> Result<(), RuleFault> {
        let steps: Vec<Offer> = self
            .plan
            .iter()
            .map(|&value| Offer::new(Verb(0), &[Domain::Is(value)]))
            .collect();
        out.plan(&steps);
        Ok(())
    }

    fn apply(
        &mut self,
        game: &mut GameState,
        _: &Frame,
        who: Player,
        said: risk_kernel::action::LegalAction,
    ) -> Result<(), RuleFault> {
        (self.apply)(game, who, said.args()[0])
    }

    fn fallen(
        &mut self,
        game: &mut GameState,
        who: Player,
        _: Option<Player>,
    ) -> Result<(), RuleFault> {
        (self.fallen)(game, who)
    }

    fn score(&mut self, _: &Facts, who: Player) -> Result<i64, RuleFault> {
        Ok(i64::from(who.0))
    }
}

struct SequenceBot(Vec<i32>);

impl Bot for SequenceBot {
    fn answer(&mut self, _: &View, _: &Options) -> Result<Answer, risk_kernel::fault::BotFault> {
        let steps: Vec<Action> = self.0.iter().map(|&number| say(0, &[number])).collect();
        Ok(if steps.len() == 1 {
            Answer::One(steps[0])
        } else {
            Answer::Steps(steps)
        })
    }

    fn preferences(&self) -> Preferences<'_> {
        Preferences {
            plans: Plans::Beside,
            ..Preferences::default()
        }
    }
}

#[derive(Default)]
struct Notes {
    events: u64,
    faults: Vec<String>,
    turns: Vec<Option<PlayerSet>>,
}

impl Sink for Notes {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        self.events += 1;
        match event {
            Event::Faulted { text, number, .. } => {
                assert_eq!(*number, game.answers() + 1);
                self.faults.push(text.clone());
            }
            Event::TurnBegan { .. } => self.turns.push(game.frame().map(|frame| frame.players)),
            _ => {}
        }
    }
}

fn played(mut toy: Toy, says: &[&[i32]], limits: Limits) -> (Notes, FinishedGame) {
    let mut bots: Vec<Box<dyn Bot>> = says
        .iter()
        .map(|says| Box::new(SequenceBot(says.to_vec())) as _)
        .collect();
    let decl = Declaration {
        last_standing: None,
        max_turns: 4,
        ..declaration(LENIENT)
    };
    let game = GameState::new(
        board(),
        Arc::new(decl),
        says.len(),
        GameKey::of_numbers(1, 0),
    );
    let mut notes = Notes::default();
    let finished = play(
        game,
        GameKey::of_numbers(1, 0),
        &mut toy,
        &mut bots,
        &mut notes,
        limits,
    );
    is_digest_of_all(&finished.game);
    (notes, finished)
}

/// Returns how a game ended: its reason, or the ruleset's fault.
fn end(finished: &FinishedGame) -> String {
    match &finished.outcome {
        Ok(outcome) => outcome.reason.clone(),
        Err(StopReason::Rules(fault)) => fault.text().to_owned(),
        Err(StopReason::Halted) => "halted".to_owned(),
    }
}

#[test]
fn limits_of_the_loop_are_reached_exactly() {
    // Phases in a row without a decision.
    let idle = |setup: fn(&mut GameState) -> Result<(), RuleFault>| {
        let limits = Limits {
            idle: 3,
            ..Limits::default()
        };
        end(&played(Toy { setup, ..TOY }, &[&[1]], limits).1)
    };
    assert_eq!(
        idle(|game| (0..3).try_for_each(|_| game.push(QUIET, PlayerSet::default(), None, [0; 3]))),
        "draw"
    );
    let fault =
        idle(|game| (0..4).try_for_each(|_| game.push(QUIET, PlayerSet::default(), None, [0; 3])));
    assert!(has_words(&fault, "3 phases quiet"), "{fault}");
    // Events: as many as there are, and one less.
    let events = |events: u64| {
        let (notes, finished) = played(
            TOY,
            &[&[1]],
            Limits {
                events,
                ..Limits::default()
            },
        );
        (notes.events, end(&finished))
    };
    // The last event is the end itself.
    let (all, reason) = events(u64::MAX);
    assert_eq!(reason, "draw");
    assert_eq!(events(all - 1), (all, "draw".to_owned()));
    assert_eq!(events(all - 2), (all, "event-limit".to_owned()));
    // Players who lose their last land repeatedly.
    let toy = Toy {
        setup: |game| {
            game.set_owner(Territory(0), Some(Player(0)));
            game.set_owner(Territory(0), Some(Player(1)));
            game.push_for(A, Player(0), [0; 3])
        },
        fallen: |game, who| {
            game.set_owner(Territory(0), Some(who));
            Ok(())
        },
        ..TOY
    };
    let (_, finished) = played(
        toy,
        &[&[1], &[1]],
        Limits {
            idle: 5,
            ..Limits::default()
        },
    );
    let fault = end(&finished);
    assert!(has_words(&fault, "6 times"), "{fault}");
    // A player who has land again by then has not fallen.
    let toy = Toy {
        setup: |game| {
            game.set_owner(Territory(0), Some(Player(0)));
            game.set_owner(Territory(0), Some(Player(1)));
            game.set_owner(Territory(1), Some(Player(0)));
            game.push_for(A, Player(0), [0; 3])
        },
        fallen: |_, _| Err(RuleFault::new("nobody has fallen")),
        ..TOY
    };
    assert_eq!(
        end(&played(toy, &[&[1], &[1]], Limits::default()).1),
        "draw"
    );
}

#[test]
fn compound_answers_are_refused() {
    let refused = |toy: Toy, says: &[&[i32]]| {
        let (notes, finished) = played(toy, says, Limits::default());
        (
            notes.faults.first().cloned().unwrap_or_default(),
            end(&finished),
        )
    };
    let over = Toy {
        apply: |game, _, _| {
            game.end("over", PlayerSet::default());
            Ok(())
        },
        ..TOY
    };
    let ended = refused(over, &[&[1, 2]]).0;
    assert!(has_words(&ended, "1 2 steps"), "{ended}");
    let another = || Toy {
        setup: |game| {
            game.push_for(A, Player(0), [0; 3])?;
            game.push_for(B, Player(1), [0; 3])
        },
        ..TOY
    };
    let others = refused(another(), &[&[1, 2, 3], &[1]]).0;
    assert!(has_words(&others, "another 2 steps"), "{others}");
    let fault = refused(
        Toy {
            plan: &[1, 2, 3],
            ..another()
        },
        &[&[1, 2, 3], &[1]],
    )
    .1;
    assert!(fault.ends_with(&others) && fault != others, "{fault}");
    // The most steps allowed, and one more.
    let long = || Toy {
        apply: |game, who, _| {
            if game.answers() == 10_000 {
                game.leave(who);
            }
            Ok(())
        },
        ..TOY
    };
    assert_eq!(refused(long(), &[&vec![1; 10_000]]).0, "");
    let longer = refused(long(), &[&vec![1; 10_001]]).0;
    assert!(has_words(&longer, "10001 10000 steps"), "{longer}");
}

#[test]
fn answers_of_a_pass_are_all_applied_before_a_new_phase_opens() {
    let toy = Toy {
        setup: |game| game.push(A, game.playing(), None, [0; 3]),
        apply: |game, who, said| {
            game.leave(who);
            game.set_owner(Territory(who.0.into()), Some(who));
            if said == 7 {
                game.push_for(B, Player(1), [0; 3])
            } else {
                Ok(())
            }
        },
        ..TOY
    };
    let (_, finished) = played(toy, &[&[7], &[4], &[5]], Limits::default());
    // Three simultaneous answers, and one in the phase that the first of them opened.
    assert_eq!(
        (finished.game.answers(), end(&finished).as_str()),
        (4, "draw")
    );
    assert_eq!(finished.game.owner(Territory(2)), Some(Player(2)));
}

#[test]
fn a_turn_is_told_when_its_phases_are_open() {
    let toy = Toy {
        setup: |game| game.next_turn(None),
        apply: |game, who, _| {
            game.leave(who);
            game.next_turn(Some(who))
        },
        ..TOY
    };
    let (notes, finished) = played(toy, &[&[1], &[1], &[1]], Limits::default());
    let movers = [0, 1, 2, 0].map(|seat| Some(PlayerSet::one(Player(seat))));
    assert_eq!(
        (notes.turns.as_slice(), end(&finished).as_str()),
        (&movers[..], "limit")
    );
}

#[test]
fn whoever_forfeits_is_ranked_last() {
    let toy = Toy {
        apply: |game, who, _| {
            if who == Player(2) {
                game.forfeit(who);
            }
            game.leave(who);
            Ok(())
        },
        setup: |game| game.push(A, game.playing(), None, [0; 3]),
        ..TOY
    };
    let (_, finished) = played(toy, &[&[1], &[1], &[1]], Limits::default());
    // The score of a player is its index.
    let ranks: Vec<_> = finished
        .outcome
        .unwrap()
        .ranking
        .iter()
        .map(|rank| (rank.player.0, rank.place))
        .collect();
    assert_eq!(ranks, [(1, 1), (0, 2), (2, 3)]);
}
