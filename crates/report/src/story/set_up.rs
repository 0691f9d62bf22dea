//! What players claim and place before the first round.

use std::io::Write;

use super::Story;
use super::lines::{Placing, placement};
use super::nouns::{kind_noun, listed, place};
use risk_kernel::id::{Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_text::names::name_column;
use risk_text::paint::Paint;
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

    /// Returns the units that each claimed territory has, if the kind and the number are the same
    /// for all of them.
    fn with_claims(&self) -> Option<(Unit, i64)> {
        let of = |placing: &Placing, at: &Territory| {
            let mut placed = placing.placed.iter();
            placed.find(|placed| placed.0 == *at).map(|placed| placed.1)
        };
        let some = |placing: &&Placing| self.claimed.iter().any(|at| of(placing, at).is_some());
        let mut with = self.placed.iter().filter(some);
        let (only, None) = (with.next()?, with.next()) else {
            return None;
        };
        let count = of(only, self.claimed.first()?)?;
        let same = self.claimed.iter().all(|at| of(only, at) == Some(count));
        same.then_some((only.unit, count))
    }

    /// Returns the units that the line about the claims does not tell.
    fn placed_elsewhere(&self) -> Vec<Placing> {
        let mut all = self.placed.clone();
        if self.with_claims().is_some() {
            for placing in &mut all {
                placing
                    .placed
                    .retain(|placed| !self.claimed.contains(&placed.0));
            }
            all.retain(|placing| !placing.placed.is_empty());
        }
        all
    }

    /// Words the territories and the units.
    fn text(&self, game: &GameState, paint: Paint) -> String {
        let mut parts = Vec::new();
        if !self.claimed.is_empty() {
            let claimed = self.claimed.iter().map(|&at| place(game, at));
            let mut names: Vec<String> = claimed.collect();
            let more = names.len().saturating_sub(MOST_NAMED);
            if more > 1 {
                names.truncate(MOST_NAMED);
                names.push(counted(more, "other territory"));
            }
            let each = if self.claimed.len() > 1 { " each" } else { "" };
            let with = match self.with_claims() {
                Some((unit, count)) => {
                    format!(" with {count} {}{each}", kind_noun(game, unit, count))
                }
                None => String::new(),
            };
            parts.push(format!("claims {}{with}", listed(&names)));
        }
        for placing in self.placed_elsewhere() {
            if placing.placed.len() <= MOST_NAMED {
                parts.push(placement(game, paint, &placing));
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
        let (_, names) = name_column("", self.names.iter(), self.paint.width / 3);
        for (player, set_up) in std::mem::take(&mut self.set_up) {
            let name = &names[player.index()];
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
