//! A match that the arena plays, on a thread of its own, and what can be seen of it.

use std::collections::VecDeque;
use std::io::{self, LineWriter, Write};
use std::net::IpAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};
use tokio::sync::watch;

use super::lobby::Lobby;
use crate::kernel::event::Event;
use crate::kernel::id::{Player, PlayerSet};
use crate::kernel::outcome::Outcome;
use crate::kernel::state::GameState;
use crate::kernel::view::{in_public, is_open};
use crate::kernel::{Sink, Stop};
use crate::matches::{STACK, Setup, Worker};
use crate::record::{self, MOST_BYTES, Recorder};
use crate::report::Tee;
use crate::report::paint::Paint;
use crate::report::picture::colour_of;
use crate::report::story::{Story, ending};
use crate::text::escape_control;
use crate::text::plural::counted;

/// Lines of the story that are kept.
const LINES: usize = 120;
/// How much of a fault is told, in characters.
const SHOWN: usize = 400;
/// How the story is set: plain, and narrow enough for a phone.
const PAPER: Paint = Paint {
    colour: false,
    width: 60,
};

/// What is seen of a match.
#[derive(Default)]
pub(super) struct Shown {
    /// The game as it was last.
    pub(super) game: Option<GameState>,
    /// The story's last lines.
    lines: VecDeque<String>,
    /// How it ended, in words.
    end: Option<String>,
    /// The outcome, if it has one.
    outcome: Option<Outcome>,
}

impl Shown {
    /// May all of the board be seen? Where players do not see everything, others see it when all is
    /// over.
    pub(super) fn is_open(&self) -> bool {
        self.end.is_some() || self.game.as_ref().is_none_or(|game| is_open(game.decl()))
    }
}

/// A match.
pub(super) struct Hosted {
    pub(super) number: u64,
    /// The players' names by seat.
    pub(super) names: Vec<String>,
    /// The addresses that registered its bots.
    pub(super) from: Vec<IpAddr>,
    shown: Mutex<Shown>,
    /// Changes whenever something can be seen.
    pub(super) news: watch::Sender<u64>,
}

impl Hosted {
    pub(super) fn new(number: u64, setup: &Setup, from: Vec<IpAddr>) -> Self {
        let seating = setup.seating(number);
        let names = seating
            .into_iter()
            .map(|player| setup.bots[player].name.clone())
            .collect();
        Self {
            number,
            names,
            from,
            shown: Mutex::default(),
            news: watch::Sender::new(0),
        }
    }

    pub(super) fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, change: impl FnOnce(&mut Shown)) {
        change(&mut self.shown());
        self.news.send_modify(|count| *count += 1);
    }

    pub(super) fn is_over(&self) -> bool {
        self.shown().end.is_some()
    }

    /// How it ended, once it has.
    pub(super) fn end(&self) -> Option<String> {
        self.shown().end.clone()
    }

    /// Until it is over.
    pub(super) async fn over(&self) {
        let mut news = self.news.subscribe();
        while !self.is_over() && news.changed().await.is_ok() {}
    }

    /// The match in one line of a list.
    pub(super) fn summary(&self) -> Value {
        let shown = self.shown();
        json!({ "match": self.number, "players": self.names, "end": shown.end })
    }

    /// Everything that is seen, for the page.
    pub(super) fn state(&self) -> Value {
        let shown = self.shown();
        let open = shown.is_open();
        let lines: Vec<&str> = shown
            .lines
            .iter()
            .map(String::as_str)
            .filter(|_| open)
            .collect();
        let mut value = json!({ "match": self.number, "end": shown.end, "lines": lines, "lands": [], "players": [] });
        let Some(game) = &shown.game else {
            return value;
        };
        let seat = |who: Option<Player>| who.map_or(-1, |who| who.index() as i64);
        let place = |seat: usize| {
            let ranking = shown.outcome.as_ref().map(|outcome| &outcome.ranking);
            ranking
                .and_then(|ranking| ranking.iter().find(|rank| rank.who.index() == seat))
                .map(|rank| rank.place)
        };
        let players = game.seats().map(|who| {
            json!({
                "name": self.names[who.index()],
                "colour": colour_of(who.index()),
                "territories": open.then(|| game.territory_count(who)),
                "armies": open.then(|| game.strength(who)),
                "status": game.status(who).word(),
                "faults": game.strikes(who),
                "place": place(who.index()),
            })
        });
        value["players"] = players.collect();
        let land = |at| {
            if open {
                json!([seat(game.owner(at)), game.armies(at)])
            } else {
                json!([-1, 0])
            }
        };
        value["lands"] = game.board().territories().map(land).collect();
        value["round"] = json!(game.round());
        value["turn"] = json!(game.turn());
        value["mover"] = json!(seat(game.mover()));
        value
    }
}

/// Where a match's story goes, line by line.
struct Lines {
    hosted: Arc<Hosted>,
    begun: String,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.push_str(&String::from_utf8_lossy(bytes));
        while let Some(end) = self.begun.find('\n') {
            let line: String = self.begun.drain(..=end).collect();
            let mut shown = self.hosted.shown();
            if shown.lines.len() >= LINES {
                shown.lines.pop_front();
            }
            shown
                .lines
                .push_back(escape_control(line.trim_end()).into_owned());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Shows the game, and stops it when its time is up.
struct Watcher {
    hosted: Arc<Hosted>,
    lobby: Arc<Lobby>,
    story: Story<Lines>,
    until: Instant,
    /// Whose first fault has been told to whoever runs the arena.
    told: PlayerSet,
}

impl Sink for Watcher {
    fn event(&mut self, game: &GameState, event: &Event) {
        // Those who watch may be those who play.
        if let Some(event) = in_public(game, event) {
            self.story.event(game, &event);
        }
        if let Event::Faulted {
            who, kind, text, ..
        } = event
            && !self.told.has(*who)
        {
            self.told = self.told.with(*who);
            let text: String = text.chars().take(SHOWN).collect();
            let (number, name) = (self.hosted.number, &self.hosted.names[who.index()]);
            (self.lobby.desk.tell)(&format!(
                "match {number}, first fault of {name} ({}): {text}",
                kind.word()
            ));
        }
        if matches!(
            event,
            Event::Answered { .. }
                | Event::TurnBegan { .. }
                | Event::Faulted { .. }
                | Event::Ended { .. }
        ) {
            self.hosted.show(|shown| shown.game = Some(game.clone()));
        }
    }

    fn halts(&self) -> bool {
        self.lobby.stop.load(Ordering::Relaxed) || Instant::now() >= self.until
    }
}

/// What is left to do when a match ends, however it does.
struct Ending {
    lobby: Arc<Lobby>,
    hosted: Arc<Hosted>,
    end: String,
    outcome: Option<Outcome>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        (self.lobby.desk.tell)(&format!("match {}: {}", self.hosted.number, self.end));
        let (end, outcome) = (std::mem::take(&mut self.end), self.outcome.take());
        self.lobby.ended(|| {
            self.hosted.show(|shown| {
                shown.end = Some(end);
                shown.outcome = outcome;
            });
        });
    }
}

/// Begins a match on a thread of its own.
///
/// # Errors
/// When there is no thread for it.
pub(super) fn play(
    lobby: Arc<Lobby>,
    hosted: Arc<Hosted>,
    setup: Setup,
    out: Option<Box<dyn Write + Send>>,
) -> io::Result<()> {
    (lobby.desk.tell)(&format!(
        "match {} begins: {}",
        hosted.number,
        hosted.names.join(", ")
    ));
    let builder = thread::Builder::new()
        .name(format!("match {}", hosted.number))
        .stack_size(STACK);
    builder.spawn(move || {
        let end = "the program failed".to_owned();
        let mut ending = Ending {
            lobby: Arc::clone(&lobby),
            hosted: Arc::clone(&hosted),
            end,
            outcome: None,
        };
        ending.end = match run(&lobby, &hosted, &setup, out, &mut ending.outcome) {
            Ok(end) => end,
            Err(error) => format!("the record can't be written: {error}"),
        };
    })?;
    Ok(())
}

/// Plays a match; says how it ended.
fn run(
    lobby: &Arc<Lobby>,
    hosted: &Arc<Hosted>,
    setup: &Setup,
    out: Option<Box<dyn Write + Send>>,
    place: &mut Option<Outcome>,
) -> io::Result<String> {
    let mut worker = match Worker::new(setup) {
        Ok(worker) => worker,
        Err(failure) => {
            let texts: Vec<&str> = failure
                .findings
                .iter()
                .map(|finding| finding.text.as_str())
                .collect();
            return Ok(format!("it can't be played: {}", texts.join("; ")));
        }
    };
    let strikes = worker.decl().strikes;
    let header = record::header(setup, strikes, hosted.number);
    // What was played is in the file, however the program ends.
    let mut recorder = out.map(|out| Recorder::new(LineWriter::new(out), &header));
    let lines = Lines {
        hosted: Arc::clone(hosted),
        begun: String::new(),
    };
    let story = Story::new(lines, PAPER, hosted.names.clone()).in_public();
    let until = Instant::now() + lobby.plan.match_time;
    let (hosted_too, told) = (Arc::clone(hosted), PlayerSet::default());
    let mut watcher = Watcher {
        hosted: hosted_too,
        lobby: Arc::clone(lobby),
        story,
        until,
        told,
    };
    let mut fan = Tee(vec![&mut watcher]);
    if let Some(recorder) = &mut recorder {
        fan.0.push(recorder);
    }
    let finished = worker.play(hosted.number, &mut fan);
    let game = &finished.game;
    hosted.show(|shown| shown.game = Some(game.clone()));
    let full = recorder.as_ref().is_some_and(Recorder::is_full);
    if let Some(recorder) = recorder {
        recorder.finish(finished.outcome.as_ref().ok(), game)?;
    }
    match finished.outcome {
        Ok(outcome) => {
            watcher.story.finish(game, &outcome)?;
            let winners: Vec<String> = outcome
                .winners
                .iter()
                .map(|who| hosted.names[who.index()].clone())
                .collect();
            let end = ending(
                &winners,
                game.decl().sentences.of_ending(&outcome.reason),
                PAPER,
            );
            *place = Some(outcome);
            Ok(end)
        }
        Err(stop) => {
            watcher.story.stop(game)?;
            Ok(match stop {
                Stop::Rules(fault) => format!("the ruleset failed: {fault}"),
                Stop::Halted if full => format!("stopped, its record has {MOST_BYTES} bytes"),
                Stop::Halted if lobby.stop.load(Ordering::Relaxed) => {
                    "stopped, the arena closes".to_owned()
                }
                Stop::Halted => format!(
                    "stopped after {}",
                    counted(lobby.plan.match_time.as_secs(), "second")
                ),
            })
        }
    }
}
