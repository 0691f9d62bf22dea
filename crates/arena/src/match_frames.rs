//! The frames that viewers of a match receive: only public frames during the match, and all frames
//! after its end.

use std::sync::Arc;

use serde_json::{Value, json};

use super::hosted::PublishedMatch;
use risk_engine::acts::Eyes;
use risk_kernel::declare::{Declaration, Visibility};
use risk_kernel::event::Event;
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::GameKey;
use risk_kernel::state::GameState;
use risk_kernel::view::{in_public, is_open};
use risk_kernel::{FinishedGame, Moment, Sink};
use risk_report::viewer::timeline::Timeline;
use risk_report::viewer::{self, Frames, GamePageInfo};

/// The frames for viewers of a match, and the frames held back until its end.
pub(super) struct MatchFrames {
    public: Frames,
    /// All frames, if the ruleset hides anything. They are not accessible before the end.
    all: Option<(Frames, Timeline)>,
    has_begun: bool,
}

impl MatchFrames {
    pub(super) fn new(names: &[String]) -> Self {
        Self {
            public: Frames::new(names.to_vec(), Eyes::Public),
            all: None,
            has_begun: false,
        }
    }

    pub(super) fn event(&mut self, hosted: &PublishedMatch, game: Moment<'_>, event: &Event) {
        if !self.has_begun {
            self.has_begun = true;
            if hides_something(game.decl()) {
                let frames = Frames::new(hosted.names.clone(), Eyes::All);
                self.all = Some((frames, Timeline::default()));
            }
            // The frames contain the state of the board.
            let empty = GameState::new(
                Arc::clone(game.board()),
                Arc::clone(game.decl()),
                hosted.names.len(),
                GameKey::of_numbers(0, hosted.number),
            );
            hosted.empty.get_or_init(|| empty);
            let head = head(hosted, &game, None);
            hosted.timeline().replace(Timeline::new(head));
        }
        self.public.event(game, event);
        if let Some((frames, _)) = &mut self.all {
            // The text of a fault is for the bot's owner, after the match as well.
            let fault = match event {
                Event::Faulted { .. } => in_public(&game, event),
                _ => None,
            };
            frames.event(game, fault.as_ref().unwrap_or(event));
        }
    }

    /// Publishes the frames so far, before a player is asked.
    pub(super) fn show(&mut self, hosted: &PublishedMatch, game: &GameState) {
        if let Some((frames, timeline)) = &mut self.all {
            add(timeline, frames, game, false);
        }
        let mut timeline = hosted.timeline();
        if add(&mut timeline, &mut self.public, game, false) {
            drop(timeline);
            hosted.notify_viewers();
        }
    }

    /// Adds the last frame, and stores everything for [`PublishedMatch::reveal`].
    pub(super) fn finish(mut self, hosted: &PublishedMatch, finished: &FinishedGame) {
        let FinishedGame { game, outcome } = finished;
        let head = head(hosted, game, outcome.as_ref().ok());
        add(&mut hosted.timeline(), &mut self.public, game, true);
        let all = self.all.map(|(mut frames, mut timeline)| {
            add(&mut timeline, &mut frames, game, true);
            timeline.pack();
            timeline
        });
        hosted.keep_all(head, all);
    }
}

/// Adds the frames so far, or the last frames, to a timeline. Returns `true` if there were any.
fn add(timeline: &mut Timeline, frames: &mut Frames, game: &GameState, is_last: bool) -> bool {
    if timeline.is_full() {
        timeline.begin_anew();
        frames.begin_anew();
    }
    let new = match is_last {
        true => frames.take_last(game),
        false => frames.take(game),
    };
    let is_news = !new.is_empty();
    timeline.add(new);
    is_news
}

/// Returns the data that applies to the whole match, with the outcome if the match is over.
fn head(hosted: &PublishedMatch, game: &GameState, outcome: Option<&Outcome>) -> Value {
    let about = GamePageInfo {
        names: hosted.names.clone(),
        ..GamePageInfo::default()
    };
    let mut head = viewer::head(&about, game, outcome);
    head["of"] = json!(format!("Match {}, decision ", hosted.number));
    head["live"] = json!(outcome.is_none());
    head
}

/// Reports whether anything is hidden from any viewer during the match.
fn hides_something(decl: &Declaration) -> bool {
    let mut declared = decl.counters.iter().chain(&decl.piles);
    !is_open(decl)
        || declared.any(|info| info.seen != Visibility::All)
        || decl.phases.iter().any(|phase| phase.secret)
}
