//! The visible part of a match that the arena plays.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use serde_json::{Value, json};
use tokio::sync::watch;

use super::broadcasts::Broadcasts;
use risk_engine::{Seed, Setup};
use risk_kernel::Sink;
use risk_kernel::event::Status;
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_kernel::view::{Facts, is_open};
use risk_report::picture::colour_of;
use risk_report::viewer::timeline::{Cursor, Timeline};

/// The visible state of a match.
#[derive(Default)]
pub(super) struct VisibleState {
    /// The state at the latest decision, if the arena's protocol shows it. The loop copies a game
    /// that is shared, so other arenas keep none.
    pub(super) game: Option<Facts>,
    /// The score of each player from the ruleset, by seat, if the arena shows scores.
    pub(super) scores: Vec<i64>,
    /// The round and the turn.
    pub(super) when: (u32, u32),
    /// The status and the number of faults of each player, by seat. Empty before the match.
    pub(super) players: Vec<(Status, u32)>,
    /// The ending in words, or `None` before the end of the match.
    pub(super) end: Option<String>,
    pub(super) outcome: Option<Outcome>,
}

impl VisibleState {
    /// Reports whether the whole board is visible. If it is partly hidden from players, viewers see
    /// it after the end.
    pub(super) fn is_open(&self) -> bool {
        self.end.is_some() || self.game.as_ref().is_none_or(|game| is_open(game.decl()))
    }
}

/// An additional listener to the events of a match.
pub(super) type Listener = Box<dyn Sink + Send>;

/// The part of one match that viewers can see. Viewers may include its players.
pub(super) struct PublishedMatch {
    pub(super) number: u64,
    /// The players' names by seat.
    pub(super) names: Vec<String>,
    /// The addresses that registered the bots.
    pub(super) from: Vec<IpAddr>,
    commitment: Option<String>,
    /// The seed and the salt, if they are shown after the match.
    dice: Option<(Seed, Seed)>,
    shown: Mutex<VisibleState>,
    /// The board before the match, without owners and units.
    pub(super) empty: OnceLock<GameState>,
    /// The frames for viewers.
    timeline: Mutex<Timeline>,
    /// The data published after the match: its head, and all frames if some were hidden.
    at_the_end: Mutex<Option<(Value, Option<Timeline>)>>,
    /// Set to stop a match that is no longer needed.
    pub(super) dropped: AtomicBool,
    /// The stored broadcasts. Empty unless the arena stores broadcasts.
    pub(super) broadcasts: Broadcasts,
    /// A counter that changes with every visible update.
    pub(super) news: watch::Sender<u64>,
}

impl PublishedMatch {
    pub(super) fn new(number: u64, setup: &Setup, from: Vec<IpAddr>) -> Self {
        let seating = setup.seating(number);
        let names = seating
            .into_iter()
            .map(|player| setup.bots[player].name.clone())
            .collect();
        Self {
            dice: setup.salt.clone().map(|salt| (setup.seed.clone(), salt)),
            ..Self::with_names(number, setup, names, from)
        }
    }

    /// Creates a match of players with these names, by seat. Later matches may use the same seed,
    /// so only the record reveals it.
    pub(super) fn with_names(
        number: u64,
        setup: &Setup,
        names: Vec<String>,
        from: Vec<IpAddr>,
    ) -> Self {
        Self {
            number,
            names,
            from,
            commitment: setup.commitment(),
            dice: None,
            shown: Mutex::default(),
            empty: OnceLock::new(),
            timeline: Mutex::default(),
            at_the_end: Mutex::default(),
            dropped: AtomicBool::new(false),
            broadcasts: Broadcasts::default(),
            news: watch::Sender::new(0),
        }
    }

    pub(super) fn shown(&self) -> MutexGuard<'_, VisibleState> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn show(&self, change: impl FnOnce(&mut VisibleState)) {
        change(&mut self.shown());
        self.notify_viewers();
    }

    pub(super) fn timeline(&self) -> MutexGuard<'_, Timeline> {
        self.timeline.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Signals an update to viewers.
    pub(super) fn notify_viewers(&self) {
        self.news.send_modify(|count| *count += 1);
    }

    /// Stores the data to publish after the match.
    pub(super) fn keep_all(&self, head: Value, all: Option<Timeline>) {
        let kept = &self.at_the_end;
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some((head, all));
    }

    /// Ends the match and publishes the hidden data.
    pub(super) fn reveal(&self, end: String, outcome: Option<Outcome>) {
        let kept = &self.at_the_end;
        let kept = kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut timeline = self.timeline();
        let (head, all) = kept.unwrap_or_default();
        if let Some(all) = all {
            timeline.replace(all);
        }
        timeline.change_head(|it| {
            if head.is_object() {
                *it = head;
            }
            if it.is_object() {
                it["end"] = json!(end);
                it["live"] = json!(false);
            }
        });
        timeline.pack();
        drop(timeline);
        self.show(|shown| {
            shown.end = Some(end);
            shown.outcome = outcome;
        });
    }

    pub(super) fn is_over(&self) -> bool {
        self.shown().end.is_some()
    }

    /// Returns the ending, or `None` before the end of the match.
    pub(super) fn end(&self) -> Option<String> {
        self.shown().end.clone()
    }

    /// Waits until the match is over.
    pub(super) async fn over(&self) {
        let mut news = self.news.subscribe();
        while !self.is_over() && news.changed().await.is_ok() {}
    }

    pub(super) fn commitment(&self) -> Option<&str> {
        self.commitment.as_deref()
    }

    /// Returns the seed and the salt of the commitment, or `None` before the end of the match.
    pub(super) fn revealed(&self) -> Option<&(Seed, Seed)> {
        self.dice.as_ref().filter(|_| self.is_over())
    }

    /// Adds the commitment to a document, with its seed and salt if the match is over.
    fn commit(&self, value: &mut Value, is_over: bool) {
        if let Some(commitment) = &self.commitment {
            value["commitment"] = json!(commitment);
        }
        if let Some((seed, salt)) = self.dice.as_ref().filter(|_| is_over) {
            value["seed"] = json!(seed);
            value["salt"] = json!(salt);
        }
    }

    /// Returns the entry of the match in a list.
    pub(super) fn summary(&self) -> Value {
        let shown = self.shown();
        let mut value = json!({ "match": self.number, "players": self.names, "end": shown.end });
        self.commit(&mut value, shown.end.is_some());
        value
    }

    /// Returns everything visible but the frames.
    pub(super) fn state(&self) -> Value {
        let shown = self.shown();
        let place = |seat: usize| {
            let mut ranking = shown.outcome.iter().flat_map(|outcome| &outcome.ranking);
            let rank = ranking.find(|rank| rank.player.index() == seat);
            rank.map(|rank| rank.place)
        };
        let players = shown.players.iter().enumerate();
        let players = players.map(|(seat, (status, faults))| {
            json!({
                "name": self.names[seat],
                "colour": colour_of(seat),
                "status": status.as_str(),
                "faults": faults,
                "place": place(seat),
            })
        });
        let players: Vec<Value> = players.collect();
        let (round, turn) = shown.when;
        let mut value = json!({
            "match": self.number, "end": shown.end, "players": players, "round": round,
            "turn": turn,
        });
        self.commit(&mut value, shown.end.is_some());
        value
    }

    /// Returns everything visible, with the first frames.
    pub(super) fn whole(&self) -> String {
        with_timeline(&self.state(), self.timeline().news(&mut Cursor::default()))
    }
}

/// Removes all matches that are over, except the last `kept`, and returns them.
pub(super) fn drop_old(
    matches: &mut BTreeMap<u64, Arc<PublishedMatch>>,
    kept: usize,
) -> Vec<Arc<PublishedMatch>> {
    let over = matches.values().filter(|it| it.is_over());
    let over: Vec<u64> = over.map(|it| it.number).collect();
    let old = over.iter().take(over.len().saturating_sub(kept));
    old.filter_map(|number| matches.remove(number)).collect()
}

/// Returns a JSON object with a timeline as its last entry, if there is one.
pub(super) fn with_timeline(value: &Value, timeline: Option<String>) -> String {
    let mut text = value.to_string();
    if let Some(timeline) = timeline {
        text.truncate(text.len() - 1);
        text += &format!(",\"timeline\":{timeline}}}");
    }
    text
}
