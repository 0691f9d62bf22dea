//! Animated pictures of games in a real browser: each moment shows the engine's state.

use std::path::Path;

use risk_engine::matches::Worker;
use risk_engine::record::{self, Playback, Record};
use risk_kernel::NullSink;
use risk_report::picture::colour_of;
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
        &words("replay game.jsonl --svg-animation game.svg --force"),
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
        const rows = [...window.querySelectorAll('text')].filter((row) => {
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
        return [colour, Number(inside(armies.parentNode).textContent)];
    });
    return [Number(when.dataset.decision), lands];
})";

/// The same values from the engine's state.
fn expected(record: &Record, worker: &mut Worker<'_>, answers: u64) -> Value {
    let mut playback = Playback::new(record, Some(answers));
    let game = worker
        .play_with(record.header.game, &mut playback.seats, &mut NullSink)
        .game;
    let colour = |text: &str| -> Vec<u8> {
        let channel = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
        [1, 3, 5].map(channel).to_vec()
    };
    let land = |at| {
        let owner = game.owner(at);
        let shown = owner.map_or(risk_report::picture::NOBODY.to_owned(), |player| {
            colour_of(player.index())
        });
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
    let ran = run_in(
        folder.path(),
        &words("replay game.jsonl --svg-animation game.png"),
    );
    ran.refuses(2, "cli::picture");
    assert!(ran.err.contains("game.png"), "{}", ran.err);
    let line = "replay game.jsonl --svg-animation a.svg --html b.html";
    assert_eq!(run_in(folder.path(), &words(line)).code, 2);
}
