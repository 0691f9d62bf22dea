//! Events in words, for golden games and for positions with prepared answers.

use risk_kernel::event::{Capture, Event, FightRound, PileOf};
use risk_kernel::id::{Card, Player, Territory};
use risk_kernel::state::GameState;
use risk_kernel::words::Words;

/// The words for events, with the names in a game's state.
pub struct EventWords<'a>(pub &'a GameState);

impl EventWords<'_> {
    /// Describes an event. Returns `None` for events that only repeat an answer.
    pub fn of(&self, event: &Event) -> Option<String> {
        self.of_the_loop(event)
            .or_else(|| self.of_the_board(event))
            .or_else(|| self.of_cards(event))
    }

    fn at(&self, at: Territory) -> &str {
        &self.0.board().info(at).id
    }

    fn who(&self, who: Option<Player>) -> String {
        who.map_or("the table".to_owned(), |who| {
            format!("player {}", who.0 + 1)
        })
    }

    fn pile(&self, (pile, of): PileOf) -> String {
        let name = &self.0.decl().piles[pile.index()].name;
        format!("{name} of {}", self.who(of))
    }

    fn cards(&self, cards: Option<&[Card]>) -> String {
        let Some(cards) = cards else {
            return "hidden".to_owned();
        };
        let names = cards
            .iter()
            .map(|card| &*self.0.decl().cards[card.index()].name);
        names.collect::<Vec<_>>().join(" ")
    }

    /// Describes phases, turns, faults, orders and the end.
    fn of_the_loop(&self, event: &Event) -> Option<String> {
        let decl = self.0.decl();
        Some(match event {
            Event::PhaseBegan { phase, seat } => {
                let name = &decl.phases[phase.index()].name;
                format!("phase {name} for {}", self.who(*seat))
            }
            Event::TurnBegan {
                player: who,
                turn,
                round,
            } => {
                format!("turn {turn} in round {round}: {}", self.who(*who))
            }
            Event::Executed {
                player: who,
                action,
            } => {
                let action = Words::new(self.0.board(), decl).action(*action);
                format!("player {} executes {action}", who.0 + 1)
            }
            Event::Faulted {
                player: who,
                kind,
                text,
                strikes,
                ..
            } => format!(
                "fault {strikes} of player {}, {}: {text}",
                who.0 + 1,
                kind.as_str()
            ),
            Event::Status { player: who, now } => {
                format!("player {} is {}", who.0 + 1, now.as_str())
            }
            Event::Stored { player: who, .. } => format!("player {} stores an order", who.0 + 1),
            Event::Unstored { index, .. } => format!("order {index} leaves the book"),
            Event::Said { text, .. } => text.clone(),
            Event::Ended { reason, winners } => {
                let winners: Vec<String> =
                    winners.iter().map(|who| (who.0 + 1).to_string()).collect();
                format!("the end: {reason}, won by [{}]", winners.join(" "))
            }
            _ => return None,
        })
    }

    /// Describes territories, armies, dice and counters.
    fn of_the_board(&self, event: &Event) -> Option<String> {
        Some(match event {
            Event::Tried {
                tries,
                percent,
                successes,
            } => format!("{successes} of {tries} tries at {percent} percent"),
            Event::Border { from, to, open } => {
                let now = if *open { "open" } else { "closed" };
                format!("{} to {} is {now}", self.at(*from), self.at(*to))
            }
            Event::Mark { at, mark, now, .. } => {
                format!("mark {} of {} is {now}", mark.0, self.at(*at))
            }
            Event::Owner { at, to, .. } => format!("{} goes to {}", self.at(*at), self.who(*to)),
            Event::Units { at, by, now, .. } => format!("{} {by:+} is {now}", self.at(*at)),
            Event::Moved {
                from, to, count, ..
            } => format!("{count} from {} to {}", self.at(*from), self.at(*to)),
            Event::Captured(Capture {
                from,
                to,
                by,
                loser,
                killed,
                moved,
                ..
            }) => format!(
                "player {} takes {} of {}: {killed} fall, {moved} come from {}",
                by.0 + 1,
                self.at(*to),
                self.who(*loser),
                self.at(*from)
            ),
            Event::Counter {
                counter,
                of,
                by,
                now,
            } => {
                let name = &self.0.decl().counters[counter.index()].name;
                format!("{name} of {} {by:+} is {now}", self.who(*of))
            }
            Event::Rolled { attack, defend } => {
                format!("dice {:?} against {:?}", attack.values(), defend.values())
            }
            Event::Fought(FightRound {
                from,
                to,
                attacker_lost,
                defender_lost,
                ..
            }) => format!(
                "{} loses {attacker_lost} against {}, which loses {defender_lost}",
                self.at(*from),
                self.at(*to)
            ),
            _ => return None,
        })
    }

    fn of_cards(&self, event: &Event) -> Option<String> {
        Some(match event {
            Event::Filled { pile, cards, .. } => {
                format!("{} gets {}", self.pile(*pile), self.cards(cards.as_deref()))
            }
            Event::Card {
                card,
                from,
                to,
                under,
            } => {
                let card = card.map_or("a card".to_owned(), |card| self.cards(Some(&[card])));
                let place = if *under { "under" } else { "onto" };
                format!(
                    "{card} goes from {} {place} {}",
                    self.pile(*from),
                    self.pile(*to)
                )
            }
            Event::Shuffled { pile, cards } => {
                let cards = self.cards(cards.as_deref());
                format!("{} is shuffled: {cards}", self.pile(*pile))
            }
            _ => return None,
        })
    }
}
