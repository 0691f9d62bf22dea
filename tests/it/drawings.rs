//! Drawings as other programs write them become maps.

use std::path::Path;

use risk_maps::map::{CheckSettings, check};
use risk_text::diag::TextFile;

use crate::support::{RunOutput, run_in};

/// A drawing of each kind, options, the territories, the number of borders, and the continents.
const KINDS: [(&str, &[&str], &str, usize, &str); 9] = [
    (
        "inkscape",
        &[],
        "Fen Moor Dale Weald",
        6,
        "North Coast, South Coast",
    ),
    ("inkscape-old", &[], "Hill Top Glen Ford", 6, "upper, lower"),
    (
        "illustrator",
        &[],
        "Big_Port Cape Plain Hook",
        3,
        "West, East",
    ),
    ("drawio", &[], "Alpha Beta Gamma", 2, ""),
    ("graphviz", &[], "oak elm ash", 2, "lands"),
    ("wikimedia", &[], "Aardia Beeland nn Ceeland", 5, "aa"),
    ("plain", &[], "one two three four five", 7, "Hexland"),
    (
        "qgis",
        &["--layers", "provinces"],
        "Norrland Svealand Göta-land",
        3,
        "provinces",
    ),
    ("hand", &[], "a b c d", 6, "north, south"),
];

fn import(name: &str, drawing: &str, options: &[&str]) -> (RunOutput, String, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("{name}.svg");
    std::fs::write(folder.path().join(&file), drawing).unwrap();
    let args = [&["map", "import", &file, "-o", "x.yaml"], options].concat();
    let ran = run_in(folder.path(), &args);
    let written = std::fs::read_to_string(folder.path().join("x.yaml")).unwrap_or_default();
    (ran, written, folder)
}

#[test]
fn drawings_of_many_programs_become_maps() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drawings");
    for (name, options, territories, borders, continents) in KINDS {
        let drawing = std::fs::read_to_string(folder.join(format!("{name}.svg"))).unwrap();
        let (ran, _, folder) = import(name, &drawing, options);
        assert_eq!(ran.code, 0, "{name}: {}{}", ran.out, ran.err);
        let valid = run_in(folder.path(), &["map", "validate", "x.yaml"]);
        assert_eq!(valid.code, 0, "{name}: {}{}", valid.out, valid.err);
        let drawn = run_in(folder.path(), &["map", "render", "x.yaml", "-o", "x.svg"]);
        assert_eq!(drawn.code, 0, "{name}: {}", drawn.err);
        let layers: Vec<&str> = options.iter().skip(1).copied().collect();
        let settings = CheckSettings {
            layers: layers.iter().map(|layer| (*layer).to_owned()).collect(),
            is_import: true,
            ..CheckSettings::default()
        };
        let checked = check(&TextFile::new("x.svg", &drawing), &settings);
        let board = checked.board.unwrap();
        let names: Vec<&str> = board
            .territories()
            .map(|at| board.info(at).name.as_str())
            .collect();
        let wanted: Vec<&str> = territories.split(' ').collect();
        assert_eq!(names.len(), wanted.len(), "{name}: {names:?}");
        for (name, wanted) in names.iter().zip(wanted) {
            let wanted = wanted.replace('-', " ");
            assert!(name.starts_with(&wanted), "{name}: {wanted}");
        }
        assert_eq!(board.border_count(), borders, "{name}");
        let all = board.continents().iter().map(|info| info.name.as_str());
        assert_eq!(all.collect::<Vec<_>>().join(", "), continents, "{name}");
    }
}

/// After the import of an island, borders over water can be added to the file.
#[test]
fn borders_over_water_are_added_after_an_import() {
    let island = "<svg xmlns='http://www.w3.org/2000/svg'><g id='Land'>\
                  <path id='Left' d='M0 0H100V100H0Z'/><path id='Right' d='M100 0H200V100H100Z'/>\
                  <path id='Skerry' d='M0 200H60V260H0Z'/></g></svg>";
    let (ran, written, folder) = import("isles", island, &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let completed = written.replace("borders: [right]", "borders: [right, skerry]");
    assert_ne!(completed, written);
    for (text, warned) in [(&written, true), (&completed, false)] {
        std::fs::write(folder.path().join("x.yaml"), text).unwrap();
        let ran = run_in(folder.path(), &["map", "validate", "x.yaml"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        // On a full screen, later findings have one line each.
        let is_warned = ran.err.contains("map::disconnected-map");
        assert_eq!(is_warned, warned, "{}", ran.err);
    }
    let (ran, written, _folder) = import("isles", island, &["--strict"]);
    assert!(ran.code == 1 && written.is_empty(), "{}", ran.err);
}

/// Layers of a map that has none.
#[test]
fn only_drawings_have_layers() {
    let ran = run_in(
        Path::new("."),
        &["map", "import", "ring", "--layers", "layer1"],
    );
    assert!(
        ran.code != 0 && ran.codes() == ["map::layers"],
        "{}",
        ran.err
    );
}
