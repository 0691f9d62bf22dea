//! Bots and rulesets of links that would take all time or memory: their faults are recorded, or the
//! request fails, and the page goes on.

use risk_playground::{Kind, Request};
use risk_testing::scripts::fighting_ruleset;
use serde_json::json;

use crate::page::{Page, own, packed};

/// Bots that never answer, and words of their faults.
const BOTS: [(&str, &str); 10] = [
    ("fn answer(view, ask) { loop { } }", "exceeds its budget"),
    (
        "fn answer(view, ask) { answer(view, ask) }",
        "too many nested function calls",
    ),
    (
        "fn answer(view, ask) { let s = \"x\"; loop { s += s; } }",
        "a string exceeds",
    ),
    (
        "fn answer(view, ask) { let a = []; loop { a.push(a.len()); } }",
        "an array exceeds",
    ),
    (
        "fn answer(view, ask) { let a = []; a.pad(999999999, 0); 1 }",
        "exceeds its maximum size",
    ),
    (
        "fn answer(view, ask) { let a = [1]; loop { a = [a, a]; } }",
        "an array exceeds",
    ),
    ("fn answer(view, ask) { throw \"\\x1b[2J\" }", "[2J"),
    (
        "fn answer(view, ask) { ask.nth(9223372036854775807) }",
        "no option",
    ),
    (
        "fn answer(view, ask) { let s = \"\"; s.pad(4000, 'x'); loop { debug(s); } }",
        "exceeds",
    ),
    (
        "fn answer(view, ask) { let g = view.imagine(); loop { g.play_out(\"random\", 9); } }",
        "exceeds",
    ),
];

/// Bots and rulesets that are refused before the game, and the code of the refusal.
const REFUSED: [(Kind, &str, &str); 25] = [
    (Kind::Bot, "fn answer(view, ask) { ", "script::syntax"),
    (
        Kind::Bot,
        "fn answer(view, ask) { eval(\"1\") }",
        "script::syntax",
    ),
    (
        Kind::Bot,
        "fn answer(view, ask) { loop { print(\"x\"); } }",
        "script::syntax",
    ),
    (
        Kind::Bot,
        "fn answer(view, ask) { open_file(\"/etc/passwd\") }",
        "script::unknown-function",
    ),
    (
        Kind::Bot,
        "import \"/etc/passwd\" as p; fn answer(view, ask) { p::x() }",
        "script::import",
    ),
    (
        Kind::Bot,
        "import \"../own\" as p; fn answer(view, ask) { p::x() }",
        "script::import",
    ),
    (
        Kind::Bot,
        "import \"own\" as p; fn answer(view, ask) { p::x() }",
        "script::import",
    ),
    (
        Kind::Bot,
        "import \"nosuch\" as p; fn answer(view, ask) { p::x() }",
        "script::import",
    ),
    (
        Kind::Bot,
        "const X = [].pad(999999999, 0); fn answer(view, ask) { ask.nth(0) }",
        "script::failed",
    ),
    (
        Kind::Bot,
        "fn other(view, ask) { ask.nth(0) }",
        "bot::no-answer",
    ),
    (Kind::Bot, "", "bot::no-answer"),
    (Kind::Ruleset, "", "ruleset::none"),
    (Kind::Ruleset, "fn ruleset( {", "script::syntax"),
    (Kind::Ruleset, "fn ruleset() { 7 }", "ruleset::value"),
    (Kind::Ruleset, "fn ruleset() { loop { } }", "script::budget"),
    (
        Kind::Ruleset,
        "fn ruleset() { ruleset() }",
        "script::failed",
    ),
    (
        Kind::Ruleset,
        "fn ruleset() { let s = \"x\"; loop { s += s; } }",
        "script::failed",
    ),
    (
        Kind::Ruleset,
        "fn ruleset() { let a = []; a.pad(999999999, 0); a }",
        "script::failed",
    ),
    (
        Kind::Ruleset,
        "fn ruleset() { #{ extends: \"own\" } }",
        "ruleset::extends",
    ),
    (
        Kind::Ruleset,
        "fn ruleset() { #{ extends: \"../own.rhai\" } }",
        "ruleset::extends",
    ),
    (
        Kind::Ruleset,
        "fn ruleset() { #{ extends: \"codelab\", bots: [\"cmd:sh\"] } }",
        "ruleset::bots",
    ),
    (
        Kind::Ruleset,
        "fn ruleset() { #{ extends: \"codelab\" } }\nfn setup(g) { loop { } }",
        "script::budget",
    ),
    (
        Kind::Ruleset,
        "fn ruleset() { #{ extends: \"codelab\" } }\nfn setup(g) { setup(g) }",
        "script::failed",
    ),
    (
        Kind::Ruleset,
        "fn ruleset() { #{ extends: \"codelab\" } }
fn setup(g) { let s = \"x\"; loop { s += s; } }",
        "script::failed",
    ),
    (
        Kind::Ruleset,
        "fn ruleset() { #{ extends: \"codelab\" } }\nfn setup(g) { g.add_armies(99, 1); }",
        "script::failed",
    ),
];

/// Returns a link with an own bot or ruleset that is called `own`.
fn link(kind: Kind, text: &str) -> String {
    let files = serde_json::to_vec(&[own(kind, "own", text)]).unwrap();
    let game = match kind {
        Kind::Bot => "ruleset=codelab&bot=own",
        _ => "ruleset=own&bot=random",
    };
    let files = packed(&files);
    format!("{game}&map=grid%3A3x3&bot=human&seed=3&option=max_turns%3D9&files={files}")
}

/// Reports whether another game can be played.
fn goes_on(page: &mut Page) -> bool {
    page.open("ruleset=codelab&map=grid%3A3x3&bot=human&bot=random&seed=3")
        .unwrap();
    let before = page.record();
    page.pass(1);
    page.record() != before
}

#[test]
fn bots_that_never_answer_are_at_fault() {
    let mut page = Page::default();
    for (text, words) in BOTS {
        page.open(&link(Kind::Bot, text)).unwrap();
        page.pass(4);
        let record = page.record();
        let fault = record.lines().find(|it| it.contains("\"line\":\"fault\""));
        assert!(
            fault.is_some_and(|it| it.contains(words)),
            "{text}: {fault:?}"
        );
        let (mut other, differences) = Page::of(&page.link());
        assert!(differences.is_empty(), "{text}: {differences:?}");
        assert_eq!(other.record(), record, "{text}");
        assert!(!record.contains('\u{1b}'));
        assert!(goes_on(&mut page), "{text}");
    }
}

#[test]
fn scripts_that_are_not_valid_are_refused() {
    let mut page = Page::default();
    let nested = format!("fn answer(view, ask) {{ {}", "(".repeat(100_000));
    for (kind, text, code) in REFUSED
        .into_iter()
        .chain([(Kind::Bot, &*nested, "script::syntax")])
    {
        let refusal = page.open(&link(kind, text)).map(|_| text).unwrap_err();
        assert_eq!(refusal.0, code, "{text}: {}", refusal.1);
    }
    assert!(goes_on(&mut page));
}

/// A ruleset that fails at an answer leaves the game as it was before.
#[test]
fn rulesets_that_fail_in_a_game_refuse_the_answer() {
    let fights = [
        ("fn fight(g, me, said) { loop { } }", "script::budget"),
        (
            "fn fight(g, me, said) { fight(g, me, said); }",
            "script::failed",
        ),
        (
            "fn fight(g, me, said) { let s = \"x\"; loop { s += s; } }",
            "script::failed",
        ),
    ];
    let mut page = Page::default();
    for (fight, code) in fights {
        let ruleset = fighting_ruleset("script()", fight);
        let files = packed(&serde_json::to_vec(&[own(Kind::Ruleset, "own", &ruleset)]).unwrap());
        let link = format!("ruleset=own&map=grid%3A3x3&bot=human&bot=holder&seed=3&files={files}");
        page.open(&link).unwrap();
        while page.look(Some(0))["question"]["phase"] != "attack" {
            page.choose(0);
        }
        let attack = json!({ "do": page.first_option(0) });
        let before = page.link();
        for _ in 0..2 {
            let refusal = page.say(0, &attack).unwrap_err();
            assert_eq!(refusal.0, code, "{fight}: {}", refusal.1);
        }
        // The answer is not part of the game, which goes on without it, here and elsewhere.
        assert_eq!(page.link(), before);
        let mut other = Page::of(&before).0;
        for page in [&mut page, &mut other] {
            page.said(0, &json!({ "say": "done" }));
        }
        assert_eq!(other.record(), page.record());
        assert!(goes_on(&mut page), "{fight}");
    }
}

#[test]
fn checks_and_matches_of_hostile_files_end() {
    let mut page = Page::default();
    for (text, _) in BOTS {
        page.add(Kind::Bot, "own", text).unwrap();
        let (found, fine) = page.checked(Request::CheckBot {
            name: "own".to_owned(),
            ruleset: "codelab".to_owned(),
            games: Some(1),
        });
        assert!(!fine && found.contains("script::"), "{text}: {found}");
    }
    let ruleset = "fn ruleset() { #{ extends: \"codelab\" } }\nfn setup(g) { loop { } }";
    page.add(Kind::Ruleset, "own", ruleset).unwrap();
    let (found, fine) = page.checked(Request::CheckRuleset {
        name: "own".to_owned(),
        games: Some(1),
    });
    assert!(!fine && found.contains("script::budget"), "{found}");
    let begin = |page: &mut Page, link: &str| {
        let link = link.to_owned();
        page.ask(Request::Match { link }).unwrap();
        let results = page.pieces(0, 2)?;
        page.count(results)
    };
    let refusal = begin(
        &mut page,
        "ruleset=own&map=grid%3A3x3&bot=random&bot=random",
    );
    assert_eq!(refusal.unwrap_err().0, "script::budget");
    let played = begin(
        &mut page,
        "ruleset=codelab&map=grid%3A3x3&bot=own&bot=random",
    );
    let standings = played.unwrap().document;
    let faults = standings["bots"][0]["faults"].as_u64().unwrap();
    assert!(faults >= 2, "{standings}");
}
