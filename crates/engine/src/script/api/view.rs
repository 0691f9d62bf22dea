//! The functions of a bot's view, including the odds of attacks.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Array, Dynamic, INT, ImmutableString};

use super::calls::{Functions, GameAccess, Scope};
use super::{
    ActionValue, ImaginationContext, NativeResult, array, counter_named, fail, int,
    look_along_borders, look_at, named, pile_named, seat, territories, territory, unit_named,
    whole,
};
use crate::script::meter;
use rhai_guard::Natives;
use risk_bots::fight_odds::{ChanceError, FightOdds};
use risk_kernel::board::Board;
use risk_kernel::borders::OpenBorders;
use risk_kernel::declare::{Declaration, Sight};
use risk_kernel::event::Status;
use risk_kernel::fault::RuleResult;
use risk_kernel::id::{Card, Group, Mark, Player, Territory};
use risk_kernel::odds::Fight;
use risk_kernel::rng::Stream;
use risk_kernel::state::Frame;
use risk_kernel::view::View;

/// A player's view, with the player's random stream and the odds of the ruleset in use.
#[derive(Clone)]
pub(crate) struct ScriptView {
    pub(crate) view: View,
    /// The player's random stream; `None` in the hook `chance`, which can't draw random numbers.
    pub(crate) rng: Option<Rc<RefCell<Stream>>>,
    pub(crate) chances: Rc<RefCell<FightOdds>>,
    /// The shared state of imagined games; `None` if the bot can't imagine games.
    pub(crate) room: Option<Rc<ImaginationContext>>,
}

impl Scope for ScriptView {
    fn board(&self) -> &Board {
        self.view.board()
    }

    fn borders_from(&self, from: Territory) -> OpenBorders<'_> {
        self.view.attack_borders(from)
    }

    fn decl(&self) -> &Arc<Declaration> {
        self.view.decl()
    }

    fn players(&self) -> usize {
        self.view.players()
    }
}

impl GameAccess for ScriptView {
    type Scope = Self;

    fn with<R>(&self, read: impl FnOnce(&Self) -> R) -> R {
        read(self)
    }
}

impl ScriptView {
    fn fight<T>(&self, ask: impl FnOnce(&mut Fight) -> RuleResult<T>) -> NativeResult<T> {
        match self.chances.borrow_mut().by_numbers() {
            Some(fight) => {
                let odds = super::rule(ask(fight));
                meter::charge(fight.take_work());
                odds
            }
            None if self.view.decl().own_chances => fail(format!(
                "{} has odds only for attacks between two territories: call `view.odds(from, to)`",
                self.view.decl().name
            )),
            None => fail(untold(self.view.decl())),
        }
    }

    /// Returns the ruleset's chance that an attack succeeds if it is fought to its end.
    fn odds(&self, from: Territory, to: Territory) -> NativeResult<f64> {
        self.look_at_each([from, to].into_iter());
        let mut chances = self.chances.borrow_mut();
        // The caller pays for the work of the hook.
        let told = meter::within(|| chances.of_attack(&self.view, from, to));
        meter::charge(chances.by_numbers().map_or(0, Fight::take_work));
        told.or_else(|why| match why {
            ChanceError::Untold => fail(untold(self.view.decl())),
            ChanceError::Hidden => fail("the armies of these territories are hidden from you"),
            ChanceError::Failed(text) => fail(text),
        })
    }

    fn has_chances(&self) -> bool {
        self.chances.borrow_mut().by_numbers().is_some()
    }

    /// Charges for examining a territory. In fog, its visibility depends on its neighbours.
    fn look(&self, at: Territory) {
        if self.looks_around() {
            meter::charge(self.view.board().degree(at) as u64);
        }
    }

    fn look_at_each(&self, territories: impl Iterator<Item = Territory> + Clone) {
        meter::charge(territories.clone().count() as u64);
        if self.looks_around() {
            let board = self.view.board();
            let near = territories.map(|at| board.degree(at) as u64);
            meter::charge(near.sum());
        }
    }

    /// Charges for the neighbours that are examined when every territory is examined.
    fn look_everywhere(&self) {
        if self.looks_around() {
            meter::charge(self.view.board().directed_borders() as u64);
        }
    }

    /// Reports whether the visibility of a territory depends on its neighbours.
    fn looks_around(&self) -> bool {
        let decl = self.view.decl();
        decl.owners_seen == Sight::Near || decl.units_seen == Sight::Near
    }
}

fn untold(decl: &Declaration) -> String {
    format!(
        "{} has no odds: check `view.has_odds` first, and compare armies if it is false",
        decl.name
    )
}

type ViewFunctions<'e> = Functions<'e, ScriptView>;

pub(super) fn register(engine: &mut Natives) {
    engine.register_type_with_name::<ScriptView>("View");
    let to = &mut ViewFunctions::new(engine);
    to.get("me", |it| int(it.view.me().0));
    to.get("round", |it| it.view.round());
    to.get("turn", |it| it.view.turn());
    to.get("players", |it| {
        array((0..it.view.players()).map(|player| player as i64))
    });
    to.get("phase", |it| {
        let phase = |frame: &Frame| it.view.decl().phases[frame.phase.index()].name.as_str();
        ImmutableString::from(it.view.frame().map_or("", phase))
    });
    to.get("ruleset", |it| {
        ImmutableString::from(it.view.decl().name.as_str())
    });
    to.read1("arg", |it, which: INT| {
        match (usize::try_from(which), it.view.frame()) {
            (Ok(which @ 1..=3), Some(frame)) => Ok(int(frame.args[which - 1])),
            _ => fail("`arg(n)` expects 1, 2 or 3"),
        }
    });
    to.read1("status", |it, player: Player| {
        ImmutableString::from(it.view.status(player).as_str())
    });
    to.read1("playing", |it, player: Player| {
        it.view.status(player) == Status::Playing
    });
    to.get("partners", |it| {
        array(it.view.partners().iter().map(|who| who.0))
    });
    to.read1("random", |it, bound: INT| {
        match (u64::try_from(bound), &it.rng) {
            (_, None) => fail("the hook `chance` can't call `random`"),
            (Ok(bound), Some(rng)) if bound > 0 => Ok(rng.borrow_mut().below(bound) as INT),
            _ => fail("`n` of `random(n)` must be at least 1"),
        }
    });
    register_territory(to);
    register_kept(to);
    to.get("orders", |it| {
        // A bot in another process receives no more orders than these.
        meter::afford(4 * it.view.orders().count() as u64)?;
        let own = it.view.orders();
        let own = own.map(|&order| Dynamic::from(ActionValue::new(order, it.view.decl())));
        Ok(own.collect::<Array>())
    });
    register_odds(to);
}

fn register_territory(to: &mut ViewFunctions<'_>) {
    to.read1("owner", |it, at: Territory| {
        it.look(at);
        it.view.owner(at)
    });
    to.read1("sees", |it, at: Territory| {
        it.look(at);
        it.view.sees_owner(at)
    });
    to.read1("mine", |it, at: Territory| it.view.mine(at));
    // Returns -1 if fog hides the value.
    to.read1("armies", |it, at: Territory| {
        it.look(at);
        it.view.armies(at)
    });
    to.read2("units", |it, at: Territory, kind: ImmutableString| {
        let kind = unit_named(it.view.decl(), &kind)?;
        it.look(at);
        Ok(it.view.units(at, kind).map_or(-1, int))
    });
    own_territory(to);
    territory_next_to(to);
    pick(to);
    whole_map(to);
}

fn own_territory(to: &mut ViewFunctions<'_>) {
    to.get("owned", |it| {
        look_at(it.view.board());
        territories(it.view.owned())
    });
    to.get("fronts", |it| {
        look_along_borders(it.view.board());
        territories(it.view.owned().filter(|&at| it.view.is_front(at)))
    });
    to.get("inland", |it| {
        look_along_borders(it.view.board());
        territories(it.view.owned().filter(|&at| !it.view.is_front(at)))
    });
}

fn territory_next_to(to: &mut ViewFunctions<'_>) {
    to.read1("is_front", |it, at: Territory| it.view.is_front(at));
    to.read1("foes", |it, at: Territory| {
        territories(it.view.attack_borders(at).filter(|&to| !it.view.mine(to)))
    });
    to.read1("friends", |it, at: Territory| {
        territories(it.view.move_borders(at).filter(|&to| it.view.mine(to)))
    });
    to.read1("toward_front", |it, at: Territory| {
        meter::charge(it.view.board().degree(at) as u64);
        let mut friends = it.view.move_borders(at).filter(|&to| it.view.mine(to));
        let first = friends.clone().next();
        let front = friends.find(|&to| it.view.is_front(to)).or(first);
        front.map_or(Dynamic::UNIT, |at| int(at.0).into())
    });
    to.read1("threat", threat);
}

fn pick(to: &mut ViewFunctions<'_>) {
    to.read1("fronts", |it, among: Array| {
        meter::afford(4 * among.len() as u64)?;
        let mut fronts = Array::new();
        for at in among {
            let place = territory(it.view.board(), whole(&at, "territories")?)?;
            if it.view.is_front(place) {
                fronts.push(at);
            }
        }
        Ok(fronts)
    });
    to.read1("strongest", |it, among: Array| {
        most(it, &among, |at| it.view.armies(at).map(i64::from))
    });
    to.read1("weakest", |it, among: Array| {
        most(it, &among, |at| {
            it.view.armies(at).map(|armies| -i64::from(armies))
        })
    });
    to.read1("most_threatened", |it, among: Array| {
        most(it, &among, |at| {
            let armies = it.view.armies(at)?;
            Some(threat(it, at) - i64::from(armies))
        })
    });
}

/// Returns the first territory with the highest value. Territories without a value are skipped, for
/// example those that fog hides.
fn most(
    it: &ScriptView,
    among: &Array,
    worth: impl Fn(Territory) -> Option<i64>,
) -> NativeResult<Dynamic> {
    meter::afford(4 * among.len() as u64)?;
    let mut best: Option<(i64, Territory)> = None;
    for at in among {
        let at = territory(it.view.board(), whole(at, "territories")?)?;
        it.look(at);
        if let Some(worth) = worth(at)
            && best.is_none_or(|(most, _)| worth > most)
        {
            best = Some((worth, at));
        }
    }
    Ok(best.map_or(Dynamic::UNIT, |(_, at)| int(at.0).into()))
}

/// Returns the number of other players' armies next to a territory, excluding armies hidden by fog.
fn threat(it: &ScriptView, at: Territory) -> INT {
    it.look_at_each(it.view.attack_borders(at));
    it.view.bordering_units(at).unwrap_or(0)
}

fn whole_map(to: &mut ViewFunctions<'_>) {
    to.read1("territories", |it, player: Player| {
        it.view.territory_count(player).map_or(-1, int)
    });
    to.read2("holds", |it, player: Player, group: Group| {
        let board = it.view.board();
        meter::charge(board.group_work(group));
        it.look_at_each(board.members(group).iter().copied());
        board.is_held_by(group, |at| it.view.owner(at) == Some(player))
    });
    // `all_armies` contains -1 for armies hidden by fog, and `all_owners` -1 for no owner.
    to.get("all_armies", |it| {
        it.look_everywhere();
        let all = it.view.board().territories();
        array(all.map(|at| it.view.armies(at).unwrap_or(-1)))
    });
    to.get("all_owners", |it| {
        it.look_everywhere();
        let all = it.view.board().territories();
        array(all.map(|at| seat(it.view.owner(at))))
    });
}

fn register_kept(to: &mut ViewFunctions<'_>) {
    to.read1("get", |it, name: ImmutableString| {
        kept(it, Some(it.view.me()), &name)
    });
    to.read2(
        "get",
        |it, player: Option<Player>, name: ImmutableString| kept(it, player, &name),
    );
    // Returns the value, or () if it is hidden.
    to.read2("mark", |it, at: Territory, name: ImmutableString| {
        it.look_at_each([at].into_iter());
        let decl = it.view.decl();
        let names = decl.marks.iter().map(|mark| mark.name.as_str());
        let mark = Mark::from_index(named(&name, "mark", names)?);
        let value = it.view.mark(at, mark);
        Ok(value.map_or(Dynamic::UNIT, |value| INT::from(value).into()))
    });
    to.read2(
        "count",
        |it, player: Option<Player>, name: ImmutableString| {
            Ok(it.view.pile_len(pile_named(it.view.decl(), &name)?, player) as INT)
        },
    );
    to.read1("cards", |it, name: ImmutableString| {
        cards(it, Some(it.view.me()), &name)
    });
    to.read2(
        "cards",
        |it, player: Option<Player>, name: ImmutableString| cards(it, player, &name),
    );
    to.read1("card_kind_name", |it, card: Card| {
        let decl = it.view.decl();
        let kind = decl.card_kinds.get(decl.cards[card.index()].kind as usize);
        ImmutableString::from(kind.map_or("", String::as_str))
    });
    to.read1("continent_named", |it, id: ImmutableString| {
        let groups = it.view.board().groups();
        meter::charge(2 * groups.len() as u64);
        let ids = groups.iter().map(|group| group.id.as_str());
        Ok(named(&id, "continent", ids)? as INT)
    });
}

fn kept(it: &ScriptView, player: Option<Player>, name: &str) -> NativeResult<INT> {
    let counter = counter_named(it.view.decl(), name)?;
    let hidden = || fail(format!("the counter `{name}` is hidden from you"));
    it.view.counter(counter, player).map_or_else(hidden, Ok)
}

fn cards(it: &ScriptView, player: Option<Player>, name: &str) -> NativeResult<Array> {
    match it.view.pile(pile_named(it.view.decl(), name)?, player) {
        Some(cards) => Ok(array(cards.iter().map(|card| card.0))),
        None => fail(format!("the pile `{name}` is hidden from you")),
    }
}

fn register_odds(to: &mut ViewFunctions<'_>) {
    // Returns the chance that all armies on `from` that may fight capture `to`.
    to.read2("odds", ScriptView::odds);
    to.get("has_odds", |it| {
        it.view.decl().own_chances || it.has_chances()
    });
    to.get("has_chances", ScriptView::has_chances);
    // Returns the class of an attack, or -1 if fog hides units that it depends on.
    to.read2("fight_class", |it, from: Territory, to: Territory| {
        it.look_at_each([from, to].into_iter());
        Ok(it.view.fight_class(from, to).map_or(-1, INT::from))
    });
    // Returns the chance for given numbers of attacking armies and defenders in a fight of class 0.
    to.read2("chance", |it, attackers: i32, defenders: i32| {
        it.fight(|fight| fight.chance_of(0, attackers, defenders))
    });
    // Returns the chance in a fight of a class.
    to.read3(
        "chance",
        |it, attackers: i32, defenders: i32, class: i32| {
            it.fight(|fight| {
                fight.chance_of(class.try_into().unwrap_or(u32::MAX), attackers, defenders)
            })
        },
    );
    to.read2("survivors", |it, attackers: i32, defenders: i32| {
        it.fight(|fight| {
            let odds = fight.odds(attackers, defenders)?;
            Ok(odds.attackers_left_given_capture)
        })
    });
}
