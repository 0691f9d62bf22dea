//! Plans of fights: what a bot wants to do, turned into single answers without asking
//! the bot again.

use std::collections::VecDeque;

use risk_kernel::action::{Action, Bounds};
use risk_kernel::declare::Declaration;
use risk_kernel::id::{Territory, Verb};
use risk_kernel::view::View;

/// When a fight stops, and what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FightRules {
    /// It stops when fewer armies than this may fight.
    pub(crate) keep: i32,
    /// It stops when the attacker has not this many armies more than the defender.
    pub(crate) edge: Option<i32>,
    /// How many armies follow after a capture, as far as they may; -1 for all.
    pub(crate) move_in: i32,
}

impl Default for FightRules {
    fn default() -> Self {
        Self {
            keep: 1,
            edge: None,
            move_in: -1,
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    /// From here to there.
    Fight {
        from: Territory,
        to: Territory,
        rules: FightRules,
    },
    /// Wherever the rules let a fight go on, the first in the order of the map
    /// first, until nowhere.
    Fights {
        rules: FightRules,
        now: Option<(Territory, Territory)>,
        start: Territory,
    },
    /// One action, answered once.
    Say(Action),
}

/// What the last parameter of a verb may be, given those before it.
pub(crate) type BoundsOf<'a> = &'a mut dyn FnMut(Verb, &[i32]) -> Bounds;

/// Steps that are turned into single answers, each of which must still be admitted. A step that has
/// become impossible is over; where a step has nothing to say about what is asked, the plan is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    steps: VecDeque<Step>,
    /// `attack` with dice and `move`, where the ruleset has them.
    verbs: [Option<Verb>; 2],
}

/// What a plan says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// An action, which is said now.
    Answer(Action),
    /// Nothing until all options are known.
    Later,
    /// Nothing any more: the plan is over.
    Nothing,
}

/// What a fight says.
enum Move {
    Answer(Action),
    /// Say this; the fight is over then.
    Last(Action),
    Later,
    /// The fight is over.
    Over,
    /// This ask is about something else.
    Elsewhere,
}

impl Plan {
    fn new(decl: &Declaration, step: Step) -> Self {
        let find = |name| {
            decl.verb(name)
                .filter(|verb| decl.verbs[verb.index()].slots.len() == 3)
        };
        Self {
            steps: VecDeque::from([step]),
            verbs: ["attack", "move"].map(find),
        }
    }

    /// Attacks from one territory on another for as long as the rules of the fight say.
    pub(crate) fn fight(
        decl: &Declaration,
        from: Territory,
        to: Territory,
        rules: FightRules,
    ) -> Self {
        Self::new(decl, Step::Fight { from, to, rules })
    }

    /// One fight after the other.
    pub(crate) fn fights(decl: &Declaration, rules: FightRules) -> Self {
        Self::new(
            decl,
            Step::Fights {
                rules,
                now: None,
                start: Territory(0),
            },
        )
    }

    /// A plan of one action and nothing after it.
    pub(crate) fn say(decl: &Declaration, action: Action) -> Self {
        Self::new(decl, Step::Say(action))
    }

    pub(crate) fn then(mut self, second: Self) -> Self {
        self.steps.extend(second.steps);
        self.steps.truncate(risk_kernel::turn_loop::MOST_STEPS);
        self
    }

    /// How many steps are left.
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The next answer. Where the plan has nothing more to say it is empty afterwards.
    pub(crate) fn next(&mut self, view: &View, bounds_of: BoundsOf<'_>) -> Next {
        while let Some(step) = self.steps.front_mut() {
            let (made, over) = match step {
                Step::Say(action) => (say(bounds_of, *action), true),
                Step::Fight { from, to, rules } => {
                    (fight(view, bounds_of, self.verbs, *from, *to, *rules), true)
                }
                Step::Fights { rules, now, start } => {
                    if now.is_none() {
                        *now = next_fight(view, *start, *rules);
                    }
                    if let Some((from, to)) = *now {
                        let made = fight(view, bounds_of, self.verbs, from, to, *rules);
                        if matches!(made, Move::Last(_) | Move::Over) {
                            *start = first_touched(view, to);
                            *now = None;
                        }
                        (made, false)
                    } else {
                        (Move::Over, true)
                    }
                }
            };
            match made {
                Move::Answer(action) => return Next::Answer(action),
                Move::Later => return Next::Later,
                Move::Elsewhere => break,
                Move::Last(_) | Move::Over if over => drop(self.steps.pop_front()),
                Move::Last(_) | Move::Over => {}
            }
            if let Move::Last(action) = made {
                return Next::Answer(action);
            }
        }
        self.steps.clear();
        Next::Nothing
    }
}

/// The first of the player's territories for which a fight on `to` changed something: itself, and
/// whatever borders it.
fn first_touched(view: &View, to: Territory) -> Territory {
    let sources = view.board().sources(to).iter().copied();
    let near = sources.filter(|&at| view.mine(at));
    near.min().unwrap_or(to).min(to)
}

fn say(bounds_of: BoundsOf<'_>, action: Action) -> Move {
    let given = &action.args()[..action.args().len().saturating_sub(1)];
    match bounds_of(action.verb, given) {
        Bounds::Unknown => Move::Later,
        bounds if bounds.admit(action).is_some() => Move::Last(action),
        _ => Move::Elsewhere,
    }
}

/// May a fight between so many armies go on?
fn goes_on(rules: FightRules, attackers: i32, defenders: i32) -> bool {
    attackers > rules.keep && rules.edge.is_none_or(|edge| attackers - defenders >= edge)
}

/// The first fight in the order of the map, from one's own land `start` on, that the
/// rules let begin.
fn next_fight(view: &View, start: Territory, rules: FightRules) -> Option<(Territory, Territory)> {
    let partners = view.partners();
    let is_ours = |at| view.owner(at).is_some_and(|owner| partners.has(owner));
    for from in view.owned_from(start) {
        let attackers = armies(view, from);
        if attackers <= rules.keep.max(1) || !view.is_front(from) {
            continue;
        }
        let fits = |to: &&Territory| {
            !view.mine(**to) && !is_ours(**to) && goes_on(rules, attackers, armies(view, **to))
        };
        if let Some(&to) = view.board().neighbours(from).iter().find(fits) {
            return Some((from, to));
        }
    }
    None
}

/// Armies that fog hides count nothing.
fn armies(view: &View, at: Territory) -> i32 {
    view.armies(at).unwrap_or(0)
}

fn fight(
    view: &View,
    bounds_of: BoundsOf<'_>,
    [attack, follow]: [Option<Verb>; 2],
    from: Territory,
    to: Territory,
    rules: FightRules,
) -> Move {
    let territories = [from.number(), to.number()];
    let act = |verb, count| Action::new(verb, &[territories[0], territories[1], count]);
    if view.mine(to) {
        let Some(follow) = follow else {
            return Move::Over;
        };
        return match bounds_of(follow, &territories) {
            Bounds::Unknown => Move::Later,
            Bounds::Span { low, high } if low > high => Move::Over,
            Bounds::Span { high, .. } => {
                let count = if rules.move_in < 0 {
                    high
                } else {
                    rules.move_in.min(high)
                };
                Move::Last(act(follow, count))
            }
        };
    }
    let a = armies(view, from);
    let d = armies(view, to);
    if !view.mine(from) || !goes_on(rules, a, d) {
        return Move::Over;
    }
    let Some(attack) = attack else {
        return Move::Elsewhere;
    };
    match bounds_of(attack, &territories) {
        Bounds::Unknown => Move::Later,
        Bounds::Span { low, high } if low > high => Move::Elsewhere,
        Bounds::Span { high, .. } => Move::Answer(act(attack, high)),
    }
}
