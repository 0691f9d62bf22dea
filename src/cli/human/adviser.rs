//! Who suggests answers to a person.

use std::collections::VecDeque;

use crate::kernel::action::{Action, Options};
use crate::kernel::event::Event;
use crate::kernel::rng::{Purpose, Stream};
use crate::kernel::view::View;
use crate::kernel::words::Words;
use crate::kernel::{Answer, Bot};

/// Who suggests answers.
#[derive(Default)]
pub(super) struct Adviser {
    /// The name of the first one, who is asked before all others.
    name: String,
    bots: Vec<Box<dyn Bot>>,
    /// How the last suggestion goes on, while it is followed.
    ahead: VecDeque<Action>,
}

impl Adviser {
    pub(super) fn new(name: &str, bots: Vec<Box<dyn Bot>>) -> Self {
        Self {
            name: name.to_owned(),
            bots,
            ahead: VecDeque::new(),
        }
    }

    /// A game begins.
    pub(super) fn start(&mut self, view: &View) {
        for bot in &mut self.bots {
            bot.start(view, Stream::new(0, 0, Purpose::Player(view.me().0)));
        }
    }

    /// Something has happened.
    pub(super) fn saw(&mut self, view: &View, event: &Event) {
        for bot in self.bots.iter_mut().filter(|bot| bot.listens()) {
            bot.saw(view, event);
        }
    }

    /// What the first of them would do here, with how it would go on, as a sentence.
    pub(super) fn hint(&mut self, view: &View, options: &Options) -> String {
        let steps = self.steps(view, options);
        told(&self.name, &steps, view)
    }

    /// What is to be done here and then; empty where nobody has an idea.
    fn steps(&mut self, view: &View, options: &Options) -> Vec<Action> {
        let goes_on = self.ahead.front();
        if goes_on.is_some_and(|&next| options.admit(next).is_ok()) {
            return self.ahead.iter().copied().collect();
        }
        let all = self.bots.iter_mut();
        let mut all = all.map(|bot| advice(&mut **bot, view, options));
        let steps = all.find(|steps| !steps.is_empty()).unwrap_or_default();
        self.ahead = steps.iter().copied().collect();
        steps
    }

    pub(super) fn suggest(&mut self, view: &View, options: &Options) -> Option<Action> {
        self.steps(view, options).first().copied()
    }

    /// The player does this: a suggestion goes on only where it is what was suggested.
    pub(super) fn heed(&mut self, action: Action) {
        if self.ahead.pop_front() != Some(action) {
            self.ahead.clear();
        }
    }
}

/// What a bot would do here, with how it would go on, as a sentence.
pub(super) fn told(who: &str, steps: &[Action], view: &View) -> String {
    let words = Words::new(view.board(), view.decl());
    let steps: Vec<String> = steps.iter().map(|&step| words.action(step)).collect();
    match steps.split_first() {
        None => "nobody has a hint here".to_owned(),
        Some((first, [])) => format!("{who} would say `{first}`"),
        Some((first, rest)) => {
            format!("{who} would say `{first}`, and then {}", rest.join(", "))
        }
    }
}

/// What a bot would say here: its answer, and how it would go on.
pub(super) fn advice(bot: &mut dyn Bot, view: &View, options: &Options) -> Vec<Action> {
    let quick = bot.try_next(view, &mut &*options);
    if let Some(action) = quick.filter(|&action| options.admit(action).is_ok()) {
        return vec![action];
    }
    let steps = match bot.answer(view, options) {
        Ok(Answer::One(action)) => vec![action],
        Ok(Answer::Steps(steps)) => steps,
        Err(_) => Vec::new(),
    };
    match steps.first() {
        Some(&first) if options.admit(first).is_ok() => steps,
        _ => Vec::new(),
    }
}
