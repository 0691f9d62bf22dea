//! The changes of each step of a game, for the scripts of pages.

use serde_json::{Map, Value, json};

use crate::story::{StoryText, StoryTexts};
use risk_engine::acts::{Act, Acts, Cause, Effect, Eyes, Fight, FightResult};
use risk_kernel::declare::{MarkDecl, Sight, Visibility};
use risk_kernel::event::{Event, Status};
use risk_kernel::id::{Counter, Mark, Phase, Pile, Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::view::is_open;
use risk_kernel::{EventFold, Moment, Sink};
use risk_text::{escape_control, isolated};

/// The maximum number of rolls of a fight that are drawn. The last ones decide.
const MOST_ROLLS: usize = 3;

/// A sink that keeps the changes of each step of a game. A step is a decision, an executed order or
/// the beginning of a turn, with all its effects. Frame 0 is the board at the first question.
#[derive(Default)]
pub struct Frames {
    acts: Acts,
    texts: Option<StoryTexts>,
    /// The names of the players, by seat.
    names: Vec<String>,
    /// What the next frame draws on the board: fights and moves.
    drawn: Vec<Value>,
    /// The texts of the next frame.
    said: Vec<StoryText>,
    eliminated: Vec<usize>,
    faulted: Vec<usize>,
    /// Whether anything but the announcement of orders has happened in this frame.
    has_effects: bool,
    /// The phase of the frame's decision or orders, or else the first phase that began in it.
    phase: Option<Phase>,
    /// The phase at the last event.
    last_phase: Option<Phase>,
    /// Whether anything has happened since the last frame.
    is_open: bool,
    /// The number of answers when the last secret phase began.
    secret_from: u64,
    /// The values after the frames so far.
    known: LastValues,
    /// The frames that have not been taken yet.
    ready: Vec<String>,
}

/// The values whose changes are part of frames.
#[derive(Default)]
struct LastValues {
    territories: Vec<Vec<i64>>,
    numbers: Vec<Option<i64>>,
    piles: Vec<Value>,
    sights: Vec<String>,
    /// The values of each territory's marks. A value that is hidden is `None`.
    marks: Vec<Vec<Option<i32>>>,
    /// The pairs of territories between which borders are closed.
    closed: Vec<[usize; 2]>,
    when: Vec<i64>,
}

impl Frames {
    /// Creates the frames of a game with players of these names, for a viewer. For others than
    /// [`Eyes::All`], the game is running: the frames contain nothing that is hidden from the
    /// viewer, and no moment of a phase with secret decisions.
    #[must_use]
    pub fn new(names: Vec<String>, eyes: Eyes) -> Self {
        Self {
            acts: Acts::seen_by(eyes).of_steps(),
            names,
            ..Self::default()
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
        self.end_act();
        if self.is_open {
            let is_secret = is_phase_secret(game, frame_phase(game));
            self.frame(game, &EventFold::new(game), is_secret);
        }
        std::mem::take(&mut self.ready)
    }

    /// Takes the frames like [`Frames::take`], at the end of a game or of its events.
    pub fn take_last(&mut self, game: &GameState) -> Vec<String> {
        self.end_act();
        let mut values = EventFold::new(game);
        values.phase = self.last_phase.or(values.phase);
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

    /// Adds an act to the frame.
    fn add(&mut self, act: Act) {
        let by = act.action().map(|(player, _)| player);
        for effect in &act.effects {
            self.drawn.extend(drawn(effect, by));
            match effect {
                Effect::Event(Event::Faulted { player, .. }) => self.faulted.push(player.index()),
                Effect::Event(Event::Status {
                    player,
                    now: Status::Eliminated,
                }) => self.eliminated.push(player.index()),
                _ => {}
            }
        }
        let texts = self.texts.as_mut().map(|texts| texts.take(act));
        self.said.extend(texts.into_iter().flatten());
    }

    fn end_act(&mut self) {
        if let Some(act) = self.acts.rest() {
            self.add(act);
        }
    }

    /// Ends the frame of the steps so far, unless it is hidden in a secret phase.
    fn frame(&mut self, game: &GameState, values: &EventFold, is_secret: bool) {
        let is_hidden = is_secret && values.answers != self.secret_from;
        if self.acts.eyes() == Eyes::All || !is_hidden {
            self.end_frame(game, values);
        }
    }

    /// Ends a frame with the values after its events. `game` has the board and the declarations.
    fn end_frame(&mut self, game: &GameState, values: &EventFold) {
        self.is_open = false;
        let phase = self.phase.take().or(values.phase);
        let seen = SeenValues {
            values,
            game,
            eyes: self.acts.eyes(),
        };
        let mut frame = self.known.changed(&seen, phase);
        let said = std::mem::take(&mut self.said).into_iter().map(|said| {
            let text = escape_control(&said.text).into_owned();
            match said.is_heading {
                true => json!([seat(said.player), text, 1]),
                false => json!([seat(said.player), text]),
            }
        });
        // Parts without entries are left out.
        for (key, all) in [
            ("x", json!(std::mem::take(&mut self.eliminated))),
            ("k", json!(std::mem::take(&mut self.faulted))),
            ("t", said.collect()),
            ("a", json!(std::mem::take(&mut self.drawn))),
        ] {
            if all != json!([]) {
                frame.insert(key.to_owned(), all);
            }
        }
        let frame = Value::Object(frame).to_string();
        self.ready.push(isolated(&frame).into_owned());
    }
}

impl Sink for Frames {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let before = moment.before();
        if self.texts.is_none() {
            let texts = StoryTexts::new(&moment, before.round, &self.names, self.acts.eyes());
            self.texts = Some(texts);
            // Frame 0 of a game that goes on is the board from which it goes on.
            self.is_open = before.phase.is_some();
        }
        let begins_step = match event {
            Event::Answered { .. } | Event::TurnBegan { .. } => true,
            // Orders that are announced together are one step.
            Event::Executed { .. } => self.has_effects,
            _ => false,
        };
        self.acts.take(moment, event);
        // A turn begins the next step, and other acts end the last one.
        let mut next = None;
        while let Some(act) = self.acts.next_complete() {
            match act.cause {
                Cause::Turn { .. } if begins_step => next = Some(act),
                _ => self.add(act),
            }
        }
        if begins_step {
            let phase = match event {
                Event::Answered { phase, .. } => Some(*phase),
                _ => before.phase,
            };
            if self.is_open {
                self.frame(&moment, before, is_phase_secret(&moment, phase));
            }
            self.has_effects = false;
        }
        next.into_iter().for_each(|act| self.add(act));
        self.has_effects |= !matches!(event, Event::Answered { .. } | Event::Executed { .. });
        self.is_open = true;
        self.last_phase = match event {
            Event::Answered { phase, .. } | Event::PhaseBegan { phase, .. } => Some(*phase),
            _ => before.phase,
        };
        match event {
            Event::Answered { .. } | Event::Executed { .. } => self.phase = self.last_phase,
            Event::PhaseBegan { .. } => self.phase = self.phase.or(self.last_phase),
            _ => {}
        }
        if matches!(event, Event::PhaseBegan { .. }) && is_phase_secret(&moment, self.last_phase) {
            self.secret_from = moment.answers();
        }
    }
}

/// Returns what a page draws of an effect: its kind, territories by index, players by seat, and
/// numbers.
fn drawn(effect: &Effect, by: Option<Player>) -> Option<Value> {
    let land = |at: Territory| at.index();
    Some(match effect {
        Effect::Fight(fight) => drawn_fight(fight),
        Effect::Event(Event::Captured(it)) => {
            let (from, to, by) = (land(it.from), land(it.to), it.by.index());
            json!([
                "fight",
                from,
                to,
                by,
                0,
                0,
                0,
                it.killed,
                2,
                it.moved,
                [],
                []
            ])
        }
        Effect::Moved(it) => {
            let by = seat(by.or(it.owner));
            json!([
                "move",
                land(it.from),
                land(it.to),
                by,
                it.count,
                it.unit.index()
            ])
        }
        _ => return None,
    })
}

fn drawn_fight(fight: &Fight) -> Value {
    let first = fight.rounds[0].0;
    let [lost, killed] = fight.lost();
    let rolls = fight.rolls();
    let rolls = rolls[rolls.len().saturating_sub(MOST_ROLLS)..].iter();
    let rolls = rolls.map(|roll| json!([roll.attack, roll.defend]));
    let tries = fight.rounds.iter().flat_map(|(_, chances)| chances);
    let tries = tries.filter_map(|chance| match chance {
        Event::Tried {
            tries,
            percent,
            successes,
        } => Some(json!([tries, percent, successes])),
        _ => None,
    });
    json!([
        "fight",
        fight.from.index(),
        fight.to.index(),
        seat(fight.by),
        first.attackers,
        first.defenders,
        lost,
        killed,
        match fight.result {
            FightResult::Held => 0,
            FightResult::Emptied => 1,
            FightResult::Taken => 2,
        },
        fight.moved,
        rolls.collect::<Vec<_>>(),
        tries.collect::<Vec<_>>(),
    ])
}

impl LastValues {
    /// Returns the values that have changed, as the keys `w`, `b`, `l`, `m`, `n`, `p` and `s` of a
    /// frame.
    fn changed(&mut self, seen: &SeenValues<'_>, phase: Option<Phase>) -> Map<String, Value> {
        let values = seen.values;
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
        let closed = values.closed.iter();
        let closed: Vec<_> = closed
            .map(|(from, to)| [from.index(), to.index()])
            .collect();
        if self.closed != closed {
            frame.insert("b".to_owned(), json!(closed));
        }
        self.closed = closed;
        let territories = changes(&mut self.territories, seen.territories()).into_iter();
        let territories: Vec<Value> = territories
            .map(|(at, mut territory)| {
                territory.insert(0, at as i64);
                json!(territory)
            })
            .collect();
        for (key, all) in [
            ("l", json!(territories)),
            ("m", json!(changes(&mut self.marks, seen.marks()))),
            ("n", json!(changes(&mut self.numbers, seen.numbers()))),
            ("p", json!(changes(&mut self.piles, seen.piles()))),
            ("s", json!(changes(&mut self.sights, seen.sights()))),
        ] {
            if all != json!([]) {
                frame.insert(key.to_owned(), all);
            }
        }
        frame
    }
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

/// The values that a viewer sees.
struct SeenValues<'a> {
    values: &'a EventFold,
    /// The board and the declarations.
    game: &'a GameState,
    eyes: Eyes,
}

impl SeenValues<'_> {
    /// Returns the owner and the units of each kind, by territory. Hidden values are -1.
    fn territories(&self) -> Vec<Vec<i64>> {
        let (values, decl) = (self.values, self.game.decl());
        let territory = |at: Territory| {
            let [sees_owner, sees_units] = self.sees_land(at);
            let owner = values.owner(at).filter(|_| sees_owner);
            let units = (0..decl.units.len()).map(Unit::from_index);
            let units = units.map(|unit| match sees_units {
                true => values.units(at, unit).into(),
                false => -1,
            });
            [seat(owner)].into_iter().chain(units).collect()
        };
        self.game.board().territories().map(territory).collect()
    }

    /// Reports whether the viewer sees the owner of a territory, and whether it sees its units.
    fn sees_land(&self, at: Territory) -> [bool; 2] {
        let decl = self.game.decl();
        match self.eyes {
            Eyes::All | Eyes::Revealed => [true, true],
            Eyes::Player(player) => self.values.sees(self.game, player, at),
            // A spectator owns nothing, and sees no more than a player without territories.
            Eyes::Public => [decl.owners_seen, decl.units_seen].map(|it| it == Sight::All),
        }
    }

    /// Returns the values of marks by territory; nothing without marks.
    fn marks(&self) -> Vec<Vec<Option<i32>>> {
        let marks = &self.game.decl().marks;
        let values = |at: Territory| {
            let value = |(index, info): (usize, &MarkDecl)| {
                let may_see = self.eyes == Eyes::All || self.sees(info.seen, self.values.owner(at));
                let sees = may_see && (!info.in_sight || self.sees_land(at)[1]);
                sees.then(|| self.values.mark(at, Mark::from_index(index)))
            };
            marks.iter().enumerate().map(value).collect()
        };
        let all = self.game.board().territories();
        all.filter(|_| !marks.is_empty()).map(values).collect()
    }

    /// Reports whether the viewer sees a counter or the cards of a pile. A replay shows no cards
    /// that no player sees.
    fn sees(&self, seen: Visibility, of: Option<Player>) -> bool {
        match (seen, self.eyes) {
            (Visibility::All, _) | (_, Eyes::Revealed) | (Visibility::Owner, Eyes::All) => true,
            (Visibility::Owner, Eyes::Player(player)) => of == Some(player),
            (Visibility::Owner, Eyes::Public) | (Visibility::Nobody, _) => false,
        }
    }

    /// Returns the holders of counters and piles: the seats, followed by the table.
    fn holders(&self) -> impl Iterator<Item = Option<Player>> + use<> {
        self.game.seats().map(Some).chain([None])
    }

    /// Returns the status, the strikes and the number of waiting orders of each seat, followed by
    /// each counter by holder. Hidden values are `None`.
    fn numbers(&self) -> Vec<Option<i64>> {
        let values = self.values;
        let mut all = Vec::new();
        for player in self.game.seats() {
            let status = values.status(player);
            let status = Status::ALL.iter().position(|it| *it == status);
            let strikes = values.strikes(player).into();
            let sees = [Eyes::All, Eyes::Player(player)].contains(&self.eyes);
            let orders = sees.then(|| values.orders(player) as i64);
            all.extend([status.map(|at| at as i64), Some(strikes), orders]);
        }
        for (counter, info) in self.game.decl().counters.iter().enumerate() {
            let counter = Counter::from_index(counter);
            let sees = |of| self.eyes == Eyes::All || self.sees(info.seen, of);
            let value = |of| sees(of).then(|| values.counter(counter, of));
            all.extend(self.holders().map(value));
        }
        all
    }

    /// Returns each pile by holder: the cards from bottom to top, or their number if they are
    /// hidden.
    fn piles(&self) -> Vec<Value> {
        let mut all = Vec::new();
        for (pile, info) in self.game.decl().piles.iter().enumerate() {
            for of in self.holders() {
                let cards = self.values.pile(Pile::from_index(pile), of);
                all.push(match self.sees(info.seen, of) {
                    true => cards.iter().map(|card| card.index()).collect(),
                    false => json!(cards.len()),
                });
            }
        }
        all
    }

    /// Returns the sight of each seat as one digit per territory: 1 if the owner is visible, plus 2
    /// if the units are visible. There is none if no territory is hidden, or for one viewer.
    fn sights(&self) -> Vec<String> {
        if self.eyes != Eyes::All || is_open(self.game.decl()) {
            return Vec::new();
        }
        let digit = |player, at| match self.values.sees(self.game, player, at) {
            [false, false] => '0',
            [true, false] => '1',
            [false, true] => '2',
            [true, true] => '3',
        };
        let all = |player| {
            let places = self.game.board().territories();
            places.map(|at| digit(player, at)).collect()
        };
        self.game.seats().map(all).collect()
    }
}
