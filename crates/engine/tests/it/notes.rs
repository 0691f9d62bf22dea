//! The notes that a match of many games keeps: the faults that happened, from the games that were
//! played.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use risk_engine::{BotSource, OwnBot, play_each_noted};
use risk_kernel::action::Options;
use risk_kernel::fault::{BotFault, FaultKind};
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot};
use risk_testing::games::setup;

/// A bot that fails at the tenth decision of a game, but only when it plays this game for the first
/// time, as programs do that keep files.
struct FailsOnce {
    seen: Arc<Mutex<BTreeSet<u64>>>,
    games: Arc<AtomicU64>,
    decisions: u32,
    game: u64,
    fails: bool,
}

impl Bot for FailsOnce {
    fn start(&mut self, _: &View, mut rng: Stream) {
        self.games.fetch_add(1, Ordering::Relaxed);
        self.decisions = 0;
        // The stream identifies the game.
        self.game = rng.below(4);
        let key = rng.word();
        self.fails = self.seen.lock().unwrap().insert(key);
    }

    fn answer(&mut self, _: &View, options: &Options) -> Result<Answer, BotFault> {
        self.decisions += 1;
        if self.fails && self.decisions == 10 {
            let text = format!("lost kind {} of file", self.game);
            return Err(BotFault::strike(FaultKind::Illegal, text));
        }
        Ok(Answer::One(options.nth(0)))
    }
}

#[test]
fn faults_are_those_of_the_games_that_were_played() {
    let notes_of = |jobs: usize| {
        let mut setup = setup(
            "codelab",
            Some("duel"),
            &["random", "random"],
            3,
            &[("max_turns", "20")],
        );
        let games = Arc::new(AtomicU64::new(0));
        let played = Arc::clone(&games);
        let seen = Arc::default();
        setup.bots[1].source = BotSource::Made(Arc::new(OwnBot::new(move || {
            Box::new(FailsOnce {
                seen: Arc::clone(&seen),
                games: Arc::clone(&played),
                decisions: 0,
                game: 0,
                fails: false,
            })
        })));
        let mut texts = Vec::new();
        let mut strikes = 0;
        play_each_noted(&setup, 0..40, jobs, false, |number, result, notes| {
            strikes += result.unwrap().faults.iter().sum::<u32>();
            let seating = setup.seating(number);
            for fault in notes.faults {
                assert_eq!(seating[fault.seat], 1);
                texts.push((number, fault.text));
            }
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(strikes, 40);
        assert_eq!(
            games.load(Ordering::Relaxed),
            40,
            "each game is played once"
        );
        texts
    };
    let notes = notes_of(1);
    // Three different texts, from the first games that have them.
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert_eq!(notes[0].0, 0);
    let different: BTreeSet<_> = notes.iter().map(|(_, text)| text).collect();
    assert_eq!(different.len(), 3, "{notes:?}");
    for jobs in [2, 5] {
        assert_eq!(notes_of(jobs), notes, "{jobs} threads");
    }
}
