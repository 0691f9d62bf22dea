//! The lines of the story for each event.

use std::io::Write;

use super::Story;
use super::lines::{OngoingFight, Placing, kind_word, place};
use risk_kernel::action::Action;
use risk_kernel::declare::SlotKind;
use risk_kernel::event::{Capture, Event, FightRound, PileOf, Status};
use risk_kernel::fault::FaultKind;
use risk_kernel::id::{Card, Counter, Phase, Player, Territory, Unit};
use risk_kernel::state::GameState;
use risk_kernel::words::{Words, filled};
use risk_text::plural::counted;

impl<W: Write> Story<W> {
    pub(super) fn mark_told(&mut self) {
        if let Some(act) = &mut self.act {
            act.told = true;
        }
    }

    pub(super) fn answered(
        &mut self,
        game: &GameState,
        player: Player,
        phase: Phase,
        action: Action,
    ) {
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
                match self.given.iter_mut().find(|given| given.0 == player) {
                    Some(given) => given.1.push(text),
                    None => self.given.push((player, vec![text])),
                }
            }
        } else if !info.optional {
            self.tell_given(game);
            self.begin_act(game, player, action);
        }
    }

    /// Writes the secret orders in the order in which they were given.
    pub(super) fn tell_given(&mut self, game: &GameState) {
        let given = std::mem::take(&mut self.given);
        let Some(phase) = self.giving.take().filter(|_| !given.is_empty()) else {
            return;
        };
        self.settle(game);
        // The short form contains the orders when they are executed.
        if self.brief.is_some() {
            return;
        }
        let title = game
            .decl()
            .sentences
            .of_phase(phase)
            .unwrap_or("orders, as they are given");
        self.remark(&self.paint.dim(title));
        for (player, orders) in given {
            self.say(player, &orders.join("; "));
        }
        self.shown = None;
    }

    pub(super) fn began(&mut self, game: &GameState, phase: Phase) {
        if self.giving != Some(phase) {
            self.tell_given(game);
        }
        if let Some(title) = game
            .decl()
            .sentences
            .of_phase(phase)
            .filter(|_| !game.decl().phases[phase.index()].secret && self.brief.is_none())
        {
            self.settle(game);
            self.shown = None;
            self.remark(&self.paint.dim(title));
        }
    }

    pub(super) fn fought(&mut self, game: &GameState, round: &FightRound) {
        let from = round.from;
        let to = round.to;
        let Some(player) = self.owner(from).or(self.act.as_ref().map(|act| act.player)) else {
            return;
        };
        let same = self.fight.as_ref().is_some_and(|fight| {
            !fight.captured && (fight.player, fight.from, fight.to) == (player, from, to)
        });
        // Without dice, each attack is a separate order.
        let same = same && !self.dice.is_empty();
        self.mark_told();
        let notes = std::mem::take(&mut self.notes);
        if !same {
            self.flush(game);
            self.fight = Some(OngoingFight {
                player,
                from,
                to,
                first: *round,
                lost: 0,
                killed: 0,
                losses: [Vec::new(), Vec::new()],
                rounds: Vec::new(),
                captured: false,
                emptied: false,
                followed: false,
                moved: 0,
            });
        }
        self.notes = notes;
        if let Some(fight) = &mut self.fight {
            fight.lost += round.attacker_lost;
            fight.killed += round.defender_lost;
            fight.rounds.append(&mut self.dice);
            for (at, unit, count) in self.felled.drain(..) {
                if at == from {
                    fight.losses[0].push((unit, count));
                } else if at == to {
                    fight.losses[1].push((unit, count));
                }
            }
        }
        // The ruleset may give the territory over before it reports the fight.
        let mut given = self.act.iter().flat_map(|act| &act.given);
        let given = given.rfind(|given| given.0 == to).copied();
        if let Some((at, owner)) = given {
            self.fight_won(at, owner);
        }
    }

    /// Notes that the territory of the current fight changed hands. Returns false for another
    /// territory.
    fn fight_won(&mut self, at: Territory, owner: Option<Player>) -> bool {
        let Some(fight) = self.fight.as_mut().filter(|fight| fight.to == at) else {
            return false;
        };
        if owner == Some(fight.player) {
            fight.captured = true;
        } else if owner.is_none() {
            fight.emptied = true;
        }
        true
    }

    pub(super) fn captured(&mut self, game: &GameState, capture: &Capture) {
        let from = capture.from;
        let to = capture.to;
        let moved = capture.moved;
        self.mark_told();
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
                self.say(capture.by, &text);
            }
        }
    }

    pub(super) fn moved(
        &mut self,
        game: &GameState,
        from: Territory,
        to: Territory,
        unit: Unit,
        count: i32,
    ) {
        // In the same answer, units may move in before the territory changes hands.
        let in_act = self.act.as_ref().is_some_and(|act| act.told);
        let follows = self
            .fight
            .as_mut()
            .filter(|fight| (fight.captured || in_act) && (fight.from, fight.to) == (from, to));
        if let Some(fight) = follows {
            fight.moved += count;
            self.mark_told();
            return;
        }
        self.flush(game);
        let kind = kind_word(game, unit);
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
            let player = self.owner(from).or_else(|| self.owner(to));
            self.mark_told();
            if let Some(player) = player {
                self.say_aside(player, &plain);
            }
            return;
        };
        let player = act.player;
        let text = self.sentence(game, done(game, act.action, count));
        self.mark_told();
        self.say_aside(player, &text);
    }

    pub(super) fn units(&mut self, game: &GameState, at: Territory, unit: Unit, by: i32, now: i32) {
        if by < 0 {
            self.felled.push((at, unit, -by));
        }
        let owner = self.owner(at);
        let Some(act) = self.act.as_mut() else { return };
        if self.round == 0 && by > 0 {
            act.told = true;
            let player = act.player;
            self.sets_up(player, [0, by.into()]);
            return;
        }
        let here =
            act.values(game, SlotKind::Territory) == [at.number()] && owner == Some(act.player);
        if here && by > 0 && act.values(game, SlotKind::Count) == [by] {
            act.told = true;
            let player = act.player;
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
        } else if now != by || unit.index() > 0 {
            let kind = kind_word(game, unit);
            act.effects
                .push(format!("{} {} → {now}{kind}", place(game, at), now - by));
        }
    }

    /// Counts the territories that a player claims before the first round, and the units placed.
    fn sets_up(&mut self, player: Player, [claimed, placed]: [i64; 2]) {
        let known = self.set_up.iter().position(|(of, _)| *of == player);
        let index = known.unwrap_or_else(|| {
            self.set_up.push((player, [0, 0]));
            self.set_up.len() - 1
        });
        let (_, counts) = &mut self.set_up[index];
        counts[0] += claimed;
        counts[1] += placed;
    }

    pub(super) fn changed_hands(
        &mut self,
        game: &GameState,
        at: Territory,
        from: Option<Player>,
        to: Option<Player>,
    ) {
        if self.fight_won(at, to) {
            return;
        }
        let names = &self.names;
        let Some(act) = self.act.as_mut() else {
            return;
        };
        act.given.push((at, to));
        match (from, to) {
            (None, Some(player)) if self.round == 0 => {
                act.told = true;
                self.sets_up(player, [1, 0]);
            }
            (None, Some(_)) => {}
            (_, Some(to)) => {
                act.effects
                    .push(format!("{} goes to {}", place(game, at), names[to.index()]))
            }
            (_, None) => act
                .effects
                .push(format!("{} has no owner now", place(game, at))),
        }
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
            if let Some(act) = self
                .act
                .as_mut()
                .filter(|act| reserve && of == Some(act.player))
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
            Some(player) => self.say(player, &text),
            None => self.remark(&text),
        }
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
        self.settle(game);
        let words = Words::new(game.board(), game.decl());
        let text = card.map_or_else(|| "a card".to_owned(), |card| words.card(card));
        let text = self.paint.dim(&format!("draws {text}"));
        self.say_aside(player, &text);
    }

    pub(super) fn ruleset_says(&mut self, game: &GameState, player: Option<Player>, text: &str) {
        let words = Words::new(game.board(), game.decl());
        // A message that begins with the sentence for the current answer replaces the answer's
        // line.
        if let Some(act) = self.act.as_mut().filter(|act| player == Some(act.player))
            && text.starts_with(&words.sentence(act.action))
        {
            act.told = true;
        }
        self.notes
            .push((player, risk_text::escape_control(text).into_owned()));
        let fights = self.act.as_ref().is_some_and(|act| !act.told) && !self.felled.is_empty();
        if !fights {
            self.settle(game);
        }
    }

    pub(super) fn turn(&mut self, game: &GameState, round: u32) {
        self.tell_given(game);
        self.pause(game);
        self.shown = None;
        for (player, [claimed, placed]) in std::mem::take(&mut self.set_up) {
            let units = match game.decl().units.as_slice() {
                [_] => "army",
                _ => "unit",
            };
            let parts = [("claims", claimed, "territory"), ("places", placed, units)];
            let parts = parts.iter().filter(|part| part.1 > 0);
            let parts: Vec<String> = parts
                .map(|(does, count, what)| format!("{does} {}", counted(*count, what)))
                .collect();
            let name = &self.names[player.index()];
            let text = format!("set-up: {name} {}", parts.join(" and "));
            self.remark(&self.paint.dim(&text));
        }
        if round != self.round {
            self.round = round;
            if self.bare {
                return;
            }
            self.line("");
            self.line(&self.paint.rule(&format!("Round {round}")));
            self.standings(game);
            self.line("");
        }
    }

    fn executed(&mut self, game: &GameState, player: Player, action: Action) {
        self.tell_given(game);
        self.settle_act(game);
        // An order is not part of the fight before it.
        if self.fight.is_some() {
            self.flush(game);
        }
        self.begin_act(game, player, action);
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
        let fault = self.paint.bad(&format!("fault {strikes}"));
        let fault = format!("{fault} ({})", kind.as_str());
        // The text is empty for spectators.
        let text = risk_text::escape_control(text);
        if text.is_empty() {
            self.say(player, &fault);
        } else {
            self.say(player, &format!("{fault}: {text}"));
        }
    }

    /// Writes that a player leaves the game.
    fn out(&mut self, game: &GameState, player: Player, now: Status) {
        self.pause(game);
        let now = self.paint.bad(now.as_str());
        self.remark(&format!("✗ {} is {now}", self.name(player)));
    }

    pub(super) fn tell(&mut self, game: &GameState, event: &Event) {
        match event {
            Event::TurnBegan { round, .. } => self.turn(game, *round),
            Event::PhaseBegan { phase, .. } => self.began(game, *phase),
            Event::Answered {
                player,
                action,
                phase,
                ..
            } => self.answered(game, *player, *phase, *action),
            Event::Executed { player, action } => self.executed(game, *player, *action),
            Event::Rolled { attack, defend } => self.dice.push((*attack, *defend)),
            Event::Fought(round) => self.fought(game, round),
            Event::Captured(capture) => self.captured(game, capture),
            Event::Moved {
                from,
                to,
                unit,
                count,
            } => self.moved(game, *from, *to, *unit, *count),
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
            | Event::Tried { .. }
            | Event::Filled { .. }
            | Event::Shuffled { .. }
            | Event::Stored { .. }
            | Event::Unstored { .. }
            | Event::Ended { .. } => {}
        }
    }
}

/// Returns an order as it was executed. It may have moved fewer armies than ordered.
fn done(game: &GameState, ordered: Action, count: i32) -> Action {
    let mut args = ordered.args().to_vec();
    let slots = &game.decl().verbs[ordered.verb.index()].slots;
    let mut counts: Vec<&mut i32> = args
        .iter_mut()
        .zip(slots)
        .filter(|(_, slot)| slot.1 == SlotKind::Count)
        .map(|(arg, _)| arg)
        .collect();
    if let [armies] = counts.as_mut_slice() {
        **armies = count.min(**armies);
    }
    Action::new(ordered.verb, &args)
}
