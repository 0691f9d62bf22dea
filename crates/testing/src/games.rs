//! Games of the shipped rulesets in this process.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use risk_engine::record::{Recorder, header};
use risk_engine::{Library, MatchSpec, Seats, Setup, Worker, hosted};
use risk_kernel::action::Options;
use risk_kernel::board::Board;
use risk_kernel::event::{Event, FightRound};
use risk_kernel::fault::BotFault;
use risk_kernel::state::GameState;
use risk_kernel::view::{Facts, View};
use risk_kernel::words::Words;
use risk_kernel::{
    Answer, Bot, EventFold, FinishedGame, Moment, OptionalPhases, Preferences, Sink,
};
use risk_maps::lint::Levels;

use crate::event_words::EventWords;
use crate::watchdog::watch;

/// Returns the files built into the program.
#[must_use]
pub fn library() -> &'static Library {
    risk_cli::library()
}

pub fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Sets up a match from the words of a command line.
pub fn setup(
    ruleset: &str,
    map: Option<&str>,
    bots: &[&str],
    seed: u64,
    options: &[(&str, &str)],
) -> Setup {
    setup_from(library(), ruleset, map, bots, seed, options)
}

/// Sets up a match with names from another library.
pub fn setup_from(
    library: &Library,
    ruleset: &str,
    map: Option<&str>,
    bots: &[&str],
    seed: u64,
    options: &[(&str, &str)],
) -> Setup {
    watch();
    let words = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let spec = MatchSpec {
        map: map.map(str::to_owned),
        options: options.iter().map(words).collect(),
        players: Some(bots.len()),
        seats: Some(Seats::Rotate),
        ..MatchSpec::new(ruleset).bots(bots).seed(seed)
    };
    spec.load(library).unwrap()
}

/// The losses of all rolls in some games, by the dice of attacker and defender, highest first.
#[derive(Default)]
pub struct Rolls {
    pub seen: BTreeMap<(Vec<u8>, Vec<u8>), BTreeSet<(i32, i32)>>,
    last: Option<(Vec<u8>, Vec<u8>)>,
}

impl Sink for Rolls {
    fn event(&mut self, _: Moment<'_>, event: &Event) {
        let sorted = |dice: &[u8]| {
            let mut dice = dice.to_vec();
            dice.sort_unstable_by(|a, b| b.cmp(a));
            dice
        };
        match event {
            Event::Rolled { attack, defend } => {
                self.last = Some((sorted(attack.values()), sorted(defend.values())))
            }
            Event::Fought(FightRound {
                attacker_lost,
                defender_lost,
                ..
            }) => {
                if let Some(dice) = self.last.take() {
                    self.seen
                        .entry(dice)
                        .or_default()
                        .insert((*attacker_lost, *defender_lost));
                }
            }
            _ => {}
        }
    }
}

/// The documents' example rolls: dice of attacker and defender, and their losses.
pub const DICE_EXAMPLES: [(&[u8], &[u8], (i32, i32)); 7] = [
    (&[6, 6, 6], &[1, 1], (0, 2)),
    (&[6, 6, 6], &[6, 1], (1, 1)),
    (&[6, 6, 6], &[6, 6], (2, 0)),
    (&[5, 5], &[1], (0, 1)),
    (&[5, 2], &[6, 1], (1, 1)),
    (&[2], &[1, 1], (0, 1)),
    (&[2], &[3, 1], (1, 0)),
];

pub fn board(map: &str) -> Arc<Board> {
    watch();
    risk_maps::load(library(), map, &Levels::default()).unwrap()
}

/// Creates a folder with a small map, `tiny.yaml`: six territories in a ring on two continents.
pub fn tiny() -> tempfile::TempDir {
    watch();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.yaml"), TINY).unwrap();
    folder
}

pub const TINY: &str = "name: tiny
continents:
  - { id: west, bonus: 2 }
  - { id: east, bonus: 1 }
territories:
  - { id: a, continent: west, borders: [b, f] }
  - { id: b, continent: west, borders: [a, c] }
  - { id: c, continent: west, borders: [b, d] }
  - { id: d, continent: east, borders: [c, e] }
  - { id: e, continent: east, borders: [d, f] }
  - { id: f, continent: east, borders: [e, a] }
";

/// Sets up a position on the tiny map: a ruleset that extends Hasbro's rules with its own set-up.
pub fn position(
    set_up: &str,
    players: usize,
    options: &[(&str, &str)],
) -> (tempfile::TempDir, Setup) {
    position_of("hasbro", set_up, players, options)
}

/// Sets up a position of any ruleset, as [`position`] does.
pub fn position_of(
    base: &str,
    set_up: &str,
    players: usize,
    options: &[(&str, &str)],
) -> (tempfile::TempDir, Setup) {
    let folder = tiny();
    let ruleset = folder.path().join("position.rhai");
    let text = format!(
        "fn ruleset() {{ #{{ extends: \"{base}\", name: \"position\" }} }}\nfn setup(g) {{\n{set_up}\n}}\n"
    );
    std::fs::write(&ruleset, text).unwrap();
    let map = folder.path().join("tiny.yaml");
    let setup = setup(
        ruleset.to_str().unwrap(),
        map.to_str(),
        &vec!["random"; players],
        5,
        options,
    );
    (folder, setup)
}

/// The questions, answers and events of a game, in words.
#[derive(Clone, Debug, Default)]
pub struct Log(pub Rc<RefCell<String>>);

impl Log {
    fn line(&self, text: &str) {
        let mut log = self.0.borrow_mut();
        log.push_str(text);
        log.push('\n');
    }
}

impl Sink for Log {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        if let Some(text) = EventWords(&game).of(event) {
            self.line(&format!("    {text}"));
        }
    }
}

/// A bot with prepared answers, in words or as numbers of options. Halts the game after the last.
pub struct PreparedBot {
    pub says: VecDeque<String>,
    pub log: Log,
}

impl Bot for PreparedBot {
    fn preferences(&self) -> Preferences<'_> {
        Preferences {
            optional: OptionalPhases::All,
            ..Preferences::default()
        }
    }

    fn answer(&mut self, view: &View, ask: &Options) -> Result<Answer, BotFault> {
        let words = Words::new(view.board(), view.decl());
        let phase = &view.decl().phases[view.frame().unwrap().phase.index()].name;
        let shown: Vec<String> = (0..ask.len().min(12))
            .map(|number| words.action(ask.nth(number)))
            .collect();
        let more = if ask.len() > 12 { " …" } else { "" };
        self.log.line(&format!(
            "player {} in {phase}, {} options: {}{more}",
            view.me().0 + 1,
            ask.len(),
            shown.join(" | ")
        ));
        let said = self.says.pop_front().ok_or(BotFault::Halt)?;
        self.log.line(&format!("  says {said}"));
        if let Ok(number) = said.parse() {
            return Ok(Answer::One(ask.nth(number)));
        }
        let steps: Vec<_> = said
            .split(" + ")
            .map(|step| words.parse(step).unwrap())
            .collect();
        Ok(if steps.len() == 1 {
            Answer::One(steps[0])
        } else {
            Answer::Steps(steps)
        })
    }
}

/// Plays a game in which the players give these answers, and logs all of it.
pub fn play_logged(setup: &Setup, says: &[&[&str]]) -> (String, FinishedGame) {
    story_of_game(&mut Worker::new(setup).unwrap(), 0, says)
}

/// Plays the game with this number as [`tell`] does.
pub fn story_of_game(
    worker: &mut Worker<'_>,
    number: u64,
    says: &[&[&str]],
) -> (String, FinishedGame) {
    let log = Log::default();
    let mut bots: Vec<_> = says
        .iter()
        .map(|says| {
            hosted(PreparedBot {
                says: says.iter().map(|say| (*say).to_owned()).collect(),
                log: log.clone(),
            })
        })
        .collect();
    let finished = worker.play_with(number, &mut bots, &mut log.clone());
    let text = log.0.borrow().clone();
    (text, finished)
}

/// Plays the game with this number, and returns it with the text of its record.
pub fn recorded(worker: &mut Worker<'_>, number: u64) -> (FinishedGame, String) {
    let mut recorder = Recorder::new(Vec::new(), &header(worker, number));
    let finished = worker.play(number, &mut recorder);
    let lines = recorder.finish(finished.outcome.as_ref().ok(), &finished.game);
    (finished, String::from_utf8(lines.unwrap()).unwrap())
}

/// Returns a line of a record without its sum, which covers the header too.
pub fn without_sum(line: &str) -> &str {
    line.split(",\"sum\":\"").next().unwrap()
}

/// Gives events to a sink as if they came one by one after this state.
pub fn feed<'e>(
    sink: &mut dyn Sink,
    game: &GameState,
    events: impl IntoIterator<Item = &'e Event>,
) {
    let facts = Facts::new(game.clone());
    let mut values = EventFold::new(game);
    for event in events {
        sink.event(Moment::new(&facts, &values), event);
        values.take(event);
    }
}
