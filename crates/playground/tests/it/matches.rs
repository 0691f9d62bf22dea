//! Matches between bots, and replies about files without a game.

use risk_engine::bot_spec::BotSpec;
use risk_engine::{Setup, Tally, play_many};
use risk_lab::rating;
use risk_lab::tournament::results::TournamentTally;
use risk_lab::tournament::run::BlockPlayer;
use risk_playground::{Kind, Reply, Request};
use risk_report::json;
use risk_report::rating::RatingReport;
use risk_testing::games::{TINY, setup};
use risk_text::diag::TextFile;
use serde_json::Value;

use crate::page::{Counted, Page, Refusal};

const MATCHES: [(&str, &str, &[&str]); 3] = [
    ("codelab", "grid:4x4", &["general", "random", "holder"]),
    ("hasbro", "four-corners", &["random", "holder", "random"]),
    ("warzone", "four-corners", &["outnumber", "random"]),
];

fn begin(page: &mut Page, ruleset: &str, map: &str, bots: &[&str], first: u64) {
    let bots: String = bots.iter().map(|bot| format!("&bot={bot}")).collect();
    let link = format!(
        "ruleset={ruleset}&map={map}{bots}&seed=5&game={first}&option=max_turns%3D20&seats=rotate"
    );
    let begun = page.ask(Request::Match { link });
    assert_eq!(begun, Ok(Reply::Work { pieces: None }));
}

/// Plays pieces of the work, from the first that is not counted, and counts them.
fn play(page: &mut Page, from: u64, count: u64) -> Result<Counted, Refusal> {
    let results = page.pieces(from, count)?;
    page.count(results)
}

/// Returns the standings of the program after this many games.
fn expected(setup: &Setup, first: u64, games: u64) -> Value {
    let mut tally = Tally::new(setup);
    for result in play_many(setup, first, games, 2, |_| {}).unwrap() {
        tally.add(&result);
    }
    json::standings(setup, &tally.finish())
}

#[test]
fn a_match_in_slices_has_the_standings_of_the_program() {
    let slices: [&[u64]; 4] = [&[12], &[1, 11], &[5, 4, 3], &[1; 12]];
    for (ruleset, map, bots) in MATCHES {
        let of_program = setup(ruleset, Some(map), bots, 5, &[("max_turns", "20")]);
        for (first, slices) in [0, 7].into_iter().zip([&slices[..], &slices[..2]]) {
            let whole = expected(&of_program, first, 12);
            for slices in slices {
                let mut page = Page::default();
                begin(&mut page, ruleset, map, bots, first);
                // Another instance plays every other slice.
                let mut other = Page::default();
                begin(&mut other, ruleset, map, bots, first);
                let pages = [&mut page, &mut other];
                let mut results = Vec::new();
                let mut from = 0;
                for (at, &games) in slices.iter().enumerate() {
                    results.push(pages[at % 2].pieces(from, games).unwrap());
                    from += games;
                }
                let counted = results.into_iter().map(|it| page.count(it).unwrap());
                let Counted {
                    pieces: games,
                    document: standings,
                    text,
                    ..
                } = counted.last().unwrap();
                assert_eq!((games, &standings), (12, &whole), "{ruleset}, {slices:?}");
                assert!(bots.iter().all(|bot| text.contains(bot)), "{text}");
            }
        }
    }
}

/// A match that begins anew forgets the games before. A game and a match do not disturb each other.
#[test]
fn a_match_begins_anew() {
    let [(ruleset, map, bots), other, _] = MATCHES;
    let mut page = Page::default();
    begin(&mut page, ruleset, map, bots, 0);
    let first = play(&mut page, 0, 3).unwrap();
    page.open("ruleset=codelab&map=grid%3A4x4&bot=human&bot=general")
        .unwrap();
    begin(&mut page, other.0, other.1, other.2, 0);
    play(&mut page, 0, 2).unwrap();
    page.pass(1);
    begin(&mut page, ruleset, map, bots, 0);
    assert_eq!(play(&mut page, 0, 3).unwrap(), first);
}

#[test]
fn matches_that_are_not_possible_are_refused() {
    let mut page = Page::default();
    let code = |result: Result<_, Refusal>| result.unwrap_err().0;
    assert_eq!(code(play(&mut page, 0, 1)), "playground::match");
    let [(ruleset, map, bots), ..] = MATCHES;
    begin(&mut page, ruleset, map, bots, 0);
    for games in [0, 1_001, u64::MAX] {
        assert_eq!(
            code(play(&mut page, 0, games)),
            "playground::match",
            "{games}"
        );
    }
    let links = [
        ("ruleset=codelab&bot=human&bot=general", "playground::match"),
        ("ruleset=nosuch", "load::unknown"),
        ("ruleset=codelab&bot=cmd%3Ash", "bot::spec"),
        ("ruleset=codelab&games=3", "playground::link"),
        ("ruleset=codelab&bot=general&seed=-", "playground::link"),
        ("", "playground::link"),
    ];
    for (link, expected) in links {
        let link = link.to_owned();
        let refusal = page.ask(Request::Match { link: link.clone() }).unwrap_err();
        assert_eq!(refusal.0, expected, "{link}");
    }
    // The match before goes on.
    assert_eq!(play(&mut page, 0, 1).unwrap().pieces, 1);
    // Results that are not those of the next piece are refused.
    let wrong = [
        page.pieces(0, 1).unwrap(),
        page.pieces(2, 1).unwrap(),
        vec!["[".repeat(1 << 20)],
        vec!["null".to_owned()],
    ];
    for results in wrong {
        assert_eq!(code(page.count(results)), "playground::match");
    }
    assert_eq!(play(&mut page, 1, 1).unwrap().pieces, 2);
}

#[test]
fn requests_for_a_game_need_one() {
    let mut page = Page::default();
    let look = Request::Look {
        seat: None,
        epoch: 0,
        from: 0,
    };
    let say = Request::Say {
        seat: 0,
        request: Value::Null,
    };
    for request in [look, say, Request::Link { files: true }, Request::Record {}] {
        let refusal = page.ask(request.clone()).unwrap_err();
        assert_eq!(refusal.0, "playground::closed", "{request:?}");
    }
    page.open("ruleset=codelab&map=grid%3A4x4&bot=human&bot=general")
        .unwrap();
    for seat in [1, 2, usize::MAX] {
        let look = Request::Look {
            seat: Some(seat),
            epoch: 0,
            from: 0,
        };
        assert_eq!(page.ask(look).unwrap_err().0, "playground::seat");
        let request = serde_json::json!({ "question": 1, "auto": true });
        let say = Request::Say { seat, request };
        assert_eq!(page.ask(say).unwrap_err().0, "playground::seat");
    }
    // A viewer may claim to know anything.
    for known in [
        (u64::MAX, usize::MAX),
        (1, usize::MAX),
        (u64::MAX, 0),
        (1, 1),
    ] {
        page.look_from(Some(0), known);
    }
    page.open("ruleset=codelab&map=grid%3A4x4&bot=random&bot=general")
        .unwrap();
    assert!(page.is_over() && page.asked().is_empty());
}

/// A comparison and an analysis in two instances give the results of one.
#[test]
fn comparisons_and_analyses_do_not_depend_on_who_plays_what() {
    let link = "ruleset=codelab&map=four-corners&bot=general&bot=holder&seed=5".to_owned();
    let mut page = Page::new(&link);
    let works = [
        Request::Compare { link },
        Request::Analyse {
            record: page.record(),
        },
    ];
    for work in works {
        let result = |pages: &mut [Page], slice: u64| {
            let mut all = 0;
            for page in &mut *pages {
                let begun = page.ask(work.clone()).unwrap();
                let Reply::Work { pieces: Some(of) } = begun else {
                    panic!("{begun:?}");
                };
                all = of;
            }
            for from in (0..all).step_by(slice as usize) {
                let page = (from / slice) as usize % pages.len();
                let results = pages[page].pieces(from, slice).unwrap();
                assert_eq!(results.len() as u64, slice.min(all - from));
                let counted = pages[0].count(results).unwrap();
                if counted.over {
                    return counted;
                }
            }
            panic!("the work does not end");
        };
        let alone = result(&mut [Page::default()], 1);
        let shared = result(&mut [Page::default(), Page::default()], 3);
        assert_eq!(alone, shared);
        assert!(
            alone.pieces > 2 && alone.text.contains("general"),
            "{alone:?}"
        );
    }
}

fn check_ruleset(name: &str, games: u64) -> Request {
    Request::CheckRuleset {
        name: name.to_owned(),
        games: Some(games),
    }
}

fn check_bot(name: &str, ruleset: &str, games: u64) -> Request {
    Request::CheckBot {
        name: name.to_owned(),
        ruleset: ruleset.to_owned(),
        games: Some(games),
    }
}

fn check_map(name: &str) -> Request {
    let name = name.to_owned();
    Request::CheckMap { name }
}

/// Checks, whether what they check is fine, and words of their findings.
#[test]
fn files_are_checked_as_by_the_program() {
    let mut page = Page::default();
    let files = [
        (
            Kind::Ruleset,
            "mine",
            "fn ruleset() { #{ extends: \"codelab\", name: \"mine\" } }",
        ),
        (
            Kind::Ruleset,
            "broken",
            "fn ruleset() { #{ extends: \"codelab\", nme: 1 } }",
        ),
        (Kind::Ruleset, "syntax", "fn ruleset( {"),
        (
            Kind::Bot,
            "last",
            "fn answer(view, ask) { ask.nth(ask.len - 1) }",
        ),
        (Kind::Bot, "slip", "fn answer(view, ask) { ask.nht(0) }"),
        (Kind::Map, "tiny", TINY),
        (
            Kind::Map,
            "split",
            "name: split\nterritories: [{ id: a }, { id: b }]\n",
        ),
        (Kind::Map, "none", "nothing"),
    ];
    for (kind, name, text) in files {
        page.add(kind, name, text).unwrap();
    }
    let cases = [
        (check_ruleset("codelab", 2), true, "games"),
        (check_ruleset("mine", 0), true, ""),
        (check_ruleset("broken", 1), false, "nme"),
        (check_ruleset("syntax", 1), false, "syntax"),
        (check_ruleset("nosuch", 1), false, "nosuch"),
        (check_bot("last", "codelab", 2), true, "games"),
        (check_bot("slip", "codelab", 2), false, "nht"),
        (check_bot("last", "nosuch", 2), false, "nosuch"),
        (check_bot("nosuch", "codelab", 2), false, "nosuch"),
        (check_map("tiny"), true, "tiny: valid"),
        (check_map("world"), true, "world: valid"),
        (check_map("split"), false, "split: invalid"),
        (check_map("none"), false, "is not a map"),
    ];
    for (request, expected, words) in cases {
        let (text, fine) = page.checked(request.clone());
        assert!(
            fine == expected && text.contains(words),
            "{request:?}: {text}"
        );
    }
    let refusal = page.ask(check_map("nosuch")).unwrap_err();
    assert_eq!(refusal.0, "load::unknown");
}

#[test]
fn rules_odds_pictures_and_texts_are_those_of_the_program() {
    let mut page = Page::default();
    let rules = |ruleset: &str| Request::Rules {
        ruleset: ruleset.to_owned(),
    };
    let picture = |map: &str| Request::Picture {
        map: map.to_owned(),
    };
    let text = |kind, name: &str| Request::Text {
        kind,
        name: name.to_owned(),
    };
    let cases = [
        (rules("hasbro"), "conquer every territory"),
        (picture("four-corners"), "</svg>"),
        (picture("grid:3x3"), "</svg>"),
        (text(Kind::Ruleset, "warzone"), "fn ruleset()"),
        (text(Kind::Map, "world"), "territories:"),
        (text(Kind::Bot, "marshal"), "fn "),
    ];
    for (request, words) in cases {
        let found = page.text(request.clone()).to_lowercase();
        assert!(found.contains(words), "{request:?}: {found}");
    }
    let unknown = [
        rules("nosuch"),
        picture("nosuch"),
        text(Kind::Ruleset, "world"),
        text(Kind::Map, "hasbro"),
        text(Kind::Bot, "nosuch"),
    ];
    for request in unknown {
        assert_eq!(
            page.ask(request.clone()).unwrap_err().0,
            "load::unknown",
            "{request:?}"
        );
    }
    assert_eq!(page.ask(picture("grid:0x0")).unwrap_err().0, "map::made");
}

#[test]
fn odds_are_those_of_the_tables_of_the_ruleset() {
    let mut page = Page::default();
    let odds = |page: &mut Page, ruleset: &str, attackers, defenders| {
        let link = format!("ruleset={ruleset}");
        match page.ask(Request::Odds {
            link,
            attackers,
            defenders,
        }) {
            Ok(Reply::Odds { odds }) => Ok(odds),
            Ok(other) => panic!("{other:?}"),
            Err(refusal) => Err(refusal.0),
        }
    };
    // One die against one die: 15 of 36 rolls win, and a tie is the defender's.
    let one = odds(&mut page, "hasbro", 1, 1).unwrap();
    let chance = one["capture"].as_f64().unwrap();
    assert!((chance - 15.0 / 36.0).abs() < 1e-5, "{one}");
    for (attackers, defenders) in [(0, 1), (-1, 1), (1, i32::MIN), (i32::MAX, i32::MAX)] {
        let result = odds(&mut page, "hasbro", attackers, defenders);
        assert_eq!(
            result,
            Err("odds::fault".to_owned()),
            "{attackers}, {defenders}"
        );
    }
    let sure = odds(&mut page, "warzone&option=kill_attacking%3D100", 10, 8).unwrap();
    assert_eq!(sure["capture"].as_f64(), Some(1.0), "{sure}");
    assert_eq!(
        odds(&mut page, "starwars", 3, 2),
        Err("odds::fault".to_owned())
    );
    assert_eq!(
        odds(&mut page, "nosuch", 3, 2),
        Err("load::unknown".to_owned())
    );
}

/// A rating in slices, by two instances, has the numbers of the program after the same blocks.
#[test]
fn a_rating_has_the_numbers_of_the_program() {
    const BLOCKS: u64 = 14;
    let field = risk_cli::newest_field("simplified").unwrap();
    let file = TextFile::new(field, risk_cli::field(field).unwrap());
    let library = risk_cli::library_with_fields();
    let bot = BotSpec::parse(library, "greedy").unwrap();
    let (plan, rated) = rating::plan(library, &file, bot).unwrap();
    let mut tally = TournamentTally::new(&plan);
    let mut player = BlockPlayer::new(&plan).unwrap();
    for block in 0..BLOCKS {
        tally.add(&player.block(block).unwrap());
    }
    let expected = RatingReport::new(field, "greedy", &tally, rated).document();
    let begin = || {
        let mut page = Page::default();
        let (bot, ruleset) = ("greedy".to_owned(), "simplified".to_owned());
        let begun = page.ask(Request::Rate { bot, ruleset });
        let pieces = Some(plan.blocks);
        assert_eq!(begun, Ok(Reply::Work { pieces }));
        page
    };
    let mut pages = [begin(), begin()];
    let results = [0, 7].map(|from| {
        pages[usize::from(from > 0)]
            .pieces(from, BLOCKS / 2)
            .unwrap()
    });
    assert!(pages[1].count(results[1].clone()).is_err(), "out of order");
    let counted = results.map(|it| pages[0].count(it).unwrap());
    assert_eq!(counted[1].document, expected);
    let mut page = Page::default();
    let (bot, ruleset) = ("greedy".to_owned(), "mine".to_owned());
    assert!(page.ask(Request::Rate { bot, ruleset }).is_err());
}
