//! `standard("press_on")`: a player decides after each round of dice whether an attack continues.
//! `assault` and the phase itself open the phase with the two territories as long as armies are
//! left to attack with.

use super::dice::Losses;
use super::round::RoundRules;
use super::{BindError, Hooks, PhaseBinder, PhaseRules, at};
use crate::action::{Bounds, Domain, LegalAction, Options};
use crate::declare::{FightMethod, SlotKind};
use crate::event::FightRound;
use crate::fault::RuleFault;
use crate::id::{self, Counter, Player, Territory, Unit, Verb};
use crate::state::{Frame, GameState};

pub(super) struct PressOn {
    attack: Verb,
    stop: Verb,
    battle: BattleRules,
}

pub(super) struct BattleRules {
    round: RoundRules,
    conquered: Option<Counter>,
}

impl BattleRules {
    pub(super) fn bind(bind: &PhaseBinder<'_>) -> Result<Self, BindError> {
        Ok(Self {
            round: RoundRules::bind(bind)?,
            conquered: bind.counter_if_any("conquered"),
        })
    }

    /// Fights one round with as many dice as possible. After a capture, all armies but one move in.
    /// A territory without armies is captured without dice.
    pub(super) fn fight(
        &self,
        game: &mut GameState,
        player: Player,
        from: Territory,
        to: Territory,
        press_on: id::Phase,
        hooks: &mut dyn Hooks,
    ) -> Result<(), RuleFault> {
        let defenders = game.armies(to);
        let Losses { lost, killed } = if defenders > 0 {
            let dice = self.round.attack_dice(game.armies(from) - 1)?;
            self.round.roll(game, from, to, dice)?
        } else {
            Losses::default()
        };
        game.fought(|game| FightRound {
            from,
            to,
            attackers: game.armies(from),
            standing: game.armies(from),
            defenders: game.armies(to),
            attacker_lost: lost,
            defender_lost: killed,
        });
        game.add_units(from, Unit::FIRST, -lost)?;
        if killed < defenders {
            game.add_units(to, Unit::FIRST, -killed)?;
            if game.armies(from) > 1 {
                game.push_for(press_on, player, [from.number(), to.number(), 0])?;
            }
            return Ok(());
        }
        game.capture(from, to, Unit::FIRST, game.armies(from) - 1)?;
        if let Some(conquered) = self.conquered {
            game.set_counter(conquered, Some(player), 1)?;
        }
        hooks.on_conquest(game, player, to)
    }
}

impl PressOn {
    pub(super) fn bind(bind: &PhaseBinder<'_>) -> Result<Self, BindError> {
        let territory = SlotKind::Territory;
        Ok(Self {
            attack: bind.verb("attack", &[("from", territory), ("to", territory)])?,
            stop: bind.verb("stop", &[])?,
            battle: BattleRules::bind(bind)?,
        })
    }
}

/// Returns the two territories that the phase was opened with, if the player can still attack.
fn territories(
    game: &GameState,
    frame: &Frame,
    player: Player,
) -> Result<Option<[i32; 2]>, RuleFault> {
    let [from, to] = [frame.args[0], frame.args[1]];
    super::check_territory(game, from)?;
    super::check_territory(game, to)?;
    let able = game.owns(player, at(from))
        && game.armies(at(from)) > 1
        && game.is_foe(player, at(to))
        && game.board().borders(at(from), at(to));
    Ok(able.then_some([from, to]))
}

impl PhaseRules for PressOn {
    fn fights(&self) -> Option<FightMethod> {
        Some(FightMethod::Dice)
    }

    fn options(
        &self,
        game: &GameState,
        frame: &Frame,
        player: Player,
        out: &mut Options,
    ) -> Result<(), RuleFault> {
        if let Some(territories) = territories(game, frame, player)? {
            out.offer(self.attack, &territories.map(Domain::Is));
            out.offer(self.stop, &[]);
        }
        Ok(())
    }

    fn bounds_of(
        &self,
        game: &GameState,
        frame: &Frame,
        player: Player,
        verb: Verb,
        given: &[i32],
    ) -> Result<Bounds, RuleFault> {
        let Some([from, to]) = territories(game, frame, player)? else {
            return Ok(Bounds::NONE);
        };
        Ok(if verb == self.attack && *given == [from] {
            Bounds::Span { low: to, high: to }
        } else if verb == self.stop && given.is_empty() {
            Bounds::Span { low: 0, high: 0 }
        } else {
            Bounds::NONE
        })
    }

    fn apply(
        &self,
        game: &mut GameState,
        frame: &Frame,
        player: Player,
        action: LegalAction,
        hooks: &mut dyn Hooks,
    ) -> Result<(), RuleFault> {
        game.leave(player);
        if action.verb == self.stop {
            return Ok(());
        }
        let from = at(action.args()[0]);
        let to = at(action.args()[1]);
        self.battle
            .fight(game, player, from, to, frame.phase, hooks)
    }
}
