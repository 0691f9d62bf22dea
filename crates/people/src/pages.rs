//! The browser pages for playing: their data and their addresses.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::attack_report::AttackReport;
use super::desk::{Onlookers, PageDesk, TableDetails};
use super::phase_plan::is_secret;
use risk_engine::acts::Eyes;
use risk_kernel::event::Event;
use risk_kernel::id::Player;
use risk_kernel::outcome::{Outcome, Rank};
use risk_kernel::state::GameState;
use risk_kernel::view::{Facts, View, revealed, view_in_public};
use risk_kernel::{Moment, Sink};
use risk_report::viewer::{self, Frames, GamePageInfo};
use risk_text::paint::Paint;
use risk_wire::line_json;

/// The layout of the story on pages.
pub(super) const PAPER: Paint = Paint {
    colour: false,
    width: 46,
};
/// The description of a game for pages.
pub(super) struct GameInfo {
    /// The ruleset and the map.
    pub(super) title: String,
    /// The players' names, by seat.
    pub(super) names: Vec<String>,
    /// The seats of people.
    pub(super) people: Vec<usize>,
    /// The name of the bot that gives hints.
    pub(super) adviser: String,
    /// The name of the record.
    pub(super) record: String,
    pub(super) takeback: bool,
    pub(super) onlookers: Onlookers,
    /// The commitment to the seed, if the game publishes one.
    pub(super) commitment: Option<String>,
}

/// The pages of the people at a table.
pub(super) struct Pages {
    pub(super) desk: Box<dyn PageDesk>,
    pub(super) played: GameInfo,
    /// Whether a person has been asked since the game began or was resumed. Until then, pages show
    /// the position before.
    pub(super) is_live: Cell<bool>,
    /// What each viewer sees: people in the order of the table, followed by spectators.
    seen: RefCell<Vec<SeenGame>>,
    /// The state of the current decision in a secret phase.
    pub(super) facts: RefCell<Option<Facts>>,
}

/// The frames of one viewer who has a page, and the actions of others against that viewer.
struct SeenGame {
    seat: Option<usize>,
    frames: Frames,
    suffered: AttackReport,
}

impl Pages {
    /// Creates the pages of a table on a desk.
    pub(super) fn new(played: GameInfo, desk: Box<dyn PageDesk>) -> Self {
        Self {
            desk,
            is_live: Cell::new(false),
            seen: RefCell::new(played.seen()),
            facts: RefCell::default(),
            played,
        }
    }

    /// Resets the pages before the game is replayed to its latest position.
    pub(super) fn begin_again(&self) {
        self.is_live.set(false);
        self.desk.begin_again();
        *self.seen.borrow_mut() = self.played.seen();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.desk.is_closed()
    }

    /// Adds the frames so far to the pages, at a decision or at the end of the game.
    fn add(&self, facts: &Facts, is_over: bool) {
        for seen in self.seen.borrow_mut().iter_mut() {
            if self.desk.is_full(seen.seat) {
                seen.frames.begin_anew();
            }
            let frames = match is_over {
                true => seen.frames.take_last(facts),
                false => seen.frames.take(facts),
            };
            let player = seen.seat.map(Player::from_index);
            let orders = player.map(|player| line_json::orders_value(&View::new(facts, player)));
            let mut parts = Map::new();
            parts.insert("orders".to_owned(), json!(orders));
            self.desk.add(seen.seat, frames, parts);
        }
    }

    /// Returns a sentence about the actions of others against a person since the last call.
    pub(super) fn suffered(&self, view: &View) -> Option<String> {
        let mut seen = self.seen.borrow_mut();
        let own = seen
            .iter_mut()
            .find(|it| it.seat == Some(view.me().index()))?;
        own.suffered.sentence(view, &self.played.names)
    }

    /// Shows the ending of the game.
    pub(super) fn end(&self, game: &GameState, end: Value, replay: Option<String>) {
        self.add(&Facts::new(game.clone()), true);
        self.desk.end(end, replay);
    }
}

impl GameInfo {
    /// Returns what viewers see of the table before the game.
    pub(super) fn details(&self, board: GameState) -> TableDetails {
        let map = risk_report::picture::live(&board, &self.names);
        let facts = Facts::new(board);
        let viewers = self.people.iter().copied().map(Some).chain([None]);
        TableDetails {
            title: self.title.clone(),
            map,
            names: self.names.clone(),
            people: self.people.clone(),
            onlookers: self.onlookers,
            games: viewers.map(|seat| self.game(&facts, seat)).collect(),
        }
    }

    fn seen(&self) -> Vec<SeenGame> {
        let onlookers = match self.onlookers {
            Onlookers::Seat(seat) => Eyes::Player(Player::from_index(seat)),
            Onlookers::All => Eyes::Revealed,
            Onlookers::Public | Onlookers::None => Eyes::Public,
        };
        let people = self.people.iter();
        let people = people.map(|&seat| (Some(seat), Eyes::Player(Player::from_index(seat))));
        let all = people.chain([(None, onlookers)]);
        let seen = all.map(|(seat, eyes)| SeenGame {
            seat,
            frames: Frames::new(self.names.clone(), eyes),
            suffered: AttackReport::new(eyes),
        });
        seen.collect()
    }

    /// Returns the fixed properties of the game, for the person on a seat or for spectators.
    fn game(&self, facts: &Facts, seat: Option<usize>) -> Value {
        let view = match seat {
            Some(seat) => View::new(facts, Player::from_index(seat)),
            None => self.onlookers.view(&self.onlookers.facts(facts)),
        };
        let mut game = line_json::game_value(&view, &self.names);
        game["you"] = json!(seat);
        game["people"] = json!(self.people);
        game["title"] = json!(self.title);
        let about = GamePageInfo {
            names: self.names.clone(),
            ..GamePageInfo::default()
        };
        game["head"] = viewer::head(&about, facts, None);
        game["takeback"] = json!(self.takeback);
        game["commitment"] = json!(self.commitment);
        game["odds"] = json!(view.decl().fights().is_some());
        if seat.is_some() {
            game["adviser"] = json!(self.adviser);
            game["record"] = json!(self.record);
        }
        game
    }
}

impl Onlookers {
    /// Returns the game that spectators see.
    fn facts(self, facts: &Facts) -> Facts {
        match self {
            Self::All => Facts::new(revealed(facts)),
            _ => facts.clone(),
        }
    }

    fn view(self, facts: &Facts) -> View {
        match self {
            Self::Seat(seat) => View::new(facts, Player::from_index(seat)),
            _ => view_in_public(facts),
        }
    }
}

/// A sink that updates the pages of people who are not being asked.
pub(super) struct PageUpdater(pub(super) Rc<Pages>);

impl Sink for PageUpdater {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        for seen in self.0.seen.borrow_mut().iter_mut() {
            seen.frames.event(moment, event);
            seen.suffered.event(moment, event);
        }
    }

    fn halts(&mut self, game: &Facts) -> bool {
        let phase = game.frame().map(|frame| frame.phase);
        let facts = is_secret(game.decl(), phase).then(|| game.clone());
        *self.0.facts.borrow_mut() = facts;
        self.0.add(game, false);
        if self.0.is_live.get() {
            self.0.desk.publish();
        }
        self.0.is_closed()
    }
}

/// Returns the ending of a game for pages.
pub(super) fn ending(text: &str, outcome: &Outcome) -> Value {
    let ranking = outcome.ranking.iter();
    let rank = |rank: &Rank| {
        let seat = rank.player.index();
        json!({ "seat": seat, "place": rank.place, "score": rank.score })
    };
    json!({
        "text": text,
        "reason": outcome.reason,
        "winners": outcome.winners.iter().map(|player| player.index()).collect::<Vec<_>>(),
        "ranking": ranking.map(rank).collect::<Vec<_>>(),
    })
}
