//! The first fault of each player in a game, with where in the game it was made.

use std::collections::VecDeque;
use std::error::Error;

use risk_engine::load::diag::{Finding, Level};
use risk_engine::script::ScriptFault;
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, FaultKind};
use risk_kernel::id::Player;
use risk_kernel::state::GameState;
use risk_kernel::{EventFilter, Sink};

/// A fault, and where in the game it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstFault {
    /// The seat, from 0.
    pub seat: usize,
    /// What the answer was faulted for.
    pub kind: FaultKind,
    /// What was wrong with the answer, in the words of whoever found it.
    pub text: String,
    /// The script's own report, where a script failed.
    pub script: Option<ScriptFault>,
    /// The round in which it was made, from 1; 0 during the set-up.
    pub round: u32,
    /// The name of the phase that asked, or `the set-up`.
    pub phase: String,
    /// The number of the decision that was asked for, from 1.
    pub decision: u64,
    /// How many faults the player made in the whole game.
    pub count: u64,
}

/// Listens for faults.
#[derive(Clone, Debug, Default)]
pub struct FirstFaults {
    /// One for each player who made any, in the order in which they were made.
    pub faults: Vec<FirstFault>,
    /// Reports of scripts whose events are still to come.
    reports: VecDeque<(Player, Option<ScriptFault>)>,
}

impl Sink for FirstFaults {
    fn wants(&self) -> EventFilter {
        EventFilter::Faults
    }

    fn fault(&mut self, player: Player, fault: &BotFault) {
        let report = fault.source().and_then(|source| source.downcast_ref());
        self.reports.push_back((player, report.cloned()));
    }

    fn event(&mut self, game: &GameState, event: &Event) {
        let Event::Faulted {
            player,
            kind,
            text,
            phase,
            number,
            ..
        } = event
        else {
            return;
        };
        let mine = self.reports.iter().position(|report| report.0 == *player);
        let script = mine.and_then(|index| self.reports.remove(index)?.1);
        if let Some(known) = self
            .faults
            .iter_mut()
            .find(|fault| fault.seat == player.index())
        {
            known.count += 1;
            return;
        }
        let phase = phase.map_or("the set-up", |phase| {
            game.decl().phases[phase.index()].name.as_str()
        });
        self.faults.push(FirstFault {
            seat: player.index(),
            kind: *kind,
            text: text.clone(),
            script,
            round: game.round(),
            phase: phase.to_owned(),
            decision: *number,
            count: 1,
        });
    }
}

impl FirstFault {
    /// As a finding: the script's own report if there is one, and where in the game it was.
    #[must_use]
    pub fn finding(&self, name: &str, level: Level) -> Finding {
        let mut finding = self.script.clone().map_or_else(
            || Finding::error(&format!("bot::{}", self.kind.as_str()), self.text.clone()),
            Finding::from,
        );
        finding.level = level;
        let place = format!(
            "{name}, in round {}, phase {}, decision {}",
            self.round, self.phase, self.decision
        );
        let count = if self.count > 1 {
            format!("; the first of {} faults in the game", self.count)
        } else {
            String::new()
        };
        finding.add_help(&format!("{place}{count}"))
    }
}
