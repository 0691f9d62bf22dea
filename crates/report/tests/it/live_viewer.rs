//! Moments of a match for spectators: nothing that is hidden from any player while it is played,
//! and all of it when it is over.

use std::collections::BTreeSet;

use risk_engine::Worker;
use risk_engine::acts::Eyes;
use risk_kernel::event::Event;
use risk_kernel::state::GameState;
use risk_kernel::view::Facts;
use risk_kernel::{Moment, Sink};
use risk_report::viewer::Frames;
use risk_testing::by_case::each;
use risk_testing::games::setup;
use risk_testing::leaks::leak;
use serde_json::Value;

/// Collects frames for a page, and the numbers of answers within and outside secret phases.
struct FrameCollector {
    frames: Frames,
    told: Vec<String>,
    in_secret: BTreeSet<u64>,
    open: BTreeSet<u64>,
}

impl Sink for FrameCollector {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let game: &GameState = &moment;
        self.frames.event(moment, event);
        let frame = game.frame();
        let secret = frame.is_some_and(|it| game.decl().phases[it.phase.index()].secret);
        let begins = matches!(event, Event::PhaseBegan { .. });
        let set = if secret && !begins {
            &mut self.in_secret
        } else {
            &mut self.open
        };
        set.insert(game.answers());
    }

    fn halts(&mut self, game: &Facts) -> bool {
        self.told.extend(self.frames.take(game));
        false
    }
}

/// Plays a game; returns the first leak in its frames, and the number of frames.
fn leak_of(ruleset: &str, eyes: Eyes) -> (Option<String>, usize) {
    let (bots, options): (&[&str], &[(&str, &str)]) = match ruleset {
        "starwars" => (&["random"; 2], &[]),
        "warlight2" | "warlight1" => (&["marshal", "random"], &[("max_turns", "8")]),
        _ => (&["outnumber", "random", "random"], &[("max_turns", "12")]),
    };
    let setup = setup(ruleset, None, bots, 5, options);
    let mut worker = Worker::new(&setup).unwrap();
    let mut heard = FrameCollector {
        frames: Frames::new(bots.iter().map(|&bot| bot.to_owned()).collect(), eyes),
        told: Vec::new(),
        in_secret: BTreeSet::new(),
        open: BTreeSet::new(),
    };
    let finished = worker.play(0, &mut heard);
    let secret = &heard.in_secret - &heard.open;
    heard.told.extend(heard.frames.take_last(&finished.game));
    let read = |text: &String| serde_json::from_str(text).unwrap();
    let frames: Vec<Value> = heard.told.iter().map(read).collect();
    (leak(&frames, worker.decl(), &secret), frames.len())
}

#[test]
fn moments_for_those_who_watch_hide_what_is_hidden() {
    each(
        ["hasbro", "warlight2", "warlight1", "warzone", "starwars"],
        |ruleset| {
            let (leak, count) = leak_of(ruleset, Eyes::Public);
            assert_eq!(leak, None, "{ruleset}");
            assert!(count > 5, "{ruleset}: {count}");
            // Frames that hide nothing are found to leak.
            let (leak, _) = leak_of(ruleset, Eyes::All);
            assert!(leak.is_some(), "{ruleset}");
        },
    );
}

/// Restarts the frames in the middle of a game, before any is taken.
struct RestartedFrames(Frames);

impl Sink for RestartedFrames {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        self.0.event(moment, event);
        if moment.answers() == 100 && matches!(event, Event::Answered { .. }) {
            self.0.begin_anew();
        }
    }
}

#[test]
fn moments_that_begin_anew_tell_everything_first() {
    let setup = setup("hasbro", None, &["outnumber", "random", "random"], 5, &[]);
    let mut heard = RestartedFrames(Frames::new(vec![String::new(); 3], Eyes::Public));
    let finished = Worker::new(&setup).unwrap().play(0, &mut heard);
    let frames = heard.0.take_last(&finished.game);
    let first: Value = serde_json::from_str(&frames[0]).unwrap();
    assert!(first["w"][0].as_u64() >= Some(99), "{first}");
    let lands = first["l"].as_array().map(Vec::len);
    assert_eq!(lands, Some(finished.game.board().territories().count()));
}
