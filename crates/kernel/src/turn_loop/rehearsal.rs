//! Rehearsals: a compound answer is tried on a copy of the game before its first step is applied.

use super::run::{AnswerSource, Reply, Run};
use crate::action::{Action, Options};
use crate::bot::Plans;
use crate::event::Event;
use crate::event_filter::EventFilter;
use crate::finished_game::StopReason;
use crate::id::{Phase, Player, PlayerSet};
use crate::state::GameState;
use crate::view::Facts;
use crate::words::Words;
use risk_text::plural::counted;

/// The maximum number of steps in one compound answer.
pub const MOST_STEPS: usize = 10_000;

struct Rehearsal<'a> {
    player: Player,
    steps: &'a [Action],
    done: usize,
    wants: &'a [Phase],
    verdict: Option<Result<(), String>>,
}

impl AnswerSource for Rehearsal<'_> {
    fn has_enough(&self, facts: &Facts) -> bool {
        self.done == self.steps.len() || facts.drew
    }

    fn ask(
        &mut self,
        run: &mut Run<'_>,
        player: Player,
        options: &Options,
    ) -> Result<Option<Reply>, StopReason> {
        let verdict = if player == self.player {
            let action = self.steps[self.done];
            match options.admit(action) {
                Ok(legal) => {
                    self.done += 1;
                    return Ok(Some(Reply::Act(legal)));
                }
                Err(why) => {
                    let words = Words::new(run.facts.board(), run.facts.decl());
                    Err(format!(
                        "step {}: {}",
                        self.done + 1,
                        words.refusal(options, action, why)
                    ))
                }
            }
        } else {
            let left = self.steps.len() - self.done;
            Err(format!(
                "{} left in the answer, but the next decision is another player's",
                counted(left, "step")
            ))
        };
        self.verdict = Some(verdict);
        Err(StopReason::Halted)
    }

    fn plans(&mut self, _: Player) -> Plans {
        Plans::Ignored
    }

    fn wants(&self, _: Player, phase: Phase) -> bool {
        self.wants.contains(&phase)
    }

    fn deliver(&mut self, _: &Facts, _: &[Event]) {}
}

/// Checks that all steps are possible in the current state, up to the first random draw. `options`
/// are the player's options in this state.
pub(super) fn rehearse(
    run: &mut Run<'_>,
    player: Player,
    steps: &[Action],
    options: &Options,
    wants: &[Phase],
) -> Result<(), String> {
    let here = Start {
        facts: run.facts.clone(),
        idle: run.idle,
    };
    // Without other players in the frame, the rehearsal begins in exactly this state.
    let is_alone = here.facts.frame().is_some_and(|top| top.players.len() == 1);
    let known = (is_alone && options.plans() == 0).then(|| (player, options.clone()));
    rehearse_from(&here, run, known, player, steps, wants)
}

pub(super) struct Start {
    pub(super) facts: Facts,
    /// The number of phases entered since the last answer.
    pub(super) idle: u32,
}

pub(super) fn rehearse_from(
    start: &Start,
    run: &mut Run<'_>,
    known: Option<(Player, Options)>,
    player: Player,
    steps: &[Action],
    wants: &[Phase],
) -> Result<(), String> {
    if steps.len() > MOST_STEPS {
        return Err(format!(
            "an answer has at most {MOST_STEPS} steps, found {}",
            steps.len()
        ));
    }
    let mut game = GameState::clone(&start.facts);
    game.wanted = EventFilter::Nothing;
    game.drew = false;
    if let Some(top) = game.stack.last_mut() {
        top.players = PlayerSet::one(player);
    }
    let mut facts = Facts::new(game);
    let mut copy = Run::new(&mut facts, &mut *run.rules, run.limits);
    copy.idle = start.idle;
    copy.known = known.into_iter().collect();
    let mut rehearsal = Rehearsal {
        player,
        steps,
        done: 0,
        wants,
        verdict: None,
    };
    match copy.frames(&mut rehearsal) {
        Ok(()) if rehearsal.done == steps.len() || facts.drew => Ok(()),
        Ok(()) => Err(format!(
            "the game ends after {} of the answer's {} steps",
            rehearsal.done,
            steps.len()
        )),
        // A fault of the ruleset is reported when the step is applied to the game.
        Err(StopReason::Rules(_)) => Ok(()),
        Err(StopReason::Halted) => rehearsal.verdict.unwrap_or(Ok(())),
    }
}
