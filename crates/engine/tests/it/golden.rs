//! Games that must not change: transcripts in words, counts of option paths, digests. A change to
//! any of them changes games that users have recorded, and needs a new version of the record
//! format.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::rc::Rc;

use risk_engine::record::hex;
use risk_engine::{HostedBot, Setup, Standings, Worker, hosted, play_many};
use risk_kernel::action::Options;
use risk_kernel::event::Event;
use risk_kernel::fault::BotFault;
use risk_kernel::view::View;
use risk_kernel::{Answer, Bot, EventFilter, Moment, Sink};

use risk_testing::games as support;
use risk_testing::games::{Log, words};

struct LoggedBot {
    bot: Box<dyn HostedBot>,
    log: Log,
}

impl Bot for LoggedBot {
    fn start(&mut self, view: &View, luck: risk_kernel::rng::Stream) {
        self.bot.start(view, luck);
    }

    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault> {
        let answer = self.bot.answer(view, ask)?;
        let words = risk_kernel::words::Words::new(view.board(), view.decl());
        let phase = &view.decl().phases[view.frame().unwrap().phase.index()].name;
        let Answer::One(action) = &answer else {
            panic!("built-in bots answer one by one")
        };
        let text = format!(
            "player {} in {phase}, {} options: {}\n",
            view.me().0 + 1,
            ask.len(),
            words.action(*action)
        );
        self.log.0.borrow_mut().push_str(&text);
        Ok(answer)
    }
}

fn transcript(ruleset: &str, bots: &[&str], options: &[(&str, &str)]) -> String {
    let folder = support::tiny();
    let tiny = folder.path().join("tiny.yaml");
    let map = if ruleset == "starwars" {
        None
    } else {
        tiny.to_str()
    };
    let setup = support::setup(ruleset, map, bots, 3, options);
    let mut worker = Worker::new(&setup).unwrap();
    let log = Log::default();
    let decl = worker.decl().clone();
    let mut seated: Vec<_> = setup
        .bots
        .iter()
        .map(|spec| {
            let fight = risk_kernel::odds::Fight::from_tables(worker.rules().tables());
            let bot = spec
                .source
                .build(&decl, fight, &setup.rules_source(bots.len()))
                .unwrap();
            hosted(LoggedBot {
                bot,
                log: log.clone(),
            })
        })
        .collect();
    let finished = worker.play_with(0, &mut seated, &mut log.clone());
    let outcome = finished.outcome.unwrap();
    format!(
        "{}{outcome:?}\n{}\n",
        log.0.borrow(),
        hex(finished.game.digest())
    )
}

#[test]
fn a_whole_game_in_words() {
    insta::assert_snapshot!(transcript(
        "hasbro",
        &["random", "outnumber", "holder"],
        &[]
    ));
}

#[test]
fn a_whole_game_of_codelab_in_words() {
    insta::assert_snapshot!(transcript("codelab", &["random", "outnumber"], &[]));
}

#[test]
fn a_whole_game_of_simplified_in_words() {
    insta::assert_snapshot!(transcript(
        "simplified",
        &["random", "outnumber", "odds"],
        &[("armies", "6")]
    ));
}

#[test]
fn a_whole_game_of_warzone_in_words() {
    insta::assert_snapshot!(transcript(
        "warzone",
        &["random", "outnumber", "odds"],
        &[("max_turns", "30")]
    ));
}

#[test]
fn a_whole_game_of_starwars_in_words() {
    insta::assert_snapshot!(transcript(
        "starwars",
        &["random", "random"],
        &[("max_turns", "60")]
    ));
}

/// Follows a path of option numbers, then halts and reports the number of options.
struct Walker {
    shared: Rc<RefCell<Walk>>,
}

struct Walk {
    /// The turn until which the bot takes the first option.
    from_turn: u32,
    path: Vec<u64>,
    step: usize,
    count: u64,
}

impl Bot for Walker {
    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault> {
        let mut walk = self.shared.borrow_mut();
        if view.turn() < walk.from_turn {
            return Ok(Answer::One(ask.nth(0)));
        }
        match walk.path.get(walk.step).copied() {
            Some(number) => {
                walk.step += 1;
                Ok(Answer::One(ask.nth(number)))
            }
            None => {
                walk.count = ask.len();
                Err(BotFault::Halt)
            }
        }
    }
}

struct IgnoringSink;
impl Sink for IgnoringSink {
    fn event(&mut self, _: Moment<'_>, _: &Event) {}
    fn wants(&self) -> EventFilter {
        EventFilter::Nothing
    }
}

/// Counts the option paths of each length. The seed decides the dice.
fn perft(worker: &mut Worker<'_>, players: usize, from_turn: u32, depth: usize) -> Vec<u64> {
    let mut counts = vec![0; depth];
    let mut paths = vec![Vec::new()];
    for (level, total) in counts.iter_mut().enumerate() {
        let mut longer = Vec::new();
        for path in &paths {
            let shared = Rc::new(RefCell::new(Walk {
                from_turn,
                path: path.clone(),
                step: 0,
                count: 0,
            }));
            let mut bots: Vec<_> = (0..players)
                .map(|_| {
                    hosted(Walker {
                        shared: Rc::clone(&shared),
                    })
                })
                .collect();
            worker.play_with(0, &mut bots, &mut IgnoringSink);
            let count = shared.borrow().count;
            *total += count;
            if level + 1 < depth {
                longer.extend((0..count).map(|number| [path.as_slice(), &[number]].concat()));
            }
        }
        paths = longer;
    }
    counts
}

#[test]
fn option_paths_are_counted() {
    let folder = support::tiny();
    let map = folder.path().join("tiny.yaml");
    let setup = support::setup("hasbro", map.to_str(), &["random"; 3], 3, &[]);
    let mut worker = Worker::new(&setup).unwrap();
    // Claiming: 6, then 6 × 5, and so on.
    assert_eq!(perft(&mut worker, 3, 0, 5), [6, 30, 120, 360, 720]);
    let mut told = String::new();
    // The first turn: 3 armies on 2 territories, then the armies left, then attacks.
    writeln!(
        told,
        "hasbro from turn 1: {:?}",
        perft(&mut worker, 3, 1, 4)
    )
    .unwrap();
    let rows = [
        ("codelab", 1, 4),
        ("simplified", 0, 4),
        ("simplified", 1, 4),
        // Both players choose three of six cards, in passes; then the first card is turned.
        ("starwars", 0, 4),
        ("starwars", 1, 2),
        ("warzone", 1, 2),
        // Both players wish for two of four.
        ("warlight1", 0, 2),
        // One of two for each player; then each places none to five armies on one territory.
        ("warlight2", 0, 2),
        ("warlight2", 1, 2),
    ];
    for (ruleset, from_turn, depth) in rows {
        let map = if ruleset == "starwars" {
            None
        } else {
            map.to_str()
        };
        let options: &[_] = if ruleset == "warzone" {
            &[("base_income", "1")]
        } else {
            &[]
        };
        let setup = support::setup(ruleset, map, &["random"; 2], 3, options);
        let counts = perft(&mut Worker::new(&setup).unwrap(), 2, from_turn, depth);
        writeln!(told, "{ruleset} from turn {from_turn}: {counts:?}").unwrap();
    }
    // Where chance decides the set-up, the counts are those of one draw.
    insta::assert_snapshot!(told);
}

fn digest(setup: &Setup, games: u64, jobs: usize) -> String {
    hex(Standings::from_results(setup, &play_many(setup, 0, games, jobs, |_| ()).unwrap()).digest)
}

/// Games, their common digest, and the bots. `.ci/nightly` reads these lines and plays them with
/// the release build; `.ci/renew` writes them.
const DIGESTS: &str = include_str!("golden/digests.txt");

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads_and_in_any_build() {
    let mut written = String::new();
    for row in DIGESTS.lines().map(words) {
        let setup = support::setup("hasbro", None, &row[2..], 77, &[("max_turns", "200")]);
        let games = row[0].parse().unwrap();
        let found = digest(&setup, games, 1);
        assert_eq!(
            digest(&setup, games, 2),
            found,
            "{games} games on 2 threads"
        );
        writeln!(written, "{games} {found} {}", row[2..].join(" ")).unwrap();
    }
    if std::env::var_os("RISK_RENEW").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/golden/digests.txt");
        std::fs::write(path, &written).unwrap();
        return;
    }
    assert_eq!(written, DIGESTS);
}
