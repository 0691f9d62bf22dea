//! Raids, described by scripts. An `…_options` hook offers their first steps, or the possible next
//! steps from a territory. A `…_plans` hook offers whole raids as plans.

use rhai::{Array, Dynamic, EvalAltResult, ImmutableString, Map};

use super::offers::{EACH_VALUE, Offers, add_offer, add_plan};
use super::{NativeResult, fail, find_player, kind, number, whole};
use crate::script::meter;
use rhai_guard::Natives;
use risk_kernel::action::{Offer, Options};
use risk_kernel::declare::{Declaration, SlotKind};
use risk_kernel::id::{PlayerSet, Territory, Verb};
use risk_kernel::phases::raids::{OfferSink, RaidStrike, Raids};
use risk_kernel::routes::Region;
use risk_kernel::view::Facts;

/// The maximum number of moves after the first move.
const MOST_MOVES: i32 = 4;

const MOST_STRIKES: usize = 16;

const SHARE: u64 = 8 * meter::WORK;

const KEYS: [&str; 11] = [
    "step", "from", "to", "kind", "count", "on", "at", "strikes", "stop", "repeats", "in_order",
];
const STRIKE_KEYS: [&str; 5] = ["verb", "near", "also", "on", "fewer"];
const PICK_KEYS: [&str; 4] = ["owners", "unit", "marked", "unmarked"];

pub(super) fn register(engine: &mut Natives) {
    // Offers moves of units along paths, with at most one strike at the end: the first steps, the
    // next steps from a territory, or plans of whole raids.
    engine.register_fn("raids", |it: &mut Offers, g: Facts, map: Map| {
        raids(it, &g, &map)
    });
}

fn raids(offers: &Offers, game: &Facts, map: &Map) -> NativeResult<()> {
    let fills = offers.fills.borrow();
    let Some((decl, plans)) = fills.as_ref() else {
        return fail("only `…_options` and `…_plans` hooks can call `raids`");
    };
    let reader = RaidReader { game, decl, map };
    let raids = reader.raids()?;
    let options = &mut *offers.options.borrow_mut();
    let mut charged = MeteredOptions { options, work: 0 };
    match (reader.number("at")?, plans) {
        (Some(at), false) => {
            let at = super::territory(game.board(), at.into())?;
            raids.offer_from(game, at, &mut charged)
        }
        (Some(_), true) => fail("only an `…_options` hook can set `at` for raids"),
        (None, false) => raids.offer_first(game, &mut charged),
        (None, true) => raids.plan(game, &mut charged),
    }
}

struct MeteredOptions<'a> {
    options: &'a mut Options,
    work: u64,
}

impl OfferSink for MeteredOptions<'_> {
    type Fault = Box<EvalAltResult>;

    fn options(&mut self) -> &mut Options {
        self.options
    }

    fn spend(&mut self, work: usize) -> NativeResult<()> {
        self.work += work as u64;
        if self.work >= SHARE {
            meter::afford(std::mem::take(&mut self.work))?;
            meter::check_memory()?;
        }
        Ok(())
    }

    fn offer(&mut self, offer: Offer) -> NativeResult<()> {
        add_offer(self.options, offer)
    }

    fn plan(&mut self, steps: &[Offer]) -> NativeResult<()> {
        add_plan(self.options, steps)
    }
}

struct RaidReader<'a> {
    game: &'a Facts,
    decl: &'a Declaration,
    map: &'a Map,
}

impl RaidReader<'_> {
    fn knows(&self, keys: &[&str]) -> NativeResult<()> {
        match self.map.keys().find(|key| !keys.contains(&key.as_str())) {
            Some(other) => fail(format!(
                "unknown key `{other}`; expected one of {}",
                keys.join(", ")
            )),
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
            Some(Err(_)) => fail(format!("`{key}` must be true or false")),
        }
    }

    /// Reads a verb whose parameters match one of these lists of kinds.
    fn verb(&self, key: &str, fits: &[&[SlotKind]]) -> NativeResult<Verb> {
        let Some(number) = self.number(key)? else {
            return fail(format!(
                "missing key `{key}`: expected a verb, for example ATTACK"
            ));
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
                "the parameters of `{}` don't fit `{key}`",
                info.name
            ))
        }
    }

    /// Reads territories from an array, or from a map that selects them.
    fn list(&self, key: &str) -> NativeResult<Option<Vec<Territory>>> {
        let Some(value) = self.map.get(key) else {
            return Ok(None);
        };
        if let Some(map) = value.read_lock::<Map>() {
            return RaidReader { map: &map, ..*self }.picked().map(Some);
        }
        let Some(list) = value.read_lock::<Array>() else {
            return fail(format!(
                "`{key}` must be an array of territories or a map that selects them, found {}",
                kind(value)
            ));
        };
        meter::afford(EACH_VALUE * list.len() as u64)?;
        let territories = list
            .iter()
            .map(|at| super::territory(self.game.board(), whole(at, key)?));
        territories.collect::<NativeResult<_>>().map(Some)
    }

    /// Returns the territories that a map selects, in the order of the map file. The map may
    /// require `owners`, units of a kind (`unit`), and data in the map file under one key
    /// (`marked`) but not under another (`unmarked`).
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

    /// Reads the owners of the selected territories, and whether free territories are included.
    /// Returns `None` if the key `owners` is missing.
    fn owners(&self) -> NativeResult<Option<(PlayerSet, bool)>> {
        let Some(owners) = self.map.get("owners") else {
            return Ok(None);
        };
        let Some(owners) = owners.read_lock::<Array>() else {
            return fail("`owners` must be an array of players, with NOBODY for free territories");
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
            Some(None) => fail(format!("`{key}` must be a string: a key of the map file")),
        }
    }

    fn strikes(&self) -> NativeResult<Vec<RaidStrike>> {
        let Some(list) = self.map.get("strikes") else {
            return Ok(Vec::new());
        };
        let Some(list) = list.read_lock::<Array>() else {
            return fail("`strikes` must be an array of maps");
        };
        if list.len() > MOST_STRIKES {
            return fail(format!(
                "expected at most {MOST_STRIKES} strikes, found {}",
                list.len()
            ));
        }
        meter::afford((4 * list.len() * self.game.board().len()) as u64)?;
        let mut strikes = Vec::with_capacity(list.len());
        for strike in list.iter() {
            let Some(map) = strike.read_lock::<Map>() else {
                return fail("`strikes` must be an array of maps");
            };
            meter::check_memory()?;
            strikes.push(RaidReader { map: &map, ..*self }.strike()?);
        }
        Ok(strikes)
    }

    fn strike(&self) -> NativeResult<RaidStrike> {
        use SlotKind::{Count, Territory};
        self.knows(&STRIKE_KEYS)?;
        let near = self.region("near")?;
        let fewer = self.number("fewer")?;
        let kinds: &[SlotKind] = match (near.is_some(), fewer.is_some()) {
            (true, false) => &[Territory, Territory],
            (true, true) => &[Territory, Territory, Count],
            (false, false) => &[Territory],
            (false, true) => &[Territory, Count],
        };
        let nowhere = || Region::from_territories(self.game.board(), []);
        let also = self.region("also")?.unwrap_or_else(nowhere);
        Ok(RaidStrike {
            verb: self.verb("verb", &[kinds])?,
            near: near.map(|near| [near, also]),
            on: self.region("on")?,
            fewer,
        })
    }

    fn region(&self, key: &str) -> NativeResult<Option<Region>> {
        let list = self.list(key)?;
        Ok(list.map(|list| Region::from_territories(self.game.board(), list)))
    }

    fn raids(&self) -> NativeResult<Raids> {
        use SlotKind::{Count, Territory, Unit};
        self.knows(&KEYS)?;
        let step = self.verb(
            "step",
            &[&[Territory, Territory, Unit, Count], &[Territory]],
        )?;
        let on = self.number("on")?.unwrap_or(0);
        if !(0..=MOST_MOVES).contains(&on) {
            return fail(format!(
                "`on`, the number of moves after the first, must be 0 to {MOST_MOVES}"
            ));
        }
        let strikes = self.strikes()?;
        let repeats = self.flag("repeats")?;
        let kind = super::unit(self.decl, self.number("kind")?.unwrap_or(0).into())?;
        let stop = self.verb("stop", &[&[]])?;
        Ok(Raids {
            moves: self.decl.verbs[step.index()].slots.len() > 1,
            step,
            from: self.list("from")?.unwrap_or_default(),
            to: self.list("to")?.unwrap_or_default(),
            kind,
            count: self.number("count")?,
            on,
            in_order: self.flag("in_order")?,
            strikes,
            stop,
            repeats,
        })
    }
}
