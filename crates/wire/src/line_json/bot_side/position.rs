//! How things stand, as the message `ask` tells it: the numbers of a view.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::{Taken, list, number, object, text};
use crate::json::whole_number;
use crate::line_json::offers::Lexicon;
use crate::quote::brief;
use risk_kernel::action::{Action, Domain, Options};
use risk_kernel::declare::SlotKind;
use risk_kernel::event::Status;
use risk_kernel::id::Player;
use risk_kernel::state::MOST;

/// The numbers of the view that a question tells of, as
/// [`View::numbers`](risk_kernel::view::View::numbers) has them. What is hidden is nothing.
pub(super) fn numbers(
    lexicon: Lexicon<'_>,
    me: Player,
    players: usize,
    ask: &Map<String, Value>,
) -> Taken<Vec<i64>> {
    let state = object(ask, "state")?;
    let decl = lexicon.decl;
    let mut all = vec![i64::from(me.0), players as i64];
    all.push(number(state, "round")?);
    all.push(number(state, "turn")?);
    // How many answers were given is not told.
    all.push(0);
    let phase = text(ask, "phase")?;
    let phase = decl
        .phase(phase)
        .ok_or_else(|| format!("there is no phase `{}`", brief(phase)))?;
    all.extend([1, i64::from(phase.0), 1 << me.0, i64::from(me.0)]);
    all.extend(fitting(list(ask, "args")?, 3, "args")?);

    let territories = lexicon.board.len();
    all.extend(fitting(list(state, "owners")?, territories, "owners")?.map(|owner| owner.max(-1)));
    let units = object(state, "units")?;
    let mut by_unit = Vec::new();
    for unit in &decl.units {
        by_unit.push(fitting(list(units, unit)?, territories, unit)?.collect::<Vec<_>>());
    }
    check_units(&by_unit)?;
    for at in 0..territories {
        all.extend(by_unit.iter().map(|counts| counts[at]));
    }
    let counters = object(state, "counters")?;
    for counter in &decl.counters {
        let held = object(counters, &counter.name)?;
        all.extend(fitting(list(held, "players")?, players, &counter.name)?);
        all.push(held.get("table").and_then(whole_number).unwrap_or(0));
    }
    for seat in list(state, "statuses")? {
        let word = seat.as_str().unwrap_or_default();
        let status = Status::from_name(word)
            .ok_or_else(|| format!("`{}` is not a status of a player", brief(word)))?;
        all.push(status as i64);
    }
    add_piles(lexicon, players, object(state, "piles")?, &mut all)?;
    let orders = list(state, "orders")?;
    all.push(orders.len() as i64);
    for order in orders {
        let order: Action = lexicon.read_step(order)?;
        all.push(i64::from(order.verb.0));
        all.extend(order.args().iter().map(|&arg| i64::from(arg)));
    }
    // Whose turn it is, faults, who is out and which phases are open below are not told.
    all.push(-1);
    all.resize(all.len() + players + 2, 0);
    Ok(all)
}

/// So many numbers; what is hidden is 0, and nobody.
fn fitting<'a>(
    values: &'a [Value],
    count: usize,
    what: &str,
) -> Taken<impl Iterator<Item = i64> + 'a> {
    if values.len() != count {
        let found = values.len();
        return Err(format!(
            "`{}` has {found} values, and should have {count}",
            brief(what)
        ));
    }
    let hidden = if what == "owners" { -1 } else { 0 };
    let read = move |value: &Value| whole_number(value).unwrap_or(hidden);
    Ok(values.iter().map(read))
}

/// Are there as many units as a game can have? Bots add them up.
fn check_units(by_unit: &[Vec<i64>]) -> Taken<()> {
    let mut all = by_unit.iter().flatten();
    let sum = all.try_fold(0_i64, |sum, &count| {
        let fits = (0..=MOST).contains(&count);
        fits.then(|| sum + count).filter(|&sum| sum <= MOST)
    });
    sum.map(drop)
        .ok_or_else(|| format!("`units` are not from 0 to {MOST} in all"))
}

fn add_piles(
    lexicon: Lexicon<'_>,
    players: usize,
    piles: &Map<String, Value>,
    all: &mut Vec<i64>,
) -> Taken<()> {
    for pile in &lexicon.decl.piles {
        let held = object(piles, &pile.name)?;
        let seats = list(held, "players")?;
        if seats.len() != players {
            let name = &pile.name;
            return Err(format!("the pile `{name}` is not one for each player"));
        }
        for cards in seats.iter().chain(held.get("table")) {
            let cards = cards.as_object().ok_or("a pile is not an object")?;
            pile_numbers(lexicon, cards, all)?;
        }
    }
    Ok(())
}

fn pile_numbers(lexicon: Lexicon<'_>, pile: &Map<String, Value>, all: &mut Vec<i64>) -> Taken<()> {
    /// More cards than any game has.
    const MOST: usize = 65_536;
    let count: usize = number(pile, "count")?;
    if count > MOST {
        return Err(format!("a pile has {count} cards"));
    }
    all.push(count as i64);
    match pile.get("cards").and_then(Value::as_array) {
        None => all.resize(all.len() + count, 0),
        Some(cards) if cards.len() != count => {
            return Err(format!(
                "a pile has {count} cards, and names {}",
                cards.len()
            ));
        }
        Some(cards) => {
            for card in cards {
                let number = lexicon.value(SlotKind::Card, card);
                let wrong = || format!("there is no card {}", brief(&card.to_string()));
                all.push(i64::from(number.ok_or_else(wrong)?));
            }
        }
    }
    Ok(())
}

/// What may be done.
pub(super) fn options(
    lexicon: Lexicon<'_>,
    players: usize,
    ask: &Map<String, Value>,
) -> Taken<Options> {
    let mut options = Options::new();
    let mut total: u64 = 0;
    for offer in list(ask, "options")? {
        let offer = offer.as_object().ok_or("an offer is not an object")?;
        let verb = text(offer, "verb")?;
        let found = lexicon.decl.verb(verb);
        let found = found.ok_or_else(|| format!("there is no verb `{}`", brief(verb)))?;
        let slots = &lexicon.decl.verbs[found.index()].slots;
        let parameters = list(offer, "parameters")?;
        if parameters.len() != slots.len() {
            return Err(format!("`{verb}` has {} parameters here", slots.len()));
        }
        let mut domains = Vec::new();
        let mut size: u64 = 1;
        for ((_, kind), domain) in slots.iter().zip(parameters) {
            let known = known(lexicon, players, *kind);
            let domain = read_domain(lexicon, *kind, domain, &mut options)?;
            let ends = [0, options.size(domain).saturating_sub(1)];
            let has = |index| known.contains(&i64::from(options.value(domain, index)));
            let is_listed = matches!(domain, Domain::Among { .. });
            let fits = if is_listed {
                (0..options.size(domain)).all(has)
            } else {
                ends.into_iter().all(has)
            };
            if !fits {
                return Err(format!("`{verb}` is offered with what the game has not"));
            }
            size = size.saturating_mul(options.size(domain));
            domains.push(domain);
        }
        total = total.saturating_add(size);
        if total > i64::MAX as u64 {
            return Err("more is offered than can be counted".to_owned());
        }
        options.offer(found, &domains);
    }
    if options.is_empty() {
        return Err("nothing is offered".to_owned());
    }
    Ok(options)
}

/// The numbers that a parameter of this kind may be.
fn known(lexicon: Lexicon<'_>, players: usize, kind: SlotKind) -> RangeInclusive<i64> {
    let count = match kind {
        SlotKind::Territory => lexicon.board.len(),
        SlotKind::Continent => lexicon.board.continents().len(),
        SlotKind::Player => players,
        SlotKind::Card => lexicon.decl.cards.len(),
        SlotKind::Unit => lexicon.decl.units.len(),
        SlotKind::Count => return -MOST..=MOST,
    };
    0..=count as i64 - 1
}

fn read_domain(
    lexicon: Lexicon<'_>,
    kind: SlotKind,
    domain: &Value,
    options: &mut Options,
) -> Taken<Domain> {
    let wrong = || format!("`{}` are not values", brief(&domain.to_string()));
    match domain {
        Value::Array(values) => {
            let read = values.iter().map(|value| lexicon.value(kind, value));
            let read: Option<Vec<i32>> = read.collect();
            Ok(options.among(read.ok_or_else(wrong)?))
        }
        Value::Object(span) => {
            let low: i32 = number(span, "min")?;
            let high: i32 = number(span, "max")?;
            if low > high {
                return Err(wrong());
            }
            Ok(Domain::Span { low, high })
        }
        _ => Err(wrong()),
    }
}
