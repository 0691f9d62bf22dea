//! `standard("attack")`: one dice round for each answer, until the player is done.
//!
//! The most dice come from the tables `attack_dice(armies that may leave)` and `defend_dice(armies)`,
//! whose last entries stand for more as well; dice are compared highest with highest by
//! `pair_won(attacker, defender)`. A capture moves as many armies as dice attacked (or the parameter
//! `move_in`, if that is above 0) and opens the phase `occupy` for more. With `auto_end: true` the
//! phase ends by itself when no attack is possible, without asking.

use super::table::Table;
use super::{Bind, Hooks, Phase, Unbound, at};
use crate::kernel::action::{Domain, Legal, Options};
use crate::kernel::declare::SlotKind;
use crate::kernel::event::Dice;
use crate::kernel::fault::RuleFault;
use crate::kernel::id::{self, Counter, Player, Territory, Unit, Verb};
use crate::kernel::state::{Frame, Game};

pub(super) struct Attack {
    attack: Verb,
    done: Verb,
    occupy: id::Phase,
    conquered: Option<Counter>,
    attack_dice: Table,
    defend_dice: Table,
    pair_won: Table,
    sides: u32,
    move_in: i32,
    auto_end: bool,
}

impl Attack {
    pub(super) fn bind(bind: &mut Bind<'_>) -> Result<Self, Unbound> {
        let land = SlotKind::Territory;
        let pair_won = bind.table("pair_won", "[1..=6, 1..=6]", 2)?;
        let sides = pair_won.ranges()[0].1;
        if pair_won.ranges() != [(1, sides), (1, sides)] || !(2..=100).contains(&sides) {
            return Err(Unbound::Needs { section: "tables", what: "pair_won: [1..=6, 1..=6]".to_owned() });
        }
        Ok(Self {
            attack: bind.verb("attack", &[("from", land), ("to", land), ("dice", SlotKind::Count)])?,
            done: bind.verb("done", &[])?,
            occupy: bind.phase("occupy")?,
            conquered: bind.counter_if_any("conquered"),
            attack_dice: bind.table("attack_dice", "[0..=3]", 1)?,
            defend_dice: bind.table("defend_dice", "[0..=2]", 1)?,
            sides: sides as u32,
            pair_won,
            move_in: bind.number("move_in", 0, 0)?,
            auto_end: bind.flag("auto_end", false)?,
        })
    }

    /// Losses of attacker and defender: highest against highest.
    fn losses(&self, attack: Dice, defend: Dice) -> Result<(i32, i32), RuleFault> {
        let (mut lost, mut killed) = (0, 0);
        let (attack, defend) = (sorted(attack), sorted(defend));
        for (&a, &d) in attack.iter().zip(&defend).take_while(|(a, d)| **a > 0 && **d > 0) {
            if self.pair_won.get(&[i32::from(a), i32::from(d)])? > 0 { killed += 1 } else { lost += 1 }
        }
        Ok((lost, killed))
    }
}

/// The dice, highest first, filled up with zeros.
fn sorted(dice: Dice) -> [u8; Dice::MOST] {
    let mut values = [0; Dice::MOST];
    values[..dice.values().len()].copy_from_slice(dice.values());
    values.sort_unstable_by(|a, b| b.cmp(a));
    values
}

impl Phase for Attack {
    fn options(&self, game: &Game, _: &Frame, who: Player, out: &mut Options) -> Result<(), RuleFault> {
        for from in game.owned(who) {
            let armies = game.armies(from);
            if armies < 2 {
                continue;
            }
            let dice = self.attack_dice.get_or_last(armies - 1)?;
            let foes = game.board().neighbours(from).iter().filter(|&&to| !game.owns(who, to));
            let foes = out.among(foes.map(|to| to.number()));
            out.offer(self.attack, &[Domain::Is(from.number()), foes, Domain::Span { low: 1, high: dice }]);
        }
        if !(self.auto_end && out.is_empty()) {
            out.offer(self.done, &[]);
        }
        Ok(())
    }

    fn apply(
        &self,
        game: &mut Game,
        _: &Frame,
        who: Player,
        said: Legal,
        hooks: &mut dyn Hooks,
    ) -> Result<(), RuleFault> {
        if said.verb == self.done {
            game.leave(who);
            return Ok(());
        }
        let (from, to, dice) = (at(said.args()[0]), at(said.args()[1]), said.args()[2]);
        let defenders = game.armies(to);
        let defend = self.defend_dice.get_or_last(defenders)?;
        let (lost, killed) = if defend > 0 {
            let (attack, defend) = game.roll(self.sides, dice as usize, defend as usize)?;
            self.losses(attack, defend)?
        } else {
            (0, defenders)
        };
        game.fought(from, to, lost, killed);
        game.add_units(from, Unit(0), -lost)?;
        if killed < defenders {
            return game.add_units(to, Unit(0), -killed);
        }
        let moved = if self.move_in > 0 { self.move_in } else { dice };
        self.capture(game, who, from, to, moved, hooks)
    }
}

impl Attack {
    fn capture(
        &self,
        game: &mut Game,
        who: Player,
        from: Territory,
        to: Territory,
        moved: i32,
        hooks: &mut dyn Hooks,
    ) -> Result<(), RuleFault> {
        game.capture(from, to, Unit(0), moved.min(game.armies(from) - 1))?;
        if let Some(conquered) = self.conquered {
            game.set_counter(conquered, Some(who), 1)?;
        }
        if game.armies(from) > 1 {
            game.push_for(self.occupy, who, [from.number(), to.number(), 0])?;
        }
        hooks.on_conquest(game, who, to)
    }
}
