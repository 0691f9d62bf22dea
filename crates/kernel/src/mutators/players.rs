//! The status and the faults of each player.

use crate::digest::{CellKind, StateCell};
use crate::event::{Event, Status};
use crate::event_filter::EventFilter;
use crate::fault::{Exchange, FaultKind};
use crate::id::{Player, PlayerSet};
use crate::reason;
use crate::state::GameState;

impl GameState {
    fn set_status(&mut self, player: Player, now: Status) {
        let was = self.status(player);
        if was == now {
            return;
        }
        self.rehash(
            StateCell::new(CellKind::Status, 0, player.index()),
            was as i64,
            now as i64,
        );
        self.status[player.index()] = now;
        if now != Status::Playing {
            for frame in self.stack.iter_mut().chain(&mut self.pending) {
                frame.players = frame.players.without(player);
            }
        }
        if now == Status::Eliminated {
            self.rehash(
                StateCell::new(CellKind::Eliminated, 0, self.out_order.len()),
                0,
                i64::from(player.0) + 1,
            );
            self.out_order.push(player);
            self.out_rounds.push(self.round);
        }
        self.push_event(|| Event::Status { player, now });
        if self.playing().is_empty() {
            self.end(reason::DRAW, PlayerSet::default());
        }
    }

    /// Makes a player neutral. The player makes no more decisions but keeps territories and cards.
    /// If no player is left to decide, the game is a draw.
    pub fn neutralise(&mut self, player: Player) {
        if self.status(player) == Status::Playing {
            self.set_status(player, Status::Neutral);
        }
    }

    /// Makes a player neutral as [`GameState::neutralise`] does. Also ranks the player last.
    pub fn forfeit(&mut self, player: Player) {
        if self.status(player) == Status::Playing {
            self.set_status(player, Status::Forfeited);
        }
    }

    /// Eliminates a player and removes the player from all frames. If the ruleset declares this,
    /// the last player or the last team left wins. A team's eliminated members win too.
    pub fn eliminate(&mut self, player: Player) {
        self.set_status(player, Status::Eliminated);
        let standing = self.standing();
        let Some(first) = standing.iter().next() else {
            return;
        };
        let team = self.team(first);
        if let Some(reason) = self
            .decl
            .last_standing
            .clone()
            .filter(|_| standing.iter().all(|player| team.has(player)))
        {
            let forfeited = self.with_status(|status| status == Status::Forfeited);
            let winners = team
                .iter()
                .filter(|&player| standing.len() == 1 && player == first || !forfeited.has(player));
            self.end(&reason, winners.fold(PlayerSet::default(), PlayerSet::with));
        }
    }

    pub(crate) fn strike(
        &mut self,
        player: Player,
        kind: FaultKind,
        text: String,
        exchange: Option<Exchange>,
    ) -> u32 {
        let was = self.strikes(player);
        let now = was + u32::from(kind != FaultKind::Rules);
        self.rehash(
            StateCell::new(CellKind::Strikes, 0, player.index()),
            i64::from(was),
            i64::from(now),
        );
        self.strikes[player.index()] = now;
        let phase = self.frame().map(|frame| frame.phase);
        let number = self.answers + 1;
        let exchange = exchange.map(Box::new);
        self.push_wanted(EventFilter::Faults, || Event::Faulted {
            player,
            kind,
            text,
            strikes: now,
            phase,
            number,
            exchange,
        });
        now
    }
}
