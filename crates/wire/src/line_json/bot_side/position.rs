//! Positions and options parsed from messages.

use std::ops::RangeInclusive;

use super::ReadResult;
use crate::line_json::message::Ask;
use crate::line_json::offers::{DomainOut, Lexicon, OfferOut, Word};
use crate::line_json::state::{Course, PileOut, State};
use crate::quote::brief;
use risk_kernel::action::{Action, Domain, MAX_SLOTS, Offer, Options};
use risk_kernel::declare::SlotKind;
use risk_kernel::event::Status;
use risk_kernel::id::{Card, Phase, Player, PlayerSet, Territory};
use risk_kernel::position::Position;
use risk_kernel::state::{Frame, MOST, Order};
use risk_text::plural::counted;

/// Returns the position in a state, as seen by the player. Hidden values are treated as empty. If
/// the state has no course, `asked` is the only open phase.
pub(super) fn position(
    lexicon: Lexicon<'_>,
    me: Player,
    players: usize,
    state: &State<'_>,
    asked: Option<Frame>,
) -> ReadResult<Position> {
    let board = lexicon.board;
    let decl = lexicon.decl;
    let mut position = Position::empty(board, decl, players);
    position.round = state.round;
    position.turn = state.turn;
    check_len(&state.owners, board.len(), "owners")?;
    for (owner, &seat) in position.owners.iter_mut().zip(&state.owners) {
        let seat = seat.filter(|&seat| seat >= 0);
        *owner = seat.map(|seat| player(seat, players)).transpose()?;
    }
    let kinds = decl.units.len();
    for (kind, unit) in decl.units.iter().enumerate() {
        let counts = state.units.get(unit)?;
        check_len(counts, board.len(), unit)?;
        for (at, count) in counts.iter().enumerate() {
            position.units[at * kinds + kind] = count.unwrap_or(0);
        }
    }
    check_units(&position.units)?;
    let values = position.counters.chunks_mut(players + 1);
    for (info, held) in decl.counters.iter().zip(values) {
        let counter = state.counters.get(&info.name)?;
        check_len(&counter.players, players, &info.name)?;
        for (value, given) in held.iter_mut().zip(counter.holders()) {
            *value = given.unwrap_or(0);
        }
    }
    check_len(&state.statuses, players, "statuses")?;
    for (status, word) in position.status.iter_mut().zip(&state.statuses) {
        let unknown = || format!("unknown status `{}`", brief(word));
        *status = Status::from_name(word).ok_or_else(unknown)?;
    }
    let all = position.piles.chunks_mut(players + 1);
    for (info, held) in decl.piles.iter().zip(all) {
        let pile = state.piles.get(&info.name)?;
        check_len(&pile.players, players, &info.name)?;
        for (cards, given) in held.iter_mut().zip(pile.holders()) {
            *cards = read_cards(lexicon, given)?;
        }
    }
    read_marks(lexicon, state, &mut position.marks)?;
    let pair = |&[from, to]: &[u16; 2]| (Territory(from), Territory(to));
    position.closed.extend(state.closed.iter().map(pair));
    for order in &state.orders {
        let action = read_order(lexicon, order)?;
        position.orders.push(Order { player: me, action });
    }
    match &state.course {
        None => position.frames.extend(asked),
        Some(course) => read_course(lexicon, course, &mut position)?,
    }
    Ok(position)
}

/// Reads the values of marks, by territory and mark. Hidden values are 0.
fn read_marks(lexicon: Lexicon<'_>, state: &State<'_>, marks: &mut [i32]) -> ReadResult<()> {
    let all = &lexicon.decl.marks;
    for (index, mark) in all.iter().enumerate() {
        let values = state.marks.get(&mark.name)?;
        check_len(values, lexicon.board.len(), &mark.name)?;
        for (at, value) in values.iter().enumerate() {
            marks[at * all.len() + index] = value.unwrap_or(0);
        }
    }
    Ok(())
}

fn read_order(lexicon: Lexicon<'_>, words: &[Word<'_>]) -> ReadResult<Action> {
    let wrong = || format!("invalid order `{}`", brief(&format!("{words:?}")));
    let [Word::Name(verb), values @ ..] = words else {
        return Err(wrong());
    };
    let verb = lexicon.decl.verb(verb).ok_or_else(wrong)?;
    let slots = &lexicon.decl.verbs[verb.index()].slots;
    if slots.len() != values.len() || values.len() > MAX_SLOTS {
        return Err(wrong());
    }
    let mut args = [0; MAX_SLOTS];
    for ((arg, (_, kind)), word) in args.iter_mut().zip(slots).zip(values) {
        *arg = number(lexicon, *kind, word).ok_or_else(wrong)?;
    }
    Ok(Action::new(verb, &args[..values.len()]))
}

fn number(lexicon: Lexicon<'_>, kind: SlotKind, word: &Word<'_>) -> Option<i32> {
    match word {
        Word::Number(number) => Some(*number),
        Word::Name(name) => lexicon.index(kind, name),
    }
}

/// Returns the phase of a question, based only on the player's knowledge.
pub(super) fn asked(lexicon: Lexicon<'_>, me: Player, ask: &Ask<'_>) -> ReadResult<Frame> {
    let phase = phase(lexicon, &ask.phase)?;
    let frame = Frame::new(phase, PlayerSet::one(me), Some(me)).entered(true);
    Ok(frame.with_args(ask.args))
}

fn phase(lexicon: Lexicon<'_>, name: &str) -> ReadResult<Phase> {
    let found = lexicon.decl.phase(name);
    found.ok_or_else(|| format!("unknown phase `{}`", brief(name)))
}

fn read_course(
    lexicon: Lexicon<'_>,
    course: &Course<'_>,
    position: &mut Position,
) -> ReadResult<()> {
    let players = position.status.len();
    let seat = |seat: u8| player(seat.into(), players);
    position.answers = course.answers;
    position.mover = course.mover.map(seat).transpose()?;
    check_len(&course.strikes, players, "strikes")?;
    position.strikes.clone_from(&course.strikes);
    for &(who, round) in &course.out {
        position.out.push((seat(who)?, round));
    }
    for frame in &course.frames {
        let players = frame.players.iter().map(|&who| seat(who));
        let asked = players.collect::<ReadResult<Vec<Player>>>()?.into_iter();
        let opened_for = frame.opened_for.map(seat).transpose()?;
        let read = Frame::new(
            phase(lexicon, &frame.phase)?,
            asked.fold(PlayerSet::default(), PlayerSet::with),
            opened_for,
        );
        let read = read.with_args(frame.args).entered(frame.entered);
        position.frames.push(read);
    }
    Ok(())
}

fn player(seat: i32, players: usize) -> ReadResult<Player> {
    let index = usize::try_from(seat).ok().filter(|&seat| seat < players);
    let index = index.ok_or_else(|| {
        let players = counted(players, "player");
        format!("no player {seat}: the game has {players}")
    })?;
    Ok(Player::from_index(index))
}

fn check_len<T>(values: &[T], count: usize, what: &str) -> ReadResult<()> {
    if values.len() == count {
        return Ok(());
    }
    let found = values.len();
    let what = brief(what);
    let count = counted(count, "value");
    Err(format!("expected {count} in `{what}`, found {found}"))
}

/// Checks that the number of units does not exceed a game's maximum, because bots sum the units.
fn check_units(units: &[i32]) -> ReadResult<()> {
    let sum = units.iter().try_fold(0_i64, |sum, &count| {
        let sum = sum + i64::from(count);
        (count >= 0 && sum <= MOST).then_some(sum)
    });
    sum.map(drop)
        .ok_or_else(|| format!("`units` must not be negative or exceed {MOST} in total"))
}

/// Returns the cards of a pile. A hidden pile becomes the same number of placeholders.
fn read_cards(lexicon: Lexicon<'_>, pile: &PileOut<'_>) -> ReadResult<Vec<Card>> {
    /// A number of cards that no game reaches.
    const MOST: usize = 65_536;
    let count = pile.count;
    if count > MOST {
        return Err(format!(
            "a pile must have at most {MOST} cards, found {count}"
        ));
    }
    let Some(cards) = &pile.cards else {
        return Ok(vec![Card::from_index(0); count]);
    };
    if cards.len() != count {
        let named = cards.len();
        let count = counted(count, "card");
        return Err(format!("expected {count} in a pile, found {named}"));
    }
    let known = |word: &Word<'_>| {
        let index = number(lexicon, SlotKind::Card, word);
        let index = index.and_then(|index| usize::try_from(index).ok());
        let index = index.filter(|&index| index < lexicon.decl.cards.len());
        let wrong = || format!("unknown card `{}`", brief(&format!("{word:?}")));
        index.map(Card::from_index).ok_or_else(wrong)
    };
    cards.iter().map(known).collect()
}

/// Returns the options, including the plans if the question has them.
pub(super) fn options(lexicon: Lexicon<'_>, players: usize, ask: &Ask<'_>) -> ReadResult<Options> {
    let mut options = Options::new();
    let mut total: u64 = 0;
    for offer in &ask.options {
        let offer = read_offer(lexicon, players, offer, &mut options)?;
        total = total.saturating_add(options.offer_len(&offer));
        check_count(total)?;
        options.offer(offer.verb, offer.slots());
    }
    let mut total: u64 = 0;
    for plan in ask.plans.iter().flatten() {
        let steps = plan.iter();
        let steps = steps.map(|step| read_offer(lexicon, players, step, &mut options));
        let steps = steps.collect::<ReadResult<Vec<Offer>>>()?;
        if steps.is_empty() {
            return Err("a plan has no steps".to_owned());
        }
        total = total.saturating_add(options.plan_len(&steps));
        check_count(total)?;
        options.plan(&steps);
    }
    if options.is_empty() && options.plans() == 0 {
        return Err("`options` is empty".to_owned());
    }
    Ok(options)
}

fn check_count(total: u64) -> ReadResult<()> {
    if total > i64::MAX as u64 {
        return Err("too many options to count".to_owned());
    }
    Ok(())
}

/// Parses a verb and the domains of its parameters.
fn read_offer(
    lexicon: Lexicon<'_>,
    players: usize,
    offer: &OfferOut<'_>,
    options: &mut Options,
) -> ReadResult<Offer> {
    let verb = &*offer.verb;
    let found = lexicon.decl.verb(verb);
    let found = found.ok_or_else(|| format!("unknown verb `{}`", brief(verb)))?;
    let slots = &lexicon.decl.verbs[found.index()].slots;
    let parameters = &offer.parameters;
    if parameters.len() != slots.len() || slots.len() > MAX_SLOTS {
        let takes = counted(slots.len(), "parameter");
        return Err(format!(
            "`{verb}` takes {takes}, found {}",
            parameters.len()
        ));
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
            return Err(format!("a value offered for `{verb}` is out of range"));
        }
        domains.push(domain);
    }
    Ok(Offer::new(found, &domains))
}

/// Returns the range of numbers for a parameter of this kind.
fn known(lexicon: Lexicon<'_>, players: usize, kind: SlotKind) -> RangeInclusive<i64> {
    let count = match kind {
        SlotKind::Territory => lexicon.board.len(),
        SlotKind::Continent => lexicon.board.groups().len(),
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
    domain: &DomainOut<'_>,
    options: &mut Options,
) -> ReadResult<Domain> {
    match domain {
        &DomainOut::Span { min, max } if min > max => Err(format!(
            "`min` must be at most `max`, found {min} and {max}"
        )),
        &DomainOut::Span { min, max } => Ok(Domain::Span {
            low: min,
            high: max,
        }),
        DomainOut::List(words) => {
            let read = words.iter().map(|word| number(lexicon, kind, word));
            let read: Option<Vec<i32>> = read.collect();
            let wrong = || format!("invalid values `{}`", brief(&format!("{words:?}")));
            Ok(options.among(read.ok_or_else(wrong)?))
        }
    }
}
