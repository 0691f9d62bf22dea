//! `standard("attack")`: one dice round for each answer, until the player is done.
//!
//! The most dice come from the tables `attack_dice(armies that may leave)` and
//! `defend_dice(armies)`, whose last entries stand for more as well; dice are compared highest with
//! highest by `pair_won(attacker, defender)`, and `most_pairs` or `compares` say which pairs count,
//! see [`DiceRule`]. A capture moves as many armies as dice attacked (or the parameter `move_in`,
//! if that is above 0) and opens the phase `occupy` for more. With `auto_end: true` the phase ends
//! by itself when no attack is possible, without asking.

use super::dice::{DiceRule, Losses, Pairs};
use super::table::Table;
use super::{Bind, Hooks, Phase, Unbound, at, on_board};
use crate::kernel::action::{Action, Bounds, Domain, Legal, Options};
use crate::kernel::declare::SlotKind;
use crate::kernel::event::Dice;
use crate::kernel::fault::RuleFault;
use crate::kernel::id::{self, Counter, Player, Territory, Unit, Verb};
use crate::kernel::rng::Stream;
use crate::kernel::state::{Frame, GameState};

pub(super) struct Attack {
    attack: Verb,
    done: Verb,
    occupy: id::Phase,
    conquered: Option<Counter>,
    attack_dice: Table,
    /// The most dice that anybody may attack with.
    most_dice: i32,
    defend_dice: Table,
    rule: DiceRule,
    sides: u32,
    /// What each throw kills, for each number of dice of attacker and defender; empty where it is
    /// worked out throw by throw.
    outcomes: Vec<Vec<u8>>,
    move_in: i32,
    auto_end: bool,
}

impl Attack {
    pub(super) fn bind(bind: &mut Bind<'_>) -> Result<Self, Unbound> {
        let land = SlotKind::Territory;
        let pair_won = bind.table("pair_won", "[1..=6, 1..=6]", 2)?;
        let sides = pair_won.ranges()[0].1;
        if pair_won.ranges() != [(1, sides), (1, sides)] || !(2..=100).contains(&sides) {
            return Err(Unbound::Needs {
                section: "tables",
                what: "pair_won: [1..=6, 1..=6]".to_owned(),
            });
        }
        let sides = sides as u32;
        let rule = bind.dice_rule(pair_won);
        let attack_dice = bind.table("attack_dice", "[0..=3]", 1)?;
        Ok(Self {
            most_dice: attack_dice.most().max(0),
            attack: bind.verb(
                "attack",
                &[("from", land), ("to", land), ("dice", SlotKind::Count)],
            )?,
            done: bind.verb("done", &[])?,
            occupy: bind.phase("occupy")?,
            conquered: bind.counter_if_any("conquered"),
            attack_dice,
            defend_dice: bind.table("defend_dice", "[0..=2]", 1)?,
            sides,
            outcomes: outcomes(&rule, sides),
            rule,
            move_in: bind.number("move_in", 0, 0)?,
            auto_end: bind.flag("auto_end", false)?,
        })
    }

    /// What a throw of so many dice costs, where so many armies may leave and so many defend.
    fn losses(&self, throw: Throw, attackers: i32, defenders: i32) -> Result<Losses, RuleFault> {
        let Throw {
            attack,
            defend,
            number,
        } = throw;
        let known =
            (attack.max(defend) < MOST_DICE).then(|| &self.outcomes[attack * MOST_DICE + defend]);
        match known {
            Some(outcomes) if !outcomes.is_empty() => {
                let killed = i32::from(outcomes[number as usize]);
                Ok(Losses {
                    lost: attack.min(defend) as i32 - killed,
                    killed,
                })
            }
            _ => {
                let pairs = self.rule.pairs(attackers, defenders)?;
                compare(&self.rule, self.sides, throw, pairs)
            }
        }
    }
}

/// Dice that were thrown: how many of either side, and all of them as one number.
#[derive(Clone, Copy)]
struct Throw {
    attack: usize,
    defend: usize,
    number: u64,
}

/// From how many territories on attacks are drawn without writing all of them down.
const LARGE: usize = 256;
/// How often a draw is tried before all options are written down after all.
const TRIES: usize = 256;
/// Dice on either side, with 0, for which all throws are compared beforehand.
const MOST_DICE: usize = 4;
/// The most throws that are.
const MOST_THROWS: u64 = 10_000;

/// For each number of dice of attacker and defender: what each throw kills. Empty where there are
/// too many, or the armies have a say in it.
fn outcomes(rule: &DiceRule, sides: u32) -> Vec<Vec<u8>> {
    let all = (0..MOST_DICE * MOST_DICE).map(|dice| {
        let attack = dice / MOST_DICE;
        let defend = dice % MOST_DICE;
        let throws = u64::from(sides).pow((attack + defend) as u32);
        if attack == 0 || defend == 0 || throws > MOST_THROWS || rule.asks_armies() {
            return Vec::new();
        }
        let killed = |number| {
            let throw = Throw {
                attack,
                defend,
                number,
            };
            compare(rule, sides, throw, Pairs::ALL).map(|losses| losses.killed as u8)
        };
        (0..throws)
            .map(killed)
            .collect::<Result<_, _>>()
            .unwrap_or_default()
    });
    all.collect()
}

/// The losses of a throw: highest against highest.
fn compare(rule: &DiceRule, sides: u32, throw: Throw, pairs: Pairs) -> Result<Losses, RuleFault> {
    let (attack, defend) = Dice::of_throw(throw.number, sides, throw.attack, throw.defend);
    let values = |dice: Dice| {
        let mut values = [0; Dice::MOST];
        for (slot, &value) in values.iter_mut().zip(dice.highest_first().values()) {
            *slot = i32::from(value);
        }
        values
    };
    rule.losses(
        &values(attack)[..throw.attack],
        &values(defend)[..throw.defend],
        pairs,
    )
}

impl Phase for Attack {
    fn options(
        &self,
        game: &GameState,
        _: &Frame,
        player: Player,
        out: &mut Options,
    ) -> Result<(), RuleFault> {
        for from in game.owned(player) {
            let armies = game.armies(from);
            if armies < 2 || !game.is_front(from) {
                continue;
            }
            let dice = self.attack_dice.get_or_last(armies - 1)?;
            let foes = game
                .board()
                .neighbours(from)
                .iter()
                .filter(|&&to| !game.owns(player, to));
            let foes = out.among(foes.map(|to| to.number()));
            out.offer(
                self.attack,
                &[
                    Domain::Is(from.number()),
                    foes,
                    Domain::Span { low: 1, high: dice },
                ],
            );
        }
        if !(self.auto_end && out.is_empty()) {
            out.offer(self.done, &[]);
        }
        Ok(())
    }

    fn bounds_of(
        &self,
        game: &GameState,
        _: &Frame,
        player: Player,
        verb: Verb,
        given: &[i32],
    ) -> Result<Bounds, RuleFault> {
        match *given {
            [from, to] if verb == self.attack => {
                let Some((from, to)) = on_board(game, from).zip(on_board(game, to)) else {
                    return Ok(Bounds::NONE);
                };
                let armies = game.armies(from);
                let legal = game.owns(player, from)
                    && armies > 1
                    && !game.owns(player, to)
                    && game.board().borders(from, to);
                if !legal {
                    return Ok(Bounds::NONE);
                }
                Ok(Bounds::Span {
                    low: 1,
                    high: self.attack_dice.get_or_last(armies - 1)?,
                })
            }
            [] if verb == self.done && !self.auto_end => Ok(Bounds::Span { low: 0, high: 0 }),
            _ if verb == self.attack || verb == self.done => Ok(Bounds::Unknown),
            _ => Ok(Bounds::NONE),
        }
    }

    /// Any territory, any of its borders and any number of dice are drawn until they are an
    /// attack, with one more case for the end of the phase.
    fn draw(
        &self,
        game: &GameState,
        player: Player,
        rng: &mut Stream,
    ) -> Result<Option<Action>, RuleFault> {
        let board = game.board();
        if board.len() < LARGE {
            return Ok(None);
        }
        let territories = board.len() as u64;
        let dice = self.most_dice as u64;
        let cases = board.most_neighbours() as u64 * dice;
        if cases == 0 {
            return Ok(None);
        }
        for _ in 0..TRIES {
            let from = rng.below(territories + 1);
            if from == territories {
                // One case in all that this number would stand for.
                if rng.below(cases) > 0 {
                    continue;
                }
                let ends = !self.auto_end || self.is_possible(game, player)?;
                return Ok(ends.then(|| Action::new(self.done, &[])));
            }
            let from = Territory::from_index(from as usize);
            let armies = game.armies(from);
            if !game.owns(player, from) || armies < 2 || !game.is_front(from) {
                continue;
            }
            let case = rng.below(cases);
            let dice_there = 1 + (case % dice) as i32;
            if let Some(&to) = board.neighbours(from).get((case / dice) as usize)
                && !game.owns(player, to)
                && dice_there <= self.attack_dice.get_or_last(armies - 1)?
            {
                let args = [from.number(), to.number(), dice_there];
                return Ok(Some(Action::new(self.attack, &args)));
            }
        }
        Ok(None)
    }

    fn apply(
        &self,
        game: &mut GameState,
        _: &Frame,
        player: Player,
        action: Legal,
        hooks: &mut dyn Hooks,
    ) -> Result<(), RuleFault> {
        if action.verb == self.done {
            game.leave(player);
            return Ok(());
        }
        let from = at(action.args()[0]);
        let to = at(action.args()[1]);
        let dice = action.args()[2];
        let defenders = game.armies(to);
        let defend = self.defend_dice.get_or_last(defenders)?;
        let losses = if defend > 0 {
            let attack = dice as usize;
            let defend = defend as usize;
            let throw = Throw {
                attack,
                defend,
                number: game.throw(self.sides, attack, defend)?,
            };
            self.losses(throw, game.armies(from) - 1, defenders)?
        } else {
            Losses {
                lost: 0,
                killed: defenders,
            }
        };
        let Losses { lost, killed } = losses;
        game.fought((from, to), (dice, defenders), (lost, killed));
        game.add_units(from, Unit::FIRST, -lost)?;
        if killed < defenders {
            return game.add_units(to, Unit::FIRST, -killed);
        }
        let moved = if self.move_in > 0 { self.move_in } else { dice };
        self.capture(game, player, from, to, moved, hooks)
    }
}

impl Attack {
    /// Is there an attack at all?
    fn is_possible(&self, game: &GameState, player: Player) -> Result<bool, RuleFault> {
        for from in game.owned(player) {
            let armies = game.armies(from);
            if armies > 1 && game.is_front(from) && self.attack_dice.get_or_last(armies - 1)? > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn capture(
        &self,
        game: &mut GameState,
        player: Player,
        from: Territory,
        to: Territory,
        moved: i32,
        hooks: &mut dyn Hooks,
    ) -> Result<(), RuleFault> {
        game.capture(from, to, Unit::FIRST, moved.min(game.armies(from) - 1))?;
        if let Some(conquered) = self.conquered {
            game.set_counter(conquered, Some(player), 1)?;
        }
        if game.armies(from) > 1 {
            game.push_for(self.occupy, player, [from.number(), to.number(), 0])?;
        }
        hooks.on_conquest(game, player, to)
    }
}
