//! Programs in tournaments: the plan's hash covers the files that `files=` names.

use std::path::Path;

use super::{has, put};
use crate::support::run_in;

const FIRST: &str = r#"
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello": print('{"protocol": 1}', flush=True)
    if m["type"] == "ask":
        o = m["options"][0]
        do = [o["verb"]] + [d[0] if isinstance(d, list) else d["min"] for d in o["parameters"]]
        print(json.dumps({"id": m["id"], "do": do}), flush=True)
"#;

fn cup(folder: &Path, files: &str) {
    let text = format!(
        "ruleset: codelab\nmap: grid:3x3\noptions: {{ max_turns: 6 }}\nblocks: 2\nbots:\n  - 'name=ann,bot=cmd:python3 first.py{files}'\n  - random\n"
    );
    put(folder, "cup.yaml", &text);
}

fn plan(text: &str) -> &str {
    let lines = text.lines().map(str::trim);
    let mut plans = lines.filter(|line| line.starts_with("plan "));
    plans.next().unwrap().split(',').next().unwrap()
}

#[test]
fn files_of_programs_are_part_of_a_plan() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "first.py", FIRST);
    put(folder.path(), "weights.bin", "one");
    let planned = || {
        run_in(
            folder.path(),
            &["tournament", "plan", "cup.yaml", "--programs"],
        )
    };
    cup(folder.path(), "");
    let unknown = planned();
    let unverified = |text: &str| text.contains("unverified");
    assert!(unverified(&unknown.out), "{}{}", unknown.out, unknown.err);
    cup(folder.path(), ",files=first.py weights.bin");
    let known = planned();
    assert!(!unverified(&known.out), "{}{}", known.out, known.err);
    assert_ne!(plan(&unknown.out), plan(&known.out));
    // The hash depends on the text of the files, not on their place.
    put(folder.path(), "weights.bin", "two");
    assert_ne!(plan(&planned().out), plan(&known.out));
    put(folder.path(), "weights.bin", "one");
    assert_eq!(plan(&planned().out), plan(&known.out));
    let ran = run_in(
        folder.path(),
        &["tournament", "run", "cup.yaml", "--programs"],
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    for (files, part) in [
        ("nobody.py", "nobody.py"),
        (".", "`.`"),
        ("'first.py", "`files`"),
    ] {
        let bot = format!("cmd:python3 first.py,files={files}");
        let ran = run_in(folder.path(), &["compare", &bot, "random"]);
        ran.refuses(2, "bot::spec");
        assert!(ran.err.contains(part), "{files}: {}", ran.err);
    }
}
