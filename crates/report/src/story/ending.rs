//! How a game ended, and what its chances are called.

use super::wording::is_you;
use risk_kernel::declare::{Declaration, FightMethod};
use risk_kernel::event::Event;
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_text::paint::Paint;

/// A page that is wide enough for any sentence on one line.
pub const ONE_LINE: Paint = Paint {
    colour: false,
    width: 10_000,
};

/// Describes how a game ended: the winners and the reason.
#[must_use]
pub fn ended(game: &GameState, outcome: &Outcome, names: &[String], paint: Paint) -> String {
    let winners = outcome.winners.iter();
    let winners: Vec<String> = winners.map(|it| names[it.index()].clone()).collect();
    let why = game.decl().sentences.of_ending(&outcome.reason);
    ending(&winners, why, paint)
}

/// The kinds of chance that a game has used: dice, and chances in percent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ChanceKinds {
    dice: bool,
    percent: bool,
}

impl ChanceKinds {
    pub(super) const fn take(&mut self, event: &Event) {
        self.dice |= matches!(event, Event::Rolled { .. });
        self.percent |= matches!(event, Event::Tried { .. });
    }

    /// Returns the noun for what `battle_rounds` counts. `is_whole` means that all events of the
    /// game were seen; otherwise, scripts may have used other chances before.
    pub(super) fn noun(self, decl: &Declaration, is_whole: bool) -> &'static str {
        let known = decl.fights();
        let dice = self.dice || known == Some(FightMethod::Dice);
        let percent = self.percent || known == Some(FightMethod::Percent);
        match [dice, percent] {
            [true, false] if is_whole || known.is_some() => "dice round",
            [false, true] if is_whole || known.is_some() => "chance roll",
            _ => "random roll",
        }
    }
}

/// Describes the winners and the reason in a sentence.
#[must_use]
pub fn ending(winners: &[String], why: &str, paint: Paint) -> String {
    match winners {
        [] => format!("{}: {why}", paint.bold("Nobody wins")),
        [one] => {
            let wins = if is_you(one) { "win" } else { "wins" };
            format!("{one} {}: {why}", paint.bold(wins))
        }
        many => format!(
            "{} {}: {why}",
            many.join(" and "),
            paint.bold("share the win")
        ),
    }
}
