//! Thousands of games with checks after every hook: the state against a fold of the events that
//! knows nothing of the mutators, land against armies, cards against cards.

use std::collections::BTreeMap;

use risk_engine::{Setup, Worker};
use risk_kernel::event::{Event, Status};
use risk_kernel::id::Pile;
use risk_kernel::state::GameState;
use risk_kernel::{Moment, Sink};

use risk_testing::fold::Fold;

use risk_testing::by_case::{each, share};
use risk_testing::games as support;

/// Checks a Hasbro game after every hook. Events of one hook come together, so the state is
/// compared at the first event of the next hook, as it was then.
#[derive(Default)]
struct Inspector {
    fold: Fold,
    last_digest: u64,
    hooks: u64,
    eliminated: u32,
    reshuffled: u32,
}

impl Inspector {
    fn look(&mut self, game: &GameState) {
        self.hooks += 1;
        for at in game.board().territories() {
            let armies = game.armies(at);
            assert_eq!(
                game.owner(at).is_some(),
                armies >= 1,
                "owned land holds at least one army, free land none"
            );
        }
        let cards: usize = game
            .seats()
            .map(Some)
            .chain([None])
            .flat_map(|of| {
                (0..game.decl().piles.len())
                    .map(move |pile| game.pile(Pile::from_index(pile), of).len())
            })
            .sum();
        assert_eq!(cards, game.decl().cards.len(), "no card is lost or made");
        for who in game.seats() {
            assert_eq!(game.owned(who).count() as u32, game.territory_count(who));
            let out = game.status(who) == Status::Eliminated;
            assert!(!out || game.territory_count(who) == 0);
            let bonus: i64 = game
                .board()
                .continents()
                .iter()
                .enumerate()
                .filter(|(index, _)| {
                    let members = game
                        .board()
                        .members(risk_kernel::id::Group::from_index(*index));
                    members.iter().all(|&at| game.owns(who, at))
                })
                .map(|(_, continent)| i64::from(continent.bonus))
                .sum();
            assert_eq!(bonus, risk_kernel::phases::bonus(game, who));
        }
    }
}

impl Sink for Inspector {
    fn event(&mut self, moment: Moment<'_>, event: &Event) {
        let game: &GameState = &moment;
        self.fold.step(moment, event);
        match event {
            Event::Status {
                now: Status::Eliminated,
                ..
            } => self.eliminated += 1,
            Event::Shuffled { .. } if game.turn() > 0 => self.reshuffled += 1,
            _ => {}
        }
        if game.digest() != self.last_digest {
            self.last_digest = game.digest();
            self.look(game);
        }
    }
}

#[derive(Default)]
struct PlayedCounts {
    reasons: BTreeMap<String, u64>,
    eliminated: u32,
    reshuffled: u32,
}

/// Plays these games; returns `None` if only one of them was selected.
fn play(setup: &Setup, games: std::ops::Range<u64>) -> Option<PlayedCounts> {
    let mut came = PlayedCounts::default();
    let mut worker = Worker::new(setup).unwrap();
    let all = each(games, |&number| {
        let mut inspector = Inspector::default();
        let finished = worker.play(number, &mut inspector);
        inspector.fold.check(&finished.game);
        assert!(inspector.hooks > 0);
        let reason = finished.outcome.unwrap().reason;
        *came.reasons.entry(reason).or_default() += 1;
        came.eliminated += inspector.eliminated;
        came.reshuffled += inspector.reshuffled;
    });
    all.then_some(came)
}

/// Plays random games with this many players on the world, and as many on a small map, where games
/// are decided.
fn random_games(players: usize) {
    let bots = vec!["random"; players];
    let big = support::setup("hasbro", None, &bots, 11, &[("max_turns", "100")]);
    if let Some(came) = play(&big, 0..share(1250)) {
        assert_eq!(came.reasons.values().sum::<u64>(), share(1250));
    }
    let folder = support::tiny();
    let map = folder.path().join("tiny.yaml");
    let small = support::setup("hasbro", map.to_str(), &bots, 12, &[("max_turns", "150")]);
    let Some(came) = play(&small, 0..share(1250)) else {
        return;
    };
    let reasons = came.reasons;
    assert!(
        reasons.contains_key("conquest") && came.eliminated > 0,
        "{reasons:?}"
    );
    assert!(came.reshuffled > 0, "with eight cards the deck runs out");
    assert!(
        reasons
            .keys()
            .all(|reason| ["conquest", "limit"].contains(&reason.as_str())),
        "{reasons:?}"
    );
}

#[test]
fn random_games_of_3_keep_all_laws() {
    random_games(3);
}

#[test]
fn random_games_of_4_keep_all_laws() {
    random_games(4);
}

#[test]
fn random_games_of_5_keep_all_laws() {
    random_games(5);
}

#[test]
fn random_games_of_6_keep_all_laws() {
    random_games(6);
}

#[test]
fn whole_games_of_better_bots_keep_all_laws() {
    let setup = support::setup(
        "hasbro",
        None,
        &[
            "outnumber",
            "holder",
            "odds",
            "random",
            "outnumber",
            "holder",
        ],
        13,
        &[],
    );
    if let Some(came) = play(&setup, 0..60) {
        assert!(came.eliminated > 200, "{:?}", came.reasons);
    }
}
