//! Raids: units move along a path of territories, and strike at most once from its end. An
//! `…_options` hook offers their first steps, or what may follow on a territory; a `…_plans` hook
//! plans the whole of them.

use rhai::{Array, Dynamic, Engine, ImmutableString, Map};

use super::offers::{EACH_VALUE, Offers, add_offer, add_plan};
use super::{NativeResult, fail, find_player, kind, number, whole};
use crate::script::meter;
use risk_kernel::action::{Domain, Offer, Options};
use risk_kernel::declare::{Declaration, SlotKind};
use risk_kernel::id::{PlayerSet, Territory, Unit, Verb};
use risk_kernel::view::Facts;

/// The most moves after the first.
const MOST_MOVES: i32 = 4;

/// The most ways to strike.
const MOST_STRIKES: usize = 16;

/// Work that is charged together.
const SHARE: u64 = 8 * meter::WORK;

/// What may be said of raids.
const KEYS: [&str; 11] = [
    "step", "from", "to", "kind", "count", "on", "at", "strikes", "stop", "repeats", "in_order",
];
/// What may be said of a strike.
const STRIKE_KEYS: [&str; 5] = ["verb", "near", "also", "on", "fewer"];
/// What may be said to pick territories out.
const PICK_KEYS: [&str; 4] = ["owners", "unit", "marked", "unmarked"];

pub(super) fn register(engine: &mut Engine) {
    // Moves of units along paths, with at most one strike at the end: their first steps, what may
    // follow on a territory, or plans of the whole.
    engine.register_fn("raids", |it: &mut Offers, g: Facts, map: Map| {
        raids(it, &g, &map)
    });
}

fn raids(offers: &Offers, game: &Facts, map: &Map) -> NativeResult<()> {
    let fills = offers.fills.borrow();
    let Some((decl, plans)) = fills.as_ref() else {
        return fail("raids are offered in an `…_options` hook, or planned in a `…_plans` hook");
    };
    let options = &mut *offers.options.borrow_mut();
    let mut raids = Raids::read(game, decl, map, options)?;
    let reader = Reader { game, decl, map };
    match (reader.number("at")?, plans) {
        (Some(at), false) => {
            let at = super::territory(game.board(), at.into())?;
            raids.offer_from(at, raids.count.unwrap_or(1))
        }
        (Some(_), true) => {
            fail("`at` is for an `…_options` hook: a plan begins with its first step")
        }
        (None, false) => raids.offer_first(),
        (None, true) => raids.plan(),
    }
}

/// Reads what a ruleset says of raids.
struct Reader<'a> {
    game: &'a Facts,
    decl: &'a Declaration,
    map: &'a Map,
}

impl Reader<'_> {
    fn knows(&self, keys: &[&str]) -> NativeResult<()> {
        match self.map.keys().find(|key| !keys.contains(&key.as_str())) {
            Some(other) => fail(format!("`{other}` is not one of {}", keys.join(", "))),
            None => Ok(()),
        }
    }

    fn number(&self, key: &str) -> NativeResult<Option<i32>> {
        let value = self.map.get(key).filter(|value| !value.is_unit());
        value.map(|value| number(whole(value, key)?)).transpose()
    }

    fn flag(&self, key: &str) -> NativeResult<bool> {
        match self.map.get(key).map(Dynamic::as_bool) {
            None => Ok(false),
            Some(Ok(flag)) => Ok(flag),
            Some(Err(_)) => fail(format!("`{key}` is true or false")),
        }
    }

    /// A verb with parameters of one of these kinds.
    fn verb(&self, key: &str, fits: &[&[SlotKind]]) -> NativeResult<Verb> {
        let Some(number) = self.number(key)? else {
            return fail(format!("`{key}` is missing: a verb, for example ATTACK"));
        };
        let verb = super::verb(self.decl, number.into())?;
        let info = &self.decl.verbs[verb.index()];
        let fits = fits
            .iter()
            .any(|kinds| info.slots.iter().map(|slot| &slot.1).eq(kinds.iter()));
        if fits {
            Ok(verb)
        } else {
            fail(format!(
                "`{}` has other parameters than `{key}` must have",
                info.name
            ))
        }
    }

    /// Territories: those of an array, or those that a map picks out.
    fn list(&self, key: &str) -> NativeResult<Option<Vec<Territory>>> {
        let Some(value) = self.map.get(key) else {
            return Ok(None);
        };
        if let Some(map) = value.read_lock::<Map>() {
            return Reader { map: &map, ..*self }.picked().map(Some);
        }
        let Some(list) = value.read_lock::<Array>() else {
            return fail(format!(
                "`{key}` is an array of territories, or a map that picks them out, not {}",
                kind(value)
            ));
        };
        meter::afford(EACH_VALUE * list.len() as u64)?;
        let territories = list
            .iter()
            .map(|at| super::territory(self.game.board(), whole(at, key)?));
        territories.collect::<NativeResult<_>>().map(Some)
    }

    /// The territories that a map picks out, in the order of the map file: those of its `owners`,
    /// on which units of a kind stand (`unit`), of which the map file says something under one
    /// key (`marked`) and nothing under another (`unmarked`).
    fn picked(&self) -> NativeResult<Vec<Territory>> {
        self.knows(&PICK_KEYS)?;
        let owners = self.owners()?;
        let unit = self.number("unit")?;
        let unit = unit
            .map(|unit| super::unit(self.decl, unit.into()))
            .transpose()?;
        let marked = self.text("marked")?;
        let unmarked = self.text("unmarked")?;
        let board = self.game.board();
        meter::afford(4 * board.len() as u64)?;
        let has = |at: Territory, key: &ImmutableString| board.info(at).data.contains_key(&**key);
        let fits = |&at: &Territory| {
            owners.is_none_or(|(land, free)| {
                let owner = self.game.owner(at);
                owner.map_or(free, |owner| land.has(owner))
            }) && unit.is_none_or(|unit| self.game.units(at, unit) > 0)
                && marked.as_ref().is_none_or(|key| has(at, key))
                && !unmarked.as_ref().is_some_and(|key| has(at, key))
        };
        Ok(board.territories().filter(fits).collect())
    }

    /// Of whom land is picked out, and whether free land is too; `None` where it is not said.
    fn owners(&self) -> NativeResult<Option<(PlayerSet, bool)>> {
        let Some(owners) = self.map.get("owners") else {
            return Ok(None);
        };
        let Some(owners) = owners.read_lock::<Array>() else {
            return fail("`owners` is an array of players, or of NOBODY for free land");
        };
        meter::afford(owners.len() as u64)?;
        let mut land = PlayerSet::default();
        let mut free = false;
        for owner in owners.iter() {
            match whole(owner, "owners")? {
                -1 => free = true,
                player => land = land.with(find_player(self.game.players(), player)?),
            }
        }
        Ok(Some((land, free)))
    }

    fn text(&self, key: &str) -> NativeResult<Option<ImmutableString>> {
        match self.map.get(key).map(Dynamic::read_lock::<ImmutableString>) {
            None => Ok(None),
            Some(Some(text)) => {
                meter::afford(text.len() as u64)?;
                Ok(Some(text.clone()))
            }
            Some(None) => fail(format!("`{key}` is a text: a key of the map file")),
        }
    }

    fn strikes(&self) -> NativeResult<Vec<Strike>> {
        let Some(list) = self.map.get("strikes") else {
            return Ok(Vec::new());
        };
        let Some(list) = list.read_lock::<Array>() else {
            return fail("`strikes` is an array of maps");
        };
        if list.len() > MOST_STRIKES {
            return fail(format!("there are at most {MOST_STRIKES} strikes"));
        }
        meter::afford((4 * list.len() * self.game.board().len()) as u64)?;
        let mut strikes = Vec::with_capacity(list.len());
        for strike in list.iter() {
            let Some(map) = strike.read_lock::<Map>() else {
                return fail("`strikes` is an array of maps");
            };
            meter::check_memory()?;
            strikes.push(Strike::read(&Reader { map: &map, ..*self })?);
        }
        Ok(strikes)
    }

    /// Which territories a list has, by territory.
    fn marks(&self, key: &str) -> NativeResult<Option<Vec<bool>>> {
        let list = self.list(key)?;
        Ok(list.map(|list| self.marks_of(&list)))
    }

    /// A list, and which territories it has; without one, none.
    fn list_and_marks(&self, key: &str) -> NativeResult<(Vec<Territory>, Vec<bool>)> {
        let list = self.list(key)?.unwrap_or_default();
        let marks = self.marks_of(&list);
        Ok((list, marks))
    }

    fn marks_of(&self, list: &[Territory]) -> Vec<bool> {
        let mut marks = vec![false; self.game.board().len()];
        for at in list {
            marks[at.index()] = true;
        }
        marks
    }
}

/// A way to strike from a territory.
struct Strike {
    verb: Verb,
    /// What is struck: neighbours that are in the first list, then those in the second.
    near: Option<[Vec<bool>; 2]>,
    /// Where it is possible.
    on: Option<Vec<bool>>,
    /// It says how many strike: fewer than have come, of so many at the most.
    fewer: Option<i32>,
    /// By territory, the targets, once they were looked for.
    targets: Vec<Option<Domain>>,
}

impl Strike {
    fn read(reader: &Reader<'_>) -> NativeResult<Self> {
        use SlotKind::{Count, Territory};
        reader.knows(&STRIKE_KEYS)?;
        let near = reader.marks("near")?;
        let fewer = reader.number("fewer")?;
        let kinds: &[SlotKind] = match (near.is_some(), fewer.is_some()) {
            (true, false) => &[Territory, Territory],
            (true, true) => &[Territory, Territory, Count],
            (false, false) => &[Territory],
            (false, true) => &[Territory, Count],
        };
        let len = reader.game.board().len();
        let also = reader.marks("also")?.unwrap_or_else(|| vec![false; len]);
        Ok(Self {
            verb: reader.verb("verb", &[kinds])?,
            near: near.map(|near| [near, also]),
            on: reader.marks("on")?,
            fewer,
            targets: vec![None; len],
        })
    }

    /// The strike from a territory to which so many have come, if there is one.
    fn offer(
        &mut self,
        options: &mut Options,
        game: &Facts,
        at: Territory,
        count: i32,
    ) -> Option<Offer> {
        let high = self.fewer.map_or(1, |most| count.min(most) - 1);
        if high < 1 || self.on.as_ref().is_some_and(|on| !on[at.index()]) {
            return None;
        }
        let mut slots = [Domain::Is(at.number()); 3];
        let mut len = 1;
        if let Some(near) = &self.near {
            let targets = *self.targets[at.index()].get_or_insert_with(|| {
                let of = |marks: &Vec<bool>| {
                    let near = game.board().neighbours(at).iter();
                    let there = near.filter(|to| marks[to.index()]).map(|to| to.number());
                    there.collect::<Vec<i32>>()
                };
                let [first, then] = [of(&near[0]), of(&near[1])];
                let then = then.into_iter().filter(|to| !first.contains(to));
                let targets: Vec<i32> = first.iter().copied().chain(then).collect();
                options.among(targets)
            });
            if options.size(targets) == 0 {
                return None;
            }
            slots[len] = targets;
            len += 1;
        }
        if self.fewer.is_some() {
            slots[len] = Domain::Span { low: 1, high };
            len += 1;
        }
        Some(Offer::new(self.verb, &slots[..len]))
    }
}

struct Raids<'a> {
    game: &'a Facts,
    options: &'a mut Options,
    step: Verb,
    /// Does the first step set out from a territory, or begin on one?
    moves: bool,
    from: Vec<Territory>,
    /// Where units may come to: in the order said, and by territory.
    to: (Vec<Territory>, Vec<bool>),
    kind: Unit,
    /// How many move or begin; as many as there are, or fewer, where it is not said.
    count: Option<i32>,
    /// How many moves may follow the first.
    on: i32,
    strikes: Vec<Strike>,
    stop: Offer,
    /// Does a plan that stops count twice?
    repeats: bool,
    /// Are last moves to where nothing can be struck one plan, behind all others?
    merges: bool,
    /// The steps of the plan that is being made.
    steps: Vec<Offer>,
    /// What was done since the last charge.
    work: u64,
}

impl<'a> Raids<'a> {
    fn read(
        game: &'a Facts,
        decl: &Declaration,
        map: &Map,
        options: &'a mut Options,
    ) -> NativeResult<Self> {
        use SlotKind::{Count, Territory, Unit};
        let reader = Reader { game, decl, map };
        reader.knows(&KEYS)?;
        let step = reader.verb(
            "step",
            &[&[Territory, Territory, Unit, Count], &[Territory]],
        )?;
        let on = reader.number("on")?.unwrap_or(0);
        if !(0..=MOST_MOVES).contains(&on) {
            return fail(format!(
                "`on` is from 0 to {MOST_MOVES}: moves after the first"
            ));
        }
        let strikes = reader.strikes()?;
        let counts = strikes.iter().any(|strike| strike.fewer.is_some());
        let repeats = reader.flag("repeats")?;
        let kind = super::unit(decl, reader.number("kind")?.unwrap_or(0).into())?;
        let stop = Offer::new(reader.verb("stop", &[&[]])?, &[]);
        Ok(Self {
            moves: decl.verbs[step.index()].slots.len() > 1,
            step,
            from: reader.list("from")?.unwrap_or_default(),
            to: reader.list_and_marks("to")?,
            kind,
            count: reader.number("count")?,
            on,
            merges: !reader.flag("in_order")? && !repeats && !counts && strikes.len() < 2,
            strikes,
            stop,
            repeats,
            steps: Vec::new(),
            work: 0,
            game,
            options,
        })
    }

    /// Charges work, a share at a time.
    fn spend(&mut self, work: usize) -> NativeResult<()> {
        self.work += work as u64;
        if self.work >= SHARE {
            meter::afford(std::mem::take(&mut self.work))?;
            meter::check_memory()?;
        }
        Ok(())
    }

    /// Where a move from a territory may end.
    fn ends(&mut self, from: Territory) -> NativeResult<Vec<Territory>> {
        let near = self.game.board().neighbours(from);
        self.spend(4 * near.len())?;
        let open = near.iter().filter(|to| self.to.1[to.index()]);
        Ok(open.copied().collect())
    }

    /// How many may set out together.
    fn count_from(&self, from: Territory) -> Domain {
        let all = Domain::Span {
            low: 1,
            high: self.game.units(from, self.kind),
        };
        self.count.map_or(all, Domain::Is)
    }

    fn step_to(&self, from: Territory, to: Domain, count: Domain) -> Offer {
        let kind = Domain::Is(self.kind.index() as i32);
        Offer::new(self.step, &[Domain::Is(from.number()), to, kind, count])
    }

    fn strikes_from(&mut self, at: Territory, count: i32) -> NativeResult<Vec<Offer>> {
        let near = self.game.board().neighbours(at).len();
        self.spend(self.strikes.len() * (4 + near))?;
        let mut found = Vec::with_capacity(self.strikes.len());
        for strike in &mut self.strikes {
            found.extend(strike.offer(self.options, self.game, at, count));
        }
        Ok(found)
    }

    /// Offers the first steps.
    fn offer_first(&mut self) -> NativeResult<()> {
        if !self.moves {
            let to = self.options.among(self.to.0.iter().map(|at| at.number()));
            return add_offer(self.options, Offer::new(self.step, &[to]));
        }
        for from in self.from.clone() {
            let ends = self.ends(from)?;
            let ends = self.options.among(ends.iter().map(|to| to.number()));
            let step = self.step_to(from, ends, self.count_from(from));
            add_offer(self.options, step)?;
        }
        Ok(())
    }

    /// Offers what may follow on a territory to which so many have come: to stop, if there is
    /// anything else, to move on, and strikes.
    fn offer_from(&mut self, at: Territory, count: i32) -> NativeResult<()> {
        let strikes = self.strikes_from(at, count)?;
        if self.on > 0 || !strikes.is_empty() {
            add_offer(self.options, self.stop)?;
        }
        if self.on > 0 && self.moves {
            let ends = self.ends(at)?;
            let ends = self.options.among(ends.iter().map(|to| to.number()));
            let step = self.step_to(at, ends, Domain::Is(1));
            add_offer(self.options, step)?;
        }
        strikes
            .into_iter()
            .try_for_each(|strike| add_offer(self.options, strike))
    }

    fn plan(&mut self) -> NativeResult<()> {
        if self.moves {
            for from in self.from.clone() {
                self.plan_moves(from, self.on, self.count_from(from))?;
            }
            return Ok(());
        }
        for at in self.to.0.clone() {
            let begins = Offer::new(self.step, &[Domain::Is(at.number())]);
            self.plan_from(begins, at, 0, self.count.unwrap_or(1))?;
        }
        Ok(())
    }

    /// Plans a move from a territory to each of its ends, and what follows it.
    fn plan_moves(&mut self, from: Territory, left: i32, count: Domain) -> NativeResult<()> {
        let mut quiet = Vec::new();
        for end in self.ends(from)? {
            let to = Domain::Is(end.number());
            if self.merges && left == 0 && self.strikes_from(end, 1)?.is_empty() {
                quiet.push(end.number());
                continue;
            }
            let Some(counts) = self.counts(count) else {
                self.plan_from(self.step_to(from, to, count), end, left, 1)?;
                continue;
            };
            for count in counts {
                let step = self.step_to(from, to, Domain::Is(count));
                self.plan_from(step, end, left, count)?;
            }
        }
        if quiet.is_empty() {
            return Ok(());
        }
        let quiet = self.options.among(quiet);
        self.steps.push(self.step_to(from, quiet, count));
        self.add_plan(None)?;
        self.steps.pop();
        Ok(())
    }

    /// Each number on its own, where what may follow hangs on how many have come.
    fn counts(&self, count: Domain) -> Option<std::ops::RangeInclusive<i32>> {
        let Domain::Span { low, high } = count else {
            return None;
        };
        let counts = self.strikes.iter().any(|strike| strike.fewer.is_some());
        counts.then_some(low..=high)
    }

    /// Plans a step to a territory, and what follows it: nothing, another move, or a strike.
    fn plan_from(&mut self, step: Offer, at: Territory, left: i32, count: i32) -> NativeResult<()> {
        self.steps.push(step);
        let strikes = self.strikes_from(at, count)?;
        let stop = (left > 0 || !strikes.is_empty()).then_some(self.stop);
        for _ in 0..if self.repeats { 2 } else { 1 } {
            self.add_plan(stop)?;
        }
        if left > 0 {
            self.plan_moves(at, left - 1, Domain::Is(1))?;
        }
        for strike in strikes {
            self.add_plan(Some(strike))?;
        }
        self.steps.pop();
        Ok(())
    }

    /// Adds the steps as a plan, with one behind them.
    fn add_plan(&mut self, last: Option<Offer>) -> NativeResult<()> {
        self.spend(16 * (self.steps.len() + 1))?;
        self.steps.extend(last);
        add_plan(self.options, &self.steps)?;
        self.steps
            .truncate(self.steps.len() - usize::from(last.is_some()));
        Ok(())
    }
}
