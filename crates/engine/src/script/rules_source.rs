//! The rules of imagined games, bound when a bot first needs them.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::meter;
use rhai_guard::{ScriptFault, ScriptLimits, memory};
use risk_bots::fight_odds::{ChanceError, FightOdds, OwnOdds, RulesWithOdds, attacks_of};
use risk_kernel::Rules;
use risk_kernel::board::Board;
use risk_kernel::fault::RuleFault;
use risk_kernel::id::Territory;
use risk_kernel::odds::Fight;
use risk_kernel::view::View;

/// The rules of the games that one thread's bots imagine. All bots of the thread share these rules,
/// which are separate from the rules of the real game. They are bound when a bot first needs them.
/// [`Ruleset::rules_source`](super::Ruleset::rules_source) creates them.
#[derive(Clone)]
pub struct RulesSource(Rc<Inner>);

struct Inner {
    board: Arc<Board>,
    players: usize,
    limits: ScriptLimits,
    bind: Box<dyn Fn() -> Result<Box<dyn RulesWithOdds>, Vec<ScriptFault>>>,
    bound: OnceCell<Result<RefCell<Box<dyn RulesWithOdds>>, Vec<ScriptFault>>>,
}

impl RulesSource {
    /// Creates the rules for games with this number of players. `limits` applies to the scripts in
    /// these games. `bind` creates the bound rules.
    pub(super) fn new(
        board: &Arc<Board>,
        players: usize,
        limits: &ScriptLimits,
        bind: impl Fn() -> Result<Box<dyn RulesWithOdds>, Vec<ScriptFault>> + 'static,
    ) -> Self {
        Self(Rc::new(Inner {
            board: Arc::clone(board),
            players,
            limits: limits.clone(),
            bind: Box::new(bind),
            bound: OnceCell::new(),
        }))
    }

    /// Returns the map that the rules are bound to.
    #[must_use]
    pub fn board(&self) -> &Arc<Board> {
        &self.0.board
    }

    /// Returns the number of players.
    #[must_use]
    pub fn players(&self) -> usize {
        self.0.players
    }

    /// Returns the limits of each call of a script.
    #[must_use]
    pub fn limits(&self) -> &ScriptLimits {
        &self.0.limits
    }

    /// Calls `ask` with the rules. Returns `None` during another such call.
    ///
    /// # Errors
    /// Returns all faults if the rules can't be bound.
    pub fn with<T>(
        &self,
        ask: impl FnOnce(&mut dyn Rules) -> T,
    ) -> Result<Option<T>, Vec<ScriptFault>> {
        let mut rules = self.bound()?.try_borrow_mut().ok();
        Ok(rules.as_mut().map(|rules| ask(&mut ***rules)))
    }

    /// Begins a new game: see [`RulesWithOdds::begin_game`].
    pub(super) fn begin_game(&self) {
        if let Some(Ok(rules)) = self.0.bound.get()
            && let Ok(rules) = rules.try_borrow()
        {
            rules.begin_game();
        }
    }

    fn bound(&self) -> Result<&RefCell<Box<dyn RulesWithOdds>>, Vec<ScriptFault>> {
        // The rules' memory and work are not charged to the script that first needs them.
        let bind = || {
            memory::uncounted(|| {
                let bound = meter::apart(&self.0.bind);
                if let Ok(rules) = &bound {
                    rules.begin_game();
                }
                bound
            })
        };
        let bound = self.0.bound.get_or_init(|| bind().map(RefCell::new));
        bound.as_ref().map_err(Vec::clone)
    }

    /// Returns the chances of fights with these rules. `fight` describes the fights by tables.
    #[must_use]
    pub fn chances(&self, fight: Option<Fight>) -> FightOdds {
        FightOdds::new(fight, Rc::new(self.clone()))
    }
}

impl std::fmt::Debug for RulesSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RulesSource")
            .field("players", &self.0.players)
            .finish_non_exhaustive()
    }
}

impl RulesSource {
    fn bound_for_chances(&self) -> Result<&RefCell<Box<dyn RulesWithOdds>>, ChanceError> {
        self.bound().map_err(|faults| match faults.first() {
            Some(fault) => ChanceError::Failed(fault.to_string()),
            None => ChanceError::Untold,
        })
    }
}

fn busy<E>(_: E) -> ChanceError {
    ChanceError::Failed("can't call the rules while another call is in progress".to_owned())
}

fn failed(fault: &RuleFault) -> ChanceError {
    ChanceError::Failed(fault.text().to_owned())
}

impl OwnOdds for RulesSource {
    fn chance(&self, view: &View, from: Territory, to: Territory) -> Result<f64, ChanceError> {
        let bound = self.bound_for_chances()?.try_borrow().map_err(busy)?;
        let told = bound.chance(view, from, to).ok_or(ChanceError::Untold)?;
        told.map_err(|fault| failed(&fault))
    }

    fn attacks(&self, view: &View) -> Result<BTreeSet<(Territory, Territory)>, ChanceError> {
        let mut bound = self.bound_for_chances()?.try_borrow_mut().map_err(busy)?;
        // No attack depends on what chance fills in for hidden facts of others.
        let game = view
            .imagine_visible(&mut **bound, 0)
            .map_err(|fault| failed(&fault))?;
        attacks_of(&mut **bound, &game, view.me()).map_err(|fault| failed(&fault))
    }
}
