//! The functions of a bot's view, including the odds of attacks.

use std::cell::RefCell;
use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, INT, ImmutableString};

use super::{
    ActionValue, BoardAccess, ImaginationContext, NativeResult, array, counter_named, fail,
    find_player, holder, int, named, number, pile_named, seat, territories, territory, unit_named,
    whole,
};
use crate::script::chances::{ChanceError, FightChances};
use crate::script::meter;
use risk_kernel::board::Board;
use risk_kernel::declare::{Declaration, Sight};
use risk_kernel::event::Status;
use risk_kernel::fault::RuleFault;
use risk_kernel::id::{Continent, Player, Territory};
use risk_kernel::odds::Fight;
use risk_kernel::rng::Stream;
use risk_kernel::view::View;

/// A player's view, with the player's random stream and the odds of the ruleset in use.
#[derive(Clone)]
pub(crate) struct ScriptView {
    pub(crate) view: View,
    /// The player's random stream; `None` in the hook `chance`, which can't draw random numbers.
    pub(crate) rng: Option<Rc<RefCell<Stream>>>,
    pub(crate) chances: Rc<RefCell<FightChances>>,
    /// The shared state of imagined games; `None` if the bot can't imagine games.
    pub(crate) room: Option<Rc<ImaginationContext>>,
}

impl BoardAccess for ScriptView {
    fn with_board<R>(&self, read: impl FnOnce(&Board, &Declaration) -> R) -> R {
        read(self.view.board(), self.view.decl())
    }
}

impl ScriptView {
    fn fight<T>(&self, ask: impl FnOnce(&mut Fight) -> Result<T, RuleFault>) -> NativeResult<T> {
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
        self.look_at_each(&[from, to]);
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

    fn has_odds(&self) -> bool {
        self.view.decl().own_chances || self.chances.borrow_mut().by_numbers().is_some()
    }

    fn has_chances(&self) -> bool {
        self.chances.borrow_mut().by_numbers().is_some()
    }

    /// Charges for examining a territory. In fog, its visibility depends on its neighbours.
    fn look(&self, at: Territory) {
        if self.looks_around() {
            meter::charge(self.view.board().neighbours(at).len() as u64);
        }
    }

    fn look_at_each(&self, territories: &[Territory]) {
        meter::charge(territories.len() as u64);
        if self.looks_around() {
            let board = self.view.board();
            let near = territories
                .iter()
                .map(|&at| board.neighbours(at).len() as u64);
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

    fn seen_by(&self, player: INT) -> NativeResult<Player> {
        find_player(self.view.players(), player)
    }
}

fn untold(decl: &Declaration) -> String {
    format!(
        "{} has no odds: check `view.has_odds` first, and compare armies if it is false",
        decl.name
    )
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<ScriptView>("View");
    engine.register_get("me", |it: &mut ScriptView| int(it.view.me().0));
    engine.register_get("round", |it: &mut ScriptView| int(it.view.round()));
    engine.register_get("turn", |it: &mut ScriptView| int(it.view.turn()));
    engine.register_get("players", |it: &mut ScriptView| {
        array((0..it.view.players()).map(|player| player as i64))
    });
    engine.register_get("phase", |it: &mut ScriptView| -> ImmutableString {
        it.view
            .frame()
            .map_or("", |frame| {
                it.view.decl().phases[frame.phase.index()].name.as_str()
            })
            .into()
    });
    engine.register_get("ruleset", |it: &mut ScriptView| -> ImmutableString {
        it.view.decl().name.as_str().into()
    });
    engine.register_fn("arg", |it: &mut ScriptView, which: INT| {
        match (usize::try_from(which), it.view.frame()) {
            (Ok(which @ 1..=3), Some(frame)) => Ok(int(frame.args[which - 1])),
            _ => fail("`arg(n)` expects 1, 2 or 3"),
        }
    });
    engine.register_fn(
        "status",
        |it: &mut ScriptView, player: INT| -> NativeResult<ImmutableString> {
            Ok(it.view.status(it.seen_by(player)?).as_str().into())
        },
    );
    engine.register_fn(
        "playing",
        |it: &mut ScriptView, player: INT| -> NativeResult<bool> {
            Ok(it.view.status(it.seen_by(player)?) == Status::Playing)
        },
    );
    engine.register_get("partners", |it: &mut ScriptView| {
        array(it.view.partners().iter().map(|who| who.0))
    });
    engine.register_fn("random", |it: &mut ScriptView, bound: INT| {
        match (u64::try_from(bound), &it.rng) {
            (_, None) => fail("the hook `chance` can't call `random`"),
            (Ok(bound), Some(rng)) if bound > 0 => Ok(rng.borrow_mut().below(bound) as INT),
            _ => fail("`n` of `random(n)` must be at least 1"),
        }
    });
    register_territory(engine);
    register_kept(engine);
    register_orders(engine);
    register_odds(engine);
}

fn register_territory(engine: &mut Engine) {
    engine.register_fn(
        "owner",
        |it: &mut ScriptView, at: INT| -> NativeResult<INT> {
            let at = territory(it.view.board(), at)?;
            it.look(at);
            Ok(seat(it.view.owner(at)))
        },
    );
    engine.register_fn(
        "sees",
        |it: &mut ScriptView, at: INT| -> NativeResult<bool> {
            let at = territory(it.view.board(), at)?;
            it.look(at);
            Ok(it.view.sees_owner(at))
        },
    );
    engine.register_fn(
        "mine",
        |it: &mut ScriptView, at: INT| -> NativeResult<bool> {
            Ok(it.view.mine(territory(it.view.board(), at)?))
        },
    );
    // Returns -1 if fog hides the value.
    engine.register_fn(
        "armies",
        |it: &mut ScriptView, at: INT| -> NativeResult<INT> {
            let at = territory(it.view.board(), at)?;
            it.look(at);
            Ok(it.view.armies(at).map_or(-1, int))
        },
    );
    engine.register_fn(
        "units",
        |it: &mut ScriptView, at: INT, kind: &str| -> NativeResult<INT> {
            let kind = unit_named(it.view.decl(), kind)?;
            let at = territory(it.view.board(), at)?;
            it.look(at);
            Ok(it.view.units(at, kind).map_or(-1, int))
        },
    );
    own_territory(engine);
    territory_next_to(engine);
    pick(engine);
    whole_map(engine);
}

fn own_territory(engine: &mut Engine) {
    engine.register_get("owned", |it: &mut ScriptView| {
        super::look_at(it.view.board());
        territories(it.view.owned())
    });
    engine.register_get("fronts", |it: &mut ScriptView| {
        super::look_along_borders(it.view.board());
        territories(it.view.owned().filter(|&at| it.view.is_front(at)))
    });
    engine.register_get("inland", |it: &mut ScriptView| {
        super::look_along_borders(it.view.board());
        territories(it.view.owned().filter(|&at| !it.view.is_front(at)))
    });
}

fn territory_next_to(engine: &mut Engine) {
    engine.register_fn(
        "is_front",
        |it: &mut ScriptView, at: INT| -> NativeResult<bool> {
            Ok(it.view.is_front(territory(it.view.board(), at)?))
        },
    );
    engine.register_fn(
        "foes",
        |it: &mut ScriptView, at: INT| -> NativeResult<Array> {
            let at = territory(it.view.board(), at)?;
            Ok(territories(
                it.view
                    .board()
                    .neighbours(at)
                    .iter()
                    .copied()
                    .filter(|&to| !it.view.mine(to)),
            ))
        },
    );
    engine.register_fn(
        "friends",
        |it: &mut ScriptView, at: INT| -> NativeResult<Array> {
            let at = territory(it.view.board(), at)?;
            Ok(territories(
                it.view
                    .board()
                    .neighbours(at)
                    .iter()
                    .copied()
                    .filter(|&to| it.view.mine(to)),
            ))
        },
    );
    engine.register_fn(
        "toward_front",
        |it: &mut ScriptView, at: INT| -> NativeResult<Dynamic> {
            let near = it.view.board().neighbours(territory(it.view.board(), at)?);
            meter::charge(near.len() as u64);
            let mut friends = near.iter().filter(|&&to| it.view.mine(to));
            let first = friends.clone().next();
            let front = friends.find(|&&to| it.view.is_front(to)).or(first);
            Ok(front.map_or(Dynamic::UNIT, |at| int(at.0).into()))
        },
    );
    engine.register_fn(
        "threat",
        |it: &mut ScriptView, at: INT| -> NativeResult<INT> {
            Ok(threat(it, territory(it.view.board(), at)?))
        },
    );
}

fn pick(engine: &mut Engine) {
    engine.register_fn("fronts", |it: &mut ScriptView, among: Array| {
        meter::afford(4 * among.len() as u64)?;
        let mut fronts = Array::new();
        for at in among {
            if it
                .view
                .is_front(territory(it.view.board(), whole(&at, "territories")?)?)
            {
                fronts.push(at);
            }
        }
        Ok::<_, Box<rhai::EvalAltResult>>(fronts)
    });
    engine.register_fn("strongest", |it: &mut ScriptView, among: Array| {
        most(it, &among, |at| it.view.armies(at).map(i64::from))
    });
    engine.register_fn("weakest", |it: &mut ScriptView, among: Array| {
        most(it, &among, |at| {
            it.view.armies(at).map(|armies| -i64::from(armies))
        })
    });
    engine.register_fn("most_threatened", |it: &mut ScriptView, among: Array| {
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
    it.look_at_each(it.view.board().neighbours(at));
    it.view.bordering_units(at).unwrap_or(0)
}

fn whole_map(engine: &mut Engine) {
    engine.register_fn(
        "territories",
        |it: &mut ScriptView, player: INT| -> NativeResult<INT> {
            Ok(it.view.territory_count(it.seen_by(player)?).map_or(-1, int))
        },
    );
    engine.register_fn(
        "holds",
        |it: &mut ScriptView, player: INT, number: INT| -> NativeResult<bool> {
            let player = it.seen_by(player)?;
            let board = it.view.board();
            let continent: Continent = super::continent(board, number)?;
            let members = board.members(continent);
            it.look_at_each(members);
            Ok(!members.is_empty() && members.iter().all(|&at| it.view.owner(at) == Some(player)))
        },
    );
    // `all_armies` contains -1 for armies hidden by fog, and `all_owners` -1 for no owner.
    engine.register_get("all_armies", |it: &mut ScriptView| {
        it.look_everywhere();
        array(
            it.view
                .board()
                .territories()
                .map(|at| it.view.armies(at).unwrap_or(-1)),
        )
    });
    engine.register_get("all_owners", |it: &mut ScriptView| {
        it.look_everywhere();
        array(
            it.view
                .board()
                .territories()
                .map(|at| seat(it.view.owner(at))),
        )
    });
}

fn register_kept(engine: &mut Engine) {
    fn hidden(what: &str, name: &str) -> NativeResult<INT> {
        fail(format!("the {what} `{name}` is hidden from you"))
    }
    engine.register_fn("get", |it: &mut ScriptView, name: &str| {
        let me = it.view.me();
        it.view
            .counter(counter_named(it.view.decl(), name)?, Some(me))
            .map_or_else(|| hidden("counter", name), Ok)
    });
    engine.register_fn("get", |it: &mut ScriptView, player: INT, name: &str| {
        let player = holder(it.view.players(), player)?;
        it.view
            .counter(counter_named(it.view.decl(), name)?, player)
            .map_or_else(|| hidden("counter", name), Ok)
    });
    engine.register_fn(
        "count",
        |it: &mut ScriptView, player: INT, name: &str| -> NativeResult<INT> {
            let player = holder(it.view.players(), player)?;
            Ok(it.view.pile_len(pile_named(it.view.decl(), name)?, player) as INT)
        },
    );
    engine.register_fn("cards", |it: &mut ScriptView, name: &str| {
        cards(it, Some(it.view.me()), name)
    });
    engine.register_fn("cards", |it: &mut ScriptView, player: INT, name: &str| {
        cards(it, holder(it.view.players(), player)?, name)
    });
    engine.register_fn(
        "card_kind_name",
        |it: &mut ScriptView, card: INT| -> NativeResult<ImmutableString> {
            let decl = it.view.decl();
            let kind = decl.cards[super::card(decl, card)?.index()].kind;
            Ok(decl
                .card_kinds
                .get(kind as usize)
                .map_or("", String::as_str)
                .into())
        },
    );
    engine.register_fn(
        "continent_named",
        |it: &mut ScriptView, id: &str| -> NativeResult<INT> {
            let continents = it.view.board().continents();
            meter::charge(2 * continents.len() as u64);
            Ok(named(
                id,
                "continent",
                continents.iter().map(|continent| continent.id.as_str()),
            )? as INT)
        },
    );
}

fn cards(it: &ScriptView, player: Option<Player>, name: &str) -> NativeResult<Array> {
    match it.view.pile(pile_named(it.view.decl(), name)?, player) {
        Some(cards) => Ok(array(cards.iter().map(|card| card.0))),
        None => fail(format!("the pile `{name}` is hidden from you")),
    }
}

fn register_orders(engine: &mut Engine) {
    engine.register_get("orders", |it: &mut ScriptView| -> NativeResult<Array> {
        // A bot in another process receives no more orders than these.
        meter::afford(4 * it.view.orders().count() as u64)?;
        let own = it.view.orders();
        let own = own.map(|&order| Dynamic::from(ActionValue::new(order, it.view.decl())));
        Ok(own.collect())
    });
}

fn register_odds(engine: &mut Engine) {
    // Returns the chance that all armies on `from` that may fight capture `to`.
    engine.register_fn("odds", |it: &mut ScriptView, from: INT, to: INT| {
        let from = territory(it.view.board(), from)?;
        let to = territory(it.view.board(), to)?;
        it.odds(from, to)
    });
    engine.register_get("has_odds", |it: &mut ScriptView| it.has_odds());
    engine.register_get("has_chances", |it: &mut ScriptView| it.has_chances());
    // Returns the chance for given numbers of attacking armies and defenders.
    engine.register_fn(
        "chance",
        |it: &mut ScriptView, attackers: INT, defenders: INT| {
            let attackers = number(attackers)?;
            let defenders = number(defenders)?;
            it.fight(|fight| fight.chance(attackers, defenders))
        },
    );
    engine.register_fn(
        "survivors",
        |it: &mut ScriptView, attackers: INT, defenders: INT| {
            let attackers = number(attackers)?;
            let defenders = number(defenders)?;
            it.fight(|fight| {
                Ok(fight
                    .odds(attackers, defenders)?
                    .attackers_left_given_capture)
            })
        },
    );
}
