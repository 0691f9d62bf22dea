//! Standard phases in Rust for rules that most relatives of Risk share. They have the same 3 entry
//! points as phases in scripts. They read their numbers from the ruleset's tables and rarely call
//! its hooks.

mod assault;
mod attack;
mod bind;
mod claim;
pub mod deals;
mod defend;
mod deploy;
pub mod dice;
mod execution;
mod fortify;
mod income;
mod kills;
mod muster;
mod next_turn;
mod occupy;
mod orders;
mod press_on;
pub mod raids;
mod round;
pub mod settings;
pub mod table;
mod trade;

use crate::action::{Action, Bounds, LegalAction, Options};
use crate::declare::{FightMethod, SlotKind};
use crate::fault::{RuleFault, RuleResult};
use crate::id::{self, Player, Territory, Verb};
use crate::rng::Stream;
use crate::state::{Frame, GameState};

pub use crate::rules::Asked;
pub use bind::{BindError, Param, PhaseBinder, phase_key};
pub use execution::ExecutionState;
pub use income::bonus;

/// A standard phase before it is bound.
#[derive(Clone, Copy)]
pub struct StandardPhase {
    /// The name for `standard("…")`.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    bind: PhaseConstructor,
}

type PhaseResult = Result<Box<dyn PhaseRules>, BindError>;
type PhaseConstructor = fn(&mut PhaseBinder<'_>) -> PhaseResult;

fn made(phase: Result<impl PhaseRules + 'static, BindError>) -> PhaseResult {
    Ok(Box::new(phase?))
}

/// Lists standard phases: the rules, the name and the description.
macro_rules! standard_phases {
    ($($module:ident::$rules:ident $name:literal $about:literal;)*) => {
        [$(StandardPhase {
            name: $name,
            about: $about,
            bind: |bind| made($module::$rules::bind(bind)),
        }),*]
    };
}

/// All standard phases.
pub static STANDARD: [StandardPhase; 14] = standard_phases! {
    claim::Claim "claim" "players claim free territories in turn, with one army each";
    muster::Muster "muster" "players place their first armies in turn";
    income::Income "income" "a player receives armies for territories and continents";
    trade::Trade "trade" "a player trades sets of cards for armies";
    deploy::Deploy "deploy" "a player deploys the reserve";
    attack::Attack "attack" "a player attacks, one roll at a time, until done";
    defend::Defend "defend" "the owner of an attacked territory chooses the number of dice";
    assault::Assault "assault" "players attack once each, in rotation, while any of them can";
    press_on::PressOn "press_on" "a player continues an attack, one roll at a time, or stops";
    occupy::Occupy "occupy" "a player moves more armies into a conquered territory";
    fortify::Fortify "fortify" "a player moves armies between two own territories, at most once";
    orders::Orders "orders" "players give orders, one at a time, until done";
    execution::Execution "execution" "orders are executed, one for each player in turn";
    next_turn::NextTurn "next_turn" "the turn passes to the next player";
};

/// Returns the standard phase with this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static StandardPhase> {
    STANDARD.iter().find(|phase| phase.name == name)
}

/// The parameters of verbs for an order from one territory to another, without and with a number of
/// armies, and of verbs that place armies.
const WAY: [(&str, SlotKind); 2] = [("from", SlotKind::Territory), ("to", SlotKind::Territory)];
const MOVE: [(&str, SlotKind); 3] = [WAY[0], WAY[1], ("armies", SlotKind::Count)];
const PLACE: [(&str, SlotKind); 2] = [("at", SlotKind::Territory), MOVE[2]];

/// The minimum number of territories for drawing an option without computing all options.
const LARGE: usize = 256;

/// Reports whether a standard phase leaves the execution of orders to the hook `PHASE_play`.
#[must_use]
pub fn plays(name: &str) -> bool {
    matches!(name, "orders" | "execution")
}

/// The ruleset's hooks that standard phases call. A call of a hook that the ruleset does not define
/// has no effect.
pub trait Hooks {
    /// Runs after `player` has captured `at`.
    ///
    /// # Errors
    /// Returns an error if the hook fails.
    fn on_conquest(&mut self, game: &mut GameState, player: Player, at: Territory) -> RuleResult;

    /// Runs if no active player can attack any more, or if all players who can attack have passed
    /// in a row.
    ///
    /// # Errors
    /// Returns an error if the hook fails.
    fn on_exhausted(&mut self, game: &mut GameState) -> RuleResult;

    /// Returns why an order can't be executed now, or `None` if the ruleset has no objection.
    ///
    /// # Errors
    /// Returns an error if a hook fails.
    fn refusal(
        &mut self,
        game: &mut GameState,
        phase: id::Phase,
        player: Player,
        order: Action,
    ) -> RuleResult<Option<String>>;

    /// Runs after an order was executed.
    ///
    /// # Errors
    /// Returns an error if the hook fails.
    fn after(
        &mut self,
        game: &mut GameState,
        phase: id::Phase,
        player: Player,
        order: Action,
    ) -> RuleResult;

    /// Runs an order that the ruleset defines, either when `player` gives the order or when it is
    /// executed. During execution, `now` is the execution in progress.
    ///
    /// # Errors
    /// Returns an error if the hook fails.
    fn play(
        &mut self,
        game: &mut GameState,
        phase: id::Phase,
        player: Player,
        order: Action,
        now: Option<&mut ExecutionState>,
    ) -> RuleResult;
}

/// A player's answer that is being applied.
pub struct Turn<'a> {
    /// The game.
    pub game: &'a mut GameState,
    /// The frame in which the player decided.
    pub frame: &'a Frame,
    /// The player.
    pub player: Player,
    /// The ruleset's hooks.
    pub hooks: &'a mut dyn Hooks,
}

/// The behaviour of a phase: how it opens, which options it offers, and how it applies an answer.
/// Every method returns an error if the ruleset fails.
pub trait PhaseRules {
    /// Runs when the frame comes to the top of the stack.
    fn enter(&self, game: &mut GameState, frame: &Frame, hooks: &mut dyn Hooks) -> RuleResult {
        let _ = (game, frame, hooks);
        Ok(())
    }

    /// Reports whether players decide in the phase.
    fn asks(&self) -> bool {
        true
    }

    /// Returns the method of resolving fights with the ruleset's tables; `None` if the phase does
    /// not use them.
    fn fights(&self) -> Option<FightMethod> {
        None
    }

    /// Adds a player's options to `out`.
    fn options(&self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        let _ = (asked, out);
        Ok(())
    }

    /// Returns bounds as [`Rules::bounds_of`](crate::Rules::bounds_of) does. The bounds must agree
    /// with `options`.
    fn bounds_of(&self, asked: Asked<'_>, verb: Verb, given: &[i32]) -> RuleResult<Bounds> {
        let _ = (asked, verb, given);
        Ok(Bounds::Unknown)
    }

    /// Returns the verbs that this phase can offer, for [`Rules::verbs`](crate::Rules::verbs).
    fn verbs(&self) -> &[Verb] {
        &[]
    }

    /// Draws one of the options, for [`Rules::draw`](crate::Rules::draw).
    fn draw(&self, asked: Asked<'_>, rng: &mut Stream) -> RuleResult<Option<Action>> {
        let _ = (asked, rng);
        Ok(None)
    }

    /// Applies a player's answer.
    fn apply(&self, turn: Turn<'_>, action: LegalAction) -> RuleResult {
        let _ = (turn, action);
        Ok(())
    }
}

/// Returns the standard phase with this name, bound to the ruleset.
///
/// # Errors
/// Returns an error if the ruleset lacks a declaration that the phase needs, or if it sets a
/// parameter that the phase does not have.
pub fn standard(name: &str, bind: &mut PhaseBinder<'_>) -> Result<Box<dyn PhaseRules>, BindError> {
    let known = named(name).ok_or_else(|| BindError::Phase(name.to_owned()))?;
    let phase = (known.bind)(bind)?;
    bind.all_used()?;
    Ok(phase)
}

fn at(value: i32) -> Territory {
    Territory::from_index(value as usize)
}

fn on_board(game: &GameState, value: i32) -> Option<Territory> {
    usize::try_from(value)
        .ok()
        .filter(|&index| index < game.board().len())
        .map(Territory::from_index)
}

/// Returns the seat for a number that a script opened a phase with. Numbers wrap around the table.
fn seat(game: &GameState, number: i32) -> Player {
    Player::from_index(number.rem_euclid(game.players() as i32) as usize)
}

/// Checks that a number that a script opened a phase with is a territory.
fn check_territory(game: &GameState, number: i32) -> RuleResult {
    let last = game.board().len() - 1;
    let outside = || {
        RuleFault::new(format!(
            "a phase was opened with territory {number}, expected 0 to {last}"
        ))
    };
    on_board(game, number).map(drop).ok_or_else(outside)
}
