//! Generated maps, statistics of maps, and pictures.

use std::collections::BTreeSet;

use risk_engine::Worker;
use risk_kernel::NullSink;
use risk_kernel::board::Board;
use risk_kernel::id::{Group, Territory};
use risk_maps::files::FileKind;
use risk_maps::lint::Levels;
use risk_maps::map::check;
use risk_maps::map::write::{Target, write};
use risk_report::map_stats::Stats;
use risk_report::picture;
use risk_testing::by_case::each;
use risk_testing::games::{board, library, setup};
use risk_text::diag::TextFile;
use risk_text::paint::Paint;

fn pairs(board: &Board) -> Vec<(Territory, Territory)> {
    let all = board
        .territories()
        .flat_map(|from| board.neighbours(from).iter().map(move |&to| (from, to)));
    all.filter(|(from, to)| from < to).collect()
}

/// Reports whether two borders cross, other than at a territory of both.
fn cross(board: &Board, (a, b): (Territory, Territory), (c, d): (Territory, Territory)) -> bool {
    let at = |of: Territory| {
        board
            .info(of)
            .at
            .map(|(x, y)| (i64::from(x), i64::from(y)))
            .unwrap()
    };
    let side = |p: (i64, i64), q: (i64, i64), r: (i64, i64)| {
        ((q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0)).signum()
    };
    let pa = at(a);
    let pb = at(b);
    let pc = at(c);
    let pd = at(d);
    let shared = [a, b].iter().any(|end| [c, d].contains(end));
    !shared && side(pa, pb, pc) * side(pa, pb, pd) < 0 && side(pc, pd, pa) * side(pc, pd, pb) < 0
}

#[test]
fn maps_by_chance_are_sound() {
    let specs = [4, 5, 17, 60, 300]
        .into_iter()
        .flat_map(|count| (1..=6).map(move |seed| format!("random:{count}:{seed}")));
    let many = [
        "random:19:1:4",
        "random:90:2:25",
        "random:4:3:1",
        "random:40:4:20",
    ];
    each(specs.chain(many.map(str::to_owned)), |spec| {
        let made = board(spec);
        let count: usize = spec.split(':').nth(1).unwrap().parse().unwrap();
        assert_eq!(made.len(), count, "{spec}");
        let text = write(&made, Target::Yaml).text;
        let checked = check(
            &TextFile::new("m.yaml", &text),
            &Levels::new([], true).unwrap().into(),
        );
        assert!(
            checked.board.is_some() && checked.findings.is_empty(),
            "{spec}: {:?}",
            checked.findings
        );
        assert_eq!(text, write(&board(spec), Target::Yaml).text, "{spec}");
        let all = pairs(&made);
        if count <= 60 {
            let crossing = all.iter().any(|a| all.iter().any(|b| cross(&made, *a, *b)));
            assert!(!crossing, "{spec} is not planar");
        }
    });
    let text = |spec: &str| write(&board(spec), Target::Dot).text;
    assert_ne!(text("random:30:1"), text("random:30:2"));
    assert_eq!(
        text("random:30").replace("random:30", ""),
        text("random:30:1").replace("random:30:1", "")
    );
    assert_eq!(board("random:5000").len(), 5_000);
    for radius in 1..=6 {
        let made = board(&format!("hex:{radius}"));
        assert_eq!(
            (made.len(), made.border_count()),
            (
                3 * radius * (radius + 1) + 1,
                9 * radius * radius + 3 * radius
            )
        );
    }
    for spec in [
        "random:3",
        "random:5001",
        "random:ten",
        "random:10:x",
        "random:10:1:0",
        "random:10:1:6",
        "random:10:1:2:3",
        "hex:0",
        "hex:41",
        "hex:2:3",
        "grid:5",
        "grid:1x1",
    ] {
        let refused = risk_maps::check(library(), spec, &Levels::default()).unwrap_err();
        let [found] = &refused.findings[..] else {
            panic!("{refused:?}")
        };
        assert_eq!(found.code, "map::made");
        assert!(found.text.contains(&format!("`{spec}`")), "{found}");
    }
}

/// Compares generated maps with those that people draw for such games.
#[test]
fn maps_by_chance_are_like_real_ones() {
    for (count, many) in [(19, 4), (36, 8), (57, 13), (64, 9), (90, 25)] {
        let mut degrees = Vec::new();
        for seed in 1..=20 {
            let made = board(&format!("random:{count}:{seed}:{many}"));
            assert_eq!((made.len(), made.continents().len()), (count, many));
            degrees.push(2.0 * made.border_count() as f64 / count as f64);
            for (index, info) in made.continents().iter().enumerate() {
                let size = made.members(Group::from_index(index)).len() as i32;
                // A third for each territory, and a half more for each at its edge, rounded.
                assert!((1..=size).contains(&info.bonus), "{count}:{seed}:{many}");
                assert!(info.bonus >= size / 3, "{count}:{seed}:{many}");
            }
        }
        // The classic world has 3.95.
        let mean = degrees.iter().sum::<f64>() / degrees.len() as f64;
        assert!((3.3..=4.6).contains(&mean), "{count}: {mean}");
        assert!(degrees.iter().all(|degree| (2.8..=4.8).contains(degree)));
    }
}

/// Digests depend on the borders, which must be the same in every version and on every machine.
#[test]
fn maps_by_chance_stay_as_they_are() {
    let text = write(&board("random:12:7"), Target::Yaml).text;
    insta::assert_snapshot!(text);
}

/// Counts the parts that are left without a territory, or a border.
fn parts(board: &Board, without: Option<Territory>, cut: Option<(Territory, Territory)>) -> usize {
    let mut seen: BTreeSet<Territory> = without.into_iter().collect();
    let mut parts = 0;
    for start in board.territories() {
        if !seen.insert(start) {
            continue;
        }
        parts += 1;
        let mut stack = vec![start];
        while let Some(at) = stack.pop() {
            for &to in board.neighbours(at).iter().chain(board.sources(at)) {
                let is_cut = cut.is_some_and(|(a, b)| (a, b) == (at, to) || (b, a) == (at, to));
                if !is_cut && seen.insert(to) {
                    stack.push(to);
                }
            }
        }
    }
    parts
}

#[test]
fn figures_of_maps_are_right() {
    for name in [
        "world",
        "starwars",
        "europe",
        "archipelago",
        "duel",
        "random:30:5",
        "random:25:8",
        "hex:3",
    ] {
        let board = board(name);
        let stats = Stats::new(&board);
        let id = |at: Territory| board.info(at).id.clone();
        let cuts: Vec<String> = board
            .territories()
            .filter(|&at| parts(&board, Some(at), None) > 1)
            .map(id)
            .collect();
        assert_eq!(stats.chokepoints, cuts, "{name}");
        let bridges: Vec<_> = pairs(&board)
            .into_iter()
            .filter(|&pair| parts(&board, None, Some(pair)) > 1)
            .map(|(a, b)| (id(a), id(b)))
            .collect();
        assert_eq!(stats.bridges, bridges, "{name}");
        assert_eq!(
            stats.distances.values().sum::<usize>() + stats.unreachable,
            board.len() * (board.len() - 1),
            "{name}"
        );
        assert_eq!(
            stats.distances[&1],
            2 * board.border_count() - stats.one_way,
            "{name}"
        );
        assert_eq!(stats.alike.iter().sum::<usize>(), board.len(), "{name}");
    }
}

#[test]
fn figures_of_maps_are_those_that_were_counted() {
    // A hexagon around a middle, counted manually.
    let stats = Stats::new(&board("hex:1"));
    assert_eq!((stats.diameter(), stats.alike.clone()), (2, vec![6, 1]));
    assert_eq!(
        stats.degrees.into_iter().collect::<Vec<_>>(),
        [(3, 6), (6, 1)]
    );
    // Each side of the duel is the other turned around, each realm of the large map the next.
    assert!(
        Stats::new(&board("duel"))
            .alike
            .iter()
            .all(|&size| size == 2)
    );
    assert_eq!(Stats::new(&board("four-corners")).alike.last(), Some(&1));
    let grand = Stats::new(&board("grand")).alike;
    assert_eq!(
        (grand.len(), grand.iter().filter(|&&size| size == 6).count()),
        (29, 28)
    );
    // Continents of the classic world, as in its documents.
    let held: Vec<(usize, usize)> = Stats::new(&board("world"))
        .groups
        .iter()
        .map(|of| (of.held, of.ways_in))
        .collect();
    assert_eq!(held, [(3, 3), (2, 2), (4, 8), (3, 6), (5, 8), (1, 1)]);
    let board = board("europe");
    let stats = Stats::new(&board);
    let paint = Paint {
        colour: false,
        width: 80,
    };
    insta::assert_snapshot!(stats.text(&board, paint));
    let value = stats.json(&board);
    assert_eq!(
        (
            &value["chokepoints"][0],
            &value["diameter"],
            &value["territories"]
        ),
        (&"spain".into(), &6.into(), &42.into())
    );
}

#[test]
fn our_maps_are_well_made() {
    assert!(library().names(FileKind::Map).len() >= 9);
    for name in library().names(FileKind::Map) {
        let file = risk_maps::text(library(), FileKind::Map, name).unwrap();
        let strict = Levels::new([], name != "starwars").unwrap();
        let checked = check(&file, &strict.into());
        assert!(
            checked.findings.is_empty(),
            "{name}: {:?}",
            checked.findings
        );
        assert!(checked.board.unwrap().about().len() > 20, "{name}");
    }
    for name in [
        "duel",
        "four-corners",
        "europe",
        "archipelago",
        "ring",
        "grand",
    ] {
        let setup = setup(
            "hasbro",
            Some(name),
            &["random"; 3],
            2,
            &[("max_turns", "30")],
        );
        let finished = Worker::new(&setup).unwrap().play(0, &mut NullSink);
        assert!(finished.outcome.is_ok(), "{name}");
    }
    let setup = setup("hasbro", Some("random:1000"), &["outnumber"; 3], 1, &[]);
    let finished = Worker::new(&setup).unwrap().play(0, &mut NullSink);
    assert_eq!(finished.outcome.unwrap().winners.len(), 1);
}

/// Returns the left, top, right and bottom of each name.
fn labels(svg: &str) -> Vec<(String, [f64; 4])> {
    let mut found = Vec::new();
    for line in svg
        .lines()
        .filter(|line| line.starts_with("<text") && line.contains("paint-order"))
    {
        let value = |key: &str| -> f64 {
            line.split(&format!(" {key}=\""))
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap()
                .parse()
                .unwrap()
        };
        let name = line
            .split('>')
            .nth(1)
            .unwrap()
            .split('<')
            .next()
            .unwrap()
            .to_owned();
        let x = value("x");
        let y = value("y");
        let size = value("font-size");
        let half = name.chars().count() as f64 * size * 0.27;
        found.push((name, [x - half, y - size * 0.75, x + half, y + size * 0.2]));
    }
    found
}

#[test]
fn pictures_name_everything_and_nothing_lies_on_a_name() {
    for name in
        library()
            .names(FileKind::Map)
            .into_iter()
            .chain(["random:80:3", "hex:3", "grid:7x5"])
    {
        let board = board(name);
        let svg = picture::map(&board);
        assert_eq!(svg, picture::map(&board), "{name}");
        let labels = labels(&svg);
        for (index, (text, a)) in labels.iter().enumerate() {
            for (other, b) in &labels[index + 1..] {
                let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                assert!(apart, "{name}: {text} lies on {other}");
            }
        }
        let written: String = labels.iter().map(|(text, _)| format!("{text} ")).collect();
        let missing = board.territories().filter(|&at| {
            let name = &board.info(at).name;
            !name.split([' ', '-']).all(|word| written.contains(word))
        });
        assert_eq!(missing.count(), 0, "{name}");
    }
}
