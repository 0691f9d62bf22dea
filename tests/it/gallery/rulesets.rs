//! Invalid rulesets, and the messages about them.

use super::{Row, check, ruleset};

fn row(name: &'static str, text: String) -> Row<'static> {
    Row {
        name,
        files: vec![("r.rhai", text)],
        args: &["ruleset", "check", "./r.rhai"],
    }
}

#[test]
fn mistakes_in_rulesets() {
    let rows: Vec<_> = [
        declarations(),
        options_and_sentences(),
        texts_for_people(),
        names_and_phases(),
        orders(),
        functions(),
        tables_and_imports(),
    ]
    .into_iter()
    .flatten()
    .collect();
    insta::assert_snapshot!(check(&rows));
}

fn declarations() -> Vec<Row<'static>> {
    vec![
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
    ]
}

fn options_and_sentences() -> Vec<Row<'static>> {
    vec![
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
            "a value outside its range",
            ruleset(
                "    options: #{ gold: #{ value: 12, range: 0..=9 } },\n",
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
    ]
}

fn texts_for_people() -> Vec<Row<'static>> {
    let long = "x".repeat(61);
    vec![
        row("rules that are a number", ruleset("    rules: 3,\n", "")),
        row(
            "rules that are too long",
            ruleset(&format!("    rules: \"{}\",\n", "word ".repeat(820)), ""),
        ),
        row(
            "a title that is too long",
            ruleset(
                &format!("    units: [#{{ name: \"army\", title: \"{long}\" }}],\n"),
                "",
            ),
        ),
        row(
            "an unknown key of a unit",
            ruleset("    units: [#{ name: \"army\", titel: \"Army\" }],\n", ""),
        ),
        row(
            "a plural of a kind of card",
            ruleset(
                "    card_kinds: [#{ name: \"land\", plural: \"lands\" }],\n",
                "",
            ),
        ),
        row(
            "a unit without a name",
            ruleset("    units: [#{ title: \"Army\" }],\n", ""),
        ),
        row(
            "a state with an unknown placeholder",
            ruleset(
                "    counters: #{ gold: #{ seen: \"all\", state: \"{nwo} gold\" } },\n",
                "",
            ),
        ),
        row(
            "one form for two numbers",
            ruleset(
                "    counters: #{ gold: #{ seen: \"all\", state: \"{now:coin}\" } },\n",
                "",
            ),
        ),
        row(
            "a title of a counter",
            ruleset(
                "    counters: #{ gold: #{ seen: \"all\", title: \"coins\" } },\n",
                "",
            ),
        ),
        row(
            "a card's title with two lines",
            ruleset(
                "    card_kinds: [\"land\"],\n",
                "fn cards(g) { [#{ name: \"a\", kind: LAND, title: \"a\\nb\" }] }\n",
            ),
        ),
    ]
}

fn names_and_phases() -> Vec<Row<'static>> {
    vec![
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
    ]
}

/// The standard phases `orders` and `execution`.
fn orders() -> Vec<Row<'static>> {
    let phase = |name, phase: &str, functions: &str| {
        row(
            name,
            ruleset(&format!("    phases: #{{ {phase} }},\n"), functions),
        )
    };
    let listed = |name, order: &str| {
        let orders = format!("orders: standard(\"orders\", #{{ orders: [{order}] }})");
        phase(name, &orders, "")
    };
    let executed = |name, settings: &str| {
        let execution = format!("execution: standard(\"execution\", #{{ {settings} }})");
        phase(name, &execution, "")
    };
    vec![
        phase("orders without a list", "orders: standard(\"orders\")", ""),
        phase(
            "orders that are no list",
            "orders: standard(\"orders\", #{ orders: #{ verb: \"place\" } })",
            "",
        ),
        listed("an order that is a word", "\"place\""),
        listed("an order nested too deep", "#{ verb: [[[\"place\"]]] }"),
        listed(
            "an order twice",
            "#{ verb: \"attack\", to: \"foes\" }, #{ verb: \"attack\", to: \"own\" }",
        ),
        listed(
            "an order of an unknown verb",
            "#{ verb: \"atack\", to: \"foes\" }",
        ),
        listed(
            "an order to nowhere",
            "#{ verb: \"attack\", to: \"everywhere\" }",
        ),
        listed(
            "an order with an unknown key",
            "#{ verb: \"place\", spend: \"reserve\" }",
        ),
        listed(
            "an order that spends an unknown counter",
            "#{ verb: \"place\", spends: \"reserv\" }",
        ),
        listed("armies placed for nothing", "#{ verb: \"place\" }"),
        listed(
            "an order at once without its hook",
            "#{ verb: \"pass\", at_once: true }",
        ),
        executed("classes without lists", "classes: [\"place\"]"),
        executed(
            "a verb in two classes",
            "classes: [[\"place\"], [\"place\"]]",
        ),
        executed(
            "a class without the hook that it needs",
            "classes: [[\"claim\"]]",
        ),
        executed("unknown movers", "classes: [], movers: \"anybody\""),
        executed("an execution without its tables", "classes: [[\"place\"]]"),
        row(
            "chances beyond all",
            ruleset(
                "    tables: #{ kill_percent: [0..=1], kill_luck: [0..=0], kill_weighted: [0..=0] },\n    \
                 phases: #{ execution: standard(\"execution\", #{ classes: [] }) },\n",
                "fn kill_percent(side) { 150 }\nfn kill_luck(any) { 0 }\nfn kill_weighted(any) { 0 }",
            ),
        ),
        phase(
            "a hook that plays orders of a script's own phase",
            "deploy: script()",
            "fn deploy_enter(g, me) { }\nfn deploy_play(g, me, order) { }",
        ),
    ]
}

/// Functions that are missing, misspelled or of the wrong shape.
fn functions() -> Vec<Row<'static>> {
    vec![
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
    ]
}

fn tables_and_imports() -> Vec<Row<'static>> {
    vec![
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
    ]
}
