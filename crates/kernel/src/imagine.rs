//! Imagined games, which keep everything that a player sees and deal hidden cards at random.

mod guess;

pub use guess::HiddenFacts;

use super::fault::RuleResult;
use super::id::{Card, Pile, Player};
use super::mutators::fault;
use super::rng::GameKey;
use super::rules::Rules;
use super::state::GameState;
use super::stepper::{Stepper, StepperSettings};
use super::view::{View, may_see};

impl View {
    /// Creates a game that fits this view, before the same decision. Everything that the player
    /// sees stays the same. Hidden cards are dealt at random, each with equal probability. The
    /// random streams of dice and decks are new. [`Rules::imagine`] adds other hidden facts: fogged
    /// territories and units, counters and stored orders. Without it they are guessed: fog hides
    /// what the player sees elsewhere, others have as much of a hidden counter as the player, marks
    /// are 0, and the players who are done in a secret phase are asked again. Cards are then dealt
    /// to piles with cards of the same [group](super::CardGroups).
    ///
    /// The game depends only on the view and on `seed`. Equal views and equal seeds produce equal
    /// games, regardless of hidden facts.
    ///
    /// # Errors
    /// Returns an error if the ruleset fails.
    pub fn imagine(&self, rules: &mut dyn Rules, seed: u64) -> RuleResult<GameState> {
        self.imagine_with(rules, seed, |rules, game| self.guess(rules, game))
    }

    /// Creates a game that fits this view as [`View::imagine`] does, even if the ruleset can't
    /// imagine the hidden facts. These facts are then absent, so the game is good only for the
    /// player's own answers in the current phase.
    ///
    /// # Errors
    /// Returns an error if the ruleset fails.
    pub fn imagine_visible(&self, rules: &mut dyn Rules, seed: u64) -> RuleResult<GameState> {
        self.imagine_with(rules, seed, |_, _| Ok(()))
    }

    fn imagine_with(
        &self,
        rules: &mut dyn Rules,
        seed: u64,
        without_hook: impl FnOnce(&mut dyn Rules, &mut GameState) -> RuleResult,
    ) -> RuleResult<GameState> {
        let player = self.me();
        let mut game = self.seen_game(GameKey::of_numbers(seed, 0));
        game.deal_hidden(player);
        let imagined = rules.imagine(&mut game, player)?;
        let changed = !game.pending.is_empty() || game.ending.is_some();
        if changed || game.stack != self.frames() {
            return Err(fault("`imagine(g, me)` can't open phases or end the game"));
        }
        if !imagined {
            without_hook(rules, &mut game)?;
        }
        game.dealt.clear();
        game.fallen.clear();
        game.events.clear();
        game.event_count = 0;
        Ok(game)
    }

    /// Imagines a game as [`View::imagine`] does. Returns a stepper for the game.
    ///
    /// # Errors
    /// Returns the same errors as [`View::imagine`].
    pub fn imagine_stepper(
        &self,
        rules: &mut dyn Rules,
        seed: u64,
        settings: StepperSettings,
    ) -> RuleResult<Stepper> {
        let game = self.imagine(rules, seed)?;
        Stepper::new(game, rules, settings)
    }
}

impl Stepper {
    /// Imagines the game from one player's view, with the same settings and before the same
    /// decision: see [`View::imagine`].
    ///
    /// # Errors
    /// Returns the same errors as [`View::imagine`].
    pub fn imagine(&self, rules: &mut dyn Rules, player: Player, seed: u64) -> RuleResult<Self> {
        self.view(player)
            .imagine_stepper(rules, seed, self.settings())
    }
}

impl GameState {
    /// Deals the cards that are hidden from a player to the piles that are hidden from the player.
    /// Each pile keeps its size.
    fn deal_hidden(&mut self, player: Player) {
        let holders = 0..self.piles.len();
        let hidden: Vec<bool> = holders
            .map(|holder| !self.sees_pile_at(holder, player))
            .collect();
        let mut rest = self.unseen_cards(&hidden);
        self.decks.shuffle(&mut rest);
        if !hidden.contains(&true) {
            return;
        }
        let piles = std::sync::Arc::make_mut(&mut self.piles).iter_mut();
        for (pile, _) in piles.zip(hidden).filter(|(_, is_hidden)| *is_hidden) {
            let left = rest.len().saturating_sub(pile.len());
            pile.clear();
            pile.extend(rest.drain(left..));
        }
    }

    fn sees_pile_at(&self, holder: usize, player: Player) -> bool {
        let pile = holder / (self.players + 1);
        let seat = holder % (self.players + 1);
        let of = (seat < self.players).then(|| Player::from_index(seat));
        may_see(self.decl.piles[pile].seen, of, player)
    }

    /// Returns the cards that are on no pile except the hidden piles, in order.
    fn unseen_cards(&self, hidden: &[bool]) -> Vec<Card> {
        let mut seen = vec![false; self.decl.cards.len()];
        let piles = self.piles.iter().zip(hidden);
        for (pile, _) in piles.filter(|(_, is_hidden)| !**is_hidden) {
            pile.iter().for_each(|card| seen[card.index()] = true);
        }
        let mut unseen = Vec::with_capacity(seen.len());
        let all = (0..self.decl.cards.len()).map(Card::from_index);
        unseen.extend(all.filter(|card| !seen[card.index()]));
        unseen
    }

    /// Deals random cards from `among` to a pile that is hidden from `player`, while a game is
    /// imagined. Other cards in the pile are exchanged for cards from `among` that are on no pile
    /// or on another pile hidden from `player`. Piles that this function has already dealt keep
    /// their cards. A pile that `player` can see stays unchanged.
    ///
    /// # Errors
    /// Returns an error if the pile needs more cards than are available: cards from `among` that
    /// are hidden from `player` and not already dealt.
    pub fn deal_among(
        &mut self,
        player: Player,
        pile: Pile,
        of: Option<Player>,
        among: &[Card],
    ) -> RuleResult {
        let target = self.holder(pile.index(), of);
        if self.sees_pile_at(target, player) {
            return Ok(());
        }
        self.dealt.push(target);
        let mut named = vec![false; self.decl.cards.len()];
        for card in among {
            if let Some(named) = named.get_mut(card.index()) {
                *named = true;
            }
        }
        let fits = |card: Card| named[card.index()];
        let wrong: Vec<usize> = (0..self.piles[target].len())
            .filter(|&depth| !fits(self.piles[target][depth]))
            .collect();
        let mut others = self.hidden_places(player, &fits);
        if others.len() < wrong.len() {
            let name = &self.decl.piles[pile.index()].name;
            return Err(fault(format!(
                "too few of the given cards are hidden: the pile {name} needs {}, found {}",
                wrong.len(),
                others.len()
            )));
        }
        self.decks.shuffle(&mut others);
        if wrong.is_empty() {
            return Ok(());
        }
        let piles = std::sync::Arc::make_mut(&mut self.piles);
        for (depth, (card, place)) in wrong.into_iter().zip(others) {
            let was = std::mem::replace(&mut piles[target][depth], card);
            if let Some((holder, depth)) = place {
                piles[holder][depth] = was;
            }
        }
        Ok(())
    }

    /// Returns the cards that fit, are hidden from `player`, and are not on piles already dealt.
    /// Each card comes with its pile and depth, or with `None` if it is on no pile.
    fn hidden_places(
        &self,
        player: Player,
        fits: &impl Fn(Card) -> bool,
    ) -> Vec<(Card, Option<(usize, usize)>)> {
        let mut placed = vec![false; self.decl.cards.len()];
        let mut found = Vec::with_capacity(placed.len());
        for (holder, pile) in self.piles.iter().enumerate() {
            let elsewhere = !self.dealt.contains(&holder) && !self.sees_pile_at(holder, player);
            for (depth, &card) in pile.iter().enumerate() {
                placed[card.index()] = true;
                if elsewhere && fits(card) {
                    found.push((card, Some((holder, depth))));
                }
            }
        }
        let all = (0..self.decl.cards.len()).map(Card::from_index);
        let nowhere = all.filter(|card| !placed[card.index()] && fits(*card));
        found.extend(nowhere.map(|card| (card, None)));
        found
    }
}
