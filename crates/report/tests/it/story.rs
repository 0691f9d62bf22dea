//! The story of every ruleset, number by number, against a fold of the events.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};
use std::rc::Rc;

use risk_engine::Worker;
use risk_kernel::event::{Capture, Event, FightRound};
use risk_kernel::id::{Player, Territory};
use risk_kernel::state::GameState;
use risk_kernel::{Moment, Sink};
use risk_report::story::Story;
use risk_testing::by_case::each;
use risk_testing::games::setup;
use risk_text::paint::Paint;

#[derive(Clone, Default)]
struct SharedBuffer(Rc<RefCell<Vec<u8>>>);

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A fight that the story must report: the territories, armies and losses.
#[derive(Clone, Debug)]
struct Round {
    lands: String,
    forces: String,
    losses: (i32, i32),
    /// The armies in the territory after its capture.
    taken: Option<i32>,
}

/// The numbers that the events give, computed independently of the program.
#[derive(Default)]
struct StoryFold {
    owner: Vec<Option<Player>>,
    units: Vec<Vec<i32>>,
    cards: BTreeMap<Player, i64>,
    order: Option<i32>,
    rolled: bool,
    last: Option<(Territory, Territory)>,
    /// Answers since the last capture.
    age: u32,
    rounds: VecDeque<Round>,
    moves: VecDeque<String>,
    placed: BTreeMap<String, i64>,
    standings: Vec<String>,
    round: u32,
    placing: Option<(i32, i32)>,
    names: Vec<String>,
}

impl StoryFold {
    fn stands(&self, at: Territory) -> i32 {
        self.units[at.index()].iter().sum()
    }

    fn standing(&mut self, game: &GameState) {
        let hand = game.decl().pile("hand").is_some();
        for (seat, name) in self.names.clone().iter().enumerate() {
            let who = Player::from_index(seat);
            let mine: Vec<usize> = (0..self.owner.len())
                .filter(|&at| self.owner[at] == Some(who))
                .collect();
            let armies: i32 = mine
                .iter()
                .map(|&at| self.units[at].iter().sum::<i32>())
                .sum();
            let mut row = format!("{name} {} land", mine.len());
            if game.decl().units.len() == 1 {
                let noun = if armies == 1 { "army" } else { "armies" };
                row.push_str(&format!(" {armies} {noun}"));
            }
            if hand {
                let cards = self.cards.get(&who).copied().unwrap_or(0);
                row.push_str(&format!(
                    " {cards} card{}",
                    if cards == 1 { "" } else { "s" }
                ));
            }
            self.standings.push(row);
        }
    }

    fn fought(&mut self, game: &GameState, event: &Event) {
        let Event::Fought(FightRound {
            from,
            to,
            attackers,
            standing,
            defenders,
            attacker_lost,
            defender_lost,
        }) = event
        else {
            return;
        };
        let name = |at: &Territory| game.board().info(*at).name.clone();
        let single = game.decl().units.len() == 1;
        let here = self.stands(*from);
        let there = self.stands(*to);
        if single {
            assert_eq!(
                (here, there),
                (*standing, *defenders),
                "the numbers are those of the moment"
            );
            assert!(*attackers <= here && self.order.is_none_or(|order| *attackers <= order));
        } else {
            assert_eq!((here, there + defender_lost), (*standing, *defenders));
        }
        let sent = if !self.rolled && *attackers < here {
            format!("{attackers} of ")
        } else {
            String::new()
        };
        self.rounds.push_back(Round {
            lands: format!("{} → {}", name(from), name(to)),
            forces: format!("{sent}{here} v {there}"),
            losses: (*attacker_lost, *defender_lost),
            taken: None,
        });
        self.last = None;
    }
}

impl StoryFold {
    /// Handles armies that advance from one territory to another, with or without a fight.
    fn advanced(&mut self, game: &GameState, event: &Event) {
        let name = |at: &Territory| game.board().info(*at).name.clone();
        let single = game.decl().units.len() == 1;
        match event {
            Event::Captured(Capture {
                from,
                to,
                by,
                unit,
                moved,
                ..
            }) => {
                self.units[from.index()][unit.index()] -= moved;
                self.units[to.index()][unit.index()] = *moved;
                self.owner[to.index()] = Some(*by);
                self.rounds
                    .back_mut()
                    .expect("a fight comes before a capture")
                    .taken = Some(*moved);
                (self.last, self.age) = (Some((*from, *to)), 0);
            }
            Event::Moved {
                from,
                to,
                unit,
                count,
            } => {
                self.units[from.index()][unit.index()] -= count;
                self.units[to.index()][unit.index()] += count;
                if self.last == Some((*from, *to)) {
                    *self.rounds.back_mut().unwrap().taken.as_mut().unwrap() += count;
                } else if single {
                    self.moves
                        .push_back(format!("{count} from {} to {}", name(from), name(to)));
                }
            }
            _ => {}
        }
    }
}

impl Sink for StoryFold {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let game: &GameState = &moment;
        if self.owner.is_empty() {
            self.owner = vec![None; game.board().len()];
            self.units = vec![vec![0; game.decl().units.len()]; game.board().len()];
        }
        match event {
            Event::Answered { action, phase, .. } => {
                let open = !game.decl().phases[phase.index()].secret;
                self.placing = match (&*game.decl().verbs[action.verb.index()].name, action.args())
                {
                    ("place", &[at, armies]) if open => Some((at, armies)),
                    _ => None,
                };
                self.rolled = false;
                self.age += 1;
                // Only the next answer may bring more armies in.
                self.last = self.last.filter(|_| self.age < 2);
            }
            Event::Executed { action, .. } => {
                let verb = &*game.decl().verbs[action.verb.index()].name;
                self.placing = (verb == "place").then(|| (action.args()[0], action.args()[1]));
                self.order = action.args().get(2).copied();
                self.last = None;
                self.rolled = false;
            }
            Event::TurnBegan { round, .. } => {
                (self.last, self.order) = (None, None);
                if *round != self.round {
                    self.round = *round;
                    self.standing(game);
                }
            }
            Event::Rolled { .. } => self.rolled = true,
            Event::Owner { at, to, .. } => self.owner[at.index()] = *to,
            Event::Units { at, unit, by, now } => {
                self.units[at.index()][unit.index()] += by;
                assert_eq!(self.units[at.index()][unit.index()], *now);
                if self.round > 0 && self.placing == Some((at.0.into(), *by)) {
                    *self
                        .placed
                        .entry(game.board().info(*at).name.clone())
                        .or_default() += i64::from(*by);
                }
            }
            Event::Fought(_) => self.fought(game, event),
            Event::Captured(_) | Event::Moved { .. } => self.advanced(game, event),
            // A `Said` or `Status` event in between ends the line of the fight.
            Event::Said { .. } | Event::Status { .. } => self.last = None,
            Event::Card { from, to, .. } => {
                let hand = game.decl().pile("hand");
                for (pile, by) in [(from, -1), (to, 1)] {
                    if let (true, Some(who)) = (Some(pile.0) == hand, pile.1) {
                        *self.cards.entry(who).or_default() += by;
                    }
                }
            }
            _ => {}
        }
    }
}

struct FoldAndStory<'a>(&'a mut StoryFold, &'a mut Story<SharedBuffer>);

impl Sink for FoldAndStory<'_> {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        self.0.event(moment, event);
        self.1.event(moment, event);
    }
}

/// Returns a number and the word after it: ` 21 land`.
fn before(line: &str, word: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|other| *other == word)?;
    // No bar comes between a number and its word.
    words[..at].last().map(|number| format!(" {number} {word}"))
}

fn fight(line: &str, fold: &mut StoryFold) {
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let first = fold
        .rounds
        .pop_front()
        .unwrap_or_else(|| panic!("no such fight happened: {line}"));
    let head = format!("{} {} ", first.lands, first.forces);
    let rest = line
        .strip_prefix(&head)
        .unwrap_or_else(|| panic!("{head}\nis told as\n{line}"));
    let mut words = rest.split(' ');
    let mut loss = || {
        words
            .next()
            .and_then(|word| word.strip_prefix('−')?.parse::<i32>().ok())
            .unwrap()
    };
    let told = (loss(), loss());
    let mut sum = first.losses;
    let mut taken = first.taken;
    while sum != told {
        let next = fold
            .rounds
            .pop_front()
            .unwrap_or_else(|| panic!("more is told than was lost: {line}"));
        assert_eq!(next.lands, first.lands, "{line}");
        sum = (sum.0 + next.losses.0, sum.1 + next.losses.1);
        assert!(taken.is_none(), "{line}");
        taken = next.taken;
    }
    let result = taken.map_or_else(|| "held".to_owned(), |moved| format!("taken, {moved} in"));
    assert!(rest.contains(&result), "{result}\n{line}");
}

/// Standings, and armies placed, as the story gives them.
#[derive(Default)]
struct StoryReport {
    standings: Vec<String>,
    placed: BTreeMap<String, i64>,
}

impl StoryReport {
    /// Reads a story, and compares its fights and moves with the events in order.
    fn read(text: &str, ruleset: &str, fold: &mut StoryFold) -> Self {
        let mut told = Self::default();
        let mut secret = false;
        for line in text.lines() {
            secret = (secret || line.contains("as they are given"))
                && !line.contains("as they are executed");
            if secret {
                continue;
            }
            if line.starts_with("    ") && line.contains(" → ") && line.contains(" v ") {
                fight(line, fold);
            } else if let Some(list) = line.strip_prefix("    +") {
                told.placed(line, list);
            } else if line.contains(" land ") && line.starts_with("  ") && !line.starts_with("   ")
            {
                let name = line.split_whitespace().next().unwrap();
                let counts = ["land", "army", "armies", "card", "cards"]
                    .map(|word| before(line, word).unwrap_or_default());
                told.standings.push(format!("{name}{}", counts.concat()));
            } else if line.contains(": impossible, ") {
                assert_eq!(ruleset, "warzone");
            } else if let Some(list) = line.strip_prefix("    advances on ") {
                // An advance on a territory that has become the player's own is a move.
                let (to, rest) = list.split_once(" from ").unwrap();
                let (from, armies) = rest.split_once(" with ").unwrap();
                assert_eq!(
                    fold.moves.pop_front(),
                    Some(format!("{armies} from {from} to {to}"))
                );
            } else if ruleset != "starwars" && line.starts_with("    moves ")
                || line.starts_with("    flies ")
            {
                let moved = line.trim().split_once(' ').unwrap().1;
                assert_eq!(fold.moves.pop_front().as_deref(), Some(moved), "{ruleset}");
            }
        }
        told
    }

    /// Reads a line of placed armies: their sum, and their number on each territory.
    fn placed(&mut self, line: &str, list: &str) {
        let (sum, list) = list
            .split_once(": ")
            .unwrap_or_else(|| (list.split(' ').next().unwrap(), list));
        let mut left: i64 = sum.parse().unwrap();
        for part in list.split(", ") {
            let (armies, at) = part.split_once(" in ").unwrap();
            let armies: i64 = armies.parse().unwrap();
            left -= armies;
            *self.placed.entry(at.to_owned()).or_default() += armies;
        }
        assert_eq!(left, 0, "{line}");
    }
}

fn check(ruleset: &str, seed: u64, turns: &str) {
    let given = setup(
        ruleset,
        None,
        &["greedy", "outnumber", "random"][..if ruleset == "starwars" { 2 } else { 3 }],
        seed,
        &[("max_turns", turns)],
    );
    let names: Vec<String> = given
        .seating(0)
        .iter()
        .map(|&player| given.bots[player].name.clone())
        .collect();
    let mut fold = StoryFold {
        names: names.clone(),
        ..StoryFold::default()
    };
    let text = SharedBuffer::default();
    let mut story = Story::new(
        text.clone(),
        Paint {
            colour: false,
            width: 200,
        },
        names,
    );
    let mut worker = Worker::new(&given).unwrap();
    let finished = worker.play(0, &mut FoldAndStory(&mut fold, &mut story));
    fold.standing(&finished.game);
    story
        .finish(&finished.game, &finished.outcome.unwrap())
        .unwrap();
    let text = String::from_utf8(text.0.borrow().clone()).unwrap();
    let told = StoryReport::read(&text, ruleset, &mut fold);
    assert_eq!(told.standings, fold.standings, "{ruleset}, seed {seed}");
    assert_eq!(told.placed, fold.placed, "{ruleset}, seed {seed}");
    let single = finished.game.decl().units.len() == 1;
    assert!(
        !single || fold.rounds.is_empty() && fold.moves.is_empty(),
        "{ruleset}: {:?} {:?}",
        fold.rounds,
        fold.moves
    );
}

#[test]
fn every_number_of_a_story_is_that_of_its_moment() {
    let rulesets = [
        "codelab",
        "hasbro",
        "simplified",
        "warzone",
        "starwars",
        "capital",
        "scored",
    ];
    let cases = (0..3).flat_map(|seed| rulesets.map(|ruleset| format!("{ruleset} {seed}")));
    each(cases, |case| {
        let (ruleset, seed) = case.split_once(' ').unwrap();
        let turns = if ruleset == "starwars" { "60" } else { "24" };
        check(ruleset, seed.parse().unwrap(), turns);
    });
}
