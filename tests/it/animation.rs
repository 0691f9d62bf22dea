//! Animated pictures of games that can not be written.

use crate::support::{run_in, words};

#[test]
fn what_can_not_be_made_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let line = "play -q -r codelab -m grid:64x64 -o max_turns=1 --record game.jsonl";
    assert_eq!(run_in(folder.path(), &words(line)).code, 0);
    let ran = run_in(
        folder.path(),
        &words("replay game.jsonl --animation game.gif"),
    );
    ran.refuses(2, "replay::animation");
    let limit = "at most 1000 territories, found 4096";
    assert!(ran.err.contains(limit), "{}", ran.err);
    let tall = "play -q -r codelab -m grid:4x200 -o max_turns=1 --record tall.jsonl";
    assert_eq!(run_in(folder.path(), &words(tall)).code, 0);
    let ran = run_in(
        folder.path(),
        &words("replay tall.jsonl --animation game.gif"),
    );
    ran.refuses(2, "replay::animation");
    let limit = "at most 2000000 pixels in a frame";
    assert!(ran.err.contains(limit), "{}", ran.err);
    assert!(!folder.path().join("game.gif").exists());
    let ran = run_in(
        folder.path(),
        &words("replay game.jsonl --animation game.png"),
    );
    ran.refuses(2, "cli::picture");
    assert!(ran.err.contains("found game.png"), "{}", ran.err);
    assert!(ran.err.contains(".gif"), "{}", ran.err);
    let line = "replay game.jsonl --animation a.gif --html b.html";
    assert_eq!(run_in(folder.path(), &words(line)).code, 2);
}
