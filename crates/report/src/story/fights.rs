//! The lines of a story about fights.

use unicode_width::UnicodeWidthStr;

use super::wording::{Wording, listed};
use risk_engine::acts::{Fight, FightResult, Roll};
use risk_kernel::action::Action;
use risk_kernel::declare::FightMethod;
use risk_kernel::event::FightRound;
use risk_kernel::id::{Player, Unit};
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

/// A fight as one or several actions led to it.
#[derive(Debug)]
pub(super) struct NarratedFight {
    pub(super) player: Player,
    /// The action of a scripted fight, and its sentence.
    pub(super) sentence: Option<(Action, String)>,
    pub(super) fight: Fight,
    /// Whether there was an answer after the capture.
    pub(super) followed: bool,
}

impl NarratedFight {
    /// Reports whether `later` is the next rounds of the same fight. Without dice, each attack is a
    /// separate order.
    pub(super) fn goes_on(&self, later: &Self) -> bool {
        let action = |it: &Self| it.sentence.as_ref().map(|sentence| sentence.0);
        self.fight.goes_on(&later.fight)
            && action(self) == action(later)
            && !later.fight.rolls().is_empty()
    }

    pub(super) fn is_taken(&self) -> bool {
        self.fight.result == FightResult::Taken
    }

    pub(super) fn is_held(&self) -> bool {
        self.fight.result == FightResult::Held
    }

    /// Formats the forces. With dice, whole armies fight round after round; without dice, only the
    /// armies sent.
    pub(super) fn numbers(&self) -> String {
        let FightRound {
            attackers,
            standing,
            defenders,
            ..
        } = self.fight.rounds[0].0;
        if self.fight.rolls().is_empty() && attackers < standing {
            format!("{attackers} of {standing} v {defenders}")
        } else {
            format!("{standing} v {defenders}")
        }
    }

    /// Reports whether only the attacker rolled dice and nobody hit back.
    pub(super) fn is_volley(&self) -> bool {
        let rolls = self.fight.rolls();
        let alone = |roll: &Roll| roll.defend.is_empty();
        !rolls.is_empty() && rolls.iter().all(alone) && self.fight.lost()[0] == 0
    }

    /// Returns the number of columns for the forces. `last` is that of the last table. A fight
    /// without dice, for an empty territory, is in a table of fights with dice if it fits there.
    pub(super) fn room(&self, wording: &Wording, last: Option<usize>) -> usize {
        let is_dice = match last {
            Some(room) => room == WITH_DICE,
            None => wording.decl.fights() == Some(FightMethod::Dice),
        };
        let fits = is_dice && self.numbers().width() <= WITH_DICE;
        if !self.fight.rolls().is_empty() || fits {
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
    pub(super) fn lines(&self, wording: &Wording, room: usize) -> Vec<String> {
        if self.is_volley() {
            return vec![self.volley(wording)];
        }
        if let Some((_, sentence)) = &self.sentence {
            return vec![self.in_words(wording, sentence)];
        }
        let mut lines = self.columns(wording, room);
        lines.extend(self.kinds_lost(wording).map(|text| format!("  {text}")));
        lines
    }

    /// Reports whether the story has a sentence for the fight instead of columns.
    pub(super) fn has_sentence(&self) -> bool {
        self.is_volley() || self.sentence.is_some()
    }

    /// Formats what became of the territory.
    fn outcome(&self) -> String {
        match self.fight.result {
            FightResult::Taken => format!("taken, {} in", self.fight.moved),
            FightResult::Emptied => "emptied".to_owned(),
            FightResult::Held => "held".to_owned(),
        }
    }

    /// Formats the outcome in the colour of its side.
    fn painted_outcome(&self, paint: Paint, width: usize) -> String {
        let outcome = pad(&self.outcome(), width);
        match self.is_held() {
            true => paint.bad(&outcome),
            false => paint.good(&outcome),
        }
    }

    /// Formats the fight as the sentence of its action and the outcome.
    fn in_words(&self, wording: &Wording, sentence: &str) -> String {
        let paint = wording.paint;
        let losses = self
            .kinds_lost(wording)
            .unwrap_or_else(|| match self.fight.lost() {
                [0, 0] => "no losses".to_owned(),
                [lost, killed] => format!("loses {lost} for {killed}"),
            });
        let outcome = self.painted_outcome(paint, self.outcome().width());
        let dice = match dice_text(&self.fight.rolls(), DICE) {
            dice if dice.is_empty() => dice,
            dice => paint.dim(&format!(", dice {dice}")),
        };
        format!("{sentence}: {}, {losses}, {outcome}{dice}", self.numbers())
    }

    /// Formats the fight in columns, or in two lines on a narrow page.
    fn columns(&self, wording: &Wording, room: usize) -> Vec<String> {
        let paint = wording.paint;
        let rolls = self.fight.rolls();
        let [from, to] = [self.fight.from, self.fight.to].map(|at| wording.name(at));
        let numbers = self.numbers();
        let [lost, killed] = self.fight.lost();
        let losses = format!("−{lost} −{killed}");
        let outcome = self.outcome().width();
        if paint.width < NARROW {
            let lands = pair(from, to, paint.width.saturating_sub(4));
            let beside = numbers.width() + losses.width() + outcome + 9;
            let dice = paint.dim(&dice_text(&rolls, paint.width.saturating_sub(beside)));
            let result = self.painted_outcome(paint, outcome);
            let rest = format!("  {numbers} {losses} {result} {dice}");
            return vec![lands, rest.trim_end().to_owned()];
        }
        let width = lands_width(paint);
        let lands = pad(&pair(from, to, width), width);
        let wide = outcome.max(OUTCOME);
        let beside = width + BESIDE + wide - OUTCOME;
        let dice = paint.dim(&dice_text(&rolls, paint.width.saturating_sub(beside)));
        let result = self.painted_outcome(paint, wide);
        let line = format!("{lands} {numbers:<room$} {losses:<7} {result} {dice}");
        vec![line.trim_end().to_owned()]
    }

    /// Formats the losses by kind if they are not all of the first kind, and all are known.
    fn kinds_lost(&self, wording: &Wording) -> Option<String> {
        let [lost, killed] = &self.fight.losses;
        let sum = |losses: &[(Unit, i32)]| losses.iter().map(|loss| loss.1).sum::<i32>();
        if [sum(lost), sum(killed)] != self.fight.lost() {
            return None;
        }
        let other = |(unit, _): &(Unit, i32)| unit.index() > 0;
        if !lost.iter().chain(killed).any(other) {
            return None;
        }
        let text = |losses| match by_kind(wording, losses) {
            none if none.is_empty() => "nothing".to_owned(),
            kinds => listed(&kinds),
        };
        Some(format!("loses {} for {}", text(lost), text(killed)))
    }

    /// Formats the dice of an attack that is not answered, and their hits.
    fn volley(&self, wording: &Wording) -> String {
        let paint = wording.paint;
        let fight = &self.fight;
        let hits = by_kind(wording, &fight.losses[1]);
        let killed = fight.lost()[1];
        let mut result = if !hits.is_empty() {
            paint.good(&format!("hits {}", hits.join(", ")))
        } else if killed > 0 {
            paint.good(&counted(killed, "hit"))
        } else {
            paint.bad("no hit")
        };
        if !self.is_held() {
            result += &paint.good(&format!(", {}", self.outcome()));
        }
        let sentence = match &self.sentence {
            Some((_, sentence)) => sentence.clone(),
            None => self.attack(wording),
        };
        let rolls = fight.rolls();
        let dice: Vec<String> = rolls.iter().map(|roll| joined(&roll.attack, " ")).collect();
        // Separate rolls may be those of both sides.
        let (with, between) = match rolls.iter().any(|roll| roll.is_of_either) {
            true => (", dice", ", "),
            false => (" with", " "),
        };
        let dice = paint.dim(&dice.join(between));
        format!("{sentence}{with} {dice}: {result}")
    }

    /// Formats the attack without its outcome.
    fn attack(&self, wording: &Wording) -> String {
        let [from, to] = [self.fight.from, self.fight.to].map(|at| wording.place(at));
        format!("attacks {to} from {from}")
    }

    /// Formats the whole fight as one sentence.
    pub(super) fn text(&self, wording: &Wording) -> String {
        match &self.sentence {
            _ if self.is_volley() => self.volley(wording),
            Some((_, sentence)) => self.in_words(wording, sentence),
            None => self.in_words(wording, &self.attack(wording)),
        }
    }
}

/// Formats numbers of units by kind: `2 TIE fighters`, `1 X-wing`.
fn by_kind(wording: &Wording, losses: &[(Unit, i32)]) -> Vec<String> {
    let kinds = wording.decl.units.iter().enumerate();
    let sums = kinds.map(|(index, _)| {
        let of_kind = losses.iter().filter(|(unit, _)| unit.index() == index);
        let sum: i32 = of_kind.map(|(_, count)| count).sum();
        (sum, wording.kind_noun(Unit::from_index(index), sum.into()))
    });
    sums.filter(|(sum, _)| *sum > 0)
        .map(|(sum, kind)| format!("{sum} {kind}"))
        .collect()
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

fn joined(dice: &[u8], between: &str) -> String {
    let dice: Vec<String> = dice.iter().map(u8::to_string).collect();
    dice.join(between)
}

/// Formats the dice of as many rolls as fit: `652|41 531|6`.
fn dice_text(rolls: &[Roll], room: usize) -> String {
    let mut text = String::new();
    for (index, roll) in rolls.iter().enumerate() {
        let sorted = |dice: &[u8]| {
            let mut dice = dice.to_vec();
            dice.sort_unstable_by(|a, b| b.cmp(a));
            joined(&dice, "")
        };
        let attack = sorted(&roll.attack);
        let roll = match roll.is_of_either {
            true => format!("{attack} "),
            false => format!("{attack}|{} ", sorted(&roll.defend)),
        };
        let left = rolls.len() - index;
        let more = format!("… +{left}");
        if text.width() + roll.width() + if left > 1 { more.width() } else { 0 } > room {
            if room >= more.width() + text.width() {
                text.push_str(&more);
            }
            break;
        }
        text.push_str(&roll);
    }
    text.trim_end().to_owned()
}
