//! `standard("assault")`: players attack in rotation. Each turn has one attack, which continues one
//! round of dice at a time in the phase `press_on`.
//!
//! A player who can attack must do so. With `may_pass: true`, the player may pass, and the counter
//! `passes` counts the passes until the next attack.

use super::press_on::BattleRules;
use super::{Asked, BindError, PhaseBinder, PhaseRules, Turn, WAY, on_board};
use crate::action::{Bounds, Domain, LegalAction, Options};
use crate::declare::FightMethod;
use crate::fault::RuleResult;
use crate::id::{self, Counter, Player, Territory, Verb};
use crate::state::GameState;

pub(super) struct Assault {
    attack: Verb,
    press_on: id::Phase,
    battle: BattleRules,
    /// The verb for passing, and the counter of consecutive passes.
    passing: Option<(Verb, Counter)>,
}

impl Assault {
    pub(super) fn bind(bind: &mut PhaseBinder<'_>) -> Result<Self, BindError> {
        let may_pass = bind.flag("may_pass", false)?;
        let pass = bind.verb("pass", &[]);
        let passes = bind.counter("passes");
        Ok(Self {
            attack: bind.verb("attack", &WAY)?,
            press_on: bind.phase("press_on")?,
            battle: BattleRules::bind(bind)?,
            passing: if may_pass {
                Some((pass?, passes?))
            } else {
                None
            },
        })
    }

    fn pass(&self) -> Option<Verb> {
        self.passing.map(|(pass, _)| pass)
    }
}

/// Returns the player's territories with more than one army and a neighbour to attack.
fn attackers(game: &GameState, player: Player) -> impl Iterator<Item = Territory> + '_ {
    let able = |from: &Territory| game.armies(*from) > 1 && game.is_front(*from);
    game.owned(player)
        .filter(able)
        .filter(move |&from| foes(game, player, from).next().is_some())
}

pub(super) fn can_attack(game: &GameState, player: Player) -> bool {
    attackers(game, player).next().is_some()
}

fn foes(game: &GameState, player: Player, from: Territory) -> impl Iterator<Item = i32> + Clone {
    let near = game.attack_borders(player, from);
    near.filter(move |&to| game.is_foe(player, to))
        .map(|to| to.number())
}

/// Returns the bounds of these values if there are no gaps between them.
fn bounds(values: impl Iterator<Item = i32> + Clone) -> Bounds {
    match (values.clone().min(), values.clone().max()) {
        (Some(low), Some(high)) if i64::from(high) - i64::from(low) < values.count() as i64 => {
            Bounds::Span { low, high }
        }
        (Some(_), _) => Bounds::Unknown,
        (None, _) => Bounds::NONE,
    }
}

impl PhaseRules for Assault {
    fn fights(&self) -> Option<FightMethod> {
        Some(FightMethod::Dice)
    }

    fn options(&self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        let Asked { game, player, .. } = asked;
        for from in attackers(game, player) {
            let foes = out.among(foes(game, player, from));
            out.offer(self.attack, &[Domain::Is(from.number()), foes]);
        }
        if let Some(pass) = self.pass().filter(|_| !out.is_empty()) {
            out.offer(pass, &[]);
        }
        Ok(())
    }

    fn bounds_of(&self, asked: Asked<'_>, verb: Verb, given: &[i32]) -> RuleResult<Bounds> {
        let Asked { game, player, .. } = asked;
        Ok(match *given {
            [from] if verb == self.attack => match on_board(game, from) {
                Some(from) if game.owns(player, from) && game.armies(from) > 1 => {
                    bounds(foes(game, player, from))
                }
                _ => Bounds::NONE,
            },
            [] if Some(verb) == self.pass() && can_attack(game, player) => Bounds::OFFERED,
            _ => Bounds::NONE,
        })
    }

    fn apply(&self, turn: Turn<'_>, action: LegalAction) -> RuleResult {
        let game = &mut *turn.game;
        game.leave(turn.player);
        if let Some((pass, passes)) = self.passing {
            if action.verb == pass {
                return game.add_counter(passes, None, 1);
            }
            game.set_counter(passes, None, 0)?;
        }
        self.battle.fight(turn, action, self.press_on)
    }
}
