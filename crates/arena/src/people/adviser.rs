//! Who suggests answers to a person.

use std::collections::VecDeque;

use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_kernel::{Answer, Bot};

/// Who suggests answers. It is asked once at each decision of its player, whoever makes it in the
/// end: so its plans follow from the game alone, and a game that is taken up again has the same.
#[derive(Default)]
pub(super) struct Adviser {
    /// The name of the first one, who is asked before all others.
    name: String,
    bots: Vec<Box<dyn Bot>>,
    /// What is suggested, and how it goes on while it is followed.
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
        for bot in self.bots.iter_mut().filter(|bot| bot.preferences().listens) {
            bot.saw(view, event);
        }
    }

    /// The player is about to decide here.
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

    /// What is to be done at this decision; nothing where nobody has an idea.
    pub(super) fn suggested(&self) -> Option<Action> {
        self.ahead.front().copied()
    }

    /// The same with how it goes on, as a sentence.
    pub(super) fn hint(&self, view: &View) -> String {
        let steps: Vec<Action> = self.ahead.iter().copied().collect();
        told(&self.name, &steps, view)
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
