//! The policy that plays imagined games on: it tries some options of each kind and takes the one
//! whose kind has done best.

use std::cell::RefCell;
use std::rc::Rc;

use super::learned_moves::{LearnedMoves, kind};
use risk_kernel::action::{Action, Options};
use risk_kernel::fault::BotFault;
use risk_kernel::id::Verb;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, RuleQueries};

/// The number of options drawn from all options.
const DRAWN: u64 = 3;

#[derive(Clone)]
pub(super) struct LightPolicy {
    learned: Rc<RefCell<LearnedMoves>>,
    rng: Stream,
}

impl LightPolicy {
    pub(super) fn new(learned: &Rc<RefCell<LearnedMoves>>) -> Self {
        Self {
            learned: Rc::clone(learned),
            rng: Stream::new(0, 0, Purpose::Player(0)),
        }
    }

    /// Returns the policy with other random numbers.
    pub(super) fn with_seed(&self, seed: u64) -> Self {
        Self {
            learned: Rc::clone(&self.learned),
            rng: Stream::new(seed, 1, Purpose::Player(0)),
        }
    }

    /// Notes an action that was not chosen by the policy.
    pub(super) fn note(&self, view: &View, action: &Action) {
        let kind = kind(view, action);
        self.learned.borrow_mut().note(view.me(), kind);
    }

    fn best_of(&mut self, view: &View, tried: impl IntoIterator<Item = Action>) -> Option<Action> {
        let mut learned = self.learned.borrow_mut();
        let mut best: Option<(f64, u16, Action)> = None;
        for action in tried {
            let kind = kind(view, &action);
            let noise = self.rng.below(2_001) as f64 / 1_000.0 - 1.0;
            let value = learned.estimate(kind, noise);
            if best.is_none_or(|best| value > best.0) {
                best = Some((value, kind, action));
            }
        }
        let (_, kind, action) = best?;
        learned.note(view.me(), kind);
        Some(action)
    }

    /// Chooses among the options.
    pub(super) fn choose(&mut self, view: &View, options: &Options) -> Action {
        if !self.learned.borrow().knows() {
            let action = options.nth(self.rng.below(options.len()));
            self.note(view, &action);
            return action;
        }
        let tried = samples(options, &mut self.rng, 1, DRAWN);
        let first = tried[0];
        self.best_of(view, tried).unwrap_or(first)
    }
}

/// Draws options: some for each verb, and some of all.
pub(super) fn samples(
    options: &Options,
    rng: &mut Stream,
    of_verb: u64,
    of_all: u64,
) -> Vec<Action> {
    let mut verbs: Vec<(Verb, u64)> = Vec::new();
    for offer in options.offers() {
        let size = options.offer_len(offer);
        match verbs.iter_mut().find(|(verb, _)| *verb == offer.verb) {
            Some((_, total)) => *total += size,
            None => verbs.push((offer.verb, size)),
        }
    }
    let mut tried = Vec::new();
    if verbs.len() > 1 {
        for (verb, total) in verbs {
            for _ in 0..total.min(of_verb) {
                let mut number = rng.below(total);
                for offer in options.offers().iter().filter(|offer| offer.verb == verb) {
                    let size = options.offer_len(offer);
                    if number < size {
                        tried.push(options.nth_of(offer, &mut number));
                        break;
                    }
                    number -= size;
                }
            }
        }
    }
    let all = options.len();
    if all <= of_all {
        tried.extend((0..all).map(|number| options.nth(number)));
    } else {
        tried.extend((0..of_all).map(|_| options.nth(rng.below(all))));
    }
    tried
}

impl Bot for LightPolicy {
    fn start(&mut self, _: &View, rng: Stream) {
        self.rng = rng;
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        Ok(Answer::One(self.choose(view, options)))
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        let mut tried = Vec::with_capacity(2 * DRAWN as usize);
        for _ in 0..DRAWN {
            tried.push(rules.draw(&mut self.rng)?);
        }
        let verbs = &view.decl().verbs;
        let plain: Vec<Verb> = rules.verbs().to_vec();
        for verb in plain {
            let action = Action::new(verb, &[]);
            if verbs[verb.index()].slots.is_empty()
                && rules.bounds_of(verb, &[]).admit(action).is_some()
            {
                tried.push(action);
            }
        }
        self.best_of(view, tried)
    }
}
