//! The bots at the table, which are asked for answers, and asked again after a fault.

use super::offered_plans::OfferedPlans;
use super::rehearsal::{MOST_STEPS, rehearse};
use super::run::{AnswerSource, Reply, Run};
use crate::action::{Action, Bounds, LegalAction, Options};
use crate::answer_queue::AnswerQueue;
use crate::bot::{Answer, Bot, Bots, Plans, Preferences, RuleQueries, Strike};
use crate::declare::Declaration;
use crate::event::Event;
use crate::event_filter::EventFilter;
use crate::event_fold::EventFold;
use crate::fault::{BotFault, FaultKind, RuleFault, RuleResult};
use crate::finished_game::StopReason;
use crate::id::{Phase, Player, PlayerSet, Verb};
use crate::interrupt;
use crate::limits::MOST_FAULTS;
use crate::outcome::Outcome;
use crate::rng::{GameKey, Purpose, Stream};
use crate::rules::{Asked, Rules};
use crate::sink::{Moment, Sink};
use crate::state::Frame;
use crate::view::{Facts, View};
use crate::words::Words;

pub(crate) struct LiveBots<'a> {
    bots: &'a mut dyn Bots,
    sink: &'a mut dyn Sink,
    memory: Memory,
}

#[derive(Default)]
pub(crate) struct Memory {
    seated: PlayerSet,
    /// The remaining steps of each player's answer, by seat.
    queues: Vec<AnswerQueue>,
    offered: OfferedPlans,
    /// The players whose bots receive events.
    hears: PlayerSet,
    /// The optional phases in which each player wants to decide, by seat.
    wants: Vec<Vec<Phase>>,
    /// The values before the next event; `None` unless all events are wanted.
    fold: Option<Box<EventFold>>,
}

fn optional_phases(decl: &Declaration) -> Vec<Phase> {
    let phases = decl.phases.iter().enumerate();
    phases
        .filter(|(_, info)| info.optional)
        .map(|(index, _)| Phase::from_index(index))
        .collect()
}

impl<'a> LiveBots<'a> {
    pub(crate) fn new(bots: &'a mut dyn Bots, sink: &'a mut dyn Sink, facts: &Facts) -> Self {
        let optional = optional_phases(facts.decl());
        let mut memory = Memory::default();
        for seat in 0..bots.seats() {
            let bot = bots.bot(seat);
            if bot.is_some() {
                memory.seated = memory.seated.with(Player::from_index(seat));
            }
            let wanted = bot.map_or_else(Preferences::default, |bot| bot.preferences());
            let all = optional.iter().copied();
            let wants = all.filter(|&phase| wanted.optional.has(phase)).collect();
            memory.queues.push(AnswerQueue::default());
            if wanted.listens {
                memory.hears = memory.hears.with(Player::from_index(seat));
            }
            memory.wants.push(wants);
        }
        if sink.wants() == EventFilter::All {
            memory.fold = Some(Box::new(EventFold::new(facts)));
        }
        Self::again(bots, sink, memory)
    }

    /// Continues with the same bots later in the same game.
    pub(crate) fn again(bots: &'a mut dyn Bots, sink: &'a mut dyn Sink, memory: Memory) -> Self {
        Self { bots, sink, memory }
    }

    pub(crate) const fn has(&self, player: Player) -> bool {
        self.memory.seated.has(player)
    }

    fn bot(&mut self, player: Player) -> Option<&mut dyn Bot> {
        self.bots.bot(player.index())
    }

    pub(crate) fn into_memory(self) -> Memory {
        self.memory
    }

    pub(crate) fn wanted(&self) -> EventFilter {
        if !self.memory.hears.is_empty() {
            EventFilter::All
        } else {
            self.sink.wants()
        }
    }

    pub(crate) fn start(&mut self, facts: &Facts, key: GameKey) {
        for player in self.memory.seated.iter() {
            if let Some(bot) = self.bots.bot(player.index()) {
                let stream = key.stream(Purpose::Player(player.0));
                bot.start(&View::new(facts, player), stream);
            }
        }
    }

    pub(crate) fn finish(&mut self, facts: &Facts, scores: &[i64], outcome: Option<&Outcome>) {
        for player in self.memory.seated.iter() {
            if let Some(bot) = self.bots.bot(player.index()) {
                bot.finish(&View::new(facts, player), scores, outcome);
            }
        }
    }

    /// Returns the next step of the bot's last answer, or the first step of a new answer.
    fn steps(
        &mut self,
        run: &mut Run<'_>,
        player: Player,
        options: &Options,
    ) -> Result<LegalAction, AnswerFault> {
        if let Some(legal) = self.next_step(run, player, options)? {
            return Ok(legal);
        }
        let bot = self.bot(player).ok_or(BotFault::Halt)?;
        let answer = bot.answer(&View::new(run.facts, player), options)?;
        let (first, rest) = match answer {
            Answer::One(action) => (action, None),
            Answer::Steps(steps) => match steps.first() {
                Some(&first) => (first, Some(steps)),
                None => return Err(AnswerFault::illegal("the answer has no steps".to_owned())),
            },
        };
        let planned = rest
            .as_deref()
            .filter(|steps| steps.len() <= MOST_STEPS)
            .and_then(|steps| options.admit_plan(steps));
        let admitted = match planned {
            // If there are only plans, no options were computed.
            Some(legal) if options.is_empty() => Ok(legal),
            _ => options.admit(first),
        };
        let legal = admitted.map_err(|why| {
            AnswerFault::illegal(
                Words::new(run.facts.board(), run.facts.decl()).refusal(options, first, why),
            )
        })?;
        if let Some(steps) = rest.filter(|steps| steps.len() > 1) {
            if planned.is_none() {
                let wants = &self.memory.wants[player.index()];
                rehearse(run, player, &steps, options, wants).map_err(AnswerFault::illegal)?;
            }
            self.memory.queues[player.index()].replace(&steps[1..]);
            if planned.is_some() {
                self.memory.offered.begin(run, player, steps);
            }
        }
        Ok(legal)
    }

    fn next_step(
        &mut self,
        run: &mut Run<'_>,
        player: Player,
        options: &Options,
    ) -> Result<Option<LegalAction>, AnswerFault> {
        let queue = &mut self.memory.queues[player.index()];
        if queue.is_empty() {
            return Ok(None);
        }
        let legal = queue.take(options);
        if legal.is_none() {
            let wants = &self.memory.wants[player.index()];
            self.memory
                .offered
                .check(run, player, wants)
                .map_err(AnswerFault::Rules)?;
        } else if queue.is_empty() {
            self.memory.offered.finish(player);
        }
        Ok(legal)
    }

    /// Checks the plans of all players except `but`. These plans have stopped because another
    /// player decides or because the game is over.
    pub(crate) fn check_plans(&mut self, run: &mut Run<'_>, but: Option<Player>) -> RuleResult {
        let all = self.memory.offered.players();
        let others = but.map_or(all, |player| all.without(player));
        for player in others.iter() {
            self.memory
                .offered
                .check(run, player, &self.memory.wants[player.index()])?;
        }
        Ok(())
    }
}

enum AnswerFault {
    Bot(BotFault),
    Rules(RuleFault),
}

impl AnswerFault {
    fn illegal(text: String) -> Self {
        Self::Bot(BotFault::strike(FaultKind::Illegal, text))
    }
}

impl From<BotFault> for AnswerFault {
    fn from(fault: BotFault) -> Self {
        Self::Bot(fault)
    }
}

/// The rules for one decision before its options are computed.
struct QuickRules<'a> {
    rules: &'a mut dyn Rules,
    asked: Asked<'a>,
    /// Whether the player decides. If false, the rules decide.
    decides: bool,
    /// The last query and its result. The same query is repeated when the action is checked.
    last: Option<(Action, Bounds)>,
    fault: Option<RuleFault>,
}

impl RuleQueries for QuickRules<'_> {
    fn bounds_of(&mut self, verb: Verb, given: &[i32]) -> Bounds {
        let asked = Action::new(verb, given);
        if let Some((_, bounds)) = self.last.filter(|&(before, _)| before == asked) {
            return bounds;
        }
        let bounds = self
            .rules
            .bounds_of(self.asked, verb, given)
            .unwrap_or_else(|fault| {
                self.fault.get_or_insert(fault);
                Bounds::Unknown
            });
        self.last = Some((asked, bounds));
        bounds
    }

    fn verbs(&self) -> &[Verb] {
        if self.decides {
            self.rules.verbs(self.asked.frame)
        } else {
            &[]
        }
    }

    fn draw(&mut self, rng: &mut Stream) -> Option<Action> {
        if !self.decides {
            return None;
        }
        let drawn = self.rules.draw(self.asked, rng);
        drawn.unwrap_or_else(|fault| {
            self.fault.get_or_insert(fault);
            None
        })
    }
}

impl AnswerSource for LiveBots<'_> {
    fn ask(
        &mut self,
        run: &mut Run<'_>,
        player: Player,
        options: &Options,
    ) -> Result<Option<Reply>, StopReason> {
        let policy = run.facts.decl().strikes;
        self.check_plans(run, Some(player))?;
        let mut here = 0;
        loop {
            if self.sink.halts(run.facts) {
                return Err(StopReason::Halted);
            }
            let steps = self.steps(run, player, options);
            // The bot may have stopped early, so its answer does not count.
            if interrupt::is_raised() {
                return Err(StopReason::Halted);
            }
            let fault = match steps {
                Ok(legal) => return Ok(Some(Reply::Act(legal))),
                Err(AnswerFault::Bot(fault)) => fault,
                Err(AnswerFault::Rules(fault)) => return Err(fault.into()),
            };
            self.sink.fault(player, &fault);
            let BotFault::Strike { kind, text, .. } = fault else {
                return Err(StopReason::Halted);
            };
            here += 1;
            let view = View::new(run.facts, player);
            let strike = Strike {
                kind,
                text: &text,
                number: run.facts.strikes(player) + 1,
            };
            let exchange = self.bots.faulted(player.index(), &view, &strike);
            let all = run.facts.change().strike(player, kind, text, exchange);
            match kind {
                FaultKind::Resigned => return Ok(Some(Reply::Resign)),
                FaultKind::Rules => return Ok(Some(Reply::First)),
                _ => {}
            }
            let used_up = match policy.limit {
                0 => run.faults() >= MOST_FAULTS,
                limit => (if policy.per_decision { here } else { all }) >= limit,
            };
            if used_up {
                return Ok(Some(Reply::Out(policy.then)));
            }
        }
    }

    /// Returns the next step of a compound answer, or a step that the bot chooses without options,
    /// if the rules can confirm that the step is legal.
    fn try_next(
        &mut self,
        run: &mut Run<'_>,
        frame: &Frame,
        player: Player,
    ) -> Result<Option<LegalAction>, StopReason> {
        self.check_plans(run, Some(player))?;
        let decides = !run.facts.decl().phases[frame.phase.index()].optional
            || self.wants(player, frame.phase);
        let mut rules = QuickRules {
            rules: &mut *run.rules,
            asked: Asked::new(run.facts, frame, player),
            decides,
            last: None,
            fault: None,
        };
        let queue = &mut self.memory.queues[player.index()];
        let next = match (queue.first(), self.bots.bot(player.index())) {
            (Some(next), _) => Some(next),
            (None, Some(bot)) => bot.try_next(&View::new(run.facts, player), &mut rules),
            (None, None) => None,
        };
        let legal = next.and_then(|next| {
            let given = next.args().len().saturating_sub(1);
            rules
                .bounds_of(next.verb, &next.args()[..given])
                .admit(next)
        });
        if let Some(fault) = rules.fault {
            return Err(fault.into());
        }
        if legal.is_some() {
            if self.sink.halts(run.facts) || interrupt::is_raised() {
                return Err(StopReason::Halted);
            }
            queue.drop_first();
            if queue.is_empty() {
                self.memory.offered.finish(player);
            }
        }
        Ok(legal)
    }

    fn plans(&mut self, player: Player) -> Plans {
        if !self.memory.queues[player.index()].is_empty() {
            return Plans::Ignored;
        }
        let bot = self.bot(player);
        bot.map_or(Plans::Ignored, |bot| bot.preferences().plans)
    }

    fn wants(&self, player: Player, phase: Phase) -> bool {
        self.memory.wants[player.index()].contains(&phase)
    }

    fn deliver(&mut self, facts: &Facts, events: &[Event]) {
        for event in events {
            let fold = &mut self.memory.fold;
            self.sink.event(Moment::of(facts, fold.as_deref()), event);
            if let Some(fold) = fold {
                fold.take(event);
            }
            for player in self.memory.hears.iter() {
                let view = View::new(facts, player);
                if let Some(seen) = view.redact_for(event)
                    && let Some(bot) = self.bots.bot(player.index())
                {
                    bot.saw(&view, &seen);
                }
            }
        }
    }
}
