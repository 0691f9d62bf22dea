//! Everything that a user can get wrong, and exactly what the program says. Each snapshot holds the
//! input, the message and the exit code, to be read as a user would.

use std::fmt::Write as _;

use crate::support::{TINY, run_in, without_sum, words};

/// Files to write, and arguments.
pub(crate) struct Row<'a> {
    pub(crate) name: &'a str,
    pub(crate) files: Vec<(&'a str, String)>,
    pub(crate) args: &'a [&'a str],
}

pub(crate) fn check(rows: &[Row<'_>]) -> String {
    let mut text = String::new();
    for row in rows {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in &row.files {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        let ran = run_in(folder.path(), row.args);
        assert_ne!(ran.code, 101, "{}: {}", row.name, ran.err);
        assert!(
            ran.code != 0 || ran.err.is_empty() || ran.err.contains("⚠"),
            "{}",
            row.name
        );
        writeln!(
            text,
            "### {}\n$ risk-cli {}\n{}{}exit code {}\n",
            row.name,
            row.args.join(" "),
            ran.err,
            ran.out,
            ran.code
        )
        .unwrap();
    }
    text
}

/// A map with one thing changed.
fn map(from: &str, to: &str) -> String {
    assert!(TINY.contains(from), "{from}");
    TINY.replacen(from, to, 1)
}

#[test]
fn maps() {
    const ARGS: &[&str] = &["map", "validate", "m.yaml"];
    let row = |name: &'static str, text: String| Row {
        name,
        files: vec![("m.yaml", text)],
        args: ARGS,
    };
    let bomb =
        "a: &a [x, x, x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nname: *c\n".to_owned();
    let deep = format!("name: {}1{}\n", "[".repeat(2_000), "]".repeat(2_000));
    let rows = [
        row("nothing", String::new()),
        row("not yaml", "name: [a, b\n".to_owned()),
        row("a list", "- a\n- b\n".to_owned()),
        row("an alias bomb", bomb),
        row("nested without end", deep),
        row("a key twice", map("name: tiny", "name: tiny\nname: other")),
        row("unknown key of the map", map("continents:", "continent:")),
        row("unknown key of a continent", map("bonus: 2", "bonuss: 2")),
        row("no name", map("name: tiny\n", "")),
        row("no territories", "name: m\nterritories: []\n".to_owned()),
        row(
            "one territory",
            "name: m\nterritories:\n  - { id: a }\n".to_owned(),
        ),
        row("a territory without an id", map("id: a, ", "")),
        row("a territory twice", map("id: b,", "id: a,")),
        row("an id of two words", map("id: b,", "id: b b,")),
        row("a continent twice", map("id: east", "id: west")),
        row(
            "a continent misspelled",
            map("id: a, continent: west", "id: a, continent: wst"),
        ),
        row(
            "two continents at once",
            map("id: a, continent: west", "id: a, continent: [west, east]"),
        ),
        row("no continent", map("id: a, continent: west, ", "id: a, ")),
        row(
            "a border misspelled",
            map("borders: [c, e]", "borders: [c, ee]"),
        ),
        row(
            "a border with itself",
            map("borders: [c, e]", "borders: [c, e, d]"),
        ),
        row(
            "a border twice",
            map("borders: [c, e]", "borders: [c, e, e]"),
        ),
        row("a bonus in words", map("bonus: 2", "bonus: two")),
        row("a bonus of nothing", map("bonus: 2", "bonus: 0")),
        row("no bonus", map(", bonus: 2", "")),
        row(
            "two parts",
            map("borders: [a, c]", "borders: [a]")
                .replacen("borders: [b, d]", "borders: [d]", 1)
                .replacen("borders: [e, a]", "borders: [e]", 1)
                .replacen("borders: [b, f]", "borders: [b]", 1),
        ),
        row(
            "a continent in parts",
            map("id: b, continent: west", "id: b, continent: east"),
        ),
        row(
            "an empty continent",
            map("territories:", "  - { id: north, bonus: 1 }\nterritories:"),
        ),
        row(
            "one-way only",
            map("borders: [e, a]", "borders: [e], one_way: [a]").replacen(
                "borders: [b, f]",
                "borders: [b]",
                1,
            ),
        ),
        row(
            "no way back",
            "name: m\nterritories:\n  - { id: a, one_way: [b] }\n  - { id: b }\n".to_owned(),
        ),
        row("half of a position", map("id: a,", "id: a, at: [1],")),
        row("a position for one", map("id: a,", "id: a, at: [1, 2],")),
        row(
            "a colour in words",
            map("bonus: 2", "bonus: 2, colour: red"),
        ),
        row(
            "a key that is nearly one",
            map(
                "id: a, continent: west, borders",
                "id: a, continent: west, boarders",
            ),
        ),
        row(
            "data that is a map",
            map("id: a,", "id: a, extra: { x: 1 },"),
        ),
        Row {
            name: "warnings as errors",
            files: vec![("m.yaml", map("bonus: 2", "bonus: 0"))],
            args: &["map", "validate", "--strict", "m.yaml"],
        },
        Row {
            name: "a warning allowed",
            files: vec![("m.yaml", map("bonus: 2", "bonus: 0"))],
            args: &["map", "validate", "--allow", "zero-bonus", "m.yaml"],
        },
        Row {
            name: "a lint misspelled",
            files: vec![],
            args: &["map", "validate", "--allow", "zero-bonsu", "world"],
        },
        Row {
            name: "a lint that can't be allowed",
            files: vec![],
            args: &["map", "validate", "--allow", "syntax", "world"],
        },
        Row {
            name: "no such file",
            files: vec![],
            args: &["map", "validate", "./none.yaml"],
        },
        Row {
            name: "a map misspelled",
            files: vec![],
            args: &["map", "show", "wordl"],
        },
    ];
    insta::assert_snapshot!(check(&rows));
}

/// A ruleset that extends hasbro with this in `ruleset()` and these functions.
fn ruleset(keys: &str, functions: &str) -> String {
    format!(
        "fn ruleset() {{ #{{\n    extends: \"hasbro\",\n    name: \"mine\",\n{keys}}} }}\n\n{functions}\n"
    )
}

#[test]
fn rulesets() {
    const CHECK: &[&str] = &["ruleset", "check", "./r.rhai"];
    let row = |name: &'static str, text: String| Row {
        name,
        files: vec![("r.rhai", text)],
        args: CHECK,
    };
    let rows = [
        row("nothing", String::new()),
        row(
            "a bracket missing",
            "fn ruleset() { #{ name: \"x\" }\n".to_owned(),
        ),
        row("ruleset misspelled", "fn rulset() { #{} }\n".to_owned()),
        row(
            "ruleset returns a number",
            "fn ruleset() { 3 }\n".to_owned(),
        ),
        row("an unknown key", ruleset("    max_turn: 7,\n", "")),
        row(
            "extends something unknown",
            "fn ruleset() { #{ extends: \"hasbor\" } }\n".to_owned(),
        ),
        row(
            "extends itself",
            "fn ruleset() { #{ extends: \"./r.rhai\" } }\n".to_owned(),
        ),
        row(
            "players out of range",
            ruleset("    players: [0, 99],\n", ""),
        ),
        row(
            "a counter seen by someone else",
            ruleset("    counters: #{ gold: \"friends\" },\n", ""),
        ),
        row(
            "an option that is a map",
            ruleset("    options: #{ gold: #{ a: 1 } },\n", ""),
        ),
        row(
            "an option with an unknown key",
            ruleset(
                "    options: #{ gold: #{ value: 3, abuot: \"pieces\" } },\n",
                "",
            ),
        ),
        row(
            "an option without a value",
            ruleset("    options: #{ gold: #{ about: \"pieces\" } },\n", ""),
        ),
        row(
            "a meaning that is no text",
            ruleset("    options: #{ gold: #{ value: 3, about: 3 } },\n", ""),
        ),
        row(
            "words with a range",
            ruleset(
                "    options: #{ gold: #{ value: [\"a\", \"b\"], range: 0..=3 } },\n",
                "",
            ),
        ),
        row(
            "a table without ranges",
            ruleset("    tables: #{ luck: #{ about: \"chance\" } },\n", ""),
        ),
        row(
            "a sentence that names what is not there",
            ruleset(
                "    verbs: #{ bomb: #{ at: \"territory\", tell: \"bombs {att}\" } },\n",
                "",
            ),
        ),
        row(
            "a sentence with a brace",
            ruleset("    endings: #{ time: \"time is {up\" },\n", ""),
        ),
        row(
            "an ending that names something",
            ruleset("    endings: #{ time: \"{who} is late\" },\n", ""),
        ),
        row(
            "a counter's sentence that is no text",
            ruleset(
                "    counters: #{ gold: #{ seen: \"all\", tell: 3 } },\n",
                "",
            ),
        ),
        row(
            "a phase's sentence that names something",
            ruleset(
                "    phases: #{ attack: standard(\"attack\").tell(\"{at}\") },\n",
                "",
            ),
        ),
        row(
            "a name in capitals",
            ruleset("    counters: #{ Gold: \"all\" },\n", ""),
        ),
        row(
            "two things with one name",
            ruleset("    counters: #{ attack: \"all\" },\n", ""),
        ),
        row(
            "a verb with an unknown kind",
            ruleset("    verbs: #{ bribe: #{ whom: \"person\" } },\n", ""),
        ),
        row(
            "a phase of the turn that is not declared",
            ruleset("    turn: [\"income\", \"deploi\"],\n", ""),
        ),
        row(
            "an unknown standard phase",
            ruleset("    phases: #{ attack: standard(\"atack\") },\n", ""),
        ),
        row(
            "an unknown parameter of a standard phase",
            ruleset(
                "    phases: #{ trade: standard(\"trade\", #{ limits: 5 }) },\n",
                "",
            ),
        ),
        row(
            "a standard phase without its verb",
            ruleset("    verbs: #{ attack: #{ from: \"territory\" } },\n", ""),
        ),
        row(
            "a script phase without functions",
            ruleset("    phases: #{ deploy: script() },\n", ""),
        ),
        row(
            "options without apply",
            ruleset(
                "    phases: #{ deploy: script() },\n",
                "fn deploy_options(g, me, out) { out.offer(DONE); }",
            ),
        ),
        row(
            "a hook misspelled",
            ruleset("", "fn on_elimnated(g, me, foe) { }"),
        ),
        row(
            "a hook of no phase",
            ruleset("", "fn atack_enter(g, me) { }"),
        ),
        row(
            "a hook of a standard phase",
            ruleset("", "fn attack_enter(g, me) { }"),
        ),
        row(
            "a hook with too few parameters",
            ruleset("", "fn on_eliminated(g, me) { }"),
        ),
        row(
            "a verb misspelled",
            ruleset("", "fn on_conquest(g, me, at) { let verb = ATACK; }"),
        ),
        row(
            "a constant misspelled",
            ruleset("", "fn on_conquest(g, me, at) { g.add(me, RESERV, 1); }"),
        ),
        row(
            "a method misspelled",
            ruleset("", "fn on_conquest(g, me, at) { g.shufle(DECK); }"),
        ),
        row(
            "a method with too many arguments",
            ruleset("", "fn on_conquest(g, me, at) { g.armies(at, 3); }"),
        ),
        row(
            "a function misspelled",
            ruleset(
                "",
                "fn on_conquest(g, me, at) { helpr(g); }\nfn helper(g) { }",
            ),
        ),
        row("a variable outside functions", ruleset("", "let x = 3;")),
        row(
            "a table without its function",
            ruleset("    tables: #{ luck: [0..=3] },\n", ""),
        ),
        row(
            "a table that fails",
            ruleset("    tables: #{ luck: [0..=3] },\n", "fn luck(n) { 6 / n }"),
        ),
        row(
            "a table that is no number",
            ruleset(
                "    tables: #{ luck: [0..=3] },\n",
                "fn luck(n) { \"much\" }",
            ),
        ),
        row(
            "a table that asks for the game",
            ruleset(
                "    tables: #{ luck: [0..=3] },\n",
                "fn luck(n) { n.armies(1) }",
            ),
        ),
        row(
            "a table too large",
            ruleset(
                "    tables: #{ luck: [0..=3000000] },\n",
                "fn luck(n) { 1 }",
            ),
        ),
        row(
            "a file that is not there imported",
            ruleset(
                "",
                "import \"helpers\" as h;\nfn on_conquest(g, me, at) { h::x(); }",
            ),
        ),
        row(
            "a file elsewhere imported",
            ruleset("", "import \"/etc/passwd\" as h;"),
        ),
    ];
    insta::assert_snapshot!(check(&rows));
}

#[test]
fn rulesets_at_play() {
    const PLAY: &[&str] = &[
        "play",
        "--quiet",
        "--seed",
        "1",
        "--bot",
        "outnumber",
        "--bot",
        "outnumber",
        "--bot",
        "outnumber",
        "--ruleset",
        "./r.rhai",
    ];
    let run = |name: &'static str, functions: &str| Row {
        name,
        files: vec![("r.rhai", ruleset("", functions))],
        args: PLAY,
    };
    let rows = [
        run(
            "it throws",
            "fn on_conquest(g, me, at) { throw \"not today\"; }",
        ),
        run(
            "it never ends",
            "fn on_conquest(g, me, at) { while true { } }",
        ),
        run(
            "it calls itself",
            "fn on_conquest(g, me, at) { again(g) }\nfn again(g) { again(g) + 1 }",
        ),
        run(
            "it fills the memory",
            "fn on_conquest(g, me, at) { let s = \"x\"; loop { s += s; } }",
        ),
        run(
            "it fails in a function of a function",
            "fn on_conquest(g, me, at) { first(g, at); }\nfn first(g, at) { second(g, at); }\nfn second(g, at) { g.armies(at + 1000); }",
        ),
        run(
            "it takes what is not there",
            "fn on_conquest(g, me, at) { g.add_armies(at, -1000); }",
        ),
        run(
            "a table is asked too far",
            "fn on_conquest(g, me, at) { set_value(5000); }",
        ),
        run(
            "a phase for nobody",
            "fn on_conquest(g, me, at) { g.push(77, me); }",
        ),
        run(
            "a phase for a territory that is not there",
            "fn on_conquest(g, me, at) { g.push(OCCUPY_PHASE, me, [500, 2]); }",
        ),
        Row {
            name: "players fall for ever",
            files: vec![(
                "r.rhai",
                ruleset(
                    "    last_standing: false,\n",
                    "fn on_eliminated(g, me, foe) { let at = g.owned(me)[0]; g.give(at, foe); g.give(at, me); }",
                ),
            )],
            args: PLAY,
        },
        Row {
            name: "a standard phase with a wrong number",
            files: vec![(
                "r.rhai",
                ruleset(
                    "    phases: #{ muster: standard(\"muster\", #{ at_a_time: 0 }) },\n",
                    "",
                ),
            )],
            args: PLAY,
        },
        Row {
            name: "too many armies scattered",
            files: vec![(
                "r.rhai",
                ruleset(
                    "    phases: #{ begin: script() },\n",
                    "fn begin_enter(g, me) { g.scatter(0, 2000000000); }",
                ),
            )],
            args: PLAY,
        },
        Row {
            name: "a map it can't use",
            files: vec![("r.rhai", ruleset("    needs_territories: 100,\n", ""))],
            args: PLAY,
        },
        Row {
            name: "a map without continents",
            files: vec![
                ("r.rhai", ruleset("    needs_continents: true,\n", "")),
                (
                    "m.yaml",
                    "name: m\nterritories:\n  - { id: a, borders: [b] }\n  - { id: b }\n"
                        .to_owned(),
                ),
            ],
            args: &["play", "--ruleset", "./r.rhai", "--map", "./m.yaml"],
        },
    ];
    insta::assert_snapshot!(check(&rows));
}

#[test]
fn plans_and_cards() {
    let starwars = |name: &'static str, functions: &str| {
        let text = format!(
            "fn ruleset() {{ #{{ extends: \"starwars\", name: \"mine\" }} }}\n{functions}\n"
        );
        let args = &[
            "play",
            "--quiet",
            "--seed",
            "1",
            "--ruleset",
            "./r.rhai",
            "--bot",
            "random-action",
            "--bot",
            "random",
        ];
        Row {
            name,
            files: vec![("r.rhai", text)],
            args,
        }
    };
    let rows = [
        Row {
            name: "a map without marks",
            files: vec![],
            args: &["play", "--ruleset", "starwars", "--map", "world"],
        },
        Row {
            name: "too many players",
            files: vec![],
            args: &["play", "--ruleset", "starwars", "--players", "3"],
        },
        starwars(
            "plans that offer",
            "fn action_plans(g, me, out) { out.offer(DONE); }",
        ),
        starwars(
            "options that plan",
            "fn action_options(g, me, out) { out.plan([[DONE]]); }",
        ),
        starwars(
            "a plan without steps",
            "fn action_plans(g, me, out) { out.plan([]); }",
        ),
        starwars(
            "a step that is no array",
            "fn action_plans(g, me, out) { out.plan([DONE]); }",
        ),
        starwars(
            "a step without a verb",
            "fn action_plans(g, me, out) { out.plan([[\"done\"]]); }",
        ),
        starwars(
            "a step with too much",
            "fn action_plans(g, me, out) { out.plan([[DONE, 3]]); }",
        ),
        starwars(
            "a plan that can't be done",
            "fn action_plans(g, me, out) { out.plan([[DONE], [SHIELD]]); }",
        ),
        starwars(
            "planned attacks without ends",
            "fn action_plans(g, me, out) { out.plan_attacks(g, me, [], [DONE], ATTACK, DONE); }",
        ),
        starwars(
            "advances with a slip",
            "fn action_options(g, me, out) { out.advances(g, me, [], #{ foe: MOVE }); }",
        ),
        starwars(
            "an offer without a verb",
            "fn action_options(g, me, out) { out.offer([]); }",
        ),
        starwars(
            "a card with odd data",
            "fn cards(g) { [#{ name: \"a\", kind: REBELS, shows: #{ a: 1 } }] }",
        ),
        starwars(
            "two cards of a name",
            "fn cards(g) { [#{ name: \"a\", kind: REBELS }, #{ name: \"a\", kind: REBELS }] }",
        ),
        starwars(
            "a deck without data",
            "fn cards(g) { [#{ name: \"a\", kind: REBELS }, #{ name: \"b\", kind: EMPIRE }] }",
        ),
    ];
    insta::assert_snapshot!(check(&rows));
}

#[test]
fn bots() {
    const PLAY: &[&str] = &[
        "play",
        "--quiet",
        "--seed",
        "1",
        "--bot",
        "./b.rhai",
        "--bot",
        "outnumber",
        "--bot",
        "outnumber",
        "--record",
        "r.jsonl",
        "--option",
        "max_turns=9",
    ];
    const CHECK: &[&str] = &["bot", "check", "./b.rhai"];
    let row = |name: &'static str, text: &str| Row {
        name,
        files: vec![("b.rhai", text.to_owned())],
        args: CHECK,
    };
    let rows = [
        row("nothing", ""),
        row("a syntax error", "fn answer(view, ask) { ask.random( }"),
        row("answer misspelled", "fn anser(view, ask) { ask.random() }"),
        row(
            "a phase misspelled",
            "fn answer(view, ask) { ask.random() }\nfn atack(view, ask) { ask.random() }",
        ),
        row("a parameter missing", "fn answer(view) { 1 }"),
        row(
            "a method misspelled",
            "fn answer(view, ask) { ask.randm() }",
        ),
        row(
            "a variable misspelled",
            "fn answer(view, ask) { aks.random() }",
        ),
        row(
            "too many arguments",
            "fn answer(view, ask) { view.armies(1, 2) }",
        ),
        row(
            "a method misspelled in a closure",
            "fn answer(view, ask) { [1].map(|at| at.armis()); ask.random() }",
        ),
        row(
            "a closure that looks outside",
            "fn answer(view, ask) { view.owned.map(|at| view.armis(at)); ask.random() }",
        ),
        row(
            "the clock",
            "fn answer(view, ask) { timestamp(); ask.random() }",
        ),
        row(
            "evaluation",
            "fn answer(view, ask) { eval(\"1\"); ask.random() }",
        ),
        row(
            "a change of the game",
            "fn answer(view, ask) { view.add_armies(1, 100); ask.random() }",
        ),
        Row {
            name: "a built-in's name",
            files: vec![(
                "random.rhai",
                "fn answer(view, ask) { ask.random() }".to_owned(),
            )],
            args: &["bot", "check", "./random.rhai"],
        },
        Row {
            name: "a bot misspelled",
            files: vec![],
            args: &["play", "--bot", "greedi"],
        },
        Row {
            name: "no such file",
            files: vec![],
            args: &["play", "--bot", "./mine.rhai"],
        },
        Row {
            name: "a setting misspelled",
            files: vec![],
            args: &["play", "--bot", "nme=a,bot=greedy"],
        },
        Row {
            name: "a bot that breaks before the game",
            files: vec![("b.rhai", "fn answer(view, ask) { ask.randm() }".to_owned())],
            args: PLAY,
        },
    ];
    insta::assert_snapshot!(check(&rows));
}

/// What bots say while they play that is not right, and what the record says of it. All of it ends
/// in the ruleset's way: three strikes, then neutral.
#[test]
fn faults_of_bots() {
    let rows: &[(&str, &str)] = &[
        ("it throws", "fn answer(view, ask) { throw \"no\" }"),
        ("it says nothing", "fn answer(view, ask) { }"),
        ("it says a number", "fn answer(view, ask) { 3 }"),
        (
            "it says what is not offered",
            "fn answer(view, ask) { ask.act(\"claim\", 1000) }",
        ),
        (
            "it misspells a verb",
            "fn answer(view, ask) { ask.act(\"clame\", 1) }",
        ),
        (
            "it forgets a parameter",
            "fn answer(view, ask) { ask.act(\"claim\") }",
        ),
        ("it lists numbers", "fn answer(view, ask) { [1, 2] }"),
        ("it lists nothing", "fn answer(view, ask) { [] }"),
        (
            "it lists too much",
            "fn answer(view, ask) { [ask.nth(0), ask.nth(0)] }",
        ),
        (
            "it plans nothing",
            "fn answer(view, ask) { ask.fight(0, 1) }",
        ),
        (
            "it misspells a rule of a fight",
            "fn answer(view, ask) { ask.fight(0, 1, #{ egde: 1 }) }",
        ),
        ("it never ends", "fn answer(view, ask) { loop { } }"),
        (
            "it never ends in a closure",
            "fn answer(view, ask) { let list = []; list.pad(1000, 1); list.map(|a| { let n = 0; while n < 1000 { n += 1; } n }); ask.random() }",
        ),
        (
            "it calls itself",
            "fn answer(view, ask) { again(1) }\nfn again(n) { again(n + 1) + 1 }",
        ),
        (
            "it doubles a string",
            "fn answer(view, ask) { let s = \"xx\"; loop { s += s; } }",
        ),
        (
            "it pads an array",
            "fn answer(view, ask) { let a = []; a.pad(1000000000, 1); ask.random() }",
        ),
        (
            "it nests arrays",
            "fn answer(view, ask) { let a = [1]; loop { a = [a, a]; } }",
        ),
        (
            "it fills a map",
            "fn answer(view, ask) { let m = #{}; let n = 0; loop { m[`k${n}`] = n; n += 1; } }",
        ),
        (
            "it fills a map with strings",
            "fn answer(view, ask) { let s = \"\"; s.pad(3900, 'x'); let m = #{}; let n = 0; loop { m[`k${n}`] = s + n; n += 1; } }",
        ),
        (
            "it fills a map with arrays",
            "fn answer(view, ask) { let a = []; a.pad(9000, 1); let m = #{}; let n = 0; loop { m[`k${n}`] = a; n += 1; } }",
        ),
        (
            "it divides by nothing",
            "fn answer(view, ask) { 1 / (view.me - view.me) }",
        ),
        (
            "it counts beyond the end",
            "fn answer(view, ask) { let n = 9223372036854775807; n + 1 }",
        ),
        (
            "it reads beyond an array",
            "fn answer(view, ask) { view.owned[99] }",
        ),
        (
            "it asks for land that is not there",
            "fn answer(view, ask) { view.armies(-1) }",
        ),
        (
            "it misspells a counter",
            "fn answer(view, ask) { view.get(\"reserv\") }",
        ),
        (
            "it looks into the deck",
            "fn answer(view, ask) { view.cards(\"deck\") }",
        ),
        (
            "it misspells a parameter",
            "fn answer(view, ask) { ask.nth(0).too }",
        ),
        (
            "its memory is misspelled",
            "fn answer(view, ask) { this.turn + 1 }",
        ),
        (
            "its start fails",
            "fn new_game(view) { throw \"not ready\" }\nfn answer(view, ask) { throw \"again\" }",
        ),
        (
            "it prints control characters",
            "fn answer(view, ask) { throw \"\\x1b[2J\" }",
        ),
    ];
    let mut text = String::new();
    for (name, bot) in rows {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("b.rhai"), bot).unwrap();
        let args = words(
            "play --quiet --seed 1 --bot ./b.rhai --bot random --bot random --record r.jsonl --option max_turns=3",
        );
        let ran = run_in(folder.path(), &args);
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
        assert!(ran.out.contains("neutral"), "{name}: {}", ran.out);
        let record = std::fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
        let faults: Vec<&str> = record
            .lines()
            .filter(|line| line.contains("\"fault\""))
            .collect();
        assert_eq!(faults.len(), 3, "{name}: three strikes");
        assert!(
            !ran.out.contains('\u{1b}') && !record.contains('\u{1b}'),
            "{name}"
        );
        writeln!(text, "### {name}\n{bot}\n{}\n", without_sum(faults[0])).unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn arguments() {
    let rows = [
        Row {
            name: "an option misspelled",
            files: vec![],
            args: &["play", "--option", "roundign=floor"],
        },
        Row {
            name: "an option without a value",
            files: vec![],
            args: &["play", "--option", "rounding"],
        },
        Row {
            name: "an option's value",
            files: vec![],
            args: &["play", "--option", "rounding=up"],
        },
        Row {
            name: "an option out of range",
            files: vec![],
            args: &["play", "--option", "forced_trade_at=2"],
        },
        Row {
            name: "an option twice",
            files: vec![],
            args: &["play", "--option", "sixth_set=1", "--option", "sixth_set=2"],
        },
        Row {
            name: "a preset misspelled",
            files: vec![],
            args: &["play", "--option", "preset=upsteam"],
        },
        Row {
            name: "too many bots",
            files: vec![],
            args: &[
                "play",
                "--players",
                "3",
                "--bot",
                "random",
                "--bot",
                "random",
                "--bot",
                "random",
                "--bot",
                "random",
            ],
        },
        Row {
            name: "too many players",
            files: vec![],
            args: &["play", "--players", "7"],
        },
        Row {
            name: "no players",
            files: vec![],
            args: &["play", "--players", "0"],
        },
        Row {
            name: "a ruleset misspelled",
            files: vec![],
            args: &["play", "--ruleset", "hasbor"],
        },
        Row {
            name: "a policy misspelled",
            files: vec![],
            args: &["play", "--on-fault", "skipp"],
        },
        Row {
            name: "a policy without its hook",
            files: vec![("b.rhai", "fn answer(view, ask) { 1 }".to_owned())],
            args: &[
                "play",
                "--quiet",
                "--seed",
                "1",
                "--on-fault",
                "hook",
                "--strikes",
                "1",
                "--bot",
                "./b.rhai",
            ],
        },
        Row {
            name: "a record of many games",
            files: vec![],
            args: &["play", "--games", "2", "--record", "x.jsonl"],
        },
        Row {
            name: "a record that can't be written",
            files: vec![],
            args: &["play", "--quiet", "--record", "none/x.jsonl"],
        },
        Row {
            name: "odds of too many",
            files: vec![],
            args: &["odds", "2000", "1"],
        },
        Row {
            name: "a command misspelled",
            files: vec![],
            args: &["plya"],
        },
        Row {
            name: "a folder for a map",
            files: vec![],
            args: &["play", "--map", "./"],
        },
        Row {
            name: "a map that is not text",
            files: vec![("m.yaml", "name: \u{feff}".to_owned())],
            args: &["map", "validate", "m.yaml"],
        },
    ];
    insta::assert_snapshot!(check(&rows));
}
