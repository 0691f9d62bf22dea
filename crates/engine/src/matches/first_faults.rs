//! The first fault of each player in a game, with its location in the game.

use std::collections::VecDeque;
use std::error::Error;

use crate::script::ScriptFault;
use risk_kernel::event::Event;
use risk_kernel::fault::{BotFault, FaultKind};
use risk_kernel::id::Player;
use risk_kernel::{EventFilter, Moment, Sink};
use risk_text::diag::{Finding, Level};

/// A fault with its location in the game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FirstFault {
    /// The player's seat, counted from 0.
    pub seat: usize,
    /// The kind of fault.
    pub kind: FaultKind,
    /// The description of the fault from the code that detected it.
    pub text: String,
    /// The script's own error report, if a script failed.
    pub script: Option<ScriptFault>,
    /// The round, counted from 1, or 0 during the set-up.
    pub round: u32,
    /// The name of the phase in which the fault occurred, or `the set-up`.
    pub phase: String,
    /// The number of the decision, counted from 1.
    pub decision: u64,
    /// The number of the player's faults in the whole game.
    pub count: u64,
}

/// A sink that records faults.
#[derive(Clone, Debug, Default)]
pub struct FirstFaults {
    /// The first fault of each player who committed faults, in chronological order.
    pub faults: Vec<FirstFault>,
    /// The reports of script failures whose events have not arrived yet.
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

    fn event(&mut self, game: Moment<'_>, event: &Event) {
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
    /// Converts the fault to a finding. The finding contains the script's own report, if there is
    /// one, and the location in the game.
    #[must_use]
    pub fn finding(&self, name: &str, level: Level) -> Finding {
        let mut finding = self.script.clone().map_or_else(
            || Finding::error(&format!("bot::{}", self.kind.as_str()), self.text.clone()),
            Finding::from,
        );
        finding.level = level;
        if self.kind == FaultKind::Rules {
            finding =
                finding.add_help("the ruleset failed in a game that the bot imagined: no strike");
        }
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
