//! Bounds on the work and memory of each function that rulesets and bots may call beyond those of
//! the language: the table in `natives.txt`, compared with the engines and shown by running.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use rhai_guard::memory;
use risk_engine::script::bot::ScriptBot;
use risk_engine::script::tracer::Tracer;
use risk_engine::script::{
    BoundRuleset, Budget, Ruleset, Script, ScriptFault, ScriptLimits, natives,
};
use risk_engine::script_bot;
use risk_kernel::action::{Domain, Offer, Options};
use risk_kernel::board::{Board, Datum, TerritoryInfo};
use risk_kernel::groups::GroupInfo;
use risk_kernel::id::{Card, Counter, Group, Phase, Pile, Player, Territory, Unit, Verb};
use risk_kernel::odds::Fight;
use risk_kernel::phases::Asked;
use risk_kernel::rng::{GameKey, Purpose, Stream};
use risk_kernel::state::GameState;
use risk_kernel::view::{Facts, View};
use risk_kernel::{Bot, Rules};

struct Row {
    objects: Vec<&'static str>,
    name: &'static str,
    work: &'static str,
    memory: &'static str,
    before: &'static str,
    call: &'static str,
}

fn table() -> Vec<Row> {
    let lines = include_str!("natives.txt").lines();
    let rows = lines.filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.map(|line| {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let (objects, name) = columns[0].split_once('.').unwrap();
        // A script may contain bars too.
        let script = line.splitn(4, " |").nth(3).unwrap().trim();
        let (before, call) = script.split_once(" ;; ").unwrap_or(("", script));
        Row {
            objects: objects.split(' ').collect(),
            name,
            work: columns[1],
            memory: columns[2],
            before,
            call,
        }
    })
    .collect()
}

/// Turns `borders(_: &mut Facts, _: i64, _: i64) -> …` into `facts.borders/2`.
fn as_in_the_table(signature: &str) -> String {
    let (name, rest) = signature.split_once('(').unwrap();
    let mut parameters: Vec<&str> = rest
        .split(')')
        .next()
        .unwrap()
        .split(", ")
        .filter(|parameter| !parameter.is_empty())
        .collect();
    let object = match parameters
        .first()
        .and_then(|of| of.strip_prefix("_: &mut "))
    {
        Some(object) => {
            parameters.remove(0);
            object.to_lowercase()
        }
        None if signature.contains("PhaseMark") => "ruleset".to_owned(),
        None => "free".to_owned(),
    };
    match name.strip_prefix("get$") {
        Some(property) => format!("{object}.{property}"),
        None => {
            let name = name.replace("index$get$", "[]");
            format!("{object}.{name}/{}", parameters.len())
        }
    }
}

#[test]
fn every_function_has_a_row_and_every_row_a_function() {
    let known: BTreeSet<String> = natives().iter().map(|raw| as_in_the_table(raw)).collect();
    let mut rows = BTreeSet::new();
    for row in table() {
        for object in &row.objects {
            let name = format!("{object}.{}", row.name);
            assert!(rows.insert(name.clone()), "two rows for {name}");
        }
        let memories = ["none", "result", "kept", "copy"];
        assert!(
            memories.contains(&row.memory),
            "{}: {}",
            row.name,
            row.memory
        );
        // Calls show what is charged; for the rest, the source is the proof.
        let is_shown = !row.call.is_empty();
        assert_eq!(
            is_shown,
            row.work != "constant",
            "{}: {}",
            row.name,
            row.work
        );
    }
    let missing: Vec<_> = known.difference(&rows).collect();
    let absent: Vec<_> = rows.difference(&known).collect();
    assert!(missing.is_empty(), "no row for {missing:#?}");
    assert!(absent.is_empty(), "no function for {absent:#?}");
}

/// The ruleset that runs rows, without their functions.
const RULES: &str = r#"
fn ruleset() { #{
    name: "natives", map: "./none.yaml", players: [2, 2], units: ["army"], card_kinds: ["only"],
    counters: #{ row: "all", times: "all" }, marks: #{ stain: "sight" }, piles: #{ deck: "all", hand: "all", spare: "all" },
    verbs: #{
        claim: #{ at: "territory" }, done: #{},
        far: #{ a: "territory", b: "territory", c: "territory", d: "territory" },
        march: #{ from: "territory", to: "territory", armies: "count", tell: "marches {from}{from}{from}" },
        take: #{ from: "territory", to: "territory" },
        haul: #{ from: "territory", to: "territory", kind: "unit", units: "count" },
    },
    phases: #{ p: script() }, turn: ["p"], sight: #{ owners: "near", units: "near" },
    tables: #{ pair_won: [1..=6, 1..=6], kill_percent: [0..=1], kill_luck: [0..=0], kill_weighted: [0..=0] },
} }
fn pair_won(a, d) { if a > d { 1 } else { 0 } }
fn kill_percent(side) { 60 }
fn kill_luck(n) { 100 }
fn kill_weighted(n) { 0 }
fn cards(g) {
    let cards = [];
    cards.pad(min(TERRITORIES, 1200), ());
    for n in 0..cards.len { cards[n] = #{ name: `card${n}`, kind: 0 }; }
    cards[0].list = all();
    cards
}
fn setup(g) { run(g, ()); }
fn p_options(g, me, out) { run(g, out); out.offer(DONE); out.offer(CLAIM, all()); }
fn imagine(g, me) { }
fn p_plans(g, me, out) { run(g, out); }
fn p_apply(g, me, said) { g.done(me); }
fn run(g, out) { let times = g.get(TIMES); switch g.get(ROW) { ARMS _ => () } }
"#;

const BOT: &str = r#"
fn answer(view, ask) {
    let times = view.get(TABLE, "times");
    switch view.get(TABLE, "row") { ARMS _ => () }
    ask.act("done")
}
"#;

const HELP: &str = "
fn all() { let list = []; list.pad(TERRITORIES, 0); for n in 0..TERRITORIES { list[n] = n; } list }
fn entries() { let map = #{}; for n in 0..min(TERRITORIES / 5, 400) { map[`k${n}`] = n; } map }
fn min(a, b) { if a < b { a } else { b } }
";

/// Builds a script with a function for each row that it runs, and the code that calls the function
/// of the row asked for. The functions have these parameters after the object itself.
fn script(name: &str, frame: &str, parameters: &str, rows: &[Row], objects: &[&str]) -> Script {
    let mut text = HELP.to_owned();
    let mut arms = String::new();
    let runs = |row: &Row| !row.call.is_empty() && has(row, objects);
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| runs(row)) {
        let before = row.before;
        let call = row.call;
        let it = match row.objects[0] {
            "ask" => "ask",
            _ if name == "bot" => "view",
            _ => "g",
        };
        writeln!(
            text,
            "fn row_{index}(it, {parameters}, times) {{ {before}; for i in 0..times {{ {call}; }} }}"
        )
        .unwrap();
        write!(arms, "{index} => row_{index}({it}, {parameters}, times), ").unwrap();
    }
    Script::alone(name, &(frame.replace("ARMS", &arms) + text.as_str()))
}

const OF_RULES: [&str; 4] = ["facts", "game", "offers", "ruleset"];
const OF_BOTS: [&str; 8] = [
    "view", "imagined", "ask", "plan", "action", "array", "map", "free",
];

fn has(row: &Row, objects: &[&str]) -> bool {
    row.objects.iter().any(|object| objects.contains(object))
}

/// Returns a board of this many territories, all next to the first two, half of them on one
/// continent.
fn board(count: usize) -> Arc<Board> {
    let numbers = |many: usize| Datum::List((0..many as i64).map(Datum::Number).collect());
    let continents = count / 3;
    let land = |index: usize| TerritoryInfo {
        id: format!("t{index}"),
        name: "n".repeat(count.min(200)),
        continent: Some(Group::from_index((index % 2) * index % continents)),
        data: BTreeMap::from([(
            "list".to_owned(),
            numbers(if index == 0 { count } else { 0 }),
        )]),
        ..TerritoryInfo::default()
    };
    let continent = |index: usize| GroupInfo {
        id: format!("c{index}"),
        data: BTreeMap::from([("list".to_owned(), numbers(count))]),
        ..GroupInfo::default()
    };
    let spoke = |hub: usize, at: usize| {
        let [hub, at] = [hub, at].map(Territory::from_index);
        [(hub, at), (at, hub)]
    };
    let spokes = (2..count).flat_map(|at| [spoke(0, at), spoke(1, at)]);
    let borders: Vec<_> = spokes.chain([spoke(0, 1)]).flatten().collect();
    let entry = |number: usize| (format!("k{number}"), Datum::Bool(true));
    let map = Datum::Map((0..count.min(400)).map(entry).collect());
    let board = Board::new(
        "star".to_owned(),
        String::new(),
        (0..count).map(land).collect(),
        (0..continents).map(continent).collect(),
        &borders,
    );
    Arc::new(board.with_data(BTreeMap::from([("map".to_owned(), map)])))
}

fn fine<T>(read: Result<T, Vec<ScriptFault>>) -> T {
    read.unwrap_or_else(|faults| panic!("{}", faults[0]))
}

struct World {
    bound: BoundRuleset,
    bot: ScriptBot,
    game: GameState,
    asked: Options,
    tracer: Tracer,
    rows: Vec<Row>,
}

impl World {
    fn new(territories: usize, rows: Vec<Row>) -> Self {
        let board = board(territories);
        let tracer = Tracer::new();
        let limits = ScriptLimits {
            budget: Budget(10_000_000),
            tracer: tracer.clone(),
            counted: true,
        };
        let rules = script("rules", RULES, "g, out", &rows, &OF_RULES);
        let ruleset = fine(Ruleset::read(vec![rules]));
        let options = ruleset.options(&[]).unwrap();
        let bound = fine(ruleset.bind(&board, &options, 2, &limits));
        let bot = script("bot", BOT, "view, ask", &rows, &OF_BOTS);
        let fight = Fight::from_tables(bound.rules.tables());
        let source = ruleset.rules_source(&board, &options, 2, &limits);
        let bot = script_bot(&bot, &bound.decl, fight, &source);
        let mut game = GameState::new(board, Arc::clone(&bound.decl), 2, GameKey::of_numbers(1, 0));
        prepare(&mut game);
        let asked = asked(&bound, territories as i32);
        Self {
            bound,
            bot: fine(bot),
            game,
            asked,
            tracer,
            rows,
        }
    }

    fn operations(&self) -> u64 {
        let readings = self.tracer.readings().unwrap();
        readings.hooks.values().map(|tally| tally.operations).sum()
    }

    /// Runs a row on an object with this many calls of its function; returns the operations.
    fn run(&mut self, index: usize, object: &str, times: i64) -> Result<u64, String> {
        let before = self.operations();
        let mut game = self.game.clone();
        game.set_counter(Counter(0), None, index as i64).unwrap();
        game.set_counter(Counter(1), None, times).unwrap();
        let rules = &mut self.bound.rules;
        let ran = match object {
            "game" | "ruleset" => rules.setup(&mut game),
            "facts" | "offers" => {
                let frame = *game.frame().unwrap();
                let facts = Facts::new(game);
                let asked = Asked::new(&facts, &frame, Player(0));
                let mut out = Options::new();
                if self.rows[index].name.starts_with("plan") {
                    rules.plans(asked, &mut out)
                } else {
                    rules.options(asked, &mut out)
                }
            }
            _ => {
                let view = View::new(&Facts::new(game), Player(0));
                self.bot.start(&view, Stream::new(1, 0, Purpose::Player(0)));
                let said = self.bot.answer(&view, &self.asked);
                return said
                    .map(|_| self.operations() - before)
                    .map_err(|fault| fault.to_string());
            }
        };
        ran.map(|()| self.operations() - before)
            .map_err(|fault| fault.to_string())
    }

    /// Returns the operations of [`CALLS`] calls of a row's function on an object.
    fn cost(&mut self, index: usize, object: &str) -> u64 {
        let [many, one] = [1 + CALLS, 1].map(|times| {
            let ran = self.run(index, object, times);
            ran.unwrap_or_else(|fault| panic!("{object}.{}: {fault}", self.rows[index].name))
        });
        many - one
    }
}

/// Gives land to both players in turn, fills two piles, stores an order for each territory, and
/// opens a phase.
fn prepare(game: &mut GameState) {
    for at in game.board().territories() {
        game.set_owner(at, Some(Player::from_index(at.index() % 2)));
        game.add_units(at, Unit::FIRST, 3).unwrap();
    }
    let cards = (0..game.decl().cards.len()).map(Card::from_index);
    let (even, odd): (Vec<_>, Vec<_>) = cards.partition(|card| card.0 % 2 == 0);
    game.fill(Pile(0), None, &even).unwrap();
    game.fill(Pile(1), Some(Player(0)), &odd).unwrap();
    let march = game.decl().verb("march").unwrap();
    let order = risk_engine::Action::new(march, &[0, 1, 1]);
    for _ in game.board().territories() {
        game.store(Player(0), order).unwrap();
    }
    game.resume(1, Player(0), Phase(0), [0; 3]);
}

/// Returns the options of the bot: an offer for each of `count` territories, plans with the first
/// 200 of them, and offers that have lists.
fn asked(bound: &BoundRuleset, count: i32) -> Options {
    let verb = |name: &str| -> Verb { bound.decl.verb(name).unwrap() };
    let mut options = Options::new();
    for at in 0..count {
        let claim = [Domain::Is(at)];
        options.offer(verb("claim"), &claim);
        let done = Offer::new(verb("done"), &[]);
        if at < 200 {
            options.plan(&[Offer::new(verb("claim"), &claim), done]);
        }
    }
    let first = Domain::Is(0);
    let all = options.among(1..count);
    options.offer(verb("take"), &[first, all]);
    options.offer(
        verb("march"),
        &[first, all, Domain::Span { low: 1, high: 3 }],
    );
    options.offer(verb("far"), &[first, first, all, all]);
    options.offer(verb("done"), &[]);
    options
}

const CALLS: i64 = 4;

#[test]
fn what_is_charged_costs_more_where_there_is_more() {
    let [mut small, mut large] = [8, 2_500].map(|territories| World::new(territories, table()));
    let mut cheap = String::new();
    for (index, row) in table().iter().enumerate() {
        for object in row.objects.iter().filter(|_| !row.call.is_empty()) {
            let costs = [&mut small, &mut large].map(|world| world.cost(index, object));
            // Each call must cost at least one operation more.
            if costs[1] < costs[0] + CALLS as u64 {
                writeln!(cheap, "{object}.{}: {costs:?}", row.name).unwrap();
            }
        }
    }
    assert!(cheap.is_empty(), "{cheap}");
}

#[test]
fn what_one_call_offers_is_held_to_its_memory() {
    let steps = "out.plan_attacks(g, 0, steps, [TAKE, 0, list], TAKE, DONE)";
    let raids = "out.raids(g, #{ step: HAUL, from: [0], to: list, on: 4, repeats: true, \
                 strikes: [#{ verb: TAKE, near: [0] }], stop: DONE })";
    let rows = [
        ("advances", "out.advances(g, 0, list, #{ own: MARCH })"),
        ("plan_attacks", steps),
        ("plan_raids", raids),
    ];
    let rows = rows.map(|(name, call)| Row {
        objects: vec!["offers"],
        name,
        work: "",
        memory: "kept",
        before: "let list = all(); let steps = []; steps.pad(95, [DONE])",
        call,
    });
    let mut world = World::new(9_000, rows.into());
    for at in world.game.board().territories().skip(1) {
        world.game.set_owner(at, Some(Player(0)));
    }
    world.game.set_owner(Territory(0), Some(Player(1)));
    for index in 0..3 {
        let held = memory::held();
        let _ = memory::take_peak();
        let fault = world.run(index, "offers", 1).unwrap_err();
        assert!(fault.contains("memory"), "{fault}");
        let peak = memory::take_peak() - held;
        assert!(peak < 150 << 20, "{index}: {peak}");
    }
}
