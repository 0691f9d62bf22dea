//! The lines of a story: a fight, a placement, the standings.

use unicode_width::UnicodeWidthStr;

use risk_kernel::EventFold;
use risk_kernel::action::Action;
use risk_kernel::declare::{Sight, SlotKind};
use risk_kernel::event::{Dice, FightRound, Status};
use risk_kernel::id::{Player, Territory, Unit};
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_text::paint::{Paint, bar, cut, pad};
use risk_text::plural::counted;

/// The columns of a fight's line that are not for its two territories and its dice.
const BESIDE: usize = 34;
/// The preferred number of columns for the dice of a fight.
const DICE: usize = 15;
/// The minimum width of a page with bars and with one-line fights, in columns.
pub(super) const NARROW: usize = 70;

#[derive(Debug)]
pub(super) struct PlayedAction {
    pub(super) player: Player,
    pub(super) action: Action,
    /// Whether a line about an effect already covers the action.
    pub(super) told: bool,
    pub(super) effects: Vec<String>,
    /// The territories that changed hands, with their new owners.
    pub(super) given: Vec<(Territory, Option<Player>)>,
}

impl PlayedAction {
    /// Returns the values of the action's parameters of this kind.
    pub(super) fn values(&self, game: &GameState, kind: SlotKind) -> Vec<i32> {
        let slots = &game.decl().verbs[self.action.verb.index()].slots;
        let values = slots
            .iter()
            .zip(self.action.args())
            .filter(|(slot, _)| slot.1 == kind);
        values.map(|(_, &value)| value).collect()
    }
}

#[derive(Debug)]
pub(super) struct OngoingFight {
    pub(super) player: Player,
    pub(super) from: Territory,
    pub(super) to: Territory,
    /// The first round, with the forces at the beginning of the fight.
    pub(super) first: FightRound,
    pub(super) lost: i32,
    pub(super) killed: i32,
    /// The losses by kind, of the attacker and of the defender.
    pub(super) losses: [Vec<(Unit, i32)>; 2],
    pub(super) rounds: Vec<(Dice, Dice)>,
    pub(super) captured: bool,
    /// Whether the defender has lost the territory, and nobody owns it.
    pub(super) emptied: bool,
    /// Whether there was an answer after the capture.
    pub(super) followed: bool,
    pub(super) moved: i32,
}

impl OngoingFight {
    /// Formats the forces. With dice, whole armies fight round after round; without dice, only the
    /// armies sent.
    fn numbers(&self) -> String {
        let FightRound {
            attackers,
            standing,
            defenders,
            ..
        } = self.first;
        if self.rounds.is_empty() && attackers < standing {
            format!("{attackers} of {standing} v {defenders}")
        } else {
            format!("{standing} v {defenders}")
        }
    }

    /// Reports whether only the attacker rolled dice and nobody hit back.
    pub(super) fn is_volley(&self) -> bool {
        let alone = |(_, defend): &(Dice, Dice)| defend.values().is_empty();
        !self.rounds.is_empty() && self.rounds.iter().all(alone) && self.lost == 0
    }

    /// Returns the number of columns for the forces.
    fn room(&self) -> usize {
        if self.rounds.is_empty() { 13 } else { 8 }
    }

    /// Returns the headers of the columns of such fights.
    pub(super) fn caption(&self, paint: Paint) -> String {
        let room = self.room();
        let dice = if self.rounds.is_empty() { "" } else { "dice" };
        let lands = pad("attack", lands_width(paint));
        format!(
            "    {lands} {:<room$} {:<7} {:<12} {dice}",
            "armies", "losses", "land"
        )
        .trim_end()
        .to_owned()
    }

    /// Formats the fight as lines without indentation.
    pub(super) fn lines(&self, game: &GameState, paint: Paint) -> Vec<String> {
        if self.is_volley() {
            return vec![self.volley(game, paint)];
        }
        let mut lines = self.columns(game, paint);
        lines.extend(self.kinds_lost(game).map(|text| format!("  {text}")));
        lines
    }

    /// Formats the fight in columns, or in two lines on a narrow page.
    fn columns(&self, game: &GameState, paint: Paint) -> Vec<String> {
        let name = |at: Territory| game.board().info(at).name.as_str();
        let room = self.room();
        let numbers = self.numbers();
        let losses = format!("−{} −{}", self.lost, self.killed);
        let outcome = if self.captured {
            format!("taken, {} in", self.moved)
        } else if self.emptied {
            "emptied".to_owned()
        } else {
            "held".to_owned()
        };
        let result = |width: usize| {
            if self.captured || self.emptied {
                paint.good(&pad(&outcome, width))
            } else {
                paint.bad(&pad(&outcome, width))
            }
        };
        if paint.width < NARROW {
            let lands = pair(
                name(self.from),
                name(self.to),
                paint.width.saturating_sub(4),
            );
            let width = outcome.width();
            let dice = dice_text(
                &self.rounds,
                paint
                    .width
                    .saturating_sub(numbers.width() + losses.width() + width + 9),
            );
            let rest = format!(
                "  {numbers} {losses} {} {}",
                result(width),
                paint.dim(&dice)
            );
            return vec![lands, rest.trim_end().to_owned()];
        }
        let width = lands_width(paint);
        let lands = pad(&pair(name(self.from), name(self.to), width), width);
        let dice = dice_text(&self.rounds, paint.width.saturating_sub(width + BESIDE));
        let line = format!(
            "{lands} {numbers:<room$} {losses:<7} {} {}",
            result(12),
            paint.dim(&dice)
        );
        vec![line.trim_end().to_owned()]
    }

    /// Formats the losses by kind if they are not all of the first kind.
    fn kinds_lost(&self, game: &GameState) -> Option<String> {
        let [lost, killed] = &self.losses;
        let other = |(unit, _): &(Unit, i32)| unit.index() > 0;
        if !lost.iter().chain(killed).any(other) {
            return None;
        }
        let text = |losses| match by_kind(game, losses).as_slice() {
            [] => "nothing".to_owned(),
            kinds => kinds.join(", "),
        };
        Some(format!("loses {} for {}", text(lost), text(killed)))
    }

    /// Formats the dice of an attack that is not answered, and their hits.
    fn volley(&self, game: &GameState, paint: Paint) -> String {
        let dice: Vec<String> = self
            .rounds
            .iter()
            .flat_map(|round| round.0.values())
            .map(ToString::to_string)
            .collect();
        let hits = by_kind(game, &self.losses[1]);
        let mut result = if !hits.is_empty() {
            paint.good(&format!("hits {}", hits.join(", ")))
        } else if self.killed > 0 {
            paint.good(&counted(self.killed, "hit"))
        } else {
            paint.bad("no hit")
        };
        if self.captured {
            let taken = format!(", taken, {} in", self.moved);
            result += &paint.good(&taken);
        }
        let from = place(game, self.from);
        let to = place(game, self.to);
        format!(
            "attacks {to} from {from} with {}: {result}",
            paint.dim(&dice.join(" "))
        )
    }
}

/// Formats numbers of units by kind: `2 tie`, `1 xwing`.
fn by_kind(game: &GameState, losses: &[(Unit, i32)]) -> Vec<String> {
    let kinds = game.decl().units.iter().enumerate();
    let sums = kinds.map(|(index, kind)| {
        let of_kind = losses.iter().filter(|(unit, _)| unit.index() == index);
        (of_kind.map(|(_, count)| count).sum::<i32>(), kind)
    });
    sums.filter(|(sum, _)| *sum > 0)
        .map(|(sum, kind)| format!("{sum} {kind}"))
        .collect()
}

/// Returns the name of a kind of unit after a number, or nothing if there is only one kind.
pub(super) fn kind_word(game: &GameState, unit: Unit) -> String {
    match game.decl().units.as_slice() {
        [_] => String::new(),
        kinds => format!(" {}", kinds[unit.index()]),
    }
}

/// Formats the units of one kind that a player placed in succession.
pub(super) fn placement(game: &GameState, paint: Paint, placing: &Placing) -> String {
    let sum: i64 = placing.placed.iter().map(|placed| placed.1).sum();
    let kind = kind_word(game, placing.unit);
    let sum = paint.good(&format!("+{sum}{kind}"));
    match placing.placed.as_slice() {
        [(at, _)] => format!("{sum} in {}", place(game, *at)),
        placed => {
            let list: Vec<String> = placed
                .iter()
                .map(|&(at, units)| format!("{units} in {}", place(game, at)))
                .collect();
            format!("{sum}: {}", list.join(", "))
        }
    }
}

/// Units of one kind that a player places in succession.
#[derive(Debug)]
pub(super) struct Placing {
    pub(super) player: Player,
    pub(super) unit: Unit,
    pub(super) placed: Vec<(Territory, i64)>,
}

/// Formats the standings in one or two lines per player. With `as_seen`, they show one player's
/// view.
pub(super) fn standings(
    game: &GameState,
    fold: &EventFold,
    names: &[String],
    as_seen: bool,
    paint: Paint,
) -> Vec<String> {
    let seats = || (0..names.len()).map(Player::from_index);
    let armies_most = seats()
        .map(|player| fold.strength(player))
        .sum::<i64>()
        .max(1) as f64;
    let widths = names.iter().map(|name| name.width());
    let width = widths.max().unwrap_or(0).min(16);
    let mut lines = Vec::new();
    for player in seats() {
        let note = match fold.status(player) {
            Status::Playing => {
                let mut parts = forces(game, fold, player);
                let held = fold.held(game, player);
                parts.extend(held.into_iter().map(str::to_owned));
                parts.join(", ")
            }
            status => status.as_str().to_owned(),
        };
        let name = pad(&names[player.index()], width);
        let counts = land_and_armies(game, fold, player, armies_most, as_seen, paint);
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
    as_seen: bool,
    paint: Paint,
) -> String {
    let count = fold.owned(player).count();
    let is_out = fold.status(player) == Status::Eliminated;
    // A count of 0 may be hidden from the viewer.
    let hides = |sight| as_seen && sight != Sight::All && !is_out;
    let decl = game.decl();
    let land = match count {
        0 if hides(decl.owners_seen) => "?".to_owned(),
        count => count.to_string(),
    };
    let hand = game.decl().pile("hand");
    let cards = hand.map_or_else(String::new, |hand| {
        let cards = fold.cards(hand, Some(player));
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
    let armies = match strength {
        0 if hides(decl.units_seen) => "?".to_owned(),
        strength => strength.to_string(),
    };
    let land_bar = column(count as f64 / game.board().len() as f64, land_columns);
    let army_bar = column(strength as f64 / armies_most, army_columns);
    format!("{land:>3} land{land_bar} {armies:>4} armies{army_bar}{cards}")
}

/// Formats a player's units by kind. One kind alone is in a column of its own.
fn forces(game: &GameState, fold: &EventFold, player: Player) -> Vec<String> {
    if game.decl().units.len() == 1 {
        return Vec::new();
    }
    let kinds = game.decl().units.iter().enumerate();
    let counts = kinds.map(|(index, kind)| (fold.units_of(player, Unit::from_index(index)), kind));
    counts
        .filter(|row| row.0 > 0)
        .map(|(count, kind)| format!("{count} {kind}"))
        .collect()
}

/// Returns a territory's name, cut to 24 columns.
pub(super) fn place(game: &GameState, at: Territory) -> String {
    cut(&game.board().info(at).name, 24)
}

fn lands_width(paint: Paint) -> usize {
    paint.width.saturating_sub(BESIDE + DICE).clamp(20, 50)
}

/// Fits two names into `width` columns. The longer name is cut first.
fn pair(from: &str, to: &str, width: usize) -> String {
    let room = width.saturating_sub(3);
    let half = room / 2;
    let left = from.width().min(half.max(room.saturating_sub(to.width())));
    format!("{} → {}", cut(from, left), cut(to, room - left))
}

/// Formats the dice of as many rounds as fit: `652|41 531|6`.
fn dice_text(rounds: &[(Dice, Dice)], room: usize) -> String {
    let mut text = String::new();
    for (index, (attack, defend)) in rounds.iter().enumerate() {
        let sorted = |dice: &Dice| {
            let mut values = dice.values().to_vec();
            values.sort_unstable_by(|a, b| b.cmp(a));
            values
                .iter()
                .map(u8::to_string)
                .collect::<Vec<_>>()
                .concat()
        };
        let round = format!("{}|{} ", sorted(attack), sorted(defend));
        let left = rounds.len() - index;
        let more = format!("… +{left}");
        if text.width() + round.width() + if left > 1 { more.width() } else { 0 } > room {
            if room >= more.width() + text.width() {
                text.push_str(&more);
            }
            break;
        }
        text.push_str(&round);
    }
    text.trim_end().to_owned()
}

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

/// Describes the winners and the reason in a sentence.
#[must_use]
pub fn ending(winners: &[String], why: &str, paint: Paint) -> String {
    match winners {
        [] => format!("{}: {why}", paint.bold("Nobody wins")),
        [one] => format!("{one} {}: {why}", paint.bold("wins")),
        many => format!(
            "{} {}: {why}",
            many.join(" and "),
            paint.bold("share the win")
        ),
    }
}
