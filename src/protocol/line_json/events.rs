//! What happened, in words.

use schemars::JsonSchema;
use serde::Serialize;

use super::offers::{Lexicon, Word};
use crate::kernel::event::{Event, PileOf};
use crate::kernel::id::{Card, PlayerSet, Territory, Unit};

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
    /// Units moved.
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
    /// An order was stored.
    Stored {
        player: u8,
        action: Option<Vec<Word<'a>>>,
    },
    /// A stored order was taken back or is done.
    Unstored { player: u8, action: Vec<Word<'a>> },
    /// The ruleset says something.
    Said { player: Option<u8>, text: String },
    /// The game is over.
    Ended { reason: String, winners: Vec<u8> },
}

impl<'a> Lexicon<'a> {
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

    fn pile(self, pile: PileOf) -> (&'a str, Option<u8>) {
        let name = &self.decl.piles[pile.0.index()].name;
        (name, pile.1.map(|player| player.0))
    }

    /// An event that this player may see.
    pub(super) fn event(self, event: &Event) -> EventOut<'a> {
        match event {
            Event::PhaseBegan { phase, seat } => EventOut::Phase {
                phase: &self.decl.phases[phase.index()].name,
                player: seat.map(|player| player.0),
            },
            Event::TurnBegan {
                player,
                turn,
                round,
            } => EventOut::Turn {
                player: player.map(|player| player.0),
                turn: *turn,
                round: *round,
            },
            Event::Faulted {
                player,
                kind,
                strikes,
                ..
            } => EventOut::Fault {
                player: player.0,
                code: kind.as_str(),
                strikes: *strikes,
            },
            Event::Counter {
                counter,
                of,
                by,
                now,
            } => EventOut::Counter {
                counter: &self.decl.counters[counter.index()].name,
                player: of.map(|player| player.0),
                by: *by,
                now: *now,
            },
            Event::Status { player, now } => EventOut::Status {
                player: player.0,
                now: now.as_str(),
            },
            Event::Rolled { attack, defend } => EventOut::Rolled {
                attack: attack.values().to_vec(),
                defend: defend.values().to_vec(),
            },
            Event::Tried {
                tries,
                percent,
                hits,
            } => EventOut::Tried {
                tries: *tries,
                percent: *percent,
                hits: *hits,
            },
            other => self.event_of_lands(other),
        }
    }

    /// An event about territories, cards or orders.
    fn event_of_lands(self, event: &Event) -> EventOut<'a> {
        match event {
            Event::Owner { at, from, to } => EventOut::Owner {
                at: self.at(*at),
                from: from.map(|player| player.0),
                to: to.map(|player| player.0),
            },
            Event::Units { at, unit, by, now } => EventOut::Units {
                at: self.at(*at),
                unit: self.unit(*unit),
                by: *by,
                now: *now,
            },
            Event::Moved {
                from,
                to,
                unit,
                count,
            } => EventOut::Moved {
                from: self.at(*from),
                to: self.at(*to),
                unit: self.unit(*unit),
                count: *count,
            },
            Event::Captured {
                from,
                to,
                by,
                loser,
                unit,
                killed,
                moved,
            } => EventOut::Captured {
                from: self.at(*from),
                to: self.at(*to),
                player: by.0,
                loser: loser.map(|player| player.0),
                unit: self.unit(*unit),
                killed: *killed,
                moved: *moved,
            },
            Event::Fought {
                from,
                to,
                attackers,
                defenders,
                attacker_lost,
                defender_lost,
                ..
            } => EventOut::Fought {
                from: self.at(*from),
                to: self.at(*to),
                attackers: *attackers,
                defenders: *defenders,
                attacker_lost: *attacker_lost,
                defender_lost: *defender_lost,
            },
            other => self.event_of_cards(other),
        }
    }

    /// An event about cards, answers or orders.
    fn event_of_cards(self, event: &Event) -> EventOut<'a> {
        match event {
            Event::Filled { pile, cards, count } => {
                let (pile, player) = self.pile(*pile);
                EventOut::Filled {
                    pile,
                    player,
                    count: *count,
                    cards: self.cards(cards.as_deref()),
                }
            }
            Event::Card { card, from, to, .. } => {
                let (from, from_player) = self.pile(*from);
                let (to, to_player) = self.pile(*to);
                EventOut::Card {
                    card: card.map(|card| self.card(card)),
                    from,
                    from_player,
                    to,
                    to_player,
                }
            }
            Event::Shuffled { pile, cards } => {
                let (pile, player) = self.pile(*pile);
                EventOut::Shuffled {
                    pile,
                    player,
                    cards: self.cards(cards.as_deref()),
                }
            }
            other => self.event_of_orders(other),
        }
    }

    /// An event about answers and orders, or the ruleset's own words.
    fn event_of_orders(self, event: &Event) -> EventOut<'a> {
        match event {
            Event::Answered {
                player,
                phase,
                action,
                chosen,
                ..
            } => EventOut::Answer {
                player: player.0,
                phase: &self.decl.phases[phase.index()].name,
                action: self.action(*action),
                chosen: *chosen,
            },
            Event::Executed { player, action } => EventOut::Executed {
                player: player.0,
                action: self.action(*action),
            },
            Event::Stored { player, action } => EventOut::Stored {
                player: player.0,
                action: action.map(|action| self.action(action)),
            },
            Event::Unstored { player, action, .. } => EventOut::Unstored {
                player: player.0,
                action: self.action(*action),
            },
            Event::Said { player, text } => EventOut::Said {
                player: player.map(|player| player.0),
                text: text.clone(),
            },
            Event::Ended { reason, winners } => EventOut::Ended {
                reason: reason.clone(),
                winners: seats(*winners),
            },
            _ => unreachable!("every other event was written above"),
        }
    }
}

fn seats(players: PlayerSet) -> Vec<u8> {
    players.iter().map(|player| player.0).collect()
}
