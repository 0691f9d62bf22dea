//! Generated maps, statistics of maps, and pictures.

use risk_maps::map::{CheckSettings, check};
use risk_report::picture;
use risk_text::diag::TextFile;

use std::collections::BTreeSet;

use crate::support::{run_in, tiny, words};

#[test]
fn pictures_of_maps_and_games_are_written() {
    let folder = tiny();
    let line = |line: &str| run_in(folder.path(), &words(line));
    for (command, file) in [
        ("map render ./tiny.yaml -o tiny.svg", "tiny.svg"),
        ("map render world -o world.png", "world.png"),
    ] {
        assert_eq!(line(command).code, 0);
        assert!(folder.path().join(file).exists());
        line(command).refuses(2, "cli::exists");
        assert_eq!(line(&format!("{command} --force")).code, 0);
    }
    let png = std::fs::read(folder.path().join("world.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG") && png.len() > 50_000);
    line("map render world -o world.gif").refuses(2, "cli::picture");
    assert_eq!(
        line("play --quiet --seed 4 --map ./tiny.yaml --record g.jsonl --option max_turns=20").code,
        0
    );
    assert_eq!(line("replay g.jsonl --to 12 --render early.svg").code, 0);
    assert_eq!(line("replay g.jsonl --render late.svg").code, 0);
    let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap();
    assert!(read("early.svg").contains("after 12 decisions"));
    assert_ne!(read("early.svg"), read("late.svg"));
    // Names can't break out of the picture.
    let text = "name: \"<script>\"\nterritories:\n  - { id: a, name: \"<b>&\\\"\", borders: [b] }\n  - { id: b }\n";
    let board = check(&TextFile::new("m", text), &CheckSettings::default())
        .board
        .unwrap();
    let svg = picture::map(&board);
    assert!(
        !svg.contains("<script>") && !svg.contains("<b>") && svg.contains("&lt;b&gt;&amp;&quot;"),
        "{svg}"
    );
}

/// A file, its text, the code of its finding, and a number in the message.
type TooMuch = (&'static str, String, &'static str, &'static str);

fn many(count: usize, line: &dyn Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// Files that are too large, too long or too deep.
fn too_large() -> [TooMuch; 4] {
    [
        ("large.map", "x".repeat(50 << 20), "load::file", "4194304"),
        (
            "deep.yaml",
            format!("name: {}1{}\n", "[".repeat(1_000), "]".repeat(1_000)),
            "map::syntax",
            "32",
        ),
        (
            "lines.map",
            format!("[Map]\n{}", "\n".repeat(2_000_000)),
            "map::too-long",
            "1500000",
        ),
        (
            "events.yaml",
            format!("name: m\nterritories: [{}]\n", "{}, ".repeat(700_000)),
            "map::syntax",
            "600000",
        ),
    ]
}

/// Maps with too many borders, territories or findings.
fn too_many() -> [TooMuch; 4] {
    let countries = |count| many(count, &|index| format!("{} t{index} 1 1 1\n", index + 1));
    let row = many(1_000, &|to| format!(" {}", to + 1));
    let borders = many(1_000, &|index| format!("{}{row}\n", index + 1));
    let head = "[files]\n[continents]\nc 1 red\n[countries]\n";
    let unknown = many(9_000, &|index| format!("t{index},1,1,c,u{index}\n"));
    [
        (
            "borders.map",
            format!("{head}{}[borders]\n{borders}", countries(1_000)),
            "map::too-many-borders",
            "250000",
        ),
        (
            "territories.map",
            format!("{head}{}[borders]\n", countries(20_000)),
            "map::too-many-territories",
            "10000",
        ),
        (
            "sections.map",
            format!("[files]\n{}", "[x]\n".repeat(200_000)),
            "map::more",
            "195003",
        ),
        (
            "unknown.map",
            format!("[Territories]\n{unknown}"),
            "map::more",
            "4002",
        ),
    ]
}

#[test]
fn files_that_are_too_much_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, code, number) in too_large().into_iter().chain(too_many()) {
        std::fs::write(folder.path().join(name), text).unwrap();
        let ran = run_in(folder.path(), &["map", "validate", name]);
        assert_eq!(ran.code, 1, "{name}: {:?}", ran.codes());
        assert!(ran.codes().contains(&code), "{name}: {:?}", ran.codes());
        // The message has the limit, or how many findings are left out.
        let err = ran.err.replace(',', "");
        assert!(err.contains(number), "{name}: {number}: {:?}", ran.codes());
    }
}

#[test]
fn pictures_are_written_in_a_style() {
    let folder = tempfile::tempdir().unwrap();
    let mut seen = BTreeSet::new();
    for theme in ["light", "dark"] {
        let args = ["map", "render", "duel", "-o", "m.png", "--force"];
        let args = [&args[..], &["--theme", theme, "--width", "400"]].concat();
        assert_eq!(run_in(folder.path(), &args).code, 0);
        let png = std::fs::read(folder.path().join("m.png")).unwrap();
        assert_eq!(png[16..20], 400_u32.to_be_bytes(), "its width");
        seen.insert(png);
    }
    assert_eq!(seen.len(), 2, "a dark picture is another");
    let args = ["map", "render", "duel", "-o", "n.png", "--width", "9"];
    assert_eq!(run_in(folder.path(), &args).code, 2);
    let args = "map render grid:2x90 -o n.png --width 4096";
    let ran = run_in(folder.path(), &args.split(' ').collect::<Vec<_>>());
    ran.refuses(2, "cli::width");
    assert!(!folder.path().join("n.png").exists());
    assert!(ran.err.contains("1235"), "{}", ran.err);
}
