//! A match that the arena plays on its own thread.

use std::io::{self, LineWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::hosted::PublishedMatch;
use super::match_frames::MatchFrames;
use super::metrics::{Metrics, count};
use risk_engine::record::{self, MOST_BYTES, Recorder};
use risk_engine::script::ScriptRules;
use risk_engine::{SCRIPT_STACK, Setup, Worker};
use risk_kernel::event::Event;
use risk_kernel::id::PlayerSet;
use risk_kernel::outcome::Outcome;
use risk_kernel::view::Facts;
use risk_kernel::{FinishedGame, Moment, Rules, Sink, StopReason};
use risk_report::Tee;
use risk_report::story::{ONE_LINE, ended};
use risk_text::plural::counted;

/// The maximum length of a reported fault, in characters.
const SHOWN: usize = 400;

/// The function that reports to the operator.
pub(super) type OperatorLog = Arc<dyn Fn(&str) + Send + Sync>;

pub(super) struct HostedMatch {
    pub(super) watch: Arc<RunningMatch>,
    pub(super) setup: Setup,
    pub(super) record: Option<Box<dyn Write + Send>>,
    pub(super) listener: Option<Box<dyn Sink + Send>>,
    /// Called at the end, with a function that marks the match as over.
    pub(super) ended: Box<dyn FnOnce(&mut dyn FnMut()) + Send>,
}

impl HostedMatch {
    /// Begins the match on its own thread.
    pub(super) fn begin(self) -> io::Result<()> {
        let number = self.watch.hosted.number;
        let names = self.watch.hosted.names.join(", ");
        (self.watch.tell)(&format!("match {number} begins: {names}"));
        let builder = thread::Builder::new()
            .name(format!("match {number}"))
            .stack_size(SCRIPT_STACK);
        builder.spawn(move || self.play()).map(drop)
    }

    fn play(self) {
        let mut ending = EndGuard {
            watch: Arc::clone(&self.watch),
            ended: Some(self.ended),
            end: "the program failed".to_owned(),
            outcome: None,
        };
        let played = self.watch.play(&self.setup, self.record, self.listener);
        match played {
            Ok((end, outcome)) => {
                ending.end = end;
                ending.outcome = outcome;
            }
            Err(error) => ending.end = format!("failed to write the record: {error}"),
        }
    }
}

/// The last steps of a match, which run even after a panic.
struct EndGuard {
    watch: Arc<RunningMatch>,
    ended: Option<Box<dyn FnOnce(&mut dyn FnMut()) + Send>>,
    end: String,
    outcome: Option<Outcome>,
}

impl Drop for EndGuard {
    fn drop(&mut self) {
        let RunningMatch { hosted, tell, .. } = &*self.watch;
        tell(&format!("match {}: {}", hosted.number, self.end));
        self.watch.metrics.ended(self.outcome.is_some());
        let Some(ended) = self.ended.take() else {
            return;
        };
        ended(&mut || {
            let end = std::mem::take(&mut self.end);
            hosted.reveal(end, self.outcome.take());
        });
    }
}

/// A match in progress and the conditions that stop it.
pub(super) struct RunningMatch {
    pub(super) hosted: Arc<PublishedMatch>,
    pub(super) tell: OperatorLog,
    pub(super) metrics: Arc<Metrics>,
    /// Set to stop the match.
    pub(super) stop: Arc<AtomicBool>,
    /// Whether viewers see scores before the match ends.
    pub(super) shows_scores: bool,
    /// The time limit.
    pub(super) time: Duration,
    pub(super) until: Instant,
}

impl RunningMatch {
    /// Plays the match and returns its ending.
    fn play(
        self: &Arc<Self>,
        setup: &Setup,
        record: Option<Box<dyn Write + Send>>,
        mut listener: Option<Box<dyn Sink + Send>>,
    ) -> io::Result<(String, Option<Outcome>)> {
        let mut worker = match Worker::new(setup) {
            Ok(worker) => worker,
            Err(failure) => {
                let findings = failure.findings.iter();
                let texts: Vec<&str> = findings.map(|finding| finding.text.as_str()).collect();
                return Ok((format!("failed to set up: {}", texts.join("; ")), None));
            }
        };
        let number = self.hosted.number;
        let header = record::header(&worker, number);
        // Each line reaches the file, no matter how the program ends.
        let mut recorder = record.map(|out| Recorder::new(LineWriter::new(out), &header));
        let mut watcher = MatchPublisher::new(Arc::clone(self), setup);
        let mut tee = Tee(vec![&mut watcher]);
        if let Some(listener) = &mut listener {
            tee.0.push(listener.as_mut());
        }
        if let Some(recorder) = &mut recorder {
            tee.0.push(recorder);
        }
        let finished = worker.play(number, &mut tee);
        watcher.finish(&finished);
        let is_full = recorder.as_ref().is_some_and(Recorder::is_full);
        if let Some(recorder) = recorder {
            recorder.finish(finished.outcome.as_ref().ok(), &finished.game)?;
        }
        Ok(self.end(finished, is_full))
    }

    /// Returns the ending of the match.
    pub(super) fn end(
        &self,
        FinishedGame { game, outcome }: FinishedGame,
        is_full: bool,
    ) -> (String, Option<Outcome>) {
        let stop = match outcome {
            Ok(outcome) => {
                let text = ended(&game, &outcome, &self.hosted.names, ONE_LINE);
                return (text, Some(outcome));
            }
            Err(stop) => stop,
        };
        let end = match stop {
            StopReason::Rules(fault) => format!("the ruleset failed: {fault}"),
            StopReason::Halted if is_full => {
                format!("stopped: its record reached {MOST_BYTES} bytes")
            }
            StopReason::Halted if self.stop.load(Ordering::Relaxed) => {
                "stopped: the arena is closing".to_owned()
            }
            StopReason::Halted if self.hosted.dropped.load(Ordering::Relaxed) => {
                "stopped for a new game".to_owned()
            }
            StopReason::Halted => {
                let seconds = counted(self.time.as_secs(), "second");
                format!("stopped after {seconds}")
            }
        };
        (end, None)
    }
}

/// Binds the rules again to compute scores during the match.
fn rules(setup: &Setup) -> Option<ScriptRules> {
    let players = setup.bots.len();
    let bound = setup.rules.bind(players, &setup.limits);
    // The worker has already bound the same rules.
    bound.ok().map(|bound| bound.rules)
}

/// The sink that shows the game and stops it at the time limit.
pub(super) struct MatchPublisher {
    watch: Arc<RunningMatch>,
    /// The rules that compute scores, or `None` if scores are not shown.
    rules: Option<ScriptRules>,
    /// The frames for viewers, published before each question to a player.
    frames: MatchFrames,
    /// Players whose first fault has been reported to the operator.
    reported: PlayerSet,
}

impl MatchPublisher {
    pub(super) fn new(watch: Arc<RunningMatch>, setup: &Setup) -> Self {
        Self {
            rules: watch.shows_scores.then(|| rules(setup)).flatten(),
            reported: PlayerSet::default(),
            frames: MatchFrames::new(&watch.hosted.names),
            watch,
        }
    }

    fn show(&mut self, game: &Facts) {
        let scores = self.rules.as_mut().map(|rules| {
            let scores = game.seats().map(|player| rules.score(game, player));
            // A ruleset that fails here will fail at the end of the game as well.
            scores.map(Result::unwrap_or_default).collect()
        });
        let players = game.seats();
        let players = players.map(|player| (game.status(player), game.strikes(player)));
        self.watch.hosted.show(|shown| {
            shown.game = scores.is_some().then(|| game.clone());
            shown.scores = scores.unwrap_or_default();
            shown.when = (game.round(), game.turn());
            shown.players = players.collect();
        });
    }

    /// Shows the last state.
    pub(super) fn finish(mut self, finished: &FinishedGame) {
        self.show(&Facts::new(finished.game.clone()));
        self.frames.finish(&self.watch.hosted, finished);
    }
}

impl Sink for MatchPublisher {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        let hosted = &self.watch.hosted;
        self.frames.event(hosted, game, event);
        match event {
            Event::Answered { .. } => count(&self.watch.metrics.answers),
            Event::Faulted { kind, .. } => self.watch.metrics.faulted(kind.as_str()),
            _ => {}
        }
        if let Event::Faulted {
            player, kind, text, ..
        } = event
            && !self.reported.has(*player)
        {
            self.reported = self.reported.with(*player);
            let text: String = text.chars().take(SHOWN).collect();
            let hosted = &self.watch.hosted;
            let name = &hosted.names[player.index()];
            (self.watch.tell)(&format!(
                "match {}, first fault of {name} ({}): {text}",
                hosted.number,
                kind.as_str()
            ));
        }
    }

    fn halts(&mut self, game: &Facts) -> bool {
        self.show(game);
        self.frames.show(&self.watch.hosted, game);
        self.watch.stop.load(Ordering::Relaxed)
            || self.watch.hosted.dropped.load(Ordering::Relaxed)
            || Instant::now() >= self.watch.until
    }
}
