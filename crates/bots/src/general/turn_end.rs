//! Positions between two turns, and what they mean for each player in numbers that do not depend
//! on the map. The value net reads these numbers.

use super::fight_table::FightTable;
use super::position_model::{NOBODY, PositionModel, SEATS};
use risk_kernel::id::{Group, Territory};

/// The number of features of each player.
pub(super) const OWN: usize = 21;
/// The number of features of the whole position.
pub(super) const COMMON: usize = 6;
/// The share of its income that a player is expected to place for its next attack.
const RAID: f32 = 0.5;

/// A position between two turns, as it is or as a plan expects it.
#[derive(Clone, Debug)]
pub struct TurnEnd {
    pub(super) owner: Vec<u8>,
    pub(super) armies: Vec<f32>,
    /// The expected number of cards, by seat.
    pub(super) cards: [f32; SEATS],
    next: usize,
}

/// The features of a position, most of them shares in the range 0..=1 and none above 2.
#[derive(Clone, Debug)]
pub struct Features {
    /// The seats of all players with territories, and their features.
    pub players: Vec<(usize, [f32; OWN])>,
    /// The features of the whole position.
    pub common: [f32; COMMON],
}

/// What a player has, and what it could have after its next turn.
#[derive(Clone, Copy, Default)]
struct Standing {
    territories: f32,
    armies: f32,
    largest: f32,
    /// The size of the largest connected group of territories.
    connected: f32,
    /// The bonuses of whole continents. The next field also counts parts, by their squares.
    bonus: f32,
    progress: f32,
    income: f32,
    /// The territories with foreign neighbours, and the armies there.
    fronts: f32,
    front_armies: f32,
    /// The expected numbers of territories and armies that rivals could take, each in the best way
    /// for the rival. The next field is the number that the player could take.
    exposed: f32,
    exposed_armies: f32,
    reach: f32,
    /// The expected bonuses that the player keeps, completes, and takes from others.
    kept: f32,
    won: f32,
    broken: f32,
}

/// The standings of all players in a position.
struct Survey<'a> {
    end: &'a TurnEnd,
    scene: &'a PositionModel<'a>,
    standings: [Standing; SEATS],
    /// The chance of each seat to take a territory, by territory and seat.
    take: Vec<f32>,
    /// The best chance of a rival to take a territory, by territory.
    risk: Vec<f32>,
}

impl TurnEnd {
    /// Creates the current position. `next` is the seat of the player whose turn begins.
    #[must_use]
    pub fn new(scene: &PositionModel<'_>, next: usize) -> Self {
        let all = || scene.board.territories();
        Self {
            owner: all().map(|at| scene.owner(at) as u8).collect(),
            armies: all().map(|at| scene.armies(at) as f32).collect(),
            cards: scene.cards.map(|count| count as f32),
            next,
        }
    }

    fn owner(&self, at: Territory) -> usize {
        self.owner[at.index()].into()
    }

    fn armies(&self, at: Territory) -> f32 {
        self.armies[at.index()]
    }

    /// Returns the features, with the chances of the ruleset's fights. `scene` is the position on
    /// which the expected one is based.
    #[must_use]
    pub fn features(&self, scene: &PositionModel<'_>, chances: &FightTable) -> Features {
        let mut survey = Survey {
            end: self,
            scene,
            standings: [Standing::default(); SEATS],
            take: vec![0.0; scene.board.len() * scene.players],
            risk: vec![0.0; scene.board.len()],
        };
        survey.count_territories();
        survey.count_bonuses();
        survey.weigh_fights(chances);
        survey.weigh_bonuses();
        survey.connect();
        survey.features()
    }
}

impl Survey<'_> {
    fn features(&self) -> Features {
        let (end, scene) = (self.end, self.scene);
        let total = |of: fn(&Standing) -> f32| self.standings.iter().map(of).sum::<f32>().max(1.0);
        let len = scene.board.len().max(1) as f32;
        let armies = total(|has| has.armies);
        let income = total(|has| has.income);
        let bonuses = bonuses(scene).map(|(_, bonus)| bonus).sum::<f32>().max(1.0);
        let set = scene.set_value as f32;
        let seats = (0..scene.players).map(|step| (end.next + step) % scene.players);
        let seats: Vec<usize> = seats
            .filter(|&seat| self.standings[seat].territories > 0.0)
            .collect();
        let playing = seats.len().max(1) as f32;
        let features = |(turn, &seat): (usize, &usize)| {
            let has = &self.standings[seat];
            let cards = end.cards[seat];
            let own = has.armies.max(1.0);
            let features = [
                has.territories / len,
                has.armies / armies,
                has.income / income,
                has.income / (own + has.income),
                has.bonus / bonuses,
                has.kept / bonuses,
                has.progress / bonuses,
                has.won / bonuses,
                has.broken / bonuses,
                has.exposed / len,
                has.exposed_armies / armies,
                has.reach / len,
                (cards / 5.0).min(2.0),
                (cards * set / 3.0 / armies).min(2.0),
                turn as f32 / playing,
                if turn == 0 { 1.0 } else { 0.0 },
                has.fronts / has.territories,
                has.front_armies / own,
                has.largest / armies,
                has.connected / has.territories,
                (own / has.territories / 8.0).min(2.0),
            ];
            (seat, features)
        };
        let mut players: Vec<_> = seats.iter().enumerate().map(features).collect();
        players.sort_unstable_by_key(|&(seat, _)| seat);
        let common = [
            playing / 6.0,
            (armies / len / 8.0).min(2.0),
            if set > 0.0 { 1.0 } else { 0.0 },
            (set / armies).min(2.0),
            (scene.round as f32 / 40.0).min(2.0),
            (len / 64.0).min(2.0),
        ];
        Features { players, common }
    }

    fn count_territories(&mut self) {
        for at in self.scene.board.territories() {
            let armies = self.end.armies(at);
            let has = &mut self.standings[self.end.owner(at)];
            has.territories += 1.0;
            has.armies += armies;
            has.largest = has.largest.max(armies);
        }
    }

    fn count_bonuses(&mut self) {
        for (group, bonus) in bonuses(self.scene) {
            let members = self.scene.board.members(group);
            let needed = self.scene.needed(group).max(1) as f32;
            let mut owned = [0.0_f32; SEATS];
            for &at in members {
                owned[self.end.owner(at)] += 1.0;
            }
            for (has, owned) in self.standings.iter_mut().zip(owned) {
                let part = (owned / needed).min(1.0);
                has.progress += bonus * part * part;
                if part == 1.0 {
                    has.bonus += bonus;
                }
            }
        }
        for has in &mut self.standings[..self.scene.players] {
            if has.territories > 0.0 {
                has.income = (has.territories / 3.0).floor().max(3.0) + has.bonus;
            }
        }
    }

    fn weigh_fights(&mut self, chances: &FightTable) {
        let (end, scene) = (self.end, self.scene);
        for at in scene.board.territories() {
            let owner = end.owner(at);
            let mut stacks = [(0.0_f32, 0); SEATS];
            let mut is_front = false;
            for from in scene.threats_to(at) {
                let rival = end.owner(from);
                if rival != owner {
                    is_front = true;
                    let stack = end.armies(from) - 0.99;
                    if stack > stacks[rival].0 {
                        stacks[rival] = (stack, chances.class(scene.view, from, at));
                    }
                }
            }
            let defenders = ((end.armies(at) + 0.5) as i32).max(1);
            let mut risk = 0.0_f32;
            for (seat, &(stack, class)) in stacks.iter().enumerate().take(scene.players) {
                if stack > 0.0 && scene.decides[seat] {
                    let stack = stack + RAID * self.standings[seat].income;
                    let chance = chances.expected(class, stack, defenders).capture;
                    self.take[at.index() * scene.players + seat] = chance;
                    self.standings[seat].reach += chance;
                    risk = risk.max(chance);
                }
            }
            self.risk[at.index()] = risk;
            let has = &mut self.standings[owner];
            has.exposed += risk;
            has.exposed_armies += risk * end.armies(at);
            if is_front {
                has.fronts += 1.0;
                has.front_armies += end.armies(at);
            }
        }
    }

    fn weigh_bonuses(&mut self) {
        let (end, scene) = (self.end, self.scene);
        for (group, bonus) in bonuses(scene) {
            let members = scene.board.members(group);
            let first = members.first().map_or(NOBODY, |&at| end.owner(at));
            let is_whole = members.iter().all(|&at| end.owner(at) == first);
            for seat in 0..scene.players {
                let has = &mut self.standings[seat];
                if is_whole && first == seat {
                    let holds = members.iter().map(|at| 1.0 - self.risk[at.index()]);
                    has.kept += bonus * holds.product::<f32>();
                    continue;
                }
                let takes = members.iter().map(|&at| {
                    let take = self.take[at.index() * scene.players + seat];
                    if end.owner(at) == seat { 1.0 } else { take }
                });
                if is_whole && first != NOBODY {
                    has.broken += bonus * takes.clone().fold(0.0, f32::max);
                }
                has.won += bonus * takes.product::<f32>();
            }
        }
    }

    fn connect(&mut self) {
        let (end, scene) = (self.end, self.scene);
        let mut seen = vec![false; scene.board.len()];
        let mut open = Vec::new();
        for start in scene.board.territories() {
            let owner = end.owner(start);
            let mut size = 0.0;
            open.push(start);
            while let Some(at) = open.pop() {
                if end.owner(at) == owner && !std::mem::replace(&mut seen[at.index()], true) {
                    size += 1.0;
                    open.extend(scene.move_borders(at));
                }
            }
            let has = &mut self.standings[owner];
            has.connected = has.connected.max(size);
        }
    }
}

/// Returns the groups with a positive bonus, and these bonuses.
fn bonuses<'a>(scene: &'a PositionModel<'_>) -> impl Iterator<Item = (Group, f32)> + 'a {
    let all = (0..scene.board.groups().len()).map(Group::from_index);
    let all = all.map(|group| (group, scene.bonus(group)));
    all.filter(|&(_, bonus)| bonus > 0.0)
}
