//! `standard("attack")`: one dice round for each answer, until the player is done.
//!
//! The most dice come from the tables `attack_dice(armies that may leave)` and
//! `defend_dice(armies)`, whose last entries stand for more as well; dice are compared highest with
//! highest by `pair_won(attacker, defender)`. A capture moves as many armies as dice attacked (or
//! the parameter `move_in`, if that is above 0) and opens the phase `occupy` for more. With
//! `auto_end: true` the phase ends by itself when no attack is possible, without asking.

use super::table::Table;
use super::{Bind, Hooks, Phase, Unbound, at, on_board};
use crate::kernel::action::{Bounds, Domain, Legal, Options};
use crate::kernel::declare::SlotKind;
use crate::kernel::event::Dice;
use crate::kernel::fault::RuleFault;
use crate::kernel::id::{self, Counter, Player, Territory, Unit, Verb};
use crate::kernel::state::{Frame, GameState};

pub(super) struct Attack {
    attack: Verb,
    done: Verb,
    occupy: id::Phase,
    conquered: Option<Counter>,
    attack_dice: Table,
    defend_dice: Table,
    pair_won: Table,
    sides: u32,
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
        Ok(Self {
            attack: bind.verb(
                "attack",
                &[("from", land), ("to", land), ("dice", SlotKind::Count)],
            )?,
            done: bind.verb("done", &[])?,
            occupy: bind.phase("occupy")?,
            conquered: bind.counter_if_any("conquered"),
            attack_dice: bind.table("attack_dice", "[0..=3]", 1)?,
            defend_dice: bind.table("defend_dice", "[0..=2]", 1)?,
            sides: sides as u32,
            outcomes: outcomes(&pair_won, sides as u32),
            pair_won,
            move_in: bind.number("move_in", 0, 0)?,
            auto_end: bind.flag("auto_end", false)?,
        })
    }

    /// What a throw of so many dice costs attacker and defender.
    fn losses(&self, attack: usize, defend: usize, throw: u64) -> Result<(i32, i32), RuleFault> {
        match self.outcomes.get(attack * MOST_DICE + defend) {
            Some(outcomes) if !outcomes.is_empty() => {
                let killed = outcomes[throw as usize];
                Ok((
                    attack.min(defend) as i32 - i32::from(killed),
                    i32::from(killed),
                ))
            }
            _ => compare(&self.pair_won, self.sides, attack, defend, throw),
        }
    }
}

/// Dice on either side, with 0, for which all throws are compared beforehand.
const MOST_DICE: usize = 4;
/// The most throws that are.
const MOST_THROWS: u64 = 10_000;

/// For each number of dice of attacker and defender: what each throw kills. Empty where there are
/// too many.
fn outcomes(pair_won: &Table, sides: u32) -> Vec<Vec<u8>> {
    let all = (0..MOST_DICE * MOST_DICE).map(|dice| {
        let (attack, defend) = (dice / MOST_DICE, dice % MOST_DICE);
        let throws = u64::from(sides).pow((attack + defend) as u32);
        if attack == 0 || defend == 0 || throws > MOST_THROWS {
            return Vec::new();
        }
        let killed =
            |throw| compare(pair_won, sides, attack, defend, throw).map(|losses| losses.1 as u8);
        (0..throws)
            .map(killed)
            .collect::<Result<_, _>>()
            .unwrap_or_default()
    });
    all.collect()
}

/// The losses of a throw: highest against highest.
fn compare(
    pair_won: &Table,
    sides: u32,
    attack: usize,
    defend: usize,
    throw: u64,
) -> Result<(i32, i32), RuleFault> {
    let (a, d) = Dice::of_throw(throw, sides, attack, defend);
    let (a, d) = (a.highest_first(), d.highest_first());
    let (mut lost, mut killed) = (0, 0);
    for (&a, &d) in a.values().iter().zip(d.values()) {
        if pair_won.get(&[i32::from(a), i32::from(d)])? > 0 {
            killed += 1
        } else {
            lost += 1
        }
    }
    Ok((lost, killed))
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

    fn apply(
        &self,
        game: &mut GameState,
        _: &Frame,
        player: Player,
        said: Legal,
        hooks: &mut dyn Hooks,
    ) -> Result<(), RuleFault> {
        if said.verb == self.done {
            game.leave(player);
            return Ok(());
        }
        let from = at(said.args()[0]);
        let to = at(said.args()[1]);
        let dice = said.args()[2];
        let defenders = game.armies(to);
        let defend = self.defend_dice.get_or_last(defenders)?;
        let (lost, killed) = if defend > 0 {
            let attack = dice as usize;
            let defend = defend as usize;
            let throw = game.throw(self.sides, attack, defend)?;
            self.losses(attack, defend, throw)?
        } else {
            (0, defenders)
        };
        game.fought((from, to), (dice, defenders), (lost, killed));
        game.add_units(from, Unit(0), -lost)?;
        if killed < defenders {
            return game.add_units(to, Unit(0), -killed);
        }
        let moved = if self.move_in > 0 { self.move_in } else { dice };
        self.capture(game, player, from, to, moved, hooks)
    }
}

impl Attack {
    fn capture(
        &self,
        game: &mut GameState,
        player: Player,
        from: Territory,
        to: Territory,
        moved: i32,
        hooks: &mut dyn Hooks,
    ) -> Result<(), RuleFault> {
        game.capture(from, to, Unit(0), moved.min(game.armies(from) - 1))?;
        if let Some(conquered) = self.conquered {
            game.set_counter(conquered, Some(player), 1)?;
        }
        if game.armies(from) > 1 {
            game.push_for(self.occupy, player, [from.number(), to.number(), 0])?;
        }
        hooks.on_conquest(game, player, to)
    }
}
