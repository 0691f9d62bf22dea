//! Games that scripts imagine: they reveal nothing hidden, follow the rules, and have a cost.

use crate::support::{run_in, words};

/// A bot whose answer depends on all that it can learn from imagined games.
const CURIOUS: &str = r#"
fn answer(view, ask) {
    let sum = 0;
    for n in 0..2 {
        let game = view.imagine();
        for turn in 0..2 {
            for who in view.players {
                let seen = game.view_of(who);
                for armies in seen.all_armies { sum = (sum * 31 + armies + 1) % 1000003; }
                for owner in seen.all_owners { sum = (sum * 31 + owner + 1) % 1000003; }
                if view.ruleset == "hasbro" {
                    for card in seen.cards(who, "hand") { sum = (sum * 31 + card) % 1000003; }
                }
                sum = (sum * 31 + game.score(who)) % 1000003;
            }
            if game.is_over { break; }
            game.apply(game.ask.random());
            game.play_out("random", 1);
        }
    }
    ask.nth((sum + 1000003) % 1000003 % ask.len)
}
"#;

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
