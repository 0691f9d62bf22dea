//! The limit: one hardcoded game, as fast as plain code goes. The rules of `codelab` and the policy
//! of `outnumber` on masks of territories, with no scripts, options, records, views, limits or
//! digests. It plays exactly the same games as the engine, from the same streams, and `main` checks
//! that it does.

use risk_kernel::board::Board;
use risk_kernel::rng::{Purpose, Stream};

/// The most territories: a mask is one word.
const MOST: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Playout {
    pub(crate) winner: Option<usize>,
    pub(crate) turns: u32,
    pub(crate) dice_rounds: u32,
}

/// A map as masks, and the losses of every throw of dice.
pub(crate) struct BitBoard {
    count: usize,
    neighbours: Vec<Vec<u8>>,
    masks: [u64; MOST],
    continents: Vec<(u64, i32)>,
    /// By dice of attacker and defender.
    kills: [[Vec<u8>; 3]; 4],
}

struct MaskState {
    armies: [i32; MOST],
    land: Vec<u64>,
    dice: Stream,
    dice_rounds: u32,
}

impl BitBoard {
    pub(crate) fn new(board: &Board) -> Self {
        let mut masks = [0; MOST];
        let neighbours: Vec<Vec<u8>> = board
            .territories()
            .map(|at| board.neighbours(at).iter().map(|to| to.0 as u8).collect())
            .collect();
        for (at, list) in neighbours.iter().enumerate() {
            masks[at] = list.iter().fold(0, |mask, &to| mask | 1 << to);
        }
        let members = |index: usize| {
            let members = board.members(risk_kernel::id::Group::from_index(index));
            members.iter().fold(0, |mask, at| mask | 1_u64 << at.0)
        };
        let continents = board.continents().iter().enumerate();
        let continents = continents
            .map(|(index, continent)| (members(index), continent.bonus))
            .collect();
        let kills = std::array::from_fn(|attack| {
            std::array::from_fn(|defend| kills(attack as u32, defend as u32))
        });
        Self {
            count: board.len(),
            neighbours,
            masks,
            continents,
            kills,
        }
    }

    pub(crate) fn play(&self, players: usize, seed: u64, game: u64) -> Playout {
        let mut state = self.set_up(players, seed, game);
        let mut who = 0;
        let mut turns = 0;
        while turns < 1_000 {
            if state.land[who] != 0 {
                turns += 1;
                if self.turn(&mut state, who) {
                    return Playout {
                        winner: Some(who),
                        turns,
                        dice_rounds: state.dice_rounds,
                    };
                }
            }
            who = if who + 1 == players { 0 } else { who + 1 };
        }
        Playout {
            winner: None,
            turns,
            dice_rounds: state.dice_rounds,
        }
    }

    fn set_up(&self, players: usize, seed: u64, game: u64) -> MaskState {
        let mut setup = Stream::new(seed, game, Purpose::Setup);
        let mut state = MaskState {
            armies: [1; MOST],
            land: vec![0; players],
            dice: Stream::new(seed, game, Purpose::Dice),
            dice_rounds: 0,
        };
        let mut order: Vec<u8> = (0..self.count as u8).collect();
        setup.shuffle(&mut order);
        for (index, at) in order.into_iter().enumerate() {
            state.land[index % players] |= 1 << at;
        }
        let each = [40, 35, 30, 25, 20][players - 2];
        for who in 0..players {
            let lands: Vec<usize> = bits(state.land[who]).collect();
            for _ in 0..each - lands.len() {
                state.armies[lands[setup.below(lands.len() as u64) as usize]] += 1;
            }
        }
        state
    }

    /// Plays one turn; returns whether the player has won.
    fn turn(&self, state: &mut MaskState, who: usize) -> bool {
        let own = state.land[who];
        let bonus: i32 = self
            .continents
            .iter()
            .filter(|row| row.0 & !own == 0)
            .map(|row| row.1)
            .sum();
        let income = (own.count_ones() as i32 / 3 + bonus).max(3);
        let mut best = (i32::MIN, 0);
        for at in bits(own).filter(|&at| self.masks[at] & !own != 0) {
            let need = bits(self.masks[at] & !own)
                .map(|to| state.armies[to])
                .sum::<i32>()
                - state.armies[at];
            if need > best.0 {
                best = (need, at);
            }
        }
        state.armies[best.1] += income;
        let mut start = 0;
        while let Some((from, to)) = self.next_fight(state, who, start) {
            if self.fight(state, who, from, to)
                && state.land.iter().filter(|&&land| land != 0).count() == 1
            {
                return true;
            }
            start = (self.masks[to] & state.land[who] | 1 << to).trailing_zeros();
        }
        self.fortify(state, state.land[who]);
        false
    }

    fn next_fight(&self, state: &MaskState, who: usize, start: u32) -> Option<(usize, usize)> {
        let own = state.land[who];
        for from in bits(own >> start << start)
            .filter(|&from| state.armies[from] > 1 && self.masks[from] & !own != 0)
        {
            let weaker =
                |to: &&u8| own >> **to & 1 == 0 && state.armies[**to as usize] < state.armies[from];
            if let Some(&to) = self.neighbours[from].iter().find(weaker) {
                return Some((from, to as usize));
            }
        }
        None
    }

    /// Fights until the territory is taken or the attacker no longer has more armies.
    fn fight(&self, state: &mut MaskState, who: usize, from: usize, to: usize) -> bool {
        while state.armies[from] > state.armies[to] {
            let attack = (state.armies[from] - 1).min(3);
            let defend = state.armies[to].min(2);
            let table = &self.kills[attack as usize][defend as usize];
            let killed = i32::from(table[state.dice.below(table.len() as u64) as usize]);
            state.dice_rounds += 1;
            state.armies[from] -= attack.min(defend) - killed;
            state.armies[to] -= killed;
            if state.armies[to] == 0 {
                state.land.iter_mut().for_each(|land| *land &= !(1 << to));
                state.land[who] |= 1 << to;
                state.armies[to] = state.armies[from] - 1;
                state.armies[from] = 1;
                return true;
            }
        }
        false
    }

    fn fortify(&self, state: &mut MaskState, own: u64) {
        let mut best = (1, None);
        for at in bits(own).filter(|&at| self.masks[at] & !own == 0) {
            if state.armies[at] > best.0 {
                best = (state.armies[at], Some(at));
            }
        }
        let (armies, Some(from)) = best else { return };
        let friends = &self.neighbours[from];
        let front = friends
            .iter()
            .find(|&&friend| self.masks[friend as usize] & !own != 0);
        let to = *front.unwrap_or(&friends[0]) as usize;
        state.armies[to] += armies - 1;
        state.armies[from] = 1;
    }
}

fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}

/// Returns the losses of each throw of this many dice: the first die is the lowest digit to the
/// base 6.
fn kills(attack: u32, defend: u32) -> Vec<u8> {
    let dice = |throw: u32, first: u32, count: u32| {
        let mut dice: Vec<u32> = (first..first + count)
            .map(|die| throw / 6_u32.pow(die) % 6)
            .collect();
        dice.sort_unstable_by(|a, b| b.cmp(a));
        dice
    };
    let killed = |throw| {
        let attacking = dice(throw, 0, attack);
        let defending = dice(throw, attack, defend);
        attacking
            .iter()
            .zip(&defending)
            .filter(|(a, d)| a > d)
            .count() as u8
    };
    (0..6_u32.pow(attack + defend)).map(killed).collect()
}
