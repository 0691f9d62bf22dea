//! Suggestions of answers for a person.

use std::collections::VecDeque;

use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_kernel::{Answer, Bot};

/// The bots that suggest answers. They are asked once at each decision of the player, no matter how
/// the decision is made. Suggestions therefore depend only on the game and are the same in a
/// resumed game.
#[derive(Default)]
pub(super) struct Adviser {
    /// The name of the first bot, which is asked before all other bots.
    name: String,
    bots: Vec<Box<dyn Bot>>,
    /// The suggestion and its next steps, while the player follows it.
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

    pub(super) fn start(&mut self, view: &View) {
        for bot in &mut self.bots {
            bot.start(view, Stream::new(0, 0, Purpose::Player(view.me().0)));
        }
    }

    pub(super) fn saw(&mut self, view: &View, event: &Event) {
        for bot in self.bots.iter_mut().filter(|bot| bot.preferences().listens) {
            bot.saw(view, event);
        }
    }

    /// Prepares a suggestion for the player's decision.
    pub(super) fn consider(&mut self, view: &View, options: &Options) {
        let goes_on = self.ahead.front();
        if goes_on.is_some_and(|&next| options.admit(next).is_ok()) {
            return;
        }
        let all = self.bots.iter_mut();
        let mut all = all.map(|bot| advice(&mut **bot, view, options));
        let steps = all.find(|steps| !steps.is_empty());
        self.ahead = steps.unwrap_or_default().into();
    }

    /// Returns the suggestion for this decision, if any bot has one.
    pub(super) fn suggested(&self) -> Option<Action> {
        self.ahead.front().copied()
    }

    /// Formats the suggestion and its next steps as a sentence.
    pub(super) fn hint(&self, view: &View) -> String {
        let steps: Vec<Action> = self.ahead.iter().copied().collect();
        told(&self.name, &steps, view)
    }

    /// Records the player's action. Any action other than the suggested one drops the next steps.
    pub(super) fn heed(&mut self, action: Action) {
        if self.ahead.pop_front() != Some(action) {
            self.ahead.clear();
        }
    }
}

/// Formats a bot's steps as a sentence.
pub(super) fn told(who: &str, steps: &[Action], view: &View) -> String {
    let words = Words::new(view.board(), view.decl());
    let steps: Vec<String> = steps.iter().map(|&step| words.action(step)).collect();
    match steps.split_first() {
        None => "no hint for this decision".to_owned(),
        Some((first, [])) => format!("{who} would play `{first}`"),
        Some((first, rest)) => {
            format!("{who} would play `{first}`, then {}", rest.join(", "))
        }
    }
}

/// Returns the bot's answer and its next steps, or an empty list if the answer is not possible.
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
