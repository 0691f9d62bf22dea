//! The lines of a story: a fight, a placement, an ending.

use unicode_width::UnicodeWidthStr;

use super::changes::Changes;
use super::nouns::{kind_noun, kind_word, listed, place};
use risk_kernel::action::Action;
use risk_kernel::declare::{Declaration, FightMethod, SlotKind};
use risk_kernel::event::{Dice, FightRound};
use risk_kernel::id::{Player, Territory, Unit};
use risk_kernel::outcome::Outcome;
use risk_kernel::state::GameState;
use risk_text::paint::{Paint, cut, pad};
use risk_text::plural::counted;

/// The columns for what became of a territory, unless it needs more.
const OUTCOME: usize = 12;
/// The columns of a fight's line that are not for its two territories and its dice.
const BESIDE: usize = 34;
/// The columns for the forces in tables with dice, and for those of sent armies without dice.
const WITH_DICE: usize = 8;
const WITHOUT_DICE: usize = 13;
/// The preferred number of columns for the dice of a fight.
const DICE: usize = 15;
/// The minimum width of a page with bars and with one-line fights, in columns.
pub(super) const NARROW: usize = 70;

/// How important a text is in the short form, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// It is never left out.
    Must,
    /// A message of the ruleset.
    Said,
    /// An action or its effects.
    Act,
    /// Left out of the short form.
    Aside,
}

/// A text that is written after the action, placement or fight that it belongs to.
#[derive(Debug)]
pub(super) struct Note {
    pub(super) player: Option<Player>,
    pub(super) text: String,
    pub(super) rank: Rank,
}

/// Units that moved between two territories.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) from: Territory,
    pub(super) to: Territory,
    pub(super) unit: Unit,
    pub(super) count: i32,
}

impl Move {
    pub(super) fn new(from: Territory, to: Territory, unit: Unit, count: i32) -> Self {
        Self {
            from,
            to,
            unit,
            count,
        }
    }

    /// Formats the move: `3 from Alaska to Alberta`.
    pub(super) fn text(self, game: &GameState) -> String {
        let Self { from, to, .. } = self;
        let kind = kind_word(game, self.unit, self.count.into());
        format!(
            "{}{kind} from {} to {}",
            self.count,
            place(game, from),
            place(game, to)
        )
    }
}

#[derive(Debug)]
pub(super) struct PlayedAction {
    pub(super) player: Player,
    pub(super) action: Action,
    /// Whether a script executes the action.
    pub(super) scripted: bool,
    /// Whether the action is one of several orders that were announced before their effects.
    pub(super) in_batch: bool,
    /// Whether the action is an order that was given earlier.
    pub(super) is_order: bool,
    /// Whether a line about an effect already covers the action.
    pub(super) told: bool,
    pub(super) moves: Vec<Move>,
    /// Whether the moves take a free territory or leave one without an owner, so that the short
    /// form has them too.
    pub(super) walks: bool,
    pub(super) changes: Changes,
    /// The number of armies added to the player's reserve.
    pub(super) reserve: i64,
    pub(super) notes: Vec<Note>,
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

    /// Reports whether the action names this territory.
    pub(super) fn names(&self, game: &GameState, at: Territory) -> bool {
        self.values(game, SlotKind::Territory)
            .contains(&at.number())
    }

    /// Reports whether nothing has come of the action so far.
    pub(super) fn is_bare(&self) -> bool {
        !self.told && self.moves.is_empty() && self.changes.is_empty() && self.reserve == 0
    }
}

#[derive(Debug)]
pub(super) struct OngoingFight {
    pub(super) player: Player,
    /// The action of a scripted fight, and its sentence.
    pub(super) sentence: Option<(Action, String)>,
    pub(super) from: Territory,
    pub(super) to: Territory,
    /// The first round, with the forces at the beginning of the fight.
    pub(super) first: FightRound,
    pub(super) lost: i32,
    pub(super) killed: i32,
    /// Whether the action that led to the last round still goes on.
    pub(super) open: bool,
    /// The losses of the last round that no change of units has shown yet.
    pub(super) owed: [i32; 2],
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
    /// Begins a fight with this round.
    pub(super) fn new(
        player: Player,
        round: FightRound,
        sentence: Option<(Action, String)>,
    ) -> Self {
        Self {
            player,
            sentence,
            from: round.from,
            to: round.to,
            first: round,
            lost: 0,
            killed: 0,
            open: true,
            owed: [0, 0],
            losses: [Vec::new(), Vec::new()],
            rounds: Vec::new(),
            captured: false,
            emptied: false,
            followed: false,
            moved: 0,
        }
    }

    /// Counts a loss of units on a territory as one of the announced losses. Returns how many it
    /// explains.
    pub(super) fn take_loss(&mut self, at: Territory, unit: Unit, lost: i32) -> i32 {
        let side = match at {
            at if at == self.from => 0,
            at if at == self.to => 1,
            _ => return 0,
        };
        let explained = lost.min(self.owed[side]).max(0);
        if explained > 0 {
            self.owed[side] -= explained;
            self.losses[side].push((unit, explained));
        }
        explained
    }

    /// Formats the forces. With dice, whole armies fight round after round; without dice, only the
    /// armies sent.
    pub(super) fn numbers(&self) -> String {
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

    /// Returns the number of columns for the forces. `last` is that of the last table. A fight
    /// without dice, for an empty territory, is in a table of fights with dice if it fits there.
    pub(super) fn room(&self, decl: &Declaration, last: Option<usize>) -> usize {
        let is_dice = match last {
            Some(room) => room == WITH_DICE,
            None => decl.fights() == Some(FightMethod::Dice),
        };
        let fits = is_dice && self.numbers().width() <= WITH_DICE;
        if !self.rounds.is_empty() || fits {
            WITH_DICE
        } else {
            WITHOUT_DICE
        }
    }

    /// Returns the headers of the columns of fights with this room for the forces.
    pub(super) fn caption(room: usize, paint: Paint) -> String {
        let dice = if room == WITH_DICE { "dice" } else { "" };
        let lands = pad("attack", lands_width(paint));
        format!(
            "    {lands} {:<room$} {:<7} {:<12} {dice}",
            "armies", "losses", "land"
        )
        .trim_end()
        .to_owned()
    }

    /// Formats the fight as lines without indentation.
    pub(super) fn lines(&self, game: &GameState, room: usize, paint: Paint) -> Vec<String> {
        if self.is_volley() {
            return vec![self.volley(game, paint)];
        }
        if let Some((_, sentence)) = &self.sentence {
            return vec![self.in_words(game, sentence, paint)];
        }
        let mut lines = self.columns(game, room, paint);
        lines.extend(self.kinds_lost(game).map(|text| format!("  {text}")));
        lines
    }

    /// Reports whether the story has a sentence for the fight instead of columns.
    pub(super) fn has_sentence(&self) -> bool {
        self.is_volley() || self.sentence.is_some()
    }

    /// Formats what became of the territory.
    fn outcome(&self) -> String {
        if self.captured {
            format!("taken, {} in", self.moved)
        } else if self.emptied {
            "emptied".to_owned()
        } else {
            "held".to_owned()
        }
    }

    /// Formats the fight as the sentence of its action and the outcome.
    fn in_words(&self, game: &GameState, sentence: &str, paint: Paint) -> String {
        let losses = self
            .kinds_lost(game)
            .unwrap_or_else(|| match [self.lost, self.killed] {
                [0, 0] => "no losses".to_owned(),
                [lost, killed] => format!("loses {lost} for {killed}"),
            });
        let outcome = self.outcome();
        let outcome = if self.captured || self.emptied {
            paint.good(&outcome)
        } else {
            paint.bad(&outcome)
        };
        let dice = match dice_text(&self.rounds, DICE) {
            dice if dice.is_empty() => dice,
            dice => paint.dim(&format!(", dice {dice}")),
        };
        format!("{sentence}: {}, {losses}, {outcome}{dice}", self.numbers())
    }

    /// Formats the fight in columns, or in two lines on a narrow page.
    fn columns(&self, game: &GameState, room: usize, paint: Paint) -> Vec<String> {
        let name = |at: Territory| game.board().info(at).name.as_str();
        let numbers = self.numbers();
        let losses = format!("−{} −{}", self.lost, self.killed);
        let outcome = self.outcome();
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
        let wide = outcome.width().max(OUTCOME);
        let beside = width + BESIDE + wide - OUTCOME;
        let dice = dice_text(&self.rounds, paint.width.saturating_sub(beside));
        let line = format!(
            "{lands} {numbers:<room$} {losses:<7} {} {}",
            result(wide),
            paint.dim(&dice)
        );
        vec![line.trim_end().to_owned()]
    }

    /// Formats the losses by kind if they are not all of the first kind, and all are known.
    fn kinds_lost(&self, game: &GameState) -> Option<String> {
        let [lost, killed] = &self.losses;
        let sum = |losses: &[(Unit, i32)]| losses.iter().map(|loss| loss.1).sum::<i32>();
        if [sum(lost), sum(killed)] != [self.lost, self.killed] {
            return None;
        }
        let other = |(unit, _): &(Unit, i32)| unit.index() > 0;
        if !lost.iter().chain(killed).any(other) {
            return None;
        }
        let text = |losses| match by_kind(game, losses) {
            none if none.is_empty() => "nothing".to_owned(),
            kinds => listed(&kinds),
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
        } else if self.emptied {
            result += &paint.good(", emptied");
        }
        let sentence = self.sentence.as_ref().map_or_else(
            || {
                let from = place(game, self.from);
                format!("attacks {} from {from}", place(game, self.to))
            },
            |(_, sentence)| sentence.clone(),
        );
        format!("{sentence} with {}: {result}", paint.dim(&dice.join(" ")))
    }
}

/// Formats numbers of units by kind: `2 TIE fighters`, `1 X-wing`.
fn by_kind(game: &GameState, losses: &[(Unit, i32)]) -> Vec<String> {
    let kinds = game.decl().units.iter().enumerate();
    let sums = kinds.map(|(index, _)| {
        let of_kind = losses.iter().filter(|(unit, _)| unit.index() == index);
        let sum: i32 = of_kind.map(|(_, count)| count).sum();
        (sum, kind_noun(game, Unit::from_index(index), sum.into()))
    });
    sums.filter(|(sum, _)| *sum > 0)
        .map(|(sum, kind)| format!("{sum} {kind}"))
        .collect()
}

/// Formats the units of one kind that a player placed in succession.
pub(super) fn placement(game: &GameState, paint: Paint, placing: &Placing) -> String {
    let sum: i64 = placing.placed.iter().map(|placed| placed.1).sum();
    let kind = kind_word(game, placing.unit, sum);
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
#[derive(Clone, Debug)]
pub(super) struct Placing {
    pub(super) player: Player,
    pub(super) unit: Unit,
    pub(super) placed: Vec<(Territory, i64)>,
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

/// The kinds of chance that a game has used: dice, and chances in percent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chances {
    pub(super) dice: bool,
    pub(super) percent: bool,
}

impl Chances {
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
