//! Standard phases in Rust: what most relatives of Risk share, with the same three hooks that a
//! script has. They take their numbers from the ruleset's tables and rarely call its hooks.

mod assault;
mod attack;
mod bind;
mod claim;
pub mod deals;
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

use crate::action::{Action, Bounds, Legal, Options};
use crate::declare::FightBy;
use crate::fault::RuleFault;
use crate::id::{self, Player, Territory, Verb};
use crate::rng::Stream;
use crate::state::{Frame, GameState};

pub use bind::{Bind, Param, Unbound};
pub use execution::UnderWay;
pub use income::bonus;

/// A standard phase before it is bound.
#[derive(Clone, Copy)]
pub struct StandardPhase {
    /// The name, as `standard("…")` takes it.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    bind: Binding,
}

type Bound = Result<Box<dyn Phase>, Unbound>;
type Binding = fn(&mut Bind<'_>) -> Bound;

const fn standard_phase(name: &'static str, about: &'static str, bind: Binding) -> StandardPhase {
    StandardPhase { name, about, bind }
}

fn made(phase: Result<impl Phase + 'static, Unbound>) -> Bound {
    Ok(Box::new(phase?))
}

/// All standard phases.
pub static STANDARD: [StandardPhase; 13] = [
    standard_phase(
        "claim",
        "players claim free territories in turn, with one army each",
        |bind| made(claim::Claim::bind(bind)),
    ),
    standard_phase(
        "muster",
        "players place their first armies in turn",
        |bind| made(muster::Muster::bind(bind)),
    ),
    standard_phase(
        "income",
        "a player receives armies for territories and continents",
        |bind| made(income::Income::bind(bind)),
    ),
    standard_phase(
        "trade",
        "a player trades sets of cards for armies",
        |bind| made(trade::Trade::bind(bind)),
    ),
    standard_phase("deploy", "a player deploys the reserve", |bind| {
        made(deploy::Deploy::bind(bind))
    }),
    standard_phase(
        "attack",
        "a player attacks, one roll at a time, until done",
        |bind| made(attack::Attack::bind(bind)),
    ),
    standard_phase(
        "assault",
        "players attack once each, in rotation, while any of them can",
        |bind| made(assault::Assault::bind(bind)),
    ),
    standard_phase(
        "press_on",
        "a player continues an attack, one roll at a time, or stops",
        |bind| made(press_on::PressOn::bind(bind)),
    ),
    standard_phase(
        "occupy",
        "a player moves more armies into a conquered territory",
        |bind| made(occupy::Occupy::bind(bind)),
    ),
    standard_phase(
        "fortify",
        "a player moves armies between two own territories, at most once",
        |bind| made(fortify::Fortify::bind(bind)),
    ),
    standard_phase(
        "orders",
        "players give orders, one at a time, until done",
        |bind| made(orders::Orders::bind(bind)),
    ),
    standard_phase(
        "execution",
        "orders are executed, one for each player in turn",
        |bind| made(execution::Execution::bind(bind)),
    ),
    standard_phase("next_turn", "the turn passes to the next player", |bind| {
        made(next_turn::NextTurn::bind(bind))
    }),
];

/// Returns the standard phase with this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static StandardPhase> {
    STANDARD.iter().find(|phase| phase.name == name)
}

/// The number of territories from which on options are drawn without computing all of them.
const LARGE: usize = 256;

/// Reports whether a standard phase leaves orders to the hook `PHASE_play`.
#[must_use]
pub fn plays(name: &str) -> bool {
    matches!(name, "orders" | "execution")
}

/// The hooks of a ruleset that standard phases call. A hook that is not defined is not called.
pub trait Hooks {
    /// Runs after `player` has captured `at`.
    ///
    /// # Errors
    /// The hook's own fault.
    fn on_conquest(
        &mut self,
        game: &mut GameState,
        player: Player,
        at: Territory,
    ) -> Result<(), RuleFault>;

    /// Runs when no active player can attack any more, or when all who can have passed in a row.
    ///
    /// # Errors
    /// The hook's own fault.
    fn on_exhausted(&mut self, game: &mut GameState) -> Result<(), RuleFault>;

    /// Runs an order that only the ruleset understands, when `player` gives it or when it is
    /// executed: in that case `now` is the execution in progress.
    ///
    /// # Errors
    /// The hook's own fault.
    fn play(
        &mut self,
        game: &mut GameState,
        phase: id::Phase,
        player: Player,
        order: Action,
        now: Option<&mut UnderWay>,
    ) -> Result<(), RuleFault>;
}

/// A phase: what it does when it opens, what it offers, and what an answer changes.
pub trait Phase {
    /// Runs when the frame comes to the top of the stack.
    ///
    /// # Errors
    /// A fault of the ruleset.
    fn enter(
        &self,
        game: &mut GameState,
        frame: &Frame,
        hooks: &mut dyn Hooks,
    ) -> Result<(), RuleFault> {
        let _ = (game, frame, hooks);
        Ok(())
    }

    /// Reports whether players decide in it.
    fn asks(&self) -> bool {
        true
    }

    /// Returns how it resolves fights by the ruleset's tables, if it does.
    fn fights(&self) -> Option<FightBy> {
        None
    }

    /// Adds a player's options to `out`.
    ///
    /// # Errors
    /// A fault of the ruleset.
    fn options(
        &self,
        game: &GameState,
        frame: &Frame,
        player: Player,
        out: &mut Options,
    ) -> Result<(), RuleFault> {
        let _ = (game, frame, player, out);
        Ok(())
    }

    /// Returns bounds as [`Rules::bounds_of`](crate::Rules::bounds_of) does; must agree with
    /// `options`.
    ///
    /// # Errors
    /// A fault of the ruleset.
    fn bounds_of(
        &self,
        game: &GameState,
        frame: &Frame,
        player: Player,
        verb: Verb,
        given: &[i32],
    ) -> Result<Bounds, RuleFault> {
        let _ = (game, frame, player, verb, given);
        Ok(Bounds::Unknown)
    }

    /// Returns the verbs that this phase can offer, for [`Rules::verbs`](crate::Rules::verbs).
    fn verbs(&self) -> &[Verb] {
        &[]
    }

    /// Draws one of the options, for [`Rules::draw`](crate::Rules::draw).
    ///
    /// # Errors
    /// A fault of the ruleset.
    fn draw(
        &self,
        game: &GameState,
        player: Player,
        rng: &mut Stream,
    ) -> Result<Option<Action>, RuleFault> {
        let _ = (game, player, rng);
        Ok(None)
    }

    /// Applies a player's answer.
    ///
    /// # Errors
    /// A fault of the ruleset.
    fn apply(
        &self,
        game: &mut GameState,
        frame: &Frame,
        player: Player,
        action: Legal,
        hooks: &mut dyn Hooks,
    ) -> Result<(), RuleFault> {
        let _ = (game, frame, player, action, hooks);
        Ok(())
    }
}

/// Returns the standard phase with this name, bound to the ruleset.
///
/// # Errors
/// When the ruleset lacks a declaration that the phase needs, or has a parameter that it does not
/// know.
pub fn standard(name: &str, bind: &mut Bind<'_>) -> Result<Box<dyn Phase>, Unbound> {
    let known = named(name).ok_or_else(|| Unbound::Phase(name.to_owned()))?;
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

/// Returns the seat of a number that a script opened a phase with, counted round the table.
fn seat(game: &GameState, number: i32) -> Player {
    Player::from_index(number.rem_euclid(game.players() as i32) as usize)
}

/// Checks the territory of a number that a script opened a phase with.
fn check_territory(game: &GameState, number: i32) -> Result<(), RuleFault> {
    let count = game.board().len();
    if usize::try_from(number).is_ok_and(|index| index < count) {
        return Ok(());
    }
    Err(RuleFault::new(format!(
        "a phase was opened with territory {number}, expected 0 to {}",
        count - 1
    )))
}
