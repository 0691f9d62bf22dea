//! The standings of a round: territories, units and cards of each player.

use unicode_width::UnicodeWidthStr;

use super::fights::NARROW;
use risk_kernel::EventFold;
use risk_kernel::declare::Sight;
use risk_kernel::event::Status;
use risk_kernel::id::{Player, Unit};
use risk_kernel::state::GameState;
use risk_kernel::words::Words;
use risk_text::names::name_column;
use risk_text::paint::{Paint, bar};

/// Formats the standings in one or two lines per player. With `seen_by`, they show one player's
/// view, in which fog may hide land and armies of others.
pub(super) fn standings(
    game: &GameState,
    fold: &EventFold,
    names: &[String],
    seen_by: Option<Player>,
    paint: Paint,
) -> Vec<String> {
    let seats = || (0..names.len()).map(Player::from_index);
    let armies_most = seats()
        .map(|player| fold.strength(player))
        .sum::<i64>()
        .max(1) as f64;
    let (_, shown) = name_column("", names.iter(), paint.width / 4);
    let mut lines = Vec::new();
    for player in seats() {
        let note = match fold.status(player) {
            Status::Playing => {
                let is_minimum = hides(game, seen_by, player, game.decl().units_seen);
                let mut parts = forces(game, fold, player, is_minimum);
                let held = fold.held(game, player);
                parts.extend(held.into_iter().map(str::to_owned));
                parts.join(", ")
            }
            status => status.as_str().to_owned(),
        };
        let name = &shown[player.index()];
        let counts = land_and_armies(game, fold, player, armies_most, seen_by, paint);
        let text = format!("  {name}  {counts}  {note}");
        let whole = if text.trim_end().width() <= paint.width {
            vec![text]
        } else {
            paint.wrapped("", "      ", &text)
        };
        for line in whole.iter().map(|line| line.trim_end()) {
            lines.push(if fold.status(player) == Status::Eliminated {
                paint.dim(line)
            } else {
                paint.seat(player.index(), line)
            });
        }
    }
    lines
}

/// Formats a player's territories, armies and cards. Bars of the shares are added if they fit.
fn land_and_armies(
    game: &GameState,
    fold: &EventFold,
    player: Player,
    armies_most: f64,
    seen_by: Option<Player>,
    paint: Paint,
) -> String {
    let count = fold.owned(player).count();
    let is_out = fold.status(player) == Status::Eliminated;
    let hides = |sight| !is_out && hides(game, seen_by, player, sight);
    let decl = game.decl();
    let land = known(count as i64, hides(decl.owners_seen));
    let hand = game.decl().pile("hand");
    let cards = hand.map_or_else(String::new, |hand| {
        let cards = fold.pile(hand, Some(player)).len();
        let noun = if cards == 1 { "card" } else { "cards" };
        format!("  {cards:>2} {noun}")
    });
    if game.decl().units.len() > 1 {
        return format!("{land:>3} land{cards}");
    }
    let (land_columns, army_columns) = match paint.width {
        100.. => (16, 16),
        NARROW.. => (12, 0),
        _ => (0, 0),
    };
    let column = |share: f64, columns: usize| match columns {
        0 => String::new(),
        _ => format!(" {}", bar(share, columns)),
    };
    let strength = fold.strength(player);
    let armies = known(strength, hides(decl.units_seen));
    let land_bar = column(count as f64 / game.board().len() as f64, land_columns);
    let army_bar = column(strength as f64 / armies_most, army_columns);
    let noun = Words::new(game.board(), game.decl()).unit(Unit(0), strength);
    format!("{land:>3} land{land_bar} {armies:>4} {noun:<6}{army_bar}{cards}")
}

/// Reports whether fog may hide something of a player from the viewer.
fn hides(game: &GameState, viewer: Option<Player>, player: Player, sight: Sight) -> bool {
    let is_open = game.decl().owners_seen == Sight::All && sight == Sight::All;
    viewer.is_some_and(|viewer| viewer != player) && !is_open
}

/// Formats a number. If fog may hide a part, it is a minimum.
fn known(count: i64, is_minimum: bool) -> String {
    match count {
        0 if is_minimum => "?".to_owned(),
        count if is_minimum => format!("≥{count}"),
        count => count.to_string(),
    }
}

/// Formats a player's units by kind. One kind alone is in a column of its own.
fn forces(game: &GameState, fold: &EventFold, player: Player, is_minimum: bool) -> Vec<String> {
    if game.decl().units.len() == 1 {
        return Vec::new();
    }
    let kinds = (0..game.decl().units.len()).map(Unit::from_index);
    let counts = kinds.map(|unit| (fold.units_of(player, unit), unit));
    counts
        .filter(|row| row.0 > 0)
        .map(|(count, unit)| {
            let noun = Words::new(game.board(), game.decl()).unit(unit, count);
            format!("{} {noun}", known(count, is_minimum))
        })
        .collect()
}
