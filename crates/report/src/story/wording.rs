//! The names of a game's territories, players and units in the story, and nouns for numbers.

use std::sync::Arc;

use risk_engine::acts::{Act, Move};
use risk_kernel::action::Action;
use risk_kernel::board::Board;
use risk_kernel::declare::Declaration;
use risk_kernel::id::{Phase, Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::words::Words;
use risk_text::paint::{Paint, cut};

/// What texts about a game need: its board, its declarations and the names of its players.
#[derive(Debug)]
pub(super) struct Wording {
    board: Arc<Board>,
    pub(super) decl: Arc<Declaration>,
    pub(super) names: Vec<String>,
    pub(super) paint: Paint,
}

impl Wording {
    pub(super) fn new(game: &GameState, names: &[String], paint: Paint) -> Self {
        Self {
            board: Arc::clone(game.board()),
            decl: Arc::clone(game.decl()),
            names: names.to_vec(),
            paint,
        }
    }

    pub(super) fn words(&self) -> Words<'_> {
        Words::new(&self.board, &self.decl)
    }

    /// Returns the noun for a number of units of one kind.
    pub(super) fn kind_noun(&self, unit: Unit, count: i64) -> String {
        self.words().unit(unit, count)
    }

    /// Returns the noun after a space, or nothing if there is only one kind.
    pub(super) fn kind_word(&self, unit: Unit, count: i64) -> String {
        match self.decl.units.as_slice() {
            [_] => String::new(),
            _ => format!(" {}", self.kind_noun(unit, count)),
        }
    }

    /// Returns a territory's whole name.
    pub(super) fn name(&self, at: Territory) -> &str {
        &self.board.info(at).name
    }

    /// Returns a territory's name, cut to 24 columns.
    pub(super) fn place(&self, at: Territory) -> String {
        cut(self.name(at), 24)
    }

    /// Returns the sentence about an action.
    pub(super) fn sentence(&self, action: Action) -> String {
        self.words()
            .sentence_by(action, &|player| self.names[player.index()].clone())
    }

    /// Formats a move: `3 from Alaska to Alberta`.
    pub(super) fn move_text(&self, moved: &Move) -> String {
        let kind = self.kind_word(moved.unit, moved.count.into());
        let (from, to) = (self.place(moved.from), self.place(moved.to));
        format!("{}{kind} from {from} to {to}", moved.count)
    }

    /// Reports whether an action names both territories of a move.
    pub(super) fn names_move(&self, act: &Act, moved: &Move) -> bool {
        act.names(&self.decl, moved.from) && act.names(&self.decl, moved.to)
    }

    /// Returns the heading of a phase, if the ruleset has one. It begins with the name that
    /// screens show for the phase, so that both have the same name.
    pub(super) fn heading(&self, phase: Phase) -> Option<String> {
        let sentence = self.decl.sentences.of_phase(phase)?;
        let name = self.decl.phases[phase.index()].name.replace('_', " ");
        Some(match sentence.starts_with(&name) {
            true => sentence.to_owned(),
            false => format!("{name}: {sentence}"),
        })
    }

    /// Returns the form of a verb that fits a player: `you win`, `ann wins`.
    pub(super) fn verb<'v>(&self, player: Player, [you, other]: [&'v str; 2]) -> &'v str {
        match is_you(&self.names[player.index()]) {
            true => you,
            false => other,
        }
    }
}

/// Reports whether a player is named `you`. The name may be in colour.
pub(super) fn is_you(name: &str) -> bool {
    let plain = name
        .split('\u{1b}')
        .enumerate()
        .map(|(index, part)| match index {
            0 => part,
            _ => part.split_once('m').map_or("", |code| code.1),
        });
    plain.collect::<String>().eq_ignore_ascii_case("you")
}

/// Joins names: `A, B and C`.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns the places where a text has this word or these words, as whole words.
fn words_at<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let found = text.match_indices(word);
    let whole = found.filter(move |&(at, _)| {
        let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let behind = text[at + word.len()..].chars().next();
        !inside(text[..at].chars().next_back()) && !inside(behind)
    });
    whole.map(|found| found.0)
}

/// Reports whether a text has this word or these words, as whole words.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    words_at(text, word).next().is_some()
}

/// Returns a text with a noun after its number: `moves 2 forts from A to B`. Returns `None` if the
/// text has the number nowhere, or twice.
pub(super) fn with_noun(text: &str, count: i32, noun: &str) -> Option<String> {
    let count = count.to_string();
    let mut found = words_at(text, &count);
    let (at, None) = (found.next()?, found.next()) else {
        return None;
    };
    let (before, behind) = text.split_at(at + count.len());
    if has_word(behind, noun) {
        return Some(text.to_owned());
    }
    Some(format!("{before} {noun}{behind}"))
}
