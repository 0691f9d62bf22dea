//! A game as a readable story. It knows the verbs that mean the same in every ruleset and shows all
//! others in their own words.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::paint::{Paint, bar, cut, pad};
use crate::kernel::Sink;
use crate::kernel::action::Action;
use crate::kernel::declare::SlotKind;
use crate::kernel::event::{Dice, Event, Status};
use crate::kernel::id::{Continent, Player, Territory, Unit};
use crate::kernel::outcome::Outcome;
use crate::kernel::state::Game;
use crate::kernel::words::Words;

/// Columns of a fight's line beside its two territories and its dice.
const BESIDE: usize = 34;
/// Columns that the dice of a fight would like to have.
const DICE: usize = 15;

/// Tells a game to a writer. The first error is kept and told at the end.
#[derive(Debug)]
pub struct Story<W: Write> {
    out: W,
    paint: Paint,
    names: Vec<String>,
    error: Option<io::Error>,
    round: u32,
    /// The player whose name was last put before a line.
    shown: Option<Player>,
    claimed: u32,
    mustered: i64,
    income: i64,
    placed: Vec<(Territory, i64)>,
    placing: Option<Player>,
    fight: Option<FightLine>,
}

#[derive(Debug)]
struct FightLine {
    who: Player,
    from: Territory,
    to: Territory,
    before: (i32, i32),
    lost: i32,
    killed: i32,
    /// Where units have kinds: which of the defender's fell, a hit each.
    felled: Vec<Unit>,
    rounds: Vec<(Dice, Dice)>,
    captured: bool,
    moved: i32,
}

impl<W: Write> Story<W> {
    /// A story of players with these names.
    pub fn new(out: W, paint: Paint, names: Vec<String>) -> Self {
        Self {
            out,
            paint,
            names,
            error: None,
            round: 0,
            shown: None,
            claimed: 0,
            mustered: 0,
            income: 0,
            placed: Vec::new(),
            placing: None,
            fight: None,
        }
    }

    fn line(&mut self, text: &str) {
        if self.error.is_none() {
            self.error = writeln!(self.out, "{text}").err();
        }
    }

    /// The heading of a game.
    pub fn begin(&mut self, title: &str) {
        self.line(&self.paint.bold(title));
        let seats: Vec<String> =
            self.names.iter().enumerate().map(|(seat, name)| self.paint.seat(seat, &format!("● {name}"))).collect();
        self.line(&seats.join("   "));
    }

    /// A line that is no event: what a script says of itself.
    pub fn aside(&mut self, game: &Game, text: &str) {
        self.flush(game);
        let text = self.paint.dim(&format!("    {}", crate::text::escape_control(text)));
        self.line(&text);
    }

    /// The last standings and the result.
    ///
    /// # Errors
    /// The first error of the whole story.
    pub fn finish(mut self, game: &Game, outcome: &Outcome) -> io::Result<()> {
        self.flush(game);
        self.line("");
        let title = format!("The end, after {}", counted(i64::from(game.round()), "round"));
        self.line(&self.paint.rule(&title));
        self.standings(game);
        let winners: Vec<String> = outcome.winners.iter().map(|who| self.name(who)).collect();
        let reason = &outcome.reason;
        self.line("");
        self.line(&format!("  {}", ending(&winners, reason, self.paint)));
        for rank in &outcome.ranking {
            let name = self.paint.seat(rank.who.index(), &pad(&self.names[rank.who.index()], 20));
            self.line(&format!("  {:>2}. {name} score {}", rank.place, rank.score));
        }
        let told = format!(
            "  {} · {} · {} · digest {}",
            counted(i64::from(game.turn()), "turn"),
            counted(game.answers() as i64, "decision"),
            counted(game.battle_rounds() as i64, "dice round"),
            crate::record::hex(game.digest())
        );
        self.line(&self.paint.dim(&told));
        self.end()
    }

    /// Ends a story that stops before the game does.
    ///
    /// # Errors
    /// The first error of the whole story.
    pub fn stop(mut self, game: &Game) -> io::Result<()> {
        self.flush(game);
        self.line("");
        let when = if game.round() == 0 { "the set-up".to_owned() } else { format!("round {}", game.round()) };
        let title = format!("After {} in {when}", counted(game.answers() as i64, "decision"));
        self.line(&self.paint.rule(&title));
        self.standings(game);
        self.end()
    }

    fn end(mut self) -> io::Result<()> {
        self.error.take().map_or_else(|| self.out.flush(), Err)
    }

    fn name(&self, who: Player) -> String {
        self.paint.seat(who.index(), &self.names[who.index()])
    }

    /// A line of a player's, with the name before the first one.
    fn say(&mut self, who: Player, text: &str) {
        if self.shown != Some(who) {
            self.shown = Some(who);
            let name = self.paint.seat(who.index(), &format!("● {}", self.names[who.index()]));
            self.line(&name);
        }
        self.line(&format!("    {text}"));
    }

    /// Says what was gathered: placed armies, a fight.
    fn flush(&mut self, game: &Game) {
        if let Some(who) = self.placing.take() {
            let placed = std::mem::take(&mut self.placed);
            let income = std::mem::take(&mut self.income);
            let list: Vec<String> =
                placed.iter().map(|&(at, armies)| format!("{armies} in {}", place(game, at))).collect();
            let sum: i64 = placed.iter().map(|placed| placed.1).sum();
            let whole = if income > 0 { income } else { sum };
            let text = match placed.as_slice() {
                [(at, armies)] if *armies == whole => {
                    format!("{} in {}", self.paint.good(&format!("+{whole}")), place(game, *at))
                }
                _ => format!("{}: {}", self.paint.good(&format!("+{whole}")), list.join(", ")),
            };
            self.say(who, &text);
        }
        // An attack that never was a fight has been told in other words.
        if let Some(fight) = self.fight.take().filter(|fight| fight.before != (0, 0) || fight.killed > 0) {
            let text = self.fight_text(game, &fight);
            self.say(fight.who, &text);
        }
    }

    fn fight_text(&self, game: &Game, fight: &FightLine) -> String {
        if game.decl().units.len() > 1 {
            return self.volley_text(game, fight);
        }
        let width = self.lands_width();
        let name = |at: Territory| game.board().info(at).name.as_str();
        let lands = pad(&pair(name(fight.from), name(fight.to), width), width);
        let forces = format!("{} v {}", fight.before.0, fight.before.1);
        let losses = format!("−{} −{}", fight.lost, fight.killed);
        let result = if fight.captured {
            self.paint.good(&pad(&format!("taken, {} in", fight.moved), 12))
        } else {
            self.paint.bad(&pad("held", 12))
        };
        let room = self.paint.width.saturating_sub(width + BESIDE);
        let dice = self.paint.dim(&dice_text(&fight.rounds, room));
        format!("{lands} {forces:<8} {losses:<7} {result} {dice}").trim_end().to_owned()
    }

    /// A fight where units have kinds: the dice, and what they hit.
    fn volley_text(&self, game: &Game, fight: &FightLine) -> String {
        let dice: Vec<String> =
            fight.rounds.iter().flat_map(|round| round.0.values()).map(ToString::to_string).collect();
        let kinds = game.decl().units.iter().enumerate();
        let hits = kinds.filter_map(|(index, kind)| {
            let hits = fight.felled.iter().filter(|unit| unit.index() == index).count();
            (hits > 0).then(|| format!("{hits} {kind}"))
        });
        let hits: Vec<String> = hits.collect();
        let result = if hits.is_empty() {
            self.paint.bad("no hit")
        } else {
            self.paint.good(&format!("hits {}", hits.join(", ")))
        };
        let (from, to) = (place(game, fight.from), place(game, fight.to));
        format!("attacks {to} from {from} with {}: {result}", self.paint.dim(&dice.join(" ")))
    }

    /// Columns for the two territories of a fight.
    fn lands_width(&self) -> usize {
        self.paint.width.saturating_sub(BESIDE + DICE).clamp(20, 50)
    }

    fn name_width(&self) -> usize {
        self.names.iter().map(|name| name.width()).max().unwrap_or(0).min(16)
    }

    fn standings(&mut self, game: &Game) {
        let land_most = game.board().len() as f64;
        let strengths: Vec<i64> = game.seats().map(|who| game.strength(who)).collect();
        let armies_most = strengths.iter().sum::<i64>().max(1) as f64;
        let width = self.name_width();
        // Narrow pages have room for one bar alone.
        let wide = self.paint.width >= 100;
        let bars = if wide { 16 } else { 12 };
        let hand = game.decl().pile("hand");
        let kinds = &game.decl().units;
        for who in game.seats() {
            let (land, armies) = (game.territory_count(who), strengths[who.index()]);
            let held: Vec<&str> = (0..game.board().continents().len())
                .filter(|&index| game.holds(who, Continent::from_index(index)))
                .map(|index| game.board().continents()[index].name.as_str())
                .collect();
            let cards =
                hand.map_or_else(String::new, |hand| format!("  {:>2} cards", game.pile(hand, Some(who)).len()));
            let note = match game.status(who) {
                Status::Playing if kinds.len() > 1 => forces(game, who),
                Status::Playing => held.join(", "),
                status => status.word().to_owned(),
            };
            let army_bar = if wide { format!(" {}", bar(armies as f64 / armies_most, bars)) } else { String::new() };
            let land_bar = bar(f64::from(land) / land_most, bars);
            let name = pad(&self.names[who.index()], width);
            let text = if kinds.len() > 1 {
                format!("  {name}  {land:>3} land{cards}  {note}")
            } else {
                format!("  {name}  {land:>3} land {land_bar} {armies:>4} armies{army_bar}{cards}  {note}")
            };
            let text = cut(text.trim_end(), self.paint.width.max(40));
            self.line(&if game.status(who) == Status::Eliminated {
                self.paint.dim(&text)
            } else {
                self.paint.seat(who.index(), &text)
            });
        }
    }

    fn answered(&mut self, game: &Game, who: Player, action: Action) {
        let verb = game.decl().verbs[action.verb.index()].name.as_str();
        let args = action.args();
        let land = |index: usize| Territory::from_index(args[index] as usize);
        match (verb, args.len()) {
            ("claim", 1) => self.claimed += 1,
            ("place", 2) if game.turn() == 0 => self.mustered += i64::from(args[1]),
            ("place", 2) => {
                if self.placing != Some(who) {
                    self.flush(game);
                }
                self.placing = Some(who);
                match self.placed.iter_mut().find(|placed| placed.0 == land(0)) {
                    Some(placed) => placed.1 += i64::from(args[1]),
                    None => self.placed.push((land(0), i64::from(args[1]))),
                }
            }
            ("attack", 2 | 3) => {
                let same = self
                    .fight
                    .as_ref()
                    .is_some_and(|fight| !fight.captured && (fight.from, fight.to) == (land(0), land(1)));
                if !same {
                    self.flush(game);
                    self.fight = Some(FightLine {
                        who,
                        from: land(0),
                        to: land(1),
                        before: (0, 0),
                        lost: 0,
                        killed: 0,
                        felled: Vec::new(),
                        rounds: Vec::new(),
                        captured: false,
                        moved: 0,
                    });
                }
            }
            ("move", 3) => {
                let after =
                    self.fight.as_mut().filter(|fight| fight.captured && (fight.from, fight.to) == (land(0), land(1)));
                if let Some(fight) = after {
                    fight.moved += args[2];
                } else {
                    self.flush(game);
                    let text = format!("moves {} from {} to {}", args[2], place(game, land(0)), place(game, land(1)));
                    self.say(who, &text);
                }
            }
            ("move", 4) if game.decl().verbs[action.verb.index()].slots[2].1 == SlotKind::Unit => {
                self.flush(game);
                let kind = game.decl().units.get(args[2] as usize).map_or("?", String::as_str);
                let text =
                    format!("moves {} {kind} from {} to {}", args[3], place(game, land(0)), place(game, land(1)));
                self.say(who, &text);
            }
            ("trade", 3) => {
                self.flush(game);
                let cards: Vec<String> = args.iter().map(|&card| card_text(game, card)).collect();
                self.say(who, &format!("trades {}", cards.join(", ")));
            }
            ("done" | "pass" | "stop", _) => self.flush(game),
            _ => {
                self.flush(game);
                let text = Words::new(game.board(), game.decl()).action(action);
                self.say(who, &text);
            }
        }
    }

    /// What belongs to the fight under way.
    fn fighting(&mut self, game: &Game, event: &Event) {
        match event {
            Event::Rolled { attack, defend } => {
                if let Some(fight) = &mut self.fight {
                    fight.rounds.push((*attack, *defend));
                }
            }
            Event::Units { at, unit, by, .. } => {
                if let Some(fight) = self.fight.as_mut().filter(|fight| fight.to == *at && *by < 0) {
                    fight.felled.extend(std::iter::repeat_n(*unit, by.unsigned_abs().min(1_000) as usize));
                }
            }
            Event::Fought { from, to, attacker_lost, defender_lost } => {
                if let Some(fight) = &mut self.fight {
                    if fight.before == (0, 0) {
                        let taken = game.owns(fight.who, *to);
                        fight.before.0 = game.armies(*from) + attacker_lost;
                        fight.before.1 = if taken { *defender_lost } else { game.armies(*to) + defender_lost };
                    }
                    fight.lost += attacker_lost;
                    fight.killed += defender_lost;
                }
            }
            // An attack on land that is one's own by now is a move.
            Event::Moved { from, to, count, .. }
                if self
                    .fight
                    .as_ref()
                    .is_some_and(|fight| fight.before == (0, 0) && (fight.from, fight.to) == (*from, *to)) =>
            {
                if let Some(fight) = self.fight.take() {
                    self.say(fight.who, &format!("moves {count} from {} to {}", place(game, *from), place(game, *to)));
                }
            }
            Event::Captured { moved, .. } => {
                if let Some(fight) = &mut self.fight {
                    fight.captured = true;
                    fight.moved = *moved;
                    if fight.rounds.len() <= 1 {
                        fight.before.0 += moved;
                    }
                }
            }
            _ => {}
        }
    }

    fn turn(&mut self, game: &Game, round: u32) {
        self.flush(game);
        self.shown = None;
        self.income = 0;
        if self.round == 0 && (self.claimed > 0 || self.mustered > 0) {
            let text = format!(
                "  set-up: {} claimed, {} placed one by one",
                counted(self.claimed.into(), "territory"),
                counted(self.mustered, "army")
            );
            self.line(&self.paint.dim(&text));
        }
        if round != self.round {
            self.round = round;
            self.line("");
            self.line(&self.paint.rule(&format!("Round {round}")));
            self.standings(game);
            self.line("");
            if round == 1 && game.decl().units.len() == 1 {
                let heads = format!(
                    "    {} {:<8} {:<7} {:<12} dice",
                    pad("attack", self.lands_width()),
                    "armies",
                    "losses",
                    "land"
                );
                self.line(&self.paint.dim(&heads));
            }
        }
    }
}

/// Two names in so many columns: where there is no room for both, the longer one is cut first.
fn pair(from: &str, to: &str, width: usize) -> String {
    let room = width.saturating_sub(3);
    let half = room / 2;
    let left = from.width().min(half.max(room.saturating_sub(to.width())));
    format!("{} → {}", cut(from, left), cut(to, room - left))
}

/// A player's units by kind.
fn forces(game: &Game, who: Player) -> String {
    let kinds = game.decl().units.iter().enumerate();
    let counts = kinds.map(|(index, kind)| {
        let count: i64 = game.owned(who).map(|at| i64::from(game.units(at, Unit::from_index(index)))).sum();
        (count, kind)
    });
    let some: Vec<String> = counts.filter(|row| row.0 > 0).map(|(count, kind)| format!("{count} {kind}")).collect();
    some.join(", ")
}

fn place(game: &Game, at: Territory) -> String {
    cut(&game.board().info(at).name, 24)
}

fn card_text(game: &Game, card: i32) -> String {
    let Some(info) = usize::try_from(card).ok().and_then(|card| game.decl().cards.get(card)) else {
        return "a card".to_owned();
    };
    let kind = game.decl().card_kinds.get(info.kind as usize).map_or("", String::as_str);
    match info.at {
        Some(at) => format!("{} ({kind})", place(game, at)),
        None => kind.to_owned(),
    }
}

/// Dice of all rounds as far as there is room: `652|41 531|6`.
fn dice_text(rounds: &[(Dice, Dice)], room: usize) -> String {
    let mut text = String::new();
    for (index, (attack, defend)) in rounds.iter().enumerate() {
        let sorted = |dice: &Dice| {
            let mut values = dice.values().to_vec();
            values.sort_unstable_by(|a, b| b.cmp(a));
            values.iter().map(u8::to_string).collect::<Vec<_>>().concat()
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

/// Who wins, and why, in a sentence.
#[must_use]
pub fn ending(winners: &[String], reason: &str, paint: Paint) -> String {
    match winners {
        [] => format!("{} ({reason})", paint.bold("Nobody wins")),
        [one] => format!("{one} {} ({reason})", paint.bold("wins")),
        many => format!("{} {} ({reason})", many.join(" and "), paint.bold("share the win")),
    }
}

/// "1 round", "2 rounds", "3 territories", "4 armies".
fn counted(count: i64, word: &str) -> String {
    match (count, word) {
        (1, _) => format!("1 {word}"),
        (_, "territory") => format!("{count} territories"),
        (_, "army") => format!("{count} armies"),
        _ => format!("{count} {word}s"),
    }
}

impl<W: Write> Sink for Story<W> {
    fn event(&mut self, game: &Game, event: &Event) {
        match event {
            Event::TurnBegan { round, .. } => self.turn(game, *round),
            // What is given in secret is told when it is executed, and what may be left to the rules with
            // what comes of it.
            Event::Answered { who, action, phase, .. } => {
                let phase = &game.decl().phases[phase.index()];
                if !phase.secret && !phase.optional {
                    self.answered(game, *who, *action);
                }
            }
            Event::Executed { who, action } => self.answered(game, *who, *action),
            Event::Faulted { who, kind, text, strikes, .. } => {
                self.flush(game);
                let fault = format!("{} ({})", self.paint.bad(&format!("fault {strikes}")), kind.word());
                // Those who do not play are not told what it was.
                let text = crate::text::escape_control(text);
                self.say(*who, &if text.is_empty() { fault } else { format!("{fault}: {text}") });
            }
            Event::Counter { counter, of, by, .. }
                if *by > 0
                    && of.is_some()
                    && *of == game.mover()
                    && game.decl().counters[counter.index()].name == "reserve" =>
            {
                self.income += by;
            }
            Event::Card { card, to: (pile, Some(who)), from: (from, None), .. } => {
                let (from, to) = (&game.decl().piles[from.index()].name, &game.decl().piles[pile.index()].name);
                if from == "deck" && to == "hand" {
                    self.flush(game);
                    let text = card.map_or_else(|| "a card".to_owned(), |card| card_text(game, card.number()));
                    let text = self.paint.dim(&format!("draws {text}"));
                    self.say(*who, &text);
                }
            }
            Event::Status { who, now } if *now != Status::Playing => {
                self.flush(game);
                let name = self.name(*who);
                let word = self.paint.bad(now.word());
                self.line(&format!("  ✗ {name} is {word}"));
            }
            Event::Said { who, text } => {
                self.flush(game);
                let text = crate::text::escape_control(text);
                match who {
                    Some(who) => self.say(*who, &text),
                    None => self.line(&format!("  {text}")),
                }
            }
            other => self.fighting(game, other),
        }
    }
}
