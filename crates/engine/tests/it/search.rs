//! `search`: its levels, decisions that depend only on what it sees and are the same each time, by
//! any rules, and positions that the ruleset compares.

use rhai_guard::meter;
use risk_engine::bot_spec::BotSpec;
use risk_engine::{FirstFaults, GameResult, Purpose, Setup, Stream, Worker, play_many};
use risk_kernel::id::Player;
use risk_kernel::{Answer, NullSink};
use risk_testing::by_case::each;
use risk_testing::games::{library, setup};
use risk_testing::stepped::begin;

/// Rulesets that nobody had in mind when the bot was written.
const RULESETS: [&str; 4] = ["auction", "majority", "ring_race", "evacuation"];

pub(crate) fn path(name: &str) -> String {
    format!("{}/tests/rulesets/{name}.rhai", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn its_levels_have_names() {
    let hash = |spec: &str| {
        risk_engine::record::bot_hash(&BotSpec::parse(library(), spec).unwrap().source)
    };
    assert_eq!(hash("search"), hash("search:normal"));
    assert_ne!(hash("search"), hash("search:quick"));
    assert_ne!(hash("search"), hash("search:deep"));
    for level in ["", "hard", "Quick", "quick "] {
        let failure = BotSpec::parse(library(), &format!("search:{level}")).unwrap_err();
        assert_eq!(failure.findings[0].code, "bot::level", "{level}");
    }
}

/// Covers hidden orders and cards, own dice, a game that all win or lose, and standard rules.
#[test]
fn it_plays_any_rules_the_same_each_time() {
    let cases = [
        ("auction", None, ("lots", "4")),
        ("majority", None, ("", "")),
        ("ring_race", None, ("rounds", "3")),
        ("evacuation", None, ("", "")),
        ("codelab", Some("grid:3x3"), ("max_turns", "4")),
        ("warzone", Some("grid:3x3"), ("max_turns", "4")),
        ("starwars", None, ("max_turns", "2")),
    ];
    each(cases.map(|case| case.0), |name| {
        let (_, map, option) = cases.into_iter().find(|case| case.0 == *name).unwrap();
        let ruleset = if RULESETS.contains(name) {
            path(name)
        } else {
            (*name).to_owned()
        };
        let options = if option.0.is_empty() {
            &[][..]
        } else {
            &[option][..]
        };
        let setup = setup(&ruleset, map, &["search:quick", "random"], 3, options);
        let mut worker = Worker::new(&setup).unwrap();
        // The second time, the thread has played other games.
        let digests = [0, 1, 0].map(|number| {
            let mut faults = FirstFaults::default();
            let finished = worker.play(number, &mut faults);
            assert!(finished.outcome.is_ok(), "{name}: {:?}", finished.outcome);
            assert_eq!(faults.faults, [], "{name}");
            finished.game.digest()
        });
        assert_eq!(digests[0], digests[2], "{name}");
    });
}

#[test]
fn threads_change_nothing() {
    let setup = setup(
        &path("auction"),
        None,
        &["search:quick", "random"],
        5,
        &[("lots", "3")],
    );
    let played = [1, 2, 10]
        .map(|threads| -> Vec<GameResult> { play_many(&setup, 0, 6, threads, |_| {}).unwrap() });
    assert_eq!(played[0], played[1]);
    assert_eq!(played[0], played[2]);
}

/// In games with hidden cards, counters and fog, what is hidden changes no decision.
#[test]
fn it_decides_by_what_it_sees() {
    for (ruleset, decisions) in [(path("auction"), 2), ("fog".to_owned(), 2)] {
        let setup = setup(&ruleset, None, &["random"; 3], 5, &[]);
        let (mut rules, mut stepper, mut table) = begin(&setup, 0);
        let worker = Worker::new(&setup).unwrap();
        let mut search = worker.bot("search:quick").unwrap();
        let mut looked = 0;
        for decided in 0_u64.. {
            let decision = stepper.decisions()[0].clone();
            let me = decision.player;
            if decided >= 4 && stepper.is_at_rest() {
                looked += 1;
                let imagined = stepper.imagine(&mut rules, me, decided).unwrap();
                let said = [&stepper, &imagined].map(|game| {
                    let view = game.view(me);
                    search.start(&view, Stream::new(decided, 7, Purpose::Player(0)));
                    search.answer(&view, &decision.options).unwrap()
                });
                assert!(matches!(said[0], Answer::One(_)));
                assert_eq!(said[0], said[1], "{ruleset}: decision {decided}");
            }
            if looked == decisions {
                break;
            }
            let action = table.answer(&stepper, &decision);
            stepper.apply(&mut rules, me, action).unwrap();
        }
    }
}

/// The work of `search:quick` in a turn, as docs/search-bots.md says. Three bots at the normal
/// level, with five times as much, take at most two seconds of a person's time.
const QUICK: u64 = 4_000_000;

#[test]
fn a_turn_takes_no_more_work_than_its_level() {
    let setup = setup(&path("majority"), None, &["random", "random"], 5, &[]);
    let (mut rules, mut stepper, mut table) = begin(&setup, 0);
    let worker = Worker::new(&setup).unwrap();
    let mut search = worker.bot("search:quick").unwrap();
    let me = Player::from_index(0);
    search.start(&stepper.view(me), Stream::new(1, 7, Purpose::Player(0)));
    let (mut turn, mut work, mut most) = (0, 0, 0);
    for _ in 0..60 {
        let Some(decision) = stepper.decisions().first().cloned() else {
            break;
        };
        let mut action = table.answer(&stepper, &decision);
        if decision.player == me {
            let view = stepper.view(me);
            if turn != view.turn() {
                (turn, work) = (view.turn(), 0);
            }
            let before = meter::all_ended();
            let answer = search.answer(&view, &decision.options).unwrap();
            work += meter::all_ended() - before;
            most = most.max(work);
            let Answer::One(said) = answer else {
                panic!("{answer:?}");
            };
            action = said;
        }
        stepper.apply(&mut rules, decision.player, action).unwrap();
    }
    // The last imagined game of a search may take an eighth more.
    assert!(most <= QUICK * 5 / 4, "{most} operations");
    assert!(most > QUICK / 4, "{most} operations, which is too little");
}

/// A player chooses a side. The score prefers the left, and what the ruleset says the right.
pub(crate) const SIDES: &str = r#"
fn ruleset() { #{
    name: "sides", players: [2, 2], map: "grid:2x1", units: ["army"],
    counters: #{ left: "all", right: "all" },
    verbs: #{ pick: #{ side: "count" } },
    phases: #{ choice: script() }, turn: ["choice"], max_turns: 8,
} }
fn setup(g) { g.deal(); g.next_turn(NOBODY); }
fn choice_options(g, me, out) { out.offer(PICK, 0..=1); }
fn choice_apply(g, me, said) {
    g.add(me, if said.side == 0 { LEFT } else { RIGHT }, 1);
    g.done(me);
    g.next_turn(me);
}
fn score(g, who) { g.get(who, LEFT) }
"#;

/// Plays a game of sides, and returns how often the first bot has chosen each of them.
pub(crate) fn sides_chosen(setup: &Setup) -> [i64; 2] {
    let mut worker = Worker::new(setup).unwrap();
    let finished = worker.play(0, &mut NullSink);
    assert!(finished.outcome.is_ok(), "{:?}", finished.outcome);
    let me = setup.seating(0).iter().position(|&bot| bot == 0).unwrap();
    ["left", "right"].map(|side| {
        let counter = finished.game.decl().counter(side).unwrap();
        finished.game.counter(counter, Some(Player::from_index(me)))
    })
}

#[test]
fn the_ruleset_may_compare_positions() {
    let went = |name: &str, text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(format!("{name}.rhai"));
        std::fs::write(&file, text).unwrap();
        let bots = ["search:quick", "random"];
        sides_chosen(&setup(file.to_str().unwrap(), None, &bots, 1, &[]))
    };
    assert_eq!(went("scored", SIDES), [4, 0]);
    let worth = format!("{SIDES}fn worth(g, who) {{ g.get(who, RIGHT) }}\n");
    assert_eq!(went("compared", &worth), [0, 4]);
}
