//! The reasons why typed words are not possible for a parameter. A reason is shown only if it is a
//! fact of the view that is true of none of the possible values.

use risk_kernel::declare::SlotKind;
use risk_kernel::id::{Territory, Unit, Verb};
use risk_kernel::view::View;
use risk_report::decision;
use risk_text::suggest;

use super::offered::{Offered, spelt_board, what};
use super::spelling::{Found, Typed, either, find_name};

/// The maximum number of pairs of territories in one offer to compare.
const MOST_PAIRS: u64 = 20_000;
/// The maximum number of words that a message takes as one name.
const MOST_JOINED: usize = 4;

/// A parameter with named values.
pub(super) struct NamedSlot<'a> {
    pub(super) verb: Verb,
    pub(super) name: &'a str,
    pub(super) kind: SlotKind,
    /// The values of the parameters before it.
    pub(super) given: &'a [i32],
    pub(super) values: &'a [i32],
}

/// Returns the message about words that begin with no possible value, and the number of words that
/// it is about. The number is 0 if these words are no known name, and not near a possible one.
pub(super) fn not_possible(
    offered: &Offered<'_>,
    slot: &NamedSlot<'_>,
    words: &[&str],
) -> (String, usize) {
    let &NamedSlot { kind, values, .. } = slot;
    let until = words.iter().skip(1).take_while(|word| !is_number(word));
    let words = &words[..(1 + until.count()).min(MOST_JOINED).min(words.len())];
    let what = what(slot.name, kind);
    let word = words.first().copied().unwrap_or_default();
    let known = (1..=words.len()).rev().find_map(|count| {
        let at = known_territory(offered.view, &words[..count])?;
        let is_here = kind == SlotKind::Territory && !values.contains(&at.number());
        is_here.then_some((count, at))
    });
    if let Some((count, at)) = known {
        let id = &offered.view.board().info(at).id;
        let reason = reason(offered, slot, at);
        let reason = reason.map_or_else(String::new, |reason| format!("{reason}; "));
        let list = offered.list(kind, values);
        let text = format!("`{id}` is not possible for the {what}: {reason}expected {list}");
        return (text, count);
    }
    if is_number(word) && kind != SlotKind::Player {
        let list = offered.list(kind, values);
        let text = format!("missing {what}, found `{word}`: expected {list}");
        return (text, 0);
    }
    let names = offered.all_shown(kind, values);
    let near = (1..=words.len()).rev().find_map(|count| {
        let typed = words[..count].join("-");
        let near = suggest::nearest(&typed, names.iter().map(String::as_str))?;
        Some((count, near.to_owned()))
    });
    let sorted = suggest::nearest_first(word, names.iter().map(String::as_str).collect());
    let list = either(&sorted);
    match near {
        Some((count, near)) => {
            let typed = words[..count].join(" ");
            let text = format!(
                "`{typed}` is not possible for the {what}: did you mean `{near}`? Expected {list}"
            );
            (text, count)
        }
        None => {
            let board = spelt_board(offered.view);
            let is_unknown = kind == SlotKind::Territory
                && matches!(find_name(&Typed::new(&[word], 1), &board), Found::None);
            let text = match is_unknown {
                true => {
                    let name = slot.name;
                    format!("no territory is called `{word}`: `{name}` must be {list}")
                }
                false => format!("`{word}` is not possible for the {what}: expected {list}"),
            };
            (text, 0)
        }
    }
}

/// Returns what probably limits the next number of an action: the units where it starts, or the
/// armies that the player has to place.
pub(super) fn fact(offered: &Offered<'_>, verb: Verb, given: &[i32]) -> Option<String> {
    let view = offered.view;
    let kinds = offered.kinds(verb).iter().zip(given);
    let mut lands = kinds.filter(|((_, kind), _)| *kind == SlotKind::Territory);
    let (first, at) = lands.next().map(|((name, _), &at)| (name, territory(at)))?;
    let at = at?;
    if first == "from" {
        let name = &view.board().info(at).name;
        let armies = i64::from(view.armies(at)?);
        let (free, ordered) = free_armies(view, at)?;
        let mut units = match view.decl().units.len() {
            1 => offered.words().units(Unit(0), armies),
            _ => decision::units(view, at),
        };
        let placed = free + ordered - armies;
        if placed > 0 {
            units += &format!(", {placed} more by your orders");
        }
        if ordered > 0 {
            units += &format!(", {ordered} with orders to leave");
        }
        return Some(format!("{name} has {units}"));
    }
    let reserve = view.decl().counter("reserve")?;
    let is_placed = view.decl().verbs[verb.index()].name == "place";
    let left = view
        .counter(reserve, Some(view.me()))
        .filter(|_| is_placed)?;
    let state = offered.words().counter(reserve, left)?;
    Some(format!("you have {state}"))
}

/// Reports whether a word can be the value of a count.
pub(super) fn is_number(word: &str) -> bool {
    let word = word.to_lowercase();
    word.parse::<i64>().is_ok() || ["all", "max", "half"].contains(&word.as_str())
}

/// Returns the territory of the board with this name, whether it is possible or not.
pub(super) fn known_territory(view: &View, words: &[&str]) -> Option<Territory> {
    // One letter says too little about a territory that is not possible, unless it is its name.
    match find_name(&Typed::new(words, 2), &spelt_board(view)) {
        Found::One(at) => Some(at),
        Found::None | Found::Several(_) => None,
    }
}

fn reason(offered: &Offered<'_>, slot: &NamedSlot<'_>, at: Territory) -> Option<String> {
    let land: Vec<Territory> = slot.values.iter().filter_map(|&it| territory(it)).collect();
    if land.is_empty() || land.contains(&at) {
        return None;
    }
    let kinds = offered.kinds(slot.verb).iter().zip(slot.given);
    let mut lands = kinds.filter(|((_, kind), _)| *kind == SlotKind::Territory);
    let from = lands.next_back().and_then(|(_, &value)| territory(value));
    let by_owner = reason_by_owner(offered, &land, at);
    if by_owner.is_some() {
        return by_owner;
    }
    let is_ordered = |at: Territory| {
        let mut first = offered
            .view
            .orders()
            .filter_map(|order| order.args().first());
        first.any(|&value| territory(value) == Some(at))
    };
    if slot.given.is_empty() && is_ordered(at) && !land.iter().any(|&it| is_ordered(it)) {
        let has_armies = offered
            .kinds(slot.verb)
            .last()
            .is_some_and(|it| it.1 == SlotKind::Count);
        if !has_armies {
            return Some("it has an order already".to_owned());
        }
    }
    match from {
        Some(from) if is_choice(offered, slot) => {
            let view = offered.view;
            let borders = |one, other| view.attack_borders(one).any(|to| to == other);
            let is_far = from != at && !borders(from, at);
            let is_rule = is_far && all_pairs(offered, slot, &borders);
            is_rule.then(|| format!("it doesn't border {}", view.board().info(from).id))
        }
        Some(_) => None,
        None => reason_without_start(offered, slot, &land, at),
    }
}

/// The reason for a parameter that no other territory precedes.
fn reason_without_start(
    offered: &Offered<'_>,
    slot: &NamedSlot<'_>,
    land: &[Territory],
    at: Territory,
) -> Option<String> {
    let view = offered.view;
    let next = offered.kinds(slot.verb).get(slot.given.len() + 1);
    let is_pair = next.is_some_and(|it| it.1 == SlotKind::Territory);
    let is_behind = view.mine(at)
        && !view.is_front(at)
        && land.iter().all(|&it| view.is_front(it))
        && (!is_pair || all_pairs(offered, slot, &|_, other| !view.mine(other)));
    if is_behind && is_choice(offered, slot) {
        return Some("all its neighbours are yours".to_owned());
    }
    if !is_pair {
        return reason_by_reach(view, land, at).filter(|_| is_choice(offered, slot));
    }
    let (armies, ordered) = armies_too_few(view, land, at)?;
    if ordered > 0 {
        return Some("its armies have orders already".to_owned());
    }
    let words = offered.words();
    let (many, armies) = (words.unit(Unit(0), 2), words.units(Unit(0), armies));
    let text = format!("it has too few {many}, {armies}");
    is_choice(offered, slot).then_some(text)
}

/// Reports whether there is a choice of values up to this parameter. A single value may be offered
/// for reasons that the map doesn't show, as after a conquest.
fn is_choice(offered: &Offered<'_>, slot: &NamedSlot<'_>) -> bool {
    let offers = offered.options.offers().iter();
    let sizes = offers.filter(|offer| offer.verb == slot.verb).map(|offer| {
        let slots = offer.slots().iter().take(slot.given.len() + 1);
        let sizes = slots.map(|&slot| offered.options.size(slot));
        sizes.fold(1, u64::saturating_mul)
    });
    sizes.fold(0, u64::saturating_add) > 1
}

/// Reports whether all offered pairs of territories fit. Returns `false` if there are too many.
fn all_pairs(
    offered: &Offered<'_>,
    slot: &NamedSlot<'_>,
    fits: &dyn Fn(Territory, Territory) -> bool,
) -> bool {
    let options = offered.options;
    let kinds = offered.kinds(slot.verb);
    let mut lands = (0..kinds.len()).filter(|&place| kinds[place].1 == SlotKind::Territory);
    let (Some(from), Some(to)) = (lands.next(), lands.next()) else {
        return false;
    };
    let offers = options.offers().iter();
    let mut offers = offers.filter(|offer| offer.verb == slot.verb);
    offers.all(|offer| {
        let slots = offer.slots();
        let (Some(&one), Some(&other)) = (slots.get(from), slots.get(to)) else {
            return false;
        };
        let (ones, others) = (options.size(one), options.size(other));
        if ones.saturating_mul(others) > MOST_PAIRS {
            return false;
        }
        let pairs = (0..ones).flat_map(|at| (0..others).map(move |to| (at, to)));
        pairs.into_iter().all(|(at, to)| {
            let (from, to) = (options.value(one, at), options.value(other, to));
            let land = territory(from).zip(territory(to));
            land.is_some_and(|(one, other)| fits(one, other))
        })
    })
}

fn reason_by_owner(offered: &Offered<'_>, land: &[Territory], at: Territory) -> Option<String> {
    let view = offered.view;
    let owner = view.owner(at);
    let name = owner.and_then(|owner| offered.names.get(owner.index()));
    let is_free = |it: Territory| view.sees_owner(it) && view.owner(it).is_none();
    let is_partners = |it: Territory| {
        let owner = view.owner(it);
        owner.is_some_and(|owner| view.partners().has(owner))
    };
    if view.mine(at) {
        return (!land.iter().any(|&it| view.mine(it))).then(|| "it is yours".to_owned());
    }
    if land.iter().all(|&it| view.mine(it)) {
        return Some(match name {
            Some(name) => format!("it is not yours, it belongs to {name}"),
            None => "it is not yours".to_owned(),
        });
    }
    let name = name?;
    if land.iter().all(|&it| is_free(it)) {
        return Some(format!("it has an owner already, {name}"));
    }
    let is_spared = is_partners(at) && !land.iter().any(|&it| is_partners(it));
    is_spared.then(|| format!("it belongs to your partner {name}"))
}

/// The reason is given only if exactly the territories next to the player's own are possible.
fn reason_by_reach(view: &View, land: &[Territory], at: Territory) -> Option<String> {
    let is_next = |it: Territory| {
        !view.mine(it) && view.attack_borders_to(it).any(|source| view.mine(source))
    };
    let is_rule = || {
        view.board()
            .territories()
            .all(|it| is_next(it) == land.contains(&it))
    };
    let is_far = !view.mine(at) && !is_next(at) && is_rule();
    is_far.then(|| "it borders no territory of yours".to_owned())
}

/// Returns the armies without orders and those with orders of a territory that has too few. Only
/// numbers count that no rule sends anywhere: none, or the last one where it has to stay.
fn armies_too_few(view: &View, land: &[Territory], at: Territory) -> Option<(i64, i64)> {
    if !view.mine(at) || !land.iter().all(|&it| view.mine(it)) {
        return None;
    }
    let (armies, ordered) = free_armies(view, at)?;
    let all = land.iter().map(|&it| Some(free_armies(view, it)?.0));
    let least = all.collect::<Option<Vec<i64>>>()?.into_iter().min()?;
    (armies < least && armies <= 1).then_some((armies, ordered))
}

/// Returns the armies of a territory that have no orders, with those that orders place there, and
/// the armies that have orders to leave.
pub(super) fn free_armies(view: &View, at: Territory) -> Option<(i64, i64)> {
    let mut free = i64::from(view.armies(at)?);
    let mut ordered = 0;
    for order in view.orders() {
        let info = &view.decl().verbs[order.verb.index()];
        let (Some((first, SlotKind::Territory)), Some((_, SlotKind::Count))) =
            (info.slots.first(), info.slots.last())
        else {
            continue;
        };
        let &[land, .., count] = order.args() else {
            continue;
        };
        if territory(land) != Some(at) {
            continue;
        }
        if first == "from" {
            ordered += i64::from(count);
        } else if info.name == "place" {
            free += i64::from(count);
        }
    }
    Some((free - ordered, ordered))
}

fn territory(value: i32) -> Option<Territory> {
    usize::try_from(value).ok().map(Territory::from_index)
}
