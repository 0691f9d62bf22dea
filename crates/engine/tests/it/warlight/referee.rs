//! The games of both Warlight AI Challenges, implemented from their description alone: a referee
//! that receives the players' answers and the results of chance, and works out the rest.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use risk_kernel::action::Action;
use risk_kernel::board::Board;
use risk_kernel::event::{Capture, Event};
use risk_kernel::id::{Card, Player, Territory};
use risk_kernel::state::GameState;
use risk_kernel::{Moment, Sink};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Challenge {
    First,
    Second,
}

impl Challenge {
    /// Returns kills, losses and whether the land is taken, for a battle of `a` against `d` armies
    /// of which `x` and `y` hit.
    pub(crate) fn battle(self, (a, x): (i32, i32), (d, y): (i32, i32)) -> (i32, i32, bool) {
        // In ten-thousandths; 16 % luck, or luck alone.
        let mixed = |average: i32, hits: i32| match self {
            Self::First => hits,
            Self::Second => (84 * average + 1_600 * hits + 5_000) / 10_000,
        };
        let mut kills = mixed(a * 60, x);
        let mut losses = mixed(d * 70, y);
        if losses >= a {
            kills = kills.min(d - 1);
            losses = a;
        }
        (kills, losses, kills >= d)
    }
}

type Move = (usize, usize, i32);

pub(crate) struct Referee {
    challenge: Challenge,
    board: Arc<Board>,
    /// Whether the game ends after 15 rounds.
    short: bool,
    owner: Vec<Option<usize>>,
    armies: Vec<i32>,
    /// Owners and armies, and armies to place, according to the events: the game itself is shown
    /// after all that a phase does.
    shown: Vec<(Option<usize>, i32)>,
    reserve: [i64; 2],
    pickable: Vec<usize>,
    picks: Vec<(usize, usize)>,
    round: u32,
    /// By player: armies to place, placements, and orders.
    left: [i32; 2],
    placed: [VecDeque<(usize, i32)>; 2],
    queue: [VecDeque<Move>; 2],
    /// While moves are executed: usable armies, moves made and their count, and the player of the
    /// last move with whether it was legal.
    stock: Vec<i32>,
    used: BTreeSet<(usize, usize)>,
    count: u32,
    last: Option<(usize, bool)>,
    /// The move in progress, its chances, and whether it was refused.
    pending: Option<(usize, Move)>,
    tried: Vec<(i32, i32)>,
    refused: bool,
    over: bool,
    /// Battles, captures, illegal moves, moves with fewer armies than ordered.
    pub(crate) seen: [u32; 4],
    /// The players drawn to go first in a pair of moves.
    pub(crate) drawn: Vec<usize>,
}

fn verb(game: &GameState, action: &Action) -> &'static str {
    let name = &game.decl().verbs[action.verb.index()].name;
    ["claim", "place", "attack", "move", "done"]
        .into_iter()
        .find(|known| known == name)
        .unwrap()
}

fn seat(player: Player) -> usize {
    usize::from(player.0)
}

impl Referee {
    pub(crate) fn new(challenge: Challenge, board: Arc<Board>, short: bool) -> Self {
        let count = board.len();
        Self {
            challenge,
            board,
            short,
            owner: vec![None; count],
            armies: vec![2; count],
            shown: vec![(None, 0); count],
            reserve: [0; 2],
            pickable: Vec::new(),
            picks: Vec::new(),
            round: 0,
            left: [0; 2],
            placed: Default::default(),
            queue: Default::default(),
            stock: Vec::new(),
            used: BTreeSet::new(),
            count: 1,
            last: None,
            pending: None,
            tried: Vec::new(),
            refused: false,
            over: false,
            seen: [0; 4],
            drawn: Vec::new(),
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    fn super_regions(&self) -> Vec<(i32, Vec<usize>)> {
        let all = self.board.continents().iter().enumerate();
        let of = |index: usize| {
            let infos = self.board.territories().enumerate();
            let inside = infos.filter(move |&(_, at)| {
                self.board.info(at).continent.map(|of| of.index()) == Some(index)
            });
            inside.map(|(at, _)| at).collect()
        };
        all.map(|(index, info)| (info.bonus, of(index))).collect()
    }

    fn borders(&self, from: usize, to: usize) -> bool {
        let at = Territory::from_index(from);
        self.board
            .neighbours(at)
            .contains(&Territory::from_index(to))
    }

    fn owned(&self, who: usize) -> usize {
        self.owner
            .iter()
            .filter(|&&owner| owner == Some(who))
            .count()
    }

    fn compare(&self) {
        let own = self.owner.iter().copied().zip(self.armies.iter().copied());
        for (at, own) in own.enumerate() {
            assert_eq!(self.shown[at], own, "round {}, {at}", self.round);
        }
    }

    fn compare_with(&self, game: &GameState) {
        self.compare();
        for (at, shown) in game.board().territories().zip(&self.shown) {
            assert_eq!((game.owner(at).map(seat), game.armies(at)), *shown);
        }
    }

    /// Applies an event to the board as shown.
    fn show(&mut self, event: &Event) {
        match *event {
            Event::Owner { at, to, .. } => self.shown[at.index()].0 = to.map(seat),
            Event::Units { at, by, .. } => self.shown[at.index()].1 += by,
            Event::Moved {
                from, to, count, ..
            } => {
                self.shown[from.index()].1 -= count;
                self.shown[to.index()].1 += count;
            }
            Event::Captured(Capture {
                from,
                to,
                by,
                moved,
                ..
            }) => {
                self.shown[from.index()].1 -= moved;
                self.shown[to.index()] = (Some(seat(by)), moved);
            }
            _ => {}
        }
    }

    /// Checks the wastelands and the territories to pick as they are drawn, and keeps them.
    fn fill(&mut self, pile: &str, cards: &[Card]) {
        let lands: Vec<usize> = cards.iter().map(|card| card.index()).collect();
        let regions = self.super_regions();
        if pile == "wastelands" {
            let most = if self.challenge == Challenge::First {
                0
            } else {
                regions.len() / 2
            };
            assert!(lands.len() <= most);
            for at in lands {
                assert_eq!(std::mem::replace(&mut self.armies[at], 6), 2);
            }
            return;
        }
        assert_eq!(pile, "pickable");
        let each = if self.challenge == Challenge::First {
            2
        } else {
            1
        };
        for (_, members) in &regions {
            let plain = members.iter().filter(|&&at| self.armies[at] == 2).count();
            let open = lands.iter().filter(|at| members.contains(at)).count();
            assert_eq!(open, each.min(plain));
        }
        assert!(lands.iter().all(|&at| self.armies[at] == 2));
        self.pickable = lands;
    }

    /// Checks the picks once they are over, and gives the land.
    fn check_picks(&mut self, game: &GameState) {
        if self.challenge == Challenge::First {
            self.deal(game);
            return;
        }
        let count = self.picks.len();
        let most = self.pickable.len() - self.pickable.len() % 2;
        assert!(count.is_multiple_of(2) && count <= most && (count == most || count >= 6));
        for (number, &(who, at)) in self.picks.iter().enumerate() {
            assert_eq!(who, [0, 1, 1, 0][number % 4]);
            assert!(self.pickable.contains(&at) && self.owner[at].is_none());
            self.owner[at] = Some(who);
        }
    }

    /// Checks the deal against both lists of wishes; where both players want the same, either may
    /// have it.
    fn deal(&mut self, game: &GameState) {
        let list = |who: usize| -> Vec<usize> {
            let own = self.picks.iter().filter(|pick| pick.0 == who);
            own.map(|pick| pick.1).collect()
        };
        let lists = [list(0), list(1)];
        for list in &lists {
            let different: BTreeSet<&usize> = list.iter().collect();
            assert_eq!((list.len(), different.len()), (6, 6));
            assert!(list.iter().all(|at| self.pickable.contains(at)));
        }
        let given: BTreeSet<(usize, usize)> = game
            .board()
            .territories()
            .filter_map(|at| Some((seat(game.owner(at)?), at.index())))
            .collect();
        let mut all = Vec::new();
        grants(&lists, [0, 0], &mut Vec::new(), &mut all);
        assert!(all.contains(&given), "{lists:?} gave {given:?}");
        for (who, at) in given {
            self.owner[at] = Some(who);
        }
    }

    fn begin_round(&mut self, game: &GameState, round: u32) {
        if round == 1 {
            self.check_picks(game);
        } else {
            assert!(self.round < self.last_round() && self.owned(0) > 0 && self.owned(1) > 0);
        }
        self.check_executed();
        self.compare_with(game);
        assert_eq!(round, self.round + 1);
        self.round = round;
        self.stock.clear();
        for who in 0..2 {
            let regions = self.super_regions().into_iter();
            let whole = regions
                .filter(|(_, members)| members.iter().all(|&at| self.owner[at] == Some(who)));
            self.left[who] = 5 + whole.map(|(bonus, _)| bonus).sum::<i32>();
        }
    }

    fn last_round(&self) -> u32 {
        match self.challenge {
            _ if self.short => 15,
            Challenge::First => 100,
            Challenge::Second => 60.max(self.board.len() as u32 * 5 / 2),
        }
    }

    fn check_executed(&self) {
        assert!(self.placed.iter().all(VecDeque::is_empty));
        assert!(self.queue.iter().all(VecDeque::is_empty));
    }

    fn answered(&mut self, game: &GameState, who: usize, action: &Action) {
        match (verb(game, action), action.args()) {
            ("claim", &[at]) => self.picks.push((who, at as usize)),
            ("place", &[at, armies]) => {
                let at = at as usize;
                assert_eq!(self.reserve[who], i64::from(self.left[who]));
                assert!(self.owner[at] == Some(who) && (1..=self.left[who]).contains(&armies));
                self.left[who] -= armies;
                self.placed[who].push_back((at, armies));
            }
            ("attack" | "move", &[from, to, armies]) => {
                let [from, to] = [from as usize, to as usize];
                assert!(self.owner[from] == Some(who) && self.borders(from, to) && armies >= 1);
                self.queue[who].push_back((from, to, armies));
            }
            _ => {}
        }
    }

    fn executed(&mut self, game: &GameState, who: usize, action: &Action) {
        if let ("place", &[at, armies]) = (verb(game, action), action.args()) {
            let at = at as usize;
            assert_eq!(self.placed[who].pop_front(), Some((at, armies)));
            self.armies[at] += armies;
            return;
        }
        self.settle();
        self.compare();
        if self.stock.is_empty() {
            assert!(self.placed.iter().all(VecDeque::is_empty));
            self.stock.clone_from(&self.armies);
            self.used.clear();
            self.count = 1;
            self.last = None;
        }
        let mut chosen = match self.last {
            Some((last, false)) => last,
            Some((last, true)) if self.count.is_multiple_of(2) => 1 - last,
            _ => {
                // A coin decides where both have a move.
                if self.queue.iter().all(|queue| !queue.is_empty()) {
                    self.drawn.push(who);
                }
                who
            }
        };
        if self.queue[chosen].is_empty() {
            chosen = 1 - chosen;
        }
        assert_eq!(who, chosen, "round {}, move {}", self.round, self.count);
        let next = self.queue[who].pop_front().unwrap();
        let &[from, to, armies] = action.args() else {
            panic!("{action:?}");
        };
        assert_eq!((next.0 as i32, next.1 as i32, next.2), (from, to, armies));
        self.pending = Some((who, next));
    }

    fn settle(&mut self) {
        let Some((who, (from, to, said))) = self.pending.take() else {
            return;
        };
        let tried = std::mem::take(&mut self.tried);
        let refused = std::mem::take(&mut self.refused);
        let stood = self.stock[from];
        let there = self.armies[from];
        let armies = if stood < there && said > stood - 1 {
            stood - 1
        } else if stood >= there && said > there - 1 {
            there - 1
        } else {
            said
        };
        let legal = self.owner[from] == Some(who)
            && !self.used.contains(&(from, to))
            && stood > 1
            && (self.challenge == Challenge::Second || there > 1);
        assert_eq!(legal, !refused, "round {}: {from} to {to}", self.round);
        self.last = Some((who, legal));
        if !legal {
            self.seen[2] += 1;
            return;
        }
        self.seen[3] += u32::from(armies < said);
        self.count += 1;
        self.used.insert((from, to));
        self.stock[from] -= armies;
        if self.owner[to] == Some(who) {
            self.armies[from] -= armies;
            self.armies[to] += armies;
            return;
        }
        let &[(a, x), (d, y)] = tried.as_slice() else {
            panic!("{tried:?} for a battle");
        };
        assert_eq!((a, d), (armies, self.armies[to]));
        let (kills, losses, won) = self.challenge.battle((a, x), (d, y));
        self.seen[0] += 1;
        if won {
            self.seen[1] += 1;
            self.armies[from] -= a;
            self.owner[to] = Some(who);
            self.armies[to] = a - losses;
        } else {
            self.armies[from] -= losses;
            self.armies[to] -= kills;
        }
        if self.challenge == Challenge::Second {
            // A failure that kills none is booked as a capture, too: with one army.
            if won || kills == 0 {
                self.stock[to] = 1;
            } else {
                self.stock[to] -= kills;
            }
        }
    }

    fn end(&mut self, game: &GameState, reason: &str, winners: &[usize]) {
        self.settle();
        self.compare_with(game);
        self.over = true;
        match reason {
            "conquest" => {
                let &[winner] = winners else {
                    panic!("{winners:?}");
                };
                assert!(self.owned(1 - winner) == 0 && self.owned(winner) > 0);
            }
            "rounds" => {
                self.check_executed();
                assert_eq!(self.round, self.last_round());
                assert!(winners.is_empty() && self.owned(0) > 0 && self.owned(1) > 0);
            }
            _ => panic!("the end is {reason}"),
        }
    }
}

/// Collects all possible results of two lists of wishes.
fn grants(
    lists: &[Vec<usize>; 2],
    next: [usize; 2],
    given: &mut Vec<(usize, usize)>,
    all: &mut Vec<BTreeSet<(usize, usize)>>,
) {
    if given.len() == 6 {
        all.push(given.iter().copied().collect());
        return;
    }
    let wish = [lists[0][next[0]], lists[1][next[1]]];
    if given.contains(&(1, wish[0])) {
        grants(lists, [next[0] + 1, next[1]], given, all);
    } else if given.contains(&(0, wish[1])) {
        grants(lists, [next[0], next[1] + 1], given, all);
    } else if wish[0] != wish[1] {
        given.extend([(0, wish[0]), (1, wish[1])]);
        grants(lists, [next[0] + 1, next[1] + 1], given, all);
        given.truncate(given.len() - 2);
    } else {
        grants(lists, [next[0] + 1, next[1]], given, all);
        grants(lists, [next[0], next[1] + 1], given, all);
    }
}

impl Sink for Referee {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let game: &GameState = &moment;
        match event {
            Event::Filled { pile, cards, .. } => {
                let name = game.decl().piles[pile.0.index()].name.clone();
                self.fill(&name, cards.as_ref().unwrap());
            }
            Event::TurnBegan { round, .. } => {
                self.settle();
                self.begin_round(game, *round);
            }
            Event::Answered { player, action, .. } => self.answered(game, seat(*player), action),
            Event::Executed { player, action } => self.executed(game, seat(*player), action),
            Event::Tried {
                tries, successes, ..
            } => self.tried.push((*tries, *successes)),
            Event::Counter {
                counter,
                of: Some(who),
                now,
                ..
            } if game.decl().counter("reserve") == Some(*counter) => {
                self.reserve[seat(*who)] = *now;
            }
            Event::Said { text, .. } => self.refused |= text.contains(": impossible"),
            Event::Ended { reason, winners } => {
                let winners: Vec<usize> = winners.iter().map(seat).collect();
                self.end(game, reason, &winners);
            }
            other => self.show(other),
        }
    }
}
