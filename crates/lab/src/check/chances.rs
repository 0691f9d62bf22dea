//! Comparison of the chances that a ruleset computes with the results of its fights.
//!
//! On average, the chance that an attack takes the territory must not change with the next round of
//! the attack. If it changes, the computed chance is wrong. The check therefore plays random games
//! and compares the chance before each round with the chance after it. An executed order is a
//! complete battle, so its chance is compared with the actual outcome.

use std::cell::RefCell;
use std::rc::Rc;

use risk_bots::fight_odds::{ChanceError, FightOdds};
use risk_engine::{BuiltIn, HostedBot, Worker, hosted};
use risk_kernel::action::{Action, Bounds, Options};
use risk_kernel::declare::{Declaration, FightMethod, SlotKind};
use risk_kernel::event::{Event, FightRound};
use risk_kernel::fault::BotFault;
use risk_kernel::id::{Phase, Player, Territory};
use risk_kernel::rng::Stream;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, EventFilter, Moment, RuleQueries, Sink};
use risk_text::diag::{Finding, Level};
use risk_text::plural::counted;

/// The maximum number of games to play.
const GAMES: u64 = 40;
const ROUNDS: u64 = 2_000;
/// The number of decisions after which no new game begins.
const DECISIONS: u64 = 20_000;
/// The minimum number of rounds for a finding.
const LEAST: u64 = 25;
/// The difference, in standard errors, that chance does not explain.
const ERRORS: f64 = 4.0;

/// The sums of the chances before and after the rounds.
#[derive(Debug, Default)]
struct ChanceComparison {
    rounds: u64,
    before: f64,
    after: f64,
    /// The sum of the squared differences.
    squares: f64,
    fault: Option<String>,
}

impl ChanceComparison {
    fn add(&mut self, before: f64, after: f64) {
        self.rounds += 1;
        self.before += before;
        self.after += after;
        self.squares += (after - before).powi(2);
    }

    /// Returns the difference in units of its standard error.
    fn errors(&self) -> f64 {
        if self.squares > 0.0 {
            (self.after - self.before).abs() / self.squares.sqrt()
        } else {
            0.0
        }
    }

    fn averages(&self) -> String {
        let mean = |sum: f64| 100.0 * sum / self.rounds.max(1) as f64;
        let [before, after] = [self.before, self.after].map(mean);
        let rounds = counted(self.rounds, "round");
        format!(
            "average chance in {rounds} of fights in random games: {before:.1} % before a round, \
             {after:.1} % after it"
        )
    }

    fn finding(&self) -> Option<Finding> {
        if let Some(text) = &self.fault {
            return Some(Finding::error("ruleset::chance", text.clone()));
        }
        if self.rounds < LEAST || self.errors() <= ERRORS {
            return None;
        }
        let text = format!(
            "the chances that `chance` returns don't match the results of fights: {}",
            self.averages()
        );
        let help = "correct `chance` or the tables; if the script resolves fights itself, leave \
                    out `fights`";
        Some(Finding::error("ruleset::chances", text).help(help))
    }
}

#[derive(Clone, Copy, Debug)]
struct PendingRound {
    me: Player,
    from: Territory,
    to: Territory,
    said: Action,
    before: f64,
}

struct ChanceTrial {
    chances: FightOdds,
    compared: ChanceComparison,
    round: Option<PendingRound>,
    /// Whether a phase with percentage fights is executing orders.
    executing: bool,
}

impl ChanceTrial {
    fn told(&mut self, view: &View, from: Territory, to: Territory) -> Option<f64> {
        match self.chances.of_attack(view, from, to) {
            Ok(chance) => Some(chance),
            Err(ChanceError::Failed(text)) => {
                self.compared.fault.get_or_insert(text);
                None
            }
            Err(_) => None,
        }
    }

    /// Compares the chance before the round with the chance after it, from the attacker's point of
    /// view. `goes_on` indicates whether the attack can continue.
    fn settle(&mut self, look: impl FnOnce(Player) -> View, goes_on: bool) {
        let Some(round) = self.round.take() else {
            return;
        };
        let view = look(round.me);
        let after = if view.mine(round.to) {
            Some(1.0)
        } else if view.mine(round.from) && goes_on {
            self.told(&view, round.from, round.to)
        } else {
            Some(0.0)
        };
        if let Some(after) = after {
            self.compared.add(round.before, after);
        }
    }

    fn battle(&mut self, class: u32, fight: FightRound) {
        let Some(numbers) = self.chances.by_numbers() else {
            return;
        };
        let (attackers, defenders) = (fight.attackers, fight.defenders);
        if let Ok(chance) = numbers.chance_of(class, attackers, defenders) {
            let taken = fight.defender_lost >= defenders && fight.attacker_lost < attackers;
            self.compared.add(chance, f64::from(u8::from(taken)));
        }
    }
}

struct ChanceTrialSink(Rc<RefCell<ChanceTrial>>);

impl Sink for ChanceTrialSink {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        let mut trial = self.0.borrow_mut();
        let look = |me| View::new(game.facts(), me);
        match *event {
            Event::PhaseBegan { phase, .. } => {
                trial.settle(look, true);
                trial.executing = fights(game.decl(), phase) == Some(FightMethod::Percent);
            }
            Event::TurnBegan { .. } | Event::Ended { .. } => trial.settle(look, true),
            Event::Fought(fight) if trial.executing => {
                let class = game.before().fight_class(&game, fight.from, fight.to);
                trial.battle(class, fight);
            }
            _ => {}
        }
    }

    fn wants(&self) -> EventFilter {
        EventFilter::All
    }
}

fn fights(decl: &Declaration, phase: Phase) -> Option<FightMethod> {
    decl.phases
        .get(phase.index())
        .and_then(|phase| phase.fights)
}

/// A random bot that attacks with as many armies as possible if the chances are known.
struct Attacker {
    bot: Box<dyn HostedBot>,
    trial: Rc<RefCell<ChanceTrial>>,
}

impl Bot for Attacker {
    fn start(&mut self, view: &View, rng: Stream) {
        self.bot.start(view, rng);
    }

    fn try_next(&mut self, _: &View, _: &mut dyn RuleQueries) -> Option<Action> {
        None
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        let answer = self.bot.answer(view, options)?;
        let mut trial = self.trial.borrow_mut();
        // The phase asks the same player again after a round.
        trial.round = trial.round.filter(|round| round.me == view.me());
        let goes_on = (trial.round.as_ref()).is_some_and(|round| may_attack(options, round));
        trial.settle(|_| view.clone(), goes_on);
        let Answer::One(action) = answer else {
            return Ok(answer);
        };
        let Some((from, to)) = attack(view, action) else {
            return Ok(answer);
        };
        let phase = view
            .frame()
            .and_then(|frame| fights(view.decl(), frame.phase));
        if !(view.decl().own_chances || phase == Some(FightMethod::Dice)) {
            return Ok(answer);
        }
        if let (Some(most), Some(before)) = (with_most(options, action), trial.told(view, from, to))
        {
            let me = view.me();
            trial.round = Some(PendingRound {
                me,
                from,
                to,
                said: most,
                before,
            });
            return Ok(Answer::One(most));
        }
        Ok(answer)
    }
}

/// Returns the source and target of an action if it is an attack.
fn attack(view: &View, action: Action) -> Option<(Territory, Territory)> {
    let verb = &view.decl().verbs[action.verb.index()];
    let lands = verb.slots.iter().take(2);
    let lands = lands.filter(|slot| slot.1 == SlotKind::Territory).count();
    let &[from, to, ..] = action.args() else {
        return None;
    };
    let at = |number: i32| usize::try_from(number).ok().map(Territory::from_index);
    let (from, to) = (at(from)?, at(to)?);
    let is_one = verb.name == "attack" && lands == 2 && view.mine(from) && !view.mine(to);
    is_one.then_some((from, to))
}

/// Reports whether the options still contain the attack, with any number of armies.
fn may_attack(options: &Options, round: &PendingRound) -> bool {
    let args = round.said.args();
    let given = if args.len() > 2 {
        &args[..args.len() - 1]
    } else {
        return options.admit(round.said).is_ok();
    };
    options.bounds_of(round.said.verb, given) != Bounds::NONE
}

/// Returns the action with its last parameter set to the maximum.
fn with_most(options: &Options, action: Action) -> Option<Action> {
    let args = action.args();
    if args.len() == 2 {
        return Some(action);
    }
    let (_, given) = args.split_last()?;
    let Bounds::Span { high, .. } = options.bounds_of(action.verb, given) else {
        return None;
    };
    let most: Vec<i32> = given.iter().copied().chain([high]).collect();
    let most = Action::new(action.verb, &most);
    options.admit(most).is_ok().then_some(most)
}

/// Checks the chances that the worker's ruleset computes. Returns a summary, and a finding if the
/// chances are wrong. Returns `None` if the ruleset does not compute chances.
pub(super) fn compared(worker: &mut Worker<'_>) -> Option<(String, Option<Finding>)> {
    let mut chances = worker.chances();
    if !worker.decl().own_chances && chances.by_numbers().is_none() {
        return None;
    }
    let trial = Rc::new(RefCell::new(ChanceTrial {
        chances,
        compared: ChanceComparison::default(),
        round: None,
        executing: false,
    }));
    let mut decisions = 0;
    for number in 0..GAMES {
        let bots = (0..worker.players()).map(|_| {
            let bot = worker.bot(BuiltIn::RandomAction.as_str()).ok()?;
            let trial = Rc::clone(&trial);
            Some(hosted(Attacker { bot, trial }))
        });
        let mut bots: Vec<_> = bots.collect::<Option<_>>()?;
        // A failing ruleset is reported by other games of the trial.
        let played = worker.play_with(number, &mut bots, &mut ChanceTrialSink(Rc::clone(&trial)));
        decisions += played.game.answers();
        let mut trial = trial.borrow_mut();
        trial.round = None;
        let is_enough = trial.compared.rounds >= ROUNDS || decisions >= DECISIONS;
        if is_enough || trial.compared.fault.is_some() {
            break;
        }
    }
    let compared = &trial.borrow().compared;
    if compared.rounds == 0 && compared.fault.is_none() {
        let text = "can't check `chance`: random games had no suitable attack";
        let help = "the check needs a verb `attack` with the territories `from` and `to` that is \
                    resolved immediately";
        let unheard = Finding::error("ruleset::chances", text).level(Level::Warn);
        let unheard = unheard.help(help);
        let is_own = worker.decl().own_chances;
        return is_own.then(|| ("not compared".to_owned(), Some(unheard)));
    }
    Some((compared.averages(), compared.finding()))
}
