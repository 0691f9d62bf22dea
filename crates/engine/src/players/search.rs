//! `search`: samples plans of its turn, plays each of them out in imagined games, and follows the
//! best plan. It needs nothing but a ruleset's declarations.

mod by_script;
mod kept_plan;
mod learned_moves;
mod light_policy;
mod planned_turn;
mod session;
mod turn_work;
mod worth;

use std::cell::RefCell;
use std::rc::Rc;

use self::kept_plan::KeptPlan;
use self::learned_moves::LearnedMoves;
use self::light_policy::LightPolicy;
use self::planned_turn::Guide;
use self::session::{Session, SessionLimits};
use self::turn_work::TurnWork;
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

/// A bot that plays by any rules.
pub(super) struct Search {
    rules: RulesSource,
    stage: TurnRollout,
    light: LightPolicy,
    learned: Rc<RefCell<LearnedMoves>>,
    /// The bots whose plans are among the candidates.
    guides: Vec<Guide>,
    /// True if the guides understand attacks, so that they are asked again at each decision of an
    /// imagined game. Their plans are otherwise as good as any.
    are_guides_asked: bool,
    rng: Stream,
    work: TurnWork,
    kept: KeptPlan,
}

impl Search {
    pub(super) fn new(level: SearchLevel, fight: Option<Fight>, rules: &RulesSource) -> Self {
        Self::by(level.work(), fight, rules, LightPolicy::clone)
    }

    /// Creates a search with this work in a turn. `policy` makes the policy that plays imagined
    /// games on.
    fn by<P: Bot + 'static>(
        work: u64,
        fight: Option<Fight>,
        rules: &RulesSource,
        policy: impl Fn(&LightPolicy) -> P,
    ) -> Self {
        let learned = Rc::default();
        let light = LightPolicy::new(&learned);
        let chances = Rc::new(FightTable::new(fight));
        let general = General::with(GeneralProfile::ALL[0], &chances);
        Self {
            rules: rules.clone(),
            stage: TurnRollout::new(rules.players(), || policy(&light)),
            light,
            learned,
            guides: vec![
                Guide::Outnumber(OutnumberBot::default()),
                Guide::General(Box::new(general)),
            ],
            are_guides_asked: false,
            rng: Stream::new(0, 0, Purpose::Player(0)),
            work: TurnWork::new(work),
            kept: KeptPlan::default(),
        }
    }

    /// Searches for a plan, which is then kept. Without work or if the rules fail in imagined
    /// games, the plan stays as it is.
    fn search(&mut self, view: &View, options: &Options) {
        let Some(allowed) = self.work.for_search() else {
            return;
        };
        let limits = SessionLimits {
            work: allowed,
            games: u64::MAX,
        };
        let mut session = Session::new(self, view, limits, None);
        let found = session.best_plan(options);
        let found = found.and_then(|best| session.noted(&best));
        let (spent, cost) = (session.spent(), session.cost());
        self.work.subtract(spent, cost);
        if let Ok(steps) = found {
            self.kept = KeptPlan::new(steps);
        }
    }
}

impl Bot for Search {
    fn start(&mut self, view: &View, mut rng: Stream) {
        *self.learned.borrow_mut() = LearnedMoves::default();
        let seed = rng.word();
        self.light = self.light.with_seed(seed);
        for guide in &mut self.guides {
            guide.start(view, rng.clone());
        }
        self.guides.retain(|guide| !guide.is_stranger());
        self.are_guides_asked = view.decl().verb("attack").is_some();
        self.rng = rng;
        self.work = self.work.begin();
        self.kept = KeptPlan::default();
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        if self.work.renew(view) {
            self.kept = KeptPlan::default();
            self.learned.borrow_mut().fade();
        }
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
