//! Games of a trial that don't end, and the phases in which they hang.

use std::collections::BTreeMap;

use risk_engine::script::Ruleset;
use risk_kernel::declare::Declaration;
use risk_kernel::event::Event;
use risk_kernel::id::{Phase, Verb};
use risk_kernel::state::GameState;
use risk_kernel::{EventFilter, Moment, Sink};
use risk_text::diag::{Finding, Level, Span, TextFile};
use risk_text::plural::counted;

/// The maximum number of decisions in one game of a trial. A longer game counts as endless.
pub(super) const MOST_ANSWERS: u64 = 20_000;

/// A sink that counts the answers of the latest turn by phase and verb.
#[derive(Clone, Debug, Default)]
pub(super) struct LatestTurn {
    answers: BTreeMap<(Phase, Verb), u64>,
}

impl Sink for LatestTurn {
    fn wants(&self) -> EventFilter {
        EventFilter::Recorded
    }

    fn event(&mut self, _: Moment<'_>, event: &Event) {
        match event {
            Event::TurnBegan { .. } => self.answers.clear(),
            Event::Answered { phase, action, .. } => {
                *self.answers.entry((*phase, action.verb)).or_default() += 1;
            }
            _ => {}
        }
    }
}

/// A turn that seems to have no end.
#[derive(Clone, Debug)]
struct StuckTurn {
    turn: u32,
    decisions: u64,
    phase: String,
    scripted: bool,
    /// The answers in the phase, the most frequent first.
    verbs: Vec<String>,
}

/// The games that reached the limit of decisions.
#[derive(Clone, Debug, Default)]
pub(super) struct CutGames {
    pub(super) games: u64,
    stuck_games: u64,
    /// The first of the turns that seem to have no end.
    stuck: Option<StuckTurn>,
}

impl CutGames {
    /// Counts a game that reached the limit of decisions.
    pub(super) fn count(&mut self, game: &GameState, latest: &LatestTurn) {
        self.games += 1;
        let decisions: u64 = latest.answers.values().sum();
        // A long game of many turns ends some time, for example after `max_turns`.
        if decisions * 2 < MOST_ANSWERS {
            return;
        }
        self.stuck_games += 1;
        if self.stuck.is_none() {
            self.stuck = StuckTurn::new(game.decl(), game.turn(), decisions, latest);
        }
    }

    /// Returns a finding if games don't end. `games` is the number of all games.
    pub(super) fn finding(&self, ruleset: &Ruleset, games: u64) -> Option<Finding> {
        let most = self.games * 2 > games;
        let text = format!(
            "{} of {games} games did not end within {MOST_ANSWERS} decisions",
            self.games
        );
        let mut finding = Finding::error("trial::endless", text);
        if let Some(stuck) = &self.stuck {
            finding = finding.help(stuck.help());
            finding.place = place_of(ruleset, &format!("{}_apply", stuck.phase));
        } else if most && ruleset.manifest.decl.max_turns == 0 {
            finding = finding.help(
                "limit the game, for example with `max_turns: 1000`, or make sure that every game \
                 ends",
            );
        } else {
            return None;
        }
        if self.stuck_games * 2 <= games {
            finding.level = Level::Warn;
        }
        Some(finding)
    }
}

impl StuckTurn {
    fn new(decl: &Declaration, turn: u32, decisions: u64, latest: &LatestTurn) -> Option<Self> {
        let mut by_phase: BTreeMap<Phase, u64> = BTreeMap::new();
        for ((phase, _), count) in &latest.answers {
            *by_phase.entry(*phase).or_default() += count;
        }
        let (phase, _) = by_phase.into_iter().max_by_key(|(_, count)| *count)?;
        let mut verbs: Vec<_> = latest.answers.iter().collect();
        verbs.retain(|((of, _), _)| *of == phase);
        verbs.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let verbs = verbs.into_iter().map(|((_, verb), _)| verb.index());
        let info = &decl.phases[phase.index()];
        Some(Self {
            turn,
            decisions,
            phase: info.name.clone(),
            scripted: info.scripted,
            verbs: verbs.map(|verb| decl.verbs[verb].name.clone()).collect(),
        })
    }

    fn help(&self) -> String {
        let Self { phase, turn, .. } = self;
        let decisions = counted(self.decisions, "decision");
        let when = match turn {
            0 => "the set-up".to_owned(),
            turn => format!("turn {turn}"),
        };
        let verbs = self.verbs.join("`, `");
        let place = format!(
            "{when} of one game went on for {decisions}, most of them in the phase `{phase}`, \
             with the answers `{verbs}`"
        );
        if self.scripted {
            format!(
                "{place}: call `g.done(me)` in `{phase}_apply` when a player has finished, or \
                 offer an answer that does"
            )
        } else {
            format!("{place}: make sure that the phase can end")
        }
    }
}

/// Returns the place of a ruleset's hook: in its own script, or else in the first that defines it.
pub(super) fn place_of(ruleset: &Ruleset, hook: &str) -> Option<Span> {
    let mut sources = ruleset.sources();
    let (source, start) =
        sources.find_map(|source| Some((source, source.text.find(&format!("fn {hook}("))? + 3)))?;
    let file = TextFile {
        name: source.name.clone(),
        text: source.text.clone(),
    };
    Some(Span {
        file,
        start,
        len: hook.len(),
    })
}
