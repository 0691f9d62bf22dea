//! Findings of `bot check` and `ruleset check`: by reading and by playing.

use super::{Row, check, ruleset};

const BOT: &[&str] = &["bot", "check", "./b.rhai", "--games", "0"];
const RULES: &[&str] = &["ruleset", "check", "./r.rhai", "--games", "0"];
const TRY: &[&str] = &["bot", "check", "./b.rhai", "--games", "8"];
const TRY_RULES: &[&str] = &["ruleset", "check", "./r.rhai", "--games", "8"];

fn bot<'a>(name: &'a str, text: &str) -> Row<'a> {
    let text = if text.contains("fn answer") {
        text.to_owned()
    } else {
        format!("fn answer(view, ask) {{\n    {text}\n}}\n")
    };
    Row {
        name,
        files: vec![("b.rhai", text)],
        args: BOT,
    }
}

/// Mistakes in a bot that would show in the middle of a game.
#[test]
fn bots_are_read_closely() {
    let all = [members(), names(), leftovers()];
    let rows: Vec<_> = all.into_iter().flatten().collect();
    insta::assert_snapshot!(check(&rows));
}

/// Unknown methods and properties, and values of the wrong kind.
fn members() -> Vec<Row<'static>> {
    vec![
        bot(
            "a method of another object",
            "ask.act(\"place\", ask.armies(3), 1)",
        ),
        bot(
            "a method that only rules have",
            "view.attackers(view.me); ask.random()",
        ),
        bot(
            "a method misspelled that a list has",
            "view.lenn(); ask.random()",
        ),
        bot(
            "borders misspelled",
            "if view.borderz(1, 2) { ask.random() } else { ask.nth(0) }",
        ),
        bot(
            "a property misspelled",
            "if view.turnn > 3 { ask.random() } else { ask.nth(0) }",
        ),
        bot(
            "a property of nothing",
            "let option = ask.nth(0); if option.armys > 3 { option } else { ask.nth(1) }",
        ),
        bot(
            "a method without its brackets",
            "if view.territories > 3 { ask.random() } else { ask.nth(0) }",
        ),
        bot(
            "a property with brackets",
            "if view.turn() > 3 { ask.random() } else { ask.nth(0) }",
        ),
        bot(
            "a text for a territory",
            "if view.armies(\"alaska\") > 3 { ask.random() } else { ask.nth(0) }",
        ),
        bot("a number for a verb", "ask.act(3, 1)"),
        bot(
            "a fraction for a territory",
            "if view.mine(1.5) { ask.random() } else { ask.nth(0) }",
        ),
        bot(
            "an array for a territory",
            "if view.mine([1]) { ask.random() } else { ask.nth(0) }",
        ),
        bot(
            "true for a player",
            "if view.playing(true) { ask.random() } else { ask.nth(0) }",
        ),
        bot("a map for a number", "ask.nth(#{ n: 1 })"),
    ]
}

fn names() -> Vec<Row<'static>> {
    vec![
        bot(
            "a verb misspelled",
            "for option in ask.most(\"atack\") { return option; } ask.random()",
        ),
        bot(
            "a verb misspelled in a question",
            "if ask.has(\"trde\") { ask.nth(0) } else { ask.random() }",
        ),
        bot(
            "a verb of another ruleset",
            "if ask.has(\"airlift\") { ask.act(\"airlift\", 1, 2, 3) } else { ask.random() }",
        ),
        bot(
            "an action with too few parameters",
            "ask.act(\"attack\", 1, 2)",
        ),
        bot("an action with too many", "ask.act(\"done\", 1)"),
        bot(
            "a limit with too many",
            "ask.nth(ask.limit(\"attack\", 1, 2, 3))",
        ),
        bot(
            "a counter misspelled",
            "if view.get(\"reserv\") > 0 { ask.random() } else { ask.nth(0) }",
        ),
        bot(
            "a counter that is not there",
            "if view.get(\"gold\") > 0 { ask.random() } else { ask.nth(0) }",
        ),
        bot(
            "a pile misspelled",
            "if view.cards(\"hnd\").len() > 0 { ask.random() } else { ask.nth(0) }",
        ),
        bot(
            "a unit misspelled",
            "if view.units(1, \"amry\") > 0 { ask.random() } else { ask.nth(0) }",
        ),
    ]
}

/// Code without effect, and several mistakes in one script.
fn leftovers() -> Vec<Row<'static>> {
    vec![
        bot(
            "a variable that is never read",
            "let best = 3; ask.random()",
        ),
        bot(
            "a constant that is never read",
            "const EDGE = 3;\nfn answer(view, ask) { ask.random() }",
        ),
        bot(
            "a helper that nobody calls",
            "fn answer(view, ask) { ask.random() }\nfn helper(view) { 1 }",
        ),
        bot(
            "memory that is never written",
            "if this.taken > 3 { ask.random() } else { ask.nth(0) }",
        ),
        bot("two mistakes at once", "ask.randm(); view.armis(3)"),
        bot(
            "three in three functions",
            "fn answer(view, ask) { view.turnn }\nfn attack(view, ask) { view.armies(\"x\") }\nfn deploy(view, ask) { ask.most(\"plce\")[0] }",
        ),
        bot(
            "a hook with three parameters",
            "fn answer(view, ask) { ask.random() }\nfn attack(view, ask, x) { ask.random() }",
        ),
        bot(
            "saw with three",
            "fn answer(view, ask) { ask.random() }\nfn saw(view, event, more) { }",
        ),
        bot(
            "new_game misspelled",
            "fn answer(view, ask) { ask.random() }\nfn new_gme(view) { }",
        ),
        bot("print", "print(3); ask.random()"),
        bot(
            "a variable of another block",
            "if true { let best = ask.nth(0); } best",
        ),
        bot(
            "a constant changed",
            "const EDGE = 3;\nfn answer(view, ask) { EDGE += 1; ask.random() }",
        ),
        bot("nothing is wrong", "ask.random()"),
        bot(
            "names that say they are unused",
            "fn answer(view, ask) { let _best = 3; ask.random() }\nfn _later(view) { }",
        ),
    ]
}

fn rules<'a>(name: &'a str, keys: &str, functions: &str) -> Row<'a> {
    Row {
        name,
        files: vec![("r.rhai", ruleset(keys, functions))],
        args: RULES,
    }
}

fn hook(body: &str) -> String {
    format!("fn on_conquest(g, me, at) {{ {body} }}")
}

#[test]
fn rulesets_are_read_closely() {
    let rows: Vec<_> = [wrong_uses(), unused()].into_iter().flatten().collect();
    insta::assert_snapshot!(check(&rows));
}

fn wrong_uses() -> Vec<Row<'static>> {
    vec![
        rules("a method of bots", "", &hook("g.threat(at);")),
        rules("a method misspelled", "", &hook("g.move_armes(at, at, 1);")),
        rules(
            "a change where one may only read",
            "    phases: #{ later: script() },\n",
            "fn later_options(g, me, out) { g.add_armies(1, 1); out.offer(DONE); }\nfn later_apply(g, me, said) { g.done(me); }",
        ),
        rules(
            "a property misspelled",
            "",
            &hook("if g.rund > 3 { g.add_armies(at, 1); }"),
        ),
        rules(
            "a property with brackets",
            "",
            &hook("if g.round() > 3 { g.add_armies(at, 1); }"),
        ),
        rules(
            "a method without",
            "",
            &hook("if g.bonus > 3 { g.add_armies(at, 1); }"),
        ),
        rules(
            "a text for a counter",
            "",
            &hook("g.add(me, \"reserve\", 1);"),
        ),
        rules("a number for a text", "", &hook("g.say(me, 3);")),
        rules("too few arguments", "", &hook("g.add_armies(at);")),
        rules(
            "a parameter of an action misspelled",
            "    phases: #{ later: script() },\n",
            "fn later_options(g, me, out) { out.offer(ATTACK, 1, 2, 1); }\nfn later_apply(g, me, said) { g.capture(said.frm, said.to, 1); g.done(me); }",
        ),
    ]
}

fn unused() -> Vec<Row<'static>> {
    vec![
        rules(
            "an option that is never asked for",
            "    options: #{ gold: 3 },\n",
            "",
        ),
        rules(
            "a counter that is never used",
            "    counters: #{ gold: \"all\" },\n",
            "",
        ),
        rules(
            "a pile that is never used",
            "    piles: #{ market: \"nobody\" },\n",
            "",
        ),
        rules(
            "a verb that is never offered",
            "    verbs: #{ buy: #{} },\n",
            "",
        ),
        rules(
            "a table that is never called",
            "    tables: #{ price: [0..=3] },\n",
            "fn price(n) { n * 2 }",
        ),
        rules(
            "a table that is asked too far",
            "    tables: #{ price: [0..=3] },\n",
            "fn price(n) { n * 2 }\nfn on_conquest(g, me, at) { g.add_armies(at, price(2) + price(4)); }",
        ),
        rules(
            "a phase that nothing opens",
            "    phases: #{ market: script() },\n",
            "fn market_enter(g, me) { g.say(me, \"open\"); }",
        ),
        rules(
            "a function with a table's name",
            "",
            "fn income(territories, bonus) { territories + bonus }",
        ),
        rules(
            "dice that an inherited range cuts",
            "",
            "fn defend_dice(n) { min(n, 3) }",
        ),
        rules(
            "an end without a sentence",
            "",
            &hook("if g.round > 3 { g.end(\"timeout\", [me]); }"),
        ),
        rules(
            "an ending that nothing uses",
            "    endings: #{ flood: \"the water came\" },\n",
            "",
        ),
        rules("a helper that nobody calls", "", "fn helper(g) { g.round }"),
        rules("a variable that is never read", "", &hook("let bonus = 3;")),
        rules(
            "nothing is wrong",
            "    options: #{ max_turns: 60 },\n",
            "fn income(territories) { max(5, territories / 2) }",
        ),
    ]
}

/// Each finding of a trial has its place in the script and in the game, and a command that plays
/// the game again.
#[test]
fn trials_report_where_they_fail() {
    let rows: Vec<_> = trials_of_bots()
        .into_iter()
        .chain(trials_of_rules())
        .chain(rare_failures())
        .collect();
    insta::assert_snapshot!(check(&rows));
}

fn tried(name: &'static str, text: &str) -> Row<'static> {
    Row {
        name,
        files: vec![("b.rhai", text.to_owned())],
        args: TRY,
    }
}

fn variant(name: &'static str, keys: &str, functions: &str) -> Row<'static> {
    Row {
        args: TRY_RULES,
        ..rules(
            name,
            &format!("    options: #{{ max_turns: 40 }},\n{keys}"),
            functions,
        )
    }
}

fn trials_of_bots() -> Vec<Row<'static>> {
    vec![
        tried("it throws now and then", "fn answer(view, ask) { if view.turn == 7 { throw \"lost\"; } ask.random() }"),
        tried(
            "it says what is not allowed",
            "fn answer(view, ask) { ask.random() }\nfn attack(view, ask) { ask.act(\"attack\", 0, 0, 1) }",
        ),
        tried("it never stops", "fn answer(view, ask) { ask.random() }\nfn attack(view, ask) { loop { } }"),
        tried(
            "it fails deep down",
            "fn answer(view, ask) { ask.random() }\nfn attack(view, ask) { first(view); ask.random() }\nfn first(view) { second(view, 99); }\nfn second(view, at) { view.armies(at); }",
        ),
        Row {
            files: vec![
                ("b.rhai", "import \"helpers\" as helpers;\nfn answer(view, ask) {\n    helpers::look(view);\n    ask.random()\n}".to_owned()),
                ("helpers.rhai", "fn look(view) { closer(view, 3); }\n\nfn closer(view, at) { view.armies(at + 1000); }".to_owned()),
            ],
            ..tried("it fails in a file that it imports", "")
        },
        tried("it answers nothing", "fn answer(view, ask) { let choice = ask.random(); }"),
        tried(
            "it only fails on large maps",
            "fn answer(view, ask) { if TERRITORIES > 100 { throw \"too large for me\"; } ask.random() }",
        ),
        tried(
            "a phase it never comes to",
            "fn answer(view, ask) { ask.random() }\nfn occupy(view, ask) { ask.random() }\nfn attack(view, ask) { ask.act(\"done\") }",
        ),
    ]
}

/// What is left is lost before it is drilled.
const LEFT: &str = "fn ruleset() { #{\n\
    name: \"mine\", about: \"x\", players: [2, 2], map: \"grid:3x2\", units: [\"army\"],\n\
    verbs: #{ leave: #{ at: \"territory\" }, drill: #{ at: \"territory\" }, done: #{} },\n\
    phases: #{\n\
    orders: secret(standard(\"orders\", #{\n\
    orders: [#{ verb: \"leave\" }, #{ verb: \"drill\" }],\n\
    })),\n\
    execution: standard(\"execution\", #{ classes: [[\"leave\"], [\"drill\"]] }),\n\
    },\n\
    turn: [\"orders\", \"execution\"], max_turns: 40, last_standing: true,\n\
    tables: #{ kill_percent: [0..=1], kill_luck: [0..=0], kill_weighted: [0..=0] },\n\
    } }\n\
    fn setup(g) { g.deal(); g.next_round(); }\n\
    fn kill_percent(side) { 60 }\n\
    fn kill_luck(n) { 100 }\n\
    fn kill_weighted(n) { 0 }\n\
    fn execution_play(g, who, order) {\n\
    if g.owner(order.at) != who { g.say(who, \"has lost it\"); return; }\n\
    if order.verb == LEAVE { g.give(order.at, NOBODY); } else { g.add_armies(order.at, 1); }\n\
    }";

fn trials_of_rules() -> Vec<Row<'static>> {
    vec![
        Row {
            name: "orders that always fail",
            files: vec![("r.rhai", LEFT.to_owned())],
            args: TRY_RULES,
        },
        variant(
            "the rules throw",
            "",
            "fn on_conquest(g, me, at) { if g.turn > 5 { throw \"no\"; } }",
        ),
        variant(
            "the rules ask too far",
            "",
            "fn on_conquest(g, me, at) { g.armies(at + 41); }",
        ),
        variant(
            "a hook that random play never comes to",
            "",
            "fn on_eliminated(g, me, foe) { if g.turn > 1000 { g.say(me, \"late\"); } }\nfn on_neutral(g, who) { g.say(who, \"gone\"); }",
        ),
        variant(
            "a hook that the policy never calls",
            "",
            "fn on_fault_out(g, who) { g.say(who, \"out\"); }",
        ),
        variant(
            "it fails when somebody imagines a game",
            "",
            "fn imagine(g, me) { g.armies(-5); }",
        ),
        variant(
            "it fails when a bot is broken",
            "",
            "fn on_neutral(g, who) { g.armies(who - 100); }",
        ),
    ]
}

fn rare_failures() -> Vec<Row<'static>> {
    vec![
        Row {
            args: &["ruleset", "check", "./r.rhai", "--games", "12"],
            ..variant(
                "the first seat wins",
                "",
                "fn setup(g) { base::setup(g); g.end(\"enough\", [0]); }",
            )
        },
        Row {
            files: vec![("r.rhai", ENDLESS.to_owned())],
            ..variant("games that do not end", "", "")
        },
        variant(
            "it fails only on other maps",
            "",
            "fn setup(g) { if TERRITORIES != 42 { throw \"this map is too small\"; } base::setup(g); }",
        ),
    ]
}

const ENDLESS: &str = "fn ruleset() { #{
    name: \"endless\", about: \"wait for ever\", map: \"grid:2x2\", players: [2, 2], units: [\"army\"],
    verbs: #{ wait: #{} }, phases: #{ wait: script() }, turn: [\"wait\"],
} }
fn setup(g) { g.deal(); g.push(WAIT_PHASE, 0); }
fn wait_options(g, me, out) { out.offer(WAIT); }
fn wait_apply(g, me, said) { g.say(me, \"still waiting\"); }
";
