//! The results of a tournament, which depend only on its plan and its blocks in order.

use std::collections::{BTreeMap, BTreeSet};

use super::game_line::{GameLine, OperationsLine};
use super::log::BlockLine;
use super::plan::TournamentPlan;
use risk_stats::adjusted::{AdjustedShare, adjusted_share};
use risk_stats::fairness::{SeatShare, fairness_of_blocks};
use risk_stats::histogram::Histogram;
use risk_stats::moments::Mean;
use risk_stats::multiple::{Pair, RankRange, rank_ranges, sure_pairs};
use risk_stats::places::{PlaceRatings, PlacedGame, rate_places};
use risk_stats::ratings::Ratings;
use risk_stats::shares::{Share, difference, share};
use risk_stats::winner::{SeatedGame, rate_winners};
use risk_stats::{Interval, MIN_BLOCKS, MIN_WINS, StatsError};

/// The probability of an error, which corresponds to limits of 95 %.
pub const ALPHA: f64 = 0.05;
/// The maximum number of distinct reasons for an end, because rulesets can define new reasons.
const MOST_REASONS: usize = 100;
/// The name under which all other reasons are counted.
const OTHER_REASONS: &str = "other reasons";

/// The totals of one bot.
#[derive(Clone, Debug, Default)]
pub struct BotTally {
    /// The bot's mean share of wins in each block that it played.
    pub shares: Vec<f64>,
    /// The luck of the bot's dice in each of these blocks, in armies per game. Empty if luck is not
    /// counted.
    pub luck: Vec<f64>,
    /// The number of games that the bot played.
    pub games: u64,
    /// The number of games with this bot as the only winner.
    pub wins: u64,
    /// The number of these wins in games with another counted bot.
    rated_wins: u64,
    /// The sum of the bot's places.
    pub places: u64,
    /// The number of games and the sum of win shares in each seat.
    pub seats: Vec<(u64, f64)>,
    /// The number of faults in all games.
    pub faults: u64,
    /// The bot's first game with a fault, as the block and the number in the block, both counted
    /// from 0.
    pub first_fault: Option<(u64, usize)>,
    /// The bot's wins as the only winner, by reason for the end.
    pub won_by: BTreeMap<String, u64>,
    /// The distribution of the operations per answer.
    pub answers: Histogram,
    /// The total number of operations. `None` for a bot whose operations are not counted.
    pub operations: Option<u64>,
    /// The maximum number of operations for one answer.
    pub most: u64,
}

/// The totals of a tournament's blocks.
#[derive(Clone, Debug)]
pub struct TournamentTally<'a> {
    plan: &'a TournamentPlan,
    names: BTreeMap<&'a str, usize>,
    /// The number of blocks.
    pub blocks: u64,
    /// The number of games.
    pub games: u64,
    /// The number of games without a winner.
    pub undecided: u64,
    /// The totals of each bot, in the order of the plan.
    pub bots: Vec<BotTally>,
    /// The shares of wins by seat and block.
    pub seats: Vec<Vec<f64>>,
    /// The number of games by reason for the end.
    pub reasons: BTreeMap<String, u64>,
    /// The number of games by number of rounds.
    pub rounds: BTreeMap<u32, u64>,
    /// The number of answers of all players.
    pub decisions: u64,
    /// The differences of two bots' shares in each block, by pair of bots that met. The lower index
    /// comes first.
    pairs: BTreeMap<(usize, usize), Vec<f64>>,
    /// Whether bots are rated even if all bots fit at one table.
    keeps_seats: bool,
    /// All games, for the model of incomplete designs.
    seated: Vec<Vec<SeatedGame>>,
    /// All games with places, if requested.
    placed: Option<Vec<Vec<PlacedGame>>>,
    /// A digest of all games' digests in order.
    digest: blake3::Hasher,
}

/// A comparison of two bots that met.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PairComparison {
    /// The bot from whose share the other share is subtracted.
    pub left: usize,
    /// The bot whose share is subtracted.
    pub right: usize,
    /// The share of `left` minus the share of `right` at common tables.
    pub difference: Mean,
    /// Whether the difference is significant, considering all pairs.
    pub sure: bool,
}

impl PairComparison {
    /// Returns the comparison with its two bots exchanged.
    #[must_use]
    pub fn exchanged(self) -> Self {
        let exchanged = |limits: Interval| Interval {
            low: -limits.high,
            high: -limits.low,
        };
        let mut difference = self.difference;
        difference.mean = -difference.mean;
        difference.interval = difference.interval.map(exchanged);
        Self {
            left: self.right,
            right: self.left,
            difference,
            sure: self.sure,
        }
    }
}

/// The results of all blocks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Results {
    /// The share of wins of each bot.
    pub shares: Vec<Result<Share, StatsError>>,
    /// The share that each bot would have with average luck, if luck is counted.
    pub adjusted: Option<Vec<Result<AdjustedShare, StatsError>>>,
    /// The range of possible ranks of each bot.
    pub ranks: Vec<RankRange>,
    /// The comparisons of bots that met.
    pub pairs: Vec<PairComparison>,
    /// The ratings from a model of the winners. `None` if all bots meet at every table.
    pub model: Option<Result<Ratings, StatsError>>,
}

impl Results {
    /// Returns the bots in descending order of their shares. Ties keep the order of the plan.
    #[must_use]
    pub fn ranking(&self) -> Vec<usize> {
        let share = |&bot: &usize| self.shares[bot].as_ref().map_or(0.0, |share| share.share);
        let mut order: Vec<usize> = (0..self.shares.len()).collect();
        order.sort_by(|a, b| share(b).total_cmp(&share(a)).then(a.cmp(b)));
        order
    }
}

impl<'a> TournamentTally<'a> {
    /// Creates an empty tally.
    #[must_use]
    pub fn new(plan: &'a TournamentPlan) -> Self {
        let bots = &plan.setup.bots;
        let empty = BotTally {
            seats: vec![(0, 0.0); plan.seats],
            ..BotTally::default()
        };
        Self {
            plan,
            names: bots
                .iter()
                .enumerate()
                .map(|(index, bot)| (bot.name.as_str(), index))
                .collect(),
            blocks: 0,
            games: 0,
            undecided: 0,
            bots: vec![empty; bots.len()],
            seats: vec![Vec::new(); plan.seats],
            reasons: BTreeMap::new(),
            rounds: BTreeMap::new(),
            decisions: 0,
            pairs: BTreeMap::new(),
            keeps_seats: false,
            seated: Vec::new(),
            placed: None,
            digest: blake3::Hasher::new(),
        }
    }

    /// Rates the bots even if all of them fit at one table, because other bots also played at the
    /// tables.
    pub fn keep_seats(&mut self) {
        self.keeps_seats = true;
    }

    /// Also stores the places of all games, which [`TournamentTally::rate_places`] requires.
    pub fn keep_places(&mut self) {
        self.placed = Some(Vec::new());
    }

    /// Returns ratings by places instead of wins, with a measure of their deviation from the
    /// winners. Returns `None` if places were not stored.
    #[must_use]
    pub fn rate_places(&self) -> Option<Result<PlaceRatings, StatsError>> {
        let placed = self.placed.as_ref()?;
        Some(rate_places(self.bots.len(), placed, self.anchor(), ALPHA))
    }

    /// Returns the plan of the counted blocks.
    #[must_use]
    pub const fn plan(&self) -> &'a TournamentPlan {
        self.plan
    }

    /// Returns a digest of all counted games, in hexadecimal.
    #[must_use]
    pub fn digest(&self) -> String {
        self.digest.finalize().to_hex()[..16].to_owned()
    }

    /// Counts the next block of this plan. See [`check`](super::run::check).
    pub fn add(&mut self, block: &BlockLine) {
        self.add_for(block, &|_| true);
    }

    /// Counts a block for the bots that `counts` accepts. Other bots, which may be missing from the
    /// plan, count only as opponents.
    pub fn add_for(&mut self, block: &BlockLine, counts: &dyn Fn(&str) -> bool) {
        self.blocks += 1;
        let index = |name: &String| self.names.get(name.as_str()).copied();
        let of_seat = |name: &String| index(name).filter(|_| counts(name));
        let bots_of = |game: &GameLine| game.seats.iter().map(of_seat).collect();
        let tables: Vec<Vec<Option<usize>>> = block.games.iter().map(bots_of).collect();
        let mut sums: BTreeMap<usize, (f64, u32)> = BTreeMap::new();
        let mut seats = vec![0.0; self.plan.seats];
        let mut seated = Vec::new();
        let mut placed = Vec::new();
        for (number, (game, bots)) in block.games.iter().zip(&tables).enumerate() {
            self.game(game);
            let is_compared = bots.iter().flatten().count() > 1;
            for (seat, &bot) in bots.iter().enumerate() {
                let share = game.share(seat);
                seats[seat] += share;
                let Some(bot) = bot else { continue };
                let sum = sums.entry(bot).or_default();
                sum.0 += share;
                sum.1 += 1;
                self.seat(game, seat, bot, (block.block, number));
                let won_alone = game.winners == [seat + 1];
                self.bots[bot].rated_wins += u64::from(won_alone && is_compared);
            }
            let credit: Vec<f64> = (0..bots.len()).map(|seat| game.share(seat)).collect();
            let everybody: Option<Vec<usize>> = bots.iter().copied().collect();
            if let Some(bots) = everybody.filter(|_| self.placed.is_some()) {
                placed.push(PlacedGame {
                    bots,
                    places: game.places.clone(),
                    credit: credit.clone(),
                });
            }
            if !self.is_complete() {
                let bots = bots.clone();
                seated.push(SeatedGame { bots, credit });
            }
        }
        self.luck(block, &tables);
        let games = block.games.len() as f64;
        for (of_seat, share) in self.seats.iter_mut().zip(seats) {
            of_seat.push(share / games);
        }
        if !self.is_complete() && sums.len() > 1 {
            self.seated.push(seated);
        }
        if let Some(all) = &mut self.placed {
            all.push(placed);
        }
        let mean = |(bot, (sum, games)): (usize, (f64, u32))| (bot, sum / f64::from(games));
        let means: Vec<(usize, f64)> = sums.into_iter().map(mean).collect();
        self.means(&means);
    }

    fn means(&mut self, means: &[(usize, f64)]) {
        for (index, &(bot, mean)) in means.iter().enumerate() {
            self.bots[bot].shares.push(mean);
            for &(other, of_other) in &means[index + 1..] {
                let apart = self.pairs.entry((bot, other)).or_default();
                apart.push(mean - of_other);
            }
        }
    }

    /// Adds the luck of each bot in a block from the thousandths in the log.
    fn luck(&mut self, block: &BlockLine, tables: &[Vec<Option<usize>>]) {
        let mut sums: BTreeMap<usize, (i64, u32)> = BTreeMap::new();
        for (game, bots) in block.games.iter().zip(tables) {
            for (bot, luck) in bots.iter().zip(game.luck.iter().flatten()) {
                let Some(bot) = *bot else { continue };
                let sum = sums.entry(bot).or_default();
                sum.0 += luck;
                sum.1 += 1;
            }
        }
        for (bot, (sum, games)) in sums {
            let armies = sum as f64 / (1_000.0 * f64::from(games));
            self.bots[bot].luck.push(armies);
        }
    }

    /// Reports whether every bot plays at every table.
    fn is_complete(&self) -> bool {
        !self.keeps_seats && self.plan.setup.bots.len() == self.plan.seats
    }

    fn game(&mut self, game: &GameLine) {
        self.games += 1;
        self.undecided += u64::from(game.winners.is_empty());
        self.decisions += game.decisions;
        count(&mut self.reasons, &game.reason);
        *self.rounds.entry(game.rounds).or_default() += 1;
        self.digest.update(game.digest.as_bytes());
    }

    fn seat(&mut self, game: &GameLine, seat: usize, bot: usize, place: (u64, usize)) {
        let share = game.share(seat);
        let tally = &mut self.bots[bot];
        tally.games += 1;
        tally.places += u64::from(game.places[seat]);
        tally.seats[seat].0 += 1;
        tally.seats[seat].1 += share;
        if game.winners == [seat + 1] {
            tally.wins += 1;
            count(&mut tally.won_by, &game.reason);
        }
        tally.faults += u64::from(game.faults[seat]);
        if game.faults[seat] > 0 && tally.first_fault.is_none() {
            tally.first_fault = Some(place);
        }
        if let Some(operations) = &game.operations[seat] {
            tally.work(operations);
        }
    }

    /// Computes the results of all counted blocks.
    #[must_use]
    pub fn results(&self) -> Results {
        let all: Vec<usize> = (0..self.bots.len()).collect();
        self.results_for(&all)
    }

    /// Computes the results like [`TournamentTally::results`], but rates only the bots in `rated`,
    /// in their order.
    #[must_use]
    pub fn results_for(&self, rated: &[usize]) -> Results {
        let per_block = self.plan.design.games_per_block();
        let of_bot = |bot: &BotTally| share(&bot.shares, per_block, ALPHA);
        let pairs = self.compared();
        let known = known_pairs(&pairs);
        let bots = self.bots.len();
        let unknown = RankRange {
            best: 1,
            worst: bots,
        };
        let ranks = rank_ranges(bots, &known, ALPHA);
        let model = (!self.is_complete()).then(|| self.rate(rated));
        let adjusted = |bot: &BotTally| adjusted_share(&bot.shares, per_block, &[&bot.luck], ALPHA);
        Results {
            shares: self.bots.iter().map(of_bot).collect(),
            adjusted: (self.plan.luck).then(|| self.bots.iter().map(adjusted).collect()),
            ranks: ranks.unwrap_or_else(|_| vec![unknown; bots]),
            pairs,
            model,
        }
    }

    fn rate(&self, bots: &[usize]) -> Result<Ratings, StatsError> {
        if bots.len() == self.bots.len() {
            return rate_winners(bots.len(), &self.seated, self.anchor(), ALPHA);
        }
        let place = |bot: usize| bots.iter().position(|&other| other == bot);
        let rated = |game: &SeatedGame| SeatedGame {
            bots: game.bots.iter().map(|bot| place((*bot)?)).collect(),
            credit: game.credit.clone(),
        };
        let of_block = |block: &Vec<SeatedGame>| -> Vec<SeatedGame> {
            let there = |game: &SeatedGame| game.bots.iter().flatten().count() > 1;
            block.iter().map(rated).filter(there).collect()
        };
        let blocks = self.seated.iter().map(of_block);
        let blocks: Vec<Vec<SeatedGame>> = blocks.filter(|block| !block.is_empty()).collect();
        let anchor = (bots.iter()).position(|&bot| self.bots[bot].is_anchor());
        rate_winners(bots.len(), &blocks, anchor, ALPHA)
    }

    /// Returns the largest group of bots that can be compared with each other. Each part of the
    /// group must be connected to the rest by at least [`MIN_BLOCKS`] blocks. With fewer blocks,
    /// the limits of comparisons between the parts would be much too narrow. Of several groups of
    /// the same size, returns the group with the first bot.
    #[must_use]
    pub fn largest_group(&self) -> Vec<usize> {
        let mut group: Vec<usize> = (0..self.bots.len()).collect();
        loop {
            let mut joined: BTreeMap<(usize, usize), usize> = BTreeMap::new();
            for block in &self.seated {
                let bots = block.iter().take(1).flat_map(|game| &game.bots);
                let there: BTreeSet<usize> = bots.flatten().map(|&bot| group[bot]).collect();
                for &left in &there {
                    for &right in there.range(left + 1..) {
                        *joined.entry((left, right)).or_default() += 1;
                    }
                }
            }
            joined.retain(|_, count| *count >= MIN_BLOCKS);
            if joined.is_empty() {
                break;
            }
            // Merged groups are counted as one group in the next round.
            for (left, right) in joined.into_keys() {
                let (left, right) = (group[left], group[right]);
                let gone = left.max(right);
                for of_bot in group.iter_mut().filter(|of_bot| **of_bot == gone) {
                    *of_bot = left.min(right);
                }
            }
        }
        let members = |of: usize| -> Vec<usize> {
            (0..group.len()).filter(|&bot| group[bot] == of).collect()
        };
        // For equal sizes, `max_by_key` returns the last group, which contains the first bot
        // because of `rev`.
        let groups = (0..group.len()).rev().map(members);
        groups.max_by_key(Vec::len).unwrap_or_default()
    }

    /// Returns the share of each seat in the games with a winner, or 0 if there are no such games.
    /// Unlike [`TournamentTally::seat_shares`], it does not compute limits.
    #[must_use]
    pub fn seat_means(&self) -> Vec<f64> {
        let sums = self.seats.iter().map(|blocks| blocks.iter().sum());
        let sums: Vec<f64> = sums.collect();
        let all: f64 = sums.iter().sum();
        let share = |sum: &f64| if all > 0.0 { sum / all } else { 0.0 };
        sums.iter().map(share).collect()
    }

    /// Returns the share of each seat in the games with a winner, with simultaneous limits for all
    /// seats.
    ///
    /// # Errors
    /// Returns an error if there are too few blocks or wins, or only one seat.
    pub fn seat_shares(&self) -> Result<Vec<SeatShare>, StatsError> {
        let games = self.plan.seats as f64;
        let wins = |block: usize| self.seats.iter().map(move |shares| games * shares[block]);
        let blocks = self.seats.first().map_or(0, Vec::len);
        let blocks: Vec<Vec<f64>> = (0..blocks).map(|block| wins(block).collect()).collect();
        // The verdict is not used, so the tolerance does not matter.
        fairness_of_blocks(&blocks, ALPHA, 0.0).map(|found| found.seats)
    }

    /// Returns the anchor, which is the bot named in the file or the first bot with enough wins.
    /// The bot with the most wins would be a bad choice. It was probably lucky too, so its
    /// opponents would appear too weak.
    fn anchor(&self) -> Option<usize> {
        let first = || self.bots.iter().position(BotTally::is_anchor);
        self.plan.anchor.or_else(first)
    }

    fn compared(&self) -> Vec<PairComparison> {
        let compare = |(&(left, right), apart): (&(usize, usize), &Vec<f64>)| {
            let zeros = vec![0.0; apart.len()];
            Some(PairComparison {
                left,
                right,
                difference: difference(apart, &zeros, ALPHA).ok()?,
                sure: false,
            })
        };
        let mut pairs: Vec<PairComparison> = self.pairs.iter().filter_map(compare).collect();
        mark_sure(&mut pairs);
        pairs
    }
}

/// Marks the significant differences, considering all of these pairs and no others.
pub fn mark_sure(pairs: &mut [PairComparison]) {
    let sure = sure_pairs(&known_pairs(pairs), ALPHA).unwrap_or_default();
    let known = pairs
        .iter_mut()
        .filter(|pair| pair.difference.p_value.is_ok());
    for (pair, sure) in known.zip(sure) {
        pair.sure = sure;
    }
}

fn known_pairs(pairs: &[PairComparison]) -> Vec<Pair> {
    let known = pairs.iter().filter_map(|pair| {
        Some(Pair {
            left: pair.left,
            right: pair.right,
            difference: pair.difference.mean,
            p_value: pair.difference.p_value.ok()?,
        })
    });
    known.collect()
}

impl BotTally {
    /// Reports whether the bot has enough wins to be the anchor.
    fn is_anchor(&self) -> bool {
        self.rated_wins as f64 >= MIN_WINS
    }

    fn work(&mut self, line: &OperationsLine) {
        let all = self.operations.get_or_insert(0);
        *all = all.saturating_add(line.all);
        self.most = self.most.max(line.most);
        let counts: Vec<u64> = line.answers.iter().map(|&count| u64::from(count)).collect();
        // Answers are skipped if the numbers in the log contradict each other.
        if let Ok(answers) = Histogram::from_counts(&counts, line.most) {
            self.answers.merge(&answers);
        }
    }
}

fn count(reasons: &mut BTreeMap<String, u64>, reason: &str) {
    let full = reasons.len() >= MOST_REASONS && !reasons.contains_key(reason);
    let reason = if full { OTHER_REASONS } else { reason };
    *reasons.entry(reason.to_owned()).or_default() += 1;
}
