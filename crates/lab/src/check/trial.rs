//! Trials, which play games with a script to find faults that reading the script can't reveal.

mod facts;

use std::collections::BTreeSet;

use super::cut_games::{CutGames, LatestTurn, MOST_ANSWERS, place_of};
use super::order_effects::OrderEffects;
use super::{OnGame, chances, imagined, rules_failed};
use risk_engine::bot_spec::BotSpec;
use risk_engine::record::ruleset_hash;
use risk_engine::script::tracer::Tracer;
use risk_engine::script::{Ruleset, ScriptLimits};
use risk_engine::{BotSource, BuiltIn, FirstFaults, RuleSetup, Seed, Setup, Worker};
use risk_kernel::fault::{FaultKind, RuleFault};
use risk_kernel::state::GameState;
use risk_kernel::{FinishedGame, Limits, StopReason, Tee, reason};
use risk_maps::lint::Levels;
use risk_text::diag::{Finding, Level, LoadError};
use risk_text::plural::counted;
use risk_wire::Endpoint;

/// The seed of a bot's trial. The seed of a ruleset's trial depends on the ruleset's text.
pub(super) const SEED: u64 = 1;
/// The number of digits of a ruleset's hash in the seed of its trial.
const SEED_DIGITS: usize = 12;
/// The maximum number of decisions at the first table, and at each other table.
const MOST_DECISIONS: [u64; 2] = [60_000, 15_000];
/// The number of unanswered questions after which the trial stops.
const MOST_UNANSWERED: u64 = 10;
/// The number of games of a ruleset at the first table, if they are short. A seat that wins 60 % of
/// 400 games between two players is found with a probability of 93 %.
const GAMES_BY_SEAT: u64 = 400;
/// The maps to play in addition to the ruleset's own map.
const OTHER_MAPS: [(&str, &str); 2] = [("small", "grid:4x3"), ("large", "grid:16x8")];

/// Games of the same players on the same map.
struct Lineup<'a> {
    rules: RuleSetup,
    bots: Vec<&'a BotSpec>,
}

#[derive(Default)]
struct TrialTally {
    games: u64,
    cut: CutGames,
    decisions: u64,
    /// The number of games that the tested player won against other players.
    wins: u64,
    played: u64,
    /// The number of wins by seat at the first table.
    by_seat: Vec<u64>,
    first_games: u64,
    /// The number of games at the first table, including games without a single winner.
    first_played: u64,
    faults: u64,
    failed: bool,
    /// The number of questions that the tested bot did not answer.
    unanswered: u64,
    chances: Option<String>,
    /// The hidden facts that imagined games guess, in words.
    guesses: Option<String>,
}

struct Trial<'a> {
    ruleset: &'a Ruleset,
    seed: Seed,
    limits: ScriptLimits,
    /// The tested bot, or `None` in a trial of a ruleset.
    tried: Option<&'a BotSpec>,
    /// The requested number of games at the first table. The trial always plays a requested number.
    games: Option<u64>,
    tally: TrialTally,
    /// The faults already reported, each with its code and its location in the script or its phase.
    told: BTreeSet<(String, String)>,
    findings: &'a mut Vec<Finding>,
    on_game: &'a mut OnGame<'a>,
    orders: OrderEffects,
}

pub(super) fn built_in(bot: BuiltIn) -> BotSpec {
    BotSpec {
        name: bot.as_str().to_owned(),
        bot: bot.as_str().to_owned(),
        source: BotSource::BuiltIn(bot),
        clock: None,
    }
}

/// The default number of games at the first table. Fewer games are played if they are long.
const USUAL_GAMES: u64 = 100;

pub(super) fn ruleset(
    rules: &RuleSetup,
    games: Option<u64>,
    on_game: &mut OnGame<'_>,
    findings: &mut Vec<Finding>,
    facts: &mut Vec<(&'static str, String)>,
) {
    let (least, most) = rules.ruleset.manifest.players;
    let full = most.min(6).max(least);
    let random = built_in(BuiltIn::Random);
    let action = built_in(BuiltIn::RandomAction);
    // A bot that only commits faults also tests the handling of faults.
    let faulty = built_in(BuiltIn::Faulty);
    let mut tables = Vec::new();
    for (index, rules) in on_all_maps(rules).into_iter().enumerate() {
        let mut sit = |bots| {
            tables.push(Lineup {
                rules: rules.clone(),
                bots,
            });
        };
        if index == 0 {
            sit(vec![&random; least]);
            let mut bots = vec![&action; full];
            bots[0] = &faulty;
            sit(bots);
            sit(vec![&action; full]);
        } else {
            sit(vec![&random; full]);
        }
    }
    let mut trial = Trial::new(&rules.ruleset, None, games, findings, on_game);
    trial.sit_all(&tables);
    trial.warn(&own_hooks(rules));
    trial.facts(facts, least, "");
}

pub(super) fn bot(
    tried: &BotSpec,
    other: &BotSpec,
    rules: &RuleSetup,
    hooks: &[String],
    games: Option<u64>,
    findings: &mut Vec<Finding>,
    facts: &mut Vec<(&'static str, String)>,
) {
    let (least, most) = rules.ruleset.manifest.players;
    let players = 3.clamp(least, most);
    let mut tables = Vec::new();
    let remote = tried.source.factory::<Endpoint>();
    let knows_one = remote.is_some_and(|it| it.protocol.info().only_own_map);
    let most = if knows_one { 1 } else { usize::MAX };
    for (index, rules) in on_all_maps(rules).into_iter().take(most).enumerate() {
        let mut bots = vec![other; players];
        bots[0] = tried;
        tables.push(Lineup {
            rules: rules.clone(),
            bots,
        });
        if index == 0 {
            let bots = vec![tried; players];
            tables.push(Lineup { rules, bots });
        }
    }
    let on_game = &mut |_, _| {};
    let mut trial = Trial::new(&rules.ruleset, Some(tried), games, findings, on_game);
    trial.sit_all(&tables);
    let name = trial.script_name().unwrap_or_default();
    let hooks: Vec<_> = hooks
        .iter()
        .map(|hook| (name.clone(), hook.clone()))
        .collect();
    trial.facts(facts, 0, &other.name);
    let never: Vec<&str> = trial
        .never_called(&hooks)
        .into_iter()
        .map(|(_, hook)| hook.as_str())
        .collect();
    if !never.is_empty() {
        facts.push(("never called", never.join(", ")));
    }
}

/// Returns the ruleset with its own map and with those of the other maps that it supports.
fn on_all_maps(rules: &RuleSetup) -> Vec<RuleSetup> {
    let least = rules.ruleset.manifest.players.0;
    let mut all = vec![rules.clone()];
    for (_, map) in OTHER_MAPS {
        let Ok(board) = risk_maps::load(&rules.library, map, &Levels::default()) else {
            continue;
        };
        let there = RuleSetup {
            board,
            map_spec: map.to_owned(),
            ..rules.clone()
        };
        let bound = there.bind(least, &ScriptLimits::default());
        let is_unfit = |failure: LoadError| {
            let mut findings = failure.findings.iter();
            findings.all(|finding| finding.code == "ruleset::map")
        };
        if !bound.is_err_and(is_unfit) {
            all.push(there);
        }
    }
    all
}

/// Returns the hooks defined in the ruleset's own file, with script and function.
fn own_hooks(rules: &RuleSetup) -> Vec<(String, String)> {
    let least = rules.ruleset.manifest.players.0;
    let bound = rules.bind(least, &ScriptLimits::default()).ok();
    bound
        .map(|bound| bound.rules.own_hooks())
        .unwrap_or_default()
}

impl<'a> Trial<'a> {
    fn new(
        ruleset: &'a Ruleset,
        tried: Option<&'a BotSpec>,
        games: Option<u64>,
        findings: &'a mut Vec<Finding>,
        on_game: &'a mut OnGame<'a>,
    ) -> Self {
        Self {
            ruleset,
            seed: match tried {
                Some(_) => Seed::from(SEED),
                None => seed_of(ruleset),
            },
            limits: ScriptLimits {
                tracer: Tracer::new(),
                ..ScriptLimits::default()
            },
            tried,
            games,
            tally: TrialTally::default(),
            told: BTreeSet::new(),
            findings,
            on_game,
            orders: OrderEffects::default(),
        }
    }
}

impl Trial<'_> {
    fn sit_all(&mut self, tables: &[Lineup<'_>]) {
        let games = self.games.unwrap_or(USUAL_GAMES);
        // Statistics about the seats of a ruleset need more games.
        let first = match (self.games, self.tried) {
            (None, None) => GAMES_BY_SEAT,
            _ => games,
        };
        let rest = games.div_ceil(4);
        let all = first + rest * tables.len().saturating_sub(1) as u64;
        let mut before = 0;
        for (index, table) in tables.iter().enumerate() {
            let games = if index == 0 { first } else { rest };
            self.sit(table, index, games, (before, all));
            before += games;
        }
    }

    fn sit(&mut self, table: &Lineup<'_>, index: usize, games: u64, of: (u64, u64)) {
        if self.tally.failed {
            return;
        }
        let bots = table.bots.iter().map(|&bot| bot.clone()).collect();
        let setup = Setup {
            seed: self.seed.clone(),
            limits: self.limits.clone(),
            ..Setup::new(table.rules.clone(), bots)
        };
        let mut worker = match Worker::new(&setup) {
            Ok(worker) => worker,
            Err(failure) => return self.unfit(failure, &setup.rules.map_spec),
        };
        worker.limits = Limits {
            answers: MOST_ANSWERS,
            ..Limits::default()
        };
        let mut decisions = 0;
        let asked_for = index == 0 && self.games.is_some();
        for number in 0..games {
            let is_enough = decisions > MOST_DECISIONS[index.min(1)] && !asked_for;
            if is_enough || self.tally.failed || self.is_given_up() {
                break;
            }
            self.tally.first_played += u64::from(index == 0);
            let mut faults = FirstFaults::default();
            let mut latest = LatestTurn::default();
            let mut sinks = Tee(vec![&mut faults, &mut latest]);
            if self.tried.is_none() {
                sinks.0.push(&mut self.orders);
            }
            let FinishedGame { game, outcome } = worker.play(number, &mut sinks);
            (self.on_game)(of.0 + number + 1, of.1);
            decisions += game.answers();
            self.tally.games += 1;
            let strikes = game.seats().map(|player| u64::from(game.strikes(player)));
            self.tally.faults += strikes.sum::<u64>();
            self.faults_of_tried(table, &setup, number, &faults);
            match outcome {
                Ok(outcome) => {
                    if outcome.reason == reason::ANSWER_LIMIT {
                        self.tally.cut.count(&game, &latest);
                    }
                    self.count(table, index, &setup.seating(number), outcome.winners);
                }
                Err(StopReason::Rules(fault)) => self.failed(&fault, &game, &setup, number),
                // A process or remote bot has crashed too often.
                Err(StopReason::Halted) => self.tally.unanswered = MOST_UNANSWERED,
            }
        }
        if index == 0 && self.tried.is_none() {
            self.try_queries(&mut worker, &setup);
        }
        self.tally.decisions += decisions;
    }

    /// Tries what bots may ask a ruleset: positions, imagined games, and the chances of attacks.
    fn try_queries(&mut self, worker: &mut Worker<'_>, setup: &Setup) {
        if !self.tally.failed
            && worker.rules().has_worth()
            && let Some((fault, game)) = imagined::worth_fault(worker, 0)
        {
            let mut finding = finding_of(&fault, &game);
            finding.place = finding.place.or_else(|| place_of(self.ruleset, "worth"));
            let help = "bots that search call `worth`: play with `--bot search:quick`";
            self.findings.push(finding.add_help(help));
            self.tally.failed = true;
        }
        if !self.tally.failed
            && let Some((fault, game)) = imagined::fault(worker, 0)
        {
            self.failed(&fault, &game, setup, 0);
            let by_hook = worker.rules().imagines();
            let finding = self.findings.pop();
            self.findings
                .extend(finding.map(|finding| imagined::placed(finding, by_hook)));
            self.tally.failed = by_hook;
        }
        if !worker.rules().imagines() {
            self.tally.guesses = imagined::guesses(worker.decl());
        }
        if !self.tally.failed
            && let Some((averages, finding)) = chances::compared(worker)
        {
            self.tally.chances = Some(averages);
            self.findings.extend(finding);
        }
    }

    /// Reports scripts that can't be compiled for the map of the table.
    fn unfit(&mut self, failure: LoadError, map: &str) {
        let line = format!("on the map {map}");
        let findings = failure.findings.into_iter();
        self.findings
            .extend(findings.map(|finding| finding.add_help(&line)));
        self.tally.failed = true;
    }

    /// Reports a ruleset's failure during a game, with the error, its location and a command to
    /// reproduce it.
    fn failed(&mut self, fault: &RuleFault, game: &GameState, setup: &Setup, number: u64) {
        let finding = finding_of(fault, game);
        self.findings
            .push(finding.add_help(&repeats(setup, number)));
        self.tally.failed = true;
    }

    fn count(
        &mut self,
        table: &Lineup<'_>,
        index: usize,
        seating: &[usize],
        winners: risk_kernel::id::PlayerSet,
    ) {
        if winners.len() != 1 {
            return;
        }
        let Some(winner) = winners.iter().next() else {
            return;
        };
        if index == 0 {
            self.tally.first_games += 1;
            self.tally.by_seat.resize(seating.len(), 0);
            self.tally.by_seat[winner.index()] += 1;
        }
        let tried: Vec<bool> = seating
            .iter()
            .map(|&player| self.is_tried(table.bots[player]))
            .collect();
        if index == 0 && tried.iter().filter(|&&tried| tried).count() == 1 {
            self.tally.played += 1;
            self.tally.wins += u64::from(tried[winner.index()]);
        }
    }

    /// Reports whether the tested bot has left [`MOST_UNANSWERED`] questions unanswered. More games
    /// would only waste time.
    const fn is_given_up(&self) -> bool {
        self.tally.unanswered >= MOST_UNANSWERED
    }

    fn is_tried(&self, bot: &BotSpec) -> bool {
        self.tried.is_some_and(|tried| tried.bot == bot.bot)
    }

    fn faults_of_tried(
        &mut self,
        table: &Lineup<'_>,
        setup: &Setup,
        number: u64,
        faults: &FirstFaults,
    ) {
        let seating = setup.seating(number);
        for fault in &faults.faults {
            let bot = table.bots[seating[fault.seat]];
            let is_silent = matches!(fault.kind, FaultKind::Hung | FaultKind::Connection);
            if is_silent && self.is_tried(bot) {
                self.tally.unanswered += fault.count;
            }
            let finding = fault.finding(&bot.name, Level::Deny);
            // Only one fault of each kind is reported for each location in the script or phase.
            let place = finding
                .place
                .as_ref()
                .map_or(fault.phase.clone(), |place| place.start.to_string());
            if !self.is_tried(bot) || !self.told.insert((finding.code.clone(), place)) {
                continue;
            }
            if self.is_known(&finding) {
                continue;
            }
            self.findings
                .push(finding.add_help(&repeats(setup, number)));
        }
    }

    /// Reports whether a call failed in a line in which the check has already found an argument of
    /// the wrong type.
    fn is_known(&self, failed: &Finding) -> bool {
        let line = |finding: &Finding| {
            let place = finding.place.as_ref()?;
            Some((place.file.name.to_string(), place.line_column().0))
        };
        failed.code == "script::failed"
            && line(failed).is_some()
            && (self.findings.iter())
                .any(|it| it.code == "script::argument-type" && line(it) == line(failed))
    }

    fn script_name(&self) -> Option<String> {
        match &self.tried?.source {
            BotSource::Script(script) => Some(script.source.name.to_string()),
            BotSource::BuiltIn(_) | BotSource::Made(_) | BotSource::Human => None,
        }
    }

    fn never_called<'h>(&self, hooks: &'h [(String, String)]) -> Vec<&'h (String, String)> {
        let readings = self.limits.tracer.readings();
        let called =
            readings.map(|readings| readings.hooks.keys().cloned().collect::<BTreeSet<_>>());
        hooks
            .iter()
            .filter(|hook| {
                called
                    .as_ref()
                    .is_some_and(|called| !called.contains(*hook))
            })
            .collect()
    }

    fn warn(&mut self, hooks: &[(String, String)]) {
        if self.tally.failed {
            return;
        }
        for (_, hook) in self.never_called(hooks) {
            let text = format!(
                "`{hook}` was never called in {}",
                counted(self.tally.games as usize, "game")
            );
            let help = "random play with the default options doesn't reach this function: try \
                        `risk-cli play` with --option and suitable bots";
            let mut finding = Finding::error("trial::never-called", text).help(help);
            finding.level = Level::Warn;
            finding.place = place_of(self.ruleset, hook);
            self.findings.push(finding);
        }
        self.findings.extend(self.orders.findings(self.ruleset));
        let endless = self.tally.cut.finding(self.ruleset, self.tally.games);
        self.findings.extend(endless);
    }
}

/// Returns a finding of a ruleset's failure, with the place in the script and in the game.
fn finding_of(fault: &RuleFault, game: &GameState) -> Finding {
    let round = game.round();
    let decisions = counted(game.answers(), "decision");
    rules_failed(fault).add_help(&format!("in round {round}, after {decisions}"))
}

/// Returns the seed of a ruleset's trial. It depends on the ruleset's text, so that a fair ruleset
/// that seems unfair in the games of one seed does not seem so after each change.
fn seed_of(ruleset: &Ruleset) -> Seed {
    let hash = ruleset_hash(ruleset);
    Seed::new(&hash[..SEED_DIGITS]).expect("hexadecimal digits are a seed")
}

fn repeats(setup: &Setup, number: u64) -> String {
    format!("replay the game with `{}`", setup.command(number))
}
