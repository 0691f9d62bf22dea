//! Luck and chances of recorded games.

use std::path::Path;

use risk_engine::record;
use serde_json::Value;

use crate::support::{RunOutput, run_in};

fn ran(folder: &Path, line: &str) -> RunOutput {
    run_in(folder, &line.split_whitespace().collect::<Vec<_>>())
}

#[test]
fn the_document_agrees_with_itself() {
    let folder = tempfile::tempdir().unwrap();
    ran(
        folder.path(),
        "play --seed 13 --option max_turns=60 --quiet --record game.jsonl",
    );
    let line = "analyse game.jsonl --rollouts 4 --decisions 5 --bot outnumber --format json --jobs";
    let told = ran(folder.path(), &format!("{line} 1"));
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    assert_eq!(told, ran(folder.path(), &format!("{line} 2")));
    let value: Value = serde_json::from_str(&told.out).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    let players = value["players"].as_array().unwrap();
    let fights = value["fights"].as_array().unwrap();
    let mut all = 0.0;
    let mut by_fights = vec![0.0; players.len()];
    for fight in fights {
        let luck = number(&fight["luck"]);
        by_fights[fight["attacker"].as_u64().unwrap() as usize - 1] += luck;
        if let Some(defender) = fight["defender"].as_u64() {
            by_fights[defender as usize - 1] -= luck;
        }
    }
    for (player, sum) in players.iter().zip(by_fights) {
        all += number(&player["luck"]);
        assert!((number(&player["luck"]) - sum).abs() < 1e-3, "{player}");
    }
    assert!(all.abs() < 1e-3);
    assert_eq!(value["left_out"], serde_json::json!([]));
    let moments = value["chances"]["moments"].as_array().unwrap();
    assert!(moments.len() > 10);
    let decisions = &value["chances"]["decisions"];
    assert_eq!(decisions["judged"], 5);
    for judged in decisions["costliest"].as_array().unwrap() {
        let cost = number(&judged["chance_instead"]) - number(&judged["chance_taken"]);
        assert!((cost - number(&judged["cost"])).abs() < 2e-6, "{judged}");
        assert_ne!(judged["taken"], judged["instead"]);
    }
    for moment in moments {
        let shares = moment["shares"].as_array().unwrap().iter().map(number);
        let sum = shares.sum::<f64>() + number(&moment["nobody"]);
        assert!((sum - 1.0).abs() < 1e-5, "{moment}");
    }
}

/// `--decisions` alone plays a usual number of rollouts.
#[test]
fn decisions_are_judged_without_a_number_of_rollouts() {
    let folder = tempfile::tempdir().unwrap();
    let play = "play -r codelab -m duel --seed 13 -o max_turns=20 --quiet --record game.jsonl";
    ran(folder.path(), play);
    let line = "analyse game.jsonl --decisions 2 --bot outnumber --format json";
    let told = ran(folder.path(), line);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    assert_eq!(
        told,
        ran(folder.path(), &format!("{line} --rollouts 20 --seed 13"))
    );
    let value: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(value["chances"]["games"], 20);
    assert!(value["chances"]["decisions"]["judged"].as_u64() <= Some(2));
    let help = ran(folder.path(), "analyse --help").out;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        help.contains("(default: 0, or 20 with --decisions)"),
        "{help}"
    );
    let seeded = ran(folder.path(), "analyse game.jsonl --seed 1");
    assert_eq!(seeded.code, 2);
}

/// A command refuses the formats that it doesn't have.
#[test]
fn only_a_match_is_printed_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    ran(
        folder.path(),
        "play --seed 3 --option max_turns=9 --quiet --record game.jsonl",
    );
    for line in [
        "analyse game.jsonl",
        "odds 5 3",
        "map stats duel",
        "map show duel",
    ] {
        let refused = ran(folder.path(), &format!("{line} --format jsonl"));
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{line}");
        assert!(refused.err.contains("'jsonl'"), "{}", refused.err);
        let fine = ran(folder.path(), &format!("{line} --format json"));
        assert_eq!(fine.code, 0, "{line}: {}", fine.err);
    }
}

#[test]
fn the_report_fits_its_page() {
    let folder = tempfile::tempdir().unwrap();
    for players in ["3", "6"] {
        let play = format!(
            "play --seed 3 --players {players} --option max_turns=30 --quiet --force --record game.jsonl"
        );
        ran(folder.path(), &play);
        for width in [60, 80, 130] {
            let output = assert_cmd::Command::cargo_bin("risk-cli")
                .unwrap()
                .args([
                    "analyse",
                    "game.jsonl",
                    "--rollouts",
                    "2",
                    "--decisions",
                    "4",
                ])
                .current_dir(folder.path())
                .env("COLUMNS", width.to_string())
                .output()
                .unwrap();
            let told = String::from_utf8(output.stdout).unwrap();
            let headings = told.lines().filter(|line| line.starts_with("── "));
            assert!(headings.count() == 3 && told.contains("luckiest"), "{told}");
            for line in told.lines() {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn broken_records_are_told_as_by_replay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    ran(
        folder.path(),
        "play --seed 3 --option max_turns=30 --quiet --record game.jsonl",
    );
    let whole = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let mut swapped = lines.clone();
    swapped.swap(20, 21);
    let cut = &whole[..whole.len() / 2];
    // Correct sums over invalid answers.
    let mut other = Vec::new();
    let mut before = String::new();
    for line in &lines {
        let (body, _) = line.rsplit_once(",\"sum\":\"").unwrap();
        let body = body.replace("\"say\":\"attack", "\"say\":\"attack nowhere");
        before = record::sum(&before, &body);
        other.push(format!("{body},\"sum\":\"{before}\"}}"));
    }
    for (text, code, beside) in [
        (String::new(), 2, false),
        ("nothing\n".to_owned(), 2, false),
        (cut.to_owned(), 1, true),
        (swapped.join("\n") + "\n", 1, true),
        (other.join("\n") + "\n", 1, false),
    ] {
        std::fs::write(&path, &text).unwrap();
        let [replay, analyse] = ["replay", "analyse"]
            .map(|command| ran(folder.path(), &format!("{command} game.jsonl")));
        assert_eq!(
            (analyse.code, &analyse.err),
            (code, &replay.err),
            "{}",
            replay.out
        );
        assert!(!analyse.err.is_empty());
        assert_eq!(!analyse.out.is_empty(), beside, "{}", analyse.out);
    }
    std::fs::write(&path, &whole).unwrap();
    for line in [
        "game.jsonl --ruleset codelab",
        "game.jsonl --map duel",
        "none.jsonl",
    ] {
        let [replay, analyse] =
            ["replay", "analyse"].map(|command| ran(folder.path(), &format!("{command} {line}")));
        assert_eq!((analyse.code, analyse.err), (2, replay.err));
    }
}

#[test]
fn what_is_not_known_is_said() {
    let folder = tempfile::tempdir().unwrap();
    ran(
        folder.path(),
        "play --ruleset starwars --seed 1 --quiet --record game.jsonl",
    );
    let json = ran(folder.path(), "analyse game.jsonl --format json");
    assert_eq!((json.code, json.err.as_str()), (0, ""));
    let value: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(value["fights"], serde_json::json!([]));
    let [left_out] = &value["left_out"].as_array().unwrap()[..] else {
        panic!("{value}")
    };
    let told = ran(folder.path(), "analyse game.jsonl");
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    let text = told.out.replace("\n  ", " ");
    assert!(
        text.contains(&format!("{} rounds", left_out["rounds"]))
            && text.contains(left_out["reason"].as_str().unwrap()),
        "{text}"
    );
    let many = ran(folder.path(), "analyse game.jsonl --rollouts 9999");
    many.refuses(2, "analyse::rollouts");
    let elsewhere = "analyse game.jsonl --rollouts 1 --bot http://127.0.0.1:9";
    let elsewhere = ran(folder.path(), elsewhere);
    elsewhere.refuses(2, "analyse::bot");
    let alone = ran(folder.path(), "analyse game.jsonl --bot random");
    assert_eq!(alone.code, 2);
    assert!(alone.err.contains("--rollouts"), "{}", alone.err);
}
