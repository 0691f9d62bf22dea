//! The changes of each decision, for the script of the page.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};

use crate::story::Story;
use risk_kernel::Sink;
use risk_kernel::declare::{Sight, Visibility};
use risk_kernel::event::{Event, Status};
use risk_kernel::fault::BotFault;
use risk_kernel::id::{Counter, Pile, Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::view::{in_public, is_open};
use risk_text::escape_control;
use risk_text::paint::Paint;

/// The paint for the story on a page: each sentence has its own line.
pub(super) const PAGE: Paint = Paint {
    colour: false,
    width: 62,
};

/// A sink that keeps the changes of each decision. A frame is the state after all effects of a
/// decision. Frame 0 is the board at the first question.
pub struct Frames {
    story: Story<Lines>,
    lines: Lines,
    /// The state after the last event.
    last: Option<GameState>,
    /// The values after the frames so far.
    known: LastValues,
    /// The frames that have not been taken yet.
    ready: Vec<String>,
    /// Whether to keep only what is visible to everybody, players included.
    in_public: bool,
    /// The number of answers when the last secret phase began.
    secret_from: u64,
    eliminated: Vec<usize>,
    faulted: Vec<usize>,
    phase: i64,
}

/// The values whose changes are part of frames.
#[derive(Default)]
struct LastValues {
    territories: Vec<Vec<i64>>,
    numbers: Vec<i64>,
    piles: Vec<Value>,
    sights: Vec<String>,
    when: Vec<i64>,
}

impl Frames {
    /// Creates the frames of a game with players of these names.
    #[must_use]
    pub fn new(names: Vec<String>) -> Self {
        let lines = Lines::default();
        Self {
            story: Story::new(lines.clone(), PAGE, names),
            lines,
            last: None,
            known: LastValues::default(),
            ready: Vec::new(),
            in_public: false,
            secret_from: 0,
            eliminated: Vec::new(),
            faulted: Vec::new(),
            phase: -1,
        }
    }

    /// Creates the frames for spectators of a running game. They contain nothing that is hidden
    /// from any player, and no moment of a phase with secret decisions.
    #[must_use]
    pub fn in_public(names: Vec<String>) -> Self {
        let lines = Lines::default();
        Self {
            story: Story::new(lines.clone(), PAGE, names.clone()).in_public(),
            lines,
            in_public: true,
            ..Self::new(names)
        }
    }

    /// Drops the frames that have not been taken yet. The next frame contains all values, not only
    /// changes.
    pub fn begin_anew(&mut self) {
        self.ready.clear();
        self.known = LastValues::default();
    }

    /// Takes the frames so far, as JSON objects. At a question, they include all effects of the
    /// last decision.
    pub fn take(&mut self) -> Vec<String> {
        self.frame();
        std::mem::take(&mut self.ready)
    }

    /// Takes the frames like [`Frames::take`], at the end of a game or of its events.
    pub fn take_last(&mut self, game: &GameState) -> Vec<String> {
        self.story.pause(game);
        self.last = Some(game.clone());
        self.end_frame();
        std::mem::take(&mut self.ready)
    }

    /// Returns the head and all frames as JSON.
    pub(super) fn finish(mut self, game: &GameState, head: &Value) -> String {
        let frames = self.take_last(game);
        let mut text = head.to_string();
        // The head is an object, and the frames become its last entry.
        text.truncate(text.len() - 1);
        format!("{text},\"frames\":[{}]}}", frames.join(","))
    }

    /// Ends the frame of the decisions so far, unless it is hidden in a secret phase.
    fn frame(&mut self) {
        let from = self.secret_from;
        let is_hidden = |game: &GameState| is_secret(game) && game.answers() != from;
        if !(self.in_public && self.last.as_ref().is_some_and(is_hidden)) {
            self.end_frame();
        }
    }

    fn tell(&mut self, game: &GameState, event: &Event) {
        if !self.in_public {
            self.story.event(game, event);
        } else if let Some(event) = in_public(game, event) {
            self.story.event(game, &event);
        }
    }

    fn end_frame(&mut self) {
        let Some(game) = self.last.take() else { return };
        let in_public = self.in_public;
        let mut frame = Map::new();
        let mut put = |key: &str, value: Value| {
            frame.insert(key.to_owned(), value);
        };
        let when = vec![
            game.answers() as i64,
            game.round().into(),
            game.turn().into(),
            seat(game.mover()),
            self.phase,
        ];
        if self.known.when != when {
            put("w", json!(when));
        }
        self.known.when = when;
        let territories = changes(&mut self.known.territories, territories(&game, in_public));
        if !territories.is_empty() {
            let flat = territories.into_iter().map(|(at, mut territory)| {
                territory.insert(0, at as i64);
                json!(territory)
            });
            put("l", flat.collect());
        }
        let numbers = changes(&mut self.known.numbers, numbers(&game, in_public));
        if !numbers.is_empty() {
            put("n", json!(numbers));
        }
        let piles = changes(&mut self.known.piles, piles(&game, in_public));
        if !piles.is_empty() {
            put("p", json!(piles));
        }
        if !in_public && !is_open(game.decl()) {
            let sights = changes(&mut self.known.sights, sights(&game));
            if !sights.is_empty() {
                put("s", json!(sights));
            }
        }
        for (key, seats) in [("x", &mut self.eliminated), ("k", &mut self.faulted)] {
            if !seats.is_empty() {
                put(key, json!(std::mem::take(seats)));
            }
        }
        let lines = self.lines.take();
        if !lines.is_empty() {
            put("t", json!(lines));
        }
        self.ready.push(Value::Object(frame).to_string());
    }
}

impl Sink for Frames {
    fn event(&mut self, game: &GameState, event: &Event) {
        if let Some(last) = &self.last
            && last.answers() != game.answers()
        {
            self.frame();
        }
        self.tell(game, event);
        match event {
            Event::PhaseBegan { phase, .. } | Event::Answered { phase, .. } => {
                self.phase = phase.index() as i64;
                let begins = matches!(event, Event::PhaseBegan { .. });
                if begins && game.decl().phases[phase.index()].secret {
                    self.secret_from = game.answers();
                }
            }
            Event::Faulted { player, .. } => self.faulted.push(player.index()),
            Event::Status {
                player,
                now: Status::Eliminated,
            } => self.eliminated.push(player.index()),
            _ => {}
        }
        self.last = Some(game.clone());
    }

    fn fault(&mut self, player: Player, fault: &BotFault) {
        // The text of a fault may reveal hidden information of its player.
        if !self.in_public {
            self.story.fault(player, fault);
        }
    }
}

fn is_secret(game: &GameState) -> bool {
    let frame = game.frame();
    frame.is_some_and(|frame| game.decl().phases[frame.phase.index()].secret)
}

fn seat(player: Option<Player>) -> i64 {
    player.map_or(-1, |player| player.index() as i64)
}

/// Returns the values that differ from the known values, by place, and updates the known values.
fn changes<T: PartialEq + Clone + Default>(known: &mut Vec<T>, now: Vec<T>) -> Vec<(usize, T)> {
    let begun = !known.is_empty();
    known.resize(now.len(), T::default());
    let mut changed = Vec::new();
    for (place, (was, now)) in known.iter_mut().zip(now).enumerate() {
        if !begun || *was != now {
            changed.push((place, now.clone()));
            *was = now;
        }
    }
    changed
}

/// Returns the owner and the units of each kind, by territory. In public, hidden values are -1.
fn territories(game: &GameState, in_public: bool) -> Vec<Vec<i64>> {
    let kinds = game.decl().units.len();
    let decl = game.decl();
    let sees_owner = !in_public || decl.owners_seen == Sight::All;
    let sees_units = !in_public || decl.units_seen == Sight::All;
    let territory = |at: Territory| {
        let owner = if sees_owner { seat(game.owner(at)) } else { -1 };
        let units = (0..kinds).map(|unit| match sees_units {
            true => i64::from(game.units(at, Unit::from_index(unit))),
            false => -1,
        });
        [owner].into_iter().chain(units).collect()
    };
    game.board().territories().map(territory).collect()
}

/// Returns the holders of counters and piles: the seats, followed by the table.
fn holders(game: &GameState) -> impl Iterator<Item = Option<Player>> {
    game.seats().map(Some).chain([None])
}

/// Returns the status, the strikes and the number of waiting orders of each seat, followed by each
/// counter by holder. In public, hidden values are 0.
fn numbers(game: &GameState, in_public: bool) -> Vec<i64> {
    let mut all = Vec::new();
    for player in game.seats() {
        let orders = game.book().iter().filter(|order| order.player == player);
        all.push(match game.status(player) {
            Status::Playing => 0,
            Status::Neutral => 1,
            Status::Forfeited => 2,
            Status::Eliminated => 3,
        });
        all.push(game.strikes(player).into());
        all.push(if in_public { 0 } else { orders.count() as i64 });
    }
    for (counter, info) in game.decl().counters.iter().enumerate() {
        let counter = Counter::from_index(counter);
        let sees = !in_public || info.seen == Visibility::All;
        let value = |of| if sees { game.counter(counter, of) } else { 0 };
        all.extend(holders(game).map(value));
    }
    all
}

/// Returns each pile by holder: the cards from bottom to top, or their number if they are hidden.
fn piles(game: &GameState, in_public: bool) -> Vec<Value> {
    let mut all = Vec::new();
    for (pile, info) in game.decl().piles.iter().enumerate() {
        for of in holders(game) {
            let cards = game.pile(Pile::from_index(pile), of);
            let is_hidden = match info.seen {
                Visibility::All => false,
                Visibility::Owner => in_public,
                Visibility::Nobody => true,
            };
            all.push(if is_hidden {
                json!(cards.len())
            } else {
                cards.iter().map(|card| card.index()).collect()
            });
        }
    }
    all
}

/// Returns the sight of each seat as one digit per territory: 1 if the owner is visible, plus 2 if
/// the units are visible.
fn sights(game: &GameState) -> Vec<String> {
    let digit = |player, at| match (game.sees_owner(player, at), game.sees_units(player, at)) {
        (false, false) => '0',
        (true, false) => '1',
        (false, true) => '2',
        (true, true) => '3',
    };
    let all = |player| {
        let places = game.board().territories();
        places.map(|at| digit(player, at)).collect()
    };
    game.seats().map(all).collect()
}

/// A writer that keeps the lines of the story until they are taken.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.lock());
        let text = String::from_utf8_lossy(&bytes);
        text.lines()
            .map(|line| escape_control(line).into_owned())
            .collect()
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
