//! Records of arbitrary bytes, and real records with edited lines and recomputed sums. A test plays
//! some of them, a fuzz target any number: no panic, no hang, and no forged turn or end is
//! believed.
//!
//! The first byte of an input selects the form of the rest: up to `?` a file; from `@` on the lines
//! of a record without their sums, and the game whose header precedes them (from `` ` `` on the
//! first line is the header); from 128 on a list of changes to a real record.

use std::cell::RefCell;
use std::sync::Arc;

use risk_engine::bot_spec::BotSpec;
use risk_engine::record::{Playback, Record, Recorder, header, read, sum, verify};
use risk_engine::script::Script;
use risk_engine::{BotSource, RuleSetup, Seats, Setup, Worker, load_ruleset};
use risk_maps::lint::Levels;
use risk_testing::games::library;
use risk_text::diag::TextFile;

const MAP: &str = "name: m\ncontinents:\n  - { id: w, bonus: 2 }\nterritories:\n  - { id: a, continent: w, borders: [b] }\n  \
                   - { id: b, continent: w, borders: [c] }\n  - { id: c, continent: w, borders: [d] }\n  - { id: d, continent: w }\n";

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

/// Short games: cards and fights, a bot that faults, orders in secret with notes, and players that
/// are all alike.
const GAMES: [(&str, &str, [&str; 3]); 4] = [
    ("hasbro", "5", ["random", "outnumber", "random"]),
    ("hasbro", "4", ["random", FAULTY, "random"]),
    ("warzone", "6", ["random", "random", FAULTY]),
    ("simplified", "4", ["random", "odds", "random"]),
];

const FAULTY: &str =
    "fn answer(view, ask) { if view.round % 2 == 1 { ask.random() } else { throw \"no\" } }";

const ANSWERS: u64 = 2_000;

fn setup((name, turns, bots): (&str, &str, [&str; 3])) -> Setup {
    let board = if name == "simplified" {
        risk_maps::load(library(), "grid:2x2", &Levels::default()).unwrap()
    } else {
        Arc::new(
            risk_maps::map::check(&TextFile::new("m", MAP), &Default::default())
                .board
                .unwrap(),
        )
    };
    let ruleset = load_ruleset(library(), name).unwrap();
    let options = ruleset
        .options(&[("max_turns".to_owned(), turns.to_owned())])
        .unwrap();
    let spec = |bot: &str| {
        let script = bot
            .starts_with("fn")
            .then(|| BotSource::Script(Script::alone("faulty", bot)));
        let known =
            BotSpec::parse(library(), if script.is_some() { "random" } else { bot }).unwrap();
        BotSpec {
            source: script.unwrap_or(known.source),
            ..known
        }
    };
    let bots = bots.into_iter().map(spec).collect();
    let rules = RuleSetup {
        library: library().clone(),
        ruleset,
        ruleset_spec: name.to_owned(),
        board,
        map_spec: "m".to_owned(),
        options,
        assumed: Vec::new(),
    };
    Setup {
        bots,
        seed: 5.into(),
        seats: Seats::Fixed,
        ..Setup::new(rules, Vec::new())
    }
}

/// A game, its record, and a worker for the setup of its header.
struct Base {
    setup: Setup,
    text: String,
    worker: Worker<'static>,
}

fn base(game: (&'static str, &str, [&str; 3])) -> Base {
    let setup = setup(game);
    let mut worker = Worker::new(&setup).unwrap();
    let head = header(&worker, 0);
    let mut recorder = Recorder::new(Vec::new(), &head);
    let finished = worker.play(0, &mut recorder);
    let bytes = recorder
        .finish(finished.outcome.as_ref().ok(), &finished.game)
        .unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let again = head.setup(setup.rules.clone()).unwrap();
    // One for each game and thread, for the life of the program.
    let mut worker = Worker::new(Box::leak(Box::new(again))).unwrap();
    worker.limits.answers = ANSWERS;
    drop(finished);
    Base {
        text,
        worker,
        setup,
    }
}

thread_local! {
    static BASES: RefCell<Vec<Base>> = RefCell::new(GAMES.map(base).into());
}

fn edited(line: &str, which: usize, value: &str) -> String {
    let places: Vec<usize> = line.match_indices("\":").map(|(at, _)| at + 2).collect();
    let Some(&start) = places.get(which % places.len().max(1)) else {
        return value.to_owned();
    };
    let end = line[start..]
        .find([',', '}'])
        .map_or(line.len(), |len| start + len);
    format!("{}{value}{}", &line[..start], &line[end..])
}

fn chained<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut before = String::new();
    let mut all = String::new();
    for line in lines {
        let cut = line.split(",\"sum\":").next().unwrap_or_default();
        let body = if cut.len() < line.len() {
            cut
        } else {
            line.strip_suffix('}').unwrap_or(line)
        };
        before = sum(&before, body);
        all.push_str(&format!("{body},\"sum\":\"{before}\"}}\n"));
    }
    all
}

/// Reads the record that the bytes make, and verifies it. Returns whether it was believed.
pub(crate) fn play(data: &[u8]) -> bool {
    let Some((&first, rest)) = data.split_first() else {
        return false;
    };
    BASES.with_borrow_mut(|bases| {
        let number = usize::from(first) % bases.len();
        let base = &mut bases[number];
        match first {
            0..0x40 => read(&String::from_utf8_lossy(rest))
                .is_ok_and(|record| is_believed(base, &record).is_some()),
            0x40..0x80 => told(base, first >= 0x60, &String::from_utf8_lossy(rest)),
            0x80..=0xff => changed(base, rest),
        }
    })
}

/// Checks the lines of a record without their sums.
fn told(base: &mut Base, with_header: bool, rest: &str) -> bool {
    let text = base.text.clone();
    let header = text.lines().next().filter(|_| !with_header);
    let forged = chained(header.into_iter().chain(rest.lines()));
    read(&forged).is_ok_and(|record| is_believed(base, &record).is_some())
}

/// Applies changes of four bytes each to a real record.
fn changed(base: &mut Base, changes: &[u8]) -> bool {
    let mut lines: Vec<String> = base.text.lines().map(str::to_owned).collect();
    // Whether only lines that follow from the others are changed: then no change may be believed.
    let mut derived_alone = true;
    for edit in changes.chunks_exact(4).take(4) {
        let at = usize::from(edit[1]) * lines.len() / 256;
        derived_alone &=
            lines[at].contains("\"line\":\"turn\"") || lines[at].contains("\"line\":\"end\"");
        match edit[0] % 5 {
            0 | 1 => {
                lines[at] = edited(
                    &lines[at],
                    usize::from(edit[2]),
                    VALUES[usize::from(edit[3]) % VALUES.len()],
                )
            }
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
    let forged = chained(lines.iter().map(String::as_str));
    let Ok(record) = read(&forged) else {
        return false;
    };
    let Some(whole) = is_believed(base, &record) else {
        return false;
    };
    assert!(
        !(whole && derived_alone) || forged == base.text,
        "a forged line is believed:\n{forged}"
    );
    whole
}

/// Returns whether a record that is believed is whole, or `None`. Panics if a believed record
/// differs from its replay.
fn is_believed(base: &mut Base, record: &Record) -> Option<bool> {
    let head = header(&base.worker, 0);
    let same = (
        &head.ruleset_hash,
        &head.map_hash,
        &head.options,
        &head.seed,
        head.game,
        &head.strikes,
    ) == (
        &record.header.ruleset_hash,
        &record.header.map_hash,
        &record.header.options,
        &record.header.seed,
        record.header.game,
        &record.header.strikes,
    ) && head.players.len() == record.header.players.len();
    if same {
        return holds(record, &mut base.worker);
    }
    // The header is of another game: that one is played, if its setup loads.
    let setup = record.header.setup(base.setup.rules.clone()).ok()?;
    let mut worker = Worker::new(&setup).ok()?;
    worker.limits.answers = ANSWERS;
    holds(record, &mut worker)
}

fn holds(record: &Record, worker: &mut Worker<'_>) -> Option<bool> {
    let verified = verify(record, worker).ok()?;
    assert_eq!(
        (verified.lines, &verified.last_sum),
        (record.lines.len() + 1, &record.last_sum)
    );
    if verified.whole {
        let mut playback = Playback::new(record, None);
        let mut recorder = Recorder::new(Vec::new(), &record.header);
        let finished = worker.play_with(record.header.game, &mut playback.seats, &mut recorder);
        let text = recorder
            .finish(finished.outcome.as_ref().ok(), &finished.game)
            .expect("a short record");
        let again = read(std::str::from_utf8(&text).expect("a record is text"))
            .expect("a record that we wrote");
        // The texts of faults are the record's own, and are shortened.
        let plain = |record: &Record| {
            record
                .lines
                .iter()
                .filter(|(_, line)| line.kind() != "fault")
                .cloned()
                .collect::<Vec<_>>()
        };
        assert_eq!(
            plain(&again),
            plain(record),
            "what is believed is not what was played"
        );
        assert_eq!(again.lines.len(), record.lines.len());
    }
    Some(verified.whole)
}

/// Rewrites the seeds that are records of today's games. The others must be refused anyway.
fn renew_seeds() {
    use risk_testing::games::without_sum;
    let write = |name: &str, mode: u8, text: &str| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/records/");
        std::fs::write(format!("{path}{name}"), [&[mode], text.as_bytes()].concat()).unwrap();
    };
    BASES.with_borrow(|bases| {
        for (number, name) in (0..).zip(["cards", "faults", "orders", "grid"]) {
            let text = &bases[usize::from(number)].text;
            let bare: Vec<&str> = text.lines().map(without_sum).collect();
            let lines = format!("{}\n", bare[1..].join("\n"));
            write(&format!("lines-{name}"), 0x40 + number, &lines);
        }
        let text = &bases[1].text;
        let bare: Vec<&str> = text.lines().map(without_sum).collect();
        write("headed", 0x61, &bare.join("\n"));
        write("whole", 0x31, text);
        write("whole-crlf", 0x31, &text.replace('\n', "\r\n"));
        write("cut", 0x31, &text[..text.len() / 2]);
    });
}

/// Every seed, and every seed with a piece removed.
#[test]
fn seeds_of_records_do_no_harm() {
    use risk_testing::by_case::{each, files, root};
    if std::env::var_os("RISK_RENEW").is_some() {
        renew_seeds();
    }
    let mut count = 0;
    let mut believed = 0;
    let all = each(files("fuzz/seeds/records"), |path| {
        let data = std::fs::read(root().join(path)).unwrap();
        believed += usize::from(play(&data));
        for step in 1..8 {
            let from = data.len() * step / 8;
            let to = data.len() * (step + 1) / 8;
            play(&[&data[..from], &data[to..]].concat());
        }
        count += 1;
    });
    assert!(
        !all || count >= 12 && believed >= 4,
        "{count} seeds, {believed} of them are believed"
    );
}

#[test]
fn random_records_do_no_harm() {
    use risk_kernel::rng::{Purpose, Stream};
    use risk_testing::by_case::each;
    let mut believed = 0;
    each(0..160, |&round| {
        let mut stream = Stream::new(78, round, Purpose::Setup);
        let mut data: Vec<u8> = (0..17).map(|_| stream.below(256) as u8).collect();
        // Most of them are a real record with one change.
        data[0] = if round % 8 == 0 { 0 } else { 255 };
        data.truncate(if round % 3 == 0 { 9 } else { 5 });
        believed += u32::from(play(&data));
    });
    assert!(play(&[255]), "the record itself is believed");
    assert!(believed < 60, "{believed}");
}
