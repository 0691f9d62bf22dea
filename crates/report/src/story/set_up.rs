//! What players claim and place before the first round.

use std::io::Write;

use unicode_width::UnicodeWidthStr;

use super::Story;
use super::lines::{Placing, placement};
use super::nouns::{kind_noun, place};
use risk_kernel::id::{Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_text::paint::{Paint, pad};
use risk_text::plural::counted;

/// The maximum number of territories that are named one by one.
const MOST_NAMED: usize = 6;

/// What a player has claimed and placed since the last line about it.
#[derive(Debug, Default)]
pub(super) struct SetUp {
    claimed: Vec<Territory>,
    /// The units placed, by kind.
    placed: Vec<Placing>,
}

impl SetUp {
    /// Words the number of territories and of units.
    fn counts(&self, game: &GameState) -> String {
        let claimed = self.claimed.len();
        let placed = self.placed.iter().flat_map(|placing| &placing.placed);
        let placed: i64 = placed.map(|placed| placed.1).sum();
        let mut parts = Vec::new();
        if claimed > 0 {
            parts.push(format!("claims {}", counted(claimed, "territory")));
        }
        if placed > 0 {
            let units = match game.decl().units.as_slice() {
                [_] => format!("{placed} {}", kind_noun(game, Unit(0), placed)),
                _ => counted(placed, "unit"),
            };
            parts.push(format!("places {units}"));
        }
        parts.join(" and ")
    }

    /// Words the territories and the units.
    fn text(&self, game: &GameState, paint: Paint) -> String {
        let mut parts = Vec::new();
        if !self.claimed.is_empty() {
            let named = self.claimed.iter().take(MOST_NAMED);
            let names: Vec<String> = named.map(|&at| place(game, at)).collect();
            let more = match self.claimed.len().saturating_sub(MOST_NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            parts.push(format!("claims {}{more}", names.join(", ")));
        }
        for placing in &self.placed {
            if placing.placed.len() <= MOST_NAMED {
                parts.push(placement(game, paint, placing));
                continue;
            }
            let sum: i64 = placing.placed.iter().map(|placed| placed.1).sum();
            let noun = kind_noun(game, placing.unit, sum);
            let places = counted(placing.placed.len(), "territory");
            parts.push(format!("places {sum} {noun} in {places}"));
        }
        parts.join("; ")
    }
}

impl<W: Write> Story<W> {
    fn set_up_of(&mut self, player: Player) -> &mut SetUp {
        let known = self.set_up.iter().position(|(of, _)| *of == player);
        let index = known.unwrap_or_else(|| {
            self.set_up.push((player, SetUp::default()));
            self.set_up.len() - 1
        });
        &mut self.set_up[index].1
    }

    /// Notes that a player claims a territory before the first round.
    pub(super) fn claims(&mut self, player: Player, at: Territory) {
        self.set_up_of(player).claimed.push(at);
    }

    /// Notes that a player places units before the first round.
    pub(super) fn sets_up(&mut self, player: Player, at: Territory, unit: Unit, by: i64) {
        let all = &mut self.set_up_of(player).placed;
        let known = all.iter().position(|placing| placing.unit == unit);
        let index = known.unwrap_or_else(|| {
            let placed = Vec::new();
            all.push(Placing {
                player,
                unit,
                placed,
            });
            all.len() - 1
        });
        let placed = &mut all[index].placed;
        match placed.iter_mut().find(|placed| placed.0 == at) {
            Some(placed) => placed.1 += by,
            None => placed.push((at, by)),
        }
    }

    /// Writes what players claimed and placed since the last lines, for a player at the table.
    pub(super) fn tell_claims(&mut self, game: &GameState) {
        if !self.as_seen {
            return;
        }
        let width = self.names.iter().map(|name| name.width()).max();
        let width = width.unwrap_or(0).min(20);
        for (player, set_up) in std::mem::take(&mut self.set_up) {
            let name = pad(&self.names[player.index()], width);
            let head = self.paint.seat(player.index(), &format!("● {name}"));
            let text = set_up.text(game, self.paint);
            for line in self.paint.hang(&format!("{head}  "), &text) {
                self.line(&line);
            }
            self.shown = None;
        }
    }

    /// Writes the numbers of what players claimed and placed before the first round.
    pub(super) fn tell_set_up(&mut self, game: &GameState) {
        for (player, set_up) in std::mem::take(&mut self.set_up) {
            let name = &self.names[player.index()];
            let text = format!("set-up: {name} {}", set_up.counts(game));
            self.write_remark(&self.paint.dim(&text));
        }
    }
}
