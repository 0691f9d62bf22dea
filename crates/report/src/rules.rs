//! The rules of a ruleset as text for players.

use risk_kernel::declare::Declaration;
use risk_text::paint::Paint;

/// Formats the rules. Without such a text, formats the phases of a turn and the endings that the
/// ruleset declares.
#[must_use]
pub fn text(decl: &Declaration, paint: Paint) -> Vec<String> {
    let rules = &decl.sentences.rules;
    if rules.is_empty() {
        return declared(decl, paint);
    }
    let mut lines: Vec<String> = Vec::new();
    for paragraph in paragraphs(rules) {
        match paragraph {
            Paragraph::Break => lines.push(String::new()),
            Paragraph::Item(text) => lines.extend(paint.hang("  - ", &text)),
            Paragraph::Text(text) => {
                let text = match headed(&text) {
                    Some((head, rest)) => format!("{}{rest}", paint.bold(head)),
                    None => text,
                };
                lines.extend(paint.indented(&text));
            }
        }
    }
    lines
}

/// A part of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Paragraph {
    /// An empty line.
    Break,
    /// A line of a list, without its `- `.
    Item(String),
    /// Running text. The lines of the script are joined.
    Text(String),
}

/// Splits the rules into paragraphs at empty lines, and into items at lines that begin with `- `.
#[must_use]
pub fn paragraphs(rules: &str) -> Vec<Paragraph> {
    let mut all: Vec<Paragraph> = Vec::new();
    for line in rules.lines().map(str::trim) {
        match (line.strip_prefix("- "), all.last_mut()) {
            _ if line.is_empty() => {
                if !matches!(all.last(), None | Some(Paragraph::Break)) {
                    all.push(Paragraph::Break);
                }
            }
            (Some(item), _) => all.push(Paragraph::Item(item.trim_start().to_owned())),
            (None, Some(Paragraph::Item(text) | Paragraph::Text(text))) => {
                text.push(' ');
                text.push_str(line);
            }
            (None, _) => all.push(Paragraph::Text(line.to_owned())),
        }
    }
    all
}

/// Splits a paragraph that begins with one word and a colon, as in `Goal: hold everything`.
#[must_use]
pub fn headed(text: &str) -> Option<(&str, &str)> {
    let end = text.find(':')? + 1;
    let (head, rest) = text.split_at(end);
    (!head.contains(' ') && rest.starts_with(' ')).then_some((head, rest))
}

fn declared(decl: &Declaration, paint: Paint) -> Vec<String> {
    let text = format!("The ruleset `{}` has no text of its rules.", decl.name);
    let mut lines = paint.indented(&text);
    let turn = decl.turn_names();
    let phases: Vec<String> = turn.map(|phase| phase.replace('_', " ")).collect();
    if !phases.is_empty() {
        let text = format!("The phases of a turn: {}.", phases.join(", "));
        lines.extend(paint.indented(&text));
    }
    let endings = &decl.sentences.endings;
    if !endings.is_empty() {
        lines.extend(paint.indented("The game ends when:"));
        let endings = endings.values();
        lines.extend(endings.flat_map(|ending| paint.hang("  - ", ending)));
    }
    lines
}
