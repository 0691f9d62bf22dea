//! Names and paths that are traps: commas, folders named like something built in, files that are
//! elsewhere, and words of the program's own templates.

use std::fs;

use crate::support::{RunOutput, run_in, words};

fn run(files: &[(&str, &str)], line: &str) -> (tempfile::TempDir, RunOutput) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let ran = run_in(folder.path(), &words(line));
    (folder, ran)
}

const BOT: &str = "fn answer(view, ask) { ask.random() }\n";
const BASE: &str = "fn ruleset() { #{ extends: \"codelab\", name: \"base\", about: \"x\" } }\n";

#[cfg(unix)]
#[test]
fn a_script_with_a_comma_in_its_path_plays_in_a_process_of_its_own() {
    let (_folder, ran) = run(
        &[("x,y.rhai", BOT)],
        "play --seed 1 --quiet --ruleset codelab -o max_turns=3 --isolate --bot \"./x,y.rhai\" --bot random",
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
}

#[test]
fn a_new_ruleset_extends_a_file_of_its_own_folder_alone() {
    let base = [("sub/base.rhai", BASE), ("base.rhai", BASE)];
    for (line, file) in [
        ("ruleset new mine --extends ./base.rhai", "./mine.rhai"),
        (
            "ruleset new sub/mine --extends ./sub/base.rhai",
            "sub/mine.rhai",
        ),
        ("ruleset new mine --extends codelab", "./mine.rhai"),
    ] {
        let (folder, ran) = run(&base, line);
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        let check = ["ruleset", "check", file, "--games", "0"];
        let checked = run_in(folder.path(), &check);
        assert_eq!((checked.code, checked.err.as_str()), (0, ""), "{line}");
    }
    for line in [
        "ruleset new mine --extends ./sub/base.rhai",
        "ruleset new sub/mine --extends ./base.rhai",
    ] {
        let (_folder, ran) = run(&base, line);
        ran.refuses(2, "cli::extends");
        assert!(ran.err.contains("mine.rhai"), "{line}: {}", ran.err);
    }
}

#[test]
fn a_folder_named_like_something_built_in_is_not_meant() {
    let files = [
        ("hasbro/x.txt", ""),
        ("greedy/x.txt", ""),
        ("world/x.txt", ""),
    ];
    for line in [
        "ruleset check hasbro --games 0",
        "bot check greedy --games 0",
        "map validate world",
    ] {
        let (_folder, ran) = run(&files, line);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{line}");
    }
}

#[test]
fn words_of_the_templates_may_be_in_a_path() {
    for (kind, file) in [
        ("map", "FILES/m.yaml"),
        ("ruleset", "FILES/NAME/m.rhai"),
        ("bot", "GIVEN/m.rhai"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join(file).parent().unwrap()).unwrap();
        let ran = run_in(folder.path(), &[kind, "new", file]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let text = fs::read_to_string(folder.path().join(file)).unwrap();
        let head = text.lines().take(4).collect::<Vec<_>>().join("\n");
        assert!(head.contains(&format!(" {file}`")), "{head}");
        let marks = ["FILE", "NAME", "GIVEN", "@"];
        let left = marks.map(|mark| text.matches(mark).count());
        let own = marks.map(|mark| head.matches(file).count() * file.matches(mark).count());
        assert_eq!(left, own, "{head}");
    }
}

#[test]
fn a_bot_that_is_asked_again_is_held_to_the_options() {
    for (answer, number) in [
        ("[ask.act(\"place\", 0, 9999), ask.act(\"done\")]", true),
        ("[]", false),
    ] {
        let deploy = format!("fn deploy(view, ask) {{ {answer} }}\n{BOT}");
        let (folder, ran) = run(
            &[("bad.rhai", &deploy)],
            "play --seed 1 --quiet --ruleset codelab -o max_turns=9 --bot random --bot random --record g.jsonl",
        );
        assert_eq!(ran.code, 0, "{}", ran.err);
        let asked = (1..40).find_map(|number| {
            let line = format!("replay g.jsonl --at {number} --bot ./bad.rhai");
            let ran = run_in(folder.path(), &words(&line));
            ran.out.contains("deploy").then_some(ran)
        });
        let asked = asked.expect("somebody deploys early");
        let all = format!("{}{}", asked.out, asked.err);
        asked.refuses(1, "bot::illegal");
        assert_eq!(all.contains("9999"), number, "{all}");
    }
}

/// The story of a replay is always full, so clap's own guess would be no help.
#[test]
fn a_replay_has_no_short_story() {
    let (_folder, ran) = run(&[], "replay g.jsonl --story full");
    assert_eq!(ran.code, 2);
    assert!(!ran.err.contains("'--to'"), "{}", ran.err);
}
