//! Pictures of maps: every name is there, beside its own place, and can be read.

use risk_testing::games::library;
use std::collections::BTreeMap;

use risk_engine::load::diag::TextFile;
use risk_engine::load::lint::{LINTS, Levels};
use risk_engine::load::map::{CheckSettings, check};
use risk_engine::load::{self, FileKind};
use risk_kernel::board::Board;
use risk_report::picture;

use risk_testing::games::{TINY, board};

/// Returns the attributes and the text of each element of a kind.
fn elements<'a>(svg: &'a str, kind: &str) -> Vec<(BTreeMap<&'a str, &'a str>, &'a str)> {
    let mut found = Vec::new();
    for part in svg.split(&format!("<{kind} ")).skip(1) {
        let (head, rest) = part.split_once('>').unwrap();
        let mut words = head.split('"');
        let mut attributes = BTreeMap::new();
        while let (Some(key), Some(value)) = (words.next(), words.next()) {
            attributes.insert(key.trim().trim_end_matches('='), value);
        }
        found.push((attributes, rest.split('<').next().unwrap()));
    }
    found
}

fn number(attributes: &BTreeMap<&str, &str>, key: &str) -> f64 {
    attributes[key].parse().unwrap()
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// Returns the number of names shown in full, and of those shown as numbers.
fn check_names(board: &Board, what: &str) -> (usize, usize) {
    let svg = picture::map(board);
    let circles = elements(&svg, "circle");
    let places: Vec<(f64, f64)> = circles
        .iter()
        .filter(|(attributes, _)| attributes["r"] == "3.5")
        .map(|(attributes, _)| (number(attributes, "cx"), number(attributes, "cy")))
        .collect();
    assert_eq!(places.len(), board.len(), "{what}");
    let mut written: BTreeMap<usize, Vec<(String, (f64, f64))>> = BTreeMap::new();
    let mut legend = BTreeMap::new();
    for (attributes, text) in elements(&svg, "text") {
        let at = (
            number(&attributes, "x"),
            number(&attributes, "y") - 0.35 * number(&attributes, "font-size"),
        );
        if let Some(land) = attributes.get("data-land") {
            written
                .entry(land.parse().unwrap())
                .or_default()
                .push((text.to_owned(), at));
        }
        if let Some(number) = attributes.get("data-number") {
            legend.insert(
                (*number).to_owned(),
                text.split_once("  ").unwrap().1.to_owned(),
            );
        }
    }
    let bare = |text: &str| text.replace(' ', "");
    let mut numbers = 0;
    for at in board.territories() {
        let name = bare(&risk_text::xml(&risk_text::escape_control(
            &board.info(at).name,
        )));
        let lines = written
            .get(&at.index())
            .unwrap_or_else(|| panic!("{what}: {name} is missing"));
        let text: String = lines.iter().map(|(line, _)| bare(line)).collect();
        if text != name {
            assert_eq!(
                legend.get(&text).map(|name| bare(name)),
                Some(name.clone()),
                "{what}: {text}"
            );
            numbers += 1;
        }
        let count = lines.len() as f64;
        let middle = lines.iter().fold((0.0, 0.0), |sum, (_, at)| {
            (sum.0 + at.0 / count, sum.1 + at.1 / count)
        });
        let own = distance(middle, places[at.index()]);
        let other = places
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != at.index());
        let nearest = other
            .map(|(_, &place)| distance(middle, place))
            .fold(f64::INFINITY, f64::min);
        assert!(
            own < nearest,
            "{what}: {name} is nearer to another's place: {own:.1} and {nearest:.1}"
        );
    }
    (board.len() - numbers, numbers)
}

#[test]
fn every_name_is_there_and_beside_its_own_place() {
    for name in library().names(FileKind::Map) {
        let (_, numbers) = check_names(&board(name), name);
        assert_eq!(numbers, 0, "{name} has room for all its names");
    }
    for made in ["random:80:3", "hex:3", "hex:12", "grid:7x5", "random:600:2"] {
        check_names(&board(made), made);
    }
    // Places side by side and overlapping, and names of all lengths.
    let names = [
        "A",
        "Übersee-Territorium",
        "東京都",
        "a name with many short words in it",
        "Donaudampfschifffahrt",
    ];
    for (apart, width) in [(1, 40), (3, 7), (10, 5), (40, 5)] {
        let mut text = "name: crowded\nterritories:\n".to_owned();
        for index in 0..40_usize {
            let long = "x".repeat(if index == 7 { 190 } else { 1 });
            let name = format!("{} {long} {index}", names[index % names.len()]);
            let at = (index % width * apart, index / width * apart);
            let next = (index + 1) % 40;
            text.push_str(&format!(
                "  - {{ id: t{index}, name: \"{name}\", at: [{}, {}], borders: [t{next}] }}\n",
                at.0, at.1
            ));
        }
        let board = check(&TextFile::new("m.yaml", &text), &CheckSettings::default())
            .board
            .unwrap();
        check_names(&board, &format!("{apart} apart"));
    }
}

/// Reads maps from a collection; see `corpus.rs`.
#[test]
#[ignore = "needs the folder of a collection of maps in RISK_MAP_CORPUS"]
fn every_name_of_maps_from_elsewhere_is_there() {
    let folder = std::env::var("RISK_MAP_CORPUS").unwrap();
    let levels = Levels::new(
        LINTS
            .iter()
            .filter(|lint| !lint.hard)
            .map(|lint| (lint.code, load::diag::Level::Allow)),
        false,
    );
    let levels = levels.unwrap();
    let mut maps = 0;
    let mut named = 0;
    let mut numbered = 0;
    for part in ["domination", "conquest", "other"] {
        let Ok(files) = load::inside(library(), FileKind::Map, &format!("{folder}/{part}")) else {
            continue;
        };
        for file in files {
            let checked = load::check_map(library(), &file, &levels);
            if let Some(board) = checked.ok().and_then(|checked| checked.board) {
                let (names, numbers) = check_names(&board, &file);
                (maps, named, numbered) = (maps + 1, named + names, numbered + numbers);
            }
        }
    }
    // Numbers are for the few maps that are too crowded.
    assert!(
        maps > 100 && numbered * 50 < named,
        "{maps} maps, {named} names, {numbered} numbers"
    );
}

fn luminance(colour: [f64; 3]) -> f64 {
    let share = |value: f64| {
        let value = value / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * share(colour[0]) + 0.7152 * share(colour[1]) + 0.0722 * share(colour[2])
}

fn channels(colour: &str) -> [f64; 3] {
    [1, 3, 5].map(|at| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()))
}

/// WCAG's contrast of letters and dashes with the territory under them.
#[test]
fn letters_and_dashes_can_be_read_on_every_colour() {
    let colours = [
        "#000000", "#0000ff", "#404040", "#808080", "#ff0000", "#16202a", "#7a0000", "#005000",
        "#ffffff", "#ffff00", "#00ff00", "#a3542c", "#777777",
    ];
    for colour in colours {
        let text = TINY.replace("bonus: 2 }", &format!("bonus: 2, colour: \"{colour}\" }}"));
        let text = text.replace("borders: [c, e]", "borders: [c, e, a]");
        let board = check(&TextFile::new("m.yaml", &text), &CheckSettings::default())
            .board
            .unwrap();
        let svg = picture::map(&board);
        let sea = channels(elements(&svg, "rect")[0].0["fill"]);
        let mut inks: Vec<&str> = elements(&svg, "text")
            .iter()
            .filter(|(of, _)| of.contains_key("data-land"))
            .map(|(of, _)| of["fill"])
            .collect();
        let dashes = elements(&svg, "line");
        inks.extend(
            dashes
                .iter()
                .filter(|(of, _)| {
                    of["stroke-width"] == "1.8" || of.contains_key("stroke-dasharray")
                })
                .map(|(of, _)| of["stroke"]),
        );
        assert!(inks.len() >= board.len(), "{colour}");
        for (land, _) in elements(&svg, "path")
            .iter()
            .filter(|(land, _)| land.contains_key("fill-opacity"))
        {
            let fill = channels(land["fill"]);
            let cover = number(land, "fill-opacity");
            let seen = luminance([0, 1, 2].map(|at| fill[at] * cover + sea[at] * (1.0 - cover)));
            for ink in &inks {
                let ink = luminance(channels(ink));
                let contrast = (seen.max(ink) + 0.05) / (seen.min(ink) + 0.05);
                assert!(contrast >= 4.5, "{colour}: {contrast:.2}");
            }
        }
    }
    for seat in 0..36 {
        let fill = channels(&picture::colour_of(seat));
        let seen = luminance(fill);
        assert!(
            (seen + 0.05) / (luminance(channels("#16202a")) + 0.05) >= 4.5,
            "seat {seat}"
        );
    }
}
