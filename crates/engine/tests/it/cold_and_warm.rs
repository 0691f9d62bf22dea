//! What a thread keeps from game to game changes no game: not its digest, its faults, its
//! operations, or the memory that scripts are charged for.

use risk_maps::files::FileKind;
use std::cell::RefCell;
use std::rc::Rc;

use rhai_guard::memory;
use risk_engine::script::bot::ScriptBot;
use risk_engine::{
    BotSource, GameResult, HostedBot, Library, NullSink, Setup, Worker, play_many, script_bot,
};
use risk_kernel::action::{Action, Options};
use risk_kernel::event::Event;
use risk_kernel::fault::BotFault;
use risk_kernel::outcome::Outcome;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, Preferences, RuleQueries};
use risk_testing::by_case::{each, share};
use risk_testing::games::setup_from;

/// Hasbro's rules with thousands of armies, so that games fill larger tables of odds.
const THOUSANDS: &str = r#"
fn ruleset() { #{ extends: "hasbro", name: "thousands", options: #{ max_turns: 8 } } }
fn income(territories) { 300 * territories }
"#;

/// Bots that reach everything that a thread keeps.
const SCRIPTS: [(&str, &str); 5] = [
    (
        "policies",
        r#"
fn answer(view, ask) {
    if view.random(4) > 0 { return ask.random(); }
    let game = view.imagine();
    game.play_out(["holder", "odds", "outnumber"][view.random(3)], 1);
    this.last = if view.random(2) == 0 { game } else { () };
    ask.random()
}"#,
    ),
    (
        "own-policy",
        r#"
fn answer(view, ask) {
    if view.random(6) > 0 { return ask.random(); }
    let game = view.imagine();
    game.apply(ask.random());
    game.play_out(|seen, asked| asked.random(), 1);
    let copy = game.copy();
    this.games = [copy];
    ask.random()
}"#,
    ),
    (
        "odds-of-thousands",
        r#"
fn answer(view, ask) {
    this.texts = this.texts ?? [];
    if this.texts.len() > 20 { this.texts = []; }
    let most = view.armies(view.owned[0]);
    let chance = if view.has_chances { view.chance(min(most, 1000), 3) } else { 0.5 };
    this.texts.push(`turn ${view.turn}: ${chance > 0.5}`);
    this.kind = type_of(most);
    ask.random()
}"#,
    ),
    (
        "unequal",
        r#"
fn new_game(view) { this.seen = #{}; this.rounds = []; }
fn saw(event) { this.seen[event.kind] = (this.seen[event.kind] ?? 0) + 1; }
fn answer(view, ask) {
    this.rounds.push(view.round);
    if this.rounds.len() % 40 == 0 { this.rounds = []; throw "tired"; }
    ask.random()
}"#,
    ),
    (
        "spends-all",
        r#"
fn answer(view, ask) {
    if view.random(21) > 0 { return ask.random(); }
    let texts = [];
    loop { texts.push(`${view.turn} and ${texts.len()}`); }
}"#,
    ),
];

/// Returns the built-in files and those above.
fn library() -> Library {
    let builtin = risk_testing::games::library();
    Library::new(|kind| {
        let names = builtin.names(kind).into_iter();
        let files = names.filter_map(|name| Some((name, builtin.text(kind, name)?)));
        let own: &[(&str, &str)] = match kind {
            FileKind::Bot => &SCRIPTS,
            FileKind::Ruleset => &[("thousands", THOUSANDS)],
            FileKind::Map => &[],
        };
        let all = files.chain(own.iter().copied());
        all.map(|(name, text)| (name.to_owned(), text.to_owned()))
            .collect()
    })
}

/// What a script has been charged for in a game: operations, and the bytes that it uses between
/// calls.
type Charge = (u64, i64);

/// A script that notes what each of its calls is charged for.
struct Charged {
    bot: ScriptBot,
    charges: Rc<RefCell<Vec<Charge>>>,
}

impl Charged {
    fn note(&self) {
        let operations = self.bot.operations().map_or(0, |it| it.all);
        let charge = (operations, self.bot.kept());
        // The notes are not the script's memory.
        memory::uncounted(|| self.charges.borrow_mut().push(charge));
    }
}

impl Bot for Charged {
    fn start(&mut self, view: &View, rng: Stream) {
        self.bot.start(view, rng);
        self.note();
    }

    fn answer(&mut self, view: &View, options: &Options) -> Result<Answer, BotFault> {
        let answer = self.bot.answer(view, options);
        self.note();
        answer
    }

    fn try_next(&mut self, view: &View, rules: &mut dyn RuleQueries) -> Option<Action> {
        self.bot.try_next(view, rules)
    }

    fn preferences(&self) -> Preferences<'_> {
        self.bot.preferences()
    }

    fn saw(&mut self, view: &View, event: &Event) {
        self.bot.saw(view, event);
        self.note();
    }

    fn finish(&mut self, view: &View, scores: &[i64], outcome: Option<&Outcome>) {
        self.bot.finish(view, scores, outcome);
        self.note();
    }
}

impl HostedBot for Charged {}

/// A worker and bots that note their charges, as one thread uses them for its games.
struct Thread<'a> {
    worker: Worker<'a>,
    bots: Vec<Box<dyn HostedBot>>,
    charges: Rc<RefCell<Vec<Charge>>>,
}

impl<'a> Thread<'a> {
    fn new(setup: &'a Setup) -> Self {
        let worker = Worker::new(setup).unwrap();
        let rules = setup.rules_source(setup.bots.len());
        let charges = Rc::default();
        let bots = setup.bots.iter().map(|spec| -> Box<dyn HostedBot> {
            let fight = worker.rules().fight();
            match &spec.source {
                BotSource::Script(script) => Box::new(Charged {
                    bot: script_bot(script, worker.decl(), fight, &rules).unwrap(),
                    charges: Rc::clone(&charges),
                }),
                other => other.build(worker.decl(), fight, &rules).unwrap(),
            }
        });
        let bots = bots.collect();
        Self {
            worker,
            bots,
            charges,
        }
    }

    fn play(&mut self, number: u64) -> (u64, Vec<u32>, Vec<Charge>) {
        let finished = self.worker.play_with(number, &mut self.bots, &mut NullSink);
        finished.outcome.unwrap();
        let game = finished.game;
        let faults = game.seats().map(|player| game.strikes(player)).collect();
        (game.digest(), faults, self.charges.take())
    }
}

/// Returns the numbers in random order.
fn shuffled(luck: &mut Stream, numbers: u64) -> Vec<u64> {
    let mut all: Vec<u64> = (0..numbers).collect();
    for last in (1..all.len()).rev() {
        all.swap(last, luck.below(last as u64 + 1) as usize);
    }
    all
}

/// Random matches of bots of all kinds. Each game is played by a new thread, by a thread that has
/// played other games before, and by matches on several threads.
#[test]
fn earlier_games_change_nothing() {
    let library = library();
    let matches = [
        ("thousands", "duel", 3),
        ("thousands", "hacker-risk", 3),
        ("hasbro", "hacker-risk", 4),
        ("codelab", "duel", 2),
        ("warzone", "duel", 2),
        ("simplified", "grid:4x4", 3),
        ("teams", "hacker-risk", 4),
    ];
    let bots = [
        "policies",
        "own-policy",
        "odds-of-thousands",
        "unequal",
        "spends-all",
        "greedy",
        "turtle",
        "odds",
        "holder",
        "outnumber",
        "general",
        "general:learned",
        "oracle:20",
        "random",
    ];
    each(0..share(40), |&case| {
        let mut luck = Stream::new(case, 0, Purpose::Seats);
        let mut of = |count: usize| luck.below(count as u64) as usize;
        let (ruleset, map, players) = matches[of(matches.len())];
        let mut seated: Vec<&str> = (0..players).map(|_| bots[of(bots.len())]).collect();
        // One script at least.
        seated[0] = bots[of(SCRIPTS.len())];
        let options: &[(&str, &str)] = &[("max_turns", "8")];
        let setup = setup_from(&library, ruleset, Some(map), &seated, case, options);
        let what = format!("{ruleset} on {map}: {}", seated.join(", "));

        let games = 4;
        let alone: Vec<_> = (0..games)
            .map(|game| Thread::new(&setup).play(game))
            .collect();
        let mut warm = Thread::new(&setup);
        for game in shuffled(&mut luck, games).into_iter().chain(0..games) {
            let (digest, faults, charges) = warm.play(game);
            let (cold_digest, cold_faults, cold_charges) = &alone[game as usize];
            let differs = charges
                .iter()
                .zip(cold_charges)
                .position(|(one, other)| one != other);
            let pair = differs.map(|at| (at, charges[at], cold_charges[at]));
            assert_eq!(
                pair, None,
                "{what}: call, charge warm and cold of game {game}"
            );
            assert_eq!((digest, &faults), (*cold_digest, cold_faults), "{what}");
            assert_eq!(charges.len(), cold_charges.len(), "{what}");
        }

        let played =
            |jobs: usize| -> Vec<GameResult> { play_many(&setup, 0, games, jobs, |_| {}).unwrap() };
        let one = played(1);
        for jobs in [2, 5] {
            assert_eq!(played(jobs), one, "{what} on {jobs} threads");
        }
    });
}
