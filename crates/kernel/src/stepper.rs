//! Games that the caller drives, decision by decision.

mod mixed_game;

use std::sync::Arc;

use super::action::{Action, LegalAction, Options};
use super::bot::{Bots, Plans};
use super::event::Event;
use super::event_filter::EventFilter;
use super::fault::{RuleFault, RuleResult};
use super::finished_game::StopReason;
use super::id::{Phase, Player};
use super::limits::Limits;
use super::outcome::Outcome;
use super::rng::GameKey;
use super::rules::Rules;
use super::sink::Sink;
use super::state::{Frame, GameState};
use super::turn_loop::live::LiveBots;
use super::turn_loop::run::{AnswerSource, Pass, Reply, Run};
use super::view::{Facts, View};
use super::words::Words;
use mixed_game::MixedBots;
pub use mixed_game::MixedGame;

/// The decisions and events that a caller wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepperSettings {
    /// The limits on the length of the game.
    pub limits: Limits,
    /// Whether the caller decides in optional phases. If false, the first option is chosen in these
    /// phases.
    pub asks_optional: bool,
    /// Whether options include the plans that the ruleset offers.
    pub plans: bool,
    /// Whether events are stored for [`Stepper::take_events`].
    pub listens: bool,
}

impl Default for StepperSettings {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            asks_optional: false,
            plans: false,
            listens: true,
        }
    }
}

/// A decision that a player must make now.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The player who decides.
    pub player: Player,
    /// The player's options, which are never empty.
    pub options: Options,
}

/// The reason why a step failed.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// The action is not one of the player's options. The text explains why. The game has not
    /// changed, and the refusal does not count as a fault.
    #[error("{0}")]
    Refused(String),
    /// The ruleset failed. The game can't continue.
    #[error(transparent)]
    Rules(RuleFault),
}

/// A game that its caller drives. The game and its events are the same as with
/// [`play`](super::play), but the caller decides instead of a [`Bot`](super::Bot).
///
/// Create a stepper with [`Stepper::new`]. While [`Stepper::decisions`] is not empty, choose an
/// option for one of the deciding players, such as `decision.options.nth(0)`, and pass it to
/// [`Stepper::apply`]. If several players decide simultaneously, you can answer for them in any
/// order, and each player sees the same state. The answers are applied in seat order once all
/// answers have arrived. When no decision is left, [`Stepper::outcome`] returns the outcome of the
/// game.
///
/// A clone is an independent game. The clone and the original share memory until either of them
/// changes. Rules contain no game state, so any number of steppers can use the same rules. They
/// must be the rules that set the game up, or rules created in the same way.
#[derive(Clone)]
pub struct Stepper {
    facts: Facts,
    settings: StepperSettings,
    idle: u32,
    pass: Pass,
    decisions: Arc<Vec<Decision>>,
    events: Vec<Event>,
    outcome: Option<Outcome>,
    spare: SpareOptions,
}

/// Unused options, which are reused so that most steps need no allocation.
#[derive(Default)]
struct SpareOptions {
    written: Options,
    asked: Vec<Options>,
}

impl Clone for SpareOptions {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Stepper {
    /// Runs a game to the first decision. `game` is either an empty board from [`GameState::new`],
    /// which is set up first, or a game before a decision. You get such a game from
    /// [`View::imagine`], from [`Position::game`](super::position::Position::game), or as
    /// [`FinishedGame::game`](super::FinishedGame::game) of a halted game.
    ///
    /// # Errors
    /// Returns an error if the ruleset fails.
    pub fn new(
        game: GameState,
        rules: &mut dyn Rules,
        settings: StepperSettings,
    ) -> RuleResult<Self> {
        let mut stepper = Self::at(game, settings);
        let begin = stepper.beginning();
        stepper.run(rules, None, begin)?;
        Ok(stepper)
    }

    /// Returns the step to the first decision, which includes the set-up unless the game has begun.
    fn beginning(
        &self,
    ) -> impl FnOnce(&mut Run<'_>, &mut DeferredAnswers<'_>) -> Result<Outcome, StopReason> + use<>
    {
        let begins = self.facts.frame().is_none() && self.facts.ending().is_none();
        move |run, caller| {
            if begins {
                run.game(caller)
            } else {
                run.resume(caller)
            }
        }
    }

    fn at(game: GameState, settings: StepperSettings) -> Self {
        let mut stepper = Self {
            facts: Facts::new(game),
            settings,
            idle: 0,
            pass: Pass::default(),
            decisions: Arc::default(),
            events: Vec::new(),
            outcome: None,
            spare: SpareOptions::default(),
        };
        stepper.set_listening(settings.listens);
        stepper
    }

    /// Returns the decisions and events that the caller wants.
    #[must_use]
    pub const fn settings(&self) -> StepperSettings {
        self.settings
    }

    /// Returns the current decisions by seat. The list is empty after the end of the game or after
    /// a fault of the ruleset.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// Returns the game as a player sees it.
    #[must_use]
    pub fn view(&self, player: Player) -> View {
        View::new(&self.facts, player)
    }

    /// Returns the whole state, including everything that is hidden from players. While several
    /// players decide simultaneously, this is the state before their answers.
    #[must_use]
    pub fn game(&self) -> &GameState {
        &self.facts
    }

    /// Returns true if no player has answered in the current pass yet.
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        self.pass.is_empty()
    }

    /// Returns the ruleset's current score of a player.
    ///
    /// # Errors
    /// Returns an error if the ruleset fails.
    pub fn score(&self, rules: &mut dyn Rules, player: Player) -> RuleResult<i64> {
        rules.score(&self.facts, player)
    }

    /// Returns the outcome; `None` before the end of the game.
    #[must_use]
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Applies a player's answer. After the last missing answer, the game runs to its next decision
    /// or to its end.
    ///
    /// # Errors
    /// Returns an error if the player has nothing to decide or the action is not offered; the game
    /// has not changed in this case. Also returns an error if the ruleset fails.
    pub fn apply(
        &mut self,
        rules: &mut dyn Rules,
        player: Player,
        action: Action,
    ) -> Result<(), StepError> {
        self.answer(rules, None, player, action)
    }

    fn answer(
        &mut self,
        rules: &mut dyn Rules,
        company: Option<MixedBots<'_>>,
        player: Player,
        action: Action,
    ) -> Result<(), StepError> {
        let words = Words::new(self.facts.board(), self.facts.decl());
        let place = self
            .decisions
            .iter()
            .position(|decision| decision.player == player)
            .ok_or_else(|| {
                let text = format!(
                    "illegal action `{}`: player {} has no decision",
                    words.action(action),
                    player.index() + 1
                );
                StepError::Refused(text)
            })?;
        let options = &self.decisions[place].options;
        let legal = options
            .admit(action)
            .map_err(|why| StepError::Refused(words.refusal(options, action, why)))?;
        match Arc::get_mut(&mut self.decisions) {
            Some(own) => self.spare.asked.push(own.remove(place).options),
            // A copy of the game still needs the decision.
            None => {
                let all = self.decisions.iter();
                let others = all.filter(|decision| decision.player != player);
                self.decisions = Arc::new(others.cloned().collect());
            }
        }
        self.pass.answer(player, Reply::Act(legal));
        if self.decisions.is_empty() {
            self.run(rules, company, |run, caller| run.go_on(caller))
                .map_err(StepError::Rules)?;
        }
        Ok(())
    }

    /// Lets bots play on from the current decisions, of which none may be answered yet, until the
    /// game is over or a bot or the sink halts it. The stepper's own caller then decides again. The
    /// bots' own streams come from `key`, and the game's streams continue. The stepper stores no
    /// events of the bots' decisions.
    ///
    /// # Errors
    /// Returns an error if the ruleset fails. The game can't continue then.
    ///
    /// # Panics
    /// Panics if the game has more or fewer players than there are bots.
    pub fn play_on(
        &mut self,
        rules: &mut dyn Rules,
        bots: &mut dyn Bots,
        sink: &mut dyn Sink,
        key: GameKey,
    ) -> RuleResult {
        assert_eq!(
            self.facts.players(),
            bots.seats(),
            "one bot for each player"
        );
        let asked = Arc::unwrap_or_clone(std::mem::take(&mut self.decisions)).into_iter();
        let known = asked.filter(|decision| decision.options.plans() == 0);
        let known = known.map(|decision| (decision.player, decision.options));
        let known = known.collect();
        let mut live = LiveBots::new(bots, sink, &self.facts);
        self.facts.change().wanted = live.wanted();
        live.start(&self.facts, key);
        let mut run = Run::new(&mut self.facts, rules, self.settings.limits);
        run.known = known;
        let played = run.resume(&mut live).and_then(|outcome| {
            live.check_plans(&mut run, None)?;
            Ok(outcome)
        });
        let known = run.known;
        self.facts.change().events.clear();
        self.set_listening(self.settings.listens);
        self.idle = 0;
        self.pass = Pass::default();
        match played {
            Ok(outcome) => self.outcome = Some(outcome),
            Err(StopReason::Halted) => {
                self.run(rules, None, |run, caller| {
                    run.known = known;
                    run.resume(caller)
                })?;
            }
            Err(StopReason::Rules(fault)) => return Err(fault),
        }
        Ok(())
    }

    /// Returns a copy that shares no decisions with this stepper, so that their memory can be
    /// counted.
    #[must_use]
    pub fn with_own_decisions(&self) -> Self {
        let mut copy = self.clone();
        copy.decisions = Arc::new(self.decisions.to_vec());
        copy
    }

    /// Returns the events since the last call, in order, including everything that is hidden from
    /// players. [`View::redact_for`] returns an event as one player sees it.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Returns the number of events that [`Stepper::take_events`] would return.
    #[must_use]
    pub const fn pending_events(&self) -> usize {
        self.events.len()
    }

    /// Sets whether events are stored. A search that reads only states is faster without events.
    pub fn set_listening(&mut self, listens: bool) {
        self.settings.listens = listens;
        self.facts.change().wanted = if listens {
            EventFilter::All
        } else {
            EventFilter::Nothing
        };
    }

    /// Replaces the random streams of the game's dice, decks and set-up with new streams from the
    /// seed. Use this in a search, which must not know the dice of the real game.
    pub fn reseed(&mut self, seed: u64) {
        self.facts.change().reseed(GameKey::of_numbers(seed, 0));
    }

    fn run(
        &mut self,
        rules: &mut dyn Rules,
        company: Option<MixedBots<'_>>,
        step: impl FnOnce(&mut Run<'_>, &mut DeferredAnswers<'_>) -> Result<Outcome, StopReason>,
    ) -> RuleResult {
        let mut caller = DeferredAnswers {
            settings: self.settings,
            decisions: Arc::make_mut(&mut self.decisions),
            events: &mut self.events,
            spare: &mut self.spare.asked,
            company: None,
        };
        let mut run = Run::new(&mut self.facts, rules, self.settings.limits);
        run.idle = self.idle;
        run.options = std::mem::take(&mut self.spare.written);
        run.pass = std::mem::take(&mut self.pass);
        let result = match company {
            None => step(&mut run, &mut caller),
            Some(company) => company.step(&mut run, caller, step),
        };
        self.idle = run.idle;
        self.spare.written = run.options;
        self.pass = run.pass;
        match result {
            Ok(outcome) => self.outcome = Some(outcome),
            Err(StopReason::Halted) => {}
            Err(StopReason::Rules(fault)) => {
                // Events before the fault are reported. The pending decisions are dropped.
                self.events.append(&mut self.facts.change().events);
                self.decisions = Arc::default();
                return Err(fault);
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Stepper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stepper")
            .field("settings", &self.settings)
            .field("decisions", &self.decisions)
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}

/// The caller that drives the game. It is asked now and answers later.
struct DeferredAnswers<'a> {
    settings: StepperSettings,
    decisions: &'a mut Vec<Decision>,
    events: &'a mut Vec<Event>,
    spare: &'a mut Vec<Options>,
    company: Option<LiveBots<'a>>,
}

impl<'a> DeferredAnswers<'a> {
    fn bot(&mut self, player: Player) -> Option<&mut LiveBots<'a>> {
        self.company.as_mut().filter(|live| live.has(player))
    }
}

impl AnswerSource for DeferredAnswers<'_> {
    fn ask(
        &mut self,
        run: &mut Run<'_>,
        player: Player,
        options: &Options,
    ) -> Result<Option<Reply>, StopReason> {
        if let Some(live) = self.bot(player) {
            return live.ask(run, player, options);
        }
        if let Some(live) = &mut self.company {
            live.check_plans(run, Some(player))?;
        }
        let mut kept = self.spare.pop().unwrap_or_default();
        kept.clone_from(options);
        self.decisions.push(Decision {
            player,
            options: kept,
        });
        Ok(None)
    }

    fn try_next(
        &mut self,
        run: &mut Run<'_>,
        frame: &Frame,
        player: Player,
    ) -> Result<Option<LegalAction>, StopReason> {
        self.bot(player)
            .map_or(Ok(None), |live| live.try_next(run, frame, player))
    }

    fn plans(&mut self, player: Player) -> Plans {
        let among = self.settings.plans;
        let callers = if among { Plans::Beside } else { Plans::Ignored };
        self.bot(player).map_or(callers, |live| live.plans(player))
    }

    fn wants(&self, player: Player, phase: Phase) -> bool {
        match &self.company {
            Some(live) if live.has(player) => live.wants(player, phase),
            _ => self.settings.asks_optional,
        }
    }

    fn deliver(&mut self, facts: &Facts, events: &[Event]) {
        if self.settings.listens {
            self.events.extend_from_slice(events);
        }
        if let Some(live) = &mut self.company {
            live.deliver(facts, events);
        }
    }
}
