//! `standard("execution")`: executes orders class by class, one order for each player in turn.
//!
//! The parameter `classes` lists the verbs of each class, in order. Orders with other verbs stay in
//! the book. `movers` is the order of the players in a pass: seat order ("fixed"), seat order
//! starting one seat later each round ("cycle"), random order ("random"), alternately forward and
//! backward ("snake"), or a new random order in each pass ("shuffled"). With `goes_on: true`, if a
//! player's order can't be executed, the player's next order is executed in the same pass.
//!
//! `place` puts armies on a territory that the player still owns. `attack` and `move` advance
//! armies that were already on the territory, or were placed on it, and have not moved yet. With
//! `guard: true`, the default, one army stays. With `old_guard: true`, an army that arrived this
//! turn can't be the one that stays. On the player's own territories, the armies join the armies
//! present. Other territories are attacked in one battle with the tables `kill_percent`,
//! `kill_luck` and `kill_weighted`. If no defender is left, the remaining attackers move in.
//! `fallen` decides which defenders die first and therefore can't advance. The script's hook
//! `PHASE_play` executes all other verbs. An order that can't be executed is reported with the
//! reason. With `last_standing`, no more orders are executed once only one player has territories.

mod under_way;

use std::collections::VecDeque;

use super::dice::Losses;
use super::kills::{Kills, Side};
use super::round::{mark_conquest, settle};
use super::table::in_class;
use super::{BindError, Hooks, MOVE, PLACE, Param, PhaseBinder, PhaseRules, on_board};
use crate::action::Action;
use crate::declare::FightMethod;
use crate::event::Status;
use crate::fault::{RuleFault, RuleResult};
use crate::id::{self, Counter, Player, Territory, Unit, Verb};
use crate::state::{Frame, GameState};
use crate::words::Words;

pub use under_way::ExecutionState;

const MOST_TRIES: u64 = 50_000_000;

pub(super) struct Execution {
    /// The class and the role of each verb.
    roles: Vec<Option<(usize, Role)>>,
    classes: usize,
    movers: TurnOrder,
    stay: i32,
    /// The number of armies that must stay and must have been on the territory before this turn.
    old_stay: i32,
    fallen: CasualtyOrder,
    goes_on: bool,
    /// The rules of battles, for each class of fights.
    kills: Vec<Kills>,
    conquered: Option<Counter>,
}

#[derive(Clone, Copy, Debug)]
enum Role {
    Place,
    Advance,
    /// An order that the script's hook executes.
    Play,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TurnOrder {
    Fixed,
    Cycle,
    Random,
    Snake,
    Shuffled,
}

/// The armies that die first in an attacked territory. They determine how many are still ready to
/// advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CasualtyOrder {
    Newcomers,
    Ready,
    /// No distinction. The number of armies that may advance stays the same as long as enough are
    /// left.
    Anyone,
}

const CLASSES: &str = "lists of verbs, with each verb once: [[\"place\"], [\"attack\", \"move\"]]";

impl Execution {
    pub(super) fn bind(bind: &mut PhaseBinder<'_>) -> Result<Self, BindError> {
        let wrong = BindError::Value("classes", CLASSES);
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
            ("fixed", TurnOrder::Fixed),
            ("cycle", TurnOrder::Cycle),
            ("random", TurnOrder::Random),
            ("snake", TurnOrder::Snake),
            ("shuffled", TurnOrder::Shuffled),
        ];
        let fallen = [
            ("newcomers", CasualtyOrder::Newcomers),
            ("ready", CasualtyOrder::Ready),
            ("anyone", CasualtyOrder::Anyone),
        ];
        let stay = i32::from(bind.flag("guard", true)?);
        Ok(Self {
            roles,
            classes: classes.len(),
            movers: bind.one_of(
                "movers",
                &movers,
                "\"fixed\", \"cycle\", \"random\", \"snake\" or \"shuffled\"",
            )?,
            stay,
            old_stay: i32::from(bind.flag("old_guard", false)?) * stay,
            fallen: bind.one_of("fallen", &fallen, "\"newcomers\", \"ready\" or \"anyone\"")?,
            goes_on: bind.flag("goes_on", false)?,
            kills: bind.of_classes(|class| Kills::bind(bind, class))?,
            conquered: bind.counter_if_any("conquered"),
        })
    }

    fn role(&self, verb: Verb) -> Option<(usize, Role)> {
        self.roles.get(verb.index()).copied().flatten()
    }

    fn take_orders(&self, game: &mut GameState) -> Vec<VecDeque<Action>> {
        let players = game.players();
        let mut orders = vec![VecDeque::new(); self.classes * players];
        for order in game.unstore_all(|order| self.role(order.action.verb).is_some()) {
            if let Some((class, _)) = self.role(order.action.verb) {
                orders[class * players + order.player.index()].push_back(order.action);
            }
        }
        orders
    }

    fn seats(&self, game: &mut GameState) -> RuleResult<Vec<Player>> {
        let mut seats: Vec<Player> = game.seats().collect();
        match self.movers {
            TurnOrder::Fixed | TurnOrder::Snake | TurnOrder::Shuffled => {}
            TurnOrder::Cycle => {
                let by = (game.round() as usize).saturating_sub(1) % seats.len();
                seats.rotate_left(by);
            }
            TurnOrder::Random => mix(game, &mut seats)?,
        }
        Ok(seats)
    }

    fn in_pass(
        &self,
        game: &mut GameState,
        seats: &[Player],
        orders: &[VecDeque<Action>],
        pass: usize,
    ) -> RuleResult<Vec<Player>> {
        let left = seats
            .iter()
            .filter(|player| !orders[player.index()].is_empty());
        let mut movers: Vec<Player> = left.copied().collect();
        match self.movers {
            TurnOrder::Snake if pass % 2 == 1 => movers.reverse(),
            TurnOrder::Shuffled => mix(game, &mut movers)?,
            _ => {}
        }
        Ok(movers)
    }
}

fn mix(game: &mut GameState, seats: &mut [Player]) -> RuleResult {
    for last in 1..seats.len() {
        let other = game.random(last as u64 + 1)? as usize;
        seats.swap(last, other);
    }
    Ok(())
}

fn role(bind: &PhaseBinder<'_>, name: &str) -> Result<(Verb, Role), BindError> {
    Ok(match name {
        "place" => (bind.verb(name, &PLACE)?, Role::Place),
        "attack" | "move" => (bind.verb(name, &MOVE)?, Role::Advance),
        _ => {
            let (verb, _) = bind.any_verb(name)?;
            bind.played(name)?;
            (verb, Role::Play)
        }
    })
}

impl PhaseRules for Execution {
    fn asks(&self) -> bool {
        false
    }

    fn fights(&self) -> Option<FightMethod> {
        Some(FightMethod::Percent)
    }

    fn enter(&self, game: &mut GameState, frame: &Frame, hooks: &mut dyn Hooks) -> RuleResult {
        let mut orders = self.take_orders(game);
        let seats = self.seats(game)?;
        let mut run = ExecutionRun {
            rules: self,
            phase: frame.phase,
            hooks,
            now: ExecutionState::new(game),
            over: false,
            tries: 0,
        };
        for class in orders.chunks_mut(game.players()) {
            for pass in 0.. {
                let movers = self.in_pass(game, &seats, class, pass)?;
                if movers.is_empty() {
                    break;
                }
                for player in movers {
                    run.move_of(game, player, &mut class[player.index()])?;
                }
            }
        }
        Ok(())
    }
}

struct ExecutionRun<'a> {
    rules: &'a Execution,
    phase: id::Phase,
    hooks: &'a mut dyn Hooks,
    now: ExecutionState,
    over: bool,
    tries: u64,
}

impl ExecutionRun<'_> {
    fn move_of(
        &mut self,
        game: &mut GameState,
        player: Player,
        orders: &mut VecDeque<Action>,
    ) -> RuleResult {
        while let Some(order) = orders.pop_front() {
            if self.turn(game, player, order)? || !self.rules.goes_on {
                break;
            }
        }
        Ok(())
    }

    /// Executes an order. Returns whether the order could be executed.
    fn turn(&mut self, game: &mut GameState, player: Player, order: Action) -> RuleResult<bool> {
        if game.status(player) != Status::Playing {
            return Ok(false);
        }
        if self.over {
            announce(game, player, order, "not executed, the game is over");
            return Ok(false);
        }
        game.executes(player, order);
        if let Some(reason) = self.hooks.refusal(game, self.phase, player, order)? {
            return Ok(fail(game, player, order, &reason));
        }
        let is_executed = match self.rules.role(order.verb) {
            Some((_, Role::Place)) => self.place(game, player, order)?,
            Some((_, Role::Advance)) => self.advance(game, player, order)?,
            _ => self.play(game, player, order)?,
        };
        if is_executed {
            self.hooks.after(game, self.phase, player, order)?;
            self.over |= game.ending().is_some();
        }
        Ok(is_executed)
    }

    fn place(&mut self, game: &mut GameState, player: Player, order: Action) -> RuleResult<bool> {
        let &[to, armies] = order.args() else {
            return Err(unknown());
        };
        let to = on_board(game, to).ok_or_else(unknown)?;
        if !game.owns(player, to) {
            return Ok(fail(game, player, order, LOST));
        }
        let space = game.space(to, Unit::FIRST);
        if armies > space {
            announce(game, player, order, &format!("there is space for {space}"));
        }
        let armies = armies.min(space);
        game.add_units(to, Unit::FIRST, armies)?;
        self.now
            .set_ready(to, self.now.ready(to).saturating_add(armies));
        Ok(true)
    }

    /// Leaves an order to the script. Later orders see the resulting board.
    fn play(&mut self, game: &mut GameState, player: Player, order: Action) -> RuleResult<bool> {
        let before = territories(game);
        let now = Some(&mut self.now);
        self.hooks.play(game, self.phase, player, order, now)?;
        if territories(game) != before {
            self.over = decided(game);
        }
        self.over |= game.ending().is_some();
        Ok(true)
    }

    fn advance(&mut self, game: &mut GameState, player: Player, order: Action) -> RuleResult<bool> {
        let &[from, to, armies] = order.args() else {
            return Err(unknown());
        };
        let from = on_board(game, from).ok_or_else(unknown)?;
        let to = on_board(game, to).ok_or_else(unknown)?;
        if !game.owns(player, from) {
            return Ok(fail(game, player, order, LOST));
        }
        let there = game.armies(from) - self.rules.stay;
        let ready = self.now.ready(from).saturating_sub(self.rules.old_stay);
        let armies = armies.min(ready).min(there);
        if armies < 1 {
            return Ok(fail(game, player, order, "no army is left to go"));
        }
        let foe = game.owner(to);
        let spared = |foe| self.now.at_peace(player, foe) || game.allied(player, foe);
        if foe.is_some_and(|foe| foe != player && spared(foe)) {
            return Ok(fail(game, player, order, "there is peace"));
        }
        if game.has_shut(player, from, to) {
            return Ok(fail(game, player, order, "the border is closed"));
        }
        self.now.set_ready(from, self.now.ready(from) - armies);
        let armies = match foe == Some(player) {
            true => armies.min(game.space(to, Unit::FIRST)),
            false => armies,
        };
        if armies < 1 {
            return Ok(fail(game, player, order, "there is no space"));
        }
        if foe == Some(player) {
            game.move_units(from, to, Unit::FIRST, armies)?;
        } else {
            self.fight(game, player, from, to, armies)?;
        }
        Ok(true)
    }

    fn fight(
        &mut self,
        game: &mut GameState,
        player: Player,
        from: Territory,
        to: Territory,
        armies: i32,
    ) -> RuleResult {
        let kills = in_class(&self.rules.kills, || game.fight_class(from, to))?;
        let defenders = game.armies(to);
        self.tries += kills.tries(armies) + kills.tries(defenders);
        if self.tries > MOST_TRIES {
            return Err(RuleFault::new(format!(
                "reached the limit of {MOST_TRIES} chances in one execution"
            )));
        }
        let mut killed = kills.roll(game, armies, Side::Attacking)?.min(defenders);
        let lost = kills.roll(game, defenders, Side::Defending)?.min(armies);
        // If all armies would die, one defender survives.
        if killed == defenders && lost == armies {
            killed -= 1;
        }
        if !settle(game, from, to, armies, Losses { lost, killed })? {
            let ready = self.now.ready(to);
            let ready = match self.rules.fallen {
                CasualtyOrder::Newcomers => ready.min(defenders - killed),
                CasualtyOrder::Ready => ready.saturating_sub(killed),
                CasualtyOrder::Anyone => ready,
            };
            self.now.set_ready(to, ready);
            return Ok(());
        }
        let space = game.space(to, Unit::FIRST).saturating_add(game.armies(to));
        game.capture(from, to, Unit::FIRST, (armies - lost).min(space))?;
        mark_conquest(self.rules.conquered, game, player)?;
        // Armies that arrived this turn stay.
        if self.rules.fallen != CasualtyOrder::Anyone {
            self.now.set_ready(to, 0);
        }
        self.hooks.on_conquest(game, player, to)?;
        self.over = decided(game) || game.ending().is_some();
        Ok(())
    }
}

const LOST: &str = "the land is lost";

fn fail(game: &mut GameState, player: Player, order: Action, why: &str) -> bool {
    announce(game, player, order, &format!("impossible, {why}"));
    false
}

fn announce(game: &mut GameState, player: Player, order: Action, what: &str) {
    game.say_with(Some(player), |game| {
        let words = Words::new(game.board(), game.decl()).sentence(order);
        format!("{words}: {what}")
    });
}

fn unknown() -> RuleFault {
    RuleFault::new("an order names an unknown territory")
}

fn territories(game: &GameState) -> Vec<u32> {
    game.seats()
        .map(|player| game.territory_count(player))
        .collect()
}

/// Reports whether the game ends because at most one player has territories.
fn decided(game: &GameState) -> bool {
    let standing = game.standing().iter();
    game.decl().last_standing.is_some()
        && standing
            .filter(|&player| game.territory_count(player) > 0)
            .nth(1)
            .is_none()
}
