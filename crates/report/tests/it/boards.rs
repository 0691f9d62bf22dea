//! Pictures of maps without shapes: land around places, fields of a board, discs with lanes; and
//! the styles of pictures.

use risk_kernel::board::Board;
use risk_maps::map::write::{Target, write};
use risk_maps::map::{CheckSettings, check};
use risk_report::picture::{self, Style, Theme};
use risk_testing::games::board;
use risk_text::diag::TextFile;

type Point = (f64, f64);

fn attribute<'a>(line: &'a str, key: &str) -> &'a str {
    let rest = line.split_once(&format!(" {key}=\"")).unwrap().1;
    rest.split_once('"').unwrap().0
}

/// Returns the rings of each territory, in order.
fn lands(svg: &str) -> Vec<Vec<Vec<Point>>> {
    let lines = svg.lines().filter(|line| line.contains("class=\"land\""));
    let point = |text: &str| {
        let (x, y) = text.split_once(' ').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    let ring = |text: &str| text.split(['M', 'L']).skip(1).map(point).collect();
    let rings = |line| {
        attribute(line, "d")
            .split_terminator('Z')
            .map(ring)
            .collect()
    };
    lines.map(rings).collect()
}

fn places(svg: &str) -> Vec<Point> {
    let lines = svg.lines().filter(|line| line.contains("data-place"));
    let number = |line, key| attribute(line, key).parse().unwrap();
    lines
        .map(|line| (number(line, "cx"), number(line, "cy")))
        .collect()
}

/// Reports whether rings contain a point, by the even-odd rule.
fn holds(rings: &[Vec<Point>], at: Point) -> bool {
    let sides = rings.iter().flat_map(|ring| {
        (0..ring.len()).map(|index| (ring[index], ring[(index + 1) % ring.len()]))
    });
    let crossed = sides
        .filter(|(a, b)| (a.1 > at.1) != (b.1 > at.1))
        .filter(|(a, b)| at.0 < a.0 + (at.1 - a.1) / (b.1 - a.1) * (b.0 - a.0));
    crossed.count() % 2 == 1
}

fn area(ring: &[Point]) -> f64 {
    let turn = |index: usize| {
        let (a, b) = (ring[index], ring[(index + 1) % ring.len()]);
        a.0 * b.1 - b.0 * a.1
    };
    (0..ring.len()).map(turn).sum::<f64>().abs() / 2.0
}

/// Counts the lines of this look, except the one in the key.
fn lines(svg: &str, look: &str) -> usize {
    let all = svg
        .lines()
        .filter(|line| line.starts_with("<line") && line.contains(look));
    all.count()
}

/// Checks that each place is on its own land only, and that no land is a sliver.
fn check_land(name: &str) {
    let board = board(name);
    let svg = picture::map(&board);
    let (lands, places) = (lands(&svg), places(&svg));
    assert_eq!(
        (lands.len(), places.len()),
        (board.len(), board.len()),
        "{name}"
    );
    for (index, rings) in lands.iter().enumerate() {
        let outer = rings.iter().map(|ring| area(ring)).fold(0.0, f64::max);
        assert!(
            outer > 250.0,
            "{name}: {index} has {outer:.0} square pixels"
        );
        for (other, &place) in places.iter().enumerate() {
            assert_eq!(
                holds(rings, place),
                index == other,
                "{name}: {index} and {other}"
            );
        }
    }
}

#[test]
fn each_place_is_on_its_own_land() {
    for name in [
        "duel",
        "ring",
        "four-corners",
        "archipelago",
        "grand",
        "random:150:3",
    ] {
        check_land(name);
    }
}

/// Neighbours touch where they can, so few borders are lines over water.
#[test]
fn borders_are_land_that_touches() {
    for (name, most) in [
        ("duel", 0),
        ("ring", 0),
        ("random:150:3", 4),
        ("four-corners", 8),
    ] {
        let svg = picture::map(&board(name));
        let dashes = lines(&svg, "dasharray");
        assert!(dashes <= most, "{name}: {dashes} dashes");
    }
    // Islands stay apart: each border between continents is a line over water.
    let map = board("archipelago");
    let abroad = map
        .edges()
        .filter(|&(from, to, _)| map.continent(from) != map.continent(to));
    let abroad = abroad.count();
    let dashes = lines(&picture::map(&map), "dasharray");
    assert!(
        (abroad - 1..=abroad + 2).contains(&dashes),
        "{dashes} and {abroad}"
    );
}

/// Grids have square fields and hexagon maps hexagonal ones, in any size and orientation.
#[test]
fn boards_have_fields() {
    let cases = [
        ("grid:5x5", 4, 16),
        ("grid:2x3:4", 4, 0),
        ("grid:30x30", 4, 841),
        ("grid:1x9", 4, 0),
        ("hex:1", 6, 0),
        ("hex:12", 6, 0),
        ("grand", 6, 0),
    ];
    for (name, corners, across) in cases {
        let board = board(name);
        let svg = picture::map(&board);
        let lands = lands(&svg);
        let areas: Vec<f64> = lands.iter().map(|rings| area(&rings[0])).collect();
        for (rings, area) in lands.iter().zip(&areas) {
            assert_eq!((rings.len(), rings[0].len()), (1, corners), "{name}");
            assert!((area / areas[0] - 1.0).abs() < 0.02, "{name}: {area}");
        }
        let spots = svg
            .lines()
            .filter(|line| line.starts_with("<circle") && line.contains(" r=\"2.5\""));
        assert_eq!(spots.count(), across, "{name}");
        assert_eq!(lines(&svg, "stroke-width=\"1.8\""), 0, "{name}");
        assert_eq!(lines(&svg, "dasharray"), 0, "{name}");
    }
    // Hexagons in columns, as other programs write them, and one place off the grid.
    let column = |x: i32, y: i32| format!("at: [{}, {}]", x * 87, y * 100 + x % 2 * 50);
    for (at, corners) in [(column(1, 1), 6), ("at: [110, 165]".to_owned(), 0)] {
        let mut text = "name: columns\nlook: land\nterritories:\n".to_owned();
        for x in 0..3 {
            for y in 0..3 {
                let at = if (x, y) == (1, 1) {
                    at.clone()
                } else {
                    column(x, y)
                };
                let beside = if x % 2 == 0 {
                    [(1, 0), (1, -1)]
                } else {
                    [(1, 0), (1, 1)]
                };
                let mut to: Vec<(i32, i32)> = beside.map(|by| (x + by.0, y + by.1)).to_vec();
                to.push((x, y + 1));
                to.retain(|to| to.0 < 3 && (0..3).contains(&to.1));
                let to: Vec<String> = to.iter().map(|to| format!("t{}-{}", to.0, to.1)).collect();
                text += &format!(
                    "  - {{ id: t{x}-{y}, {at}, borders: [{}] }}\n",
                    to.join(", ")
                );
            }
        }
        let board = check(&TextFile::new("m.yaml", &text), &CheckSettings::default())
            .board
            .unwrap();
        let lands = lands(&picture::map(&board));
        assert_eq!(
            lands.iter().all(|rings| rings[0].len() == 6),
            corners == 6,
            "{lands:?}"
        );
    }
}

fn discs(board: &Board) -> (Vec<Vec<Vec<Point>>>, usize) {
    let svg = picture::map(board);
    (lands(&svg), lines(&svg, "stroke-width=\"2\""))
}

#[test]
fn a_map_can_be_discs_with_lanes() {
    let map = board("starwars");
    let (lands, lanes) = discs(&map);
    assert_eq!((lands.len(), lanes), (28, map.border_count()));
    for rings in &lands {
        let others = lands.iter().filter(|other| *other != rings);
        for point in others.flatten().flatten() {
            assert!(!holds(rings, *point));
        }
    }
    let text = write(&map, Target::Yaml).text;
    assert!(text.contains("\nlook: discs\n"), "{text}");
    let read = |text: &str| {
        check(
            &TextFile::new("again.yaml", text),
            &CheckSettings::default(),
        )
    };
    assert_eq!(discs(&read(&text).board.unwrap()).1, lanes);
    let wrong = read(&text.replace("look: discs", "look: stars"));
    assert!(wrong.board.is_none());
    let found = &wrong.findings[0];
    assert_eq!(found.code, "map::value");
    // The place is that of the value, and the message lists the looks.
    let place = found.place.as_ref().unwrap();
    assert!(place.file.text[place.start..].starts_with("stars"));
    for look in ["land", "islands", "discs"] {
        assert!(found.text.contains(look), "{found}");
    }
}

#[test]
fn pictures_have_styles() {
    let board = board("world");
    let with = |theme, width, names| {
        let style = Style {
            theme,
            width,
            names,
            pixels: false,
        };
        picture::map_with(&board, style)
    };
    assert!(with(Theme::Auto, None, true).contains("@media"));
    assert!(!with(Theme::Light, None, true).contains("<style>"));
    let dark = with(Theme::Dark, Some(400), false);
    assert!(dark.contains("<style>.sea") && !dark.contains("@media"));
    assert!(dark.contains("viewBox=\"0 0 400 ") && dark.contains(" width=\"400\""));
    assert!(!dark.contains("data-land") && dark.contains("data-place"));
    // A picture wider than usual is enlarged, letters included.
    let wide = with(Theme::Auto, Some(3_000), true);
    let usual = with(Theme::Auto, None, true);
    assert_eq!(attribute(&wide, "viewBox"), attribute(&usual, "viewBox"));
    assert!(wide.contains(" width=\"3000\""));
}
