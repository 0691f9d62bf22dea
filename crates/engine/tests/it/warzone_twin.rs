//! The standard phases `orders` and `execution` against a scripted twin: same seed, same bots, same
//! options, same game to the last event and digest.

use risk_engine::Worker;
use risk_kernel::event::Event;
use risk_kernel::rng::{Purpose, Stream};
use risk_kernel::{Moment, Sink};

use risk_testing::by_case::{self, each};
use risk_testing::games as support;

#[derive(Default)]
struct Trail(Vec<(u64, String)>);

impl Sink for Trail {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        self.0.push((game.digest(), format!("{event:?}")));
    }
}

const VALUES: [(&str, &[&str]); 11] = [
    ("luck", &["100", "0", "16"]),
    ("rounding", &["straight", "weighted"]),
    ("phases", &["seed", "warzone"]),
    ("move_order", &["fixed", "cycle", "random", "snake"]),
    ("guard", &["true", "false"]),
    ("fog", &["none", "light", "normal", "dense"]),
    ("blockade", &["3", "1"]),
    ("bomb_remainder", &["up", "down"]),
    ("base_income", &["0", "5"]),
    ("card_pieces", &["1", "2"]),
    ("kill_attacking", &["60", "100", "0"]),
];
const BOTS: [&str; 8] = [
    "random",
    "outnumber",
    "random",
    "warlord",
    "holder",
    "odds",
    "greedy",
    "random-action",
];
const MAPS: [&str; 3] = ["world", "grid:5x4", "hacker-risk"];

/// Draws one choice of everything from a number: a map, bots, and a value of each option.
fn choice(
    number: u64,
) -> (
    &'static str,
    Vec<&'static str>,
    Vec<(&'static str, &'static str)>,
) {
    let mut rng = Stream::new(61, number, Purpose::Setup);
    let mut below = |count: usize| rng.below(count as u64) as usize;
    let map = MAPS[below(MAPS.len())];
    let players = 2 + below(5);
    let bots = (0..players).map(|_| BOTS[below(BOTS.len())]).collect();
    let mut options: Vec<_> = VALUES
        .iter()
        .map(|&(name, values)| (name, values[below(values.len())]))
        .collect();
    options.push(("max_turns", "40"));
    (map, bots, options)
}

#[test]
fn standard_orders_are_those_of_a_script() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/warzone_twin.rhai");
    let mut executed = 0;
    let mut refused = 0;
    each(0..by_case::share(300), |&number| {
        let (map, bots, options) = choice(number);
        let play = |ruleset: &str| {
            let setup = support::setup(ruleset, Some(map), &bots, number, &options);
            let mut trail = Trail::default();
            let finished = Worker::new(&setup).unwrap().play(0, &mut trail);
            (trail.0, finished.game.digest(), finished.outcome.unwrap())
        };
        let (standard, digest, outcome) = play("warzone");
        let (scripted, twins_digest, twins_outcome) = play(path);
        for (index, (one, two)) in standard.iter().zip(&scripted).enumerate() {
            assert_eq!(one, two, "game {number}, event {index}, {map}, {options:?}");
        }
        assert_eq!(standard.len(), scripted.len(), "game {number}");
        assert_eq!((digest, outcome), (twins_digest, twins_outcome));
        let count = |word: &str| {
            standard
                .iter()
                .filter(|(_, event)| event.contains(word))
                .count()
        };
        executed += count("Executed");
        refused += count("impossible") + count("not executed");
    });
    assert!(executed > 1_000 && refused > 20, "{executed} {refused}");
}
