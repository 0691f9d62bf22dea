//! Drawings become maps: what is drawn, what is land, and what is too much.

use risk_maps::map::{CheckSettings, CheckedMap, check};
use risk_text::diag::{Finding, TextFile};

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
