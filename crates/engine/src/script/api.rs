//! The functions that scripts may call. A hook's parameters determine which of them it may use:
//! `Facts` reads the whole game, `Game` changes the game, and `View` shows what one player sees.
//! Tables receive none of these objects.

mod actions;
mod ask;
mod board;
mod calls;
mod dice;
mod game;
mod imagined;
mod offers;
mod raids;
mod reads;
pub mod reference;
mod routes;
mod under_way;
mod view;

use std::cell::RefCell;
use std::rc::Rc;

use rhai::{Dynamic, Engine, EvalAltResult, INT};

use super::meter;
use rhai_guard::Natives;
pub(super) use rhai_guard::{NativeResult, fail, kind};
use risk_kernel::action::Action;
use risk_kernel::board::Board;
use risk_kernel::declare::Declaration;
use risk_kernel::fault::RuleResult;
use risk_kernel::id::{Card, Counter, Pile, Player, Territory, Unit, Verb};
use risk_kernel::phases::ExecutionState;
use risk_kernel::phases::dice::DiceRule;
use risk_kernel::state::GameState;
use risk_kernel::view::Facts;
use risk_text::plural::counted;
use risk_text::suggest;

pub(super) use actions::ActionValue;
use ask::PlanValue;
pub(super) use ask::{AskValue, ReturnedValue};
pub(crate) use imagined::{FoundPlan, OwnWorth, PlanSearch, Policies, SearchLimits};
pub(super) use imagined::{ImaginationContext, ImaginedGame};
pub(super) use offers::{EntityCounts, Offers};
pub(super) use view::ScriptView;

/// The work of comparing two letters, charged when a misspelled name is compared with known names.
const SUGGEST: u64 = 2;

/// The work for each byte of a text that is read character by character.
const BYTE: u64 = 2;

/// A handle to the game that a ruleset's hook changes. Between hooks, the handle contains a spare
/// game. The second field is set while a hook plays one of the orders that are being executed.
#[derive(Clone)]
pub(super) struct GameHandle(
    pub(super) Rc<RefCell<GameState>>,
    pub(super) Rc<RefCell<Option<ExecutionState>>>,
);

/// Registers the functions for a ruleset's hooks. `dice` has the ruleset's rule for comparing dice
/// in each class of fights; it is empty if the ruleset has no such rule.
pub(super) fn register_rules(engine: &mut Natives, dice: Vec<DiceRule>) {
    engine.register_type_with_name::<Facts>("Facts");
    engine.register_type_with_name::<GameHandle>("Game");
    board::register::<Facts>(engine);
    board::register::<GameHandle>(engine);
    routes::register::<Facts>(engine);
    routes::register::<GameHandle>(engine);
    reads::register::<Facts>(engine);
    reads::register::<GameHandle>(engine);
    game::register(engine);
    under_way::register(engine);
    dice::register(engine, dice);
    actions::register(engine);
    offers::register(engine);
    raids::register(engine);
}

/// Registers the names of all types for use in messages.
pub(super) fn name_types(engine: &mut Engine) {
    engine.register_type_with_name::<Facts>("Facts");
    engine.register_type_with_name::<GameHandle>("Game");
    engine.register_type_with_name::<ActionValue>("Action");
    engine.register_type_with_name::<Offers>("Offers");
    engine.register_type_with_name::<AskValue>("Ask");
    engine.register_type_with_name::<PlanValue>("Plan");
    engine.register_type_with_name::<ScriptView>("View");
    engine.register_type_with_name::<ImaginedGame>("Imagined");
}

pub(super) fn register_looks(engine: &mut Natives) {
    board::register::<ScriptView>(engine);
    routes::register::<ScriptView>(engine);
    view::register(engine);
}

pub(super) fn register_bots(engine: &mut Natives) {
    register_looks(engine);
    actions::register(engine);
    ask::register(engine);
    imagined::register(engine);
}

/// Returns the sorted signatures of all functions that a ruleset's scripts may call, or those for
/// bots if `rules` is false.
#[must_use]
pub fn signatures(rules: bool) -> Vec<String> {
    let mut engine = Natives::new(name_types);
    if rules {
        register_rules(&mut engine, Vec::new())
    } else {
        register_bots(&mut engine)
    }
    let mut all: Vec<String> = engine
        .gen_fn_signatures(false)
        .iter()
        .filter_map(|raw| as_written(raw))
        .collect();
    all.sort();
    all.dedup();
    all
}

/// Formats a signature as a call: `view.armies(int) -> int`, `ask.len -> int`.
fn as_written(raw: &str) -> Option<String> {
    let (name, rest) = raw.split_once('(')?;
    let (parameters, result) = rest
        .split_once(") -> ")
        .or_else(|| Some((rest.strip_suffix(')')?, "()")))?;
    let mut parameters = parameters
        .split(", ")
        .map(|parameter| parameter.trim_start_matches("_: "));
    let object = parameters.next()?.strip_prefix("&mut ")?.to_lowercase();
    let rest: Vec<&str> = parameters.map(type_word).collect();
    let object = if object == "game" { "g" } else { &object };
    let call = match name.strip_prefix("get$") {
        Some(property) => format!("{object}.{property}"),
        None if name.contains('$') => return None,
        None => format!("{object}.{name}({})", rest.join(", ")),
    };
    let result = result
        .trim_start_matches("core::result::Result<")
        .split(",alloc::")
        .next()
        .map_or("()", type_word);
    Some(if result == "()" {
        call
    } else {
        format!("{call} -> {result}")
    })
}

/// Returns the name of a type for messages, or an empty string if the type has none.
pub(super) fn type_name(of: std::any::TypeId) -> &'static str {
    use std::any::TypeId;
    let names = [
        (TypeId::of::<INT>(), "int"),
        (TypeId::of::<rhai::FLOAT>(), "float"),
        (TypeId::of::<bool>(), "bool"),
        (TypeId::of::<rhai::ImmutableString>(), "string"),
        (TypeId::of::<rhai::Array>(), "array"),
        (TypeId::of::<rhai::Map>(), "map"),
        (TypeId::of::<rhai::FnPtr>(), "function"),
        (TypeId::of::<Dynamic>(), "any"),
        (TypeId::of::<ActionValue>(), "action"),
        (TypeId::of::<PlanValue>(), "plan"),
        (TypeId::of::<Facts>(), "facts"),
        (TypeId::of::<GameHandle>(), "game"),
        (TypeId::of::<ScriptView>(), "view"),
        (TypeId::of::<AskValue>(), "ask"),
        (TypeId::of::<Offers>(), "offers"),
        (TypeId::of::<ImaginedGame>(), "imagined"),
    ];
    names
        .iter()
        .find(|(known, _)| *known == of)
        .map_or("", |(_, name)| name)
}

fn type_word(raw: &str) -> &str {
    let short = raw.rsplit("::").next().unwrap_or(raw);
    match short {
        "i64" => "int",
        "f64" => "float",
        "ImmutableString" | "String" | "&str" => "string",
        "Dynamic" => "any",
        "Array" | "Dynamic>" => "array",
        "ActionValue" | "Action" => "action",
        "PlanValue" | "Plan" => "plan",
        "ScriptView" | "View" => "view",
        "Ask" => "ask",
        "Imagined" => "imagined",
        "FnPtr" | "Fn" => "function",
        "Facts" => "facts",
        other => other,
    }
}

/// Reads an integer from a script's list. Errors describe the elements of the list as `what`.
fn whole(value: &Dynamic, what: &str) -> NativeResult<INT> {
    value
        .as_int()
        .or_else(|_| fail(format!("{what} must be integers, found {}", kind(value))))
}

fn rule<T>(result: RuleResult<T>) -> NativeResult<T> {
    result.or_else(|fault| fail(fault.text()))
}

fn number(value: INT) -> NativeResult<i32> {
    i32::try_from(value).or_else(|_| fail(format!("{value} doesn't fit into 32 bits")))
}

fn numbers(values: &[INT]) -> NativeResult<Vec<i32>> {
    values.iter().map(|&value| number(value)).collect()
}

fn index(value: INT, count: usize, what: &str) -> NativeResult<usize> {
    match usize::try_from(value) {
        Ok(index) if index < count => Ok(index),
        _ if count == 0 => fail(format!("no {what} {value}: the game has none")),
        _ => fail(format!("no {what} {value}: expected 0 to {}", count - 1)),
    }
}

fn territory(board: &Board, value: INT) -> NativeResult<Territory> {
    index(value, board.len(), "territory").map(Territory::from_index)
}

fn find_player(count: usize, value: INT) -> NativeResult<Player> {
    index(value, count, "player").map(Player::from_index)
}

fn optional_player(count: usize, value: INT) -> NativeResult<Option<Player>> {
    if value == -1 {
        Ok(None)
    } else {
        find_player(count, value).map(Some)
    }
}

fn card(decl: &Declaration, value: INT) -> NativeResult<Card> {
    index(value, decl.cards.len(), "card").map(Card::from_index)
}

fn unit(decl: &Declaration, value: INT) -> NativeResult<Unit> {
    index(value, decl.units.len(), "unit").map(Unit::from_index)
}

fn verb(decl: &Declaration, value: INT) -> NativeResult<Verb> {
    index(value, decl.verbs.len(), "verb").map(Verb::from_index)
}

/// Returns the index of a declared name that a bot passed as a string.
fn named<'a>(
    name: &str,
    what: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> NativeResult<usize> {
    names.clone().position(|known| known == name).map_or_else(
        || {
            let names: Vec<&str> = names.collect();
            Err(unknown(name, what, &names))
        },
        Ok,
    )
}

fn unknown(name: &str, what: &str, names: &[&str]) -> Box<EvalAltResult> {
    let work = SUGGEST * suggest::work(name, names.iter().copied());
    let length = BYTE * name.len() as u64;
    if let Err(spent) = meter::afford(16 * names.len() as u64 + work + length) {
        return spent;
    }
    let help = suggest::help(name, names.iter().copied());
    format!("no {what} named `{name}`; {help}").into()
}

fn counter_named(decl: &Declaration, name: &str) -> NativeResult<Counter> {
    let names = decl.counters.iter().map(|kept| kept.name.as_str());
    named(name, "counter", names).map(Counter::from_index)
}

fn pile_named(decl: &Declaration, name: &str) -> NativeResult<Pile> {
    let names = decl.piles.iter().map(|kept| kept.name.as_str());
    named(name, "pile", names).map(Pile::from_index)
}

fn unit_named(decl: &Declaration, name: &str) -> NativeResult<Unit> {
    named(name, "unit", decl.units.iter().map(String::as_str)).map(Unit::from_index)
}

fn verb_named(decl: &Declaration, name: &str) -> NativeResult<Verb> {
    let names = decl.verbs.iter().map(|verb| verb.name.as_str());
    named(name, "verb", names).map(Verb::from_index)
}

fn int(value: impl Into<i64>) -> INT {
    value.into()
}

fn seat(player: Option<Player>) -> INT {
    player.map_or(-1, |player| INT::from(player.0))
}

fn array<T: Into<i64>>(values: impl IntoIterator<Item = T>) -> rhai::Array {
    let values = values.into_iter();
    // A filter has also examined the values that it left out.
    let (least, most) = values.size_hint();
    meter::charge(most.unwrap_or(least) as u64);
    values
        .map(|value| Dynamic::from_int(value.into()))
        .collect()
}

/// Converts the territories that a filter selected, and charges for the filter's work. Most filters
/// also examine neighbours.
fn territories(values: impl IntoIterator<Item = Territory>) -> rhai::Array {
    let values = values.into_iter();
    let (least, most) = values.size_hint();
    meter::charge(3 * most.unwrap_or(least) as u64);
    array(values.map(|at| at.0))
}

fn look_along_borders(board: &Board) {
    meter::charge((board.len() + board.directed_borders()) as u64);
}

/// Charges for examining the neighbours of a territory, along its borders in both directions.
fn look_next_to(board: &Board, at: Territory) {
    meter::charge((board.degree(at) + board.degree_to(at)) as u64);
}

fn look_at(board: &Board) {
    meter::charge(2 * board.len() as u64);
}

fn action_of(decl: &Declaration, verb: Verb, args: &[INT]) -> NativeResult<Action> {
    let info = &decl.verbs[verb.index()];
    if args.len() != info.slots.len() {
        let slots: Vec<&str> = info.slots.iter().map(|slot| slot.0.as_str()).collect();
        return fail(format!(
            "`{}` takes {} ({}), found {}",
            info.name,
            counted(slots.len(), "parameter"),
            slots.join(", "),
            args.len()
        ));
    }
    Ok(Action::new(verb, &numbers(args)?))
}
