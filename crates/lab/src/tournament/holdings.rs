//! The value of territories and continents, estimated from the holdings at the end of a round and
//! the winners.
//!
//! A player with more territories wins more often, so the holder's wins alone are not a good
//! measure. The effect of a territory is estimated for an equal number of territories and armies,
//! equal bonuses and the same seat. The effect of a continent is estimated for an equal number of
//! territories and armies and the same seat.

use risk_engine::matches::{GameResult, MatchFault, Producer, Setup, Worker, in_order};
use risk_kernel::board::Board;
use risk_kernel::event::Event;
use risk_kernel::id::{Continent, Territory};
use risk_kernel::state::GameState;
use risk_kernel::{EventFilter, Moment, Sink};
use risk_stats::StatsError;
use risk_stats::conditional::ChoiceSet;
use risk_stats::holding::{HeldGame, HoldingEffect, holding_effects};
use risk_stats::multiple::bonferroni;

/// The maximum number of results that wait for the result of an earlier game.
const AHEAD: u64 = 1_024;

#[derive(Clone, Copy, Debug)]
struct PlayerHoldings {
    territories: f64,
    armies: f64,
    bonuses: f64,
}

/// The holdings at the end of a round.
#[derive(Clone, Debug)]
pub struct Holdings {
    /// The seat that held each territory.
    territories: Vec<Option<usize>>,
    /// The seat that held all of each continent.
    continents: Vec<Option<usize>>,
    had: Vec<PlayerHoldings>,
    credit: Vec<f64>,
}

/// A sink that records the holdings at the end of a round.
struct HoldingsSink {
    round: u32,
    seen: Option<Holdings>,
}

impl Sink for HoldingsSink {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        if let Event::TurnBegan { round, .. } = event
            && *round > self.round
            && self.seen.is_none()
        {
            self.seen = Some(Holdings::at(&game));
        }
    }

    fn wants(&self) -> EventFilter {
        EventFilter::Recorded
    }
}

impl Holdings {
    fn at(game: &GameState) -> Self {
        let board = game.board();
        let continents = || (0..board.continents().len()).map(Continent::from_index);
        let holder = |continent| game.seats().find(|&player| game.holds(player, continent));
        let had = game.seats().map(|player| {
            let held = continents().filter(|&continent| game.holds(player, continent));
            let bonuses = held.map(|continent| board.continents()[continent.index()].bonus);
            PlayerHoldings {
                territories: f64::from(game.territory_count(player)),
                armies: game.strength(player) as f64,
                bonuses: bonuses.map(f64::from).sum(),
            }
        });
        Self {
            territories: (0..board.len())
                .map(|at| game.owner(Territory::from_index(at)))
                .map(|owner| owner.map(|player| player.index()))
                .collect(),
            continents: continents()
                .map(|continent| holder(continent).map(|player| player.index()))
                .collect(),
            had: had.collect(),
            credit: Vec::new(),
        }
    }

    /// Returns the game with these holders as a separate cluster.
    fn game(&self, holders: &[Option<usize>], bonuses: bool) -> Vec<HeldGame> {
        let seats = self.had.len();
        let covariates = self.had.iter().enumerate().map(|(seat, had)| {
            let mut row = vec![had.territories, had.armies];
            row.extend(bonuses.then_some(had.bonuses));
            row.extend((1..seats).map(|other| f64::from(u8::from(other == seat))));
            row
        });
        vec![HeldGame {
            players: ChoiceSet {
                covariates: covariates.collect(),
                credit: self.credit.clone(),
            },
            holders: holders.to_vec(),
        }]
    }
}

struct HoldingsProducer<'a> {
    worker: Worker<'a>,
    round: u32,
}

impl Producer for HoldingsProducer<'_> {
    type Product = (GameResult, Option<Holdings>);

    fn produce(&mut self, number: u64) -> Result<(Self::Product, u64), MatchFault> {
        let seating = self.worker.setup().seating(number);
        let mut look = HoldingsSink {
            round: self.round,
            seen: None,
        };
        let result = self.worker.result(number, &seating, &mut look)?;
        let credit = |seat: usize| {
            let won = result.winners.iter().any(|winner| winner.index() == seat);
            let of_winner = 1.0 / result.winners.len().max(1) as f64;
            if won { of_winner } else { 0.0 }
        };
        let held = look.seen.map(|held| Holdings {
            credit: (0..held.had.len()).map(credit).collect(),
            ..held
        });
        let cost = result.decisions;
        Ok(((result, held), cost))
    }
}

/// Plays the first `games` games. Calls `each` with the result of each game and the holdings at the
/// end of a round, or `None` if the game ended before that round.
///
/// # Errors
/// Returns an error if the ruleset fails.
pub fn watch(
    setup: &Setup,
    games: u64,
    jobs: usize,
    round: u32,
    mut each: impl FnMut(GameResult, Option<Holdings>),
) -> Result<(), MatchFault> {
    let watcher = || {
        let worker = Worker::new(setup).map_err(MatchFault::Load)?;
        Ok(HoldingsProducer { worker, round })
    };
    in_order(0..games, AHEAD, jobs, watcher, |_, (result, held)| {
        each(result, held);
        std::ops::ControlFlow::Continue(())
    })
}

/// The value of a territory or a continent.
#[derive(Clone, Debug)]
pub struct Worth {
    /// The name for display.
    pub name: String,
    /// The number of games in which a player held the territory or continent.
    pub held: u64,
    /// The effect of holding the territory or continent. The limits are simultaneous for all
    /// territories, and for all continents.
    pub effect: HoldingEffect,
}

impl Worth {
    /// Returns the effect in nats, if it is known.
    #[must_use]
    pub fn nats(&self) -> Option<f64> {
        self.effect.effect.as_ref().ok().map(|effect| effect.nats)
    }
}

/// The values of territories and continents in descending order. Items without an effect come last.
#[derive(Clone, Debug)]
pub struct LandWorth {
    /// The round at whose end the holdings are evaluated.
    pub round: u32,
    /// The number of games that reached the end of this round.
    pub games: u64,
    /// The territories, or the reason that their values are unknown.
    pub territories: Result<Vec<Worth>, StatsError>,
    /// The continents, or the reason that their values are unknown.
    pub continents: Result<Vec<Worth>, StatsError>,
}

impl LandWorth {
    /// Computes the values from games with one bot in all seats.
    #[must_use]
    pub fn new(board: &Board, round: u32, games: &[Holdings], alpha: f64) -> Self {
        let vary = games
            .iter()
            .any(|game| game.had.iter().any(|had| had.bonuses != 0.0));
        let territories: Vec<Vec<HeldGame>> = games
            .iter()
            .map(|game| game.game(&game.territories, vary))
            .collect();
        let continents: Vec<Vec<HeldGame>> = games
            .iter()
            .map(|game| game.game(&game.continents, false))
            .collect();
        let names = board.territories().map(|at| board.info(at).name.clone());
        let of_continents = board.continents().iter().map(|info| info.name.clone());
        Self {
            round,
            games: games.len() as u64,
            territories: worth(names.collect(), &territories, alpha),
            continents: worth(of_continents.collect(), &continents, alpha),
        }
    }
}

fn worth(
    names: Vec<String>,
    games: &[Vec<HeldGame>],
    alpha: f64,
) -> Result<Vec<Worth>, StatsError> {
    let held = |thing: usize| {
        let held = games.iter().flatten();
        held.filter(|game| game.holders[thing].is_some()).count() as u64
    };
    let effects = holding_effects(games, bonferroni(alpha, names.len())?)?;
    let mut all: Vec<Worth> = names
        .into_iter()
        .zip(effects)
        .enumerate()
        .map(|(thing, (name, effect))| Worth {
            name,
            held: held(thing),
            effect,
        })
        .collect();
    let key = |worth: &Worth| worth.nats().unwrap_or(f64::NEG_INFINITY);
    all.sort_by(|a, b| key(b).total_cmp(&key(a)));
    Ok(all)
}
