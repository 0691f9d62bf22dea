//! Pictures of territories with shapes.

use risk_kernel::board::Board;
use risk_maps::map::{CheckSettings, check};
use risk_report::picture;
use risk_text::diag::TextFile;

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

fn read(text: &str) -> Board {
    let file = TextFile::new("islands.yaml", text);
    check(&file, &CheckSettings::default()).board.unwrap()
}

/// Between touching territories there is no dash; the dash over water lies between the coasts.
#[test]
fn shapes_are_drawn() {
    let board = read(&islands("M0 0H100V100H0Z"));
    let svg = picture::map(&board);
    assert_eq!(svg.matches("fill-rule=\"evenodd\"").count(), 3);
    assert_eq!(svg.matches("<polygon").count(), 0);
    let dashes: Vec<&str> = svg
        .lines()
        .filter(|line| line.contains("dasharray"))
        .collect();
    // One on the map, and one in the key.
    assert_eq!(dashes.len(), 2, "{svg}");
    let number = |key: &str| -> f64 {
        let rest = dashes[0].split_once(&format!("{key}=\"")).unwrap().1;
        rest.split('"').next().unwrap().parse().unwrap()
    };
    let scale = 720.0 / 400.0;
    assert!(
        (number("x1") - (44.0 + 200.0 * scale)).abs() < 1.0,
        "{}",
        dashes[0]
    );
    assert!(
        (number("x2") - (44.0 + 300.0 * scale)).abs() < 1.0,
        "{}",
        dashes[0]
    );
    // Without a border the two that touch have a wall.
    let walled = islands("M0 0H100V100H0Z").replace("borders: [b]", "borders: [c]");
    let board = read(&walled);
    assert_eq!(picture::map(&board).matches("<polyline").count(), 1);
    // One missing shape hides all shapes.
    let some = islands("M0 0H100V100H0Z").replace(", shape: \"M300 0H400V100H300Z\"", "");
    let board = read(&some);
    let svg = picture::map(&board);
    assert_eq!(svg.matches("class=\"land\"").count(), 3);
    assert!(!svg.contains("M300"), "{svg}");
}
