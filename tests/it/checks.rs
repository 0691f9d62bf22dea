//! `bot check`, `ruleset check` and `new`. Their messages are in the gallery.

use std::time::Duration;

use crate::programs::Deadline;
use crate::support::{RunOutput, run, run_in, words};

/// The command in a finding plays the very game in which it was found.
#[test]
fn what_a_finding_tells_repeats_it() {
    let rows = [
        (
            "bot",
            "fn answer(view, ask) { if view.turn == 7 { throw \"lost\"; } ask.random() }",
            "lost",
        ),
        (
            "bot",
            "fn answer(view, ask) { if TERRITORIES > 100 { throw \"too large\"; } ask.random() }",
            "too large",
        ),
        (
            "ruleset",
            "fn ruleset() { #{ extends: \"hasbro\", name: \"mine\", options: #{ max_turns: 40 } } }\nfn on_neutral(g, who) { g.armies(who - 100); }",
            "-100",
        ),
    ];
    for (kind, text, name) in rows {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("s.rhai"), text).unwrap();
        let found = run_in(folder.path(), &[kind, "check", "./s.rhai", "--games", "8"]);
        let command = found
            .err
            .split('`')
            .find_map(|said| said.strip_prefix("risk-cli play "))
            .unwrap();
        let words: Vec<&str> = ["play", "--quiet"]
            .into_iter()
            .chain(command.split_whitespace())
            .collect();
        let again = run_in(folder.path(), &words);
        let heading = |err: &str| {
            let mut lines = err.lines().filter(|line| line.contains(['×', '⚠']));
            let line = lines.find(|line| line.contains(name))?;
            Some(line.trim_start_matches([' ', '×', '⚠']).to_owned())
        };
        assert!(
            heading(&again.err).is_some(),
            "{words:?}\n{}{}",
            found.err,
            again.err
        );
        assert_eq!(heading(&again.err), heading(&found.err), "{words:?}");
    }
}

/// Games never call the hook `worth`, so the check does.
#[test]
fn the_hook_worth_is_tried() {
    let folder = tempfile::tempdir().unwrap();
    let check = |worth: &str| {
        let text = format!(
            "fn ruleset() {{ #{{ extends: \"codelab\", name: \"mine\" }} }}\nfn worth(g, who) {{ {worth} }}"
        );
        std::fs::write(folder.path().join("r.rhai"), text).unwrap();
        run_in(folder.path(), &words("ruleset check ./r.rhai --games 2"))
    };
    assert_eq!(check("g.territories(who)").code, 0);
    for wrong in ["\"much\"", "1.5", "g.armies(-1)"] {
        let ran = check(wrong);
        assert_eq!(ran.code, 1, "{wrong}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn bots_are_compared_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let text = "fn ruleset() { #{ extends: \"codelab\", name: \"mine\", map: \"grid:3x3\" } }";
    std::fs::write(folder.path().join("r.rhai"), text).unwrap();
    let check = |more: &str| {
        let line = format!("ruleset check ./r.rhai --games 1 {more}");
        run_in(folder.path(), &words(&line))
    };
    let ran = check("--bots=2 --format json");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let bots = &value["files"][0]["bots"];
    assert_eq!((&bots["games"], &bots["players"]), (&2.into(), &2.into()));
    assert_eq!(bots["best"], serde_json::Value::Null);
    assert!(check("--bots=2").out.contains("--bots=2 repeats them"));
    let without: serde_json::Value = serde_json::from_str(&check("--format json").out).unwrap();
    assert!(without["files"][0].get("bots").is_none());
    for wrong in ["--bots=0", "--bots=100001", "--bots=x", "--bots --watch"] {
        assert_eq!(check(wrong).code, 2, "{wrong}");
    }
}

#[test]
fn files_folders_and_json() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("bots")).unwrap();
    std::fs::create_dir(folder.path().join("none")).unwrap();
    std::fs::write(
        folder.path().join("bots/a.rhai"),
        "fn answer(view, ask) { ask.random() }",
    )
    .unwrap();
    std::fs::write(
        folder.path().join("bots/b.rhai"),
        "fn answer(view, ask) {\n    view.armies(\"é\", 1) + view.armiez(2)\n}",
    )
    .unwrap();
    let ran = run_in(
        folder.path(),
        &["bot", "check", "bots", "greedy", "--games", "0"],
    );
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (
            1,
            "bots/a.rhai: fine\nbots/b.rhai: 2 errors\ngreedy: fine\n"
        )
    );
    let ran = run_in(folder.path(), &["bot", "check", "none"]);
    ran.refuses(2, "load::file");
    assert!(
        ran.err.contains(".rhai") && ran.err.contains(" none"),
        "{}",
        ran.err
    );
    let ran = run_in(
        folder.path(),
        &["bot", "check", "bots", "--games", "4", "--format", "json"],
    );
    let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert_eq!(value["files"][0]["fine"], true);
    assert!(
        value["files"][0]["trial"]["games"]
            .as_str()
            .unwrap()
            .starts_with("7, "),
        "{value}"
    );
    let place = &value["files"][1]["findings"][1]["place"];
    assert_eq!(
        (&place["line"], &place["column"], &place["length"]),
        (&2.into(), &32.into(), &6.into()),
        "{value}"
    );
}

#[test]
fn what_new_writes_is_fine() {
    for ruleset in "hasbro codelab simplified warzone starwars warlight1 warlight2".split(' ') {
        let folder = tempfile::tempdir().unwrap();
        for style in ["per-phase", "answer"] {
            let ran = run_in(
                folder.path(),
                &["bot", "new", style, "--ruleset", ruleset, "--style", style],
            );
            assert_eq!(ran.code, 0, "{}", ran.err);
            let file = format!("./{style}.rhai");
            let ran = run_in(
                folder.path(),
                &["bot", "check", &file, "--ruleset", ruleset, "--games", "2"],
            );
            assert_eq!(
                (ran.code, ran.err.as_str()),
                (0, ""),
                "{ruleset}: {}",
                ran.out
            );
            assert!(
                ran.out.starts_with(&format!("{file}: fine\n")),
                "{}",
                ran.out
            );
        }
        assert_eq!(
            run_in(
                folder.path(),
                &["ruleset", "new", "own", "--extends", ruleset]
            )
            .code,
            0
        );
        let ran = run_in(
            folder.path(),
            &["ruleset", "check", "./own.rhai", "--games", "2"],
        );
        assert_eq!(
            (ran.code, ran.err.as_str()),
            (0, ""),
            "{ruleset}: {}",
            ran.out
        );
    }
}

#[test]
fn new_rulesets_and_maps_can_be_played() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run_in(folder.path(), &["ruleset", "new", "own"]).code, 0);
    assert_eq!(
        run_in(
            folder.path(),
            &["ruleset", "check", "./own.rhai", "--games", "4"]
        )
        .err,
        ""
    );
    assert_eq!(run_in(folder.path(), &["map", "new", "own"]).code, 0);
    assert_eq!(
        run_in(folder.path(), &["map", "validate", "--strict", "own.yaml"]).err,
        ""
    );
    let play = [
        "play",
        "--quiet",
        "--seed",
        "1",
        "--ruleset",
        "./own.rhai",
        "--map",
        "./own.yaml",
    ];
    assert_eq!(run_in(folder.path(), &play).code, 0);
    // No file is overwritten, and a name must be valid.
    let ran = run_in(folder.path(), &["map", "new", "own"]);
    ran.refuses(2, "cli::exists");
    let ran = run_in(folder.path(), &["bot", "new", "My Bot"]);
    ran.refuses(2, "cli::name");
}

/// A bot of its own can't have the name of a built-in bot, written in Rust or Rhai.
#[test]
fn a_new_bot_has_a_name_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["general", "turtle", "human", "bots/general.rhai"] {
        let ran = run_in(folder.path(), &["bot", "new", name, "--force"]);
        ran.refuses(2, "cli::name-taken");
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    let ran = run_in(folder.path(), &["bot", "new", "my-general"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn watching_sees_a_script_saved() {
    use std::io::{BufRead, BufReader};
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("b.rhai");
    std::fs::write(&file, "fn answer(view, ask) { ask.randm() }").unwrap();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("risk-cli"))
        .args(["bot", "check", "./b.rhai", "--games", "0", "--watch"])
        .current_dir(folder.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let stdout = child.stdout.take().unwrap();
    let _deadline = Deadline::of(child, Duration::from_secs(120));
    let mut lines = BufReader::new(stdout).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), "./b.rhai: 1 error");
    // Messages about watching are not in the output, and a missing file doesn't end the command.
    std::fs::rename(&file, folder.path().join("c.rhai")).unwrap();
    std::fs::write(&file, "fn answer(view, ask) { ask.random() }").unwrap();
    assert!(lines.any(|line| line == "./b.rhai: fine"));
    let ran = run(&["bot", "check", "greedy", "--games", "0", "--watch"]);
    ran.refuses(2, "cli::watch");
}

/// Returns a ruleset that ends each game at once. The first seat wins with a chance in percent.
fn lottery(percent: u32, comment: &str) -> String {
    format!(
        "// {comment}
fn ruleset() {{ #{{
    name: \"lottery\", players: [2, 2], map: \"duel\", units: [\"army\"],
    phases: #{{ draw: script() }}, turn: [\"draw\"], verbs: #{{ draw: #{{}} }}, endings: #{{ lottery: \"a draw\" }},
}} }}
fn setup(g) {{ g.deal(); g.next_turn(NOBODY); }}
fn draw_options(g, me, out) {{ out.offer(DRAW); }}
fn draw_apply(g, me, said) {{
    g.done(me);
    g.end(\"lottery\", [if g.roll(100, 1)[0] <= {percent} {{ 0 }} else {{ 1 }}]);
}}
"
    )
}

fn checked(ruleset: &str) -> RunOutput {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("l.rhai"), ruleset).unwrap();
    run_in(folder.path(), &["ruleset", "check", "./l.rhai"])
}

/// The exact probabilities are in the tests of `uneven_seats`.
#[test]
fn advantages_of_seats_are_more_than_luck() {
    let uneven = |percent: u32, comment: &str| {
        let ran = checked(&lottery(percent, comment));
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        ran.out.contains("an advantage")
    };
    let fair = ["one", "two", "three", "four"].map(|comment| uneven(50, comment));
    assert!(
        fair.iter().filter(|&&uneven| uneven).count() <= 1,
        "{fair:?}"
    );
    assert!(uneven(70, "one") && uneven(30, "two"));
}

#[test]
fn the_games_of_a_check_change_with_the_ruleset() {
    let seed = |comment: &str| {
        let ruleset = lottery(50, comment).replace("g.end(", "throw \"lost\"; g.end(");
        let ran = checked(&ruleset);
        ran.refuses(1, "script::failed");
        let mut words = ran.err.split_whitespace();
        words.find(|word| *word == "--seed").unwrap();
        words.next().unwrap().to_owned()
    };
    assert_eq!(seed("one"), seed("one"));
    assert_ne!(seed("one"), seed("two"));
}

#[test]
fn bots_that_are_not_made_for_a_ruleset_are_named() {
    let play = |ruleset: &str| {
        let line = format!(
            "play --quiet --seed 1 -r {ruleset} --bot general --bot general --bot oracle:10 \
             -o max_turns=2"
        );
        let ran = run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let lines = ran.err.lines().filter(|line| line.contains(ruleset));
        let names = lines.filter_map(|line| line.split_whitespace().next());
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(play("warzone"), ["general", "oracle:10"]);
    assert_eq!(play("hasbro"), [""; 0]);
    let ran = run(&words(
        "play --quiet --seed 1 -r hasbro --bot marshal -o max_turns=2",
    ));
    assert!(
        ran.err.contains("marshal is not made for hasbro"),
        "{}",
        ran.err
    );
    let listed = run(&["bot", "list"]).out;
    let listed = listed.split_whitespace().collect::<Vec<_>>().join(" ");
    let general = listed.split(" Rust ").find(|part| part.contains("`hard`"));
    let general = general.unwrap();
    assert!(
        general.contains("hasbro") && general.contains("codelab"),
        "{general}"
    );
    assert!(
        !general.contains("warzone") && !general.contains("starwars"),
        "{general}"
    );
}

#[test]
fn an_argument_of_the_wrong_type_is_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let script = "fn answer(view, ask) {\n    view.armies(\"alaska\");\n    ask.random()\n}\n";
    std::fs::write(folder.path().join("s.rhai"), script).unwrap();
    let line = "bot check ./s.rhai --games 1 --format json";
    let ran = run_in(folder.path(), &words(line));
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let found = found["files"][0]["findings"].as_array().unwrap();
    let codes: Vec<_> = found.iter().map(|one| one["code"].as_str()).collect();
    assert_eq!(codes, [Some("script::argument-type")], "{}", ran.out);
}
