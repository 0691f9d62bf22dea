//! Games as pages, opened from a file in a real browser.

use std::path::Path;

use risk_engine::Worker;
use risk_engine::record::{self, Playback, Record};
use risk_kernel::NullSink;
use risk_kernel::id::{Territory, Unit};
use risk_kernel::state::GameState;
use risk_report::picture::png::png;
use risk_report::picture::{PREVIEW_WIDTH, colour_of, preview};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::support::{TINY, run_in, setup, words};
use risk_testing::by_case::share;

/// Rulesets, bots and options; few rounds where a game is long.
const GAMES: [(&str, &[&str], &[(&str, &str)]); 6] = [
    (
        "hasbro",
        &["outnumber", "greedy", "random"],
        &[("max_turns", "60")],
    ),
    ("codelab", &["outnumber", "random"], &[("max_turns", "40")]),
    ("simplified", &["outnumber", "random"], &[]),
    (
        "warzone",
        &["outnumber", "random", "random"],
        &[("max_turns", "12")],
    ),
    ("warlight2", &["marshal", "random"], &[("max_turns", "15")]),
    ("starwars", &["starwars-shield", "starwars-attack"], &[]),
];

/// Records a game, and writes its page.
pub(crate) fn page(
    folder: &Path,
    ruleset: &str,
    bots: &[&str],
    options: &[(&str, &str)],
) -> Record {
    let bots: String = bots.iter().map(|bot| format!(" --bot {bot}")).collect();
    let options: String = options
        .iter()
        .map(|(name, value)| format!(" -o {name}={value}"))
        .collect();
    let line = format!(
        "play --quiet --ruleset {ruleset} --seed 12{bots}{options} --record game.jsonl --force"
    );
    let ran = run_in(folder, &words(&line));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = run_in(folder, &words("replay game.jsonl --html game.html --force"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let text = std::fs::read_to_string(folder.join("game.jsonl")).unwrap();
    record::read(&text).unwrap()
}

/// Returns the board as pages show it: owners, and the total armies of all kinds.
fn lands(game: &GameState) -> Value {
    let kinds = game.decl().units.len();
    let land = |at: Territory| {
        let units: i32 = (0..kinds)
            .map(|unit| game.units(at, Unit::from_index(unit)))
            .sum();
        let owner = game.owner(at).map_or(-1, |player| player.index() as i64);
        json!([owner, units])
    };
    game.board().territories().map(land).collect()
}

#[test]
fn every_moment_of_a_page_is_the_games() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    for (ruleset, bots, options) in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let record = page(folder.path(), ruleset, bots, options);
        let url = format!("file://{}/game.html", folder.path().display());
        browser.events.clear();
        browser.call("Page.navigate", &json!({ "url": format!("{url}#d=3") }));
        browser.wait("globalThis.risk?.now?.when[0] === 3");
        let setup = setup(ruleset, None, bots, 12, options);
        let mut worker = Worker::new(&setup).unwrap();
        let answers = record.answers();
        let moments = share(100).min(answers);
        for moment in 0..=moments {
            let answer = answers * moment / moments;
            let mut playback = Playback::new(&record, Some(answer));
            let game = worker
                .play_with(record.header.game, &mut playback.seats, &mut NullSink)
                .game;
            // Players who decide at the same time answer together.
            let answer = game.answers();
            let at = browser.value(&format!(
                "(() => {{ risk.go(risk.timeline.whens.findLastIndex(([answers]) => answers <= {answer})); return risk.now.when; }})()"
            ));
            assert_eq!(
                (&at[0], &at[1], &at[2]),
                (&json!(answer), &json!(game.round()), &json!(game.turn())),
                "{ruleset}"
            );
            assert_eq!(
                browser.value("risk.shownOf(risk.now, -1).lands"),
                lands(&game),
                "{ruleset} {answer}"
            );
            let shown = browser.value(
                "[...document.querySelectorAll('[id^=armies-]')].map((text) => (text.firstChild?.data ?? '0').split(/[+ ]/).reduce((sum, part) => sum + parseInt(part), 0))",
            );
            let armies: Vec<Value> = (lands(&game).as_array().unwrap().iter())
                .map(|land| land[1].clone())
                .collect();
            assert_eq!(shown, json!(armies), "{ruleset} {answer}");
        }
        let end = browser.value("document.getElementById('when').textContent");
        assert!(end.as_str().unwrap().len() > 20, "{end}");
        browser.picture(&format!("replay-{ruleset}.png"));
        for event in &browser.events {
            let method = event["method"].as_str().unwrap_or_default();
            assert!(
                !["Log.entryAdded", "Runtime.exceptionThrown"].contains(&method),
                "{event}"
            );
            if method == "Network.requestWillBeSent" {
                let asked = event["params"]["request"]["url"].as_str().unwrap();
                assert!(
                    asked.starts_with(&url) || asked.starts_with("data:"),
                    "{asked}"
                );
            }
        }
    }
}

/// Chosen colours and patterns apply to the map, the table and the chart, and persist when the page
/// is reopened.
fn colours_are_chosen(browser: &mut Browser) {
    let choose = |browser: &mut Browser, id: &str, what: &str| {
        browser.value(&format!(
            "(() => {{ const box = document.getElementById('{id}'); box.{what}; box.onchange(); }})()"
        ));
    };
    let count = |browser: &mut Browser, which: &str, fill: &str| {
        browser.value(&format!(
            "[...document.querySelectorAll('{which}')].filter((it) => it.getAttribute('fill').includes('{fill}')).length"
        ))
    };
    let lands = "#map [id^=land-]";
    choose(browser, "viewer", "value = '-1'");
    browser.value("risk.go(risk.timeline.last)");
    assert_eq!(count(browser, lands, "pattern"), 0);
    assert!(count(browser, lands, &colour_of(0)).as_u64() > Some(0));
    assert_eq!(count(browser, "#chart polygon", &colour_of(1)), 1);
    choose(browser, "patterns", "checked = true");
    assert!(count(browser, lands, "url(#pattern-0)").as_u64() > Some(0));
    assert_eq!(count(browser, "#chart polygon", "url(#pattern-1)"), 1);
    assert_eq!(count(browser, "#players .swatch rect", "url(#pattern-"), 2);
    let url = browser.value("location.href + '#d=1'");
    browser.call("Page.navigate", &json!({ "url": "about:blank" }));
    browser.call("Page.navigate", &json!({ "url": url }));
    browser.wait("globalThis.risk?.now?.when[0] === 1");
    let patterns = browser.value("document.getElementById('patterns').checked");
    assert_eq!(patterns, true);
    assert!(count(browser, lands, "url(#pattern-").as_u64() > Some(0));
}

#[test]
fn a_page_is_gone_through_by_keys_and_controls() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    page(
        folder.path(),
        "warlight2",
        &["marshal", "random"],
        &[("max_turns", "12")],
    );
    let url = format!("file://{}/game.html", folder.path().display());
    browser.call("Page.navigate", &json!({ "url": url }));
    browser.wait("globalThis.risk?.now?.when[1] === 1");
    let press = |browser: &mut Browser, key: &str, shift: bool| {
        browser.value(&format!(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', shiftKey: {shift}, bubbles: true }}))"
        ));
        browser.value("risk.now.at").as_u64().unwrap()
    };
    let first = browser.value("risk.now.at").as_u64().unwrap();
    assert!(first > 0, "the page begins with the first turn");
    assert_eq!(press(&mut browser, "ArrowRight", false), first + 1);
    assert_eq!(press(&mut browser, "ArrowLeft", false), first);
    let turn = press(&mut browser, "ArrowRight", true);
    assert_ne!(
        browser.value(&format!("risk.timeline.whens[{first}][2]")),
        browser.value(&format!("risk.timeline.whens[{turn}][2]"))
    );
    let last = press(&mut browser, "End", false);
    assert_eq!(json!(last), browser.value("risk.timeline.last"));
    assert_eq!(press(&mut browser, "Home", false), 0);
    // In fog a player sees less than all players together, and none of the cards of others.
    browser.value("risk.go(risk.timeline.last >> 1)");
    let unseen =
        "risk.shownOf(risk.now, risk.viewer).lands.filter(([, armies]) => armies === '?').length";
    assert_eq!(browser.value(unseen), 0);
    browser.value(
        "(() => { const box = document.getElementById('viewer'); box.value = '1'; box.onchange(); })()",
    );
    assert!(browser.value(unseen).as_u64() > Some(0));
    // Nor does it see the chart, or what others have ordered.
    let visible = "document.getElementById('chart').checkVisibility() || document.getElementById('legend').checkVisibility()";
    assert_eq!(browser.value(visible), false);
    let declared = "risk.shownOf(risk.now, 1).declared";
    assert_eq!(
        browser.value(&format!(
            "[{declared}.orders[0], typeof {declared}.orders[1]]"
        )),
        json!([null, "number"])
    );
    let cells =
        "[...document.querySelectorAll('#players tr')].map((row) => row.cells[1].textContent)";
    assert_eq!(browser.value(cells), json!(["?", "?"]));
    assert!(
        !browser
            .value("document.getElementById('lines').textContent")
            .as_str()
            .unwrap()
            .contains('●')
    );
    colours_are_chosen(&mut browser);
    browser.size(390, 844, true);
    browser.wait("document.documentElement.clientWidth === 390");
    assert_eq!(browser.value("document.documentElement.scrollWidth"), 390);
    browser.picture("replay-phone.png");
}

/// A page that was analysed draws the chances, and what one clicks leads to its step.
#[test]
fn what_is_clicked_leads_to_its_step() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    page(
        folder.path(),
        "hasbro",
        &["outnumber", "greedy", "random"],
        &[],
    );
    let line = "replay game.jsonl --html game.html --force --analyse outnumber";
    let ran = run_in(folder.path(), &words(line));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let url = format!("file://{}/game.html", folder.path().display());
    browser.size(1280, 900, false);
    browser.call("Page.navigate", &json!({ "url": url }));
    browser.wait("Boolean(globalThis.risk?.now)");
    // The title and the description name the winner.
    let title = browser.value("document.title");
    let winner = browser.value("risk.timeline.head.players.find(({ end }) => end[0] === 1).name");
    let winner = winner.as_str().unwrap();
    assert!(
        title
            .as_str()
            .unwrap()
            .starts_with(&format!("{winner} wins against ")),
        "{title}"
    );
    let about = "document.querySelector('meta[name=description]').content";
    let about = browser.value(about);
    assert!(
        about.as_str().unwrap().contains(&format!("{winner} wins")),
        "{about}"
    );
    // The chances are shares of each player, at each moment.
    assert_eq!(
        browser.value("document.getElementById('what').value"),
        "chances"
    );
    let sums = "risk.timeline.head.chances.at.every(([, ...all]) => all.length === 3 \
                && all.reduce((a, b) => a + b) <= 100.01)";
    assert_eq!(browser.value(sums), true);
    let at = |browser: &mut Browser| browser.value("risk.now.at").as_u64().unwrap();
    let marks = "document.querySelectorAll('#marks-of-time button')";
    let count = browser.value(&format!("{marks}.length")).as_u64().unwrap();
    assert!(count >= 2, "eliminations at least: {count}");
    browser.value(&format!("{marks}[{marks}.length - 1].click()"));
    let eliminated = at(&mut browser);
    assert!(eliminated > 50, "{eliminated}");
    // A line of the story, the chart, and the history of a territory.
    browser.value("document.querySelector('#lines [data-frame]').click()");
    let line = at(&mut browser);
    assert!(line < eliminated, "{line}");
    browser.value(
        "(() => { const chart = document.getElementById('chart'); \
         const { left, width, top } = chart.getBoundingClientRect(); \
         chart.dispatchEvent(new MouseEvent('click', { clientX: left + width / 2, clientY: top + 9 })); })()",
    );
    let last = browser.value("risk.timeline.last").as_u64().unwrap();
    assert!(at(&mut browser).abs_diff(last / 2) <= 1, "{last}");
    browser.value("risk.go(risk.timeline.last)");
    browser.value("document.getElementById('land-3').dispatchEvent(new MouseEvent('click', { bubbles: true }))");
    let history = "[...document.querySelectorAll('#place-history a')]";
    browser.wait(&format!("{history}.length > 0"));
    let to = browser.value(&format!("{history}.at(-1).hash.slice(3)"));
    browser.value(&format!("{history}.at(-1).click()"));
    browser.wait(&format!("String(risk.now.at) === {to}"));
    // Marks say in the words of the game what was chosen.
    let marks = browser.value("JSON.stringify(risk.timeline.head.chances.marks)");
    assert!(marks.as_str().unwrap().contains(", but "), "{marks}");
    assert!(!marks.as_str().unwrap().contains('`'), "{marks}");
    // The command that plays on from here.
    let command = browser.value("document.getElementById('from').textContent");
    let decision = browser.value("risk.now.when[0] + 1");
    let expected = format!("risk-cli play --bot human --from game.jsonl@{decision}");
    assert_eq!(command, expected);
    browser.picture("replay-analysed.png");
}

/// Letters on the map are never small, whatever the window and the zoom.
#[test]
fn letters_on_the_map_can_be_read() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let sizes = "(() => [...document.querySelectorAll('#map text')].filter((text) => text.checkVisibility() \
                 && text.textContent).map((text) => { const { a } = text.getScreenCTM(); \
                 return a * parseFloat(getComputedStyle(text).fontSize); }))()";
    for (ruleset, bots) in [
        ("hasbro", ["random"; 3].as_slice()),
        ("starwars", &["random"; 2]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        page(folder.path(), ruleset, bots, &[("max_turns", "30")]);
        let url = format!("file://{}/game.html", folder.path().display());
        for (width, height) in [(390, 844), (1280, 800), (1920, 1080)] {
            browser.size(width, height, width < 600);
            browser.call("Page.navigate", &json!({ "url": "about:blank" }));
            browser.call("Page.navigate", &json!({ "url": url }));
            browser.wait("Boolean(globalThis.risk?.now)");
            // Each number is shown, or the page says how many are not.
            let hidden = "(() => { const note = document.querySelector('.unshown'); return [ \
                [...document.querySelectorAll('[id^=mark-].none')].filter((mark) => mark.textContent).length, \
                note.hidden ? 0 : Number(/\\d+/.exec(note.textContent)[0])]; })()";
            let hidden = browser.value(hidden);
            assert_eq!(hidden[0], hidden[1], "{ruleset} {width}");
            assert!(ruleset != "hasbro" || hidden[0] == 0, "{width}: {hidden}");
            let mut seen = 0;
            for zoom in ["risk.map.whole()", "risk.map.zoom(3)", "risk.map.zoom(2)"] {
                browser.value(&format!("{zoom}; true"));
                let found = browser.value(sizes);
                let found: Vec<f64> = serde_json::from_value(found).unwrap();
                let least = found.iter().copied().fold(f64::INFINITY, f64::min);
                assert!(least > 10.9, "{ruleset} {width} {zoom}: {least}");
                assert!(
                    found.len() >= seen,
                    "zoom shows more: {} {seen}",
                    found.len()
                );
                seen = found.len();
            }
        }
    }
}

#[test]
fn a_page_is_small_and_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    page(
        folder.path(),
        "hasbro",
        &["random"; 3],
        &[("max_turns", "400")],
    );
    let size = std::fs::metadata(folder.path().join("game.html"))
        .unwrap()
        .len();
    assert!(size < 1 << 20, "{size}");
    let ran = run_in(folder.path(), &words("replay game.jsonl --html game.html"));
    ran.refuses(2, "cli::exists");
}

/// Returns the content of an element in the head of a page.
fn meta<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&format!("\"{name}\" content=\""))?;
    rest.split('"').next()
}

#[test]
fn a_page_with_an_address_has_a_picture_for_previews() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bots = ["outnumber", "random"];
    let record = page(folder, "codelab", &bots, &[]);
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    for name in ["og:url", "og:image", "twitter:card"] {
        assert_eq!(meta(&read("game.html"), name), None, "{name}");
    }
    assert!(!folder.join("game.png").exists());

    let address = "https://example.org/risk/last.html";
    let args = ["replay", "game.jsonl", "--html", "a game.html", "--url"];
    let ran = run_in(folder, &[&args[..], &[address]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let text = read("a game.html");
    let image = "https://example.org/risk/a%20game.png";
    assert_eq!(meta(&text, "og:url"), Some(address));
    assert_eq!(meta(&text, "og:image"), Some(image));
    assert_eq!(meta(&text, "twitter:card"), Some("summary_large_image"));
    let rest: String = text
        .lines()
        .filter(|line| !line.contains("og:") && !line.contains("twitter:"))
        .collect();
    assert!(!rest.contains("example.org"), "the page loads something");

    let setup = setup("codelab", None, &bots, 12, &[]);
    let mut worker = Worker::new(&setup).unwrap();
    let mut playback = Playback::new(&record, None);
    let number = record.header.game;
    let finished = worker.play_with(number, &mut playback.seats, &mut NullSink);
    let title = meta(&text, "og:title").unwrap();
    let (result, _) = title.split_once(": ").unwrap();
    assert_eq!(result, "outnumber wins against random");
    let line = meta(&text, "og:description").unwrap();
    let names = bots.map(str::to_owned);
    let svg = preview(&finished.game, &names, result, line);
    let found = std::fs::read(folder.join("a game.png")).unwrap();
    assert!(found == png(&svg, Some(PREVIEW_WIDTH)).unwrap());
    assert_eq!(found[16..20], 1_200_u32.to_be_bytes(), "its width");
    assert_eq!(found[20..24], 630_u32.to_be_bytes(), "its height");
    for shown in [result, line, ">random<", &colour_of(0), &colour_of(1)] {
        assert!(svg.contains(shown), "{shown}");
    }
    assert!(svg.contains(&format!(" fill=\"{}\"", colour_of(0))));
}

/// A page, its picture and its record are sent to others, so they name no folder of this machine.
#[test]
fn a_game_by_path_has_names_and_no_folders() {
    let folder = tempfile::tempdir().unwrap();
    let folder = std::fs::canonicalize(folder.path()).unwrap();
    let at = |name: &str| folder.join(name).display().to_string();
    let ruleset = "fn ruleset() { #{ extends: \"codelab\", name: \"club\" } }";
    std::fs::write(folder.join("rules.rhai"), ruleset).unwrap();
    let map = TINY.replacen("name:", "name: Isle #", 1);
    std::fs::write(folder.join("map.yaml"), map).unwrap();
    let bot = "fn answer(view, ask) { ask.random() }";
    std::fs::write(folder.join("mine.rhai"), bot).unwrap();
    let (rules, map, bot, record) = (
        at("rules.rhai"),
        at("map.yaml"),
        at("mine.rhai"),
        at("g.jsonl"),
    );
    let play = [
        "play", "--quiet", "-r", &rules, "-m", &map, "--bot", &bot, "--bot", "random", "--seed",
        "1", "--record", &record,
    ];
    let ran = run_in(&folder, &play);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let html = at("g.html");
    let url = "https://example.org/g.html";
    let ran = run_in(
        &folder,
        &[
            "replay",
            &record,
            "--html",
            &html,
            "--url",
            url,
            "--analyse",
            &bot,
        ],
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let page = std::fs::read_to_string(html).unwrap();
    let title = meta(&page, "og:title").unwrap();
    assert!(title.ends_with(": club on Isle"), "{title}");
    let record = std::fs::read_to_string(record).unwrap();
    assert!(record.contains("\"./rules.rhai\""), "{record}");
    let here = folder.display().to_string();
    for text in [page, record] {
        assert!(!text.contains(&here), "{text}");
    }
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.call(
        "Page.navigate",
        &json!({ "url": format!("file://{here}/g.html") }),
    );
    browser.wait("Boolean(globalThis.risk?.now)");
    let head = browser.value("JSON.stringify(risk.timeline.head)");
    assert!(!head.as_str().unwrap().contains(&here), "{head}");
}

#[test]
fn the_address_of_the_picture_is_beside_that_of_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    page(folder, "codelab", &["outnumber", "random"], &[]);
    let replay = "replay game.jsonl --html p.html --force --url";
    for (url, image) in [
        ("http://localhost:8000", "http://localhost:8000/p.png"),
        ("https://a.org/x/", "https://a.org/x/p.png"),
        ("https://a.org/~x/y+z", "https://a.org/~x/p.png"),
    ] {
        let ran = run_in(folder, &words(&format!("{replay} {url}")));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{url}");
        let text = std::fs::read_to_string(folder.join("p.html")).unwrap();
        assert_eq!(meta(&text, "og:image"), Some(image), "{url}");
    }
    let picture = folder.join("q.png");
    std::fs::write(&picture, "mine").unwrap();
    let replay = "replay game.jsonl --html q.html --url";
    let ran = run_in(folder, &words(&format!("{replay} https://a.org/q.html")));
    ran.refuses(2, "cli::exists");
    assert!(ran.err.contains("q.png already exists"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(&picture).unwrap(), "mine");
    let wrong = [
        "q.html",
        "ftp://a.org/",
        "https://",
        "https:///q",
        "http://:80/",
        "https://a.org/?q",
        "https://a.org/#q",
        "https://a.org/\"><b>",
        "https://a.org/{map}",
        "https://a@b.org/",
    ];
    for url in wrong {
        let args = [&words(replay)[..], &[url]].concat();
        let ran = run_in(folder, &args);
        ran.refuses(2, "cli::url");
        assert!(ran.err.contains(url), "{}", ran.err);
    }
    let same = "replay game.jsonl --html r.png --url https://a.org/r.png";
    run_in(folder, &words(same)).refuses(2, "cli::picture");
    for name in ["q.html", "r.png"] {
        assert!(!folder.join(name).exists(), "{name}");
    }
}
