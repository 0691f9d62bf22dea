//! A comparison of the bots that can play by a ruleset, to find the one that its players should
//! meet.

use std::ops::ControlFlow;

use crate::tournament::{Design, GameLine, TournamentPlan};
use risk_engine::bot_spec::BotSpec;
use risk_engine::in_order;
use risk_engine::interrupt::is_raised;
use risk_engine::{GameResult, MatchFault, Producer, Rate, RuleSetup, Seed, Setup, Worker};
use risk_kernel::NullSink;
use risk_text::diag::LoadError;

/// The bots that play by any rules, or by those that they understand, and the measure of all.
const CANDIDATES: [&str; 5] = ["search:quick", "general", "outnumber", "holder", RANDOM];
const RANDOM: &str = "random";
const SEED: u64 = 1;
/// The maximum number of games that wait for an earlier one.
const AHEAD: u64 = 64;
/// The maximum number of games.
pub const MOST_GAMES: u64 = 100_000;

/// The results of a bot in the games of a comparison.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpponentResult {
    /// The bot's specification.
    pub bot: String,
    /// The number of games in which the bot played.
    pub games: u64,
    /// The number of its wins. A win that n players share counts as 1/n.
    pub wins: f64,
    /// The number of games with `random` in which one of the two won more, and in which the bot
    /// did.
    pub duels: (u64, u64),
}

impl OpponentResult {
    /// Returns the share of games that the bot won.
    #[must_use]
    pub fn share(&self) -> Rate {
        Rate::new(self.wins.round() as u64, self.games)
    }

    /// Returns the share of duels with `random` that the bot won.
    #[must_use]
    pub fn against_random(&self) -> Rate {
        Rate::new(self.duels.1, self.duels.0)
    }

    /// Reports whether the bot wins more often than `random`, with a confidence of 95 %.
    #[must_use]
    pub fn beats_random(&self) -> bool {
        self.against_random().low > 0.5
    }
}

/// A comparison of bots.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Opponents {
    /// The number of players in each game.
    pub players: usize,
    /// The number of games that were played to their end.
    pub games: u64,
    /// The results, the best bot first.
    pub results: Vec<OpponentResult>,
    /// The bots that the ruleset names for free seats.
    pub named: Vec<String>,
}

impl Opponents {
    /// Returns the bot to propose: the best one that beats `random`.
    #[must_use]
    pub fn best(&self) -> Option<&OpponentResult> {
        self.results.iter().find(|result| result.beats_random())
    }
}

struct Games<'a> {
    plan: &'a TournamentPlan,
    tables: u64,
    worker: Worker<'a>,
}

/// A game, or `None` if it was interrupted.
type Played = Option<(GameResult, Vec<usize>)>;

impl Producer for Games<'_> {
    type Product = Played;

    /// Each table plays once before any table plays again.
    fn produce(&mut self, number: u64) -> Result<(Played, u64), MatchFault> {
        let (table, pass) = (number % self.tables, number / self.tables);
        let seats = self.plan.seats as u64;
        let block = self.plan.block(table + self.tables * (pass / seats));
        let seating = &block[(pass % seats) as usize];
        let result = self
            .worker
            .result(seating.number, &seating.bots, &mut NullSink);
        match result {
            Err(_) if is_raised() => Ok((None, 0)),
            played => played.map(|game| {
                let cost = game.decisions;
                (Some((game, seating.bots.clone())), cost)
            }),
        }
    }
}

/// Plays up to this number of games between the bots, until an interrupt. `on_game` gets the number
/// of finished games.
///
/// # Errors
/// Returns an error if the game is for one player, if a bot can't play by these rules, or if the
/// ruleset fails.
pub fn opponents(
    rules: &RuleSetup,
    games: u64,
    jobs: usize,
    mut on_game: impl FnMut(u64),
) -> Result<Opponents, MatchFault> {
    let manifest = &rules.ruleset.manifest;
    if manifest.players.1 < 2 {
        let text = format!("{} is for one player", manifest.decl.name);
        let help = "bots can be compared only if they play against each other";
        let failure = LoadError::new("ruleset::players", text, help);
        return Err(MatchFault::Load(failure));
    }
    let players = manifest.players.0.max(2);
    let bots = bots(rules).map_err(MatchFault::Load)?;
    let setup = Setup {
        seed: Seed::from(SEED),
        ..Setup::new(rules.clone(), bots)
    };
    let count = setup.bots.len();
    // The cycle of tables is never completed on purpose: each game counts for itself.
    let (design, tables) = Design::whole_cycles(count, players.min(count), 1);
    let plan = TournamentPlan::new(setup, players.min(count), tables, design);
    let new = || {
        let worker = Worker::for_players(&plan.setup, plan.seats).map_err(MatchFault::Load)?;
        Ok(Games {
            plan: &plan,
            tables,
            worker,
        })
    };
    let new_result = |bot: &BotSpec| OpponentResult {
        bot: bot.bot.clone(),
        games: 0,
        wins: 0.0,
        duels: (0, 0),
    };
    let mut results: Vec<OpponentResult> = plan.setup.bots.iter().map(new_result).collect();
    let mut played = 0;
    in_order(0..games, AHEAD, jobs, new, |_, product| {
        let Some((game, seating)) = product else {
            return ControlFlow::Break(());
        };
        played += 1;
        on_game(played);
        let line = GameLine::new(&game, vec![String::new(); seating.len()]);
        count_game(&mut results, &line, &seating);
        ControlFlow::Continue(())
    })?;
    results.retain(|result| result.games > 0);
    results.sort_by(|one, other| other.share().rate.total_cmp(&one.share().rate));
    Ok(Opponents {
        players: plan.seats,
        games: played,
        results,
        named: manifest.bots.clone(),
    })
}

/// Counts a game of these bots, by seat.
fn count_game(results: &mut [OpponentResult], game: &GameLine, seating: &[usize]) {
    let mut seats = seating.iter();
    let random = seats.position(|&bot| results[bot].bot == RANDOM);
    let random = random.map(|seat| game.share(seat));
    for (seat, &bot) in seating.iter().enumerate() {
        let (share, result) = (game.share(seat), &mut results[bot]);
        result.games += 1;
        result.wins += share;
        if let Some(random) = random.filter(|&random| random != share) {
            result.duels.0 += 1;
            result.duels.1 += u64::from(share > random);
        }
    }
}

/// Returns the bots that the ruleset names, and the candidates that are made for it.
fn bots(rules: &RuleSetup) -> Result<Vec<BotSpec>, LoadError> {
    let manifest = &rules.ruleset.manifest;
    let named = manifest.bots.iter().chain(&manifest.advice);
    let mut names: Vec<&str> = named.map(String::as_str).collect();
    names.extend(CANDIDATES);
    let mut bots: Vec<BotSpec> = Vec::new();
    for name in names {
        let bot = BotSpec::parse(&rules.library, name)?;
        let is_known = bots.iter().any(|known| known.bot == bot.bot);
        if !is_known && bot.source.is_made_for(&rules.ruleset, &manifest.decl) {
            bots.push(bot);
        }
    }
    Ok(bots)
}
