//! What a map says beside its continents and borders, against a script that says the same.

use std::collections::{BTreeMap, BTreeSet};

use risk_engine::Worker;
use risk_kernel::event::{Capture, Event, FightRound};
use risk_kernel::id::{Group, Territory, Unit};
use risk_kernel::{EventFold, Moment, Sink};

use risk_testing::by_case::each;
use risk_testing::games as support;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rulesets");

/// The events without the starts of phases: a script acts when its own phase begins.
#[derive(Default)]
struct Trail {
    events: Vec<String>,
    /// The borders over which territories were captured.
    ways: BTreeSet<(Territory, Territory)>,
    wasted: usize,
}

impl Sink for Trail {
    fn event(&mut self, _: Moment<'_>, event: &Event) {
        match event {
            Event::PhaseBegan { .. } => return,
            // A script reports units of all kinds as standing.
            Event::Fought(round) => {
                let standing = 0;
                let round = FightRound { standing, ..*round };
                return self.events.push(format!("{round:?}"));
            }
            // The twin has a kind of units for each mark, after the armies.
            &Event::Mark { at, mark, by, now } => {
                let unit = Unit(mark.0 + 1);
                let units = Event::Units { at, unit, by, now };
                return self.events.push(format!("{units:?}"));
            }
            Event::Owner { to: None, .. } => self.wasted += 1,
            Event::Captured(Capture { from, to, .. }) => {
                self.ways.insert((*from, *to));
            }
            _ => {}
        }
        self.events.push(format!("{event:?}"));
    }
}

/// Plays games of two rulesets, each on its map, and compares their events from the first turn on.
/// Calls `look` with the events of each game. Returns false if only some games were played.
fn compare(pair: [(&str, &str); 2], players: usize, mut look: impl FnMut(Trail)) -> bool {
    let bots = vec!["random"; players];
    let options = [("max_turns", "400")];
    let [one, two] =
        pair.map(|(ruleset, map)| support::setup(ruleset, Some(map), &bots, 5, &options));
    let mut declared = Worker::new(&one).unwrap();
    let mut scripted = Worker::new(&two).unwrap();
    each(0..30, |&number| {
        let [mut a, mut b] = [Trail::default(), Trail::default()];
        let one = declared.play(number, &mut a);
        let two = scripted.play(number, &mut b);
        for trail in [&mut a, &mut b] {
            let is_turn = |event: &String| event.starts_with("TurnBegan");
            let first = trail.events.iter().position(is_turn).unwrap();
            trail.events.drain(..first);
        }
        for (index, (a, b)) in a.events.iter().zip(&b.events).enumerate() {
            assert_eq!(a, b, "game {number}, event {index}");
        }
        assert_eq!(a.events.len(), b.events.len());
        assert_eq!(one.outcome.unwrap(), two.outcome.unwrap());
        look(a);
    })
}

#[test]
fn dice_by_place_are_those_of_a_script() {
    let path = |name: &str| format!("{FOLDER}/{name}");
    let (ruleset, map) = (path("terrain.rhai"), path("terrain.yaml"));
    let plain = path("terrain_plain.yaml");
    let twin = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/terrain_twin.rhai");
    let mut resets = 0;
    let mut is_whole = true;
    for players in [2, 3] {
        is_whole &= compare([(&ruleset, &map), (twin, &plain)], players, |trail| {
            resets += trail.wasted;
        });
    }
    assert!(resets > 0 || !is_whole, "no territory went back to nobody");
}

#[test]
fn marks_are_units_that_no_army_kills() {
    let (ruleset, map) = (
        format!("{FOLDER}/../../../report/tests/rulesets/plague.rhai"),
        "hacker-risk",
    );
    let twin = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/plague_twin.rhai");
    for players in [2, 3] {
        let mut changes = 0;
        compare([(&ruleset, map), (twin, map)], players, |trail| {
            let marks = trail
                .events
                .iter()
                .filter(|it| it.contains("unit: Unit(1)"));
            changes += marks.count();
        });
        assert!(changes > 100, "{changes} changes of forts");
    }
}

#[test]
fn maps_say_what_a_script_says() {
    let map = format!("{FOLDER}/straits.yaml");
    let plain = format!("{FOLDER}/straits_plain.yaml");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/straits_twin.rhai");
    let mut ways = BTreeSet::new();
    let mut wasted = 0;
    let mut is_whole = true;
    for players in [3, 4] {
        is_whole &= compare([("hasbro", &map), (path, &plain)], players, |trail| {
            wasted += trail.wasted;
            ways.extend(trail.ways);
        });
    }
    if is_whole {
        let one = support::setup("hasbro", Some(&map), &["random"; 3], 5, &[]);
        let board = &one.rules.board;
        let way = |from, to| [from, to].map(|id| board.find(id).unwrap());
        for [from, to] in [
            way("spruce", "linden"),
            way("linden", "spruce"),
            way("yew", "elm"),
            way("elm", "yew"),
        ] {
            assert!(
                ways.contains(&(from, to)),
                "no game went over the canal {from:?} {to:?}"
            );
        }
        let [from, to] = way("alder", "oak");
        assert!(
            !ways.contains(&(from, to)) && wasted > 0,
            "the battery never took effect"
        );
    }
}

/// A bot that counts on what its view says, and throws where this doesn't agree.
const DOUBTER: &str = r#"
fn check(view, from, to, open) {
    if view.borders(from, to) != open { throw `${from} ${to}: a border ${open}`; }
    if (view.foes(from).contains(to) || view.friends(from).contains(to)) != open { throw "a neighbour"; }
    if !open && view.odds(from, to) > 0.0 { throw `${from} ${to}: odds over a closed border`; }
    if open && view.armies(from) > view.armies(to) && view.armies(to) > 0 && !view.mine(to) && view.odds(from, to) <= 0.0 { throw "no odds"; }
}
fn answer(view, ask) {
    let harbours = 0;
    for id in ["alder", "elm", "maple", "oak"] { if view.mine(view.find(id)) { harbours += 1; } }
    let spruce = view.find("spruce"); let linden = view.find("linden");
    let yew = view.find("yew"); let elm = view.find("elm");
    if view.mine(spruce) { check(view, spruce, linden, view.mine(view.find("willow"))); }
    if view.mine(yew) { check(view, yew, elm, harbours >= 2); }
    ask.random()
}
"#;

#[test]
fn no_chance_is_told_over_a_closed_border() {
    let folder = support::tiny();
    let bot = folder.path().join("doubter.rhai");
    std::fs::write(&bot, DOUBTER).unwrap();
    let map = format!("{FOLDER}/straits.yaml");
    let bots = vec![bot.to_str().unwrap(); 3];
    let setup = support::setup("hasbro", Some(&map), &bots, 5, &[("max_turns", "200")]);
    let mut worker = Worker::new(&setup).unwrap();
    each(0..20, |&number| {
        let mut faults = Faults::default();
        worker.play(number, &mut faults).outcome.unwrap();
        assert_eq!(faults.0, Vec::<String>::new(), "game {number}");
    });
}

#[derive(Default)]
struct Faults(Vec<String>);

impl Sink for Faults {
    fn event(&mut self, _: Moment<'_>, event: &Event) {
        if let Event::Faulted { text, .. } = event {
            self.0.push(text.clone());
        }
    }
}

/// Compares what rules or a bot read with what the map says.
const READER: &str = r#"
fn read(it) {
    let ruler = it.group_data(0, "ruler");
    let ferry = it.border_data(it.find("pine"), it.find("spruce"), "ferry");
    let wares = it.data(it.find("elm"), "wares");
    let tax = it.map_data("tax");
    let seat = it.group_data(4, "seat");
    let none = [it.map_data("seat"), it.group_data(0, "seat"), it.group_data(4, "ruler")];
    let all = [tax[1].far.deep, it.map_data("2"), it.map_data("none"), ruler, ferry, wares, seat, none];
    if all.to_string() != `ALL` { throw all; }
}
"#;
const READ: &str = r##"[[true, "01"], [], #{}, #{"gold": -3, "name": "Ada"}, #{"price": 2}, #{"fish": [1, #{"kind": "cod"}]}, "elm", [(), (), ()]]"##;

#[test]
fn rules_and_bots_read_the_data_of_a_map() {
    let folder = support::tiny();
    let reader = READER.replace("ALL", READ);
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("{text}{reader}")).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let ruleset = path(
        "reads.rhai",
        r#"
fn ruleset() { #{
    extends: "codelab", name: "reads", about: "Codelab that reads",
    phases: #{ deploy: standard("deploy", #{ after: "look" }) },
} }
fn look(g, me, said) { read(g); }
"#,
    );
    let bot = path(
        "reader.rhai",
        "fn answer(view, ask) { read(view); ask.random() }",
    );
    let map = format!("{FOLDER}/straits.yaml");
    let setup = support::setup(&ruleset, Some(&map), &[&*bot; 2], 5, &[("max_turns", "4")]);
    let mut faults = Faults::default();
    let finished = Worker::new(&setup).unwrap().play(0, &mut faults);
    finished.outcome.unwrap();
    assert_eq!(faults.0, Vec::<String>::new());
}

/// The borders that are closed by the events, at each of them.
#[derive(Default)]
struct Snow {
    changes: usize,
    crossed: usize,
    fold: Option<EventFold>,
}

impl Sink for Snow {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        let fold = self.fold.get_or_insert_with(|| EventFold::new(&game));
        fold.take(event);
        self.changes += usize::from(matches!(event, Event::Border { .. }));
        let closed =
            |from: Territory, to: Territory| fold.closed.contains(&(from.min(to), from.max(to)));
        if let Event::Captured(Capture { from, to, .. }) = event {
            self.crossed += usize::from(closed(*from, *to));
        }
    }
}

#[test]
fn closed_borders_are_not_crossed() {
    let winter = format!("{FOLDER}/winter.rhai");
    for bots in [["random"; 3], ["general", "outnumber", "odds"]] {
        let setup = support::setup(&winter, None, &bots, 5, &[("max_turns", "60")]);
        let mut worker = Worker::new(&setup).unwrap();
        each(0..5, |&number| {
            let mut snow = Snow::default();
            let finished = worker.play(number, &mut snow);
            finished.outcome.unwrap();
            let closed: Vec<_> = finished.game.closed_borders().collect();
            let fold = snow.fold.unwrap();
            assert_eq!((snow.crossed, fold.closed), (0, closed));
            assert!(snow.changes > 10);
        });
    }
}

/// Counts armies that go over the border to which `willow` is the key, and finds those without it.
#[derive(Default)]
struct Keyholders {
    fold: Option<EventFold>,
    /// Whether the order that is executed is an airlift, which needs no border.
    is_lift: bool,
    crossed: usize,
    wrong: Vec<String>,
    shut: usize,
}

impl Sink for Keyholders {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        let fold = self.fold.get_or_insert_with(|| EventFold::new(&game));
        let land = |id: &str| game.board().find(id).unwrap();
        let way = [land("linden"), land("spruce")];
        let (from, to) = match event {
            Event::Captured(Capture { from, to, .. }) | Event::Moved { from, to, .. } => {
                (*from, *to)
            }
            Event::Executed { action, .. } => {
                self.is_lift = game.decl().verbs[action.verb.index()].name == "airlift";
                return fold.take(event);
            }
            Event::Said { text, .. } => {
                self.shut += usize::from(text.ends_with("the border is closed"));
                return fold.take(event);
            }
            _ => return fold.take(event),
        };
        if way.contains(&from) && way.contains(&to) && !self.is_lift {
            self.crossed += 1;
            if fold.owner(from) != fold.owner(land("willow")) {
                self.wrong.push(format!("{event:?}"));
            }
        }
        fold.take(event);
    }
}

#[test]
fn orders_fail_at_a_border_that_closed_in_the_meantime() {
    let map = format!("{FOLDER}/straits.yaml");
    let setup = support::setup(
        "warzone",
        Some(&map),
        &["random"; 3],
        5,
        &[("max_turns", "90")],
    );
    let mut worker = Worker::new(&setup).unwrap();
    let (mut crossed, mut shut) = (0, 0);
    let all = each(0..60, |&number| {
        let mut keys = Keyholders::default();
        worker.play(number, &mut keys).outcome.unwrap();
        assert_eq!(keys.wrong, Vec::<String>::new(), "game {number}");
        crossed += keys.crossed;
        shut += keys.shut;
    });
    assert!(!all || crossed > 20 && shut > 0, "{crossed} {shut}");
}

/// What a game of `frontier.rhai` must not show, and how often its rules took effect.
#[derive(Default)]
struct Frontier {
    wrong: Vec<String>,
    refused: usize,
    foraged: usize,
    bought: usize,
    attacks: i64,
    deployed: i64,
    last: Option<(i64, i64)>,
}

impl Sink for Frontier {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let board = moment.board();
        let heights = Group::from_index(2);
        match event {
            Event::Fought(round) => {
                if round.standing <= round.defenders {
                    self.wrong
                        .push(format!("a smaller army attacks: {round:?}"));
                }
                if moment.before().round == 1 {
                    self.wrong.push("a fight in the first round".to_owned());
                }
            }
            &Event::Units { at, unit, by, now } => {
                let is_fort = unit.index() == 1;
                let high = board.members(heights).contains(&at) || board.info(at).id == "heath";
                if now > if is_fort { 1 } else { 9 } || is_fort && !high {
                    self.wrong.push(format!("{now} of {unit:?} on {at:?}"));
                }
                self.bought += usize::from(is_fort && by > 0);
            }
            Event::Moved { to, unit, .. } if moment.units(*to, *unit) > 9 => {
                self.wrong.push(format!("{event:?}"));
            }
            Event::Answered { action, .. } => {
                let verb = &moment.decl().verbs[action.verb.index()].name;
                self.foraged += usize::from(verb == "forage");
                self.deployed += i64::from(verb == "place" || verb == "buy");
                self.attacks += i64::from(verb == "attack");
            }
            Event::Said { text, .. } => self.refused += usize::from(text.contains("first round")),
            _ => {}
        }
        let sum = |name: &str| {
            let counter = moment.decl().counter(name).unwrap();
            let all = moment.seats().map(|who| moment.counter(counter, Some(who)));
            all.sum::<i64>()
        };
        self.last = Some((sum("deployed"), sum("fought")));
    }
}

#[test]
fn bent_phases_keep_to_what_the_ruleset_says() {
    let ruleset = format!("{FOLDER}/frontier.rhai");
    let mut all = Frontier::default();
    let mut is_whole = true;
    for bots in [
        ["random", "random", "random"],
        ["random", "outnumber", "general"],
    ] {
        let setup = support::setup(&ruleset, None, &bots, 5, &[("max_turns", "60")]);
        let mut worker = Worker::new(&setup).unwrap();
        is_whole &= each(0..20, |&number| {
            let mut game = Frontier::default();
            worker.play(number, &mut game).outcome.unwrap();
            assert_eq!(game.wrong, Vec::<String>::new(), "game {number}");
            // Refused attacks have no effect. The set-up places armies, too.
            let (deployed, fought) = game.last.unwrap();
            assert!(deployed <= game.deployed, "game {number}: {deployed}");
            all.deployed += deployed;
            assert_eq!(fought, game.attacks - game.refused as i64, "game {number}");
            all.refused += game.refused;
            all.foraged += game.foraged;
            all.bought += game.bought;
        });
    }
    let count = [all.refused, all.foraged, all.bought, all.deployed as usize];
    assert!(
        !is_whole || count.iter().all(|&count| count > 20),
        "{count:?}"
    );
}

/// The reasons why orders failed in a game of `parley.rhai`, and how many had an effect.
#[derive(Default)]
struct Parley {
    reasons: BTreeMap<&'static str, usize>,
    orders: usize,
    executed: i64,
}

impl Sink for Parley {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        match event {
            Event::Executed { .. } => self.orders += 1,
            Event::Said { text, .. } => {
                for reason in ["too little land", "no target", "impossible"] {
                    *self.reasons.entry(reason).or_default() += usize::from(text.contains(reason));
                }
            }
            _ => {}
        }
        let executed = moment.decl().counter("executed").unwrap();
        self.executed = moment
            .seats()
            .map(|who| moment.counter(executed, Some(who)))
            .sum();
    }
}

#[test]
fn orders_are_refused_when_they_are_executed() {
    let ruleset = format!("{FOLDER}/parley.rhai");
    let bots = ["random", "outnumber", "marshal"];
    let setup = support::setup(&ruleset, None, &bots, 5, &[("max_turns", "60")]);
    let mut worker = Worker::new(&setup).unwrap();
    let mut reasons = BTreeMap::new();
    let is_whole = each(0..20, |&number| {
        let mut game = Parley::default();
        worker.play(number, &mut game).outcome.unwrap();
        let failed = game.reasons["impossible"];
        assert_eq!(
            game.executed,
            (game.orders - failed) as i64,
            "game {number}"
        );
        for (reason, count) in game.reasons {
            *reasons.entry(reason).or_insert(0) += count;
        }
    });
    assert!(
        !is_whole || reasons.values().all(|&count| count > 5),
        "{reasons:?}"
    );
}

/// The words of Conquer Club's maps are keys of the map; only the objective is a function.
#[test]
fn general_wins_on_a_map_of_conquer_clubs_kind() {
    let ruleset = format!("{FOLDER}/conquest.rhai");
    let setup = support::setup(&ruleset, None, &["general", "outnumber"], 5, &[]);
    let board = &setup.rules.board;
    let [jut, oakwood, cove, quarry] =
        ["jut", "oakwood", "cove", "quarry"].map(|id| board.find(id).unwrap());
    let mut worker = Worker::new(&setup).unwrap();
    let mut wins = [0; 2];
    let mut ways = BTreeSet::new();
    let mut reset = 0;
    let mut reasons = BTreeSet::new();
    let is_whole = each(0..100, |&number| {
        let mut trail = Trail::default();
        let outcome = worker.play(number, &mut trail).outcome.unwrap();
        // Players change their seats from game to game.
        let winner = outcome.winners.iter().next().unwrap().index();
        wins[(winner + number as usize) % 2] += 1;
        reset += trail.wasted;
        ways.extend(trail.ways);
        reasons.insert(outcome.reason);
    });
    if is_whole {
        assert!(wins[0] >= 80, "{wins:?}");
        assert!(ways.contains(&(jut, oakwood)) && !ways.contains(&(cove, quarry)));
        assert!(reset > 20 && reasons.len() == 2, "{reset} {reasons:?}");
    }
}
