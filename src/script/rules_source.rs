//! The rules of a game for those who play at it in their heads: bound when they are first asked.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::bind::Ruleset;
use super::fault::ScriptFault;
use super::manifest::OptionValue;
use super::meter;
use super::rules::ScriptRules;
use super::script_limits::ScriptLimits;
use super::tracer::Tracer;
use crate::kernel::board::Board;
use crate::memory;

/// What the games of one thread's bots are played by. A bot that imagines games has rules of its
/// own from here, which all bots of the thread share; they are bound for the first who asks.
#[derive(Clone)]
pub struct RulesSource(Rc<Inner>);

struct Inner {
    ruleset: Ruleset,
    board: Arc<Board>,
    options: BTreeMap<String, OptionValue>,
    players: usize,
    limits: ScriptLimits,
    bound: OnceCell<Result<RefCell<ScriptRules>, Vec<ScriptFault>>>,
}

impl RulesSource {
    /// The rules of games of so many players, and the limits of scripts that play them.
    #[must_use]
    pub fn new(
        ruleset: &Ruleset,
        board: &Arc<Board>,
        options: &BTreeMap<String, OptionValue>,
        players: usize,
        limits: &ScriptLimits,
    ) -> Self {
        Self(Rc::new(Inner {
            ruleset: ruleset.clone(),
            board: Arc::clone(board),
            options: options.clone(),
            players,
            limits: limits.clone(),
            bound: OnceCell::new(),
        }))
    }

    /// The map that the rules are bound to.
    #[must_use]
    pub fn board(&self) -> &Arc<Board> {
        &self.0.board
    }

    /// How many play.
    #[must_use]
    pub fn players(&self) -> usize {
        self.0.players
    }

    /// What each call into a script may use.
    #[must_use]
    pub fn limits(&self) -> &ScriptLimits {
        &self.0.limits
    }

    /// Does something with the rules. `None` in the middle of another such call.
    ///
    /// # Errors
    /// When they can't be bound.
    pub fn with<T>(
        &self,
        ask: impl FnOnce(&mut ScriptRules) -> T,
    ) -> Result<Option<T>, Vec<ScriptFault>> {
        let bound = self.0.bound.get_or_init(|| self.bind());
        let rules = bound.as_ref().map_err(Vec::clone)?;
        Ok(rules.try_borrow_mut().ok().map(|mut rules| ask(&mut rules)))
    }

    /// What is imagined is no call of the game's: the tracer hears nothing of it. Nor are the rules
    /// the script's whose call asks for them first.
    fn bind(&self) -> Result<RefCell<ScriptRules>, Vec<ScriptFault>> {
        let Inner {
            ruleset,
            board,
            options,
            players,
            limits,
            ..
        } = &*self.0;
        let limits = ScriptLimits {
            tracer: Tracer::default(),
            ..limits.clone()
        };
        let bind = || ruleset.bind(board, options, *players, &limits);
        let bound = memory::uncounted(|| meter::apart(bind));
        bound.map(|bound| RefCell::new(bound.rules))
    }
}

impl std::fmt::Debug for RulesSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RulesSource")
            .field("ruleset", &self.0.ruleset.manifest.name)
            .field("players", &self.0.players)
            .finish_non_exhaustive()
    }
}
