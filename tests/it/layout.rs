//! What pages show without scrolling, and what nothing covers, in a real browser.

use serde_json::json;

use crate::browser::Browser;
use crate::play_web::WebTable;
use crate::programs::Program;
use crate::viewer::page;
use risk_testing::dialling::DialledBot;

/// Lists what is not whole in the window, what is not beside the map, and the story's end if it
/// can't be seen.
const OUT_OF_SIGHT: &str = "((around, beside) => {
    const box = (where) => document.querySelector(where).getBoundingClientRect();
    const out = (where) => { const { left, top, right, bottom, height } = box(where);
        return height < 20 || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight; };
    const text = document.createRange();
    text.selectNodeContents(document.getElementById('lines'));
    const hidden = text.getBoundingClientRect().bottom > box('#lines').bottom + 1;
    return [...around, ...beside].filter(out).concat(beside.filter((where) => box(where).left < box('.map').right),
        hidden ? ['the end of the story'] : []);
})";

fn open(browser: &mut Browser, url: &str, ready: &str) {
    browser.size(1280, 720, false);
    browser.call("Page.navigate", &json!({ "url": "about:blank" }));
    browser.call("Page.navigate", &json!({ "url": url }));
    browser.wait(ready);
}

fn is_in_sight(browser: &mut Browser, around: &[&str], beside: &[&str], name: &str) {
    for (width, height) in [(1024, 768), (1280, 720), (1920, 1080)] {
        browser.size(width, height, false);
        browser.wait(&format!("innerWidth === {width}"));
        // Boxes of another size are filled in the next picture.
        browser.value("requestAnimationFrame(() => requestAnimationFrame(() => { globalThis.drawn = innerWidth; })), 0");
        browser.wait(&format!("globalThis.drawn === {width}"));
        let found = browser.value(&format!("{OUT_OF_SIGHT}({around:?}, {beside:?})"));
        browser.picture(&format!("layout-{name}-{width}.png"));
        assert_eq!(found, json!([]), "{name} {width}");
    }
    browser.size(390, 844, true);
    browser.wait("innerWidth === 390");
    let below = "document.getElementById('story').getBoundingClientRect().top \
                 > document.getElementById('board').getBoundingClientRect().bottom";
    assert_eq!(browser.value(below), true, "{name} on a telephone");
}

const STEPS: &[&str] = &[".map", "#when", "#caption", ".steps"];
const PANELS: &[&str] = &["#place", "#story"];
const SHOWN: &str = "Boolean(globalThis.risk?.now)";
const PRESSED: &str =
    "document.getElementById('land-3').dispatchEvent(new MouseEvent('click', { bubbles: true }))";

#[test]
fn the_story_stands_beside_the_map_of_games_that_are_stepped_through() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = format!("file://{}/game.html", folder.path().display());
    let bots: [&[&str]; 2] = [
        &["outnumber", "random", "random"],
        &["starwars-shield", "starwars-attack"],
    ];
    for (ruleset, bots) in ["hasbro", "starwars"].into_iter().zip(bots) {
        page(folder.path(), ruleset, bots, &[("max_turns", "30")]);
        open(&mut browser, &file, SHOWN);
        browser.value("risk.go(risk.timeline.last >> 1)");
        browser.value(PRESSED);
        is_in_sight(&mut browser, STEPS, PANELS, ruleset);
    }
    let line = "--protocol json --ruleset hasbro --players 3 --seed 3 --rate 1000 --bot outnumber --bot outnumber -o max_turns=30";
    let arena = Program::arena(folder.path(), line);
    let (mut bot, _) = DialledBot::join(&arena.address, "ann");
    bot.play(60);
    let late = format!("{SHOWN} && risk.now.when[0] > 100");
    open(&mut browser, &format!("http://{}/", arena.address), &late);
    browser.value(PRESSED);
    is_in_sight(&mut browser, STEPS, PANELS, "live");
}

#[test]
fn question_and_story_stand_beside_the_map_of_people() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    for ruleset in ["hasbro", "starwars"] {
        let folder = tempfile::tempdir().unwrap();
        let table = WebTable::start(folder.path(), &format!("-r {ruleset} --bot human --seed 3"));
        let ready = "Boolean(globalThis.risk?.now?.question)";
        open(&mut browser, &table.link(Some(0)), ready);
        for _ in 0..3 {
            browser
                .wait("!risk.busy && risk.now.question && risk.now.question.id !== risk.answered");
            browser.value("document.getElementById('auto').click()");
        }
        browser.wait("!risk.busy && risk.now.question && risk.now.question.id !== risk.answered");
        is_in_sight(
            &mut browser,
            &[".map", "#when", "#point"],
            &["#ask", "#story"],
            ruleset,
        );
        browser.call("Page.navigate", &json!({ "url": "about:blank" }));
    }
}

/// A function that goes through some steps of a game, and counts their arrows, those whose middle
/// or head something covers, and those that run over a number or a die.
const COVERED: &str = "const style = document.createElement('style');
style.textContent = '#map * { pointer-events: visiblePainted !important }' +
    '#map text { pointer-events: bounding-box !important }';
document.head.append(style);
globalThis.covered = (from, to) => {
    const at = (path, share) => path.getPointAtLength(path.getTotalLength() * share).matrixTransform(path.getScreenCTM());
    const isSeen = ({ x, y }) => document.getElementById('acts').contains(document.elementFromPoint(x, y));
    const found = [0, 0, 0];
    for (let step = Math.min(to, risk.timeline.last + 1) - 1; step >= from; step -= 1) {
        risk.go(step);
        const texts = [...document.querySelectorAll('#marks g:not(.none) text, .dice text')].map((text) => text.getBoundingClientRect());
        for (const shaft of document.querySelectorAll('#acts .shaft')) {
            const points = Array.from({ length: 21 }, (_, part) => at(shaft, part / 20));
            found[0] += 1;
            found[1] += Number(!isSeen(points[10]) || !isSeen(points[20]));
            found[2] += Number(texts.some(({ left, top, right, bottom }) => points.some(({ x, y }) =>
                x > left && x < right && y > top && y < bottom)));
        }
    }
    return found;
};
risk.timeline.last";

#[test]
fn nothing_covers_an_arrow_and_an_arrow_covers_no_number() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let bots = ["outnumber", "greedy", "random"];
    page(folder.path(), "hasbro", &bots, &[("max_turns", "20")]);
    let file = format!("file://{}/game.html", folder.path().display());
    open(&mut browser, &file, SHOWN);
    let last = browser.value(COVERED).as_u64().unwrap();
    // One call for all steps may take longer than the browser is waited for.
    let mut found = [0; 3];
    for from in (0..=last).step_by(10) {
        let some = browser.value(&format!("covered({from}, {})", from + 10));
        for (sum, more) in found.iter_mut().zip(some.as_array().unwrap()) {
            *sum += more.as_u64().unwrap();
        }
    }
    assert!(found[0] > 100, "{found:?}");
    assert_eq!(found[1..], [0, 0]);
}
