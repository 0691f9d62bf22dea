//! What the kernel wants of the rules of a game.

use super::action::{Action, Bounds, Legal, Options};
use super::fault::RuleFault;
use super::id::{Player, Verb};
use super::rng::Stream;
use super::state::{Frame, GameState};
use super::view::Facts;

/// The rules of a game, bound to a map: what each phase does when it opens, what it offers, and
/// what an answer changes.
pub trait Rules {
    /// Sets the game up and opens its first frames.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible.
    fn setup(&mut self, game: &mut GameState) -> Result<(), RuleFault>;

    /// A frame comes to the top for the first time.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn enter(&mut self, game: &mut GameState, frame: &Frame) -> Result<(), RuleFault>;

    /// What a player may do in a frame. Offering nothing takes the player out of it.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn options(
        &mut self,
        game: &Facts,
        frame: &Frame,
        player: Player,
        out: &mut Options,
    ) -> Result<(), RuleFault>;

    /// What the last parameter of a verb may be in a frame, given those before it: a short way
    /// to know whether an action is offered without writing all options down. It must agree
    /// with the options.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn bounds_of(
        &mut self,
        game: &Facts,
        frame: &Frame,
        player: Player,
        verb: Verb,
        given: &[i32],
    ) -> Result<Bounds, RuleFault> {
        let _ = (game, frame, player, verb, given);
        Ok(Bounds::Unknown)
    }

    /// The verbs of all that is offered in a frame, where that is known without a look at the
    /// options: what is offered of each may hang on the game, and attacks, moves and places for
    /// armies stand in the order of the map. Empty elsewhere.
    fn verbs(&self, frame: &Frame) -> &[Verb] {
        let _ = frame;
        &[]
    }

    /// Draws one of a player's options in a frame, each as likely as every other, without writing
    /// all of them down. `None` where that is not possible, or no quicker: what was drawn from the
    /// stream until then says nothing.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn draw(
        &mut self,
        game: &Facts,
        frame: &Frame,
        player: Player,
        rng: &mut Stream,
    ) -> Result<Option<Action>, RuleFault> {
        let _ = (game, frame, player, rng);
        Ok(None)
    }

    /// The whole actions that a player may choose from in a frame, as lists of steps up to the
    /// first die, where the game counts those as its actions. Asked for bots that want them alone.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn plans(
        &mut self,
        game: &Facts,
        frame: &Frame,
        player: Player,
        out: &mut Options,
    ) -> Result<(), RuleFault> {
        let _ = (game, frame, player, out);
        Ok(())
    }

    /// Does what a player answered. In a frame with several players it may change only what is the
    /// answering player's own and no other player's options depend on.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn apply(
        &mut self,
        game: &mut GameState,
        frame: &Frame,
        player: Player,
        action: Legal,
    ) -> Result<(), RuleFault>;

    /// A player has lost the last territory, to `by` if somebody took it. Called after the hook
    /// that did it, after the player is out where the ruleset says that such a player is.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn fallen(
        &mut self,
        game: &mut GameState,
        player: Player,
        by: Option<Player>,
    ) -> Result<(), RuleFault> {
        let _ = (game, player, by);
        Ok(())
    }

    /// A player has become neutral or has forfeited.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn neutralised(&mut self, game: &mut GameState, player: Player) -> Result<(), RuleFault> {
        let _ = (game, player);
        Ok(())
    }

    /// A player's strikes are used up and the ruleset declared that it decides what happens.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn fault_out(&mut self, game: &mut GameState, player: Player) -> Result<(), RuleFault> {
        let _ = player;
        let _ = game;
        Err(RuleFault::new(
            "the ruleset declares that its hook handles faults, and has no such hook",
        ))
    }

    /// Makes up what `player` does not see beside cards, in a game that one is imagining: land and
    /// units in fog, counters, stored orders; all of them are absent before. Chance comes from the
    /// game's own streams. False where the rules have no way to do that.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn imagine(&mut self, game: &mut GameState, player: Player) -> Result<bool, RuleFault> {
        let _ = (game, player);
        Ok(false)
    }

    /// A player's score, for the ranking.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn score(&mut self, game: &Facts, player: Player) -> Result<i64, RuleFault> {
        Ok(i64::from(game.territory_count(player)))
    }
}
