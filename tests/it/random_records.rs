//! Records of any bytes, and a real one with some of its lines changed and summed up anew. A test plays some
//! of them, and a fuzz target as many as one likes: no panic, no hang, and no forged turn or end is believed.

use std::sync::{Arc, OnceLock};

use risk_cli::arena::{Seats, Setup, Worker};
use risk_cli::load::diag::TextFile;
use risk_cli::load::entrant::Entrant;
use risk_cli::load::{self, lint::Levels};
use risk_cli::record::{Recorder, header, read, sum, verify};
use risk_cli::script::Terms;

const MAP: &str = "name: m\ncontinents:\n  - { id: w, bonus: 2 }\nterritories:\n  - { id: a, continent: w, borders: [b] }\n  \
                   - { id: b, continent: w, borders: [c] }\n  - { id: c, continent: w, borders: [d] }\n  - { id: d, continent: w }\n";

/// What stands in the place of a value.
const VALUES: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "-1",
    "1.5",
    "99999999999999999999",
    "null",
    "true",
    "[]",
    "[1]",
    "{}",
    "\"\"",
    "\"done\"",
    "\"claim a\"",
    "\"0123456789abcdef\"",
];

fn setup() -> Setup {
    let board = load::map::check(&TextFile::new("m", MAP), &Levels::default()).board.unwrap();
    let ruleset = load::ruleset("hasbro").unwrap();
    let options = ruleset.options(&[("max_turns".to_owned(), "5".to_owned())]).unwrap();
    let entrants = ["random", "outnumber", "random"].iter().map(|bot| Entrant::parse(bot).unwrap()).collect();
    Setup {
        ruleset,
        board: Arc::new(board),
        options,
        entrants,
        seed: 5,
        seats: Seats::Fixed,
        terms: Terms::default(),
        strikes: None,
    }
}

/// A record, and the game that it is of.
fn base() -> &'static (Setup, String) {
    static BASE: OnceLock<(Setup, String)> = OnceLock::new();
    BASE.get_or_init(|| {
        let setup = setup();
        let mut worker = Worker::new(&setup).unwrap();
        let head = header(&setup, ("hasbro", "m"), worker.decl().strikes, 0);
        let mut recorder = Recorder::new(Vec::new(), &head);
        let finished = worker.play(0, &mut recorder);
        let bytes = recorder.finish(finished.outcome.as_ref().ok(), &finished.game).unwrap();
        (setup, String::from_utf8(bytes).unwrap())
    })
}

/// A line with one of its values replaced.
fn edited(line: &str, which: usize, value: &str) -> String {
    let places: Vec<usize> = line.match_indices("\":").map(|(at, _)| at + 2).collect();
    let Some(&start) = places.get(which % places.len().max(1)) else { return value.to_owned() };
    let end = line[start..].find([',', '}']).map_or(line.len(), |len| start + len);
    format!("{}{value}{}", &line[..start], &line[end..])
}

/// Sums up anew.
fn chained(lines: &[String]) -> String {
    let (mut before, mut all) = (String::new(), String::new());
    for line in lines {
        let body = line.split(",\"sum\":").next().unwrap_or_default().trim_end_matches('}');
        let body = if line.contains(",\"sum\":") { line.split(",\"sum\":").next().unwrap_or_default() } else { body };
        before = sum(&before, body);
        all.push_str(&format!("{body},\"sum\":\"{before}\"}}\n"));
    }
    all
}

/// Reads what the bytes make, and verifies it; whether it was believed.
pub(crate) fn play(data: &[u8]) -> bool {
    let Some((&first, rest)) = data.split_first() else { return false };
    if first < 128 {
        return read(&String::from_utf8_lossy(rest)).is_ok_and(|record| record.is_whole());
    }
    let (_, text) = base();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    // Only lines that follow from the others are changed, so that nothing of it may be believed.
    let mut derived_alone = true;
    for edit in rest.chunks_exact(4).take(4) {
        let at = usize::from(edit[1]) * lines.len() / 256;
        derived_alone &= lines[at].contains("\"line\":\"turn\"") || lines[at].contains("\"line\":\"end\"");
        match edit[0] % 5 {
            0 | 1 => lines[at] = edited(&lines[at], usize::from(edit[2]), VALUES[usize::from(edit[3]) % VALUES.len()]),
            2 => drop(lines.remove(at)),
            3 => lines.insert(at, lines[at].clone()),
            _ => {
                let other = usize::from(edit[2]) * lines.len() / 256;
                derived_alone = false;
                lines.swap(at, other);
            }
        }
        if lines.is_empty() {
            return false;
        }
    }
    let forged = chained(&lines);
    let Ok(record) = read(&forged) else { return false };
    let Ok(setup) = record.header.setup(base().0.ruleset.clone(), Arc::clone(&base().0.board)) else { return false };
    let Ok(mut worker) = Worker::new(&setup) else { return false };
    worker.limits.answers = 2_000;
    let believed = verify(&record, &mut worker).is_ok_and(|verified| verified.whole);
    assert!(!(believed && derived_alone) || forged == *text, "a forged line is believed:\n{forged}");
    believed
}
