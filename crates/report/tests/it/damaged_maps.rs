//! Damaged map files: read and told without harm.

use std::path::PathBuf;

use risk_kernel::rng::{Purpose, Stream};
use risk_maps::map::{CheckSettings, read};
use risk_report::findings::render;
use risk_testing::by_case::each;
use risk_testing::by_case::root;

fn folder() -> PathBuf {
    root().join("tests/maps")
}

fn files() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn damaged_files_do_no_harm() {
    let kinds = [
        b"\n", b"\r", b" ", b",", b";", b"[", b"]", b"=", b"-", b":", b"{", b"}", b"\xff", b"9",
        b"\t", b"#",
    ];
    let files = files();
    each(0..files.len(), |&number| {
        let name = &files[number];
        let mut luck = Stream::new(6, number as u64, Purpose::Setup);
        let whole = std::fs::read(folder().join(name)).unwrap();
        for _ in 0..60 {
            let mut bytes = whole.clone();
            for _ in 0..=luck.below(8) {
                let at = luck.below(bytes.len() as u64 + 1) as usize;
                let until = bytes.len().min(at + luck.below(40) as usize);
                match luck.below(4) {
                    0 => drop(bytes.drain(at..until)),
                    1 => bytes
                        .splice(at..at, *kinds[luck.below(kinds.len() as u64) as usize])
                        .for_each(drop),
                    2 => {
                        let copied = bytes[at..until].to_vec();
                        let to = luck.below(bytes.len() as u64 + 1) as usize;
                        bytes.splice(to..to, copied).for_each(drop);
                    }
                    _ => bytes.truncate(if luck.below(20) == 0 { at } else { bytes.len() }),
                }
            }
            if let Ok(checked) = read(name, bytes, &CheckSettings::default()) {
                let _ = render(
                    &checked.findings[..checked.findings.len().min(3)],
                    false,
                    80,
                );
            }
        }
    });
}
