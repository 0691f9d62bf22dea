//! How things stand, and what may be done, as messages tell it.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::{Taken, list, number, object, text};
use crate::json::whole_number;
use crate::line_json::offers::Lexicon;
use crate::quote::brief;
use risk_kernel::action::{Domain, Offer, Options};
use risk_kernel::declare::{Declaration, SlotKind};
use risk_kernel::event::Status;
use risk_kernel::id::{Card, Phase, Player, PlayerSet};
use risk_kernel::position::Position;
use risk_kernel::state::{Frame, MOST, Order};

/// The position that a state tells of, as its player sees it. What is hidden is nothing. Without a
/// course, the one open phase is `asked`.
pub(super) fn position(
    lexicon: Lexicon<'_>,
    me: Player,
    players: usize,
    state: &Map<String, Value>,
    asked: Option<Frame>,
) -> Taken<Position> {
    let Lexicon { board, decl } = lexicon;
    let mut position = Position::empty(board, decl, players);
    position.round = number(state, "round")?;
    position.turn = number(state, "turn")?;
    let owners = fitting(list(state, "owners")?, board.len(), "owners")?;
    for (owner, seat) in position.owners.iter_mut().zip(owners) {
        *owner = seat
            .filter(|&seat| seat >= 0)
            .map(|seat| player(seat, players))
            .transpose()?;
    }
    let units = object(state, "units")?;
    let kinds = decl.units.len();
    for (kind, unit) in decl.units.iter().enumerate() {
        let counts = fitting(list(units, unit)?, board.len(), unit)?;
        for (at, count) in counts.enumerate() {
            position.units[at * kinds + kind] = units_of(count.unwrap_or(0))?;
        }
    }
    check_units(&position.units)?;
    read_counters(decl, object(state, "counters")?, &mut position)?;
    let statuses = list(state, "statuses")?;
    if statuses.len() != players {
        let found = statuses.len();
        return Err(format!(
            "`statuses` has {found} values, and should have {players}"
        ));
    }
    for (status, word) in position.status.iter_mut().zip(statuses) {
        let word = word.as_str().unwrap_or_default();
        *status = Status::from_name(word)
            .ok_or_else(|| format!("`{}` is not a status of a player", brief(word)))?;
    }
    let piles = object(state, "piles")?;
    let all = position.piles.chunks_mut(players + 1);
    for (pile, held) in decl.piles.iter().zip(all) {
        read_pile(lexicon, &pile.name, object(piles, &pile.name)?, held)?;
    }
    for order in list(state, "orders")? {
        let action = lexicon.read_step(order)?;
        position.orders.push(Order { player: me, action });
    }
    match state.get("course") {
        None | Some(Value::Null) => position.frames.extend(asked),
        Some(_) => read_course(lexicon, object(state, "course")?, &mut position)?,
    }
    Ok(position)
}

fn read_counters(
    decl: &Declaration,
    counters: &Map<String, Value>,
    position: &mut Position,
) -> Taken<()> {
    let players = position.status.len();
    let values = position.counters.chunks_mut(players + 1);
    for (counter, held) in decl.counters.iter().zip(values) {
        let given = object(counters, &counter.name)?;
        let of_players = fitting(list(given, "players")?, players, &counter.name)?;
        let of_table = given.get("table").and_then(whole_number);
        for (value, given) in held.iter_mut().zip(of_players.chain([of_table])) {
            *value = given.unwrap_or(0);
        }
    }
    Ok(())
}

/// The phase that a question is asked in, as the player alone knows it.
pub(super) fn asked(lexicon: Lexicon<'_>, me: Player, ask: &Map<String, Value>) -> Taken<Frame> {
    let phase = phase(lexicon, ask)?;
    let frame = Frame::new(phase, PlayerSet::one(me), Some(me)).entered(true);
    Ok(frame.with_args(args(ask)?))
}

fn phase(lexicon: Lexicon<'_>, of: &Map<String, Value>) -> Taken<Phase> {
    let name = text(of, "phase")?;
    let found = lexicon.decl.phase(name);
    found.ok_or_else(|| format!("there is no phase `{}`", brief(name)))
}

fn args(of: &Map<String, Value>) -> Taken<[i32; 3]> {
    let given = list(of, "args")?.iter();
    let read = given.map(|value| i32::try_from(whole_number(value)?).ok());
    let read = read.collect::<Option<Vec<i32>>>();
    let args = read.and_then(|args| args.try_into().ok());
    args.ok_or_else(|| "`args` are not three whole numbers".to_owned())
}

/// How the game has gone.
fn read_course(
    lexicon: Lexicon<'_>,
    course: &Map<String, Value>,
    position: &mut Position,
) -> Taken<()> {
    let players = position.status.len();
    let seat = |value: &Value| match whole_number(value) {
        Some(seat) => player(seat, players),
        None => Err(format!("`{}` is not a player", brief(&value.to_string()))),
    };
    let maybe = |of: &Map<String, Value>, key: &str| {
        let given = of.get(key).filter(|value| !value.is_null());
        given.map(&seat).transpose()
    };
    position.answers = number(course, "answers")?;
    position.mover = maybe(course, "mover")?;
    let strikes = fitting(list(course, "strikes")?, players, "strikes")?;
    for (of_player, given) in position.strikes.iter_mut().zip(strikes) {
        let given = given.and_then(|given| u32::try_from(given).ok());
        *of_player = given.ok_or("`strikes` are not numbers of faults")?;
    }
    for out in list(course, "out")? {
        let pair = out.as_array().map(Vec::as_slice);
        let Some([who, round]) = pair else {
            return Err("`out` is not a list of players and rounds".to_owned());
        };
        let round = whole_number(round).and_then(|round| u32::try_from(round).ok());
        let round = round.ok_or("`out` has a round that is none")?;
        position.out.push((seat(who)?, round));
    }
    for frame in list(course, "frames")? {
        let frame = frame.as_object().ok_or("a frame is not an object")?;
        let mut asked = PlayerSet::default();
        for who in list(frame, "players")? {
            asked = asked.with(seat(who)?);
        }
        let entered = frame.get("entered").and_then(Value::as_bool);
        let read = Frame::new(phase(lexicon, frame)?, asked, maybe(frame, "opened_for")?);
        position.frames.push(
            read.with_args(args(frame)?)
                .entered(entered.ok_or("`entered` is neither true nor false")?),
        );
    }
    Ok(())
}

fn player(seat: i64, players: usize) -> Taken<Player> {
    let index = usize::try_from(seat).ok().filter(|&seat| seat < players);
    let index = index.ok_or_else(|| format!("there is no player {seat} of {players}"))?;
    Ok(Player::from_index(index))
}

fn units_of(count: i64) -> Taken<i32> {
    i32::try_from(count).map_err(|_| too_many_units())
}

/// So many numbers; nothing for what is hidden.
fn fitting<'a>(
    values: &'a [Value],
    count: usize,
    what: &str,
) -> Taken<impl Iterator<Item = Option<i64>> + 'a> {
    if values.len() != count {
        let found = values.len();
        return Err(format!(
            "`{}` has {found} values, and should have {count}",
            brief(what)
        ));
    }
    Ok(values.iter().map(whole_number))
}

/// Are there as many units as a game can have? Bots add them up.
fn check_units(units: &[i32]) -> Taken<()> {
    let sum = units.iter().try_fold(0_i64, |sum, &count| {
        let sum = sum + i64::from(count);
        (count >= 0 && sum <= MOST).then_some(sum)
    });
    sum.map(drop).ok_or_else(too_many_units)
}

fn too_many_units() -> String {
    format!("`units` are not from 0 to {MOST} in all")
}

/// The cards of one pile, of each player and of the table.
fn read_pile(
    lexicon: Lexicon<'_>,
    name: &str,
    given: &Map<String, Value>,
    held: &mut [Vec<Card>],
) -> Taken<()> {
    let seats = list(given, "players")?;
    if seats.len() + 1 != held.len() {
        return Err(format!("the pile `{name}` is not one for each player"));
    }
    for (cards, pile) in held.iter_mut().zip(seats.iter().chain(given.get("table"))) {
        let pile = pile.as_object().ok_or("a pile is not an object")?;
        *cards = read_cards(lexicon, pile)?;
    }
    Ok(())
}

/// The cards of a pile; of one that is hidden, so many that are nothing.
fn read_cards(lexicon: Lexicon<'_>, pile: &Map<String, Value>) -> Taken<Vec<Card>> {
    /// More cards than any game has.
    const MOST: usize = 65_536;
    let count: usize = number(pile, "count")?;
    if count > MOST {
        return Err(format!("a pile has {count} cards"));
    }
    let Some(cards) = pile.get("cards").and_then(Value::as_array) else {
        return Ok(vec![Card::from_index(0); count]);
    };
    if cards.len() != count {
        let named = cards.len();
        return Err(format!("a pile has {count} cards, and names {named}"));
    }
    let known = |card: &Value| {
        let index = lexicon.value(SlotKind::Card, card);
        let index = index.and_then(|index| usize::try_from(index).ok());
        let wrong = || format!("there is no card {}", brief(&card.to_string()));
        index.map(Card::from_index).ok_or_else(wrong)
    };
    cards.iter().map(known).collect()
}

/// What may be done, with the plans where the question tells of them.
pub(super) fn options(
    lexicon: Lexicon<'_>,
    players: usize,
    ask: &Map<String, Value>,
) -> Taken<Options> {
    let mut options = Options::new();
    let mut total: u64 = 0;
    for offer in list(ask, "options")? {
        let offer = read_offer(lexicon, players, offer, &mut options)?;
        total = total.saturating_add(options.offer_len(&offer));
        check_count(total)?;
        options.offer(offer.verb, offer.slots());
    }
    let mut total: u64 = 0;
    for plan in ask
        .get("plans")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let steps = plan.as_array().ok_or("a plan is not a list")?.iter();
        let steps = steps.map(|step| read_offer(lexicon, players, step, &mut options));
        let steps = steps.collect::<Taken<Vec<Offer>>>()?;
        if steps.is_empty() {
            return Err("a plan has no steps".to_owned());
        }
        total = total.saturating_add(options.plan_len(&steps));
        check_count(total)?;
        options.plan(&steps);
    }
    if options.is_empty() && options.plans() == 0 {
        return Err("nothing is offered".to_owned());
    }
    Ok(options)
}

fn check_count(total: u64) -> Taken<()> {
    if total > i64::MAX as u64 {
        return Err("more is offered than can be counted".to_owned());
    }
    Ok(())
}

/// A verb with what each of its parameters may be.
fn read_offer(
    lexicon: Lexicon<'_>,
    players: usize,
    offer: &Value,
    options: &mut Options,
) -> Taken<Offer> {
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
    for ((_, kind), domain) in slots.iter().zip(parameters) {
        let known = known(lexicon, players, *kind);
        let domain = read_domain(lexicon, *kind, domain, options)?;
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
        domains.push(domain);
    }
    Ok(Offer::new(found, &domains))
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
