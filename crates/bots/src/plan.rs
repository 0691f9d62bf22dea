//! Plans of fights. The program turns a plan into single answers without calling the bot again.

use std::collections::VecDeque;

use risk_kernel::RuleQueries;
use risk_kernel::action::{Action, Bounds};
use risk_kernel::declare::Declaration;
use risk_kernel::id::{Territory, Verb};
use risk_kernel::view::View;

/// When a planned fight stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FightRules {
    /// The minimum number of armies that may fight. With fewer, the fight stops.
    pub keep: i32,
    /// The minimum lead of the attacker in armies. With a smaller lead, the fight stops. `None`
    /// sets no minimum.
    pub edge: Option<i32>,
    /// The number of armies that move in after a capture, limited by the rules; -1 for all.
    pub move_in: i32,
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
    Fight {
        from: Territory,
        to: Territory,
        rules: FightRules,
    },
    /// Fights until the rules allow no further fight. The first fight in map order comes first.
    Fights {
        rules: FightRules,
        now: Option<(Territory, Territory)>,
        start: Territory,
    },
    Say(Action),
}

/// Steps that are turned into single answers. Each answer must still be legal. A step ends when it
/// has become impossible. The whole plan ends if its step has no answer for the current decision.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    steps: VecDeque<Step>,
    /// The verbs `attack` with dice and `move`, if the ruleset has them.
    verbs: [Option<Verb>; 2],
}

/// The next answer of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextAnswer {
    /// The answer.
    Answer(Action),
    /// No answer is available until all options are known.
    Later,
    /// The plan is over.
    Nothing,
}

enum StepOutcome {
    Answer(Action),
    /// An action that ends the fight.
    Last(Action),
    Later,
    Over,
    /// The decision has nothing to do with the step.
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

    /// Plans to fight until the territory is taken or the rules of the fight stop it.
    #[must_use]
    pub fn fight(decl: &Declaration, from: Territory, to: Territory, rules: FightRules) -> Self {
        Self::new(decl, Step::Fight { from, to, rules })
    }

    /// Plans all fights that the rules of the fight allow, in the order of the map.
    #[must_use]
    pub fn fights(decl: &Declaration, rules: FightRules) -> Self {
        Self::new(
            decl,
            Step::Fights {
                rules,
                now: None,
                start: Territory(0),
            },
        )
    }

    /// Plans a single answer.
    #[must_use]
    pub fn say(decl: &Declaration, action: Action) -> Self {
        Self::new(decl, Step::Say(action))
    }

    /// Adds the steps of another plan, up to the limit of the turn loop.
    #[must_use]
    pub fn then(mut self, second: Self) -> Self {
        self.steps.extend(second.steps);
        self.steps.truncate(risk_kernel::MOST_STEPS);
        self
    }

    /// Returns the number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Reports whether no step is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the next answer. If no answer is available, the plan becomes empty.
    pub fn next(&mut self, view: &View, queries: &mut dyn RuleQueries) -> NextAnswer {
        while let Some(step) = self.steps.front_mut() {
            let (made, over) = match step {
                Step::Say(action) => (say(queries, *action), true),
                Step::Fight { from, to, rules } => {
                    (fight(view, queries, self.verbs, *from, *to, *rules), true)
                }
                Step::Fights { rules, now, start } => {
                    if now.is_none() {
                        *now = next_fight(view, *start, *rules);
                    }
                    if let Some((from, to)) = *now {
                        let made = fight(view, queries, self.verbs, from, to, *rules);
                        if matches!(made, StepOutcome::Last(_) | StepOutcome::Over) {
                            *start = first_touched(view, to);
                            *now = None;
                        }
                        (made, false)
                    } else {
                        (StepOutcome::Over, true)
                    }
                }
            };
            match made {
                StepOutcome::Answer(action) => return NextAnswer::Answer(action),
                StepOutcome::Later => return NextAnswer::Later,
                StepOutcome::Elsewhere => break,
                StepOutcome::Last(_) | StepOutcome::Over if over => drop(self.steps.pop_front()),
                StepOutcome::Last(_) | StepOutcome::Over => {}
            }
            if let StepOutcome::Last(action) = made {
                return NextAnswer::Answer(action);
            }
        }
        self.steps.clear();
        NextAnswer::Nothing
    }
}

/// Returns the first of the player's territories that a fight for `to` affects. This is `to` itself
/// or a territory that borders `to`.
fn first_touched(view: &View, to: Territory) -> Territory {
    let near = view.attack_borders_to(to).filter(|&at| view.mine(at));
    near.min().unwrap_or(to).min(to)
}

fn say(queries: &mut dyn RuleQueries, action: Action) -> StepOutcome {
    let given = &action.args()[..action.args().len().saturating_sub(1)];
    match queries.bounds_of(action.verb, given) {
        Bounds::Unknown => StepOutcome::Later,
        bounds if bounds.admit(action).is_some() => StepOutcome::Last(action),
        _ => StepOutcome::Elsewhere,
    }
}

fn goes_on(rules: FightRules, attackers: i32, defenders: i32) -> bool {
    attackers > rules.keep && rules.edge.is_none_or(|edge| attackers - defenders >= edge)
}

/// Returns the first fight that the rules allow, in map order starting at the player's territory
/// `start`.
fn next_fight(view: &View, start: Territory, rules: FightRules) -> Option<(Territory, Territory)> {
    let partners = view.partners();
    let is_ours = |at| view.owner(at).is_some_and(|owner| partners.has(owner));
    for from in view.owned_from(start) {
        let attackers = armies(view, from);
        if attackers <= rules.keep.max(1) || !view.is_front(from) {
            continue;
        }
        let fits = |to: &Territory| {
            !view.mine(*to) && !is_ours(*to) && goes_on(rules, attackers, armies(view, *to))
        };
        if let Some(to) = view.attack_borders(from).find(fits) {
            return Some((from, to));
        }
    }
    None
}

/// Returns the number of armies on a territory, or 0 if fog hides them.
fn armies(view: &View, at: Territory) -> i32 {
    view.armies(at).unwrap_or(0)
}

fn fight(
    view: &View,
    queries: &mut dyn RuleQueries,
    [attack, follow]: [Option<Verb>; 2],
    from: Territory,
    to: Territory,
    rules: FightRules,
) -> StepOutcome {
    let territories = [from.number(), to.number()];
    let act = |verb, count| Action::new(verb, &[territories[0], territories[1], count]);
    if view.mine(to) {
        let Some(follow) = follow else {
            return StepOutcome::Over;
        };
        return match queries.bounds_of(follow, &territories) {
            Bounds::Unknown => StepOutcome::Later,
            Bounds::Span { low, high } if low > high => StepOutcome::Over,
            Bounds::Span { high, .. } => {
                let count = if rules.move_in < 0 {
                    high
                } else {
                    rules.move_in.min(high)
                };
                StepOutcome::Last(act(follow, count))
            }
        };
    }
    let a = armies(view, from);
    let d = armies(view, to);
    if !view.mine(from) || !goes_on(rules, a, d) {
        return StepOutcome::Over;
    }
    let Some(attack) = attack else {
        return StepOutcome::Elsewhere;
    };
    match queries.bounds_of(attack, &territories) {
        Bounds::Unknown => StepOutcome::Later,
        Bounds::Span { low, high } if low > high => StepOutcome::Elsewhere,
        Bounds::Span { high, .. } => StepOutcome::Answer(act(attack, high)),
    }
}
