//! Script calls that are easy to get wrong, and what `play` and `check` make of the players.

use std::path::Path;

use serde_json::Value;

use crate::programs::Program;
use crate::support::{RunOutput, run, run_in, words};

fn with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn play(folder: &Path, line: &str) -> RunOutput {
    run_in(folder, &words(&format!("play --quiet --seed 3 {line}")))
}

/// The hook `cards(g)` does not hide the function `g.cards(pile)`.
#[test]
fn piles_of_the_table_are_read() {
    let rules = "fn ruleset() { #{ extends: \"hasbro\", name: \"mine\" } }
        fn cards(g) { base::cards(g) }
        fn on_conquest(g, me, at) {
            let deck = g.cards(DECK);
            if deck.is_empty() { return; }
            if deck != g.cards(TABLE, DECK) { throw \"cards\"; }
            if !g.has_card(TABLE, DECK, deck[0]) || g.has_card(TABLE, DISCARD, deck[0]) { throw \"has_card\"; }
            if g.top(TABLE, DECK) != deck[deck.len() - 1] || g.count(TABLE, DECK) != deck.len() { throw \"top\"; }
            g.set(TABLE, RESERVE, 3); g.add(TABLE, RESERVE, 1);
            if g.get(TABLE, RESERVE) != 4 || g.get(RESERVE) != 4 { throw \"counter\"; }
            g.shuffle(TABLE, DECK);
            let card = g.draw(TABLE, DECK, DISCARD);
            if g.top(TABLE, DISCARD) != card { throw \"draw\"; }
            debug(\"read\");
        }";
    let bot = "fn answer(view, ask) {
            let cards = view.cards(TABLE, \"discard\");
            if cards.len() != view.count(TABLE, \"discard\") { throw \"discard\"; }
            if !cards.is_empty() { debug(\"seen\"); }
            ask.random()
        }";
    let folder = with(&[("r.rhai", rules), ("b.rhai", bot)]);
    let ran = play(
        folder.path(),
        "--ruleset ./r.rhai --bot ./b.rhai --bot odds --bot odds -o max_turns=30",
    );
    assert!(
        ran.code == 0 && ran.err.contains("read") && ran.err.contains("seen"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("script::"), "{}", ran.err);
    for call in ["g.cards(-2, DECK)", "g.draw(TABLE, DECK, DECK)"] {
        let text = format!(
            "fn ruleset() {{ #{{ extends: \"hasbro\", name: \"mine\" }} }}\nfn on_conquest(g, me, at) {{ {call}; }}"
        );
        let folder = with(&[("r.rhai", &text)]);
        let ran = play(folder.path(), "--ruleset ./r.rhai");
        ran.refuses(3, "script::failed");
        assert_eq!(ran.places(), ["./r.rhai:2:31"], "{call}: {}", ran.err);
    }
    let peek = "fn answer(view, ask) { view.cards(TABLE, \"deck\"); ask.random() }";
    let folder = with(&[("b.rhai", peek)]);
    let ran = play(
        folder.path(),
        "--bot ./b.rhai --bot odds --bot odds -o max_turns=3",
    );
    ran.refuses(0, "script::failed");
    assert_eq!(ran.places(), ["./b.rhai:1:29"], "{}", ran.err);
}

fn names(ran: &RunOutput) -> Vec<String> {
    let value: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
    value["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| player["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn empty_seats_are_filled_as_the_ruleset_says() {
    let folder = with(&[]);
    for (line, players, note) in [
        ("", "holder, odds, outnumber", ""),
        ("--ruleset warzone -o max_turns=2", "marshal, marshal 2", ""),
        ("--ruleset starwars", "admiral, admiral 2", ""),
        (
            "--bot greedy --bot random",
            "greedy, random, holder",
            "hasbro, 3 to 6, holder",
        ),
        (
            "--bot greedy --bot random -p 3",
            "greedy, random, holder",
            "",
        ),
        (
            "--bot greedy --bot random -o two_players=true",
            "greedy, random",
            "",
        ),
        ("-o two_players=true", "holder, odds", ""),
        (
            "--bot greedy -o two_players=true",
            "greedy, holder",
            "hasbro, 2 to 6, holder",
        ),
    ] {
        let ran = play(folder.path(), &format!("{line} --format json"));
        assert_eq!(names(&ran).join(", "), players, "{line}");
        assert_eq!(ran.err.is_empty(), note.is_empty(), "{line}: {}", ran.err);
        for fact in note.split(", ") {
            assert!(ran.err.contains(fact), "{line}: {}", ran.err);
        }
    }
    let arena = Program::arena(
        folder.path(),
        "--protocol hacker-risk --players 2 --bot greedy -o two_players=true",
    );
    assert!(arena.said().contains("hasbro on hacker-risk"));
}

/// The bots that a ruleset names are checked on loading, and shown.
#[test]
fn a_ruleset_names_its_bots() {
    for (bots, code) in [
        ("[\"greedi\"]", "ruleset::bots"),
        ("\"greedy\"", "ruleset::value"),
        ("[]", "ruleset::value"),
        ("[3]", "ruleset::value"),
    ] {
        let text =
            format!("fn ruleset() {{ #{{ extends: \"codelab\", name: \"mine\", bots: {bots} }} }}");
        let folder = with(&[("r.rhai", &text)]);
        let ran = run_in(folder.path(), &words("ruleset show ./r.rhai"));
        ran.refuses(2, code);
        assert_eq!(ran.places(), ["./r.rhai:1:53"], "{bots}: {}", ran.err);
    }
    for (advice, code) in [
        ("\"greedi\"", "ruleset::bots"),
        ("\"\"", "ruleset::value"),
        ("[\"greedy\"]", "ruleset::value"),
    ] {
        let text = format!(
            "fn ruleset() {{ #{{ extends: \"codelab\", name: \"mine\", advice: {advice} }} }}"
        );
        let folder = with(&[("r.rhai", &text)]);
        let ran = run_in(folder.path(), &words("ruleset show ./r.rhai"));
        ran.refuses(2, code);
        assert_eq!(ran.places(), ["./r.rhai:1:53"], "{advice}: {}", ran.err);
    }
    let folder = with(&[(
        "r.rhai",
        "fn ruleset() { #{ extends: \"codelab\", name: \"mine\", bots: [\"greedy\"] } }",
    )]);
    let shown = run_in(folder.path(), &words("ruleset show ./r.rhai")).out;
    assert!(shown.contains(": greedy\n"), "{shown}");
    assert_eq!(
        names(&play(folder.path(), "--ruleset ./r.rhai --format json")),
        ["greedy", "greedy 2"]
    );
    let shown = run(&words("ruleset show scored")).out;
    assert!(
        shown.contains(": holder, odds, outnumber, random\n"),
        "{shown}"
    );
}

/// The command in a finding works with the user's files, under any name.
#[test]
fn the_command_of_a_finding_needs_no_other_file() {
    let bot = "fn answer(view, ask) { if view.turn > 2 { throw \"no more\"; } ask.random() }";
    let rules = "fn ruleset() { #{ extends: \"hasbro\", name: \"mine\" } }\nfn on_neutral(g, who) { g.armies(who - 100); }";
    for (file, text, kind, at) in [
        ("broken.rhai", bot, "bot", "1:43"),
        ("faulty-one.rhai", bot, "bot", "1:43"),
        ("rules.rhai", rules, "ruleset", "2:27"),
    ] {
        let folder = with(&[(file, text)]);
        let ran = run_in(
            folder.path(),
            &words(&format!("{kind} check ./{file} --games 2")),
        );
        ran.refuses(1, "script::failed");
        let command = ran
            .err
            .split('`')
            .find_map(|said| said.strip_prefix("risk-cli play "))
            .unwrap();
        let again = run_in(folder.path(), &words(&format!("play --quiet {command}")));
        assert_eq!(
            again.codes(),
            ["script::failed"],
            "{command}: {}",
            again.err
        );
        let place = format!("./{file}:{at}");
        assert_eq!(again.places(), [place.as_str()], "{command}");
    }
}

#[test]
fn a_profile_counts_calls() {
    let bot = "fn twice(x) { x * 2 }
fn nothing() { }
fn down(n) { if n > 0 { down(n - 1) } else { 0 } }
fn deploy(view, ask) { twice(twice(twice(1))); ask.random() }
fn attack(view, ask) {
    let list = [1, 2, 3].map(|x| twice(x));
    list.sort(|a, b| twice(a) - twice(b));
    for i in 0..4 { twice(i); }
    let sum = twice(1) + twice(2);
    down(5);
    ask.act(\"done\")
}
fn answer(view, ask) { ask.random() }
";
    let folder = with(&[("b.rhai", bot)]);
    let ran = play(
        folder.path(),
        "--profile --bot ./b.rhai --bot random --bot random -o max_turns=9",
    );
    let table = ran
        .out
        .split("── ")
        .find(|part| part.starts_with("functions"))
        .unwrap_or_else(|| panic!("{}{}", ran.out, ran.err));
    let calls = |name: &str| -> u64 {
        let line = table
            .lines()
            .find(|line| line.contains(&format!(" calls  {name} ")))
            .unwrap_or_else(|| panic!("{name}: {table}"));
        words(line)[2].parse().unwrap()
    };
    let deploys = calls("deploy");
    let attacks = calls("attack");
    assert!(deploys > 0 && attacks > 0, "{table}");
    // Sorting three numbers that are in order takes three comparisons, of two calls each.
    let sorted = calls("twice") - 3 * deploys - 9 * attacks;
    assert_eq!(sorted, 3 * 2 * attacks, "{table}");
    assert_eq!(calls("down"), 6 * attacks, "{table}");
}

/// Returns the number and words of each decision by a seat that begins with the verb.
fn says(record: &str, seat: u64, verb: &str) -> Vec<(u64, String)> {
    let lines = record
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let of = lines.filter(|line| {
        line["seat"] == seat
            && line["say"]
                .as_str()
                .is_some_and(|say| say.starts_with(verb))
    });
    of.map(|line| {
        (
            line["n"].as_u64().unwrap(),
            line["say"].as_str().unwrap().to_owned(),
        )
    })
    .collect()
}

/// Inside a plan or a list the bot is not called: the decision comes from its earlier answer.
#[test]
fn a_bot_is_asked_again_inside_a_plan_or_a_list() {
    let bot = "fn deploy(view, ask) {
    let fronts = view.fronts;
    [ask.act(\"place\", fronts[0], 1), ask.act(\"place\", fronts[fronts.len() - 1], view.get(\"reserve\") - 1)]
}
fn attack(view, ask) { ask.fights(#{ edge: 1 }).then(ask.act(\"done\")) }
fn trade(view, ask) { ask.nth(0) }
fn answer(view, ask) { ask.random() }
";
    let folder = with(&[("b.rhai", bot)]);
    let ran = play(
        folder.path(),
        "--bot ./b.rhai --bot random --bot random -o max_turns=40 --record g.jsonl",
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let record = std::fs::read_to_string(folder.path().join("g.jsonl")).unwrap();
    for (verb, what) in [("place", "list"), ("attack", "plan")] {
        let says = says(&record, 1, verb);
        // Mustering before the first turn places armies one at a time.
        let next = |pair: &&[(u64, String)]| pair[1].0 == pair[0].0 + 1;
        let pair = says
            .windows(2)
            .rev()
            .find(next)
            .unwrap_or_else(|| panic!("{verb}: {says:?}"));
        let (number, said) = &pair[1];
        let ran = run_in(
            folder.path(),
            &words(&format!("replay g.jsonl --at {number} --bot ./b.rhai")),
        );
        assert!(
            ran.out.contains(&format!("  b says          {said}\n")),
            "{}",
            ran.out
        );
        let earlier = format!("the {what} of decision ");
        assert!(ran.out.contains(&earlier), "{}", ran.out);
    }
}

#[test]
fn a_decision_in_fog_says_what_is_hidden() {
    let folder = with(&[]);
    let rules = "--ruleset fog -o fog=heavy -o max_turns=5 --bot random --bot random --bot random --record g.jsonl";
    assert_eq!(play(folder.path(), rules).code, 0);
    let record = std::fs::read_to_string(folder.path().join("g.jsonl")).unwrap();
    let (number, _) = says(&record, 1, "done").first().cloned().unwrap();
    let ran = run_in(
        folder.path(),
        &words(&format!("replay g.jsonl --at {number} --bot random")),
    );
    let line = ran
        .out
        .lines()
        .find(|line| line.starts_with("hidden"))
        .unwrap_or_else(|| panic!("{}", ran.out));
    assert!(line.contains("territories, armies hidden"), "{}", ran.out);
    let seen: u64 = ran
        .out
        .lines()
        .filter(|line| line.contains(" territories"))
        .filter_map(|line| {
            line.split(" territories")
                .next()?
                .rsplit(' ')
                .next()?
                .parse::<u64>()
                .ok()
        })
        .sum();
    assert_eq!(seen, 42, "{}", ran.out);
    assert!(
        ran.out.contains(" territories in sight, ") && !ran.out.contains("nobody"),
        "{}",
        ran.out
    );
}
