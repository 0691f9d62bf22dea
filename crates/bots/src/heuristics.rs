//! The shared code of the built-in bots: the verbs of the current ruleset, and the evaluation of
//! territories.

use risk_kernel::RuleQueries;
use risk_kernel::action::{Action, Bounds, Domain, Offer, Options};
use risk_kernel::id::{Territory, Verb};
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::View;

/// The verbs that mean the same in every ruleset; `None` for verbs that the current ruleset lacks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CommonVerbs {
    pub(super) claim: Option<Verb>,
    pub(super) place: Option<Verb>,
    pub(super) attack: Option<Verb>,
    pub(super) to_move: Option<Verb>,
    pub(super) trade: Option<Verb>,
    pub(super) defend: Option<Verb>,
    /// The verbs that end a phase or a series of actions.
    pub(super) stops: [Option<Verb>; 3],
}

#[derive(Clone, Debug)]
pub(super) struct Heuristics {
    pub(super) verbs: CommonVerbs,
    pub(super) rng: Stream,
}

impl Default for Heuristics {
    fn default() -> Self {
        Self {
            verbs: CommonVerbs::default(),
            rng: Stream::new(0, 0, Purpose::Player(0)),
        }
    }
}

impl Heuristics {
    pub(super) fn new(view: &View, rng: Stream) -> Self {
        let decl = view.decl();
        let find = |name: &str, slots: usize| {
            decl.verb(name)
                .filter(|verb| decl.verbs[verb.index()].slots.len() == slots)
        };
        let verbs = CommonVerbs {
            claim: find("claim", 1),
            place: find("place", 2),
            attack: find("attack", 3).or_else(|| find("attack", 2)),
            to_move: find("move", 3),
            trade: find("trade", 3),
            defend: find("defend", 1),
            stops: ["done", "stop", "pass"].map(|name| find(name, 0)),
        };
        Self { verbs, rng }
    }

    /// Defends with as many dice as possible, or takes any action.
    pub(super) fn any(&mut self, options: &Options) -> Action {
        if offer_of(options, self.verbs.defend).is_some() {
            return options.nth(options.len() - 1);
        }
        options.nth(self.rng.below(options.len()))
    }

    fn trade(&self, options: &Options) -> Option<Action> {
        offer_of(options, self.verbs.trade).map(|_| options.nth(0))
    }

    /// Places armies by this worth, see [`Heuristics::place`], or else trades cards, fortifies or
    /// takes any action.
    pub(super) fn place_or_go_on(
        &mut self,
        view: &View,
        options: &Options,
        worth: impl Fn(Territory) -> Option<i64>,
    ) -> Action {
        self.place(view, options, worth)
            .or_else(|| self.trade(options))
            .or_else(|| self.fortify(view, options))
            .unwrap_or_else(|| self.any(options))
    }

    /// Returns the move of all armies after a capture, which has no alternatives but fewer armies.
    pub(super) fn occupy(&self, options: &Options) -> Option<(Verb, [i32; 3])> {
        let [only] = options.offers() else {
            return None;
        };
        (Some(only.verb) == self.verbs.to_move).then(|| {
            let slots = only.slots();
            let [from, to] = [0, 1].map(|slot| options.value(slots[slot], 0));
            (only.verb, [from, to, greatest(options, slots[2])])
        })
    }

    /// Moves armies after a capture. All armies move if nothing threatens the territory that they
    /// leave. If there are threats, the armies are split according to the threats to both
    /// territories.
    pub(super) fn follow(&self, view: &View, options: &Options) -> Option<Action> {
        let (verb, [from, to, most]) = self.occupy(options)?;
        let territory = |number: i32| Territory::from_index(number as usize);
        let behind = threat(view, territory(from));
        let ahead = threat(view, territory(to));
        let count = if behind == 0 {
            i64::from(most)
        } else {
            i64::from(most) * ahead / (ahead + behind)
        };
        Some(Action::new(verb, &[from, to, count as i32]))
    }

    /// Places as many armies as possible on the territory with the highest worth. Territories
    /// without a worth are ignored, and free territories come before the player's own.
    pub(super) fn place(
        &self,
        view: &View,
        options: &Options,
        worth: impl Fn(Territory) -> Option<i64>,
    ) -> Option<Action> {
        let offer = offer_of(options, self.verbs.place)?;
        let at = place_for(view, territories(options, offer.slots()[0]), worth)?;
        Some(Action::new(
            offer.verb,
            &[at.number(), greatest(options, offer.slots()[1])],
        ))
    }

    /// Places armies in a phase that offers nothing else; see [`Heuristics::place`].
    pub(super) fn place_at_once(
        &self,
        view: &View,
        rules: &mut dyn RuleQueries,
        worth: impl Fn(Territory) -> Option<i64>,
    ) -> Option<Action> {
        let place = self.verbs.place?;
        let is_open = |at| view.mine(at) || view.owner(at).is_none();
        let worth = |at| if is_open(at) { worth(at) } else { None };
        let at = place_for(view, view.board().territories(), worth)?;
        match rules.bounds_of(place, &[at.number()]) {
            Bounds::Span { low, high } if low <= high => {
                Some(Action::new(place, &[at.number(), high]))
            }
            _ => None,
        }
    }

    pub(super) fn may_attack(&self, options: &Options) -> bool {
        self.verbs.attack.is_some_and(|attack| options.has(attack))
    }

    /// Returns the attack with the highest worth if its worth is at least `enough`, or if there is
    /// no alternative to attacking. In all other cases, returns the action that ends the attacks.
    pub(super) fn best_attack(
        &self,
        options: &Options,
        enough: f64,
        mut worth: impl FnMut(Territory, Territory) -> f64,
    ) -> Option<(f64, Action)> {
        let mut best: Option<(f64, Action)> = None;
        for (from, to, action) in self.attacks(options) {
            let worth = worth(from, to);
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, action));
            }
        }
        match (best, self.stop(options)) {
            (Some((worth, _)), Some(stop)) if worth < enough => Some((f64::NEG_INFINITY, stop)),
            (None, stop) => stop.map(|stop| (f64::NEG_INFINITY, stop)),
            (best, _) => best,
        }
    }

    pub(super) fn stop(&self, options: &Options) -> Option<Action> {
        let mut stops = self.verbs.stops.iter().flatten();
        let verb = stops.find(|&&verb| options.has(verb))?;
        Some(Action::new(*verb, &[]))
    }

    /// Returns all attacks that are offered, each with the maximum number of dice.
    pub(super) fn attacks<'a>(
        &self,
        options: &'a Options,
    ) -> impl Iterator<Item = (Territory, Territory, Action)> + 'a {
        let attack = self.verbs.attack;
        options
            .offers()
            .iter()
            .filter(move |offer| Some(offer.verb) == attack)
            .flat_map(move |offer| {
                let [from, to] = [offer.slots()[0], offer.slots()[1]];
                territories(options, from).flat_map(move |from| {
                    territories(options, to).map(move |to| {
                        let dice = offer.slots().get(2);
                        let most = dice.map_or(0, |&dice| greatest(options, dice));
                        let args = [from.number(), to.number(), most];
                        let action = Action::new(offer.verb, &args[..offer.slots().len()]);
                        (from, to, action)
                    })
                })
            })
    }

    /// Moves the largest stack that is not on a front to a neighbouring front, or else to its first
    /// neighbour. If there is no such move, returns the action that moves nothing.
    fn fortify(&self, view: &View, options: &Options) -> Option<Action> {
        self.move_or_stay(options, |to_move| regroup(view, to_move))
    }

    /// Returns this action if it is a legal move, or else the action that moves nothing.
    pub(super) fn move_or_stay(
        &self,
        options: &Options,
        action: impl FnOnce(Verb) -> Option<Action>,
    ) -> Option<Action> {
        let to_move = self.verbs.to_move?;
        let stay = self.stop(options)?;
        if !options.has(to_move) {
            return None;
        }
        let legal = action(to_move).filter(|&action| options.admit(action).is_ok());
        Some(legal.unwrap_or(stay))
    }

    /// Fortifies in a phase that offers a move, or this verb to end the phase; see
    /// [`Heuristics::fortify`].
    pub(super) fn fortify_at_once(
        &self,
        view: &View,
        rules: &mut dyn RuleQueries,
        stop: Verb,
    ) -> Option<Action> {
        let stay = Action::new(stop, &[]);
        rules.bounds_of(stop, &[]).admit(stay)?;
        let Some(action) = regroup(view, self.verbs.to_move?) else {
            return Some(stay);
        };
        match rules.bounds_of(action.verb, &action.args()[..2]) {
            Bounds::Unknown => None,
            bounds if bounds.admit(action).is_some() => Some(action),
            _ => Some(stay),
        }
    }
}

/// Returns the territory with the highest worth. Territories without a worth are ignored, and free
/// territories come before the player's own.
fn place_for(
    view: &View,
    territories: impl Iterator<Item = Territory>,
    worth: impl Fn(Territory) -> Option<i64>,
) -> Option<Territory> {
    let mut best: Option<(bool, i64, Territory)> = None;
    for at in territories {
        let free = !view.mine(at) && view.owner(at).is_none();
        if !free && best.is_some_and(|(free, ..)| free) {
            continue;
        }
        if let Some(worth) = worth(at)
            && best.is_none_or(|(of_free, most, _)| (free, worth) > (of_free, most))
        {
            best = Some((free, worth, at));
        }
    }
    best.map(|(.., at)| at)
}

/// Returns the move of the largest stack that is not on a front to a neighbouring front, or else to
/// its first neighbour.
fn regroup(view: &View, to_move: Verb) -> Option<Action> {
    let mut best: Option<(i32, Territory)> = None;
    for at in view.owned().filter(|&at| !is_front(view, at)) {
        let armies = armies(view, at);
        if armies > 1 && best.is_none_or(|(most, _)| armies > most) {
            best = Some((armies, at));
        }
    }
    let (armies, from) = best?;
    let mut friends = view.move_borders(from);
    let first = friends.clone().next();
    let front = friends.find(|&friend| is_front(view, friend)).or(first);
    front.map(|to| Action::new(to_move, &[from.number(), to.number(), armies - 1]))
}

/// Returns the first offer of a verb.
pub(super) fn offer_of(options: &Options, verb: Option<Verb>) -> Option<&Offer> {
    let mut offers = options.offers().iter();
    offers.find(|offer| Some(offer.verb) == verb)
}

#[inline]
pub(super) fn greatest(options: &Options, domain: Domain) -> i32 {
    options.value(domain, options.size(domain) - 1)
}

fn territories(options: &Options, domain: Domain) -> impl Iterator<Item = Territory> + '_ {
    (0..options.size(domain))
        .map(move |index| Territory::from_index(options.value(domain, index) as usize))
}

/// Reports whether a territory borders territories of other owners.
#[inline]
pub(super) fn is_front(view: &View, at: Territory) -> bool {
    if view.mine(at) {
        view.is_front(at)
    } else {
        view.attack_borders(at).any(|to| !view.mine(to))
    }
}

/// Returns the armies on a territory, or 0 if fog hides them.
#[inline]
pub(super) fn armies(view: &View, at: Territory) -> i32 {
    view.armies(at).unwrap_or(0)
}

/// Returns the armies of other owners next to a territory.
#[inline]
pub(super) fn threat(view: &View, at: Territory) -> i64 {
    view.bordering_units(at).unwrap_or(0)
}
