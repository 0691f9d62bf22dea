//! The loop. It says what happens in which order; rules and bots say what.

use std::collections::VecDeque;

use super::action::{Action, Bounds, Legal, Options};
use super::declare::{OnFault, Strikes};
use super::fault::{BotFault, FaultKind, RuleFault};
use super::id::{Phase, Player, PlayerSet};
use super::outcome::{Outcome, ranking};
use super::rng::{Purpose, Stream};
use super::state::{Frame, GameState};
use super::view::{Facts, View};
use super::words::Words;
use super::{Answer, Bot, Event, Limits, MOST_FAULTS, Rules, Sink};

/// The most steps in one compound answer.
pub const MOST_STEPS: usize = 10_000;

/// A game that was played, to the end or not.
#[derive(Debug)]
pub struct Finished {
    /// The last state.
    pub game: GameState,
    /// How it ended, or why it did not.
    pub outcome: Result<Outcome, Stop>,
}

/// Why a game stopped before its end.
#[derive(Debug)]
pub enum Stop {
    /// The ruleset made a fault.
    Rules(RuleFault),
    /// Whoever runs the game wanted it to stop.
    Halted,
}

impl From<RuleFault> for Stop {
    fn from(fault: RuleFault) -> Self {
        Self::Rules(fault)
    }
}

/// Plays a game from its set-up to its end.
///
/// `seed` and `number` give the players' own streams; the game's streams are in `game`.
pub fn play(
    game: GameState,
    (seed, number): (u64, u64),
    rules: &mut dyn Rules,
    bots: &mut [Box<dyn Bot>],
    sink: &mut dyn Sink,
    limits: Limits,
) -> Finished {
    assert_eq!(game.players(), bots.len(), "one bot for each player");
    let mut facts = Facts::new(game);
    let hears = bots.iter().map(|bot| bot.listens()).collect::<Vec<_>>();
    let listening = sink.listens() || hears.contains(&true);
    facts.change().listening = listening;
    let queues = vec![VecDeque::new(); bots.len()];
    let optional: Vec<Phase> = optional_phases(&facts);
    let wants = bots
        .iter()
        .map(|bot| {
            optional
                .iter()
                .copied()
                .filter(|&phase| bot.wants(phase))
                .collect()
        })
        .collect();
    let mut live = Live {
        bots,
        queues,
        sink,
        hears,
        wants,
    };
    for (seat, bot) in live.bots.iter_mut().enumerate() {
        let who = Player::from_index(seat);
        bot.start(
            &View::new(&facts, who),
            Stream::new(seed, number, Purpose::Player(who.0)),
        );
    }
    let mut run = Run {
        facts,
        rules,
        limits,
        idle: 0,
        options: Options::new(),
        answered: Vec::new(),
        leaving: PlayerSet::default(),
    };
    let result = run.game(&mut live);
    // A game that stops early stops in the middle of a hook or a decision: tell what happened until
    // then.
    let events = std::mem::take(&mut run.facts.change().events);
    live.tell(&run.facts, &events);
    for (seat, bot) in live.bots.iter_mut().enumerate() {
        bot.finish(&View::new(&run.facts, Player::from_index(seat)));
    }
    Finished {
        outcome: result,
        game: run.facts.into_game(),
    }
}

fn optional_phases(game: &GameState) -> Vec<Phase> {
    let phases = game.decl().phases.iter().enumerate();
    phases
        .filter(|(_, info)| info.optional)
        .map(|(index, _)| Phase::from_index(index))
        .collect()
}

/// What an asker does with a question.
enum Reply {
    /// This is done.
    Act(Legal),
    /// The player's strikes are used up.
    Out(OnFault),
}

/// Who is asked: the players, or the steps of a compound answer that is being tried out.
trait Asker {
    fn ask(
        &mut self,
        run: &mut Run<'_>,
        frame: &Frame,
        who: Player,
        options: &Options,
    ) -> Result<Reply, Stop>;
    /// Need the game not go on?
    fn has_enough(&self, facts: &Facts) -> bool {
        let _ = facts;
        false
    }
    /// An answer that needs no look at all options.
    fn try_next(
        &mut self,
        run: &mut Run<'_>,
        frame: &Frame,
        who: Player,
    ) -> Result<Option<Legal>, Stop> {
        let _ = (run, frame, who);
        Ok(None)
    }
    /// Does this player want the plans among the options?
    fn plans(&self, who: Player) -> bool;
    /// Does this player decide in this phase, which may be left to the rules?
    fn wants(&self, who: Player, phase: Phase) -> bool;
    fn tell(&mut self, facts: &Facts, events: &[Event]);
}

struct Run<'a> {
    facts: Facts,
    rules: &'a mut dyn Rules,
    limits: Limits,
    idle: u32,
    options: Options,
    answered: Vec<(Player, Reply)>,
    /// Who had nothing to decide in this pass.
    leaving: PlayerSet,
}

impl Run<'_> {
    fn game(&mut self, asker: &mut dyn Asker) -> Result<Outcome, Stop> {
        self.rules.setup(self.facts.change())?;
        self.settle(asker, false)?;
        self.frames(asker)?;
        self.outcome()
    }

    fn frames(&mut self, asker: &mut dyn Asker) -> Result<(), Stop> {
        while self.facts.ending().is_none() && !asker.has_enough(&self.facts) {
            let Some(&frame) = self.facts.frame() else {
                self.facts.change().end("draw", PlayerSet::default());
                break;
            };
            if frame.entered {
                self.pass(asker, frame)?;
            } else {
                self.enter(asker, frame)?;
            }
        }
        self.settle(asker, false)
    }

    fn enter(&mut self, asker: &mut dyn Asker, mut frame: Frame) -> Result<(), Stop> {
        self.idle += 1;
        if self.idle > self.limits.idle {
            let phase = &self.facts.decl().phases[frame.phase.index()].name;
            let text = format!(
                "{} phases in a row were entered without a decision, the last is {phase}",
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
        let seat = frame.seat();
        game.push_event(|| Event::PhaseBegan {
            phase: frame.phase,
            seat,
        });
        self.rules.enter(game, &frame)?;
        self.settle(asker, true)
    }

    /// Every player in the frame answers from the same state, then the answers are applied in seat
    /// order.
    fn pass(&mut self, asker: &mut dyn Asker, frame: Frame) -> Result<(), Stop> {
        if frame.players.len() == 1
            && let Some(who) = frame.players.iter().next()
            && let Some(legal) = asker.try_next(self, &frame, who)?
        {
            self.apply(&frame, who, legal, true)?;
            return self.settle(asker, true);
        }
        let mut answered = std::mem::take(&mut self.answered);
        for who in frame.players.iter() {
            let mut options = std::mem::take(&mut self.options);
            let reply = self.reply(asker, &frame, who, &mut options);
            self.options = options;
            match reply? {
                Some(reply) => answered.push((who, reply)),
                None => self.leaving = self.leaving.with(who),
            }
        }
        for who in std::mem::take(&mut self.leaving).iter() {
            self.facts.change().leave(who);
        }
        let mut left = answered.len();
        for (who, reply) in answered.drain(..) {
            left -= 1;
            let gone = !self.facts.frame().is_some_and(|top| top.players.has(who));
            if gone || self.facts.ending().is_some() {
                continue;
            }
            match reply {
                Reply::Act(legal) => self.apply(&frame, who, legal, true)?,
                Reply::Out(then) => self.fault_out(then, &frame, who)?,
            }
            self.settle(asker, left == 0)?;
        }
        self.answered = answered;
        self.settle(asker, true)
    }

    /// What a player says; nothing when there is nothing to decide.
    fn reply(
        &mut self,
        asker: &mut dyn Asker,
        frame: &Frame,
        who: Player,
        options: &mut Options,
    ) -> Result<Option<Reply>, Stop> {
        options.clear();
        self.rules.options(&self.facts, frame, who, options)?;
        if options.is_empty() {
            return Ok(None);
        }
        if self.facts.decl().phases[frame.phase.index()].optional && !asker.wants(who, frame.phase)
        {
            return Ok(Some(Reply::Act(first(options))));
        }
        if asker.plans(who) {
            self.rules.plans(&self.facts, frame, who, options)?;
        }
        asker.ask(self, frame, who, options).map(Some)
    }

    fn apply(
        &mut self,
        frame: &Frame,
        who: Player,
        legal: Legal,
        chosen: bool,
    ) -> Result<(), Stop> {
        self.idle = 0;
        let game = self.facts.change();
        game.answers += 1;
        let number = game.answers;
        game.push_event(|| Event::Answered {
            who,
            phase: frame.phase,
            action: legal.action(),
            number,
            chosen,
        });
        self.rules.apply(game, frame, who, legal)?;
        if number >= self.limits.answers {
            self.facts
                .change()
                .end("answer-limit", PlayerSet::default());
        }
        Ok(())
    }

    /// The faults of all players in this game.
    fn faults(&self) -> u64 {
        self.facts
            .strikes
            .iter()
            .map(|&strikes| u64::from(strikes))
            .sum()
    }

    fn fault_out(&mut self, then: OnFault, frame: &Frame, who: Player) -> Result<(), Stop> {
        // A fault is a decision too: rules that go on asking do not idle. But it has a limit as
        // well.
        self.idle = 0;
        if self.facts.decl().strikes.limit == 0 {
            self.facts.change().end("fault-limit", PlayerSet::default());
            return Ok(());
        }
        if self.faults() >= self.limits.answers {
            self.facts.change().end("fault-limit", PlayerSet::default());
            return Ok(());
        }
        match then {
            OnFault::Skip => self.facts.change().leave(who),
            OnFault::FirstOption => {
                let mut options = Options::new();
                self.rules.options(&self.facts, frame, who, &mut options)?;
                if options.is_empty() {
                    self.facts.change().leave(who);
                } else {
                    self.apply(frame, who, first(&options), false)?;
                }
            }
            OnFault::Neutral | OnFault::Forfeit => {
                let game = self.facts.change();
                if then == OnFault::Neutral {
                    game.neutralise(who)
                } else {
                    game.forfeit(who)
                }
                self.rules.neutralised(self.facts.change(), who)?;
            }
            OnFault::Hook => self.rules.fault_out(self.facts.change(), who)?,
        }
        Ok(())
    }

    /// After a hook: players without land, then finished and new frames, then the events.
    fn settle(&mut self, asker: &mut dyn Asker, frames: bool) -> Result<(), Stop> {
        let mut fallen = 0;
        while !self.facts.fallen.is_empty() {
            fallen += 1;
            if fallen > self.limits.idle {
                let text = format!("players have lost their last land {fallen} times at once");
                return Err(RuleFault::new(text).into());
            }
            let game = self.facts.change();
            let (who, by) = game.fallen.remove(0);
            if game.territory_count(who) == 0
                && game.status(who) != super::event::Status::Eliminated
            {
                if game.decl().last_standing {
                    game.eliminate(who);
                }
                self.rules.fallen(game, who, by)?;
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
            self.facts.change().end("event-limit", PlayerSet::default());
        }
        if !self.facts.events.is_empty() {
            let events = std::mem::take(&mut self.facts.change().events);
            asker.tell(&self.facts, &events);
            let mut events = events;
            events.clear();
            self.facts.change().events = events;
        }
        Ok(())
    }

    fn outcome(&mut self) -> Result<Outcome, Stop> {
        let seats = self.facts.seats();
        let scores = seats
            .map(|who| self.rules.score(&self.facts, who))
            .collect::<Result<Vec<_>, _>>()?;
        let ending = self
            .facts
            .ending()
            .expect("the frames ended with an ending");
        let forfeited = self
            .facts
            .with_status(|status| status == super::event::Status::Forfeited);
        let ranking = ranking(&scores, ending.winners, forfeited, &self.facts.out_order);
        Ok(Outcome {
            reason: ending.reason.clone(),
            winners: ending.winners,
            ranking,
        })
    }
}

/// The players themselves.
struct Live<'a> {
    bots: &'a mut [Box<dyn Bot>],
    /// The steps of each player's compound answer that are still to be done.
    queues: Vec<VecDeque<Action>>,
    sink: &'a mut dyn Sink,
    hears: Vec<bool>,
    /// By seat: the optional phases in which the player wants to decide.
    wants: Vec<Vec<Phase>>,
}

fn first(options: &Options) -> Legal {
    options
        .admit(options.nth(0))
        .expect("the first option is an option")
}

impl Live<'_> {
    fn steps(
        &mut self,
        run: &mut Run<'_>,
        who: Player,
        options: &Options,
    ) -> Result<Legal, Refusal> {
        if let Some(next) = self.queues[who.index()].pop_front() {
            if let Ok(legal) = options.admit(next) {
                return Ok(legal);
            }
            self.queues[who.index()].clear();
        }
        let answer = self.bots[who.index()].answer(&View::new(&run.facts, who), options)?;
        let (first, rest) = match answer {
            Answer::One(action) => (action, None),
            Answer::Steps(steps) => match steps.first() {
                Some(&first) => (first, Some(steps)),
                None => return Err(Refusal::illegal("the answer has no steps".to_owned())),
            },
        };
        let legal = options.admit(first).map_err(|why| {
            Refusal::illegal(
                Words::new(run.facts.board(), run.facts.decl()).refusal(options, first, why),
            )
        })?;
        if let Some(steps) = rest.filter(|steps| steps.len() > 1) {
            match run.rehearse(who, &steps, &self.wants[who.index()]) {
                Ok(()) => self.queues[who.index()].extend(&steps[1..]),
                // What the ruleset itself gave as a plan must be possible.
                Err(text) if options.has_plan(&steps) => {
                    return Err(Refusal::Rules(RuleFault::new(format!(
                        "a plan that is offered can't be done: {text}"
                    ))));
                }
                Err(text) => return Err(Refusal::illegal(text)),
            }
        }
        Ok(legal)
    }
}

/// Why an answer is not taken.
enum Refusal {
    /// The bot made a fault.
    Bot(BotFault),
    /// The ruleset did.
    Rules(RuleFault),
}

impl Refusal {
    fn illegal(text: String) -> Self {
        Self::Bot(BotFault::strike(FaultKind::Illegal, text))
    }
}

impl From<BotFault> for Refusal {
    fn from(fault: BotFault) -> Self {
        Self::Bot(fault)
    }
}

impl Asker for Live<'_> {
    fn ask(
        &mut self,
        run: &mut Run<'_>,
        _: &Frame,
        who: Player,
        options: &Options,
    ) -> Result<Reply, Stop> {
        let Strikes {
            limit,
            per_decision,
            then,
        } = run.facts.decl().strikes;
        let mut here = 0;
        loop {
            if self.sink.halts() {
                return Err(Stop::Halted);
            }
            let (kind, text) = match self.steps(run, who, options) {
                Ok(legal) => return Ok(Reply::Act(legal)),
                Err(Refusal::Bot(BotFault::Strike { kind, text })) => (kind, text),
                Err(Refusal::Bot(BotFault::Halt)) => return Err(Stop::Halted),
                Err(Refusal::Rules(fault)) => return Err(fault.into()),
            };
            here += 1;
            let exchange = self.bots[who.index()].exchange();
            let all = run.facts.change().strike(who, (kind, text), exchange);
            let used_up = match limit {
                0 => run.faults() >= MOST_FAULTS,
                _ => (if per_decision { here } else { all }) >= limit,
            };
            if used_up {
                return Ok(Reply::Out(then));
            }
        }
    }

    /// The next step of a compound answer, or what the bot knows at once, if the rules can tell
    /// that it is legal.
    fn try_next(
        &mut self,
        run: &mut Run<'_>,
        frame: &Frame,
        who: Player,
    ) -> Result<Option<Legal>, Stop> {
        let (facts, rules) = (&run.facts, &mut *run.rules);
        let mut fault = None;
        // What the bot has just asked is not worked out again.
        let mut last = None;
        let mut limit = |verb, given: &[i32]| {
            let asked = Action::new(verb, given);
            if let Some((_, limit)) = last.filter(|&(before, _)| before == asked) {
                return limit;
            }
            let limit = rules
                .bounds_of(facts, frame, who, verb, given)
                .unwrap_or_else(|new| {
                    fault.get_or_insert(new);
                    Bounds::Unknown
                });
            last = Some((asked, limit));
            limit
        };
        let queue = &mut self.queues[who.index()];
        let said = match queue.front() {
            Some(&next) => Some(next),
            None => self.bots[who.index()].try_next(&View::new(facts, who), &mut limit),
        };
        let legal = said.and_then(|said| {
            let given = said.args().len().saturating_sub(1);
            limit(said.verb, &said.args()[..given]).admit(said)
        });
        if let Some(fault) = fault {
            return Err(fault.into());
        }
        if legal.is_some() {
            queue.pop_front();
        }
        Ok(legal)
    }

    fn plans(&self, who: Player) -> bool {
        self.queues[who.index()].is_empty() && self.bots[who.index()].plans()
    }

    fn wants(&self, who: Player, phase: Phase) -> bool {
        self.wants[who.index()].contains(&phase)
    }

    fn tell(&mut self, facts: &Facts, events: &[Event]) {
        for event in events {
            self.sink.event(facts, event);
            for seat in (0..self.bots.len()).filter(|&seat| self.hears[seat]) {
                let view = View::new(facts, Player::from_index(seat));
                if let Some(seen) = view.redact_for(event) {
                    self.bots[seat].saw(&view, &seen);
                }
            }
        }
    }
}

/// Tries a compound answer on a copy of the game.
struct Rehearsal<'a> {
    who: Player,
    steps: &'a [Action],
    done: usize,
    wants: &'a [Phase],
    verdict: Option<Result<(), String>>,
}

impl Asker for Rehearsal<'_> {
    fn has_enough(&self, facts: &Facts) -> bool {
        self.done == self.steps.len() || facts.drew
    }

    fn ask(
        &mut self,
        run: &mut Run<'_>,
        _: &Frame,
        who: Player,
        options: &Options,
    ) -> Result<Reply, Stop> {
        let verdict = if who == self.who {
            let said = self.steps[self.done];
            match options.admit(said) {
                Ok(legal) => {
                    self.done += 1;
                    return Ok(Reply::Act(legal));
                }
                Err(why) => {
                    let words = Words::new(run.facts.board(), run.facts.decl());
                    Err(format!(
                        "step {}: {}",
                        self.done + 1,
                        words.refusal(options, said, why)
                    ))
                }
            }
        } else {
            let left = self.steps.len() - self.done;
            Err(format!(
                "the answer has {left} more steps when it is another player's decision"
            ))
        };
        self.verdict = Some(verdict);
        Err(Stop::Halted)
    }

    fn plans(&self, _: Player) -> bool {
        false
    }

    fn wants(&self, _: Player, phase: Phase) -> bool {
        self.wants.contains(&phase)
    }

    fn tell(&mut self, _: &Facts, _: &[Event]) {}
}

impl Run<'_> {
    fn rehearse(&mut self, who: Player, steps: &[Action], wants: &[Phase]) -> Result<(), String> {
        if steps.len() > MOST_STEPS {
            return Err(format!(
                "the answer has {} steps, {MOST_STEPS} are the most",
                steps.len()
            ));
        }
        let mut game = GameState::clone(&self.facts);
        (game.listening, game.drew) = (false, false);
        if let Some(top) = game.stack.last_mut() {
            top.players = PlayerSet::one(who);
        }
        let mut run = Run {
            facts: Facts::new(game),
            rules: &mut *self.rules,
            limits: self.limits,
            idle: self.idle,
            options: Options::new(),
            answered: Vec::new(),
            leaving: PlayerSet::default(),
        };
        let mut rehearsal = Rehearsal {
            who,
            steps,
            done: 0,
            wants,
            verdict: None,
        };
        match run.frames(&mut rehearsal) {
            Ok(()) if rehearsal.done == steps.len() || run.facts.drew => Ok(()),
            Ok(()) => Err(format!(
                "the game is over after {} of the answer's {} steps",
                rehearsal.done,
                steps.len()
            )),
            // A ruleset's fault shows itself when the step is really done.
            Err(Stop::Rules(_)) => Ok(()),
            Err(Stop::Halted) => rehearsal.verdict.unwrap_or(Ok(())),
        }
    }
}
