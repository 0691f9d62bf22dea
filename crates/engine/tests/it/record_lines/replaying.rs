//! Records of games by unusual bots, verified in this process.

use risk_engine::record::{Playback, Recorder, VerifyError, header, read, verify};
use risk_engine::{HostedBot, Setup, Worker, hosted};
use risk_kernel::action::Options;
use risk_kernel::declare::Strikes;
use risk_kernel::fault::{BotFault, Exchange, FaultKind};
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, NullSink, OptionalPhases, Preferences, Strike};
use risk_testing::games::library;

use super::summed;
use risk_testing::games::{setup, without_sum};
use risk_testing::toy::LENIENT;

/// Takes the first option, and fails every third request with a longer exchange than a record
/// keeps.
struct Talker(u32);

impl Bot for Talker {
    fn answer(&mut self, _: &View, ask: &Options) -> Result<Answer, BotFault> {
        self.0 += 1;
        if self.0.is_multiple_of(3) {
            return Err(BotFault::strike(FaultKind::Connection, "no".to_owned()));
        }
        Ok(Answer::One(ask.nth(0)))
    }
}

impl HostedBot for Talker {
    fn faulted(&mut self, _: &View, _: &Strike<'_>) -> Option<Exchange> {
        Some(Exchange {
            request: "q".repeat(70_000),
            answer: "a".repeat(20_000),
        })
    }
}

#[test]
fn faults_with_long_exchanges_hold_and_forged_ones_do_not() {
    let mut setup = setup("hasbro", None, &["random"; 3], 1, &[("max_turns", "3")]);
    let policy = Strikes {
        limit: 0,
        ..LENIENT
    };
    setup.strikes = Some(policy);
    let mut worker = Worker::new(&setup).unwrap();

    let mut recorder = Recorder::new(Vec::new(), &header(&worker, 0));
    let mut bots: Vec<_> = (0..3)
        .map(|_| Box::new(Talker(0)) as Box<dyn HostedBot>)
        .collect();
    let finished = worker.play_with(0, &mut bots, &mut recorder);
    let text = recorder
        .finish(finished.outcome.as_ref().ok(), &finished.game)
        .unwrap();
    let text = String::from_utf8(text).unwrap();
    let record = read(&text).unwrap();
    let count = |kind: &str| text.matches(&format!("{{\"line\":\"{kind}\"")).count() as u64;
    assert!(count("fault") > 10 && text.contains("… (70000 bytes in all)"));
    let verified = verify(&record, &mut worker).unwrap();
    assert!(verified.whole && verified.lines == text.lines().count());
    assert_eq!(
        (verified.answers, verified.digests),
        (count("answer"), count("turn") + count("end"))
    );
    // The kind of line, the first of which is forged; the key, and what is put before its value.
    // Another state changes the digest too; the error names the cause.
    for (kind, key, more) in [
        ("fault", "n", "9"),
        ("fault", "strikes", "7"),
        ("turn", "round", "5"),
    ] {
        let from = &format!("\"{key}\":");
        let to = &format!("{from}{more}");
        let at = text.find(&format!("{{\"line\":\"{kind}\"")).unwrap();
        let unsummed: String = format!("{}{}", &text[..at], text[at..].replacen(from, to, 1))
            .lines()
            .map(|line| format!("{}}}\n", without_sum(line)))
            .collect();
        let unsummed = if kind == "turn" {
            other_digest(&unsummed)
        } else {
            unsummed
        };
        let Err(VerifyError::Differs(mismatch)) =
            verify(&read(&summed(&unsummed)).unwrap(), &mut worker)
        else {
            panic!("{to} is believed");
        };
        let names = mismatch.text.contains(&format!("`{key}`"));
        assert!(names && mismatch.text.contains(more), "{to}: {mismatch}");
    }
}

/// Changes the first digit of the first digest.
fn other_digest(text: &str) -> String {
    let at = text.find("\"digest\":\"").unwrap() + 10;
    let digit = if text[at..].starts_with('0') {
        "1"
    } else {
        "0"
    };
    format!("{}{digit}{}", &text[..at], &text[at + 1..])
}

/// Decides wherever it may, and takes a different option each time.
struct Chooser(u64);

impl Bot for Chooser {
    fn answer(&mut self, _: &View, ask: &Options) -> Result<Answer, BotFault> {
        self.0 += 7;
        Ok(Answer::One(ask.nth(self.0 % ask.len())))
    }

    fn preferences(&self) -> Preferences<'_> {
        Preferences {
            optional: OptionalPhases::All,
            ..Preferences::default()
        }
    }
}

/// Plays a game of choosers and returns its record.
fn chosen(setup: &Setup, worker: &mut Worker<'_>) -> String {
    let head = header(worker, 0);
    let mut recorder = Recorder::new(Vec::new(), &head);
    let mut bots: Vec<_> = (0..setup.bots.len())
        .map(|seat| hosted(Chooser(seat as u64)))
        .collect();
    let finished = worker.play_with(0, &mut bots, &mut recorder);
    String::from_utf8(
        recorder
            .finish(finished.outcome.as_ref().ok(), &finished.game)
            .unwrap(),
    )
    .unwrap()
}

#[test]
fn what_a_player_may_leave_to_the_rules_and_does_not_is_replayed() {
    let setup = setup("starwars", None, &["random"; 2], 2, &[("max_turns", "200")]);
    let mut worker = Worker::new(&setup).unwrap();
    let text = chosen(&setup, &mut worker);
    assert!(text.contains("\"say\":\"hit "));
    verify(&read(&text).unwrap(), &mut worker).unwrap();
}

#[test]
fn the_replay_of_a_record_that_was_cut_off_adds_no_answers() {
    let setup = setup("warzone", None, &["random"; 3], 1, &[("max_turns", "2")]);
    let mut worker = Worker::new(&setup).unwrap();
    let text = chosen(&setup, &mut worker);
    let ends = text.match_indices('\n').map(|(at, _)| at + 1).take(90);
    for cut in ends.map(|end| read(&text[..end]).unwrap()) {
        let mut playback = Playback::new(&cut, None);
        let game = worker.play_with(0, &mut playback.seats, &mut NullSink).game;
        assert_eq!(playback.mismatch(), None);
        assert!(
            game.answers() <= cut.answers(),
            "{} of {}",
            game.answers(),
            cut.answers()
        );
    }
}

#[test]
fn a_ruleset_that_fails_again_is_told_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fails.rhai");
    let rules = "fn ruleset() { #{ extends: \"hasbro\", name: \"fails\" } }\nfn on_conquest(g, me, at) { throw \"no\" }\n";
    std::fs::write(&path, rules).unwrap();
    let mut setup = setup("hasbro", None, &["random"; 3], 1, &[]);
    setup.rules.ruleset = risk_engine::load_ruleset(library(), path.to_str().unwrap()).unwrap();
    let mut worker = Worker::new(&setup).unwrap();
    let record = read(&chosen(&setup, &mut worker)).unwrap();
    assert!(!record.is_whole());
    assert!(matches!(
        verify(&record, &mut worker),
        Err(VerifyError::Rules(_))
    ));
}

#[test]
fn what_the_record_has_wrong_is_told_before_a_ruleset_that_fails_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fails.rhai");
    let rules = "fn ruleset() { #{ extends: \"hasbro\", name: \"fails\", phases: #{ income: script() } } }\nfn income_enter(g, me) { if g.turn == 3 { throw \"no\"; } }\n";
    std::fs::write(&path, rules).unwrap();
    let mut setup = setup("hasbro", None, &["random"; 3], 1, &[]);
    setup.rules.ruleset = risk_engine::load_ruleset(library(), path.to_str().unwrap()).unwrap();
    let mut worker = Worker::new(&setup).unwrap();
    let text = chosen(&setup, &mut worker);
    let last = text.lines().last().unwrap();
    assert!(last.contains("\"line\":\"turn\"") && last.contains("\"turn\":3"));
    let record = read(&text).unwrap();
    assert!(matches!(
        verify(&record, &mut worker),
        Err(VerifyError::Rules(_))
    ));
    // The turn is compared before the ruleset fails and before any bot is asked.
    let edited = risk_testing::edits::chained(&text.replace("\"turn\":3", "\"turn\":4"));
    let Err(VerifyError::Differs(mismatch)) = verify(&read(&edited).unwrap(), &mut worker) else {
        panic!("the record's fault is told first");
    };
    assert_eq!(mismatch.line, text.lines().count());
    let facts = ["`turn`", "4", "3"];
    let holds = facts.iter().all(|fact| mismatch.text.contains(fact));
    assert!(holds, "{mismatch}");
}
