//! Binds a position file to the names of a board and a ruleset.

use std::collections::BTreeMap;
use std::fmt::Display;

use super::PositionFile;
use super::reading::PositionReader;
use crate::nodes::{Node, NodeReader, Value};
use risk_kernel::board::Board;
use risk_kernel::declare::{CounterDecl, Declaration, SlotKind};
use risk_kernel::event::Status;
use risk_kernel::id::{Card, Phase, Player, PlayerSet, Territory, Unit};
use risk_kernel::position::{MOST_DRAWN, Position};
use risk_kernel::state::{Frame, MOST, Order};
use risk_kernel::words::Words;
use risk_text::diag::{Finding, LoadError};

pub(super) const PLAYER_KEYS: [&str; 6] = ["name", "status", "faults", "counters", "piles", "land"];
const TABLE_KEYS: [&str; 2] = ["counters", "piles"];
const FRAME_KEYS: [&str; 5] = ["phase", "of", "asks", "numbers", "opened"];
const DRAWN_KEYS: [&str; 3] = ["dice", "decks", "setup"];

impl PositionFile {
    /// Converts the position to the ids of a board and a ruleset's declaration.
    ///
    /// # Errors
    /// Returns all unknown names and inconsistent values, with their places.
    pub fn bind(&self, board: &Board, decl: &Declaration) -> Result<Position, LoadError> {
        let ids = board.territories();
        let mut bind = PositionBinder {
            reading: PositionReader::new(&self.file),
            board,
            decl,
            territories: ids.map(|at| (board.info(at).id.as_str(), at)).collect(),
            names: &self.names,
            position: Position::empty(board, decl, self.names.len()),
            placed: vec![false; board.len()],
            dealt: vec![false; decl.cards.len()],
        };
        bind.whole(&self.root);
        let PositionBinder {
            reading, position, ..
        } = bind;
        reading.finish()?;
        Ok(position)
    }

    /// Checks the names of the territories, which depend only on the map. The error of a number of
    /// players that doesn't fit would hide a misspelled name.
    ///
    /// # Errors
    /// Returns all unknown names, with their places.
    pub fn check_territories(&self, board: &Board) -> Result<(), LoadError> {
        let ids = board.territories().map(|at| board.info(at).id.as_str());
        let ids: Vec<&str> = ids.collect();
        let mut reading = PositionReader::new(&self.file);
        let players = match self.root.get("players").map(|node| &node.value) {
            Some(Value::List(players)) => players.as_slice(),
            _ => &[],
        };
        let owned = players.iter().filter_map(|player| player.get("land"));
        for territories in owned.chain(self.root.get("nobody")) {
            for (name, place, _) in reading.pairs(territories, "the territories of a player") {
                reading.named(place, "territory", name, ids.iter().copied());
            }
        }
        reading.finish()
    }

    /// Returns an error about the position as a whole.
    #[must_use]
    pub fn unfit(&self, text: &dyn Display) -> LoadError {
        let finding = Finding::error("position::value", text.to_string());
        let help = "correct the position: no game of the ruleset can reach it";
        LoadError::one(finding.at(&self.file, 0, 0).help(help))
    }
}

struct PositionBinder<'a> {
    reading: PositionReader<'a>,
    board: &'a Board,
    decl: &'a Declaration,
    territories: BTreeMap<&'a str, Territory>,
    names: &'a [String],
    position: Position,
    /// For each territory, whether it has already been named.
    placed: Vec<bool>,
    /// For each card, whether it is already on a pile.
    dealt: Vec<bool>,
}

impl PositionBinder<'_> {
    fn whole(&mut self, root: &Node) {
        let entry = |name: &str| root.get(name);
        if let Some(node) = entry("players") {
            for (seat, player) in self.reading.list(node, "`players`").iter().enumerate() {
                self.player(seat, player);
            }
        }
        if let Some(node) = entry("nobody") {
            self.territory(node, None);
        }
        if let Some(node) = entry("table") {
            for (key, _, value) in self.reading.entries(node, "`table`", &TABLE_KEYS) {
                match key {
                    "counters" => self.counters(value, None),
                    _ => self.piles(value, None),
                }
            }
        }
        self.progress(&entry);
        if let Some(node) = entry("out") {
            self.out(node);
        }
        if let Some(node) = entry("closed") {
            self.closed(node);
        }
        if let Some(node) = entry("marks") {
            self.marks(node);
        }
        if let Some(node) = entry("orders") {
            self.orders(node);
        }
        match entry("phases") {
            Some(node) => self.phases(node),
            None => {
                let help = "add `phases:` with a phase of a turn, or with the list of open phases";
                self.reading.wrong(root, "missing key `phases`", help);
            }
        }
    }

    fn progress<'n>(&mut self, entry: &impl Fn(&str) -> Option<&'n Node>) {
        let mut number = |key: &str, usual: i64| {
            let what = format!("`{key}`");
            entry(key)
                .and_then(|node| self.reading.number(node, &what, 0, MOST))
                .unwrap_or(usual)
        };
        let round = number("round", 1);
        let turn = number("turn", 1);
        let answers = number("decisions", 0);
        let rolls = number("fight_rounds", 0);
        self.position.round = round as u32;
        self.position.turn = turn as u32;
        self.position.answers = answers as u64;
        self.position.battle_rounds = rolls as u64;
        if let Some(node) = entry("turn_of") {
            self.position.mover = self.player_named(node);
        }
        if let Some(node) = entry("drawn") {
            let most = MOST_DRAWN as i64;
            for (key, _, value) in self.reading.entries(node, "`drawn`", &DRAWN_KEYS) {
                let place = DRAWN_KEYS.iter().position(|it| *it == key);
                let drawn = self.reading.number(value, &format!("`{key}`"), 0, most);
                if let (Some(place), Some(drawn)) = (place, drawn) {
                    self.position.drawn[place] = drawn as u64;
                }
            }
        }
    }

    /// Reads the pairs of territories between which borders are closed.
    fn closed(&mut self, node: &Node) {
        for pair in self.reading.list(node, "`closed`") {
            let ids = self.reading.list(pair, "a closed border");
            let [from, to] = ids else {
                // A value that is no list has been reported.
                if !matches!(pair.value, Value::List(_)) {
                    continue;
                }
                let text = format!("a closed border has two territories, found {}", ids.len());
                self.reading
                    .wrong(pair, text, "write [alaska, kamchatka], for example");
                continue;
            };
            let ends = [from, to].map(|node| {
                let id = self.reading.text(node, "a territory")?;
                let ids = self.territories.keys().copied();
                self.reading.named(node, "territory", &id, ids)?;
                self.territories.get(id.as_str()).copied()
            });
            let [Some(from), Some(to)] = ends else {
                continue;
            };
            if self.board.borders(from, to) || self.board.borders(to, from) {
                self.position.closed.push((from, to));
            } else {
                let text = "the map has no border between these territories";
                self.reading
                    .wrong(pair, text, "name two territories with a border");
            }
        }
    }

    /// Reads the values of marks, by mark and territory.
    fn marks(&mut self, node: &Node) {
        let decl = self.decl;
        for (name, place, values) in self.reading.pairs(node, "`marks`") {
            let names = decl.marks.iter().map(|mark| mark.name.as_str());
            let Some(mark) = self.reading.named(place, "mark", name, names) else {
                continue;
            };
            let what = format!("the mark `{name}`");
            let (least, most) = decl.marks[mark].range;
            for (id, place, value) in self.reading.pairs(values, &what) {
                let value = (self.reading).number(value, &what, least.into(), most.into());
                let ids = self.territories.keys().copied();
                self.reading.named(place, "territory", id, ids);
                if let (Some(at), Some(value)) = (self.territories.get(id), value) {
                    self.position.marks[at.index() * decl.marks.len() + mark] = value as i32;
                }
            }
        }
    }

    fn player_named(&mut self, node: &Node) -> Option<Player> {
        let name = self.reading.text(node, "the name of a player")?;
        let names = self.names.iter().map(String::as_str);
        let seat = self.reading.named(node, "player", &name, names)?;
        Some(Player::from_index(seat))
    }

    fn player(&mut self, seat: usize, node: &Node) {
        let of = Player::from_index(seat);
        for (key, _, value) in self.reading.entries(node, "a player", &PLAYER_KEYS) {
            match key {
                "status" => {
                    let Some(name) = self.reading.text(value, "`status`") else {
                        continue;
                    };
                    let all = Status::ALL.map(Status::as_str);
                    let found = self.reading.named(value, "status", &name, all);
                    if let Some(index) = found {
                        self.position.status[seat] = Status::ALL[index];
                    }
                }
                "faults" => {
                    let faults = self.reading.number(value, "`faults`", 0, MOST);
                    self.position.strikes[seat] = faults.unwrap_or(0) as u32;
                }
                "counters" => self.counters(value, Some(of)),
                "piles" => self.piles(value, Some(of)),
                "land" => self.territory(value, Some(of)),
                // The first step has already read the name.
                _ => {}
            }
        }
    }

    /// Returns the index of a holder's values in a table of counters or piles.
    fn holder(&self, index: usize, of: Option<Player>) -> usize {
        let players = self.names.len();
        index * (players + 1) + of.map_or(players, Player::index)
    }

    fn declared(
        &mut self,
        node: &Node,
        name: &str,
        what: &str,
        all: &[CounterDecl],
    ) -> Option<usize> {
        let names = all.iter().map(|info| info.name.as_str());
        self.reading.named(node, what, name, names)
    }

    fn counters(&mut self, node: &Node, of: Option<Player>) {
        let decl = self.decl;
        for (name, place, value) in self.reading.pairs(node, "`counters`") {
            let found = self.declared(place, name, "counter", &decl.counters);
            let what = format!("the counter `{name}`");
            let number = self.reading.number(value, &what, -MOST, MOST);
            if let (Some(counter), Some(number)) = (found, number) {
                let holder = self.holder(counter, of);
                self.position.counters[holder] = number;
            }
        }
    }

    fn piles(&mut self, node: &Node, of: Option<Player>) {
        let decl = self.decl;
        for (name, place, value) in self.reading.pairs(node, "`piles`") {
            let Some(pile) = self.declared(place, name, "pile", &decl.piles) else {
                continue;
            };
            let cards = self.reading.list(value, &format!("the pile `{name}`"));
            let cards = cards.iter().filter_map(|card| self.card(card)).collect();
            let holder = self.holder(pile, of);
            self.position.piles[holder] = cards;
        }
    }

    fn card(&mut self, node: &Node) -> Option<Card> {
        let name = self.reading.text(node, "the name of a card")?;
        let names = self.decl.cards.iter().map(|card| card.name.as_str());
        let index = self.reading.named(node, "card", &name, names)?;
        if std::mem::replace(&mut self.dealt[index], true) {
            let text = format!("duplicate card {name}");
            self.reading
                .wrong(node, text, "list each card on only one pile");
        }
        Some(Card::from_index(index))
    }

    fn territory(&mut self, node: &Node, of: Option<Player>) {
        let what = if of.is_some() { "`land`" } else { "`nobody`" };
        for (name, place, value) in self.reading.pairs(node, what) {
            let Some(&at) = self.territories.get(name) else {
                let names: Vec<&str> = self.territories.keys().copied().collect();
                self.reading.named(place, "territory", name, names);
                continue;
            };
            if std::mem::replace(&mut self.placed[at.index()], true) {
                let text = format!("duplicate territory {name}");
                self.reading
                    .wrong(place, text, "list each territory for only one owner");
            }
            self.position.owners[at.index()] = of;
            self.units(at, value);
        }
    }

    /// Reads the number of units of the first kind, or the number of each named kind.
    fn units(&mut self, at: Territory, node: &Node) {
        let decl = self.decl;
        let kinds = decl.units.len();
        let most = |kind| MOST.min(decl.most_units(at, Unit::from_index(kind)).into());
        let mut put = |kind: usize, units: Option<i64>| {
            self.position.units[at.index() * kinds + kind] = units.unwrap_or(0) as i32;
        };
        if !matches!(node.value, Value::Map(_)) {
            put(
                0,
                self.reading.number(node, "the number of units", 0, most(0)),
            );
            return;
        }
        for (name, place, value) in self.reading.pairs(node, "the units of a territory") {
            let names = self.decl.units.iter().map(String::as_str);
            let kind = self.reading.named(place, "unit", name, names);
            let most = kind.map_or(MOST, most);
            let units = self.reading.number(value, "the number of units", 0, most);
            if let Some(kind) = kind {
                put(kind, units);
            }
        }
    }

    fn out(&mut self, node: &Node) {
        for item in self.reading.list(node, "`out`") {
            let mut player = None;
            let mut round = 0;
            for (key, _, value) in
                self.reading
                    .entries(item, "an entry of `out`", &["player", "round"])
            {
                match key {
                    "player" => player = self.player_named(value),
                    _ => round = self.reading.number(value, "`round`", 0, MOST).unwrap_or(0),
                }
            }
            match player {
                Some(player) => self.position.out.push((player, round as u32)),
                None => self.reading.wrong(
                    item,
                    "missing key `player`",
                    "add `player:` with the name of a player",
                ),
            }
        }
    }

    fn orders(&mut self, node: &Node) {
        for item in self.reading.list(node, "`orders`") {
            let mut player = None;
            let mut said = None;
            for (key, _, value) in self.reading.entries(item, "an order", &["player", "say"]) {
                match key {
                    "player" => player = self.player_named(value),
                    _ => said = self.reading.text(value, "`say`").map(|text| (value, text)),
                }
            }
            let (Some(player), Some((place, said))) = (player, said) else {
                let help = "add `player:` with the name of a player, and `say:` with the order";
                self.reading
                    .wrong(item, "missing key `player` or `say`", help);
                continue;
            };
            match Words::new(self.board, self.decl).parse(&said) {
                Ok(action) => {
                    let slots = &self.decl.verbs[action.verb.index()].slots;
                    let players = self.names.len() as i32;
                    let fits = slots.iter().zip(action.args()).all(|(slot, &value)| {
                        value >= 0 && (slot.1 != SlotKind::Player || value < players)
                    });
                    if !fits {
                        let text = format!("number out of range in the order `{said}`");
                        let help = "write numbers of at least 0, and give players by seat number";
                        self.reading.wrong(place, text, help);
                    }
                    self.position.orders.push(Order { player, action });
                }
                Err(text) => self
                    .reading
                    .wrong(place, text, "write the order as in a record"),
            }
        }
    }

    /// Reads the open phases, with the current phase first, or a single phase of a turn. In the
    /// second case, the later phases of the turn follow.
    fn phases(&mut self, node: &Node) {
        let mut frames = Vec::new();
        if let Value::List(list) = &node.value {
            frames.extend(list.iter().filter_map(|item| self.frame(item)));
            if list.is_empty() {
                let help = "list at least the current phase";
                self.reading.wrong(node, "`phases` is empty", help);
            }
            frames.reverse();
        } else if let Some(first) = self.phase(node) {
            let turn = &self.decl.turn;
            let from = turn.iter().position(|&phase| phase == first);
            let (Some(from), Some(of)) = (from, self.position.mover) else {
                let text = match from {
                    Some(_) => "a phase of a turn needs the player whose turn it is",
                    None => "the phase is not part of a turn",
                };
                let help = match from {
                    Some(_) => "add `turn_of:` with the name of a player",
                    None => "list all open phases under `phases`",
                };
                self.reading.wrong(node, text, help);
                return;
            };
            let open = |&phase: &Phase| Frame::new(phase, self.asked(phase, Some(of)), Some(of));
            frames.extend(turn[from..].iter().rev().map(open));
        }
        self.position.frames = frames;
    }

    fn phase(&mut self, node: &Node) -> Option<Phase> {
        let name = self.reading.text(node, "the name of a phase")?;
        let names = self.decl.phases.iter().map(|phase| phase.name.as_str());
        let phase = self.reading.named(node, "phase", &name, names)?;
        Some(Phase::from_index(phase))
    }

    /// Returns the players who decide in a phase by default: its own player, or all who are still
    /// playing.
    fn asked(&self, phase: Phase, of: Option<Player>) -> PlayerSet {
        let seats = (0..self.names.len()).map(Player::from_index);
        let playing = seats
            .filter(|player| self.position.status[player.index()] == Status::Playing)
            .filter(|&player| of.is_none_or(|of| of == player));
        if self.decl.phases[phase.index()].asks {
            playing.fold(PlayerSet::default(), PlayerSet::with)
        } else {
            PlayerSet::default()
        }
    }

    fn frame(&mut self, node: &Node) -> Option<Frame> {
        let mut phase = None;
        let mut of = None;
        let mut asks = None;
        let mut args = [0; 3];
        let mut entered = false;
        for (key, _, value) in self.reading.entries(node, "a phase", &FRAME_KEYS) {
            match key {
                "phase" => phase = self.phase(value),
                "of" => of = self.player_named(value),
                "asks" => {
                    let list = self.reading.list(value, "`asks`");
                    let players = list.iter().filter_map(|player| self.player_named(player));
                    asks = Some(players.fold(PlayerSet::default(), PlayerSet::with));
                }
                "numbers" => args = self.numbers(value),
                _ => match value.value {
                    Value::Bool(flag) => entered = flag,
                    _ => {
                        self.reading.expected(value, "`opened`", "true or false");
                    }
                },
            }
        }
        let Some(phase) = phase else {
            let help = "add `phase:` with the name of a phase";
            self.reading.wrong(node, "missing key `phase`", help);
            return None;
        };
        let players = asks.unwrap_or_else(|| self.asked(phase, of));
        let frame = Frame::new(phase, players, of).with_args(args);
        Some(frame.entered(entered))
    }

    fn numbers(&mut self, node: &Node) -> [i32; 3] {
        let mut args = [0; 3];
        let list = self.reading.list(node, "`numbers`");
        if list.len() > args.len() {
            let text = format!("expected at most 3 `numbers`, found {}", list.len());
            self.reading
                .wrong(node, text, "remove the numbers after the third");
        }
        let low = i64::from(i32::MIN);
        let high = i64::from(i32::MAX);
        for (place, item) in args.iter_mut().zip(list) {
            let number = self
                .reading
                .number(item, "an entry of `numbers`", low, high);
            *place = number.unwrap_or(0) as i32;
        }
        args
    }
}
