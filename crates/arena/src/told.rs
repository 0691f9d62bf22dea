//! What those who watch a match are told of it, moment by moment: while it is played what everybody
//! may see, and all of it when it is over.

use serde_json::{Value, json};

use super::hosted::Hosted;
use super::timeline::Timeline;
use risk_kernel::declare::{Declaration, Visibility};
use risk_kernel::event::Event;
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_kernel::view::is_open;
use risk_kernel::{Finished, Sink};
use risk_report::viewer::{self, About, Frames};

/// What those who watch a match are told, and what they are not told yet.
pub(super) struct Told {
    public: Frames,
    /// All of it, where something is hidden meanwhile: nothing of that is at hand before the end.
    all: Option<(Frames, Timeline)>,
    has_begun: bool,
}

impl Told {
    /// Nothing yet, of players with these names.
    pub(super) fn new(names: &[String]) -> Self {
        Self {
            public: Frames::in_public(names.to_vec()),
            all: None,
            has_begun: false,
        }
    }

    /// Something has happened.
    pub(super) fn event(&mut self, hosted: &Hosted, game: &GameState, event: &Event) {
        if !self.has_begun {
            self.has_begun = true;
            if hides_something(game.decl()) {
                let frames = Frames::new(hosted.names.clone());
                self.all = Some((frames, Timeline::default()));
            }
            // What is on the board comes with the frames.
            let head = head(hosted, game, None);
            hosted.timeline().replace(Timeline::new(head));
        }
        self.public.event(game, event);
        if let Some((frames, _)) = &mut self.all {
            frames.event(game, event);
        }
    }

    /// Somebody is asked now: what has happened so far is told.
    pub(super) fn tell(&mut self, hosted: &Hosted) {
        if let Some((frames, timeline)) = &mut self.all {
            add(timeline, frames, None);
        }
        let mut timeline = hosted.timeline();
        if add(&mut timeline, &mut self.public, None) {
            drop(timeline);
            hosted.tell_news();
        }
    }

    /// The match is over: its last moment, and from [`Hosted::reveal`] on everything.
    pub(super) fn finish(mut self, hosted: &Hosted, finished: &Finished) {
        let Finished { game, outcome } = finished;
        let head = head(hosted, game, outcome.as_ref().ok());
        add(&mut hosted.timeline(), &mut self.public, Some(game));
        let all = self.all.map(|(mut frames, mut timeline)| {
            add(&mut timeline, &mut frames, Some(game));
            timeline.pack();
            timeline
        });
        hosted.keep_all(head, all);
    }
}

/// Adds the frames so far to a timeline, or the last ones; says whether there are any.
fn add(timeline: &mut Timeline, frames: &mut Frames, last: Option<&GameState>) -> bool {
    if timeline.is_full() {
        timeline.begin_anew();
        frames.begin_anew();
    }
    let new = match last {
        Some(game) => frames.take_last(game),
        None => frames.take(),
    };
    let is_news = !new.is_empty();
    timeline.add(new);
    is_news
}

/// What holds for a whole match; with its outcome when it is over.
fn head(hosted: &Hosted, game: &GameState, outcome: Option<&Outcome>) -> Value {
    let about = About {
        title: String::new(),
        names: hosted.names.clone(),
        // Whose bots they are, and where, is nobody's concern.
        bots: vec![String::new(); hosted.names.len()],
    };
    let mut head = viewer::head(&about, game, outcome);
    head["of"] = json!(format!("Match {}, decision ", hosted.number));
    head["live"] = json!(outcome.is_none());
    head
}

/// Is something hidden from anybody while the match is played?
fn hides_something(decl: &Declaration) -> bool {
    let mut declared = decl.counters.iter().chain(&decl.piles);
    !is_open(decl)
        || declared.any(|info| info.seen != Visibility::All)
        || decl.phases.iter().any(|phase| phase.secret)
}
