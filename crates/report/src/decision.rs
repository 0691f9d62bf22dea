//! One decision as text: the player's view and the options.

use risk_kernel::action::Options;
use risk_kernel::event::Status;
use risk_kernel::id::{Counter, Player, Territory, Unit};
use risk_kernel::view::View;
use risk_kernel::words::Words;
use risk_text::names::name_column;
use risk_text::paint::Paint;
use risk_text::plural::counted;

/// The maximum number of options to list.
const SHOWN: u64 = 40;

/// Formats the board as the player sees it, followed by the options.
#[must_use]
pub fn text(view: &View, ask: &Options, names: &[String], paint: Paint) -> String {
    let mut lines = position(view, view, names, paint);
    let words = Words::new(view.board(), view.decl());
    lines.push(String::new());
    lines.push(paint.rule(&counted(ask.len(), "option")));
    let shown = (0..ask.len().min(SHOWN)).map(|number| words.action(ask.nth(number)));
    lines.extend(shown.map(|action| format!("  {action}")));
    if ask.len() > SHOWN {
        lines.push(paint.dim(&format!("  … and {} more", ask.len() - SHOWN)));
    }
    lines.join("\n")
}

/// Lists the territories by owner as the player sees them, with armies and counters. The counters
/// of other players are those in `others`.
#[must_use]
pub fn position(view: &View, others: &View, names: &[String], paint: Paint) -> Vec<String> {
    let mut lines = Vec::new();
    let hidden: Vec<Territory> = view
        .board()
        .territories()
        .filter(|&at| !view.sees_owner(at))
        .collect();
    let free = |at: &Territory| view.sees_owner(*at) && view.owner(*at).is_none();
    let free: Vec<Territory> = view.board().territories().filter(free).collect();
    let rest = [("nobody", free), ("hidden", hidden.clone())];
    let rest: Vec<_> = rest.iter().filter(|(_, all)| !all.is_empty()).collect();
    let players = (0..view.players()).map(|seat| names.get(seat).map_or("?", String::as_str));
    let heads = players.chain(rest.iter().map(|(name, _)| *name));
    let (_, heads) = name_column("", heads, paint.width / 3);
    let (players, others_heads) = heads.split_at(view.players());
    for (seat, head) in players.iter().enumerate() {
        let player = Player::from_index(seat);
        let territories = |at: &Territory| view.owner(*at) == Some(player);
        let territories: Vec<Territory> = view.board().territories().filter(territories).collect();
        let in_sight = if hidden.is_empty() || player == view.me() {
            ""
        } else {
            " in sight"
        };
        let is_out = view.status(player) == Status::Eliminated;
        let known = if territories.is_empty() && !in_sight.is_empty() && !is_out {
            "territories and armies unknown".to_owned()
        } else {
            let count = counted(territories.len(), "territory");
            format!("{count}{in_sight}, {}", armies_of(view, &territories))
        };
        let seen = if player == view.me() { view } else { others };
        let states = counters(seen, Some(player)).into_iter();
        let parts: Vec<String> = std::iter::once(known).chain(states).collect();
        let head = format!("{head}  ");
        let texts = paint.hang(&head, &parts.join(", ")).into_iter();
        lines.extend(texts.map(|line| paint.seat(seat, &line)));
        lines.extend(listed(view, &territories, paint));
    }
    for (head, (_, territories)) in others_heads.iter().zip(rest) {
        lines.push(format!(
            "{head}  {}, {}",
            counted(territories.len(), "territory"),
            armies_of(view, territories)
        ));
        lines.extend(listed(view, territories, paint));
    }
    lines
}

/// Replaces `player 2` in a ruleset's text by the name of that player.
#[must_use]
pub fn with_names(text: &str, names: &[String]) -> String {
    const WORD: &str = "player ";
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(WORD) {
        let (before, after) = rest.split_at(at);
        let number = &after[WORD.len()..];
        let number = &number[..number.len() - number.trim_start_matches(is_digit).len()];
        let seat = number
            .parse::<usize>()
            .ok()
            .and_then(|it| it.checked_sub(1));
        let is_word = !before.ends_with(char::is_alphanumeric);
        let name = seat.and_then(|seat| names.get(seat)).filter(|_| is_word);
        out += before;
        out += name.map_or(&after[..WORD.len() + number.len()], String::as_str);
        rest = &after[WORD.len() + number.len()..];
    }
    out + rest
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// Formats the visible counters of a player or of the table as the ruleset describes them.
#[must_use]
pub fn counters(view: &View, of: Option<Player>) -> Vec<String> {
    let words = Words::new(view.board(), view.decl());
    let all = (0..view.decl().counters.len()).map(Counter::from_index);
    let state = |counter| words.counter(counter, view.counter(counter, of)?);
    all.filter_map(state).collect()
}

/// Sums up the visible units of some territories by kind.
fn armies_of(view: &View, territories: &[Territory]) -> String {
    let words = Words::new(view.board(), view.decl());
    let kinds = (0..view.decl().units.len()).map(Unit::from_index);
    let counted_kinds = kinds.filter_map(|unit| {
        let kind = words.unit(unit, 2);
        let seen: Vec<i64> = territories
            .iter()
            .filter_map(|&at| view.units(at, unit))
            .map(i64::from)
            .collect();
        let sum: i64 = seen.iter().sum();
        let is_only = view.decl().units.len() == 1;
        let text = words.units(unit, sum);
        match territories.len() - seen.len() {
            0 if sum == 0 && !is_only => None,
            0 => Some(text),
            _ if seen.is_empty() => Some(format!("{kind} hidden")),
            unseen => Some(format!("{text}, plus hidden ones on {unseen} of them")),
        }
    });
    let parts: Vec<String> = counted_kinds.collect();
    if parts.is_empty() {
        "no units".to_owned()
    } else {
        parts.join(", ")
    }
}

/// Formats the visible units of a territory: a number, or with several kinds the number of each
/// kind, as in `3 armies + 1 fort`. A hidden number is `?`.
#[must_use]
pub fn units(view: &View, at: Territory) -> String {
    let kinds = &view.decl().units;
    let number = |kind: usize| {
        let units = view.units(at, Unit::from_index(kind));
        units.map_or_else(|| "?".to_owned(), |units| units.to_string())
    };
    if let [_] = kinds.as_slice() {
        return number(0);
    }
    let words = Words::new(view.board(), view.decl());
    let parts = (0..kinds.len()).filter_map(|kind| {
        let number = number(kind);
        let unit = words.unit(Unit::from_index(kind), number.parse().unwrap_or(2));
        (number != "0").then(|| format!("{number} {unit}"))
    });
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() {
        "0".to_owned()
    } else {
        parts.join(" + ")
    }
}

/// Returns the numbers of units of each kind on a territory as one number: that of the first kind
/// that is there, followed by `+` if there are others.
#[must_use]
pub fn short(kinds: impl IntoIterator<Item = i32>) -> String {
    let mut there = kinds.into_iter().filter(|&units| units > 0);
    let first = there.next().unwrap_or(0);
    let more = if there.next().is_some() { "+" } else { "" };
    format!("{first}{more}")
}

fn listed(view: &View, territories: &[Territory], paint: Paint) -> Vec<String> {
    let words = Words::new(view.board(), view.decl());
    let each = territories.iter().map(|&at| {
        let text = format!("{} {}", view.board().info(at).id, units(view, at));
        match words.marks(|mark| view.mark(at, mark)) {
            marks if marks.is_empty() => text,
            marks => format!("{text} ({})", marks.join(", ")),
        }
    });
    wrapped(each, paint.width)
}

fn wrapped(words: impl Iterator<Item = String>, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() + 2 <= width => {
                line.push_str(", ");
                line.push_str(&word);
            }
            _ => lines.push(format!("    {word}")),
        }
    }
    lines
}
