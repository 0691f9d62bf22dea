//! What people type: names of several words, words in another order, sets of cards, slips, and the
//! reasons in replies.

use risk_engine::MatchSpec;
use risk_testing::games::{TINY, library};

use crate::table::{Screen, at_screen};

/// Ann, in the first seat, with five territories and some cards in Hasbro's rules. Venezuela has a
/// single army; Peru and Argentina border only territories of hers.
const EARTH: &str = r#"fn ruleset() { #{ extends: "hasbro", name: "mine" } }
fn setup(g) {
    let mine = [0, 9, 10, 11, 12];   // Alaska, Venezuela, Peru, Brazil, Argentina
    for at in LAND {
        g.give(at, if at in mine { 0 } else { 1 + at % 2 });
        g.add_armies(at, if at == 9 { 1 } else { 4 });
    }
    g.set(0, RESERVE, 10);
    g.fill(DECK, g.all_cards);
    for card in HAND_OF_ANN { g.move_card(card, TABLE, DECK, 0, HAND); }
    PHASE
}
"#;

/// Cards with titles, two of them with the same, and units with titles.
const DECK: &str = r#"fn ruleset() { #{
    name: "deck", about: "Cards with titles", players: [2, 2], map: "world", bots: ["random"],
    units: [
        #{ name: "xwing", title: "X-wing" },
        #{ name: "ship", title: "Falcon", plural: "Falcon hit points" },
    ],
    card_kinds: ["order"],
    piles: #{ hand: #{ seen: "owner" } },
    verbs: #{
        choose: #{ card: "card" },
        send: #{ kind: "unit", ships: "count", at: "territory" },
        attack_with: #{ at: "territory" },
    },
    phases: #{ orders: secret(script()), begin: script() },
    turn: ["orders", "begin"], max_turns: 9,
} }
fn cards(g) { [
    #{ name: "falcon-xwing-1", kind: ORDER, title: "Falcon / X-wings" },
    #{ name: "falcon-xwing-2", kind: ORDER, title: "Falcon / X-wings" },
    #{ name: "falcon-shield", kind: ORDER, title: "Falcon / shield" },
] }
fn setup(g) { g.deal(); g.fill(HAND, g.all_cards); g.next_round(); }
fn begin_enter(g, me) { g.next_round(); }
fn orders_options(g, me, out) {
    out.offer(CHOOSE, [0, 1, 2]);
    out.offer(SEND, [XWING, SHIP], 1..=3, [0, 1]);
    out.offer(ATTACK_WITH, [0, 1]);
}
fn orders_apply(g, me, said) { g.done(me); }
"#;

/// Central America, Venezuela, Yakutsk, Central Africa: a soldier, a horse and two cannons, which
/// are two sets.
const TWO_SETS: &str = "[8, 9, 28, 23]";
/// Central America, Venezuela, Yakutsk.
const ONE_SET: &str = "[8, 9, 28]";
/// Venezuela, Brazil and both wild cards.
const WILD: &str = "[9, 11, 42, 43]";

#[derive(Clone, Copy)]
enum Game {
    Claim,
    Deploy,
    Attack,
    /// With these cards in Ann's hand.
    Trade(&'static str),
    Deck,
}

impl Game {
    fn rules(self) -> String {
        let (phase, hand) = match self {
            Self::Claim => (
                "g.push(CLAIM_PHASE, NOBODY, [0]); g.push(BEGIN_PHASE, NOBODY);",
                "[]",
            ),
            Self::Deploy => (
                "g.push(DEPLOY_PHASE, 0); g.push(BEGIN_PHASE, NOBODY);",
                "[]",
            ),
            Self::Attack => (
                "g.push(ATTACK_PHASE, 0); g.push(BEGIN_PHASE, NOBODY);",
                "[]",
            ),
            Self::Trade(hand) => ("g.push(TRADE_PHASE, 0); g.push(BEGIN_PHASE, NOBODY);", hand),
            Self::Deck => return DECK.to_owned(),
        };
        let (land, mine) = match self {
            // Brazil is Ann's and Egypt Cid's.
            Self::Claim => ("[11, 21]", "[11]"),
            // Ann's bonus for a traded card may go to Central America as well.
            Self::Trade(_) => ("0..TERRITORIES", "[0, 8, 9, 10, 11, 12]"),
            _ => ("0..TERRITORIES", "[0, 9, 10, 11, 12]"),
        };
        EARTH
            .replace("[0, 9, 10, 11, 12]", mine)
            .replace("LAND", land)
            .replace("HAND_OF_ANN", hand)
            .replace("PHASE\n", &format!("{phase}\n"))
    }
}

/// Types lines in a game. Returns what was shown, and the record.
fn session(spec: MatchSpec, lines: &[&'static str]) -> (String, String) {
    let setup = spec.load(library()).unwrap();
    let mut lines: Vec<&str> = lines.iter().copied().chain(["quit"]).rev().collect();
    let screen = Screen {
        shown: String::new(),
        height: None,
        answer: Box::new(move |_, _| lines.pop().unwrap_or("quit")),
    };
    let (_, record, shown) = at_screen(setup, screen);
    (shown, record)
}

/// Types lines in a game. Returns the reply to each line, and the record.
fn typed(game: Game, lines: &[&'static str]) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("mine.rhai"), game.rules()).unwrap();
    std::fs::write(path("tiny.yaml"), TINY).unwrap();
    let names = ["name=ann,bot=random", "name=bob,bot=random"];
    let (map, others) = match game {
        Game::Deck => (path("tiny.yaml"), None),
        _ => ("hacker-risk".to_owned(), Some("name=cid,bot=random")),
    };
    let mut spec = MatchSpec::new(&path("mine.rhai"));
    spec.map = Some(map);
    let spec = spec.bots(names.into_iter().chain(others)).seed(2);
    let (shown, record) = session(spec, lines);
    let replies = shown.split(")> ").skip(1).map(|text| {
        let (_, reply) = text.split_once('\n').unwrap_or((text, ""));
        let reply = reply.split("  Enter: ").next().unwrap_or_default();
        reply.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    (replies.collect(), record)
}

/// Lines that are answers, and the answers in the record.
const ANSWERS: &[(Game, &str, &str)] = &[
    // Names of several words, in any case.
    (
        Game::Claim,
        "claim Eastern Australia",
        "claim eastern-australia",
    ),
    (Game::Claim, "eastern australia", "claim eastern-australia"),
    (Game::Claim, "great b", "claim great-britain"),
    (Game::Claim, "ALAS", "claim alaska"),
    (
        Game::Attack,
        "attack brazil north africa",
        "attack brazil north-africa 3",
    ),
    (
        Game::Attack,
        "ATT ALASKA NORTHWEST TERRITORY 1",
        "attack alaska northwest-territory 1",
    ),
    (
        Game::Attack,
        "brazil → north-africa 2",
        "attack brazil north-africa 2",
    ),
    // The greatest number of dice goes without saying.
    (
        Game::Attack,
        "attack alaska kam",
        "attack alaska kamchatka 3",
    ),
    (
        Game::Attack,
        "Alaska Kamchatka",
        "attack alaska kamchatka 3",
    ),
    (
        Game::Attack,
        "attack brazil 2",
        "attack brazil north-africa 2",
    ),
    (Game::Attack, "at brazil!", "attack brazil north-africa 3"),
    // The kinds of words decide where they belong.
    (
        Game::Attack,
        "attack 2 brazil north africa",
        "attack brazil north-africa 2",
    ),
    (Game::Deploy, "place 3 peru", "place peru 3"),
    (Game::Deploy, "place all ven", "place venezuela 10"),
    (Game::Deploy, "2 alaska", "place alaska 2"),
    (Game::Deploy, "PL HALF BRA", "place brazil 5"),
    // Beginnings of the words of a name.
    (Game::Claim, "claim w aus", "claim western-australia"),
    (Game::Claim, "claim waus", "claim western-australia"),
    (Game::Claim, "claim guinea", "claim new-guinea"),
    (
        Game::Attack,
        "attack brazil naf 2",
        "attack brazil north-africa 2",
    ),
    // Cards in any order: the first one of Ann's land gets the armies.
    (
        Game::Trade(TWO_SETS),
        "trade yakutsk central venezuela",
        "trade central-america venezuela yakutsk",
    ),
    (
        Game::Trade(TWO_SETS),
        "trade central venezuela yakutsk",
        "trade central-america venezuela yakutsk",
    ),
    (
        Game::Trade(TWO_SETS),
        "TRADE yak ven central",
        "trade venezuela central-america yakutsk",
    ),
    (
        Game::Trade(TWO_SETS),
        "trade ven yakutsk",
        "trade venezuela central-america yakutsk",
    ),
    (
        Game::Trade(TWO_SETS),
        "trade central africa",
        "trade central-america venezuela central-africa",
    ),
    (
        Game::Trade(ONE_SET),
        "trade",
        "trade central-america venezuela yakutsk",
    ),
    (
        Game::Trade(WILD),
        "trade wild card 2 brazil ven",
        "trade brazil venezuela wild2",
    ),
    // Titles of cards and units. Of two copies the first is chosen.
    (
        Game::Deck,
        "choose Falcon / X-wings",
        "choose falcon-xwing-1",
    ),
    (Game::Deck, "choose falcon x-wings", "choose falcon-xwing-1"),
    (Game::Deck, "choose falcon-xwing", "choose falcon-xwing-1"),
    (Game::Deck, "choose falcon-xwing-2", "choose falcon-xwing-2"),
    (Game::Deck, "FALCON SHIELD", "choose falcon-shield"),
    (Game::Deck, "choose x-wings", "choose falcon-xwing-1"),
    (Game::Deck, "choose shield", "choose falcon-shield"),
    (Game::Deck, "send 2 b X-wings", "send xwing 2 b"),
    (Game::Deck, "send falcon hit points 1 a", "send ship 1 a"),
    (Game::Deck, "send 2 falcon hit points b", "send ship 2 b"),
    (Game::Deck, "attack with b", "attack_with b"),
];

#[test]
fn what_is_typed_becomes_an_answer() {
    for &(game, line, answer) in ANSWERS {
        let (replies, record) = typed(game, &[line]);
        let said = format!("\"seat\":1,\"say\":\"{answer}\"");
        assert!(record.contains(&said), "{line}: {replies:?}\n{record}");
    }
}

/// Lines that are no answers, and facts in the replies.
const REPLIES: &[(Game, &[(&str, &[&str])])] = &[
    (
        Game::Claim,
        &[
            (
                "claim brazil",
                &["`brazil`", "`at`", "it is yours; expected"],
            ),
            (
                "claim BRAZ",
                &["`brazil`", "it is yours; expected", "or 32 others"],
            ),
            ("claim egypt", &["it has an owner already, cid; expected"]),
            ("egypt", &["it has an owner already, cid"]),
            (
                "claim venezula",
                &["did you mean `venezuela`? Expected venezuela,"],
            ),
            (
                "venezula",
                &["did you mean `venezuela`? Expected venezuela,"],
            ),
            (
                "claim north afrika",
                &["`north afrika`", "did you mean `north-africa`?"],
            ),
            (
                "claim eastern",
                &["`eastern` is ambiguous", "`eastern-australia`"],
            ),
            (
                "eastern",
                &["`eastern` is ambiguous", "`eastern-australia`"],
            ),
            ("claim qqq", &["no territory is called `qqq`: `at` must be"]),
            ("look nowhere", &["unknown territory `nowhere`: `land`"]),
            ("look venezula", &["did you mean `venezuela`?"]),
            ("LOOK Middle East", &["Afghanistan"]),
            ("odds", &["found nothing"]),
        ],
    ),
    (
        Game::Deploy,
        &[
            (
                "place 11 alaska",
                &["`armies` must be 1 to 10, found 11 (you have 10 armies to place)"],
            ),
            (
                "place kamchatka 3",
                &["it is not yours, it belongs to cid; expected alaska"],
            ),
            (
                "place north africa 3",
                &["`north-africa`", "it belongs to bob"],
            ),
            (
                "place 3 venezula",
                &["`venezula`", "did you mean `venezuela`?"],
            ),
            ("egypt 3", &["`egypt`", "it is not yours"]),
            ("place ven", &["missing `armies`"]),
            ("brazil", &["missing `armies`"]),
            (
                "attack alaska kamchatka",
                &["`attack` is not possible now", "place"],
            ),
            ("ATTACK", &["`attack` is not possible now"]),
            ("Tra", &["`trade` is not possible now"]),
            (
                "lok",
                &["unknown action `lok`", "did you mean `look`?", "place"],
            ),
            ("palce alaska", &["did you mean `place`?"]),
            ("p", &["`p` is too short", "`place`"]),
            ("v 3", &["`v` is too short", "place"]),
            ("CARDS", &["you see no cards"]),
            ("auto !", &["did you mean `auto`"]),
            ("log x", &["expected 1 to 1000 lines, found `x`"]),
        ],
    ),
    (
        Game::Attack,
        &[
            (
                "attack peru",
                &[
                    "`peru`",
                    "`from`",
                    "all its neighbours are yours; expected alaska",
                ],
            ),
            (
                "attack venezuela central america",
                &["it has too few armies, 1 army"],
            ),
            (
                "attack brazil peru",
                &["`peru`", "`to`", "it is yours; expected north-africa"],
            ),
            ("attack brazil egypt 3", &["it doesn't border brazil"]),
            (
                "attack alaska ontario",
                &["it doesn't border alaska", "northwest-territory"],
            ),
            (
                "attack alaska middle east",
                &["`middle-east`", "it doesn't border alaska"],
            ),
            (
                "attack alaska kamchatka 9",
                &["`dice` must be 1 to 3, found 9 (Alaska has 4 armies)"],
            ),
            (
                "attack alsaka kamchatka",
                &["`alsaka`", "`from`", "did you mean `alaska`?"],
            ),
            (
                "attack alaska kamchatka twelve",
                &["`dice` must be 1 to 3, `all` or `half`, found `twelve`"],
            ),
            ("rol", &["did you mean `attack`?"]),
            (
                "attack peru kamchatka 2",
                &["`peru` is not possible for the territory `from`"],
            ),
            (
                "attack africa egypt 2",
                &["`africa` is not possible for the territory `from`"],
            ),
            (
                "place alaska 3",
                &["`place` is not possible now", "place: "],
            ),
            (
                "attack egypt",
                &["`from`", "it is not yours, it belongs to cid"],
            ),
            (
                "attack 3",
                &["missing territory `from`", "alaska or brazil"],
            ),
            ("3", &["missing territory `from`", "alaska or brazil"]),
            ("a", &["`a` is too short", "`attack`"]),
            ("d", &["`d` is too short: did you mean `done`?"]),
            ("k", &["`k` is too short", "attack or done"]),
            ("done now", &["too many words: expected `done`"]),
        ],
    ),
    (
        Game::Trade(TWO_SETS),
        &[
            (
                "trade",
                &["missing card `first`", "yakutsk", "central-africa"],
            ),
            (
                "trade venezuela",
                &["missing card `second`: venezuela goes with central-america, central-africa or"],
            ),
            (
                "trade venezuela central",
                &["`central` is ambiguous: `central-america` or `central-africa`"],
            ),
            (
                "trade yakutsk central-africa",
                &["yakutsk and central-africa: yakutsk goes with central-america or venezuela"],
            ),
            ("trade yakutsk yakutsk", &["the same card is named twice"]),
            (
                "trade egypt",
                &["`egypt` is not possible for the card `first`: expected"],
            ),
            (
                "trade yak ven central alaska",
                &["`alaska` is not possible"],
            ),
        ],
    ),
    (
        Game::Trade(WILD),
        &[
            (
                "trade wild brazil ven",
                &["ambiguous: `wild card 1` or `wild card 2`"],
            ),
            (
                "trade wild card 2 brazil",
                &["wild card 2 and brazil go with venezuela or wild card 1"],
            ),
        ],
    ),
    (
        Game::Deck,
        &[
            (
                "choose falcon",
                &["ambiguous: `Falcon / X-wings` or `Falcon / shield`"],
            ),
            (
                "falcon",
                &["ambiguous: `Falcon / X-wings` or `Falcon / shield`"],
            ),
            (
                "choose lightsaber",
                &["`lightsaber` is not possible for the card `card`"],
            ),
        ],
    ),
];

#[test]
fn what_is_typed_wrongly_gets_a_reason() {
    for (game, rows) in REPLIES {
        let lines: Vec<&'static str> = rows.iter().map(|row| row.0).collect();
        let (replies, record) = typed(*game, &lines);
        assert!(!record.contains("\"seat\":1,\"say\""), "{record}");
        for ((line, facts), reply) in rows.iter().zip(&replies) {
            for fact in *facts {
                assert!(reply.contains(fact), "{line}: {fact}: {reply}");
            }
            assert!(!reply.contains("``"), "{line}: {reply}");
        }
    }
}

#[test]
fn armies_with_orders_are_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("tiny.yaml").display().to_string();
    std::fs::write(&map, TINY).unwrap();
    let mut spec = MatchSpec::new("warzone");
    spec.map = Some(map);
    let spec = spec.bots(["random", "outnumber"]).seed(2);
    let lines = ["place b 20", "place 10 f", "attack b c all", "attack b"];
    let (shown, _) = session(spec, &lines);
    let shown: Vec<&str> = shown.split_whitespace().collect();
    let shown = shown.join(" ");
    let reason = "`b` is not possible for the territory `from`: its armies have orders already";
    assert!(shown.contains(reason), "{shown}");
}

/// The commands and the words for suggestions are known in capitals too.
#[test]
fn capitals_are_no_other_words() {
    let (replies, record) = typed(Game::Deploy, &["PLAYERS", "AUTO"]);
    assert!(replies[0].contains("ann"), "{replies:?}");
    assert!(record.contains("\"seat\":1,\"say\":\"place "), "{record}");
}
