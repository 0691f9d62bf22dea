//! The lines of the story for each event.

use std::io::Write;

use super::Story;
use super::changes::Changes;
use super::lines::{Move, OngoingFight, Placing, PlayedAction, Rank, is_you};
use super::nouns::{heading, kind_noun, kind_word, place};
use crate::decision;
use risk_kernel::declare::SlotKind;
use risk_kernel::event::{Capture, Event, FightRound, PileOf, Status};
use risk_kernel::fault::FaultKind;
use risk_kernel::id::{Card, Counter, Phase, Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::words::{Words, filled};

impl<W: Write> Story<W> {
    pub(super) fn mark_told(&mut self) {
        if let Some(act) = &mut self.act {
            act.told = true;
        }
    }

    pub(super) fn began(&mut self, game: &GameState, phase: Phase, seat: Option<Player>) {
        let info = &game.decl().phases[phase.index()];
        // The decisions of an optional phase are part of the action before it.
        if info.optional {
            return;
        }
        self.settle_act(game);
        if self.giving != Some(phase) {
            self.tell_given(game);
        }
        if !self.unbooked.is_empty() {
            self.tell_orders(game);
        }
        let title = heading(game.decl(), phase).filter(|_| !info.secret);
        if title.is_some() {
            // What happened before is no part of the new phase.
            self.settle(game);
        }
        self.phase = Some(phase);
        if let Some(title) = title.filter(|_| self.brief.is_none()) {
            self.heading = Some((seat, title));
        } else if self.is_settled() {
            self.heading = None;
        }
    }

    /// Reports whether no line is pending.
    fn is_settled(&self) -> bool {
        self.act.is_none()
            && self.placing.is_none()
            && self.fight.is_none()
            && self.notes.is_empty()
            && self.changes.is_empty()
    }

    pub(super) fn fought(&mut self, game: &GameState, round: &FightRound) {
        let from = round.from;
        let to = round.to;
        self.leave_batch(game, &[from, to]);
        let Some(player) = self.owner(from).or(self.act.as_ref().map(|act| act.player)) else {
            return;
        };
        // A script's action has its own sentence. The rules' own fights are in columns.
        let sentences = &game.decl().sentences;
        let told_by = |act: &&PlayedAction| {
            act.scripted && act.names(game, to) && sentences.of_verb(act.action.verb).is_some()
        };
        let action = self.act.as_ref().filter(told_by).map(|act| act.action);
        let same = self.fight.as_ref().is_some_and(|fight| {
            let known = fight.sentence.as_ref().map(|sentence| sentence.0);
            !fight.captured
                && (fight.player, fight.from, fight.to) == (player, from, to)
                && known == action
        });
        // Without dice, each attack is a separate order.
        let same = same && !self.dice.is_empty();
        self.mark_told();
        // Changes before the report belong to the fight too.
        let losses = [
            self.take_losses(from, round.attacker_lost),
            self.take_losses(to, round.defender_lost),
        ];
        if !same {
            self.flush(game);
            let sentence = action.map(|action| (action, self.sentence(game, action)));
            self.fight = Some(OngoingFight::new(player, *round, sentence));
        }
        if let Some(fight) = &mut self.fight {
            fight.lost += round.attacker_lost;
            fight.killed += round.defender_lost;
            fight.rounds.append(&mut self.dice);
            fight.open = true;
            fight.owed = [round.attacker_lost, round.defender_lost];
            for (at, losses) in [from, to].into_iter().zip(losses) {
                for (unit, count) in losses {
                    fight.take_loss(at, unit, count);
                }
            }
        }
        // The ruleset may give the territory over before it reports the fight.
        let given = self.act.as_mut().and_then(|act| act.changes.take_owner(to));
        if let Some(given) = given
            && !self.fight_won(to, given.to)
            && let Some(act) = &mut self.act
        {
            act.changes.add_owner(to, given.from, given.to);
        }
    }

    /// Takes losses out of the changes so far: of the action, or of a phase without one.
    fn take_losses(&mut self, at: Territory, most: i32) -> Vec<(Unit, i32)> {
        let of_act = self.act.as_mut().map(|act| &mut act.changes);
        if let Some(changes) = of_act {
            return changes.take_losses(at, most);
        }
        let mut taken = Vec::new();
        for (_, changes) in &mut self.changes {
            let left = most - taken.iter().map(|loss: &(Unit, i32)| loss.1).sum::<i32>();
            taken.extend(changes.take_losses(at, left));
        }
        taken
    }

    /// Notes that the territory of the current fight changed hands. Returns false for another
    /// territory, and after the action that led to the fight.
    fn fight_won(&mut self, at: Territory, owner: Option<Player>) -> bool {
        let fight = self.fight.as_mut();
        let Some(fight) = fight.filter(|fight| fight.open && fight.to == at) else {
            return false;
        };
        if owner == Some(fight.player) {
            fight.captured = true;
        } else if owner.is_none() {
            fight.emptied = true;
        } else {
            return false;
        }
        true
    }

    pub(super) fn captured(&mut self, game: &GameState, capture: &Capture) {
        let from = capture.from;
        let to = capture.to;
        let moved = capture.moved;
        self.leave_batch(game, &[from, to]);
        self.mark_told();
        match &mut self.fight {
            Some(fight) if !fight.captured && (fight.from, fight.to) == (from, to) => {
                fight.captured = true;
                fight.moved = moved;
                fight.take_loss(to, capture.unit, capture.killed);
            }
            _ => {
                self.flush(game);
                let kind = kind_word(game, capture.unit, moved.into());
                let mut text = format!(
                    "takes {} from {} with {moved}{kind}",
                    place(game, to),
                    place(game, from)
                );
                if capture.killed > 0 {
                    let kind = kind_noun(game, capture.unit, capture.killed.into());
                    text += &format!(" and kills {} {kind}", capture.killed);
                }
                if let Some(summary) = self.summary(capture.by) {
                    return summary.take(to, None);
                }
                self.say(capture.by, &text, Rank::Must);
            }
        }
    }

    pub(super) fn moved(&mut self, game: &GameState, moved: Move) {
        let Move { from, to, .. } = moved;
        self.leave_batch(game, &[from, to]);
        // In the same answer, units may move in before the territory changes hands.
        let in_act = self.act.as_ref().is_some_and(|act| act.told);
        let follows = self
            .fight
            .as_mut()
            .filter(|fight| (fight.captured || in_act) && (fight.from, fight.to) == (from, to));
        if let Some(fight) = follows {
            fight.moved += moved.count;
            self.mark_told();
            return;
        }
        if let Some(act) = &mut self.act {
            act.moves.push(moved);
            return;
        }
        self.flush(game);
        if let Some(player) = self.owner(from).or_else(|| self.owner(to)) {
            let text = format!("moves {}", moved.text(game));
            self.say(player, &text, Rank::Aside);
        }
    }

    pub(super) fn units(&mut self, game: &GameState, at: Territory, unit: Unit, by: i32, now: i32) {
        self.leave_batch(game, &[at]);
        if self.round == 0 && (by > 0 || self.act.is_none()) {
            if let Some(act) = &mut self.act {
                act.told = true;
                let player = act.player;
                self.sets_up(player, at, unit, by.into());
            }
            return;
        }
        let owner = self.owner(at);
        let fight = self.fight.as_mut();
        let explained = fight.map_or(0, |fight| fight.take_loss(at, unit, -by));
        let before = now - by - explained;
        if before == now {
            return;
        }
        let Some(act) = &mut self.act else {
            if self.placing.is_some() || self.fight.is_some() || !self.notes.is_empty() {
                self.flush(game);
            }
            let mut changes = Changes::default();
            changes.add_units(at, unit, [before, now], owner);
            return self.add_changes(owner, changes);
        };
        let here =
            act.values(game, SlotKind::Territory) == [at.number()] && owner == Some(act.player);
        if here && by > 0 && act.values(game, SlotKind::Count) == [by] && !act.told {
            act.told = true;
            let player = act.player;
            self.places(game, player, at, unit, by);
        } else {
            act.changes.add_units(at, unit, [before, now], owner);
        }
    }

    /// Adds to the units that a player places in succession.
    fn places(&mut self, game: &GameState, player: Player, at: Territory, unit: Unit, by: i32) {
        if self
            .placing
            .as_ref()
            .is_none_or(|placing| placing.unit != unit)
        {
            self.flush(game);
        }
        let placing = self.placing.get_or_insert_with(|| Placing {
            player,
            unit,
            placed: Vec::new(),
        });
        match placing.placed.iter_mut().find(|placed| placed.0 == at) {
            Some(placed) => placed.1 += i64::from(by),
            None => placing.placed.push((at, by.into())),
        }
    }

    pub(super) fn changed_hands(
        &mut self,
        game: &GameState,
        at: Territory,
        from: Option<Player>,
        to: Option<Player>,
    ) {
        self.leave_batch(game, &[at]);
        if self.fight_won(at, to) {
            return;
        }
        if self.round == 0 {
            if let (Some(act), None, Some(player)) = (&mut self.act, from, to) {
                act.told = true;
                self.claims(player, at);
                return;
            }
            if self.act.is_none() {
                return;
            }
        }
        if let Some(act) = &mut self.act {
            act.changes.add_owner(at, from, to);
            return;
        }
        if self.placing.is_some() || self.fight.is_some() || !self.notes.is_empty() {
            self.flush(game);
        }
        let mut changes = Changes::default();
        changes.add_owner(at, from, to);
        self.add_changes(to.or(from), changes);
    }

    pub(super) fn counter(
        &mut self,
        game: &GameState,
        counter: Counter,
        of: Option<Player>,
        by: i64,
        now: i64,
    ) {
        if by <= 0 {
            return;
        }
        let Some(template) = game.decl().sentences.of_counter(counter) else {
            // Armies that an answer adds to the reserve are part of its effects.
            let reserve = game.decl().counter("reserve") == Some(counter);
            if let Some(act) = &mut self.act
                && reserve
                && of == Some(act.player)
            {
                act.reserve += by;
            }
            return;
        };
        let value = |key: &str| match key {
            "by" => Some(by.to_string()),
            "now" => Some(now.to_string()),
            _ => None,
        };
        let text = filled(template, &value);
        self.note(game, of, text, Rank::Must);
    }

    /// Writes that a player draws a card from the common deck.
    pub(super) fn card(&mut self, game: &GameState, card: Option<Card>, from: PileOf, to: PileOf) {
        let deck = game.decl().pile("deck");
        let hand = game.decl().pile("hand");
        let Some(player) =
            to.1.filter(|_| Some(from.0) == deck && from.1.is_none() && Some(to.0) == hand)
        else {
            return;
        };
        let words = Words::new(game.board(), game.decl());
        let text = card.map_or_else(|| "a card".to_owned(), |card| words.card(card));
        let text = self.paint.dim(&format!("draws {text}"));
        self.note(game, Some(player), text, Rank::Aside);
    }

    pub(super) fn ruleset_says(&mut self, game: &GameState, player: Option<Player>, text: &str) {
        let words = Words::new(game.board(), game.decl());
        if let Some(player) = player {
            self.explained(player, |action| {
                let rest = text.strip_prefix(&words.sentence(action));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(": "))
            });
        }
        // A message that begins with the sentence for the current answer replaces the answer's
        // line.
        if let Some(act) = self.act.as_mut().filter(|act| player == Some(act.player))
            && text.starts_with(&words.sentence(act.action))
        {
            act.told = true;
        }
        let is_strange = |act: &PlayedAction| act.in_batch && player != Some(act.player);
        if self.act.as_ref().is_some_and(is_strange) {
            self.settle(game);
        }
        let text = decision::with_names(text, &self.names);
        let text = risk_text::escape_control(&text).into_owned();
        self.note(game, player, text, Rank::Said);
    }

    pub(super) fn turn(&mut self, game: &GameState, round: u32) {
        self.tell_orders(game);
        self.pause(game);
        self.heading = None;
        self.tell_set_up(game);
        if std::mem::take(&mut self.begins_part) {
            self.caption = None;
        }
        if round != self.round {
            self.round = round;
            self.shown = None;
            if self.bare {
                return;
            }
            self.line("");
            self.line(&self.paint.rule(&format!("Round {round}")));
            self.standings(game);
            self.line("");
        }
    }

    fn faulted(
        &mut self,
        game: &GameState,
        player: Player,
        kind: FaultKind,
        text: &str,
        strikes: u32,
    ) {
        self.settle(game);
        if kind == FaultKind::Resigned {
            let resigns = match is_you(&self.names[player.index()]) {
                true => "resign",
                false => "resigns",
            };
            self.say(player, resigns, Rank::Must);
            return;
        }
        let fault = self.paint.bad(&format!("fault {strikes}"));
        let fault = format!("{fault} ({})", kind.as_str());
        // The text is empty for spectators.
        let text = risk_text::escape_control(text);
        if text.is_empty() {
            self.say(player, &fault, Rank::Must);
        } else {
            self.say(player, &format!("{fault}: {text}"), Rank::Must);
        }
    }

    /// Writes that a player leaves the game.
    fn out(&mut self, game: &GameState, player: Player, now: Status) {
        self.settle(game);
        let now = self.paint.bad(now.as_str());
        let is = if is_you(&self.names[player.index()]) {
            "are"
        } else {
            "is"
        };
        self.remark(&format!("✗ {} {is} {now}", self.name(player)));
    }

    pub(super) fn tell(&mut self, game: &GameState, event: &Event) {
        match event {
            Event::TurnBegan { round, .. } => self.turn(game, *round),
            Event::PhaseBegan { phase, seat } => self.began(game, *phase, *seat),
            Event::Answered {
                player,
                action,
                phase,
                ..
            } => self.answered(game, *player, *phase, *action),
            Event::Stored { player, action } => self.stored(*player, *action),
            Event::Unstored { player, action, .. } => self.unstored(*player, *action),
            Event::Executed { player, action } => self.executed(game, *player, *action),
            Event::Rolled { attack, defend } => {
                self.chances.dice = true;
                self.dice.push((*attack, *defend));
            }
            Event::Tried { .. } => self.chances.percent = true,
            Event::Fought(round) => self.fought(game, round),
            Event::Captured(capture) => self.captured(game, capture),
            Event::Moved {
                from,
                to,
                unit,
                count,
            } => self.moved(game, Move::new(*from, *to, *unit, *count)),
            Event::Units { at, unit, by, now } => self.units(game, *at, *unit, *by, *now),
            Event::Owner { at, from, to } => self.changed_hands(game, *at, *from, *to),
            Event::Counter {
                counter,
                of,
                by,
                now,
            } => self.counter(game, *counter, *of, *by, *now),
            Event::Card { card, from, to, .. } => self.card(game, *card, *from, *to),
            Event::Faulted {
                player,
                kind,
                text,
                strikes,
                ..
            } => self.faulted(game, *player, *kind, text, *strikes),
            Event::Status { player, now } if *now != Status::Playing => {
                self.out(game, *player, *now)
            }
            Event::Said { player, text } => self.ruleset_says(game, *player, text),
            // These events are part of an answer's line, or are omitted.
            Event::Status { .. }
            | Event::Filled { .. }
            | Event::Shuffled { .. }
            | Event::Ended { .. } => {}
        }
    }
}
