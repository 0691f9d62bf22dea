//! The short form of the story: one line per player-turn.

use std::io::Write;

use unicode_width::UnicodeWidthStr;

use super::Story;
use super::lines::{kind_word, place};
use risk_kernel::id::{Player, Territory};
use risk_kernel::state::GameState;
use risk_text::paint::pad;
use risk_text::plural::counted;

/// The maximum number of territories named, and of other sentences.
const MOST_NAMES: usize = 3;
const MOST_OTHERS: usize = 2;

#[derive(Debug, Default)]
pub(super) struct Summary {
    /// The units placed, by the name of their kind.
    placed: Vec<(String, i64)>,
    taken: Vec<Territory>,
    /// The number of attacks that took nothing.
    held: usize,
    lost: i64,
    killed: i64,
    pub(super) others: Vec<String>,
}

impl<W: Write> Story<W> {
    /// Returns the summary of a player's current turn, or `None` outside the short form.
    pub(super) fn summary(&mut self, player: Player) -> Option<&mut Summary> {
        if !self.is_brief(player) {
            return None;
        }
        let all = self.brief.as_mut()?;
        let known = all.iter().position(|(of, _)| *of == player);
        let index = known.unwrap_or_else(|| {
            all.push((player, Summary::default()));
            all.len() - 1
        });
        Some(&mut all[index].1)
    }

    /// Adds pending events to the player's summary.
    pub(super) fn gather(&mut self, game: &GameState) {
        let in_full = self.in_full;
        let is_brief = |player: Player| Some(player) != in_full;
        if let Some(placing) = self.placing.take_if(|placing| is_brief(placing.player))
            && let Some(summary) = self.summary(placing.player)
        {
            let placed: i64 = placing.placed.iter().map(|placed| placed.1).sum();
            let kind = kind_word(game, placing.unit);
            match summary.placed.iter_mut().find(|it| it.0 == kind) {
                Some(known) => known.1 += placed,
                None => summary.placed.push((kind, placed)),
            }
        }
        let Some(fight) = self
            .fight
            .take_if(|fight| !fight.is_volley() && is_brief(fight.player))
        else {
            return;
        };
        if let Some(summary) = self.summary(fight.player) {
            summary.lost += i64::from(fight.lost);
            summary.killed += i64::from(fight.killed);
            if fight.captured {
                summary.taken.push(fight.to);
            } else {
                summary.held += 1;
            }
        }
    }

    /// Writes what players did since the last lines.
    pub(super) fn tell_brief(&mut self, game: &GameState) {
        let Some(all) = &mut self.brief else { return };
        let all = std::mem::take(all);
        let width = self.names.iter().map(|name| name.width()).max();
        let width = width.unwrap_or(0).min(20);
        for (player, summary) in all {
            let text = summary.text(game);
            if text.is_empty() {
                continue;
            }
            let name = pad(&self.names[player.index()], width);
            let head = self.paint.seat(player.index(), &format!("● {name}"));
            for line in self.paint.hang(&format!("{head}  "), &text) {
                self.line(&line);
            }
        }
    }
}

impl Summary {
    fn text(&self, game: &GameState) -> String {
        let mut parts = Vec::new();
        for (kind, placed) in &self.placed {
            parts.push(format!("+{placed}{kind}"));
        }
        if !self.taken.is_empty() {
            let names = self.taken.iter().take(MOST_NAMES);
            let names: Vec<String> = names.map(|&at| place(game, at)).collect();
            let more = self.taken.len().saturating_sub(MOST_NAMES);
            let names = names.join(", ");
            parts.push(match more {
                0 => format!("takes {names}"),
                _ => format!("takes {names} and {more} more"),
            });
        }
        if self.held > 0 {
            parts.push(counted(self.held, "failed attack"));
        }
        if self.lost + self.killed > 0 {
            parts.push(format!("loses {} for {}", self.lost, self.killed));
        }
        parts.extend(self.others.iter().take(MOST_OTHERS).cloned());
        let more = self.others.len().saturating_sub(MOST_OTHERS);
        if more > 0 {
            parts.push(format!("and {more} more"));
        }
        parts.join("; ")
    }
}
