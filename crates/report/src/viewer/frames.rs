//! The changes of each decision, for the script of the page.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};

use super::moment::Moment;
use crate::story::Story;
use risk_kernel::Sink;
use risk_kernel::declare::{Declaration, Sight, Visibility};
use risk_kernel::event::{Event, Status};
use risk_kernel::fault::BotFault;
use risk_kernel::id::{Counter, Phase, Pile, Player, Territory};
use risk_kernel::state::GameState;
use risk_kernel::view::{in_public, is_open};
use risk_kernel::words::Words;
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
    /// The state after the last event, unless its frame has been taken.
    last: Option<GameState>,
    /// The game at the last event, from the second state on if the game goes on from a position.
    moment: Option<Moment>,
    /// The state from which a game goes on.
    base: Option<GameState>,
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
            last: None,
            moment: None,
            base: None,
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

    /// Takes the frames so far, as JSON objects. At a question, they include all effects of the
    /// last decision.
    pub fn take(&mut self) -> Vec<String> {
        self.frame(false);
        std::mem::take(&mut self.ready)
    }

    /// Takes the frames like [`Frames::take`], at the end of a game or of its events.
    pub fn take_last(&mut self, game: &GameState) -> Vec<String> {
        self.story.pause(game);
        self.last = Some(game.clone());
        let phase = self.moment.as_ref().and_then(|moment| moment.phase);
        let mut moment = Moment::of(game);
        moment.phase = phase.or(moment.phase);
        self.moment = Some(moment);
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

    /// Ends the frame of the steps so far, unless it is hidden in a secret phase.
    fn frame(&mut self, is_between: bool) {
        let from = self.secret_from;
        let is_hidden = |game: &GameState| {
            // Between the events of one state, its stack is that of the last one.
            let phase = self.moment.as_ref().and_then(|moment| moment.phase);
            let is_secret = match phase {
                Some(phase) if is_between => game.decl().phases[phase.index()].secret,
                _ => is_secret(game),
            };
            is_secret && game.answers() != from
        };
        if !(self.in_public && self.last.as_ref().is_some_and(is_hidden)) {
            self.end_frame();
        }
    }

    /// Adds an event to the story and to what is drawn. An event that begins a step ends the frame
    /// before it.
    fn tell(&mut self, game: &GameState, event: &Event, begins_step: bool) {
        // Answers may share a line of the story, as armies do that are placed one by one.
        let is_answer = matches!(event, Event::Answered { .. });
        if begins_step && !is_answer {
            self.story.end_act(self.last.as_ref().unwrap_or(game));
            self.end_step(true);
        }
        let public = self.in_public.then(|| in_public(game, event));
        let seen = public.as_ref().map_or(Some(event), Option::as_ref);
        if let Some(event) = seen {
            self.story.event(game, event);
        }
        if begins_step && is_answer {
            // These lines complete the steps before: a step's own lines come with its effects.
            self.end_step(false);
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

    fn end_step(&mut self, is_between: bool) {
        if self.last.is_none() {
            self.late.extend(self.lines.take());
        }
        self.frame(is_between);
        self.has_effects = false;
    }

    /// Follows the events. The first state of a game that goes on is known only after its events.
    fn follow(&mut self, game: &GameState, event: &Event) {
        match (&mut self.moment, &self.base) {
            (Some(moment), _) => moment.take(event),
            (None, None) if matches!(event, Event::Answered { .. } | Event::Faulted { .. }) => {
                self.base = Some(game.clone());
            }
            (None, Some(base)) if base.digest() == game.digest() => {}
            (None, Some(base)) => {
                let mut moment = Moment::of(base);
                moment.take(event);
                self.moment = Some(moment);
            }
            (None, None) => {
                let mut moment = Moment::before(game);
                moment.take(event);
                self.moment = Some(moment);
            }
        }
    }

    fn end_frame(&mut self) {
        let Some(game) = self.last.take() else { return };
        let of_state = self.moment.is_none().then(|| Moment::of(&game));
        let Some(moment) = self.moment.as_ref().or(of_state.as_ref()) else {
            return;
        };
        let phase = self.phase.take().or(moment.phase);
        let mut frame = self.known.changed(moment, phase, &game, self.in_public);
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
        moment: &Moment,
        phase: Option<Phase>,
        game: &GameState,
        in_public: bool,
    ) -> Map<String, Value> {
        let decl = game.decl();
        let mut frame = Map::new();
        let when = vec![
            moment.answers as i64,
            moment.round.into(),
            moment.turn.into(),
            seat(moment.mover),
            phase.map_or(-1, |phase| phase.index() as i64),
        ];
        if self.when != when {
            frame.insert("w".to_owned(), json!(when));
        }
        self.when = when;
        let all = territories(moment, game, in_public);
        let territories = changes(&mut self.territories, all).into_iter();
        let territories: Vec<Value> = territories
            .map(|(at, mut territory)| {
                territory.insert(0, at as i64);
                json!(territory)
            })
            .collect();
        let sights = match !in_public && !is_open(decl) {
            true => changes(&mut self.sights, sights(game)),
            false => Vec::new(),
        };
        for (key, all) in [
            ("l", json!(territories)),
            (
                "n",
                json!(changes(&mut self.numbers, numbers(moment, decl, in_public))),
            ),
            (
                "p",
                json!(changes(&mut self.piles, piles(moment, decl, in_public))),
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
    fn event(&mut self, game: &GameState, event: &Event) {
        let begins_step = match event {
            Event::Answered { .. } | Event::TurnBegan { .. } => true,
            // Orders that are announced together are one step.
            Event::Executed { .. } => self.has_effects,
            _ => false,
        };
        self.tell(game, event, begins_step);
        self.has_effects |= !matches!(event, Event::Answered { .. } | Event::Executed { .. });
        self.follow(game, event);
        match event {
            Event::Answered { phase, .. } => self.phase = Some(*phase),
            Event::Executed { .. } => {
                self.phase = self.moment.as_ref().and_then(|moment| moment.phase);
            }
            Event::PhaseBegan { phase, .. } if self.phase.is_none() => self.phase = Some(*phase),
            _ => {}
        }
        match event {
            Event::PhaseBegan { phase, .. } if game.decl().phases[phase.index()].secret => {
                self.secret_from = game.answers();
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
fn territories(moment: &Moment, game: &GameState, in_public: bool) -> Vec<Vec<i64>> {
    let decl = game.decl();
    let sees_owner = !in_public || decl.owners_seen == Sight::All;
    let sees_units = !in_public || decl.units_seen == Sight::All;
    let territory = |at: Territory| {
        let (owner, units) = moment.territory(at, decl.units.len());
        let owner = if sees_owner { seat(owner) } else { -1 };
        let units = units.into_iter();
        let units = units.map(|units| if sees_units { units.into() } else { -1 });
        [owner].into_iter().chain(units).collect()
    };
    game.board().territories().map(territory).collect()
}

/// Returns the status, the strikes and the number of waiting orders of each seat, followed by each
/// counter by holder. In public, hidden values are `None`.
fn numbers(moment: &Moment, decl: &Declaration, in_public: bool) -> Vec<Option<i64>> {
    let mut all = Vec::new();
    for player in moment.seats() {
        let status = match moment.board.status(player) {
            Status::Playing => 0,
            Status::Neutral => 1,
            Status::Forfeited => 2,
            Status::Eliminated => 3,
        };
        let strikes = moment.strikes[player.index()].into();
        let orders = moment.orders[player.index()] as i64;
        all.extend([Some(status), Some(strikes), (!in_public).then_some(orders)]);
    }
    for (counter, info) in decl.counters.iter().enumerate() {
        let counter = Counter::from_index(counter);
        let sees = !in_public || info.seen == Visibility::All;
        let value = |of| sees.then(|| moment.counter(counter, of));
        all.extend(moment.holders().map(value));
    }
    all
}

/// Returns each pile by holder: the cards from bottom to top, or their number if they are hidden.
fn piles(moment: &Moment, decl: &Declaration, in_public: bool) -> Vec<Value> {
    let mut all = Vec::new();
    for (pile, info) in decl.piles.iter().enumerate() {
        for of in moment.holders() {
            let cards = moment.pile(Pile::from_index(pile), of);
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
