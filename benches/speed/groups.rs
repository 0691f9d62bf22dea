//! The groups of rows.

use risk_cli::library;
use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;
use std::sync::Arc;

use risk_engine::record::{Recorder, header};
use risk_engine::{MatchSpec, Seats, Setup, Worker, hosted, play_many};
use risk_kernel::action::{Action, Domain, Options};
use risk_kernel::board::Board;
use risk_kernel::id::{Player, Unit, Verb};
use risk_kernel::outcome::Outcome;
use risk_kernel::phases::Asked;
use risk_kernel::state::{Frame, GameState};
use risk_kernel::view::{Facts, View};
use risk_kernel::{Bot, FinishedGame, NullSink, Rules};
use risk_maps::lint::Levels;

use crate::limit::{BitBoard, Playout};
use crate::{Row, compare};

pub(crate) fn board(map: &str) -> Arc<Board> {
    risk_maps::load(library(), map, &Levels::default()).expect("a map of ours is valid")
}

pub(crate) fn setup(
    ruleset: &str,
    map: Option<&str>,
    bots: &[&str],
    options: &[(&str, &str)],
) -> Setup {
    let words = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let spec = MatchSpec {
        map: map.map(str::to_owned),
        options: options.iter().map(words).collect(),
        players: Some(bots.len()),
        seats: Some(Seats::Fixed),
        ..MatchSpec::new(ruleset).bots(bots).seed(7)
    };
    spec.load(library()).expect("ours are valid")
}

pub(crate) fn worker(setup: Setup) -> Worker<'static> {
    Worker::new(Box::leak(Box::new(setup))).expect("our scripts compile")
}

/// Counts a game's units of work for a row.
type Units = fn(&FinishedGame) -> u64;

fn decisions(finished: &FinishedGame) -> u64 {
    finished.game.answers()
}

fn dice_rounds(finished: &FinishedGame) -> u64 {
    finished.game.battle_rounds()
}

pub(crate) fn turns(finished: &FinishedGame) -> u64 {
    finished.game.turn().into()
}

fn one(_: &FinishedGame) -> u64 {
    1
}

/// Builds a row that plays games in sequence.
pub(crate) fn games_of(name: impl Into<String>, setup: Setup, units: Units) -> Row {
    let mut worker = worker(setup);
    let mut number = 0;
    Row::new(name, move || {
        number += 1;
        units(&worker.play(number, &mut NullSink))
    })
}

fn played(finished: &FinishedGame) -> Playout {
    let winner = |outcome: &Outcome| outcome.winners.iter().next().map(Player::index);
    Playout {
        winner: finished.outcome.as_ref().ok().and_then(winner),
        turns: finished.game.turn(),
        dice_rounds: finished.game.battle_rounds() as u32,
    }
}

/// Compares the engine with one hardcoded game, which plays exactly the same games.
pub(crate) fn bounds_of() {
    for players in 2..=6 {
        let bots = vec!["outnumber"; players];
        let limit = Rc::new(BitBoard::new(&board("world")));
        let mut checked = worker(setup("codelab", None, &bots, &[]));
        for game in 0..200 {
            assert_eq!(
                played(&checked.play(game, &mut NullSink)),
                limit.play(players, 7, game),
                "game {game}"
            );
        }
        let mut number = 0;
        let by_hand = Row::new("by hand", move || {
            number += 1;
            limit.play(players, 7, number).dice_rounds.into()
        });
        let mut recorded = worker(setup("codelab", None, &bots, &[]));
        let header = header(&recorded, 0);
        let mut number = 0;
        let with_records = Row::new("codelab, recorded", move || {
            number += 1;
            let mut recorder = Recorder::new(std::io::sink(), &header);
            dice_rounds(&recorded.play(number, &mut recorder))
        });
        let mut rows = vec![
            by_hand,
            games_of("codelab", setup("codelab", None, &bots, &[]), dice_rounds),
            with_records,
        ];
        if players > 2 {
            rows.push(games_of(
                "hasbro, with cards",
                setup("hasbro", None, &bots, &[]),
                dice_rounds,
            ));
        }
        rows.push(games_of(
            "codelab, greedy.rhai",
            setup("codelab", None, &vec!["greedy"; players], &[]),
            dice_rounds,
        ));
        compare(&format!("limit: {players} players"), "dice round", rows);
    }
}

pub(crate) fn games() {
    for (bot, players) in [
        ("random", 2),
        ("outnumber", 2),
        ("greedy", 2),
        ("random", 5),
        ("outnumber", 5),
        ("greedy", 5),
    ] {
        let rows = ["codelab", "hasbro", "simplified", "warzone"]
            .iter()
            .map(|ruleset| {
                let players = if *ruleset == "hasbro" {
                    players.max(3)
                } else {
                    players
                };
                let turns = if bot == "random" { "50" } else { "200" };
                let setup = setup(ruleset, None, &vec![bot; players], &[("max_turns", turns)]);
                games_of(*ruleset, setup, decisions)
            });
        compare(
            &format!("games: {bot}, {players} players"),
            "decision",
            rows.collect(),
        );
    }
    let rows = [
        ("random-action", "random-action"),
        ("starwars-shield", "starwars-attack"),
    ];
    let rows = rows.map(|(a, b)| {
        games_of(
            format!("{a} against {b}"),
            setup("starwars", None, &[a, b], &[]),
            one,
        )
    });
    compare("games: starwars", "game", rows.into());
    let twin = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/engine/tests/it/twin.rhai"
    );
    let rows = [("standard phases", "hasbro"), ("all scripted", twin)].map(|(name, ruleset)| {
        games_of(
            name,
            setup(ruleset, None, &["outnumber"; 3], &[]),
            decisions,
        )
    });
    compare(
        "games: standard phases and their scripted twin",
        "decision",
        rows.into(),
    );
}

pub(crate) fn sizes() {
    let maps = ["world", "grid:20x10", "grid:40x25", "grid:100x50"];
    for bot in ["outnumber", "random"] {
        let rows = maps.map(|map| {
            let setup = setup("codelab", Some(map), &[bot; 2], &[("max_turns", "40")]);
            games_of(map, setup, decisions)
        });
        compare(
            &format!("sizes: {bot} on larger maps"),
            "decision",
            rows.into(),
        );
    }
    let rows = [2, 6, 20].map(|players| {
        let setup = setup(
            "warzone",
            None,
            &vec!["random"; players],
            &[("max_turns", "40")],
        );
        games_of(format!("{players} players"), setup, decisions)
    });
    compare("sizes: players in warzone", "decision", rows.into());
}

/// Returns a game in its middle, with a frame and a player to answer.
fn middle(ruleset: &str) -> (Worker<'static>, GameState) {
    let mut worker = worker(setup(ruleset, None, &["outnumber"; 3], &[]));
    struct StateCapture(Option<GameState>);
    impl risk_kernel::Sink for StateCapture {
        fn event(&mut self, moment: risk_kernel::Moment<'_>, _: &risk_kernel::event::Event) {
            let game: &GameState = &moment;
            let attacks = |game: &GameState| {
                game.frame().is_some_and(|top| {
                    game.decl().phases[top.phase.index()].name == "attack"
                        && !top.players.is_empty()
                })
            };
            if self.0.is_none() && game.turn() == 8 && attacks(game) {
                self.0 = Some(game.clone());
            }
        }
    }
    let mut keep = StateCapture(None);
    worker.play(3, &mut keep);
    (worker, keep.0.expect("turn 8 has an attack phase"))
}

/// The cost of a decision in the rules: all options, or the limit of one action.
fn asking(
    facts: &Facts,
    rules: Rc<RefCell<Worker<'static>>>,
    frame: Frame,
    who: Player,
    last: Action,
) -> [Row; 2] {
    let shared = facts.clone();
    let kept = rules.clone();
    let mut out = Options::new();
    let options = Row::new("options of an attack", move || {
        for _ in 0..1_000 {
            out.clear();
            kept.borrow_mut()
                .rules_mut()
                .options(Asked::new(&shared, &frame, who), &mut out)
                .expect("as before");
        }
        1_000
    });
    let shared = facts.clone();
    let limit = Row::new("limit of an attack", move || {
        for _ in 0..1_000 {
            let given = &last.args()[..last.args().len() - 1];
            black_box(
                rules
                    .borrow_mut()
                    .rules_mut()
                    .bounds_of(Asked::new(&shared, &frame, who), last.verb, given)
                    .expect("as before"),
            );
        }
        1_000
    });
    [options, limit]
}

/// The kernel's own operations, on a game in its middle.
pub(crate) fn kernel() {
    let (mut worker, game) = middle("hasbro");
    let frame = *game.frame().expect("a game in its middle has a frame");
    let who = frame.players.iter().next().expect("somebody decides");
    let facts = Facts::new(game.clone());
    let mut ask = Options::new();
    worker
        .rules_mut()
        .options(Asked::new(&facts, &frame, who), &mut ask)
        .expect("hasbro has options here");
    let last = ask.nth(ask.len() / 2);
    let rules = Rc::new(RefCell::new(worker));
    let ask = Rc::new(ask);
    let mut rows = Vec::new();
    let state = game.clone();
    rows.push(Row::new("clone of a state", move || {
        (0..1_000).for_each(|_| drop(black_box(state.clone())));
        1_000
    }));
    let state = game.clone();
    rows.push(Row::new("digest", move || {
        (0..1_000).for_each(|_| {
            black_box(black_box(&state).digest());
        });
        1_000
    }));
    // Without an observer, as in games alone, since events would accumulate here.
    let mut quiet = self::worker(setup("hasbro", None, &["outnumber"; 3], &[]));
    let mut state = quiet.play(3, &mut NullSink).game;
    let at = state.board().territories().next().expect("a map has land");
    rows.push(Row::new("a mutation: one army more or less", move || {
        for _ in 0..500 {
            // Hides the state from the optimiser, which would cancel the two out.
            let state = black_box(&mut state);
            state.add_units(at, Unit(0), 1).expect("there is room");
            let state = black_box(state);
            state.add_units(at, Unit(0), -1).expect("it was added");
        }
        1_000
    }));
    rows.extend(asking(&facts, rules, frame, who, last));
    let offered = Rc::clone(&ask);
    rows.push(Row::new("nth", move || {
        (0..offered.len()).for_each(|number| {
            black_box(offered.nth(number));
        });
        offered.len()
    }));
    let offered = Rc::clone(&ask);
    rows.push(Row::new("admit", move || {
        (0..1_000).for_each(|_| {
            black_box(offered.admit(black_box(last))).ok();
        });
        1_000
    }));
    rows.push(Row::new("view, and a look at all armies", move || {
        let view = View::new(&facts, who);
        black_box(
            view.board()
                .territories()
                .filter_map(|at| view.armies(at))
                .sum::<i32>(),
        );
        1
    }));
    rows.push(Row::new("options of 3 offers, built", || {
        let mut out = Options::new();
        for from in 0..3 {
            let to = out.among([1, 2, 3, 4]);
            out.offer(
                Verb(0),
                &[Domain::Is(from), to, Domain::Span { low: 1, high: 3 }],
            );
        }
        black_box(out.admit(Action::new(Verb(0), &[1, 2, 3])).is_ok());
        1
    }));
    compare("kernel: operations", "operation", rows);
    set_up();
}

fn set_up() {
    let setting = setup("codelab", None, &["random"; 2], &[]);
    let mut worker = self::worker(setting);
    let set_up = Row::new("set-up of a game of codelab", move || {
        let mut bots = vec![hosted(HaltingBot), hosted(HaltingBot)];
        drop(black_box(worker.play_with(1, &mut bots, &mut NullSink)));
        1
    });
    compare("kernel: set-up", "game", vec![set_up]);
}

struct HaltingBot;

impl Bot for HaltingBot {
    fn answer(
        &mut self,
        _: &View,
        _: &Options,
    ) -> Result<risk_kernel::Answer, risk_kernel::fault::BotFault> {
        Err(risk_kernel::fault::BotFault::Halt)
    }
}

/// The cost of a call into a script: bots of one line.
pub(crate) fn scripts() {
    let folder = tempfile::tempdir().expect("a folder");
    let bots = [
        ("any option, by a script", "ask.random()"),
        ("and one query", "view.armies(1); ask.random()"),
        ("and all armies at once", "view.all_armies; ask.random()"),
        ("and all fronts", "view.fronts; ask.random()"),
        (
            "and a loop over 42 territories",
            "for at in 0..TERRITORIES { view.armies(at); } ask.random()",
        ),
    ];
    let mut rows = vec![games_of(
        "any option, built in",
        setup("codelab", None, &["random"; 2], &[("max_turns", "30")]),
        decisions,
    )];
    for (index, (name, body)) in bots.iter().enumerate() {
        let path = folder.path().join(format!("bot{index}.rhai"));
        std::fs::write(&path, format!("fn answer(view, ask) {{ {body} }}\n")).expect("a file");
        let path = path.to_str().expect("a path").to_owned();
        let setup = setup("codelab", None, &[path.as_str(); 2], &[("max_turns", "30")]);
        rows.push(games_of(*name, setup, decisions));
    }
    compare("scripts: what a decision costs", "decision", rows);
}

pub(crate) fn threads() {
    let rows = [1, 2].map(|jobs| {
        let setup: &'static Setup =
            Box::leak(Box::new(setup("hasbro", None, &["outnumber"; 4], &[])));
        let mut first = 0;
        Row::new(format!("{jobs} threads"), move || {
            first += 2_000;
            play_many(setup, first, 2_000, jobs, |_| ())
                .expect("hasbro plays")
                .len() as u64
        })
    });
    compare("threads: hasbro, outnumber, 4 players", "game", rows.into());
}
