//! The interface between the kernel and the rules of a game.

use std::rc::Rc;

use super::action::{Action, Bounds, LegalAction, Options};
use super::card_groups::CardGroups;
use super::fault::{RuleFault, RuleResult};
use super::id::{Player, Verb};
use super::rng::Stream;
use super::state::{Frame, GameState};
use super::view::Facts;

/// A question to a player.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The game.
    pub game: &'a Facts,
    /// The frame in which the player decides.
    pub frame: &'a Frame,
    /// The player.
    pub player: Player,
}

impl<'a> Asked<'a> {
    /// Creates a question.
    #[must_use]
    pub const fn new(game: &'a Facts, frame: &'a Frame, player: Player) -> Self {
        Self {
            game,
            frame,
            player,
        }
    }
}

/// The rules of a game, bound to a map: how each phase opens, which options it offers, and how it
/// applies an answer. Unless a method says otherwise, it returns an error if the ruleset requests
/// something impossible or its script fails.
pub trait Rules {
    /// Sets the game up and opens its first frames.
    ///
    /// # Errors
    /// Returns an error if the ruleset requests something impossible.
    fn setup(&mut self, game: &mut GameState) -> RuleResult;

    /// Runs when a frame comes to the top of the stack for the first time.
    fn enter(&mut self, game: &mut GameState, frame: &Frame) -> RuleResult;

    /// Adds a player's options in a frame to `out`. A player without options leaves the frame.
    fn options(&mut self, asked: Asked<'_>, out: &mut Options) -> RuleResult;

    /// Returns the bounds of a verb's last parameter in a frame, given the parameters before it.
    /// This is a quick check of an action without computing all options. The bounds must agree with
    /// [`Rules::options`].
    fn bounds_of(&mut self, asked: Asked<'_>, verb: Verb, given: &[i32]) -> RuleResult<Bounds> {
        let _ = (asked, verb, given);
        Ok(Bounds::Unknown)
    }

    /// Returns the verbs that a frame may offer if they are known without computing the options;
    /// empty if they are not known. The state of the game may determine which actions of a verb are
    /// offered. Attacks, moves and territories for deployment are offered in map order.
    fn verbs(&self, frame: &Frame) -> &[Verb] {
        let _ = frame;
        &[]
    }

    /// Draws one of a player's options in a frame, each with equal probability, without computing
    /// all options. Returns `None` if that is impossible or no faster. The stream may have advanced
    /// even if the result is `None`.
    fn draw(&mut self, asked: Asked<'_>, rng: &mut Stream) -> RuleResult<Option<Action>> {
        let _ = (asked, rng);
        Ok(None)
    }

    /// Adds a player's complete actions in a frame to `out`, as lists of steps up to the first die
    /// roll, if the game defines an action in this way. Called only for bots that choose among
    /// plans.
    fn plans(&mut self, asked: Asked<'_>, out: &mut Options) -> RuleResult {
        let _ = (asked, out);
        Ok(())
    }

    /// Applies a player's answer. In a frame with several players, this may change only state that
    /// belongs to the answering player and does not affect the other players' options.
    fn apply(
        &mut self,
        game: &mut GameState,
        frame: &Frame,
        player: Player,
        action: LegalAction,
    ) -> RuleResult;

    /// Handles a player who has lost their last territory. `by` is the player who took it, or
    /// `None`. Called after the hook that caused the loss, and after the elimination if the ruleset
    /// eliminates such a player.
    fn fallen(&mut self, game: &mut GameState, player: Player, by: Option<Player>) -> RuleResult {
        let _ = (game, player, by);
        Ok(())
    }

    /// Handles a player who has become neutral or has forfeited.
    fn neutralised(&mut self, game: &mut GameState, player: Player) -> RuleResult {
        let _ = (game, player);
        Ok(())
    }

    /// Handles a player whose strikes are used up, if the ruleset declares that its hook does this.
    fn fault_out(&mut self, game: &mut GameState, player: Player) -> RuleResult {
        let _ = player;
        let _ = game;
        Err(RuleFault::new(
            "the ruleset's fault policy is `hook`, but the hook is missing",
        ))
    }

    /// Invents the facts that are hidden from `player`, except cards, in an imagined game: fogged
    /// territories and units, counters and stored orders. All of them are absent before the call.
    /// Randomness comes from the game's own streams. Returns false if the rules can't invent hidden
    /// facts.
    fn imagine(&mut self, game: &mut GameState, player: Player) -> RuleResult<bool> {
        let _ = (game, player);
        Ok(false)
    }

    /// Returns the groups of the kinds of cards. Rules may remember them: they are the same in all
    /// games of these rules with this number of players.
    ///
    /// # Errors
    /// Returns an error if the set-up fails.
    fn card_groups(&mut self, game: &GameState) -> RuleResult<Rc<CardGroups>> {
        CardGroups::after_setup(game, |start| self.setup(start)).map(Rc::new)
    }

    /// Returns the worth of a position for a player, if the ruleset evaluates positions: bots that
    /// search prefer positions in which they have a larger share of all players' worth. `None`
    /// without such an evaluation.
    ///
    /// # Errors
    /// Returns an error if the ruleset's script fails.
    fn worth(&mut self, game: &Facts, player: Player) -> RuleResult<Option<i64>> {
        let _ = (game, player);
        Ok(None)
    }

    /// Returns a player's score for the ranking.
    fn score(&mut self, game: &Facts, player: Player) -> RuleResult<i64> {
        Ok(i64::from(game.territory_count(player)))
    }
}
