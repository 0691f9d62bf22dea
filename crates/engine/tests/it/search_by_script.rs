//! `ask.search(…)`: the search of the built-in bot as a function of scripts.

use crate::search::{SIDES, path, sides_chosen};
use risk_engine::bot_spec::BotSpec;
use risk_engine::script::{Budget, Script};
use risk_engine::{BotSource, FirstFaults, GameResult, Setup, Worker, play_many};
use risk_kernel::fault::FaultKind;
use risk_testing::by_case::each;
use risk_testing::games::setup;

/// Returns games in which the first player is this script.
fn setup_of(text: &str, ruleset: &str, map: Option<&str>, options: &[(&str, &str)]) -> Setup {
    let mut setup = setup(ruleset, map, &["random", "random"], 3, options);
    setup.bots[0] = BotSpec {
        name: "searcher".to_owned(),
        bot: "searcher".to_owned(),
        source: BotSource::Script(Script::alone("searcher", text)),
        clock: None,
    };
    setup
}

const SEARCHES: [&str; 3] = [
    "fn answer(view, ask) { ask.search() }",
    r#"fn answer(view, ask) {
        ask.search(#{ rollouts: 5, policy: "outnumber", worth: |view, who| view.territories(who) })
    }"#,
    // Many searches with almost no work left.
    "fn answer(view, ask) { let plan = ask.search(); for n in 0..5 { plan = ask.search(); } plan }",
];

/// Covers secret phases, plans, own dice, and budgets that are too small for a search.
#[test]
fn it_never_faults_and_repeats_itself() {
    let cases = [
        (path("auction"), None, ("lots", "3")),
        (path("majority"), None, ("", "")),
        ("codelab".to_owned(), Some("grid:3x3"), ("max_turns", "3")),
        ("warzone".to_owned(), Some("grid:3x3"), ("max_turns", "3")),
        ("starwars".to_owned(), None, ("max_turns", "1")),
    ];
    each(0..cases.len(), |&number| {
        let (ruleset, map, option) = &cases[number];
        let options = if option.0.is_empty() {
            &[][..]
        } else {
            &[*option][..]
        };
        // The ruleset's own calls have the same limit.
        let least = if ruleset == "starwars" {
            100_000
        } else {
            5_000
        };
        for text in SEARCHES {
            for budget in [least, 300_000] {
                let mut setup = setup_of(text, ruleset, *map, options);
                setup.limits.budget = Budget(budget);
                let mut worker = Worker::new(&setup).unwrap();
                let digests = [0, 1, 0].map(|number| {
                    let mut faults = FirstFaults::default();
                    let finished = worker.play(number, &mut faults);
                    assert_eq!(faults.faults, [], "{ruleset} {budget} {text}");
                    assert!(
                        finished.outcome.is_ok(),
                        "{ruleset}: {:?}",
                        finished.outcome
                    );
                    finished.game.digest()
                });
                assert_eq!(digests[0], digests[2], "{ruleset} {budget} {text}");
            }
        }
    });
}

#[test]
fn threads_change_nothing() {
    let setup = setup_of(SEARCHES[1], &path("majority"), None, &[]);
    let played = [1, 2, 10]
        .map(|threads| -> Vec<GameResult> { play_many(&setup, 0, 6, threads, |_| {}).unwrap() });
    assert_eq!(played[0], played[1]);
    assert_eq!(played[0], played[2]);
}

#[test]
fn a_script_may_compare_positions() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sides.rhai");
    std::fs::write(&file, SIDES).unwrap();
    let went = |settings: &str| {
        let text = format!("fn answer(view, ask) {{ ask.search({settings}) }}");
        sides_chosen(&setup_of(&text, file.to_str().unwrap(), None, &[]))
    };
    assert_eq!(went(""), [4, 0]);
    let right = "worth: |view, who| view.get(who, \"right\")";
    assert_eq!(went(&format!("#{{ {right} }}")), [0, 4]);
    // The operations of the function itself count.
    let slow = "worth: |view, who| { let sum = 0; for n in 0..300 { sum += n; } view.get(who, \"right\") }";
    assert_eq!(went(&format!("#{{ {slow} }}")), [0, 4]);
}

/// Wrong settings, and functions that fail, are faults of the bot, with the place in the script.
#[test]
fn wrong_settings_are_faults() {
    let cases = [
        ("#{ rollout: 3 }", FaultKind::Script),
        ("#{ rollouts: 0 }", FaultKind::Script),
        ("#{ rollouts: 1.5 }", FaultKind::Script),
        ("#{ rollouts: 100001 }", FaultKind::Script),
        ("#{ policy: \"general\" }", FaultKind::Script),
        ("#{ policy: 3 }", FaultKind::Script),
        ("#{ worth: 3 }", FaultKind::Script),
        ("#{ worth: |view| 3 }", FaultKind::Script),
        ("#{ worth: |view, who| \"much\" }", FaultKind::Script),
        ("#{ worth: |view, who| view.owner(-5) }", FaultKind::Script),
        (
            "#{ worth: |view, who| view.imagine().score(who) }",
            FaultKind::Script,
        ),
        ("#{ worth: |view, who| loop {} }", FaultKind::Budget),
    ];
    for (settings, kind) in cases {
        let text = format!("fn answer(view, ask) {{\n    ask.search({settings})\n}}");
        let mut setup = setup_of(&text, "codelab", Some("grid:3x3"), &[("max_turns", "1")]);
        setup.limits.budget = Budget(1_000_000);
        let mut worker = Worker::new(&setup).unwrap();
        let mut faults = FirstFaults::default();
        worker.play(0, &mut faults);
        let fault = faults.faults.first().expect(settings);
        assert_eq!(fault.kind, kind, "{settings}: {fault:?}");
        let place = fault
            .finding("searcher", risk_text::diag::Level::Deny)
            .place;
        let line = place.map(|place| place.line_column().0);
        let expected = if kind == FaultKind::Script { 2 } else { 1 };
        assert_eq!(line, Some(expected), "{settings}: {fault:?}");
    }
}
