//! The pages of people, in a real browser: by clicks and by keys.

use crate::support::library;
use serde_json::{Value, json};

use crate::axe::{axe, finds_nothing};
use crate::browser::Browser;
use crate::play_web::WebTable;
use crate::support::{TINY, run_in, words};
use risk_maps::files::FileKind;
use risk_testing::by_case::{each, runs_every_case};

fn open(browser: &mut Browser, table: &WebTable, person: Option<usize>) {
    // A navigation that changes only the part after `#` would keep the old page.
    browser.call("Page.navigate", &json!({ "url": "about:blank" }));
    browser.call("Page.navigate", &json!({ "url": table.link(person) }));
    browser.wait("Boolean(globalThis.risk?.now)");
}

fn click(browser: &mut Browser, place: &Value) {
    for kind in ["mousePressed", "mouseReleased"] {
        let mouse = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
        browser.call("Input.dispatchMouseEvent", &mouse);
    }
}

fn press(browser: &mut Browser, key: &str) {
    let code = match key {
        "Enter" => 13,
        "Tab" => 9,
        "s" => 83,
        _ => 40,
    };
    let down = if key == "Enter" {
        json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code, "text": "\r" })
    } else {
        json!({ "type": "rawKeyDown", "key": key, "windowsVirtualKeyCode": code })
    };
    browser.call("Input.dispatchKeyEvent", &down);
    let up = json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code });
    browser.call("Input.dispatchKeyEvent", &up);
}

/// Waits for a question or the end of the game. Returns whether there is a question.
fn is_asked(browser: &mut Browser) -> bool {
    let open = "Boolean(risk.now.question) && risk.now.question.id !== risk.answered";
    browser.wait(&format!("!risk.busy && ({open} || Boolean(risk.now.end))"));
    browser.value(open) == true
}

/// Finds the next element to click, by a number: a highlighted territory, a control for a number,
/// or a button; `null` without any.
const NEXT: &str = "((number) => {
    const all = (where) => [...document.querySelectorAll(where)];
    const found = [all('svg .can'), all('.choices button'), all('#end'), all('#take'), all('#verbs button')]
        .find((some) => some.length);
    if (!found) return null;
    const one = found[number % found.length];
    one.scrollIntoView({ block: 'center', inline: 'center' });
    let { x, y, width, height } = one.getBoundingClientRect();
    // Small territories are pressed at their places, which the map finds. Not all of them have a number.
    if (one.id.startsWith('land-')) {
        const at = document.getElementById(`mark-${one.id.slice(5)}`).dataset;
        const seen = document.getElementById('map').getScreenCTM();
        ({ x, y } = new DOMPoint(Number(at.x), Number(at.y)).matrixTransform(seen));
        [width, height] = [0, 0];
    }
    const place = [x + width / 2, y + height / 2];
    const around = one.id.startsWith('land-') ? document.getElementById('map') : one;
    return [...place, around.contains(document.elementFromPoint(...place))];
})";

/// Answers by clicks alone, and sometimes leaves the rest of the phase to a bot.
fn play_by_clicks(browser: &mut Browser, most: usize) {
    for number in 0..most {
        if !is_asked(browser) {
            return;
        }
        let place = browser.value(&format!("{NEXT}({})", number * 7 / 2));
        assert_eq!(
            place[2], true,
            "nothing lies over what can be clicked: {place}"
        );
        click(browser, &place);
        if number % 6 == 5 && is_asked(browser) {
            browser.value("document.getElementById('auto').disabled || document.getElementById('auto').click()");
        }
    }
}

/// Answers by keys alone: after each answer the focus is on the choice.
fn play_by_keys(browser: &mut Browser, most: usize) {
    for number in 0..most {
        if !is_asked(browser) {
            return;
        }
        let at = "document.activeElement.matches('#step button, #step input, #verbs button')";
        let mut tabs = 0;
        while browser.value(at) != true {
            press(browser, "Tab");
            tabs += 1;
            assert!(tabs < 400, "the choice can't be reached");
        }
        if browser.value("document.activeElement.matches('.choices button')") == true {
            for _ in 0..number % 3 {
                press(browser, "ArrowDown");
            }
        }
        press(browser, "Enter");
        if number % 6 == 5 && is_asked(browser) {
            browser.value("document.getElementById('auto').disabled || document.getElementById('auto').focus()");
            press(browser, "Enter");
        }
    }
}

/// Checks that the browser has no errors, and that it sent no request to another machine.
fn nothing_went_wrong(browser: &Browser, table: &WebTable) {
    let own = format!("http://{}/", table.program.address);
    for event in &browser.events {
        let method = event["method"].as_str().unwrap_or_default();
        // The browser logs refused answers as well.
        let is_refusal = event["params"]["entry"]["source"] == "network";
        assert!(
            method != "Runtime.exceptionThrown" && (method != "Log.entryAdded" || is_refusal),
            "{event}"
        );
        if method == "Network.requestWillBeSent" {
            let url = event["params"]["request"]["url"].as_str().unwrap();
            let known = [own.as_str(), "data:", "about:", "blob:"];
            assert!(known.iter().any(|it| url.starts_with(it)), "{url}");
        }
    }
}

fn short(ruleset: &str) -> &'static str {
    match ruleset {
        "hasbro" | "fog" | "codelab" | "capital" | "syncs2024" | "teams" => "-o max_turns=12",
        "warlight2" => "-m four-corners -o max_turns=8",
        "warzone" | "warlight1" => "-o max_turns=8",
        _ => "",
    }
}

fn whole_games(way: &str, play: impl Fn(&mut Browser)) {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.size(1400, 900, false);
    let all = library().names(FileKind::Ruleset);
    let cases = if runs_every_case() {
        all
    } else {
        vec!["warlight2"]
    };
    each(cases, |ruleset| {
        let folder = tempfile::tempdir().unwrap();
        let line = format!(
            "-r {ruleset} --bot human --seed 3 --record g.jsonl {}",
            short(ruleset)
        );
        let table = WebTable::start(folder.path(), &line);
        // The page of the previous game would keep polling.
        browser.call("Page.navigate", &json!({ "url": "about:blank" }));
        browser.events.clear();
        open(&mut browser, &table, Some(0));
        play(&mut browser);
        while is_asked(&mut browser) {
            browser.value("document.getElementById('auto').click()");
            if browser.value("document.getElementById('auto').disabled") == true {
                play(&mut browser);
            }
        }
        let text = browser.value("document.getElementById('result').textContent");
        assert!(text.as_str().unwrap().len() > 5, "{ruleset}: {text}");
        browser.picture(&format!("people-{ruleset}-{way}.png"));
        nothing_went_wrong(&browser, &table);
        let verified = run_in(folder.path(), &words("replay --verify g.jsonl"));
        assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    });
}

#[test]
fn whole_games_are_played_by_clicks() {
    let most = if runs_every_case() { 400 } else { 30 };
    whole_games("clicks", |browser| play_by_clicks(browser, most));
}

#[test]
fn whole_games_are_played_by_keys() {
    let most = if runs_every_case() { 400 } else { 30 };
    whole_games("keys", |browser| play_by_keys(browser, most));
}

#[test]
fn a_page_is_loaded_again_and_two_people_and_an_onlooker_see_their_own() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.yaml"), TINY).unwrap();
    let line = "-r codelab -m tiny.yaml --bot name=<b>ann</b>,bot=human --bot name=bob,bot=human \
                --seed 2 --record g.jsonl";
    let table = WebTable::start(folder.path(), line);
    open(&mut browser, &table, Some(0));
    assert!(is_asked(&mut browser));
    let rows = "[...document.querySelectorAll('#players tr th')].map((it) => it.textContent)";
    assert_eq!(
        browser.value(rows),
        json!(["<b>ann</b> (you)", "bob"]),
        "names are text"
    );
    let board = "[...document.querySelectorAll('[id^=armies-]')].map((it) => it.textContent)";
    let (before, question) = (browser.value(board), browser.value("risk.now.question"));
    open(&mut browser, &table, Some(0));
    assert!(is_asked(&mut browser));
    assert_eq!(
        (browser.value(board), browser.value("risk.now.question")),
        (before, question)
    );
    for (person, when) in [
        (Some(1), "waiting for <b>ann</b>"),
        (None, "waiting for <b>ann</b>"),
    ] {
        open(&mut browser, &table, person);
        browser.wait(&format!(
            "document.getElementById('when').textContent.endsWith('{when}')"
        ));
        assert_eq!(
            browser.value("document.querySelectorAll('svg .can').length"),
            0
        );
    }
    open(&mut browser, &table, Some(0));
    keys_work_in_the_field_of_a_number(&mut browser);
    play_by_clicks(&mut browser, 2);
    it_fits_a_telephone(&mut browser);
    nothing_went_wrong(&browser, &table);
}

/// What bots do after a person's answer is shown step by step, until the person skips it.
#[test]
fn what_others_did_is_shown_step_by_step() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let line = "-r codelab --bot human --bot outnumber --bot odds --seed 4 --record g.jsonl";
    let table = WebTable::start(folder.path(), line);
    browser.size(1280, 720, false);
    open(&mut browser, &table, Some(0));
    // The page notes each step that it shows: who acted, and whether an arrow was drawn.
    browser.value(
        "(() => { globalThis.steps = []; const caption = document.getElementById('caption'); \
         new MutationObserver(() => steps.push([caption.textContent, document.querySelectorAll('#map .arrow').length > 0])) \
             .observe(caption, { childList: true }); return true; })()",
    );
    loop {
        assert!(is_asked(&mut browser));
        let round = "document.getElementById('when').textContent.slice(0, 7)";
        if browser.value(round) == "Round 2" {
            break;
        }
        browser.value("document.getElementById('auto').click()");
    }
    let others = "steps.filter(([text]) => /^(outnumber|odds): attacks /.test(text))";
    browser.wait(&format!("{others}.length >= 3"));
    assert_eq!(
        browser.value(&format!(
            "{others}.at(-1)[0] === document.getElementById('caption').textContent \
             && document.querySelectorAll('#map .arrow').length > 0"
        )),
        true
    );
    assert_eq!(
        browser.value("document.getElementById('skip').hidden"),
        false
    );
    press(&mut browser, "s");
    browser.wait("document.getElementById('skip').hidden");
    // The last step is that of the question.
    let armies =
        "[...document.querySelectorAll('[id^=armies-]')].map((it) => Number(it.textContent))";
    let shown = browser.value(armies);
    open(&mut browser, &table, Some(0));
    assert_eq!(browser.value(armies), shown);
    nothing_went_wrong(&browser, &table);
}

#[test]
fn axe_finds_nothing_serious() {
    let Some(axe) = axe() else {
        return;
    };
    let mut browser = Browser::start().unwrap();
    each(library().names(FileKind::Ruleset), |ruleset| {
        let folder = tempfile::tempdir().unwrap();
        let line = format!(
            "-r {ruleset} --bot human --seed 3 --record g.jsonl {}",
            short(ruleset)
        );
        let table = WebTable::start(folder.path(), &line);
        for (width, theme) in [(1400, "light"), (360, "light"), (1400, "dark")] {
            browser.size(width, 900, width < 500);
            open(&mut browser, &table, Some(0));
            browser.value(&format!(
                "(document.getElementById('theme').value = '{theme}', document.getElementById('theme').onchange(), true)"
            ));
            play_by_clicks(&mut browser, 12);
            finds_nothing(&mut browser, &axe, &format!("{ruleset} {width} {theme}"));
        }
    });
}

/// The keys of the page work in the field of a number, which no other letter empties.
fn keys_work_in_the_field_of_a_number(browser: &mut Browser) {
    browser.value("document.querySelector('.choices button').click()");
    browser.wait("document.activeElement.id === 'number'");
    let passes = |browser: &mut Browser, key: &str| {
        browser.value(&format!(
            "document.getElementById('number').dispatchEvent(new KeyboardEvent('keydown', \
             {{ key: '{key}', bubbles: true, cancelable: true }}))"
        ))
    };
    for (key, is_typed) in [
        ("h", false),
        ("x", false),
        ("e", false),
        ("?", false),
        ("3", true),
    ] {
        assert_eq!(passes(browser, key), is_typed, "{key}");
    }
    browser.wait("document.getElementById('reply').textContent.length > 3");
    assert_eq!(
        browser.value("document.getElementById('settings').open"),
        true
    );
    assert_eq!(passes(browser, "/"), false);
    assert_eq!(browser.value("document.activeElement.id"), "words");
    // Giving up takes two presses.
    browser.value("document.getElementById('resign').click()");
    let reply = browser.value("document.getElementById('reply').textContent");
    assert!(reply.as_str().unwrap().contains("ranked last"), "{reply}");
    assert_eq!(browser.value("risk.now.end"), Value::Null);
}

fn it_fits_a_telephone(browser: &mut Browser) {
    browser.size(360, 740, true);
    browser.wait("document.documentElement.clientWidth === 360");
    assert_eq!(browser.value("document.documentElement.scrollWidth"), 360);
    browser.picture("people-phone.png");
    browser.value("(() => { document.getElementById('theme').value = 'dark'; document.getElementById('theme').onchange(); document.getElementById('palette').value = 'grey'; document.getElementById('palette').onchange(); return true; })()");
    let fills = "[...document.querySelectorAll('[id^=land-]')].every((it) => it.getAttribute('fill').includes('pattern') || it.getAttribute('fill') === document.body.dataset.nobody)";
    assert_eq!(browser.value(fills), true);
    browser.picture("people-phone-dark.png");
}
