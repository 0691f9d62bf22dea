//! `standard("execution")`: orders are executed, class by class, one for each player in turn.
//!
//! The parameter `classes` lists the verbs of each class, in order; orders of other verbs stay in
//! the book. `movers` says who goes first in each pass: the seats in their order ("fixed"), each
//! round the next one ("cycle"), anybody ("random"), or the seats there and back ("snake").
//!
//! `place` puts armies on a territory that is still the player's. `attack` and `move` advance:
//! armies of those that stood there and have not moved yet, one of which stays behind with
//! `guard: true`, the default. On own land they join what stands there; against others there is
//! one battle by the tables `kill_percent`, `kill_luck` and `kill_weighted`, and where nobody is
//! left to defend the rest moves in. Any other verb is the script's: the hook `PHASE_play` does
//! what it means. An order that can't be executed is told with the reason. With `last_standing`
//! nothing more is executed once one player alone has land.

mod under_way;

use super::kills::{Kills, Side};
use super::{Bind, FightBy, Hooks, Param, Phase, Unbound, on_board};
use crate::kernel::action::Action;
use crate::kernel::declare::SlotKind;
use crate::kernel::event::Status;
use crate::kernel::fault::RuleFault;
use crate::kernel::id::{self, Counter, Player, Territory, Unit, Verb};
use crate::kernel::state::{Frame, GameState};
use crate::kernel::words::Words;

pub use under_way::UnderWay;

/// The most chances that one execution tries.
const MOST_TRIES: u64 = 50_000_000;

pub(super) struct Execution {
    /// By verb: its class, and what it means.
    roles: Vec<Option<(usize, Role)>>,
    classes: usize,
    movers: Movers,
    /// How many armies stay behind.
    stay: i32,
    kills: Kills,
    conquered: Option<Counter>,
}

/// What an order means.
#[derive(Clone, Copy, Debug)]
enum Role {
    /// Armies come to own land.
    Place,
    /// Armies advance to a neighbour.
    Advance,
    /// What the script's hook does.
    Play,
}

/// Who goes first in each pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Movers {
    Fixed,
    Cycle,
    Random,
    Snake,
}

const CLASSES: &str =
    "a list of lists of verbs, each of which stands once: [[\"place\"], [\"attack\", \"move\"]]";

impl Execution {
    pub(super) fn bind(bind: &mut Bind<'_>) -> Result<Self, Unbound> {
        let wrong = Unbound::Value("classes", CLASSES);
        let Some(Param::List(classes)) = bind.param("classes") else {
            return Err(wrong);
        };
        let mut roles = vec![None; bind.verbs()];
        for (class, verbs) in classes.iter().enumerate() {
            let Param::List(verbs) = verbs else {
                return Err(wrong);
            };
            for name in verbs {
                let Param::Word(name) = name else {
                    return Err(wrong);
                };
                let (verb, role) = role(bind, name)?;
                if roles[verb.index()].replace((class, role)).is_some() {
                    return Err(wrong);
                }
            }
        }
        let movers = [
            ("fixed", Movers::Fixed),
            ("cycle", Movers::Cycle),
            ("random", Movers::Random),
            ("snake", Movers::Snake),
        ];
        Ok(Self {
            roles,
            classes: classes.len(),
            movers: bind.one_of(
                "movers",
                &movers,
                "\"fixed\", \"cycle\", \"random\" or \"snake\"",
            )?,
            stay: i32::from(bind.flag("guard", true)?),
            kills: Kills::bind(bind)?,
            conquered: bind.counter_if_any("conquered"),
        })
    }

    fn role(&self, verb: Verb) -> Option<(usize, Role)> {
        self.roles.get(verb.index()).copied().flatten()
    }

    /// By class and seat: the orders that are executed now, which leave the book.
    fn take_orders(&self, game: &mut GameState) -> Vec<Vec<Action>> {
        let players = game.players();
        let mut orders = vec![Vec::new(); self.classes * players];
        for order in game.unstore_all(|order| self.role(order.action.verb).is_some()) {
            if let Some((class, _)) = self.role(order.action.verb) {
                orders[class * players + order.player.index()].push(order.action);
            }
        }
        orders
    }

    /// The seats in the order in which they go first.
    fn seats(&self, game: &mut GameState) -> Result<Vec<Player>, RuleFault> {
        let mut seats: Vec<Player> = game.seats().collect();
        match self.movers {
            Movers::Fixed | Movers::Snake => {}
            Movers::Cycle => {
                let by = (game.round() as usize).saturating_sub(1) % seats.len();
                seats.rotate_left(by);
            }
            Movers::Random => {
                for last in 1..seats.len() {
                    let other = game.random(last as u64 + 1)? as usize;
                    seats.swap(last, other);
                }
            }
        }
        Ok(seats)
    }
}

/// A verb of a class, and what it means.
fn role(bind: &Bind<'_>, name: &str) -> Result<(Verb, Role), Unbound> {
    let land = SlotKind::Territory;
    let count = SlotKind::Count;
    Ok(match name {
        "place" => (
            bind.verb(name, &[("at", land), ("armies", count)])?,
            Role::Place,
        ),
        "attack" | "move" => (
            bind.verb(name, &[("from", land), ("to", land), ("armies", count)])?,
            Role::Advance,
        ),
        _ => {
            let (verb, _) = bind.any_verb(name)?;
            bind.played(name)?;
            (verb, Role::Play)
        }
    })
}

impl Phase for Execution {
    fn asks(&self) -> bool {
        false
    }

    fn fights(&self) -> Option<FightBy> {
        Some(FightBy::Percent)
    }

    fn enter(
        &self,
        game: &mut GameState,
        frame: &Frame,
        hooks: &mut dyn Hooks,
    ) -> Result<(), RuleFault> {
        let orders = self.take_orders(game);
        let seats = self.seats(game)?;
        let mut run = Run {
            rules: self,
            phase: frame.phase,
            hooks,
            now: UnderWay::new(game),
            over: false,
            tries: 0,
        };
        for class in orders.chunks(game.players()) {
            let passes = class.iter().map(Vec::len).max().unwrap_or(0);
            for pass in 0..passes {
                let back = self.movers == Movers::Snake && pass % 2 == 1;
                for seat in 0..seats.len() {
                    let who = seats[if back { seats.len() - 1 - seat } else { seat }];
                    if let Some(&order) = class[who.index()].get(pass) {
                        run.turn(game, who, order)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Orders while they are executed.
struct Run<'a> {
    rules: &'a Execution,
    phase: id::Phase,
    hooks: &'a mut dyn Hooks,
    now: UnderWay,
    /// Has one player alone land, or is the game over?
    over: bool,
    /// Chances tried so far.
    tries: u64,
}

impl Run<'_> {
    /// An order comes up.
    fn turn(&mut self, game: &mut GameState, who: Player, order: Action) -> Result<(), RuleFault> {
        if game.status(who) != Status::Playing {
            return Ok(());
        }
        if self.over {
            tell(game, who, order, "not executed, the game is over");
            return Ok(());
        }
        game.executes(who, order);
        match self.rules.role(order.verb) {
            Some((_, Role::Place)) => self.place(game, who, order),
            Some((_, Role::Advance)) => self.advance(game, who, order),
            _ => self.play(game, who, order),
        }
    }

    fn place(&mut self, game: &mut GameState, who: Player, order: Action) -> Result<(), RuleFault> {
        let &[to, armies] = order.args() else {
            return Err(unknown());
        };
        let to = on_board(game, to).ok_or_else(unknown)?;
        if !game.owns(who, to) {
            fail(game, who, order, LOST);
            return Ok(());
        }
        game.add_units(to, Unit::FIRST, armies)?;
        self.now
            .set_ready(to, self.now.ready(to).saturating_add(armies));
        Ok(())
    }

    /// What the script does with an order of its own. Whatever that is, orders after it find the
    /// board as it is then.
    fn play(&mut self, game: &mut GameState, who: Player, order: Action) -> Result<(), RuleFault> {
        let before = lands(game);
        let now = Some(&mut self.now);
        self.hooks.play(game, self.phase, who, order, now)?;
        if lands(game) != before {
            self.over = decided(game);
        }
        self.over |= game.ending().is_some();
        Ok(())
    }

    fn advance(
        &mut self,
        game: &mut GameState,
        who: Player,
        order: Action,
    ) -> Result<(), RuleFault> {
        let &[from, to, armies] = order.args() else {
            return Err(unknown());
        };
        let from = on_board(game, from).ok_or_else(unknown)?;
        let to = on_board(game, to).ok_or_else(unknown)?;
        if !game.owns(who, from) {
            fail(game, who, order, LOST);
            return Ok(());
        }
        let there = game.armies(from) - self.rules.stay;
        let armies = armies.min(self.now.ready(from)).min(there);
        if armies < 1 {
            fail(game, who, order, "no army is left to go");
            return Ok(());
        }
        let foe = game.owner(to);
        if foe.is_some_and(|foe| foe != who && self.now.at_peace(who, foe)) {
            fail(game, who, order, "there is peace");
            return Ok(());
        }
        self.now.set_ready(from, self.now.ready(from) - armies);
        if foe == Some(who) {
            game.move_units(from, to, Unit::FIRST, armies)
        } else {
            self.fight(game, who, (from, to), armies)
        }
    }

    fn fight(
        &mut self,
        game: &mut GameState,
        who: Player,
        (from, to): (Territory, Territory),
        armies: i32,
    ) -> Result<(), RuleFault> {
        let kills = &self.rules.kills;
        let defenders = game.armies(to);
        self.tries += kills.tries(armies) + kills.tries(defenders);
        if self.tries > MOST_TRIES {
            return Err(RuleFault::new(format!(
                "orders that are executed together try at most {MOST_TRIES} chances"
            )));
        }
        let mut killed = kills.roll(game, armies, Side::Attacking)?.min(defenders);
        let lost = kills.roll(game, defenders, Side::Defending)?.min(armies);
        // Where everybody would die, one defender lives.
        if killed == defenders && lost == armies {
            killed -= 1;
        }
        game.fought((from, to), (armies, defenders), (lost, killed));
        game.add_units(from, Unit::FIRST, -lost)?;
        if killed < defenders {
            game.add_units(to, Unit::FIRST, -killed)?;
            self.now
                .set_ready(to, self.now.ready(to).min(defenders - killed));
            return Ok(());
        }
        game.capture(from, to, Unit::FIRST, armies - lost)?;
        if let Some(conquered) = self.rules.conquered {
            game.set_counter(conquered, Some(who), 1)?;
        }
        // Whoever came this turn stays.
        self.now.set_ready(to, 0);
        self.hooks.on_conquest(game, who, to)?;
        self.over = decided(game) || game.ending().is_some();
        Ok(())
    }
}

const LOST: &str = "the land is lost";

fn fail(game: &mut GameState, who: Player, order: Action, why: &str) {
    tell(game, who, order, &format!("impossible, {why}"));
}

/// Tells what became of an order that was not executed.
fn tell(game: &mut GameState, who: Player, order: Action, what: &str) {
    game.say_with(Some(who), |game| {
        let words = Words::new(game.board(), game.decl()).sentence(order);
        format!("{words}: {what}")
    });
}

fn unknown() -> RuleFault {
    RuleFault::new("an order names land that is not on the map")
}

/// How many territories each player owns.
fn lands(game: &GameState) -> Vec<u32> {
    game.seats()
        .map(|player| game.territory_count(player))
        .collect()
}

/// Does the game end because one player alone has land?
fn decided(game: &GameState) -> bool {
    let standing = game.standing().iter();
    game.decl().last_standing
        && standing
            .filter(|&player| game.territory_count(player) > 0)
            .nth(1)
            .is_none()
}
