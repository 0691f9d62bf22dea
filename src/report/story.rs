//! A game as a readable story, told from its events alone: fights, moves and placements by what
//! happened, all else in the sentences that the ruleset declares.

mod lines;

use std::io::{self, Write};

use super::ledger::Ledger;
use super::paint::{Paint, pad};
use crate::kernel::Sink;
use crate::kernel::action::Action;
use crate::kernel::declare::SlotKind;
use crate::kernel::event::{Dice, Event, PileOf, Status};
use crate::kernel::id::{Card, Counter, Phase, Player, Territory, Unit};
use crate::kernel::outcome::Outcome;
use crate::kernel::state::GameState;
use crate::kernel::view::is_open;
use crate::kernel::words::{Words, filled};
use crate::text::plural::counted;
pub use lines::ending;
use lines::{Act, Fight, place};

/// Tells a game to a writer. The first error is kept and told at the end.
#[derive(Debug)]
pub struct Story<W: Write> {
    out: W,
    paint: Paint,
    names: Vec<String>,
    error: Option<io::Error>,
    /// Is it told only what all may see?
    public: bool,
    ledger: Option<Ledger>,
    round: u32,
    /// The player whose name was last put before a line.
    shown: Option<Player>,
    /// Territories claimed and armies placed before the first round.
    set_up: (i64, i64),
    /// What a player does now, and what has come of it.
    act: Option<Act>,
    placing: Option<(Player, Vec<(Territory, i64)>)>,
    fight: Option<Fight>,
    captioned: bool,
    /// Dice rolled and units fallen since the act began, for the fight that they belong to.
    dice: Vec<(Dice, Dice)>,
    felled: Vec<(Territory, Unit, i32)>,
    /// What was said in the middle of a fight.
    notes: Vec<(Option<Player>, String)>,
    /// Orders given in secret, by player, and the phase in which they are given.
    given: Vec<(Player, Vec<String>)>,
    giving: Option<Phase>,
}

impl<W: Write> Story<W> {
    /// A story of players with these names.
    pub fn new(out: W, paint: Paint, names: Vec<String>) -> Self {
        Self {
            out,
            paint,
            names,
            error: None,
            public: false,
            ledger: None,
            round: 0,
            shown: None,
            set_up: (0, 0),
            act: None,
            placing: None,
            fight: None,
            captioned: false,
            dice: Vec::new(),
            felled: Vec::new(),
            notes: Vec::new(),
            given: Vec::new(),
            giving: None,
        }
    }

    /// The story for those who do not play: it is told only events without what is hidden, and
    /// claims nothing of land in the fog.
    #[must_use]
    pub fn in_public(self) -> Self {
        Self {
            public: true,
            ..self
        }
    }

    fn line(&mut self, text: &str) {
        if self.error.is_none() {
            self.error = writeln!(self.out, "{text}").err();
        }
    }

    /// The heading of a game.
    pub fn begin(&mut self, title: &str) {
        for line in self.paint.wrapped("", "  ", title) {
            self.line(&self.paint.bold(&line));
        }
        let seats: Vec<String> = self
            .names
            .iter()
            .enumerate()
            .map(|(seat, name)| self.paint.seat(seat, &format!("●\u{a0}{name}")))
            .collect();
        for line in self.paint.wrapped("", "", &seats.join("   ")) {
            self.line(&line.replace('\u{a0}', " "));
        }
    }

    /// A faint line of the program's own, before anything happens.
    pub fn remark_aside(&mut self, text: &str) {
        for line in self.paint.wrapped("  ", "  ", text) {
            self.line(&self.paint.dim(&line));
        }
    }

    /// A line that is no event: what a script says of itself.
    pub fn aside(&mut self, game: &GameState, text: &str) {
        self.settle(game);
        let text = self
            .paint
            .dim(&format!("    {}", crate::text::escape_control(text)));
        self.line(&text);
    }

    /// The last standings and the result.
    ///
    /// # Errors
    /// The first error of the whole story.
    pub fn finish(mut self, game: &GameState, outcome: &Outcome) -> io::Result<()> {
        self.settle(game);
        self.line("");
        let title = format!("The end, after {}", counted(game.round(), "round"));
        self.line(&self.paint.rule(&title));
        self.standings(game);
        let winners: Vec<String> = outcome.winners.iter().map(|who| self.name(who)).collect();
        self.line("");
        let ending = ending(
            &winners,
            game.decl().sentences.of_ending(&outcome.reason),
            self.paint,
        );
        for line in self.paint.wrapped("  ", "    ", &ending) {
            self.line(&line);
        }
        for rank in &outcome.ranking {
            let name = self
                .paint
                .seat(rank.who.index(), &pad(&self.names[rank.who.index()], 20));
            self.line(&format!("  {:>2}. {name} score {}", rank.place, rank.score));
        }
        let told = format!(
            "{} · {} · {} · digest {}",
            counted(game.turn(), "turn"),
            counted(game.answers(), "decision"),
            counted(game.battle_rounds(), "dice round"),
            crate::record::hex(game.digest())
        );
        for line in self.paint.wrapped("  ", "  ", &told) {
            self.line(&self.paint.dim(&line));
        }
        self.end()
    }

    /// Ends a story that stops before the game does.
    ///
    /// # Errors
    /// The first error of the whole story.
    pub fn stop(mut self, game: &GameState) -> io::Result<()> {
        self.settle(game);
        self.line("");
        let when = if self.round == 0 {
            "the set-up".to_owned()
        } else {
            format!("round {}", self.round)
        };
        let title = format!("After {} in {when}", counted(game.answers(), "decision"));
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
        self.named(who);
        for line in self.paint.wrapped("    ", "      ", text) {
            self.line(&line);
        }
    }

    fn named(&mut self, who: Player) {
        if self.shown != Some(who) {
            self.shown = Some(who);
            let name = self
                .paint
                .seat(who.index(), &format!("● {}", self.names[who.index()]));
            self.line(&name);
        }
    }

    /// A line of the game's own.
    fn remark(&mut self, text: &str) {
        for line in self.paint.wrapped("  ", "    ", text) {
            self.line(&line);
        }
    }

    fn sentence(&self, game: &GameState, action: Action) -> String {
        Words::new(game.board(), game.decl())
            .sentence_by(action, &|who| self.names[who.index()].clone())
    }

    fn standings(&mut self, game: &GameState) {
        // A story that heard nothing, of a game played quietly, shows the board as it is at the
        // end.
        let last = self.ledger.is_none().then(|| Ledger::of(game));
        let Some(ledger) = self.ledger.as_ref().or(last.as_ref()) else {
            return;
        };
        let lines = if self.public && !is_open(game.decl()) {
            vec![self.paint.dim("  who stands where is hidden")]
        } else {
            lines::standings(game, ledger, &self.names, self.paint)
        };
        for line in lines {
            self.line(&line);
        }
    }

    fn owner(&self, at: Territory) -> Option<Player> {
        self.ledger.as_ref().and_then(|ledger| ledger.owner(at))
    }

    /// Says what was gathered: placed armies, a fight, what was said in it.
    fn flush(&mut self, game: &GameState) {
        if let Some((who, placed)) = self.placing.take() {
            let text = lines::placement(game, self.paint, &placed);
            self.say(who, &text);
        }
        if let Some(fight) = self.fight.take() {
            self.named(fight.who);
            if !self.captioned && game.decl().units.len() == 1 && self.paint.width >= lines::NARROW
            {
                self.captioned = true;
                self.line(&self.paint.dim(&fight.caption(self.paint)));
            }
            for line in fight.lines(game, self.paint) {
                if game.decl().units.len() > 1 {
                    self.say(fight.who, &line)
                } else {
                    self.line(&format!("    {line}"))
                }
            }
        }
        for (who, text) in std::mem::take(&mut self.notes) {
            match who {
                Some(who) => self.say(who, &text),
                None => self.remark(&text),
            }
        }
    }

    /// Says what a player did, if nothing that came of it has told it, and all that was gathered.
    fn settle(&mut self, game: &GameState) {
        self.settle_act(game);
        self.flush(game);
    }

    fn settle_act(&mut self, game: &GameState) {
        let Some(act) = self.act.take() else { return };
        self.dice.clear();
        self.felled.clear();
        // Nothing moved, or an answer that only goes on.
        let idle = act.values(game, SlotKind::Count).contains(&0);
        let silent = act.action.args().is_empty()
            && game.decl().sentences.of_verb(act.action.verb).is_none();
        if act.told || idle || (silent && act.effects.is_empty()) {
            return;
        }
        let mut text = self.sentence(game, act.action);
        if !act.effects.is_empty() {
            text = format!("{text}: {}", act.effects.join(", "));
        }
        let notes = std::mem::take(&mut self.notes);
        self.flush(game);
        self.say(act.who, &text);
        self.notes = notes;
        self.flush(game);
    }

    fn begin_act(&mut self, game: &GameState, who: Player, action: Action) {
        self.settle_act(game);
        if self
            .placing
            .as_ref()
            .is_some_and(|placing| placing.0 != who)
            || action.args().is_empty()
        {
            self.flush(game);
        }
        // One answer after a capture may bring more armies in; what comes later is a move.
        match &mut self.fight {
            Some(fight) if fight.captured && fight.followed => self.flush(game),
            Some(fight) => fight.followed = fight.captured,
            None => {}
        }
        self.act = Some(Act {
            who,
            action,
            told: false,
            effects: Vec::new(),
        });
    }

    fn told(&mut self) {
        if let Some(act) = &mut self.act {
            act.told = true;
        }
    }

    fn answered(&mut self, game: &GameState, who: Player, phase: Phase, action: Action) {
        let info = &game.decl().phases[phase.index()];
        if info.secret {
            self.settle(game);
            if self.giving != Some(phase) {
                self.tell_given(game);
                self.giving = Some(phase);
            }
            let silent =
                action.args().is_empty() && game.decl().sentences.of_verb(action.verb).is_none();
            if !silent {
                let text = self.sentence(game, action);
                match self.given.iter_mut().find(|given| given.0 == who) {
                    Some(given) => given.1.push(text),
                    None => self.given.push((who, vec![text])),
                }
            }
        } else if !info.optional {
            self.tell_given(game);
            self.begin_act(game, who, action);
        }
    }

    /// The orders as they were given.
    fn tell_given(&mut self, game: &GameState) {
        let given = std::mem::take(&mut self.given);
        let Some(phase) = self.giving.take().filter(|_| !given.is_empty()) else {
            return;
        };
        self.settle(game);
        let title = game
            .decl()
            .sentences
            .of_phase(phase)
            .unwrap_or("orders, as they are given");
        self.remark(&self.paint.dim(title));
        for (who, orders) in given {
            self.say(who, &orders.join("; "));
        }
        self.shown = None;
    }

    fn began(&mut self, game: &GameState, phase: Phase) {
        if self.giving != Some(phase) {
            self.tell_given(game);
        }
        if let Some(title) = game
            .decl()
            .sentences
            .of_phase(phase)
            .filter(|_| !game.decl().phases[phase.index()].secret)
        {
            self.settle(game);
            self.shown = None;
            self.remark(&self.paint.dim(title));
        }
    }

    fn fought(
        &mut self,
        game: &GameState,
        (from, to): (Territory, Territory),
        forces: (i32, i32, i32),
        losses: (i32, i32),
    ) {
        let Some(who) = self.owner(from).or(self.act.as_ref().map(|act| act.who)) else {
            return;
        };
        let same = self.fight.as_ref().is_some_and(|fight| {
            !fight.captured && (fight.who, fight.from, fight.to) == (who, from, to)
        });
        // Without dice each attack is an order of its own.
        let same = same && !self.dice.is_empty();
        self.told();
        let notes = std::mem::take(&mut self.notes);
        if !same {
            self.flush(game);
            self.fight = Some(Fight {
                who,
                from,
                to,
                forces,
                lost: 0,
                killed: 0,
                felled: Vec::new(),
                rounds: Vec::new(),
                captured: false,
                followed: false,
                moved: 0,
            });
        }
        self.notes = notes;
        if let Some(fight) = &mut self.fight {
            fight.lost += losses.0;
            fight.killed += losses.1;
            fight.rounds.append(&mut self.dice);
            let felled = self.felled.drain(..).filter(|felled| felled.0 == to);
            fight
                .felled
                .extend(felled.map(|(_, unit, count)| (unit, count)));
        }
    }

    fn captured(
        &mut self,
        game: &GameState,
        (from, to): (Territory, Territory),
        by: Player,
        moved: i32,
    ) {
        self.told();
        match &mut self.fight {
            Some(fight) if !fight.captured && (fight.from, fight.to) == (from, to) => {
                fight.captured = true;
                fight.moved = moved;
            }
            _ => {
                self.flush(game);
                let text = format!(
                    "takes {} from {} with {moved}",
                    place(game, to),
                    place(game, from)
                );
                self.say(by, &text);
            }
        }
    }

    fn moved(
        &mut self,
        game: &GameState,
        (from, to): (Territory, Territory),
        unit: Unit,
        count: i32,
    ) {
        let follows = self
            .fight
            .as_mut()
            .filter(|fight| fight.captured && (fight.from, fight.to) == (from, to));
        if let Some(fight) = follows {
            fight.moved += count;
            self.told();
            return;
        }
        self.flush(game);
        let kind = if game.decl().units.len() > 1 {
            format!(" {}", game.decl().units[unit.index()])
        } else {
            String::new()
        };
        let plain = format!(
            "moves {count}{kind} from {} to {}",
            place(game, from),
            place(game, to)
        );
        let act = self
            .act
            .as_ref()
            .filter(|act| !act.told && game.decl().sentences.of_verb(act.action.verb).is_some());
        let Some(act) = act else {
            let who = self.owner(from).or_else(|| self.owner(to));
            self.told();
            if let Some(who) = who {
                self.say(who, &plain);
            }
            return;
        };
        // Of the armies that were ordered to go, fewer may have been left: those that went are
        // told.
        let (who, mut args) = (act.who, act.action.args().to_vec());
        let counts = game.decl().verbs[act.action.verb.index()]
            .slots
            .iter()
            .map(|slot| slot.1 == SlotKind::Count);
        let mut counts: Vec<&mut i32> = args
            .iter_mut()
            .zip(counts)
            .filter(|(_, is)| *is)
            .map(|(arg, _)| arg)
            .collect();
        if let [ordered] = counts.as_mut_slice() {
            **ordered = count.min(**ordered);
        }
        let text = self.sentence(game, Action::new(act.action.verb, &args));
        self.told();
        self.say(who, &text);
    }

    fn units(&mut self, game: &GameState, at: Territory, unit: Unit, (by, now): (i32, i32)) {
        if game.decl().units.len() > 1 {
            if by < 0 {
                self.felled.push((at, unit, -by));
            }
            return;
        }
        let owner = self.owner(at);
        let Some(act) = self.act.as_mut() else { return };
        if self.round == 0 && by > 0 {
            self.set_up.1 += i64::from(by);
            act.told = true;
            return;
        }
        let here = act.values(game, SlotKind::Territory) == [at.number()] && owner == Some(act.who);
        if here && by > 0 && act.values(game, SlotKind::Count) == [by] {
            act.told = true;
            let who = act.who;
            if self.placing.is_none() {
                self.flush(game);
            }
            let (_, placed) = self.placing.get_or_insert((who, Vec::new()));
            match placed.iter_mut().find(|placed| placed.0 == at) {
                Some(placed) => placed.1 += i64::from(by),
                None => placed.push((at, by.into())),
            }
        } else if now != by {
            act.effects
                .push(format!("{} {} → {now}", place(game, at), now - by));
        }
    }

    fn changed_hands(
        &mut self,
        game: &GameState,
        at: Territory,
        (from, to): (Option<Player>, Option<Player>),
    ) {
        let names = &self.names;
        let Some(act) = self.act.as_mut().filter(|_| game.decl().units.len() == 1) else {
            return;
        };
        match (from, to) {
            (None, Some(_)) if self.round == 0 => {
                self.set_up.0 += 1;
                act.told = true;
            }
            (None, Some(_)) => {}
            (_, Some(to)) => {
                act.effects
                    .push(format!("{} goes to {}", place(game, at), names[to.index()]))
            }
            (_, None) => act
                .effects
                .push(format!("{} is nobody's now", place(game, at))),
        }
    }

    fn counter(
        &mut self,
        game: &GameState,
        counter: Counter,
        of: Option<Player>,
        (by, now): (i64, i64),
    ) {
        if by <= 0 {
            return;
        }
        let Some(template) = game.decl().sentences.of_counter(counter) else {
            // Armies that an answer brings into the reserve belong to it.
            let reserve = game.decl().counter("reserve") == Some(counter);
            if let Some(act) = self
                .act
                .as_mut()
                .filter(|act| reserve && of == Some(act.who))
            {
                act.effects.push(counted(by, "army"));
            }
            return;
        };
        let value = |key: &str| match key {
            "by" => Some(by.to_string()),
            "now" => Some(now.to_string()),
            _ => None,
        };
        let text = filled(template, &value);
        self.settle(game);
        match of {
            Some(who) => self.say(who, &text),
            None => self.remark(&text),
        }
    }

    /// A card that a player draws from the common deck.
    fn card(&mut self, game: &GameState, card: Option<Card>, from: PileOf, to: PileOf) {
        let (deck, hand) = (game.decl().pile("deck"), game.decl().pile("hand"));
        let Some(who) =
            to.1.filter(|_| Some(from.0) == deck && from.1.is_none() && Some(to.0) == hand)
        else {
            return;
        };
        self.settle(game);
        let words = Words::new(game.board(), game.decl());
        let text = card.map_or_else(|| "a card".to_owned(), |card| words.card(card));
        let text = self.paint.dim(&format!("draws {text}"));
        self.say(who, &text);
    }

    fn said(&mut self, game: &GameState, who: Option<Player>, text: &str) {
        let words = Words::new(game.board(), game.decl());
        // What a ruleset says of an answer in its own sentence stands for the answer.
        if let Some(act) = self.act.as_mut().filter(|act| who == Some(act.who))
            && text.starts_with(&words.sentence(act.action))
        {
            act.told = true;
        }
        self.notes
            .push((who, crate::text::escape_control(text).into_owned()));
        let fights = self.act.as_ref().is_some_and(|act| !act.told) && !self.felled.is_empty();
        if !fights {
            self.settle(game);
        }
    }

    fn turn(&mut self, game: &GameState, round: u32) {
        self.tell_given(game);
        self.settle(game);
        self.shown = None;
        if self.round == 0 && self.set_up != (0, 0) {
            let (claimed, placed) = self.set_up;
            let parts = [
                (claimed, "territory", "claimed"),
                (placed, "army", "placed one by one"),
            ];
            let parts = parts.iter().filter(|part| part.0 > 0);
            let parts: Vec<String> = parts
                .map(|(count, what, how)| format!("{} {how}", counted(*count, what)))
                .collect();
            self.remark(&self.paint.dim(&format!("set-up: {}", parts.join(", "))));
        }
        if round != self.round {
            self.round = round;
            self.line("");
            self.line(&self.paint.rule(&format!("Round {round}")));
            self.standings(game);
            self.line("");
        }
    }

    fn tell(&mut self, game: &GameState, event: &Event) {
        match event {
            Event::TurnBegan { round, .. } => self.turn(game, *round),
            Event::PhaseBegan { phase, .. } => self.began(game, *phase),
            Event::Answered {
                who, action, phase, ..
            } => self.answered(game, *who, *phase, *action),
            Event::Executed { who, action } => {
                self.tell_given(game);
                self.settle_act(game);
                // An order is no part of the fight before it.
                if self.fight.is_some() {
                    self.flush(game);
                }
                self.begin_act(game, *who, *action);
            }
            Event::Rolled { attack, defend } => self.dice.push((*attack, *defend)),
            Event::Fought {
                from,
                to,
                attackers,
                standing,
                defenders,
                attacker_lost,
                defender_lost,
            } => {
                let forces = (*attackers, *standing, *defenders);
                self.fought(game, (*from, *to), forces, (*attacker_lost, *defender_lost));
            }
            Event::Captured {
                from,
                to,
                by,
                moved,
                ..
            } => self.captured(game, (*from, *to), *by, *moved),
            Event::Moved {
                from,
                to,
                unit,
                count,
            } => self.moved(game, (*from, *to), *unit, *count),
            Event::Units { at, unit, by, now } => self.units(game, *at, *unit, (*by, *now)),
            Event::Owner { at, from, to } => self.changed_hands(game, *at, (*from, *to)),
            Event::Counter {
                counter,
                of,
                by,
                now,
            } => self.counter(game, *counter, *of, (*by, *now)),
            Event::Card { card, from, to, .. } => self.card(game, *card, *from, *to),
            Event::Faulted {
                who,
                kind,
                text,
                strikes,
                ..
            } => {
                self.settle(game);
                let fault = format!(
                    "{} ({})",
                    self.paint.bad(&format!("fault {strikes}")),
                    kind.word()
                );
                // Those who do not play are not told what it was.
                let text = crate::text::escape_control(text);
                self.say(
                    *who,
                    &if text.is_empty() {
                        fault
                    } else {
                        format!("{fault}: {text}")
                    },
                );
            }
            Event::Status { who, now } if *now != Status::Playing => {
                self.settle(game);
                self.remark(&format!(
                    "✗ {} is {}",
                    self.name(*who),
                    self.paint.bad(now.word())
                ));
            }
            Event::Said { who, text } => self.said(game, *who, text),
            _ => {}
        }
    }
}

impl<W: Write> Sink for Story<W> {
    fn event(&mut self, game: &GameState, event: &Event) {
        if self.ledger.is_none() {
            self.ledger = Some(Ledger::new(game));
        }
        self.tell(game, event);
        if let Some(ledger) = &mut self.ledger {
            ledger.take(event);
        }
    }
}
