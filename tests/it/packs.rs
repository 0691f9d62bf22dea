//! Zips that hold a ruleset and its files: written, played, and refused if they are damaged.

use std::fs;
use std::path::Path;

use risk_engine::RuleSetup;
use risk_maps::zipped::{self, LARGEST_ZIP};

use crate::support::{RunOutput, library, run_in, words};

const OWN: &str = "import \"help\" as help;
fn ruleset() { #{ extends: \"./base.rhai\", name: \"own\", map: \"maps/ring.yaml\" } }
fn on_conquest(g, me, at) { g.add_armies(at, help::extra()); }
";
const BASE: &str =
    "fn ruleset() { #{ extends: \"codelab\", name: \"base\", options: #{ max_turns: 12 } } }\n";
const HELP: &str = "fn extra() { 2 }\n";
const RING: &str = "name: ring
territories:
  - { id: a, borders: [b, f] }
  - { id: b, borders: [c] }
  - { id: c, borders: [d] }
  - { id: d, borders: [e] }
  - { id: e, borders: [f] }
  - { id: f, borders: [] }
";
const ALONE: &str = "fn ruleset() { #{ extends: \"codelab\", name: \"alone\" } }\n";

/// Creates a folder with a ruleset, `rules/own.rhai`, and all that it uses.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("rules/maps")).unwrap();
    for (name, text) in [
        ("own.rhai", OWN),
        ("base.rhai", BASE),
        ("help.rhai", HELP),
        ("unused.rhai", ALONE),
        ("maps/ring.yaml", RING),
    ] {
        fs::write(folder.path().join("rules").join(name), text).unwrap();
    }
    folder
}

fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let files = files.iter();
    zipped::write(files.map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())))
}

#[track_caller]
fn fine(folder: &Path, line: &str) -> RunOutput {
    let ran = run_in(folder, &words(line));
    assert_eq!(ran.code, 0, "{line}: {}{}", ran.out, ran.err);
    ran
}

#[test]
fn a_zip_plays_the_games_of_its_files() {
    let folder = folder();
    let folder = folder.path();
    let packed = fine(folder, "ruleset pack rules/own.rhai -o own.zip");
    let list = "own.zip: base.rhai, help.rhai, own.rhai, ring.yaml\n";
    assert_eq!(packed.out, list);
    let bots = "--bot random --bot holder --seed 3";
    let games = |ruleset: &str, more: &str| {
        fine(
            folder,
            &format!("play --games 12 --ruleset {ruleset} {bots} {more}"),
        )
        .out
    };
    let plain = games("rules/own.rhai", "");
    assert!(plain.contains("own on ring"), "{plain}");
    // Without its files, and under another name.
    fs::rename(folder.join("rules"), folder.join("moved")).unwrap();
    fs::copy(folder.join("own.zip"), folder.join("own(1).zip")).unwrap();
    assert_eq!(games("own.zip", ""), plain);
    assert_eq!(games("own(1).zip", ""), plain);
    let on_world = games("own.zip", "--map world");
    assert_eq!(on_world, games("moved/own.rhai", "--map world"));
    assert!(on_world.contains("own on world"), "{on_world}");
    for line in [
        "ruleset check own.zip --games 3",
        "map validate own.zip --ruleset own.zip",
        "compare random random --ruleset own.zip --max-blocks 12",
        "ruleset pack own.zip -o again.zip",
    ] {
        let ran = run_in(folder, &words(line));
        assert!([0, 4].contains(&ran.code), "{line}: {}", ran.err);
    }
    let bytes = |name| fs::read(folder.join(name)).unwrap();
    assert_eq!(bytes("again.zip"), bytes("own.zip"));
    let source = fine(folder, "ruleset show own.zip --source").out;
    assert_eq!(source, OWN);
}

#[test]
fn a_record_of_a_zip_is_replayed_with_the_same_zip_only() {
    let folder = folder();
    let folder = folder.path();
    fs::create_dir(folder.join("sent")).unwrap();
    fine(folder, "ruleset pack rules/own.rhai -o sent/own.zip");
    let play = "play --quiet --ruleset own.zip --bot random --bot holder --record game.jsonl";
    fine(&folder.join("sent"), play);
    let header = fs::read_to_string(folder.join("sent/game.jsonl")).unwrap();
    assert!(header.contains(r#""map":"own.zip/ring.yaml""#), "{header}");
    fine(&folder.join("sent"), "replay game.jsonl --verify");
    fine(folder, "replay sent/game.jsonl --verify");
    // The hashes are those of the plain files.
    fine(
        folder,
        "replay sent/game.jsonl --verify --ruleset rules/own.rhai --map rules/maps/ring.yaml",
    );
    fs::write(folder.join("rules/help.rhai"), "fn extra() { 3 }\n").unwrap();
    fine(
        folder,
        "ruleset pack rules/own.rhai -o sent/own.zip --force",
    );
    run_in(folder, &words("replay sent/game.jsonl --verify")).refuses(2, "record::differs");
    #[cfg(unix)]
    {
        // A zip elsewhere is not read, because errors quote its lines.
        let other = tempfile::tempdir().unwrap();
        fs::rename(folder.join("sent/own.zip"), other.path().join("own.zip")).unwrap();
        let link = folder.join("sent/own.zip");
        std::os::unix::fs::symlink(other.path().join("own.zip"), link).unwrap();
        let ran = run_in(&folder.join("sent"), &words("replay game.jsonl"));
        ran.refuses(2, "record::path");
    }
}

#[test]
fn the_same_files_give_the_same_bytes() {
    let (one, other) = (folder(), folder());
    let pack = "ruleset pack rules/own.rhai -o own.zip";
    let bytes = |folder: &Path| {
        fine(folder, pack);
        fs::read(folder.join("own.zip")).unwrap()
    };
    let packed = bytes(one.path());
    // Other times of the files, and the clock, do not matter.
    std::thread::sleep(std::time::Duration::from_millis(2100));
    fs::write(other.path().join("rules/own.rhai"), OWN).unwrap();
    assert_eq!(bytes(other.path()), packed);
    fs::write(other.path().join("rules/help.rhai"), "fn extra() { 3 }\n").unwrap();
    fs::remove_file(other.path().join("own.zip")).unwrap();
    assert_ne!(bytes(other.path()), packed);
    run_in(one.path(), &words(pack)).refuses(2, "cli::exists");
}

#[test]
fn what_can_not_be_packed_is_refused() {
    let other =
        "fn ruleset() { #{ extends: \"codelab\", name: \"other\", map: \"../ring.yaml\" } }";
    let json = "fn ruleset() { #{ extends: \"codelab\", name: \"json\", map: \"ring.json\" } }";
    let helper = "import \"unused\" as unused;\nimport \"UNUSED\" as more;\n";
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("ring.yaml"), RING).unwrap();
    fs::write(folder.join("rules/ring.json"), RING).unwrap();
    fs::write(folder.join("rules/UNUSED.rhai"), HELP).unwrap();
    let broken = ALONE.replace("codelab", "nothing");
    for (text, code, part) in [
        (
            other,
            "cli::pack",
            "../ring.yaml in the folder of rules/x.rhai",
        ),
        (json, "load::zip", "`ring.json` in x.zip: expected a name"),
        (
            &*format!("{helper}{ALONE}"),
            "load::zip",
            "expected names that differ",
        ),
        (&broken, "load::unknown", "nothing"),
    ] {
        fs::write(folder.join("rules/x.rhai"), text).unwrap();
        let ran = run_in(folder, &words("ruleset pack rules/x.rhai -o x.zip"));
        ran.refuses(2, code);
        assert!(ran.err.contains(part), "{}", ran.err);
        assert!(!folder.join("x.zip").exists(), "{text}");
    }
    let ran = run_in(folder, &words("ruleset pack rules/own.rhai -o own.tar"));
    ran.refuses(2, "cli::form");
}

#[test]
fn a_ruleset_in_a_zip_sees_its_zip_only() {
    let folder = folder();
    let folder = folder.path();
    for name in ["help.rhai", "base.rhai", "maps/ring.yaml"] {
        let path = folder.join("rules").join(name);
        fs::copy(path, folder.join(Path::new(name).file_name().unwrap())).unwrap();
    }
    let ring = folder.join("ring.yaml").display().to_string();
    for (files, code, place) in [
        (
            vec![("own.rhai", OWN), ("base.rhai", BASE), ("ring.yaml", RING)],
            "script::import",
            "own.rhai:1:1",
        ),
        (
            vec![("own.rhai", OWN), ("help.rhai", HELP)],
            "load::zip",
            "own.rhai:2:19",
        ),
        (
            vec![("own.rhai", OWN), ("help.rhai", HELP), ("base.rhai", BASE)],
            "load::zip",
            "own.rhai:2:56",
        ),
        (
            vec![
                ("own.rhai", &*OWN.replace("maps", &ring)),
                ("help.rhai", HELP),
                ("base.rhai", BASE),
            ],
            "load::zip",
            "own.rhai:2:56",
        ),
        (
            vec![("own.rhai", &*ALONE.replace("name:", "nick:"))],
            "ruleset::unknown-key",
            "own.rhai:1:39",
        ),
    ] {
        fs::write(folder.join("own.zip"), zip(&files)).unwrap();
        let ran = run_in(folder, &words("play --ruleset own.zip"));
        ran.refuses(2, code);
        assert_eq!(ran.places(), [format!("own.zip/{place}")], "{}", ran.err);
    }
}

/// Replaces bytes in a zip by as many others, and checks that they were there.
fn replaced(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let places: Vec<usize> = (0..=bytes.len() - from.len())
        .filter(|&at| bytes[at..].starts_with(from))
        .collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
    bytes
}

/// Changes bytes of the first entry of the central directory.
fn changed(mut bytes: Vec<u8>, offset: usize, to: &[u8]) -> Vec<u8> {
    let at = (0..bytes.len()).find(|&at| bytes[at..].starts_with(b"PK\x01\x02"));
    let at = at.unwrap() + offset;
    bytes[at..at + to.len()].copy_from_slice(to);
    bytes
}

/// Loads a ruleset from a zip with these bytes. Returns the error's code and text.
#[track_caller]
fn refusal(folder: &Path, bytes: &[u8]) -> (String, String) {
    let path = folder.join("R.zip");
    fs::write(&path, bytes).unwrap();
    let loaded = RuleSetup::load(library(), &path.display().to_string(), None, &[]);
    let finding = loaded.expect_err("the zip is refused").findings.remove(0);
    (finding.code, finding.text)
}

/// Checks that each of these zips is refused with this text.
#[track_caller]
fn check<const N: usize>(zips: [(Vec<u8>, &str); N]) {
    let folder = tempfile::tempdir().unwrap();
    for (bytes, part) in zips {
        let (code, text) = refusal(folder.path(), &bytes);
        assert_eq!(code, "load::zip", "{part}: {text}");
        assert!(text.contains(part), "{part}: {text}");
    }
}

fn alone() -> Vec<u8> {
    zip(&[("alone.rhai", ALONE)])
}

#[test]
fn an_entry_has_a_plain_name_of_its_own() {
    let named = |name: &[u8]| replaced(alone(), b"alone.rhai", name);
    let same = [("alone.rhai", ALONE), ("other.rhai", ALONE)];
    let twice = |name: &[u8]| replaced(zip(&same), b"other.rhai", name);
    check([
        (named(b"../ne.rhai"), "`../ne.rhai` in "),
        (named(b"/lone.rhai"), "`/lone.rhai` in "),
        (named(b"a/one.rhai"), "`a/one.rhai` in "),
        (named(b"a\\one.rhai"), "`a\\one.rhai` in "),
        (named(b"C:one.rhai"), "`C:one.rhai` in "),
        (named(b"lon\0e.rhai"), "expected a name in UTF-8"),
        (named(b"lon\x1be.rhai"), "`lon\\u{1b}e.rhai` in "),
        (named(b"lon\xffe.rhai"), "`lon\u{fffd}e.rhai` in "),
        (named(b"alone.RHAI"), "`alone.RHAI` in "),
        (named(b"alone.html"), "`alone.html` in "),
        (named(b"alone/////"), "`alone/////` in "),
        (twice(b"alone.rhai"), "expected names that differ"),
        (twice(b"ALONE.rhai"), "`ALONE.rhai` in "),
    ]);
}

#[test]
fn an_entry_is_a_whole_file_below_its_limit() {
    let spaces = |len: usize| " ".repeat(len);
    let (mib, most) = (spaces(1 << 20), spaces(4 << 20));
    let bomb = zip(&[("alone.rhai", &*format!("{mib} "))]);
    assert!(bomb.len() < 10_000);
    let bomb_lies = changed(bomb.clone(), 24, &[5, 0, 0, 0]);
    let link = changed(changed(alone(), 5, &[3]), 38, &[0, 0, 0, 0xa0]);
    let maps = [("a.yaml", &*most), ("b.yaml", &most), ("z.rhai", ALONE)];
    check([
        (
            changed(alone(), 8, &[9]),
            "expected a file without a password",
        ),
        (link, "and no link"),
        (changed(alone(), 10, &[12]), "stored or deflated"),
        (changed(alone(), 16, &[0; 4]), "that fit their checksum"),
        (
            changed(alone(), 24, &[1, 0, 0, 0]),
            "that fit their checksum",
        ),
        (changed(alone(), 42, &[7]), "damaged"),
        (bomb, "expected at most 1048576 bytes"),
        (bomb_lies, "expected at most 1048576 bytes"),
        (zip(&maps), "`z.rhai` in "),
    ]);
    let most = format!("{}{ALONE}", spaces((1 << 20) - ALONE.len()));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("R.zip"), zip(&[("R.rhai", &most)])).unwrap();
    fine(folder.path(), "ruleset show R.zip");
}

#[test]
fn a_zip_has_one_ruleset_and_few_files() {
    let files = |count: usize| {
        let names: Vec<String> = (0..count).map(|n| format!("{n}.yaml")).collect();
        let files: Vec<_> = names.iter().map(|name| (name.as_str(), "x")).collect();
        zip(&files)
    };
    check([
        (vec![], "is not a zip, or it is damaged"),
        (ALONE.as_bytes().to_vec(), "is not a zip, or it is damaged"),
        (zip(&[]), "expected one ruleset in"),
        (zip(&[("ring.yaml", RING)]), "found 0"),
        (zip(&[("help.rhai", HELP)]), "found 0"),
        (zip(&[("a.rhai", ALONE), ("b.rhai", ALONE)]), "found 2: "),
        (files(101), "`100.yaml` in "),
        (files(60_000), "`100.yaml` in "),
    ]);
    assert_eq!(zipped::parse("R.zip", &files(100)).unwrap().len(), 100);
    let folder = tempfile::tempdir().unwrap();
    let large = vec![b'P'; usize::try_from(LARGEST_ZIP).unwrap() + 1];
    let (code, text) = refusal(folder.path(), &large);
    assert_eq!(code, "load::file", "{text}");
}

#[test]
fn a_truncated_or_changed_zip_is_refused_or_read_without_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let whole = zip(&[("own.rhai", ALONE), ("ring.yaml", RING)]);
    assert_eq!(zipped::parse("R.zip", &whole).unwrap().len(), 2);
    for part in 0..20 {
        let (code, text) = refusal(folder.path(), &whole[..whole.len() * part / 20]);
        assert_eq!(code, "load::zip", "{part}: {text}");
    }
    let mut refused = 0;
    for at in 0..whole.len() {
        for value in [0, 1, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= value;
            refused += usize::from(zipped::parse("R.zip", &bytes).is_err());
        }
    }
    assert!(refused > whole.len(), "{refused}");
}
