//! `tournament verify` replays the games of a log.

use std::path::Path;

use risk_lab::tournament::{GameLine, log};

use super::{folder, tournament};

const RECORDED: &str = "ruleset: codelab\noptions: { max_turns: 20 }\nseats: 2\nblocks: 6\nseed: 7\nrecords: true\nbots:\n  - outnumber\n  - greedy\n  - odds\n";

/// Edits each game of a log, and recomputes the sums.
fn change(path: &Path, each: impl Fn(&mut GameLine)) {
    let mut text = String::new();
    log::read(path, |_, mut block| {
        block.games.iter_mut().for_each(&each);
        text += &log::line(&block);
        Ok(())
    })
    .unwrap();
    std::fs::write(path, text).unwrap();
}

/// Counting alone doesn't detect other winners or digests in a log; `verify` does. It also detects
/// a missing record, or one of another game.
#[test]
fn a_log_is_held_to_what_was_played() {
    let place = folder(RECORDED);
    let place = place.path();
    tournament(place, "verify .").refuses(2, "tournament::empty");
    assert_eq!(tournament(place, "run . --quiet").code, 0);
    let verify = || tournament(place, "verify .");
    let fine = verify();
    assert_eq!(fine.code, 0, "{}{}", fine.out, fine.err);
    let log = place.join("log.1-of-1.jsonl");
    let as_played = std::fs::read_to_string(&log).unwrap();
    let swapped = |game: &mut GameLine| {
        game.places.reverse();
        if let [winner] = game.winners.as_mut_slice() {
            *winner = 3 - *winner;
        }
    };
    let renamed = |game: &mut GameLine| game.digest = "0123456789abcdef".to_owned();
    let changes: [&dyn Fn(&mut GameLine); 2] = [&swapped, &renamed];
    for each in changes {
        change(&log, each);
        let found = verify();
        assert_eq!(found.code, 1, "{}{}", found.out, found.err);
        assert!(!found.codes().is_empty(), "{}{}", found.out, found.err);
        let differs = |code: &&str| *code == "tournament::differs";
        assert!(found.codes().iter().all(differs), "{}", found.err);
        for command in ["report .", "merge ."] {
            let told = tournament(place, command).err;
            assert!(told.contains("tournament verify ."), "{command}: {told}");
        }
        std::fs::write(&log, &as_played).unwrap();
    }
    let record = |name: &str| place.join("records").join(name);
    let [first, second] =
        ["000000-1.jsonl", "000000-2.jsonl"].map(|name| std::fs::read(record(name)).unwrap());
    std::fs::rename(record("000000-2.jsonl"), record("000000-1.jsonl")).unwrap();
    let found = verify();
    assert_eq!(found.code, 1, "{}", found.out);
    assert!(
        found.err.contains("000000-1") && found.err.contains("000000-2"),
        "{}",
        found.err
    );
    // The records of all blocks are read, also of those that are not replayed.
    assert_eq!(tournament(place, "verify . --every 100").code, 1);
    // A record that lacks all decisions.
    let header = first.split_inclusive(|&byte| byte == b'\n').next();
    std::fs::write(record("000000-1.jsonl"), header.unwrap()).unwrap();
    std::fs::write(record("000000-2.jsonl"), &second).unwrap();
    let found = verify();
    found.refuses(1, "tournament::differs");
    let block: serde_json::Value = serde_json::from_str(as_played.lines().next().unwrap()).unwrap();
    let text = found.err.replace("│ ", "");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let missing = format!(" 0 of the game's {} ", block["games"][0]["decisions"]);
    assert!(text.contains(&missing), "{text}");
    std::fs::write(record("000000-1.jsonl"), first).unwrap();
}
