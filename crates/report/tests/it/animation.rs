//! Animated pictures of games: each frame shows the engine's state.

use std::collections::BTreeSet;

use gif::{ColorOutput, DecodeOptions, Repeat};
use risk_engine::record::{self, Playback, Record};
use risk_engine::{Setup, Worker};
use risk_kernel::event::{Capture, Event, FightRound};
use risk_kernel::id::Territory;
use risk_kernel::state::GameState;
use risk_kernel::{Moment, NullSink, Sink};
use risk_report::picture::gif::{Animation, OversizedAnimation, gif};
use risk_report::picture::png::{Pixels, pixels};
use risk_report::picture::{Film, NOBODY, Reel, colour_of};

use risk_testing::games::{recorded, setup};

/// Rulesets with their bots and options: few rounds where games are long.
const GAMES: [(&str, &[&str], &[(&str, &str)]); 3] = [
    (
        "hasbro",
        &["outnumber", "holder", "random"],
        &[("max_turns", "60")],
    ),
    ("warlight2", &["marshal", "random"], &[("max_turns", "15")]),
    ("starwars", &["starwars-shield", "starwars-attack"], &[]),
];

/// Plays the first game of a match, and returns its record.
fn record(worker: &mut Worker<'_>) -> Record {
    record::read(&recorded(worker, 0).1).unwrap()
}

/// The game played again into a reel.
fn reeled(record: &Record, worker: &mut Worker<'_>) -> (Reel, GameState, Vec<String>) {
    let number = record.header.game;
    let begun = worker.position(number);
    let mut reel = Reel::new(&begun.unwrap_or_else(|| worker.empty_board(number)));
    let mut playback = Playback::new(record, None);
    let finished = worker.play_with(number, &mut playback.seats, &mut reel);
    let names = record.header.players.iter();
    let names = names.map(|player| player.name.clone()).collect();
    (reel, finished.game, names)
}

/// The first game of a match as a GIF.
fn made(setup: &Setup) -> Result<Animation, OversizedAnimation> {
    let mut worker = Worker::new(setup).unwrap();
    let record = record(&mut worker);
    let (reel, game, names) = reeled(&record, &mut worker);
    gif(reel, &game, &names, "a game", None)
}

/// The red, green and blue values of a colour.
fn colour(text: &str) -> [u8; 3] {
    let channel = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    [1, 3, 5].map(channel)
}

/// The frames of a recorded game as SVG.
fn stills(record: &Record, worker: &mut Worker<'_>) -> Vec<String> {
    let (mut reel, game, names) = reeled(record, worker);
    let (frames, _) = reel.finish(&game);
    let mut film = Film::new(&game, &names, "a game", None);
    (0..frames.len())
        .map(|index| film.draw(frames, index))
        .collect()
}

/// The text between two others.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let rest = text
        .split_once(before)
        .unwrap_or_else(|| panic!("{before}"));
    rest.1.split_once(after).unwrap().0
}

/// The number of decisions in a frame's caption.
fn decisions(still: &str) -> u64 {
    between(still, ", after ", " decision").parse().unwrap()
}

#[test]
fn each_frame_is_the_engines_state() {
    for (ruleset, bots, options) in GAMES {
        let setup = setup(ruleset, None, bots, 11, options);
        let mut worker = Worker::new(&setup).unwrap();
        let record = record(&mut worker);
        let stills = stills(&record, &mut worker);
        // A caption without room has no decisions.
        let stills: Vec<&String> = stills.iter().filter(|it| it.contains(", after ")).collect();
        let last = stills.len() - 1;
        for still in [0, last / 5, last / 2, last].map(|index| stills[index]) {
            let answers = decisions(still);
            let mut playback = Playback::new(&record, Some(answers));
            let number = record.header.game;
            let game = worker.play_with(number, &mut playback.seats, &mut NullSink);
            let game = game.game;
            for at in game.board().territories() {
                let about = format!("{ruleset}, decision {answers}, {at:?}");
                let land = between(still, &format!("id=\"land-{}\"", at.index()), "</path>");
                let owner = game.owner(at);
                let shown = owner.map_or(NOBODY.to_owned(), |player| colour_of(player.index()));
                assert!(
                    land.contains(&format!("fill=\"{shown}\"")),
                    "{about}: {land}"
                );
                let armies = format!("id=\"armies-{}\"", at.index());
                let units = match still.contains(&armies) {
                    true => between(between(still, &armies, "/text>"), ">", "<"),
                    false => "0",
                };
                let parts = units.split(['+', ' ']);
                let parts = parts.map(|part| part.trim_end_matches(char::is_alphabetic));
                let sum: i32 = parts.map(|part| part.parse::<i32>().unwrap()).sum();
                assert_eq!(sum, game.all_units(at), "{about}: {units}");
            }
        }
        assert_eq!(decisions(stills[0]), 0, "{ruleset}");
        assert_eq!(decisions(stills[last]), record.answers(), "{ruleset}");
    }
}

#[test]
fn long_games_have_fewer_frames_and_stay_small() {
    let folder = tempfile::tempdir().unwrap();
    let idle =
        "fn answer(view, ask) { if ask.has(\"done\") { ask.act(\"done\") } else { ask.nth(0) } }";
    std::fs::write(folder.path().join("idle.rhai"), idle).unwrap();
    let idle = folder.path().join("idle.rhai").display().to_string();
    let bots = [idle.as_str(), &idle];
    let made = made(&setup(
        "codelab",
        Some("duel"),
        &bots,
        11,
        &[("max_turns", "600")],
    ));
    let made = made.unwrap();
    assert_eq!(made.every, 4);
    let file = made.file;
    assert!(file.len() <= 8_000_000, "{}", file.len());
    assert!(decoded(&file).len() <= 250);
}

#[test]
fn what_is_too_large_is_refused() {
    let turn = [("max_turns", "1")];
    for (map, limit, unit) in [
        ("grid:64x64", 1_000, "territories"),
        ("grid:4x200", 2_000_000, "pixels in a frame"),
    ] {
        let refused = made(&setup("codelab", Some(map), &["outnumber"; 2], 11, &turn));
        let found = refused.unwrap_err();
        assert_eq!((found.most, found.unit), (limit, unit), "{map}");
        assert!(found.found > limit, "{map}: {}", found.found);
    }
}

/// The frames of a GIF, as pixels and with the time for which each is shown, in hundredths of a
/// second.
fn decoded(file: &[u8]) -> Vec<(Pixels, u16)> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder = options.read_info(file).unwrap();
    let (width, height) = (decoder.width().into(), decoder.height().into());
    let rgb = vec![0; 3 * width * height];
    let mut shown = Pixels { width, height, rgb };
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let inside = usize::from(frame.width);
        for (index, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            let x = usize::from(frame.left) + index % inside;
            let y = usize::from(frame.top) + index / inside;
            if pixel[3] > 0 {
                let at = 3 * (y * width + x);
                shown.rgb[at..at + 3].copy_from_slice(&pixel[..3]);
            }
        }
        frames.push((shown.clone(), frame.delay));
    }
    assert_eq!(decoder.repeat(), Repeat::Infinite);
    frames
}

/// Checks that a frame shows what its SVG shows below the title: land in exactly its colour, and
/// the rest in nearly the same colours.
fn shows(frame: &Pixels, drawn: &Pixels, about: &str) {
    let size = (drawn.width, drawn.height);
    assert_eq!((frame.width, frame.height), size, "{about}");
    let owners = (0..3).map(colour_of).chain([NOBODY.to_owned()]);
    let owners: Vec<[u8; 3]> = owners.map(|owner| colour(&owner)).collect();
    let pairs = frame.rgb.chunks_exact(3).zip(drawn.rgb.chunks_exact(3));
    for (index, (seen, wanted)) in pairs.enumerate().skip(size.0 * 60) {
        let allowed = if owners.iter().any(|owner| owner == wanted) {
            0
        } else {
            24
        };
        let far = seen.iter().zip(wanted).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(
            far.unwrap() <= allowed,
            "{about}: pixel {index} is {seen:?}, not {wanted:?}"
        );
    }
}

#[test]
fn a_gif_has_the_frames_of_the_game() {
    let bots = ["holder", "outnumber", "odds"];
    let setup = setup("hasbro", Some("duel"), &bots, 11, &[("max_turns", "8")]);
    let mut worker = Worker::new(&setup).unwrap();
    let record = record(&mut worker);
    let stills = stills(&record, &mut worker);
    let file = made(&setup).unwrap().file;
    let frames = decoded(&file);
    assert_eq!(frames.len(), stills.len());
    let (last, others) = frames.split_last().unwrap();
    assert!(others.len() > 5 && others.iter().all(|frame| frame.1 == 70));
    assert_eq!(last.1, 400);
    for index in [0, 1, frames.len() / 2] {
        // The title is that of the game.
        let (frame, still) = (&frames[index].0, pixels(&stills[index]));
        shows(frame, &still, &format!("frame {index}"));
    }
    assert!(file == made(&setup).unwrap().file);
}

/// What a frame has to show of a turn, from single events.
#[derive(Default)]
struct Turn {
    ways: BTreeSet<(Territory, Territory)>,
    /// The dice of the last roll, each side's in order.
    dice: Vec<u8>,
    /// The last attacked territory, and its result.
    fight: Option<(Territory, &'static str)>,
}

#[derive(Default)]
struct Turns(Vec<Turn>);

impl Sink for Turns {
    fn event(&mut self, _: Moment<'_>, event: &Event) {
        if matches!(event, Event::TurnBegan { .. }) {
            self.0.push(Turn::default());
        }
        let Some(turn) = self.0.last_mut() else {
            return;
        };
        match *event {
            Event::Rolled { attack, defend } => {
                let mut sides = [attack, defend].map(|dice| dice.values().to_vec());
                sides.iter_mut().for_each(|dice| dice.sort_unstable());
                turn.dice = sides.concat();
            }
            Event::Fought(FightRound { from, to, .. }) => {
                turn.fight = Some((to, "held"));
                turn.ways.insert((from, to));
            }
            Event::Captured(Capture { to, .. }) => turn.fight = Some((to, "taken")),
            Event::Moved { from, to, .. } => _ = turn.ways.insert((from, to)),
            _ => {}
        }
    }
}

#[test]
fn a_frame_shows_the_fights_and_moves_of_its_turn() {
    let bots = ["holder", "outnumber", "odds"];
    let setup = setup("hasbro", None, &bots, 11, &[("max_turns", "12")]);
    let mut worker = Worker::new(&setup).unwrap();
    let record = record(&mut worker);
    let mut turns = Turns::default();
    let mut playback = Playback::new(&record, None);
    worker.play_with(record.header.game, &mut playback.seats, &mut turns);

    let stills = stills(&record, &mut worker);
    let frames: Vec<_> = stills
        .iter()
        .filter(|still| still.contains(", turn "))
        .collect();
    assert_eq!(frames.len(), turns.0.len());
    for (turn, still) in turns.0.iter().zip(frames) {
        let caption = between(still, "y=\"55\"", "</text>");
        let wanted = turn.fight.map_or("decision".to_owned(), |(to, result)| {
            format!(": {} {result}, ", setup.rules.board.info(to).name)
        });
        assert!(caption.contains(&wanted), "{caption}, not {wanted}");
        let dice = still.split("class=\"die\"").skip(1);
        let dice: Vec<u8> = dice
            .map(|rest| between(rest, ">", "<").parse().unwrap())
            .collect();
        assert_eq!(dice, turn.dice, "{caption}");
        // Each arrow has a rim and a line.
        let arrows = between(still, "id=\"acts\"", "</svg>");
        assert_eq!(
            arrows.matches(" d=").count(),
            2 * turn.ways.len(),
            "{caption}"
        );
    }
    assert!(turns.0.iter().any(|turn| turn.ways.len() > 1));
}
