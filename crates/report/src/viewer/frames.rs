//! The changes of each decision, for the script of the page.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};

use crate::story::Story;
use risk_kernel::declare::{Sight, Visibility};
use risk_kernel::event::{Event, Status};
use risk_kernel::fault::BotFault;
use risk_kernel::id::{Counter, Phase, Pile, Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::view::{in_public, is_open};
use risk_kernel::words::Words;
use risk_kernel::{EventFold, Moment, Sink};
use risk_text::paint::Paint;
use risk_text::{escape_control, isolated};

/// The paint for the story on a page: each sentence has its own line.
pub(super) const PAGE: Paint = Paint {
    colour: false,
    width: 46,
};

/// A sink that keeps the changes of each step of a game. A step is a decision, an executed order or
/// the beginning of a turn, with all its effects. Frame 0 is the board at the first question.
pub struct Frames {
    story: Story<Lines>,
    lines: Lines,
    /// Lines that complete the story of the frame before, which has been taken already.
    late: Vec<String>,
    /// What is drawn on the board: fights, dice, moves and captures.
    acts: Vec<Value>,
    /// Whether anything but the announcement of orders has happened in this frame.
    has_effects: bool,
    /// The phase of the frame's decision or orders, or else the first phase that began in it.
    phase: Option<Phase>,
    has_begun: bool,
    /// Whether anything has happened since the last frame.
    is_open: bool,
    /// The phase at the last event.
    last_phase: Option<Phase>,
    /// The values after the frames so far.
    known: LastValues,
    /// The frames that have not been taken yet.
    ready: Vec<String>,
    /// Whether to keep only what is visible to everybody, players included.
    in_public: bool,
    /// The names of the players, by seat.
    names: Vec<String>,
    /// The number of answers when the last secret phase began.
    secret_from: u64,
    eliminated: Vec<usize>,
    faulted: Vec<usize>,
}

/// The values whose changes are part of frames.
#[derive(Default)]
struct LastValues {
    territories: Vec<Vec<i64>>,
    numbers: Vec<Option<i64>>,
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
            story: Story::new(lines.clone(), PAGE, names.clone()),
            names,
            lines,
            late: Vec::new(),
            acts: Vec::new(),
            has_effects: false,
            phase: None,
            has_begun: false,
            is_open: false,
            last_phase: None,
            known: LastValues::default(),
            ready: Vec::new(),
            in_public: false,
            secret_from: 0,
            eliminated: Vec::new(),
            faulted: Vec::new(),
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

    /// Takes the frames so far, as JSON objects, at a question in this state. They include all
    /// effects of the last decision.
    pub fn take(&mut self, game: &GameState) -> Vec<String> {
        if self.is_open {
            self.frame(
                game,
                &EventFold::new(game),
                is_phase_secret(game, frame_phase(game)),
            );
        }
        std::mem::take(&mut self.ready)
    }

    /// Takes the frames like [`Frames::take`], at the end of a game or of its events.
    pub fn take_last(&mut self, game: &GameState) -> Vec<String> {
        self.story.pause();
        let phase = self.last_phase.or(frame_phase(game));
        let mut values = EventFold::new(game);
        values.phase = phase;
        self.end_frame(game, &values);
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

    /// Ends the frame of the steps so far, unless it is hidden in a secret phase.
    fn frame(&mut self, game: &GameState, values: &EventFold, is_secret: bool) {
        if !(self.in_public && is_secret && values.answers != self.secret_from) {
            self.end_frame(game, values);
        }
    }

    /// Adds an event to the story and to what is drawn. An event that begins a step ends the frame
    /// before it.
    fn tell(&mut self, moment: Moment<'_>, event: &Event, begins_step: bool) {
        let game: &GameState = &moment;
        // Answers may share a line of the story, as armies do that are placed one by one.
        let is_answer = matches!(event, Event::Answered { .. });
        if begins_step && !is_answer {
            self.story.end_act();
            self.end_step(moment, moment.before().phase);
        }
        let public = self.in_public.then(|| in_public(game, event));
        let seen = public.as_ref().map_or(Some(event), Option::as_ref);
        if let Some(event) = seen {
            self.story.event(moment, event);
        }
        if let Event::Answered { phase, .. } = event {
            // These lines complete the steps before: a step's own lines come with its effects.
            self.end_step(moment, Some(*phase));
        }
        let drawn = seen.and_then(act);
        self.acts.extend(drawn.map(|mut drawn| {
            if let (Some(event), Some(parts)) = (seen, drawn.as_array_mut()) {
                parts.extend(self.sentence(game, event).map(Value::from));
            }
            drawn
        }));
    }

    /// Returns the sentence about an answer or an order, unless a part of the board is hidden.
    fn sentence(&self, game: &GameState, event: &Event) -> Option<String> {
        let (Event::Answered { action, .. } | Event::Executed { action, .. }) = event else {
            return None;
        };
        if self.in_public && !is_open(game.decl()) {
            return None;
        }
        let words = Words::new(game.board(), game.decl());
        let name = |player: Player| self.names[player.index()].clone();
        Some(escape_control(&words.sentence_by(*action, &name)).into_owned())
    }

    fn end_step(&mut self, moment: Moment<'_>, phase: Option<Phase>) {
        if self.is_open {
            self.frame(&moment, moment.before(), is_phase_secret(&moment, phase));
        } else {
            self.late.extend(self.lines.take());
        }
        self.has_effects = false;
    }

    /// Ends a frame with the values after its events. `game` has the board and the declarations.
    fn end_frame(&mut self, game: &GameState, values: &EventFold) {
        self.is_open = false;
        let phase = self.phase.take().or(values.phase);
        let mut frame = self.known.changed(values, phase, game, self.in_public);
        // Parts without entries are left out.
        for (key, all) in [
            ("x", json!(std::mem::take(&mut self.eliminated))),
            ("k", json!(std::mem::take(&mut self.faulted))),
            ("b", json!(std::mem::take(&mut self.late))),
            ("t", json!(self.lines.take())),
            ("a", json!(std::mem::take(&mut self.acts))),
        ] {
            if all != json!([]) {
                frame.insert(key.to_owned(), all);
            }
        }
        let frame = Value::Object(frame).to_string();
        self.ready.push(isolated(&frame).into_owned());
    }
}

impl LastValues {
    /// Returns the values that have changed, as the keys `w`, `l`, `n`, `p` and `s` of a frame.
    fn changed(
        &mut self,
        values: &EventFold,
        phase: Option<Phase>,
        game: &GameState,
        in_public: bool,
    ) -> Map<String, Value> {
        let decl = game.decl();
        let mut frame = Map::new();
        let when = vec![
            values.answers as i64,
            values.round.into(),
            values.turn.into(),
            seat(values.mover),
            phase.map_or(-1, |phase| phase.index() as i64),
        ];
        if self.when != when {
            frame.insert("w".to_owned(), json!(when));
        }
        self.when = when;
        let all = territories(values, game, in_public);
        let territories = changes(&mut self.territories, all).into_iter();
        let territories: Vec<Value> = territories
            .map(|(at, mut territory)| {
                territory.insert(0, at as i64);
                json!(territory)
            })
            .collect();
        let sights = match !in_public && !is_open(decl) {
            true => changes(&mut self.sights, sights(values, game)),
            false => Vec::new(),
        };
        for (key, all) in [
            ("l", json!(territories)),
            (
                "n",
                json!(changes(&mut self.numbers, numbers(values, game, in_public))),
            ),
            (
                "p",
                json!(changes(&mut self.piles, piles(values, game, in_public))),
            ),
            ("s", json!(sights)),
        ] {
            if all != json!([]) {
                frame.insert(key.to_owned(), all);
            }
        }
        frame
    }
}

impl Sink for Frames {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        if !self.has_begun {
            self.has_begun = true;
            // Frame 0 of a game that goes on is the board from which it goes on.
            self.is_open = moment.before().phase.is_some();
        }
        let begins_step = match event {
            Event::Answered { .. } | Event::TurnBegan { .. } => true,
            // Orders that are announced together are one step.
            Event::Executed { .. } => self.has_effects,
            _ => false,
        };
        self.tell(moment, event, begins_step);
        self.has_effects |= !matches!(event, Event::Answered { .. } | Event::Executed { .. });
        self.is_open = true;
        self.last_phase = match event {
            Event::Answered { phase, .. } | Event::PhaseBegan { phase, .. } => Some(*phase),
            _ => moment.before().phase,
        };
        match event {
            Event::Answered { .. } | Event::Executed { .. } => self.phase = self.last_phase,
            Event::PhaseBegan { .. } => self.phase = self.phase.or(self.last_phase),
            _ => {}
        }
        match event {
            Event::PhaseBegan { phase, .. } if is_phase_secret(&moment, Some(*phase)) => {
                self.secret_from = moment.answers();
            }
            Event::Faulted { player, .. } => self.faulted.push(player.index()),
            Event::Status {
                player,
                now: Status::Eliminated,
            } => self.eliminated.push(player.index()),
            _ => {}
        }
    }

    fn fault(&mut self, player: Player, fault: &BotFault) {
        // The text of a fault may reveal hidden information of its player.
        if !self.in_public {
            self.story.fault(player, fault);
        }
    }
}

/// Returns what a page draws of an event: its kind, territories by index, players by seat, and
/// numbers.
fn act(event: &Event) -> Option<Value> {
    let of = |player: Player| player.index();
    Some(match event {
        Event::Fought(round) => json!([
            "fight",
            round.from.index(),
            round.to.index(),
            round.attackers,
            round.defenders,
            round.attacker_lost,
            round.defender_lost,
        ]),
        Event::Rolled { attack, defend } => json!(["dice", attack.values(), defend.values()]),
        &Event::Tried {
            tries,
            percent,
            successes,
        } => json!(["tries", tries, percent, successes]),
        Event::Captured(capture) => json!([
            "capture",
            capture.from.index(),
            capture.to.index(),
            of(capture.by),
            capture.moved,
            capture.unit.index(),
        ]),
        Event::Moved {
            from,
            to,
            unit,
            count,
        } => json!(["move", from.index(), to.index(), count, unit.index()]),
        Event::Answered { player, .. } | Event::Executed { player, .. } => {
            json!(["act", of(*player)])
        }
        _ => return None,
    })
}

fn frame_phase(game: &GameState) -> Option<Phase> {
    game.frame().map(|frame| frame.phase)
}

fn is_phase_secret(game: &GameState, phase: Option<Phase>) -> bool {
    phase.is_some_and(|phase| game.decl().phases[phase.index()].secret)
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
fn territories(values: &EventFold, game: &GameState, in_public: bool) -> Vec<Vec<i64>> {
    let decl = game.decl();
    let sees = |sight| !in_public || sight == Sight::All;
    let territory = |at: Territory| {
        let owner = if sees(decl.owners_seen) {
            seat(values.owner(at))
        } else {
            -1
        };
        let units = (0..decl.units.len()).map(|kind| match sees(decl.units_seen) {
            true => values.units(at, Unit::from_index(kind)).into(),
            false => -1,
        });
        [owner].into_iter().chain(units).collect()
    };
    game.board().territories().map(territory).collect()
}

/// Returns the holders of counters and piles: the seats, followed by the table.
fn holders(game: &GameState) -> impl Iterator<Item = Option<Player>> + use<> {
    game.seats().map(Some).chain([None])
}

/// Returns the status, the strikes and the number of waiting orders of each seat, followed by each
/// counter by holder. In public, hidden values are `None`.
fn numbers(values: &EventFold, game: &GameState, in_public: bool) -> Vec<Option<i64>> {
    let mut all = Vec::new();
    for player in game.seats() {
        let status = values.status(player);
        let status = Status::ALL.iter().position(|it| *it == status);
        let strikes = values.strikes(player).into();
        let orders = values.orders(player) as i64;
        let orders = (!in_public).then_some(orders);
        all.extend([status.map(|at| at as i64), Some(strikes), orders]);
    }
    for (counter, info) in game.decl().counters.iter().enumerate() {
        let counter = Counter::from_index(counter);
        let sees = !in_public || info.seen == Visibility::All;
        let value = |of| sees.then(|| values.counter(counter, of));
        all.extend(holders(game).map(value));
    }
    all
}

/// Returns each pile by holder: the cards from bottom to top, or their number if they are hidden.
fn piles(values: &EventFold, game: &GameState, in_public: bool) -> Vec<Value> {
    let mut all = Vec::new();
    for (pile, info) in game.decl().piles.iter().enumerate() {
        for of in holders(game) {
            let cards = values.pile(Pile::from_index(pile), of);
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
fn sights(values: &EventFold, game: &GameState) -> Vec<String> {
    let digit = |player, at| match values.sees(game, player, at) {
        [false, false] => '0',
        [true, false] => '1',
        [false, true] => '2',
        [true, true] => '3',
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
