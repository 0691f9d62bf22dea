//! Imagined games of a bot: `view.imagine()`.

mod context;
mod plan_search;
mod search;

use std::cell::RefCell;
use std::rc::Rc;

use rhai::{Array, Dynamic, EvalAltResult, FnPtr, INT, NativeCallContext};

use super::{
    ActionValue, AskValue, NativeResult, ReturnedValue, ScriptView, array, fail, find_player, int,
};
use crate::script::meter;
use crate::script::sizes::sizes_of_bots;
use context::step_work;
pub(crate) use context::{ImaginationContext, Policies};
pub(crate) use plan_search::{FoundPlan, OwnWorth, PlanSearch, SearchLimits};
use rhai_guard::Natives;
use risk_bots::{NextAnswer, Plan};
use risk_kernel::StopPoint;
use risk_kernel::action::{Action, Options};
use risk_kernel::id::Player;
use risk_kernel::stepper::{Decision, StepError, Stepper};

/// A game that a bot imagines. Assigning it to another variable of a script refers to the same
/// game; `copy()` creates an independent game.
#[derive(Clone)]
pub(crate) struct ImaginedGame {
    game: Rc<RefCell<Stepper>>,
    /// The player who imagines the game.
    me: Player,
    room: Rc<ImaginationContext>,
}

impl ImaginedGame {
    fn new(of: &ScriptView) -> NativeResult<Self> {
        let Some(room) = &of.room else {
            return fail("a bot can imagine a game only in a function that returns an answer");
        };
        if of.view.frame().is_none() {
            return fail("a bot can imagine a game only while a player must decide");
        }
        room.check_free()?;
        meter::afford(4 * step_work(of.view.board()))?;
        let seed = room.rng.borrow_mut().word();
        let settings = room.settings(&of.view);
        let game = room.rules(|rules| of.view.imagine_stepper(rules, seed, settings))?;
        meter::check()?;
        Ok(Self {
            game: Rc::new(RefCell::new(game)),
            me: of.view.me(),
            room: Rc::clone(room),
        })
    }

    fn copy(&self) -> NativeResult<Self> {
        let game = self.game.borrow();
        meter::afford(step_work(game.game().board()))?;
        let copy = Self {
            game: Rc::new(RefCell::new(game.clone())),
            me: self.me,
            room: Rc::clone(&self.room),
        };
        meter::check()?;
        Ok(copy)
    }

    /// Calls `look` with the current decision of the player who imagines the game, or with the
    /// first pending decision if that player has none.
    fn with_decision<T>(&self, look: impl FnOnce(&Decision) -> T) -> Option<T> {
        let game = self.game.borrow();
        let mut all = game.decisions().iter();
        let own = all.find(|decision| decision.player == self.me);
        own.or_else(|| game.decisions().first()).map(look)
    }

    fn mover(&self) -> Option<Player> {
        self.with_decision(|decision| decision.player)
    }

    fn options(&self) -> NativeResult<Options> {
        let options = self.with_decision(|decision| {
            meter::afford(decision.options.weight() as u64)?;
            Ok(decision.options.clone())
        });
        options.unwrap_or_else(|| fail("the imagined game is over"))
    }

    fn view(&self, of: Player) -> ScriptView {
        ScriptView {
            view: self.game.borrow().view(of),
            rng: Some(Rc::clone(&self.room.rng)),
            chances: Rc::clone(&self.room.chances),
            room: Some(Rc::clone(&self.room)),
        }
    }

    fn ask(&self) -> NativeResult<AskValue> {
        let seen = self.view(self.mover().unwrap_or(self.me));
        Ok(AskValue::new(Rc::new(self.options()?), seen))
    }

    fn step(&self, of: Player, action: Action) -> NativeResult<()> {
        let mut game = self.game.borrow_mut();
        meter::afford(step_work(game.game().board()))?;
        let refused = self
            .room
            .rules(|rules| match game.apply(rules, of, action) {
                Ok(_) => Ok(None),
                Err(StepError::Refused(text)) => Ok(Some(text)),
                Err(StepError::Rules(fault)) => Err(fault),
            })?;
        match refused {
            Some(text) => fail(text),
            None => meter::check(),
        }
    }

    /// Applies an answer of the player. Its first action must be legal. The following actions are
    /// applied until one of them is not legal.
    fn answer(&self, of: Player, said: &Dynamic) -> NativeResult<()> {
        let steps = match ReturnedValue::of(said) {
            Some(ReturnedValue::Action(action)) => vec![action],
            Some(ReturnedValue::Plan(plan)) => return self.follow(of, plan),
            Some(ReturnedValue::Steps(Some(steps))) if !steps.is_empty() => steps,
            _ => {
                return fail(format!(
                    "expected an action, an array of actions or a plan, found {}",
                    super::kind(said)
                ));
            }
        };
        for (number, &step) in steps.iter().enumerate() {
            if number > 0 && !self.admits(of, step) {
                break;
            }
            self.step(of, step)?;
        }
        Ok(())
    }

    fn admits(&self, of: Player, action: Action) -> bool {
        let game = self.game.borrow();
        let mut all = game.decisions().iter();
        all.any(|decision| decision.player == of && decision.options.admit(action).is_ok())
    }

    fn follow(&self, of: Player, mut plan: Plan) -> NativeResult<()> {
        let mut begun = false;
        loop {
            let next = {
                let game = self.game.borrow();
                let mut all = game.decisions().iter();
                let decision = all.find(|decision| decision.player == of);
                let Some(options) = decision.map(|decision| &decision.options) else {
                    return Ok(());
                };
                meter::afford(options.weight() as u64)?;
                plan.next(&game.view(of), &mut &*options)
            };
            match next {
                NextAnswer::Answer(action) if !begun || self.admits(of, action) => {
                    self.step(of, action)?;
                    begun = true;
                }
                _ if begun => return Ok(()),
                _ => return fail("the plan has no legal step for this decision"),
            }
        }
    }

    fn apply(&self, said: &Dynamic) -> NativeResult<()> {
        self.room.check_free()?;
        match self.mover() {
            Some(of) => self.answer(of, said),
            None => fail("the imagined game is over"),
        }
    }

    fn last_round(&self, rounds: INT) -> NativeResult<u32> {
        let now = self.game.borrow().game().round();
        match u32::try_from(rounds) {
            Ok(rounds) if rounds > 0 => Ok(now.saturating_add(rounds)),
            _ => fail("the number of rounds must be at least 1"),
        }
    }

    fn play_out(&self, policy: &str, rounds: INT) -> NativeResult<()> {
        let round = self.last_round(rounds)?;
        self.room.check_free()?;
        self.room.policy(policy)?;
        while !self.game.borrow().is_at_rest() {
            let (of, options) = self.pending()?;
            let action = self.room.ask_policy(policy, &self.view(of).view, &options);
            self.step(of, action)?;
        }
        let until = StopPoint::round(round);
        self.room
            .play_out(policy, &mut self.game.borrow_mut(), until)
    }

    fn pending(&self) -> NativeResult<(Player, Options)> {
        let game = self.game.borrow();
        match game.decisions().first() {
            Some(decision) => Ok((decision.player, decision.options.clone())),
            None => fail("the imagined game is over"),
        }
    }

    fn play_out_by(
        &self,
        context: &NativeCallContext<'_>,
        policy: &FnPtr,
        rounds: INT,
    ) -> NativeResult<()> {
        let round = self.last_round(rounds)?;
        let _asking = self.room.begin_asking()?;
        loop {
            let Some(of) = self.mover() else {
                return Ok(());
            };
            let view = self.view(of);
            if view.view.round() >= round {
                return Ok(());
            }
            let frame = view.view.frame();
            let decl = view.view.decl();
            let said = if frame.is_some_and(|frame| decl.phases[frame.phase.index()].optional) {
                let first = self.options()?.nth(0);
                Dynamic::from(ActionValue::new(first, decl))
            } else {
                rhai_guard::call_back(
                    context,
                    policy,
                    &mut [Dynamic::from(view), Dynamic::from(self.ask()?)],
                )?
            };
            self.answer(of, &said)?;
        }
    }

    fn score(&self, of: Player) -> NativeResult<INT> {
        let game = self.game.borrow();
        let score = self.room.rules(|rules| game.score(rules, of))?;
        meter::check()?;
        Ok(score)
    }
}

pub(super) fn register(engine: &mut Natives) {
    engine.register_type_with_name::<ImaginedGame>("Imagined");
    engine.register_fn("imagine", |it: &mut ScriptView| ImaginedGame::new(it));
    engine.register_fn("copy", |it: &mut ImaginedGame| it.copy());
    engine.register_fn("reseed", |it: &mut ImaginedGame| -> NativeResult<()> {
        let mut game = it.game.borrow_mut();
        meter::afford(step_work(game.game().board()))?;
        game.reseed(it.room.rng.borrow_mut().word());
        Ok(())
    });
    register_reads(engine);
    search::register(engine);
    engine.register_fn("apply", |it: &mut ImaginedGame, said: Dynamic| {
        it.apply(&said)
    });
    engine.register_fn(
        "play_out",
        |it: &mut ImaginedGame, policy: &str, rounds: INT| it.play_out(policy, rounds),
    );
    engine.register_fn(
        "play_out",
        |context: NativeCallContext<'_>,
         it: &mut ImaginedGame,
         policy: FnPtr,
         rounds: INT|
         -> Result<(), Box<EvalAltResult>> { it.play_out_by(&context, &policy, rounds) },
    );
}

fn register_reads(engine: &mut Natives) {
    engine.register_get("is_over", |it: &mut ImaginedGame| {
        it.game.borrow().outcome().is_some()
    });
    engine.register_get("player", |it: &mut ImaginedGame| super::seat(it.mover()));
    engine.register_get("winners", |it: &mut ImaginedGame| {
        let game = it.game.borrow();
        let winners = game.outcome().map(|outcome| outcome.winners);
        array(
            winners
                .iter()
                .flat_map(|all| all.iter())
                .map(|player| int(player.0)),
        )
    });
    engine.register_get("view", |it: &mut ImaginedGame| {
        it.view(it.mover().unwrap_or(it.me))
    });
    engine.register_fn("view_of", |it: &mut ImaginedGame, player: INT| {
        let players = it.game.borrow().game().players();
        Ok::<_, Box<EvalAltResult>>(it.view(find_player(players, player)?))
    });
    engine.register_get("ask", |it: &mut ImaginedGame| it.ask());
    engine.register_fn("options", |it: &mut ImaginedGame| -> NativeResult<Array> {
        let options = it.options()?;
        let count = options.len();
        let game = it.game.borrow();
        let (longest, _) = sizes_of_bots(game.game().board().len());
        if count > longest as u64 {
            return fail(format!(
                "{count} options, and an array has at most {longest} elements: use `game.ask`"
            ));
        }
        meter::afford(4 * count)?;
        let decl = game.game().decl();
        let value = |number| Dynamic::from(ActionValue::new(options.nth(number), decl));
        Ok((0..count).map(value).collect())
    });
    engine.register_fn("score", |it: &mut ImaginedGame, player: INT| {
        let players = it.game.borrow().game().players();
        it.score(find_player(players, player)?)
    });
}
