//! Pictures of maps: every name is there, beside its own place, and can be read.

use risk_maps::files::{self, FileKind};
use risk_testing::games::library;
use std::collections::{BTreeMap, BTreeSet};

use risk_engine::Worker;
use risk_kernel::NullSink;
use risk_kernel::board::Board;
use risk_maps::lint::{LINTS, Levels};
use risk_maps::map::{CheckSettings, check};
use risk_report::picture::{self, Style};
use risk_text::diag::TextFile;

use risk_testing::games::{TINY, board, setup};

/// Returns the attributes and the text of each element of a kind.
fn elements<'a>(svg: &'a str, kind: &str) -> Vec<(BTreeMap<&'a str, &'a str>, String)> {
    let mut found = Vec::new();
    for part in svg.split(&format!("<{kind} ")).skip(1) {
        let (head, rest) = part.split_once('>').unwrap();
        let mut words = head.split('"');
        let mut attributes = BTreeMap::new();
        while let (Some(key), Some(value)) = (words.next(), words.next()) {
            attributes.insert(key.trim().trim_end_matches('='), value);
        }
        let inside = rest.split(&format!("</{kind}>")).next().unwrap();
        let text = inside
            .split('<')
            .map(|part| part.split_once('>').map_or(part, |part| part.1));
        found.push((attributes, text.collect()));
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
                .push((text.clone(), at));
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

/// Returns the size of the smallest letters of a picture in its own width, and the width shown.
fn smallest(svg: &str) -> (f64, f64) {
    let (root, _) = &elements(svg, "svg")[0];
    let drawn: f64 = root["viewBox"].split(' ').nth(2).unwrap().parse().unwrap();
    let shown = number(root, "width");
    let sizes = elements(svg, "text").into_iter();
    let least = sizes.map(|(of, _)| number(&of, "font-size"));
    (least.fold(f64::INFINITY, f64::min) * shown / drawn, shown)
}

#[test]
fn letters_are_at_least_11_pixels_high_at_any_width() {
    let made = ["grid:30x30", "hex:7", "random:200:3"];
    let names = library().names(FileKind::Map);
    for name in names.iter().copied().chain(made) {
        for width in [
            None,
            Some(240),
            Some(400),
            Some(801),
            Some(1600),
            Some(4096),
        ] {
            let style = Style {
                width,
                ..Style::default()
            };
            let (least, shown) = smallest(&picture::map_with(&board(name), style));
            assert!(least >= 10.99, "{name} at {width:?}: {least}");
            assert_eq!(shown, width.map_or(shown, f64::from), "{name}");
        }
    }
    let names: Vec<String> = (0..32)
        .map(|seat| format!("player-{seat}").repeat(4))
        .collect();
    let game = crowd();
    for width in [240, 500, 1600] {
        let style = Style {
            width: Some(width),
            ..Style::default()
        };
        let (least, shown) = smallest(&picture::game_with(&game, &names, style));
        assert!(
            least >= 10.99 && shown == f64::from(width),
            "{width}: {least}"
        );
    }
}

/// No number covers another in a picture whose width was requested. Its key counts the names that
/// are missing.
#[test]
fn a_crowded_picture_says_what_it_omits() {
    for (name, width, complete) in [("grid:30x30", 400, false), ("world", 400, true)] {
        let board = board(name);
        let style = Style {
            width: Some(width),
            ..Style::default()
        };
        let svg = picture::map_with(&board, style);
        let plates: Vec<_> = elements(&svg, "rect")
            .into_iter()
            .filter(|(of, _)| of.get("height") == Some(&"15"))
            .map(|(of, _)| ["x", "y", "width"].map(|key| number(&of, key)))
            .collect();
        for (index, one) in plates.iter().enumerate() {
            for other in &plates[..index] {
                let apart = (one[1] - other[1]).abs() >= 14.9
                    || one[0] + one[2] <= other[0] + 0.1
                    || other[0] + other[2] <= one[0] + 0.1;
                assert!(apart, "{name}: {one:?} and {other:?}");
            }
        }
        let named: BTreeSet<&str> = elements(&svg, "text")
            .into_iter()
            .filter_map(|(of, _)| of.get("data-land").copied())
            .collect();
        let omitted = board.len() - named.len();
        assert_eq!(omitted == 0, complete, "{name}: {omitted}");
        let said = format!("no room for {omitted} more names");
        assert_eq!(svg.contains(&said), !complete, "{name}: {said}");
    }
}

/// Returns a game of 32 players.
fn crowd() -> risk_kernel::state::GameState {
    let setup = setup(
        "simplified",
        Some("grand"),
        &["random"; 32],
        1,
        &[("max_turns", "40")],
    );
    Worker::new(&setup).unwrap().play(0, &mut NullSink).game
}

#[test]
fn thirty_two_players_can_be_told_apart() {
    let game = crowd();
    let names: Vec<String> = game.seats().map(|seat| seat.index().to_string()).collect();
    let svg = picture::game(&game, &names);
    let fills = elements(&svg, "path").into_iter();
    let fills: BTreeSet<&str> = fills
        .filter(|(of, _)| of.get("class") == Some(&"land"))
        .map(|(of, _)| of["fill"])
        .collect();
    assert!(fills.len() > 20, "{}", fills.len());
    let defined = elements(&svg, "pattern");
    for fill in fills {
        if let Some(id) = fill.strip_prefix("url(#") {
            let id = id.trim_end_matches(')');
            assert!(defined.iter().any(|(of, _)| of["id"] == id), "{id}");
        }
    }
    let looks: BTreeSet<String> = (0..32)
        .map(|seat| {
            let pattern = picture::pattern_of(seat);
            let pattern = picture::is_patterned(seat).then_some(pattern.path);
            assert_ne!(pattern, Some(""), "seat {seat}");
            format!("{} {pattern:?}", picture::colour_of(seat))
        })
        .collect();
    assert_eq!(looks.len(), 32);
    let marks: BTreeSet<&str> = (0..6).map(|seat| picture::pattern_of(seat).path).collect();
    assert_eq!(marks.len(), 6, "patterns alone identify six players");
}

/// The plaque of each continent is on the map, or the key has its text.
#[test]
fn bonuses_are_on_the_map() {
    for name in library().names(FileKind::Map) {
        let board = board(name);
        let setup = setup(
            "simplified",
            Some(name),
            &["random"; 2],
            1,
            &[("max_turns", "2")],
        );
        let game = Worker::new(&setup).unwrap().play(0, &mut NullSink).game;
        let svg = picture::game(&game, &["a".to_owned(), "b".to_owned()]);
        let texts: Vec<String> = elements(&svg, "text")
            .into_iter()
            .map(|(_, text)| text)
            .collect();
        let plaques = svg.matches("<g class=\"plaque\">").count();
        for info in board.continents() {
            let text = format!("{} +{}", risk_text::xml(&info.name), info.bonus);
            let count = texts.iter().filter(|it| **it == text).count();
            assert_eq!(count, 1, "{name}: {text}");
        }
        assert!(
            plaques * 4 >= board.continents().len() * 3,
            "{name}: {plaques}"
        );
    }
}

#[test]
fn the_key_explains_what_is_drawn() {
    let texts = |map: &Board| {
        let svg = picture::map(map);
        let texts = elements(&svg, "text").into_iter();
        (texts.map(|(_, text)| text).collect::<Vec<_>>(), svg)
    };
    let (grid, svg) = texts(&board("grid:4x4"));
    assert!(
        grid.contains(&"borders across a corner".to_owned()),
        "{grid:?}"
    );
    assert_eq!(
        svg.matches("r=\"2.5\"").count(),
        9 + 1,
        "a spot for each corner and in the key"
    );
    let one_way = TINY.replace("borders: [c, e]", "borders: [c, e], one_way: [a]");
    let checked = check(
        &TextFile::new("m.yaml", &one_way),
        &CheckSettings::default(),
    );
    let (tiny, _) = texts(&checked.board.unwrap());
    assert!(
        tiny.contains(&"a border in one direction".to_owned()),
        "{tiny:?}"
    );
    let (europe, _) = texts(&board("europe"));
    assert!(!europe.contains(&"a border in one direction".to_owned()));
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
            .map(|lint| (lint.code, risk_text::diag::Level::Allow)),
        false,
    );
    let levels = levels.unwrap();
    let mut maps = 0;
    let mut named = 0;
    let mut numbered = 0;
    for part in ["domination", "conquest", "other"] {
        let Ok(files) = files::inside(library(), FileKind::Map, &format!("{folder}/{part}")) else {
            continue;
        };
        for file in files {
            let checked = risk_maps::check(library(), &file, &levels);
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

/// Ids and numbers replace names that no font can draw, in pictures that become pixels alone.
#[test]
fn names_that_pixels_cannot_show_become_ids() {
    use risk_report::picture::png::missing_letters;
    assert_eq!(
        missing_letters("Hà Nội, Αθήνα, Київ, חיפה, أسوان, თბ, 🎲 😀"),
        BTreeSet::new()
    );
    assert_eq!(
        missing_letters("東 a京").into_iter().collect::<String>(),
        "京東"
    );
    let names = ["東京", "סארה"].map(str::to_owned);
    assert_eq!(picture::names_in_pixels(&names), ["player 1", "סארה"]);
    let text = "name: cities\ncontinents: [{ id: east, name: \"東\", bonus: 2 }]\nterritories:\n\
        - { id: tokyo, name: \"東京\", continent: east, at: [0, 0], borders: [hanoi] }\n\
        - { id: hanoi, name: \"Hà Nội\", continent: east, at: [100, 0] }\n";
    let checked = check(&TextFile::new("m.yaml", text), &CheckSettings::default());
    let board = checked.board.unwrap();
    for (pixels, shown) in [
        (false, ["東京", "東 +2", "Hà Nội"]),
        (true, ["tokyo", "east +2", "Hà Nội"]),
    ] {
        let style = Style {
            pixels,
            ..Style::default()
        };
        let svg = picture::map_with(&board, style);
        let texts = elements(&svg, "text");
        for name in shown {
            assert!(
                texts.iter().any(|(_, text)| text == name),
                "{pixels}: {name}"
            );
        }
    }
}
