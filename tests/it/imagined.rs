//! Games that scripts imagine: they reveal nothing hidden, follow the rules, and have a cost.

use crate::support::{run_in, words};
use risk_testing::scripts::CURIOUS;

/// A bot in a process of its own, and one in a program elsewhere, imagine the same games.
#[test]
fn a_bot_imagines_wherever_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let text = CURIOUS.replace("for n in 0..2", "for n in 0..1");
    std::fs::write(folder.path().join("curious.rhai"), text).unwrap();
    let line = "play --ruleset codelab --seed 4 --option max_turns=3 --format json \
                --bot ./curious.rhai --bot random";
    let plain = run_in(folder.path(), &words(line));
    assert_eq!(plain.code, 0, "{}", plain.err);
    assert!(!plain.err.contains("fault"), "{}", plain.err);
    let digest = |out: &str| {
        let found = out.lines().rfind(|line| line.contains("\"digest\""));
        found.unwrap().to_owned()
    };
    if cfg!(target_os = "linux") {
        let isolated = run_in(folder.path(), &words(&format!("{line} --isolate")));
        assert_eq!(isolated.code, 0, "{}", isolated.err);
        assert_eq!(digest(&isolated.out), digest(&plain.out));
    }
    let own = "cmd:risk-cli bot serve ./curious.rhai --protocol json --stdio";
    let mut served: Vec<&str> = words(line);
    let at = served
        .iter()
        .position(|word| *word == "./curious.rhai")
        .unwrap();
    served[at] = own;
    let served = run_in(folder.path(), &served);
    assert_eq!(served.code, 0, "{}", served.err);
    assert!(!served.err.contains("fault"), "{}", served.err);
}
