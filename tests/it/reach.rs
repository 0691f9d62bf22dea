//! The files that a file may reach: a script those of its own folder, a record those of the current
//! one. Errors quote no other files.

use std::path::Path;

use crate::support::{RunOutput, TINY, run_in, words};

/// A secret that no error may quote.
const SECRET: &str = "root:x:0:0:hunter2\nname: hunter2\n";

/// Makes two folders: `here`, in which commands run, and `there`.
fn folders() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    for name in ["here", "there"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    for name in [
        "there/secret",
        "there/secret.rhai",
        "there/secret.yaml",
        "here/secret.txt",
    ] {
        write(name, SECRET);
    }
    write("here/m.yaml", TINY);
    write(
        "here/b.rhai",
        "import \"lib\" as lib;\nfn answer(view, ask) { lib::pick(ask) }\n",
    );
    write("here/lib.rhai", "fn pick(ask) { ask.random() }\n");
    write(
        "here/r.rhai",
        "fn ruleset() { #{ extends: \"codelab\", name: \"r\" } }\n",
    );
    folder
}

fn run(folder: &Path, line: &str) -> RunOutput {
    run_in(&folder.join("here"), &words(line))
}

/// Checks that the program refuses with this code, names the file and shows nothing of it.
fn check(folder: &Path, line: &str, code: &str, names: &str) {
    let ran = run(folder, line);
    let said = format!("{}{}", ran.out, ran.err)
        .replace("\n  │ ", " ")
        .replace("\n        ", " ");
    assert!(ran.code != 0, "{line}: {said}");
    assert_eq!(ran.codes(), [code], "{line}: {said}");
    assert!(
        said.contains(names),
        "{line} does not name `{names}`: {said}"
    );
    assert!(
        !said.contains("hunter2") && !said.contains("root:"),
        "{line} tells the secret: {said}"
    );
}

#[test]
fn a_ruleset_extends_only_what_is_built_in_or_beside_it() {
    let folder = folders();
    let path = folder.path();
    let outside = path.join("there/secret.rhai").display().to_string();
    for base in [
        "/etc/passwd",
        "../there/secret.rhai",
        "../there/secret",
        "./secret.txt",
        "../none.rhai",
        "./",
        &outside,
    ] {
        let text = format!("fn ruleset() {{ #{{ extends: \"{base}\", name: \"x\" }} }}\n");
        std::fs::write(path.join("here/x.rhai"), text).unwrap();
        for line in [
            "ruleset show ./x.rhai",
            "ruleset check ./x.rhai",
            "play --ruleset ./x.rhai --seed 1 -q",
        ] {
            check(path, line, "ruleset::extends", &format!("`{base}`"));
        }
    }
    for base in ["./r.rhai", "r.rhai", "codelab"] {
        let text = format!("fn ruleset() {{ #{{ extends: \"{base}\", name: \"x\" }} }}\n");
        std::fs::write(path.join("here/x.rhai"), text).unwrap();
        let ran = run(path, "ruleset show ./x.rhai");
        assert_eq!(ran.code, 0, "{base}: {}", ran.err);
    }
}

#[test]
fn what_is_no_script_is_not_quoted() {
    let folder = folders();
    for (line, names) in [
        ("bot check ./secret.txt", "./secret.txt"),
        ("play --bot ./secret.txt", "./secret.txt"),
        ("ruleset show ./secret.txt", "./secret.txt"),
        ("ruleset show ./secret.txt --source", "./secret.txt"),
        ("ruleset check ../there/secret", "../there/secret"),
        ("map validate ../there/secret.ini", "../there/secret.ini"),
    ] {
        check(folder.path(), line, "load::file", names);
    }
    for text in ["root:x:0:0:hunter2\n", "[database]\npassword=hunter2\n"] {
        std::fs::write(folder.path().join("here/secret.ini"), text).unwrap();
        check(
            folder.path(),
            "map show ./secret.ini",
            "map::not-a-map",
            "./secret.ini",
        );
    }
}

#[cfg(unix)]
#[test]
fn links_lead_no_script_out_of_its_folder() {
    let folder = folders();
    let link = |from: &str, to: &str| {
        std::os::unix::fs::symlink(to, folder.path().join("here").join(from)).unwrap()
    };
    assert_eq!(run(folder.path(), "bot check ./b.rhai --games 1").code, 0);
    std::fs::remove_file(folder.path().join("here/lib.rhai")).unwrap();
    for to in [
        "../there/secret",
        "../there/secret.rhai",
        "secret.txt",
        "none.rhai",
    ] {
        link("lib.rhai", to);
        check(
            folder.path(),
            "bot check ./b.rhai",
            "script::import",
            "`lib.rhai`",
        );
        std::fs::remove_file(folder.path().join("here/lib.rhai")).unwrap();
    }
    std::fs::write(
        folder.path().join("here/x.rhai"),
        "fn ruleset() { #{ extends: \"./base.rhai\", name: \"x\" } }",
    )
    .unwrap();
    link("base.rhai", "../there/secret.rhai");
    check(
        folder.path(),
        "ruleset show ./x.rhai",
        "ruleset::extends",
        "`./base.rhai`",
    );
    link("passwd.rhai", "../there/secret");
    check(
        folder.path(),
        "bot check ./passwd.rhai",
        "load::file",
        "./passwd.rhai",
    );
    // A link to a script has the neighbours of the script.
    std::fs::write(
        folder.path().join("there/pick.rhai"),
        "fn pick(ask) { ask.random() }\n",
    )
    .unwrap();
    let bot = "import \"pick\" as lib;\nfn answer(view, ask) { lib::pick(ask) }\n";
    std::fs::write(folder.path().join("there/real.rhai"), bot).unwrap();
    link("linked.rhai", "../there/real.rhai");
    let ran = run(folder.path(), "bot check ./linked.rhai --games 1");
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn a_record_reaches_this_folder_only() {
    let folder = folders();
    let path = folder.path();
    let ran = run(
        path,
        "play --ruleset ./r.rhai --map ./m.yaml --seed 1 -q --record g.jsonl",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(run(path, "replay g.jsonl --verify").code, 0);
    let record = std::fs::read_to_string(path.join("here/g.jsonl")).unwrap();
    let outside = path.join("there/secret.rhai").display().to_string();
    for named in [
        "/etc/passwd",
        "../there/secret.rhai",
        "../there/none.rhai",
        &outside,
    ] {
        for (what, old) in [("ruleset", "./r.rhai"), ("map", "./m.yaml")] {
            let edited = risk_testing::edits::chained(&record.replacen(
                &format!("\"{old}\""),
                &format!("\"{named}\""),
                1,
            ));
            assert_ne!(edited, record);
            std::fs::write(path.join("here/x.jsonl"), edited).unwrap();
            check(path, "replay x.jsonl", "record::path", what);
            check(path, "replay x.jsonl --verify", "record::path", what);
        }
    }
    // The user may name any file for a replay.
    let ran = run_in(
        &path.join("there"),
        &words("replay ../here/g.jsonl --ruleset ../here/r.rhai --map ../here/m.yaml"),
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
}
