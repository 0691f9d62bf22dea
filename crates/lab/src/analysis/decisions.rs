//! The costliest decisions of a game. A decision is costly if a bot would have chosen a different
//! action that wins more often.
//!
//! Both sides of a comparison start from the state before the decision and use the same random
//! streams. Later dice therefore favour neither side.

use super::chances::{evenly, play_to, positions};
use super::rollouts::{RolloutStart, Rollouts, play_out};
use risk_engine::record::{Playback, Record, RecordLine};
use risk_engine::{HostedBot, MatchFault, Seed, Setup, Worker};
use risk_kernel::action::Action;
use risk_kernel::event::Event;
use risk_kernel::id::Player;
use risk_kernel::state::GameState;
use risk_kernel::view::Facts;
use risk_kernel::words::Words;
use risk_kernel::{EventFilter, Moment, Sink};

/// The number of decisions to report.
pub const TOLD: usize = 3;

/// The number of games for measuring each reported decision, as a multiple of
/// [`Rollouts::games`].
pub const AGAIN: u64 = 4;

/// The maximum number of decisions for which the bot chooses an action.
const MOST_ASKED: usize = 2_000;

/// A decision for which the bot would have chosen a different action.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The number of the decision, counted from 1.
    pub decision: u64,
    /// The deciding player.
    pub player: Player,
    /// The player's action.
    pub taken: Action,
    /// The bot's choice.
    pub instead: Action,
    state: GameState,
}

/// A decision with its cost.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct JudgedDecision {
    /// The number of the decision, counted from 1.
    pub decision: u64,
    /// The round, counted from 1, or 0 before the first round.
    pub round: u32,
    /// The deciding player.
    pub player: Player,
    /// The player's action, as text.
    pub taken: String,
    /// The bot's choice, as text.
    pub instead: String,
    /// The player's action as a sentence without its subject, see [`Words::sentence`].
    pub taken_sentence: String,
    /// The bot's choice as such a sentence.
    pub instead_sentence: String,
    /// The player's chance of winning with the action taken.
    pub chance_taken: f64,
    /// The player's chance of winning with the bot's choice.
    pub chance_instead: f64,
    /// The standard error of the difference.
    pub error: f64,
    /// The number of games played for each of the two chances.
    pub games: u64,
}

impl JudgedDecision {
    /// Returns the decrease in the chance of winning caused by the decision.
    #[must_use]
    pub fn cost(&self) -> f64 {
        self.chance_instead - self.chance_taken
    }
}

/// Returns decisions of a game for which the bot would have chosen a different action. If there are
/// more than `most` decisions, returns an evenly spaced selection. Excludes simultaneous decisions
/// of several players, and optional decisions that a player may leave to the rules.
///
/// # Errors
/// Returns an error if the bot can't be loaded or the ruleset fails.
pub fn otherwise(
    worker: &mut Worker<'_>,
    record: &Record,
    rollouts: Rollouts<'_>,
    most: usize,
) -> Result<Vec<Disagreement>, MatchFault> {
    let answers = record.lines.iter().filter_map(|(_, line)| match line {
        RecordLine::Answer(it) if !it.by_policy => {
            Some((it.n, Player::from_index(it.seat - 1), it.say.as_str()))
        }
        _ => None,
    });
    let asked = evenly(&answers.collect::<Vec<_>>(), MOST_ASKED);
    let mut bots = Vec::new();
    for _ in 0..worker.setup().bots.len() {
        bots.push(worker.bot(rollouts.bot).map_err(MatchFault::Load)?);
    }
    let mut found = Vec::new();
    let mut playback = Playback::new(record, Some(0));
    let mut state: Option<GameState> = None;
    for (decision, player, say) in asked {
        let played = play_to(decision - 1, worker, record, &mut playback, state.take())?;
        let Some(here) = played else {
            break;
        };
        if here.answers() + 1 == decision && decides_alone(&here, player) {
            let words = Words::new(here.board(), here.decl());
            let instead = choice(worker, &mut bots, &here, rollouts.seed);
            if let (Ok(taken), Some(instead)) = (words.parse(say), instead)
                && taken != instead
            {
                found.push((decision, player, taken, instead));
            }
        }
        state = Some(here);
    }
    with_states(worker, record, &evenly(&found, most))
}

type RawDisagreement = (u64, Player, Action, Action);

/// Adds the states before the decisions and stores no other states.
fn with_states(
    worker: &mut Worker<'_>,
    record: &Record,
    found: &[RawDisagreement],
) -> Result<Vec<Disagreement>, MatchFault> {
    let before: Vec<u64> = found.iter().map(|&(decision, ..)| decision - 1).collect();
    let states = positions(worker, record, &before)?;
    let both = found.iter().zip(states);
    let both = both.map(
        |(&(decision, player, taken, instead), state)| Disagreement {
            decision,
            player,
            taken,
            instead,
            state,
        },
    );
    Ok(both.collect())
}

/// Reports whether the player decides alone and can't leave the decision to the rules.
fn decides_alone(game: &GameState, player: Player) -> bool {
    game.frame().is_some_and(|frame| {
        let alone = frame.players.len() == 1 && frame.players.has(player);
        alone && !game.decl().phases[frame.phase.index()].optional
    })
}

/// Returns the first action of a bot that plays all seats.
fn choice(
    worker: &mut Worker<'_>,
    bots: &mut [Box<dyn HostedBot>],
    game: &GameState,
    seed: &Seed,
) -> Option<Action> {
    let mut first = FirstAnswerSink::default();
    worker.play_on(game.clone(), seed.key(u64::MAX), bots, &mut first);
    first.0.flatten()
}

/// A sink that records the first answer and stops the game. An answer by the fault policy is
/// recorded as none.
#[derive(Default)]
struct FirstAnswerSink(Option<Option<Action>>);

impl Sink for FirstAnswerSink {
    fn event(&mut self, _: Moment<'_>, event: &Event) {
        match *event {
            Event::Answered { action, chosen, .. } => {
                self.0.get_or_insert(chosen.then_some(action));
            }
            Event::Faulted { .. } => {
                self.0.get_or_insert(None);
            }
            _ => {}
        }
    }

    fn halts(&mut self, _: &Facts) -> bool {
        self.0.is_some()
    }

    fn wants(&self) -> EventFilter {
        EventFilter::Recorded
    }
}

/// Returns the number of games that [`costliest`] plays for `decisions` decisions.
#[must_use]
pub fn games(decisions: u64, rollouts: u64) -> u64 {
    let judged_again = decisions.min(TOLD as u64);
    2 * rollouts * (decisions + AGAIN * judged_again)
}

/// Returns the costliest decisions, in descending order of cost. They are selected with the number
/// of games in `rollouts`, both for the action taken and for the bot's choice. Their cost is then
/// measured in [`AGAIN`] times as many new games, which are independent of the selection.
///
/// # Errors
/// Returns an error if the bot can't be loaded, the ruleset fails, or a thread can't be started.
pub fn costliest(
    setup: &Setup,
    decisions: &[Disagreement],
    rollouts: Rollouts<'_>,
    jobs: usize,
) -> Result<Vec<JudgedDecision>, MatchFault> {
    let all: Vec<&Disagreement> = decisions.iter().collect();
    let first = judge(setup, &all, rollouts, 0, jobs)?;
    let mut order: Vec<usize> = (0..all.len()).collect();
    // Decisions of equal cost remain in the order of the game.
    order.sort_by(|&a, &b| first[b].cost().total_cmp(&first[a].cost()));
    let costly: Vec<&Disagreement> = order.iter().take(TOLD).map(|&index| all[index]).collect();
    let again = Rollouts {
        games: rollouts.games * AGAIN,
        ..rollouts
    };
    let mut judged = judge(setup, &costly, again, rollouts.games, jobs)?;
    judged.sort_by(|a, b| b.cost().total_cmp(&a.cost()));
    Ok(judged)
}

fn judge(
    setup: &Setup,
    decisions: &[&Disagreement],
    rollouts: Rollouts<'_>,
    series: u64,
    jobs: usize,
) -> Result<Vec<JudgedDecision>, MatchFault> {
    let starts = decisions.iter().flat_map(|it| {
        [Some((it.player, it.taken)), None].map(|first| RolloutStart {
            state: &it.state,
            first,
        })
    });
    let starts: Vec<RolloutStart<'_>> = starts.collect();
    let mut shares: Vec<Vec<f64>> = vec![Vec::new(); starts.len()];
    play_out(setup, &starts, rollouts, series, jobs, |start, winners| {
        let won = winners.has(decisions[start / 2].player);
        let share = if won { 1.0 / winners.len() as f64 } else { 0.0 };
        shares[start].push(share);
    })?;
    let pairs = decisions.iter().zip(shares.chunks_exact(2));
    Ok(pairs
        .map(|(decision, pair)| judged(decision, &pair[0], &pair[1]))
        .collect())
}

fn judged(decision: &Disagreement, taken: &[f64], instead: &[f64]) -> JudgedDecision {
    let games = taken.len() as f64;
    let mean = |shares: &[f64]| shares.iter().sum::<f64>() / games;
    let chance_taken = mean(taken);
    let chance_instead = mean(instead);
    let cost = chance_instead - chance_taken;
    let squares = taken.iter().zip(instead);
    let squares: f64 = squares.map(|(a, b)| (b - a - cost).powi(2)).sum();
    let state = &decision.state;
    let words = Words::new(state.board(), state.decl());
    JudgedDecision {
        decision: decision.decision,
        round: state.round(),
        player: decision.player,
        taken: words.action(decision.taken),
        instead: words.action(decision.instead),
        taken_sentence: words.sentence(decision.taken),
        instead_sentence: words.sentence(decision.instead),
        chance_taken,
        chance_instead,
        error: (squares / (games - 1.0).max(1.0) / games).sqrt(),
        games: taken.len() as u64,
    }
}
