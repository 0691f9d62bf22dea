//! Players in teams: permitted attacks, winners, and the ranks of partners.

use risk_engine::{MatchSpec, Worker};
use risk_kernel::event::Event;
use risk_kernel::id::{Player, PlayerSet};
use risk_kernel::{Moment, NullSink, Sink};
use risk_testing::by_case::each;
use risk_testing::games::{library, setup};

/// Counts captures, and those among them that break the peace of partners.
#[derive(Default)]
struct Peace {
    broken: u32,
    captures: u32,
}

impl Sink for Peace {
    fn event(&mut self, game: Moment<'_>, event: &Event) {
        if let Event::Captured(capture) = event {
            self.captures += 1;
            let allied = |loser| game.allied(capture.by, loser);
            self.broken += u32::from(capture.loser.is_some_and(allied));
        }
    }
}

#[test]
fn partners_keep_peace_and_share_place_score_and_win() {
    let mut won = 0;
    each(["2x2", "3x3", "2x2x2"], |seats| {
        let (players, teams) = match *seats {
            "2x2" => (4, 2),
            "3x3" => (6, 2),
            _ => (6, 3),
        };
        for (turns, number) in [("30", 0), ("30", 1), ("1000", 2)] {
            let bots = vec!["outnumber"; players];
            let match_ = setup(
                "teams",
                None,
                &bots,
                5,
                &[("seats", *seats), ("max_turns", turns)],
            );
            let mut worker = Worker::new(&match_).unwrap();
            let mut peace = Peace::default();
            let finished = worker.play(number, &mut peace);
            assert_eq!(peace.broken, 0, "{seats}");
            assert!(peace.captures > 10, "{seats}: {}", peace.captures);
            let outcome = finished.outcome.unwrap();
            let team = |seat: usize| (0..players).filter(move |it| it % teams == seat % teams);
            let team = |seat| {
                team(seat)
                    .map(Player::from_index)
                    .fold(PlayerSet::default(), PlayerSet::with)
            };
            for rank in &outcome.ranking {
                let of_team = |it: &&risk_engine::Rank| team(rank.player.index()).has(it.player);
                for partner in outcome.ranking.iter().filter(of_team) {
                    assert_eq!(
                        (partner.place, partner.score),
                        (rank.place, rank.score),
                        "{seats}"
                    );
                }
            }
            if let Some(winner) = outcome.winners.iter().next() {
                assert_eq!(outcome.winners, team(winner.index()), "{seats}");
                won += 1;
            }
        }
    });
    assert!(won > 0, "no game was won");
}

#[test]
fn the_counter_of_teams_is_one_that_all_see() {
    let folder = tempfile::tempdir().unwrap();
    for (named, is_fine) in [
        ("\"side\"", true),
        ("\"hidden\"", false),
        ("\"sides\"", false),
        ("3", false),
    ] {
        let text = format!(
            "fn ruleset() {{ #{{ extends: \"codelab\", name: \"own\", teams: {named},\n\
             counters: #{{ side: \"all\", hidden: \"owner\" }} }} }}\n"
        );
        let path = folder.path().join("own.rhai").display().to_string();
        std::fs::write(&path, text).unwrap();
        let spec = MatchSpec::new(&path).option("max_turns", 4).seed(1);
        match spec.load(library()) {
            Ok(setup) => {
                assert!(is_fine, "{named}");
                let finished = Worker::new(&setup).unwrap().play(0, &mut NullSink);
                assert!(finished.outcome.is_ok(), "{named}");
            }
            Err(failure) => {
                let [found] = &failure.findings[..] else {
                    panic!("{named}: {failure:?}")
                };
                assert!(
                    !is_fine && found.code == "ruleset::value",
                    "{named}: {found}"
                );
                let place = found.place.as_ref().unwrap();
                assert_eq!(place.line_column(), (1, 52), "{named}");
            }
        }
    }
}
