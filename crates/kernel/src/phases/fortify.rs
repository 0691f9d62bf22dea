//! `standard("fortify")`: a player makes at most one move between two neighbouring territories of
//! their own. The phase is skipped if no such move is possible. With `anywhere: true`, the player
//! can move armies between any two of their own territories, but the phase is skipped under the
//! same condition. With `through_partners: true`, the two territories need not be neighbours, but
//! they must be connected by territories of the player and of partners. With `always: true`, the
//! phase is not skipped.

use super::{Asked, BindError, LARGE, MOVE, PhaseBinder, PhaseRules, Turn, at, on_board};
use crate::action::{Action, Bounds, Domain, LegalAction, Options};
use crate::fault::RuleResult;
use crate::id::{Player, Territory, Unit, Verb};
use crate::rng::Stream;
use crate::state::GameState;

pub(super) struct Fortify {
    verbs: [Verb; 2],
    anywhere: bool,
    through_partners: bool,
    always: bool,
}

impl Fortify {
    pub(super) fn bind(bind: &mut PhaseBinder<'_>) -> Result<Self, BindError> {
        Ok(Self {
            verbs: [bind.verb("move", &MOVE)?, bind.verb("done", &[])?],
            anywhere: bind.flag("anywhere", false)?,
            through_partners: bind.flag("through_partners", false)?,
            always: bind.flag("always", false)?,
        })
    }

    /// Reports whether a move is possible, including moves through territories of partners.
    fn is_possible(&self, game: &GameState, player: Player) -> bool {
        game.owned(player).any(|from| {
            let leads = || game.own_near(from) > 0 || !self.joined(game, player, from).is_empty();
            game.armies(from) > 1 && leads()
        })
    }

    /// Returns the player's territories that are connected to `from` if `through_partners` is set.
    fn joined(&self, game: &GameState, player: Player, from: Territory) -> Vec<Territory> {
        if !self.through_partners {
            return Vec::new();
        }
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            let near = game.move_borders(player, at);
            let open = near.filter(|&to| game.owner(to).is_some() && !game.is_foe(player, to));
            for to in open {
                if !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        reached.retain(|&to| to != from && game.owns(player, to));
        reached.sort_unstable();
        reached
    }
}

impl PhaseRules for Fortify {
    fn options(&self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        let Asked { game, player, .. } = asked;
        let near = |from| {
            game.move_borders(player, from)
                .filter(|&to| game.owns(player, to))
        };
        let [to_move, done] = self.verbs;
        let is_skipped = self.anywhere && !self.is_possible(game, player);
        for from in game.owned(player).filter(|_| !is_skipped) {
            let most = game.armies(from) - 1;
            if most < 1 {
                continue;
            }
            let own = if self.anywhere {
                out.among(
                    game.owned(player)
                        .filter(|&to| to != from)
                        .map(Territory::number),
                )
            } else if self.through_partners {
                out.among(
                    self.joined(game, player, from)
                        .into_iter()
                        .map(Territory::number),
                )
            } else {
                out.among(near(from).map(Territory::number))
            };
            out.offer(
                to_move,
                &[Domain::Is(from.number()), own, Domain::up_to(most)],
            );
        }
        if self.always || !out.is_empty() {
            out.offer(done, &[]);
        }
        Ok(())
    }

    fn bounds_of(&self, asked: Asked<'_>, verb: Verb, given: &[i32]) -> RuleResult<Bounds> {
        let Asked { game, player, .. } = asked;
        let [to_move, done] = self.verbs;
        Ok(match *given {
            [from, to] if verb == to_move => {
                let Some((from, to)) = on_board(game, from).zip(on_board(game, to)) else {
                    return Ok(Bounds::NONE);
                };
                let joined = if self.anywhere {
                    from != to && self.is_possible(game, player)
                } else if self.through_partners && game.owns(player, from) {
                    self.joined(game, player, from).contains(&to)
                } else {
                    game.can_move_over(player, from, to)
                };
                if !(joined && game.owns(player, from) && game.owns(player, to)) {
                    return Ok(Bounds::NONE);
                }
                Bounds::up_to(game.armies(from) - 1)
            }
            [] if verb == done && (self.always || self.is_possible(game, player)) => {
                Bounds::OFFERED
            }
            _ => Bounds::NONE,
        })
    }

    fn verbs(&self) -> &[Verb] {
        &self.verbs
    }

    fn draw(&self, asked: Asked<'_>, rng: &mut Stream) -> RuleResult<Option<Action>> {
        let Asked { game, player, .. } = asked;
        if self.anywhere || self.through_partners || game.board().len() < LARGE {
            return Ok(None);
        }
        let moves = |from: Territory| {
            let most = (game.armies(from) - 1).max(0) as u64;
            most * game.own_near(from) as u64
        };
        let all: u64 = game.owned(player).map(moves).sum();
        if all == 0 {
            return Ok(None);
        }
        let mut case = rng.below(all + 1);
        for from in game.owned(player) {
            if case < moves(from) {
                let most = (game.armies(from) - 1) as u64;
                let near = game.move_borders(player, from);
                let mut own = near.filter(|&to| game.owns(player, to));
                let to = own.nth((case / most) as usize);
                let armies = 1 + (case % most) as i32;
                let args = |to: Territory| [from.number(), to.number(), armies];
                return Ok(to.map(|to| Action::new(self.verbs[0], &args(to))));
            }
            case -= moves(from);
        }
        Ok(Some(Action::new(self.verbs[1], &[])))
    }

    fn apply(&self, turn: Turn<'_>, action: LegalAction) -> RuleResult {
        let Turn { game, player, .. } = turn;
        if action.verb != self.verbs[1] {
            let [from, to, armies] = [action.args()[0], action.args()[1], action.args()[2]];
            game.move_units(at(from), at(to), Unit::FIRST, armies)?;
        }
        game.leave(player);
        Ok(())
    }
}
