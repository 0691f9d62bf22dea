//! The standard phases `orders` and `execution` in rulesets that are not built in: hooks that
//! change the board under them, orders that stay in the book, and refusals.

use std::fmt::Write as _;

use risk_engine::{Setup, Worker};
use risk_kernel::event::Event;
use risk_kernel::state::Order;
use risk_kernel::{Moment, Sink, StopReason};

use risk_testing::facts::has_words;
use risk_testing::games as support;
use risk_testing::games::play_logged;

const ORDERS: &str = r#"[
    #{ verb: "place", spends: "reserve" }, #{ verb: "attack", to: "foes" }, #{ verb: "move", to: "friends" },
    #{ verb: "bomb", to: "reach" }, #{ verb: "fortress" }, #{ verb: "negotiate" },
    #{ verb: "reinforce", at_once: true }, #{ verb: "airlift", to: "own", spends: "airlifts" },
]"#;

/// Changes to warzone: settings of `orders`, settings of `execution`, and functions.
struct Change<'a> {
    orders: &'a str,
    execution: &'a str,
    functions: &'a str,
}

const CLASSES: &str =
    r#"classes: [["place"], ["bomb", "attack", "move", "fortress", "negotiate", "airlift"]]"#;
const USUAL: Change<'_> = Change {
    orders: "",
    execution: CLASSES,
    functions: "",
};

/// Sets up one round of orders on the map of six: the first player owns a, c and e with ten armies
/// each, the second the rest with two each.
fn round(change: &Change<'_>) -> (tempfile::TempDir, Setup) {
    round_of(change, 10, "0")
}

/// Does the same with this many armies on each of the first player's territories, and this luck in
/// percent.
fn round_of(change: &Change<'_>, armies: i32, luck: &str) -> (tempfile::TempDir, Setup) {
    let folder = support::tiny();
    let Change {
        orders,
        execution,
        functions,
    } = change;
    let text = format!(
        "fn ruleset() {{ #{{ extends: \"warzone\", name: \"changed\", phases: #{{
             orders: secret(standard(\"orders\", #{{ orders: {ORDERS}, {orders} }})),
             execution: standard(\"execution\", #{{ {execution} }}),
         }} }} }}
         fn setup(g) {{
             for at in 0..6 {{ g.give(at, at % 2); g.add_armies(at, if at % 2 == 0 {{ {armies} }} else {{ 2 }}); }}
             for who in 0..2 {{ g.set(who, RESERVE, 5); }}
             g.push_all(ORDERS_PHASE); g.push(EXECUTION_PHASE, NOBODY);
         }}
         {functions}\n"
    );
    let ruleset = folder.path().join("changed.rhai");
    std::fs::write(&ruleset, text).unwrap();
    let map = folder.path().join("tiny.yaml");
    let setup = support::setup(
        ruleset.to_str().unwrap(),
        map.to_str(),
        &["random"; 2],
        5,
        &[("luck", luck)],
    );
    (folder, setup)
}

/// Plays the round; returns owners, armies, the notes on orders, and the ruleset's fault.
fn outcome(change: &Change<'_>, says: &[&[&str]]) -> String {
    let (_folder, setup) = round(change);
    let (log, finished) = play_logged(&setup, says);
    let game = &finished.game;
    let mut text = String::new();
    for at in game.board().territories() {
        let owner = game.owner(at).map_or('-', |who| (b'1' + who.0) as char);
        write!(text, "{owner}:{} ", game.armies(at)).unwrap();
    }
    for line in log
        .lines()
        .filter(|line| line.contains(": impossible") || line.contains(": not"))
    {
        write!(text, "{}; ", line.trim()).unwrap();
    }
    if let Err(StopReason::Rules(fault)) = &finished.outcome {
        text.push_str("fault: ");
        text.push_str(fault.text());
    }
    text.trim().to_owned()
}

/// A hook, the orders of both players, and the outcome.
type Row = (
    &'static str,
    &'static str,
    &'static [&'static [&'static str]],
    &'static str,
);

const HOOKS: &[Row] = &[
    (
        "the hook takes the land from which an order goes",
        "fn execution_play(g, who, order) { g.give(0, 1); }",
        &[&["bomb b", "attack a b 3", "done"], &["done"]],
        "2:10 2:2 1:10 2:2 1:10 2:2 advances on b from a with 3: impossible, the land is lost;",
    ),
    (
        "the hook gives all land to one player",
        "fn execution_play(g, who, order) { for at in 0..6 { g.give(at, 0); } }",
        &[
            &["bomb b", "attack a b 3", "done"],
            &["place b 2", "attack b a 1", "done"],
        ],
        "1:10 1:4 1:10 1:2 1:10 1:2 advances on a from b with 1: not executed, the game is over; advances on b from a with 3: not executed, the game is over;",
    ),
    (
        "the hook ends the game",
        "fn execution_play(g, who, order) { g.end(\"enough\", [0]); }",
        &[
            &["bomb b", "attack a b 3", "done"],
            &["attack b a 1", "done"],
        ],
        "1:10 2:2 1:10 2:2 1:10 2:2 advances on a from b with 1: not executed, the game is over; advances on b from a with 3: not executed, the game is over;",
    ),
    (
        "the hook puts a player out",
        "fn execution_play(g, who, order) { g.eliminate(1); }",
        &[
            &["bomb b", "attack a b 3", "done"],
            &["attack b a 1", "done"],
        ],
        "1:10 2:2 1:10 2:2 1:10 2:2 advances on b from a with 3: not executed, the game is over;",
    ),
    (
        "the hook says that fewer than none are ready",
        "fn execution_play(g, who, order) { g.set_ready(0, -5); }",
        &[&["bomb b", "attack a b 3", "done"], &["done"]],
        "1:10 2:2 1:10 2:2 1:10 2:2 advances on b from a with 3: impossible, no army is left to go;",
    ),
    (
        "the hook says that more are ready than there are",
        "fn execution_play(g, who, order) { g.add_armies(0, -6); g.set_ready(0, 2000000000); }",
        &[&["bomb b", "attack a b 9", "done"], &["done"]],
        "1:1 1:2 1:10 2:2 1:10 2:2",
    ),
    (
        "the hook makes peace with the land's next owner",
        "fn execution_play(g, who, order) { g.make_peace(0, 1); if !g.at_peace(1, 0) || g.at_peace(0, NOBODY) { throw \"no\"; } }",
        &[
            &["bomb b", "attack a b 9", "done"],
            &["attack b a 1", "done"],
        ],
        "1:10 2:2 1:10 2:2 1:10 2:2 advances on a from b with 1: impossible, there is peace; advances on b from a with 9: impossible, there is peace;",
    ),
    (
        "the hook fails",
        "fn execution_play(g, who, order) { throw \"no\"; }",
        &[&["bomb b", "attack a b 9", "done"], &["done"]],
        "1:10 2:2 1:10 2:2 1:10 2:2 fault: no execution_play",
    ),
    (
        "the hook asks for land that there is not",
        "fn execution_play(g, who, order) { g.set_ready(6, 1); }",
        &[&["bomb b", "done"], &["done"]],
        "1:10 2:2 1:10 2:2 1:10 2:2 fault: 6 execution_play",
    ),
    (
        "what is ready is not known while orders are given",
        "fn orders_play(g, me, order) { g.ready(0); }",
        &[&["reinforce", "done"], &["done"]],
        "1:10 2:2 1:10 2:2 1:10 2:2 fault: orders_play",
    ),
    (
        "a conquest whose hook gives the land away",
        "fn on_conquest(g, me, at) { g.give(at, NOBODY); }",
        &[
            &["attack a b 9", "attack a b 1", "done"],
            &["attack b c 1", "done"],
        ],
        "1:1 -:8 1:10 2:2 1:10 2:2 advances on c from b with 1: impossible, the land is lost;",
    ),
];

#[test]
fn hooks_may_do_anything_between_orders() {
    let mut wrong = String::new();
    for &(name, functions, says, expected) in HOOKS {
        let change = Change { functions, ..USUAL };
        let found = outcome(&change, says);
        // Of a fault, its names and numbers are expected.
        let agrees = match (found.split_once("fault: "), expected.split_once("fault: ")) {
            (Some((found, fault)), Some((expected, names))) => {
                found == expected && has_words(fault, names)
            }
            _ => found == expected,
        };
        if !agrees {
            writeln!(wrong, "{name}:\n  {found}, not\n  {expected}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn settings_say_what_may_go() {
    let rows: &[(&str, &str, &[&[&str]], &str)] = &[
        (
            "",
            CLASSES,
            &[&["attack a b 9", "done"], &["done"]],
            "1:1 1:8 1:10 2:2 1:10 2:2",
        ),
        (
            "again: true",
            CLASSES,
            &[&["attack a b 9", "attack a b 9", "done"], &["done"]],
            "1:1 1:8 1:10 2:2 1:10 2:2 advances on b from a with 9: impossible, no army is left to go;",
        ),
        (
            "guard: false",
            CLASSES,
            &[&["attack a b 10", "done"], &["done"]],
            "1:1 1:8 1:10 2:2 1:10 2:2",
        ),
        (
            "guard: false",
            "guard: false, classes: [[\"attack\"]]",
            &[&["attack a b 10", "done"], &["done"]],
            "1:0 1:9 1:10 2:2 1:10 2:2",
        ),
        (
            "",
            "classes: [[\"attack\", \"move\"]]",
            &[
                &["attack a b 9", "attack c d 9", "done"],
                &["attack b a 1", "attack d c 1", "done"],
            ],
            "1:1 1:8 1:1 1:8 1:10 2:2 advances on a from b with 1: impossible, the land is lost; advances on c from d with 1: impossible, the land is lost;",
        ),
        (
            "",
            "goes_on: true, classes: [[\"attack\", \"move\"]]",
            &[
                &["attack a b 9", "attack c d 9", "done"],
                &["attack b a 1", "attack d c 1", "done"],
            ],
            "1:1 1:8 1:1 1:7 1:10 2:2 advances on a from b with 1: impossible, the land is lost;",
        ),
        (
            "",
            CLASSES,
            &[&["attack a b 3", "attack a b 4", "done"], &["done"]],
            "1:3 1:6 1:10 2:2 1:10 2:2",
        ),
        (
            "distinct: true",
            CLASSES,
            &[&["attack a b 3", "attack a b 4", "done"], &["done"]],
            "1:7 1:2 1:10 2:2 1:10 2:2",
        ),
    ];
    let mut wrong = String::new();
    for &(orders, execution, says, expected) in rows {
        let change = Change {
            orders,
            execution,
            ..USUAL
        };
        let found = outcome(&change, says);
        if found != expected {
            writeln!(wrong, "{orders} {execution}:\n  {found}, not\n  {expected}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The book, rebuilt from events.
#[derive(Default)]
struct Book(Vec<Order>);

impl Sink for Book {
    fn event(&mut self, _: Moment<'_>, event: &Event) {
        match *event {
            Event::Stored { player, action } => self.0.push(Order { player, action }),
            Event::Unstored {
                index,
                player,
                action,
            } => assert_eq!(self.0.remove(index), Order { player, action }),
            _ => {}
        }
    }
}

/// Execution takes the orders of its classes out from between the others, which stay until a phase
/// that has their class executes them.
#[test]
fn orders_of_no_class_stay_in_the_book() {
    let change = Change {
        execution: "classes: [[\"attack\"], [\"place\"]]",
        functions: "fn on_conquest(g, me, at) { }",
        ..USUAL
    };
    let (_folder, setup) = round(&change);
    let mut worker = Worker::new(&setup).unwrap();
    let mut left = 0;
    for number in 0..20 {
        let mut book = Book::default();
        let finished = worker.play(number, &mut book);
        let game = &finished.game;
        assert_eq!(book.0, game.book());
        let names = game
            .book()
            .iter()
            .map(|order| game.decl().verbs[order.action.verb.index()].name.as_str());
        let names: Vec<&str> = names.collect();
        assert!(
            !names.contains(&"attack") && !names.contains(&"place"),
            "{names:?}"
        );
        left += names.len();
    }
    assert!(left > 50, "{left}");
}

/// A list of all others for each territory is too much on a large map, and is refused before it is
/// in memory.
#[test]
fn offers_have_an_end() {
    let folder = support::tiny();
    let ruleset = folder.path().join("many.rhai");
    let text = "fn ruleset() { #{ extends: \"warzone\", name: \"many\" } }
        fn setup(g) {
            for at in 0..TERRITORIES { g.give(at, if at == 0 { 1 } else { 0 }); g.add_armies(at, 2); }
            g.set(0, AIRLIFTS, 1);
            g.push_all(ORDERS_PHASE);
        }";
    std::fs::write(&ruleset, text).unwrap();
    let setup = support::setup(
        ruleset.to_str().unwrap(),
        Some("grid:80x60"),
        &["random"; 2],
        5,
        &[],
    );
    let finished = Worker::new(&setup)
        .unwrap()
        .play(0, &mut risk_kernel::NullSink);
    let Err(StopReason::Rules(fault)) = finished.outcome else {
        panic!("{:?}", finished.outcome);
    };
    assert!(has_words(fault.text(), "options"), "{fault}");
}

/// The rolls for the orders of one execution have a limit, and are refused before they are made.
/// Without luck there are no rolls.
#[test]
fn executions_have_an_end() {
    let ends = |armies: i32, luck: &str| {
        let (_folder, setup) = round_of(&USUAL, armies, luck);
        let order = format!("attack a b {}", armies - 1);
        let (log, finished) = play_logged(&setup, &[&[&order, "done"], &["done"]]);
        (log, format!("{:?}", finished.outcome))
    };
    let told = "50000000 chances";
    // Two chances of the defender come on top of 49,999,999.
    let (_, refused) = ends(50_000_000, "50");
    assert!(has_words(&refused, told), "{refused}");
    for (armies, luck) in [(50_000_000, "0"), (5_000, "50")] {
        let (log, ended) = ends(armies, luck);
        assert!(!has_words(&ended, told), "{ended}");
        let order = format!("executes attack a b {}", armies - 1);
        assert!(log.contains(&order), "{log}");
    }
}
