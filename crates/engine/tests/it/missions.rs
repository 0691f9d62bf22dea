//! The ruleset `missions`: what wins, what the mission of a dead target becomes, and that missions
//! are secret.

use risk_engine::{StepperSettings, Worker};
use risk_kernel::id::Player;
use risk_kernel::state::GameState;
use risk_testing::games::setup;

#[test]
fn nobody_sees_the_missions_of_others() {
    let match_ = setup("missions", None, &["random"; 4], 5, &[]);
    let mut worker = Worker::new(&match_).unwrap();
    let stepper = worker.stepper(0, StepperSettings::default()).unwrap();
    let task = worker.decl().pile("task").unwrap();
    let held =
        |game: &GameState, seat: usize| game.pile(task, Some(Player::from_index(seat))).to_vec();
    let seen = stepper.view(Player::from_index(1));
    let numbers: Vec<_> = (0..4)
        .map(|seat| seen.pile(task, Some(Player::from_index(seat))))
        .collect();
    assert_eq!(
        numbers.iter().map(Option::is_some).collect::<Vec<_>>(),
        [false, true, false, false]
    );
    assert!(seen.pile(task, None).is_none());
    // Imagined games keep the viewer's mission, and give the others varying ones.
    let kind = worker.decl().cards[held(stepper.game(), 1)[0].index()].kind;
    let mut found = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let game = seen.imagine(worker.rules_mut(), seed).unwrap();
        assert_eq!(held(&game, 1), held(stepper.game(), 1));
        for seat in 0..4 {
            let cards = held(&game, seat);
            assert_eq!(cards.len(), 1);
            assert_eq!(
                game.decl().cards[cards[0].index()].kind,
                kind,
                "a mission is no land"
            );
        }
        found.insert(held(&game, 0));
    }
    assert!(found.len() > 3, "{found:?}");
}
