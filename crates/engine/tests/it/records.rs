//! Records: written, replayed, verified.

use risk_engine::Worker;
use risk_engine::record::{Recorder, header, map_hash, read, verify};
use risk_kernel::StopReason;

/// The hash covers all that a board says of its continents and territories, and nothing else.
#[test]
fn hashes_are_of_content() {
    let hash = |text: &str| {
        let file = risk_text::diag::TextFile::new("map", text);
        let board = risk_maps::map::check(&file, &Default::default())
            .board
            .unwrap();
        map_hash(&board)
    };
    let text = "name: m\ncontinents:\n  - { id: w, bonus: 2 }\nterritories:\n  - { id: a, continent: w, borders: [b], card: horse, at: [1, 2] }\n  \
                - { id: b, continent: w, borders: [c] }\n  - { id: c, continent: w }\n";
    let same = ["# a comment\n", ""]
        .map(|comment| hash(&format!("{comment}{}", text.replace("name: m", "name: n"))));
    assert_eq!(
        same,
        [hash(text), hash(text)],
        "a comment and the map's own name are no part of the board"
    );
    let mut all = vec![hash(text)];
    for (from, to) in [
        ("bonus: 2", "bonus: 3"),
        ("id: w, ", "id: w, name: W2, "),
        ("id: a, ", "id: a, name: A2, "),
        ("card: horse", "card: foot"),
        ("card: horse", "cards: horse"),
        ("card: horse", "card: [horse]"),
        ("at: [1, 2]", "at: [2, 1]"),
        (", at: [1, 2]", ""),
        ("borders: [c]", "borders: [c, a]"),
        ("id: w, ", "id: w, colour: \"#102030\", "),
        ("name: m", "name: m\ndata: { x: 1 }"),
        ("name: m", "name: m\ndata: { x: [1] }"),
        ("name: m", "name: m\ndata: { x: { y: 1 } }"),
        ("name: m", "name: m\ndata: { x: { z: 1 } }"),
        ("id: w, ", "id: w, data: { x: 1 }, "),
    ] {
        all.push(hash(&text.replacen(from, to, 1)));
    }
    let count = all.len();
    all.sort();
    all.dedup();
    // A border that is listed at both ends is the same border.
    assert_eq!(all.len(), count - 1, "{all:?}");
}

#[test]
fn records_are_limited() {
    let setup = risk_testing::games::setup("hasbro", None, &["random"; 3], 1, &[]);
    let mut worker = Worker::new(&setup).unwrap();
    let header = header(&worker, 0);
    let mut recorder = Recorder::new(Vec::new(), &header).with_most(20_000);
    let finished = worker.play(0, &mut recorder);
    assert!(matches!(finished.outcome, Err(StopReason::Halted)) && recorder.is_full());
    let text = String::from_utf8(recorder.finish(None, &finished.game).unwrap()).unwrap();
    assert!((20_000..21_000).contains(&text.len()), "{}", text.len());
    let record = read(&text).unwrap();
    assert!(verify(&record, &mut worker).is_ok_and(|verified| !verified.whole));
}
