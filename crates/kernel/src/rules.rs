//! The interface between the kernel and the rules of a game.

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

    /// Runs when a frame comes to the top of the stack for the first time.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn enter(&mut self, game: &mut GameState, frame: &Frame) -> Result<(), RuleFault>;

    /// Adds a player's options in a frame to `out`. A player without options leaves the frame.
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

    /// Returns the bounds of a verb's last parameter in a frame, given the parameters before it: a
    /// quick check of an action without computing all options. Must agree with [`Rules::options`].
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

    /// Returns the verbs that a frame may offer, if they are known without computing the options.
    /// Which actions of a verb are offered may depend on the game; attacks, moves and territories
    /// to deploy to are offered in map order. Empty if the verbs are not known.
    fn verbs(&self, frame: &Frame) -> &[Verb] {
        let _ = frame;
        &[]
    }

    /// Draws one of a player's options in a frame, each with equal probability, without computing
    /// all of them. Returns `None` where that is impossible or no quicker; the stream may have
    /// advanced by then.
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

    /// Adds the complete actions of a player in a frame to `out`, as lists of steps up to the first
    /// die, where the game counts those as its actions. Called only for bots that choose among
    /// plans.
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

    /// Applies a player's answer. In a frame with several players it may change only what belongs
    /// to the answering player and what no other player's options depend on.
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

    /// Handles a player who has lost the last territory, to `by` if another player took it. Called
    /// after the hook that caused the loss, and after the player is eliminated where the ruleset
    /// eliminates such a player.
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

    /// Handles a player who has become neutral or has forfeited.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn neutralised(&mut self, game: &mut GameState, player: Player) -> Result<(), RuleFault> {
        let _ = (game, player);
        Ok(())
    }

    /// Handles a player whose strikes are used up, where the ruleset leaves this to its hook.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn fault_out(&mut self, game: &mut GameState, player: Player) -> Result<(), RuleFault> {
        let _ = player;
        let _ = game;
        Err(RuleFault::new(
            "the ruleset's fault policy is `hook`, but the hook is missing",
        ))
    }

    /// Invents what `player` does not see, apart from cards, in an imagined game: fogged
    /// territories and units, counters and stored orders, all of which are absent before the call.
    /// Randomness comes from the game's own streams. Returns false if the rules can't do this.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn imagine(&mut self, game: &mut GameState, player: Player) -> Result<bool, RuleFault> {
        let _ = (game, player);
        Ok(false)
    }

    /// Returns a player's score for the ranking.
    ///
    /// # Errors
    /// When the ruleset asks for something impossible, or its script fails.
    fn score(&mut self, game: &Facts, player: Player) -> Result<i64, RuleFault> {
        Ok(i64::from(game.territory_count(player)))
    }
}
