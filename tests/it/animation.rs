//! Animated pictures of games in a real browser: each moment shows the engine's state.

use std::collections::BTreeSet;
use std::path::Path;

use gif::{ColorOutput, DecodeOptions, Repeat};
use risk_engine::matches::Worker;
use risk_engine::record::{self, Playback, Record};
use risk_kernel::event::{Capture, Event, FightRound};
use risk_kernel::id::Territory;
use risk_kernel::{Moment, NullSink, Sink};
use risk_report::picture::png::{Pixels, pixels};
use risk_report::picture::{NOBODY, colour_of};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::support::{RunOutput, run_in, setup, words};

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

fn made(folder: &Path, game: &str) -> RunOutput {
    let line = format!("play --quiet --seed 11 {game} --record game.jsonl --force");
    let ran = run_in(folder, &words(&line));
    assert_eq!(ran.code, 0, "{}", ran.err);
    run_in(
        folder,
        &words("replay game.jsonl --animation game.svg --force"),
    )
}

fn record(folder: &Path) -> Record {
    record::read(&std::fs::read_to_string(folder.join("game.jsonl")).unwrap()).unwrap()
}

/// Script that stops the picture at a share of its time, and reads the number of decisions and the
/// colour and armies of each territory.
const SEEN: &str = "((share) => {
    for (const moves of document.getAnimations()) {
        moves.pause();
        moves.currentTime = share * moves.effect.getComputedTiming().duration;
    }
    const inside = (window) => {
        const scale = window.parentNode.getScreenCTM();
        const top = scale.f + scale.d * window.y.baseVal.value;
        const bottom = top + scale.d * window.height.baseVal.value;
        const rows = [...window.querySelectorAll('text:not(.n)')].filter((row) => {
            const at = row.getBoundingClientRect();
            const middle = (at.top + at.bottom) / 2;
            return middle > top && middle < bottom;
        });
        return rows.length === 1 ? rows[0] : null;
    };
    const when = inside(document.getElementById('when').parentNode);
    const lands = [...document.querySelectorAll('[id^=land-]')].map((land, index) => {
        const armies = document.getElementById('armies-' + index);
        const colour = getComputedStyle(land).fill.match(/\\d+/g).map(Number);
        const units = inside(armies.parentNode)?.textContent ?? '0';
        return [colour, units.split(/[+ ]/).reduce((sum, part) => sum + parseInt(part), 0)];
    });
    return [Number(when.dataset.decision), lands];
})";

/// The red, green and blue values of a colour.
fn colour(text: &str) -> [u8; 3] {
    let channel = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    [1, 3, 5].map(channel)
}

/// The same values from the engine's state.
fn expected(record: &Record, worker: &mut Worker<'_>, answers: u64) -> Value {
    let mut playback = Playback::new(record, Some(answers));
    let game = worker
        .play_with(record.header.game, &mut playback.seats, &mut NullSink)
        .game;
    let colour = |text: &str| colour(text).to_vec();
    let land = |at| {
        let owner = game.owner(at);
        let shown = owner.map_or(NOBODY.to_owned(), |player| colour_of(player.index()));
        json!([colour(&shown), game.all_units(at)])
    };
    game.board().territories().map(land).collect()
}

#[test]
fn at_any_time_the_picture_is_the_engines_state() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    for (ruleset, bots, options) in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let named: String = bots.iter().map(|bot| format!(" --bot {bot}")).collect();
        let options_given: String = options
            .iter()
            .map(|(name, value)| format!(" -o {name}={value}"))
            .collect();
        let ran = made(
            folder.path(),
            &format!("-r {ruleset}{named}{options_given}"),
        );
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
        let record = record(folder.path());
        let setup = setup(ruleset, None, bots, 11, options);
        let mut worker = Worker::new(&setup).unwrap();
        let url = format!("file://{}/game.svg", folder.path().display());
        browser.events.clear();
        browser.call("Page.navigate", &json!({ "url": url }));
        browser.wait("document.getElementById('when') !== null && document.readyState === 'complete' && document.getAnimations().length > 10");
        let mut seen = Vec::new();
        for share in ["0.003", "0.2", "0.35", "0.5", "0.99"] {
            let shown = browser.value(&format!("{SEEN}({share})"));
            let answers = shown[0].as_u64().unwrap();
            assert_eq!(
                shown[1],
                expected(&record, &mut worker, answers),
                "{ruleset}, decision {answers}"
            );
            seen.push(answers);
            browser.picture(&format!("animation-{ruleset}-{share}.png"));
        }
        assert_eq!((seen[0], seen[4]), (0, record.answers()), "{ruleset}");
        assert!(seen.is_sorted_by(|a, b| a < b), "{ruleset}: {seen:?}");
        for event in &browser.events {
            assert_ne!(event["method"], "Log.entryAdded", "{event}");
        }
    }
}

#[test]
fn long_games_have_fewer_frames_and_stay_small() {
    let folder = tempfile::tempdir().unwrap();
    let idle =
        "fn answer(view, ask) { if ask.has(\"done\") { ask.act(\"done\") } else { ask.nth(0) } }";
    std::fs::write(folder.path().join("idle.rhai"), idle).unwrap();
    let bots = "--bot ./idle.rhai --bot ./idle.rhai";
    // Game arguments, and text in the note about the picture.
    let rows = [
        (
            format!("-r hasbro -m world -o max_turns=100 --bot outnumber --bot random {bots}"),
            "per turn",
        ),
        (
            format!("-r codelab -o max_turns=1200 {bots}"),
            "per 4 turns",
        ),
    ];
    for (game, said) in rows {
        let ran = made(folder.path(), &game);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains(said), "{}", ran.out);
        let text = std::fs::read_to_string(folder.path().join("game.svg")).unwrap();
        assert!(text.len() <= 2_000_000, "{}", text.len());
        let end = format!("data-decision=\"{}\"", record(folder.path()).answers());
        assert!(text.contains(&end), "{game}: the end is missing");
        for word in ["<script", "<animate", "<set", "onload", "url(", "@import"] {
            assert!(!text.contains(word), "{word}");
        }
        assert!(text.contains("prefers-reduced-motion"));
        let linked = text
            .match_indices("href=\"")
            .all(|(at, _)| text[at + 6..].starts_with('#'));
        assert!(linked, "it links to something elsewhere");
    }
}

#[test]
fn what_can_not_be_made_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let ran = made(
        folder.path(),
        "-r codelab -m grid:64x64 -o max_turns=1 --bot outnumber --bot outnumber",
    );
    ran.refuses(2, "replay::animation");
    assert!(ran.err.contains("2000000"), "{}", ran.err);
    assert!(!folder.path().join("game.svg").exists());
    let gif = "replay game.jsonl --animation game.gif";
    let ran = run_in(folder.path(), &words(gif));
    ran.refuses(2, "replay::animation");
    let limit = "at most 1000 territories, found 4096";
    assert!(ran.err.contains(limit), "{}", ran.err);
    let tall = "play -q -r codelab -m grid:4x200 -o max_turns=1 --record tall.jsonl";
    assert_eq!(run_in(folder.path(), &words(tall)).code, 0);
    let ran = run_in(
        folder.path(),
        &words("replay tall.jsonl --animation game.gif"),
    );
    ran.refuses(2, "replay::animation");
    let limit = "at most 2000000 pixels in a frame";
    assert!(ran.err.contains(limit), "{}", ran.err);
    assert!(!folder.path().join("game.gif").exists());
    let ran = run_in(
        folder.path(),
        &words("replay game.jsonl --animation game.png"),
    );
    ran.refuses(2, "cli::picture");
    assert!(ran.err.contains("found game.png"), "{}", ran.err);
    for format in [".svg", ".gif"] {
        assert!(ran.err.contains(format), "{}", ran.err);
    }
    let line = "replay game.jsonl --animation a.svg --html b.html";
    assert_eq!(run_in(folder.path(), &words(line)).code, 2);
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

/// Checks that a frame shows what an SVG shows without motion, apart from the time bar: land in
/// exactly its colour, and the rest in nearly the same colours.
fn shows(frame: &Pixels, svg: &str, about: &str) {
    let drawn = pixels(svg);
    let size = (drawn.width, drawn.height);
    assert_eq!((frame.width, frame.height), size, "{about}");
    let owners = (0..3).map(colour_of).chain([NOBODY.to_owned()]);
    let owners: Vec<[u8; 3]> = owners.map(|owner| colour(&owner)).collect();
    let pairs = frame.rgb.chunks_exact(3).zip(drawn.rgb.chunks_exact(3));
    for (index, (seen, wanted)) in pairs.take(size.0 * (size.1 - 5)).enumerate() {
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
fn a_gif_shows_the_same_as_the_svg_at_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bots = "--bot holder --bot outnumber --bot odds";
    let svg = made(folder, &format!("-r hasbro -m duel -o max_turns=8 {bots}"));
    let gif = "replay game.jsonl --animation game.gif --force";
    let ran = run_in(folder, &words(gif));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let said = |ran: &RunOutput| ran.out.split_once(": ").unwrap().1.to_owned();
    let frames_and_time = |text: String| text.rsplit_once(", ").unwrap().0.to_owned();
    assert_eq!(frames_and_time(said(&ran)), frames_and_time(said(&svg)));

    let file = std::fs::read(folder.join("game.gif")).unwrap();
    let frames = decoded(&file);
    let text = std::fs::read_to_string(folder.join("game.svg")).unwrap();
    let moments = text.split("data-decision=\"").skip(1);
    let moments: Vec<u64> = moments
        .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(frames.len(), moments.len());
    let (last, others) = frames.split_last().unwrap();
    assert!(others.len() > 5 && others.iter().all(|frame| frame.1 == 70));
    assert_eq!(last.1, 400);

    // Without motion, the SVG shows its end. The browser compares it with the engine's state.
    shows(&last.0, &text, "the last frame");
    for index in [0, 1, frames.len() / 2] {
        let moment = moments[index];
        let line = format!("replay game.jsonl --to {moment} --animation to.svg --force");
        assert_eq!(run_in(folder, &words(&line)).code, 0, "{moment}");
        let text = std::fs::read_to_string(folder.join("to.svg")).unwrap();
        shows(&frames[index].0, &text, &format!("decision {moment}"));
    }
    assert_eq!(run_in(folder, &words(gif)).code, 0);
    assert!(file == std::fs::read(folder.join("game.gif")).unwrap());
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
    let folder = tempfile::tempdir().unwrap();
    let bots = ["holder", "outnumber", "odds"];
    let line = "-r hasbro -o max_turns=12 --bot holder --bot outnumber --bot odds";
    assert_eq!(made(folder.path(), line).code, 0);
    let svg = std::fs::read_to_string(folder.path().join("game.svg")).unwrap();
    let record = record(folder.path());
    let setup = setup("hasbro", None, &bots, 11, &[("max_turns", "12")]);
    let mut worker = Worker::new(&setup).unwrap();
    let mut turns = Turns::default();
    let mut playback = Playback::new(&record, None);
    worker.play_with(record.header.game, &mut playback.seats, &mut turns);

    let inside = |id: &str| {
        let part = svg.split_once(&format!("id=\"{id}\"")).unwrap().1;
        part.split_once("</svg>").unwrap().0
    };
    let arrows = inside("acts").split("<g ").skip(1);
    let texts = inside("when").split("</text>");
    let texts: Vec<&str> = texts.map(|text| text.rsplit_once('>').unwrap().1).collect();
    let frames = texts.split_inclusive(|text| text.contains("decision"));
    let frames = frames
        .zip(arrows)
        .filter(|(texts, _)| texts.concat().contains(", turn "));
    let frames: Vec<_> = frames.collect();
    // The last frame has the ending.
    assert_eq!(frames.len(), turns.0.len() - 1);
    for (turn, (texts, arrows)) in turns.0.iter().zip(frames) {
        let (caption, dice) = texts.split_last().unwrap();
        let wanted = turn.fight.map_or("decision".to_owned(), |(to, result)| {
            format!(": {} {result}, ", setup.board.info(to).name)
        });
        assert!(caption.contains(&wanted), "{caption}, not {wanted}");
        let dice: Vec<u8> = dice.iter().map(|value| value.parse().unwrap()).collect();
        assert_eq!(dice, turn.dice, "{caption}");
        // Each arrow has a rim and a line.
        assert_eq!(
            arrows.matches(" d=").count(),
            2 * turn.ways.len(),
            "{caption}"
        );
    }
    assert!(turns.0.iter().any(|turn| turn.ways.len() > 1));
}
