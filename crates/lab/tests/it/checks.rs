//! What checks of rulesets and bots find: codes and places.

use risk_engine::Library;
use risk_lab::check::{self, BotTrial, Report};
use risk_maps::files::FileKind;
use risk_testing::games::library;
use risk_text::diag::Level;

/// Returns the built-in files, and a script under the name `mine`.
fn with(kind: FileKind, text: &str) -> Library {
    Library::new(|of| {
        let names = library().names(of).into_iter();
        let files = names.map(|name| {
            (
                name.to_owned(),
                library().text(of, name).unwrap().to_owned(),
            )
        });
        let own = (of == kind).then(|| ("mine".to_owned(), text.to_owned()));
        files.chain(own).collect()
    })
}

fn found(report: &Report) -> Vec<(&str, Level, Option<&str>)> {
    let all = report.findings.iter();
    all.map(|finding| {
        let place = finding.place.as_ref();
        let at = place.map(|place| &place.file.text[place.start..place.start + place.len]);
        (finding.code.as_str(), finding.level, at)
    })
    .collect()
}

fn ruleset(text: &str, games: u64) -> Report {
    let library = with(FileKind::Ruleset, text);
    check::ruleset(&library, "mine", Some(games), &mut |_, _| {})
}

fn bot(text: &str) -> Report {
    let trial = BotTrial {
        ruleset: "codelab",
        alone: true,
        against: "random",
        games: Some(0),
    };
    check::bot(&with(FileKind::Bot, text), "mine", &trial)
}

/// A function with a table's name and another number of parameters is no entry of the table.
#[test]
fn a_table_has_its_parameters() {
    let head = "fn ruleset() { #{ extends: \"hasbro\", name: \"mine\", about: \"x\" } }\n";
    for function in ["income(land, bonus)", "attack_dice(n, at)", "is_set()"] {
        let report = ruleset(&format!("{head}fn {function} {{ 3 }}"), 0);
        let name = function.split('(').next();
        let expected = [("ruleset::table", Level::Deny, name)];
        assert_eq!(found(&report), expected, "{function}");
    }
    // A function of its own may share the name if the script calls it.
    let calls = "fn twice(n) { income(n, 2) }
        fn income(land, times) { land * times }
        fn on_conquest(g, me, at) { g.add(me, RESERVE, twice(1)); }";
    assert_eq!(found(&ruleset(&format!("{head}{calls}"), 0)), []);
}

/// An inherited range may be too short for the function that replaces its base's.
#[test]
fn inherited_ranges_cut_no_function_unseen() {
    let rules = |tables: &str, function: &str| {
        let text = format!(
            "fn ruleset() {{ #{{ extends: \"hasbro\", name: \"mine\", about: \"x\"{tables} }} }}\n\
             fn {function}"
        );
        ruleset(&text, 0)
    };
    let cut = rules("", "defend_dice(n) { min(n, 3) }");
    let expected = [("ruleset::table-range", Level::Warn, Some("defend_dice"))];
    assert_eq!(found(&cut), expected);
    let help = cut.findings[0].help.as_ref().unwrap();
    assert!(help.contains("defend_dice: [0..=3]"), "{help}");
    let wide = ", tables: #{ defend_dice: [0..=3] }";
    assert_eq!(found(&rules(wide, "defend_dice(n) { min(n, 3) }")), []);
    assert_eq!(found(&rules("", "defend_dice(n) { min(n, 2) }")), []);
    assert_eq!(
        found(&rules("", "attack_dice(n) { if n > 3 { throw 1 } n }")),
        []
    );
}

/// A phase without an end is an error, even where `max_turns` limits the turns.
#[test]
fn phases_that_never_end_are_errors() {
    let rules = |apply: &str| {
        let text = format!(
            "fn ruleset() {{ #{{ extends: \"codelab\", name: \"mine\", about: \"x\", \
             verbs: #{{ wait: #{{}} }}, phases: #{{ waiting: script() }}, \
             turn: [\"income\", \"waiting\", \"turn_end\"], max_turns: 20 }} }}\n\
             fn waiting_options(g, me, out) {{ out.offer(WAIT); }}\n\
             fn waiting_apply(g, me, said) {{ {apply} }}\n\
             fn on_fault_out(g, who) {{ }}\n"
        );
        ruleset(&text, 2)
    };
    let report = rules("");
    let endless = report
        .findings
        .iter()
        .find(|it| it.code == "trial::endless");
    let endless = endless.unwrap();
    assert_eq!(endless.level, Level::Deny);
    let place = endless.place.as_ref().unwrap();
    assert_eq!(
        &place.file.text[place.start..place.start + place.len],
        "waiting_apply"
    );
    let help = endless.help.as_ref().unwrap();
    assert!(
        help.contains("turn 1 ") && help.contains("`waiting`"),
        "{help}"
    );
    assert!(help.contains("`wait`"), "{help}");
    let fine = rules("g.done(me);");
    assert!(fine.findings.iter().all(|it| it.code != "trial::endless"));
}

/// The reason of an end needs a sentence for readers, and a sentence needs an end.
#[test]
fn endings_are_declared_and_used() {
    let rules = |endings: &str, reason: &str| {
        let text = format!(
            "fn ruleset() {{ #{{ extends: \"codelab\", name: \"mine\", about: \"x\", \
             endings: #{{ {endings} }} }} }}\n\
             fn on_conquest(g, me, at) {{ g.end({reason}, [me]); }}\n"
        );
        ruleset(&text, 0)
    };
    let time = "timeout: \"the time is up\"";
    assert_eq!(found(&rules(time, "\"timeout\"")), []);
    assert_eq!(found(&rules("", "\"draw\"")), []);
    assert_eq!(found(&rules("conquest: \"all is lost\"", "\"limit\"")), []);
    let unknown = rules(time, "\"time_out\"");
    let expected = [
        ("ruleset::unused", Level::Warn, Some("timeout")),
        ("ruleset::ending", Level::Warn, Some("\"")),
    ];
    assert_eq!(found(&unknown), expected);
    let help = unknown.findings[1].help.as_ref().unwrap();
    assert!(help.contains("`timeout`"), "{help}");
}

/// Helpers get the hooks' parameters, and are checked as closely.
#[test]
fn mistakes_in_helpers_are_found() {
    let unknown = |text: &str, name: &str| {
        let expected = [("script::unknown-property", Level::Deny, Some(name))];
        assert_eq!(found(&bot(text)), expected, "{text}");
    };
    unknown("fn answer(view, ask) { ask.nth(ask.count) }", "count");
    unknown(
        "fn answer(view, ask) { last(ask) }\nfn last(asked) { asked.nth(asked.count) }",
        "count",
    );
    // What nothing sets can't grow, although other values have a property `count`.
    unknown(
        "fn answer(view, ask) { this.count += 1; ask.random() }",
        "count",
    );
    unknown(
        "fn new_game(view) { this.turns = 0; }\nfn answer(view, ask) { this[\"turn\"] += 1; ask.random() }",
        "\"",
    );
    // Mappings of map files have keys that the script doesn't set, but slips are still found.
    let reads = |key: &str| {
        format!(
            "fn answer(view, ask) {{ let crop = view.map_data(\"crop\"); ask.nth(crop.{key}) }}"
        )
    };
    assert_eq!(found(&bot(&reads("every"))), []);
    unknown(&reads("option"), "option");
    let fine = "fn new_game(view) { this.turns = 0; }
        fn answer(view, ask) { this.turns += 1; first(#{ count: 3 }, ask) }
        fn first(plan, ask) { if plan.count > 2 { ask.random() } else { ask.nth(0) } }";
    assert_eq!(found(&bot(fine)), []);
}

/// A check of a slow ruleset can show how far it is.
#[test]
fn trials_report_each_game() {
    let mut seen = Vec::new();
    let report = check::ruleset(library(), "codelab", Some(3), &mut |done, all| {
        seen.push((done, all))
    });
    assert!(!report.fails(), "{:?}", report.findings);
    let all = seen[0].1;
    assert_eq!(seen[..3], [(1, all), (2, all), (3, all)]);
    assert_eq!(seen.last(), Some(&(all, all)));
}

/// Code that is allowed, and to which a check has no objection.
const FINE: [(&str, &str); 1] = [(
    "a variable in capitals",
    "let N = 0; N += 1; if N > 2 { return ask.nth(0); }",
)];

#[test]
fn what_is_allowed_is_not_refused() {
    for (name, body) in FINE {
        let text = format!("fn answer(view, ask) {{ {body} ask.random() }}\n");
        for ruleset in ["hasbro", "codelab"] {
            let trial = BotTrial {
                ruleset,
                alone: false,
                against: "random",
                games: Some(1),
            };
            let report = check::bot(&with(FileKind::Bot, &text), "mine", &trial);
            assert_eq!(found(&report), [], "{name}: {ruleset}");
        }
    }
}

#[test]
fn a_table_of_a_fight_has_its_parameters() {
    let text = "fn ruleset() { #{ extends: \"hasbro\", name: \"flat\", about: \"x\",
            tables: #{ pair_won: [1..=6] } } }
        fn pair_won(attack) { 1 }";
    let report = ruleset(text, 0);
    let [finding] = &report.findings[..] else {
        panic!("{:?}", report.findings)
    };
    assert!(report.fails() && finding.code == "ruleset::table");
    let named = finding.text.contains("`pair_won`") && finding.text.contains('2');
    assert!(named, "{finding}");
}

/// A game in which each player picks a number and has this score. The higher one wins.
fn picks(scored: &str) -> Library {
    let text = format!(
        r#"fn ruleset() {{ #{{
            name: "picks", players: [2, 2], map: "grid:2x1", units: ["army"],
            counters: #{{ picked: "all" }}, verbs: #{{ pick: #{{ side: "count" }} }},
            phases: #{{ choice: script() }}, turn: ["choice"], endings: #{{ over: "both have picked" }},
        }} }}
        fn setup(g) {{ g.deal(); g.next_turn(NOBODY); }}
        fn choice_options(g, me, out) {{ out.offer(PICK, 0..=9); }}
        fn choice_apply(g, me, said) {{
            g.set(me, PICKED, {scored});
            g.done(me);
            if g.turn == 1 {{ g.next_turn(me); return; }}
            let lead = g.get(0, PICKED) - g.get(1, PICKED);
            g.end("over", if lead == 0 {{ [0, 1] }} else if lead > 0 {{ [0] }} else {{ [1] }});
        }}"#
    );
    with(FileKind::Ruleset, &text)
}

#[test]
fn bots_are_compared() {
    let compared = |scored: &str, jobs: usize| {
        let library = picks(scored);
        let mut report = check::ruleset(&library, "mine", Some(0), &mut |_, _| {});
        let mut played = 0;
        report.compare_bots(&library, 36, jobs, |games| played = games);
        assert_eq!(found(&report), []);
        assert_eq!(played, 36);
        report.opponents.unwrap()
    };
    let all = compared("said.side", 1);
    assert_eq!(
        format!("{all:?}"),
        format!("{:?}", compared("said.side", 2))
    );
    assert_eq!(all.best().unwrap().bot, "search:quick");
    // `general` is not made for these rules.
    let mut bots: Vec<&str> = all
        .results
        .iter()
        .map(|result| result.bot.as_str())
        .collect();
    bots.sort_unstable();
    assert_eq!(bots, ["holder", "outnumber", "random", "search:quick"]);
    let games: u64 = all.results.iter().map(|result| result.games).sum();
    let wins: f64 = all.results.iter().map(|result| result.wins).sum();
    assert_eq!((games, wins), (2 * 36, 36.0));
    // Where every pick is as good as any, no bot is proposed.
    assert!(compared("1", 1).best().is_none());
}

/// A ruleset that fails in these games is reported, with the place.
#[test]
fn a_failed_comparison_is_a_finding() {
    let library = picks("{ throw \"no\" }");
    let mut report = check::ruleset(&library, "mine", Some(0), &mut |_, _| {});
    report.compare_bots(&library, 4, 1, |_| {});
    assert!(report.fails());
    assert_eq!(found(&report)[0].0, "script::failed");
    assert!(report.findings[0].place.is_some());
    let alone = r#"fn ruleset() { #{
        name: "mine", players: [1, 1], map: "grid:2x1", units: ["army"], verbs: #{ win: #{} },
        phases: #{ choice: script() }, turn: ["choice"], endings: #{ over: "it is over" },
    } }
    fn setup(g) { g.deal(); g.next_turn(NOBODY); }
    fn choice_options(g, me, out) { out.offer(WIN); }
    fn choice_apply(g, me, said) { g.done(me); g.end("over", [me]); }"#;
    let library = with(FileKind::Ruleset, alone);
    let mut report = check::ruleset(&library, "mine", Some(0), &mut |_, _| {});
    report.compare_bots(&library, 4, 1, |_| {});
    assert_eq!(found(&report)[0].0, "ruleset::players");
    assert!(report.opponents.is_none());
}

/// A territory that is given away is lost before the player's later orders.
#[test]
fn orders_that_always_fail_are_reported() {
    let with = |last: &str| {
        format!(
            r#"fn ruleset() {{ #{{
                name: "mine", about: "x", players: [2, 2], map: "grid:3x2", units: ["army"],
                verbs: #{{ leave: #{{ at: "territory" }}, drill: #{{ at: "territory" }}, done: #{{}} }},
                phases: #{{
                    orders: secret(standard("orders", #{{
                        orders: [#{{ verb: "leave"{last} }}, #{{ verb: "drill" }}],
                    }})),
                    execution: standard("execution", #{{ classes: [["leave"], ["drill"]] }}),
                }},
                turn: ["orders", "execution"], max_turns: 40, last_standing: true,
                tables: #{{ kill_percent: [0..=1], kill_luck: [0..=0], kill_weighted: [0..=0] }},
            }} }}
            fn setup(g) {{ g.deal(); g.next_round(); }}
            fn kill_percent(side) {{ 60 }}
            fn kill_luck(n) {{ 100 }}
            fn kill_weighted(n) {{ 0 }}
            fn execution_play(g, who, order) {{
                if g.owner(order.at) != who {{ g.say(who, "has lost it"); return; }}
                if order.verb == LEAVE {{ g.give(order.at, NOBODY); }} else {{ g.add_armies(order.at, 1); }}
            }}"#
        )
    };
    let warnings = |text: &str| {
        let report = ruleset(text, 40);
        let all = report.findings.iter();
        let such = all.filter(|finding| finding.code == "trial::never-executed");
        such.map(|finding| finding.text.clone()).collect::<Vec<_>>()
    };
    let found = warnings(&with(""));
    assert_eq!(found.len(), 2, "{found:?}");
    for verb in ["drill", "leave"] {
        let what = format!("`{verb}` after an order `leave`");
        assert!(found.iter().any(|text| text.contains(&what)), "{found:?}");
    }
    assert_eq!(warnings(&with(", last: true")), [""; 0]);
}
