//! `oracle`: its levels, decisions that depend only on what it sees and are the same each time, and
//! play anywhere.

use risk_engine::bot_spec::BotSpec;
use risk_engine::{Purpose, Stream, Worker};
use risk_kernel::event::Status;
use risk_kernel::id::Player;
use risk_kernel::{Answer, NullSink};
use risk_testing::facts::has_words;
use risk_testing::games::library;

use risk_testing::games::setup;
use risk_testing::stepped::begin;

#[test]
fn its_level_is_a_number() {
    for spec in ["oracle", "oracle:10", "oracle:200", "oracle:100000"] {
        let read = BotSpec::parse(library(), spec).unwrap();
        assert_eq!((read.name.as_str(), read.bot.as_str()), (spec, spec));
    }
    let hash = |spec: &str| {
        risk_engine::record::bot_hash(&BotSpec::parse(library(), spec).unwrap().source)
    };
    assert_eq!(hash("oracle"), hash("oracle:200"));
    assert_ne!(hash("oracle"), hash("oracle:201"));
    for level in [
        "",
        "9",
        "0",
        "010",
        "+50",
        "1e3",
        "hard",
        "100001",
        "99999999999",
    ] {
        let spec = format!("oracle:{level}");
        let failure = BotSpec::parse(library(), &spec).unwrap_err();
        let finding = &failure.findings[0];
        assert_eq!(finding.code, "bot::level", "{level}");
        assert!(finding.text.contains(&format!("`{level}`")), "{finding:?}");
        let help = finding.help.as_deref().unwrap_or_default();
        assert!(has_words(help, "10 100000"), "{level}: {help}");
    }
}

/// Covers small and odd maps, rulesets of another kind, and rulesets that hide more than cards.
#[test]
fn it_plays_anywhere_and_the_same_each_time() {
    for (ruleset, map, options) in [
        ("hasbro", Some("random:9:1"), &[("max_turns", "12")][..]),
        (
            "hasbro",
            Some("grid:3x3"),
            &[("two_players", "true"), ("max_turns", "12")],
        ),
        ("codelab", Some("grid:3x3"), &[("max_turns", "8")]),
        ("simplified", Some("grid:3x3"), &[("max_turns", "8")]),
        ("warzone", Some("grid:3x3"), &[("max_turns", "3")]),
        ("starwars", None, &[("max_turns", "3")]),
    ] {
        let two = ["simplified", "starwars"].contains(&ruleset);
        let bots = ["oracle:10", "random", "oracle:20"];
        let bots = if two { &bots[..2] } else { &bots[..] };
        let setup = setup(ruleset, map, bots, 3, options);
        let played = [0, 0].map(|number| {
            let mut worker = Worker::new(&setup).unwrap();
            let finished = worker.play(number, &mut NullSink);
            assert!(
                finished.outcome.is_ok(),
                "{ruleset}: {:?}",
                finished.outcome
            );
            for seat in 0..bots.len() {
                let player = Player::from_index(seat);
                assert_eq!(finished.game.strikes(player), 0, "{ruleset}");
                assert_ne!(finished.game.status(player), Status::Forfeited);
            }
            finished.game.digest()
        });
        assert_eq!(played[0], played[1], "{ruleset}");
    }
}

#[test]
fn it_decides_by_what_it_sees() {
    let setup = setup(
        "hasbro",
        None,
        &["outnumber", "outnumber", "outnumber"],
        5,
        &[],
    );
    let (mut rules, mut stepper, mut table) = begin(&setup, 0);
    let worker = Worker::new(&setup).unwrap();
    let mut oracle = worker.bot("oracle:30").unwrap();
    let mut looked = 0;
    for decided in 0_u64.. {
        let decision = stepper.decisions()[0].clone();
        let me = decision.player;
        if decided % 37 == 0 && stepper.game().turn() > 6 {
            looked += 1;
            let imagined = stepper.imagine(&mut rules, me, decided).unwrap();
            let said = [&stepper, &imagined].map(|game| {
                let view = game.view(me);
                oracle.start(&view, Stream::new(decided, 7, Purpose::Player(0)));
                match oracle.answer(&view, &decision.options).unwrap() {
                    Answer::One(action) => action,
                    Answer::Steps(_) => unreachable!("it says one action"),
                }
            });
            assert_eq!(said[0], said[1], "decision {decided}");
        }
        if looked == 4 {
            return;
        }
        let action = table.answer(&stepper, &decision);
        stepper.apply(&mut rules, me, action).unwrap();
    }
}
