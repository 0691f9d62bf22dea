//! Every file in the guides is written as shown, and every command is run, in order.

use std::path::Path;

use risk_engine::{MatchSpec, NullSink, Worker};

use crate::support::{run, run_in, words};

/// Returns the commands of a console block with their expected lines, `…` for any.
fn commands(block: &str) -> Vec<(&str, Vec<&str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, Vec::new())),
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => panic!("a console block begins with a command, not with {line}"),
        }
    }
    commands
}

/// Reports whether the expected lines come in this order. `…` stands for any lines.
fn fits(expected: &[&str], told: &str) -> bool {
    let mut rest = told.lines();
    let mut any = false;
    expected.iter().all(|&line| {
        if line == "…" {
            any = true;
            return true;
        }
        let found = if any {
            rest.any(|told| told == line)
        } else {
            rest.next() == Some(line)
        };
        any = false;
        found
    })
}

fn follow(guide: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let mut done = 0;
    for block in guide.split("```").skip(1).step_by(2) {
        let (head, body) = block.split_once('\n').unwrap();
        done += 1;
        if head != "console" {
            let (language, file) = head
                .split_once(' ')
                .unwrap_or_else(|| panic!("a block without a file: {head}"));
            let languages = ["rhai", "yaml", "text", "python"];
            assert!(languages.contains(&language), "{head}");
            std::fs::write(folder.path().join(file), body).unwrap();
            // Scripts that are not broken on purpose must pass their check.
            if language == "rhai" && !file.starts_with("broken") {
                let kind = if body.contains("fn ruleset()") {
                    "ruleset"
                } else {
                    "bot"
                };
                let ran = run_in(
                    folder.path(),
                    &[kind, "check", &format!("./{file}"), "--games", "4"],
                );
                assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{file}: {}", ran.out);
            }
            continue;
        }
        for (command, expected) in commands(body) {
            let (command, code) = command
                .split_once("   # exit code ")
                .unwrap_or((command, "0"));
            let words = shlex::split(command.strip_prefix("risk-cli ").unwrap()).unwrap();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let ran = run_in(folder.path(), &words);
            assert_eq!(ran.code.to_string(), code, "{command}: {}", ran.err);
            let told = if code == "0" { ran.out } else { ran.err };
            assert!(
                fits(&expected, &told),
                "{command} was to print\n{}\nand printed\n{told}",
                expected.join("\n")
            );
        }
    }
    done
}

#[test]
fn tournaments() {
    assert!(follow(include_str!("../../docs/tournaments.md")) >= 5);
}

#[test]
fn bots_in_any_language() {
    if crate::pipes::has("python3") {
        assert!(follow(include_str!("../../docs/protocol.md")) >= 2);
    }
}

#[test]
fn the_guide_to_playing_can_be_followed() {
    assert_eq!(follow(include_str!("../../docs/play.md")), 2);
}

#[test]
fn luck_and_chances() {
    let guide = include_str!("../../docs/records.md");
    let (_, section) = guide.split_once("## Luck and chances").unwrap();
    let (section, _) = section.split_once("## The file").unwrap();
    assert!(follow(section) >= 2);
}

#[test]
fn your_first_bot() {
    assert!(follow(include_str!("../../docs/bots.md")) >= 8);
}

/// `.ci/nightly search` shows that the example beats the bot of the first guide.
#[test]
fn bots_that_search() {
    let example = include_str!("../../docs/examples/lookahead.rhai");
    let guide = include_str!("../../docs/search-bots.md");
    assert!(guide.contains(&format!("```rhai lookahead.rhai\n{example}```\n")));
    let (_, section) = guide.split_once("## The bot `search`").unwrap();
    follow(section);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lookahead.rhai"), example).unwrap();
    let check = run_in(
        folder.path(),
        &words("bot check ./lookahead.rhai --games 0"),
    );
    assert_eq!((check.code, check.err.as_str()), (0, ""), "{}", check.out);
    let line =
        "play --seed 1 --bot ./lookahead.rhai --bot greedy --bot random --option max_turns=12";
    let ran = run_in(folder.path(), &words(line));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(!ran.err.contains('⚠'), "{}", ran.err);
}

/// The guide says that its bot wins more than its third of the games.
#[test]
fn the_bot_of_the_guide_beats_greedy() {
    let guide = include_str!("../../docs/bots.md");
    let bot = guide
        .split("```rhai second.rhai\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("second.rhai"), bot).unwrap();
    let args = [
        "play",
        "--games",
        "600",
        "--seed",
        "1",
        "--bot",
        "./second.rhai",
        "--bot",
        "greedy",
        "--bot",
        "greedy",
    ];
    let ran = run_in(folder.path(), &[&args[..], &["--format", "json"]].concat());
    let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let interval =
        |player: usize, end: usize| value["bots"][player]["interval"][end].as_f64().unwrap();
    assert!(
        interval(0, 0) > 1.0 / 3.0 && interval(0, 0) > interval(1, 1),
        "{}",
        value["bots"]
    );
    assert!(!ran.err.contains("⚠"), "{}", ran.err);
}

#[test]
fn your_first_ruleset() {
    assert!(follow(include_str!("../../docs/rulesets.md")) >= 8);
}

#[test]
fn warlight() {
    assert!(follow(include_str!("../../docs/warlight.md")) >= 1);
}

#[test]
fn maps() {
    assert!(follow(include_str!("../../docs/maps.md")) >= 2);
}

#[test]
fn editors() {
    assert!(follow(include_str!("../../docs/editors.md")) >= 5);
}

#[test]
fn fair_matches() {
    assert!(follow(include_str!("../../docs/fair.md")) >= 2);
}

#[test]
fn coming_from_elsewhere() {
    assert!(follow(include_str!("../../docs/from-others.md")) >= 2);
}

/// Each ruleset in the table of other programs can be played with the options in its row.
#[test]
fn rules_of_other_programs() {
    let guide = include_str!("../../docs/from-others.md");
    let (_, table) = guide.split_once("## Their rules as options").unwrap();
    let rows = table.lines().skip_while(|line| !line.starts_with("|---"));
    let rows = rows.skip(1).take_while(|line| line.starts_with('|'));
    let mut options = 0;
    for row in rows {
        let names: Vec<&str> = row
            .split('|')
            .nth(2)
            .unwrap()
            .split('`')
            .skip(1)
            .step_by(2)
            .collect();
        let (pairs, rulesets): (Vec<&str>, Vec<&str>) =
            names.into_iter().partition(|name| name.contains('='));
        options += pairs.len();
        for ruleset in rulesets {
            let spec = MatchSpec::new(ruleset).option("max_turns", 20);
            let setup = pairs
                .iter()
                .map(|pair| pair.split_once('=').unwrap())
                .fold(spec, |spec, (name, value)| spec.option(name, value))
                .load(risk_cli::library())
                .unwrap_or_else(|error| panic!("{row}: {error:?}"));
            let mut worker = Worker::new(&setup).unwrap();
            let players = setup.rules.ruleset.players(&setup.rules.options).unwrap().0;
            let mut bots: Vec<_> = (0..players)
                .map(|_| worker.bot("random").unwrap())
                .collect();
            let game = worker.play_with(0, &mut bots, &mut NullSink);
            assert!(game.outcome.is_ok(), "{row}");
        }
    }
    assert!(options >= 12, "the table has {options} options");
}

#[test]
fn what_is_built_in_is_fine() {
    for (bots, ruleset) in [
        (
            &["dice-roller", "greedy", "grudge", "planner", "turtle"][..],
            "hasbro",
        ),
        (&["warlord", "marshal"], "warzone"),
        (&["marshal"], "warlight1"),
        (&["marshal"], "warlight2"),
        (
            &[
                "starwars-attack",
                "starwars-random",
                "starwars-shield",
                "starwars-upstream-shield",
            ],
            "starwars",
        ),
    ] {
        let args = [
            &["bot", "check", "--ruleset", ruleset, "--games", "2"][..],
            bots,
        ]
        .concat();
        let ran = crate::support::run(&args);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    }
    // Their games are long, and other tests play them.
    for (bots, ruleset) in [
        (&["aggressive", "benevolent", "neutral"][..], "warzone"),
        (&["admiral"], "starwars"),
    ] {
        let args = [
            &["bot", "check", "--ruleset", ruleset, "--games", "0"][..],
            bots,
        ]
        .concat();
        let ran = crate::support::run(&args);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    }
    for ruleset in [
        "hasbro",
        "codelab",
        "simplified",
        "starwars",
        "warlight2",
        "capital",
        "fog",
        "scored",
    ] {
        let ran = crate::support::run(&["ruleset", "check", ruleset, "--games", "4"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    }
}

/// The commands of the guide to bots over HTTP parse: with `--help` added, nothing is served. Its
/// table of options is that of the program.
#[test]
fn bots_over_http() {
    let guide =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/http-bots.md"))
            .unwrap();
    let readme =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let mut count = 0;
    for line in guide
        .lines()
        .chain(readme.lines())
        .filter_map(|line| line.strip_prefix("$ risk-cli "))
    {
        if line.contains("serve") || line.contains("http://") {
            let ran = run(&[words(line), vec!["--help"]].concat());
            assert_eq!(ran.code, 0, "{line}: {}", ran.err);
            count += 1;
        }
    }
    assert!(count >= 9, "{count} commands");
    let help = run(&["serve", "--help"]).out;
    let options = |text: &str| -> std::collections::BTreeSet<String> {
        let starts = text.match_indices("--").map(|(at, _)| &text[at..]);
        let names = starts.map(|rest| {
            rest.chars()
                .take_while(|c| c.is_ascii_lowercase() || *c == '-')
                .collect()
        });
        names.filter(|name: &String| name.len() > 3).collect()
    };
    let table: String = guide
        .lines()
        .filter(|line| line.starts_with("| `--"))
        .map(|line| line.split('|').nth(1).unwrap())
        .collect();
    let known = options(&help);
    let told = options(&table);
    let elsewhere = ["--protocol", "--seed", "--help"];
    for name in &told {
        assert!(known.contains(name), "{name} is told of, and is none");
    }
    for name in known
        .iter()
        .filter(|name| !elsewhere.contains(&name.as_str()))
    {
        assert!(told.contains(name), "{name} is in no table of the guide");
    }
}
