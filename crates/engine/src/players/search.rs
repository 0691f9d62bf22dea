//! `search`: samples plans of its turn, plays each of them out in imagined games, and follows the
//! best plan. It needs nothing but a ruleset's declarations.

mod kept_plan;
mod learned_moves;
mod light_policy;
mod planned_turn;
mod session;
mod worth;

use std::cell::RefCell;
use std::rc::Rc;

use self::kept_plan::KeptPlan;
use self::learned_moves::LearnedMoves;
use self::light_policy::LightPolicy;
use self::planned_turn::Guide;
use self::session::{Session, knob};
use super::turn_rollout::TurnRollout;
use crate::script::RulesSource;
use risk_bots::{FightTable, General, GeneralProfile, OutnumberBot};
use risk_kernel::action::Options;
use risk_kernel::fault::BotFault;
use risk_kernel::odds::Fight;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot};

risk_text::named! {
    /// The work of `search` in one turn.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SearchLevel {
        /// A fifth of the normal work.
        Quick = "quick",
        /// The work of about half a second.
        Normal = "normal",
        /// Ten times the normal work.
        Deep = "deep",
    }
}

impl SearchLevel {
    /// Returns the work for one turn, in operations of scripts. Work in Rust counts as the number
    /// of operations that take as long.
    const fn work(self) -> u64 {
        match self {
            Self::Quick => 4_000_000,
            Self::Normal => 20_000_000,
            Self::Deep => 200_000_000,
        }
    }
}

/// One search may use this part of the work that remains in a turn.
const PART: u64 = 3;

pub(super) struct Search {
    level: SearchLevel,
    rules: RulesSource,
    stage: TurnRollout,
    light: LightPolicy,
    learned: Rc<RefCell<LearnedMoves>>,
    /// The bots whose plans are among the candidates.
    guides: Vec<Guide>,
    rng: Stream,
    /// The turn and the round that the remaining work belongs to.
    turn: (u32, u32),
    left: u64,
    /// The number of searches in this turn, and in a usual turn.
    searches: u64,
    usual: u64,
    is_known: bool,
    cost: u64,
    kept: KeptPlan,
}

impl Search {
    pub(super) fn new(level: SearchLevel, fight: Option<Fight>, rules: &RulesSource) -> Self {
        let learned = Rc::new(RefCell::new(LearnedMoves::default()));
        let light = LightPolicy::new(&learned);
        let chances = Rc::new(FightTable::new(fight));
        let general = General::with(GeneralProfile::ALL[0], &chances);
        Self {
            level,
            rules: rules.clone(),
            stage: TurnRollout::new(rules.players(), || light.clone()),
            light,
            learned,
            guides: vec![
                Guide::Outnumber(OutnumberBot::default()),
                Guide::General(Box::new(general)),
            ],
            rng: Stream::new(0, 0, Purpose::Player(0)),
            turn: (0, 0),
            left: 0,
            searches: 0,
            usual: PART,
            is_known: false,
            cost: 0,
            kept: KeptPlan::default(),
        }
    }

    /// Begins a new turn, if there is one.
    fn renew(&mut self, view: &View) {
        let turn = (view.turn(), view.round());
        if turn != self.turn {
            self.turn = turn;
            self.left = self.level.work();
            self.kept = KeptPlan::default();
            self.usual = (self.usual + self.searches).div_ceil(2);
            self.searches = 0;
            self.learned.borrow_mut().fade();
        }
    }

    /// Searches for a plan, which is then kept. If the rules fail in imagined games, no plan is
    /// kept.
    fn search(&mut self, view: &View, options: &Options) {
        let ahead = self.usual.saturating_sub(self.searches).max(1);
        let least = self.cost * knob("S_L", 10.0) as u64;
        if self.left < least {
            return;
        }
        let allowed = (self.left / ahead).max(least);
        self.searches += 1;
        let mut session = Session::new(self, view, allowed);
        let found = session.best_plan(options);
        let spent = session.spent();
        let cost = session.cost();
        self.cost = cost;
        self.left = self.left.saturating_sub(spent);
        if let Ok(plan) = found {
            self.kept = plan;
        }
    }
}

impl Bot for Search {
    fn start(&mut self, view: &View, mut rng: Stream) {
        *self.learned.borrow_mut() = LearnedMoves::default();
        self.light.start(
            view,
            Stream::new(rng.word(), 0, Purpose::Player(view.me().index() as u8)),
        );
        for guide in &mut self.guides {
            guide.start(view, rng.clone());
        }
        self.guides.retain(|guide| !guide.is_stranger());
        self.is_known = self.guides.len() > 1;
        self.usual = PART;
        self.searches = 0;
        self.cost = 0;
        self.rng = rng;
        self.turn = (0, 0);
        self.left = self.level.work();
        self.kept = KeptPlan::default();
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        self.renew(view);
        if let Some(action) = self.kept.next(view, options) {
            return Ok(Answer::One(action));
        }
        if options.len() == 1 {
            return Ok(Answer::One(options.nth(0)));
        }
        self.search(view, options);
        let planned = self.kept.first(options);
        let action = planned.unwrap_or_else(|| self.light.choose(view, options));
        Ok(Answer::One(action))
    }
}
