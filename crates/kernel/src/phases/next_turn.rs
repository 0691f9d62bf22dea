//! `standard("next_turn")`: ends the turn and begins the next player's turn. If the phase is opened
//! for no player, it begins the first player's turn.
//!
//! With `card: true`, a player who captured a territory in this turn (the counter `conquered`)
//! first draws a card from the deck. With `recycle: true`, the shuffled discards replace an empty
//! deck.
//!
//! With `exhausted: true`, the hook `on_exhausted` runs before the turn begins if no active player
//! can attack, if no other player is left, or if all players who can attack have passed in a row
//! (the counter `passes`). Unless the hook ends the game, the turn begins anyway.

use super::assault::can_attack;
use super::{BindError, Hooks, PhaseBinder, PhaseRules};
use crate::fault::RuleResult;
use crate::id::{Counter, Pile, Player};
use crate::state::{Frame, GameState};

pub(super) struct NextTurn {
    conquered: Option<Counter>,
    cards: Option<Cards>,
    recycle: bool,
    exhausted: Option<ExhaustionRule>,
}

struct ExhaustionRule {
    passes: Option<Counter>,
}

impl ExhaustionRule {
    fn has_come(&self, game: &GameState) -> bool {
        let playing = game.playing();
        let able = playing.iter().filter(|&player| can_attack(game, player));
        let able = able.count() as i64;
        let passes = self.passes.map_or(0, |passes| game.counter(passes, None));
        playing.len() < 2 || able == 0 || passes >= able
    }
}

struct Cards {
    deck: Pile,
    hand: Pile,
    discard: Pile,
}

impl NextTurn {
    pub(super) fn bind(bind: &mut PhaseBinder<'_>) -> Result<Self, BindError> {
        let card = bind.flag("card", false)?;
        let exhausted = bind.flag("exhausted", false)?;
        Ok(Self {
            recycle: bind.flag("recycle", false)?,
            exhausted: exhausted.then(|| ExhaustionRule {
                passes: bind.counter_if_any("passes"),
            }),
            conquered: if card {
                Some(bind.counter("conquered")?)
            } else {
                bind.counter_if_any("conquered")
            },
            cards: if card {
                Some(Cards {
                    deck: bind.pile("deck", "nobody")?,
                    hand: bind.pile("hand", "owner")?,
                    discard: bind.pile("discard", "all")?,
                })
            } else {
                None
            },
        })
    }

    fn draw(&self, game: &mut GameState, player: Player) -> RuleResult {
        let Some(Cards {
            deck,
            hand,
            discard,
        }) = &self.cards
        else {
            return Ok(());
        };
        if self.recycle
            && game.pile(*deck, None).is_empty()
            && !game.pile(*discard, None).is_empty()
        {
            while game.draw((*discard, None), (*deck, None))?.is_some() {}
            game.shuffle(*deck, None);
        }
        game.draw((*deck, None), (*hand, Some(player))).map(drop)
    }
}

impl PhaseRules for NextTurn {
    fn asks(&self) -> bool {
        false
    }

    fn enter(&self, game: &mut GameState, frame: &Frame, hooks: &mut dyn Hooks) -> RuleResult {
        if self
            .exhausted
            .as_ref()
            .is_some_and(|end| end.has_come(game))
        {
            hooks.on_exhausted(game)?;
        }
        let Some(player) = frame.opened_for else {
            return game.next_turn(None);
        };
        if let Some(conquered) = self.conquered {
            if game.playing().has(player) && game.counter(conquered, Some(player)) > 0 {
                self.draw(game, player)?;
            }
            game.set_counter(conquered, Some(player), 0)?;
        }
        game.next_turn(Some(player))
    }
}
