//! Writes positions as text.

use std::fmt::Write as _;

use crate::map::write::word;
use crate::seed::Seed;
use risk_kernel::board::Board;
use risk_kernel::declare::{CounterDecl, Declaration};
use risk_kernel::event::Status;
use risk_kernel::id::{Player, Unit};
use risk_kernel::position::Position;
use risk_kernel::state::Frame;
use risk_kernel::words::Words;

/// The properties of a position's game that are not in its state.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The ruleset: a name or a path.
    pub ruleset: &'a str,
    /// The map: a name or a path.
    pub map: &'a str,
    /// The values of all options, as text.
    pub options: &'a [(String, String)],
    /// The seed of the game's dice and cards.
    pub seed: &'a Seed,
    /// The number of the game in its match, from 0.
    pub game: u64,
    /// The players, by seat.
    pub names: &'a [String],
}

/// Writes a position as text that [`super::read`] can read.
#[must_use]
pub fn write(position: &Position, board: &Board, decl: &Declaration, origin: Origin<'_>) -> String {
    let names: Vec<String> = origin.names.iter().map(|name| word(name)).collect();
    let mut writer = PositionWriter {
        position,
        board,
        decl,
        names,
        out: String::new(),
    };
    writer.head(origin);
    writer.players();
    writer.rest();
    writer.out
}

struct PositionWriter<'a> {
    position: &'a Position,
    board: &'a Board,
    decl: &'a Declaration,
    names: Vec<String>,
    out: String,
}

fn listed(words: impl IntoIterator<Item = String>) -> String {
    let words: Vec<String> = words.into_iter().collect();
    format!("[{}]", words.join(", "))
}

/// Formats a number, in quotes if YAML readers can't read it as an integer.
fn large(number: u64) -> String {
    if i64::try_from(number).is_ok() {
        number.to_string()
    } else {
        format!("\"{number}\"")
    }
}

/// Formats a seed as a number if it is written as a plain number, or else as a string.
fn seed(seed: &Seed) -> String {
    let number = seed.as_str().parse::<i64>();
    match number {
        Ok(number) if number.to_string() == seed.as_str() => number.to_string(),
        _ => word(seed.as_str()),
    }
}

impl PositionWriter<'_> {
    fn line(&mut self, text: impl std::fmt::Display) {
        let _ = writeln!(self.out, "{text}");
    }

    fn name(&self, player: Player) -> &str {
        &self.names[player.index()]
    }

    fn head(&mut self, origin: Origin<'_>) {
        self.line("position: 1");
        self.line(format_args!("ruleset: {}", word(origin.ruleset)));
        self.line(format_args!("map: {}", word(origin.map)));
        if !origin.options.is_empty() {
            self.line("options:");
        }
        for (name, value) in origin.options {
            let value = value
                .parse::<i64>()
                .map_or_else(|_| word(value), |it| it.to_string());
            self.line(format_args!("  {}: {value}", word(name)));
        }
        self.line(format_args!("seed: {}", seed(origin.seed)));
        self.line(format_args!("game: {}", large(origin.game)));
        let [dice, decks, setup] = self.position.drawn;
        self.line(format_args!(
            "drawn: {{dice: {dice}, decks: {decks}, setup: {setup}}}"
        ));
        let position = self.position;
        self.line(format_args!("round: {}", position.round));
        self.line(format_args!("turn: {}", position.turn));
        if let Some(mover) = position.mover {
            let line = format!("turn_of: {}", self.name(mover));
            self.line(line);
        }
        self.line(format_args!("decisions: {}", position.answers));
        self.line(format_args!("fight_rounds: {}", position.battle_rounds));
    }

    fn players(&mut self) {
        self.line("players:");
        for seat in 0..self.names.len() {
            let player = Player::from_index(seat);
            let name = format!("  - name: {}", self.name(player));
            self.line(name);
            let status = self.position.status[seat];
            if status != Status::Playing {
                self.line(format_args!("    status: {}", status.as_str()));
            }
            let faults = self.position.strikes[seat];
            if faults > 0 {
                self.line(format_args!("    faults: {faults}"));
            }
            self.held("    ", Some(player));
            self.territory("    land:", "      ", Some(player));
        }
    }

    fn held(&mut self, indent: &str, of: Option<Player>) {
        let players = self.names.len();
        let holder = |index: usize| index * (players + 1) + of.map_or(players, Player::index);
        let position = self.position;
        let named = |all: &[CounterDecl]| {
            let names = all.iter().enumerate();
            let names = names.map(|(index, info)| (holder(index), word(&info.name)));
            names.collect::<Vec<_>>()
        };
        let counters = named(&self.decl.counters).into_iter();
        let counters = counters.map(|(at, name)| (name, position.counters[at].to_string()));
        let counters: Vec<_> = counters.filter(|(_, value)| value != "0").collect();
        let card = |&card: &risk_kernel::id::Card| word(&self.decl.cards[card.index()].name);
        let piles = named(&self.decl.piles).into_iter();
        let piles = piles.filter(|(at, _)| !position.piles[*at].is_empty());
        let piles = piles.map(|(at, name)| (name, listed(position.piles[at].iter().map(card))));
        let piles: Vec<_> = piles.collect();
        for (title, entries) in [("counters", counters), ("piles", piles)] {
            if !entries.is_empty() {
                self.line(format_args!("{indent}{title}:"));
            }
            for (name, value) in entries {
                self.line(format_args!("{indent}  {name}: {value}"));
            }
        }
    }

    /// Writes the territories of a player, or the territories without an owner, with their units.
    fn territory(&mut self, title: &str, indent: &str, of: Option<Player>) {
        let mut is_first = true;
        for at in self.board.territories() {
            if self.position.owners[at.index()] != of {
                continue;
            }
            let kinds = (0..self.decl.units.len()).map(|kind| {
                let units = self.position.units_of(at.index(), Unit::from_index(kind));
                (kind, units)
            });
            let kinds: Vec<(usize, i32)> = kinds.filter(|&(_, units)| units != 0).collect();
            let units = match kinds[..] {
                [] => "0".to_owned(),
                [(0, units)] => units.to_string(),
                _ => {
                    let each = kinds
                        .iter()
                        .map(|(kind, units)| format!("{}: {units}", word(&self.decl.units[*kind])));
                    format!("{{{}}}", each.collect::<Vec<_>>().join(", "))
                }
            };
            if of.is_none() && kinds.is_empty() {
                continue;
            }
            if std::mem::take(&mut is_first) {
                self.line(title);
            }
            let id = word(&self.board.info(at).id);
            self.line(format_args!("{indent}{id}: {units}"));
        }
    }

    fn rest(&mut self) {
        let position = self.position;
        if !position.out.is_empty() {
            self.line("out:");
        }
        for &(player, round) in &position.out {
            let line = format!("  - {{player: {}, round: {round}}}", self.name(player));
            self.line(line);
        }
        self.territory("nobody:", "  ", None);
        let before = self.out.len();
        self.held("  ", None);
        if self.out.len() > before {
            self.out.insert_str(before, "table:\n");
        }
        if !position.closed.is_empty() {
            self.line("closed:");
        }
        for &(from, to) in &position.closed {
            let ends = [from, to].map(|at| word(&self.board.info(at).id));
            self.line(format_args!("  - {}", listed(ends)));
        }
        if position.marks.iter().any(|&value| value != 0) {
            self.line("marks:");
        }
        for (index, mark) in self.decl.marks.iter().enumerate() {
            let values = (position.marks.iter().skip(index)).step_by(self.decl.marks.len());
            let set = self
                .board
                .territories()
                .zip(values)
                .filter(|(_, value)| **value != 0);
            let each = set.map(|(at, value)| format!("{}: {value}", word(&self.board.info(at).id)));
            let each: Vec<_> = each.collect();
            if !each.is_empty() {
                let line = format!("  {}: {{{}}}", word(&mark.name), each.join(", "));
                self.line(line);
            }
        }
        if !position.orders.is_empty() {
            self.line("orders:");
        }
        for order in &position.orders {
            let said = Words::new(self.board, self.decl).action(order.action);
            let name = self.name(order.player);
            let line = format!("  - {{player: {name}, say: {}}}", word(&said));
            self.line(line);
        }
        self.line("phases:");
        for frame in position.frames.iter().rev() {
            self.frame(frame);
        }
    }

    fn frame(&mut self, frame: &Frame) {
        let info = &self.decl.phases[frame.phase.index()];
        let mut line = format!("  - {{phase: {}", word(&info.name));
        if let Some(of) = frame.opened_for {
            let _ = write!(line, ", of: {}", self.name(of));
        }
        if info.asks {
            let asked = frame.players.iter();
            let asked = listed(asked.map(|player| self.name(player).to_owned()));
            let _ = write!(line, ", asks: {asked}");
        }
        if frame.args != [0; 3] {
            let _ = write!(
                line,
                ", numbers: {}",
                listed(frame.args.map(|it| it.to_string()))
            );
        }
        if frame.is_entered() {
            line.push_str(", opened: true");
        }
        line.push('}');
        self.line(line);
    }
}
