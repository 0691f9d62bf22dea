//! Names of territories and phases, and nouns of units, in the story.

use risk_kernel::declare::Declaration;
use risk_kernel::id::{Phase, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::words::Words;
use risk_text::paint::cut;

/// Returns the noun for a number of units of one kind.
pub(super) fn kind_noun(game: &GameState, unit: Unit, count: i64) -> String {
    Words::new(game.board(), game.decl()).unit(unit, count)
}

/// Returns the noun after a space, or nothing if there is only one kind.
pub(super) fn kind_word(game: &GameState, unit: Unit, count: i64) -> String {
    match game.decl().units.as_slice() {
        [_] => String::new(),
        _ => format!(" {}", kind_noun(game, unit, count)),
    }
}

/// Returns a territory's name, cut to 24 columns.
pub(super) fn place(game: &GameState, at: Territory) -> String {
    cut(&game.board().info(at).name, 24)
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

/// Returns the heading of a phase, if the ruleset has one. It begins with the name that screens
/// show for the phase, so that both have the same name.
pub(super) fn heading(decl: &Declaration, phase: Phase) -> Option<String> {
    let sentence = decl.sentences.of_phase(phase)?;
    let name = decl.phases[phase.index()].name.replace('_', " ");
    Some(match sentence.starts_with(&name) {
        true => sentence.to_owned(),
        false => format!("{name}: {sentence}"),
    })
}
