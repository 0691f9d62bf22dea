//! Any bytes as a map: a board stays the same when it is written and read again, and every form for
//! other programs can be written. A test reads the seeds, and a fuzz target goes on from there.

use risk_engine::record::map_hash;
use risk_kernel::board::Board;
use risk_maps::map;
use risk_maps::map::write::{Target, write};
use risk_report::findings::render;
use risk_text::diag::{TextFile, brief};

/// Reads bytes as a map file, and reports whether they are a map.
pub(crate) fn read(data: &[u8]) -> bool {
    let checked = match map::read("fuzzed.map", data.to_vec(), &map::CheckSettings::default()) {
        Ok(checked) => checked,
        Err(failure) => {
            let _ = render(&failure.findings, false, 80);
            return false;
        }
    };
    let some: Vec<_> = checked.findings.iter().take(20).cloned().collect();
    let _ = render(&some, false, 80);
    let _ = brief(&checked.findings.iter().collect::<Vec<_>>(), 200);
    checked.board.as_ref().map(comes_back).is_some()
}

fn comes_back(board: &Board) {
    let written = write(board, Target::Yaml);
    let again = map::check(
        &TextFile::new("written.yaml", &written.text),
        &map::CheckSettings::default(),
    );
    let Some(read) = again.board else {
        panic!("{:?}\n{}", again.findings, written.text)
    };
    assert_eq!(map_hash(&read), map_hash(board), "{}", written.text);
    for target in [Target::Domination, Target::Dot, Target::Graphml] {
        let _ = write(board, target);
    }
}

#[test]
fn maps_come_back() {
    use risk_testing::by_case::{each, files, root};
    let mut maps = 0;
    let mut others = 0;
    let all = each(
        [files("fuzz/seeds/maps"), files("tests/maps")].concat(),
        |path| {
            let data = std::fs::read(root().join(path)).unwrap();
            *if read(&data) { &mut maps } else { &mut others } += 1;
        },
    );
    assert!(
        !all || maps >= 20 && others >= 20,
        "{maps} maps, {others} others"
    );
}
