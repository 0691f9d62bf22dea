//! A running game, which enters frames, plays them in passes, and applies answers.

use crate::action::{LegalAction, Options};
use crate::bot::Plans;
use crate::declare::OnFault;
use crate::event::{Event, Status};
use crate::event_filter::EventFilter;
use crate::fault::{RuleFault, RuleResult};
use crate::finished_game::StopReason;
use crate::id::{Phase, Player, PlayerSet};
use crate::limits::Limits;
use crate::outcome::{Outcome, ranking};
use crate::reason;
use crate::rules::{Asked, Rules};
use crate::state::{Frame, GameState};
use crate::view::Facts;

#[derive(Clone, Copy)]
pub(crate) enum Reply {
    Act(LegalAction),
    Out(OnFault),
    /// The rules choose, because they failed in a game that the player imagined.
    First,
    /// The player forfeits.
    Resign,
}

/// The source of answers: the players, or the steps of a compound answer in a rehearsal.
pub(crate) trait AnswerSource {
    /// Asks one player. If there is no reply yet, the game stops after all players in the frame
    /// were asked, and continues with [`Run::go_on`] when all replies have arrived.
    fn ask(
        &mut self,
        run: &mut Run<'_>,
        player: Player,
        options: &Options,
    ) -> Result<Option<Reply>, StopReason>;
    /// Reports whether the game may stop at this point.
    fn has_enough(&self, facts: &Facts) -> bool {
        let _ = facts;
        false
    }
    /// Returns an answer that does not need all options.
    fn try_next(
        &mut self,
        run: &mut Run<'_>,
        frame: &Frame,
        player: Player,
    ) -> Result<Option<LegalAction>, StopReason> {
        let _ = (run, frame, player);
        Ok(None)
    }
    /// Returns how this player uses the plans among the options.
    fn plans(&mut self, player: Player) -> Plans;
    /// Reports whether this player decides in this optional phase.
    fn wants(&self, player: Player, phase: Phase) -> bool;
    fn deliver(&mut self, facts: &Facts, events: &[Event]);
}

enum PlayerReply {
    Nothing,
    Later,
    Reply(Reply),
}

pub(crate) struct Run<'a> {
    pub(super) facts: &'a mut Facts,
    pub(super) rules: &'a mut dyn Rules,
    pub(super) limits: Limits,
    /// The number of phases entered since the last answer.
    pub(crate) idle: u32,
    pub(crate) pass: Pass,
    /// The options of the current decision. They are reused to avoid allocations.
    pub(crate) options: Options,
    /// Options, without plans, that the rules have offered in the current state. They are not asked
    /// for again until the state changes.
    pub(crate) known: Vec<(Player, Options)>,
}

#[derive(Clone, Default)]
pub(crate) struct Pass {
    /// The replies so far, in seat order.
    replies: Vec<(Player, Reply)>,
    leaving: PlayerSet,
    waiting: PlayerSet,
}

impl Pass {
    pub(crate) const fn is_empty(&self) -> bool {
        self.replies.is_empty()
    }

    pub(crate) fn answer(&mut self, player: Player, reply: Reply) {
        let place = self.replies.partition_point(|&(other, _)| other < player);
        self.replies.insert(place, (player, reply));
        self.waiting = self.waiting.without(player);
    }
}

impl<'a> Run<'a> {
    pub(crate) fn new(facts: &'a mut Facts, rules: &'a mut dyn Rules, limits: Limits) -> Self {
        Self {
            facts,
            rules,
            limits,
            idle: 0,
            pass: Pass::default(),
            options: Options::new(),
            known: Vec::new(),
        }
    }

    /// Plays the game from its set-up to its end.
    pub(crate) fn game(&mut self, asker: &mut dyn AnswerSource) -> Result<Outcome, StopReason> {
        self.facts.change().place_neutrals()?;
        self.rules.setup(self.facts.change())?;
        self.settle(asker, false)?;
        self.resume(asker)
    }

    /// Plays the game to its end, starting with a pass for which all replies have arrived.
    pub(crate) fn go_on(&mut self, asker: &mut dyn AnswerSource) -> Result<Outcome, StopReason> {
        if let Some(&frame) = self.facts.frame() {
            self.take_replies(asker, &frame)?;
        }
        self.resume(asker)
    }

    /// Plays the game to its end, starting with a pass in which no player has been asked yet.
    pub(crate) fn resume(&mut self, asker: &mut dyn AnswerSource) -> Result<Outcome, StopReason> {
        self.frames(asker)?;
        self.outcome()
    }

    pub(super) fn frames(&mut self, asker: &mut dyn AnswerSource) -> Result<(), StopReason> {
        while self.facts.ending().is_none() && !asker.has_enough(self.facts) {
            let Some(&frame) = self.facts.frame() else {
                self.draw(reason::DRAW);
                break;
            };
            if frame.entered {
                self.pass(asker, frame)?;
            } else {
                self.enter(asker, frame)?;
            }
            self.known.clear();
        }
        self.settle(asker, false)
    }

    fn enter(&mut self, asker: &mut dyn AnswerSource, mut frame: Frame) -> Result<(), StopReason> {
        self.idle += 1;
        if self.idle > self.limits.idle {
            let phase = &self.facts.decl().phases[frame.phase.index()].name;
            let text = format!(
                "entered {} phases in a row without a decision, most recently {phase}",
                self.limits.idle
            );
            return Err(RuleFault::new(text).into());
        }
        frame.entered = true;
        let game = self.facts.change();
        *game
            .stack
            .last_mut()
            .expect("the frame being entered is on the stack") = frame;
        let seat = frame.opened_for;
        game.push_event(|| Event::PhaseBegan {
            phase: frame.phase,
            seat,
        });
        self.rules.enter(game, &frame)?;
        self.settle(asker, true)
    }

    /// Asks every player in the frame in the same state. Then applies the answers in seat order.
    fn pass(&mut self, asker: &mut dyn AnswerSource, frame: Frame) -> Result<(), StopReason> {
        if frame.players.len() == 1
            && let Some(player) = frame.players.iter().next()
            && let Some(legal) = asker.try_next(self, &frame, player)?
        {
            self.apply(&frame, player, legal, true)?;
            return self.settle(asker, true);
        }
        for player in frame.players.iter() {
            let mut options = std::mem::take(&mut self.options);
            let heard = self.hear(asker, &frame, player, &mut options);
            self.options = options;
            match heard? {
                PlayerReply::Nothing => self.pass.leaving = self.pass.leaving.with(player),
                PlayerReply::Later => self.pass.waiting = self.pass.waiting.with(player),
                PlayerReply::Reply(reply) => self.pass.replies.push((player, reply)),
            }
        }
        if !self.pass.waiting.is_empty() {
            return Err(StopReason::Halted);
        }
        self.take_replies(asker, &frame)
    }

    fn take_replies(
        &mut self,
        asker: &mut dyn AnswerSource,
        frame: &Frame,
    ) -> Result<(), StopReason> {
        for player in std::mem::take(&mut self.pass.leaving).iter() {
            self.facts.change().leave(player);
        }
        let mut replies = std::mem::take(&mut self.pass.replies);
        let mut left = replies.len();
        for (player, reply) in replies.drain(..) {
            left -= 1;
            let gone = !self
                .facts
                .frame()
                .is_some_and(|top| top.players.has(player));
            if gone || self.facts.ending().is_some() {
                continue;
            }
            match reply {
                Reply::Act(legal) => self.apply(frame, player, legal, true)?,
                Reply::Out(then) => self.fault_out(then, frame, player)?,
                Reply::First => self.first_option(frame, player)?,
                Reply::Resign => self.drop_out(player, GameState::forfeit)?,
            }
            self.settle(asker, left == 0)?;
        }
        self.pass.replies = replies;
        self.settle(asker, true)
    }

    fn hear(
        &mut self,
        asker: &mut dyn AnswerSource,
        frame: &Frame,
        player: Player,
        options: &mut Options,
    ) -> Result<PlayerReply, StopReason> {
        options.clear();
        let left_to_rules = self.facts.decl().phases[frame.phase.index()].optional
            && !asker.wants(player, frame.phase);
        let plans = if left_to_rules {
            Plans::Ignored
        } else {
            asker.plans(player)
        };
        if plans == Plans::Alone {
            self.rules
                .plans(Asked::new(self.facts, frame, player), options)?;
            if options.plans() > 0 {
                let reply = asker.ask(self, player, options)?;
                return Ok(reply.map_or(PlayerReply::Later, PlayerReply::Reply));
            }
            options.clear();
        }
        self.ask_rules(frame, player, options)?;
        if options.is_empty() {
            return Ok(PlayerReply::Nothing);
        }
        if left_to_rules {
            return Ok(PlayerReply::Reply(Reply::Act(first(options))));
        }
        if plans == Plans::Beside {
            self.rules
                .plans(Asked::new(self.facts, frame, player), options)?;
        }
        match asker.ask(self, player, options) {
            Ok(reply) => Ok(reply.map_or(PlayerReply::Later, PlayerReply::Reply)),
            Err(reason) => {
                // The game may go on from here, without a change of the state.
                if options.plans() == 0 {
                    self.known = vec![(player, std::mem::take(options))];
                }
                Err(reason)
            }
        }
    }

    /// Fills in a player's options, which may be known already.
    fn ask_rules(&mut self, frame: &Frame, player: Player, options: &mut Options) -> RuleResult {
        let known = self.known.iter_mut().find(|known| known.0 == player);
        if let Some((_, known)) = known {
            std::mem::swap(known, options);
            return Ok(());
        }
        self.rules
            .options(Asked::new(self.facts, frame, player), options)
    }

    fn apply(
        &mut self,
        frame: &Frame,
        player: Player,
        legal: LegalAction,
        chosen: bool,
    ) -> Result<(), StopReason> {
        self.idle = 0;
        let game = self.facts.change();
        game.answers += 1;
        let number = game.answers;
        game.push_wanted(EventFilter::Recorded, || Event::Answered {
            player,
            phase: frame.phase,
            action: legal.action(),
            number,
            chosen,
        });
        self.rules.apply(game, frame, player, legal)?;
        if number >= self.limits.answers {
            self.draw(reason::ANSWER_LIMIT);
        }
        Ok(())
    }

    /// Ends the game without winners.
    fn draw(&mut self, reason: &str) {
        self.facts.change().end(reason, PlayerSet::default());
    }

    pub(super) fn faults(&self) -> u64 {
        self.facts.strikes.iter().copied().map(u64::from).sum()
    }

    fn fault_out(
        &mut self,
        then: OnFault,
        frame: &Frame,
        player: Player,
    ) -> Result<(), StopReason> {
        // A fault counts as a decision because rules that keep asking are not idle. Faults have a
        // separate limit.
        self.idle = 0;
        if self.facts.decl().strikes.limit == 0 || self.faults() >= self.limits.answers {
            self.draw(reason::FAULT_LIMIT);
            return Ok(());
        }
        match then {
            OnFault::Skip => self.facts.change().leave(player),
            OnFault::FirstOption => self.first_option(frame, player)?,
            OnFault::Neutral => self.drop_out(player, GameState::neutralise)?,
            OnFault::Forfeit => self.drop_out(player, GameState::forfeit)?,
            OnFault::Hook => self.rules.fault_out(self.facts.change(), player)?,
        }
        Ok(())
    }

    fn first_option(&mut self, frame: &Frame, player: Player) -> Result<(), StopReason> {
        let mut options = Options::new();
        self.rules
            .options(Asked::new(self.facts, frame, player), &mut options)?;
        if options.is_empty() {
            self.facts.change().leave(player);
            return Ok(());
        }
        self.apply(frame, player, first(&options), false)
    }

    fn drop_out(
        &mut self,
        player: Player,
        leave: fn(&mut GameState, Player),
    ) -> Result<(), StopReason> {
        self.idle = 0;
        leave(self.facts.change(), player);
        Ok(self.rules.neutralised(self.facts.change(), player)?)
    }

    /// Cleans up after a hook: handles players without territories, then finished and new frames,
    /// then events. Usually there is nothing to handle.
    #[inline]
    fn settle(&mut self, asker: &mut dyn AnswerSource, frames: bool) -> Result<(), StopReason> {
        let game = &*self.facts;
        let goes_on = game
            .stack
            .last()
            .is_some_and(|top| !top.entered || !top.players.is_empty());
        let settled = goes_on
            && game.fallen.is_empty()
            && game.pending.is_empty()
            && game.events.is_empty()
            && game.event_count <= self.limits.events;
        if settled {
            Ok(())
        } else {
            self.settle_all(asker, frames)
        }
    }

    fn settle_all(&mut self, asker: &mut dyn AnswerSource, frames: bool) -> Result<(), StopReason> {
        let mut fallen = 0;
        while !self.facts.fallen.is_empty() {
            fallen += 1;
            if fallen > self.limits.idle {
                let text = format!("players lost their last territory {fallen} times in a row");
                return Err(RuleFault::new(text).into());
            }
            let game = self.facts.change();
            let (player, by) = game.fallen.remove(0);
            if game.territory_count(player) == 0 && game.status(player) != Status::Eliminated {
                if game.decl().last_standing.is_some() {
                    game.eliminate(player);
                }
                self.rules.fallen(game, player, by)?;
            }
        }
        let in_setup = self.facts.stack().is_empty();
        if frames || in_setup {
            let game = self.facts.change();
            if game
                .stack
                .last()
                .is_some_and(|top| top.entered && top.players.is_empty())
            {
                game.stack.pop();
            }
            while let Some(frame) = game.pending.pop() {
                game.stack.push(frame);
            }
        }
        if self.facts.event_count > self.limits.events {
            self.draw(reason::EVENT_LIMIT);
        }
        if !self.facts.events.is_empty() {
            let events = std::mem::take(&mut self.facts.change().events);
            asker.deliver(self.facts, &events);
            let mut events = events;
            events.clear();
            self.facts.change().events = events;
        }
        Ok(())
    }

    pub(crate) fn scores(&mut self) -> RuleResult<Vec<i64>> {
        let seats = self.facts.seats();
        seats
            .map(|player| self.rules.score(self.facts, player))
            .collect()
    }

    fn outcome(&mut self) -> Result<Outcome, StopReason> {
        let scores = self.scores()?;
        let ending = self
            .facts
            .ending()
            .expect("the game has an ending after its last frame");
        let forfeited = self.facts.with_status(|status| status == Status::Forfeited);
        let ranking = ranking(
            &scores,
            ending.winners,
            forfeited,
            &self.facts.out_order,
            |player| self.facts.team(player),
        );
        Ok(Outcome {
            reason: ending.reason.clone(),
            winners: ending.winners,
            ranking,
        })
    }
}

fn first(options: &Options) -> LegalAction {
    options
        .admit(options.nth(0))
        .expect("the first option is legal")
}
