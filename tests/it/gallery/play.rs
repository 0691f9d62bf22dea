//! Rulesets that fail in the middle of a game.

use super::{Row, check, ruleset};

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

fn run(name: &'static str, functions: &str) -> Row<'static> {
    Row {
        name,
        files: vec![("r.rhai", ruleset("", functions))],
        args: PLAY,
    }
}

#[test]
fn rulesets_at_play() {
    let rows: Vec<_> = [hooks(), rules()].into_iter().flatten().collect();
    insta::assert_snapshot!(check(&rows));
}

fn hooks() -> Vec<Row<'static>> {
    vec![
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
    ]
}

/// Rulesets that don't fit their game, their phases or their map.
fn rules() -> Vec<Row<'static>> {
    vec![
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
    ]
}

/// A Star Wars game with these functions; its bots answer with whole cards and single steps.
fn starwars(name: &'static str, functions: &str) -> Row<'static> {
    let text =
        format!("fn ruleset() {{ #{{ extends: \"starwars\", name: \"mine\" }} }}\n{functions}\n");
    Row {
        name,
        files: vec![("r.rhai", text)],
        args: &[
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
        ],
    }
}

#[test]
fn plans_and_cards() {
    let rows: Vec<_> = [plans(), offers_and_cards(), picked_territories()]
        .into_iter()
        .flatten()
        .collect();
    insta::assert_snapshot!(check(&rows));
}

/// Maps that list the territories of a raid, with invalid values.
fn picked_territories() -> Vec<Row<'static>> {
    let rows = [
        ("owners that are no array", "#{ owners: REBELS }"),
        ("an owner who is no player", "#{ owners: [REBELS, 2] }"),
        ("a unit that there is not", "#{ unit: 6 }"),
        (
            "a mark that is no text",
            "#{ owners: [NOBODY], unmarked: 7 }",
        ),
        ("a misspelled key", "#{ owner: [NOBODY] }"),
        ("neither an array nor a map", "\"rebels\""),
    ];
    rows.map(|(name, to)| {
        let raid = format!("#{{ step: MOVE, from: [0], to: {to}, kind: TIE, stop: DONE }}");
        let plans = format!("fn action_plans(g, me, out) {{ out.raids(g, {raid}); }}");
        starwars(name, &plans)
    })
    .into()
}

/// Maps and players that don't fit Star Wars, and invalid plans.
fn plans() -> Vec<Row<'static>> {
    vec![
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
    ]
}

fn offers_and_cards() -> Vec<Row<'static>> {
    vec![
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
    ]
}
