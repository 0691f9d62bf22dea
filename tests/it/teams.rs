//! Players in teams: permitted attacks, winners, and the ranks of partners.

use crate::support::{run_in, words};

/// Builds a position in which red and green are partners, and blue and gold are the others. Alaska
/// and Kamchatka are neighbours, and so are Kamchatka and Japan; Japan has no other border than one
/// with Mongolia.
fn position(options: &str, phase: &str, land: [&str; 4], more: &str) -> String {
    let teams = [1, 2, 1, 2];
    let names = ["red", "blue", "green", "gold"];
    let mut text = format!(
        "position: 1\nruleset: teams\nmap: hacker-risk\noptions: {{ {options} }}\nseed: 4\n\
         turn_of: red\nphases: {phase}\nround: 3\nplayers:\n"
    );
    for ((name, team), land) in names.into_iter().zip(teams).zip(land) {
        text += &format!("  - name: {name}\n    counters: {{ team: {team} }}\n");
        text += &match land {
            "" => "    status: eliminated\n".to_owned(),
            land => format!("    land: {{ {land} }}\n"),
        };
    }
    text + more
}

const BOTH: [&str; 4] = [
    "alaska: 30, mongolia: 5",
    "alberta: 1, ontario: 9",
    "kamchatka: 3, japan: 2",
    "brazil: 4",
];

/// Gold and green are out already: Alberta is the last territory of the others.
const LAST: [&str; 4] = ["alaska: 30, mongolia: 5", "alberta: 1", "", ""];

const OUT: &str = "out: [{ player: gold, round: 1 }, { player: green, round: 2 }]\n";

/// Blue is nearly out, with cards.
const CARDS: &str = "    piles: { hand: [brazil, peru, argentina, egypt, madagascar] }\n";

/// Red's territories are separated by green's.
const APART: [&str; 4] = [
    "alaska: 30, japan: 5",
    "alberta: 1",
    "kamchatka: 3, mongolia: 1",
    "brazil: 4",
];

/// Options, the phase, the territories, more of the position; and the expectation.
const ROWS: [(&str, &str, [&str; 4], &str, &str); 11] = [
    // Partners can't be attacked, all other players can.
    ("", "attack", BOTH, "", "cannot: attack alaska kamchatka 1"),
    ("", "attack", BOTH, "", "cannot: attack mongolia japan 1"),
    (
        "",
        "attack",
        BOTH,
        "",
        "can: [attack alaska alberta 3, done]",
    ),
    // Armies are placed on the player's own territories alone.
    ("", "deploy", BOTH, "    # 3", "cannot: place kamchatka 1"),
    // A player who is out wins with the partner.
    (
        "",
        "attack",
        LAST,
        OUT,
        "say: [attack alaska alberta 3]\n    winners: [red, green]\n    ending: conquest",
    ),
    // While one of the others has a territory, the game goes on.
    (
        "",
        "attack",
        BOTH,
        "",
        "say: [attack alaska alberta 3]\n    winners: []",
    ),
    // The last move stays on the player's own territories, or passes through those of partners.
    ("", "fortify", APART, "", "cannot: move alaska japan 1"),
    (
        "partner_land: open",
        "fortify",
        APART,
        "",
        "can: [move alaska japan 29, move japan alaska 1, done]",
    ),
    (
        "partner_land: open",
        "fortify",
        APART,
        "",
        "cannot: [move alaska kamchatka 1, move alaska alberta 1]",
    ),
    (
        "partner_land: open",
        "fortify",
        APART,
        "",
        "say: [move alaska japan 5]\n    armies: { alaska: 25, japan: 10, kamchatka: 3 }",
    ),
    (
        "partner_land: open, fortify_to: anywhere",
        "fortify",
        APART,
        "",
        "can: move alaska japan 29",
    ),
];

#[test]
fn the_rules_of_teams() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (options, phase, land, more, expected) in ROWS {
        let mut text = position(options, phase, land, "");
        if more.contains('#') {
            text = text.replacen("{ team: 1 }", "{ team: 1, reserve: 3 }", 1);
        } else {
            text += more;
        }
        check(folder, &text, expected);
    }
    // The conqueror of the last territory takes the cards, not a partner.
    let land = ["alaska: 30", "alberta: 1", "kamchatka: 3", "brazil: 4"];
    let text = position("", "attack", land, "");
    let text = text.replacen("{ alberta: 1 }\n", &format!("{{ alberta: 1 }}\n{CARDS}"), 1);
    let tests =
        "say: [attack alaska alberta 3, move alaska alberta 0]\n    phase: trade\n    asks: red";
    check(folder, &text, tests);
}

/// Checks one case with `ruleset test`.
fn check(folder: &std::path::Path, position: &str, expected: &str) {
    std::fs::write(folder.join("p.yaml"), position).unwrap();
    let tests = format!("tests:\n  - name: it\n    from: p.yaml\n    {expected}\n");
    std::fs::write(folder.join("t.yaml"), &tests).unwrap();
    let ran = run_in(folder, &words("ruleset test t.yaml"));
    assert_eq!(ran.code, 0, "{position}{tests}{}{}", ran.out, ran.err);
}

#[test]
fn a_win_of_partners_is_no_draw() {
    let folder = tempfile::tempdir().unwrap();
    let line =
        "play -r teams -g 2 -s 4 -b outnumber -b random -b outnumber -b random --seats fixed";
    let ran = run_in(folder.path(), &words(&format!("{line} --format json")));
    let said: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let wins: Vec<_> = said["bots"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["wins"].as_u64())
        .collect();
    assert_eq!(wins, [Some(2), Some(0), Some(2), Some(0)], "{}", ran.out);
    let draws = said["bots"]
        .as_array()
        .unwrap()
        .iter()
        .all(|it| it["draws"] == 0);
    assert!(draws, "{}", ran.out);
}

#[test]
fn bots_are_compared_in_teams_where_there_are_some() {
    let folder = tempfile::tempdir().unwrap();
    let compare = |line: &str| run_in(folder.path(), &words(&format!("compare {line}")));
    compare("outnumber random -r hasbro --teams").refuses(2, "compare::teams");
    let ran = compare("outnumber random -r teams --teams -f odds");
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("--filler <"), "{}", ran.err);
    let ran = compare("outnumber random -r teams --teams -s 1 --max-blocks 60 --d1 0.3");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}
