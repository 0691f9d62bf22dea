//! Output of the program: no text in it steers a terminal or stays invisible.

use risk_text::is_control;

use crate::support::{RunOutput, run, run_in, words};

/// A malicious name: a colour, a window title, reversed text, and invisible characters.
const NAME: &str = "a\u{1b}[31m\u{1b}]0;owned\u{7}\u{202e}\u{200b}\u{2066}\u{feff}\u{e0041}";
/// The name as it is shown.
const SHOWN: &str = r"a\u{1b}[31m\u{1b}]0;owned\u{7}\u{202e}\u{200b}\u{2066}\u{feff}\u{e0041}";

fn check(what: &str, ran: &RunOutput) {
    for text in [&ran.out, &ran.err] {
        let bad = text.chars().find(|&c| is_control(c) && c != '\n');
        assert!(bad.is_none(), "{what} lets {bad:?} out: {text}");
    }
}

/// The commands that show their arguments. `F` is replaced by the name.
#[cfg(unix)]
#[test]
fn names_of_files_do_not_steer_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: String, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(format!("{NAME}.yaml"), crate::support::TINY);
    write(
        format!("{NAME}-bad.yaml"),
        "name: x\nterritories:\n  - { id: a, borders: [b] }\n",
    );
    write(format!("{NAME}.map"), "");
    write(
        format!("{NAME}.rhai"),
        "fn answer(view, ask) { debug(view.turn); if view.turn > 3 { throw 1 } ask.random() }",
    );
    write(
        format!("{NAME}-bad.rhai"),
        "fn answer(view, ask) { let x = ; }",
    );
    write(
        format!("{NAME}-rules.rhai"),
        "fn ruleset() { #{ extends: \"hasbro\", name: \"x\" } }",
    );
    write(format!("{NAME}-bad.jsonl"), "{}\n");
    let rows = [
        "play --games 1 --seed 1 -o max_turns=3 --map ./F.yaml --bot ./F.rhai --bot random --record ./F.jsonl",
        "play --games 3 --seed 1 -o max_turns=3 --map ./F.yaml --bot ./F.rhai --bot random --profile",
        "play --games 3 --seed 1 -o max_turns=3 --map ./F.yaml --bot ./F.rhai --bot random --format json",
        "play --map ./F.map",
        "play --bot ./F-bad.rhai",
        "play --bot ./F-none.rhai",
        "play --bot name=F,bot=random",
        "play --map F --bot random",
        "play --ruleset F",
        "play --option F=F",
        "play --record ./F/none.jsonl --seed 1",
        "play --F F",
        "F",
        "play --seed F",
        "replay ./F.jsonl",
        "replay ./F.jsonl --verify",
        "replay ./F.jsonl --at 1 --bot ./F.rhai",
        "replay ./F-bad.jsonl",
        "replay ./F-none.jsonl",
        "bot check ./F.rhai --games 2",
        "bot check ./F-bad.rhai",
        "bot check ./F.rhai --games 1 --format json",
        "bot new F",
        "ruleset check ./F-rules.rhai --games 1",
        "ruleset show ./F-rules.rhai",
        "map validate ./F.yaml ./F-bad.yaml ./F.map",
        "map validate ./F-bad.yaml --format json",
        "map show ./F.yaml",
        "map stats ./F.yaml",
        "map import ./F.yaml --output ./F-again.map",
        "map render ./F.yaml --output ./F.gif",
        "odds --ruleset F 3 2",
    ];
    for row in rows {
        let args: Vec<String> = words(row)
            .into_iter()
            .map(|word| word.replace('F', NAME))
            .collect();
        let ran = run_in(
            folder.path(),
            &args.iter().map(String::as_str).collect::<Vec<_>>(),
        );
        check(row, &ran);
    }
    let ran = run_in(
        folder.path(),
        &["map", "validate", &format!("./{NAME}.yaml")],
    );
    assert_eq!(
        ran.out.trim_end(),
        format!("./{SHOWN}.yaml: valid: 6 territories, 6 borders, 2 continents")
    );
}

#[test]
fn names_and_texts_in_files_do_not_steer_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let evil = r"\u202e\u200b\uFEFFx";
    write(
        "m.yaml",
        &crate::support::TINY
            .replace(
                "name: tiny",
                &format!("name: \"{evil}\"\nabout: \"{evil}\""),
            )
            .replace(
                "{ id: a,",
                &format!("{{ id: a, name: \"{evil}\", note: \"{evil}\", "),
            ),
    );
    write(
        "source.yaml",
        "name: x # \u{1b}[31m\u{202e}\nterritories: [{ id: a, borders: [\u{202e}b] }]\n",
    );
    write(
        "r.rhai",
        "const E = \"\\u202e\\x1b[31m\\ufdd0\\u200b\";
fn ruleset() { #{ extends: \"hasbro\", name: \"r\", about: \"\\u202e\\u200b\" } }
fn turn_begins(g) { g.say(NOBODY, global::E + \"turn\"); debug(global::E); }
",
    );
    write(
        "b.rhai",
        "fn answer(view, ask) { debug(\"\\u202e\\u200b\\x1b[2J\\ufdd0\"); throw \"\\u202e\\x1b[2J\\ufdd0\" }",
    );
    write(
        "source.rhai",
        "// \u{202e}\u{1b}[31m\nfn answer(view, ask) { let \u{202e}x = ; }\n",
    );
    let rows = [
        "play --seed 1 -o max_turns=3 --map ./m.yaml --ruleset ./r.rhai --bot ./b.rhai --bot random --record g.jsonl",
        "play --seed 1 -o max_turns=3 --map ./m.yaml --bot ./b.rhai --bot random --format json",
        "play --games 4 --seed 1 -o max_turns=3 --map ./m.yaml --bot ./b.rhai --bot random",
        "replay g.jsonl --ruleset ./r.rhai --map ./m.yaml",
        "replay g.jsonl --at 1 --bot ./b.rhai",
        "bot check ./b.rhai --games 2",
        "bot check ./source.rhai",
        "ruleset check ./r.rhai --games 1",
        "ruleset show ./r.rhai",
        "map show ./m.yaml",
        "map stats ./m.yaml",
        "map stats ./m.yaml --format json",
        "map validate ./m.yaml ./source.yaml",
        "map validate ./source.yaml --format json",
    ];
    for row in rows {
        check(row, &run_in(folder.path(), &words(row)));
    }
    // Data for another program is printed unchanged.
    let ran = run_in(
        folder.path(),
        &["ruleset", "show", "--source", "./source.rhai"],
    );
    assert_eq!(
        ran.out,
        std::fs::read_to_string(folder.path().join("source.rhai")).unwrap()
    );
}

#[test]
fn a_file_of_windows_is_shown_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let text = "fn answer(view, ask) {\n    let x = ;\n}\n";
    std::fs::write(folder.path().join("unix.rhai"), text).unwrap();
    std::fs::write(folder.path().join("other.rhai"), text.replace('\n', "\r\n")).unwrap();
    let [unix, other] = ["unix", "other"].map(|name| {
        let ran = run_in(folder.path(), &["bot", "check", &format!("./{name}.rhai")]);
        format!("{}{}", ran.out, ran.err).replace(name, "NAME")
    });
    assert_eq!(unix, other);
}

#[test]
fn help_and_errors_of_arguments_read_as_they_did() {
    let ran = run(&["play", "--games", "many"]);
    assert!(
        ran.err.contains("'many'") && ran.err.contains("'--games <N>'"),
        "{}",
        ran.err
    );
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    let help = run(&["--help"]);
    let bare = run(&[]);
    assert_eq!((help.code, help.err.as_str()), (0, ""));
    assert!(help.out.contains("risk-cli [COMMAND]"));
    // Each command is in a group, and the first hint is short.
    assert!(!help.out.contains("Others:"), "{}", help.out);
    assert!(help.out.lines().all(|line| line.chars().count() <= 80));
    assert!(bare.out.lines().count() <= 6 && bare.out.contains("risk-cli play --bot human"));
}

/// All kinds of files share one reader: it ignores a byte-order mark and the kind of line ends, and
/// refuses other data than text, with its place.
#[test]
fn files_of_every_kind_are_read_alike() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let bot = "// A bot.\nfn answer(view, ask) {\n    ask.random()\n}\n";
    let rules = "fn ruleset() { #{ extends: \"codelab\", name: \"r\" } }\n";
    write("b.rhai", bot.as_bytes());
    write("r.rhai", rules.as_bytes());
    write("m.yaml", crate::support::TINY.as_bytes());
    let played = run_in(
        folder.path(),
        &words("play --ruleset ./r.rhai --map ./m.yaml --seed 1 --record g.jsonl"),
    );
    assert_eq!(played.code, 0, "{}", played.err);
    let record = std::fs::read(folder.path().join("g.jsonl")).unwrap();
    let files: [(&str, &[u8], &str); 4] = [
        ("b.rhai", bot.as_bytes(), "bot check FILE --games 1"),
        ("r.rhai", rules.as_bytes(), "ruleset show FILE"),
        ("m.yaml", crate::support::TINY.as_bytes(), "map show FILE"),
        ("g.jsonl", &record, "replay FILE --verify"),
    ];
    for (name, bytes, command) in files {
        let ran = |bytes: &[u8]| {
            let name = format!("x-{name}");
            write(&name, bytes);
            run_in(
                folder.path(),
                &words(&command.replace("FILE", &format!("./{name}"))),
            )
        };
        let plain = ran(bytes);
        assert_eq!(plain.code, 0, "{name}: {}", plain.err);
        let text = std::str::from_utf8(bytes).unwrap();
        assert_eq!(
            ran(format!("\u{feff}{text}").as_bytes()),
            plain,
            "{name} with a byte-order mark"
        );
        assert_eq!(
            ran(text.replace('\n', "\r\n").as_bytes()),
            plain,
            "{name} of Windows"
        );
        assert_eq!(
            ran(text.replace('\n', "\r").as_bytes()),
            plain,
            "{name} with CR alone"
        );
        let bad: [(&[u8], &[&str]); 3] = [
            (b"\xff\xfea\0", &["UTF-16", "UTF-8"]),
            (b"name: x\n a\0", &["line 2", "column 3", "UTF-8"]),
            (b"// x\n  \xc3\xa9 \xe9\n", &["line 2", "column 5", "UTF-8"]),
        ];
        for (bytes, facts) in bad {
            let ran = ran(bytes);
            assert_ne!(ran.code, 0, "{name}");
            assert_eq!(ran.codes(), ["load::file"], "{name}: {}", ran.err);
            let text = ran.err.replace("\n  │ ", " ");
            assert!(text.contains(&format!("./x-{name}")), "{name}: {text}");
            for fact in facts {
                assert!(text.contains(fact), "{name}, {fact}: {text}");
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_no_success() {
    let program = assert_cmd::cargo::cargo_bin!("risk-cli");
    for line in [
        "--help",
        "",
        "play --help",
        "--version",
        "map list",
        "completions bash",
        "play --seed 1 -q",
        "man",
    ] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let ran = std::process::Command::new(program)
            .args(words(line))
            .stdout(full)
            .output()
            .unwrap();
        let ran = RunOutput {
            out: line.to_owned(),
            err: String::from_utf8(ran.stderr).unwrap(),
            code: ran.status.code().unwrap(),
        };
        ran.refuses(2, "cli::write");
    }
}
