//! What happened, in words.

use schemars::JsonSchema;
use serde::Serialize;

use super::offers::{Lexicon, Word};
use risk_kernel::action::Action;
use risk_kernel::event::{Capture, Dice, Event, FightRound, PileOf, Status};
use risk_kernel::fault::FaultKind;
use risk_kernel::id::{Card, Counter, Phase, Pile, Player, PlayerSet, Territory, Unit};

/// Something that happened. Players are numbers, everything else has its word; `null` is nobody,
/// the table, or what is hidden.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum EventOut<'a> {
    /// A phase began.
    Phase { phase: &'a str, player: Option<u8> },
    /// A player's turn began, or a round of everybody's at once.
    Turn {
        player: Option<u8>,
        turn: u32,
        round: u32,
    },
    /// A player answered, or the fault policy did for the player.
    Answer {
        player: u8,
        phase: &'a str,
        action: Vec<Word<'a>>,
        chosen: bool,
    },
    /// A player made a fault.
    Fault {
        player: u8,
        code: &'static str,
        strikes: u32,
    },
    /// Land changed hands without a fight.
    Owner {
        at: &'a str,
        from: Option<u8>,
        to: Option<u8>,
    },
    /// Units came or went.
    Units {
        at: &'a str,
        unit: &'a str,
        by: i32,
        now: i32,
    },
    /// Units moved from one territory to another.
    Moved {
        from: &'a str,
        to: &'a str,
        unit: &'a str,
        count: i32,
    },
    /// Land was taken.
    Captured {
        from: &'a str,
        to: &'a str,
        player: u8,
        loser: Option<u8>,
        unit: &'a str,
        killed: i32,
        moved: i32,
    },
    /// A counter changed: the table's where there is no player.
    Counter {
        counter: &'a str,
        player: Option<u8>,
        by: i64,
        now: i64,
    },
    /// A pile was filled.
    Filled {
        pile: &'a str,
        player: Option<u8>,
        count: usize,
        cards: Option<Vec<&'a str>>,
    },
    /// A card moved from one pile to another.
    Card {
        card: Option<&'a str>,
        from: &'a str,
        from_player: Option<u8>,
        to: &'a str,
        to_player: Option<u8>,
    },
    /// A pile was shuffled.
    Shuffled {
        pile: &'a str,
        player: Option<u8>,
        cards: Option<Vec<&'a str>>,
    },
    /// A player's status changed.
    Status { player: u8, now: &'static str },
    /// Dice were rolled.
    Rolled { attack: Vec<u8>, defend: Vec<u8> },
    /// So many chances in a hundred were tried so many times.
    Tried { tries: i32, percent: i32, hits: i32 },
    /// A stored order is executed.
    Executed { player: u8, action: Vec<Word<'a>> },
    /// A round of a fight was fought.
    Fought {
        from: &'a str,
        to: &'a str,
        attackers: i32,
        defenders: i32,
        attacker_lost: i32,
        defender_lost: i32,
    },
    /// An order of the bot's own was stored.
    Stored { player: u8, action: Vec<Word<'a>> },
    /// A stored order of the bot's own was taken back, or is done.
    Unstored { player: u8, action: Vec<Word<'a>> },
    /// The ruleset says something.
    Said { player: Option<u8>, text: String },
    /// The game is over.
    Ended { reason: String, winners: Vec<u8> },
}

impl<'a> Lexicon<'a> {
    /// An event that this player may see.
    pub(super) fn event(self, event: &Event) -> EventOut<'a> {
        match event {
            Event::PhaseBegan { phase, seat } => self.phase_began(*phase, *seat),
            Event::TurnBegan {
                player,
                turn,
                round,
            } => turn_began(*player, *turn, *round),
            Event::Answered {
                player,
                phase,
                action,
                chosen,
                ..
            } => self.answered(*player, *phase, *action, *chosen),
            Event::Faulted {
                player,
                kind,
                strikes,
                ..
            } => faulted(*player, *kind, *strikes),
            Event::Owner { at, from, to } => self.changed_hands(*at, *from, *to),
            Event::Units { at, unit, by, now } => self.units(*at, *unit, *by, *now),
            Event::Moved {
                from,
                to,
                unit,
                count,
            } => self.moved(*from, *to, *unit, *count),
            Event::Captured(capture) => self.captured(capture),
            Event::Counter {
                counter,
                of,
                by,
                now,
            } => self.counter(*counter, *of, *by, *now),
            Event::Filled { pile, cards, count } => self.filled(*pile, cards.as_deref(), *count),
            Event::Card { card, from, to, .. } => self.card_moved(*card, *from, *to),
            Event::Shuffled { pile, cards } => self.shuffled(*pile, cards.as_deref()),
            Event::Status { player, now } => status(*player, *now),
            Event::Rolled { attack, defend } => rolled(attack, defend),
            Event::Tried {
                tries,
                percent,
                successes,
            } => tried(*tries, *percent, *successes),
            Event::Executed { player, action } => self.executed(*player, *action),
            Event::Fought(round) => self.fought(round),
            Event::Stored { player, action } => self.stored(*player, *action),
            Event::Unstored { player, action, .. } => self.unstored(*player, *action),
            Event::Said { player, text } => message(*player, text),
            Event::Ended { reason, winners } => ended(reason, *winners),
        }
    }

    fn at(self, at: Territory) -> &'a str {
        &self.board.info(at).id
    }

    fn unit(self, unit: Unit) -> &'a str {
        &self.decl.units[unit.index()]
    }

    fn card(self, card: Card) -> &'a str {
        &self.decl.cards[card.index()].name
    }

    fn cards(self, cards: Option<&[Card]>) -> Option<Vec<&'a str>> {
        cards.map(|cards| cards.iter().map(|&card| self.card(card)).collect())
    }

    fn phase(self, phase: Phase) -> &'a str {
        &self.decl.phases[phase.index()].name
    }

    fn pile(self, pile: Pile) -> &'a str {
        &self.decl.piles[pile.index()].name
    }

    fn phase_began(self, phase: Phase, player: Option<Player>) -> EventOut<'a> {
        EventOut::Phase {
            phase: self.phase(phase),
            player: player.map(seat),
        }
    }

    fn answered(self, player: Player, phase: Phase, action: Action, chosen: bool) -> EventOut<'a> {
        EventOut::Answer {
            player: seat(player),
            phase: self.phase(phase),
            action: self.action(action),
            chosen,
        }
    }

    fn changed_hands(
        self,
        at: Territory,
        from: Option<Player>,
        to: Option<Player>,
    ) -> EventOut<'a> {
        EventOut::Owner {
            at: self.at(at),
            from: from.map(seat),
            to: to.map(seat),
        }
    }

    fn units(self, at: Territory, unit: Unit, by: i32, now: i32) -> EventOut<'a> {
        EventOut::Units {
            at: self.at(at),
            unit: self.unit(unit),
            by,
            now,
        }
    }

    fn moved(self, from: Territory, to: Territory, unit: Unit, count: i32) -> EventOut<'a> {
        EventOut::Moved {
            from: self.at(from),
            to: self.at(to),
            unit: self.unit(unit),
            count,
        }
    }

    fn captured(self, capture: &Capture) -> EventOut<'a> {
        EventOut::Captured {
            from: self.at(capture.from),
            to: self.at(capture.to),
            player: seat(capture.by),
            loser: capture.loser.map(seat),
            unit: self.unit(capture.unit),
            killed: capture.killed,
            moved: capture.moved,
        }
    }

    fn counter(self, counter: Counter, of: Option<Player>, by: i64, now: i64) -> EventOut<'a> {
        EventOut::Counter {
            counter: &self.decl.counters[counter.index()].name,
            player: of.map(seat),
            by,
            now,
        }
    }

    fn filled(self, pile: PileOf, cards: Option<&[Card]>, count: usize) -> EventOut<'a> {
        EventOut::Filled {
            pile: self.pile(pile.0),
            player: pile.1.map(seat),
            count,
            cards: self.cards(cards),
        }
    }

    fn card_moved(self, card: Option<Card>, from: PileOf, to: PileOf) -> EventOut<'a> {
        EventOut::Card {
            card: card.map(|card| self.card(card)),
            from: self.pile(from.0),
            from_player: from.1.map(seat),
            to: self.pile(to.0),
            to_player: to.1.map(seat),
        }
    }

    fn shuffled(self, pile: PileOf, cards: Option<&[Card]>) -> EventOut<'a> {
        EventOut::Shuffled {
            pile: self.pile(pile.0),
            player: pile.1.map(seat),
            cards: self.cards(cards),
        }
    }

    fn executed(self, player: Player, action: Action) -> EventOut<'a> {
        EventOut::Executed {
            player: seat(player),
            action: self.action(action),
        }
    }

    fn fought(self, round: &FightRound) -> EventOut<'a> {
        EventOut::Fought {
            from: self.at(round.from),
            to: self.at(round.to),
            attackers: round.attackers,
            defenders: round.defenders,
            attacker_lost: round.attacker_lost,
            defender_lost: round.defender_lost,
        }
    }

    fn stored(self, player: Player, action: Action) -> EventOut<'a> {
        EventOut::Stored {
            player: seat(player),
            action: self.action(action),
        }
    }

    fn unstored(self, player: Player, action: Action) -> EventOut<'a> {
        EventOut::Unstored {
            player: seat(player),
            action: self.action(action),
        }
    }
}

fn turn_began(player: Option<Player>, turn: u32, round: u32) -> EventOut<'static> {
    EventOut::Turn {
        player: player.map(seat),
        turn,
        round,
    }
}

fn faulted(player: Player, kind: FaultKind, strikes: u32) -> EventOut<'static> {
    EventOut::Fault {
        player: seat(player),
        code: kind.as_str(),
        strikes,
    }
}

fn status(player: Player, now: Status) -> EventOut<'static> {
    EventOut::Status {
        player: seat(player),
        now: now.as_str(),
    }
}

fn rolled(attack: &Dice, defend: &Dice) -> EventOut<'static> {
    EventOut::Rolled {
        attack: attack.values().to_vec(),
        defend: defend.values().to_vec(),
    }
}

fn tried(tries: i32, percent: i32, hits: i32) -> EventOut<'static> {
    EventOut::Tried {
        tries,
        percent,
        hits,
    }
}

fn message(player: Option<Player>, text: &str) -> EventOut<'static> {
    EventOut::Said {
        player: player.map(seat),
        text: text.to_owned(),
    }
}

fn ended(reason: &str, winners: PlayerSet) -> EventOut<'static> {
    EventOut::Ended {
        reason: reason.to_owned(),
        winners: winners.iter().map(seat).collect(),
    }
}

/// A player as the wire has it: counted from 0.
fn seat(player: Player) -> u8 {
    player.0
}
