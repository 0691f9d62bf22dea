//! Accessibility of pages, as axe-core judges it. `.ci/nightly` fetches axe-core, and names its
//! file in `RISK_AXE`.

use serde_json::json;

use crate::browser::Browser;
use crate::programs::Program;
use crate::support::{run_in, words};
use risk_testing::dialling::DialledBot;

/// Script that lists axe-core's findings, except minor ones, in a few words each.
const FINDINGS: &str = "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    { globalThis.findings = violations.filter(({ impact }) => impact !== 'minor')
        .map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 120))}`); }), true";

/// Returns the text of axe-core, if `RISK_AXE` names its file.
pub(crate) fn axe() -> Option<String> {
    let file = std::env::var("RISK_AXE").ok()?;
    Some(std::fs::read_to_string(file).unwrap())
}

pub(crate) fn finds_nothing(browser: &mut Browser, axe: &str, what: &str) {
    browser.value(&format!("{axe}; globalThis.findings = null; true"));
    browser.value(FINDINGS);
    browser.wait("globalThis.findings !== null");
    assert_eq!(browser.value("findings"), json!([]), "{what}");
}

/// Checks a page wide and narrow, light and dark.
pub(crate) fn is_fine(browser: &mut Browser, axe: &str, url: &str, ready: &str, name: &str) {
    for (width, theme) in [
        (1400, "light"),
        (360, "light"),
        (1400, "dark"),
        (360, "dark"),
    ] {
        let scheme = json!([{ "name": "prefers-color-scheme", "value": theme }]);
        browser.call("Emulation.setEmulatedMedia", &json!({ "features": scheme }));
        browser.size(width, 900, width < 500);
        browser.call("Page.navigate", &json!({ "url": "about:blank" }));
        browser.call("Page.navigate", &json!({ "url": url }));
        browser.wait(ready);
        finds_nothing(browser, axe, &format!("{name} {width} {theme}"));
        assert_eq!(
            browser.value(&format!("document.documentElement.scrollWidth <= {width}")),
            true,
            "{name} {width}"
        );
        browser.picture(&format!("{name}-{width}-{theme}.png"));
    }
}

#[test]
fn axe_finds_nothing_serious_on_replays_reports_and_pages_to_watch() {
    let Some(axe) = axe() else {
        return;
    };
    let mut browser = Browser::start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| format!("file://{}/{name}", folder.path().display());
    for line in [
        "play --quiet -r warlight2 --bot marshal --bot random --seed 2 -o max_turns=12 --record g.jsonl",
        "replay g.jsonl --html replay.html",
        "tournament new cup -r codelab --option max_turns=60 --bot greedy --bot outnumber --bot holder --bot name=a-bot-with-a-rather-long-name,bot=random --seats 3 --blocks 12",
    ] {
        let ran = run_in(folder.path(), &words(line));
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    let plan = folder.path().join("cup/tournament.yaml");
    let text = std::fs::read_to_string(&plan).unwrap();
    std::fs::write(&plan, format!("{text}\nrecords: true\n")).unwrap();
    for line in [
        "tournament run cup -q",
        "tournament report cup --html cup.html --replays 4",
        "compare outnumber random -r codelab -o max_turns=60 -s 7 --html compare.html",
    ] {
        let ran = run_in(folder.path(), &words(line));
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    let shown = "Boolean(globalThis.risk?.now)";
    is_fine(
        &mut browser,
        &axe,
        &file("replay.html#d=40"),
        shown,
        "replay",
    );
    is_fine(
        &mut browser,
        &axe,
        &file("cup.html"),
        "document.querySelectorAll('table a').length > 20",
        "tournament",
    );
    is_fine(
        &mut browser,
        &axe,
        &file("compare.html"),
        "document.querySelectorAll('svg').length === 3",
        "compare",
    );
    let line = "--protocol json --ruleset hasbro --players 3 --seed 3 --rate 1000 --bot outnumber --bot outnumber -o max_turns=30";
    let arena = Program::arena(folder.path(), line);
    let page = format!("http://{}/", arena.address);
    is_fine(
        &mut browser,
        &axe,
        &page,
        "document.getElementById('open')?.textContent.includes('waits')",
        "arena",
    );
    let (mut bot, _) = DialledBot::join(&arena.address, "ann");
    bot.play(60);
    let follows = format!("{shown} && risk.following && risk.now.when[0] > 100");
    is_fine(&mut browser, &axe, &page, &follows, "live");
    browser.call("Page.navigate", &json!({ "url": "about:blank" }));
}
