//! Drawings as other programs write them become maps.

use std::path::Path;

use risk_maps::map::{CheckSettings, CheckedMap, check};
use risk_text::diag::{Finding, TextFile};

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

/// Returns the board that a drawing becomes in an import, and the codes and places of findings.
fn imported(text: &str, layers: &[&str]) -> (CheckedMap, Vec<String>) {
    let settings = CheckSettings {
        layers: layers.iter().map(|layer| (*layer).to_owned()).collect(),
        is_import: true,
        ..CheckSettings::default()
    };
    let checked = check(&TextFile::new("x.svg", text), &settings);
    let told = |finding: &Finding| {
        let (line, column) = finding.place.as_ref().unwrap().line_column();
        let code = finding.code.trim_start_matches("map::");
        format!("{line}:{column} {code}")
    };
    let told = checked.findings.iter().map(told).collect();
    (checked, told)
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
        let board = imported(&drawing, &layers).0.board.unwrap();
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

/// Two squares that touch, with room for more elements on the lines 4 and 6.
fn pair(inside: &str, after: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" \
         xmlns:i=\"http://www.inkscape.org/namespaces/inkscape\">\n\
         <g id=\"Land\" fill=\"#c85a32\">\n\
         <path id=\"Left\" d=\"M0 0H100V100H0Z\"/> <path id=\"Right\" d=\"M100 0H200V100H100Z\"/>\n\
         {inside}\n</g>\n{after}\n</svg>\n"
    )
}

const ALONE: &str =
    "2:1 disconnected-continent, 4:1 disconnected-map, 4:1 territory-without-borders";
/// An element on the line 4, where `@` is a square apart, the number of territories, and findings.
#[rustfmt::skip]
const DRAWN: [(&str, usize, &str); 22] = [
    ("", 2, ""),
    ("@/>", 3, ALONE),
    ("@ fill='none'/>", 2, "4:1 svg-left-out"),
    ("@ style='fill:none;stroke:#000'/>", 2, "4:1 svg-left-out"),
    ("@ style='stroke:red; fill : none'/>", 2, "4:1 svg-left-out"),
    ("@ fill='transparent'/>", 2, "4:1 svg-left-out"),
    ("@ fill-opacity='0'/>", 2, "4:1 svg-left-out"),
    ("@ display='none'/>", 2, "4:1 svg-left-out"),
    ("@ style='visibility:hidden'/>", 2, "4:1 svg-left-out"),
    ("@ opacity='0.0'/>", 2, "4:1 svg-left-out"),
    ("<g opacity='0'><g>@/></g></g>", 2, "4:19 svg-left-out"),
    ("<g style='display:none'>@ style='display:inline'/></g>", 2, "4:25 svg-left-out"),
    ("<g visibility='hidden'>@/></g>", 2, "4:24 svg-left-out"),
    ("<g id='x' visibility='hidden'>@ visibility='visible'/></g>", 3,
     "4:31 disconnected-map, 4:31 territory-without-borders"),
    ("<g id='g1' fill='none'>@/></g>", 2, "4:24 svg-left-out"),
    ("<style>#x{display:none}</style>@/>", 2, "4:32 svg-left-out"),
    ("<style>.n,.m{fill:none}</style>@ class='a m'/>", 2, "4:32 svg-left-out"),
    ("<defs>@/></defs>", 2, "4:7 svg-left-out"),
    ("<symbol id='s'>@/></symbol>", 2, "4:16 svg-left-out"),
    ("<clipPath>@/></clipPath>", 2, "4:11 svg-left-out"),
    ("<path id='x' d='M50 50L150 50'/>", 2, "4:1 svg-left-out"),
    ("<path id='x' d=''/><path id='y' d='M5 5H9Z'/>", 2, "4:1 svg-left-out"),
];

#[test]
fn only_what_is_drawn_is_land() {
    for (inside, count, findings) in DRAWN {
        let text = pair(
            &inside.replace('@', "<path id=\"x\" d=\"M500 0H600V100H500Z\""),
            "",
        );
        let (checked, mut told) = imported(&text, &[]);
        told.sort_unstable();
        let board = checked
            .board
            .unwrap_or_else(|| panic!("{inside}: {told:?}"));
        assert_eq!((board.len(), board.border_count()), (count, 1), "{inside}");
        assert_eq!(told.join(", "), findings, "{inside}");
        for finding in &checked.findings {
            let names_it = finding.text.contains(['x', 'd']);
            assert!(names_it, "{inside}: {}", finding.text);
        }
    }
    // Only an import leaves islands for later.
    let island = pair("<path id=\"Skerry\" d=\"M0 200H60V260H0Z\"/>", "");
    let checked = check(&TextFile::new("x.svg", &island), &CheckSettings::default());
    assert!(checked.board.is_none());
}

/// After the import of an island, borders over water can be added to the file.
#[test]
fn borders_over_water_are_added_after_an_import() {
    let island = "<path id=\"Skerry\" d=\"M0 200H60V260H0Z\"/>";
    let (ran, written, folder) = import("isles", &pair(island, ""), &[]);
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
    let (ran, written, _folder) = import("isles", &pair(island, ""), &["--strict"]);
    assert!(ran.code == 1 && written.is_empty(), "{}", ran.err);
}

#[test]
fn document_types_without_entities_are_read() {
    let public = "svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://example.org/svg11.dtd\"";
    for (doctype, is_read) in [
        (public, true),
        ("svg", true),
        ("svg SYSTEM 'a>b.dtd'", true),
        ("svg [ <!ATTLIST svg x CDATA #IMPLIED> ]", true),
        ("svg [ <!ENTITY a \"b\"> ]", false),
        (
            &format!("{public} [\n<!ENTITY % a SYSTEM 'x'>\n%a; ]"),
            false,
        ),
    ] {
        let text = format!(
            "<?xml version=\"1.0\"?>\n<!DOCTYPE {doctype}>\n{}",
            pair("", "")
        );
        let (checked, told) = imported(&text, &[]);
        assert_eq!(checked.board.is_some(), is_read, "{doctype}: {told:?}");
        assert!(
            told.iter().all(|it| it == "2:1 syntax"),
            "{doctype}: {told:?}"
        );
        let codes: Vec<&str> = checked.findings.iter().map(|it| it.code.as_str()).collect();
        let wanted: &[&str] = if is_read { &[] } else { &["map::syntax"] };
        assert_eq!(codes, wanted, "{doctype}");
    }
}

/// Layers, and the territories in them. Without an answer, the layers are listed.
#[test]
fn layers_are_chosen() {
    let layer = "i:groupmode='layer' i:label";
    let layers = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' \
         xmlns:i='http://www.inkscape.org/namespaces/inkscape'>\n\
         <g {layer}='Old Land' id='layer1'><g id='g5'><path id='a' d='M0 0H9V9H0Z'/></g>\
         <path id='b' d='M9 0H18V9H9Z'/></g>\n\
         <g {layer}='Sketch'><path id='c' d='M18 0H27V9H18Z'/></g>\n</svg>"
    );
    let groups = layers
        .replace(layer, "id2")
        .replace("id2='Sketch'", "id='Sketch'");
    let layers = layers.as_str();
    for (drawing, chosen, ids) in [
        (layers, "", "a b c"),
        (layers, "Old Land", "a b"),
        (layers, "layer1", "a b"),
        (layers, "Sketch,Old Land", "a b c"),
        (layers, "Nowhere", "Old Land, Sketch"),
        (&groups, "layer1", "a b"),
        (&groups, "Nowhere", "Sketch, g5, layer1"),
    ] {
        let chosen: Vec<&str> = chosen.split(',').filter(|it| !it.is_empty()).collect();
        let (checked, told) = imported(drawing, &chosen);
        let Some(board) = checked.board else {
            assert_eq!(told, ["1:1 value"], "{chosen:?}");
            let help = checked.findings[0].help.as_ref().unwrap();
            assert!(help.contains(ids), "{chosen:?}: {help}");
            continue;
        };
        let found = board.territories().map(|at| board.info(at).id.as_str());
        assert_eq!(found.collect::<Vec<_>>().join(" "), ids, "{chosen:?}");
    }
    let (ran, _, _folder) = import("x", layers, &["--layers", "layer1,Sketch"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
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

/// Drawings that would take very long are refused.
#[test]
fn drawings_that_multiply_work_are_refused() {
    let doubled: String = (1..40)
        .map(|n| {
            format!(
                "<g id='u{n}'><use href='#u{}'/><use href='#u{}'/></g>",
                n - 1,
                n - 1
            )
        })
        .collect();
    let stairs = "L9 9L0 5".repeat(20_000);
    let many: String = (0..30)
        .map(|n| format!("<use id='m{n}' href='#big'/>"))
        .collect();
    let long = "fill:red;".repeat(20_000);
    let rules = "x g g g g g g g g g g g path{fill:red}".repeat(300);
    let nested = format!(
        "{}<path d='M0 0H9V9Z'/>{}",
        "<g>".repeat(60),
        "</g>".repeat(60)
    );
    let all = "*{fill:red}".repeat(20_000);
    let rows = [
        (
            "value",
            format!("<defs><path id='u0' d='M0 0H9V9Z'/>{doubled}</defs><use href='#u39'/>"),
        ),
        ("value", "<g id='a'><use href='#a'/></g>".to_owned()),
        (
            "value",
            format!("<style>{rules}</style>{}", nested.repeat(20)),
        ),
        (
            "value",
            format!("<style>{all}</style>{}", nested.repeat(50)),
        ),
        (
            "shape-data",
            format!("<defs><path id='big' d='M0 0{stairs}Z'/></defs>{many}"),
        ),
        ("value", format!("<style>path{{{long}}}</style>")),
        (
            "value",
            format!(
                "<g id='long' style='{long}'/>{}",
                "<use href='#long'/>".repeat(9_000)
            ),
        ),
        (
            "too-many-territories",
            "<path d='M0 0H9V9Z'/>".repeat(11_000),
        ),
    ];
    for (code, inside) in rows {
        let (checked, told) = imported(&pair("", &inside), &[]);
        let head: String = inside.chars().take(60).collect();
        assert!(checked.board.is_none(), "{head}");
        assert!(told.iter().any(|it| it.ends_with(code)), "{head}: {told:?}");
    }
}
