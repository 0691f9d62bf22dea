//! Standard phases in Rust: what most relatives of Risk share, with the same three hooks
//! that a script has. They take their numbers from the ruleset's tables and call its hooks
//! at rare moments.

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
    /// Its name, as `standard("…")` takes it.
    pub name: &'static str,
    /// What it does, in a line.
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
        "players take free territories in turn, an army on each",
        |bind| made(claim::Claim::bind(bind)),
    ),
    standard_phase(
        "muster",
        "players place their first armies in turn",
        |bind| made(muster::Muster::bind(bind)),
    ),
    standard_phase(
        "income",
        "armies for territories and continents come into the reserve",
        |bind| made(income::Income::bind(bind)),
    ),
    standard_phase(
        "trade",
        "a player turns sets of cards into armies",
        |bind| made(trade::Trade::bind(bind)),
    ),
    standard_phase("deploy", "a player places the reserve", |bind| {
        made(deploy::Deploy::bind(bind))
    }),
    standard_phase(
        "attack",
        "a player attacks, dice by dice, until done",
        |bind| made(attack::Attack::bind(bind)),
    ),
    standard_phase(
        "assault",
        "a player attacks once, in rotation, as long as anybody can",
        |bind| made(assault::Assault::bind(bind)),
    ),
    standard_phase(
        "press_on",
        "a player goes on with an attack, dice by dice, or stops",
        |bind| made(press_on::PressOn::bind(bind)),
    ),
    standard_phase(
        "occupy",
        "after a conquest: how many more armies follow",
        |bind| made(occupy::Occupy::bind(bind)),
    ),
    standard_phase(
        "fortify",
        "at most one move between two territories of one's own",
        |bind| made(fortify::Fortify::bind(bind)),
    ),
    standard_phase(
        "orders",
        "players give orders, one after the other, until done",
        |bind| made(orders::Orders::bind(bind)),
    ),
    standard_phase(
        "execution",
        "orders are executed, one for each player in turn",
        |bind| made(execution::Execution::bind(bind)),
    ),
    standard_phase(
        "next_turn",
        "the turn ends, and the next player's begins",
        |bind| made(next_turn::NextTurn::bind(bind)),
    ),
];

/// The standard phase of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static StandardPhase> {
    STANDARD.iter().find(|phase| phase.name == name)
}

/// From how many territories on options are drawn without writing all of them down.
const LARGE: usize = 256;

/// Does a standard phase leave orders to the hook `PHASE_play`?
#[must_use]
pub fn plays(name: &str) -> bool {
    matches!(name, "orders" | "execution")
}

/// What a standard phase tells the ruleset. A hook that is not defined is not called.
pub trait Hooks {
    /// `me` has just taken `at`.
    ///
    /// # Errors
    /// The hook's own fault.
    fn on_conquest(
        &mut self,
        game: &mut GameState,
        player: Player,
        at: Territory,
    ) -> Result<(), RuleFault>;

    /// Nobody who plays can attack any more, or all who can have passed in a row.
    ///
    /// # Errors
    /// The hook's own fault.
    fn on_exhausted(&mut self, game: &mut GameState) -> Result<(), RuleFault>;

    /// An order that means something to the ruleset alone is given by `me`, or executed: then with
    /// what is under way.
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

/// A phase: what it does when it opens, what it offers, what an answer changes.
pub trait Phase {
    /// The frame comes to the top.
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

    /// Is anybody asked in it?
    fn asks(&self) -> bool {
        true
    }

    /// How it fights, by the ruleset's tables, if it does.
    fn fights(&self) -> Option<FightBy> {
        None
    }

    /// What a player may do.
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

    /// As [`Rules::bounds_of`](crate::Rules::bounds_of): it must agree with
    /// what `options` offers.
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

    /// The verbs that this phase can offer, for [`Rules::verbs`](crate::Rules::verbs).
    fn verbs(&self) -> &[Verb] {
        &[]
    }

    /// One of the options, each as likely as every other, without writing all of them down, as
    /// [`Rules::draw`](crate::Rules::draw) wants it.
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

    /// Does what a player answered.
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

/// The standard phase of this name, with everything it needs looked up.
///
/// # Errors
/// Says what the ruleset must declare for it, or which parameter it does not know.
pub fn standard(name: &str, bind: &mut Bind<'_>) -> Result<Box<dyn Phase>, Unbound> {
    let known = named(name).ok_or_else(|| Unbound::Phase(name.to_owned()))?;
    let phase = (known.bind)(bind)?;
    bind.all_used()?;
    Ok(phase)
}

fn at(value: i32) -> Territory {
    Territory::from_index(value as usize)
}

/// A territory from an answer's number, if there is such.
fn on_board(game: &GameState, value: i32) -> Option<Territory> {
    usize::try_from(value)
        .ok()
        .filter(|&index| index < game.board().len())
        .map(Territory::from_index)
}

/// A seat from a number that a script opened a phase with, counted round the table.
fn seat(game: &GameState, number: i32) -> Player {
    Player::from_index(number.rem_euclid(game.players() as i32) as usize)
}

/// A territory from a number that a script opened a phase with.
fn check_territory(game: &GameState, number: i32) -> Result<(), RuleFault> {
    let count = game.board().len();
    if usize::try_from(number).is_ok_and(|index| index < count) {
        return Ok(());
    }
    Err(RuleFault::new(format!(
        "a phase was opened with territory {number}; the map has 0 to {}",
        count - 1
    )))
}
