//! The chances of fights, for rulesets that define them.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::rc::Rc;

use risk_kernel::Rules;
use risk_kernel::action::{Domain, Offer, Options};
use risk_kernel::declare::{Declaration, SlotKind};
use risk_kernel::fault::RuleResult;
use risk_kernel::id::{Phase, Player, Territory};
use risk_kernel::odds::Fight;
use risk_kernel::phases::Asked;
use risk_kernel::state::{Frame, GameState};
use risk_kernel::view::{Facts, View};

/// The chances of fights in the ruleset in use. They come from the tables that its phases declare
/// for fights, or from its own hook `chance`. A ruleset has no chances if its script resolves
/// fights itself and declares neither.
#[derive(Clone, Debug, Default)]
pub struct FightOdds {
    fight: Option<Fight>,
    own: Option<Rc<dyn OwnOdds>>,
}

/// Rules that may have the hook `chance`.
pub trait RulesWithOdds: Rules {
    /// Begins a new game. Afterwards, calls count the same memory as with newly bound rules.
    fn begin_game(&self) {}

    /// Returns the hook's chance that an attack takes a territory, from the viewpoint of the view's
    /// player. Returns `None` if the ruleset has no such hook.
    ///
    /// # Errors
    /// Returns an error if the hook fails or does not return a number from 0 to 1.
    fn chance(&self, view: &View, from: Territory, to: Territory) -> Option<RuleResult<f64>>;
}

/// Access to rules that may have the hook `chance`.
pub trait OwnOdds: Debug {
    /// Returns the chance of an attack by the ruleset's hook `chance`.
    ///
    /// # Errors
    /// Returns an error if the hook does not exist or fails, or if the rules are executing another
    /// call.
    fn chance(&self, view: &View, from: Territory, to: Territory) -> Result<f64, ChanceError>;

    /// Returns the attacks of [`FightOdds::attacks`].
    ///
    /// # Errors
    /// Returns an error if the rules fail or are executing another call.
    fn attacks(&self, view: &View) -> Result<BTreeSet<(Territory, Territory)>, ChanceError>;
}

/// The reason why no chance is available.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChanceError {
    /// The ruleset's script resolves fights itself and declares no chances.
    #[error("the ruleset declares no chances of fights")]
    Untold,
    /// Fog hides armies that the chance depends on.
    #[error("the armies that the chance depends on are hidden")]
    Hidden,
    /// The ruleset's hook failed with this message.
    #[error("{0}")]
    Failed(String),
}

impl FightOdds {
    /// Creates the chances of a ruleset without a hook `chance`, or for a caller that can't call
    /// it.
    #[must_use]
    pub const fn by_tables(fight: Option<Fight>) -> Self {
        Self { fight, own: None }
    }

    /// Creates the chances of these rules. `fight` describes the fights by tables, see
    /// [`Fight::of`].
    #[must_use]
    pub fn new(fight: Option<Fight>, rules: Rc<dyn OwnOdds>) -> Self {
        Self {
            fight,
            own: Some(rules),
        }
    }

    /// Returns the fights by tables, which compute chances for given numbers of armies, or `None`
    /// if the ruleset does not fight by tables.
    pub const fn by_numbers(&mut self) -> Option<&mut Fight> {
        self.fight.as_mut()
    }

    /// Returns the attacks, from one territory to another, that the phases for fights would offer
    /// the view's player if they came now, based on what this player knows.
    ///
    /// # Errors
    /// Returns an error if the rules are not available, fail, or are executing another call.
    pub fn attacks(&self, view: &View) -> Result<BTreeSet<(Territory, Territory)>, ChanceError> {
        self.own.as_ref().ok_or(ChanceError::Untold)?.attacks(view)
    }

    /// Returns the chance, from 0 to 1, that an attack takes a territory if it is fought to its
    /// end, based on what the view's player knows. Over a border that is closed to the owner of
    /// `from`, it is 0.
    ///
    /// # Errors
    /// Returns an error if no chance is available.
    pub fn of_attack(
        &mut self,
        view: &View,
        from: Territory,
        to: Territory,
    ) -> Result<f64, ChanceError> {
        if view.is_shut(from, to) {
            return Ok(0.0);
        }
        if view.decl().own_chances {
            let own = self.own.as_ref().ok_or(ChanceError::Untold)?;
            return own.chance(view, from, to);
        }
        let fight = self.fight.as_mut().ok_or(ChanceError::Untold)?;
        let armies = |at| view.armies(at).ok_or(ChanceError::Hidden);
        let attackers = armies(from)?.max(1) - 1;
        let class = class_of(fight, view, from, to).ok_or(ChanceError::Hidden)?;
        let chance = fight.chance_of(class, attackers, armies(to)?);
        chance.map_err(|fault| ChanceError::Failed(fault.text().to_owned()))
    }

    /// Returns the chance of an attack that the current phase of the view offers. The phase may
    /// resolve fights itself. See [`FightOdds::of_attack`].
    ///
    /// # Errors
    /// Returns an error if no chance is available.
    pub fn of_offer(
        &mut self,
        view: &View,
        from: Territory,
        to: Territory,
    ) -> Result<f64, ChanceError> {
        if view.decl().own_chances || Self::is_by_tables(view) {
            return self.of_attack(view, from, to);
        }
        Err(ChanceError::Untold)
    }

    /// Reports whether attacks offered in the current phase of the view use the ruleset's tables.
    /// Only armies fight by tables, not other units.
    #[must_use]
    pub fn is_by_tables(view: &View) -> bool {
        let by_tables = |phase| view.decl().fights_by_tables(phase);
        !view.decl().own_chances && view.frame().is_none_or(|frame| by_tables(frame.phase))
    }
}

/// Returns the class of an attack, for the chances of a fight, or `None` if fog hides units that it
/// depends on. If all fights are alike, it is 0.
#[must_use]
pub fn class_of(fight: &Fight, view: &View, from: Territory, to: Territory) -> Option<u32> {
    match fight.classes() {
        1 => Some(0),
        _ => view.fight_class(from, to),
    }
}

/// The maximum number of pairs of territories in one offer. Larger offers are skipped.
const MOST_PAIRS: u64 = 100_000;

/// Returns the territories from and to which the actions of an offer go, or `None` if its actions
/// don't go from one territory to another, or if there are too many.
#[must_use]
pub fn ends_of(decl: &Declaration, options: &Options, offer: &Offer) -> Option<[Domain; 2]> {
    let slots = &decl.verbs[offer.verb.index()].slots;
    let ends = slots.iter().take(2).zip(["from", "to"]);
    let ends = ends.filter(|((name, kind), end)| *kind == SlotKind::Territory && name == end);
    let is_between = ends.count() == 2;
    let &[from, to, ..] = offer.slots() else {
        return None;
    };
    let fits = options.size(from).saturating_mul(options.size(to)) <= MOST_PAIRS;
    (is_between && fits).then_some([from, to])
}

/// Returns the pairs of territories between which the phases for fights would offer a player an
/// action now.
pub fn attacks_of(
    rules: &mut dyn Rules,
    game: &GameState,
    player: Player,
) -> RuleResult<BTreeSet<(Territory, Territory)>> {
    let decl = game.decl();
    let phases = decl.phases.iter().enumerate();
    let fighting = phases.filter(|(_, it)| it.fights.is_some() || decl.own_chances && it.asks);
    let mut found = BTreeSet::new();
    for (phase, _) in fighting {
        let frame = Frame::of(Phase::from_index(phase), player);
        let mut options = Options::default();
        let facts = Facts::new(game.clone());
        rules.options(Asked::new(&facts, &frame, player), &mut options)?;
        for offer in options.offers() {
            let Some([from, to]) = ends_of(decl, &options, offer) else {
                continue;
            };
            let all = |domain| {
                let values = (0..options.size(domain)).map(move |at| (domain, at));
                values.filter_map(|(domain, at)| usize::try_from(options.value(domain, at)).ok())
            };
            for from in all(from).map(Territory::from_index) {
                found.extend(all(to).map(|to| (from, Territory::from_index(to))));
            }
        }
    }
    Ok(found)
}
