//! Stories of rulesets that users invented: two kinds of units, own dice, bombardment, secret
//! support, objectives, and units with prices. The numbers in the story are those of the events.

use risk_engine::matches::Worker;
use risk_kernel::Sink;
use risk_kernel::event::Event;
use risk_kernel::id::{Player, Territory};
use risk_kernel::state::GameState;
use risk_report::story::Story;
use risk_testing::by_case::each;
use risk_testing::games::setup;
use risk_text::paint::Paint;

const RULESETS: [&str; 6] = [
    "bombardment",
    "costs",
    "objectives",
    "own_dice",
    "support",
    "two_kinds",
];

const PAGE: Paint = Paint {
    colour: false,
    width: 100,
};

/// The numbers of fights, by events.
#[derive(Debug, Default, PartialEq, Eq)]
struct Fights {
    lost: i32,
    killed: i32,
    taken: usize,
}

/// Counts fights beside the story.
struct FightCounter<W: std::io::Write> {
    story: Story<W>,
    fights: Fights,
    /// The attacker and the target of the last fight since the last answer.
    last: Option<(Option<Player>, Territory)>,
}

impl<W: std::io::Write> Sink for FightCounter<W> {
    fn event(&mut self, game: &GameState, event: &Event) {
        self.story.event(game, event);
        match event {
            Event::Answered { .. } | Event::Executed { .. } => self.last = None,
            Event::Fought(round) => {
                self.fights.lost += round.attacker_lost;
                self.fights.killed += round.defender_lost;
                self.last = Some((game.owner(round.from), round.to));
            }
            Event::Captured(_) => self.fights.taken += 1,
            Event::Owner { at, to, .. } if to.is_some() && self.last == Some((*to, *at)) => {
                self.fights.taken += 1;
            }
            _ => {}
        }
    }
}

/// Returns the numbers of fights in a story.
fn told(story: &str) -> Fights {
    let mut fights = Fights::default();
    let number = |word: &str| {
        word.strip_prefix('−')
            .and_then(|digits| digits.parse().ok())
    };
    for line in story.lines().filter(|line| line.contains(" → ")) {
        let mut losses = line.split_whitespace().filter_map(number);
        fights.lost += losses.next().unwrap_or(0);
        fights.killed += losses.next().unwrap_or(0);
        fights.taken += usize::from(line.contains(" taken, "));
    }
    fights
}

fn play(ruleset: &str, seed: u64) -> (String, Fights) {
    let path = format!("./tests/rulesets/{ruleset}.rhai");
    let bots = ["outnumber", "random"];
    let setup = setup(&path, None, &bots, seed, &[]);
    let names = bots.map(str::to_owned).to_vec();
    let mut buffer = Vec::new();
    let mut counter = FightCounter {
        story: Story::new(&mut buffer, PAGE, names),
        fights: Fights::default(),
        last: None,
    };
    let mut worker = Worker::new(&setup).unwrap();
    let finished = worker.play(0, &mut counter);
    let FightCounter { story, fights, .. } = counter;
    story
        .finish(&finished.game, &finished.outcome.unwrap())
        .unwrap();
    (String::from_utf8(buffer).unwrap(), fights)
}

#[test]
fn the_numbers_of_fights_are_those_of_the_events() {
    each(RULESETS.iter().copied(), |ruleset| {
        for seed in 1..4 {
            let (story, fights) = play(ruleset, seed);
            assert_eq!(told(&story), fights, "{ruleset} {seed}");
        }
    });
}

#[test]
fn stories_begin_as_they_were_read() {
    for ruleset in RULESETS {
        let (story, _) = play(ruleset, 5);
        let lines: Vec<&str> = story.lines().take(60).collect();
        insta::assert_snapshot!(ruleset, lines.join("\n"));
    }
}
