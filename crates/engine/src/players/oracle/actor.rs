//! The players in the games that an oracle imagines.

use std::cell::RefCell;
use std::rc::Rc;

use risk_bots::{FightTable, General, GeneralProfile};
use risk_kernel::action::{Action, Options};
use risk_kernel::fault::{BotFault, RuleFault};
use risk_kernel::id::Player;
use risk_kernel::rng::Stream;
use risk_kernel::state::GameState;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, Rollout, RuleQueries, Rules, StopPoint, StopReason};

/// The maximum number of decisions in an imagined game. The game is evaluated after that number.
const MOST_DECISIONS: u32 = 5_000;

/// An action for the current decision, and the general that continues.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) action: Action,
    pub(super) mind: General,
}

/// The next turn to play: its player, and the candidate that the player follows.
type AssignedTurn = Rc<RefCell<Option<(Player, Candidate)>>>;

pub(super) struct TurnRollout {
    rollout: Rollout,
    part: AssignedTurn,
}

impl TurnRollout {
    pub(super) fn new(players: usize, chances: &Rc<FightTable>) -> Self {
        let part = AssignedTurn::default();
        let actor = |_| -> Box<dyn Bot> { Box::new(Actor::new(&part, chances)) };
        Self {
            rollout: Rollout::new((0..players).map(actor).collect()),
            part,
        }
    }

    pub(super) fn cast(&self, me: Player, candidate: &Candidate) {
        *self.part.borrow_mut() = Some((me, candidate.clone()));
    }

    /// Plays a game up to this turn, and returns its state at that point.
    pub(super) fn play(
        &mut self,
        game: GameState,
        seed: u64,
        rules: &mut dyn Rules,
        turn: u32,
    ) -> Result<GameState, RuleFault> {
        let left = std::cell::Cell::new(MOST_DECISIONS);
        let halts = || {
            left.set(left.get().saturating_sub(1));
            left.get() == 0
        };
        let until = StopPoint::turn(turn);
        let finished = self.rollout.play(game, seed, rules, until, &halts);
        match finished.outcome {
            Ok(_) | Err(StopReason::Halted) => Ok(finished.game),
            Err(StopReason::Rules(fault)) => Err(fault),
        }
    }
}

/// Plays the rest of one turn according to the candidate, and everything else quickly.
struct Actor {
    part: AssignedTurn,
    quick: General,
    turn: u32,
    mind: Option<General>,
    first: Option<Action>,
}

impl Actor {
    fn new(part: &AssignedTurn, chances: &Rc<FightTable>) -> Self {
        Self {
            part: Rc::clone(part),
            quick: General::with(GeneralProfile::QUICK, chances),
            turn: 0,
            mind: None,
            first: None,
        }
    }

    fn mind(&mut self, view: &View) -> &mut General {
        match &mut self.mind {
            Some(mind) if view.turn() == self.turn => mind,
            _ => &mut self.quick,
        }
    }
}

impl Bot for Actor {
    fn start(&mut self, view: &View, rng: Stream) {
        self.turn = view.turn();
        self.quick.start(view, rng);
        let part = self.part.borrow();
        let own = part.as_ref().filter(|(of, _)| *of == view.me());
        self.mind = own.map(|(_, candidate)| candidate.mind.clone());
        self.first = own.map(|(_, candidate)| candidate.action);
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        if let Some(action) = self.first.take()
            && options.admit(action).is_ok()
        {
            return Ok(Answer::One(action));
        }
        self.mind(view).answer(view, options)
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        if self.first.is_some() {
            return None;
        }
        self.mind(view).try_next(view, rules)
    }
}
