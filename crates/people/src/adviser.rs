//! Suggestions of answers for a person.

use std::collections::VecDeque;

use super::aims;
use super::offered::Offered;
use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::fault::BotFault;
use risk_kernel::id::Territory;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_kernel::{Aim, Answer, Bot};
use risk_text::escape_control;

/// The bots that suggest answers. They are asked once at each decision of the player, no matter how
/// the decision is made. Suggestions therefore depend only on the game and are the same in a
/// resumed game. A bot that searches is asked only when a suggestion is needed, and starts anew
/// each time.
///
/// A hint of another bot replaces the suggestions while the player follows it. It is not part of
/// the game: the bots that suggest answers don't learn of it, and a resumed game forgets it.
#[derive(Default)]
pub(super) struct Adviser {
    /// The name of the first bot, which is asked before all other bots.
    name: String,
    bots: Vec<HintBot>,
    /// The index of the bot that made the suggestion.
    by: usize,
    /// True if the bots have been asked at this decision, or if the player follows their steps.
    is_asked: bool,
    /// The suggestion and its next steps, while the player follows it.
    ahead: VecDeque<Action>,
    /// The hint of another bot and its next steps, while the player follows it.
    hinted: VecDeque<Action>,
    /// The territories of the hint that the player has seen at this decision.
    marked: Vec<Territory>,
}

/// A bot that suggests answers.
pub(super) struct HintBot {
    pub(super) bot: Box<dyn Bot>,
    /// True if the bot is made for the ruleset, so that its answers are more than guesses.
    pub(super) is_made_for_it: bool,
    /// True if an answer takes long, so that the bot is asked only when it is needed.
    pub(super) searches: bool,
}

impl HintBot {
    fn start(&mut self, view: &View) {
        let stream = Stream::new(0, 0, Purpose::Player(view.me().0));
        self.bot.start(view, stream);
    }
}

/// A hint in words.
pub(super) struct Hint {
    /// The sentence with the action and its next steps.
    pub(super) action: String,
    /// The line about what the bot is after, if it says so, or that it does not know the ruleset.
    pub(super) aim: Option<String>,
}

impl Adviser {
    pub(super) fn new(name: &str, bots: Vec<HintBot>) -> Self {
        Self {
            name: name.to_owned(),
            bots,
            ..Self::default()
        }
    }

    pub(super) fn start(&mut self, view: &View) {
        self.bots.iter_mut().for_each(|it| it.start(view));
    }

    pub(super) fn saw(&mut self, view: &View, event: &Event) {
        let listening = self.bots.iter_mut().map(|it| &mut it.bot);
        for bot in listening.filter(|bot| bot.preferences().listens) {
            bot.saw(view, event);
        }
    }

    /// Prepares a suggestion for the player's decision, unless this takes long.
    pub(super) fn consider(&mut self, view: &View, options: &Options) {
        self.marked.clear();
        let goes_on = |steps: &VecDeque<Action>| {
            let next = steps.front();
            next.is_some_and(|&next| options.admit(next).is_ok())
        };
        if !goes_on(&self.hinted) {
            self.hinted.clear();
        }
        self.is_asked = goes_on(&self.ahead);
        if !self.is_asked {
            self.ahead.clear();
        }
        if !self.searches() {
            self.ask(view, options);
        }
    }

    /// Returns true if a bot must search before there is a suggestion.
    pub(super) fn searches(&self) -> bool {
        !self.is_asked && self.bots.first().is_some_and(|it| it.searches)
    }

    fn ask(&mut self, view: &View, options: &Options) {
        if std::mem::replace(&mut self.is_asked, true) {
            return;
        }
        let all = self.bots.iter_mut().enumerate();
        let mut all = all.map(|(by, it)| {
            if it.searches {
                it.start(view);
            }
            (by, advice(&mut *it.bot, view, options))
        });
        let found = all.find(|(_, steps)| !steps.is_empty());
        let (by, steps) = found.unwrap_or_default();
        self.by = by;
        self.ahead = steps.into();
    }

    /// Returns the suggestion for this decision, if any bot has one. A hint of another bot comes
    /// first.
    pub(super) fn suggested(&mut self, view: &View, options: &Options) -> Option<Action> {
        if self.hinted.is_empty() {
            self.ask(view, options);
        }
        self.known()
    }

    /// Returns the suggestion for this decision, if it is already known.
    pub(super) fn known(&self) -> Option<Action> {
        self.hinted.front().or(self.ahead.front()).copied()
    }

    /// Returns the name of the first bot.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the territories of the last hint at this decision.
    pub(super) fn marked(&self) -> &[Territory] {
        &self.marked
    }

    /// Formats the adviser's own suggestion, which replaces the hint of another bot.
    pub(super) fn hint(&mut self, of: Offered<'_>) -> Hint {
        let view = of.view;
        self.hinted.clear();
        self.ask(view, of.options);
        let steps: Vec<Action> = self.ahead.iter().copied().collect();
        let bot = self.bots.get_mut(self.by);
        let is_made_for_it = bot.as_ref().is_none_or(|it| it.is_made_for_it);
        let aim = match (bot, steps.first()) {
            (Some(it), Some(&first)) => it.bot.aim(view, first),
            _ => Ok(None),
        };
        let name = self.name.clone();
        self.formatted(&name, &steps, aim, is_made_for_it, of)
    }

    /// Formats the hint of another bot, which becomes the suggestion for this decision.
    pub(super) fn hint_of(&mut self, name: &str, mut of_bot: HintBot, of: Offered<'_>) -> Hint {
        let view = of.view;
        of_bot.start(view);
        let steps = advice(&mut *of_bot.bot, view, of.options);
        let aim = steps
            .first()
            .map_or(Ok(None), |&first| of_bot.bot.aim(view, first));
        if !steps.is_empty() {
            self.hinted = steps.iter().copied().collect();
        }
        self.formatted(name, &steps, aim, of_bot.is_made_for_it, of)
    }

    /// Formats a hint, and marks its territories. It is a guess unless the bot is made for the
    /// ruleset.
    fn formatted(
        &mut self,
        name: &str,
        steps: &[Action],
        aim: Result<Option<Aim>, BotFault>,
        is_made_for_it: bool,
        of: Offered<'_>,
    ) -> Hint {
        let view = of.view;
        self.marked = steps
            .iter()
            .flat_map(|&step| aims::territories(view, step))
            .collect();
        if let Ok(Some(aim)) = &aim {
            self.marked.extend(aim.take.iter().chain(&aim.hold));
        }
        let aim = match aim {
            _ if !is_made_for_it => {
                let ruleset = escape_control(&view.decl().name);
                Some(format!("this is a guess: {name} is not made for {ruleset}"))
            }
            Ok(aim) => aim.map(|aim| aims::sentence(&aim, view, of.names)),
            // The fault may quote the script.
            Err(fault) => Some(format!("no aim: {}", escape_control(&fault.to_string()))),
        };
        Hint {
            action: steps_in_words(name, steps, view),
            aim,
        }
    }

    /// Records the player's action. Any action other than the suggested one drops the next steps.
    pub(super) fn heed(&mut self, action: Action) {
        for steps in [&mut self.ahead, &mut self.hinted] {
            if steps.pop_front() != Some(action) {
                steps.clear();
            }
        }
    }
}

/// Formats a bot's steps as a sentence.
fn steps_in_words(who: &str, steps: &[Action], view: &View) -> String {
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
fn advice(bot: &mut dyn Bot, view: &View, options: &Options) -> Vec<Action> {
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
