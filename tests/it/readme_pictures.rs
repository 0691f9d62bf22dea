//! The pictures of the README equal the output of `docs/pictures/make.py`.

use std::path::Path;
use std::process::Command;

use crate::programs::skip;
use risk_testing::watchdog::watch;

const LARGEST: usize = 300_000;

#[test]
fn the_pictures_of_the_readme_are_those_of_today() {
    watch();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
    let readme = include_str!("../../README.md");
    let made = tempfile::tempdir().unwrap();
    let program = assert_cmd::cargo::cargo_bin!("risk-cli");
    let ran = Command::new("python3")
        .args([&folder.join("make.py"), program, made.path()])
        .output();
    let Ok(ran) = ran else {
        skip("python3");
        return;
    };
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    for name in ["map.svg", "game.gif", "terminal.svg"] {
        assert!(
            readme.contains(&format!("(docs/pictures/{name})")),
            "{name}"
        );
        let kept = std::fs::read(folder.join(name)).unwrap();
        let now = std::fs::read(made.path().join(name)).unwrap();
        assert!(
            kept == now,
            "{name} is not what is drawn today: run docs/pictures/make.py target/debug/risk-cli"
        );
        assert!(kept.len() < LARGEST, "{name} has {} bytes", kept.len());
    }
}
