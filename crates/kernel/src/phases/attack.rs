//! `standard("attack")`: a player fights one round of dice with each answer, until they end the
//! phase.
//!
//! Dice are rolled and compared as in [`RoundRules`]. After a capture, one army moves in for each
//! attacking die, or `move_in` armies if that parameter is above 0. The phase `occupy` then opens
//! for more armies. With `auto_end: true`, the phase ends automatically when no attack is possible.
//! With `defend: true`, the phase `defend` first asks the owner of the attacked territory for the
//! number of dice. With `always: true`, `defend` and `occupy` ask even if there is only one answer.

use super::defend::Strike;
use super::{Asked, BindError, LARGE, PhaseBinder, PhaseRules, Turn, WAY, at, on_board};
use crate::action::{Action, Bounds, Domain, LegalAction, Options};
use crate::declare::{FightMethod, SlotKind};
use crate::fault::RuleResult;
use crate::id::{self, Player, Territory, Verb};
use crate::rng::Stream;
use crate::state::GameState;

pub(super) struct Attack {
    verbs: [Verb; 2],
    strike: Strike,
    most_dice: i32,
    auto_end: bool,
    /// The phase that asks the defender for the number of dice.
    defend: Option<id::Phase>,
}

impl Attack {
    pub(super) fn bind(bind: &mut PhaseBinder<'_>) -> Result<Self, BindError> {
        let strike = Strike::bind(bind)?;
        let [from, to] = WAY;
        let attack = bind.verb("attack", &[from, to, ("dice", SlotKind::Count)])?;
        Ok(Self {
            most_dice: strike.round.most_dice(),
            verbs: [attack, bind.verb("done", &[])?],
            strike,
            auto_end: bind.flag("auto_end", false)?,
            defend: match bind.flag("defend", false)? {
                true => Some(bind.phase("defend")?),
                false => None,
            },
        })
    }
}

/// The number of random draws to try before computing all options.
const TRIES: usize = 1_024;

impl PhaseRules for Attack {
    fn fights(&self) -> Option<FightMethod> {
        Some(FightMethod::Dice)
    }

    fn options(&self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        let Asked { game, player, .. } = asked;
        let [attack, done] = self.verbs;
        for from in game.owned(player) {
            let armies = game.armies(from);
            if armies < 2 || !game.is_front(from) {
                continue;
            }
            if self.strike.round.is_dice_by_class {
                self.offer_by_class(asked, from, out)?;
                continue;
            }
            let dice = self.strike.round.dice_of_all(armies - 1)?;
            let near = game.attack_borders(player, from);
            let foes = near.filter(|&to| game.is_foe(player, to));
            let foes = out.among(foes.map(|to| to.number()));
            let from = Domain::Is(from.number());
            out.offer(attack, &[from, foes, Domain::up_to(dice)]);
        }
        if !(self.auto_end && out.is_empty()) {
            out.offer(done, &[]);
        }
        Ok(())
    }

    fn bounds_of(&self, asked: Asked<'_>, verb: Verb, given: &[i32]) -> RuleResult<Bounds> {
        let Asked { game, player, .. } = asked;
        let [attack, done] = self.verbs;
        match *given {
            [from, to] if verb == attack => {
                let Some((from, to)) = on_board(game, from).zip(on_board(game, to)) else {
                    return Ok(Bounds::NONE);
                };
                let armies = game.armies(from);
                let legal = game.owns(player, from)
                    && armies > 1
                    && game.is_foe(player, to)
                    && game.can_attack_over(player, from, to);
                if !legal {
                    return Ok(Bounds::NONE);
                }
                self.strike
                    .round
                    .attack_dice(game, from, to)
                    .map(Bounds::up_to)
            }
            [] if verb == done && !self.auto_end => Ok(Bounds::OFFERED),
            _ if verb == attack || verb == done => Ok(Bounds::Unknown),
            _ => Ok(Bounds::NONE),
        }
    }

    fn verbs(&self) -> &[Verb] {
        &self.verbs
    }

    /// Draws a territory, one of its borders and a number of dice until they form a legal attack.
    /// One additional case ends the phase. Returns `None` after too many draws.
    fn draw(&self, asked: Asked<'_>, rng: &mut Stream) -> RuleResult<Option<Action>> {
        let Asked { game, player, .. } = asked;
        let board = game.board();
        let territories = board.len() as u64;
        let dice = self.most_dice as u64;
        let cases = board.most_neighbours() as u64 * dice;
        if board.len() < LARGE || cases == 0 {
            return Ok(None);
        }
        let [attack, done] = self.verbs;
        for _ in 0..TRIES {
            let from = rng.below(territories + 1);
            if from == territories {
                // Only one of the cases for this number ends the phase.
                if rng.below(cases) > 0 {
                    continue;
                }
                let ends = !self.auto_end || self.is_possible(game, player)?;
                return Ok(ends.then(|| Action::new(done, &[])));
            }
            let from = Territory::from_index(from as usize);
            let armies = game.armies(from);
            if !game.owns(player, from) || armies < 2 || !game.is_front(from) {
                continue;
            }
            let case = rng.below(cases);
            let dice_there = 1 + (case % dice) as i32;
            if let Some(to) = game
                .attack_borders(player, from)
                .nth((case / dice) as usize)
                && game.is_foe(player, to)
                && dice_there <= self.strike.round.attack_dice(game, from, to)?
            {
                let args = [from.number(), to.number(), dice_there];
                return Ok(Some(Action::new(attack, &args)));
            }
        }
        Ok(None)
    }

    fn apply(&self, turn: Turn<'_>, action: LegalAction) -> RuleResult {
        let (game, player) = (&mut *turn.game, turn.player);
        if action.verb == self.verbs[1] {
            game.leave(player);
            return Ok(());
        }
        let from = at(action.args()[0]);
        let to = at(action.args()[1]);
        let dice = action.args()[2];
        if let Some(phase) = self.defend
            && (self.strike.always || self.strike.round.defend_dice(game, from, to)? > 1)
            && let Some(defender) = game.owner(to).filter(|&owner| game.playing().has(owner))
        {
            return game.push_for(phase, defender, [from.number(), to.number(), dice]);
        }
        self.strike.roll(turn, player, [from, to], dice, None)
    }
}

impl Attack {
    /// Offers each attack from a territory with its own number of dice.
    fn offer_by_class(&self, asked: Asked<'_>, from: Territory, out: &mut Options) -> RuleResult {
        let Asked { game, player, .. } = asked;
        let near = game.attack_borders(player, from);
        for to in near.filter(|&to| game.is_foe(player, to)) {
            let dice = Domain::up_to(self.strike.round.attack_dice(game, from, to)?);
            let way = [from, to].map(|at| Domain::Is(at.number()));
            out.offer(self.verbs[0], &[way[0], way[1], dice]);
        }
        Ok(())
    }

    fn is_possible(&self, game: &GameState, player: Player) -> RuleResult<bool> {
        for from in game.owned(player) {
            let armies = game.armies(from);
            if armies < 2 || !game.is_front(from) {
                continue;
            }
            let near = game.attack_borders(player, from);
            for to in near.filter(|&to| game.is_foe(player, to)) {
                if self.strike.round.attack_dice(game, from, to)? > 0 {
                    return Ok(true);
                }
                if !self.strike.round.is_dice_by_class {
                    break;
                }
            }
        }
        Ok(false)
    }
}
