//! The mutators: the only way to change a game. Each checks its invariant and pushes one event.

use super::action::Action;
use super::digest::{Cell, CellKind, order_cells};
use super::event::{Event, Status};
use super::fault::{Exchange, FaultKind, RuleFault};
use super::id::{Card, Counter, Phase, Pile, Player, PlayerSet, Territory, Unit};
use super::state::{Ending, Frame, GameState, MOST, Order};

/// The most frames on the stack.
pub const MOST_FRAMES: usize = 1_000;

/// The most orders in the book.
pub const MOST_ORDERS: usize = 100_000;

pub(super) type Done = Result<(), RuleFault>;

pub(super) fn fault(text: impl Into<String>) -> RuleFault {
    RuleFault::new(text)
}

impl GameState {
    #[inline]
    pub(super) fn push_event(&mut self, event: impl FnOnce() -> Event) {
        self.event_count += 1;
        if self.listening {
            self.events.push(event());
        }
    }

    #[inline]
    fn rehash(&mut self, cell: Cell, was: i64, now: i64) {
        self.table_sum = self.table_sum.wrapping_add(cell.change(was, now));
    }

    fn place_name(&self, at: Territory) -> &str {
        &self.board.info(at).id
    }

    #[inline]
    fn put_units(&mut self, at: Territory, unit: Unit, now: i32) {
        let index = at.index() * self.kinds + unit.index();
        let was = self.units[index];
        self.units[index] = now;
        self.rehash(
            Cell::new(CellKind::Units, unit.index(), at.index()),
            i64::from(was),
            i64::from(now),
        );
    }

    fn put_owner(&mut self, at: Territory, now: Option<Player>, by: Option<Player>) {
        let was = self.owner(at);
        let number = |who: Option<Player>| who.map_or(0, |who| i64::from(who.0) + 1);
        self.rehash(
            Cell::new(CellKind::Owner, 0, at.index()),
            number(was),
            number(now),
        );
        let (old, new) = (
            self.owner[at.index()],
            now.map_or(Self::NOBODY, |who| who.0),
        );
        self.owner[at.index()] = new;
        self.put_land(at, old, new);
        let continent = self
            .board
            .info(at)
            .continent
            .map(|continent| continent.index());
        let players = self.players;
        if let Some(who) = was {
            self.territories[who.index()] -= 1;
            if let Some(continent) = continent {
                self.members[continent * players + who.index()] -= 1;
            }
            if self.territories[who.index()] == 0 && now != was {
                self.fallen.push((who, by));
            }
        }
        if let Some(who) = now {
            self.territories[who.index()] += 1;
            if let Some(continent) = continent {
                self.members[continent * players + who.index()] += 1;
            }
        }
    }

    /// Keeps what is derived from owners.
    fn put_land(&mut self, at: Territory, old: u8, new: u8) {
        let (words, word, bit) = (
            self.owner.len().div_ceil(64),
            at.index() / 64,
            1 << (at.index() % 64),
        );
        if old != Self::NOBODY {
            self.lands[old as usize * words + word] &= !bit;
        }
        if new != Self::NOBODY {
            self.lands[new as usize * words + word] |= bit;
        }
        let (board, owner, foes) = (&self.board, &self.owner, &mut self.foes);
        for &from in board.sources(at) {
            let mine = owner[from.index()];
            let count = &mut foes[from.index()];
            *count = count
                .wrapping_add(u16::from(mine == old))
                .wrapping_sub(u16::from(mine == new));
        }
        let others = board
            .neighbours(at)
            .iter()
            .filter(|&&to| owner[to.index()] != new);
        foes[at.index()] = others.count() as u16;
    }

    /// Gives land to a player or to nobody; its units stay.
    pub fn set_owner(&mut self, at: Territory, to: Option<Player>) {
        let from = self.owner(at);
        if from != to {
            self.put_owner(at, to, to);
            self.push_event(|| Event::Owner { at, from, to });
        }
    }

    /// Adds units, or takes them away with a negative number.
    ///
    /// # Errors
    /// When fewer than none or more than [`MOST`] would be there.
    pub fn add_units(&mut self, at: Territory, unit: Unit, by: i32) -> Done {
        if by == 0 {
            return Ok(());
        }
        let now = i64::from(self.units(at, unit)) + i64::from(by);
        if !(0..=MOST).contains(&now) {
            let (there, name) = (self.units(at, unit), self.place_name(at));
            return Err(fault(format!(
                "{by} units can't be added to the {there} on {name}: 0 to {MOST} may be there"
            )));
        }
        self.put_units(at, unit, now as i32);
        self.push_event(|| Event::Units {
            at,
            unit,
            by,
            now: now as i32,
        });
        Ok(())
    }

    /// Moves units, whoever owns the land.
    ///
    /// # Errors
    /// When the count is not positive, or more than are there.
    pub fn move_units(&mut self, from: Territory, to: Territory, unit: Unit, count: i32) -> Done {
        let there = self.units(from, unit);
        if count < 1
            || count > there
            || from == to
            || i64::from(self.units(to, unit)) + i64::from(count) > MOST
        {
            let (a, b) = (self.place_name(from), self.place_name(to));
            return Err(fault(format!(
                "{count} units can't move from {a} ({there} there) to {b}"
            )));
        }
        self.put_units(from, unit, there - count);
        self.put_units(to, unit, self.units(to, unit) + count);
        self.push_event(|| Event::Moved {
            from,
            to,
            unit,
            count,
        });
        Ok(())
    }

    /// Takes land: the units of this kind there fall, `moved` units come from `from`, in one step,
    /// so that owned land never stands empty.
    ///
    /// # Errors
    /// When the land is the conqueror's own, or `moved` is not between 1 and what stands on `from`.
    pub fn capture(&mut self, from: Territory, to: Territory, unit: Unit, moved: i32) -> Done {
        let loser = self.owner(to);
        let there = self.units(from, unit);
        let by = self
            .owner(from)
            .filter(|&by| Some(by) != loser && moved >= 1 && moved <= there);
        let Some(by) = by else {
            let (a, b) = (self.place_name(from), self.place_name(to));
            return Err(fault(format!(
                "{b} can't be captured with {moved} of the {there} units on {a}"
            )));
        };
        let killed = self.units(to, unit);
        self.put_units(from, unit, there - moved);
        self.put_units(to, unit, moved);
        self.put_owner(to, Some(by), Some(by));
        self.push_event(|| Event::Captured {
            from,
            to,
            by,
            loser,
            unit,
            killed,
            moved,
        });
        Ok(())
    }

    /// Sets a counter.
    ///
    /// # Errors
    /// When the value is beyond [`MOST`] either way.
    pub fn set_counter(&mut self, counter: Counter, of: Option<Player>, now: i64) -> Done {
        if now.abs() > MOST {
            let name = &self.decl.counters[counter.index()].name;
            return Err(fault(format!(
                "counter {name} can't hold {now}: it goes to {MOST}"
            )));
        }
        let index = self.holder(counter.index(), of);
        let was = self.counters[index];
        if was != now {
            self.counters[index] = now;
            let holder = self.holder_number(of.map_or(self.players, Player::index));
            self.rehash(
                Cell::new(CellKind::Counter, counter.index(), holder),
                was,
                now,
            );
            self.push_event(|| Event::Counter {
                counter,
                of,
                by: now - was,
                now,
            });
        }
        Ok(())
    }

    /// Adds to a counter.
    ///
    /// # Errors
    /// When the value goes beyond [`MOST`] either way.
    pub fn add_counter(&mut self, counter: Counter, of: Option<Player>, by: i64) -> Done {
        self.set_counter(counter, of, self.counter(counter, of).saturating_add(by))
    }

    /// The terms of a pile's cards from this depth on.
    fn pile_sum(&self, holder: usize, from: usize) -> u64 {
        let cards = self.piles[holder].iter().enumerate().skip(from);
        cards.fold(0, |sum, (depth, card)| {
            sum.wrapping_add(self.pile_cell(holder, depth).term(i64::from(card.0) + 1))
        })
    }

    /// Changes a pile from this depth on, and the digest with it.
    fn change_pile(&mut self, holder: usize, from: usize, change: impl FnOnce(&mut Vec<Card>)) {
        let was = self.pile_sum(holder, from);
        change(&mut self.piles[holder]);
        let now = self.pile_sum(holder, from);
        self.table_sum = self.table_sum.wrapping_sub(was).wrapping_add(now);
    }

    /// Puts cards onto an empty pile at the set-up, the top card last.
    ///
    /// # Errors
    /// When a card is on a pile already.
    pub fn fill(&mut self, pile: Pile, of: Option<Player>, cards: &[Card]) -> Done {
        let mut used = vec![false; self.decl.cards.len()];
        for card in self.piles.iter().flatten().chain(cards) {
            if std::mem::replace(&mut used[card.index()], true) {
                let name = &self.decl.cards[card.index()].name;
                return Err(fault(format!("the card {name} is on a pile already")));
            }
        }
        let holder = self.holder(pile.index(), of);
        let len = self.piles[holder].len();
        self.change_pile(holder, len, |pile| pile.extend_from_slice(cards));
        self.push_event(|| Event::Filled {
            pile: (pile, of),
            cards: Some(cards.to_vec()),
            count: cards.len(),
        });
        Ok(())
    }

    /// Moves one card from a pile onto the top of another (or under it).
    ///
    /// # Errors
    /// When the card is not on the first pile.
    pub fn move_card(
        &mut self,
        card: Card,
        from: (Pile, Option<Player>),
        to: (Pile, Option<Player>),
        under: bool,
    ) -> Done {
        let (source, target) = (
            self.holder(from.0.index(), from.1),
            self.holder(to.0.index(), to.1),
        );
        let Some(depth) = self.piles[source].iter().rposition(|&other| other == card) else {
            let (card, pile) = (
                &self.decl.cards[card.index()].name,
                &self.decl.piles[from.0.index()].name,
            );
            return Err(fault(format!("the card {card} is not on the pile {pile}")));
        };
        self.change_pile(source, depth, |pile| _ = pile.remove(depth));
        let place = if under { 0 } else { self.piles[target].len() };
        self.change_pile(target, place, |pile| pile.insert(place, card));
        self.push_event(|| Event::Card {
            card: Some(card),
            from,
            to,
            under,
        });
        Ok(())
    }

    /// Moves the top card of a pile onto another; `None` when the pile is empty.
    ///
    /// # Errors
    /// Never in fact; see [`GameState::move_card`].
    pub fn draw(
        &mut self,
        from: (Pile, Option<Player>),
        to: (Pile, Option<Player>),
    ) -> Result<Option<Card>, RuleFault> {
        let top = self.pile(from.0, from.1).last().copied();
        if let Some(card) = top {
            self.move_card(card, from, to, false)?;
        }
        Ok(top)
    }

    /// Shuffles a pile.
    pub fn shuffle(&mut self, pile: Pile, of: Option<Player>) {
        let holder = self.holder(pile.index(), of);
        self.drew = true;
        let was = self.pile_sum(holder, 0);
        self.decks.shuffle(&mut self.piles[holder]);
        self.table_sum = self
            .table_sum
            .wrapping_sub(was)
            .wrapping_add(self.pile_sum(holder, 0));
        let cards = self.listening.then(|| self.piles[holder].clone());
        self.push_event(|| Event::Shuffled {
            pile: (pile, of),
            cards,
        });
    }

    /// Puts an order into the book.
    ///
    /// # Errors
    /// When the book holds [`MOST_ORDERS`].
    pub fn store(&mut self, who: Player, action: Action) -> Done {
        if self.book.len() >= MOST_ORDERS {
            return Err(fault(format!(
                "the book of orders holds {MOST_ORDERS}, and no more"
            )));
        }
        self.book.push(Order { who, action });
        self.table_sum = self
            .table_sum
            .wrapping_add(self.book_sum(self.book.len() - 1));
        self.push_event(|| Event::Stored {
            who,
            action: Some(action),
        });
        Ok(())
    }

    /// Takes an order out of the book.
    ///
    /// # Errors
    /// When there is none at this index.
    pub fn unstore(&mut self, index: usize) -> Result<Order, RuleFault> {
        if index >= self.book.len() {
            let held = self.book.len();
            return Err(fault(format!(
                "the book of orders holds {held}, and order {index} was asked for"
            )));
        }
        let was = self.book_sum(index);
        let order = self.book.remove(index);
        self.table_sum = self
            .table_sum
            .wrapping_sub(was)
            .wrapping_add(self.book_sum(index));
        self.push_event(|| Event::Unstored {
            index,
            who: order.who,
            action: order.action,
        });
        Ok(order)
    }

    /// The terms of the book's orders from this index on.
    fn book_sum(&self, from: usize) -> u64 {
        let mut sum = 0_u64;
        for (index, order) in self.book.iter().enumerate().skip(from) {
            order_cells(index, order, &mut |cell, value| {
                sum = sum.wrapping_add(cell.term(value))
            });
        }
        sum
    }

    fn set_status(&mut self, who: Player, now: Status) {
        let was = self.status(who);
        if was == now {
            return;
        }
        self.rehash(
            Cell::new(CellKind::Status, 0, who.index()),
            was as i64,
            now as i64,
        );
        self.status[who.index()] = now;
        if now != Status::Playing {
            for frame in self.stack.iter_mut().chain(&mut self.pending) {
                frame.players = frame.players.without(who);
            }
        }
        if now == Status::Eliminated {
            self.rehash(
                Cell::new(CellKind::Eliminated, 0, self.out_order.len()),
                0,
                i64::from(who.0) + 1,
            );
            self.out_order.push(who);
        }
        self.push_event(|| Event::Status { who, now });
        if self.playing().is_empty() {
            self.end("draw", PlayerSet::default());
        }
    }

    /// A player makes no more decisions; land and cards stay. When nobody plays on, it is a draw.
    pub fn neutralise(&mut self, who: Player) {
        if self.status(who) == Status::Playing {
            self.set_status(who, Status::Neutral);
        }
    }

    /// As [`GameState::neutralise`], and the player is ranked last.
    pub fn forfeit(&mut self, who: Player) {
        if self.status(who) == Status::Playing {
            self.set_status(who, Status::Forfeited);
        }
    }

    /// A player is out: removed from all frames. The last one standing wins where the ruleset says
    /// so.
    pub fn eliminate(&mut self, who: Player) {
        self.set_status(who, Status::Eliminated);
        let standing = self.standing();
        if self.decl.last_standing && standing.len() == 1 {
            self.end("conquest", standing);
        }
    }

    /// Records a fault of a player; says how many there are now.
    pub(super) fn strike(
        &mut self,
        who: Player,
        (kind, text): (FaultKind, String),
        exchange: Option<Exchange>,
    ) -> u32 {
        let was = self.strikes(who);
        self.rehash(
            Cell::new(CellKind::Strikes, 0, who.index()),
            i64::from(was),
            i64::from(was) + 1,
        );
        self.strikes[who.index()] = was + 1;
        let (phase, number) = (self.frame().map(|frame| frame.phase), self.answers + 1);
        let exchange = exchange.map(Box::new);
        self.push_event(|| Event::Faulted {
            who,
            kind,
            text,
            strikes: was + 1,
            phase,
            number,
            exchange,
        });
        was + 1
    }

    /// Opens a frame for some players, on top of the stack when the hook is through. Those who
    /// don't play any more are left out.
    ///
    /// # Errors
    /// When the stack holds [`MOST_FRAMES`].
    pub fn push(&mut self, phase: Phase, players: PlayerSet, args: [i32; 4]) -> Done {
        if self.stack.len() + self.pending.len() >= MOST_FRAMES {
            return Err(fault(format!(
                "more than {MOST_FRAMES} phases are open: does a phase open itself for ever?"
            )));
        }
        let asks = self.decl.phases[phase.index()].asks;
        let players = if asks {
            players.and(self.playing())
        } else {
            PlayerSet::default()
        };
        self.pending.push(Frame {
            phase,
            players,
            args,
            entered: false,
        });
        Ok(())
    }

    /// Opens a frame for one player, with up to three more numbers.
    ///
    /// # Errors
    /// As [`GameState::push`].
    pub fn push_for(&mut self, phase: Phase, who: Player, args: [i32; 3]) -> Done {
        self.push(
            phase,
            PlayerSet::one(who),
            [who.number(), args[0], args[1], args[2]],
        )
    }

    /// The player is through with the frame being decided.
    pub fn leave(&mut self, who: Player) {
        if let Some(frame) = self.stack.last_mut() {
            frame.players = frame.players.without(who);
        }
    }

    /// Opens the phases of the next player's turn; `None` opens the first turn. At the declared
    /// limit the game ends instead.
    ///
    /// # Errors
    /// As [`GameState::push`].
    pub fn next_turn(&mut self, after: Option<Player>) -> Done {
        if self.ending.is_some() {
            return Ok(());
        }
        if self.decl.max_turns > 0 && self.turn >= self.decl.max_turns {
            self.end("limit", PlayerSet::default());
            return Ok(());
        }
        let first = after.map_or(0, |after| after.index() + 1);
        let seats = (0..self.players).map(|step| Player::from_index((first + step) % self.players));
        let Some(who) = seats
            .into_iter()
            .find(|&who| self.status(who) == Status::Playing)
        else {
            self.end("draw", PlayerSet::default());
            return Ok(());
        };
        if after.is_none_or(|after| who <= after) {
            self.round += 1;
        }
        self.turn_of(who)
    }

    /// Takes a game up in the middle: so many turns have been, this player has the last of them and
    /// decides in this phase. For positions outside the loop.
    pub fn resume(&mut self, turn: u32, who: Player, phase: Phase, args: [i32; 3]) {
        self.turn = turn;
        self.round = turn.div_ceil(self.players as u32);
        self.mover = Some(who);
        let args = [who.number(), args[0], args[1], args[2]];
        self.stack = vec![Frame {
            phase,
            players: PlayerSet::one(who),
            args,
            entered: true,
        }];
    }

    /// Opens the phases of a turn of this player's, in the same round. At the declared limit the
    /// game ends instead.
    ///
    /// # Errors
    /// As [`GameState::push`].
    pub fn turn_of(&mut self, who: Player) -> Done {
        if self.ending.is_some() {
            return Ok(());
        }
        if self.decl.max_turns > 0 && self.turn >= self.decl.max_turns {
            self.end("limit", PlayerSet::default());
            return Ok(());
        }
        self.turn += 1;
        self.mover = Some(who);
        let (turn, round) = (self.turn, self.round);
        self.push_event(|| Event::TurnBegan {
            who: Some(who),
            turn,
            round,
        });
        for index in 0..self.decl.turn.len() {
            self.push_for(self.decl.turn[index], who, [0; 3])?;
        }
        Ok(())
    }

    /// Counts a new round, which has no turn yet: the ruleset opens its phases.
    pub fn new_round(&mut self) {
        self.round += 1;
        self.mover = None;
        let (turn, round) = (self.turn, self.round);
        self.push_event(|| Event::TurnBegan {
            who: None,
            turn,
            round,
        });
    }

    /// Opens the phases of a round in which everybody plays at once. It counts as a turn of each of
    /// them. At the declared limit the game ends instead.
    ///
    /// # Errors
    /// As [`GameState::push`].
    pub fn next_round(&mut self) -> Done {
        if self.ending.is_some() {
            return Ok(());
        }
        if self.decl.max_turns > 0 && self.turn >= self.decl.max_turns {
            self.end("limit", PlayerSet::default());
            return Ok(());
        }
        let players = self.playing();
        self.round += 1;
        self.turn += players.len() as u32;
        self.mover = None;
        let (turn, round) = (self.turn, self.round);
        self.push_event(|| Event::TurnBegan {
            who: None,
            turn,
            round,
        });
        for index in 0..self.decl.turn.len() {
            self.push(self.decl.turn[index], players, [-1, 0, 0, 0])?;
        }
        Ok(())
    }

    /// Tells that a stored order is being executed.
    pub fn executes(&mut self, who: Player, action: Action) {
        self.push_event(|| Event::Executed { who, action });
    }

    /// Ends the game. The first ending counts.
    pub fn end(&mut self, reason: &str, winners: PlayerSet) {
        if self.ending.is_none() {
            self.ending = Some(Ending {
                reason: reason.to_owned(),
                winners,
            });
            self.push_event(|| Event::Ended {
                reason: reason.to_owned(),
                winners,
            });
        }
    }

    /// Tells that a round of a fight was fought, before its losses are taken away: how many
    /// attacked, of those on `from`, how many stood on `to`, and the losses of both.
    #[inline]
    pub fn fought(
        &mut self,
        (from, to): (Territory, Territory),
        (attackers, defenders): (i32, i32),
        (attacker_lost, defender_lost): (i32, i32),
    ) {
        if self.listening {
            let standing = self.all_units(from);
            let event = Event::Fought {
                from,
                to,
                attackers,
                standing,
                defenders,
                attacker_lost,
                defender_lost,
            };
            self.events.push(event);
        }
    }

    /// Tells the story in the ruleset's own words.
    pub fn say(&mut self, who: Option<Player>, text: &str) {
        self.push_event(|| Event::Said {
            who,
            text: text.to_owned(),
        });
    }
}
