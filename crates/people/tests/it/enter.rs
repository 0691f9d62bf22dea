//! A person at a terminal that is played by the test: pages, hand-overs, and giving up.

use risk_people::GameEnd;
use risk_testing::games::setup;

use crate::table::{Screen, at_screen};

/// Plays a game of a person against other bots. Returns its end, its record and all that was shown.
fn played(
    ruleset: &str,
    bots: &[&str],
    answer: impl FnMut(&str, &str) -> &'static str + 'static,
) -> (GameEnd, String, String) {
    let screen = Screen {
        shown: String::new(),
        height: Some(8),
        answer: Box::new(answer),
    };
    at_screen(setup(ruleset, None, bots, 3, &[]), screen)
}

#[test]
fn one_enter_too_many_after_a_page_is_no_answer() {
    let mut at_prompt = ["quit", "", "", "help"].to_vec();
    let (end, record, shown) =
        played(
            "codelab",
            &["random", "outnumber"],
            move |prompt, _| match prompt.starts_with("-- Enter: more") {
                true => "",
                false => at_prompt.pop().unwrap(),
            },
        );
    assert!(matches!(end, GameEnd::Quit));
    let (before, after) = shown.rsplit_once("-- Enter: more").unwrap();
    assert!(before.contains("-- Enter: more"), "{shown}");
    // The first Enter after the pages only says what the second one does.
    assert_eq!(after.matches("  Enter: ").count(), 2, "{after}");
    assert_eq!(after.matches(" (deploy)> ").count(), 2, "{after}");
    assert_eq!(record.matches("\"line\":\"answer\"").count(), 1, "{shown}");
}

#[test]
fn a_person_gives_up_once_the_consequence_was_read() {
    let mut at_prompt = ["resign", "map", "resign"].to_vec();
    let (end, record, shown) =
        played(
            "codelab",
            &["random", "outnumber"],
            move |prompt, _| match prompt.starts_with("-- Enter: more") {
                true => "q",
                false => at_prompt.pop().unwrap(),
            },
        );
    let GameEnd::Over(game, outcome) = end else {
        panic!("{shown}");
    };
    let last = outcome.ranking.last().unwrap();
    assert_eq!((last.player.index(), last.place), (0, 2), "{shown}");
    assert!(record.contains("\"kind\":\"resigned\""), "{record}");
    assert!(game.answers() > 0);
}

#[test]
fn a_number_of_armies_is_placed_one_at_a_time() {
    let mut asked = 0;
    let (_, record, shown) = played("hasbro", &["random"; 3], move |prompt, shown| {
        if !prompt.contains("(muster)") {
            return "auto";
        }
        asked += 1;
        let suggestion = shown.rsplit_once("  Enter: place ").unwrap().1;
        let place = suggestion.lines().next().unwrap();
        match asked {
            1 => format!("place {place} 9").leak(),
            _ => "quit",
        }
    });
    let said = record
        .lines()
        .filter(|line| line.contains("\"seat\":1,\"say\":\"place "));
    assert_eq!(said.count(), 9, "{record}");
    assert!(shown.contains(" 9\n"), "{shown}");
}
