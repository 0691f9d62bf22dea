//! The object `out` that a ruleset's hooks for options and plans fill with `out.offer` and
//! `out.plan`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Array, Dynamic, INT};

use crate::script::api::{NativeResult, fail, kind, number, verb};
use crate::script::meter;
use rhai_guard::Natives;
use risk_kernel::action::{Domain, MAX_SLOTS, Offer, Options};
use risk_kernel::declare::{Declaration, SlotKind};
use risk_kernel::id::{Player, Territory, Verb};
use risk_kernel::view::Facts;
use risk_kernel::words::kind_word;
use risk_text::plural::counted;

/// The exclusive upper limit of the number of actions that one decision may offer.
pub(super) const MOST_ACTIONS: u64 = 1 << 62;

/// The work for passing, reading, checking and storing each value of an offered array.
pub(super) const EACH_VALUE: u64 = 32;
const EACH_STEP: u64 = 8;

/// The object `out` of a ruleset's `…_options` and `…_plans` hooks.
#[derive(Clone, Default)]
pub(crate) struct Offers {
    pub(crate) options: Rc<RefCell<Options>>,
    /// The declarations, and whether the hook returns plans; `None` unless a hook is filling the
    /// object.
    pub(crate) fills: Rc<RefCell<Option<(Arc<Declaration>, bool)>>>,
    pub(crate) counts: Rc<Cell<EntityCounts>>,
}

impl Offers {
    /// Returns the declarations if a hook for plans, or for options, is filling the object.
    fn filled(&self, plans: bool) -> NativeResult<Arc<Declaration>> {
        match &*self.fills.borrow() {
            Some((decl, of_plans)) if *of_plans == plans => Ok(Arc::clone(decl)),
            _ if plans => fail("only a `…_plans` hook can plan actions"),
            _ => fail("only an `…_options` hook can offer actions"),
        }
    }
}

/// The numbers of territories, continents and players in the game. The declarations don't contain
/// these numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EntityCounts {
    territories: usize,
    continents: usize,
    players: usize,
}

impl EntityCounts {
    pub(crate) fn new(game: &Facts) -> Self {
        let board = game.board();
        Self {
            territories: board.len(),
            continents: board.groups().len(),
            players: game.players(),
        }
    }

    /// Returns the exclusive upper limit of values of this kind, or `None` if every number is
    /// valid.
    pub(super) fn below(self, decl: &Declaration, kind: SlotKind) -> Option<usize> {
        match kind {
            SlotKind::Territory => Some(self.territories),
            SlotKind::Continent => Some(self.continents),
            SlotKind::Player => Some(self.players),
            SlotKind::Card => Some(decl.cards.len()),
            SlotKind::Unit => Some(decl.units.len()),
            SlotKind::Count => None,
        }
    }
}

pub(super) fn register(engine: &mut Natives) {
    engine.register_type_with_name::<Offers>("Offers");
    engine.register_fn("offer", |it: &mut Offers, which: INT| offer(it, which, &[]));
    engine.register_fn("offer", |it: &mut Offers, which: INT, a: Dynamic| {
        offer(it, which, &[a])
    });
    engine.register_fn(
        "offer",
        |it: &mut Offers, which: INT, a: Dynamic, b: Dynamic| offer(it, which, &[a, b]),
    );
    engine.register_fn(
        "offer",
        |it: &mut Offers, which: INT, a: Dynamic, b: Dynamic, c: Dynamic| {
            offer(it, which, &[a, b, c])
        },
    );
    engine.register_fn(
        "offer",
        |it: &mut Offers, which: INT, a: Dynamic, b: Dynamic, c: Dynamic, d: Dynamic| {
            offer(it, which, &[a, b, c, d])
        },
    );
    // Offers the same action as one array: `[ATTACK, from, to]`.
    engine.register_fn("offer", |it: &mut Offers, step: Array| {
        match step.first().map(Dynamic::as_int) {
            Some(Ok(which)) => offer(it, which, &step[1..]),
            _ => fail("an offer must start with a verb, for example [ATTACK, from, to]"),
        }
    });
    // Accepts the parameters of this verb in any order, for example the cards of a set.
    engine.register_fn("any_order", |it: &mut Offers, which: INT| {
        any_order(it, which)
    });
    // Offers advances of 1 to all spare armies from each of the player's territories: with the verb
    // `foes` to neighbours that the player does not own, with `friends` to neighbours that the
    // player owns, and with `own` to all territories that the player owns. Each key is optional.
    engine.register_fn(
        "advances",
        |it: &mut Offers, g: Facts, player: INT, spare: Array, verbs: rhai::Map| {
            advances(it, &g, player, &spare, &verbs)
        },
    );
    // Offers plans that begin with the steps in `before`. Each plan then takes `step` (a verb, a
    // territory, an array of destinations, further parameters) to one of the destinations. From
    // there it attacks a neighbour that another player owns, or ends with the verb `done`. A plan
    // whose destination has no such neighbour ends without a further step.
    engine.register_fn(
        "plan_attacks",
        |it: &mut Offers,
         g: Facts,
         player: INT,
         before: Array,
         step: Array,
         attack: INT,
         done: INT| { plan_attacks(it, &g, player, &before, &step, attack, done) },
    );
    // Offers a whole action: an array of steps, each an array of a verb and its parameters'
    // domains.
    engine.register_fn("plan", |it: &mut Offers, steps: Array| plan(it, &steps));
}

pub(super) fn offer(offers: &Offers, which: INT, slots: &[Dynamic]) -> NativeResult<()> {
    let decl = &*offers.filled(false)?;
    let options = &mut *offers.options.borrow_mut();
    let offer = offer_of(options, decl, offers.counts.get(), which, slots)?;
    add_offer(options, offer)
}

fn any_order(offers: &Offers, which: INT) -> NativeResult<()> {
    let decl = &*offers.filled(false)?;
    offers.options.borrow_mut().any_order(verb(decl, which)?);
    Ok(())
}

pub(super) fn add_offer(options: &mut Options, offer: Offer) -> NativeResult<()> {
    let size = options.offer_len(&offer);
    if size
        .checked_add(options.len())
        .is_none_or(|all| all >= MOST_ACTIONS)
    {
        return fail("too many options at once");
    }
    options.offer(offer.verb, offer.slots());
    Ok(())
}

pub(super) fn advances(
    offers: &Offers,
    game: &Facts,
    player: INT,
    spare: &Array,
    verbs: &rhai::Map,
) -> NativeResult<()> {
    let decl = &*offers.filled(false)?;
    let verbs = AdvanceVerbs::from_map(decl, verbs)?;
    let player = super::find_player(game.players(), player)?;
    let each = if verbs.own.is_some() {
        game.territory_count(player) as u64
    } else {
        8
    };
    let board = game.board();
    let seen = (board.len() + board.directed_borders()) as u64;
    meter::afford(game.territory_count(player) as u64 * each + seen)?;
    let options = &mut *offers.options.borrow_mut();
    for from in game.owned(player) {
        let most = spare.get(from.index()).map_or(Ok(0), |most| {
            most.as_int()
                .or_else(|_| fail("army counts must be integers"))
        })?;
        if most >= 1 {
            meter::check_memory()?;
            verbs.offer(options, game, player, from, most);
        }
    }
    Ok(())
}

struct AdvanceVerbs {
    /// The verb for neighbours that the player does not own.
    foes: Option<Verb>,
    /// The verb for neighbours that the player owns.
    friends: Option<Verb>,
    /// The verb for any territory that the player owns.
    own: Option<Verb>,
}

impl AdvanceVerbs {
    fn from_map(decl: &Declaration, verbs: &rhai::Map) -> NativeResult<Self> {
        if let Some(other) = verbs
            .keys()
            .find(|key| !["foes", "friends", "own"].contains(&key.as_str()))
        {
            return fail(format!(
                "unknown key `{other}`; expected foes, friends or own"
            ));
        }
        let find = |key: &str| verbs.get(key).map(|which| Self::verb(decl, which));
        Ok(Self {
            foes: find("foes").transpose()?,
            friends: find("friends").transpose()?,
            own: find("own").transpose()?,
        })
    }

    fn verb(decl: &Declaration, which: &Dynamic) -> NativeResult<Verb> {
        let which = which
            .as_int()
            .or_else(|_| fail("expected a verb, for example ATTACK"))?;
        let which = verb(decl, which)?;
        let kinds = decl.verbs[which.index()].slots.iter().map(|slot| slot.1);
        if kinds.eq([SlotKind::Territory, SlotKind::Territory, SlotKind::Count]) {
            Ok(which)
        } else {
            fail("a verb that advances armies must have two territories and a count")
        }
    }

    /// Offers 1 to `most` armies from a territory to all possible destinations.
    fn offer(
        &self,
        options: &mut Options,
        game: &Facts,
        player: Player,
        from: Territory,
        most: INT,
    ) {
        let slots = |to| {
            [
                Domain::Is(from.number()),
                to,
                Domain::Span {
                    low: 1,
                    high: most.min(1 << 30) as i32,
                },
            ]
        };
        if let Some(verb) = self.foes {
            let near = game.attack_borders(player, from);
            let foes = near.filter(|&to| !game.owns(player, to));
            let to = options.among(foes.map(|to| to.number()));
            options.offer(verb, &slots(to));
        }
        if let Some(verb) = self.friends {
            let near = game.move_borders(player, from);
            let friends = near.filter(|&to| game.owns(player, to));
            let to = options.among(friends.map(|to| to.number()));
            options.offer(verb, &slots(to));
        }
        if let Some(verb) = self.own {
            let own = game.owned(player).filter(|&to| to != from);
            let to = options.among(own.map(Territory::number));
            options.offer(verb, &slots(to));
        }
    }
}

pub(super) fn offer_of(
    options: &mut Options,
    decl: &Declaration,
    counts: EntityCounts,
    which: INT,
    slots: &[Dynamic],
) -> NativeResult<Offer> {
    let which: Verb = verb(decl, which)?;
    let info = &decl.verbs[which.index()];
    if slots.len() != info.slots.len() {
        return fail(format!(
            "`{}` takes {}, found {}",
            info.name,
            counted(info.slots.len(), "parameter"),
            slots.len()
        ));
    }
    let mut domains = [Domain::Is(0); MAX_SLOTS];
    for ((value, (name, kind)), place) in slots.iter().zip(&info.slots).zip(&mut domains) {
        *place = domain(options, value, name)?;
        let Some(below) = counts.below(decl, *kind) else {
            continue;
        };
        if let Some(wrong) = outside(options, *place, below) {
            let kind = kind_word(*kind);
            let wanted = if below > 0 {
                format!("expected 0 to {}", below - 1)
            } else {
                "the game has none".to_owned()
            };
            return fail(format!(
                "invalid {kind} {wrong} for `{name}` of `{}`: {wanted}",
                info.name
            ));
        }
    }
    Ok(Offer::new(which, &domains[..slots.len()]))
}

/// Returns a value of a domain that is outside `0..below`, or `None` if all values are inside.
pub(super) fn outside(options: &Options, domain: Domain, below: usize) -> Option<i32> {
    let is_outside = |value: &i32| usize::try_from(*value).map_or(true, |value| value >= below);
    match domain {
        Domain::Is(value) => Some(value).filter(is_outside),
        Domain::Span { low, high } if low <= high => [low, high].into_iter().find(is_outside),
        Domain::Span { .. } => None,
        Domain::Among { .. } => (0..options.size(domain))
            .map(|index| options.value(domain, index))
            .find(is_outside),
    }
}

pub(super) const MOST_PLANNED: usize = 100;

pub(super) fn plan_attacks(
    offers: &Offers,
    game: &Facts,
    player: INT,
    before: &Array,
    step: &Array,
    attack: INT,
    done: INT,
) -> NativeResult<()> {
    let decl = &*offers.filled(true)?;
    let player = super::find_player(game.players(), player)?;
    let options = &mut *offers.options.borrow_mut();
    let counts = offers.counts.get();
    let mut steps = steps_of(options, decl, counts, before)?;
    let (Some(which), Some(ends)) = (
        step.first().and_then(|which| which.as_int().ok()),
        step.get(2).and_then(|ends| ends.read_lock::<Array>()),
    ) else {
        return fail("the step must have an array of ends: [MOVE, from, ends, …]");
    };
    let stop = offer_of(options, decl, counts, done, &[])?;
    afford_ends(game, &ends, before.len() + 2)?;
    let mut slots = step[1..].to_vec();
    let mut quiet = Vec::new();
    for end in ends.iter() {
        let end_of = end.as_int().or_else(|_| fail("ends must be territories"))?;
        let at = super::territory(game.board(), end_of)?;
        let foes = enemies(game, player, at);
        if foes.is_empty() {
            quiet.push(at.number());
            continue;
        }
        meter::check_memory()?;
        slots[1] = end.clone();
        steps.push(offer_of(options, decl, counts, which, &slots)?);
        let foes = options.among(foes);
        let attack = attack_verb(decl, attack)?;
        for last in [stop, Offer::new(attack, &[Domain::Is(at.number()), foes])] {
            steps.push(last);
            add_plan(options, &steps)?;
            steps.pop();
        }
        steps.pop();
    }
    slots[1] = super::array(quiet).into();
    steps.push(offer_of(options, decl, counts, which, &slots)?);
    add_plan(options, &steps)
}

/// Charges for a plan to each destination: all steps of the plan, and the destination's neighbours.
fn afford_ends(game: &Facts, ends: &Array, steps: usize) -> NativeResult<()> {
    if steps > MOST_PLANNED {
        return fail(format!(
            "a plan must have 1 to {MOST_PLANNED} steps, found {steps}"
        ));
    }
    meter::afford(16 * (ends.len() * steps) as u64)?;
    let near = |end: &Dynamic| {
        let at = super::territory(game.board(), end.as_int().unwrap_or(-1));
        at.map_or(0, |at| game.board().degree(at) as u64)
    };
    meter::afford(4 * ends.iter().map(near).sum::<u64>())
}

fn enemies(game: &Facts, player: Player, at: Territory) -> Vec<i32> {
    let enemy = |to: &Territory| game.owner(*to).is_some_and(|owner| owner != player);
    let near = game.attack_borders(player, at);
    near.filter(enemy).map(|to| to.number()).collect()
}

fn attack_verb(decl: &Declaration, attack: INT) -> NativeResult<Verb> {
    let attack = verb(decl, attack)?;
    let kinds = decl.verbs[attack.index()].slots.iter().map(|slot| slot.1);
    if kinds.eq([SlotKind::Territory; 2]) {
        Ok(attack)
    } else {
        fail("the parameters of an attack in a plan must be two territories")
    }
}

pub(super) fn plan(offers: &Offers, steps: &Array) -> NativeResult<()> {
    let decl = &*offers.filled(true)?;
    if steps.is_empty() || steps.len() > MOST_PLANNED {
        return fail(format!(
            "a plan must have 1 to {MOST_PLANNED} steps, found {}",
            steps.len()
        ));
    }
    meter::afford(16 * steps.len() as u64)?;
    let options = &mut *offers.options.borrow_mut();
    let all = steps_of(options, decl, offers.counts.get(), steps)?;
    add_plan(options, &all)
}

pub(super) fn steps_of(
    options: &mut Options,
    decl: &Declaration,
    counts: EntityCounts,
    steps: &Array,
) -> NativeResult<Vec<Offer>> {
    let mut all = Vec::with_capacity(steps.len() + 2);
    for step in steps {
        let Some(step) = step.read_lock::<Array>() else {
            return fail("a step of a plan must be an array, for example [ATTACK, from, to]");
        };
        let Some(which) = step.first().and_then(|which| which.as_int().ok()) else {
            return fail("a step of a plan must start with a verb, for example [ATTACK, from, to]");
        };
        all.push(offer_of(options, decl, counts, which, &step[1..])?);
    }
    Ok(all)
}

pub(super) fn add_plan(options: &mut Options, steps: &[Offer]) -> NativeResult<()> {
    let size = steps
        .iter()
        .map(|step| options.offer_len(step))
        .try_fold(1_u64, u64::checked_mul);
    if size
        .and_then(|size| size.checked_add(options.plans()))
        .is_none_or(|all| all >= MOST_ACTIONS)
    {
        return fail("too many plans at once");
    }
    options.plan(steps);
    Ok(())
}

pub(super) fn domain(options: &mut Options, value: &Dynamic, name: &str) -> NativeResult<Domain> {
    if let Ok(value) = value.as_int() {
        return Ok(Domain::Is(number(value)?));
    }
    // Tests for a range without copying an array.
    if let Some(range) = value.read_lock::<std::ops::RangeInclusive<INT>>() {
        return Ok(Domain::Span {
            low: number(*range.start())?,
            high: number(*range.end())?,
        });
    }
    if let Some(range) = value.read_lock::<std::ops::Range<INT>>() {
        return Ok(Domain::Span {
            low: number(range.start)?,
            high: number(range.end.saturating_sub(1))?,
        });
    }
    let Some(values) = value.read_lock::<Array>() else {
        return fail(format!(
            "`{name}` must be an integer, a range (1..=3) or an array of integers, found {}",
            kind(value)
        ));
    };
    meter::afford(EACH_VALUE * values.len() as u64)?;
    let mut numbers = Vec::with_capacity(values.len());
    for value in values.iter() {
        let Ok(value) = value.as_int() else {
            return fail(format!("the array for `{name}` must contain only integers"));
        };
        numbers.push(number(value)?);
    }
    if let Some(twice) = twice(&numbers)? {
        return fail(format!("duplicate value {twice} for `{name}`"));
    }
    Ok(options.among(numbers))
}

/// Returns a number that occurs more than once, or `None` if all numbers differ.
fn twice(numbers: &[i32]) -> NativeResult<Option<i32>> {
    // Most lists are sorted already.
    if numbers.windows(2).all(|two| two[0] < two[1]) {
        return Ok(None);
    }
    let steps = u64::from(numbers.len().ilog2()) + 1;
    meter::afford(EACH_STEP * numbers.len() as u64 * steps)?;
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let found = sorted.windows(2).find(|two| two[0] == two[1]);
    Ok(found.map(|two| two[0]))
}
