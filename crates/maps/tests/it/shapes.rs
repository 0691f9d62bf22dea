//! Shapes of territories: read, checked, written, and taken from drawings.

use risk_kernel::board::{Board, Ring};
use risk_kernel::id::Territory;
use risk_maps::lint::Levels;
use risk_maps::map::shores::{AROUND, Point, Shores};
use risk_maps::map::write::{Target, write};
use risk_maps::map::{CheckSettings, CheckedMap, check};
use risk_text::diag::{Finding, Level, TextFile, brief};

use crate::board;

/// Returns a map of two squares side by side, and one across water.
fn islands(first: &str) -> String {
    format!(
        "name: islands
territories:
  - {{ id: a, at: [50, 50], borders: [b], shape: \"{first}\" }}
  - {{ id: b, at: [150, 50], borders: [c], shape: \"M100 0H200V100H100Z\" }}
  - {{ id: c, at: [350, 50], shape: \"M300 0H400V100H300Z\" }}
"
    )
}

fn checked(text: &str) -> CheckedMap {
    let levels = Levels::default().closely();
    check(&TextFile::new("islands.yaml", text), &levels.into())
}

fn shape(data: &str) -> Vec<Ring> {
    let board = checked(&islands(data)).board;
    board
        .unwrap_or_else(|| panic!("{data}"))
        .info(Territory(0))
        .shape
        .clone()
}

#[test]
fn path_data_is_read_as_svg_has_it() {
    let square = vec![vec![(0, 0), (100, 0), (100, 100), (0, 100)]];
    for data in [
        "M0 0 L100 0 L100 100 L0 100 Z",
        "M0,0L100,0,100,100,0,100z",
        "m0 0 100 0 0 100-100 0z",
        "M0 0h100v100h-100v-100",
        "M.1.1L1e2 0L+100 100.4L0 100Z",
        "M0 0 100 0 100 100 0 100 0 0",
        "M0 0H100V100H0ZM7 7Z",
    ] {
        assert_eq!(shape(data), square, "{data}");
    }
    let hole = shape("M0 0H100V100H0Zm20 20h10v10h-10z");
    assert_eq!(hole[1], [(20, 20), (30, 20), (30, 30), (20, 30)]);
    // Curves: the corners are on the circle.
    for data in [
        "M100 50A50 50 0 1 1 0 50A50 50 0 1 1 100 50Z",
        "M100 50a50 50 0 1 1-100 0a50 50 0 1 1 100 0z",
        "M100 50C100 77.6 77.6 100 50 100S0 77.6 0 50 22.4 0 50 0 100 22.4 100 50Z",
    ] {
        let rings = shape(data);
        assert!(rings.len() == 1 && rings[0].len() > 20, "{data}: {rings:?}");
        for &(x, y) in &rings[0] {
            let far = f64::from(x - 50).hypot(f64::from(y - 50));
            assert!((far - 50.0).abs() < 1.5, "{data}: {x} {y}");
        }
    }
    let bent = shape("M0 30Q50 70 100 30T200 30V100H0Z");
    assert!(
        bent[0].contains(&(50, 50)) && bent[0].contains(&(150, 10)),
        "{bent:?}"
    );
}

/// A shape, the code of its finding, and the byte or the number that the message names.
const FLAWS: [(&str, &str, &str); 16] = [
    ("", "map::shape-data", "byte 0"),
    ("L10 10", "map::shape-data", "byte 0"),
    ("M0 0L100 0L100 100", "map::shape-open", "byte 18"),
    ("M0 0H100V100M5 5H9V9Z", "map::shape-open", "byte 12"),
    ("M0 0H100V100X5Z", "map::shape-data", "`X`"),
    ("M0 0H100V1é0Z", "map::shape-data", "byte 10"),
    ("M0 0H9V9Z5", "map::shape-data", "byte 9"),
    ("M0 0H100V", "map::shape-data", "byte 9"),
    ("M0 0H1e9V100Z", "map::shape-data", "1000000"),
    ("M0 0H100V1e400Z", "map::shape-data", "1000000"),
    ("M0 0H900000V100000Z", "map::shape-data", "900000"),
    ("M0 0A9 9 0 2 1 5 5Z", "map::shape-data", "byte 11"),
    ("M0 0H100Z", "map::shape-data", "byte 0"),
    ("M-1 0H100V100H0Z", "map::shape-outside", "-1"),
    ("M0 0H20000V100H0Z", "map::shape-outside", "20000"),
    ("M60 60H90V90H60Z", "map::at-outside-shape", "`a`"),
];

#[test]
fn flaws_of_shapes_have_codes() {
    let long = format!("M0 0{}Z", "L1 1".repeat(30_000));
    let many = format!("M0 0{}Z", "L1 1L2 2".repeat(6_000));
    let limits = [
        (long.as_str(), "map::shape-data", "100000"),
        (many.as_str(), "map::shape-data", "10000"),
    ];
    for (data, code, number) in FLAWS.into_iter().chain(limits) {
        let text = islands(data);
        let found = checked(&text).findings;
        let first: String = data.chars().take(40).collect();
        // A territory whose shape can't be read has none.
        let missing = |finding: &&Finding| finding.code == "map::shape-missing";
        let others: Vec<&Finding> = found.iter().filter(|it| !missing(it)).collect();
        assert_eq!(others.len(), 1, "{first}: {found:?}");
        assert_eq!(others[0].code, code, "{first}");
        let text = others[0].text.replace(',', "");
        assert!(text.contains(number), "{first}: {number}: {text}");
        assert!(brief(&[&found[0]], 1).contains("islands.yaml"), "{first}");
    }
    let missing = islands("M0 0H100V100H0Z").replace(", shape: \"M300 0H400V100H300Z\"", "");
    assert_eq!(checked(&missing).findings[0].code, "map::shape-missing");
    let between = islands("M0 0H100V100H0Z").replace("borders: [b]", "borders: [b, c]");
    assert_eq!(checked(&between).findings[0].code, "map::line-over-land");
}

/// The check takes a bounded time for shapes of any intricacy.
#[test]
fn shapes_that_are_too_intricate_are_refused() {
    let comb: String = (0..4_900)
        .map(|n| format!("L{} {}", n % 7, n % 5 * 2))
        .collect();
    let mut text = "name: comb\nterritories:\n".to_owned();
    for index in 0..60 {
        text += &format!(
            "  - {{ id: t{index}, borders: [t{}], shape: \"M0 0{comb}Z\" }}\n",
            (index + 1) % 60
        );
    }
    let checked = checked(&text);
    assert!(checked.board.is_none());
    // The map as a whole has too much, not one of its shapes.
    let found = checked.findings.iter();
    let found = found.filter(|finding| finding.code == "map::shape-data");
    let places: Vec<_> = found
        .map(|finding| finding.place.as_ref().unwrap().start)
        .collect();
    assert_eq!(places, [0], "{:?}", checked.findings);
}

fn shores(board: &Board) -> Shores {
    Shores::new(board, |point: Point| point).unwrap()
}

#[test]
fn shapes_of_our_maps_fit_their_borders() {
    for name in ["world", "hacker-risk", "europe"] {
        let board = board(name);
        let shores = shores(&board);
        for at in board.territories() {
            let (x, y) = board.info(at).at.unwrap();
            let point = (f64::from(x), f64::from(y));
            assert!(
                shores.holds(at.index(), point),
                "{name}: {}",
                board.info(at).id
            );
        }
        let apart: Vec<(usize, usize)> = board
            .edges()
            .map(|(from, to, _)| (from.index(), to.index()))
            .filter(|&(from, to)| !shores.touch(from, to))
            .collect();
        let links = shores.links(&apart, 0.0);
        let id = |index: usize| board.info(Territory::from_index(index)).id.clone();
        for (&(from, to), link) in apart.iter().zip(&links) {
            let around = (link.from.0 - link.to.0).abs() > shores.width() * AROUND;
            assert!(link.clear || around, "{name}: {} and {}", id(from), id(to));
        }
        let borders = board.edges().count();
        assert!(
            apart.len() * 2 < borders,
            "{name}: {} of {borders} are apart",
            apart.len()
        );
    }
}

#[test]
fn shapes_are_written() {
    for name in ["world", "europe"] {
        let board = board(name);
        let text = write(&board, Target::Yaml).text;
        let again = check(
            &TextFile::new("again.yaml", &text),
            &CheckSettings::default(),
        )
        .board
        .unwrap();
        for at in board.territories() {
            assert!(!board.info(at).shape.is_empty(), "{name}");
            assert_eq!(board.info(at), again.info(at), "{name}");
        }
    }
}

const DRAWING: &str = r##"<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"
  xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape">
  <defs><path id="clip" d="M0 0H9V9Z"/></defs>
  <g id="layer1" inkscape:label="The West" transform="translate(10,0)">
    <path id="path1" inkscape:label="Old Town" style="fill:#C8553D;stroke:none" d="m -10,0 h 10 v 10 h -10 z"/>
    <path id="path2" d="M0 0H5V5H10V10H0Z" transform="matrix(1 0 0 1 0 0)"/>
  </g>
  <g id="east"><polygon id="isle" points="30,0 40,0 40,10 30,10"/><rect width="3" height="3"/></g>
</svg>
"##;

/// Paths are territories, layers are continents, and touching territories have a border.
#[test]
fn a_drawing_becomes_a_map() {
    let levels = Levels::new([("disconnected-map", Level::Warn)], false).unwrap();
    let settings = CheckSettings {
        levels,
        is_import: true,
        ..CheckSettings::default()
    };
    let checked = check(&TextFile::new("isles.svg", DRAWING), &settings);
    let codes: Vec<&str> = checked.findings.iter().map(|it| it.code.as_str()).collect();
    for code in [
        "map::svg-left-out",
        "map::territory-without-borders",
        "map::disconnected-map",
    ] {
        assert!(codes.contains(&code), "{code}: {codes:?}");
    }
    let mut texts = checked.findings.iter().map(|it| it.text.as_str());
    assert!(texts.any(|text| text.contains("1 rect")));
    let text = write(&checked.board.unwrap(), Target::Yaml).text;
    insta::assert_snapshot!(text);
}

/// Part of a drawing, what replaces it, the code of the finding, and what the message names.
const DRAWING_FLAWS: [(&str, &str, &str, &str); 6] = [
    ("</svg>", "", "map::syntax", "SVG"),
    (
        "<?xml",
        "<!DOCTYPE svg [<!ENTITY a \"b\">]><?xml",
        "map::syntax",
        "DTD",
    ),
    (
        "matrix(1 0 0 1 0 0)",
        "matrix(1 0)",
        "map::shape-data",
        "`path2`",
    ),
    ("M0 0H5V5H10V10H0Z", "M0 0H5Q", "map::shape-data", "byte 7"),
    (
        "M0 0H5V5H10V10H0Z",
        "M0 0H5",
        "map::svg-left-out",
        "`path2`",
    ),
    ("M0 0H9V9Z", "<g><g>", "map::syntax", "4:28"),
];

#[test]
fn flaws_of_drawings_have_codes() {
    let deep = format!(
        "{}<path d=\"M0 0H9V9Z\"/>{}</svg>",
        "<g>".repeat(70),
        "</g>".repeat(70)
    );
    let deep = ("</svg>", deep.as_str(), "map::value", "64");
    for (from, to, code, name) in DRAWING_FLAWS.into_iter().chain([deep]) {
        let checked = checked(&DRAWING.replace(from, to));
        let found = checked
            .findings
            .iter()
            .any(|finding| finding.code == code && finding.text.contains(name));
        assert!(
            checked.board.is_none() && found,
            "{to}: {:?}",
            checked.findings
        );
    }
}

/// A parser would take hours for an element with very many attributes or namespaces, so they are
/// counted first. Text that only resembles attributes is not counted.
#[test]
fn drawings_with_too_many_attributes_are_refused() {
    let many =
        |count: usize, one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<String>();
    let attribute = |number: usize| format!(" a{number} = \"=>'\"");
    let namespace = |number: usize| format!("<g xmlns:n{number}='urn:n{number}'/>\n");
    let findings = |more: &str| {
        let text = DRAWING.replace("</svg>", &format!("\n{more}</svg>"));
        let line = 1 + DRAWING.lines().count();
        (checked(&text).findings, line)
    };
    for (more, what) in [
        (format!("<g{}/>", many(257, &attribute)), "attributes"),
        (format!("<g{}/>", many(200_000, &attribute)), "attributes"),
        (format!("<g{}>", many(256, &namespace)), "namespaces"),
    ] {
        let (found, line) = findings(&more);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].code, "map::syntax", "{found:?}");
        let text = &found[0].text;
        assert!(text.contains("256") && text.contains(what), "{found:?}");
        let at = found[0].place.as_ref().map(|place| place.line_column().0);
        assert!(at.is_some_and(|at| at >= line), "{what}: {at:?} {line}");
    }
    let likes = [
        format!("<g{}/>", many(256, &attribute)),
        format!("<!-- <g{}/> -->", many(300, &attribute)),
        format!("<![CDATA[ <g{}/> ]]>", many(300, &attribute)),
        format!("<?some <g{}?>", many(300, &attribute)),
        format!("<g a=\"{}\"/>", "= ".repeat(300)),
        many(300, &|number| format!("<g a='{number}'/>")),
        // Deep nesting alone costs nothing.
        format!("{}{}", "<g>".repeat(90_000), "</g>".repeat(90_000)),
    ];
    for more in likes {
        let (found, _) = findings(&more);
        let refused = found.iter().find(|it| it.code.contains("syntax"));
        assert!(refused.is_none(), "{refused:?}");
    }
}
