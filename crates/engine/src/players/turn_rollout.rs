//! Plans of a turn, played out in imagined games.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use risk_kernel::action::{Action, Options};
use risk_kernel::event::Status;
use risk_kernel::fault::{BotFault, RuleResult};
use risk_kernel::id::Player;
use risk_kernel::rng::Stream;
use risk_kernel::state::GameState;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, Rollout, RuleQueries, Rules, StopPoint, StopReason};

/// The maximum number of decisions in an imagined game. The game is evaluated after that number.
const MOST_DECISIONS: u32 = 5_000;

/// A plan to play out: its player, and the bot that follows the plan.
pub(super) struct AssignedPlan {
    pub(super) player: Player,
    pub(super) bot: Box<dyn Bot>,
}

/// An imagined game, and the seed of the policy's decisions in it.
#[derive(Clone)]
pub(super) struct World {
    pub(super) game: GameState,
    pub(super) seed: u64,
}

/// Imagined games in which one player follows a plan until the end of the turn. The same quick
/// policy makes all other decisions.
pub(super) struct TurnRollout {
    rollout: Rollout,
    next: Rc<RefCell<Option<AssignedPlan>>>,
}

impl TurnRollout {
    /// Creates rollouts with a policy for each seat.
    pub(super) fn new<P: Bot + 'static>(players: usize, policy: impl Fn() -> P) -> Self {
        let next = Rc::default();
        let actor = |_| -> Box<dyn Bot> {
            Box::new(Actor {
                next: Rc::clone(&next),
                policy: policy(),
                turn: 0,
                plan: None,
            })
        };
        Self {
            rollout: Rollout::new((0..players).map(actor).collect()),
            next,
        }
    }

    /// Plays a game up to this turn, or until `halts` returns true at a decision. The plan is
    /// followed until the end of the current turn. Returns the state at that point.
    pub(super) fn play(
        &mut self,
        plan: AssignedPlan,
        world: World,
        rules: &mut dyn Rules,
        turn: u32,
        halts: &dyn Fn() -> bool,
    ) -> RuleResult<GameState> {
        *self.next.borrow_mut() = Some(plan);
        let decisions = Cell::new(0);
        let halts = || {
            decisions.set(decisions.get() + 1);
            decisions.get() >= MOST_DECISIONS || halts()
        };
        let until = StopPoint::turn(turn);
        let finished = self
            .rollout
            .play(world.game, world.seed, rules, until, &halts);
        match finished.outcome {
            Ok(_) | Err(StopReason::Halted) => Ok(finished.game),
            Err(StopReason::Rules(fault)) => Err(fault),
        }
    }
}

/// Returns the number of players who still play.
pub(super) fn still_playing(view: &View) -> u32 {
    let seats = (0..view.players()).map(Player::from_index);
    let playing = seats.filter(|&player| view.status(player) == Status::Playing);
    playing.count() as u32
}

/// Plays the rest of one turn according to the plan, and everything else by the policy.
struct Actor<P> {
    next: Rc<RefCell<Option<AssignedPlan>>>,
    policy: P,
    turn: u32,
    plan: Option<Box<dyn Bot>>,
}

impl<P: Bot> Actor<P> {
    fn bot(&mut self, view: &View) -> &mut dyn Bot {
        match &mut self.plan {
            Some(plan) if view.turn() == self.turn => plan,
            _ => &mut self.policy,
        }
    }
}

impl<P: Bot> Bot for Actor<P> {
    fn start(&mut self, view: &View, rng: Stream) {
        self.turn = view.turn();
        self.policy.start(view, rng);
        let mut next = self.next.borrow_mut();
        let own = next.take_if(|plan| plan.player == view.me());
        self.plan = own.map(|plan| plan.bot);
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        self.bot(view).answer(view, options)
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        self.bot(view).try_next(view, rules)
    }
}
