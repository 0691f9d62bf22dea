//! Rows of input and output for parts of the kernel: random numbers, limits, words, and what the
//! loop counts.

use std::collections::BTreeMap;
use std::sync::Arc;

use risk_cli::kernel::action::{Action, Bounds, Domain, Offer, Options};
use risk_cli::kernel::board::{Board, ContinentInfo, TerritoryInfo};
use risk_cli::kernel::declare::{CardInfo, Declaration, SlotKind, VerbInfo};
use risk_cli::kernel::digest::CellKind;
use risk_cli::kernel::event::Event;
use risk_cli::kernel::fault::RuleFault;
use risk_cli::kernel::id::{Card, Phase, Player, PlayerSet, Territory, Verb};
use risk_cli::kernel::rng::{Purpose, Stream};
use risk_cli::kernel::state::{Frame, GameState};
use risk_cli::kernel::view::{Facts, View};
use risk_cli::kernel::words::Words;
use risk_cli::kernel::{Answer, Bot, Finished, Limits, Rules, Sink, Stop, play};

use crate::laws::{LENIENT, board, declaration};

const A: Phase = Phase(0);
const B: Phase = Phase(1);
const QUIET: Phase = Phase(2);

#[test]
fn random_numbers_are_exactly_uniform() {
    // Bounds for which up to half of all words are in the biased sliver and drawn again.
    for bound in [1, 2, 3, 6, 1 << 63, (1 << 63) + 1, 3 << 62, u64::MAX] {
        let mut stream = Stream::new(9, 4, Purpose::Setup);
        let mut words = stream.clone();
        for _ in 0..200 {
            let sliver = (1_u128 << 64) % u128::from(bound);
            let wanted = loop {
                let wide = u128::from(words.word()) * u128::from(bound);
                if wide % (1 << 64) >= sliver {
                    break (wide >> 64) as u64;
                }
            };
            assert_eq!(
                (stream.below(bound), stream.drawn()),
                (wanted, words.drawn()),
                "below {bound}"
            );
        }
    }
}

fn say(verb: u8, args: &[i32]) -> Action {
    Action::new(Verb(verb), args)
}

#[test]
fn limits_admit_what_lies_within() {
    let span = |low, high| Bounds::Span { low, high };
    let rows = [
        (Bounds::Unknown, say(0, &[1]), false),
        (Bounds::NONE, say(0, &[1]), false),
        (Bounds::NONE, say(0, &[]), false),
        (span(0, 0), say(0, &[]), true),
        (span(1, 3), say(0, &[9, 0]), false),
        (span(1, 3), say(0, &[9, 1]), true),
        (span(1, 3), say(0, &[9, 3]), true),
        (span(1, 3), say(0, &[9, 4]), false),
    ];
    for (limit, said, admitted) in rows {
        assert_eq!(
            limit.admit(said).map(|legal| legal.action()),
            admitted.then_some(said),
            "{limit:?} {said:?}"
        );
    }
}

#[test]
fn options_tell_the_limit_of_the_last_parameter() {
    let mut options = Options::new();
    let listed = options.among([8, 5, 6]);
    let span = |low, high| Domain::Span { low, high };
    options.offer(Verb(0), &[Domain::Is(1), span(2, 4)]);
    options.offer(Verb(0), &[Domain::Is(2), span(5, 9)]);
    options.offer(Verb(1), &[listed]);
    options.offer(Verb(2), &[]);
    options.offer(Verb(3), &[span(1, 2), Domain::Is(7)]);
    let limit = |low, high| Bounds::Span { low, high };
    let rows: [(u8, &[i32], Bounds); 11] = [
        (0, &[1], limit(2, 4)),
        (0, &[2], limit(5, 9)),
        (0, &[3], Bounds::NONE),
        (0, &[], Bounds::NONE),
        (0, &[1, 2], Bounds::NONE),
        (1, &[], limit(5, 8)),
        (1, &[5], Bounds::NONE),
        (2, &[], limit(0, 0)),
        (3, &[2], limit(7, 7)),
        (3, &[3], Bounds::NONE),
        (4, &[], Bounds::NONE),
    ];
    for (verb, given, wanted) in rows {
        assert_eq!(
            options.bounds_of(Verb(verb), given),
            wanted,
            "{verb} {given:?}"
        );
    }
}

#[test]
fn options_are_kept_by_verb_and_weighed() {
    let mut options = Options::new();
    let listed = options.among([4, 5, 6]);
    options.offer(Verb(0), &[listed]);
    options.offer(Verb(1), &[Domain::Span { low: 1, high: 2 }]);
    let step = |verb: u8| Offer::new(Verb(verb), &[Domain::Is(i32::from(verb))]);
    options.plan(&[step(0), step(1)]);
    options.plan(&[step(1), step(1), step(1)]);
    // Two offers, five steps in two plans, three values.
    assert_eq!(
        (options.weight(), options.len(), options.plans()),
        (2 + 5 + 2 + 3, 5, 2)
    );
    options.keep(|verb| verb == Verb(1));
    assert_eq!(
        (options.len(), options.plans(), options.nth(1)),
        (2, 1, say(1, &[2]))
    );
    options.plan_options();
    assert_eq!(
        (options.plans(), options.nth_plan(1), options.nth_plan(2)),
        (3, vec![say(1, &[1])], vec![say(1, &[2])])
    );
    // 2^63 actions are too many, half of them are not.
    let big = |high: i32| {
        let full = Domain::Span {
            low: i32::MIN,
            high: i32::MAX,
        };
        let count = || {
            Options::new().offer(
                Verb(0),
                &[
                    full,
                    Domain::Span {
                        low: i32::MIN,
                        high,
                    },
                ],
            )
        };
        std::panic::catch_unwind(count).is_ok()
    };
    assert!(big(-2) && !big(-1));
}

#[test]
fn things_are_named_for_records_and_for_people() {
    let land = |id: &str| TerritoryInfo {
        id: id.to_owned(),
        name: format!("Land {id}"),
        ..TerritoryInfo::default()
    };
    let continents = vec![ContinentInfo {
        id: "w".to_owned(),
        name: "West".to_owned(),
        ..ContinentInfo::default()
    }];
    let board = Board::new(
        "m".to_owned(),
        String::new(),
        vec![land("a"), land("b")],
        continents,
        &[],
    );
    let card = |name: &str, kind: i32, at: Option<Territory>| CardInfo {
        name: name.to_owned(),
        kind,
        at,
        data: BTreeMap::new(),
    };
    let kinds = [
        SlotKind::Territory,
        SlotKind::Continent,
        SlotKind::Card,
        SlotKind::Unit,
        SlotKind::Player,
        SlotKind::Count,
    ];
    let verb = |kind: &SlotKind| VerbInfo {
        name: format!("do_{kind:?}"),
        slots: vec![("it".to_owned(), *kind)],
    };
    let decl = Declaration {
        verbs: kinds.iter().map(verb).collect(),
        card_kinds: vec!["horse".to_owned()],
        cards: vec![
            card("one", 0, Some(Territory(1))),
            card("two", 0, None),
            card("three", 7, Some(Territory(0))),
        ],
        ..declaration(LENIENT)
    };
    let words = Words::new(&board, &decl);
    // Verb and value; in a record, and in a story.
    let rows = [
        (0, 1, "do_Territory b", "do Territory: Land b"),
        (0, 2, "do_Territory 2", "do Territory: 2"),
        (0, -1, "do_Territory -1", "do Territory: -1"),
        (1, 0, "do_Continent w", "do Continent: West"),
        (1, 1, "do_Continent 1", "do Continent: 1"),
        (2, 0, "do_Card one", "do Card: Land b (horse)"),
        (2, 1, "do_Card two", "do Card: two"),
        (2, 2, "do_Card three", "do Card: three"),
        (2, 3, "do_Card 3", "do Card: 3"),
        (3, 0, "do_Unit army", "do Unit: army"),
        (4, 0, "do_Player 1", "do Player: player 1"),
        (4, 31, "do_Player 32", "do Player: player 32"),
        (4, 32, "do_Player 33", "do Player: 33"),
        (4, -1, "do_Player -1", "do Player: -1"),
        (5, 7, "do_Count 7", "do Count: 7"),
    ];
    for (verb, value, record, story) in rows {
        let action = say(verb, &[value]);
        assert_eq!(
            (
                words.action(action).as_str(),
                words.sentence(action).as_str()
            ),
            (record, story)
        );
    }
    assert_eq!(words.card(Card(9)), "a card");
    assert_eq!(words.usage(Verb(0)), "do_Territory IT");
    // What is said in too many or too few words, or with other words.
    let wrong = [
        ("do_Count", "`do_Count` is said as `do_Count IT`"),
        ("do_Count 1 2", "`do_Count` is said as `do_Count IT`"),
        ("do_Count x", "`x` is no count for `it` of `do_Count`"),
        ("do_Player 0", "`0` is no player for `it` of `do_Player`"),
        ("", "the action is empty"),
    ];
    for (text, said) in wrong {
        assert_eq!(words.parse(text).unwrap_err(), said);
    }
    // What was offered instead: a span, up to eight values, and no value twice.
    let refused = |offers: &[(u8, &[i32])], said: Action| {
        let mut options = Options::new();
        for &(verb, values) in offers {
            let listed = options.among(values.iter().copied());
            options.offer(Verb(verb), &[listed]);
        }
        let why = options.admit(said).unwrap_err();
        words.refusal(&options, said, why)
    };
    let ten: Vec<i32> = (0..10).collect();
    let not = |fitting: &str| format!("`do_Player 21` is not allowed: `it` can be {fitting} there");
    assert_eq!(
        refused(&[(4, &ten[..8])], say(4, &[20])),
        not("1, 2, 3, 4, 5, 6, 7, 8")
    );
    assert_eq!(
        refused(&[(4, &ten[..9])], say(4, &[20])),
        not("1, 2, 3, 4, 5, 6, 7, 8, …")
    );
    assert_eq!(
        refused(&[(4, &[3]), (4, &[3, 1])], say(4, &[20])),
        not("2, 4")
    );
    assert_eq!(
        refused(&[(4, &[3]), (0, &[1])], say(4, &[20])),
        not("4"),
        "values of another verb do not fit"
    );
    let count =
        |fitting: &str| format!("`do_Count 99` is not allowed: `it` can be {fitting} there");
    assert_eq!(refused(&[(5, &[2, 3, 6])], say(5, &[99])), count("2 to 6"));
    assert_eq!(refused(&[(5, &[4])], say(5, &[99])), count("4"));
    assert_eq!(
        refused(&[(4, &[1]), (5, &[1])], say(0, &[1])),
        "`do_Territory b` is not offered here; offered: do_Player, do_Count"
    );
    assert_eq!(
        refused(&[(4, &[1])], say(4, &[])),
        "`do_Player` has 0 parameters, the offer has 1: `do_Player IT`"
    );
}

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

    fn options(
        &mut self,
        _: &Facts,
        _: &Frame,
        _: Player,
        out: &mut Options,
    ) -> Result<(), RuleFault> {
        out.offer(Verb(0), &[Domain::Span { low: 1, high: 9 }]);
        Ok(())
    }

    fn plans(
        &mut self,
        _: &Facts,
        _: &Frame,
        _: Player,
        out: &mut Options,
    ) -> Result<(), RuleFault> {
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
        said: risk_cli::kernel::action::Legal,
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

/// Says this answer each time, and wants plans.
struct Says(Vec<i32>);

impl Bot for Says {
    fn answer(
        &mut self,
        _: &View,
        _: &Options,
    ) -> Result<Answer, risk_cli::kernel::fault::BotFault> {
        let steps: Vec<Action> = self.0.iter().map(|&number| say(0, &[number])).collect();
        Ok(if steps.len() == 1 {
            Answer::One(steps[0])
        } else {
            Answer::Steps(steps)
        })
    }

    fn plans(&self) -> bool {
        true
    }
}

/// Notes the events, and for each turn the players of the frame that is open when it is told.
#[derive(Default)]
struct Notes {
    events: u64,
    faults: Vec<String>,
    turns: Vec<Option<PlayerSet>>,
}

impl Sink for Notes {
    fn event(&mut self, game: &GameState, event: &Event) {
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

fn played(mut toy: Toy, says: &[&[i32]], limits: Limits) -> (Notes, Finished) {
    let mut bots: Vec<Box<dyn Bot>> = says
        .iter()
        .map(|says| Box::new(Says(says.to_vec())) as _)
        .collect();
    let decl = Declaration {
        last_standing: false,
        max_turns: 4,
        ..declaration(LENIENT)
    };
    let game = GameState::new(board(), Arc::new(decl), says.len(), 1, 0);
    let mut notes = Notes::default();
    let finished = play(game, (1, 0), &mut toy, &mut bots, &mut notes, limits);
    let cells = finished.game.cells().into_iter();
    assert_eq!(
        finished.game.digest(),
        cells.fold(0, |sum: u64, (cell, value)| sum
            .wrapping_add(cell.term(value)))
    );
    (notes, finished)
}

/// How a game ended: its reason, or the ruleset's fault.
fn end(finished: &Finished) -> String {
    match &finished.outcome {
        Ok(outcome) => outcome.reason.clone(),
        Err(Stop::Rules(fault)) => fault.text.clone(),
        Err(Stop::Halted) => "halted".to_owned(),
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
        idle(|game| (0..3).try_for_each(|_| game.push(QUIET, PlayerSet::default(), [-1, 0, 0, 0]))),
        "draw"
    );
    assert_eq!(
        idle(|game| (0..4).try_for_each(|_| game.push(QUIET, PlayerSet::default(), [-1, 0, 0, 0]))),
        "3 phases in a row were entered without a decision, the last is quiet"
    );
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
    // The last event is that of the end itself.
    let (all, reason) = events(u64::MAX);
    assert_eq!(reason, "draw");
    assert_eq!(events(all - 1), (all, "draw".to_owned()));
    assert_eq!(events(all - 2), (all, "event-limit".to_owned()));
    // Players who lose their last land again and again.
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
    assert_eq!(
        end(&finished),
        "players have lost their last land 6 times at once"
    );
    // Whoever has land again by then has not fallen.
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
fn compound_answers_are_refused_to_the_word() {
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
    assert_eq!(
        refused(over, &[&[1, 2]]).0,
        "the game is over after 1 of the answer's 2 steps"
    );
    let another = || Toy {
        setup: |game| {
            game.push_for(A, Player(0), [0; 3])?;
            game.push_for(B, Player(1), [0; 3])
        },
        ..TOY
    };
    let wanted = "the answer has 2 more steps when it is another player's decision";
    assert_eq!(refused(another(), &[&[1, 2, 3], &[1]]).0, wanted);
    // The ruleset's own plan must be possible.
    let fault = refused(
        Toy {
            plan: &[1, 2, 3],
            ..another()
        },
        &[&[1, 2, 3], &[1]],
    )
    .1;
    assert_eq!(
        fault,
        format!("a plan that is offered can't be done: {wanted}")
    );
    // As many steps as there may be, and one more.
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
    assert_eq!(
        refused(long(), &[&vec![1; 10_001]]).0,
        "the answer has 10001 steps, 10000 are the most"
    );
}

#[test]
fn answers_of_a_pass_are_all_applied_before_a_new_phase_opens() {
    let toy = Toy {
        setup: |game| game.push(A, game.playing(), [-1, 0, 0, 0]),
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
    // Three answers at once, and one in the phase that the first of them opened.
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
        setup: |game| game.push(A, game.playing(), [-1, 0, 0, 0]),
        ..TOY
    };
    let (_, finished) = played(toy, &[&[1], &[1], &[1]], Limits::default());
    // The scores are the seats.
    let ranks: Vec<_> = finished
        .outcome
        .unwrap()
        .ranking
        .iter()
        .map(|rank| (rank.who.0, rank.place))
        .collect();
    assert_eq!(ranks, [(1, 1), (0, 2), (2, 3)]);
}

#[test]
fn stored_orders_are_counted_from_one_in_the_digest() {
    let mut game = GameState::new(board(), Arc::new(declaration(LENIENT)), 3, 1, 0);
    game.store(Player(2), say(0, &[5, -6])).unwrap();
    let cells = game
        .cells()
        .into_iter()
        .filter(|(cell, _)| cell.kind == CellKind::Book);
    let found: Vec<_> = cells.map(|(cell, value)| (cell.a, cell.b, value)).collect();
    // Seat and verb from 1, how many parameters, and these: as docs/records.md has it.
    assert_eq!(
        found,
        [(0, 0, 3), (0, 1, 1), (0, 2, 2), (0, 3, 5), (0, 4, -6)]
    );
}

#[test]
fn sets_of_players_hold_each_once() {
    let both = PlayerSet::one(Player(0)).with(Player(31)).with(Player(0));
    assert_eq!((both, both.len()), (PlayerSet(0x8000_0001), 2));
    assert_eq!(both.iter().collect::<Vec<_>>(), [Player(0), Player(31)]);
    assert_eq!(
        both.without(Player(0)).without(Player(0)),
        PlayerSet::one(Player(31))
    );
}
